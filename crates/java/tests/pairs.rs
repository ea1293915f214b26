//! Pairs of paths against brute force: generated methods and mutants of them run on the real JVM on every
//! input of their ranges. For each mutant the pairs have to decide whether some input shows it, and the
//! inputs that they offer have to show it.

use evergreen::solver::Limits;
use evergreen::store::{Memory, Store};
use evergreen::{Evergreen, Reuse};
use evergreen_classfile::find_jdk;
use evergreen_java::jvm::Options as JvmOptions;
use evergreen_java::replay::JavaValue;
use evergreen_java::symbolic::Ints;
use evergreen_java::{
    Agreement, Exploration, Inputs, JavaFrontend, KeptEnds, Options, PairCounts, Pairs, Program, changes,
};
use evergreen_testing::java::{self, Method};
use evergreen_testing::random::Random;
use evergreen_testing::tools::{find, repository};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

/// How many methods there are; a longer run sets EVERGREEN_BRUTE_FORCE.
fn count() -> u64 {
    std::env::var("EVERGREEN_BRUTE_FORCE").ok().and_then(|n| n.parse().ok()).unwrap_or(60)
}

/// Changes that keep types and ends of loops; the last ones change nothing.
const MUTATIONS: [(&str, &str); 12] = [
    (" < ", " <= "),
    (" <= ", " < "),
    (" > ", " >= "),
    (" >= ", " > "),
    (" == ", " != "),
    (" && ", " || "),
    (" || ", " && "),
    (" + ", " - "),
    (" - ", " + "),
    (" += ", " -= "),
    ("return ", "return 0 + "),
    ("int r = 0;", "int r = 1 - 1;"),
];

/// The source with some changes, not in the heads of loops: much of a generated method never runs, so that
/// one alone is seldom seen.
fn mutant(made: &Method, number: u64) -> String {
    let mut random = Random::for_index(5, number);
    let (kinds, times) = if random.one_in(4) { (&MUTATIONS[10..], 1) } else { (&MUTATIONS[..10], 8) };
    let mut source = made.source.clone();
    for _ in 0..times {
        let mut places: Vec<(usize, &str, &str)> = Vec::new();
        let mut start = 0;
        for line in source.split_inclusive('\n') {
            if !line.contains("for (") && !line.contains("while (") {
                for (from, to) in kinds {
                    places.extend(line.match_indices(from).map(|(at, _)| (start + at, *from, *to)));
                }
            }
            start += line.len();
        }
        if places.is_empty() {
            break;
        }
        let (at, from, to) = *random.choose(&places);
        source.replace_range(at..at + from.len(), to);
    }
    source
}

/// What the JVM does with every input of every method.
fn truth(classes: &Path, methods: &[Method]) -> BTreeMap<String, BTreeMap<Vec<i64>, String>> {
    let mut java = Command::new("java");
    java.arg("-cp").arg(classes).arg("BruteForce").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = java.spawn().expect("these tests need java on PATH");
    let mut stdin = child.stdin.take().expect("a pipe");
    let asked: String = methods
        .iter()
        .map(|made| {
            let ranges = made.parameters.iter().map(|p| format!(" {}:{}:{}", p.of, p.low, p.high));
            format!("{}{}\n", made.class, ranges.collect::<String>())
        })
        .collect();
    let writer = std::thread::spawn(move || stdin.write_all(asked.as_bytes()));
    let output = child.wait_with_output().expect("java ends");
    writer.join().expect("the writer ends").expect("java reads");
    assert!(output.status.success(), "BruteForce failed");
    let mut all: BTreeMap<String, BTreeMap<Vec<i64>, String>> = BTreeMap::new();
    for line in String::from_utf8(output.stdout).expect("text").lines() {
        let words: Vec<&str> = line.split('\t').collect();
        let input = words[1].split(',').map(|n| n.parse().expect("a number")).collect();
        all.entry(words[0].into()).or_default().insert(input, words[2].into());
    }
    all
}

fn number(value: &JavaValue) -> i64 {
    match *value {
        JavaValue::Boolean(b) => i64::from(b),
        JavaValue::Byte(n) => i64::from(n),
        JavaValue::Char(n) => i64::from(n),
        JavaValue::Short(n) => i64::from(n),
        JavaValue::Int(n) => i64::from(n),
        JavaValue::Long(n) => n,
        ref other => panic!("{other:?} is no number"),
    }
}

