//! Single instructions on a real engine, for many operands: what a machine is compared with.
//!
//! For each instruction there is a module with a loop over a buffer in memory: operands are loaded, the
//! instruction is applied, the result is stored. One call applies it to thousands of operands, so that the
//! cost is that of the instruction and not of the call. The loop keeps its place in a global; after a trap it
//! goes on with the next operands. NaNs that an instruction computes are canonical (sign 0, only the highest
//! bit of the fraction), on every processor; `abs`, `neg`, `copysign`, loads, stores and reinterpretations
//! keep bits.

mod bulk;
mod table;

use crate::end::{End, TrapKind};
use crate::error::EngineError;
use crate::run::end_of;
use crate::value::ValType;
use std::collections::BTreeMap;
use wasm_encoder::{
    BlockType, CodeSection, ConstExpr, ExportKind, ExportSection, Function, FunctionSection, GlobalSection,
    GlobalType, InstructionSink, MemArg, MemArgTarget, MemorySection, MemoryType, Module, TypeSection,
};
use wasmi::{Config, Engine, Global, Instance, Memory, Store, TypedFunc};

/// Applications that one call does: the buffer has a megabyte.
const BATCH: usize = 32_768;
/// Bytes of one application: up to three operands and the result, 8 bytes each.
const STRIDE: usize = 32;
/// Where the result lies in them.
const RESULT: u64 = 24;

/// An instruction, with the types of its operands and its result.
///
/// A load takes the 8 bytes that it loads from, as an `i64`. A store takes the 8 bytes that it stores into
/// and the value; its result is those 8 bytes afterwards. `select` is that of `i64`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// The name, as in the text format.
    pub name: String,
    /// The types of the operands.
    pub params: Vec<ValType>,
    /// The type of the result.
    pub result: ValType,
    code: table::Code,
}

/// Numeric instructions on the engine.
pub struct Reference {
    engine: Engine,
    instructions: BTreeMap<String, Instruction>,
    loops: BTreeMap<String, Loop>,
    bulk: Option<bulk::Bulk>,
}

/// The loop of an instruction.
struct Loop {
    store: Store<()>,
    run: TypedFunc<i32, ()>,
    memory: Memory,
    place: Global,
}

impl Default for Reference {
    fn default() -> Reference {
        Reference::new()
    }
}

impl Reference {
    /// The engine without any loop: each is made when its instruction is first applied.
    pub fn new() -> Reference {
        let instructions = table::all().into_iter().map(|found| (found.name.clone(), found)).collect();
        let engine = Engine::new(&Config::default());
        Reference { engine, instructions, loops: BTreeMap::new(), bulk: None }
    }

    /// All instructions, by name: 128 numeric ones, 8 saturating truncations, 14 loads, 9 stores, `select`.
    pub fn instructions(&self) -> impl Iterator<Item = &Instruction> {
        self.instructions.values()
    }

    /// Applies an instruction once.
    ///
    /// # Errors
    /// The trap of the instruction.
    ///
    /// # Panics
    /// If there is no such instruction, or the number of operands is wrong.
    pub fn apply(&mut self, name: &str, operands: &[u64]) -> Result<u64, TrapKind> {
        self.apply_all(name, operands).remove(0)
    }

    /// Applies an instruction to operands that lie one after the other. Operands and results are bits; those
    /// of 32-bit results lie below zeros, and the upper half of 32-bit operands does not matter.
    ///
    /// # Panics
    /// If there is no such instruction, or the number of operands is no multiple of what it takes.
    pub fn apply_all(&mut self, name: &str, operands: &[u64]) -> Vec<Result<u64, TrapKind>> {
        let found = self.instructions.get(name).unwrap_or_else(|| panic!("no instruction '{name}'"));
        let each = found.params.len();
        assert!(
            operands.len().is_multiple_of(each),
            "'{name}' takes {each} operands, not {}",
            operands.len()
        );
        if !self.loops.contains_key(name) {
            let made = Loop::new(&self.engine, found).expect("a valid module");
            self.loops.insert(name.to_string(), made);
        }
        let own = self.loops.get_mut(name).expect("just made");
        let mut results = Vec::with_capacity(operands.len() / each);
        for batch in operands.chunks(BATCH * each) {
            own.apply(batch, each, &mut results).expect("ends and traps only");
        }
        results
    }

    /// Applies `memory.fill` (target, byte, length), `memory.copy` or `memory.init` (target, source, length)
    /// to a memory of one page, in which byte i is `(7 i + 3) mod 256`, as are those of the 256 bytes of the
    /// segment. The result is the first and the last 256 bytes of the page.
    ///
    /// # Errors
    /// The trap of the instruction.
    ///
    /// # Panics
    /// If there is no such instruction.
    pub fn apply_bulk(&mut self, name: &str, operands: [u32; 3]) -> Result<Vec<u8>, TrapKind> {
        let engine = &self.engine;
        let bulk = self.bulk.get_or_insert_with(|| bulk::Bulk::new(engine).expect("a valid module"));
        bulk.apply(name, operands)
    }
}

