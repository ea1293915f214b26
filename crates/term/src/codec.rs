//! The byte form of values.
//!
//! The form is read against a sort, so it holds no sorts, and no arena ids either: the same value has the
//! same bytes on every machine. It has no version of its own; the record that it is part of has one.
//!
//! ```text
//! varint      seven bits per byte, lowest first; the highest bit says that more follow; no needless bytes
//! natural     varint length, then that many bytes of the number, lowest first, the last one not zero
//! integer     varint 2 * length + sign, then the magnitude as in a natural
//! Bool        one byte: 0 or 1
//! Int         integer
//! Real        integer numerator, natural denominator, in lowest terms
//! BitVec w    ceil(w / 8) bytes, lowest first; unused bits are zero
//! Float e s   the bits as a BitVec e+s; NaN in one form only
//! Rounding    one byte: 0 RNE, 1 RNA, 2 RTP, 3 RTN, 4 RTZ
//! String      varint length, then a varint per code point
//! Array i e   default, varint count, then index and element for each exception,
//!             in the order of the indices' bytes
//! datatype    varint number of the constructor within its datatype, then the fields
//! declared    varint length, then the element's name in UTF-8
//! ```
//!
//! Functions have a form of their own, see `codec/function.rs`. Reading is strict: bytes that are not the
//! form of exactly one value of the sort are refused, and the reader trusts no byte.

mod function;

pub use function::{decode_function, encode_function};

use crate::{
    ArrayValue, BitVec, Float, Int, MAX_CODE_POINT, Rational, RoundingMode, Sort, SortId, SymbolKind, Terms,
    Value,
};
use num_bigint::{BigInt, BigUint, Sign};
use num_traits::Zero;
use std::fmt;

/// How deeply values may nest.
const MAX_DEPTH: u32 = 1_000;

/// A value that has no byte form: a function body with a declared symbol or a quantifier, or a function where
/// a value of a sort is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unencodable;

impl fmt::Display for Unencodable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the value has no byte form")
    }
}

impl std::error::Error for Unencodable {}

/// Bytes that are not the form of a value of the sort.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DecodeError(&'static str);

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not the bytes of a value: {}", self.0)
    }
}

impl std::error::Error for DecodeError {}

/// Appends the byte form of a value that is not a function.
pub fn encode_value(terms: &Terms, value: &Value, out: &mut Vec<u8>) -> Result<(), Unencodable> {
    match value {
        Value::Bool(value) => out.push(u8::from(*value)),
        Value::Int(value) => put_integer(value, out),
        Value::Real(value) => {
            put_integer(value.num(), out);
            put_natural(value.den().to_big().magnitude(), out);
        }
        Value::BitVec(value) => put_bits(value, out),
        Value::Float(value) => put_bits(value.bits(), out),
        Value::RoundingMode(mode) => out.push(*mode as u8),
        Value::String(text) => {
            put_varint(text.len() as u64, out);
            text.iter().for_each(|c| put_varint(u64::from(*c), out));
        }
        Value::Array(array) => {
            encode_value(terms, &array.default, out)?;
            let mut entries = Vec::with_capacity(array.entries.len());
            for (index, element) in &array.entries {
                let mut bytes = Vec::new();
                encode_value(terms, index, &mut bytes)?;
                entries.push((bytes, element));
            }
            // The order of the map depends on arena ids.
            entries.sort_by(|a, b| a.0.cmp(&b.0));
            put_varint(entries.len() as u64, out);
            for (index, element) in entries {
                out.extend_from_slice(&index);
                encode_value(terms, element, out)?;
            }
        }
        Value::Data(constructor, fields) => {
            let SymbolKind::Constructor(_, number) = terms.symbol_of(*constructor).kind else {
                return Err(Unencodable);
            };
            put_varint(u64::from(number), out);
            for field in fields {
                encode_value(terms, field, out)?;
            }
        }
        Value::Element(_, name) => put_text(terms.text(*name), out),
        Value::Function(_) => return Err(Unencodable),
    }
    Ok(())
}

/// Reads a value of a sort from the front of the bytes, which are advanced past it.
pub fn decode_value(terms: &mut Terms, sort: SortId, bytes: &mut &[u8]) -> Result<Value, DecodeError> {
    let mut reader = Reader { rest: bytes };
    let value = decode(terms, sort, &mut reader, 0)?;
    *bytes = reader.rest;
    Ok(value)
}

