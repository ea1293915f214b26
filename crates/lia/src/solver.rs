//! The incremental solver: the cheapest step that can answer runs first.
//!
//! 1. The last model, or the one before it, holds for the new rows too: a few multiplications. (Of two
//!    arms of a branch the parent's model takes one; the other needs a new model, after which the
//!    parent's is the one before.)
//! 2. The new row contradicts the bounds of its own form: one look-up.
//! 3. A few moves make the model fit ([`crate::repair`]).
//! 4. Simplex from the last model, and a few case splits ([`crate::search`]).
//! 5. The thorough solver, from the start, in integers of any size ([`crate::thorough`]).
//!
//! Rows are only put into bounds when step 1 fails, so a query that the last model answers costs nothing to
//! take back. Every model is evaluated on every live row before it is returned, whichever step found it.

use crate::answer::{Counts, Verdict};
use crate::certificate::Certificate;
use crate::effort::{Budget, Effort};
use crate::repair::Moves;
use crate::row::{Op, Row, Var};
use crate::search::Found;
use crate::stack::{Stack, compare};
use crate::state::{Applied, LIMIT, State};
use crate::tableau::{Id, NONE};
use crate::thorough::{Outcome, Refutation, decide};
use evergreen_term::Int;

/// Moves tried before simplex.
const MOVES: usize = 6;

/// More new rows than this are many.
const MANY: usize = 4;

/// The budget of each trial of [`Solver::minimize`]: the remaining rows are often
/// satisfiable, and may be hard.
const MINIMIZE: Effort = Effort { pivots: 500, splits: 20 };

/// So many quantities may be idle.
const FORGET: usize = 4_096;

/// An incremental solver for conjunctions of rows.
#[derive(Clone, Debug)]
pub struct Solver {
    effort: Effort,
    stack: Stack,
    levels: Vec<u32>,
    state: State,
    moves: Moves,
    /// For each row that is in the bounds: the mark before it, and its quantity.
    applied: Vec<(u32, Id)>,
    /// The model holds for so many rows from the start.
    known: usize,
    /// Values of the model by quantity when they do not fit into words.
    big: Option<Vec<Int>>,
    any_model: bool,
    /// The moves from the model before the last to the last.
    moved: Vec<(Id, i64)>,
    /// The model before the last holds for so many rows from the start.
    moved_known: usize,
    core: Vec<u32>,
    /// The core is a contradiction among the live rows.
    contradiction: bool,
    /// Its proof, over the same rows in the same order, if there is one already.
    proof: Option<Box<Refutation>>,
    /// With more rows than this the numbers are too large for the fast solver.
    too_large: usize,
    violated: Vec<Id>,
    /// With more quantities than this the idle ones are forgotten.
    forget_at: usize,
    counts: Counts,
}

impl Default for Solver {
    fn default() -> Solver {
        Solver::new()
    }
}

impl Solver {
    /// A solver without rows and with the usual effort.
    pub fn new() -> Solver {
        Solver::with_effort(Effort::default())
    }

    /// A solver without rows.
    pub fn with_effort(effort: Effort) -> Solver {
        Solver {
            effort,
            stack: Stack::default(),
            levels: Vec::new(),
            state: State::new(),
            moves: Moves::default(),
            applied: Vec::new(),
            known: 0,
            big: None,
            any_model: false,
            moved: Vec::new(),
            moved_known: 0,
            core: Vec::new(),
            contradiction: false,
            proof: None,
            too_large: usize::MAX,
            violated: Vec::new(),
            forget_at: FORGET,
            counts: Counts::default(),
        }
    }

    /// Opens a level.
    pub fn push(&mut self) {
        self.levels.push(self.stack.len() as u32);
    }

    /// Closes the newest level and drops its rows. Without an open level nothing happens.
    pub fn pop(&mut self) {
        let Some(rows) = self.levels.pop() else { return };
        let rows = rows as usize;
        self.stack.truncate(rows);
        if let Some((mark, _)) = self.applied.get(rows) {
            self.state.undo_to(*mark as usize);
            self.applied.truncate(rows);
        }
        self.known = self.known.min(rows);
        self.moved_known = self.moved_known.min(rows);
        if self.contradiction && self.core.last().is_none_or(|last| *last as usize >= rows) {
            self.contradiction = false;
        }
        if rows <= self.too_large {
            self.too_large = usize::MAX;
        }
    }

    /// Which step answered how many checks so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// How many rows are live.
    pub fn rows(&self) -> usize {
        self.stack.len()
    }

