//! `--suite`: the tests of earlier versions are seeds, and what the exploration finds becomes the suite.
//!
//! All files are read before anything is explored, so that a flaw in one of them costs nothing; they are written at the end, also of a run that was
//! cut. A test that the JVM took differently (a bug of ours) does not get into a suite, and one that is there stays as it was.

mod plan;
mod tell;

use super::tests_run::TestsRun;
use crate::flags::{Explore, JunitFlag};
use evergreen::explore::replay::{Junit, TestCase};
use evergreen::explore::suite::{Decision, Explored, Folder, Reached, Suite, Test, update};
use evergreen::explore::{Decision as Found, DecisionKind, misread, target};
use evergreen::explore::{Exploration, How, MethodRef, Old, OldTests, PathEnd, Program, Retirement};
use plan::Plan;
use std::collections::BTreeMap;
use std::sync::Arc;
pub use tell::Told;

/// The suites of a run.
pub struct Suites {
    folder: Folder,
    version: Junit,
    old: Old,
    plan: Plan,
    /// By class, as `Class.getName` has it.
    classes: BTreeMap<String, OfClass>,
    /// The method that is being explored.
    open: Option<Open>,
}

struct OfClass {
    old: Suite,
    explored: Vec<Method>,
}

/// A method that was explored.
struct Method {
    explored: Explored,
    /// The number of the replay of each path that was reached.
    replays: Vec<Option<u64>>,
}

struct Open {
    method: Method,
    /// The old tests, in the order of their numbers.
    seeds: Vec<Test>,
    /// Numbers of old tests of which nobody could say enough: they stay.
    doubtful: Vec<usize>,
}

impl Suites {
    /// Reads the suites of a program's classes, and says which methods are to be explored.
    pub fn open(
        flags: &Explore,
        program: &Program,
        methods: &[MethodRef],
    ) -> Result<Option<(Suites, Vec<MethodRef>)>, String> {
        let Some(root) = &flags.suite.suite else { return Ok(None) };
        // Better now than after the exploration.
        std::fs::create_dir_all(root).map_err(|e| format!("{}: {e}", root.display()))?;
        let folder = Folder::new(root).avoiding(misread(program));
        let mut classes = BTreeMap::new();
        for class in program.classes() {
            let name = class.java_name();
            let old = folder.read(&name).map_err(|e| e.to_string())?;
            let old = old.unwrap_or_else(|| Suite::of_class(&name));
            classes.insert(name, OfClass { old, explored: Vec::new() });
        }
        let suites: Vec<&Suite> = classes.values().map(|own: &OfClass| &own.old).collect();
        let (plan, methods) = Plan::new(flags, program, methods, &suites)?;
        let version = match flags.junit {
            JunitFlag::Four => Junit::Four,
            JunitFlag::Five => Junit::Five,
        };
        let old = match flags.suite.trust_old_infeasible {
            true => Old::TrustInfeasible,
            false => Old::TrustNothing,
        };
        Ok(Some((Suites { folder, version, old, plan, classes, open: None }, methods)))
    }

    /// A method begins: the old tests that are pushed through it.
    pub fn begins(&mut self, method: &MethodRef, program: &Program) -> OldTests {
        let class = method.class.replace('/', ".");
        let names = self.plan.seeds(method);
        let old = self.classes.get(&class).map(|own| &own.old);
        let all: BTreeMap<&str, &Test> =
            old.iter().flat_map(|old| old.tests()).map(|test| (test.name.as_str(), test)).collect();
        let seeds: Vec<Test> =
            names.iter().filter_map(|name| all.get(name.as_str())).map(|test| Test::clone(test)).collect();
        // A path that cannot be understood is none.
        let path = |test: &Test| test.path.iter().flatten().map(recorded).collect::<Option<Vec<Found>>>();
        let old_tests = OldTests {
            tests: seeds.iter().map(|test| test.case.clone()).collect(),
            paths: seeds.iter().map(|test| path(test).unwrap_or_default()).collect(),
            old: self.old,
            range: self.plan.range(&names),
        };
        let target = Arc::new(target(program, method));
        let explored = Explored { target, seeds: names, reached: Vec::new(), retired: Vec::new() };
        let method = Method { explored, replays: Vec::new() };
        self.open = Some(Open { method, seeds, doubtful: Vec::new() });
        old_tests
    }

