//! Calls with concrete values, outside of any path: a plain run of the program, without branches.

use std::rc::Rc;

use crate::classes::{ClassId, MethodId, access};
use crate::machine::Jvm;
use crate::object::{Body, Object};
use crate::outcome::Ending;
use crate::state::{ClassState, State};
use crate::value::Value;

impl Jvm {
    /// Calls a method in a state without frames, the receiver first among the arguments, and runs it to its
    /// end. `None` if it has a choice or needs more than `steps` instructions.
    pub fn call_now(
        &mut self,
        state: &mut State,
        method: MethodId,
        arguments: &[Value],
        steps: u64,
    ) -> Option<Ending> {
        self.initialize_now(state, self.method(method).class, steps)?;
        self.push_call(state, method, arguments).ok()?;
        self.run_concrete(state, steps)
    }

    /// Initializes a class in a state without frames; `None` if its initializer fails, has a choice or needs
    /// more than `steps` instructions.
    pub fn initialize_now(&mut self, state: &mut State, class: ClassId, steps: u64) -> Option<()> {
        if state.class_state(class) == ClassState::Done {
            return Some(());
        }
        let mut next = self.start_init(state, class);
        match self.run_concrete(&mut next, steps) {
            Some(Ending::Returned(_)) => {
                *state = next;
                Some(())
            }
            _ => None,
        }
    }

    /// Whether a program could distinguish `after`, the state that calls have reached from `before`, from
    /// `before` itself by anything but the new objects: by static fields, by older objects, by output.
    /// Returns `true` where that is not known.
    pub fn differs_outside(&self, before: &State, after: &State) -> bool {
        after.output.len() != before.output.len()
            || after.draws.len() != before.draws.len()
            || (0..self.classes.len() as u32).any(|class| self.statics_differ(before, after, ClassId(class)))
            || (0..before.heap.len() as u32).any(|place| {
                let (old, new) = (before.heap.get(crate::Ref(place)), after.heap.get(crate::Ref(place)));
                !is_free(old) && !is_same(old, new)
            })
    }

    fn statics_differ(&self, before: &State, after: &State, class: ClassId) -> bool {
        let class = self.class(class);
        match (before.class_state(class.id), after.class_state(class.id)) {
            (ClassState::Untouched, ClassState::Untouched) => false,
            (ClassState::Untouched, ClassState::Done) => {
                // It has just been initialized. Mutable parts of it may have changed since.
                let is_fixed = |access: u16| access & access::FINAL != 0;
                class.user
                    && class
                        .static_fields
                        .iter()
                        .any(|field| !is_fixed(field.access) || is_mutable(&field.descriptor))
            }
            (ClassState::Done, ClassState::Done) => class
                .static_fields
                .iter()
                .any(|field| !before.get_static(field.slot).same(after.get_static(field.slot))),
            _ => true,
        }
    }
}

/// Whether the value of a field of this type may be mutable.
fn is_mutable(descriptor: &str) -> bool {
    descriptor.starts_with('[') || (descriptor.starts_with('L') && descriptor != "Ljava/lang/String;")
}

/// Whether a place is empty, as a sweep leaves it.
fn is_free(object: &Object) -> bool {
    object.class == ClassId(0) && matches!(&object.body, Body::Fields(fields) if fields.is_empty())
}

pub(crate) fn is_same(old: &Object, new: &Object) -> bool {
    let is_shared = match (&old.body, &new.body) {
        (Body::Fields(a), Body::Fields(b))
        | (Body::Refs(a), Body::Refs(b))
        | (Body::Values(a), Body::Values(b)) => Rc::ptr_eq(a, b),
        (Body::Bytes(a), Body::Bytes(b)) => Rc::ptr_eq(a, b),
        (Body::Chars(a), Body::Chars(b)) => Rc::ptr_eq(a, b),
        (Body::Ints(a), Body::Ints(b)) => Rc::ptr_eq(a, b),
        (Body::Longs(a), Body::Longs(b)) => Rc::ptr_eq(a, b),
        (Body::Open(a), Body::Open(b)) => return old.class == new.class && a == b,
        (Body::Written(a), Body::Written(b)) => return old.class == new.class && a == b,
        (Body::Open(_) | Body::Written(_), _) | (_, Body::Open(_) | Body::Written(_)) => return false,
        _ => false,
    };
    let same = || {
        let (a, b) = (old.body.values(), new.body.values());
        a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| a.same(*b))
    };
    old.class == new.class && old.extra == new.extra && (is_shared || same())
}
