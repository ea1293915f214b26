//! Throwing: making exceptions, finding handlers, unwinding frames.

use std::rc::Rc;

use evergreen_symbolic::Assignment;

use crate::classes::ClassId;
use crate::frame::{Frame, Role};
use crate::machine::{Flow, Jvm};
use crate::native::Trap;
use crate::outcome::Ending;
use crate::rope::Part;
use crate::state::{ClassState, State};
use crate::thrown::Thrower;
use crate::value::{Ref, Value};

impl Jvm {
    /// Throws an object in the running frame: the innermost handler gets it, frames
    /// without a handler are popped.
    pub(crate) fn throw(&mut self, state: &mut State, object: Ref, by: Thrower) -> Flow {
        let mut object = object;
        self.note_thrown(state, object, by);
        loop {
            state.used = 0;
            if self.thread_died(state, object) {
                return Flow::Frames;
            }
            let Some(frame) = state.frames.last() else {
                return Flow::Ended(self.threw(state, object));
            };
            if let Some(target) = self.handler(frame.clone(), state.heap.class_of(object)) {
                if let Some(frame) = state.top_mut() {
                    frame.choices.clear();
                    frame.sp = frame.base() as u32;
                    frame.push(Value::Ref(object));
                    frame.pc = target;
                }
                return Flow::Frames;
            }
            let Some(frame) = state.frames.pop() else { continue };
            state.leave_joins();
            if let Role::Making(_) = frame.role {
                return Flow::Ended(Ending::Refused);
            }
            if let Some(monitor) = frame.monitor {
                let _ = self.leave_monitor(state, monitor);
            }
            if let Role::Native(_) = frame.role
                && crate::natives::wraps_exceptions(&frame.method)
            {
                match self.wrap(state, "java/lang/reflect/InvocationTargetException", object) {
                    Some(wrapper) => object = wrapper,
                    None => return Flow::Frames,
                }
            }
            if let Role::Init { class, .. } = frame.role {
                state.initializing = state.initializing.saturating_sub(1);
                match self.init_failed(state, class, object) {
                    Some(wrapper) => object = wrapper,
                    None => return Flow::Frames,
                }
            }
        }
    }

    fn handler(&mut self, frame: Rc<Frame>, thrown: ClassId) -> Option<u32> {
        let code = match (&frame.role, frame.method.code()) {
            (Role::Native(_), _) | (_, None) => return None,
            // The class's own initializer has not begun: its handlers cover nothing yet.
            (Role::Init { next, .. }, _) if *next != u32::MAX => return None,
            (_, Some(code)) => code,
        };
        for handler in &code.handlers {
            if !(handler.from..handler.to).contains(&frame.pc) {
                continue;
            }
            let catches = match &handler.catch {
                None => true,
                // A class that cannot be loaded catches nothing that exists.
                Some(name) => match self.load(name) {
                    Ok(class) => self.class(thrown).is_assignable_to(class),
                    Err(_) => false,
                },
            };
            if catches {
                return Some(handler.target);
            }
        }
        None
    }

    // The class is erroneous from now on. An exception that is no Error is wrapped into one,
    // by running its constructor.
    fn init_failed(&mut self, state: &mut State, class: ClassId, object: Ref) -> Option<Ref> {
        state.set_class_state(class, ClassState::Failed);
        let thrown = self.class(state.heap.class_of(object));
        if self.known.error.is_some_and(|error| thrown.is_assignable_to(error)) {
            return Some(object);
        }
        self.wrap(state, "java/lang/ExceptionInInitializerError", object)
    }

    // Has a new exception thrown whose cause is `object`; `object` itself if that cannot be made.
    fn wrap(&mut self, state: &mut State, class: &str, object: Ref) -> Option<Ref> {
        let Ok(wrapper) = self.load(class) else { return Some(object) };
        let Some(constructor) = self.find_method(wrapper, "<init>", "(Ljava/lang/Throwable;)V") else {
            return Some(object);
        };
        let made = self.new_instance(state, wrapper);
        self.push_constructor(state, constructor, made, &[Value::Ref(object)]);
        // Its own initializer runs first if it has to: its frame is on top.
        if let Err(Trap::Init(wrapper)) = self.require_init(state, wrapper) {
            self.begin_init(state, wrapper);
        }
        None
    }

