//! The runs that Figures 3, 4 and 6 show: generated programs, each with all techniques, within a budget.

use super::clock::{Phase, own_seconds};
use super::explorer::{Budget, Code, Run, explore};
use super::generator::{Size, generate};
use super::linear::{Form, linearize};
use super::program::Program;
use super::solving::{Technique, decider};
use super::{cse, ssa};
use crate::papers::work::Work;
use crate::study::link::Fresh;
use evergreen::solver::Command;
use serde::{Deserialize, Serialize};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The paper's sizes, as it calls them.
pub(super) const SIZES: [(&str, Size); 3] = [
    ("5K", Size { lines: 5_000, inputs: 8, sections: 5 }),
    ("10K", Size { lines: 10_000, inputs: 10, sections: 7 }),
    ("20K", Size { lines: 20_000, inputs: 12, sections: 9 }),
];
/// Rounds of loops.
pub(super) const ROUNDS: usize = 3;
/// Threads that measure beside each other.
const THREADS: usize = 2;
/// The stack of a thread: exploration recurses once for each decision of a path.
const STACK_BYTES: usize = 256 << 20;

/// A program, and what each technique did with it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Measured {
    pub lines: usize,
    /// In the order of [`Technique::ALL`].
    pub runs: Vec<Run>,
}

/// Programs of a size, and seconds for each program and technique.
pub(super) fn extent(full: bool) -> (u64, f64) {
    if full { (100, 600.0) } else { (30, 0.35) }
}

/// The programs of each size, measured as far as that is not done.
///
/// # Errors
/// The solver fails, techniques disagree, or a model does not hold.
pub(super) fn measured(work: &mut Work) -> Result<Vec<Vec<Measured>>, String> {
    let command = Command::parse(&work.solver).map_err(|e| e.to_string())?;
    let (programs, seconds) = extent(work.full);
    let budget = Budget { seconds, queries: usize::MAX };
    let chunk = if work.full { 2 } else { 10 };
    let mut all = Vec::new();
    for (name, size) in SIZES {
        let mut of_size = Vec::new();
        for first in (1..=programs).step_by(chunk) {
            let seeds: Vec<u64> = (first..first + chunk as u64).filter(|seed| *seed <= programs).collect();
            let step = format!("comparative programs of {name} from {first}");
            of_size.extend(work.shared(&step, || {
                side_by_side(&seeds, |seed| measure(&generate(*seed, size), &command, budget))
            })?);
        }
        all.push(of_size);
    }
    Ok(all)
}

/// Does something with each item, on threads of large stacks; results are in the order of the items.
///
/// # Errors
/// The first error.
pub(super) fn side_by_side<I: Sync, T: Send>(
    items: &[I],
    run: impl Fn(&I) -> Result<T, String> + Sync,
) -> Result<Vec<T>, String> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<Option<Result<T, String>>>> = Mutex::new(items.iter().map(|_| None).collect());
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else { break };
            let result = run(item);
            if let Ok(mut done) = done.lock() {
                done[at] = Some(result);
            }
        }
    };
    std::thread::scope(|scope| -> Result<(), String> {
        for _ in 0..THREADS {
            let builder = std::thread::Builder::new().stack_size(STACK_BYTES);
            builder.spawn_scoped(scope, work).map_err(|e| e.to_string())?;
        }
        Ok(())
    })?;
    let done = done.into_inner().map_err(|_| "a thread panicked")?;
    done.into_iter().map(|result| result.unwrap_or_else(|| Err("a thread ended".into()))).collect()
}

/// Runs all techniques on a program. They ask the same questions, so that verdicts can be compared.
///
/// # Errors
/// The solver fails, techniques disagree, or a model does not hold.
pub(super) fn measure(program: &Program, command: &Command, budget: Budget) -> Result<Measured, String> {
    let fresh = Fresh::cheapest(command.kind);
    let mut runs = Vec::new();
    let mut verdicts: Vec<bool> = Vec::new();
    for technique in Technique::ALL {
        let (run, said) = run(program, technique, command, fresh, budget)?;
        if let Some(at) = said.iter().zip(&verdicts).position(|(new, old)| new != old) {
            return Err(format!("{} says something else about question {at}", technique.name()));
        }
        if said.len() > verdicts.len() {
            verdicts = said;
        }
        runs.push(run);
    }
    Ok(Measured { lines: program.lines(), runs })
}

/// Runs a technique on a program, with the static steps that it needs; also gives all verdicts.
///
/// # Errors
/// The solver fails, or a model does not hold.
pub(super) fn run(
    program: &Program,
    technique: Technique,
    command: &Command,
    fresh: Fresh,
    budget: Budget,
) -> Result<(Run, Vec<bool>), String> {
    let start = own_seconds();
    let (linear, form) = match technique {
        Technique::StackOpt => {
            let single = ssa::single_assignment(program);
            (cse::eliminate(linearize(&single, Form::Single, ROUNDS)?).0, Form::Single)
        }
        _ => (linearize(program, Form::Mutable, ROUNDS)?, Form::Mutable),
    };
    let code = Code::of(&linear, form);
    let rest = own_seconds() - start;
    let mut decider = decider(technique, command, fresh, linear.inputs)?;
    let (mut run, verdicts) = explore(&code, decider.as_mut(), budget)?;
    run.spent.0[Phase::Rest as usize] += rest;
    Ok((run, verdicts))
}
