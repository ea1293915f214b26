//! What the tests of the command share: the program, folders, processes that talk.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

pub(crate) use evergreen_testing::tools::{find, write_program};

/// How long anything may take before a test says that it hangs. Never a measure of speed.
pub(crate) const PATIENCE: Duration = Duration::from_secs(300);

/// A folder of its own, removed at the end.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Folder {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("evergreen-cli-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder for a test");
        Folder(path)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn text(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    /// A file in it.
    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, content).expect("a file for a test");
        path
    }

    /// A program in it.
    pub(crate) fn program(&self, name: &str, content: &str) -> PathBuf {
        let path = self.path(name);
        write_program(&path, content.as_bytes());
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A program that sees nothing of the user's own settings, and that signals end.
pub(crate) fn isolated(program: &Path, folder: &Folder) -> Command {
    let mut command = Command::new(program);
    heed_signals(&mut command);
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("EVERGREEN") {
            command.env_remove(name);
        }
    }
    command.env("EVERGREEN_WARM_JVM_S", "0");
    command.env("HOME", folder.path("home")).env_remove("XDG_CACHE_HOME").env_remove("XDG_CONFIG_HOME");
    command
}

/// Signals have their usual effect on a command, also when these tests run in the background or under nohup.
fn heed_signals(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    // SAFETY: signal is async-signal-safe, and these are valid signals.
    unsafe {
        command.pre_exec(|| {
            for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
                libc::signal(signal, libc::SIG_DFL);
            }
            Ok(())
        });
    }
}

/// `evergreen` with z3 behind it, and the store `store` of the folder.
pub(crate) fn evergreen(folder: &Folder) -> Command {
    let mut command = isolated(Path::new(env!("CARGO_BIN_EXE_evergreen")), folder);
    let tools = find("z3").parent().expect("a folder").to_path_buf();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([tools].into_iter().chain(std::env::split_paths(&path))).expect("a path");
    command.env("PATH", path).env("EVERGREEN_STORE", folder.path("store"));
    // What is tested through here is stores and solvers: every query is one entry, and a solver decides it.
    command.env("EVERGREEN_REUSE", "exact").env("EVERGREEN_NATIVE", "off");
    command
}

/// Runs a command on a text.
pub(crate) fn run(command: &mut Command, input: impl AsRef<[u8]>) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.as_ref().to_vec();
    // It may end before it has read everything.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("the command ends");
    writer.join().expect("the writer ends");
    stdout(&output).lines().for_each(check_sums);
    output
}

/// Every arm and every question is counted in exactly one place, whatever was run: checked wherever a run
/// tells its counters.
fn check_sums(line: &str) {
    if line.contains(" arms at branches: ") {
        // "8 arms at branches: 2 needed no question, 1 left out, 5 asked: 3 answered without a solver, 1
        // solved, 1 undecided"
        let sum = |text: &str| -> u64 {
            let counts =
                text.split(", ").map(|part| part.split(' ').next().and_then(|n| n.parse::<u64>().ok()));
            counts.map(|count| count.unwrap_or_else(|| panic!("no number: {line}"))).sum()
        };
        let [all, arms, asked] = line.splitn(3, ": ").collect::<Vec<_>>()[..] else { panic!("{line}") };
        assert_eq!(sum(all), sum(arms), "{line}");
        assert_eq!(sum(arms.rsplit(", ").next().unwrap_or_default()), sum(asked), "{line}");
    }
    let Ok(event) = serde_json::from_str::<serde_json::Value>(line) else { return };
    if event["event"] != "summary" || event["asked"].is_null() {
        return;
    }
    let number = |of: &serde_json::Value, name: &str| {
        of[name].as_u64().unwrap_or_else(|| panic!("no {name} in {event}"))
    };
    let sum = |of: &serde_json::Value, names: &[&str]| names.iter().map(|name| number(of, name)).sum::<u64>();
    let arms = ["by_model", "by_seed", "by_complement", "trusted", "out_of_range", "asked"];
    assert_eq!(number(&event, "queries"), sum(&event, &arms), "{event}");
    for questions in [&event, &event["shrinking"]] {
        assert_eq!(number(questions, "asked"), sum(questions, &["reused", "solved", "undecided"]), "{event}");
        let each = questions["answered"].as_object().unwrap_or_else(|| panic!("nobody answered: {event}"));
        assert_eq!(
            number(questions, "asked"),
            each.values().filter_map(|n| n.as_u64()).sum::<u64>(),
            "{event}"
        );
    }
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A process that is talked to line by line.
pub(crate) struct Talk {
    pub child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    errors: Receiver<String>,
}

fn listen(stream: impl Read + Send + 'static) -> Receiver<String> {
    let (send, lines) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stream).lines() {
            if line.ok().is_none_or(|line| send.send(line).is_err()) {
                break;
            }
        }
    });
    lines
}

