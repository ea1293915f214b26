//! Shared by the tests of this crate and the example `duel`: queries, provers and solvers to compare with.

#![allow(dead_code)] // no user needs all of it

pub mod boxes;
pub mod duel;
pub mod every;
pub mod moves;
pub mod oracle;
pub mod queries;
pub mod rows;
pub mod shrink;
pub mod tally;
