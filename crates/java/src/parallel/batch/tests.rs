//! What is unpacked is what was packed.

use super::*;
use evergreen_classfile::Type;
use evergreen_replay::Receiver;

fn common() -> Common {
    let target = Target {
        class: "a.B".into(),
        method: "m".into(),
        descriptor: "(I)I".into(),
        receiver: Receiver::Static,
        hidden: false,
        parameters: vec!["x".into()],
        exceptions: Vec::new(),
    };
    Common { target: Arc::new(target), parameters: 1 }
}

/// Values of all kinds, those at the edges too.
fn values() -> Vec<JavaValue> {
    let array = JavaValue::Array { element: Type::Int, items: vec![JavaValue::Int(-1), JavaValue::Int(4)] };
    let mut all = vec![JavaValue::Null, array, JavaValue::String(vec![0xd800, 7]), JavaValue::Ref(3)];
    all.extend([true, false].map(JavaValue::Boolean));
    all.extend([i8::MIN, 0, i8::MAX].map(JavaValue::Byte));
    all.extend([0, u16::MAX].map(JavaValue::Char));
    all.extend([i16::MIN, i16::MAX].map(JavaValue::Short));
    all.extend([i32::MIN, -65, -1, 0, 63, 64, i32::MAX].map(JavaValue::Int));
    all.extend([i64::MIN, -1, 0, i64::MAX].map(JavaValue::Long));
    all.extend([-0.0, 0.0, f32::NAN, f32::NEG_INFINITY].map(JavaValue::Float));
    all.extend([-0.0, 0.0, f64::NAN, -f64::NAN, f64::MIN].map(JavaValue::Double));
    all
}

/// An end of a path that some number determines.
fn path(n: usize, common: &Common) -> PathEnd {
    let values = values();
    let value = |at: usize| values[at % values.len()].clone();
    let how = match n % 7 {
        0 => How::Returned(None),
        1 => How::Exited(-3),
        2 => How::Cut(["depth", "loops"][n / 7 % 2]),
        3 => How::Threw { class: "E".into(), message: None, place: None },
        _ => How::Returned(Some(value(n / 7))),
    };
    let mut path = PathEnd {
        how,
        position: (0..n as u32 % 20).map(|way| way * 50).collect(),
        inputs: (0..n / 3 % 5).map(|at| (format!("name{}", at * (n % 3 + 1)), value(n + at))).collect(),
        depth: n,
        steps: u64::MAX - n as u64,
        output: if n.is_multiple_of(3) { format!("{n}\n") } else { String::new() },
        taken: n.is_multiple_of(4).then(Vec::new),
        line: n.is_multiple_of(5).then(|| PathLine { text: format!("line {n}"), number_at: Some(2) }),
        ..PathEnd::empty()
    };
    if n.is_multiple_of(11) {
        path.conditions = vec![format!("x > {n}")];
    }
    if !n.is_multiple_of(6) {
        path.case = plain_case(&path, &common.target, common.parameters, None);
    }
    path
}

fn told(path: PathEnd) -> Told {
    let end = One { path: Box::new(path), is_graph: false, is_built: false, is_due: false };
    Told { end, smaller: None, is_outcome: true, kind: None }
}

/// NaN is no NaN, but has the same text.
fn same(one: &PathEnd, other: &PathEnd) -> bool {
    format!("{one:?}") == format!("{other:?}")
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
            let ended = Ended {
                path: (!n.is_multiple_of(9)).then(|| told(path(n, &common))),
                open: n as u64 * 1_000,
            };
            packed += u64::from(batch.add(ended, &common).is_some());
        }
        assert_eq!(batch.len(), 400);
        let mut unpacking = Unpacking::from(batch);
        for n in from..from + 400 {
            let ended = unpacking.next(&mut spare, &common).expect("as many as were added");
            assert_eq!(ended.open, n as u64 * 1_000);
            assert_eq!(ended.path.is_some(), !n.is_multiple_of(9));
            if let Some(told) = ended.path {
                let expected = path(n, &common);
                assert!(same(&told.end.path, &expected), "{:?}\n{expected:?}", told.end.path);
                assert!(told.is_outcome);
                // Its memory is used for the next; not always.
                spare = Some(told.end.path).filter(|_| !n.is_multiple_of(17));
            }
        }
        assert!(unpacking.next(&mut spare, &common).is_none());
    }
    assert!(packed > 800, "{packed} were packed");
}

#[test]
fn a_test_that_is_due_is_made() {
    let common = common();
    for n in 0..400 {
        let expected = PathEnd { case: None, ..path(n, &common) };
        let case = plain_case(&expected, &common.target, common.parameters, None);
        let mut due = told(expected.clone());
        due.end.is_due = matches!(expected.how, How::Returned(_) | How::Exited(_));
        let mut batch = Batch::default();
        batch.add(Ended { path: Some(due), open: 0 }, &common);
        let ended = Unpacking::from(batch).next(&mut None, &common).expect("one");
        let told = ended.path.expect("a path").end.path;
        assert!(same(&told, &PathEnd { case, ..expected }), "{told:?}");
    }
}

#[test]
fn a_packed_path_weighs_little() {
    let common = common();
    let mut batch = Batch::default();
    for n in 0..1_000 {
        let inputs = (0..10).map(|at| (format!("pedal{at}"), JavaValue::Int(n * at))).collect();
        let how = How::Returned(Some(JavaValue::Int(n)));
        let path = PathEnd { inputs, how, position: vec![1; 30], ..PathEnd::empty() };
        assert!(batch.add(Ended { path: Some(told(path)), open: 3 }, &common).is_some());
    }
    assert!(batch.weight() < 100 * 1_000, "{}", batch.weight());
}
