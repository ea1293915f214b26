//! Every driver of every subject through the explorer: the exact number of paths, the known findings and no
//! others, and each path's test taken by the real JVM branch by branch. The numbers are in `subjects.txt`,
//! with reasons.
//!
//! Numbers could be wrong together with the explorer. So the JVM also runs inputs that no solver found, each
//! a little beside those of a path: what it does with them has to be among the paths that were found.

use evergreen::store::{Memory, Store};
use evergreen::{Evergreen, Reuse};
use evergreen_java::classfile::{Arm, Jdk, installed_jdks};
use evergreen_java::jvm::{InputBound, Options as JvmOptions, TakenArm, Way};
use evergreen_java::replay::{Ending, JavaValue, Observed, Probed, Probes, ReplayOptions, TestCase, replay};
use evergreen_java::symbolic::Ints;
use evergreen_java::{
    Bounds, Detail, Exploration, How, Inputs, JavaFrontend, Narrowings, Options, Program, Shortcuts,
};
use evergreen_testing::random::Random;
use evergreen_testing::tools::{find, repository};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, OnceLock};

/// Branches of a path that are compared with those of the JVM.
const RECORDED: usize = 100_000;

/// Inputs beside those of paths, for each method; a longer run sets EVERGREEN_BESIDE.
fn beside_count() -> usize {
    std::env::var("EVERGREEN_BESIDE").ok().and_then(|n| n.parse().ok()).unwrap_or(150)
}

/// What is known of one driver.
#[derive(Debug)]
struct Known {
    version: &'static str,
    method: &'static str,
    paths: u64,
    loops: Option<u32>,
    findings: BTreeSet<String>,
}

/// The lines of `subjects.txt` for a version: `version method paths [loops=n] [jdk25=paths] [! finding;
/// finding]`.
fn known(version: &str, jdk: &Jdk) -> Vec<Known> {
    let lines = include_str!("subjects.txt").lines().map(str::trim);
    let all = lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(|line| {
        let (counts, findings) = line.split_once('!').unwrap_or((line, ""));
        let words: Vec<&str> = counts.split_whitespace().collect();
        let [version, method, paths, options @ ..] = &words[..] else { panic!("{line}") };
        let number = |text: &str| text.parse::<u64>().unwrap_or_else(|_| panic!("{line}"));
        let (mut paths, mut loops) = (number(paths), None);
        for option in options {
            match option.split_once('=') {
                Some(("loops", n)) => loops = Some(number(n) as u32),
                Some(("jdk25", n)) if jdk.feature == 25 => paths = number(n),
                Some(("jdk25", _)) => {}
                _ => panic!("{line}"),
            }
        }
        let findings = findings.split(';').map(|f| f.trim().into()).filter(|f: &String| !f.is_empty());
        Known { version, method, paths, loops, findings: findings.collect() }
    });
    all.filter(|known| known.version == version).collect()
}

/// One JDK of each version from 17 on, the oldest first.
fn jdks() -> Vec<Jdk> {
    let mut found: Vec<Jdk> = installed_jdks();
    found.retain(|jdk| jdk.feature >= 17 && jdk.program("javac").is_some());
    found.sort_by_key(|jdk| jdk.feature);
    found.dedup_by_key(|jdk| jdk.feature);
    assert!(!found.is_empty(), "there is no JDK of 17 or later\nhelp: run scripts/setup.sh java");
    found
}

fn jdk() -> Jdk {
    jdks().remove(0)
}

fn java_files(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).into_iter().flatten().map(|file| file.unwrap().path());
    files.filter(|file| file.extension().is_some_and(|e| e == "java")).collect()
}

/// The classes of a version: `v1` has those of all subjects that have one, `v0` also the subjects without
/// versions, `jdk` the drivers of the JDK. All are compiled once, by one JVM.
fn compiled(version: &str) -> PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    let root = FOLDER.get_or_init(|| {
        let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("subjects");
        let mut sets: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
        for subject in std::fs::read_dir(repository().join("subjects")).unwrap() {
            let folder = subject.unwrap().path();
            let set = if folder.ends_with("jdk") { "jdk" } else { "v0" };
            sets.entry(set.into()).or_default().extend(java_files(&folder));
            for version in ["v0", "v1", "v2", "v3", "v4", "v5"] {
                sets.entry(version.into()).or_default().extend(java_files(&folder.join(version)));
            }
        }
        let mut java = Command::new(jdk().program("java").expect("a JDK has java"));
        java.arg(repository().join("crates/java/tests/java/CompileAll.java"));
        for (version, files) in sets {
            java.arg("-d").arg(root.join(version)).args(files);
            java.args(java_files(&repository().join("crates/replay/java/sym/evergreen")));
        }
        let done = java.output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        root
    });
    root.join(version)
}

