//! One method: explored within its processor time, its tests replayed on the JVM.

use super::methods::{Sampled, name_of};
use super::outcome::{Outcome, reason_of_text};
use crate::meter::Metered;
use evergreen_lab::interrupt;
use std::fs::File;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

/// Processor time beyond the limit, for the replay of what was found within it: a factor, and seconds.
const GRACE: (f64, f64) = (3.0, 10.0);
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// What all attempts share.
pub(super) struct Bench<'b> {
    pub evergreen: &'b Path,
    /// Where the files of an attempt are.
    pub work: &'b Path,
    pub limit: Duration,
    pub more: &'b [String],
}

impl Bench<'_> {
    /// Explores a method; `None` if a signal came.
    ///
    /// # Errors
    /// The program cannot be started.
    pub(super) fn attempt(&self, sampled: &Sampled) -> Result<Option<Outcome>, String> {
        let (stats, said) = (self.work.join("stats.json"), self.work.join("said"));
        let _ = std::fs::remove_file(&stats);
        let stderr = File::create(&said).map_err(|e| format!("{}: {e}", said.display()))?;
        let mut command = Command::new(self.evergreen);
        command.arg("explore").arg(&sampled.jar).args(["--method", &sampled.path()]);
        command.args(["--store", "memory:", "--time", "0", "--paths", "0", "--timeout-ms"]);
        command.arg(self.limit.as_millis().to_string()).arg("--stats").arg(&stats).args(self.more);
        command.env("EVERGREEN_CONFIG", "/dev/null").env("EVERGREEN_WARM_JVM_S", "0");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(stderr);
        let mut program =
            Metered::start(&mut command).map_err(|e| format!("{}: {e}", self.evergreen.display()))?;
        let ended = watch(&mut program, self.limit.as_secs_f64());
        program.end();
        let Some((seconds, status)) = ended? else { return Ok(None) };
        let text = std::fs::read_to_string(&stats).unwrap_or_default();
        let summary = text.lines().next_back().and_then(|line| serde_json::from_str(line).ok());
        let said = std::fs::read_to_string(&said).unwrap_or_default();
        let mut outcome = match (summary, status) {
            (Some(summary), _) => Outcome::of_summary(&summary),
            (None, None) => Outcome::over(),
            (None, Some(status)) => Outcome::crashed(&reason_of_text(&said, &status.to_string())),
        };
        outcome.jar = name_of(&sampled.jar);
        outcome.method = sampled.path();
        outcome.is_simple = sampled.is_simple;
        outcome.seconds = seconds;
        Ok(Some(outcome))
    }
}

/// Follows a program to its end: interrupts it once its time is over, and ends it if that does not help. Its
/// processor seconds with its status, if it has ended by itself; `None` if a signal came to us.
fn watch(program: &mut Metered, limit: f64) -> Result<Option<(f64, Option<ExitStatus>)>, String> {
    let (mut seconds, mut is_over) = (0.0, false);
    loop {
        seconds = f64::max(seconds, program.seconds());
        if interrupt::is_interrupted() {
            return Ok(None);
        }
        if let Some(status) = program.child.try_wait().map_err(|e| e.to_string())? {
            return Ok(Some((seconds, Some(status))));
        }
        if seconds > limit * GRACE.0 + GRACE.1 {
            return Ok(Some((seconds, None)));
        }
        if seconds > limit && !is_over {
            is_over = true;
            program.interrupt();
        }
        std::thread::sleep(BETWEEN_LOOKS);
    }
}
