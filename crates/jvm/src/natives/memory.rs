//! `jdk.internal.misc.Unsafe`: memory by object and offset.
//!
//! An offset is ours to choose: a field's is its slot, a static's is its slot beyond [`STATICS`] with
//! the class object as base, an array element's is [`ARRAYS`] plus index times size. Wider accesses to
//! byte arrays, which the JDK's text routines make, are put together from the elements, low byte
//! first, symbolic ones too.

use evergreen_symbolic::{Binary, Cast, Const, Rel};

use super::Row;
use super::objects::nothing;
use crate::classes::Shape;
use crate::native::{Call, Done, Trap};
use crate::value::{Kind, Ref, Value};

const UNSAFE: &str = "jdk/internal/misc/Unsafe";
const ARRAYS: i64 = 16;
const STATICS: i64 = 1 << 24;

pub(crate) const TABLE: &[Row] = &[
    (UNSAFE, "registerNatives", "()V", nothing),
    ("jdk/internal/misc/ScopedMemoryAccess", "registerNatives", "()V", nothing),
    (UNSAFE, "objectFieldOffset0", "*", field_offset),
    (UNSAFE, "staticFieldOffset0", "*", field_offset),
    (UNSAFE, "objectFieldOffset", "(Ljava/lang/reflect/Field;)J", field_offset),
    (UNSAFE, "staticFieldOffset", "(Ljava/lang/reflect/Field;)J", field_offset),
    (UNSAFE, "objectFieldOffset1", "*", named_offset),
    (UNSAFE, "staticFieldBase0", "*", static_base),
    (UNSAFE, "arrayBaseOffset0", "*", array_base),
    (UNSAFE, "arrayIndexScale0", "*", array_scale),
    (UNSAFE, "ensureClassInitialized0", "*", initialize),
    (UNSAFE, "shouldBeInitialized0", "*", |_| Ok(Done::Value(Value::Int(0)))),
    (UNSAFE, "allocateInstance", "*", allocate),
    (UNSAFE, "allocateUninitializedArray0", "*", allocate_array),
    (UNSAFE, "allocateUninitializedArray", "*", allocate_array),
    (UNSAFE, "fullFence", "()V", nothing),
    (UNSAFE, "loadFence", "()V", nothing),
    (UNSAFE, "storeFence", "()V", nothing),
    (UNSAFE, "compareAndSetInt", "*", |c| compare_and_set(c, Kind::Int)),
    (UNSAFE, "compareAndSetLong", "*", |c| compare_and_set(c, Kind::Long)),
    (UNSAFE, "compareAndSetReference", "*", |c| compare_and_set(c, Kind::Reference)),
    (UNSAFE, "compareAndExchangeInt", "*", |c| compare_and_exchange(c, Kind::Int)),
    (UNSAFE, "compareAndExchangeLong", "*", |c| compare_and_exchange(c, Kind::Long)),
    (UNSAFE, "compareAndExchangeReference", "*", |c| compare_and_exchange(c, Kind::Reference)),
    (UNSAFE, "getBoolean", "(Ljava/lang/Object;J)Z", |c| get(c, Kind::Boolean)),
    (UNSAFE, "getByte", "(Ljava/lang/Object;J)B", |c| get(c, Kind::Byte)),
    (UNSAFE, "getChar", "(Ljava/lang/Object;J)C", |c| get(c, Kind::Char)),
    (UNSAFE, "getShort", "(Ljava/lang/Object;J)S", |c| get(c, Kind::Short)),
    (UNSAFE, "getInt", "(Ljava/lang/Object;J)I", |c| get(c, Kind::Int)),
    (UNSAFE, "getLong", "(Ljava/lang/Object;J)J", |c| get(c, Kind::Long)),
    (UNSAFE, "getFloat", "(Ljava/lang/Object;J)F", |c| get(c, Kind::Float)),
    (UNSAFE, "getDouble", "(Ljava/lang/Object;J)D", |c| get(c, Kind::Double)),
    (UNSAFE, "getReference", "*", |c| get(c, Kind::Reference)),
    (UNSAFE, "getBooleanVolatile", "*", |c| get(c, Kind::Boolean)),
    (UNSAFE, "getByteVolatile", "*", |c| get(c, Kind::Byte)),
    (UNSAFE, "getCharVolatile", "*", |c| get(c, Kind::Char)),
    (UNSAFE, "getShortVolatile", "*", |c| get(c, Kind::Short)),
    (UNSAFE, "getIntVolatile", "*", |c| get(c, Kind::Int)),
    (UNSAFE, "getLongVolatile", "*", |c| get(c, Kind::Long)),
    (UNSAFE, "getFloatVolatile", "*", |c| get(c, Kind::Float)),
    (UNSAFE, "getDoubleVolatile", "*", |c| get(c, Kind::Double)),
    (UNSAFE, "getReferenceVolatile", "*", |c| get(c, Kind::Reference)),
    (UNSAFE, "putBoolean", "(Ljava/lang/Object;JZ)V", |c| put(c, Kind::Boolean)),
    (UNSAFE, "putByte", "(Ljava/lang/Object;JB)V", |c| put(c, Kind::Byte)),
    (UNSAFE, "putChar", "(Ljava/lang/Object;JC)V", |c| put(c, Kind::Char)),
    (UNSAFE, "putShort", "(Ljava/lang/Object;JS)V", |c| put(c, Kind::Short)),
    (UNSAFE, "putInt", "(Ljava/lang/Object;JI)V", |c| put(c, Kind::Int)),
    (UNSAFE, "putLong", "(Ljava/lang/Object;JJ)V", |c| put(c, Kind::Long)),
    (UNSAFE, "putFloat", "(Ljava/lang/Object;JF)V", |c| put(c, Kind::Float)),
    (UNSAFE, "putDouble", "(Ljava/lang/Object;JD)V", |c| put(c, Kind::Double)),
    (UNSAFE, "putReference", "*", |c| put(c, Kind::Reference)),
    (UNSAFE, "putBooleanVolatile", "*", |c| put(c, Kind::Boolean)),
    (UNSAFE, "putByteVolatile", "*", |c| put(c, Kind::Byte)),
    (UNSAFE, "putCharVolatile", "*", |c| put(c, Kind::Char)),
    (UNSAFE, "putShortVolatile", "*", |c| put(c, Kind::Short)),
    (UNSAFE, "putIntVolatile", "*", |c| put(c, Kind::Int)),
    (UNSAFE, "putLongVolatile", "*", |c| put(c, Kind::Long)),
    (UNSAFE, "putFloatVolatile", "*", |c| put(c, Kind::Float)),
    (UNSAFE, "putDoubleVolatile", "*", |c| put(c, Kind::Double)),
    (UNSAFE, "putReferenceVolatile", "*", |c| put(c, Kind::Reference)),
];

