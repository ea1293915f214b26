//! Field bounds and verdicts in stores: what is reused, and what a store full of lies can do.

use evergreen::Trust;
use evergreen::store::{Memory, OpenOptions, Store, open};
use evergreen_java::heap::feasible::Verdicts;
use evergreen_java::heap::{Bounds, Invariant, Scope, Technique, parse};
use evergreen_java::{HeapEntry, HeapStore, heap_entry};
use evergreen_testing::heap_subjects::{INVARIANTS, Subject, run_with};
use evergreen_testing::redis::RedisServer;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::Arc;

fn tree_set() -> (&'static str, Rc<Invariant>) {
    let text = INVARIANTS.iter().find(|(name, _)| *name == "TreeSet").expect("a subject").1;
    (text, Rc::new(parse(text).unwrap_or_else(|e| panic!("{e}"))))
}

fn memory() -> Arc<dyn Store> {
    Arc::new(Memory::new(16 << 20))
}

fn known(store: &Arc<dyn Store>, trust: Trust) -> HeapStore {
    HeapStore::new(store.clone(), trust, "", tree_set().0)
}

/// The bounds of so many nodes.
fn bounds(store: &HeapStore, nodes: usize) -> Bounds {
    let invariant = tree_set().1;
    store
        .known_or_computed(&invariant, &Scope::each(&invariant, nodes), &mut |_, _| true)
        .expect("a small scope")
}

/// Structures, and questions whose answer was sat, of BLISSDB with a store.
fn explored(store: &HeapStore, nodes: usize) -> (u64, u64) {
    let invariant = tree_set().1;
    let scope = Scope::each(&invariant, nodes);
    let mut lazy = store.lazy(invariant, &scope, Technique::BlissDb).expect("a small scope");
    let report = run_with(Subject::find("TreeSet.bfs").expect("a subject"), &mut lazy, |_| true);
    (report.structures, report.counters.sat)
}

/// The same bounds, however they were found.
fn same(a: &Bounds, b: &Bounds) -> bool {
    a.to_bytes() == b.to_bytes() && a.scope() == b.scope()
}

#[test]
fn a_scope_starts_from_the_one_before_and_is_asked_once() {
    let store = memory();
    let alone = bounds(&known(&memory(), Trust::Local), 8);
    let climbing = known(&store, Trust::Local);
    bounds(&climbing, 7);
    let after = bounds(&climbing, 8);
    assert!(same(&alone, &after));
    assert!(after.sat < alone.sat && after.calls < alone.calls, "{} of {}", after.calls, alone.calls);
    let again = bounds(&climbing, 8);
    assert!(same(&alone, &again));
    assert_eq!(again.calls, 0);
    // It is unknown to another invariant, and to another namespace.
    assert!(
        HeapStore::new(store.clone(), Trust::Local, "other", tree_set().0)
            .bounds(&tree_set().1, alone.scope())
            .is_none()
    );
}

#[test]
fn verdicts_hold_for_their_scope_and_larger_ones() {
    let store = memory();
    let invariant = tree_set().1;
    let of = |nodes| {
        known(&store, Trust::Local).verdicts(&invariant, &Scope::each(&invariant, nodes)).expect("a scope")
    };
    of(5).record(b"prefix");
    assert!(of(5).known(b"prefix") && of(6).known(b"prefix"));
    assert!(!of(4).known(b"prefix") && !of(5).known(b"another"));
    // The smaller scope is stronger, whichever is recorded last.
    of(7).record(b"prefix");
    assert!(of(5).known(b"prefix"));
    of(4).record(b"prefix");
    assert!(of(4).known(b"prefix"));
}

