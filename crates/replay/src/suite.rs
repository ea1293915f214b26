//! Compiles generated suites against the real JUnit and runs them: the proof that they are valid and pass.
//!
//! JUnit is asked through its own API by a class of ours (`java/runner/evergreen/suite`), compiled together
//! with the suites. Its console would need more jars, and its text changes from version to version.

use crate::error::Doing;
use crate::javac;
use crate::{Junit, JunitOptions, ReplayError};
use evergreen_classfile::Jdk;
use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The sources of what runs the suites.
const LINES: &str = include_str!("../java/runner/evergreen/suite/Lines.java");
const FIVE: &str = include_str!("../java/runner/evergreen/suite/Five.java");
const FOUR: &str = include_str!("../java/runner/evergreen/suite/Four.java");

/// The jars of a JUnit.
#[derive(Clone, Debug)]
pub struct JunitJars {
    /// Which one.
    pub version: Junit,
    /// Everything that compiling and running needs.
    pub jars: Vec<PathBuf>,
}

impl JunitJars {
    /// Looks in these folders, then in `$EVERGREEN_TOOLS/java`, then in `/usr/share/java`. Jars may have
    /// their version in their names, as those from Maven have.
    pub fn find(version: Junit, folders: &[PathBuf]) -> Result<JunitJars, ReplayError> {
        let tools = std::env::var_os("EVERGREEN_TOOLS").map(|tools| PathBuf::from(tools).join("java"));
        let places: Vec<PathBuf> =
            folders.iter().cloned().chain(tools).chain([PathBuf::from("/usr/share/java")]).collect();
        let all = |names: &[&str]| -> Option<Vec<PathBuf>> {
            places.iter().find_map(|place| names.iter().map(|name| find_jar(place, name)).collect())
        };
        let needed: &[&[&str]] = match version {
            Junit::Five => &[
                &["junit-platform-console-standalone"],
                &[
                    "junit-jupiter-api",
                    "junit-jupiter-engine",
                    "junit-platform-commons",
                    "junit-platform-engine",
                    "junit-platform-launcher",
                    "opentest4j",
                    "apiguardian-api",
                ],
            ],
            Junit::Four => &[&["junit4", "hamcrest"], &["junit", "hamcrest"], &["junit", "hamcrest-core"]],
        };
        // Debian's jar of that name is no standalone one: it needs the others.
        let standalone = |jars: &Vec<PathBuf>| {
            jars.len() > 1 || std::fs::metadata(&jars[0]).is_ok_and(|file| file.len() > 1 << 20)
        };
        match needed.iter().filter_map(|names| all(names)).find(standalone) {
            Some(jars) => Ok(JunitJars { version, jars }),
            None => {
                let names = needed.last().map(|names| names.join(".jar, ")).unwrap_or_default();
                let places: Vec<String> =
                    places.iter().map(|place| format!("'{}'", place.display())).collect();
                Err(ReplayError::NoJunit { looked: format!("{names}.jar in {}", places.join(", ")) })
            }
        }
    }
}

/// `name.jar` or `name-1.2.jar`.
fn find_jar(folder: &Path, name: &str) -> Option<PathBuf> {
    let plain = folder.join(format!("{name}.jar"));
    if plain.is_file() {
        return Some(plain);
    }
    let mut found: Vec<PathBuf> =
        std::fs::read_dir(folder).ok()?.filter_map(|file| Some(file.ok()?.path())).collect();
    found.sort();
    found.into_iter().find(|file| {
        let file = file.file_name().unwrap_or_default().to_string_lossy();
        let version = file.strip_prefix(name).and_then(|rest| rest.strip_prefix('-'));
        version.is_some_and(|rest| rest.ends_with(".jar") && rest.starts_with(|c: char| c.is_ascii_digit()))
    })
}

/// A test class to compile and run.
#[derive(Clone, Debug)]
pub struct Suite {
    /// Its package and name.
    pub options: JunitOptions,
    /// Its source.
    pub source: String,
    /// The names of its test methods, one for each case and in the order of the cases.
    pub tests: Vec<String>,
}

/// The result of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It passed.
    Passed,
    /// It failed.
    Failed,
    /// It was not run: it is disabled.
    Skipped,
}

