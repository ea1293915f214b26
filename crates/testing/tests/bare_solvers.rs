//! The corpus against the bare solvers: z3 and cvc5 give the expected verdicts, and agree where both decide.

use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use evergreen_testing::corpus::{Script, generated, on_disk};
use evergreen_testing::tools::{find, repository};

/// Far above what any script needs: a solver that takes longer is a finding.
const TIME_LIMIT_S: &str = "20";

#[test]
fn hand_written_scripts_have_the_stated_verdicts() {
    let scripts = on_disk(&repository().join("corpus"));
    each(&scripts, |script| {
        let expected = script.expected().unwrap_or_default();
        script
            .solvers
            .iter()
            .filter_map(|solver| {
                let output = run(solver, script);
                let found = verdicts(&output);
                (found != expected || (!script.has_errors() && is_error(&output)))
                    .then(|| format!("{}: {solver}: expected {expected:?}, got\n{output}", script.name))
            })
            .collect()
    });
}

#[test]
fn generated_scripts_are_decided_alike() {
    let scripts = generated(2012, 240);
    let undecided = AtomicUsize::new(0);
    let verdict_count = [const { AtomicUsize::new(0) }; 2];
    each(&scripts, |script| {
        let asked = script.text.matches("(check-sat").count();
        let mut problems = Vec::new();
        let mut seen: Option<Vec<String>> = None;
        for solver in script.solvers {
            let output = run(solver, script);
            let found: Vec<String> = verdicts(&output).iter().map(|verdict| verdict.to_string()).collect();
            if is_error(&output) || found.len() != asked {
                problems.push(format!("{}: {solver}: {output}\n{}", script.name, script.text));
                continue;
            }
            let count = |verdict: &str| found.iter().filter(|one| *one == verdict).count();
            undecided.fetch_add(count("unknown"), Ordering::Relaxed);
            verdict_count[0].fetch_add(count("sat"), Ordering::Relaxed);
            verdict_count[1].fetch_add(count("unsat"), Ordering::Relaxed);
            let differs =
                |(one, other): (&String, &String)| one != other && one != "unknown" && other != "unknown";
            if seen.as_ref().is_some_and(|seen| seen.iter().zip(&found).any(differs)) {
                problems.push(format!("{}: {seen:?} or {found:?}\n{}", script.name, script.text));
            }
            seen = Some(found);
        }
        problems
    });
    let [sat, unsat] = verdict_count.map(AtomicUsize::into_inner);
    let undecided = undecided.into_inner();
    println!("{sat} sat, {unsat} unsat, {undecided} unknown");
    assert!(sat > 200 && unsat > 200, "lopsided: {sat} sat, {unsat} unsat");
    assert!(undecided * 50 < sat + unsat, "{undecided} unknown beside {} decided", sat + unsat);
}

/// Runs `check` on every script, two at a time, and fails with all problems at once.
fn each(scripts: &[Script], check: impl Fn(&Script) -> Vec<String> + Sync) {
    let next = AtomicUsize::new(0);
    let problems = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(script) = scripts.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = check(script);
                    problems.lock().expect("a checker panicked").extend(found);
                }
            });
        }
    });
    let problems = problems.into_inner().expect("a checker panicked");
    assert!(problems.is_empty(), "{} problems\n{}", problems.len(), problems.join("\n\n"));
}

/// The output of the bare solver for the script.
fn run(solver: &str, script: &Script) -> String {
    let name =
        format!("evergreen-bare-{}-{}-{solver}.smt2", std::process::id(), script.name.replace('/', "-"));
    let file = std::env::temp_dir().join(name);
    std::fs::write(&file, &script.text).expect("a temporary file");
    let mut command = Command::new("timeout");
    command.arg(TIME_LIMIT_S).arg(find(solver));
    if solver == "cvc5" {
        command.arg("--incremental");
    }
    let output = command.arg(&file).output().expect("the solver starts");
    let _ = std::fs::remove_file(&file);
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn verdicts(output: &str) -> Vec<&str> {
    output.lines().filter(|line| matches!(*line, "sat" | "unsat" | "unknown")).collect()
}

fn is_error(output: &str) -> bool {
    output
        .lines()
        .any(|line| line.starts_with("(error") || line == "unsupported" || line.starts_with("WARNING"))
}
