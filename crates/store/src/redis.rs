//! The store in Redis or Valkey, for sharing between machines.
//!
//! A dead or slow server costs one short timeout and then nothing: after a failure every call fails at once
//! until a pause has passed (one second, doubling to thirty), then one caller tries again. Puts are queued
//! and sent in pipelines by a thread. Entries carry the same envelope as on disk, so a foreign value under
//! one of our keys is a miss.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use ::redis::{RedisError, cmd, pipe};

use crate::address::{RedisAddress, redis_text};
use crate::behind::{Batch, Bounds, Item, Sink, WhenFull, WriteBehind};
use crate::bucket::split;
use crate::envelope::{Sealed, check_size, seal, unseal};
use crate::memory::lock;
use crate::reply::RedisConnection as Connection;
use crate::stats::Counters;
use crate::{
    Bucket, Bytes, ErrorKind, Key, OldEntries, OpenOptions, Origin, Store, StoreError, StoreStats, Usage,
    Visit, today,
};

/// Before the 64 digits of each key. The number is the format version.
const PREFIX: &str = "evergreen:2:";
/// Before the 32 digits of each bucket: a set of the second halves of its members' keys.
const BUCKET_PREFIX: &str = "evergreen:2:bucket:";
/// Before everything of format 1, which is not read any more.
const OLD_PREFIX: &str = "evergreen:1:";
const OLD_BUCKET_PREFIX: &str = "evergreen:1:bucket:";
/// Values asked for at once when a bucket is listed.
const LIST_ENTRIES: usize = 1024;
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
const PIPELINE_ENTRIES: usize = 256;
const PIPELINE_BYTES: usize = 1 << 20;
/// Bulk work (pipelines of puts, walks) may take this many times the timeout of a lookup.
const BULK_PATIENCE: u32 = 10;

/// A store on a Redis or Valkey server.
pub struct Redis {
    behind: WriteBehind<Server>,
    server: Arc<Server>,
    counters: Counters,
}

struct Server {
    address: RedisAddress,
    timeout: Duration,
    idle: Mutex<Vec<Line>>,
    breaker: Mutex<Breaker>,
}

/// A connection and the time limit that its socket has now.
struct Line {
    connection: Connection,
    limit: Option<Duration>,
}

/// A circuit breaker: remembers a failure, so that no caller waits for the same dead server twice.
struct Breaker {
    closed_until: Option<(Instant, StoreError)>,
    pause: Duration,
}

/// Called with each page of names, and the connection that they came over.
type EachPage<'a> = &'a mut dyn FnMut(&mut Connection, &[Vec<u8>]) -> Result<(), RedisError>;

/// How long an operation may take.
#[derive(Clone, Copy)]
enum Work {
    Lookup,
    Bulk,
}

impl Redis {
    /// A store at an address: `redis://[:password@]host[:port][/database]`, `rediss://` for
    /// TLS, `redis+unix:///path`.
    ///
    /// No connection is made before the first use, so an unreachable server is noticed then.
    pub fn open(url: &str, options: &OpenOptions) -> Result<Redis, StoreError> {
        let address = RedisAddress::read(url, options.redis_ca.as_deref())?;
        let breaker = Mutex::new(Breaker { closed_until: None, pause: FIRST_PAUSE });
        let server = Arc::new(Server { address, timeout: options.timeout, idle: Mutex::default(), breaker });
        let bounds = Bounds {
            batch_entries: PIPELINE_ENTRIES,
            batch_bytes: PIPELINE_BYTES,
            delay: Duration::from_millis(5),
            queue_bytes: 32 << 20,
            when_full: WhenFull::Fail,
            patience: Some(options.flush_timeout),
            retry: FIRST_PAUSE,
        };
        Ok(Redis { behind: WriteBehind::new(server.clone(), bounds), server, counters: Counters::default() })
    }

    fn opened(&self, key: &Key, raw: Option<Vec<u8>>) -> Option<Item> {
        let raw = raw?;
        let opened = unseal(key, &raw).intact();
        Counters::add(&self.counters.damaged, usize::from(opened.is_none()));
        opened.map(|opened| (Bytes::from(opened.value), there(opened.origin)))
    }

    /// The names of everything of an earlier format, page by page.
    fn scan_old(&self, each: EachPage<'_>) -> Result<(), StoreError> {
        let mut cursor: u64 = 0;
        loop {
            let run = self.server.run(Work::Bulk, |connection| {
                let (next, names) = scan_page(connection, cursor, &format!("{OLD_PREFIX}*"))?;
                each(connection, &names)?;
                Ok(next)
            });
            cursor = self.counters.check(run)?;
            if cursor == 0 {
                return Ok(());
            }
        }
    }

