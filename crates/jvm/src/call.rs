//! Calls and returns: frames come and go, natives run, results are delivered.

use std::rc::Rc;

use crate::classes::{ClassId, Method, MethodBody, MethodId, access};
use crate::frame::{Frame, Role};
use crate::machine::{Flow, Jvm};
use crate::native::{Call, Done, Resume, Trap};
use crate::outcome::Ending;
use crate::state::{ClassState, State};
use crate::thrown::Thrower;
use crate::value::{Kind, Ref, Value};

type Step<T = ()> = Result<T, Box<Trap>>;

impl Jvm {
    /// A frame for a method with code, its locals unset.
    pub(crate) fn new_frame(&mut self, method: Rc<Method>, role: Role) -> Frame {
        let (locals, size) = match method.code() {
            Some(code) => {
                (u32::from(code.max_locals), usize::from(code.max_locals) + usize::from(code.max_stack))
            }
            None => (0, 2),
        };
        let mut slots = self.free_slots.pop().unwrap_or_default();
        slots.clear();
        slots.resize(size, Value::Pad);
        Frame { method, pc: 0, sp: locals, slots, role, monitor: None, choices: Vec::new() }
    }

    // The next call reuses the slots of a popped frame.
    fn recycle(&mut self, frame: Rc<Frame>) {
        if let Ok(frame) = Rc::try_unwrap(frame)
            && self.free_slots.len() < 64
        {
            self.free_slots.push(frame.slots);
        }
    }

    /// Calls a selected method with the arguments on the running frame's operands.
    #[inline]
    pub(crate) fn call(&mut self, state: &mut State, method: &Rc<Method>) -> Step {
        match &method.body {
            MethodBody::Code(_) => self.call_code(state, method),
            MethodBody::Native(_) => {
                let args = arguments(state, method);
                self.call_native(state, method, &args)
            }
            MethodBody::Missing => Err(Trap::unsupported(
                format!("native method {}", method.full_name()),
                "the machine has no model of this native; call something else or stub it",
            )
            .into()),
            MethodBody::Abstract => {
                Err(Trap::throw("java/lang/AbstractMethodError", method.full_name()).into())
            }
        }
    }

    fn call_code(&mut self, state: &mut State, method: &Rc<Method>) -> Step {
        if state.frames.len() >= self.options.depth {
            self.check_depth(state)?;
        }
        if method.access & access::SYNCHRONIZED != 0 && !state.threads.is_empty() {
            let receiver = arguments(state, method).first().and_then(|value| value.as_ref());
            let monitor = if method.is_static() { Some(self.mirror(state, method.class)) } else { receiver };
            if let Some(monitor) = monitor {
                self.await_monitor(state, monitor)?;
            }
        }
        let mut callee = self.new_frame(method.clone(), Role::Call);
        let count = usize::from(method.argument_slots);
        let Some(caller) = state.top_mut() else { return Ok(()) };
        let sp = caller.sp as usize;
        callee.slots[..count].copy_from_slice(&caller.slots[sp - count..sp]);
        caller.sp = (sp - count) as u32;
        if method.access & access::SYNCHRONIZED != 0 {
            let monitor = match method.is_static() {
                true => self.mirror(state, method.class),
                false => callee.slots[0].as_ref().ok_or_else(null_pointer)?,
            };
            self.enter_monitor(state, monitor);
            callee.monitor = Some(monitor);
        }
        state.frames.push(Rc::new(callee));
        Ok(())
    }

    // Creating the error needs frames too, also for its initializers: the bound is lifted for those.
    #[cold]
    fn check_depth(&self, state: &State) -> Step {
        let above = &state.frames[self.options.depth..];
        let making = above.iter().any(|frame| matches!(frame.role, Role::Throw(_) | Role::Init { .. }));
        if making && above.len() < 512 {
            return Ok(());
        }
        Err(Trap::throw_plain("java/lang/StackOverflowError").into())
    }

    /// Runs a native whose arguments are still on the operands of the running frame.
    pub(crate) fn call_native(&mut self, state: &mut State, method: &Rc<Method>, args: &[Value]) -> Step {
        let MethodBody::Native(function) = method.body else { return Ok(()) };
        if self.has_open_arrays && &*method.name == "arraycopy" {
            self.check_copy(state, args)?;
        }
        // The accesses of a map to its table leave open which places it has written.
        if !(self.has_open_arrays && crate::natives::keeps_table(method)) {
            self.fix_arrays(state, args)?;
        }
        let done = function(&mut Call { jvm: self, state, method: method.clone(), args })?;
        let slots = u32::from(method.argument_slots);
        self.finish(state, method, slots, done)
    }

