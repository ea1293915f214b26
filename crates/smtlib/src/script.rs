//! Commands: the requests of a script, with names resolved and terms elaborated.
//!
//! [`Context::read`] reads one command and applies its effect on names (declarations, `push`, `pop`,
//! `reset`). A command that is not understood is [`Command::Opaque`] (no such command) or a [`Diagnostic`] (a
//! known command that cannot be elaborated); in both cases the caller passes the text to the solver
//! untouched. The names that it may have declared are poisoned: a term that uses one of them is refused too,
//! so that no term ever means less than its text.

use crate::context::Context;
use crate::diagnostic::Diagnostic;
use crate::elaborate::{Elaborated, Elaborator};
use crate::sexp::{Kind, Tape, is_symbol_byte};
use crate::sorts::{name, numeral, symbol};
use crate::{builtin, context::Meaning, quick};
use crate::{datatypes, declare, theories};
use evergreen_term::{Dialect, Name, SortId, SymbolId, SymbolKind, TermId, Terms};
use std::ops::Range;

/// A term and its place in the text of the command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spanned {
    /// The term.
    pub term: TermId,
    /// Where its text is.
    pub span: Range<usize>,
}

/// A command of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `(set-logic L)`.
    SetLogic(String),
    /// `(set-option :keyword value)`.
    SetOption {
        /// The keyword with its colon.
        keyword: String,
        /// The source text of the value.
        value: String,
    },
    /// `(set-info :keyword value)`.
    SetInfo {
        /// The keyword with its colon.
        keyword: String,
        /// The source text of the value.
        value: String,
    },
    /// `(declare-sort S n)`.
    DeclareSort {
        /// The sort's name.
        name: Name,
        /// The number of its arguments.
        arity: u32,
    },
    /// `(define-sort …)`: expanded where it is used.
    DefineSort(Name),
    /// `(declare-const …)` or `(declare-fun …)`.
    DeclareFun(SymbolId),
    /// `(define-fun …)` or `(define-const …)`: expanded where it is used.
    DefineFun {
        /// The function's name.
        name: Name,
        /// The sorts of its parameters.
        params: Vec<SortId>,
        /// Its body over the bound variables of levels `0..params.len()`.
        body: TermId,
    },
    /// `(define-fun-rec …)` or `(define-funs-rec …)`.
    DefineFunsRec(Vec<SymbolId>),
    /// `(declare-datatype …)` or `(declare-datatypes …)`: the names of the sorts.
    DeclareDatatypes(Vec<Name>),
    /// `(declare-heap (L D))`, cvc5's: the sorts of separation logic.
    DeclareHeap,
    /// `(assert t)`.
    Assert {
        /// The asserted term.
        term: TermId,
        /// The name of the whole assertion, `(assert (! t :named label))`.
        label: Option<Name>,
        /// All terms named in the assertion, the label's included.
        names: Vec<(Name, TermId)>,
        /// All terms with a label of z3's, which `(labels)` asks for.
        labelled: Vec<Labelled>,
    },
    /// `(push n)`.
    Push(u32),
    /// `(pop n)`.
    Pop(u32),
    /// `(reset)`.
    Reset,
    /// `(reset-assertions)`.
    ResetAssertions,
    /// `(check-sat)`.
    CheckSat,
    /// `(check-sat-assuming (…))`.
    CheckSatAssuming(Vec<Spanned>),
    /// `(check-sat-using …)`, z3's: a tactic decides.
    CheckSatUsing,
    /// `(labels)`, z3's: which labelled terms explain the last `sat`.
    Labels,
    /// `(get-value (…))`.
    GetValue(Vec<Spanned>),
    /// `(get-model)`.
    GetModel,
    /// `(get-unsat-core)`.
    GetUnsatCore,
    /// `(get-unsat-assumptions)`.
    GetUnsatAssumptions,
    /// `(get-info :keyword)`: the keyword with its colon.
    GetInfo(String),
    /// `(get-option :keyword)`: the keyword with its colon.
    GetOption(String),
    /// `(get-assertions)`.
    GetAssertions,
    /// `(get-proof)`.
    GetProof,
    /// `(get-assignment)`.
    GetAssignment,
    /// `(echo "…")`: the text, with `""` undone.
    Echo(String),
    /// `(exit)`.
    Exit,
    /// `(minimize t)`, z3's.
    Minimize(TermId),
    /// `(maximize t)`, z3's.
    Maximize(TermId),
    /// `(assert-soft t …)`, z3's; weight and identifier are in the text.
    AssertSoft(TermId),
    /// Anything else.
    Opaque,
}

