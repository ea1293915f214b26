//! Constraints as bands: a linear form, and the range that it must lie in.
//!
//! Inequalities in both directions, the equality and the disequalities of one form are one band, so
//! duplicates and opposite pairs merge by themselves. A form is primitive (its coefficients have no
//! common divisor) and its first coefficient positive; dividing tightens the range. Bands of one variable
//! are the ranges of the variables.

use crate::problem::{Problem, Relation, Var};
use crate::range::{Empty, Range};
use evergreen_term::Int;

/// Variables with coefficients, ascending, none of them zero.
pub(crate) type Form = Vec<(Var, Int)>;

/// A form and where its value must lie.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Band {
    pub form: Form,
    pub range: Range,
}

impl Band {
    /// The coefficient of a variable.
    pub(crate) fn coefficient(&self, var: Var) -> Option<&Int> {
        self.form.binary_search_by_key(&var, |t| t.0).ok().map(|at| &self.form[at].1)
    }

    /// Sorts the form, divides it by the gcd and makes its first coefficient positive.
    pub(crate) fn normal(&mut self) -> Result<(), Empty> {
        collect(&mut self.form);
        let mut gcd = Int::ZERO;
        for (_, a) in &self.form {
            gcd = gcd.gcd(a);
            if gcd == Int::ONE {
                break;
            }
        }
        if let Some((_, first)) = self.form.first()
            && (gcd != Int::ONE || first.signum() < 0)
        {
            let by = if first.signum() < 0 { gcd.neg() } else { gcd };
            self.form.iter_mut().for_each(|(_, a)| *a = a.div(&by).unwrap_or(Int::ZERO));
            self.range = std::mem::take(&mut self.range).divided(&by);
        }
        self.range.tidy()
    }
}

/// Adds up what belongs to the same variable.
pub(crate) fn collect(form: &mut Form) {
    if !form.windows(2).all(|w| w[0].0 < w[1].0) {
        form.sort_by_key(|t| t.0);
        form.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 = kept.1.add(&next.1);
            }
            same
        });
    }
    if form.iter().any(|t| t.1.is_zero()) {
        form.retain(|(_, a)| !a.is_zero());
    }
}

/// `form + times * other`, without one variable of the first. Both are in order.
fn sum(form: &Form, without: Var, other: &Form, times: &Int) -> Form {
    let mut sum = Vec::with_capacity(form.len() + other.len());
    let mut own = form.iter().filter(|t| t.0 != without).peekable();
    for (var, a) in other {
        let mut a = a.mul(times);
        while let Some(before) = own.next_if(|t| t.0 < *var) {
            sum.push(before.clone());
        }
        if let Some((_, same)) = own.next_if(|t| t.0 == *var) {
            a = a.add(same);
        }
        if !a.is_zero() {
            sum.push((*var, a));
        }
    }
    sum.extend(own.cloned());
    sum
}

/// Variables with ranges, and bands over two or more of them.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct System {
    pub ranges: Vec<Range>,
    pub bands: Vec<Band>,
}

impl System {
    /// The same solutions. A row over a variable that has no domain is refused.
    pub(crate) fn of(problem: &Problem) -> Result<System, String> {
        let ranges: Vec<Range> = problem
            .domains
            .iter()
            .map(|d| Range { lo: d.lo.clone(), hi: d.hi.clone(), holes: Vec::new() })
            .collect();
        let mut bands = Vec::with_capacity(problem.rows.len());
        for row in &problem.rows {
            if let Some((var, _)) = row.terms.iter().find(|t| t.0 as usize >= ranges.len()) {
                return Err(format!("variable {var} has no domain"));
            }
            let side = row.constant.neg();
            let range = match row.relation {
                Relation::Eq => Range::point(side),
                Relation::Le => Range { lo: None, hi: Some(side), holes: Vec::new() },
                Relation::Ne => Range { lo: None, hi: None, holes: vec![side] },
            };
            bands.push(Band { form: row.terms.clone(), range });
        }
        Ok(System { ranges, bands })
    }

    /// One band per form; bands of one variable become ranges, bands of none are checked.
    pub(crate) fn merge(&mut self) -> Result<(), Empty> {
        for range in &mut self.ranges {
            range.tidy()?;
        }
        let mut rest: Vec<Band> = Vec::with_capacity(self.bands.len());
        for mut band in std::mem::take(&mut self.bands) {
            band.normal()?;
            match band.form.as_slice() {
                [] if band.range.contains(&Int::ZERO) => {}
                [] => return Err(Empty),
                [(var, _)] => {
                    let range = &mut self.ranges[*var as usize];
                    range.meet(&band.range);
                    range.tidy()?;
                }
                _ if band.range.is_all() => {}
                _ => rest.push(band),
            }
        }
        rest.sort_by(|a, b| a.form.cmp(&b.form));
        for band in rest {
            match self.bands.last_mut() {
                Some(last) if last.form == band.form => {
                    last.range.meet(&band.range);
                    last.range.tidy()?;
                }
                _ => self.bands.push(band),
            }
        }
        Ok(())
    }

    /// Puts `form + constant` in the place of `var`, whose old range becomes a band and whose new
    /// range is `fresh`. The form is in order; it may contain `var` itself, which then is a new
    /// variable of the same number.
    pub(crate) fn substitute(&mut self, var: Var, form: &Form, constant: &Int, fresh: Range) {
        for band in &mut self.bands {
            let Ok(at) = band.form.binary_search_by_key(&var, |t| t.0) else { continue };
            let times = band.form[at].1.clone();
            band.form = sum(&band.form, var, form, &times);
            if !constant.is_zero() {
                band.range = std::mem::take(&mut band.range).shifted(&constant.mul(&times).neg());
            }
        }
        let old = std::mem::replace(&mut self.ranges[var as usize], fresh);
        if !form.is_empty() && !old.is_all() {
            self.bands.push(Band { form: form.clone(), range: old.shifted(&constant.neg()) });
        }
    }
}
