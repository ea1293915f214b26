//! Arrays: `System.arraycopy`, `java.lang.reflect.Array`, and the vector routines that reach under arrays.

use evergreen_symbolic::{Binary, Cast, Cond, Const, Rel};

use super::Row;
use crate::classes::{ClassId, Shape};
use crate::describe::box_kind;
use crate::native::{Call, Done, Trap};
use crate::object::Body;
use crate::rope::Part;
use crate::value::{Kind, Ref, Value};

const ARRAY: &str = "java/lang/reflect/Array";

pub(crate) const TABLE: &[Row] = &[
    ("java/lang/System", "arraycopy", "*", copy),
    (ARRAY, "newArray", "*", new_array),
    (ARRAY, "multiNewArray", "*", new_arrays),
    (ARRAY, "getLength", "*", length),
    (ARRAY, "get", "*", get),
    (ARRAY, "set", "*", set),
    // Returns "nothing was compared yet": the caller's own loop, which the machine can
    // interpret, compares all elements.
    ("jdk/internal/util/ArraysSupport", "vectorizedMismatch", "*", compared_nothing),
];

fn compared_nothing(call: &mut Call) -> Result<Done, Trap> {
    Ok(Done::Value(Value::Int(!call.int(4)?)))
}

fn array_kind(call: &Call, array: Ref) -> Option<(Kind, ClassId)> {
    match call.class(call.state.heap.class_of(array)).shape {
        Shape::Array { element, kind } => Some((kind, element)),
        _ => None,
    }
}

/// The elements of a primitive kind, as HotSpot names the array in its messages.
fn described(call: &Call, array: Ref) -> String {
    let class = call.class(call.state.heap.class_of(array));
    match class.shape {
        Shape::Array { kind: Kind::Reference, .. } => "object array[]".to_string(),
        Shape::Array { kind, .. } => format!("{}[]", kind.java()),
        _ => class.java_name(),
    }
}

fn copy(call: &mut Call) -> Result<Done, Trap> {
    let (from, to) = (call.object(0)?, call.object(2)?);
    let (source, target) = (array_kind(call, from), array_kind(call, to));
    let (Some((from_kind, from_element)), Some((to_kind, to_element))) = (source, target) else {
        let (which, odd) = if source.is_none() { ("source", from) } else { ("destination", to) };
        return misfit(format!("{which} type {} is not an array", described(call, odd)));
    };
    if from_kind != to_kind {
        let (source, target) = (described(call, from), described(call, to));
        return misfit(format!("type mismatch: can not copy {source} into {target}"));
    }
    let sizes = (length_of(call, from), length_of(call, to));
    let (from_at, to_at, count) = places(call, from, to, sizes)?;
    let values = slice(&call.state.heap.get(from).body, from_at, count);
    if let Some(unread) = values.iter().position(|value| *value == Value::Unset) {
        return Err(call.read_first(from, from_at + unread));
    }
    if to_kind != Kind::Reference {
        write(call, to, to_at, &values);
        return Ok(Done::Void);
    }
    // Elements before the first one that does not fit are copied.
    let fits = |value: &Value| match value {
        Value::Ref(object) => call.class(call.state.heap.class_of(*object)).is_assignable_to(to_element),
        _ => true,
    };
    let good = values.iter().position(|value| !fits(value)).unwrap_or(values.len());
    write(call, to, to_at, &values[..good]);
    if good == values.len() {
        return Ok(Done::Void);
    }
    let (source, target) = (call.class(from_element), call.class(to_element));
    let (from_name, to_name) = (external(&source.name), external(&target.name));
    if target.is_assignable_to(from_element) {
        misfit(format!(
            "element type mismatch: can not cast one of the elements of {from_name}[] to the type of the \
             destination array, {to_name}"
        ))
    } else {
        misfit(format!("type mismatch: can not copy {from_name}[] into {to_name}[]"))
    }
}

fn misfit(text: String) -> Result<Done, Trap> {
    Err(Trap::throw("java/lang/ArrayStoreException", format!("arraycopy: {text}")))
}

/// A class as Java source names it: `int[]`, `java.lang.String`.
fn external(name: &str) -> String {
    let depth = name.bytes().take_while(|b| *b == b'[').count();
    let inner = &name[depth..];
    let inner = match Kind::of_descriptor(inner) {
        Some(Kind::Reference) if depth > 0 => inner[1..].trim_end_matches(';').replace('/', "."),
        Some(kind) if depth > 0 => kind.java().to_string(),
        _ => inner.replace('/', "."),
    };
    inner + &"[]".repeat(depth)
}

