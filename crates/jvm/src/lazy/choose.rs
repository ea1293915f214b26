//! First reads: the value that a field of a lazy object, or an element of a lazy array, gets on each path.

use std::rc::Rc;

use evergreen_explore::Arm;
use evergreen_symbolic::Cond;

use super::{Candidate, LazyObject, Offer, Purpose};
use crate::classes::{ClassId, Shape, access};
use crate::describe::box_kind;
use crate::entry::input_kind;
use crate::machine::{Drawn, Jvm};
use crate::made::{Generic, Input, Target};
use crate::narrowed::InputBound;
use crate::native::Trap;
use crate::object::Body;
use crate::outcome::Ending;
use crate::state::{Pending, State};
use crate::value::{Kind, Ref, Value};

/// A field or element that is read for the first time.
struct First<'n> {
    /// The object, by its place among the lazy ones.
    place: usize,
    slot: usize,
    descriptor: &'n str,
    /// Whether it is what an inner class's object was made in.
    outer: bool,
}

impl Jvm {
    /// The first read of a field of a lazy object, or of an element of a lazy array.
    pub(crate) fn initialize_field(
        &mut self,
        state: &mut State,
        object: Ref,
        slot: usize,
    ) -> Result<Value, Box<Trap>> {
        let class = self.class(state.heap.class_of(object)).clone();
        let Some(place) = state.lazy.place(object) else {
            return Err(Trap::unsupported(
                "a copy of an object that is an input",
                "write a driver method that makes the object",
            )
            .into());
        };
        if state.lazy.purpose == Purpose::Check {
            return Err(Trap::unsupported("a field that was not read yet", "").into());
        }
        let value = if let Shape::Array { .. } = class.shape {
            let descriptor = &class.name[1..];
            self.initialize_reference(state, &First { place, slot, descriptor, outer: false })?
        } else {
            let field = &class.instance_fields[slot];
            if let Some((at, plan)) = self.planned(state, place, slot) {
                self.initialize_guided(state, at, plan, place, field)?
            } else if field.kind == Kind::Reference {
                let outer = field.access & access::SYNTHETIC != 0 && field.name.starts_with("this$");
                let descriptor = &*field.descriptor;
                let first = First { place, slot, descriptor, outer };
                match self.is_always_set(class.id, slot) && state.lazy.objects[place].at.is_none() {
                    true => self.initialize_set(state, &first, class.id, &field.name)?,
                    false => self.initialize_reference(state, &first)?,
                }
            } else {
                self.field_input(state, place, slot, field.kind, None)
            }
        };
        state.set_lazily(place, slot, value);
        Ok(value)
    }

    /// An input, or the value that the caller of the exploration has fixed.
    pub(crate) fn field_input(
        &mut self,
        state: &State,
        place: usize,
        slot: usize,
        kind: Kind,
        declared: Option<(i64, i64)>,
    ) -> Value {
        let drawn = &self.options.drawn;
        let said = if drawn.is_empty() { None } else { drawn.get(&self.way_to(state, place, slot)) };
        let range = match said {
            Some(Drawn::Range(low, high)) => Some((*low, *high)),
            Some(Drawn::Whole(n)) if !matches!(kind, Kind::Float | Kind::Double) => Some((*n, *n)),
            _ => declared,
        };
        let name = self.input_name(state, place, slot);
        Value::Sym(self.exprs.borrow_mut().input(&name, input_kind(kind), range))
    }

    /// The same where every constructor sets the field to an object.
    fn initialize_set(
        &mut self,
        state: &mut State,
        first: &First<'_>,
        class: ClassId,
        field: &str,
    ) -> Result<Value, Box<Trap>> {
        if self.has_no_candidates(state, first)
            && let Some(value) = self.make_set(state, first, class)?
        {
            return Ok(value);
        }
        let class = self.class(class).java_name();
        let before = std::mem::take(&mut state.narrowed);
        let value = self.initialize_reference(state, first);
        let is_never_made = state.narrowed.has(InputBound::References);
        state.narrowed.add_all(before);
        match value? {
            Value::Null if is_never_made => Err(Trap::unsupported(
                format!("a value of {class}.{field}, which is never null"),
                "write a driver method that makes the object",
            )
            .into()),
            Value::Null => Err(Trap::End(Box::new(Ending::Assumed)).into()),
            value => Ok(value),
        }
    }

