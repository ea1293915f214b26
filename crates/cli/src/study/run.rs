//! `evergreen study streams`: every technique over the same streams, each alone, and whether they agree.
//!
//! A technique's time for a query is everything from the step after the query before: leaving frames, entering frames,
//! printing, matching, solving, reading the model. Reading the stream and starting processes is not timed. After the
//! clock has stopped, the model is evaluated on the whole path.

use super::baseline::{Baseline, Stack};
use super::caching::{Caching, CachingOpt};
use super::ladder::{Ladder, Rungs};
use super::report;
use super::stack_opt::StackOpt;
use super::stream::{Step, Stream};
use super::technique::{Counts, Technique, Verdict};
use crate::flags::{OnOff, StreamsStudy, TechniqueName};
use evergreen::solver::Command;
use evergreen::{CanonMode, Completion, Evaluator, Model, Reuse, TermId, Terms};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// What one technique did with one stream.
pub struct Run {
    /// Which technique.
    pub technique: TechniqueName,
    /// With which solver.
    pub solver: String,
    /// The verdict of each query.
    pub verdicts: Vec<Verdict>,
    /// The time of each query.
    pub times: Vec<Duration>,
    /// Models that were evaluated on their whole query, and hold.
    pub models_checked: u64,
    /// What it did.
    pub counts: Counts,
}

/// All techniques on one stream.
pub struct Outcome {
    /// The stream.
    pub name: String,
    /// Sat and unsat verdicts.
    pub sat: usize,
    /// Queries that all techniques agree are unsatisfiable.
    pub unsat: usize,
    /// The most constraints of a query.
    pub deepest: usize,
    /// The techniques, in the order in which they were run.
    pub runs: Vec<Run>,
}

/// Runs, prints, and fails when verdicts differ, a model does not hold or a richer ladder solves more.
pub fn run(flags: &StreamsStudy) -> Result<ExitCode, String> {
    let solvers: Vec<(String, Command)> = flags
        .solvers
        .iter()
        .map(|text| Command::parse(text).map(|c| (short_name(&c), c)).map_err(|e| e.to_string()))
        .collect::<Result<_, _>>()?;
    let techniques: &[TechniqueName] =
        if flags.techniques.is_empty() { &TechniqueName::ALL } else { &flags.techniques };
    let mut outcomes = Vec::new();
    let mut faults = Vec::new();
    let mut progress = Progress { since: Instant::now() };
    for file in &flags.files {
        let stream = Stream::read(file, flags.first)?;
        let mut outcome =
            Outcome { name: stream.name.clone(), sat: 0, unsat: 0, deepest: 0, runs: Vec::new() };
        for (name, command) in &solvers {
            for &technique in techniques {
                let who = format!("{} with {name}", technique.name());
                progress.at(&format!("{} {who}", stream.name));
                let made = make(technique, command, flags);
                let done = made
                    .and_then(|made| replay(made, &stream, &mut outcome, &who, &mut faults, &mut progress));
                let (verdicts, times, models_checked, counts) =
                    done.map_err(|e| format!("{}: {who}: {e}", stream.name))?;
                let solver = name.clone();
                outcome.runs.push(Run { technique, solver, verdicts, times, models_checked, counts });
            }
        }
        outcome.sat = outcome.runs[0].verdicts.iter().filter(|v| **v == Verdict::Sat).count();
        outcome.unsat = outcome.runs[0].verdicts.iter().filter(|v| **v == Verdict::Unsat).count();
        faults.extend(orders(&outcome));
        outcomes.push(outcome);
    }
    report::print(flags, &outcomes, &faults)?;
    Ok(ExitCode::from(u8::from(!faults.is_empty())))
}

fn short_name(command: &Command) -> String {
    command.program.file_name().map_or_else(|| command.to_string(), |n| n.to_string_lossy().into_owned())
}

fn make(name: TechniqueName, command: &Command, flags: &StreamsStudy) -> Result<Box<dyn Technique>, String> {
    let models = flags.read_models();
    let ladder = |canon, reuse| -> Result<Box<dyn Technique>, String> {
        let (native, regulate) = (reuse == Reuse::Full, flags.regulate == OnOff::On);
        Ok(Box::new(Ladder::new(command, Rungs { canon, reuse, native, regulate }, models)?))
    };
    match name {
        TechniqueName::Baseline => Ok(Box::new(Baseline::new(command, models))),
        TechniqueName::Caching => Ok(Box::new(Caching::new(command, models))),
        TechniqueName::CachingOpt => Ok(Box::new(CachingOpt::new(command, models))),
        TechniqueName::Stack => Ok(Box::new(Stack::new(command, models))),
        TechniqueName::StackOpt => Ok(Box::new(StackOpt::new(command, models))),
        TechniqueName::Green => ladder(CanonMode::Green, Reuse::Exact),
        TechniqueName::Klee => ladder(CanonMode::Full, Reuse::Subset),
        TechniqueName::Greentrie => ladder(CanonMode::Full, Reuse::Logical),
        TechniqueName::Combined => ladder(CanonMode::Full, Reuse::Full),
    }
}

