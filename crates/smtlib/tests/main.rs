//! The tests of this crate in one program: linked once, and its tests run beside each other.

mod diagnostic;
mod differential;
mod elaborate;
mod quick;
mod round_trip;
mod scan;
mod script;
mod sexp;
mod understood;