    /// How many levels are open.
    pub fn levels(&self) -> usize {
        self.levels.len()
    }

    /// Adds a row to the newest level.
    #[inline]
    pub fn assert(&mut self, row: &Row) {
        self.assert_terms(row.op, &row.terms, row.constant);
    }

    /// Adds the row `sum of terms + constant op 0` to the newest level.
    #[inline]
    pub fn assert_terms(&mut self, op: Op, terms: &[(Var, i64)], constant: i64) {
        let mut odd = false;
        let mut previous = None;
        for &(var, times) in terms {
            odd |= times == 0 || times == i64::MIN || previous >= Some(var);
            previous = Some(var);
            let id = self.state.variable(var);
            self.stack.term(id, times);
        }
        self.stack.close(op, constant, odd);
    }

    /// Decides the live rows.
    pub fn check(&mut self) -> Verdict {
        if self.contradiction {
            self.counts.known += 1;
            return Verdict::Unsat;
        }
        if self.model_goes_on() || self.model_before_goes_on() {
            self.counts.known += 1;
            self.any_model = true;
            return Verdict::Sat;
        }
        let mut budget = Budget::new(self.effort);
        let verdict = self.work(&mut budget);
        let spent = budget.spent(self.effort);
        self.counts.pivots += u64::from(spent.pivots);
        self.counts.splits += u64::from(spent.splits);
        verdict
    }

    fn work(&mut self, budget: &mut Budget) -> Verdict {
        if self.big.is_none() && self.stack.odd == 0 && self.stack.len() <= self.too_large {
            let found = self.fast(budget);
            if found == Found::Model && self.verified() {
                std::mem::swap(&mut self.moved, &mut self.moves.made);
                self.moved_known = self.known;
                self.known = self.stack.len();
                self.any_model = true;
                return Verdict::Sat;
            }
            self.state.unmake(&mut self.moves, 0);
            if found == Found::Conflict {
                self.core.clear();
                self.core.extend_from_slice(&self.state.core);
                self.core.sort_unstable();
                self.core.dedup();
                self.proof = None;
                self.contradiction = true;
                return Verdict::Unsat;
            }
            if found == Found::Overflow {
                self.too_large = self.stack.len() - 1;
            }
        }
        let verdict = self.thorough(budget);
        match verdict {
            Verdict::Unknown => self.counts.unknown += 1,
            _ => self.counts.thorough += 1,
        }
        verdict
    }

    /// Whether the last model holds for the rows that came after it.
    #[inline]
    fn model_goes_on(&mut self) -> bool {
        while self.known < self.stack.len() && self.model_holds(self.known) {
            self.known += 1;
        }
        self.known == self.stack.len()
    }

    /// Whether the model before the last holds; it is the last one then.
    fn model_before_goes_on(&mut self) -> bool {
        if self.moved.is_empty() || self.big.is_some() {
            return false;
        }
        let value = |id: Id| {
            let by = self.moved.iter().filter(|m| m.0 == id).fold(0i64, |sum, m| sum.wrapping_add(m.1));
            self.state.model[id as usize].wrapping_sub(by)
        };
        // The newest row first: it is the one in question.
        if !(self.moved_known..self.stack.len()).rev().all(|row| self.stack.holds(row, value) == Some(true)) {
            return false;
        }
        for k in 0..self.moved.len() {
            let (var, by) = self.moved[k];
            self.moved[k].1 = by.wrapping_neg();
            self.state.shift(var, by.wrapping_neg());
        }
        self.moved_known = self.known;
        self.known = self.stack.len();
        true
    }

    #[inline]
    fn model_holds(&self, row: usize) -> bool {
        let in_words =
            if self.big.is_none() { self.stack.holds(row, |id| self.state.model[id as usize]) } else { None };
        in_words.unwrap_or_else(|| self.stack.holds_exactly(row, |id| self.value_of(id)))
    }

    fn verified(&self) -> bool {
        (0..self.stack.len()).all(|row| self.model_holds(row))
    }

    /// Forgets forms that are not in use, and variables that are neither in a row nor other than 0.
    fn forget(&mut self) {
        self.state.undo_to(0);
        self.applied.clear();
        let mut used = vec![false; self.state.quantities.len()];
        for (id, _) in self.stack.terms_mut().iter().chain(&self.moved) {
            used[*id as usize] = true;
        }
        let (state, numbers) = self.state.without_forms(|id| used[id as usize]);
        for (id, _) in self.stack.terms_mut().iter_mut().chain(&mut self.moved) {
            *id = numbers[*id as usize];
        }
        self.state = state;
        self.forget_at = self.state.quantities.len() * 2 + FORGET;
    }

