//! `--suite`: which tests of a suite call what is touched, and what becomes of them in the new version.
//!
//! A test that calls nothing that changed or is affected does what it did, and is not run. The inputs of the
//! others run on both versions beside those that exploring finds.

use super::behave::{Fate, Input};
use super::version::Version;
use evergreen_java::replay::TestCase;
use evergreen_java::suite::Folder;
use evergreen_java::{Changes, MethodKey, MethodRef};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A test that may notice the change.
pub(super) struct Affected {
    /// Class and name: `Mid.mid_returns_2`.
    pub name: String,
    /// What it calls.
    pub method: MethodKey,
    /// Whether the new version has no such method.
    pub is_gone: bool,
    case: TestCase,
}

/// The tests of a suite.
pub(super) struct SuiteTests {
    /// How many there are of the classes of both versions.
    pub all: usize,
    /// Tests that call what changed, is affected or was removed.
    pub affected: Vec<Affected>,
}

impl SuiteTests {
    /// Reads the suites of all classes of both versions.
    pub(super) fn read(
        root: &Path,
        old: &Version,
        new: &Version,
        changes: &Changes,
    ) -> Result<SuiteTests, String> {
        if !root.is_dir() {
            return Err(format!(
                "{}: no such folder\nhelp: evergreen explore --suite makes one",
                root.display()
            ));
        }
        let folder = Folder::new(root);
        let removed: BTreeSet<&MethodKey> = changes.removed.iter().collect();
        let programs = [&old.program, &new.program];
        let classes: BTreeSet<String> =
            programs.iter().flat_map(|program| program.classes()).map(|class| class.java_name()).collect();
        let mut tests = SuiteTests { all: 0, affected: Vec::new() };
        for class in classes {
            let Some(suite) = folder.read(&class).map_err(|e| e.to_string())? else { continue };
            for test in suite.tests() {
                let target = &test.case.target;
                let method = MethodKey {
                    class: target.class.replace('.', "/"),
                    name: target.method.clone(),
                    descriptor: target.descriptor.clone(),
                };
                tests.all += 1;
                let is_gone = removed.contains(&method);
                if is_gone || changes.touches(&method) {
                    let name = format!("{class}.{}", test.name);
                    tests.affected.push(Affected { name, method, is_gone, case: test.case.clone() });
                }
            }
        }
        Ok(tests)
    }

    /// What is to run, for the methods that are compared.
    pub(super) fn inputs(&self, methods: &[MethodRef]) -> Vec<Input> {
        let numbers: BTreeMap<MethodKey, usize> =
            methods.iter().enumerate().map(|(number, method)| (MethodKey::from(method), number)).collect();
        let input = |test: &Affected| {
            let method = *numbers.get(&test.method)?;
            Some(Input { method, test: Some(test.name.clone()), case: test.case.clone() })
        };
        self.affected.iter().filter_map(input).collect()
    }

    /// What became of a test, in a word or two.
    fn fate(&self, test: &Affected, fates: &BTreeMap<String, Fate>) -> String {
        match fates.get(&test.name) {
            _ if test.is_gone => "its method is gone".into(),
            None => "not run".into(),
            Some(Fate::Same) => "same".into(),
            Some(Fate::Unfit) => "fits one version only".into(),
            Some(Fate::Unstable) => "does something else each time".into(),
            Some(Fate::Differs { old, new }) => format!("{old} before, {new} now"),
        }
    }

    /// For people: how many there are, and those that behave differently now.
    pub(super) fn lines(&self, fates: &BTreeMap<String, Fate>) -> Vec<String> {
        let same = |test: &&Affected| fates.get(&test.name) == Some(&Fate::Same);
        let kept = self.affected.iter().filter(same).count();
        let mut lines = vec![format!(
            "suite: {} of {} tests call what is touched; {kept} of them do what they did",
            self.affected.len(),
            self.all
        )];
        let others = self.affected.iter().filter(|test| !same(test));
        lines.extend(others.map(|test| format!("  {}: {}", test.name, self.fate(test, fates))));
        lines
    }

    /// For programs.
    pub(super) fn json(&self, fates: &BTreeMap<String, Fate>) -> Value {
        let one = |test: &Affected| {
            let fate = self.fate(test, fates);
            json!({ "test": test.name, "method": test.method.to_string(), "fate": fate })
        };
        let affected: Vec<Value> = self.affected.iter().map(one).collect();
        json!({ "event": "suite", "tests": self.all, "affected": affected })
    }
}
