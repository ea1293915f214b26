//! Ctrl-C that loses nothing: a signal that would end the program first has the stores written out.
//!
//! A handler may do next to nothing, so it only writes the signal's number into a pipe; a thread waits at the other end,
//! flushes, and then lets the signal have its usual effect, so that the caller sees which one it was. A second signal
//! ends the program at once. The solver dies with us whatever happens: the kernel sees to that.

use evergreen::store::Store;
use std::io::Read;
use std::os::fd::{AsRawFd, IntoRawFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

const SIGNALS: [libc::c_int; 3] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP];

/// The end of the pipe that the handler writes to.
static ALARM: AtomicI32 = AtomicI32::new(-1);

extern "C" fn note(signal: libc::c_int) {
    restore();
    let number = signal as u8;
    // SAFETY: write is async-signal-safe; the descriptor stays open for the life of the program.
    unsafe {
        libc::write(ALARM.load(Ordering::Relaxed), (&raw const number).cast(), 1);
    }
}

/// Gives the signals their usual effect again.
fn restore() {
    for signal in SIGNALS {
        // SAFETY: signal is async-signal-safe, and these are valid signals.
        unsafe {
            libc::signal(signal, libc::SIG_DFL);
        }
    }
}

/// From now on a signal that ends the program has the store flushed first. Without the means for it (no pipe, no
/// thread) signals keep their usual effect.
pub fn flush_on_signal(store: Arc<dyn Store>) {
    on_signal(move |signal| {
        if let Err(e) = store.flush() {
            crate::say::warn_once(&e.to_string());
        }
        // SAFETY: plain system calls; the signal has its default effect again, which is to end the program.
        unsafe {
            libc::kill(libc::getpid(), signal);
        }
    });
}

/// A flag that the first signal sets, for work that ends by itself with what it has. A second signal ends the program.
pub fn flag_on_signal() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = flag.clone();
    on_signal(move |_| set.store(true, Ordering::Relaxed));
    flag
}

/// Has the first signal that would end the program do something else, outside of the handler.
fn on_signal(act: impl FnOnce(libc::c_int) + Send + 'static) {
    let Ok((mut reader, writer)) = std::io::pipe() else { return };
    let alarm = writer.as_raw_fd();
    let body = move || {
        let mut number = [0u8];
        if reader.read_exact(&mut number).is_ok() {
            act(libc::c_int::from(number[0]));
        }
    };
    if std::thread::Builder::new().name("interrupt".into()).spawn(body).is_err() {
        return;
    }
    ALARM.store(alarm, Ordering::Relaxed);
    // The handler needs it until the end.
    let _ = writer.into_raw_fd();
    for signal in SIGNALS {
        // SAFETY: the handler is async-signal-safe. A signal that the caller has us ignore (nohup) stays ignored.
        unsafe {
            let mut old: libc::sigaction = std::mem::zeroed();
            if libc::sigaction(signal, std::ptr::null(), &raw mut old) == 0
                && old.sa_sigaction == libc::SIG_IGN
            {
                continue;
            }
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = note as extern "C" fn(libc::c_int) as libc::sighandler_t;
            action.sa_flags = libc::SA_RESTART;
            libc::sigaction(signal, &raw const action, std::ptr::null_mut());
        }
    }
}
