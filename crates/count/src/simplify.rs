//! The same number of solutions, with fewer variables and bands.
//!
//! Equalities are eliminated by unimodular substitutions: a variable with coefficient 1 or -1 is solved for; where there is
//! none, Euclid's steps on the smallest coefficient make one (`x := x' - q y` maps integers to integers one to one, so
//! nothing is lost or added; the column steps of Hermite's normal form). Ranges are tightened by what each band leaves to
//! each of its variables, and a side of a band that the ranges imply is dropped. Rounds are limited: tightening may
//! creep. Every rule keeps the number of solutions, none needs another to be finished.

use crate::problem::Var;
use crate::range::{Empty, Range, div_ceil, div_floor};
use crate::system::{Form, System};
use evergreen_term::Int;

/// Rounds of tightening per change of the system.
const ROUNDS: usize = 3;

/// The least and the greatest value of a sum, each finite part with the number of infinite parts.
#[derive(Clone, Debug, Default)]
struct Reach {
    lo: Part,
    hi: Part,
}

#[derive(Clone, Debug)]
struct Part {
    finite: Int,
    infinite: usize,
}

impl Default for Part {
    fn default() -> Part {
        Part { finite: Int::ZERO, infinite: 0 }
    }
}

impl Part {
    fn add(&mut self, value: Option<Int>) {
        match value {
            Some(value) => self.finite = self.finite.add(&value),
            None => self.infinite += 1,
        }
    }

    fn value(&self) -> Option<&Int> {
        (self.infinite == 0).then_some(&self.finite)
    }

    /// Without one of its parts.
    fn without(&self, part: Option<Int>) -> Option<Int> {
        match part {
            Some(part) => self.value().map(|all| all.sub(&part)),
            None => (self.infinite == 1).then(|| self.finite.clone()),
        }
    }
}

/// The ends of `a * x` for `x` in the range.
fn ends(a: &Int, range: &Range) -> (Option<Int>, Option<Int>) {
    let (lo, hi) = (range.lo.as_ref().map(|lo| lo.mul(a)), range.hi.as_ref().map(|hi| hi.mul(a)));
    if a.signum() > 0 { (lo, hi) } else { (hi, lo) }
}

fn reach(form: &Form, ranges: &[Range]) -> Reach {
    let mut reach = Reach::default();
    for (var, a) in form {
        let (lo, hi) = ends(a, &ranges[*var as usize]);
        reach.lo.add(lo);
        reach.hi.add(hi);
    }
    reach
}

/// Where the values of a form lie, as far as the ranges tell.
pub(crate) fn span(form: &Form, ranges: &[Range]) -> Range {
    let reach = reach(form, ranges);
    Range { lo: reach.lo.value().cloned(), hi: reach.hi.value().cloned(), holes: Vec::new() }
}

impl System {
    /// Applies all rules until none applies.
    pub fn simplify(&mut self) -> Result<(), Empty> {
        loop {
            self.merge()?;
            if self.put_in_values() || self.eliminate() {
                continue;
            }
            if !self.tighten()? {
                return Ok(());
            }
        }
    }

    /// Variables with one value disappear from the bands.
    fn put_in_values(&mut self) -> bool {
        let ranges = &self.ranges;
        let mut any = false;
        for band in &mut self.bands {
            let mut known = Int::ZERO;
            let before = band.form.len();
            band.form.retain(|(var, a)| match ranges[*var as usize].single() {
                Some(value) => {
                    known = known.add(&value.mul(a));
                    false
                }
                None => true,
            });
            if band.form.len() < before {
                any = true;
                band.range = std::mem::take(&mut band.range).shifted(&known.neg());
            }
        }
        any
    }

    /// Eliminates one equality, or makes one of its coefficients smaller.
    fn eliminate(&mut self) -> bool {
        let least = |form: &Form| form.iter().map(|t| t.1.abs()).min().unwrap_or(Int::ZERO);
        let equality = |at: &usize| self.bands[*at].range.single().is_some();
        let Some(at) = (0..self.bands.len()).filter(equality).min_by_key(|&at| least(&self.bands[at].form))
        else {
            return false;
        };
        let size = least(&self.bands[at].form);
        if size == Int::ONE {
            self.solve_for_one(at);
            return true;
        }
        // Every variable of the size would do; Euclid needs no choice.
        let form = self.bands[at].form.clone();
        let Some((var, pivot)) = form.iter().find(|t| t.1.abs() == size).cloned() else { return false };
        let mut new: Form = vec![(var, Int::ONE)];
        let mut back: Form = vec![(var, Int::ONE)];
        for (v, a) in form.iter().filter(|t| t.0 != var) {
            // The remainder lies between 0 and the pivot.
            let times = a.div(&pivot).unwrap_or(Int::ZERO);
            new.push((*v, times.neg()));
            back.push((*v, times));
        }
        crate::system::collect(&mut new);
        crate::system::collect(&mut back);
        let fresh = span(&back, &self.ranges);
        self.substitute(var, &new, &Int::ZERO, fresh);
        true
    }

