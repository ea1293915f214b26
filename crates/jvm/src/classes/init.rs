//! Class initialization (JVMS 5.5), per path: superclass, superinterfaces with default
//! methods, then `<clinit>`.
//!
//! An initializer runs in a frame of its own. The instruction that needed the class runs again
//! afterwards and finds it ready. One thread runs everything, so a class whose initializer is running
//! counts as ready for every caller.

use std::rc::Rc;

use evergreen_classfile::Constant;

use super::{ClassId, Shape};
use crate::frame::Role;
use crate::machine::Jvm;
use crate::native::Trap;
use crate::state::{ClassState, State};
use crate::value::Value;

impl Jvm {
    /// Nothing if the class is ready; otherwise what must happen first.
    #[inline]
    pub fn require_init(&mut self, state: &mut State, class: ClassId) -> Result<(), Trap> {
        match state.class_state(class) {
            ClassState::Done | ClassState::Running => Ok(()),
            _ => self.require_init_slow(state, class),
        }
    }

    #[cold]
    fn require_init_slow(&mut self, state: &mut State, class: ClassId) -> Result<(), Trap> {
        if state.class_state(class) == ClassState::Failed {
            let text = format!("Could not initialize class {}", self.class(class).java_name());
            return Err(Trap::throw("java/lang/NoClassDefFoundError", text));
        }
        if self.init_is_trivial(state, class) {
            self.init_trivially(state, class);
            return Ok(());
        }
        Err(Trap::Init(class))
    }

    // Whether nothing would run: no `<clinit>` here nor in anything that comes first.
    fn init_is_trivial(&self, state: &State, class: ClassId) -> bool {
        if state.class_state(class) != ClassState::Untouched {
            return state.class_state(class) != ClassState::Failed;
        }
        let linked = self.class(class);
        linked.initializer.is_none()
            && self.init_before(class).iter().all(|first| self.init_is_trivial(state, *first))
    }

    fn init_trivially(&mut self, state: &mut State, class: ClassId) {
        if state.class_state(class) == ClassState::Untouched {
            for first in self.init_before(class) {
                self.init_trivially(state, first);
            }
            self.prepare(state, class);
            state.set_class_state(class, ClassState::Done);
        }
    }

    // The classes that are initialized before `class` itself: the superclass, then superinterfaces with
    // default methods in the order of their declaration, deeper ones first. For an interface: nothing.
    fn init_before(&self, class: ClassId) -> Vec<ClassId> {
        let linked = self.class(class);
        if linked.is_interface() || linked.shape != Shape::Instance {
            return Vec::new();
        }
        let mut all: Vec<ClassId> = linked.superclass.into_iter().collect();
        for interface in &linked.interfaces {
            self.default_interfaces(*interface, &mut all);
        }
        all
    }

    fn default_interfaces(&self, interface: ClassId, all: &mut Vec<ClassId>) {
        for parent in &self.class(interface).interfaces {
            self.default_interfaces(*parent, all);
        }
        if self.class(interface).has_defaults && !all.contains(&interface) {
            all.push(interface);
        }
    }

    /// Begins to initialize an untouched class: its frame goes on top, unless that was done ahead.
    pub(crate) fn begin_init(&mut self, state: &mut State, class: ClassId) {
        if self.take_ahead(state, class) {
            return;
        }
        self.prepare(state, class);
        state.set_class_state(class, ClassState::Running);
        let method = self.initializer_of(class);
        let frame = self.new_frame(method, Role::Init { class, next: 0 });
        state.frames.push(Rc::new(frame));
        state.initializing += 1;
    }

    /// Continues an initialization whose frame is on top: begins the superclass and
    /// superinterfaces, one at a time.
    pub(crate) fn continue_init(&mut self, state: &mut State, class: ClassId, next: u32) {
        let before = self.init_before(class);
        for (at, first) in before.iter().copied().enumerate().skip(next as usize) {
            if state.class_state(first) == ClassState::Failed {
                // Another initializer on this path found it broken: so does this one.
                set_next(state, class, at as u32 + 1);
                let trap = self.require_init(state, first);
                if let Err(trap) = trap {
                    self.queued = Some(trap);
                }
                return;
            }
            if state.class_state(first) == ClassState::Untouched {
                if self.init_is_trivial(state, first) {
                    self.init_trivially(state, first);
                } else {
                    set_next(state, class, at as u32 + 1);
                    self.begin_init(state, first);
                    return;
                }
            }
        }
        set_next(state, class, u32::MAX);
    }

    // Static fields get their defaults, and the constants of `ConstantValue` attributes.
    fn prepare(&mut self, state: &mut State, class: ClassId) {
        let linked = self.class(class).clone();
        for field in &linked.static_fields {
            state.set_static(field.slot, field.kind.default());
        }
        let Some(file) = linked.file() else { return };
        let declared = file.fields.iter().filter(|field| field.access & super::access::STATIC != 0);
        for (field, place) in declared.zip(&linked.static_fields) {
            let value = match &field.constant {
                Some(Constant::Int(value)) => Value::Int(*value),
                Some(Constant::Long(value)) => Value::Long(*value),
                Some(Constant::Float(value)) => Value::Float(*value),
                Some(Constant::Double(value)) => Value::Double(*value),
                Some(Constant::String(text)) => Value::Ref(self.intern(state, &text.units())),
                _ => continue,
            };
            state.set_static(place.slot, value);
        }
    }
}

fn set_next(state: &mut State, class: ClassId, to: u32) {
    if let Some(frame) = state.top_mut() {
        frame.role = Role::Init { class, next: to };
    }
}
