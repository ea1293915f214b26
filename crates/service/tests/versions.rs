//! Two versions of toy programs, path against path: what pairs of paths say is what every input of the range
//! says.

use crate::programs::{RANGE, count, explore, explore_on, run, store};
use crate::toy::{Code, ToyFrontend, ToyProgram};
use evergreen_service::{Agreement, Compares, Ends, KeptEnds, Options, PairCounts, Pairs};
use evergreen_symbolic::Expr;

impl Compares for ToyFrontend {
    type KeptEnd = Result<Expr, &'static str>;

    fn kept_end(&mut self, outcome: &Result<Expr, &'static str>) -> Option<Self::KeptEnd> {
        Some(*outcome)
    }

    fn ends(old: &Self::KeptEnd, new: &Self::KeptEnd) -> Ends {
        match (old, new) {
            (Ok(old), Ok(new)) => Ends::Values(vec![(*old, *new)]),
            (old, new) if old == new => Ends::Same,
            _ => Ends::Differ,
        }
    }
}

type Inputs = [(&'static str, i64); 2];

/// The counts of all pairs, and inputs on which the versions differ.
fn compared(old: &ToyProgram, new: &ToyProgram) -> (PairCounts, Vec<Inputs>) {
    let store = store();
    let mut before = explore(old, &store);
    let exprs = before.exprs().clone();
    let ends = KeptEnds::default();
    let mut paths = ends.of(before.entry(&old.0[0], &RANGE, Options::default()).expect("it begins"));
    while paths.next_path().is_some() {}
    let kept = ends.take(&paths).expect("no objects were chosen");
    let mut after = explore_on(exprs, new, &store);
    let mut pairs = Pairs::begin(&mut after, &new.0[0], &RANGE, Options::default(), kept).expect("it begins");
    let mut differing = Vec::new();
    while let Some(pair) = pairs.next_pair() {
        assert_eq!(pair.agreement, Agreement::Differs);
        let inputs = pair.end.case.expect("a test").inputs;
        differing.push([("n", inputs[0].1), ("m", inputs[1].1)]);
    }
    (pairs.counts(), differing)
}

/// Whether some input of the range shows a difference.
fn differ(old: &ToyProgram, new: &ToyProgram) -> bool {
    let numbers = || RANGE.0..=RANGE.1;
    let mut all = numbers().flat_map(|n| numbers().map(move |m| [("n", n), ("m", m)]));
    all.any(|inputs| run(&old.0[0], &inputs).1 != run(&new.0[0], &inputs).1)
}

/// The program with another instruction.
fn edited(at: usize, code: Code) -> ToyProgram {
    let mut program = count("3");
    program.0[0].code[at] = code;
    program
}

#[test]
fn pairs_of_paths_say_whether_some_input_makes_a_difference() {
    let old = count("3");
    let versions = [
        count("3"),
        count("4"),
        count("-9"),
        edited(4, Code::Return("n")),
        edited(6, Code::Return("0")),
        edited(6, Code::Return("m")),
        edited(7, Code::Fail("other")),
        edited(3, Code::If("1", "2", 0)),
    ];
    for new in &versions {
        let (counts, differing) = compared(&old, new);
        assert!(counts.pairs > 0 && counts.cut + counts.unknown == 0, "{counts:?}");
        assert_eq!(counts.all_same(), !differ(&old, new), "{new:?}: {counts:?}");
        assert_eq!(counts.differ, differing.len() as u64);
        for inputs in differing {
            assert_ne!(run(&old.0[0], &inputs).1, run(&new.0[0], &inputs).1, "{inputs:?}");
        }
    }
}
