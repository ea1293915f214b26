//! Write-behind: puts wait in a bounded map until one thread writes them in batches.
//!
//! Shared by the disk (an fsync per record would cost 0.7 ms) and Redis (a round trip per record).
//! Waiting entries are visible to [`WriteBehind::peek`], so the process reads its own writes. The entries
//! of a failed batch return to the queue; the writer retries with growing pauses. When the queue is full
//! of such entries, puts fail.
//!
//! Callers do not wait for a sink that other processes block: flushing fails, and on drop the writer's thread
//! is not joined. A sink with a journal beside the queue loses nothing by that.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::memory::lock;
use crate::{Bucket, Bytes, DigestMap, ErrorKind, Key, Origin, StoreError};

/// Entries that wait, or are being written, ordered by key: the members of one bucket are found without a
/// scan of all entries, and a tree is written in key order, which is cheapest.
pub(crate) type Batch = BTreeMap<Key, Item>;

/// A value that waits, and where it came from.
pub(crate) type Item = (Bytes, Origin);

/// Where batches go.
pub(crate) trait Sink: Send + Sync + 'static {
    /// The place, for messages.
    fn place(&self) -> String;
    /// Called before each batch is taken from the queue; batches never overlap.
    fn before_batch(&self) {}
    /// Writes a batch. After an error the whole batch is offered again.
    fn write(&self, batch: &Batch) -> Result<(), StoreError>;
    /// Whether a batch has waited for other processes beyond all patience.
    fn is_stuck(&self) -> bool {
        false
    }
}

/// The behaviour of a put when the queue is full although the sink works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WhenFull {
    Wait,
    Fail,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    /// A batch is written when it has this many entries or bytes, or when its oldest entry is this old.
    pub batch_entries: usize,
    pub batch_bytes: usize,
    pub delay: Duration,
    /// The queue's bound.
    pub queue_bytes: usize,
    pub when_full: WhenFull,
    /// How long a flush and the last write at the end may take; `None` waits as long
    /// as the sink is not stuck.
    pub patience: Option<Duration>,
    /// The first pause after a failure; it doubles up to thirty times that.
    pub retry: Duration,
}

pub(crate) struct WriteBehind<S: Sink> {
    shared: Arc<Shared<S>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

struct Shared<S> {
    sink: Arc<S>,
    bounds: Bounds,
    state: Mutex<State>,
    /// Held during a pass: where no thread can be started, several callers may want to write.
    pass: Mutex<()>,
    /// Wakes the writer.
    work: Condvar,
    /// Wakes threads that wait for the writer.
    done: Condvar,
}

struct State {
    pending: Batch,
    pending_bytes: usize,
    oldest: Instant,
    writing: Arc<Batch>,
    /// Flushes are numbered: asked for, and served by a pass that began after they were asked for.
    flush_asked: u64,
    flush_served: u64,
    last: Result<(), StoreError>,
    pause: Duration,
    retry_at: Option<Instant>,
    closing: bool,
    finished: bool,
}

/// The bytes of an entry in the queue beside its value.
const ENTRY_OVERHEAD_BYTES: usize = 96;

/// The interval at which waiting threads check whether the sink is stuck.
const GLANCE: Duration = Duration::from_millis(50);

impl<S: Sink> WriteBehind<S> {
    pub(crate) fn new(sink: Arc<S>, bounds: Bounds) -> WriteBehind<S> {
        let state = State {
            pending: Batch::new(),
            pending_bytes: 0,
            oldest: Instant::now(),
            writing: Arc::default(),
            flush_asked: 0,
            flush_served: 0,
            last: Ok(()),
            pause: bounds.retry,
            retry_at: None,
            closing: false,
            finished: false,
        };
        let shared = Shared {
            sink,
            bounds,
            state: Mutex::new(state),
            pass: Mutex::new(()),
            work: Condvar::new(),
            done: Condvar::new(),
        };
        WriteBehind { shared: Arc::new(shared), thread: Mutex::new(None) }
    }

    /// The value that waits for a key.
    pub(crate) fn peek(&self, key: &Key) -> Option<Item> {
        let state = lock(&self.shared.state);
        state.pending.get(key).or_else(|| state.writing.get(key)).cloned()
    }