    fn fast(&mut self, budget: &mut Budget) -> Found {
        if self.state.quantities.len() > self.forget_at {
            self.forget();
        }
        self.moves.made.clear();
        match self.apply() {
            Applied::Fine => {}
            Applied::Conflict => {
                self.counts.bounds += 1;
                return Found::Conflict;
            }
            Applied::TooLarge => return Found::Overflow,
        }
        let state = &self.state;
        let out = |id: &Id| *id != NONE && state.away(*id, state.model[*id as usize]) != 0;
        self.violated.clear();
        self.violated.extend(self.applied[self.known..].iter().map(|(_, id)| *id).filter(out));
        for k in 0..self.violated.len() {
            if self.state.quantities.is_form(self.violated[k]) && self.state.out_of_reach(self.violated[k]) {
                self.counts.bounds += 1;
                return Found::Conflict;
            }
        }
        let before = self.moves.made.len();
        self.moves.queue.clear();
        self.moves.queue.extend_from_slice(&self.violated);
        if self.state.repair(&mut self.moves, MOVES) {
            self.counts.moved += 1;
            return Found::Model;
        }
        self.state.unmake(&mut self.moves, before);
        let found = self.state.search(&self.violated, &mut self.moves, budget);
        self.counts.simplex += u64::from(matches!(found, Found::Model | Found::Conflict));
        found
    }

    /// Puts the rows that are not yet there into the bounds. Where there are many, the model is repaired
    /// after each: simplex would have to start far from any solution.
    fn apply(&mut self) -> Applied {
        let many = self.stack.len() - self.applied.len() > MANY;
        while self.applied.len() < self.stack.len() {
            let row = self.applied.len();
            let (head, terms) = self.stack.get(row);
            let mark = self.state.mark();
            let (applied, id) = self.state.apply(head.op, terms, head.constant, row as u32);
            if applied != Applied::Fine {
                self.state.undo_to(mark);
                return applied;
            }
            self.applied.push((mark as u32, id.unwrap_or(NONE)));
            if let Some(id) = id.filter(|_| many) {
                let before = self.moves.made.len();
                self.moves.queue.clear();
                self.moves.queue.push(id);
                if !self.state.repair(&mut self.moves, MOVES) {
                    self.state.unmake(&mut self.moves, before);
                }
            }
        }
        Applied::Fine
    }

    fn thorough(&mut self, budget: &mut Budget) -> Verdict {
        let rows: Vec<Row> =
            (0..self.stack.len()).map(|k| self.stack.row(k, &self.state.quantities)).collect();
        match decide(&rows, budget) {
            Outcome::Unknown => Verdict::Unknown,
            Outcome::Unsat(proof) => {
                self.core = proof.core();
                self.proof = Some(Box::new(proof));
                self.contradiction = true;
                Verdict::Unsat
            }
            Outcome::Sat(model) => {
                self.adopt(&model);
                if !self.verified() {
                    return Verdict::Unknown;
                }
                self.known = self.stack.len();
                self.any_model = true;
                Verdict::Sat
            }
        }
    }

    /// Makes this the last model.
    fn adopt(&mut self, model: &[(Var, Int)]) {
        let small = |value: &Int| value.to_i64().filter(|v| (-LIMIT..=LIMIT).contains(v));
        self.known = 0;
        self.moved.clear();
        if model.iter().all(|(_, value)| small(value).is_some()) {
            self.big = None;
            for (var, value) in model {
                let id = self.state.variable(*var);
                self.state.model[id as usize] = small(value).unwrap_or(0);
            }
            self.state.refresh();
        } else {
            let mut values = vec![Int::ZERO; self.state.quantities.len()];
            for (var, value) in model {
                let id = self.state.variable(*var);
                values[id as usize] = value.clone();
            }
            self.big = Some(values);
        }
    }

    fn value_of(&self, id: Id) -> Int {
        match &self.big {
            Some(values) => values.get(id as usize).cloned().unwrap_or(Int::ZERO),
            None => Int::from(self.state.model[id as usize]),
        }
    }

    /// A variable's value in the model of the last `Sat`; 0 if it never occurred.
    pub fn value(&self, var: Var) -> Int {
        self.state.quantities.find(var).map_or(Int::ZERO, |id| self.value_of(id))
    }

