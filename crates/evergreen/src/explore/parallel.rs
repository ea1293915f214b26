//! Exploration by several threads: the same paths, in the same order, as one finds.
//!
//! Each worker is a thread with a machine and an oracle of its own (states share memory without locks, so they cannot move); the store is
//! one. Whoever has nothing to do asks, and whoever is busy gives its shallowest open subtree away at its next branch
//! [Blumofe JACM'99, work stealing], as data ([`super::Part`]): the cost is the replay of one path. Who works on what, and
//! in which order results are told, is in `parallel/board.rs`; what one worker does in `parallel/worker.rs`; whoever merges is in
//! `parallel/together.rs`.
//!
//! **The same results.** Which arms are feasible does not depend on who asks; the inputs of a path do not either, because the oracle
//! settles them (`settle.rs`); numbers of paths, and which findings get small inputs, are decided by whoever merges. What does depend on the schedule:
//! counters of the reuse layer and of lazy heaps (what is asked twice is found the second time, by whoever asks it), times,
//! and where a bound of the whole exploration cuts: with `--paths` the first of them in order are told, whoever found more.
//!
//! **Failures.** A worker that fails, panics, or has a store that must have an answer and has not, stops all; nobody waits for
//! anybody who is gone.

mod board;
mod together;
mod worker;

use super::exploration::Exploration;
use super::inputs::Inputs;
use super::oracle::Trouble;
use super::program::{MethodRef, ProgramError};
use super::run::Run;
use super::tally::Tally;
use super::{Detail, Elsewhere, OldTests, PathEnd, PathLines, Retirement, Retraced};
use crate::Stats;
use board::Board;
use evergreen_explore::{Bound, Options, Summary};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
pub use together::Together;
use worker::{Left, Result as Found};

/// How the paths of a method are told.
#[derive(Clone, Copy, Debug)]
pub struct Telling {
    /// How much is told of each path.
    pub detail: Detail,
    /// Whether the inputs of findings are made small.
    pub shrinks: bool,
    /// Whether public calls are looked for that make the objects of tests.
    pub calls: bool,
    /// How each path is written as a line, if somebody wants lines.
    pub lines: Option<PathLines>,
}

/// What there is to say after the paths of a method.
#[derive(Clone, Debug, Default)]
pub struct Finished {
    /// The counters of the loop.
    pub summary: Summary,
    /// What became of the paths.
    pub tally: Tally,
    /// Arms taken, of arms offered.
    pub arms: (usize, usize),
    /// Old tests that no path has kept, and why.
    pub retired: Vec<(usize, Retirement)>,
}

impl Finished {
    pub(super) fn of(run: &Run<'_>) -> Finished {
        Finished {
            summary: run.summary(),
            tally: run.tally().clone(),
            arms: (run.coverage().taken_arms(), run.coverage().offered_arms()),
            retired: run.retired(),
        }
    }
}

/// Who explores: one machine on this thread, or several on threads of their own.
pub enum Team<'t> {
    /// One.
    Alone(Box<Exploration>),
    /// Several.
    Many(&'t mut Workers),
    /// Others, who have told what they found.
    Elsewhere(Box<Elsewhere>),
}

/// The paths of a method, one after the other.
pub enum Paths<'e> {
    /// Found here.
    Alone(Box<Run<'e>>),
    /// Found by others.
    Many(Box<Together<'e>>),
    /// Found elsewhere, gone again here.
    Retraced(Box<Retraced<'e>>),
}

impl Team<'_> {
    /// Begins to explore a method; old tests show the way if there are some.
    pub fn method(
        &mut self,
        method: &MethodRef,
        inputs: &Inputs,
        options: Options,
        old: Option<OldTests>,
        telling: Telling,
    ) -> Result<Paths<'_>, ProgramError> {
        match self {
            Team::Alone(exploration) => {
                let run = begin(exploration, method, inputs, options, old, telling)?;
                Ok(Paths::Alone(Box::new(run)))
            }
            Team::Many(workers) => {
                let together = workers.method(method, inputs, options, old, telling)?;
                Ok(Paths::Many(Box::new(together)))
            }
            Team::Elsewhere(elsewhere) => elsewhere.method(method, inputs, options, old, telling),
        }
    }

    /// The machine of this thread, if it has one.
    pub fn exploration(&mut self) -> Option<&mut Exploration> {
        match self {
            Team::Alone(exploration) => Some(exploration),
            Team::Many(_) => None,
            Team::Elsewhere(elsewhere) => Some(elsewhere.exploration()),
        }
    }

    /// What went wrong so far.
    pub fn trouble(&self) -> Trouble {
        match self {
            Team::Alone(exploration) => exploration.oracle().trouble().clone(),
            Team::Many(workers) => workers.trouble(),
            Team::Elsewhere(elsewhere) => elsewhere.trouble(),
        }
    }

    /// The counters of the reuse layer, all together; and how many solver processes were started.
    pub fn stats(&self) -> (Stats, u64) {
        match self {
            Team::Alone(exploration) => (exploration.oracle().stats(), exploration.oracle().solver_starts()),
            Team::Many(workers) => workers.stats(),
            Team::Elsewhere(elsewhere) => elsewhere.stats(),
        }
    }
}

