//! A path as text, kept as the path grows and shrinks: what techniques that talk to a solver by themselves
//! share.
//!
//! Only what is new is printed. Declarations, assertions and the names of wanted values each are one string
//! that is cut back when constraints leave.

use super::technique::{Models, Said, Verdict};
use super::wanted::{Mentions, Survey, ValueReader, Wanted};
use evergreen::smtlib::{print_declaration, print_declarations, write_term};
use evergreen::solver::Kind;
use evergreen::{Model, SymbolId, TermId, Terms};
use std::collections::HashSet;
use std::ops::Range;
use std::rc::Rc;

/// The path.
pub(crate) struct PathText {
    /// The arena.
    pub terms: Terms,
    /// What is asked for when it is satisfiable.
    pub wanted: Wanted,
    kind: Kind,
    survey: Survey,
    levels: Vec<Level>,
    assertions: String,
    declarations: String,
    declared: HashSet<SymbolId>,
    /// Declarations of everything in the stream.
    everything: String,
    /// Whether symbols can be declared one by one, because only constants of built-in sorts occur.
    plain: bool,
    values: ValueReader,
}

struct Level {
    mentions: Rc<Mentions>,
    /// Where its assertion is.
    assertion: Range<usize>,
    /// Length of the declarations before it, and the symbols that it declared.
    declarations: usize,
    declared: Vec<SymbolId>,
}

impl PathText {
    /// An empty path, for a solver of that kind.
    pub(crate) fn new(kind: Kind) -> PathText {
        PathText {
            terms: Terms::new(),
            wanted: Wanted::default(),
            kind,
            survey: Survey::default(),
            levels: Vec::new(),
            assertions: String::new(),
            declarations: String::new(),
            declared: HashSet::new(),
            everything: String::new(),
            plain: true,
            values: ValueReader::default(),
        }
    }

    /// Prepares for the constraints of a stream.
    pub(crate) fn begin(&mut self, constraints: &[TermId]) -> Result<(), String> {
        self.everything = print_declarations(&self.terms, constraints)?;
        self.plain = self
            .everything
            .lines()
            .all(|l| l.starts_with("(declare-fun ") || l.starts_with("(declare-const "));
        Ok(())
    }

    /// The declarations of everything in the stream.
    pub(crate) fn all_declarations(&self) -> &str {
        &self.everything
    }

    /// The declarations that the path needs.
    pub(crate) fn declarations(&self) -> &str {
        if self.plain { &self.declarations } else { &self.everything }
    }

    /// All assertions of the path.
    pub(crate) fn assertions(&self) -> &str {
        &self.assertions
    }

    /// The number of constraints.
    pub(crate) fn len(&self) -> usize {
        self.levels.len()
    }

    /// What a constraint of the path is about.
    pub(crate) fn mentions(&self, level: usize) -> &Rc<Mentions> {
        &self.levels[level].mentions
    }

    /// The assertion of a constraint of the path.
    pub(crate) fn assertion(&self, level: usize) -> &str {
        &self.assertions[self.levels[level].assertion.clone()]
    }

    /// A constraint comes.
    pub(crate) fn extend(&mut self, constraint: TermId) {
        let mentions = self.survey.of(&self.terms, constraint);
        let start = self.assertions.len();
        self.assertions.push_str("(assert ");
        write_term(&self.terms, constraint, &mut self.assertions);
        self.assertions.push_str(")\n");
        let declarations = self.declarations.len();
        let mut declared = Vec::new();
        for &symbol in mentions.symbols.iter().filter(|_| self.plain) {
            if self.declared.insert(symbol) {
                self.declarations.push_str(&print_declaration(&self.terms, symbol));
                self.declarations.push('\n');
                declared.push(symbol);
            }
        }
        self.wanted.extend(&self.terms, &mentions, self.kind);
        self.levels.push(Level { mentions, assertion: start..self.assertions.len(), declarations, declared });
    }

    /// The last constraint leaves.
    pub(crate) fn retract(&mut self) {
        let Some(level) = self.levels.pop() else { return };
        self.assertions.truncate(level.assertion.start);
        self.declarations.truncate(level.declarations);
        for symbol in level.declared {
            self.declared.remove(&symbol);
        }
        self.wanted.retract();
    }

    /// What is to be declared and asked for when only some constraints of the path are asked about.
    pub(crate) fn question_of(&self, levels: &[u32]) -> (String, Wanted) {
        let mut wanted = Wanted::default();
        let mut declared = HashSet::new();
        let mut text = if self.plain { String::new() } else { self.everything.clone() };
        for &level in levels {
            let mentions = self.mentions(level as usize);
            wanted.extend(&self.terms, mentions, self.kind);
            for &symbol in mentions.symbols.iter().filter(|_| self.plain) {
                if declared.insert(symbol) {
                    text.push_str(&print_declaration(&self.terms, symbol));
                    text.push('\n');
                }
            }
        }
        (text, wanted)
    }

    /// Reads the values of a reply.
    pub(crate) fn model(&mut self, wanted: &Wanted, reply: &str) -> Result<Model, String> {
        self.values.read(&mut self.terms, wanted, reply)
    }

    /// The answer in a reply to a question about the whole path.
    pub(crate) fn said(&mut self, reply: (Verdict, Option<String>), models: Models) -> Result<Said, String> {
        let (verdict, values) = reply;
        let model = match values {
            Some(values) => Some(self.values.read(&mut self.terms, &self.wanted, &values)?),
            None => (verdict == Verdict::Sat && models == Models::Read).then(Model::new),
        };
        Ok(Said { verdict, model })
    }
}
