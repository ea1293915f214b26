//! Numbers of prefixes: a table of four bytes and a tag per prefix, whose keys are
//! where their owner keeps them.
//!
//! A look-up asks for every prefix of a query, and most of a new query's prefixes are in no set: the table
//! must stay in the processor's caches however many prefixes there are. (A map with keys inside takes 33
//! bytes for each instead of 5.)

use crate::atom::PrefixKey;
use hashbrown::HashTable;

/// Numbers by key.
#[derive(Clone, Debug, Default)]
pub(crate) struct Numbers {
    table: HashTable<u32>,
}

/// Keys are digests, mostly: one multiplication spreads those that are not.
#[inline]
fn hash(key: PrefixKey) -> u64 {
    let folded = ((key.0 >> 64) as u64).rotate_left(32) ^ key.0 as u64;
    let mixed = folded.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 32)
}

impl Numbers {
    /// The number of `key`, if it has one; `key_of` maps numbers to keys.
    #[inline]
    pub(crate) fn find(&self, key: PrefixKey, key_of: impl Fn(u32) -> PrefixKey) -> Option<u32> {
        self.table.find(hash(key), |&number| key_of(number) == key).copied()
    }

    /// Adds a number whose key has none yet, and returns it.
    pub(crate) fn insert(&mut self, number: u32, key_of: impl Fn(u32) -> PrefixKey) -> u32 {
        self.table.insert_unique(hash(key_of(number)), number, |&number| hash(key_of(number)));
        number
    }
}
