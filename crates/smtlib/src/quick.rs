//! Terms of path conditions, from the bytes in one pass.
//!
//! The general reader makes a tape of a command and elaborates the tape. Path conditions of C programs need
//! little of that: applications, `let`, bit-vector literals, plain symbols. Here such a term is read without
//! a tape. Whatever is not of that kind ends the attempt, without a trace, and the general reader starts
//! over: quantifiers, annotations, names between bars, comments, definitions with parameters, every error. So
//! the terms and the messages are those of the general reader, which is tested by reading everything both
//! ways. One thing differs: the conjunctions on the surface of an assertion, nested once for each branch of a
//! path, become one conjunction, since splitting it into constraints is what comes next.
//!
//! **Texts that were met before.** The conjuncts of a path condition have the same texts in most queries of
//! the path, whatever stands around them. Such texts are kept with their terms. At an opening parenthesis the
//! next bytes are looked up, and compared; if they are such a text, it is passed over. Like runs of cells
//! ([`crate::Cells`]) these texts are kept over `(reset)`, and checked when they are met again: a text has
//! its term as long as each name in it means the same term as before, whether it was declared again, declared
//! otherwise, popped, bound or hidden by a `let`. Its functions are those of the theories; in a script where
//! one of these has another meaning nothing is read here at all. Only the largest such texts are kept, with
//! and without variables, and conjunctions and disjunctions are none: they grow along a path.

mod texts;

use crate::apply::Head;
use crate::builtin;
use crate::context::{Context, Meaning, Word};
use crate::script::Spanned;
use crate::sexp::is_symbol_byte;
use evergreen_term::{Fun, Indexed, Int, Name, SortId, TermId, Terms};
use texts::{Known, KnownTexts, LONGEST, MOST_NAMES, Names, SHORTEST};

/// Texts with their terms, and names with their interned form.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    known: KnownTexts,
    /// Short symbols met lately, packed into a word.
    symbols: Vec<(u64, Option<Name>)>,
    frames: Vec<Frame>,
    terms: Vec<TermId>,
    marks: Vec<Mark>,
    let_names: Vec<Name>,
    locals: Vec<(Name, Meaning)>,
    /// How often each name is bound by an open `let`, by the name's index.
    bound: Vec<u32>,
    /// Of so many values, the first, the texts are kept if they are to be.
    kept: usize,
}

/// Where the text of a value is, and what it depends on.
#[derive(Clone, Copy, Debug)]
struct Mark {
    start: u32,
    end: u32,
    names: Names,
    /// Its text is kept already.
    is_kept: bool,
}

#[derive(Clone, Copy, Debug)]
enum Frame {
    /// `(head …`
    App { head: Head, base: u32, start: u32 },
    /// `(let (…`
    Let { base: u32, names: u32, is_surface: bool },
    /// `(name …` of a let.
    Binding { base: u32 },
    /// `(let (…) …`
    Body { base: u32, locals: u32, start: u32, is_surface: bool },
    /// `(and …` where only conjunctions and `let`s are around it.
    Surface { base: u32 },
}

/// A term that was read, and where its text ends.
pub(crate) struct Read {
    pub(crate) term: TermId,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// `(assert term)` at the start of a text: the term, and where the command ends.
pub(crate) fn assertion(context: &mut Context, terms: &mut Terms, text: &[u8]) -> Option<(TermId, usize)> {
    let at = after_word(text, b"(assert")?;
    let read = read(context, terms, text, at, Place::Assertion)?;
    let end = after(text, read.end, b")")?;
    (terms.sort_of(read.term) == SortId::BOOL).then_some((read.term, end))
}

/// `(get-value (term …))` at the start of a text: the terms, and where the command ends.
pub(crate) fn values(context: &mut Context, terms: &mut Terms, text: &[u8]) -> Option<(Vec<Spanned>, usize)> {
    let mut at = after_word(text, b"(get-value")?;
    at += blank(&text[at..]);
    at += (text.get(at) == Some(&b'(')).then_some(1)?;
    let mut found = Vec::with_capacity(1);
    loop {
        at += blank(&text[at..]);
        if text.get(at) == Some(&b')') {
            break;
        }
        let one = read(context, terms, text, at, Place::Inside)?;
        at = one.end;
        found.push(Spanned { term: one.term, span: one.start..one.end });
    }
    let end = after(text, at, b"))")?;
    (!found.is_empty()).then_some((found, end))
}

/// The place after a command's word and the white space that follows it.
fn after_word(text: &[u8], word: &[u8]) -> Option<usize> {
    let rest = text.strip_prefix(word)?;
    let blank = blank(rest);
    (blank > 0 || rest.first() == Some(&b'(')).then_some(word.len() + blank)
}

/// The place after these bytes, with white space before each of them.
fn after(text: &[u8], mut at: usize, bytes: &[u8]) -> Option<usize> {
    for byte in bytes {
        at += blank(&text[at..]);
        at += (text.get(at) == Some(byte)).then_some(1)?;
    }
    Some(at)
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r')
}

fn blank(text: &[u8]) -> usize {
    text.iter().position(|&b| !is_blank(b)).unwrap_or(text.len())
}

/// Where a term stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// It is asserted: conjunctions on its surface become one, since nothing tells one nesting from another.
    Assertion,
    /// Anywhere else.
    Inside,
}

