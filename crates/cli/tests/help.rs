//! Help, completions and the manual page; `--color` and `--quiet`; names in any case.

use crate::common::{Folder, evergreen, run, stderr, stdout};

const ACCOUNT: &str =
    "public class Account { public static int f(int x) { assert x != 7; return x > 3 ? 1 : 2; } }";

#[test]
fn completions_and_manual_pages_are_printed() {
    let folder = Folder::new();
    for (shell, start) in
        [("bash", "_evergreen()"), ("zsh", "#compdef evergreen"), ("fish", "# Print an optspec")]
    {
        let output = run(evergreen(&folder).args(["completions", shell]), "");
        let script = stdout(&output);
        assert!(output.status.success() && script.starts_with(start), "{shell}: {script}");
        assert!(script.contains("no-shortcuts") && !script.contains("evergreen-lab"), "{shell}");
    }
    let page = stdout(&run(evergreen(&folder).arg("man"), ""));
    assert!(page.contains(".TH evergreen 1") && page.contains(".SH SETTINGS"), "{page}");
    let out = folder.text("man");
    assert!(run(evergreen(&folder).args(["man", "--out", &out]), "").status.success());
    let explore = std::fs::read_to_string(folder.path("man/evergreen-explore.1")).expect("a page");
    let about = "\\fB\\-\\-no\\-shortcuts\\fR\nAsk about every arm of every branch";
    assert!(explore.contains(about), "{explore}");
    assert!(folder.path("man/evergreen.1").is_file() && !folder.path("man/evergreen-study.1").exists());
}

/// Every task and verb that help names has help of its own, short and long.
#[test]
fn every_command_has_help() {
    let folder = Folder::new();
    let mut open: Vec<Vec<String>> = vec![Vec::new()];
    let mut seen = 0;
    while let Some(path) = open.pop() {
        for flag in ["-h", "--help"] {
            let output = run(evergreen(&folder).args(&path).arg(flag), "");
            assert!(output.status.success(), "{path:?} {flag}: {}", stderr(&output));
        }
        let help = stdout(&run(evergreen(&folder).args(&path).arg("-h"), ""));
        let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
        for line in commands.take_while(|line| !line.is_empty()) {
            let name = line.split_whitespace().next().unwrap_or_default();
            if name != "help" && line.starts_with("  ") && !line.starts_with("   ") {
                open.push(path.iter().cloned().chain([name.to_string()]).collect());
            }
        }
        seen += 1;
    }
    assert!(seen > 15, "{seen} commands");
}

#[test]
fn output_is_coloured_when_that_is_asked_for() {
    let folder = Folder::new();
    let source = folder.file("Account.java", ACCOUNT).display().to_string();
    let explore = |color: &[&str]| {
        let mut command = evergreen(&folder);
        command.env("NO_COLOR", "1").args(["explore", &source, "--no-replay"]).args(color);
        let output = run(&mut command, "");
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        stdout(&output)
    };
    let plain = explore(&[]);
    assert!(plain.contains("  FOUND java.lang.AssertionError") && !plain.contains('\u{1b}'), "{plain}");
    assert!(!explore(&["--color", "never"]).contains('\u{1b}'));
    assert!(!explore(&["--color=AUTO"]).contains('\u{1b}'), "a pipe is not coloured");
    let colored = explore(&["--color", "always"]);
    assert!(colored.contains("\u{1b}[1;31m  FOUND\u{1b}[0m java.lang.AssertionError"), "{colored}");
    assert!(!colored.contains("again   evergreen explore") || !colored.contains("--color"), "{colored}");
    // Help and errors are coloured, too.
    for (color, is_colored) in [("always", true), ("never", false)] {
        let help = stdout(&run(evergreen(&folder).args(["--color", color, "solve", "-h"]), ""));
        assert_eq!(help.contains("\u{1b}["), is_colored, "{help}");
        let missing = stderr(&run(evergreen(&folder).args(["solve", "no.smt2", "--color", color]), ""));
        assert_eq!(missing.contains("\u{1b}["), is_colored, "{missing}");
    }
}

#[test]
fn quiet_runs_print_results_and_warnings() {
    let folder = Folder::new();
    let source = folder.file("Account.java", ACCOUNT).display().to_string();
    let explore = |more: &[&str]| {
        let args = [&["explore", &source, "--no-replay"], more].concat();
        stdout(&run(evergreen(&folder).args(args), ""))
    };
    let (loud, quiet) = (explore(&[]), explore(&["-q"]));
    let lines: Vec<&str> = quiet.lines().collect();
    assert!(lines[0].starts_with("  FOUND java.lang.AssertionError"), "{quiet}");
    assert!(lines.last().is_some_and(|last| last.starts_with("1 finding on 3 paths of 1 method")), "{quiet}");
    assert!(loud.contains(" arms at branches: ") && !quiet.contains(" arms at branches: "), "{quiet}");
    assert!(loud.contains("Account.f(int)\n") && !quiet.contains("Account.f(int)\n"), "{quiet}");
    // A verdict is a result; the summary that a flag asks for is not printed, a warning is.
    let script = "(declare-const x Int)(assert (> x 2))(check-sat)";
    let nowhere = ["solve", "--summary", "--store", "redis://127.0.0.1:1", "--quiet"];
    let output = run(evergreen(&folder).args(nowhere), script);
    assert_eq!(stdout(&output), "sat\n");
    assert!(stderr(&output).contains("redis://127.0.0.1:1"), "{}", stderr(&output));
    assert!(!stderr(&output).contains("1 query: "), "{}", stderr(&output));
    let output = run(evergreen(&folder).args(["solve", "--summary"]), script);
    let words = stderr(&output);
    let expected = ": 1 query: 0 answered without a solver, 1 solved, 0 unknown; 1 part, 1 solver call, \
                    1 solver process; ";
    assert!(words.contains(expected) && words.contains(" 0 hits in 1 try, "), "{words}");
}

/// `NONE` once opened a store that `none` did not.
#[test]
fn names_mean_the_same_in_any_case_and_any_place() {
    let script = "(declare-const x Int)(assert (> x 2))(check-sat)";
    for (at, name) in [("flag", "None"), ("environment", "NONE"), ("file", "nOnE")] {
        let folder = Folder::new();
        let mut command = evergreen(&folder);
        command.env_remove("EVERGREEN_REUSE").arg("solve");
        match at {
            "flag" => command.args(["--reuse", name]),
            "environment" => command.env("EVERGREEN_REUSE", name),
            _ => command.env("EVERGREEN_CONFIG", folder.file("config.toml", format!("reuse = \"{name}\""))),
        };
        let output = run(&mut command, script);
        assert_eq!(stdout(&output), "sat\n", "{at}: {}", stderr(&output));
        assert!(!folder.path("store").exists(), "{at}: a store was opened");
    }
}

#[test]
fn a_name_that_is_none_is_refused_wherever_it_stands() {
    let folder = Folder::new();
    let words = "\"some\" is not one of none, exact, subset, logical, full";
    let file = folder.file("config.toml", "reuse = \"some\"");
    let flag = run(evergreen(&folder).args(["solve", "--reuse", "some"]), "");
    let variable = run(evergreen(&folder).env("EVERGREEN_REUSE", "some").arg("solve"), "");
    let configured =
        run(evergreen(&folder).env_remove("EVERGREEN_REUSE").env("EVERGREEN_CONFIG", &file).arg("solve"), "");
    for (place, output) in [("--reuse: ", flag), ("EVERGREEN_REUSE: ", variable), ("config.toml", configured)]
    {
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(place) && said.contains(words), "{said}");
    }
}
