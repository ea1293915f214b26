//! A flat tape of s-expressions over a source text: one pass, no allocation per node.
//!
//! A list is an [`Kind::Open`] node, its elements, and a [`Kind::Close`] node; an open node knows
//! the index just after its close node, so that a whole list is skipped in one step. While a list
//! is open that field holds the index of the enclosing open node instead: the reader needs no
//! stack, and a million nested parentheses are read like any other text.
//!
//! The lexicon is that of the standard, version 2.7, with z3's block comments `#| … |#`. Where
//! solvers are laxer than the standard (leading zeros, backslashes in quoted symbols) the text is
//! rejected: a command that the reader rejects is passed to the solver as it is, whereas one that
//! it misread would get a wrong answer.

use crate::diagnostic::Diagnostic;

/// The kind of a node of the tape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// A simple symbol or reserved word.
    Symbol,
    /// A symbol between bars.
    Quoted,
    /// A symbol after a colon.
    Keyword,
    /// Digits without leading zero.
    Numeral,
    /// Digits, a point, digits.
    Decimal,
    /// `#x` and hexadecimal digits.
    Hex,
    /// `#b` and binary digits.
    Binary,
    /// `#f`, a number, `m` and the order of a finite field: cvc5's.
    Field,
    /// Text between double quotes.
    String,
    /// The start of a list.
    Open,
    /// The end of a list.
    Close,
}

/// One atom or parenthesis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// Offset of the first byte in the text.
    pub start: u32,
    /// Offset after the last byte; of an open node: the index just after its close node.
    pub end: u32,
    /// Its kind.
    pub kind: Kind,
}

/// The s-expressions of a text.
#[derive(Clone, Debug)]
pub struct Tape<'s> {
    text: &'s [u8],
    nodes: Vec<Node>,
}

/// Stands for the enclosing list of a top-level list.
const NO_PARENT: u32 = u32::MAX;

impl<'s> Tape<'s> {
    /// Reads all s-expressions of `text`.
    pub fn read(text: &'s [u8]) -> Result<Tape<'s>, Diagnostic> {
        Tape::read_into(text, Vec::with_capacity(text.len() / 6 + 8))
    }

    /// As [`Tape::read`], on a vector that an earlier tape has grown ([`Tape::into_nodes`]).
    pub fn read_into(text: &'s [u8], mut nodes: Vec<Node>) -> Result<Tape<'s>, Diagnostic> {
        nodes.clear();
        if text.len() >= NO_PARENT as usize {
            return Err(Diagnostic::new(0, "text of 4 GB or more").with_help("split the script"));
        }
        let mut reader = Reader { text, nodes, at: 0, parent: NO_PARENT };
        reader.read()?;
        Ok(Tape { text, nodes: reader.nodes })
    }

    /// Gives the vector back, for the next tape.
    pub fn into_nodes(self) -> Vec<Node> {
        self.nodes
    }

    /// The text that was read.
    pub fn text(&self) -> &'s [u8] {
        self.text
    }

    /// All nodes in order of the text.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The number of nodes; every node index is below it.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// True if the text held only white space and comments.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The kind of node `index`.
    #[inline]
    pub fn kind(&self, index: usize) -> Kind {
        self.nodes[index].kind
    }

    /// The index of the s-expression that follows the one at `index` (a close node if none).
    #[inline]
    pub fn next(&self, index: usize) -> usize {
        match self.nodes[index].kind {
            Kind::Open => self.nodes[index].end as usize,
            _ => index + 1,
        }
    }

    /// The offset at which node `index` starts.
    pub fn offset(&self, index: usize) -> usize {
        self.nodes.get(index).map_or(self.text.len(), |n| n.start as usize)
    }

    /// The bytes of the atom at `index`: a quoted symbol without its bars, a string without its
    /// quotes (its `""` not yet undone), a keyword with its colon, a literal with its prefix.
    #[inline]
    pub fn atom(&self, index: usize) -> &'s [u8] {
        let node = self.nodes[index];
        let (start, end) = (node.start as usize, node.end as usize);
        match node.kind {
            Kind::Quoted | Kind::String => &self.text[start + 1..end - 1],
            Kind::Open | Kind::Close => &self.text[start..start + 1],
            _ => &self.text[start..end],
        }
    }

    /// The source text of the s-expression at `index`.
    pub fn source(&self, index: usize) -> &'s [u8] {
        let node = self.nodes[index];
        let end = match node.kind {
            Kind::Open => self.nodes[node.end as usize - 1].end,
            _ => node.end,
        };
        &self.text[node.start as usize..end as usize]
    }

    /// True if `index` is the plain (not quoted) symbol `word`.
    #[inline]
    pub fn is_word(&self, index: usize, word: &str) -> bool {
        self.nodes[index].kind == Kind::Symbol && self.atom(index) == word.as_bytes()
    }

    /// The indices of the elements of the list at `index` (none, if it is an atom).
    pub fn children(&self, index: usize) -> impl Iterator<Item = usize> + '_ {
        let stop = match self.nodes[index].kind {
            Kind::Open => self.nodes[index].end as usize - 1,
            _ => index + 1,
        };
        let mut at = index + 1;
        std::iter::from_fn(move || {
            let child = at;
            (child < stop).then(|| {
                at = self.next(child);
                child
            })
        })
    }

    /// The indices of the top-level s-expressions.
    pub fn roots(&self) -> impl Iterator<Item = usize> + '_ {
        let mut at = 0;
        std::iter::from_fn(move || {
            let root = at;
            (root < self.nodes.len()).then(|| {
                at = self.next(root);
                root
            })
        })
    }
}

