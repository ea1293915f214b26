//! Compilers and JVMs that end with this program, in whatever way it ends: their output folders are removed
//! with it, and no process remains to read their output.

use std::os::unix::process::CommandExt;
use std::process::Command;

/// Makes the kernel end a child when the thread that starts it ends. That thread should wait for the child.
pub fn end_with_us(command: &mut Command) {
    let parent = std::process::id();
    let prepare = move || {
        // SAFETY: plain system calls on values.
        unsafe {
            if libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) != 0 {
                return Err(std::io::Error::last_os_error());
            }
            // The parent may have ended before this was set up.
            if libc::getppid() as u32 != parent {
                libc::_exit(127);
            }
        }
        Ok(())
    };
    // SAFETY: between fork and exec only async-signal-safe calls are made, and nothing is allocated.
    unsafe {
        command.pre_exec(prepare);
    }
}
