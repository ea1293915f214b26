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
        // There is no solver then, and what is built in is turned off here. The copy says so itself.
        let output = run(shim(&folder, name).env("PATH", &path).arg("-in"), SCRIPT);
        let says = stderr(&output).contains("there is no solver program");
        assert!(says || name == "cvc5", "{name}: {}", stderr(&output));
        assert_eq!(stdout(&output), "unknown\nunknown\n", "{name}: {}", stderr(&output));
        let version = run(shim(&folder, name).env("PATH", &path).arg("--version"), "");
        assert_eq!(version.status.code(), Some(2), "{name}: {}", stderr(&version));
        assert!(stderr(&version).contains("help:"), "{}", stderr(&version));
    }
    let mut copy = isolated(&more.join("cvc5"), &folder);
    copy.env("PATH", &path).env("EVERGREEN_NATIVE", "off").env("EVERGREEN_REUSE", "exact");
    let copy = run(copy.arg("--incremental"), SCRIPT);
    assert_eq!(stdout(&copy), "unknown\nunknown\n", "{}", stderr(&copy));
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

/// The client gets `unknown`; why, and that something is missing, is told by a line and the exit code.
#[test]
fn a_solver_that_ends_in_place_of_answering() {
    let folder = Folder::new();
    install(&folder);
    let script = "(declare-const x Real)(assert (= (* x x x) 2.0))(check-sat)(check-sat)";
    for name in ["z3", "cvc5", "yices-smt2", "bitwuzla"] {
        for (ending, code) in [("exit 0", 1), ("exit 7", 7), ("kill -SEGV $$", 1)] {
            let dying = folder.program("dying", &format!("#!/bin/sh\n{ending}\n"));
            let variable = format!("EVERGREEN_{}", name.replace('-', "_").to_uppercase());
            let mut shim = shim(&folder, name);
            shim.env(&variable, dying).env("EVERGREEN_STORE", "memory:");
            let output = run(&mut shim, script);
            let (printed, told) = (stdout(&output), stderr(&output));
            assert_eq!(output.status.code(), Some(code), "{name}, {ending}: {printed}{told}");
            assert_eq!(printed.matches("unknown").count(), 2, "{name}, {ending}: {printed}{told}");
            assert!(told.starts_with("evergreen: "), "{name}, {ending}: {told}");
        }
    }
}

/// A link that is killed after a few seconds, and with it everything that it has started.
fn bounded_shim(folder: &Folder, name: &str) -> Command {
    let shim = shim(folder, name);
    let mut command = Command::new("/usr/bin/timeout");
    command.args(["-s", "KILL", "5"]).arg(shim.get_program());
    command.env_clear().envs(shim.get_envs().filter_map(|(k, v)| Some((k, v?))));
    command
}

/// Each process would start the next one. The first that is about to do it again says what is wrong instead.
#[test]
fn a_solver_that_leads_back_to_the_shim() {
    let folder = Folder::new();
    install(&folder);
    let shims = folder.text("shims");
    let check = |command: &mut Command, said: &[&str]| {
        let output = run(command.arg("-in"), SCRIPT);
        let printed = format!("{}{}", stdout(&output), stderr(&output));
        assert_eq!(output.status.code(), Some(2), "{printed}");
        assert!(said.iter().all(|text| stdout(&output).contains(text)), "{printed}");
        assert!(stdout(&output).starts_with("(error \""), "{printed}");
        assert_eq!(stdout(&output).lines().count(), 1, "{printed}");
    };
    // A variable that names the link itself, or a setting.
    let own = format!("{shims}/z3");
    check(
        bounded_shim(&folder, "z3").env("EVERGREEN_Z3", &own),
        &[
            "EVERGREEN_Z3",
            &own,
            "is the stand-in for z3",
            "set EVERGREEN_Z3 to the path of the real z3",
            "unset it",
        ],
    );
    check(bounded_shim(&folder, "z3").env("EVERGREEN_SOLVER", &own), &["EVERGREEN_SOLVER", &own]);
    // Asking for a version is no way around it.
    let version = run(bounded_shim(&folder, "z3").env("EVERGREEN_Z3", &own).arg("-version"), "");
    assert_eq!(version.status.code(), Some(2), "{}", stderr(&version));
    assert!(stderr(&version).contains("help: set EVERGREEN_Z3"), "{}", stderr(&version));
    // A script on PATH that runs the link, with the same arguments or with more of them.
    let wrappers = folder.path("wrappers");
    std::fs::create_dir_all(&wrappers).expect("a folder");
    let wrapper = wrappers.join("z3");
    let real = find("z3").parent().expect("a folder").to_path_buf();
    let path = [folder.path("shims"), wrappers.clone(), real, "/usr/bin".into(), "/bin".into()];
    let path = std::env::join_paths(path).expect("a path");
    for body in [format!("exec {own} \"$@\""), format!("{own} -T:9 \"$@\""), "exec z3 \"$@\"".to_string()] {
        write_program(&wrapper, format!("#!/bin/sh\n{body}\n").as_bytes());
        let named = wrapper.display().to_string();
        let said = ["PATH", &named, "runs the stand-in", "set EVERGREEN_Z3", "off PATH"];
        check(bounded_shim(&folder, "z3").env("PATH", &path).env_remove("EVERGREEN_TOOLS"), &said);
    }
    // A script of another name, whose arguments grow.
    let other = wrappers.join("solver.sh");
    write_program(&other, format!("#!/bin/sh\n{own} -T:9 \"$@\"\n").as_bytes());
    let said = ["EVERGREEN_Z3", "runs the stand-in"];
    check(bounded_shim(&folder, "z3").env("EVERGREEN_Z3", &other), &said);
    let said = ["EVERGREEN_Z3", "too many nested solvers"];
    check(bounded_shim(&folder, "z3").env("EVERGREEN_Z3", &other).arg("-T:8"), &said);
    // The command itself, in the place of its solver.
    let solve = run(evergreen(&folder).args(["solve", "--store", "memory:", "--solver", &own]), SCRIPT);
    assert_eq!(solve.status.code(), Some(2), "{}", stdout(&solve));
    assert!(stdout(&solve).contains("is Evergreen itself"), "{}", stdout(&solve));
    // No value that is tried takes the first arm, since no square ends in these bits.
    let source =
        folder.file("A.java", "public class A { public static int f(int x) { return x * x == 3 ? 1 : 2; } }");
    let explore = run(evergreen(&folder).arg("explore").arg(source).args(["--solver", &own]), "");
    assert!(stdout(&explore).contains("is Evergreen itself"), "{}", stdout(&explore));
    assert!(stdout(&explore).contains("not all paths explored"), "{}", stdout(&explore));
}

