//! Lazy objects: inputs whose fields get their values when they are first read [Khurshid TACAS'03].
//!
//! A lazy object begins with [`Value::Unset`] in every field. The first read of a primitive field
//! makes it an input ([`name`]). The first read of a reference is a free choice: null, each lazy
//! object that fits, a new one as long as the scope allows. Inputs do not decide it, so the oracle is
//! not asked ([`evergreen_explore::Pause::Choice`]). Arrays of primitives, strings, boxes and enums
//! are made as for parameters.
//!
//! A path may overwrite the fields that it has read. [`LazyHeap`] keeps the *input*: the objects as they were
//! found. Preconditions are checked on the input ([`crate::valid`]), and test cases are made from it.

mod choose;
mod kinds;
mod name;
mod offer;
mod set;

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use evergreen_heap::feasible::Counters;
use evergreen_heap::lazy::Pruned;
use evergreen_heap::{Partial, Technique};
use evergreen_symbolic::Assignment;

use crate::classes::{Class, ClassId, FieldInfo, Shape, access};
use crate::describe::{Described, box_kind};
use crate::guide::{At, ClassInvariant, Domain, Plan, Structure};
use crate::machine::Jvm;
use crate::object::Body;
use crate::state::State;
use crate::value::{Ref, Value};

pub(crate) use choose::is_array_of_references;
pub(crate) use kinds::{Family, Kinds};
pub use name::input_place;
pub use offer::{CallName, Offer, Offered};

/// How objects as inputs are made.
#[derive(Clone, Debug)]
pub struct LazyOptions {
    /// The most objects of one class.
    pub scope: u32,
    /// The same for some classes, by their names in Java.
    pub scopes: BTreeMap<String, u32>,
    /// The method without parameters that says whether an object is valid; empty: all are.
    pub rep_ok: String,
    /// The behaviour of a check at a field that was not read yet.
    pub unread: Unread,
    /// Invariants of some classes; see [`crate::guide`].
    pub invariants: Vec<ClassInvariant>,
    /// The technique that prunes choices where there is an invariant.
    pub technique: Technique,
}

impl Default for LazyOptions {
    fn default() -> LazyOptions {
        LazyOptions {
            scope: 3,
            scopes: BTreeMap::new(),
            rep_ok: "repOK".into(),
            unread: Unread::Unknown,
            invariants: Vec::new(),
            technique: Technique::Li,
        }
    }
}

impl LazyOptions {
    /// The scope that was given for a class, by its name or the last part of it.
    pub(crate) fn scope_of(&self, class: &Class) -> Option<u32> {
        let name = class.java_name();
        let simple = name.rsplit(['.', '$']).next().unwrap_or(&name);
        self.scopes.get(&name).or_else(|| self.scopes.get(simple)).copied()
    }
}

/// The behaviour of a check of a partial structure at a field that was not read yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unread {
    /// It ends, and the structure may be valid.
    Unknown,
    /// It tries every value, the last field read first [Boyapati ISSTA'02].
    Search,
}

/// The counters of lazy heaps on all paths.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LazyCounts {
    /// Values of reference fields that were considered.
    pub considered: u64,
    /// Of these, dropped: no valid input has them.
    pub pruned: u64,
    /// Runs of checks.
    pub checks: u64,
    /// Checks that were given up; their candidates were kept.
    pub given_up: u64,
    /// Checks that were not run because the same structure had been checked.
    pub known: u64,
    /// Reads at which something was dropped that a larger scope may allow.
    pub scoped: u64,
    /// Of those that were dropped: by field bounds.
    pub by_bounds: u64,
    /// By labels along the breadth-first prefix.
    pub by_labels: u64,
    /// Because the invariant is false of the known fields.
    pub by_precondition: u64,
    /// Because no valid structure of the scope extends the known fields.
    pub by_feasibility: u64,
    /// Questions to the SAT solver.
    pub sat_calls: u64,
}

impl LazyCounts {
    /// Adds the counters of another machine.
    pub fn add(&mut self, other: &LazyCounts) {
        self.considered += other.considered;
        self.pruned += other.pruned;
        self.checks += other.checks;
        self.given_up += other.given_up;
        self.known += other.known;
        self.scoped += other.scoped;
        self.by_bounds += other.by_bounds;
        self.by_labels += other.by_labels;
        self.by_precondition += other.by_precondition;
        self.by_feasibility += other.by_feasibility;
        self.sat_calls += other.sat_calls;
    }

