//! Planting probes: a module that reports the decision of each conditional instruction.
//!
//! The module is written again. Before `if` and `br_if` a call takes the condition and gives it back; before
//! `br_table` a function made for it does the same with the selector. No local is added and no label moves,
//! so a probe cannot change what the program computes. Imports are added behind those of the module (one for
//! recording, one for each replaced native), which shifts the indices of defined functions; helpers and the
//! moved bodies of natives follow the last function. The start function is exported under a name of ours and
//! called after instantiation: wasmi drops an instance whose start function traps, and with it the digest.
//!
//! Custom sections are left out: debug information is often most of a module, and the engine does not read
//! it.

pub(crate) mod helpers;

use crate::error::EngineError;
use crate::imports::{self, Import};
use crate::module::Shape;
use crate::natives::{Native, Natives};
use crate::run::Compiled;
use std::collections::{BTreeMap, BTreeSet};
use wasm_encoder::reencode::{self, Reencode};
use wasm_encoder::{EntityType, ExportKind, Function, Instruction};
use wasmparser::{BrTable, Operator, Parser, Payload};

/// A module with probes, compiled once for any number of runs, on any number of threads.
pub struct Probed {
    pub(crate) shape: Shape,
    pub(crate) compiled: Compiled,
    sites: u32,
    bytes: usize,
}

impl Probed {
    /// Plants probes into a module. Each run starts at an exported function.
    pub fn plant(module: &[u8], natives: &Natives) -> Result<Probed, EngineError> {
        Probed::plant_for(module, natives, &[])
    }

    /// Like [`plant`](Probed::plant); these functions can be called too, though they may not be exported.
    pub fn plant_for(module: &[u8], natives: &Natives, entries: &[u32]) -> Result<Probed, EngineError> {
        Probed::make(module, natives, entries, true)
    }

    /// A module without probes, which takes no decisions: to see that probes change nothing, and what they
    /// cost.
    pub fn without_probes(module: &[u8], natives: &Natives) -> Result<Probed, EngineError> {
        Probed::make(module, natives, &[], false)
    }

    fn make(module: &[u8], natives: &Natives, entries: &[u32], probes: bool) -> Result<Probed, EngineError> {
        let shape = Shape::read(module)?;
        let mut hosted = Vec::new();
        for import in &shape.imports {
            hosted.push((imports::resolve(import, &shape)?, import.ty));
        }
        let replaced = check_natives(&shape, natives)?;
        for (native, function) in &replaced {
            hosted.push((Import::Native(native.clone()), shape.functions[*function as usize]));
        }
        let mut planter = Planter { probes, ..Planter::new(&shape, natives, &replaced) };
        let planted = planter.module(module, entries)?;
        let sites = planter.sites;
        let compiled = Compiled::new(&planted, &shape, hosted)?;
        Ok(Probed { shape, compiled, sites, bytes: planted.len() })
    }

    /// How many conditional instructions the module has: sites are below this number.
    pub fn sites(&self) -> u32 {
        self.sites
    }

    /// The size of the module with its probes, in bytes.
    pub fn size(&self) -> usize {
        self.bytes
    }

    /// A function by its exported name, else by its name in the name section.
    pub fn function(&self, name: &str) -> Option<u32> {
        self.shape.function(name)
    }

    /// Where the heap starts unless a test says otherwise: behind the memory that the module starts with.
    pub fn heap_start(&self) -> u32 {
        heap_start(&self.shape)
    }
}

/// The end of the memory that a module starts with.
pub(crate) fn heap_start(shape: &Shape) -> u32 {
    u32::try_from(shape.pages.unwrap_or(0) * crate::host::PAGE).unwrap_or(u32::MAX)
}

/// The replaced natives, if all of them are defined functions of the right types.
fn check_natives(shape: &Shape, natives: &Natives) -> Result<Vec<(Native, u32)>, EngineError> {
    let mut seen = BTreeSet::new();
    let replaced = natives.replaced.iter().map(|(function, native)| (*function, Some(native)));
    let all = natives.pure.iter().map(|&function| (function, None)).chain(replaced);
    for (function, native) in all {
        let error = |message: String| Err(EngineError::Native { function, message });
        if function < shape.imported() || function as usize >= shape.functions.len() {
            return error("not a function that the module defines".to_string());
        }
        if !seen.insert(function) {
            return error("two natives for one function".to_string());
        }
        let Some(signature) = shape.signature(function) else {
            return error("a native with references".to_string());
        };
        let Some(native) = native else { continue };
        if native.letters().is_some_and(|expected| expected != signature.letters()) {
            let (expected, found) = (native.letters().unwrap_or_default(), signature.letters());
            return error(format!("{native:?} has type '{expected}', this function '{found}'"));
        }
    }
    Ok(natives.replaced.iter().map(|(function, native)| (native.clone(), *function)).collect())
}

/// Where things are in the planted module.
pub(crate) struct Indices {
    /// Function imports of the original module.
    imported: u32,
    /// Function imports that are added.
    added: u32,
    /// Defined functions of the original module.
    defined: u32,
    /// Globals of the original module.
    globals: u32,
    /// Types of the original module.
    types: u32,
}

