//! Table 5: what one program leaves for another, for seven programs in pairs.
//!
//! A cell is the calls that the second program needs with an empty store, less those that it needs with the
//! store of the first.

use super::line::TECHNIQUE;
use super::programs::{Listed, Shelf, named};
use crate::papers::show::{Block, Mark, Shown};
use crate::papers::technique::{Technique, empty_store};
use crate::papers::work::Work;
use crate::study::explored::copy_of;

/// As the paper orders them.
const NAMES: [&str; 7] = ["TriTyp", "Euclid", "TCAS", "TreeMap", "BinTree", "BinomialHeap", "MerArbiter"];

/// The techniques of a cell.
const TECHNIQUES: [Technique; 3] = [Technique::Green, Technique::Klee, Technique::GreenTrie];

/// Green, KLEE, GreenTrie: a row is the first program, a column the second. The text of the paper that we
/// have lacks the last number of two cells of the last row.
const PAPER: [[&str; 7]; 7] = [
    ["/", "0, 0, 3", "0, 0, 3", "0, 4, 4", "0, 2, 2", "0, 6, 7", "0, 0, 1"],
    ["0, 0, 1", "/", "2, 5, 5", "0, 0, 0", "0, 3, 4", "0, 2, 2", "0, 0, 2"],
    ["0, 0, 2", "2, 2, 2", "/", "0, 0, 0", "0, 2, 3", "0, 3, 4", "0, 3, 4"],
    ["0, 0, 0", "0, 0, 0", "0, 0, 0", "/", "256, 326, 323", "0, 0, 0", "0, 0, 0"],
    ["0, 0, 0", "0, 0, 0", "0, 0, 0", "256, 449, 470", "/", "0, 1, 1", "0, 0, 0"],
    ["2, 2, 5", "2, 2, 5", "2, 8, 6", "0, 2, 3", "1, 11, 10", "/", "0, 0, 0"],
    ["0, 1, 2", "0, 2, ?", "0, 3, ?", "0, 0, 0", "0, 0, 0", "0, 0, 0", "/"],
];

/// The program that stands for a name; the largest sizes are for `--full`.
fn sized(name: &str, full: bool) -> Listed {
    let (name, method) = match (name, full) {
        ("TreeMap", _) => ("TreeMap3", None),
        ("BinTree", _) => ("BinTree3", None),
        ("BinomialHeap", false) => ("BinomialHeap2", None),
        ("BinomialHeap", true) => ("BinomialHeap3", None),
        ("MerArbiter", false) => ("MerArbiter", Some("ArbiterDriver.events2")),
        (name, _) => (name, None),
    };
    let of = named(name);
    Listed { method: method.unwrap_or(of.method), ..*of }
}

/// A cell: what each technique reuses.
type Cell = [i64; 3];

/// The first program, then every other one over a copy of its store: calls of each.
fn row(first: usize, technique: Technique, full: bool, on: (&Shelf, &str)) -> Result<Vec<u64>, String> {
    let (shelf, solver) = on;
    let run = |name: &str, store: &_| {
        sized(name, full).explore(shelf, technique, solver, store).map(|ran| ran.calls)
    };
    let store = empty_store();
    let alone = run(NAMES[first], &store)?;
    let mut calls = Vec::new();
    for (second, name) in NAMES.iter().enumerate() {
        calls.push(if second == first { alone } else { run(name, &copy_of(&store)?)? });
    }
    Ok(calls)
}

/// The cells, first by second; the diagonal has the calls of a program alone.
fn cells(work: &mut Work) -> Result<Vec<Vec<Cell>>, String> {
    let shelf = Shelf::new(&work.subjects);
    let mut cells = vec![vec![[0; 3]; 7]; 7];
    for (t, technique) in TECHNIQUES.into_iter().enumerate() {
        let mut calls = Vec::new();
        for (first, name) in NAMES.iter().enumerate() {
            let (solver, full) = (work.solver.clone(), work.full);
            let step = format!("{name} first, {}", technique.name());
            calls.push(work.step(&step, || row(first, technique, full, (&shelf, &solver)))?);
        }
        for first in 0..7 {
            for second in 0..7 {
                let alone = calls[second][second] as i64;
                cells[first][second][t] =
                    if first == second { alone } else { alone - calls[first][second] as i64 };
            }
        }
    }
    Ok(cells)
}

