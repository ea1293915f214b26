//! What a path drew, under a model: the draws and the objects of its test. And back: the value that a test
//! has for an input, by the input's name.

use crate::case::{Case, Drawn, Object};
use evergreen_symbolic::{Assignment, Const, Expr, Exprs, InputKind};
use evergreen_wasm::{Draw, Form, Made, State};

/// The number that an expression has under a model; of a float, its bits.
pub(crate) fn evaluated(exprs: &Exprs, e: Expr, model: &Assignment) -> i64 {
    match exprs.eval(e, model) {
        Const::I32(n) => n.into(),
        Const::I64(n) => n,
        Const::F32(bits) => bits.into(),
        Const::F64(bits) => bits as i64,
    }
}

/// The draws and the objects of a path's test.
pub(crate) fn of_path(exprs: &Exprs, state: &State, model: &Assignment) -> (Vec<Drawn>, Vec<Object>) {
    let draws = state.draws();
    let mut objects: Vec<Object> = state.made().iter().map(|made| object(exprs, made, model)).collect();
    let mut all = Vec::new();
    for (at, draw) in draws.iter().enumerate() {
        match draw.at {
            None => {
                let mut drawn = one(exprs, draw, model);
                if draw.is_struct {
                    let fields = &draws[at + 1..(draw.fields.1 as usize).max(at + 1)];
                    // Objects that were made since do not belong to it.
                    let own =
                        fields.iter().filter_map(|field| Some((field.at.filter(|at| at.0 == 0)?.1, field)));
                    drawn.fields = own.map(|(offset, field)| (offset, one(exprs, field, model))).collect();
                }
                all.push(drawn);
            }
            Some((0, _)) => {}
            Some((number, offset)) => {
                let own = &mut objects[number as usize - 1];
                let mut drawn = one(exprs, draw, model);
                // Elements that the object does not have were kept room for.
                drawn.bytes.truncate(own.size.saturating_sub(offset) as usize);
                if offset < own.size || own.size == 0 && offset == 0 {
                    own.fields.push((offset, drawn));
                }
            }
        }
    }
    objects.iter_mut().for_each(|object| object.fields.sort_by_key(|(offset, _)| *offset));
    (all, objects)
}

fn object(exprs: &Exprs, made: &Made, model: &Assignment) -> Object {
    let count = evaluated(exprs, made.length, model).max(0) as u32;
    let zero = u32::from(made.form == Form::Text);
    Object {
        name: made.name.to_string(),
        type_name: made.type_name.to_string(),
        number: made.number,
        room: made.room,
        size: count * made.element + zero,
        count,
        fields: Vec::new(),
    }
}

/// What was drawn, under a model; bytes that nobody read are zero, or the least that they can be.
fn one(exprs: &Exprs, draw: &Draw, model: &Assignment) -> Drawn {
    let least = draw.range.map(|range| range.0).or_else(|| draw.values.as_ref()?.iter().min().copied());
    let mut bytes = vec![0; draw.size as usize];
    if let (Some(least), unit) = (least, usize::from(draw.unit.max(1))) {
        bytes.chunks_exact_mut(unit).for_each(|item| item.copy_from_slice(&least.to_le_bytes()[..unit]));
    }
    let mut width = (draw.unit > 0).then_some(draw.unit);
    for (offset, size, e) in &draw.parts {
        let value = evaluated(exprs, *e, model);
        let own = &value.to_le_bytes()[..usize::from(*size)];
        bytes[*offset as usize..*offset as usize + own.len()].copy_from_slice(own);
        width = Some(width.map_or(*size, |w: u8| if w == *size { w } else { 1 }));
    }
    let name = draw.name.split('#').next().unwrap_or(&draw.name).to_string();
    let points = draw.pointer.as_ref().map(|pointer| pointer.target.unwrap_or(0));
    if points.is_some() {
        bytes.clear();
    }
    let width = width.or(draw.scalar.map(|s| s.width)).unwrap_or(1);
    Drawn { name, bytes, width, float: draw.float, points, fields: Vec::new() }
}

