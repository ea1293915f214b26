//! Figures 1 to 5: the paths of `mid` in both versions, and what becomes of the tests of the first.

use crate::papers::show::{Block, Mark, Shown};
use crate::papers::work::Work;
use crate::study::explored::{Core, Setting, compile, empty_store, maker, open};
use evergreen::Reuse;
use evergreen_java::replay::TestCase;
use evergreen_java::symbolic::Ints;
use evergreen_java::{
    Bounds, Decision, Detail, How, Inputs, Java, JavaFrontend, Language, Limit, Old, OldTests, Options,
    Range, jvm,
};
use std::path::Path;

/// A path of the tree.
struct Leaf {
    /// Its condition, without the order in which it was found.
    condition: String,
    returns: String,
    inputs: String,
    /// The old tests that take it.
    seeds: Vec<usize>,
    case: Option<TestCase>,
    decisions: Vec<Decision>,
}

/// A tree with its leaves in order.
struct Tree {
    leaves: Vec<Leaf>,
    /// Questions that were asked.
    asked: u64,
    /// Arms that old tests decided.
    by_tests: u64,
    /// Arms that the paper's rule left out.
    trusted: u64,
}

/// Explores a version: both arms are asked unless an old test decides them.
fn explore(folder: &Path, solver: &str, old: OldTests) -> Result<Tree, String> {
    let compiled = compile(folder)?;
    let setting = Setting { solver, method: "Mid.mid", bounds: Bounds::default(), core: Core::Native };
    let (program, method) = open(&setting, &compiled.places)?;
    let make = maker(&setting, Reuse::None, empty_store());
    let mut exploration = JavaFrontend::explore(program, Ints::Wrapped, jvm::Options::default(), make)
        .map_err(|e| e.to_string())?;
    let run = exploration.seeded(&method, &Inputs::default(), Options::default(), old);
    let mut run = run.map_err(|e| e.to_string())?.without_shrinking().telling(Detail::Full);
    let mut leaves = Vec::new();
    while let Some(end) = run.next_path() {
        let show = |(name, value): &(String, _)| format!("{name}={}", Java::show(value));
        leaves.push(Leaf {
            condition: end.conditions.join(", "),
            returns: match &end.how {
                How::Returned(Some(value)) => Java::show(value),
                other => return Err(format!("{other:?}")),
            },
            inputs: end.inputs.iter().map(show).collect::<Vec<_>>().join(" "),
            seeds: end.seeds,
            case: end.case,
            decisions: end.decisions,
        });
    }
    let summary = run.summary();
    Ok(Tree { leaves, asked: summary.asked(), by_tests: summary.by_seed, trusted: summary.trusted })
}

/// What the figures show.
struct Figures {
    /// Figure 1.
    first: Tree,
    /// Figure 2, explored from nothing.
    cold: Tree,
    /// Figure 5: the second version with the tests of the first.
    updated: Tree,
    /// The same by the paper's rule.
    trusting: Tree,
    /// The leaves of `updated` that have to be looked at: from, and behind the last.
    affected: Option<(usize, usize)>,
    /// Paths of an exploration that is limited to the range between the tests that bound it.
    ranged: Option<usize>,
}

impl Figures {
    /// Whether a leaf of the second version has a test that was on a path of the same condition.
    fn is_unchanged(first: &Tree, leaf: &Leaf) -> bool {
        leaf.seeds.first().is_some_and(|seed| first.leaves[*seed].condition == leaf.condition)
    }

    fn made(subjects: &Path, solver: &str) -> Result<Figures, String> {
        let folder = |version: &str| subjects.join("papers/mid").join(version);
        let first = explore(&folder("v1"), solver, OldTests::default())?;
        let tests: Vec<TestCase> = first.leaves.iter().filter_map(|leaf| leaf.case.clone()).collect();
        let paths: Vec<Vec<Decision>> = first.leaves.iter().map(|leaf| leaf.decisions.clone()).collect();
        let old =
            |old: Old| OldTests { tests: tests.clone(), paths: paths.clone(), old, ..OldTests::default() };
        let cold = explore(&folder("v2"), solver, OldTests::default())?;
        let updated = explore(&folder("v2"), solver, old(Old::TrustNothing))?;
        let trusting = explore(&folder("v2"), solver, old(Old::TrustInfeasible))?;
        let changed = |leaf: &Leaf| !Figures::is_unchanged(&first, leaf);
        let from = updated.leaves.iter().position(changed);
        let to = updated.leaves.iter().rposition(changed);
        let affected = from.zip(to).map(|(from, to)| (from, to + 1));
        let mut ranged = None;
        if let Some((from, to)) = affected {
            let seed = |at: Option<usize>| {
                at.and_then(|at| updated.leaves.get(at))
                    .and_then(|leaf| leaf.seeds.first())
                    .map(|s| Limit::Seed(*s))
            };
            let range = Range { from: seed(from.checked_sub(1)), to: seed(Some(to)) };
            let tree = explore(&folder("v2"), solver, OldTests { range, ..old(Old::TrustNothing) })?;
            ranged = Some(tree.leaves.len());
        }
        Ok(Figures { first, cold, updated, trusting, affected, ranged })
    }

    fn kept(&self) -> usize {
        self.updated.leaves.iter().filter(|leaf| !leaf.seeds.is_empty()).count()
    }

