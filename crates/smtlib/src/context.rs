//! The meaning of names at a point of a script: scoped tables of functions and sorts.
//!
//! Names are interned once per occurrence; the meaning of a name is then an array look-up. Scopes are kept by
//! undo: a trail remembers what a declaration replaced, and `pop` puts it back. Variables of `let` and of
//! quantifiers use the same tables and the same trick within one term.

use crate::builtin;
use crate::cells::Runs;
use crate::diagnostic::Diagnostic;
use crate::elaborate::Workspace;
use crate::macros::{Macro, MacroKey, Placed};
use crate::quick::Texts;
use crate::script::Command;
use crate::sexp::Node;
use crate::sorts::{Instances, SortMeaning, Template};
use evergreen_term::{Dialect, Fun, Name, SortId, SymbolId, SymbolKind, TermId, Terms};
use rustc_hash::FxHashMap;

/// The words that cannot be declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    Let,
    Forall,
    Exists,
    Match,
    Bang,
    Underscore,
    As,
    Lambda,
    /// Reserved words that begin nothing that can be elaborated.
    Other,
}

/// The meaning of a name where a term is expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// Nothing.
    Unknown,
    /// Something that was declared in a way that could not be understood: any use is refused.
    Poisoned,
    Reserved(Word),
    /// A constant, a variable, a named term or a definition without parameters.
    Term(TermId),
    /// An interpreted function.
    Fun(Fun),
    /// `-`, with one argument or with more.
    Minus,
    /// A declared function, constructor, selector or recursive function.
    Symbol(SymbolId),
    /// A definition with parameters.
    Macro(u32),
    /// A constructor of a parametric datatype: the template and the constructor's number.
    PolyConstructor(u32, u32),
    /// A selector of a parametric datatype: the template, constructor's and field's number.
    PolySelector(u32, u32, u32),
    /// `is-C`, for a constructor `C`.
    Tester(SymbolId),
    /// `is-C`, for a constructor of a parametric datatype.
    PolyTester(u32, u32),
    /// A function of the solver's own theories.
    Theory(&'static str),
}

/// Declarations whose texts are kept before all are forgotten, and the longest of them.
const MOST_DECLARATIONS: usize = 1 << 12;
const LONGEST_DECLARATION: usize = 256;
/// Of so many the texts are compared before the end of a declaration is looked for.
const MOST_LATELY: usize = 4;

/// Lengths of the trails when a level was opened.
#[derive(Clone, Copy, Debug)]
struct Level {
    meanings: usize,
    sorts: usize,
    macros: usize,
}

/// The effect of `reset-assertions` on levels and names.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Resetting {
    /// As the standard has it: all levels are closed, and declarations are forgotten unless they are global.
    #[default]
    Standard,
    /// Nothing: only assertions go, as z3 has it.
    Nothing,
}

/// The state of a script as far as names are concerned.
///
/// A context belongs to one [`Terms`]: it must be given the same one in every call.
#[derive(Debug)]
pub struct Context {
    /// The meaning of each name as a term, by the name's index.
    meanings: Vec<Meaning>,
    /// The meaning of each name as a sort, by the name's index.
    sorts: Vec<SortMeaning>,
    trail: Vec<(Name, Meaning)>,
    sort_trail: Vec<(Name, SortMeaning)>,
    levels: Vec<Level>,
    pub(crate) macros: Vec<Macro>,
    pub(crate) expanded: FxHashMap<MacroKey, TermId>,
    /// Terms that were moved to the level of their use.
    pub(crate) placed: Placed,
    pub(crate) templates: Vec<Template>,
    pub(crate) instances: Instances,
    /// Declarations outlive their level (`:global-declarations`).
    pub(crate) global_declarations: bool,
    /// The effect of `reset-assertions`.
    resetting: Resetting,
    /// The logic has reals and no integers: `1` is a real.
    pub(crate) numerals_are_real: bool,
    /// What z3 reads besides the standard is read too.
    pub(crate) is_z3: bool,
    /// Whose theories are read besides those of the standard.
    pub(crate) dialect: Dialect,
    /// The sorts of locations and of what they hold, in separation logic.
    pub(crate) heap: Option<[SortId; 2]>,
    /// z3's own datatype of lists, once it is used.
    pub(crate) lists: Option<u32>,
    /// Second names of functions of the core: a declaration may take these.
    pub(crate) second_names: Vec<Name>,
    pub(crate) workspace: Workspace,
    /// Bit-vector literals met lately: width, value, term.
    pub(crate) bit_vectors: Box<[Option<(u32, u64, TermId)>]>,
    /// Names of the theories that mean something else for now.
    odd: usize,
    /// Terms by their texts; taken while a term is read.
    pub(crate) texts: Option<Box<Texts>>,
    /// Declarations of functions, by their texts.
    declared: FxHashMap<Box<[u8]>, (Name, SymbolId, Meaning)>,
    /// The texts of some that were declared again.
    declared_lately: Vec<Box<[u8]>>,
    /// The texts of some options that were set, with keyword and value.
    options: Vec<(Box<[u8]>, String, String)>,
    /// Runs of cells, by their bytes.
    pub(crate) runs: Runs,
    /// The vector of the last tape, for the next one.
    pub(crate) nodes: Vec<Node>,
}

