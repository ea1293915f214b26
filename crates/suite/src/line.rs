//! A line of a suite, read from left to right: symbols, names, quoted text, numbers.
//!
//! A name is written as it is where it is unambiguous, and in quotes otherwise; quoted text is never a word
//! of the format. So names of every JVM language fit.

use crate::Flaw;

/// Words that mean something in the format.
const WORDS: [&str; 29] = [
    "NaN", "Infinity", "boolean", "build", "byte", "char", "double", "draw", "enum", "exits", "false",
    "float", "hidden", "int", "long", "method", "new", "null", "object", "path", "prints", "returns",
    "short", "static", "test", "this", "throws", "true", "void",
];

/// The most characters of a wrong line that a message shows.
const SHOWN: usize = 40;

/// A line that is being read.
pub(crate) struct Line<'t> {
    rest: &'t str,
    number: usize,
}

impl<'t> Line<'t> {
    /// A line and its number.
    pub(crate) fn new(text: &'t str, number: usize) -> Line<'t> {
        Line { rest: text.trim_start(), number }
    }

    /// The rest of the line.
    pub(crate) fn rest(&self) -> &'t str {
        self.rest
    }

    /// Its number.
    pub(crate) fn number(&self) -> usize {
        self.number
    }

    /// An error at this place.
    pub(crate) fn flaw(&self, what: impl Into<String>) -> Flaw {
        Flaw { line: self.number, what: what.into() }
    }

    /// Something else was expected here.
    pub(crate) fn expected(&self, what: &str) -> Flaw {
        let mut shown: String = self.rest.chars().take(SHOWN).collect();
        if shown.len() < self.rest.len() {
            shown.push_str("...");
        }
        match shown.as_str() {
            "" => self.flaw(format!("expected {what}, but the line ends")),
            shown => self.flaw(format!("expected {what}, found \"{shown}\"")),
        }
    }

    fn skip(&mut self, bytes: usize) {
        self.rest = self.rest[bytes..].trim_start();
    }

    /// Takes a symbol if it is next.
    pub(crate) fn takes(&mut self, symbol: &str) -> bool {
        let found = self.rest.starts_with(symbol);
        if found {
            self.skip(symbol.len());
        }
        found
    }

    /// Takes a symbol that has to be next.
    pub(crate) fn need(&mut self, symbol: &str) -> Result<(), Flaw> {
        match self.takes(symbol) {
            true => Ok(()),
            false => Err(self.expected(&format!("\"{symbol}\""))),
        }
    }

    /// Nothing may be left.
    pub(crate) fn end(&self) -> Result<(), Flaw> {
        match self.rest.is_empty() {
            true => Ok(()),
            false => Err(self.expected("the end of the line")),
        }
    }

