//! The command that reproduces a finding, for every sink that prints it.

use crate::again::{self, Given};
use crate::flags::{Explore, IntsFlag};
use evergreen_java::{Finding, MethodRef};

/// What the command is made of.
#[derive(Clone, Debug, Default)]
pub struct Again {
    given: Given,
    /// Whether integers are unbounded: then values cannot be repeated.
    is_math: bool,
}

impl Again {
    /// Of a run with these flags.
    pub fn new(flags: &Explore, given: &Given) -> Again {
        Again { given: given.clone(), is_math: flags.exploring.ints == IntsFlag::Math }
    }

    /// The command that reproduces one finding, and nothing else.
    pub fn of(&self, method: &MethodRef, finding: &Finding) -> String {
        // Concrete values wrap around: a finding that needs unbounded integers is reproduced by exploring the
        // method.
        let inputs = match self.is_math {
            false => again::Inputs::Values(&finding.end.inputs),
            true => again::Inputs::AsGiven,
        };
        again::of_method(&self.given, method, inputs, &again::OF_FINDING)
    }
}
