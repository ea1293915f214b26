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

/// The folder of the class by which verification tasks draw inputs.
const VERIFIER: &str = "org/sosy_lab/sv_benchmarks";

/// Names by which class files use the driver API.
const API_NAMES: [&[u8]; 2] = [b"evergreen/Sym", b"org/sosy_lab/sv_benchmarks/Verifier"];

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
    let javac = javac(jdk)?;
    let scratch = scratch()?;
    let classes = scratch.path().join("classes");
    let (mut source_path, together) = source_path(sources)?;
    // A task's own `Verifier` draws at random; ours is found first.
    source_path.insert(0, scratch.path().join("verifier"));
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

fn javac(jdk: &Jdk) -> Result<PathBuf, ProgramError> {
    jdk.program("javac").ok_or_else(|| {
        trouble(
            &jdk.home,
            "has no javac\nhelp: install a JDK, or compile the source and give the .class file",
        )
    })
}

/// A folder with the sources of the driver API, and one for classes.
fn scratch() -> Result<TempDir, ProgramError> {
    // The name is unpredictable: in a folder that all users can write to, another user could put classes
    // there first.
    let place = tempfile::env::temp_dir();
    let scratch =
        tempfile::Builder::new().prefix("evergreen-").tempdir_in(&place).map_err(|e| trouble(&place, e))?;
    let (sym, verifier) =
        (scratch.path().join("sym/evergreen"), scratch.path().join("verifier").join(VERIFIER));
    for folder in [&scratch.path().join("classes"), &sym, &verifier] {
        std::fs::create_dir_all(folder).map_err(|e| trouble(folder, e))?;
    }
    let written = SYM.iter().map(|(name, text)| (sym.join(name), *text));
    for (file, text) in written.chain([(verifier.join("Verifier.java"), sources::VERIFIER)]) {
        std::fs::write(&file, text).map_err(|e| trouble(&file, e))?;
    }
    Ok(scratch)
}

/// The driver API, compiled, if class files use it and do not bring it: a class path without
/// `evergreen.Sym`, or a `Verifier` that does not draw from it.
pub(crate) fn missing_api(
    jdk: &Jdk,
    places: &[PathBuf],
    names: &[String],
) -> Result<Option<Compiled>, ProgramError> {
    let mut path = ClassPath::new();
    for place in places {
        path.add(place).map_err(|e| ProgramError(e.to_string()))?;
    }
    let bytes_of = |name: &str| -> Result<Option<Vec<u8>>, ProgramError> {
        let found = path.find(name).map_err(|e| ProgramError(e.to_string()))?;
        Ok(found.map(|class| class.bytes.to_vec()))
    };
    let names_one = |bytes: &[u8], name: &[u8]| bytes.windows(name.len()).any(|part| part == name);
    let mut used = [false; 2];
    for name in names.iter().filter(|name| !API_NAMES.contains(&name.as_bytes())) {
        let Some(bytes) = bytes_of(name)? else { continue };
        for (used, api) in used.iter_mut().zip(API_NAMES) {
            *used |= names_one(&bytes, api);
        }
    }
    let [sym, verifier] = used;
    let has_sym = !(sym || verifier) || bytes_of("evergreen/Sym")?.is_some();
    let own = if verifier { bytes_of("org/sosy_lab/sv_benchmarks/Verifier")? } else { None };
    let has_verifier = !verifier || own.is_some_and(|bytes| names_one(&bytes, API_NAMES[0]));
    if has_sym && has_verifier {
        return Ok(None);
    }
    let javac = javac(jdk)?;
    let scratch = scratch()?;
    let classes = scratch.path().join("classes");
    let mut command = Command::new(&javac);
    evergreen_replay::end_with_us(&mut command);
    command.args(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-g", "-proc:none", "-nowarn"]);
    command.args(["-encoding", "UTF-8", "-implicit:class", "-d"]).arg(&classes);
    command.arg("-sourcepath").arg(scratch.path().join("sym"));
    command.arg(scratch.path().join("verifier").join(VERIFIER).join("Verifier.java"));
    let invariant = scratch.path().join("sym/evergreen/Invariant.java");
    let done = command.arg(invariant).output().map_err(|e| trouble(&javac, e))?;
    if !done.status.success() {
        let said = String::from_utf8_lossy(&done.stderr);
        return Err(ProgramError(format!("javac says:\n{}", said.trim_end())));
    }
    Ok(Some(Compiled { scratch, folder: classes, classes: Vec::new() }))
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
