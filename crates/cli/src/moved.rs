//! Tasks that earlier releases had: each names the program that has it now.
//!
//! They are looked for before the command line is parsed, so that help, completions and the manual page know
//! nothing of them. This file goes with the release after the next.

use crate::shell::quoted;
use std::ffi::OsString;

/// The tasks that are experiments.
const EXPERIMENTS: [&str; 3] = ["study", "bench", "mutate"];

/// What to run instead, if the arguments (without the program) are those of an experiment.
pub(crate) fn to_lab(args: impl Iterator<Item = OsString>) -> Option<String> {
    let args: Vec<OsString> = args.collect();
    let task = args.first()?.to_str().filter(|task| EXPERIMENTS.contains(task))?;
    let words: Vec<String> = args.iter().map(quoted).collect();
    Some(format!(
        "{task}: this is a task of the program evergreen-lab\nhelp: evergreen-lab {}",
        words.join(" ")
    ))
}
