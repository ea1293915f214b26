//! Elaboration: from the tape to terms, with scopes resolved and sorts inferred.
//!
//! One walk along the tape with an explicit stack of frames, so that no nesting of the text can
//! overflow the machine's stack (KLEE nests `let`s thousands deep). An opening parenthesis pushes
//! a frame, a closing one reduces it: the values above the frame's base become its arguments.
//! `let` binds names to terms, so sharing in the text becomes sharing in the arena.
//!
//! Variables of quantifiers are numbered by level, the number of variables bound outside. A term that `let`
//! or a definition carries under further binders is moved to the level of its use.

use crate::apply::Head;
use crate::context::{Context, Meaning, Word};
use crate::diagnostic::Diagnostic;
use crate::matching::Cases;
use crate::script::Labelled;
use crate::sexp::{Kind, Tape};
use crate::sorts::{SortReader, fresh_symbol, name};
use crate::{identifier, literal, macros, theories};
use evergreen_term::{Dialect, Name, Quantifier, SortId, TermId, Terms, Traits};

/// Vectors that are kept between terms so that they need not grow again.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    values: Vec<TermId>,
    frames: Vec<Frame>,
    locals: Vec<(Name, Meaning)>,
    let_names: Vec<Name>,
}

/// The expression being read.
#[derive(Debug)]
pub(crate) enum Frame {
    /// `(head …`
    App {
        head: Head,
        base: u32,
        open: u32,
    },
    /// `(let (…`: the names read so far are above `names`.
    Let {
        base: u32,
        names: u32,
        open: u32,
    },
    /// `(name …` of a let.
    Binding {
        base: u32,
        open: u32,
    },
    /// `(let (…) …`: the names that it hides are above `locals`.
    Body {
        base: u32,
        locals: u32,
        open: u32,
    },
    Quantified(Box<Quantified>),
    /// `(! …`
    Bang {
        base: u32,
        open: u32,
        label: Option<Name>,
    },
    /// `:pattern (…`
    Pattern {
        base: u32,
        open: u32,
    },
    /// `:no-pattern`, a single term that is dropped.
    Dropped,
    /// `(match …`, before the cases.
    Match {
        base: u32,
        open: u32,
    },
    /// `(match t (…`
    Cases(Box<Cases>),
    /// `(pattern …` of a match.
    Case {
        base: u32,
        locals: u32,
        open: u32,
    },
}

#[derive(Debug)]
pub(crate) struct Quantified {
    quantifier: Quantifier,
    base: u32,
    locals: u32,
    open: u32,
    first_level: u32,
    sorts: Vec<SortId>,
    pub(crate) patterns: Vec<Vec<TermId>>,
}

/// A term that was read.
pub(crate) struct Elaborated {
    pub(crate) term: TermId,
    /// The name of the whole term: `(! term :named label)`.
    pub(crate) label: Option<Name>,
    /// All names given in the term, innermost first.
    pub(crate) names: Vec<(Name, TermId)>,
    /// All labels of z3's in the term, innermost first.
    pub(crate) labelled: Vec<Labelled>,
}

pub(crate) struct Elaborator<'a, 't> {
    pub(crate) context: &'a mut Context,
    pub(crate) terms: &'a mut Terms,
    pub(crate) tape: &'a Tape<'t>,
    pub(crate) at: usize,
    pub(crate) values: Vec<TermId>,
    pub(crate) frames: Vec<Frame>,
    pub(crate) locals: Vec<(Name, Meaning)>,
    let_names: Vec<Name>,
    /// The level of the next bound variable.
    pub(crate) level: u32,
    pub(crate) label: Option<Name>,
    pub(crate) names: Vec<(Name, TermId)>,
    pub(crate) labelled: Vec<Labelled>,
}

impl<'a, 't> Elaborator<'a, 't> {
    pub(crate) fn new(
        context: &'a mut Context,
        terms: &'a mut Terms,
        tape: &'a Tape<'t>,
    ) -> Elaborator<'a, 't> {
        let work = std::mem::take(&mut context.workspace);
        Elaborator {
            context,
            terms,
            tape,
            at: 0,
            values: work.values,
            frames: work.frames,
            locals: work.locals,
            let_names: work.let_names,
            level: 0,
            label: None,
            names: Vec::new(),
            labelled: Vec::new(),
        }
    }

