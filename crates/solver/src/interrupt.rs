//! An interrupt from the keyboard while a solver is waited for.
//!
//! z3 gives up the check that is under way, says `unknown` and goes on with its script. Solvers lead process
//! groups of their own, so that a terminal's Ctrl-C does not reach them: the handler of the signal passes it
//! on by [`interrupt_waited`]. A second interrupt of the same check ends bare z3. It is not passed on, so it
//! ends the program here, too.

use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, Ordering::SeqCst};

/// The process that is waited for, or 0.
static WAITED: AtomicI32 = AtomicI32::new(0);
/// Whether it has been interrupted already.
static IS_INTERRUPTED: AtomicBool = AtomicBool::new(false);
/// How often one was interrupted.
static INTERRUPTIONS: AtomicU32 = AtomicU32::new(0);

/// Interrupts the solver that is waited for. False when none is, or when it has been interrupted already. May
/// be called by a signal handler.
pub fn interrupt_waited() -> bool {
    let pid = WAITED.load(SeqCst);
    if pid == 0 || IS_INTERRUPTED.swap(true, SeqCst) {
        return false;
    }
    INTERRUPTIONS.fetch_add(1, SeqCst);
    // SAFETY: kill is async-signal-safe. A process that is waited for is not reaped, so the id is its own.
    unsafe { libc::kill(pid, libc::SIGINT) == 0 }
}

/// How often a solver was interrupted so far: a check during which this changes was not given up by the
/// solver itself.
pub fn interruptions() -> u32 {
    INTERRUPTIONS.load(SeqCst)
}

/// While it lives, a process is waited for.
pub(crate) struct Waiting;

impl Waiting {
    pub(crate) fn begin(pid: u32) -> Waiting {
        IS_INTERRUPTED.store(false, SeqCst);
        WAITED.store(i32::try_from(pid).unwrap_or(0), SeqCst);
        Waiting
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        WAITED.store(0, SeqCst);
    }
}
