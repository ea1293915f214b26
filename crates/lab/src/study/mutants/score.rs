//! Whether tests kill a mutant on the real JVM; and which of the survivors are equivalent to the original.

use crate::study::explored::{Core, Setting, empty_store, maker, open};
use evergreen::Reuse;
use evergreen_java::classfile::{Jdk, find_jdk};
use evergreen_java::replay::{Probed, Probes, ReplayOptions, Replayed, TestCase, replay};
use evergreen_java::symbolic::Ints;
use evergreen_java::{Agreement, Detail, Inputs, JavaFrontend, KeptEnds, Narrowings, Options, Pairs, jvm};
use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// How long a case may take: the originals' take less than a millisecond.
const CASE_LIMIT: Duration = Duration::from_secs(2);
/// Cases that are tried before all others: most mutants are killed by one of them, and one that never ends
/// costs its time limit in every case.
const FIRST: usize = 3;

/// What is known of a mutant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Fate {
    /// A test of the original ends otherwise: what happened.
    Killed(String),
    /// No test of the original shows it, but there is an input on which the two differ.
    Missed(String),
    /// They agree on all inputs: there is nothing to kill.
    Equal,
    /// Nobody knows: a bound cut the comparison, or no input that shows a difference can be made.
    Unknown,
}

impl Fate {
    /// Its name in tables.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Fate::Killed(_) => "killed",
            Fate::Missed(_) => "missed",
            Fate::Equal => "equal",
            Fate::Unknown => "unknown",
        }
    }
}

impl fmt::Display for Fate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fate::Killed(why) => write!(f, "killed: {why}"),
            Fate::Missed(why) => write!(f, "survives, but is another program: {why}"),
            Fate::Equal => f.write_str("survives, and ends alike on all inputs"),
            Fate::Unknown => f.write_str("survives"),
        }
    }
}

/// The lines that tests run: internal name of the class, method with descriptor, line.
pub(super) fn lines_run(
    jdk: &Jdk,
    places: &[PathBuf],
    tests: &[TestCase],
) -> Result<BTreeSet<(String, String, u16)>, String> {
    let probes = Probes::plant(jdk, places, &Probed::All).map_err(|e| e.to_string())?;
    let options = ReplayOptions { case_limit: CASE_LIMIT, ..ReplayOptions::default() };
    let replayed = replay(jdk, places, Some(&probes), tests, &options).map_err(|e| e.to_string())?;
    let hit = (0..probes.count()).filter(|number| replayed.hits.contains(*number));
    let line = |number: u32| {
        let place = probes.place(number)?;
        Some((place.class.replace('.', "/"), place.method.to_string(), place.probe.line?))
    };
    Ok(hit.filter_map(line).collect())
}

/// Runs the original's tests on the mutant; if it survives, looks for an input on which they differ.
pub(super) fn fate(
    setting: &Setting<'_>,
    original: &[PathBuf],
    mutant: &[PathBuf],
    tests: &[TestCase],
) -> Result<Fate, String> {
    if let Some((_, why)) = first_difference(mutant, tests)? {
        return Ok(Fate::Killed(why));
    }
    compared(setting, original, mutant)
}

/// Compares all pairs of paths. A difference is accepted when the JVM shows it.
fn compared(setting: &Setting<'_>, original: &[PathBuf], mutant: &[PathBuf]) -> Result<Fate, String> {
    let setting = Setting { core: Core::Native, ..setting.clone() };
    let store = empty_store();
    let make = || maker(&setting, Reuse::Full, store.clone());
    let text = |e: evergreen_java::ProgramError| e.to_string();
    let (program, method) = open(&setting, original)?;
    let mut old =
        JavaFrontend::explore(program, Ints::Wrapped, jvm::Options::default(), make()).map_err(text)?;
    let (program, of_mutant) = open(&setting, mutant)?;
    let mut new = old.front.beside(program, jvm::Options::default(), make()).map_err(text)?;
    let options = || Options { bounds: setting.bounds.clone(), ..Options::default() };
    let inputs = Inputs::default();
    let run = old.entry(&method, &inputs, options()).map_err(text)?;
    let ends = KeptEnds::default();
    let mut run = ends.of(run.without_shrinking().telling(Detail::Brief));
    while run.next_path().is_some() {}
    // What a bound on inputs leaves out may differ.
    let is_whole = run.summary().is_complete() && run.tally().narrowings().next().is_none();
    let Some(kept) = ends.take(&run) else { return Ok(Fate::Unknown) };
    let mut pairs = Pairs::begin(&mut new, &of_mutant, &inputs, options(), kept).map_err(text)?;
    let mut shown = Vec::new();
    while let Some(pair) = pairs.next_pair() {
        if pair.agreement == Agreement::Differs {
            shown.extend(pair.end.case);
        }
    }
    if is_whole && pairs.counts().all_same() {
        return Ok(Fate::Equal);
    }
    // The cases say what the mutant does; the original is to do otherwise.
    Ok(match first_difference(original, &shown)? {
        Some((case, why)) => {
            let why =
                why.replacen("expected: ", "the mutant ", 1).replacen("; the JVM: ", ", the original ", 1);
            Fate::Missed(format!("{}: {why}", inputs_of(case)))
        }
        None => Fate::Unknown,
    })
}

/// The inputs of a case, in words.
fn inputs_of(case: &TestCase) -> String {
    let names = case.target.parameters.iter().zip(&case.arguments);
    let drawn = case.draws.iter().map(|(name, value)| (name, value));
    let all =
        names.chain(drawn).map(|(name, value)| format!("{name} = {}", evergreen_java::source_text(value)));
    all.collect::<Vec<String>>().join(", ")
}

/// The first test that ends otherwise than it says, and how.
fn first_difference<'t>(
    places: &[PathBuf],
    tests: &'t [TestCase],
) -> Result<Option<(&'t TestCase, String)>, String> {
    let jdk = find_jdk().map_err(|e| e.to_string())?;
    let options = ReplayOptions { case_limit: CASE_LIMIT, ..ReplayOptions::default() };
    let (first, rest) = tests.split_at(FIRST.min(tests.len()));
    for part in [first, rest].into_iter().filter(|part| !part.is_empty()) {
        let Replayed { cases, .. } = replay(&jdk, places, None, part, &options).map_err(|e| e.to_string())?;
        let differing = part.iter().zip(cases).find_map(|(test, case)| Some((test, case.divergence?)));
        if differing.is_some() {
            return Ok(differing);
        }
    }
    Ok(None)
}
