//! What both versions do with the same inputs, on the real JVM.

use evergreen_java::classfile::Jdk;
use evergreen_java::replay::{
    CaseResult, Ending, JavaValue, Message, Observed, ReplayOptions, TestCase, replay,
};
use evergreen_java::{size, source_text};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// Cases that run at once.
const BATCH: usize = 4_000;

/// A difference: inputs for which the old version does one thing and the new one another.
#[derive(Clone, Debug)]
pub(super) struct Difference {
    /// Which of the compared methods.
    pub method: usize,
    /// What the old version does, in words.
    pub old: String,
    /// What the new version does.
    pub new: String,
    /// The smallest of the inputs, by names.
    pub inputs: Vec<(String, JavaValue)>,
    /// How many inputs were tried that show it.
    pub count: u64,
    /// The test of the smallest; it expects what the old version does.
    pub case: TestCase,
}

/// An input that is to run on both versions.
#[derive(Clone, Debug)]
pub(super) struct Input {
    /// Which of the compared methods.
    pub method: usize,
    /// The test of a suite that has it.
    pub test: Option<String>,
    /// The input.
    pub case: TestCase,
}

/// What became of a test of a suite.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Fate {
    /// Both versions do the same.
    Same,
    /// They do not: what, in words.
    Differs {
        /// The old version.
        old: String,
        /// The new one.
        new: String,
    },
    /// One version does not take it.
    Unfit,
    /// A version behaves differently each time.
    Unstable,
}

/// What came of running inputs.
#[derive(Default, Debug)]
pub(super) struct Behaviour {
    /// The differences, each once: by method, then smallest input first.
    pub differences: Vec<Difference>,
    /// Inputs that ran on both versions, by method.
    pub compared: BTreeMap<usize, u64>,
    /// Inputs that one version does not take (other objects, other draws, an assumption of a driver), by
    /// method.
    pub unfit: BTreeMap<usize, u64>,
    /// Inputs that behaved differently each time they ran, by method.
    pub unstable: BTreeMap<usize, u64>,
    /// What became of the tests of a suite, by name.
    pub tests: BTreeMap<String, Fate>,
}

/// Runs cases on one version.
pub(super) struct Jvm<'p> {
    /// The JDK.
    pub jdk: &'p Jdk,
    /// The classes of the version.
    pub places: &'p [PathBuf],
}

impl Jvm<'_> {
    fn run(&self, cases: &[TestCase]) -> Result<Vec<CaseResult>, String> {
        let done = replay(self.jdk, self.places, None, cases, &ReplayOptions::default());
        Ok(done.map_err(|e| e.to_string())?.cases)
    }
}

/// Runs every input, given with the number of its method, on both versions.
pub(super) fn compare(
    old: &Jvm<'_>,
    new: &Jvm<'_>,
    inputs: Vec<Input>,
    stop: &AtomicBool,
    mut progress: impl FnMut(usize),
) -> Result<Behaviour, String> {
    let mut behaviour = Behaviour::default();
    let inputs = each_once(inputs);
    let mut done = 0;
    for batch in inputs.chunks(BATCH) {
        // The results so far are reported; ending the running ones is cheap.
        if done > 0 && stop.load(Ordering::Relaxed) {
            break;
        }
        let cases: Vec<TestCase> = batch.iter().map(|input| input.case.clone()).collect();
        let (before, after) = (old.run(&cases)?, new.run(&cases)?);
        let mut differing: Vec<usize> = Vec::new();
        for (at, input) in batch.iter().enumerate() {
            let (counter, fate) = match verdict(&before[at], &after[at]) {
                Verdict::Unfit => (&mut behaviour.unfit, Fate::Unfit),
                Verdict::Same => (&mut behaviour.compared, Fate::Same),
                Verdict::Differs => {
                    differing.push(at);
                    continue;
                }
            };
            *counter.entry(input.method).or_insert(0) += 1;
            behaviour.tests.extend(input.test.clone().map(|test| (test, fate)));
        }
        // What a version does not do twice (addresses, clocks) is no difference to the other version.
        let again: Vec<TestCase> = differing.iter().map(|at| cases[*at].clone()).collect();
        let twice = if again.is_empty() { None } else { Some((old.run(&again)?, new.run(&again)?)) };
        for (nth, at) in differing.into_iter().enumerate() {
            let input = &batch[at];
            let stable = twice.as_ref().is_some_and(|(old, new)| {
                verdict(&before[at], &old[nth]) == Verdict::Same
                    && verdict(&after[at], &new[nth]) == Verdict::Same
            });
            let fate = if stable {
                *behaviour.compared.entry(input.method).or_insert(0) += 1;
                let (old, new) = both_told(&before[at], &after[at]);
                behaviour.add(input.method, &input.case, &before[at], (old.clone(), new.clone()));
                Fate::Differs { old, new }
            } else {
                *behaviour.unstable.entry(input.method).or_insert(0) += 1;
                Fate::Unstable
            };
            behaviour.tests.extend(input.test.clone().map(|test| (test, fate)));
        }
        done += batch.len();
        progress(done);
    }
    behaviour.differences.sort_by_key(|one| (one.method, size(&one.inputs)));
    Ok(behaviour)
}

