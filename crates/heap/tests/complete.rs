//! Completions of partial heaps: each valid shape that extends one comes once, smaller
//! ones first, and no other.

use evergreen_heap::enumerate::structures;
use evergreen_heap::eval::{Truth, holds};
use evergreen_heap::feasible::{Completed, Feasibility};
use evergreen_heap::{FieldId, Heap, Invariant, Object, Scope, Value};
use evergreen_testing::heap_subjects::{INVARIANTS, invariant};
use std::collections::BTreeSet;
use std::rc::Rc;

type Embedding = (Vec<(u8, Vec<Value>)>, Vec<Object>);

/// Classes and references, in words that can be compared.
fn shape(invariant: &Invariant, heap: &Heap) -> Vec<(u8, Vec<Value>)> {
    let of = |object| {
        let fields = invariant.shape.fields_of(heap.class(object)).iter();
        let references = fields.filter(|f| invariant.shape.target(**f).is_some());
        (heap.class(object).0, references.map(|f| heap.get(object, *f)).collect())
    };
    heap.objects().map(of).collect()
}

/// Where the objects of a partial heap are in a complete one, if it extends it. Every object must
/// be reached by known fields.
fn embed(invariant: &Invariant, partial: &Heap, whole: &Heap) -> Option<Vec<Object>> {
    let mut places = vec![None; partial.len()];
    places[0] = Some(Object(0));
    let mut open = vec![Object(0)];
    while let Some(object) = open.pop() {
        let here = places[usize::from(object.0)]?;
        if partial.class(object) != whole.class(here) {
            return None;
        }
        for field in invariant.shape.fields_of(partial.class(object)) {
            match (partial.get(object, *field), whole.get(here, *field)) {
                (Value::Unknown, _) => {}
                (Value::Object(to), Value::Object(there)) => match places[usize::from(to.0)] {
                    Some(known) if known != there => return None,
                    Some(_) => {}
                    None if places.contains(&Some(there)) => return None,
                    None => {
                        places[usize::from(to.0)] = Some(there);
                        open.push(to);
                    }
                },
                (a, b) if a == b => {}
                _ => return None,
            }
        }
    }
    places.into_iter().collect()
}

/// A part of a valid heap: every n-th reference forgotten, with all that is not reached any
/// more, and all plain values.
fn part(invariant: &Invariant, heap: &Heap, forget: usize) -> Heap {
    let shape = &invariant.shape;
    let mut partial = Heap::new(shape);
    let mut made = vec![None; heap.len()];
    made[0] = Some(Object(0));
    let mut open = vec![Object(0)];
    let mut count = 0;
    // The last found first: not in breadth-first order.
    while let Some(object) = open.pop() {
        let here = made[usize::from(object.0)].expect("made");
        let fields: Vec<FieldId> = shape.fields_of(heap.class(object)).to_vec();
        for field in fields.into_iter().filter(|f| shape.target(*f).is_some()) {
            count += 1;
            if count % forget == 0 {
                continue;
            }
            let value = match heap.get(object, field) {
                Value::Object(to) => {
                    let there = made[usize::from(to.0)].unwrap_or_else(|| {
                        open.push(to);
                        partial.add(heap.class(to))
                    });
                    made[usize::from(to.0)] = Some(there);
                    Value::Object(there)
                }
                other => other,
            };
            partial.set(here, field, value);
        }
    }
    partial
}

#[test]
fn every_shape_that_extends_a_heap_comes_once() {
    let mut asked = 0;
    for (name, _) in INVARIANTS {
        let invariant =
            Rc::new(invariant(name).expect("a known class").unwrap_or_else(|e| panic!("{name}: {e}")));
        let scope = Scope::each(&invariant, 5);
        let (all, whole) = structures(&invariant, &scope, 10_000).expect("a small scope");
        assert!(whole, "{name}");
        let mut feasibility = Feasibility::new(invariant.clone(), &scope).expect("a small scope");
        let mut partials = vec![Heap::new(&invariant.shape)];
        for (at, heap) in all.iter().enumerate().step_by(all.len() / 6 + 1) {
            partials.push(part(&invariant, heap, 2 + at % 4));
        }
        for partial in &partials {
            let embedded = all.iter().filter_map(|heap| {
                embed(&invariant, partial, heap).map(|places| (shape(&invariant, heap), places))
            });
            let expected: BTreeSet<Embedding> = embedded.collect();
            let mut found: BTreeSet<Embedding> = BTreeSet::new();
            let mut size = 0;
            let mut completing = feasibility.begin(partial).expect("within the scope");
            loop {
                match feasibility.next(&mut completing) {
                    Completed::Heap(heap, places) => {
                        assert_eq!(holds(&invariant, &heap), Truth::True, "{name}");
                        assert!(size <= heap.len(), "{name}: {size} before {}", heap.len());
                        size = heap.len();
                        let shown = heap.display(&invariant.shape).to_string();
                        assert!(found.insert((shape(&invariant, &heap), places)), "{name}: again\n{shown}");
                    }
                    Completed::None => break,
                    Completed::Unknown => panic!("{name}: the solver failed"),
                }
            }
            feasibility.end(completing);
            assert_eq!(found, expected, "{name}:\n{}", partial.display(&invariant.shape));
            assert!(!found.is_empty(), "{name}");
            asked += found.len();
        }
    }
    assert!(asked > 200, "{asked}");
}
