//! Shared by the tests of this crate: the installed solvers, fake solvers, and a view of running processes.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use evergreen_solver::{Command, find_program};

/// The real solver of that name: `$EVERGREEN_TOOLS/bin`, the repository's `.tools/bin`, `PATH`. A test
/// without its solver fails.
pub(crate) fn real(name: &str) -> Command {
    let own_tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.tools/bin").join(name);
    let given = std::env::var_os("EVERGREEN_TOOLS").map(|tools| Path::new(&tools).join("bin").join(name));
    let found = given.filter(|path| path.exists()).or(Some(own_tools).filter(|path| path.exists()));
    match found.or_else(|| find_program(name)) {
        Some(program) => Command::new(program),
        None => panic!("solver \"{name}\" not found\nhelp: run scripts/setup.sh"),
    }
}

/// A fake solver: a shell script in a folder of its own that is removed at the end.
pub(crate) struct Fake {
    folder: PathBuf,
    /// How to start it.
    pub command: Command,
}

impl Fake {
    /// A solver that runs `script` under `sh`.
    pub(crate) fn new(script: &str) -> Fake {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("evergreen-fake-{}-{count}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let program = folder.join("fake");
        fs::write(&program, format!("#!/bin/sh\n{script}\n")).expect("a script");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("an executable script");
        // Started through `sh`: executing a file that another thread's fork still
        // holds open for writing fails.
        let mut command = Command::new("/bin/sh");
        command.args = vec![program.display().to_string()];
        Fake { folder, command }
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// A process's state letter and group, from `/proc`.
fn stat(pid: u32) -> Option<(char, u32)> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    let state = fields.next()?.chars().next()?;
    let group = fields.nth(1)?.parse().ok()?;
    Some((state, group))
}

/// Whether there is such a process, a zombie included.
pub(crate) fn exists(pid: u32) -> bool {
    stat(pid).is_some()
}

/// The living processes of a group; zombies that wait for init are not counted, the leader's zombie is.
pub(crate) fn group_members(leader: u32) -> Vec<u32> {
    let entries = fs::read_dir("/proc").expect("/proc");
    let pids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
    pids.filter(|&pid| {
        stat(pid).is_some_and(|(state, group)| group == leader && (state != 'Z' || pid == leader))
    })
    .collect()
}

/// Whether `done` becomes true within a minute.
pub(crate) fn eventually(done: impl Fn() -> bool) -> bool {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !done() {
        if Instant::now() > deadline {
            return false;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    true
}