    /// Delivers the result of a native (or a dynamic call) to the calling frame: `slots` operands are
    /// popped, the result is pushed.
    pub(crate) fn finish(&mut self, state: &mut State, method: &Rc<Method>, slots: u32, done: Done) -> Step {
        state.forget_choices();
        let Some(caller) = state.top_mut() else { return Ok(()) };
        caller.sp -= slots;
        match done {
            Done::Void => caller.pc += 1,
            Done::Value(value) => {
                caller.pc += 1;
                let wide = matches!(value, Value::Long(_) | Value::Double(_))
                    || (value.is_symbolic() && self.is_wide(value));
                if let Some(caller) = state.top_mut() {
                    caller.push_wide(value, wide);
                }
            }
            Done::Tail { method, args } => self.push_call(state, method, &args)?,
            Done::Call { method: callee, args, then, saved } => {
                let resume = Resume { then, saved: saved.into() };
                let mut frame = self.new_frame(method.clone(), Role::Native(resume));
                frame.sp = 0;
                state.frames.push(Rc::new(frame));
                self.push_call(state, callee, &args)?;
            }
        }
        Ok(())
    }

    pub(crate) fn is_wide(&self, value: Value) -> bool {
        use evergreen_symbolic::Kind as Bits;
        match value {
            Value::Sym(expr) => matches!(self.exprs.borrow().kind(expr), Bits::I64 | Bits::F64),
            _ => false,
        }
    }

    /// Calls a selected method with arguments that are on no operand stack. The result
    /// goes to the running frame.
    pub(crate) fn push_call(&mut self, state: &mut State, method: MethodId, args: &[Value]) -> Step {
        let method = self.method(method).clone();
        // A native below needs its arguments somewhere: a frame that only holds them, and
        // returns the native's result.
        let mut frame = self.new_frame(method.clone(), Role::Call);
        let mut at = 0;
        for (kind, value) in method.arguments.iter().zip(args) {
            if at + 1 >= frame.slots.len() {
                frame.slots.resize(at + 4, Value::Pad);
            }
            frame.slots[at] = *value;
            at += 1 + usize::from(kind.is_wide());
        }
        match &method.body {
            MethodBody::Code(_) => {
                if state.frames.len() >= self.options.depth {
                    self.check_depth(state)?;
                }
                state.frames.push(Rc::new(frame));
                Ok(())
            }
            _ => {
                frame.role = Role::Native(Resume { then: run_again, saved: args.into() });
                frame.sp = 0;
                state.frames.push(Rc::new(frame));
                Ok(())
            }
        }
    }

    /// Continues a native on top of the frames: its callee returned, or it begins.
    pub(crate) fn resume_native(&mut self, state: &mut State, resume: Resume) -> Step<Flow> {
        let Some(frame) = state.frames.last() else { return Ok(Flow::Frames) };
        let method = frame.method.clone();
        let result = (frame.sp > 0).then(|| frame.slots[0]);
        let call = &mut Call { jvm: self, state, method: method.clone(), args: &resume.saved };
        let done = (resume.then)(call, result)?;
        state.forget_choices();
        match done {
            Done::Void => Ok(self.return_value(state, None)),
            Done::Value(value) => Ok(self.return_value(state, Some(value))),
            Done::Tail { method, args } => {
                // The tail call returns to the caller of this native.
                let Some(frame) = state.frames.pop() else { return Ok(Flow::Frames) };
                state.leave_joins();
                self.push_call(state, method, &args)?;
                self.recycle(frame);
                Ok(Flow::Frames)
            }
            Done::Call { method, args, then, saved } => {
                if let Some(frame) = state.top_mut() {
                    frame.role = Role::Native(Resume { then, saved: saved.into() });
                    frame.sp = 0;
                }
                self.push_call(state, method, &args)?;
                Ok(Flow::Frames)
            }
        }
    }

    /// The running frame returns.
    pub(crate) fn return_value(&mut self, state: &mut State, value: Option<Value>) -> Flow {
        let Some(frame) = state.frames.pop() else { return Flow::Ended(Ending::Returned(value)) };
        let is_met = !state.joins.is_empty() && state.returned();
        state.used = 0;
        if let Some(monitor) = frame.monitor
            && self.leave_monitor(state, monitor).is_err()
        {
            self.queued = Some(Trap::throw_plain("java/lang/IllegalMonitorStateException"));
        }
        let value = value.map(|value| self.narrow(&frame.method, value));
        let flow = match &frame.role {
            Role::Call | Role::Native(_) => self.deliver(state, &frame.method, value),
            Role::Init { class, .. } => {
                state.initializing = state.initializing.saturating_sub(1);
                state.set_class_state(*class, ClassState::Done);
                self.note_initialized(*class);
                self.ended_if_empty(state, None)
            }
            Role::Throw(object) => self.throw(state, *object, Thrower::Machine),
            Role::Aside => self.ended_if_empty(state, None),
            Role::Making(_) => Flow::Frames,
        };
        self.recycle(frame);
        if is_met {
            if let (Flow::Frames, None) = (&flow, &self.queued) {
                return Flow::Met;
            }
            state.leave_joins();
        }
        flow
    }

