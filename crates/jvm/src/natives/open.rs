//! Strings whose length no path has chosen ([`crate::text`]): what can be said of them without choosing it.
//!
//! A question about characters at known places asks only whether the string reaches that far: a path for
//! each answer, whatever other lengths there are. A loop that reads one character after the other would never
//! end so: places beyond [`crate::Options::input_length`] that are reached one by one are left out.

use evergreen_symbolic::{Binary, Cast, Cond, Const, Expr, Rel};

use crate::native::{Call, Trap};
use crate::rope::Part;
use crate::text::Open;
use crate::value::{Kind, Ref, Value};

/// Lengths that are tried where a string is too short for what a program does with it.
const MOST_SHORT: u32 = 64;
/// Characters of one string that are made at once.
const MOST_CHARACTERS: u32 = 4096;

/// A string with an input in it: the characters before that, and the parts behind it.
pub(super) struct Shape {
    pub text: Ref,
    pub head: Vec<Value>,
    pub open: Open,
    pub tail: Vec<Part>,
}

/// How a program reaches a place in a string.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Steps {
    /// At once, from the beginning of the input.
    One,
    /// Perhaps in a loop, which would never end.
    Many,
}

/// Whether a string reaches to a place, and the characters before it.
pub(super) struct Window {
    pub reaches: Cond,
    pub units: Vec<Value>,
    /// Characters of the input that the window ends behind.
    pub depth: u32,
}

impl Shape {
    /// The shape of a string, if it has an input of open length in it and no texts of numbers before that.
    pub(super) fn of(call: &Call, text: Ref) -> Option<Shape> {
        let parts = call.jvm.rope(call.state, text)?;
        let at = parts.iter().position(|part| matches!(part, Part::Input(_)))?;
        let head = known_units(&parts[..at])?;
        let Part::Input(open) = &parts[at] else { return None };
        Some(Shape { text, head, open: open.clone(), tail: parts[at + 1..].to_vec() })
    }

    /// The characters between two places, `from` not above `to`; `None` if they are behind an input.
    pub(super) fn window(&self, call: &Call, from: u32, to: u32) -> Option<Window> {
        let known = self.head.len() as u32;
        if to <= known {
            let units = self.head[from as usize..to as usize].to_vec();
            return Some(Window { reaches: Cond::TRUE, units, depth: 0 });
        }
        let depth = to - known;
        if !self.tail.is_empty() || depth > MOST_CHARACTERS {
            return None;
        }
        let mut units = self.head.get(from as usize..).unwrap_or_default().to_vec();
        units.extend(call.jvm.characters(&self.open, from.saturating_sub(known)..depth));
        let mut exprs = call.exprs();
        let count = exprs.constant(Const::I32(depth as i32));
        let reaches = exprs.relate(Rel::Ge, self.open.length, count);
        Some(Window { reaches, units, depth })
    }

    /// Whether the string reaches to the end of a window. If not, its length is chosen among the few that are
    /// left, and the native begins again.
    pub(super) fn reach(&self, call: &mut Call, window: &Window) -> Result<(), Trap> {
        if call.jvm.choose_whether(call.state, window.reaches)? {
            return Ok(());
        }
        let mut parts: Vec<Part> = self.head.iter().map(|unit| Part::of(Kind::Char, *unit)).collect();
        let most = (window.depth.max(1) - 1).min(MOST_SHORT.max(self.open.most));
        let shorter = Open { most, ..self.open.clone() };
        let units = call.jvm.choose_text(call.state, &shorter)?;
        parts.extend(units.into_iter().map(|unit| Part::of(Kind::Char, unit)));
        call.jvm.replace_parts(call.state, self.text, parts.into());
        Err(Trap::Again)
    }

    /// Whether a place that many characters into the input is left out.
    pub(super) fn is_far(&self, depth: u32, steps: Steps) -> bool {
        depth > self.open.most && (steps == Steps::Many || self.open.from > 0)
    }

    /// Notes that the string reaches a place, which was asked for at once: as many characters behind it as
    /// behind its beginning are not left out.
    pub(super) fn split(&self, call: &mut Call, units: &[Value]) {
        let mut parts: Vec<Part> = units.iter().map(|unit| Part::of(Kind::Char, *unit)).collect();
        parts.extend(self.behind(call, units.len() as u32));
        call.jvm.replace_parts(call.state, self.text, parts.into());
    }

