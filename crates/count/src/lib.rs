//! Exact numbers of solutions of linear integer constraints.
//!
//! A [`Problem`] is a conjunction of rows (`=`, `!=`, `<=`) over integer variables with domains; [`count`]
//! returns the number of its solutions. The number is exact, whatever its size; out of [`Budget`] the result
//! is bounds that hold, or nothing.
//!
//! ```
//! use evergreen_count::{Budget, Count, Domain, Problem, Relation, count};
//!
//! let mut problem = Problem::new();
//! let x = problem.variable(Domain::new(0, 999));
//! let y = problem.variable(Domain::new(0, 9));
//! problem.row(&[(x, 1), (y, -1)], 0, Relation::Le); // x <= y
//! problem.row(&[(x, 1)], -5, Relation::Ne); // x != 5
//! assert_eq!(count(&problem, Budget::default()), Count::Exact(50u32.into()));
//! ```
//!
//! `counter.rs` shows the whole algorithm on one screen. The files: bands (`system.rs`, `range.rs`), rules
//! that keep the number (`simplify.rs`, `reach.rs`), independent parts (`parts.rs`), sums of floors for two
//! variables (`polygon.rs`), Barvinok's generating functions for more (`barvinok.rs`), bounds (`bounds.rs`),
//! variables without ends (`ends.rs`), known counts (`memo.rs`) by canonical form (`form.rs`), both arms of a
//! branch for one count (`path.rs`), and exact shares (`ratio.rs`).

mod barvinok;
mod bounds;
mod component;
mod counter;
mod ends;
mod form;
mod memo;
mod number;
mod parts;
mod path;
mod polygon;
mod problem;
mod range;
mod ratio;
mod reach;
mod simplify;
mod system;
mod tally;

pub use component::{Counter, count_by};
pub use counter::{Statistics, count, count_with};
pub use memo::{Memo, Rank};
pub use path::{Arms, Path, complement};
pub use problem::{Budget, Confidence, Count, Domain, Problem, Relation, Row, Var};
pub use ratio::Ratio;
