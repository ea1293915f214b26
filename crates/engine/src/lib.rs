//! Tests of WebAssembly programs on a real engine.
//!
//! A symbolic machine says which way a test goes. This crate runs the test on an engine that shares no code
//! with that machine and reports what happened: how the run ended, what it wrote, and a digest of every
//! decision that it took. The engine is [wasmi](https://github.com/wasmi-labs/wasmi), an interpreter: tests
//! are short, and it starts one in microseconds.
//!
//! - [`Probed`] is a module with probes at its branches, made once; [`Arms`] is the digest that they keep.
//! - [`Natives`] are functions that the machine models: their decisions are not counted, or their bodies
//!   replaced by calls to a [`Host`]. [`Heap`] is the allocator of that host, with addresses that a machine
//!   can predict.
//! - [`World`] is all that a program can see through WASI: arguments, environment, files, clock, random
//!   bytes. `docs/inside/wasi.md` says what each call answers.
//! - Harnesses draw their inputs (`klee_make_symbolic`, `__VERIFIER_nondet_int`) from the list of a [`Test`].
//! - [`Reference`] applies single numeric instructions to many operands, for comparisons of semantics.
//!
//! ```
//! use evergreen_engine::{End, Limits, Natives, Probed, Test};
//! # let module = wat::parse_str("(module (func (export \"_start\") (if (i32.const 7) (then))))").unwrap();
//! let probed = Probed::plant(&module, &Natives::default())?;
//! let ran = probed.run(&Test::default(), &Limits::default())?;
//! assert_eq!(ran.end, End::Returned(vec![]));
//! assert_eq!(ran.arms.count, 1);
//! # Ok::<(), evergreen_engine::EngineError>(())
//! ```

mod arms;
mod end;
mod error;
mod harness;
mod heap;
mod host;
mod imports;
mod module;
mod natives;
mod probe;
mod reference;
mod run;
mod value;
mod wasi;
mod world;

pub use arms::Arms;
pub use end::{End, Failure, TrapKind};
pub use error::EngineError;
pub use heap::{ALIGNMENT, Heap, Object, Place, RED_ZONE, place};
pub use host::{Host, Linear, Standard};
pub use natives::{Native, Natives};
pub use probe::Probed;
pub use reference::{Instruction, Reference};
pub use run::{Entry, Limits, Ran, Test};
pub use value::{Val, ValType};
pub use world::{Clock, World, random_byte};
