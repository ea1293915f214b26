//! One path: registers, callers, memory, globals, objects, the world outside. A copy is some reference counts
//! and the registers of the running function.
//!
//! Registers of all active functions lie in one vector, so that a call costs next to nothing. Where a path
//! branches, those of the callers are *frozen*: moved into shared nodes that all copies use, and thawed when
//! the path returns to them.

use crate::base::Bases;
use crate::code::Pc;
use crate::heap::Heap;
use crate::lazy::{Lazy, Pointer};
use crate::memory::Memory;
use crate::world::World;
use evergreen_explore::Path;
use evergreen_symbolic::{Cond, Expr};
use std::rc::Rc;

/// The bits of a reference to nothing.
pub(crate) const NULL_REFERENCE: u64 = u64::MAX;

/// A value of a register.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Slot {
    /// A number by its bits; an i32 is zero-extended.
    Number(u64),
    /// An expression. Of a float, either its value or the integer that its bits are.
    Symbolic(Expr),
}

impl Slot {
    /// An i32.
    pub fn i32(value: i32) -> Slot {
        Slot::Number(u64::from(value as u32))
    }

    /// The bits, if it is a number.
    pub fn number(self) -> Option<u64> {
        match self {
            Slot::Number(bits) => Some(bits),
            Slot::Symbolic(_) => None,
        }
    }
}

/// The branches that a path took at conditional instructions: a digest and how many.
///
/// A run on a real engine that takes the same branches has the same digest.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Arms {
    /// The digest.
    pub digest: u64,
    /// How many.
    pub count: u64,
}

impl Arms {
    /// Adds a branch.
    #[inline]
    pub fn take(&mut self, site: u32, arm: u32) {
        let next = self.digest.rotate_left(23) ^ (u64::from(site) << 16 | u64::from(arm));
        self.digest = next.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.count += 1;
    }
}

/// A function that waits for another one to return.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Caller {
    pub(crate) function: u32,
    /// Where it continues.
    pub(crate) pc: Pc,
    pub(crate) base: usize,
}

/// A caller whose registers are shared.
#[derive(Clone)]
pub(crate) struct Frozen {
    pub(crate) caller: Caller,
    /// As far as they still count: up to where the results go.
    pub(crate) registers: Box<[Slot]>,
    pub(crate) below: Option<Rc<Frozen>>,
}

// Deep recursion must not be dropped by recursion.
impl Drop for Frozen {
    fn drop(&mut self) {
        let mut next = self.below.take();
        while let Some(node) = next {
            match Rc::try_unwrap(node) {
                Ok(mut node) => next = node.below.take(),
                Err(_) => break,
            }
        }
    }
}

/// An object of memory that the program made symbolic, or a value that it drew.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Draw {
    /// Its name; a second one of the same name has a number behind it.
    pub name: Rc<str>,
    /// How many bytes.
    pub size: u32,
    /// The parts that were read: offset, width and value, sorted. A value is of kind I32 or I64; of a float
    /// its bits.
    pub parts: Vec<(u32, u8, Expr)>,
    /// Whether it is one float.
    pub float: bool,
    /// Whether it is one value rather than bytes of memory.
    pub scalar: Option<Scalar>,
    /// The object of an input that it is a part of, by number, and its offset there; number 0 is a struct
    /// that is no object.
    pub at: Option<(u32, u32)>,
    /// Where it points to, if it is a pointer.
    pub pointer: Option<Pointer>,
    /// Whether it is a struct; then the draws from the first to the second number are its fields.
    pub is_struct: bool,
    /// See [`Draw::is_struct`].
    pub fields: (u32, u32),
    /// Bytes of an element, 0 if they are not known: [`Draw::range`] and [`Draw::values`] are about those.
    pub unit: u8,
    /// Whether it is the row of elements of an object: one element is in a row, too.
    pub is_row: bool,
    /// What elements can be.
    pub range: Option<(i64, i64)>,
    /// The numbers that elements can be.
    pub values: Option<Rc<[i64]>>,
}

