//! Structures made whole: the parts of a path's input that the path did not read, as an
//! invariant completes them.
//!
//! References get the values of a complete heap, with new lazy objects where it has more objects than the
//! path has met; plain fields become inputs, whose values the caller finds with a solver. Fields that the
//! path has read keep their values.

use std::rc::Rc;

use evergreen_heap::{FieldId, Heap, Object, Value as Held};
use evergreen_symbolic::{Const, Expr};

use crate::describe::box_kind;
use crate::guide::{At, Plan};
use crate::machine::Jvm;
use crate::native::Trap;
use crate::state::State;
use crate::value::Value;

/// Instructions that initialize a class of boxes.
const STEPS: u64 = 1_000_000;

impl Jvm {
    /// The input of a path with a value in every plain field that invariants declare of its objects;
    /// `None` if such cannot be made.
    pub fn with_plain_fields(&mut self, state: &State, structure: usize) -> Option<State> {
        let mut state = state.clone();
        state.frames.clear();
        state.pending = None;
        state.choices.clear();
        state.used = 0;
        for object in state.lazy.structures.get(structure)?.partial.heap.objects() {
            self.fill_plain(&mut state, At { structure, object })?;
        }
        Some(state)
    }

    /// The input with a structure that is like a complete heap; `places` says which of its objects are those
    /// that the path has met. Plain fields are inputs. `None` if such cannot be made.
    pub fn with_structure(
        &mut self,
        state: &State,
        structure: usize,
        whole: &Heap,
        places: &[Object],
    ) -> Option<State> {
        let mut state = state.clone();
        let guide = state.lazy.structures.get(structure)?.guide;
        let invariant = self.guides.get(guide)?.invariant().clone();
        // Which object of the structure each object of the heap is.
        let mut known: Vec<Option<Object>> = vec![None; whole.len()];
        for (object, place) in places.iter().enumerate() {
            known[usize::from(place.0)] = Some(Object(object as u8));
        }
        // Labels are in breadth-first order: the holder of an object has a smaller label.
        for label in whole.objects() {
            let here = At { structure, object: known[usize::from(label.0)]? };
            for field in invariant.shape.forward(whole.class(label)) {
                if let Held::Object(to) = whole.get(label, field)
                    && known[usize::from(to.0)].is_none()
                {
                    let new = self.add_object(&mut state, here, field, whole.class(to))?;
                    known[usize::from(to.0)] = Some(new);
                }
            }
        }
        for label in whole.objects() {
            let at = At { structure, object: known[usize::from(label.0)]? };
            for field in invariant.shape.fields_of(whole.class(label)) {
                if invariant.shape.target(*field).is_some() {
                    let to = match whole.get(label, *field) {
                        Held::Object(to) => Some(known[usize::from(to.0)]?),
                        _ => None,
                    };
                    self.fill_reference(&mut state, at, *field, to)?;
                }
            }
            self.fill_plain(&mut state, at)?;
        }
        Some(state)
    }

    /// The initial value of a plain field of an object of a structure; `None` if it was
    /// not read, or is no number.
    pub fn plain_field(&self, state: &State, at: At, field: FieldId) -> Option<Expr> {
        let (place, slot) = self.slot_of(state, at, field)?;
        let mut value = state.lazy.objects[place].fields[slot];
        if let Value::Ref(object) = value {
            let class = self.class(state.heap.class_of(object));
            box_kind(&class.name)?;
            value = state.heap.get(object).body.get(class.instance_field("value")?.slot as usize)?;
        }
        let constant = match value {
            Value::Sym(expr) => return Some(expr),
            Value::Int(n) => Const::I32(n),
            Value::Long(n) => Const::I64(n),
            _ => return None,
        };
        Some(self.exprs.borrow_mut().constant(constant))
    }

    /// Where a lazy object has a field that its invariant declares.
    fn slot_of(&self, state: &State, at: At, field: FieldId) -> Option<(usize, usize)> {
        let place = state.lazy.objects.iter().position(|lazy| lazy.at == Some(at))?;
        let structure = state.lazy.structures.get(at.structure)?;
        let slot = self.guides[structure.guide].slot(structure.partial.heap.class(at.object), field)?;
        Some((place, slot))
    }

    fn add_object(
        &mut self,
        state: &mut State,
        holder: At,
        field: FieldId,
        class: evergreen_heap::ClassId,
    ) -> Option<Object> {
        let (place, slot) = self.slot_of(state, holder, field)?;
        let way = self.way_to(state, place, slot);
        let structure = &mut Rc::make_mut(&mut state.lazy).structures[holder.structure];
        let partial = Rc::make_mut(&mut structure.partial);
        let object = partial.heap.add(class);
        partial.labels.push(u64::MAX);
        let class = self.guides[structure.guide].class(class);
        self.new_lazy_at(state, class, &way, Some(At { object, ..holder }));
        Some(object)
    }

    fn fill_reference(
        &mut self,
        state: &mut State,
        at: At,
        field: FieldId,
        to: Option<Object>,
    ) -> Option<()> {
        let (place, slot) = self.slot_of(state, at, field)?;
        let value = match to {
            None => Value::Null,
            Some(object) => Value::Ref(state.lazy.object_at(At { object, ..at })?),
        };
        match state.lazy.objects[place].fields[slot] {
            Value::Unset => {
                state.set_lazily(place, slot, value);
                let held = to.map_or(Held::Null, Held::Object);
                let structure = &mut Rc::make_mut(&mut state.lazy).structures[at.structure];
                Rc::make_mut(&mut structure.partial).heap.set(at.object, field, held);
                Some(())
            }
            // A completion that changed a field already read would be a bug.
            read => (read == value).then_some(()),
        }
    }

    /// Gives the fields that hold no objects their values: inputs, or null where the invariant says so.
    fn fill_plain(&mut self, state: &mut State, at: At) -> Option<()> {
        let place = state.lazy.objects.iter().position(|lazy| lazy.at == Some(at))?;
        let structure = state.lazy.structures.get(at.structure)?;
        let invariant = self.guides[structure.guide].invariant().clone();
        for slot in 0..state.lazy.objects[place].fields.len() {
            let found = &state.lazy.objects[place];
            if found.fields[slot] != Value::Unset {
                continue;
            }
            let plan = match self.planned(state, place, slot) {
                Some((_, Plan::Declared(field))) if invariant.shape.target(field).is_some() => continue,
                Some((_, plan)) => plan,
                None => continue,
            };
            let class = self.class(state.heap.class_of(found.object));
            let info = class.instance_fields.get(slot)?.clone();
            let value = loop {
                match self.initialize_guided(state, at, plan, place, &info).map_err(|trap| *trap) {
                    Ok(value) => break value,
                    // No path has needed this class yet.
                    Err(Trap::Init(class)) => {
                        self.begin_init(state, class);
                        self.run_concrete(state, STEPS)?;
                    }
                    Err(_) => return None,
                }
            };
            state.set_lazily(place, slot, value);
        }
        Some(())
    }
}
