//! Runs test cases in JVM processes: one for all cases, and another one for the rest whenever
//! a case has ended its JVM.
//!
//! A JVM starts in about 60 ms and a case in it takes well under one, so all cases of a run share a process:
//! [`Session`]. It is started before there are cases, batches are written to it as they come, and their
//! answers read when they are wanted; three threads keep the pipes from filling up. There are two deadlines:
//! the runner gives up a case after its time limit, reports the timeout and ends; if even that fails (the JVM
//! is stopped, or thrashes), this process kills it a little later.
//!
//! Answers come together, so the case that ended a JVM may be later than the first one without an answer. The
//! cases without answers are then run once more, with an answer at once for each. The same where a JVM that
//! stays ([`crate::warm`]) was of no use.

use crate::error::Doing;
use crate::warm::{self, Warm};
use crate::wire::{self, Frame, Pace, READY, Sequence, Token};
use crate::{Ending, GraphBody, Observed, ReplayError, TestCase};
use evergreen_classfile::PROBED_JVM_FLAGS;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::hash::{BuildHasher, Hasher};
use std::io::{BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// How much longer than a case may take its JVM is waited for; also how long it may take to start.
pub(crate) const GRACE: Duration = Duration::from_secs(20);

/// Exit status of a runner that failed itself; `Runner.java` has the same number.
const FAILED: i32 = 70;

/// The class of the runner.
pub(crate) const RUNNER: &str = "evergreen.runner.Runner";

/// The settings of a JVM process.
pub(crate) struct Setting {
    pub(crate) home: PathBuf,
    /// The folder of the runner's classes.
    pub(crate) runtime: PathBuf,
    /// The class path of the cases.
    pub(crate) class_path: Vec<PathBuf>,
    pub(crate) assertions: bool,
    pub(crate) heap_mb: u32,
    pub(crate) case_limit: Duration,
    /// Usually [`GRACE`].
    pub(crate) grace: Duration,
    /// Then classes have no stack maps, which the verifier wants.
    pub(crate) has_probes: bool,
    /// Where JVMs that stay are found, and how long they do; `None`: each is our own.
    pub(crate) stays: Option<(PathBuf, Duration)>,
}

impl Setting {
    /// The flags of the JVM, up to the class path.
    fn flags(&self, opened: &BTreeSet<String>) -> Vec<OsString> {
        let mut flags =
            vec!["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xshare:auto"];
        // The behaviour of a case must not depend on the machine, nor on whether a class file
        // with such a name is found.
        flags.extend([
            "-Dfile.encoding=UTF-8",
            "-Duser.language=en",
            "-Duser.country=US",
            "-Duser.timezone=UTC",
        ]);
        // The JVM's own warnings would land between the frames.
        flags.push("-XX:+DisplayVMOutputToStderr");
        if self.has_probes {
            flags.extend(PROBED_JVM_FLAGS);
        }
        let mut flags: Vec<OsString> = flags.into_iter().map(OsString::from).collect();
        flags.push(format!("-Xmx{}m", self.heap_mb).into());
        for package in opened {
            flags.extend(["--add-opens".into(), format!("java.base/{package}=ALL-UNNAMED").into()]);
        }
        flags.extend(["-cp".into(), self.runtime.as_os_str().to_owned()]);
        flags
    }
}

/// The answer of one case.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ran {
    pub(crate) observed: Observed,
    pub(crate) output: Vec<u8>,
    pub(crate) hits: Sequence,
}

/// A JVM for the batches of a run.
pub(crate) struct Session {
    setting: Setting,
    jvm: Option<Jvm>,
    /// A JVM that stays, on its way.
    coming: Option<JoinHandle<Option<UnixStream>>>,
    /// The packages of the JDK that the JVM lets the runner see into.
    opened: BTreeSet<String>,
    /// Cases without an answer so far.
    open: Vec<TestCase>,
}

impl Session {
    pub(crate) fn new(setting: Setting) -> Session {
        Session { setting, jvm: None, coming: None, opened: BTreeSet::new(), open: Vec::new() }
    }

    /// Starts a JVM for cases that will come.
    pub(crate) fn prepare(&mut self) -> Result<(), ReplayError> {
        let stays = self.setting.stays.as_ref();
        let flags = self.setting.flags(&self.opened);
        match stays.and_then(|(cache, idle)| Warm::new(cache, &self.setting.home, &flags, *idle)) {
            Some(warm) => self.coming = Some(std::thread::spawn(move || warm::connect(&warm))),
            None => self.jvm = Some(Jvm::own(&self.setting, &self.opened, Pace::Together)?),
        }
        Ok(())
    }

