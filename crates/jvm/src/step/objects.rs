//! Objects: new, fields, casts, monitors, athrow.

use std::rc::Rc;

use super::{Step, operand, replace};
use crate::call::null_pointer;
use crate::classes::{ClassId, Method, Resolved, access};
use crate::looked_at::reads_machine;
use crate::machine::Jvm;
use crate::native::Trap;
use crate::state::State;
use crate::value::{Ref, Value};

impl Jvm {
    pub(super) fn new_object(&mut self, state: &mut State, method: &Rc<Method>, index: u16) -> Step {
        let class = self.resolve_class(&method.pool, index)?;
        if self.class(class).access & (access::ABSTRACT | access::INTERFACE) != 0 {
            let name = self.class(class).java_name();
            return Err(Trap::throw("java/lang/InstantiationError", name).into());
        }
        self.require_init(state, class)?;
        self.make_room(state)?;
        let object = self.new_instance(state, class);
        replace(state, 0, Value::Ref(object), false);
        Ok(())
    }

    pub(super) fn get_static(&mut self, state: &mut State, method: &Rc<Method>, index: u16) -> Step {
        let (class, slot, kind) = match self.resolve_field(&method.pool, index)? {
            Resolved::Static { class, slot, kind } => (class, slot, kind),
            _ => return Err(incompatible(method, index, "static")),
        };
        let of_machine = reads_machine(method, index);
        if of_machine {
            // The fast loop reads what is resolved, and notes nothing.
            method.pool.set(index, Resolved::Not);
        }
        self.require_init(state, class)?;
        if of_machine {
            self.note_machine(state);
        }
        let value = state.get_static(slot);
        replace(state, 0, value, kind.is_wide());
        Ok(())
    }

    pub(super) fn put_static(&mut self, state: &mut State, method: &Rc<Method>, index: u16) -> Step {
        let (class, slot, kind) = match self.resolve_field(&method.pool, index)? {
            Resolved::Static { class, slot, kind } => (class, slot, kind),
            _ => return Err(incompatible(method, index, "static")),
        };
        self.require_init(state, class)?;
        let size = 1 + usize::from(kind.is_wide());
        let value = self.narrow_to(kind, operand(state, size - 1));
        if let Some(frame) = state.top_mut() {
            frame.sp -= size as u32;
        }
        state.set_static(slot, value);
        Ok(())
    }

    pub(super) fn get_field(&mut self, state: &mut State, method: &Rc<Method>, index: u16) -> Step {
        let Resolved::Field { slot, kind } = self.resolve_field(&method.pool, index)? else {
            return Err(incompatible(method, index, "non-static"));
        };
        let Value::Ref(object) = operand(state, 0) else { return Err(null_pointer()) };
        let mut value = state.heap.load(object, slot as usize);
        if value == Value::Null && state.heap.get(object).extra != 0 {
            self.write_out(state, object)?;
            value = state.heap.load(object, slot as usize);
        }
        if value == Value::Unset {
            value = self.initialize_field(state, object, slot as usize)?;
        }
        replace(state, 1, value, kind.is_wide());
        Ok(())
    }

    pub(super) fn put_field(&mut self, state: &mut State, method: &Rc<Method>, index: u16) -> Step {
        let Resolved::Field { slot, kind } = self.resolve_field(&method.pool, index)? else {
            return Err(incompatible(method, index, "non-static"));
        };
        let size = 1 + usize::from(kind.is_wide());
        let Value::Ref(object) = operand(state, size) else { return Err(null_pointer()) };
        let value = self.narrow_to(kind, operand(state, size - 1));
        state.heap.store(object, slot as usize, value);
        if let Some(frame) = state.top_mut() {
            frame.sp -= size as u32 + 1;
        }
        Ok(())
    }

    pub(super) fn check_cast(&mut self, state: &mut State, method: &Rc<Method>, index: u16) -> Step {
        let Value::Ref(object) = operand(state, 0) else { return Ok(()) };
        let class = self.resolve_class(&method.pool, index)?;
        let found = state.heap.class_of(object);
        if self.class(found).is_assignable_to(class) {
            return Ok(());
        }
        Err(Trap::throw("java/lang/ClassCastException", self.cast_text(found, class)).into())
    }

    pub(super) fn instance_of(&mut self, state: &mut State, method: &Rc<Method>, index: u16) -> Step {
        let is = match operand(state, 0) {
            Value::Ref(object) => {
                let class = self.resolve_class(&method.pool, index)?;
                self.class(state.heap.class_of(object)).is_assignable_to(class)
            }
            _ => false,
        };
        replace(state, 1, Value::boolean(is), false);
        Ok(())
    }

    /// The text of a ClassCastException, as HotSpot writes it.
    pub fn cast_text(&self, from: ClassId, to: ClassId) -> String {
        let (from, to) = (self.class(from), self.class(to));
        let (from_name, to_name) = (from.java_name(), to.java_name());
        let (from_module, to_module) = (self.module_text(from.id), self.module_text(to.id));
        let where_they_are = if from_module == to_module {
            format!("{from_name} and {to_name} are in {from_module}")
        } else {
            format!("{from_name} is in {from_module}; {to_name} is in {to_module}")
        };
        format!("class {from_name} cannot be cast to class {to_name} ({where_they_are})")
    }

    fn module_text(&self, class: ClassId) -> String {
        let mut class = self.class(class);
        while let crate::classes::Shape::Array { element, .. } = class.shape {
            class = self.class(element);
        }
        match (&class.module, class.user) {
            (_, true) => "unnamed module of loader 'app'".to_owned(),
            (Some(module), _) => format!("module {module} of loader 'bootstrap'"),
            (None, _) => "module java.base of loader 'bootstrap'".to_owned(),
        }
    }

    pub(super) fn monitor_enter(&mut self, state: &mut State) -> Step {
        if let Value::Ref(object) = operand(state, 0) {
            self.await_monitor(state, object)?;
        }
        let object = self.pop_object(state)?;
        self.enter_monitor(state, object);
        Ok(())
    }

    pub(super) fn monitor_exit(&mut self, state: &mut State) -> Step {
        let object = self.pop_object(state)?;
        self.leave_monitor(state, object)
    }

    fn pop_object(&mut self, state: &mut State) -> Step<Ref> {
        let Value::Ref(object) = operand(state, 0) else { return Err(null_pointer()) };
        if let Some(frame) = state.top_mut() {
            frame.sp -= 1;
        }
        Ok(object)
    }

    pub(super) fn throw_operand(&mut self, state: &mut State) -> Box<Trap> {
        match operand(state, 0) {
            Value::Ref(object) => Box::new(Trap::Throw(object)),
            _ => null_pointer(),
        }
    }
}

fn incompatible(method: &Rc<Method>, index: u16, wanted: &str) -> Box<Trap> {
    let member = method.pool.file.as_ref().and_then(|file| file.pool.member(index).ok());
    let name = member
        .map_or_else(String::new, |member| format!("{}.{}", member.class.replace('/', "."), member.name));
    Trap::throw("java/lang/IncompatibleClassChangeError", format!("Expected {wanted} field {name}")).into()
}
