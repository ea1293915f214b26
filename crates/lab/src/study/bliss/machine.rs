//! Cells in the machine for bytecode: the subjects' Java, compiled by the installed javac.
//!
//! The sources are a part of this program, so that it needs no folder. Paths are counted as they end: no
//! input is completed, no test made.

use super::driver::{self, Counted, Driver, collects};
use super::report::Progress;
use super::{Explored, Prepared};
use evergreen::Evergreen;
use evergreen::solver::{Limits, PipeSolver};
use evergreen::store::{Memory, Store};
use evergreen_java::classfile::find_jdk;
use evergreen_java::heap::lazy::Pruned;
use evergreen_java::jvm::{ClassInvariant, Ending, LazyOptions};
use evergreen_java::symbolic::Ints;
use evergreen_java::{
    Bounds, Collected, Exploration, Inputs, JavaFrontend, MethodRef, Options, Outlines, Program, Run, jvm,
    next_collected, next_outlined,
};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

/// Package, class, source.
const SOURCES: [(&str, &str, &str); 8] = [
    ("heap", "AvlTree", include_str!("../../../../../subjects/heap/AvlTree.java")),
    ("heap", "BinTree", include_str!("../../../../../subjects/heap/BinTree.java")),
    ("heap", "BinomialHeap", include_str!("../../../../../subjects/heap/BinomialHeap.java")),
    ("heap", "LinkedList", include_str!("../../../../../subjects/heap/LinkedList.java")),
    ("heap", "TreeMap", include_str!("../../../../../subjects/heap/TreeMap.java")),
    ("heap", "TreeSet", include_str!("../../../../../subjects/heap/TreeSet.java")),
    ("bliss", "AvlTree", include_str!("../../../../../subjects/bliss/AvlTree.java")),
    ("bliss", "TreeSet", include_str!("../../../../../subjects/bliss/TreeSet.java")),
];

/// Bytes for answers to questions about path conditions of one cell.
const ANSWERS: usize = 64 << 20;

/// The compiled subjects.
pub(super) struct Machine {
    compiled: Program,
}

impl Machine {
    /// Compiles them.
    pub(super) fn new() -> Result<Machine, String> {
        let folder = tempfile::env::temp_dir().join(format!("evergreen-subjects-{}", std::process::id()));
        let compiled = compile(&folder);
        let _ = std::fs::remove_dir_all(&folder);
        Ok(Machine { compiled: compiled? })
    }

    /// Explores a cell.
    pub(super) fn explore(&self, cell: &Prepared, watch: &mut Progress) -> Result<Explored, String> {
        let mut exploration = self.exploration(cell)?;
        let method = method(exploration.front.program(), &cell.driver)?;
        watch.restart();
        let bounds = Bounds { interrupt: Some(watch.interrupt()), ..Bounds::default() };
        let options = Options { bounds, ..Options::default() };
        let run = exploration.entry(&method, &Inputs::default(), options);
        let mut run = run.map_err(|e| e.to_string())?;
        let hunt = cell.subject.ends_with("Bug");
        let mut found = Explored::default();
        let mut shapes = BTreeSet::new();
        while let Some((path, outlines)) = next_path(&mut run, cell.driver.counted) {
            let has_bug = hunt && matches!(path.ending, Some(Ending::Threw { .. }));
            let collected = has_bug || collects(cell.subject, &path);
            found.paths += u64::from(collected);
            found.structures = match outlines {
                // The driver returns nothing. A heap that it found valid it has read to its end.
                Some(outlines) if collected && (outlines.is_whole() || !hunt) => {
                    shapes.insert(outlines.input);
                    shapes.len() as u64
                }
                Some(_) => found.structures,
                None => found.paths,
            };
            found.bugs += u64::from(has_bug);
            if !watch.tick(found.structures) || found.bugs > 0 {
                break;
            }
        }
        watch.tick(found.structures);
        let counts = run.tally().machine.lazy;
        found.sat_calls = counts.sat_calls;
        found.pruned = Pruned {
            offered: counts.considered,
            by_bounds: counts.by_bounds,
            by_precondition: counts.by_precondition,
            by_labels: counts.by_labels,
            by_feasibility: counts.by_feasibility,
            scoped: counts.scoped,
        };
        let trouble = run.oracle().trouble();
        match trouble.error.iter().chain(&trouble.unknown).chain(&trouble.wrong_models).next() {
            Some(odd) => Err(format!("{}: {odd}", cell.subject)),
            None => Ok(found),
        }
    }

    fn exploration(&self, cell: &Prepared) -> Result<Exploration, String> {
        let jdk = find_jdk().map_err(|e| e.to_string())?;
        let program = Program::open(&self.compiled.places, None, jdk).map_err(|e| e.to_string())?;
        let stated = ClassInvariant {
            class: cell.driver.class.into(),
            text: cell.driver.invariant.into(),
            origin: format!("{}.inv", cell.driver.simple()),
        };
        let scope = u32::try_from(cell.scope).map_err(|_| "the scope is too large".to_string())?;
        let lazy = LazyOptions {
            scope,
            technique: cell.technique,
            invariants: vec![stated],
            rep_ok: String::new(),
            ..LazyOptions::default()
        };
        let options = jvm::Options { lazy: Some(lazy), ..jvm::Options::default() };
        let answers: Arc<dyn Store> = Arc::new(Memory::new(ANSWERS));
        let make = move || {
            let process =
                PipeSolver::new(evergreen::solver::Command::parse_or_missing("z3"), Limits::default())
                    .keeping_stack();
            Evergreen::builder().with_store(answers.clone()).with_solver(Box::new(process)).build()
        };
        let mut exploration = JavaFrontend::explore(program, Ints::Wrapped, options, Box::new(make))
            .map_err(|e| e.to_string())?;
        let known = cell.known.clone();
        exploration.front.make_lazy(Box::new(move |_, invariant, scope, technique| {
            known.lazy(invariant, scope, technique)
        }));
        Ok(exploration)
    }
}

fn compile(folder: &PathBuf) -> Result<Program, String> {
    let place = |e: std::io::Error| format!("{}: {e}", folder.display());
    std::fs::create_dir_all(folder).map_err(place)?;
    let mut files = Vec::new();
    for (package, name, source) in SOURCES {
        std::fs::create_dir_all(folder.join(package)).map_err(place)?;
        let file = folder.join(package).join(format!("{name}.java"));
        std::fs::write(&file, source).map_err(place)?;
        files.push(file);
    }
    let jdk = find_jdk().map_err(|e| e.to_string())?;
    Program::open(&files, None, jdk).map_err(|e| e.to_string())
}

fn method(program: &Program, driver: &Driver) -> Result<MethodRef, String> {
    let name = format!("{}.{}", driver.class, driver.method);
    let mut found = program.methods(Some(&name)).map_err(|e| e.to_string())?;
    Ok(found.remove(0))
}

/// The next path, with its outlines where shapes are counted.
fn next_path(run: &mut Run<'_>, counted: Counted) -> Option<(Collected, Option<Outlines>)> {
    match counted {
        Counted::Paths => next_collected(run).map(|path| (path, None)),
        Counted::Shapes => next_outlined(run, driver::leads).map(|(path, lines)| (path, Some(lines))),
    }
}
