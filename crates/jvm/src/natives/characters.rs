//! Methods of strings whose characters are inputs: answered from the characters, so that the path does not
//! branch over how the string's object stores them.
//!
//! A string that is no rope, and a call that throws, runs the JDK's own code: the texts of its exceptions
//! differ by version and coder. Where several characters decide, each arm stands for the first that decides,
//! as in the JDK's loops: every arm is a conjunction, which needs no solver.

use evergreen_classfile::Instruction;
use evergreen_symbolic::{Binary, Cond, Rel};

use super::open::{self, Shape, Steps};
use super::{Row, letters, order, switches};
use crate::native::{Call, Done, Trap};
use crate::object::Body;
use crate::value::{Kind, Ref, Value};

const STRING: &str = "java/lang/String";

pub(crate) const TABLE: &[Row] = &[
    (STRING, "length", "()I", length),
    (STRING, "isEmpty", "()Z", is_empty),
    (STRING, "charAt", "(I)C", char_at),
    (STRING, "hashCode", "()I", hash_code),
    (STRING, "equals", "(Ljava/lang/Object;)Z", equals),
    (STRING, "equalsIgnoreCase", "(Ljava/lang/String;)Z", equals_ignore_case),
    (STRING, "compareTo", "(Ljava/lang/String;)I", compare_to),
    (STRING, "startsWith", "(Ljava/lang/String;I)Z", starts_with),
    (STRING, "endsWith", "(Ljava/lang/String;)Z", ends_with),
    (STRING, "indexOf", "(I)I", index_of),
    (STRING, "substring", "(I)Ljava/lang/String;", substring),
    (STRING, "substring", "(II)Ljava/lang/String;", substring),
    (STRING, "toCharArray", "()[C", to_char_array),
    ("java/lang/StringUTF16", "getChar", "([BI)C", get_char),
    ("java/lang/StringUTF16", "putChar", "([BII)V", put_char),
];

/// The characters of the receiver, if it is a rope of such.
pub(super) fn own_units(call: &mut Call) -> Result<Option<Vec<Value>>, Trap> {
    let Some(&Value::Ref(text)) = call.args.first() else { return Ok(None) };
    // Most strings are no ropes: one number distinguishes them.
    if call.jvm.rope(call.state, text).is_none() {
        return Ok(None);
    }
    call.jvm.fix_lengths(call.state, text)?;
    Ok(call.jvm.units(call.state, text))
}

/// No path for each length where a program asks: it mostly compares it. The JDK makes arrays of it.
fn length(call: &mut Call) -> Result<Done, Trap> {
    let asks = call.state.top().is_some_and(|frame| frame.method.user);
    if let (true, Some(text)) = (asks, call.args[0].as_ref())
        && let Some(length) = open::length(call, text)?
    {
        return Ok(Done::Value(Value::Sym(length)));
    }
    let Some(units) = own_units(call)? else { return call.interpret() };
    Ok(Done::Value(Value::Int(units.len() as i32)))
}

fn is_empty(call: &mut Call) -> Result<Done, Trap> {
    if let Some(parts) = call.args[0].as_ref().and_then(|text| call.jvm.rope(call.state, text)) {
        let is_empty = match open::all_empty(call, &parts) {
            Some(empty) => call.jvm.choose_whether(call.state, empty)?,
            None => false,
        };
        return Ok(Done::Value(Value::Int(i32::from(is_empty))));
    }
    call.interpret()
}

/// A place that is known decides only whether the string reaches there.
fn open_char_at(call: &mut Call) -> Result<Option<Value>, Trap> {
    let (Some(text), Some(at)) = (call.args[0].as_ref(), call.args[1].as_int()) else { return Ok(None) };
    let (Some(shape), Ok(at)) = (Shape::of(call, text), u32::try_from(at)) else { return Ok(None) };
    let Some(window) = shape.window(call, at, at.saturating_add(1)) else { return Ok(None) };
    shape.reach(call, &window)?;
    let steps = if is_literal(call) { Steps::One } else { Steps::Many };
    if shape.is_far(window.depth, steps) {
        return Err(call.jvm.leave_out_longer(call.state));
    }
    Ok(window.units.first().copied())
}

