//! The connection to the server. While there is none: wait, report it once, reconnect.
//!
//! Every request may be sent twice: either it changes nothing the second time, or the server recognizes the
//! repetition (see the versions of items). So a lost answer is no different from a lost request.

use evergreen_store::{RedisAddress, RedisConnection as Connection, redis_text};
use redis::RedisError;
use std::fmt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// How long a server may take to accept a connection.
const CONNECT: Duration = Duration::from_secs(3);
/// How long an answer may take, beyond the time that the request itself waits: a program of some
/// megabytes must get through.
const ANSWER: Duration = Duration::from_secs(20);
/// The largest answer: programs are sent as they are, and a server takes no larger string.
const REPLY_BYTES: usize = 512 << 20;
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// The errors of a queue.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum QueueError {
    /// The address is not understood.
    Address(String),
    /// The server was not there for as long as patience lasted.
    Unreachable(String),
    /// The server refused: no permission, out of memory, too old.
    Refused(String),
    /// The caller's stop flag was set while the server was away.
    Stopped,
    /// The bytes under a digest are not those that it was made of.
    Damaged(String),
}

impl fmt::Display for QueueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            QueueError::Address(text)
            | QueueError::Unreachable(text)
            | QueueError::Refused(text)
            | QueueError::Damaged(text) => f.write_str(text),
            QueueError::Stopped => f.write_str("stopped while the queue's server was away"),
        }
    }
}

impl std::error::Error for QueueError {}

/// A callback: called once when the server goes away, and once when it is back.
pub type Trouble = Arc<dyn Fn(&str) + Send + Sync>;

/// The behaviour while there is no server.
#[derive(Clone)]
pub struct Patience {
    /// How long to wait for it; `None`: for ever.
    pub wait: Option<Duration>,
    /// Ends the waiting.
    pub stop: Option<Arc<AtomicBool>>,
    /// Hears of it.
    pub trouble: Trouble,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience { wait: Some(Duration::from_secs(60)), stop: None, trouble: Arc::new(|_| {}) }
    }
}

/// A connection that is opened on first use, and reopened when it broke.
pub(crate) struct Line {
    address: RedisAddress,
    patience: Patience,
    connection: Mutex<Option<Connection>>,
}

impl Line {
    pub(crate) fn open(
        url: &str,
        certificates: Option<&Path>,
        patience: Patience,
    ) -> Result<Line, QueueError> {
        let address =
            RedisAddress::read(url, certificates).map_err(|e| QueueError::Address(e.to_string()))?;
        Ok(Line { address, patience, connection: Mutex::new(None) })
    }

    pub(crate) fn name(&self) -> &str {
        self.address.name()
    }

    pub(crate) fn with_patience(&self, patience: Patience) -> Line {
        Line { address: self.address.clone(), patience, connection: Mutex::new(None) }
    }

    /// Runs `work` until it succeeds, the server refuses, or patience ends. `longest` is how long the server
    /// itself may wait before it answers.
    pub(crate) fn run<T>(
        &self,
        longest: Duration,
        work: impl Fn(&mut Connection) -> Result<T, RedisError>,
    ) -> Result<T, QueueError> {
        let mut held = lock(&self.connection);
        let (start, mut pause, mut told) = (Instant::now(), FIRST_PAUSE, false);
        loop {
            let what = match self.attempt(&mut held, longest, &work) {
                Ok(done) => {
                    if told {
                        (self.patience.trouble)(&format!("{}: the queue's server is back", self.name()));
                    }
                    return Ok(done);
                }
                Err(Failure::Refused(what)) => {
                    return Err(QueueError::Refused(format!("{}: {what}", self.name())));
                }
                Err(Failure::Passing(what)) => what,
            };
            if self.patience.wait.is_some_and(|wait| start.elapsed() + pause > wait) {
                let text = format!("{}: the queue's server does not help: {what}", self.name());
                return Err(QueueError::Unreachable(text));
            }
            // A connection that was idle while the server was started anew is no trouble yet.
            if !told && pause > FIRST_PAUSE {
                told = true;
                let text = format!("{}: waiting for the queue's server: {what}", self.name());
                (self.patience.trouble)(&text);
            }
            self.rest(pause)?;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    /// Waits, unless the stop flag is set.
    fn rest(&self, pause: Duration) -> Result<(), QueueError> {
        let until = Instant::now() + pause;
        loop {
            if self.patience.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                return Err(QueueError::Stopped);
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(());
            }
            std::thread::sleep(left.min(Duration::from_millis(50)));
        }
    }

    fn attempt<T>(
        &self,
        held: &mut Option<Connection>,
        longest: Duration,
        work: &impl Fn(&mut Connection) -> Result<T, RedisError>,
    ) -> Result<T, Failure> {
        let mut connection = match held.take() {
            Some(connection) => connection,
            None => self.address.connect(CONNECT).map_err(Failure::Passing)?,
        };
        connection.set_timeout(Some(longest + ANSWER)).map_err(|e| Failure::of(&e))?;
        connection.set_reply_bytes(REPLY_BYTES);
        // After a failure the connection may still get the late answer: it is never used again.
        let done = work(&mut connection).map_err(|e| Failure::of(&e))?;
        *held = Some(connection);
        Ok(done)
    }
}

impl Clone for Line {
    fn clone(&self) -> Line {
        self.with_patience(self.patience.clone())
    }
}

/// Why an attempt failed.
enum Failure {
    /// Another attempt may succeed.
    Passing(String),
    /// It would not.
    Refused(String),
}

impl Failure {
    fn of(error: &RedisError) -> Failure {
        let busy = ["LOADING", "BUSY", "MASTERDOWN", "TRYAGAIN", "CLUSTERDOWN"];
        let passing = error.is_io_error() || error.is_timeout() || error.is_connection_dropped();
        if passing || error.code().is_some_and(|code| busy.contains(&code)) {
            Failure::Passing(redis_text(error))
        } else {
            Failure::Refused(redis_text(error))
        }
    }
}

/// A lock that survives a panic of another thread: its value is only replaced as a whole.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}
