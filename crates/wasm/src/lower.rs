//! Lowers the body of a function to register code, in one pass.
//!
//! The operand stack is followed symbolically: an entry is a register that has its value, a local that was
//! got, or a constant. Nothing is emitted for `local.get` and `T.const` until somebody needs the value in a
//! register of its own: an instruction takes locals as operands, and what it computes goes straight into the
//! local that is set next. A local that is set while the stack still has its old value is copied first. At
//! the boundaries of blocks every entry is put where its height says, so that all ways into a block agree.

mod control;
mod operators;

use crate::code::{Code, FunctionCode, Instruction, Pc, Reg};
use crate::module::Module;
use operators::{Plain, plain};
use wasmparser::{BinaryReaderError, BlockType, FunctionBody, Operator};

/// Where a value of the operand stack is.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Entry {
    /// In the register of its height.
    Home,
    /// In a local that has not been set since.
    Local(u32),
    /// Nowhere yet: a constant of the pool.
    Constant(u32),
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Form {
    Block,
    Loop(Pc),
    /// With the jump to the `else` arm, until that begins.
    If(Option<usize>),
}

struct Control {
    form: Form,
    /// Height of the stack below its parameters.
    height: usize,
    params: usize,
    results: usize,
    /// Jumps to its end.
    exits: Vec<Exit>,
}

/// A jump whose target is not known yet.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Exit {
    At(usize),
    Table(usize, usize),
}

struct Lower<'m, 'c> {
    module: &'m Module,
    code: &'c mut Code,
    stack: Vec<Entry>,
    controls: Vec<Control>,
    locals: u32,
    most: usize,
    reachable: bool,
    /// Blocks that were opened in code that cannot be reached.
    skipped: usize,
    /// Instructions from here on may be changed: no jump leads between them and what follows.
    barrier: usize,
    offset: u32,
}

/// Lowers a function and adds it to the code.
pub(crate) fn function(
    module: &Module,
    body: &FunctionBody<'_>,
    start: u64,
    code: &mut Code,
) -> Result<(), BinaryReaderError> {
    let number = code.functions.len();
    let signature = module.signature(number as u32);
    let (params, results) = (signature.params.len(), signature.results.len());
    let mut types = signature.params.to_vec();
    for group in body.get_locals_reader()? {
        let (count, of) = group?;
        // Other types do not pass the module's own check.
        let of = crate::module::kind(of).unwrap_or(crate::module::Type::Reference);
        types.extend(std::iter::repeat_n(of, count as usize));
    }
    let locals = types.len() as u32;
    let entry = code.instructions.len();
    let offset = (body.range().start - start) as u32;
    let mut lower = Lower {
        module,
        code,
        stack: Vec::new(),
        controls: Vec::new(),
        locals,
        most: 0,
        reachable: true,
        skipped: 0,
        barrier: entry,
        offset,
    };
    lower.open(Form::Block, 0, results);
    let mut reader = body.get_operators_reader()?;
    while !reader.eof() {
        let (operator, at) = reader.read_with_offset()?;
        lower.offset = (at - start) as u32;
        lower.operator(&operator)?;
    }
    let registers = locals + lower.most.max(results) as u32 + 1;
    let function = FunctionCode {
        entry: entry as Pc,
        params: params as u32,
        results: results as u32,
        registers,
        locals,
        types: types.into(),
    };
    code.functions.push(function);
    Ok(())
}

impl Lower<'_, '_> {
    fn emit(&mut self, instruction: Instruction) -> usize {
        self.code.instructions.push(instruction);
        self.code.offsets.push(self.offset);
        self.code.instructions.len() - 1
    }

    fn here(&self) -> usize {
        self.code.instructions.len()
    }

    /// A place that jumps lead to.
    fn label(&mut self) -> Pc {
        self.barrier = self.here();
        self.barrier as Pc
    }

    fn home(&self, height: usize) -> Reg {
        self.locals + height as u32
    }

    fn push(&mut self, entry: Entry) {
        self.stack.push(entry);
        self.most = self.most.max(self.stack.len());
    }

    /// A new value on the stack, and its register.
    fn push_home(&mut self) -> Reg {
        self.push(Entry::Home);
        self.home(self.stack.len() - 1)
    }

    /// Takes the top value; a constant is put into the register of its height.
    fn pop(&mut self) -> Reg {
        let height = self.stack.len() - 1;
        self.settle(height);
        match self.stack.pop() {
            Some(Entry::Local(local)) => local,
            _ => self.home(height),
        }
    }

