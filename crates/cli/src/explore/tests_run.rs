//! The generated tests: kept for the suite, and run on the real JVM, whose branches and outcomes must be those expected.

use crate::flags::{Explore, JunitFlag};
use evergreen_java::classfile::{Arm, Jdk};
use evergreen_java::jvm::{TakenArm, Way};
use evergreen_java::replay::{
    Coverage, Hits, JavaValue, Junit, JunitOptions, Probed, Probes, ReplayOptions, TestCase, class_beside,
    junit_suites_by, replay,
};
use evergreen_java::{Program, misread};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Cases that are replayed at once: memory stays flat however many paths there are.
const BATCH: usize = 4_000;
/// Tests of one class that are written down: nobody reads more.
const SUITE: usize = 10_000;

/// A test that the JVM took differently: a bug of ours.
pub struct Divergence {
    /// Which of the tests that were replayed, from 0.
    pub number: u64,
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
    /// The class under test.
    tested: String,
}

/// Where a test is in the suite.
#[derive(Clone, Debug)]
pub struct Kept {
    /// The class under test.
    class: String,
    /// Which of its tests.
    place: usize,
}

/// The names of the tests of a suite.
#[derive(Default)]
pub struct TestNames(BTreeMap<String, Vec<String>>);

impl TestNames {
    /// As the sources have them: what follows each `@Test`.
    pub fn of(suites: &[SuiteFile]) -> TestNames {
        let mut names: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for suite in suites {
            let of_class = names.entry(suite.tested.clone()).or_default();
            let class =
                suite.path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let mut lines = suite.source.lines().map(str::trim);
            while lines.any(|line| line == "@Test") {
                let declared = lines.next().unwrap_or_default();
                let name = declared.split('(').next().and_then(|words| words.rsplit(' ').next());
                of_class.push(format!("{class}.{}", name.unwrap_or_default()));
            }
        }
        TestNames(names)
    }

    /// The name of a test.
    pub fn of_test(&self, test: Option<&Kept>) -> Option<&str> {
        let test = test?;
        self.0.get(&test.class)?.get(test.place).map(String::as_str)
    }
}

