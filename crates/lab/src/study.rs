//! `evergreen-lab study`: every technique over the same streams of path queries, programs that make such
//! streams, and the papers' subjects by level of reuse.

mod baseline;
mod bliss;
mod c;
mod caching;
mod code;
mod counting;
mod counting_report;
mod explore;
mod explore_report;
mod explored;
mod file;
mod generate;
mod incremental;
mod jars;
mod ladder;
mod language;
mod link;
mod machine;
mod mutants;
mod path_text;
mod programs;
mod random_program;
mod replay;
mod report;
mod run;
mod stack_opt;
mod stream;
mod symbolic;
mod table;
mod technique;
mod wanted;

use crate::flags::{StudyTask, StudyVerb};
use std::process::ExitCode;

/// Runs one verb.
pub(crate) fn task(task: &StudyTask) -> Result<ExitCode, String> {
    match &task.verb {
        StudyVerb::Generate(flags) => generate::run(flags),
        StudyVerb::Streams(flags) => run::run(flags),
        StudyVerb::Explore(flags) => explore::run(flags),
        StudyVerb::Bliss(flags) => bliss::run(flags),
        StudyVerb::Counting(flags) => counting::run(flags),
        StudyVerb::Incremental(flags) => incremental::run(flags),
        StudyVerb::Mutants(flags) => mutants::run(flags),
        StudyVerb::C(flags) => c::run(flags),
        StudyVerb::Jars(flags) => jars::run(flags),
    }
}