/// The lexical class of a byte.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Class {
    Bad,
    Blank,
    Letter,
    Digit,
    Open,
    Close,
    Semicolon,
    Colon,
    Quote,
    Bar,
    Hash,
}

const fn classes() -> [Class; 256] {
    let mut table = [Class::Bad; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b' ' | b'\t' | b'\r' | b'\n' => Class::Blank,
            b'a'..=b'z' | b'A'..=b'Z' => Class::Letter,
            b'~' | b'!' | b'@' | b'$' | b'%' | b'^' | b'&' | b'*' | b'_' | b'-' | b'+' | b'=' | b'<'
            | b'>' | b'.' | b'?' | b'/' => Class::Letter,
            b'0'..=b'9' => Class::Digit,
            b'(' => Class::Open,
            b')' => Class::Close,
            b';' => Class::Semicolon,
            b':' => Class::Colon,
            b'"' => Class::Quote,
            b'|' => Class::Bar,
            b'#' => Class::Hash,
            _ => Class::Bad,
        };
        byte += 1;
    }
    table
}

static CLASSES: [Class; 256] = classes();

/// True if `byte` can stand in a simple symbol.
pub(crate) fn is_symbol_byte(byte: u8) -> bool {
    matches!(CLASSES[byte as usize], Class::Letter | Class::Digit)
}

struct Reader<'s> {
    text: &'s [u8],
    nodes: Vec<Node>,
    at: usize,
    /// The open node of the innermost list.
    parent: u32,
}

