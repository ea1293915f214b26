//! A list of stores as one: look up in order, write to the first at once and to the others behind, copy
//! a hit to the other layers.
//!
//! Green 3.3 [Visser FSE'12]: a put goes to the local store immediately and to all others
//! asynchronously; a hit in a later store is pushed to all the others. Differences on purpose: the first
//! store gets such an answer at once (the next lookup comes soon), and a layer that fails is a miss,
//! reported once, never an error of the lookup.
//!
//! Another difference: imported entries stay where they are ([`Spread::Local`]) until [`Store::confirm`]
//! marks them as checked. With [`Spread::All`] they are copied, and the copies keep their origin: one run's
//! trust does not bind the next.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{self, SyncSender, TrySendError};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::memory::lock;
use crate::{
    Bucket, Bytes, Key, LayerStats, OldEntries, Origin, Store, StoreError, StoreStats, Usage, Visit,
};

/// A callback: called once for each layer that fails, with the text of its error.
pub type OnTrouble = Arc<dyn Fn(&str) + Send + Sync>;

/// Which entries are copied to other layers when they are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Spread {
    /// Entries found on this machine. Imported entries are copied when they are confirmed.
    #[default]
    Local,
    /// All, as in Green: for networks that are trusted.
    All,
}

/// How many entries may wait to be copied to a layer; further ones are dropped.
const QUEUE_ENTRIES: usize = 16_384;
/// How long flushing waits for the queue of a layer.
const LOCAL_PATIENCE: Duration = Duration::from_secs(60);
const NETWORK_PATIENCE: Duration = Duration::from_secs(2);

/// Several stores as one.
pub struct Layered {
    layers: Vec<Arc<Layer>>,
    queues: Vec<Mutex<Option<Queue>>>,
    spread: Spread,
}

struct Layer {
    store: Arc<dyn Store>,
    gets: AtomicU64,
    hits: AtomicU64,
    puts: AtomicU64,
    errors: AtomicU64,
    dropped: AtomicU64,
    reported: AtomicBool,
    on_trouble: OnTrouble,
}

struct Queue {
    sender: SyncSender<Message>,
    thread: JoinHandle<()>,
}

enum Message {
    Put(Key, Bytes, Origin),
    /// Answered when everything sent before was put.
    Drained(mpsc::Sender<()>),
}

/// Visits one layer, given the keys seen in earlier ones.
type VisitLayer<'a> = &'a mut dyn FnMut(&dyn Store, &mut HashSet<Key>) -> Result<ControlFlow<()>, StoreError>;

impl Layer {
    fn report<T>(&self, result: Result<T, StoreError>) -> Option<T> {
        match result {
            Ok(done) => Some(done),
            Err(error) => {
                self.errors.fetch_add(1, Relaxed);
                if !self.reported.swap(true, Relaxed) {
                    (self.on_trouble)(&error.to_string());
                }
                None
            }
        }
    }

    fn put(&self, key: &Key, value: &[u8], origin: Origin) {
        self.puts.fetch_add(1, Relaxed);
        self.report(self.store.put_from(key, value, origin));
    }

    fn patience(&self) -> Duration {
        match self.store.origin() {
            Origin::Local | Origin::Imported => LOCAL_PATIENCE,
            Origin::Network => NETWORK_PATIENCE,
        }
    }
}

impl Layered {
    /// Layers in the order in which they are looked up; the first should be fast and local.
    pub fn new(stores: Vec<Arc<dyn Store>>, on_trouble: OnTrouble) -> Layered {
        let layers: Vec<Arc<Layer>> = stores
            .into_iter()
            .map(|store| {
                Arc::new(Layer {
                    store,
                    gets: AtomicU64::new(0),
                    hits: AtomicU64::new(0),
                    puts: AtomicU64::new(0),
                    errors: AtomicU64::new(0),
                    dropped: AtomicU64::new(0),
                    reported: AtomicBool::new(false),
                    on_trouble: on_trouble.clone(),
                })
            })
            .collect();
        let queues = layers.iter().map(|_| Mutex::new(None)).collect();
        Layered { layers, queues, spread: Spread::default() }
    }

