//! What a path prints, distinguished by its values: each combination of the values that are printed and
//! returned, with its probability.

use super::distribution::Class;
use super::leak::equal;
use super::mass::Mass;
use super::shown::{Printed, Shown, text as integer_text};
use super::tree::Masses;
use evergreen_count::Ratio;
use evergreen_symbolic::{Cond, Expr, Exprs};
use std::cell::RefCell;

/// The outcomes of a path that prints what depends on the inputs, and the probability of each; nothing if
/// there are more than `most`, if one cannot be counted, or if the returned value is unknown.
pub(crate) fn outcomes(
    exprs: &RefCell<Exprs>,
    masses: &mut Masses,
    conditions: &[Cond],
    share: &Mass,
    shown: &Shown,
    most: i64,
) -> Option<Vec<(String, Ratio)>> {
    if shown.is_unknown() {
        return None;
    }
    let mut varying: Vec<Expr> = shown.value.iter().map(|(expr, _)| *expr).chain(shown.varying()).collect();
    varying.sort_unstable();
    varying.dedup();
    let ranges = ranges(&exprs.borrow(), &varying, most)?;
    let mut values: Vec<i64> = ranges.iter().map(|(lo, _)| *lo).collect();
    let mut all = Vec::new();
    loop {
        let mut with = conditions.to_vec();
        with.extend(varying.iter().zip(&values).map(|(&e, &value)| equal(&mut exprs.borrow_mut(), e, value)));
        let mass = masses.of(&exprs.borrow(), &with).given(share);
        let exact = mass.as_exact()?;
        if !mass.is_zero() {
            let of = |expr: Expr| varying.iter().position(|e| *e == expr).map_or(0, |at| values[at]);
            all.push((text(shown, &of), exact.clone()));
        }
        // The next combination, the last one first.
        let Some(at) = (0..values.len()).rev().find(|&at| values[at] < ranges[at].1) else { break };
        values[at] += 1;
        for later in at + 1..values.len() {
            values[later] = ranges[later].0;
        }
    }
    Some(all)
}

/// The least and the greatest value of each, if they are integers and there are few combinations.
fn ranges(exprs: &Exprs, varying: &[Expr], most: i64) -> Option<Vec<(i64, i64)>> {
    let mut combinations = 1i64;
    let mut all = Vec::new();
    for &expr in varying {
        let (lo, hi) = exprs.interval(expr);
        let values = hi.checked_sub(lo)?.checked_add(1)?;
        combinations = combinations.checked_mul(values)?;
        if !exprs.kind(expr).is_int() || combinations > most {
            return None;
        }
        all.push((lo, hi));
    }
    Some(all)
}

/// What is seen if expressions have these values.
fn text(shown: &Shown, of: &dyn Fn(Expr) -> i64) -> String {
    let mut output: Vec<u16> = Vec::new();
    for piece in &shown.printed {
        match piece {
            Printed::Text(units) => output.extend_from_slice(units),
            Printed::Value(expr, show) => output.extend((show.write)(of(*expr))),
        }
    }
    let class = match &shown.value {
        Some((expr, show)) if shown.class == Class::Varying => {
            Class::Returned(integer_text(of(*expr), *show))
        }
        _ => shown.class.clone(),
    };
    seen(&class, &String::from_utf16_lossy(&output))
}

/// The text of an outcome: how it ends, and what it prints.
pub(crate) fn seen(class: &Class, output: &str) -> String {
    if output.is_empty() { class.to_string() } else { format!("{class}, prints {output:?}") }
}
