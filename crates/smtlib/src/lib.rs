//! SMT-LIB 2.6/2.7 text to terms and scripts, and back; diagnostics with carets.
//!
//! The stages, in the order in which text passes through them: [`scan`] cuts a stream of bytes
//! into commands, [`sexp`] turns one command into a flat tape of s-expressions, [`Context`]
//! resolves names and infers sorts and gives a [`Command`] over hash-consed terms.
//!
//! The reader reports text that it does not understand ([`Command::Opaque`] or a [`Diagnostic`]) and never
//! guesses: the caller passes such text to a solver untouched.

pub mod diagnostic;
pub mod scan;
pub mod script;
pub mod sexp;

mod apply;
mod attribute;
mod builtin;
mod cells;
mod context;
mod datatypes;
mod declare;
mod elaborate;
mod identifier;
mod literal;
mod macros;
mod matching;
mod print;
mod print_sort;
mod print_value;
mod quick;
mod sorts;
mod spelling;
mod theories;

pub use cells::{Cells, Input, Run};
pub use context::{Context, Resetting};
pub use diagnostic::{Diagnostic, Position};
pub use print::{print_function, print_function_spelled, print_term, write_term};
pub use print_sort::{print_declaration, print_declarations, print_sort, print_symbol};
pub use print_value::{print_value, push_spelled, push_value};
pub use scan::{Piece, PieceKind, Splitter};
pub use script::{Command, Labelled, Located, Spanned};
pub use sexp::{Kind, Node, Tape};
pub use spelling::Spelling;
