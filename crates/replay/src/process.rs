//! Runs test cases in JVM processes: one for all cases, and another one for the rest whenever
//! a case has ended its JVM.
//!
//! A JVM starts in about 60 ms and a case in it takes well under one, so all cases share a process. All of
//! them are written to it at once; three threads keep the pipes from filling up. There are two deadlines: the
//! runner gives up a case after its time limit, reports the timeout and ends; if even that fails (the JVM is
//! stopped, or thrashes), this process kills it a little later.

use crate::error::Doing;
use crate::wire::{self, Frame, READY, Sequence, Token};
use crate::{Ending, GraphBody, Observed, ReplayError, TestCase};
use evergreen_classfile::PROBED_JVM_FLAGS;
use std::collections::BTreeSet;
use std::hash::{BuildHasher, Hasher};
use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// How much longer than a case may take its JVM is waited for; also how long it may take to start.
pub(crate) const GRACE: Duration = Duration::from_secs(20);

/// Exit status of a runner that failed itself; `Runner.java` has the same number.
const FAILED: i32 = 70;

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
}

/// The answer of one case.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ran {
    pub(crate) observed: Observed,
    pub(crate) output: Vec<u8>,
    pub(crate) hits: Sequence,
}

/// Runs every case; results in the order of the cases.
pub(crate) fn run_all(setting: &Setting, cases: &[TestCase]) -> Result<Vec<Ran>, ReplayError> {
    let mut results: Vec<Ran> = Vec::with_capacity(cases.len());
    while results.len() < cases.len() {
        let before = results.len();
        let mut jvm = Jvm::start(setting, cases, before)?;
        let end = jvm.collect(setting, cases.len(), &mut results)?;
        if results.len() < cases.len() && end != End::GaveUp {
            let lost = jvm.lost(end);
            results.push(lost);
        }
        debug_assert!(results.len() > before, "each JVM settles a case");
    }
    Ok(results)
}

/// Why a JVM answers no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// All cases are answered.
    Done,
    /// The last answered case took too long, and the runner has ended itself.
    GaveUp,
    /// The case that comes next ended the JVM.
    Closed,
    /// It is silent.
    Silent,
}

/// A running JVM.
struct Jvm {
    child: Child,
    java: PathBuf,
    frames: Receiver<Frame>,
    errors: Option<JoinHandle<Vec<u8>>>,
    /// The output and probes of a case before it called `System.exit`.
    exiting: Option<(Vec<u8>, Sequence)>,
}

impl Jvm {
    fn start(setting: &Setting, cases: &[TestCase], from: usize) -> Result<Jvm, ReplayError> {
        let java = setting.home.join("bin").join("java");
        let mut command = Command::new(&java);
        crate::end_with_us(&mut command);
        command.args(["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xshare:auto"]);
        // The behaviour of a case must not depend on the machine, nor on whether a class file
        // with such a name is found.
        command.env("LC_ALL", "C.UTF-8");
        command.args([
            "-Dfile.encoding=UTF-8",
            "-Duser.language=en",
            "-Duser.country=US",
            "-Duser.timezone=UTC",
        ]);
        // The JVM's own warnings would land between the frames.
        command.arg("-XX:+DisplayVMOutputToStderr").arg(format!("-Xmx{}m", setting.heap_mb));
        if setting.has_probes {
            command.args(PROBED_JVM_FLAGS);
        }
        for package in opened(&cases[from..]) {
            command.arg("--add-opens").arg(format!("java.base/{package}=ALL-UNNAMED"));
        }
        command.arg("-cp").arg(&setting.runtime).arg("evergreen.runner.Runner");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().doing(|| format!("starting '{}'", java.display()))?;
        let token = new_token();
        let input = encode(setting, cases, from, token);
        let (mut stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        std::thread::spawn(move || {
            // A JVM that ended early does not read the rest, which the next one gets.
            let _ = stdin.as_mut().map(|stdin| stdin.write_all(&input));
        });
        let (sender, frames) = channel();
        std::thread::spawn(move || {
            let Some(stdout) = stdout else { return };
            let mut stdout = BufReader::new(stdout);
            while let Some(frame) = wire::read_frame(&mut stdout, token) {
                if sender.send(frame).is_err() {
                    return;
                }
            }
        });
        let errors = std::thread::spawn(move || stderr.map(read_end).unwrap_or_default());
        Ok(Jvm { child, java, frames, errors: Some(errors), exiting: None })
    }

    /// Takes answers until there are no more.
    fn collect(
        &mut self,
        setting: &Setting,
        count: usize,
        results: &mut Vec<Ran>,
    ) -> Result<End, ReplayError> {
        let patience = setting.case_limit + setting.grace;
        if self.frames.recv_timeout(setting.grace).map(|frame| frame.index) != Ok(READY) {
            return Err(self.did_not_start());
        }
        while results.len() < count {
            let frame = match self.frames.recv_timeout(patience) {
                Ok(frame) => frame,
                Err(RecvTimeoutError::Timeout) => return Ok(End::Silent),
                Err(RecvTimeoutError::Disconnected) => return Ok(End::Closed),
            };
            if frame.index as usize != results.len() {
                return Ok(End::Closed);
            }
            let Some(reply) = wire::read_reply(&frame.payload) else { return Ok(End::Closed) };
            let output = [frame.stray, reply.output].concat();
            match reply.observed {
                None => self.exiting = Some((output, reply.hits)),
                Some(observed) => {
                    let gave_up = observed == Observed::TimedOut;
                    results.push(Ran { observed, output, hits: reply.hits });
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
        let java = self.java.clone();
        // It may still be running, with an unknown outcome.
        let _ = self.child.kill();
        let (_, output) = self.finish();
        ReplayError::Start { java, output }
    }

    /// Waits for the end of a JVM that is about to end; its status and its standard error.
    fn finish(&mut self) -> (Option<ExitStatus>, String) {
        let status = self.child.wait().ok();
        let said = self.errors.take().and_then(|thread| thread.join().ok()).unwrap_or_default();
        (status, String::from_utf8_lossy(&said).into_owned())
    }
}

impl Drop for Jvm {
    fn drop(&mut self) {
        // In most cases the child has already ended; then both do nothing.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// All cases from number `from` on.
fn encode(setting: &Setting, cases: &[TestCase], from: usize, token: Token) -> Vec<u8> {
    let entries: Vec<String> = setting.class_path.iter().map(|entry| text(entry)).collect();
    let mut out = wire::header(token, setting.assertions, &entries);
    let limit_ms = setting.case_limit.as_millis().clamp(1, i32::MAX as u128) as u32;
    for (index, case) in cases.iter().enumerate().skip(from) {
        wire::put_case(&mut out, index as u32, limit_ms, case);
    }
    out.push(0);
    out
}

/// The packages of the JDK that the runner needs to see into: those of the objects that it makes, and that of
/// the JVM's own means to make them.
fn opened(cases: &[TestCase]) -> BTreeSet<&str> {
    let mut packages = BTreeSet::new();
    for object in cases.iter().flat_map(|case| &case.objects) {
        packages.insert("jdk.internal.misc");
        let GraphBody::Fields(fields) = &object.body else { continue };
        let names = fields.iter().map(|field| &field.owner).chain([&object.class]);
        let own = names.filter_map(|name| name.rsplit_once('.')).map(|(package, _)| package);
        packages.extend(own.filter(|package| *package == "java" || package.starts_with("java.")));
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
            grace: Duration::from_secs(4),
            has_probes: false,
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
        run_all(&setting, &[case])
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
