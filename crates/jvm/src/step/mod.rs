//! Instructions: the fast ones in one loop over a frame, the others by group.
//!
//! [`Jvm::run_hot`] borrows the running frame once and keeps program counter and stack pointer in registers.
//! An instruction that needs more than the frame, the heap and the statics leaves the loop as [`Exit`], runs
//! with the whole state, and returns to the loop.

pub(crate) mod arith;
mod arrays;
mod buckets;
mod constants;
mod hot;
mod invoke;
mod objects;
mod open_arrays;
pub(crate) mod symbolic;

pub(crate) use open_arrays::too_long;

use std::rc::Rc;

use evergreen_classfile::{Instruction, Kind as Slot};
use evergreen_symbolic::Cond;

use crate::classes::Method;
use crate::log::LoggedWay;
use crate::machine::{Flow, Jvm};
use crate::native::Trap;
use crate::state::State;
use crate::value::Value;

/// Why the fast loop ended, the frame's program counter being at the instruction.
pub(crate) enum Exit {
    /// The instruction needs the whole state.
    Slow(Instruction),
    /// The method returns.
    Return(Option<Slot>),
    /// A conditional jump on a symbolic value.
    Branch(Cond, u32),
    /// The steps are used up.
    OutOfSteps,
    /// The end of a region.
    Met,
}

type Step<T = ()> = Result<T, Box<Trap>>;

impl Jvm {
    /// Runs the top frame's instructions until another frame is on top or the path pauses.
    pub(crate) fn run_frame(&mut self, state: &mut State, left: &mut u64) -> Step<Flow> {
        loop {
            let Some(frame) = state.frames.last() else { return Ok(Flow::Frames) };
            let method = frame.method.clone();
            let before = *left;
            let logs = self.options.record > 0 && method.user;
            let exit = match (logs, state.join_here()) {
                (false, None) => self.run_hot::<false, false>(state, &method, left, u32::MAX),
                (true, None) => self.run_hot::<true, false>(state, &method, left, u32::MAX),
                (false, Some(join)) => self.run_hot::<false, true>(state, &method, left, join),
                (true, Some(join)) => self.run_hot::<true, true>(state, &method, left, join),
            };
            state.steps += before - *left;
            if state.initializing > 0 {
                state.init_steps += before - *left;
            }
            match exit {
                Exit::OutOfSteps => return Ok(Flow::OutOfSteps),
                Exit::Met => return Ok(Flow::Met),
                Exit::Return(kind) => {
                    let value = pop_result(state, kind);
                    return Ok(self.return_value(state, value));
                }
                Exit::Branch(condition, target) => {
                    let fall = state.top().map_or(0, |frame| frame.pc + 1);
                    if let Some(jumps) = self.decided(state, condition) {
                        self.log(state, if jumps { LoggedWay::Taken } else { LoggedWay::Fallthrough });
                        if let Some(frame) = state.top_mut() {
                            frame.pc = if jumps { target } else { fall };
                        }
                        continue;
                    }
                    self.branch(state, condition, target, fall);
                    return Ok(Flow::Branch);
                }
                Exit::Slow(instruction) => {
                    let depth = state.frames.len();
                    if let Some(flow) = self.slow(state, &method, instruction)? {
                        return Ok(flow);
                    }
                    if state.frames.len() != depth {
                        return Ok(Flow::Frames);
                    }
                }
            }
        }
    }

    // The frame's program counter is at the instruction; each group moves it on when the instruction is done.
    // Calls leave it there: the return moves it on.
    fn slow(
        &mut self,
        state: &mut State,
        method: &Rc<Method>,
        instruction: Instruction,
    ) -> Step<Option<Flow>> {
        match instruction {
            Instruction::Ldc(index) => self.load_constant(state, method, index)?,
            Instruction::ArrayLoad(kind) => self.array_load(state, kind)?,
            Instruction::ArrayStore(kind) => self.array_store(state, kind)?,
            Instruction::ArrayLength => self.array_length(state)?,
            Instruction::Arith(kind, op) => self.divide(state, kind, op)?,
            Instruction::Switch(index) => {
                if self.switch(state, method, index) {
                    return Ok(Some(Flow::Branch));
                }
                return Ok(None);
            }
            Instruction::GetStatic(index) => self.get_static(state, method, index)?,
            Instruction::PutStatic(index) => self.put_static(state, method, index)?,
            Instruction::GetField(index) => self.get_field(state, method, index)?,
            Instruction::PutField(index) => self.put_field(state, method, index)?,
            Instruction::Invoke(kind, index) => {
                return self.invoke(state, method, kind, index).map(|()| None);
            }
            Instruction::InvokeDynamic(index) => {
                return self.invoke_dynamic(state, method, index).map(|()| None);
            }
            Instruction::New(index) => self.new_object(state, method, index)?,
            Instruction::NewArray(primitive) => self.new_array(state, primitive)?,
            Instruction::ANewArray(index) => self.new_reference_array(state, method, index)?,
            Instruction::MultiANewArray(index, dimensions) => {
                self.new_nested_array(state, method, index, dimensions)?;
            }
            Instruction::CheckCast(index) => self.check_cast(state, method, index)?,
            Instruction::InstanceOf(index) => self.instance_of(state, method, index)?,
            Instruction::MonitorEnter => self.monitor_enter(state)?,
            Instruction::MonitorExit => self.monitor_exit(state)?,
            Instruction::Throw => return Err(self.throw_operand(state)),
            other => return Err(Trap::unsupported(format!("instruction {other:?}"), "").into()),
        }
        state.forget_choices();
        if let Some(frame) = state.top_mut() {
            frame.pc += 1;
        }
        Ok(None)
    }
}

fn pop_result(state: &mut State, kind: Option<Slot>) -> Option<Value> {
    let frame = state.top()?;
    let sp = frame.sp as usize;
    match kind {
        None => None,
        Some(Slot::Long | Slot::Double) => Some(frame.slots[sp - 2]),
        Some(_) => Some(frame.slots[sp - 1]),
    }
}

/// The operand `depth` slots below the top (0 is the top).
pub(crate) fn operand(state: &State, depth: usize) -> Value {
    match state.top() {
        Some(frame) => frame.slots[frame.sp as usize - 1 - depth],
        None => Value::Pad,
    }
}

/// Takes `count` slots off the operands and pushes `value`, in two slots if it is `wide`.
pub(crate) fn replace(state: &mut State, count: u32, value: Value, wide: bool) {
    if let Some(frame) = state.top_mut() {
        frame.sp -= count;
        frame.push_wide(value, wide);
    }
}