fn exploration(classes: &Path, jdk: Jdk) -> Exploration {
    let _ = find("z3");
    let program = Program::open(&[classes.into()], None, jdk).unwrap_or_else(|e| panic!("{e}"));
    let store: Arc<dyn Store> = Arc::new(Memory::new(1 << 28));
    let make = move || Evergreen::builder().with_store(store.clone()).solver("z3").reuse(Reuse::Full).build();
    let options = JvmOptions { record: RECORDED, ..JvmOptions::default() };
    JavaFrontend::explore(program, Ints::Wrapped, options, Box::new(make)).unwrap_or_else(|e| panic!("{e}"))
}

/// Numbers in messages are those of one model among many: each is a `#`.
fn without_numbers(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '0'..='9' if out.ends_with('#') => {}
            '0'..='9' if out.ends_with('-') => {
                out.pop();
                out.push('#');
            }
            '0'..='9' => out.push('#'),
            c => out.push(c),
        }
    }
    out
}

/// A path of a driver: its test, and the branches that it is to take.
type Explored = Vec<(TestCase, Vec<TakenArm>)>;

/// Explores one driver; deviations from the known numbers go to `wrong`.
fn explore(exploration: &mut Exploration, known: &Known, wrong: &mut Vec<String>) -> Explored {
    let method =
        exploration.front.program().methods(Some(known.method)).unwrap_or_else(|e| panic!("{e}")).remove(0);
    let bounds = Bounds { loops: known.loops, steps: Some(50_000_000), ..Bounds::default() };
    let options = Options { bounds, ..Options::default() };
    let run = exploration.entry(&method, &Inputs::default(), options).unwrap_or_else(|e| panic!("{e}"));
    let mut run = run.without_shrinking();
    let (mut explored, mut findings) = (Vec::new(), BTreeSet::new());
    let mut complain = |what: String| wrong.push(format!("{} {}: {what}", known.version, known.method));
    while let Some(path) = run.next_path() {
        if let How::Threw { class, message, .. } = &path.how {
            let class = class.rsplit('.').next().unwrap_or(class);
            let message = message.as_ref().map(|m| format!(": {m}")).unwrap_or_default();
            findings.insert(without_numbers(&format!("{class}{message}")));
        }
        match (path.case, path.beyond.taken) {
            (Some(case), Some(taken)) => explored.push((case, taken)),
            (Some(_), None) => complain("a path is longer than is recorded".into()),
            // Cut by the bound that is known; everything else has a test.
            _ if path.how == How::Cut("loops") && known.loops.is_some() => {}
            _ => complain(format!("{:?} with {:?}", path.how, path.inputs)),
        }
    }
    let paths = run.tally().paths;
    if paths != known.paths {
        complain(format!("{paths} paths, not {}", known.paths));
    }
    if findings != known.findings {
        let list = |all: &BTreeSet<String>| all.iter().cloned().collect::<Vec<_>>().join("; ");
        complain(format!("found \"{}\", not \"{}\"", list(&findings), list(&known.findings)));
    }
    if run.summary().is_complete() == known.loops.is_some()
        || run.tally().narrowed(InputBound::References) > 0
    {
        complain(format!("{:?} {:?}", run.summary(), run.tally()));
    }
    explored
}

/// The probe of a branch that was taken.
fn number(probes: &Probes, taken: &TakenArm) -> Option<u32> {
    let way = match taken.way {
        Way::Taken => Arm::Taken,
        Way::Fallthrough => Arm::Fallthrough,
        Way::Case(index) => Arm::Case(index),
        Way::Default => Arm::Default,
    };
    let method = format!("{}{}", taken.method, taken.descriptor);
    let arms = probes.arms(&taken.class.replace('/', "."), &method, taken.offset);
    arms.iter().find(|(arm, _)| *arm == way).map(|(_, number)| *number)
}

/// A whole number that is a little different, as code with comparisons sees it.
fn beside(value: &JavaValue, others: &[JavaValue], random: &mut Random) -> JavaValue {
    let other = others[random.between(0, others.len() as i64 - 1) as usize].clone();
    let step = [-1, 1, 2, -2, 10][random.between(0, 4) as usize];
    match (value, other) {
        (JavaValue::Boolean(b), _) => JavaValue::Boolean(!b),
        (JavaValue::Int(_), JavaValue::Int(n)) => JavaValue::Int(n.wrapping_add(step)),
        (JavaValue::Int(n), _) => JavaValue::Int(n.wrapping_add(step)),
        (JavaValue::Char(_), JavaValue::Char(n)) if step == 1 => JavaValue::Char(n),
        (JavaValue::Char(n), _) => JavaValue::Char(n.wrapping_add(step as u16)),
        (value, _) => value.clone(),
    }
}

