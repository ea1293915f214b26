//! Solvers that misbehave: each ends in a typed error in bounded time, and leaves no process behind.

use std::time::Duration;

use crate::common::{Fake, eventually, exists, group_members};
use evergreen_solver::{
    Command, Limits, Mode, Outcome, PipeSolver, Problem, Process, Solver, SolverError, Verdict,
};

/// A stand-in that answers echoes, then runs `on_check` for a check.
fn answering(on_check: &str) -> Fake {
    Fake::new(&format!(
        "while read -r line; do case \"$line\" in \
         *check-sat*) {on_check} ;; \
         *echo*) line=${{line#*\\\"}}; echo \"${{line%%\\\"*}}\" ;; esac; done"
    ))
}

/// For solvers that never answer.
const SHORT: Duration = Duration::from_millis(300);
/// For solvers that answer or die, on a busy machine.
const LONG: Duration = Duration::from_secs(60);

/// Asks a process for one verdict; afterwards nothing of it is left.
fn ask(command: &Command, limit: Duration) -> Result<String, SolverError> {
    let mut process = Process::start(command, Mode::Interactive, &Limits::default())?;
    let pid = process.pid();
    let answer = process.ask("(check-sat)", Some(limit));
    if answer.is_err() {
        assert!(eventually(|| group_members(pid).is_empty()), "left behind: {:?}", group_members(pid));
        let again = process.ask("(check-sat)", None);
        assert!(matches!(again, Err(SolverError::Died(_))), "{again:?}");
    }
    drop(process);
    assert!(!exists(pid), "a zombie is left");
    assert!(eventually(|| group_members(pid).is_empty()), "left behind: {:?}", group_members(pid));
    answer
}

fn check(fake: &Fake, limits: Limits) -> Result<Outcome, SolverError> {
    let problem = Problem { constraints: vec!["true".into()], ..Problem::default() };
    PipeSolver::new(fake.command.clone(), limits).check(&problem)
}

#[test]
fn a_well_behaved_stand_in_is_understood() {
    let fake = answering("echo unsat");
    assert_eq!(ask(&fake.command, LONG).expect("an answer"), "unsat\n");
    assert_eq!(check(&fake, Limits::default()).expect("an outcome").verdict, Verdict::Unsat);
}

#[test]
fn garbage_is_no_verdict() {
    for garbage in [
        "echo maybe",
        "echo sat; echo sat",
        "echo; echo",
        "echo Sat",
        "printf '\\377\\000(((\\n'",
        "printf sa",
    ] {
        let answer = check(&answering(garbage), Limits::default());
        assert!(matches!(answer, Err(SolverError::Garbage { .. })), "{garbage}: {answer:?}");
    }
}

#[test]
fn an_error_around_a_verdict_voids_it() {
    for reply in ["echo '(error \"no\")'; echo sat", "echo sat; echo '(error \"no\")'"] {
        let answer = check(&answering(reply), Limits::default());
        assert!(matches!(&answer, Err(SolverError::Refused { message }) if message == "no"), "{answer:?}");
    }
}

#[test]
fn death_comes_with_status_output_and_complaints() {
    let fake = answering("echo 'sa'; echo 'assertion failed' >&2; exit 3");
    let Err(SolverError::Died(death)) = ask(&fake.command, LONG) else { panic!("expected a death") };
    assert_eq!(death.status.and_then(|status| status.code()), Some(3));
    assert_eq!((death.output.as_str(), death.stderr.as_str()), ("sa\n", "assertion failed\n"));
    assert_eq!(death.last_command, "(check-sat)");
}

#[test]
fn death_at_the_start_is_a_death() {
    for script in ["exit 1", "kill -SEGV $$", "echo sat"] {
        let answer = ask(&Fake::new(script).command, LONG);
        assert!(matches!(answer, Err(SolverError::Died(_))), "{script}: {answer:?}");
    }
    // An unrequested verdict followed by the end of the process is no verdict either.
    let answer = check(&Fake::new("echo sat; exit 0"), Limits::default());
    assert!(matches!(answer, Err(SolverError::Died(_))), "{answer:?}");
}

#[test]
fn a_verdict_before_death_is_not_taken() {
    let answer = check(&answering("echo unsat; exit 0"), Limits::default());
    assert!(matches!(answer, Err(SolverError::Died(_))), "{answer:?}");
}

#[test]
fn a_program_that_cannot_be_started_says_so() {
    let missing = ask(&Command::new("/nonexistent/z3"), LONG);
    assert!(matches!(missing, Err(SolverError::Start { .. })), "{missing:?}");
}