    /// Whether a reference that is never null has nothing to hold: of its type there is no class of the
    /// program and no call.
    fn has_no_candidates(&mut self, state: &State, first: &First<'_>) -> bool {
        let Some(class) = self.lazy_class(first.descriptor) else {
            let name = first.descriptor.strip_prefix('L').and_then(|name| name.strip_suffix(';'));
            let plain = |name: &&str| *name != "java/lang/String" && box_kind(name).is_none();
            let class = name.filter(plain).and_then(|name| self.load(name).ok());
            return class
                .is_some_and(|class| !self.class(class).user && self.recipes_of(class).callees.is_empty());
        };
        let is_without = self.kinds_of(class).concrete.is_empty();
        let fits = |lazy: &LazyObject| self.class(state.heap.class_of(lazy.object)).is_assignable_to(class);
        is_without && !state.lazy.objects.iter().any(fits)
    }

    /// Makes what every constructor sets a field to: a collection of the JDK with some elements, or a new
    /// object of another class of the JDK. The instruction runs again when it is there. `None` if it is of a
    /// class of the program, or not known.
    fn make_set(
        &mut self,
        state: &mut State,
        first: &First<'_>,
        class: ClassId,
    ) -> Result<Option<Value>, Box<Trap>> {
        let Some(name) = self.set_class(class, first.slot) else { return Ok(None) };
        let made = self.load(&name)?;
        if self.class(made).user {
            return Ok(None);
        }
        let way = self.input_name(state, first.place, first.slot);
        let arguments = self.field_type(class, first.slot).arguments;
        let of = Generic { descriptor: format!("L{name};").into(), arguments };
        match self.make_new(state, &way, &of, made, Target::Field(first.place, first.slot))? {
            Some(Input::Begun) => Err(Trap::Again.into()),
            // A field that is never null is no null here.
            Some(Input::Value(_)) => Err(Trap::End(Box::new(Ending::Assumed)).into()),
            None => Ok(None),
        }
    }

    fn initialize_reference(&mut self, state: &mut State, first: &First<'_>) -> Result<Value, Box<Trap>> {
        let at = state.lazy.objects[first.place].at;
        if let (true, Some(at)) = (first.outer, at) {
            // An object of a structure was made in its root.
            let root = crate::guide::At { object: evergreen_heap::Object(0), ..at };
            if let Some(root) = state.lazy.object_at(root) {
                return Ok(Value::Ref(root));
            }
        }
        let (place, slot) = (first.place, first.slot);
        if is_array_of_references(first.descriptor) {
            let (way, name) = (self.way_to(state, place, slot), self.input_name(state, place, slot));
            return self.lazy_array(state, &way, &name, first.descriptor);
        }
        let Some(class) = self.lazy_class(first.descriptor) else {
            let name = self.input_name(state, place, slot);
            let target = Target::Field(place, slot);
            match self.make_object(state, &name, &Generic::plain(first.descriptor), 0, target)? {
                Some(Input::Value(value)) => return Ok(value),
                // The instruction runs again when the object is there.
                Some(Input::Begun) => return Err(Trap::Again.into()),
                None => {}
            }
            let value = self.make_input(state, &name, first.descriptor)?;
            if let Value::Ref(array) = value
                && state.heap.array_length(array).is_some()
            {
                let body = state.heap.get(array).body.clone();
                state.lazy_mut().arrays.push((array, body));
            }
            return Ok(value);
        };
        if at.is_some() {
            // A structure holds what its invariant declares; of the rest only that it may be null is known.
            state.narrowed.add(InputBound::References);
            return Ok(Value::Null);
        }
        let mut all = self.candidates(state, class)?;
        if first.outer {
            all.retain(|candidate| matches!(candidate, Candidate::There(Value::Ref(_))));
        }
        let owner = state.heap.class_of(state.lazy.objects[place].object);
        if !self.class(owner).is_array() && self.is_always_set(owner, slot) {
            all.retain(|candidate| *candidate != Candidate::There(Value::Null));
            if all.is_empty() {
                return Err(Trap::End(Box::new(Ending::Assumed)).into());
            }
        }
        let way = self.way_to(state, place, slot);
        let chosen = self.choose_candidate(state, &all, &way, |jvm, state, candidate| {
            let value = jvm.take_candidate(state, candidate, &way);
            state.set_lazily(place, slot, value);
        })?;
        Ok(self.take_candidate(state, chosen, &way))
    }

    /// An array of references: null, or of a length up to the bound, its elements not read yet. Each such
    /// field has an array of its own. `name` is that of its inputs.
    pub(crate) fn lazy_array(
        &mut self,
        state: &mut State,
        way: &str,
        name: &str,
        descriptor: &str,
    ) -> Result<Value, Box<Trap>> {
        let length = self.choose_length(state, name)?;
        let Some(length) = length else { return Ok(Value::Null) };
        let class = self.load(descriptor)?;
        self.note_own_array(state, class);
        let fields: Rc<[Value]> = (0..length).map(|_| Value::Unset).collect();
        let object = state.heap.new_object(class, Body::Refs(fields.clone()));
        state.lazy_mut().objects.push(LazyObject { object, name: way.into(), fields, at: None });
        Ok(Value::Ref(object))
    }

