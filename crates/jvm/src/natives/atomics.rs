//! `AtomicReference` and `AtomicBoolean`: one thread, so reading and writing is all there is to them.
//!
//! They work through variable handles, whose calls are of no fixed type; the handles are made blank here and their
//! users' methods done directly. `AtomicInteger` and its like go through [`super::memory`].

use super::Row;
use super::objects::{nothing, yes};
use crate::native::{Call, Done, Trap};
use crate::value::Value;

const REFERENCE: &str = "java/util/concurrent/atomic/AtomicReference";
const BOOLEAN: &str = "java/util/concurrent/atomic/AtomicBoolean";
const LOOKUP: &str = "java/lang/invoke/MethodHandles$Lookup";

pub(crate) const TABLE: &[Row] = &[
    ("java/util/concurrent/atomic/AtomicLong", "VMSupportsCS8", "()Z", yes),
    ("java/lang/invoke/MethodHandles", "lookup", "*", lookup),
    ("java/lang/invoke/MethodHandles", "privateLookupIn", "*", lookup),
    ("java/lang/invoke/MethodHandles", "arrayElementVarHandle", "*", handle),
    ("java/lang/invoke/MethodHandles", "byteArrayViewVarHandle", "*", handle),
    (LOOKUP, "findVarHandle", "*", handle),
    (LOOKUP, "findStaticVarHandle", "*", handle),
    ("java/lang/invoke/VarHandle", "withInvokeExactBehavior", "*", |c| Ok(Done::Value(c.args[0]))),
    ("java/lang/invoke/VarHandle", "fullFence", "*", nothing),
    ("java/lang/invoke/VarHandle", "acquireFence", "*", nothing),
    ("java/lang/invoke/VarHandle", "releaseFence", "*", nothing),
    ("java/lang/invoke/VarHandle", "storeStoreFence", "*", nothing),
    ("java/lang/invoke/VarHandle", "loadLoadFence", "*", nothing),
    (REFERENCE, "compareAndSet", "*", compare_and_set),
    (REFERENCE, "weakCompareAndSet", "*", compare_and_set),
    (REFERENCE, "weakCompareAndSetVolatile", "*", compare_and_set),
    (REFERENCE, "weakCompareAndSetPlain", "*", compare_and_set),
    (REFERENCE, "weakCompareAndSetAcquire", "*", compare_and_set),
    (REFERENCE, "weakCompareAndSetRelease", "*", compare_and_set),
    (REFERENCE, "compareAndExchange", "*", compare_and_exchange),
    (REFERENCE, "getAndSet", "*", get_and_set),
    (REFERENCE, "getPlain", "*", get),
    (REFERENCE, "getOpaque", "*", get),
    (REFERENCE, "getAcquire", "*", get),
    (REFERENCE, "setPlain", "*", set),
    (REFERENCE, "setOpaque", "*", set),
    (REFERENCE, "setRelease", "*", set),
    (REFERENCE, "lazySet", "*", set),
    (BOOLEAN, "compareAndSet", "*", compare_and_set),
    (BOOLEAN, "weakCompareAndSet", "*", compare_and_set),
    (BOOLEAN, "weakCompareAndSetVolatile", "*", compare_and_set),
    (BOOLEAN, "weakCompareAndSetPlain", "*", compare_and_set),
    (BOOLEAN, "compareAndExchange", "*", compare_and_exchange),
    (BOOLEAN, "getAndSet", "*", get_and_set),
    (BOOLEAN, "getPlain", "*", get),
    (BOOLEAN, "getOpaque", "*", get),
    (BOOLEAN, "getAcquire", "*", get),
    (BOOLEAN, "setPlain", "*", set),
    (BOOLEAN, "setOpaque", "*", set),
    (BOOLEAN, "setRelease", "*", set),
    (BOOLEAN, "lazySet", "*", set),
];

fn lookup(call: &mut Call) -> Result<Done, Trap> {
    let object = call.blank_named(LOOKUP)?;
    Ok(Done::Value(Value::Ref(object)))
}

fn handle(call: &mut Call) -> Result<Done, Trap> {
    let object = call.blank_named("java/lang/invoke/VarHandle")?;
    Ok(Done::Value(Value::Ref(object)))
}

fn swap(call: &mut Call) -> Result<(Value, bool), Trap> {
    let holder = call.object(0)?;
    let (expected, new) = (call.args[1], call.args[2]);
    let found = call.field(holder, "value");
    let same = match (found, expected) {
        (Value::Ref(_) | Value::Null, _) => found.same(expected),
        _ => call.are_equal(found, expected)?,
    };
    if same {
        call.set_field(holder, "value", new);
    }
    Ok((found, same))
}

fn compare_and_set(call: &mut Call) -> Result<Done, Trap> {
    let (_, same) = swap(call)?;
    Ok(Done::Value(Value::boolean(same)))
}

fn compare_and_exchange(call: &mut Call) -> Result<Done, Trap> {
    let (found, _) = swap(call)?;
    Ok(Done::Value(found))
}

fn get_and_set(call: &mut Call) -> Result<Done, Trap> {
    let holder = call.object(0)?;
    let found = call.field(holder, "value");
    call.set_field(holder, "value", call.args[1]);
    Ok(Done::Value(found))
}

fn get(call: &mut Call) -> Result<Done, Trap> {
    let holder = call.object(0)?;
    Ok(Done::Value(call.field(holder, "value")))
}

fn set(call: &mut Call) -> Result<Done, Trap> {
    let holder = call.object(0)?;
    call.set_field(holder, "value", call.args[1]);
    Ok(Done::Void)
}