/// The term at a place, if it is of the kind that is read here. The context is left as it was.
fn read(context: &mut Context, terms: &mut Terms, text: &[u8], at: usize, place: Place) -> Option<Read> {
    if !context.is_plain() || text.len() >= u32::MAX as usize {
        return None;
    }
    let texts = context.texts.take().unwrap_or_default();
    let mut reader = Reader { context, terms, text, at, texts, is_surface: place == Place::Assertion };
    reader.texts.begin();
    let read = reader.term();
    reader.restore(0);
    let texts = reader.texts;
    context.texts = Some(texts);
    read
}

struct Reader<'a> {
    context: &'a mut Context,
    terms: &'a mut Terms,
    text: &'a [u8],
    at: usize,
    texts: Box<Texts>,
    /// Only conjunctions and bodies of `let`s are open, around something that is asserted.
    is_surface: bool,
}

impl Texts {
    fn begin(&mut self) {
        self.frames.clear();
        self.terms.clear();
        self.marks.clear();
        self.let_names.clear();
        self.kept = 0;
        if self.symbols.is_empty() {
            self.symbols.resize(1 << 9, (0, None));
        }
    }

    fn is_bound(&self, name: Name) -> bool {
        self.bound.get(name.index()).is_some_and(|&n| n > 0)
    }
}

