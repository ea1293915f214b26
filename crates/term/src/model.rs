//! Models: the value of each declared symbol.

use crate::{SymbolId, Value};
use std::collections::BTreeMap;

/// Values of constants and interpretations of functions, by symbol.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Model {
    values: BTreeMap<SymbolId, Value>,
}

impl Model {
    /// The model of no symbols.
    pub fn new() -> Model {
        Model::default()
    }

    /// The value of a symbol.
    pub fn get(&self, symbol: SymbolId) -> Option<&Value> {
        self.values.get(&symbol)
    }

    /// The value of a symbol, to be changed in place.
    pub fn get_mut(&mut self, symbol: SymbolId) -> Option<&mut Value> {
        self.values.get_mut(&symbol)
    }

    /// Gives a symbol a value, and returns the one it had.
    pub fn set(&mut self, symbol: SymbolId, value: Value) -> Option<Value> {
        self.values.insert(symbol, value)
    }

    /// The symbols and their values, in the order of the symbols.
    pub fn iter(&self) -> impl Iterator<Item = (SymbolId, &Value)> {
        self.values.iter().map(|(symbol, value)| (*symbol, value))
    }

    /// The number of symbols.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether no symbol has a value.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

impl FromIterator<(SymbolId, Value)> for Model {
    fn from_iter<I: IntoIterator<Item = (SymbolId, Value)>>(pairs: I) -> Model {
        Model { values: pairs.into_iter().collect() }
    }
}
