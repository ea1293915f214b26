//! A worker that lies: one lie for each field of what workers send. The submitter has to find what a single
//! process finds, whatever it heard.
//!
//! The liar begins with what a real worker tells of the same method, and changes one thing. Every method of
//! the subject has the same code, and each is lied about in its own way, so that one exploration hears all
//! the lies.

use crate::common::{Folder, PATIENCE, find, isolated, stderr, stdout};
use crate::work::finished;
use evergreen_queue::{Claim, Gathered, JobSpec, Look, Patience, Queue, Worker};
use evergreen_testing::redis::RedisServer;
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Every field of a result, and of its counters. A field that is added has to be lied about below.
const FIELDS: [&str; 5] = ["counts", "failed", "method", "paths", "worker"];
const COUNTERS: [&str; 12] = [
    "answers",
    "by_complement",
    "by_model",
    "hits",
    "instructions",
    "questions",
    "reasons",
    "settled",
    "solved",
    "solver_starts",
    "unknown",
    "wrong_models",
];

/// The code of each method: an infeasible arm, places at which a bound would cut, and a finding where x is 7.
const BODY: &str = "{
        if (x > y) { if (x < y) return 9; return x > 100 ? 1 : 2; }
        if (x == y) return 3;
        for (int i = 0; i < 3; i++) if (y == 1000 + i) return 10 + i;
        if (x == 7) throw new IllegalStateException(\"hidden\");
        return 4;
    }";

