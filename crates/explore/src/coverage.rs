//! Which arms were taken, and how often.

use crate::Site;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Hashes a site and an index by one multiplication each: the explorer does so once per branch.
#[derive(Default)]
pub(crate) struct Quick(u64);

impl Hasher for Quick {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 29)
    }
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u32(u32::from(byte));
        }
    }
    fn write_u32(&mut self, n: u32) {
        self.0 = (self.0.rotate_left(23) ^ u64::from(n)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}

/// An arm of a place.
pub(crate) type Key = (Site, u32);
pub(crate) type Map<V> = HashMap<Key, V, BuildHasherDefault<Quick>>;

/// How often each arm of each place was taken; arms that were offered and never taken count zero.
#[derive(Clone, Debug, Default)]
pub struct Coverage(Map<u64>);

impl Coverage {
    pub(crate) fn offer(&mut self, arm: Key) {
        self.0.entry(arm).or_insert(0);
    }

    /// Counts an arm, and returns how often it has been taken now.
    pub(crate) fn take(&mut self, arm: Key) -> u64 {
        let count = self.0.entry(arm).or_insert(0);
        *count += 1;
        *count
    }

    /// How often an arm was taken.
    pub fn taken(&self, site: Site, index: u32) -> u64 {
        self.0.get(&(site, index)).copied().unwrap_or(0)
    }

    /// Arms that were offered.
    pub fn offered_arms(&self) -> usize {
        self.0.len()
    }

    /// Arms that were taken at least once.
    pub fn taken_arms(&self) -> usize {
        self.0.values().filter(|count| **count > 0).count()
    }

    /// Every arm that was offered and how often it was taken, in order.
    pub fn arms(&self) -> Vec<(Site, u32, u64)> {
        let mut all: Vec<(Site, u32, u64)> = self.0.iter().map(|(&(site, arm), &n)| (site, arm, n)).collect();
        all.sort_unstable();
        all
    }
}
