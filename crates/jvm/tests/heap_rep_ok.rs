//! The subjects' own repOK, run by the machine, and their invariants accept the same structures: all of a
//! small scope, and in larger ones all that are valid and all that differ from a valid one in one field.

use crate::common::structures::{Bound, Call, Subjects, invariant, run_on};
use evergreen_heap::enumerate::{heaps, structures};
use evergreen_heap::eval::{Truth, holds};
use evergreen_heap::invariant::Kind;
use evergreen_heap::{Heap, Invariant, Object, Scope, Shape, Value as Held};
use evergreen_jvm::{Ending, MethodId, Value};
use evergreen_testing::heap_subjects::INVARIANTS;

/// A class, its invariant, and how to ask its repOK.
struct Asked<'a> {
    subjects: &'a mut Subjects,
    bound: Bound,
    invariant: &'a Invariant,
    rep_ok: MethodId,
}

impl<'a> Asked<'a> {
    fn new(subjects: &'a mut Subjects, class: &'static str, invariant: &'a Invariant) -> Asked<'a> {
        let bound = Bound::new(&mut subjects.jvm, class, invariant);
        let rep_ok = subjects.static_call(&rep_ok(class));
        Asked { invariant, bound, rep_ok, subjects }
    }

    /// The verdict of repOK on a complete heap.
    fn rep_ok(&mut self, heap: &Heap) -> bool {
        match run_on(self.subjects, &self.bound, self.invariant, self.rep_ok, heap, &[]) {
            Ending::Returned(Some(Value::Int(said))) => said != 0,
            other => panic!("repOK ends with {other:?} of\n{}", heap.display(&self.invariant.shape)),
        }
    }

    /// Asks both, and returns their common verdict.
    fn agree(&mut self, heap: &Heap) -> bool {
        let said = self.rep_ok(heap);
        let expected = if said { Truth::True } else { Truth::False };
        let shown = || heap.display(&self.invariant.shape).to_string();
        assert_eq!(holds(self.invariant, heap), expected, "repOK says {said} of\n{}", shown());
        said
    }
}

fn rep_ok(class: &'static str) -> Call {
    Call { class, method: "repOK", descriptor: "()Z" }
}

fn compiled() -> Subjects {
    Subjects::compile(&INVARIANTS.map(|(class, _)| rep_ok(class)))
}

#[test]
fn rep_ok_accepts_what_the_invariant_accepts_in_small_scopes() {
    let mut subjects = compiled();
    // Class, scope, number of keys; heaps and valid ones among them. With k keys there are C(k,
    // n) ways to sort n of them.
    let expected = [
        ("AvlTree", 2, 3, 3_682, 1 + 3 + 6),
        ("BinTree", 4, 0, 21_091, 1 + 1 + 2 + 5 + 14),
        ("BinomialHeap", 2, 2, 55_551, 1 + 2 + 3),
        ("LinkedList", 4, 0, 105_455, 4),
        ("SearchTree", 3, 3, 89_800, 1 + 3 + 2 * 3 + 5),
        ("SinglyLinkedList", 7, 0, 288, 7),
        ("TreeMap", 2, 3, 55_551, 1 + 3 + 2 * 3),
        ("TreeSet", 3, 3, 177_901, 1 + 3 + 2 * 3 + 2),
    ];
    assert_eq!(expected.len(), INVARIANTS.len());
    for (class, n, keys, all, valid) in expected {
        let invariant = invariant(class);
        let mut asked = Asked::new(&mut subjects, class, &invariant);
        let (mut seen, mut accepted) = (0, 0);
        heaps(&invariant, &Scope::each(&invariant, n), keys, &mut |heap| {
            seen += 1;
            accepted += u32::from(asked.agree(heap));
        });
        assert_eq!((seen, accepted), (all, valid), "{class}");
    }
}

/// The part of a heap that is reached from the root.
fn reached(shape: &Shape, heap: &Heap) -> Heap {
    let mut order = vec![Object(0)];
    let mut at = 0;
    while let Some(object) = order.get(at).copied() {
        at += 1;
        for field in shape.fields_of(heap.class(object)) {
            if let Held::Object(to) = heap.get(object, *field)
                && !order.contains(&to)
            {
                order.push(to);
            }
        }
    }
    let place = |o: Object| order.iter().position(|other| *other == o).map(|at| Object(at as u8));
    let mut part = Heap::new(shape);
    for object in &order[1..] {
        part.add(heap.class(*object));
    }
    for (at, object) in order.iter().enumerate() {
        for field in shape.fields_of(heap.class(*object)) {
            let value = match heap.get(*object, *field) {
                Held::Object(to) => place(to).map_or(Held::Null, Held::Object),
                other => other,
            };
            part.set(Object(at as u8), *field, value);
        }
    }
    part
}

/// The structure with keys that do not depend on what the solver chose: by label if that
/// is valid, else their ranks.
fn settled(invariant: &Invariant, heap: &Heap) -> Heap {
    let shape = &invariant.shape;
    let Some(key) = shape.field("key") else { return heap.clone() };
    let nodes: Vec<Object> = heap.objects().skip(1).collect();
    let with = |value: &dyn Fn(Object) -> i32| {
        let mut other = heap.clone();
        nodes.iter().for_each(|node| other.set(*node, key, Held::Int(value(*node))));
        other
    };
    let labelled = with(&|node| i32::from(node.0));
    if holds(invariant, &labelled) == Truth::True {
        return labelled;
    }
    let is_below = |a: Object, b: Object| heap.get(a, key) < heap.get(b, key);
    with(&|node| nodes.iter().filter(|other| is_below(**other, node)).count() as i32)
}

/// All heaps that differ from a complete one in one field; integers by up to two, keys by any rank.
fn changed(shape: &Shape, heap: &Heap, see: &mut dyn FnMut(&Heap)) {
    for object in heap.objects() {
        for field in shape.fields_of(heap.class(object)) {
            let now = heap.get(object, *field);
            let others: Vec<Held> = match (shape.target(*field), now) {
                (Some(target), _) => {
                    let fitting = heap.objects().filter(|o| shape.is(heap.class(*o), target));
                    fitting.map(Held::Object).chain([Held::Null]).collect()
                }
                (None, Held::Int(_)) if *shape.kind(*field) == Kind::Key => {
                    (-1..=heap.len() as i32).map(Held::Int).collect()
                }
                (None, Held::Int(n)) => match shape.range(*field, heap.len()) {
                    Some((0, 1)) => vec![Held::Int(1 - n)],
                    _ => (n - 2..=n + 2).map(Held::Int).collect(),
                },
                (None, other) => panic!("{other:?}"),
            };
            for other in others.into_iter().filter(|other| *other != now) {
                let mut next = heap.clone();
                next.set(object, *field, other);
                see(&reached(shape, &next));
            }
        }
    }
}

#[test]
fn rep_ok_and_the_invariant_refuse_the_same_changes_of_valid_structures() {
    let mut subjects = compiled();
    // Class, scope; valid structures, their changes, and those of them that are valid.
    let expected = [
        ("AvlTree", 9, 112, 26_406, 1_448),
        ("BinTree", 7, 626, 58_283, 13_057),
        ("BinomialHeap", 13, 14, 3_966, 500),
        ("LinkedList", 10, 10, 865, 45),
        ("SearchTree", 6, 197, 22_259, 588),
        ("SinglyLinkedList", 8, 8, 272, 28),
        ("TreeMap", 8, 123, 28_129, 366),
        ("TreeSet", 8, 123, 21_572, 1_310),
    ];
    assert_eq!(expected.len(), INVARIANTS.len());
    for (class, n, count, changes, kept) in expected {
        let invariant = invariant(class);
        let (valid, all) =
            structures(&invariant, &Scope::each(&invariant, n), 10_000).expect("a small scope");
        assert!(all);
        let mut asked = Asked::new(&mut subjects, class, &invariant);
        let (mut seen, mut accepted) = (0, 0);
        for heap in &valid {
            let heap = &settled(&invariant, heap);
            assert!(asked.agree(heap), "{class}:\n{}", heap.display(&invariant.shape));
            changed(&invariant.shape, heap, &mut |heap| {
                seen += 1;
                accepted += u32::from(asked.agree(heap));
            });
        }
        assert_eq!((valid.len(), seen, accepted), (count, changes, kept), "{class}");
    }
}