/// What becomes of a lie.
#[derive(Clone, Copy)]
enum Fate {
    /// The submitter explores the method itself, and says why.
    Explored(&'static str),
    /// It hides nothing, and the method is as it should be.
    Harmless,
    /// It hides nothing, and other inputs that go the same way are shown.
    OtherInputs,
}
use Fate::{Explored, Harmless, OtherInputs};

type Lie = (&'static str, fn(&mut Value), Fate);

/// The path that throws: no other has these inputs.
fn hidden(batch: &Value) -> usize {
    let throws = |path: &Value| path[2].as_array().unwrap().contains(&json!("int * 7 x"));
    batch["paths"].as_array().unwrap().iter().position(throws).expect("the path with the finding")
}

fn hide(batch: &mut Value) -> Value {
    let at = hidden(batch);
    batch["paths"].as_array_mut().unwrap().remove(at)
}

/// The hidden path, to be changed.
fn path(batch: &mut Value) -> &mut Value {
    let at = hidden(batch);
    &mut batch["paths"][at]
}

fn way(path: &Value) -> String {
    path[0].as_str().unwrap().to_string()
}

/// Where the hidden path leaves the others: without its last turn.
fn parent(path: &Value) -> String {
    way(path).rsplit_once(' ').unwrap().0.to_string()
}

/// The hidden path is replaced by an end at its last branch.
fn end_before(batch: &mut Value, end: &str) {
    let hidden = hide(batch);
    let told = json!([parent(&hidden), end, hidden[2]]);
    batch["paths"].as_array_mut().unwrap().push(told);
}

fn end_at(batch: &mut Value, end: &str) {
    path(batch)[1] = json!(end);
}

fn count(batch: &mut Value, name: &str, value: Value) {
    batch["counts"][name] = value;
}

const MISSING: Fate = Explored("no path was told that begins with");

/// Lies about one method.
const LIES: &[Lie] = &[
    ("nothing: honest", |_| {}, Harmless),
    ("worker: another name", |batch| batch["worker"] = json!("\u{1b}]0;owned\u{7}\u{202e}liar"), Harmless),
    ("failed: not true", |batch| batch["failed"] = json!("\u{1b}[2Jno\rwonder"), Explored("no\\rwonder")),
    ("paths: none", |batch| batch["paths"] = json!([]), Explored("no path was told")),
    ("paths: one left out", |batch| drop(hide(batch)), MISSING),
    (
        "paths: only the first, as if all others were infeasible",
        |batch| {
            let first = way(&batch["paths"][0]).replace('+', "");
            batch["paths"] = json!([[first, "end", batch["paths"][0][2]]]);
        },
        MISSING,
    ),
    (
        "paths: one is told twice",
        |batch| {
            let path = path(batch).clone();
            batch["paths"].as_array_mut().unwrap().push(path);
        },
        Explored("was told twice"),
    ),
    (
        "way: its sibling does not grow, as if it were infeasible",
        |batch| {
            let parent = parent(&hide(batch));
            let is_sibling = |path: &&mut Value| path[0].as_str().unwrap().starts_with(&parent);
            let sibling = batch["paths"].as_array_mut().unwrap().iter_mut().find(is_sibling).unwrap();
            sibling[0] = json!(way(sibling).strip_suffix('+').unwrap());
        },
        MISSING,
    ),
    (
        "way: no such arm",
        |batch| {
            let path = path(batch);
            path[0] = json!(format!("{} 9+", parent(path)));
        },
        Explored("way 9 of"),
    ),
    (
        "way: goes on after the end",
        |batch| {
            let path = path(batch);
            path[0] = json!(format!("{} 0+", way(path)));
        },
        Explored("the path is over"),
    ),
    (
        "way: ends before the end",
        |batch| {
            let path = path(batch);
            path[0] = json!(parent(path));
        },
        Explored("it does not end there"),
    ),
    ("way: not one", |batch| path(batch)[0] = json!("up and down"), Explored("is no turn of a path")),
    ("end: cut depth at the end", |batch| end_at(batch, "cut depth"), Explored("it does not end there")),
    ("end: cut loops at the end", |batch| end_at(batch, "cut loops"), Explored("it does not end there")),
    ("end: cut steps at the end", |batch| end_at(batch, "cut steps"), Explored("it does not end there")),
    ("end: cut depth", |batch| end_before(batch, "cut depth"), Explored("it does not end there")),
    ("end: cut loops", |batch| end_before(batch, "cut loops"), Explored("it does not end there")),
    ("end: cut steps", |batch| end_before(batch, "cut steps"), Explored("it does not end there")),
    ("end: cut paths", |batch| end_before(batch, "cut paths"), Explored("it does not end there")),
    ("end: cut time", |batch| end_before(batch, "cut time"), Explored("it does not end there")),
    ("end: cut memory", |batch| end_before(batch, "cut memory"), Explored("it does not end there")),
    ("end: cut interrupt", |batch| end_before(batch, "cut interrupt"), Explored("it does not end there")),
    ("end: undecided, the first arm", |batch| end_before(batch, "undecided 0"), Explored("undecided")),
    ("end: undecided, the second arm", |batch| end_before(batch, "undecided 1"), Explored("undecided")),
    ("end: undecided, no such arm", |batch| end_before(batch, "undecided 7"), Explored("no arm 7")),
    (
        "end: all is undecided",
        |batch| batch["paths"] = json!([["", "undecided 0", []]]),
        Explored("undecided"),
    ),
    ("end: stuck", |batch| end_before(batch, "stuck"), Explored("is no end of a path")),
    (
        "end: all is stuck",
        |batch| batch["paths"] = json!([["", "stuck", []]]),
        Explored("is no end of a path"),
    ),
    ("end: not one", |batch| end_at(batch, "happily"), Explored("is no end of a path")),
    (
        "inputs: go elsewhere",
        |batch| path(batch)[2] = json!(["int * -1 x"]),
        Explored("its inputs do not take turn"),
    ),
    (
        "inputs: no int",
        |batch| path(batch)[2] = json!(["int * 4294967303 x", "int * 8 y"]),
        Explored("inputs out of their range"),
    ),
    (
        "inputs: another type",
        |batch| path(batch)[2] = json!(["long * 7 x"]),
        Explored("its inputs do not take turn"),
    ),
    (
        "inputs: another range",
        |batch| path(batch)[2] = json!(["int 7..7 7 x"]),
        Explored("its inputs do not take turn"),
    ),
    (
        "inputs: another name",
        |batch| path(batch)[2] = json!(["int * 7 z"]),
        Explored("its inputs do not take turn"),
    ),
    ("inputs: not some", |batch| path(batch)[2] = json!(["seven"]), Explored("is no value of an input")),
    (
        "inputs: others that go there",
        |batch| path(batch)[2] = json!(["int * 7 x", "int * 99 y"]),
        OtherInputs,
    ),
    ("counts, none, and a path less", |batch| drop((hide(batch), batch["counts"] = json!({}))), MISSING),
    // Earlier versions counted these, and a count of cuts was reason enough not to ask for more.
    (
        "counts, cut by paths, and a path less",
        |batch| drop((hide(batch), count(batch, "cut", json!([0, 0, 0, 1, 0, 0, 0])))),
        MISSING,
    ),
    (
        "counts, cut by time, and a path less",
        |batch| drop((hide(batch), count(batch, "cut", json!([0, 0, 0, 0, 1, 0, 0])))),
        MISSING,
    ),
    (
        "counts, cut by memory, and a path less",
        |batch| drop((hide(batch), count(batch, "cut", json!([0, 0, 0, 0, 0, 1, 0])))),
        MISSING,
    ),
    (
        "counts, cut by an interrupt, and a path less",
        |batch| drop((hide(batch), count(batch, "cut", json!([0, 0, 0, 0, 0, 0, 1])))),
        MISSING,
    ),
    ("counts, cut by depth, which nothing was", |b| count(b, "cut", json!([9, 9, 9, 0, 0, 0, 0])), Harmless),
    ("counts, undecided, which nothing was", |batch| count(batch, "undecided", json!(9)), Harmless),
    ("counts, stuck, which nothing was", |batch| count(batch, "stuck", json!(9)), Harmless),
    ("counts, answers", |batch| count(batch, "answers", json!([u64::MAX, 1, u64::MAX])), Harmless),
    ("counts, questions", |batch| count(batch, "questions", json!([u64::MAX, u64::MAX])), Harmless),
    ("counts, by_complement", |batch| count(batch, "by_complement", json!(u64::MAX)), Harmless),
    ("counts, by_model", |batch| count(batch, "by_model", json!(u64::MAX)), Harmless),
    ("counts, hits", |batch| count(batch, "hits", json!([u64::MAX, u64::MAX, u64::MAX])), Harmless),
    ("counts, instructions", |batch| count(batch, "instructions", json!(u64::MAX)), Harmless),
    ("counts, reasons", |batch| count(batch, "reasons", json!(["\u{1b}[31mno"])), Harmless),
    ("counts, settled", |batch| count(batch, "settled", json!([u64::MAX, 0, 0, 0, u64::MAX])), Harmless),
    ("counts, solved", |batch| count(batch, "solved", json!(u64::MAX)), Harmless),
    ("counts, solver_starts", |batch| count(batch, "solver_starts", json!(u64::MAX)), Harmless),
    ("counts, unknown", |batch| count(batch, "unknown", json!(u64::MAX)), Harmless),
    ("counts, wrong_models", |batch| count(batch, "wrong_models", json!(["\u{1b}[31mno"])), Harmless),
    (
        "method: one that is not there",
        |batch| batch["method"][1] = json!("\u{1b}[5mnone"),
        Explored("no path was told"),
    ),
    (
        "method: another class",
        |batch| batch["method"][0] = json!("java/lang/Object"),
        Explored("no path was told"),
    ),
    ("method: another descriptor", |batch| batch["method"][2] = json!("()V"), Explored("no path was told")),
    ("no result", |batch| *batch = Value::Null, Explored("no path was told")),
    (
        "a field less",
        |batch| drop(batch.as_object_mut().unwrap().remove("paths")),
        Explored("no path was told"),
    ),
    ("not a result", |batch| *batch = json!("\u{1b}[2J"), Explored("no path was told")),
];

fn source(methods: usize) -> String {
    let methods: Vec<String> =
        (0..methods).map(|at| format!("    public static int m{at:02}(int x, int y) {BODY}\n")).collect();
    format!("public class Lies {{\n{}}}\n", methods.join("\n"))
}

fn evergreen(folder: &Folder) -> Command {
    let mut command = isolated(Path::new(env!("CARGO_BIN_EXE_evergreen")), folder);
    let tools = find("z3").parent().expect("a folder").to_path_buf();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([tools].into_iter().chain(std::env::split_paths(&path))).expect("a path");
    command.env("PATH", path).env("EVERGREEN_STORE", "memory:");
    command
}

fn explore(folder: &Folder, out: &str, extra: &[&str]) -> Output {
    let mut command = evergreen(folder);
    command.arg("explore").arg(folder.path("classes")).arg("--out").arg(folder.path(out));
    command.args(["--no-replay", "--fail-on", "declared"]).args(extra);
    finished(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("explore"))
}

/// What a real worker tells of an item: it works for a job of ours that has this item alone.
fn honest(folder: &Folder, server: &RedisServer, queue: &Queue, spec: &[u8], item: &[u8]) -> Value {
    let items = [item.to_vec()];
    let job = queue.submit(&JobSpec { label: "honest", spec, items: &items, ..JobSpec::default() }).unwrap();
    let mut worker = evergreen(folder);
    worker.args(["work", "--queue", &server.url()]).stdout(Stdio::null()).stderr(Stdio::null());
    let mut worker = worker.spawn().expect("a worker");
    let (mut at, deadline, mut told) = (queue.gather(&job), Instant::now() + PATIENCE, Value::Null);
    loop {
        assert!(Instant::now() < deadline, "the honest worker is not done");
        match queue.next(&mut at, Duration::from_millis(100)).unwrap() {
            Gathered::Results(results) => {
                assert_eq!(results.len(), 1, "it is small enough for one result");
                told = serde_json::from_slice(&results[0].data).unwrap();
            }
            Gathered::Waiting(_) => {}
            Gathered::Ended(_) | Gathered::Gone => break,
        }
    }
    worker.kill().expect("kill the worker");
    worker.wait().expect("its end");
    queue.remove(&job).unwrap();
    told
}

/// Works for the job until it is over, with lies.
struct Liar<'l> {
    folder: &'l Folder,
    server: &'l RedisServer,
    queue: Queue,
    worker: Worker,
    /// What is told of a method: by default the honest result, changed by the lie of this method.
    tell: &'l (dyn Fn(usize, &mut Value) + Sync),
    honest: Option<Value>,
}

impl Liar<'_> {
    fn work(&mut self, items: usize) {
        let (mut spec, mut claims, deadline) = (Vec::new(), Vec::new(), Instant::now() + PATIENCE);
        // All of them before the honest worker comes, who would work for any job.
        while claims.len() < items {
            assert!(Instant::now() < deadline, "no items for the liar");
            let look = self.worker.claim(Duration::from_millis(100), |_, job| {
                spec = job.to_vec();
                true
            });
            if let Look::Item(claim) = look.unwrap() {
                claims.push(claim);
            }
        }
        claims.into_iter().for_each(|claim| self.lie(claim, &spec));
    }

