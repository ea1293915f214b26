//! Table 5: the time in the solver with and without slicing, canonizing and the store.

use super::super::show::{Block, Mark, Shown};
use super::super::technique::empty_store;
use super::super::work::Work;
use super::programs::{BINOMIAL_HEAP, Parts, WORDS, explore_all, open, partly, ratio};
use evergreen::Event;
use evergreen_java::Bounds;
use serde::{Deserialize, Serialize};

/// Milliseconds in the solver: without slicing and with it; without and with the store; and in each without
/// and with canonizing.
const PAPER: [[f64; 4]; 2] = [[95506.0, 94739.0, 96448.0, 50467.0], [27129.0, 27369.0, 20410.0, 5603.0]];

/// One configuration.
#[derive(Clone, Serialize, Deserialize)]
struct Run {
    queries: u64,
    calls: u64,
    /// Milliseconds in the solver.
    solving: f64,
    /// Parts that were looked up or solved: with slicing, those that a question needs.
    parts: u64,
}

fn configurations() -> impl Iterator<Item = Parts> {
    let all = |at: u32| Parts { slice: at & 4 != 0, store: at & 2 != 0, canon: at & 1 != 0 };
    (0..8).map(all)
}

fn name(parts: Parts) -> String {
    let sign = |on: bool, what: &str| format!("{}{what}", if on { '+' } else { '-' });
    [sign(parts.slice, "slice"), sign(parts.canon, "canon"), sign(parts.store, "store")].join(" ")
}

fn measure(work: &mut Work, n: u32, parts: Parts) -> Result<Run, String> {
    let (subjects, solver) = (work.subjects.clone(), work.solver.clone());
    work.step(&format!("n = {n}, {}", name(parts)), || {
        let subject = BINOMIAL_HEAP.with(n);
        let compiled = open(&subjects, &subject)?;
        let store = empty_store();
        let make = partly(parts, &solver, &store);
        let explored = explore_all(&compiled.places, &subject, &Bounds::default(), make)?;
        let is_part = |event: &&Event| matches!(event, Event::Missed { .. } | Event::Reused { .. });
        Ok(Run {
            queries: explored.ran.queries,
            calls: explored.ran.calls,
            solving: explored.solving * 1e3,
            parts: explored.events.iter().filter(is_part).count() as u64,
        })
    })
}

/// The upper part of the table, with a value of each configuration.
fn upper(caption: &str, cell: impl Fn(usize, usize) -> String) -> Block {
    let head = ["", "-store -canon", "-store +canon", "+store -canon", "+store +canon"];
    let mut rows = vec![head.map(str::to_string).to_vec()];
    for (slice, name) in ["-slice", "+slice"].into_iter().enumerate() {
        rows.push([vec![name.to_string()], (0..4).map(|at| cell(slice, at)).collect()].concat());
    }
    Block::Table { caption: caption.into(), rows }
}

/// What each part changes, with the others off and on: the three lower parts of the table. `at` is the
/// configuration's number, `bit` the part's.
fn factors(of: impl Fn(usize) -> f64, bit: usize) -> Vec<f64> {
    (0..8).filter(|at| at & bit == 0).map(|at| of(at | bit) / of(at).max(f64::MIN_POSITIVE)).collect()
}

/// All configurations.
pub(super) fn run(work: &mut Work) -> Result<Shown, String> {
    let n = 5;
    let runs: Vec<Run> =
        configurations().map(|parts| measure(work, n, parts)).collect::<Result<Vec<Run>, String>>()?;
    let of = |slice: usize, at: usize| &runs[slice * 4 + at];
    let paper = |at: usize| PAPER[at / 4][at % 4];
    let mut rows =
        vec![["part switched on", "quantity", "with the others off, ..., on"].map(str::to_string).to_vec()];
    for (what, bit) in [("slicing", 4), ("canonizing", 1), ("the store", 2)] {
        let list = |values: Vec<f64>| values.into_iter().map(ratio).collect::<Vec<_>>().join("  ");
        rows.push(vec![what.into(), "calls".into(), list(factors(|at| runs[at].calls as f64, bit))]);
        rows.push(vec![what.into(), "solver time".into(), list(factors(|at| runs[at].solving, bit))]);
        rows.push(vec![what.into(), "solver time, paper".into(), list(factors(paper, bit))]);
    }
    let calls: Vec<u64> = runs.iter().map(|run| run.calls).collect();
    let fewest = calls.iter().min() == Some(&calls[7]);
    let useless = calls[2] == calls[0] || calls[2] * 20 > calls[0] * 19;
    Ok(Shown {
        technique: format!(
            "each of slicing, the canonical form (Green's) and the store (exact look-up) on and off, {}; the \
             solver is given the constraints as the program has them",
            work.solver
        ),
        subjects: format!("{WORDS}. BinomialHeap with {n} operations, as in the paper."),
        blocks: vec![
            upper("Solver calls", |slice, at| of(slice, at).calls.to_string()),
            upper("Milliseconds in the solver (paper)", |slice, at| {
                format!("{:.0} ({:.0})", of(slice, at).solving, PAPER[slice][at])
            }),
            Block::Table {
                caption:
                    "Factors. The order of the others: for slicing store and canon, for canonizing slice and \
                          store, for the store slice and canon; the second one changes first"
                        .into(),
                rows,
            },
        ],
        mark: if fewest && useless { Mark::SameShape } else { Mark::Differs },
        because: format!(
            "Of {} arms all parts together leave {} calls, the store alone {}, no part at all {}; canonizing \
             without a store saves none, as in the paper. In the paper the store alone saves nothing; here \
             the sequences of operations have the same names for their keys, so that their beginnings are \
             found as they are. Almost all keys of a heap are compared with each other, so slicing leaves \
             little out, and it cannot make z3's fraction of a millisecond much shorter.",
            runs[7].queries, calls[7], calls[2], calls[0]
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_of_the_paper_are_its_own() {
        let paper = |at: usize| PAPER[at / 4][at % 4];
        let rounded = |bit| factors(paper, bit).into_iter().map(ratio).collect::<Vec<_>>();
        assert_eq!(rounded(4), ["0.284", "0.289", "0.212", "0.111"]);
        assert_eq!(rounded(1), ["0.992", "0.523", "1.009", "0.275"]);
        assert_eq!(rounded(2), ["1.010", "0.533", "0.752", "0.205"]);
    }
}
