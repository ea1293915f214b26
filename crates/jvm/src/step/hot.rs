//! The fast loop: instructions that need no more than the running frame, the heap and ready statics.

use std::rc::Rc;

use evergreen_classfile::{ArrayKind, Comparison, Conversion, Instruction, Kind as Slot, Op, Rel, StackOp};
use evergreen_explore::Nearby;
use evergreen_symbolic::Cond;

use super::{Exit, arith};
use crate::classes::{Method, MethodId, Resolved};
use crate::heap::Heap;
use crate::log::{Logged, LoggedWay};
use crate::machine::Jvm;
use crate::narrowed::InputBound;
use crate::near::MOST_JUMPS;
use crate::object::Body;
use crate::pvec::PVec;
use crate::state::{ClassState, State};
use crate::value::{Ref, Value};

/// The running frame's slots, with the stack pointer at hand.
struct Hot<'a> {
    slots: &'a mut [Value],
    sp: usize,
}

/// The outcome of a conditional jump.
enum Jump {
    Fall,
    Taken,
    Symbolic(Cond),
}

impl Jump {
    // A symbolic branch is logged when an arm is taken.
    fn logged(&self, method: MethodId, pc: u32) -> Option<Logged> {
        let way = match self {
            Jump::Fall => LoggedWay::Fallthrough,
            Jump::Taken => LoggedWay::Taken,
            Jump::Symbolic(_) => return None,
        };
        Some(Logged { method, pc, way })
    }
}