pub(super) fn size_of(kind: Kind) -> i64 {
    match kind {
        Kind::Boolean | Kind::Byte => 1,
        Kind::Char | Kind::Short => 2,
        Kind::Int | Kind::Float | Kind::Reference => 4,
        Kind::Long | Kind::Double => 8,
    }
}

fn offset_of(call: &mut Call, class: Value, name: Value) -> Result<Done, Trap> {
    let mirror = class.as_ref().ok_or_else(|| Trap::throw_plain("java/lang/NullPointerException"))?;
    let id = call.jvm.class_of_mirror(call.state, mirror);
    let name = name.as_ref().and_then(|name| call.jvm.string_text(call.state, name)).unwrap_or_default();
    let class = id.map(|id| call.class(id));
    let offset = class.and_then(|class| {
        let own = class.instance_field(&name).map(|field| i64::from(field.slot));
        own.or_else(|| class.static_field(&name).map(|field| STATICS + i64::from(field.slot)))
    });
    match offset {
        Some(offset) => Ok(Done::Value(Value::Long(offset))),
        None => Err(Trap::throw("java/lang/InternalError", name)),
    }
}

fn field_offset(call: &mut Call) -> Result<Done, Trap> {
    let field = call.object(1)?;
    let (class, name) = (call.field(field, "clazz"), call.field(field, "name"));
    offset_of(call, class, name)
}

fn named_offset(call: &mut Call) -> Result<Done, Trap> {
    let (class, name) = (call.args[1], call.args[2]);
    offset_of(call, class, name)
}

fn static_base(call: &mut Call) -> Result<Done, Trap> {
    let field = call.object(1)?;
    Ok(Done::Value(call.field(field, "clazz")))
}

fn array_base(_: &mut Call) -> Result<Done, Trap> {
    Ok(Done::Value(Value::Int(ARRAYS as i32)))
}

fn array_scale(call: &mut Call) -> Result<Done, Trap> {
    match call.class(call.mirrored(1)?).shape {
        Shape::Array { kind, .. } => Ok(Done::Value(Value::Int(size_of(kind) as i32))),
        _ => Err(Trap::throw_plain("java/lang/InvalidClassException")),
    }
}

fn initialize(call: &mut Call) -> Result<Done, Trap> {
    let class = call.mirrored(1)?;
    call.init(class)?;
    Ok(Done::Void)
}