    /// The same layers, with another rule for copies between them.
    pub fn spreading(mut self, spread: Spread) -> Layered {
        self.spread = spread;
        self
    }

    /// Handles a hit in a layer: the entry is copied, unless it must be confirmed first.
    fn found(&self, key: &Key, value: &Bytes, origin: Origin, index: usize) {
        self.layers[index].hits.fetch_add(1, Relaxed);
        if index > 0 && (origin == Origin::Local || self.spread == Spread::All) {
            self.spread(key, value, origin, Some(index));
        }
    }

    /// Gives an entry to one layer: to the first at once, to others behind.
    fn give(&self, index: usize, key: &Key, value: &Bytes, origin: Origin) {
        match index {
            0 => self.layers[0].put(key, value, origin),
            _ => self.enqueue(index, Message::Put(*key, value.clone(), origin)),
        }
    }

    /// Gives an entry to every layer but `known`: to the first at once, to the others behind.
    fn spread(&self, key: &Key, value: &Bytes, origin: Origin, known: Option<usize>) {
        for index in (0..self.layers.len()).filter(|index| Some(*index) != known) {
            self.give(index, key, value, origin);
        }
    }

    fn enqueue(&self, index: usize, message: Message) {
        let layer = &self.layers[index];
        let mut slot = lock(&self.queues[index]);
        if slot.is_none() {
            *slot = start(layer.clone());
        }
        let message = match &*slot {
            None => Some(message),
            Some(queue) => match queue.sender.try_send(message) {
                Ok(()) => return,
                Err(TrySendError::Full(_)) => None,
                Err(TrySendError::Disconnected(message)) => Some(message),
            },
        };
        match message {
            // Without a thread: at once.
            Some(Message::Put(key, value, origin)) => layer.put(&key, &value, origin),
            Some(Message::Drained(_)) => {}
            None => {
                layer.dropped.fetch_add(1, Relaxed);
            }
        }
    }

    /// Waits until everything enqueued so far was put, within a layer's patience. Returns whether it was.
    fn drain(&self, index: usize) -> bool {
        let (answer, answered) = mpsc::channel();
        {
            let slot = lock(&self.queues[index]);
            let Some(queue) = &*slot else { return true };
            let mut message = Message::Drained(answer);
            // The queue may be full at this moment; the thread empties it.
            let mut waited = Duration::ZERO;
            loop {
                match queue.sender.try_send(message) {
                    Ok(()) => break,
                    Err(TrySendError::Disconnected(_)) => return true,
                    Err(TrySendError::Full(_)) if waited >= self.layers[index].patience() => return false,
                    Err(TrySendError::Full(back)) => {
                        message = back;
                        waited += Duration::from_millis(1);
                        std::thread::sleep(Duration::from_millis(1));
                    }
                }
            }
        }
        answered.recv_timeout(self.layers[index].patience()).is_ok()
    }

    fn drain_all(&self) {
        for index in 0..self.layers.len() {
            self.drain(index);
        }
    }

    /// Visits each layer's entries that no earlier layer had.
    fn visit_layers(&self, visit: VisitLayer<'_>) -> Result<(), StoreError> {
        self.drain_all();
        let mut seen = HashSet::new();
        for layer in &self.layers {
            if let Some(ControlFlow::Break(())) = layer.report(visit(&layer.store, &mut seen)) {
                break;
            }
        }
        Ok(())
    }
}

fn start(layer: Arc<Layer>) -> Option<Queue> {
    let (sender, receiver) = mpsc::sync_channel(QUEUE_ENTRIES);
    let run = move || {
        for message in receiver {
            match message {
                Message::Put(key, value, origin) => layer.put(&key, &value, origin),
                // The caller of the flush may have given up.
                Message::Drained(answer) => drop(answer.send(())),
            }
        }
    };
    let builder = std::thread::Builder::new().name(String::from("evergreen-spread")).stack_size(512 << 10);
    Some(Queue { sender, thread: builder.spawn(run).ok()? })
}

