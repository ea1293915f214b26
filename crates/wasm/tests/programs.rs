//! C programs as modules, and all paths of one of their functions.

use crate::common::machine;
use evergreen::Evergreen;
use evergreen_c_in_tests::{Checks, Clang, Entry, Sources};
use evergreen_deciding::BranchOracle;
use evergreen_explore::{End, Explorer, Found, Options as ExploreOptions};
use evergreen_symbolic::{Assignment, Cond};
use evergreen_wasm::{Ended, FailureKind, Options, Outcome, WasmMachine, World};
use std::path::Path;

/// Red zones, no checks of undefined behaviour.
pub(crate) const OBJECTS: Checks = Checks { objects: true, undefined: false };

/// A module of C text; `exports` are entries of their own, `main` is the entry if there are none.
pub(crate) fn compile(text: &str, exports: &[String], checks: Checks) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("program.c");
    std::fs::write(&file, text).unwrap();
    compile_file(&file, exports, checks, &["-fwrapv", "-Wno-everything"])
}

pub(crate) fn compile_file(file: &Path, exports: &[String], checks: Checks, args: &[&str]) -> Vec<u8> {
    let entry = if exports.is_empty() { Entry::Main } else { Entry::Functions(exports.to_vec()) };
    let (files, args) = (vec![file.to_path_buf()], args.iter().map(Into::into).collect());
    let clang = Clang::find(None).unwrap_or_else(|e| panic!("{e}"));
    let sources = Sources { files, args, entry, checks, ..Sources::default() };
    clang.compile(&sources).unwrap_or_else(|e| panic!("{e}")).module
}

/// A machine with its oracle.
pub(crate) struct Program {
    pub(crate) machine: WasmMachine,
    pub(crate) oracle: BranchOracle,
}

/// A path: its conditions, its end, and inputs that go there.
pub(crate) struct PathFound {
    pub(crate) conditions: Vec<Cond>,
    pub(crate) ended: Ended,
    pub(crate) model: Assignment,
}

impl Program {
    pub(crate) fn new(bytes: &[u8], options: Options) -> Program {
        evergreen_testing::tools::put_on_path();
        let machine = machine(bytes, options);
        let oracle = BranchOracle::new(machine.exprs().clone(), Box::new(|| Evergreen::builder().build()));
        Program { machine, oracle }
    }

    /// The same with this solver; `none` is none.
    pub(crate) fn with_solver(bytes: &[u8], options: Options, solver: &'static str) -> Program {
        let program = Program::new(bytes, options);
        let make = move || Evergreen::builder().store("memory:").solver(solver).build();
        Program { oracle: BranchOracle::new(program.machine.exprs().clone(), Box::new(make)), ..program }
    }

    /// All paths of a function without parameters. The program has to be decided completely.
    pub(crate) fn paths(&mut self, function: &str, world: World) -> Vec<PathFound> {
        self.paths_with(function, world, ExploreOptions::default()).0
    }

    /// The same with states merged wherever that is possible; and how many were.
    pub(crate) fn merged_paths(&mut self, function: &str) -> (Vec<PathFound>, u64) {
        let options = ExploreOptions { merging: Some(0), as_merged: true, ..ExploreOptions::default() };
        self.paths_with(function, World::default(), options)
    }

    fn paths_with(&mut self, function: &str, world: World, options: ExploreOptions) -> (Vec<PathFound>, u64) {
        let index = self.machine.module().function(function);
        let index = index.unwrap_or_else(|| panic!("no function '{function}'"));
        let state = self.machine.begin(index, &[], world).unwrap_or_else(|e| panic!("{function}: {e}"));
        let mut explorer = Explorer::new(&mut self.oracle, state, options);
        let mut all = Vec::new();
        while let Some(found) = explorer.next(&mut self.machine, &mut self.oracle) {
            let Found { end, path, model, .. } = found;
            let End::Outcome(ended) = end else {
                panic!("{function}: a path without an outcome: {:?}", self.oracle.trouble())
            };
            all.push(PathFound { conditions: path.constraints(), ended, model });
        }
        let summary = explorer.summary();
        assert_eq!(summary.cut.total(), 0, "{function}");
        (all, summary.merged)
    }

    /// The name of the function that a failure happened in: the innermost one that the program defines
    /// itself.
    pub(crate) fn place(&self, outcome: &Outcome) -> Option<(FailureKind, String)> {
        let Outcome::Failed(failure) = outcome else { return None };
        Some((failure.kind, self.machine.module().name(failure.stack[0].0)))
    }
}
