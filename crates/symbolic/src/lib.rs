//! Exact machine arithmetic on symbolic values: expressions, conditions, intervals, evaluation,
//! and their writings as terms.
//!
//! An [`Exprs`] is an arena of expressions and conditions that all paths of an exploration share.
//! Integer expressions are linear forms modulo 2^32 or 2^64, so that `x + 1 - 1` is `x` and a wrap is
//! written once per form, and only where the intervals of the inputs do not exclude it. A [`Writer`]
//! turns conditions into terms of one of two theories, both exact: integers, where conditions stay
//! conjunctions of linear comparisons, and bit vectors with floating point for everything that integers
//! cannot say well ([`Exprs::is_hard`]). Earlier conditions of a path make the writing of its later
//! ones smaller ([`Bounds`]).
//!
//! ```
//! use evergreen_symbolic::{Assignment, Binary, Const, Exprs, InputKind, Ints, Rel};
//!
//! let mut exprs = Exprs::new(Ints::Wrapped);
//! let x = exprs.input("x", InputKind::Int, None);
//! let one = exprs.constant(Const::I32(1));
//! let next = exprs.binary(Binary::Add, x, one);
//! // Only the largest int is not smaller than its successor.
//! let overflows = exprs.relate(Rel::Lt, next, x);
//! assert_eq!(exprs.show(overflows), "x + 1 < x");
//! let mut inputs = Assignment::new();
//! assert!(!exprs.holds(overflows, &inputs));
//! inputs.set(&exprs, exprs.as_input(x).unwrap(), Const::I32(i32::MAX));
//! assert!(exprs.holds(overflows, &inputs));
//! ```

mod address;
mod assignment;
mod bits;
mod bounds;
mod build;
mod bytes;
mod concrete;
mod distance;
mod eval;
mod exprs;
mod function;
mod given;
mod interval;
mod ints;
mod linear;
mod measure;
mod node;
mod op;
mod order;
mod relate;
mod show;
mod tables;
mod unsigned;
mod within;
mod writer;
mod written;

pub use assignment::Assignment;
pub use bounds::{Bounds, Mark};
pub use exprs::{Exprs, InputInfo};
pub use function::Function;
pub use given::Given;
pub use node::{Cond, Expr, Input};
pub use op::{Binary, Cast, Compare, Const, InputKind, Ints, Kind, Rel, Unary};
pub use show::Show;
pub use tables::Table;
pub use within::MOST as WITHIN_MOST;
pub use writer::{Parts, Theory, Writer};
