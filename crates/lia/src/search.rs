//! Simplex on the rows applied so far, and a few case splits where its vertex is not a model.
//!
//! The tableau starts from the last model. If what it ends with is not integral, rounding and a few moves often make it so;
//! else a fraction or a violated `!=` is split, depth first, with the bounds of the case on the trail. Only
//! small trees are searched here; what needs more goes to the thorough solver.

use crate::effort::Budget;
use crate::repair::Moves;
use crate::simplex::Relaxed;
use crate::state::{Applied, LIMIT, State};
use crate::tableau::{Id, NONE, Place};

/// Reasons from here on are cases, not rows.
const CASE: u32 = 1 << 31;
/// Cases within cases.
const DEEPEST: u32 = 16;
/// Splits of one check.
pub(crate) const SPLITS: u32 = 24;
/// Moves tried at a vertex that is not a model.
const MOVES: usize = 12;

/// What a search found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Found {
    /// The model holds, as far as bounds tell.
    Model,
    /// The rows in the state's core contradict each other.
    Conflict,
    /// Too many cases.
    GaveUp,
    /// Numbers became too large; the tableau was cleared.
    Overflow,
}

enum Choice {
    Fraction { id: Id, floor: i64, up_first: bool },
    Excluded { id: Id, value: i64, row: u32 },
}

impl State {
    /// Decides the applied rows, if that is easy. `violated`: the quantities that the model may violate.
    pub fn search(&mut self, violated: &[Id], moves: &mut Moves, budget: &mut Budget) -> Found {
        if self.prepare(violated).is_none() {
            return self.overflow();
        }
        let mut splits = SPLITS;
        self.dive(0, &mut splits, moves, budget)
    }

    fn overflow(&mut self) -> Found {
        self.tableau.clear();
        Found::Overflow
    }

    /// Brings the tableau up to date with the forms in use and moves it to the last model.
    fn prepare(&mut self, violated: &[Id]) -> Option<()> {
        let mut row = 0;
        while row < self.tableau.rows.len() {
            let id = self.tableau.rows[row];
            if self.quantities.is_form(id) && !self.in_use(id) {
                self.tableau.drop_row(row);
            } else {
                row += 1;
            }
        }
        for &id in violated {
            if !self.quantities.is_form(id) && self.tableau.place(id) == Place::Absent {
                self.tableau.add_column(id, self.model[id as usize]);
            }
        }
        for &id in &self.active {
            if self.tableau.place(id) == Place::Absent {
                let terms = self.quantities.terms(id);
                for &(x, _) in terms {
                    if self.tableau.place(x) == Place::Absent {
                        self.tableau.add_column(x, self.model[x as usize]);
                    }
                }
                self.tableau.add_row(id, terms)?;
            }
        }
        for col in 0..self.tableau.cols.len() {
            let id = self.tableau.cols[col];
            let value = if self.quantities.is_form(id) && !self.in_use(id) {
                self.form_value(id)
            } else {
                self.model[id as usize]
            };
            if self.tableau.vals[col] != value {
                self.tableau.set_value(col, value)?;
            }
        }
        Some(())
    }

    fn dive(&mut self, depth: u32, splits: &mut u32, moves: &mut Moves, budget: &mut Budget) -> Found {
        let mut conflict = std::mem::take(&mut self.conflict);
        let relaxed = self.tableau.relax(budget, &mut conflict);
        if relaxed == Relaxed::Conflict {
            self.core.clear();
            self.core.extend(conflict.iter().map(|(why, _)| *why));
        }
        self.conflict = conflict;
        match relaxed {
            Relaxed::Conflict => return Found::Conflict,
            Relaxed::Exhausted => return Found::GaveUp,
            Relaxed::Overflow => return self.overflow(),
            Relaxed::Feasible => {}
        }
        if self.try_vertex(moves) {
            return Found::Model;
        }
        let Some(choice) = self.choose() else { return Found::GaveUp };
        if depth == DEEPEST || *splits == 0 || !budget.split() {
            return Found::GaveUp;
        }
        *splits -= 1;
        self.cases(choice, depth, splits, moves, budget)
    }