    /// Solves an equality for a variable with coefficient 1 or -1: the one in the fewest bands.
    fn solve_for_one(&mut self, at: usize) {
        let band = self.bands.swap_remove(at);
        let uses = |var: Var| self.bands.iter().filter(|b| b.coefficient(var).is_some()).count();
        let units = band.form.iter().filter(|t| t.1.abs() == Int::ONE);
        let (Some((var, sign)), Some(value)) =
            (units.min_by_key(|t| uses(t.0)).cloned(), band.range.single())
        else {
            return;
        };
        let flip = sign.neg();
        let rest: Form = band.form.iter().filter(|t| t.0 != var).map(|(v, a)| (*v, a.mul(&flip))).collect();
        self.substitute(var, &rest, &value.mul(&sign), Range::point(Int::ZERO));
    }

    /// Tightens ranges and drops what they imply; whether that gave something to eliminate.
    fn tighten(&mut self) -> Result<bool, Empty> {
        for _ in 0..ROUNDS {
            let mut any = false;
            for at in 0..self.bands.len() {
                any |= self.tighten_by(at)?;
            }
            for range in &mut self.ranges {
                range.tidy()?;
            }
            if !any {
                break;
            }
        }
        self.drop_implied()?;
        let pinned = |t: &(Var, Int)| self.ranges[t.0 as usize].single().is_some();
        Ok(self.bands.iter().any(|b| b.range.single().is_some() || b.form.iter().any(pinned)))
    }

    /// What one band leaves to its variables.
    fn tighten_by(&mut self, at: usize) -> Result<bool, Empty> {
        let band = &self.bands[at];
        if band.range.lo.is_none() && band.range.hi.is_none() {
            return Ok(false);
        }
        let reach = reach(&band.form, &self.ranges);
        let mut any = false;
        for (var, a) in &band.form {
            let range = &mut self.ranges[*var as usize];
            let (least, most) = ends(a, range);
            let size = a.abs();
            let positive = a.signum() > 0;
            // a * x <= hi - least value of the rest, a * x >= lo - greatest value of the rest
            if let (Some(hi), Some(rest)) = (&band.range.hi, reach.lo.without(least)) {
                let room = hi.sub(&rest);
                any |= if positive {
                    range.lower(&div_floor(&room, &size))
                } else {
                    range.raise(&div_ceil(&room.neg(), &size))
                };
            }
            if let (Some(lo), Some(rest)) = (&band.range.lo, reach.hi.without(most)) {
                let room = lo.sub(&rest);
                any |= if positive {
                    range.raise(&div_ceil(&room, &size))
                } else {
                    range.lower(&div_floor(&room.neg(), &size))
                };
            }
            if let (Some(lo), Some(hi)) = (&range.lo, &range.hi)
                && lo > hi
            {
                return Err(Empty);
            }
        }
        Ok(any)
    }

    fn drop_implied(&mut self) -> Result<(), Empty> {
        for band in &mut self.bands {
            let span = span(&band.form, &self.ranges);
            if let (Some(least), Some(hi)) = (&span.lo, &band.range.hi)
                && least > hi
            {
                return Err(Empty);
            }
            if let (Some(most), Some(lo)) = (&span.hi, &band.range.lo)
                && most < lo
            {
                return Err(Empty);
            }
            if let (Some(least), Some(lo)) = (&span.lo, &band.range.lo)
                && lo <= least
            {
                band.range.lo = None;
            }
            if let (Some(most), Some(hi)) = (&span.hi, &band.range.hi)
                && most <= hi
            {
                band.range.hi = None;
            }
            band.range.holes.retain(|hole| span.contains(hole));
        }
        self.bands.retain(|band| !band.range.is_all());
        Ok(())
    }
}
