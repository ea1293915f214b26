//! Test suites that live: text that people read, edit and merge, and that explorations update.
//!
//! A [`Suite`] is the tests of one unit of a program, as a class: of each its inputs, the decisions on its
//! path, its outcome and its name. Its text ([`Suite::parse`], [`Suite::write`]; docs/suite-format.md) has
//! a line for each thing, and nothing that changes by itself: no counters, no totals, no dates, no line
//! numbers. [`update`] takes what an exploration found and says which tests are kept, moved, retired and
//! new; those that are kept keep name, place and bytes. [`Folder`] holds the suites of a program on disk,
//! and the sources that are made from them.
//!
//! This crate knows no language. What inputs and outcomes are and how they are written is in the
//! [`Format`] of each language.

mod flaw;
mod folder;
mod format;
pub mod line;
mod names;
mod parse;
mod path;
mod select;
mod suite;
mod update;
mod write;

pub use flaw::{Flaw, SuiteError};
pub use folder::{Folder, SOURCE_MARK};
pub use format::Format;
pub use names::TakenNames;
pub use select::{Offered, Standing, select};
pub use suite::{Decision, MethodTests, Suite, Test, Text};
pub use update::{Affected, Explored, Moved, Reached, Retired, Update, update};
