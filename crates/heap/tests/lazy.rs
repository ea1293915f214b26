//! Bounds are tight and grow, verdicts outlive a scope, partial heaps are completed, and repOK alone
//! prunes as the invariant does.

use evergreen_heap::enumerate::structures;
use evergreen_heap::eval::{Truth, holds};
use evergreen_heap::feasible::Verdicts;
use evergreen_heap::lazy::Choice;
use evergreen_heap::search::Search;
use evergreen_heap::{
    Bounds, FieldId, Fields, Heap, Invariant, Lazy, Object, Partial, Scope, Technique, Value, bounds, explore,
};
use evergreen_testing::heap_subjects::{INVARIANTS, Subject, invariant};
use std::cell::RefCell;
use std::collections::HashSet;
use std::rc::Rc;

fn of(class: &str) -> Invariant {
    invariant(class).expect("a known class").unwrap_or_else(|e| panic!("{e}"))
}

fn reference_fields(invariant: &Invariant) -> Vec<FieldId> {
    let all = (0..invariant.shape.fields.len() as u8).map(FieldId);
    all.filter(|f| invariant.shape.target(*f).is_some()).collect()
}

#[test]
fn bounds_hold_exactly_what_some_structure_holds() {
    for (class, _) in INVARIANTS {
        let invariant = of(class);
        let mut previous: Option<Bounds> = None;
        for n in 1..=6 {
            let scope = Scope::each(&invariant, n);
            let found = bounds(&invariant, &scope, previous.as_ref()).unwrap();
            let alone = bounds(&invariant, &scope, None).unwrap();
            let (all, complete) = structures(&invariant, &scope, 10_000).unwrap();
            assert!(complete);
            for field in reference_fields(&invariant) {
                for label in 0..scope.total() {
                    let at = Object(label as u8);
                    let living = |heap: &&Heap| heap.len() > label && heap.get(at, field) != Value::Unknown;
                    let held = all.iter().filter(living).fold(0u64, |set, heap| match heap.get(at, field) {
                        Value::Object(to) => set | 1 << to.0,
                        _ => set,
                    });
                    assert_eq!(found.targets(label, field), held, "{class} {n} {label} {field:?}");
                    assert_eq!(alone.targets(label, field), held);
                    if let Some(previous) = &previous {
                        assert_eq!(previous.targets(label, field) & !held, 0, "bounds shrink");
                    }
                }
            }
            assert!(found.calls <= alone.calls);
            previous = Some(found);
        }
    }
}

/// Verdicts that two runs share.
#[derive(Clone, Default)]
struct Shared(Rc<RefCell<HashSet<Vec<u8>>>>);

impl Verdicts for Shared {
    fn known(&mut self, key: &[u8]) -> bool {
        self.0.borrow_mut().known(key)
    }
    fn record(&mut self, key: &[u8]) {
        self.0.borrow_mut().record(key);
    }
}

#[test]
fn stored_verdicts_serve_larger_scopes() {
    let invariant = of("TreeSet");
    let subject = Subject::find("TreeSet.bfs").expect("a subject");
    let store = Shared::default();
    let mut calls = Vec::new();
    for n in [7, 7, 8] {
        let mut lazy = Lazy::new(&invariant, &Scope::each(&invariant, n), Technique::BlissDb).unwrap();
        lazy.set_verdicts(Box::new(store.clone()));
        let root = invariant.shape.field("root").unwrap();
        let count = explore(
            &mut lazy,
            Partial::new(&invariant),
            |fields| match fields.follow(Object(0), root)? {
                Some(_) => (subject.method)(&invariant.shape, fields),
                None => Ok(false),
            },
            |_| true,
        );
        assert_eq!(count, [55, 95][usize::from(n == 8)]);
        calls.push((lazy.counters().sat, lazy.counters().by_store > 0));
    }
    assert!(calls[0].0 > 0);
    // All that is feasible was feasible in the first run.
    assert_eq!(calls[1].0, 0);
    assert!(calls[1].1 && calls[2].1);
}

/// Whether `whole` agrees with what `part` knows, object by object.
fn extends(invariant: &Invariant, part: &Heap, whole: &Heap, places: &[Object]) -> bool {
    let place = |o: Object| places[usize::from(o.0)];
    part.objects().all(|o| {
        let fields = invariant.shape.fields_of(part.class(o)).iter();
        part.class(o) == whole.class(place(o))
            && fields.clone().all(|f| match part.get(o, *f) {
                Value::Unknown => true,
                Value::Object(to) => whole.get(place(o), *f) == Value::Object(place(to)),
                other => whole.get(place(o), *f) == other,
            })
    })
}

