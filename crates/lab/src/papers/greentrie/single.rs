//! Table 1: how often a solver is called within one run, by technique.

use super::line::{CAPTION, Entry, Line, TECHNIQUE, TECHNIQUES, percent, rows, totals};
use super::programs::{Listed, PROGRAMS, Shelf};
use crate::papers::show::{Block, Mark, Shown};
use crate::papers::technique::empty_store;
use crate::papers::work::Work;

/// A program under every technique, each with an empty store.
fn entry(work: &mut Work, shelf: &Shelf, listed: &Listed) -> Result<Entry, String> {
    let mut ours = Vec::new();
    for technique in TECHNIQUES {
        let solver = work.solver.clone();
        let name = format!("{}, {}", listed.name, technique.name());
        ours.push(work.step(&name, || listed.explore(shelf, technique, &solver, &empty_store()))?);
    }
    Ok(Entry { name: listed.name.to_string(), paper: listed.paper, ours })
}

/// How the counts compare, and a sentence about it.
fn compared(entries: &[Entry]) -> (Mark, String) {
    let (paper, ours) = totals(entries);
    let is_equal = entries.iter().all(|entry| entry.paper.calls == entry.line().calls);
    let unordered: Vec<&str> = entries.iter().filter(|e| !e.is_ordered()).map(|e| e.name.as_str()).collect();
    let equal: Vec<String> = entries.iter().map(equal_columns).filter(|text| !text.is_empty()).collect();
    let [of_green, of_klee] = ours.reuse();
    let saves = of_green.is_some_and(|share| share > 0.25) && of_klee.is_some_and(|share| share > 0.0);
    let mark = match (is_equal, unordered.is_empty() && saves) {
        (true, _) => Mark::Equal,
        (false, true) => Mark::SameShape,
        (false, false) => Mark::Differs,
    };
    let order = if unordered.is_empty() {
        "In every row each technique calls the solver at most as often as the one before it.".to_string()
    } else {
        format!(
            "A technique calls the solver more often than the one before it for {}.",
            unordered.join(", ")
        )
    };
    let [paper_green, paper_klee] = paper.reuse();
    let because = format!(
        "{order} Over all rows GreenTrie saves {} of Green's calls (paper: {}) and {} of KLEE's (paper: {}). \
         Equal counts: {}. The paper's n0 of BinTree and BinomialHeap has comparisons that our classes do \
         not make, its TCAS is the Siemens program with other helpers, and MerArbiter is not public: ours \
         grants resources by the same kind of rules.",
        percent(of_green),
        percent(paper_green),
        percent(of_klee),
        percent(paper_klee),
        if equal.is_empty() { "none".into() } else { equal.join("; ") }
    );
    (mark, because)
}

/// The columns in which an entry has the paper's count.
fn equal_columns(entry: &Entry) -> String {
    let (paper, ours): (Line, Line) = (entry.paper, entry.line());
    let same: Vec<String> =
        (0..4).filter(|i| paper.calls[*i] == ours.calls[*i]).map(|i| format!("n{i}")).collect();
    if same.is_empty() { String::new() } else { format!("{} {}", entry.name, same.join(" ")) }
}

/// Runs it.
pub(super) fn run(work: &mut Work) -> Result<Shown, String> {
    let shelf = Shelf::new(&work.subjects);
    let entries: Vec<Entry> =
        PROGRAMS.iter().map(|listed| entry(work, &shelf, listed)).collect::<Result<_, _>>()?;
    if let Some(odd) = entries.iter().find(|entry| !entry.agrees()) {
        return Err(format!("{}: techniques find other paths", odd.name));
    }
    let (mark, because) = compared(&entries);
    Ok(Shown {
        technique: format!("{}; {TECHNIQUE}; each technique begins with an empty store", work.solver),
        subjects: "our own programs after the papers' descriptions: TriTyp, Euclid (7 rounds of its loop), \
                   TCAS, TreeMap (3 to 5 puts) and BinTree (3 to 5 adds) with the order of comparisons \
                   of the papers' classes, BinomialHeap (3 to 5 operations), an arbiter of 3 events in \
                   place of MerArbiter"
            .into(),
        blocks: vec![Block::Table { caption: CAPTION.into(), rows: rows("program", &entries) }],
        mark,
        because,
    })
}

#[cfg(test)]
mod tests {
    use super::super::programs::named;
    use super::*;
    use crate::papers::technique::Technique;
    use evergreen_testing::tools::{find, repository};

    fn shelf() -> Shelf {
        Shelf::new(&repository().join("subjects"))
    }

    fn calls(shelf: &Shelf, name: &str, technique: Technique) -> u64 {
        let solver = find("yices-smt2").to_string_lossy().into_owned();
        named(name).explore(shelf, technique, &solver, &empty_store()).expect("explored").calls
    }

    #[test]
    fn trityp_has_the_papers_counts() {
        use Technique::{Evergreen, Green, GreenTrie, Klee, None};
        let shelf = shelf();
        assert_eq!([None, Green, Klee, GreenTrie].map(|t| calls(&shelf, "TriTyp", t)), [32, 28, 28, 28]);
        assert_eq!(calls(&shelf, "TriTyp", Evergreen), 0);
    }

    #[test]
    fn small_rows_are_in_order() {
        let shelf = shelf();
        assert_eq!([Technique::None, Technique::Green].map(|t| calls(&shelf, "TreeMap1", t)), [24, 24]);
        assert_eq!(calls(&shelf, "BinTree1", Technique::Green), 40, "the paper has 41");
        let by =
            [Technique::Green, Technique::Klee, Technique::GreenTrie].map(|t| calls(&shelf, "BinTree1", t));
        assert!(by[0] > by[1] && by[1] > by[2], "{by:?}");
    }
}
