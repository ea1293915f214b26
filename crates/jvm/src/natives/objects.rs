//! `java.lang.Object`, identity, threads and monitors as one thread sees them.

use super::Row;
use crate::native::{Call, Done, Trap};
use crate::state::State;
use crate::value::{Ref, Value};
use std::rc::Rc;

/// The slot of a path that has asked for an identity hash code.
const SAW_IDENTITY: &str = "identity hash code";

impl State {
    /// Whether something on the path asked for an identity hash code, which is another one in each run of a
    /// JVM.
    pub fn saw_identity(&self) -> bool {
        self.slots.contains_key(SAW_IDENTITY)
    }
}

const OBJECT: &str = "java/lang/Object";
const THREAD: &str = "java/lang/Thread";

pub(crate) const TABLE: &[Row] = &[
    (OBJECT, "getClass", "*", get_class),
    (OBJECT, "hashCode", "()I", |c| hash(c, 0)),
    ("java/lang/System", "identityHashCode", "*", |c| hash(c, 0)),
    (OBJECT, "clone", "*", clone),
    (OBJECT, "notify", "*", notify),
    (OBJECT, "notifyAll", "*", notify),
    (OBJECT, "wait", "*", wait),
    (OBJECT, "wait0", "*", wait),
    (THREAD, "registerNatives", "*", nothing),
    (THREAD, "currentThread", "*", current_thread),
    (THREAD, "currentCarrierThread", "*", current_thread),
    (THREAD, "yield", "*", nothing),
    (THREAD, "sleep", "*", nothing),
    (THREAD, "onSpinWait", "*", nothing),
    (THREAD, "interrupted", "()Z", no),
    (THREAD, "isInterrupted", "()Z", no),
    (THREAD, "interrupt", "()V", threads),
    (THREAD, "holdsLock", "*", holds),
    (THREAD, "isVirtual", "()Z", no),
    (THREAD, "start", "()V", threads),
    (THREAD, "start0", "()V", threads),
    (THREAD, "<init>", "*", threads),
    (THREAD, "getThreadGroup", "*", threads),
    (THREAD, "getContextClassLoader", "*", threads),
    (THREAD, "getStackTrace", "*", threads),
    (THREAD, "getName", "()Ljava/lang/String;", |c| c.done_text("main")),
    (THREAD, "getId", "()J", |_| Ok(Done::Value(Value::Long(1)))),
    (THREAD, "threadId", "()J", |_| Ok(Done::Value(Value::Long(1)))),
];

pub(super) fn nothing(_: &mut Call) -> Result<Done, Trap> {
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
    if !call.state.saw_identity() {
        Rc::make_mut(&mut call.state.slots).insert(SAW_IDENTITY, Value::Int(1));
    }
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

/// No thread waits, so none is woken; but the monitor must be held.
fn notify(call: &mut Call) -> Result<Done, Trap> {
    let object = call.object(0)?;
    if !held(call, object) {
        return Err(Trap::throw("java/lang/IllegalMonitorStateException", "current thread is not owner"));
    }
    Ok(Done::Void)
}

fn wait(call: &mut Call) -> Result<Done, Trap> {
    notify(call)?;
    Err(Trap::unsupported(
        "Object.wait: no other thread could wake the only thread",
        "explore code that one thread runs",
    ))
}

fn threads(_: &mut Call) -> Result<Done, Trap> {
    Err(Trap::unsupported("threads", "explore code that one thread runs"))
}

fn current_thread(call: &mut Call) -> Result<Done, Trap> {
    if let Some(thread) = call.state.slot("thread") {
        return Ok(Done::Value(thread));
    }
    let class = call.class_named(THREAD)?;
    let thread = Value::Ref(call.blank(class));
    call.state.set_slot("thread", thread);
    Ok(Done::Value(thread))
}
