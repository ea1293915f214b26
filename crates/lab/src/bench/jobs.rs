//! `evergreen-lab bench jobs`: paths per second with one thread, two, and so on, on methods with many paths.
//!
//! Wall time of exploring alone: javac and the start of the machines are not counted (each explores a few
//! paths before), and tests are not replayed. That every number of threads finds as many paths is checked.
//!
//! What the machine could do is measured beside it: as many explorations at once that share nothing, each of
//! the whole method. Two cores of a busy or a virtual machine are not two machines, and no program gains more
//! than these do. Rounds take turns (1, 2, both apart, 1, 2, ...), so that what else goes on meets all of
//! them.

use super::write_sources;
use crate::flags::JobsBench;
use evergreen::store::{Memory, Store};
use evergreen::{Evergreen, Reuse};
use evergreen_java::classfile::find_jdk;
use evergreen_java::symbolic::Ints;
use evergreen_java::{
    Detail, Exploration, Inputs, JavaFrontend, Opened, Options, Program, Team, Telling, jvm, with_workers,
};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant};

const SOURCES: [(&str, &str); 9] = [
    ("Jobs.java", include_str!("Jobs.java")),
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
const METHODS: [&str; 4] = ["Jobs.tree", "Jobs.list", "Jobs.brakes", "Jobs.advice"];
/// Paths that are explored before anything is measured.
const WARM_UP: u64 = 200;

/// Runs the benchmark.
pub(super) fn run(flags: &JobsBench, as_json: bool) -> Result<ExitCode, String> {
    let folder = tempfile::env::temp_dir().join(format!("evergreen-jobs-{}", std::process::id()));
    let done = write_sources(&folder, &SOURCES).and_then(|files| measure(flags, &files, as_json));
    let _ = std::fs::remove_dir_all(&folder);
    done.map(|()| ExitCode::SUCCESS)
}

/// The best times of a method, by number of threads from 1 on.
struct Times {
    paths: u64,
    together: Vec<Duration>,
    /// As many explorations at once that share nothing.
    apart: Vec<Duration>,
}

impl Times {
    /// How many times as many paths a second as one thread.
    fn speed_up(&self, jobs: usize) -> f64 {
        seconds(self.together[0]) / seconds(self.together[jobs - 1])
    }

    /// The same of explorations that share nothing.
    fn ceiling(&self, jobs: usize) -> f64 {
        jobs as f64 * seconds(self.together[0]) / seconds(self.apart[jobs - 1])
    }
}

fn seconds(time: Duration) -> f64 {
    time.as_secs_f64().max(1e-9)
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
        let times = best(flags.rounds, &opened, method, most)?;
        for jobs in 1..=most {
            let rate = times.paths as f64 / seconds(times.together[jobs - 1]);
            let (speed_up, ceiling) = (times.speed_up(jobs), times.ceiling(jobs));
            let time_ms = seconds(times.together[jobs - 1]) * 1e3;
            if as_json {
                all.push(json!({
                    "method": method, "jobs": jobs, "paths": times.paths, "time_ms": time_ms,
                    "per_second": rate,
                    "speed_up": speed_up, "apart": ceiling, "reached": speed_up / ceiling,
                }));
            } else {
                let mut line = format!(
                    "{method:<14}{jobs:>3} threads{:>8} paths{time_ms:>8.0} ms{rate:>10.0} /s",
                    times.paths
                );
                if jobs > 1 {
                    line += &format!(
                        "{speed_up:>7.2} times; sharing nothing{ceiling:>6.2} times; reached{:>4.0}%",
                        100.0 * speed_up / ceiling
                    );
                }
                crate::say::say(&line);
            }
        }
    }
    if as_json {
        crate::say::say(&json!({ "cores": cores, "load": load, "runs": all }).to_string());
    }
    Ok(())
}

