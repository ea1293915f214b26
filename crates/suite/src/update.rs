//! The update of a suite after an exploration.
//!
//! The tests of the suite were pushed through the program [Makhdoom ASE'14]; each path knows which of them
//! took it. One of them keeps the path, and with it name, place and bytes; where the path or its outcome
//! differs from the suite's, only these lines change. Paths without a test get a new one, behind the test of
//! the path before theirs. A test is removed only for an observed reason: tests that an exploration did not
//! reach, because it was cut or limited to a range, stay as they are. A pure function; its cost is linear but
//! for sorting the paths by position.

use crate::line::quoted;
use crate::{Decision, MethodTests, Suite, Test, Text};
use crate::{types, write};
use evergreen_replay::{Receiver, TakenNames, Target, TestCase, reserved_names, test_name};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The end of a path.
#[derive(Clone, Debug, PartialEq)]
pub struct Reached {
    /// Which way the path went at each branch; these order the paths.
    pub position: Vec<u32>,
    /// The tests that took it, by their numbers in [`Explored::seeds`]; the inputs of the case are those of
    /// the first, which keeps the path.
    pub seeds: Vec<usize>,
    /// Its decisions.
    pub path: Vec<Decision>,
    /// The test of the path, or why there is none: `cut by --depth`. For a path that an old test took, the
    /// build is that of the old test where it still makes its objects.
    pub case: Result<TestCase, String>,
}

/// The paths found in a method.
#[derive(Clone, Debug, PartialEq)]
pub struct Explored {
    /// The method.
    pub target: Arc<Target>,
    /// The names of the tests that were pushed through it.
    pub seeds: Vec<String>,
    /// The ends of paths, in any order.
    pub reached: Vec<Reached>,
    /// Tests that took no path, by their numbers in `seeds`, and why.
    pub retired: Vec<(usize, String)>,
}

/// A test whose path or outcome changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// Its name.
    pub name: String,
    /// Whether it takes another path.
    pub path: bool,
    /// The outcome that it had and the one that it has, if these differ.
    pub outcome: Option<(String, String)>,
    /// Whether other calls make its objects.
    pub build: bool,
}

/// A test that is no longer in the suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retired {
    /// Its name.
    pub name: String,
    /// Why.
    pub reason: String,
}

/// Paths side by side that are new or changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Affected {
    /// The method: `mid(int, int, int)`.
    pub method: String,
    /// The last unchanged test before them; `None` if they are the first.
    pub after: Option<String>,
    /// The first unchanged test behind them; `None` if they are the last.
    pub before: Option<String>,
    /// Their tests.
    pub tests: Vec<String>,
}

/// The changes of an exploration to a suite.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Update {
    /// Tests that take the path that they took, with the outcome that they had.
    pub kept: Vec<String>,
    /// Tests that are kept with another path or outcome.
    pub moved: Vec<Moved>,
    /// Tests that the update removed.
    pub retired: Vec<Retired>,
    /// Tests of new paths.
    pub new: Vec<String>,
    /// Tests that the exploration did not reach; they stay as they are.
    pub unreached: Vec<String>,
    /// The ranges of paths that the change affects.
    pub affected: Vec<Affected>,
}

impl Update {
    /// Adds the changes of another suite; its tests are reported with their class.
    pub fn add(&mut self, other: Update) {
        self.kept.extend(other.kept);
        self.moved.extend(other.moved);
        self.retired.extend(other.retired);
        self.new.extend(other.new);
        self.unreached.extend(other.unreached);
        self.affected.extend(other.affected);
    }

    /// Whether the suite is as it was.
    pub fn is_empty(&self) -> bool {
        self.moved.is_empty() && self.retired.is_empty() && self.new.is_empty()
    }
}

/// The suite after an exploration, and what changed. Methods are in the order of the program; `gone` are
/// tests that could not be replayed, each with its reason. Methods that were not explored stay as they are.
pub fn update(old: &Suite, explored: Vec<Explored>, gone: &[Retired]) -> (Suite, Update) {
    let mut taken = reserved_names();
    let going = going(&explored, gone);
    taken.extend(old.tests().filter(|test| !going.contains(&test.name)).map(|test| test.name.clone()));
    let index = old.tests().enumerate().map(|(at, test)| (test.name.as_str(), (at, test))).collect();
    let mut work = Work { old, index, taken, update: Update::default(), left: BTreeSet::new() };
    for retired in gone {
        work.retire(&retired.name, retired.reason.clone());
    }
    let sections: Vec<MethodTests> = explored.into_iter().map(|method| work.method(method)).collect();
    let methods = work.place(sections);
    let suite = Suite { methods, ..old.clone() };
    (suite, work.update)
}

