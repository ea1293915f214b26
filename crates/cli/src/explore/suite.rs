//! `--suite` and `--junit`: which suites are kept, and which sources are written.

use crate::flags::{Explore, JunitFlag};
use evergreen_java::replay::Junit;
use evergreen_java::suite::JunitSources;
use evergreen_java::{MethodRef, Old, Program, SuiteOptions, Suites, misread};

/// Reads the suites of a program's classes, if some are kept, and returns the methods to explore.
pub(super) fn open(
    flags: &Explore,
    program: &Program,
    methods: Vec<MethodRef>,
) -> Result<(Option<Suites>, Vec<MethodRef>), String> {
    let Some(folder) = &flags.suite.suite else { return Ok((None, methods)) };
    let options = SuiteOptions {
        folder: folder.clone(),
        old: match flags.suite.trust_old_infeasible {
            true => Old::TrustInfeasible,
            false => Old::TrustNothing,
        },
        is_whole: flags.method.is_none(),
        between: flags.suite.between.clone(),
        sources: sources(flags, program),
    };
    let (suites, methods) = Suites::open(options, program, &methods)?;
    Ok((Some(suites), methods))
}

/// How JUnit sources are written.
pub(super) fn sources(flags: &Explore, program: &Program) -> JunitSources {
    let version = match flags.junit {
        JunitFlag::Four => Junit::Four,
        JunitFlag::Five => Junit::Five,
    };
    JunitSources { version, misread: misread(program) }
}
