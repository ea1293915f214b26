//! Guides: invariants of classes, bound to the machine's classes, that say which values the fields
//! of lazy objects can have.
//!
//! A lazy object whose class has an invariant is the root of a *structure*. [`evergreen_heap::Lazy`] chooses
//! the references that the invariant declares, with the pruning of its technique; plain fields stay inputs of
//! the machine, within the ranges that the invariant gives them. The structure's [`Partial`] is the input as
//! it was found, so writes do not change it. Each root owns its objects: two references may be to the same
//! root, but structures do not share what is below.

mod bind;
mod domain;

use std::rc::Rc;

use evergreen_classfile::ElementValue;
use evergreen_explore::Arm;
use evergreen_heap::{Choice, FieldId, Invariant, Lazy, Object, Partial, Scope, Technique, TooLarge};
use evergreen_symbolic::Cond;

pub(crate) use domain::Domain;

use crate::classes::{ClassId, FieldInfo, access};
use crate::describe::box_kind;
use crate::lazy::{LazyOptions, Offer, Offered, Purpose, Unread};
use crate::machine::Jvm;
use crate::native::Trap;
use crate::outcome::Ending;
use crate::state::{Pending, State};
use crate::value::{Kind, Value};

/// The annotation whose value is an invariant.
pub const ANNOTATION: &str = "Levergreen/Invariant;";

/// The invariant of a class, as it was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClassInvariant {
    /// The class of the root object, by its name in Java.
    pub class: String,
    /// Its text.
    pub text: String,
    /// Where it comes from, for messages.
    pub origin: String,
}

/// Makes the [`evergreen_heap::Lazy`] that offers choices, for instance from stored bounds and verdicts.
pub type MakeLazy =
    Box<dyn FnMut(&ClassInvariant, Rc<Invariant>, &Scope, Technique) -> Result<Lazy<'static>, TooLarge>>;

/// An invariant, bound to classes, and what offers choices under it.
pub struct Guide {
    /// Offers choices; completes structures.
    pub lazy: Lazy<'static>,
    /// The machine's class of each class of the invariant.
    classes: Vec<ClassId>,
    /// For each class of the invariant, the plan for each slot of its objects.
    plans: Vec<Box<[Option<Plan>]>>,
}

/// The declaration of a field in an invariant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Plan {
    /// It declares it.
    Declared(FieldId),
    /// It is null.
    Null,
    /// It holds what a static field does: its class and slot.
    Static(ClassId, u32),
}

impl Guide {
    /// The invariant.
    pub fn invariant(&self) -> &Rc<Invariant> {
        self.lazy.invariant()
    }

    /// The machine's classes of all classes of the invariant, the root's first.
    pub fn classes(&self) -> &[ClassId] {
        &self.classes
    }

    /// The machine's class of a class of the invariant.
    pub fn class(&self, class: evergreen_heap::ClassId) -> ClassId {
        self.classes[usize::from(class.0)]
    }

    /// The plan for a slot of an object.
    pub fn plan(&self, class: evergreen_heap::ClassId, slot: usize) -> Option<Plan> {
        self.plans[usize::from(class.0)].get(slot).copied().flatten()
    }

    /// Where objects of a class have a field.
    pub fn slot(&self, class: evergreen_heap::ClassId, field: FieldId) -> Option<usize> {
        self.plans[usize::from(class.0)].iter().position(|plan| *plan == Some(Plan::Declared(field)))
    }
}

/// A root object and the objects found below it.
#[derive(Clone, Debug)]
pub struct Structure {
    /// Which guide it follows: see [`Jvm::guide`].
    pub guide: usize,
    /// The objects found; plain fields are unknown unless the path fixes them.
    pub partial: Rc<Partial>,
}

/// The place of a lazy object in a structure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct At {
    /// Which structure.
    pub structure: usize,
    /// Which of its objects.
    pub object: Object,
}

/// Arms of a choice are numbered alike on every path: null, objects, new ones.
fn number(choice: Choice) -> u32 {
    match choice {
        Choice::Null | Choice::Int(_) => 0,
        Choice::Existing(object) => 1 + u32::from(object.0),
        Choice::New(class) => 256 + u32::from(class.0),
    }
}

fn numbered(number: u32) -> Choice {
    match number {
        0 => Choice::Null,
        1..256 => Choice::Existing(Object((number - 1) as u8)),
        _ => Choice::New(evergreen_heap::ClassId((number - 256) as u8)),
    }
}

