//! Figure 2 and sections 2.1, 2.2: the example has 22 questions and 6 calls, its modification 4 new ones.

use super::super::show::{Block, Mark, Shown};
use super::super::technique::{self, Ran, Technique, empty_store};
use super::super::work::Work;

/// Arms and calls, of the example and of its modification over the same store.
const PAPER: [(u64, u64); 2] = [(22, 6), (22, 4)];

/// Explores both versions over one store, and the second once more.
pub(super) fn run(work: &mut Work) -> Result<Shown, String> {
    let (subjects, solver) = (work.subjects.join("figure2"), work.solver.clone());
    let runs: Vec<Ran> = work.step("both versions", || {
        let store = empty_store();
        let explore = |version: &str| {
            let program = technique::compile(&subjects.join(version))?;
            let subject =
                technique::Subject { program: &program, method: "Figure2.m", loops: None, concrete: &[] };
            technique::explore(&subject, Technique::Green, &solver, &store)
        };
        ["v0", "v1", "v1"].into_iter().map(explore).collect()
    })?;
    let ours: Vec<(u64, u64)> = runs[..2].iter().map(|ran| (ran.queries, ran.calls)).collect();
    let row = |name: &str, ran: &Ran, paper: Option<(u64, u64)>| {
        let paper = |at: fn((u64, u64)) -> u64| paper.map_or("-".into(), |pair| at(pair).to_string());
        let (queries, calls) = (paper(|pair| pair.0), paper(|pair| pair.1));
        vec![
            name.into(),
            ran.paths.to_string(),
            ran.queries.to_string(),
            queries,
            ran.calls.to_string(),
            calls,
        ]
    };
    let rows = vec![
        ["version", "paths", "queries", "paper", "solver calls", "paper"].map(str::to_string).to_vec(),
        row("the example", &runs[0], Some(PAPER[0])),
        row("modified, over the same store", &runs[1], Some(PAPER[1])),
        row("modified, once more", &runs[2], None),
    ];
    let is_equal = ours == PAPER;
    Ok(Shown {
        technique: format!("green over a store in memory, {} for what it has not", work.solver),
        subjects: "`subjects/figure2`: v0 is the paper's example, v1 its modification (`10 < y` for `9 < y`)"
            .into(),
        blocks: vec![Block::Table { caption: String::new(), rows }],
        mark: if is_equal { Mark::Equal } else { Mark::Differs },
        because: if is_equal {
            "Queries and calls of both versions are the paper's; a third run finds everything.".into()
        } else {
            format!("The paper has {PAPER:?} as queries and calls, we have {ours:?}.")
        },
    })
}
