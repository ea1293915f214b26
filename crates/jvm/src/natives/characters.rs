//! Methods of strings whose characters are inputs: answered from the characters, so that the path does not
//! branch over how the string's object stores them.
//!
//! A string that is no rope, and a call that throws, runs the JDK's own code: the texts of its exceptions
//! differ by version and coder. Where several characters decide, each arm stands for the first that decides,
//! as in the JDK's loops: every arm is a conjunction, which needs no solver.

use evergreen_symbolic::{Binary, Cond, Const, Expr, Rel};

use super::{Row, letters};
use crate::native::{Call, Done, Trap};
use crate::object::Body;
use crate::rope::Part;
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
    (STRING, "indexOf", "(I)I", index_of),
    (STRING, "substring", "(I)Ljava/lang/String;", substring),
    (STRING, "substring", "(II)Ljava/lang/String;", substring),
    (STRING, "toCharArray", "()[C", to_char_array),
    ("java/lang/StringUTF16", "getChar", "([BI)C", get_char),
    ("java/lang/StringUTF16", "putChar", "([BII)V", put_char),
];

/// The characters of the receiver, if it is a rope of such.
fn own_units(call: &mut Call) -> Result<Option<Vec<Value>>, Trap> {
    let Some(&Value::Ref(text)) = call.args.first() else { return Ok(None) };
    // Most strings are no ropes: one number distinguishes them.
    if call.jvm.rope(call.state, text).is_none() {
        return Ok(None);
    }
    call.jvm.fix_lengths(call.state, text)?;
    Ok(call.jvm.units(call.state, text))
}

/// The length of an input that no path has looked at.
fn open_length(call: &Call) -> Option<Expr> {
    let text = call.args.first()?.as_ref()?;
    match &*call.jvm.rope(call.state, text)? {
        [Part::Input(_, length)] => Some(*length),
        _ => None,
    }
}

/// No path for each length where a program asks: it mostly compares it. The JDK makes arrays of it.
fn length(call: &mut Call) -> Result<Done, Trap> {
    let asks = call.state.top().is_some_and(|frame| frame.method.user);
    if let Some(length) = open_length(call).filter(|_| asks) {
        return Ok(Done::Value(Value::Sym(length)));
    }
    let Some(units) = own_units(call)? else { return call.interpret() };
    Ok(Done::Value(Value::Int(units.len() as i32)))
}

fn is_empty(call: &mut Call) -> Result<Done, Trap> {
    if let Some(length) = open_length(call) {
        let none = call.jvm.relate_to(Rel::Eq, length, 0);
        let is_empty = call.jvm.choose_whether(call.state, none)?;
        return Ok(Done::Value(Value::Int(i32::from(is_empty))));
    }
    let Some(units) = own_units(call)? else { return call.interpret() };
    Ok(Done::Value(Value::Int(i32::from(units.is_empty()))))
}

fn char_at(call: &mut Call) -> Result<Done, Trap> {
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
    if let Some(same) = is_open_text(call) {
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

/// Whether an input that no path has looked at is a text whose characters are known: one question about its
/// length and characters, whatever lengths it may have.
fn is_open_text(call: &Call) -> Option<Cond> {
    let (one, two) = (call.args.first()?.as_ref()?, call.args.get(1)?.as_ref()?);
    let open = |text: Ref| match &*call.jvm.rope(call.state, text)? {
        [Part::Input(name, length)] => Some((name.clone(), *length)),
        _ => None,
    };
    let ((name, length), known) = open(one).map(|own| (own, two)).or_else(|| Some((open(two)?, one)))?;
    if Some(call.state.heap.class_of(known)) != call.jvm.known.string {
        return None;
    }
    let units = call.jvm.units(call.state, known)?;
    let mut exprs = call.exprs();
    let count = exprs.constant(Const::I32(units.len() as i32));
    let mut same = exprs.relate(Rel::Eq, length, count);
    for (at, unit) in units.into_iter().enumerate() {
        let own = call.jvm.character(&mut exprs, &name, at as u32);
        let unit = match unit {
            Value::Sym(expr) => expr,
            other => exprs.constant(Const::I32(other.as_int()?)),
        };
        let equal = exprs.relate(Rel::Eq, own, unit);
        same = exprs.and(same, equal);
    }
    Some(same)
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

fn starts_with(call: &mut Call) -> Result<Done, Trap> {
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

fn substring(call: &mut Call) -> Result<Done, Trap> {
    let Some(units) = own_units(call)? else { return call.interpret() };
    let end = call.args.get(2).copied().unwrap_or(Value::Int(units.len() as i32));
    let (Value::Int(begin), Value::Int(end)) = (call.args[1], end) else { return call.interpret() };
    let (Ok(begin), Ok(end)) = (usize::try_from(begin), usize::try_from(end)) else {
        return call.interpret();
    };
    if (begin, end) == (0, units.len()) {
        return Ok(Done::Value(call.args[0]));
    }
    let Some(inside) = units.get(begin..end) else { return call.interpret() };
    Ok(Done::Value(Value::Ref(call.jvm.new_units(call.state, inside))))
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
