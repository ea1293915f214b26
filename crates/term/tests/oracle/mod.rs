//! The oracle of the evaluation tests: terms and values printed as SMT-LIB, random
//! terms, and a real z3 to ask.

pub mod generate;
pub mod print;
pub mod z3;