impl Jvm {
    /// A guide.
    pub fn guide(&mut self, guide: usize) -> &mut Guide {
        &mut self.guides[guide]
    }

    /// The guide for objects of a class, made when it is first needed: that of the class, or of the
    /// nearest one that it extends.
    ///
    /// # Errors
    /// The first error of the invariant.
    pub fn guide_of(&mut self, class: ClassId) -> Result<Option<usize>, String> {
        if let Some(known) = self.guide_numbers.get(&class) {
            return Ok(*known);
        }
        let Some(options) = self.options.lazy.clone() else { return Ok(None) };
        let found = match self.stated(class, &options) {
            Some(stated) => {
                let bound = self.bind(class, &stated)?;
                let guide = self.guide_under(bound, &stated, &options)?;
                self.guides.push(guide);
                Some(self.guides.len() - 1)
            }
            None => match self.class(class).superclass {
                Some(above) => self.guide_of(above)?,
                None => None,
            },
        };
        self.guide_numbers.insert(class, found);
        Ok(found)
    }

    /// The invariant of a class: one that was given, or its annotation.
    fn stated(&self, class: ClassId, options: &LazyOptions) -> Option<ClassInvariant> {
        let class = self.class(class);
        let name = class.java_name();
        if options.unread == Unread::Search {
            return None;
        }
        if let Some(given) = options.invariants.iter().find(|stated| stated.class == name) {
            return Some(given.clone());
        }
        match class.file()?.annotation(ANNOTATION)?.element("value")? {
            ElementValue::Text(text) => {
                let origin = format!("@Invariant of {name}");
                Some(ClassInvariant { class: name, text: text.to_string(), origin })
            }
            _ => None,
        }
    }

    /// A class by its internal name.
    pub fn find_class(&mut self, name: &str) -> Result<ClassId, Trap> {
        self.load(name)
    }

    /// Checks that the invariants of classes that the machine can find name existing classes and fields.
    ///
    /// # Errors
    /// The error of the first wrong invariant.
    pub fn check_invariants(&mut self) -> Result<(), String> {
        let Some(options) = self.options.lazy.clone() else { return Ok(()) };
        for stated in &options.invariants {
            if let Ok(class) = self.load(&stated.class.replace('.', "/")) {
                self.bind(class, stated)?;
            }
        }
        Ok(())
    }

    /// Makes guides anew when they are next needed: the options have changed.
    pub fn forget_guides(&mut self) {
        self.guides.clear();
        self.guide_numbers.clear();
    }

    /// Makes the guide of a class, and initializes all its classes, so that objects of them can be made.
    pub(crate) fn prepare_guide(&mut self, state: &mut State, class: ClassId) -> Result<(), Box<Trap>> {
        let guide = self.guide_of(class).map_err(|what| Trap::unsupported(what, "correct the invariant"))?;
        let Some(guide) = guide else { return Ok(()) };
        for at in 0..self.guides[guide].classes.len() {
            let class = self.guides[guide].classes[at];
            if self.class(class).access & (access::ABSTRACT | access::INTERFACE) == 0 {
                self.require_init(state, class)?;
            }
        }
        Ok(())
    }

    /// The plan of an invariant for a slot of the lazy object at `place`.
    pub(crate) fn planned(&self, state: &State, place: usize, slot: usize) -> Option<(At, Plan)> {
        let at = state.lazy.objects[place].at?;
        let structure = &state.lazy.structures[at.structure];
        let class = structure.partial.heap.class(at.object);
        Some((at, self.guides[structure.guide].plan(class, slot)?))
    }

    /// The first read of a field that an invariant declares.
    pub(crate) fn initialize_guided(
        &mut self,
        state: &mut State,
        at: At,
        plan: Plan,
        place: usize,
        field: &FieldInfo,
    ) -> Result<Value, Box<Trap>> {
        let declared = match plan {
            Plan::Declared(declared) => declared,
            Plan::Null => return Ok(Value::Null),
            Plan::Static(class, slot) => {
                self.require_init(state, class)?;
                return Ok(state.get_static(slot));
            }
        };
        let slot = field.slot as usize;
        let guide = state.lazy.structures[at.structure].guide;
        let invariant = self.guides[guide].invariant().clone();
        if invariant.shape.target(declared).is_some() {
            let choice = self.choose_guided(state, at, declared, (place, slot))?;
            return Ok(self.take_guided(state, at, declared, choice, (place, slot)));
        }
        let others = self.guides[guide].lazy.scope().total() - 1;
        let range = invariant.shape.range(declared, others);
        match field.kind {
            Kind::Reference => {
                let class = self.box_of(state, &field.descriptor)?;
                let kind = box_kind(&self.class(class).name).unwrap_or(Kind::Int);
                let value = self.field_input(state, place, slot, kind, range);
                self.boxed(state, class, value)
            }
            kind => {
                let value = self.field_input(state, place, slot, kind, range);
                if let Value::Sym(expr) = value
                    && range.is_some()
                {
                    self.note_domain(state, at, declared, expr);
                }
                Ok(value)
            }
        }
    }

