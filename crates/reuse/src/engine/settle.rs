//! Values that depend on nothing but the constraints and values of the path before: a slice settled in an
//! order of its own.
//!
//! The incremental solver starts each query from its last model, so which model it gives depends on all
//! queries before. Where a model has to be the same in every run (the inputs of a test, say), two things are
//! tried on the rows of the slice:
//!
//! 1. A few *moves* from the values that the path has: of the first row that does not hold, a variable goes
//!    just as far as the row needs, the one that breaks fewest other rows; each variable goes once. An arm
//!    usually needs one move, or a chain of them that makes room between neighbours, and looking at thirty
//!    rows a few times takes a microsecond. (Moves are what the incremental solver does, too, but it goes by
//!    numbers of variables and rows, which show what came first.)
//! 2. A new solver: variables by their names, the rows of each constraint sorted, equations with a positive
//!    first coefficient. It takes about ten times as long: it has to read all the rows.
//!
//! Ties are broken by names. So if the values that the path has are a function of the path, then so are those
//! that are settled.

use super::Engine;
use crate::{SettlingStats, native};
use evergreen_canon::{Compare, Leaf, Path, Row as CanonRow, Variable};
use evergreen_lia::{Op, Row, Solver, Verdict};
use evergreen_term::{Int, Model, SymbolId, TermId, Terms, Value};
use std::cmp::Ordering;
use std::rc::Rc;

/// Moves that are made before a solver is asked.
const MOVES: usize = 8;
/// No place yet.
const NONE: u32 = u32::MAX;

/// Values of symbols, as far as the caller has some.
pub(super) type Values<'v> = &'v dyn Fn(SymbolId) -> Option<i64>;

/// Who found values.
enum Settled {
    /// A few moves.
    Moved(Model),
    /// The native core.
    Solved(Model),
}

/// A row: its terms are a part of a list.
struct Head {
    compare: Compare,
    constant: i64,
    from: u32,
    to: u32,
    /// Which constraint it is of.
    group: u32,
}

struct Known {
    variable: Variable,
    symbol: SymbolId,
    value: i64,
    is_moved: bool,
}

/// The rows of a slice, variables by their places among those that are known. Kept for its memory.
#[derive(Default)]
pub(crate) struct Slice {
    rows: Vec<Head>,
    terms: Vec<(u32, i64)>,
    known: Vec<Known>,
    /// Places by variable.
    places: Vec<u32>,
    /// Rows that do not hold.
    broken: Vec<u32>,
}

impl Engine {
    /// Whether a solver may be asked what is not found.
    pub fn may_solve(&self) -> bool {
        !self.options.require_hit
    }

    /// The constraints of a path that new ones depend on, in the order of the path, and the new ones.
    pub fn slice_on(
        &mut self,
        terms: &Terms,
        path: &Path,
        constraints: &[TermId],
        new: &[TermId],
    ) -> Vec<TermId> {
        let mut reached = self.canonizer.focus_all(terms, path, new);
        reached.sort_unstable();
        let old = reached.iter().map(|&i| constraints[i as usize]);
        old.chain(new.iter().copied()).collect()
    }

    /// Values that make linear constraints hold, laid over those that are near: a function of the constraints
    /// and of these. None if a constraint is not linear, or if it takes too long.
    pub fn settle(&mut self, terms: &Terms, constraints: &[TermId], near: Values<'_>) -> Option<Model> {
        let mut slice = std::mem::take(&mut self.settling);
        let settled = self.gather(terms, constraints, &mut slice).then(|| {
            let moved = slice.start(near).then(|| slice.moved(terms)).flatten();
            moved.map(Settled::Moved).or_else(|| slice.afresh(terms).map(Settled::Solved))
        });
        slice.clear();
        self.settling = slice;
        match settled.flatten()? {
            Settled::Moved(model) => {
                self.stats.settling.moved += 1;
                Some(model)
            }
            Settled::Solved(model) => {
                self.stats.settling.native += 1;
                Some(model)
            }
        }
    }

    /// Values that satisfy linear constraints, a few moves from those that are near; all of them, also what
    /// did not move.
    pub(crate) fn moved(&mut self, terms: &Terms, constraints: &[TermId], near: Values<'_>) -> Option<Model> {
        let mut slice = std::mem::take(&mut self.settling);
        let moves = self.gather(terms, constraints, &mut slice) && slice.start(near);
        let moved = (moves && slice.moved(terms).is_some()).then(|| slice.values());
        slice.clear();
        self.settling = slice;
        moved
    }

