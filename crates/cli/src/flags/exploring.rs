//! How a program is explored, as one value: `explore` reads it from flags, `diff` fills it from its own, and
//! a job carries it to workers as JSON.
//!
//! A field with `serde(skip)` does not travel: the worker has the default that is named there. Tests take the
//! value apart without `..`, so that a new field cannot be forgotten.

use super::choice::{by_name, one_of};
use super::{InputFlags, IntsFlag, MergeFlag, OrderFlag};
use clap::{Args, Command, FromArgMatches};
use serde::{Deserialize, Serialize};

/// How a program is explored.
#[derive(Args, Serialize, Deserialize, Clone, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Exploring {
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
    /// Whether states are merged where the arms of a branch meet again: fewer paths, with conditional values
    #[arg(long, value_name = "WHEN", value_parser = one_of::<MergeFlag>(), default_value = "auto")]
    #[serde(skip, default = "path_by_path")]
    pub merge: MergeFlag,
    /// Run the generated tests on the installed JVM [default: if there is one]
    #[arg(long, overrides_with = "no_replay")]
    #[serde(skip)]
    pub replay: bool,
    /// Do not run them
    #[arg(long)]
    #[serde(skip, default = "yes")]
    pub no_replay: bool,
}

by_name!(OrderFlag, IntsFlag, MergeFlag);

/// Workers follow the submitter's parts.
fn depth_first() -> OrderFlag {
    OrderFlag::Dfs
}

/// Workers share paths by their arms.
fn path_by_path() -> MergeFlag {
    MergeFlag::Off
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

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::flags::{BoundFlags, CFlags};

    /// Each flag with a value that is not its default.
    pub(crate) const ALL: &str = "--concrete x=3 --range n=0..6 --assume a<b --main --sym-main \
        --depth 7 --loops 8 --paths 10 --steps 9 \
                           --time 5s --memory 1G --non-null --array-length 9 \
                           --input-length 5 --nesting 4 --answers 5 --chars 32..126 --heap bliss --scope 4 \
                           --scope Node=6 --invariant Tree.inv --order bfs --seed 3 --ints math --rep-ok \
                           valid \
                           --no-shortcuts --no-replay \
                           --sym-arg 3 --sym-args 0 2 4 --arg x --sym-stdin 6 --sym-file A:8 \
                           --file Cargo.toml --sym-env HOME:4 --env LANG=C --cc clang-19 \
                           --cc-arg -DSTRICT -I include --ub --no-libc-models --no-memory-checks --leaks \
                           --no-sampling --merge on";

    /// The fields, and whether each has a value that is not its default. Taken apart without `..`: a field
    /// that is added has to be named here, and given in [`ALL`].
    pub(crate) fn given(exploring: &Exploring) -> Vec<(&'static str, bool)> {
        let plain = Exploring::default();
        macro_rules! differ {
            ($($field:ident of $was:expr),* $(,)?) => {
                vec![$((stringify!($field), *$field != $was.$field)),*]
            };
        }
        let Exploring { inputs, order, seed, ints, rep_ok, no_shortcuts, merge, replay, no_replay } =
            exploring;
        let InputFlags {
            concrete,
            range,
            assume,
            bounds,
            non_null,
            main,
            sym_main,
            array_length,
            input_length,
            nesting,
            answers,
            chars,
            heap,
            scope,
            invariant,
            c,
        } = inputs;
        let CFlags {
            argv,
            sym_stdin,
            stdin,
            sym_file,
            file,
            sym_env,
            env,
            cc,
            cc_arg,
            include,
            ub,
            no_libc_models,
            no_memory_checks,
            leaks,
            no_sampling,
        } = c;
        let BoundFlags { depth, loops, paths, steps, time, memory } = bounds;
        let mut all = differ!(
            order of plain,
            seed of plain,
            ints of plain,
            rep_ok of plain,
            no_shortcuts of plain,
            merge of plain,
        );
        // One of the two flags can be given.
        all.push(("replay", *replay || *no_replay));
        all.push(("stdin", stdin.is_some() || sym_stdin.is_some()));
        all.extend(differ!(
            concrete of plain.inputs,
            range of plain.inputs,
            assume of plain.inputs,
            non_null of plain.inputs,
            main of plain.inputs,
            sym_main of plain.inputs,
            array_length of plain.inputs,
            input_length of plain.inputs,
            nesting of plain.inputs,
            answers of plain.inputs,
            chars of plain.inputs,
            heap of plain.inputs,
            scope of plain.inputs,
            invariant of plain.inputs,
            depth of plain.inputs.bounds,
            loops of plain.inputs.bounds,
            paths of plain.inputs.bounds,
            steps of plain.inputs.bounds,
            time of plain.inputs.bounds,
            memory of plain.inputs.bounds,
            argv of plain.inputs.c,
            sym_file of plain.inputs.c,
            file of plain.inputs.c,
            sym_env of plain.inputs.c,
            env of plain.inputs.c,
            cc of plain.inputs.c,
            cc_arg of plain.inputs.c,
            include of plain.inputs.c,
            ub of plain.inputs.c,
            no_libc_models of plain.inputs.c,
            no_memory_checks of plain.inputs.c,
            leaks of plain.inputs.c,
            no_sampling of plain.inputs.c,
        ));
        all
    }
}
