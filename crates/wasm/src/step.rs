//! The loop: one instruction after the other, until a path branches, ends, or has used up its steps.
//!
//! Numbers are computed with here; everything that meets an expression, and everything rare, is a function of
//! its own.

mod rare;

use crate::Trap;
use crate::calc;
use crate::code::{Instruction, LoadOp, Reg, To};
use crate::machine::{Done, Stop, WasmMachine};
use crate::memory::Loaded;
use crate::module::Module;
use crate::number::{self, Bin, Un};
use crate::outcome::Outcome;
use crate::state::{Caller, NULL_REFERENCE, Slot, State};
use evergreen_symbolic::{Cond, Const, Expr, Exprs, Rel};
use std::rc::Rc;

/// What the loop does next.
enum Next {
    /// The instruction behind this one.
    Follow,
    /// The function has changed: registers and code are those of another one.
    Moved,
}

impl WasmMachine {
    /// Runs up to so many instructions, not beyond the end of a region.
    pub(crate) fn go_on(&mut self, state: &mut State, steps: u64) -> Done<()> {
        if state.joins.is_empty() { self.go::<false>(state, steps) } else { self.go::<true>(state, steps) }
    }

    /// Runs up to so many instructions; `JOIN`: not beyond the end of a region.
    pub(crate) fn go<const JOIN: bool>(&mut self, state: &mut State, steps: u64) -> Done<()> {
        let module = self.module.clone();
        let code = &module.code.instructions[..];
        let mut left = steps;
        while left > 0 {
            if JOIN && state.is_met() {
                return Err(Stop::Met);
            }
            left -= 1;
            state.steps += 1;
            let pc = state.pc as usize;
            let base = state.base;
            if !self.executed[pc] {
                self.executed[pc] = true;
                self.news += 1;
            }
            macro_rules! get {
                ($register:expr) => {
                    state.registers[base + $register as usize]
                };
            }
            match code[pc] {
                Instruction::Const { to, constant } => {
                    get!(to) = Slot::Number(module.code.constants[constant as usize]);
                }
                Instruction::Copy { to, from } => get!(to) = get!(from),
                Instruction::Binary { op, to, a, b } => {
                    if let (Slot::Number(x), Slot::Number(y)) = (get!(a), get!(b))
                        && let Ok(value) = number::binary(op, x, y)
                    {
                        get!(to) = Slot::Number(value);
                    } else {
                        get!(to) = self.binary(state, op, get!(a), get!(b))?;
                    }
                }
                Instruction::BinaryConst { op, to, a, constant } => {
                    let y = module.code.constants[constant as usize];
                    if let Slot::Number(x) = get!(a)
                        && let Ok(value) = number::binary(op, x, y)
                    {
                        get!(to) = Slot::Number(value);
                    } else {
                        get!(to) = self.binary(state, op, get!(a), Slot::Number(y))?;
                    }
                }
                Instruction::Unary { op, to, a } => {
                    if let Slot::Number(x) = get!(a)
                        && let Ok(value) = number::unary(op, x)
                    {
                        get!(to) = Slot::Number(value);
                    } else {
                        get!(to) = self.unary(state, op, get!(a))?;
                    }
                }
                Instruction::Load { op, to, address, offset } => {
                    if let Slot::Number(address) = get!(address)
                        && let Loaded::Number(bits) =
                            state.memory.load(address + u64::from(offset), op.size.into())
                    {
                        get!(to) = Slot::Number(extend(op, bits));
                    } else {
                        get!(to) = self.load(state, op, get!(address), offset)?;
                    }
                }
                Instruction::Store { size, from, value, address, offset } => {
                    if let (Slot::Number(address), Slot::Number(value)) = (get!(address), get!(value))
                        && let place = address + u64::from(offset)
                        && let Loaded::Number(_) = state.memory.check(place, size.into())
                    {
                        state.memory.store(place as u32, size.into(), value);
                    } else {
                        self.store(state, (size, from), get!(value), get!(address), offset)?;
                    }
                }
                Instruction::GlobalGet { to, global } => get!(to) = state.globals[global as usize],
                Instruction::GlobalSet { global, from } => {
                    let value = get!(from);
                    Rc::make_mut(&mut state.globals)[global as usize] = value;
                    if let (0, Slot::Number(to)) = (global, value) {
                        state.stack_moves(to as u32);
                    }
                }
                Instruction::Jump { to } => {
                    state.pc = to;
                    continue;
                }
                Instruction::JumpIf { condition, to, site } => {
                    let taken = match get!(condition) {
                        Slot::Number(n) => n as u32 != 0,
                        Slot::Symbolic(_) => self.condition(state, site, get!(condition))?,
                    };
                    self.took(state, site, taken.into());
                    if taken {
                        state.finish(to);
                        continue;
                    }
                }
                Instruction::JumpUnless { condition, to, site } => {
                    let taken = match get!(condition) {
                        Slot::Number(n) => n as u32 != 0,
                        Slot::Symbolic(_) => self.condition(state, site, get!(condition))?,
                    };
                    self.took(state, site, taken.into());
                    if !taken {
                        state.finish(to);
                        continue;
                    }
                }
                Instruction::JumpTable { index, table, site } => {
                    let targets = &module.code.tables[table as usize];
                    let last = targets.arms.len() - 1;
                    let arm = match get!(index) {
                        Slot::Number(n) => targets.arms[(n as u32 as usize).min(last)],
                        Slot::Symbolic(_) => self.table_arm(state, site, get!(index), &targets.arms)?,
                    };
                    self.took(state, site, arm);
                    state.finish(targets.places[arm as usize]);
                    continue;
                }
                Instruction::Call { function, at } => {
                    if let Next::Moved = self.call(state, &module, function, at)? {
                        continue;
                    }
                }
                Instruction::Return { from } => {
                    self.give_back(state, &module, from)?;
                    continue;
                }
                other => {
                    if let Next::Moved = self.rare(state, &module, other)? {
                        continue;
                    }
                }
            }
            if !state.made.is_empty() {
                state.made.clear();
                state.cursor = 0;
            }
            state.pc = pc as u32 + 1;
        }
        Ok(())
    }