    /// The parts from a place on, which the string reaches.
    pub(super) fn behind(&self, call: &Call, from: u32) -> Vec<Part> {
        let known = self.head.len() as u32;
        let head = self.head.get(from as usize..).unwrap_or_default();
        let mut parts: Vec<Part> = head.iter().map(|unit| Part::of(Kind::Char, *unit)).collect();
        let skipped = from.saturating_sub(known);
        let mut open = self.open.clone();
        if skipped > 0 {
            let most = call.jvm.options.input_length;
            open.most = open.most.checked_sub(skipped).unwrap_or(if open.from == 0 { most } else { 0 });
            open.from += skipped;
            let mut exprs = call.exprs();
            let count = exprs.constant(Const::I32(skipped as i32));
            open.length = exprs.binary(Binary::Sub, open.length, count);
        }
        parts.push(Part::Input(open));
        parts.extend_from_slice(&self.tail);
        parts
    }

    /// Whether the input has this many characters.
    pub(super) fn is_of(&self, call: &mut Call, length: u32) -> Result<bool, Trap> {
        let same = call.jvm.relate_to(Rel::Eq, self.open.length, i64::from(length));
        call.jvm.choose_whether(call.state, same)
    }
}

/// Characters of parts that are texts and characters.
fn known_units(parts: &[Part]) -> Option<Vec<Value>> {
    let mut units = Vec::new();
    for part in parts {
        match part {
            Part::Text(text) => units.extend(text.iter().map(|unit| Value::Int(i32::from(*unit)))),
            Part::Symbolic(Kind::Char, expr) => units.push(Value::Sym(*expr)),
            Part::Symbolic(..) | Part::Input(_) => return None,
        }
    }
    Some(units)
}

/// The length of a string or builder with inputs of open length in it. Together they have no more characters
/// than a string can have; the program would have failed where it joined them.
pub(super) fn length(call: &mut Call, text: Ref) -> Result<Option<Expr>, Trap> {
    let Some(parts) = call.jvm.rope(call.state, text) else { return Ok(None) };
    let opens: Vec<Expr> = parts.iter().filter_map(|part| Some(part.open()?.length)).collect();
    let known: Vec<Part> = parts.iter().filter(|part| part.open().is_none()).cloned().collect();
    let Some(known) = known_units(&known).map(|units| units.len() as i32) else { return Ok(None) };
    match &opens[..] {
        [] => return Ok(None),
        [only] if known == 0 => return Ok(Some(*only)),
        _ => {}
    }
    let (sum, fits) = {
        let mut exprs = call.exprs();
        let mut sum = exprs.constant(Const::I32(known));
        let mut wide = exprs.constant(Const::I64(known.into()));
        for open in opens {
            sum = exprs.binary(Binary::Add, sum, open);
            let open = exprs.cast(Cast::I2L, open);
            wide = exprs.binary(Binary::Add, wide, open);
        }
        let most = exprs.constant(Const::I64(i32::MAX.into()));
        (sum, exprs.relate(Rel::Le, wide, most))
    };
    if !call.jvm.choose_whether(call.state, fits)? {
        return Err(call.jvm.leave_out_longer(call.state));
    }
    Ok(Some(sum))
}

/// Whether all inputs in these parts are empty; `None` if other parts are not.
pub(super) fn all_empty(call: &Call, parts: &[Part]) -> Option<Cond> {
    let mut exprs = call.exprs();
    let mut empty = Cond::TRUE;
    for part in parts {
        match part {
            Part::Text(text) if text.is_empty() => {}
            Part::Input(open) => {
                let zero = exprs.constant(Const::I32(0));
                let none = exprs.relate(Rel::Eq, open.length, zero);
                empty = exprs.and(empty, none);
            }
            Part::Text(_) | Part::Symbolic(..) => return None,
        }
    }
    Some(empty)
}