/// The generated tests.
pub struct TestsRun {
    jdk_home: PathBuf,
    places: Vec<PathBuf>,
    /// Classes that sources must not name.
    misread: Vec<String>,
    replays: bool,
    version: Junit,
    /// How many write the suite.
    threads: usize,
    waiting: Vec<(TestCase, Option<Vec<TakenArm>>)>,
    /// For the suite, by class; `None` if no suite is wanted.
    kept: Option<BTreeMap<String, Vec<TestCase>>>,
    left_out: u64,
    /// Planted when they are first needed.
    probes: Option<Probes>,
    hits: Hits,
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
            misread: misread(program),
            replays: !flags.exploring.no_replay,
            version: match flags.junit {
                JunitFlag::Four => Junit::Four,
                JunitFlag::Five => Junit::Five,
            },
            threads: crate::explore::jobs(flags),
            waiting: Vec::new(),
            kept: flags.out.is_some().then(BTreeMap::new),
            left_out: 0,
            probes: None,
            hits: Hits::default(),
            replayed: 0,
            divergences: Vec::new(),
            trouble: None,
        }
    }

    /// The number that the next test will have among those that are replayed; `None` if none is.
    pub fn next_replay(&self) -> Option<u64> {
        (self.replays && self.trouble.is_none()).then(|| self.replayed + self.waiting.len() as u64)
    }

    /// Takes a test, and the branches that it is to take; where it is in the suite.
    pub fn add(&mut self, case: &TestCase, taken: Option<&[TakenArm]>) -> Option<Kept> {
        let mut place = None;
        if let Some(kept) = &mut self.kept {
            let class = &case.target.class;
            if !kept.contains_key(class) {
                kept.insert(class.clone(), Vec::new());
            }
            match kept.get_mut(class) {
                Some(of_class) if of_class.len() < SUITE => {
                    place = Some(Kept { class: class.clone(), place: of_class.len() });
                    of_class.push(case.clone());
                }
                _ => self.left_out += 1,
            }
        }
        if self.replays && self.trouble.is_none() {
            self.waiting.push((case.clone(), taken.map(<[TakenArm]>::to_vec)));
            if self.waiting.len() >= BATCH {
                self.finish();
            }
        }
        place
    }

    /// Replays what waits.
    pub fn finish(&mut self) {
        let waiting = std::mem::take(&mut self.waiting);
        if waiting.is_empty() {
            return;
        }
        if let Err(e) = self.replay(waiting) {
            self.trouble = Some(format!("tests are not replayed: {e}"));
        }
    }

    fn replay(&mut self, waiting: Vec<(TestCase, Option<Vec<TakenArm>>)>) -> Result<(), String> {
        let jdk = Jdk::open(&self.jdk_home).map_err(|e| e.to_string())?;
        let probes = match self.probes.take() {
            Some(probes) => probes,
            None => Probes::plant(&jdk, &self.places, &Probed::All).map_err(|e| e.to_string())?,
        };
        let expecting = |(mut case, taken): (TestCase, Option<Vec<TakenArm>>)| {
            case.arms = taken.map(|taken| taken.iter().filter_map(|arm| number(&probes, arm)).collect());
            case
        };
        let cases: Vec<TestCase> = waiting.into_iter().map(expecting).collect();
        let replayed = replay(&jdk, &self.places, Some(&probes), &cases, &ReplayOptions::default());
        let replayed = replayed.map_err(|e| e.to_string())?;
        self.hits.merge(&replayed.hits);
        let first = self.replayed;
        self.replayed += cases.len() as u64;
        for (number, (case, result)) in (first..).zip(cases.iter().zip(replayed.cases)) {
            let Some(what) = result.divergence else { continue };
            let names = case.target.parameters.iter().cloned();
            let inputs = names.zip(case.arguments.iter().cloned()).chain(case.draws.iter().cloned());
            self.divergences.push(Divergence {
                number,
                test: format!("{}.{}{}", case.target.class, case.target.method, case.target.descriptor),
                inputs: inputs.collect(),
                what,
            });
        }
        self.probes = Some(probes);
        Ok(())
    }

    /// Tests that were run.
    pub fn replayed(&self) -> u64 {
        self.replayed
    }

    /// What the tests cover, as the JVM saw it.
    pub fn coverage(&self) -> Option<Coverage> {
        self.probes.as_ref().map(|probes| Coverage::of(probes, &self.hits))
    }

    /// What the JVM did differently.
    pub fn divergences(&self) -> &[Divergence] {
        &self.divergences
    }

    /// Why nothing could be replayed.
    pub fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    /// The suite, a file or more for each class under test; and how many tests are not in it.
    pub fn suites(&self) -> (Vec<SuiteFile>, u64) {
        let mut files = Vec::new();
        for (class, cases) in self.kept.iter().flatten() {
            let (package, class_name) = class_beside(class, "Test");
            let options = JunitOptions {
                version: self.version,
                package: package.clone(),
                class_name,
                misread: self.misread.clone(),
            };
            let folder: PathBuf = package.split('.').collect();
            files.extend(junit_suites_by(self.threads, cases, &options).into_iter().map(|suite| SuiteFile {
                path: folder.join(format!("{}.java", suite.options.class_name)),
                source: suite.source,
                tested: class.clone(),
            }));
        }
        (files, self.left_out)
    }
}

/// The probe of a branch that was taken; branches without probes are not compared.
fn number(probes: &Probes, taken: &TakenArm) -> Option<u32> {
    let way = match taken.way {
        Way::Taken => Arm::Taken,
        Way::Fallthrough => Arm::Fallthrough,
        Way::Case(index) => Arm::Case(index),
        Way::Default => Arm::Default,
    };
    let class = taken.class.replace('/', ".");
    let method = format!("{}{}", taken.method, taken.descriptor);
    probes.arms(&class, &method, taken.offset).iter().find(|(arm, _)| *arm == way).map(|(_, number)| *number)
}
