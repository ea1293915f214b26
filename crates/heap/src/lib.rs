//! Lazily initialized heaps.

pub mod bounds;
mod circuit;
pub mod diagnostic;
mod encode;
pub mod eval;
pub mod heap;
pub mod invariant;
mod lex;
mod parse;
mod solver;

pub use bounds::{Bounds, bounds};
pub use encode::{Scope, TooLarge};
pub use diagnostic::Diagnostic;
pub use heap::{Heap, Object, Value};
pub use invariant::{ClassId, FieldId, Invariant, Shape};
pub use parse::parse;
