//! One exploration of a C program, measured, with what is known before it.

use crate::papers::technique::empty_store;
use evergreen::store::Store;
use evergreen::{AnsweredBy, Evergreen, Reuse, Rung, Stage, Stats};
use evergreen_c::{Argument, CFrontend, CProgram, Case, Given, Inputs, OldTests, Opened};
use evergreen_java::{Bounds, Decision, Detail, Maker, Old, Options, answered};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Instant;

/// Instructions of a path, so that each ends.
const STEPS: u64 = 5_000_000;

/// Tests, with the way that each took.
#[derive(Clone, Default)]
pub(super) struct Tests {
    cases: Vec<Case>,
    decisions: Vec<Vec<Decision>>,
}

/// What is known when an exploration begins.
pub(super) struct Known<'k> {
    /// Answers.
    pub store: Arc<dyn Store>,
    /// Tests of an older version.
    pub tests: Option<&'k Tests>,
    /// What is trusted of it.
    pub old: Old,
}

impl Known<'_> {
    /// Nothing.
    pub(super) fn nothing() -> Known<'static> {
        Known { store: empty_store(), tests: None, old: Old::TrustNothing }
    }
}

/// What an exploration cost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Measured {
    /// Paths.
    pub paths: u64,
    /// Arms that were asked about.
    pub asked: u64,
    /// Queries that were solved, for arms and for inputs of tests: neither tests nor earlier answers
    /// sufficed.
    pub calls: u64,
    /// Seconds of solving.
    pub solver_seconds: f64,
    /// All seconds.
    pub seconds: f64,
    /// Arms that the paper's rule left out unasked.
    pub trusted: u64,
    /// Arms that could not be decided.
    pub undecided: u64,
    /// Paths with an old test.
    pub kept: u64,
    /// Whether paths are left: a bound cut something, or a path met something that cannot be followed.
    pub is_partial: bool,
}

impl Measured {
    /// Adds another one.
    pub(super) fn add(&mut self, other: &Measured) {
        self.paths += other.paths;
        self.asked += other.asked;
        self.calls += other.calls;
        self.solver_seconds += other.solver_seconds;
        self.seconds += other.seconds;
        self.trusted += other.trusted;
        self.undecided += other.undecided;
        self.kept += other.kept;
        self.is_partial |= other.is_partial;
    }
}

/// What a program is given, as flags of `explore`.
///
/// # Errors
/// A flag is none of these.
pub(super) fn inputs(words: &[String]) -> Result<Inputs, String> {
    let mut inputs = Inputs::default();
    let mut words = words.iter();
    while let Some(flag) = words.next() {
        let mut text = || words.next().ok_or_else(|| format!("nothing behind {flag}"));
        let number = |text: &String| text.parse::<u32>().map_err(|e| format!("{flag} {text}: {e}"));
        match flag.as_str() {
            "--arg" => inputs.args.push(Argument::One(Given::Fixed(text()?.clone().into_bytes()))),
            "--sym-arg" => inputs.args.push(Argument::One(Given::Symbolic(number(text()?)?))),
            "--sym-args" => {
                let (min, max, length) = (number(text()?)?, number(text()?)?, number(text()?)?);
                inputs.args.push(Argument::Several { min, max, length });
            }
            "--sym-stdin" => inputs.stdin = Some(Given::Symbolic(number(text()?)?)),
            "--sym-file" => {
                let file = text()?;
                let (name, length) =
                    file.split_once(':').ok_or_else(|| format!("{flag} {file}: no length"))?;
                inputs.files.push((name.to_string(), Given::Symbolic(number(&length.to_string())?)));
            }
            _ => return Err(format!("{flag}: no flag of a plan for this figure")),
        }
    }
    Ok(inputs)
}

/// KLEE's caches over a store; our core for bit vectors solves the rest, with bounds that do not depend on
/// time.
fn maker(store: Arc<dyn Store>) -> Maker {
    Box::new(move || {
        Evergreen::builder().with_store(store.clone()).reuse(Reuse::Subset).regulate(false).build()
    })
}

