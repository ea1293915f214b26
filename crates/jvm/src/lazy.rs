//! Lazy objects: inputs whose fields get their values when they are first read [Khurshid TACAS'03].
//!
//! A lazy object begins with [`Value::Unset`] in every field. The first read of a primitive field makes it an input named by the way there
//! (`this.root.key`). The first read of a reference is a free choice: null, each lazy object that fits, a new one as long as the scope
//! allows. Inputs do not decide it, so nobody is asked ([`evergreen_explore::Pause::Choice`]). Arrays of primitives, strings, boxes and enums are made as
//! for parameters.
//!
//! A path may write what it has read. [`LazyHeap`] keeps the *input*: the objects as they were found, which is what preconditions are checked
//! on ([`crate::valid`]) and what test cases are made of.

use std::collections::BTreeMap;
use std::rc::Rc;

use evergreen_explore::Arm;
use evergreen_heap::feasible::Counters;
use evergreen_heap::lazy::Pruned;
use evergreen_heap::{Partial, Technique};
use evergreen_symbolic::{Assignment, Cond};

use crate::classes::{Class, ClassId, FieldInfo, access};
use crate::describe::{Described, box_kind};
use crate::entry::input_kind;
use crate::guide::{At, ClassInvariant, Structure};
use crate::machine::{Drawn, Jvm};
use crate::native::Trap;
use crate::object::Body;
use crate::outcome::Ending;
use crate::state::{Pending, State};
use crate::value::{Kind, Ref, Value};

/// How objects as inputs are made.
#[derive(Clone, Debug)]
pub struct LazyOptions {
    /// The most objects of one class.
    pub scope: u32,
    /// The same for some classes, by their names in Java.
    pub scopes: BTreeMap<String, u32>,
    /// The method without parameters that says whether an object is valid; empty: all are.
    pub rep_ok: String,
    /// What a check does where it meets a field that was not read yet.
    pub unread: Unread,
    /// What is known of the objects of some classes; [`crate::guide`].
    pub invariants: Vec<ClassInvariant>,
    /// What prunes choices where there is an invariant.
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

/// What a check of a partial structure does where it meets a field that was not read yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unread {
    /// It ends, and the structure may be valid.
    Unknown,
    /// It tries every value, the last field read first [Boyapati ISSTA'02].
    Search,
}

/// What lazy heaps did on all paths.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LazyCounts {
    /// Values of reference fields that were considered.
    pub considered: u64,
    /// Of these, dropped: no valid input has them.
    pub pruned: u64,
    /// Runs of checks.
    pub checks: u64,
    /// Checks that were given up; what they checked was kept.
    pub given_up: u64,
    /// Reads at which the scope kept a new object from being made.
    pub scoped: u64,
    /// Of those that were dropped: by field bounds.
    pub by_bounds: u64,
    /// By labels along the breadth-first prefix.
    pub by_labels: u64,
    /// Because the invariant is false of what is known.
    pub by_precondition: u64,
    /// Because no valid structure of the scope extends what is known.
    pub by_feasibility: u64,
    /// Questions to the SAT solver.
    pub sat_calls: u64,
}

impl LazyCounts {
    /// Adds what was done elsewhere.
    pub fn add(&mut self, other: &LazyCounts) {
        self.considered += other.considered;
        self.pruned += other.pruned;
        self.checks += other.checks;
        self.given_up += other.given_up;
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
    }
}

/// What a state is run for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Purpose {
    /// A path of the program: choices are checked before they are offered.
    #[default]
    Path,
    /// A check that ends where something was not read yet.
    Check,
    /// A check that makes what was not read yet.
    Complete,
}

/// A lazy object as it was found.
#[derive(Clone, Debug)]
pub struct LazyObject {
    /// The object.
    pub object: Ref,
    /// The way by which it was found first.
    pub name: Rc<str>,
    /// What its fields held at the start; [`Value::Unset`] where nobody looked.
    pub fields: Rc<[Value]>,
    /// Where it is in a structure, if an invariant says something of it.
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
}

impl LazyHeap {
    /// The structures: roots with an invariant, and what was found below them.
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
    pub name: Rc<str>,
    /// Internal name of its class.
    pub class: Rc<str>,
    /// The fields that were read, on the path or by a check: internal name of the class that declares it, name, what it held.
    pub fields: Vec<(Rc<str>, Rc<str>, InputValue)>,
}

