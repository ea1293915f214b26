//! One task: compiled once, explored within its processor time, its violation replayed on the JVM.

use super::score::{Done, Verdict};
use super::task::Task;
use crate::meter::Metered;
use evergreen_java::replay::sources;
use evergreen_lab::interrupt;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Processor seconds beyond the limit for the replay of a violation that was found within it.
const REPLAY_S: f64 = 20.0;
/// What a failed assertion throws.
const VIOLATION: &str = "java.lang.AssertionError";
/// The bounds of the attempts at one task, one after the other within its time: the longest strings, and the
/// longest arrays of symbolic length. The first are those of the texts that tasks compare with; longer ones
/// are tried where nothing but these bounds is in the way of a verdict.
const LENGTHS: [(&str, &str); 2] = [("12", "64"), ("160", "1024")];
/// The names of these bounds in the reasons for having no verdict.
const LENGTH_BOUNDS: [&str; 2] = ["input_length", "array_length"];
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);
/// Where a program begins; every task has it.
const MAIN: &str = "Main.java";

/// What all attempts share.
pub(super) struct Bench<'b> {
    pub javac: &'b Path,
    pub evergreen: &'b Path,
    /// Where classes are kept.
    pub work: &'b Path,
    pub limit: Duration,
    pub more: &'b [String],
}

impl Bench<'_> {
    /// Compiles and explores a task; `None` if a signal came.
    ///
    /// # Errors
    /// A program cannot be started.
    pub(super) fn attempt(&self, task: &Task) -> Result<Option<Done>, String> {
        let compiled = self.compile(task)?;
        // A signal that comes from a terminal ends javac, too.
        if interrupt::is_interrupted() {
            return Ok(None);
        }
        match compiled {
            Ok((classes, seconds)) => self.explore(task, &classes, seconds),
            Err(why) => Ok(Some(Done::new(task, Verdict::Unknown, why, 0.0, 0))),
        }
    }

    /// The folder of the classes, and the processor seconds that javac took, now or in an earlier run; what
    /// javac says if it refuses.
    fn compile(&self, task: &Task) -> Result<Result<(PathBuf, f64), String>, String> {
        let folder = self.work.join("classes").join(&task.name);
        let (classes, took) = (folder.join("classes"), folder.join("seconds"));
        let known = std::fs::read_to_string(&took).ok().and_then(|text| text.trim().parse().ok());
        if let Some(seconds) = known {
            return Ok(Ok((classes, seconds)));
        }
        let trouble = |e: std::io::Error| format!("{}: {e}", folder.display());
        let own = [
            ("org/sosy_lab/sv_benchmarks/Verifier.java", sources::VERIFIER),
            ("evergreen/Sym.java", sources::SYM),
            ("evergreen/AssumptionViolated.java", sources::ASSUMPTION_VIOLATED),
            ("evergreen/CheckFailed.java", sources::CHECK_FAILED),
        ];
        for (name, text) in own {
            let file = folder.join("api").join(name);
            std::fs::create_dir_all(file.parent().unwrap_or(&file)).map_err(trouble)?;
            std::fs::write(&file, text).map_err(trouble)?;
        }
        std::fs::create_dir_all(&classes).map_err(trouble)?;
        let Some(main) = task.sources.iter().map(|source| source.join(MAIN)).find(|file| file.exists())
        else {
            return Ok(Err(format!("no {MAIN}")));
        };
        let mut path = vec![folder.join("api")];
        path.extend(task.sources.iter().cloned());
        let mut command = Command::new(self.javac);
        command.args(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-g", "-proc:none", "-nowarn"]);
        command.args(["-encoding", "UTF-8", "-d"]).arg(&classes);
        command.arg("-sourcepath").arg(std::env::join_paths(&path).map_err(|e| e.to_string())?);
        command.arg("-classpath").arg(folder.join("api")).arg(main);
        let (done, used) = crate::run::measured(|| command.output());
        let done = done.map_err(|e| format!("javac: {e}"))?;
        if !done.status.success() {
            let said = String::from_utf8_lossy(&done.stderr).into_owned();
            let line = said.lines().find(|line| line.contains("error:")).unwrap_or("says nothing");
            let line = line.split("error:").last().unwrap_or(line).trim();
            return Ok(Err(format!("javac: {line}")));
        }
        std::fs::write(&took, format!("{:.3}\n", used.all())).map_err(trouble)?;
        Ok(Ok((classes, used.all())))
    }

    fn explore(&self, task: &Task, classes: &Path, compiled: f64) -> Result<Option<Done>, String> {
        let mut spent = compiled;
        let mut last = None;
        for lengths in LENGTHS {
            let Some((heard, seconds)) = self.explore_within(lengths, classes, spent)? else {
                return Ok(None);
            };
            let (verdict, why) = heard.verdict();
            let is_bounded = LENGTH_BOUNDS.iter().any(|bound| why.ends_with(bound));
            // A longer attempt that says nothing leaves the reason of the shorter one.
            let before: Option<Done> = last.take();
            let done = Done::new(task, verdict, why, seconds, heard.paths());
            let is_unknown = done.verdict == Verdict::Unknown;
            last = Some(match before {
                Some(before) if is_unknown => Done { seconds: done.seconds, ..before },
                _ => done,
            });
            if !is_unknown || !is_bounded {
                break;
            }
            spent = seconds;
        }
        Ok(last)
    }

    /// What one attempt came to, and the processor seconds of the task so far; `None` if a signal came.
    fn explore_within(
        &self,
        (input_length, array_length): (&str, &str),
        classes: &Path,
        spent: f64,
    ) -> Result<Option<(Heard, f64)>, String> {
        let stats = classes.with_file_name("stats.json");
        let _ = std::fs::remove_file(&stats);
        let mut command = Command::new(self.evergreen);
        command.env("EVERGREEN_WARM_JVM_S", "0");
        command.arg("explore").arg(classes.join("Main.class")).args(["--main", "--no-shrink"]);
        command.args([
            "--property",
            "assertions",
            "--induction",
            "--stop-at-first",
            "--merge",
            "on",
            "--store",
            "memory:",
            "--time",
            "0",
            "--depth",
            "0",
        ]);
        command.args(["--paths", "0", "--steps", "0", "--input-length", input_length]);
        command.args(["--array-length", array_length, "--stats"]).arg(&stats);
        command.args(self.more).env("EVERGREEN_CONFIG", "/dev/null");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut program =
            Metered::start(&mut command).map_err(|e| format!("{}: {e}", self.evergreen.display()))?;
        let output = program.child.stdout.take().ok_or("no output")?;
        let (send, lines) = channel();
        let reader = std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    break;
                }
            }
        });
        let mut heard = Heard::default();
        let seconds = watch(&mut program, &lines, &mut heard, spent, self.limit.as_secs_f64());
        program.end();
        let _ = reader.join();
        let text = std::fs::read_to_string(&stats).unwrap_or_default();
        heard.summary = text.lines().next_back().and_then(|line| serde_json::from_str(line).ok());
        Ok(seconds.map(|seconds| (heard, seconds)))
    }
}

