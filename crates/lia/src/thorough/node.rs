//! One node of the thorough solver's tree: the consequences of the lines known in a branch.

use super::Search;
use super::relaxation::{self, Forms, Lp, Source};
use crate::lattice::{Combination, Lattice, Met, dot, quotient};
use crate::number::Number;
use crate::proof::{Line, LineId, Origin};
use evergreen_term::Int;
use std::collections::BTreeMap;

/// Coefficients with more words than this come from splitting without end, and only get longer.
const LONGEST: u32 = 8;

/// The outcome of a node.
pub(super) enum Finding {
    /// All rows of the query hold here.
    Point(Vec<Int>),
    /// This combination is false.
    Closed(Vec<(LineId, Int)>),
    /// A fraction; to be split by this form over the variables, at most `at` or more.
    Fraction { form: Vec<Int>, at: Int },
    /// All that is wrong is that this row's `!=` is an equality.
    Touching(LineId),
    /// New lines are known: look again.
    Tightened,
    /// The budget ran out.
    Exhausted,
}

/// An equality: one line, or two that meet.
struct Equality {
    plus: LineId,
    /// The line that says the opposite.
    minus: Option<LineId>,
}

impl Search<'_> {
    /// Decides the known lines. If `hard`, costly means are used where the cheap ones leave a fraction.
    pub(super) fn node(&mut self, hard: bool) -> Finding {
        let mut lattice = Lattice::new(self.variables.len());
        let mut equalities: Vec<Equality> = Vec::new();
        for line in self.known.clone() {
            if self.lines.get(line).equal
                && let Some(parts) = self.meet(&mut lattice, &mut equalities, line, None)
            {
                return Finding::Closed(parts);
            }
        }
        let forms = loop {
            if !self.budget.pivots(self.weight()) {
                return Finding::Exhausted;
            }
            let forms = match self.forms(&lattice, &equalities) {
                Ok(forms) => forms,
                Err(parts) => return Finding::Closed(parts),
            };
            let met: Vec<(usize, usize)> = forms
                .ranges
                .values()
                .filter_map(|r| match (&r.lo, &r.hi) {
                    (Some((lo, a)), Some((hi, b))) if lo >= hi => Some((*a, *b)),
                    _ => None,
                })
                .collect();
            if met.is_empty() {
                break forms;
            }
            // All are written before the first changes the parameters that they are about.
            let mut line = |source: usize| self.written(&forms.sources[source], &equalities, &lattice);
            let met: Vec<(LineId, LineId)> = met.into_iter().map(|(lo, hi)| (line(lo), line(hi))).collect();
            for (lo, hi) in met {
                let gap = self.lines.get(lo).constant.add(&self.lines.get(hi).constant);
                if gap.signum() > 0 {
                    return Finding::Closed(vec![(lo, Int::ONE), (hi, Int::ONE)]);
                }
                if let Some(parts) = self.meet(&mut lattice, &mut equalities, hi, Some(lo)) {
                    return Finding::Closed(parts);
                }
            }
        };
        if forms.ranges.keys().flatten().any(|times| times.extra_words() > LONGEST) {
            return Finding::Exhausted;
        }
        match relaxation::solve(&forms, self.variables.len(), self.budget) {
            Lp::Exhausted => Finding::Exhausted,
            Lp::Conflict(parts) => Finding::Closed(
                parts
                    .into_iter()
                    .map(|(source, times)| {
                        (self.written(&forms.sources[source as usize], &equalities, &lattice), times)
                    })
                    .collect(),
            ),
            Lp::Vertex(vertex) => match self.at_vertex(&lattice, &forms, &vertex, hard) {
                Finding::Fraction { .. } if hard && self.tighten(&forms, &equalities, &lattice) => {
                    Finding::Tightened
                }
                finding => finding,
            },
        }
    }

    /// The cost of rewriting the known lines, in pivots: small, unless they are many or their numbers long.
    fn weight(&self) -> u32 {
        let words = |line: &LineId| self.lines.get(*line).terms.iter().map(Int::extra_words).sum::<u32>();
        let long: u32 = self.known.iter().map(words).sum();
        self.known.len() as u32 / 32 + long / 8
    }

    /// Takes an equality into the lattice; a combination that is false if it does not fit there.
    fn meet(
        &mut self,
        lattice: &mut Lattice,
        equalities: &mut Vec<Equality>,
        plus: LineId,
        minus: Option<LineId>,
    ) -> Option<Vec<(LineId, Int)>> {
        equalities.push(Equality { plus, minus });
        let line = self.lines.get(plus);
        let Met::Conflict(why) = lattice.add(&line.terms, &line.constant) else { return None };
        let up = parts(&why, equalities, &Int::ONE);
        let down = parts(&why, equalities, &Int::ONE.neg());
        let (terms, constant) = self.sum(&up);
        if terms.iter().all(Int::is_zero) {
            return Some(if constant.signum() > 0 { up } else { down });
        }
        // Integer coefficients, but a fraction as the constant: both roundings together are false.
        let (_, opposite) = self.sum(&down);
        let terms: Vec<Int> = terms.iter().map(|t| quotient(t, &why.den)).collect();
        let negated = terms.iter().map(Int::neg).collect();
        let high = self.cut(up, terms, &constant, &why.den);
        let low = self.cut(down, negated, &opposite, &why.den);
        Some(vec![(high, Int::ONE), (low, Int::ONE)])
    }

    fn cut(&mut self, parts: Vec<(LineId, Int)>, terms: Vec<Int>, constant: &Int, divisor: &Int) -> LineId {
        let origin = Origin::Cut { parts, divisor: divisor.clone() };
        self.lines.add(Line { terms, constant: ceiling(constant, divisor), equal: false, origin })
    }

    fn sum(&self, parts: &[(LineId, Int)]) -> (Vec<Int>, Int) {
        let mut terms = vec![Int::ZERO; self.variables.len()];
        let mut constant = Int::ZERO;
        for (line, times) in parts {
            let line = self.lines.get(*line);
            for (t, l) in terms.iter_mut().zip(&line.terms) {
                *t = t.add(&times.mul(l));
            }
            constant = constant.add(&times.mul(&line.constant));
        }
        (terms, constant)
    }

    /// The inequalities over the free parameters, the tightest of each form; or a combination that is false.
    fn forms(&self, lattice: &Lattice, equalities: &[Equality]) -> Result<Forms, Vec<(LineId, Int)>> {
        let mut forms = Forms { ranges: BTreeMap::new(), sources: Vec::new() };
        for &id in &self.known {
            let line = self.lines.get(id);
            if line.equal {
                continue;
            }
            let reduced = lattice.reduce(&line.terms, &line.constant);
            let divisor = reduced.terms.iter().fold(Int::ZERO, |g, t| g.gcd(t));
            if divisor.is_zero() {
                if reduced.constant.signum() > 0 {
                    let mut out = parts(&reduced.minus, equalities, &Int::ONE);
                    out.push((id, reduced.minus.den.clone()));
                    return Err(out);
                }
                continue;
            }
            let negative = reduced.terms.iter().find(|t| !t.is_zero()).is_some_and(|t| t.signum() < 0);
            let sign = if negative { divisor.neg() } else { divisor.clone() };
            let key: Vec<Int> = reduced.terms.iter().map(|t| quotient(t, &sign)).collect();
            let bound = ceiling(&reduced.constant, &divisor);
            let source = forms.sources.len();
            let range = forms.ranges.entry(key).or_default();
            if negative {
                // bound - form <= 0
                if range.lo.as_ref().is_none_or(|(lo, _)| bound > *lo) {
                    range.lo = Some((bound, source));
                }
            } else {
                let bound = bound.neg();
                if range.hi.as_ref().is_none_or(|(hi, _)| bound < *hi) {
                    range.hi = Some((bound, source));
                }
            }
            forms.sources.push(Source { line: id, reduced, divisor });
        }
        Ok(forms)
    }

    /// A bound as a line.
    fn written(&mut self, source: &Source, equalities: &[Equality], lattice: &Lattice) -> LineId {
        let Source { line, reduced, divisor } = source;
        if *divisor == Int::ONE && reduced.minus.times.iter().all(Int::is_zero) {
            return *line;
        }
        let mut sum = parts(&reduced.minus, equalities, &Int::ONE);
        sum.push((*line, reduced.minus.den.clone()));
        let form: Vec<Int> = reduced.terms.iter().map(|t| quotient(t, divisor)).collect();
        let origin = Origin::Cut { parts: sum, divisor: divisor.mul(&reduced.minus.den) };
        self.lines.add(Line {
            terms: lattice.over_variables(&form),
            constant: ceiling(&reduced.constant, divisor),
            equal: false,
            origin,
        })
    }

    /// Rounds the relaxation's bound of each form to the nearest integer inside. Returns
    /// whether a bound became tighter.
    fn tighten(&mut self, forms: &Forms, equalities: &[Equality], lattice: &Lattice) -> bool {
        let found = relaxation::tighter(forms, self.variables.len(), self.budget);
        for new in &found {
            let parts: Vec<(LineId, Int)> = new
                .parts
                .iter()
                .map(|(source, times)| {
                    (self.written(&forms.sources[*source as usize], equalities, lattice), times.clone())
                })
                .collect();
            let (_, constant) = self.sum(&parts);
            let line = self.cut(parts, lattice.over_variables(&new.form), &constant, &new.den);
            self.known.push(line);
        }
        !found.is_empty()
    }

    /// Looks for a point near a vertex, and else for what to split.
    fn at_vertex(&mut self, lattice: &Lattice, forms: &Forms, vertex: &[(Int, Int)], hard: bool) -> Finding {
        let whole = |(num, den): &(Int, Int)| num.modulo(den).is_some_and(|r| r.is_zero());
        let down: Vec<Int> = vertex.iter().map(|(num, den)| quotient(num, den)).collect();
        if vertex.iter().all(whole) {
            let point = lattice.point(&down);
            let touching = self.apart.iter().find(|&&row| {
                let line = self.lines.get(row);
                dot(&line.terms, &point).add(&line.constant).is_zero()
            });
            let Some(touching) = touching else {
                // Known lines imply the rows; checked all the same.
                return if self.satisfies(&point) { Finding::Point(point) } else { Finding::Exhausted };
            };
            return match self.step_aside(lattice, &down) {
                Some(point) => Finding::Point(point),
                None => Finding::Touching(*touching),
            };
        }
        let mut candidates = vec![rounded(vertex), down];
        if hard && let Some(center) = relaxation::cube(forms, self.variables.len(), self.budget) {
            candidates.push(rounded(&center));
        }
        for candidate in candidates {
            let point = lattice.point(&candidate);
            if self.satisfies(&point) {
                return Finding::Point(point);
            }
            if let Some(point) = self.step_aside(lattice, &candidate).filter(|_| hard) {
                return Finding::Point(point);
            }
        }
        self.fraction(lattice, forms, vertex)
    }

    /// A point one step along one parameter that satisfies every row.
    fn step_aside(&self, lattice: &Lattice, from: &[Int]) -> Option<Vec<Int>> {
        let mut at = from.to_vec();
        for k in 0..at.len() {
            for by in [1, -1] {
                at[k] = from[k].add(&Int::from(by));
                let point = lattice.point(&at);
                if self.satisfies(&point) {
                    return Some(point);
                }
            }
            at[k] = from[k].clone();
        }
        None
    }

    /// The form to split: one with a small range, preferably a fraction; else a parameter that is a fraction.
    ///
    /// A form with a range is worth splitting even where it is an integer: once it is fixed it is an
    /// equality, and the lattice loses a dimension.
    fn fraction(&self, lattice: &Lattice, forms: &Forms, vertex: &[(Int, Int)]) -> Finding {
        let mut best: Option<(Int, &Vec<Int>, Int)> = None;
        for (form, range) in &forms.ranges {
            let (Some((lo, _)), Some((hi, _))) = (&range.lo, &range.hi) else { continue };
            let width = hi.sub(lo);
            let (floor, whole) = floor(form, vertex);
            let rank = if whole { width.mul(&Int::from(4)) } else { width };
            if best.as_ref().is_none_or(|(smallest, _, _)| rank < *smallest) {
                let at = if floor == *hi { floor.sub(&Int::ONE) } else { floor };
                best = Some((rank, form, at));
            }
        }
        if let Some((_, form, at)) = best {
            return Finding::Fraction { form: lattice.over_variables(form), at };
        }
        for k in 0..vertex.len() {
            let unit: Vec<Int> = (0..vertex.len()).map(|i| Int::from(i64::from(i == k))).collect();
            let (at, whole) = floor(&unit, vertex);
            if !whole {
                return Finding::Fraction { form: lattice.over_variables(&unit), at };
            }
        }
        Finding::Exhausted
    }
}

