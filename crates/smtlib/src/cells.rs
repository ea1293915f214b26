//! Runs of assertions that each fix one cell of one array: a constant table of a C program, as KLEE writes
//! it.
//!
//! ```text
//! (assert (=  (select const_arr1 (_ bv0 32) ) (_ bv10 8) ) )
//! (assert (=  (select const_arr1 (_ bv1 32) ) (_ bv0 8) ) )
//! ```
//!
//! Such text is most of a log of a C program, and most of it is the same from query to query. It is read in
//! two ways that are faster than command by command:
//! - a **scanner** that knows this one shape takes a run of cells from the bytes to its terms;
//! - a run that was met before is **recognized by its bytes**: comparing them is all that is left to do.
//!
//! A `(reset)` forgets the meanings of names, not the bytes. So a run is remembered over resets, and what its
//! bytes mean is checked when they are met again. Beside literals, whose meaning never changes, the bytes
//! hold the name of the array, `=` and `select`. If the name means the same declared array as before, by name
//! and sort, and the other two are the theories' functions, the run means the same terms. If the name has
//! another meaning, the run is read anew.
//!
//! Anything else than this shape is left to the general reader: a label, a comment between two cells, a name
//! between bars, a value that does not fit into its width, an array that is defined instead of declared.

use crate::context::{Context, Meaning};
use crate::sexp::is_symbol_byte;
use evergreen_term::{Fun, Name, Op, Sort, SortId, SymbolKind, TermId, Terms};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use std::rc::Rc;

/// Runs begin with bytes of which this many tell them apart at first.
const HEAD: usize = 32;
/// Bytes of runs that are remembered before all are forgotten.
const MOST_BYTES: usize = 64 << 20;
/// Runs with the same first bytes that are remembered.
const MOST_ALIKE: usize = 64;

/// A run of cells of one array.
#[derive(Debug)]
pub struct Cells {
    /// The text, from the first byte of the first command to the last one of the last.
    pub text: Box<str>,
    /// Where each command ends in the text.
    ends: Vec<u32>,
    /// The asserted terms.
    pub constraints: Vec<TermId>,
    /// The conjunction that the caller made of them, if it made one.
    pub table: OnceCell<Option<TermId>>,
    array: TermId,
    name: Name,
}

impl Cells {
    /// The text of each command.
    pub fn commands(&self) -> impl Iterator<Item = &str> {
        let starts = std::iter::once(0).chain(self.ends.iter().map(|&end| end as usize));
        starts.zip(&self.ends).map(|(start, &end)| self.text[start..end as usize].trim_start())
    }
}

/// The runs that were met.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    by_head: FxHashMap<[u8; HEAD], Vec<Rc<Cells>>>,
    bytes: usize,
}

/// What the text at hand begins with.
#[derive(Clone, Debug)]
pub enum Run {
    /// No run, or one that is too short.
    None,
    /// A run that may go on in text that has not arrived yet.
    Cut,
    /// A whole run.
    Whole(Rc<Cells>),
}

/// Whether more text may follow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Input {
    /// It may.
    Open,
    /// The input has ended.
    Ended,
}

impl Context {
    /// The run of at least `fewest` cells that a text begins with.
    pub fn read_cells(&mut self, terms: &mut Terms, text: &[u8], input: Input, fewest: usize) -> Run {
        let Some(&head) = text.first_chunk::<HEAD>() else { return Run::None };
        if !head.starts_with(b"(assert") {
            return Run::None;
        }
        if !self.is_plain() {
            let (eq, select) = (terms.name("="), terms.name("select"));
            let is_read = self.meaning(eq) == Meaning::Fun(Fun::Eq)
                && self.meaning(select) == Meaning::Fun(Fun::Select);
            if !is_read {
                return Run::None;
            }
        }
        for cells in self.runs.by_head.get(&head).into_iter().flatten() {
            let means_the_same = self.meaning(cells.name) == Meaning::Term(cells.array);
            if means_the_same && let Some(rest) = text.strip_prefix(cells.text.as_bytes()) {
                match next_cell(rest, terms.text(cells.name).as_bytes()) {
                    Next::Other => return Run::Whole(cells.clone()),
                    Next::Same => {}
                    Next::Cut if input == Input::Ended => return Run::Whole(cells.clone()),
                    Next::Cut => return Run::Cut,
                }
            }
        }
        self.scan_cells(terms, text, input, fewest)
    }