    /// Walks the server's keys page by page; no connection is held while `each` runs.
    fn scan(&self, each: &mut dyn FnMut(&Key, &[u8]) -> ControlFlow<()>) -> Result<(), StoreError> {
        let pattern = format!("{PREFIX}*");
        // SCAN may name a key twice.
        let mut seen = HashSet::new();
        let mut cursor: u64 = 0;
        loop {
            let (next, entries) = self.server.run(Work::Bulk, |connection| {
                let (next, names) = scan_page(connection, cursor, &pattern)?;
                let keys: Vec<Key> = names.iter().filter_map(|name| parse_name(name)).collect();
                let values = read_many(connection, &keys)?;
                Ok((next, keys.into_iter().zip(values).collect::<Vec<_>>()))
            })?;
            for (key, raw) in entries {
                if let Some(raw) = raw
                    && seen.insert(key)
                    && each(&key, &raw).is_break()
                {
                    return Ok(());
                }
            }
            if next == 0 {
                return Ok(());
            }
            cursor = next;
        }
    }
}

impl Server {
    /// Runs `work` on a connection, within the time that its kind allows.
    fn run<T>(
        &self,
        kind: Work,
        mut work: impl FnMut(&mut Connection) -> Result<T, RedisError>,
    ) -> Result<T, StoreError> {
        let limit = match kind {
            Work::Lookup => {
                self.check_breaker()?;
                self.timeout
            }
            // The writer has pauses of its own, and the last flush of a run is worth one more attempt.
            Work::Bulk => self.timeout * BULK_PATIENCE,
        };
        let idle = lock(&self.idle).pop();
        let reused = idle.is_some();
        let mut line = match idle {
            Some(line) => line,
            None => self.connect()?,
        };
        let mut result = line.attempt(limit, &mut work);
        if reused && result.as_ref().is_err_and(|error| error.is_connection_dropped()) {
            // The server was restarted since: every idle connection is dead, a fresh one may work.
            lock(&self.idle).clear();
            line = self.connect()?;
            result = line.attempt(limit, &mut work);
        }
        match result {
            Ok(done) => {
                let mut breaker = lock(&self.breaker);
                breaker.closed_until = None;
                breaker.pause = FIRST_PAUSE;
                drop(breaker);
                lock(&self.idle).push(line);
                Ok(done)
            }
            // The connection may still get the late answer: it is never used again.
            Err(error) => Err(self.trip(&redis_text(&error))),
        }
    }

    fn connect(&self) -> Result<Line, StoreError> {
        let connection = self.address.connect(self.timeout).map_err(|what| self.trip(&what))?;
        Ok(Line { connection, limit: None })
    }

    /// Fails at once while the server is known to be in trouble; lets one caller
    /// through when the pause is over.
    fn check_breaker(&self) -> Result<(), StoreError> {
        let mut breaker = lock(&self.breaker);
        let pause = breaker.pause;
        match &mut breaker.closed_until {
            None => Ok(()),
            Some((until, error)) if Instant::now() < *until => Err(error.clone()),
            Some((until, _)) => {
                *until = Instant::now() + pause;
                Ok(())
            }
        }
    }

    fn trip(&self, what: &str) -> StoreError {
        let error = StoreError::new(
            ErrorKind::Unreachable,
            self.address.name(),
            format!("the server does not help: {what}"),
        );
        let error = error.help("lookups go on without it; it is tried again from time to time");
        let mut breaker = lock(&self.breaker);
        breaker.closed_until = Some((Instant::now() + breaker.pause, error.clone()));
        breaker.pause = (breaker.pause * 2).min(LONGEST_PAUSE);
        error
    }
}

impl Line {
    fn attempt<T>(
        &mut self,
        limit: Duration,
        work: &mut impl FnMut(&mut Connection) -> Result<T, RedisError>,
    ) -> Result<T, RedisError> {
        if self.limit != Some(limit) {
            self.connection.set_timeout(Some(limit))?;
            self.limit = Some(limit);
        }
        work(&mut self.connection)
    }
}

/// The origin of an entry for its readers on the server: at best another machine.
fn there(origin: Origin) -> Origin {
    match origin {
        Origin::Local | Origin::Network => Origin::Network,
        Origin::Imported => Origin::Imported,
    }
}

/// A page of names, and where the next one begins; 0 after the last.
fn scan_page(
    connection: &mut Connection,
    cursor: u64,
    pattern: &str,
) -> Result<(u64, Vec<Vec<u8>>), RedisError> {
    cmd("SCAN").arg(cursor).arg("MATCH").arg(pattern).arg("COUNT").arg(1000).query(connection)
}

