//! A child process that cannot outlive us: its own process group, killed whole; reaped always.
//!
//! Three kernel facilities, and why each is needed:
//!
//! - *Process group*: a solver may be a wrapper script; killing only the script would leave the
//!   solver running. The group is killed while its leader is still unreaped, so that the kernel
//!   cannot have reused its number.
//! - *Parent-death signal*: after `kill -9` of us no other process would stop a solver that is deep in a
//!   search. The kernel sends the signal when the *thread* that forked the child ends, so all children are
//!   forked by one thread that lives as long as the program. It reaches the child itself, not its children: a
//!   wrapper should `exec` its solver.
//! - *Resource limits*: address space (the memory limit), and no core files.

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Mutex, OnceLock, mpsc};
use std::time::{Duration, Instant};

use crate::limits::Limits;

/// A running child, leader of its own process group.
#[derive(Debug)]
pub(crate) struct Guarded {
    child: Child,
    /// Readable once the child has ended; absent on kernels before 5.3.
    end_watch: Option<OwnedFd>,
    /// Set once the child has been reaped.
    status: Option<ExitStatus>,
    peak_mb: u64,
}

impl Guarded {
    /// Starts a command with all three standard streams piped. It inherits one more descriptor if there is
    /// one.
    pub(crate) fn start(
        mut command: Command,
        limits: &Limits,
        inherited: Option<RawFd>,
    ) -> io::Result<Guarded> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        let address_space = limits.memory_mb.map(|mb| mb.saturating_mul(1024 * 1024));
        let parent = std::process::id();
        // SAFETY: between fork and exec only async-signal-safe calls are made, and nothing is allocated.
        unsafe {
            command.pre_exec(move || prepare(parent, address_space, inherited));
        }
        let child = fork_in_lasting_thread(command)?;
        let end_watch = open_end_watch(child.id());
        Ok(Guarded { child, end_watch, status: None, peak_mb: 0 })
    }

    pub(crate) fn child_mut(&mut self) -> &mut Child {
        &mut self.child
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// A file descriptor that polls readable once the child has ended; -1 (ignored by
    /// poll) when there is none.
    pub(crate) fn end_watch(&self) -> RawFd {
        self.end_watch.as_ref().map_or(-1, AsRawFd::as_raw_fd)
    }

    /// Waits at most `patience` for the child to end by itself, then kills its group, and reaps it. The
    /// status is `None` when it had to be killed.
    pub(crate) fn end_within(&mut self, patience: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + patience;
        let mut pause = Duration::from_micros(100);
        while !self.has_ended() && Instant::now() < deadline {
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(10));
        }
        let by_itself = self.has_ended();
        self.kill();
        self.status.filter(|_| by_itself)
    }

    /// Kills the whole group and reaps the child. Harmless when repeated.
    pub(crate) fn kill(&mut self) {
        if self.status.is_some() {
            return;
        }
        // SAFETY: the leader is not reaped yet, so the group number is still ours.
        unsafe {
            libc::kill(-(self.child.id() as libc::pid_t), libc::SIGKILL);
        }
        self.status = self.child.wait().ok();
    }

    /// The most memory that the child has held; known once it has ended by itself.
    pub(crate) fn peak_mb(&self) -> u64 {
        self.peak_mb
    }

    /// Whether the child has ended; it is left unreaped.
    fn has_ended(&mut self) -> bool {
        if self.status.is_some() {
            return true;
        }
        // SAFETY: `info` and `usage` are valid for writing, and all zeroes is a valid value of both. The
        // system call has a fifth parameter that the library function lacks.
        unsafe {
            let mut info: libc::siginfo_t = std::mem::zeroed();
            let mut usage: libc::rusage = std::mem::zeroed();
            let flags = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
            let id = self.child.id();
            let waited =
                libc::syscall(libc::SYS_waitid, libc::P_PID, id, &raw mut info, flags, &raw mut usage);
            self.peak_mb = u64::try_from(usage.ru_maxrss).unwrap_or(0) / 1024;
            waited != 0 || info.si_pid() != 0
        }
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Runs in the child between fork and exec.
fn prepare(parent: u32, address_space: Option<u64>, inherited: Option<RawFd>) -> io::Result<()> {
    // SAFETY: plain system calls on values.
    unsafe {
        if libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) != 0 {
            return Err(io::Error::last_os_error());
        }
        // The parent may have died before the signal was set up.
        if libc::getppid() as u32 != parent {
            libc::_exit(127);
        }
        // Without the flag that closes it.
        if let Some(fd) = inherited {
            libc::fcntl(fd, libc::F_SETFD, 0);
        }
        let no_core = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        libc::setrlimit(libc::RLIMIT_CORE, &no_core);
        if let Some(bytes) = address_space {
            let limit = libc::rlimit { rlim_cur: bytes, rlim_max: bytes };
            if libc::setrlimit(libc::RLIMIT_AS, &limit) != 0 {
                return Err(io::Error::last_os_error());
            }
        }
    }
    Ok(())
}

type Order = (Command, mpsc::Sender<io::Result<Child>>);

/// Forks in the one thread that lives as long as the program (see the head of this file).
fn fork_in_lasting_thread(command: Command) -> io::Result<Child> {
    static FORKER: OnceLock<Option<Mutex<mpsc::Sender<Order>>>> = OnceLock::new();
    let forker = FORKER.get_or_init(|| {
        let (orders, receiver) = mpsc::channel::<Order>();
        let thread = std::thread::Builder::new().name("solver-forker".into());
        let body = move || {
            for (mut command, reply) in receiver {
                // If the caller no longer waits, the child must not be left behind.
                if let Err(mpsc::SendError(Ok(mut child))) = reply.send(command.spawn()) {
                    let _ = child.kill();
                    let _ = child.wait();
                }
            }
        };
        thread.spawn(body).ok().map(|_| Mutex::new(orders))
    });
    let gone = || io::Error::other("the thread that starts solvers has ended");
    let (reply, answer) = mpsc::channel();
    let orders = forker.as_ref().ok_or_else(gone)?;
    let sent = match orders.lock() {
        Ok(orders) => orders.send((command, reply)),
        Err(poisoned) => poisoned.into_inner().send((command, reply)),
    };
    sent.map_err(|_| gone())?;
    answer.recv().map_err(|_| gone())?
}

fn open_end_watch(pid: u32) -> Option<OwnedFd> {
    // SAFETY: a system call on values; the descriptor that it returns is new, so this
    // value is its only owner.
    unsafe {
        let fd = libc::syscall(libc::SYS_pidfd_open, pid as libc::pid_t, 0);
        (fd >= 0).then(|| OwnedFd::from_raw_fd(fd as RawFd))
    }
}
