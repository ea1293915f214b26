//! The ladder: every way to answer without a solver, as one list in the order in which they are tried.
//!
//! [`LADDER`] is the only place that knows the order. [`Engine::answer`] walks it, regulation watches the
//! steps whose [`Cost`] is a search, statistics have a row for each [`Rung`], and the table in
//! ARCHITECTURE.md is [`table`]. A new rung is a variant of [`Rung`], a file in this folder and a line in the
//! list.
//!
//! A rung may have several lines, one for each place on the way of a query where it can answer: the native
//! core decides new constraints on a path, a part of a script before it has a key, and, below level full, a
//! part that nothing else answers. A path and a script never take each other's steps, so the order between
//! those is free.

mod bits;
mod cases;
mod core;
mod derived;
mod enumerated;
mod exact;
mod implied;
mod native;
mod nearby;
mod satisfied;
mod trivial;

pub use self::bits::model_of_bits;
pub(crate) use self::core::index_of;
pub(crate) use self::enumerated::count_terms;
pub(crate) use self::exact::{Applied, Fetched};

use crate::answer::Answer;
use crate::engine::{Engine, Found, Known, OnPath, Part, Reuse};
use crate::logic::Naming;
use evergreen_canon::Aside;
use evergreen_term::{Model, TermId, Terms};
use std::fmt::Write;

/// How an answer was found without solving.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Rung {
    /// Canonizing or reduction decided it.
    Trivial,
    /// The native core decided it.
    Native,
    /// The same key was recorded.
    Exact,
    /// An old model satisfies it.
    Satisfied,
    /// Its symbols have so few values that all were enumerated.
    Enumerated,
    /// A recorded satisfiable set implies it, or it implies a recorded unsatisfiable one.
    Implied,
    /// Several recorded unsatisfiable sets refute it together.
    Derived,
    /// The core of bit vectors decided it.
    Bits,
    /// The cores together decided it case by case, where there is no solver.
    Cases,
    /// Values near the old ones that the caller has of the path satisfy it.
    Nearby,
    /// It contains a recorded core.
    Core,
}

impl Rung {
    /// Every rung, in the order of the ladder: that of its first line in the list.
    pub const ALL: [Rung; Rung::Core as usize + 1] = [
        Rung::Trivial,
        Rung::Native,
        Rung::Exact,
        Rung::Satisfied,
        Rung::Enumerated,
        Rung::Implied,
        Rung::Derived,
        Rung::Bits,
        Rung::Cases,
        Rung::Nearby,
        Rung::Core,
    ];

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Rung::Trivial => "trivial",
            Rung::Native => "native",
            Rung::Exact => "exact",
            Rung::Satisfied => "satisfied",
            Rung::Enumerated => "enumerated",
            Rung::Implied => "implied",
            Rung::Derived => "derived",
            Rung::Bits => "bits",
            Rung::Cases => "cases",
            Rung::Nearby => "nearby",
            Rung::Core => "core",
        }
    }

    /// Whether its answers are decisions of a core in here, not something that was known.
    pub fn decides(self) -> bool {
        matches!(self, Rung::Native | Rung::Bits | Rung::Cases)
    }

    /// The name in reports of version 0.1, for readers of files that were written then.
    pub fn former_name(self) -> Option<&'static str> {
        match self {
            Rung::Enumerated => Some("tried"),
            Rung::Nearby => Some("varied"),
            _ => None,
        }
    }
}

/// What a step costs, hit or not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Cost {
    /// Nothing: slicing and canonizing know it anyway. Not measured.
    Nothing,
    /// A read of the store: one round trip for all parts of a query. Measured where the store is read.
    Read,
    /// Work that has a small bound. Measured, and always worth a try.
    Bounded,
    /// Evaluation of models or a search in an index. Measured, and regulated: rare while it does not pay.
    Search,
}

impl Cost {
    /// The word in the table.
    pub fn name(self) -> &'static str {
        match self {
            Cost::Nothing => "nothing",
            Cost::Read => "a read",
            Cost::Bounded => "bounded",
            Cost::Search => "a search",
        }
    }

    /// Whether regulation may pass a step by.
    pub(crate) fn is_regulated(self) -> bool {
        self == Cost::Search
    }

    /// Whether the walk measures the step. Reads are measured by the store's own calls.
    pub(crate) fn is_measured(self) -> bool {
        matches!(self, Cost::Bounded | Cost::Search)
    }
}

