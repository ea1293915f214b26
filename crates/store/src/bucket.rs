//! Buckets: many values under one name, so that several processes can add to a list without
//! losing each other's values.
//!
//! A member is an ordinary entry. Its key is the bucket's 16 bytes and the xxh3-128 of its value: two
//! processes that add different values write different keys, and adding a value twice writes the same entry
//! twice. Whether an entry is a member is therefore seen from the entry alone ([`Bucket::of`]), with no flag
//! that could get lost on the way through a journal, a pack or a merge; a key that is a digest of something
//! else passes for one with probability 2^-128. An attacker who forges such an entry adds a value to a
//! bucket, which any writer can do anyway.
//!
//! Tried and dropped: one entry that holds the whole list. Two processes that read, add and
//! write at once lose a value.

use std::fmt;
use std::ops::ControlFlow;

use xxhash_rust::xxh3::xxh3_128;

use crate::{Bytes, Key, Origin, Store, StoreError};

/// The name of a bucket: half a digest of what its values have in common. `Display` is 32 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bucket(pub [u8; 16]);

impl Bucket {
    /// The key of a value in this bucket.
    pub fn member(&self, value: &[u8]) -> Key {
        self.key(&digest(value))
    }

    /// The bucket that an entry is a member of, if it is a member of one.
    pub fn of(key: &Key, value: &[u8]) -> Option<Bucket> {
        let (bucket, tail) = split(key);
        (tail == digest(value)).then_some(bucket)
    }

    /// Whether an entry lies where the members of this bucket do.
    pub(crate) fn spans(&self, key: &Key) -> bool {
        key.0.starts_with(&self.0)
    }

    pub(crate) fn key(&self, tail: &[u8; 16]) -> Key {
        let mut bytes = [0; 32];
        bytes[..16].copy_from_slice(&self.0);
        bytes[16..].copy_from_slice(tail);
        Key(bytes)
    }
}

/// The two halves of a key: the bucket and the digest of the value, if it is a member's.
pub(crate) fn split(key: &Key) -> (Bucket, [u8; 16]) {
    let (mut bucket, mut tail) = ([0; 16], [0; 16]);
    bucket.copy_from_slice(&key.0[..16]);
    tail.copy_from_slice(&key.0[16..]);
    (Bucket(bucket), tail)
}

fn digest(value: &[u8]) -> [u8; 16] {
    xxh3_128(value).to_le_bytes()
}

/// Lists a bucket by looking at every entry; for stores that have no better way.
pub(crate) fn list_by_visiting<S: Store + ?Sized>(
    store: &S,
    bucket: &Bucket,
) -> Result<Vec<(Bytes, Origin)>, StoreError> {
    let mut values = Vec::new();
    store.visit_from(&mut |key, value, origin| {
        if bucket.spans(key) && Bucket::of(key, value).is_some() {
            values.push((Bytes::from(value), origin));
        }
        ControlFlow::Continue(())
    })?;
    Ok(values)
}

impl fmt::Display for Bucket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Bucket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bucket({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_member_is_seen_from_the_entry() {
        let bucket = Bucket([7; 16]);
        let key = bucket.member(b"value");
        assert_eq!(Bucket::of(&key, b"value"), Some(bucket));
        assert_eq!(Bucket::of(&key, b"another"), None);
        assert_eq!(Bucket::of(&Key([7; 32]), b"value"), None);
        assert!(bucket.spans(&key) && !Bucket([8; 16]).spans(&key));
        // Stored keys: this must never change.
        assert_eq!(key.to_string(), "070707070707070707070707070707071a9613b06f50590d05d5ab59ce8cabd7");
    }
}
