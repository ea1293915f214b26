//! What has to be known of a module before probes can be planted: its indices, types, imports, exports.

use crate::error::EngineError;
use crate::value::{Signature, ValType};
use std::collections::BTreeMap;
use wasmparser::{ExternalKind, Parser, Payload, TypeRef, Validator, WasmFeatures};

/// What modules may use: what clang emits, without vectors, threads and exceptions. An exception would unwind
/// the depth counter around natives; nothing else here depends on the list.
pub(crate) const FEATURES: WasmFeatures = WasmFeatures::MUTABLE_GLOBAL
    .union(WasmFeatures::SATURATING_FLOAT_TO_INT)
    .union(WasmFeatures::SIGN_EXTENSION)
    .union(WasmFeatures::REFERENCE_TYPES)
    .union(WasmFeatures::GC_TYPES)
    .union(WasmFeatures::MULTI_VALUE)
    .union(WasmFeatures::BULK_MEMORY)
    .union(WasmFeatures::TAIL_CALL)
    .union(WasmFeatures::EXTENDED_CONST)
    .union(WasmFeatures::FLOATS);

/// A function import.
#[derive(Clone, Debug)]
pub(crate) struct ImportedFunction {
    pub(crate) module: String,
    pub(crate) name: String,
    pub(crate) ty: u32,
}

/// The indices, types, imports and exports of a valid module.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shape {
    /// Function types; none where references or vectors occur.
    pub(crate) types: Vec<Option<Signature>>,
    pub(crate) imports: Vec<ImportedFunction>,
    /// The type of each function, imported ones first.
    pub(crate) functions: Vec<u32>,
    pub(crate) globals: u32,
    /// The pages that the memory starts with; none without a memory.
    pub(crate) pages: Option<u64>,
    /// Exported functions by name.
    pub(crate) exports: BTreeMap<String, u32>,
    /// Functions by the names of the name section; the first if several share one.
    pub(crate) names: BTreeMap<String, u32>,
    pub(crate) start: Option<u32>,
}

impl Shape {
    /// Validates a module and reads its shape.
    pub(crate) fn read(module: &[u8]) -> Result<Shape, EngineError> {
        let mut validator = Validator::new_with_features(FEATURES);
        validator.validate_all(module).map_err(|e| EngineError::invalid(&e))?;
        let mut shape = Shape::default();
        for payload in Parser::new(0).parse_all(module) {
            let payload = payload.map_err(|e| EngineError::invalid(&e))?;
            shape.section(payload).map_err(|e| EngineError::invalid(&e))??;
        }
        Ok(shape)
    }

    fn section(&mut self, payload: Payload<'_>) -> Result<Result<(), EngineError>, wasmparser::Error> {
        match payload {
            Payload::TypeSection(section) => {
                for ty in section.into_iter_err_on_gc_types() {
                    self.types.push(signature(&ty?));
                }
            }
            Payload::ImportSection(section) => {
                for import in section.into_imports() {
                    let import = import?;
                    if let Err(error) = self.import(&import) {
                        return Ok(Err(error));
                    }
                }
            }
            Payload::FunctionSection(section) => {
                for ty in section {
                    self.functions.push(ty?);
                }
            }
            Payload::MemorySection(section) => {
                for memory in section {
                    self.pages.get_or_insert(memory?.initial);
                }
            }
            Payload::GlobalSection(section) => self.globals = section.count(),
            Payload::ExportSection(section) => {
                for export in section {
                    let export = export?;
                    if matches!(export.kind, ExternalKind::Func) {
                        self.exports.insert(export.name.to_string(), export.index);
                    }
                }
            }
            Payload::StartSection { func, .. } => self.start = Some(func),
            Payload::CustomSection(section) => {
                if let wasmparser::KnownCustom::Name(names) = section.as_known() {
                    // Damage in names is no damage of the program.
                    let _ = self.read_names(names);
                }
            }
            _ => {}
        }
        Ok(Ok(()))
    }

    fn import(&mut self, import: &wasmparser::Import<'_>) -> Result<(), EngineError> {
        let (module, name) = (import.module.to_string(), import.name.to_string());
        let what = match import.ty {
            TypeRef::Func(ty) => {
                self.functions.push(ty);
                self.imports.push(ImportedFunction { module, name, ty });
                return Ok(());
            }
            TypeRef::Memory(_) => "memories",
            TypeRef::Table(_) => "tables",
            TypeRef::Global(_) => "globals",
            _ => "items other than functions",
        };
        Err(EngineError::Import { module, name, message: format!("{what} cannot be imported") })
    }

    fn read_names(&mut self, section: wasmparser::NameSectionReader<'_>) -> Result<(), wasmparser::Error> {
        for names in section {
            if let wasmparser::Name::Function(functions) = names? {
                for naming in functions {
                    let naming = naming?;
                    self.names.entry(naming.name.to_string()).or_insert(naming.index);
                }
            }
        }
        Ok(())
    }

    /// How many functions are imported: the index of the first defined one.
    pub(crate) fn imported(&self) -> u32 {
        self.imports.len() as u32
    }

    /// The type of a function; none if there is none such, or if it has references.
    pub(crate) fn signature(&self, function: u32) -> Option<&Signature> {
        let ty = *self.functions.get(function as usize)?;
        self.types.get(ty as usize)?.as_ref()
    }

    /// A function by its exported name, else by the name section.
    pub(crate) fn function(&self, name: &str) -> Option<u32> {
        let known = self.exports.get(name).or_else(|| self.names.get(name)).copied();
        known.filter(|&index| (index as usize) < self.functions.len())
    }
}

fn signature(ty: &wasmparser::FuncType) -> Option<Signature> {
    let types = |types: &[wasmparser::ValType]| {
        types.iter().map(|&ty| ValType::parsed(ty)).collect::<Option<Vec<ValType>>>()
    };
    Some(Signature { params: types(ty.params())?, results: types(ty.results())? })
}