/// Which option turns a step off, beside the level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Switch {
    /// None.
    Always,
    /// `Options::native`: the cores that decide here, for integers and for bits.
    Native,
    /// `Options::native`, where no solver can be asked.
    Unaided,
    /// `Options::models`.
    Models,
    /// `Options::cores`, and a store to keep them in.
    Cores,
}

/// What a step found out about a part that has no record of its own: it is going to have one.
pub(crate) struct New {
    pub(crate) found: Found,
    pub(crate) index: Index,
}

/// Under which names the index of sets is to know what was found.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Index {
    /// Under all that are in use.
    All,
    /// Under all but these: the index itself has it under them.
    AllBut(Naming),
    /// Under none: finding it again is as fast.
    None,
}

/// Where on the way of a query a step is taken, and what it does there.
pub(crate) enum Try {
    /// New constraints on a path, before the path is sliced.
    Path(fn(&mut Engine, &mut Terms, &OnPath<'_>) -> Option<Answer>),
    /// A part without objectives, before it has a key. Values go into the query's model.
    Part(fn(&mut Engine, &mut Terms, &[TermId], &mut Model) -> Option<Known>),
    /// A part with its key and what the store has under it.
    Key(fn(&mut Engine, &mut Terms, &Part, &mut Option<Fetched>, &mut Model) -> Option<Known>),
    /// A part with its key, without objectives, that has no record.
    Search(fn(&mut Engine, &mut Terms, &Part) -> Option<New>),
    /// The slice of new constraints on a path that nothing else answers, beside old values of the caller's.
    Slice(fn(&mut Engine, &mut Terms, &Part, crate::OldValues<'_>) -> Option<New>),
    /// The parts of a script that nothing else answers, together.
    Rest(fn(&mut Engine, &mut Terms, &[Part], &[Aside]) -> Option<Known>),
    /// The same, where the backend solves whole queries.
    Whole(fn(&mut Engine, &mut Terms, &[Part], &[Aside]) -> Option<Known>),
}

impl Try {
    fn place(&self) -> &'static str {
        match self {
            Try::Path(_) | Try::Slice(_) => "path",
            Try::Part(_) | Try::Key(_) | Try::Search(_) => "part",
            Try::Rest(_) | Try::Whole(_) => "whole",
        }
    }
}

/// One line of the ladder.
pub(crate) struct Step {
    pub(crate) rung: Rung,
    /// What a hit says, for the table.
    pub(crate) says: &'static str,
    /// The first level of reuse that takes the step.
    pub(crate) from: Reuse,
    /// The last one.
    pub(crate) to: Reuse,
    pub(crate) cost: Cost,
    pub(crate) switch: Switch,
    pub(crate) at: Try,
    /// Where it is implemented: a file of `crates/reuse/src/ladder`.
    pub(crate) file: &'static str,
}

macro_rules! step {
    (
        $rung:ident, $says:literal, $from:ident..=$to:ident, $cost:ident, $switch:ident, $at:expr,
        $file:literal
    ) => {
        Step {
            rung: Rung::$rung,
            says: $says,
            from: Reuse::$from,
            to: Reuse::$to,
            cost: Cost::$cost,
            switch: Switch::$switch,
            at: $at,
            file: $file,
        }
    };
}

/// The ladder, in the order in which it is climbed.
#[rustfmt::skip]
pub(crate) static LADDER: &[Step] = &[
    step!(Trivial, "one constraint fixes one symbol",
        Exact..=Full, Nothing, Always, Try::Part(Engine::unit), "trivial.rs"),
    step!(Native, "linear integer constraints, decided before a key is made",
        Full..=Full, Bounded, Native, Try::Part(Engine::decide_part), "native.rs"),
    step!(Native, "linear integer constraints, decided in a solver that follows the path",
        Full..=Full, Bounded, Native, Try::Path(Engine::decide_on_path), "native.rs"),
    step!(Trivial, "canonizing decides it",
        Exact..=Full, Nothing, Always, Try::Key(Engine::trivial), "trivial.rs"),
    step!(Exact, "the same key has a record",
        Exact..=Full, Read, Always, Try::Key(Engine::exact), "exact.rs"),
    step!(Satisfied, "an old model satisfies it",
        Full..=Full, Search, Models, Try::Search(Engine::satisfied), "satisfied.rs"),
    step!(Enumerated, "all values of its few bits were enumerated",
        Full..=Full, Search, Always, Try::Search(Engine::enumerated), "enumerated.rs"),
    step!(Implied, "a related set is known: subset as in KLEE, logical as in GreenTrie",
        Subset..=Full, Search, Always, Try::Search(Engine::implied), "implied.rs"),
    step!(Derived, "several known cores refute it together",
        Full..=Full, Search, Always, Try::Search(Engine::derived), "derived.rs"),
    step!(Native, "linear integer constraints that have no record",
        Exact..=Logical, Bounded, Native, Try::Search(Engine::decide_keyed), "native.rs"),
    step!(Bits, "bit vectors, arrays of bits and truth values that have no record",
        Exact..=Full, Bounded, Native, Try::Search(Engine::decide_bits), "bits.rs"),
    step!(Cases, "Boolean structure over linear integers, equalities and functions, where there is no solver",
        Exact..=Full, Bounded, Unaided, Try::Search(Engine::decide_cases), "cases.rs"),
    step!(Nearby, "values near those of an old test on the path satisfy it",
        Full..=Full, Search, Models, Try::Slice(Engine::nearby), "nearby.rs"),
    step!(Exact, "the open parts have a record together",
        Exact..=Full, Read, Always, Try::Rest(Engine::exact_together), "exact.rs"),
    step!(Core, "it contains a known core",
        Full..=Full, Bounded, Cores, Try::Whole(Engine::core), "core.rs"),
];

/// The ladder as a Markdown table.
pub fn table() -> String {
    let mut text = "| rung | says | where | levels | cost | file |\n|---|---|---|---|---|---|\n".to_string();
    for Step { rung, says, from, to, cost, at, file, .. } in LADDER {
        let levels = match (from, to) {
            (from, Reuse::Full) if *from == Reuse::Full => "full".to_string(),
            (from, Reuse::Full) => format!("from {}", from.name()),
            (from, to) => format!("{} to {}", from.name(), to.name()),
        };
        let (name, place, cost) = (rung.name(), at.place(), cost.name());
        let _ = writeln!(text, "| {name} | {says} | {place} | {levels} | {cost} | `{file}` |");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rungs_are_numbered_in_the_order_of_the_list() {
        let mut met: Vec<Rung> = Vec::new();
        for step in LADDER {
            if !met.contains(&step.rung) {
                met.push(step.rung);
            }
        }
        assert_eq!(met, Rung::ALL);
        assert!(Rung::ALL.iter().enumerate().all(|(place, rung)| *rung as usize == place));
    }

    #[test]
    fn every_name_is_its_own_also_the_former_ones() {
        let names = Rung::ALL.iter().map(|rung| rung.name());
        let all: Vec<&str> = names.chain(Rung::ALL.iter().filter_map(|rung| rung.former_name())).collect();
        let different: std::collections::BTreeSet<&str> = all.iter().copied().collect();
        assert_eq!(all.len(), different.len());
    }

    #[test]
    fn every_level_has_the_steps_of_the_one_before() {
        // All but one: what the native core decides first at level full it decides last below.
        for step in LADDER.iter().filter(|step| step.to != Reuse::Full) {
            let takes_over = |other: &&Step| other.rung == step.rung && other.to == Reuse::Full;
            assert!(LADDER.iter().any(|other| takes_over(&other)), "{}", step.rung.name());
        }
    }

    #[test]
    fn the_file_of_every_step_is_there() {
        for step in LADDER {
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/ladder");
            let text = std::fs::read_to_string(format!("{folder}/{}", step.file));
            let text = text.unwrap_or_else(|why| panic!("{}: {why}", step.file));
            assert!(text.contains("impl Engine"), "{}", step.file);
        }
    }
}
