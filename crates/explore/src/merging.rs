//! The interface to a machine that can make one state of several: where the arms of a branch meet again.
//!
//! A *region* is the code between a branch and the place where all its arms meet. States inside are explored
//! as everywhere. A state that gets to the end of its region waits there for its siblings, and the machine
//! makes one state of those that differ in values only, which become conditional. So a row of n branches that
//! each set a variable has 2n short walks in place of 2^n paths [Kuznetsov et al. PLDI'12].

/// What a machine has to do for it.
pub trait Merging<State, Constraint> {
    /// Opens a region, innermost, if the arms of the branch that a state waits at meet again at a place that
    /// the machine recognizes.
    fn open(&mut self, state: &mut State) -> bool;

    /// How many regions a state is in. A state that leaves some of them in another way than by their ends, as
    /// by an exception, is in fewer afterwards.
    fn regions(&self, state: &State) -> usize;

    /// Takes a state out of all but the outermost `keep` regions.
    fn leave(&mut self, state: &mut State, keep: usize);

    /// Makes one state of two that are at the same place, with the values of `other` where `is_other` holds.
    /// If they differ in more than values, `state` stays as it was and the result is `false`.
    fn merge(&mut self, state: &mut State, other: &State, is_other: Constraint) -> bool;

    /// The condition that all of these hold.
    fn all_of(&mut self, constraints: &[Constraint]) -> Constraint;

    /// The condition that one of these holds.
    fn any_of(&mut self, constraints: &[Constraint]) -> Constraint;
}
