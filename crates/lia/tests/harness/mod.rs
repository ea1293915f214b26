//! Shared by the tests of this crate and the example `duel`: queries, provers and solvers to compare with.

#![allow(dead_code)] // no user needs all of it

pub(crate) mod boxes;
pub(crate) mod duel;
pub(crate) mod every;
pub(crate) mod moves;
pub(crate) mod oracle;
pub(crate) mod queries;
pub(crate) mod rows;
pub(crate) mod shrink;
pub(crate) mod tally;
