//! Tables 2 to 4: versions of a program, one after the other over one store.
//!
//! A group of changes begins with an empty store and its base. Additions build on each other; deletions undo
//! them, from the last one on: the paper's n0 of DEL#1, #2, #3 are those of ADD#2, #1 and of the base. Each
//! modification changes the base.

use super::line::{CAPTION, Entry, Line, TECHNIQUE, TECHNIQUES, percent, printed, rows, totals};
use super::programs::Shelf;
use crate::papers::show::{Block, Mark, Shown};
use crate::papers::technique::{self, Ran, Subject, Technique, empty_store};
use crate::papers::work::Work;

/// The changes of a group, in order; the first is the base.
type Group = [&'static str; 4];

/// Folders below that of the program; `""` is the base.
const GROUPS: [(&str, Group); 3] = [
    ("ADD", ["", "add1", "add2", "add3"]),
    ("DEL", ["add3", "add2", "add1", ""]),
    ("MOD", ["", "mod1", "mod2", "mod3"]),
];

/// A program in versions.
struct Versioned {
    name: &'static str,
    /// Where the base is.
    base: &'static str,
    /// Where the versions are.
    folder: &'static str,
    method: &'static str,
    loops: Option<u32>,
    /// What the changes are, in words.
    changes: &'static str,
    /// n0 to n3 and t1 to t3 of the nine changes, as printed.
    paper: [([u64; 4], [f64; 3]); 9],
}

const EUCLID: Versioned = Versioned {
    name: "Euclid",
    base: "euclid/v0",
    folder: "papers/euclid",
    method: "Euclid.gcd",
    loops: Some(7),
    changes: "additions: a first number above 100 is refused; the greater number comes first; a divisor of 1 \
              ends the loop. Modifications: numbers below 2 are refused; the comparison is turned round; one \
              more is subtracted",
    paper: [
        ([492, 432, 5, 3], [3896.0, 1375.0, 1329.0]),
        ([438, 331, 216, 216], [2830.0, 3275.0, 2284.0]),
        ([220, 170, 32, 2], [1382.0, 972.0, 552.0]),
        ([438, 322, 156, 126], [3428.0, 2670.0, 2171.0]),
        ([492, 426, 350, 134], [3777.0, 4483.0, 2046.0]),
        ([642, 552, 112, 111], [4649.0, 2560.0, 2049.0]),
        ([642, 552, 464, 463], [4851.0, 6899.0, 4400.0]),
        ([642, 552, 464, 462], [4765.0, 7094.0, 4351.0]),
        ([642, 551, 442, 433], [4505.0, 7481.0, 4240.0]),
    ],
};

const TCAS: Versioned = Versioned {
    name: "TCAS",
    base: "tcas/v0",
    folder: "papers/tcas",
    method: "Tcas.advise",
    loops: None,
    changes: "additions: only a valid layer counts as equipped; a ceiling; a fast descent needs twice the \
              separation. Modifications: two operators, and the separations of two layers",
    paper: [
        ([1036, 9, 4, 2], [1889.0, 1535.0, 1564.0]),
        ([2920, 4, 2, 1], [3511.0, 2639.0, 2652.0]),
        ([6730, 3, 0, 0], [5015.0, 3577.0, 3576.0]),
        ([2920, 0, 0, 0], [2675.0, 2051.0, 2077.0]),
        ([1036, 0, 0, 0], [912.0, 727.0, 807.0]),
        ([678, 0, 0, 0], [632.0, 599.0, 594.0]),
        ([1406, 2, 2, 0], [2322.0, 1917.0, 1801.0]),
        ([1406, 4, 2, 0], [1888.0, 1490.0, 1440.0]),
        ([994, 0, 0, 0], [1020.0, 817.0, 797.0]),
    ],
};

const BINTREE: Versioned = Versioned {
    name: "BinTree",
    base: "papers/bintree",
    folder: "papers/bintree",
    method: "BinTreeDriver.add5",
    loops: None,
    changes: "additions: the sign of the first key; a key that was just added is not looked for; keys above \
              the root are counted. Modifications: one comparison allows equality; a key is found by two \
              comparisons; a key put at the left is not found again",
    paper: [
        ([5930, 1689, 803, 746], [17978.0, 20355.0, 11889.0]),
        ([13358, 3938, 2618, 2556], [35382.0, 105_190.0, 32465.0]),
        ([15602, 540, 0, 0], [18106.0, 61586.0, 17180.0]),
        ([13358, 3149, 2216, 2185], [32134.0, 126_488.0, 31002.0]),
        ([5930, 1154, 599, 0], [13565.0, 44789.0, 10932.0]),
        ([3252, 1682, 0, 0], [12945.0, 11482.0, 4505.0]),
        ([3252, 1682, 1080, 1002], [14553.0, 16297.0, 10628.0]),
        ([3252, 1680, 716, 632], [14147.0, 13784.0, 7953.0]),
        ([8310, 2377, 1068, 964], [22772.0, 32889.0, 14593.0]),
    ],
};

impl Versioned {
    /// What the paper prints for a change.
    fn paper(&self, at: usize) -> Line {
        let (calls, [t1, t2, t3]) = self.paper[at];
        printed(calls, [None, Some(t1), Some(t2), Some(t3)])
    }

    /// A group under a technique: what each of its changed versions cost.
    fn group(
        &self,
        group: &Group,
        technique: Technique,
        shelf: &Shelf,
        solver: &str,
    ) -> Result<Vec<Ran>, String> {
        let store = empty_store();
        let mut ran = Vec::new();
        for version in group {
            let changed = format!("{}/{version}", self.folder);
            let program = shelf.program(if version.is_empty() { self.base } else { &changed })?;
            let subject =
                Subject { program: &program, method: self.method, loops: self.loops, concrete: &[] };
            ran.push(technique::explore(&subject, technique, solver, &store)?);
        }
        ran.remove(0);
        Ok(ran)
    }

    fn entries(&self, work: &mut Work) -> Result<Vec<Entry>, String> {
        let shelf = Shelf::new(&work.subjects);
        let mut entries = Vec::new();
        for (g, (name, group)) in GROUPS.iter().enumerate() {
            let mut by_technique = Vec::new();
            for technique in TECHNIQUES {
                let solver = work.solver.clone();
                let step = format!("{name}, {}", technique.name());
                let run = || self.group(group, technique, &shelf, &solver);
                by_technique.push(work.step(&step, run)?);
            }
            for change in 0..3 {
                let ours = by_technique.iter().map(|ran: &Vec<Ran>| ran[change].clone()).collect();
                let name = format!("{name}#{}", change + 1);
                entries.push(Entry { name, paper: self.paper(3 * g + change), ours });
            }
        }
        Ok(entries)
    }
}

/// How the counts compare, and a sentence about it.
fn compared(entries: &[Entry]) -> (Mark, String) {
    let (paper, ours) = totals(entries);
    let is_equal = entries.iter().all(|entry| entry.paper.calls == entry.line().calls);
    let is_ordered = entries.iter().all(Entry::is_ordered);
    let [of_green, of_klee] = ours.reuse();
    let saves = of_green.is_some_and(|share| share > 0.25) && of_klee.is_some_and(|share| share > 0.0);
    let mark = match (is_equal, is_ordered && saves) {
        (true, _) => Mark::Equal,
        (false, true) => Mark::SameShape,
        (false, false) => Mark::Differs,
    };
    let [paper_green, paper_klee] = paper.reuse();
    let unordered: Vec<&str> = entries.iter().filter(|e| !e.is_ordered()).map(|e| e.name.as_str()).collect();
    let order = if is_ordered {
        "For every change each technique calls the solver at most as often as the one before it.".to_string()
    } else {
        format!(
            "A technique calls the solver more often than the one before it for {}.",
            unordered.join(", ")
        )
    };
    let more: Vec<&str> = entries.iter().filter(|e| e.ladder_asks_more()).map(|e| e.name.as_str()).collect();
    let more = match &more[..] {
        [] => String::new(),
        names => format!(" (more than GreenTrie for {})", names.join(", ")),
    };
    let because = format!(
        "{order} GreenTrie saves {} of Green's calls (paper: {}) and {} of KLEE's (paper: {}). The ladder \
         needs {} calls{more} and the product {}. The paper does not print its changes; these are ours, so \
         rows are not comparable one by one. Ratios follow from the printed counts; the paper prints others \
         for some rows.",
        percent(of_green),
        percent(paper_green),
        percent(of_klee),
        percent(paper_klee),
        entries.iter().map(|entry| entry.ours[4].calls).sum::<u64>(),
        entries.iter().map(|entry| entry.ours[5].calls).sum::<u64>(),
    );
    (mark, because)
}

fn show(work: &mut Work, versioned: &Versioned) -> Result<Shown, String> {
    let entries = versioned.entries(work)?;
    if let Some(odd) = entries.iter().find(|entry| !entry.agrees()) {
        return Err(format!("{} {}: techniques find other paths", versioned.name, odd.name));
    }
    let (mark, because) = compared(&entries);
    Ok(Shown {
        technique: format!(
            "{}; {TECHNIQUE}; for each group and technique an empty store, then the base and the three \
             changed versions over it; the base is not counted",
            work.solver
        ),
        subjects: format!(
            "{}, `{}`; {}. Deletions undo the additions in turn",
            versioned.name, versioned.method, versioned.changes
        ),
        blocks: vec![Block::Table { caption: CAPTION.into(), rows: rows("change", &entries) }],
        mark,
        because,
    })
}

/// Table 2.
pub(super) fn euclid(work: &mut Work) -> Result<Shown, String> {
    show(work, &EUCLID)
}

/// Table 3.
pub(super) fn tcas(work: &mut Work) -> Result<Shown, String> {
    show(work, &TCAS)
}

/// Table 4.
pub(super) fn bintree(work: &mut Work) -> Result<Shown, String> {
    show(work, &BINTREE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use evergreen_testing::tools::{find, repository};

    fn calls(shelf: &Shelf, versioned: &Versioned, group: usize, technique: Technique) -> Vec<u64> {
        let solver = find("yices-smt2").to_string_lossy().into_owned();
        let ran = versioned.group(&GROUPS[group].1, technique, shelf, &solver).expect("explored");
        ran.iter().map(|ran| ran.calls).collect()
    }

    #[test]
    fn a_deleted_addition_is_in_the_store() {
        // What deletions of TCAS leave was explored as a part of the version before, as in the paper.
        let shelf = Shelf::new(&repository().join("subjects"));
        let green = calls(&shelf, &TCAS, 1, Technique::Green);
        let trie = calls(&shelf, &TCAS, 1, Technique::GreenTrie);
        assert!(green.iter().zip(&trie).all(|(green, trie)| trie <= green), "{green:?} {trie:?}");
        assert!(trie.iter().sum::<u64>() <= 2, "{trie:?}");
    }

    #[test]
    fn the_product_asks_nothing_about_small_versions() {
        let shelf = Shelf::new(&repository().join("subjects"));
        assert_eq!(calls(&shelf, &EUCLID, 2, Technique::Evergreen), [0, 0, 0]);
        let small = Versioned { method: "BinTreeDriver.add3", ..BINTREE };
        assert_eq!(calls(&shelf, &small, 0, Technique::Evergreen), [0, 0, 0]);
    }

    #[test]
    fn every_row_of_the_paper_has_its_ratio() {
        let add3 = TCAS.paper(2);
        assert_eq!(add3.reuse().map(percent), ["100.0%", "0/0"]);
        assert_eq!(BINTREE.paper(4).reuse().map(percent), ["100.0%", "100.0%"]);
    }
}
