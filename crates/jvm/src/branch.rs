//! Choices: conditional jumps and switches on symbolic values, and the cases of everything else.
//!
//! Arm 0 of a conditional jump is *falling through*: javac jumps over the body when the source's condition is false, so
//! this is the papers' "true arm first". An instruction or native with other cases asks [`Jvm::choose`]. The first time it
//! is told to branch; on each arm it then runs again from its beginning and gets that arm as the answer.

use std::rc::Rc;

use evergreen_classfile::Switch;
use evergreen_explore::{Arm, Site};
use evergreen_symbolic::{Binary, Cond, Const, Expr, Rel};

use crate::machine::Jvm;
use crate::native::Trap;
use crate::state::{Pending, State};

impl Jvm {
    /// Pauses at a conditional jump: `jumps` says when it jumps to `target`, otherwise it goes to `fall`.
    pub(crate) fn branch(&mut self, state: &mut State, jumps: Cond, target: u32, fall: u32) {
        let site = self.site_here(state);
        state.pending = Some(Pending::Jump(site, [fall, target]));
        self.arms.clear();
        self.arms.push(Arm { constraint: jumps.negated(), site, index: 0 });
        self.arms.push(Arm { constraint: jumps, site, index: 1 });
    }

    /// Pauses at a switch on a symbolic value: one arm per target that some value can reach. `Err` is the only one.
    pub(crate) fn branch_switch(&mut self, state: &mut State, on: Expr, switch: &Switch) -> Result<(), u32> {
        let mut groups: Vec<(u32, Cond)> = Vec::new();
        let mut others = Cond::TRUE;
        {
            let mut exprs = self.exprs.borrow_mut();
            for (value, target) in switch.iter() {
                let value = exprs.constant(Const::I32(value));
                let equal = exprs.relate(Rel::Eq, on, value);
                let here = exprs.and(others, equal);
                let differs = equal.negated();
                others = exprs.and(others, differs);
                if equal == Cond::FALSE || target == switch.default {
                    continue;
                }
                let simple = if here == equal { here } else { equal };
                match groups.iter_mut().find(|group| group.0 == target) {
                    Some(group) => group.1 = exprs.or(group.1, simple),
                    None => groups.push((target, simple)),
                }
            }
            let listed = groups.iter().fold(Cond::FALSE, |all, group| exprs.or(all, group.1));
            groups.push((switch.default, listed.negated()));
        }
        groups.retain(|group| group.1 != Cond::FALSE);
        if let [(target, _)] = groups[..] {
            return Err(target);
        }
        let site = self.site_here(state);
        self.arms.clear();
        for (index, (_, constraint)) in groups.iter().enumerate() {
            self.arms.push(Arm { constraint: *constraint, site, index: index as u32 });
        }
        let targets: Rc<[u32]> = groups.iter().map(|group| group.0).collect();
        state.pending = Some(Pending::Table(site, targets));
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

    /// Whether an `int` expression is in `0..length`.
    pub(crate) fn in_bounds(&mut self, index: Expr, length: usize) -> Cond {
        let low = self.relate_to(Rel::Ge, index, 0);
        let high = self.relate_to(Rel::Lt, index, length as i64);
        self.exprs.borrow_mut().and(low, high)
    }

    /// An expression of two expressions.
    pub fn binary(&mut self, op: Binary, a: Expr, b: Expr) -> Expr {
        self.exprs.borrow_mut().binary(op, a, b)
    }

    fn site_here(&mut self, state: &State) -> Site {
        // Natives run without a frame of their own: the calling instruction is the place.
        match state.frames.iter().rev().find(|frame| frame.method.code().is_some()) {
            Some(frame) => self.site(frame.method.id, frame.pc),
            // Choices of parameters are made before the method's first instruction.
            None => self.site(state.entry_method().unwrap_or(crate::classes::MethodId(0)), u32::MAX),
        }
    }
}
