//! Where exceptions come from: who threw one first, and whether it complains about an argument.
//!
//! A rethrow (`catch` and `throw e`, the end of a `finally` block) changes nothing, as in the stack trace of
//! the JVM. So the first throw of each exception is remembered, with what only the frames of that moment can
//! say: which parameter of the explored method was the null. A null is followed statically: from the operand
//! to the instruction that pushed it, through copies in locals, and from a parameter to the argument of the
//! call, frame by frame. Where paths meet with different values nothing is known, and the null is nobody's
//! argument. Cost: one abstract run of each method in which a null was met.

use std::rc::Rc;
use std::sync::Arc;

use evergreen_classfile::{Instruction, InvokeKind, Member, MethodDescriptor, Type};

use crate::classes::{Method, MethodId};
use crate::frame::{Frame, Role};
use crate::machine::Jvm;
use crate::state::State;
use crate::value::{Ref, Value};

/// Exceptions of a path whose first throw is remembered: the last ones, since old ones are long caught.
const MOST: usize = 32;

/// The classes whose methods check arguments of their callers.
const CHECKERS: [&str; 2] = ["java/util/Objects", "jdk/internal/util/Preconditions"];

/// Who threw an exception.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Thrower {
    /// The machine: an instruction or a native failed.
    Machine,
    /// A `throw` statement.
    Statement,
}

/// How an exception came about, where it was thrown first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// Who threw it.
    pub by: Thrower,
    /// The class of the code that ran, by its internal name.
    pub class: Arc<str>,
    /// Of a NullPointerException: which parameter of the explored method was the null, from 0.
    pub null_parameter: Option<u16>,
    /// The class that called a check of `java.util.Objects` on a parameter of its own method, which failed.
    pub checked_by: Option<Arc<str>>,
    /// Where it was thrown.
    pub(crate) place: Option<(MethodId, u32)>,
}

impl Jvm {
    /// Remembers the first throw of an exception.
    pub(crate) fn note_thrown(&mut self, state: &mut State, object: Ref, by: Thrower) {
        if state.thrown.iter().any(|(known, _)| *known == object) {
            return;
        }
        let with_code = |frame: &&Rc<Frame>| frame.method.code().is_some();
        let class = state.frames.iter().rev().find(with_code).map(|frame| frame.method.class_name.clone());
        let is_null = &*self.class(state.heap.class_of(object)).name == "java/lang/NullPointerException";
        let origin = Origin {
            by,
            class: class.unwrap_or_else(|| "".into()),
            null_parameter: if is_null { self.null_parameter(state, by) } else { None },
            checked_by: if by == Thrower::Statement { self.checked_by(state) } else { None },
            place: self.where_is(state),
        };
        let thrown = Rc::make_mut(&mut state.thrown);
        if thrown.len() == MOST {
            thrown.remove(0);
        }
        thrown.push((object, Rc::new(origin)));
    }

    /// How an exception came about, if that is remembered.
    pub fn origin(&self, state: &State, object: Ref) -> Option<Rc<Origin>> {
        state.thrown.iter().find(|(known, _)| *known == object).map(|(_, origin)| origin.clone())
    }

    /// The exception that caused another one, if it has a cause.
    pub fn cause(&self, state: &State, object: Ref) -> Option<Ref> {
        let class = self.class(state.heap.class_of(object));
        let slot = class
            .instance_fields
            .iter()
            .position(|field| &*field.name == "cause" && &*field.descriptor == "Ljava/lang/Throwable;")?;
        match state.heap.get(object).body.get(slot) {
            Some(Value::Ref(cause)) if cause != object => Some(cause),
            _ => None,
        }
    }

    /// The internal names of an object's class and of its superclasses, from below.
    pub fn lineage(&self, state: &State, object: Ref) -> Vec<Arc<str>> {
        let mut all = Vec::new();
        let mut next = Some(state.heap.class_of(object));
        while let Some(id) = next {
            let class = self.class(id);
            all.push(class.name.clone());
            next = class.superclass;
        }
        all
    }

    // Which parameter of the explored method is the null that the running frame has met.
    fn null_parameter(&mut self, state: &State, by: Thrower) -> Option<u16> {
        // Before its frame is there, the receiver is made.
        if state.entry.is_some() {
            return None;
        }
        let at = state.frames.len().checked_sub(1)?;
        let frame = state.frames[at].clone();
        let code = frame.method.code()?;
        if matches!(frame.role, Role::Native(_)) {
            return None;
        }
        let instruction = *code.instructions.get(frame.pc as usize)?;
        if by == Thrower::Statement {
            // Library code that tests its parameters and throws by itself.
            let nulls: Vec<u16> = reference_slots(&frame.method)
                .into_iter()
                .filter(|slot| {
                    !frame.method.user && frame.slots.get(usize::from(*slot)) == Some(&Value::Null)
                })
                .collect();
            return nulls.into_iter().find_map(|slot| self.entry_parameter(state, at, slot));
        }
        let operands: Vec<usize> = match self.null_operand(&frame.method, instruction) {
            Some(own) if is_null(&frame, own) => vec![own],
            // A native met it: one of the arguments.
            _ => (0..argument_slots(&frame.method, instruction)).filter(|at| is_null(&frame, *at)).collect(),
        };
        operands.into_iter().find_map(|depth| {
            let slot = self.parameter_of(&frame.method, frame.pc, depth)?;
            self.entry_parameter(state, at, slot)
        })
    }