    /// Puts a constant into its register; locals stay where they are.
    fn settle(&mut self, height: usize) {
        if let Entry::Constant(constant) = self.stack[height] {
            let to = self.home(height);
            self.emit(Instruction::Const { to, constant });
            self.stack[height] = Entry::Home;
        }
    }

    /// Puts a value into the register of its height.
    fn bring_home(&mut self, height: usize) {
        self.settle(height);
        if let Entry::Local(from) = self.stack[height] {
            let to = self.home(height);
            self.emit(Instruction::Copy { to, from });
            self.stack[height] = Entry::Home;
        }
    }

    fn bring_all_home(&mut self) {
        (0..self.stack.len()).for_each(|height| self.bring_home(height));
    }

    /// The first register of the top values, each in its own.
    fn in_a_row(&mut self, count: usize) -> Reg {
        let from = self.stack.len() - count;
        (from..self.stack.len()).for_each(|height| self.bring_home(height));
        self.home(from)
    }

    fn signature_of(&self, block: BlockType) -> (usize, usize) {
        match block {
            BlockType::Empty => (0, 0),
            BlockType::Type(_) => (0, 1),
            BlockType::FuncType(index) => {
                let signature = &self.module.types[index as usize];
                (signature.params.len(), signature.results.len())
            }
        }
    }

    fn open(&mut self, form: Form, params: usize, results: usize) {
        let height = self.stack.len() - params;
        self.controls.push(Control { form, height, params, results, exits: Vec::new() });
    }

    fn operator(&mut self, operator: &Operator<'_>) -> Result<(), BinaryReaderError> {
        if !self.reachable {
            match operator {
                Operator::Block { .. } | Operator::Loop { .. } => self.skipped += 1,
                // Numbers of sites count what cannot be reached, too.
                Operator::If { .. } => {
                    self.skipped += 1;
                    self.site();
                }
                Operator::BrIf { .. } | Operator::BrTable { .. } => {
                    self.site();
                }
                Operator::End if self.skipped > 0 => self.skipped -= 1,
                Operator::End => self.end(),
                Operator::Else if self.skipped == 0 => self.otherwise(),
                _ => {}
            }
            return Ok(());
        }
        match *operator {
            Operator::Nop => {}
            Operator::Unreachable => {
                self.emit(Instruction::Unreachable);
                self.reachable = false;
            }
            Operator::Block { blockty } => {
                self.bring_all_home();
                let (params, results) = self.signature_of(blockty);
                self.open(Form::Block, params, results);
            }
            Operator::Loop { blockty } => {
                self.bring_all_home();
                let (params, results) = self.signature_of(blockty);
                let begin = self.label();
                self.open(Form::Loop(begin), params, results);
            }
            Operator::If { blockty } => {
                let condition = self.pop();
                self.bring_all_home();
                let (params, results) = self.signature_of(blockty);
                let site = self.site();
                let jump = self.emit(Instruction::JumpUnless { condition, to: 0, site });
                self.open(Form::If(Some(jump)), params, results);
            }
            Operator::Else => self.otherwise(),
            Operator::End => self.end(),
            Operator::Br { relative_depth } => {
                self.branch(relative_depth);
                self.reachable = false;
            }
            Operator::BrIf { relative_depth } => self.branch_if(relative_depth),
            Operator::BrTable { ref targets } => {
                self.branch_table(targets)?;
                self.reachable = false;
            }
            Operator::Return => {
                self.give_back();
                self.reachable = false;
            }
            Operator::Call { function_index } => {
                let signature = self.module.signature(function_index);
                let (params, results) = (signature.params.len(), signature.results.len());
                let at = self.in_a_row(params);
                self.emit(Instruction::Call { function: function_index, at });
                self.called(params, results);
            }
            Operator::CallIndirect { type_index, table_index } => {
                let index = self.pop();
                let signature = &self.module.types[type_index as usize];
                let (params, results) = (signature.params.len(), signature.results.len());
                let at = self.in_a_row(params);
                self.emit(Instruction::CallIndirect { signature: type_index, table: table_index, index, at });
                self.called(params, results);
            }
            Operator::Drop => {
                self.stack.pop();
            }
            Operator::LocalGet { local_index } => self.push(Entry::Local(local_index)),
            Operator::LocalSet { local_index } => self.set_local(local_index),
            Operator::LocalTee { local_index } => {
                self.set_local(local_index);
                self.push(Entry::Local(local_index));
            }
            ref other => self.plain(other),
        }
        Ok(())
    }

