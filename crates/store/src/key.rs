//! The key of an entry: a 32-byte digest, which is its own hash.

use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::str::FromStr;

/// A digest (blake3) of what an entry answers. `Display` and `FromStr` are 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key(pub [u8; 32]);

/// A map keyed by digests. The key already is a hash, so eight of its bytes serve as one.
pub type DigestMap<V> = HashMap<Key, V, BuildHasherDefault<DigestHasher>>;

impl Key {
    /// The bytes that serve as the hash: from the end, since people who write keys by hand vary the end.
    fn tail(&self) -> u64 {
        let mut tail = [0; 8];
        tail.copy_from_slice(&self.0[24..]);
        u64::from_le_bytes(tail)
    }

    /// One of `count` shards (a power of two), from bytes that [`DigestMap`] does not use.
    pub(crate) fn shard(&self, count: usize) -> usize {
        usize::from(self.0[23]) & (count - 1)
    }
}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.tail());
    }
}

/// A hasher that passes a digest's own bits through.
#[derive(Default, Clone, Copy)]
pub struct DigestHasher(u64);

impl Hasher for DigestHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write_u64(&mut self, bits: u64) {
        self.0 = bits;
    }
    fn write(&mut self, bytes: &[u8]) {
        // Not reached for keys; correct for anything else.
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = [0; 64];
        for (pair, byte) in text.chunks_exact_mut(2).zip(self.0) {
            pair[0] = b"0123456789abcdef"[usize::from(byte >> 4)];
            pair[1] = b"0123456789abcdef"[usize::from(byte & 15)];
        }
        f.write_str(std::str::from_utf8(&text).unwrap_or_default())
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({self})")
    }
}

/// Why a text is not a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotAKey;

impl fmt::Display for NotAKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key is 64 hexadecimal digits")
    }
}

impl std::error::Error for NotAKey {}

impl FromStr for Key {
    type Err = NotAKey;

    fn from_str(text: &str) -> Result<Key, NotAKey> {
        let digits = text.as_bytes();
        if digits.len() != 64 {
            return Err(NotAKey);
        }
        let nibble = |digit: u8| (digit as char).to_digit(16).ok_or(NotAKey);
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = (nibble(pair[0])? << 4 | nibble(pair[1])?) as u8;
        }
        Ok(Key(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_back() {
        let mut bytes = [0; 32];
        bytes[0] = 0xab;
        bytes[31] = 0x01;
        let key = Key(bytes);
        let text = key.to_string();
        assert!(text.starts_with("ab00") && text.ends_with("0001"), "{text}");
        assert_eq!(text.parse(), Ok(key));
        assert_eq!("ab".parse::<Key>(), Err(NotAKey));
        assert_eq!("zz".repeat(32).parse::<Key>(), Err(NotAKey));
        assert_eq!("é".repeat(32).parse::<Key>(), Err(NotAKey));
    }
}
