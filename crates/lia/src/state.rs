//! The state of each quantity under the rows applied so far: bounds, excluded values,
//! and a trail to undo them.
//!
//! Backtracking does not touch the tableau: any basis is as right as any other, only bounds have a history
//! [Dutertre, de Moura CAV'06]. Next to it stands the last model, in integers, with the values of the forms
//! that are in use; the next query is evaluated on it first.

use crate::number::gcd_u64;
use crate::quantity::Quantities;
use crate::row::{Op, Var};
use crate::tableau::{Id, NONE, Tableau};

/// Bounds and values beyond this are left to the thorough solver.
pub(crate) const LIMIT: i64 = 1 << 60;

/// A change that can be undone.
#[derive(Clone, Copy, Debug)]
enum Undo {
    Lo { id: Id, old: i64, why: u32 },
    Hi { id: Id, old: i64, why: u32 },
    Exclude { id: Id },
    Use { id: Id },
}

/// A value that a quantity must not have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Excluded {
    pub id: Id,
    pub value: i64,
    pub row: u32,
    next: u32,
}

/// The outcome of applying a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Applied {
    Fine,
    /// The rows in `core` contradict each other; nothing was applied.
    Conflict,
    /// The numbers are too large for this solver; nothing was applied.
    TooLarge,
}

/// Bounds along the path.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub quantities: Quantities,
    pub tableau: Tableau<i64>,
    /// By quantity: the last model. For forms only while they are in use.
    pub model: Vec<i64>,
    /// By variable: the forms in use that it occurs in.
    pub occurs: Vec<Vec<(Id, i64)>>,
    /// The forms in use, oldest first.
    pub active: Vec<Id>,
    pub excluded: Vec<Excluded>,
    excluded_of: Vec<u32>,
    uses: Vec<u32>,
    trail: Vec<Undo>,
    /// The rows of the last conflict.
    pub core: Vec<u32>,
    /// The same as simplex gives it.
    pub conflict: Vec<(u32, i64)>,
    scratch: Vec<(Id, i64)>,
}

impl State {
    pub(crate) fn new() -> State {
        State {
            quantities: Quantities::default(),
            tableau: Tableau::new(),
            model: Vec::new(),
            occurs: Vec::new(),
            active: Vec::new(),
            excluded: Vec::new(),
            excluded_of: Vec::new(),
            uses: Vec::new(),
            trail: Vec::new(),
            core: Vec::new(),
            conflict: Vec::new(),
            scratch: Vec::new(),
        }
    }

    /// A state without forms, and without the variables that `keep` does not want; new numbers by old ones.
    /// To be called when nothing is applied.
    pub(crate) fn without_forms(&self, keep: impl Fn(Id) -> bool) -> (State, Vec<Id>) {
        let mut new = State::new();
        let mut numbers = vec![NONE; self.quantities.len()];
        for id in (0..self.quantities.len() as Id).filter(|id| !self.quantities.is_form(*id)) {
            let value = self.model[id as usize];
            if value != 0 || keep(id) {
                let number = new.variable(self.quantities.name(id));
                new.model[number as usize] = value;
                numbers[id as usize] = number;
            }
        }
        (new, numbers)
    }

    /// The number of a variable.
    #[inline]
    pub(crate) fn variable(&mut self, var: Var) -> Id {
        let (id, new) = self.quantities.variable(var);
        if new {
            self.grow();
        }
        id
    }

    fn grow(&mut self) {
        self.tableau.add_quantity();
        self.model.push(0);
        self.occurs.push(Vec::new());
        self.excluded_of.push(NONE);
        self.uses.push(0);
    }