    fn ended_if_empty(&self, state: &State, value: Option<Value>) -> Flow {
        if state.frames.is_empty() && state.entry.is_none() {
            Flow::Ended(Ending::Returned(value))
        } else {
            Flow::Frames
        }
    }

    fn deliver(&mut self, state: &mut State, method: &Method, value: Option<Value>) -> Flow {
        let Some(caller) = state.top_mut() else { return Flow::Ended(Ending::Returned(value)) };
        caller.choices.clear();
        if let Role::Native(_) | Role::Making(_) = caller.role {
            if let Some(value) = value {
                caller.slots[0] = value;
                caller.sp = 1;
            }
            return Flow::Frames;
        }
        caller.pc += 1;
        if let Some(value) = value {
            caller.push_wide(value, method.result.is_some_and(Kind::is_wide));
        }
        Flow::Frames
    }

    // Returning a boolean, byte, char or short cuts to its width (JVMS 6.5 ireturn).
    fn narrow(&self, method: &Method, value: Value) -> Value {
        match (method.result, value) {
            (Some(Kind::Boolean), Value::Int(value)) => Value::Int(value & 1),
            (Some(Kind::Byte), Value::Int(value)) => Value::Int(i32::from(value as i8)),
            (Some(Kind::Char), Value::Int(value)) => Value::Int(i32::from(value as u16)),
            (Some(Kind::Short), Value::Int(value)) => Value::Int(i32::from(value as i16)),
            (_, value) => value,
        }
    }

    /// Enters a monitor.
    pub(crate) fn enter_monitor(&mut self, state: &mut State, object: Ref) {
        *Rc::make_mut(&mut state.monitors).entry(object).or_insert(0) += 1;
    }

    /// Leaves a monitor; an error if it is not held.
    pub(crate) fn leave_monitor(&mut self, state: &mut State, object: Ref) -> Step {
        let monitors = Rc::make_mut(&mut state.monitors);
        match monitors.get_mut(&object) {
            Some(1) => {
                monitors.remove(&object);
                Ok(())
            }
            Some(count) => {
                *count -= 1;
                Ok(())
            }
            None => {
                Err(Trap::throw("java/lang/IllegalMonitorStateException", "current thread is not owner")
                    .into())
            }
        }
    }

    /// The initializer of a class; one that only returns where the class file has none.
    pub(crate) fn initializer_of(&mut self, class: ClassId) -> Rc<Method> {
        match self.class(class).initializer {
            Some(method) => self.method(method).clone(),
            None => {
                let shared = self.known.no_initializer.clone();
                shared.unwrap_or_else(|| self.method(MethodId(0)).clone())
            }
        }
    }
}

fn run_again(call: &mut Call<'_>, result: Option<Value>) -> Result<Done, Trap> {
    // A native that was called by a native: the tail of one of its own calls has come
    // back, or it has not begun.
    match (result, &call.method.body) {
        (Some(value), _) => Ok(Done::Value(value)),
        (None, MethodBody::Native(function)) => {
            call.jvm.fix_arrays(call.state, call.args).map_err(|trap| *trap)?;
            function(call)
        }
        (None, MethodBody::Missing) => {
            Err(Trap::unsupported(format!("native method {}", call.method.full_name()), ""))
        }
        (None, _) => Err(Trap::throw("java/lang/AbstractMethodError", call.method.full_name())),
    }
}

/// The arguments of a call on the operands of the running frame, receiver first.
pub(crate) fn arguments(state: &State, method: &Method) -> Vec<Value> {
    let Some(caller) = state.top() else { return Vec::new() };
    let mut at = caller.sp as usize - usize::from(method.argument_slots);
    let mut args = Vec::with_capacity(method.arguments.len());
    for kind in &method.arguments {
        args.push(caller.slots[at]);
        at += 1 + usize::from(kind.is_wide());
    }
    args
}

/// The running instruction met null.
pub(crate) fn null_pointer() -> Box<Trap> {
    Trap::Null.into()
}
