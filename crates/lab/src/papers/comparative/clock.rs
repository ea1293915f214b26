//! Processor time by phase: of this thread, and of the solver process that it talks to.
//!
//! Budgets are processor time, so that a busy machine does not change what fits into them. The operating
//! system keeps a clock for each process, with a resolution of nanoseconds.

use serde::{Deserialize, Serialize};

/// What a technique spends time on [Liu HVC'14, 4.6].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Phase {
    /// Running instructions, keeping and restoring states.
    Exploring,
    /// Making constraints, sending them, and the solver's reading them.
    Constructing,
    /// Partitions, caches, and the solver's answering.
    Solving,
    /// Static steps.
    Rest,
}

/// The phases in the order of the paper's figure.
pub(super) const PHASES: [&str; 4] =
    ["path exploration", "expression construction", "constraint solving", "rest"];

/// Seconds by phase.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Spent(pub [f64; 4]);

impl Spent {
    /// All of it.
    pub(super) fn total(&self) -> f64 {
        self.0.iter().sum()
    }

    /// Of one phase.
    pub(super) fn of(&self, phase: Phase) -> f64 {
        self.0[phase as usize]
    }
}

fn read(clock: libc::clockid_t) -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call fills a structure of ours, which is valid if it fails as well.
    unsafe { libc::clock_gettime(clock, &mut time) };
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// The clock of another process; none once it has ended.
fn clock_of(pid: u32) -> Option<libc::clockid_t> {
    let mut clock: libc::clockid_t = 0;
    // SAFETY: the call fills an integer of ours.
    let failed = unsafe { libc::clock_getcpuclockid(pid as libc::pid_t, &mut clock) };
    (failed == 0).then_some(clock)
}

/// This thread's processor seconds so far.
pub(super) fn own_seconds() -> f64 {
    read(libc::CLOCK_THREAD_CPUTIME_ID)
}

/// Adds up what the phases take.
pub(super) struct Clock {
    solver: Option<libc::clockid_t>,
    own: f64,
    of_solver: f64,
    pub spent: Spent,
}

impl Clock {
    /// Starts now.
    pub(super) fn start() -> Clock {
        Clock { solver: None, own: own_seconds(), of_solver: 0.0, spent: Spent::default() }
    }

    /// From now on this solver's time counts.
    pub(super) fn watch(&mut self, pid: u32) {
        self.solver = clock_of(pid);
        self.of_solver = self.solver.map_or(0.0, read);
    }

    /// From now on this solver's time counts, and what it has used since it started.
    pub(super) fn watch_from_start(&mut self, pid: u32) {
        self.solver = clock_of(pid);
        self.of_solver = 0.0;
    }

    /// What was used since the last call goes to a phase.
    pub(super) fn lap(&mut self, phase: Phase) {
        let (own, of_solver) = (own_seconds(), self.solver.map_or(0.0, read));
        self.spent.0[phase as usize] += own - self.own + (of_solver - self.of_solver).max(0.0);
        (self.own, self.of_solver) = (own, of_solver);
    }

    /// What was used since the last call counts for nothing.
    pub(super) fn skip(&mut self) {
        (self.own, self.of_solver) = (own_seconds(), self.solver.map_or(0.0, read));
    }
}