/// The names of the tests that no path keeps.
fn going(explored: &[Explored], gone: &[Retired]) -> BTreeSet<String> {
    let (mut going, mut kept) = (BTreeSet::new(), BTreeSet::new());
    going.extend(gone.iter().map(|retired| retired.name.clone()));
    for method in explored {
        let name = |seed: &usize| method.seeds.get(*seed).cloned();
        for reached in &method.reached {
            let owners = if reached.case.is_ok() { 1 } else { 0 };
            kept.extend(reached.seeds.iter().take(owners).filter_map(name));
            going.extend(reached.seeds.iter().skip(owners).filter_map(name));
        }
        going.extend(method.retired.iter().filter_map(|(seed, _)| name(seed)));
    }
    going.retain(|name| !kept.contains(name));
    going
}

struct Work<'o> {
    old: &'o Suite,
    /// Its tests by name, with their places.
    index: BTreeMap<&'o str, (usize, &'o Test)>,
    /// Names that new tests cannot have. Names of tests removed by this update are free: a name shows the
    /// outcome of its test, so the diff is that of the inputs.
    taken: TakenNames,
    update: Update,
    /// Old tests that are no longer where they were: retired, or in a section of this update.
    left: BTreeSet<String>,
}

impl Work<'_> {
    fn retire(&mut self, name: &str, reason: String) {
        if self.index.contains_key(name) && self.left.insert(name.to_string()) {
            self.update.retired.push(Retired { name: name.to_string(), reason });
        }
    }

    /// The new section of a method.
    fn method(&mut self, mut explored: Explored) -> MethodTests {
        explored.reached.sort_by(|a, b| a.position.cmp(&b.position));
        let target = section_target(&explored.target);
        // The surviving tests in the order of the file, and the new tests behind each; new tests
        // before all have no predecessor.
        let mut survivors: BTreeMap<usize, Test> = BTreeMap::new();
        let mut behind: BTreeMap<Option<usize>, Vec<Test>> = BTreeMap::new();
        let (mut previous, mut first) = (None, None);
        let mut told: Vec<(String, bool)> = Vec::new();
        for reached in explored.reached {
            let seeds: Vec<(usize, &Test)> = reached
                .seeds
                .iter()
                .filter_map(|&seed| self.index.get(explored.seeds.get(seed)?.as_str()).copied())
                .filter(|(_, test)| !self.left.contains(&test.name))
                .collect();
            let case = match reached.case {
                Ok(case) => case,
                Err(reason) => {
                    seeds.iter().for_each(|(_, test)| self.retire(&test.name, reason.clone()));
                    continue;
                }
            };
            let Some(&(at, owner)) = seeds.first() else {
                let (name, _) = test_name(&target.method, &case.ending.title(), &mut self.taken);
                self.update.new.push(name.clone());
                told.push((name.clone(), true));
                behind.entry(previous).or_default().push(Test::new(name, case, Some(reached.path)));
                continue;
            };
            let test = self.keep(owner, case, reached.path, &target);
            told.push((owner.name.clone(), self.update.kept.last() != Some(&owner.name)));
            self.left.insert(owner.name.clone());
            survivors.insert(at, test);
            previous = Some(at);
            first = first.or(previous);
            for (_, other) in &seeds[1..] {
                self.retire(&other.name, format!("takes the same path as {}", owner.name));
            }
        }
        for (seed, reason) in explored.retired {
            if let Some(name) = explored.seeds.get(seed) {
                self.retire(name, reason);
            }
        }
        for (at, test) in self.unreached(&explored.seeds, &target) {
            survivors.insert(at, test);
        }
        self.affected(&target, &told);
        let first = first.or(survivors.keys().next().copied());
        let mut tests = Vec::new();
        if first.is_none() {
            tests.extend(behind.remove(&None).unwrap_or_default());
        }
        for (at, test) in survivors {
            if Some(at) == first {
                tests.extend(behind.remove(&None).unwrap_or_default());
            }
            tests.push(test);
            tests.extend(behind.remove(&Some(at)).unwrap_or_default());
        }
        let comments = self.section(&target).map(|own| own.comments.clone()).unwrap_or_default();
        MethodTests { target: Arc::new(target), tests, comments }
    }

    /// An old test on the path that it took now.
    fn keep(&mut self, old: &Test, case: TestCase, path: Vec<Decision>, target: &Target) -> Test {
        let (was, is) = (says(&old.case), says(&case));
        let other_path = !old.takes(&path, target);
        let other_build = old.case.build != case.build;
        let is_kept = !other_path && !other_build && was == is;
        if is_kept && section_target(&old.case.target) == *target {
            self.update.kept.push(old.name.clone());
            return old.clone();
        }
        match is_kept {
            // The heading of the method has changed: the same inputs under other names.
            true => self.update.kept.push(old.name.clone()),
            false => self.update.moved.push(Moved {
                name: old.name.clone(),
                path: other_path,
                outcome: (was != is).then(|| (told(&was), told(&is))),
                build: other_build,
            }),
        }
        Test { comments: old.comments.clone(), ..Test::new(old.name.clone(), case, Some(path)) }
    }

    /// The tests that the exploration did not reach, with their places.
    fn unreached(&mut self, seeds: &[String], target: &Target) -> Vec<(usize, Test)> {
        let mut all = Vec::new();
        for &(at, test) in seeds.iter().filter_map(|name| self.index.get(name.as_str())) {
            if self.left.contains(&test.name) {
                continue;
            }
            self.update.unreached.push(test.name.clone());
            let own = &test.case.target;
            if own.method == target.method && own.descriptor == target.descriptor {
                self.left.insert(test.name.clone());
                // Under another heading its lines would not be understood.
                let text = if section_target(own) == *target { test.text.clone() } else { Text::default() };
                all.push((at, Test { text, ..test.clone() }));
            }
        }
        all
    }

    fn section(&self, target: &Target) -> Option<&MethodTests> {
        self.old.method(&target.method, &target.descriptor)
    }

    /// The maximal runs of new and changed tests.
    fn affected(&mut self, target: &Target, told: &[(String, bool)]) {
        let (parameters, _) = types::parts(&target.descriptor);
        let method = format!("{}({})", target.method, types::write_all(&parameters));
        let mut after = None;
        let mut run: Vec<String> = Vec::new();
        for (name, changed) in told {
            if *changed {
                run.push(name.clone());
                continue;
            }
            let before = Some(name.clone());
            if !run.is_empty() {
                let (method, tests) = (method.clone(), std::mem::take(&mut run));
                self.update.affected.push(Affected { method, after, before: before.clone(), tests });
            }
            after = before;
        }
        if !run.is_empty() {
            self.update.affected.push(Affected { method, after, before: None, tests: run });
        }
    }

    /// All sections: those that were there in their old places, new ones behind that of the method
    /// before them in the program.
    fn place(&self, sections: Vec<MethodTests>) -> Vec<MethodTests> {
        let key = |own: &MethodTests| (own.target.method.clone(), own.target.descriptor.clone());
        let mut all: Vec<MethodTests> = self.old.methods.clone();
        for own in &mut all {
            own.tests.retain(|test| !self.left.contains(&test.name));
        }
        let mut last: Option<usize> = None;
        for section in sections {
            let here = all.iter().position(|own| key(own) == key(&section));
            let at = match here {
                Some(at) => {
                    all[at] = section;
                    at
                }
                None => {
                    // Where a section of the same name has lost its tests, the method
                    // has got another signature.
                    let emptied = |own: &MethodTests| {
                        own.tests.is_empty() && own.target.method == section.target.method
                    };
                    let at = all.iter().position(emptied).or(last.map(|at| at + 1)).unwrap_or(0);
                    all.insert(at, section);
                    at
                }
            };
            last = Some(at);
        }
        all.retain(|own| !own.tests.is_empty());
        all
    }
}

