//! Each invariant is equivalent to its class's repOK: evaluated, as clauses, and as a
//! precondition of lazy initialization.

use crate::common::{invariant, rep_ok};
use evergreen_heap::enumerate::{heaps, structures};
use evergreen_heap::eval::{Truth, holds};
use evergreen_heap::invariant::Kind;
use evergreen_heap::{
    FieldId, Fields, Heap, Invariant, Lazy, Object, Partial, Scope, Stop, Technique, Value, explore,
};
use evergreen_testing::heap_subjects::INVARIANTS;
use std::collections::BTreeSet;

/// Reads every field but keys: references in breadth-first order, then the rest.
fn read_all(invariant: &Invariant, fields: &mut dyn Fields) -> Result<bool, Stop> {
    let shape = &invariant.shape;
    // Objects of these shapes: the root object, then nodes.
    let class = |o: Object| evergreen_heap::ClassId(u8::from(o.0 > 0));
    let mut order = vec![Object(0)];
    let mut at = 0;
    while let Some(object) = order.get(at).copied() {
        at += 1;
        for field in shape.forward(class(object)) {
            if let Some(to) = fields.follow(object, field)?
                && !order.contains(&to)
            {
                order.push(to);
            }
        }
    }
    for object in &order {
        for field in shape.fields_of(class(*object)) {
            if *shape.kind(*field) != Kind::Key {
                fields.read(*object, *field)?;
            }
        }
    }
    Ok(true)
}

#[test]
fn evaluation_agrees_with_rep_ok_on_every_candidate() {
    // Class, scope, number of keys; candidates and valid ones among them. With k keys there are C(k,
    // n) ways to sort n of them.
    let expected = [
        ("AvlTree", 2, 3, 3_682, 1 + 3 + 6),
        ("BinTree", 4, 0, 21_091, 1 + 1 + 2 + 5 + 14),
        ("BinomialHeap", 2, 2, 55_551, 1 + 2 + 3),
        ("LinkedList", 3, 0, 3_464, 3),
        ("SearchTree", 3, 3, 89_800, 1 + 3 + 2 * 3 + 5),
        ("SinglyLinkedList", 5, 0, 126, 5),
        ("TreeMap", 2, 3, 55_551, 1 + 3 + 2 * 3),
        ("TreeSet", 3, 3, 177_901, 1 + 3 + 2 * 3 + 2),
    ];
    for (class, n, keys, candidates_expected, valid_expected) in expected {
        let invariant = invariant(class);
        let (mut all, mut valid) = (0, 0);
        heaps(&invariant, &Scope::each(&invariant, n), keys, &mut |heap| {
            let expected = rep_ok(class, &invariant.shape, heap);
            let found = holds(&invariant, heap);
            let shown = || heap.display(&invariant.shape).to_string();
            assert_eq!(found == Truth::True, expected, "{class}:\n{}", shown());
            assert_ne!(found, Truth::Unknown, "{class}:\n{}", shown());
            all += 1;
            valid += u32::from(expected);
        });
        assert_eq!((all, valid), (candidates_expected, valid_expected), "{class}");
    }
}

/// Gives keys that suit a valid structure: in order for trees, by label for heaps.
fn with_keys(invariant: &Invariant, heap: &Heap) -> Heap {
    fn in_order(invariant: &Invariant, heap: &mut Heap, node: Value, next: &mut i32) {
        let shape = &invariant.shape;
        let (Some(left), Some(right), Some(key)) =
            (shape.field("left"), shape.field("right"), shape.field("key"))
        else {
            return;
        };
        if let Value::Object(node) = node {
            in_order(invariant, heap, heap.get(node, left), next);
            heap.set(node, key, Value::Int(*next));
            *next += 1;
            in_order(invariant, heap, heap.get(node, right), next);
        }
    }
    let mut heap = heap.clone();
    let top = heap.get(Object(0), FieldId(0));
    if let Some(key) = invariant.shape.field("key") {
        if invariant.shape.field("left").is_some() {
            in_order(invariant, &mut heap, top, &mut 0);
        } else {
            heap.objects().skip(1).for_each(|o| heap.set(o, key, Value::Int(i32::from(o.0))));
        }
    }
    heap
}

/// A heap with its objects renumbered in breadth-first order and keys left out.
fn canonical(invariant: &Invariant, heap: &Heap) -> String {
    let shape = &invariant.shape;
    let (order, _) = heap.breadth_first(shape);
    let mut copy = Heap::new(shape);
    order.iter().skip(1).for_each(|o| {
        copy.add(heap.class(*o));
    });
    for (label, object) in order.iter().enumerate() {
        for field in shape.fields_of(heap.class(*object)) {
            let value = match heap.get(*object, *field) {
                Value::Object(to) => order
                    .iter()
                    .position(|o| *o == to)
                    .map_or(Value::Null, |l| Value::Object(Object(l as u8))),
                _ if *shape.kind(*field) == Kind::Key => Value::Int(0),
                other => other,
            };
            copy.set(Object(label as u8), *field, value);
        }
    }
    copy.display(shape).to_string()
}

/// Soundness and completeness (Theorems 1 to 3 of the paper): every technique, and the solver, reach
/// the same valid structures.
#[test]
fn all_techniques_and_the_solver_find_the_same_structures() {
    let scopes = [
        ("AvlTree", 6, 19),
        ("BinTree", 6, 197),
        ("BinomialHeap", 7, 8),
        ("LinkedList", 7, 7),
        ("SearchTree", 6, 197),
        ("SinglyLinkedList", 7, 7),
        ("TreeMap", 6, 34),
        ("TreeSet", 6, 34),
    ];
    assert_eq!(scopes.len(), INVARIANTS.len());
    for (class, n, count) in scopes {
        let invariant = invariant(class);
        let scope = Scope::each(&invariant, n);
        let (models, all) = structures(&invariant, &scope, 10_000).unwrap();
        assert!(all);
        for heap in &models {
            let shown = heap.display(&invariant.shape).to_string();
            assert!(rep_ok(class, &invariant.shape, heap), "{class}: repOK refuses\n{shown}");
            assert_eq!(holds(&invariant, heap), Truth::True, "{class}\n{shown}");
        }
        let solved: BTreeSet<String> = models.iter().map(|h| canonical(&invariant, h)).collect();
        assert_eq!(solved.len(), models.len(), "{class}: a structure came twice");
        for technique in Technique::ALL {
            let mut lazy = Lazy::new(&invariant, &scope, technique).unwrap();
            let mut reached = BTreeSet::new();
            let method = |fields: &mut dyn Fields| read_all(&invariant, fields);
            explore(&mut lazy, Partial::new(&invariant), method, |partial| {
                let heap = with_keys(&invariant, &partial.heap);
                let valid = rep_ok(class, &invariant.shape, &heap);
                assert_eq!(holds(&invariant, &heap) == Truth::True, valid, "{class}");
                if valid {
                    reached.insert(canonical(&invariant, &heap));
                }
                true
            });
            assert_eq!(reached, solved, "{class} {technique:?}");
        }
        assert_eq!(solved.len(), count, "{class}");
    }
}
