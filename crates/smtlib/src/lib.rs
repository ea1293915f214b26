//! SMT-LIB 2.6/2.7 text to terms and scripts, and back; diagnostics with carets.
//!
//! The stages, in the order in which text passes through them:
//! [`scan`] cuts a stream of bytes into commands, [`sexp`] turns one command into a flat tape of
//! s-expressions.

pub mod diagnostic;
pub mod scan;
pub mod sexp;

pub use diagnostic::{Diagnostic, Position};
pub use scan::{Piece, PieceKind, Splitter};
pub use sexp::{Kind, Node, Tape};