    fn scan_cells(&mut self, terms: &mut Terms, text: &[u8], input: Input, fewest: usize) -> Run {
        let Some(first) = scan(text) else { return Run::None };
        let Some((name, array)) = self.declared_array(terms, &first) else { return Run::None };
        let (index, element) = (first.index.width, first.element.width);
        let mut ends: Vec<u32> = Vec::new();
        let mut constraints: Vec<TermId> = Vec::new();
        let mut at = 0;
        loop {
            let start = at + blank(&text[at..]);
            let Some(cell) = scan(&text[start..]) else { break };
            if cell.array != first.array || (cell.index.width, cell.element.width) != (index, element) {
                break;
            }
            at = start + cell.length;
            ends.push(at as u32);
            constraints.push(cell.term(self, terms, array));
        }
        if constraints.len() < fewest || at >= u32::MAX as usize {
            return Run::None;
        }
        if input == Input::Open && next_cell(&text[at..], first.array) == Next::Cut {
            return Run::Cut;
        }
        let Ok(text) = std::str::from_utf8(&text[..at]) else { return Run::None };
        let cells =
            Rc::new(Cells { text: text.into(), ends, constraints, table: OnceCell::new(), array, name });
        self.runs.remember(cells.clone());
        Run::Whole(cells)
    }

    /// The declared array that a cell belongs to, if the widths fit.
    fn declared_array(&self, terms: &mut Terms, cell: &Scanned<'_>) -> Option<(Name, TermId)> {
        let name = terms.name(std::str::from_utf8(cell.array).ok()?);
        let Meaning::Term(array) = self.meaning(name) else { return None };
        let is_free = match terms.op(array) {
            Op::Apply(symbol) => matches!(terms.symbol_of(symbol).kind, SymbolKind::Free),
            _ => false,
        };
        let Sort::Array(index, element) = *terms.sort_kind(terms.sort_of(array)) else { return None };
        let is = |sort: SortId, width: u32| *terms.sort_kind(sort) == Sort::BitVec(width);
        let fits = is(index, cell.index.width) && is(element, cell.element.width);
        (is_free && fits && terms.args(array).is_empty()).then_some((name, array))
    }
}

impl Runs {
    fn remember(&mut self, cells: Rc<Cells>) {
        if self.bytes > MOST_BYTES {
            *self = Runs::default();
        }
        let Some(&head) = cells.text.as_bytes().first_chunk::<HEAD>() else { return };
        self.bytes += cells.text.len();
        let alike = self.by_head.entry(head).or_default();
        if alike.len() >= MOST_ALIKE {
            alike.clear();
        }
        alike.push(cells);
    }
}

/// What follows a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Next {
    /// Another cell of the array.
    Same,
    /// Something else.
    Other,
    /// Not enough of it has arrived.
    Cut,
}

/// Whether a text goes on with a cell of an array.
fn next_cell(text: &[u8], array: &[u8]) -> Next {
    let rest = &text[blank(text)..];
    match scan(rest) {
        Some(cell) if cell.array == array => Next::Same,
        Some(_) => Next::Other,
        // A command that has not arrived whole, and may be one of these.
        None if rest.len() < b"(assert".len() && b"(assert".starts_with(rest) => Next::Cut,
        None if rest.starts_with(b"(assert") && is_cut(rest) => Next::Cut,
        None => Next::Other,
    }
}