impl Jvm {
    /// Runs instructions of the top frame, whose method is `method`, until one needs more than this loop has.
    /// `LOG`: branches are recorded. `JOIN`: the loop ends before the instruction `join`, too.
    pub(crate) fn run_hot<const LOG: bool, const JOIN: bool>(
        &mut self,
        state: &mut State,
        method: &Rc<Method>,
        left: &mut u64,
        join: u32,
    ) -> Exit {
        let (Some(frame), Some(code)) = (state.frames.last_mut(), method.code()) else {
            return Exit::Return(None);
        };
        let frame = Rc::make_mut(frame);
        let code = &code.instructions[..];
        let mut pc = frame.pc as usize;
        let mut hot = Hot { sp: frame.sp as usize, slots: &mut frame.slots };
        let mut steps = *left;
        let exit = loop {
            if JOIN && pc == join as usize {
                break Exit::Met;
            }
            if steps == 0 {
                break Exit::OutOfSteps;
            }
            steps -= 1;
            let instruction = code[pc];
            match instruction {
                Instruction::Nop => {}
                Instruction::Null => hot.push(Value::Null),
                Instruction::Int(value) => hot.push(Value::Int(value)),
                Instruction::Float(value) => hot.push(Value::Float(value)),
                Instruction::Long(value) => hot.push2(Value::Long(value)),
                Instruction::Double(value) => hot.push2(Value::Double(value)),
                Instruction::Load(Slot::Long | Slot::Double, local) => {
                    hot.push2(hot.slots[usize::from(local)])
                }
                Instruction::Load(_, local) => hot.push(hot.slots[usize::from(local)]),
                Instruction::Store(kind, local) => hot.store(kind, usize::from(local)),
                Instruction::Iinc(local, by) => self.increment(&mut hot, usize::from(local), i32::from(by)),
                Instruction::Stack(op) => hot.rearrange(op),
                Instruction::Arith(kind, op) => {
                    if !self.arith(&mut hot, kind, op) {
                        break Exit::Slow(instruction);
                    }
                }
                Instruction::Neg(kind) => self.neg(&mut hot, kind),
                Instruction::Convert(conversion) => self.convert(&mut hot, conversion),
                Instruction::Compare(comparison) => {
                    if LOG && self.near.is_some() {
                        self.note_difference(&hot, comparison);
                    }
                    self.compare(&mut hot, comparison);
                }
                Instruction::Goto(target) => {
                    pc = target as usize;
                    continue;
                }
                Instruction::If(_, target)
                | Instruction::IfIcmp(_, target)
                | Instruction::IfAcmp(_, target)
                | Instruction::IfNull(_, target) => {
                    let seen = method.user.then_some((&state.heap, &state.statics));
                    let near = match LOG && self.near.is_some() {
                        true => {
                            Some(self.difference(&hot, instruction, pc.checked_sub(1).map(|at| code[at])))
                        }
                        false => None,
                    };
                    let jump = self.jumps(&mut hot, instruction, seen);
                    if let Some(distance) = near {
                        self.note_near(method.id, pc as u32, &jump, distance);
                    }
                    if LOG && state.log.len() <= self.options.record {
                        state.log.extend(jump.logged(method.id, pc as u32));
                    }
                    match jump {
                        Jump::Fall => {}
                        Jump::Taken => {
                            pc = target as usize;
                            continue;
                        }
                        Jump::Symbolic(condition) => break Exit::Branch(condition, target),
                    }
                }
                Instruction::Jsr(target) => {
                    hot.push(Value::ReturnAddress(pc as u32 + 1));
                    pc = target as usize;
                    continue;
                }
                Instruction::Ret(local) => {
                    let Value::ReturnAddress(to) = hot.slots[usize::from(local)] else {
                        break Exit::Slow(instruction);
                    };
                    pc = to as usize;
                    continue;
                }
                Instruction::GetField(index) => {
                    if !hot.get_field(method.pool.get(index), &state.heap) {
                        break Exit::Slow(instruction);
                    }
                }
                Instruction::PutField(index) => {
                    if !hot.put_field(method.pool.get(index), &mut state.heap) {
                        break Exit::Slow(instruction);
                    }
                }
                Instruction::GetStatic(index) => match method.pool.get(index) {
                    Resolved::Static { class, slot, kind }
                        if state.class_states.get(class.0 as usize) == Some(&ClassState::Done) =>
                    {
                        let value = state.statics.get(slot as usize).copied().unwrap_or(Value::Null);
                        if kind.is_wide() { hot.push2(value) } else { hot.push(value) }
                    }
                    _ => break Exit::Slow(instruction),
                },
                Instruction::ArrayLoad(kind) => {
                    if !hot.array_load(kind, &state.heap) {
                        break Exit::Slow(instruction);
                    }
                }
                Instruction::ArrayStore(kind) if kind != ArrayKind::Ref => {
                    if !hot.array_store(kind, &mut state.heap) {
                        break Exit::Slow(instruction);
                    }
                }
                Instruction::ArrayLength => {
                    if !hot.array_length(&state.heap) {
                        break Exit::Slow(instruction);
                    }
                }
                Instruction::Return(kind) => break Exit::Return(kind),
                _ => break Exit::Slow(instruction),
            }
            pc += 1;
        };
        let sp = hot.sp;
        frame.pc = pc as u32;
        frame.sp = sp as u32;
        *left = steps;
        exit
    }

    #[inline(always)]
    fn increment(&mut self, hot: &mut Hot<'_>, local: usize, by: i32) {
        hot.slots[local] = match hot.slots[local] {
            Value::Int(value) => Value::Int(value.wrapping_add(by)),
            other => self.symbolic_binary(Op::Add, other, Value::Int(by)),
        };
    }

