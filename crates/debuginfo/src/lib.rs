//! What a compiler wrote about a WebAssembly module: lines, functions, types, variables, names.
//!
//! Addresses of code in the DWARF of WebAssembly are offsets from the start of the *contents* of the code
//! section, that is from its count of functions, behind the section's id and size. [`DebugInfo::code_start`]
//! is where this is in the module, so the offset of an instruction in the file minus `code_start` is its
//! address here. Addresses of variables are addresses in linear memory: the linker has relocated them. What
//! the linker dropped keeps an address that no code has (-1, or -2 in lists of ranges), and is left out.
//!
//! Everything is read at once: one pass over the sections, one over the entries, one over the line programs.
//! A module without debug information has empty tables, and perhaps names. Damaged bytes give an error, never
//! a panic; references that form a cycle or lead nowhere become [`Type::Unknown`].

mod attributes;
mod entries;
mod lines;
mod module;
mod types;

pub use entries::{Function, Parameter, Variable};
pub use types::{Encoding, Enumerator, Member, Record, RecordKind, Type, TypeId, Types};

use std::collections::BTreeMap;
use std::fmt;

/// Why debug information cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DebugError(String);

impl fmt::Display for DebugError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for DebugError {}

impl From<gimli::Error> for DebugError {
    fn from(error: gimli::Error) -> DebugError {
        DebugError(format!("debug information: {error}"))
    }
}

impl From<wasmparser::BinaryReaderError> for DebugError {
    fn from(error: wasmparser::BinaryReaderError) -> DebugError {
        DebugError(format!("module at offset {:#x}: {}", error.offset(), error.message()))
    }
}

/// A source file, as an index into [`DebugInfo::files`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub(crate) u32);

/// A line of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Line {
    /// The file.
    pub file: FileId,
    /// From 1; 0 for code that no line has.
    pub line: u32,
    /// From 1; 0 if it is not known.
    pub column: u32,
}

/// One range of code that belongs to a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineRange {
    /// The first code offset.
    pub start: u32,
    /// The first behind it.
    pub end: u32,
    /// Where it comes from.
    pub line: Line,
    /// Does a statement begin here?
    pub is_statement: bool,
}

/// The debug information of one module.
#[derive(Debug, Default)]
pub struct DebugInfo {
    code_start: u64,
    bodies: module::Bodies,
    names: BTreeMap<u32, String>,
    files: Vec<String>,
    lines: Vec<LineRange>,
    functions: Vec<Function>,
    variables: Vec<Variable>,
    types: Types,
}

impl DebugInfo {
    /// Reads a module.
    pub fn read(bytes: &[u8]) -> Result<DebugInfo, DebugError> {
        let module = module::read(bytes)?;
        let mut files = lines::Files::default();
        let mut lines = Vec::new();
        let mut entries = entries::Entries::default();
        let dwarf = module.dwarf();
        let mut headers = dwarf.units();
        while let Some(header) = headers.next()? {
            let unit = dwarf.unit(header)?;
            let unit_files = lines::read(&dwarf, &unit, module.code_bytes, &mut files, &mut lines)?;
            entries.read(&dwarf, &unit, &unit_files)?;
        }
        lines::sort(&mut lines);
        let (functions, variables, types) = entries.finish(module.code_bytes);
        let (code_start, bodies, names) = (module.code_start, module.bodies, module.names);
        Ok(DebugInfo { code_start, bodies, names, files: files.paths, lines, functions, variables, types })
    }

    /// Where the contents of the code section begin in the module: code offset 0.
    pub fn code_start(&self) -> u64 {
        self.code_start
    }

    /// The source files, as the compiler named them.
    pub fn files(&self) -> &[String] {
        &self.files
    }

    /// The path of a file.
    pub fn file(&self, file: FileId) -> &str {
        self.files.get(file.0 as usize).map_or("", String::as_str)
    }

    /// The line that the instruction at a code offset comes from.
    pub fn line(&self, offset: u32) -> Option<Line> {
        let after = self.lines.partition_point(|range| range.start <= offset);
        let range = self.lines[..after].last()?;
        (offset < range.end).then_some(range.line)
    }

    /// All ranges of code with their lines, by offset. They do not overlap.
    pub fn lines(&self) -> &[LineRange] {
        &self.lines
    }

    /// The functions that have code, by code offset.
    pub fn functions(&self) -> &[Function] {
        &self.functions
    }

    /// The function that contains a code offset.
    pub fn function_at(&self, offset: u32) -> Option<&Function> {
        let after = self.functions.partition_point(|function| function.start <= offset);
        self.functions[..after].last().filter(|function| offset < function.end)
    }

    /// The function of that name, or of that linkage name.
    pub fn function(&self, name: &str) -> Option<&Function> {
        let linked = |f: &&Function| f.linkage_name.as_deref() == Some(name);
        self.functions.iter().find(|f| f.name == name).or_else(|| self.functions.iter().find(linked))
    }

    /// The function with an index of the module, counted with the imports.
    pub fn function_of(&self, index: u32) -> Option<&Function> {
        let (start, end) = self.bodies.range(index)?;
        self.function_at(start).or_else(|| self.function_at(end.saturating_sub(1)))
    }

    /// The code offsets of the body of the function with an index, counted with the imports: its locals and
    /// instructions, without its size.
    pub fn body(&self, index: u32) -> Option<(u32, u32)> {
        self.bodies.range(index)
    }

    /// The index of the function whose body contains a code offset.
    pub fn index_at(&self, offset: u32) -> Option<u32> {
        self.bodies.index_at(offset)
    }

    /// The name that the section `name` gives to the function with an index, counted with the imports.
    pub fn name(&self, index: u32) -> Option<&str> {
        self.names.get(&index).map(String::as_str)
    }

    /// All names of the section `name`, by index.
    pub fn names(&self) -> impl Iterator<Item = (u32, &str)> {
        self.names.iter().map(|(&index, name)| (index, name.as_str()))
    }

    /// Variables with a fixed address: globals, and statics of functions.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// The types.
    pub fn types(&self) -> &Types {
        &self.types
    }
}