impl Talk {
    pub(crate) fn start(command: &mut Command) -> Talk {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command starts");
        let stdin = child.stdin.take();
        let lines = listen(child.stdout.take().expect("a pipe"));
        let errors = listen(child.stderr.take().expect("a pipe"));
        Talk { child, stdin, lines, errors }
    }

    /// Sends text and keeps the input open. False when nobody reads it any more.
    pub(crate) fn send(&mut self, text: &str) -> bool {
        let stdin = self.stdin.as_mut().expect("the input is open");
        stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_ok()
    }

    /// The next line.
    ///
    /// # Panics
    /// If none comes: a client that waits for an answer would wait forever.
    pub(crate) fn line(&mut self) -> String {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => line,
            Err(e) => {
                panic!("no answer ({e}); standard error: {:?}", self.errors.try_iter().collect::<Vec<_>>())
            }
        }
    }

    /// The next line, or nothing at the end of the output.
    pub(crate) fn line_or_end(&mut self) -> Option<String> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => Some(line),
            Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => None,
            Err(e) => panic!("no answer ({e})"),
        }
    }

    /// Sends text and returns the next line.
    pub(crate) fn ask(&mut self, text: &str) -> String {
        assert!(self.send(text), "the input is closed");
        self.line()
    }

    /// Sends a signal.
    pub(crate) fn signal(&self, signal: &str) {
        let status = Command::new("kill").args([signal, &self.child.id().to_string()]).status();
        assert!(status.expect("kill runs").success());
    }

    /// Closes the input, waits for the end, and returns what was still printed to either side.
    pub(crate) fn end(mut self) -> (std::process::ExitStatus, Vec<String>, Vec<String>) {
        self.stdin = None;
        let deadline = std::time::Instant::now() + PATIENCE;
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("the command can be waited for") {
                break status;
            }
            assert!(std::time::Instant::now() < deadline, "the command does not end");
            std::thread::sleep(Duration::from_millis(5));
        };
        (status, self.lines.iter().collect(), self.errors.iter().collect())
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whether a process is there and not a zombie.
pub(crate) fn is_alive(pid: u32) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat"))
        .is_ok_and(|stat| stat.rsplit(") ").next().is_some_and(|rest| !rest.starts_with(['Z', 'X'])))
}

/// Waits until all of these processes are gone.
///
/// # Panics
/// If one stays.
pub(crate) fn wait_for_death(pids: &[u32]) {
    let deadline = std::time::Instant::now() + PATIENCE;
    while let Some(pid) = pids.iter().find(|pid| is_alive(**pid)) {
        assert!(std::time::Instant::now() < deadline, "process {pid} was left behind");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// The children of a process.
pub(crate) fn children(pid: u32) -> Vec<u32> {
    let mut found = Vec::new();
    for task in std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten() {
        let text = std::fs::read_to_string(task.path().join("children")).unwrap_or_default();
        found.extend(text.split_whitespace().filter_map(|p| p.parse::<u32>().ok()));
    }
    found
}

/// `evergreen store verify` finds nothing wrong; the number of entries.
pub(crate) fn verify(folder: &Folder) -> u64 {
    let output = run(evergreen(folder).args(["store", "verify", "--json"]), "");
    assert!(output.status.success(), "{}{}", stdout(&output), stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("\"clean\":true"), "{text}");
    let entries = text.split("\"entries\":").nth(1).expect("a number of entries");
    entries.split(|c: char| !c.is_ascii_digit()).next().and_then(|n| n.parse().ok()).expect("a number")
}
