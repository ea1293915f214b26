//! The index: which packs there are, newest first, with the filter of each.
//!
//! An index is written once and never changed. Several may be there at once, when several runners ended at
//! once; what is there is then the union of all. So a pack that was merged into another must be named as
//! retired for a while: an index of another runner, written at the same time, still has it.
//!
//! The bytes are drawn in `docs/bucket-format.md`. They come from a server that others write to, so every
//! length is checked before memory is taken for it.

use std::collections::BTreeMap;
use std::fmt;

use xxhash_rust::xxh3::xxh3_64;

use super::filter::Filter;
use crate::{ErrorKind, StoreError};

const MAGIC: &[u8; 8] = b"evg-indx";
/// The version of the index; `docs/bucket-format.md` describes it.
pub(crate) const INDEX_VERSION: u32 = 1;
/// The longest index that is read or written: the filters of about ten million entries.
pub(crate) const MAX_INDEX_BYTES: usize = 32 << 20;
/// The longest pack that is read.
pub(crate) const MAX_PACK_BYTES: u64 = 96 << 20;
/// The most packs, and the most retired packs, that an index names.
const MAX_PACKS: usize = 10_000;

/// The random name of a pack or an index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Id(pub [u8; 16]);

impl Id {
    /// A name that no other process finds, from the hash keys that the standard library draws.
    pub(crate) fn random() -> Id {
        use std::hash::{BuildHasher, RandomState};
        let half = || {
            let what = (std::process::id(), std::thread::current().id(), std::time::SystemTime::now());
            RandomState::new().hash_one(what).to_le_bytes()
        };
        let mut id = [0; 16];
        id[..8].copy_from_slice(&half());
        id[8..].copy_from_slice(&half());
        Id(id)
    }

    /// Reads 32 digits.
    pub(crate) fn parse(text: &str) -> Option<Id> {
        if text.len() != 32 || !text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
            return None;
        }
        u128::from_str_radix(text, 16).ok().map(|number| Id(number.to_be_bytes()))
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", u128::from_be_bytes(self.0))
    }
}

impl fmt::Debug for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// What an index says about a pack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PackLine {
    pub id: Id,
    /// Milliseconds since 1970; of two packs that have a key, the newer one counts.
    pub created_ms: u64,
    pub bytes: u64,
    pub entries: u64,
    pub filter: Filter,
}

/// An index, or the union of several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Index {
    pub id: Id,
    /// Its place in the sequence, for services where an object is made once and not listed; else 0.
    pub number: u64,
    /// Newest first.
    pub packs: Vec<PackLine>,
    /// Packs that were merged into others, and when, in milliseconds since 1970.
    pub retired: BTreeMap<Id, u64>,
}

impl Index {
    pub(crate) fn empty() -> Index {
        Index { id: Id([0; 16]), number: 0, packs: Vec::new(), retired: BTreeMap::new() }
    }

    /// Adds what another index has.
    pub(crate) fn unite(&mut self, other: Index) {
        self.number = self.number.max(other.number);
        for (id, at_ms) in other.retired {
            let known = self.retired.entry(id).or_insert(at_ms);
            *known = at_ms.max(*known);
        }
        let known: std::collections::HashSet<Id> = self.packs.iter().map(|pack| pack.id).collect();
        self.packs.extend(other.packs.into_iter().filter(|pack| !known.contains(&pack.id)));
        self.packs.retain(|pack| !self.retired.contains_key(&pack.id));
        self.sort();
    }

    pub(crate) fn sort(&mut self) {
        self.packs.sort_by(|one, other| other.created_ms.cmp(&one.created_ms).then(one.id.cmp(&other.id)));
    }

    /// The bytes, within the bounds: the oldest packs are left out of an index that would be too long.
    pub(crate) fn encode(&mut self) -> Vec<u8> {
        while self.packs.len() > MAX_PACKS || self.encoded_len() > MAX_INDEX_BYTES {
            self.packs.pop();
        }
        while self.retired.len() > MAX_PACKS {
            let oldest = self.retired.iter().min_by_key(|(_, at_ms)| **at_ms).map(|(id, _)| *id);
            oldest.and_then(|id| self.retired.remove(&id));
        }
        let mut out = Vec::with_capacity(self.encoded_len());
        out.extend(MAGIC);
        out.extend(INDEX_VERSION.to_le_bytes());
        out.extend([0; 4]);
        out.extend(self.id.0);
        out.extend(self.number.to_le_bytes());
        out.extend((self.packs.len() as u32).to_le_bytes());
        out.extend((self.retired.len() as u32).to_le_bytes());
        for pack in &self.packs {
            out.extend(pack.id.0);
            out.extend(pack.created_ms.to_le_bytes());
            out.extend(pack.bytes.to_le_bytes());
            out.extend(pack.entries.to_le_bytes());
            out.extend((pack.filter.bytes().len() as u32).to_le_bytes());
            out.extend(pack.filter.bytes());
        }
        for (id, at_ms) in &self.retired {
            out.extend(id.0);
            out.extend(at_ms.to_le_bytes());
        }
        out.extend(xxh3_64(&out).to_le_bytes());
        out
    }

    fn encoded_len(&self) -> usize {
        let packs: usize = self.packs.iter().map(|pack| 44 + pack.filter.bytes().len()).sum();
        48 + packs + 24 * self.retired.len() + 8
    }