    /// The end of a path: the test that it has in the suite, which is to be replayed under this number.
    pub fn path(&mut self, end: &PathEnd, replay: Option<u64>) -> Option<TestCase> {
        let open = self.open.as_mut()?;
        let Some(case) = &end.case else {
            // Of other ends the run says itself why old tests are not kept there.
            if matches!(end.how, How::Returned(_) | How::Threw { .. } | How::Exited(_)) {
                open.doubtful.extend(&end.seeds);
            }
            return None;
        };
        let path: Vec<Decision> = end.decisions.iter().map(decision).collect();
        // What is kept is the old test, so it is the old test that has to take the path.
        let replayed = match end.seeds.first().and_then(|first| open.seeds.get(*first)) {
            Some(old) if old.still_holds(case, &path) => {
                TestCase { target: case.target.clone(), arms: case.arms.clone(), ..old.case.clone() }
            }
            _ => case.clone(),
        };
        let (position, seeds) = (end.position.clone(), end.seeds.clone());
        open.method.explored.reached.push(Reached { position, seeds, path, case: Ok(case.clone()) });
        open.method.replays.push(replay);
        Some(replayed)
    }

    /// The method ends: what became of the old tests.
    pub fn ends(&mut self, retired: Vec<(usize, Retirement)>) {
        let Some(open) = &mut self.open else { return };
        let explored = &mut open.method.explored;
        for (seed, why) in retired {
            let reason = match why {
                Retirement::OutOfRange => continue,
                _ if open.doubtful.contains(&seed) => continue,
                Retirement::SamePath(other) => {
                    let other = explored.seeds.get(other).cloned().unwrap_or_default();
                    format!("takes the same path as {other}")
                }
                why => why.to_string(),
            };
            explored.retired.push((seed, reason));
        }
    }

    /// Has the public calls of old tests tried again; others are looked for where they no longer make the objects.
    pub fn retry_calls(&mut self, exploration: &mut Exploration, by_calls: bool) {
        let Some(mut open) = self.open.take() else { return };
        for reached in &mut open.method.explored.reached {
            let Some(old) = reached.seeds.first().and_then(|first| open.seeds.get(*first)) else { continue };
            let Ok(case) = &mut reached.case else { continue };
            case.build.clone_from(&old.case.build);
            if case.build.is_some() && !(old.case.objects == case.objects && exploration.makes(&old.case)) {
                case.build = None;
                case.build = if by_calls { exploration.find_calls(case) } else { None };
            }
        }
        if let Some(own) = self.classes.get_mut(&open.method.explored.target.class) {
            own.explored.push(open.method);
        }
    }

    /// Updates and writes the suites; what changed.
    pub fn finish(self, tests: &TestsRun) -> Result<Told, String> {
        let Suites { folder, version, plan, classes, .. } = self;
        let diverged: Vec<u64> = tests.divergences().iter().map(|divergence| divergence.number).collect();
        let mut told = Told::default();
        for (class, own) in classes {
            let explored = own.explored.into_iter().map(|method| method.without(&diverged)).collect();
            let (new, changed) = update(&own.old, explored, plan.gone(&class));
            if new.tests().next().is_some() || own.old.tests().next().is_some() {
                folder.write(&new, version).map_err(|e| e.to_string())?;
            }
            told.add(&class, changed);
        }
        Ok(told)
    }
}

impl Method {
    /// Without the paths whose tests the JVM took differently.
    fn without(self, diverged: &[u64]) -> Explored {
        let Method { mut explored, replays } = self;
        let mut replays = replays.into_iter();
        explored
            .reached
            .retain(|_| !replays.next().flatten().is_some_and(|number| diverged.contains(&number)));
        explored
    }
}

/// A decision as suites have it.
fn decision(found: &Found) -> Decision {
    Decision {
        class: found.class.replace('/', "."),
        method: format!("{}{}", found.method, found.descriptor),
        kind: found.kind.letter(),
        ordinal: found.ordinal,
        arm: found.arm,
    }
}

/// A decision as explorations have it.
fn recorded(decision: &Decision) -> Option<Found> {
    let (method, _) = decision.method.split_once('(')?;
    Some(Found {
        class: decision.class.replace('.', "/").into(),
        method: method.into(),
        descriptor: decision.method[method.len()..].into(),
        kind: *DecisionKind::ALL.iter().find(|kind| kind.letter() == decision.kind)?,
        ordinal: decision.ordinal,
        arm: decision.arm,
    })
}
