//! What comparing two versions needs of a front end: what changed in the code, and what both versions do with
//! the same test for real.

use crate::explore::programs::{CaseOf, EntryOf, LanguageOf, Programs, SourcesOf};
use evergreen_service::{Changes, Compares, Format, Language};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::{Path, PathBuf};

/// Names and values of inputs.
pub(crate) type Values<F> = Vec<(String, <LanguageOf<F> as Language>::Value)>;

/// Of what both versions did with a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// They did the same.
    Same,
    /// They did not.
    Differs,
    /// One of the versions does not take the input.
    Unfit,
}

/// A front end whose programs `evergreen diff` compares.
pub(crate) trait Versions: Programs + Compares {
    /// How names of files end that a revision's sources are read from.
    const SOURCES: &'static [&'static str];
    /// What is compared, in a sentence: how far "no difference" goes.
    const COMPARED: &'static str;

    /// The files that a name lists, if it names files of this language and all of them exist.
    fn listed(_: &Path) -> Option<Vec<PathBuf>> {
        None
    }

    /// The files that make a program, of files and folders.
    ///
    /// # Errors
    /// There are none.
    fn files(places: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
        Ok(places.to_vec())
    }

    /// A function of both versions, or of one.
    type Key: Clone + Ord + Display;
    /// Runs tests on one version.
    type Platform;
    /// What a test did.
    type Ran;

    /// What changed in the code.
    fn changes(old: &Self::Program, new: &Self::Program) -> Changes<Self::Key>;

    /// The key of an entry.
    fn key(entry: &EntryOf<Self>) -> Self::Key;

    /// The key of what a test calls.
    fn key_of_target(target: &<LanguageOf<Self> as Format>::Target) -> Self::Key;

    /// An entry of the new version, with the names of inputs that it has in the old one, where the same input
    /// has one name; `None` if they cannot be called with the same inputs. Their keys are the same.
    fn matched(old: &EntryOf<Self>, new: &EntryOf<Self>) -> Option<EntryOf<Self>>;

    /// What runs the tests of a version.
    fn platform(program: &Self::Program) -> Result<Self::Platform, String>;

    /// Runs tests; for each, what it did.
    fn run(platform: &Self::Platform, cases: &[CaseOf<Self>]) -> Result<Vec<Self::Ran>, String>;

    /// Compares what a test did.
    fn verdict(old: &Self::Ran, new: &Self::Ran) -> Verdict;

    /// What both versions did, in words that follow "it" and that differ.
    fn told(old: &Self::Ran, new: &Self::Ran) -> (String, String);

    /// The inputs of a test.
    fn values(case: &CaseOf<Self>) -> Values<Self>;

    /// A text that is the same for tests with the same inputs.
    fn identity(case: &CaseOf<Self>) -> String;

    /// The same test, expecting what the old version did: `told` is that in words.
    fn expecting(case: &CaseOf<Self>, old: &Self::Ran, told: &str) -> CaseOf<Self>;

    /// File and first line of each function of a version.
    fn declared(program: &Self::Program) -> BTreeMap<Self::Key, (String, u32)>;

    /// Where a file of the program is, among the sources that were given.
    fn source(sources: &[PathBuf], key: &Self::Key, file: &str) -> PathBuf;

    /// What sources of tests that pass on the old version depend on.
    fn test_sources(old: &Self::Program) -> SourcesOf<Self>;

    /// Writes tests of differences into a folder.
    fn write_tests(folder: &Path, cases: &[CaseOf<Self>], sources: &SourcesOf<Self>) -> Result<(), String>;
}