    /// Whether a row holds in the model of the last `Sat`; `None` before the first.
    pub fn holds(&self, row: &Row) -> Option<bool> {
        if !self.any_model {
            return None;
        }
        let sum = self.small_sum(row).map(Int::from).unwrap_or_else(|| {
            let start = Int::from(row.constant);
            row.terms.iter().fold(start, |s, (v, c)| s.add(&Int::from(*c).mul(&self.value(*v))))
        });
        Some(compare(row.op, &sum))
    }

    fn small_sum(&self, row: &Row) -> Option<i64> {
        if self.big.is_some() {
            return None;
        }
        row.terms.iter().try_fold(row.constant, |sum, (var, times)| {
            let value = self.state.quantities.find(*var).map_or(0, |id| self.state.model[id as usize]);
            sum.checked_add(times.checked_mul(value)?)
        })
    }

    /// After `Unsat`: numbers of live rows (from 0, in order of assertion) that
    /// contradict each other, ascending.
    pub fn core(&self) -> &[u32] {
        &self.core
    }

    /// After `Unsat`: drops rows that the core does not need, by trial. Costs one small
    /// check per row of the core.
    pub fn minimize(&mut self) {
        if !self.contradiction {
            return;
        }
        // The last so many rows of the core are known to be needed; they stay so as the core shrinks.
        let mut needed = 0;
        while needed < self.core.len() {
            let tried = self.core[self.core.len() - 1 - needed];
            let rest: Vec<u32> = self.core.iter().copied().filter(|row| *row != tried).collect();
            let mut solver = Solver::with_effort(self.effort.min(MINIMIZE));
            for row in &rest {
                solver.assert(&self.stack.row(*row as usize, &self.state.quantities));
            }
            if solver.check() == Verdict::Unsat {
                self.core = solver.core.iter().map(|k| rest[*k as usize]).collect();
                self.proof = solver.proof;
            } else {
                needed += 1;
            }
        }
    }

    /// After `Unsat`: a proof over the rows of the core, line `k` being row `core()[k]`.
    ///
    /// The fast steps keep no proof: the core is solved once more then, and `None` means that this
    /// took more than the effort.
    pub fn certificate(&self) -> Option<Certificate> {
        if !self.contradiction {
            return None;
        }
        if let Some(proof) = &self.proof {
            return Some(proof.certificate(&proof.core()));
        }
        let rows: Vec<Row> =
            self.core.iter().map(|k| self.stack.row(*k as usize, &self.state.quantities)).collect();
        match decide(&rows, &mut Budget::new(self.effort)) {
            Outcome::Unsat(proof) => Some(proof.certificate(&(0..rows.len() as u32).collect::<Vec<_>>())),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Many paths, each over its own variables and forms: the solver forgets unused forms,
    /// and the answers stay right.
    #[test]
    fn what_is_idle_is_forgotten() {
        let mut solver = Solver::new();
        solver.assert_terms(Op::Le, &[(0, -1)], 7); // x0 >= 7
        for path in 0..3_000i64 {
            solver.push();
            let (a, b) = (1 + 2 * path as Var, 2 + 2 * path as Var);
            solver.assert_terms(Op::Le, &[(0, 1), (a, -1)], 1 + path % 5); // a > x0
            solver.assert_terms(Op::Eq, &[(a, 1), (b, -2)], 0); // a = 2b
            solver.assert_terms(Op::Ne, &[(0, 1), (a, 1), (b, 1)], -path % 50);
            assert_eq!(solver.check(), Verdict::Sat);
            assert!(solver.value(a) > solver.value(0) && solver.value(0) >= Int::from(7));
            assert_eq!(solver.value(a), solver.value(b).add(&solver.value(b)));
            solver.push();
            solver.assert_terms(Op::Le, &[(a, 1), (b, -1)], -4); // b <= 4, so a <= 8
            solver.assert_terms(Op::Le, &[(0, -1), (b, 1)], 3); // b <= x0 - 3
            assert_eq!(solver.check(), if path % 5 == 0 { Verdict::Sat } else { Verdict::Unsat }, "{path}");
            solver.pop();
            solver.pop();
        }
        assert!(solver.state.quantities.len() < 3 * FORGET + 10, "{}", solver.state.quantities.len());
        assert!(solver.state.tableau.cols.len() < 40, "{}", solver.state.tableau.cols.len());
    }
}