    /// The term at `index`. Afterwards the context is as it was before, also after an error.
    pub(crate) fn term(&mut self, index: usize) -> Result<Elaborated, Diagnostic> {
        let (base, level) = (self.locals.len(), self.level);
        self.values.clear();
        self.frames.clear();
        self.let_names.clear();
        self.names.clear();
        self.labelled.clear();
        self.label = None;
        self.at = index;
        let done = self.run();
        self.restore_locals(base as u32);
        self.level = level;
        let term = done?;
        let names = std::mem::take(&mut self.names);
        Ok(Elaborated { term, label: self.label, names, labelled: std::mem::take(&mut self.labelled) })
    }

    /// Binds the parameters of a definition to the first levels.
    pub(crate) fn bind_params(&mut self, params: &[(Name, SortId)]) {
        for &(name, sort) in params {
            let variable = self.terms.bound(self.level, sort);
            self.bind_local(name, variable);
            self.level += 1;
        }
    }

    fn run(&mut self) -> Result<TermId, Diagnostic> {
        loop {
            match self.tape.kind(self.at) {
                Kind::Symbol | Kind::Quoted => {
                    let value = match self.meaning(self.at)? {
                        Meaning::Term(term) if self.level > 0 => self.placed(term)?,
                        Meaning::Term(term) => term,
                        other => identifier::constant(self, self.at, other)?,
                    };
                    self.values.push(value);
                    self.at += 1;
                }
                Kind::Open => self.open()?,
                Kind::Close => self.close()?,
                Kind::Keyword => self.attribute()?,
                Kind::Field => {
                    let text = String::from_utf8_lossy(self.tape.atom(self.at));
                    let value = theories::field_literal(self.context, self.terms, &text)
                        .ok_or_else(|| self.error_at(self.at, "an element of a finite field"))?;
                    self.values.push(value);
                    self.at += 1;
                }
                _ => {
                    let real = self.context.numerals_are_real;
                    let value = literal::literal(self.terms, self.tape, self.at, real)?;
                    self.values.push(value);
                    self.at += 1;
                }
            }
            if self.frames.is_empty() {
                return self.values.pop().ok_or_else(|| self.error_at(self.at, "a term expected"));
            }
            if let Some(Frame::Dropped) = self.frames.last() {
                self.drop_value();
            }
        }
    }

    /// A term that may have been written at another level, as it is here.
    pub(crate) fn placed(&mut self, term: TermId) -> Result<TermId, Diagnostic> {
        if !self.terms.traits(term).has(Traits::QUANTIFIED) {
            return Ok(term);
        }
        macros::place(self.terms, &mut self.context.placed, term, self.level)
            .map_err(|message| self.error_at(self.at, message))
    }

    pub(crate) fn error_at(&self, index: usize, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(self.tape.offset(index), message)
    }

    /// The meaning of the symbol at `index`; reserved words only if they are not quoted.
    #[inline]
    pub(crate) fn meaning(&mut self, index: usize) -> Result<Meaning, Diagnostic> {
        let name = name(self.terms, self.tape, index);
        let meaning = self.context.meaning(name);
        match meaning {
            Meaning::Unknown | Meaning::Poisoned => identifier::unknown(self, index, name),
            Meaning::Reserved(_) if self.tape.kind(index) == Kind::Quoted => {
                Err(self.error_at(index, "a quoted reserved word"))
            }
            _ => Ok(meaning),
        }
    }

    pub(crate) fn bind_local(&mut self, name: Name, term: TermId) {
        let old = self.context.replace(name, Meaning::Term(term));
        self.locals.push((name, old));
    }

    pub(crate) fn restore_locals(&mut self, to: u32) {
        for (name, old) in self.locals.drain(to as usize..).rev() {
            self.context.replace(name, old);
        }
    }

    pub(crate) fn base(&self) -> u32 {
        self.values.len() as u32
    }

    /// At an opening parenthesis where a term begins.
    fn open(&mut self) -> Result<(), Diagnostic> {
        let open = self.at;
        match self.tape.kind(open + 1) {
            Kind::Symbol | Kind::Quoted => match self.meaning(open + 1)? {
                Meaning::Reserved(word) => self.open_reserved(open, word),
                meaning => {
                    let head = identifier::head(self, open + 1, meaning)?;
                    self.frames.push(Frame::App { head, base: self.base(), open: open as u32 });
                    self.at = open + 2;
                    Ok(())
                }
            },
            Kind::Open => {
                if let Some(Frame::Match { base, open }) = self.frames.last() {
                    let (base, open) = (*base, *open);
                    return self.begin_cases(base, open);
                }
                let (head, next) = identifier::qualified_head(self, open + 1)?;
                self.frames.push(Frame::App { head, base: self.base(), open: open as u32 });
                self.at = next;
                Ok(())
            }
            Kind::Close => Err(self.error_at(open, "\"()\" is not a term")),
            _ => Err(self.error_at(open + 1, "a function expected")),
        }
    }

