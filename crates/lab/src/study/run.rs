//! `evergreen-lab study streams`: every technique over the same streams, each alone, and whether they agree.

use super::baseline::{Baseline, Stack};
use super::caching::{Caching, CachingOpt};
use super::ladder::{Ladder, Rungs};
use super::replay::{Replay, replay};
use super::report;
use super::stack_opt::StackOpt;
use super::stream::Stream;
use super::technique::{Technique, Verdict};
use crate::flags::{OnOff, StreamsStudy, TechniqueName};
use evergreen::solver::Command;
use evergreen::{Reuse, Technique as Strict};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// What one technique did with one stream.
pub(super) struct Run {
    /// Which technique.
    pub technique: TechniqueName,
    /// With which solver.
    pub solver: String,
    /// What happened.
    pub replay: Replay,
}

impl Run {
    fn who(&self) -> String {
        format!("{} with {}", self.technique.name(), self.solver)
    }
}

/// All techniques on one stream, in the order in which they were run.
pub(super) struct Outcome {
    /// The stream.
    pub name: String,
    /// The techniques.
    pub runs: Vec<Run>,
}

impl Outcome {
    /// How many queries have this verdict.
    pub(super) fn count(&self, verdict: Verdict) -> usize {
        let first = self.runs.first().map_or(&[][..], |r| &r.replay.verdicts);
        first.iter().filter(|v| **v == verdict).count()
    }
}

/// Runs, prints, and fails when verdicts differ, a model does not hold or a richer ladder asks a solver more
/// often.
pub(super) fn run(flags: &StreamsStudy) -> Result<ExitCode, String> {
    let solvers: Vec<Command> = flags
        .solvers
        .iter()
        .map(|text| Command::parse(text).map_err(|e| e.to_string()))
        .collect::<Result<_, _>>()?;
    let techniques: &[TechniqueName] =
        if flags.techniques.is_empty() { &TechniqueName::ALL } else { &flags.techniques };
    let mut outcomes = Vec::new();
    let mut faults = Vec::new();
    let mut progress = Progress { since: Instant::now() };
    for file in &flags.files {
        let stream = Stream::read(file, flags.first)?;
        let mut outcome = Outcome { name: stream.name.clone(), runs: Vec::new() };
        for command in &solvers {
            for &technique in techniques {
                let run = run_one(technique, command, flags, &stream, &mut progress)?;
                faults.extend(disagreements(&outcome, &run));
                outcome.runs.push(run);
            }
        }
        faults.extend(orders(&outcome));
        outcomes.push(outcome);
    }
    report::print(flags, &outcomes, &faults)?;
    Ok(ExitCode::from(u8::from(!faults.is_empty())))
}

/// One technique with one solver over one stream, as often as the flags say.
fn run_one(
    technique: TechniqueName,
    command: &Command,
    flags: &StreamsStudy,
    stream: &Stream,
    progress: &mut Progress,
) -> Result<Run, String> {
    let name = command.program.file_name();
    let solver = name.map_or_else(|| command.to_string(), |n| n.to_string_lossy().into_owned());
    let who = format!("{} {} with {solver}", stream.name, technique.name());
    progress.at(&who);
    let mut best: Option<Replay> = None;
    for _ in 0..flags.rounds {
        let round = make(technique, command, flags)
            .and_then(|mut made| replay(made.as_mut(), stream, |done, of| progress.tick(done, of)))
            .map_err(|e| if e.contains("help:") { e } else { format!("{who}: {e}") })?;
        best = Some(match best {
            None => round,
            Some(mut best) => {
                for (time, again) in best.times.iter_mut().zip(&round.times) {
                    *time = (*time).min(*again);
                }
                best
            }
        });
    }
    Ok(Run { technique, solver, replay: best.unwrap_or_default() })
}

fn make(name: TechniqueName, command: &Command, flags: &StreamsStudy) -> Result<Box<dyn Technique>, String> {
    let models = flags.read_models();
    let made = |strict, reuse, native| -> Result<Box<dyn Technique>, String> {
        let regulate = flags.regulate == OnOff::On;
        Ok(Box::new(Ladder::new(command, Rungs { strict, reuse, native, regulate }, models)?))
    };
    let strictly = |technique| made(Some(technique), Reuse::None, false);
    let with = |reuse, native| made(None, reuse, native);
    match name {
        TechniqueName::Baseline => Ok(Box::new(Baseline::new(command, models))),
        TechniqueName::Caching => Ok(Box::new(Caching::new(command, models))),
        TechniqueName::CachingOpt => Ok(Box::new(CachingOpt::new(command, models))),
        TechniqueName::Stack => Ok(Box::new(Stack::new(command, models))),
        TechniqueName::StackOpt => Ok(Box::new(StackOpt::new(command, models))),
        TechniqueName::Green => strictly(Strict::Green),
        TechniqueName::Klee => strictly(Strict::Klee),
        TechniqueName::Greentrie => strictly(Strict::GreenTrie),
        TechniqueName::Exact => with(Reuse::Exact, false),
        TechniqueName::Subset => with(Reuse::Subset, false),
        TechniqueName::Logical => with(Reuse::Logical, false),
        TechniqueName::Ladder => with(Reuse::Full, false),
        TechniqueName::Combined => with(Reuse::Full, true),
    }
}

