//! Function calls and quantifiers: bodies evaluated under an assignment of their bound variables.

use super::{Evaluator, Frame, Operand, Step, Unevaluable, truth};
use crate::{BinderId, BitVec, Sort, SymbolId, SymbolKind, TermId, Value};
use rustc_hash::FxHashMap;

/// Quantifiers over at most this many bits are evaluated by enumeration.
const MAX_QUANTIFIED_BITS: u32 = 8;

/// The body of a function or quantifier under one assignment.
pub(super) struct Scope<'a> {
    /// Level and value; later ones hide earlier ones of the same level.
    bound: Vec<(u32, Operand<'a>)>,
    pub(super) memo: FxHashMap<TermId, Operand<'a>>,
    /// Local slots from here on belong to the scope.
    start: usize,
}

impl Scope<'_> {
    pub(super) fn outermost() -> Self {
        Scope { bound: Vec::new(), memo: FxHashMap::default(), start: 0 }
    }
}

impl<'a> Evaluator<'a> {
    pub(super) fn bound(&self, level: u32) -> Operand<'a> {
        let found =
            self.scopes.last().and_then(|scope| scope.bound.iter().rev().find(|(at, _)| *at == level));
        found.map_or(Operand::Failed(Unevaluable::Unsupported), |(_, operand)| *operand)
    }

    fn enter(&mut self, bound: Vec<(u32, Operand<'a>)>, start: usize) -> Result<(), Unevaluable> {
        self.fuel = self.fuel.checked_sub(1).ok_or(Unevaluable::Exhausted)?;
        if self.scopes.is_empty() {
            self.scopes.push(Scope::outermost());
        }
        self.scopes.push(Scope { bound, memo: FxHashMap::default(), start });
        Ok(())
    }

    /// Ends the innermost scope; a result that lives in it moves out to where values of `term` live.
    fn leave(&mut self, term: TermId, result: Operand<'a>) -> Operand<'a> {
        let Some(scope) = self.scopes.pop() else { return result };
        let moved = match result {
            Operand::Local(slot) if slot as usize >= scope.start => {
                Some(std::mem::replace(&mut self.local[slot as usize], Value::Bool(false)))
            }
            _ => None,
        };
        self.local.truncate(scope.start);
        match moved {
            Some(value) => self.keep(term, Ok(value)),
            None => result,
        }
    }

    /// A symbol whose arguments have been evaluated.
    pub(super) fn step_apply(&mut self, top: usize, symbol: SymbolId) -> Step<'a> {
        let terms = self.terms;
        let Frame { term, base, called, .. } = self.frames[top];
        if called {
            let result = self.operands.last().copied().unwrap_or(Operand::Failed(Unevaluable::Unsupported));
            return Step::Same(self.leave(term, result));
        }
        let declared = terms.symbol_of(symbol);
        let body = match declared.kind {
            SymbolKind::Constructor(..) => return Step::Done(self.construct(top, symbol)),
            SymbolKind::Selector(data, constructor, field) => {
                let constructor = terms.datatype(data).constructors[constructor as usize].symbol;
                return Step::Done(self.project(top, constructor, field as usize));
            }
            SymbolKind::Defined(_) => match terms.definition(symbol) {
                Some(definition) => definition.body,
                None => return Step::Done(Err(Unevaluable::Unsupported)),
            },
            SymbolKind::Free => match self.model.get(symbol) {
                Some(Value::Function(function)) if function.params == declared.params => function.body,
                Some(_) => return Step::Done(Err(Unevaluable::IllSorted)),
                None => return Step::Done(self.completed(symbol)),
            },
        };
        if terms.sort_of(body) != declared.result {
            return Step::Done(Err(Unevaluable::IllSorted));
        }
        let bound = (0..).zip(self.operands[base as usize..].iter().copied()).collect();
        match self.enter(bound, self.local.len()) {
            Ok(()) => {
                self.frames[top].called = true;
                Step::Need(body)
            }
            Err(why) => Step::Done(Err(why)),
        }
    }

    /// A quantifier, one assignment after the other. Its first operand is the result so far: the neutral
    /// truth value, or the failure of an instance, which matters only when no other instance decides.
    pub(super) fn step_quantifier(&mut self, top: usize, forall: bool, binder: BinderId) -> Step<'a> {
        let terms = self.terms;
        let binder = terms.binder_of(binder);
        let Frame { term, next, base, .. } = self.frames[top];
        let mut bits = 0u32;
        for sort in &binder.sorts {
            bits = bits.saturating_add(match terms.sort_kind(*sort) {
                Sort::Bool => 1,
                Sort::BitVec(width) => *width,
                _ => return Step::Done(Err(Unevaluable::Unsupported)),
            });
        }
        if bits > MAX_QUANTIFIED_BITS {
            return Step::Done(Err(Unevaluable::Unsupported));
        }
        if next == 0 {
            self.operands.push(Operand::Ref(truth(forall)));
        } else if let Some(result) = self.operands.pop() {
            let result = self.leave(term, result);
            match self.boolean(result) {
                Ok(value) if value != forall => return Step::Same(Operand::Ref(truth(value))),
                Ok(_) => {}
                Err(why) => self.operands[base as usize] = Operand::Failed(why),
            }
        }
        if next == 1 << bits {
            return Step::Same(self.operands[base as usize]);
        }
        self.frames[top].next += 1;
        match self.assign(binder.first_level, &binder.sorts, next) {
            Ok(()) => Step::Need(terms.args(term)[0]),
            Err(why) => Step::Done(Err(why)),
        }
    }

    /// Enters the scope in which the bits of `assignment` are the values of the variables.
    fn assign(&mut self, first: u32, sorts: &[crate::SortId], assignment: u32) -> Result<(), Unevaluable> {
        let start = self.local.len();
        let mut bound = self.scopes.last().map(|scope| scope.bound.clone()).unwrap_or_default();
        let mut rest = assignment;
        for (level, sort) in (first..).zip(sorts) {
            match self.terms.sort_kind(*sort) {
                Sort::BitVec(width) => {
                    self.local.push(Value::BitVec(BitVec::new(*width, u128::from(rest))));
                    bound.push((level, Operand::Local(self.local.len() as u32 - 1)));
                    rest >>= width;
                }
                _ => {
                    bound.push((level, Operand::Ref(truth(rest & 1 == 1))));
                    rest >>= 1;
                }
            }
        }
        self.enter(bound, start)
    }
}
