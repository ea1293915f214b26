//! Constraint sets, stored so that answers are found by implication: reduction, the L-Trie, the UBTree.
//!
//! A pure data structure: it knows no terms, no solver and no store. Constraints come as [`Atom`]s, which
//! compare the key of a prefix (the non-constant part, normalized by the caller) with a constant, or as
//! opaque keys; answers come with a payload.
//!
//! ```
//! use evergreen_trie::{Atom, Budget, Index, LTrie, PrefixKey};
//!
//! let (x, y) = (PrefixKey(1), PrefixKey(2));
//! let mut trie = LTrie::new();
//! trie.insert_sat(&[Atom::ge(x, 1), Atom::le(y, 0)], b"x=1 y=0".as_slice().into());
//! // x > 0 implies x > -1: the old model fits.
//! let found = trie.find_sat(&[Atom::ge(x, 0)], Budget::default());
//! assert_eq!(&*found.hit.unwrap().payload, b"x=1 y=0");
//! ```

#![forbid(unsafe_code)]

mod arena;
mod atom;
mod cores;
mod definitions;
mod derive;
mod entry;
mod filter;
mod implies;
mod index;
mod labels;
mod ltrie;
mod numbers;
mod paper;
mod reduce;
mod shelf;
mod subset;
mod superset;
mod table;
mod ubtree;

pub use atom::{Atom, Op, PrefixKey};
pub use definitions::{Definitions, Term};
pub use derive::MOST_REFUTED;
pub use entry::{
    Address, ENTRY_VERSION, Entry, Kind, MOST_ATOMS, REFERENCE_VERSION, decode, encode, refer, referred,
};
pub use implies::{Interval, Premises, Rule, implies, rule, sum_interval};
pub use index::{Budget, Found, Hit, Index, Payload, Refuted, Sizes, Stored};
pub use ltrie::LTrie;
pub use paper::{Atomic, PaperTrie, Sourced, reduce_as_printed};
pub use reduce::{Reduced, Reduction, reduce};
pub use shelf::{MOST_BUCKETS, MOST_ENTRIES, Shelf, Shelved, Traffic, bucket};
pub use ubtree::UbTree;
