//! Sorts, hash-consed terms, values, models and evaluation.
//!
//! Every other crate speaks in these words. A [`Terms`] is an arena: a term is an id into it, and two terms
//! are equal exactly when their ids are. Nothing in here reads text, asks a solver or touches a store.
//!
//! ```
//! use evergreen_term::{Fun, SortId, Terms};
//!
//! let mut terms = Terms::new();
//! let x = terms.constant("x", SortId::INT);
//! let ten = terms.int(10);
//! let small = terms.app(Fun::Lt, &[x, ten]).unwrap();
//! assert_eq!(terms.sort_of(small), SortId::BOOL);
//! assert_eq!(small, terms.app(Fun::Lt, &[x, ten]).unwrap());
//! // What is ill-sorted is refused, with a reason.
//! assert!(terms.app(Fun::BvAdd, &[x, ten]).is_err());
//! ```

mod bitvec;
mod codec;
mod entries;
mod eval;
mod float;
mod fun;
mod infer;
mod int;
mod model;
mod rational;
mod rounding;
mod show;
mod sort;
mod terms;
mod value;

pub use bitvec::BitVec;
pub use codec::{DecodeError, Unencodable, decode_function, decode_value, encode_function, encode_value};
pub use entries::{Entries, Iter as EntriesIter};
pub use eval::{Completion, Evaluator, Unevaluable, default_value, evaluate};
pub use float::Float;
pub use fun::{Fun, Indexed};
pub use infer::SortError;
pub use int::Int;
pub use model::Model;
pub use rational::Rational;
pub use rounding::RoundingMode;
pub use sort::{Constructor, DataId, Datatype, Sort, SortId};
pub use terms::{
    Binder, BinderId, Definition, Dialect, LiteralId, Name, Op, Opaque, OpaqueId, Quantifier, Symbol,
    SymbolId, SymbolKind, TermId, Terms, Traits,
};
pub use value::{ArrayValue, FunctionValue, MAX_CODE_POINT, Value};
