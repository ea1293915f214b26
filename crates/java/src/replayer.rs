//! Tests on the real JVM, whose branches and outcomes must be those of their paths.

use crate::{Java, JavaPath, MethodRef, Program};
use evergreen_classfile::{Arm, Jdk};
use evergreen_jvm::{SawChoice, TakenArm, Way};
use evergreen_replay::{Coverage, Hits, Probed, Probes, ReplayOptions, Replaying, TestCase, is_compiled};
use evergreen_service::{Choice, Difference, Ran, Replayer};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

/// How often a test runs whose path has asked for identity hash codes, after the first time: each object has
/// another one each time. A branch on one bit is taken alike by all, and as on the path, once in 64 times.
const AGAIN: usize = 5;

/// Runs tests of a program on the JVM.
pub struct JvmReplayer {
    jdk_home: PathBuf,
    places: Vec<PathBuf>,
    /// The classes that are explored, by internal names.
    classes: Vec<String>,
    /// The methods that are tested: their classes, and their names with descriptors.
    methods: BTreeSet<(String, String)>,
    options: ReplayOptions,
    /// Started when it is first needed.
    running: Option<(Probes, Replaying)>,
    /// The tests that were begun: how many, and which of them run again, and why.
    begun: (usize, Vec<(usize, SawChoice)>),
    hits: Hits,
}

impl JvmReplayer {
    /// For the tests of a program.
    pub fn new(program: &Program) -> JvmReplayer {
        let (jdk_home, places) = (program.jdk_home.clone(), program.places.clone());
        let classes = program.opened().names().to_vec();
        let options = ReplayOptions::default();
        let begun = (0, Vec::new());
        let (methods, hits) = (BTreeSet::new(), Hits::default());
        JvmReplayer { jdk_home, places, classes, methods, options, running: None, begun, hits }
    }

    /// Only these methods are tested.
    pub fn of(mut self, methods: &[MethodRef]) -> JvmReplayer {
        self.classes = methods.iter().map(|method| method.class.to_string()).collect();
        self.classes.sort();
        self.classes.dedup();
        let names = |method: &MethodRef| (method.class.replace('/', "."), method.signature());
        self.methods = methods.iter().map(names).collect();
        self
    }

    /// Uses a JVM that stays in the background for later runs of the user, until none came for so long. Only
    /// programs do that leave a JVM as they found it.
    pub fn warm(mut self, idle: Option<Duration>) -> JvmReplayer {
        self.options.warm = idle;
        self
    }

    /// What the tests so far cover, as the JVM saw it: of the classes whose methods are tested, of those
    /// nested in them, and of those that a test reached. A jar has many more.
    pub fn coverage(&self) -> Option<Coverage> {
        let (probes, _) = self.running.as_ref()?;
        let mut coverage = Coverage::of(probes, &self.hits).of_methods(probes, &self.hits, &self.methods);
        let tested: BTreeSet<String> = self.classes.iter().map(|class| class.replace('/', ".")).collect();
        let is_tested = |class: &str| {
            tested.contains(class) || class.match_indices('$').any(|(at, _)| tested.contains(&class[..at]))
        };
        coverage
            .classes
            .retain(|class| class.lines.covered + class.branches.covered > 0 || is_tested(&class.class));
        Some(coverage)
    }

    fn start(&self) -> Result<(Probes, Replaying), String> {
        let jdk = Jdk::open(&self.jdk_home).map_err(|e| e.to_string())?;
        let probes = Probes::plant(&jdk, &self.places, &Probed::All).map_err(|e| e.to_string())?;
        let mut replaying =
            Replaying::new(&jdk, &self.places, Some(&probes), &self.options).map_err(|e| e.to_string())?;
        let classes = self.classes.iter().map(String::as_str);
        replaying.prepare(classes, Some(&probes)).map_err(|e| e.to_string())?;
        Ok((probes, replaying))
    }
}

impl Replayer<Java> for JvmReplayer {
    fn replay(&mut self, tests: Vec<(TestCase, JavaPath)>) -> Result<Vec<Option<Difference>>, String> {
        self.begin(tests)?;
        self.end()
    }

    fn prepare(&mut self) {
        // What fails is reported with the first tests; a program without tests does not want to know. Nor
        // should the first run of all wait for the compiler before it explores.
        if self.running.is_none() && is_compiled(&self.options) {
            self.running = self.start().ok();
        }
    }