/// The run of a method, with what is told of it.
pub(super) fn begin<'e>(
    exploration: &'e mut Exploration,
    method: &MethodRef,
    inputs: &Inputs,
    options: Options,
    old: Option<OldTests>,
    telling: Telling,
) -> Result<Run<'e>, ProgramError> {
    let mut run = match old {
        Some(old) => exploration.seeded(method, inputs, options, old)?,
        None => exploration.method(method, inputs, options)?,
    }
    .telling(telling.detail)
    .writing(telling.lines);
    if !telling.shrinks {
        run = run.without_shrinking();
    }
    if !telling.calls {
        run = run.without_calls();
    }
    Ok(run)
}

impl<'e> Paths<'e> {
    /// The run, if the paths are found here.
    pub fn run(&mut self) -> Option<&mut Run<'e>> {
        match self {
            Paths::Alone(run) => Some(run),
            _ => None,
        }
    }

    /// Has progress told, at most every 100 ms.
    pub fn on_progress(self, tell: impl FnMut(&Summary) + 'static) -> Paths<'e> {
        match self {
            Paths::Alone(run) => Paths::Alone(Box::new(run.on_progress(tell))),
            Paths::Many(together) => Paths::Many(Box::new(together.on_progress(tell))),
            told @ Paths::Retraced(_) => told,
        }
    }

    /// The end of the next path.
    pub fn next_path(&mut self) -> Option<Box<PathEnd>> {
        match self {
            Paths::Alone(run) => run.next_path().map(Box::new),
            Paths::Many(together) => together.next_path(),
            Paths::Retraced(told) => told.next_path().map(Box::new),
        }
    }

    /// Gives the last path back when nobody looks at it any more. Nobody has to, but where other threads explore it costs less than to drop it: its
    /// memory is theirs.
    pub fn give_back(&mut self, path: Box<PathEnd>) {
        match self {
            Paths::Alone(run) => run.give_back(path),
            Paths::Many(together) => together.give_back(path),
            Paths::Retraced(_) => {}
        }
    }

    /// What there is to say after the last one. Paths that were not asked for are not explored.
    pub fn finish(self) -> Finished {
        match self {
            Paths::Alone(run) => Finished::of(&run),
            Paths::Many(together) => together.finish(),
            Paths::Retraced(told) => told.finish(),
        }
    }
}

/// What is to be explored by all.
struct Job {
    method: MethodRef,
    inputs: Inputs,
    options: Options,
    old: Option<OldTests>,
    telling: Telling,
    /// Counters so far, by worker.
    progress: Mutex<Vec<Summary>>,
    /// Exceptions of which enough were told with small inputs.
    enough: Mutex<BTreeMap<super::run::Kind, u32>>,
}

/// What all threads know.
struct Shared {
    state: Mutex<State>,
    /// Something to do, or nothing any more.
    work: Condvar,
    /// Something was told.
    told: Condvar,
    /// How many workers wait for a part that nobody has given away yet.
    wanted: AtomicUsize,
    /// Nobody needs the rest of the job.
    stop: AtomicBool,
    /// Too many results wait.
    is_full: AtomicBool,
}

/// Paths that nobody looks at any more.
#[derive(Default)]
#[expect(clippy::vec_box, reason = "they are dropped, and boxes are what was told")]
struct Used(Vec<Box<PathEnd>>);

#[derive(Default)]
struct State {
    /// The job and its number; numbers grow.
    job: Option<(u64, Arc<Job>)>,
    closed: bool,
    /// None until someone has found out where the paths begin.
    board: Option<Board<super::Part, Found>>,
    /// The bound of the whole exploration that a worker has come to.
    cut: Option<Bound>,
    /// Parts that nobody has explored because of it.
    abandoned: u64,
    /// Workers that wait for a part.
    waiting: usize,
    /// Whether whoever merges sleeps.
    teller_sleeps: bool,
    /// Paths that nobody looks at any more, by the worker that found them. Memory that one thread allocates and another frees costs both of them
    /// far more than the way back.
    used: Vec<Vec<Used>>,
    /// What those who have left the job have to say.
    left: Vec<Left>,
    /// Threads that are there.
    alive: usize,
    /// Why nothing goes on.
    failed: Option<String>,
}

