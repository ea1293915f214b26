//! A C program: compiled sources or a module as it is, with its debug information.

use crate::case::Target;
use crate::coverage::{At, Branch, Sources as OwnSources};
use crate::entry::EntrySection;
use crate::functions::{self, Found};
use crate::harness::{self, Parameter, Sizes};
use crate::language::{C, Function};
use crate::{Checks, Clang, Entry as Entered, Sources, is_source};
use evergreen_debuginfo::{DebugInfo, Function as DebugFunction, Line};
use evergreen_explore::Place;
use evergreen_service::ProgramError;
use evergreen_wasm::{ExportKind, Module, Target as ArmTarget};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

/// How sources become a module.
#[derive(Clone, Debug, Default)]
pub struct Compiling {
    /// The compiler, if one is named.
    pub compiler: Option<OsString>,
    /// Further arguments.
    pub args: Vec<OsString>,
    /// Folders of headers.
    pub include: Vec<PathBuf>,
    /// What the compiler adds.
    pub checks: Checks,
    /// The function that is called through a harness, in place of `main`.
    pub function: Option<String>,
    /// How large the inputs are that a harness makes.
    pub sizes: Sizes,
}

/// A program as it travels between threads.
#[derive(Clone, Debug)]
pub struct Opened {
    unit: String,
    function: Option<(String, Vec<Parameter>)>,
    bytes: Arc<[u8]>,
    /// What it was compiled of, for a native program.
    pub(crate) sources: Option<Arc<Sources>>,
    /// The source of the harness, if one was made.
    pub harness: Option<Arc<str>>,
    /// How large the inputs are that the harness makes, if it makes buffers.
    pub(crate) sizes: Option<Sizes>,
    /// Warnings of the compiler.
    pub warnings: String,
}

/// A program, ready to be explored.
pub struct CProgram {
    opened: Opened,
    module: Rc<Module>,
    debug: Option<Arc<DebugInfo>>,
}

fn failed(e: impl ToString) -> ProgramError {
    ProgramError(e.to_string())
}

/// Parts of paths by which the C library's own sources are known.
const LIBRARY: [&str; 6] =
    ["libc-top-half", "libc-bottom-half", "wasi-libc", "dlmalloc", "compiler-rt", "libcxx"];

impl CProgram {
    /// Opens a module, or compiles sources together.
    ///
    /// # Errors
    /// A file cannot be read or compiled, or there is no such function.
    pub fn open(files: &[PathBuf], compiling: &Compiling) -> Result<CProgram, ProgramError> {
        let Some(first) = files.first() else { return Err(ProgramError("no file".into())) };
        let unit = first.file_stem().map_or("program".into(), |stem| stem.to_string_lossy().into_owned());
        let is_module = |file: &PathBuf| file.extension().is_some_and(|e| e == "wasm");
        if let [module] = files
            && is_module(module)
        {
            let bytes =
                std::fs::read(module).map_err(|e| ProgramError(format!("{}: {e}", module.display())))?;
            if compiling.function.as_deref().is_some_and(|function| function != "main") {
                return Err(ProgramError(
                    "a function of a module cannot be called: a harness for it is compiled\n\
                     help: give the sources, or a module with a main that calls it"
                        .into(),
                ));
            }
            return CProgram::of_bytes(unit, bytes.into());
        }
        if let Some(other) = files.iter().find(|file| !is_source(file)) {
            return Err(ProgramError(format!(
                "{}: not a C or C++ source\nhelp: give .c, .cc, .cpp and .cxx files, or one .wasm module",
                other.display()
            )));
        }
        if let Some(file) = files.iter().find(|file| !file.is_file()) {
            return Err(ProgramError(format!("{}: no such file", file.display())));
        }
        CProgram::compile(unit, files, compiling)
    }

