//! The order of strings where only the sign of a comparison matters: in the JDK's sorted maps and sets.
//!
//! `String.compareTo` has an arm for each place at which two strings may differ, since a program sees by how
//! much they do. A `TreeMap` asks only which of them comes first: three arms, whatever lengths and places
//! there are.

use evergreen_symbolic::{Cond, Const, Expr, Rel};

use crate::native::{Call, Trap};
use crate::rope::Part;
use crate::value::{Kind, Ref, Value};

/// The class that asks for signs only; that of sets is one of these.
const ASKS: &str = "java/util/TreeMap";

/// A string as characters, of which the first so many are there.
struct Text {
    units: Vec<Expr>,
    /// Its length, where no path has chosen that; it is at most that of `units`.
    length: Option<Expr>,
}

/// The sign of the comparison of the two strings that a call has; `None` if more than that is asked for, or
/// if they are no strings of characters.
pub(super) fn sign(call: &mut Call<'_>) -> Result<Option<i32>, Trap> {
    let (Some(one), Some(two)) = (call.args[0].as_ref(), call.args.get(1).and_then(|other| other.as_ref()))
    else {
        return Ok(None);
    };
    let is_rope = |text: Ref| call.jvm.rope(call.state, text).is_some();
    if !is_asked(call) || !is_rope(one) && !is_rope(two) {
        return Ok(None);
    }
    if one == two {
        return Ok(Some(0));
    }
    let Some(one) = text(call, one)? else { return Ok(None) };
    let Some(two) = text(call, two)? else { return Ok(None) };
    let (less, equal) = order(call, &one, &two);
    let greater = {
        let mut exprs = call.exprs();
        exprs.and(less.negated(), equal.negated())
    };
    Ok(Some(call.choose(&[less, equal, greater])? as i32 - 1))
}

/// Whether the caller is a sorted map, perhaps through the method that takes an `Object`.
fn is_asked(call: &Call<'_>) -> bool {
    let mut frames = call.state.frames.iter().rev().map(|frame| &frame.method);
    let first = frames.next();
    let caller = match first {
        Some(method) if &*method.class_name == "java/lang/String" && &*method.name == "compareTo" => {
            frames.next()
        }
        other => other,
    };
    caller.is_some_and(|method| &*method.class_name == ASKS)
}

fn text(call: &mut Call<'_>, text: Ref) -> Result<Option<Text>, Trap> {
    let Some(parts) = call.jvm.parts(call.state, text) else { return Ok(None) };
    if let [Part::Input(open)] = &parts[..] {
        let most = open.most;
        let fits = call.jvm.relate_to(Rel::Le, open.length, i64::from(most));
        if !call.jvm.choose_whether(call.state, fits)? {
            return Err(call.jvm.leave_out_longer(call.state));
        }
        let units = call.jvm.characters(open, 0..most).into_iter().map(|unit| call.as_expr(unit)).collect();
        return Ok(Some(Text { units, length: Some(open.length) }));
    }
    let mut units = Vec::new();
    for part in parts.iter() {
        match part {
            Part::Text(text) => {
                units.extend(text.iter().map(|unit| call.as_expr(Value::Int(i32::from(*unit)))));
            }
            Part::Symbolic(Kind::Char, expr) => units.push(*expr),
            Part::Symbolic(..) | Part::Input(_) => return Ok(None),
        }
    }
    Ok(Some(Text { units, length: None }))
}

/// When the first comes before the second, and when they are equal; from the last place to the first.
fn order(call: &Call<'_>, one: &Text, two: &Text) -> (Cond, Cond) {
    let (mut less, mut equal) = (Cond::FALSE, Cond::TRUE);
    for at in (0..one.units.len().max(two.units.len())).rev() {
        let (own, other) = (reaches(call, one, at), reaches(call, two, at));
        let mut exprs = call.exprs();
        let both = exprs.and(own, other);
        let (before, same) = match (one.units.get(at), two.units.get(at)) {
            (Some(a), Some(b)) => (exprs.relate(Rel::Lt, *a, *b), exprs.relate(Rel::Eq, *a, *b)),
            _ => (Cond::FALSE, Cond::FALSE),
        };
        let goes_on = exprs.and(same, less);
        let decided = exprs.or(before, goes_on);
        let decided = exprs.and(both, decided);
        let ends = exprs.and(own.negated(), other);
        less = exprs.or(ends, decided);
        let alike = exprs.and(same, equal);
        let alike = exprs.and(both, alike);
        let end_together = exprs.and(own.negated(), other.negated());
        equal = exprs.or(end_together, alike);
    }
    (less, equal)
}

/// Whether a string has a character at a place.
fn reaches(call: &Call<'_>, text: &Text, at: usize) -> Cond {
    match text.length {
        _ if at >= text.units.len() => Cond::FALSE,
        None => Cond::TRUE,
        Some(length) => {
            let mut exprs = call.exprs();
            let place = exprs.constant(Const::I32(at as i32));
            exprs.relate(Rel::Gt, length, place)
        }
    }
}
