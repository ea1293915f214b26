//! Java sources, compiled into a folder of their own by the installed `javac`.

use crate::ProgramError;
use crate::program::{sources_in, trouble};
use evergreen_classfile::{ClassPath, Jdk, read};
use evergreen_replay::sources;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// The driver API, which sources may use without having it.
const SYM: [(&str, &str); 4] = [
    ("Sym.java", sources::SYM),
    ("AssumptionViolated.java", sources::ASSUMPTION_VIOLATED),
    ("CheckFailed.java", sources::CHECK_FAILED),
    ("Invariant.java", sources::INVARIANT),
];

/// So many sources are compiled before the compiler's own best code would pay.
const FEW: usize = 50;

/// What came of compiling.
pub(crate) struct Compiled {
    /// Keeps the files.
    pub(crate) scratch: TempDir,
    /// Where the classes are.
    pub(crate) folder: PathBuf,
    /// Internal names of the classes that the given sources (not others that they needed) declare.
    pub(crate) classes: Vec<String>,
}

/// Compiles sources with debugging information. Classes that they use are found beside them, in `places`, on
/// the class path, and among the driver API.
pub(crate) fn compile(
    jdk: &Jdk,
    sources: &[PathBuf],
    places: &[PathBuf],
    class_path: Option<&str>,
) -> Result<Compiled, ProgramError> {
    let javac = jdk.program("javac").ok_or_else(|| {
        trouble(
            &jdk.home,
            "has no javac\nhelp: install a JDK, or compile the source and give the .class file",
        )
    })?;
    // The name is unpredictable: in a folder that all users can write to, another user could put classes
    // there first.
    let place = tempfile::env::temp_dir();
    let scratch =
        tempfile::Builder::new().prefix("evergreen-").tempdir_in(&place).map_err(|e| trouble(&place, e))?;
    let (classes, sym) = (scratch.path().join("classes"), scratch.path().join("sym/evergreen"));
    for folder in [&classes, &sym] {
        std::fs::create_dir_all(folder).map_err(|e| trouble(folder, e))?;
    }
    for (name, text) in SYM {
        std::fs::write(sym.join(name), text).map_err(|e| trouble(&sym, e))?;
    }
    let (mut source_path, together) = source_path(sources)?;
    source_path.push(scratch.path().join("sym"));
    let mut all: Vec<PathBuf> = places.to_vec();
    all.extend(class_path.into_iter().flat_map(std::env::split_paths));
    let joined = |paths: &[PathBuf]| std::env::join_paths(paths).map_err(|e| ProgramError(e.to_string()));
    let mut command = Command::new(&javac);
    evergreen_replay::end_with_us(&mut command);
    if sources.len().max(together.len()) <= FEW {
        command.args(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"]);
    }
    command
        .args(["-g", "-proc:none", "-nowarn", "-encoding", "UTF-8", "-implicit:class", "-d"])
        .arg(&classes);
    command.arg("-sourcepath").arg(joined(&source_path)?);
    command.arg("-classpath").arg(joined(if all.is_empty() { &source_path } else { &all })?);
    command.args(if together.is_empty() { sources } else { &together });
    let done = command.output().map_err(|e| trouble(&javac, e))?;
    if !done.status.success() {
        let said = String::from_utf8_lossy(&done.stderr);
        return Err(ProgramError(format!("javac says:\n{}", said.trim_end())));
    }
    let names = declared(&classes, sources)?;
    Ok(Compiled { scratch, folder: classes, classes: names })
}

/// Where javac finds what the sources use, and, if some are in a module, all files that it has to be given
/// instead: in a folder with a `module-info.java` it would compile the module, which may need what is not
/// here.
fn source_path(sources: &[PathBuf]) -> Result<(Vec<PathBuf>, Vec<PathBuf>), ProgramError> {
    let mut roots: Vec<PathBuf> = Vec::new();
    for source in sources {
        let root = source_root(source)?;
        if !roots.contains(&root) {
            roots.push(root);
        }
    }
    let (modules, roots): (Vec<PathBuf>, Vec<PathBuf>) =
        roots.into_iter().partition(|root| root.join("module-info.java").exists());
    if modules.is_empty() {
        return Ok((roots, Vec::new()));
    }
    let mut files = sources.to_vec();
    for module in &modules {
        files.extend(sources_in(module)?);
    }
    let mut together = Vec::new();
    for file in &files {
        together.push(file.canonicalize().map_err(|e| trouble(file, e))?);
    }
    together.sort();
    together.dedup();
    Ok((roots, together))
}

/// The classes that sources declare: those whose files name them.
fn declared(folder: &Path, sources: &[PathBuf]) -> Result<Vec<String>, ProgramError> {
    let mut path = ClassPath::new();
    path.add_dir(folder).map_err(|e| ProgramError(e.to_string()))?;
    let mut found = Vec::new();
    for name in path.classes().map_err(|e| ProgramError(e.to_string()))? {
        let Some(class) = path.find(&name).map_err(|e| ProgramError(e.to_string()))? else { continue };
        let class = read(&class.bytes).map_err(|e| ProgramError(format!("class {name}: {e}")))?;
        let file = class.source_file.as_deref();
        if sources.iter().any(|source| source.file_name().and_then(|n| n.to_str()) == file) {
            found.push(name);
        }
    }
    Ok(found)
}

/// The folder where the packages of a source begin.
fn source_root(source: &Path) -> Result<PathBuf, ProgramError> {
    let text = std::fs::read(source).map_err(|e| trouble(source, e))?;
    let text = String::from_utf8_lossy(&text);
    let folder = match source.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_path_buf(),
        _ => PathBuf::from("."),
    };
    let package = text.lines().find_map(|line| line.trim().strip_prefix("package ")?.split(';').next());
    let mut root = folder.clone();
    for part in package.into_iter().flat_map(|p| p.trim().rsplit('.')) {
        if root.file_name().is_none_or(|name| name != part) {
            return Ok(folder);
        }
        root.pop();
    }
    Ok(if root.as_os_str().is_empty() { PathBuf::from(".") } else { root })
}
