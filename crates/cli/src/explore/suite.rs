//! `--suite`: which suites are kept. `--tests`: which are read.

use super::programs::{EntryOf, LanguageOf, Programs};
use crate::flags::{Explore, SizeFlag};
use evergreen_service::{Keeping, Old, SuiteOptions, SuiteSize, Suites};

/// Suites, if some are kept, and the entries to explore.
type Opened<F> = (Option<Suites<LanguageOf<F>>>, Vec<EntryOf<F>>);

/// Reads the suites of a program's units, if some are kept, and returns the entries to explore.
pub(super) fn open<F: Programs>(
    flags: &Explore,
    program: &F::Program,
    entries: Vec<EntryOf<F>>,
) -> Result<Opened<F>, String> {
    let (folder, keeping) = match (&flags.suite.suite, &flags.concolic.tests) {
        (Some(folder), _) => (folder, Keeping::Updated),
        (None, Some(folder)) => (folder, Keeping::Read),
        (None, None) => return Ok((None, entries)),
    };
    if flags.suite.trust_old_infeasible && flags.suite.suite_size != SizeFlag::Paths {
        return Err(
            "--trust-old-infeasible takes an arm without a test for infeasible, and the suite has not \
             all of them\nhelp: keep a test for each path with --suite-size paths"
                .into(),
        );
    }
    let options = SuiteOptions {
        folder: folder.clone(),
        old: match flags.suite.trust_old_infeasible {
            true => Old::TrustInfeasible,
            false => Old::TrustNothing,
        },
        is_whole: flags.method.is_none() && keeping == Keeping::Updated,
        between: flags.suite.between.clone(),
        size: match flags.suite.suite_size {
            SizeFlag::Branches => SuiteSize::Branches,
            SizeFlag::Paths => SuiteSize::Paths,
        },
        sources: F::sources(program, flags),
        keeping,
    };
    let (suites, entries) = Suites::open(options, program, &entries)?;
    Ok((Some(suites), entries))
}