impl Context {
    /// The state at the start of a script: only the theories' names mean something.
    pub fn new(terms: &mut Terms) -> Context {
        let mut context = Context {
            meanings: Vec::new(),
            sorts: Vec::new(),
            trail: Vec::new(),
            sort_trail: Vec::new(),
            levels: Vec::new(),
            macros: Vec::new(),
            expanded: FxHashMap::default(),
            placed: Placed::default(),
            templates: Vec::new(),
            instances: Instances::default(),
            global_declarations: false,
            resetting: Resetting::default(),
            numerals_are_real: false,
            is_z3: false,
            dialect: Dialect::Standard,
            heap: None,
            lists: None,
            second_names: Vec::new(),
            workspace: Workspace::default(),
            bit_vectors: vec![None; 1 << 10].into(),
            odd: 0,
            texts: None,
            declared: FxHashMap::default(),
            declared_lately: Vec::new(),
            options: Vec::new(),
            runs: Runs::default(),
            nodes: Vec::new(),
        };
        builtin::fill(&mut context, terms);
        context.odd = 0;
        context
    }

    /// The number of open levels (`push` without `pop`).
    pub fn depth(&self) -> usize {
        self.levels.len()
    }

    /// Forgets everything (`reset`).
    pub fn reset(&mut self) {
        self.forget_declarations();
        self.global_declarations = false;
        self.numerals_are_real = false;
    }

    /// From now on what z3 reads besides the standard is read too: `implies`, `iff` and `if`, numerals with a
    /// sign, sorts in parentheses, and datatypes as version 2.0 of the standard wrote them. Before the first
    /// command: another solver would refuse such a text.
    pub fn read_as_z3(&mut self, terms: &mut Terms) {
        self.is_z3 = true;
        self.dialect = Dialect::Z3;
        builtin::fill_z3(self, terms);
        self.odd = 0;
    }

    /// From now on cvc5's theories are read too: sets, bags, relations, finite fields, separation logic,
    /// functions as values. Before the first command.
    pub fn read_as_cvc5(&mut self) {
        self.dialect = Dialect::Cvc5;
    }

    /// Says what `reset-assertions` does from now on.
    pub fn set_resetting(&mut self, resetting: Resetting) {
        self.resetting = resetting;
    }

    /// Closes all levels and, unless declarations are global, forgets them (`reset-assertions`); or does
    /// nothing, see [`Resetting`].
    pub fn reset_assertions(&mut self) {
        if self.resetting == Resetting::Nothing {
            return;
        }
        if self.global_declarations {
            self.levels.clear();
        } else {
            self.forget_declarations();
        }
    }

    fn forget_declarations(&mut self) {
        self.levels.clear();
        self.undo_to(Level { meanings: 0, sorts: 0, macros: 0 });
        self.placed.clear();
        self.templates.clear();
        self.instances.clear();
        (self.lists, self.heap) = (None, None);
    }

    /// Opens levels.
    pub fn push(&mut self, levels: usize) {
        let level =
            Level { meanings: self.trail.len(), sorts: self.sort_trail.len(), macros: self.macros.len() };
        self.levels.extend(std::iter::repeat_n(level, levels));
    }

    /// Closes levels; returns false and closes none if fewer are open.
    #[must_use]
    pub fn pop(&mut self, levels: usize) -> bool {
        let Some(rest) = self.levels.len().checked_sub(levels) else { return false };
        if levels == 0 {
            return true;
        }
        let level = self.levels[rest];
        self.levels.truncate(rest);
        if !self.global_declarations {
            self.undo_to(level);
        }
        true
    }

