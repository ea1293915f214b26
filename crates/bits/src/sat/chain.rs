//! Hints for proofs: which clauses lead from a conflict to what was learned, in the order of a checker.
//!
//! A checker assumes that the learned clause is false and takes the hints one by one; each must leave one
//! literal open, which becomes true, until the last is false. The reasons of all variables between the
//! conflict and the learned clause, sorted by their places on the trail, are such a sequence.
//!
//! Those of the conflict's level come sorted, because resolution goes along the trail. All others are reasons
//! of literals that minimization dropped, and the reasons behind these. They have earlier places, and are
//! collected by a walk of their own, so it does not matter how minimization found out. Only conflicts pay for
//! proofs. A walk for all reasons was simpler, and made proofs cost twice as much.
//!
//! Variables of level 0 are not in learned clauses. One that a chain meets gets a line of its own, once: the
//! unit clause. It becomes the reason of the variable, so that later chains end there.

use super::analyze::{Mark, Scratch};
use super::arena::Ref;
use super::solver::Solver;
use super::{Lit, Var};
use crate::lrat::Premise;

/// What happens to variables of level 0 in a chain.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fixed {
    /// Each is a hint: its unit clause.
    Units,
    /// Their reasons are part of the chain.
    Reasons,
}

impl Solver {
    /// Writes the learned clause, before the backtrack. Its name for later hints.
    pub(super) fn log_learned(&mut self, conflict: Ref) -> Premise {
        if self.log.is_none() {
            return Premise::original(0);
        }
        self.analysis.chain.clear();
        if !self.analysis.dropped.is_empty() {
            let Scratch { marks, marked, clause, fixed, .. } = &mut self.analysis;
            for var in clause.iter().map(|lit| lit.var()).chain(fixed.iter().copied()) {
                marks[var.index()] = Mark::Seen;
                marked.push(var);
            }
            for at in 0..self.analysis.dropped.len() {
                self.meet(self.analysis.dropped[at], Fixed::Units);
            }
            self.walk(Fixed::Units);
        }
        self.analysis.hints.clear();
        while let Some(var) = self.analysis.fixed.pop() {
            let unit = self.unit(var);
            self.analysis.hints.push(unit);
        }
        self.collect(conflict);
        let log = self.log.as_mut().expect("asked above");
        log.push(&self.analysis.clause, &self.analysis.hints)
    }

    /// Writes the empty clause: `conflict` is false at level 0.
    pub(super) fn log_refutation(&mut self, conflict: Ref) {
        if self.log.is_none() {
            return;
        }
        self.analysis.chain.clear();
        self.analysis.resolved.clear();
        self.analysis.hints.clear();
        for at in 0..self.arena.len(conflict) {
            self.meet(self.arena.lit(conflict, at).var(), Fixed::Reasons);
        }
        self.walk(Fixed::Reasons);
        self.collect(conflict);
        let log = self.log.as_mut().expect("asked above");
        log.push(&[], &self.analysis.hints);
    }

    /// Enters a variable into the chain, unless it is marked.
    #[inline]
    fn meet(&mut self, var: Var, on_fixed: Fixed) {
        if self.analysis.marks[var.index()] != Mark::None {
            return;
        }
        self.analysis.mark(var, Mark::Seen);
        let known = self.trail.of(var);
        if on_fixed == Fixed::Units && known.level == 0 {
            self.analysis.fixed.push(var);
        } else {
            self.analysis.chain.push(known.place);
        }
    }

    /// Completes the chain: the variables behind those that are in it, up to marked ones.
    fn walk(&mut self, on_fixed: Fixed) {
        let mut next = 0;
        while let Some(&place) = self.analysis.chain.get(next) {
            next += 1;
            let reason = self.trail.of(self.trail.at(place).var()).reason;
            for at in 0..self.arena.len(reason) {
                self.meet(self.arena.lit(reason, at).var(), on_fixed);
            }
        }
        self.analysis.unmark();
    }

    /// Adds to the hints, which are units so far: the chain by place, what was resolved, the conflict.
    fn collect(&mut self, conflict: Ref) {
        let Scratch { chain, resolved, hints, .. } = &mut self.analysis;
        chain.sort_unstable();
        for &place in chain.iter().chain(resolved.iter().rev()) {
            hints.push(self.arena.premise(self.trail.of(self.trail.at(place).var()).reason));
        }
        hints.push(self.arena.premise(conflict));
    }

    /// The unit clause of a variable of level 0, written if it is not yet.
    fn unit(&mut self, var: Var) -> Premise {
        let reason = self.trail.of(var).reason;
        if self.arena.len(reason) == 1 {
            return self.arena.premise(reason);
        }
        // All variables behind it that have no unit clause, those first that come first on the trail.
        let mut behind = vec![var];
        let mut next = 0;
        self.analysis.mark(var, Mark::Seen);
        while let Some(&var) = behind.get(next) {
            next += 1;
            for other in self.arena.lits(self.trail.of(var).reason).map(Lit::var) {
                let is_unit = self.arena.len(self.trail.of(other).reason) == 1;
                if !is_unit && self.analysis.marks[other.index()] == Mark::None {
                    self.analysis.mark(other, Mark::Seen);
                    behind.push(other);
                }
            }
        }
        self.analysis.unmark();
        behind.sort_unstable_by_key(|&var| self.trail.of(var).place);
        let mut premise = Premise::original(0);
        for var in behind {
            premise = self.write_unit(var);
        }
        premise
    }

    /// Writes the unit clause of a variable whose reason has only literals with unit clauses beside its own.
    fn write_unit(&mut self, var: Var) -> Premise {
        let known = *self.trail.of(var);
        let lit = self.trail.at(known.place);
        let others = self.arena.lits(known.reason).filter(|other| *other != lit);
        let mut hints: Vec<Premise> =
            others.map(|other| self.arena.premise(self.trail.of(other.var()).reason)).collect();
        hints.push(self.arena.premise(known.reason));
        let log = self.log.as_mut().expect("only proofs need unit clauses");
        let premise = log.push(&[lit], &hints);
        let reason = self.arena.push(&[lit], premise);
        self.trail.set_reason(var, reason);
        premise
    }
}