/// The nearest integers.
fn rounded(vertex: &[(Int, Int)]) -> Vec<Int> {
    let two = Int::from(2);
    vertex.iter().map(|(num, den)| quotient(&num.mul(&two).add(den), &den.mul(&two))).collect()
}

/// The value of a form rounded down, and whether it is an integer.
fn floor(form: &[Int], vertex: &[(Int, Int)]) -> (Int, bool) {
    let (mut num, mut den) = (Int::ZERO, Int::ONE);
    for (times, (n, d)) in form.iter().zip(vertex) {
        if !times.is_zero() {
            num = num.mul(d).add(&times.mul(n).mul(&den));
            den = den.mul(d);
        }
    }
    let at = quotient(&num, &den);
    let whole = at.mul(&den) == num;
    (at, whole)
}

/// The quotient by a positive number, rounded up.
fn ceiling(a: &Int, b: &Int) -> Int {
    quotient(&a.neg(), b).neg()
}

/// A combination of equalities, times its own denominator and a sign, as lines with allowed multipliers.
fn parts(combination: &Combination, equalities: &[Equality], sign: &Int) -> Vec<(LineId, Int)> {
    let mut out = Vec::new();
    for (times, equality) in combination.times.iter().zip(equalities) {
        let times = times.mul(sign);
        match (equality.minus, times.signum()) {
            (_, 0) => {}
            (Some(minus), -1) => out.push((minus, times.neg())),
            _ => out.push((equality.plus, times)),
        }
    }
    out
}
