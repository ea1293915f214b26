//! The Java compiler: used once for the runner, and for suites that are to be compiled.
//!
//! The runner is shipped as source and compiled where it is first used, into the user's cache folder: about
//! 0.9 s once. Compiled classes in the repository could not be reviewed, and a build of this crate should not
//! need a JDK. A user who replays has a JDK, because Java sources are compiled with it too.

use crate::ReplayError;
use crate::error::Doing;
use crate::sources;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// Where each source lies, and its text.
const SOURCES: [(&str, &str); 13] = [
    ("evergreen/runner/Runner.java", include_str!("../java/runner/evergreen/runner/Runner.java")),
    ("evergreen/runner/Server.java", include_str!("../java/runner/evergreen/runner/Server.java")),
    ("evergreen/runner/Case.java", include_str!("../java/runner/evergreen/runner/Case.java")),
    ("evergreen/runner/CaseLoader.java", include_str!("../java/runner/evergreen/runner/CaseLoader.java")),
    ("evergreen/runner/ClassPath.java", include_str!("../java/runner/evergreen/runner/ClassPath.java")),
    ("evergreen/runner/Graph.java", include_str!("../java/runner/evergreen/runner/Graph.java")),
    ("evergreen/runner/Answers.java", include_str!("../java/runner/evergreen/runner/Answers.java")),
    (
        "evergreen/runner/FunctionClass.java",
        include_str!("../java/runner/evergreen/runner/FunctionClass.java"),
    ),
    ("evergreen/runner/Wire.java", include_str!("../java/runner/evergreen/runner/Wire.java")),
    ("evergreen/Sym.java", sources::SYM),
    ("evergreen/Probe.java", sources::PROBE),
    ("evergreen/AssumptionViolated.java", sources::ASSUMPTION_VIOLATED),
    ("evergreen/CheckFailed.java", sources::CHECK_FAILED),
];

/// The oldest Java whose JVM can run the runner.
const RELEASE: &str = "11";

/// The runner and the driver API, compiled.
pub(crate) struct Runtime {
    /// The folder with the classes.
    pub(crate) classes: PathBuf,
    /// Where it is kept.
    pub(crate) cache: Option<PathBuf>,
    /// Set if there is no cache folder: a temporary folder, deleted on drop.
    _temporary: Option<TempDir>,
}

/// Compiles the runner if that was not done before. `cache` is where to keep it; by default
/// in the user's cache folder.
pub(crate) fn runtime(home: &Path, cache: Option<&Path>) -> Result<Runtime, ReplayError> {
    let Some(cache) = self::cache(cache).filter(|folder| std::fs::create_dir_all(folder).is_ok()) else {
        let folder = compile_runner(home)?;
        return Ok(Runtime { classes: folder.path().join(CLASSES), cache: None, _temporary: Some(folder) });
    };
    let classes = compiled(&cache);
    if !classes.is_dir() {
        let folder = compile_runner(home)?;
        // All or nothing. If another process was faster, the cache already has the same classes.
        if let Err(error) = put(&folder.path().join(CLASSES), &cache, &classes)
            && !classes.is_dir()
        {
            return Err(ReplayError::Io { doing: format!("making '{}'", classes.display()), error });
        }
    }
    Ok(Runtime { classes, cache: Some(cache), _temporary: None })
}

/// Whether the runner need not be compiled.
pub(crate) fn is_compiled(cache: Option<&Path>) -> bool {
    self::cache(cache).is_some_and(|cache| compiled(&cache).is_dir())
}

fn compiled(cache: &Path) -> PathBuf {
    cache.join(format!("runner-{:016x}", key()))
}

/// The folder that is given, or the user's.
pub(crate) fn cache(given: Option<&Path>) -> Option<PathBuf> {
    given.map(Path::to_path_buf).or_else(user_cache)
}

/// The folder of the compiled classes in the folder that they are made in.
const CLASSES: &str = "classes";

