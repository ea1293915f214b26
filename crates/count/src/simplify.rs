//! The same number of solutions, with fewer variables and bands.
//!
//! Equalities are eliminated by unimodular substitutions: a variable with coefficient 1 or -1 is solved for;
//! where there is none, Euclid's steps on the smallest coefficient make one (`x := x' - q y` maps integers
//! to integers one to one, so nothing is lost or added; the column steps of Hermite's normal form). Ranges
//! are tightened by what each band leaves to each of its variables, and a side of a band that the ranges
//! imply is dropped. Rounds are limited: tightening may creep. Every rule keeps the number of solutions,
//! none needs another to be finished.

use crate::problem::Var;
use crate::range::{Empty, Range, div_ceil, div_floor};
use crate::reach::{Words, ends, floor, reach, span, word};
use crate::system::{Band, Form, System};
use evergreen_term::Int;

/// Rounds of tightening per change of the system.
const ROUNDS: usize = 3;

impl System {
    /// Applies all rules until none applies.
    pub(crate) fn simplify(&mut self) -> Result<(), Empty> {
        loop {
            self.merge()?;
            if self.put_in_values() || self.eliminate()? {
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
        if ranges.iter().all(|r| r.single().is_none()) {
            return false;
        }
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

    /// Eliminates one equality, or finds that it has one variable or none.
    fn eliminate(&mut self) -> Result<bool, Empty> {
        let least = |form: &Form| form.iter().map(|t| t.1.abs()).min().unwrap_or(Int::ZERO);
        let equality = |at: &usize| self.bands[*at].range.single().is_some();
        let Some(at) = (0..self.bands.len()).filter(equality).min_by_key(|&at| least(&self.bands[at].form))
        else {
            return Ok(false);
        };
        loop {
            let form = &self.bands[at].form;
            if form.len() < 2 {
                return Ok(true);
            }
            let size = least(form);
            if size == Int::ONE {
                self.solve_for_one(at);
                return Ok(true);
            }
            self.divide(at, &size);
            self.bands[at].normal()?;
        }
    }

    /// A step of Euclid's on an equality: its other coefficients become less than the least one.
    fn divide(&mut self, at: usize, size: &Int) {
        // Every variable of the size would do.
        let form = &self.bands[at].form;
        let Some((var, pivot)) = form.iter().find(|t| t.1.abs() == *size).cloned() else { return };
        let mut new: Form = Vec::with_capacity(form.len());
        let mut back: Form = Vec::with_capacity(form.len());
        for (v, a) in form {
            // The remainder lies between 0 and the pivot.
            let times = if *v == var { Int::ONE } else { a.div(&pivot).unwrap_or(Int::ZERO) };
            if !times.is_zero() {
                new.push((*v, if *v == var { Int::ONE } else { times.neg() }));
                back.push((*v, times));
            }
        }
        let fresh = span(&back, &self.ranges);
        self.substitute(var, &new, &Int::ZERO, fresh);
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

    /// Tightens the ranges of the variables of one band.
    fn tighten_by(&mut self, at: usize) -> Result<bool, Empty> {
        let band = &self.bands[at];
        if band.range.lo.is_none() && band.range.hi.is_none() {
            return Ok(false);
        }
        if let Some(done) = tighten_words(band, &mut self.ranges) {
            return done;
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
            if let Some(span) = Words::of(&band.form, &self.ranges)
                && band.range.holes.is_empty()
                && let Some((lo, hi)) = sides(&band.range)
            {
                if lo.is_some_and(|lo| span.hi < lo) || hi.is_some_and(|hi| span.lo > hi) {
                    return Err(Empty);
                }
                if lo.is_some_and(|lo| lo <= span.lo) {
                    band.range.lo = None;
                }
                if hi.is_some_and(|hi| span.hi <= hi) {
                    band.range.hi = None;
                }
                continue;
            }
            drop_implied_by(&span(&band.form, &self.ranges), &mut band.range)?;
        }
        self.bands.retain(|band| !band.range.is_all());
        Ok(())
    }
}

/// Drops sides and holes of a band that values in a span do not meet.
fn drop_implied_by(span: &Range, range: &mut Range) -> Result<(), Empty> {
    if let (Some(least), Some(hi)) = (&span.lo, &range.hi)
        && least > hi
    {
        return Err(Empty);
    }
    if let (Some(most), Some(lo)) = (&span.hi, &range.lo)
        && most < lo
    {
        return Err(Empty);
    }
    if let (Some(least), Some(lo)) = (&span.lo, &range.lo)
        && lo <= least
    {
        range.lo = None;
    }
    if let (Some(most), Some(hi)) = (&span.hi, &range.hi)
        && most <= hi
    {
        range.hi = None;
    }
    range.holes.retain(|hole| span.contains(hole));
    Ok(())
}

/// Both sides as words, if those that there are fit.
fn sides(range: &Range) -> Option<(Option<i128>, Option<i128>)> {
    let side = |end: &Option<Int>| match end {
        None => Some(None),
        Some(_) => word(end.as_ref()).map(|v| Some(i128::from(v))),
    };
    Some((side(&range.lo)?, side(&range.hi)?))
}

/// The same where all numbers are machine words; `None` where not.
fn tighten_words(band: &Band, ranges: &mut [Range]) -> Option<Result<bool, Empty>> {
    let reach = Words::of(&band.form, ranges)?;
    let (lo, hi) = sides(&band.range)?;
    let mut any = false;
    for (var, a) in &band.form {
        let a = word(Some(a))?;
        let range = &mut ranges[*var as usize];
        let own = Words::of_term(a, range)?;
        let (mut least, mut most) =
            (i128::from(word(range.lo.as_ref())?), i128::from(word(range.hi.as_ref())?));
        let size = a.checked_abs()?;
        // a * x <= hi - least value of the rest, a * x >= lo - greatest value of the rest
        if let Some(room) = hi.map(|hi| hi - (reach.lo - own.lo)) {
            if a > 0 {
                most = most.min(floor(room, size));
            } else {
                least = least.max(-floor(room, size));
            }
        }
        if let Some(room) = lo.map(|lo| lo - (reach.hi - own.hi)) {
            if a > 0 {
                least = least.max(-floor(-room, size));
            } else {
                most = most.min(floor(-room, size));
            }
        }
        if least > most {
            return Some(Err(Empty));
        }
        any |= range.raise(&least.into()) | range.lower(&most.into());
    }
    Some(Ok(any))
}