impl Indices {
    /// An original function.
    fn function(&self, original: u32) -> u32 {
        if original < self.imported { original } else { original + self.added }
    }
    /// The import that records a decision; those of replaced natives lie before it.
    fn arm_import(&self) -> u32 {
        self.imported + self.added - 1
    }
    fn decide(&self) -> u32 {
        self.imported + self.added + self.defined
    }
    fn arm(&self) -> u32 {
        self.decide() + 1
    }
    /// The first moved body; functions for `br_table` follow the last.
    fn moved(&self) -> u32 {
        self.decide() + 2
    }
    fn digest(&self) -> u32 {
        self.globals
    }
    fn count(&self) -> u32 {
        self.globals + 1
    }
    fn trace(&self) -> u32 {
        self.globals + 2
    }
    fn depth(&self) -> u32 {
        self.globals + helpers::GLOBALS - 1
    }
}

/// What becomes of the body of a native.
enum Body {
    /// Moved: the number among the moved bodies.
    Pure(u32),
    /// Replaced: the number among the added imports.
    Replaced(u32),
}

struct Planter<'a> {
    shape: &'a Shape,
    indices: Indices,
    bodies: BTreeMap<u32, Body>,
    pure: Vec<u32>,
    replaced: &'a [(Native, u32)],
    sites: u32,
    /// Whether probes are planted at all.
    probes: bool,
    /// The functions for `br_table`, in the order of their sites.
    switches: Vec<Function>,
}

impl Reencode for Planter<'_> {
    type Error = std::convert::Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32, reencode::Error> {
        Ok(self.indices.function(function))
    }
}

/// The sections of the planted module.
#[derive(Default)]
struct Sections {
    types: wasm_encoder::TypeSection,
    functions: wasm_encoder::FunctionSection,
    tables: wasm_encoder::TableSection,
    memories: wasm_encoder::MemorySection,
    globals: wasm_encoder::GlobalSection,
    exports: wasm_encoder::ExportSection,
    elements: wasm_encoder::ElementSection,
    data_count: Option<wasm_encoder::DataCountSection>,
    code: wasm_encoder::CodeSection,
    data: wasm_encoder::DataSection,
    moved: Vec<Function>,
}

