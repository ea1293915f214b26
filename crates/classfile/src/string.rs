//! Java's strings: UTF-16 units that need not pair up, and the modified UTF-8 in which class files hold them.
//!
//! Names are kept as `str`, because all real ones are. A unit that `str` cannot hold (a surrogate without its
//! other half) is written as the escape character U+10FFFD and four hexadecimal digits, and the escape
//! character itself likewise; so two names are equal exactly when their `str`s are, and nothing is lost.

use crate::bytes::ReadError;
use std::fmt;
use std::sync::Arc;

/// Begins an escape in a name; the last private-use character of Unicode, which no compiler puts into a name.
const ESCAPE: char = '\u{10FFFD}';

/// A Java string: any sequence of UTF-16 units. Kept as a name is, so a clone costs
/// nothing whatever its length.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct JavaString(Arc<str>);

impl JavaString {
    /// The string of these units.
    pub fn new(units: &[u16]) -> JavaString {
        JavaString(name_of(units.iter().copied()).into())
    }

    /// The string that a constant pool's name stands for.
    pub fn from_name(name: Arc<str>) -> JavaString {
        JavaString(name)
    }

    /// The string as a constant pool's name: `str` with escapes for what `str` cannot hold.
    pub fn name(&self) -> &Arc<str> {
        &self.0
    }

    /// The UTF-16 units.
    pub fn units(&self) -> Vec<u16> {
        let mut units = Vec::with_capacity(self.0.len());
        let mut rest = self.0.chars();
        while let Some(c) = rest.next() {
            if c == ESCAPE {
                let digits: String = rest.by_ref().take(4).collect();
                units.push(u16::from_str_radix(&digits, 16).unwrap_or(0xFFFD));
            } else {
                units.extend_from_slice(c.encode_utf16(&mut [0; 2]));
            }
        }
        units
    }

    /// The string for people: lone surrogates become U+FFFD.
    pub fn to_string_lossy(&self) -> String {
        String::from_utf16_lossy(&self.units())
    }
}

impl From<&str> for JavaString {
    fn from(text: &str) -> JavaString {
        JavaString(name_of(text.encode_utf16()).into())
    }
}

impl fmt::Debug for JavaString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.to_string_lossy(), f)
    }
}

fn name_of(units: impl Iterator<Item = u16>) -> String {
    let mut name = String::new();
    for unit in char::decode_utf16(units) {
        match unit {
            Ok(ESCAPE) => {
                name.extend([ESCAPE].into_iter().chain("DBFF".chars()).chain([ESCAPE]).chain("DFFD".chars()))
            }
            Ok(c) => name.push(c),
            Err(lone) => {
                name.push(ESCAPE);
                name.push_str(&format!("{:04X}", lone.unpaired_surrogate()));
            }
        }
    }
    name
}

/// Reads modified UTF-8 [JVMS 4.4.7]: zero takes two bytes, characters beyond the basic plane
/// take two surrogates of three.
pub(crate) fn read_name(bytes: &[u8]) -> Result<Arc<str>, ReadError> {
    if bytes.iter().all(|&b| b != 0 && b < 0x80) {
        // Checked just above: ASCII is UTF-8.
        return Ok(Arc::from(std::str::from_utf8(bytes).unwrap_or_default()));
    }
    let mut units = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let (unit, size) = read_unit(&bytes[at..])
            .ok_or_else(|| ReadError::new(format!("byte {at} of a string is not modified UTF-8")))?;
        units.push(unit);
        at += size;
    }
    Ok(name_of(units.into_iter()).into())
}

fn read_unit(bytes: &[u8]) -> Option<(u16, usize)> {
    let more = |i: usize| bytes.get(i).filter(|&&b| b & 0xC0 == 0x80).map(|&b| u16::from(b & 0x3F));
    match bytes[0] {
        b @ 0x01..=0x7F => Some((u16::from(b), 1)),
        b @ 0xC0..=0xDF => Some((u16::from(b & 0x1F) << 6 | more(1)?, 2)),
        b @ 0xE0..=0xEF => Some((u16::from(b & 0x0F) << 12 | more(1)? << 6 | more(2)?, 3)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], units: &[u16]) {
        let name = read_name(bytes).unwrap();
        assert_eq!(JavaString::from_name(name.clone()).units(), units);
        assert_eq!(JavaString::new(units).name(), &name);
    }

    #[test]
    fn modified_utf8_is_read_exactly() {
        check(b"java/lang/Object", &"java/lang/Object".encode_utf16().collect::<Vec<_>>());
        check(&[b'a', 0xC0, 0x80, b'b'], &[0x61, 0, 0x62]);
        check(&[0xC3, 0xA9], &[0xE9]);
        check(&[0xE2, 0x82, 0xAC], &[0x20AC]);
        // A pair of surrogates is one character, a lone one is kept.
        check(&[0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80], &[0xD83D, 0xDE00]);
        check(&[0xED, 0xA0, 0xBD, b'x'], &[0xD83D, 0x78]);
        check(&[0xED, 0xB8, 0x80, 0xED, 0xA0, 0xBD], &[0xDE00, 0xD83D]);
        // The escape character itself.
        check(&[0xED, 0xAF, 0xBF, 0xED, 0xBF, 0xBD], &[0xDBFF, 0xDFFD]);
    }

    #[test]
    fn a_pair_is_a_character_and_a_lone_half_an_escape() {
        assert_eq!(&*read_name(&[0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80]).unwrap(), "😀");
        assert_eq!(&*read_name(&[0xED, 0xA0, 0xBD]).unwrap(), "\u{10FFFD}D83D");
    }

    #[test]
    fn what_is_not_modified_utf8_is_refused() {
        for bad in
            [&[0u8][..], &[0x80], &[0xC3], &[0xC3, 0x41], &[0xE2, 0x82], &[0xF0, 0x9F, 0x98, 0x80], &[0xFF]]
        {
            assert!(read_name(bad).is_err(), "{bad:x?}");
        }
    }
}