/// Stand-ins inside of a solver that is a script, and a wrapper that says which solver is the real one, are
/// no circles.
#[test]
fn nesting_that_makes_progress() {
    let folder = Folder::new();
    install(&folder);
    let shims = folder.text("shims");
    let real = find("z3").display().to_string();
    let portfolio = folder.path("portfolio.sh");
    write_program(&portfolio, format!("#!/bin/sh\nexec {shims}/z3 -in -smt2\n").as_bytes());
    let solve = |solver: &Path| {
        let mut command = shim(&folder, "z3");
        command.env("EVERGREEN_SOLVER", solver);
        let mut solve = evergreen(&folder);
        solve.envs(command.get_envs().filter_map(|(k, v)| Some((k, v?))));
        run(solve.args(["solve", "--store", "memory:", "--reuse", "none"]), SCRIPT)
    };
    let output = solve(&portfolio);
    assert_eq!(stdout(&output), "sat\nunsat\n", "{}", stderr(&output));
    let wrapper = folder.path("wrapped.sh");
    write_program(&wrapper, format!("#!/bin/sh\nEVERGREEN_Z3={real} exec {shims}/z3 \"$@\"\n").as_bytes());
    let output = run(shim(&folder, "z3").env("EVERGREEN_Z3", &wrapper).arg("-in"), SCRIPT);
    assert_eq!(stdout(&output), "sat\nunsat\n", "{}", stderr(&output));
    // A client of a shim that starts shims: each is the first of its own.
    let client = folder.path("client.sh");
    write_program(
        &client,
        format!("#!/bin/sh\n{shims}/z3 -in < $1; {shims}/cvc5 --incremental $1\n").as_bytes(),
    );
    let file = folder.file("script.smt2", SCRIPT);
    let mut command = shim(&folder, "z3");
    let envs: Vec<_> = command.get_envs().filter_map(|(k, v)| Some((k.to_owned(), v?.to_owned()))).collect();
    command = Command::new(&client);
    let output = run(command.env_clear().envs(envs).arg(&file), "");
    assert_eq!(stdout(&output), "sat\nunsat\nsat\nunsat\n", "{}", stderr(&output));
}

/// cvc5 1.0 fails in the second check after it was asked for a model in the first. The client has not asked,
/// so it gets both verdicts; a model is kept with neither from then on.
#[test]
fn a_model_that_the_client_did_not_ask_for_costs_no_verdict() {
    let script = "(set-logic QF_ABV)\
        (declare-const buf (Array (_ BitVec 32) (_ BitVec 8)))(declare-const out (Array (_ BitVec 32) (_ \
        BitVec 8)))\n\
        (assert (bvult (concat (select out #x00000000) (select buf #x00000000)) #x0300))\n(check-sat)\n\
        (assert (= buf out))\n(check-sat)\n(push 1)(assert (distinct buf out))(check-sat)(pop \
        1)(check-sat)\n";
    let folder = Folder::new();
    for reuse in ["none", "exact", "full"] {
        let mut command = evergreen(&folder);
        let command = command.env("EVERGREEN_REUSE", reuse).args(["solve", "--solver"]).arg(find("cvc5"));
        let output = run(command, script);
        assert_eq!(stdout(&output), "sat\nsat\nunsat\nsat\n", "{reuse}: {}", stderr(&output));
    }
}
