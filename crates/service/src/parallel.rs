//! Exploration by several threads: the same paths, in the same order, as one finds.
//!
//! Each worker has a thread, a machine and an oracle of its own (states share memory without locks, so they
//! cannot move between threads); all workers share the store. The first worker runs on the reporting thread,
//! the one that asks for paths. It explores while it has nothing to report, so that no more threads are busy
//! than there are workers, and it reports what it finds itself at the front directly. An idle worker asks for
//! work, and a busy worker gives its shallowest open subtree away at its next branch [Blumofe JACM'99, work
//! stealing], as data ([`super::Part`]): the cost is the replay of one path. `parallel/board.rs` assigns
//! parts to workers and orders the results; `parallel/worker.rs` is one worker; `parallel/batch.rs` holds
//! ends that wait for those before them; `parallel/together.rs` reports them.
//!
//! **The same results.** Which arms are feasible does not depend on the worker that asks; nor do the inputs
//! of a path, because the oracle settles them (`settle.rs`). The reporting thread decides the numbers of
//! paths, and which findings get small inputs. What does depend on the schedule: counters of the reuse layer
//! and of lazy heaps (a question that is asked twice is a hit the second time, whichever worker asks it),
//! times, and where a bound of the whole exploration cuts: `--paths` reports the first paths in order, even
//! if the workers found more.
//!
//! **Failures.** A worker that fails, panics, or lacks an answer that its store must have, stops all workers;
//! no thread waits for one that has ended.

mod batch;
mod board;
mod together;
mod worker;

use crate::exploration::{EntryOf, InputsOf};
use crate::run::Kind;
use crate::{
    Detail, Elsewhere, Exploration, Frontend, Language, OldTests, Part, PathEnd, PathLines, ProgramError,
    Retirement, Retraced, Run, Tally,
};
use batch::Batch;
use board::Board;
use evergreen::Stats;
use evergreen_deciding::Trouble;
use evergreen_explore::{Bound, Options, Summary};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
pub use together::Together;
use worker::{Hand, Left, caught};

/// How the paths of a method are reported.
#[derive(Debug)]
pub struct Telling<L: Language> {
    /// How much is reported of each path.
    pub detail: Detail,
    /// Whether the inputs of findings are made small.
    pub shrinks: bool,
    /// Whether public calls are looked for that make the objects of tests.
    pub calls: bool,
    /// How each path is written as a line, if the caller wants lines.
    pub lines: Option<PathLines<L>>,
    /// How many random walks there are at most, for arms that no path takes. Only where one machine explores
    /// the whole entry, without old tests.
    pub walks: u32,
}

impl<L: Language> Clone for Telling<L> {
    fn clone(&self) -> Telling<L> {
        *self
    }
}

impl<L: Language> Copy for Telling<L> {}

impl<L: Language> Default for Telling<L> {
    fn default() -> Telling<L> {
        Telling { detail: Detail::Full, shrinks: true, calls: true, lines: None, walks: 0 }
    }
}

/// The summary after the paths of a method.
#[derive(Clone, Debug)]
pub struct Finished<L: Language> {
    /// The counters of the loop.
    pub summary: Summary,
    /// What became of the paths.
    pub tally: Tally<L>,
    /// Arms taken, of arms offered.
    pub arms: (usize, usize),
    /// Old tests that no path has kept, and why.
    pub retired: Vec<(usize, Retirement)>,
}

impl<L: Language> Default for Finished<L> {
    fn default() -> Finished<L> {
        Finished { summary: Summary::default(), tally: Tally::default(), arms: (0, 0), retired: Vec::new() }
    }
}

impl<L: Language> Finished<L> {
    /// Whether there is no path although nothing was cut, left out or lost: then no input fits.
    pub fn is_empty(&self) -> bool {
        let Finished { summary, tally, .. } = self;
        let nothing_lost = tally.unsupported + tally.doubtful + tally.disagrees + summary.out_of_range == 0;
        tally.paths == 0 && nothing_lost && tally.cut.is_empty() && summary.is_complete()
    }

    pub(crate) fn of<F: Frontend<Language = L>>(run: &Run<'_, F>) -> Finished<L> {
        Finished {
            summary: run.summary(),
            tally: run.tally().clone(),
            arms: (run.coverage().taken_arms(), run.coverage().offered_arms()),
            retired: run.retired(),
        }
    }
}

/// The machines that explore: one on this thread, or several on threads of their own.
pub enum Team<'t, F: Frontend> {
    /// One.
    Alone(Box<Exploration<F>>),
    /// Several.
    Many(&'t mut Workers<F>),
    /// Remote workers, which have reported what they found.
    Elsewhere(Box<Elsewhere<F>>),
}

