//! `explore --queue`: workers explore; this process gathers their paths, retraces them, and reports them as
//! its own.

use super::programs::EntryOf;
use crate::config::Settings;
use crate::flags::{Explore, OrderFlag};
use crate::say::{Foreign, unwatch, warn, watch};
use crate::work::sent::Sent;
use crate::work::spec::{FORMAT, Spec, version};
use evergreen_distributed::{Gathering, Limits, Submission, submit};
use evergreen_queue::Queue;
use evergreen_service::{Elsewhere, Exploration};
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How long a server may be away before the submitter gives up.
const PATIENCE: Duration = Duration::from_secs(60);

/// Has workers explore these entries; the exploration retraces their paths.
pub(super) fn explore<F: Sent>(
    (flags, settings): (&Explore, &Settings),
    url: &str,
    exploration: Exploration<F>,
    entries: &[EntryOf<F>],
    stop: &Arc<AtomicBool>,
) -> Result<Elsewhere<F>, String> {
    if flags.exploring.order != OrderFlag::Dfs {
        return Err("--queue explores depth first\nhelp: omit --order".into());
    }
    if settings.strict.is_some() {
        return Err(
            "--strict: workers decide in their own way, so counts would not be the technique's\nhelp: \
                    omit --queue"
                .into(),
        );
    }
    let queue = crate::work::open(url, Some(PATIENCE), Some(stop.clone()))?;
    let spec = spec(flags, &queue, &exploration, settings.timeout_ms.unwrap_or(0))?;
    let targets: Vec<String> = flags.targets.iter().map(|target| target.display().to_string()).collect();
    let bounds = &flags.exploring.inputs.bounds;
    let (paths, time) = (Some(bounds.paths).filter(|n| *n > 0), Some(bounds.time).filter(|t| !t.is_zero()));
    let submission = Submission {
        queue: &queue,
        label: &targets.join(" "),
        spec: &spec,
        timeout: flags.queue_timeout,
        limits: Limits::of_all(paths, time, entries.len(), stop.clone()),
    };
    let on_terminal = std::io::stderr().is_terminal();
    let mut show = |gathering: &Gathering<'_>| {
        if on_terminal {
            watch(&progress(gathering));
        }
        if gathering.is_lonely {
            warn(&format!(
                "no worker yet\nhelp: start some, here or elsewhere: evergreen work --queue {}",
                crate::shell::quoted(queue.name())
            ));
        }
    };
    // What workers send is not ours to print as it is.
    let gathered = submit(&submission, exploration, entries, &mut show, &|text| {
        warn(&Foreign(text).to_string());
    });
    if on_terminal {
        unwatch();
    }
    gathered.map_err(|why| foreign_lines(&why))
}

/// A message of several lines, each made safe for a terminal.
fn foreign_lines(text: &str) -> String {
    text.lines().map(|line| Foreign(line).to_string()).collect::<Vec<_>>().join("\n")
}

/// The job for the workers; the program is where they find it.
fn spec<F: Sent>(
    flags: &Explore,
    queue: &Queue,
    exploration: &Exploration<F>,
    timeout_ms: u64,
) -> Result<Vec<u8>, String> {
    let program = queue.put_blob(&F::packed(&exploration.front)?.write()?).map_err(|e| e.to_string())?;
    Spec {
        format: FORMAT,
        evergreen: version(),
        language: F::WRITTEN,
        platform: F::platform(&exploration.front),
        program: program.to_string(),
        exploring: flags.exploring.clone(),
        invariants: F::known(&exploration.front),
        timeout_ms,
    }
    .write()
}

fn progress(Gathering { job, paths, elapsed, .. }: &Gathering<'_>) -> String {
    let plural = if job.workers == 1 { "" } else { "s" };
    format!(
        "{} worker{plural}, {} items open, {} done, {paths} paths, {:.0}/s",
        job.workers,
        job.open,
        job.done,
        *paths as f64 / elapsed.as_secs_f64().max(0.001)
    )
}