    /// Makes a new exception by running its constructor, then throws it in the running frame.
    pub(crate) fn throw_new(&mut self, state: &mut State, class: &str, message: Option<Vec<Part>>) -> Flow {
        match self.begin_throw(state, class, message) {
            Ok(()) => Flow::Frames,
            Err(Trap::Init(class)) => {
                self.begin_init(state, class);
                Flow::Frames
            }
            Err(trap) => Flow::Ended(Ending::Unsupported {
                what: format!("{class} cannot be thrown: {trap:?}"),
                place: self.here(state),
                help: String::new(),
            }),
        }
    }

    // The exception remembers which instruction met null; the text is computed on demand.
    pub(crate) fn throw_null(&mut self, state: &mut State) -> Flow {
        let place = state.top().filter(|frame| !matches!(frame.role, Role::Native(_)));
        // Code that the JVM spins for a method reference is hidden: it computes no text there.
        let place = place.filter(|frame| !frame.method.class_name.contains("$$"));
        let place = place.map(|frame| (frame.method.id, frame.pc));
        let flow = self.throw_new(state, "java/lang/NullPointerException", None);
        if let (Some((method, pc)), Some(Role::Throw(object))) = (place, state.top().map(|frame| &frame.role))
        {
            let object = *object;
            state.heap.get_mut(object).extra = self.null_site(method, pc);
        }
        flow
    }

    fn begin_throw(&mut self, state: &mut State, name: &str, message: Option<Vec<Part>>) -> Result<(), Trap> {
        let class = self.load(name)?;
        self.require_init(state, class)?;
        let with_text = self.find_method(class, "<init>", "(Ljava/lang/String;)V");
        let (constructor, arguments) = match (with_text, message) {
            (Some(constructor), Some(text)) => {
                (Some(constructor), vec![Value::Ref(self.new_rope(state, &text))])
            }
            (_, _) => (self.find_method(class, "<init>", "()V"), Vec::new()),
        };
        let Some(constructor) = constructor else {
            return Err(Trap::unsupported(format!("{name} without a constructor"), ""));
        };
        let object = self.new_instance(state, class);
        self.push_constructor(state, constructor, object, &arguments);
        Ok(())
    }

    fn push_constructor(
        &mut self,
        state: &mut State,
        constructor: crate::classes::MethodId,
        object: Ref,
        arguments: &[Value],
    ) {
        let mut frame = self.new_frame(self.method(constructor).clone(), Role::Throw(object));
        frame.slots[0] = Value::Ref(object);
        frame.slots[1..=arguments.len()].copy_from_slice(arguments);
        state.frames.push(Rc::new(frame));
    }

    fn threw(&self, state: &State, object: Ref) -> Ending {
        let class = self.class(state.heap.class_of(object)).name.clone();
        let origin = self.origin(state, object);
        let place = origin.as_ref().and_then(|origin| origin.place);
        let place = place.map(|(method, pc)| self.place_of(self.method(method), pc));
        Ending::Threw { class, object, message: self.message_of(state, object), place, origin }
    }

    /// Whether the message of an exception is one that a JVM makes up for a null pointer, from the code: it
    /// is another one without names of variables, on an older JVM, and where the user does not want it.
    pub fn is_helpful(&self, state: &State, object: Ref) -> bool {
        !matches!(state.heap.get(object).body.get(self.known.throwable_message), Some(Value::Ref(_)))
            && self.null_text(state, object).is_some()
    }

    /// The message of an exception under an assignment of the inputs, if it has one.
    pub fn message_under(&self, state: &State, object: Ref, inputs: &Assignment) -> Option<Vec<u16>> {
        match state.heap.get(object).body.get(self.known.throwable_message) {
            Some(Value::Ref(text)) => self.string_under(state, text, inputs),
            _ => self.message_of(state, object),
        }
    }

    /// The message of an exception, if it has one and it is concrete.
    pub fn message_of(&self, state: &State, object: Ref) -> Option<Vec<u16>> {
        let found = state.heap.get(object);
        match found.body.get(self.known.throwable_message) {
            Some(Value::Ref(text)) => self.string_units(state, text),
            _ => self.null_text(state, object).map(|text| text.encode_utf16().collect()),
        }
    }
}
