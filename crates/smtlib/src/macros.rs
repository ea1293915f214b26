//! Definitions with parameters, expanded where they are used.
//!
//! The body of a definition is a term over bound variables at levels `0..params`. Expansion
//! replaces these by the arguments and moves the body's own binders to the level of the place of
//! use, so that they cannot capture a variable of an argument. A binder at a lower level than the
//! parameters comes from a closed term that was defined elsewhere: it is left alone. Expansions
//! are remembered by definition and arguments, and the body is walked as a graph: what is shared
//! stays shared.

use crate::context::{Context, coerce};
use evergreen_term::{Op, SortId, TermId, Terms, Traits};
use rustc_hash::FxHashMap;

/// A definition with parameters.
#[derive(Clone, Debug)]
pub(crate) struct Macro {
    pub(crate) params: Box<[SortId]>,
    pub(crate) body: TermId,
}

/// Definition, level of the place of use (if it matters), arguments.
pub(crate) type MacroKey = (u32, u32, Box<[TermId]>);

/// The body of definition `index` with `args` for its parameters.
pub(crate) fn expand(
    context: &mut Context,
    terms: &mut Terms,
    index: u32,
    args: &[TermId],
    level: u32,
) -> Result<TermId, String> {
    let definition = &context.macros[index as usize];
    let body = definition.body;
    let params = definition.params.len();
    if params != args.len() {
        return Err(format!("the definition wants {params} arguments, not {}", args.len()));
    }
    let mut converted = Vec::with_capacity(params);
    for (&arg, &sort) in args.iter().zip(definition.params.iter()) {
        converted.push(coerce(terms, arg, sort).ok_or("an argument is not of the parameter's sort")?);
    }
    let binds = terms.traits(body).has(Traits::QUANTIFIED);
    let key = (index, if binds { level } else { 0 }, converted.into_boxed_slice());
    if let Some(&term) = context.expanded.get(&key) {
        return Ok(term);
    }
    let term = substitute(terms, body, &key.2, level)?;
    context.expanded.insert(key, term);
    Ok(term)
}

/// `body` with `args` for the bound variables below `args.len()`, and its other binders moved to
/// start at `level`.
pub(crate) fn substitute(
    terms: &mut Terms,
    body: TermId,
    args: &[TermId],
    level: u32,
) -> Result<TermId, String> {
    let params = args.len() as u32;
    let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
    let mut stack = vec![body];
    while let Some(&term) = stack.last() {
        if done.contains_key(&term) {
            stack.pop();
            continue;
        }
        if !terms.traits(term).has(Traits::BOUND) {
            done.insert(term, term);
            continue;
        }
        match terms.op(term) {
            Op::Bound(at) if at < params => {
                done.insert(term, args[at as usize]);
                continue;
            }
            Op::Bound(at) => {
                let sort = terms.sort_of(term);
                let moved = terms.bound(at - params + level, sort);
                done.insert(term, moved);
                continue;
            }
            Op::Quantifier(_, binder) if terms.binder_of(binder).first_level < params => {
                done.insert(term, term);
                continue;
            }
            _ => {}
        }
        let before = stack.len();
        stack.extend(terms.args(term).iter().filter(|a| !done.contains_key(a)));
        if stack.len() > before {
            continue;
        }
        let new: Vec<TermId> = terms.args(term).iter().map(|a| done[a]).collect();
        let rebuilt = rebuild(terms, term, &new, params, level)?;
        done.insert(term, rebuilt);
    }
    Ok(done[&body])
}

fn rebuild(
    terms: &mut Terms,
    term: TermId,
    args: &[TermId],
    params: u32,
    level: u32,
) -> Result<TermId, String> {
    let Op::Quantifier(quantifier, binder) = terms.op(term) else {
        return Ok(terms.with_args(term, args));
    };
    let binder = terms.binder_of(binder).clone();
    let mut rest = &args[1..];
    let mut patterns = Vec::with_capacity(binder.patterns.len());
    for &count in &binder.patterns {
        let (pattern, others) = rest.split_at(count as usize);
        patterns.push(pattern.to_vec());
        rest = others;
    }
    let first_level = binder.first_level - params + level;
    terms
        .quantify(quantifier, first_level, &binder.sorts, args[0], &patterns)
        .map_err(|error| error.to_string())
}
