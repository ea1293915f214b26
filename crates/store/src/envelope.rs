//! The envelope in which a value lies on disk and in Redis: length, day of last use, checksum, value.
//!
//! The checksum covers the key as well, so an entry that ends up under another key (a flipped bit in the key, a page
//! read while it was being replaced) does not open. It is xxh3-64: it detects damage, not malice; whether to believe an
//! entry from a network is decided above this crate.

use xxhash_rust::xxh3::Xxh3Default;

use crate::{ErrorKind, Key, StoreError};

/// The version of the bytes described in `docs/store-format.md`.
pub const FORMAT_VERSION: u32 = 1;

/// The largest value that a store takes.
pub const MAX_VALUE_BYTES: usize = 64 << 20;

/// Bytes before the value.
pub(crate) const HEADER_BYTES: usize = 16;

/// An opened envelope.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Envelope<'a> {
    pub day: u32,
    pub value: &'a [u8],
}

/// Puts a value into its envelope.
pub(crate) fn seal(key: &Key, day: u32, value: &[u8]) -> Vec<u8> {
    let length = value.len() as u32; // at most MAX_VALUE_BYTES: see `check_size`
    let mut bytes = Vec::with_capacity(HEADER_BYTES + value.len());
    bytes.extend_from_slice(&length.to_le_bytes());
    bytes.extend_from_slice(&day.to_le_bytes());
    bytes.extend_from_slice(&checksum(key, &bytes, value).to_le_bytes());
    bytes.extend_from_slice(value);
    bytes
}

/// Opens an envelope; `None` if anything in it is not as it was sealed.
pub(crate) fn unseal<'a>(key: &Key, bytes: &'a [u8]) -> Option<Envelope<'a>> {
    let (header, value) = bytes.split_at_checked(HEADER_BYTES)?;
    let word = |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
    if word(0) as usize != value.len() {
        return None;
    }
    let sum = u64::from(word(8)) | u64::from(word(12)) << 32;
    (sum == checksum(key, &header[..8], value)).then_some(Envelope { day: word(4), value })
}

/// Refuses a value that does not fit.
pub(crate) fn check_size(place: impl std::fmt::Display, value: &[u8]) -> Result<(), StoreError> {
    if value.len() <= MAX_VALUE_BYTES {
        return Ok(());
    }
    let message = format!("a value of {} bytes is too large, the bound is {MAX_VALUE_BYTES}", value.len());
    Err(StoreError::new(ErrorKind::Bound, place, message))
}

fn checksum(key: &Key, header: &[u8], value: &[u8]) -> u64 {
    let mut state = Xxh3Default::new();
    state.update(&key.0);
    state.update(header);
    state.update(value);
    state.digest()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flipped_bit_is_noticed() {
        let key = Key([3; 32]);
        let sealed = seal(&key, 20_000, b"a value");
        assert_eq!(unseal(&key, &sealed), Some(Envelope { day: 20_000, value: b"a value" }));
        for bit in 0..sealed.len() * 8 {
            let mut bad = sealed.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(unseal(&key, &bad), None, "bit {bit}");
        }
        for length in 0..sealed.len() {
            assert_eq!(unseal(&key, &sealed[..length]), None, "length {length}");
        }
        assert_eq!(unseal(&Key([4; 32]), &sealed), None);
    }
}
