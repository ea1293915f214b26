//! The tests of this crate in one program: linked once, and its tests run beside each other.

mod answered;
mod brute_force;
mod calls;
mod changes;
mod explore_oracle;
mod exploring;
mod heap_counts;
mod heap_inputs;
mod heap_invariants;
mod heap_replay;
mod heap_store;
mod induction;
mod lazy_heaps;
mod made_inputs;
mod pairs;
mod parallel;
mod probability;
mod seeds;
mod seeds_heaps;
mod seeds_subjects;
mod settling;
mod small_changes;
mod subjects;
mod suite;
mod totals;