impl Store for Layered {
    fn describe(&self) -> String {
        self.layers.iter().map(|layer| layer.store.describe()).collect::<Vec<_>>().join(", then ")
    }

    fn get_from(&self, key: &Key) -> Result<Option<(Bytes, Origin)>, StoreError> {
        for (index, layer) in self.layers.iter().enumerate() {
            layer.gets.fetch_add(1, Relaxed);
            if let Some((value, origin)) = layer.report(layer.store.get_from(key)).flatten() {
                self.found(key, &value, origin, index);
                return Ok(Some((value, origin)));
            }
        }
        Ok(None)
    }

    fn get_many_from(&self, keys: &[Key]) -> Result<Vec<Option<(Bytes, Origin)>>, StoreError> {
        let mut found: Vec<Option<(Bytes, Origin)>> = vec![None; keys.len()];
        for (index, layer) in self.layers.iter().enumerate() {
            let missing: Vec<usize> = (0..keys.len()).filter(|at| found[*at].is_none()).collect();
            if missing.is_empty() {
                break;
            }
            let asked: Vec<Key> = missing.iter().map(|at| keys[*at]).collect();
            layer.gets.fetch_add(asked.len() as u64, Relaxed);
            let answers = layer.report(layer.store.get_many_from(&asked)).unwrap_or_default();
            for (at, answer) in missing.into_iter().zip(answers) {
                let Some((value, origin)) = answer else { continue };
                self.found(&keys[at], &value, origin, index);
                found[at] = Some((value, origin));
            }
        }
        Ok(found)
    }

    fn put_from(&self, key: &Key, value: &[u8], origin: Origin) -> Result<(), StoreError> {
        crate::envelope::check_size("stores", value)?;
        self.spread(key, &Bytes::from(value), origin, None);
        Ok(())
    }

    fn put_in(&self, bucket: &Bucket, value: &[u8]) -> Result<(), StoreError> {
        self.put(&bucket.member(value), value)
    }

    /// For one layer only: with several, the number of layers that accept a value is not known.
    fn additions(&self) -> Option<u64> {
        match &self.layers[..] {
            [only] => only.store.additions(),
            _ => None,
        }
    }

    /// The union over all layers: no layer knows whether it has all members. Where networks are trusted,
    /// members from a network are copied to the first layer, with their origin.
    fn list_from(&self, bucket: &Bucket) -> Result<Vec<(Bytes, Origin)>, StoreError> {
        let mut values: Vec<(Bytes, Origin)> = Vec::new();
        let mut seen: HashMap<Bytes, usize> = HashMap::new();
        for (index, layer) in self.layers.iter().enumerate() {
            for (value, origin) in layer.report(layer.store.list_from(bucket)).unwrap_or_default() {
                match seen.get(&value) {
                    // A network may come before a local layer.
                    Some(&at) if origin == Origin::Local => values[at].1 = origin,
                    Some(_) => {}
                    None => {
                        if index > 0 && origin == Origin::Network && self.spread == Spread::All {
                            self.give(0, &bucket.member(&value), &value, origin);
                        }
                        seen.insert(value.clone(), values.len());
                        values.push((value, origin));
                    }
                }
            }
        }
        Ok(values)
    }

    fn confirm(&self, key: &Key, value: &[u8]) -> Result<(), StoreError> {
        crate::envelope::check_size("stores", value)?;
        let value = Bytes::from(value);
        for (index, layer) in self.layers.iter().enumerate() {
            match layer.store.origin() {
                Origin::Local => self.give(index, key, &value, Origin::Local),
                // It may have layers of its own.
                Origin::Imported | Origin::Network => drop(layer.report(layer.store.confirm(key, &value))),
            }
        }
        Ok(())
    }

    /// Flushes every layer; each failure is reported once, and the first is returned.
    fn flush(&self) -> Result<(), StoreError> {
        let mut first = Ok(());
        for (index, layer) in self.layers.iter().enumerate() {
            self.drain(index);
            let flushed = layer.store.flush();
            layer.report(flushed.clone());
            first = first.and(flushed);
        }
        first
    }