    fn compile(unit: String, files: &[PathBuf], compiling: &Compiling) -> Result<CProgram, ProgramError> {
        let clang = Clang::find(compiling.compiler.as_deref().map(OsStr::new)).map_err(failed)?;
        let sources = Sources {
            files: files.to_vec(),
            include: compiling.include.clone(),
            args: compiling.args.clone(),
            entry: Entered::Main,
            checks: compiling.checks,
        };
        let wanted = compiling.function.as_deref().filter(|function| *function != "main");
        let Some(function) = wanted else {
            let compiled = clang.compile(&sources).map_err(failed)?;
            let mut program = CProgram::of_bytes(unit, compiled.module.into())?;
            program.opened.sources = Some(Arc::new(sources));
            program.opened.warnings = compiled.warnings;
            return Ok(program);
        };
        let Found { debug, includes, mut sources } = functions::find(&clang, sources, function)?;
        let of = debug.function(function).ok_or_else(|| ProgramError(format!("no function '{function}'")))?;
        let made = harness::write(&debug, of, &compiling.sizes, includes.as_deref())?;
        let folder = tempfile::tempdir().map_err(failed)?;
        let file = folder.path().join("harness.c");
        std::fs::write(&file, &made.source).map_err(failed)?;
        sources.entry = Entered::Main;
        // The harness has the only main: its own is not renamed.
        sources.files.push(file);
        let compiled = clang.compile(&sources).map_err(failed)?;
        let sizes = made.makes.0.then(|| compiling.sizes.clone());
        let entry = EntrySection { function: function.to_string(), parameters: made.parameters, sizes };
        let mut program = CProgram::of_bytes(unit, entry.added_to(compiled.module).into())?;
        sources.files.pop();
        program.opened.harness = Some(made.source.into());
        program.opened.sources = Some(Arc::new(sources));
        program.opened.warnings = compiled.warnings;
        Ok(program)
    }

    /// A module as it is.
    ///
    /// # Errors
    /// It is no module that can be run.
    pub fn of_bytes(unit: String, bytes: Arc<[u8]>) -> Result<CProgram, ProgramError> {
        let entry = EntrySection::of(&bytes);
        let opened = Opened {
            unit,
            sizes: entry.as_ref().and_then(|entry| entry.sizes.clone()),
            function: entry.map(|entry| (entry.function, entry.parameters)),
            bytes,
            sources: None,
            harness: None,
            warnings: String::new(),
        };
        CProgram::reopen(&opened)
    }

    /// Opens it once more.
    ///
    /// # Errors
    /// It is no module that can be run.
    pub fn reopen(opened: &Opened) -> Result<CProgram, ProgramError> {
        let module =
            Module::read(&opened.bytes).map_err(|e| ProgramError(format!("{}: {e}", opened.unit)))?;
        // A module without debug information is explored without lines.
        let debug = DebugInfo::read(&opened.bytes).ok().map(Arc::new);
        Ok(CProgram { opened: opened.clone(), module: Rc::new(module), debug })
    }

    /// What it takes to open it once more.
    pub fn opened(&self) -> Opened {
        self.opened.clone()
    }

    /// The module.
    pub fn module(&self) -> &Rc<Module> {
        &self.module
    }

    /// The bytes of the module.
    pub fn bytes(&self) -> &Arc<[u8]> {
        &self.opened.bytes
    }

    /// The name of the program.
    pub fn unit(&self) -> &str {
        &self.opened.unit
    }

    /// Its debug information.
    pub fn debug(&self) -> Option<&DebugInfo> {
        self.debug.as_deref()
    }

    /// How large the inputs are that its harness makes, if it makes buffers.
    pub(crate) fn sizes(&self) -> Option<&Sizes> {
        self.opened.sizes.as_ref()
    }

    /// Warnings of the compiler, as it wrote them.
    pub fn warnings(&self) -> &str {
        &self.opened.warnings
    }

    /// What is explored.
    pub fn entry(&self) -> Function {
        let (name, parameters) = self.opened.function.clone().unwrap_or(("main".into(), Vec::new()));
        let draws =
            |name: &str| ["evergreen_", "klee_", "__VERIFIER_"].iter().any(|start| name.starts_with(start));
        let draws = self.module.imports.iter().any(|import| draws(&import.name));
        Function { unit: self.opened.unit.clone(), name, parameters, draws }
    }

    /// What its tests call.
    pub fn target(&self) -> Target {
        let entry = self.entry();
        Target { unit: entry.unit, name: entry.name }
    }

    /// The function that begins.
    pub(crate) fn start(&self) -> Result<u32, ProgramError> {
        self.module.export("_start", ExportKind::Function).ok_or_else(|| {
            ProgramError(format!(
                "{}: the module has no export '_start'\nhelp: compile a program with main for wasm32-wasi",
                self.opened.unit
            ))
        })
    }

    /// The debug information of a function of the program's own: not of the C library, not of a harness.
    pub(crate) fn own(&self, function: u32) -> Option<&DebugFunction> {
        let debug = self.debug.as_ref()?;
        let found = debug.function_of(function)?;
        let file = debug.file(found.declared?.0);
        (!LIBRARY.iter().any(|part| file.contains(part)) && !file.ends_with("harness.c")).then_some(found)
    }