/// The paths of a method, one after the other.
pub enum Paths<'e, F: Frontend> {
    /// Found here.
    Alone(Box<Run<'e, F>>),
    /// Found by several threads.
    Many(Box<Together<'e, F>>),
    /// Found by remote workers, retraced here.
    Retraced(Box<Retraced<'e, F>>),
}

impl<F: Frontend> Team<'_, F> {
    /// Begins to explore a method; old tests show the way if there are some.
    pub fn entry(
        &mut self,
        entry: &EntryOf<F>,
        inputs: &InputsOf<F>,
        options: Options,
        old: Option<OldTests<F::Language>>,
        telling: Telling<F::Language>,
    ) -> Result<Paths<'_, F>, ProgramError> {
        match self {
            Team::Alone(exploration) => {
                let run = begin(exploration, entry, inputs, options, old, telling)?;
                Ok(Paths::Alone(Box::new(run.walking(telling.walks))))
            }
            Team::Many(workers) => {
                let together = workers.entry(entry, inputs, options, old, telling)?;
                Ok(Paths::Many(Box::new(together)))
            }
            Team::Elsewhere(elsewhere) => elsewhere.entry(entry, inputs, options, old, telling),
        }
    }

    /// The machine of this thread, if it has one.
    pub fn exploration(&mut self) -> Option<&mut Exploration<F>> {
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

/// The run of a method, with the settings of its report.
pub(crate) fn begin<'e, F: Frontend>(
    exploration: &'e mut Exploration<F>,
    entry: &EntryOf<F>,
    inputs: &InputsOf<F>,
    options: Options,
    old: Option<OldTests<F::Language>>,
    telling: Telling<F::Language>,
) -> Result<Run<'e, F>, ProgramError> {
    let mut run = match old {
        Some(old) => exploration.seeded(entry, inputs, options, old)?,
        None => exploration.entry(entry, inputs, options)?,
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

impl<'e, F: Frontend> Paths<'e, F> {
    /// The run, if the paths are found here.
    pub fn run(&mut self) -> Option<&mut Run<'e, F>> {
        match self {
            Paths::Alone(run) => Some(run),
            _ => None,
        }
    }

    /// Sets the callback for progress, called at most every 100 ms.
    pub fn on_progress(self, progress: impl FnMut(&Summary) + 'static) -> Paths<'e, F> {
        match self {
            Paths::Alone(run) => Paths::Alone(Box::new(run.on_progress(progress))),
            Paths::Many(together) => Paths::Many(Box::new(together.on_progress(progress))),
            retraced @ Paths::Retraced(_) => retraced,
        }
    }

    /// The end of the next path.
    pub fn next_path(&mut self) -> Option<Box<PathEnd<F::Language>>> {
        match self {
            Paths::Alone(run) => run.next_path().map(Box::new),
            Paths::Many(together) => together.next_path(),
            Paths::Retraced(retraced) => retraced.next_path().map(Box::new),
        }
    }

    /// Gives the last path back once the caller has consumed it. This is optional, but where other threads
    /// explore it is cheaper than a drop: the memory belongs to them.
    pub fn give_back(&mut self, path: Box<PathEnd<F::Language>>) {
        match self {
            Paths::Alone(run) => run.give_back(path),
            Paths::Many(together) => together.give_back(path),
            Paths::Retraced(_) => {}
        }
    }

    /// The summary after the last path. Paths that were not asked for are not explored.
    pub fn finish(self) -> Finished<F::Language> {
        match self {
            Paths::Alone(run) => Finished::of(&run),
            Paths::Many(together) => together.finish(),
            Paths::Retraced(retraced) => retraced.finish(),
        }
    }
}

/// What is to be explored by all.
struct Job<L: Language> {
    entry: L::Entry,
    inputs: L::Inputs,
    options: Options,
    old: Option<OldTests<L>>,
    telling: Telling<L>,
    /// How much memory ends may take that wait for those before them.
    room: usize,
    /// Counters so far, by worker.
    progress: Mutex<Vec<Summary>>,
    /// Exceptions of which enough were reported with small inputs.
    enough: Mutex<BTreeMap<Kind, u32>>,
}

/// What all threads know.
struct Shared<L: Language> {
    state: Mutex<State<L>>,
    /// Signals that there is work, or that none is left.
    work: Condvar,
    /// Signals that something was reported.
    reported: Condvar,
    /// How many workers wait for a part that no worker has given away yet.
    wanted: AtomicUsize,
    /// The rest of the job is not needed.
    stop: AtomicBool,
    /// Too much waits.
    is_full: AtomicBool,
    /// What is next in the order of paths was handed over.
    ready: AtomicBool,
}

struct State<L: Language> {
    /// The job and its number; numbers grow.
    job: Option<(u64, Arc<Job<L>>)>,
    closed: bool,
    /// `None` until a worker has found out where the paths begin.
    board: Option<Board<Part, Batch<L>>>,
    /// The bound of the whole exploration that a worker has come to.
    cut: Option<Bound>,
    /// Parts that were left unexplored because of it.
    abandoned: u64,
    /// Workers that wait for a part.
    waiting: usize,
    /// Whether the reporting thread sleeps.
    reporter_sleeps: bool,
    /// The summaries of workers that have left the job.
    left: Vec<Left<L>>,
    /// How many workers there are.
    count: usize,
    /// Those that are not there any more.
    gone: Vec<usize>,
    /// Why the work stopped.
    failed: Option<String>,
}

impl<L: Language> State<L> {
    /// Of so many workers, without a job.
    fn new(count: usize) -> State<L> {
        State {
            job: None,
            closed: false,
            board: None,
            cut: None,
            abandoned: 0,
            waiting: 0,
            reporter_sleeps: false,
            left: Vec::new(),
            count,
            gone: Vec::new(),
            failed: None,
        }
    }

    /// A worker leaves the job.
    fn leave(&mut self, shared: &Shared<L>, left: Left<L>) {
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

    /// Notes how many workers wait for a part that no worker has given away yet.
    fn note_wanted(&self, shared: &Shared<L>) -> usize {
        let offered = if self.waiting == 0 { 0 } else { self.board.as_ref().map_or(0, Board::offered) };
        let wanted = self.waiting.saturating_sub(offered);
        shared.wanted.store(wanted, Ordering::Relaxed);
        wanted
    }
}

impl<L: Language> Shared<L> {
    fn lock(&self) -> MutexGuard<'_, State<L>> {
        // The thread that panicked has reported it; the counters are only counters.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes the reporting thread, but only if it sleeps: waking a running thread costs a system call, too.
    fn wake_reporter(&self, mut state: MutexGuard<'_, State<L>>) {
        let sleeps = std::mem::take(&mut state.reporter_sleeps);
        // The woken thread needs the lock.
        drop(state);
        if sleeps {
            self.reported.notify_all();
        }
    }

    /// Ends everything, for a reason; only the first reason is reported.
    fn fail(&self, why: String) {
        self.lock().failed.get_or_insert(why);
        self.stop.store(true, Ordering::Relaxed);
        self.work.notify_all();
        self.reported.notify_all();
    }
}

/// The number of the worker that explores on the thread that asks for paths.
const OWN: usize = 0;
/// How much memory ends may take that wait for those before them, in bytes: as packed, some hundred thousand
/// paths.
const ROOM: usize = 16 << 20;

/// Threads that explore, with the one that has them.
pub struct Workers<F: Frontend> {
    shared: Arc<Shared<F::Language>>,
    count: usize,
    /// The exploration of this thread; `None` if it could not be made.
    own: Option<Exploration<F>>,
    jobs: u64,
    room: usize,
    /// What each worker's oracle counted, as of its last job.
    counted: Counted,
}

type Counted = BTreeMap<usize, (Stats, u64, Trouble)>;

/// Runs `body` with so many threads that explore, of which this is one; `make` makes what each of them needs,
/// on its own thread.
pub fn with_workers<F: Frontend, T>(
    count: usize,
    make: &(dyn Fn() -> Result<Exploration<F>, String> + Sync),
    body: impl FnOnce(&mut Workers<F>) -> T,
) -> T {
    let count = count.max(1);
    let shared = Arc::new(Shared {
        state: Mutex::new(State::new(count)),
        work: Condvar::new(),
        reported: Condvar::new(),
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
        // The threads have to end even if the body panics, or the scope would never return.
        let closing = Closing(&shared);
        let own = caught(make).map_err(|why| shared.fail(why)).ok();
        let shared = shared.clone();
        let mut workers = Workers { shared, count, own, jobs: 0, room: ROOM, counted: BTreeMap::new() };
        let result = body(&mut workers);
        drop(closing);
        result
    })
}

struct Closing<'s, L: Language>(&'s Shared<L>);

impl<L: Language> Drop for Closing<'_, L> {
    fn drop(&mut self) {
        self.0.lock().closed = true;
        self.0.stop.store(true, Ordering::Relaxed);
        self.0.work.notify_all();
    }
}

impl<F: Frontend> Workers<F> {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Lets ends that wait for those before them take about this many bytes, from the next method on. If they
    /// would take more, the workers that are far ahead park their work.
    pub fn set_room(&mut self, bytes: usize) {
        self.room = bytes;
    }

    fn entry(
        &mut self,
        entry: &EntryOf<F>,
        inputs: &InputsOf<F>,
        options: Options,
        old: Option<OldTests<F::Language>>,
        telling: Telling<F::Language>,
    ) -> Result<Together<'_, F>, ProgramError> {
        let job = Arc::new(Job {
            entry: entry.clone(),
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
        let Some(own) = own else { return Err(ProgramError("no worker explores".into())) };
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
