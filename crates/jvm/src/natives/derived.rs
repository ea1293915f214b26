//! Strings that are made of the characters of others, and texts that are searched in them, where characters
//! are inputs: done at once, with the results of the JDK's own code.
//!
//! The JDK's loops branch at each character: `toLowerCase` of twelve characters is thousands of paths. Here a
//! path branches only over what a program can see: whether the result is the string itself, and where a
//! text was found. Cases of characters are looked up in tables that the JDK's own code has made
//! ([`super::letters`]); characters whose other case depends on their neighbours or has several characters
//! are left to that code.

use std::rc::Rc;

use evergreen_symbolic::{Binary, Cast, Cond, Const, Expr, Rel};

use super::characters::{Both, other_units, own_units};
use super::open::Shape;
use super::{Row, letters, open, sigma};
use crate::native::{Call, Done, Trap};
use crate::value::{Ref, Value};

const STRING: &str = "java/lang/String";

pub(crate) const TABLE: &[Row] = &[
    (STRING, "concat", "(Ljava/lang/String;)Ljava/lang/String;", concat),
    (STRING, "contains", "(Ljava/lang/CharSequence;)Z", contains),
    (STRING, "indexOf", "(Ljava/lang/String;)I", index_of),
    (STRING, "lastIndexOf", "(I)I", last_index_of),
    (STRING, "replace", "(CC)Ljava/lang/String;", replace),
    (STRING, "toLowerCase", "(Ljava/util/Locale;)Ljava/lang/String;", |c| to_case(c, &LOWER)),
    (STRING, "toUpperCase", "(Ljava/util/Locale;)Ljava/lang/String;", |c| to_case(c, &UPPER)),
    (STRING, "trim", "()Ljava/lang/String;", trim),
];

/// The string itself if the other one is empty, else a new one.
fn concat(call: &mut Call) -> Result<Done, Trap> {
    let (Some(own), Some(other)) = (call.args[0].as_ref(), call.args[1].as_ref()) else {
        return call.interpret();
    };
    let is_rope = |text: Ref| call.jvm.rope(call.state, text).is_some();
    if !is_rope(own) && !is_rope(other) {
        return call.interpret();
    }
    let (Some(before), Some(behind)) = (call.jvm.parts(call.state, own), call.jvm.parts(call.state, other))
    else {
        return call.interpret();
    };
    if let Some(empty) = open::all_empty(call, &behind)
        && call.jvm.choose_whether(call.state, empty)?
    {
        return Ok(Done::Value(call.args[0]));
    }
    let parts = [&before[..], &behind[..]].concat();
    Ok(Done::Value(Value::Ref(call.jvm.new_rope(call.state, &parts))))
}

/// Whether a text is at a place within some characters.
fn is_at(call: &Call, units: &[Value], text: &[Value], at: usize) -> Cond {
    let mut same = Cond::TRUE;
    for (unit, wanted) in units[at..].iter().zip(text) {
        let equal = call.equal(*unit, *wanted);
        same = call.exprs().and(same, equal);
        if same == Cond::FALSE {
            break;
        }
    }
    same
}

/// Characters of the receiver and of another string, one of them being a rope.
fn both_units(call: &mut Call) -> Result<Option<Both>, Trap> {
    let is_string = |text: &Ref| Some(call.state.heap.class_of(*text)) == call.jvm.known.string;
    if call.args[1].as_ref().filter(is_string).is_none() {
        return Ok(None);
    }
    other_units(call)
}

/// Where it was found is no question. The shortest text that has another in it comes first: most programs
/// that look for a text do something with it.
fn contains(call: &mut Call) -> Result<Done, Trap> {
    if let Some(is_it) = is_wanted(call)
        && call.jvm.choose_whether(call.state, is_it)?
    {
        return Ok(Done::Value(Value::Int(1)));
    }
    let Some((units, text)) = both_units(call)? else { return call.interpret() };
    let mut anywhere = Cond::FALSE;
    for at in 0..(units.len() + 1).saturating_sub(text.len()) {
        let here = is_at(call, &units, &text, at);
        anywhere = call.exprs().or(anywhere, here);
    }
    let found = call.jvm.choose_whether(call.state, anywhere)?;
    Ok(Done::Value(Value::Int(i32::from(found))))
}

/// Whether the receiver's input of open length is the known text that is looked for.
fn is_wanted(call: &Call) -> Option<Cond> {
    let shape = Shape::of(call, call.args[0].as_ref()?)?;
    let wanted = call.jvm.units(call.state, call.args[1].as_ref()?)?;
    Some(open::is_text(call, &shape.open, &wanted))
}

