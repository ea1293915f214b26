//! `StringBuilder` and `StringBuffer`: appending, without instructions where the characters are
//! concrete, without branches where they are not.
//!
//! javac and the JDK build most messages with it. A builder that gets a symbolic number becomes a rope (see
//! [`crate::rope`]); so does one of a string that is an input. Changes of single characters keep the rope,
//! and other operations write it out first.

use std::rc::Rc;

use evergreen_symbolic::{Cond, Const, Expr, Input, Rel};

use super::characters::{char_at, own_units};
use super::{Row, open};
use crate::native::{Call, Done, Trap};
use crate::object::Body;
use crate::rope::Part;
use crate::step::too_long;
use crate::value::{Kind, Ref, Value};

const BUILDER: &str = "java/lang/StringBuilder";
const BUFFER: &str = "java/lang/StringBuffer";

/// Builders of a symbolic capacity have at most this one.
const MOST_CAPACITY: i32 = 1 << 24;

/// Texts whose length is part of such a capacity are not longer than this.
const LONGEST: i32 = 1 << 20;

/// The slot of a path that has made such a builder.
const OPEN_CAPACITY: &str = "symbolic capacity";

/// Parts beyond which a rope is written out: each append copies them.
const MOST_PARTS: usize = 64;

pub(crate) const TABLE: &[Row] = &[
    (BUILDER, "append", "(I)Ljava/lang/StringBuilder;", |c| append_value(c, Kind::Int)),
    (BUILDER, "append", "(J)Ljava/lang/StringBuilder;", |c| append_value(c, Kind::Long)),
    (BUILDER, "append", "(C)Ljava/lang/StringBuilder;", |c| append_value(c, Kind::Char)),
    (BUILDER, "append", "(Z)Ljava/lang/StringBuilder;", |c| append_value(c, Kind::Boolean)),
    (BUILDER, "append", "(F)Ljava/lang/StringBuilder;", |c| append_float(c, Kind::Float)),
    (BUILDER, "append", "(D)Ljava/lang/StringBuilder;", |c| append_float(c, Kind::Double)),
    (BUILDER, "append", "(Ljava/lang/String;)Ljava/lang/StringBuilder;", append_text),
    (BUILDER, "toString", "()Ljava/lang/String;", to_string),
    (BUILDER, "<init>", "(Ljava/lang/String;)V", begin),
    (BUILDER, "<init>", "(I)V", begin_empty),
    (BUILDER, "capacity", "()I", capacity),
    (BUILDER, "length", "()I", length),
    (BUILDER, "charAt", "(I)C", char_at),
    (BUILDER, "insert", "(IC)Ljava/lang/StringBuilder;", insert),
    (BUILDER, "insert", "(ILjava/lang/String;)Ljava/lang/StringBuilder;", insert),
    (BUILDER, "deleteCharAt", "(I)Ljava/lang/StringBuilder;", delete),
    (BUILDER, "setCharAt", "(IC)V", set),
    (BUFFER, "append", "(I)Ljava/lang/StringBuffer;", |c| append_value(c, Kind::Int)),
    (BUFFER, "append", "(J)Ljava/lang/StringBuffer;", |c| append_value(c, Kind::Long)),
    (BUFFER, "append", "(C)Ljava/lang/StringBuffer;", |c| append_value(c, Kind::Char)),
    (BUFFER, "append", "(Z)Ljava/lang/StringBuffer;", |c| append_value(c, Kind::Boolean)),
    (BUFFER, "append", "(F)Ljava/lang/StringBuffer;", |c| append_float(c, Kind::Float)),
    (BUFFER, "append", "(D)Ljava/lang/StringBuffer;", |c| append_float(c, Kind::Double)),
    (BUFFER, "append", "(Ljava/lang/String;)Ljava/lang/StringBuffer;", append_text),
    (BUFFER, "toString", "()Ljava/lang/String;", to_string),
    (BUFFER, "<init>", "(Ljava/lang/String;)V", begin),
    (BUFFER, "<init>", "(I)V", begin_empty),
    (BUFFER, "capacity", "()I", capacity),
    (BUFFER, "length", "()I", length),
    (BUFFER, "charAt", "(I)C", char_at),
    (BUFFER, "insert", "(IC)Ljava/lang/StringBuffer;", insert),
    (BUFFER, "insert", "(ILjava/lang/String;)Ljava/lang/StringBuffer;", insert),
    (BUFFER, "deleteCharAt", "(I)Ljava/lang/StringBuffer;", delete),
    (BUFFER, "setCharAt", "(IC)V", set),
];

