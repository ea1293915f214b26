//! Lazily initialized heaps: a reference field of an input gets its value when it is first read, and
//! the values that no valid input can have there are pruned. The family of [Rosner TSE'15], LI to
//! BLISSDB, for any language.
//!
//! ```
//! use evergreen_heap::{Lazy, Object, Partial, Scope, Technique, parse};
//!
//! let invariant = parse(
//!     "root class List { first: Node }
//!      class Node { next: Node }
//!      invariant ends: all n in Node: n !in n.^next",
//! )?;
//! let scope = Scope::each(&invariant, 3);
//! let mut lazy = Lazy::new(&invariant, &scope, Technique::Bliss)?;
//! let mut input = Partial::new(&invariant);
//! let first = invariant.shape.field("first").ok_or("no field")?;
//! let choices = lazy.candidates(&mut input, Object(0), first);
//! assert_eq!(choices.len(), 2); // null or a new node
//! lazy.apply(&mut input, Object(0), first, choices[1]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How a machine uses it
//! The machine keeps a [`Partial`] for each root of symbolic objects in its state (it is small and cloned
//! with the state) and a map from its own references to [`Object`]s. When an instruction reads a reference
//! field whose value there is [`Value::Unknown`], the machine asks [`Lazy::candidates`], offers one arm per
//! [`Choice`], and on the arm that is taken calls [`Lazy::apply`] and makes the machine's own object if the
//! choice was [`Choice::New`]. Writes change the machine's heap only: the `Partial` is the *input*, and stays
//! as it was found. Plain fields become symbols of the machine; those that its path condition fixes may be
//! put into the `Partial`, where preconditions and feasibility see them.
//!
//! - Several parameters: declare a root class with one field per parameter.
//! - Arrays: a class with a field for each index and its length.
//! - repOK as it is: [`Lazy::set_precondition`] takes any check of a partial heap; "don't know" is true.
//!   [`drive::known`] describes the problem of a repOK that ends at the first unknown field; the invariant
//!   itself, which is the default, does not have it.
//! - No declarative invariant: [`search::Search`] decides feasibility by running repOK alone.
//! - Stored verdicts: [`feasible::Verdicts`] over any store; keys are bytes, unique within one invariant.
//! - Test cases: [`Lazy::complete`] turns a partial heap into a valid one that agrees with all known fields,
//!   and maps the objects. Its keys are ranks: the order of keys that the invariant wants. Where plain fields
//!   are symbols of a machine, [`ground`] gives their condition in that shape, and the machine's own solver
//!   finds numbers; [`feasible::Feasibility::next`] has another shape if there are none.
//!
//! # The parts
//! [`parse`] reads an invariant (docs/invariant-language.md); [`eval`] evaluates it on complete and partial
//! heaps; `encode` makes clauses of it under a scope; [`bounds()`] computes field bounds; [`feasible`] asks
//! about partial heaps; [`lazy`] offers choices; [`drive`] runs methods written in Rust; [`implied`] checks
//! parts that claim to follow from others.

pub mod bounds;
mod circuit;
pub mod diagnostic;
pub mod drive;
mod encode;
pub mod enumerate;
pub mod eval;
pub mod feasible;
pub mod heap;
mod holders;
pub mod implied;
pub mod invariant;
pub mod lazy;
mod lex;
mod parse;
pub mod search;
mod solver;

pub use bounds::{Bounds, bounds};
pub use diagnostic::Diagnostic;
pub use drive::{Fields, Stop, explore};
pub use encode::{Scope, TooLarge};
pub use eval::ground;
pub use heap::{Heap, Object, Value};
pub use invariant::{ClassId, FieldId, Invariant, Order, Shape};
pub use lazy::{Choice, Lazy, Partial, Technique};
pub use parse::parse;
