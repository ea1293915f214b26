//! The update of a suite after an exploration.
//!
//! The tests of the suite were pushed through the program [Makhdoom ASE'14]; each path knows which of them
//! took it. One of them keeps the path, and with it name, place and bytes; where the path or its outcome is
//! no longer what was written down, only these lines change. Paths without a test get a new one, behind the
//! test of the path before theirs. A test goes only for a reason that was seen: what an exploration did not
//! reach, because it was cut or limited to a range, stays as it is. A pure function; its cost is linear but
//! for sorting the paths by position.

use crate::{Decision, Format, MethodTests, Suite, TakenNames, Test, Text};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The end of a path.
#[derive(Clone, Debug, PartialEq)]
pub struct Reached<L: Format> {
    /// Which way the path went at each branch; these order the paths.
    pub position: Vec<u32>,
    /// The tests that took it, by their numbers in [`Explored::seeds`]; the inputs of the case are those of
    /// the first, which keeps the path.
    pub seeds: Vec<usize>,
    /// Its decisions.
    pub path: Vec<Decision>,
    /// See [`Test::sampled`].
    pub sampled: bool,
    /// The test of the path, or why there is none: `cut by --depth`. For a path that an old test took, the
    /// build is that of the old test where it still makes its objects.
    pub case: Result<L::Case, String>,
}

/// What was found in a function.
#[derive(Clone, Debug, PartialEq)]
pub struct Explored<L: Format> {
    /// The function.
    pub target: Arc<L::Target>,
    /// The names of the tests that were pushed through it.
    pub seeds: Vec<String>,
    /// The ends of paths, in any order.
    pub reached: Vec<Reached<L>>,
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
    /// The function: `mid(int, int, int)`, see [`Format::shown`].
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

/// The suite after an exploration, and what changed. Functions are in the order of the program; `gone` are
/// tests that nothing could be pushed through, and why. Functions that were not explored stay as they are.
pub fn update<L: Format>(old: &Suite<L>, explored: Vec<Explored<L>>, gone: &[Retired]) -> (Suite<L>, Update) {
    let mut taken = TakenNames::of(L::RESERVED);
    let going = going(&explored, gone);
    taken.extend(old.tests().filter(|test| !going.contains(&test.name)).map(|test| test.name.clone()));
    let index = old.tests().enumerate().map(|(at, test)| (test.name.as_str(), (at, test))).collect();
    let mut work = Work { old, index, taken, update: Update::default(), left: BTreeSet::new() };
    for retired in gone {
        work.retire(&retired.name, retired.reason.clone());
    }
    let sections: Vec<MethodTests<L>> = explored.into_iter().map(|method| work.method(method)).collect();
    let methods = work.place(sections);
    let suite = Suite { methods, ..old.clone() };
    (suite, work.update)
}

/// The names of the tests that no path keeps.
fn going<L: Format>(explored: &[Explored<L>], gone: &[Retired]) -> BTreeSet<String> {
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

struct Work<'o, L: Format> {
    old: &'o Suite<L>,
    /// Its tests by name, with their places.
    index: BTreeMap<&'o str, (usize, &'o Test<L>)>,
    /// Names that new tests cannot have. Those of tests that go now are not among them: a name is what a test
    /// shows, so the diff is that of its inputs.
    taken: TakenNames,
    update: Update,
    /// Old tests that are no longer where they were: retired, or in a section of this update.
    left: BTreeSet<String>,
}

