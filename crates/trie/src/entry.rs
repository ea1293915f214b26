//! One set with its payload as bytes, for shelves that outlive the process; drawn in docs/trie-format.md.
//!
//! The form is unique (one set, one byte string) and the decoder total: it refuses all bytes that [`encode`]
//! does not write, so that a damaged or foreign entry is a miss and never another set.

use crate::atom::{Atom, Op, PrefixKey};
use crate::definitions::{Definitions, Term};
use std::collections::BTreeSet;

/// The first byte of every entry.
pub const ENTRY_VERSION: u8 = 1;
/// The first byte of a reference: in place of an entry, where it lies.
pub const REFERENCE_VERSION: u8 = 2;
/// Where a shelf keeps an entry, in the shelf's own words.
pub type Address = [u8; 32];
/// Sets with more atoms are neither written nor accepted.
pub const MOST_ATOMS: usize = 64;
/// A prefix with more terms is written without its definition.
const MOST_TERMS: usize = 64;

/// Is the set known satisfiable or unsatisfiable?
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// A satisfiable set.
    Sat,
    /// An unsatisfiable one.
    Unsat,
}

/// A decoded entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Whether the set is satisfiable.
    pub kind: Kind,
    /// The set, sorted, not empty.
    pub set: Vec<Atom>,
    /// The writer's definitions of the set's prefixes.
    pub definitions: Vec<(PrefixKey, Vec<Term>)>,
    /// The payload of the set.
    pub payload: Vec<u8>,
}

/// The bytes that stand in a bucket for an entry that lies elsewhere.
pub fn refer(address: &Address) -> [u8; 33] {
    let mut bytes = [REFERENCE_VERSION; 33];
    bytes[1..].copy_from_slice(address);
    bytes
}

/// Where the entry lies, if the bytes are a reference.
pub fn referred(bytes: &[u8]) -> Option<Address> {
    let (version, address) = bytes.split_first()?;
    if *version == REFERENCE_VERSION { address.try_into().ok() } else { None }
}

/// The bytes of a set, or None if it is empty or too large.
pub fn encode(kind: Kind, set: &[Atom], payload: &[u8], definitions: &Definitions) -> Option<Vec<u8>> {
    let mut atoms = set.to_vec();
    atoms.sort_unstable();
    atoms.dedup();
    if atoms.is_empty() || atoms.len() > MOST_ATOMS {
        return None;
    }
    let prefixes: BTreeSet<PrefixKey> = atoms.iter().map(|atom| atom.prefix).collect();
    let known: Vec<(PrefixKey, Vec<Term>)> = prefixes
        .iter()
        .filter_map(|&prefix| {
            Some((prefix, definitions.terms(prefix).filter(|t| t.len() <= MOST_TERMS)?.to_vec()))
        })
        .collect();
    let variables = known.iter().flat_map(|(_, terms)| terms.iter().map(|(variable, _)| *variable));
    let keys: Vec<PrefixKey> =
        prefixes.iter().copied().chain(variables).collect::<BTreeSet<_>>().into_iter().collect();
    let place = |key: &PrefixKey| keys.binary_search(key).unwrap_or(0) as u64;
    let mut bytes = vec![ENTRY_VERSION, matches!(kind, Kind::Unsat).into()];
    put(&mut bytes, keys.len() as u64);
    for key in &keys {
        bytes.extend_from_slice(&key.0.to_le_bytes());
    }
    put(&mut bytes, known.len() as u64);
    for (prefix, mut terms) in known {
        terms.sort_unstable();
        put(&mut bytes, place(&prefix));
        put(&mut bytes, terms.len() as u64);
        for (variable, coefficient) in terms {
            put(&mut bytes, place(&variable));
            put(&mut bytes, zigzag(coefficient));
        }
    }
    put(&mut bytes, atoms.len() as u64);
    for atom in &atoms {
        put(&mut bytes, place(&atom.prefix));
        bytes.push(atom.op as u8);
        if atom.op != Op::Holds {
            put(&mut bytes, zigzag(atom.constant));
        }
    }
    put(&mut bytes, payload.len() as u64);
    bytes.extend_from_slice(payload);
    Some(bytes)
}

