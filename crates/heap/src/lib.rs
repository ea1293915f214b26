//! Lazily initialized heaps.

pub mod diagnostic;
pub mod eval;
pub mod heap;
pub mod invariant;
mod lex;
mod parse;

pub use diagnostic::Diagnostic;
pub use heap::{Heap, Object, Value};
pub use invariant::{ClassId, FieldId, Invariant, Shape};
pub use parse::parse;
