//! Experiments are tasks of `evergreen-lab`: the command names the other program, with the arguments that it
//! was given.

use crate::common::{Folder, evergreen, run, stderr, stdout};

#[test]
fn experiments_name_the_laboratory() {
    let folder = Folder::new();
    for (args, line) in [
        (&["study", "bliss", "--scope", "3"][..], "evergreen-lab study bliss --scope 3"),
        (&["bench", "reuse", "--json"], "evergreen-lab bench reuse --json"),
        (&["bench"], "evergreen-lab bench"),
        (&["mutate", "a b.java", "--help"], "evergreen-lab mutate 'a b.java' --help"),
    ] {
        let output = run(evergreen(&folder).args(args), "");
        assert_eq!((output.status.code(), stdout(&output)), (Some(2), String::new()), "{args:?}");
        let said = stderr(&output);
        assert!(said.contains(&format!("program evergreen-lab\nhelp: {line}\n")), "{said}");
    }
    let help = stdout(&run(evergreen(&folder).arg("--help"), ""));
    let is_listed = |task: &str| help.lines().any(|line| line.trim_start().starts_with(task));
    assert!(is_listed("explore") && is_listed("solve"), "{help}");
    assert!(!["study", "bench", "mutate"].into_iter().any(is_listed), "{help}");
}