    fn lie(&mut self, claim: Claim, spec: &[u8]) {
        let item: Value = serde_json::from_slice(&claim.item).unwrap();
        if self.honest.is_none() {
            self.honest = Some(honest(self.folder, self.server, &self.queue, spec, &claim.item));
        }
        let mut batch = self.honest.clone().unwrap();
        batch["method"] = item["method"].clone();
        let number = item["method"][1].as_str().unwrap()[1..].parse().unwrap();
        (self.tell)(number, &mut batch);
        let results = if batch.is_null() { vec![] } else { vec![batch.to_string().into_bytes()] };
        self.worker.done(claim, &results, &[]).unwrap();
    }
}

/// Explores with nobody but a liar to work; the honest result, and what the submitter did.
fn lied_to(
    folder: &Folder,
    out: &str,
    extra: &[&str],
    tell: &(dyn Fn(usize, &mut Value) + Sync),
    items: usize,
) -> (Value, Output) {
    let server = RedisServer::start();
    let queue = Queue::open(&server.url(), None, Patience::default()).unwrap();
    let worker = queue.worker("liar");
    let mut liar = Liar { folder, server: &server, queue, worker, tell, honest: None };
    std::thread::scope(|scope| {
        let url = server.url();
        let submitter = scope.spawn(move || {
            let mut all = vec!["--queue", &url];
            all.extend(extra);
            explore(folder, out, &all)
        });
        liar.work(items);
        (liar.honest.take().expect("an honest result"), submitter.join().expect("the submitter"))
    })
}