/// One test that JUnit ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JunitTest {
    /// `package.Class.method`
    pub name: String,
    /// Its result.
    pub fate: Fate,
    /// Why it failed; empty if it did not.
    pub reason: String,
}

/// Compiles suites, all for the JUnit of `jars`, and runs every test of them in one JVM.
pub fn run_junit(
    jdk: &Jdk,
    class_path: &[PathBuf],
    jars: &JunitJars,
    suites: &[Suite],
    limit: Duration,
) -> Result<Vec<JunitTest>, ReplayError> {
    let folder = tempfile::tempdir().doing(|| "making a temporary folder".into())?;
    let (main, runner) = match jars.version {
        Junit::Five => ("Five", FIVE),
        Junit::Four => ("Four", FOUR),
    };
    let mut files = Vec::new();
    let mut add = |name: &Path, text: &str| -> Result<(), ReplayError> {
        let file = folder.path().join("source").join(name);
        let place = file.parent().unwrap_or(folder.path());
        std::fs::create_dir_all(place).doing(|| format!("making '{}'", place.display()))?;
        std::fs::write(&file, text).doing(|| format!("writing '{}'", file.display()))?;
        files.push(file);
        Ok(())
    };
    let own = Path::new("evergreen").join("suite");
    add(&own.join("Lines.java"), LINES)?;
    add(&own.join(format!("{main}.java")), runner)?;
    for suite in suites {
        add(&suite.options.file(), &suite.source)?;
    }
    let classes = folder.path().join("classes");
    let path =
        std::env::join_paths(jars.jars.iter().chain(class_path).chain([&classes])).map_err(|error| {
            ReplayError::Io { doing: "class path".into(), error: std::io::Error::other(error) }
        })?;
    let options = [OsString::from("-cp"), path.clone(), "-nowarn".into(), "-Xlint:none".into()];
    javac::compile(&jdk.home, "the suite", &options, &files, &classes)?;
    let mut command = Command::new(jdk.home.join("bin").join("java"));
    crate::end_with_us(&mut command);
    command.args(["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-ea"]);
    command.env("LC_ALL", "C.UTF-8");
    if jdk.feature >= 9 {
        // Tests may make collections field by field.
        command.args(["--add-opens", "java.base/java.util=ALL-UNNAMED"]);
    }
    command.arg("-cp").arg(path);
    command.arg(format!("evergreen.suite.{main}"));
    command.args(suites.iter().map(|suite| suite.options.full_name()));
    let (output, errors) = run_within(command, limit)?;
    let tests: Vec<JunitTest> = output.lines().filter_map(read_line).collect();
    if tests.is_empty() {
        let java = jdk.home.join("bin").join("java");
        return Err(ReplayError::Start { java, output: output + &errors });
    }
    Ok(tests)
}

/// A line that `Lines.java` wrote.
fn read_line(line: &str) -> Option<JunitTest> {
    let mut parts = line.strip_prefix('\u{1e}')?.splitn(3, '\t');
    let fate = match parts.next()? {
        "passed" => Fate::Passed,
        "failed" => Fate::Failed,
        "skipped" => Fate::Skipped,
        _ => return None,
    };
    Some(JunitTest { fate, name: parts.next()?.into(), reason: parts.next()?.into() })
}

/// Runs a program with a deadline, after which it is killed; returns its two outputs.
fn run_within(mut command: Command, limit: Duration) -> Result<(String, String), ReplayError> {
    let doing = || "running the suite".to_string();
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().doing(doing)?;
    let stdout = child.stdout.take().map(|stream| std::thread::spawn(move || read_all(stream)));
    let stderr = child.stderr.take().map(|stream| std::thread::spawn(move || read_all(stream)));
    let end = Instant::now() + limit;
    while child.try_wait().doing(doing)?.is_none() {
        if Instant::now() > end {
            let _ = child.kill();
            let _ = child.wait();
            return Err(ReplayError::Io {
                doing: doing(),
                error: std::io::Error::new(
                    std::io::ErrorKind::TimedOut,
                    format!("took longer than {limit:?}"),
                ),
            });
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let joined = |thread: Option<std::thread::JoinHandle<String>>| {
        thread.and_then(|thread| thread.join().ok()).unwrap_or_default()
    };
    Ok((joined(stdout), joined(stderr)))
}

fn read_all(mut stream: impl Read) -> String {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}