/// Puts a folder of classes into the cache, at once. Where the cache is on another disk
/// it is copied there first.
fn put(made: &Path, cache: &Path, classes: &Path) -> std::io::Result<()> {
    if std::fs::rename(made, classes).is_ok() {
        return Ok(());
    }
    let beside = tempfile::Builder::new().prefix("making-runner-").tempdir_in(cache)?;
    let copy = beside.path().join(CLASSES);
    copy_folder(made, &copy)?;
    std::fs::rename(copy, classes)
}

fn copy_folder(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true => copy_folder(&entry.path(), &target)?,
            false => drop(std::fs::copy(entry.path(), target)?),
        }
    }
    Ok(())
}

/// Compiles the runner in a new folder. Not under a fixed name: another user could put classes into a folder
/// that all can write to. Not in the cache: a killed compiler would leave a partial folder there.
fn compile_runner(home: &Path) -> Result<TempDir, ReplayError> {
    let place = tempfile::env::temp_dir();
    let folder = tempfile::Builder::new()
        .prefix("making-runner-")
        .tempdir_in(&place)
        .doing(|| format!("making a folder in '{}'", place.display()))?;
    let sources = folder.path().join("source");
    let mut files = Vec::new();
    for (name, text) in SOURCES {
        let file = sources.join(name);
        let parent = file.parent().unwrap_or(&sources);
        std::fs::create_dir_all(parent).doing(|| format!("making '{}'", parent.display()))?;
        std::fs::write(&file, text).doing(|| format!("writing '{}'", file.display()))?;
        files.push(file);
    }
    let options = ["--release", RELEASE, "-nowarn", "-Xlint:none"].map(OsString::from);
    compile(home, "the runner", &options, &files, &folder.path().join(CLASSES))?;
    Ok(folder)
}

/// Compiles files into the folder `classes`.
pub(crate) fn compile(
    home: &Path,
    what: &str,
    options: &[OsString],
    files: &[PathBuf],
    classes: &Path,
) -> Result<(), ReplayError> {
    let javac = home.join("bin").join("javac");
    if !javac.is_file() {
        return Err(ReplayError::NoCompiler { javac });
    }
    std::fs::create_dir_all(classes).doing(|| format!("making '{}'", classes.display()))?;
    let mut command = Command::new(&javac);
    crate::end_with_us(&mut command);
    // Names of class files are written in the locale's encoding.
    command.env("LC_ALL", "C.UTF-8");
    // The compiler lives too short for its own best code to pay.
    command.args(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-proc:none", "-encoding", "UTF-8"]);
    command.args(options).arg("-d").arg(classes).args(files);
    let run = command.output().doing(|| format!("starting '{}'", javac.display()))?;
    if run.status.success() {
        return Ok(());
    }
    let mut output = String::from_utf8_lossy(&run.stderr).into_owned();
    output.push_str(&String::from_utf8_lossy(&run.stdout));
    Err(ReplayError::Compile { what: what.into(), output })
}

/// Where this user's programs keep what can be made again.
fn user_cache() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = set("XDG_CACHE_HOME").or_else(|| set("HOME").map(|home| home.join(".cache")))?;
    Some(base.join("evergreen"))
}

/// Changes with the sources. No protection against attackers: a process that can write to the cache
/// can write anything there.
fn key() -> u64 {
    let mut hash = Fnv::new();
    for (name, text) in SOURCES {
        hash.add(name.as_bytes());
        hash.add(text.as_bytes());
    }
    hash.add(RELEASE.as_bytes());
    hash.value()
}

/// FNV-1a: the same on every machine and in every version, which the hasher of the standard
/// library does not promise.
pub(crate) struct Fnv(u64);

impl Fnv {
    pub(crate) fn new() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }

    pub(crate) fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ *byte as u64).wrapping_mul(0x0100_0000_01b3);
        }
    }

    pub(crate) fn value(&self) -> u64 {
        self.0
    }
}