impl Reader<'_> {
    fn read(&mut self) -> Result<(), Diagnostic> {
        while let Some(&byte) = self.text.get(self.at) {
            let start = self.at;
            match CLASSES[byte as usize] {
                Class::Blank => self.at += 1,
                Class::Letter => {
                    self.at = self.skip_symbol(start + 1);
                    self.push(start, Kind::Symbol)?;
                }
                Class::Open => self.open(),
                Class::Close => self.close()?,
                Class::Digit => self.number()?,
                Class::Semicolon => self.comment(),
                Class::Hash => self.hash()?,
                Class::Bar => self.quoted()?,
                Class::Quote => self.string()?,
                Class::Colon => {
                    self.at = self.skip_symbol(start + 1);
                    if self.at == start + 1 || self.text[start + 1].is_ascii_digit() {
                        self.at = start;
                        return Err(self.bad("a keyword is a colon and a symbol"));
                    }
                    self.push(start, Kind::Keyword)?;
                }
                Class::Bad => return Err(self.bad_byte()),
            }
        }
        match self.nodes.get(self.parent as usize) {
            Some(node) => Err(Diagnostic::new(node.start as usize, "this list is never closed")
                .with_help("add the missing \")\"")),
            None => Ok(()),
        }
    }

    /// Records the atom from `start` to here; a delimiter must follow it.
    #[inline]
    fn push(&mut self, start: usize, kind: Kind) -> Result<(), Diagnostic> {
        self.nodes.push(Node { start: start as u32, end: self.at as u32, kind });
        match self.text.get(self.at) {
            None | Some(b' ' | b')' | b'\n' | b'(' | b'\t' | b'\r' | b';') => Ok(()),
            Some(b'#') if self.text.get(self.at + 1) == Some(&b'|') => Ok(()),
            Some(_) => Err(self.bad_byte()),
        }
    }

    #[inline]
    fn open(&mut self) {
        let index = self.nodes.len() as u32;
        self.nodes.push(Node { start: self.at as u32, end: self.parent, kind: Kind::Open });
        self.parent = index;
        self.at += 1;
    }

    #[inline]
    fn close(&mut self) -> Result<(), Diagnostic> {
        let after = self.nodes.len() as u32 + 1;
        let Some(open) = self.nodes.get_mut(self.parent as usize) else {
            return Err(self.bad("\")\" closes nothing"));
        };
        self.parent = std::mem::replace(&mut open.end, after);
        self.nodes.push(Node { start: self.at as u32, end: self.at as u32 + 1, kind: Kind::Close });
        self.at += 1;
        Ok(())
    }

    #[inline]
    fn skip_symbol(&self, from: usize) -> usize {
        let rest = &self.text[from..];
        let length = rest.iter().position(|&b| !is_symbol_byte(b));
        from + length.unwrap_or(rest.len())
    }

    #[inline]
    fn skip_digits(&self, from: usize) -> usize {
        let rest = &self.text[from..];
        let length = rest.iter().position(|b| !b.is_ascii_digit());
        from + length.unwrap_or(rest.len())
    }

    fn number(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        self.at = self.skip_digits(start);
        if self.text[start] == b'0' && self.at > start + 1 {
            self.at = start;
            return Err(self.bad("a number with a leading zero"));
        }
        if self.text.get(self.at) != Some(&b'.') {
            return self.push(start, Kind::Numeral);
        }
        let point = self.at;
        self.at = self.skip_digits(point + 1);
        if self.at == point + 1 {
            return Err(self.bad("a decimal needs digits after its point"));
        }
        self.push(start, Kind::Decimal)
    }

    fn comment(&mut self) {
        let rest = &self.text[self.at..];
        let length = rest.iter().position(|&b| b == b'\n');
        self.at += length.unwrap_or(rest.len());
    }

    fn hash(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        let rest = &self.text[start + 1..];
        let digits = |test: fn(&u8) -> bool| {
            let digits = &rest[1..];
            digits.iter().position(|b| !test(b)).unwrap_or(digits.len())
        };
        let (kind, length) = match rest.first() {
            Some(b'x') => (Kind::Hex, digits(u8::is_ascii_hexdigit)),
            Some(b'b') => (Kind::Binary, digits(|b| matches!(b, b'0' | b'1'))),
            Some(b'|') => {
                let end = rest[1..].windows(2).position(|pair| pair == b"|#");
                let Some(end) = end else {
                    return Err(self.bad("this block comment is never closed"));
                };
                self.at = start + end + 4;
                return Ok(());
            }
            Some(b'f') => (Kind::Field, field_length(&rest[1..])),
            _ => return Err(self.bad_byte()),
        };
        self.at = start + 2 + length;
        if length == 0 {
            return Err(self.bad("digits expected after \"#x\" or \"#b\""));
        }
        self.push(start, kind)
    }

    fn quoted(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        let rest = &self.text[start + 1..];
        let stop = rest.iter().position(|&b| b == b'|' || b == b'\\');
        match stop.map(|length| (length, rest[length])) {
            Some((length, b'|')) => {
                self.printable(start + 1, start + 1 + length)?;
                self.at = start + length + 2;
                self.push(start, Kind::Quoted)
            }
            Some((length, _)) => {
                self.at = start + 1 + length;
                Err(self.bad("a quoted symbol cannot contain \"\\\""))
            }
            None => Err(self.bad("this quoted symbol is never closed")),
        }
    }

    fn string(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        let mut from = start + 1;
        loop {
            let rest = &self.text[from..];
            let Some(length) = rest.iter().position(|&b| b == b'"') else {
                return Err(self.bad("this string is never closed"));
            };
            from += length + 1;
            if self.text.get(from) != Some(&b'"') {
                break;
            }
            from += 1;
        }
        self.printable(start + 1, from - 1)?;
        self.at = from;
        self.push(start, Kind::String)
    }

    /// Strings and quoted symbols hold white space and printable characters, in UTF-8.
    fn printable(&mut self, from: usize, to: usize) -> Result<(), Diagnostic> {
        let inside = &self.text[from..to];
        let control = |&b: &u8| matches!(b, 0..=8 | 11 | 12 | 14..=31 | 127);
        if let Some(at) = inside.iter().position(control) {
            self.at = from + at;
            return Err(self.bad_byte());
        }
        if let Err(error) = std::str::from_utf8(inside) {
            self.at = from + error.valid_up_to();
            return Err(self.bad("not UTF-8"));
        }
        Ok(())
    }

    #[cold]
    fn bad(&self, message: &str) -> Diagnostic {
        Diagnostic::new(self.at, message)
    }

    #[cold]
    fn bad_byte(&self) -> Diagnostic {
        let rest = &self.text[self.at..];
        let shown = match std::str::from_utf8(&rest[..rest.len().min(4)]) {
            Err(error) if error.valid_up_to() == 0 => None,
            Err(error) => std::str::from_utf8(&rest[..error.valid_up_to()]).ok(),
            Ok(text) => Some(text),
        };
        match shown.and_then(|text| text.chars().next()) {
            Some(c) => self.bad(&format!("unexpected character {c:?}")),
            None => self.bad(&format!("unexpected byte 0x{:02x}", rest[0])),
        }
    }
}

/// The length of `3m7` or `-3m7` at the start of a text; zero if it is not there.
fn field_length(text: &[u8]) -> usize {
    let sign = usize::from(text.first() == Some(&b'-'));
    let digits = |from: usize| text[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let value = digits(sign);
    let middle = sign + value;
    if value == 0 || text.get(middle) != Some(&b'm') {
        return 0;
    }
    match digits(middle + 1) {
        0 => 0,
        order => middle + 1 + order,
    }
}
