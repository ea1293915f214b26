//! `evergreen work` and `explore --queue`: a real Redis, several worker processes, some of which are killed;
//! the result is that of a single process. Workers that lie are in `liar.rs`.

use crate::common::{Folder, PATIENCE, find, isolated, stderr, stdout};
use evergreen_queue::{Gathered, JobSpec, Patience, Queue};
use evergreen_testing::redis::RedisServer;
use evergreen_testing::tools::repository;
use evergreen_testing::wait::wait_until;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

/// Path-heavy enough that work is split: a few thousand paths through arithmetic, a finding, and a loop.
const MAZE: &str = r#"
public class Maze {
    public static int walk(int a, int b, int c, int d, int e) {
        int[] doors = { a, b, c, d, e };
        int steps = 0;
        for (int i = 0; i < doors.length; i++) {
            for (int j = i + 1; j < doors.length; j++) {
                if (doors[i] > doors[j]) steps += i + j;
                else if (doors[i] == doors[j] - 7) steps += 100;
            }
        }
        if (steps == 18 && a * b == 391) throw new IllegalStateException("lost at " + steps);
        return steps;
    }

    public static int turn(int x, int y) {
        if (x > y) return x > 2 * y ? 1 : 2;
        return x == y ? 3 : 10 / (x + 5);
    }
}
"#;

/// The subject, compiled once.
fn classes() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("work-{}", std::process::id()));
        std::fs::create_dir_all(&root).expect("a folder for classes");
        std::fs::write(root.join("Maze.java"), MAZE).expect("a source");
        let mut javac = Command::new("javac");
        javac.args(["-g", "-nowarn", "-d"]).arg(&root).arg(root.join("Maze.java"));
        let done = javac.output().expect("these tests need javac on PATH");
        assert!(done.status.success(), "javac: {}", stderr(&done));
        root
    })
}

/// `evergreen`, with its own settings and a store of its own.
fn evergreen(folder: &Folder) -> Command {
    let mut command = isolated(Path::new(env!("CARGO_BIN_EXE_evergreen")), folder);
    let tools = find("z3").parent().expect("a folder").to_path_buf();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([tools].into_iter().chain(std::env::split_paths(&path))).expect("a path");
    let cache = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cache");
    command.env("PATH", path).env("XDG_CACHE_HOME", cache).env("EVERGREEN_STORE", "memory:");
    command
}

/// A worker process, killed when dropped.
struct Running(Child);

impl Running {
    fn start(folder: &Folder, server: &RedisServer, arguments: &[&str]) -> Running {
        let mut command = evergreen(folder);
        command.args(["work", "--queue", &server.url(), "--split-after", "1ms"]).args(arguments);
        Running(command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("start a worker"))
    }

