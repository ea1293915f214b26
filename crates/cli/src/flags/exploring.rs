//! How a program is explored, as one value: `explore` reads it from flags, `diff` fills it from its own, a
//! job carries it to workers as JSON.
//!
//! A field that is skipped on the wire is the worker's or the submitter's own affair; its value there is the
//! one that `serde` is given. Adding a field without deciding that does not compile for long: tests take the
//! value apart field by field.

use super::choice::{by_name, one_of};
use super::{InputFlags, IntsFlag, OrderFlag};
use clap::{Args, Command, FromArgMatches};
use serde::{Deserialize, Serialize};

/// How a program is explored.
#[derive(Args, Serialize, Deserialize, Clone, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
pub struct Exploring {
    #[command(flatten)]
    pub inputs: InputFlags,
    /// Which open path goes on next
    #[arg(long, value_name = "ORDER", value_parser = one_of::<OrderFlag>(), default_value = "dfs")]
    #[arg(visible_alias = "frontier")]
    #[serde(skip, default = "depth_first")]
    pub order: OrderFlag,
    /// Seed of --order random
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[serde(skip)]
    pub seed: u64,
    /// How int and long are understood
    #[arg(long, value_name = "MEANING", value_parser = one_of::<IntsFlag>(), default_value = "exact")]
    pub ints: IntsFlag,
    /// The method of a class that says whether its objects are valid: boolean, without parameters
    #[arg(long, value_name = "NAME", default_value = "repOK")]
    pub rep_ok: String,
    /// Ask about every arm of every branch, also where the answer is known; for studies
    #[arg(long)]
    pub no_shortcuts: bool,
    /// Run the generated tests on the installed JVM [default: if there is one]
    #[arg(long, overrides_with = "no_replay")]
    #[serde(skip)]
    pub replay: bool,
    /// Do not run them
    #[arg(long)]
    #[serde(skip, default = "yes")]
    pub no_replay: bool,
}

by_name!(OrderFlag, IntsFlag);

/// Workers follow the submitter's parts.
fn depth_first() -> OrderFlag {
    OrderFlag::Dfs
}

/// Workers replay nothing.
fn yes() -> bool {
    true
}

/// What no flag says otherwise: the defaults stand at the flags and nowhere else.
impl Default for Exploring {
    fn default() -> Exploring {
        let command = Exploring::augment_args(Command::new("explore").no_binary_name(true));
        let matches = command.get_matches_from(std::iter::empty::<&str>());
        Exploring::from_arg_matches(&matches).unwrap_or_else(|e| e.exit())
    }
}
