//! Finds the function that is to be the entry, also one that is private to its source.
//!
//! The types of a function are in the debug information of a compiled module. A compiler drops a `static`
//! function that nothing calls, and a linker does not show one to other sources: so the sources are compiled
//! once more with everything kept, and the harness includes the source that the function is private to.

use crate::compile::Entry;
use crate::{Clang, Sources, is_cpp};
use evergreen_debuginfo::DebugInfo;
use evergreen_service::ProgramError;
use std::path::{Path, PathBuf};

/// The function, and how it is compiled.
pub(crate) struct Found {
    /// What describes it.
    pub(crate) debug: DebugInfo,
    /// The source that a harness has to include.
    pub(crate) includes: Option<PathBuf>,
    /// What is compiled beside the harness.
    pub(crate) sources: Sources,
}

fn failed(e: impl ToString) -> ProgramError {
    ProgramError(e.to_string())
}

/// Finds a function in sources.
pub(crate) fn find(clang: &Clang, mut sources: Sources, function: &str) -> Result<Found, ProgramError> {
    sources.args.push("-Dmain=evergreen_main_of_the_program".into());
    // A name that does not exist is no error of the linker.
    sources.entry = Entry::Optional(vec![function.to_string()]);
    let first = clang.compile(&sources).map_err(failed)?;
    let debug = DebugInfo::read(&first.module).map_err(failed)?;
    if debug.function(function).is_some() {
        let is_private = !exports(&first.module, function);
        if !is_private {
            return Ok(Found { debug, includes: None, sources });
        }
    }
    let all = all_functions(clang, &sources)?;
    let Some(found) = all.function(function) else { return Err(unknown(&all, &sources, function)) };
    let file = found.declared.map(|(file, _)| all.file(file).to_string()).unwrap_or_default();
    let own = sources.files.iter().position(|source| same_file(source, &file));
    let Some(own) = own else {
        return Err(ProgramError(format!(
            "{function}: it is static in {file}\nhelp: name the source that has it first"
        )));
    };
    let includes = absolute(&sources.files.remove(own));
    if is_cpp(&includes) {
        return Err(ProgramError(format!(
            "{function}: a static function of C++ cannot be called\nhelp: make it extern \"C\""
        )));
    }
    Ok(Found { debug: all, includes: Some(includes), sources })
}

fn exports(module: &[u8], name: &str) -> bool {
    evergreen_wasm::Module::read(module)
        .is_ok_and(|module| module.export(name, evergreen_wasm::ExportKind::Function).is_some())
}

fn absolute(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

fn same_file(source: &Path, named: &str) -> bool {
    absolute(source) == absolute(Path::new(named))
}

/// The debug information of all functions, also of those that nothing calls.
fn all_functions(clang: &Clang, sources: &Sources) -> Result<DebugInfo, ProgramError> {
    let mut all = Sources { entry: Entry::Optional(Vec::new()), ..sources.clone() };
    all.args.extend(["-femit-all-decls", "-Wl,--no-gc-sections"].map(Into::into));
    let compiled = clang.compile(&all).map_err(failed)?;
    DebugInfo::read(&compiled.module).map_err(failed)
}

/// The message about a function that is not there: which ones are, the nearest name first.
fn unknown(all: &DebugInfo, sources: &Sources, wanted: &str) -> ProgramError {
    let is_own = |file: &str| {
        sources.files.iter().any(|source| same_file(source, file))
            || sources.include.iter().any(|folder| absolute(Path::new(file)).starts_with(absolute(folder)))
    };
    let mut names: Vec<&str> = (all.functions().iter())
        .filter(|function| function.declared.is_some_and(|(file, _)| is_own(all.file(file))))
        .map(|function| function.name.as_str())
        .filter(|name| *name != "evergreen_main_of_the_program")
        .collect();
    names.sort_unstable();
    names.dedup();
    names.sort_by_key(|name| distance(name, wanted));
    let more = names.len().saturating_sub(12);
    let mut list = names.iter().take(12).copied().collect::<Vec<_>>().join(", ");
    if more > 0 {
        list.push_str(&format!(" and {more} more"));
    }
    let help =
        if list.is_empty() { "the sources have no function".into() } else { format!("there are {list}") };
    ProgramError(format!("no function '{wanted}'\nhelp: {help}"))
}

/// How many letters have to change to make one name of another.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_distances() {
        assert_eq!(distance("parse", "parse"), 0);
        assert_eq!(distance("prase", "parse"), 2);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("parse_time", "parse_tim"), 1);
    }
}