    /// The members of a bucket that wait.
    pub(crate) fn waiting_in(&self, bucket: &Bucket) -> DigestMap<Item> {
        let state = lock(&self.shared.state);
        let members = bucket.key(&[0; 16])..=bucket.key(&[0xff; 16]);
        let older = state.writing.range(members.clone()).filter(|(key, _)| !state.pending.contains_key(key));
        let newer = state.pending.range(members);
        older.chain(newer).map(|(key, item)| (*key, item.clone())).collect()
    }

    /// Everything that waits.
    pub(crate) fn waiting(&self) -> DigestMap<Item> {
        let state = lock(&self.shared.state);
        let all = state.writing.iter().chain(&state.pending);
        all.map(|(key, item)| (*key, item.clone())).collect()
    }

    /// Queues an entry. An imported entry does not replace one that was found here.
    pub(crate) fn put(&self, key: Key, value: Bytes, origin: Origin) -> Result<(), StoreError> {
        let threaded = self.ensure_thread();
        let shared = &*self.shared;
        let cost = value.len() + ENTRY_OVERHEAD_BYTES;
        let mut state = lock(&shared.state);
        while !state.pending.is_empty() && state.pending_bytes + cost > shared.bounds.queue_bytes {
            if let Err(error) = &state.last {
                return Err(error.clone());
            }
            if shared.sink.is_stuck() {
                return Err(shared.stuck());
            }
            if !threaded {
                drop(state);
                shared.pass();
                state = lock(&shared.state);
            } else if shared.bounds.when_full == WhenFull::Wait {
                shared.work.notify_one();
                state = wait(&shared.done, state, GLANCE);
            } else {
                let error = StoreError::new(
                    ErrorKind::Bound,
                    shared.sink.place(),
                    "too many entries wait to be sent",
                );
                return Err(error);
            }
        }
        if state.pending.is_empty() {
            state.oldest = Instant::now();
            shared.work.notify_one();
        }
        state.add(key, (value, origin));
        if shared.is_full(&state) {
            shared.work.notify_one();
        }
        Ok(())
    }

