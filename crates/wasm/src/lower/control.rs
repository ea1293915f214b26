//! Blocks and branches: jumps whose targets are known later, and the values that they carry.

use super::{Entry, Exit, Form, Lower};
use crate::code::{Instruction, Pc, Targets};
use wasmparser::{BinaryReaderError, BrTable};

impl Lower<'_, '_> {
    /// Copies the values that a branch carries to where its target expects them.
    pub(super) fn carry(&mut self, count: usize, height: usize) {
        let from = self.stack.len() - count;
        for i in 0..count {
            let to = self.home(height + i);
            match self.stack[from + i] {
                Entry::Home if from + i == height + i => {}
                Entry::Home => {
                    let from = self.home(from + i);
                    self.emit(Instruction::Copy { to, from });
                }
                Entry::Local(from) => {
                    self.emit(Instruction::Copy { to, from });
                }
                Entry::Constant(constant) => {
                    self.emit(Instruction::Const { to, constant });
                }
            }
        }
    }

    pub(super) fn is_function(&self, depth: u32) -> bool {
        depth as usize + 1 == self.controls.len()
    }

    /// How many values a branch carries, and the height of the first at its target.
    pub(super) fn target(&self, depth: u32) -> (usize, usize) {
        let control = &self.controls[self.controls.len() - 1 - depth as usize];
        match control.form {
            Form::Loop(_) => (control.params, control.height),
            _ => (control.results, control.height),
        }
    }

    /// Whether a branch has values to move.
    pub(super) fn moves(&self, depth: u32) -> bool {
        let (count, height) = self.target(depth);
        let from = self.stack.len() - count;
        (0..count).any(|i| self.stack[from + i] != Entry::Home || from != height)
    }

    pub(super) fn jump(&mut self, depth: u32) {
        let jump = self.emit(Instruction::Jump { to: 0 });
        self.aim(depth, Exit::At(jump));
    }

    /// Points a jump at its target, now or when that is known.
    pub(super) fn aim(&mut self, depth: u32, exit: Exit) {
        let at = self.controls.len() - 1 - depth as usize;
        match self.controls[at].form {
            Form::Loop(begin) => self.point(exit, begin),
            _ => self.controls[at].exits.push(exit),
        }
    }

    pub(super) fn point(&mut self, exit: Exit, target: Pc) {
        match exit {
            Exit::Table(table, place) => self.code.tables[table].places[place] = target,
            Exit::At(at) => match &mut self.code.instructions[at] {
                Instruction::Jump { to }
                | Instruction::JumpIf { to, .. }
                | Instruction::JumpUnless { to, .. } => *to = target,
                other => unreachable!("{other:?} does not jump"),
            },
        }
    }

    pub(super) fn branch(&mut self, depth: u32) {
        if self.is_function(depth) {
            self.give_back();
            return;
        }
        let (count, height) = self.target(depth);
        self.carry(count, height);
        self.jump(depth);
    }

    pub(super) fn give_back(&mut self) {
        let results = self.controls[0].results;
        let from = self.in_a_row(results);
        self.emit(Instruction::Return { from });
    }

    pub(super) fn branch_if(&mut self, depth: u32) {
        let condition = self.pop();
        let site = self.site();
        let jump = self.emit(Instruction::JumpIf { condition, to: 0, site });
        if !self.is_function(depth) && !self.moves(depth) {
            self.aim(depth, Exit::At(jump));
            return;
        }
        // What the branch carries is moved only on its way.
        let over = self.emit(Instruction::Jump { to: 0 });
        let stub = self.label();
        self.point(Exit::At(jump), stub);
        let stack = self.stack.clone();
        self.branch(depth);
        self.stack = stack;
        let next = self.label();
        self.point(Exit::At(over), next);
    }

    pub(super) fn branch_table(&mut self, targets: &BrTable<'_>) -> Result<(), BinaryReaderError> {
        let index = self.pop();
        let site = self.site();
        let mut depths = targets.targets().collect::<Result<Vec<u32>, _>>()?;
        depths.push(targets.default());
        let mut distinct: Vec<u32> = Vec::new();
        let mut arms = Vec::with_capacity(depths.len());
        for depth in depths {
            let arm = distinct.iter().position(|d| *d == depth).unwrap_or_else(|| {
                distinct.push(depth);
                distinct.len() - 1
            });
            arms.push(arm as u32);
        }
        let table = self.code.tables.len();
        let places = vec![0; distinct.len()];
        self.code.tables.push(Targets { arms: arms.into(), places });
        self.emit(Instruction::JumpTable { index, table: table as u32, site });
        for (place, depth) in distinct.into_iter().enumerate() {
            if self.is_function(depth) || self.moves(depth) {
                let stub = self.label();
                self.code.tables[table].places[place] = stub;
                let stack = self.stack.clone();
                self.branch(depth);
                self.stack = stack;
            } else {
                self.aim(depth, Exit::Table(table, place));
            }
        }
        Ok(())
    }

    pub(super) fn otherwise(&mut self) {
        let reachable = self.reachable;
        let Some(control) = self.controls.last() else { return };
        let (height, params, results) = (control.height, control.params, control.results);
        if reachable {
            self.carry(results, height);
            self.jump(0);
        }
        let begin = self.label();
        let Some(control) = self.controls.last_mut() else { return };
        if let Form::If(jump) = &mut control.form
            && let Some(jump) = jump.take()
        {
            self.point(Exit::At(jump), begin);
        }
        self.stack.truncate(height);
        (0..params).for_each(|_| self.push(Entry::Home));
        self.reachable = true;
    }

    pub(super) fn end(&mut self) {
        let Some(control) = self.controls.pop() else { return };
        if self.controls.is_empty() {
            if self.reachable {
                let from = self.in_a_row(control.results);
                self.emit(Instruction::Return { from });
            }
            return;
        }
        if self.reachable {
            self.carry(control.results, control.height);
        }
        let end = self.label();
        let mut reachable = self.reachable || !control.exits.is_empty();
        if let Form::If(Some(jump)) = control.form {
            // Without an `else`, parameters are the results.
            self.point(Exit::At(jump), end);
            reachable = true;
        }
        control.exits.iter().for_each(|exit| self.point(*exit, end));
        self.stack.truncate(control.height);
        self.reachable = reachable;
        (0..control.results).for_each(|_| self.push(Entry::Home));
    }
}
