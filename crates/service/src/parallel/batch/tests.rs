//! What is unpacked is what was packed.

use super::*;
use crate::{Entry, EntryKey};
use evergreen_suite::line::Line;
use evergreen_suite::{Flaw, Format};

/// A language whose paths pack: whole numbers and truth values in few bytes, texts moved as they are.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Tight;

#[derive(Clone, PartialEq, Debug, Default)]
enum Plain {
    #[default]
    Nothing,
    Truth(bool),
    Whole(i64),
    Text(String),
}

/// A test: what all tests of the function share, its arguments, its draws, its result.
#[derive(Clone, PartialEq, Debug)]
struct Case {
    target: Arc<String>,
    arguments: Vec<Plain>,
    draws: Vec<(String, Plain)>,
    result: Option<Plain>,
}

#[derive(Clone, PartialEq, Debug, Default)]
struct Extra {
    objects: usize,
    taken: Option<Vec<u8>>,
}

impl Beyond for Extra {
    fn is_empty(&self) -> bool {
        *self == Extra::default()
    }

    fn is_plain(&self) -> bool {
        self.objects == 0
    }

    fn weight(&self) -> usize {
        self.taken.as_ref().map_or(0, Vec::len)
    }
}

#[derive(Clone, PartialEq, Debug)]
struct Function;

impl std::fmt::Display for Function {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("f")
    }
}

impl Entry for Function {
    fn key(&self) -> EntryKey {
        EntryKey::default()
    }

    fn parameter_names(&self) -> Vec<&str> {
        vec!["x"]
    }
}

/// Nothing here is written into suites.
impl Format for Tight {
    type Target = String;
    type Case = Case;
    type Body = ();
    type SourceOptions = ();

    fn unit(target: &String) -> &str {
        target
    }

    fn name(target: &String) -> &str {
        target
    }

    fn read_heading(_: &str, line: &mut Line<'_>) -> Result<String, Flaw> {
        Err(line.flaw("no suites"))
    }

    fn target(case: &Case) -> &Arc<String> {
        &case.target
    }

    fn inputs(_: &Case, _: &String) -> Vec<String> {
        Vec::new()
    }

    fn outcome(_: &Case) -> Vec<String> {
        Vec::new()
    }

    fn body(_: &Arc<String>) {}

    fn read_line((): &mut (), line: &mut Line<'_>) -> Result<(), Flaw> {
        Err(line.flaw("no suites"))
    }

    fn end((): ()) -> Result<Case, String> {
        Err("no suites".into())
    }

    fn test_name(_: &Case) -> String {
        String::new()
    }
}

impl Language for Tight {
    type Entry = Function;
    type Inputs = ();
    type Value = Plain;
    type Beyond = Extra;
    type Counts = ();
    type Within = ();

    const MAKES_CASES_LATER: bool = true;

    fn pack(value: &Plain) -> Option<Packed> {
        let (tag, number) = match value {
            Plain::Nothing => (0, None),
            Plain::Truth(is) => (1 + u8::from(*is), None),
            Plain::Whole(n) => (63, Some(*n)),
            Plain::Text(_) => return None,
        };
        Some(Packed { tag, number })
    }

    fn unpack(Packed { tag, number }: Packed) -> Plain {
        match (tag, number) {
            (63, Some(n)) => Plain::Whole(n),
            (1 | 2, None) => Plain::Truth(tag == 2),
            _ => Plain::Nothing,
        }
    }

    fn plain_case(
        path: &PathEnd<Tight>,
        target: &Arc<String>,
        parameters: usize,
        memory: Option<Case>,
    ) -> Option<Case> {
        let How::Returned(result) = &path.how else { return None };
        let split = parameters.min(path.inputs.len());
        let mut arguments = memory.map_or_else(Vec::new, |old| old.arguments);
        arguments.clear();
        arguments.extend(path.inputs[..split].iter().map(|(_, value)| value.clone()));
        let (draws, target) = (path.inputs[split..].to_vec(), target.clone());
        Some(Case { target, arguments, draws, result: result.clone() })
    }

    fn is_plain_case(case: &Case, target: &Arc<String>) -> bool {
        Arc::ptr_eq(&case.target, target)
    }
}

fn common() -> Common<Tight> {
    Common { target: Arc::new("f".into()), parameters: 1 }
}

/// Values of all kinds, those at the edges too.
fn values() -> Vec<Plain> {
    let mut all = vec![Plain::Nothing, Plain::Text("é".into()), Plain::Text(String::new())];
    all.extend([true, false].map(Plain::Truth));
    all.extend([i64::MIN, -65, -64, -1, 0, 63, 64, 8191, 8192, i64::MAX].map(Plain::Whole));
    all
}

