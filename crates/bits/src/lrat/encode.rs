//! Proofs as bytes: one sequence for each proof, and one proof for each sequence that the reader takes.
//!
//! All numbers are variable-length: seven bits a byte, the low ones first, a set top bit says that more
//! follow, and no number has a last byte of zero beside a single one.
//!
//! ```text
//! proof   = lines, line * lines
//! line    = literals, literal * literals, hints, hint * hints
//! literal = code of the first; then the distance from the one before, less one
//! hint    = 2 * zigzag(clause - last clause named in the proof)    a clause of the input
//!         | 2 * (line - hint's line - 1) + 1                       an earlier line
//! ```
//!
//! Distances between clauses are small, because a blaster writes the clauses of neighbouring gates one after
//! the other and propagation goes from gate to gate.

use super::{Premise, Proof};
use crate::sat::{Lit, Var};
use std::fmt;

/// The most bytes that a proof may have: what is larger is not worth its place in a store.
pub const MOST_BYTES: usize = 64 << 10;

/// Clauses of the input have numbers below this.
const MOST_CLAUSES: i64 = 1 << 31;

/// Why bytes are no proof: where the reader stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Malformed {
    /// How many bytes were read before it.
    pub at: usize,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: the proof is malformed", self.at)
    }
}

impl std::error::Error for Malformed {}

impl Proof {
    /// The bytes of the proof, or nothing if there are more than [`MOST_BYTES`].
    pub fn encode(&self) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        put(&mut bytes, self.len() as u64);
        let mut last = 0;
        for line in 0..self.len() {
            let lits = self.lits(line);
            put(&mut bytes, lits.len() as u64);
            let mut least = 0;
            for lit in lits {
                put(&mut bytes, u64::from(lit.code() - least));
                least = lit.code() + 1;
            }
            let hints = self.hints(line);
            put(&mut bytes, hints.len() as u64);
            for hint in hints {
                if hint.is_line() {
                    put(&mut bytes, (line as u64 - u64::from(hint.number()) - 1) << 1 | 1);
                } else {
                    put(&mut bytes, zigzag(i64::from(hint.number()) - last) << 1);
                    last = i64::from(hint.number());
                }
            }
            if bytes.len() > MOST_BYTES {
                return None;
            }
        }
        Some(bytes)
    }

    /// The proof of these bytes.
    pub fn decode(bytes: &[u8]) -> Result<Proof, Malformed> {
        let mut reader = Reader { bytes, at: 0 };
        if bytes.len() > MOST_BYTES {
            return Err(reader.malformed());
        }
        let mut proof = Vec::new();
        let lines = reader.count()?;
        let mut last = 0;
        for line in 0..lines {
            let lits = reader.lits()?;
            // Only the last line is the empty clause.
            if lits.is_empty() != (line + 1 == lines) {
                return Err(reader.malformed());
            }
            proof.push((lits, reader.hints(line, &mut last)?));
        }
        if reader.at < bytes.len() {
            return Err(reader.malformed());
        }
        let lines = proof.iter().map(|(lits, hints)| (lits.as_slice(), hints.as_slice()));
        Proof::from_lines(lines).ok_or(reader.malformed())
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn malformed(&self) -> Malformed {
        Malformed { at: self.at }
    }

    fn number(&mut self) -> Result<u64, Malformed> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let &byte = self.bytes.get(self.at).ok_or(self.malformed())?;
            let bits = u64::from(byte & 0x7f);
            let is_last = byte & 0x80 == 0;
            // Nothing may be lost at the top, and no number may have a shorter form.
            if bits << shift >> shift != bits || (is_last && byte == 0 && shift > 0) {
                return Err(self.malformed());
            }
            self.at += 1;
            number |= bits << shift;
            if is_last {
                return Ok(number);
            }
        }
        Err(self.malformed())
    }

    /// A number of things that take at least a byte each: no more than there are bytes left.
    fn count(&mut self) -> Result<usize, Malformed> {
        let count = self.number()?;
        let left = self.bytes.len() - self.at;
        usize::try_from(count).ok().filter(|&count| count <= left).ok_or(self.malformed())
    }

    fn lits(&mut self) -> Result<Vec<Lit>, Malformed> {
        let count = self.count()?;
        let mut lits = Vec::with_capacity(count);
        let mut least = 0;
        for _ in 0..count {
            let code = self.number()?.checked_add(least).ok_or(self.malformed())?;
            if code > u64::from(Var::MAX.negative().code()) {
                return Err(self.malformed());
            }
            lits.push(Lit::from_code(code as u32));
            least = code + 1;
        }
        Ok(lits)
    }

    fn hints(&mut self, line: usize, last: &mut i64) -> Result<Vec<Premise>, Malformed> {
        let count = self.count()?;
        let mut hints = Vec::with_capacity(count);
        for _ in 0..count {
            let number = self.number()?;
            if number & 1 == 1 {
                let back = number >> 1;
                if back >= line as u64 {
                    return Err(self.malformed());
                }
                hints.push(Premise::line((line as u64 - back - 1) as u32));
            } else {
                let clause = last.checked_add(unzigzag(number >> 1)).ok_or(self.malformed())?;
                if !(0..MOST_CLAUSES).contains(&clause) {
                    return Err(self.malformed());
                }
                *last = clause;
                hints.push(Premise::original(clause as u32));
            }
        }
        Ok(hints)
    }
}

fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Small numbers of both signs as small numbers: 0, -1, 1, -2, ...
fn zigzag(number: i64) -> u64 {
    (number << 1 ^ number >> 63) as u64
}

fn unzigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}
