//! Values of variables in the order in which they were assigned, with levels and reasons.

use super::arena::Ref;
use super::{Lit, Var};

/// What is known of an assigned variable.
#[derive(Clone, Copy, Default)]
pub(super) struct Assigned {
    /// The clause that forced it, or none for a decision.
    pub reason: Ref,
    pub level: u32,
    /// Its place on the trail.
    pub place: u32,
}

#[derive(Default)]
pub(super) struct Trail {
    /// By literal: 1 is true, -1 is false, 0 is open.
    values: Vec<i8>,
    assigned: Vec<Assigned>,
    lits: Vec<Lit>,
    /// The length of the trail before each decision.
    levels: Vec<u32>,
    /// How much of the trail is propagated.
    head: usize,
}

impl Trail {
    pub(super) fn clear(&mut self) {
        self.values.clear();
        self.assigned.clear();
        self.lits.clear();
        self.levels.clear();
        self.head = 0;
    }

    pub(super) fn grow(&mut self, vars: usize) {
        self.values.resize(2 * vars, 0);
        self.assigned.resize(vars, Assigned::default());
        self.lits.reserve(vars - self.lits.len());
    }

    /// 1 is true, -1 is false, 0 is open.
    #[inline]
    pub(super) fn value(&self, lit: Lit) -> i8 {
        self.values[lit.index()]
    }

    /// The value of a variable that may be newer than the trail.
    pub(super) fn get(&self, var: Var) -> Option<bool> {
        match self.values.get(var.positive().index()) {
            Some(1) => Some(true),
            Some(-1) => Some(false),
            _ => None,
        }
    }

    #[inline]
    pub(super) fn of(&self, var: Var) -> &Assigned {
        &self.assigned[var.index()]
    }

    pub(super) fn set_reason(&mut self, var: Var, reason: Ref) {
        self.assigned[var.index()].reason = reason;
    }

    #[inline]
    pub(super) fn lits(&self) -> &[Lit] {
        &self.lits
    }

    #[inline]
    pub(super) fn at(&self, place: u32) -> Lit {
        self.lits[place as usize]
    }

    /// How many decisions there are.
    #[inline]
    pub(super) fn level(&self) -> usize {
        self.levels.len()
    }

    /// Makes a literal true.
    #[inline]
    pub(super) fn enqueue(&mut self, lit: Lit, reason: Ref) {
        self.values[lit.index()] = 1;
        self.values[(!lit).index()] = -1;
        let place = self.lits.len() as u32;
        self.assigned[lit.var().index()] = Assigned { reason, level: self.levels.len() as u32, place };
        self.lits.push(lit);
    }

    /// The next literal that is not propagated.
    #[inline]
    pub(super) fn next(&mut self) -> Option<Lit> {
        let lit = self.lits.get(self.head).copied();
        self.head += usize::from(lit.is_some());
        lit
    }

    /// Begins a level.
    #[inline]
    pub(super) fn begin(&mut self) {
        self.levels.push(self.lits.len() as u32);
    }

    /// Takes back all assignments above a level, the last first.
    pub(super) fn backtrack(&mut self, level: usize, mut undone: impl FnMut(Lit)) {
        let Some(&keep) = self.levels.get(level) else { return };
        for &lit in self.lits[keep as usize..].iter().rev() {
            self.values[lit.index()] = 0;
            self.values[(!lit).index()] = 0;
            undone(lit);
        }
        self.lits.truncate(keep as usize);
        self.levels.truncate(level);
        self.head = keep as usize;
    }
}
