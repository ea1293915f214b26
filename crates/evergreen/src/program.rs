//! The solver program that a builder names; in a build without processes, one that answers nothing.

use crate::Error;
use evergreen_reuse::Reuse;
use evergreen_solver::{Limits, Solver};

/// The program of a command line, or the installed one where none is given. It is not started before
/// something has to be solved.
#[cfg(feature = "processes")]
pub(crate) fn program(command: Option<&str>, limits: Limits, reuse: Reuse) -> Result<Box<dyn Solver>, Error> {
    use evergreen_solver::{Command, PipeSolver, SolverError};
    let command = command.map_or_else(|| Ok(Command::installed()), Command::parse_for_later)?;
    // Found out now, not as a solver that fails on every query.
    if let Err(circle @ SolverError::Circle { .. }) = command.file() {
        return Err(circle.into());
    }
    let solver = PipeSolver::new(command, limits);
    // Misses along a path begin alike: with everything else on, the solver keeps its stack too.
    Ok(Box::new(if reuse == Reuse::Full { solver.keeping_stack() } else { solver }))
}

/// Stands where a program would: what no rung decides is unknown, with the reason.
#[cfg(not(feature = "processes"))]
pub(crate) fn program(_: Option<&str>, _: Limits, _: Reuse) -> Result<Box<dyn Solver>, Error> {
    use evergreen_solver::{Command, Outcome, Problem, SolverError};
    struct Absent(Command);
    impl Solver for Absent {
        fn describe(&self) -> String {
            "no solver".to_string()
        }
        fn check(&mut self, _: &Problem) -> Result<Outcome, SolverError> {
            Err(SolverError::NotBuilt)
        }
        fn command(&self) -> Option<&Command> {
            Some(&self.0)
        }
        fn starts(&self) -> u64 {
            0
        }
    }
    Ok(Box::new(Absent(Command::none())))
}
