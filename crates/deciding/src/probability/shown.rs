//! What the end of a path shows to an observer: the class of the outcome, the value, what was printed.
//!
//! A front end describes its outcomes like this, for all inputs of a path at once: what depends on the inputs
//! stays an expression, together with the way in which the language writes its values.

use super::distribution::Class;
use evergreen_symbolic::Expr;

/// How a language writes an integer of one of its types.
#[derive(Clone, Copy, Debug)]
pub struct ShowInteger {
    /// Its text, as code units.
    pub write: fn(i64) -> Vec<u16>,
    /// Whether the type is one of characters: texts are not the numbers.
    pub is_character: bool,
}

/// A piece of what was printed.
#[derive(Clone, Debug)]
pub enum Printed {
    /// The same text for all inputs, as code units.
    Text(Vec<u16>),
    /// The text of an expression over the inputs.
    Value(Expr, ShowInteger),
}

/// What a path shows, for all inputs that take it.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The class of its outcome, as far as it is the same for all inputs.
    pub class: Class,
    /// The value that is returned, if it depends on the inputs, and how it is written.
    pub value: Option<(Expr, ShowInteger)>,
    /// What was printed, in pieces.
    pub printed: Vec<Printed>,
}

impl Shown {
    /// What is printed and depends on the inputs.
    pub(crate) fn varying(&self) -> impl Iterator<Item = Expr> {
        self.printed.iter().filter_map(|piece| match piece {
            Printed::Value(expr, _) => Some(*expr),
            Printed::Text(_) => None,
        })
    }

    /// What was printed, if it is the same for all inputs.
    pub(crate) fn output(&self) -> Option<String> {
        let mut units = Vec::new();
        for piece in &self.printed {
            match piece {
                Printed::Text(text) => units.extend_from_slice(text),
                Printed::Value(..) => return None,
            }
        }
        Some(String::from_utf16_lossy(&units))
    }

    /// Whether it shows an object whose content may depend on any input.
    pub(crate) fn is_unknown(&self) -> bool {
        self.class == Class::Varying && self.value.is_none()
    }
}

/// The text of an integer.
pub(crate) fn text(value: i64, show: ShowInteger) -> String {
    String::from_utf16_lossy(&(show.write)(value))
}
