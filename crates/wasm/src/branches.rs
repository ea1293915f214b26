//! The conditional instructions of a module, for coverage: where each is, and where its arms lead.
//!
//! An arm leads to the first instruction behind it that is no jump. That instruction has a line in the
//! source, which says more to a reader than "taken" and "not taken": compilers invert conditions.

use crate::code::{Code, Instruction, Pc};

/// Jumps that are followed from an arm.
const MOST_JUMPS: usize = 64;
/// Instructions behind an arm that are looked at for a call.
const MOST_LOOKED_AT: usize = 64;

/// A conditional instruction that can be reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Branch {
    /// Its number, as paths and replays have it.
    pub site: u32,
    /// The function that it is in.
    pub function: u32,
    /// Its offset behind the start of the code section's contents, as DWARF counts.
    pub offset: u32,
    /// The place of its first arm in [`WasmMachine::taken_flags`](crate::WasmMachine::taken_flags).
    pub first: usize,
    /// Its arms: of `if` and `br_if` that of zero first.
    pub arms: Vec<Target>,
}

/// Where an arm leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    /// The offset of the first instruction.
    pub offset: u32,
    /// The function that is called before the next branch, if one is.
    pub calls: Option<u32>,
    /// Whether the arm does nothing but trap.
    pub traps: bool,
}

impl Code {
    /// The conditional instructions that can be reached, by their sites.
    pub fn branches(&self) -> Vec<Branch> {
        let (first, _) = self.first_arms();
        let mut all: Vec<Branch> = Vec::new();
        for (pc, instruction) in (0..).zip(&self.instructions) {
            let Some((site, targets)) = self.conditional(pc, instruction) else { continue };
            let arms = targets.into_iter().map(|pc| self.target(pc)).collect();
            let offset = self.offsets.get(pc as usize).copied().unwrap_or(0);
            let first = first[site as usize] as usize;
            all.push(Branch { site, function: self.function_of(pc), offset, first, arms });
        }
        all.sort_by_key(|branch| branch.site);
        all
    }

    /// For each site the number of its first arm among all arms, and how many there are.
    pub(crate) fn first_arms(&self) -> (Vec<u32>, u32) {
        let mut counts = vec![0; self.conditionals as usize];
        for (pc, instruction) in (0..).zip(&self.instructions) {
            if let Some((site, targets)) = self.conditional(pc, instruction) {
                counts[site as usize] = targets.len() as u32;
            }
        }
        let mut sum = 0;
        for count in &mut counts {
            sum += std::mem::replace(count, sum);
        }
        (counts, sum)
    }

    /// The site of a conditional instruction, and where its arms begin.
    fn conditional(&self, pc: Pc, instruction: &Instruction) -> Option<(u32, Vec<Pc>)> {
        match *instruction {
            Instruction::JumpIf { to, site, .. } => Some((site, vec![pc + 1, to])),
            Instruction::JumpUnless { to, site, .. } => Some((site, vec![to, pc + 1])),
            Instruction::JumpTable { table, site, .. } => {
                Some((site, self.tables[table as usize].places.clone()))
            }
            _ => None,
        }
    }

    fn target(&self, mut pc: Pc) -> Target {
        for _ in 0..MOST_JUMPS {
            match self.instructions.get(pc as usize) {
                Some(Instruction::Jump { to }) => pc = *to,
                _ => break,
            }
        }
        let offset = self.offsets.get(pc as usize).copied().unwrap_or(0);
        let behind = self.instructions.get(pc as usize..).unwrap_or_default();
        let calls = behind.iter().take(MOST_LOOKED_AT).map_while(straight).find_map(|call| call);
        let traps = matches!(behind.first(), Some(Instruction::Unreachable));
        Target { offset, calls, traps }
    }
}

/// The function that an instruction calls, if it is a call; none where the way may part or end.
fn straight(instruction: &Instruction) -> Option<Option<u32>> {
    match *instruction {
        Instruction::Call { function, .. } => Some(Some(function)),
        Instruction::Jump { .. }
        | Instruction::JumpIf { .. }
        | Instruction::JumpUnless { .. }
        | Instruction::JumpTable { .. }
        | Instruction::CallIndirect { .. }
        | Instruction::Return { .. }
        | Instruction::Unreachable => None,
        _ => Some(None),
    }
}
