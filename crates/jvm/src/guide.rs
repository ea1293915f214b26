//! Guides: invariants of classes, bound to the machine's classes, that say which values the fields of lazy objects can have.
//!
//! A lazy object whose class has an invariant is the root of a *structure*. Its references that the invariant declares are chosen by
//! [`evergreen_heap::Lazy`], with whatever the technique prunes; plain fields stay inputs of the machine, within the ranges that the invariant gives
//! them. The structure's [`Partial`] is the input as it was found, so writes do not change it. Each root owns its objects: two references
//! may be to the same root, but structures do not share what is below.

use std::rc::Rc;

use evergreen_explore::Arm;
use evergreen_heap::invariant::Kind as Declared;
use evergreen_heap::{Choice, FieldId, Invariant, Lazy, Object, Partial, Scope};
use evergreen_symbolic::Cond;

use crate::classes::{ClassId, FieldInfo, access};
use crate::describe::box_kind;
use crate::lazy::{LazyOptions, Purpose};
use crate::machine::Jvm;
use crate::native::Trap;
use crate::outcome::Ending;
use crate::state::{Pending, State};
use crate::value::{Kind, Value};

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

/// An invariant, bound to classes, and what offers choices under it.
pub struct Guide {
    /// Offers choices; completes structures.
    pub lazy: Lazy<'static>,
    /// The machine's class of each class of the invariant.
    classes: Vec<ClassId>,
    /// For each class of the invariant, what is declared of each slot of its objects.
    fields: Vec<Box<[Option<FieldId>]>>,
}

impl Guide {
    /// The invariant.
    pub fn invariant(&self) -> &Rc<Invariant> {
        self.lazy.invariant()
    }

    /// The machine's class of a class of the invariant.
    pub fn class(&self, class: evergreen_heap::ClassId) -> ClassId {
        self.classes[usize::from(class.0)]
    }

    /// What is declared of a slot of an object.
    pub fn field(&self, class: evergreen_heap::ClassId, slot: usize) -> Option<FieldId> {
        self.fields[usize::from(class.0)].get(slot).copied().flatten()
    }

    /// Where objects of a class have a field.
    pub fn slot(&self, class: evergreen_heap::ClassId, field: FieldId) -> Option<usize> {
        self.fields[usize::from(class.0)].iter().position(|declared| *declared == Some(field))
    }
}

/// A root object and what was found below it.
#[derive(Clone, Debug)]
pub struct Structure {
    /// Which guide it follows: see [`Jvm::guide`].
    pub guide: usize,
    /// What was found; plain fields are unknown unless the path fixes them.
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

