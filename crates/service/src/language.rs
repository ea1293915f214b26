//! The values of a language that travel: between threads, into reports, to other machines.

use crate::report::More;
use crate::{PathEnd, Totals};
use evergreen_suite::Format;
use serde_json::Value;
use std::fmt::{Debug, Display};
use std::sync::Arc;

/// What is explored, by names that are the same in every process: unit, name, signature.
pub type EntryKey = (String, String, String);

/// Something that can be explored: a method, a function.
pub trait Entry: Clone + PartialEq + Debug + Display + Send + Sync + 'static {
    /// Its name, the same in every process.
    fn key(&self) -> EntryKey;

    /// The names of its parameters: the first of a path's inputs.
    fn parameter_names(&self) -> Vec<&str>;
}

/// A value in few bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Packed {
    /// Which kind of value, below 64.
    pub tag: u8,
    /// Its bits, if the kind has some.
    pub number: Option<i64>,
}

/// What a path of a language has beyond what paths of all languages have: objects, say.
pub trait Beyond: Clone + Default + PartialEq + Debug + Send + Sync + 'static {
    /// Whether there is nothing in it.
    fn is_empty(&self) -> bool;

    /// Whether a test of the path can be made of what all languages have.
    fn is_plain(&self) -> bool;

    /// About how many bytes it takes.
    fn weight(&self) -> usize;

    /// Drops what is only shown in full reports.
    fn shorten(&mut self) {}

    /// How many objects the inputs have.
    fn objects(&self) -> usize {
        0
    }

    /// These objects in a line, as reports show them.
    fn show(&self) -> String {
        String::new()
    }

    /// The same as JSON, a value for each object.
    fn json(&self) -> Vec<Value> {
        Vec::new()
    }

    /// The outcomes of all branches on the way, those that no input decides included, as numbers that are
    /// equal for equal outcomes; none where they are not recorded.
    fn branches(&self) -> Vec<u64> {
        Vec::new()
    }

    /// What a replay of the path's test needs of it.
    fn for_replay(&self) -> Self {
        self.clone()
    }
}

/// For languages that need nothing beyond.
impl Beyond for () {
    fn is_empty(&self) -> bool {
        true
    }

    fn is_plain(&self) -> bool {
        true
    }

    fn weight(&self) -> usize {
        0
    }
}

/// Counters of a language's machine.
pub trait Counts: Clone + Default + Debug + Send + Sync + 'static {
    /// Adds those of another machine.
    fn add(&mut self, other: &Self);
}

/// For machines that count nothing.
impl Counts for () {
    fn add(&mut self, (): &()) {}
}

/// The bounds on inputs that explorations have met: which inputs a result is about.
pub trait Within: Clone + Default + Debug {
    /// Adds what another exploration with the same bounds has met.
    fn add(&mut self, other: &Self);

    /// Whether no bound has left inputs out.
    fn is_everything(&self) -> bool;

    /// Whether kinds of inputs are missing altogether, so that nothing can be said of all paths.
    fn is_partial(&self) -> bool;

    /// What the result is about, in words that follow "within"; `None` if it is about all inputs.
    fn words(&self) -> Option<String>;

    /// What was left out, a sentence for each bound.
    fn left_out(&self) -> Vec<String> {
        Vec::new()
    }

    /// Kinds of inputs that are missing altogether, in words.
    fn missing(&self) -> Option<String> {
        None
    }

    /// The same in the words of a table.
    fn missing_in_short(&self) -> Option<String> {
        self.missing()
    }

    /// Each bound that was met and how often, by name; empty if all inputs were explored.
    fn met(&self) -> Vec<(&'static str, u64)> {
        Vec::new()
    }

    /// Why an entry has no path although nothing was cut, and what may help.
    fn nothing_fits(&self) -> String {
        "no input fits, so nothing was explored".into()
    }

    /// What the result is about, as the end of a line: `, within lengths up to 3`.
    fn tail(&self, before: &str) -> String {
        self.words().map(|words| format!("{before}within {words}")).unwrap_or_default()
    }
}

/// For languages whose inputs have no bounds.
impl Within for () {
    fn add(&mut self, (): &()) {}

    fn is_everything(&self) -> bool {
        true
    }

    fn is_partial(&self) -> bool {
        false
    }

    fn words(&self) -> Option<String> {
        None
    }
}