    /// The counters of settling, for those who ask others for values.
    pub fn settling_mut(&mut self) -> &mut SettlingStats {
        &mut self.stats.settling
    }

    /// Reads the rows of a slice; false if one is not linear.
    fn gather(&mut self, terms: &Terms, constraints: &[TermId], slice: &mut Slice) -> bool {
        for (group, &constraint) in constraints.iter().enumerate() {
            let rows: Option<Rc<[CanonRow<Variable>]>> =
                native::rows_of(terms, &mut self.canonizer, constraint);
            let Some(rows) = rows else { return false };
            for row in rows.iter() {
                let from = slice.terms.len() as u32;
                for &(variable, factor) in &row.terms {
                    let place = match slice.place(variable) {
                        Some(place) => place,
                        None => {
                            let Leaf::Symbol(symbol) = self.canonizer.leaf(variable) else { return false };
                            slice.add(variable, symbol)
                        }
                    };
                    slice.terms.push((place, factor));
                }
                let (to, group) = (slice.terms.len() as u32, group as u32);
                slice.rows.push(Head { compare: row.compare, constant: row.constant, from, to, group });
            }
        }
        true
    }
}

impl Slice {
    fn clear(&mut self) {
        for known in self.known.drain(..) {
            self.places[known.variable.index()] = NONE;
        }
        self.rows.clear();
        self.terms.clear();
    }

    fn place(&self, variable: Variable) -> Option<u32> {
        self.places.get(variable.index()).copied().filter(|place| *place != NONE)
    }

    fn add(&mut self, variable: Variable, symbol: SymbolId) -> u32 {
        let (index, place) = (variable.index(), self.known.len() as u32);
        if self.places.len() <= index {
            self.places.resize(index + 1, NONE);
        }
        self.places[index] = place;
        self.known.push(Known { variable, symbol, value: 0, is_moved: false });
        place
    }

    /// Begins with values that are near; false if they are not known for all.
    fn start(&mut self, near: Values<'_>) -> bool {
        self.known.iter_mut().all(|known| match near(known.symbol) {
            Some(value) => {
                known.value = value;
                true
            }
            None => false,
        })
    }

    fn terms_of(&self, row: &Head) -> &[(u32, i64)] {
        &self.terms[row.from as usize..row.to as usize]
    }

    /// What a row adds up to if a variable had another value. Factors are below 2^41: this cannot overflow.
    fn sum(&self, row: &Head, place: u32, value: i64) -> i128 {
        self.terms_of(row).iter().fold(i128::from(row.constant), |sum, &(at, factor)| {
            let value = if at == place { value } else { self.known[at as usize].value };
            sum + i128::from(factor) * i128::from(value)
        })
    }

    /// Makes a few moves until every row holds; the values that are other ones then.
    fn moved(&mut self, terms: &Terms) -> Option<Model> {
        for _ in 0..=MOVES {
            self.broken.clear();
            for at in 0..self.rows.len() {
                let row = &self.rows[at];
                if !holds(row.compare, self.sum(row, NONE, 0)) {
                    self.broken.push(at as u32);
                }
            }
            if self.broken.is_empty() {
                let moved = self.known.iter().filter(|known| known.is_moved);
                return Some(moved.map(|known| (known.symbol, Value::Int(Int::from(known.value)))).collect());
            }
            let first = self.broken.iter().copied().min_by(|a, b| self.by_names(terms, *a, *b))?;
            let (place, value) = self.best_move(terms, first)?;
            let known = &mut self.known[place as usize];
            (known.value, known.is_moved) = (value, true);
        }
        None
    }

    /// The values that it has now.
    fn values(&self) -> Model {
        let value = |known: &Known| (known.symbol, Value::Int(Int::from(known.value)));
        self.known.iter().map(value).collect()
    }

    /// The variable of a row, and its value, that makes it hold and breaks fewest others; by name where that
    /// is the same.
    fn best_move(&self, terms: &Terms, row: u32) -> Option<(u32, i64)> {
        let row = &self.rows[row as usize];
        let sum = self.sum(row, NONE, 0);
        let mut best: Option<(usize, u32, i64)> = None;
        for &(place, factor) in self.terms_of(row).iter().filter(|t| !self.known[t.0 as usize].is_moved) {
            for by in steps(row.compare, sum, factor).into_iter().flatten() {
                let old = self.known[place as usize].value;
                let Ok(value) = i64::try_from(i128::from(old) + by) else { continue };
                let breaks = self.breaks(place, value);
                let is_better = best.is_none_or(|(least, other, _)| {
                    let names = (self.name(terms, place), self.name(terms, other));
                    breaks.cmp(&least).then_with(|| names.0.cmp(names.1)) == Ordering::Less
                });
                if is_better {
                    best = Some((breaks, place, value));
                }
            }
        }
        best.map(|(_, place, value)| (place, value))
    }

