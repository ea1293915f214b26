//! The candidates of a free choice, for seeds and replays, which know the candidate that an input takes.

use std::rc::Rc;
use std::sync::Arc;

use super::Candidate;
use crate::machine::Jvm;
use crate::state::{Pending, State};
use crate::value::{Ref, Value};

/// A free choice that a state waits at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offer {
    /// The way to the reference.
    pub name: Arc<str>,
    /// The candidates, in the order of the arms.
    pub ways: Vec<Offered>,
}

/// A candidate for a reference.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Offered {
    /// Null.
    Null,
    /// An object that is there.
    There(Ref),
    /// A new object of this class, by its internal name.
    New(Arc<str>),
    /// What this call makes.
    Call(CallName),
}

/// A constructor or a static method.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallName {
    /// Internal name of its class.
    pub class: Arc<str>,
    /// `<init>` of a constructor.
    pub method: Arc<str>,
    /// Its descriptor.
    pub descriptor: Arc<str>,
}

impl Jvm {
    /// The offer of a state that waits at a free choice.
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

    /// The names of the inputs at the places of lazy objects that a path has read.
    pub fn read_inputs(&self, state: &State) -> Vec<String> {
        let mut names = Vec::new();
        for (place, lazy) in state.lazy.objects.iter().enumerate() {
            let read = lazy.fields.iter().enumerate().filter(|(_, value)| **value != Value::Unset);
            names.extend(read.map(|(slot, _)| self.input_name(state, place, slot)));
        }
        names
    }
}
