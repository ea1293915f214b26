//! Merging: one state of two that differ in numbers only, where the arms of a branch meet again.
//!
//! Registers that nothing reads from there on do not count. Bytes of memory that differ become conditional
//! values, in the width in which one of the states has stored them. What cannot be conditional (objects of
//! the heap, the world outside, poisoned bytes) keeps states apart.

use crate::calc;
use crate::code::{Instruction, Pc, To};
use crate::flow::Flow;
use crate::machine::WasmMachine;
use crate::memory::{Byte, Cell};
use crate::module::Type;
use crate::state::{Draw, Slot, State};
use evergreen_explore::{Merging, Path};
use evergreen_structures::Meeting;
use evergreen_symbolic::{Cond, Const, Expr, Exprs, Kind};
use std::cell::RefCell;
use std::rc::Rc;

/// A conditional value is not larger than this, as a tree: a path more costs less than questions about it.
const MOST_NODES: u32 = 400;
/// Bytes of memory that two states may differ in.
const MOST_BYTES: usize = 512;

/// The end of a region that a state is in.
#[derive(Clone)]
pub(crate) struct Join {
    /// How many calls are active, with that of the function that the region is in.
    depth: u32,
    /// The instruction; none if the region ends with the return of the function.
    at: Option<Pc>,
    /// The conditions that were known when the region was entered.
    known: Path<Cond>,
}

impl State {
    /// A function has returned: regions that end before are left, and one that ends so is at its end.
    pub(crate) fn returned(&mut self) {
        let depth = self.depth + 1;
        let is_left = |join: &Join| join.depth > depth || join.depth == depth && join.at.is_some();
        while self.joins.last().is_some_and(is_left) {
            self.joins.pop();
        }
    }

    /// Whether the state is at the end of its innermost region.
    pub(crate) fn is_met(&self) -> bool {
        self.made.is_empty()
            && self.joins.last().is_some_and(|join| match join.at {
                None => join.depth > self.depth,
                Some(at) => join.depth == self.depth && self.pc == at,
            })
    }
}

impl Merging<State, Cond> for WasmMachine {
    fn open(&mut self, state: &mut State) -> bool {
        let is_jump = matches!(
            self.module.code.instructions[state.pc as usize],
            Instruction::JumpIf { .. } | Instruction::JumpUnless { .. } | Instruction::JumpTable { .. }
        );
        // Conditional on floats or products, everything that follows would be as hard as these.
        let is_hard = |exprs: &Exprs| state.open.iter().any(|(_, cond)| exprs.is_hard(*cond));
        // Whether an object is lost is asked of its address, which must not become conditional.
        if self.options.leaks || !is_jump || !state.made.is_empty() || is_hard(&self.exprs.borrow()) {
            return false;
        }
        let at = match self.flow(state.function).borrow_mut().end_of_region(state.pc) {
            Some(Meeting::Node(at)) => Some(at),
            Some(Meeting::Exit) if state.depth > 0 => None,
            _ => return false,
        };
        state.joins.push(Join { depth: state.depth, at, known: state.known.clone() });
        true
    }

    fn regions(&self, state: &State) -> usize {
        state.joins.len()
    }

    fn leave(&mut self, state: &mut State, keep: usize) {
        state.joins.truncate(keep);
    }

    fn merge(&mut self, state: &mut State, other: &State, is_other: Cond) -> bool {
        let Some(join) = state.joins.last().cloned() else { return false };
        // Reading bytes that were drawn makes inputs of them, in either state.
        let (mut one, mut other) = (state.clone(), other.clone());
        if self.merge_into(&mut one, &mut other, is_other).is_none() {
            return false;
        }
        one.known = join.known;
        one.steps = one.steps.max(other.steps);
        if one.bases != other.bases {
            one.bases = Default::default();
        }
        *state = one;
        true
    }

    fn all_of(&mut self, constraints: &[Cond]) -> Cond {
        self.exprs.borrow_mut().all_of(constraints)
    }

    fn any_of(&mut self, constraints: &[Cond]) -> Cond {
        self.exprs.borrow_mut().any_of(constraints)
    }
}

impl WasmMachine {
    fn flow(&mut self, function: u32) -> Rc<RefCell<Flow>> {
        let code = &self.module.code;
        let flow = self.flows.entry(function);
        flow.or_insert_with(|| Rc::new(RefCell::new(Flow::of(code, function)))).clone()
    }

