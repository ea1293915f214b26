//! Two versions of a Java program: methods by class, name and descriptor, tests on the real JVM.

use super::versions::{Values, Verdict, Versions};
use crate::explore::programs::TestFiles;
use evergreen_java::classfile::Jdk;
use evergreen_java::replay::{
    CaseResult, Ending, JavaValue, Junit, JunitOptions, Message, Observed, ReplayOptions, Target, TestCase,
    junit_suites, replay,
};
use evergreen_java::suite::JunitSources;
use evergreen_java::{
    Changes, JavaFrontend, MethodKey, MethodRef, Program, changes, declared_at, misread, source_of,
    source_text,
};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Runs cases on one version.
pub(crate) struct Jvm {
    jdk: Jdk,
    /// The classes of the version.
    places: Vec<PathBuf>,
}

impl Versions for JavaFrontend {
    const SOURCES: &'static [&'static str] = &["java", "inv"];
    const COMPARED: &'static str = "compared are results (objects by their class), exceptions, output and \
        exit status; not what is left in fields and arrays";

    type Key = MethodKey;
    type Platform = Jvm;
    type Ran = CaseResult;

    fn changes(old: &Program, new: &Program) -> Changes {
        changes(old, new)
    }

    fn key(method: &MethodRef) -> MethodKey {
        MethodKey::from(method)
    }

    fn key_of_target(target: &Target) -> MethodKey {
        MethodKey {
            class: target.class.replace('.', "/"),
            name: target.method.clone(),
            descriptor: target.descriptor.clone(),
        }
    }

    fn matched(old: &MethodRef, new: &MethodRef) -> Option<MethodRef> {
        let parameters = old.parameters.clone();
        (old.is_static == new.is_static).then(|| MethodRef { parameters, ..new.clone() })
    }

    fn platform(program: &Program) -> Result<Jvm, String> {
        let jdk = Jdk::open(&program.jdk_home).map_err(|e| e.to_string())?;
        Ok(Jvm { jdk, places: program.places.clone() })
    }

    fn run(jvm: &Jvm, cases: &[TestCase]) -> Result<Vec<CaseResult>, String> {
        let done = replay(&jvm.jdk, &jvm.places, None, cases, &ReplayOptions::default());
        Ok(done.map_err(|e| e.to_string())?.cases)
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

    fn told(old: &CaseResult, new: &CaseResult) -> (String, String) {
        let (mut was, mut is) = (told(old), told(new));
        if was == is {
            (was, is) = (was + &message(old), is + &message(new));
        }
        if was == is && old.output != new.output {
            (was, is) = (printed(was, &old.output), printed(is, &new.output));
        }
        (was, is)
    }

    /// Names and values of a receiver that a call makes, of the arguments, then of the draws.
    fn values(case: &TestCase) -> Values<JavaFrontend> {
        let name = |at: usize| case.target.parameters.get(at).cloned().unwrap_or_else(|| format!("p{at}"));
        let arguments = case.arguments.iter().enumerate().map(|(at, value)| (name(at), value.clone()));
        let made = case.receiver.iter().filter(|receiver| matches!(receiver, JavaValue::Made(_)));
        let receiver = made.map(|receiver| ("this".to_string(), receiver.clone()));
        receiver.chain(arguments).chain(case.draws.iter().cloned()).collect()
    }

    fn identity(case: &TestCase) -> String {
        let TestCase { objects, receiver, arguments, draws, .. } = case;
        format!("{objects:?} {receiver:?} {arguments:?} {draws:?}")
    }

    fn expecting(case: &TestCase, old: &CaseResult, told: &str) -> TestCase {
        let mut case = case.clone();
        if let Observed::Ended(ending) = &old.observed {
            case.ending = ending.clone();
        }
        case.output = Some(old.output.clone());
        case.title = format!("{told} as before");
        case
    }

    fn declared(program: &Program) -> BTreeMap<MethodKey, (String, u32)> {
        let classes = program.classes();
        let mut declared = BTreeMap::new();
        for class in classes {
            for method in &class.methods {
                let key = MethodKey {
                    class: class.name.to_string(),
                    name: method.name.to_string(),
                    descriptor: method.descriptor.to_string(),
                };
                let at = declared_at(classes, &class.name, &method.name, &method.descriptor);
                declared.extend(at.map(|at| (key, at)));
            }
        }
        declared
    }

    fn source(sources: &[PathBuf], key: &MethodKey, file: &str) -> PathBuf {
        source_of(sources, &key.class, file)
    }

    fn test_sources(old: &Program) -> JunitSources {
        JunitSources { version: Junit::Five, misread: misread(old) }
    }

    fn write_tests(folder: &Path, cases: &[TestCase], sources: &JunitSources) -> Result<(), String> {
        let mut by_class: BTreeMap<&str, Vec<TestCase>> = BTreeMap::new();
        for case in cases {
            by_class.entry(&case.target.class).or_default().push(case.clone());
        }
        let mut written = TestFiles::default();
        for (class, cases) in by_class {
            let options = JunitOptions::beside(class, "DifferenceTest", sources.version);
            for suite in junit_suites(&cases, &options.avoiding(&sources.misread)) {
                written.files.push((suite.options.file(), suite.source.into_bytes()));
            }
        }
        written.write(folder)
    }
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
