//! Test suites that live: text that people read, edit and merge, and that explorations update.
//!
//! A [`Suite`] is the tests of one class: of each its inputs, the decisions on its path, its outcome and
//! its name. Its text ([`Suite::parse`], [`Suite::write`]; docs/suite-format.md) has a line for each
//! thing, and nothing that changes by itself: no counters, no totals, no dates, no line numbers.
//! [`update`] takes the paths of an exploration and decides which tests are kept, moved, retired and new;
//! kept tests keep name, place and bytes. [`Folder`] holds the suites of a program on disk, and the JUnit
//! sources that are made from them.

mod body;
mod flaw;
mod folder;
mod line;
mod parse;
mod suite;
mod types;
mod update;
mod value;
mod write;

pub use flaw::{Flaw, SuiteError};
pub use folder::{Folder, Sources};
pub use suite::{Decision, MethodTests, Suite, Test, Text};
pub use update::{Affected, Explored, Moved, Reached, Retired, Update, update};