/// All draws of a test, those inside of objects too.
fn everything(case: &Case) -> impl Iterator<Item = &Drawn> {
    let fields = case.draws.iter().flat_map(|drawn| drawn.fields.iter().map(|(_, field)| field));
    let inside = case.objects.iter().flat_map(|object| object.fields.iter().map(|(_, field)| field));
    case.draws.iter().chain(fields).chain(inside)
}

/// The value that a test has for an input: `keys[2]` of 4 bytes is bytes 8 to 11 of the draw `keys`,
/// `list.object` the object that `list` points to.
pub(crate) fn value(case: &Case, name: &str, kind: InputKind) -> Option<i64> {
    let pointed = |name: &str| everything(case).find(|drawn| drawn.name == name && drawn.points.is_some());
    if let Some(number) = name.strip_suffix(".object").and_then(pointed).and_then(|drawn| drawn.points) {
        let object = (number as usize).checked_sub(1).and_then(|at| case.objects.get(at));
        return Some(object.map_or(0, |object| object.number.into()));
    }
    if let Some(number) = name.strip_suffix(".length").and_then(pointed).and_then(|drawn| drawn.points) {
        let object = case.objects.get((number as usize).checked_sub(1)?)?;
        return Some(object.count.into());
    }
    let width = match kind {
        InputKind::Boolean | InputKind::Byte | InputKind::Octet => 1,
        InputKind::Char | InputKind::Short => 2,
        InputKind::Int | InputKind::Float => 4,
        InputKind::Long | InputKind::Double => 8,
    };
    let numbered = |whole: &str| match whole.rsplit_once('#') {
        Some((base, number)) => Some((base.to_string(), number.parse::<usize>().ok()?.checked_sub(1)?)),
        None => Some((whole.to_string(), 0)),
    };
    let found = |whole: &str| {
        let (base, copy) = numbered(whole)?;
        everything(case).filter(|drawn| drawn.name == base && drawn.points.is_none()).nth(copy)
    };
    let (drawn, index) = match found(name) {
        Some(drawn) => (drawn, 0),
        None => {
            let (whole, index) = name.strip_suffix(']')?.rsplit_once('[')?;
            (found(whole)?, index.parse::<usize>().ok()?)
        }
    };
    let bytes = drawn.bytes.get(index * width..(index + 1) * width)?;
    let mut wide = [0; 8];
    wide[..width].copy_from_slice(bytes);
    let raw = i64::from_le_bytes(wide);
    let shift = 64 - 8 * width as u32;
    Some(match kind {
        InputKind::Octet | InputKind::Boolean | InputKind::Char => raw,
        _ => (raw << shift) >> shift,
    })
}

/// The draws as a native program reads them: a pointer is the number of its object and of its elements, and
/// where an object is met first its values follow.
pub(crate) fn native_records(case: &Case) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    let mut met = vec![false; case.objects.len()];
    let mut open: Vec<&Drawn> = case.draws.iter().rev().collect();
    while let Some(drawn) = open.pop() {
        let Some(number) = drawn.points else {
            match drawn.fields.is_empty() {
                true => all.push(drawn.bytes.clone()),
                false => open.extend(drawn.fields.iter().rev().map(|(_, field)| field)),
            }
            continue;
        };
        let at = (number as usize).checked_sub(1);
        let object = at.and_then(|at| case.objects.get(at));
        let count = object.map_or(0, |object| object.count);
        all.push([number.to_le_bytes(), count.to_le_bytes()].concat());
        if let (Some(at), Some(object)) = (at, object)
            && !std::mem::replace(&mut met[at], true)
        {
            let fields = object.fields.iter().rev().map(|(_, field)| field);
            // An empty buffer or text has no values.
            open.extend(fields.filter(|field| object.count > 0 || field.points.is_some()));
        }
    }
    all
}
