//! The solver's state, its clauses, and the loop of decisions and conflicts.

use super::arena::{Arena, Ref};
use super::lists::Lists;
use super::queue::Queue;
use super::trail::Trail;
use super::{Budget, Lit, Logging, Outcome, Var};
use crate::lrat::{Log, Premise, Proof};

/// Conflicts between two restarts, times the Luby sequence.
const RESTART: u64 = 32;

/// A clause of two or three literals, seen from one of them. Two: `second` is `first` again.
#[derive(Clone, Copy)]
pub(super) struct Short {
    pub first: Lit,
    pub second: Lit,
    pub clause: Ref,
}

impl Default for Short {
    fn default() -> Self {
        let lit = Lit::from_code(0);
        Short { first: lit, second: lit, clause: Ref::NONE }
    }
}

/// A longer clause, seen from one of its two watched literals. While `blocker`, another of its literals, is
/// true the clause need not be looked at.
#[derive(Clone, Copy)]
pub(super) struct Watch {
    pub blocker: Lit,
    pub clause: Ref,
}

impl Default for Watch {
    fn default() -> Self {
        Watch { blocker: Lit::from_code(0), clause: Ref::NONE }
    }
}

/// A learned clause of more than three literals: these can be forgotten.
#[derive(Clone, Copy)]
pub(super) struct Learned {
    pub clause: Ref,
    /// How many levels its literals were from when it was learned [Audemard, Simon IJCAI'09].
    pub glue: u32,
}

/// A solver for clauses. The head of [`crate::sat`] describes it.
pub struct Solver {
    vars: usize,
    pub(super) arena: Arena,
    /// Clauses from here on are not attached yet.
    pending: Ref,
    /// How many clauses were added, tautologies included: the next one's number in proofs.
    added: u32,
    pub(super) shorts: Lists<Short>,
    pub(super) watches: Lists<Watch>,
    pub(super) learned: Vec<Learned>,
    pub(super) trail: Trail,
    /// The last value of each variable, as the sign of its literal.
    phases: Vec<bool>,
    pub(super) queue: Queue,
    pub(super) steps: u64,
    pub(super) analysis: super::analyze::Scratch,
    pub(super) log: Option<Log>,
    is_refuted: bool,
    core: Vec<Lit>,
    conflicts: u64,
    /// Conflicts at which the next reduction of learned clauses is due.
    reduction: u64,
}

impl Solver {
    /// A solver without clauses.
    pub fn new(logging: Logging) -> Self {
        Solver {
            vars: 0,
            arena: Arena::default(),
            pending: Arena::default().start(),
            added: 0,
            shorts: Lists::new(),
            watches: Lists::new(),
            learned: Vec::new(),
            trail: Trail::default(),
            phases: Vec::new(),
            queue: Queue::new(),
            steps: 0,
            analysis: Default::default(),
            log: (logging == Logging::Lrat).then(Log::default),
            is_refuted: false,
            core: Vec::new(),
            conflicts: 0,
            reduction: super::reduce::FIRST,
        }
    }

    /// Forgets variables and clauses and keeps the memory for the next query.
    pub fn clear(&mut self) {
        self.vars = 0;
        self.arena.clear();
        self.pending = self.arena.start();
        self.added = 0;
        self.shorts.clear();
        self.watches.clear();
        self.learned.clear();
        self.trail.clear();
        self.phases.clear();
        self.queue.clear();
        self.steps = 0;
        self.analysis.clear();
        if let Some(log) = &mut self.log {
            log.clear();
        }
        self.is_refuted = false;
        self.core.clear();
        self.conflicts = 0;
        self.reduction = super::reduce::FIRST;
    }

    /// A fresh variable.
    pub fn new_var(&mut self) -> Var {
        self.vars += 1;
        Var(self.vars as u32 - 1)
    }

    /// How many variables there are: those of [`Solver::new_var`] and of the clauses.
    pub fn vars(&self) -> usize {
        self.vars
    }

    /// How many clauses were added.
    pub fn clauses(&self) -> usize {
        self.added as usize
    }

    /// How many conflicts all calls of [`Solver::solve`] had together since [`Solver::clear`].
    pub fn conflicts(&self) -> u64 {
        self.conflicts
    }

