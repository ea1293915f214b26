//! Standing in for a solver: links under the solvers' names, called as real clients call them.

use crate::common::{Folder, evergreen, find, isolated, run, stderr, stdout, write_program};
use std::path::Path;
use std::process::Command;

const SCRIPT: &str = "(set-logic QF_BV)(declare-const x (_ BitVec 8))(assert (bvult x #x02))(check-sat)\
    (assert (bvult #x03 x))(check-sat)\n";

/// Installs the links.
fn install(folder: &Folder) {
    let output = run(evergreen(folder).args(["shim", "install", &folder.text("shims")]), "");
    assert!(output.status.success(), "{}", stderr(&output));
    for name in ["z3", "cvc5", "yices-smt2", "bitwuzla"] {
        assert!(folder.path("shims").join(name).exists());
        assert!(stdout(&output).contains(&find(name).display().to_string()), "{}", stdout(&output));
    }
}

/// A link, with the links first on PATH and the real solvers behind them.
fn shim(folder: &Folder, name: &str) -> Command {
    let path = std::env::join_paths([
        folder.path("shims"),
        find("z3").parent().expect("a folder").to_path_buf(),
        "/usr/bin".into(),
        "/bin".into(),
    ]);
    let mut command = isolated(&folder.path("shims").join(name), folder);
    command.env("PATH", path.expect("a path")).env("EVERGREEN_STORE", folder.path("store"));
    command
        .env("EVERGREEN_STATS", folder.path("stats"))
        .env("EVERGREEN_NATIVE", "off")
        .env("EVERGREEN_REUSE", "exact");
    command
}

/// Solver processes that the runs so far have started.
fn starts(folder: &Folder) -> u64 {
    let text = std::fs::read_to_string(folder.path("stats")).unwrap_or_default();
    let number = |line: &str| {
        let rest = line.split("\"solver_starts\":").nth(1).expect("a count");
        rest.split(|c: char| !c.is_ascii_digit())
            .next()
            .and_then(|n| n.parse::<u64>().ok())
            .expect("a number")
    };
    text.lines().map(number).sum()
}

#[test]
fn as_real_clients_call_them() {
    let calls: [(&str, &[&str], bool); 14] = [
        ("z3", &["-in"], false),
        ("z3", &["-smt2", "-in"], false),
        ("z3", &["-in", "-T:10", "-memory:2000"], false),
        ("z3", &["-smt2", "-in", "auto_config=false", "smt.random_seed=3"], false),
        ("z3", &["FILE"], true),
        ("z3", &["-smt2", "FILE"], true),
        ("z3", &["-T:10", "-v:0", "FILE"], true),
        ("cvc5", &["--lang=smt2", "--incremental", "--produce-models"], false),
        ("cvc5", &["--lang", "smt2", "-q", "--incremental", "-"], false),
        ("cvc5", &["--incremental", "FILE"], true),
        ("yices-smt2", &["--incremental"], false),
        ("yices-smt2", &["--incremental", "FILE"], true),
        ("bitwuzla", &[], false),
        ("bitwuzla", &["FILE"], true),
    ];
    let folder = Folder::new();
    install(&folder);
    let file = folder.file("script.smt2", SCRIPT).display().to_string();
    for (name, arguments, from_file) in calls {
        let arguments: Vec<String> = arguments.iter().map(|a| a.replace("FILE", &file)).collect();
        let input = if from_file { "" } else { SCRIPT };
        let bare = run(Command::new(find(name)).args(&arguments), input);
        for round in ["cold", "warm"] {
            let output = run(shim(&folder, name).args(&arguments), input);
            assert_eq!(stdout(&output), "sat\nunsat\n", "{name} {arguments:?}, {round}: {}", stderr(&output));
            assert_eq!(stdout(&output), stdout(&bare), "{name} {arguments:?}: {}", stderr(&bare));
            assert_eq!(output.status.code(), bare.status.code(), "{name} {arguments:?}");
        }
    }
    // One query, asked 28 times through four solvers: solved once.
    assert_eq!(starts(&folder), 1);
}

