//! A fast, exact decision procedure for conjunctions of linear integer constraints.
//!
//! A constraint is a [`Row`], `sum of coefficient * variable + constant op 0` with op one of `=`, `!=`, `<=`.
//! A [`Solver`] keeps a stack of them, as a path condition grows and shrinks, and answers at each branch:
//! with a model that was evaluated on every row, or with a core of rows that contradict each other and a
//! [`Certificate`] of it that [`check`] accepts. It never guesses: a query that takes more than the
//! [`Effort`] (counted in steps, so the same everywhere) is [`Verdict::Unknown`].
//!
//! ```
//! use evergreen_lia::{Op, Row, Solver, Verdict, check};
//!
//! let mut solver = Solver::new();
//! let below = Row { op: Op::Le, terms: vec![(0, 1), (1, -1)], constant: 1 }; // x < y
//! let twice = Row { op: Op::Eq, terms: vec![(0, 2), (1, -1)], constant: 0 }; // y = 2x
//! solver.assert(&below);
//! solver.assert(&twice);
//! assert_eq!(solver.check(), Verdict::Sat);
//! assert!(solver.value(0) < solver.value(1));
//!
//! solver.push();
//! let small = Row { op: Op::Le, terms: vec![(1, 1)], constant: -1 }; // y <= 1
//! assert_eq!(solver.holds(&small), Some(false)); // not in this model ...
//! solver.assert(&small);
//! assert_eq!(solver.check(), Verdict::Unsat); // ... and in no other
//! assert_eq!(solver.core(), [0, 1, 2]);
//! let certificate = solver.certificate().expect("within the effort");
//! assert_eq!(check(&[below, twice, small], &certificate), Ok(()));
//!
//! solver.pop();
//! assert_eq!(solver.check(), Verdict::Sat);
//! ```
//!
//! `solver.rs` describes the path of a query. The files: rows in order of assertion (`stack.rs`), forms
//! by number (`quantity.rs`), bounds with a trail (`state.rs`), moves of single variables (`repair.rs`),
//! the tableau (`tableau.rs`, `simplex.rs`, `optimum.rs`), few case splits (`search.rs`), and the
//! reference that also writes proofs (`thorough.rs`, `lattice.rs`, `proof.rs`). The checker (`check.rs`)
//! shares no code with any of them.

mod answer;
mod certificate;
mod check;
mod effort;
mod encode;
mod flaw;
mod lattice;
mod number;
mod optimum;
mod proof;
mod quantity;
mod repair;
mod row;
mod search;
mod simplex;
mod solver;
mod stack;
mod state;
mod tableau;
mod thorough;

pub use answer::{Answer, Counts, Verdict, solve};
pub use certificate::{Certificate, Part, Step};
pub use check::{MAX_WORK, check};
pub use effort::Effort;
pub use flaw::{Flaw, Why};
pub use row::{Op, Row, Var};
pub use solver::Solver;