    fn visit_from(&self, each: Visit<'_>) -> Result<(), StoreError> {
        self.visit_layers(&mut |store, seen| {
            let mut flow = ControlFlow::Continue(());
            store.visit_from(&mut |key, value, origin| {
                flow = if seen.insert(*key) { each(key, value, origin) } else { ControlFlow::Continue(()) };
                flow
            })?;
            Ok(flow)
        })
    }

    fn visit_usage(&self, each: &mut dyn FnMut(&Key, Usage) -> ControlFlow<()>) -> Result<(), StoreError> {
        self.visit_layers(&mut |store, seen| {
            let mut flow = ControlFlow::Continue(());
            store.visit_usage(&mut |key, usage| {
                flow = if seen.insert(*key) { each(key, usage) } else { ControlFlow::Continue(()) };
                flow
            })?;
            Ok(flow)
        })
    }

    /// Inspects every layer, so a key may come several times.
    fn inspect(&self, each: &mut dyn FnMut(&Key, Option<&[u8]>)) -> Result<Vec<String>, StoreError> {
        self.drain_all();
        let mut faults = Vec::new();
        for layer in &self.layers {
            faults.extend(layer.store.inspect(each)?);
        }
        Ok(faults)
    }

    /// The sum over all layers: an entry that several of them have counts several times.
    fn old_entries(&self) -> Result<OldEntries, StoreError> {
        self.layers.iter().try_fold(OldEntries::default(), |all, layer| Ok(all + layer.store.old_entries()?))
    }

    fn remove_old(&self) -> Result<OldEntries, StoreError> {
        self.layers.iter().try_fold(OldEntries::default(), |all, layer| Ok(all + layer.store.remove_old()?))
    }

    /// Removes keys from every layer; here a layer's failure is an error, since the entry would come back.
    fn remove(&self, keys: &[Key]) -> Result<usize, StoreError> {
        self.drain_all();
        let mut there: HashSet<Key> = HashSet::new();
        for layer in &self.layers {
            let found = layer.store.get_many(keys)?;
            there.extend(keys.iter().zip(found).filter(|(_, value)| value.is_some()).map(|(key, _)| *key));
        }
        for layer in &self.layers {
            layer.store.remove(keys)?;
        }
        Ok(there.len())
    }

    /// Entries and bytes are those of the first layer.
    fn stats(&self) -> Result<StoreStats, StoreError> {
        let mut stats = StoreStats::default();
        if let Some(first) = self.layers.first() {
            let known = first.report(first.store.stats()).unwrap_or_default();
            (stats.entries, stats.bytes, stats.occupied) = (known.entries, known.bytes, known.occupied);
            stats.gets = first.gets.load(Relaxed);
            stats.puts = first.puts.load(Relaxed);
            stats.damaged = known.damaged;
        }
        for layer in &self.layers {
            let line = LayerStats {
                name: layer.store.describe(),
                gets: layer.gets.load(Relaxed),
                hits: layer.hits.load(Relaxed),
                puts: layer.puts.load(Relaxed),
                errors: layer.errors.load(Relaxed),
                dropped: layer.dropped.load(Relaxed),
            };
            stats.hits += line.hits;
            stats.errors += line.errors;
            stats.dropped += line.dropped;
            stats.layers.push(line);
        }
        Ok(stats)
    }

    fn origin(&self) -> Origin {
        let network = self.layers.iter().any(|layer| layer.store.origin() == Origin::Network);
        if network { Origin::Network } else { Origin::Local }
    }
}

impl Drop for Layered {
    fn drop(&mut self) {
        for index in 0..self.layers.len() {
            let drained = self.drain(index);
            let Some(queue) = lock(&self.queues[index]).take() else { continue };
            drop(queue.sender);
            if drained {
                // A panic in a layer has already printed itself.
                let _ = queue.thread.join();
            }
        }
    }
}
