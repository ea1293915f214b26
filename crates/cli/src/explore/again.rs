//! The command that reproduces a finding, for every sink that prints it.

use super::programs::{EntryOf, LanguageOf, Programs};
use crate::again::{Given, OF_FINDING, Reproduced};
use crate::flags::Explore;
use evergreen_service::Finding;
use evergreen_service::report::Again;

/// The command that reproduces one finding of a run with these flags, and nothing else.
pub(super) fn again<F: Programs>(flags: &Explore, given: &Given) -> Again<LanguageOf<F>> {
    let (given, is_reproduced) = (given.clone(), F::is_reproduced(&flags.exploring));
    Again::by(move |entry: &EntryOf<F>, finding: &Finding<LanguageOf<F>>| {
        let inputs = match is_reproduced {
            true => Reproduced::Values(&finding.end.inputs),
            false => Reproduced::AsGiven,
        };
        F::again(&given, entry, inputs, &OF_FINDING)
    })
}
