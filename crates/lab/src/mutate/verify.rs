//! Has the JVM verify mutants: one process loads and links them all, each before the classes as they were.

use super::{Made, folder, line, program};
use evergreen_java::classfile::Jdk;
use evergreen_java::replay::end_with_us;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Loads the classes of folders.
const LOAD: &str = include_str!("../../../../java/mutants/Load.java");
/// Folders of one process: command lines are not endless.
const AT_ONCE: usize = 1_000;

/// Complains about mutants that the verifier refuses: bugs of ours.
pub(super) fn check(jdk: &Jdk, out: &Path, made: &[Made], places: &[PathBuf]) -> Result<(), String> {
    let refused = refused(jdk, out, made, places)?;
    match refused.first() {
        None => Ok(()),
        Some((first, why)) => Err(format!(
            "the verifier refuses {} mutants (please report this): {}: {why}",
            refused.len(),
            line(first)
        )),
    }
}

/// The mutants that the verifier refuses, with its reasons.
pub(crate) fn refused<'m>(
    jdk: &Jdk,
    out: &Path,
    made: &'m [Made],
    places: &[PathBuf],
) -> Result<Vec<(&'m Made, String)>, String> {
    let scratch = tempfile::tempdir().map_err(|e| format!("a temporary folder: {e}"))?;
    let source = scratch.path().join("Load.java");
    std::fs::write(&source, LOAD).map_err(|e| format!("{}: {e}", source.display()))?;
    let java = program(jdk, "java")?;
    let original = out.join("original");
    let path = std::env::join_paths(std::iter::once(&original).chain(places))
        .map_err(|e| format!("the class path: {e}"))?;
    let mut refused = Vec::new();
    for part in made.chunks(AT_ONCE) {
        let mut command = Command::new(&java);
        end_with_us(&mut command);
        command.args(["-XX:TieredStopAtLevel=1", "-cp"]).arg(&path).arg(&source);
        command.args(part.iter().map(|made| folder(out, made)));
        let output = command.output().map_err(|e| format!("{}: {e}", java.display()))?;
        let said = String::from_utf8_lossy(&output.stdout);
        if said.lines().last() != Some("done") {
            let errors = String::from_utf8_lossy(&output.stderr);
            return Err(format!("the JVM could not load the mutants: {}", errors.trim_end()));
        }
        for (at, why) in said.lines().filter_map(|line| line.split_once('\t')) {
            let found = part.iter().find(|made| folder(out, made) == Path::new(at));
            refused.extend(found.map(|made| (made, why.to_string())));
        }
    }
    Ok(refused)
}