impl Loop {
    fn new(engine: &Engine, instruction: &Instruction) -> Result<Loop, EngineError> {
        let module = wasmi::Module::new(engine, module(instruction)).map_err(EngineError::module)?;
        let mut store = Store::new(engine, ());
        let instance = Instance::new(&mut store, &module, &[]).map_err(EngineError::module)?;
        let run = instance.get_typed_func(&store, "run").map_err(EngineError::module)?;
        let missing = || EngineError::module("the module lacks an export");
        let memory = instance.get_memory(&store, "memory").ok_or_else(missing)?;
        let place = instance.get_global(&store, "place").ok_or_else(missing)?;
        Ok(Loop { store, run, memory, place })
    }

    /// Applies the instruction to a batch, going on after each trap.
    fn apply(
        &mut self,
        operands: &[u64],
        each: usize,
        results: &mut Vec<Result<u64, TrapKind>>,
    ) -> Result<(), EngineError> {
        let count = operands.len() / each;
        let cells = self.memory.data_mut(&mut self.store).chunks_exact_mut(STRIDE);
        for (cell, own) in cells.zip(operands.chunks_exact(each)) {
            for (to, from) in cell.chunks_exact_mut(8).zip(own) {
                to.copy_from_slice(&from.to_le_bytes());
            }
        }
        let first = results.len();
        results.resize(first + count, Ok(0));
        self.go_to(0)?;
        while let Err(error) = self.run.call(&mut self.store, count as i32) {
            let End::Trapped(kind) = end_of(error)? else {
                return Err(EngineError::module("the loop ended without a trap"));
            };
            let at = self.place.get(&self.store).i32().unwrap_or_default();
            results[first + at as usize] = Err(kind);
            self.go_to(at + 1)?;
        }
        let cells = self.memory.data(&self.store).chunks_exact(STRIDE);
        for (cell, result) in cells.zip(&mut results[first..]) {
            if let Ok(bits) = result {
                let mut bytes = [0; 8];
                bytes.copy_from_slice(&cell[RESULT as usize..]);
                *bits = u64::from_le_bytes(bytes);
            }
        }
        Ok(())
    }

    fn go_to(&mut self, place: i32) -> Result<(), EngineError> {
        self.place.set(&mut self.store, wasmi::Val::I32(place)).map_err(EngineError::module)
    }
}

/// The module of an instruction: `run` applies it from the global `place` up to its argument.
fn module(instruction: &Instruction) -> Vec<u8> {
    use wasm_encoder::ValType::I32;
    let mut types = TypeSection::new();
    types.ty().function([I32], []);
    let mut functions = FunctionSection::new();
    functions.function(0);
    let mut memories = MemorySection::new();
    let pages = (BATCH * STRIDE) as u64 / 65_536;
    memories.memory(MemoryType {
        minimum: pages,
        maximum: Some(pages),
        memory64: false,
        shared: false,
        page_size_log2: None,
    });
    let mut globals = GlobalSection::new();
    globals.global(GlobalType { val_type: I32, mutable: true, shared: false }, &ConstExpr::i32_const(0));
    let mut exports = ExportSection::new();
    exports.export("run", ExportKind::Func, 0);
    exports.export("memory", ExportKind::Memory, 0);
    exports.export("place", ExportKind::Global, 0);
    let mut code = CodeSection::new();
    code.function(&loop_of(instruction));
    let mut module = Module::new();
    module.section(&types).section(&functions).section(&memories).section(&globals);
    module.section(&exports).section(&code);
    module.finish()
}

/// The loop: local 0 is the end, local 1 the address of the operands.
fn loop_of(instruction: &Instruction) -> Function {
    let mut function = Function::new([(1, wasm_encoder::ValType::I32)]);
    let mut code = function.instructions();
    code.block(BlockType::Empty).loop_(BlockType::Empty);
    code.global_get(0).local_get(0).i32_ge_s().br_if(1);
    code.global_get(0).i32_const(STRIDE as i32).i32_mul().local_tee(1);
    instruction.code.emit(&mut function, &instruction.params);
    let mut code = function.instructions();
    to_bits(&mut code, instruction.result);
    code.i64_store(at(RESULT));
    code.global_get(0).i32_const(1).i32_add().global_set(0).br(0);
    code.end().end().end();
    function
}

/// A place in the operands.
fn at(offset: u64) -> MemArg {
    MemArg { offset, align: 0, target: MemArgTarget::default(), ordering: None }
}

/// Loads an operand.
fn load(code: &mut InstructionSink<'_>, ty: ValType, number: u64) {
    code.local_get(1);
    match ty {
        ValType::I32 => code.i32_load(at(8 * number)),
        ValType::I64 => code.i64_load(at(8 * number)),
        ValType::F32 => code.f32_load(at(8 * number)),
        ValType::F64 => code.f64_load(at(8 * number)),
    };
}

/// Turns a value into an `i64` with its bits.
fn to_bits(code: &mut InstructionSink<'_>, ty: ValType) {
    match ty {
        ValType::I32 => code.i64_extend_i32_u(),
        ValType::I64 => code,
        ValType::F32 => code.i32_reinterpret_f32().i64_extend_i32_u(),
        ValType::F64 => code.i64_reinterpret_f64(),
    };
}
