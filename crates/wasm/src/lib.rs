//! A symbolic machine for WebAssembly.
//!
//! [`Module::read`] reads, validates and lowers a module; [`WasmMachine`] runs it. Registers and memory hold
//! numbers or expressions of `evergreen_symbolic`; where a path depends on an input the machine offers arms
//! and never asks which are feasible. WASI is the world outside ([`World`]): arguments, environment, standard
//! input and files can be inputs.
//!
//! Objects have poisoned bytes around them, so that an access outside of the object that was meant is a
//! finding: `malloc` and its relatives are followed by name, and stack objects and globals are where
//! AddressSanitizer's instrumentation says, whose calls the machine understands.

mod address;
mod base;
mod branches;
mod calc;
mod code;
mod flow;
mod heap;
mod lazy;
mod leaks;
mod lifetimes;
mod limits;
mod load;
mod lower;
mod machine;
mod memory;
mod merge;
mod models;
mod module;
mod natives;
mod number;
mod outcome;
mod pointers;
mod state;
mod step;
mod wasi;
mod world;

pub use branches::{Branch, Target};
pub use code::Code;
pub use heap::{ALIGNMENT, Object, place};
pub use lazy::{Fixed, Form, Made, Pointer};
pub use limits::Limits;
pub use machine::{Options, WasmMachine};
pub use module::{
    Data, Elements, Export, ExportKind, Global, Import, Initial, Module, ModuleError, Signature, Table, Type,
};
pub use natives::{Native, NativeKind};
pub use number::Trap;
pub use outcome::{Ended, Failure, FailureKind, OutByte, Outcome};
pub use state::{Arms, Draw, Scalar, Slot, State};
pub use world::{File, Text, World, text};