    fn begin(&mut self, tests: Vec<(TestCase, JavaPath)>) -> Result<Ran, String> {
        let (probes, mut replaying) = match self.running.take() {
            Some(running) => running,
            None => self.start()?,
        };
        let is_again = |(at, (_, path)): (usize, &(TestCase, JavaPath))| {
            (path.saw_choice != SawChoice::Nowhere).then_some((at, path.saw_choice))
        };
        self.begun = (tests.len(), tests.iter().enumerate().filter_map(is_again).collect());
        let expecting = |(mut case, path): (TestCase, JavaPath)| {
            case.arms = path.taken.map(|taken| taken.iter().filter_map(|arm| number(&probes, arm)).collect());
            case
        };
        let mut cases: Vec<TestCase> = tests.into_iter().map(expecting).collect();
        for _ in 0..AGAIN {
            cases.extend(self.begun.1.iter().map(|(at, _)| cases[*at].clone()).collect::<Vec<TestCase>>());
        }
        let begun = replaying.begin(cases, Some(&probes));
        self.running = Some((probes, replaying));
        begun.map(|()| None).map_err(|e| e.to_string())
    }

    fn end(&mut self) -> Result<Vec<Option<Difference>>, String> {
        let Some((probes, replaying)) = &mut self.running else { return Ok(Vec::new()) };
        let replayed = replaying.end(Some(probes)).map_err(|e| e.to_string())?;
        self.hits.merge(&replayed.hits);
        let (count, again) = &self.begun;
        let mut all = replayed.cases.into_iter().map(|result| result.divergence);
        let mut results: Vec<Option<Difference>> =
            all.by_ref().take(*count).map(|differs| differs.map(difference)).collect();
        // The first run and the others, which come in the order of the tests, as often as they run again.
        let others: Vec<Option<String>> = all.collect();
        for (nth, (at, saw)) in again.iter().enumerate() {
            let first = results[*at].take().map(|first| match first {
                Difference::Divergence(what) => what,
                Difference::Choice(_) => String::new(),
            });
            let own = others.iter().skip(nth).step_by(again.len());
            let choice = first.iter().chain(own.flatten()).map(|what| choice(what)).reduce(worse);
            results[*at] = choice.map(|choice| Difference::Choice(bounded(choice, *saw)));
        }
        Ok(results)
    }
}

/// How large a heap is differs from JVM to JVM: where one runs out of memory, another may not.
fn difference(what: String) -> Difference {
    match what.split_once("; the JVM: ") {
        Some((_, seen)) if seen.contains("java.lang.OutOfMemoryError") => Difference::Choice(Choice::Path),
        _ => Difference::Divergence(what),
    }
}

/// What depends on a choice, if this is how runs differ: texts with hash codes differ in these only.
fn choice(what: &str) -> Choice {
    let texts = what.split_once("expected").and_then(|(_, rest)| rest.split_once("; the JVM:"));
    let is_alike = |(expected, seen): (&str, &str)| {
        without_hashes(expected.split_once(':').map_or(expected, |(_, text)| text)) == without_hashes(seen)
    };
    if texts.is_some_and(is_alike) { Choice::Text } else { Choice::Path }
}

/// What inputs lead to that a choice made is left out by a bound.
fn bounded(choice: Choice, saw: SawChoice) -> Choice {
    match (choice, saw) {
        (Choice::Path, SawChoice::Before) => Choice::Bounded,
        (choice, _) => choice,
    }
}

fn worse(one: Choice, other: Choice) -> Choice {
    if one == Choice::Path { one } else { other }
}

/// A text in which identity hash codes are `@`, as `Object.toString` writes them.
fn without_hashes(text: &str) -> String {
    let mut parts = text.split('@');
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |all, part| all + "@" + part.trim_start_matches(|c: char| c.is_ascii_hexdigit()))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_differ_in_hash_codes_only() {
        let text = "expected: returns \"p=P@4e11, Q@1\"; the JVM: returns \"p=P@74f7ce46, Q@2f\"";
        assert_eq!(choice(text), Choice::Text);
        let other = "expected: returns \"p=P@4e11\"; the JVM: returns \"q=P@74f7ce46\"";
        assert_eq!(choice(other), Choice::Path);
        assert_eq!(choice("expected: returns 3; the JVM: returns 4"), Choice::Path);
        let arms =
            "expected at branch 1: A.f()V, line 7, offset 14: taken; the JVM: A.f()V, line 7: not taken";
        assert_eq!(choice(arms), Choice::Path);
        assert_eq!(worse(Choice::Text, Choice::Path), Choice::Path);
        let expected = |seen: &str| difference(format!("expected: returns 3; the JVM: {seen}"));
        assert!(matches!(expected("throws java.lang.OutOfMemoryError"), Difference::Choice(Choice::Path)));
        assert!(matches!(expected("throws java.lang.StackOverflowError"), Difference::Divergence(_)));
    }
}
