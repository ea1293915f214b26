//! Which keys and buckets a pack may have: a Bloom filter [Bloom CACM'70].
//!
//! Fetching a pack for nothing costs a round trip and its bytes, and a run may ask for thousands of keys that
//! no pack has. So the filter is generous: 24 bits and 16 probes an item, one false answer in 100,000. The
//! probes are steps of one xxh3-128 [Kirsch and Mitzenmacher ESA'06]. An item is the 32 bytes of a key, or
//! the 16 bytes of a bucket for each of its members, so that a pack is not fetched to list a bucket that it
//! has nothing of.

use xxhash_rust::xxh3::xxh3_128;

const BITS_PER_ITEM: usize = 24;
const PROBES: u64 = 16;
/// In fewer bits the steps of different items meet too often.
const LEAST_BYTES: usize = 64;

/// The filter of one pack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Filter(Vec<u8>);

impl Filter {
    /// A filter that has all of these.
    pub(crate) fn of<'a>(items: impl ExactSizeIterator<Item = &'a [u8]>) -> Filter {
        let mut filter = Filter(vec![0; (items.len() * BITS_PER_ITEM).div_ceil(8).max(LEAST_BYTES)]);
        for item in items {
            for bit in probes(item, filter.bits()) {
                filter.0[bit / 8] |= 1 << (bit % 8);
            }
        }
        filter
    }

    /// Whether the item may be there; `false` is certain.
    pub(crate) fn may_have(&self, item: &[u8]) -> bool {
        probes(item, self.bits()).all(|bit| self.0[bit / 8] & 1 << (bit % 8) != 0)
    }

    fn bits(&self) -> u64 {
        self.0.len() as u64 * 8
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Reads a filter; one without bits is none.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Filter> {
        (!bytes.is_empty()).then(|| Filter(bytes.to_vec()))
    }
}

fn probes(item: &[u8], bits: u64) -> impl Iterator<Item = usize> {
    let hash = xxh3_128(item);
    // An even step would meet few bits of a filter with 2^n of them.
    let (start, step) = (hash as u64, (hash >> 64) as u64 | 1);
    (0..PROBES).map(move |probe| (start.wrapping_add(probe.wrapping_mul(step)) % bits) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(number: u32) -> [u8; 32] {
        let mut item = [7; 32];
        item[..4].copy_from_slice(&number.to_le_bytes());
        item
    }

    #[test]
    fn nothing_is_denied_that_is_there() {
        for count in [0, 1, 2, 3, 100, 20_000] {
            let items: Vec<[u8; 32]> = (0..count).map(item).collect();
            let filter = Filter::of(items.iter().map(|item| item.as_slice()));
            assert!(items.iter().all(|item| filter.may_have(item)), "{count}");
            let wrong = (0..20_000).filter(|at| filter.may_have(&item(1_000_000 + at))).count();
            assert!(wrong <= 3, "{wrong} of 20,000 with {count} items");
        }
    }

    #[test]
    fn a_filter_reads_back() {
        let items = [[1u8; 32].to_vec(), vec![2u8; 16]];
        let filter = Filter::of(items.iter().map(Vec::as_slice));
        assert_eq!(Filter::from_bytes(filter.bytes()), Some(filter.clone()));
        assert_eq!(Filter::from_bytes(&[]), None);
    }
}
