//! `--suite`: which suites are kept, from the flags.

use super::junit::version;
use crate::flags::Explore;
use evergreen_java::suite::JunitSources;
use evergreen_java::{MethodRef, Old, Program, SuiteOptions, Suites, misread};

/// Reads the suites of a program's classes, if some are kept, and returns the methods to explore.
pub fn open(
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
        sources: JunitSources { version: version(flags), misread: misread(program) },
    };
    let (suites, methods) = Suites::open(options, program, &methods)?;
    Ok((Some(suites), methods))
}