/// The first of some conditions that holds, in their order; an arm for each, and one for none.
fn first(call: &mut Call, conditions: impl Iterator<Item = Cond>) -> Result<Option<usize>, Trap> {
    let mut cases = Vec::new();
    let mut so_far = Cond::TRUE;
    for here in conditions {
        cases.push(call.exprs().and(so_far, here));
        so_far = call.exprs().and(so_far, here.negated());
    }
    cases.push(so_far);
    let chosen = call.choose(&cases)?;
    Ok((chosen + 1 < cases.len()).then_some(chosen))
}

fn index_of(call: &mut Call) -> Result<Done, Trap> {
    let Some((units, text)) = both_units(call)? else { return call.interpret() };
    let places = 0..(units.len() + 1).saturating_sub(text.len());
    let here: Vec<Cond> = places.map(|at| is_at(call, &units, &text, at)).collect();
    let found = first(call, here.into_iter())?;
    Ok(Done::Value(Value::Int(found.map_or(-1, |at| at as i32))))
}

fn last_index_of(call: &mut Call) -> Result<Done, Trap> {
    let Some(units) = own_units(call)? else { return call.interpret() };
    let wanted = call.as_expr(call.args[1]);
    let (low, high) = call.exprs().interval(wanted);
    // The JDK's own code searches for characters of two units.
    if low < 0 || high > i64::from(u16::MAX) {
        return call.interpret();
    }
    let wanted = call.value_of(wanted);
    let here: Vec<Cond> = units.iter().rev().map(|unit| call.equal(*unit, wanted)).collect();
    let found = first(call, here.into_iter())?;
    Ok(Done::Value(Value::Int(found.map_or(-1, |at| (units.len() - 1 - at) as i32))))
}

/// The string itself where no character is replaced by another.
fn replace(call: &mut Call) -> Result<Done, Trap> {
    let Some(units) = own_units(call)? else { return call.interpret() };
    let (old, new) = (call.args[1], call.args[2]);
    let is_old: Vec<Cond> = units.iter().map(|unit| call.equal(*unit, old)).collect();
    let mut changes = Cond::FALSE;
    for here in &is_old {
        changes = call.exprs().or(changes, *here);
    }
    let differ = call.equal(old, new).negated();
    changes = call.exprs().and(changes, differ);
    if !call.jvm.choose_whether(call.state, changes)? {
        return Ok(Done::Value(call.args[0]));
    }
    let new = call.as_expr(new);
    let replaced: Vec<Value> = units
        .iter()
        .zip(is_old)
        .map(|(unit, is_old)| {
            let unit = call.as_expr(*unit);
            let replaced = call.exprs().ite(is_old, new, unit);
            call.value_of(replaced)
        })
        .collect();
    Ok(Done::Value(Value::Ref(call.jvm.new_units(call.state, &replaced))))
}

fn trim(call: &mut Call) -> Result<Done, Trap> {
    let Some(units) = own_units(call)? else { return call.interpret() };
    let is_kept: Vec<Cond> = units
        .iter()
        .map(|unit| {
            let (unit, blank) = (call.as_expr(*unit), call.as_expr(Value::Int(i32::from(b' '))));
            call.exprs().relate(Rel::Gt, unit, blank)
        })
        .collect();
    let begin = first(call, is_kept.iter().copied())?.unwrap_or(units.len());
    let behind = first(call, is_kept[begin..].iter().rev().copied())?.unwrap_or(0);
    let end = units.len() - behind;
    if (begin, end) == (0, units.len()) {
        return Ok(Done::Value(call.args[0]));
    }
    Ok(Done::Value(Value::Ref(call.jvm.new_units(call.state, &units[begin..end]))))
}

/// One of the two cases.
struct Case {
    /// The method of `Character` that the JDK looks characters up with.
    look_up: &'static str,
    /// Letters of Latin-1 that have the other case, both ends included.
    letters: [(u16, u16); 2],
    /// The one between them that is no letter.
    no_letter: u16,
    /// From a letter to its other case.
    distance: i32,
    /// Characters of Latin-1 whose other case is not one character of Latin-1.
    odd: &'static [u16],
    /// Characters beyond Latin-1 whose other case is not one character, or depends on others ([`sigma`]); so
    /// do those whose result is negative, and halves of pairs.
    special: &'static [u16],
}

const LOWER: Case = Case {
    look_up: "toLowerCase",
    letters: [(0x41, 0x5a), (0xc0, 0xde)],
    no_letter: 0xd7,
    distance: 32,
    odd: &[],
    special: &[0x130, 0x3a3],
};