impl<'a> Planter<'a> {
    fn new(shape: &'a Shape, natives: &Natives, replaced: &'a [(Native, u32)]) -> Planter<'a> {
        let mut bodies = BTreeMap::new();
        for (number, function) in (0..).zip(&natives.pure) {
            bodies.insert(*function, Body::Pure(number));
        }
        for (number, (_, function)) in (0..).zip(replaced) {
            bodies.insert(*function, Body::Replaced(number));
        }
        let imported = shape.imported();
        let indices = Indices {
            imported,
            added: replaced.len() as u32 + 1,
            defined: shape.functions.len() as u32 - imported,
            globals: shape.globals,
            types: shape.types.len() as u32,
        };
        let pure = natives.pure.clone();
        Planter { shape, indices, bodies, pure, replaced, sites: 0, probes: true, switches: Vec::new() }
    }

    /// The planted module.
    fn module(&mut self, module: &[u8], entries: &[u32]) -> Result<Vec<u8>, EngineError> {
        let mut sections = Sections::default();
        for payload in Parser::new(0).parse_all(module) {
            let payload = payload.map_err(|e| EngineError::invalid(&e))?;
            self.section(&mut sections, payload).map_err(EngineError::module)?;
        }
        self.append(&mut sections);
        self.export(&mut sections, entries)?;
        let imports = self.imports();
        let mut planted = wasm_encoder::Module::new();
        planted.section(&sections.types).section(&imports).section(&sections.functions);
        planted.section(&sections.tables).section(&sections.memories).section(&sections.globals);
        planted.section(&sections.exports).section(&sections.elements);
        if let Some(count) = &sections.data_count {
            planted.section(count);
        }
        planted.section(&sections.code).section(&sections.data);
        Ok(planted.finish())
    }

    fn section(&mut self, to: &mut Sections, payload: Payload<'_>) -> Result<(), reencode::Error> {
        match payload {
            Payload::TypeSection(section) => self.parse_type_section(&mut to.types, section)?,
            Payload::FunctionSection(section) => self.parse_function_section(&mut to.functions, section)?,
            Payload::TableSection(section) => self.parse_table_section(&mut to.tables, section)?,
            Payload::MemorySection(section) => self.parse_memory_section(&mut to.memories, section)?,
            Payload::GlobalSection(section) => self.parse_global_section(&mut to.globals, section)?,
            Payload::ExportSection(section) => self.parse_export_section(&mut to.exports, section)?,
            Payload::ElementSection(section) => self.parse_element_section(&mut to.elements, section)?,
            Payload::DataCountSection { count, .. } => {
                to.data_count = Some(wasm_encoder::DataCountSection { count });
            }
            Payload::DataSection(section) => self.parse_data_section(&mut to.data, section)?,
            Payload::CodeSectionEntry(body) => self.body(to, &body)?,
            _ => {}
        }
        Ok(())
    }

    /// Imports under numbers: a module may import one name twice with different types.
    fn imports(&self) -> wasm_encoder::ImportSection {
        let mut section = wasm_encoder::ImportSection::new();
        let own = self.shape.imports.iter().map(|import| import.ty);
        let natives = self.replaced.iter().map(|(_, function)| self.shape.functions[*function as usize]);
        for (number, ty) in own.chain(natives).enumerate() {
            section.import(imports::MODULE, &number.to_string(), EntityType::Function(ty));
        }
        section.import(imports::MODULE, imports::ARM, EntityType::Function(self.indices.types));
        section
    }

    fn body(
        &mut self,
        to: &mut Sections,
        body: &wasmparser::FunctionBody<'_>,
    ) -> Result<(), reencode::Error> {
        let index = self.indices.imported + to.code.len();
        let params = self.shape.signature(index).map_or(0, |s| s.params.len() as u32);
        match self.bodies.get(&index) {
            Some(Body::Replaced(number)) => {
                let host = self.indices.imported + number;
                self.rewrite(body, false)?;
                to.code.function(&helpers::replaced(params, host));
            }
            Some(Body::Pure(number)) => {
                let moved = self.indices.moved() + number;
                to.code.function(&helpers::around(&self.indices, params, moved));
                to.moved.push(self.rewrite(body, false)?);
            }
            None => {
                let function = self.rewrite(body, self.probes)?;
                to.code.function(&function);
            }
        }
        Ok(())
    }

    /// A body with probes, or without: sites are counted in both.
    fn rewrite(
        &mut self,
        body: &wasmparser::FunctionBody<'_>,
        probes: bool,
    ) -> Result<Function, reencode::Error> {
        let mut function = self.new_function_with_parsed_locals(body)?;
        let mut reader = body.get_operators_reader()?;
        while !reader.eof() {
            let operator = reader.read()?;
            let is_switch = matches!(operator, Operator::BrTable { .. });
            if is_switch || matches!(operator, Operator::If { .. } | Operator::BrIf { .. }) {
                let site = self.sites;
                self.sites += 1;
                match &operator {
                    _ if !probes => {}
                    Operator::BrTable { targets } => {
                        let arms = arms(targets)?;
                        let index = self.indices.moved() + (self.pure.len() + self.switches.len()) as u32;
                        self.switches.push(helpers::switch(&self.indices, site, &arms));
                        function.instruction(&Instruction::Call(index));
                    }
                    _ => {
                        function.instruction(&Instruction::I32Const(site as i32));
                        function.instruction(&Instruction::Call(self.indices.decide()));
                    }
                }
            }
            function.instruction(&self.instruction(operator)?);
        }
        Ok(function)
    }

    /// Appends types, globals, helpers, moved bodies and switches.
    fn append(&self, to: &mut Sections) {
        use wasm_encoder::ValType::I32;
        let types = self.indices.types;
        to.types.ty().function([I32, I32], []);
        to.types.ty().function([I32, I32], [I32]);
        to.types.ty().function([I32], [I32]);
        helpers::add_globals(&mut to.globals);
        to.functions.function(types + 1).function(types);
        to.code.function(&helpers::decide(&self.indices)).function(&helpers::arm(&self.indices));
        // Moved bodies were met in the order of the code; their numbers are those of the list of natives.
        let mut order: Vec<u32> = self.pure.clone();
        order.sort_unstable();
        for function in &self.pure {
            to.functions.function(self.shape.functions[*function as usize]);
            let at = order.binary_search(function).unwrap_or_default();
            to.code.function(&to.moved[at]);
        }
        for switch in &self.switches {
            to.functions.function(types + 2);
            to.code.function(switch);
        }
    }

    fn export(&self, to: &mut Sections, entries: &[u32]) -> Result<(), EngineError> {
        helpers::add_exports(&mut to.exports, &self.indices);
        if self.shape.pages.is_some() {
            to.exports.export(helpers::MEMORY, ExportKind::Memory, 0);
        }
        if let Some(start) = self.shape.start {
            to.exports.export(helpers::START, ExportKind::Func, self.indices.function(start));
        }
        let distinct: BTreeSet<u32> = entries.iter().copied().collect();
        for entry in distinct {
            if entry as usize >= self.shape.functions.len() {
                return Err(EngineError::Test(format!("the module has no function {entry}")));
            }
            to.exports.export(&entry_name(entry), ExportKind::Func, self.indices.function(entry));
        }
        Ok(())
    }
}

/// The name under which a function is exported that a test calls by its index.
pub(crate) fn entry_name(function: u32) -> String {
    format!("evergreen.{function}")
}

/// The arm of each label, the default last: distinct targets numbered in the order of their first appearance.
fn arms(targets: &BrTable<'_>) -> Result<Vec<u32>, wasmparser::Error> {
    let mut numbers = BTreeMap::new();
    let mut arms = Vec::with_capacity(targets.len() as usize + 1);
    for target in targets.targets().chain([Ok(targets.default())]) {
        let next = numbers.len() as u32;
        arms.push(*numbers.entry(target?).or_insert(next));
    }
    Ok(arms)
}
