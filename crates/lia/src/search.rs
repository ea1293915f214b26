//! Simplex on the rows applied so far, and a few case splits where its vertex is not a model.
//!
//! The tableau starts from the last model. If its vertex is not integral, rounding and a few moves often make
//! it so; else a fraction or a violated `!=` is split, depth first, with the bounds of the case on the trail.
//! Only small trees are searched here; larger searches go to the thorough solver.

use crate::effort::{Budget, Effort};
use crate::number::gcd_u64;
use crate::repair::Moves;
use crate::simplex::Relaxed;
use crate::state::{Applied, LIMIT, State};
use crate::tableau::{Id, NONE, Place};

/// Reasons from here on are cases, not rows.
const CASE: u32 = 1 << 31;
/// Cases within cases.
const DEEPEST: u32 = 16;
/// The budget of one check here. A query that is undecided after it is seldom decided soon.
const SHARE: Effort = Effort { pivots: 500, splits: 32 };
/// Moves tried at a vertex that is not a model.
const MOVES: usize = 12;

/// With fewer columns than this it does not matter how many are idle.
const IDLE: usize = 24;

/// The outcome of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Found {
    /// The model holds, as far as bounds show.
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
    pub(crate) fn search(&mut self, violated: &[Id], moves: &mut Moves, budget: &mut Budget) -> Found {
        if self.prepare(violated).is_none() {
            return self.overflow();
        }
        let share = budget.share(SHARE);
        let mut left = share;
        let found = self.dive(0, moves, &mut left);
        budget.charge(&share, &left);
        found
    }

    fn overflow(&mut self) -> Found {
        self.tableau.clear();
        Found::Overflow
    }

    /// Whether most columns are about quantities that no live row is about.
    fn mostly_idle(&self) -> bool {
        let idle = |id: &&Id| {
            let b = &self.tableau.bounds[**id as usize];
            let bounded = b.lo_why != NONE || b.hi_why != NONE;
            if self.quantities.is_form(**id) {
                !self.in_use(**id)
            } else {
                !bounded && self.occurs[**id as usize].is_empty()
            }
        };
        let columns = self.tableau.cols.len();
        columns > IDLE && self.tableau.cols.iter().filter(idle).count() * 2 > columns
    }

    /// Brings the tableau up to date with the forms in use and moves it to the last model.
    fn prepare(&mut self, violated: &[Id]) -> Option<()> {
        if self.mostly_idle() {
            self.tableau.clear();
        }
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

    fn dive(&mut self, depth: u32, moves: &mut Moves, budget: &mut Budget) -> Found {
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
        if self.indivisible() {
            return Found::Conflict;
        }
        let Some(choice) = self.choose() else { return Found::GaveUp };
        if depth == DEEPEST || !budget.split() {
            return Found::GaveUp;
        }
        self.cases(choice, depth, moves, budget)
    }

    fn cases(&mut self, choice: Choice, depth: u32, moves: &mut Moves, budget: &mut Budget) -> Found {
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
                Applied::Fine => self.dive(depth + 1, moves, budget),
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

    /// Whether a row of the tableau has no integer solution whatever its loose quantities are:
    /// their coefficients have a common divisor that does not divide the sum of the fixed ones. The
    /// fixed ones are to blame then.
    fn indivisible(&mut self) -> bool {
        let t = &self.tableau;
        let fixed = |id: Id| {
            let b = &t.bounds[id as usize];
            b.lo_why != NONE && b.hi_why != NONE && b.lo == b.hi
        };
        for row in 0..t.rows.len() {
            // Such a row is a fraction now, as the columns are integers, so its own quantity is loose.
            if t.den[row] == 1 || t.num[row] % t.den[row] == 0 {
                continue;
            }
            let mut common = t.den[row].unsigned_abs();
            let mut rest = Some(0i128);
            for (cell, &col) in t.row(row).iter().zip(&t.cols) {
                if *cell != 0 && fixed(col) {
                    let product = i128::from(*cell) * i128::from(t.bounds[col as usize].lo);
                    rest = rest.and_then(|r| r.checked_add(product));
                } else if *cell != 0 {
                    common = gcd_u64(common, cell.unsigned_abs());
                }
            }
            let Some(rest) = rest else { continue };
            if rest % i128::from(common) == 0 {
                continue;
            }
            self.core.clear();
            for (_, col) in t.row(row).iter().zip(&t.cols).filter(|(cell, id)| **cell != 0 && fixed(**id)) {
                let b = &t.bounds[*col as usize];
                self.core.extend([b.lo_why, b.hi_why]);
            }
            return true;
        }
        false
    }

    /// Takes the vertex, rounded, as the model, and repairs it if need be. If that
    /// fails the model is as before.
    fn try_vertex(&mut self, moves: &mut Moves) -> bool {
        let before = moves.made.len();
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
        for k in before..moves.made.len() {
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
        self.unmake(moves, before);
        false
    }

    fn go_to(&mut self, id: Id, value: i64, moves: &mut Moves) {
        if !self.quantities.is_form(id) && self.model[id as usize] != value {
            let by = value.wrapping_sub(self.model[id as usize]);
            self.shift(id, by);
            moves.made.push((id, by));
        }
    }

    /// The flaw of the vertex: a fraction, preferably of a quantity with a small
    /// range, else an excluded value.
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
