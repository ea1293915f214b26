//! `java.lang.Object`, identity, threads and monitors as one thread sees them.

use super::Row;
use crate::frame::Role;
use crate::machine::Jvm;
use crate::narrowed::InputBound;
use crate::native::{Call, Done, Trap};
use crate::state::State;
use crate::value::{Ref, Value};

/// The slot of a path that has asked for what differs from run to run.
pub(crate) const SAW_CHOICE: &str = "choice of the JVM";

/// Where a path asked for an identity hash code, the time or the bits of a NaN, which may be others in each
/// run of a JVM.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum SawChoice {
    /// Nowhere.
    #[default]
    Nowhere,
    /// Only before the method: where a call made an input, or where a class was initialized. What others
    /// there lead to is left out by a bound, which the path has met.
    Before,
    /// In the method itself.
    Within,
}

impl State {
    /// Where something on the path asked for what differs from run to run.
    pub fn saw_choice(&self) -> SawChoice {
        match self.slot(SAW_CHOICE) {
            None => SawChoice::Nowhere,
            Some(Value::Int(0)) => SawChoice::Before,
            Some(_) => SawChoice::Within,
        }
    }
}

impl Jvm {
    /// Notes that something differs in each run of a JVM. An input that a call makes of it, and what an
    /// initializer leaves in static fields, are not the only ones of their kind: that is a bound on inputs.
    pub(crate) fn note_choice(&mut self, state: &mut State) {
        let initializes = state.frames.iter().any(|frame| matches!(frame.role, Role::Init { .. }));
        let bound = match (initializes, state.is_making()) {
            (true, _) => Some(InputBound::Environment),
            (false, true) => Some(InputBound::Classes),
            (false, false) => None,
        };
        if let Some(bound) = bound {
            self.note_bound(state, bound);
        }
        if bound.is_none() {
            self.note_own_choice(state);
        } else if state.saw_choice() == SawChoice::Nowhere {
            state.set_slot(SAW_CHOICE, Value::Int(0));
        }
    }

    /// The same of a value that the running code has asked for: a branch that depends on it is a bound.
    pub(crate) fn note_chosen_value(&mut self, state: &mut State) {
        self.note_choice(state);
        if state.saw_choice() == SawChoice::Within {
            self.note_machine(state);
        }
    }

    /// The same, where no bound names what is left out.
    pub(crate) fn note_own_choice(&mut self, state: &mut State) {
        state.set_slot(SAW_CHOICE, Value::Int(1));
    }
}

const OBJECT: &str = "java/lang/Object";
const THREAD: &str = "java/lang/Thread";

pub(crate) const TABLE: &[Row] = &[
    (OBJECT, "getClass", "*", get_class),
    (OBJECT, "hashCode", "()I", |c| hash(c, 0)),
    ("java/lang/System", "identityHashCode", "*", |c| hash(c, 0)),
    (OBJECT, "clone", "*", clone),
    (THREAD, "registerNatives", "*", nothing),
    (THREAD, "currentThread", "*", current_thread),
    (THREAD, "currentCarrierThread", "*", current_thread),
    (THREAD, "holdsLock", "*", holds),
    (THREAD, "isVirtual", "()Z", no),
    (THREAD, "getStackTrace", "*", threads),
    (THREAD, "getName", "()Ljava/lang/String;", name),
    (THREAD, "getId", "()J", |_| Ok(Done::Value(Value::Long(1)))),
    (THREAD, "threadId", "()J", |_| Ok(Done::Value(Value::Long(1)))),
];

pub(crate) fn nothing(_: &mut Call) -> Result<Done, Trap> {
    Ok(Done::Void)
}

pub(super) fn no(_: &mut Call) -> Result<Done, Trap> {
    Ok(Done::Value(Value::Int(0)))
}

pub(super) fn yes(_: &mut Call) -> Result<Done, Trap> {
    Ok(Done::Value(Value::Int(1)))
}

fn get_class(call: &mut Call) -> Result<Done, Trap> {
    let object = call.object(0)?;
    let class = call.state.heap.class_of(object);
    Ok(Done::Value(call.mirror(class)?))
}

/// A fixed sequence: the n-th object that is asked gets the n-th number. It is kept beside
/// the object, by its number. A JVM has others in each run, so the path is marked.
fn hash(call: &mut Call, index: usize) -> Result<Done, Trap> {
    let Value::Ref(object) = call.args[index] else { return Ok(Done::Value(Value::Int(0))) };
    call.jvm.note_chosen_value(call.state);
    Ok(Done::Value(Value::Int(identity_hash(object))))
}

/// Spread over 31 bits, different for different objects: multiplication by an odd constant is a permutation.
fn identity_hash(object: Ref) -> i32 {
    (object.0.wrapping_add(1).wrapping_mul(0x9e37_79b1) & 0x7fff_ffff) as i32
}

fn clone(call: &mut Call) -> Result<Done, Trap> {
    let object = call.object(0)?;
    let found = call.state.heap.get(object).clone();
    let cloneable = call.class_named("java/lang/Cloneable")?;
    let class = call.class(found.class);
    if !class.is_assignable_to(cloneable) {
        return Err(Trap::throw("java/lang/CloneNotSupportedException", class.java_name()));
    }
    if let Some(unread) = found.body.values().iter().position(|value| *value == Value::Unset) {
        return Err(call.read_first(object, unread));
    }
    Ok(Done::Value(Value::Ref(call.state.heap.add(found))))
}

fn held(call: &Call, object: Ref) -> bool {
    call.state.monitors.contains_key(&object)
}

fn holds(call: &mut Call) -> Result<Done, Trap> {
    let object = call.object(0)?;
    Ok(Done::Value(Value::boolean(held(call, object))))
}

fn name(call: &mut Call) -> Result<Done, Trap> {
    let thread = call.object(0)?;
    match call.field(thread, "name") {
        Value::Ref(name) => Ok(Done::Value(Value::Ref(name))),
        _ => call.done_text("main"),
    }
}

fn threads(_: &mut Call) -> Result<Done, Trap> {
    Err(Trap::unsupported("threads", "explore code that one thread runs"))
}

fn current_thread(call: &mut Call) -> Result<Done, Trap> {
    main_thread(call).map(Done::Value)
}

/// The running thread. The main one is made when it is first asked for, with what new threads take over.
pub(super) fn main_thread(call: &mut Call) -> Result<Value, Trap> {
    if let Some(thread) = call.state.slot("thread") {
        return Ok(thread);
    }
    let class = call.class_named(THREAD)?;
    let thread = call.blank(class);
    let group = call.blank_named("java/lang/ThreadGroup")?;
    let units: Vec<u16> = "main".encode_utf16().collect();
    let name = Value::Ref(call.jvm.intern(call.state, &units));
    call.set_field(group, "name", name);
    call.set_field(group, "maxPriority", Value::Int(10));
    let lock = Value::Ref(call.blank_named(OBJECT)?);
    let fields =
        [("name", name), ("group", Value::Ref(group)), ("priority", Value::Int(5)), ("blockerLock", lock)];
    let numbers = [("tid", Value::Long(1)), ("eetop", Value::Long(1)), ("threadStatus", Value::Int(5))];
    for (field, value) in fields.into_iter().chain(numbers) {
        call.set_field(thread, field, value);
    }
    call.state.set_slot("thread", Value::Ref(thread));
    Ok(Value::Ref(thread))
}
