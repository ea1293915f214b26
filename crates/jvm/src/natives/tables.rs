//! Iterating over tables whose order differs from run to run: those that have placed keys by identity hash
//! codes, and the immutable sets and maps, whose order follows from a number that each JVM draws when it
//! starts.
//!
//! The JDK's own code iterates. The path notes that the order is one of many.

use super::Row;
use crate::native::{Call, Done, Trap};

pub(crate) const TABLE: &[Row] = &[
    ("java/util/HashMap$HashIterator", "<init>", "*", by_identity),
    ("java/util/HashMap$HashMapSpliterator", "<init>", "*", by_identity),
    ("java/util/HashMap", "forEach", "*", by_identity),
    ("java/util/HashMap", "keysToArray", "*", by_identity),
    ("java/util/HashMap", "valuesToArray", "*", by_identity),
    ("java/util/HashMap$KeySet", "forEach", "*", by_identity),
    ("java/util/HashMap$Values", "forEach", "*", by_identity),
    ("java/util/HashMap$EntrySet", "forEach", "*", by_identity),
    ("java/util/Hashtable$Enumerator", "<init>", "*", by_identity),
    ("java/util/Hashtable", "forEach", "*", by_identity),
    ("java/util/IdentityHashMap$IdentityHashMapIterator", "<init>", "*", by_identity),
    ("java/util/IdentityHashMap", "forEach", "*", by_identity),
    ("java/util/WeakHashMap$HashIterator", "<init>", "*", by_identity),
    ("java/util/WeakHashMap", "forEach", "*", by_identity),
    ("java/util/concurrent/ConcurrentHashMap$Traverser", "<init>", "*", by_identity),
    ("java/util/ImmutableCollections$Set12", "iterator", "*", by_salt),
    ("java/util/ImmutableCollections$SetN", "iterator", "*", by_salt),
    ("java/util/ImmutableCollections$MapN$MapNIterator", "<init>", "*", by_salt),
];

/// Methods to which the order of the elements means nothing.
const WITHOUT_ORDER: [&str; 4] = ["containsAll", "equals", "hashCode", "putMapEntries"];

/// How many frames of the JDK such a method may be below.
const MOST_ABOVE: usize = 6;

fn is_ordered(call: &Call) -> bool {
    let inner = call.state.frames.iter().rev().take_while(|frame| !frame.method.user);
    !inner.take(MOST_ABOVE).any(|frame| WITHOUT_ORDER.contains(&&*frame.method.name))
}

fn by_identity(call: &mut Call) -> Result<Done, Trap> {
    if is_ordered(call) {
        call.jvm.note_order(call.state);
    }
    call.interpret()
}

fn by_salt(call: &mut Call) -> Result<Done, Trap> {
    // The JDK goes through sets of its own whose order it does not show.
    if call.state.top().is_some_and(|frame| frame.method.user) {
        call.jvm.note_salt(call.state);
    }
    call.interpret()
}
