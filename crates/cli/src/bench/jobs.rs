//! `evergreen bench jobs`: paths per second with one thread, two, and so on, on methods with many paths.
//!
//! Wall time of exploring alone: javac and the start of the machines are not counted (each explores the method once before), and tests are not
//! replayed. That every number of threads finds as many paths is checked.

use crate::flags::JobsBench;
use evergreen::explore::classfile::find_jdk;
use evergreen::explore::symbolic::Ints;
use evergreen::explore::{
    Detail, Exploration, Inputs, Opened, Options, Program, Team, Telling, jvm, with_workers,
};
use evergreen::store::{Memory, Store};
use evergreen::{Evergreen, Reuse};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

const SOURCES: [(&str, &str); 8] = [
    ("BinTree.java", include_str!("../../../../subjects/bintree/v0/BinTree.java")),
    ("BinTreeDriver.java", include_str!("../../../../subjects/bintree/v0/BinTreeDriver.java")),
    ("Wbs.java", include_str!("../../../../subjects/wbs/v0/Wbs.java")),
    ("WbsDriver.java", include_str!("../../../../subjects/wbs/v0/WbsDriver.java")),
    ("SortedList.java", include_str!("../../../../subjects/sortedlist/v0/SortedList.java")),
    ("SortedListDriver.java", include_str!("../../../../subjects/sortedlist/v0/SortedListDriver.java")),
    ("Tcas.java", include_str!("../../../../subjects/tcas/v0/Tcas.java")),
    ("TcasDriver.java", include_str!("../../../../subjects/tcas/v0/TcasDriver.java")),
];

/// Methods with many paths.
const METHODS: [&str; 4] =
    ["BinTreeDriver.add6", "WbsDriver.step3", "SortedListDriver.insert5", "TcasDriver.safe"];

/// Runs the benchmark.
pub fn run(flags: &JobsBench, as_json: bool) -> Result<ExitCode, String> {
    let folder = std::env::temp_dir().join(format!("evergreen-jobs-{}", std::process::id()));
    let done = sources(&folder).and_then(|files| measure(flags, &files, as_json));
    let _ = std::fs::remove_dir_all(&folder);
    done.map(|()| ExitCode::SUCCESS)
}

fn sources(folder: &Path) -> Result<Vec<PathBuf>, String> {
    std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let write = |(name, text): &(&str, &str)| {
        let file = folder.join(name);
        std::fs::write(&file, text).map_err(|e| format!("{}: {e}", file.display()))?;
        Ok(file)
    };
    SOURCES.iter().map(write).collect()
}

fn measure(flags: &JobsBench, files: &[PathBuf], as_json: bool) -> Result<(), String> {
    let jdk = find_jdk().map_err(|e| e.to_string())?;
    let program = Program::open(files, None, jdk).map_err(|e| e.to_string())?;
    let opened = program.opened();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let most = if flags.most == 0 { cores } else { flags.most };
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().unwrap_or("unknown").to_string();
    let mut all: Vec<Value> = Vec::new();
    if !as_json {
        crate::say::say(&format!("{cores} cores, load {load}"));
    }
    for method in METHODS {
        let mut alone: Option<(u64, Duration)> = None;
        for jobs in 1..=most {
            let (paths, time) = best(flags.rounds, &opened, method, jobs)?;
            let (expected, first) = *alone.get_or_insert((paths, time));
            if paths != expected {
                return Err(format!("{method}: {paths} paths with {jobs} threads, {expected} with one"));
            }
            let rate = paths as f64 / time.as_secs_f64().max(1e-9);
            let speed_up = first.as_secs_f64() / time.as_secs_f64().max(1e-9);
            if as_json {
                all.push(json!({ "method": method, "jobs": jobs, "paths": paths, "per_second": rate, "speed_up": speed_up }));
            } else {
                crate::say::say(&format!(
                    "{method:<26}{jobs:>3} threads{paths:>8} paths{rate:>10.0} /s{speed_up:>7.2} times"
                ));
            }
        }
    }
    if as_json {
        crate::say::say(&json!({ "cores": cores, "load": load, "runs": all }).to_string());
    }
    Ok(())
}

/// The paths of a method, and the shortest time that it took.
fn best(rounds: u16, opened: &Opened, method: &str, jobs: usize) -> Result<(u64, Duration), String> {
    let mut best: Option<(u64, Duration)> = None;
    for _ in 0..rounds.max(1) {
        let (paths, time) = once(opened, method, jobs)?;
        best = Some(best.map_or((paths, time), |(_, least)| (paths, least.min(time))));
    }
    best.ok_or_else(|| "nothing was measured".into())
}

fn once(opened: &Opened, method: &str, jobs: usize) -> Result<(u64, Duration), String> {
    let store: Arc<dyn Store> = Arc::new(Memory::new(1 << 28));
    let make = || {
        let program = opened.open().map_err(|e| e.to_string())?;
        let store = store.clone();
        let make = move || Evergreen::builder().with_store(store.clone()).reuse(Reuse::Full).build();
        Exploration::new(program, Ints::Wrapped, jvm::Options::default(), Box::new(make))
            .map_err(|e| e.to_string())
    };
    let explored = |mut team: Team<'_>| -> Result<(u64, Duration), String> {
        let program = opened.open().map_err(|e| e.to_string())?;
        let methods = program.methods(Some(method)).map_err(|e| e.to_string())?;
        let found = methods.first().ok_or_else(|| format!("no method {method}"))?;
        let telling = Telling { detail: Detail::Brief, shrinks: false, calls: false, lines: None };
        let mut last = (0, Duration::ZERO);
        // The first time the machines start.
        for _ in 0..2 {
            let start = Instant::now();
            let begun = team.method(found, &Inputs::default(), Options::default(), None, telling);
            let mut paths = begun.map_err(|e| e.to_string())?;
            while paths.next_path().is_some() {}
            let time = start.elapsed();
            last = (paths.finish().tally.paths, time);
        }
        Ok(last)
    };
    if jobs == 1 {
        explored(Team::Alone(Box::new(make()?)))
    } else {
        with_workers(jobs, &make, |all| explored(Team::Many(all)))
    }
}
