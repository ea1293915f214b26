//! The range of the values of a form that follows from the ranges of its variables.
//!
//! Nearly all ranges have ends, and nearly all numbers are machine words: sums of their products are taken in
//! 128 bits ([`Words`]), and only where something does not fit in integers of any size ([`Reach`]).

use crate::range::Range;
use crate::system::Form;
use evergreen_term::Int;

/// The least and the greatest value of a sum, each finite part with the number of infinite parts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reach {
    pub lo: Part,
    pub hi: Part,
}

#[derive(Clone, Debug)]
pub(crate) struct Part {
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
    pub(crate) fn without(&self, part: Option<Int>) -> Option<Int> {
        match part {
            Some(part) => self.value().map(|all| all.sub(&part)),
            None => (self.infinite == 1).then(|| self.finite.clone()),
        }
    }
}

/// The ends of `a * x` for `x` in the range.
pub(crate) fn ends(a: &Int, range: &Range) -> (Option<Int>, Option<Int>) {
    let (lo, hi) = (range.lo.as_ref().map(|lo| lo.mul(a)), range.hi.as_ref().map(|hi| hi.mul(a)));
    if a.signum() > 0 { (lo, hi) } else { (hi, lo) }
}

pub(crate) fn reach(form: &Form, ranges: &[Range]) -> Reach {
    let mut reach = Reach::default();
    for (var, a) in form {
        let (lo, hi) = ends(a, &ranges[*var as usize]);
        reach.lo.add(lo);
        reach.hi.add(hi);
    }
    reach
}

/// The range of the values of a form that follows from the ranges.
pub(crate) fn span(form: &Form, ranges: &[Range]) -> Range {
    if let Some(words) = Words::of(form, ranges) {
        return Range { lo: Some(words.lo.into()), hi: Some(words.hi.into()), holes: Vec::new() };
    }
    let reach = reach(form, ranges);
    Range { lo: reach.lo.value().cloned(), hi: reach.hi.value().cloned(), holes: Vec::new() }
}

/// Coefficients and forms up to which no sum of products of theirs with words leaves 128 bits.
const COEFFICIENT: u64 = 1 << 40;
const TERMS: usize = 1 << 16;

/// The least and the greatest value of a sum whose parts have ends, all of them machine words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words {
    pub lo: i128,
    pub hi: i128,
}

/// As a word.
pub(crate) fn word(value: Option<&Int>) -> Option<i64> {
    match value {
        Some(Int::Small(v)) => Some(*v),
        _ => None,
    }
}

impl Words {
    /// The ends of `a * x` for `x` in the range.
    pub(crate) fn of_term(a: i64, range: &Range) -> Option<Words> {
        let (lo, hi) = (word(range.lo.as_ref())?, word(range.hi.as_ref())?);
        if a.unsigned_abs() >= COEFFICIENT {
            return None;
        }
        let (lo, hi) = (i128::from(a) * i128::from(lo), i128::from(a) * i128::from(hi));
        Some(if a > 0 { Words { lo, hi } } else { Words { lo: hi, hi: lo } })
    }

    /// The ends of a form.
    pub(crate) fn of(form: &Form, ranges: &[Range]) -> Option<Words> {
        let mut all = Words { lo: 0, hi: 0 };
        if form.len() > TERMS {
            return None;
        }
        for (var, a) in form {
            let own = Words::of_term(word(Some(a))?, &ranges[*var as usize])?;
            all.lo += own.lo;
            all.hi += own.hi;
        }
        Some(all)
    }
}

/// Rounds down; the divisor is positive.
pub(crate) fn floor(a: i128, by: i64) -> i128 {
    match i64::try_from(a) {
        _ if by == 1 => a,
        Ok(a) => i128::from(a.div_euclid(by)),
        Err(_) => a.div_euclid(i128::from(by)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evergreen_testing::random::Random;

    #[test]
    fn words_reach_as_far_as_integers() {
        let mut random = Random::new(3);
        for _ in 0..500 {
            let shift = random.below(50) as u32;
            let mut range = || {
                let lo = random.between(-(1 << 61), 1 << 61) >> shift;
                let hi = lo + random.between(0, 1000);
                Range { lo: Some(lo.into()), hi: Some(hi.into()), holes: vec![] }
            };
            let ranges = [range(), range(), range()];
            let form: Form = (0..3).map(|v| (v, random.between(-(1 << 41), 1 << 41).into())).collect();
            let slow = reach(&form, &ranges);
            let small = form.iter().all(|t| t.1.abs() < Int::from(1i64 << 40));
            let words = Words::of(&form, &ranges);
            assert_eq!(words.is_some(), small);
            if let Some(words) = words {
                assert_eq!(slow.lo.value(), Some(&Int::from(words.lo)));
                assert_eq!(slow.hi.value(), Some(&Int::from(words.hi)));
            }
        }
        for (a, by) in [(-7i128, 2i64), (7, 2), (-(1 << 100), 3), (1 << 100, 7), (-5, 1)] {
            assert_eq!(floor(a, by), a.div_euclid(i128::from(by)));
        }
    }
}
