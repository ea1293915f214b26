//! A JVM that stays: found again by the next run, with nothing of the last one in it, and missed by nobody
//! when it is gone.

use crate::common::{case, compile, oldest_jdk, returns};
use evergreen_replay::{
    Ending, JavaValue, Observed, Probed, Probes, ReplayOptions, Replaying, Target, TestCase, replay,
    stop_warm,
};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

/// Classes that leave nothing behind, but for `Loud`, which ends the JVM, and `Set`, which changes it.
const SOURCES: [(&str, &str); 5] = [
    ("Counter", "class Counter { static int count; static int next() { return ++count; } }"),
    ("Version", "class Version { static int of() { return 1; } }"),
    ("Loud", "class Loud { static void end() { System.exit(3); } }"),
    (
        "Set",
        "class Set { static int seen() { int old = Integer.getInteger(\"seen\", 0); \
         System.setProperty(\"seen\", \"1\"); return old; } }",
    ),
    (
        "Endless",
        "class Endless { static int turn(int n) { while (n > 0) { n |= 1; } return n; } \
         static int deep(int n) { return deep(n + 1) + 1; } }",
    ),
];

struct Runs {
    name: &'static str,
    cache: tempfile::TempDir,
    sources: PathBuf,
    classes: PathBuf,
}

impl Runs {
    fn new(name: &'static str) -> Runs {
        // Names of sockets are short: not in the folder of the build.
        let cache = tempfile::Builder::new().prefix("warm").tempdir_in("/tmp").unwrap();
        let sources = cache.path().join("sources");
        std::fs::create_dir(&sources).unwrap();
        for (name, text) in SOURCES {
            std::fs::write(sources.join(format!("{name}.java")), text).unwrap();
        }
        let mut runs = Runs { name, cache, sources, classes: PathBuf::new() };
        runs.compile();
        runs
    }

    fn compile(&mut self) {
        let files = SOURCES.map(|(name, _)| self.sources.join(format!("{name}.java")));
        self.classes = compile(self.name, &files);
    }

    fn options(&self) -> ReplayOptions {
        ReplayOptions {
            cache: Some(self.cache.path().to_path_buf()),
            case_limit: Duration::from_millis(700),
            warm: Some(Duration::from_secs(60)),
            ..ReplayOptions::default()
        }
    }

    /// Replays calls as a run of its own does.
    fn run(&self, calls: &[(&str, Option<i32>)]) -> Vec<Observed> {
        let (jdk, path) = (oldest_jdk(), [self.classes.clone()]);
        let probes = Probes::plant(&jdk, &path, &Probed::All).unwrap();
        let cases: Vec<TestCase> = calls.iter().map(|(method, argument)| call(method, *argument)).collect();
        let replayed = replay(&jdk, &path, Some(&probes), &cases, &self.options()).unwrap();
        replayed.cases.into_iter().map(|result| result.observed).collect()
    }

    /// The processes that stay for these runs.
    fn staying(&self) -> BTreeSet<String> {
        let ours = self.cache.path().canonicalize().unwrap();
        let is_ours = |process: &Path| {
            let arguments = std::fs::read(process.join("cmdline")).unwrap_or_default();
            let arguments = String::from_utf8_lossy(&arguments).into_owned();
            arguments.contains("Runner\0") && arguments.contains(&format!("{}/jvm-", ours.display()))
        };
        let processes = std::fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
        processes.filter(|process| is_ours(process)).map(|process| process.display().to_string()).collect()
    }

