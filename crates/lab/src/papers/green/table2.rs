//! Table 2: BinTreeBug over an empty store, then the repaired BinTree over what it left.

use super::super::show::{Block, Mark, Shown};
use super::super::technique::{Technique, empty_store};
use super::super::work::Work;
use super::programs::{BIN_TREE, BIN_TREE_BUG, WORDS, open, own, ratio, run as explore};
use crate::study::counting::{Mode, count_updates};
use evergreen::store::Store;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// T, R and the share of self-reuse, of BinTreeBug and of BinTree after it: satisfiability, counts.
const PAPER: [[[f64; 3]; 2]; 2] =
    [[[0.322, 0.806, 0.806], [0.128, 1.000, 0.000]], [[0.146, 0.744, 0.744], [0.147, 1.000, 0.000]]];

/// What a version came to, after the other one for the second.
#[derive(Serialize, Deserialize)]
struct Line {
    queries: u64,
    calls: u64,
    /// Calls over an empty store.
    alone: u64,
    /// Questions that the run itself had answered before.
    own: u64,
    /// The time with the store over that without.
    time: f64,
}

impl Line {
    fn share(&self, of: u64) -> f64 {
        of as f64 / self.queries.max(1) as f64
    }

    fn reuse(&self) -> f64 {
        self.share(self.queries - self.calls)
    }
}

fn sat_lines(work: &mut Work, n: u32) -> Result<Vec<Line>, String> {
    let (subjects, solver) = (work.subjects.clone(), work.solver.clone());
    work.step(&format!("n = {n}"), || {
        let store = empty_store();
        let mut lines = Vec::new();
        for subject in [BIN_TREE_BUG.with(n), BIN_TREE.with(n)] {
            let compiled = open(&subjects, &subject)?;
            let explore = |technique, store: &Arc<dyn Store>| {
                explore(&compiled.places, &subject, technique, &solver, store)
            };
            let without = explore(Technique::None, &empty_store())?.ran;
            let alone = explore(Technique::Green, &empty_store())?.ran.calls;
            let after = explore(Technique::Green, &store)?;
            lines.push(Line {
                queries: after.ran.queries,
                calls: after.ran.calls,
                alone,
                own: own(&after.events),
                time: after.ran.seconds / without.seconds,
            });
        }
        Ok(lines)
    })
}

fn count_lines(work: &mut Work, n: u32) -> Result<Vec<Line>, String> {
    let subjects = work.subjects.clone();
    work.step(&format!("n = {n}, counts"), || {
        let store = empty_store();
        let mut lines = Vec::new();
        for subject in [BIN_TREE_BUG, BIN_TREE] {
            let compiled = open(&subjects, &subject)?;
            let count = |mode, store| count_updates(subject.method, &compiled.places, n, mode, store);
            let without = count(Mode::Without, empty_store())?;
            let alone = count(Mode::With, empty_store())?;
            let after = count(Mode::With, store.clone())?;
            let (asked, found) = after.components;
            lines.push(Line {
                queries: asked,
                calls: asked - found,
                alone: alone.components.0 - alone.components.1,
                own: after.own,
                time: after.time.as_secs_f64() / without.time.as_secs_f64(),
            });
        }
        Ok(lines)
    })
}

fn half(caption: &str, lines: &[Line], paper: &[[f64; 3]; 2]) -> Block {
    let head = ["version", "queries", "calls", "alone", "R", "paper", "self-reuse", "paper", "T", "paper"];
    let mut rows = vec![head.map(str::to_string).to_vec()];
    for ((name, line), paper) in ["BinTreeBug", "BinTree"].into_iter().zip(lines).zip(paper) {
        rows.push(vec![
            name.into(),
            line.queries.to_string(),
            line.calls.to_string(),
            line.alone.to_string(),
            ratio(line.reuse()),
            ratio(paper[1]),
            ratio(line.share(line.own)),
            ratio(paper[2]),
            ratio(line.time),
            ratio(paper[0]),
        ]);
    }
    Block::Table { caption: caption.into(), rows }
}

/// Both halves, at n = 4.
pub(super) fn run(work: &mut Work) -> Result<Shown, String> {
    let n = 4;
    let (sat, counts) = (sat_lines(work, n)?, count_lines(work, n)?);
    let is_shape =
        [&sat, &counts].iter().all(|half| half[1].calls == 0 && half[1].own == 0 && half[0].reuse() > 0.5);
    let (bug, fixed) = (&sat[0], &sat[1]);
    Ok(Shown {
        technique: format!("green and Evergreen's counter over one store for both versions, {}", work.solver),
        subjects: format!(
            "{WORDS}. BinTreeBug is `subjects/papers/bintreebug`: its removal keeps the root and loses \
             subtrees, as the paper says of its own. All sequences of {n} operations; the paper does not \
             say how many. The bug was chosen among several: with a removal that never removes a root, \
             BinTree needed 14 calls."
        ),
        blocks: vec![half("Symbolic execution", &sat, &PAPER[0]), half("Model counting", &counts, &PAPER[1])],
        mark: if is_shape { Mark::SameShape } else { Mark::Differs },
        because: format!(
            "The repaired version needs {} calls of {} after the other one ({} alone), and {} counts ({} \
             alone); the paper's needs none. R_S of BinTreeBug is {} (paper {}). \
             Self-reuse leaves out arms that the path itself decides, which R counts as the paper does.",
            fixed.calls,
            fixed.queries,
            fixed.alone,
            counts[1].calls,
            counts[1].alone,
            ratio(bug.reuse()),
            ratio(PAPER[0][0][1])
        ),
    })
}
