//! Limits on exploration. Reaching a limit is an ordinary value: the summary counts and
//! reports it, it is never silent.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A limit of an exploration.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Bound {
    /// Branches on one path.
    Depth,
    /// Times that one place may branch on one path.
    Loops,
    /// Instructions on one path.
    Steps,
    /// Times that inputs are made from others: see [`crate::Asking::Later`].
    Generations,
    /// Finished paths.
    Paths,
    /// Time of the whole exploration.
    Time,
    /// Memory of the whole process.
    Memory,
    /// The caller set the interrupt flag.
    Interrupt,
}

impl Bound {
    /// Every bound, in the order in which reports list them.
    pub const ALL: [Bound; 8] = [
        Bound::Depth,
        Bound::Loops,
        Bound::Steps,
        Bound::Generations,
        Bound::Paths,
        Bound::Time,
        Bound::Memory,
        Bound::Interrupt,
    ];

    /// Its name, as flags and reports have it.
    pub fn name(self) -> &'static str {
        match self {
            Bound::Depth => "depth",
            Bound::Loops => "loops",
            Bound::Steps => "steps",
            Bound::Generations => "generations",
            Bound::Paths => "paths",
            Bound::Time => "time",
            Bound::Memory => "memory",
            Bound::Interrupt => "interrupt",
        }
    }
}

/// Reads how many bytes the process uses.
pub type Gauge = fn() -> u64;

/// The limits; `None` is no limit.
#[derive(Clone, Debug, Default)]
pub struct Bounds {
    /// Branches on one path.
    pub depth: Option<usize>,
    /// Times that one place may branch on one path.
    pub loops: Option<u32>,
    /// Instructions on one path.
    pub steps: Option<u64>,
    /// Times that inputs are made from others: see [`crate::Asking::Later`].
    pub generations: Option<u32>,
    /// Finished paths.
    pub paths: Option<u64>,
    /// Time of the whole exploration.
    pub time: Option<Duration>,
    /// Bytes of the whole process, and the gauge that reads them.
    pub memory: Option<(u64, Gauge)>,
    /// A flag that the caller or another thread sets to end the exploration; paths found so far are kept.
    pub interrupt: Option<Arc<AtomicBool>>,
}

/// Pauses between two looks at the clock, if nothing is asked meanwhile.
const PAUSES_PER_LOOK: u32 = 32;
const BETWEEN_TICKS: Duration = Duration::from_millis(100);

/// The clock, the gauge and the flag, looked at now and then.
pub(crate) struct Watch {
    start: Instant,
    told: Instant,
    pauses: u32,
}

impl Watch {
    pub(crate) fn new() -> Watch {
        let now = Instant::now();
        Watch { start: now, told: now, pauses: 0 }
    }

    /// The bound of the whole exploration that is reached, and whether a progress report is due.
    ///
    /// `long`: the machine ran for a while since the last call.
    pub(crate) fn look(&mut self, bounds: &Bounds, long: bool) -> (Option<Bound>, bool) {
        if bounds.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return (Some(Bound::Interrupt), false);
        }
        self.pauses += 1;
        if !long && self.pauses < PAUSES_PER_LOOK {
            return (None, false);
        }
        self.pauses = 0;
        let now = Instant::now();
        if bounds.time.is_some_and(|time| now.duration_since(self.start) >= time) {
            return (Some(Bound::Time), false);
        }
        let tick = now.duration_since(self.told) >= BETWEEN_TICKS;
        if tick {
            self.told = now;
            if bounds.memory.is_some_and(|(bytes, gauge)| gauge() > bytes) {
                return (Some(Bound::Memory), tick);
            }
        }
        (None, tick)
    }

    /// A question was asked, which may have taken seconds: the next look is at the clock.
    pub(crate) fn asked(&mut self) {
        self.pauses = PAUSES_PER_LOOK;
    }

    /// Whether the time is over.
    pub(crate) fn is_late(&self, bounds: &Bounds) -> bool {
        bounds.time.is_some_and(|time| self.start.elapsed() >= time)
    }

    /// Whether that is so, or the flag is set.
    pub(crate) fn is_over(&self, bounds: &Bounds) -> bool {
        let is_set = bounds.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed));
        is_set || self.is_late(bounds)
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}
