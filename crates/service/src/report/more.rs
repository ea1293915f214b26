//! What reports show beside the sums of a run: what changed in suites, and what only a language or a program
//! counts.

use crate::{Divergence, Finding, Language, TestId, Totals};
use evergreen_suite::Update;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;

/// How a run ended: what reports show last.
pub struct RunEnd<'r, L: Language> {
    /// The sums.
    pub totals: &'r Totals<L>,
    /// Tests that did not do what their paths did.
    pub divergences: &'r [Divergence<L>],
    /// What changed in the suites, if some are kept.
    pub suite: Option<&'r Update>,
    /// What the program that runs the exploration adds: coverage, say.
    pub more: &'r More,
}

impl<L: Language> Clone for RunEnd<'_, L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L: Language> Copy for RunEnd<'_, L> {}

/// What a report shows beyond what the reports of all languages show. Texts are plain: each report escapes
/// them in its own way.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct More {
    /// Fields of the summary in JSON.
    pub fields: Map<String, Value>,
    /// Numbers of the page, with a few words each.
    pub cards: Vec<(String, &'static str)>,
    /// Tables of the page.
    pub tables: Vec<Table>,
    /// Sentences, without a full stop.
    pub facts: Vec<String>,
    /// Sources of the program, with what was covered of them.
    pub sources: Vec<Source>,
}

/// A source of the explored program, with what was covered of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Source {
    /// A short name.
    pub name: String,
    /// Where it is; a page shows its text, if it can be read there.
    pub path: PathBuf,
    /// What was covered, in a line.
    pub about: String,
    /// Its lines with code, by number from 1.
    pub lines: BTreeMap<u32, LineMark>,
}

/// What was covered of a line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LineMark {
    /// Whether some of its code was executed.
    pub executed: bool,
    /// Its branches, from left to right.
    pub branches: Vec<BranchMark>,
}

/// What was covered of a branch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BranchMark {
    /// Where it is in its line, from 1; 0 if that is not known.
    pub column: u32,
    /// Its arms.
    pub arms: Vec<ArmMark>,
}

impl BranchMark {
    /// How many of its arms were taken.
    pub fn taken(&self) -> usize {
        self.arms.iter().filter(|arm| arm.taken).count()
    }
}

/// What was covered of an arm.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ArmMark {
    /// Whether a path took it.
    pub taken: bool,
    /// The line and column that it leads to, if that is known.
    pub to: Option<(u32, u32)>,
}

/// A table of a page.
#[derive(Clone, PartialEq, Debug)]
pub struct Table {
    /// A word for each column.
    pub head: Vec<&'static str>,
    /// Rows, with a cell for each column; a column has cells of one kind.
    pub rows: Vec<Vec<Cell>>,
}

/// A cell of a table.
#[derive(Clone, PartialEq, Debug)]
pub enum Cell {
    /// Words.
    Words(String),
    /// A name in a program, and a note on it; may be empty.
    Code(String, String),
    /// A number.
    Number(u64),
    /// So many of so many.
    Share(u64, u64),
}

/// The names of tests in generated sources: `MidTest.mid_returns2`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TestNames(pub BTreeMap<TestId, String>);

impl TestNames {
    /// The name of a test, if it was written.
    pub fn of_test(&self, test: Option<TestId>) -> Option<&str> {
        self.0.get(&test?).map(String::as_str)
    }
}

/// How a finding is reproduced: a command, if the program that reports has one.
pub struct Again<L: Language>(Option<Rc<Reproduces<L>>>);

type Reproduces<L> = dyn Fn(&<L as Language>::Entry, &Finding<L>) -> String;

impl<L: Language> Again<L> {
    /// By a command that is made for each finding.
    pub fn by(command: impl Fn(&L::Entry, &Finding<L>) -> String + 'static) -> Again<L> {
        Again(Some(Rc::new(command)))
    }

    /// The command that reproduces a finding.
    pub fn of(&self, entry: &L::Entry, finding: &Finding<L>) -> Option<String> {
        self.0.as_ref().map(|command| command(entry, finding))
    }
}

impl<L: Language> Clone for Again<L> {
    fn clone(&self) -> Again<L> {
        Again(self.0.clone())
    }
}

/// No command.
impl<L: Language> Default for Again<L> {
    fn default() -> Again<L> {
        Again(None)
    }
}
