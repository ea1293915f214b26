//! Variable handles: fields and array elements reached through `java.lang.invoke.VarHandle`.
//!
//! The JDK's concurrent classes use them where older ones use `Unsafe`. A handle is an object of the
//! abstract class itself, whose `extra` names its target; the class of the call's method does not
//! matter, because the types of a call are those of its descriptor. One thread runs, so every way of
//! reading and writing is the same one.

use evergreen_symbolic::Binary;

use super::Row;
use super::memory::{load_bytes, size_of, store_bytes};
use super::objects::{nothing, yes};
use crate::classes::Shape;
use crate::native::{Call, Done, NativeFn, Trap};
use crate::value::{Kind, Ref, Value};

const HANDLES: &str = "java/lang/invoke/MethodHandles";
const LOOKUP: &str = "java/lang/invoke/MethodHandles$Lookup";
const VARIABLE: &str = "java/lang/invoke/VarHandle";

pub(crate) const TABLE: &[Row] = &[
    ("java/util/concurrent/atomic/AtomicLong", "VMSupportsCS8", "()Z", yes),
    (HANDLES, "lookup", "*", lookup),
    (HANDLES, "privateLookupIn", "*", private_lookup),
    (HANDLES, "arrayElementVarHandle", "*", |c| new_handle(c, Variable::Element)),
    (HANDLES, "byteArrayViewVarHandle", "*", view_handle),
    (LOOKUP, "findVarHandle", "*", find_field),
    (LOOKUP, "findStaticVarHandle", "*", find_field),
    (LOOKUP, "findVirtual", "*", method_handles),
    (LOOKUP, "findStatic", "*", method_handles),
    (LOOKUP, "findConstructor", "*", method_handles),
    (LOOKUP, "findSpecial", "*", method_handles),
    (LOOKUP, "findGetter", "*", method_handles),
    (LOOKUP, "findSetter", "*", method_handles),
    (LOOKUP, "findStaticGetter", "*", method_handles),
    (LOOKUP, "findStaticSetter", "*", method_handles),
    (LOOKUP, "findClass", "*", method_handles),
    (LOOKUP, "bind", "*", method_handles),
    (LOOKUP, "unreflect", "*", method_handles),
    (LOOKUP, "unreflectGetter", "*", method_handles),
    (LOOKUP, "unreflectSetter", "*", method_handles),
    (LOOKUP, "unreflectConstructor", "*", method_handles),
    (LOOKUP, "unreflectVarHandle", "*", method_handles),
    (LOOKUP, "defineClass", "*", method_handles),
    (LOOKUP, "defineHiddenClass", "*", method_handles),
    (VARIABLE, "withInvokeExactBehavior", "*", |c| Ok(Done::Value(c.args[0]))),
    (VARIABLE, "withInvokeBehavior", "*", |c| Ok(Done::Value(c.args[0]))),
    (VARIABLE, "fullFence", "*", nothing),
    (VARIABLE, "acquireFence", "*", nothing),
    (VARIABLE, "releaseFence", "*", nothing),
    (VARIABLE, "storeStoreFence", "*", nothing),
    (VARIABLE, "loadLoadFence", "*", nothing),
];

/// The target of a handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variable {
    /// A field of the object that a call begins with.
    Field(u32),
    /// A static field.
    Static(u32),
    /// The element of an array, both given by the call.
    Element,
    /// Bytes of an array, seen as a wider number, the highest first or last.
    View(Kind, bool),
}

/// The function for a method of `VarHandle` whose type is that of each call.
pub(crate) fn polymorphic(class: &str, name: &str) -> Option<NativeFn> {
    if class == "java/lang/invoke/MethodHandle" && matches!(name, "invoke" | "invokeExact") {
        return Some(method_handles);
    }
    if class != VARIABLE {
        return None;
    }
    let plain = ["Volatile", "Opaque", "Acquire", "Release", "Plain"]
        .iter()
        .find_map(|mode| name.strip_suffix(mode))
        .unwrap_or(name);
    Some(match plain {
        "get" => |c| get(c),
        "set" => |c| set(c),
        "compareAndSet" | "weakCompareAndSet" => |c| Ok(Done::Value(Value::boolean(exchange(c)?.1))),
        "compareAndExchange" => |c| Ok(Done::Value(exchange(c)?.0)),
        "getAndSet" => |c| update(c, None),
        "getAndAdd" => |c| update(c, Some(Binary::Add)),
        "getAndBitwiseOr" => |c| update(c, Some(Binary::Or)),
        "getAndBitwiseAnd" => |c| update(c, Some(Binary::And)),
        "getAndBitwiseXor" => |c| update(c, Some(Binary::Xor)),
        _ => return None,
    })
}

fn method_handles(_: &mut Call) -> Result<Done, Trap> {
    Err(Trap::unsupported("method handles made by hand", "call the method itself, or use a lambda"))
}

fn lookup(call: &mut Call) -> Result<Done, Trap> {
    let caller = call.state.top().map_or(call.method.class, |frame| frame.method.class);
    let caller = call.mirror(caller)?;
    lookup_in(call, caller)
}

fn private_lookup(call: &mut Call) -> Result<Done, Trap> {
    let class = call.args[0];
    lookup_in(call, class)
}

fn lookup_in(call: &mut Call, class: Value) -> Result<Done, Trap> {
    let object = call.blank_named(LOOKUP)?;
    call.set_field(object, "lookupClass", class);
    Ok(Done::Value(Value::Ref(object)))
}

