//! Bytes of a module as what the machine needs of it: types, functions, memory, tables, globals, names.
//!
//! `wasmparser` reads and validates; a module that it accepts is lowered without further checks. Features
//! beyond what compilers emit for `wasm32-wasi` (threads, vectors, exceptions, 64-bit memories) are refused
//! by the validator, by name and offset.

use crate::code::{Code, FunctionCode};
use crate::lower;
use std::fmt;
use wasmparser::{
    CompositeInnerType, ConstExpr, DataKind, ElementItems, ElementKind, ExternalKind, KnownCustom, Name,
    Operator, Parser, Payload, TypeRef, ValType, Validator, WasmFeatures,
};

/// Why bytes are no module that can be run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModuleError(pub String);

impl fmt::Display for ModuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ModuleError {}

/// The type of a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Type {
    I32,
    I64,
    F32,
    F64,
    /// A reference to a function, or to something of the host.
    Reference,
}

/// Parameters and results of a function.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Signature {
    /// The parameters.
    pub params: Box<[Type]>,
    /// The results.
    pub results: Box<[Type]>,
}

/// A function that the module takes from its host.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Import {
    /// The module's name for the host's module.
    pub module: String,
    /// The name in it.
    pub name: String,
}

/// A global variable.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Global {
    /// Its type.
    pub kind: Type,
    /// The value that it begins with.
    pub begins: Initial,
}

/// A constant expression.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Initial {
    /// A number, by its bits.
    Number(u64),
    /// The value of another global.
    Global(u32),
    /// A reference to a function.
    Function(u32),
    /// No reference.
    Null,
}

/// Bytes that are put into memory.
#[derive(Clone, PartialEq, Debug)]
pub struct Data {
    /// Where, before anything runs; `None` if only instructions put it there.
    pub at: Option<Initial>,
    /// What.
    pub bytes: Box<[u8]>,
}

/// References that are put into a table.
#[derive(Clone, PartialEq, Debug)]
pub struct Elements {
    /// Into which table and where; `None` if only instructions put them there.
    pub at: Option<(u32, Initial)>,
    /// Whether they exist only for the validator.
    pub is_declared: bool,
    /// Functions by number.
    pub items: Box<[Initial]>,
}

/// A table of references.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Table {
    /// How many it begins with.
    pub least: u32,
    /// How many it may have.
    pub most: u32,
    /// What they are.
    pub begins: Initial,
}

/// What is exported under a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Export {
    /// The name.
    pub name: String,
    /// What kind of thing.
    pub kind: ExportKind,
    /// Which of them.
    pub index: u32,
}

/// A kind of export.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum ExportKind {
    Function,
    Memory,
    Table,
    Global,
}

/// A module, ready to be run.
#[derive(Debug, Default)]
pub struct Module {
    /// The types of functions.
    pub types: Vec<Signature>,
    /// The functions of the host; their numbers come first.
    pub imports: Vec<Import>,
    /// The type of each function, imports included.
    pub functions: Vec<u32>,
    /// Names of functions, as far as the name section or an export has them.
    pub names: Vec<Option<String>>,
    /// The tables.
    pub tables: Vec<Table>,
    /// Pages of 64 KiB that memory begins with and may have; `None` if there is no memory.
    pub memory: Option<(u32, u32)>,
    /// The globals.
    pub globals: Vec<Global>,
    /// Exports.
    pub exports: Vec<Export>,
    /// The function that runs first.
    pub start: Option<u32>,
    /// Data.
    pub data: Vec<Data>,
    /// Elements.
    pub elements: Vec<Elements>,
    /// The lowered code of all functions.
    pub code: Code,
}

fn features() -> WasmFeatures {
    WasmFeatures::MUTABLE_GLOBAL
        | WasmFeatures::SATURATING_FLOAT_TO_INT
        | WasmFeatures::SIGN_EXTENSION
        | WasmFeatures::REFERENCE_TYPES
        | WasmFeatures::CALL_INDIRECT_OVERLONG
        | WasmFeatures::BULK_MEMORY
        | WasmFeatures::BULK_MEMORY_OPT
        | WasmFeatures::MULTI_VALUE
        | WasmFeatures::FLOATS
        | WasmFeatures::GC_TYPES
        | WasmFeatures::EXTENDED_CONST
}

fn error(e: &wasmparser::BinaryReaderError) -> ModuleError {
    ModuleError(format!("offset 0x{:x}: {}", e.offset(), e.message()))
}

pub(crate) fn kind(of: ValType) -> Result<Type, ModuleError> {
    Ok(match of {
        ValType::I32 => Type::I32,
        ValType::I64 => Type::I64,
        ValType::F32 => Type::F32,
        ValType::F64 => Type::F64,
        ValType::Ref(_) => Type::Reference,
        ValType::V128 => return Err(ModuleError("vectors (v128) are not supported".into())),
    })
}

