//! The byte form of a certificate, as a store keeps it beside an unsat answer (docs/certificate-format.md).
//!
//! Reading is strict and total: every certificate has exactly one form, anything else is refused, and no
//! number that was read decides how much memory is taken before the bytes for it are there. Reading checks
//! the form only; [`check`](crate::check) decides what a certificate proves.

use crate::{Certificate, Part, Step, Var};
use evergreen_term::Int;
use num_bigint::{BigInt, BigUint, Sign};

/// The first byte.
const VERSION: u8 = 1;

const CLOSE: u8 = 0;
const CUT: u8 = 1;
const SPLIT: u8 = 2;
const APART: u8 = 3;

impl Certificate {
    /// The bytes of the certificate.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = vec![VERSION];
        put_count(self.steps.len(), &mut out);
        for step in &self.steps {
            match step {
                Step::Close(sum) => {
                    out.push(CLOSE);
                    put_sum(sum, &mut out);
                }
                Step::Cut { sum, divisor } => {
                    out.push(CUT);
                    put_sum(sum, &mut out);
                    put_int(divisor, &mut out);
                }
                Step::Split { terms, at } => {
                    out.push(SPLIT);
                    put_count(terms.len(), &mut out);
                    for (var, coefficient) in terms {
                        put_varint(u64::from(*var), &mut out);
                        put_int(coefficient, &mut out);
                    }
                    put_int(at, &mut out);
                }
                Step::Apart { line } => {
                    out.push(APART);
                    put_varint(u64::from(*line), &mut out);
                }
            }
        }
        out
    }

    /// The certificate that has exactly these bytes.
    pub fn decode(bytes: &[u8]) -> Option<Certificate> {
        let mut reader = Reader { bytes };
        if reader.byte()? != VERSION {
            return None;
        }
        let count = reader.count()?;
        let steps = (0..count).map(|_| reader.step()).collect::<Option<Vec<Step>>>()?;
        reader.bytes.is_empty().then_some(Certificate { steps })
    }
}

fn put_varint(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn put_count(count: usize, out: &mut Vec<u8>) {
    put_varint(count as u64, out);
}

fn put_sum(sum: &[Part], out: &mut Vec<u8>) {
    put_count(sum.len(), out);
    for part in sum {
        put_varint(u64::from(part.line), out);
        put_int(&part.times, out);
    }
}

/// Zigzag: 0, -1, 1, -2, … are 0, 1, 2, 3, …; of any size.
fn put_int(int: &Int, out: &mut Vec<u8>) {
    if let Int::Small(value) = int {
        return put_varint(((value << 1) ^ (value >> 63)) as u64, out);
    }
    let value = int.to_big();
    let twice: BigUint = value.magnitude() << 1;
    let zigzag = if value.sign() == Sign::Minus { twice - 1u32 } else { twice };
    let mut digits = zigzag.to_radix_le(128);
    let last = digits.len() - 1; // zero has one digit too
    digits[..last].iter_mut().for_each(|digit| *digit |= 0x80);
    out.extend(digits);
}

/// The bytes left to read.
struct Reader<'a> {
    bytes: &'a [u8],
}

impl Reader<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(first)
    }

    fn step(&mut self) -> Option<Step> {
        match self.byte()? {
            CLOSE => Some(Step::Close(self.sum()?)),
            CUT => Some(Step::Cut { sum: self.sum()?, divisor: self.int()? }),
            SPLIT => {
                let count = self.count()?;
                let terms = (0..count).map(|_| Some((self.number()?, self.int()?)));
                Some(Step::Split { terms: terms.collect::<Option<Vec<(Var, Int)>>>()?, at: self.int()? })
            }
            APART => Some(Step::Apart { line: self.number()? }),
            _ => None,
        }
    }

    fn sum(&mut self) -> Option<Vec<Part>> {
        let count = self.count()?;
        (0..count).map(|_| Some(Part { line: self.number()?, times: self.int()? })).collect()
    }

    /// How many things follow: each takes at least one byte.
    fn count(&mut self) -> Option<usize> {
        let count = usize::try_from(self.small()?).ok()?;
        (count <= self.bytes.len()).then_some(count)
    }

    /// A line or a variable.
    fn number(&mut self) -> Option<u32> {
        u32::try_from(self.small()?).ok()
    }

    fn small(&mut self) -> Option<u64> {
        let digits = self.digits()?;
        if digits.len() > 9 {
            return None;
        }
        Some(digits.iter().rev().fold(0, |value, digit| value << 7 | u64::from(digit & 0x7f)))
    }

    fn int(&mut self) -> Option<Int> {
        let digits = self.digits()?;
        if digits.len() <= 9 {
            let zigzag = digits.iter().rev().fold(0u64, |value, digit| value << 7 | u64::from(digit & 0x7f));
            return Some(Int::from((zigzag >> 1) as i64 ^ -((zigzag & 1) as i64)));
        }
        let digits: Vec<u8> = digits.iter().map(|digit| digit & 0x7f).collect();
        let zigzag = BigUint::from_radix_le(&digits, 128)?;
        let magnitude = (&zigzag + 1u32) >> 1;
        let sign = if zigzag.bit(0) { Sign::Minus } else { Sign::Plus };
        Some(Int::from(BigInt::from_biguint(sign, magnitude)))
    }

    /// The digits of one number, base 128, the lowest first; the last one is not a needless zero.
    fn digits(&mut self) -> Option<&[u8]> {
        let end = self.bytes.iter().position(|byte| byte & 0x80 == 0)? + 1;
        let (digits, rest) = self.bytes.split_at(end);
        self.bytes = rest;
        (end == 1 || digits[end - 1] != 0).then_some(digits)
    }
}
