//! The generated tests as JUnit sources.

use crate::flags::{Explore, JunitFlag};
use evergreen_java::replay::{Junit, JunitOptions, TestCase, junit_suites_by};
use evergreen_java::report::TestNames;
use evergreen_java::{JavaFrontend, MethodRef, PathEnd, Program, Sink, TestId, misread};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Tests of one class that are written down: no reader wants more.
const SUITE: usize = 10_000;

/// A test class.
pub struct SuiteFile {
    /// Where it belongs, below the root of the sources.
    pub path: PathBuf,
    /// Its text.
    pub source: String,
}

/// Keeps tests, to be written as sources in the end.
pub struct JunitTests {
    /// Classes that sources must not name.
    misread: Vec<String>,
    version: Junit,
    /// How many threads write the sources.
    threads: usize,
    /// By class under test.
    kept: BTreeMap<String, Vec<(TestId, TestCase)>>,
    left_out: u64,
}

impl JunitTests {
    /// None yet.
    pub fn new(flags: &Explore, program: &Program) -> JunitTests {
        JunitTests {
            misread: misread(program),
            version: version(flags),
            threads: super::jobs(flags),
            kept: BTreeMap::new(),
            left_out: 0,
        }
    }

    /// The sources, one or more for each class under test; the names of their tests; and how many tests are
    /// in none.
    pub fn sources(self) -> (Vec<SuiteFile>, TestNames, u64) {
        let (mut files, mut names) = (Vec::new(), TestNames::default());
        for (class, tests) in self.kept {
            let (ids, cases): (Vec<TestId>, Vec<TestCase>) = tests.into_iter().unzip();
            let mut ids = ids.into_iter();
            let options = JunitOptions::beside(&class, "Test", self.version).avoiding(&self.misread);
            for suite in junit_suites_by(self.threads, &cases, &options) {
                let class_name = &suite.options.class_name;
                let written = suite.tests.iter().map(|test| format!("{class_name}.{test}"));
                names.0.extend(ids.by_ref().zip(written));
                files.push(SuiteFile { path: suite.options.file(), source: suite.source });
            }
        }
        (files, names, self.left_out)
    }
}

impl Sink<JavaFrontend> for JunitTests {
    fn path(&mut self, _: &MethodRef, _: &PathEnd, test: Option<(TestId, &TestCase)>) -> Result<(), String> {
        let Some((id, case)) = test else { return Ok(()) };
        let class = &case.target.class;
        if !self.kept.contains_key(class) {
            self.kept.insert(class.clone(), Vec::new());
        }
        match self.kept.get_mut(class) {
            Some(of_class) if of_class.len() < SUITE => of_class.push((id, case.clone())),
            _ => self.left_out += 1,
        }
        Ok(())
    }
}

/// The JUnit that sources are for.
pub fn version(flags: &Explore) -> Junit {
    match flags.junit {
        JunitFlag::Four => Junit::Four,
        JunitFlag::Five => Junit::Five,
    }
}
