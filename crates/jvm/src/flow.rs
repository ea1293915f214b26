//! The flow of control in a method: where the arms of its branches meet again, and which locals are read from
//! a place on.
//!
//! Exceptions are no arms: what a handler does is left to the states that get there. But a local that a
//! handler may read counts as read from every place that the handler covers.

use evergreen_classfile::{Code, Instruction};
use evergreen_structures::{Meeting, Regions};

/// The flow of control in one method.
pub(crate) struct Flow {
    regions: Regions,
    /// For each instruction, a set of locals by 64.
    live: Vec<u64>,
    words: usize,
    /// Locals that are used as an index of an array, or as the length of one.
    indexes: Vec<bool>,
}

impl Flow {
    /// Of a method with this code; `None` if it has subroutines, whose returns may lead anywhere.
    pub(crate) fn of(code: &Code) -> Option<Flow> {
        let mut successors = Vec::with_capacity(code.instructions.len());
        let mut exits = Vec::new();
        for (pc, instruction) in (0u32..).zip(&code.instructions) {
            successors.push(match instruction {
                Instruction::Jsr(_) | Instruction::Ret(_) => return None,
                Instruction::Goto(target) => vec![*target],
                Instruction::If(_, target)
                | Instruction::IfIcmp(_, target)
                | Instruction::IfAcmp(_, target)
                | Instruction::IfNull(_, target) => vec![pc + 1, *target],
                Instruction::Switch(index) => {
                    let switch = &code.switches[*index as usize];
                    let mut targets: Vec<u32> = switch.iter().map(|(_, target)| target).collect();
                    targets.push(switch.default);
                    targets.sort_unstable();
                    targets.dedup();
                    targets
                }
                Instruction::Return(_) => {
                    exits.push(pc);
                    Vec::new()
                }
                Instruction::Throw => Vec::new(),
                _ => vec![pc + 1],
            });
        }
        let count = successors.len() as u32;
        successors.iter_mut().for_each(|next: &mut Vec<u32>| next.retain(|next| *next < count));
        let words = usize::from(code.max_locals).div_ceil(64).max(1);
        let live = live(code, &successors, words);
        let indexes = indexes(code);
        Some(Flow { regions: Regions::new(successors, &exits), live, words, indexes })
    }

    /// Where the arms of a branch meet, unless the branch is on a way there.
    pub(crate) fn end_of_region(&mut self, branch: u32) -> Option<Meeting> {
        self.regions.end(branch)
    }

    /// Whether a local may be read from an instruction on.
    pub(crate) fn is_live(&self, pc: u32, local: usize) -> bool {
        self.live[pc as usize * self.words + local / 64] >> (local % 64) & 1 == 1
    }

    /// Whether a local is an index somewhere: a symbolic one costs more than another path.
    pub(crate) fn is_index(&self, local: usize) -> bool {
        self.indexes.get(local).copied().unwrap_or(false)
    }
}

/// The locals that may be read from each instruction on.
fn live(code: &Code, successors: &[Vec<u32>], words: usize) -> Vec<u64> {
    let count = code.instructions.len();
    let mut live = vec![0u64; count * words];
    loop {
        let mut changed = false;
        for pc in (0..count).rev() {
            let mut here = vec![0u64; words];
            for next in &successors[pc] {
                let next = *next as usize * words;
                here.iter_mut().zip(&live[next..next + words]).for_each(|(word, more)| *word |= more);
            }
            let mut word = |local: u16, read: bool| {
                if let Some(word) = here.get_mut(usize::from(local) / 64) {
                    let bit = 1 << (local % 64);
                    *word = if read { *word | bit } else { *word & !bit };
                }
            };
            match code.instructions[pc] {
                Instruction::Store(_, local) => word(local, false),
                Instruction::Load(_, local) | Instruction::Iinc(local, _) => word(local, true),
                _ => {}
            }
            let covers = |from: u32, to: u32| (from as usize..to as usize).contains(&pc);
            for handler in code.handlers.iter().filter(|handler| covers(handler.from, handler.to)) {
                let target = handler.target as usize * words;
                here.iter_mut().zip(&live[target..target + words]).for_each(|(word, more)| *word |= more);
            }
            let place = &mut live[pc * words..(pc + 1) * words];
            if *place != *here {
                place.copy_from_slice(&here);
                changed = true;
            }
        }
        if !changed {
            return live;
        }
    }
}

/// Locals that are loaded just before an access to an array, or before one is made.
fn indexes(code: &Code) -> Vec<bool> {
    let mut all = vec![false; usize::from(code.max_locals)];
    for pair in code.instructions.windows(2) {
        if let [
            Instruction::Load(_, local),
            Instruction::ArrayLoad(_) | Instruction::NewArray(_) | Instruction::ANewArray(_),
        ] = pair
        {
            all.get_mut(usize::from(*local)).into_iter().for_each(|is_index| *is_index = true);
        }
    }
    all
}
