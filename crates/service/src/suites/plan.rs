//! Which entries are explored, and which old tests are pushed through each.
//!
//! The tests of a function that is no longer there go to the one that has taken its place, if there is
//! exactly one candidate: the only new one of the same name (its signature has changed) or else the only new
//! one with the same signature (it was renamed). This needs no trust: a test is only an input.

use super::{Program, SuiteOptions};
use crate::Language;
use evergreen_explore::{Limit, Range};
use evergreen_suite::{MethodTests, Retired, Suite};
use std::collections::BTreeMap;
use std::marker::PhantomData;

/// Unit, name and signature of a function.
type Key = (String, String, String);

/// Which old tests go where.
pub(super) struct Plan<L: Language> {
    /// Names of tests, by the method that they are pushed through.
    seeds: BTreeMap<Key, Vec<String>>,
    /// Tests that have no method, by class.
    gone: BTreeMap<String, Vec<Retired>>,
    /// The tests that bound what is explored.
    between: (Option<String>, Option<String>),
    language: PhantomData<L>,
}

impl<L: Language> Plan<L> {
    /// For entries that were asked for; and these, with those that the suites have beside.
    pub(super) fn new(
        options: &SuiteOptions<L>,
        program: &dyn Program<L>,
        entries: &[L::Entry],
        suites: &[&Suite<L>],
    ) -> Result<(Plan<L>, Vec<L::Entry>), String> {
        let (seeds, gone) = (BTreeMap::new(), BTreeMap::new());
        let mut plan = Plan { seeds, gone, between: (None, None), language: PhantomData };
        let mut entries = entries.to_vec();
        let is_whole = options.is_whole && options.between.is_none();
        if let Some((from, to)) = &options.between {
            entries = vec![plan.limit(program, suites, from, to)?];
        }
        if is_whole {
            entries.extend(unasked(program, &entries, suites));
        }
        let targets: Vec<L::Target> = entries.iter().map(|entry| program.target(entry)).collect();
        for target in &targets {
            let own = suites.iter().find(|suite| suite.class == L::unit(target));
            let section = own.and_then(|suite| suite.method(L::name(target), L::signature(target)));
            plan.seeds.insert(key::<L>(target), section.map(names).unwrap_or_default());
        }
        for suite in suites {
            for section in suite.methods.iter().filter(|section| !program.has(&section.target)) {
                plan.orphan(suite, section, &targets, is_whole);
            }
        }
        Ok((plan, entries))
    }

    /// The tests that are pushed through a function.
    pub(super) fn seeds(&self, target: &L::Target) -> Vec<String> {
        self.seeds.get(&key::<L>(target)).cloned().unwrap_or_default()
    }

    /// The tests of a class that have no method.
    pub(super) fn gone(&self, class: &str) -> &[Retired] {
        self.gone.get(class).map(Vec::as_slice).unwrap_or_default()
    }

    /// What is explored, given the tests that are pushed through a method.
    pub(super) fn range(&self, seeds: &[String]) -> Range {
        let limit = |name: &Option<String>| {
            let name = name.as_ref()?;
            seeds.iter().position(|own| own == name).map(Limit::Seed)
        };
        Range { from: limit(&self.between.0), to: limit(&self.between.1) }
    }

