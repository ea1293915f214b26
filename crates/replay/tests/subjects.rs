//! The JVM's results on the subjects, written as JUnit source, pass: replay and suites agree.

use crate::common::{compile, oldest_jdk, options};
use evergreen_classfile::{MethodDescriptor, Type, access, read};
use evergreen_replay::{
    Coverage, Ending, Fate, JavaValue, Junit, JunitJars, JunitOptions, Observed, Probed, Probes, Receiver,
    ReplayOptions, Target, TestCase, junit_suites, replay, run_junit,
};
use evergreen_testing::random::Random;
use evergreen_testing::tools::{put_on_path, repository};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// All Java files of the subjects, of each the first version.
fn files() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for subject in std::fs::read_dir(repository().join("subjects")).unwrap() {
        let folder = subject.unwrap().path();
        // Their methods are called on objects, with which crates/evergreen tests them.
        if ["heap", "jdk-heap", "bliss"].iter().any(|name| folder.ends_with(name)) {
            continue;
        }
        let first = folder.join("v0");
        for file in std::fs::read_dir(if first.is_dir() { first } else { folder }).into_iter().flatten() {
            found.push(file.unwrap().path());
        }
    }
    found.retain(|file| file.extension().is_some_and(|extension| extension == "java"));
    found.sort();
    found
}

/// The static methods that a suite can call with values.
fn targets(classes: &Path) -> Vec<Arc<Target>> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(classes).unwrap().map(|file| file.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "class"));
    files.sort();
    let mut found = Vec::new();
    for file in files {
        let class = read(&std::fs::read(file).unwrap()).unwrap();
        for method in class.methods.iter().filter(|method| !method.name.starts_with('<')) {
            let types = MethodDescriptor::parse(&method.descriptor).unwrap().parameters;
            let can_make = |of: &Type| match of {
                Type::Class(name) => &**name == "java/lang/String",
                Type::Array(element) => !element.is_reference(),
                _ => true,
            };
            let is_own = method.access & access::SYNTHETIC == 0 && method.access & access::STATIC != 0;
            // A suite is in the same package, but not in the class.
            if is_own && types.iter().all(can_make) && !class.name.contains('$') {
                found.push(Arc::new(Target {
                    class: class.name.replace('/', "."),
                    method: method.name.to_string(),
                    descriptor: method.descriptor.to_string(),
                    receiver: Receiver::Static,
                    hidden: method.access & access::PRIVATE != 0,
                    parameters: vec![],
                    exceptions: method.exceptions.iter().map(|name| name.replace('/', ".")).collect(),
                }));
            }
        }
    }
    found
}

fn value(of: &Type, random: &mut Random) -> JavaValue {
    let small = random.between(0, 6);
    match of {
        Type::Boolean => JavaValue::Boolean(small % 2 == 0),
        Type::Byte => JavaValue::Byte(small as i8),
        Type::Char => JavaValue::Char(*b"(12+x)I".get(small as usize).unwrap() as u16),
        Type::Short => JavaValue::Short(small as i16),
        Type::Int => JavaValue::Int(small as i32),
        Type::Long => JavaValue::Long(small),
        Type::Float => JavaValue::Float(small as f32 / 2.0),
        Type::Double => JavaValue::Double(small as f64 / 2.0),
        Type::Class(_) => {
            JavaValue::string(["", "XIV", "1+(2*3)", "\u{e9}\n\"", "42", "-7", "abc"][small as usize])
        }
        Type::Array(element) => JavaValue::Array {
            element: (**element).clone(),
            items: (0..small).map(|_| value(element, random)).collect(),
        },
    }
}

#[test]
fn what_the_jvm_does_is_what_junit_expects() {
    put_on_path();
    let classes = compile("subjects", &files());
    let mut random = Random::new(4);
    let mut cases = Vec::new();
    for target in targets(&classes) {
        let types = MethodDescriptor::parse(&target.descriptor).unwrap().parameters;
        for _ in 0..3 {
            cases.push(TestCase {
                target: target.clone(),
                objects: vec![],
                build: None,
                receiver: None,
                arguments: types.iter().map(|of| value(of, &mut random)).collect(),
                draws: (0..16)
                    .map(|i| (format!("x{i}"), JavaValue::Int(random.between(0, 2) as i32)))
                    .collect(),
                ending: Ending::Exited(-1),
                output: None,
                title: String::new(),
                arms: None,
            });
        }
    }
    let jdk = oldest_jdk();
    let path = [classes];
    let probes = Probes::plant(&jdk, &path, &Probed::All).unwrap();
    let options = ReplayOptions { case_limit: Duration::from_millis(500), ..options() };
    let replayed = replay(&jdk, &path, Some(&probes), &cases, &options).unwrap();
    let mut right = Vec::new();
    for (case, result) in cases.into_iter().zip(replayed.cases) {
        match result.observed {
            Observed::Ended(ending) => {
                right.push(TestCase { ending, output: Some(result.output), arms: Some(result.arms), ..case });
            }
            Observed::TimedOut => {}
            other => panic!("{:?}: {other:?}", case.target),
        }
    }
    assert!(right.len() >= 300, "only {} cases", right.len());
    let coverage = Coverage::of(&probes, &replayed.hits);
    let branches = coverage.branches();
    assert!(branches.covered * 2 > branches.total, "{coverage}");

    // The same again, without probes and on every path as expected.
    let again = replay(&jdk, &path, None, &right, &options).unwrap();
    let divergences: Vec<_> = again.cases.iter().filter_map(|case| case.divergence.as_ref()).collect();
    assert!(divergences.is_empty(), "{divergences:#?}");

    let junit_options = JunitOptions {
        version: Junit::Five,
        package: "".into(),
        class_name: "AllTest".into(),
        misread: Vec::new(),
    };
    let suites = junit_suites(&right, &junit_options);
    let jars = JunitJars::find(Junit::Five, &[]).unwrap();
    let tests = run_junit(&jdk, &path, &jars, &suites, Duration::from_secs(60)).unwrap();
    let failed: Vec<_> = tests.iter().filter(|test| test.fate != Fate::Passed).collect();
    assert!(failed.is_empty(), "{failed:#?}");
    assert_eq!(tests.len(), right.len());
}