/// What a field of an input held at the start.
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

    /// Notes what a field held at the start, and has it hold that.
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
        let class = self.class(class);
        let name = &class.name;
        let library = name.starts_with("java/util/") && !name[10..].contains('/');
        (class.user || library)
            && !class.is_array()
            && class.access & access::ENUM == 0
            && box_kind(name).is_none()
            && self.options.lazy.is_some()
    }

    /// The objects of a path's input under an assignment of the inputs, in the order in which they were found.
    pub fn input_objects(&self, state: &State, inputs: &Assignment) -> Vec<InputObject> {
        let mut start = state.clone();
        for (array, body) in &state.lazy.arrays {
            start.heap.get_mut(*array).body = body.clone();
        }
        let told = |value: Value, field: &FieldInfo| match value
            .as_ref()
            .and_then(|object| state.lazy.place(object))
        {
            Some(place) => InputValue::Object(place),
            None => InputValue::Plain(self.describe(&start, value, &field.descriptor, inputs)),
        };
        let object = |lazy: &LazyObject| {
            let class = self.class(state.heap.class_of(lazy.object));
            let read = class
                .instance_fields
                .iter()
                .zip(lazy.fields.iter())
                .filter(|(_, value)| **value != Value::Unset);
            let fields = read.map(|(field, value)| {
                (self.class(field.owner).name.clone(), field.name.clone(), told(*value, field))
            });
            InputObject { name: lazy.name.clone(), class: class.name.clone(), fields: fields.collect() }
        };
        state.lazy.objects.iter().map(object).collect()
    }

    /// A new lazy object, the root of a structure if its class has an invariant; its class is initialized.
    pub(crate) fn new_lazy(&mut self, state: &mut State, class: ClassId, name: &str) -> Ref {
        let at = self.guide_numbers.get(&class).copied().flatten().map(|guide| {
            let partial = Rc::new(Partial::new(self.guides[guide].invariant()));
            let structures = &mut state.lazy_mut().structures;
            structures.push(Structure { guide, partial });
            At { structure: structures.len() - 1, object: evergreen_heap::Object(0) }
        });
        self.new_lazy_at(state, class, name, at)
    }

    /// A new lazy object at a place of a structure, or of its own.
    pub(crate) fn new_lazy_at(
        &mut self,
        state: &mut State,
        class: ClassId,
        name: &str,
        at: Option<At>,
    ) -> Ref {
        let fields: Rc<[Value]> = self.class(class).instance_fields.iter().map(|_| Value::Unset).collect();
        let object = state.heap.new_object(class, Body::Fields(fields.clone()));
        state.lazy_mut().objects.push(LazyObject { object, name: name.into(), fields, at });
        object
    }

    /// The first read of a field of a lazy object.
    pub(crate) fn initialize_field(
        &mut self,
        state: &mut State,
        object: Ref,
        slot: usize,
    ) -> Result<Value, Box<Trap>> {
        let field = self.class(state.heap.class_of(object)).instance_fields.get(slot).cloned();
        let (Some(place), Some(field)) = (state.lazy.place(object), field) else {
            return Err(Trap::unsupported(
                "a copy of an object that is an input",
                "write a driver method that makes the object",
            )
            .into());
        };
        if state.lazy.purpose == Purpose::Check {
            return Err(Trap::unsupported("a field that was not read yet", "").into());
        }
        let name = format!("{}.{}", state.lazy.objects[place].name, field.name);
        let value = if let Some((at, plan)) = self.planned(state, place, slot) {
            self.initialize_guided(state, at, plan, &name, &field)?
        } else if field.kind == Kind::Reference {
            self.initialize_reference(state, &name, place, &field)?
        } else {
            self.field_input(&name, field.kind, None)
        };
        state.set_lazily(place, slot, value);
        Ok(value)
    }

    // An input, or what the caller of the exploration says that it is.
    pub(crate) fn field_input(&mut self, name: &str, kind: Kind, declared: Option<(i64, i64)>) -> Value {
        let range = match self.options.drawn.get(name) {
            Some(Drawn::Range(low, high)) => Some((*low, *high)),
            Some(Drawn::Whole(n)) if !matches!(kind, Kind::Float | Kind::Double) => Some((*n, *n)),
            _ => declared,
        };
        Value::Sym(self.exprs.borrow_mut().input(name, input_kind(kind), range))
    }

    fn initialize_reference(
        &mut self,
        state: &mut State,
        name: &str,
        place: usize,
        field: &FieldInfo,
    ) -> Result<Value, Box<Trap>> {
        match self.lazy_class(state, &field.descriptor)? {
            None => {
                let value = self.make_input(state, name, &field.descriptor)?;
                if let Value::Ref(array) = value
                    && state.heap.array_length(array).is_some()
                {
                    let body = state.heap.get(array).body.clone();
                    state.lazy_mut().arrays.push((array, body));
                }
                Ok(value)
            }
            Some(class) => {
                let mut all = self.candidates(state, class);
                if field.access & access::SYNTHETIC != 0 && field.name.starts_with("this$") {
                    // The object that an inner class's object was made in.
                    all.retain(|candidate| matches!(candidate, Candidate::There(Value::Ref(_))));
                }
                let slot = field.slot as usize;
                let chosen = self.choose_candidate(state, &all, |jvm, state, candidate| {
                    let value = jvm.take_candidate(state, candidate, name);
                    state.set_lazily(place, slot, value);
                })?;
                Ok(self.take_candidate(state, chosen, name))
            }
        }
    }

    /// The class of a reference whose objects are lazy; it is initialized.
    pub(crate) fn lazy_class(
        &mut self,
        state: &mut State,
        descriptor: &str,
    ) -> Result<Option<ClassId>, Box<Trap>> {
        let Some(name) = descriptor.strip_prefix('L').and_then(|name| name.strip_suffix(';')) else {
            return Ok(None);
        };
        let Ok(class) = self.load(name) else { return Ok(None) };
        if !self.can_be_lazy(class) {
            return Ok(None);
        }
        if self.class(class).access & (access::ABSTRACT | access::INTERFACE) == 0 {
            self.require_init(state, class)?;
            self.prepare_guide(state, class)?;
        }
        Ok(Some(class))
    }

    /// What a reference to `class` can be: null, objects that are there, a new one.
    pub(crate) fn candidates(&mut self, state: &mut State, class: ClassId) -> Vec<Candidate> {
        let mut all = vec![Candidate::There(Value::Null)];
        let mut there = 0;
        for lazy in &state.lazy.objects {
            let found = state.heap.class_of(lazy.object);
            there += u32::from(found == class);
            if self.class(found).is_assignable_to(class) {
                all.push(Candidate::There(Value::Ref(lazy.object)));
            }
        }
        if self.class(class).access & (access::ABSTRACT | access::INTERFACE) != 0 {
            state.partial = true;
        } else if there < self.scope(class) {
            all.push(Candidate::New(class));
        }
        all
    }

    fn scope(&self, class: ClassId) -> u32 {
        let Some(options) = &self.options.lazy else { return 0 };
        options.scope_of(self.class(class)).unwrap_or(options.scope)
    }

    /// Makes a candidate the value of a reference.
    pub(crate) fn take_candidate(&mut self, state: &mut State, candidate: Candidate, name: &str) -> Value {
        match candidate {
            Candidate::There(value) => value,
            Candidate::New(class) => Value::Ref(self.new_lazy(state, class, name)),
        }
    }

    /// Which candidate it is on this path, among those that a valid input can have; `apply` makes one the value.
    pub(crate) fn choose_candidate(
        &mut self,
        state: &mut State,
        all: &[Candidate],
        apply: impl Fn(&mut Jvm, &mut State, Candidate),
    ) -> Result<Candidate, Box<Trap>> {
        let used = state.used;
        if let Some(answer) = state.choices().get(used).copied() {
            state.used += 1;
            return Ok(all[answer as usize]);
        }
        let all_there = all.iter().all(|candidate| matches!(candidate, Candidate::There(_)));
        self.lazy_counts.scoped += u64::from(all_there && state.lazy.purpose == Purpose::Path);
        let mut kept: Vec<u32> = Vec::new();
        for (index, candidate) in all.iter().enumerate() {
            if state.lazy.purpose == Purpose::Path {
                self.lazy_counts.considered += 1;
                let mut next = state.clone();
                apply(self, &mut next, *candidate);
                if !self.may_be_valid(&next) {
                    self.lazy_counts.pruned += 1;
                    continue;
                }
            }
            kept.push(index as u32);
        }
        match kept[..] {
            [] => return Err(Trap::End(Box::new(Ending::Invalid)).into()),
            [only] => return Ok(all[only as usize]),
            _ => {}
        }
        let site = self.site_here(state);
        self.arms.clear();
        self.arms.extend(kept.iter().map(|index| Arm { constraint: Cond::TRUE, site, index: *index }));
        state.pending = Some(Pending::Choice(site, kept.into()));
        state.used = 0;
        Err(Trap::Choice.into())
    }
}
