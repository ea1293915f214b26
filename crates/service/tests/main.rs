//! The tests of this crate in one program: a toy language gets from the service all that Java gets.

mod explorations;
mod programs;
mod reports;
mod toy;
mod versions;
