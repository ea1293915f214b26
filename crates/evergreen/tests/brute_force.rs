//! Completeness and soundness against brute force: generated methods are explored, and run on the real JVM on every
//! input of their ranges. A path of the JVM is the sequence of arms that it takes and how it ends. Exploration has to
//! find each of these paths, nothing else, and say of each input that it offers what the JVM says.

use evergreen::explore::jvm::Options as JvmOptions;
use evergreen::explore::replay::JavaValue;
use evergreen::explore::symbolic::Ints;
use evergreen::explore::{Exploration, How, Inputs, Options, Program};
use evergreen::solver::Limits;
use evergreen::store::{Memory, Store};
use evergreen::{Evergreen, Reuse};
use evergreen_classfile::{Jdk, PROBED_JVM_FLAGS, ProbeOptions, find_jdk, plant_probes};
use evergreen_testing::java::{self, Method, Parameter};
use evergreen_testing::java_objects;
use evergreen_testing::tools::{find, repository};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

/// How many methods there are; a longer run sets EVERGREEN_BRUTE_FORCE.
fn count(usual: u64) -> u64 {
    std::env::var("EVERGREEN_BRUTE_FORCE").ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}

fn seed() -> u64 {
    std::env::var("EVERGREEN_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(20_261_115)
}

fn run(command: &mut Command) {
    let output = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn program(jdk: &Jdk, name: &str) -> PathBuf {
    jdk.program(name).unwrap_or_else(|| panic!("the JDK has no {name}: run scripts/setup.sh java"))
}

/// What the JVM did with one input: how it ended, and the arms it took.
type Observed = (String, String);

/// What the JVM does with every input of every method.
fn try_all(jdk: &Jdk, folder: &Path, methods: &[Method]) -> BTreeMap<String, BTreeMap<Vec<i64>, Observed>> {
    let probed = folder.join("probed");
    std::fs::create_dir(&probed).unwrap();
    let mut first = 0;
    for file in std::fs::read_dir(folder.join("classes")).unwrap() {
        let file = file.unwrap().path();
        let bytes = std::fs::read(&file).unwrap();
        let planted = plant_probes(&bytes, &ProbeOptions { first, ..ProbeOptions::default() }).unwrap();
        assert!(planted.left.is_empty(), "{file:?} has methods without probes");
        first += planted.probes.len() as u32;
        std::fs::write(probed.join(file.file_name().unwrap()), planted.bytes).unwrap();
    }
    let sources = [
        repository().join("java/sym/evergreen/Probe.java"),
        repository().join("crates/evergreen/tests/java/BruteForce.java"),
    ];
    run(Command::new(program(jdk, "javac")).arg("-d").arg(&probed).args(sources));
    let mut java = Command::new(program(jdk, "java"));
    java.args(PROBED_JVM_FLAGS).arg("-cp").arg(&probed).arg("BruteForce");
    let mut child = java.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let asked: String = methods
        .iter()
        .map(|made| {
            let ranges = made.parameters.iter().map(|p| format!(" {}:{}:{}", p.of, p.low, p.high));
            format!("{}{}\n", made.class, ranges.collect::<String>())
        })
        .collect();
    let writer = std::thread::spawn(move || stdin.write_all(asked.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success(), "BruteForce failed");
    let mut all: BTreeMap<String, BTreeMap<Vec<i64>, Observed>> = BTreeMap::new();
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        let [class, input, ending, arms] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let input = input.split(',').map(|n| n.parse().unwrap()).collect();
        all.entry(class.into()).or_default().insert(input, (ending.into(), arms.into()));
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

/// What a reason begins with that is no error.
const UNSUPPORTED: &str = "unsupported:";

/// What exploration says of a method: inputs, and how they end.
fn explore(exploration: &mut Exploration, made: &Method) -> Result<Vec<(Vec<i64>, String)>, String> {
    let wanted = format!("{}.run{}", made.class, made.descriptor());
    let found = exploration.program().methods(Some(&wanted)).map_err(|e| e.to_string())?;
    let [target] = &found[..] else { return Err(format!("{wanted}: {} methods", found.len())) };
    let ranges = made.parameters.iter().map(|p| (p.name.clone(), (p.low, p.high))).collect();
    let inputs = Inputs { ranges, ..Inputs::default() };
    let mut run = exploration.method(target, &inputs, Options::default()).map_err(|e| e.to_string())?;
    let mut paths = Vec::new();
    while let Some(path) = run.next_path() {
        let ending = match &path.how {
            How::Returned(Some(value)) => format!("={}", number(value)),
            How::Threw { class, .. } => format!("!{class}"),
            How::Undecided { condition, .. } => return Err(format!("{UNSUPPORTED} undecided {condition}")),
            How::Unsupported { what, .. } => return Err(format!("{UNSUPPORTED} {what}")),
            other => return Err(format!("{other:?} with {:?}", path.inputs)),
        };
        paths.push((path.inputs.iter().map(|(_, value)| number(value)).collect(), ending));
    }
    Ok(paths)
}

/// The paths of exploration against those of the JVM: what is wrong, and how many paths there are.
fn compare(paths: &[(Vec<i64>, String)], all: &BTreeMap<Vec<i64>, Observed>) -> Result<usize, String> {
    let mut reached: BTreeSet<(&str, &str)> = BTreeSet::new();
    for (input, ending) in paths {
        let Some((really, arms)) = all.get(input) else {
            return Err(format!("{input:?} is not an input"));
        };
        if ending != really {
            return Err(format!("{input:?} ends with {ending}, on the JVM with {really}"));
        }
        reached.insert((kind(really), arms));
    }
    let mut wanted: BTreeMap<(&str, &str), &Vec<i64>> = BTreeMap::new();
    for (input, (ending, arms)) in all {
        wanted.entry((kind(ending), arms)).or_insert(input);
    }
    match wanted.iter().find(|(path, _)| !reached.contains(*path)) {
        Some((_, input)) => Err(format!("the path of {input:?} was not found")),
        None => Ok(wanted.len()),
    }
}

/// Paths that return are told apart by their arms, not by what they return.
fn kind(ending: &str) -> &str {
    if ending.starts_with('=') { "returned" } else { ending }
}

#[test]
fn exploration_finds_the_paths_of_the_jvm_and_no_others() {
    family(java::method, count(300), 0);
}

#[test]
fn objects_strings_and_collections_too() {
    // Some need what no solver decides in time, or the text of a symbolic double.
    family(java_objects::method, count(60), 10);
}

/// Methods that were written to be misunderstood; the first line of each says which inputs it has.
#[test]
fn hostile_methods_too() {
    let folder = repository().join("crates/evergreen/tests/java/hostile");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    let methods = files.iter().map(|file| hostile(file)).collect();
    check(methods, 0);
}

fn hostile(file: &Path) -> Method {
    let source = std::fs::read_to_string(file).unwrap();
    let first = source.lines().next().and_then(|line| line.strip_prefix("// ")).unwrap_or_default();
    let parameters = first.split(", ").map(|text| {
        let [of, name, low, high] = text.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{file:?}: {text}")
        };
        let kinds = ["int", "long", "char", "byte", "short", "boolean"];
        let of = kinds.into_iter().find(|kind| *kind == of).unwrap_or_else(|| panic!("{file:?}: {of}"));
        let (low, high) = (low.parse().unwrap(), high.parse().unwrap());
        Parameter { name: name.into(), of, low, high }
    });
    let parameters = parameters.collect();
    Method { class: file.file_stem().unwrap().to_str().unwrap().into(), parameters, source }
}

fn family(method: fn(u64, u64) -> Method, count: u64, unsupported_percent: usize) {
    check((0..count).map(|index| method(seed(), index)).collect(), unsupported_percent);
}

fn check(methods: Vec<Method>, unsupported_percent: usize) {
    let _ = find("z3");
    let jdk = find_jdk().unwrap_or_else(|e| panic!("{e}"));
    let folder = tempfile::tempdir().unwrap();
    let sources = folder.path().join("sources");
    let classes = folder.path().join("classes");
    std::fs::create_dir(&sources).unwrap();
    for made in &methods {
        std::fs::write(sources.join(format!("{}.java", made.class)), &made.source).unwrap();
    }
    let files = methods.iter().map(|made| sources.join(format!("{}.java", made.class)));
    run(Command::new(program(&jdk, "javac")).args(["-g", "-nowarn", "-d"]).arg(&classes).args(files));
    let all = try_all(&jdk, folder.path(), &methods);

    let program = Program::open(&[classes], None, jdk).unwrap_or_else(|e| panic!("{e}"));
    let store: Arc<dyn Store> = Arc::new(Memory::new(1 << 28));
    // z3 alone may think for hours about one product of two numbers. Where none may be left undecided it gets the time that a busy machine needs.
    let patience = if unsupported_percent == 0 { 60_000 } else { 5_000 };
    let limits = Limits { time_ms: Some(patience), ..Limits::default() };
    let make = move || {
        let builder = Evergreen::builder().with_store(store.clone()).limits(limits.clone());
        builder.solver("z3").reuse(Reuse::Full).build()
    };
    let mut exploration =
        Exploration::new(program, Ints::Wrapped, JvmOptions::default(), Box::new(make)).unwrap();
    let (mut wrong, mut unsupported, mut paths, mut inputs) = (Vec::new(), Vec::new(), 0, 0);
    for made in &methods {
        let observed = &all[&made.class];
        inputs += observed.len();
        let compared = explore(&mut exploration, made).and_then(|found| compare(&found, observed));
        match compared {
            Ok(found) => paths += found,
            Err(reason) if reason.starts_with(UNSUPPORTED) => {
                unsupported.push(format!("{}: {reason}", made.class))
            }
            Err(reason) => wrong.push(format!("{}: {reason}", made.class)),
        }
    }
    println!("{} methods, {inputs} inputs, {paths} paths; {} unsupported", methods.len(), unsupported.len());
    if let Ok(keep) = std::env::var("EVERGREEN_KEEP") {
        for made in methods.iter().filter(|m| wrong.iter().any(|w| w.starts_with(&format!("{}:", m.class)))) {
            std::fs::write(Path::new(&keep).join(format!("{}.java", made.class)), &made.source).unwrap();
        }
    }
    let most = methods.len() * unsupported_percent / 100;
    assert!(unsupported.len() <= most, "{} unsupported:\n{}", unsupported.len(), unsupported.join("\n"));
    assert!(wrong.is_empty(), "{} of {} methods:\n{}", wrong.len(), methods.len(), wrong.join("\n"));
    assert!(exploration.oracle().trouble().wrong_models.is_empty());
}
