//! The bare solver: what it says to every query of a stream, and how long it takes.

use super::stream::Stream;
use evergreen::solver::{Command, Limits, Mode, Process};
use serde_json::{Map, Value, json};
use std::path::Path;
use std::time::Instant;

/// What the bare solver said to a stream.
pub(super) struct Bare {
    /// `sat`, `unsat` or anything else, by query.
    pub verdicts: Vec<String>,
    /// Microseconds, by query.
    pub micros: Vec<u64>,
    /// Whether it was asked now, and not in an earlier run.
    pub fresh: bool,
}

/// Asks one long-lived process, with `(reset)` between queries, unless the cache file knows the stream.
pub(super) fn ask(stream: &Stream, solver: &Command, cache: Option<&Path>) -> Result<Bare, String> {
    let id = identity(stream, solver);
    let mut known = cache.map(load).transpose()?.unwrap_or_default();
    if let Some(bare) = known.get(&id).and_then(decode) {
        return Ok(bare);
    }
    let bare = ask_now(stream, solver)?;
    if let Some(path) = cache {
        known.insert(id, json!({ "verdicts": bare.verdicts, "micros": bare.micros }));
        save(path, known)?;
    }
    Ok(bare)
}

fn identity(stream: &Stream, solver: &Command) -> String {
    let mut text = format!("{solver}\n");
    stream.queries.iter().for_each(|q| text.push_str(q));
    let digest = evergreen::digest(text.as_bytes());
    let hex: String = digest[..16].iter().map(|b| format!("{b:02x}")).collect();
    format!("{} {hex}", stream.name)
}

fn ask_now(stream: &Stream, solver: &Command) -> Result<Bare, String> {
    let mut process = None;
    let (mut verdicts, mut micros) = (Vec::new(), Vec::new());
    for query in &stream.queries {
        let mut running = match process.take() {
            Some(running) => running,
            None => {
                Process::start(solver, Mode::Interactive, &Limits::default()).map_err(|e| e.to_string())?
            }
        };
        // z3 would leave at (exit).
        let script = query.replace("(exit)", "");
        let start = Instant::now();
        let reply = running.ask(&format!("(reset)\n{script}"), None);
        micros.push(start.elapsed().as_micros() as u64);
        verdicts.push(match reply {
            Ok(text) => {
                process = Some(running);
                verdict(&text)
            }
            Err(e) => e.to_string(),
        });
    }
    Ok(Bare { verdicts, micros, fresh: true })
}

fn verdict(reply: &str) -> String {
    let line = reply.lines().find(|l| !l.trim().is_empty()).unwrap_or("");
    line.trim().to_string()
}

fn load(path: &Path) -> Result<Map<String, Value>, String> {
    let place = path.display();
    match std::fs::read(path) {
        Ok(bytes) => {
            serde_json::from_slice(&bytes).map_err(|e| format!("{place}: {e}\nhelp: remove the file"))
        }
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(Map::new()),
        Err(e) => Err(format!("{place}: {e}")),
    }
}

fn save(path: &Path, known: Map<String, Value>) -> Result<(), String> {
    let trouble = |e: std::io::Error| format!("{}: {e}", path.display());
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent).map_err(trouble)?;
    }
    let partial = path.with_extension("partial");
    std::fs::write(&partial, Value::Object(known).to_string()).map_err(trouble)?;
    std::fs::rename(&partial, path).map_err(trouble)
}

fn decode(value: &Value) -> Option<Bare> {
    let verdicts = value["verdicts"].as_array()?.iter().map(|v| v.as_str().map(str::to_string));
    let micros = value["micros"].as_array()?.iter().map(Value::as_u64);
    Some(Bare {
        verdicts: verdicts.collect::<Option<_>>()?,
        micros: micros.collect::<Option<_>>()?,
        fresh: false,
    })
}
