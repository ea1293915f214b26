//! Makes a conjunction smaller while it still differs.

use evergreen::{Sort, TermId, Terms};
use std::collections::HashMap;

/// Attempts before it is small enough.
const MOST_ATTEMPTS: usize = 3_000;

/// A smaller conjunction that still differs.
pub(super) fn shrink(
    terms: &mut Terms,
    constraints: &[TermId],
    mut differs: impl FnMut(&Terms, &[TermId]) -> bool,
) -> Vec<TermId> {
    let mut kept = constraints.to_vec();
    let mut attempts = 0;
    'again: while attempts < MOST_ATTEMPTS {
        for at in 0..kept.len() {
            let mut fewer = kept.clone();
            fewer.remove(at);
            attempts += 1;
            if differs(terms, &fewer) {
                kept = fewer;
                continue 'again;
            }
        }
        for at in 0..kept.len() {
            for smaller in smaller_terms(terms, kept[at]) {
                let mut changed = kept.clone();
                changed[at] = smaller;
                attempts += 1;
                if differs(terms, &changed) {
                    kept = changed;
                    continue 'again;
                }
                if attempts >= MOST_ATTEMPTS {
                    return kept;
                }
            }
        }
        break;
    }
    kept
}

/// The same term with one subterm replaced by a literal or by something inside of it; large subterms first.
fn smaller_terms(terms: &mut Terms, term: TermId) -> Vec<TermId> {
    let mut order: Vec<TermId> = vec![term];
    let mut at = 0;
    while at < order.len() {
        for &arg in terms.args(order[at]) {
            if !order.contains(&arg) {
                order.push(arg);
            }
        }
        at += 1;
    }
    let mut smaller = Vec::new();
    for &inner in &order {
        if terms.args(inner).is_empty() {
            continue;
        }
        let mut instead: Vec<TermId> = below(terms, inner);
        match *terms.sort_kind(terms.sort_of(inner)) {
            Sort::Bool => instead.extend([terms.bool(true), terms.bool(false)]),
            Sort::BitVec(width) => instead.extend([terms.bv(width, 0), terms.bv(width, 1)]),
            _ => {}
        }
        for other in instead {
            smaller.push(replaced(terms, term, inner, other));
        }
    }
    smaller
}

/// Terms of the same sort inside of a term.
fn below(terms: &Terms, term: TermId) -> Vec<TermId> {
    let sort = terms.sort_of(term);
    let mut found = Vec::new();
    let mut stack: Vec<TermId> = terms.args(term).to_vec();
    while let Some(top) = stack.pop() {
        if terms.sort_of(top) == sort {
            if !found.contains(&top) {
                found.push(top);
            }
        } else {
            stack.extend(terms.args(top));
        }
    }
    found
}

fn replaced(terms: &mut Terms, term: TermId, old: TermId, new: TermId) -> TermId {
    let mut made: HashMap<TermId, TermId> = HashMap::from([(old, new)]);
    let mut stack = vec![term];
    while let Some(&top) = stack.last() {
        if made.contains_key(&top) {
            stack.pop();
            continue;
        }
        let missing: Vec<TermId> =
            terms.args(top).iter().copied().filter(|arg| !made.contains_key(arg)).collect();
        if !missing.is_empty() {
            stack.extend(missing);
            continue;
        }
        stack.pop();
        let args: Vec<TermId> = terms.args(top).iter().map(|arg| made[arg]).collect();
        let image = if args.is_empty() { top } else { terms.with_args(top, &args) };
        made.insert(top, image);
    }
    made[&term]
}
