//! Path queries over a store that was filled by exploring the program before its edit.
//!
//! Twice: by the solver alone, where each question that reuse does not answer is a call, and as users have
//! it, where the native cores decide what they can before a key is made.

use super::edit::{Edit, Kind};
use super::java::{CLASS, EDITS};
use crate::flags::EditsStudy;
use crate::study::explored::{Core, Known, Setting, compile, copy_of, empty_store, explore};
use evergreen::Reuse;
use evergreen::store::Store;
use evergreen_java::Bounds;
use std::path::PathBuf;
use std::sync::Arc;

/// What one edit led to.
#[derive(Debug)]
pub(super) struct Outcome {
    pub edit: &'static str,
    pub kind: Kind,
    /// Paths of the edited program.
    pub paths: u64,
    /// Solver calls without a store.
    pub cold: u64,
    /// Calls with the store, of new and affected methods, and of the others.
    pub touched: u64,
    pub old: u64,
    /// Calls with the store as users have it.
    pub native: u64,
    pub faults: Vec<String>,
}

impl Outcome {
    pub(super) fn is_wrong(&self) -> bool {
        !self.faults.is_empty() || (self.kind.is_pure() && self.old > 0)
    }
}

/// Explores the program, and each edit of it over the store of the program.
pub(super) fn study(flags: &EditsStudy) -> Result<Vec<Outcome>, String> {
    let file = flags.subjects.join("edits").join(format!("{CLASS}.java"));
    let base = std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    let old = methods(&base);
    crate::say::note("java, unedited");
    let known = [empty_store(), empty_store()];
    for (core, store) in [Core::Solver, Core::Native].into_iter().zip(&known) {
        explore_all(flags, &base, core, store)?;
    }
    let mut outcomes = Vec::new();
    let same = Edit::new("none", Kind::Renaming, &[]);
    for edit in std::iter::once(same).chain(EDITS.iter().copied()).filter(|e| flags.fits(e.name)) {
        crate::say::note(&format!("java, {}", edit.name));
        let text = edit.apply(&base)?;
        let cold = explore_all(flags, &text, Core::Solver, &empty_store())?;
        let after = explore_all(flags, &text, Core::Solver, &copy_of(&known[0])?)?;
        let native = explore_all(flags, &text, Core::Native, &copy_of(&known[1])?)?;
        let is_touched = |method: &Method| {
            let before = edit.old_name(&method.name);
            !old.contains(&before) || edit.is_affected(&before)
        };
        let sum = |of: &[Method], touched: bool| -> u64 {
            of.iter().filter(|m| is_touched(m) == touched).map(|m| m.calls).sum()
        };
        let paths = |of: &[Method]| of.iter().map(|m| m.paths).sum::<u64>();
        let mut faults = Vec::new();
        if paths(&cold) != paths(&after) || paths(&cold) != paths(&native) {
            faults.push("other paths are found with the store".to_string());
        }
        outcomes.push(Outcome {
            edit: edit.name,
            kind: edit.kind,
            paths: paths(&cold),
            cold: cold.iter().map(|m| m.calls).sum(),
            touched: sum(&after, true),
            old: sum(&after, false),
            native: native.iter().map(|m| m.calls).sum(),
            faults,
        });
    }
    Ok(outcomes)
}

/// One method of an exploration.
struct Method {
    name: String,
    paths: u64,
    calls: u64,
}

/// The names of the public methods of a source.
fn methods(text: &str) -> Vec<String> {
    let named =
        |line: &str| Some(line.trim().strip_prefix("public static int ")?.split_once('(')?.0.to_string());
    text.lines().filter_map(named).collect()
}

fn explore_all(
    flags: &EditsStudy,
    text: &str,
    core: Core,
    store: &Arc<dyn Store>,
) -> Result<Vec<Method>, String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    std::fs::write(folder.path().join(format!("{CLASS}.java")), text).map_err(|e| e.to_string())?;
    let program = compile(folder.path())?;
    let mut all = Vec::new();
    for name in methods(text) {
        all.push(explore_one(flags, &program.places, core, store, name)?);
    }
    Ok(all)
}

fn explore_one(
    flags: &EditsStudy,
    places: &[PathBuf],
    core: Core,
    store: &Arc<dyn Store>,
    name: String,
) -> Result<Method, String> {
    let method = format!("{CLASS}.{name}");
    let setting = Setting { solver: &flags.solver, method: &method, bounds: Bounds::default(), core };
    let known = Known { reuse: Reuse::Full, store: store.clone(), tests: &[] };
    let explored = explore(&setting, places, known)?;
    if let Some(wrong) = explored.wrong {
        return Err(format!("{method}: {wrong}"));
    }
    Ok(Method { name, paths: explored.counted.paths, calls: explored.counted.calls })
}
