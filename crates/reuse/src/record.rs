//! What the store keeps of an answer. The bytes are drawn in docs/record-format.md.
//!
//! Everything in a record is relative to the canonical form whose key it is stored under: values belong to
//! the form's numbered leaves, cores are positions in its list of constraints. Reading is strict and total:
//! bytes that are not a record of a known version are no record, and the caller takes that as a miss.

use num_bigint::BigUint;

/// Version of the record format.
pub const RECORD_VERSION: u8 = 3;
/// The version before counts: what is no count is still written so, for those who know no newer one.
const SECOND_VERSION: u8 = 2;
/// The first version, which knows no certificates; still read.
const FIRST_VERSION: u8 = 1;

/// The verdict of a record, with what is known beyond it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RecordedVerdict {
    /// Satisfiable; with the encoded value of each leaf (empty where a leaf has none), if a model is known.
    Sat(Option<Vec<Vec<u8>>>),
    /// Unsatisfiable.
    Unsat {
        /// The positions of a core's constraints, ascending, if one is known.
        core: Option<Vec<u32>>,
        /// A proof for those who do not trust the store, if there is one: bytes that mean nothing to the
        /// record.
        certificate: Option<Vec<u8>>,
    },
    /// The number of solutions, exactly. Stands under keys of its own kind.
    Count(BigUint),
}

/// An answer as it is stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The verdict.
    pub verdict: RecordedVerdict,
    /// Microseconds that solving took.
    pub micros: u64,
    /// Who solved it.
    pub solver: String,
}

const SAT: u8 = 1;
const SAT_WITH_MODEL: u8 = 2;
const UNSAT: u8 = 3;
const UNSAT_WITH_CORE: u8 = 4;
const UNSAT_WITH_CERTIFICATE: u8 = 5;
const UNSAT_WITH_BOTH: u8 = 6;
const COUNT: u8 = 7;

impl Record {
    /// Whether the verdict is sat.
    pub fn is_sat(&self) -> bool {
        matches!(self.verdict, RecordedVerdict::Sat(_))
    }

    /// The stored bytes.
    pub fn encode(&self) -> Vec<u8> {
        let is_count = matches!(self.verdict, RecordedVerdict::Count(_));
        let mut out = vec![if is_count { RECORD_VERSION } else { SECOND_VERSION }];
        out.push(match &self.verdict {
            RecordedVerdict::Sat(None) => SAT,
            RecordedVerdict::Sat(Some(_)) => SAT_WITH_MODEL,
            RecordedVerdict::Unsat { core: None, certificate: None } => UNSAT,
            RecordedVerdict::Unsat { core: Some(_), certificate: None } => UNSAT_WITH_CORE,
            RecordedVerdict::Unsat { core: None, certificate: Some(_) } => UNSAT_WITH_CERTIFICATE,
            RecordedVerdict::Unsat { core: Some(_), certificate: Some(_) } => UNSAT_WITH_BOTH,
            RecordedVerdict::Count(_) => COUNT,
        });
        put_varint(&mut out, self.micros);
        put_bytes(&mut out, self.solver.as_bytes());
        match &self.verdict {
            RecordedVerdict::Sat(values) => {
                if let Some(values) = values {
                    put_varint(&mut out, values.len() as u64);
                    values.iter().for_each(|v| put_bytes(&mut out, v));
                }
            }
            RecordedVerdict::Unsat { core, certificate } => {
                if let Some(core) = core {
                    put_varint(&mut out, core.len() as u64);
                    core.iter().for_each(|&c| put_varint(&mut out, u64::from(c)));
                }
                if let Some(certificate) = certificate {
                    put_bytes(&mut out, certificate);
                }
            }
            RecordedVerdict::Count(count) => put_bytes(&mut out, &count.to_bytes_le()),
        }
        out
    }

    /// Reads stored bytes; `None` unless they are a whole record of a known version.
    pub fn decode(bytes: &[u8]) -> Option<Record> {
        let mut r = Reader { bytes };
        let version = r.byte()?;
        let kind = r.byte()?;
        let newest_kind = match version {
            FIRST_VERSION => UNSAT_WITH_CORE,
            SECOND_VERSION => UNSAT_WITH_BOTH,
            RECORD_VERSION => COUNT,
            _ => return None,
        };
        let micros = r.varint()?;
        let solver = String::from_utf8(r.sized()?.to_vec()).ok()?;
        let verdict = match kind {
            _ if kind > newest_kind => return None,
            SAT => RecordedVerdict::Sat(None),
            SAT_WITH_MODEL => {
                let count = r.count()?;
                let values = (0..count).map(|_| r.sized().map(<[u8]>::to_vec)).collect::<Option<_>>()?;
                RecordedVerdict::Sat(Some(values))
            }
            UNSAT | UNSAT_WITH_CORE | UNSAT_WITH_CERTIFICATE | UNSAT_WITH_BOTH => {
                let mut core = None;
                if matches!(kind, UNSAT_WITH_CORE | UNSAT_WITH_BOTH) {
                    core = Some(r.core()?);
                }
                let mut certificate = None;
                if matches!(kind, UNSAT_WITH_CERTIFICATE | UNSAT_WITH_BOTH) {
                    certificate = Some(r.sized()?.to_vec());
                }
                RecordedVerdict::Unsat { core, certificate }
            }
            COUNT => {
                let bytes = r.sized()?;
                let count = BigUint::from_bytes_le(bytes);
                // One number, one way to write it.
                if count.to_bytes_le() != bytes {
                    return None;
                }
                RecordedVerdict::Count(count)
            }
            _ => return None,
        };
        r.bytes.is_empty().then_some(Record { verdict, micros, solver })
    }
}

