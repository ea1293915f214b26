//! The tests of this crate in one program: linked once, and its tests run beside each other.

mod codec;
mod differential;
mod evaluation;
mod oracle;
