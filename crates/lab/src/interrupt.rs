//! Ctrl-C as a flag: an experiment that is interrupted ends by itself and prints what it has.

use std::sync::atomic::{AtomicBool, Ordering};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

extern "C" fn note(_: libc::c_int) {
    // A second signal ends the program as usual.
    // SAFETY: signal is async-signal-safe, and SIGINT and SIGTERM are valid signals.
    unsafe {
        libc::signal(libc::SIGINT, libc::SIG_DFL);
        libc::signal(libc::SIGTERM, libc::SIG_DFL);
    }
    INTERRUPTED.store(true, Ordering::Relaxed);
}

/// From now on the first SIGINT or SIGTERM only sets the flag.
pub fn listen() {
    let handler = note as extern "C" fn(libc::c_int) as libc::sighandler_t;
    // SAFETY: the handler makes async-signal-safe calls only.
    unsafe {
        libc::signal(libc::SIGINT, handler);
        libc::signal(libc::SIGTERM, handler);
    }
}

/// Whether a signal has come.
pub fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}
