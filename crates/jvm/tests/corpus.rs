//! The differential corpus: every program prints on the machine exactly what `java` prints,
//! and ends as it ends there.
//!
//! All programs are compiled by one javac, run in one JVM by `runner/RunMains.java`, and each by a machine of
//! its own. `EVERGREEN_CORPUS=Name` runs the programs whose names contain it and shows what differs.

use crate::common;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use evergreen_classfile::{Jdk, find_jdk};
use evergreen_jvm::{Argument, Body, Ending, Jvm, Kind, State, Stream, Value};
use evergreen_symbolic::Assignment;

#[derive(PartialEq, Debug)]
struct Run {
    ending: String,
    output: Vec<u16>,
}

#[test]
fn programs_print_what_java_prints() {
    check(&find_jdk().expect("this test needs a JDK"), "corpus");
}

/// The newest JDK beside the one that is required: its images and its javac differ.
#[test]
fn programs_print_what_a_newer_java_prints() {
    let installed = std::fs::read_dir("/usr/lib/jvm").into_iter().flatten().flatten();
    let newest = installed.filter_map(|entry| Jdk::open(&entry.path()).ok()).max_by_key(|jdk| jdk.feature);
    match newest.filter(|jdk| jdk.feature >= 21) {
        Some(jdk) => {
            check(&jdk, "corpus");
            check(&jdk, "corpus21");
        }
        None => eprintln!("no JDK of Java 21 or later in /usr/lib/jvm: only the required one was compared"),
    }
}

fn check(jdk: &Jdk, corpus: &str) {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let wanted = std::env::var("EVERGREEN_CORPUS").unwrap_or_default();
    let mut sources: Vec<PathBuf> = std::fs::read_dir(tests.join(corpus))
        .expect("the corpus is there")
        .map(|entry| entry.expect("the corpus can be listed").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "java"))
        .collect();
    sources.sort();
    // Code that javac does not emit is in handmade class files.
    let handmade: Vec<PathBuf> = std::fs::read_dir(tests.join(corpus).join("handmade"))
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "class"))
        .collect();
    assert!(corpus != "corpus" || !handmade.is_empty(), "the handmade classes are missing");
    let names: Vec<String> = sources
        .iter()
        .chain(&handmade)
        .map(|path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned())
        .filter(|name| name.contains(&wanted))
        .collect();
    assert!(!names.is_empty(), "no program of the corpus is called {wanted}");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let classes = folder.path();
    let javac = jdk.program("javac").expect("this test needs javac");
    let done = Command::new(javac)
        .args(common::QUICK)
        .args(["-g", "-Xlint:none", "-nowarn", "-encoding", "UTF-8", "-d"])
        .arg(classes)
        .args(&sources)
        .arg(tests.join("runner/RunMains.java"))
        .output()
        .expect("javac starts");
    assert!(done.status.success(), "javac: {}", String::from_utf8_lossy(&done.stderr));
    for class in &handmade {
        std::fs::copy(class, classes.join(class.file_name().unwrap_or_default())).expect("a class is copied");
    }
    let jdk_home = &jdk.home;
    let (exiting, staying): (Vec<String>, Vec<String>) =
        names.iter().cloned().partition(|name| exits(&tests.join(corpus).join(format!("{name}.java"))));
    let mut expected = run_on_java(jdk, classes, &staying);
    expected.extend(exiting.into_iter().map(|name| run_alone(jdk, classes, name)));
    let compare = |names: &[String]| -> Vec<String> {
        // Programs share classes of the JDK, not states.
        let mut jvm = common::machine_of(jdk_home, classes);
        let base = jvm.base_state().expect("the JDK boots");
        let differing = names.iter().filter_map(|name| {
            let found = run_on_machine(&mut jvm, &base, name);
            let expected = expected.get(name).unwrap_or_else(|| panic!("java did not run {name}"));
            (found != *expected).then(|| difference(name, &found, expected, !wanted.is_empty()))
        });
        differing.collect()
    };
    let all = names.len();
    let (first, second) = names.split_at(all / 2);
    let failures = std::thread::scope(|scope| {
        let second = scope.spawn(|| compare(second));
        let mut failures = compare(first);
        failures.extend(second.join().expect("the machine does not panic"));
        failures
    });
    assert!(failures.is_empty(), "{} of {all} differ:\n{}", failures.len(), failures.join("\n"));
    println!("{all} programs agree");
}

