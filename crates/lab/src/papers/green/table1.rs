//! Table 1: containers with n operations, each cell over an empty store; satisfiability and counts.

use super::super::show::{Block, Mark, Shown};
use super::super::technique::{Technique, empty_store};
use super::super::work::Work;
use super::programs::{
    BIN_TREE, BINOMIAL_HEAP, Subject, TREE_MAP, WORDS, open, ratio, reuse, run as explore,
};
use crate::study::counting::{Mode, count_updates};

/// A line of the paper for n of 2 to 5: T_S, R_S, T_#, R_#; what has no number timed out.
struct Line {
    subject: Subject,
    sat: [[f64; 4]; 2],
    counts: [[Option<f64>; 4]; 2],
}

const LINES: [Line; 3] = [
    Line {
        subject: BINOMIAL_HEAP,
        sat: [[0.961, 0.720, 0.443, 0.259], [0.643, 0.827, 0.865, 0.896]],
        counts: [
            [Some(0.654), Some(0.327), Some(0.209), Some(0.105)],
            [Some(0.467), Some(0.677), Some(0.751), Some(0.802)],
        ],
    },
    Line {
        subject: BIN_TREE,
        sat: [[0.970, 0.607, 0.317, 0.206], [0.615, 0.763, 0.835, 0.850]],
        counts: [
            [Some(0.573), Some(0.259), Some(0.143), None],
            [Some(0.500), Some(0.675), Some(0.782), None],
        ],
    },
    Line {
        subject: TREE_MAP,
        sat: [[0.963, 0.706, 0.402, 0.316], [0.571, 0.723, 0.768, 0.770]],
        counts: [
            [Some(0.782), Some(0.588), Some(0.438), None],
            [Some(0.250), Some(0.235), Some(0.258), None],
        ],
    },
];

/// What one cell came to: paths, queries, calls, T, R.
type Cell = (u64, u64, u64, f64, f64);

/// Every cell of the upper half.
fn sat_cell(work: &mut Work, subject: &Subject, n: u32) -> Result<Cell, String> {
    let (subjects, solver) = (work.subjects.clone(), work.solver.clone());
    work.step(&format!("{} n = {n}", subject.name), || {
        let compiled = open(&subjects, subject)?;
        let subject = subject.with(n);
        let without = explore(&compiled.places, &subject, Technique::None, &solver, &empty_store())?;
        let with = explore(&compiled.places, &subject, Technique::Green, &solver, &empty_store())?;
        if with.ran.paths != without.ran.paths || with.ran.queries != without.ran.queries {
            return Err("other paths with a store than without".into());
        }
        let time = with.ran.seconds / without.ran.seconds;
        Ok((with.ran.paths, with.ran.queries, with.ran.calls, time, reuse(&with.ran)))
    })
}

/// Every cell of the lower half.
fn count_cell(work: &mut Work, subject: &Subject, n: u32) -> Result<Cell, String> {
    let subjects = work.subjects.clone();
    work.step(&format!("{} n = {n}, counts", subject.name), || {
        let compiled = open(&subjects, subject)?;
        let count = |mode| count_updates(subject.method, &compiled.places, n, mode, empty_store());
        let (without, with) = (count(Mode::Without)?, count(Mode::With)?);
        let (asked, found) = with.components;
        let time = with.time.as_secs_f64() / without.time.as_secs_f64();
        let share = found as f64 / asked.max(1) as f64;
        Ok((with.paths, with.queries, asked - found, time, share))
    })
}

fn rows(
    head: [&str; 9],
    lines: &[(&Line, u32, Cell)],
    paper: impl Fn(&Line, usize) -> [String; 2],
) -> Vec<Vec<String>> {
    let mut rows = vec![head.map(str::to_string).to_vec()];
    for (line, n, (paths, queries, calls, time, share)) in lines {
        let [paper_time, paper_share] = paper(line, *n as usize - 2);
        let own = [paths, queries, calls].map(u64::to_string);
        let [paths, queries, calls] = own;
        let name = line.subject.name.to_string();
        rows.push(vec![
            name,
            n.to_string(),
            paths,
            queries,
            calls,
            ratio(*share),
            paper_share,
            ratio(*time),
            paper_time,
        ]);
    }
    rows
}

/// Runs all cells up to n = 4, or 5.
pub(super) fn run(work: &mut Work) -> Result<Shown, String> {
    let most = if work.full { 5 } else { 4 };
    let (mut sat, mut counts) = (Vec::new(), Vec::new());
    for line in &LINES {
        for n in 2..=most {
            sat.push((line, n, sat_cell(work, &line.subject, n)?));
        }
        // Counting is quick enough for the largest size of the paper at any time.
        for n in 2..=5 {
            counts.push((line, n, count_cell(work, &line.subject, n)?));
        }
    }
    let upper = rows(
        ["container", "n", "paths", "queries", "calls", "R_S", "paper", "T_S", "paper"],
        &sat,
        |line, at| [ratio(line.sat[0][at]), ratio(line.sat[1][at])],
    );
    let shown = |value: Option<f64>| value.map_or("time out".into(), ratio);
    let lower = rows(
        ["container", "n", "paths", "count queries", "counted", "R_#", "paper", "T_#", "paper"],
        &counts,
        |line, at| [shown(line.counts[0][at]), shown(line.counts[1][at])],
    );
    let grows = sat.windows(2).all(|pair| pair[0].1 > pair[1].1 || pair[0].2.4 < pair[1].2.4);
    let near = |(line, n, cell): &&(&Line, u32, Cell)| (cell.4 - line.sat[1][*n as usize - 2]).abs() < 0.1;
    let (close, all) = (sat.iter().filter(near).count(), sat.len());
    Ok(Shown {
        technique: format!(
            "green against none, each cell over an empty store, {}; counts by Evergreen's counter, with and \
             without a store",
            work.solver
        ),
        subjects: format!("{WORDS}. "),
        blocks: vec![
            Block::Table { caption: "Symbolic execution".into(), rows: upper },
            Block::Table { caption: "Model counting".into(), rows: lower },
        ],
        mark: if grows { Mark::SameShape } else { Mark::Differs },
        because: format!(
            "R_S {} with n for each container, and is within 0.1 of the paper's in {close} of {all} cells. \
             The paper's programs ask more that is found: SPF also asks about a key and itself. Times are \
             one machine's; z3 as a process answers in a fraction of a millisecond, CVC3 took about ten. \
             Counts that timed out with LattE take less than a second, so T_# says little; R_# is higher \
             because our counter's form joins more of them.",
            if grows { "grows" } else { "does not grow" }
        ),
    })
}