/// An end of a path that some number determines.
fn path(n: usize, common: &Common<Tight>) -> PathEnd<Tight> {
    let values = values();
    let value = |at: usize| values[at % values.len()].clone();
    let how = match n % 7 {
        0 => How::Returned(None),
        1 => How::Exited(-3),
        2 => How::Cut(["depth", "loops"][n / 7 % 2]),
        3 => How::Threw {
            class: "E".into(),
            message: None,
            place: None,
            severity: crate::Severity::Unexpected,
        },
        _ => How::Returned(Some(value(n / 7))),
    };
    let taken = n.is_multiple_of(4).then(|| vec![n as u8; n % 5]);
    let mut path = PathEnd {
        how,
        position: (0..n as u32 % 20).map(|way| way * 50).collect(),
        inputs: (0..n / 3 % 5).map(|at| (format!("name{}", at * (n % 3 + 1)), value(n + at))).collect(),
        depth: n,
        steps: u64::MAX - n as u64,
        output: if n.is_multiple_of(3) { format!("{n}\n") } else { String::new() },
        line: n.is_multiple_of(5).then(|| PathLine { text: format!("line {n}"), number_at: Some(2) }),
        beyond: Extra { objects: usize::from(n.is_multiple_of(13)), taken },
        ..PathEnd::empty()
    };
    if n.is_multiple_of(11) {
        path.conditions = vec![format!("x > {n}")];
    }
    if !n.is_multiple_of(6) {
        path.case = Tight::plain_case(&path, &common.target, common.parameters, None);
    }
    path
}

fn ready(path: PathEnd<Tight>) -> ReadyEnd<Tight> {
    let end = One { path: Box::new(path), is_graph: false, is_built: false, is_due: false };
    ReadyEnd { end, smaller: None, is_outcome: true, kind: None }
}

#[test]
fn what_is_unpacked_is_what_was_packed() {
    let common = common();
    let mut spare = Some(Box::new(path(12, &common)));
    spare.iter_mut().for_each(|spare| spare.seeds.push(3));
    let mut packed = 0;
    for from in [0_usize, 1_000, 5] {
        let mut batch = Batch::default();
        for n in from..from + 400 {
            let path = (!n.is_multiple_of(9)).then(|| ready(path(n, &common)));
            let ended = Ended { path, open: n as u64 * 1_000 };
            packed += u64::from(batch.add(ended, &common).is_some());
        }
        assert_eq!(batch.len(), 400);
        let mut unpacking = Unpacking::from(batch);
        for n in from..from + 400 {
            let ended = unpacking.next(&mut spare, &common).expect("as many as were added");
            assert_eq!(ended.open, n as u64 * 1_000);
            assert_eq!(ended.path.is_some(), !n.is_multiple_of(9));
            if let Some(ready) = ended.path {
                assert_eq!(*ready.end.path, path(n, &common));
                assert!(ready.is_outcome);
                // Its memory is used for the next; not always.
                spare = Some(ready.end.path).filter(|_| !n.is_multiple_of(17));
            }
        }
        assert!(unpacking.next(&mut spare, &common).is_none());
    }
    assert!(packed > 700, "{packed} were packed");
}

#[test]
fn a_test_that_is_due_is_made() {
    let common = common();
    for n in 0..400 {
        let expected = PathEnd { case: None, ..path(n, &common) };
        let case = Tight::plain_case(&expected, &common.target, common.parameters, None);
        let mut due = ready(expected.clone());
        due.end.is_due = matches!(expected.how, How::Returned(_) | How::Exited(_));
        let mut batch = Batch::default();
        batch.add(Ended { path: Some(due), open: 0 }, &common);
        let ended = Unpacking::from(batch).next(&mut None, &common).expect("one");
        assert_eq!(*ended.path.expect("a path").end.path, PathEnd { case, ..expected });
    }
}

#[test]
fn a_packed_path_weighs_little() {
    let common = common();
    let mut batch = Batch::default();
    for n in 0..1_000 {
        let inputs = (0..10).map(|at| (format!("pedal{at}"), Plain::Whole(n * at))).collect();
        let how = How::Returned(Some(Plain::Whole(n)));
        let path = PathEnd { inputs, how, position: vec![1; 30], ..PathEnd::empty() };
        assert!(batch.add(Ended { path: Some(ready(path)), open: 3 }, &common).is_some());
    }
    assert!(batch.weight() < 100 * 1_000, "{}", batch.weight());
}
