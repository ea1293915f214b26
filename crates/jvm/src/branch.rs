//! Choices: conditional jumps and switches on symbolic values, and the cases of everything else.
//!
//! Arm 0 of a conditional jump is *falling through*: javac jumps over the body when the source's condition is
//! false, so this is the papers' "true arm first". An instruction or native with other cases calls
//! [`Jvm::choose`]. The first call makes the path branch; on each arm the instruction then runs again from
//! its beginning, and the call returns that arm.

use std::rc::Rc;

use evergreen_classfile::Switch;
use evergreen_explore::{Arm, Site};
use evergreen_symbolic::{Binary, Cond, Const, Expr, Rel};

use crate::machine::Jvm;
use crate::native::Trap;
use crate::state::{Pending, State};

/// How the cases of a switch form arms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Grouping {
    /// One for each case.
    Cases,
    /// One for each target.
    Targets,
}

impl Jvm {
    /// Pauses at a conditional jump: `jumps` says when it jumps to `target`, otherwise it goes to `fall`.
    pub(crate) fn branch(&mut self, state: &mut State, jumps: Cond, target: u32, fall: u32) {
        let site = self.site_here(state);
        state.pending = Some(Pending::Jump(site, [fall, target], jumps));
        self.arms.clear();
        self.arms.push(Arm { constraint: jumps.negated(), site, index: 0 });
        self.arms.push(Arm { constraint: jumps, site, index: 1 });
    }

    /// Pauses at a switch on a symbolic value; `Err` is the only target that any value can reach.
    ///
    /// In the user's classes each case is an arm, as it is for coverage, and the default. In other classes,
    /// whose large switches would only multiply paths, each target is one.
    pub(crate) fn branch_switch(
        &mut self,
        state: &mut State,
        on: Expr,
        switch: &Switch,
        grouping: Grouping,
    ) -> Result<(), u32> {
        let mut ways: Vec<(u32, Cond)> = Vec::new();
        {
            let mut exprs = self.exprs.borrow_mut();
            let mut others = Cond::TRUE;
            for (value, target) in switch.iter().filter(|(_, target)| *target != switch.default) {
                let value = exprs.constant(Const::I32(value));
                let equal = exprs.relate(Rel::Eq, on, value);
                others = exprs.and(others, equal.negated());
                match ways.iter_mut().find(|way| grouping == Grouping::Targets && way.0 == target) {
                    Some(way) => way.1 = exprs.or(way.1, equal),
                    None => ways.push((target, equal)),
                }
            }
            ways.push((switch.default, others));
        }
        let possible: Vec<(usize, &(u32, Cond))> =
            ways.iter().enumerate().filter(|(_, way)| way.1 != Cond::FALSE).collect();
        if let [(_, (target, _))] = possible[..] {
            return Err(*target);
        }
        let site = self.site_here(state);
        self.arms.clear();
        for (index, (_, constraint)) in &possible {
            self.arms.push(Arm { constraint: *constraint, site, index: *index as u32 });
        }
        let ways: Rc<[(u32, u32)]> =
            possible.iter().map(|(index, (target, _))| (*index as u32, *target)).collect();
        state.pending = Some(Pending::Table(site, ways));
        Ok(())
    }

    /// Which of the cases holds on this path. They must exclude each other and cover everything.
    pub fn choose(&mut self, state: &mut State, cases: &[Cond]) -> Result<usize, Trap> {
        let mut open = cases.iter().enumerate().filter(|(_, case)| **case != Cond::FALSE);
        match (open.next(), open.next()) {
            (Some((only, _)), None) => return Ok(only),
            (None, _) => {
                return Err(Trap::unsupported("a choice without cases", "this is a bug of evergreen"));
            }
            _ => {}
        }
        let used = state.used;
        if let Some(answer) = state.choices().get(used).copied() {
            state.used += 1;
            return Ok(answer as usize);
        }
        let site = self.site_here(state);
        self.arms.clear();
        let mut kept = Vec::new();
        for (index, case) in cases.iter().enumerate().filter(|(_, case)| **case != Cond::FALSE) {
            self.arms.push(Arm { constraint: *case, site, index: index as u32 });
            kept.push(index as u32);
        }
        state.pending = Some(Pending::Choice(site, kept.into()));
        state.used = 0;
        Err(Trap::Branch)
    }

    /// [`Jvm::choose`] between a condition (`true`) and its opposite.
    pub fn choose_whether(&mut self, state: &mut State, condition: Cond) -> Result<bool, Trap> {
        Ok(self.choose(state, &[condition, condition.negated()])? == 0)
    }

    /// A comparison of an expression with an `int` or `long` constant.
    pub fn relate_to(&mut self, relation: Rel, expr: Expr, value: i64) -> Cond {
        let mut exprs = self.exprs.borrow_mut();
        let constant = match exprs.kind(expr) {
            evergreen_symbolic::Kind::I64 => Const::I64(value),
            _ => Const::I32(value as i32),
        };
        let constant = exprs.constant(constant);
        exprs.relate(relation, expr, constant)
    }

    /// Whether a symbolic index is inside of an array (`true`). Too small and too large are arms of their
    /// own: then each arm is a conjunction, which needs no solver.
    pub(crate) fn choose_inside(
        &mut self,
        state: &mut State,
        index: Expr,
        length: usize,
    ) -> Result<bool, Trap> {
        let low = self.relate_to(Rel::Ge, index, 0);
        let high = self.relate_to(Rel::Lt, index, length as i64);
        let inside = self.exprs.borrow_mut().and(low, high);
        Ok(self.choose(state, &[inside, low.negated(), high.negated()])? == 0)
    }

    /// An expression of two expressions.
    pub fn binary(&mut self, op: Binary, a: Expr, b: Expr) -> Expr {
        self.exprs.borrow_mut().binary(op, a, b)
    }

    pub(crate) fn site_here(&mut self, state: &State) -> Site {
        // Natives run without a frame of their own: the calling instruction is the place.
        match state.frames.iter().rev().find(|frame| frame.method.code().is_some()) {
            Some(frame) => self.site(frame.method.id, frame.pc),
            // Choices of parameters are made before the method's first instruction.
            None => self.site(state.entry_method().unwrap_or(crate::classes::MethodId(0)), u32::MAX),
        }
    }
}