    /// Makes the JVM our own from now on.
    pub(crate) fn leave_warm(&mut self) {
        self.setting.stays = None;
        self.coming = None;
        if self.jvm.as_ref().is_some_and(|jvm| jvm.process.is_none()) {
            self.jvm = None;
        }
    }

    /// Has cases run, without waiting for them.
    pub(crate) fn begin(&mut self, cases: Vec<TestCase>) -> Result<(), ReplayError> {
        let needed = opened(&cases);
        if !needed.is_subset(&self.opened) {
            self.opened.extend(needed);
            (self.jvm, self.coming) = (None, None);
        }
        if self.jvm.is_none() {
            if self.coming.is_none() {
                self.prepare()?;
            }
            if let Some(coming) = self.coming.take() {
                let jvm = match coming.join().ok().flatten() {
                    Some(stream) => Jvm::staying(&self.setting, stream),
                    None => None,
                };
                self.jvm = Some(match jvm {
                    Some(jvm) => jvm,
                    None => Jvm::own(&self.setting, &self.opened, Pace::Together)?,
                });
            }
            self.send(0);
        }
        let from = self.open.len();
        self.open.extend(cases);
        self.send(from);
        Ok(())
    }

    /// Sends the open cases from this one on.
    fn send(&mut self, from: usize) {
        if let Some(jvm) = &mut self.jvm {
            jvm.send(&self.setting, &self.open[from..]);
        }
    }

    /// The answers of all cases that were begun since the last call, in their order.
    pub(crate) fn end(&mut self) -> Result<Vec<Ran>, ReplayError> {
        let mut results: Vec<Ran> = Vec::with_capacity(self.open.len());
        while results.len() < self.open.len() {
            let mut jvm = match self.jvm.take() {
                Some(jvm) => jvm,
                None => {
                    let mut jvm = Jvm::own(&self.setting, &self.opened, Pace::AtOnce)?;
                    jvm.send(&self.setting, &self.open[results.len()..]);
                    jvm
                }
            };
            let end = jvm.collect(&self.setting, self.open.len(), &mut results)?;
            if end != End::Done && jvm.process.is_none() {
                self.setting.stays = None;
            }
            let is_known = jvm.pace == Pace::AtOnce || (jvm.exiting.is_some() && jvm.process.is_some());
            match end {
                End::Done => self.jvm = Some(jvm),
                End::Closed | End::Silent if is_known => results.push(jvm.lost(end)),
                // It is not known which case that was: they run once more.
                End::Closed | End::Silent | End::GaveUp => {}
            }
        }
        self.open.clear();
        // Only the rest of this batch was better run with an answer at once for each.
        self.jvm.take_if(|jvm| jvm.pace == Pace::AtOnce);
        Ok(results)
    }
}

/// Why a JVM answers no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// All cases are answered.
    Done,
    /// The last answered case took too long, and the runner has ended itself.
    GaveUp,
    /// A case that comes next ended the JVM.
    Closed,
    /// It is silent.
    Silent,
}

/// A running JVM.
struct Jvm {
    /// `None`: it stays.
    process: Option<Process>,
    pace: Pace,
    /// To the thread that writes to it; until then it gets no end.
    input: Sender<Vec<u8>>,
    frames: Receiver<Frame>,
    is_ready: bool,
    /// Cases that were sent and answered.
    sent: u32,
    answered: u32,
    /// The output and probes of a case before it called `System.exit`.
    exiting: Option<(Vec<u8>, Sequence)>,
}

/// A JVM that is our own.
struct Process {
    child: Child,
    java: PathBuf,
    errors: Option<JoinHandle<Vec<u8>>>,
}

impl Jvm {
    /// Starts one that ends with us.
    fn own(setting: &Setting, opened: &BTreeSet<String>, pace: Pace) -> Result<Jvm, ReplayError> {
        let java = setting.home.join("bin").join("java");
        let mut command = Command::new(&java);
        crate::end_with_us(&mut command);
        command.env("LC_ALL", "C.UTF-8");
        command.args(setting.flags(opened)).arg(RUNNER);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().doing(|| format!("starting '{}'", java.display()))?;
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let errors = std::thread::spawn(move || stderr.map(read_end).unwrap_or_default());
        let process = Process { child, java, errors: Some(errors) };
        Ok(Jvm::over(setting, pace, stdin, stdout, Some(process)))
    }

