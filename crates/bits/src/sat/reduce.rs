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
        for lit in &self.trail {
            let reason = &mut self.assigned[lit.var().index()].reason;
            *reason = arena.moved_or_none(*reason);
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
        [first, second].iter().any(|lit| {
            self.values[lit.index()] > 0 && self.assigned[lit.var().index()].reason == learned.clause
        })
    }
}
