//! The duel: random scripts and walks, answered by the product and by bare solvers. No verdict may differ,
//! every value and model must satisfy its constraints, every core must be unsatisfiable.
//!
//! The path on one screen is [`run`]: jobs are taken in order by a few threads; each has a program, a solver,
//! and either lanes, which are processes of the product that are sent the same scripts at once, or an
//! instance of the library. All jobs of an era share a store on disk. The judge is a bare process of the same
//! solver.
//!
//! A job is determined by the seed and its number, and so are the checks that it makes. Which rung answers a
//! check depends on what other processes have recorded by then.

pub mod atom;
pub mod bare;
pub mod bits;
mod case;
mod constraints;
pub mod job;
pub mod judge;
pub mod lane;
pub mod pipe;
pub mod program;
pub mod report;
pub mod script;
pub mod shrink;
pub mod theory;
pub mod walk;

use crate::interrupt;
use evergreen::store::{OpenOptions, Store, open_layers};
use evergreen_host::say;
use job::{Choice, Fighters, Found, Ground, Job};
use lane::{Lane, Place};
use report::{Report, Tally};
use shrink::Run;
use std::fmt::Write as _;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// When a duel ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// After that many checks: the job that reaches them is the last.
    Checks(u64),
    /// After that time.
    Time(Duration),
}

/// How a duel is fought.
#[derive(Clone, Debug)]
pub struct Options {
    /// The seed of everything.
    pub seed: u64,
    /// When it ends.
    pub limit: Limit,
    /// What it is about.
    pub choice: Choice,
    /// The program `evergreen`.
    pub product: PathBuf,
    /// Jobs at once.
    pub threads: usize,
    /// Jobs that share a store on disk; then a new one is begun.
    pub era: u64,
    /// Where scripts that differ are kept; a temporary folder without it.
    pub keep: Option<PathBuf>,
    /// Whether progress is shown on standard error.
    pub progress: Progress,
}

/// Whether progress is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// On a terminal one line, otherwise a line every ten seconds.
    Shown,
    /// Not at all.
    Hidden,
}

/// A store that the jobs of an era share.
struct Era {
    number: u64,
    path: PathBuf,
    opened: Arc<dyn Store>,
}

/// What threads share.
struct Shared {
    next: u64,
    planned: u64,
    era: Option<Arc<Era>>,
    tally: Tally,
    differences: Vec<String>,
    trouble: Option<String>,
}

struct Duel<'o> {
    options: &'o Options,
    folder: &'o Path,
    shared: Mutex<Shared>,
    stop: AtomicBool,
    start: Instant,
}

/// Fights until the limit, a difference or a signal. An error is what keeps it from going on.
pub fn run(options: &Options) -> Result<Report, String> {
    for solver in &options.choice.solvers {
        solver.program()?;
    }
    let folder = tempfile::tempdir().map_err(|e| format!("temporary folder: {e}"))?;
    let shared = Shared {
        next: 0,
        planned: 0,
        era: None,
        tally: Tally::default(),
        differences: Vec::new(),
        trouble: None,
    };
    let duel = Duel {
        options,
        folder: folder.path(),
        shared: Mutex::new(shared),
        stop: AtomicBool::new(false),
        start: Instant::now(),
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..options.threads.max(1)).map(|_| scope.spawn(|| duel.work())).collect();
        duel.watch(|| workers.iter().all(|w| w.is_finished()));
    });
    let shared = duel.shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(trouble) = shared.trouble {
        return Err(trouble);
    }
    Ok(Report {
        seed: options.seed,
        tally: shared.tally,
        elapsed: duel.start.elapsed(),
        differences: shared.differences,
        interrupted: interrupt::is_interrupted(),
    })
}