fn run_on_java(jdk: &Jdk, classes: &Path, names: &[String]) -> BTreeMap<String, Run> {
    let java = jdk.program("java").expect("this test needs java");
    let done = Command::new(java)
        .args(["-ea", "-Xshare:auto", "-cp"])
        .arg(classes)
        .arg("RunMains")
        .args(names)
        .output()
        .expect("java starts");
    assert!(done.status.success(), "java: {}", String::from_utf8_lossy(&done.stderr));
    let text = String::from_utf8(done.stdout).expect("the runner prints ASCII");
    let mut runs = BTreeMap::new();
    for line in text.lines() {
        let mut parts = line.trim_end_matches('.').splitn(3, ' ');
        let (Some(name), Some(ending), Some(output)) = (parts.next(), parts.next(), parts.next()) else {
            panic!("the runner printed {line}");
        };
        let ending = String::from_utf16_lossy(&units(ending));
        runs.insert(name.to_owned(), Run { ending, output: units(output) });
    }
    runs
}

// A program that ends its JVM needs one of its own.
fn exits(source: &Path) -> bool {
    std::fs::read_to_string(source).is_ok_and(|source| source.contains("System.exit"))
}

fn run_alone(jdk: &Jdk, classes: &Path, name: String) -> (String, Run) {
    let java = jdk.program("java").expect("this test needs java");
    let done = Command::new(java).args(["-ea", "-cp"]).arg(classes).arg(&name).output().expect("java starts");
    let ending = format!("exited {}", done.status.code().unwrap_or(-1));
    let output = String::from_utf8_lossy(&done.stdout).encode_utf16().collect();
    (name, Run { ending, output })
}

fn units(hex: &str) -> Vec<u16> {
    let digits: Vec<u16> = hex.bytes().map(|byte| (byte as char).to_digit(16).unwrap_or(0) as u16).collect();
    digits.chunks_exact(4).map(|four| four.iter().fold(0, |all, digit| all << 4 | digit)).collect()
}

fn run_on_machine(jvm: &mut Jvm, base: &State, name: &str) -> Run {
    let mut base = base.clone();
    let strings = jvm.load("[Ljava/lang/String;").expect("String is there");
    let none = base.heap.new_object(strings, Body::array(Kind::Reference, 0));
    let main =
        jvm.find(name, "main", "([Ljava/lang/String;)V").expect("the class loads").expect("it has a main");
    let mut state = jvm.start(&base, main, vec![Argument::Fixed(Value::Ref(none))]);
    let ending = match jvm.run_concrete(&mut state, 200_000_000) {
        None => "did not end".to_owned(),
        Some(Ending::Returned(_)) => "returned".to_owned(),
        Some(Ending::Threw { class, message, .. }) => {
            let message = message.map(|units| format!(": {}", String::from_utf16_lossy(&units)));
            format!("threw {}{}", class.replace('/', "."), message.unwrap_or_default())
        }
        Some(Ending::Unsupported { what, place, .. }) => {
            format!("unsupported: {what} at {}", place.map_or_else(String::new, |place| place.to_string()))
        }
        Some(Ending::Exited(code)) => format!("exited {code}"),
        Some(other) => format!("{other:?}"),
    };
    let output: Vec<_> = state.output.iter().cloned().collect();
    Run { ending, output: jvm.printed(&output, Stream::Out, &Assignment::new()) }
}

fn difference(name: &str, found: &Run, expected: &Run, in_full: bool) -> String {
    let (found_text, expected_text) =
        (String::from_utf16_lossy(&found.output), String::from_utf16_lossy(&expected.output));
    if in_full {
        return format!(
            "{name}: {} / {}\n{found_text}\n--- java:\n{expected_text}",
            found.ending, expected.ending
        );
    }
    let mut report = format!("{name}:");
    if found.ending != expected.ending {
        report += &format!(" ended '{}', java '{}';", found.ending, expected.ending);
    }
    let mut lines = expected_text.lines().zip(found_text.lines()).enumerate();
    if let Some((at, (java, machine))) = lines.find(|(_, (java, machine))| java != machine) {
        report += &format!("\n    line {}: '{machine}'\n    java:  '{java}'", at + 1);
    } else if found.output != expected.output {
        report += &format!(" {} of {} lines", found_text.lines().count(), expected_text.lines().count());
    }
    report
}
