//! C, as a language of the exploration.
//!
//! [`Clang`] finds a compiler and makes one WebAssembly module of C sources; the harness headers (KLEE's
//! interface and our own) are embedded and on the include path of every compile. [`native`] makes a native
//! program of the same sources, whose inputs are those of one recorded test.

mod clang;
mod compile;
mod error;
mod headers;
pub mod native;

pub use clang::Clang;
pub use compile::{Checks, Compiled, Entry, STACK_BYTES, Sources, is_cpp, is_source};
pub use error::CompileError;