    /// Merges the second state into the first; `None` if they differ in more than numbers.
    fn merge_into(&mut self, a: &mut State, b: &mut State, is_b: Cond) -> Option<()> {
        if !is_same_place(a, b) {
            return None;
        }
        let different = a.memory.different(&b.memory, MOST_BYTES)?;
        self.merge_registers(a, b, is_b)?;
        let mut done = 0;
        for address in different {
            if address >= done {
                done = self.merge_bytes(a, b, address, is_b)?;
            }
        }
        let draws = merged_draws(&a.draws, &b.draws)?;
        a.draws = draws;
        Some(())
    }

    fn merge_registers(&mut self, a: &mut State, b: &State, is_b: Cond) -> Option<()> {
        let flow = self.flow(a.function);
        let module = self.module.clone();
        let function = &module.code.functions[a.function as usize];
        for register in 0..function.registers {
            let at = a.base + register as usize;
            let (one, other) = (*a.registers.get(at)?, *b.registers.get(at)?);
            if one == other || !flow.borrow_mut().is_live(&module, a.pc, register) {
                continue;
            }
            let to = match (function.types.get(register as usize), one, other) {
                (Some(Type::I32), ..) => Kind::I32,
                (Some(Type::I64), ..) => Kind::I64,
                (Some(_), ..) => return None,
                (None, Slot::Symbolic(e), _) | (None, _, Slot::Symbolic(e)) => self.exprs.borrow().kind(e),
                // The type of an operand is not known.
                (None, Slot::Number(_), Slot::Number(_)) => return None,
            };
            let (one, other) = (self.integer_of(one, to)?, self.integer_of(other, to)?);
            let value = self.merged(is_b, one, other)?;
            a.registers[at] = calc::slot(&self.exprs.borrow(), value);
        }
        Some(())
    }

    /// A value as an expression of an integer kind.
    fn integer_of(&mut self, slot: Slot, kind: Kind) -> Option<Expr> {
        let mut exprs = self.exprs.borrow_mut();
        match (slot, kind) {
            (Slot::Symbolic(e), _) => (exprs.kind(e) == kind && kind.is_int()).then_some(e),
            (Slot::Number(n), Kind::I32) => Some(exprs.constant(Const::I32(n as i32))),
            (Slot::Number(n), Kind::I64) => Some(exprs.constant(Const::I64(n as i64))),
            _ => None,
        }
    }

    fn merged(&mut self, is_b: Cond, a: Expr, b: Expr) -> Option<Expr> {
        let mut exprs = self.exprs.borrow_mut();
        let value = exprs.merged(is_b, b, a);
        (exprs.size_of_expr(value) <= MOST_NODES).then_some(value)
    }

    /// Merges the value that has a byte which differs, and returns where it ends.
    fn merge_bytes(&mut self, a: &mut State, b: &mut State, address: u32, is_b: Cond) -> Option<u32> {
        let (start, width) = extent(a, b, address);
        let one = self.joined(a, start, width)?;
        let other = self.joined(b, start, width)?;
        let value = self.merged(is_b, one, other)?;
        match calc::slot(&self.exprs.borrow(), value) {
            Slot::Number(bits) => {
                (0..width).for_each(|at| {
                    a.memory.set_byte(start + at, Byte::Number((bits >> (8 * at)) as u8));
                });
            }
            Slot::Symbolic(e) => a.memory.store_value(start, width as usize, e),
        }
        Some(start + width)
    }