/// Whether the program has the last argument of a call as a number: no loop changes it.
fn is_literal(call: &Call) -> bool {
    let argument = call.state.top().filter(|frame| frame.method.user).and_then(|frame| {
        frame.method.code()?.instructions.get((frame.pc as usize).checked_sub(1)?).copied()
    });
    matches!(argument, Some(Instruction::Int(_)))
}

pub(super) fn char_at(call: &mut Call) -> Result<Done, Trap> {
    if let Some(unit) = open_char_at(call)? {
        return Ok(Done::Value(unit));
    }
    let Some(units) = own_units(call)? else { return call.interpret() };
    match call.args[1] {
        Value::Int(at) => match usize::try_from(at).ok().and_then(|at| units.get(at)) {
            Some(unit) => Ok(Done::Value(*unit)),
            None => call.interpret(),
        },
        Value::Sym(at) => {
            if !call.jvm.choose_inside(call.state, at, units.len())? {
                return call.interpret();
            }
            let units: Vec<_> = units.into_iter().map(|unit| call.as_expr(unit)).collect();
            let selected = call.exprs().select(&units, at);
            Ok(Done::Value(call.value_of(selected)))
        }
        _ => call.interpret(),
    }
}

/// The sum that the JDK computes. It is not kept in the object: computing it again gives the same expression.
fn hash_code(call: &mut Call) -> Result<Done, Trap> {
    if let Some(hash) = switches::hash_for_switch(call)? {
        return Ok(Done::Value(Value::Int(hash)));
    }
    let Some(units) = own_units(call)? else { return call.interpret() };
    let mut hash = call.as_expr(Value::Int(0));
    let base = call.as_expr(Value::Int(31));
    for unit in units {
        let unit = call.as_expr(unit);
        let mut exprs = call.exprs();
        let scaled = exprs.binary(Binary::Mul, hash, base);
        hash = exprs.binary(Binary::Add, scaled, unit);
    }
    Ok(Done::Value(call.value_of(hash)))
}

/// The first place at which two lists of characters differ, within the shorter one. One arm for each.
fn first_difference(call: &mut Call, one: &[Value], two: &[Value]) -> Result<Option<usize>, Trap> {
    let mut cases = Vec::new();
    let mut so_far = Cond::TRUE;
    for (a, b) in one.iter().zip(two) {
        let (a, b) = (call.as_expr(*a), call.as_expr(*b));
        let mut exprs = call.exprs();
        let same = exprs.relate(Rel::Eq, a, b);
        cases.push(exprs.and(so_far, same.negated()));
        so_far = exprs.and(so_far, same);
    }
    cases.push(so_far);
    let chosen = call.choose(&cases)?;
    Ok((chosen + 1 < cases.len()).then_some(chosen))
}

fn equals(call: &mut Call) -> Result<Done, Trap> {
    let truth = |is: bool| Ok(Done::Value(Value::Int(i32::from(is))));
    if let Some(same) = open_equals(call) {
        return truth(call.jvm.choose_whether(call.state, same)?);
    }
    let Some(text) = own_or_other_units(call)? else { return call.interpret() };
    match text {
        (_, Other::NoString) => truth(false),
        (own, Other::Units(other)) => {
            truth(own.len() == other.len() && first_difference(call, &own, &other)?.is_none())
        }
    }
}

/// Whether the arguments are equal strings, where that chooses no length.
fn open_equals(call: &Call) -> Option<Cond> {
    let own = call.args.first()?.as_ref()?;
    let Some(other) = call.args.get(1)?.as_ref() else { return Some(Cond::FALSE) };
    if own == other {
        return Some(Cond::TRUE);
    }
    if Some(call.state.heap.class_of(other)) != call.jvm.known.string {
        return Some(Cond::FALSE);
    }
    let is_rope = |text: Ref| call.jvm.rope(call.state, text).is_some();
    (is_rope(own) || is_rope(other)).then(|| open::same(call, own, other)).flatten()
}

/// The argument of a comparison of strings.
enum Other {
    NoString,
    Units(Vec<Value>),
}

/// The characters of receiver and argument, if one of them is a rope of such and both are known.
fn own_or_other_units(call: &mut Call) -> Result<Option<(Vec<Value>, Other)>, Trap> {
    for text in call.args.iter().take(2).filter_map(|text| text.as_ref()) {
        call.jvm.fix_lengths(call.state, text)?;
    }
    Ok(known_units(call))
}