    /// How many steps of propagation all calls of [`Solver::solve`] took together since [`Solver::clear`].
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Adds a clause. In proofs its number is how many were added before it. Variables up to the largest of
    /// the clause exist from now on.
    pub fn add_clause(&mut self, lits: &[Lit]) {
        let premise = Premise::original(self.added);
        self.added += 1;
        for lit in lits {
            self.vars = self.vars.max(lit.var().index() + 1);
        }
        match *lits {
            [a, b] if a.var() != b.var() => {}
            [a, b, c] if a.var() != b.var() && a.var() != c.var() && b.var() != c.var() => {}
            [] | [_] => {}
            _ => return self.add_tidied(lits, premise),
        }
        self.arena.push(lits, premise);
    }

    /// Adds a clause without repeated literals, unless it is a tautology.
    #[cold]
    fn add_tidied(&mut self, lits: &[Lit], premise: Premise) {
        let mut tidy = lits.to_vec();
        tidy.sort_unstable();
        tidy.dedup();
        if !tidy.windows(2).any(|pair| pair[0].var() == pair[1].var()) {
            self.arena.push(&tidy, premise);
        }
    }

    /// The value that a decision on a variable tries first, until a search assigns the variable. The default
    /// is false. The last model is forgotten.
    pub fn suggest(&mut self, var: Var, value: bool) {
        // A backtrack later on would save the model's value over the suggested one.
        self.backtrack(0);
        self.vars = self.vars.max(var.index() + 1);
        if self.phases.len() < self.vars {
            self.phases.resize(self.vars, true);
        }
        self.phases[var.index()] = !value;
    }

    /// After [`Outcome::Sat`], until the next change: the variable's value. Nothing for a variable that is
    /// newer than the answer.
    pub fn value(&self, var: Var) -> Option<bool> {
        self.trail.get(var)
    }

    /// After [`Outcome::Unsat`]: assumptions that contradict the clauses together. Empty if the clauses
    /// contradict each other without any.
    pub fn core(&self) -> &[Lit] {
        &self.core
    }

    /// The proof that the clauses contradict each other, trimmed. Nothing unless the solver writes proofs,
    /// said [`Outcome::Unsat`], and needed no assumption.
    pub fn proof(&self) -> Option<Proof> {
        if self.is_refuted { self.log.as_ref()?.proof() } else { None }
    }

    /// Decides whether the clauses and assumptions have a model, within a budget, from which the effort is
    /// taken. After [`Outcome::Spent`] another call goes on with what was learned.
    pub fn solve(&mut self, assumptions: &[Lit], budget: &mut Budget) -> Outcome {
        self.core.clear();
        self.backtrack(0);
        for lit in assumptions {
            self.vars = self.vars.max(lit.var().index() + 1);
        }
        self.grow(assumptions.len());
        if self.is_refuted {
            return Outcome::Unsat;
        }
        if let Some(conflict) = self.attach() {
            return self.refute(conflict);
        }
        let started = self.steps;
        let outcome = self.search(assumptions, budget);
        budget.steps = budget.steps.saturating_sub(self.steps - started);
        self.all_attached();
        outcome
    }

    fn search(&mut self, assumptions: &[Lit], budget: &mut Budget) -> Outcome {
        let most = self.steps.saturating_add(budget.steps);
        let mut restarts = 0;
        let mut restart = self.conflicts + RESTART;
        loop {
            if let Some(conflict) = self.propagate() {
                if self.trail.level() == 0 {
                    return self.refute(conflict);
                }
                if budget.conflicts == 0 {
                    self.backtrack(0);
                    return Outcome::Spent;
                }
                budget.conflicts -= 1;
                self.conflicts += 1;
                self.learn(conflict);
                continue;
            }
            if self.steps >= most {
                self.backtrack(0);
                return Outcome::Spent;
            }
            if self.conflicts >= restart {
                restarts += 1;
                restart = self.conflicts + RESTART * luby(restarts);
                self.backtrack(assumptions.len());
                if self.conflicts >= self.reduction {
                    self.reduce();
                    self.reduction = self.conflicts + super::reduce::interval(self.conflicts);
                }
            }
            if let Some(&lit) = assumptions.get(self.trail.level()) {
                if self.trail.value(lit) < 0 {
                    self.fail(lit);
                    return Outcome::Unsat;
                }
                self.trail.begin();
                if self.trail.value(lit) == 0 {
                    self.trail.enqueue(lit, Ref::NONE);
                }
                continue;
            }
            let trail = &self.trail;
            let Some(var) = self.queue.decide(|var| trail.value(var.positive()) == 0) else {
                return Outcome::Sat;
            };
            let lit = if self.phases[var.index()] { var.negative() } else { var.positive() };
            self.trail.begin();
            self.trail.enqueue(lit, Ref::NONE);
        }
    }