fn new_handle(call: &mut Call, variable: Variable) -> Result<Done, Trap> {
    let known = &mut call.jvm.natives_data.handles;
    let number = known.iter().position(|v| *v == variable).unwrap_or_else(|| {
        known.push(variable);
        known.len() - 1
    });
    let object = call.blank_named(VARIABLE)?;
    call.state.heap.get_mut(object).extra = number as u32 + 1;
    Ok(Done::Value(Value::Ref(object)))
}

fn view_handle(call: &mut Call) -> Result<Done, Trap> {
    let kind = match call.class(call.mirrored(0)?).shape {
        Shape::Array { element, .. } => match call.class(element).shape {
            Shape::Primitive(Some(kind)) => kind,
            _ => return method_handles(call),
        },
        _ => return method_handles(call),
    };
    let order = call.object(1)?;
    let name = call.field(order, "name").as_ref().and_then(|name| call.jvm.string_text(call.state, name));
    new_handle(call, Variable::View(kind, name.as_deref() == Some("BIG_ENDIAN")))
}

fn find_field(call: &mut Call) -> Result<Done, Trap> {
    let class = call.class(call.mirrored(1)?);
    let name = String::from_utf16_lossy(&call.text_argument(2)?);
    let variable = match (class.instance_field(&name), class.static_field(&name)) {
        (Some(field), _) => Variable::Field(field.slot),
        (None, Some(field)) => Variable::Static(field.slot),
        (None, None) => return Err(Trap::throw("java/lang/NoSuchFieldException", name)),
    };
    new_handle(call, variable)
}

/// The target of a call, and the number of arguments that determine it.
enum Spot {
    Static(u32),
    At(Ref, usize),
    Bytes(Ref, usize, Kind, bool),
}

fn spot(call: &mut Call) -> Result<(Spot, usize), Trap> {
    let handle = call.object(0)?;
    let number = call.state.heap.get(handle).extra as usize;
    let Some(variable) = number.checked_sub(1).and_then(|at| call.jvm.natives_data.handles.get(at)).copied()
    else {
        return Err(Trap::unsupported("a variable handle made by hand", "use the variable itself"));
    };
    match variable {
        Variable::Static(slot) => Ok((Spot::Static(slot), 1)),
        Variable::Field(slot) => Ok((Spot::At(call.object(1)?, slot as usize), 2)),
        Variable::Element => {
            let (array, index) = element(call, 1, "java/lang/ArrayIndexOutOfBoundsException")?;
            Ok((Spot::At(array, index), 3))
        }
        Variable::View(kind, big) => {
            let (array, index) = element(call, size_of(kind), "java/lang/IndexOutOfBoundsException")?;
            Ok((Spot::Bytes(array, index, kind, big), 3))
        }
    }
}

/// Array and index of a call, checked to have room for `size` elements.
fn element(call: &Call, size: i64, bounds: &str) -> Result<(Ref, usize), Trap> {
    let array = call.object(1)?;
    let index = call.int(2)?;
    let Some(length) = call.state.heap.array_length(array) else {
        return Err(Trap::throw_plain("java/lang/ClassCastException"));
    };
    if index < 0 || i64::from(index) + size > length as i64 {
        let length = length as i64 - size + 1;
        return Err(Trap::throw(bounds, format!("Index {index} out of bounds for length {length}")));
    }
    Ok((array, index as usize))
}

fn load(call: &mut Call, spot: &Spot) -> Result<Value, Trap> {
    match *spot {
        Spot::Static(slot) => Ok(call.state.get_static(slot)),
        Spot::At(object, index) => super::memory::initialized(call, object, index),
        Spot::Bytes(array, index, kind, big) => load_bytes(call, array, index, kind, big),
    }
}

fn store(call: &mut Call, spot: &Spot, value: Value) -> Result<(), Trap> {
    match *spot {
        Spot::Static(slot) => call.state.set_static(slot, value),
        Spot::At(object, index) => call.state.heap.store(object, index, value),
        Spot::Bytes(array, index, kind, big) => store_bytes(call, (array, index), kind, big, value)?,
    }
    Ok(())
}

fn get(call: &mut Call) -> Result<Done, Trap> {
    let (spot, _) = spot(call)?;
    Ok(Done::Value(load(call, &spot)?))
}

fn set(call: &mut Call) -> Result<Done, Trap> {
    let (spot, at) = spot(call)?;
    store(call, &spot, call.args[at])?;
    Ok(Done::Void)
}

fn exchange(call: &mut Call) -> Result<(Value, bool), Trap> {
    let (spot, at) = spot(call)?;
    let (expected, new) = (call.args[at], call.args[at + 1]);
    let found = load(call, &spot)?;
    let same = match (found, expected) {
        (Value::Ref(_) | Value::Null, _) | (_, Value::Ref(_) | Value::Null) => found.same(expected),
        _ => call.are_equal(found, expected)?,
    };
    if same {
        store(call, &spot, new)?;
    }
    Ok((found, same))
}

fn update(call: &mut Call, operation: Option<Binary>) -> Result<Done, Trap> {
    let (spot, at) = spot(call)?;
    let found = load(call, &spot)?;
    let new = match operation {
        None => call.args[at],
        Some(operation) => {
            let (a, b) = (call.as_expr(found), call.as_expr(call.args[at]));
            let result = call.exprs().binary(operation, a, b);
            call.value_of(result)
        }
    };
    store(call, &spot, new)?;
    Ok(Done::Value(found))
}