#[test]
fn every_store_keeps_them() {
    let folder = tempfile::tempdir().unwrap();
    let server = RedisServer::start();
    for spec in ["memory:".to_string(), folder.path().join("store").display().to_string(), server.url()] {
        let store = open(&spec, &OpenOptions::default()).unwrap();
        let cold = explored(&known(&store, Trust::All), 7);
        store.flush().unwrap();
        let warm = explored(&known(&store, Trust::All), 7);
        assert_eq!((cold.0, warm.0), (55, 55), "{spec}");
        assert!(cold.1 > 0, "{spec}");
        assert_eq!(warm.1, 0, "{spec}: every prefix that can be completed is known");
        let larger = explored(&known(&store, Trust::All), 8);
        assert_eq!(larger.0, 95, "{spec}");
        assert!(larger.1 < explored(&known(&memory(), Trust::Local), 8).1, "{spec}");
        let mut kinds = [0; 2];
        store
            .visit(&mut |_, bytes| {
                match heap_entry(bytes) {
                    Some(HeapEntry::Verdict) => kinds[0] += 1,
                    Some(HeapEntry::Bounds) => kinds[1] += 1,
                    None => panic!("{spec}: an entry of another kind"),
                }
                ControlFlow::Continue(())
            })
            .unwrap();
        assert!(kinds[0] > 50, "{spec}: {kinds:?}");
        assert_eq!(kinds[1], 2, "{spec}");
    }
}

#[test]
fn bounds_from_strangers_are_computed_again() {
    let server = RedisServer::start();
    let store = open(&server.url(), &OpenOptions::default()).unwrap();
    let invariant = tree_set().1;
    let right = bounds(&known(&memory(), Trust::Local), 6);
    // No field may hold anything.
    let empty = vec![0; right.to_bytes().len()];
    let tight = Bounds::from_bytes(&invariant, right.scope(), &empty).expect("the right size");
    known(&store, Trust::All).record_bounds(&invariant, &tight);
    store.flush().unwrap();
    assert!(same(&bounds(&known(&store, Trust::All), 6), &tight), "who trusts it gets it");
    known(&store, Trust::All).record_bounds(&invariant, &tight);
    let found = bounds(&known(&store, Trust::Local), 6);
    assert!(same(&found, &right) && found.calls > 0);
    known(&store, Trust::All).record_bounds(&invariant, &tight);
    assert_eq!(explored(&known(&store, Trust::Local), 6).0, 26);
}

#[test]
fn false_verdicts_lose_nothing() {
    struct Yes;
    impl Verdicts for Yes {
        fn known(&mut self, _: &[u8]) -> bool {
            true
        }
        fn record(&mut self, _: &[u8]) {}
    }
    let invariant = tree_set().1;
    let scope = Scope::each(&invariant, 7);
    let collect = |lies: bool| {
        let mut lazy =
            known(&memory(), Trust::Local).lazy(invariant.clone(), &scope, Technique::BlissDb).unwrap();
        if lies {
            lazy.set_verdicts(Box::new(Yes));
        }
        run_with(Subject::find("TreeSet.bfs").expect("a subject"), &mut lazy, |_| true).structures
    };
    // As RBLI: nothing is pruned by feasibility, everything that is valid stays.
    assert!(collect(true) >= collect(false));
    assert_eq!(collect(false), 55);
}

#[test]
fn garbled_bounds_are_none() {
    let invariant = tree_set().1;
    let scope = Scope::each(&invariant, 4);
    let right = bounds(&known(&memory(), Trust::Local), 4);
    let bytes = right.to_bytes();
    assert!(same(&Bounds::from_bytes(&invariant, &scope, &bytes).expect("its own bytes"), &right));
    assert!(Bounds::from_bytes(&invariant, &scope, &bytes[1..]).is_none());
    assert!(Bounds::from_bytes(&invariant, &Scope::each(&invariant, 5), &bytes).is_none());
    let mut odd = bytes.clone();
    odd[7] = 0xff;
    assert!(Bounds::from_bytes(&invariant, &scope, &odd).is_none(), "a label that there is not");
    assert_eq!(heap_entry(&[0xa0, 1, 2, 2, 1]), None);
    assert_eq!(heap_entry(&[0xa0, 9, 1, 4]), None);
}
