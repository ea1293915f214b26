//! The tests of this crate in one program: linked once, and its tests run beside each other.

mod common;
mod components;
mod cores;
mod corpus;
mod count;
mod dialects;
mod figure2;
mod folder;
mod holes;
mod keys;
mod levels;
mod library;
mod misuse;
mod models;
mod pipeline_random;
mod propagation;
mod renamed;
mod rewording;
mod same_in_other_words;
mod soundness;
mod strict;
mod tables;
mod theories;
mod together;
mod trail;
mod unaided;
