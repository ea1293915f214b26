//! The methods of `Character` on symbolic characters beyond Latin-1: a table of all characters, made
//! once by the JDK's own code.
//!
//! The JDK looks characters up in three tables, one behind the other, the second of which has thousands of
//! elements; a path through them is a path for each block of characters. Here a method of one character is
//! run for every one of them, and its result is a selection from the runs of equal results: no branch, and
//! the same for every version of Unicode that a JDK has.

use std::rc::Rc;

use evergreen_symbolic::{Cast, Const, Expr};

use super::Row;
use crate::classes::MethodId;
use crate::native::{Call, Done, Trap};
use crate::outcome::Ending;
use crate::value::Value;

const CHARACTER: &str = "java/lang/Character";
/// Instructions that a method may need for one character: the first one makes the JDK's tables.
const STEPS: u64 = 10_000_000;
/// Runs of results beyond which a selection is too large for solvers.
const MOST_RUNS: usize = 4_000;
/// Characters of the upper case of one character, at most.
const LONGEST: usize = 3;

pub(crate) const TABLE: &[Row] = &[
    (CHARACTER, "digit", "(II)I", look_up),
    (CHARACTER, "getNumericValue", "(I)I", look_up),
    (CHARACTER, "getType", "(I)I", look_up),
    (CHARACTER, "isAlphabetic", "(I)Z", look_up),
    (CHARACTER, "isDefined", "(I)Z", look_up),
    (CHARACTER, "isDigit", "(I)Z", look_up),
    (CHARACTER, "isIdentifierIgnorable", "(I)Z", look_up),
    (CHARACTER, "isIdeographic", "(I)Z", look_up),
    (CHARACTER, "isJavaIdentifierPart", "(I)Z", look_up),
    (CHARACTER, "isJavaIdentifierStart", "(I)Z", look_up),
    (CHARACTER, "isLetter", "(I)Z", look_up),
    (CHARACTER, "isLetterOrDigit", "(I)Z", look_up),
    (CHARACTER, "isLowerCase", "(I)Z", look_up),
    (CHARACTER, "isMirrored", "(I)Z", look_up),
    (CHARACTER, "isSpaceChar", "(I)Z", look_up),
    (CHARACTER, "isTitleCase", "(I)Z", look_up),
    (CHARACTER, "isUnicodeIdentifierPart", "(I)Z", look_up),
    (CHARACTER, "isUnicodeIdentifierStart", "(I)Z", look_up),
    (CHARACTER, "isUpperCase", "(I)Z", look_up),
    (CHARACTER, "isWhitespace", "(I)Z", look_up),
    (CHARACTER, "toLowerCase", "(I)I", look_up),
    (CHARACTER, "toTitleCase", "(I)I", look_up),
    (CHARACTER, "toUpperCase", "(I)I", look_up),
    (CHARACTER, "toUpperCaseEx", "(I)I", look_up),
];

/// The result of a method for every character.
pub(crate) struct Results {
    /// The results, by character.
    table: Rc<[Expr]>,
    /// Pieces of equal results, or of results that rise with the character.
    runs: usize,
    /// Whether all of them are characters.
    are_characters: bool,
}

fn look_up(call: &mut Call) -> Result<Done, Trap> {
    let Value::Sym(character) = call.args[0] else { return call.interpret() };
    let (low, high) = call.exprs().interval(character);
    let other = match call.args.get(1) {
        None => 0,
        Some(Value::Int(other)) => *other,
        Some(_) => return call.interpret(),
    };
    // Latin-1 has one small table, which the JDK's own code reads without a branch.
    if low < 0 || high <= 255 || high > i64::from(u16::MAX) {
        return call.interpret();
    }
    let Some(own) = call.method.data.checked_sub(1).map(MethodId) else { return call.interpret() };
    let arguments = call.args.to_vec();
    make_results(call, (own, other), &arguments)?;
    let Results { table, runs, are_characters } = &call.jvm.letters[&(own, other)];
    if *runs > MOST_RUNS {
        let what = format!("{} of a symbolic character, which has {runs} cases", call.method.full_name());
        return Err(Trap::unsupported(what, "leave characters out, such as by --chars 0..255"));
    }
    let mut selected = call.exprs().select(table, character);
    let (low, high) = call.exprs().interval(selected);
    // The interval is that of all pieces for all characters: another method must see what the result is.
    if *are_characters && (low < 0 || high > i64::from(u16::MAX)) {
        selected = call.exprs().cast(Cast::I2C, selected);
    }
    Ok(Done::Value(call.value_of(selected)))
}