    // Whether it is done: a division by zero, or by something symbolic, needs more.
    #[inline(always)]
    fn arith(&mut self, hot: &mut Hot<'_>, kind: Slot, op: Op) -> bool {
        let shift = matches!(op, Op::Shl | Op::Shr | Op::Ushr);
        let wide = matches!(kind, Slot::Long | Slot::Double);
        let size_b = if wide && !shift { 2 } else { 1 };
        let size_a = if wide { 2 } else { 1 };
        let at_b = hot.sp - size_b;
        let at_a = at_b - size_a;
        let (a, b) = (hot.slots[at_a], hot.slots[at_b]);
        let result = match (a, b) {
            (Value::Int(a), Value::Int(b)) => arith::ints(op, a, b).map(Value::Int),
            (Value::Long(a), Value::Long(b)) => arith::longs(op, a, b).map(Value::Long),
            (Value::Long(a), Value::Int(b)) => arith::longs(op, a, i64::from(b)).map(Value::Long),
            (Value::Float(a), Value::Float(b)) => Some(Value::Float(arith::floats(op, a, b))),
            (Value::Double(a), Value::Double(b)) => Some(Value::Double(arith::doubles(op, a, b))),
            _ => {
                let integral = matches!(kind, Slot::Int | Slot::Long);
                let divides = integral && matches!(op, Op::Div | Op::Rem);
                if divides && !matches!(b, Value::Int(1..) | Value::Long(1..)) {
                    None
                } else {
                    Some(self.symbolic_binary(op, a, b))
                }
            }
        };
        let Some(result) = result else { return false };
        hot.slots[at_a] = result;
        hot.sp = at_a + size_a;
        true
    }

    fn neg(&mut self, hot: &mut Hot<'_>, kind: Slot) {
        let at = hot.sp - if matches!(kind, Slot::Long | Slot::Double) { 2 } else { 1 };
        hot.slots[at] = match hot.slots[at] {
            Value::Int(value) => Value::Int(value.wrapping_neg()),
            Value::Long(value) => Value::Long(value.wrapping_neg()),
            Value::Float(value) => Value::Float(-value),
            Value::Double(value) => Value::Double(-value),
            other => self.symbolic_neg(other),
        };
    }

    #[inline(always)]
    fn convert(&mut self, hot: &mut Hot<'_>, conversion: Conversion) {
        let (from, to) = arith::widths(conversion);
        let at = hot.sp - from;
        let value = hot.slots[at];
        hot.slots[at] =
            arith::convert(conversion, value).unwrap_or_else(|| self.symbolic_cast(conversion, value));
        hot.sp = at + to;
    }

    #[inline(always)]
    fn compare(&mut self, hot: &mut Hot<'_>, comparison: Comparison) {
        let size = match comparison {
            Comparison::FloatLess | Comparison::FloatGreater => 1,
            _ => 2,
        };
        let at_b = hot.sp - size;
        let at_a = at_b - size;
        let (a, b) = (hot.slots[at_a], hot.slots[at_b]);
        hot.slots[at_a] = match arith::compare(comparison, a, b) {
            Some(order) => Value::Int(order),
            None => self.symbolic_compare(comparison, a, b),
        };
        hot.sp = at_a + 1;
    }

    // How far the numbers are apart that are compared before a jump on the result.
    #[cold]
    fn note_difference(&mut self, hot: &Hot<'_>, comparison: Comparison) {
        let size = match comparison {
            Comparison::FloatLess | Comparison::FloatGreater => 1,
            _ => 2,
        };
        let Some(near) = &mut self.near else { return };
        near.compared = match (hot.slots[hot.sp - 2 * size], hot.slots[hot.sp - size]) {
            (Value::Long(a), Value::Long(b)) => (a as f64 - b as f64).abs(),
            (Value::Float(a), Value::Float(b)) => f64::from((a - b).abs()),
            (Value::Double(a), Value::Double(b)) => (a - b).abs(),
            _ => f64::INFINITY,
        };
    }

    // How far a jump is from going the other way; infinite if that is no number.
    #[cold]
    fn difference(&mut self, hot: &Hot<'_>, jump: Instruction, before: Option<Instruction>) -> f64 {
        let top = |depth: usize| hot.slots[hot.sp - 1 - depth];
        let (compared, texts) =
            self.near.as_mut().map_or((0.0, None), |near| (near.compared, near.texts.take()));
        match (jump, before) {
            (Instruction::If(..), Some(Instruction::Compare(_))) => compared + 1.0,
            // Whether texts are equal says nothing of how near they are.
            (Instruction::If(..), Some(Instruction::Invoke(..))) if top(0).as_int() == Some(0) => {
                texts.unwrap_or(0.0) + 1.0
            }
            (Instruction::If(..), _) => top(0).as_int().map_or(f64::INFINITY, |n| f64::from(n).abs() + 1.0),
            (Instruction::IfIcmp(..), _) => match (top(1), top(0)) {
                (Value::Int(a), Value::Int(b)) => (f64::from(a) - f64::from(b)).abs() + 1.0,
                _ => f64::INFINITY,
            },
            _ => f64::INFINITY,
        }
    }

