//! `evergreen-lab study`: every technique over the same streams of path queries, programs that make such
//! streams, and the papers' subjects by level of reuse.

pub(crate) mod baseline;
pub(crate) mod bliss;
mod c;
pub(crate) mod caching;
mod clients;
pub(crate) mod code;
mod concolic;
pub(crate) mod counting;
mod counting_report;
mod edits;
mod explore;
mod explore_report;
pub(crate) mod explored;
pub(crate) mod file;
mod folders;
mod generate;
mod incremental;
mod jars;
mod ladder;
pub(crate) mod language;
pub(crate) mod link;
mod machine;
pub(crate) mod mutants;
pub(crate) mod path_text;
mod programs;
mod random_program;
pub(crate) mod replay;
mod report;
mod run;
pub(crate) mod stack_opt;
pub(crate) mod stream;
pub(crate) mod symbolic;
pub(crate) mod table;
pub(crate) mod technique;
pub(crate) mod wanted;

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
        StudyVerb::Concolic(flags) => concolic::run(flags),
        StudyVerb::Edits(flags) => edits::run(flags),
        StudyVerb::Clients(flags) => clients::run(flags),
        StudyVerb::Folders(flags) => folders::run(flags),
        StudyVerb::Jars(flags) => jars::run(flags),
    }
}