    /// The class of a reference whose objects are lazy.
    pub(crate) fn lazy_class(&mut self, descriptor: &str) -> Option<ClassId> {
        let name = descriptor.strip_prefix('L').and_then(|name| name.strip_suffix(';'))?;
        let class = self.load(name).ok()?;
        self.can_be_lazy(class).then_some(class)
    }

    /// The candidates for a reference to `class`: null, existing objects, a new one of each class that fits.
    pub(crate) fn candidates(
        &mut self,
        state: &mut State,
        class: ClassId,
    ) -> Result<Vec<Candidate>, Box<Trap>> {
        let mut all = vec![Candidate::There(Value::Null)];
        for lazy in &state.lazy.objects {
            if self.class(state.heap.class_of(lazy.object)).is_assignable_to(class) {
                all.push(Candidate::There(Value::Ref(lazy.object)));
            }
        }
        all.extend(self.new_candidates(state, class)?);
        Ok(all)
    }

    /// New objects that a reference to `class` can hold, as the scopes allow.
    pub(crate) fn new_candidates(
        &mut self,
        state: &mut State,
        class: ClassId,
    ) -> Result<Vec<Candidate>, Box<Trap>> {
        let kinds = self.kinds_of(class);
        let used = state.used;
        let asked = state.choices().get(used).is_some();
        if kinds.others {
            state.narrowed.add(InputBound::References);
        }
        let mut all = Vec::new();
        for class in kinds.concrete.iter().copied() {
            // A record among the classes of a type is what its constructor makes.
            if !self.can_be_lazy(class) {
                state.narrowed.add(InputBound::References);
                continue;
            }
            self.guide_of(class).map_err(|what| Trap::unsupported(what, "correct the invariant"))?;
            // A structure may hold such objects that were not found yet.
            let is_below = |at: usize| self.guides[at].classes().contains(&class);
            let roots = |lazy: &LazyObject| lazy.at.is_some_and(|at| at.object.0 == 0);
            let structures = &state.lazy.structures;
            let root = self.guide_numbers.get(&class).copied().flatten();
            if root.is_none() && structures.iter().any(|structure| is_below(structure.guide)) {
                state.narrowed.add(InputBound::References);
            }
            let of_class =
                state.lazy.objects.iter().filter(|lazy| {
                    state.heap.class_of(lazy.object) == class && (root.is_none() || roots(lazy))
                });
            if of_class.count() < self.scope(class) as usize {
                all.push(Candidate::New(class));
            } else if state.lazy.purpose == Purpose::Path && !asked {
                self.lazy_counts.scoped += 1;
            }
        }
        Ok(all)
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

    /// Which candidate it is on this path, among those that a valid input can have; `name` is the way to it,
    /// `apply` makes one the value. The class of a new object is initialized.
    pub(crate) fn choose_candidate(
        &mut self,
        state: &mut State,
        all: &[Candidate],
        name: &str,
        apply: impl Fn(&mut Jvm, &mut State, Candidate),
    ) -> Result<Candidate, Box<Trap>> {
        let used = state.used;
        let chosen = match state.choices().get(used).copied() {
            Some(answer) => {
                state.used += 1;
                all[answer as usize]
            }
            None => self.offer_candidates(state, all, name, apply)?,
        };
        if let Candidate::New(class) = chosen {
            self.require_init(state, class)?;
            self.prepare_guide(state, class)?;
        }
        Ok(chosen)
    }

    /// Pauses, unless there is one candidate.
    fn offer_candidates(
        &mut self,
        state: &mut State,
        all: &[Candidate],
        name: &str,
        apply: impl Fn(&mut Jvm, &mut State, Candidate),
    ) -> Result<Candidate, Box<Trap>> {
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
        let ways = kept.iter().map(|index| self.offered_by(all[*index as usize])).collect();
        let offer = Rc::new(Offer { name: name.into(), ways });
        state.pending = Some(Pending::Object(site, kept.into(), offer));
        state.used = 0;
        Err(Trap::Choice.into())
    }
}

/// Whether a type is that of an array whose elements are references.
pub(crate) fn is_array_of_references(descriptor: &str) -> bool {
    descriptor.starts_with("[L") || descriptor.starts_with("[[")
}