impl Draw {
    /// The values of all inputs that it has.
    pub fn inputs(&self) -> impl Iterator<Item = Expr> + '_ {
        let pointer = self.pointer.iter().flat_map(|pointer| [pointer.object, pointer.length]);
        self.parts.iter().map(|part| part.2).chain(pointer)
    }
}

/// What kind of value was drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scalar {
    /// Bytes.
    pub width: u8,
    /// Whether it is signed.
    pub signed: bool,
    /// Whether it is a float.
    pub float: bool,
}

/// One path's state.
#[derive(Clone)]
pub struct State {
    pub(crate) registers: Vec<Slot>,
    pub(crate) base: usize,
    pub(crate) pc: Pc,
    pub(crate) function: u32,
    pub(crate) callers: Vec<Caller>,
    pub(crate) frozen: Option<Rc<Frozen>>,
    pub(crate) depth: u32,
    pub(crate) memory: Memory,
    pub(crate) globals: Rc<Vec<Slot>>,
    pub(crate) tables: Rc<Vec<Vec<u64>>>,
    /// Data and elements that were dropped.
    pub(crate) dropped: Rc<(Vec<bool>, Vec<bool>)>,
    pub(crate) heap: Heap,
    pub(crate) world: Rc<World>,
    pub(crate) draws: Rc<Vec<Draw>>,
    /// Objects that inputs point to.
    pub(crate) lazy: Rc<Lazy>,
    /// Variables on the stack whose time is over.
    pub(crate) ended: Rc<crate::lifetimes::Ended>,
    /// Global objects that instrumentation has named: address and size, sorted.
    pub(crate) known_globals: Rc<Vec<(u32, u32)>>,
    pub(crate) steps: u64,
    pub(crate) arms: Arms,
    /// Decisions of the instruction that is being executed, in order.
    pub(crate) made: Vec<u32>,
    pub(crate) cursor: usize,
    /// The arms that were offered: which each is, and its condition.
    pub(crate) open: Vec<(u32, Cond)>,
    /// The conditions of the arms that were taken: they narrow what addresses can be.
    pub(crate) known: Path<Cond>,
    /// What the last symbolic pointers were made of.
    pub(crate) bases: Bases,
    /// The ends of the regions that the state is in, the innermost last.
    pub(crate) joins: Vec<crate::merge::Join>,
}

impl State {
    /// The branches taken so far.
    pub fn arms(&self) -> Arms {
        self.arms
    }

    /// What was drawn so far, in order.
    pub fn draws(&self) -> &[Draw] {
        &self.draws
    }

    /// The value of a global.
    pub fn global(&self, index: u32) -> Option<Slot> {
        self.globals.get(index as usize).copied()
    }

    /// The world outside.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Shares the registers of all callers.
    pub(crate) fn freeze(&mut self) {
        if self.callers.is_empty() {
            return;
        }
        let bases: Vec<usize> = self.callers.iter().map(|c| c.base).chain([self.base]).collect();
        for (at, caller) in self.callers.drain(..).enumerate() {
            let registers = self.registers[bases[at]..bases[at + 1]].into();
            self.frozen = Some(Rc::new(Frozen { caller, registers, below: self.frozen.take() }));
        }
        self.registers.drain(..self.base);
        self.base = 0;
    }

    /// The functions that are running, the innermost first, with the instruction that each is at.
    pub(crate) fn running(&self) -> Vec<(u32, Pc)> {
        let mut all = vec![(self.function, self.pc)];
        // A caller continues behind its call.
        all.extend(self.callers.iter().rev().map(|c| (c.function, c.pc.saturating_sub(1))));
        let mut below = self.frozen.as_ref();
        while let Some(frozen) = below {
            all.push((frozen.caller.function, frozen.caller.pc.saturating_sub(1)));
            below = frozen.below.as_ref();
        }
        all
    }
}