    /// Gives variables that are new since the last call their places.
    fn grow(&mut self, assumptions: usize) {
        self.trail.grow(self.vars);
        self.phases.resize(self.vars, true);
        self.shorts.grow(self.vars);
        self.watches.grow(self.vars);
        self.queue.grow(self.vars);
        // An assumption that is true already has a level without a literal.
        self.analysis.grow(self.vars, self.vars + assumptions);
    }

    /// Attaches the clauses added since the last call, and says which one is false already.
    fn attach(&mut self) -> Option<Ref> {
        let mut clause = self.pending;
        let end = self.arena.end();
        if self.shorts.is_empty() {
            while clause != end {
                if matches!(self.arena.len(clause), 2 | 3) {
                    for &code in self.arena.codes(clause) {
                        self.shorts.count(Lit::from_code(code));
                    }
                }
                clause = self.arena.next(clause);
            }
            self.shorts.plan();
        }
        clause = self.pending;
        self.pending = end;
        while clause != end {
            if self.attach_one(clause) == Fits::No {
                return Some(clause);
            }
            clause = self.arena.next(clause);
        }
        None
    }

    /// What is in the arena now is attached: learned clauses need not be visited again.
    pub(super) fn all_attached(&mut self) {
        self.pending = self.arena.end();
    }

    /// Attaches a clause under the values of level 0. Literals that are false stay in it, since its number in
    /// proofs is that of the whole clause.
    fn attach_one(&mut self, clause: Ref) -> Fits {
        // Two literals that are not false come first, where `watch` takes them.
        let mut open = 0;
        let codes = self.arena.codes_mut(clause);
        for at in 0..codes.len() {
            let value = self.trail.value(Lit::from_code(codes[at]));
            if value > 0 {
                return Fits::Yes;
            }
            if value == 0 {
                if open < 2 && open < at {
                    codes.swap(open, at);
                }
                open += 1;
            }
        }
        match open {
            0 => return Fits::No,
            1 => self.trail.enqueue(self.arena.lit(clause, 0), clause),
            _ => self.watch(clause),
        }
        Fits::Yes
    }

    /// Enters a clause of two or more literals into the lists of its literals; of a long one, the first two.
    pub(super) fn watch(&mut self, clause: Ref) {
        match *self.arena.codes(clause) {
            [a, b] => {
                let (a, b) = (Lit::from_code(a), Lit::from_code(b));
                self.shorts.push(a, Short { first: b, second: b, clause });
                self.shorts.push(b, Short { first: a, second: a, clause });
            }
            [a, b, c] => {
                let (a, b, c) = (Lit::from_code(a), Lit::from_code(b), Lit::from_code(c));
                self.shorts.push(a, Short { first: b, second: c, clause });
                self.shorts.push(b, Short { first: a, second: c, clause });
                self.shorts.push(c, Short { first: a, second: b, clause });
            }
            [a, b, ..] => {
                let (a, b) = (Lit::from_code(a), Lit::from_code(b));
                self.watches.push(a, Watch { blocker: b, clause });
                self.watches.push(b, Watch { blocker: a, clause });
            }
            _ => unreachable!("units are assigned, not watched"),
        }
    }

    /// Takes back all assignments above a level.
    pub(super) fn backtrack(&mut self, level: usize) {
        let (phases, queue) = (&mut self.phases, &mut self.queue);
        self.trail.backtrack(level, |lit| {
            phases[lit.var().index()] = lit.is_negative();
            queue.reopen(lit.var());
        });
    }

    /// The clauses contradict each other: `conflict` is false at level 0.
    fn refute(&mut self, conflict: Ref) -> Outcome {
        self.is_refuted = true;
        self.log_refutation(conflict);
        Outcome::Unsat
    }

    /// The assumption `lit` is false because of others: collects them.
    fn fail(&mut self, lit: Lit) {
        let mut core = std::mem::take(&mut self.core);
        self.decisions_behind(lit, &mut core);
        self.core = core;
    }
}

/// Whether a clause can still be true.
#[derive(PartialEq, Eq)]
enum Fits {
    Yes,
    No,
}

/// The sequence 1 1 2 1 1 2 4 1 1 2 ... [Luby, Sinclair, Zuckerman IPL'93], from index 1 on.
fn luby(index: u64) -> u64 {
    let mut index = index;
    loop {
        let power = (index + 1).next_power_of_two();
        if power == index + 1 {
            return power / 2;
        }
        // Below the last full block: the sequence starts again after each one.
        index -= power / 2 - 1;
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn luby_is_the_known_sequence() {
        let first: Vec<u64> = (1..16).map(super::luby).collect();
        assert_eq!(first, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