impl State {
    /// Notes how many workers wait for a part that nobody has given away yet.
    fn note_wanted(&self, shared: &Shared) -> usize {
        let offered = if self.waiting == 0 { 0 } else { self.board.as_ref().map_or(0, Board::offered) };
        let wanted = self.waiting.saturating_sub(offered);
        shared.wanted.store(wanted, Ordering::Relaxed);
        wanted
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // Whoever panicked has said so; the counters are only counters.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes whoever merges, if it sleeps: waking somebody who is awake is a system call, too.
    fn wake_teller(&self, mut state: MutexGuard<'_, State>) {
        let sleeps = std::mem::take(&mut state.teller_sleeps);
        // Whoever is woken needs the lock.
        drop(state);
        if sleeps {
            self.told.notify_all();
        }
    }

    /// Ends everything, for a reason; the first one is told.
    fn fail(&self, why: String) {
        self.lock().failed.get_or_insert(why);
        self.stop.store(true, Ordering::Relaxed);
        self.work.notify_all();
        self.told.notify_all();
    }
}

/// Threads that explore.
pub struct Workers {
    shared: Arc<Shared>,
    count: usize,
    jobs: u64,
    /// What each worker's oracle counted, as of its last job.
    counted: BTreeMap<usize, (Stats, u64, Trouble)>,
}

/// Runs `body` with so many threads that explore; `make` makes what each of them needs, on its own thread.
pub fn with_workers<T>(
    count: usize,
    make: &(dyn Fn() -> Result<Exploration, String> + Sync),
    body: impl FnOnce(&mut Workers) -> T,
) -> T {
    let shared = Arc::new(Shared {
        state: Mutex::new(State {
            alive: count,
            used: (0..count).map(|_| Vec::new()).collect(),
            ..State::default()
        }),
        work: Condvar::new(),
        told: Condvar::new(),
        wanted: AtomicUsize::new(0),
        stop: AtomicBool::new(false),
        is_full: AtomicBool::new(false),
    });
    std::thread::scope(|scope| {
        let mut workers = Workers { shared: shared.clone(), count, jobs: 0, counted: BTreeMap::new() };
        for number in 0..count {
            let shared = shared.clone();
            let name = format!("worker {number}");
            let thread = std::thread::Builder::new().name(name).stack_size(worker::STACK);
            let started = thread.spawn_scoped(scope, move || worker::work(&shared, make, number));
            if let Err(e) = started {
                workers.shared.lock().alive -= 1;
                workers.shared.fail(format!("no thread can be started: {e}"));
            }
        }
        // Also if the body panics, the threads have to end, or nobody would come out of here.
        let closing = Closing(&shared);
        let result = body(&mut workers);
        drop(closing);
        result
    })
}

struct Closing<'s>(&'s Shared);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.lock().closed = true;
        self.0.stop.store(true, Ordering::Relaxed);
        self.0.work.notify_all();
    }
}

impl Workers {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.count
    }

    fn method(
        &mut self,
        method: &MethodRef,
        inputs: &Inputs,
        options: Options,
        old: Option<OldTests>,
        telling: Telling,
    ) -> Result<Together<'_>, ProgramError> {
        let job = Arc::new(Job {
            method: method.clone(),
            inputs: inputs.clone(),
            options,
            old,
            telling,
            progress: Mutex::new(vec![Summary::default(); self.count]),
            enough: Mutex::new(BTreeMap::new()),
        });
        self.jobs += 1;
        let mut state = self.shared.lock();
        if let Some(why) = &state.failed {
            return Err(ProgramError(why.clone()));
        }
        self.shared.stop.store(false, Ordering::Relaxed);
        self.shared.wanted.store(0, Ordering::Relaxed);
        self.shared.is_full.store(false, Ordering::Relaxed);
        state.board = None;
        state.cut = None;
        state.abandoned = 0;
        state.left.clear();
        state.job = Some((self.jobs, job.clone()));
        self.shared.work.notify_all();
        // All begin, or none can: the same program, the same method.
        while state.board.is_none() && state.failed.is_none() && state.left.len() < state.alive {
            state = self.shared.told.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let refused = state.left.iter().find_map(|left| left.refused.clone());
        let failed = state.failed.clone();
        drop(state);
        if let Some(why) = refused.or(failed) {
            Together::new(self, job).finish();
            return Err(ProgramError(why));
        }
        Ok(Together::new(self, job))
    }

    fn trouble(&self) -> Trouble {
        let mut all = Trouble::default();
        for (_, _, trouble) in self.counted.values() {
            all.add(trouble);
        }
        if let Some(why) = &self.shared.lock().failed {
            all.error.get_or_insert_with(|| why.clone());
        }
        all
    }

    fn stats(&self) -> (Stats, u64) {
        let mut sum = (Stats::default(), 0);
        for (stats, starts, _) in self.counted.values() {
            sum.0.add_all(stats);
            sum.1 += starts;
        }
        sum
    }
}
