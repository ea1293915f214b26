//! What every technique has in common: it follows a path and says, when asked, whether the path is
//! satisfiable.

use crate::flags::{OnOff, StreamsStudy};
use evergreen::{Model, TermId, Terms};

/// Whether a path is satisfiable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It is.
    Sat,
    /// It is not.
    Unsat,
    /// Nobody knows.
    Unknown,
}

impl Verdict {
    /// As solvers say it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Verdict::Sat => "sat",
            Verdict::Unsat => "unsat",
            Verdict::Unknown => "unknown",
        }
    }
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Said {
    /// The verdict.
    pub verdict: Verdict,
    /// Values for everything on the path, if it is satisfiable and models are read.
    pub model: Option<Model>,
}

/// Whether models are read after sat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Models {
    /// After every sat.
    Read,
    /// Never.
    Off,
}

impl StreamsStudy {
    /// Whether models are read.
    pub(crate) fn read_models(&self) -> Models {
        if self.models == OnOff::On { Models::Read } else { Models::Off }
    }
}

/// What a technique did.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Questions that a solver process answered.
    pub calls: u64,
    /// Questions that were solved without a process.
    pub native: u64,
    /// Questions (or parts of them) that were reused, by rung.
    pub reused: Vec<(&'static str, u64)>,
}

/// A technique, run by itself over one stream.
pub(crate) trait Technique {
    /// The arena that the stream is to be read into.
    fn terms(&mut self) -> &mut Terms;
    /// The stream has been read: these are all its constraints. What solvers need to start is started here,
    /// and is not timed.
    fn begin(&mut self, logic: Option<&str>, constraints: &[TermId]) -> Result<(), String>;
    /// The path is extended.
    fn extend(&mut self, constraint: TermId);
    /// The last constraints of the path are taken back.
    fn retract(&mut self, count: usize);
    /// Is the path satisfiable?
    fn check(&mut self) -> Result<Said, String>;
    /// What was done so far.
    fn counts(&self) -> Counts;
    /// The solver process, once begun, if the technique talks to one by itself.
    fn solver_pid(&self) -> Option<u32> {
        None
    }
}