/// The paths of a method, and the shortest times that they took.
fn best(rounds: u16, opened: &Opened, method: &str, most: usize) -> Result<Times, String> {
    let longest = vec![Duration::MAX; most];
    let mut best = Times { paths: 0, together: longest.clone(), apart: longest };
    for round in 0..rounds.max(1) {
        for jobs in 1..=most {
            let (paths, time) = together(opened, method, jobs)?;
            if (round, jobs) == (0, 1) {
                best.paths = paths;
            }
            if paths != best.paths {
                return Err(format!("{method}: {paths} paths with {jobs} threads, {} with one", best.paths));
            }
            best.together[jobs - 1] = best.together[jobs - 1].min(time);
            let time = if jobs == 1 { time } else { apart(opened, method, jobs)? };
            best.apart[jobs - 1] = best.apart[jobs - 1].min(time);
        }
    }
    Ok(best)
}

fn exploration(opened: &Opened, store: &Arc<dyn Store>) -> Result<Exploration, String> {
    let program = opened.open().map_err(|e| e.to_string())?;
    let store = store.clone();
    let make = move || Evergreen::builder().with_store(store.clone()).reuse(Reuse::Full).build();
    JavaFrontend::explore(program, Ints::Wrapped, jvm::Options::default(), Box::new(make))
        .map_err(|e| e.to_string())
}

fn memory() -> Arc<dyn Store> {
    Arc::new(Memory::new(1 << 28))
}

/// Explores a method: its paths, and the time.
fn explored(
    opened: &Opened,
    team: &mut Team<'_>,
    method: &str,
    most: Option<u64>,
) -> Result<(u64, Duration), String> {
    let program = opened.open().map_err(|e| e.to_string())?;
    let methods = program.methods(Some(method)).map_err(|e| e.to_string())?;
    let found = methods.first().ok_or_else(|| format!("no method {method}"))?;
    let telling = Telling { detail: Detail::Brief, shrinks: false, calls: false, lines: None, walks: 0 };
    let mut options = Options::default();
    options.bounds.paths = most;
    let start = Instant::now();
    let begun = team.entry(found, &Inputs::default(), options, None, telling);
    let mut paths = begun.map_err(|e| e.to_string())?;
    while let Some(path) = paths.next_path() {
        paths.give_back(path);
    }
    let time = start.elapsed();
    Ok((paths.finish().tally.paths, time))
}

/// With so many threads.
fn together(opened: &Opened, method: &str, jobs: usize) -> Result<(u64, Duration), String> {
    let store = memory();
    let make = || exploration(opened, &store);
    let run = |mut team: Team<'_>| {
        explored(opened, &mut team, method, Some(WARM_UP))?;
        explored(opened, &mut team, method, None)
    };
    if jobs == 1 {
        run(Team::Alone(Box::new(make()?)))
    } else {
        with_workers(jobs, &make, |all| run(Team::Many(all)))
    }
}

/// So many at once, each of the whole method: from the start of all to the end of the last.
fn apart(opened: &Opened, method: &str, jobs: usize) -> Result<Duration, String> {
    let begin = Barrier::new(jobs);
    let one = || {
        let made = exploration(opened, &memory()).and_then(|exploration| {
            let mut team = Team::Alone(Box::new(exploration));
            explored(opened, &mut team, method, Some(WARM_UP)).map(|_| team)
        });
        // A thread that failed comes here, too; the others would wait for it.
        begin.wait();
        let start = Instant::now();
        explored(opened, &mut made?, method, None).map(|_| (start, Instant::now()))
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..jobs).map(|_| scope.spawn(one)).collect();
        let (mut first, mut last): (Option<Instant>, Option<Instant>) = (None, None);
        for thread in threads {
            let (start, end) = thread.join().map_err(|_| "an exploration panicked".to_string())??;
            first = Some(first.map_or(start, |first| first.min(start)));
            last = last.max(Some(end));
        }
        Ok(first.zip(last).map_or(Duration::ZERO, |(first, last)| last - first))
    })
}