impl<L: Format> Work<'_, L> {
    fn retire(&mut self, name: &str, reason: String) {
        if self.index.contains_key(name) && self.left.insert(name.to_string()) {
            self.update.retired.push(Retired { name: name.to_string(), reason });
        }
    }

    /// The new section of a function.
    fn method(&mut self, mut explored: Explored<L>) -> MethodTests<L> {
        explored.reached.sort_by(|a, b| a.position.cmp(&b.position));
        let target = L::section(&explored.target);
        // What is in the order of the file, and what comes behind each; new tests
        // before all are behind nothing.
        let mut survivors: BTreeMap<usize, Test<L>> = BTreeMap::new();
        let mut behind: BTreeMap<Option<usize>, Vec<Test<L>>> = BTreeMap::new();
        let (mut previous, mut first) = (None, None);
        let mut told: Vec<(String, bool)> = Vec::new();
        for reached in explored.reached {
            let seeds: Vec<(usize, &Test<L>)> = reached
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
                let name = self.taken.take(L::test_name(&case));
                self.update.new.push(name.clone());
                told.push((name.clone(), true));
                let test = Test { sampled: reached.sampled, ..Test::new(name, case, Some(reached.path)) };
                behind.entry(previous).or_default().push(test);
                continue;
            };
            let mut test = self.keep(owner, case, reached.path, &target);
            // A test that stays as it was keeps its lines.
            if test.text.0.is_none() {
                test.sampled = reached.sampled;
            }
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
    fn keep(&mut self, old: &Test<L>, case: L::Case, path: Vec<Decision>, section: &L::Target) -> Test<L> {
        let has_outcome = L::outcome(&old.case) == L::outcome(&case);
        let other_path = !old.takes(&path, section);
        let other_build = !L::is_built_alike(&old.case, &case);
        let is_kept = !other_path && !other_build && has_outcome;
        if is_kept && is_headed_alike::<L>(L::target(&old.case), section) {
            self.update.kept.push(old.name.clone());
            return old.clone();
        }
        match is_kept {
            // The heading of the function has changed: the same inputs under other names.
            true => self.update.kept.push(old.name.clone()),
            false => self.update.moved.push(Moved {
                name: old.name.clone(),
                path: other_path,
                outcome: (!has_outcome).then(|| (L::outcome_shown(&old.case), L::outcome_shown(&case))),
                build: other_build,
            }),
        }
        Test { comments: old.comments.clone(), ..Test::new(old.name.clone(), case, Some(path)) }
    }

    /// The tests of which the exploration says nothing, with their places.
    fn unreached(&mut self, seeds: &[String], section: &L::Target) -> Vec<(usize, Test<L>)> {
        let mut all = Vec::new();
        for &(at, test) in seeds.iter().filter_map(|name| self.index.get(name.as_str())) {
            if self.left.contains(&test.name) {
                continue;
            }
            self.update.unreached.push(test.name.clone());
            let own = L::target(&test.case);
            if key::<L>(own) == key::<L>(section) {
                self.left.insert(test.name.clone());
                // Under another heading its lines would not be understood.
                let is_headed_alike = is_headed_alike::<L>(own, section);
                let text = if is_headed_alike { test.text.clone() } else { Text::default() };
                all.push((at, Test { text, ..test.clone() }));
            }
        }
        all
    }

    fn section(&self, target: &L::Target) -> Option<&MethodTests<L>> {
        self.old.method(L::name(target), L::signature(target))
    }

    /// The maximal runs of new and changed tests.
    fn affected(&mut self, target: &L::Target, told: &[(String, bool)]) {
        let method = L::shown(target);
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

    /// All sections: those that were there in their old places, new ones behind that of the function
    /// before them in the program.
    fn place(&self, sections: Vec<MethodTests<L>>) -> Vec<MethodTests<L>> {
        let mut all: Vec<MethodTests<L>> = self.old.methods.clone();
        for own in &mut all {
            own.tests.retain(|test| !self.left.contains(&test.name));
        }
        let mut last: Option<usize> = None;
        for section in sections {
            let here = all.iter().position(|own| key::<L>(&own.target) == key::<L>(&section.target));
            let at = match here {
                Some(at) => {
                    all[at] = section;
                    at
                }
                None => {
                    // Where a section of the same name has lost its tests, the function
                    // has got another signature.
                    let name = L::name(&section.target);
                    let emptied = |own: &MethodTests<L>| own.tests.is_empty() && L::name(&own.target) == name;
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

/// What tells a function from the others of its unit.
fn key<L: Format>(target: &L::Target) -> (&str, &str) {
    (L::name(target), L::signature(target))
}

/// Whether lines of a test under one heading mean the same under the other.
fn is_headed_alike<L: Format>(one: &L::Target, other: &L::Target) -> bool {
    L::section(one) == L::section(other)
}