    fn called(&mut self, params: usize, results: usize) {
        self.stack.truncate(self.stack.len() - params);
        (0..results).for_each(|_| self.push(Entry::Home));
        self.barrier = self.here();
    }

    /// The number of the next conditional instruction.
    fn site(&mut self) -> u32 {
        let site = self.code.conditionals;
        self.code.conditionals += 1;
        let here = self.here() as Pc;
        self.code.conditional_at.push(here);
        site
    }

    fn set_local(&mut self, local: u32) {
        let height = self.stack.len() - 1;
        let value = self.stack[height];
        self.stack.pop();
        let others = (0..height).filter(|h| self.stack[*h] == Entry::Local(local)).collect::<Vec<_>>();
        let own = self.home(height);
        match value {
            Entry::Local(from) => {
                if from != local {
                    others.into_iter().for_each(|height| self.bring_home(height));
                    self.emit(Instruction::Copy { to: local, from });
                }
            }
            Entry::Constant(constant) => {
                others.into_iter().for_each(|height| self.bring_home(height));
                self.emit(Instruction::Const { to: local, constant });
            }
            Entry::Home => {
                if others.is_empty() && self.retarget(own, local) {
                    return;
                }
                others.into_iter().for_each(|height| self.bring_home(height));
                self.emit(Instruction::Copy { to: local, from: own });
            }
        }
    }

    /// Has the newest instruction write to another register, if it wrote to this one.
    fn retarget(&mut self, from: Reg, local: Reg) -> bool {
        let last = self.here();
        if last <= self.barrier {
            return false;
        }
        match &mut self.code.instructions[last - 1] {
            Instruction::Const { to, .. }
            | Instruction::Copy { to, .. }
            | Instruction::Unary { to, .. }
            | Instruction::Binary { to, .. }
            | Instruction::BinaryConst { to, .. }
            | Instruction::Select { to, .. }
            | Instruction::Load { to, .. }
            | Instruction::GlobalGet { to, .. }
            | Instruction::MemorySize { to }
                if *to == from =>
            {
                *to = local;
                true
            }
            _ => false,
        }
    }

    fn plain(&mut self, operator: &Operator<'_>) {
        match plain(operator) {
            Plain::Constant(value) => {
                let constant = self.code.constant(value);
                self.push(Entry::Constant(constant));
            }
            Plain::Unary(op) => {
                let a = self.pop();
                let to = self.push_home();
                self.emit(Instruction::Unary { op, to, a });
            }
            Plain::Binary(op) => {
                if let Some(Entry::Constant(constant)) = self.stack.last().copied() {
                    self.stack.pop();
                    let a = self.pop();
                    let to = self.push_home();
                    self.emit(Instruction::BinaryConst { op, to, a, constant });
                    return;
                }
                let b = self.pop();
                let a = self.pop();
                let to = self.push_home();
                self.emit(Instruction::Binary { op, to, a, b });
            }
            Plain::Load(op, offset) => {
                let address = self.pop();
                let to = self.push_home();
                self.emit(Instruction::Load { op, to, address, offset });
            }
            Plain::Store { size, from, offset } => {
                let value = self.pop();
                let address = self.pop();
                self.emit(Instruction::Store { size, from, value, address, offset });
            }
            Plain::Select => {
                let condition = self.pop();
                let b = self.pop();
                let a = self.pop();
                let to = self.push_home();
                self.emit(Instruction::Select { to, a, b, condition });
            }
            Plain::GlobalGet(global) => {
                let to = self.push_home();
                self.emit(Instruction::GlobalGet { to, global });
            }
            Plain::GlobalSet(global) => {
                let from = self.pop();
                self.emit(Instruction::GlobalSet { global, from });
            }
            Plain::Rows { operands, results, make } => {
                let at = self.in_a_row(operands);
                self.stack.truncate(self.stack.len() - operands);
                (0..results).for_each(|_| self.push(Entry::Home));
                // Operands beyond the results still need registers.
                self.most = self.most.max(self.stack.len() + operands);
                self.emit(make(at));
                self.barrier = self.here();
            }
            Plain::Other(make) => {
                let instruction = make();
                self.emit(instruction);
            }
        }
    }
}
