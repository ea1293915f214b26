//! SMT solvers as child processes over pipes.
//!
//! This crate knows SMT-LIB *text* only: no terms, no stores, no reuse. Two layers:
//!
//! - [`Process`]: one running solver. `tell` sends commands, `ask` sends commands and returns
//!   everything the solver printed for them. Time and memory limits, no zombie, no orphan, every
//!   failure a typed [`SolverError`].
//! - [`Solver`]: a self-contained [`Problem`] in, an [`Outcome`] out. [`PipeSolver`] implements it with
//!   long-lived processes, push and pop.
//!
//! ```no_run
//! # #[cfg(feature = "processes")] {
//! use evergreen_solver::{Command, Limits, PipeSolver, Problem, Solver, Verdict};
//!
//! let mut solver = PipeSolver::new(Command::for_name("z3")?, Limits::default());
//! let outcome = solver.check(&Problem {
//!     logic: Some("QF_LIA".into()),
//!     declarations: "(declare-const x Int)".into(),
//!     constraints: vec!["(> x 41)".into(), "(< x 43)".into()],
//!     values: vec!["x".into()],
//!     ..Problem::default()
//! })?;
//! assert_eq!(outcome.verdict, Verdict::Sat);
//! assert_eq!(outcome.values, Some(vec!["42".to_string()]));
//! # }
//! # Ok::<(), evergreen_solver::SolverError>(())
//! ```
//!
//! Unix only. Writing to a solver that has died must not kill us: the program has to ignore `SIGPIPE`, which
//! Rust programs do unless they ask otherwise.
//!
//! # Features
//! `processes`, on by default, runs solvers: [`Process`], [`PipeSolver`]. Without it the crate has no
//! dependency and keeps what a caller's own [`Solver`] needs: problems, outcomes, commands, options, errors,
//! and reading answers.

pub mod answer;
#[cfg(feature = "processes")]
mod batch;
#[cfg(feature = "processes")]
mod bulk;
#[cfg(feature = "processes")]
mod by_theory;
mod chain;
#[cfg(feature = "processes")]
mod child;
mod command;
mod error;
#[cfg(feature = "processes")]
mod interrupt;
#[cfg(feature = "processes")]
mod kept_stack;
mod limits;
mod options;
#[cfg(feature = "processes")]
mod pipe_solver;
#[cfg(feature = "processes")]
mod pipes;
mod problem;
#[cfg(feature = "processes")]
mod process;

#[cfg(feature = "processes")]
pub use batch::Batch;
#[cfg(feature = "processes")]
pub use by_theory::ByTheory;
pub use chain::{Circle, mark};
pub use command::{Command, Kind, find_program};
pub use error::{Death, SolverError};
#[cfg(feature = "processes")]
pub use interrupt::{interrupt_waited, interruptions};
pub use limits::Limits;
pub use options::{Dialect, is_word};
#[cfg(feature = "processes")]
pub use pipe_solver::PipeSolver;
pub use problem::{Outcome, Problem, Solver, Verdict};
#[cfg(feature = "processes")]
pub use process::{Mode, Process};