/// Whether a text ends before a command of the length that cells have does.
fn is_cut(text: &[u8]) -> bool {
    const LONGEST: usize = 1024;
    text.len() < LONGEST && !text.contains(&b'\n') && {
        let depth = text.iter().fold(0i32, |d, b| d + i32::from(*b == b'(') - i32::from(*b == b')'));
        depth > 0
    }
}

/// A bit-vector literal of at most 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Bits {
    width: u32,
    value: u64,
}

/// `(assert (= (select array index) element))`, or with both sides of the equation exchanged.
struct Scanned<'t> {
    array: &'t [u8],
    index: Bits,
    element: Bits,
    is_exchanged: bool,
    length: usize,
}

impl Scanned<'_> {
    fn term(&self, context: &mut Context, terms: &mut Terms, array: TermId) -> TermId {
        let index = context.bit_vector(terms, self.index.width, self.index.value);
        let element = context.bit_vector(terms, self.element.width, self.element.value);
        let read = terms.app(Fun::Select, &[array, index]).expect("the widths were compared");
        let sides = if self.is_exchanged { [element, read] } else { [read, element] };
        terms.app(Fun::Eq, &sides).expect("the widths were compared")
    }
}

fn blank(text: &[u8]) -> usize {
    text.iter().position(|b| !matches!(b, b' ' | b'\t' | b'\r' | b'\n')).unwrap_or(text.len())
}

/// The cell that a text begins with.
fn scan(text: &[u8]) -> Option<Scanned<'_>> {
    let mut at = Cursor { text, at: 0 };
    at.open()?;
    at.word(b"assert")?;
    at.open()?;
    at.word(b"=")?;
    let (is_exchanged, array, index, element) = match at.read() {
        Some((array, index)) => (false, array, index, at.literal()?),
        None => {
            let element = at.literal()?;
            let (array, index) = at.read()?;
            (true, array, index, element)
        }
    };
    at.close()?;
    at.close()?;
    Some(Scanned { array, index, element, is_exchanged, length: at.at })
}

/// A place in a text. Every step skips white space before it, and moves only if it succeeds.
#[derive(Clone, Copy)]
struct Cursor<'t> {
    text: &'t [u8],
    at: usize,
}

impl<'t> Cursor<'t> {
    #[inline]
    fn skip(&mut self) {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.text.get(self.at) {
            self.at += 1;
        }
    }

    #[inline]
    fn byte(&mut self, byte: u8) -> Option<()> {
        self.skip();
        (self.text.get(self.at) == Some(&byte)).then(|| self.at += 1)
    }

    #[inline]
    fn open(&mut self) -> Option<()> {
        self.byte(b'(')
    }

    #[inline]
    fn close(&mut self) -> Option<()> {
        self.byte(b')')
    }

