//! What the tests of the laboratory share: the programs, folders, outputs.

use evergreen_testing::tools::{put_on_path, repository, write_program};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Once;
use std::time::{Duration, SystemTime};

/// How long anything may take before a test reports that it hangs. Never a measure of speed.
pub(crate) const PATIENCE: Duration = Duration::from_secs(300);

/// A folder of its own, removed at the end.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder for a test"))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn text(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    /// A file in it.
    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, content).expect("a file for a test");
        path
    }

    /// A program in it.
    pub(crate) fn program(&self, name: &str, content: &str) -> PathBuf {
        let path = self.path(name);
        write_program(&path, content.as_bytes());
        path
    }
}

/// The folder of the subjects.
pub(crate) fn subjects() -> PathBuf {
    repository().join("subjects")
}

/// `evergreen-lab`, with the installed tools.
pub(crate) fn lab() -> Command {
    put_on_path();
    let mut command = Command::new(env!("CARGO_BIN_EXE_evergreen-lab"));
    heed_signals(&mut command);
    command
}

/// Signals have their usual effect on a command, also when these tests run in the background or under nohup.
fn heed_signals(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    // SAFETY: signal is async-signal-safe, and these are valid signals.
    unsafe {
        command.pre_exec(|| {
            for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
                libc::signal(signal, libc::SIG_DFL);
            }
            Ok(())
        });
    }
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The newest change of the sources below a folder.
fn newest(folder: &Path) -> SystemTime {
    let mut newest = SystemTime::UNIX_EPOCH;
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            newest = newest.max(self::newest(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            newest = newest.max(entry.metadata().and_then(|m| m.modified()).unwrap_or(newest));
        }
    }
    newest
}

/// The program `evergreen`. A run of all tests has built it; a run of this crate's tests alone builds it when
/// it is missing or older than the sources.
pub(crate) fn product() -> PathBuf {
    let own = std::env::current_exe().expect("this program");
    let folder = own.ancestors().nth(2).expect("a folder of builds");
    let product = folder.join("evergreen");
    static BUILT: Once = Once::new();
    BUILT.call_once(|| build(folder, &product));
    product
}

fn build(folder: &Path, product: &Path) {
    let built = std::fs::metadata(product).and_then(|m| m.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
    let crates = std::fs::read_dir(repository().join("crates")).expect("crates").flatten();
    let sources = crates.filter(|c| c.file_name() != "lab").map(|c| newest(&c.path().join("src"))).max();
    if sources.is_some_and(|sources| sources > built) {
        let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
        let mut build = Command::new(cargo);
        build.args(["build", "--quiet", "-p", "evergreen-smt-cli", "--bin", "evergreen"]);
        if folder.ends_with("release") {
            build.arg("--release");
        }
        assert!(
            build.current_dir(repository()).status().expect("cargo").success(),
            "evergreen does not build"
        );
    }
}
