//! What the core says, and what it may spend before it says that it does not know.

use evergreen_term::Model;
use std::fmt;

/// What was found out about a conjunction.
#[derive(Clone, PartialEq, Debug)]
pub enum Decision {
    /// It holds under this model. A symbol that has no value there may have any.
    Sat(Model),
    /// It has no model. The positions of constraints that have none together, ascending, each once.
    Unsat(Vec<u32>),
    /// Not decided.
    Unknown(Beyond),
}

/// Why a conjunction was not decided.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Beyond {
    /// It has something that the core does not know: what, in words, such as `an integer`.
    Outside(String),
    /// It takes more steps than were allowed.
    Effort,
}

impl fmt::Display for Beyond {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Beyond::Outside(what) => write!(f, "{what} is beyond the core of bit vectors"),
            Beyond::Effort => {
                f.write_str("it takes more steps than the core of bit vectors spends on a query")
            }
        }
    }
}

/// How hard the core tries. All of it is counted in steps, so that an answer does not depend on the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Values of nodes that the search for a model may compute.
    pub guesses: u32,
    /// Conflicts of the propositional solver.
    pub conflicts: u32,
    /// Clauses that a query may have.
    pub clauses: u32,
}

impl Default for Effort {
    /// Every query of the recorded C programs is decided with a half of this. Conflicts are worth more than
    /// the start of a solver: two thousand take some milliseconds.
    fn default() -> Effort {
        Effort { guesses: 20_000, conflicts: 2_000, clauses: 100_000 }
    }
}

impl Effort {
    /// For queries that nothing else can decide: up to about a second.
    pub fn thorough() -> Effort {
        Effort { guesses: 20_000, conflicts: 50_000, clauses: 1_000_000 }
    }
}

/// The layer that decided a conjunction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Layer {
    /// Rewriting left `true` or `false`.
    Constants,
    /// Sets of values of single leaves.
    Sets,
    /// Intervals and known bits.
    Ranges,
    /// Values of an old model, or a few moves from them.
    Guess,
    /// The propositional solver.
    Sat,
}

impl Layer {
    /// Every layer, in the order in which they are asked.
    pub const ALL: [Layer; 5] = [Layer::Constants, Layer::Sets, Layer::Ranges, Layer::Guess, Layer::Sat];

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Layer::Constants => "constants",
            Layer::Sets => "sets",
            Layer::Ranges => "ranges",
            Layer::Guess => "guess",
            Layer::Sat => "sat",
        }
    }
}