/// Every partial heap at the end of a path is completed if and only if some valid structure extends it.
#[test]
fn partial_heaps_are_completed_to_valid_ones() {
    let mut counts = Vec::new();
    for (name, n) in
        [("TreeSet.contains", 6), ("AvlTree.contains", 6), ("LinkedList.add", 5), ("BinTree.dfs", 4)]
    {
        let subject = Subject::find(name).expect("a subject");
        let invariant = of(subject.class());
        let scope = Scope::each(&invariant, n);
        let (all, complete) = structures(&invariant, &scope, 10_000).unwrap();
        assert!(complete);
        let mut ends = Vec::new();
        let mut lazy = Lazy::new(&invariant, &scope, Technique::Li).unwrap();
        let method = |fields: &mut dyn Fields| (subject.method)(&invariant.shape, fields);
        explore(&mut lazy, Partial::new(&invariant), method, |partial| {
            ends.push(partial.clone());
            true
        });
        let mut found = 0;
        for end in &ends {
            match lazy.complete(end).unwrap() {
                Some((whole, places)) => {
                    assert_eq!(holds(&invariant, &whole), Truth::True, "{name}");
                    assert!(extends(&invariant, &end.heap, &whole, &places), "{name}");
                    found += 1;
                }
                // The places of objects in a structure follow from the paths to them.
                None => assert!(!all.iter().any(|whole| embeds(&invariant, &end.heap, whole)), "{name}"),
            }
        }
        counts.push((ends.len(), found));
    }
    // Ways down of up to six nodes; a red-black tree of six nodes has at most four levels, an AVL tree three.
    assert_eq!(counts, [(63, 15), (63, 7), (2, 2), (23, 23)]);
}

/// Whether a structure extends a partial heap, its objects found along the known fields from the root.
fn embeds(invariant: &Invariant, part: &Heap, whole: &Heap) -> bool {
    let mut places = vec![None; part.len()];
    places[0] = Some(Object(0));
    for _ in part.objects() {
        for o in part.objects() {
            let Some(place) = places[usize::from(o.0)] else { continue };
            for field in invariant.shape.fields_of(part.class(o)) {
                if let (Value::Object(to), Value::Object(there)) =
                    (part.get(o, *field), whole.get(place, *field))
                {
                    places[usize::from(to.0)].get_or_insert(there);
                }
            }
        }
    }
    let Some(places) = places.into_iter().collect::<Option<Vec<Object>>>() else { return false };
    let distinct: HashSet<Object> = places.iter().copied().collect();
    distinct.len() == places.len() && extends(invariant, part, whole, &places)
}

#[test]
fn rep_ok_alone_prunes_what_the_invariant_prunes() {
    for (name, rep_ok, n, expected) in [
        ("TreeSet.dfs", "TreeSet.repOK", 6, 26),
        ("AvlTree.dfs", "AvlTree.repOK", 6, 18),
        ("BinomialHeap.bfs", "BinomialHeap.repOK", 5, 6),
        ("LinkedList.repOK", "LinkedList.repOK", 6, 6),
    ] {
        let subject = Subject::find(name).expect("a subject");
        let rep_ok = Subject::find(rep_ok).expect("a subject").method;
        let invariant = of(subject.class());
        let shape = &invariant.shape;
        let scope = Scope::each(&invariant, n);
        let mut search =
            Search::new(&invariant, &scope, |fields: &mut dyn Fields| rep_ok(shape, fields)).unwrap();
        let mut lazy = Lazy::new(&invariant, &scope, Technique::Li).unwrap();
        lazy.set_precondition(Box::new(move |heap| search.feasible(heap)));
        let top = shape.fields_of(evergreen_heap::ClassId(0))[0];
        let method = |fields: &mut dyn Fields| {
            if subject.filled && fields.follow(Object(0), top)?.is_none() {
                return Ok(false);
            }
            (subject.method)(shape, fields)
        };
        let count = explore(&mut lazy, Partial::new(&invariant), method, |_| true);
        assert_eq!(count, expected, "{name}");
    }
}

#[test]
fn choices_come_in_order_and_are_undone() {
    let invariant = of("BinTree");
    let scope = Scope::each(&invariant, 3);
    let mut lazy = Lazy::new(&invariant, &scope, Technique::Li).unwrap();
    lazy.set_precondition(Box::new(|_| true));
    let mut partial = Partial::new(&invariant);
    let (root, left) = (invariant.shape.field("root").unwrap(), invariant.shape.field("left").unwrap());
    let node = invariant.shape.class("Node").unwrap();
    let before = partial.clone();
    assert_eq!(lazy.candidates(&mut partial, Object(0), root), [Choice::Null, Choice::New(node)]);
    assert_eq!(partial, before);
    lazy.apply(&mut partial, Object(0), root, Choice::New(node));
    let expected = [Choice::Null, Choice::Existing(Object(1)), Choice::New(node)];
    assert_eq!(lazy.candidates(&mut partial, Object(1), left), expected);
    let before = partial.clone();
    let (undo, _) = lazy.apply(&mut partial, Object(1), left, Choice::New(node));
    lazy.undo(&mut partial, undo);
    assert_eq!(partial, before);
}