    /// Adds what a guide did between two moments.
    pub(crate) fn note(&mut self, before: (Pruned, Counters), after: (Pruned, Counters)) {
        let bounds = after.0.by_bounds - before.0.by_bounds;
        let labels = after.0.by_labels - before.0.by_labels;
        let precondition = after.0.by_precondition - before.0.by_precondition;
        let feasibility = after.0.by_feasibility - before.0.by_feasibility;
        self.considered += after.0.offered - before.0.offered;
        self.pruned += bounds + labels + precondition + feasibility;
        self.by_bounds += bounds;
        self.by_labels += labels;
        self.by_precondition += precondition;
        self.by_feasibility += feasibility;
        self.sat_calls += after.1.sat_calls - before.1.sat_calls;
        self.scoped += after.0.scoped - before.0.scoped;
    }
}

/// The purpose of running a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Purpose {
    /// A path of the program: choices are checked before they are offered.
    #[default]
    Path,
    /// A check that ends where something was not read yet.
    Check,
    /// A check that makes the values of fields not read yet.
    Complete,
}

/// A lazy object as it was found.
#[derive(Clone, Debug)]
pub struct LazyObject {
    /// The object.
    pub object: Ref,
    /// The way by which it was found first.
    pub name: Arc<str>,
    /// The initial values of its fields; [`Value::Unset`] where no read has happened.
    pub fields: Rc<[Value]>,
    /// Its place in a structure, if an invariant covers it.
    pub at: Option<At>,
}

/// The lazy objects of a path, in the order in which they were found.
#[derive(Clone, Debug, Default)]
pub struct LazyHeap {
    pub(crate) objects: Vec<LazyObject>,
    /// Arrays that fields held at the start, as they were then.
    pub(crate) arrays: Vec<(Ref, Body)>,
    pub(crate) purpose: Purpose,
    pub(crate) structures: Vec<Structure>,
    /// The domains of plain fields of structures on this path.
    pub(crate) domains: Vec<Domain>,
    /// No valid structure agrees with the path, which ends.
    pub(crate) impossible: bool,
}

impl LazyHeap {
    /// The structures: roots with an invariant, and the objects found below them.
    pub fn structures(&self) -> &[Structure] {
        &self.structures
    }

    /// The lazy object at a place of a structure.
    pub fn object_at(&self, at: At) -> Option<Ref> {
        self.objects.iter().find(|lazy| lazy.at == Some(at)).map(|lazy| lazy.object)
    }

    /// The objects.
    pub fn objects(&self) -> &[LazyObject] {
        &self.objects
    }

    /// The object, if it is lazy, by its place.
    pub fn place(&self, object: Ref) -> Option<usize> {
        self.objects.iter().position(|lazy| lazy.object == object)
    }

    /// Everything that must outlive collections: objects, and what their fields held.
    pub(crate) fn refs(&self) -> impl Iterator<Item = Ref> {
        let held =
            |lazy: &LazyObject| lazy.fields.iter().filter_map(|value| value.as_ref()).collect::<Vec<_>>();
        let arrays = self.arrays.iter().map(|(array, _)| *array);
        self.objects.iter().flat_map(move |lazy| held(lazy).into_iter().chain([lazy.object])).chain(arrays)
    }
}

/// An object of an input, for people and tests.
#[derive(Clone, PartialEq, Debug)]
pub struct InputObject {
    /// The way by which it was found first: `this.root.left`.
    pub name: Arc<str>,
    /// Internal name of its class; of an array of references a descriptor, `[LNode;`.
    pub class: Arc<str>,
    /// Of an array all elements, named by their indices. Of an object the fields that were read, on the path
    /// or by a check: internal name of the class that declares it, name, initial value.
    pub fields: Vec<(Arc<str>, Arc<str>, InputValue)>,
}

/// The initial value of a field of an input.
#[derive(Clone, PartialEq, Debug)]
pub enum InputValue {
    /// The object at this place among those of the input.
    Object(usize),
    /// Anything else.
    Plain(Described),
}

/// A value for a reference that was not read yet.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Candidate {
    /// One that is there, or null.
    There(Value),
    /// A new lazy object.
    New(ClassId),
}

impl State {
    /// The lazy objects of this path.
    pub fn lazy(&self) -> &LazyHeap {
        &self.lazy
    }

    pub(crate) fn lazy_mut(&mut self) -> &mut LazyHeap {
        Rc::make_mut(&mut self.lazy)
    }

