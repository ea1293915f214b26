//! A self-contained question in SMT-LIB text, its outcome, and the trait of everything that can answer it.

use std::time::Duration;

use crate::command::Command;
use crate::error::SolverError;

/// A conjunction of constraints and the requests to the solver besides the verdict.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Problem {
    /// Options as keyword and value, such as `:smt.arith.solver 2`. Those that would change the shape of
    /// answers or the scope of declarations (`:print-success`, `:global-declarations`, output channels) have
    /// no effect; `:produce-models` and `:produce-unsat-cores` are set as needed.
    pub options: Vec<String>,
    /// The logic to name; the solver's general one when absent.
    pub logic: Option<String>,
    /// Commands that declare and define what the constraints use.
    pub declarations: String,
    /// The constraints, one term each.
    pub constraints: Vec<String>,
    /// The terms whose values are wanted when the constraints are satisfiable.
    pub values: Vec<String>,
    /// Whether an unsatisfiable core is wanted.
    pub want_core: bool,
}

/// Whether the constraints can hold together.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// They can.
    Sat,
    /// They cannot.
    Unsat,
    /// The solver does not know, and why: its own reason, or `timeout`, or `memout`.
    Unknown(String),
}

/// A solver's answer to a [`Problem`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The verdict.
    pub verdict: Verdict,
    /// The text of each requested value, in order; `None` when there is no model or the
    /// solver would not give them.
    pub values: Option<Vec<String>>,
    /// Indices (ascending) of constraints that cannot hold together; `None` when none was wanted or given.
    pub core: Option<Vec<usize>>,
    /// How long the solver took.
    pub elapsed: Duration,
}

/// Something that answers problems.
pub trait Solver: Send {
    /// Its name and arguments, for messages and records.
    fn describe(&self) -> String;

    /// Answers one problem. Limits that are reached are an `Unknown`; errors are for a
    /// solver that fails or refuses.
    fn check(&mut self, problem: &Problem) -> Result<Outcome, SolverError>;

    /// Answers one problem from a clean state: earlier problems do not influence the
    /// returned values. Takes longer.
    fn check_apart(&mut self, problem: &Problem) -> Result<Outcome, SolverError> {
        self.check(problem)
    }

    /// The command that answers, if it is one: its options may say what problems mean. A solver that wraps
    /// another one returns the inner solver's command.
    fn command(&self) -> Option<&Command> {
        None
    }

    /// How many processes have been started so far.
    fn starts(&self) -> u64;
}