/// Leaves inputs out that are there already; tests of a suite stay.
fn each_once(inputs: Vec<Input>) -> Vec<Input> {
    let mut seen = BTreeSet::new();
    let mut kept = inputs;
    kept.retain(|input| {
        let TestCase { objects, receiver, arguments, draws, .. } = &input.case;
        let new = seen.insert(format!("{} {objects:?} {receiver:?} {arguments:?} {draws:?}", input.method));
        new || input.test.is_some()
    });
    kept
}

impl Behaviour {
    fn add(&mut self, method: usize, case: &TestCase, old: &CaseResult, (was, is): (String, String)) {
        let mut case = case.clone();
        if let Observed::Ended(ending) = &old.observed {
            case.ending = ending.clone();
        }
        case.output = Some(old.output.clone());
        case.title = format!("{was} as before");
        let inputs = inputs_of(&case);
        match self.differences.iter_mut().find(|one| (one.method, &one.old, &one.new) == (method, &was, &is))
        {
            Some(known) => {
                known.count += 1;
                if size(&inputs) < size(&known.inputs) {
                    (known.inputs, known.case) = (inputs, case);
                }
            }
            None => self.differences.push(Difference { method, old: was, new: is, inputs, count: 1, case }),
        }
    }
}

/// What both versions did, in words that differ.
fn both_told(old: &CaseResult, new: &CaseResult) -> (String, String) {
    let (mut was, mut is) = (told(old), told(new));
    if was == is {
        (was, is) = (was + &message(old), is + &message(new));
    }
    if was == is && old.output != new.output {
        (was, is) = (printed(was, &old.output), printed(is, &new.output));
    }
    (was, is)
}

/// Names and values of the arguments, then of the draws.
fn inputs_of(case: &TestCase) -> Vec<(String, JavaValue)> {
    let name = |at: usize| case.target.parameters.get(at).cloned().unwrap_or_else(|| format!("p{at}"));
    let arguments = case.arguments.iter().enumerate().map(|(at, value)| (name(at), value.clone()));
    arguments.chain(case.draws.iter().cloned()).collect()
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    Same,
    Differs,
    /// One of the versions does not take the input.
    Unfit,
}

fn verdict(old: &CaseResult, new: &CaseResult) -> Verdict {
    if is_unfit(&old.observed) || is_unfit(&new.observed) {
        return Verdict::Unfit;
    }
    let same = match (&old.observed, &new.observed) {
        (Observed::Ended(old), Observed::Ended(new)) => same_ending(old, new),
        (Observed::TimedOut, Observed::TimedOut) | (Observed::Died(_), Observed::Died(_)) => true,
        _ => false,
    };
    if same && old.output == new.output { Verdict::Same } else { Verdict::Differs }
}

fn same_ending(old: &Ending, new: &Ending) -> bool {
    match (old, new) {
        // Its message contains names of variables, which mean nothing.
        (Ending::Threw { class, .. }, Ending::Threw { class: other, .. }) if class == other => {
            class == "java.lang.NullPointerException" || old.admits(new)
        }
        _ => old.admits(new) && new.admits(old),
    }
}

/// Whether a version could not be called with an input, or rejects it by an assumption.
fn is_unfit(observed: &Observed) -> bool {
    match observed {
        Observed::Refused(_) => true,
        Observed::Ended(Ending::Threw { class, message }) => {
            let by_sym = |text: &[u16]| String::from_utf16_lossy(text).starts_with("Sym.");
            class == "evergreen.AssumptionViolated"
                || (class == "java.lang.IllegalStateException"
                    && matches!(message, Message::Text(text) if by_sym(text)))
        }
        _ => false,
    }
}

/// What the JVM did, in words that follow "it".
fn told(result: &CaseResult) -> String {
    match &result.observed {
        Observed::Ended(Ending::Returned(None)) => "returns".into(),
        Observed::Ended(Ending::Returned(Some(JavaValue::Object { class }))) => {
            format!("returns an object of {}", class.as_deref().unwrap_or("some class"))
        }
        Observed::Ended(Ending::Returned(Some(value))) => format!("returns {}", source_text(value)),
        Observed::Ended(Ending::Threw { class, .. }) => format!("throws {class}"),
        Observed::Ended(Ending::Exited(status)) => format!("exits with {status}"),
        Observed::TimedOut => "takes longer than 5 s".into(),
        Observed::Died(_) => "ends the JVM by a crash".into(),
        Observed::Refused(why) => format!("cannot be called: {why}"),
    }
}

/// The message of an exception, for exceptions of one class.
fn message(result: &CaseResult) -> String {
    match &result.observed {
        Observed::Ended(Ending::Threw { message: Message::Text(text), .. }) => {
            format!(" with the message {}", source_text(&JavaValue::String(text.clone())))
        }
        Observed::Ended(Ending::Threw { message: Message::Null, .. }) => " without a message".into(),
        _ => String::new(),
    }
}

fn printed(what: String, output: &str) -> String {
    format!("{what} and prints {}", source_text(&JavaValue::string(output)))
}
