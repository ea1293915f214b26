//! The envelope in which a value lies on disk and in Redis: length, day of last use, checksum, version,
//! origin, value.
//!
//! The checksum covers the key as well, so an entry that ends up under another key (a flipped bit in the key,
//! a page read while it was being replaced) does not open. It is xxh3-64: it detects damage, not malice; the
//! layer above this crate decides whether to trust an entry from a network.
//!
//! Envelopes of format 1 are recognized and never opened: builds that wrote them could record satisfiable
//! sets as unsatisfiable cores, and answers derived from such cores under other keys. Nothing in a record
//! distinguishes true from false ones, so all of them are useless.

use xxhash_rust::xxh3::Xxh3Default;

use crate::{ErrorKind, Key, Origin, StoreError};

/// The version of the bytes described in `docs/store-format.md`.
pub const FORMAT_VERSION: u32 = 2;
/// The first version whose entries are not used any more.
pub(crate) const FIRST_VERSION: u32 = 1;

/// The largest value that a store takes.
pub const MAX_VALUE_BYTES: usize = 64 << 20;

/// Bytes before the value.
pub(crate) const HEADER_BYTES: usize = 20;
/// Bytes before the value in format 1, which had neither version nor origin.
const FIRST_HEADER_BYTES: usize = 16;

/// An opened envelope.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Envelope<'a> {
    pub day: u32,
    pub origin: Origin,
    pub value: &'a [u8],
}

/// The result of opening stored bytes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Sealed<'a> {
    Intact(Envelope<'a>),
    /// An envelope of an earlier format, with the bytes of its value.
    Old(u64),
    Damaged,
}

impl<'a> Sealed<'a> {
    /// The content, if it is to be used.
    pub(crate) fn intact(self) -> Option<Envelope<'a>> {
        match self {
            Sealed::Intact(envelope) => Some(envelope),
            Sealed::Old(_) | Sealed::Damaged => None,
        }
    }
}

/// Puts a value into its envelope.
pub(crate) fn seal(key: &Key, day: u32, origin: Origin, value: &[u8]) -> Vec<u8> {
    let length = value.len() as u32; // at most MAX_VALUE_BYTES: see `check_size`
    let trailer = [FORMAT_VERSION as u8, origin.mark(), 0, 0];
    let mut bytes = Vec::with_capacity(HEADER_BYTES + value.len());
    bytes.extend_from_slice(&length.to_le_bytes());
    bytes.extend_from_slice(&day.to_le_bytes());
    bytes.extend_from_slice(&checksum(key, &[&bytes, &trailer, value]).to_le_bytes());
    bytes.extend_from_slice(&trailer);
    bytes.extend_from_slice(value);
    bytes
}

/// Opens an envelope, if everything in it is as it was sealed.
pub(crate) fn unseal<'a>(key: &Key, bytes: &'a [u8]) -> Sealed<'a> {
    match open(key, bytes) {
        Some(envelope) => Sealed::Intact(envelope),
        None => first_format(key, bytes).map_or(Sealed::Damaged, Sealed::Old),
    }
}

fn open<'a>(key: &Key, bytes: &'a [u8]) -> Option<Envelope<'a>> {
    let (header, value) = bytes.split_first_chunk::<HEADER_BYTES>()?;
    let (head, trailer) = (&header[..8], &header[16..]);
    let [version, mark, 0, 0] = *trailer else { return None };
    let whole = word(header, 0) as usize == value.len() && u32::from(version) == FORMAT_VERSION;
    if !whole || sum(header) != checksum(key, &[head, trailer, value]) {
        return None;
    }
    Some(Envelope { day: word(header, 4), origin: Origin::from_mark(mark)?, value })
}

/// The bytes of the value in an envelope of format 1.
fn first_format(key: &Key, bytes: &[u8]) -> Option<u64> {
    let (header, value) = bytes.split_first_chunk::<FIRST_HEADER_BYTES>()?;
    let whole =
        word(header, 0) as usize == value.len() && sum(header) == checksum(key, &[&header[..8], value]);
    whole.then_some(value.len() as u64)
}

fn word(header: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]])
}

fn sum(header: &[u8]) -> u64 {
    u64::from(word(header, 8)) | u64::from(word(header, 12)) << 32
}

/// Refuses a value that does not fit.
pub(crate) fn check_size(place: impl std::fmt::Display, value: &[u8]) -> Result<(), StoreError> {
    if value.len() <= MAX_VALUE_BYTES {
        return Ok(());
    }
    let message = format!("a value of {} bytes is too large, the bound is {MAX_VALUE_BYTES}", value.len());
    Err(StoreError::new(ErrorKind::Bound, place, message))
}

fn checksum(key: &Key, pieces: &[&[u8]]) -> u64 {
    let mut state = Xxh3Default::new();
    state.update(&key.0);
    pieces.iter().for_each(|piece| state.update(piece));
    state.digest()
}

/// An envelope of format 1, for tests that it is refused.
#[cfg(test)]
pub(crate) fn seal_in_first_format(key: &Key, day: u32, value: &[u8]) -> Vec<u8> {
    let head = [(value.len() as u32).to_le_bytes(), day.to_le_bytes()].concat();
    let sum = checksum(key, &[&head, value]).to_le_bytes();
    [&head[..], &sum, value].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flipped_bit_is_noticed() {
        let key = Key([3; 32]);
        for origin in [Origin::Local, Origin::Imported] {
            let sealed = seal(&key, 20_000, origin, b"a value");
            let envelope = Envelope { day: 20_000, origin, value: b"a value" };
            assert_eq!(unseal(&key, &sealed), Sealed::Intact(envelope));
            for bit in 0..sealed.len() * 8 {
                let mut bad = sealed.clone();
                bad[bit / 8] ^= 1 << (bit % 8);
                assert_eq!(unseal(&key, &bad), Sealed::Damaged, "bit {bit}");
            }
            for length in 0..sealed.len() {
                assert_eq!(unseal(&key, &sealed[..length]), Sealed::Damaged, "length {length}");
            }
            assert_eq!(unseal(&Key([4; 32]), &sealed), Sealed::Damaged);
        }
    }

    #[test]
    fn the_first_format_is_recognized_and_not_opened() {
        let key = Key([3; 32]);
        let sealed = seal_in_first_format(&key, 20_000, b"a value");
        assert_eq!(unseal(&key, &sealed), Sealed::Old(7));
        for bit in 0..sealed.len() * 8 {
            let mut bad = sealed.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(unseal(&key, &bad), Sealed::Damaged, "bit {bit}");
        }
        assert_eq!(unseal(&Key([4; 32]), &sealed), Sealed::Damaged);
    }
}