/// Objects of several classes share one breadth-first order.
#[test]
fn several_classes_have_one_labelling() {
    let invariant = evergreen_heap::parse(
        "root class Map { head: Entry, spare: Value }
         class Entry { value: Value, next: Entry }
         class Value { home: Entry }
         invariant ends: all e in Entry: e !in e.^next && some e.value
         invariant homes: all v in Value: v.home in v.~value",
    )
    .unwrap_or_else(|e| panic!("{e}"));
    let shape = &invariant.shape;
    let scope = Scope::each(&invariant, 2);
    let (all, complete) = structures(&invariant, &scope, 10_000).unwrap();
    assert!(complete);
    let solved: HashSet<String> = all.iter().map(|h| h.display(shape).to_string()).collect();
    assert_eq!(solved.len(), all.len());
    let entry = shape.class("Entry").unwrap();
    for technique in Technique::ALL {
        let mut lazy = Lazy::new(&invariant, &scope, technique).unwrap();
        let mut reached = HashSet::new();
        let method = |fields: &mut dyn Fields| {
            // Breadth first, so that objects are made in the order of their labels.
            let mut queue = vec![(Object(0), evergreen_heap::ClassId(0))];
            let mut at = 0;
            while let Some((object, class)) = queue.get(at).copied() {
                at += 1;
                for field in shape.forward(class) {
                    if let Some(to) = fields.follow(object, field)?
                        && queue.iter().all(|q| q.0 != to)
                    {
                        queue.push((to, shape.target(field).unwrap_or(entry)));
                    }
                }
            }
            Ok(true)
        };
        explore(&mut lazy, Partial::new(&invariant), method, |partial| {
            if holds(&invariant, &partial.heap) == Truth::True {
                assert!(reached.insert(partial.heap.display(shape).to_string()));
            }
            true
        });
        assert_eq!(reached, solved, "{technique:?}");
    }
    assert_eq!(solved.len(), 43);
}

/// The methods' own repOK agrees with the invariant once all fields are known; before, it may be undecided.
#[test]
fn rep_ok_on_what_is_known() {
    use evergreen_heap::drive::known;
    let invariant = of("BinTree");
    let shape = &invariant.shape;
    let rep_ok = Subject::find("BinTree.repOK").expect("a subject").method;
    let check = |heap: &Heap| known(heap, |fields| rep_ok(shape, fields));
    let node = shape.class("Node").unwrap();
    let [root, left, right] = ["root", "left", "right"].map(|f| shape.field(f).unwrap());
    let mut heap = Heap::new(shape);
    assert_eq!(check(&heap), None);
    let (a, b) = (heap.add(node), heap.add(node));
    heap.set(Object(0), root, Value::Object(a));
    heap.set(a, left, Value::Object(b));
    heap.set(b, left, Value::Object(a));
    // A cycle behind an unknown field.
    assert_eq!((check(&heap), holds(&invariant, &heap)), (None, Truth::False));
    heap.set(a, right, Value::Null);
    assert_eq!(check(&heap), Some(false));
    heap.set(b, left, Value::Null);
    heap.set(b, right, Value::Null);
    assert_eq!((check(&heap), holds(&invariant, &heap)), (Some(true), Truth::True));
}

/// The refusals without evaluation are refusals of the invariant: with and without them, the same structures
/// are found and the same choices are dropped.
#[test]
fn refusing_at_a_glance_changes_nothing_but_the_time() {
    for subject in evergreen_testing::heap_subjects::SUBJECTS {
        let invariant = of(subject.class());
        let scope = Scope::each(&invariant, 4);
        for technique in [Technique::Li, Technique::Bli, Technique::Rbli, Technique::Bliss] {
            let run = |lazy: &mut Lazy<'_>| {
                let mut found = Vec::new();
                let method = |fields: &mut dyn Fields| (subject.method)(&invariant.shape, fields);
                explore(lazy, Partial::new(&invariant), method, |partial| {
                    found.push(partial.clone());
                    true
                });
                (found, lazy.pruned)
            };
            let mut quick = Lazy::new(&invariant, &scope, technique).unwrap();
            let mut slow = Lazy::new(&invariant, &scope, technique).unwrap();
            let evaluated = invariant.clone();
            slow.set_precondition(Box::new(move |heap| holds(&evaluated, heap) != Truth::False));
            assert_eq!(run(&mut quick), run(&mut slow), "{} {technique:?}", subject.name);
        }
    }
}