fn append_value(call: &mut Call, kind: Kind) -> Result<Done, Trap> {
    let part = Part::of(kind, call.args[1]);
    append(call, &[part])
}

fn append_float(call: &mut Call, kind: Kind) -> Result<Done, Trap> {
    if call.args[1].is_symbolic() { append_value(call, kind) } else { call.interpret() }
}

fn append_text(call: &mut Call) -> Result<Done, Trap> {
    let Value::Ref(text) = call.args[1] else {
        return append(call, &[Part::text("null")]);
    };
    match call.jvm.parts(call.state, text) {
        Some(parts) => append(call, &parts),
        None => call.interpret(),
    }
}

/// A builder of a string that is a rope.
fn begin(call: &mut Call) -> Result<Done, Trap> {
    let builder = call.object(0)?;
    let Some(parts) = call.args[1].as_ref().and_then(|text| call.jvm.rope(call.state, text)) else {
        return call.interpret();
    };
    call.jvm.make_rope(call.state, builder, parts.to_vec());
    Ok(Done::Void)
}

/// An empty builder of a symbolic capacity: no program sees which it is, unless it asks.
fn begin_empty(call: &mut Call) -> Result<Done, Trap> {
    let Some(capacity) = call.expr(1) else { return call.interpret() };
    leave_out_longest(call, capacity)?;
    let (least, most) = {
        let mut exprs = call.exprs();
        let [zero, most] = [0, MOST_CAPACITY].map(|end| exprs.constant(Const::I32(end)));
        (exprs.relate(Rel::Lt, capacity, zero), exprs.relate(Rel::Gt, capacity, most))
    };
    let possible = call.jvm.exprs.borrow_mut().any_of(&[least, most]).negated();
    match call.choose(&[possible, least, most])? {
        0 => {}
        1 => {
            let message = vec![Part::Symbolic(Kind::Int, capacity)];
            return Err(Trap::ThrowRope { class: "java/lang/NegativeArraySizeException".into(), message });
        }
        _ if call.state.is_making() => return Err(call.jvm.leave_out_longer(call.state)),
        _ => return Err(*too_long(false)),
    }
    call.state.set_slot(OPEN_CAPACITY, Value::Int(1));
    let method = call.method_named(call.method.class, "<init>", "()V")?;
    let args = vec![call.args[0]];
    Ok(Done::Call { method, args, then: |_, _| Ok(Done::Void), saved: Vec::new() })
}

/// A capacity that is computed from the length of a text overflows where the text has almost as many
/// characters as a string can have. No test could make it: such texts are left out, and the result says so.
fn leave_out_longest(call: &mut Call, capacity: Expr) -> Result<(), Trap> {
    let shorter = {
        let mut exprs = call.exprs();
        let is_length = |input: &&Input| {
            let of = exprs.input_of(**input);
            of.name.ends_with(".length") && exprs.interval(exprs.expr_of(**input)).1 == i64::from(i32::MAX)
        };
        let inputs: Vec<Input> = exprs.inputs_of_expr(capacity).iter().filter(is_length).copied().collect();
        let most = exprs.constant(Const::I32(LONGEST));
        let all = inputs.into_iter().map(|input| {
            let length = exprs.expr_of(input);
            exprs.relate(Rel::Le, length, most)
        });
        let all: Vec<Cond> = all.collect();
        exprs.all_of(&all)
    };
    match call.jvm.choose_whether(call.state, shorter)? {
        true => Ok(()),
        false => Err(call.jvm.leave_out_longer(call.state)),
    }
}