    fn fresh(&self) -> usize {
        self.updated.leaves.len() - self.kept()
    }

    /// Tests of the first version that take the path of another one.
    fn discarded(&self) -> usize {
        self.first.leaves.len() - self.kept()
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let head = [
            "path",
            "version 1",
            "its test",
            "returns",
            "version 2",
            "its test",
            "returns",
            "test",
            "condition",
        ];
        let mut rows = vec![head.map(String::from).to_vec()];
        for (at, (old, new)) in self.first.leaves.iter().zip(&self.updated.leaves).enumerate() {
            let kept = match new.seeds.first() {
                Some(seed) => format!("kept: that of path {}", seed + 1),
                None => "new".into(),
            };
            let condition = if old.condition == new.condition { "same" } else { "changed" };
            let row = [&old.condition, &old.inputs, &old.returns, &new.condition, &new.inputs, &new.returns];
            let mut cells = vec![(at + 1).to_string()];
            cells.extend(row.map(String::clone));
            cells.extend([kept, condition.into()]);
            rows.push(cells);
        }
        rows
    }
}

fn shown(figures: &Figures, solver: &str) -> Shown {
    let (first, cold, updated) = (&figures.first, &figures.cold, &figures.updated);
    let counts = vec![
        ["", "paper", "ours"].map(String::from).to_vec(),
        row("paths of version 1 (Figure 1)", "6", first.leaves.len()),
        row("paths of version 2 (Figure 2)", "6", cold.leaves.len()),
        row("tests kept (Figure 4)", "3", figures.kept()),
        row("tests discarded", "3", figures.discarded()),
        row("new tests", "3", figures.fresh()),
        row("affected ranges (Figure 5)", "1", usize::from(figures.affected.is_some())),
        row("questions without the old tests", "", cold.asked as usize),
        row("questions with them", "", updated.asked as usize),
        row("arms that the old tests decide", "", updated.by_tests as usize),
        row("questions by the paper's rule", "", figures.trusting.asked as usize),
        row("arms that it leaves out unasked", "", figures.trusting.trusted as usize),
        row("paths that it misses", "", cold.leaves.len() - figures.trusting.leaves.len()),
    ];
    let range = match (figures.affected, figures.ranged) {
        (Some((from, to)), Some(paths)) => format!(
            "The affected range has the paths {} to {to}: it lies between the kept tests of the paths \
             {from} and {}. An exploration that is limited to it, from the first test on, has {paths} paths.",
            from + 1,
            to + 1
        ),
        _ => "No path is affected.".into(),
    };
    let is_equal = (figures.kept(), figures.fresh(), figures.discarded()) == (3, 3, 3);
    let has_trees = (first.leaves.len(), cold.leaves.len()) == (6, 6);
    Shown {
        technique: format!(
            "depth first, the true arm first; every arm is asked that no old test decides ({solver} and the \
             native core, no store)"
        ),
        subjects:
            "`subjects/papers/mid`, after the paper's Programs 1 and 2: lines 4 (`<` becomes `<=`) and 8 \
                   (the last answer) differ"
                .into(),
        blocks: vec![
            Block::Table {
                caption: "The trees of both versions, path by path.".into(),
                rows: figures.rows(),
            },
            Block::Table { caption: "In numbers.".into(), rows: counts },
            Block::Text(range),
        ],
        mark: if is_equal {
            Mark::Equal
        } else if has_trees {
            Mark::SameShape
        } else {
            Mark::Differs
        },
        because: format!(
            "The trees are the paper's: 6 paths each, and one affected range that begins behind path 1. A \
             test is kept here if it takes a path of the new version; {} of 6 do. The paper says that test \
             2 (1, 3, 2) does not hold any more, but it satisfies `x <= z` as it satisfied `x < z`: by the \
             paper's own check it is kept, and only {} test is new, not 3.",
            figures.kept(),
            figures.fresh()
        ),
    }
}

fn row(what: &str, paper: &str, ours: usize) -> Vec<String> {
    vec![what.to_string(), paper.to_string(), ours.to_string()]
}

/// Runs it.
pub(super) fn run(work: &mut Work) -> Result<Shown, String> {
    let (subjects, solver) = (work.subjects.clone(), work.solver.clone());
    work.step("mid", || Ok(shown(&Figures::made(&subjects, &solver)?, &solver)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use evergreen_testing::tools::{find, repository};

    #[test]
    fn five_tests_of_mid_are_kept_and_one_is_new() {
        let solver = find("yices-smt2").to_string_lossy().into_owned();
        let figures = Figures::made(&repository().join("subjects"), &solver).expect("explored");
        let conditions =
            |tree: &Tree| tree.leaves.iter().map(|leaf| leaf.condition.clone()).collect::<Vec<_>>();
        assert_eq!(conditions(&figures.cold), conditions(&figures.updated), "old tests change no path");
        assert_eq!((figures.first.leaves.len(), figures.cold.leaves.len()), (6, 6));
        assert_eq!((figures.kept(), figures.fresh(), figures.discarded()), (5, 1, 1));
        assert!(figures.updated.asked < figures.cold.asked);
        // Paths 2 and 3 have other conditions; the range begins with the test before them.
        assert_eq!(figures.affected, Some((1, 3)));
        assert_eq!(figures.ranged, Some(3));
        let changed = figures.rows().iter().filter(|row| row[8] == "changed").count();
        assert_eq!(changed, 2);
    }
}
