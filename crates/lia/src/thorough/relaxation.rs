//! The inequalities over the free parameters, without the demand that values are integers.

use crate::effort::{Budget, Effort};
use crate::lattice::Reduced;
use crate::number::Number;
use crate::optimum::Optimum;
use crate::proof::LineId;
use crate::simplex::Relaxed;
use crate::tableau::{Id, NONE, Place, Tableau};
use evergreen_term::Int;
use std::collections::BTreeMap;

/// A bound of a form over the parameters, not written as a line yet.
#[derive(Clone)]
pub(super) struct Source {
    pub line: LineId,
    pub reduced: Reduced,
    pub divisor: Int,
}

/// The tightest bounds of a form, with the numbers of their sources.
#[derive(Clone, Default)]
pub(super) struct Range {
    pub lo: Option<(Int, usize)>,
    pub hi: Option<(Int, usize)>,
}

/// All forms.
pub(super) struct Forms {
    /// First coefficient positive, no common divisor.
    pub ranges: BTreeMap<Vec<Int>, Range>,
    pub sources: Vec<Source>,
}

/// The outcome of simplex.
pub(super) enum Lp {
    /// The parameters as fractions.
    Vertex(Vec<(Int, Int)>),
    /// Numbers of sources with their multipliers.
    Conflict(Vec<(u32, Int)>),
    Exhausted,
}

/// A bound that follows: sources times multipliers are `den` times `form`, plus a constant.
pub(super) struct Tighter {
    pub form: Vec<Int>,
    pub parts: Vec<(u32, Int)>,
    pub den: Int,
}

/// The budget for the bounds of one check.
const TIGHTEN: Effort = Effort { pivots: 2_000, splits: 0 };

/// Simplex in words, and if they do not suffice in integers of any size.
pub(super) fn solve(forms: &Forms, parameters: usize, budget: &mut Budget) -> Lp {
    relax::<i64>(forms, parameters, budget, Shift::None)
        .or_else(|| relax::<Int>(forms, parameters, budget, Shift::None))
        .unwrap_or(Lp::Exhausted)
}

/// A point such that everything near it (within one half in each parameter) is inside: the nearest
/// integers are a solution [Bromberger, Weidenbach IJCAR'16]. There is one wherever the solutions
/// are wide in every direction.
pub(super) fn cube(forms: &Forms, parameters: usize, budget: &mut Budget) -> Option<Vec<(Int, Int)>> {
    let lp = relax::<i64>(forms, parameters, budget, Shift::Half)
        .or_else(|| relax::<Int>(forms, parameters, budget, Shift::Half));
    match lp {
        Some(Lp::Vertex(vertex)) => Some(vertex),
        _ => None,
    }
}