fn capacity(call: &mut Call) -> Result<Done, Trap> {
    match call.state.slot(OPEN_CAPACITY) {
        Some(_) => Err(Trap::unsupported("a symbolic capacity", "do not ask for it")),
        None => call.interpret(),
    }
}

/// As for strings: only code of the JDK needs a number.
fn length(call: &mut Call) -> Result<Done, Trap> {
    let builder = call.object(0)?;
    if call.jvm.rope(call.state, builder).is_none() {
        return call.interpret();
    }
    if call.state.top().is_some_and(|frame| frame.method.user)
        && let Some(length) = open::length(call, builder)?
    {
        return Ok(Done::Value(Value::Sym(length)));
    }
    match call.jvm.units(call.state, builder) {
        Some(units) => Ok(Done::Value(Value::Int(units.len() as i32))),
        None => call.interpret(),
    }
}

fn append(call: &mut Call, parts: &[Part]) -> Result<Done, Trap> {
    let builder = call.object(0)?;
    // A buffer keeps its last text until it changes.
    call.set_field(builder, "toStringCache", Value::Null);
    if let [Part::Text(units)] = parts
        && call.state.heap.get(builder).extra == 0
    {
        return if append_units(call, builder, units) {
            Ok(Done::Value(call.args[0]))
        } else {
            call.interpret()
        };
    }
    let Some(mut all) = parts_of(call, builder) else { return call.interpret() };
    if all.len() + parts.len() > MOST_PARTS {
        return call.interpret();
    }
    for part in parts {
        match (all.last_mut(), part) {
            (Some(Part::Text(before)), Part::Text(more)) => {
                *before = before.iter().chain(more.iter()).copied().collect();
            }
            _ => all.push(part.clone()),
        }
    }
    call.jvm.make_rope(call.state, builder, all);
    Ok(Done::Value(call.args[0]))
}

/// The contents of a builder, as parts; `None` if its bytes were not made of characters.
fn parts_of(call: &Call, builder: Ref) -> Option<Vec<Part>> {
    if let Some(parts) = call.jvm.rope(call.state, builder) {
        return Some(parts.to_vec());
    }
    let (array, coder, count) = contents(call, builder)?;
    let body = &call.state.heap.get(array).body;
    if coder == 0 {
        return Some(call.jvm.latin_parts(&body.values()[..count.min(body.array_length()?)]));
    }
    let Body::Bytes(bytes) = body else {
        return call.jvm.wide_parts(&body.values()[..(2 * count).min(body.array_length()?)]);
    };
    let units: Vec<u16> = bytes
        .chunks_exact(2)
        .take(count)
        .map(|pair| u16::from_le_bytes([pair[0] as u8, pair[1] as u8]))
        .collect();
    Some(vec![Part::Text(units.into())])
}

/// Array, coder and number of characters of a builder that is no rope.
fn contents(call: &Call, builder: Ref) -> Option<(Ref, i32, usize)> {
    let known = &call.jvm.known;
    let heap = &call.state.heap;
    let array = heap.load(builder, known.builder_value).as_ref()?;
    let coder = heap.load(builder, known.builder_coder).as_int()?;
    let count = heap.load(builder, known.builder_count).as_int()?;
    Some((array, coder, usize::try_from(count).ok()?))
}

/// Appends concrete Latin-1 characters to a builder of such; whether it could.
fn append_units(call: &mut Call, builder: Ref, units: &Rc<[u16]>) -> bool {
    let Some((array, 0, count)) = contents(call, builder) else { return false };
    if units.iter().any(|unit| *unit > 255) {
        return false;
    }
    let capacity = call.state.heap.array_length(array).unwrap_or(0);
    let needed = count + units.len();
    if needed > call.jvm.options.elements {
        return false;
    }
    let array = if needed <= capacity { array } else { grow(call, builder, array, needed) };
    let body = &mut call.state.heap.get_mut(array).body;
    match body {
        Body::Bytes(bytes) => {
            for (place, unit) in Rc::make_mut(bytes)[count..needed].iter_mut().zip(units.iter()) {
                *place = *unit as i8;
            }
        }
        other => {
            for (i, unit) in units.iter().enumerate() {
                other.set(count + i, Value::Int(i32::from(*unit as i8)));
            }
        }
    }
    let slot = call.jvm.known.builder_count;
    call.state.heap.store(builder, slot, Value::Int(needed as i32));
    true
}