/// A term with a label of z3's: `(! t :lblpos name)` or `(! t :lblneg name)`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Labelled {
    /// The term.
    pub term: TermId,
    /// The label.
    pub name: Name,
    /// Whether the label is about the term being true, not false.
    pub is_positive: bool,
}

/// A command of a script with its place.
#[derive(Clone, Debug)]
pub struct Located {
    /// Where the command's text is.
    pub span: Range<usize>,
    /// The command; `Opaque` if it could not be understood.
    pub command: Command,
    /// Why it could not be understood; offsets count from the start of the script.
    pub complaint: Option<Diagnostic>,
}

impl Context {
    /// Reads one command and applies it to the names in scope.
    ///
    /// `Err` means: the command is known but cannot be elaborated. Nothing was declared by it.
    pub fn read(&mut self, terms: &mut Terms, text: &[u8]) -> Result<Command, Diagnostic> {
        if let Some(command) = self.read_quickly(terms, text) {
            return Ok(command);
        }
        let nodes = std::mem::take(&mut self.nodes);
        let tape = Tape::read_into(text, nodes)?;
        let mut roots = tape.roots();
        let read = match (roots.next(), roots.next()) {
            (Some(root), None) => self.read_at(terms, &tape, root),
            (None, _) => Err(Diagnostic::new(0, "a command expected")),
            (_, Some(second)) => Err(Diagnostic::new(tape.offset(second), "one command expected, not two")),
        };
        drop(roots);
        self.nodes = tape.into_nodes();
        match &read {
            Ok(Command::DeclareFun(symbol)) => self.note_declared(terms, text, *symbol),
            Ok(Command::SetOption { keyword, value }) => self.note_option(text, keyword, value),
            _ => {}
        }
        read
    }

    /// Reads the command that a text begins with, and applies it to the names in scope: the command and its
    /// length. `None`, and nothing happened, unless it is there as a whole and one of those that most of a
    /// log consists of, of the plain kind. Where the command ends is found by reading it.
    pub fn read_start(&mut self, terms: &mut Terms, text: &[u8]) -> Option<(Command, usize)> {
        match text.get(1)? {
            b'a' => {
                let (term, end) = quick::assertion(self, terms, text)?;
                Some((Command::Assert { term, label: None, names: Vec::new(), labelled: Vec::new() }, end))
            }
            b'g' => {
                let (values, end) = quick::values(self, terms, text)?;
                Some((Command::GetValue(values), end))
            }
            b'd' => {
                let end = self.declared_length(text).or_else(|| plain_length(text))?;
                self.declare_again(&text[..end]).map(|symbol| (Command::DeclareFun(symbol), end))
            }
            b'c' if text.starts_with(b"(check-sat)") => Some((Command::CheckSat, b"(check-sat)".len())),
            b'r' if text.starts_with(b"(reset)") => {
                self.reset();
                Some((Command::Reset, b"(reset)".len()))
            }
            b's' if text.starts_with(b"(set-option") => self.option_again(text),
            b's' => {
                let inside = text.strip_prefix(b"(set-logic ")?;
                // As logics are called; other names may be reserved words.
                let is_usual = |b: u8| b.is_ascii_uppercase() || b == b'_';
                let length = inside.iter().position(|&b| !is_usual(b)).filter(|&length| length > 0)?;
                let blank = inside[length..].iter().position(|&b| b != b' ')?;
                let is_end = inside[length + blank] == b')';
                let logic = std::str::from_utf8(&inside[..length]).ok().filter(|_| is_end)?;
                self.numerals_are_real = builtin::numerals_are_real(logic);
                let end = text.len() - inside.len() + length + blank + 1;
                Some((Command::SetLogic(logic.to_owned()), end))
            }
            _ => None,
        }
    }

    /// A command as a whole, if it is read in that way.
    fn read_quickly(&mut self, terms: &mut Terms, text: &[u8]) -> Option<Command> {
        match text.get(1)? {
            b'a' | b'g' => {
                let (command, end) = self.read_start(terms, text)?;
                text[end..].trim_ascii().is_empty().then_some(command)
            }
            b'd' => self.declare_again(text).map(Command::DeclareFun),
            _ => None,
        }
    }