    /// Notes that a conditional instruction took an arm.
    fn took(&mut self, state: &mut State, site: u32, arm: u32) {
        state.arms.take(site, arm);
        let flag = &mut self.taken[(self.first_arm[site as usize] + arm) as usize];
        if !*flag {
            *flag = true;
            self.news += 1;
        }
    }

    fn binary(&mut self, state: &mut State, op: Bin, a: Slot, b: Slot) -> Done<Slot> {
        if let (Slot::Number(x), Slot::Number(y)) = (a, b) {
            return match number::binary(op, x, y) {
                Ok(value) => Ok(Slot::Number(value)),
                Err(trap) => self.trap(state, trap),
            };
        }
        let shared = self.exprs.clone();
        let traps = calc::traps_binary(&mut shared.borrow_mut(), op, a, b);
        for (cond, trap) in traps {
            if self.is(state, cond)? {
                return self.trap(state, trap);
            }
        }
        let value = calc::binary(&mut shared.borrow_mut(), op, a, b);
        if matches!(op, Bin::I32Add | Bin::I32Sub) {
            self.remember_base(state, op, (a, b), value);
        }
        Ok(value)
    }

    fn unary(&mut self, state: &mut State, op: Un, a: Slot) -> Done<Slot> {
        if let Slot::Number(x) = a {
            return match number::unary(op, x) {
                Ok(value) => Ok(Slot::Number(value)),
                Err(trap) => self.trap(state, trap),
            };
        }
        let shared = self.exprs.clone();
        let traps = calc::traps_unary(&mut shared.borrow_mut(), op, a);
        if let Some(cases) = traps {
            let site = self.site(state);
            match self.decide(state, site, &cases)? {
                0 => return self.trap(state, Trap::InvalidConversion),
                1 => return self.trap(state, Trap::Overflow),
                _ => {}
            }
        }
        Ok(calc::unary(&mut shared.borrow_mut(), op, a))
    }