    /// Drops waiting keys and returns those that were waiting. On return none of them is being written,
    /// unless the sink is stuck.
    pub(crate) fn forget(&self, keys: &[Key]) -> Vec<Key> {
        let mut state = lock(&self.shared.state);
        let mut found = Vec::new();
        loop {
            for key in keys {
                if let Some((old, _)) = state.pending.remove(key) {
                    state.pending_bytes -= old.len() + ENTRY_OVERHEAD_BYTES;
                    found.push(*key);
                }
            }
            if !keys.iter().any(|key| state.writing.contains_key(key)) {
                break;
            }
            found.extend(keys.iter().filter(|key| state.writing.contains_key(key)));
            if self.shared.sink.is_stuck() {
                // The removal that follows fails as well, and reports it.
                break;
            }
            state = wait(&self.shared.done, state, GLANCE);
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Writes the waiting entries now. With `always`, the sink is called even when none waits.
    pub(crate) fn flush(&self, always: bool) -> Result<(), StoreError> {
        let shared = &*self.shared;
        let mut state = lock(&shared.state);
        if state.pending.is_empty() && state.writing.is_empty() && !always {
            return Ok(());
        }
        state.flush_asked += 1;
        let ticket = state.flush_asked;
        drop(state);
        if !self.ensure_thread() {
            shared.pass();
        }
        shared.work.notify_one();
        let deadline = shared.bounds.patience.map(|patience| Instant::now() + patience);
        let mut state = lock(&shared.state);
        while state.flush_served < ticket {
            if shared.sink.is_stuck() {
                return Err(shared.stuck());
            }
            let left = match deadline {
                None => GLANCE,
                Some(deadline) => deadline.saturating_duration_since(Instant::now()),
            };
            if left.is_zero() {
                let error = StoreError::new(
                    ErrorKind::Unreachable,
                    shared.sink.place(),
                    "not everything was sent in time",
                );
                return Err(error);
            }
            state = wait(&shared.done, state, left);
        }
        state.last.clone()
    }

    /// Starts the writer if it does not run. Where no thread can be started (limits), the caller writes.
    fn ensure_thread(&self) -> bool {
        let mut thread = lock(&self.thread);
        if thread.is_none() {
            let shared = self.shared.clone();
            let builder =
                std::thread::Builder::new().name(String::from("evergreen-store")).stack_size(512 << 10);
            *thread = builder.spawn(move || shared.run()).ok();
        }
        thread.is_some()
    }
}

impl State {
    /// Adds an entry, unless a better one waits.
    fn add(&mut self, key: Key, (value, origin): Item) {
        let old = self.pending.get(&key);
        if old.is_some_and(|(_, was)| !origin.may_replace(*was)) {
            return;
        }
        self.pending_bytes += value.len() + ENTRY_OVERHEAD_BYTES;
        if let Some((old, _)) = self.pending.insert(key, (value, origin)) {
            self.pending_bytes -= old.len() + ENTRY_OVERHEAD_BYTES;
        }
    }
}

impl<S: Sink> Shared<S> {
    fn stuck(&self) -> StoreError {
        StoreError::new(ErrorKind::Busy, self.sink.place(), "another process is writing and does not finish")
    }

    fn is_full(&self, state: &State) -> bool {
        state.pending.len() >= self.bounds.batch_entries || state.pending_bytes >= self.bounds.batch_bytes
    }

    /// The writer's life.
    fn run(&self) {
        loop {
            let mut state = lock(&self.state);
            loop {
                if state.closing || state.flush_asked > state.flush_served {
                    break;
                }
                let now = Instant::now();
                let mut due = match (state.pending.is_empty(), self.is_full(&state)) {
                    (true, _) => None,
                    (_, true) => Some(now),
                    (_, false) => Some(state.oldest + self.bounds.delay),
                };
                if let (Some(due), Some(retry_at)) = (&mut due, state.retry_at) {
                    *due = retry_at.max(*due);
                }
                match due {
                    None => state = self.work.wait(state).unwrap_or_else(PoisonError::into_inner),
                    Some(due) if due <= now => break,
                    Some(due) => state = wait(&self.work, state, due - now),
                }
            }
            let closing = state.closing;
            drop(state);
            self.pass();
            if closing {
                lock(&self.state).finished = true;
                self.done.notify_all();
                return;
            }
        }
    }

    /// Writes everything that waits, once.
    fn pass(&self) {
        let _alone = lock(&self.pass);
        self.sink.before_batch();
        let mut state = lock(&self.state);
        let asked = state.flush_asked;
        let batch = Arc::new(std::mem::take(&mut state.pending));
        state.pending_bytes = 0;
        state.writing = batch.clone();
        drop(state);
        let result = self.sink.write(&batch);
        let mut state = lock(&self.state);
        state.writing = Arc::default();
        match &result {
            Ok(()) => {
                state.pause = self.bounds.retry;
                state.retry_at = None;
            }
            Err(_) => {
                for (key, item) in batch.iter() {
                    // A newer value that was put meanwhile wins, unless it is imported and this one is not.
                    let newer = state.pending.get(key);
                    if newer.is_none_or(|newer| item.1 == Origin::Local && newer.1 != Origin::Local) {
                        state.add(*key, item.clone());
                    }
                }
                state.retry_at = Some(Instant::now() + state.pause);
                state.pause = (state.pause * 2).min(self.bounds.retry * 30);
            }
        }
        state.last = result;
        state.flush_served = asked;
        drop(state);
        self.done.notify_all();
    }
}

fn wait<'a>(condition: &Condvar, state: MutexGuard<'a, State>, limit: Duration) -> MutexGuard<'a, State> {
    condition.wait_timeout(state, limit).unwrap_or_else(PoisonError::into_inner).0
}

impl<S: Sink> Drop for WriteBehind<S> {
    fn drop(&mut self) {
        let shared = self.shared.clone();
        let mut state = lock(&shared.state);
        state.closing = true;
        drop(state);
        let Some(thread) = lock(&self.thread).take() else {
            return shared.pass();
        };
        shared.work.notify_one();
        let deadline = shared.bounds.patience.map(|patience| Instant::now() + patience);
        let mut state = lock(&shared.state);
        while !state.finished && !shared.sink.is_stuck() && !thread.is_finished() {
            let left = deadline.map_or(GLANCE, |deadline| deadline.saturating_duration_since(Instant::now()));
            if left.is_zero() {
                break;
            }
            state = wait(&shared.done, state, left.min(GLANCE));
        }
        let finished = state.finished || thread.is_finished();
        drop(state);
        if finished {
            // A panic in the writer has already printed itself.
            let _ = thread.join();
        }
    }
}
