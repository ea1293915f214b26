//! Flags of `explore` for suites that are kept.

use super::choice::one_of;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Flags for a suite that is kept from one version of the program to the next.
#[derive(Args, Clone, Default, PartialEq, Debug)]
pub(crate) struct SuiteFlags {
    /// Keep the tests in this folder: made by the first run, updated by later ones (docs/suite-format.md)
    #[arg(long, value_name = "DIR")]
    pub suite: Option<PathBuf>,
    /// Which paths have tests in the suite
    #[arg(long, value_name = "SIZE", requires = "suite", value_parser = one_of::<SizeFlag>())]
    #[arg(default_value = "branches")]
    pub suite_size: SizeFlag,
    /// Treat an arm that no old test takes as infeasible where the old tests did not change; may miss paths
    #[arg(long, requires = "suite")]
    pub trust_old_infeasible: bool,
    /// Explore only from the path of one test of the suite up to, not including, that of another; an end may
    /// be empty
    #[arg(long, value_name = "TEST,TEST", requires = "suite", value_parser = between)]
    pub between: Option<(String, String)>,
}

/// Which paths have tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub(crate) enum SizeFlag {
    /// As few as take all branches both ways and end in all failures; tests that are there stay while they
    /// add something
    #[default]
    Branches,
    /// All of them
    Paths,
}

/// Two tests.
fn between(text: &str) -> Result<(String, String), String> {
    match text.split_once(',') {
        Some((from, to)) if !(from.trim().is_empty() && to.trim().is_empty()) => {
            Ok((from.trim().into(), to.trim().into()))
        }
        _ => Err("write two tests of the suite with a comma between them, or one beside the comma".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_has_one_end_at_least() {
        assert_eq!(between("a, Mid.b"), Ok(("a".into(), "Mid.b".into())));
        assert_eq!(between("a,"), Ok(("a".into(), String::new())));
        assert!(between(",").is_err() && between("a").is_err());
    }
}
