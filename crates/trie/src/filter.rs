//! Is a key surely absent? A Bloom filter [Bloom CACM'70] whose bits of one key are
//! in one word [Putze JEA'09].
//!
//! Most look-ups that find nothing fail because one prefix of the query occurs in no set. The table of
//! numbers needs three cache lines for each earlier prefix that does occur (the tag, the number, the key).
//! The filter needs one word each, at two to four bytes per key, and these loads do not depend on each other:
//! a million keys fit the processor's caches.
//!
//! Four bits of 64 for each key, 16 to 32 bits of filter per key: of absent keys about one in fifty passes,
//! and is looked up in vain.

use crate::atom::PrefixKey;

/// Words are added so that there is one for each so many keys at most.
const KEYS_PER_WORD: usize = 4;

/// Keys that may be there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Filter {
    /// As many as a power of two, or none.
    words: Vec<u64>,
    keys: usize,
}

impl Filter {
    /// The place of a key's word, and its bits there: from different parts of one product.
    #[inline]
    fn spot(&self, key: PrefixKey) -> (usize, u64) {
        let folded = ((key.0 >> 64) as u64).rotate_left(17) ^ key.0 as u64;
        let mixed = (folded ^ (folded >> 29)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        let bit = |shift: u32| 1_u64 << ((mixed >> shift) & 63);
        let place = (mixed >> 32) as usize & (self.words.len() - 1);
        let bits = mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let high = |shift: u32| 1_u64 << ((bits >> shift) & 63);
        (place, bit(0) | high(58) | high(52) | high(46))
    }

    /// Is the key among those that were added? May say yes of others.
    #[inline]
    pub(crate) fn may_have(&self, key: PrefixKey) -> bool {
        if self.words.is_empty() {
            return false;
        }
        let (place, bits) = self.spot(key);
        self.words[place] & bits == bits
    }

    /// Adds a key that is new; `all` are the keys so far, this one included, for when the filter has to grow.
    pub(crate) fn add(&mut self, key: PrefixKey, all: impl Iterator<Item = PrefixKey>) {
        self.keys += 1;
        if self.keys > self.words.len() * KEYS_PER_WORD {
            self.words = vec![0; (self.words.len() * 2).max(64)];
            all.for_each(|key| self.set(key));
        }
        self.set(key);
    }

    fn set(&mut self, key: PrefixKey) {
        let (place, bits) = self.spot(key);
        self.words[place] |= bits;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_added_is_there_and_most_else_is_not() {
        // Digests, and small numbers as tests use them.
        for spread in [1_u128, 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835] {
            let key = |number: u128| PrefixKey(number.wrapping_mul(spread));
            let mut filter = Filter::default();
            assert!(!filter.may_have(key(0)));
            for count in 1..=20_000 {
                filter.add(key(count), (1..=count).map(key));
                assert!(filter.may_have(key(count)));
            }
            assert!((1..=20_000).all(|number| filter.may_have(key(number))));
            let wrong = (100_000..200_000).filter(|number| filter.may_have(key(*number))).count();
            assert!(wrong < 4_000, "{wrong} of 100,000 with factor {spread}");
        }
    }
}
