//! A fast, exact decision procedure for conjunctions of linear integer constraints.

mod certificate;
mod row;

pub use certificate::{Certificate, Part, Step};
pub use row::{Op, Row, Var};