    /// Reads a term in the current scope, as an answer of a solver or a caller may hold it.
    pub fn read_term(&mut self, terms: &mut Terms, text: &[u8]) -> Result<TermId, Diagnostic> {
        let tape = Tape::read(text)?;
        let roots: Vec<usize> = tape.roots().take(2).collect();
        let &[root] = roots.as_slice() else {
            return Err(Diagnostic::new(0, "one term expected"));
        };
        Ok(Elaborator::new(self, terms, &tape).term(root)?.term)
    }

    /// Reads a whole script. Only text that is not a sequence of s-expressions is an error.
    pub fn read_script(&mut self, terms: &mut Terms, text: &[u8]) -> Result<Vec<Located>, Diagnostic> {
        let tape = Tape::read(text)?;
        let mut script = Vec::new();
        for root in tape.roots() {
            let start = tape.offset(root);
            let span = start..start + tape.source(root).len();
            let (command, complaint) = match self.read_at(terms, &tape, root) {
                Ok(command) => (command, None),
                Err(complaint) => (Command::Opaque, Some(complaint)),
            };
            script.push(Located { span, command, complaint });
        }
        Ok(script)
    }

    fn read_at(&mut self, terms: &mut Terms, tape: &Tape<'_>, root: usize) -> Result<Command, Diagnostic> {
        if tape.kind(root) != Kind::Open || tape.kind(root + 1) != Kind::Symbol {
            return Err(Diagnostic::new(tape.offset(root), "a command expected")
                .with_help("commands are lists, as in (check-sat)"));
        }
        let mut reader = Reader { context: self, terms, tape, root };
        let read = reader.command();
        let failed = !matches!(&read, Ok(command) if *command != Command::Opaque);
        if failed {
            reader.poison();
        }
        read
    }
}

/// A reader of one command.
pub(crate) struct Reader<'a, 't> {
    pub(crate) context: &'a mut Context,
    pub(crate) terms: &'a mut Terms,
    pub(crate) tape: &'a Tape<'t>,
    pub(crate) root: usize,
}