fn kinds(of: &[ValType]) -> Result<Box<[Type]>, ModuleError> {
    of.iter().map(|t| kind(*t)).collect()
}

impl Module {
    /// Reads and validates a module, and lowers its functions.
    ///
    /// # Errors
    /// The bytes are no valid module, or it uses a feature that is not supported.
    pub fn read(bytes: &[u8]) -> Result<Module, ModuleError> {
        Validator::new_with_features(features()).validate_all(bytes).map_err(|e| error(&e))?;
        let mut module = Module::default();
        let mut bodies = Vec::new();
        for payload in Parser::new(0).parse_all(bytes) {
            let payload = payload.map_err(|e| error(&e))?;
            if let Payload::CodeSectionEntry(body) = payload {
                bodies.push(body);
            } else {
                module.section(payload)?;
            }
        }
        module.name_from_exports();
        let start = code_start(bytes);
        let mut code = Code::default();
        for _ in &module.imports {
            code.functions.push(FunctionCode::default());
        }
        for body in &bodies {
            lower::function(&module, body, start, &mut code).map_err(|e| error(&e))?;
        }
        module.code = code;
        Ok(module)
    }

    fn section(&mut self, payload: Payload<'_>) -> Result<(), ModuleError> {
        let reading = |e: wasmparser::BinaryReaderError| error(&e);
        match payload {
            Payload::TypeSection(reader) => {
                for group in reader {
                    for sub in group.map_err(reading)?.into_types() {
                        let CompositeInnerType::Func(f) = &sub.composite_type.inner else {
                            return Err(ModuleError("types other than functions are not supported".into()));
                        };
                        self.types
                            .push(Signature { params: kinds(f.params())?, results: kinds(f.results())? });
                    }
                }
            }
            Payload::ImportSection(reader) => {
                for import in reader.into_imports() {
                    let import = import.map_err(reading)?;
                    let (module, name) = (import.module.to_string(), import.name.to_string());
                    match import.ty {
                        TypeRef::Func(index) => {
                            self.functions.push(index);
                            self.names.push(Some(name.clone()));
                            self.imports.push(Import { module, name });
                        }
                        _ => {
                            return Err(ModuleError(format!(
                                "the import '{module}.{name}' is no function: memories, tables and globals \
                                 cannot be imported"
                            )));
                        }
                    }
                }
            }
            Payload::FunctionSection(reader) => {
                for index in reader {
                    self.functions.push(index.map_err(reading)?);
                    self.names.push(None);
                }
            }
            Payload::TableSection(reader) => {
                for table in reader {
                    let table = table.map_err(reading)?;
                    let begins = match table.init {
                        wasmparser::TableInit::RefNull => Initial::Null,
                        wasmparser::TableInit::Expr(e) => initial(&e)?,
                    };
                    let most = table.ty.maximum.map_or(u32::MAX, |n| n as u32);
                    self.tables.push(Table { least: table.ty.initial as u32, most, begins });
                }
            }
            Payload::MemorySection(reader) => {
                for memory in reader {
                    let memory = memory.map_err(reading)?;
                    let most = memory.maximum.map_or(1 << 16, |n| n.min(1 << 16) as u32);
                    self.memory = Some((memory.initial as u32, most));
                }
            }
            Payload::GlobalSection(reader) => {
                for global in reader {
                    let global = global.map_err(reading)?;
                    let begins = initial(&global.init_expr)?;
                    self.globals.push(Global { kind: kind(global.ty.content_type)?, begins });
                }
            }
            Payload::ExportSection(reader) => {
                for export in reader {
                    let export = export.map_err(reading)?;
                    let kind = match export.kind {
                        ExternalKind::Func | ExternalKind::FuncExact => ExportKind::Function,
                        ExternalKind::Memory => ExportKind::Memory,
                        ExternalKind::Table => ExportKind::Table,
                        ExternalKind::Global => ExportKind::Global,
                        ExternalKind::Tag => continue,
                    };
                    self.exports.push(Export { name: export.name.into(), kind, index: export.index });
                }
            }
            Payload::StartSection { func, .. } => self.start = Some(func),
            Payload::ElementSection(reader) => {
                for element in reader {
                    self.elements.push(elements(element.map_err(reading)?)?);
                }
            }
            Payload::DataSection(reader) => {
                for data in reader {
                    let data = data.map_err(reading)?;
                    let at = match &data.kind {
                        DataKind::Passive => None,
                        DataKind::Active { offset_expr, .. } => Some(initial(offset_expr)?),
                    };
                    self.data.push(Data { at, bytes: data.data.into() });
                }
            }
            Payload::CustomSection(section) => {
                if let KnownCustom::Name(names) = section.as_known() {
                    self.read_names(names);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// A damaged name section costs names only.
    fn read_names(&mut self, names: wasmparser::NameSectionReader<'_>) {
        for subsection in names.into_iter().flatten() {
            let Name::Function(map) = subsection else { continue };
            for naming in map.into_iter().flatten() {
                if let Some(name) = self.names.get_mut(naming.index as usize) {
                    *name = Some(naming.name.to_string());
                }
            }
        }
    }

    fn name_from_exports(&mut self) {
        for export in self.exports.iter().filter(|export| export.kind == ExportKind::Function) {
            if let Some(name @ None) = self.names.get_mut(export.index as usize) {
                *name = Some(export.name.clone());
            }
        }
    }

    /// The signature of a function.
    pub fn signature(&self, function: u32) -> &Signature {
        &self.types[self.functions[function as usize] as usize]
    }

    /// The name of a function, or its number.
    pub fn name(&self, function: u32) -> String {
        match self.names.get(function as usize) {
            Some(Some(name)) => name.clone(),
            _ => format!("function {function}"),
        }
    }

    /// The export of a name and kind.
    pub fn export(&self, name: &str, kind: ExportKind) -> Option<u32> {
        self.exports.iter().find(|e| e.kind == kind && e.name == name).map(|e| e.index)
    }

    /// The function of a name: exported, or by the name section.
    pub fn function(&self, name: &str) -> Option<u32> {
        self.export(name, ExportKind::Function).or_else(|| {
            let own = self.imports.len();
            let at = self.names[own..].iter().position(|n| n.as_deref() == Some(name))?;
            Some((own + at) as u32)
        })
    }
}

/// Where the contents of the code section begin: the addresses of DWARF count from there.
fn code_start(bytes: &[u8]) -> u64 {
    for payload in Parser::new(0).parse_all(bytes) {
        if let Ok(Payload::CodeSectionStart { unchecked_range: range, .. }) = payload {
            return range.start;
        }
    }
    0
}

fn elements(element: wasmparser::Element<'_>) -> Result<Elements, ModuleError> {
    let reading = |e: wasmparser::BinaryReaderError| error(&e);
    let at = match &element.kind {
        ElementKind::Active { table_index, offset_expr } => {
            Some((table_index.unwrap_or(0), initial(offset_expr)?))
        }
        ElementKind::Passive | ElementKind::Declared => None,
    };
    let mut items = Vec::new();
    match element.items {
        ElementItems::Functions(reader) => {
            for function in reader {
                items.push(Initial::Function(function.map_err(reading)?));
            }
        }
        ElementItems::Expressions(_, reader) => {
            for expression in reader {
                items.push(initial(&expression.map_err(reading)?)?);
            }
        }
    }
    let is_declared = matches!(element.kind, ElementKind::Declared);
    Ok(Elements { at, is_declared, items: items.into() })
}

/// The value of a constant expression; sums are computed here unless they have globals in them.
fn initial(expression: &ConstExpr<'_>) -> Result<Initial, ModuleError> {
    let mut stack: Vec<Initial> = Vec::new();
    for operator in expression.get_operators_reader() {
        let operator = operator.map_err(|e| error(&e))?;
        match operator {
            Operator::I32Const { value } => stack.push(Initial::Number(u64::from(value as u32))),
            Operator::I64Const { value } => stack.push(Initial::Number(value as u64)),
            Operator::F32Const { value } => stack.push(Initial::Number(u64::from(value.bits()))),
            Operator::F64Const { value } => stack.push(Initial::Number(value.bits())),
            Operator::GlobalGet { global_index } => stack.push(Initial::Global(global_index)),
            Operator::RefFunc { function_index } => stack.push(Initial::Function(function_index)),
            Operator::RefNull { .. } => stack.push(Initial::Null),
            Operator::End => {}
            Operator::I32Add
            | Operator::I32Sub
            | Operator::I32Mul
            | Operator::I64Add
            | Operator::I64Sub
            | Operator::I64Mul => {
                let (Some(Initial::Number(b)), Some(Initial::Number(a))) = (stack.pop(), stack.pop()) else {
                    return Err(ModuleError("a constant expression computes with a global".into()));
                };
                let narrow = |n: u64| u64::from(n as u32);
                stack.push(Initial::Number(match operator {
                    Operator::I32Add => narrow(a.wrapping_add(b)),
                    Operator::I32Sub => narrow(a.wrapping_sub(b)),
                    Operator::I32Mul => narrow(a.wrapping_mul(b)),
                    Operator::I64Add => a.wrapping_add(b),
                    Operator::I64Sub => a.wrapping_sub(b),
                    _ => a.wrapping_mul(b),
                }));
            }
            other => return Err(ModuleError(format!("a constant expression has {other:?}"))),
        }
    }
    stack.pop().ok_or_else(|| ModuleError("an empty constant expression".into()))
}
