//! The tests of this crate in one program: linked once, and its tests run beside each other.

mod broken;
mod bulk;
mod common;
mod conformance;
mod limits;
mod scopes;
