//! The tests of a run as JUnit sources, one or more for each class under test. They belong to no suite: the
//! next run writes its own.

use crate::suite::JunitSources;
use crate::{JavaFrontend, MethodRef, PathEnd, Sink, TestId};
use evergreen_replay::{JunitOptions, TestCase, junit_suites_by};
use evergreen_service::report::TestNames;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// Tests of one class that are written down: no reader wants more.
const MOST: usize = 10_000;

/// A test class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TestFile {
    /// Where it belongs, below the root of the sources.
    pub path: PathBuf,
    /// Its text.
    pub source: String,
}

/// The sources of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TestSources {
    /// Test classes.
    pub files: Vec<TestFile>,
    /// What their tests are called.
    pub names: TestNames,
    /// Tests that are in none of them, because a class has too many.
    pub left_out: u64,
}

/// Keeps tests, to be written as sources in the end.
pub struct JunitTests {
    options: JunitSources,
    /// How many threads write the sources.
    threads: usize,
    /// By class under test.
    kept: BTreeMap<String, Vec<(TestId, TestCase)>>,
    left_out: u64,
}

impl JunitTests {
    /// None yet.
    pub fn new(options: JunitSources, threads: usize) -> JunitTests {
        JunitTests { options, threads, kept: BTreeMap::new(), left_out: 0 }
    }

    /// Leaves out tests whose result is not known before they run.
    pub fn leave_out(&mut self, tests: &BTreeSet<TestId>) {
        self.kept.values_mut().for_each(|kept| kept.retain(|(test, _)| !tests.contains(test)));
        self.kept.retain(|_, kept| !kept.is_empty());
    }

    /// The sources.
    pub fn sources(self) -> TestSources {
        let mut written = TestSources { left_out: self.left_out, ..TestSources::default() };
        for (class, tests) in self.kept {
            let (ids, cases): (Vec<TestId>, Vec<TestCase>) = tests.into_iter().unzip();
            let mut ids = ids.into_iter();
            let JunitSources { version, misread } = &self.options;
            let options = JunitOptions::beside(&class, "Test", *version).avoiding(misread);
            for suite in junit_suites_by(self.threads, &cases, &options) {
                let class_name = &suite.options.class_name;
                let names = suite.tests.iter().map(|test| format!("{class_name}.{test}"));
                written.names.0.extend(ids.by_ref().zip(names));
                written.files.push(TestFile { path: suite.options.file(), source: suite.source });
            }
        }
        written
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
            Some(of_class) if of_class.len() < MOST => of_class.push((id, case.clone())),
            _ => self.left_out += 1,
        }
        Ok(())
    }
}