fn length_of(call: &Call, array: Ref) -> usize {
    call.state.heap.array_length(array).unwrap_or(0)
}

/// Checked positions and count; a symbolic one becomes concrete by a path for each value.
fn places(
    call: &mut Call,
    from: Ref,
    to: Ref,
    (from_size, to_size): (usize, usize),
) -> Result<(usize, usize, usize), Trap> {
    let longest = from_size.max(to_size) as i64;
    let from_at = concrete(call, 1, longest)?;
    let to_at = concrete(call, 3, longest)?;
    let count = concrete(call, 4, longest)?;
    let sum = |call: &Call, at: usize| {
        // The JVM prints it as an unsigned number, which a long has room for.
        let (a, b) = (call.as_expr(call.args[at]), call.as_expr(call.args[4]));
        let last = {
            let mut exprs = call.exprs();
            let (a, b) = (exprs.cast(Cast::I2L, a), exprs.cast(Cast::I2L, b));
            exprs.binary(Binary::Add, a, b)
        };
        call.value_of(last)
    };
    let text = if from_at < 0 {
        ("source index ", call.args[1], bounds_of(call, from, from_size))
    } else if to_at < 0 {
        ("destination index ", call.args[3], bounds_of(call, to, to_size))
    } else if count < 0 {
        ("length ", call.args[4], " is negative".to_string())
    } else if from_at + count > from_size as i64 {
        ("last source index ", sum(call, 1), bounds_of(call, from, from_size))
    } else if to_at + count > to_size as i64 {
        ("last destination index ", sum(call, 3), bounds_of(call, to, to_size))
    } else {
        return Ok((from_at as usize, to_at as usize, count as usize));
    };
    let (what, value, rest) = text;
    let kind = if what.starts_with("last") { Kind::Long } else { Kind::Int };
    let message = vec![Part::text("arraycopy: "), Part::text(what), Part::of(kind, value), Part::text(&rest)];
    Err(Trap::ThrowRope { class: "java/lang/ArrayIndexOutOfBoundsException".into(), message })
}

fn bounds_of(call: &Call, array: Ref, size: usize) -> String {
    format!(" out of bounds for {}[{size}]", described(call, array).trim_end_matches("[]"))
}

/// An index argument; a symbolic one branches over everything up to `longest`, below zero and above.
fn concrete(call: &mut Call, index: usize, longest: i64) -> Result<i64, Trap> {
    let expr = match call.args[index] {
        Value::Int(value) => return Ok(i64::from(value)),
        value => call.as_expr(value),
    };
    if longest > call.jvm.options.indices as i64 {
        call.int(index)?;
    }
    let arms: Vec<Cond> = {
        let mut exprs = call.exprs();
        let mut arms = Vec::new();
        for value in 0..=longest as i32 {
            let constant = exprs.constant(Const::I32(value));
            arms.push(exprs.relate(Rel::Eq, expr, constant));
        }
        let zero = exprs.constant(Const::I32(0));
        arms.push(exprs.relate(Rel::Lt, expr, zero));
        let last = exprs.constant(Const::I32(longest as i32));
        arms.push(exprs.relate(Rel::Gt, expr, last));
        arms
    };
    let arm = call.choose(&arms)? as i64;
    Ok(if arm <= longest {
        arm
    } else if arm == longest + 1 {
        -1
    } else {
        longest + 1
    })
}

fn slice(body: &Body, at: usize, count: usize) -> Vec<Value> {
    (at..at + count).filter_map(|i| body.get(i)).collect()
}

fn write(call: &mut Call, to: Ref, at: usize, values: &[Value]) {
    if values.is_empty() {
        return;
    }
    let body = &mut call.state.heap.get_mut(to).body;
    for (i, value) in values.iter().enumerate() {
        body.set(at + i, *value);
    }
}

fn new_array(call: &mut Call) -> Result<Done, Trap> {
    let element = call.mirrored(0)?;
    if let Some(length) = call.expr(1) {
        let class = call.jvm.array_of(element)?;
        let array = call.jvm.new_open_array(call.state, class, length).map_err(|trap| *trap)?;
        return Ok(Done::Value(Value::Ref(array)));
    }
    let length = call.int(1)?;
    if length < 0 {
        return Err(Trap::throw("java/lang/NegativeArraySizeException", length.to_string()));
    }
    let array = call.make_array(element, length as usize)?;
    Ok(Done::Value(Value::Ref(array)))
}

