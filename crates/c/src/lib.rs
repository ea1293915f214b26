//! C, as a language of the exploration.
//!
//! [`CProgram`] is a compiled program or a module as it is, with its debug information; [`CFrontend`] runs it
//! for the exploration service. [`Clang`] finds a compiler and makes one WebAssembly module of C sources; the
//! harness headers (KLEE's interface and our own) are embedded and on the include path of every compile.
//! Tests are [`Case`]s: they are replayed on a WebAssembly engine, whose branches have to be those of the
//! path, and natively ([`CReplayer`]).

mod assume;
mod case;
mod clang;
mod compile;
mod counts;
mod coverage;
mod drawn;
mod entry;
mod error;
pub mod files;
mod fixed;
mod frontend;
mod functions;
mod given;
mod harness;
mod headers;
mod inputs;
mod language;
pub mod native;
mod program;
mod replayer;
mod value;
mod within;

pub use case::{Case, Drawn, Ending, Object, Target};
pub use clang::Clang;
pub use compile::{Checks, Compiled, Entry, STACK_BYTES, Sources, is_cpp, is_source};
pub use counts::Counts;
pub use error::CompileError;
pub use evergreen_engine::{End, Ran};
pub use evergreen_wasm::Options;
pub use frontend::{CFrontend, KeptEnd};
pub use harness::{Parameter, ParameterKind, Sizes};
pub use inputs::{Argument, Given, Inputs};
pub use language::{C, CPath, Function};
pub use program::{CProgram, Compiling, Opened};
pub use replayer::{CReplayer, NativeRuns, Platform, told};
pub use value::CValue;
pub use within::Within;

/// Tests of an older version of a program.
pub type OldTests = evergreen_service::OldTests<C>;
