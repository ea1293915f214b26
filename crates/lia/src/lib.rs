//! A fast, exact decision procedure for conjunctions of linear integer constraints.

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

pub use answer::{Answer, solve};
pub use certificate::{Certificate, Part, Step};
pub use check::{MAX_WORK, check};
pub use effort::Effort;
pub use flaw::{Flaw, Why};
pub use row::{Op, Row, Var};
pub use solver::{Counts, Solver, Verdict};
