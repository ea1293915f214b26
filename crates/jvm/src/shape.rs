//! The shapes of lazy objects beyond the values that were read: all their fields, and the restrictions of
//! an invariant. For drawings.

use std::sync::Arc;

use evergreen_heap::invariant::Kind as Declared;

use crate::guide::{At, Plan};
use crate::lazy::LazyObject;
use crate::machine::Jvm;
use crate::state::State;
use crate::value::{Kind, Ref, Value};

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

/// The moment of a path at which objects are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moment {
    /// The input, as far as the path has read it.
    Input,
    /// The end of the path.
    End,
}

/// A reference field in an outline that was not read.
pub const UNREAD: u8 = 253;
/// What else it holds where that is no object that was met before.
const NULL: u8 = 254;
const NEW: u8 = 255;

impl Jvm {
    /// The links of the objects that are reachable from the first lazy object, depth first: two paths have
    /// the same outline if and only if their structures are isomorphic as far as they are known. Links that
    /// `leads` does not name are left out, and so are values of primitive types.
    pub fn outline(&self, state: &State, moment: Moment, leads: impl Fn(&str) -> bool) -> Vec<u8> {
        let mut met: Vec<Ref> = Vec::new();
        let mut outline = Vec::new();
        let mut open: Vec<Ref> = state.lazy().objects().first().map(|lazy| lazy.object).into_iter().collect();
        met.extend(&open);
        while let Some(object) = open.pop() {
            let class = self.class(state.heap.class_of(object));
            let input = state.lazy().objects().iter().find(|lazy| lazy.object == object);
            let first = open.len();
            for (slot, field) in class.instance_fields.iter().enumerate() {
                if field.kind != Kind::Reference || !leads(&field.name) {
                    continue;
                }
                let value = match (moment, input) {
                    (Moment::Input, Some(lazy)) => lazy.fields[slot],
                    _ => state.heap.load(object, slot),
                };
                outline.push(match value {
                    Value::Unset => UNREAD,
                    Value::Ref(to) => match met.iter().position(|old| *old == to) {
                        Some(place) => u8::try_from(place).unwrap_or(NEW - 3),
                        None => {
                            met.push(to);
                            open.insert(first, to);
                            NEW
                        }
                    },
                    _ => NULL,
                });
            }
        }
        outline
    }

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