fn allocate(call: &mut Call) -> Result<Done, Trap> {
    let class = call.mirrored(1)?;
    call.init(class)?;
    Ok(Done::Value(Value::Ref(call.blank(class))))
}

fn allocate_array(call: &mut Call) -> Result<Done, Trap> {
    let element = call.mirrored(1)?;
    let length = call.int(2)?;
    if length < 0 {
        return Err(Trap::throw("java/lang/IllegalArgumentException", "Negative length"));
    }
    Ok(Done::Value(Value::Ref(call.make_array(element, length as usize)?)))
}

/// The target of an access.
enum Spot {
    /// A static field's slot.
    Static(u32),
    /// A field's slot, or one element.
    At(Ref, usize),
    /// Several elements of a narrower type, from this one on; size of each in bytes.
    Spread(Ref, usize, i64),
}

fn spot(call: &mut Call, kind: Kind) -> Result<Spot, Trap> {
    let object = match call.args[1] {
        Value::Ref(object) => object,
        _ => return Err(Trap::unsupported("memory outside of objects", "avoid Unsafe")),
    };
    let element = match call.class(call.state.heap.class_of(object)).shape {
        Shape::Array { kind, .. } => Some(size_of(kind)),
        _ => None,
    };
    let offset = offset(call, object, element)?;
    let Some(size) = element else {
        return Ok(match u32::try_from(offset - STATICS) {
            Ok(slot) => Spot::Static(slot),
            Err(_) => Spot::At(object, offset as usize),
        });
    };
    let wanted = size_of(kind);
    let length = call.state.heap.array_length(object).unwrap_or(0) as i64;
    let at = offset - ARRAYS;
    if at < 0 || at % size != 0 || wanted < size || at + wanted > length * size {
        return Err(Trap::unsupported("memory across or outside of array elements", "avoid Unsafe"));
    }
    let index = (at / size) as usize;
    Ok(if wanted == size { Spot::At(object, index) } else { Spot::Spread(object, index, size) })
}

/// The offset argument; a symbolic one, an index into an array, branches over the elements.
fn offset(call: &mut Call, object: Ref, element: Option<i64>) -> Result<i64, Trap> {
    let (expr, size) = match (call.args[2], element) {
        (Value::Long(offset), _) => return Ok(offset),
        (Value::Sym(expr), Some(size)) => (expr, size),
        _ => return Err(Trap::unsupported("a symbolic field offset", "avoid Unsafe")),
    };
    let length = call.state.heap.array_length(object).unwrap_or(0) as i64;
    if length > call.jvm.options.indices as i64 {
        return Err(Trap::unsupported("a symbolic index into a long array", "use a smaller table"));
    }
    let mut arms = Vec::new();
    let mut none = evergreen_symbolic::Cond::TRUE;
    for index in 0..length {
        let mut exprs = call.exprs();
        let constant = exprs.constant(Const::I64(ARRAYS + index * size));
        let here = exprs.relate(Rel::Eq, expr, constant);
        none = exprs.and(none, here.negated());
        arms.push(here);
    }
    arms.push(none);
    let arm = call.choose(&arms)? as i64;
    Ok(ARRAYS + arm * size)
}

/// A field's or element's value; of an input it may have to be made first.
pub(super) fn initialized(call: &mut Call, object: Ref, index: usize) -> Result<Value, Trap> {
    match call.state.heap.load(object, index) {
        Value::Unset => Err(call.read_first(object, index)),
        value => Ok(value),
    }
}

fn load(call: &mut Call, spot: &Spot, kind: Kind) -> Result<Value, Trap> {
    let (object, index, size) = match *spot {
        Spot::Static(slot) => return Ok(call.state.get_static(slot)),
        Spot::At(object, index) => return initialized(call, object, index),
        Spot::Spread(object, index, size) => (object, index, size),
    };
    let count = size_of(kind) / size;
    let parts: Vec<Value> = (0..count).map(|i| call.state.heap.load(object, index + i as usize)).collect();
    compose(call, parts, size, kind)
}

/// The bytes of a value in a byte array.
pub(super) fn load_bytes(
    call: &Call,
    array: Ref,
    index: usize,
    kind: Kind,
    big: bool,
) -> Result<Value, Trap> {
    let mut parts: Vec<Value> =
        (0..size_of(kind) as usize).map(|i| call.state.heap.load(array, index + i)).collect();
    if big {
        parts.reverse();
    }
    compose(call, parts, 1, kind)
}