    #[cold]
    fn note_near(&mut self, method: MethodId, pc: u32, jump: &Jump, distance: f64) {
        let arm = match jump {
            Jump::Fall => 0,
            Jump::Taken => 1,
            Jump::Symbolic(_) => return,
        };
        let site = self.site(method, pc);
        if let Some(near) = self.near.as_mut().filter(|near| near.jumps.len() < MOST_JUMPS) {
            near.jumps.push(Nearby { site, arm, distance });
        }
    }

    // Operands are popped in every case: both arms continue without them.
    #[inline(always)]
    fn jumps(
        &mut self,
        hot: &mut Hot<'_>,
        instruction: Instruction,
        seen: Option<(&Heap, &PVec<Value>)>,
    ) -> Jump {
        let holds = match instruction {
            Instruction::If(rel, _) => match hot.pop() {
                Value::Int(value) => rel.holds(value, 0),
                other => return self.relation(rel, other, Value::Int(0)),
            },
            Instruction::IfIcmp(rel, _) => match (hot.pop(), hot.pop()) {
                (Value::Int(b), Value::Int(a)) => rel.holds(a, b),
                (b, a) => return self.relation(rel, a, b),
            },
            Instruction::IfAcmp(rel, _) => match (hot.pop(), hot.pop(), seen) {
                (Value::Ref(b), Value::Ref(a), Some((heap, statics))) if a != b => {
                    self.note_identity(heap, a, b);
                    match self.same_box(heap, statics, a, b) {
                        Cond::FALSE => rel != Rel::Eq,
                        Cond::TRUE => rel == Rel::Eq,
                        same if rel == Rel::Eq => return Jump::Symbolic(same),
                        same => return Jump::Symbolic(same.negated()),
                    }
                }
                (b, a, _) => (a == b) == (rel == Rel::Eq),
            },
            Instruction::IfNull(rel, _) => (hot.pop() == Value::Null) == (rel == Rel::Eq),
            _ => false,
        };
        if holds { Jump::Taken } else { Jump::Fall }
    }

    /// The program compares two objects. A string that is an input could be the other one, which no path has.
    fn note_identity(&mut self, heap: &Heap, a: Ref, b: Ref) {
        if self.input_strings.is_empty() {
            return;
        }
        let is_string = |object: Ref| Some(heap.class_of(object)) == self.known.string;
        let is_input = self.input_strings.contains(&a) || self.input_strings.contains(&b);
        if is_input && is_string(a) && is_string(b) {
            self.narrowed_steps.add(InputBound::Sharing);
        }
    }

    #[cold]
    fn relation(&mut self, rel: Rel, a: Value, b: Value) -> Jump {
        match self.symbolic_relation(rel, a, b) {
            Cond::TRUE => Jump::Taken,
            Cond::FALSE => Jump::Fall,
            condition => Jump::Symbolic(condition),
        }
    }
}

