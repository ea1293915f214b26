//! Forgetting learned clauses.
//!
//! Half of the long learned clauses go, those from many levels first, long ones before short ones, old ones
//! before new ones. Clauses of up to three literals and those from two levels stay. The usual budget of 300
//! conflicts never comes here; it is for callers that allow thousands.

use super::solver::{Learned, Solver};

/// Conflicts before the first reduction.
pub(super) const FIRST: u64 = 2000;

/// Conflicts until the next reduction: more each time, so that a long search keeps more.
pub(super) fn interval(conflicts: u64) -> u64 {
    FIRST + conflicts / 10
}

impl Solver {
    /// Forgets half of the long learned clauses. Reasons of assigned literals stay.
    pub(super) fn reduce(&mut self) {
        let mut learned = std::mem::take(&mut self.learned);
        let (mut candidates, mut kept): (Vec<Learned>, Vec<Learned>) =
            learned.drain(..).partition(|learned| learned.glue > 2 && !self.is_reason(learned));
        // Stable, and the newest first: of two that are alike the older one goes.
        candidates.reverse();
        candidates.sort_by_key(|learned| (learned.glue, self.arena.len(learned.clause)));
        let dropped = candidates.split_off(candidates.len() / 2);
        kept.append(&mut candidates);
        let mut gone: Vec<u32> = dropped.iter().map(|learned| learned.clause.word()).collect();
        gone.sort_unstable();
        // Clauses are visited in the order of their places.
        let mut gone = gone.into_iter().peekable();
        let compacted = self.arena.compact(|clause| gone.next_if_eq(&clause.word()).is_none());
        let arena = &self.arena;
        self.shorts.rewrite(|mut short| {
            short.clause = arena.moved(short.clause)?;
            Some(short)
        });
        self.watches.rewrite(|mut watch| {
            watch.clause = arena.moved(watch.clause)?;
            Some(watch)
        });
        for place in 0..self.trail.lits().len() as u32 {
            let var = self.trail.at(place).var();
            let reason = arena.moved_or_none(self.trail.of(var).reason);
            self.trail.set_reason(var, reason);
        }
        for learned in &mut kept {
            learned.clause = arena.moved(learned.clause).expect("a clause that is kept has a place");
        }
        kept.sort_unstable_by_key(|learned| learned.clause.word());
        self.learned = kept;
        self.arena.settle(compacted);
        self.all_attached();
    }

    fn is_reason(&self, learned: &Learned) -> bool {
        let first = self.arena.lit(learned.clause, 0);
        let second = self.arena.lit(learned.clause, 1);
        // The literal that a long clause implies is one of the two that it watches.
        [first, second]
            .iter()
            .any(|lit| self.trail.value(*lit) > 0 && self.trail.of(lit.var()).reason == learned.clause)
    }
}

#[cfg(test)]
mod tests {
    use crate::lrat::Premise;
    use crate::sat::arena::Ref;
    use crate::sat::solver::Learned;
    use crate::sat::{Budget, Lit, Logging, Outcome, Solver, Var};

    /// Four learned clauses, of which one is the reason of a literal. Two of the others go, the longest; the
    /// rest is found under new places.
    #[test]
    fn reasons_stay_and_everything_moves() {
        let lit = |var: u32| Var(var).positive();
        let mut solver = Solver::new(Logging::Off);
        solver.add_clause(&[lit(0), lit(19)]);
        assert_eq!(solver.solve(&[], &mut Budget::default()), Outcome::Sat);
        solver.backtrack(0);
        let sets: [&[u32]; 4] =
            [&[5, 6, 7, 8, 9, 10], &[1, 2, 3, 4, 11, 12], &[5, 6, 7, 8], &[5, 6, 7, 8, 9]];
        let mut places = Vec::new();
        for set in sets {
            let lits: Vec<Lit> = set.iter().map(|&var| lit(var)).collect();
            let clause = solver.arena.push(&lits, Premise::original(0));
            solver.watch(clause);
            solver.learned.push(Learned { clause, glue: 3 });
            places.push(clause);
        }
        solver.trail.begin();
        for var in [2, 3, 4, 11, 12] {
            solver.trail.enqueue(!lit(var), Ref::NONE);
        }
        solver.trail.enqueue(lit(1), places[1]);
        solver.reduce();
        let kept: Vec<Vec<Lit>> =
            solver.learned.iter().map(|learned| solver.arena.lits(learned.clause).collect()).collect();
        let expected: Vec<Vec<Lit>> =
            [sets[1], sets[2]].iter().map(|set| set.iter().map(|&var| lit(var)).collect()).collect();
        assert_eq!(kept, expected);
        let reason = solver.trail.of(Var(1)).reason;
        assert_eq!(solver.arena.lits(reason).next(), Some(lit(1)));
        assert_eq!(solver.watches.of(lit(5)).len(), 1);
        assert_eq!(solver.watches.of(lit(5))[0].clause, solver.learned[1].clause);
        assert_eq!(solver.shorts.of(lit(19)).len(), 1);
    }
}