    /// Uses one that stays.
    fn staying(setting: &Setting, stream: UnixStream) -> Option<Jvm> {
        let output = stream.try_clone().ok()?;
        Some(Jvm::over(setting, Pace::Together, Some(stream), Some(output), None))
    }

    fn over(
        setting: &Setting,
        pace: Pace,
        stdin: Option<impl Write + Send + 'static>,
        stdout: Option<impl Read + Send + 'static>,
        process: Option<Process>,
    ) -> Jvm {
        let token = new_token();
        let (input, given) = channel::<Vec<u8>>();
        std::thread::spawn(move || {
            let Some(mut stdin) = stdin else { return };
            // A JVM that ended early does not read the rest, which the next one gets.
            while let Ok(bytes) = given.recv()
                && stdin.write_all(&bytes).is_ok()
            {}
        });
        let (sender, frames) = channel();
        std::thread::spawn(move || {
            let Some(stdout) = stdout else { return };
            let mut stdout = BufReader::with_capacity(1 << 16, stdout);
            while let Some(frame) = wire::read_frame(&mut stdout, token) {
                if sender.send(frame).is_err() {
                    return;
                }
            }
        });
        let entries: Vec<String> = setting.class_path.iter().map(|entry| text(entry)).collect();
        let _ = input.send(wire::header(token, setting.assertions, pace, &entries));
        let exiting = None;
        Jvm { process, pace, input, frames, is_ready: false, sent: 0, answered: 0, exiting }
    }

    /// Sends cases.
    fn send(&mut self, setting: &Setting, cases: &[TestCase]) {
        let limit_ms = setting.case_limit.as_millis().clamp(1, i32::MAX as u128) as u32;
        let mut out = Vec::new();
        for case in cases {
            wire::put_case(&mut out, self.sent, limit_ms, case);
            self.sent += 1;
        }
        wire::put_flush(&mut out);
        let _ = self.input.send(out);
    }

    /// Takes answers until there are no more, or as many as are wanted.
    fn collect(
        &mut self,
        setting: &Setting,
        count: usize,
        results: &mut Vec<Ran>,
    ) -> Result<End, ReplayError> {
        let patience = setting.case_limit + setting.grace;
        if !self.is_ready {
            let first = self.frames.recv_timeout(setting.grace).map(|frame| frame.index);
            match &self.process {
                _ if first == Ok(READY) => self.is_ready = true,
                Some(_) => return Err(self.did_not_start()),
                None => return Ok(End::Closed),
            }
        }
        while results.len() < count {
            let frame = match self.frames.recv_timeout(patience) {
                Ok(frame) => frame,
                Err(RecvTimeoutError::Timeout) => return Ok(End::Silent),
                Err(RecvTimeoutError::Disconnected) => return Ok(End::Closed),
            };
            if frame.index != self.answered {
                return Ok(End::Closed);
            }
            let Some(reply) = wire::read_reply(&frame.payload) else { return Ok(End::Closed) };
            let output = [frame.stray, reply.output].concat();
            match reply.observed {
                None => self.exiting = Some((output, reply.hits)),
                Some(observed) => {
                    let gave_up = observed == Observed::TimedOut;
                    results.push(Ran { observed, output, hits: reply.hits });
                    self.answered += 1;
                    if gave_up {
                        return Ok(End::GaveUp);
                    }
                }
            }
        }
        Ok(End::Done)
    }

    /// The fate of the case without an answer.
    fn lost(&mut self, end: End) -> Ran {
        let (output, hits) = self.exiting.take().unwrap_or_default();
        if end == End::Silent {
            return Ran { observed: Observed::TimedOut, output, hits };
        }
        let (status, said) = self.finish();
        let observed = match status {
            Some(status) if status.code().is_some_and(|code| code != FAILED) => {
                Observed::Ended(Ending::Exited(status.code().unwrap_or_default()))
            }
            Some(status) if said.is_empty() => Observed::Died(status.to_string()),
            _ => Observed::Died(said),
        };
        Ran { observed, output, hits }
    }

    fn did_not_start(&mut self) -> ReplayError {
        let java = self.process.as_ref().map(|process| process.java.clone()).unwrap_or_default();
        if let Some(process) = &mut self.process {
            // It may still be running, with an unknown outcome.
            let _ = process.child.kill();
        }
        let (_, output) = self.finish();
        ReplayError::Start { java, output }
    }

    /// Waits for the end of a JVM that is about to end; its status and its standard error.
    fn finish(&mut self) -> (Option<ExitStatus>, String) {
        let Some(process) = &mut self.process else { return (None, String::new()) };
        let status = process.child.wait().ok();
        let said = process.errors.take().and_then(|thread| thread.join().ok()).unwrap_or_default();
        (status, String::from_utf8_lossy(&said).into_owned())
    }
}

