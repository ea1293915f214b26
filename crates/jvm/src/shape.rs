//! The shapes of lazy objects beyond the values that were read: all their fields, and the restrictions of
//! an invariant. For drawings.

use std::sync::Arc;

use evergreen_heap::invariant::Kind as Declared;

use crate::guide::{At, Plan};
use crate::lazy::LazyObject;
use crate::machine::Jvm;
use crate::state::State;
use crate::value::Kind;

/// The shape of a lazy object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObjectShape {
    /// Its fields, read or not, in the order of the class.
    pub fields: Vec<FieldShape>,
    /// The places that it may have in a breadth-first walk of its structure, the root being at 0, as bits;
    /// `None` where nothing bounds them.
    pub labels: Option<u64>,
}

/// The shape of a field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FieldShape {
    /// Its name.
    pub name: Arc<str>,
    /// Whether it holds objects.
    pub is_reference: bool,
    /// Whether it is a back reference, if an invariant declares it.
    pub leads_back: Option<bool>,
    /// The names that an invariant has for its values, from 0 on.
    pub constants: Vec<String>,
}

impl Jvm {
    /// The shapes of a path's lazy objects, in the order in which they were found.
    pub fn object_shapes(&self, state: &State) -> Vec<ObjectShape> {
        state.lazy().objects().iter().map(|lazy| self.shape(state, lazy)).collect()
    }

    fn shape(&self, state: &State, lazy: &LazyObject) -> ObjectShape {
        let class = self.class(state.heap.class_of(lazy.object));
        let fields = class.instance_fields.iter().enumerate().map(|(slot, field)| {
            let mut shape = FieldShape {
                name: field.name.clone(),
                is_reference: field.kind == Kind::Reference,
                leads_back: None,
                constants: Vec::new(),
            };
            match lazy.at.and_then(|at| self.declared_kind(state, at, slot)) {
                Some(Declared::Reference { back, .. }) => shape.leads_back = Some(*back),
                Some(Declared::Enum(names)) => {
                    shape.is_reference = false;
                    shape.constants.clone_from(names);
                }
                Some(_) => shape.is_reference = false,
                None => {}
            }
            shape
        });
        let labels = lazy.at.and_then(|at| {
            let labels = &state.lazy().structures().get(at.structure)?.partial.labels;
            labels.get(usize::from(at.object.0)).copied()
        });
        ObjectShape { fields: fields.collect(), labels: labels.filter(|labels| *labels != u64::MAX) }
    }

    fn declared_kind(&self, state: &State, at: At, slot: usize) -> Option<&Declared> {
        let structure = state.lazy().structures().get(at.structure)?;
        let guide = self.guides.get(structure.guide)?;
        match guide.plan(structure.partial.heap.class(at.object), slot)? {
            Plan::Declared(field) => Some(guide.invariant().shape.kind(field)),
            _ => None,
        }
    }
}