/// The characters of two strings.
pub(super) type Both = (Vec<Value>, Vec<Value>);

/// The characters of both, if the argument is a string.
pub(super) fn other_units(call: &mut Call) -> Result<Option<Both>, Trap> {
    Ok(match own_or_other_units(call)? {
        Some((own, Other::Units(other))) => Some((own, other)),
        _ => None,
    })
}

fn known_units(call: &Call) -> Option<(Vec<Value>, Other)> {
    let own = call.args.first()?.as_ref()?;
    let is_rope = |text: Ref| call.jvm.rope(call.state, text).is_some();
    let is_string = |other: &Ref| Some(call.state.heap.class_of(*other)) == call.jvm.known.string;
    let Some(other) = call.args.get(1)?.as_ref().filter(is_string) else {
        call.jvm.rope(call.state, own)?;
        return Some((call.jvm.units(call.state, own)?, Other::NoString));
    };
    // One object is equal to itself without a look.
    if own == other || !(is_rope(own) || is_rope(other)) {
        return None;
    }
    Some((call.jvm.units(call.state, own)?, Other::Units(call.jvm.units(call.state, other)?)))
}

/// With a text that is known: each of its characters is one of a few, so no case has to be computed.
fn equals_ignore_case(call: &mut Call) -> Result<Done, Trap> {
    let Some((own, Other::Units(other))) = own_or_other_units(call)? else { return call.interpret() };
    let known = |units: &[Value]| {
        units.iter().map(|unit| u16::try_from(unit.as_int()?).ok()).collect::<Option<Vec<u16>>>()
    };
    let (unknown, known) = match (known(&own), known(&other)) {
        (None, Some(known)) => (own, known),
        (Some(known), None) => (other, known),
        _ => return call.interpret(),
    };
    // Later versions of the JDK take the halves of a pair together.
    if known.iter().any(|unit| (0xd800..0xe000).contains(unit)) {
        return call.interpret();
    }
    if unknown.len() != known.len() {
        return Ok(Done::Value(Value::Int(0)));
    }
    let mut cases = Vec::new();
    let mut so_far = Cond::TRUE;
    for (unit, known) in unknown.into_iter().zip(known) {
        let alike = letters::alike(call, known)?;
        let unit = call.as_expr(unit);
        let mut same = Cond::FALSE;
        for one in alike {
            let one = call.as_expr(Value::Int(i32::from(one)));
            let mut exprs = call.exprs();
            let is_one = exprs.relate(Rel::Eq, unit, one);
            same = exprs.or(same, is_one);
        }
        let mut exprs = call.exprs();
        cases.push(exprs.and(so_far, same.negated()));
        so_far = exprs.and(so_far, same);
    }
    cases.push(so_far);
    let equal = call.choose(&cases)? + 1 == cases.len();
    Ok(Done::Value(Value::Int(i32::from(equal))))
}

fn compare_to(call: &mut Call) -> Result<Done, Trap> {
    if let Some(sign) = order::sign(call)? {
        return Ok(Done::Value(Value::Int(sign)));
    }
    let Some((own, Other::Units(other))) = own_or_other_units(call)? else { return call.interpret() };
    let result = match first_difference(call, &own, &other)? {
        None => Value::Int(own.len() as i32 - other.len() as i32),
        Some(at) => {
            let (a, b) = (call.as_expr(own[at]), call.as_expr(other[at]));
            let difference = call.exprs().binary(Binary::Sub, a, b);
            call.value_of(difference)
        }
    };
    Ok(Done::Value(result))
}

