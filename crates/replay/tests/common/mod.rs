//! Shared by the tests of this crate: JDKs, and the subject, compiled once.
#![allow(missing_docs)]

use evergreen_classfile::{Jdk, installed_jdks};
use evergreen_replay::{Ending, JavaValue, Message, Receiver, ReplayOptions, Target, TestCase};
use evergreen_testing::tools::repository;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, OnceLock};

/// One JDK of each version from 17 on; there must be one.
pub(crate) fn jdks() -> Vec<Jdk> {
    let mut found: Vec<Jdk> = installed_jdks()
        .into_iter()
        .filter(|jdk| jdk.feature >= 17 && jdk.program("javac").is_some())
        .collect();
    found.sort_by_key(|jdk| jdk.feature);
    found.dedup_by_key(|jdk| jdk.feature);
    assert!(!found.is_empty(), "no JDK of version 17 or later is installed\nhelp: run scripts/setup.sh java");
    found
}

pub(crate) fn oldest_jdk() -> Jdk {
    jdks().into_iter().next().unwrap()
}

/// A folder of this build's own, not the user's cache.
pub(crate) fn cache() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache")
}

pub(crate) fn options() -> ReplayOptions {
    ReplayOptions { cache: Some(cache()), ..ReplayOptions::default() }
}

/// Compiles Java files into a folder below the build's.
pub(crate) fn compile(name: &str, files: &[PathBuf]) -> PathBuf {
    let classes = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("replay-{name}"));
    // Classes of an earlier run may belong to deleted sources.
    let _ = std::fs::remove_dir_all(&classes);
    std::fs::create_dir_all(&classes).unwrap();
    let javac = oldest_jdk().program("javac").unwrap();
    let sym = repository().join("crates/replay/java/sym/evergreen");
    let run = Command::new(javac)
        .env("LC_ALL", "C.UTF-8")
        .args(["-g", "-nowarn", "-proc:none", "-encoding", "UTF-8", "-d"])
        .arg(&classes)
        .args(files)
        .args(std::fs::read_dir(sym).unwrap().map(|file| file.unwrap().path()))
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    classes
}

/// The class path with `shop.Subject`.
pub(crate) fn subject() -> PathBuf {
    static COMPILED: OnceLock<PathBuf> = OnceLock::new();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/shop/Subject.java");
    COMPILED.get_or_init(|| compile("subject", &[file])).clone()
}

/// A case of `shop.Subject`: `case("quotient(II)I", [...], ending)`. A star before the name: on a new object.
pub(crate) fn case(method: &str, arguments: Vec<JavaValue>, ending: Ending) -> TestCase {
    let (method, receiver) = match method.strip_prefix('*') {
        Some(method) => (method, Receiver::DefaultConstructor),
        None => (method, Receiver::Static),
    };
    let (name, _) = method.split_once('(').unwrap();
    let target = Target {
        class: "shop.Subject".into(),
        method: name.into(),
        descriptor: method[name.len()..].into(),
        receiver,
        hidden: false,
        parameters: vec![],
        exceptions: vec![],
    };
    TestCase {
        target: Arc::new(target),
        objects: vec![],
        build: None,
        receiver: None,
        arguments,
        draws: vec![],
        ending,
        output: None,
        title: String::new(),
        arms: None,
    }
}

pub(crate) fn returns(value: JavaValue) -> Ending {
    Ending::Returned(Some(value))
}

pub(crate) fn throws(class: &str, message: Message) -> Ending {
    Ending::Threw { class: class.into(), message }
}
