//! What happened, for tests that prove reuse and for logs.

use evergreen_canon::KeyBytes;
use evergreen_count::Rank;

/// How an answer was found without solving.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rung {
    /// Canonizing or reduction decided it.
    Trivial,
    /// The native core decided it.
    Native,
    /// The same key was recorded.
    Exact,
    /// An old model satisfies it.
    Satisfied,
    /// Its symbols have so few values that all were tried.
    Tried,
    /// A recorded satisfiable set implies it, or it implies a recorded unsatisfiable one.
    Implied,
    /// Several recorded unsatisfiable sets refute it together.
    Derived,
    /// Old values that the caller has of the path satisfy it after a few moves.
    Varied,
    /// It contains a recorded core.
    Core,
}

impl Rung {
    /// Every rung, in the order of the ladder.
    pub const ALL: [Rung; 9] = [
        Rung::Trivial,
        Rung::Native,
        Rung::Exact,
        Rung::Satisfied,
        Rung::Tried,
        Rung::Implied,
        Rung::Derived,
        Rung::Varied,
        Rung::Core,
    ];

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Rung::Trivial => "trivial",
            Rung::Native => "native",
            Rung::Exact => "exact",
            Rung::Satisfied => "satisfied",
            Rung::Tried => "tried",
            Rung::Implied => "implied",
            Rung::Derived => "derived",
            Rung::Varied => "varied",
            Rung::Core => "core",
        }
    }
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