/// The lines of `paths.jsonl` of a method.
fn paths(folder: &Folder, out: &str, method: &str) -> Vec<String> {
    let text = std::fs::read_to_string(folder.path(out).join("paths.jsonl")).expect("paths");
    let own = format!("\"Lies.{method}(");
    text.lines().filter(|line| line.contains(&own)).map(str::to_string).collect()
}

fn summary(folder: &Folder, out: &str) -> Value {
    let text = std::fs::read_to_string(folder.path(out).join("summary.json")).expect("a summary");
    serde_json::from_str(&text).expect("JSON")
}

fn keys(of: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = of.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

/// The subject with so many methods, compiled.
fn compiled(folder: &Folder, methods: usize) {
    let source = folder.file("Lies.java", source(methods));
    let mut javac = Command::new("javac");
    let done = javac.args(["-g", "-nowarn", "-d"]).arg(folder.path("classes")).arg(source).output();
    let done = done.expect("these tests need javac on PATH");
    assert!(done.status.success(), "javac: {}", stderr(&done));
}

#[test]
fn no_lie_hides_a_path() {
    let folder = Folder::new();
    compiled(&folder, LIES.len());
    let single = explore(&folder, "single", &["--time", "0"]);
    assert_eq!(single.status.code(), Some(1), "{}", stderr(&single));
    let tell = |number: usize, batch: &mut Value| LIES[number].1(batch);
    let (honest, lied) = lied_to(&folder, "lied", &["--time", "0"], &tell, LIES.len());
    let said = stderr(&lied);
    let mut wrong = Vec::new();
    for (at, (lie, _, fate)) in LIES.iter().enumerate() {
        let name = format!("m{at:02}");
        let line =
            said.lines().find(|line| line.contains(&format!("{name}(")) && line.contains("explored here"));
        let as_expected = match (fate, line) {
            (Explored(why), Some(line)) => line.contains(why),
            (Harmless | OtherInputs, None) => true,
            _ => false,
        };
        if !as_expected {
            wrong.push(format!("{lie}: {line:?}"));
        }
        let (here, there) = (paths(&folder, "single", &name), paths(&folder, "lied", &name));
        assert!(!here.is_empty());
        if here.len() != there.len() || (here != there && !matches!(fate, OtherInputs)) {
            wrong.push(format!("{lie}: {} paths, not {}", there.len(), here.len()));
        }
        if !stdout(&lied).contains(&format!("--method 'Lies.{name}(II)I'")) {
            wrong.push(format!("{lie}: no finding"));
        }
    }
    assert!(wrong.is_empty(), "{}\n{said}", wrong.join("\n"));
    assert_eq!(lied.status.code(), Some(1));
    let (here, there) = (summary(&folder, "single"), summary(&folder, "lied"));
    for field in ["paths", "queries", "infeasible", "undecided", "stuck", "forks", "cut", "complete"] {
        assert_eq!(there[field], here[field], "{field}");
    }
    let all = [stdout(&lied), said].concat();
    assert!(!all.chars().any(|c| (c.is_control() && c != '\n') || c == '\u{202e}'), "{all:?}");
    assert_eq!((keys(&honest), keys(&honest["counts"])), (FIELDS.to_vec(), COUNTERS.to_vec()));
}

#[test]
fn a_cut_is_one_whatever_a_worker_counts() {
    let folder = Folder::new();
    compiled(&folder, 1);
    let flags = ["--method", "m00", "--depth", "4"];
    let single = explore(&folder, "single", &flags);
    let nothing_was_cut = |_: usize, batch: &mut Value| count(batch, "cut", json!([]));
    let (_, lied) = lied_to(&folder, "lied", &flags, &nothing_was_cut, 1);
    assert!(!stderr(&lied).contains("explored here"), "{}", stderr(&lied));
    assert!(stdout(&lied).contains("not all paths explored"), "{}", stdout(&lied));
    assert_eq!(summary(&folder, "lied")["cut"], summary(&folder, "single")["cut"]);
    assert_eq!(lied.status.code(), single.status.code());
}

/// A worker that sends so many paths that nobody waits for the others.
#[test]
fn a_flood_of_paths_is_no_bound() {
    let folder = Folder::new();
    compiled(&folder, 3);
    let flags = ["--paths", "6"];
    let single = explore(&folder, "single", &flags);
    assert!(stdout(&single).contains("--paths cut"), "{}", stdout(&single));
    let flood = |number: usize, batch: &mut Value| match number {
        0 => {
            let path = |at: usize| json!([format!("{at}+"), "end", []]);
            batch["paths"] = (0..1000).map(path).collect();
        }
        _ => *batch = Value::Null,
    };
    let (_, lied) = lied_to(&folder, "lied", &flags, &flood, 3);
    assert_eq!(stderr(&lied).matches("explored here").count(), 3, "{}", stderr(&lied));
    for number in 0..3 {
        let name = format!("m{number:02}");
        assert_eq!(paths(&folder, "lied", &name), paths(&folder, "single", &name), "{name}");
    }
    assert_eq!(summary(&folder, "lied")["cut"], summary(&folder, "single")["cut"]);
    assert_eq!(lied.status.code(), single.status.code());
}

/// A worker that takes items and says nothing: time is up, and nothing was found because nobody looked.
#[test]
fn silence_is_not_the_same_as_nothing_to_find() {
    let folder = Folder::new();
    compiled(&folder, 1);
    let server = RedisServer::start();
    let queue = Queue::open(&server.url(), None, Patience::default()).unwrap();
    let lied = std::thread::scope(|scope| {
        let url = server.url();
        let flags = ["--method", "m00", "--time", "2s", "--queue"];
        let folder = &folder;
        let submitter = scope.spawn(move || explore(folder, "lied", &[&flags[..], &[&url]].concat()));
        let mut worker = queue.worker("silent");
        while !matches!(worker.claim(Duration::from_millis(100), |_, _| true).unwrap(), Look::Item(_)) {}
        submitter.join().expect("the submitter")
    });
    assert_eq!(lied.status.code(), Some(3), "{}{}", stdout(&lied), stderr(&lied));
    assert!(stdout(&lied).contains("not all paths explored"), "{}", stdout(&lied));
    assert!(stdout(&lied).contains("--time cut 1"), "{}", stdout(&lied));
    assert!(
        stderr(&lied).contains("--time ended the work of others: 1 items are not explored"),
        "{}",
        stderr(&lied)
    );
}

/// An arm that a worker cannot decide is undecided if the submitter cannot decide it either.
#[test]
fn what_nobody_can_decide_is_undecided() {
    let folder = Folder::new();
    // Two factors of 16 bits: more steps than the core of bit vectors spends.
    let source = "public class Hard { public static int m00(char x, char y) {
        return x * y == 1733311471 && x > y ? 1 : 2; } }";
    let source = folder.file("Hard.java", source);
    let done = Command::new("javac").args(["-g", "-d"]).arg(folder.path("classes")).arg(source).output();
    assert!(done.expect("these tests need javac on PATH").status.success());
    let unknown = "#!/bin/sh\nwhile read -r line; do case \"$line\" in *check-sat*) echo unknown ;;
        *echo*) line=${line#*\\\"}; echo \"${line%%\\\"*}\" ;; esac; done";
    let solver = folder.program("unknown-solver", unknown).display().to_string();
    let flags = ["--solver", &solver];
    let single = explore(&folder, "single", &flags);
    assert!(stdout(&single).contains("1 arm undecided"), "{}{}", stdout(&single), stderr(&single));
    // The honest worker has a solver that decides it: that the arm is feasible is shown by a path, and the
    // submitter has no questions.
    let (honest, there) = lied_to(&folder, "there", &flags, &|_, _| {}, 1);
    assert!(!stderr(&there).contains("explored here"), "{}", stderr(&there));
    assert!(stdout(&there).contains(", all paths explored"), "{}{honest}", stdout(&there));
    // One that leaves it undecided, as the submitter would.
    let undecided = |_: usize, batch: &mut Value| {
        let is_other = |path: &Value| path[0].as_str().unwrap() == "1+";
        let all = batch["paths"].as_array_mut().unwrap();
        assert!(all.iter().any(is_other), "{all:?}");
        all.retain(is_other);
        all.push(json!(["", "undecided 0", all[0][2]]));
    };
    let (_, lied) = lied_to(&folder, "lied", &flags, &undecided, 1);
    assert!(!stderr(&lied).contains("explored here"), "{}", stderr(&lied));
    assert!(stdout(&lied).contains("1 arm undecided"), "{}", stdout(&lied));
    assert!(stdout(&lied).contains("not all paths explored"), "{}", stdout(&lied));
    // And one that leaves it out.
    let left_out = |_: usize, batch: &mut Value| {
        batch["paths"].as_array_mut().unwrap().retain(|path| path[0].as_str().unwrap() == "1+");
    };
    let (_, lied) = lied_to(&folder, "left-out", &flags, &left_out, 1);
    assert!(stderr(&lied).contains("nobody here can say that no path"), "{}", stderr(&lied));
    assert!(stdout(&lied).contains("not all paths explored"), "{}", stdout(&lied));
}
