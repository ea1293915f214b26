//! The generated tests: kept for the suite, and run on the real JVM.

use crate::flags::{Explore, JunitFlag};
use evergreen::explore::Program;
use evergreen::explore::classfile::Jdk;
use evergreen::explore::replay::{JavaValue, Junit, JunitOptions, ReplayOptions, TestCase, junit, replay};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Cases that are replayed at once: memory stays flat however many paths there are.
const BATCH: usize = 4_000;
/// Tests of one class that are written down: javac takes no class of any size, and nobody reads more.
const SUITE: usize = 1_000;

/// A test that the JVM took differently: a bug of ours.
pub struct Divergence {
    /// What was called.
    pub test: String,
    /// With what.
    pub inputs: Vec<(String, JavaValue)>,
    /// What was expected, and what happened.
    pub what: String,
}

/// A test class.
pub struct SuiteFile {
    /// Where it belongs, below the root of the sources.
    pub path: PathBuf,
    /// Its text.
    pub source: String,
}

/// The generated tests.
pub struct TestsRun {
    jdk_home: PathBuf,
    places: Vec<PathBuf>,
    replays: bool,
    version: Junit,
    waiting: Vec<TestCase>,
    /// For the suite, by class; `None` if no suite is wanted.
    kept: Option<BTreeMap<String, Vec<TestCase>>>,
    left_out: u64,
    replayed: u64,
    divergences: Vec<Divergence>,
    trouble: Option<String>,
}

impl TestsRun {
    /// None yet.
    pub fn new(flags: &Explore, program: &Program) -> TestsRun {
        TestsRun {
            jdk_home: program.jdk_home.clone(),
            places: program.places.clone(),
            replays: !flags.no_replay,
            version: match flags.junit {
                JunitFlag::Four => Junit::Four,
                JunitFlag::Five => Junit::Five,
            },
            waiting: Vec::new(),
            kept: flags.out.is_some().then(BTreeMap::new),
            left_out: 0,
            replayed: 0,
            divergences: Vec::new(),
            trouble: None,
        }
    }

    /// Takes a test.
    pub fn add(&mut self, case: TestCase) {
        if let Some(kept) = &mut self.kept {
            let of_class = kept.entry(case.target.class.clone()).or_default();
            if of_class.len() < SUITE {
                of_class.push(case.clone());
            } else {
                self.left_out += 1;
            }
        }
        if self.replays && self.trouble.is_none() {
            self.waiting.push(case);
            if self.waiting.len() >= BATCH {
                self.finish();
            }
        }
    }

    /// Replays what waits.
    pub fn finish(&mut self) {
        let cases = std::mem::take(&mut self.waiting);
        if cases.is_empty() {
            return;
        }
        let replayed = Jdk::open(&self.jdk_home).map_err(|e| e.to_string()).and_then(|jdk| {
            replay(&jdk, &self.places, &cases, &ReplayOptions::default()).map_err(|e| e.to_string())
        });
        let results = match replayed {
            Ok(replayed) => replayed.cases,
            Err(e) => {
                self.trouble = Some(format!("tests are not replayed: {e}"));
                return;
            }
        };
        self.replayed += results.len() as u64;
        for (case, result) in cases.iter().zip(results) {
            let Some(what) = result.divergence else { continue };
            let names = case.target.parameters.iter().cloned();
            let inputs = names.zip(case.arguments.iter().cloned()).chain(case.draws.iter().cloned());
            self.divergences.push(Divergence {
                test: format!("{}.{}{}", case.target.class, case.target.method, case.target.descriptor),
                inputs: inputs.collect(),
                what,
            });
        }
    }

    /// Tests that were run.
    pub fn replayed(&self) -> u64 {
        self.replayed
    }

    /// What the JVM did differently.
    pub fn divergences(&self) -> &[Divergence] {
        &self.divergences
    }

    /// Why nothing could be replayed.
    pub fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    /// The suite, one file for each class under test; and how many tests are not in it.
    pub fn suites(&self) -> (Vec<SuiteFile>, u64) {
        let kept = self.kept.iter().flatten();
        let files = kept.map(|(class, cases)| {
            let (package, name) = class.rsplit_once('.').unwrap_or(("", class));
            let class_name = format!("{}Test", name.replace('$', ""));
            let options = JunitOptions {
                version: self.version,
                package: package.into(),
                class_name: class_name.clone(),
            };
            let folder: PathBuf = package.split('.').collect();
            SuiteFile {
                path: folder.join(format!("{class_name}.java")),
                source: junit(cases, &options),
            }
        });
        (files.collect(), self.left_out)
    }
}