/// Where a run differs from the one that ran first, and where its models do not hold.
fn disagreements(outcome: &Outcome, run: &Run) -> Vec<String> {
    let who = run.who();
    let place = |line: usize| format!("{} line {line}", outcome.name);
    let bad =
        run.replay.bad_models.iter().map(|&l| format!("{}: the model of {who} does not hold", place(l)));
    let mut faults: Vec<String> = bad.collect();
    let Some(first) = outcome.runs.first() else { return faults };
    let pairs = run.replay.verdicts.iter().zip(&first.replay.verdicts);
    for (i, (said, before)) in pairs.enumerate().filter(|(_, (said, before))| said != before) {
        let (place, other) = (place(run.replay.lines[i]), first.who());
        faults.push(format!("{place}: {} by {who}, {} by {other}", said.name(), before.name()));
    }
    faults
}

/// Techniques of which each must not ask a solver more often than the one before it. Those of the papers have
/// a form of their own: what they find is no subset of ours.
const LADDER: [TechniqueName; 6] = [
    TechniqueName::Stack,
    TechniqueName::Exact,
    TechniqueName::Subset,
    TechniqueName::Logical,
    TechniqueName::Ladder,
    TechniqueName::Combined,
];

fn orders(outcome: &Outcome) -> Vec<String> {
    let mut faults = Vec::new();
    for run in &outcome.runs {
        let Some(rung) = LADDER.iter().position(|t| *t == run.technique) else { continue };
        let poorer =
            |t: &TechniqueName| outcome.runs.iter().find(|r| r.technique == *t && r.solver == run.solver);
        let Some(poorer) = LADDER[..rung].iter().rev().find_map(poorer) else { continue };
        let (calls, fewer) = (run.replay.counts.calls, poorer.replay.counts.calls);
        if calls > fewer {
            let (name, technique) = (&outcome.name, poorer.technique.name());
            faults.push(format!("{name}: {calls} solver calls by {}, {fewer} by {technique}", run.who()));
        }
    }
    faults
}

/// Words on standard error about what takes long.
struct Progress {
    since: Instant,
}

impl Progress {
    const QUIET: Duration = Duration::from_secs(2);

    fn at(&mut self, what: &str) {
        if self.since.elapsed() > Self::QUIET {
            crate::say::note(what);
            self.since = Instant::now();
        }
    }

    fn tick(&mut self, done: usize, of: usize) {
        if done.is_multiple_of(64) {
            self.at(&format!("  {done} of {of} queries"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::technique::Counts;

    fn run(technique: TechniqueName, calls: u64, verdicts: &[Verdict]) -> Run {
        let replay = Replay {
            verdicts: verdicts.to_vec(),
            lines: (1..=verdicts.len()).map(|n| 10 * n).collect(),
            counts: Counts { calls, ..Counts::default() },
            ..Replay::default()
        };
        Run { technique, solver: "s".into(), replay }
    }

    #[test]
    fn a_richer_ladder_must_not_ask_more_often() {
        let runs = [(TechniqueName::Stack, 9), (TechniqueName::Exact, 4), (TechniqueName::Combined, 5)];
        let runs = runs.map(|(t, calls)| run(t, calls, &[])).into_iter().collect();
        let faults = orders(&Outcome { name: "n".into(), runs });
        assert_eq!(faults, ["n: 5 solver calls by combined with s, 4 by exact"]);
    }

    #[test]
    fn verdicts_that_differ_and_models_that_do_not_hold_have_a_place() {
        let first = run(TechniqueName::Stack, 0, &[Verdict::Sat, Verdict::Unsat]);
        let outcome = Outcome { name: "n".into(), runs: vec![first] };
        let mut other = run(TechniqueName::Green, 0, &[Verdict::Sat, Verdict::Sat]);
        assert_eq!(
            disagreements(&outcome, &other),
            ["n line 20: sat by green with s, unsat by stack with s"]
        );
        other.replay.verdicts[1] = Verdict::Unsat;
        other.replay.bad_models.push(10);
        assert_eq!(disagreements(&outcome, &other), ["n line 10: the model of green with s does not hold"]);
    }
}
