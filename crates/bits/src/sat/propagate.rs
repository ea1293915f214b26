//! Unit propagation.
//!
//! Blasted gates are clauses of two and three literals. Such a clause is in the lists of all its literals,
//! with the other literals beside it: lists never change while searching, and the clause itself is read in
//! conflicts only. Longer clauses (learned ones, wide disjunctions) have two watched literals with blockers
//! [Moskewicz et al. DAC'01; Sörensson, Eén SAT'05].

use super::arena::Ref;
use super::solver::{Solver, Watch};
use super::{Lit, solver::Short};

impl Solver {
    /// Draws all consequences of the trail. The clause that is false, if there is one.
    ///
    /// Steps are the literals propagated and the entries of their lists, so they are in proportion to time.
    pub(super) fn propagate(&mut self) -> Option<Ref> {
        while let Some(lit) = self.trail.next() {
            let lit = !lit;
            if let Some(conflict) = self.propagate_shorts(lit) {
                return Some(conflict);
            }
            if let Some(conflict) = self.propagate_watches(lit) {
                return Some(conflict);
            }
        }
        None
    }

    /// Looks at the short clauses with a literal that is false now.
    #[inline]
    fn propagate_shorts(&mut self, lit: Lit) -> Option<Ref> {
        let list = self.shorts.of(lit);
        self.steps += 1 + list.len() as u64;
        for &Short { first, second, clause } in list {
            let one = self.trail.value(first);
            let two = self.trail.value(second);
            if one > 0 || two > 0 {
                continue;
            }
            if one < 0 {
                if two < 0 {
                    return Some(clause);
                }
                self.trail.enqueue(second, clause);
            } else if two < 0 || first == second {
                self.trail.enqueue(first, clause);
            }
        }
        None
    }

    /// Looks at the long clauses that watch a literal that is false now.
    #[inline]
    fn propagate_watches(&mut self, lit: Lit) -> Option<Ref> {
        let range = self.watches.range(lit);
        self.steps += range.len() as u64;
        let (start, end) = (range.start, range.end);
        let mut kept = start;
        let mut at = start;
        let mut conflict = None;
        while at < end {
            let watch = self.watches.at(at);
            at += 1;
            if self.trail.value(watch.blocker) > 0 {
                self.watches.put(kept, watch);
                kept += 1;
                continue;
            }
            let Some(watch) = self.move_watch(watch.clause, lit) else { continue };
            self.watches.put(kept, watch);
            kept += 1;
            let value = self.trail.value(watch.blocker);
            if value < 0 {
                conflict = Some(watch.clause);
                while at < end {
                    let watch = self.watches.at(at);
                    self.watches.put(kept, watch);
                    (at, kept) = (at + 1, kept + 1);
                }
            } else if value == 0 {
                self.trail.enqueue(watch.blocker, watch.clause);
            }
        }
        self.watches.truncate(lit, kept - start);
        conflict
    }

    /// Lets a clause watch another literal in place of `lit`, which is false. If all are false but the other
    /// watched one, the watch stays, with that one as the blocker.
    #[inline]
    fn move_watch(&mut self, clause: Ref, lit: Lit) -> Option<Watch> {
        let codes = self.arena.codes_mut(clause);
        // The watched literals are the first two: `lit` becomes the second.
        if codes[0] == lit.code() {
            codes.swap(0, 1);
        }
        let other = Lit::from_code(codes[0]);
        let watch = Watch { blocker: other, clause };
        if self.trail.value(other) > 0 {
            return Some(watch);
        }
        let found = codes[2..].iter().position(|&code| self.trail.value(Lit::from_code(code)) >= 0);
        let Some(found) = found else { return Some(watch) };
        codes.swap(1, found + 2);
        let next = Lit::from_code(codes[1]);
        self.watches.push(next, watch);
        None
    }
}