    /// The word that is next; empty if there is none.
    pub(crate) fn peek(&self) -> &'t str {
        if !self.rest.starts_with(begins_name) {
            return "";
        }
        &self.rest[..self.rest.find(|c| !is_in_name(c)).unwrap_or(self.rest.len())]
    }

    /// Takes a word if it is next.
    pub(crate) fn takes_word(&mut self, word: &str) -> bool {
        let found = self.peek() == word;
        if found {
            self.skip(word.len());
        }
        found
    }

    /// A name: plain and no word of the format, or quoted.
    pub(crate) fn name(&mut self, what: &str) -> Result<String, Flaw> {
        if self.rest.starts_with('"') {
            let units = self.quoted('"')?;
            return String::from_utf16(&units).map_err(|_| self.flaw("a name with half of a character"));
        }
        let word = self.peek();
        if word.is_empty() || WORDS.contains(&word) {
            return Err(self.expected(what));
        }
        self.skip(word.len());
        Ok(word.to_string())
    }

    /// Digits.
    pub(crate) fn digits(&mut self) -> &'t str {
        let end = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
        let found = &self.rest[..end];
        self.rest = &self.rest[end..];
        found
    }

    /// A number of the format itself: of an object, of a branch.
    pub(crate) fn count(&mut self, what: &str) -> Result<usize, Flaw> {
        let before = self.rest;
        match self.digits().parse::<u32>() {
            Ok(number) => {
                self.skip(0);
                Ok(number as usize)
            }
            Err(_) => {
                self.rest = before;
                Err(self.expected(what))
            }
        }
    }

    /// Everything up to a letter that fits, or the end.
    pub(crate) fn until(&mut self, stop: impl Fn(char) -> bool) -> &'t str {
        let found = &self.rest[..self.rest.find(stop).unwrap_or(self.rest.len())];
        self.skip(found.len());
        found
    }

    /// Text between quotes, as UTF-16 units.
    pub(crate) fn quoted(&mut self, quote: char) -> Result<Vec<u16>, Flaw> {
        let mut units = Vec::new();
        let mut letters = self.rest.char_indices();
        if letters.next().is_none_or(|(_, c)| c != quote) {
            return Err(self.expected(if quote == '"' { "text in quotes" } else { "a character in quotes" }));
        }
        while let Some((at, letter)) = letters.next() {
            match letter {
                c if c == quote => {
                    self.skip(at + 1);
                    return Ok(units);
                }
                '\\' => match letters.next().map(|(_, c)| c) {
                    Some('n') => units.push(10),
                    Some('r') => units.push(13),
                    Some('t') => units.push(9),
                    Some(c @ ('\\' | '"' | '\'')) => units.push(c as u16),
                    Some('u') => {
                        let digits: String = letters.by_ref().take(4).map(|(_, c)| c).collect();
                        let is_hex = digits.len() == 4 && digits.chars().all(|c| c.is_ascii_hexdigit());
                        match u16::from_str_radix(&digits, 16) {
                            Ok(unit) if is_hex => units.push(unit),
                            _ => {
                                return Err(
                                    self.flaw(format!("\"\\u{digits}\" needs four hexadecimal digits"))
                                );
                            }
                        }
                    }
                    Some(c) => {
                        return Err(self.flaw(format!(
                            "\"\\{c}\" is no escape; there are \\n \\r \\t \\\\ \\\" \\' and \\u0041"
                        )));
                    }
                    None => break,
                },
                c => units.extend_from_slice(c.encode_utf16(&mut [0; 2])),
            }
        }
        Err(self.expected("a closing quote"))
    }
}

fn begins_name(c: char) -> bool {
    c.is_alphabetic() || "_$<".contains(c)
}

fn is_in_name(c: char) -> bool {
    c.is_alphanumeric() || "_$.<>-".contains(c)
}

/// A name as the format has it.
pub(crate) fn name(name: &str) -> String {
    let is_plain = name.starts_with(begins_name) && name.chars().all(is_in_name) && !WORDS.contains(&name);
    match is_plain {
        true => name.to_string(),
        false => quoted(&name.encode_utf16().collect::<Vec<u16>>(), '"'),
    }
}

/// Text in quotes. Letters and digits of every language stand for themselves; other
/// characters only if they are ASCII.
pub(crate) fn quoted(units: &[u16], quote: char) -> String {
    let mut out = String::from(quote);
    for decoded in char::decode_utf16(units.iter().copied()) {
        match decoded {
            Ok('\n') => out.push_str("\\n"),
            Ok('\r') => out.push_str("\\r"),
            Ok('\t') => out.push_str("\\t"),
            Ok('\\') => out.push_str("\\\\"),
            Ok(c) if c == quote => out.extend(['\\', c]),
            Ok(c) if c.is_alphanumeric() || (' '..='~').contains(&c) => out.push(c),
            Ok(c) => c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| out += &format!("\\u{unit:04x}")),
            Err(lone) => out += &format!("\\u{:04x}", lone.unpaired_surrogate()),
        }
    }
    out.push(quote);
    out
}