impl Hot<'_> {
    #[inline(always)]
    fn push(&mut self, value: Value) {
        self.slots[self.sp] = value;
        self.sp += 1;
    }

    #[inline(always)]
    fn push2(&mut self, value: Value) {
        self.slots[self.sp] = value;
        self.slots[self.sp + 1] = Value::Pad;
        self.sp += 2;
    }

    #[inline(always)]
    fn pop(&mut self) -> Value {
        self.sp -= 1;
        self.slots[self.sp]
    }

    #[inline(always)]
    fn store(&mut self, kind: Slot, local: usize) {
        if matches!(kind, Slot::Long | Slot::Double) {
            self.sp -= 2;
            self.slots[local] = self.slots[self.sp];
            self.slots[local + 1] = Value::Pad;
        } else {
            self.slots[local] = self.pop();
        }
    }

    fn rearrange(&mut self, op: StackOp) {
        let sp = self.sp;
        let s = &mut *self.slots;
        // `insert(n, below)`: the top n slots are put once more below the `below` slots under them.
        let mut insert = |count: usize, below: usize| {
            let from = sp - count - below;
            s.copy_within(from..sp, from + count);
            s.copy_within(sp..sp + count, from);
        };
        match op {
            StackOp::Pop => self.sp -= 1,
            StackOp::Pop2 => self.sp -= 2,
            StackOp::Swap => s.swap(sp - 1, sp - 2),
            StackOp::Dup => {
                s[sp] = s[sp - 1];
                self.sp += 1;
            }
            StackOp::DupX1 => {
                insert(1, 1);
                self.sp += 1;
            }
            StackOp::DupX2 => {
                insert(1, 2);
                self.sp += 1;
            }
            StackOp::Dup2 => {
                insert(2, 0);
                self.sp += 2;
            }
            StackOp::Dup2X1 => {
                insert(2, 1);
                self.sp += 2;
            }
            StackOp::Dup2X2 => {
                insert(2, 2);
                self.sp += 2;
            }
        }
    }

    #[inline(always)]
    fn get_field(&mut self, field: Resolved, heap: &Heap) -> bool {
        let (Resolved::Field { slot, kind }, Value::Ref(object)) = (field, self.slots[self.sp - 1]) else {
            return false;
        };
        let value = heap.load(object, slot as usize);
        match value {
            // A rope must be written out before an unset field is read.
            Value::Null if heap.get(object).extra != 0 => return false,
            Value::Unset => return false,
            _ => {}
        }
        self.sp -= 1;
        if kind.is_wide() {
            self.push2(value)
        } else {
            self.push(value)
        }
        true
    }

    #[inline(always)]
    fn put_field(&mut self, field: Resolved, heap: &mut Heap) -> bool {
        let Resolved::Field { slot, kind } = field else { return false };
        let size = if kind.is_wide() { 2 } else { 1 };
        let Value::Ref(object) = self.slots[self.sp - size - 1] else { return false };
        let value = self.slots[self.sp - size];
        self.sp -= size + 1;
        heap.store(object, slot as usize, value);
        true
    }

    #[inline(always)]
    fn array_load(&mut self, kind: ArrayKind, heap: &Heap) -> bool {
        let (Value::Ref(array), Value::Int(index)) = (self.slots[self.sp - 2], self.slots[self.sp - 1])
        else {
            return false;
        };
        let Some(value) = heap.get(array).body.get(index as u32 as usize) else { return false };
        if value == Value::Unset {
            return false;
        }
        self.sp -= 2;
        match kind {
            ArrayKind::Long | ArrayKind::Double => self.push2(value),
            _ => self.push(value),
        }
        true
    }

    #[inline(always)]
    fn array_store(&mut self, kind: ArrayKind, heap: &mut Heap) -> bool {
        let size = match kind {
            ArrayKind::Long | ArrayKind::Double => 2,
            _ => 1,
        };
        let at = self.sp - size - 2;
        let (Value::Ref(array), Value::Int(index)) = (self.slots[at], self.slots[at + 1]) else {
            return false;
        };
        // Symbolic values may have to be narrowed, and the array to change its form.
        let value = self.slots[at + 2];
        let body = &mut heap.get_mut(array).body;
        if value.is_symbolic() || matches!(body, Body::Values(_)) || !body.set(index as u32 as usize, value) {
            return false;
        }
        self.sp = at;
        true
    }

    #[inline(always)]
    fn array_length(&mut self, heap: &Heap) -> bool {
        let Value::Ref(array) = self.slots[self.sp - 1] else { return false };
        let Some(length) = heap.array_length(array) else { return false };
        self.slots[self.sp - 1] = Value::Int(length as i32);
        true
    }
}
