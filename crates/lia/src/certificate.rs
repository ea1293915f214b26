//! Proofs that a conjunction has no integer solution.
//!
//! A certificate works on numbered *lines*, each `sum + k <= 0` or `sum + k = 0`. Lines `0..n` are the rows
//! of the query (a row `!=` has its number, but only [`Step::Apart`] may use it); every derived or assumed
//! line gets the next number and is known in the rest of its branch. The steps are one tree, written in
//! preorder: after a split comes the whole proof of its first case, then that of its second, each with the
//! same first free number. Integers are unbounded.

use evergreen_term::Int;

/// A line and its multiplier: any number for an equality, a positive one for an inequality.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// The line.
    pub line: u32,
    /// Its multiplier.
    pub times: Int,
}

/// One step of a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// The combination has no variables left and is false, such as `3 <= 0`: this branch is closed.
    Close(Vec<Part>),
    /// The combination, divided by a positive number that divides all its coefficients, its constant rounded
    /// up, is a new line `<= 0`.
    Cut {
        /// The summands.
        sum: Vec<Part>,
        /// The divisor.
        divisor: Int,
    },
    /// Either `sum of terms <= at` or `sum of terms >= at + 1`: a new line in each case.
    Split {
        /// Variables with their coefficients.
        terms: Vec<(u32, Int)>,
        /// The largest value of the first case.
        at: Int,
    },
    /// The query's row of that number is `sum + k != 0`: either `sum + k + 1 <= 0` or `-(sum + k) + 1 <= 0`.
    Apart {
        /// The row.
        line: u32,
    },
}

/// A proof, in preorder.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Certificate {
    /// The steps.
    pub steps: Vec<Step>,
}