/// Bounds of the forms that follow from all the others together and are tighter than their own.
pub(super) fn tighter(forms: &Forms, parameters: usize, budget: &mut Budget) -> Vec<Tighter> {
    let share = budget.share(TIGHTEN);
    let mut left = share;
    let found = extremes::<i64>(forms, parameters, &mut left)
        .or_else(|| extremes::<Int>(forms, parameters, &mut left))
        .unwrap_or_default();
    budget.charge(&share, &left);
    found
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shift {
    None,
    /// Bounds of sums move inwards by half of what rounding can change.
    Half,
}

/// A tableau with a quantity for each form. `None` when the numbers do not fit.
fn build<N: Number>(forms: &Forms, parameters: usize, shift: Shift) -> Option<(Tableau<N>, Vec<Id>)> {
    let mut tableau = Tableau::<N>::new();
    for _ in 0..parameters {
        let id = tableau.add_quantity();
        tableau.add_column(id, N::zero());
    }
    let mut ids = Vec::with_capacity(forms.ranges.len());
    for (form, range) in &forms.ranges {
        let mut terms: Vec<(Id, N)> = Vec::new();
        for (k, times) in form.iter().enumerate() {
            if !times.is_zero() {
                terms.push((k as Id, N::from_int(times)?));
            }
        }
        let mut inwards = Int::ZERO;
        let id = match terms.as_slice() {
            [(single, _)] => *single,
            _ => {
                let id = tableau.add_quantity();
                tableau.add_row(id, &terms)?;
                if shift == Shift::Half {
                    let sum = form.iter().fold(Int::ONE, |s, c| s.add(&c.abs()));
                    inwards = sum.div(&Int::from(2)).unwrap_or(Int::ZERO);
                }
                id
            }
        };
        ids.push(id);
        let bounds = &mut tableau.bounds[id as usize];
        if let Some((lo, source)) = &range.lo {
            (bounds.lo, bounds.lo_why) = (N::from_int(&lo.add(&inwards))?, *source as u32);
        }
        if let Some((hi, source)) = &range.hi {
            (bounds.hi, bounds.hi_why) = (N::from_int(&hi.sub(&inwards))?, *source as u32);
        }
    }
    Some((tableau, ids))
}

fn relax<N: Number>(forms: &Forms, parameters: usize, budget: &mut Budget, shift: Shift) -> Option<Lp> {
    let (mut tableau, ids) = build::<N>(forms, parameters, shift)?;
    let mut conflict = Vec::new();
    let empty = |id: &Id| {
        let b = &tableau.bounds[*id as usize];
        b.lo_why != NONE && b.hi_why != NONE && b.lo > b.hi
    };
    if ids.iter().any(empty) {
        // Only after a shift: the ranges themselves are not empty here.
        return Some(Lp::Exhausted);
    }
    match tableau.relax(budget, &mut conflict) {
        Relaxed::Overflow => None,
        Relaxed::Exhausted => Some(Lp::Exhausted),
        Relaxed::Conflict => {
            Some(Lp::Conflict(conflict.into_iter().map(|(why, times)| (why, times.to_int())).collect()))
        }
        Relaxed::Feasible => {
            let value = |id: Id| match tableau.place(id) {
                Place::Column(col) => (tableau.vals[col].to_int(), Int::ONE),
                Place::Row(row) => (tableau.num[row].to_int(), tableau.den[row].to_int()),
                Place::Absent => (Int::ZERO, Int::ONE),
            };
            Some(Lp::Vertex((0..parameters as Id).map(value).collect()))
        }
    }
}

/// The largest and the smallest value of each form.
fn extremes<N: Number>(forms: &Forms, parameters: usize, budget: &mut Budget) -> Option<Vec<Tighter>> {
    let (mut tableau, ids) = build::<N>(forms, parameters, Shift::None)?;
    match tableau.relax(budget, &mut Vec::new()) {
        Relaxed::Feasible => {}
        Relaxed::Overflow => return None,
        _ => return Some(Vec::new()),
    }
    let aim = tableau.add_quantity();
    let mut out = Vec::new();
    // The parameters too: a bound on one of them may be what the others lack.
    let free = Range::default();
    let units =
        (0..parameters).map(|k| (0..parameters).map(|i| Int::from(i64::from(i == k))).collect::<Vec<Int>>());
    let units: Vec<Vec<Int>> = units.filter(|unit| !forms.ranges.contains_key(unit)).collect();
    let singles = units.iter().map(|unit| {
        let at = unit.iter().position(|c| !c.is_zero()).unwrap_or(0);
        ((unit, &free), at as Id)
    });
    for ((form, range), id) in forms.ranges.iter().zip(ids).chain(singles) {
        for up in [true, false] {
            // The aim is the form itself or its opposite, to be made as large as it can be.
            let sign = if up { N::one() } else { N::one().neg() };
            tableau.add_row(aim, &[(id, sign)])?;
            let mut parts = Vec::new();
            let optimum = tableau.maximize(aim, budget, &mut parts);
            if let Place::Row(row) = tableau.place(aim) {
                tableau.drop_row(row);
            }
            match optimum {
                Optimum::Overflow => return None,
                Optimum::Exhausted => return Some(out),
                Optimum::Unbounded => {}
                Optimum::At { num, den } => {
                    // form <= num / den, or -form <= num / den
                    let most = num.to_int().div(&den.to_int())?;
                    let better = if up {
                        range.hi.as_ref().is_none_or(|(hi, _)| most < *hi)
                    } else {
                        range.lo.as_ref().is_none_or(|(lo, _)| most.neg() > *lo)
                    };
                    if better {
                        out.push(Tighter {
                            form: if up { form.clone() } else { form.iter().map(Int::neg).collect() },
                            parts: parts.into_iter().map(|(why, times)| (why, times.to_int())).collect(),
                            den: den.to_int(),
                        });
                    }
                }
            }
        }
    }
    Some(out)
}