/// Explores both versions of a method: what became of the pairs, and the inputs of those that differ.
fn pairs(old: &mut Exploration, new: &mut Exploration, made: &Method) -> Option<(PairCounts, Vec<Vec<i64>>)> {
    let wanted = format!("{}.run{}", made.class, made.descriptor());
    let target = old.front.program().methods(Some(&wanted)).expect("a method").remove(0);
    let ranges = made.parameters.iter().map(|p| (p.name.clone(), (p.low, p.high))).collect();
    let inputs = Inputs { ranges, ..Inputs::default() };
    let ends = KeptEnds::default();
    let mut run = ends.of(old.entry(&target, &inputs, Options::default()).expect("a method"));
    while run.next_path().is_some() {}
    let (summary, tally) = (run.summary(), run.tally());
    if summary.undecided + tally.unsupported > 0 {
        return None;
    }
    let kept = ends.take(&run).expect("ends");
    let mut compared = Pairs::begin(new, &target, &inputs, Options::default(), kept).expect("a method");
    let mut differing = Vec::new();
    while let Some(pair) = compared.next_pair() {
        if pair.agreement == Agreement::Differs {
            differing.push(pair.end.inputs.iter().map(|(_, value)| number(value)).collect());
        }
    }
    Some((compared.counts(), differing))
}

#[test]
fn pairs_of_paths_say_which_mutants_some_input_shows() {
    let _ = find("z3");
    let methods: Vec<Method> = (0..count()).map(|index| java::method(20_261_116, index)).collect();
    let folder = tempfile::tempdir().expect("a folder");
    let version = |name: &str, source: &dyn Fn(&Method, u64) -> String| {
        let (sources, classes) = (folder.path().join(name), folder.path().join(format!("{name}-classes")));
        std::fs::create_dir(&sources).expect("a folder");
        for (index, made) in (0..).zip(&methods) {
            std::fs::write(sources.join(format!("{}.java", made.class)), source(made, index))
                .expect("a file");
        }
        let mut javac = Command::new("javac");
        javac.args(["-g", "-nowarn", "-d"]).arg(&classes);
        javac.args(std::fs::read_dir(&sources).expect("files").map(|file| file.expect("a file").path()));
        javac.arg(repository().join("crates/replay/java/sym/evergreen/Probe.java"));
        javac.arg(repository().join("crates/java/tests/java/BruteForce.java"));
        let done = javac.output().expect("these tests need javac on PATH");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        let truth = truth(&classes, &methods);
        let jdk = find_jdk().expect("a JDK");
        (Program::open(&[classes], None, jdk).expect("a program"), truth)
    };
    let (old, before) = version("old", &|made, _| made.source.clone());
    let (new, after) = version("new", &mutant);
    let changes = changes(&old, &new);
    let store: Arc<dyn Store> = Arc::new(Memory::new(1 << 28));
    let make = || {
        let store = store.clone();
        let limits = Limits { time_ms: Some(3_000), ..Limits::default() };
        Box::new(move || {
            let builder = Evergreen::builder().with_store(store.clone()).limits(limits.clone());
            builder.solver("z3").reuse(Reuse::Full).build()
        })
    };
    let mut old =
        JavaFrontend::explore(old, Ints::Wrapped, JvmOptions::default(), make()).expect("a machine");
    let mut new = old.front.beside(new, JvmOptions::default(), make()).expect("a machine");
    let (mut shown, mut equal, mut left) = (0, 0, 0);
    for made in &methods {
        let (was, is) = (&before[&made.class], &after[&made.class]);
        let really = was.iter().any(|(input, ending)| is[input] != *ending);
        let touched = changes.changed.iter().any(|key| key.class == made.class);
        assert!(touched || !really, "{}: a change that was not seen\n{}", made.class, made.source);
        let Some((counts, differing)) = pairs(&mut old, &mut new, made) else {
            left += 1;
            continue;
        };
        let case = format!("{} {counts:?}\n{}", made.class, made.source);
        for input in &differing {
            assert_ne!(was[input], is[input], "{input:?} shows no difference of {case}");
        }
        assert!(!(really && counts.all_same()), "a difference that no pair has: {case}");
        // What no solver decides in time is neither.
        if counts.unknown + counts.cut > 0 {
            left += 1;
            continue;
        }
        assert_eq!(counts.differ > 0, really, "{case}");
        assert_eq!(counts.all_same(), !really, "{case}");
        if really { shown += 1 } else { equal += 1 }
    }
    println!("{shown} mutants are shown by some input, {equal} by none, {left} left out");
    assert!(shown * 5 > methods.len() && equal * 5 > methods.len(), "{shown} and {equal}");
    assert!(left * 4 < methods.len(), "{left} left out");
}
