//! What is learned from a conflict: the clause of the first unique implication point, minimized.
//!
//! [Marques-Silva, Sakallah ICCAD'96; Zhang et al. ICCAD'01; Sörensson, Biere SAT'09]. Marks of variables
//! that were found redundant, or not, are kept for the other literals of the same clause, so minimization is
//! linear in what it visits.

use super::arena::Ref;
use super::solver::{Learned, Solver};
use super::{Lit, Var};

/// What an analysis knows of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Mark {
    #[default]
    None,
    /// Resolved, or a literal of the clause.
    Seen,
    /// Implied by literals of the clause.
    Redundant,
    /// Not implied by them.
    Needed,
}

/// Memory of analyses, empty between them.
#[derive(Default)]
pub(super) struct Scratch {
    pub marks: Vec<Mark>,
    /// Variables with a mark.
    pub marked: Vec<Var>,
    /// The clause that is learned; its first literal is the one that becomes true.
    pub clause: Vec<Lit>,
    /// Variables that took part, for the queue.
    bumped: Vec<Var>,
    /// Variables under way in a search for redundancy, and the next literal of their reason.
    stack: Vec<(Var, u32)>,
    /// Levels that were counted, by the number of the count.
    counted: Vec<u32>,
    count: u32,
    /// For proofs: places on the trail of the variables whose reasons were resolved, from the end on.
    pub resolved: Vec<u32>,
    /// For proofs: variables of literals that minimization dropped.
    pub dropped: Vec<Var>,
    /// Places on the trail of the variables whose reasons belong to a chain of hints.
    pub chain: Vec<u32>,
    /// Variables of level 0 that a chain of hints meets.
    pub fixed: Vec<Var>,
    pub hints: Vec<crate::lrat::Premise>,
}

impl Scratch {
    pub(super) fn grow(&mut self, vars: usize, levels: usize) {
        self.marks.resize(vars, Mark::None);
        self.counted.resize(self.counted.len().max(levels + 1), 0);
    }

    pub(super) fn clear(&mut self) {
        self.marks.clear();
        self.counted.clear();
        self.count = 0;
    }

    #[inline]
    pub(super) fn mark(&mut self, var: Var, mark: Mark) {
        self.marks[var.index()] = mark;
        self.marked.push(var);
    }

    pub(super) fn unmark(&mut self) {
        for var in self.marked.drain(..) {
            self.marks[var.index()] = Mark::None;
        }
    }
}

impl Solver {
    /// Learns a clause from a conflict above level 0, backtracks, and makes the clause's first literal true.
    pub(super) fn learn(&mut self, conflict: Ref) {
        self.resolve(conflict);
        self.minimize();
        self.analysis.unmark();
        let premise = self.log_learned(conflict);
        self.queue.bump(&self.analysis.bumped);
        self.analysis.bumped.clear();
        let clause = std::mem::take(&mut self.analysis.clause);
        let glue = self.glue(&clause);
        let level = clause.get(1).map_or(0, |lit| self.level(*lit));
        self.backtrack(level as usize);
        let reason = self.arena.push(&clause, premise);
        if clause.len() > 1 {
            self.watch(reason);
        }
        if clause.len() > 3 {
            self.learned.push(Learned { clause: reason, glue });
        }
        self.trail.enqueue(clause[0], reason);
        self.analysis.clause = clause;
    }

    #[inline]
    fn level(&self, lit: Lit) -> u32 {
        self.trail.of(lit.var()).level
    }