    pub(crate) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Applies a row; it can be taken back to the mark before it.
    ///
    /// `quantity` is the quantity that it bounds, if it bounds one.
    pub(crate) fn apply(
        &mut self,
        op: Op,
        terms: &[(Id, i64)],
        constant: i64,
        row: u32,
    ) -> (Applied, Option<Id>) {
        let (id, divisor) = match terms {
            [] => {
                let fine = match op {
                    Op::Le => constant <= 0,
                    Op::Eq => constant == 0,
                    Op::Ne => constant != 0,
                };
                return (if fine { Applied::Fine } else { self.blame(&[row]) }, None);
            }
            [(id, times)] => (*id, *times),
            [(_, first), rest @ ..] => {
                let mut common = first.unsigned_abs();
                for (_, times) in rest {
                    if common == 1 {
                        break;
                    }
                    common = gcd_u64(common, times.unsigned_abs());
                }
                // Coefficients are never i64::MIN here.
                let divisor = common as i64 * first.signum();
                (self.form(terms, divisor), divisor)
            }
        };
        // divisor * quantity + constant op 0
        let (k, d) = (-i128::from(constant), i128::from(divisor));
        let exact = k % d == 0;
        // Rounded down for an upper bound; by a negative divisor this quotient is rounded up,
        // as a lower bound must be.
        let bound = k.div_euclid(d);
        let Some(bound) = i64::try_from(bound).ok().filter(|b| (-LIMIT..=LIMIT).contains(b)) else {
            return (Applied::TooLarge, Some(id));
        };
        let applied = match op {
            Op::Le if divisor > 0 => self.set_hi(id, bound, row),
            Op::Le => self.set_lo(id, bound, row),
            Op::Eq if !exact => self.blame(&[row]),
            Op::Eq => match self.set_lo(id, bound, row) {
                Applied::Fine => self.set_hi(id, bound, row),
                other => other,
            },
            Op::Ne if !exact => Applied::Fine,
            Op::Ne => self.exclude(id, bound, row),
        };
        (applied, Some(id))
    }

    fn form(&mut self, terms: &[(Id, i64)], divisor: i64) -> Id {
        let (id, new) = if divisor == 1 {
            self.quantities.form(terms)
        } else {
            self.scratch.clear();
            self.scratch.extend(terms.iter().map(|(id, times)| (*id, times / divisor)));
            self.quantities.form(&self.scratch)
        };
        if new {
            self.grow();
        }
        id
    }

    /// The value of a form in the model; not exact beyond words, which the final check of a model notices.
    pub(crate) fn form_value(&self, id: Id) -> i64 {
        let terms = self.quantities.terms(id);
        terms.iter().fold(0i64, |s, (x, c)| s.wrapping_add(c.wrapping_mul(self.model[*x as usize])))
    }

    fn blame(&mut self, rows: &[u32]) -> Applied {
        self.core.clear();
        self.core.extend_from_slice(rows);
        Applied::Conflict
    }

    /// The quantity is at least `lo`.
    pub(crate) fn set_lo(&mut self, id: Id, lo: i64, why: u32) -> Applied {
        let b = &self.tableau.bounds[id as usize];
        if b.lo_why != NONE && b.lo >= lo {
            return Applied::Fine;
        }
        if b.hi_why != NONE && b.hi <= lo {
            let other = b.hi_why;
            if b.hi < lo {
                return self.blame(&[why, other]);
            }
            if let Some(excluded) = self.excludes(id, lo) {
                return self.blame(&[why, other, excluded]);
            }
        }
        self.enter(id);
        let b = &mut self.tableau.bounds[id as usize];
        self.trail.push(Undo::Lo { id, old: b.lo, why: b.lo_why });
        (b.lo, b.lo_why) = (lo, why);
        Applied::Fine
    }

    /// The quantity is at most `hi`.
    pub(crate) fn set_hi(&mut self, id: Id, hi: i64, why: u32) -> Applied {
        let b = &self.tableau.bounds[id as usize];
        if b.hi_why != NONE && b.hi <= hi {
            return Applied::Fine;
        }
        if b.lo_why != NONE && b.lo >= hi {
            let other = b.lo_why;
            if b.lo > hi {
                return self.blame(&[why, other]);
            }
            if let Some(excluded) = self.excludes(id, hi) {
                return self.blame(&[why, other, excluded]);
            }
        }
        self.enter(id);
        let b = &mut self.tableau.bounds[id as usize];
        self.trail.push(Undo::Hi { id, old: b.hi, why: b.hi_why });
        (b.hi, b.hi_why) = (hi, why);
        Applied::Fine
    }

