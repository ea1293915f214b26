//! The places of an array that differ from its default: pairs in the order of their indices.
//!
//! One list, and not a tree: the arrays of models have some bytes of an input, are copied, merged and dropped
//! with every query, and mostly grow at their end. An element in the middle moves those behind it, so many
//! are collected at once ([`Entries::from_iter`]).

use crate::Value;

/// Indices and elements, each index once, in ascending order.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Entries(Vec<(Value, Value)>);

impl Entries {
    /// No entries.
    pub const fn new() -> Entries {
        Entries(Vec::new())
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn find(&self, index: &Value) -> Result<usize, usize> {
        match self.0.last() {
            Some((last, _)) if last < index => Err(self.0.len()),
            _ => self.0.binary_search_by(|(at, _)| at.cmp(index)),
        }
    }

    /// The element at an index.
    pub fn get(&self, index: &Value) -> Option<&Value> {
        self.find(index).ok().map(|place| &self.0[place].1)
    }

    /// Sets the element at an index, and returns the one that was there.
    pub fn insert(&mut self, index: Value, element: Value) -> Option<Value> {
        match self.find(&index) {
            Ok(place) => Some(std::mem::replace(&mut self.0[place].1, element)),
            Err(place) => {
                self.0.insert(place, (index, element));
                None
            }
        }
    }

    /// Takes the entry at an index out.
    pub fn remove(&mut self, index: &Value) -> Option<Value> {
        self.find(index).ok().map(|place| self.0.remove(place).1)
    }

    /// Keeps the entries that a function says.
    pub fn retain(&mut self, mut keeps: impl FnMut(&Value, &Value) -> bool) {
        self.0.retain(|(index, element)| keeps(index, element));
    }

    /// Indices and elements, in order.
    pub fn iter(&self) -> Iter<'_> {
        self.0.iter().map(|(index, element)| (index, element))
    }

    /// The indices, in order.
    pub fn keys(&self) -> impl Iterator<Item = &Value> {
        self.iter().map(|(index, _)| index)
    }

    /// The elements, in the order of their indices.
    pub fn values(&self) -> impl Iterator<Item = &Value> {
        self.iter().map(|(_, element)| element)
    }
}

/// Walks over entries in order.
pub type Iter<'e> =
    std::iter::Map<std::slice::Iter<'e, (Value, Value)>, fn(&(Value, Value)) -> (&Value, &Value)>;

impl<'e> IntoIterator for &'e Entries {
    type Item = (&'e Value, &'e Value);
    type IntoIter = Iter<'e>;

    fn into_iter(self) -> Iter<'e> {
        self.iter()
    }
}

/// Pairs in any order; of two with one index the later one counts.
impl FromIterator<(Value, Value)> for Entries {
    fn from_iter<I: IntoIterator<Item = (Value, Value)>>(pairs: I) -> Entries {
        let mut entries: Vec<(Value, Value)> = pairs.into_iter().collect();
        if !entries.is_sorted_by(|a, b| a.0 < b.0) {
            entries.reverse();
            entries.sort_by(|a, b| a.0.cmp(&b.0));
            entries.dedup_by(|later, first| later.0 == first.0);
        }
        Entries(entries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BitVec;
    use std::collections::BTreeMap;

    fn byte(value: u32) -> Value {
        Value::BitVec(BitVec::new(8, u128::from(value)))
    }

    /// What a map does, these entries do: over many operations, in an order that repeats itself never.
    #[test]
    fn entries_are_a_map() {
        let (mut entries, mut map) = (Entries::new(), BTreeMap::new());
        let mut state = 7u32;
        for _ in 0..4_000 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let (index, element) = (byte(state >> 24 & 0x3f), byte(state >> 16 & 0xff));
            match state >> 12 & 3 {
                0 => assert_eq!(entries.remove(&index), map.remove(&index)),
                1 => assert_eq!(entries.get(&index), map.get(&index)),
                _ => assert_eq!(entries.insert(index.clone(), element.clone()), map.insert(index, element)),
            }
            assert!(entries.iter().eq(map.iter()));
            assert!(entries.keys().eq(map.keys()) && entries.values().eq(map.values()));
            assert_eq!((entries.len(), entries.is_empty()), (map.len(), map.is_empty()));
        }
        entries.retain(|index, _| *index < byte(9));
        map.retain(|index, _| *index < byte(9));
        assert!(entries.iter().eq(map.iter()));
    }

    #[test]
    fn of_two_pairs_with_one_index_the_later_one_counts() {
        let pairs = [(3, 1), (1, 2), (3, 4), (2, 5), (1, 6)].map(|(at, value)| (byte(at), byte(value)));
        let (entries, map): (Entries, BTreeMap<Value, Value>) =
            (pairs.iter().cloned().collect(), pairs.into_iter().collect());
        assert!(entries.iter().eq(map.iter()) && entries.len() == 3);
    }
}