impl Reader<'_> {
    fn term(&mut self) -> Option<Read> {
        let start = self.at;
        loop {
            match *self.text.get(self.at)? {
                b' ' | b'\n' | b'\t' | b'\r' => {
                    self.at += 1;
                    continue;
                }
                b'(' => self.open()?,
                b')' => self.close()?,
                b'#' => self.digits_of_two()?,
                b'0'..=b'9' => self.numeral()?,
                _ => self.constant()?,
            }
            if self.texts.frames.is_empty() {
                let (term, end) = (self.whole()?, self.at);
                return Some(Read { term, start, end });
            }
        }
    }

    /// The term that was read: the conjunction of what was on its surface.
    fn whole(&mut self) -> Option<TermId> {
        self.keep_surface();
        match self.texts.terms[..] {
            [only] => Some(only),
            ref all if all.iter().all(|&t| self.terms.sort_of(t) == SortId::BOOL) => {
                self.terms.app(Fun::And, all).ok()
            }
            _ => None,
        }
    }

    /// Keeps the texts of the constraints on the surface that were not looked at yet.
    fn keep_surface(&mut self) {
        for i in self.texts.kept..self.texts.terms.len() {
            let (mark, term) = (self.texts.marks[i], self.texts.terms[i]);
            self.keep(&mark, term);
        }
        self.texts.kept = self.texts.terms.len();
    }

    fn push(&mut self, term: TermId, start: usize, names: Names) {
        self.texts.terms.push(term);
        let mark = Mark { start: start as u32, end: self.at as u32, names, is_kept: false };
        self.texts.marks.push(mark);
    }

    /// A symbol, up to a delimiter.
    #[inline]
    fn symbol(&mut self) -> Option<&[u8]> {
        let rest = &self.text[self.at..];
        let length = rest.iter().position(|&b| !is_symbol_byte(b))?;
        let is_delimited = is_blank(rest[length]) || matches!(rest[length], b'(' | b')');
        if length == 0 || rest[0].is_ascii_digit() || !is_delimited {
            return None;
        }
        self.at += length;
        Some(&rest[..length])
    }

    /// The name that a symbol is.
    #[inline]
    fn name(&mut self) -> Option<Name> {
        let start = self.at;
        let length = self.symbol()?.len();
        let symbol = &self.text[start..start + length];
        if length > 8 {
            return Some(self.terms.name(std::str::from_utf8(symbol).ok()?));
        }
        let mut bytes = [0; 8];
        bytes[..length].copy_from_slice(symbol);
        let packed = u64::from_le_bytes(bytes);
        let slot = (packed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 55) as usize;
        match self.texts.symbols[slot] {
            (word, Some(name)) if word == packed => Some(name),
            _ => {
                let name = self.terms.name(std::str::from_utf8(symbol).ok()?);
                self.texts.symbols[slot] = (packed, Some(name));
                Some(name)
            }
        }
    }

    fn skip(&mut self) {
        self.at += blank(&self.text[self.at..]);
    }

    fn byte(&mut self, byte: u8) -> Option<()> {
        self.skip();
        (self.text.get(self.at) == Some(&byte)).then(|| self.at += 1)
    }

    fn constant(&mut self) -> Option<()> {
        let start = self.at;
        let name = self.name()?;
        match self.context.meaning(name) {
            Meaning::Term(term) => {
                let mut names = Names::NONE;
                names.add(name);
                names.has_variable = self.texts.is_bound(name);
                self.push(term, start, names);
            }
            Meaning::Fun(fun) => {
                let term = self.terms.app(fun, &[]).ok()?;
                self.push(term, start, Names::NONE);
            }
            _ => return None,
        }
        Some(())
    }

    /// Decimal digits without a leading zero, before a delimiter.
    fn decimal(&mut self) -> Option<u64> {
        let rest = &self.text[self.at..];
        let length = rest.iter().position(|b| !b.is_ascii_digit())?;
        let is_delimited = is_blank(rest[length]) || matches!(rest[length], b'(' | b')');
        if length == 0 || length > 20 || (rest[0] == b'0' && length > 1) || !is_delimited {
            return None;
        }
        let mut value = 0u64;
        for &b in &rest[..length] {
            value = value.checked_mul(10)?.checked_add(u64::from(b - b'0'))?;
        }
        self.at += length;
        Some(value)
    }

    /// What it is depends on the logic, so its text is not kept.
    fn numeral(&mut self) -> Option<()> {
        let start = self.at;
        let value = self.decimal()?;
        if self.context.numerals_are_real {
            return None;
        }
        let term = self.terms.int(Int::from(i64::try_from(value).ok()?));
        self.push(term, start, Names::OPEN);
        Some(())
    }

    fn digits_of_two(&mut self) -> Option<()> {
        let start = self.at;
        let each = match self.text.get(start + 1)? {
            b'x' => 4,
            b'b' => 1,
            _ => return None,
        };
        let rest = &self.text[start + 2..];
        let length = rest.iter().position(|&b| !is_symbol_byte(b))?;
        let is_delimited = is_blank(rest[length]) || matches!(rest[length], b'(' | b')');
        if length == 0 || length > 64 / each as usize || !is_delimited {
            return None;
        }
        let mut value = 0u64;
        for &b in &rest[..length] {
            value = value << each | u64::from(char::from(b).to_digit(1 << each)?);
        }
        self.at = start + 2 + length;
        let term = self.context.bit_vector(self.terms, length as u32 * each, value);
        self.push(term, start, Names::NONE);
        Some(())
    }

    /// At an opening parenthesis where a term begins.
    fn open(&mut self) -> Option<()> {
        let start = self.at;
        let base = self.texts.terms.len() as u32;
        if self.is_surface && self.is_conjunction() {
            self.at += 4;
            self.texts.frames.push(Frame::Surface { base });
            return Some(());
        }
        if self.recognize() {
            return Some(());
        }
        self.at += 1;
        self.skip();
        if self.text.get(self.at) == Some(&b'(') {
            let head = self.indexed_head()?;
            self.is_surface = false;
            self.texts.frames.push(Frame::App { head, base, start: start as u32 });
            return Some(());
        }
        let name = self.name()?;
        let head = match self.context.meaning(name) {
            Meaning::Fun(fun) => Head::Fun(fun),
            Meaning::Minus => Head::Minus,
            Meaning::Reserved(Word::Underscore) => return self.bit_vector(start),
            Meaning::Reserved(Word::Let) => {
                self.byte(b'(')?;
                let names = self.texts.let_names.len() as u32;
                let is_surface = std::mem::replace(&mut self.is_surface, false);
                self.texts.frames.push(Frame::Let { base, names, is_surface });
                return self.begin_binding();
            }
            _ => return None,
        };
        self.is_surface = false;
        self.texts.frames.push(Frame::App { head, base, start: start as u32 });
        Some(())
    }

    /// `(and ` or `(and(`.
    fn is_conjunction(&self) -> bool {
        let rest = &self.text[self.at..];
        rest.starts_with(b"(and") && rest.get(4).is_some_and(|&b| is_blank(b) || b == b'(')
    }

    /// A text that was met before.
    fn recognize(&mut self) -> bool {
        let text = self.text;
        let rest = &text[self.at..];
        if rest.len() < SHORTEST || rest[1] == b'_' {
            return false;
        }
        let context = &*self.context;
        let is_valid = |known: &Known| {
            known.names.iter().flatten().all(|&(n, term)| context.meaning(n) == Meaning::Term(term))
        };
        let texts = &mut *self.texts;
        let Some(known) = texts.known.find(rest, is_valid) else { return false };
        let start = self.at;
        self.at += known.text.len();
        let mut names = Names::NONE;
        for &(name, _) in known.names.iter().flatten() {
            names.add(name);
            names.has_variable |= texts.bound.get(name.index()).is_some_and(|&n| n > 0);
        }
        let term = known.term;
        self.push(term, start, names);
        if let Some(mark) = self.texts.marks.last_mut() {
            mark.is_kept = true;
        }
        true
    }

    /// `(_ bv5 8)`, after the underscore.
    fn bit_vector(&mut self, start: usize) -> Option<()> {
        self.skip();
        self.at += self.text[self.at..].starts_with(b"bv").then_some(2)?;
        let value = self.decimal()?;
        self.skip();
        let width = u32::try_from(self.decimal()?).ok()?;
        self.byte(b')')?;
        if !(1..=64).contains(&width) || (width < 64 && value >> width != 0) {
            return None;
        }
        let term = self.context.bit_vector(self.terms, width, value);
        self.push(term, start, Names::NONE);
        Some(())
    }

    /// `(_ extract 7 0)` and its like: functions of bit vectors.
    fn indexed_head(&mut self) -> Option<Head> {
        self.at += 1;
        self.skip();
        self.at += self.text[self.at..].starts_with(b"_ ").then_some(2)?;
        self.skip();
        let fun = builtin::indexed(self.symbol()?)?;
        let is_of_bits = matches!(
            fun,
            Indexed::Extract
                | Indexed::ZeroExtend
                | Indexed::SignExtend
                | Indexed::Repeat
                | Indexed::RotateLeft
                | Indexed::RotateRight
        );
        if !is_of_bits {
            return None;
        }
        self.skip();
        let i = u32::try_from(self.decimal()?).ok()?;
        self.skip();
        let j = if fun.index_count() == 2 { u32::try_from(self.decimal()?).ok()? } else { 0 };
        self.byte(b')')?;
        Some(Head::Indexed(fun, i, j))
    }

    /// At `(name …` in a let.
    fn begin_binding(&mut self) -> Option<()> {
        self.byte(b'(')?;
        self.skip();
        let name = self.name()?;
        // A name of a theory would change what functions mean.
        if !matches!(self.context.meaning(name), Meaning::Unknown | Meaning::Term(_)) {
            return None;
        }
        self.texts.let_names.push(name);
        self.texts.frames.push(Frame::Binding { base: self.texts.terms.len() as u32 });
        Some(())
    }

    /// At a closing parenthesis.
    fn close(&mut self) -> Option<()> {
        self.at += 1;
        match self.texts.frames.pop()? {
            Frame::App { head, base, start } => {
                self.apply(head, base as usize, start as usize)?;
                self.is_surface = self.is_surface_again();
                Some(())
            }
            Frame::Surface { base } => {
                self.keep_surface();
                (self.texts.terms.len() > base as usize).then_some(())
            }
            Frame::Binding { base } => {
                if self.texts.terms.len() != base as usize + 1 {
                    return None;
                }
                let (mark, term) = (*self.texts.marks.last()?, *self.texts.terms.last()?);
                self.keep(&mark, term);
                self.skip();
                match self.text.get(self.at)? {
                    b')' => {
                        self.at += 1;
                        self.begin_body()
                    }
                    _ => self.begin_binding(),
                }
            }
            Frame::Body { base, locals, is_surface: true, .. } => {
                self.keep_surface();
                self.restore(locals as usize);
                (self.texts.terms.len() > base as usize).then_some(())
            }
            Frame::Body { base, locals, start, .. } => {
                if self.texts.terms.len() != base as usize + 1 {
                    return None;
                }
                self.restore(locals as usize);
                let mark = self.texts.marks.last_mut()?;
                *mark = Mark { start, end: self.at as u32, names: Names::OPEN, is_kept: false };
                Some(())
            }
            Frame::Let { .. } => None,
        }
    }

    /// Whether the innermost open frame is on the surface.
    fn is_surface_again(&self) -> bool {
        matches!(self.texts.frames.last(), Some(Frame::Surface { .. } | Frame::Body { is_surface: true, .. }))
    }

    fn apply(&mut self, head: Head, base: usize, start: usize) -> Option<()> {
        let args = &self.texts.terms[base..];
        let term = head.apply(self.context, self.terms, args, 0).ok()?;
        let mut names = match head {
            Head::Fun(Fun::And | Fun::Or | Fun::Implies) => Names::OPEN,
            _ => Names::NONE,
        };
        self.texts.marks[base..].iter().for_each(|mark| names.join(&mark.names));
        if names.has_variable {
            for i in base..self.texts.marks.len() {
                let (mark, term) = (self.texts.marks[i], self.texts.terms[i]);
                // Variables have other numbers in other queries, so what has none is kept by itself.
                if names.is_open || !mark.names.has_variable {
                    self.keep(&mark, term);
                }
            }
        }
        self.texts.terms.truncate(base);
        self.texts.marks.truncate(base);
        self.push(term, start, names);
        Some(())
    }

    /// Keeps the text of a term that is not part of a larger one that is kept.
    fn keep(&mut self, mark: &Mark, term: TermId) {
        let (start, end) = (mark.start as usize, mark.end as usize);
        let length = end - start;
        if mark.is_kept || mark.names.is_open || !(SHORTEST..=LONGEST).contains(&length) {
            return;
        }
        let mut names = [None; MOST_NAMES];
        for (place, name) in names.iter_mut().zip(mark.names.names.iter().flatten()) {
            let Meaning::Term(means) = self.context.meaning(*name) else { return };
            *place = Some((*name, means));
        }
        let text = &self.text[start..end];
        self.texts.known.keep(Known { text: text.into(), term, names, next: texts::NONE });
    }

    /// After the bindings of a let: all at once they come into force.
    fn begin_body(&mut self) -> Option<()> {
        let Some(Frame::Let { base, names, is_surface }) = self.texts.frames.pop() else { return None };
        let locals = self.texts.locals.len() as u32;
        let (first, first_term) = (names as usize, base as usize);
        for i in 0..self.texts.let_names.len() - first {
            let (name, term) = (self.texts.let_names[first + i], self.texts.terms[first_term + i]);
            // Bound twice by this let: an error.
            if self.texts.let_names[first..first + i].contains(&name) {
                return None;
            }
            let old = self.context.replace(name, Meaning::Term(term));
            self.texts.locals.push((name, old));
            if self.texts.bound.len() <= name.index() {
                self.texts.bound.resize(name.index() + 1, 0);
            }
            self.texts.bound[name.index()] += 1;
        }
        self.texts.let_names.truncate(first);
        let start = self.at as u32;
        self.texts.terms.truncate(first_term);
        self.texts.marks.truncate(first_term);
        self.is_surface = is_surface;
        self.texts.frames.push(Frame::Body { base, locals, start, is_surface });
        Some(())
    }

    fn restore(&mut self, to: usize) {
        for (name, old) in self.texts.locals.drain(to..).rev() {
            self.context.replace(name, old);
            self.texts.bound[name.index()] -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn context(declarations: &[&str]) -> (Terms, Context) {
        let mut terms = Terms::new();
        let mut context = Context::new(&mut terms);
        for declaration in declarations {
            context.read(&mut terms, declaration.as_bytes()).expect("a declaration");
        }
        (terms, context)
    }

    const BYTES: &str = "(declare-fun a () (Array (_ BitVec 32) (_ BitVec 8)))";

    #[test]
    fn what_a_log_has_is_read_here() {
        let (mut terms, mut context) = context(&[BYTES, "(declare-fun i () (_ BitVec 32))"]);
        for text in [
            "(assert true)",
            "(assert (=  false (=  (_ bv0 8) (select  a i ) ) ) )",
            "(assert (let ( (?B1 (select  a (_ bv3 32) ) ) (?B2 i) ) (and  (=  #x05 ?B1 ) \
             (bvult  ?B2 #x00000004 ) ) ) )",
            "(assert (= ((_ extract 31  0)  ((_ zero_extend 32) i) ) (concat #b1 ((_ extract 30 0) i))))",
            "(assert (let ((x (select a i))) (let ((x ((_ sign_extend 24) x))) (= x i))))",
        ] {
            let quick = assertion(&mut context, &mut terms, text.as_bytes());
            assert!(quick.is_some(), "{text}");
        }
    }
}