    /// As `kill -9` does.
    fn kill(&mut self) {
        self.0.kill().expect("kill a worker");
        self.0.wait().expect("wait for a worker");
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What to explore: `extra` may name methods or heaps.
fn explore(folder: &Folder, out: &str, extra: &[&str]) -> Command {
    let mut command = evergreen(folder);
    command.arg("explore").arg(classes()).arg("--out").arg(folder.path(out)).args([
        "--no-replay",
        "--time",
        "0",
    ]);
    // One thread alone would merge states, in which workers do not share.
    command.args(["--merge", "off"]);
    command.args(extra).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The same for a subject of the repository.
fn explore_subject(folder: &Folder, out: &str, subject: &str, extra: &[&str]) -> Command {
    let mut command = evergreen(folder);
    command
        .arg("explore")
        .arg(repository().join("subjects").join(subject))
        .arg("--out")
        .arg(folder.path(out));
    command.args(["--no-replay", "--time", "0"]).args(extra).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

pub(crate) fn finished(child: Child) -> Output {
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || sender.send(child.wait_with_output()));
    receiver.recv_timeout(PATIENCE * 2).expect("it hangs").expect("its output")
}

/// Everything that is not a time or a counter of the schedule is the same, byte for byte.
fn assert_same(folder: &Folder, one: &str, two: &str) {
    let mut files = Vec::new();
    let mut open = vec![PathBuf::new()];
    while let Some(inside) = open.pop() {
        for file in std::fs::read_dir(folder.path(one).join(&inside)).expect("a folder") {
            let file = file.expect("a file");
            let name = inside.join(file.file_name());
            if file.file_type().expect("its type").is_dir() { open.push(name) } else { files.push(name) }
        }
    }
    assert!(files.iter().any(|file| file.ends_with("paths.jsonl")), "{files:?}");
    assert!(files.iter().any(|file| file.extension().is_some_and(|e| e == "java")), "{files:?}");
    for file in files.iter().filter(|file| !file.ends_with("summary.json")) {
        let read = |root: &str| {
            let path = folder.path(root).join(file);
            std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
        };
        let (left, right) = (read(one), read(two));
        if left != right {
            let at = left.lines().zip(right.lines()).position(|(a, b)| a != b).unwrap_or(0);
            let line = |text: &str| text.lines().nth(at).unwrap_or("nothing").to_string();
            panic!("{}:{}\n{}\n{}", file.display(), at + 1, line(&left), line(&right));
        }
    }
}

#[test]
fn workers_that_are_killed_lose_nothing() {
    let (folder, server) = (Folder::new(), RedisServer::start());
    let single = explore(&folder, "single", &[]).output().expect("explore");
    assert_eq!(single.status.code(), Some(1), "{}", stderr(&single));
    let mut queued = explore(&folder, "queued", &["--queue", &server.url(), "--queue-timeout", "2s"]);
    let mut child = queued.spawn().expect("explore");
    let queue = Queue::open(&server.url(), None, Patience::default()).unwrap();
    let job = || queue.jobs().unwrap().into_iter().next();
    let items = || job().map_or(0, |job| job.open + job.done);
    // No worker starts before the job is seen here: it would be over before one is killed.
    wait_until("the job is submitted", || items() > 0);
    let mut workers: Vec<Running> = (0..3).map(|_| Running::start(&folder, &server, &[])).collect();
    // Once there is work, two of the three die; the second when the others have gone on without the first.
    let mut is_over = || child.try_wait().expect("a child").is_some();
    wait_until("work is split", || items() >= 4 || is_over());
    workers[0].kill();
    let done = job().map_or(0, |job| job.done);
    wait_until("the others go on", || is_over() || job().is_none_or(|job| job.done > done));
    workers[1].kill();
    let output = finished(child);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(!stderr(&output).contains("explored here"), "{}", stderr(&output));
    assert_same(&folder, "single", "queued");
    let last = |output: &Output| {
        let text = stdout(output);
        let line = text.lines().find(|line| line.contains("findings on")).unwrap_or_default().to_string();
        line.rsplit_once(',').map(|(front, _)| front.to_string()).unwrap_or(line)
    };
    assert_eq!(last(&output), last(&single));
    assert_eq!(queue.jobs().unwrap(), [], "nothing of the job is left");
}

#[test]
fn objects_floats_and_jumps_are_explored_elsewhere_as_they_are_here() {
    let (folder, server) = (Folder::new(), RedisServer::start());
    let _workers: Vec<Running> = (0..2).map(|_| Running::start(&folder, &server, &[])).collect();
    let subjects: [(&str, &[&str]); 4] = [
        ("heap/TreeSet.java", &["--method", "add(int)", "--heap", "bliss", "--scope", "3"]),
        ("heap/SinglyLinkedList.java", &["--heap", "li", "--scope", "3"]),
        ("tcas/v0", &[]),
        ("bintree/v0", &["--depth", "9"]),
    ];
    for (at, (subject, extra)) in subjects.into_iter().enumerate() {
        let (single, queued) = (format!("single-{at}"), format!("queued-{at}"));
        let here = explore_subject(&folder, &single, subject, extra).output().expect("explore");
        let mut command = explore_subject(&folder, &queued, subject, extra);
        let there = finished(command.args(["--queue", &server.url()]).spawn().expect("explore"));
        assert_eq!(there.status.code(), here.status.code(), "{subject}: {}", stderr(&there));
        assert!(!stderr(&there).contains("explored here"), "{subject}: {}", stderr(&there));
        assert_same(&folder, &single, &queued);
    }
}

#[test]
fn a_worker_that_is_told_to_stop_leaves_its_item_to_others() {
    let (folder, server) = (Folder::new(), RedisServer::start());
    let single = explore(&folder, "single", &[]).output().expect("explore");
    assert_eq!(single.status.code(), Some(1), "{}", stderr(&single));
    // So long that only a release can help.
    let mut queued = explore(&folder, "queued", &["--queue", &server.url(), "--queue-timeout", "10m"]);
    let mut child = queued.spawn().expect("explore");
    let queue = Queue::open(&server.url(), None, Patience::default()).unwrap();
    wait_until("the job is submitted", || !queue.jobs().unwrap().is_empty());
    let first = Running::start(&folder, &server, &[]);
    let is_idle = || queue.jobs().unwrap().first().is_none_or(|job| job.workers == 0);
    wait_until("the worker works", || !is_idle() || child.try_wait().expect("a child").is_some());
    // SAFETY: a plain system call on a child of ours.
    unsafe { libc::kill(first.0.id() as libc::pid_t, libc::SIGINT) };
    let _second = Running::start(&folder, &server, &[]);
    let output = finished(child);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert_same(&folder, "single", "queued");
}

/// The files of a folder and what is in them.
fn files(root: &Path) -> BTreeMap<PathBuf, String> {
    let (mut all, mut open) = (BTreeMap::new(), vec![root.to_path_buf()]);
    while let Some(folder) = open.pop() {
        for file in std::fs::read_dir(&folder).expect("a folder") {
            let path = file.expect("a file").path();
            if path.is_dir() {
                open.push(path);
            } else {
                let inside = path.strip_prefix(root).expect("below it").to_path_buf();
                all.insert(inside, std::fs::read_to_string(&path).expect("a text"));
            }
        }
    }
    all
}

#[test]
fn suites_are_kept_up_by_others_as_by_oneself() {
    let (folder, server) = (Folder::new(), RedisServer::start());
    let _worker = Running::start(&folder, &server, &[]);
    let source = folder.file("Maze.java", MAZE);
    let update = |suite: &str, extra: &[&str]| {
        let mut command = evergreen(&folder);
        command.arg("explore").arg(&source).arg("--suite").arg(folder.path(suite)).args([
            "--no-replay",
            "--time",
            "0",
        ]);
        command.args(["--method", "turn"]).args(extra).stdout(Stdio::piped()).stderr(Stdio::piped());
        let output = finished(command.spawn().expect("explore"));
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        assert!(!stderr(&output).contains("explored here"), "{}", stderr(&output));
        files(&folder.path(suite))
    };
    let url = server.url();
    let first = update("here", &[]);
    assert!(first.values().any(|text| text.contains("turn")), "{first:?}");
    assert_eq!(update("there", &["--queue", &url]), first);
    assert_eq!(update("there", &["--queue", &url]), first, "an unchanged program changes nothing");
    std::fs::write(&source, MAZE.replace("x > 2 * y ? 1 : 2", "x > 3 * y ? 1 : x == 77 ? 4 : 2"))
        .expect("an edit");
    let second = update("here", &[]);
    assert_ne!(second, first);
    assert_eq!(update("there", &["--queue", &url]), second);
}

#[test]
fn workers_leave_jobs_of_other_versions_alone() {
    let (folder, server) = (Folder::new(), RedisServer::start());
    let queue = Queue::open(&server.url(), None, Patience::default()).unwrap();
    let items = [b"{}".to_vec()];
    let spec = br#"{"format":3,"evergreen":"999.0.0","jdk":"1","program":"ab"}"#;
    let job = queue.submit(&JobSpec { label: "other", spec, items: &items, ..JobSpec::default() }).unwrap();
    let mut worker = evergreen(&folder);
    let output = worker.args(["work", "--once", "--queue", &server.url()]).output().expect("a worker");
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("is left to others: it is for Evergreen 999.0.0"),
        "{}",
        stderr(&output)
    );
    let info = queue.job(&job).unwrap().unwrap();
    assert_eq!((info.open, info.done), (1, 0));
    let mut list = evergreen(&folder);
    let output = list.args(["work", "--list", "--queue", &server.url()]).output().expect("a list");
    assert!(stdout(&output).contains("1 items open, 0 done"), "{}", stdout(&output));
    let mut cancel = evergreen(&folder);
    let output =
        cancel.args(["work", "--cancel", &job.to_string(), "--queue", &server.url()]).output().unwrap();
    assert_eq!(stdout(&output).trim(), "cancelled");
    let mut at = queue.gather(&job);
    assert!(matches!(queue.next(&mut at, Duration::from_secs(1)).unwrap(), Gathered::Ended(_)));
}

#[test]
fn a_submitter_that_is_told_to_stop_cancels_its_job() {
    let (folder, server) = (Folder::new(), RedisServer::start());
    let child = explore(&folder, "queued", &["--queue", &server.url()]).spawn().expect("explore");
    let queue = Queue::open(&server.url(), None, Patience::default()).unwrap();
    wait_until("the job is submitted", || !queue.jobs().unwrap().is_empty());
    assert_eq!(queue.jobs().unwrap().len(), 1);
    // SAFETY: a plain system call on a child of ours.
    unsafe { libc::kill(child.id() as libc::pid_t, libc::SIGINT) };
    let output = finished(child);
    assert_eq!(queue.jobs().unwrap(), []);
    assert!(stdout(&output).contains("interrupt"), "{}\n{}", stdout(&output), stderr(&output));
    // Nobody has explored anything: that is not the same as finding nothing.
    assert_eq!(output.status.code(), Some(3), "{}", stdout(&output));
    assert!(
        stderr(&output).contains("an interrupt ended the work of others: 2 items"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn bad_queues_say_what_is_wrong() {
    let folder = Folder::new();
    let output = explore(&folder, "x", &["--queue", "http://x"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("not a Redis address"), "{}", stderr(&output));
    let output =
        explore(&folder, "x", &["--queue", "redis://127.0.0.1:1", "--order", "bfs"]).output().unwrap();
    assert!(stderr(&output).contains("--queue explores depth first"), "{}", stderr(&output));
    let output =
        evergreen(&folder).args(["work", "--queue", "redis://127.0.0.1:1", "--list"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("does not help"), "{}", stderr(&output));
    assert!(repository().join("docs/distributed.md").is_file());
}
