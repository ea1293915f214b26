//! The tests of this crate in one program: linked once, and its tests run beside each other.

mod architecture;
mod bare_solvers;
mod clients;
mod features;
mod manual;
mod package;
mod tidy;
