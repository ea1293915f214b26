//! What a free choice offers, for those who know which way an input goes.

use std::rc::Rc;

use super::Candidate;
use crate::classes::Shape;
use crate::machine::Jvm;
use crate::state::{Pending, State};
use crate::value::{Ref, Value};

/// A free choice that a state waits at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offer {
    /// The way to the reference.
    pub name: Rc<str>,
    /// What it can be, in the order of the arms.
    pub ways: Vec<Offered>,
}

/// What a reference can be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Offered {
    /// Null.
    Null,
    /// An object that is there.
    There(Ref),
    /// A new object of this class, by its internal name.
    New(Rc<str>),
}

impl Jvm {
    /// What a state offers that waits at a free choice.
    pub fn offered(&self, state: &State) -> Option<Rc<Offer>> {
        match &state.pending {
            Some(Pending::Object(_, _, offer)) => Some(offer.clone()),
            _ => None,
        }
    }

    pub(crate) fn offered_by(&self, candidate: Candidate) -> Offered {
        match candidate {
            Candidate::There(Value::Ref(object)) => Offered::There(object),
            Candidate::There(_) => Offered::Null,
            Candidate::New(class) => Offered::New(self.class(class).name.clone()),
        }
    }

    /// The ways to the places of lazy objects that a path has read, as the names of its inputs have them.
    pub fn input_ways(&self, state: &State) -> Vec<Rc<str>> {
        let mut ways = Vec::new();
        for lazy in &state.lazy.objects {
            let class = self.class(state.heap.class_of(lazy.object));
            let is_array = matches!(class.shape, Shape::Array { .. });
            ways.extend(is_array.then(|| lazy.name.clone()));
            let read = lazy.fields.iter().enumerate().filter(|(_, value)| **value != Value::Unset);
            ways.extend(read.map(|(slot, _)| match is_array {
                true => format!("{}[{slot}]", lazy.name).into(),
                false => self.way_to(class, slot, &lazy.name).into(),
            }));
        }
        ways
    }
}
