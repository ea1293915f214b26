//! What a count costs that a store knows, beside making it afresh: when reusing counts pays.
//!
//! The same scripts, read before, are counted by engines that differ in their store only, so everything from
//! the terms to the number is in each time. In memory, where a count was asked for again and again, the least
//! time is kept; on disk every count is asked for once after the store was opened, as a new process does it,
//! and the least of some such times is kept. A pack is imported into a store on disk of its own.

use super::count::{cpu_time, median};
use super::count_shapes::{Shape, smt};
use evergreen::store::{Accept, Choice, Memory, OpenOptions, Store, Taking, export, import, open};
use evergreen::{Budget, Count, CountScript, Engine, EngineOptions};
use serde_json::{Value, json};
use std::io::Cursor;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A store on disk is opened so often.
const ROUNDS: usize = 5;

/// Microseconds, one per problem.
#[derive(Default)]
pub(super) struct Stored {
    afresh: Vec<f64>,
    memory: Vec<f64>,
    disk: Vec<f64>,
    pack: Vec<f64>,
}

/// Counts once: the number, the microseconds, and whether all components came from the store.
fn once(engine: &mut Engine, script: &CountScript) -> Result<(Count, f64, bool), String> {
    let (cpu, start) = (cpu_time(), Instant::now());
    let counted = script.count(engine, Budget::default())?;
    let took = start.elapsed().min(cpu_time().saturating_sub(cpu));
    let known = counted.did.parts == 0;
    Ok((counted.count, took.as_nanos() as f64 / 1000.0, known))
}

/// Counts again and again, and keeps the least time.
fn least(engine: &mut Engine, script: &CountScript, runs_ms: u64) -> Result<(Count, f64, bool), String> {
    let begin = Instant::now();
    let mut best = once(engine, script)?;
    while begin.elapsed() < Duration::from_millis(runs_ms) {
        let (_, micros, known) = once(engine, script)?;
        best = (best.0, best.1.min(micros), known);
    }
    Ok(best)
}

fn engine(store: Option<Arc<dyn Store>>) -> Engine {
    Engine::new(store, EngineOptions::default())
}

/// Complains if a number is not the one that was counted, or was not found.
fn check(what: &str, expected: &Count, found: &Count, known: bool) -> Result<(), String> {
    if found != expected {
        return Err(format!("{what}: {found:?} in place of {expected:?}"));
    }
    if known { Ok(()) } else { Err(format!("{what}: counted again")) }
}

/// The least time that each script takes where the store was just opened.
fn first_looks(what: &str, place: &Path, scripts: &[(CountScript, Count)]) -> Result<Vec<f64>, String> {
    let mut times = vec![f64::INFINITY; scripts.len()];
    for _ in 0..ROUNDS {
        let store = open(&place.to_string_lossy(), &OpenOptions::default()).map_err(|e| e.to_string())?;
        let mut engine = engine(Some(store));
        for (time, (script, expected)) in times.iter_mut().zip(scripts) {
            let (found, micros, known) = once(&mut engine, script)?;
            check(what, expected, &found, known)?;
            *time = time.min(micros);
        }
    }
    Ok(times)
}

/// Measures problems of a shape; `folder` is empty.
pub(super) fn measure(shape: &Shape, problems: u64, runs_ms: u64, folder: &Path) -> Result<Stored, String> {
    let mut stored = Stored::default();
    let (mut without, mut memory) = (engine(None), engine(Some(Arc::new(Memory::new(64 << 20)))));
    let mut scripts: Vec<(CountScript, Count)> = Vec::new();
    for index in 0..problems {
        let script = CountScript::read(smt(&shape.problem(index)).as_bytes(), "problem")?;
        let (expected, micros, _) = least(&mut without, &script, runs_ms)?;
        stored.afresh.push(micros);
        once(&mut memory, &script)?;
        let (found, micros, known) = least(&mut memory, &script, runs_ms)?;
        check("in memory", &expected, &found, known)?;
        stored.memory.push(micros);
        scripts.push((script, expected));
    }
    let (disk, packed) = (folder.join("store"), folder.join("packed"));
    let trouble = |e: evergreen::store::StoreError| e.to_string();
    let open_it = |place: &Path| open(&place.to_string_lossy(), &OpenOptions::default()).map_err(trouble);
    let mut pack = Vec::new();
    {
        let store = open_it(&disk)?;
        let mut engine = engine(Some(store.clone()));
        for (script, _) in &scripts {
            once(&mut engine, script)?;
        }
        store.flush().map_err(trouble)?;
        export(&*store, "pack", &mut pack).map_err(trouble)?;
        // Its own pack: counts have no evidence, so anything less than trust would count them again.
        let taking = Taking { accept: Accept::AsTheSourceSays, has_evidence: &|_, _| false };
        import(&*open_it(&packed)?, "pack", Cursor::new(pack), taking, &mut |_, _, _| Choice::Old)
            .map_err(trouble)?;
    }
    stored.disk = first_looks("on disk", &disk, &scripts)?;
    stored.pack = first_looks("from a pack", &packed, &scripts)?;
    Ok(stored)
}

impl Stored {
    /// The columns of [`Stored::line`].
    pub(super) const HEAD: &str =
        "     afresh µs  in memory µs    on disk µs     from a pack µs    afresh / in memory";

    fn medians(&self) -> [f64; 4] {
        [&self.afresh, &self.memory, &self.disk, &self.pack].map(|times| median(times).unwrap_or(0.0))
    }

    /// Medians, for people.
    pub(super) fn line(&self) -> String {
        let [afresh, memory, disk, pack] = self.medians();
        format!("{afresh:>14.1}{memory:>14.1}{disk:>14.1}{pack:>19.1}{:>22.1}", afresh / memory)
    }

    /// Medians, for machines.
    pub(super) fn object(&self) -> Value {
        let [afresh, memory, disk, pack] = self.medians();
        json!({ "afresh_us": afresh, "memory_us": memory, "disk_us": disk, "pack_us": pack })
    }
}