/// One round trip for any number of keys.
fn read_many(connection: &mut Connection, keys: &[Key]) -> Result<Vec<Option<Vec<u8>>>, RedisError> {
    match keys {
        [] => Ok(Vec::new()),
        keys => cmd("MGET").arg(keys.iter().map(name).collect::<Vec<_>>()).query(connection),
    }
}

fn name(key: &Key) -> String {
    format!("{PREFIX}{key}")
}

fn set_name(bucket: &Bucket) -> String {
    format!("{BUCKET_PREFIX}{bucket}")
}

/// The keys of a bucket's members. A foreign value under the bucket's name has none.
fn read_members(connection: &mut Connection, bucket: &Bucket) -> Result<Vec<Key>, RedisError> {
    let tails: Vec<Vec<u8>> = match cmd("SMEMBERS").arg(set_name(bucket)).query(connection) {
        Err(error) if error.code() == Some("WRONGTYPE") => Vec::new(),
        result => result?,
    };
    let tails = tails.iter().filter_map(|tail| <&[u8; 16]>::try_from(tail.as_slice()).ok());
    Ok(tails.map(|tail| bucket.key(tail)).collect())
}

fn parse_name(name: &[u8]) -> Option<Key> {
    std::str::from_utf8(name.strip_prefix(PREFIX.as_bytes())?).ok()?.parse().ok()
}

impl Sink for Server {
    fn place(&self) -> String {
        self.address.name().to_owned()
    }

    fn write(&self, batch: &Batch) -> Result<(), StoreError> {
        let day = today();
        let mut entries = batch.iter().peekable();
        while entries.peek().is_some() {
            // All or nothing, so that no removal comes between an entry and its place in its bucket.
            let mut pipeline = pipe();
            let (mut count, mut bytes) = (0, 0);
            while count < PIPELINE_ENTRIES && bytes < PIPELINE_BYTES {
                let Some((key, (value, origin))) = entries.next() else { break };
                if let Some(bucket) = Bucket::of(key, value) {
                    pipeline.atomic();
                    pipeline.cmd("SADD").arg(set_name(&bucket)).arg(&split(key).1).ignore();
                }
                pipeline.cmd("SET").arg(name(key)).arg(seal(key, day, *origin, value)).ignore();
                count += 1;
                bytes += value.len();
            }
            self.run(Work::Bulk, |connection| pipeline.query::<()>(connection))?;
        }
        Ok(())
    }
}

impl Store for Redis {
    fn describe(&self) -> String {
        format!("redis {}", self.server.address.name())
    }

    fn get_from(&self, key: &Key) -> Result<Option<(Bytes, Origin)>, StoreError> {
        Ok(self.get_many_from(std::slice::from_ref(key))?.pop().flatten())
    }

    fn get_many_from(&self, keys: &[Key]) -> Result<Vec<Option<(Bytes, Origin)>>, StoreError> {
        Counters::add(&self.counters.gets, keys.len());
        let waits = |key| self.behind.peek(key).map(|(value, origin)| (value, there(origin)));
        let mut found: Vec<Option<Item>> = keys.iter().map(waits).collect();
        let missing: Vec<usize> = (0..keys.len()).filter(|at| found[*at].is_none()).collect();
        if !missing.is_empty() {
            let asked: Vec<Key> = missing.iter().map(|at| keys[*at]).collect();
            let run = self.server.run(Work::Lookup, |connection| read_many(connection, &asked));
            for (at, raw) in missing.into_iter().zip(self.counters.check(run)?) {
                found[at] = self.opened(&keys[at], raw);
            }
        }
        Counters::add(&self.counters.hits, found.iter().flatten().count());
        Ok(found)
    }

    fn put_from(&self, key: &Key, value: &[u8], origin: Origin) -> Result<(), StoreError> {
        check_size(self.server.address.name(), value)?;
        Counters::add(&self.counters.puts, 1);
        let put = self.counters.check(self.behind.put(*key, value.into(), origin.copied()));
        Counters::add(&self.counters.dropped, usize::from(put.is_err()));
        put
    }