/// A larger copy of the array, by the JDK's rule: at least twice as long plus two.
fn grow(call: &mut Call, builder: Ref, array: Ref, needed: usize) -> Ref {
    let found = call.state.heap.get(array).clone();
    let old = found.body.array_length().unwrap_or(0);
    let length = old + (needed - old).max(old + 2);
    let mut body = Body::array(Kind::Byte, length);
    match (&mut body, &found.body) {
        (Body::Bytes(new), Body::Bytes(bytes)) => Rc::make_mut(new)[..old].copy_from_slice(bytes),
        (new, before) => {
            for (i, value) in before.values().into_iter().enumerate() {
                new.set(i, value);
            }
        }
    }
    let larger = call.state.heap.new_object(found.class, body);
    let slot = call.jvm.known.builder_value;
    call.state.heap.store(builder, slot, Value::Ref(larger));
    larger
}

fn to_string(call: &mut Call) -> Result<Done, Trap> {
    let builder = call.object(0)?;
    let parts = match call.jvm.rope(call.state, builder) {
        Some(parts) => parts,
        None => match contents(call, builder) {
            Some((array, 0, count)) => match &call.state.heap.get(array).body {
                Body::Bytes(bytes) => {
                    let units = bytes[..count.min(bytes.len())].iter().map(|byte| u16::from(*byte as u8));
                    Rc::new([Part::Text(units.collect())])
                }
                _ => return call.interpret(),
            },
            _ => return call.interpret(),
        },
    };
    Ok(Done::Value(Value::Ref(call.jvm.new_rope(call.state, &parts))))
}

/// The characters of a builder that is a rope, where it is changed at a known place up to its end; not if
/// there are too many.
fn changed(call: &mut Call) -> Result<Option<(Vec<Value>, usize)>, Trap> {
    let Some(units) = own_units(call)?.filter(|units| units.len() < MOST_PARTS) else { return Ok(None) };
    let at = call.args[1].as_int().and_then(|at| usize::try_from(at).ok());
    Ok(at.filter(|at| *at <= units.len()).map(|at| (units, at)))
}

fn write_back(call: &mut Call, units: Vec<Value>) -> Result<(), Trap> {
    let builder = call.object(0)?;
    call.set_field(builder, "toStringCache", Value::Null);
    let parts = units.into_iter().map(|unit| Part::of(Kind::Char, unit)).collect();
    call.jvm.make_rope(call.state, builder, parts);
    Ok(())
}

fn insert(call: &mut Call) -> Result<Done, Trap> {
    let more = match call.args[2] {
        Value::Null => return call.interpret(),
        Value::Ref(text) => match call.jvm.units(call.state, text) {
            Some(units) => units,
            None => return call.interpret(),
        },
        unit => vec![unit],
    };
    let Some((mut units, at)) = changed(call)? else { return call.interpret() };
    units.splice(at..at, more);
    write_back(call, units)?;
    Ok(Done::Value(call.args[0]))
}

fn delete(call: &mut Call) -> Result<Done, Trap> {
    let Some((mut units, at)) = changed(call)?.filter(|(units, at)| *at < units.len()) else {
        return call.interpret();
    };
    units.remove(at);
    write_back(call, units)?;
    Ok(Done::Value(call.args[0]))
}

fn set(call: &mut Call) -> Result<Done, Trap> {
    let Some((mut units, at)) = changed(call)?.filter(|(units, at)| *at < units.len()) else {
        return call.interpret();
    };
    units[at] = call.args[2];
    write_back(call, units)?;
    Ok(Done::Void)
}
