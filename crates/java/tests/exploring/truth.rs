//! What the real JVM does with every input of small methods.

use evergreen_classfile::{Jdk, PROBED_JVM_FLAGS, ProbeOptions, plant_probes};
use evergreen_java::replay::JavaValue;
use evergreen_testing::java::Method;
use evergreen_testing::tools::repository;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Compiles methods into a folder `classes`.
pub(crate) fn compile(jdk: &Jdk, folder: &Path, methods: &[Method]) -> PathBuf {
    let (sources, classes) = (folder.join("sources"), folder.join("classes"));
    std::fs::create_dir(&sources).unwrap();
    for made in methods {
        std::fs::write(sources.join(format!("{}.java", made.class)), &made.source).unwrap();
    }
    let files = methods.iter().map(|made| sources.join(format!("{}.java", made.class)));
    run(Command::new(program(jdk, "javac")).args(["-g", "-nowarn", "-d"]).arg(&classes).args(files));
    classes
}

fn run(command: &mut Command) {
    let output = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn program(jdk: &Jdk, name: &str) -> PathBuf {
    jdk.program(name).unwrap_or_else(|| panic!("the JDK has no {name}: run scripts/setup.sh java"))
}

/// What the JVM did with one input: how it ended, and the arms it took.
pub(crate) type Observed = (String, String);

/// What the JVM does with every input of every method.
pub(crate) fn try_all(
    jdk: &Jdk,
    folder: &Path,
    methods: &[Method],
) -> BTreeMap<String, BTreeMap<Vec<i64>, Observed>> {
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
        repository().join("crates/replay/java/sym/evergreen/Probe.java"),
        repository().join("crates/java/tests/java/BruteForce.java"),
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

pub(crate) fn number(value: &JavaValue) -> i64 {
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

/// Paths that return are distinguished by their arms, not by what they return.
pub(crate) fn kind(ending: &str) -> &str {
    if ending.starts_with('=') { "returned" } else { ending }
}