    fn open_reserved(&mut self, open: usize, word: Word) -> Result<(), Diagnostic> {
        let base = self.base();
        match word {
            Word::Underscore | Word::As => {
                let (value, next) = identifier::qualified_constant(self, open)?;
                self.values.push(value);
                self.at = next;
                Ok(())
            }
            Word::Let => {
                if self.tape.kind(open + 2) != Kind::Open || self.tape.kind(open + 3) != Kind::Open {
                    return Err(self.error_at(open + 2, "a list of bindings expected"));
                }
                let names = self.let_names.len() as u32;
                self.frames.push(Frame::Let { base, names, open: open as u32 });
                self.begin_binding(open + 3)
            }
            Word::Forall => self.open_quantifier(open, Quantifier::Forall),
            Word::Exists => self.open_quantifier(open, Quantifier::Exists),
            Word::Bang => {
                self.frames.push(Frame::Bang { base, open: open as u32, label: None });
                self.at = open + 2;
                Ok(())
            }
            Word::Match => {
                self.frames.push(Frame::Match { base, open: open as u32 });
                self.at = open + 2;
                Ok(())
            }
            Word::Lambda if self.context.dialect != Dialect::Standard => {
                self.open_quantifier(open, Quantifier::Lambda)
            }
            Word::Lambda | Word::Other => Err(self.error_at(open + 1, "this construct is not understood")),
        }
    }

    /// At `(name …` in a let.
    fn begin_binding(&mut self, open: usize) -> Result<(), Diagnostic> {
        if self.tape.kind(open) != Kind::Open {
            return Err(self.error_at(open, "a binding (name term) expected"));
        }
        let name = fresh_symbol(self.context, self.terms, self.tape, open + 1)?;
        self.let_names.push(name);
        self.frames.push(Frame::Binding { base: self.base(), open: open as u32 });
        self.at = open + 2;
        Ok(())
    }

    fn open_quantifier(&mut self, open: usize, quantifier: Quantifier) -> Result<(), Diagnostic> {
        let (tape, list) = (self.tape, open + 2);
        if tape.kind(list) != Kind::Open || tape.kind(list + 1) != Kind::Open {
            return Err(self.error_at(list, "a list of sorted variables expected"));
        }
        let (locals, first_level, base) = (self.locals.len() as u32, self.level, self.base());
        let variables = self.sorted_variables(list)?;
        self.bind_params(&variables);
        let sorts = variables.iter().map(|v| v.1).collect();
        let open = open as u32;
        let patterns = Vec::new();
        self.frames.push(Frame::Quantified(Box::new(Quantified {
            quantifier,
            base,
            locals,
            open,
            first_level,
            sorts,
            patterns,
        })));
        self.at = tape.next(list);
        Ok(())
    }

    /// The list `((name sort) …)` at `list`.
    pub(crate) fn sorted_variables(&mut self, list: usize) -> Result<Vec<(Name, SortId)>, Diagnostic> {
        let tape = self.tape;
        let mut variables: Vec<(Name, SortId)> = Vec::new();
        for variable in tape.children(list) {
            let parts: Vec<usize> = tape.children(variable).collect();
            let &[symbol, sort] = parts.as_slice() else {
                return Err(self.error_at(variable, "a sorted variable (name sort) expected"));
            };
            let name = fresh_symbol(self.context, self.terms, tape, symbol)?;
            if variables.iter().any(|v| v.0 == name) {
                return Err(self.error_at(symbol, "this variable is bound twice"));
            }
            let mut reader = SortReader { context: self.context, terms: self.terms, tape };
            variables.push((name, reader.sort(sort)?));
        }
        Ok(variables)
    }