/// Whether bytes are a record of a known version: for `store verify`.
pub fn check_bytes(bytes: &[u8]) -> bool {
    Record::decode(bytes).is_some()
}

fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put_varint(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(first)
    }

    fn varint(&mut self) -> Option<u64> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let part = u64::from(byte & 0x7f);
            if shift == 63 && part > 1 {
                return None;
            }
            value |= part << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    /// A count of things that take at least a byte each.
    fn count(&mut self) -> Option<usize> {
        let count = usize::try_from(self.varint()?).ok()?;
        (count <= self.bytes.len()).then_some(count)
    }

    fn core(&mut self) -> Option<Vec<u32>> {
        let count = self.count()?;
        let core: Vec<u32> =
            (0..count).map(|_| self.varint().and_then(|v| u32::try_from(v).ok())).collect::<Option<_>>()?;
        core.is_sorted_by(|a, b| a < b).then_some(core)
    }

    fn sized(&mut self) -> Option<&'a [u8]> {
        let len = usize::try_from(self.varint()?).ok()?;
        let (head, rest) = self.bytes.split_at_checked(len)?;
        self.bytes = rest;
        Some(head)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples() -> Vec<Record> {
        let verdicts = [
            RecordedVerdict::Sat(None),
            RecordedVerdict::Sat(Some(vec![vec![1, 2], vec![], vec![9]])),
            RecordedVerdict::Unsat { core: None, certificate: None },
            RecordedVerdict::Unsat { core: Some(vec![0, 3, 300]), certificate: None },
            RecordedVerdict::Unsat { core: None, certificate: Some(vec![1, 0, 7]) },
            RecordedVerdict::Unsat { core: Some(vec![2]), certificate: Some(Vec::new()) },
            RecordedVerdict::Count(BigUint::ZERO),
            RecordedVerdict::Count(BigUint::from(7u32).pow(300)),
        ];
        verdicts
            .into_iter()
            .map(|verdict| Record { verdict, micros: 123_456, solver: "z3 5.4".into() })
            .collect()
    }

    #[test]
    fn read_back() {
        for record in samples() {
            assert_eq!(Record::decode(&record.encode()), Some(record));
        }
    }

    #[test]
    fn the_first_version_is_read_for_ever() {
        let solver = [6, b'z', b'3', b' ', b'5', b'.', b'4'];
        let record = |kind: u8, rest: &[u8]| [&[1, kind, 0x80, 1], &solver[..], rest].concat();
        let verdict = |bytes: &[u8]| {
            let record = Record::decode(bytes)?;
            assert_eq!((record.micros, record.solver.as_str()), (128, "z3 5.4"));
            Some(record.verdict)
        };
        let unsat = |core| Some(RecordedVerdict::Unsat { core, certificate: None });
        assert_eq!(verdict(&record(1, &[])), Some(RecordedVerdict::Sat(None)));
        let values = Some(vec![vec![9], vec![]]);
        assert_eq!(verdict(&record(2, &[2, 1, 9, 0])), Some(RecordedVerdict::Sat(values)));
        assert_eq!(verdict(&record(3, &[])), unsat(None));
        assert_eq!(verdict(&record(4, &[2, 0, 5])), unsat(Some(vec![0, 5])));
        // Certificates came with the second.
        assert_eq!(verdict(&record(5, &[1, 7])), None);
        assert_eq!(verdict(&record(6, &[1, 0, 1, 7])), None);
    }

    #[test]
    fn anything_else_is_no_record() {
        for record in samples() {
            let bytes = record.encode();
            for cut in 0..bytes.len() {
                assert_eq!(Record::decode(&bytes[..cut]), None, "cut at {cut}");
            }
            let mut longer = bytes.clone();
            longer.push(0);
            assert_eq!(Record::decode(&longer), None);
            let mut newer = bytes.clone();
            newer[0] = RECORD_VERSION + 1;
            assert_eq!(Record::decode(&newer), None);
            // A flipped bit never panics; it may by chance be another record, which checking then has to
            // catch.
            for bit in 0..bytes.len() * 8 {
                let mut flipped = bytes.clone();
                flipped[bit / 8] ^= 1 << (bit % 8);
                let _ = Record::decode(&flipped);
            }
        }
    }
}