/// Follows a program to its end or to its limit; the processor seconds, `None` if a signal came.
fn watch(
    program: &mut Metered,
    lines: &Receiver<String>,
    heard: &mut Heard,
    compiled: f64,
    limit: f64,
) -> Option<f64> {
    let (mut found_after, mut seconds) = (None, compiled);
    loop {
        seconds = f64::max(seconds, compiled + program.seconds());
        if interrupt::is_interrupted() {
            return None;
        }
        let most = limit + if found_after.is_some() { REPLAY_S } else { 0.0 };
        if seconds > most {
            heard.is_over = true;
            return Some(found_after.unwrap_or(seconds));
        }
        let until = Instant::now() + BETWEEN_LOOKS;
        while let Some(left) = until.checked_duration_since(Instant::now()) {
            match lines.recv_timeout(left) {
                Ok(line) => heard.hear(&line),
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => return Some(found_after.unwrap_or(seconds)),
            }
        }
        if heard.violation && found_after.is_none() {
            found_after = Some(seconds);
        }
    }
}

/// What an exploration came to.
#[derive(Default)]
struct Heard {
    violation: bool,
    summary: Option<Value>,
    failed: Option<String>,
    is_over: bool,
}

impl Heard {
    fn hear(&mut self, line: &str) {
        let line = line.trim_start();
        self.violation |= line.strip_prefix("FOUND ").is_some_and(|rest| rest.starts_with(VIOLATION));
        if let Some(why) = line.strip_prefix("not explored: ") {
            self.failed = Some(why.to_string());
        }
    }

    fn paths(&self) -> u64 {
        self.summary.as_ref().and_then(|summary| summary["paths"].as_u64()).unwrap_or(0)
    }

    /// A violation counts if the JVM repeated all paths, `true` if there are no others.
    fn verdict(&self) -> (Verdict, String) {
        let unknown = |why: &str| (Verdict::Unknown, why.to_string());
        if let Some(why) = &self.failed {
            return unknown(why);
        }
        let Some(summary) = &self.summary else {
            return match self.is_over {
                _ if self.violation => unknown("a violation that was not replayed"),
                true => unknown("time"),
                false => unknown("the program ended without a summary"),
            };
        };
        let count = |name: &str| summary[name].as_u64().unwrap_or(0);
        if count("divergences") > 0 {
            return unknown("a divergence");
        }
        match (self.violation, count("replayed") > 0) {
            (true, true) => (Verdict::False, String::new()),
            (true, false) => unknown("a violation that was not replayed"),
            (false, _) if summary["explored"] == "all" => (Verdict::True, String::new()),
            (false, _) => (Verdict::Unknown, reason(summary)),
        }
    }
}

/// Why an exploration is not complete.
fn reason(summary: &Value) -> String {
    let first = |name: &str| summary[name].as_object().and_then(|all| all.keys().next().cloned());
    let some = |name: &str| summary[name].as_u64().is_some_and(|count| count > 0);
    if let Some(what) = first("missing") {
        return what;
    }
    if let Some(bound) = first("cut") {
        return format!("cut by {bound}");
    }
    if some("undecided") {
        return "an undecided arm".into();
    }
    if some("sampled") {
        return "sampled".into();
    }
    match first("bounds") {
        Some(bound) => format!("within {bound}"),
        None => "in part".into(),
    }
}
