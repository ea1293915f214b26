//! `StringBuilder`: appending, without instructions where the characters are concrete, without
//! branches where they are not.
//!
//! javac and the JDK build most messages with it. A builder that gets a symbolic number becomes a rope (see
//! [`crate::rope`]); every operation but appending and `toString` writes it out first.

use std::rc::Rc;

use super::Row;
use crate::native::{Call, Done, Trap};
use crate::object::Body;
use crate::rope::Part;
use crate::value::{Kind, Ref, Value};

const BUILDER: &str = "java/lang/StringBuilder";

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

fn append(call: &mut Call, parts: &[Part]) -> Result<Done, Trap> {
    let builder = call.object(0)?;
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
