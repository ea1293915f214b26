//! Bulk memory instructions: each is one call on a page with known bytes.

use crate::end::{End, TrapKind};
use crate::error::EngineError;
use crate::run::end_of;
use wasm_encoder::{
    CodeSection, DataCountSection, DataSection, ExportKind, ExportSection, Function, FunctionSection,
    MemorySection, MemoryType, Module, TypeSection,
};
use wasmi::{Engine, Instance, Memory, Store};

/// Bytes of the page.
const PAGE: usize = 65_536;
/// Bytes of the segment, and of each window that is read.
const WINDOW: usize = 256;

/// The byte at each address and in the segment.
fn pattern(at: usize) -> u8 {
    (at.wrapping_mul(7) + 3) as u8
}

/// A module with the three instructions.
pub(super) struct Bulk {
    store: Store<()>,
    instance: Instance,
    memory: Memory,
    before: Vec<u8>,
}

impl Bulk {
    pub(super) fn new(engine: &Engine) -> Result<Bulk, EngineError> {
        let module = wasmi::Module::new(engine, module()).map_err(EngineError::module)?;
        let mut store = Store::new(engine, ());
        let instance = Instance::new(&mut store, &module, &[]).map_err(EngineError::module)?;
        let memory = instance.get_memory(&store, "memory");
        let memory = memory.ok_or_else(|| EngineError::module("the module has no memory"))?;
        Ok(Bulk { store, instance, memory, before: (0..PAGE).map(pattern).collect() })
    }

    /// Applies an instruction to the page; what the windows contain afterwards.
    pub(super) fn apply(&mut self, name: &str, operands: [u32; 3]) -> Result<Vec<u8>, TrapKind> {
        self.memory.data_mut(&mut self.store).copy_from_slice(&self.before);
        let function = self.instance.get_typed_func::<(u32, u32, u32), ()>(&self.store, name);
        let function = function.unwrap_or_else(|_| panic!("no instruction '{name}'"));
        let [first, second, third] = operands;
        if let Err(error) = function.call(&mut self.store, (first, second, third)) {
            match end_of(error) {
                Ok(End::Trapped(kind)) => return Err(kind),
                other => panic!("neither an end nor a trap: {other:?}"),
            }
        }
        let bytes = self.memory.data(&self.store);
        Ok([&bytes[..WINDOW], &bytes[PAGE - WINDOW..]].concat())
    }
}

fn module() -> Vec<u8> {
    use wasm_encoder::ValType::I32;
    let mut types = TypeSection::new();
    types.ty().function([I32, I32, I32], []);
    let mut functions = FunctionSection::new();
    let mut memories = MemorySection::new();
    let page =
        MemoryType { minimum: 1, maximum: Some(1), memory64: false, shared: false, page_size_log2: None };
    memories.memory(page);
    let mut exports = ExportSection::new();
    exports.export("memory", ExportKind::Memory, 0);
    let mut code = CodeSection::new();
    for (index, name) in (0..).zip(["memory.fill", "memory.copy", "memory.init"]) {
        functions.function(0);
        exports.export(name, ExportKind::Func, index);
        let mut function = Function::new([]);
        let mut sink = function.instructions();
        sink.local_get(0).local_get(1).local_get(2);
        match index {
            0 => sink.memory_fill(0),
            1 => sink.memory_copy(0, 0),
            _ => sink.memory_init(0, 0),
        };
        sink.end();
        code.function(&function);
    }
    let mut data = DataSection::new();
    data.passive((0..WINDOW).map(pattern));
    let mut module = Module::new();
    module.section(&types).section(&functions).section(&memories).section(&exports);
    module.section(&DataCountSection { count: 1 }).section(&code).section(&data);
    module.finish()
}