    fn undo_to(&mut self, level: Level) {
        for (name, old) in self.trail.drain(level.meanings..).rev() {
            let new = std::mem::replace(&mut self.meanings[name.index()], old);
            self.odd = self.odd.wrapping_add(usize::from(is_of_theory(new)));
            self.odd = self.odd.wrapping_sub(usize::from(is_of_theory(old)));
        }
        for (name, old) in self.sort_trail.drain(level.sorts..).rev() {
            self.sorts[name.index()] = old;
        }
        if self.macros.len() > level.macros {
            self.macros.truncate(level.macros);
            self.expanded.clear();
        }
    }

    /// The meaning of a name as a term.
    #[inline]
    pub(crate) fn meaning(&self, name: Name) -> Meaning {
        self.meanings.get(name.index()).copied().unwrap_or(Meaning::Unknown)
    }

    /// Sets the meaning of a name and returns the old one, without an entry on the trail.
    #[inline]
    pub(crate) fn replace(&mut self, name: Name, meaning: Meaning) -> Meaning {
        if name.index() >= self.meanings.len() {
            self.meanings.resize(name.index() + 1, Meaning::Unknown);
        }
        let old = std::mem::replace(&mut self.meanings[name.index()], meaning);
        self.odd = self.odd.wrapping_add(usize::from(is_of_theory(old)));
        self.odd = self.odd.wrapping_sub(usize::from(is_of_theory(meaning)));
        old
    }

    /// The symbol that a text has declared before, declared again. A text says the same as before when its
    /// name is free and no sort has a name but those of the theories.
    pub(crate) fn declare_again(&mut self, text: &[u8]) -> Option<SymbolId> {
        let &(name, symbol, meaning) = self.declared.get(text)?;
        if !self.sort_trail.is_empty() || self.meaning(name) != Meaning::Unknown {
            return None;
        }
        self.bind(name, meaning);
        if !self.declared_lately.iter().any(|known| **known == *text) {
            if self.declared_lately.len() == MOST_LATELY {
                self.declared_lately.remove(0);
            }
            self.declared_lately.push(text.into());
        }
        Some(symbol)
    }

    /// The length of the declaration that a text begins with, if it was declared again lately.
    pub(crate) fn declared_length(&self, text: &[u8]) -> Option<usize> {
        self.declared_lately.iter().find(|known| text.starts_with(known)).map(|known| known.len())
    }

    /// Remembers the text of a declaration that was just read.
    pub(crate) fn note_declared(&mut self, terms: &Terms, text: &[u8], symbol: SymbolId) {
        if !self.sort_trail.is_empty() || text.len() > LONGEST_DECLARATION {
            return;
        }
        if self.declared.len() >= MOST_DECLARATIONS {
            self.declared.clear();
        }
        let name = terms.symbol_of(symbol).name;
        self.declared.insert(text.into(), (name, symbol, self.meaning(name)));
    }

    /// Remembers the text of an option that was just read, if it has no effect on what is read.
    pub(crate) fn note_option(&mut self, text: &[u8], keyword: &str, value: &str) {
        let is_plain = |b: &u8| b.is_ascii_alphanumeric() || b" ():.-_".contains(b);
        let is_wanted = keyword != ":global-declarations"
            && text.len() <= LONGEST_DECLARATION
            && text.iter().all(is_plain)
            && self.options.len() < MOST_LATELY
            && self.options.iter().all(|(known, ..)| **known != *text);
        if is_wanted {
            self.options.push((text.into(), keyword.into(), value.into()));
        }
    }

    /// The option that a text sets, if the same text has set it before, and where its text ends.
    pub(crate) fn option_again(&self, text: &[u8]) -> Option<(Command, usize)> {
        let (known, keyword, value) = self.options.iter().find(|(known, ..)| text.starts_with(known))?;
        Some((Command::SetOption { keyword: keyword.clone(), value: value.clone() }, known.len()))
    }

    /// Whether every name of a theory means what the theory says.
    pub(crate) fn is_plain(&self) -> bool {
        self.odd == 0
    }

    /// Sets what a name means until the current level is closed.
    pub(crate) fn bind(&mut self, name: Name, meaning: Meaning) {
        let old = self.replace(name, meaning);
        self.trail.push((name, old));
    }