    /// Records the initial value of a field, and sets the field to it.
    pub(crate) fn set_lazily(&mut self, place: usize, slot: usize, value: Value) {
        let lazy = &mut self.lazy_mut().objects[place];
        Rc::make_mut(&mut lazy.fields)[slot] = value;
        let object = lazy.object;
        self.heap.store(object, slot, value);
    }
}

impl Jvm {
    /// Whether objects of a class can be lazy: of the user's classes, and of collections.
    pub fn can_be_lazy(&self, class: ClassId) -> bool {
        self.options.lazy.is_some() && self.has_fields_of_its_own(class)
    }

    /// Whether a class is one of the program or a collection, and its objects are no values of the language.
    /// A record is what its constructor makes, and nothing else.
    pub(crate) fn has_fields_of_its_own(&self, class: ClassId) -> bool {
        let class = self.class(class);
        let name = &class.name;
        let library = name.starts_with("java/util/") && !name[10..].contains('/');
        (class.user || library)
            && !class.is_array()
            && class.access & access::ENUM == 0
            && box_kind(name).is_none()
            && class.file().is_none_or(|file| file.record.is_none())
    }

    /// The static field whose value a field of a lazy object has, if its invariant says so.
    fn static_of(&self, state: &State, lazy: &LazyObject, slot: usize) -> Option<Described> {
        let at = lazy.at?;
        let structure = state.lazy.structures.get(at.structure)?;
        let guide = self.guides.get(structure.guide)?;
        let Plan::Static(class, held) = guide.plan(structure.partial.heap.class(at.object), slot)? else {
            return None;
        };
        let class = self.class(class);
        let field = class.static_fields.iter().find(|field| field.slot == held)?;
        Some(Described::Static { class: class.name.clone(), name: field.name.clone() })
    }

    /// The objects of a path's input under an assignment of the inputs, in the order
    /// in which they were found.
    pub fn input_objects(&self, state: &State, inputs: &Assignment) -> Vec<InputObject> {
        let mut start = state.clone();
        for (array, body) in &state.lazy.arrays {
            start.heap.get_mut(*array).body = body.clone();
        }
        let told =
            |value: Value, descriptor: &str| match value.as_ref().and_then(|object| state.lazy.place(object))
            {
                Some(place) => InputValue::Object(place),
                None => InputValue::Plain(self.describe_input(&start, value, descriptor, inputs)),
            };
        let object = |lazy: &LazyObject| {
            let class = self.class(state.heap.class_of(lazy.object));
            let fields = if let Shape::Array { .. } = class.shape {
                // All elements, so that their number is known; unread elements are null.
                let element = |(at, value): (usize, &Value)| {
                    ("".into(), at.to_string().into(), told(*value, &class.name[1..]))
                };
                lazy.fields.iter().enumerate().map(element).collect()
            } else {
                let read = class.instance_fields.iter().zip(lazy.fields.iter());
                let read = read.filter(|(_, value)| **value != Value::Unset);
                let field = |(field, value): (&FieldInfo, &Value)| {
                    let owner = self.class(field.owner).name.clone();
                    let held = self.static_of(state, lazy, field.slot as usize).map(InputValue::Plain);
                    let held = held.unwrap_or_else(|| told(*value, &field.descriptor));
                    (owner, field.name.clone(), held)
                };
                read.map(field).collect()
            };
            InputObject { name: lazy.name.clone(), class: class.name.clone(), fields }
        };
        state.lazy.objects.iter().map(object).collect()
    }

    /// A new lazy object, the root of a structure if its class has an invariant; its class is initialized.
    pub(crate) fn new_lazy(&mut self, state: &mut State, class: ClassId, way: &str) -> Ref {
        let at = self.guide_numbers.get(&class).copied().flatten().map(|guide| {
            let partial = Rc::new(Partial::new(self.guides[guide].invariant()));
            let structures = &mut state.lazy_mut().structures;
            structures.push(Structure { guide, partial });
            At { structure: structures.len() - 1, object: evergreen_heap::Object(0) }
        });
        self.new_lazy_at(state, class, way, at)
    }

    /// A new lazy object at a place of a structure, or of its own.
    pub(crate) fn new_lazy_at(
        &mut self,
        state: &mut State,
        class: ClassId,
        way: &str,
        at: Option<At>,
    ) -> Ref {
        let fields: Rc<[Value]> = self.class(class).instance_fields.iter().map(|_| Value::Unset).collect();
        let object = state.heap.new_object(class, Body::Fields(fields.clone()));
        state.lazy_mut().objects.push(LazyObject { object, name: way.into(), fields, at });
        object
    }
}
