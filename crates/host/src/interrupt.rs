//! Signals that lose nothing and leave nothing: what would end the program first has stores written out, work
//! stopped in an orderly manner, and temporary folders removed.
//!
//! A handler may do next to nothing, so it only writes the signal's number into a pipe; a thread waits at the
//! other end. What the first signal does depends on the command: flush a store and end, set a flag and go on
//! until the work has stopped, or end. At the end the folder for temporary files is removed
//! ([`crate::scratch`]), and the signal has its usual effect, so that the caller sees which one it was.
//! Solvers die with us whatever happens: the kernel sees to that.

use std::io::Read;
use std::os::fd::{AsRawFd, IntoRawFd};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Once, PoisonError};

const SIGNALS: [libc::c_int; 3] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP];

/// The end of the pipe that the handler writes to.
static ALARM: AtomicI32 = AtomicI32::new(-1);
/// Whether the first signal has a store written out, which may take as long as the store likes: a second one
/// ends the program at once.
static FLUSHES: AtomicBool = AtomicBool::new(false);
/// Takes an interrupt from the keyboard on itself, if it can: the address of a function.
static RELAY: AtomicUsize = AtomicUsize::new(0);
/// Whether a signal is about to end the program.
static ENDING: AtomicBool = AtomicBool::new(false);
/// What the first signal does.
static FIRST: Mutex<Option<First>> = Mutex::new(None);

/// What the first signal does.
enum First {
    /// Writes a store out; then the program ends.
    Flush(Box<dyn FnOnce() + Send>),
    /// Sets a flag; the program goes on, and ends by itself.
    Flag(Arc<AtomicBool>),
}

extern "C" fn note(signal: libc::c_int) {
    if signal == libc::SIGINT && is_relayed() {
        return;
    }
    if FLUSHES.load(Ordering::Relaxed) {
        restore();
    }
    let number = signal as u8;
    // SAFETY: write is async-signal-safe; the descriptor stays open for the life of the program.
    unsafe {
        libc::write(ALARM.load(Ordering::Relaxed), (&raw const number).cast(), 1);
    }
}

/// Whether somebody else has taken the interrupt.
fn is_relayed() -> bool {
    match RELAY.load(Ordering::SeqCst) {
        0 => false,
        address => {
            // SAFETY: only `relay_interrupts` stores here, and what it stores is such a function.
            let relay = unsafe { std::mem::transmute::<usize, fn() -> bool>(address) };
            relay()
        }
    }
}

/// From now on an interrupt from the keyboard goes to `relay` first, and ends the program only if that
/// returns false. It is called by a signal handler, so it may do next to nothing.
pub fn relay_interrupts(relay: fn() -> bool) {
    RELAY.store(relay as usize, Ordering::SeqCst);
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

/// From now on a signal that ends the program runs `flush` first, which writes a store out. If the pipe or
/// the thread cannot be made, signals keep their usual effect.
pub fn flush_on_signal(flush: impl FnOnce() + Send + 'static) {
    listen(Some(First::Flush(Box::new(flush))));
}

/// A flag that the first signal sets, for work that ends by itself with what it has. A second signal ends the
/// program.
pub fn flag_on_signal() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    listen(Some(First::Flag(flag.clone())));
    flag
}

/// From now on a signal that ends the program has temporary folders removed first.
pub fn clean_on_signal() {
    listen(None);
}

/// Waits for the end if a signal is about to bring it: what a command says then is about files that were
/// removed under it and programs that were ended.
pub fn yield_to_signal() {
    while ENDING.load(Ordering::SeqCst) {
        std::thread::park();
    }
}

/// Says what the first signal does, and has signals handled from now on.
fn listen(first: Option<First>) {
    FLUSHES.store(matches!(first, Some(First::Flush(_))), Ordering::Relaxed);
    *FIRST.lock().unwrap_or_else(PoisonError::into_inner) = first;
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let Ok((reader, writer)) = std::io::pipe() else { return };
        let waiting = std::thread::Builder::new().name("interrupt".into()).spawn(|| wait(reader));
        if waiting.is_err() {
            return;
        }
        // The handler needs it until the end.
        ALARM.store(writer.as_raw_fd(), Ordering::Relaxed);
        let _ = writer.into_raw_fd();
        handle();
    });
}

/// Does what each signal that arrives asks for.
fn wait(mut reader: impl Read) {
    let mut number = [0u8];
    while reader.read_exact(&mut number).is_ok() {
        match FIRST.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(First::Flag(flag)) => {
                flag.store(true, Ordering::Relaxed);
                continue;
            }
            Some(First::Flush(flush)) => flush(),
            None => {}
        }
        ENDING.store(true, Ordering::SeqCst);
        crate::scratch::abandon();
        restore();
        // SAFETY: plain system calls; the signal has its default effect again, which is to end the program.
        unsafe {
            libc::kill(libc::getpid(), libc::c_int::from(number[0]));
        }
    }
}

fn handle() {
    for signal in SIGNALS {
        // SAFETY: the handler is async-signal-safe. A signal that the caller has us ignore (nohup) stays
        // ignored.
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
