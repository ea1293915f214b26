//! The laboratory: experiments that judge Evergreen as its users meet it. The program `evergreen-lab` is
//! their command line.

pub mod duel;
pub mod interrupt;