    /// The bytes of memory as one integer, whether they belong to an object or not.
    fn joined(&mut self, state: &mut State, start: u32, width: u32) -> Option<Expr> {
        let bytes: Vec<Byte> = (0..width).map(|at| state.memory.byte(start + at)).collect();
        let kind = if width == 8 { Kind::I64 } else { Kind::I32 };
        if let Byte::Symbolic(Cell::Part { value, part: 0, width: of }) = bytes[0]
            && u32::from(of) == width
            && bytes.iter().enumerate().all(|(part, byte)| {
                *byte == Byte::Symbolic(Cell::Part { value, part: part as u8, width: of })
            })
        {
            let mut exprs = self.exprs.borrow_mut();
            if !exprs.kind(value).is_int() {
                return None;
            }
            let to = if width == 8 { To::I64 } else { To::I32 };
            let slot = calc::loaded(&mut exprs, value, of, false, to);
            drop(exprs);
            return self.integer_of(slot, kind);
        }
        let numbers = bytes.iter().map(|byte| match byte {
            Byte::Number(n) => Some(*n),
            Byte::Symbolic(_) => None,
        });
        if let Some(numbers) = numbers.collect::<Option<Vec<u8>>>() {
            let bits = numbers.iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte));
            return self.integer_of(Slot::Number(bits), kind);
        }
        let is_float = |byte: &Byte| match byte {
            Byte::Symbolic(Cell::Part { value, .. }) => !self.exprs.borrow().kind(*value).is_int(),
            _ => false,
        };
        if bytes.iter().any(is_float) {
            return None;
        }
        let parts: Vec<Expr> = bytes.iter().map(|byte| self.octet(state, *byte)).collect();
        let mut exprs = self.exprs.borrow_mut();
        Some(if let [only] = parts[..] { only } else { exprs.concat_bytes(&parts, kind) })
    }
}

/// Whether two states are at the same place and differ in no more than numbers and what was read.
fn is_same_place(a: &State, b: &State) -> bool {
    fn same<T: PartialEq>(a: &Rc<T>, b: &Rc<T>) -> bool {
        Rc::ptr_eq(a, b) || a == b
    }
    let same_callers = match (&a.frozen, &b.frozen) {
        (None, None) => true,
        (Some(a), Some(b)) => Rc::ptr_eq(a, b),
        _ => false,
    };
    (a.pc, a.function, a.depth, a.base) == (b.pc, b.function, b.depth, b.base)
        && a.callers.is_empty()
        && b.callers.is_empty()
        && same_callers
        && a.made.is_empty()
        && b.made.is_empty()
        && same(&a.globals, &b.globals)
        && same(&a.tables, &b.tables)
        && same(&a.dropped, &b.dropped)
        && a.heap.is(&b.heap)
        && Rc::ptr_eq(&a.world, &b.world)
        && Rc::ptr_eq(&a.lazy, &b.lazy)
        && same(&a.ended, &b.ended)
        && same(&a.known_globals, &b.known_globals)
}

/// The bytes that are merged together around one that differs: where they begin, and how many. A value that
/// one of the states has stored there is taken as it was stored; numbers in the shortest word that has all
/// bytes of an int that differ.
fn extent(a: &State, b: &State, address: u32) -> (u32, u32) {
    for state in [a, b] {
        if let Byte::Symbolic(Cell::Part { part, width, .. }) = state.memory.byte(address)
            && let Some(start) = address.checked_sub(part.into())
            && [1, 2, 4, 8].contains(&width)
        {
            return (start, width.into());
        }
    }
    let differs = |at: &u32| a.memory.byte(*at) != b.memory.byte(*at);
    let int = address & !3;
    let last = (address..int + 4).rev().find(differs).unwrap_or(address);
    match () {
        () if last == address => (address, 1),
        () if address.is_multiple_of(2) && last == address + 1 => (address, 2),
        () => (int, 4),
    }
}

/// Both draws: what one of two states has read, and what the other has.
fn merged_draws(a: &Rc<Vec<Draw>>, b: &Rc<Vec<Draw>>) -> Option<Rc<Vec<Draw>>> {
    if Rc::ptr_eq(a, b) {
        return Some(a.clone());
    }
    if a.len() != b.len() {
        return None;
    }
    let mut all = Vec::with_capacity(a.len());
    for (one, other) in a.iter().zip(b.iter()) {
        let mut parts = one.parts.clone();
        for part in other.parts.iter().filter(|part| !one.parts.contains(part)) {
            // Bytes that were read in two widths are two inputs in one place.
            let overlaps = |(offset, width, _): &(u32, u8, Expr)| {
                part.0 < offset + u32::from(*width) && *offset < part.0 + u32::from(part.1)
            };
            if parts.iter().any(overlaps) {
                return None;
            }
            parts.push(*part);
        }
        parts.sort_unstable_by_key(|part| part.0);
        let (one, other) = (Draw { parts: parts.clone(), ..one.clone() }, Draw { parts, ..other.clone() });
        if one != other {
            return None;
        }
        all.push(one);
    }
    Some(Rc::new(all))
}
