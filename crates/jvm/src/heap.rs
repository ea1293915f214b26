//! One path's objects, numbered by their places. [`crate::Jvm::collect`] frees those that nothing reaches.

use std::rc::Rc;

use crate::classes::ClassId;
use crate::collect::Free;
use crate::object::{Body, Object};
use crate::pvec::PVec;
use crate::value::{Ref, Value};

/// The objects of a state.
#[derive(Clone, Default)]
pub struct Heap {
    objects: PVec<Object>,
    free: Free,
    /// About how many bytes all objects take, dead ones included until they are collected.
    bytes: u64,
    /// How many objects there must be before the next collection.
    pub(crate) collect_at: usize,
    /// Objects below this place are never freed.
    pub(crate) pinned: usize,
}

impl Heap {
    /// Adds an object.
    pub fn add(&mut self, object: Object) -> Ref {
        self.bytes += object.body.bytes();
        match self.free.take() {
            Some(place) => {
                self.objects.set(place as usize, object);
                Ref(place)
            }
            None => Ref(self.objects.push(object) as u32),
        }
    }

    /// Adds an object of `class` with `body`.
    pub fn new_object(&mut self, class: ClassId, body: Body) -> Ref {
        self.add(Object { class, extra: 0, body })
    }

    /// How many places there are, free ones included: references are below this.
    pub fn len(&self) -> usize {
        self.objects.len()
    }

    /// How many objects there are.
    pub fn used(&self) -> usize {
        self.objects.len() - self.free.len()
    }

    /// Whether no place was freed so far: then the places of new objects are above all others.
    pub(crate) fn is_whole(&self) -> bool {
        self.free.len() == 0 && self.collect_at == 0
    }

    /// Keeps all objects below a place, whether they are reached or not.
    pub(crate) fn pin(&mut self, below: usize) {
        self.pinned = below;
    }

    /// Where another heap may have other objects.
    pub(crate) fn different(&self, other: &Heap) -> Vec<usize> {
        self.objects.different(&other.objects)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// About how many bytes the objects take.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Frees the places of objects that are not marked.
    pub(crate) fn sweep(&mut self, marked: &[bool]) {
        let mut free = Vec::new();
        self.bytes = 0;
        let dead = Object { class: ClassId(0), extra: 0, body: Body::Fields(Rc::new([])) };
        for (place, marked) in marked.iter().enumerate().rev() {
            if *marked {
                self.bytes += self.get(Ref(place as u32)).body.bytes();
            } else {
                self.objects.set(place, dead.clone());
                free.push(place as u32);
            }
        }
        self.free = Free::new(free);
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
