//! The end of a path, as a value: inputs, outcome, places, test case.

use crate::{Language, PathLine, Severity};
use evergreen_deciding::probability::Likelihood;
use evergreen_explore::{End, Place};
use evergreen_suite::Decision;
use evergreen_symbolic::Cond;
use std::fmt;

/// Why a program, or one of its entries, cannot be explored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramError(pub String);

impl fmt::Display for ProgramError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ProgramError {}

/// How a path ended.
#[derive(Clone, PartialEq, Debug)]
pub enum How<L: Language> {
    /// The entry returned; a value unless it returns none.
    Returned(Option<L::Value>),
    /// The program failed: an exception left the entry, a check was violated, the machine trapped.
    Threw {
        /// What was thrown: the class of an exception, the name of a check.
        class: String,
        /// Its message, if that is known.
        message: Option<String>,
        /// Where it was thrown.
        place: Option<Place>,
        /// How much it matters.
        severity: Severity,
    },
    /// The program ended its process with this status.
    Exited(i32),
    /// The machine could not follow the path.
    Unsupported {
        /// What it could not do.
        what: String,
        /// Where.
        place: Option<Place>,
        /// What can be done about it; may be empty.
        help: String,
    },
    /// A bound cut the path: its name.
    Cut(&'static str),
    /// No solver could decide whether an arm is feasible; it was not explored.
    Undecided {
        /// The condition of the arm.
        condition: String,
        /// Where.
        place: Option<Place>,
    },
    /// Every arm of a branch was found infeasible: a bug of ours.
    Stuck(Option<Place>),
}

impl<L: Language> How<L> {
    /// How a path ended that the program did not end; `show` shows a condition. None if it did.
    pub fn stopped<O>(end: &End<Cond, O>, show: impl Fn(Cond) -> String) -> Option<How<L>> {
        match end {
            End::Outcome(_) => None,
            End::Cut(bound) => Some(How::Cut(bound.name())),
            End::Undecided(arm) => Some(How::Undecided { condition: show(arm.constraint), place: None }),
            End::Stuck => Some(How::Stuck(None)),
        }
    }

    /// How much it matters, if the program failed.
    pub fn severity(&self) -> Option<Severity> {
        match self {
            How::Threw { severity, .. } => Some(*severity),
            _ => None,
        }
    }

    /// Whether the program ended the path itself.
    pub fn is_outcome(&self) -> bool {
        matches!(self, How::Returned(_) | How::Threw { .. } | How::Exited(_))
    }
}

/// One decision on a path, where the source has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stop {
    /// Where.
    pub place: Place,
    /// Which way, as the machine numbers them.
    pub arm: u32,
}

/// The end of a path.
#[derive(Clone, PartialEq, Debug)]
pub struct PathEnd<L: Language> {
    /// How many paths had finished when this was found, with it.
    pub number: u64,
    /// Where it is in the tree of paths: which way it went at each branch and choice; see
    /// [`evergreen_explore::Trail::position`].
    pub position: Vec<u32>,
    /// Its decisions in the program's own code, at places that outlive edits elsewhere; only of explorations
    /// with seeds.
    pub decisions: Vec<Decision>,
    /// The old tests that take this path; the inputs are those of the first.
    pub seeds: Vec<usize>,
    /// How it ended.
    pub how: How<L>,
    /// Names and values of the parameters, then of what a driver drew.
    pub inputs: Vec<(String, L::Value)>,
    /// The path condition, readable.
    pub conditions: Vec<String>,
    /// The branches on the way, in the program's own code where there are any.
    pub stops: Vec<Stop>,
    /// Branches on the way, all of them.
    pub depth: usize,
    /// Instructions.
    pub steps: u64,
    /// Whether inputs were fixed where symbols could not go: see [`evergreen_explore::Sampling`].
    pub sampled: bool,
    /// What was printed on standard output.
    pub output: String,
    /// The test that takes this path, for paths that the program ended.
    pub case: Option<L::Case>,
    /// How likely it is, if that is counted.
    pub likelihood: Option<Likelihood>,
    /// The path as a line of text, if lines are wanted: written on the thread that found it.
    pub line: Option<PathLine>,
    /// What the language has beyond.
    pub beyond: L::Beyond,
}

impl<L: Language> PathEnd<L> {
    /// A path of which nothing is known.
    pub fn empty() -> PathEnd<L> {
        PathEnd {
            number: 0,
            position: Vec::new(),
            decisions: Vec::new(),
            seeds: Vec::new(),
            how: How::Stuck(None),
            inputs: Vec::new(),
            conditions: Vec::new(),
            stops: Vec::new(),
            depth: 0,
            steps: 0,
            sampled: false,
            output: String::new(),
            case: None,
            likelihood: None,
            line: None,
            beyond: L::Beyond::default(),
        }
    }
}

/// How much is described of each path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detail {
    /// Everything.
    Full,
    /// Conditions and stops only of findings.
    Brief,
}

/// When the tests of plain paths are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cases {
    /// With the path.
    Now,
    /// By the thread that reports the path: the path has all that it takes.
    Later,
}

impl Cases {
    /// Whether the test of a path is left to be made.
    pub fn is_due<L: Language>(self, path: &PathEnd<L>) -> bool {
        self == Cases::Later
            && L::MAKES_CASES_LATER
            && crate::Beyond::is_plain(&path.beyond)
            && matches!(path.how, How::Returned(_) | How::Exited(_))
    }
}
