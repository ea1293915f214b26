//! Method calls: which method, on which object.

use std::rc::Rc;

use evergreen_classfile::{InvokeKind, MethodDescriptor};

use super::{Step, operand};
use crate::call::null_pointer;
use crate::classes::resolve::{constants, malformed};
use crate::classes::{Method, MethodId, Resolved, access};
use crate::machine::Jvm;
use crate::native::{Call, Trap};
use crate::state::State;
use crate::value::Value;

impl Jvm {
    pub(super) fn invoke(
        &mut self,
        state: &mut State,
        caller: &Rc<Method>,
        kind: InvokeKind,
        index: u16,
    ) -> Step {
        let resolved = match caller.pool.get(index) {
            Resolved::Not => self.resolve_method(&caller.pool, index)?,
            known => known,
        };
        let Resolved::Method { method, slots, index: place } = resolved else {
            return Err(Trap::throw_plain("java/lang/IncompatibleClassChangeError").into());
        };
        if kind == InvokeKind::Static {
            let method = self.method(method).clone();
            if !method.is_static() {
                let text = format!("Expected static method '{}'", method.full_name());
                return Err(Trap::throw("java/lang/IncompatibleClassChangeError", text).into());
            }
            self.require_init(state, method.class)?;
            return self.call(state, &method);
        }
        let Value::Ref(receiver) = operand(state, usize::from(slots) - 1) else { return Err(null_pointer()) };
        let selected = match kind {
            InvokeKind::Special => self.special(caller, method)?,
            _ => {
                let class = state.heap.class_of(receiver);
                match self.class(class).vtable.get(place as usize) {
                    Some(selected) => *selected,
                    None => self.select(class, method)?,
                }
            }
        };
        let selected = self.method(selected).clone();
        if self.near.is_some() {
            self.note_texts(state, &selected, receiver);
        }
        self.call(state, &selected)
    }

    // `invokespecial`: constructors and private methods as they are; a superclass's method is searched from
    // the caller's direct superclass (JVMS 6.5).
    fn special(&mut self, caller: &Rc<Method>, method: MethodId) -> Step<MethodId> {
        let named = self.method(method);
        let here = self.class(caller.class);
        let is_super = &*named.name != "<init>"
            && named.access & access::PRIVATE == 0
            && named.class != caller.class
            && !self.class(named.class).is_interface()
            && here.is_assignable_to(named.class);
        match here.superclass.filter(|_| is_super) {
            Some(superclass) => self.select(superclass, method),
            None => Ok(method),
        }
    }

    pub(super) fn invoke_dynamic(&mut self, state: &mut State, caller: &Rc<Method>, index: u16) -> Step {
        let site = constants(&caller.pool)?.invoke_dynamic(index).map_err(malformed)?;
        let descriptor = MethodDescriptor::parse(&site.descriptor).map_err(malformed)?;
        let slots = descriptor.parameter_slots();
        let mut args = Vec::with_capacity(descriptor.parameters.len());
        if let Some(frame) = state.top() {
            let mut at = frame.sp as usize - usize::from(slots);
            for parameter in &descriptor.parameters {
                args.push(frame.slots[at]);
                at += usize::from(parameter.slots());
            }
        }
        let call = &mut Call { jvm: self, state, method: caller.clone(), args: &args };
        let done = crate::indy::invoke(call, index)?;
        self.finish(state, caller, u32::from(slots), done)
    }
}