#[test]
fn hanging_ends_at_the_limit() {
    let deaf_to_signals = "trap '' TERM INT HUP; while :; do sleep 1000; done";
    let with_child = "sleep 1000 & wait";
    let half_an_answer = "printf sa; sleep 1000";
    let closed_input = "exec 0<&-; sleep 1000";
    for script in ["sleep 1000", deaf_to_signals, with_child, half_an_answer, closed_input] {
        let answer = ask(&Fake::new(script).command, SHORT);
        assert!(
            matches!(answer, Err(SolverError::TimedOut { .. } | SolverError::Died(_))),
            "{script}: {answer:?}"
        );
    }
    let outcome = check(&answering("sleep 1000"), Limits { time_ms: Some(100), memory_mb: None });
    assert_eq!(outcome.expect("a limit is no error").verdict, Verdict::Unknown("timeout".into()));
}

#[test]
fn without_a_limit_a_lost_solver_is_still_noticed() {
    let closed_output = "exec 1>&-; sleep 1000";
    let closed_input = "exec 0<&-; sleep 1000";
    let child_holds_the_pipe = "sleep 1000 & exit 0";
    for script in [closed_output, closed_input, child_holds_the_pipe] {
        let fake = Fake::new(script);
        let mut process =
            Process::start(&fake.command, Mode::Interactive, &Limits::default()).expect("start");
        let pid = process.pid();
        // More than the pipe holds, so that closing the input is noticed.
        let text = format!("(echo \"{}\")", "x".repeat(1_000_000));
        let answer = process.ask(&text, None);
        assert!(matches!(answer, Err(SolverError::Died(_))), "{script}: {answer:?}");
        assert!(eventually(|| group_members(pid).is_empty()));
    }
}

#[test]
fn the_death_of_a_wrapper_is_noticed_though_its_child_holds_the_pipes() {
    let fake = Fake::new("exec 3<&0; sleep 1000 <&3 & exit 7");
    let mut process = Process::start(&fake.command, Mode::Interactive, &Limits::default()).expect("start");
    let Err(SolverError::Died(death)) = process.ask("(check-sat)", None) else { panic!("expected a death") };
    assert_eq!(death.status.and_then(|status| status.code()), Some(7));
    assert!(eventually(|| group_members(process.pid()).is_empty()));
}

#[test]
fn floods_are_cut_off() {
    for flood in ["yes", "yes '' | tr -d '\\n'", "yes | tr -d '\\n'", "cat /dev/zero"] {
        let answer = ask(&Fake::new(flood).command, SHORT);
        assert!(
            matches!(answer, Err(SolverError::TimedOut { .. } | SolverError::TooMuchOutput { .. })),
            "{flood}: {answer:?}"
        );
    }
    let fake = Fake::new("cat /dev/zero");
    let mut process = Process::start(&fake.command, Mode::AsGiven, &Limits::default()).expect("start");
    let answer = process.ask("(check-sat)", None);
    assert!(matches!(answer, Err(SolverError::TooMuchOutput { .. })), "{answer:?}");
}

#[test]
fn complaints_do_not_stop_the_answer() {
    let fake = answering("yes complaint | head -c 3000000 >&2; echo sat");
    assert_eq!(ask(&fake.command, LONG).expect("an answer"), "sat\n");
    let endless = answering("(yes complaint >&2) & echo sat");
    assert_eq!(ask(&endless.command, LONG).expect("an answer"), "sat\n");
}

#[test]
fn finish_is_bounded_too() {
    for script in ["trap '' TERM; exec 0<&-; while :; do sleep 1000; done", "yes"] {
        let fake = Fake::new(script);
        let process = Process::start(&fake.command, Mode::AsGiven, &Limits::default()).expect("start");
        let pid = process.pid();
        assert_eq!(process.finish(), None, "{script}");
        assert!(eventually(|| group_members(pid).is_empty()));
    }
}

#[test]
fn a_dead_process_is_replaced_and_the_problem_answered() {
    // Dies at its third check, as often as it is started.
    let fake = answering("n=$((n+1)); [ $n = 3 ] && exit 1; echo sat");
    let mut solver = PipeSolver::new(fake.command.clone(), Limits::default());
    let problem = Problem { constraints: vec!["true".into()], ..Problem::default() };
    for _ in 0..6 {
        assert_eq!(solver.check(&problem).expect("an answer").verdict, Verdict::Sat);
    }
    assert_eq!(solver.starts(), 3);
}

#[test]
fn a_late_complaint_voids_the_next_verdict_of_that_process_only() {
    // After the first pop it prints an error: the second verdict must come from a fresh process.
    let fake = Fake::new(
        "while read -r line; do case \"$line\" in \
         *pop*) echo '(error \"cannot pop\")' ;; \
         *check-sat*) echo sat ;; \
         *echo*) line=${line#*\\\"}; echo \"${line%%\\\"*}\" ;; esac; done",
    );
    let mut solver = PipeSolver::new(fake.command.clone(), Limits::default());
    let problem = Problem { constraints: vec!["true".into()], ..Problem::default() };
    for start in 1..=3 {
        assert_eq!(solver.check(&problem).expect("an answer").verdict, Verdict::Sat);
        assert_eq!(solver.starts(), start);
    }
}