impl<'a> Reader<'a, '_> {
    fn command(&mut self) -> Result<Command, Diagnostic> {
        let tape = self.tape;
        Ok(match tape.atom(self.root + 1) {
            b"assert" => self.assert()?,
            b"check-sat" if self.args().next().is_none() => Command::CheckSat,
            b"check-sat" => Command::Opaque,
            b"check-sat-using" => Command::CheckSatUsing,
            b"declare-const" => declare::constant(self)?,
            b"declare-fun" => declare::function(self)?,
            b"define-const" | b"define-fun" => declare::definition(self)?,
            b"define-fun-rec" | b"define-funs-rec" => declare::recursive(self)?,
            b"declare-sort" => declare::sort(self)?,
            b"define-sort" => declare::sort_definition(self)?,
            b"declare-datatype" | b"declare-datatypes" => datatypes::declare(self)?,
            b"declare-heap" if self.context.dialect == Dialect::Cvc5 => declare::heap(self)?,
            b"push" | b"pop" => self.levels()?,
            b"get-value" => Command::GetValue(self.values_in_list()?),
            b"check-sat-assuming" => self.assuming()?,
            b"set-logic" => self.logic()?,
            b"set-option" => self.option()?,
            b"set-info" => {
                let (keyword, value) = self.attribute()?;
                Command::SetInfo { keyword, value }
            }
            b"get-info" => Command::GetInfo(self.keyword()?),
            b"get-option" => Command::GetOption(self.keyword()?),
            b"echo" => self.echo()?,
            b"minimize" => Command::Minimize(self.objective()?),
            b"maximize" => Command::Maximize(self.objective()?),
            b"assert-soft" => self.assert_soft()?,
            b"labels" if self.context.dialect == Dialect::Z3 && self.args().next().is_none() => {
                Command::Labels
            }
            word => match plain_command(word) {
                Some(command) => {
                    self.exactly::<0>()?;
                    self.apply(&command);
                    command
                }
                None => Command::Opaque,
            },
        })
    }

    /// The nodes of the command's arguments.
    pub(crate) fn args(&self) -> impl Iterator<Item = usize> + 'a {
        let (tape, root) = (self.tape, self.root);
        let stop = tape.next(root) - 1;
        let mut at = root + 2;
        std::iter::from_fn(move || {
            let arg = at;
            (arg < stop).then(|| {
                at = tape.next(arg);
                arg
            })
        })
    }

    /// The arguments, if there are `N`.
    pub(crate) fn exactly<const N: usize>(&self) -> Result<[usize; N], Diagnostic> {
        let args: Vec<usize> = self.args().take(N + 1).collect();
        args.try_into().map_err(|_| {
            let text = String::from_utf8_lossy(self.tape.atom(self.root + 1));
            let s = if N == 1 { "" } else { "s" };
            self.error(self.root, format!("\"{text}\" takes {N} argument{s}"))
        })
    }

    pub(crate) fn error(&self, index: usize, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(self.tape.offset(index), message)
    }

    fn source(&self, index: usize) -> String {
        String::from_utf8_lossy(self.tape.source(index)).into_owned()
    }

    fn apply(&mut self, command: &Command) {
        match command {
            Command::Reset => self.context.reset(),
            Command::ResetAssertions => self.context.reset_assertions(),
            _ => {}
        }
    }

    pub(crate) fn elaborate(&mut self, index: usize) -> Result<Elaborated, Diagnostic> {
        Elaborator::new(self.context, self.terms, self.tape).term(index)
    }

    fn assert(&mut self) -> Result<Command, Diagnostic> {
        let [body] = self.exactly()?;
        let Elaborated { term, label, names, labelled } = self.elaborate(body)?;
        if self.terms.sort_of(term) != SortId::BOOL {
            return Err(self.error(body, "an assertion is of sort Bool"));
        }
        self.bind_names(&names);
        Ok(Command::Assert { term, label, names, labelled })
    }

    fn bind_names(&mut self, names: &[(Name, TermId)]) {
        for &(name, term) in names {
            self.context.bind(name, Meaning::Term(term));
        }
    }

    fn spanned(&mut self, index: usize) -> Result<Spanned, Diagnostic> {
        let Elaborated { term, names, .. } = self.elaborate(index)?;
        self.bind_names(&names);
        let start = self.tape.offset(index);
        Ok(Spanned { term, span: start..start + self.tape.source(index).len() })
    }

    fn terms_in_list(&mut self) -> Result<Vec<Spanned>, Diagnostic> {
        let [list] = self.exactly()?;
        if self.tape.kind(list) != Kind::Open {
            return Err(self.error(list, "a list of terms expected"));
        }
        let tape = self.tape;
        tape.children(list).map(|child| self.spanned(child)).collect()
    }

    /// As [`Reader::terms_in_list`]; the name of a function stands for the function, as solvers read it here.
    fn values_in_list(&mut self) -> Result<Vec<Spanned>, Diagnostic> {
        let [list] = self.exactly()?;
        if self.tape.kind(list) != Kind::Open {
            return Err(self.error(list, "a list of terms expected"));
        }
        let tape = self.tape;
        tape.children(list)
            .map(|child| match self.function(child) {
                Some(term) => {
                    let start = tape.offset(child);
                    Ok(Spanned { term, span: start..start + tape.source(child).len() })
                }
                None => self.spanned(child),
            })
            .collect()
    }

    /// A declared function with parameters, by its name alone.
    fn function(&mut self, index: usize) -> Option<TermId> {
        if !matches!(self.tape.kind(index), Kind::Symbol | Kind::Quoted) {
            return None;
        }
        let name = name(self.terms, self.tape, index);
        let Meaning::Symbol(symbol) = self.context.meaning(name) else { return None };
        let declared = self.terms.symbol_of(symbol).clone();
        if declared.kind != SymbolKind::Free || declared.params.is_empty() {
            return None;
        }
        let sort = theories::function_sort(self.terms, &declared.params, declared.result);
        Some(self.terms.function(symbol, sort))
    }

    fn assuming(&mut self) -> Result<Command, Diagnostic> {
        let terms = self.terms_in_list()?;
        match terms.iter().find(|t| self.terms.sort_of(t.term) != SortId::BOOL) {
            Some(other) => Err(Diagnostic::new(other.span.start, "an assumption is of sort Bool")),
            None => Ok(Command::CheckSatAssuming(terms)),
        }
    }

    fn levels(&mut self) -> Result<Command, Diagnostic> {
        let args: Vec<usize> = self.args().take(2).collect();
        let levels = match args.as_slice() {
            [] => Some(1),
            [count] => numeral(self.tape, *count),
            _ => None,
        };
        let Some(levels) = levels.filter(|n| *n <= 1 << 20) else {
            return Err(self.error(self.root, "a number of levels expected"));
        };
        if self.tape.is_word(self.root + 1, "push") {
            self.context.push(levels as usize);
            return Ok(Command::Push(levels));
        }
        if self.context.pop(levels as usize) {
            return Ok(Command::Pop(levels));
        }
        let open = self.context.depth();
        Err(self.error(self.root, format!("{levels} levels cannot be popped: {open} are open")))
    }

    fn logic(&mut self) -> Result<Command, Diagnostic> {
        let [logic] = self.exactly()?;
        let logic = symbol(self.terms, self.tape, logic)?;
        let logic = self.terms.text(logic).to_owned();
        self.context.numerals_are_real = builtin::numerals_are_real(&logic);
        Ok(Command::SetLogic(logic))
    }

    fn attribute(&mut self) -> Result<(String, String), Diagnostic> {
        let args: Vec<usize> = self.args().take(3).collect();
        match *args.as_slice() {
            [keyword, ref value @ ..]
                if self.tape.kind(keyword) == Kind::Keyword
                    && value.len() < 2
                    && value.iter().all(|v| self.tape.kind(*v) != Kind::Keyword) =>
            {
                let value = value.first().map_or(String::new(), |v| self.source(*v));
                Ok((self.source(keyword), value))
            }
            _ => Err(self.error(self.root, "a keyword and a value expected")),
        }
    }

    fn option(&mut self) -> Result<Command, Diagnostic> {
        let (keyword, value) = self.attribute()?;
        if keyword == ":global-declarations" {
            self.context.global_declarations = value == "true";
        }
        Ok(Command::SetOption { keyword, value })
    }

    fn keyword(&self) -> Result<String, Diagnostic> {
        let [keyword] = self.exactly()?;
        match self.tape.kind(keyword) {
            Kind::Keyword => Ok(self.source(keyword)),
            _ => Err(self.error(keyword, "a keyword expected")),
        }
    }

    fn echo(&self) -> Result<Command, Diagnostic> {
        let [text] = self.exactly()?;
        match self.tape.kind(text) {
            Kind::String => {
                let text = String::from_utf8_lossy(self.tape.atom(text));
                Ok(Command::Echo(text.replace("\"\"", "\"")))
            }
            _ => Err(self.error(text, "a string expected")),
        }
    }

    fn objective(&mut self) -> Result<TermId, Diagnostic> {
        // z3 allows attributes after the term.
        match self.args().next() {
            Some(objective) => Ok(self.spanned(objective)?.term),
            None => Err(self.error(self.root, "a term expected")),
        }
    }

    fn assert_soft(&mut self) -> Result<Command, Diagnostic> {
        let term = self.objective()?;
        match self.terms.sort_of(term) {
            SortId::BOOL => Ok(Command::AssertSoft(term)),
            _ => Err(self.error(self.root, "an assertion is of sort Bool")),
        }
    }

    /// After a declaration that was not understood: names that it may have declared are refused later.
    fn poison(&mut self) {
        let word = self.tape.atom(self.root + 1);
        let declares = word.starts_with(b"declare") || word.starts_with(b"define");
        let one = matches!(
            word,
            b"declare-const" | b"declare-fun" | b"define-const" | b"define-fun" | b"define-fun-rec"
        );
        let sort = matches!(word, b"declare-sort" | b"define-sort");
        let first = self.root + 2;
        let names: Vec<usize> = match () {
            () if one || sort => vec![first],
            () if declares => (first..self.tape.next(self.root)).collect(),
            () => Vec::new(),
        };
        for index in names {
            if !matches!(self.tape.kind(index), Kind::Symbol | Kind::Quoted) {
                continue;
            }
            let name = name(self.terms, self.tape, index);
            if sort {
                self.context.poison_sort(name);
            } else {
                self.context.poison(name);
            }
        }
    }
}

/// The length of the list that a text begins with, if it is short and consists of plain symbols.
fn plain_length(text: &[u8]) -> Option<usize> {
    let mut depth = 0u32;
    for (at, &byte) in text.iter().enumerate().take(256) {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 1 => return Some(at + 1),
            b')' => depth -= 1,
            b' ' | b'\n' | b'\t' | b'\r' => {}
            _ if is_symbol_byte(byte) => {}
            _ => return None,
        }
    }
    None
}

/// The commands without arguments.
fn plain_command(word: &[u8]) -> Option<Command> {
    Some(match word {
        b"reset" => Command::Reset,
        b"reset-assertions" => Command::ResetAssertions,
        b"get-model" => Command::GetModel,
        b"get-unsat-core" => Command::GetUnsatCore,
        b"get-unsat-assumptions" => Command::GetUnsatAssumptions,
        b"get-assertions" => Command::GetAssertions,
        b"get-proof" => Command::GetProof,
        b"get-assignment" => Command::GetAssignment,
        b"exit" => Command::Exit,
        _ => return None,
    })
}