    /// Resolves the conflict with reasons until one literal of its level is left.
    fn resolve(&mut self, conflict: Ref) {
        let current = self.trail.level() as u32;
        let is_logging = self.log.is_some();
        let Scratch { marks, marked, clause, bumped, resolved, fixed, .. } = &mut self.analysis;
        clause.clear();
        resolved.clear();
        clause.push(Lit::from_code(0));
        let mut open = 0;
        let trail = self.trail.lits();
        let mut at = trail.len();
        let mut reason = conflict;
        loop {
            // A reason's own literal is marked already.
            for lit in self.arena.lits(reason) {
                let var = lit.var();
                let level = self.trail.of(var).level;
                if marks[var.index()] != Mark::None || (level == 0 && !is_logging) {
                    continue;
                }
                marks[var.index()] = Mark::Seen;
                marked.push(var);
                if level == 0 {
                    fixed.push(var);
                    continue;
                }
                bumped.push(var);
                if level == current {
                    open += 1;
                } else {
                    clause.push(lit);
                }
            }
            loop {
                at -= 1;
                if marks[trail[at].var().index()] != Mark::None {
                    break;
                }
            }
            open -= 1;
            if open == 0 {
                clause[0] = !trail[at];
                return;
            }
            reason = self.trail.of(trail[at].var()).reason;
            if is_logging {
                resolved.push(at as u32);
            }
        }
    }

    /// Drops literals that others imply, and puts one of the highest level second.
    fn minimize(&mut self) {
        let mut clause = std::mem::take(&mut self.analysis.clause);
        let mut kept = 1;
        self.analysis.dropped.clear();
        for at in 1..clause.len() {
            if self.is_redundant(clause[at]) {
                self.analysis.dropped.push(clause[at].var());
            } else {
                clause[kept] = clause[at];
                kept += 1;
            }
        }
        clause.truncate(kept);
        if let Some(highest) = (1..clause.len()).rev().max_by_key(|&at| self.level(clause[at])) {
            clause.swap(1, highest);
        }
        self.analysis.clause = clause;
    }

    /// Whether other literals of the clause imply that a literal of it is false: a depth-first search through
    /// reasons.
    fn is_redundant(&mut self, lit: Lit) -> bool {
        if self.trail.of(lit.var()).reason == Ref::NONE {
            return false;
        }
        let Scratch { marks, marked, stack, .. } = &mut self.analysis;
        stack.clear();
        stack.push((lit.var(), 0));
        while let Some((var, next)) = stack.last_mut() {
            let var = *var;
            let reason = self.trail.of(var).reason;
            if *next as usize == self.arena.len(reason) {
                stack.pop();
                if marks[var.index()] == Mark::None {
                    marks[var.index()] = Mark::Redundant;
                    marked.push(var);
                }
                continue;
            }
            let other = self.arena.lit(reason, *next as usize).var();
            *next += 1;
            let known = *self.trail.of(other);
            let mark = marks[other.index()];
            if other == var || known.level == 0 || mark == Mark::Seen || mark == Mark::Redundant {
                continue;
            }
            if mark == Mark::Needed || known.reason == Ref::NONE {
                // All that wait for this one; the first is in the clause and keeps its mark.
                for &(var, _) in &stack[1..] {
                    marks[var.index()] = Mark::Needed;
                    marked.push(var);
                }
                return false;
            }
            stack.push((other, 0));
        }
        true
    }

    /// From how many levels the literals are.
    fn glue(&mut self, clause: &[Lit]) -> u32 {
        self.analysis.count += 1;
        let mut glue = 0;
        for &lit in clause {
            let level = self.level(lit) as usize;
            if self.analysis.counted[level] != self.analysis.count {
                self.analysis.counted[level] = self.analysis.count;
                glue += 1;
            }
        }
        glue
    }

    /// Assumptions from which it follows that the assumption `lit` is false, and `lit` itself. All decisions
    /// are assumptions at this point.
    pub(super) fn decisions_behind(&mut self, lit: Lit, core: &mut Vec<Lit>) {
        core.push(lit);
        let mut next = 0;
        let analysis = &mut self.analysis;
        if self.trail.of(lit.var()).level > 0 {
            analysis.mark(lit.var(), Mark::Seen);
        }
        while let Some(&var) = analysis.marked.get(next) {
            next += 1;
            let known = *self.trail.of(var);
            if known.reason == Ref::NONE {
                core.push(self.trail.at(known.place));
                continue;
            }
            for other in self.arena.lits(known.reason).map(Lit::var) {
                let is_new = analysis.marks[other.index()] == Mark::None;
                if is_new && self.trail.of(other).level > 0 {
                    analysis.mark(other, Mark::Seen);
                }
            }
        }
        analysis.unmark();
    }
}
