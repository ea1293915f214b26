//! The tests of this crate in one program: linked once, and its tests run beside each other.

mod common;
mod derive;
mod naive;
mod paper;
mod reduction;
mod rules;
mod shelf;
mod storing;
mod ubtree;
