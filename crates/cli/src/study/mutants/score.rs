//! Whether tests tell a mutant from its original, on the real JVM.

use crate::study::explored::ExploredPath;
use evergreen::explore::classfile::find_jdk;
use evergreen::explore::replay::{ReplayOptions, Replayed, TestCase, replay};
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// How long a case may take: the originals' take less than a millisecond.
const CASE_LIMIT: Duration = Duration::from_secs(2);
/// Cases that are tried before all others: most mutants are killed by one of them, and one that never ends costs its time
/// limit in every case.
const FIRST: usize = 3;

/// What the tests of the original say of a mutant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fate {
    /// A test of the original ends otherwise: what happened.
    Killed(String),
    /// No test of the original shows it, but this one of the mutant's own paths ends otherwise on the original.
    Missed(String),
    /// No test of either tells them apart.
    Alike,
}

impl Fate {
    /// Its name in tables.
    pub fn name(&self) -> &'static str {
        match self {
            Fate::Killed(_) => "killed",
            Fate::Missed(_) => "missed",
            Fate::Alike => "alike",
        }
    }
}

impl fmt::Display for Fate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fate::Killed(why) => write!(f, "killed: {why}"),
            Fate::Missed(why) => write!(f, "survives, but is another program: {why}"),
            Fate::Alike => f.write_str("survives, and no path ends otherwise"),
        }
    }
}

/// Runs the original's tests on the mutant; if it survives, the mutant's tests on the original.
pub fn fate(
    original: &[PathBuf],
    mutant: &[PathBuf],
    tests: &[TestCase],
    own: &[ExploredPath],
) -> Result<Fate, String> {
    if let Some(why) = first_difference(mutant, tests)? {
        return Ok(Fate::Killed(why));
    }
    let fresh = own.iter().filter(|path| path.seeds.is_empty());
    let own: Vec<TestCase> = fresh.filter_map(|path| path.case.clone()).collect();
    Ok(match first_difference(original, &own)? {
        Some(why) => Fate::Missed(why),
        None => Fate::Alike,
    })
}

/// The first test that ends otherwise than it says.
fn first_difference(places: &[PathBuf], tests: &[TestCase]) -> Result<Option<String>, String> {
    let jdk = find_jdk().map_err(|e| e.to_string())?;
    let options = ReplayOptions { case_limit: CASE_LIMIT, ..ReplayOptions::default() };
    let (first, rest) = tests.split_at(FIRST.min(tests.len()));
    for part in [first, rest].into_iter().filter(|part| !part.is_empty()) {
        let Replayed { cases, .. } = replay(&jdk, places, None, part, &options).map_err(|e| e.to_string())?;
        if let Some(why) = cases.into_iter().find_map(|case| case.divergence) {
            return Ok(Some(why));
        }
    }
    Ok(None)
}