impl Drop for Jvm {
    fn drop(&mut self) {
        match &mut self.process {
            Some(process) => {
                // In most cases the child has already ended; then both do nothing.
                let _ = process.child.kill();
                let _ = process.child.wait();
            }
            None => {
                let mut end = Vec::new();
                wire::put_end(&mut end);
                let _ = self.input.send(end);
            }
        }
    }
}

/// The packages of the JDK that the runner needs to see into: those of the objects that it makes, and that of
/// the JVM's own means to make them.
fn opened(cases: &[TestCase]) -> BTreeSet<String> {
    let mut packages = BTreeSet::new();
    for object in cases.iter().flat_map(|case| &case.objects) {
        packages.insert("jdk.internal.misc".into());
        let GraphBody::Fields(fields) = &object.body else { continue };
        let names = fields.iter().map(|field| &field.owner).chain([&object.class]);
        let own = names.filter_map(|name| name.rsplit_once('.')).map(|(package, _)| package);
        let of_jdk = own.filter(|package| *package == "java" || package.starts_with("java."));
        packages.extend(of_jdk.map(str::to_string));
    }
    packages
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// A token that output does not contain by chance.
fn new_token() -> Token {
    std::collections::hash_map::RandomState::new().build_hasher().finish().to_be_bytes()
}

/// Reads to the end and keeps the beginning, where the reason is.
fn read_end(mut from: impl Read) -> Vec<u8> {
    let mut kept = Vec::new();
    let _ = from.by_ref().take(1 << 14).read_to_end(&mut kept);
    let _ = std::io::copy(&mut from, &mut std::io::sink());
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{JavaValue, Receiver, Target};
    use std::sync::Arc;

    /// Runs one case on a `java` that is this script.
    fn run(script: &str) -> Result<Vec<Ran>, ReplayError> {
        let home = tempfile::tempdir().unwrap();
        let java = home.path().join("bin/java");
        std::fs::create_dir(home.path().join("bin")).unwrap();
        evergreen_testing::tools::write_program(&java, format!("#!/bin/sh\n{script}\n").as_bytes());
        let setting = Setting {
            home: home.path().to_path_buf(),
            runtime: PathBuf::new(),
            class_path: vec![],
            assertions: false,
            heap_mb: 64,
            case_limit: Duration::from_millis(1),
            grace: Duration::from_secs(2),
            has_probes: false,
            stays: None,
        };
        let target = Target {
            class: "A".into(),
            method: "f".into(),
            descriptor: "()V".into(),
            receiver: Receiver::Static,
            hidden: false,
            parameters: vec![],
            exceptions: vec![],
        };
        let case = TestCase {
            target: Arc::new(target),
            objects: vec![],
            build: None,
            receiver: None,
            arguments: vec![JavaValue::Null],
            draws: vec![],
            ending: Ending::Returned(None),
            output: None,
            title: String::new(),
            arms: None,
        };
        let mut session = Session::new(setting);
        session.begin(vec![case])?;
        session.end()
    }

    /// Says that it is ready: the token, a number, no payload.
    const READY_FRAME: &str = "token=$(mktemp); head -c 8 >$token; cat $token; rm $token; \
                               printf '\\377\\377\\377\\377\\000\\000\\000\\000'";

    #[test]
    fn a_jvm_that_falls_silent_is_killed() {
        let ran = run(&format!("{READY_FRAME}; exec sleep 600")).unwrap();
        assert_eq!(ran[0].observed, Observed::TimedOut);
    }

    #[test]
    fn a_jvm_that_never_gets_ready_is_an_error() {
        let error = run("echo 'thinking' >&2; exec sleep 600").unwrap_err().to_string();
        assert!(error.ends_with("does not run test cases\nthinking"), "{error}");
    }

    #[test]
    fn the_end_of_a_jvm_is_the_end_of_its_case() {
        let ran = run(&format!("{READY_FRAME}; exit 3")).unwrap();
        assert_eq!(ran[0].observed, Observed::Ended(Ending::Exited(3)));
        let ran = run(&format!("{READY_FRAME}; echo 'internal error' >&2; exit 70")).unwrap();
        assert_eq!(ran[0].observed, Observed::Died("internal error\n".into()));
        let ran = run(&format!("{READY_FRAME}; kill -9 $$")).unwrap();
        assert_eq!(ran[0].observed, Observed::Died("signal: 9 (SIGKILL)".into()));
    }
}