    /// Waits until nothing stays: a JVM takes a moment to end.
    fn wait_for_none(&self) {
        for _ in 0..2_000 {
            if self.staying().is_empty() {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("a JVM stays");
    }
}

impl Drop for Runs {
    fn drop(&mut self) {
        stop_warm(Some(self.cache.path()));
    }
}

fn call(method: &str, argument: Option<i32>) -> TestCase {
    let (class, method) = method.split_once('.').unwrap();
    let arguments: Vec<JavaValue> = argument.into_iter().map(JavaValue::Int).collect();
    let mut case = case(method, arguments, returns(JavaValue::Int(0)));
    case.target = Arc::new(Target { class: class.into(), ..(*case.target).clone() });
    case
}

fn returned(value: i32) -> Observed {
    Observed::Ended(returns(JavaValue::Int(value)))
}

#[test]
fn the_next_run_finds_the_jvm_and_nothing_of_the_last_run() {
    let mut runs = Runs::new("warm-next");
    let counted = [("Counter.next()I", None), ("Version.of()I", None)];
    assert_eq!(runs.run(&counted), [returned(1), returned(1)]);
    let first = runs.staying();
    assert_eq!(first.len(), 1, "{first:?}");
    // The same JVM, with statics as new, and with what is now on disk.
    std::fs::write(runs.sources.join("Version.java"), "class Version { static int of() { return 2; } }")
        .unwrap();
    runs.compile();
    assert_eq!(runs.run(&counted), [returned(1), returned(2)]);
    assert_eq!(runs.staying(), first);
    // Programs that could change it, or end it, do not get to it.
    let both = [("Set.seen()I", None), ("Counter.next()I", None)];
    assert_eq!(runs.run(&both), [returned(0), returned(1)]);
    assert_eq!(runs.run(&both), [returned(0), returned(1)]);
    let ended = runs.run(&[("Loud.end()V", None), ("Counter.next()I", None)]);
    assert_eq!(ended, [Observed::Ended(Ending::Exited(3)), returned(1)]);
    assert_eq!(runs.staying(), first);
    // Two runs at the same time: the second one has a JVM of its own.
    let (jdk, path) = (oldest_jdk(), [runs.classes.clone()]);
    let probes = Probes::plant(&jdk, &path, &Probed::All).unwrap();
    let mut held = Replaying::new(&jdk, &path, Some(&probes), &runs.options()).unwrap();
    held.begin(vec![call("Counter.next()I", None)], Some(&probes)).unwrap();
    assert_eq!(held.end(Some(&probes)).unwrap().cases[0].observed, returned(1));
    assert_eq!(runs.run(&counted), [returned(1), returned(2)]);
    held.begin(vec![call("Counter.next()I", None)], Some(&probes)).unwrap();
    assert_eq!(held.end(Some(&probes)).unwrap().cases[0].observed, returned(1));
    drop(held);
    assert_eq!(runs.staying(), first);
    assert_eq!(stop_warm(Some(runs.cache.path())), 1);
    runs.wait_for_none();
    assert_eq!(stop_warm(Some(runs.cache.path())), 0);
}

#[test]
fn a_jvm_that_is_gone_or_goes_in_a_run_is_replaced() {
    let runs = Runs::new("warm-gone");
    let counted = [("Counter.next()I", None)];
    assert_eq!(runs.run(&counted), [returned(1)]);
    let first = runs.staying();
    let process = first.first().unwrap().trim_start_matches("/proc/");
    assert!(Command::new("kill").args(["-9", process]).status().unwrap().success());
    runs.wait_for_none();
    assert_eq!(runs.run(&counted), [returned(1)]);
    let second = runs.staying();
    assert!(second.len() == 1 && second != first, "{second:?}");
    // Killed between two batches of a run, whose answers are those of another JVM.
    let (jdk, path) = (oldest_jdk(), [runs.classes.clone()]);
    let probes = Probes::plant(&jdk, &path, &Probed::All).unwrap();
    let mut held = Replaying::new(&jdk, &path, Some(&probes), &runs.options()).unwrap();
    held.begin(vec![call("Counter.next()I", None)], Some(&probes)).unwrap();
    held.end(Some(&probes)).unwrap();
    stop_warm(Some(runs.cache.path()));
    runs.wait_for_none();
    held.begin(vec![call("Counter.next()I", None), call("Version.of()I", None)], Some(&probes)).unwrap();
    let observed: Vec<Observed> =
        held.end(Some(&probes)).unwrap().cases.into_iter().map(|result| result.observed).collect();
    assert_eq!(observed, [returned(1), returned(1)]);
    drop(held);
    // What hangs is reported, ends the JVM, and the cases after it are answered.
    let hangs = [("Counter.next()I", None), ("Endless.turn(I)I", Some(1)), ("Counter.next()I", None)];
    assert_eq!(runs.run(&hangs), [returned(1), Observed::TimedOut, returned(1)]);
    runs.wait_for_none();
    // A JVM without stack or memory left is not one for others.
    let deep = runs.run(&[("Endless.deep(I)I", Some(0)), ("Counter.next()I", None)]);
    let Observed::Ended(Ending::Threw { class, .. }) = &deep[0] else { panic!("{deep:?}") };
    assert_eq!(class, "java.lang.StackOverflowError");
    assert_eq!(deep[1], returned(1));
    runs.wait_for_none();
}
