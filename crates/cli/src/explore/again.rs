//! The command that reproduces a finding, for every sink that prints it.

use crate::again::{self, Given};
use crate::flags::{Explore, IntsFlag};
use evergreen_java::report::Again;
use evergreen_java::{Finding, Java, MethodRef};

/// The command that reproduces one finding of a run with these flags, and nothing else.
pub(super) fn again(flags: &Explore, given: &Given) -> Again<Java> {
    let (given, is_math) = (given.clone(), flags.exploring.ints == IntsFlag::Math);
    Again::by(move |method: &MethodRef, finding: &Finding| {
        // Concrete values wrap around: a finding that needs unbounded integers is reproduced by exploring the
        // method.
        let inputs = match is_math {
            false => again::Inputs::Values(&finding.end.inputs),
            true => again::Inputs::AsGiven,
        };
        again::of_method(&given, method, inputs, &again::OF_FINDING)
    })
}