/// Whether a string of open length has a known text at a place.
fn open_starts_with(call: &mut Call) -> Result<Option<bool>, Trap> {
    let (Some(text), Some(prefix)) = (call.args[0].as_ref(), call.args[1].as_ref()) else { return Ok(None) };
    let Some(from) = call.args[2].as_int().and_then(|from| u32::try_from(from).ok()) else { return Ok(None) };
    let Some(shape) = Shape::of(call, text) else { return Ok(None) };
    let Some(prefix) = call.jvm.units(call.state, prefix) else { return Ok(None) };
    let to = from.saturating_add(prefix.len() as u32);
    let Some(window) = shape.window(call, from, to) else { return Ok(None) };
    if shape.is_far(window.depth, if from == 0 { Steps::One } else { Steps::Many }) {
        return Ok(None);
    }
    let mut starts = window.reaches;
    for (own, unit) in window.units.iter().zip(&prefix) {
        let equal = call.equal(*own, *unit);
        starts = call.exprs().and(starts, equal);
    }
    let starts = call.jvm.choose_whether(call.state, starts)?;
    if starts && from == 0 && window.depth > 0 {
        shape.split(call, &prefix);
    }
    Ok(Some(starts))
}

fn starts_with(call: &mut Call) -> Result<Done, Trap> {
    if let Some(starts) = open_starts_with(call)? {
        return Ok(Done::Value(Value::Int(i32::from(starts))));
    }
    let (Some((own, Other::Units(prefix))), Value::Int(from)) = (own_or_other_units(call)?, call.args[2])
    else {
        return call.interpret();
    };
    let there = usize::try_from(from).ok().and_then(|from| own.get(from..from.checked_add(prefix.len())?));
    let starts = match there {
        None => false,
        Some(there) => first_difference(call, there, &prefix)?.is_none(),
    };
    Ok(Done::Value(Value::Int(i32::from(starts))))
}

/// That the input is the suffix comes first, as for [`super::derived`]'s `contains`.
fn ends_with(call: &mut Call) -> Result<Done, Trap> {
    let truth = |is: bool| Ok(Done::Value(Value::Int(i32::from(is))));
    if let (Some(text), Some(suffix)) = (call.args[0].as_ref(), call.args[1].as_ref())
        && let Some(shape) = Shape::of(call, text).filter(|shape| shape.tail.is_empty())
        && let Some(suffix) = call.jvm.units(call.state, suffix)
    {
        let is_suffix = open::is_text(call, &shape.open, &suffix);
        if call.jvm.choose_whether(call.state, is_suffix)? {
            return truth(true);
        }
    }
    let Some((own, Other::Units(suffix))) = own_or_other_units(call)? else { return call.interpret() };
    let Some(from) = own.len().checked_sub(suffix.len()) else { return truth(false) };
    truth(first_difference(call, &own[from..], &suffix)?.is_none())
}

fn index_of(call: &mut Call) -> Result<Done, Trap> {
    let Some(units) = own_units(call)? else { return call.interpret() };
    let wanted = call.as_expr(call.args[1]);
    let (low, high) = call.exprs().interval(wanted);
    // The JDK's own code searches for characters of two units.
    if low < 0 || high > i64::from(u16::MAX) {
        return call.interpret();
    }
    let mut cases = Vec::new();
    let mut so_far = Cond::TRUE;
    for unit in &units {
        let unit = call.as_expr(*unit);
        let mut exprs = call.exprs();
        let same = exprs.relate(Rel::Eq, unit, wanted);
        cases.push(exprs.and(so_far, same));
        so_far = exprs.and(so_far, same.negated());
    }
    cases.push(so_far);
    let chosen = call.choose(&cases)?;
    let found = if chosen < units.len() { chosen as i32 } else { -1 };
    Ok(Done::Value(Value::Int(found)))
}

/// A part between known places decides only whether the string reaches there.
fn open_substring(call: &mut Call) -> Result<Option<Value>, Trap> {
    let (Some(text), Some(begin)) = (call.args[0].as_ref(), call.args[1].as_int()) else { return Ok(None) };
    let (Some(shape), Ok(begin)) = (Shape::of(call, text), u32::try_from(begin)) else { return Ok(None) };
    let end = match call.args.get(2) {
        None => None,
        Some(Value::Int(end)) if i64::from(*end) >= i64::from(begin) => Some(*end as u32),
        Some(_) => return Ok(None),
    };
    if begin == 0 && end.is_none() {
        return Ok(Some(call.args[0]));
    }
    // Whether that is the string itself depends on what is behind its first input.
    if begin == 0 && !shape.tail.is_empty() && end.is_some_and(|end| end as usize >= shape.head.len()) {
        return Ok(None);
    }
    let Some(window) = shape.window(call, begin, end.unwrap_or(begin)) else { return Ok(None) };
    shape.reach(call, &window)?;
    if shape.is_far(window.depth, Steps::One) {
        return Err(call.jvm.leave_out_longer(call.state));
    }
    let Some(end) = end else {
        let rest = shape.behind(call, begin);
        return Ok(Some(Value::Ref(call.jvm.new_rope(call.state, &rest))));
    };
    if begin == 0 && end as usize >= shape.head.len() && shape.is_of(call, window.depth)? {
        return Ok(Some(call.args[0]));
    }
    Ok(Some(Value::Ref(call.jvm.new_units(call.state, &window.units))))
}

