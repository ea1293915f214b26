//! The driver API: `evergreen.Sym`.
//!
//! Each draw is an input of its name; a second draw of the same name on a path is `name#2`. `choose(n)`
//! is an input too, so that a test can replay it, and the path branches over its values at once. `check`
//! and the rest run as written.

use evergreen_symbolic::{Const, InputKind, Rel};

use super::Row;
use crate::machine::{Drawn, Jvm};
use crate::native::{Call, Done, Trap};
use crate::outcome::{Draw, Ending};
use crate::step::symbolic::from_const;
use crate::value::{Kind, Value};

const SYM: &str = "evergreen/Sym";

pub(crate) const TABLE: &[Row] = &[
    (SYM, "anInt", "(Ljava/lang/String;)I", |c| draw(c, Kind::Int, None)),
    (SYM, "anInt", "(Ljava/lang/String;II)I", draw_between),
    (SYM, "aLong", "(Ljava/lang/String;)J", |c| draw(c, Kind::Long, None)),
    (SYM, "aBoolean", "(Ljava/lang/String;)Z", |c| draw(c, Kind::Boolean, None)),
    (SYM, "aByte", "(Ljava/lang/String;)B", |c| draw(c, Kind::Byte, None)),
    (SYM, "aShort", "(Ljava/lang/String;)S", |c| draw(c, Kind::Short, None)),
    (SYM, "aChar", "(Ljava/lang/String;)C", |c| draw(c, Kind::Char, None)),
    (SYM, "aFloat", "(Ljava/lang/String;)F", |c| draw(c, Kind::Float, None)),
    (SYM, "aDouble", "(Ljava/lang/String;)D", |c| draw(c, Kind::Double, None)),
    (SYM, "aString", "(Ljava/lang/String;)Ljava/lang/String;", draw_text),
    (SYM, "anArrayOfBooleans", "(Ljava/lang/String;)[Z", |c| draw_array(c, "[Z")),
    (SYM, "anArrayOfBytes", "(Ljava/lang/String;)[B", |c| draw_array(c, "[B")),
    (SYM, "anArrayOfShorts", "(Ljava/lang/String;)[S", |c| draw_array(c, "[S")),
    (SYM, "anArrayOfChars", "(Ljava/lang/String;)[C", |c| draw_array(c, "[C")),
    (SYM, "anArrayOfInts", "(Ljava/lang/String;)[I", |c| draw_array(c, "[I")),
    (SYM, "anArrayOfLongs", "(Ljava/lang/String;)[J", |c| draw_array(c, "[J")),
    (SYM, "anArrayOfFloats", "(Ljava/lang/String;)[F", |c| draw_array(c, "[F")),
    (SYM, "anArrayOfDoubles", "(Ljava/lang/String;)[D", |c| draw_array(c, "[D")),
    (SYM, "anArrayOfStrings", "(Ljava/lang/String;)[Ljava/lang/String;", |c| {
        draw_array(c, "[Ljava/lang/String;")
    }),
    (SYM, "choose", "(I)I", choose),
    (SYM, "assume", "(Z)V", assume),
];

fn input_kind(kind: Kind) -> InputKind {
    match kind {
        Kind::Boolean => InputKind::Boolean,
        Kind::Byte => InputKind::Byte,
        Kind::Char => InputKind::Char,
        Kind::Short => InputKind::Short,
        Kind::Int | Kind::Reference => InputKind::Int,
        Kind::Long => InputKind::Long,
        Kind::Float => InputKind::Float,
        Kind::Double => InputKind::Double,
    }
}

/// `name`, `name#2`, `name#3`: how often the name was drawn on this path decides.
fn numbered(call: &Call, name: &str) -> String {
    let taken = |candidate: &str| {
        (0..call.state.draws.len())
            .filter_map(|i| call.state.draws.get(i))
            .any(|draw| &*draw.name == candidate)
            || call.state.parameters.iter().any(|p| &*p.name == candidate)
    };
    // Of thousands of draws all but the last few names are known to be taken.
    let is_same = |draw: &Draw| draw.name.split('#').next() == Some(name);
    let drawn = (0..call.state.draws.len()).filter_map(|i| call.state.draws.get(i));
    let mut number = drawn.filter(|draw| is_same(draw)).count().max(1);
    let mut candidate = if number > 1 { format!("{name}#{number}") } else { name.to_string() };
    while taken(&candidate) {
        number += 1;
        candidate = format!("{name}#{number}");
    }
    candidate
}

/// The name of the input that a call draws.
fn name(call: &Call) -> Result<String, Trap> {
    let name = match call.args[0] {
        Value::Null => "null".to_string(),
        _ => String::from_utf16_lossy(&call.text_argument(0)?),
    };
    Ok(numbered(call, &name))
}

/// A string, never null.
fn draw_text(call: &mut Call) -> Result<Done, Trap> {
    let name = name(call)?;
    let text = match call.jvm.options.drawn.get(&name) {
        Some(Drawn::Text(units)) => {
            let units = units.clone();
            call.jvm.new_string(call.state, &units)
        }
        Some(_) => {
            let what = format!("a number for the string {name}");
            return Err(Trap::unsupported(what, "give a text in quotes"));
        }
        None => call.jvm.new_input_text(call.state, &name),
    };
    let value = Value::Ref(text);
    call.state.draws.push(Draw { name: name.into(), kind: Kind::Reference, value });
    Ok(Done::Value(value))
}