/// Whether two strings, one of them with an input of open length, are the same: one question about length and
/// characters, whatever lengths there may be. `None` if that cannot be asked without choosing lengths.
pub(super) fn same(call: &Call, one: Ref, two: Ref) -> Option<Cond> {
    let (one, two) = (call.jvm.parts(call.state, one)?, call.jvm.parts(call.state, two)?);
    if !one.iter().chain(two.iter()).any(|part| part.open().is_some()) {
        return None;
    }
    same_parts(call, &one, &two)
}

/// Whether a string is a known text, in the same way.
pub(super) fn is_known(call: &Call, text: Ref, units: &[u16]) -> Option<Cond> {
    let parts = call.jvm.rope(call.state, text)?;
    same_parts(call, &parts, &[Part::Text(units.into())])
}

fn same_parts(call: &Call, one: &[Part], two: &[Part]) -> Option<Cond> {
    let (one, two) = (single(one), single(two));
    let mut so_far = Cond::TRUE;
    let mut both = |a: &Part, b: &Part| {
        let equal = match (a, b) {
            (
                Part::Symbolic(Kind::Char, _) | Part::Text(_),
                Part::Symbolic(Kind::Char, _) | Part::Text(_),
            ) => call.equal(unit(a), unit(b)),
            _ if a == b => Cond::TRUE,
            _ => return false,
        };
        so_far = call.exprs().and(so_far, equal);
        true
    };
    let before = one.iter().zip(&two).take_while(|(a, b)| both(a, b)).count();
    let (one, two) = (&one[before..], &two[before..]);
    let behind = one.iter().rev().zip(two.iter().rev()).take_while(|(a, b)| both(a, b)).count();
    let (one, two) = (&one[..one.len() - behind], &two[..two.len() - behind]);
    let rest = match (one, two) {
        ([], rest) | (rest, []) => all_empty(call, rest).unwrap_or(Cond::FALSE),
        ([Part::Input(open)], known) | (known, [Part::Input(open)]) => {
            is_text(call, open, &known_units(known)?)
        }
        _ => return None,
    };
    Some(call.exprs().and(so_far, rest))
}

/// Parts with one character in each text.
fn single(parts: &[Part]) -> Vec<Part> {
    let one = |part: &Part| match part {
        Part::Text(text) => text.iter().map(|unit| Part::Text([*unit].into())).collect(),
        other => vec![other.clone()],
    };
    parts.iter().flat_map(one).collect()
}

/// The character that such a part is.
fn unit(part: &Part) -> Value {
    match part {
        Part::Text(text) => Value::Int(text.first().map_or(0, |unit| i32::from(*unit))),
        Part::Symbolic(_, expr) => Value::Sym(*expr),
        Part::Input(open) => Value::Sym(open.length),
    }
}

/// Whether a condition holds for all characters of a string, as far as lengths within the bound are
/// concerned; `None` if no length is open. To ask this first keeps paths of rare characters behind those of
/// all lengths.
pub(super) fn all_characters(call: &Call, text: Ref, holds: impl Fn(&Call, Expr) -> Cond) -> Option<Cond> {
    let parts = call.jvm.rope(call.state, text)?;
    parts.iter().find_map(Part::open)?;
    let mut all = Cond::TRUE;
    for open in parts.iter().filter_map(Part::open) {
        for (at, unit) in call.jvm.characters(open, 0..open.most).into_iter().enumerate() {
            let own = holds(call, call.as_expr(unit));
            let mut exprs = call.exprs();
            let place = exprs.constant(Const::I32(at as i32));
            let is_behind = exprs.relate(Rel::Le, open.length, place);
            let own = exprs.or(is_behind, own);
            all = exprs.and(all, own);
        }
    }
    Some(all)
}

/// Whether an input is this text.
pub(super) fn is_text(call: &Call, open: &Open, units: &[Value]) -> Cond {
    let mut same = {
        let mut exprs = call.exprs();
        let count = exprs.constant(Const::I32(units.len() as i32));
        exprs.relate(Rel::Eq, open.length, count)
    };
    let own = call.jvm.characters(open, 0..units.len() as u32);
    for (own, unit) in own.iter().zip(units) {
        let equal = call.equal(*own, *unit);
        same = call.exprs().and(same, equal);
    }
    same
}
