//! A line of a suite, read from left to right: symbols, names, quoted text, numbers.
//!
//! A name is written as it is where nothing in it could be taken for something else, and in quotes otherwise;
//! what is in quotes is never a word of the format. So names of every language fit. A language brings its own
//! words ([`Format::WORDS`](crate::Format::WORDS)); `path` is a word in all of them.

use crate::Flaw;
use std::str::FromStr;

/// The most characters of a wrong line that a message shows.
const SHOWN: usize = 40;

/// The word before the decisions of a test, in every language.
pub(crate) const PATH: &str = "path";

/// A line that is being read.
#[derive(Clone, Debug)]
pub struct Line<'t> {
    rest: &'t str,
    number: usize,
    words: &'static [&'static str],
}

impl<'t> Line<'t> {
    /// A line, its number and the words that no name is without quotes.
    pub fn new(text: &'t str, number: usize, words: &'static [&'static str]) -> Line<'t> {
        Line { rest: text.trim_start(), number, words }
    }

    /// What is left of it.
    pub fn rest(&self) -> &'t str {
        self.rest
    }

    /// Its number.
    pub fn number(&self) -> usize {
        self.number
    }

    /// What is wrong here.
    pub fn flaw(&self, what: impl Into<String>) -> Flaw {
        Flaw { line: self.number, what: what.into() }
    }

    /// Something else was expected here.
    pub fn expected(&self, what: &str) -> Flaw {
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
    pub fn takes(&mut self, symbol: &str) -> bool {
        let found = self.rest.starts_with(symbol);
        if found {
            self.skip(symbol.len());
        }
        found
    }

    /// Takes a symbol that has to be next.
    pub fn need(&mut self, symbol: &str) -> Result<(), Flaw> {
        match self.takes(symbol) {
            true => Ok(()),
            false => Err(self.expected(&format!("\"{symbol}\""))),
        }
    }

    /// Nothing may be left.
    pub fn end(&self) -> Result<(), Flaw> {
        match self.rest.is_empty() {
            true => Ok(()),
            false => Err(self.expected("the end of the line")),
        }
    }

    /// The word that is next; empty if there is none.
    pub fn peek(&self) -> &'t str {
        if !self.rest.starts_with(begins_name) {
            return "";
        }
        &self.rest[..self.rest.find(|c| !is_in_name(c)).unwrap_or(self.rest.len())]
    }

    /// Takes a word if it is next.
    pub fn takes_word(&mut self, word: &str) -> bool {
        let found = self.peek() == word;
        if found {
            self.skip(word.len());
        }
        found
    }

    /// A name: plain and no word of the format, or quoted.
    pub fn name(&mut self, what: &str) -> Result<String, Flaw> {
        if self.rest.starts_with('"') {
            let units = self.quoted('"')?;
            return String::from_utf16(&units).map_err(|_| self.flaw("a name with half of a character"));
        }
        let word = self.peek();
        if word.is_empty() || is_word(word, self.words) {
            return Err(self.expected(what));
        }
        self.skip(word.len());
        Ok(word.to_string())
    }

    /// Digits.
    pub fn digits(&mut self) -> &'t str {
        let end = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
        let found = &self.rest[..end];
        self.rest = &self.rest[end..];
        found
    }

    /// A number of the format itself: of an object, of a branch.
    pub fn count(&mut self, what: &str) -> Result<usize, Flaw> {
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

    /// A number with its sign, in the range of its type.
    pub fn integer<T: FromStr>(&mut self, what: &str) -> Result<T, Flaw> {
        let sign = usize::from(self.rest.starts_with('-'));
        let digits = &self.rest[sign..];
        let end = sign + digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        let number = self.rest[..end].parse().map_err(|_| self.expected(what))?;
        self.skip(end);
        Ok(number)
    }

    /// Everything up to a letter that fits, or the end.
    pub fn until(&mut self, stop: impl Fn(char) -> bool) -> &'t str {
        let found = &self.rest[..self.rest.find(stop).unwrap_or(self.rest.len())];
        self.skip(found.len());
        found
    }

    /// Text between quotes that is whole.
    pub fn text(&mut self) -> Result<String, Flaw> {
        let units = self.quoted('"')?;
        String::from_utf16(&units).map_err(|_| self.flaw("text with half of a character"))
    }

    /// Sets what a test may say once.
    pub fn once<T>(&self, place: &mut Option<T>, given: T, what: &str) -> Result<(), Flaw> {
        match place.replace(given) {
            None => Ok(()),
            Some(_) => Err(self.flaw(format!("a second {what}"))),
        }
    }

    /// Text between quotes, as UTF-16 units.
    pub fn quoted(&mut self, quote: char) -> Result<Vec<u16>, Flaw> {
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

fn is_word(name: &str, words: &[&str]) -> bool {
    name == PATH || words.contains(&name)
}

/// A name as the format has it; `words` are those of the language.
pub fn name(name: &str, words: &[&str]) -> String {
    let is_plain = name.starts_with(begins_name) && name.chars().all(is_in_name) && !is_word(name, words);
    match is_plain {
        true => name.to_string(),
        false => text(name),
    }
}

/// A text in quotes.
pub fn text(text: &str) -> String {
    quoted(&text.encode_utf16().collect::<Vec<u16>>(), '"')
}

/// UTF-16 units in quotes. Letters and digits of every language stand for themselves; of the rest
/// only what is in ASCII does.
pub fn quoted(units: &[u16], quote: char) -> String {
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