    /// How many rows that have a variable do not hold if it has a value.
    fn breaks(&self, place: u32, value: i64) -> usize {
        let has = |row: &&Head| self.terms_of(row).iter().any(|term| term.0 == place);
        let rows = self.rows.iter().filter(has);
        rows.filter(|row| !holds(row.compare, self.sum(row, place, value))).count()
    }

    fn name<'t>(&self, terms: &'t Terms, place: u32) -> &'t str {
        terms.symbol_text(self.known[place as usize].symbol)
    }

    /// An order of rows that does not depend on who came first.
    fn by_names(&self, terms: &Terms, a: u32, b: u32) -> Ordering {
        let key = |row: u32| {
            let row = &self.rows[row as usize];
            let named = self.terms_of(row).iter().map(|&(place, factor)| (self.name(terms, place), factor));
            let mut named: Vec<(&str, i64)> = named.collect();
            named.sort_unstable();
            let turned = row.compare != Compare::Le && named.first().is_some_and(|t| t.1 < 0);
            if turned {
                named.iter_mut().for_each(|t| t.1 = -t.1);
            }
            (named, if turned { -row.constant } else { row.constant }, rank(native::op(row.compare)))
        };
        if a == b { Ordering::Equal } else { key(a).cmp(&key(b)) }
    }

    /// The values that a new solver finds.
    fn afresh(&self, terms: &Terms) -> Option<Model> {
        let mut order: Vec<u32> = (0..self.known.len() as u32).collect();
        order.sort_unstable_by_key(|&place| self.name(terms, place));
        let mut numbers = vec![0; order.len()];
        for (number, &place) in order.iter().enumerate() {
            numbers[place as usize] = number as u32;
        }
        let mut solver = Solver::with_effort(native::EFFORT);
        let mut group: Vec<Row> = Vec::new();
        for (at, head) in self.rows.iter().enumerate() {
            let numbered =
                self.terms_of(head).iter().map(|&(place, factor)| (numbers[place as usize], factor));
            let mut row =
                Row { op: native::op(head.compare), terms: numbered.collect(), constant: head.constant };
            row.terms.sort_unstable();
            if head.compare != Compare::Le && row.terms.first().is_some_and(|t| t.1 < 0) {
                row.terms.iter_mut().for_each(|t| t.1 = -t.1);
                row.constant = -row.constant;
            }
            group.push(row);
            if self.rows.get(at + 1).is_none_or(|next| next.group != head.group) {
                group.sort_unstable_by(|a, b| {
                    (rank(a.op), &a.terms, a.constant).cmp(&(rank(b.op), &b.terms, b.constant))
                });
                group.drain(..).for_each(|row| solver.assert(&row));
            }
        }
        if solver.check() != Verdict::Sat {
            return None;
        }
        let value = |(number, &place): (usize, &u32)| {
            (self.known[place as usize].symbol, Value::Int(solver.value(number as u32)))
        };
        Some(order.iter().enumerate().map(value).collect())
    }
}

fn rank(op: Op) -> u8 {
    match op {
        Op::Eq => 0,
        Op::Le => 1,
        Op::Ne => 2,
    }
}

fn holds(compare: Compare, sum: i128) -> bool {
    match compare {
        Compare::Le => sum <= 0,
        Compare::Eq => sum == 0,
        Compare::Ne => sum != 0,
    }
}

/// How far a variable has to go, with this factor in a row that adds up to this, so that the row just holds.
fn steps(compare: Compare, sum: i128, factor: i64) -> [Option<i128>; 2] {
    let factor = i128::from(factor);
    match compare {
        _ if factor == 0 => [None, None],
        Compare::Le => {
            let far = (sum + factor.abs() - 1).div_euclid(factor.abs());
            [Some(if factor > 0 { -far } else { far }), None]
        }
        Compare::Eq => [(sum % factor == 0).then(|| -sum / factor), None],
        Compare::Ne => [Some(1), Some(-1)],
    }
}