/// The entry that the bytes encode, or None if they are not an entry of this version.
pub fn decode(bytes: &[u8]) -> Option<Entry> {
    let mut reader = Reader { rest: bytes };
    if reader.byte()? != ENTRY_VERSION {
        return None;
    }
    let kind = match reader.byte()? {
        0 => Kind::Sat,
        1 => Kind::Unsat,
        _ => return None,
    };
    let keys = reader.keys()?;
    let mut mentioned = vec![false; keys.len()];
    let definitions = reader.definitions(&keys, &mut mentioned)?;
    let set = reader.atoms(&keys, &mut mentioned)?;
    let length = usize::try_from(reader.number()?).ok()?;
    let payload = reader.rest.to_vec();
    let defined_but_absent =
        |(prefix, _): &(PrefixKey, Vec<Term>)| set.iter().all(|atom| atom.prefix != *prefix);
    if payload.len() != length || mentioned.contains(&false) || definitions.iter().any(defined_but_absent) {
        return None;
    }
    Some(Entry { kind, set, definitions, payload })
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl Reader<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    /// A number in base 128, least digit first, in as few bytes as it needs.
    fn number(&mut self) -> Option<u64> {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let digit = u64::from(byte & 0x7f);
            if digit << shift >> shift != digit {
                return None;
            }
            value |= digit << shift;
            if byte < 0x80 {
                return (byte != 0 || shift == 0).then_some(value);
            }
        }
        None
    }

    fn signed(&mut self) -> Option<i64> {
        let number = self.number()?;
        Some((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    /// A count of things that take at least `size` bytes each.
    fn count(&mut self, most: usize, size: usize) -> Option<usize> {
        let count = usize::try_from(self.number()?).ok()?;
        (count <= most && count * size <= self.rest.len()).then_some(count)
    }

    fn keys(&mut self) -> Option<Vec<PrefixKey>> {
        let count = self.count(MOST_ATOMS * (1 + MOST_TERMS), 16)?;
        let mut keys = Vec::with_capacity(count);
        for _ in 0..count {
            let (key, rest) = self.rest.split_first_chunk::<16>()?;
            self.rest = rest;
            keys.push(PrefixKey(u128::from_le_bytes(*key)));
        }
        keys.is_sorted_by(|a, b| a < b).then_some(keys)
    }

    fn key(&mut self, keys: &[PrefixKey], mentioned: &mut [bool]) -> Option<PrefixKey> {
        let place = usize::try_from(self.number()?).ok()?;
        *mentioned.get_mut(place)? = true;
        keys.get(place).copied()
    }

    fn definitions(
        &mut self,
        keys: &[PrefixKey],
        mentioned: &mut [bool],
    ) -> Option<Vec<(PrefixKey, Vec<Term>)>> {
        let count = self.count(MOST_ATOMS, 4)?;
        let mut definitions = Vec::with_capacity(count);
        for _ in 0..count {
            let prefix = self.key(keys, mentioned)?;
            let length = self.count(MOST_TERMS, 2)?;
            let mut terms = Vec::with_capacity(length);
            for _ in 0..length {
                let variable = self.key(keys, mentioned)?;
                terms.push((variable, self.signed()?));
            }
            let sound = !terms.is_empty() && terms.iter().all(|(_, coefficient)| *coefficient != 0);
            if !sound || !terms.is_sorted_by(|a, b| a.0 < b.0) {
                return None;
            }
            definitions.push((prefix, terms));
        }
        definitions.is_sorted_by(|a, b| a.0 < b.0).then_some(definitions)
    }

    fn atoms(&mut self, keys: &[PrefixKey], mentioned: &mut [bool]) -> Option<Vec<Atom>> {
        let count = self.count(MOST_ATOMS, 2)?;
        let mut atoms = Vec::with_capacity(count);
        for _ in 0..count {
            let prefix = self.key(keys, mentioned)?;
            let op = Op::from_number(self.byte()?)?;
            let constant = if op == Op::Holds { 0 } else { self.signed()? };
            atoms.push(Atom { prefix, op, constant });
        }
        (!atoms.is_empty() && atoms.is_sorted_by(|a, b| a < b)).then_some(atoms)
    }
}

fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}