/// The characters that are equal to one but for their case, as `String.equalsIgnoreCase` has it.
pub(super) fn alike(call: &mut Call, unit: u16) -> Result<Vec<u16>, Trap> {
    let (upper, lower) = (cases(call, "toUpperCase")?, cases(call, "toLowerCase")?);
    let exprs = call.exprs();
    let through = |table: &[Expr], unit: u16| match exprs.as_const(table[usize::from(unit)]) {
        Some(Const::I32(other)) => u16::try_from(other).unwrap_or(unit),
        _ => unit,
    };
    let folded = |unit: u16| through(&lower, through(&upper, unit));
    let is_alike =
        |other: &u16| through(&upper, *other) == through(&upper, unit) || folded(*other) == folded(unit);
    Ok((0..=u16::MAX).filter(is_alike).collect())
}

/// The case mapping of a method for every character.
pub(super) fn cases(call: &mut Call, name: &str) -> Result<Rc<[Expr]>, Trap> {
    let missing =
        || Trap::unsupported(format!("a JDK without Character.{name}(int)"), "use a JDK from 9 to 25");
    let method = call.jvm.find(CHARACTER, name, "(I)I")?.ok_or_else(missing)?;
    let own = call.jvm.method(method).data.checked_sub(1).map(MethodId).ok_or_else(missing)?;
    make_results(call, (own, 0), &[Value::Int(0)])?;
    Ok(call.jvm.letters[&(own, 0)].table.clone())
}

/// What `toUpperCaseEx` leaves to `toUpperCaseCharArray`: for every character the number of characters of its
/// upper case, 0 for all others; then the first of these characters, the second, the third.
pub(super) fn expansions(call: &mut Call) -> Result<Vec<Rc<[Expr]>>, Trap> {
    let missing =
        || Trap::unsupported("a JDK without Character.toUpperCaseCharArray(int)", "use a JDK from 9 to 25");
    let method = call.jvm.find(CHARACTER, "toUpperCaseCharArray", "(I)[C")?.ok_or_else(missing)?;
    if !call.jvm.letters.contains_key(&(method, 0)) {
        let upper = cases(call, "toUpperCaseEx")?;
        let mut scratch = call.state.clone();
        scratch.frames.clear();
        scratch.forget_choices();
        let mut columns = vec![vec![0; usize::from(u16::MAX) + 1]; 1 + LONGEST];
        for (unit, own) in upper.iter().enumerate() {
            match call.exprs().as_const(*own) {
                Some(Const::I32(one)) if u16::try_from(one).is_ok() => continue,
                Some(Const::I32(one)) if one < 0 => {}
                _ => return Err(missing()),
            }
            let ending = call.jvm.call_now(&mut scratch, method, &[Value::Int(unit as i32)], STEPS);
            let Some(Ending::Returned(Some(Value::Ref(array)))) = ending else { return Err(missing()) };
            let units = scratch.heap.get(array).body.values();
            if units.len() > LONGEST {
                return Err(missing());
            }
            columns[0][unit] = units.len() as i32;
            for (column, value) in columns[1..].iter_mut().zip(units) {
                column[unit] = value.as_int().ok_or_else(missing)?;
            }
        }
        for (nth, values) in columns.into_iter().enumerate() {
            let table: Vec<Expr> = values.iter().map(|value| call.as_expr(Value::Int(*value))).collect();
            let results = Results { table: table.into(), runs: runs(&values), are_characters: true };
            call.jvm.letters.insert((method, nth as i32), results);
        }
    }
    Ok((0..=LONGEST as i32).map(|nth| call.jvm.letters[&(method, nth)].table.clone()).collect())
}

/// Letters of two units that are as far from their other case, which has the same first unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CasedPairs {
    pub(super) high: u16,
    /// Their second units, both ends included.
    pub(super) lows: (u16, u16),
    /// From the second unit to that of the other case.
    pub(super) distance: i32,
}