    fn list_from(&self, bucket: &Bucket) -> Result<Vec<(Bytes, Origin)>, StoreError> {
        let waiting = self.behind.waiting_in(bucket);
        let run = self.server.run(Work::Lookup, |connection| {
            let mut keys = read_members(connection, bucket)?;
            keys.retain(|key| !waiting.contains_key(key));
            let mut found = Vec::with_capacity(keys.len());
            for chunk in keys.chunks(LIST_ENTRIES) {
                found.extend(chunk.iter().copied().zip(read_many(connection, chunk)?));
            }
            Ok(found)
        });
        let mut values = Vec::new();
        for (key, raw) in self.counters.check(run)? {
            // Evicted, or put there by hand.
            values.extend(self.opened(&key, raw).filter(|(value, _)| Bucket::of(&key, value).is_some()));
        }
        let news = waiting.into_iter().filter(|(key, (value, _))| Bucket::of(key, value).is_some());
        values.extend(news.map(|(_, (value, origin))| (value, there(origin))));
        Ok(values)
    }

    fn flush(&self) -> Result<(), StoreError> {
        self.counters.check(self.behind.flush(false))
    }

    fn visit_from(&self, each: Visit<'_>) -> Result<(), StoreError> {
        let waiting = self.behind.waiting();
        for (key, (value, origin)) in &waiting {
            if each(key, value, there(*origin)).is_break() {
                return Ok(());
            }
        }
        let scanned = self.scan(&mut |key, raw| match unseal(key, raw).intact() {
            _ if waiting.contains_key(key) => ControlFlow::Continue(()),
            Some(opened) => each(key, opened.value, there(opened.origin)),
            None => {
                Counters::add(&self.counters.damaged, 1);
                ControlFlow::Continue(())
            }
        });
        self.counters.check(scanned)
    }

    /// Redis itself knows when a key was used; we only know when it was written, and go by that.
    fn visit_usage(&self, each: &mut dyn FnMut(&Key, Usage) -> ControlFlow<()>) -> Result<(), StoreError> {
        self.flush()?;
        let scanned = self.scan(&mut |key, raw| match unseal(key, raw) {
            Sealed::Intact(opened) => each(key, Usage { bytes: opened.value.len() as u64, day: opened.day }),
            Sealed::Old(_) | Sealed::Damaged => each(key, Usage { bytes: raw.len() as u64, day: 0 }),
        });
        self.counters.check(scanned)
    }

    fn inspect(&self, each: &mut dyn FnMut(&Key, Option<&[u8]>)) -> Result<Vec<String>, StoreError> {
        self.flush()?;
        let scanned = self.scan(&mut |key, raw| {
            each(key, unseal(key, raw).intact().map(|opened| opened.value));
            ControlFlow::Continue(())
        });
        self.counters.check(scanned).map(|()| Vec::new())
    }

    fn old_entries(&self) -> Result<OldEntries, StoreError> {
        // SCAN may name a key twice.
        let (mut seen, mut old) = (HashSet::new(), OldEntries::default());
        self.scan_old(&mut |connection, names| {
            for name in names.iter().filter(|name| !name.starts_with(OLD_BUCKET_PREFIX.as_bytes())) {
                if seen.insert(name.clone()) {
                    old.count(cmd("STRLEN").arg(name).query(connection)?);
                }
            }
            Ok(())
        })?;
        Ok(old)
    }

    fn remove_old(&self) -> Result<OldEntries, StoreError> {
        let old = self.old_entries()?;
        self.scan_old(&mut |connection, names| match names {
            [] => Ok(()),
            names => cmd("DEL").arg(names).query(connection),
        })?;
        Ok(old)
    }

    fn remove(&self, keys: &[Key]) -> Result<usize, StoreError> {
        let mut removed: HashSet<Key> = self.behind.forget(keys).into_iter().collect();
        for chunk in keys.chunks(PIPELINE_ENTRIES) {
            let run = self.server.run(Work::Bulk, |connection| {
                let mut pipeline = pipe();
                pipeline.atomic();
                for key in chunk {
                    let (bucket, tail) = split(key);
                    pipeline.cmd("DEL").arg(name(key));
                    pipeline.cmd("SREM").arg(set_name(&bucket)).arg(&tail).ignore();
                }
                pipeline.query::<Vec<u64>>(connection)
            });
            let counts = self.counters.check(run)?;
            removed.extend(chunk.iter().zip(counts).filter(|(_, count)| *count > 0).map(|(key, _)| *key));
        }
        Ok(removed.len())
    }

    fn stats(&self) -> Result<StoreStats, StoreError> {
        let mut stats = StoreStats::default();
        self.visit(&mut |_, value| {
            stats.entries += 1;
            stats.bytes += value.len() as u64;
            ControlFlow::Continue(())
        })?;
        self.counters.fill(&mut stats);
        Ok(stats)
    }

    fn origin(&self) -> Origin {
        Origin::Network
    }
}