    /// A symbol, up to a delimiter.
    #[inline]
    fn symbol(&mut self) -> Option<&'t [u8]> {
        self.skip();
        let rest = &self.text[self.at..];
        let length = rest.iter().position(|&b| !is_symbol_byte(b))?;
        let is_delimited = matches!(rest[length], b' ' | b'\t' | b'\r' | b'\n' | b'(' | b')');
        if length == 0 || rest[0].is_ascii_digit() || !is_delimited {
            return None;
        }
        self.at += length;
        Some(&rest[..length])
    }

    #[inline]
    fn word(&mut self, word: &[u8]) -> Option<()> {
        self.skip();
        let rest = self.text[self.at..].strip_prefix(word)?;
        matches!(rest.first(), Some(b' ' | b'\t' | b'\r' | b'\n' | b'(')).then(|| self.at += word.len())
    }

    /// `(select array index)`.
    #[inline]
    fn read(&mut self) -> Option<(&'t [u8], Bits)> {
        let mut at = *self;
        at.open()?;
        at.word(b"select")?;
        let array = at.symbol()?;
        let index = at.literal()?;
        at.close()?;
        *self = at;
        Some((array, index))
    }

    /// Decimal digits without a leading zero.
    #[inline]
    fn digits(&mut self) -> Option<u64> {
        let rest = &self.text[self.at..];
        let length = rest.iter().position(|b| !b.is_ascii_digit())?;
        if length == 0 || length > 19 || (rest[0] == b'0' && length > 1) {
            return None;
        }
        self.at += length;
        Some(rest[..length].iter().fold(0, |value, b| value * 10 + u64::from(b - b'0')))
    }

    /// `(_ bv5 8)`, `#x05` or `#b00000101`.
    #[inline]
    fn literal(&mut self) -> Option<Bits> {
        let mut at = *self;
        at.skip();
        let bits = match at.text.get(at.at)? {
            b'#' => at.digits_of_two()?,
            _ => {
                at.open()?;
                at.word(b"_")?;
                at.skip();
                at.at += at.text[at.at..].starts_with(b"bv").then_some(2)?;
                let value = at.digits()?;
                matches!(at.text.get(at.at)?, b' ' | b'\t' | b'\r' | b'\n').then_some(())?;
                at.skip();
                let width = u32::try_from(at.digits()?).ok()?;
                at.close()?;
                Bits { width, value }
            }
        };
        let fits = (1..=64).contains(&bits.width) && (bits.width == 64 || bits.value >> bits.width == 0);
        *self = at;
        fits.then_some(bits)
    }

    fn digits_of_two(&mut self) -> Option<Bits> {
        let each = match self.text.get(self.at + 1)? {
            b'x' => 4,
            b'b' => 1,
            _ => return None,
        };
        let rest = &self.text[self.at + 2..];
        let length = rest.iter().position(|&b| !is_symbol_byte(b))?;
        if length == 0 || length > 64 / each as usize || !matches!(rest[length], b' ' | b')' | b'\t' | b'\n')
        {
            return None;
        }
        let mut value = 0u64;
        for &b in &rest[..length] {
            let digit = char::from(b).to_digit(1 << each)?;
            value = value << each | u64::from(digit);
        }
        self.at += 2 + length;
        Some(Bits { width: length as u32 * each, value })
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

    fn whole(run: Run) -> Rc<Cells> {
        match run {
            Run::Whole(cells) => cells,
            other => panic!("{other:?}"),
        }
    }

    fn read(terms: &mut Terms, context: &mut Context, text: &str) -> Run {
        context.read_cells(terms, text.as_bytes(), Input::Ended, 2)
    }

    const RUN: &str = "(assert (=  (select a (_ bv0 32) ) (_ bv10 8) ) )\n\
        (assert(= #xff (select a #x00000001)))\n\
        (assert (= (select a (_ bv2 32)) #b00000000))\n(check-sat)\n";

    #[test]
    fn a_run_means_what_its_commands_mean() {
        let (mut terms, mut context) = context(&[BYTES]);
        let cells = whole(read(&mut terms, &mut context, RUN));
        assert_eq!(cells.commands().count(), 3);
        let again = whole(read(&mut terms, &mut context, RUN));
        assert!(Rc::ptr_eq(&cells, &again), "the bytes are recognized");
        for (command, &constraint) in cells.commands().zip(&cells.constraints) {
            let read = context.read(&mut terms, command.as_bytes()).expect("an assertion");
            assert!(matches!(read, crate::Command::Assert { term, .. } if term == constraint), "{command}");
        }
    }

    #[test]
    fn the_same_bytes_mean_something_else_after_a_reset() {
        let (mut terms, mut context) = context(&[BYTES]);
        let first = whole(read(&mut terms, &mut context, RUN));
        for other in [
            // Another sort, so that the literals do not fit.
            "(declare-fun a () (Array (_ BitVec 32) (_ BitVec 16)))",
            // A definition in place of a declaration.
            "(define-fun a () (Array (_ BitVec 32) (_ BitVec 8)) ((as const (Array \
             (_ BitVec 32) (_ BitVec 8))) #x00))",
            "(declare-fun b () (Array (_ BitVec 32) (_ BitVec 8)))",
            "(declare-fun a ((_ BitVec 32)) (_ BitVec 8))",
        ] {
            context.reset();
            context.read(&mut terms, other.as_bytes()).expect("a declaration");
            assert!(matches!(read(&mut terms, &mut context, RUN), Run::None), "{other}");
        }
        context.reset();
        assert!(matches!(read(&mut terms, &mut context, RUN), Run::None), "not declared");
        context.read(&mut terms, BYTES.as_bytes()).expect("a declaration");
        assert!(Rc::ptr_eq(&first, &whole(read(&mut terms, &mut context, RUN))));
    }

    #[test]
    fn a_poisoned_function_ends_it() {
        let (mut terms, mut context) = context(&[BYTES]);
        whole(read(&mut terms, &mut context, RUN));
        context.read(&mut terms, b"(declare-fun select (Int) Int)").expect_err("a function of a theory");
        assert!(matches!(read(&mut terms, &mut context, RUN), Run::None));
    }

    #[test]
    fn a_name_of_a_closed_level_means_nothing() {
        let (mut terms, mut context) = context(&["(push 1)", BYTES]);
        whole(read(&mut terms, &mut context, RUN));
        assert!(context.pop(1));
        assert!(matches!(read(&mut terms, &mut context, RUN), Run::None));
    }

    #[test]
    fn text_that_is_cut_waits() {
        let (mut terms, mut context) = context(&[BYTES]);
        let cells = whole(read(&mut terms, &mut context, RUN));
        for length in cells.text.len()..RUN.len() {
            let text = &RUN.as_bytes()[..length];
            let open = context.read_cells(&mut terms, text, Input::Open, 2);
            let rest = RUN[cells.text.len()..length].trim();
            match "(assert".starts_with(rest) {
                true => assert!(matches!(open, Run::Cut), "{rest:?}"),
                false => assert!(Rc::ptr_eq(&cells, &whole(open)), "{rest:?}"),
            }
            let ended = context.read_cells(&mut terms, text, Input::Ended, 2);
            assert!(Rc::ptr_eq(&cells, &whole(ended)), "{rest:?}");
        }
    }

    #[test]
    fn a_longer_run_is_another() {
        let (mut terms, mut context) = context(&[BYTES]);
        let cells = whole(read(&mut terms, &mut context, RUN));
        let longer = RUN.replace("(check-sat)", "(assert (= (select a (_ bv9 32)) #b00000001))");
        let other = whole(read(&mut terms, &mut context, &longer));
        assert_eq!((cells.commands().count(), other.commands().count()), (3, 4));
        assert_eq!(whole(read(&mut terms, &mut context, &longer)).constraints, other.constraints);
    }

    #[test]
    fn other_shapes_are_left_alone() {
        let (mut terms, mut context) = context(&[BYTES, "(declare-fun i () (_ BitVec 32))"]);
        for other in [
            "(assert (! (= (select a (_ bv0 32)) #x00) :named n))",
            "(assert (= (select a (_ bv0 32)) (_ bv256 8)))",
            "(assert (= (select a (_ bv00 32)) #x00))",
            "(assert (= (select a (_ bv0 32)) (select a (_ bv1 32))))",
            "(assert (= (select a i) #x00))",
            "(assert (= (select |a| (_ bv0 32)) #x00))",
            "(assert (not (= (select a (_ bv0 32)) #x00)))",
            "(assert (= (select a (_ bv0 32)) #x00 #x00))",
            "(assert (= (select a (_ bv0 16)) #x00))",
            "(assert-soft (= (select a (_ bv0 32)) #x00))",
            "(assert (= (select a (_ bv0 32)) #x0g))",
            "(assert (= (select a (_ bv0 32)) ; zero\n #x00))",
        ] {
            let text = format!("{other}\n{other}\n{other}\n");
            assert!(matches!(read(&mut terms, &mut context, &text), Run::None), "{other}");
        }
    }
}