    /// A bit-vector literal, from a small cache: bytes and addresses are most of what path conditions hold.
    pub(crate) fn bit_vector(&mut self, terms: &mut Terms, width: u32, value: u64) -> TermId {
        let mixed = (value ^ u64::from(width) << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let slot = &mut self.bit_vectors[(mixed >> 54) as usize];
        if let Some((w, v, term)) = *slot
            && (w, v) == (width, value)
        {
            return term;
        }
        let term = terms.bv(width, u128::from(value));
        *slot = Some((width, value, term));
        term
    }

    /// The meaning of a name as a sort.
    pub(crate) fn sort_meaning(&self, name: Name) -> &SortMeaning {
        self.sorts.get(name.index()).unwrap_or(&SortMeaning::Unknown)
    }

    /// As [`Context::replace`], for sorts.
    pub(crate) fn replace_sort(&mut self, name: Name, meaning: SortMeaning) -> SortMeaning {
        if name.index() >= self.sorts.len() {
            self.sorts.resize(name.index() + 1, SortMeaning::Unknown);
        }
        std::mem::replace(&mut self.sorts[name.index()], meaning)
    }

    /// As [`Context::bind`], for sorts.
    pub(crate) fn bind_sort(&mut self, name: Name, meaning: SortMeaning) {
        let old = self.replace_sort(name, meaning);
        self.sort_trail.push((name, old));
    }

    /// Refuses every later use of a name, unless it is one that nothing can change.
    pub(crate) fn poison(&mut self, name: Name) {
        match self.meaning(name) {
            Meaning::Reserved(_) | Meaning::Poisoned => {}
            Meaning::Fun(fun) if is_core(fun) && !self.second_names.contains(&name) => {}
            _ => self.bind(name, Meaning::Poisoned),
        }
    }

    /// Refuses every later use of a name as a sort.
    pub(crate) fn poison_sort(&mut self, name: Name) {
        self.bind_sort(name, SortMeaning::Poisoned);
    }

    /// Whether a name may be declared now. Declaring a name a second time, or a name with a meaning
    /// in a theory, is an error for some solvers and an overloading for others, so it is refused;
    /// the caller poisons the name.
    pub(crate) fn check_free(&self, terms: &Terms, name: Name, offset: usize) -> Result<(), Diagnostic> {
        let text = terms.text(name);
        match self.meaning(name) {
            Meaning::Unknown => Ok(()),
            Meaning::Poisoned => Err(Diagnostic::new(offset, format!("\"{text}\" cannot be declared again"))),
            Meaning::Reserved(_) => Err(Diagnostic::new(offset, format!("\"{text}\" is a reserved word"))),
            Meaning::Fun(_) | Meaning::Minus => {
                Err(Diagnostic::new(offset, format!("\"{text}\" is a function of a theory")))
            }
            _ => Err(Diagnostic::new(offset, format!("\"{text}\" is declared already"))),
        }
    }

    /// The constructor that a name stands for, if it is one of a datatype without parameters.
    pub(crate) fn constructor(&self, terms: &Terms, name: Name) -> Option<SymbolId> {
        let symbol = match self.meaning(name) {
            Meaning::Symbol(symbol) => symbol,
            Meaning::Term(term) => match terms.op(term) {
                evergreen_term::Op::Apply(symbol) => symbol,
                _ => return None,
            },
            _ => return None,
        };
        matches!(terms.symbol_of(symbol).kind, SymbolKind::Constructor(..)).then_some(symbol)
    }
}

/// Whether a meaning is given by a theory, and by no declaration.
fn is_of_theory(meaning: Meaning) -> bool {
    matches!(meaning, Meaning::Fun(_) | Meaning::Minus)
}

/// The functions whose meaning no declaration changes.
fn is_core(fun: Fun) -> bool {
    use Fun::*;
    matches!(fun, Not | And | Or | Xor | Implies | Ite | Eq | Distinct)
}

/// The term as one of sort `sort`: an integer where a real is expected is converted.
pub(crate) fn coerce(terms: &mut Terms, term: TermId, sort: SortId) -> Option<TermId> {
    let have = terms.sort_of(term);
    if have == sort {
        return Some(term);
    }
    if have != SortId::INT || sort != SortId::REAL {
        return None;
    }
    if let Some(evergreen_term::Value::Int(value)) = terms.literal_of(term) {
        let value = evergreen_term::Rational::new(value.clone(), evergreen_term::Int::ONE)?;
        return Some(terms.real(value));
    }
    terms.app(Fun::ToReal, &[term]).ok()
}
