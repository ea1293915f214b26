//! Datatypes: constructors, selectors, testers, updates.

use super::{Args, Evaluator, Outcome, Unevaluable, bounded};
use crate::{SymbolId, SymbolKind, Terms, Value};

impl Evaluator<'_> {
    pub(super) fn construct(&self, top: usize, constructor: SymbolId) -> Outcome {
        if self.terms.symbol_of(constructor).params.contains(&crate::SortId::REGLAN) {
            return Err(Unevaluable::Unsupported);
        }
        let args = self.args(top);
        bounded(args.iter())?;
        Ok(Value::Data(constructor, args.iter().cloned().collect()))
    }

    /// A field, if the value was made by the constructor; otherwise SMT-LIB leaves it open.
    pub(super) fn project(&self, top: usize, constructor: SymbolId, field: usize) -> Outcome {
        match self.args(top).get(0) {
            Value::Data(made_by, fields) if *made_by == constructor => {
                fields.get(field).cloned().ok_or(Unevaluable::IllSorted)
            }
            Value::Data(..) => Err(Unevaluable::Unspecified),
            _ => Err(Unevaluable::IllSorted),
        }
    }

    fn args(&self, top: usize) -> Args<'_, '_> {
        Args { operands: self.operands_of(top), global: &self.global, local: &self.local }
    }
}

pub(super) fn is(constructor: SymbolId, args: &Args<'_, '_>) -> Outcome {
    match args.get(0) {
        Value::Data(made_by, _) => Ok(Value::Bool(*made_by == constructor)),
        _ => Err(Unevaluable::IllSorted),
    }
}

/// A value of another constructor stays as it is.
pub(super) fn update(terms: &Terms, selector: SymbolId, args: &Args<'_, '_>) -> Outcome {
    let SymbolKind::Selector(data, constructor, field) = terms.symbol_of(selector).kind else {
        return Err(Unevaluable::IllSorted);
    };
    let constructor = terms.datatype(data).constructors[constructor as usize].symbol;
    let (value, new) = args.pair();
    match value {
        Value::Data(made_by, fields) if *made_by == constructor => {
            bounded(args.iter())?;
            let mut fields = fields.clone();
            *fields.get_mut(field as usize).ok_or(Unevaluable::IllSorted)? = new.clone();
            Ok(Value::Data(constructor, fields))
        }
        Value::Data(..) => Ok(value.clone()),
        _ => Err(Unevaluable::IllSorted),
    }
}
