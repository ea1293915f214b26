//! What happened, for tests that prove reuse and for logs.

use crate::ladder::Rung;
use evergreen_canon::KeyBytes;
use evergreen_count::Rank;

/// One step of a query's path.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
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
    /// The native core decided a part before anything was looked up.
    Decided {
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
    /// A record was found that proves nothing, from an origin that is not trusted: treated as not found.
    Distrusted {
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
    /// A count was found in the store.
    CountReused {
        /// Which key.
        key: KeyBytes,
        /// What it is to the question.
        rank: Rank,
    },
    /// A count was put into the store.
    CountRecorded {
        /// Which key.
        key: KeyBytes,
        /// What it is to the question.
        rank: Rank,
    },
    /// An answer was put into the store.
    Recorded {
        /// Which key.
        key: KeyBytes,
        /// The verdict.
        sat: bool,
    },
}
