//! What every layer may use: a union-find, where the ways of a flow graph meet, seeded streams of
//! pseudo-random numbers, and text from outside made harmless for terminals and Markdown.
//!
//! The crate knows none of the others and has no dependency, so that crates which may know nothing else can
//! share it.
//!
//! ```
//! use evergreen_structures::{Random, UnionFind};
//!
//! let mut sets = UnionFind::new(4);
//! sets.union(3, 1);
//! assert_eq!((sets.find(3), sets.find(0)), (1, 0));
//!
//! let mut random = Random::new(7);
//! assert!(random.below(10) < 10);
//! ```

mod dominators;
pub mod markdown;
mod random;
pub mod text;
mod union_find;

pub use dominators::{Meeting, Regions, meetings};
pub use random::{Random, Xorshift};
pub use union_find::UnionFind;