    /// The condition that a symbolic i32 is not zero.
    pub(crate) fn not_zero(&mut self, value: Slot) -> Cond {
        let mut exprs = self.exprs.borrow_mut();
        let value = calc::expr(&mut exprs, value, To::I32);
        let zero = exprs.constant(Const::I32(0));
        exprs.relate(Rel::Ne, value, zero)
    }

    /// Whether a conditional jump sees a value that is not zero.
    fn condition(&mut self, state: &mut State, site: u32, value: Slot) -> Done<bool> {
        let holds = self.not_zero(value);
        match self.decide(state, site, &[holds, holds.negated()]) {
            Ok(arm) => Ok(arm == 0),
            Err(stop) => Err(state.again(stop)),
        }
    }

    /// The arm of a `br_table`: those labels that lead to one target are one arm.
    fn table_arm(&mut self, state: &mut State, site: u32, index: Slot, arms: &[u32]) -> Done<u32> {
        let index = calc::expr(&mut self.exprs.borrow_mut(), index, To::I32);
        let conditions = match self.table_arms.get(&(site, index)) {
            Some(known) => known.clone(),
            None => {
                let conditions = arm_conditions(&mut self.exprs.borrow_mut(), index, arms);
                self.table_arms.insert((site, index), conditions.clone());
                conditions
            }
        };
        match self.decide(state, site, &conditions) {
            Ok(arm) => Ok(arm as u32),
            Err(stop) => Err(state.again(stop)),
        }
    }

    // Calls.

    fn call(&mut self, state: &mut State, module: &Module, function: u32, at: Reg) -> Done<Next> {
        if let Some(native) = &self.natives.clone()[function as usize] {
            let first = state.base + at as usize;
            let signature = module.signature(function);
            let arguments: Vec<Slot> = state.registers[first..first + signature.params.len()].to_vec();
            let result = match self.native(state, native, &arguments) {
                Ok(result) => result,
                Err(stop) => return Err(state.again(stop)),
            };
            if let Some(result) = result
                && !signature.results.is_empty()
            {
                state.registers[first] = result;
            }
            return Ok(Next::Follow);
        }
        if state.depth >= self.options.most_calls {
            return self.trap(state, Trap::StackOverflow);
        }
        let code = &module.code.functions[function as usize];
        let (function_before, base) = (state.function, state.base);
        state.callers.push(Caller { function: function_before, pc: state.pc + 1, base });
        state.depth += 1;
        state.base = base + at as usize;
        let (locals, end) = (state.base + code.params as usize, state.base + code.registers as usize);
        if state.registers.len() < end {
            state.registers.resize(end, Slot::Number(0));
        }
        state.registers[locals..state.base + code.locals as usize].fill(Slot::Number(0));
        state.function = function;
        state.finish(code.entry);
        Ok(Next::Moved)
    }

    fn give_back(&mut self, state: &mut State, module: &Module, from: Reg) -> Done<()> {
        let results = module.code.functions[state.function as usize].results as usize;
        let first = state.base + from as usize;
        if let Some(caller) = state.callers.pop() {
            state.registers.copy_within(first..first + results, state.base);
            state.depth -= 1;
            if !state.joins.is_empty() {
                state.returned();
            }
            (state.base, state.function) = (caller.base, caller.function);
            let end = caller.base + module.code.functions[caller.function as usize].registers as usize;
            if state.registers.len() < end {
                state.registers.resize(end, Slot::Number(0));
            }
            state.finish(caller.pc);
            return Ok(());
        }
        let values = state.registers[first..first + results].to_vec();
        let Some(frozen) = state.frozen.take() else {
            if self.options.leaks && self.begun.is_some() {
                self.check_leaks(state, Some(&values))?;
            }
            return Err(Stop::end(Outcome::Returned(values)));
        };
        let (caller, below) = (frozen.caller, frozen.below.clone());
        state.registers.clear();
        state.registers.extend_from_slice(&frozen.registers);
        state.registers.extend_from_slice(&values);
        state.frozen = below;
        state.depth -= 1;
        if !state.joins.is_empty() {
            state.returned();
        }
        (state.base, state.function) = (0, caller.function);
        let registers = module.code.functions[caller.function as usize].registers as usize;
        state.registers.resize(registers.max(state.registers.len()), Slot::Number(0));
        state.finish(caller.pc);
        Ok(())
    }