fn substring(call: &mut Call) -> Result<Done, Trap> {
    if let Some(part) = open_substring(call)? {
        return Ok(Done::Value(part));
    }
    let Some(units) = own_units(call)? else { return call.interpret() };
    let end = call.args.get(2).copied().unwrap_or(Value::Int(units.len() as i32));
    let (Some(begin), Some(end)) = (place(call, call.args[1], units.len())?, place(call, end, units.len())?)
    else {
        return call.interpret();
    };
    if (begin, end) == (0, units.len()) {
        return Ok(Done::Value(call.args[0]));
    }
    let Some(inside) = units.get(begin..end) else { return call.interpret() };
    Ok(Done::Value(Value::Ref(call.jvm.new_units(call.state, inside))))
}

/// A place up to the end of a string; a symbolic one is an arm for each. `None` if it is outside, or if
/// there are too many.
fn place(call: &mut Call, at: Value, length: usize) -> Result<Option<usize>, Trap> {
    let Value::Sym(at) = at else {
        return Ok(at.as_int().and_then(|at| usize::try_from(at).ok()).filter(|at| *at <= length));
    };
    if length > call.jvm.options.indices {
        return Ok(None);
    }
    let mut cases: Vec<Cond> =
        (0..=length as i64).map(|case| call.jvm.relate_to(Rel::Eq, at, case)).collect();
    cases.push(call.jvm.relate_to(Rel::Lt, at, 0));
    cases.push(call.jvm.relate_to(Rel::Gt, at, length as i64));
    let chosen = call.choose(&cases)?;
    Ok((chosen <= length).then_some(chosen))
}

fn to_char_array(call: &mut Call) -> Result<Done, Trap> {
    let Some(units) = own_units(call)? else { return call.interpret() };
    let class = call.class_named("[C")?;
    let mut body = Body::array(Kind::Char, units.len());
    for (at, unit) in units.into_iter().enumerate() {
        body.set(at, unit);
    }
    Ok(Done::Value(Value::Ref(call.state.heap.new_object(class, body))))
}

/// A character that was taken apart is put together again without arithmetic.
fn get_char(call: &mut Call) -> Result<Done, Trap> {
    let (Value::Ref(bytes), Value::Int(at)) = (call.args[0], call.args[1]) else { return call.interpret() };
    let body = &call.state.heap.get(bytes).body;
    let pair = usize::try_from(at).ok().and_then(|at| Some((body.get(2 * at)?, body.get(2 * at + 1)?)));
    match pair.and_then(|(low, high)| call.jvm.paired_unit(low, high)) {
        Some(unit @ Value::Sym(_)) => Ok(Done::Value(unit)),
        _ => call.interpret(),
    }
}

fn put_char(call: &mut Call) -> Result<Done, Trap> {
    let (Value::Ref(bytes), Value::Int(at), Value::Sym(unit)) = (call.args[0], call.args[1], call.args[2])
    else {
        return call.interpret();
    };
    let length = call.state.heap.array_length(bytes).unwrap_or(0);
    let (low, high) = call.exprs().interval(unit);
    let Some(at) = usize::try_from(at).ok().filter(|at| 2 * at + 1 < length) else { return call.interpret() };
    if low < 0 || high > i64::from(u16::MAX) {
        return call.interpret();
    }
    let [low, high] = call.jvm.two_bytes(Value::Sym(unit));
    call.state.heap.store(bytes, 2 * at, low);
    call.state.heap.store(bytes, 2 * at + 1, high);
    Ok(Done::Void)
}
