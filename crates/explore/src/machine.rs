//! The interface to a program: an interpreter of states that stops where it has a choice.

use std::hash::Hash;
use std::rc::Rc;

/// A place in the program where paths part; the machine numbers its places as it meets them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Site(pub u32);

/// One way on from a branch.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Arm<C> {
    /// The constraint of this arm.
    pub constraint: C,
    /// Where the branch is.
    pub site: Site,
    /// Which way it is, among all ways that the place has; stable from run to run.
    pub index: u32,
}

/// Why a machine stopped.
#[derive(Clone, PartialEq, Debug)]
pub enum Pause<O> {
    /// The path branches: the arms exclude each other and cover every case.
    Branch,
    /// The same, but inputs are free to take any arm (which object a field of an input holds, say): the
    /// explorer neither asks the oracle nor reads the constraints of the arms.
    Choice,
    /// The path is over.
    Ended(O),
    /// The steps are used up; running on continues.
    OutOfSteps,
    /// The state is at the end of the region that it is in, see [`crate::Merging`]; running on continues
    /// after [`crate::Merging::leave`].
    Met,
}

/// How the end of a path and that of the merged state that it stands for agree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// Both return, or both fail in the same way.
    For,
    /// The machine could not follow the merged state to an end of the program, and the path it could.
    Beside,
    /// The program ends in two ways with the same inputs: a fault of the machine.
    Against,
}

/// A jump that numbers decide, and how far it is from going the other way.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Nearby {
    /// Where it is.
    pub site: Site,
    /// Which of its two ways was taken.
    pub arm: u32,
    /// How far the compared numbers are from taking the other one; smaller is nearer.
    pub distance: f64,
}

/// A value that a program compares others with.
#[derive(Clone, PartialEq, Debug)]
pub enum Hint {
    /// A text, as UTF-16.
    Text(Rc<[u16]>),
    /// A number; of whole ones those that a float has.
    Number(f64),
}

/// What lets a run that is tried go on behind another blocked operation: the conditions that fix the inputs
/// of a constraint.
pub type Fixing<'f, C> = &'f mut dyn FnMut(C) -> Option<Vec<C>>;

/// An interpreter whose states can be copied at a branch.
///
/// The machine holds what all paths share (the program, its expressions); a state is what one path has of its
/// own, and cloning one is cheap. A machine never asks whether an arm is feasible.
pub trait Machine {
    /// One path's state.
    type State: Clone;
    /// A condition on the inputs.
    type Constraint: Copy + Eq + Hash;
    /// How a path ends.
    type Outcome;

    /// Runs `state` until a choice, the end of its path, or until `steps` instructions are used up.
    ///
    /// On [`Pause::Branch`] and [`Pause::Choice`] `arms` holds the ways on, in the machine's order (the true
    /// arm first), and `state` waits for [`Machine::take`].
    fn run(
        &mut self,
        state: &mut Self::State,
        steps: u64,
        arms: &mut Vec<Arm<Self::Constraint>>,
    ) -> Pause<Self::Outcome>;

    /// Commits a state that waits at a branch to one of its arms, by position in `arms`.
    fn take(&mut self, state: &mut Self::State, arm: usize);

    /// The end of a merged state is returned as that of one of its paths: has that end say what the merged
    /// one says of all its paths, as which bounds they met, and compares both.
    fn stands_for(
        &self,
        _path: (&mut Self::State, &mut Self::Outcome),
        _merged: (&Self::State, &Self::Outcome),
    ) -> Standing {
        Standing::For
    }

    /// What merges states, if the machine can.
    fn merging(&mut self) -> Option<&mut dyn crate::Merging<Self::State, Self::Constraint>> {
        None
    }

    /// Where a path has ended because the machine cannot follow it with symbols: an arm whose constraint
    /// depends on the inputs that would have to be numbers. `None` if numbers would not help.
    fn blocked(&mut self, _state: &Self::State, _outcome: &Self::Outcome) -> Option<Arm<Self::Constraint>> {
        None
    }

    /// Lets a blocked state go on: each of the conditions gives an input its value.
    fn fix(&mut self, _state: &mut Self::State, _fixed: &[Self::Constraint]) {}

    /// The jumps that a blocked state takes if these conditions fix its inputs: in the user's code, up to the
    /// next choice, as long as `steps` last, which are used up. The state is not changed. A run that is
    /// blocked again asks `more` what fixes the inputs there.
    fn nearby(
        &mut self,
        _state: &Self::State,
        _fixed: &[Self::Constraint],
        _more: Fixing<'_, Self::Constraint>,
        _steps: &mut u64,
    ) -> Vec<Nearby> {
        Vec::new()
    }

    /// Values that the program may compare with what a blocked state computes, each once: those of its code,
    /// and those that it was seen to compare with since this was asked for last.
    fn hints(&mut self, _state: &Self::State) -> Vec<Hint> {
        Vec::new()
    }

    /// Whether a path has ended because there is no such input.
    fn refuses(&self, _outcome: &Self::Outcome) -> bool {
        false
    }

    /// Instructions that the path of `state` has executed so far, counted from its start.
    fn steps(&self, state: &Self::State) -> u64;
}
