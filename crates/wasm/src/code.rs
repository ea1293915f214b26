//! The code that the machine runs: one vector of register instructions for the whole module.
//!
//! A function has registers instead of an operand stack: its parameters and locals first, then one for each
//! height of the stack. `local.get a; local.get b; i32.add; local.set c` is one instruction here, and plain
//! `-O0` code is made of such sequences, so three of four steps disappear. Structured control is resolved
//! into jumps once.

use crate::module::Type;
use crate::number::{Bin, Un};

/// A register of the running function, from its base.
pub(crate) type Reg = u32;
/// An index into [`Code::instructions`].
pub(crate) type Pc = u32;

/// What a load reads and how it is extended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LoadOp {
    /// Bytes that are read: 1, 2, 4 or 8.
    pub(crate) size: u8,
    pub(crate) signed: bool,
    pub(crate) to: To,
}

/// The type of a value in a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum To {
    I32,
    I64,
    F32,
    F64,
}

/// One instruction.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Instruction {
    /// A constant of the pool.
    Const {
        to: Reg,
        constant: u32,
    },
    Copy {
        to: Reg,
        from: Reg,
    },
    Unary {
        op: Un,
        to: Reg,
        a: Reg,
    },
    Binary {
        op: Bin,
        to: Reg,
        a: Reg,
        b: Reg,
    },
    /// The right side is a constant of the pool.
    BinaryConst {
        op: Bin,
        to: Reg,
        a: Reg,
        constant: u32,
    },
    Select {
        to: Reg,
        a: Reg,
        b: Reg,
        condition: Reg,
    },
    Load {
        op: LoadOp,
        to: Reg,
        address: Reg,
        offset: u32,
    },
    /// Writes the low `size` bytes of a value of type `from`.
    Store {
        size: u8,
        from: To,
        value: Reg,
        address: Reg,
        offset: u32,
    },
    GlobalGet {
        to: Reg,
        global: u32,
    },
    GlobalSet {
        global: u32,
        from: Reg,
    },
    Jump {
        to: Pc,
    },
    /// `br_if`, `if`: jumps if the condition is not zero.
    JumpIf {
        condition: Reg,
        to: Pc,
        site: u32,
    },
    /// `if`: jumps if the condition is zero.
    JumpUnless {
        condition: Reg,
        to: Pc,
        site: u32,
    },
    /// `br_table`: by number into [`Code::tables`].
    JumpTable {
        index: Reg,
        table: u32,
        site: u32,
    },
    /// Arguments are in consecutive registers from `at`, and so are the results afterwards.
    Call {
        function: u32,
        at: Reg,
    },
    CallIndirect {
        signature: u32,
        table: u32,
        index: Reg,
        at: Reg,
    },
    /// Results are in consecutive registers from `from`.
    Return {
        from: Reg,
    },
    MemorySize {
        to: Reg,
    },
    MemoryGrow {
        to: Reg,
        pages: Reg,
    },
    /// `memory.fill`: the three operands are in consecutive registers.
    MemoryFill {
        at: Reg,
    },
    MemoryCopy {
        at: Reg,
    },
    MemoryInit {
        data: u32,
        at: Reg,
    },
    DataDrop {
        data: u32,
    },
    TableGet {
        table: u32,
        to: Reg,
        index: Reg,
    },
    TableSet {
        table: u32,
        index: Reg,
        value: Reg,
    },
    TableSize {
        table: u32,
        to: Reg,
    },
    /// The value and the number of new elements are in consecutive registers.
    TableGrow {
        table: u32,
        at: Reg,
    },
    TableFill {
        table: u32,
        at: Reg,
    },
    TableCopy {
        to: u32,
        from: u32,
        at: Reg,
    },
    TableInit {
        table: u32,
        elements: u32,
        at: Reg,
    },
    ElementsDrop {
        elements: u32,
    },
    Unreachable,
}

/// The targets of a `br_table`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Targets {
    /// For each label, the default last: which of the distinct targets it is.
    pub(crate) arms: Box<[u32]>,
    /// Where the distinct targets are.
    pub(crate) places: Vec<Pc>,
}

/// What is known of one function's code.
#[derive(Clone, Debug, Default)]
pub(crate) struct FunctionCode {
    pub(crate) entry: Pc,
    pub(crate) params: u32,
    pub(crate) results: u32,
    /// Registers in all.
    pub(crate) registers: u32,
    /// Parameters and locals: the others hold operands.
    pub(crate) locals: u32,
    /// The types of parameters and locals.
    pub(crate) types: Box<[Type]>,
}

/// The code of a module.
#[derive(Debug, Default)]
pub struct Code {
    pub(crate) instructions: Vec<Instruction>,
    /// Where each instruction comes from: an offset behind the start of the code section's contents, as DWARF
    /// counts.
    pub(crate) offsets: Vec<u32>,
    pub(crate) functions: Vec<FunctionCode>,
    pub(crate) constants: Vec<u64>,
    pub(crate) tables: Vec<Targets>,
    /// How many conditional instructions there are: their sites are the numbers below.
    pub(crate) conditionals: u32,
    /// For each conditional, its instruction.
    pub(crate) conditional_at: Vec<Pc>,
    pub(crate) constant_numbers: rustc_hash::FxHashMap<u64, u32>,
}

impl Code {
    /// The number of a constant.
    pub(crate) fn constant(&mut self, value: u64) -> u32 {
        let next = self.constants.len() as u32;
        let number = *self.constant_numbers.entry(value).or_insert(next);
        if number == next {
            self.constants.push(value);
        }
        number
    }

    /// How many conditional instructions the module has.
    pub fn conditionals(&self) -> u32 {
        self.conditionals
    }

    /// The offset of a site behind the start of the code section's contents, as DWARF counts.
    pub fn site_offset(&self, site: u32) -> u32 {
        let pc = match self.conditional_at.get(site as usize) {
            Some(pc) => *pc,
            None => site - self.conditionals,
        };
        self.offsets.get(pc as usize).copied().unwrap_or(0)
    }

    /// The function that an instruction belongs to.
    pub(crate) fn function_of(&self, pc: Pc) -> u32 {
        // Imports have an entry of 0 and come first.
        self.functions.partition_point(|f| f.entry <= pc).saturating_sub(1) as u32
    }

    /// The function of a site.
    pub fn function_of_site(&self, site: u32) -> u32 {
        match self.conditional_at.get(site as usize) {
            Some(pc) => self.function_of(*pc),
            None => self.function_of(site - self.conditionals),
        }
    }
}

impl Code {
    /// What kind of instruction a site is (none for conditional jumps, `a` for accesses to memory, `c` for
    /// calls, `o` for others), and which of its kind in its function, from 0.
    pub fn ordinal(&self, site: u32) -> (Option<char>, u32) {
        let function = self.function_of_site(site);
        let entry = self.functions[function as usize].entry;
        match self.conditional_at.get(site as usize) {
            Some(_) => {
                let first = self.conditional_at.partition_point(|pc| *pc < entry) as u32;
                (None, site - first)
            }
            None => {
                let pc = site - self.conditionals;
                let before = &self.instructions[entry as usize..pc as usize];
                let kind = letter(&self.instructions[pc as usize]);
                (Some(kind), before.iter().filter(|other| letter(other) == kind).count() as u32)
            }
        }
    }
}

fn letter(instruction: &Instruction) -> char {
    match instruction {
        Instruction::Load { .. } | Instruction::Store { .. } => 'a',
        Instruction::Call { .. } | Instruction::CallIndirect { .. } => 'c',
        _ => 'o',
    }
}