fn table(cell: impl Fn(usize, usize) -> String) -> Vec<Vec<String>> {
    let mut rows = vec![["first, then"].iter().chain(&NAMES).map(|name| (*name).to_string()).collect()];
    for (first, name) in NAMES.iter().enumerate() {
        let cells = (0..7).map(|second| cell(first, second));
        rows.push(std::iter::once((*name).to_string()).chain(cells).collect::<Vec<_>>());
    }
    rows
}

/// How the cells compare: the paper has two great ones, TreeMap and BinTree in both orders.
fn compared(cells: &[Vec<Cell>]) -> (Mark, String) {
    let (map, tree) = (3, 4);
    let pairs: Vec<(usize, usize)> =
        (0..7).flat_map(|a| (0..7).map(move |b| (a, b))).filter(|(a, b)| a != b).collect();
    let great = |t: usize| cells[map][tree][t].min(cells[tree][map][t]);
    let is_trees = |pair: &(usize, usize)| [(map, tree), (tree, map)].contains(pair);
    let others = |t: usize| {
        pairs.iter().filter(|pair| !is_trees(pair)).map(|(a, b)| cells[*a][*b][t]).max().unwrap_or(0)
    };
    let is_same = (0..3).all(|t| great(t) > others(t));
    let text = |cell: Cell| cell.map(|n| n.to_string()).join(", ");
    let is_equal = pairs.iter().all(|(a, b)| PAPER[*a][*b] == text(cells[*a][*b]));
    let mark = match (is_equal, is_same) {
        (true, _) => Mark::Equal,
        (false, true) => Mark::SameShape,
        (false, false) => Mark::Differs,
    };
    let because = format!(
        "TreeMap leaves BinTree {} answers by Green, KLEE and GreenTrie (paper: {}), BinTree leaves TreeMap \
         {} (paper: {}): both compare keys of the same kind. Any other pair shares at most {} (paper: 2, \
         11, 10). A negative number is a program that called the solver more often over the other's store: \
         which set answers decides which set is recorded.",
        text(cells[map][tree]),
        PAPER[map][tree],
        text(cells[tree][map]),
        PAPER[tree][map],
        text([others(0), others(1), others(2)]),
    );
    (mark, because)
}

/// Runs it.
pub(super) fn run(work: &mut Work) -> Result<Shown, String> {
    let cells = cells(work)?;
    let (mark, because) = compared(&cells);
    let ours = |first: usize, second: usize| {
        let [a, b, c] = cells[first][second];
        if first == second { format!("({a}, {b}, {c})") } else { format!("{a}, {b}, {c}") }
    };
    let sizes = if work.full { "5 operations, 3 events" } else { "4 operations, 2 events" };
    let block = |caption: &str, rows| Block::Table { caption: caption.into(), rows };
    Ok(Shown {
        technique: format!(
            "{}; {TECHNIQUE}; the second program runs over the store of the first",
            work.solver
        ),
        subjects: format!(
            "the programs of Table 1; TreeMap and BinTree with 5 keys, BinomialHeap and the arbiter with \
             {sizes}"
        ),
        blocks: vec![
            block(
                "Ours: calls that the second program saves by the store of the first (Green, KLEE, \
                 GreenTrie); on the diagonal all calls of a program alone.",
                table(ours),
            ),
            block("The paper's.", table(|first, second| PAPER[first][second].to_string())),
        ],
        mark,
        because,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn great_cells_of_the_trees_are_the_shape() {
        let mut cells = vec![vec![[0, 1, 2]; 7]; 7];
        assert_eq!(compared(&cells).0, Mark::Differs);
        (cells[3][4], cells[4][3]) = ([9, 9, 9], [8, 8, 8]);
        assert_eq!(compared(&cells).0, Mark::SameShape);
    }
}
