//! What happened, for tests that prove reuse and for logs.

use evergreen_canon::KeyBytes;

/// How an answer was found without solving.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rung {
    /// Canonizing decided it.
    Trivial,
    /// The same key was recorded.
    Exact,
}

/// One step of a query's path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// The query was cut into this many parts.
    Sliced {
        /// Constraints of the query.
        constraints: usize,
        /// Independent parts.
        parts: usize,
    },
    /// A part was answered without solving.
    Reused {
        /// How.
        rung: Rung,
        /// Which key.
        key: KeyBytes,
        /// The verdict.
        sat: bool,
    },
    /// A part was looked up and not found.
    Missed {
        /// Which key.
        key: KeyBytes,
    },
    /// A record was found but does not hold for the query: treated as not found.
    Rejected {
        /// Which key.
        key: KeyBytes,
    },
    /// A backend answered.
    Solved {
        /// `Some(true)` for sat, `Some(false)` for unsat, `None` for unknown.
        sat: Option<bool>,
        /// Microseconds.
        micros: u64,
    },
    /// An answer was put into the store.
    Recorded {
        /// Which key.
        key: KeyBytes,
        /// The verdict.
        sat: bool,
    },
}
