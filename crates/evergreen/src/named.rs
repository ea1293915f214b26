//! Models by name.

use crate::backend::free_symbols;
use evergreen_smtlib::{print_symbol, print_value};
use evergreen_term::{Model, TermId, Terms, Value, default_value};
use std::fmt;

/// Values of constants by their names, in the order of the names. It outlives the arena that it comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedModel(Vec<Named>);

/// One constant.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Named {
    name: String,
    value: Value,
    /// The value as SMT-LIB text: names in it are the arena's.
    text: String,
}

impl NamedModel {
    /// The values of all free constants of constraints. What a model leaves open has the value that
    /// evaluation gives it.
    pub(crate) fn of(terms: &Terms, constraints: &[TermId], model: &Model) -> NamedModel {
        let mut all: Vec<Named> = Vec::new();
        for symbol in free_symbols(terms, constraints) {
            let declared = terms.symbol_of(symbol);
            let value = match model.get(symbol) {
                Some(value) => Some(value.clone()),
                None if declared.params.is_empty() => default_value(terms, declared.result),
                None => None,
            };
            let Some(value) = value else { continue };
            let text = print_value(terms, &value);
            all.push(Named { name: terms.symbol_text(symbol).to_string(), value, text });
        }
        all.sort_by(|a, b| a.name.cmp(&b.name));
        NamedModel(all)
    }

    /// The value of a constant. Of several with one name and different sorts, the one that was declared
    /// first.
    pub fn value(&self, name: &str) -> Option<&Value> {
        let at = self.0.partition_point(|named| named.name.as_str() < name);
        self.0.get(at).filter(|named| named.name == name).map(|named| &named.value)
    }

    /// Names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|named| (named.name.as_str(), &named.value))
    }

    /// The number of constants.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for NamedModel {
    /// `x = 3`, one constant a line, in SMT-LIB.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, named) in self.0.iter().enumerate() {
            let newline = if place == 0 { "" } else { "\n" };
            write!(f, "{newline}{} = {}", print_symbol(&named.name), named.text)?;
        }
        Ok(())
    }
}
