//! Self-regulation: a rung that costs more than it saves on the current workload is tried rarely until that
//! changes.
//!
//! A published cache lost 3.9% net to its own matching, and KLEE turned its superset check off because it
//! took 44% of the run. So each rung is watched: what a try costs and how often it hits, both as moving
//! averages, against what solving a part costs here. While `hit rate * cost of solving < cost of a try`, only
//! one part in [`RARELY`] is tried, which is how the rung notices that it would pay again.

use crate::ladder::Rung;
use std::time::Duration;

/// Tries before a rung is judged.
const WARM_UP: u32 = 64;
/// A rung that does not pay is tried on one part out of this many.
const RARELY: u32 = 64;
/// Weight of the past in the averages.
const MEMORY: f64 = 0.98;

/// Watches every rung of the ladder, and what it saves: calls of a solver.
#[derive(Clone, Default, Debug)]
pub(crate) struct Regulation {
    meters: [Meter; Rung::ALL.len()],
    solving: SolvingCost,
}

impl Regulation {
    /// Whether a rung should be tried on the next part.
    pub(crate) fn wants(&mut self, rung: Rung) -> bool {
        self.meters[rung as usize].wants(self.solving.0)
    }

    /// Notes what a try took and whether it hit.
    pub(crate) fn note(&mut self, rung: Rung, hit: bool, time: Duration) {
        self.meters[rung as usize].note(hit, time);
    }

    /// Notes what solving a part took.
    pub(crate) fn note_solving(&mut self, time: Duration) {
        self.solving.note(time);
    }
}

/// Watches one rung.
#[derive(Clone, Copy, Default, Debug)]
struct Meter {
    tries: u32,
    passed: u32,
    nanos: f64,
    hits: f64,
}

impl Meter {
    /// Whether the rung should be tried on the next part, when a part takes that long to solve.
    fn wants(&mut self, solving_nanos: f64) -> bool {
        if self.tries < WARM_UP || self.hits * solving_nanos >= self.nanos {
            return true;
        }
        self.passed += 1;
        if self.passed >= RARELY {
            self.passed = 0;
            return true;
        }
        false
    }

    fn note(&mut self, hit: bool, time: Duration) {
        let memory =
            if self.tries < WARM_UP { f64::from(self.tries) / f64::from(self.tries + 1) } else { MEMORY };
        self.tries = self.tries.saturating_add(1);
        self.nanos = self.nanos * memory + time.as_nanos() as f64 * (1.0 - memory);
        self.hits = self.hits * memory + f64::from(u8::from(hit)) * (1.0 - memory);
    }
}

/// What solving a part costs, as a moving average.
#[derive(Clone, Copy, Debug)]
struct SolvingCost(f64);

impl Default for SolvingCost {
    /// Nothing was solved yet: more than any rung costs.
    fn default() -> SolvingCost {
        SolvingCost(1e6)
    }
}

impl SolvingCost {
    fn note(&mut self, time: Duration) {
        self.0 = self.0 * 0.95 + time.as_nanos() as f64 * 0.05;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tried_of_1000(meter: &mut Meter, hit: bool, cost_us: u64, solving_us: f64) -> u32 {
        let mut tried = 0;
        for _ in 0..1000 {
            if meter.wants(solving_us * 1e3) {
                tried += 1;
                meter.note(hit, Duration::from_micros(cost_us));
            }
        }
        tried
    }

    #[test]
    fn a_rung_that_never_hits_is_tried_rarely_and_comes_back_when_it_does() {
        let mut meter = Meter::default();
        let useless = tried_of_1000(&mut meter, false, 10, 100.0);
        assert!(useless < 64 + 1000 / 32, "{useless}");
        // It begins to hit: within a few hundred parts it is tried on all of them.
        tried_of_1000(&mut meter, true, 10, 100.0);
        assert_eq!(tried_of_1000(&mut meter, true, 10, 100.0), 1000);
    }

    #[test]
    fn what_pays_is_always_tried() {
        let mut meter = Meter::default();
        assert_eq!(tried_of_1000(&mut meter, true, 10, 100.0), 1000);
        // A hit that saves less than a try costs does not pay either.
        let mut meter = Meter::default();
        assert!(tried_of_1000(&mut meter, true, 100, 10.0) < 200);
    }
}