/// Inputs beside those of paths.
fn inputs_beside(explored: &Explored, seed: u64) -> Vec<TestCase> {
    let mut random = Random::new(seed);
    let mut all = Vec::new();
    for _ in 0..if explored.is_empty() { 0 } else { beside_count() } {
        let mut case = explored[random.between(0, explored.len() as i64 - 1) as usize].0.clone();
        let (own, drawn) = (case.arguments.len(), case.draws.len());
        if own + drawn == 0 {
            break;
        }
        let values: Vec<JavaValue> =
            case.arguments.iter().chain(case.draws.iter().map(|(_, value)| value)).cloned().collect();
        for _ in 0..random.between(1, 2) {
            let at = random.between(0, (own + drawn) as i64 - 1) as usize;
            let value = beside(&values[at], &values, &mut random);
            match at.checked_sub(own) {
                None => case.arguments[at] = value,
                Some(at) => case.draws[at].1 = value,
            }
        }
        all.push(case);
    }
    all
}

/// What distinguishes a path of the JVM from others: the way it ends and its branches.
fn path_of(ending: &Ending, arms: &[u32]) -> (String, Vec<u32>) {
    let ending = match ending {
        Ending::Returned(_) => "returned".into(),
        Ending::Threw { class, .. } => class.clone(),
        Ending::Exited(status) => format!("exited with {status}"),
    };
    (ending, arms.to_vec())
}

/// Whether an input is none: a driver assumes otherwise, or draws more than there is.
fn is_no_input(ending: &Ending) -> bool {
    matches!(ending, Ending::Threw { class, .. }
        if class == "evergreen.AssumptionViolated" || class == "java.lang.IllegalStateException")
}