    /// Reads an index; `place` names it in messages.
    pub(crate) fn decode(place: &str, bytes: &[u8]) -> Result<Index, StoreError> {
        let damaged = |what: &str| {
            let message = format!("the index is damaged: {what}");
            StoreError::new(ErrorKind::Damaged, place, message).help("lookups go on without it")
        };
        let Some((body, sum)) = bytes.split_last_chunk::<8>() else {
            return Err(damaged("it ends too early"));
        };
        let mut rest = Rest(body);
        if rest.array() != Some(*MAGIC) {
            return Err(StoreError::new(ErrorKind::Foreign, place, "not an evergreen index"));
        }
        let version = rest.u32().ok_or_else(|| damaged("it ends too early"))?;
        if version > INDEX_VERSION {
            let message = format!("the index has format '{version}', this evergreen knows '{INDEX_VERSION}'");
            return Err(StoreError::new(ErrorKind::Newer, place, message).help("use a newer evergreen"));
        }
        if xxh3_64(body) != u64::from_le_bytes(*sum) {
            return Err(damaged("the checksum is wrong"));
        }
        if version != INDEX_VERSION || rest.u32() != Some(0) {
            return Err(damaged("its head is wrong"));
        }
        rest.index().filter(|_| rest.0.is_empty()).ok_or_else(|| damaged("a number in it is wrong"))
    }
}

/// What is left to read.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    fn index(&mut self) -> Option<Index> {
        let (id, number) = (Id(self.array()?), self.u64()?);
        let (packs, retired) = (self.u32()? as usize, self.u32()? as usize);
        if packs > MAX_PACKS || retired > MAX_PACKS {
            return None;
        }
        let mut index = Index { id, number, ..Index::empty() };
        for _ in 0..packs {
            let (id, created_ms, bytes, entries) = (Id(self.array()?), self.u64()?, self.u64()?, self.u64()?);
            let length = self.u32()? as usize;
            let filter = Filter::from_bytes(self.take(length)?)?;
            if bytes > MAX_PACK_BYTES {
                return None;
            }
            index.packs.push(PackLine { id, created_ms, bytes, entries, filter });
        }
        for _ in 0..retired {
            index.retired.insert(Id(self.array()?), self.u64()?);
        }
        index.sort();
        Some(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(number: u8, created_ms: u64) -> PackLine {
        let items = [vec![number; 32], vec![number; 16]];
        let filter = Filter::of(items.iter().map(Vec::as_slice));
        PackLine { id: Id([number; 16]), created_ms, bytes: 100, entries: 1, filter }
    }

    fn sample() -> Index {
        let mut index = Index { id: Id([9; 16]), number: 3, ..Index::empty() };
        index.packs = vec![line(2, 2000), line(1, 1000)];
        index.retired.insert(Id([7; 16]), 500);
        index
    }

    #[test]
    fn an_index_reads_back() {
        let mut index = sample();
        let bytes = index.encode();
        assert_eq!(bytes.len(), index.encoded_len());
        assert_eq!(Index::decode("here", &bytes), Ok(index));
        let mut empty = Index::empty();
        assert_eq!(Index::decode("here", &empty.encode()), Ok(empty));
    }

    /// The file was made from `docs/bucket-format.md` by another program. Stored: it must never change.
    #[test]
    fn an_index_of_version_1_is_read_and_written() {
        let fixture = include_bytes!("../../tests/fixtures/index-1.bin");
        assert_eq!(Index::decode("fixture", fixture), Ok(sample()));
        assert_eq!(sample().encode(), fixture);
        assert!(sample().packs[0].filter.may_have(&[2; 32]) && sample().packs[0].filter.may_have(&[2; 16]));
    }

    #[test]
    fn every_cut_and_every_flipped_bit_is_seen() {
        let bytes = sample().encode();
        for end in 0..bytes.len() {
            assert!(Index::decode("here", &bytes[..end]).is_err(), "cut at {end}");
        }
        for bit in 0..bytes.len() * 8 {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(Index::decode("here", &flipped).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn sizes_that_lie_take_no_memory() {
        // Right checksums, so that only the numbers themselves are judged.
        let sealed = |mut body: Vec<u8>| {
            body.extend(xxh3_64(&body).to_le_bytes());
            body
        };
        let good = sample().encode();
        let body = &good[..good.len() - 8];
        assert!(Index::decode("here", &sealed(body.to_vec())).is_ok());
        for (at, what) in [(40, "packs"), (44, "retired"), (48 + 40, "the length of a filter")] {
            let mut lying = body.to_vec();
            lying[at..at + 4].copy_from_slice(&u32::MAX.to_le_bytes());
            let error = Index::decode("here", &sealed(lying)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Damaged, "{what}");
        }
        let mut lying = body.to_vec();
        lying[48 + 24..48 + 32].copy_from_slice(&u64::MAX.to_le_bytes());
        assert!(Index::decode("here", &sealed(lying)).is_err(), "the length of a pack");
        let mut newer = body.to_vec();
        newer[8] = 2;
        let text = Index::decode("here", &sealed(newer)).unwrap_err().to_string();
        let expected =
            "here: the index has format '2', this evergreen knows '1'\nhelp: use a newer evergreen";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_union_has_all_but_what_either_retired() {
        let mut one = sample();
        let mut other = Index { id: Id([8; 16]), number: 5, ..Index::empty() };
        other.packs = vec![line(3, 1500), line(1, 1000), line(7, 100)];
        other.retired.insert(Id([2; 16]), 900);
        one.unite(other);
        let ids: Vec<u8> = one.packs.iter().map(|pack| pack.id.0[0]).collect();
        assert_eq!(ids, [3, 1], "newest first, without 7 and 2");
        assert_eq!((one.number, one.retired.len()), (5, 2));
    }

    #[test]
    fn names_are_random_and_read_back() {
        let (one, other) = (Id::random(), Id::random());
        assert_ne!(one, other);
        assert_eq!(Id::parse(&one.to_string()), Some(one));
        for bad in ["", "0", "../../../../../../../etc/passwd..", "G0000000000000000000000000000000"] {
            assert_eq!(Id::parse(bad), None, "{bad}");
        }
    }
}
