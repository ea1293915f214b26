//! `--suite`: which tests of a suite call what is touched, and what becomes of them in the new version.
//!
//! A test that calls nothing that changed or is affected does what it did, and is not run. The inputs of the
//! others run on both versions beside those that exploring finds.

use super::behave::{Fate, Input};
use super::version::Version;
use super::versions::Versions;
use crate::explore::programs::{CaseOf, EntryOf, LanguageOf};
use evergreen_service::{Changes, Format, Program, SuiteFolder};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A test that may notice the change.
pub(super) struct Affected<F: Versions> {
    /// Unit and name: `Mid.mid_returns_2`.
    pub name: String,
    /// What it calls.
    pub method: F::Key,
    /// Whether the new version has no such method.
    pub is_gone: bool,
    case: CaseOf<F>,
}

/// The tests of a suite.
pub(super) struct SuiteTests<F: Versions> {
    /// How many there are of the units of both versions.
    pub all: usize,
    /// Tests that call what changed, is affected or was removed.
    pub affected: Vec<Affected<F>>,
}

impl<F: Versions> SuiteTests<F> {
    /// Reads the suites of all units of both versions.
    pub(super) fn read(
        root: &Path,
        old: &Version<F>,
        new: &Version<F>,
        changes: &Changes<F::Key>,
    ) -> Result<SuiteTests<F>, String> {
        if !root.is_dir() {
            return Err(format!(
                "{}: no such folder\nhelp: evergreen explore --suite makes one",
                root.display()
            ));
        }
        let folder = SuiteFolder::<LanguageOf<F>>::new(root);
        let removed: BTreeSet<&F::Key> = changes.removed.iter().collect();
        let programs = [&old.program, &new.program];
        let units: BTreeSet<String> = programs.iter().flat_map(|program| program.units()).collect();
        let mut tests = SuiteTests { all: 0, affected: Vec::new() };
        for unit in units {
            let Some(suite) = folder.read(&unit).map_err(|e| e.to_string())? else { continue };
            for test in suite.tests() {
                let method = F::key_of_target(LanguageOf::<F>::target(&test.case));
                tests.all += 1;
                let is_gone = removed.contains(&method);
                if is_gone || changes.touches(&method) {
                    let name = format!("{unit}.{}", test.name);
                    tests.affected.push(Affected { name, method, is_gone, case: test.case.clone() });
                }
            }
        }
        Ok(tests)
    }

    /// What is to run, for the methods that are compared.
    pub(super) fn inputs(&self, entries: &[EntryOf<F>]) -> Vec<Input<F>> {
        let numbers: BTreeMap<F::Key, usize> =
            entries.iter().enumerate().map(|(number, entry)| (F::key(entry), number)).collect();
        let input = |test: &Affected<F>| {
            let method = *numbers.get(&test.method)?;
            Some(Input { method, test: Some(test.name.clone()), case: test.case.clone() })
        };
        self.affected.iter().filter_map(input).collect()
    }

    /// What became of a test, in a word or two.
    fn fate(&self, test: &Affected<F>, fates: &BTreeMap<String, Fate>) -> String {
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
        let same = |test: &&Affected<F>| fates.get(&test.name) == Some(&Fate::Same);
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
        let one = |test: &Affected<F>| {
            let fate = self.fate(test, fates);
            json!({ "test": test.name, "method": test.method.to_string(), "fate": fate })
        };
        let affected: Vec<Value> = self.affected.iter().map(one).collect();
        json!({ "event": "suite", "tests": self.all, "affected": affected })
    }
}