    fn call_indirect(
        &mut self,
        state: &mut State,
        module: &Module,
        (signature, table): (u32, u32),
        index: Slot,
        at: Reg,
    ) -> Done<Next> {
        let size = state.tables[table as usize].len() as u64;
        let number = match index {
            Slot::Number(n) => u64::from(n as u32),
            Slot::Symbolic(_) => {
                let beyond = {
                    let mut exprs = self.exprs.borrow_mut();
                    let index = calc::expr(&mut exprs, index, To::I32);
                    let limit = exprs.constant(Const::I32(size as i32));
                    exprs.relate_unsigned(Rel::Ge, index, limit)
                };
                if self.is(state, beyond)? {
                    return self.trap(state, Trap::OutOfTable);
                }
                self.pin(state, index)?
            }
        };
        let Some(&function) = state.tables[table as usize].get(number as usize) else {
            return self.trap(state, Trap::OutOfTable);
        };
        if function == NULL_REFERENCE {
            return self.trap(state, Trap::UninitializedElement);
        }
        if *module.signature(function as u32) != module.types[signature as usize] {
            return self.trap(state, Trap::BadSignature);
        }
        self.call(state, module, function as u32, at)
    }
}

fn set(state: &mut State, register: Reg, value: Slot) {
    let at = state.base + register as usize;
    state.registers[at] = value;
}

/// For each arm of a table the condition that the index means it.
fn arm_conditions(exprs: &mut Exprs, index: Expr, arms: &[u32]) -> Rc<[Cond]> {
    let distinct = arms.iter().max().map_or(0, |most| most + 1);
    let (last, labels) = (arms.len() - 1, &arms[..arms.len() - 1]);
    let limit = exprs.constant(Const::I32(last as i32));
    let mut conditions = vec![Cond::FALSE; distinct as usize];
    conditions[arms[last] as usize] = exprs.relate_unsigned(Rel::Ge, index, limit);
    let mut first = 0;
    for run in labels.chunk_by(|a, b| a == b) {
        let end = first + run.len();
        let within = within(exprs, index, first as i32, end as i32 - 1);
        let arm = &mut conditions[run[0] as usize];
        *arm = exprs.or(*arm, within);
        first = end;
    }
    conditions.into()
}

/// The condition that an index is between two labels.
fn within(exprs: &mut Exprs, index: Expr, low: i32, high: i32) -> Cond {
    let (low, high) = (exprs.constant(Const::I32(low)), exprs.constant(Const::I32(high)));
    let (above, below) = (exprs.relate(Rel::Ge, index, low), exprs.relate(Rel::Le, index, high));
    exprs.and(above, below)
}

/// A number that was read, as its register has it.
pub(crate) fn extend(op: LoadOp, bits: u64) -> u64 {
    if !op.signed {
        return bits;
    }
    let wide = match op.size {
        1 => i64::from(bits as i8),
        2 => i64::from(bits as i16),
        _ => i64::from(bits as i32),
    };
    if op.to == To::I32 { u64::from(wide as u32) } else { wide as u64 }
}

impl State {
    /// The instruction is finished, and the path goes on elsewhere.
    #[inline]
    fn finish(&mut self, pc: u32) {
        self.pc = pc;
        if !self.made.is_empty() {
            self.made.clear();
            self.cursor = 0;
        }
    }

    /// The instruction is not finished and will be executed again: it is counted then.
    fn again(&mut self, stop: Stop) -> Stop {
        if let Stop::Branch | Stop::Again = stop {
            self.steps -= 1;
        }
        stop
    }
}