/// A language, as far as its values travel. A type without values implements it, and [`Format`]: its tests
/// and what they call, as suites have them.
pub trait Language: Format {
    /// What is explored.
    type Entry: Entry;
    /// What a user sets for inputs: ranges, fixed values, assumptions.
    type Inputs: Clone + Debug + Default + Send + Sync;
    /// Concrete values of inputs and results.
    type Value: Clone + PartialEq + Debug + Default + Send + Sync;
    /// What paths have beyond.
    type Beyond: Beyond;
    /// What its machine counts.
    type Counts: Counts;
    /// The bounds on inputs that explorations have met.
    type Within: Within;

    /// What became of tests that were replayed, for reports.
    const REPLAYED: &'static str = "replayed";
    /// What its machines choose anew in each run: `identity hash codes`.
    const CHOICES: &'static str = "choices of the machine";

    /// What replays tests, for reports.
    const PLATFORM: &'static str = "the replay";

    /// Whether a path was unsupported because a part of the program was not found: what was explored is
    /// another program than the one that was meant.
    fn is_incomplete_program(_why: &str) -> bool {
        false
    }

    /// A value as reports show it.
    fn show(value: &Self::Value) -> String {
        format!("{value:?}")
    }

    /// A value as JSON has it; by default the text that reports show.
    fn json(value: &Self::Value) -> Value {
        Value::String(Self::show(value))
    }

    /// A test of an entry with inputs from JSON, by their names; how it ends is not known.
    ///
    /// # Errors
    /// Inputs are missing, or have other types.
    fn case_of_json(
        _entry: &Self::Entry,
        _target: &Arc<Self::Target>,
        _inputs: &serde_json::Map<String, Value>,
    ) -> Result<Self::Case, String> {
        Err("inputs of this language cannot be given as JSON".into())
    }

    /// Whether a value is an object among others, which reports show with what paths have beyond.
    fn is_object(_value: &Self::Value) -> bool {
        false
    }

    /// What an input is given so that it has this value again, if its parts are given one by one: names and
    /// values, as a user writes them.
    fn given_in_parts(_name: &str, _value: &Self::Value) -> Option<Vec<(String, String)>> {
        None
    }

    /// What kind of failure this is, in a word for programs.
    fn kind(_class: &str) -> &'static str {
        "failure"
    }

    /// What such failures are, in a sentence without a full stop.
    fn about(class: &str) -> String {
        format!("{class} ends a {} for some input", Self::FUNCTION)
    }

    /// What a test calls, for reports.
    fn called(case: &Self::Case) -> String {
        Self::shown(Self::target(case))
    }

    /// What a test calls it with, for reports.
    fn called_with(_case: &Self::Case) -> Vec<(String, Self::Value)> {
        Vec::new()
    }

    /// What reports show of the machine's counters.
    fn counted(_totals: &Totals<Self>) -> More {
        More::default()
    }

    /// How much there is to read in a value: how many parts, then how far from zero.
    fn size(_value: &Self::Value) -> (usize, u128) {
        (1, 0)
    }

    /// An old test that a path keeps, as it is replayed: with what the path's own test expects beyond.
    fn replayed(old: &Self::Case, _new: &Self::Case) -> Self::Case {
        old.clone()
    }

    // Paths that wait for those before them may be packed; a language without these is served by moving them.

    /// A value in few bytes; none if it has parts, and is moved as it is.
    fn pack(_value: &Self::Value) -> Option<Packed> {
        None
    }

    /// The value that was packed.
    fn unpack(_packed: Packed) -> Self::Value {
        Self::Value::default()
    }

    /// Whether the tests of plain paths can be made later, by [`Language::plain_case`].
    const MAKES_CASES_LATER: bool = false;

    /// The test of a path whose inputs are plain values, made of what is known of the path; `memory` is a
    /// test that is no longer needed. None if no test can make the inputs.
    fn plain_case(
        _path: &PathEnd<Self>,
        _target: &Arc<Self::Target>,
        _parameters: usize,
        _memory: Option<Self::Case>,
    ) -> Option<Self::Case> {
        None
    }

    /// Whether a test is what [`Language::plain_case`] would make for this target.
    fn is_plain_case(_case: &Self::Case, _target: &Arc<Self::Target>) -> bool {
        false
    }

    /// The named inputs of a test that is no longer needed: their memory is reused.
    fn reclaim(_case: Self::Case) -> Vec<(String, Self::Value)> {
        Vec::new()
    }
}
