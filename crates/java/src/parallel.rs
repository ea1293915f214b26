//! Exploration by several threads: the same paths, in the same order, as one finds.
//!
//! Each worker has a thread, a machine and an oracle of its own (states share memory without locks, so they cannot move); the store is
//! one. The first of them is the thread that asks for paths: it explores while it has nothing to tell, so that no more threads are busy than
//! there are workers, and tells what it finds itself at the front without a detour. Whoever has nothing to do asks, and whoever is busy gives its shallowest open subtree away at its next branch
//! [Blumofe JACM'99, work stealing], as data ([`super::Part`]): the cost is the replay of one path. Who works on what, and
//! in which order results are told, is in `parallel/board.rs`; what one worker does in `parallel/worker.rs`; how ends wait for those before
//! them in `parallel/batch.rs`; whoever tells them is in `parallel/together.rs`.
//!
//! **The same results.** Which arms are feasible does not depend on who asks; the inputs of a path do not either, because the oracle
//! settles them (`settle.rs`); numbers of paths, and which findings get small inputs, are decided by whoever tells them. What does depend on the schedule:
//! counters of the reuse layer and of lazy heaps (what is asked twice is found the second time, by whoever asks it), times,
//! and where a bound of the whole exploration cuts: with `--paths` the first of them in order are told, whoever found more.
//!
//! **Failures.** A worker that fails, panics, or has a store that must have an answer and has not, stops all; nobody waits for
//! anybody who is gone.

mod batch;
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
use evergreen::Stats;
use batch::Batch;
use board::Board;
use evergreen_explore::{Bound, Options, Summary};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
pub use together::Together;
use worker::{Hand, Left, caught};

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
    /// How much memory ends may take that wait for those before them.
    room: usize,
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
    /// Too much waits.
    is_full: AtomicBool,
    /// What is next in the order of paths was handed over.
    ready: AtomicBool,
}

#[derive(Default)]
struct State {
    /// The job and its number; numbers grow.
    job: Option<(u64, Arc<Job>)>,
    closed: bool,
    /// None until someone has found out where the paths begin.
    board: Option<Board<super::Part, Batch>>,
    /// The bound of the whole exploration that a worker has come to.
    cut: Option<Bound>,
    /// Parts that nobody has explored because of it.
    abandoned: u64,
    /// Workers that wait for a part.
    waiting: usize,
    /// Whether whoever tells sleeps.
    teller_sleeps: bool,
    /// What those who have left the job have to say.
    left: Vec<Left>,
    /// How many workers there are.
    count: usize,
    /// Those that are not there any more.
    gone: Vec<usize>,
    /// Why nothing goes on.
    failed: Option<String>,
}

impl State {
    /// A worker leaves the job.
    fn leave(&mut self, shared: &Shared, left: Left) {
        if let Some(error) = &left.trouble.error {
            self.failed.get_or_insert_with(|| error.clone());
            shared.stop.store(true, Ordering::Relaxed);
            shared.work.notify_all();
        }
        self.left.push(left);
    }

    /// Whether all workers with threads of their own have left the job.
    fn have_others_left(&self) -> bool {
        let has_left = |number: usize| self.left.iter().any(|left| left.worker == number);
        (0..self.count).all(|number| number == OWN || self.gone.contains(&number) || has_left(number))
    }

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

    /// Wakes whoever tells, if it sleeps: waking somebody who is awake is a system call, too.
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

/// The number of the worker that explores on the thread that asks for paths.
const OWN: usize = 0;
/// How much memory ends may take that wait for those before them, in bytes: as packed, some hundred thousand paths.
const ROOM: usize = 16 << 20;

/// Threads that explore, with the one that has them.
pub struct Workers {
    shared: Arc<Shared>,
    count: usize,
    /// What this thread explores with; nothing if it could not be made.
    own: Option<Exploration>,
    jobs: u64,
    room: usize,
    /// What each worker's oracle counted, as of its last job.
    counted: Counted,
}

type Counted = BTreeMap<usize, (Stats, u64, Trouble)>;

/// Runs `body` with so many threads that explore, of which this is one; `make` makes what each of them needs, on its own thread.
pub fn with_workers<T>(
    count: usize,
    make: &(dyn Fn() -> Result<Exploration, String> + Sync),
    body: impl FnOnce(&mut Workers) -> T,
) -> T {
    let count = count.max(1);
    let shared = Arc::new(Shared {
        state: Mutex::new(State { count, ..State::default() }),
        work: Condvar::new(),
        told: Condvar::new(),
        wanted: AtomicUsize::new(0),
        stop: AtomicBool::new(false),
        is_full: AtomicBool::new(false),
        ready: AtomicBool::new(false),
    });
    std::thread::scope(|scope| {
        for number in (0..count).filter(|number| *number != OWN) {
            let own = shared.clone();
            let name = format!("worker {number}");
            let thread = std::thread::Builder::new().name(name).stack_size(worker::STACK);
            let started = thread.spawn_scoped(scope, move || worker::work(&own, make, number));
            if let Err(e) = started {
                shared.lock().gone.push(number);
                shared.fail(format!("no thread can be started: {e}"));
            }
        }
        // Also if the body panics, the threads have to end, or nobody would come out of here.
        let closing = Closing(&shared);
        let own = caught(make).map_err(|why| shared.fail(why)).ok();
        let shared = shared.clone();
        let mut workers = Workers { shared, count, own, jobs: 0, room: ROOM, counted: BTreeMap::new() };
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

    /// Lets ends that wait for those before them take so many bytes from the next method on, more or less. If they would take more, whoever is far ahead
    /// puts its work off.
    pub fn set_room(&mut self, bytes: usize) {
        self.room = bytes;
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
            room: self.room,
            progress: Mutex::new(vec![Summary::default(); self.count]),
            enough: Mutex::new(BTreeMap::new()),
        });
        self.jobs += 1;
        let Workers { shared, own, counted, jobs, .. } = self;
        let mut state = shared.lock();
        if let Some(why) = &state.failed {
            return Err(ProgramError(why.clone()));
        }
        let Some(own) = own else { return Err(ProgramError("nobody explores".into())) };
        shared.stop.store(false, Ordering::Relaxed);
        shared.wanted.store(0, Ordering::Relaxed);
        shared.is_full.store(false, Ordering::Relaxed);
        shared.ready.store(false, Ordering::Relaxed);
        state.board = None;
        state.cut = None;
        state.abandoned = 0;
        state.left.clear();
        state.job = Some((*jobs, job.clone()));
        shared.work.notify_all();
        drop(state);
        let ticks = Rc::new(Cell::new(false));
        let ticked = ticks.clone();
        let begun = caught(|| Ok(Hand::begin(shared, own, &job, OWN, move || ticked.set(true))));
        let together = Together::new(shared.clone(), counted, job, ticks);
        // All begin, or none can: the same program, the same method.
        match begun {
            Ok(Ok(hand)) => Ok(together.exploring(hand)),
            Ok(Err(left)) => {
                let why = left.refused.clone().unwrap_or_default();
                shared.lock().leave(shared, *left);
                together.finish();
                Err(ProgramError(why))
            }
            Err(why) => {
                shared.fail(why.clone());
                together.finish();
                Err(ProgramError(why))
            }
        }
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
