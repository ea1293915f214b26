//! The flow of control in a function: where the arms of its branches meet again, and which registers are read
//! from a place on.

use crate::code::{Code, Instruction, Pc, Reg};
use crate::module::Module;
use evergreen_structures::{Meeting, Regions};
use rustc_hash::FxHashMap;

/// The flow of control in one function.
pub(crate) struct Flow {
    first: Pc,
    /// Of the function's instructions, counted from the first.
    regions: Regions,
    /// How many there are.
    count: usize,
    /// Whether registers are read, as far as that was asked for.
    live: FxHashMap<(Pc, Reg), bool>,
}

impl Flow {
    /// Of a function of the module.
    pub(crate) fn of(code: &Code, function: u32) -> Flow {
        let first = code.functions[function as usize].entry;
        let next =
            code.functions.get(function as usize + 1).map_or(code.instructions.len() as Pc, |f| f.entry);
        let count = next - first;
        let mut exits = Vec::new();
        let mut successors = Vec::with_capacity(count as usize);
        for (at, instruction) in (0..count).zip(&code.instructions[first as usize..]) {
            let mut ways = match *instruction {
                Instruction::Jump { to } => vec![to],
                Instruction::JumpIf { to, .. } | Instruction::JumpUnless { to, .. } => {
                    vec![first + at + 1, to]
                }
                Instruction::JumpTable { table, .. } => code.tables[table as usize].places.clone(),
                Instruction::Return { .. } => {
                    exits.push(at);
                    Vec::new()
                }
                Instruction::Unreachable => Vec::new(),
                _ => vec![first + at + 1],
            };
            ways.retain(|way| (first..next).contains(way));
            ways.iter_mut().for_each(|way| *way -= first);
            successors.push(ways);
        }
        let regions = Regions::new(successors, &exits);
        Flow { first, regions, count: count as usize, live: FxHashMap::default() }
    }

    /// Where the arms of a branch meet, unless the branch is on a way there.
    pub(crate) fn end_of_region(&mut self, branch: Pc) -> Option<Meeting> {
        Some(match self.regions.end(branch - self.first)? {
            Meeting::Node(at) => Meeting::Node(at + self.first),
            other => other,
        })
    }

    /// Whether a register may be read from an instruction on, before it is written.
    pub(crate) fn is_live(&mut self, module: &Module, pc: Pc, register: Reg) -> bool {
        if let Some(known) = self.live.get(&(pc, register)) {
            return *known;
        }
        let mut seen = vec![false; self.count];
        let mut open = vec![pc - self.first];
        let mut is_live = false;
        while let Some(at) = open.pop() {
            if std::mem::replace(&mut seen[at as usize], true) {
                continue;
            }
            match touches(module, &module.code.instructions[(self.first + at) as usize], register) {
                Touch::Reads => {
                    is_live = true;
                    break;
                }
                Touch::Writes => {}
                Touch::Nothing => open.extend(self.regions.successors(at)),
            }
        }
        self.live.insert((pc, register), is_live);
        is_live
    }
}

/// What an instruction does with a register.
enum Touch {
    Reads,
    Writes,
    Nothing,
}

fn touches(module: &Module, instruction: &Instruction, register: Reg) -> Touch {
    let row = |at: Reg, count: u32| (at..at + count).contains(&register);
    let (reads, writes) = match *instruction {
        Instruction::Const { to, .. }
        | Instruction::GlobalGet { to, .. }
        | Instruction::MemorySize { to } => (false, to == register),
        Instruction::Copy { to, from } => (from == register, to == register),
        Instruction::Unary { to, a, .. } | Instruction::BinaryConst { to, a, .. } => {
            (a == register, to == register)
        }
        Instruction::Binary { to, a, b, .. } => (a == register || b == register, to == register),
        Instruction::Select { to, a, b, condition } => {
            ([a, b, condition].contains(&register), to == register)
        }
        Instruction::Load { to, address, .. } => (address == register, to == register),
        Instruction::Store { value, address, .. } => (value == register || address == register, false),
        Instruction::GlobalSet { from, .. } => (from == register, false),
        Instruction::Jump { .. } | Instruction::Unreachable => (false, false),
        Instruction::JumpIf { condition, .. } | Instruction::JumpUnless { condition, .. } => {
            (condition == register, false)
        }
        Instruction::JumpTable { index, .. } => (index == register, false),
        // The registers of the function that is called begin with its arguments.
        Instruction::Call { function, at } => {
            (row(at, module.signature(function).params.len() as u32), register >= at)
        }
        Instruction::CallIndirect { signature, index, at, .. } => {
            let params = module.types[signature as usize].params.len() as u32;
            (index == register || row(at, params), register >= at)
        }
        // The results; nothing is read afterwards.
        Instruction::Return { from } => (register >= from, true),
        // Rare ones: as if they read everything.
        _ => (true, false),
    };
    match (reads, writes) {
        (true, _) => Touch::Reads,
        (false, true) => Touch::Writes,
        (false, false) => Touch::Nothing,
    }
}