/// Writes the bytes of a value into a byte array.
pub(super) fn store_bytes(
    call: &mut Call,
    (array, index): (Ref, usize),
    kind: Kind,
    big: bool,
    value: Value,
) -> Result<(), Trap> {
    let count = size_of(kind) as usize;
    for i in 0..count {
        let byte = byte_of(call, value, kind, i)?;
        let at = if big { count - 1 - i } else { i };
        call.state.heap.store(array, index + at, byte);
    }
    Ok(())
}

/// Byte `place` of a whole number, the lowest first.
fn byte_of(call: &Call, value: Value, kind: Kind, place: usize) -> Result<Value, Trap> {
    if matches!(kind, Kind::Float | Kind::Double | Kind::Reference) {
        return Err(Trap::unsupported("a float laid over other elements", "avoid Unsafe"));
    }
    let expr = call.as_expr(value);
    let byte = {
        let mut exprs = call.exprs();
        let shift = exprs.constant(Const::I32(8 * place as i32));
        let moved = exprs.binary(Binary::Shr, expr, shift);
        let int = if kind == Kind::Long { exprs.cast(Cast::L2I, moved) } else { moved };
        exprs.cast(Cast::I2B, int)
    };
    Ok(call.value_of(byte))
}

/// A value of elements of `size` bytes, the lowest first.
fn compose(call: &Call, parts: Vec<Value>, size: i64, kind: Kind) -> Result<Value, Trap> {
    if matches!(kind, Kind::Float | Kind::Double | Kind::Reference) {
        return Err(Trap::unsupported("a float laid over other elements", "avoid Unsafe"));
    }
    let mut exprs = call.jvm.exprs.borrow_mut();
    let mut whole = exprs.constant(Const::I64(0));
    for (i, part) in parts.into_iter().enumerate() {
        let part = match part {
            Value::Sym(expr) => expr,
            other => exprs.constant(Const::I32(other.as_int().unwrap_or(0))),
        };
        let long = exprs.cast(Cast::I2L, part);
        let mask = exprs.constant(Const::I64((1i64 << (8 * size)) - 1));
        let low = exprs.binary(Binary::And, long, mask);
        let shift = exprs.constant(Const::I32(i as i32 * 8 * size as i32));
        let placed = exprs.binary(Binary::Shl, low, shift);
        whole = exprs.binary(Binary::Or, whole, placed);
    }
    let result = match kind {
        Kind::Long => whole,
        _ => {
            let int = exprs.cast(Cast::L2I, whole);
            match kind {
                Kind::Char => exprs.cast(Cast::I2C, int),
                Kind::Short => exprs.cast(Cast::I2S, int),
                _ => int,
            }
        }
    };
    drop(exprs);
    Ok(call.value_of(result))
}

fn store(call: &mut Call, spot: &Spot, kind: Kind, value: Value) -> Result<(), Trap> {
    let (object, index, size) = match *spot {
        Spot::Static(slot) => {
            call.state.set_static(slot, value);
            return Ok(());
        }
        Spot::At(object, index) => {
            call.state.heap.store(object, index, value);
            return Ok(());
        }
        Spot::Spread(object, index, size) => (object, index, size),
    };
    if size != 1 {
        return Err(Trap::unsupported("a value laid over other elements", "avoid Unsafe"));
    }
    store_bytes(call, (object, index), kind, false, value)
}

fn get(call: &mut Call, kind: Kind) -> Result<Done, Trap> {
    let spot = spot(call, kind)?;
    Ok(Done::Value(load(call, &spot, kind)?))
}

fn put(call: &mut Call, kind: Kind) -> Result<Done, Trap> {
    let spot = spot(call, kind)?;
    let value = call.args[3];
    store(call, &spot, kind, value)?;
    Ok(Done::Void)
}

fn exchange(call: &mut Call, kind: Kind) -> Result<(Value, bool), Trap> {
    let spot = spot(call, kind)?;
    let (expected, new) = (call.args[3], call.args[4]);
    let found = load(call, &spot, kind)?;
    let same = if kind == Kind::Reference { found.same(expected) } else { call.are_equal(found, expected)? };
    if same {
        store(call, &spot, kind, new)?;
    }
    Ok((found, same))
}

fn compare_and_set(call: &mut Call, kind: Kind) -> Result<Done, Trap> {
    let (_, same) = exchange(call, kind)?;
    Ok(Done::Value(Value::boolean(same)))
}

fn compare_and_exchange(call: &mut Call, kind: Kind) -> Result<Done, Trap> {
    let (found, _) = exchange(call, kind)?;
    Ok(Done::Value(found))
}