    /// Where an offset in the code section is.
    pub fn place(&self, function: u32, offset: u32) -> Place {
        let line = self.debug.as_ref().and_then(|debug| debug.line(offset));
        let name = self.own(function).map_or_else(|| self.module.name(function), |own| own.name.clone());
        let file = line.zip(self.debug.as_ref()).map(|(line, debug)| short(debug.file(line.file)).into());
        Place {
            unit: "".into(),
            function: name.into(),
            signature: "".into(),
            offset,
            file,
            line: line.map(|line| line.line).filter(|line| *line > 0),
        }
    }

    /// The place of a failure: the innermost function of the program's own.
    pub(crate) fn place_of(&self, stack: &[(u32, u32)]) -> Option<Place> {
        let own = stack.iter().find(|(function, _)| self.own(*function).is_some()).or(stack.first());
        own.map(|(function, offset)| self.place(*function, *offset))
    }

    /// The path of a source, as the compiler was given it.
    pub fn source_path(&self, file: &str) -> Option<PathBuf> {
        let debug = self.debug.as_ref()?;
        debug.files().iter().find(|path| short(path) == file).map(PathBuf::from)
    }

    /// The functions of the program's own by name, each with the bytes of its body.
    pub fn function_bodies(&self) -> BTreeMap<String, Vec<u8>> {
        let mut all = BTreeMap::new();
        let Some(debug) = &self.debug else {
            return BTreeMap::from([("main".to_string(), self.opened.bytes.to_vec())]);
        };
        let start = debug.code_start() as usize;
        for function in 0..self.module.functions.len() as u32 {
            let (Some(own), Some((first, end))) = (self.own(function), debug.body(function)) else {
                continue;
            };
            let bytes = self.opened.bytes.get(start + first as usize..start + end as usize);
            all.insert(own.name.clone(), bytes.unwrap_or_default().to_vec());
        }
        all
    }

    /// File and first line of each function of the program's own.
    pub fn declared(&self) -> BTreeMap<String, (String, u32)> {
        let mut all = BTreeMap::new();
        for function in 0..self.module.functions.len() as u32 {
            if let (Some(own), Some(debug)) = (self.own(function), &self.debug)
                && let Some((file, line)) = own.declared
            {
                all.insert(own.name.clone(), (short(debug.file(file)).to_string(), line));
            }
        }
        all
    }

    /// The lines of the program's own functions, for instructions at these offsets, and their branches.
    pub(crate) fn own_sources(&self, offsets: impl Iterator<Item = u32>) -> OwnSources {
        let Some(debug) = &self.debug else { return OwnSources::default() };
        let mut files: BTreeMap<&str, usize> = BTreeMap::new();
        let mut own: BTreeMap<u32, bool> = BTreeMap::new();
        let mut at = |offset: u32| {
            let function = debug.index_at(offset)?;
            if !*own.entry(function).or_insert_with(|| self.own(function).is_some()) {
                return None;
            }
            let Line { file, line, column } = debug.line(offset).filter(|line| line.line > 0)?;
            let next = files.len();
            Some(At { file: *files.entry(debug.file(file)).or_insert(next), line, column })
        };
        let lines = offsets.map(|offset| at(offset).map(|at| (at.file, at.line))).collect();
        let mut branches = Vec::new();
        for branch in self.module.code.branches() {
            let Some(place) = at(branch.offset) else { continue };
            if branch.arms.iter().any(|arm| self.is_check(arm)) {
                continue;
            }
            let arms = branch.arms.iter().map(|arm| at(arm.offset)).collect();
            branches.push(Branch { at: place, first: branch.first, arms });
        }
        let mut names = vec![String::new(); files.len()];
        files.into_iter().for_each(|(name, number)| names[number] = name.to_string());
        OwnSources { files: names, lines, branches }
    }

    /// Whether an arm reports undefined behaviour, and does nothing else.
    fn is_check(&self, arm: &ArmTarget) -> bool {
        let handler = |function| self.module.name(function).starts_with("__ubsan_handle_");
        arm.traps || arm.calls.is_some_and(handler)
    }
}

/// The name of a file without its folders.
fn short(path: &str) -> &str {
    Path::new(path).file_name().and_then(OsStr::to_str).unwrap_or(path)
}

impl evergreen_service::Program<C> for CProgram {
    fn units(&self) -> Vec<String> {
        vec![self.opened.unit.clone()]
    }

    fn entry(&self, target: &Target) -> Option<Function> {
        (*target == self.target()).then(|| CProgram::entry(self))
    }

    fn target(&self, entry: &Function) -> Target {
        Target { unit: entry.unit.clone(), name: entry.name.clone() }
    }
}