    // The class that called a check of `java.util.Objects` on a parameter of its own.
    fn checked_by(&mut self, state: &State) -> Option<Arc<str>> {
        let is_checker = |frame: &Frame| CHECKERS.contains(&&*frame.method.class_name);
        let inner = state.frames.iter().rev().take_while(|frame| is_checker(frame)).count();
        let at = state.frames.len().checked_sub(inner + 1).filter(|_| inner > 0)?;
        let caller = state.frames[at].clone();
        let instruction = *caller.method.code()?.instructions.get(caller.pc as usize)?;
        let called = invoked(&caller.method, instruction)?;
        if &*called.class != CHECKERS[0]
            || !(called.name.starts_with("require") || called.name.starts_with("check"))
        {
            return None;
        }
        let first = argument_slots(&caller.method, instruction).checked_sub(1)?;
        self.parameter_of(&caller.method, caller.pc, first)?;
        Some(caller.method.class_name.clone())
    }

    // Follows a parameter, by its local, to that of the explored method: the number of the parameter.
    fn entry_parameter(&mut self, state: &State, frame: usize, local: u16) -> Option<u16> {
        let (mut at, mut local) = (frame, local);
        while at > 0 {
            let callee = &state.frames[at];
            let caller = state.frames[at - 1].clone();
            if !matches!(callee.role, Role::Call) || matches!(caller.role, Role::Native(_)) {
                return None;
            }
            let instruction = *caller.method.code()?.instructions.get(caller.pc as usize)?;
            if !matches!(instruction, Instruction::Invoke(..)) {
                return None;
            }
            let depth = usize::from(callee.method.argument_slots).checked_sub(usize::from(local) + 1)?;
            local = self.parameter_of(&caller.method, caller.pc, depth)?;
            at -= 1;
        }
        let method = &state.frames[0].method;
        let mut slot = u16::from(!method.is_static());
        let parameters = MethodDescriptor::parse(&method.descriptor).ok()?.parameters;
        for (number, parameter) in parameters.iter().enumerate() {
            if slot == local {
                return u16::try_from(number).ok();
            }
            slot += parameter.slots();
        }
        None
    }

    // The local of the parameter that an operand is, so far below the top.
    fn parameter_of(&mut self, method: &Rc<Method>, pc: u32, depth: usize) -> Option<u16> {
        self.sources_of(method)?.parameter(pc, depth)
    }

    /// Where the operands of a method's instructions come from.
    pub(crate) fn sources_of(&mut self, method: &Rc<Method>) -> Option<Rc<crate::null::Sources>> {
        if let Some(known) = self.sources.get(&method.id) {
            return Some(known.clone());
        }
        let made = Rc::new(crate::null::Sources::of(method)?);
        self.sources.insert(method.id, made.clone());
        Some(made)
    }
}

fn is_null(frame: &Frame, depth: usize) -> bool {
    let at = (frame.sp as usize).checked_sub(depth + 1);
    at.and_then(|at| frame.slots.get(at)) == Some(&Value::Null)
}

/// The locals of the parameters that are references.
fn reference_slots(method: &Method) -> Vec<u16> {
    let mut slot = u16::from(!method.is_static());
    let mut all = Vec::new();
    for parameter in MethodDescriptor::parse(&method.descriptor).iter().flat_map(|parsed| &parsed.parameters)
    {
        if matches!(parameter, Type::Class(_) | Type::Array(_)) {
            all.push(slot);
        }
        slot += parameter.slots();
    }
    all
}

fn invoked(method: &Method, instruction: Instruction) -> Option<Member> {
    let Instruction::Invoke(_, index) = instruction else { return None };
    method.pool.file.as_ref()?.pool.member(index).ok()
}

/// How many operands an instruction calls a method with.
fn argument_slots(method: &Method, instruction: Instruction) -> usize {
    let Instruction::Invoke(kind, _) = instruction else { return 0 };
    let parsed =
        invoked(method, instruction).and_then(|member| MethodDescriptor::parse(&member.descriptor).ok());
    let own = parsed.map_or(0, |parsed| usize::from(parsed.parameter_slots()));
    own + usize::from(kind != InvokeKind::Static)
}
