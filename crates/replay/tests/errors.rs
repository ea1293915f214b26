//! The error messages of a replay that cannot run, and the cache of the compiled runner.

use crate::common::{case, oldest_jdk, options, returns, subject};
use evergreen_classfile::Jdk;
use evergreen_replay::{JavaValue, Junit, JunitJars, ReplayError, ReplayOptions, TestCase, replay};
use evergreen_testing::tools::write_program;
use std::os::unix::fs::symlink;
use std::path::Path;

/// A JDK whose programs are those given, and everything else the real one's.
fn fake_jdk(home: &Path, programs: &[(&str, &str)]) -> Jdk {
    let real = oldest_jdk().home;
    for entry in std::fs::read_dir(&real).unwrap() {
        let entry = entry.unwrap();
        if entry.file_name() != "bin" {
            symlink(entry.path(), home.join(entry.file_name())).unwrap();
        }
    }
    std::fs::create_dir(home.join("bin")).unwrap();
    for (name, script) in programs {
        let file = home.join("bin").join(name);
        write_program(&file, script.as_bytes());
    }
    Jdk::open(home).unwrap()
}

fn one_case() -> Vec<TestCase> {
    vec![case("echo(I)I", vec![JavaValue::Int(3)], returns(JavaValue::Int(3)))]
}

fn error(jdk: &Jdk, options: &ReplayOptions) -> ReplayError {
    replay(jdk, &[subject()], None, &one_case(), options).map(|_| ()).unwrap_err()
}

#[test]
fn a_runtime_without_compiler_is_named() {
    let home = tempfile::tempdir().unwrap();
    let jdk = fake_jdk(home.path(), &[("java", "#!/bin/sh\nexit 1\n")]);
    let options = ReplayOptions { cache: Some(home.path().join("cache")), ..options() };
    let text = error(&jdk, &options).to_string();
    let javac = home.path().join("bin/javac");
    assert_eq!(
        text,
        format!(
            "'{}' is not there: replay compiles its runner once\n\
             help: install a JDK, not only a JRE, or point JAVA_HOME at one",
            javac.display()
        )
    );
}

#[test]
fn a_jvm_that_does_not_start_is_quoted() {
    let home = tempfile::tempdir().unwrap();
    // The runner is compiled already.
    replay(&oldest_jdk(), &[subject()], None, &one_case(), &options()).unwrap();
    let script = "#!/bin/sh\necho 'no memory today' >&2\nexit 1\n";
    let jdk = fake_jdk(home.path(), &[("java", script)]);
    let text = error(&jdk, &options()).to_string();
    assert!(text.ends_with("bin/java' does not run test cases\nno memory today"), "{text}");
}

#[test]
fn the_runner_is_compiled_once_and_kept() {
    let home = tempfile::tempdir().unwrap();
    let options = ReplayOptions { cache: Some(home.path().join("cache")), ..options() };
    for _ in 0..2 {
        assert_eq!(
            replay(&oldest_jdk(), &[subject()], None, &one_case(), &options).unwrap().divergences(),
            0
        );
        let kept: Vec<_> = std::fs::read_dir(home.path().join("cache")).unwrap().collect();
        assert_eq!(kept.len(), 1);
    }
}

#[test]
fn without_a_cache_the_runner_is_compiled_for_this_run() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("file");
    std::fs::write(&file, "").unwrap();
    let options = ReplayOptions { cache: Some(file.join("cache")), ..options() };
    assert_eq!(replay(&oldest_jdk(), &[subject()], None, &one_case(), &options).unwrap().divergences(), 0);
}

#[test]
fn no_cases_and_no_class_path_are_fine() {
    assert!(replay(&oldest_jdk(), &[], None, &[], &options()).unwrap().cases.is_empty());
}

#[test]
fn a_missing_junit_is_named() {
    let empty = tempfile::tempdir().unwrap();
    // Names that no folder of this machine has, in a version that is found first otherwise.
    std::fs::write(empty.path().join("junit-4.13.2.jar"), "").unwrap();
    std::fs::write(empty.path().join("hamcrest-core-1.3.jar"), "").unwrap();
    let jars = JunitJars::find(Junit::Four, &[empty.path().to_path_buf()]).unwrap();
    assert_eq!(jars.jars.len(), 2);
    let error = ReplayError::NoJunit { looked: "junit4.jar in '/nowhere'".into() };
    assert_eq!(
        error.to_string(),
        "JUnit is not there: looked for junit4.jar in '/nowhere'\n\
         help: run scripts/setup.sh java, or name its jars"
    );
}
