//! Certificates as values and as bytes (docs/certificate-format.md).
//!
//! Reading is strict: every certificate has one form. What a certificate proves is decided by
//! [`check`](super::check).

use super::form::NodeId;
use super::varint::{Reader, put};

/// The first byte. Certificates of linear rows begin with 1, and a reader of those refuses this.
pub const VERSION: u8 = 2;

/// The most bytes of a certificate: what is larger is not worth its place in a store.
pub const MOST_BYTES: usize = 64 << 10;

const VALUES: u8 = 1;
const LRAT: u8 = 2;

/// One leaf, and the constraints that leave it one value or none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Step {
    pub(super) leaf: NodeId,
    /// Positions of constraints in the form, ascending, at least one.
    pub(super) positions: Vec<u32>,
}

/// A proof that constraints of a form have no model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Certificate {
    /// Each step leaves its leaf one value, the last one none. There is at least one step.
    Values(Vec<Step>),
    /// Positions of constraints, ascending, at least one, and the bytes of a proof over their clauses. No
    /// bytes where one of the constraints is false by itself.
    Lrat { positions: Vec<u32>, proof: Vec<u8> },
}

impl Certificate {
    /// The bytes, unless they are too many.
    pub(super) fn encode(&self) -> Option<Vec<u8>> {
        let mut out = vec![VERSION];
        match self {
            Certificate::Values(steps) => {
                out.push(VALUES);
                put(&mut out, steps.len() as u64);
                for step in steps {
                    put(&mut out, u64::from(step.leaf.0));
                    put_positions(&mut out, &step.positions);
                }
            }
            Certificate::Lrat { positions, proof } => {
                out.push(LRAT);
                put_positions(&mut out, positions);
                out.extend_from_slice(proof);
            }
        }
        (out.len() <= MOST_BYTES).then_some(out)
    }

    /// The certificate that has exactly these bytes.
    pub(super) fn decode(bytes: &[u8]) -> Option<Certificate> {
        let mut reader = Reader::new(bytes);
        if bytes.len() > MOST_BYTES || reader.byte()? != VERSION {
            return None;
        }
        match reader.byte()? {
            VALUES => {
                let count = reader.count()?;
                let step = |reader: &mut Reader<'_>| {
                    Some(Step { leaf: NodeId(reader.small()?), positions: read_positions(reader)? })
                };
                let steps = (0..count).map(|_| step(&mut reader)).collect::<Option<Vec<Step>>>()?;
                (!steps.is_empty() && reader.is_empty()).then_some(Certificate::Values(steps))
            }
            LRAT => {
                let positions = read_positions(&mut reader)?;
                Some(Certificate::Lrat { positions, proof: reader.rest().to_vec() })
            }
            _ => None,
        }
    }

    /// The positions of all constraints that it uses, ascending, each once.
    pub(super) fn positions(&self) -> Vec<u32> {
        match self {
            Certificate::Lrat { positions, .. } => positions.clone(),
            Certificate::Values(steps) => {
                let mut all: Vec<u32> = steps.iter().flat_map(|s| s.positions.iter().copied()).collect();
                all.sort_unstable();
                all.dedup();
                all
            }
        }
    }
}

/// How many, the first, and how many are left out before each of the others.
fn put_positions(out: &mut Vec<u8>, positions: &[u32]) {
    put(out, positions.len() as u64);
    let mut least = 0;
    for &position in positions {
        put(out, u64::from(position - least));
        least = position + 1;
    }
}

fn read_positions(reader: &mut Reader<'_>) -> Option<Vec<u32>> {
    let count = reader.count()?;
    let mut least = 0u32;
    let mut positions = Vec::with_capacity(count);
    for _ in 0..count {
        let position = least.checked_add(reader.small()?)?;
        least = position.checked_add(1)?;
        positions.push(position);
    }
    (!positions.is_empty()).then_some(positions)
}
