//! The oracle of the evaluation tests: terms and values printed as SMT-LIB, random
//! terms, and a real z3 to ask.

pub(crate) mod generate;
pub(crate) mod print;
pub(crate) mod z3;
