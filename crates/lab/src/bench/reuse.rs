//! `evergreen-lab bench reuse`: what a reused answer costs, beside what solving costs, in one run on one
//! machine.

use super::paths::{self, SymbolicPath};
use super::samples::{Samples, show};
use super::{boogie, hits, shim_start, warm_solvers};
use crate::flags::{ReuseBench, ReuseSection};
use evergreen::Stage;
use evergreen::solver::{Command, find_program};
use evergreen::store::{Memory, OpenOptions, Store, open};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use std::process::{Child, ExitCode, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What was measured, in the order of printing.
#[derive(Default)]
struct Table {
    rows: Vec<Row>,
    json: Map<String, Value>,
}

enum Row {
    Title(String),
    Times { name: String, samples: Samples, remark: String },
    Remark(String),
}

impl Table {
    fn title(&mut self, text: &str) {
        crate::say::note(text);
        self.rows.push(Row::Title(text.into()));
    }

    fn times(&mut self, key: &str, name: &str, samples: &Samples, remark: impl Into<String>) {
        self.json.insert(key.into(), samples.to_json());
        self.rows.push(Row::Times { name: name.into(), samples: samples.clone(), remark: remark.into() });
    }

    fn remark(&mut self, text: impl Into<String>) {
        self.rows.push(Row::Remark(text.into()));
    }

    fn aim(&mut self, key: &str, what: &str, found: f64, aim: f64, at_least: bool) {
        let reached = if at_least { found >= aim } else { found <= aim };
        let sign = if at_least { ">=" } else { "<=" };
        let word = if reached { "reached" } else { "MISSED" };
        self.json.insert(format!("aim_{key}"), json!({ "found": found, "aim": aim, "reached": reached }));
        self.remark(format!("aim {what} {sign} {aim}: {found:.1}, {word}"));
    }

    fn print(&self) {
        for row in &self.rows {
            match row {
                Row::Title(text) => crate::say::say(&format!(
                    "\n{text:<62}{:>10}{:>10}{:>10}{:>8}",
                    "best", "median", "p95", "n"
                )),
                Row::Times { name, samples, remark } => crate::say::say(&format!(
                    "  {name:<60}{:>10}{:>10}{:>10}{:>8}  {remark}",
                    show(samples.best()),
                    show(samples.median()),
                    show(samples.percentile(95)),
                    samples.len()
                )),
                Row::Remark(text) => crate::say::say(&format!("  {text}")),
            }
        }
    }
}

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Folder, String> {
        // Short, since the path of a Unix socket is bounded.
        let path = tempfile::env::temp_dir().join(format!("evergreen-bench-{}", std::process::id()));
        std::fs::create_dir_all(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        Ok(Folder(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A Redis server on a Unix socket, stopped when dropped.
struct Redis(Child);

impl Redis {
    fn start(program: &Path, folder: &Path) -> Result<Redis, String> {
        let child = std::process::Command::new(program)
            .args(["--port", "0", "--save", "", "--appendonly", "no", "--unixsocket"])
            .arg(folder.join("redis.sock"))
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| format!("{}: {e}", program.display()))?;
        let redis = Redis(child);
        let deadline = Instant::now() + Duration::from_secs(10);
        while !folder.join("redis.sock").exists() {
            if Instant::now() > deadline {
                return Err("redis-server does not open its socket".into());
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(redis)
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Measures everything and prints it.
pub(super) fn run(flags: &ReuseBench, as_json: bool) -> Result<ExitCode, String> {
    let folder = Folder::new()?;
    let paths = paths::generate(flags.seed, flags.paths);
    let mut table = Table::default();
    let wanted = |section| flags.only.is_empty() || flags.only.contains(&section);
    if wanted(ReuseSection::Script) {
        keyed(flags, &mut table)?;
    }
    if flags.only == [ReuseSection::Script] {
        return finish(&table, as_json);
    }
    let solver = Command::parse("z3").map_err(|e| e.to_string())?;
    let mut memory = None;
    if wanted(ReuseSection::Hits) {
        let hit = hits_of_memory(&solver, &paths, &mut table)?;
        hits_of_disk(&solver, &paths, &folder.0, &mut table)?;
        hits_of_redis(&solver, &paths, &folder.0, &mut table)?;
        table.aim("memory_hit_us", "hit in memory, µs", hit.median() as f64 / 1e3, 5.0, false);
        memory = Some(hit);
    }
    if wanted(ReuseSection::Solvers) {
        let push_pop = bare_solvers(&solver, &paths, &folder.0, flags, &mut table)?;
        if let Some(hit) = memory {
            let ratio = push_pop.median() as f64 / hit.median().max(1) as f64;
            table.aim("memory_hit_ratio", "hit in memory, times faster than z3 push/pop", ratio, 5.0, true);
        }
    }
    if wanted(ReuseSection::Shim) {
        shim(&solver, &folder.0, flags, &mut table)?;
    }
    finish(&table, as_json)
}

fn finish(table: &Table, as_json: bool) -> Result<ExitCode, String> {
    if as_json {
        crate::say::say_json(&Value::Object(table.json.clone()));
    } else {
        table.print();
    }
    Ok(ExitCode::SUCCESS)
}

fn hits_of_memory(solver: &Command, paths: &[SymbolicPath], table: &mut Table) -> Result<Samples, String> {
    table.title("reused answers: path-shaped linear queries, 2-10 atoms");
    let store: Arc<dyn Store> = Arc::new(Memory::new(1 << 28));
    let cold = hits::walk(store.clone(), solver, paths)?;
    hits::walk(store.clone(), solver, paths)?;
    let warm = hits::walk(store, solver, paths)?;
    check_warm(warm.solved)?;
    for (stage, samples) in Stage::ALL.iter().zip(&warm.stages).take(4) {
        table.times(&format!("stage_{}", stage.name()), &format!("stage {}", stage.name()), samples, "");
    }
    table.times("stage_key", "  of canonize: key (hash of the form)", &hits::keys(paths)?, "");
    table.remark(format!(
        "  (one look at the clock costs {} and is in each stage)",
        show(hits::clock().as_nanos() as u64)
    ));
    table.times("hit_memory", "hit in memory, whole", &warm.whole, "");
    table.times(
        "cold",
        "cold: the same queries, as far as solved, by z3",
        &cold.whole,
        format!("{} solved", cold.solved),
    );
    Ok(warm.whole)
}

fn check_warm(solved: u64) -> Result<(), String> {
    if solved == 0 { Ok(()) } else { Err(format!("{solved} questions reached the solver in a warm run")) }
}

fn hits_of_disk(
    solver: &Command,
    paths: &[SymbolicPath],
    folder: &Path,
    table: &mut Table,
) -> Result<(), String> {
    let spec = folder.join("store").to_string_lossy().into_owned();
    let open_it = || open(&spec, &OpenOptions::default()).map_err(|e| e.to_string());
    hits::walk(open_it()?, solver, paths)?;
    // A store that was just opened: every key is new to this process.
    let store = open_it()?;
    let warm = hits::walk(store.clone(), solver, paths)?;
    check_warm(warm.solved)?;
    table.times("hit_disk", "hit on disk, whole; the store was just opened", &warm.whole, "");
    let again = hits::walk(store, solver, paths)?;
    table.times("hit_disk_again", "hit on disk, whole; seen by this process before", &again.whole, "");
    Ok(())
}

fn hits_of_redis(
    solver: &Command,
    paths: &[SymbolicPath],
    folder: &Path,
    table: &mut Table,
) -> Result<(), String> {
    let Some(program) = find_program("redis-server") else {
        table.remark("hit in Redis: redis-server is not on PATH");
        return Ok(());
    };
    let redis = Redis::start(&program, folder)?;
    let spec = format!("redis+unix://{}", folder.join("redis.sock").display());
    let store = open(&spec, &OpenOptions::default()).map_err(|e| e.to_string())?;
    hits::walk(store.clone(), solver, paths)?;
    let warm = hits::walk(store, solver, paths)?;
    check_warm(warm.solved)?;
    table.times("hit_redis", "hit in Redis over a Unix socket, whole", &warm.whole, "");
    drop(redis);
    Ok(())
}

fn bare_solvers(
    z3: &Command,
    paths: &[SymbolicPath],
    folder: &Path,
    flags: &ReuseBench,
    table: &mut Table,
) -> Result<Samples, String> {
    table.title("solved answers: the same queries");
    let fresh = warm_solvers::fresh(z3, paths, folder, flags.starts)?;
    table.times("z3_fresh", "z3, a process per query", &fresh, "");
    table.times("z3_reset", "z3, (reset) per query", &warm_solvers::reset(z3, paths)?, "");
    let push_pop = warm_solvers::push_pop(z3, paths)?;
    table.times("z3_push_pop", "z3, push/assert/check/pop on the path", &push_pop, "");
    match Command::parse("yices-smt2") {
        Ok(yices) => {
            let samples = warm_solvers::push_pop(&yices, paths)?;
            table.times("yices_push_pop", "yices, push/assert/check/pop on the path", &samples, "");
        }
        Err(_) => table.remark("yices-smt2 is not on PATH"),
    }
    Ok(push_pop)
}

fn shim(solver: &Command, folder: &Path, flags: &ReuseBench, table: &mut Table) -> Result<(), String> {
    table.title("a script in a file, from the start of the process to its end");
    let warm = shim_start::shim(solver, folder, flags.starts)?;
    table.times("shim_warm", "as z3, answered from the store on disk", &warm, "");
    let bare = shim_start::bare(solver, folder, flags.starts)?;
    table.times("shim_bare", "bare z3", &bare, "");
    table.aim("shim_ms", "start to answer, ms", warm.median() as f64 / 1e6, 5.0, false);
    Ok(())
}

fn keyed(flags: &ReuseBench, table: &mut Table) -> Result<(), String> {
    let keyed = boogie::measure(flags.rounds)?;
    table.title(&format!("a {} KB script in Boogie's style, {} axioms", keyed.bytes / 1000, keyed.axioms));
    table.times("boogie_read", "read: commands and s-expressions", &keyed.read, "");
    table.times("boogie_elaborate", "read and elaborate: names, sorts, terms", &keyed.elaborate, "");
    table.times("boogie_canonize", "slice, canonize and key the first goal", &keyed.first, "");
    table.times("boogie_further", "slice, canonize and key a further goal", &keyed.further, "");
    table.times("boogie_keyed", "first byte to the first goal's key", &keyed.total, "");
    table.aim("boogie_ms", "keyed, ms", keyed.total.median() as f64 / 1e6, 10.0, false);
    Ok(())
}