impl Duel<'_> {
    fn shared(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes jobs and runs them.
    fn work(&self) {
        while let Some((job, era)) = self.take() {
            let folder = self.folder.join(format!("job-{}", job.number));
            let result = self.fight(&job, &era, &folder);
            let _ = std::fs::remove_dir_all(&folder);
            if let Err(trouble) = result {
                self.stop.store(true, Ordering::Relaxed);
                self.shared().trouble.get_or_insert(trouble);
            }
        }
    }

    /// The next job, if there is one.
    fn take(&self) -> Option<(Job, Arc<Era>)> {
        if self.stop.load(Ordering::Relaxed) || interrupt::is_interrupted() {
            return None;
        }
        let mut shared = self.shared();
        match self.options.limit {
            Limit::Checks(checks) if shared.planned >= checks => return None,
            Limit::Time(time) if self.start.elapsed() >= time => return None,
            _ => {}
        }
        // Some numbers have no job: none of the chosen solvers takes the theory.
        let job = (0..64).find_map(|_| {
            let number = shared.next;
            shared.next += 1;
            Job::new(self.options.seed, number, &self.options.choice)
        });
        let Some(job) = job else {
            shared.trouble.get_or_insert("no chosen solver takes a chosen theory".into());
            return None;
        };
        shared.planned += job.checks();
        match self.era(&mut shared, job.number / self.options.era.max(1)) {
            Ok(era) => Some((job, era)),
            Err(trouble) => {
                shared.trouble.get_or_insert(trouble);
                None
            }
        }
    }

    fn era(&self, shared: &mut Shared, number: u64) -> Result<Arc<Era>, String> {
        if let Some(era) = shared.era.as_ref().filter(|e| e.number >= number) {
            return Ok(era.clone());
        }
        let path = self.folder.join(format!("store-{number}"));
        let trouble = |e: evergreen::store::StoreError| e.to_string();
        let text = path.display().to_string();
        let opened =
            open_layers(&[text], &OpenOptions::default(), Arc::new(|_: &str| {})).map_err(trouble)?;
        let era = Arc::new(Era { number, path, opened: Arc::new(opened) });
        shared.era = Some(era.clone());
        Ok(era)
    }

    fn fight(&self, job: &Job, era: &Era, folder: &Path) -> Result<(), String> {
        std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let ground = Ground {
            product: self.options.product.clone(),
            store: era.path.clone(),
            opened: era.opened.clone(),
            folder: folder.to_path_buf(),
        };
        match job::run(job, &ground) {
            Ok((tally, found)) => {
                let mut shared = self.shared();
                shared.tally.add(&tally);
                shared.tally.jobs += 1;
                shared.tally.differences += found.len() as u64;
                let checks = shared.tally.all().checks;
                drop(shared);
                if let Some(first) = found.first() {
                    self.stop.store(true, Ordering::Relaxed);
                    let seconds = self.start.elapsed().as_secs_f64();
                    let text = self.describe(job, first, &ground)?;
                    let text = format!("after {checks} checks and {seconds:.1} s: {text}");
                    self.shared().differences.push(text);
                }
            }
            Err(reason) => {
                let reason =
                    format!("job {} ({}, {}): {reason}", job.number, job.theory.name(), job.solver.name());
                let reason: String = reason.chars().take(1_500).collect();
                self.shared().tally.broken_off.push(reason);
            }
        }
        Ok(())
    }

    /// Shrinks a difference, writes it to a file and says what it is.
    fn describe(&self, job: &Job, found: &Found, ground: &Ground) -> Result<String, String> {
        let keep = self.keep()?;
        let name = format!("seed-{}-job-{}.smt2", self.options.seed, job.number);
        let file = keep.join(&name);
        let Found { difference, lane } = found;
        let mut text = format!(
            "{}: seed {}, job {}, script {}, check {}, theory {}\n",
            difference.kind.words(),
            self.options.seed,
            job.number,
            difference.script,
            difference.check,
            job.theory.name()
        );
        let mut kept = String::new();
        match (&job.fighters, lane) {
            (Fighters::Lanes { lanes, scripts }, Some(lane)) => {
                let (own, scripts) = (*lane, scripts[..=difference.script].to_vec());
                let run = |lane: &Lane| Run { lane: lane.clone(), scripts: scripts.clone() };
                let others = (0..lanes.len()).filter(|&i| i != own).map(|i| run(&lanes[i])).collect();
                let before = vec![others, self.earlier(job)];
                let _ = writeln!(text, "{}", lanes[own]);
                match shrink::shrink(&run(&lanes[own]), &before, ground) {
                    Some(shrunk) => {
                        for (run, sent) in shrunk.runs.iter().zip(&shrunk.texts) {
                            let _ = write!(kept, "; {}\n{sent}", run.lane);
                        }
                        let kind = shrunk.difference.kind.words();
                        let _ = write!(text, "shrunk ({kind}):\n{}", shrunk.difference.detail);
                    }
                    None => {
                        let _ = writeln!(kept, "; {}\n; not reproduced on an empty store", lanes[own]);
                        for script in &scripts {
                            kept.push_str(&script.write(&lanes[own].header(), &[], lanes[own].cores));
                        }
                        text.push_str(
                            "not reproduced on an empty store: it needs what other processes recorded\n",
                        );
                        text.push_str(&difference.detail);
                    }
                }
            }
            (Fighters::Library { front, .. }, _) => {
                let _ = write!(text, "{front}\n{}", difference.detail);
                let _ = write!(kept, "; {front}\n{}", difference.detail);
            }
            (Fighters::Lanes { .. }, None) => text.push_str(&difference.detail),
        }
        std::fs::write(&file, kept).map_err(|e| format!("{}: {e}", file.display()))?;
        let _ = writeln!(text, "kept in {}", file.display());
        Ok(text)
    }

    /// What the earlier jobs of the era asked about the same program in the shared store.
    fn earlier(&self, job: &Job) -> Vec<Run> {
        let first = job.number - job.number % self.options.era.max(1);
        let mut runs = Vec::new();
        for number in first..job.number {
            let Some(other) = Job::new(self.options.seed, number, &self.options.choice) else { continue };
            if let Fighters::Lanes { lanes, scripts } = other.fighters
                && (other.theory, other.about) == (job.theory, job.about)
            {
                let shared = lanes.into_iter().filter(|lane| lane.place == Place::Shared);
                runs.extend(shared.map(|lane| Run { lane, scripts: scripts.clone() }));
            }
        }
        runs
    }

    fn keep(&self) -> Result<PathBuf, String> {
        let default = || std::env::temp_dir().join(format!("evergreen-duel-{}", std::process::id()));
        let keep = self.options.keep.clone().unwrap_or_else(default);
        std::fs::create_dir_all(&keep).map_err(|e| format!("{}: {e}", keep.display()))?;
        Ok(keep)
    }

    /// Shows progress until all is done.
    fn watch(&self, is_done: impl Fn() -> bool) {
        let terminal = std::io::stderr().is_terminal();
        let shown = self.options.progress == Progress::Shown;
        let every = if terminal { Duration::from_millis(500) } else { Duration::from_secs(10) };
        let mut next = Instant::now() + every;
        while !is_done() {
            std::thread::sleep(Duration::from_millis(50));
            if !shown || Instant::now() < next {
                continue;
            }
            next = Instant::now() + every;
            let shared = self.shared();
            let seen = shared.tally.all();
            let seconds = self.start.elapsed().as_secs_f64();
            let line = format!(
                "duel: {:.0} s, {} checks ({:.0} per second), {} sat, {} unsat, {} jobs, {} differences",
                seconds,
                seen.checks,
                seen.checks as f64 / seconds,
                seen.sat,
                seen.unsat,
                shared.tally.jobs,
                shared.tally.differences
            );
            drop(shared);
            if terminal {
                say::watch(&line);
            } else {
                say::note(&line);
            }
        }
        if shown && terminal {
            say::note("");
        }
    }
}