/// An array, never null.
fn draw_array(call: &mut Call, descriptor: &str) -> Result<Done, Trap> {
    let name = name(call)?;
    let value = Value::Ref(call.jvm.draw_input_array(call.state, &name, descriptor)?);
    call.state.draws.push(Draw { name: name.into(), kind: Kind::Reference, value });
    Ok(Done::Value(value))
}

fn draw(call: &mut Call, kind: Kind, range: Option<(i64, i64)>) -> Result<Done, Trap> {
    let name = name(call)?;
    let value = fixed_or_input(call.jvm, &name, kind, range)?;
    call.state.draws.push(Draw { name: name.into(), kind, value });
    Ok(Done::Value(value))
}

/// The value fixed by the caller of the exploration, or an input. A path for which no value is left ends,
/// as after `assume(false)`.
pub(crate) fn fixed_or_input(
    jvm: &mut Jvm,
    name: &str,
    kind: Kind,
    range: Option<(i64, i64)>,
) -> Result<Value, Trap> {
    let is_real = matches!(kind, Kind::Float | Kind::Double);
    let (least, greatest) = if is_real { (i64::MIN, i64::MAX) } else { input_kind(kind).range() };
    let (least, greatest) =
        range.map_or((least, greatest), |(low, high)| (low.max(least), high.min(greatest)));
    let (low, high) = match jvm.options.drawn.get(name) {
        None => {
            return Ok(input(jvm, name, kind, range));
        }
        Some(Drawn::Name(said)) => {
            let what = format!("the value {said} for the number {name}");
            return Err(Trap::unsupported(what, "give a number"));
        }
        Some(Drawn::Range(..)) if is_real => {
            let what = format!("a range of whole numbers for the floating-point input {name}");
            return Err(Trap::unsupported(
                what,
                "constrain it in the driver: Sym.assume(low <= x && x <= high)",
            ));
        }
        Some(Drawn::Text(_)) => {
            return Err(Trap::unsupported(format!("a text for the number {name}"), "give a number"));
        }
        Some(Drawn::Real(n)) if !is_real => {
            let what = format!("the value {n} for the whole number {name}");
            return Err(Trap::unsupported(what, "give a whole number"));
        }
        Some(Drawn::Range(low, high)) => ((*low).max(least), (*high).min(greatest)),
        Some(Drawn::Whole(n)) if is_real || (least..=greatest).contains(n) => {
            return Ok(fixed(kind, *n, *n as f64));
        }
        Some(Drawn::Whole(_)) => return Err(Trap::End(Box::new(Ending::Assumed))),
        Some(Drawn::Real(n)) => return Ok(fixed(kind, 0, *n)),
    };
    if low > high {
        return Err(Trap::End(Box::new(Ending::Assumed)));
    }
    Ok(input(jvm, name, kind, Some((low, high))))
}

/// An input; a value if its range has one only.
fn input(jvm: &mut Jvm, name: &str, kind: Kind, range: Option<(i64, i64)>) -> Value {
    let mut exprs = jvm.exprs.borrow_mut();
    let expr = exprs.input(name, input_kind(kind), range);
    exprs.as_const(expr).map_or(Value::Sym(expr), from_const)
}

fn fixed(kind: Kind, whole: i64, real: f64) -> Value {
    match kind {
        Kind::Boolean => Value::Int(i32::from(whole != 0)),
        Kind::Byte => Value::Int(i32::from(whole as i8)),
        Kind::Char => Value::Int(i32::from(whole as u16)),
        Kind::Short => Value::Int(i32::from(whole as i16)),
        Kind::Int | Kind::Reference => Value::Int(whole as i32),
        Kind::Long => Value::Long(whole),
        Kind::Float => Value::Float(real as f32),
        Kind::Double => Value::Double(real),
    }
}

fn draw_between(call: &mut Call) -> Result<Done, Trap> {
    let (low, high) = (i64::from(call.int(1)?), i64::from(call.int(2)?));
    if low > high {
        return Err(Trap::End(Box::new(Ending::Assumed)));
    }
    draw(call, Kind::Int, Some((low, high)))
}

fn choose(call: &mut Call) -> Result<Done, Trap> {
    let ways = call.int(0)?;
    if ways <= 0 {
        let message = format!("Sym.choose({ways}): there must be at least one way to choose");
        return Err(Trap::throw("java/lang/IllegalArgumentException", message));
    }
    let name = numbered(call, "choose");
    let input = fixed_or_input(call.jvm, &name, Kind::Int, Some((0, i64::from(ways) - 1)))?;
    let way = match input {
        Value::Sym(expr) => {
            let arms: Vec<_> = (0..ways)
                .map(|way| {
                    let mut exprs = call.exprs();
                    let constant = exprs.constant(Const::I32(way));
                    exprs.relate(Rel::Eq, expr, constant)
                })
                .collect();
            Value::Int(call.choose(&arms)? as i32)
        }
        other => other,
    };
    call.state.draws.push(Draw { name: name.into(), kind: Kind::Int, value: input });
    Ok(Done::Value(way))
}

fn assume(call: &mut Call) -> Result<Done, Trap> {
    let holds = match call.args[0] {
        Value::Int(value) => value != 0,
        condition => {
            let expr = call.as_expr(condition);
            let (yes, no) = {
                let mut exprs = call.exprs();
                let zero = exprs.constant(Const::I32(0));
                let yes = exprs.relate(Rel::Ne, expr, zero);
                (yes, exprs.not(yes))
            };
            call.choose(&[yes, no])? == 0
        }
    };
    if holds { Ok(Done::Void) } else { Err(Trap::End(Box::new(Ending::Assumed))) }
}