    /// At a closing parenthesis.
    fn close(&mut self) -> Result<(), Diagnostic> {
        let Some(frame) = self.frames.pop() else {
            return Err(self.error_at(self.at, "a term expected"));
        };
        self.at += 1;
        match frame {
            Frame::App { head, base, open } => {
                let base = base as usize;
                let level = self.level;
                let value = head
                    .apply(self.context, self.terms, &self.values[base..], level)
                    .map_err(|message| self.error_at(open as usize, message))?;
                self.values.truncate(base);
                self.values.push(value);
                Ok(())
            }
            Frame::Binding { base, open } => {
                self.one_value(base, open)?;
                if self.tape.kind(self.at) == Kind::Close {
                    self.at += 1;
                    self.begin_body()
                } else {
                    self.begin_binding(self.at)
                }
            }
            Frame::Body { base, locals, open } => {
                self.one_value(base, open)?;
                self.restore_locals(locals);
                Ok(())
            }
            Frame::Quantified(quantified) => self.close_quantifier(*quantified),
            Frame::Bang { base, open, label } => self.close_bang(base, open, label),
            Frame::Pattern { base, open } => self.close_pattern(base, open),
            Frame::Case { base, locals, open } => self.close_case(base, locals, open),
            Frame::Cases(cases) => {
                let index = cases.open;
                let value =
                    cases.finish(self.terms).map_err(|message| self.error_at(index as usize, message))?;
                if self.tape.kind(self.at) != Kind::Close {
                    return Err(self.error_at(self.at, "\")\" expected after the cases"));
                }
                self.at += 1;
                self.values.push(value);
                Ok(())
            }
            Frame::Let { open, .. } | Frame::Match { open, .. } => {
                Err(self.error_at(open as usize, "this construct is not complete"))
            }
            Frame::Dropped => Err(self.error_at(self.at, "a term expected")),
        }
    }

    pub(crate) fn one_value(&self, base: u32, open: u32) -> Result<(), Diagnostic> {
        match self.values.len() - base as usize {
            1 => Ok(()),
            count => Err(self.error_at(open as usize, format!("one term expected here, not {count}"))),
        }
    }

    /// After the bindings of a let: all at once they come into force.
    fn begin_body(&mut self) -> Result<(), Diagnostic> {
        let Some(Frame::Let { base, names, open }) = self.frames.pop() else {
            return Err(self.error_at(self.at, "a let expected"));
        };
        let locals = self.locals.len() as u32;
        let (first, first_value) = (names as usize, base as usize);
        for i in 0..self.let_names.len() - first {
            self.bind_local(self.let_names[first + i], self.values[first_value + i]);
        }
        for i in 0..self.let_names.len() - first {
            let meaning = self.context.meaning(self.let_names[first + i]);
            if meaning != Meaning::Term(self.values[first_value + i]) {
                return Err(self.error_at(open as usize, "a let binds a name twice"));
            }
        }
        self.let_names.truncate(first);
        self.values.truncate(first_value);
        self.frames.push(Frame::Body { base, locals, open });
        Ok(())
    }

    fn close_quantifier(&mut self, q: Quantified) -> Result<(), Diagnostic> {
        self.one_value(q.base, q.open)?;
        self.restore_locals(q.locals);
        self.level = q.first_level;
        let body = self.values[q.base as usize];
        if q.quantifier == Quantifier::Lambda {
            let value = self.lambda(&q, body).map_err(|message| self.error_at(q.open as usize, message))?;
            self.values[q.base as usize] = value;
            return Ok(());
        }
        let value = self
            .terms
            .quantify(q.quantifier, q.first_level, &q.sorts, body, &q.patterns)
            .map_err(|error| self.error_at(q.open as usize, error.to_string()))?;
        self.values[q.base as usize] = value;
        Ok(())
    }
}

impl Elaborator<'_, '_> {
    /// A function without a name: z3 makes an array of it, cvc5 a function.
    fn lambda(&mut self, q: &Quantified, body: TermId) -> Result<TermId, String> {
        let result = self.terms.sort_of(body);
        let sort = match (self.context.dialect, &q.sorts[..]) {
            (Dialect::Z3, &[index]) => self.terms.array_sort(index, result),
            (Dialect::Cvc5, params) => theories::function_sort(self.terms, params, result),
            _ => return Err("an array with several indices".into()),
        };
        self.terms.lambda(q.first_level, &q.sorts, body, sort).map_err(|error| error.to_string())
    }
}

impl Drop for Elaborator<'_, '_> {
    fn drop(&mut self) {
        self.restore_locals(0);
        self.context.workspace = Workspace {
            values: std::mem::take(&mut self.values),
            frames: std::mem::take(&mut self.frames),
            locals: std::mem::take(&mut self.locals),
            let_names: std::mem::take(&mut self.let_names),
        };
    }
}
