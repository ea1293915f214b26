//! Figure 4: which keys the stores of three containers share, of questions, of counts and of sub-counts.

use super::super::plot;
use super::super::show::{Block, Mark, Shown};
use super::super::technique::empty_store;
use super::super::work::Work;
use super::programs::{self, BIN_TREE, BINOMIAL_HEAP, Subject, TREE_MAP, WORDS, asked_step, open};
use crate::study::counting::{Mode, count_updates};
use std::collections::BTreeSet;

/// In the order of the bits of a region.
const SUBJECTS: [Subject; 3] = [BINOMIAL_HEAP, BIN_TREE, TREE_MAP];

/// Regions of the paper's diagrams by their members, bit 0 for BinomialHeap, bit 1 for BinTree, bit 2 for
/// TreeMap: questions, counts, LattE's internal queries.
const PAPER: [[u64; 8]; 3] =
    [[0, 155, 133, 1, 38, 0, 154, 4], [0, 88, 8, 0, 38, 0, 154, 4], [0, 41, 532, 0, 614, 1, 587, 38]];

/// The sizes of the regions.
fn regions(sets: &[BTreeSet<String>]) -> [u64; 8] {
    let mut regions = [0; 8];
    let all: BTreeSet<&String> = sets.iter().flatten().collect();
    for key in all {
        let of = |at: usize| usize::from(sets[at].contains(key)) << at;
        regions[of(0) | of(1) | of(2)] += 1;
    }
    regions
}

/// The share of a set that the others have too.
fn shared(regions: &[u64; 8], at: usize) -> f64 {
    let of =
        |fits: &dyn Fn(usize) -> bool| (1..8).filter(|r| fits(*r)).map(|r| regions[r]).sum::<u64>() as f64;
    let own = of(&|region| region >> at & 1 == 1);
    1.0 - regions[1 << at] as f64 / own.max(1.0)
}

/// The keys of one program's counts, and of its sub-counts.
fn counted(work: &mut Work, subject: &Subject, n: u32) -> Result<[BTreeSet<String>; 2], String> {
    let subjects = work.subjects.clone();
    work.step(&format!("{}, {n} operations, counts", subject.name), || {
        let compiled = open(&subjects, subject)?;
        let ran = count_updates(subject.method, &compiled.places, n, Mode::With, empty_store())?;
        let name = |key: &evergreen::KeyBytes| key[..8].iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(ran.keys.map(|keys| keys.iter().map(name).collect()))
    })
}

fn table(caption: &str, ours: &[u64; 8], paper: &[u64; 8]) -> Block {
    let names = ["BinomialHeap", "BinTree", "TreeMap"];
    let mut rows = vec![["keys of", "ours", "paper"].map(str::to_string).to_vec()];
    for region in [1, 2, 4, 3, 5, 6, 7] {
        let of: Vec<&str> = (0..3).filter(|at| region >> at & 1 == 1).map(|at| names[at]).collect();
        let what = if of.len() == 1 { format!("{} alone", of[0]) } else { of.join(" and ") };
        rows.push(vec![what, ours[region].to_string(), paper[region].to_string()]);
    }
    for (at, name) in names.into_iter().enumerate() {
        let percent = |regions| format!("{:.1}%", 100.0 * shared(regions, at));
        rows.push(vec![format!("{name}: shared"), percent(ours), percent(paper)]);
    }
    Block::Table { caption: caption.into(), rows }
}

/// Draws the three diagrams.
pub(super) fn run(work: &mut Work) -> Result<Shown, String> {
    let n = if work.full { 5 } else { 4 };
    let (mut sat, mut counts, mut parts) = (Vec::new(), Vec::new(), Vec::new());
    for subject in &SUBJECTS {
        let asked: programs::Asked = asked_step(work, &subject.with(n))?;
        sat.push(asked.keys.into_keys().collect::<BTreeSet<String>>());
        let [whole, part] = counted(work, subject, n)?;
        counts.push(whole);
        parts.push(part);
    }
    let all = [regions(&sat), regions(&counts), regions(&parts)];
    let titles = ["SAT queries", "#SAT queries", "sub-counts (paper: LattE's internal queries)"];
    let mut blocks = Vec::new();
    for ((title, ours), paper) in titles.into_iter().zip(&all).zip(&PAPER) {
        let svg = plot::venn(title, ["BinomialHeap", "BinTree", "TreeMap"], *ours);
        let caption = format!("{title}: keys of three containers, {n} operations each");
        blocks.push(Block::Picture { caption, svg });
        blocks.push(table(title, ours, paper));
    }
    let [heap, tree, map] = [0, 1, 2].map(|at| shared(&all[0], at));
    let is_shape = heap < tree && tree < map;
    Ok(Shown {
        technique: format!("the keys of green's store and of the counter's, {n} operations, {}", work.solver),
        subjects: format!("{WORDS}. The paper does not say for how many operations its diagrams are."),
        blocks,
        mark: if is_shape { Mark::SameShape } else { Mark::Differs },
        because: format!(
            "The trees share most of their keys, the heap few: {:.1}% of TreeMap's, {:.1}% of BinTree's and \
             {:.1}% of BinomialHeap's SAT keys are another container's too (paper: 80.6%, 54.5%, 3.1%).",
            100.0 * map,
            100.0 * tree,
            100.0 * heap
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_of_the_paper_have_the_shares_that_its_text_says() {
        let shares = |at: usize| [2, 1, 0].map(|of| (1000.0 * shared(&PAPER[at], of)).round());
        assert_eq!(shares(0), [806.0, 545.0, 31.0]);
        assert_eq!(shares(1)[2], 43.0);
        assert_eq!(shares(2), [505.0, 540.0, 488.0]);
    }

    #[test]
    fn a_key_is_in_the_region_of_its_sets() {
        let set = |keys: &[&str]| keys.iter().map(|key| key.to_string()).collect::<BTreeSet<String>>();
        let sets = [set(&["a", "b", "c"]), set(&["b", "c"]), set(&["c", "d"])];
        assert_eq!(regions(&sets), [0, 1, 0, 1, 1, 0, 0, 1]);
    }
}
