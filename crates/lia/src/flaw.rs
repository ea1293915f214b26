//! The checker's error for a certificate that it does not accept.

use crate::{MAX_WORK, Var};
use std::fmt;

/// Why a certificate proves nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flaw {
    /// The number of the step, from 0; the number of steps if one more was needed.
    pub step: usize,
    /// The kind of flaw.
    pub why: Why,
}

/// The flaw of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// There is no line of that number in this branch.
    NoLine(u32),
    /// The line is a `!=`, which cannot be added to another line.
    Disequality(u32),
    /// The line is a `<=` and its multiplier is not positive.
    Multiplier(u32),
    /// The sum still has this variable.
    Variable(Var),
    /// The sum has no variables but is true.
    True,
    /// The divisor is not positive or does not divide every coefficient.
    Divisor,
    /// The line is not a row `!=` of the query.
    NotApart(u32),
    /// The steps end while a case is open.
    Unfinished,
    /// Every case is closed, but there are more steps.
    Trailing,
    /// It would take more than [`MAX_WORK`].
    Work,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {}: ", self.step)?;
        match self.why {
            Why::NoLine(line) => write!(f, "there is no line {line} here"),
            Why::Disequality(line) => write!(f, "line {line} is a disequality and cannot be added"),
            Why::Multiplier(line) => write!(f, "the multiplier of inequality {line} is not positive"),
            Why::Variable(var) => write!(f, "variable {var} does not cancel"),
            Why::True => f.write_str("the sum is true"),
            Why::Divisor => f.write_str("the divisor does not divide all coefficients, or is not positive"),
            Why::NotApart(line) => write!(f, "line {line} is not a disequality of the query"),
            Why::Unfinished => f.write_str("a case is left open"),
            Why::Trailing => f.write_str("every case is closed already"),
            Why::Work => write!(f, "the certificate takes more than {MAX_WORK} units of work"),
        }
    }
}

impl std::error::Error for Flaw {}