    fn exclude(&mut self, id: Id, value: i64, row: u32) -> Applied {
        let b = &self.tableau.bounds[id as usize];
        if b.lo_why != NONE && b.hi_why != NONE && b.lo == value && b.hi == value {
            let (lo, hi) = (b.lo_why, b.hi_why);
            return self.blame(&[row, lo, hi]);
        }
        self.enter(id);
        self.trail.push(Undo::Exclude { id });
        let next = self.excluded_of[id as usize];
        self.excluded_of[id as usize] = self.excluded.len() as u32;
        self.excluded.push(Excluded { id, value, row, next });
        Applied::Fine
    }

    /// The row that excludes this value, if one does.
    #[inline]
    pub(crate) fn excludes(&self, id: Id, value: i64) -> Option<u32> {
        let mut at = self.excluded_of[id as usize];
        while at != NONE {
            let e = &self.excluded[at as usize];
            if e.value == value {
                return Some(e.row);
            }
            at = e.next;
        }
        None
    }

    /// Whether a form's bounds contradict those of its variables; the rows to blame are the core then.
    pub(crate) fn out_of_reach(&mut self, id: Id) -> bool {
        let b = &self.tableau.bounds[id as usize];
        for (up, bound, why) in [(true, b.lo, b.lo_why), (false, b.hi, b.hi_why)] {
            if why == NONE {
                continue;
            }
            let mut furthest = Some(0i64);
            for &(x, times) in self.quantities.terms(id) {
                let b = &self.tableau.bounds[x as usize];
                let (end, why) = if (times > 0) == up { (b.hi, b.hi_why) } else { (b.lo, b.lo_why) };
                furthest = furthest.filter(|_| why != NONE);
                furthest = furthest.and_then(|sum| sum.checked_add(times.checked_mul(end)?));
            }
            if furthest.is_some_and(|furthest| if up { furthest < bound } else { furthest > bound }) {
                self.core.clear();
                self.core.push(why);
                for &(x, times) in self.quantities.terms(id) {
                    let b = &self.tableau.bounds[x as usize];
                    self.core.push(if (times > 0) == up { b.hi_why } else { b.lo_why });
                }
                return true;
            }
        }
        false
    }

    /// One more bound needs the quantity; the first puts a form in use.
    fn enter(&mut self, id: Id) {
        self.trail.push(Undo::Use { id });
        self.uses[id as usize] += 1;
        if self.uses[id as usize] == 1 && self.quantities.is_form(id) {
            self.model[id as usize] = self.form_value(id);
            self.active.push(id);
            for &(x, c) in self.quantities.terms(id) {
                self.occurs[x as usize].push((id, c));
            }
        }
    }

    /// Computes the values of the forms in use after the variables' values were replaced.
    pub(crate) fn refresh(&mut self) {
        for k in 0..self.active.len() {
            let id = self.active[k];
            self.model[id as usize] = self.form_value(id);
        }
    }

    /// Whether a form is in use.
    pub(crate) fn in_use(&self, id: Id) -> bool {
        self.uses[id as usize] > 0
    }

    /// Takes back everything after a mark.
    pub(crate) fn undo_to(&mut self, mark: usize) {
        while self.trail.len() > mark {
            match self.trail.pop() {
                Some(Undo::Lo { id, old, why }) => {
                    let b = &mut self.tableau.bounds[id as usize];
                    (b.lo, b.lo_why) = (old, why);
                }
                Some(Undo::Hi { id, old, why }) => {
                    let b = &mut self.tableau.bounds[id as usize];
                    (b.hi, b.hi_why) = (old, why);
                }
                Some(Undo::Exclude { id }) => {
                    if let Some(e) = self.excluded.pop() {
                        self.excluded_of[id as usize] = e.next;
                    }
                }
                Some(Undo::Use { id }) => {
                    self.uses[id as usize] -= 1;
                    if self.uses[id as usize] == 0 && self.quantities.is_form(id) {
                        self.active.pop();
                        for (x, _) in self.quantities.terms(id) {
                            self.occurs[*x as usize].pop();
                        }
                    }
                }
                None => return,
            }
        }
    }
}
