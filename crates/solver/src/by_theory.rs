//! The solver for a problem by its theory: floating point goes to the program that is best at it.
//!
//! Measured: bitwuzla decides `5.0 < Math.sqrt(x)` and `c / d < a + b` over doubles in 0.05 s, z3 not in 10.
//! Neither is always first, so they take turns: each with a tenth of the time, then each with all of it. All
//! other problems go to the general solver.

use crate::command::Command;
use crate::error::SolverError;
use crate::limits::Limits;
use crate::pipe_solver::PipeSolver;
use crate::problem::{Outcome, Problem, Solver, Verdict};

/// Programs that know floating point, the best one first.
const FLOATS: [&str; 2] = ["bitwuzla", "cvc5"];
/// The first turn of each has this part of the time.
const FIRST_TURN: u64 = 10;
/// The first turn when the time is not limited.
const FIRST_MS: u64 = 2_000;

/// A general solver, and one for floating point.
pub struct ByTheory {
    general: PipeSolver,
    /// In the order of their turns: floats, general, floats again.
    turns: Vec<PipeSolver>,
}

impl ByTheory {
    /// A general solver, beside the best installed one for floating point, which need not be there.
    pub fn new(general: PipeSolver, limits: &Limits) -> ByTheory {
        let own = general.command().map(|command| command.kind);
        let found = FLOATS.iter().filter_map(|name| Command::for_name(name).ok());
        let floats = found.into_iter().find(|command| Some(command.kind) != own);
        let short_ms = limits.time_ms.map_or(FIRST_MS, |all| (all / FIRST_TURN).max(1));
        let short = Limits { time_ms: Some(short_ms), ..limits.clone() };
        let turns = match (floats, general.command()) {
            (Some(floats), Some(command)) if !command.is_none() => vec![
                PipeSolver::new(floats.clone(), short.clone()),
                PipeSolver::new(command.clone(), short),
                PipeSolver::new(floats, limits.clone()),
            ],
            _ => Vec::new(),
        };
        ByTheory { general, turns }
    }

    /// The first answer; the general solver has the last turn.
    fn in_turn(
        &mut self,
        problem: &Problem,
        ask: impl Fn(&mut PipeSolver, &Problem) -> Result<Outcome, SolverError>,
    ) -> Result<Outcome, SolverError> {
        if has_floats(problem) {
            for solver in &mut self.turns {
                // One that fails or refuses leaves the problem to the next.
                match ask(solver, problem) {
                    Ok(outcome) if !matches!(outcome.verdict, Verdict::Unknown(_)) => return Ok(outcome),
                    _ => {}
                }
            }
        }
        ask(&mut self.general, problem)
    }
}

/// Whether a problem is about floating point: a sort or an operation of that theory is in it.
fn has_floats(problem: &Problem) -> bool {
    let is_float =
        |text: &str| text.contains("fp.") || text.contains("FloatingPoint") || text.contains("to_fp");
    is_float(&problem.declarations) || problem.constraints.iter().any(|text| is_float(text))
}

impl Solver for ByTheory {
    fn describe(&self) -> String {
        self.general.describe()
    }

    fn check(&mut self, problem: &Problem) -> Result<Outcome, SolverError> {
        self.in_turn(problem, |solver, problem| solver.check(problem))
    }

    fn check_apart(&mut self, problem: &Problem) -> Result<Outcome, SolverError> {
        self.in_turn(problem, |solver, problem| solver.check_apart(problem))
    }

    fn command(&self) -> Option<&Command> {
        self.general.command()
    }

    fn starts(&self) -> u64 {
        self.general.starts() + self.turns.iter().map(Solver::starts).sum::<u64>()
    }
}