    fn cases(
        &mut self,
        choice: Choice,
        depth: u32,
        splits: &mut u32,
        moves: &mut Moves,
        budget: &mut Budget,
    ) -> Found {
        let case = CASE + depth;
        let (id, high, low, row, up_first) = match choice {
            Choice::Fraction { id, floor, up_first } => (id, floor, floor + 1, None, up_first),
            Choice::Excluded { id, value, row } => (id, value - 1, value + 1, Some(row), false),
        };
        let mut blamed: Vec<u32> = row.into_iter().collect();
        for up in [up_first, !up_first] {
            let mark = self.mark();
            let applied = if up { self.set_lo(id, low, case) } else { self.set_hi(id, high, case) };
            let found = match applied {
                Applied::Fine => self.dive(depth + 1, splits, moves, budget),
                _ => Found::Conflict,
            };
            self.undo_to(mark);
            if found != Found::Conflict {
                return found;
            }
            if !self.core.contains(&case) {
                return Found::Conflict;
            }
            blamed.extend(self.core.iter().filter(|why| **why != case));
        }
        self.core.clear();
        self.core.append(&mut blamed);
        Found::Conflict
    }

    /// Takes the vertex, rounded, as the model, and repairs it if need be. If that fails the model is as before.
    fn try_vertex(&mut self, moves: &mut Moves) -> bool {
        moves.made.clear();
        moves.queue.clear();
        for col in 0..self.tableau.cols.len() {
            let (id, value) = (self.tableau.cols[col], self.tableau.vals[col]);
            self.go_to(id, value, moves);
        }
        for row in 0..self.tableau.rows.len() {
            let (num, den) = (self.tableau.num[row], self.tableau.den[row]);
            let value = if den == 1 { num } else { (num.wrapping_add(den / 2)).div_euclid(den) };
            self.go_to(self.tableau.rows[row], value, moves);
        }
        for k in 0..moves.made.len() {
            let var = moves.made[k].0;
            moves.queue.push(var);
            moves.queue.extend(self.occurs[var as usize].iter().map(|(form, _)| *form));
        }
        for e in &self.excluded {
            if self.model[e.id as usize] == e.value {
                moves.queue.push(e.id);
            }
        }
        if self.repair(moves, MOVES) {
            return true;
        }
        self.unmake(moves);
        false
    }

    fn go_to(&mut self, id: Id, value: i64, moves: &mut Moves) {
        if !self.quantities.is_form(id) && self.model[id as usize] != value {
            let by = value.wrapping_sub(self.model[id as usize]);
            self.shift(id, by);
            moves.made.push((id, by));
        }
    }

    /// What is wrong with the vertex: a fraction, preferably of a quantity with a small range, else an excluded value.
    fn choose(&self) -> Option<Choice> {
        let mut best: Option<(i64, Choice)> = None;
        for (row, &id) in self.tableau.rows.iter().enumerate() {
            let (num, den) = (self.tableau.num[row], self.tableau.den[row]);
            if den == 1 || num % den == 0 {
                continue;
            }
            let b = &self.tableau.bounds[id as usize];
            let bounded = b.lo_why != NONE && b.hi_why != NONE;
            let width = if bounded { b.hi.wrapping_sub(b.lo) } else { i64::MAX };
            let floor = num.div_euclid(den);
            if floor.unsigned_abs() < LIMIT.unsigned_abs() && best.as_ref().is_none_or(|(w, _)| width < *w) {
                let up_first = i128::from(num.rem_euclid(den)) * 2 >= i128::from(den);
                best = Some((width, Choice::Fraction { id, floor, up_first }));
            }
        }
        if let Some((_, choice)) = best {
            return Some(choice);
        }
        self.excluded.iter().find_map(|e| {
            let value = match self.tableau.place(e.id) {
                Place::Column(col) => self.tableau.vals[col],
                Place::Row(row) => self.tableau.num[row] / self.tableau.den[row],
                Place::Absent => self.model[e.id as usize],
            };
            (value == e.value).then_some(Choice::Excluded { id: e.id, value, row: e.row })
        })
    }
}
