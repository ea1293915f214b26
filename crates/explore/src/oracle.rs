//! Who says which arms are feasible.

use crate::Path;

/// Whether a path can go on along an arm.
#[derive(Clone, PartialEq, Debug)]
pub enum Feasibility<M> {
    /// It can: a model of the path and the arm.
    Feasible(M),
    /// It cannot.
    Infeasible,
    /// Nobody could say. Never taken for either of the others.
    Unknown,
}

/// Answers whether arms are feasible. The path that is asked about is always known to be satisfiable.
pub trait Oracle<C> {
    /// Inputs that lead along a path; complete, so that every condition has a value.
    type Model: Clone;

    /// A model of the empty path: each input is in its range.
    fn start(&mut self) -> Self::Model;

    /// Whether a condition holds under a model; by evaluation, never by solving.
    fn holds(&mut self, constraint: C, model: &Self::Model) -> bool;

    /// Whether the path can go on along `arm`; `parent` is a model of the path.
    fn ask(&mut self, path: &Path<C>, parent: &Self::Model, arm: C) -> Feasibility<Self::Model>;

    /// The same where `seed` is not just some model of the path but a seed that goes another way here: it may take few changes to go along `arm`.
    fn ask_beside(&mut self, path: &Path<C>, seed: &Self::Model, arm: C) -> Feasibility<Self::Model> {
        self.ask(path, seed, arm)
    }

    /// A number that is larger for a more likely path, for [`crate::Order::Likely`].
    fn rank(&mut self, _path: &Path<C>) -> u64 {
        0
    }
}