/// All letters of two units that have another case, as a method of `Character` says. The planes beyond the
/// second have none, in any version of Unicode that these JDKs know.
pub(super) fn cased_pairs(call: &mut Call, name: &'static str) -> Result<Rc<[CasedPairs]>, Trap> {
    if let Some(known) = call.jvm.cased_pairs.get(name) {
        return Ok(known.clone());
    }
    let missing =
        || Trap::unsupported(format!("a JDK without Character.{name}(int)"), "use a JDK from 9 to 25");
    let method = call.jvm.find(CHARACTER, name, "(I)I")?.ok_or_else(missing)?;
    let own = call.jvm.method(method).data.checked_sub(1).map(MethodId).ok_or_else(missing)?;
    let mut scratch = call.state.clone();
    scratch.frames.clear();
    scratch.forget_choices();
    let mut all: Vec<CasedPairs> = Vec::new();
    for letter in 0x1_0000..0x2_0000_i32 {
        let ending = call.jvm.call_now(&mut scratch, own, &[Value::Int(letter)], STEPS);
        let Some(Ending::Returned(Some(Value::Int(upper)))) = ending else { return Err(missing()) };
        if upper == letter {
            continue;
        }
        let high = |letter: i32| 0xd800 + ((letter - 0x1_0000) >> 10) as u16;
        let low = 0xdc00 + (letter & 0x3ff) as u16;
        if !(0x1_0000..0x2_0000).contains(&upper) || high(upper) != high(letter) {
            return Err(missing());
        }
        let (high, distance) = (high(letter), upper - letter);
        match all.last_mut() {
            Some(last) if (last.high, last.distance, last.lows.1 + 1) == (high, distance, low) => {
                last.lows.1 = low;
            }
            _ => all.push(CasedPairs { high, lows: (low, low), distance }),
        }
    }
    let all: Rc<[CasedPairs]> = all.into();
    call.jvm.cased_pairs.insert(name, all.clone());
    Ok(all)
}

/// Which characters have case, up to the last plane that has such: `ConditionalSpecialCasing.isCased`.
pub(super) fn cased(call: &mut Call) -> Result<Vec<bool>, Trap> {
    let missing = || Trap::unsupported("a JDK without ConditionalSpecialCasing", "use a JDK from 9 to 25");
    let method = call.jvm.find("java/lang/ConditionalSpecialCasing", "isCased", "(I)Z")?;
    let method = method.ok_or_else(missing)?;
    let mut scratch = call.state.clone();
    scratch.frames.clear();
    scratch.forget_choices();
    let mut all = Vec::new();
    for letter in 0..0x2_0000 {
        match call.jvm.call_now(&mut scratch, method, &[Value::Int(letter)], STEPS) {
            Some(Ending::Returned(Some(Value::Int(is_cased)))) => all.push(is_cased != 0),
            _ => return Err(missing()),
        }
    }
    Ok(all)
}

/// Runs a method for every character in place of its first argument, unless that was done.
fn make_results(call: &mut Call, key: (MethodId, i32), arguments: &[Value]) -> Result<(), Trap> {
    if !call.jvm.letters.contains_key(&key) {
        let results = results(call, key.0, arguments.to_vec())?;
        call.jvm.letters.insert(key, results);
    }
    Ok(())
}

fn results(call: &mut Call, own: MethodId, mut arguments: Vec<Value>) -> Result<Results, Trap> {
    let mut scratch = call.state.clone();
    scratch.frames.clear();
    scratch.forget_choices();
    let (mut table, mut values) = (Vec::new(), Vec::new());
    for character in 0..=i32::from(u16::MAX) {
        arguments[0] = Value::Int(character);
        let Some(Ending::Returned(Some(Value::Int(result)))) =
            call.jvm.call_now(&mut scratch, own, &arguments, STEPS)
        else {
            let what = format!("{} of {character:#x} in the JDK's own code", call.method.full_name());
            return Err(Trap::unsupported(what, ""));
        };
        values.push(result);
        table.push(call.as_expr(Value::Int(result)));
    }
    let are_characters = values.iter().all(|value| u16::try_from(*value).is_ok());
    Ok(Results { table: table.into(), runs: runs(&values), are_characters })
}

/// Pieces of equal results, or of results that rise with the character.
fn runs(values: &[i32]) -> usize {
    let (mut count, mut at) = (0, 0);
    while at < values.len() {
        let same = values[at..].iter().take_while(|value| **value == values[at]).count();
        let rising = values[at..].iter().zip(values[at]..).take_while(|(value, next)| *value == next).count();
        at += if rising > 2 { same.max(rising) } else { same };
        count += 1;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::runs;

    #[test]
    fn equal_and_rising_results_are_one_run() {
        assert_eq!(runs(&[-1, -1, -1, 0, 1, 2, 3, -1, -1]), 3);
        assert_eq!(runs(&[5, 6, 8]), 3);
        assert_eq!(runs(&[0; 100]), 1);
    }
}
