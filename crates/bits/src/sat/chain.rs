//! Hints for proofs: which clauses lead from a conflict to what was learned, in the order of a checker.
//!
//! A checker assumes that the learned clause is false and takes the hints one by one; each must leave one
//! literal open, which becomes true, until the last is false. The reasons of all variables between the
//! conflict and the learned clause, sorted by their places on the trail, are such a sequence. They are
//! collected by a walk of their own after minimization, so it does not matter how a literal was dropped: its
//! reason is met, and so are the reasons behind it. Only conflicts pay for proofs.
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
        let analysis = &mut self.analysis;
        for at in 0..analysis.clause.len() {
            analysis.mark(analysis.clause[at].var(), Mark::Seen);
        }
        self.walk(conflict, Fixed::Units);
        let mut fixed = std::mem::take(&mut self.analysis.fixed);
        let units: Vec<Premise> = fixed.iter().map(|&var| self.unit(var)).collect();
        fixed.clear();
        self.analysis.fixed = fixed;
        self.collect(units, conflict);
        let log = self.log.as_mut().expect("asked above");
        log.push(&self.analysis.clause, &self.analysis.hints)
    }

    /// Writes the empty clause: `conflict` is false at level 0.
    pub(super) fn log_refutation(&mut self, conflict: Ref) {
        if self.log.is_none() {
            return;
        }
        self.walk(conflict, Fixed::Reasons);
        self.collect(Vec::new(), conflict);
        let log = self.log.as_mut().expect("asked above");
        log.push(&[], &self.analysis.hints);
    }

    /// Collects the variables between a clause and those that are marked already.
    fn walk(&mut self, clause: Ref, on_fixed: Fixed) {
        let Scratch { marks, marked, chain, fixed, .. } = &mut self.analysis;
        chain.clear();
        let mut next = 0;
        let mut reason = clause;
        loop {
            for var in self.arena.lits(reason).map(Lit::var) {
                if marks[var.index()] != Mark::None {
                    continue;
                }
                marks[var.index()] = Mark::Seen;
                marked.push(var);
                if on_fixed == Fixed::Units && self.assigned[var.index()].level == 0 {
                    fixed.push(var);
                } else {
                    chain.push(var);
                }
            }
            let Some(&var) = chain.get(next) else { break };
            next += 1;
            reason = self.assigned[var.index()].reason;
        }
        self.analysis.unmark();
    }

    /// Makes the hints: units, the chain by place, the conflict.
    fn collect(&mut self, units: Vec<Premise>, conflict: Ref) {
        let Scratch { chain, hints, .. } = &mut self.analysis;
        chain.sort_unstable_by_key(|var| self.assigned[var.index()].place);
        hints.clear();
        hints.extend(units);
        for var in chain.iter() {
            hints.push(self.arena.premise(self.assigned[var.index()].reason));
        }
        hints.push(self.arena.premise(conflict));
    }

    /// The unit clause of a variable of level 0, written if it is not yet.
    fn unit(&mut self, var: Var) -> Premise {
        let reason = self.assigned[var.index()].reason;
        if self.arena.len(reason) == 1 {
            return self.arena.premise(reason);
        }
        // All variables behind it that have no unit clause, those first that come first on the trail.
        let mut behind = vec![var];
        let mut next = 0;
        self.analysis.mark(var, Mark::Seen);
        while let Some(&var) = behind.get(next) {
            next += 1;
            for other in self.arena.lits(self.assigned[var.index()].reason).map(Lit::var) {
                let is_unit = self.arena.len(self.assigned[other.index()].reason) == 1;
                if !is_unit && self.analysis.marks[other.index()] == Mark::None {
                    self.analysis.mark(other, Mark::Seen);
                    behind.push(other);
                }
            }
        }
        self.analysis.unmark();
        behind.sort_unstable_by_key(|var| self.assigned[var.index()].place);
        let mut premise = Premise::original(0);
        for var in behind {
            premise = self.write_unit(var);
        }
        premise
    }

    /// Writes the unit clause of a variable whose reason has only literals with unit clauses beside its own.
    fn write_unit(&mut self, var: Var) -> Premise {
        let known = self.assigned[var.index()];
        let lit = self.trail[known.place as usize];
        let others = self.arena.lits(known.reason).filter(|other| *other != lit);
        let mut hints: Vec<Premise> =
            others.map(|other| self.arena.premise(self.assigned[other.var().index()].reason)).collect();
        hints.push(self.arena.premise(known.reason));
        let log = self.log.as_mut().expect("only proofs need unit clauses");
        let premise = log.push(&[lit], &hints);
        self.assigned[var.index()].reason = self.arena.push(&[lit], premise);
        premise
    }
}
