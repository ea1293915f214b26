//! `--suite`: which suites are kept.

use super::programs::{EntryOf, LanguageOf, Programs};
use crate::flags::Explore;
use evergreen_service::{Old, SuiteOptions, Suites};

/// Suites, if some are kept, and the entries to explore.
type Opened<F> = (Option<Suites<LanguageOf<F>>>, Vec<EntryOf<F>>);

/// Reads the suites of a program's units, if some are kept, and returns the entries to explore.
pub(super) fn open<F: Programs>(
    flags: &Explore,
    program: &F::Program,
    entries: Vec<EntryOf<F>>,
) -> Result<Opened<F>, String> {
    let Some(folder) = &flags.suite.suite else { return Ok((None, entries)) };
    let options = SuiteOptions {
        folder: folder.clone(),
        old: match flags.suite.trust_old_infeasible {
            true => Old::TrustInfeasible,
            false => Old::TrustNothing,
        },
        is_whole: flags.method.is_none(),
        between: flags.suite.between.clone(),
        sources: F::sources(program, flags),
    };
    let (suites, entries) = Suites::open(options, program, &entries)?;
    Ok((Some(suites), entries))
}
