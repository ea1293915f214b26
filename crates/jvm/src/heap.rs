//! One path's objects. Nothing is ever collected: a path is short-lived, and a bound stops those that are not.

use crate::classes::ClassId;
use crate::object::{Body, Object};
use crate::pvec::PVec;
use crate::value::{Ref, Value};

/// The objects of a state, numbered in the order they were made.
#[derive(Clone, Default)]
pub struct Heap {
    objects: PVec<Object>,
}

impl Heap {
    /// Adds an object.
    pub fn add(&mut self, object: Object) -> Ref {
        Ref(self.objects.push(object) as u32)
    }

    /// Adds an object of `class` with `body`.
    pub fn new_object(&mut self, class: ClassId, body: Body) -> Ref {
        self.add(Object { class, extra: 0, body })
    }

    /// How many objects there are.
    pub fn len(&self) -> usize {
        self.objects.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// An object. References are made by this heap only, so there is one for each.
    #[inline]
    pub fn get(&self, object: Ref) -> &Object {
        self.objects.get(object.0 as usize).expect("a reference of another state's heap")
    }

    /// An object, to be written.
    #[inline]
    pub fn get_mut(&mut self, object: Ref) -> &mut Object {
        self.objects.get_mut(object.0 as usize).expect("a reference of another state's heap")
    }

    /// The class of an object.
    #[inline]
    pub fn class_of(&self, object: Ref) -> ClassId {
        self.get(object).class
    }

    /// A field or element; `Null` if there is no such place, which linked code never asks for.
    #[inline]
    pub fn load(&self, object: Ref, index: usize) -> Value {
        self.get(object).body.get(index).unwrap_or(Value::Null)
    }

    /// Writes a field or element.
    #[inline]
    pub fn store(&mut self, object: Ref, index: usize, value: Value) {
        self.get_mut(object).body.set(index, value);
    }

    /// The length of an array; `None` if the object is none.
    pub fn array_length(&self, array: Ref) -> Option<usize> {
        self.get(array).body.array_length()
    }
}