type Replayed = (Vec<Verdict>, Vec<Duration>, u64, Counts);

/// Runs one technique over one stream.
fn replay(
    mut technique: Box<dyn Technique>,
    stream: &Stream,
    outcome: &mut Outcome,
    who: &str,
    faults: &mut Vec<String>,
    progress: &mut Progress,
) -> Result<Replayed, String> {
    let trace = stream.load(technique.terms())?;
    let constraints: Vec<TermId> = trace
        .steps
        .iter()
        .filter_map(|s| match s {
            Step::Extend(c) => Some(*c),
            _ => None,
        })
        .collect();
    technique.begin(trace.logic.as_deref(), &constraints)?;
    let mut path: Vec<TermId> = Vec::new();
    let (mut verdicts, mut times) = (Vec::new(), Vec::new());
    let mut models_checked = 0;
    let mut spent = Duration::ZERO;
    for step in &trace.steps {
        let start = Instant::now();
        match *step {
            Step::Extend(constraint) => {
                technique.extend(constraint);
                spent += start.elapsed();
                path.push(constraint);
            }
            Step::Retract(count) => {
                technique.retract(count);
                spent += start.elapsed();
                path.truncate(path.len() - count);
            }
            Step::Check => {
                let said = technique.check()?;
                times.push(std::mem::take(&mut spent) + start.elapsed());
                let place = format!("{} line {}", stream.name, trace.lines[verdicts.len()]);
                compare(outcome, verdicts.len(), said.verdict, &format!("{place}: {who}"), faults);
                verdicts.push(said.verdict);
                outcome.deepest = outcome.deepest.max(path.len());
                if let Some(model) = &said.model {
                    match holds(technique.terms(), model, &path) {
                        Some(true) => models_checked += 1,
                        Some(false) => faults.push(format!("{place}: the model of {who} does not hold")),
                        None => {}
                    }
                }
                progress.tick(verdicts.len(), trace.lines.len());
            }
        }
    }
    Ok((verdicts, times, models_checked, technique.counts()))
}

/// Says where a verdict differs from what was said before.
fn compare(outcome: &Outcome, query: usize, said: Verdict, place: &str, faults: &mut Vec<String>) {
    if let Some(run) = outcome.runs.iter().find(|r| r.verdicts[query] != said) {
        let before = run.verdicts[query].name();
        let who = format!("{} with {}", run.technique.name(), run.solver);
        faults.push(format!("{place}: {}, but {before} by {who}", said.name()));
    }
}

/// Whether a model satisfies the path; `None` when it does not say.
fn holds(terms: &Terms, model: &Model, path: &[TermId]) -> Option<bool> {
    let mut evaluator = Evaluator::new(terms, model).completing(Completion::Default);
    path.iter().try_fold(true, |all, &c| Some(all & evaluator.holds(c).ok()?))
}

/// Techniques of which each must not solve more than the one before it.
const LADDER: [TechniqueName; 5] = [
    TechniqueName::Stack,
    TechniqueName::Green,
    TechniqueName::Klee,
    TechniqueName::Greentrie,
    TechniqueName::Combined,
];

fn orders(outcome: &Outcome) -> Vec<String> {
    let mut faults = Vec::new();
    for run in &outcome.runs {
        let Some(rung) = LADDER.iter().position(|t| *t == run.technique) else { continue };
        let lower = LADDER[..rung]
            .iter()
            .rev()
            .find_map(|t| outcome.runs.iter().find(|r| r.technique == *t && r.solver == run.solver));
        if let Some(lower) = lower
            && run.counts.calls > lower.counts.calls
        {
            faults.push(format!(
                "{}: {} calls {} {} times, {} {} times",
                outcome.name,
                run.technique.name(),
                run.solver,
                run.counts.calls,
                lower.technique.name(),
                lower.counts.calls
            ));
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
            eprintln!("{what}");
            self.since = Instant::now();
        }
    }

    fn tick(&mut self, done: usize, of: usize) {
        if done.is_multiple_of(64) {
            self.at(&format!("  {done} of {of} queries"));
        }
    }
}
