//! An interval of integers with single values left out.

use evergreen_term::Int;

/// There is no solution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Empty;

/// `lo..=hi` without the holes.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Range {
    pub lo: Option<Int>,
    pub hi: Option<Int>,
    /// Ascending; after [`Range::tidy`] strictly inside.
    pub holes: Vec<Int>,
}

/// Rounds up; the divisor is positive.
pub(crate) fn div_ceil(a: &Int, b: &Int) -> Int {
    div_floor(&a.neg(), b).neg()
}

/// Rounds down; the divisor is positive.
pub(crate) fn div_floor(a: &Int, b: &Int) -> Int {
    a.div(b).unwrap_or(Int::ZERO)
}

impl Range {
    pub(crate) fn point(value: Int) -> Range {
        Range { lo: Some(value.clone()), hi: Some(value), holes: Vec::new() }
    }

    pub(crate) fn is_all(&self) -> bool {
        self.lo.is_none() && self.hi.is_none() && self.holes.is_empty()
    }

    /// The only value, if there is only one.
    pub(crate) fn single(&self) -> Option<&Int> {
        self.lo.as_ref().filter(|lo| self.hi.as_ref() == Some(lo))
    }

    pub(crate) fn contains(&self, value: &Int) -> bool {
        self.lo.as_ref().is_none_or(|lo| lo <= value)
            && self.hi.as_ref().is_none_or(|hi| value <= hi)
            && !self.holes.contains(value)
    }

    /// How many values; `None` for infinitely many.
    pub(crate) fn size(&self) -> Option<Int> {
        let width = self.hi.as_ref()?.sub(self.lo.as_ref()?).add(&Int::ONE);
        Some(width.sub(&Int::from(self.holes.len() as i64)))
    }

    /// At least `lo`; whether that is news.
    pub(crate) fn raise(&mut self, lo: &Int) -> bool {
        let news = self.lo.as_ref().is_none_or(|old| old < lo);
        if news {
            self.lo = Some(lo.clone());
        }
        news
    }

    /// At most `hi`; whether that is news.
    pub(crate) fn lower(&mut self, hi: &Int) -> bool {
        let news = self.hi.as_ref().is_none_or(|old| hi < old);
        if news {
            self.hi = Some(hi.clone());
        }
        news
    }

    pub(crate) fn meet(&mut self, other: &Range) {
        if let Some(lo) = &other.lo {
            self.raise(lo);
        }
        if let Some(hi) = &other.hi {
            self.lower(hi);
        }
        if !other.holes.is_empty() {
            self.holes.extend(other.holes.iter().cloned());
            self.holes.sort();
            self.holes.dedup();
        }
    }

    /// Holes outside disappear, holes at an end move the end.
    pub(crate) fn tidy(&mut self) -> Result<(), Empty> {
        if let (Some(lo), Some(hi)) = (&self.lo, &self.hi)
            && lo > hi
        {
            return Err(Empty);
        }
        if self.holes.is_empty() {
            return Ok(());
        }
        if let Some(mut lo) = self.lo.take() {
            let mut passed = 0;
            while self.holes.get(passed).is_some_and(|hole| *hole <= lo) {
                if self.holes[passed] == lo {
                    lo = lo.add(&Int::ONE);
                }
                passed += 1;
            }
            self.holes.drain(..passed);
            self.lo = Some(lo);
        }
        if let Some(mut hi) = self.hi.take() {
            while let Some(hole) = self.holes.last().filter(|hole| **hole >= hi) {
                if *hole == hi {
                    hi = hi.sub(&Int::ONE);
                }
                self.holes.pop();
            }
            self.hi = Some(hi);
        }
        match (&self.lo, &self.hi) {
            (Some(lo), Some(hi)) if lo > hi => Err(Empty),
            _ => Ok(()),
        }
    }

    /// The values of `v + by` for `v` in here.
    pub(crate) fn shifted(mut self, by: &Int) -> Range {
        if !by.is_zero() {
            self.lo = self.lo.map(|lo| lo.add(by));
            self.hi = self.hi.map(|hi| hi.add(by));
            self.holes.iter_mut().for_each(|hole| *hole = hole.add(by));
        }
        self
    }

    /// The integers `v` with `v * by` in here; `by` is not zero.
    pub(crate) fn divided(mut self, by: &Int) -> Range {
        if by.signum() < 0 {
            (self.lo, self.hi) = (self.hi.map(|hi| hi.neg()), self.lo.map(|lo| lo.neg()));
            self.holes.iter_mut().for_each(|hole| *hole = hole.neg());
            self.holes.reverse();
        }
        let by = by.abs();
        if by == Int::ONE {
            return self;
        }
        let whole = |hole: &Int| hole.modulo(&by).is_some_and(|r| r.is_zero());
        Range {
            lo: self.lo.map(|lo| div_ceil(&lo, &by)),
            hi: self.hi.map(|hi| div_floor(&hi, &by)),
            holes: self.holes.iter().filter(|h| whole(h)).map(|h| div_floor(h, &by)).collect(),
        }
    }
}