    /// The guide for objects of a class, made when it is first needed: that of the class, or of the nearest one that it extends.
    ///
    /// # Errors
    /// What is wrong with the invariant.
    pub fn guide_of(&mut self, class: ClassId) -> Result<Option<usize>, String> {
        if let Some(known) = self.guide_numbers.get(&class) {
            return Ok(*known);
        }
        let Some(options) = self.options.lazy.clone() else { return Ok(None) };
        let name = self.class(class).java_name();
        let found = match options.invariants.iter().find(|stated| stated.class == name) {
            Some(stated) => {
                let guide = self.bind(class, stated, &options)?;
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

    /// Makes guides anew when they are next needed: the options have changed.
    pub fn forget_guides(&mut self) {
        self.guides.clear();
        self.guide_numbers.clear();
    }

    fn bind(
        &mut self,
        root: ClassId,
        stated: &ClassInvariant,
        options: &LazyOptions,
    ) -> Result<Guide, String> {
        let wrong = |what: &dyn std::fmt::Display| format!("{}:{what}", stated.origin);
        let invariant = Rc::new(evergreen_heap::parse(&stated.text).map_err(|e| wrong(&e))?);
        let mut classes = vec![root];
        for class in &invariant.shape.classes[1..] {
            let found = self.class_near(root, &class.name);
            classes.push(found.ok_or_else(|| wrong(&format!(" no class \"{}\"", class.name)))?);
        }
        let mut fields = Vec::new();
        for (class, found) in invariant.shape.classes.iter().zip(&classes) {
            let found = self.class(*found).clone();
            let mut declared: Box<[Option<FieldId>]> = found.instance_fields.iter().map(|_| None).collect();
            for field in &class.fields {
                let name = &invariant.shape.fields[usize::from(field.0)].name;
                let own = found.instance_fields.iter().rposition(|own| *own.name == **name);
                let own = own.ok_or_else(|| wrong(&format!(" no field \"{name}\"")))?;
                declared[own] = Some(*field);
            }
            fields.push(declared);
        }
        let scope = self.scope_of(&invariant, &classes, options);
        let lazy = Lazy::new(invariant, &scope, options.technique).map_err(|e| wrong(&e))?;
        Ok(Guide { lazy, classes, fields })
    }

    /// A class by its simple name: nested in `root` or beside it.
    fn class_near(&mut self, root: ClassId, name: &str) -> Option<ClassId> {
        let root = self.class(root).name.clone();
        let package = root.rfind('/').map_or("", |at| &root[..=at]);
        let mut places = vec![format!("{root}${name}")];
        let mut outer: &str = &root;
        while let Some(at) = outer.rfind('$') {
            outer = &outer[..at];
            places.push(format!("{outer}${name}"));
        }
        places.push(format!("{package}{name}"));
        places.into_iter().find_map(|place| self.load(&place).ok())
    }

    fn scope_of(&self, invariant: &Invariant, classes: &[ClassId], options: &LazyOptions) -> Scope {
        let mut scope = Scope::each(invariant, options.scope as usize);
        let shape = &invariant.shape;
        for (at, class) in classes.iter().enumerate() {
            let class = self.class(*class);
            let id = evergreen_heap::ClassId(at as u8);
            let simple = class.name.rsplit(['/', '$']).next().unwrap_or(&class.name);
            let wanted = options.scopes.get(&class.java_name()).or_else(|| options.scopes.get(simple));
            let held = (0..shape.fields.len() as u8).map(FieldId).any(|field| {
                matches!(shape.kind(field), Declared::Reference { target, back: false } if shape.is(id, *target))
            });
            if class.access & (access::ABSTRACT | access::INTERFACE) != 0 && at > 0 {
                scope = scope.with(id, 0);
            } else if let Some(wanted) = wanted {
                scope = scope.with(id, *wanted as usize);
            } else if at == 0 && held {
                scope = scope.with(id, options.scope as usize);
            }
        }
        scope
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

    /// What an invariant declares of a slot of the lazy object at `place`.
    pub(crate) fn declared(&self, state: &State, place: usize, slot: usize) -> Option<(At, FieldId)> {
        let at = state.lazy.objects[place].at?;
        let structure = &state.lazy.structures[at.structure];
        let class = structure.partial.heap.class(at.object);
        Some((at, self.guides[structure.guide].field(class, slot)?))
    }

    /// The first read of a field that an invariant declares.
    pub(crate) fn initialize_guided(
        &mut self,
        state: &mut State,
        at: At,
        declared: FieldId,
        name: &str,
        field: &FieldInfo,
    ) -> Result<Value, Box<Trap>> {
        let guide = state.lazy.structures[at.structure].guide;
        let invariant = self.guides[guide].invariant().clone();
        if invariant.shape.target(declared).is_some() {
            let choice = self.choose_guided(state, at, declared)?;
            return Ok(self.take_guided(state, at, declared, choice, name));
        }
        let others = self.guides[guide].lazy.scope().total() - 1;
        let range = invariant.shape.range(declared, others);
        match field.kind {
            Kind::Reference => {
                let class = self.box_of(state, &field.descriptor)?;
                let kind = box_kind(&self.class(class).name).unwrap_or(Kind::Int);
                let value = self.field_input(name, kind, range);
                self.boxed(state, class, value)
            }
            kind => Ok(self.field_input(name, kind, range)),
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
        state.pending = Some(Pending::Choice(site, numbers));
        state.used = 0;
        Err(Trap::Choice.into())
    }

    /// Makes a choice the value of a field, in the structure and in the machine.
    pub(crate) fn take_guided(
        &mut self,
        state: &mut State,
        at: At,
        field: FieldId,
        choice: Choice,
        name: &str,
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
                Value::Ref(self.new_lazy_at(state, class, name, Some(At { object, ..at })))
            }
        }
    }
}