fn new_arrays(call: &mut Call) -> Result<Done, Trap> {
    let element = call.mirrored(0)?;
    let sizes = call.object(1)?;
    let sizes: Vec<usize> = call
        .state
        .heap
        .get(sizes)
        .body
        .values()
        .iter()
        .map(|size| size.as_int().filter(|s| *s >= 0).map(|s| s as usize))
        .collect::<Option<_>>()
        .ok_or_else(|| Trap::throw_plain("java/lang/NegativeArraySizeException"))?;
    let array = nested(call, element, &sizes)?;
    Ok(Done::Value(Value::Ref(array)))
}

fn nested(call: &mut Call, element: ClassId, sizes: &[usize]) -> Result<Ref, Trap> {
    let Some((&size, rest)) = sizes.split_first() else {
        return Err(Trap::throw("java/lang/IllegalArgumentException", "Empty dimensions array"));
    };
    let mut inner = element;
    for _ in rest {
        inner = call.jvm.array_of(inner)?;
    }
    let array = call.make_array(inner, size)?;
    if !rest.is_empty() {
        for i in 0..size {
            let part = nested(call, element, rest)?;
            call.state.heap.store(array, i, Value::Ref(part));
        }
    }
    Ok(array)
}

fn length(call: &mut Call) -> Result<Done, Trap> {
    let array = call.object(0)?;
    match call.state.heap.array_length(array) {
        Some(length) => Ok(Done::Value(Value::Int(length as i32))),
        None => Err(Trap::throw("java/lang/IllegalArgumentException", "Argument is not an array")),
    }
}

/// The array and what its elements are.
fn any_array(call: &Call) -> Result<(Ref, Kind, ClassId), Trap> {
    let array = call.object(0)?;
    match array_kind(call, array) {
        Some((kind, element)) => Ok((array, kind, element)),
        None => Err(Trap::throw("java/lang/IllegalArgumentException", "Argument is not an array")),
    }
}

/// The element that the second argument names.
fn place(call: &mut Call, array: Ref) -> Result<usize, Trap> {
    let length = length_of(call, array);
    let index = concrete(call, 1, length as i64)?;
    match usize::try_from(index) {
        Ok(index) if index < length => Ok(index),
        // HotSpot has no message here.
        _ => Err(Trap::throw_plain("java/lang/ArrayIndexOutOfBoundsException")),
    }
}

fn get(call: &mut Call) -> Result<Done, Trap> {
    let (array, kind, _) = any_array(call)?;
    let index = place(call, array)?;
    let value = super::memory::initialized(call, array, index)?;
    let Some(name) = BOXES.into_iter().find(|name| box_kind(name) == Some(kind)) else {
        return Ok(Done::Value(value));
    };
    let class = call.class_named(name)?;
    call.init(class)?;
    let method = call.method_named(class, "valueOf", &format!("({})L{name};", kind.letter()))?;
    Ok(Done::Tail { method, args: vec![value] })
}

fn set(call: &mut Call) -> Result<Done, Trap> {
    let (array, kind, element) = any_array(call)?;
    let misfit = |text: &str| Err(Trap::throw("java/lang/IllegalArgumentException", text));
    let value = match (kind, call.args[2]) {
        (Kind::Reference, value) => value,
        (_, Value::Ref(boxed)) => {
            let class = call.class(call.state.heap.class_of(boxed)).clone();
            let Some(of) = box_kind(&class.name) else {
                place(call, array)?;
                return misfit("argument type mismatch");
            };
            if of != kind {
                return Err(Trap::unsupported(
                    format!("Array.set of a {} in an array of {}", of.java(), kind.java()),
                    "use the array's own type",
                ));
            }
            call.field(boxed, "value")
        }
        _ => return Err(Trap::throw_plain("java/lang/IllegalArgumentException")),
    };
    let index = place(call, array)?;
    if let (Kind::Reference, Value::Ref(object)) = (kind, value)
        && !call.class(call.state.heap.class_of(object)).is_assignable_to(element)
    {
        return misfit("array element type mismatch");
    }
    call.state.heap.store(array, index, value);
    Ok(Done::Void)
}

const BOXES: [&str; 8] = [
    "java/lang/Boolean",
    "java/lang/Byte",
    "java/lang/Character",
    "java/lang/Short",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Float",
    "java/lang/Double",
];
