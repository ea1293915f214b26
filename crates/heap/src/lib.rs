//! Lazily initialized heaps.

pub mod bounds;
mod circuit;
pub mod diagnostic;
pub mod drive;
mod encode;
pub mod enumerate;
pub mod eval;
pub mod feasible;
pub mod heap;
pub mod invariant;
pub mod lazy;
mod lex;
mod parse;
mod solver;
pub mod subjects;

pub use bounds::{Bounds, bounds};
pub use diagnostic::Diagnostic;
pub use drive::{Fields, Stop, explore};
pub use encode::{Scope, TooLarge};
pub use heap::{Heap, Object, Value};
pub use invariant::{ClassId, FieldId, Invariant, Shape};
pub use lazy::{Choice, Lazy, Partial, Technique};
pub use parse::parse;
