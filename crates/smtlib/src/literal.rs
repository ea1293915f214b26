//! Literals: numbers, bit vectors, strings with their Unicode escapes.

use crate::diagnostic::Diagnostic;
use crate::sexp::{Kind, Tape};
use evergreen_term::{BitVec, Int, Rational, TermId, Terms, Value};

/// The largest code point of an SMT-LIB string.
pub(crate) const MAX_CHARACTER: u32 = 0x2FFFF;

/// The literal at `index`; numerals are reals in logics without integers.
pub(crate) fn literal(
    terms: &mut Terms,
    tape: &Tape<'_>,
    index: usize,
    numerals_are_real: bool,
) -> Result<TermId, Diagnostic> {
    let bad = || Diagnostic::new(tape.offset(index), "a literal that cannot be represented");
    let text = std::str::from_utf8(tape.atom(index)).map_err(|_| bad())?;
    match tape.kind(index) {
        Kind::Numeral => {
            let value = Int::parse(text).ok_or_else(bad)?;
            if numerals_are_real {
                let value = Rational::new(value, Int::ONE).ok_or_else(bad)?;
                return Ok(terms.real(value));
            }
            Ok(terms.int(value))
        }
        Kind::Decimal => Ok(terms.real(Rational::parse_decimal(text).ok_or_else(bad)?)),
        Kind::Hex => bits(terms, BitVec::parse_hex(&text[2..])).ok_or_else(bad),
        Kind::Binary => bits(terms, BitVec::parse_binary(&text[2..])).ok_or_else(bad),
        Kind::String => string(terms, tape, index, text),
        _ => Err(Diagnostic::new(tape.offset(index), "a term expected")),
    }
}

fn bits(terms: &mut Terms, value: Option<BitVec>) -> Option<TermId> {
    let value = value?;
    (value.width() <= 1 << 24).then(|| terms.literal(Value::BitVec(value)))
}

fn string(terms: &mut Terms, tape: &Tape<'_>, index: usize, text: &str) -> Result<TermId, Diagnostic> {
    // Solvers disagree on raw characters beyond ASCII (bytes, code points, an error).
    if !text.is_ascii() {
        let error = Diagnostic::new(tape.offset(index), "a string with characters beyond ASCII");
        return Err(error.with_help("write \\u{…}"));
    }
    let points = unescape(&text.replace("\"\"", "\""));
    Ok(terms.literal(Value::String(points.into())))
}

/// `(_ char #x…)`, with the hexadecimal literal at `index`.
pub(crate) fn character(terms: &mut Terms, tape: &Tape<'_>, index: usize) -> Result<TermId, Diagnostic> {
    let bad = || Diagnostic::new(tape.offset(index), "a character from #x0 to #x2FFFF expected");
    if tape.kind(index) != Kind::Hex {
        return Err(bad());
    }
    let text = std::str::from_utf8(&tape.atom(index)[2..]).map_err(|_| bad())?;
    let point = u32::from_str_radix(text, 16).ok().filter(|p| *p <= MAX_CHARACTER).ok_or_else(bad)?;
    Ok(terms.literal(Value::String(vec![point].into())))
}

/// The code points of a string: `\ud₃d₂d₁d₀` and `\u{d…}` (up to five digits, up to 2FFFF) are
/// escapes, any other backslash stands for itself.
pub(crate) fn unescape(text: &str) -> Vec<u32> {
    let bytes = text.as_bytes();
    let mut points = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        match escape(&bytes[at..]) {
            Some((point, length)) => {
                points.push(point);
                at += length;
            }
            None => {
                points.push(u32::from(bytes[at]));
                at += 1;
            }
        }
    }
    points
}

/// The escape at the start of `bytes`: its code point and its length.
fn escape(bytes: &[u8]) -> Option<(u32, usize)> {
    let rest = bytes.strip_prefix(b"\\u")?;
    let (digits, length) = match rest.strip_prefix(b"{") {
        Some(inner) => {
            let end = inner.iter().position(|&b| b == b'}')?;
            (inner.get(..end).filter(|d| (1..=5).contains(&d.len()))?, end + 4)
        }
        None => (rest.get(..4)?, 6),
    };
    let value = digits.iter().try_fold(0, |value, &b| Some(value * 16 + char::from(b).to_digit(16)?))?;
    (value <= MAX_CHARACTER).then_some((value, length))
}
