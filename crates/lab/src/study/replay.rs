//! One technique over one stream.
//!
//! A technique's time for a query is everything since the query before: leaving frames, entering frames,
//! printing, matching, solving, reading the model. Reading the stream and starting processes is not timed.
//! After the clock has stopped, the model is evaluated on the whole path.

use super::stream::{Step, Stream};
use super::technique::{Counts, Technique, Verdict};
use evergreen::{Completion, Evaluator, Model, TermId, Terms};
use std::time::{Duration, Instant};

/// What a technique did with a stream.
#[derive(Default)]
pub(crate) struct Replay {
    /// The verdict of each query.
    pub verdicts: Vec<Verdict>,
    /// The time of each query.
    pub times: Vec<Duration>,
    /// The line of each query.
    pub lines: Vec<usize>,
    /// Models that were evaluated on their whole query, and hold.
    pub models_checked: u64,
    /// The lines of queries whose models do not hold.
    pub bad_models: Vec<usize>,
    /// The most constraints of a query.
    pub deepest: usize,
    /// What it did.
    pub counts: Counts,
}

/// Runs a technique over a stream; `tick` hears how many of how many queries are done.
pub(crate) fn replay(
    technique: &mut dyn Technique,
    stream: &Stream,
    mut tick: impl FnMut(usize, usize),
) -> Result<Replay, String> {
    let trace = stream.load(technique.terms())?;
    let extended = |step: &Step| match step {
        Step::Extend(constraint) => Some(*constraint),
        _ => None,
    };
    let constraints: Vec<TermId> = trace.steps.iter().filter_map(extended).collect();
    technique.begin(trace.logic.as_deref(), &constraints)?;
    let mut done = Replay::default();
    let mut path: Vec<TermId> = Vec::new();
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
                done.times.push(std::mem::take(&mut spent) + start.elapsed());
                let line = trace.lines[done.verdicts.len()];
                match said.model.and_then(|model| holds(technique.terms(), &model, &path)) {
                    Some(true) => done.models_checked += 1,
                    Some(false) => done.bad_models.push(line),
                    None => {}
                }
                done.verdicts.push(said.verdict);
                done.deepest = done.deepest.max(path.len());
                tick(done.verdicts.len(), trace.lines.len());
            }
        }
    }
    done.lines = trace.lines;
    done.counts = technique.counts();
    Ok(done)
}

/// Whether a model satisfies the path; `None` when it does not say.
fn holds(terms: &Terms, model: &Model, path: &[TermId]) -> Option<bool> {
    let mut evaluator = Evaluator::new(terms, model).completing(Completion::Default);
    path.iter().try_fold(true, |all, &c| Some(all & evaluator.holds(c).ok()?))
}
