//! Which methods are explored, and which old tests are pushed through each.
//!
//! The tests of a method that is no longer there go to the method that has taken its place, if it is plain which one: the only new one of the same
//! name (its signature has changed) or else the only new one with the same signature (it was renamed). Nothing is believed by that: a test is an input.

use crate::flags::Explore;
use evergreen_java::classfile::{ClassFile, MethodDescriptor};
use evergreen_java::replay::Target;
use evergreen_java::suite::{MethodTests, Retired, Suite};
use evergreen_java::{Limit, MethodRef, Program, Range};
use std::collections::BTreeMap;

/// Class, name and descriptor of a method.
type Key = (String, String, String);

/// Which old tests go where.
#[derive(Default)]
pub struct Plan {
    /// Names of tests, by the method that they are pushed through.
    seeds: BTreeMap<Key, Vec<String>>,
    /// Tests that have no method, by class.
    gone: BTreeMap<String, Vec<Retired>>,
    /// The tests that bound what is explored.
    between: (Option<String>, Option<String>),
}

impl Plan {
    /// For methods that were asked for; and these, with those that the suites have beside.
    pub fn new(
        flags: &Explore,
        program: &Program,
        methods: &[MethodRef],
        suites: &[&Suite],
    ) -> Result<(Plan, Vec<MethodRef>), String> {
        let mut plan = Plan::default();
        let mut methods = methods.to_vec();
        let is_whole = flags.method.is_none() && flags.suite.between.is_none();
        if let Some((from, to)) = &flags.suite.between {
            methods = vec![plan.limit(program, suites, from, to)?];
        }
        if is_whole {
            methods.extend(unasked(program, &methods, suites));
        }
        for method in &methods {
            let own = suites.iter().find(|suite| suite.class == class_of(method));
            let section = own.and_then(|suite| suite.method(&method.name, &method.descriptor));
            plan.seeds.insert(key(method), section.map(names).unwrap_or_default());
        }
        for suite in suites {
            let class = program.classes().iter().find(|class| class.java_name() == suite.class);
            let Some(class) = class else { continue };
            for section in suite.methods.iter().filter(|section| !has(class, &section.target)) {
                plan.orphan(suite, section, &methods, is_whole);
            }
        }
        Ok((plan, methods))
    }

    /// The tests that are pushed through a method.
    pub fn seeds(&self, method: &MethodRef) -> Vec<String> {
        self.seeds.get(&key(method)).cloned().unwrap_or_default()
    }

    /// The tests of a class that have no method.
    pub fn gone(&self, class: &str) -> &[Retired] {
        self.gone.get(class).map(Vec::as_slice).unwrap_or_default()
    }

    /// What is explored, given the tests that are pushed through a method.
    pub fn range(&self, seeds: &[String]) -> Range {
        let limit = |name: &Option<String>| {
            let name = name.as_ref()?;
            seeds.iter().position(|own| own == name).map(Limit::Seed)
        };
        Range { from: limit(&self.between.0), to: limit(&self.between.1) }
    }

    /// Gives the tests of a method that is no longer there to another one, or says that they have none.
    fn orphan(&mut self, suite: &Suite, section: &MethodTests, methods: &[MethodRef], is_whole: bool) {
        let target = &section.target;
        let is_new = |method: &&MethodRef| {
            class_of(method) == suite.class && suite.method(&method.name, &method.descriptor).is_none()
        };
        let of_class: Vec<&MethodRef> = methods.iter().filter(is_new).collect();
        let same_name: Vec<&&MethodRef> = of_class.iter().filter(|m| *m.name == *target.method).collect();
        let same_types: Vec<&&MethodRef> =
            of_class.iter().filter(|m| *m.descriptor == *target.descriptor).collect();
        let heir = match (&same_name[..], &same_types[..]) {
            ([one], _) => Some(one),
            ([], [one]) if is_whole => Some(one),
            _ => None,
        };
        if let Some(heir) = heir {
            self.seeds.entry(key(heir)).or_default().extend(names(section));
            return;
        }
        // Another run may be about it.
        let is_meant = methods.iter().any(|m| class_of(m) == suite.class && *m.name == *target.method);
        if is_whole || is_meant {
            let reason = format!("the method {} is gone", shown(target));
            let retired =
                section.tests.iter().map(|test| Retired { name: test.name.clone(), reason: reason.clone() });
            self.gone.entry(suite.class.clone()).or_default().extend(retired);
        }
    }

    /// Limits the run to the method of the tests between which it is to be explored.
    fn limit(
        &mut self,
        program: &Program,
        suites: &[&Suite],
        from: &str,
        to: &str,
    ) -> Result<MethodRef, String> {
        let mut ends = Vec::new();
        for wanted in [from, to] {
            ends.push(if wanted.is_empty() { None } else { Some(find(suites, wanted)?) });
        }
        let mut places = ends.iter().flatten();
        let Some((suite, section, _)) = places.next() else { return Err("--between names no test".into()) };
        if places.any(|(other, own, _)| other.class != suite.class || own.target != section.target) {
            return Err(format!("--between {from},{to}: these are tests of two methods"));
        }
        let names = ends.iter().map(|end| end.as_ref().map(|(_, _, name)| name.clone()));
        let mut names = names.collect::<Vec<_>>().into_iter();
        self.between = (names.next().flatten(), names.next().flatten());
        method(program, &suite.class, &section.target)
            .ok_or_else(|| format!("--between {from},{to}: the method {} is gone", shown(&section.target)))
    }
}

/// A test of some suite: `name` or `Class.name`.
fn find<'s>(suites: &[&'s Suite], wanted: &str) -> Result<(&'s Suite, &'s MethodTests, String), String> {
    let (class, name) = match wanted.rsplit_once('.') {
        Some((class, name)) => (Some(class), name),
        None => (None, wanted),
    };
    let is_class = |suite: &&&Suite| {
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

/// Methods that suites have tests of and that nobody asked for: those that are not public, say.
fn unasked(program: &Program, methods: &[MethodRef], suites: &[&Suite]) -> Vec<MethodRef> {
    let sections = suites.iter().flat_map(|suite| suite.methods.iter().map(move |own| (suite, own)));
    let found = sections.filter_map(|(suite, own)| method(program, &suite.class, &own.target));
    found.filter(|method| !methods.contains(method)).collect()
}

/// A method of the program.
fn method(program: &Program, class: &str, target: &Target) -> Option<MethodRef> {
    let wanted = format!("{class}.{}{}", target.method, target.descriptor);
    program.methods(Some(&wanted)).ok()?.into_iter().find(|method| class_of(method) == class)
}

fn class_of(method: &MethodRef) -> String {
    method.class.replace('/', ".")
}

fn key(method: &MethodRef) -> Key {
    (class_of(method), method.name.to_string(), method.descriptor.to_string())
}

fn names(section: &MethodTests) -> Vec<String> {
    section.tests.iter().map(|test| test.name.clone()).collect()
}

/// Whether a class has a method with code.
fn has(class: &ClassFile, target: &Target) -> bool {
    class.method(&target.method, &target.descriptor).is_some_and(|method| method.code.is_some())
}

/// `mid(int, int)`
fn shown(target: &Target) -> String {
    let parameters = MethodDescriptor::parse(&target.descriptor).map(|parsed| parsed.to_java_parameters());
    format!("{}{}", target.method, parameters.unwrap_or_default())
}