/// The outcome as text, in which every bit of it is seen.
fn says(case: &TestCase) -> (String, Option<String>) {
    let (_, result) = types::parts(&case.target.descriptor);
    (write::ending(&case.ending, result.as_ref()), case.output.clone())
}

impl Test {
    /// Whether the path and the outcome found with its inputs are those of the suite.
    pub fn still_holds(&self, case: &TestCase, path: &[Decision]) -> bool {
        self.takes(path, &case.target) && says(&self.case) == says(case)
    }

    /// Whether its path is this one of a method, which may have had another name.
    fn takes(&self, path: &[Decision], target: &Target) -> bool {
        let old = &self.case.target;
        let of = |target: &Target| format!("{}{}", target.method, target.descriptor);
        let (was, is) = (of(old), of(target));
        let same = |a: &Decision, b: &Decision| {
            let renamed =
                a.class == old.class && a.method == was && b.class == target.class && b.method == is;
            let renamed = renamed && old.descriptor == target.descriptor;
            (a.kind, a.ordinal, a.arm) == (b.kind, b.ordinal, b.arm)
                && (renamed || (&a.class, &a.method) == (&b.class, &b.method))
        };
        let known = self.path.as_deref();
        known
            .is_some_and(|known| known.len() == path.len() && known.iter().zip(path).all(|(a, b)| same(a, b)))
    }
}

/// The outcome in words.
fn told((ending, output): &(String, Option<String>)) -> String {
    match output.as_deref() {
        None | Some("") => ending.clone(),
        Some(text) => {
            format!("{ending}, prints {}", quoted(&text.encode_utf16().collect::<Vec<u16>>(), '"'))
        }
    }
}

/// The method as a heading has it: the receiver differs from test to test.
fn section_target(target: &Target) -> Target {
    let receiver = match target.receiver {
        Receiver::Static => Receiver::Static,
        _ => Receiver::DefaultConstructor,
    };
    Target { receiver, ..target.clone() }
}