const UPPER: Case = Case {
    look_up: "toUpperCaseEx",
    letters: [(0x61, 0x7a), (0xe0, 0xfe)],
    no_letter: 0xf7,
    distance: -32,
    odd: &[0xb5, 0xdf, 0xff],
    special: &[],
};

/// Languages with rules of their own, as `String` has them.
pub(super) const OTHER_RULES: [&str; 3] = ["tr", "az", "lt"];

fn to_case(call: &mut Call, case: &Case) -> Result<Done, Trap> {
    if !has_plain_rules(call) {
        return call.interpret();
    }
    let text = call.object(0)?;
    if let Some(is_latin) = open::all_characters(call, text, |call, unit| latin(call, case, unit)) {
        call.jvm.choose_whether(call.state, is_latin)?;
    }
    let Some(units) = own_units(call)? else { return call.interpret() };
    let units: Vec<Expr> = units.iter().map(|unit| call.as_expr(*unit)).collect();
    let is_latin = all(call, &units, |call, unit| latin(call, case, unit));
    if call.jvm.choose_whether(call.state, is_latin)? {
        let changed: Vec<Expr> = units.iter().map(|unit| latin_case(call, case, *unit)).collect();
        return result(call, &units, &changed);
    }
    let table = letters::cases(call, case.look_up)?;
    let specials = specials(call, case, &table);
    let is_plain = all(call, &units, |call, unit| is_none_of(call, unit, &specials));
    if call.jvm.choose_whether(call.state, is_plain)? {
        let changed: Vec<Expr> = units.iter().map(|unit| looked_up(call, &table, *unit)).collect();
        return result(call, &units, &changed);
    }
    match case.special.is_empty() {
        true => expanded(call, &units, &table),
        false => sigma::lower(call, &units, &table),
    }
}

/// Upper cases some of which are several characters: a path for each way to divide the result among the
/// characters, not for each of the hundred that have such a case. Of two units that are one character, the
/// letters that are as far from their upper case as all between two others are one way.
fn expanded(call: &mut Call, units: &[Expr], table: &Rc<[Expr]>) -> Result<Done, Trap> {
    let expansions = letters::expansions(call)?;
    let mut changed = Vec::new();
    let mut rest = units.iter();
    while let Some(unit) = rest.next() {
        if let Some(low) = rest.as_slice().first()
            && let Some(pair) = other_pair(call, "toUpperCaseEx", *unit, *low)?
        {
            changed.extend(pair);
            rest.next();
            continue;
        }
        let length = call.exprs().select(&expansions[0], *unit);
        let arms: Vec<Cond> = (0..expansions.len())
            .map(|count| {
                let mut exprs = call.exprs();
                let count = exprs.constant(Const::I32(count as i32));
                exprs.relate(Rel::Eq, length, count)
            })
            .collect();
        match call.jvm.choose(call.state, &arms)? {
            0 => changed.push(looked_up(call, table, *unit)),
            count => changed.extend(expansions[1..=count].iter().map(|nth| looked_up(call, nth, *unit))),
        }
    }
    let changed: Vec<Value> = changed.into_iter().map(|unit| call.value_of(unit)).collect();
    Ok(Done::Value(Value::Ref(call.jvm.new_units(call.state, &changed))))
}

/// Whether a unit is in a range, both ends included.
pub(super) fn between(call: &Call, unit: Expr, (from, to): (u16, u16)) -> Cond {
    let (from, to) = (compare(call, Rel::Ge, unit, from), compare(call, Rel::Le, unit, to));
    call.exprs().and(from, to)
}

/// Whether two units are one character.
pub(super) fn is_pair(call: &mut Call, high: Expr, low: Expr) -> Result<bool, Trap> {
    let (is_high, is_low) = (between(call, high, (0xd800, 0xdbff)), between(call, low, (0xdc00, 0xdfff)));
    let is_pair = call.exprs().and(is_high, is_low);
    call.jvm.choose_whether(call.state, is_pair)
}

/// The other case of a character of two units, as a method of `Character` says; `None` if the units are none.
pub(super) fn other_pair(
    call: &mut Call,
    method: &'static str,
    high: Expr,
    low: Expr,
) -> Result<Option<[Expr; 2]>, Trap> {
    if !is_pair(call, high, low)? {
        return Ok(None);
    }
    let letters = letters::cased_pairs(call, method)?;
    let mut arms: Vec<Cond> = Vec::new();
    let mut others = Cond::TRUE;
    for letters in letters.iter() {
        let of_high = compare(call, Rel::Eq, high, letters.high);
        let own = between(call, low, letters.lows);
        let own = call.exprs().and(of_high, own);
        others = call.exprs().and(others, own.negated());
        arms.push(own);
    }
    arms.push(others);
    let chosen = call.choose(&arms)?;
    let distance = letters.get(chosen).map_or(0, |letters| letters.distance);
    let mut exprs = call.exprs();
    let distance = exprs.constant(Const::I32(distance));
    Ok(Some([high, exprs.binary(Binary::Add, low, distance)]))
}