/// Seconds of what decides.
fn solving(stats: &Stats) -> f64 {
    let deciding = Rung::ALL.iter().zip(&stats.rungs).filter(|(rung, _)| rung.decides());
    let process = Stage::ALL.iter().zip(&stats.stages).filter(|(stage, _)| **stage == Stage::Solve);
    let seconds = deciding.map(|(_, rung)| rung.time).chain(process.map(|(_, time)| *time));
    seconds.map(|time| time.as_secs_f64()).sum()
}

/// Explores a program, at most so many paths of it.
///
/// # Errors
/// The module cannot be run, or a store or the solver failed.
pub(super) fn explore(
    opened: &Opened,
    inputs: &Inputs,
    most: u64,
    known: Known<'_>,
) -> Result<(Measured, Tests), String> {
    let program = CProgram::reopen(opened).map_err(|e| e.to_string())?;
    let entry = program.entry();
    let make = maker(known.store);
    let start = Instant::now();
    let mut exploration = CFrontend::explore(program, evergreen_c::Options::default(), make);
    let bounds = Bounds { paths: Some(most), steps: Some(STEPS), ..Bounds::default() };
    let options = Options { bounds, ..Options::default() };
    let Tests { cases, decisions } = known.tests.cloned().unwrap_or_default();
    let old = OldTests { tests: cases, paths: decisions, old: known.old, ..OldTests::default() };
    let run = exploration.seeded(&entry, inputs, options, old).map_err(|e| e.to_string())?;
    let mut run = run.without_shrinking().telling(Detail::Brief);
    let (mut tests, mut kept) = (Tests::default(), 0);
    while let Some(end) = run.next_path() {
        kept += u64::from(!end.seeds.is_empty());
        if let Some(case) = end.case {
            tests.cases.push(case);
            tests.decisions.push(end.decisions);
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    let (summary, tally, stats) = (run.summary(), run.tally(), run.oracle().stats());
    // What the rule leaves out on trust is what the figure asks for.
    let left = summary.cut.total() + summary.undecided + summary.sampled + summary.stuck;
    let lost = tally.unsupported + tally.doubtful + tally.disagrees + tally.cut.values().sum::<u64>();
    let paths = tally.paths;
    let trouble = run.oracle().trouble();
    if let Some(odd) = trouble.error.iter().chain(&trouble.wrong_models).next() {
        return Err(odd.clone());
    }
    let asked = answered(&summary);
    let afresh = |rung: &Rung| asked.by(AnsweredBy::Rung(*rung));
    let arms: u64 = Rung::ALL.iter().filter(|rung| rung.decides()).map(afresh).sum();
    let inputs = stats.settling.native + stats.settling.solver;
    let measured = Measured {
        paths,
        asked: summary.asked(),
        calls: arms + stats.solved + inputs,
        solver_seconds: solving(&stats),
        seconds,
        trusted: summary.trusted,
        undecided: summary.undecided,
        kept,
        is_partial: left + lost > 0,
    };
    Ok((measured, tests))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_of_a_plan_are_inputs() {
        let words = |text: &str| crate::plan::split(text).expect("words");
        let given =
            inputs(&words("--arg A --sym-arg 2 --sym-args 0 1 3 --sym-stdin 4 --sym-file A:5")).unwrap();
        assert_eq!(given.args.len(), 3);
        assert_eq!(given.args[2], Argument::Several { min: 0, max: 1, length: 3 });
        assert_eq!(given.stdin, Some(Given::Symbolic(4)));
        assert_eq!(given.files, [("A".to_string(), Given::Symbolic(5))]);
        assert_eq!(inputs(&words("--depth 3")).unwrap_err(), "--depth: no flag of a plan for this figure");
        assert_eq!(inputs(&words("--arg")).unwrap_err(), "nothing behind --arg");
    }
}
