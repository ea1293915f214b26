//! The oracle: decides which arms are feasible.

use crate::{Hint, Path};

/// Whether a path can take an arm.
#[derive(Clone, PartialEq, Debug)]
pub enum Feasibility<M> {
    /// It can: a model of the path and the arm.
    Feasible(M),
    /// It cannot.
    Infeasible,
    /// The oracle could not decide. Never treated as one of the other two.
    Unknown,
}

/// The source of an answer about an arm. The oracle assigns the numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Answerer(u8);

impl Answerer {
    /// There are fewer than this.
    pub const MOST: usize = 24;

    /// The one with this number, which is less than [`Answerer::MOST`].
    pub fn new(number: usize) -> Answerer {
        assert!(number < Answerer::MOST, "answerer {number}");
        Answerer(number as u8)
    }

    /// The number.
    pub fn number(self) -> usize {
        self.0.into()
    }
}

/// Where the model that accompanies a question comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ModelOf {
    /// It is some model of the path.
    Path,
    /// It is a seed that takes another arm here: few changes may suffice to take this one.
    Seed,
}

/// Answers whether arms are feasible. The path that is asked about is always known to be satisfiable.
pub trait Oracle<C> {
    /// Inputs that lead along a path; complete, so that every condition has a value.
    type Model: Clone;

    /// A model of the empty path: each input is in its range.
    fn start(&mut self) -> Self::Model;

    /// Whether a condition holds under a model; by evaluation, never by solving.
    fn holds(&mut self, constraint: C, model: &Self::Model) -> bool;

    /// Whether the path can take `arm`; `parent` is a model of the path.
    fn ask(&mut self, path: &Path<C>, parent: &Self::Model, arm: C) -> Feasibility<Self::Model>;

    /// The same for an arm of a branch, with the source of the answer: the explorer calls this
    /// one and counts the sources.
    fn answer(
        &mut self,
        path: &Path<C>,
        (model, _): (&Self::Model, ModelOf),
        arm: C,
    ) -> (Feasibility<Self::Model>, Answerer) {
        (self.ask(path, model, arm), Answerer::default())
    }

    /// Conditions that fix the inputs on which some conditions depend to their values in a model. Together
    /// they say which of the conditions hold. `None` if inputs cannot be fixed.
    fn fix(&mut self, _constraints: &[C], _model: &Self::Model) -> Option<Vec<C>> {
        None
    }

    /// Other models of a path that fix the inputs on which a condition depends to other values: at most
    /// `most`, and as different as possible. `model` is the one that is at hand.
    fn others(
        &mut self,
        _path: &Path<C>,
        _constraint: C,
        _model: &Self::Model,
        _most: usize,
    ) -> Vec<Self::Model> {
        Vec::new()
    }

    /// How many inputs a condition depends on.
    fn width(&mut self, _constraint: C) -> usize {
        0
    }

    /// A model of a path with another value for one of the inputs on which a condition depends, by its place
    /// among them: moved by an amount. `None` if that is no model, or the same one.
    fn moved(
        &mut self,
        _path: &Path<C>,
        _constraint: C,
        _model: &Self::Model,
        _input: usize,
        _by: f64,
    ) -> Option<Self::Model> {
        None
    }

    /// Models of a path in which inputs on which a condition depends have a value that the program compares
    /// with, or one near it.
    fn hinted(
        &mut self,
        _path: &Path<C>,
        _constraint: C,
        _model: &Self::Model,
        _hint: &Hint,
    ) -> Vec<Self::Model> {
        Vec::new()
    }

    /// A model of a path in which some of the inputs on which a condition depends have other values, drawn at
    /// random: those of a number are always the same, and spread further for larger numbers. `None` if they
    /// are no model.
    fn drawn(
        &mut self,
        _path: &Path<C>,
        _constraint: C,
        _model: &Self::Model,
        _number: u32,
    ) -> Option<Self::Model> {
        None
    }

    /// Gives inputs random values, those from a place on in the order in which they were met, unless the path
    /// depends on them; the place of the next one. Values are a function of the number and of the input.
    fn scatter(&mut self, _model: &mut Self::Model, _path: &Path<C>, from: usize, _number: u32) -> usize {
        from
    }

    /// A number that is larger for a more likely path, for [`crate::Order::Likely`].
    fn rank(&mut self, _path: &Path<C>) -> u64 {
        0
    }
}