/// The string itself if no character is another.
fn result(call: &mut Call, units: &[Expr], changed: &[Expr]) -> Result<Done, Trap> {
    let mut same = Cond::TRUE;
    for (unit, changed) in units.iter().zip(changed) {
        let equal = call.exprs().relate(Rel::Eq, *unit, *changed);
        same = call.exprs().and(same, equal);
    }
    if call.jvm.choose_whether(call.state, same)? {
        return Ok(Done::Value(call.args[0]));
    }
    let changed: Vec<Value> = changed.iter().map(|unit| call.value_of(*unit)).collect();
    Ok(Done::Value(Value::Ref(call.jvm.new_units(call.state, &changed))))
}

/// Whether the argument is a locale whose language has no rules of its own.
fn has_plain_rules(call: &Call) -> bool {
    let language = || {
        let base = call.field(call.args[1].as_ref()?, "baseLocale").as_ref()?;
        call.jvm.string_text(call.state, call.field(base, "language").as_ref()?)
    };
    language().is_some_and(|language| !OTHER_RULES.contains(&&*language))
}

fn all(call: &Call, units: &[Expr], holds: impl Fn(&Call, Expr) -> Cond) -> Cond {
    let mut together = Cond::TRUE;
    for unit in units {
        let own = holds(call, *unit);
        together = call.exprs().and(together, own);
    }
    together
}

pub(super) fn compare(call: &Call, rel: Rel, unit: Expr, with: u16) -> Cond {
    let mut exprs = call.exprs();
    let with = exprs.constant(Const::I32(with.into()));
    exprs.relate(rel, unit, with)
}

/// Whether a character is of Latin-1, and so is its other case.
fn latin(call: &Call, case: &Case, unit: Expr) -> Cond {
    let mut is_latin = compare(call, Rel::Lt, unit, 256);
    for odd in case.odd {
        let other = compare(call, Rel::Ne, unit, *odd);
        is_latin = call.exprs().and(is_latin, other);
    }
    is_latin
}

/// The other case of such a character.
fn latin_case(call: &Call, case: &Case, unit: Expr) -> Expr {
    let mut is_letter = Cond::FALSE;
    for (low, high) in case.letters {
        let (low, high) = (compare(call, Rel::Ge, unit, low), compare(call, Rel::Le, unit, high));
        let mut exprs = call.exprs();
        let between = exprs.and(low, high);
        is_letter = exprs.or(is_letter, between);
    }
    let other = compare(call, Rel::Ne, unit, case.no_letter);
    let mut exprs = call.exprs();
    is_letter = exprs.and(is_letter, other);
    let distance = exprs.constant(Const::I32(case.distance));
    let moved = exprs.binary(Binary::Add, unit, distance);
    exprs.ite(is_letter, moved, unit)
}

/// Characters that are left to the JDK, as ranges.
fn specials(call: &Call, case: &Case, table: &Rc<[Expr]>) -> Vec<(u16, u16)> {
    let exprs = call.exprs();
    let is_special = |unit: u16| {
        let result = exprs.as_const(table[usize::from(unit)]);
        let is_character = matches!(result, Some(Const::I32(result)) if u16::try_from(result).is_ok());
        !is_character || (0xd800..0xe000).contains(&unit) || case.special.contains(&unit)
    };
    let mut ranges: Vec<(u16, u16)> = Vec::new();
    for unit in (0..=u16::MAX).filter(|unit| is_special(*unit)) {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == unit => *last = unit,
            _ => ranges.push((unit, unit)),
        }
    }
    ranges
}

fn is_none_of(call: &Call, unit: Expr, ranges: &[(u16, u16)]) -> Cond {
    let mut none = Cond::TRUE;
    for (low, high) in ranges {
        let (below, above) = (compare(call, Rel::Lt, unit, *low), compare(call, Rel::Gt, unit, *high));
        let mut exprs = call.exprs();
        let outside = exprs.or(below, above);
        none = exprs.and(none, outside);
    }
    none
}

/// The other case of any character that is not special.
pub(super) fn looked_up(call: &Call, table: &Rc<[Expr]>, unit: Expr) -> Expr {
    let mut exprs = call.exprs();
    let selected = exprs.select(table, unit);
    let (low, high) = exprs.interval(selected);
    if low < 0 || high > i64::from(u16::MAX) { exprs.cast(Cast::I2C, selected) } else { selected }
}