/// Explores all drivers of a version and lets the JVM have their tests, and inputs beside them.
fn check(version: &str, jdk: Jdk) {
    let classes = compiled(version);
    let all = known(version, &jdk);
    let home = jdk.home.clone();
    let mut exploration = exploration(&classes, jdk);
    let mut wrong = Vec::new();
    let explored: Vec<Explored> =
        all.iter().map(|known| explore(&mut exploration, known, &mut wrong)).collect();
    let trouble = exploration.oracle().trouble();
    assert!(trouble.wrong_models.is_empty() && trouble.error.is_none(), "{trouble:?}");

    let (jdk, places) = (Jdk::open(&home).unwrap(), [classes]);
    let probes = Probes::plant(&jdk, &places, &Probed::All).unwrap_or_else(|e| panic!("{e}"));
    let options = ReplayOptions {
        cache: Some(Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache")),
        ..ReplayOptions::default()
    };
    // All tests of one method, then inputs beside them.
    let (mut cases, mut owners) = (Vec::new(), Vec::new());
    for (at, explored) in explored.iter().enumerate() {
        for (case, taken) in explored {
            let arms = taken.iter().filter_map(|arm| number(&probes, arm)).collect();
            cases.push(TestCase { arms: Some(arms), ..case.clone() });
            owners.push((at, true));
        }
        if all[at].loops.is_none() {
            let more = inputs_beside(explored, at as u64);
            owners.extend(more.iter().map(|_| (at, false)));
            cases.extend(more);
        }
    }
    let replayed = replay(&jdk, &places, Some(&probes), &cases, &options).unwrap_or_else(|e| panic!("{e}"));
    let mut found: Vec<BTreeSet<(String, Vec<u32>)>> = vec![BTreeSet::new(); all.len()];
    let mut others = 0;
    for (((at, is_path), case), result) in owners.iter().zip(&cases).zip(&replayed.cases) {
        let Observed::Ended(ending) = &result.observed else {
            wrong.push(format!("{version} {}: {:?}", all[*at].method, result.observed));
            continue;
        };
        let inputs = || format!("{:?} {:?}", case.arguments, case.draws);
        let path = path_of(ending, &result.arms);
        if *is_path {
            if let Some(divergence) = &result.divergence {
                wrong.push(format!("{version} {}: {divergence} with {}", all[*at].method, inputs()));
            }
            found[*at].insert(path);
        } else if !is_no_input(ending) {
            others += 1;
            if !found[*at].contains(&path) {
                wrong.push(format!("{version} {}: a path was not found: {}", all[*at].method, inputs()));
            }
        }
    }
    println!("{version}: {} paths, {others} other inputs", found.iter().map(BTreeSet::len).sum::<usize>());
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_subjects() {
    check("v0", jdk());
}

#[test]
fn their_other_versions() {
    for version in ["v1", "v2", "v3", "v4", "v5"] {
        check(version, jdk());
    }
}

#[test]
fn the_jdk_itself() {
    // What the JDK does differs from version to version: these two are known.
    let known: Vec<Jdk> = jdks().into_iter().filter(|jdk| matches!(jdk.feature, 17 | 25)).collect();
    assert!(!known.is_empty(), "there is neither JDK 17 nor JDK 25\nhelp: run scripts/setup.sh java");
    known.into_iter().for_each(|jdk| check("jdk", jdk));
}

/// A folder of drivers usually has the driver API too.
#[test]
fn the_driver_api_is_not_explored() {
    let program = Program::open(&[compiled("v0")], None, jdk()).unwrap_or_else(|e| panic!("{e}"));
    let methods = program.methods(None).unwrap_or_else(|e| panic!("{e}"));
    assert!(methods.len() > 100 && methods.iter().all(|method| !method.class.starts_with("evergreen/")));
    assert_eq!(
        program.methods(Some("Sym.remaining")).map(|found| found.len()),
        Ok(1),
        "unless it is asked for"
    );
}

/// From poor to rich.
const LEVELS: [Reuse; 5] = [Reuse::None, Reuse::Exact, Reuse::Subset, Reuse::Logical, Reuse::Full];

/// How often the solver is called for a method of some versions with one store: as the papers do it, with
/// unbounded integers, every arm asked, nothing solved natively. With it the arms.
fn calls(versions: &[&str], method: &str, loops: Option<u32>, reuse: Reuse) -> (u64, u64) {
    let store: Arc<dyn Store> = Arc::new(Memory::new(1 << 28));
    let mut sum = (0, 0);
    for version in versions {
        let program = Program::open(&[compiled(version)], None, jdk()).unwrap_or_else(|e| panic!("{e}"));
        let target = program.methods(Some(method)).unwrap_or_else(|e| panic!("{e}")).remove(0);
        let store = store.clone();
        let make = move || {
            let builder = Evergreen::builder().with_store(store.clone()).solver("z3").reuse(reuse);
            builder.native(false).regulate(false).build()
        };
        let mut exploration =
            JavaFrontend::explore(program, Ints::Math, JvmOptions::default(), Box::new(make)).unwrap();
        let bounds = Bounds { loops, ..Bounds::default() };
        let options = Options { shortcuts: Shortcuts::None, bounds, ..Options::default() };
        let run = exploration.entry(&target, &Inputs::default(), options).unwrap();
        let mut run = run.without_shrinking().telling(Detail::Brief);
        while run.next_path().is_some() {}
        assert_eq!(run.summary().undecided, 0, "{:?}", run.oracle().trouble());
        sum = (sum.0 + run.summary().queries(), sum.1 + run.oracle().stats().solved);
    }
    sum
}

/// Fewer calls are progress, more are a regression.
#[test]
fn solver_calls_on_the_papers_subjects_by_level_of_reuse() {
    let _ = find("z3");
    type Row<'a> = (&'a [&'a str], &'a str, Option<u32>, [u64; 5]);
    let expected: [Row; 8] = [
        (&["v0"], "TriTyp.classify", None, [32, 19, 19, 19, 13]),
        (&["v0"], "Euclid.gcd", Some(4), [64, 62, 62, 62, 33]),
        (&["v0"], "Tcas.advise", None, [1662, 106, 65, 23, 18]),
        (&["v0", "v4"], "Tcas.advise", None, [3388, 108, 67, 25, 19]),
        (&["v0"], "BinTreeDriver.add4", None, [148, 95, 86, 86, 49]),
        (&["v0"], "TreeMapDriver.put4", None, [148, 109, 96, 96, 57]),
        (&["v0"], "BinomialHeapDriver.operations3", None, [230, 67, 59, 43, 18]),
        (&["v0"], "WbsDriver.step2", None, [1150, 12, 12, 10, 6]),
    ];
    let mut wrong = Vec::new();
    for (versions, method, loops, expected) in expected {
        let found = LEVELS.map(|level| calls(versions, method, loops, level));
        let counts = found.map(|(_, calls)| calls);
        assert!(found.iter().all(|(queries, _)| *queries == found[0].0), "{method}: {found:?}");
        assert!(counts.is_sorted_by(|poorer, richer| poorer >= richer), "{method}: {counts:?}");
        if counts != expected {
            wrong.push(format!("{versions:?} {method}: {counts:?}, not {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
