//! The solver program that a builder names; in a build without processes, one that answers nothing.

use crate::Error;
use evergreen_reuse::Reuse;
use evergreen_solver::{Limits, Solver};

/// The program of a command line. It is neither looked for nor started before something has to be solved.
#[cfg(feature = "processes")]
pub(crate) fn program(command: &str, limits: Limits, reuse: Reuse) -> Result<Box<dyn Solver>, Error> {
    use evergreen_solver::{Command, PipeSolver, SolverError};
    let command = Command::parse_for_later(command)?;
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
pub(crate) fn program(_: &str, _: Limits, _: Reuse) -> Result<Box<dyn Solver>, Error> {
    use evergreen_solver::{Outcome, Problem, SolverError};
    struct Absent;
    impl Solver for Absent {
        fn describe(&self) -> String {
            "no solver".to_string()
        }
        fn check(&mut self, _: &Problem) -> Result<Outcome, SolverError> {
            Err(SolverError::NotBuilt)
        }
        fn starts(&self) -> u64 {
            0
        }
    }
    Ok(Box::new(Absent))
}
