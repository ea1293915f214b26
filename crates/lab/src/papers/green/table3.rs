//! Table 3: what a program takes from the store that another one left.

use super::super::show::{Block, Mark, Shown};
use super::super::technique::{Technique, empty_store};
use super::super::work::Work;
use super::programs::{
    Asked, BIN_TREE, BINOMIAL_HEAP, EUCLID, Subject, TCAS, TREE_MAP, TRITYP, WORDS, asked_step, open, ratio,
    run as explore,
};

/// In the paper's order.
const SUBJECTS: [Subject; 9] = [
    BIN_TREE.with(3),
    BIN_TREE.with(4),
    TREE_MAP.with(3),
    TREE_MAP.with(4),
    BINOMIAL_HEAP.with(3),
    BINOMIAL_HEAP.with(4),
    EUCLID,
    TRITYP,
    TCAS,
];

/// Rows ran first; the diagonal is empty in the paper.
const PAPER: [[f64; 9]; 9] = [
    [1.0, 0.357, 1.000, 0.342, 0.351, 0.311, 0.000, 0.000, 0.012],
    [1.000, 1.0, 1.000, 0.880, 0.351, 0.311, 0.000, 0.000, 0.012],
    [0.747, 0.232, 1.0, 0.342, 0.179, 0.115, 0.000, 0.000, 0.012],
    [0.747, 0.712, 1.000, 1.0, 0.179, 0.115, 0.000, 0.000, 0.012],
    [0.200, 0.160, 0.234, 0.154, 1.0, 0.743, 0.000, 0.188, 0.012],
    [0.200, 0.160, 0.234, 0.154, 1.000, 1.0, 0.000, 0.188, 0.012],
    [0.000, 0.000, 0.000, 0.000, 0.000, 0.000, 1.0, 0.000, 0.133],
    [0.000, 0.000, 0.000, 0.000, 0.179, 0.115, 0.000, 1.0, 0.000],
    [0.116, 0.076, 0.234, 0.154, 0.179, 0.115, 0.065, 0.000, 1.0],
];

fn name(subject: &Subject) -> String {
    format!("{}{}", subject.name, subject.operations.map(|n| format!(" {n}")).unwrap_or_default())
}

/// The questions of each program.
pub(super) fn all_asked(work: &mut Work) -> Result<Vec<Asked>, String> {
    SUBJECTS.iter().map(|subject| asked_step(work, subject)).collect()
}

fn matrix(caption: &str, cell: impl Fn(usize, usize) -> f64) -> Block {
    let names: Vec<String> = SUBJECTS.iter().map(name).collect();
    let mut rows = vec![[vec!["first, then".to_string()], names.clone()].concat()];
    for (first, name) in names.into_iter().enumerate() {
        let cells =
            (0..SUBJECTS.len()).map(|then| if first == then { "-".into() } else { ratio(cell(first, then)) });
        rows.push([vec![name], cells.collect()].concat());
    }
    Block::Table { caption: caption.into(), rows }
}

/// Whether a pair, run one after the other over one store, makes the calls that the keys say.
fn confirm(work: &mut Work, all: &[Asked], (first, then): (usize, usize)) -> Result<u64, String> {
    let (subjects, solver) = (work.subjects.clone(), work.solver.clone());
    let calls = work.step(&format!("{} after {}", name(&SUBJECTS[then]), name(&SUBJECTS[first])), || {
        let store = empty_store();
        let mut calls = 0;
        for subject in [&SUBJECTS[first], &SUBJECTS[then]] {
            let compiled = open(&subjects, subject)?;
            calls = explore(&compiled.places, subject, Technique::Green, &solver, &store)?.ran.calls;
        }
        Ok(calls)
    })?;
    let new = all[then].keys.keys().filter(|key| !all[first].keys.contains_key(*key)).count() as u64;
    if calls == new { Ok(calls) } else { Err(format!("{calls} calls over a shared store, {new} by keys")) }
}

/// All pairs.
pub(super) fn run(work: &mut Work) -> Result<Shown, String> {
    let all = all_asked(work)?;
    let confirmed = confirm(work, &all, (1, 3))?;
    let of = |first: usize, then: usize| all[then].taken_from(|key| all[first].keys.contains_key(key));
    let pairs: Vec<(usize, usize)> =
        (0..9).flat_map(|first| (0..9).map(move |then| (first, then))).filter(|(a, b)| a != b).collect();
    let equal = pairs.iter().filter(|(a, b)| (of(*a, *b) - PAPER[*a][*b]).abs() < 0.0005).count();
    let near = pairs.iter().filter(|(a, b)| (of(*a, *b) - PAPER[*a][*b]).abs() <= 0.1).count();
    let agree = pairs.iter().filter(|(a, b)| (of(*a, *b) < 0.0005) == (PAPER[*a][*b] < 0.0005)).count();
    let unique = |first: usize, then: usize| {
        let found = all[then].keys.keys().filter(|key| all[first].keys.contains_key(*key)).count();
        found as f64 / all[then].keys.len().max(1) as f64
    };
    Ok(Shown {
        technique: format!(
            "green, {}. A cell is the share of the second program's questions whose key the first one left \
             in the store; what a program reuses of itself is not counted, as the zeros of the paper show",
            work.solver
        ),
        subjects: format!("{WORDS}. Numbers behind containers are operations."),
        blocks: vec![
            matrix("Ours", of),
            matrix("Paper", |first, then| PAPER[first][then]),
            matrix("Ours, by different keys: the share of calls that the first program saves", unique),
        ],
        mark: if equal == pairs.len() {
            Mark::Equal
        } else if near * 2 > pairs.len() && agree * 4 > pairs.len() * 3 {
            Mark::SameShape
        } else {
            Mark::Differs
        },
        because: format!(
            "{equal} of {} cells are equal, {near} within 0.1; in {agree} both have reuse or both have none. \
             Containers answer each other, Euclid and TriTyp almost no other program. Run for run, TreeMap 4 \
             after BinTree 4 makes {confirmed} calls, as the keys say.",
            pairs.len()
        ),
    })
}
