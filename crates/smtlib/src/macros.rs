//! Definitions with parameters, expanded where they are used.
//!
//! Bound variables are numbered by level, the number of variables bound outside, so that terms
//! that differ only in names are equal. A term that is used deeper than it was written (through a
//! definition, a name or a `let`) therefore has its binders moved to the level of the place of
//! use ([`place`]): then it equals the same term written there, and no binder inside of it can
//! capture a variable from outside.
//!
//! The body of a definition is a term over bound variables at levels `0..params`. Expansion replaces these by
//! the arguments and moves the body's own binders. Expansions are remembered by definition and arguments, and
//! terms are walked as graphs: sharing is preserved.

use crate::context::{Context, coerce};
use evergreen_term::{Op, Quantifier, SortId, TermId, Terms, Traits};
use rustc_hash::FxHashMap;

/// A definition with parameters.
#[derive(Clone, Debug)]
pub(crate) struct Macro {
    pub(crate) params: Box<[SortId]>,
    pub(crate) body: TermId,
}

/// Definition, level of the place of use (if it matters), arguments.
pub(crate) type MacroKey = (u32, u32, Box<[TermId]>);

/// Terms and levels, and the terms moved there.
pub(crate) type Placed = FxHashMap<(TermId, u32), TermId>;

/// The body of definition `index` with `args` for its parameters, used at `level`.
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
    let from = params as u32;
    let term = Move { from, to: level, args: &key.2 }.apply(terms, &mut context.placed, body)?;
    context.expanded.insert(key, term);
    Ok(term)
}

/// `term` with its outermost binders at `level`.
pub(crate) fn place(
    terms: &mut Terms,
    placed: &mut Placed,
    term: TermId,
    level: u32,
) -> Result<TermId, String> {
    let mut stack = vec![term];
    while let Some(&top) = stack.last() {
        if !terms.traits(top).has(Traits::QUANTIFIED) || placed.contains_key(&(top, level)) {
            stack.pop();
            continue;
        }
        if let Op::Quantifier(_, binder) = terms.op(top) {
            let from = terms.binder_of(binder).first_level;
            let moved = if from == level {
                top
            } else {
                Move { from, to: level, args: &[] }.apply(terms, placed, top)?
            };
            placed.insert((top, level), moved);
            continue;
        }
        let before = stack.len();
        for &arg in terms.args(top) {
            if terms.traits(arg).has(Traits::QUANTIFIED) && !placed.contains_key(&(arg, level)) {
                stack.push(arg);
            }
        }
        if stack.len() == before {
            let moved = |arg: &TermId| placed.get(&(*arg, level)).copied().unwrap_or(*arg);
            let args: Vec<TermId> = terms.args(top).iter().map(moved).collect();
            let rebuilt = terms.with_args(top, &args);
            placed.insert((top, level), rebuilt);
        }
    }
    Ok(placed.get(&(term, level)).copied().unwrap_or(term))
}

/// Replaces the variables below `args.len()` by `args` and moves those from `from` on, with their
/// binders, to start at `to`.
struct Move<'a> {
    from: u32,
    to: u32,
    args: &'a [TermId],
}

impl Move<'_> {
    fn apply(&self, terms: &mut Terms, placed: &mut Placed, root: TermId) -> Result<TermId, String> {
        // Arguments with binders are moved to the depth of each use; otherwise depth is irrelevant.
        let deep = self.args.iter().any(|arg| terms.traits(*arg).has(Traits::QUANTIFIED));
        let key = |term: TermId, depth: u32| (term, if deep { depth } else { 0 });
        let mut done: Placed = FxHashMap::default();
        let mut stack = vec![(root, self.from)];
        while let Some(&(term, depth)) = stack.last() {
            if done.contains_key(&key(term, depth)) {
                stack.pop();
                continue;
            }
            if let Some(moved) = self.leaf(terms, placed, term, depth)? {
                done.insert(key(term, depth), moved);
                continue;
            }
            let inner = match terms.op(term) {
                Op::Quantifier(_, binder) => {
                    let binder = terms.binder_of(binder);
                    binder.first_level + binder.sorts.len() as u32
                }
                _ => depth,
            };
            let before = stack.len();
            let missing = terms.args(term).iter().filter(|a| !done.contains_key(&key(**a, inner)));
            stack.extend(missing.map(|a| (*a, inner)));
            if stack.len() > before {
                continue;
            }
            let args: Vec<TermId> = terms.args(term).iter().map(|a| done[&key(*a, inner)]).collect();
            let rebuilt = self.rebuild(terms, term, &args)?;
            done.insert(key(term, depth), rebuilt);
        }
        Ok(done[&key(root, self.from)])
    }

    /// The result for a term whose arguments need not be looked at.
    fn leaf(
        &self,
        terms: &mut Terms,
        placed: &mut Placed,
        term: TermId,
        depth: u32,
    ) -> Result<Option<TermId>, String> {
        let traits = terms.traits(term);
        if !traits.has(Traits::BOUND) && !traits.has(Traits::QUANTIFIED) {
            return Ok(Some(term));
        }
        let Op::Bound(level) = terms.op(term) else { return Ok(None) };
        if let Some(&arg) = self.args.get(level as usize) {
            return place(terms, placed, arg, depth - self.from + self.to).map(Some);
        }
        if level < self.from {
            return Ok(Some(term));
        }
        let sort = terms.sort_of(term);
        Ok(Some(terms.bound(level - self.from + self.to, sort)))
    }

    fn rebuild(&self, terms: &mut Terms, term: TermId, args: &[TermId]) -> Result<TermId, String> {
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
        let first_level = binder.first_level - self.from + self.to;
        if quantifier == Quantifier::Lambda {
            let sort = terms.sort_of(term);
            return terms
                .lambda(first_level, &binder.sorts, args[0], sort)
                .map_err(|error| error.to_string());
        }
        terms
            .quantify(quantifier, first_level, &binder.sorts, args[0], &patterns)
            .map_err(|error| error.to_string())
    }
}