    /// The box that a reference of this type holds where the invariant has an integer.
    fn box_of(&mut self, state: &mut State, descriptor: &str) -> Result<ClassId, Box<Trap>> {
        let name = descriptor.strip_prefix('L').and_then(|name| name.strip_suffix(';'));
        let name = name.filter(|name| box_kind(name).is_some()).unwrap_or("java/lang/Integer");
        let class = self.load(name)?;
        self.require_init(state, class)?;
        Ok(class)
    }

    /// Which value it is on this path, among those that the technique leaves.
    fn choose_guided(
        &mut self,
        state: &mut State,
        at: At,
        field: FieldId,
        (place, slot): (usize, usize),
    ) -> Result<Choice, Box<Trap>> {
        let used = state.used;
        if let Some(answer) = state.choices().get(used).copied() {
            state.used += 1;
            return Ok(numbered(answer));
        }
        let kept = {
            let structure = &mut Rc::make_mut(&mut state.lazy).structures[at.structure];
            let lazy = &mut self.guides[structure.guide].lazy;
            let before = (lazy.pruned, lazy.counters());
            let kept = lazy.candidates(Rc::make_mut(&mut structure.partial), at.object, field);
            if state.lazy.purpose == Purpose::Path {
                self.lazy_counts.note(before, (lazy.pruned, lazy.counters()));
            }
            kept
        };
        match kept[..] {
            [] => return Err(Trap::End(Box::new(Ending::Invalid)).into()),
            [only] => return Ok(only),
            _ => {}
        }
        let site = self.site_here(state);
        let numbers: Rc<[u32]> = kept.iter().map(|choice| number(*choice)).collect();
        self.arms.clear();
        self.arms.extend(numbers.iter().map(|index| Arm { constraint: Cond::TRUE, site, index: *index }));
        let guide = state.lazy.structures[at.structure].guide;
        let offered = |choice: &Choice| match choice {
            Choice::Existing(object) => {
                let there = state.lazy.object_at(At { object: *object, ..at });
                // A path that has not met the object cannot choose it.
                there.map_or_else(|| Offered::New("".into()), Offered::There)
            }
            Choice::New(class) => {
                let class = self.guides[guide].class(*class);
                Offered::New(self.class(class).name.clone())
            }
            Choice::Null | Choice::Int(_) => Offered::Null,
        };
        let name = self.way_to(state, place, slot).into();
        let offer = Offer { name, ways: kept.iter().map(offered).collect() };
        state.pending = Some(Pending::Object(site, numbers, Rc::new(offer)));
        state.used = 0;
        Err(Trap::Choice.into())
    }

    /// Makes a choice the value of a field, in the structure and in the machine, which has it at `slot` of
    /// the lazy object at a place.
    pub(crate) fn take_guided(
        &mut self,
        state: &mut State,
        at: At,
        field: FieldId,
        choice: Choice,
        (place, slot): (usize, usize),
    ) -> Value {
        let structure = &mut Rc::make_mut(&mut state.lazy).structures[at.structure];
        let guide = &self.guides[structure.guide];
        let partial = Rc::make_mut(&mut structure.partial);
        guide.lazy.apply(partial, at.object, field, choice);
        match choice {
            Choice::Null | Choice::Int(_) => Value::Null,
            Choice::Existing(object) => {
                state.lazy.object_at(At { object, ..at }).map_or(Value::Null, Value::Ref)
            }
            Choice::New(class) => {
                let object = Object(partial.heap.len() as u8 - 1);
                let class = guide.class(class);
                let way = self.way_to(state, place, slot);
                Value::Ref(self.new_lazy_at(state, class, &way, Some(At { object, ..at })))
            }
        }
    }
}