fn decode(
    terms: &mut Terms,
    sort: SortId,
    reader: &mut Reader<'_>,
    depth: u32,
) -> Result<Value, DecodeError> {
    if depth > MAX_DEPTH {
        return Err(DecodeError("too deep"));
    }
    Ok(match *terms.sort_kind(sort) {
        Sort::Bool => match reader.byte()? {
            0 => Value::Bool(false),
            1 => Value::Bool(true),
            _ => return Err(DecodeError("a truth value is 0 or 1")),
        },
        Sort::Int => Value::Int(reader.integer()?),
        Sort::Real => {
            let (num, den) = (reader.integer()?, Int::from(BigInt::from(reader.natural()?)));
            let value = Rational::new(num, den.clone()).filter(|v| *v.den() == den);
            Value::Real(value.ok_or(DecodeError("a fraction is in lowest terms"))?)
        }
        Sort::BitVec(width) => Value::BitVec(reader.bits(width)?),
        Sort::Float(exponent, significand) => {
            let width = exponent.checked_add(significand).ok_or(DecodeError("the format is too wide"))?;
            let bits = reader.bits(width)?;
            let float = Float::from_bits(exponent, significand, bits.clone()).filter(|f| *f.bits() == bits);
            Value::Float(Box::new(float.ok_or(DecodeError("there is one NaN"))?))
        }
        Sort::RoundingMode => {
            let mode = RoundingMode::ALL.get(usize::from(reader.byte()?));
            Value::RoundingMode(*mode.ok_or(DecodeError("there are five rounding modes"))?)
        }
        Sort::String => {
            let length = reader.count()?;
            let mut text = Vec::with_capacity(length);
            for _ in 0..length {
                let c = u32::try_from(reader.varint()?).ok().filter(|c| *c <= MAX_CODE_POINT);
                text.push(c.ok_or(DecodeError("not a code point"))?);
            }
            Value::String(text.into())
        }
        Sort::Array(index, element) => decode_array(terms, (sort, index, element), reader, depth)?,
        Sort::Datatype(data) => {
            let number = usize::try_from(reader.varint()?).unwrap_or(usize::MAX);
            let constructor = terms.datatype(data).constructors.get(number);
            let symbol = constructor.ok_or(DecodeError("no such constructor"))?.symbol;
            let params = terms.symbol_of(symbol).params.clone();
            let mut fields = Vec::with_capacity(params.len());
            for param in params {
                fields.push(decode(terms, param, reader, depth + 1)?);
            }
            Value::Data(symbol, fields.into())
        }
        Sort::Uninterpreted(..) => {
            let name = terms.name(reader.text()?);
            Value::Element(sort, name)
        }
        Sort::RegLan | Sort::Seq(_) | Sort::Opaque(..) => return Err(DecodeError("the sort has no values")),
    })
}

fn decode_array(
    terms: &mut Terms,
    (sort, index, element): (SortId, SortId, SortId),
    reader: &mut Reader<'_>,
    depth: u32,
) -> Result<Value, DecodeError> {
    let default = decode(terms, element, reader, depth + 1)?;
    let mut entries: Vec<(Value, Value)> = Vec::new();
    let mut previous: Option<&[u8]> = None;
    for _ in 0..reader.count()? {
        let before = reader.rest;
        let at = decode(terms, index, reader, depth + 1)?;
        let read = &before[..before.len() - reader.rest.len()];
        if previous.is_some_and(|previous| previous >= read) {
            return Err(DecodeError("indices are in order"));
        }
        previous = Some(read);
        let value = decode(terms, element, reader, depth + 1)?;
        if value == default {
            return Err(DecodeError("an exception differs from the default"));
        }
        entries.push((at, value));
    }
    Ok(Value::Array(Box::new(ArrayValue { sort, default, entries: entries.into_iter().collect() })))
}

fn put_varint(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn put_text(text: &str, out: &mut Vec<u8>) {
    put_varint(text.len() as u64, out);
    out.extend_from_slice(text.as_bytes());
}

fn magnitude(value: &BigUint) -> Vec<u8> {
    if value.is_zero() { Vec::new() } else { value.to_bytes_le() }
}

fn put_natural(value: &BigUint, out: &mut Vec<u8>) {
    let bytes = magnitude(value);
    put_varint(bytes.len() as u64, out);
    out.extend_from_slice(&bytes);
}

fn put_integer(value: &Int, out: &mut Vec<u8>) {
    let bytes = magnitude(value.to_big().magnitude());
    put_varint(bytes.len() as u64 * 2 + u64::from(value.signum() < 0), out);
    out.extend_from_slice(&bytes);
}

fn put_bits(value: &BitVec, out: &mut Vec<u8>) {
    let mut bytes = magnitude(&value.to_biguint());
    bytes.resize(value.width().div_ceil(8) as usize, 0);
    out.extend_from_slice(&bytes);
}

/// Bytes that are being read.
struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], DecodeError> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(DecodeError("it ends early"))?;
        self.rest = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, DecodeError> {
        Ok(self.take(1)?[0])
    }

    fn varint(&mut self) -> Result<u64, DecodeError> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let part = u64::from(byte & 0x7f);
            if (part << shift) >> shift != part || (byte == 0 && shift > 0) {
                return Err(DecodeError("a number has no needless bytes"));
            }
            value |= part << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(DecodeError("a number is too long"))
    }

    /// A number of things that take at least a byte each.
    fn count(&mut self) -> Result<usize, DecodeError> {
        let count = usize::try_from(self.varint()?).unwrap_or(usize::MAX);
        if count > self.rest.len() { Err(DecodeError("it ends early")) } else { Ok(count) }
    }

    fn text(&mut self) -> Result<&'a str, DecodeError> {
        let count = self.count()?;
        std::str::from_utf8(self.take(count)?).map_err(|_| DecodeError("a name is UTF-8"))
    }

    fn magnitude(&mut self, length: u64) -> Result<BigUint, DecodeError> {
        let bytes = self.take(usize::try_from(length).unwrap_or(usize::MAX))?;
        if bytes.last() == Some(&0) {
            return Err(DecodeError("a number has no needless bytes"));
        }
        Ok(BigUint::from_bytes_le(bytes))
    }

    fn natural(&mut self) -> Result<BigUint, DecodeError> {
        let length = self.varint()?;
        self.magnitude(length)
    }

    fn integer(&mut self) -> Result<Int, DecodeError> {
        let head = self.varint()?;
        let magnitude = self.magnitude(head / 2)?;
        let sign = if head % 2 == 1 { Sign::Minus } else { Sign::Plus };
        if magnitude.is_zero() && sign == Sign::Minus {
            return Err(DecodeError("zero has no sign"));
        }
        Ok(Int::from(BigInt::from_biguint(sign, magnitude)))
    }

    fn bits(&mut self, width: u32) -> Result<BitVec, DecodeError> {
        let value = BigUint::from_bytes_le(self.take(width.div_ceil(8) as usize)?);
        if value.bits() > u64::from(width) {
            return Err(DecodeError("unused bits are zero"));
        }
        Ok(BitVec::from_biguint(width, value))
    }
}
