//! A fast, exact decision procedure for conjunctions of linear integer constraints.

mod certificate;
mod check;
mod encode;
mod flaw;
mod row;

pub use certificate::{Certificate, Part, Step};
pub use check::{MAX_WORK, check};
pub use flaw::{Flaw, Why};
pub use row::{Op, Row, Var};