    /// Gives the tests of a function that is no longer there to another one, or reports that they have none.
    fn orphan(&mut self, suite: &Suite<L>, section: &MethodTests<L>, targets: &[L::Target], is_whole: bool) {
        let gone = &*section.target;
        let is_new = |target: &&L::Target| {
            L::unit(target) == suite.class && suite.method(L::name(target), L::signature(target)).is_none()
        };
        let of_unit: Vec<&L::Target> = targets.iter().filter(is_new).collect();
        let same_name: Vec<&&L::Target> = of_unit.iter().filter(|t| L::name(t) == L::name(gone)).collect();
        let same_types: Vec<&&L::Target> =
            of_unit.iter().filter(|t| L::signature(t) == L::signature(gone)).collect();
        let heir = match (&same_name[..], &same_types[..]) {
            ([one], _) => Some(one),
            ([], [one]) if is_whole => Some(one),
            _ => None,
        };
        if let Some(heir) = heir {
            self.seeds.entry(key::<L>(heir)).or_default().extend(names(section));
            return;
        }
        // Another run may be about it.
        let is_meant = targets.iter().any(|t| L::unit(t) == suite.class && L::name(t) == L::name(gone));
        if is_whole || is_meant {
            let reason = format!("the {} {} is gone", L::FUNCTION, L::shown(gone));
            let retired =
                section.tests.iter().map(|test| Retired { name: test.name.clone(), reason: reason.clone() });
            self.gone.entry(suite.class.clone()).or_default().extend(retired);
        }
    }

    /// Limits the run to the method of the tests between which it is to be explored.
    fn limit(
        &mut self,
        program: &dyn Program<L>,
        suites: &[&Suite<L>],
        from: &str,
        to: &str,
    ) -> Result<L::Entry, String> {
        let mut ends = Vec::new();
        for wanted in [from, to] {
            ends.push(if wanted.is_empty() { None } else { Some(find(suites, wanted)?) });
        }
        let mut places = ends.iter().flatten();
        let Some((suite, section, _)) = places.next() else { return Err("--between names no test".into()) };
        if places.any(|(other, own, _)| other.class != suite.class || own.target != section.target) {
            return Err(format!("--between {from},{to}: these are tests of two {}s", L::FUNCTION));
        }
        let names = ends.iter().map(|end| end.as_ref().map(|(_, _, name)| name.clone()));
        let mut names = names.collect::<Vec<_>>().into_iter();
        self.between = (names.next().flatten(), names.next().flatten());
        let (kind, shown) = (L::FUNCTION, L::shown(&section.target));
        program
            .entry(&section.target)
            .ok_or_else(|| format!("--between {from},{to}: the {kind} {shown} is gone"))
    }
}

/// A test of some suite: `name` or `Class.name`.
fn find<'s, L: Language>(
    suites: &[&'s Suite<L>],
    wanted: &str,
) -> Result<(&'s Suite<L>, &'s MethodTests<L>, String), String> {
    let (class, name) = match wanted.rsplit_once('.') {
        Some((class, name)) => (Some(class), name),
        None => (None, wanted),
    };
    let is_class = |suite: &&&Suite<L>| {
        class.is_none_or(|class| suite.class == class || suite.class.rsplit(['.', '$']).next() == Some(class))
    };
    let sections =
        suites.iter().filter(is_class).flat_map(|suite| suite.methods.iter().map(move |own| (*suite, own)));
    let found: Vec<_> = sections.filter(|(_, own)| own.tests.iter().any(|test| test.name == name)).collect();
    match &found[..] {
        [(suite, section)] => Ok((*suite, *section, name.to_string())),
        [] => Err(format!("no test \"{wanted}\" in the suite")),
        several => {
            let all: Vec<String> =
                several.iter().map(|(suite, _)| format!("{}.{name}", suite.class)).collect();
            Err(format!("test \"{wanted}\" is ambiguous\nhelp: write {}", all.join(" or ")))
        }
    }
}

/// Entries that the suites have tests of and that were not asked for: those that are not public, for example.
fn unasked<L: Language>(
    program: &dyn Program<L>,
    entries: &[L::Entry],
    suites: &[&Suite<L>],
) -> Vec<L::Entry> {
    let sections = suites.iter().flat_map(|suite| &suite.methods);
    let found = sections.filter_map(|own| program.entry(&own.target));
    found.filter(|entry| !entries.contains(entry)).collect()
}

fn key<L: Language>(target: &L::Target) -> Key {
    (L::unit(target).to_string(), L::name(target).to_string(), L::signature(target).to_string())
}

fn names<L: Language>(section: &MethodTests<L>) -> Vec<String> {
    section.tests.iter().map(|test| test.name.clone()).collect()
}
