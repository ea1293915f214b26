//! Places in programs, as reports name them.

use std::fmt;
use std::sync::Arc;

/// Where something happens in a program.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// What the function belongs to: the internal name of a class (`shop/Cart`); empty where a language has
    /// no such.
    pub unit: Arc<str>,
    /// The name of the method or function.
    pub function: Arc<str>,
    /// Its signature, where names alone do not tell functions apart; may be empty.
    pub signature: Arc<str>,
    /// Offset of the instruction.
    pub offset: u32,
    /// Source file, if it is known.
    pub file: Option<Arc<str>>,
    /// Source line, if it is known.
    pub line: Option<u32>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.unit.is_empty() {
            write!(f, "{}.", self.unit.replace('/', "."))?;
        }
        f.write_str(&self.function)?;
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(f, "({file}:{line})"),
            (_, Some(line)) => write!(f, "(line {line})"),
            _ => write!(f, "{}+{}", self.signature, self.offset),
        }
    }
}