#[test]
fn versions_and_help_are_the_solvers_own() {
    let folder = Folder::new();
    install(&folder);
    let calls = [
        ("z3", "-version"),
        ("z3", "--version"),
        ("z3", "-h"),
        ("cvc5", "--version"),
        ("yices-smt2", "--version"),
        ("bitwuzla", "--version"),
        ("bitwuzla", "--help"),
    ];
    for (name, flag) in calls {
        let bare = run(Command::new(find(name)).arg(flag), "");
        for _ in 0..2 {
            let output = run(shim(&folder, name).arg(flag), "");
            assert_eq!(stdout(&output).trim_end(), stdout(&bare).trim_end(), "{name} {flag}");
            assert_eq!(output.status.code(), bare.status.code(), "{name} {flag}");
        }
    }
}

#[test]
fn what_is_no_script_goes_to_the_solver() {
    let folder = Folder::new();
    install(&folder);
    let dimacs = folder.file("f.cnf", "p cnf 1 2\n1 0\n-1 0\n").display().to_string();
    for arguments in
        [vec!["-dimacs", &dimacs], vec![&dimacs], vec![], vec!["/no/such/file.smt2"], vec!["-foo"]]
    {
        let bare = run(Command::new(find("z3")).args(&arguments), "");
        let output = run(shim(&folder, "z3").args(&arguments), "");
        assert_eq!(stdout(&output), stdout(&bare), "{arguments:?}");
        assert_eq!(output.status.code(), bare.status.code(), "{arguments:?}");
    }
}

#[test]
fn switched_off() {
    let folder = Folder::new();
    install(&folder);
    let output = run(shim(&folder, "z3").arg("-in").env("EVERGREEN_OFF", "1"), SCRIPT);
    assert_eq!(stdout(&output), "sat\nunsat\n");
    assert!(!folder.path("store").exists() && !folder.path("stats").exists(), "it did something");
}

#[test]
fn a_shim_never_calls_itself() {
    let folder = Folder::new();
    install(&folder);
    // Only the links on PATH, also through a second folder of links and by a copy's name.
    let more = folder.path("more");
    std::fs::create_dir_all(&more).expect("a folder");
    std::os::unix::fs::symlink(folder.path("shims").join("z3"), more.join("z3")).expect("a link to a link");
    // A copy under a solver's name.
    let program = std::fs::read(env!("CARGO_BIN_EXE_evergreen")).expect("the program");
    write_program(&more.join("cvc5"), &program);
    let path = std::env::join_paths([folder.path("shims"), more.clone()]).expect("a path");
    for name in ["z3", "cvc5"] {
        let output = run(shim(&folder, name).env("PATH", &path).arg("-in"), SCRIPT);
        assert_eq!(output.status.code(), Some(2), "{name}: {} {}", stdout(&output), stderr(&output));
        let version = run(shim(&folder, name).env("PATH", &path).arg("--version"), "");
        assert_eq!(version.status.code(), Some(2), "{name}: {}", stderr(&version));
        assert!(stderr(&version).contains("help:"), "{}", stderr(&version));
    }
    let mut copy = isolated(&more.join("cvc5"), &folder);
    copy.env("PATH", &path).env("EVERGREEN_NATIVE", "off").env("EVERGREEN_REUSE", "exact");
    let copy = run(copy.arg("--incremental"), SCRIPT);
    assert_eq!(copy.status.code(), Some(2), "{} {}", stdout(&copy), stderr(&copy));
}

#[test]
fn installing_replaces_nothing_by_surprise() {
    let folder = Folder::new();
    install(&folder);
    install(&folder);
    std::fs::remove_file(folder.path("shims").join("z3")).expect("a link");
    std::fs::write(folder.path("shims").join("z3"), "precious").expect("a file in the way");
    let output = run(evergreen(&folder).args(["shim", "install", &folder.text("shims")]), "");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("--force"), "{}", stderr(&output));
    assert_eq!(std::fs::read(folder.path("shims").join("z3")).expect("the file"), b"precious");
    let output = run(evergreen(&folder).args(["shim", "install", "--force", &folder.text("shims")]), "");
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(Path::new(&folder.path("shims").join("z3")).is_symlink());
}

#[test]
fn one_solver_in_the_place_of_another() {
    let folder = Folder::new();
    install(&folder);
    let yices = find("yices-smt2").display().to_string() + " --incremental";
    let output = run(shim(&folder, "z3").arg("-in").env("EVERGREEN_Z3", yices), SCRIPT);
    assert_eq!(stdout(&output), "sat\nunsat\n", "{}", stderr(&output));
}
