//! `evergreen-lab bench`: what reuse saves and what it costs.

mod bare;
mod bits;
mod bits_solvers;
mod boogie;
mod c;
mod count;
mod count_latte;
mod count_shapes;
mod count_stored;
mod explore;
mod growth;
mod growth_engine;
mod growth_fit;
mod growth_plot;
mod growth_queries;
mod hits;
mod jobs;
mod paths;
mod reading;
mod reuse;
mod samples;
mod shim_start;
mod stream;
mod streams;
mod warm_solvers;
mod workload;

pub(crate) use paths::Random;

use crate::flags::{BenchTask, BenchVerb};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Runs one verb.
pub(crate) fn task(task: &BenchTask) -> Result<ExitCode, String> {
    match &task.verb {
        BenchVerb::Bits(flags) => bits::run(flags, task.json),
        BenchVerb::Streams(flags) => streams::run(flags, task.json),
        BenchVerb::Reading(flags) => reading::run(flags, task.json),
        BenchVerb::Reuse(flags) => reuse::run(flags, task.json),
        BenchVerb::Growth(flags) => growth::run(flags, task.json),
        BenchVerb::Count(flags) => count::run(flags, task.json),
        BenchVerb::Explore(flags) => explore::run(flags, task.json),
        BenchVerb::C(flags) => c::run(flags, task.json),
        BenchVerb::Jobs(flags) => jobs::run(flags, task.json),
    }
}

/// Writes the sources of a benchmark into a folder.
fn write_sources(folder: &Path, sources: &[(&str, &str)]) -> Result<Vec<PathBuf>, String> {
    std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let write = |(name, text): &(&str, &str)| {
        let file = folder.join(name);
        std::fs::write(&file, text).map_err(|e| format!("{}: {e}", file.display()))?;
        Ok(file)
    };
    sources.iter().map(write).collect()
}
