//! A small CDCL solver for propositional clauses, which starts fast and writes proofs.
//!
//! ```
//! use evergreen_bits::lrat::{Cnf, check};
//! use evergreen_bits::sat::{Budget, Logging, Outcome, Solver};
//!
//! let mut solver = Solver::new(Logging::Lrat);
//! let (x, y) = (solver.new_var().positive(), solver.new_var().positive());
//! solver.add_clause(&[x, y]);
//! solver.add_clause(&[!x, y]);
//! assert_eq!(solver.solve(&[], &mut Budget::default()), Outcome::Sat);
//! assert_eq!(solver.value(y.var()), Some(true));
//!
//! assert_eq!(solver.solve(&[x, !y], &mut Budget::default()), Outcome::Unsat); // under assumptions
//! assert_eq!(solver.core(), [!y, x]);
//!
//! solver.add_clause(&[!y]);
//! assert_eq!(solver.solve(&[], &mut Budget::default()), Outcome::Unsat);
//! let clauses: Cnf = [vec![x, y], vec![!x, y], vec![!y]].into_iter().collect();
//! assert_eq!(check(&clauses, &solver.proof().unwrap()), Ok(()));
//! ```
//!
//! # What queries are like
//! A blasted query has thousands of clauses of two or three literals, and few conflicts: a prototype
//! counted at most 275 in each of 17,785 recorded ones, none or one in the median. So creating, feeding and
//! one descent to a model is what costs, and the solver is built for it:
//! - Clauses lie in one vector, lists in one pool each, and a fresh solver counts before it fills
//!   (`lists.rs`). [`Solver::clear`] keeps all memory. Adding a clause only copies it; the rest happens in
//!   [`Solver::solve`].
//! - Clauses of up to three literals are in the lists of all their literals and never move (`propagate.rs`).
//! - Decisions come from a list, not from a heap, inputs before gates (`queue.rs`): once inputs are decided
//!   propagation does the rest. Gates before inputs needed 45,422 conflicts in place of none on 100 hashes,
//!   and was slower in five of seven shapes; chains of comparisons were a third faster.
//! - Proofs cost only where a conflict is resolved (`chain.rs`).
//!
//! The rest is standard: first unique implication points with minimization (`analyze.rs`), saved phases
//! [Pipatsrisawat, Darwiche SAT'07], Luby restarts, two watched literals for long clauses, forgetting of
//! learned clauses (`reduce.rs`).
//!
//! # What is left out
//! No pre- or inprocessing (elimination, subsumption, vivification): a query is over before it pays, and
//! proofs would need more than hints. No restarts by the quality of learned clauses: between units of 16
//! and of 256 conflicts times differ by up to 15% in both directions, and by a third in one shape. No reuse
//! of the trail between questions with the same first assumptions: new clauses come with nearly every
//! question. No threads, clocks or random numbers: the same calls give the same answers, models and proofs
//! on every machine.
//!
//! # Measured
//! `examples/sat_speed.rs`, 100 queries of each shape, microseconds of processor time for a query from
//! creating to dropping, one run on a busy machine:
//!
//! | shape | clauses | batsat | fresh | cleared | with proofs | conflicts | batsat's |
//! |---|---|---|---|---|---|---|---|
//! | chains of comparisons | 10,683 | 2,736 | 1,028 | 1,016 | 1,049 | 135 | 160 |
//! | the same, unsatisfiable | 10,941 | 1,705 | 966 | 927 | 1,010 | 220 | 184 |
//! | sums of bytes | 1,907 | 309 | 183 | 176 | 183 | 54 | 46 |
//! | reads of a table | 5,716 | 878 | 312 | 300 | 302 | 33 | 57 |
//! | bounds of bytes | 9,067 | 1,359 | 532 | 512 | 519 | 38 | 62 |
//! | products of small words | 1,021 | 297 | 220 | 212 | 242 | 39 | 40 |
//! | hashes | 26,384 | 12,353 | 719 | 682 | 686 | 0 | 473 |
mod analyze;
mod arena;
mod chain;
mod lists;
mod lit;
mod propagate;
mod queue;
mod reduce;
mod solver;
mod trail;

pub use lit::{Lit, Var};
pub use solver::Solver;

/// Whether a solver writes proofs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Logging {
    /// No proofs.
    Off,
    /// Each learned clause with its hints.
    Lrat,
}

/// The answer to a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// There is a model: [`Solver::value`].
    Sat,
    /// There is none: [`Solver::core`], [`Solver::proof`].
    Unsat,
    /// The budget is spent.
    Spent,
}

/// How much a question may cost. Both are counted, not timed, so an answer is the same on every machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// Conflicts that may still be resolved. A question without conflicts needs none.
    pub conflicts: u64,
    /// Steps of propagation that may still be taken: literals, and entries of their lists. They are looked at
    /// between propagations, so a little more may be taken.
    pub steps: u64,
}

impl Budget {
    /// No bound: for tests and tools.
    pub const UNBOUNDED: Budget = Budget { conflicts: u64::MAX, steps: u64::MAX };
}

/// A prototype decided each of 17,785 recorded queries within 300 conflicts. The steps are for queries
/// whose propagation is what costs, such as divisions of 64 bits: at 5 to 15 ns a step they end within 25
/// to 75 ms.
impl Default for Budget {
    fn default() -> Self {
        Budget { conflicts: 300, steps: 5_000_000 }
    }
}
