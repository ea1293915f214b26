//! Lower cases of texts that have characters with rules of their own: a Greek sigma, whose lower case is
//! another one at the end of a word; an I with a dot, which becomes two characters; characters of two units.
//!
//! A path branches over where these characters are, and for each sigma over whether it ends a word
//! ([`super::words`]), not over each of its neighbours.

use std::rc::Rc;

use evergreen_symbolic::{Cond, Const, Expr, Rel};

use super::derived::{OTHER_RULES, between, compare, is_pair, looked_up, other_pair};
use super::words::{Open, RESOURCE, Unit, Words};
use super::{Row, letters};
use crate::native::{Call, Done, Trap};
use crate::value::Value;

const CASING: &str = "java/lang/ConditionalSpecialCasing";

pub(crate) const TABLE: &[Row] = &[
    (CASING, "isFinalCased", "*", is_final_cased),
    (CASING, "lookUpTable", "(Ljava/lang/String;ILjava/util/Locale;Z)[C", look_up),
];

const SIGMA: u16 = 0x3a3;
const SMALL_SIGMA: u16 = 0x3c3;
const FINAL_SIGMA: u16 = 0x3c2;
const DOTTED: u16 = 0x130;
const DOT: u16 = 0x307;

/// Characters around a sigma that can be any, at most: all their sorts are tried together.
const MOST_OPEN: usize = 3;

/// The language whose words have an iterator of their own, with a dictionary.
const WITH_DICTIONARY: &str = "th";

/// The language of a locale.
fn language(call: &Call, locale: usize) -> Option<String> {
    let base = call.field(call.args.get(locale)?.as_ref()?, "baseLocale").as_ref()?;
    call.jvm.string_text(call.state, call.field(base, "language").as_ref()?)
}

fn has_dictionary(call: &Call, locale: usize) -> bool {
    language(call, locale).is_none_or(|language| language == WITH_DICTIONARY)
}

/// The words of texts, read when they are first needed.
fn words<'c>(call: &'c mut Call) -> Result<&'c mut Words, Trap> {
    if call.jvm.natives_data.words.is_none() {
        let missing = || Trap::unsupported("a JDK without rules for words", "use a JDK from 9 to 25");
        let cased = letters::cased(call)?;
        let bytes = call.jvm.jdk().and_then(|jdk| jdk.resource(RESOURCE).ok().flatten());
        let words = bytes.and_then(|bytes| Words::read(&bytes, &cased)).ok_or_else(missing)?;
        call.jvm.natives_data.words = Some(words);
    }
    call.jvm.natives_data.words.as_mut().ok_or_else(|| Trap::unsupported("rules for words", ""))
}

/// `isFinalCased(text, index, locale)`, of the character at the index, which is a sigma.
fn is_final_cased(call: &mut Call) -> Result<Done, Trap> {
    let text = call.object(0)?;
    let index = call.int(1)? as usize;
    let units = call.jvm.written_units(call.state, text).filter(|units| index < units.len());
    let Some(units) = units.filter(|_| !has_dictionary(call, 2)) else { return call.interpret() };
    let is_final = is_final(call, &units, index)?;
    Ok(Done::Value(Value::boolean(is_final)))
}

fn is_final(call: &mut Call, units: &[Value], index: usize) -> Result<bool, Trap> {
    let units: Vec<Expr> = units.iter().map(|unit| call.as_expr(*unit)).collect();
    let mut text = Vec::new();
    while let Some(unit) = units.get(text.len()) {
        match units.get(text.len() + 1) {
            _ if text.len() == index => text.push(Letter::Sigma),
            Some(low) if is_pair(call, *unit, *low)? => {
                text.extend([Letter::High(*unit, *low), Letter::Low]);
            }
            _ => text.push(Letter::Plain(*unit)),
        }
    }
    let ends_word = ends_word(call, &text, index)?;
    call.jvm.choose_whether(call.state, ends_word)
}

/// `lookUpTable(text, index, locale, isLower)`: the rules of known characters, without the tables that the
/// JDK makes of them.
fn look_up(call: &mut Call) -> Result<Done, Trap> {
    let text = call.object(0)?;
    let index = call.int(1)? as usize;
    let is_own = |language: &String| language != WITH_DICTIONARY && !OTHER_RULES.contains(&&**language);
    let units =
        call.jvm.written_units(call.state, text).filter(|_| language(call, 2).is_some_and(|l| is_own(&l)));
    let at = units.as_ref().and_then(|units| units.get(index)).copied();
    let (Some(units), Some(at), Value::Int(1)) = (units, at, call.args[3]) else { return call.interpret() };
    let at = call.as_expr(at);
    let (sigma, dotted) = (compare(call, Rel::Eq, at, SIGMA), compare(call, Rel::Eq, at, DOTTED));
    let other = call.exprs().or(sigma, dotted).negated();
    let lower: &[u16] = match call.choose(&[sigma, dotted, other])? {
        0 if is_final(call, &units, index)? => &[FINAL_SIGMA],
        1 => &[b'i' as u16, DOT],
        _ => return Ok(Done::Value(Value::Null)),
    };
    let class = call.class_named("[C")?;
    let array = call.make_array(class, lower.len())?;
    for (place, unit) in lower.iter().enumerate() {
        call.state.heap.store(array, place, Value::Int(i32::from(*unit)));
    }
    Ok(Done::Value(Value::Ref(array)))
}

/// What a unit of the text is on this path.
enum Letter {
    Sigma,
    Dotted,
    Plain(Expr),
    High(Expr, Expr),
    Low,
}

/// The lower case of a text in which not all characters are plain: it is a new string.
pub(super) fn lower(call: &mut Call, units: &[Expr], table: &Rc<[Expr]>) -> Result<Done, Trap> {
    if has_dictionary(call, 1) {
        return call.interpret();
    }
    let mut text = Vec::new();
    let mut changed: Vec<Expr> = Vec::new();
    let mut sigmas = Vec::new();
    let mut rest = units.iter();
    while let Some(unit) = rest.next() {
        if let Some(low) = rest.as_slice().first()
            && let Some(pair) = other_pair(call, "toLowerCase", *unit, *low)?
        {
            text.extend([Letter::High(*unit, *low), Letter::Low]);
            changed.extend(pair);
            rest.next();
            continue;
        }
        let (sigma, dotted) = (compare(call, Rel::Eq, *unit, SIGMA), compare(call, Rel::Eq, *unit, DOTTED));
        let plain = call.exprs().or(sigma, dotted).negated();
        match call.choose(&[plain, sigma, dotted])? {
            0 => {
                text.push(Letter::Plain(*unit));
                changed.push(looked_up(call, table, *unit));
            }
            1 => {
                sigmas.push((text.len(), changed.len()));
                text.push(Letter::Sigma);
                changed.push(character(call, SMALL_SIGMA));
            }
            _ => {
                text.push(Letter::Dotted);
                changed.extend([character(call, u16::from(b'i')), character(call, DOT)]);
            }
        }
    }
    for (at, place) in sigmas {
        let is_final = ends_word(call, &text, at)?;
        if call.jvm.choose_whether(call.state, is_final)? {
            changed[place] = character(call, FINAL_SIGMA);
        }
    }
    let changed: Vec<Value> = changed.into_iter().map(|unit| call.value_of(unit)).collect();
    Ok(Done::Value(Value::Ref(call.jvm.new_units(call.state, &changed))))
}

fn character(call: &Call, unit: u16) -> Expr {
    call.exprs().constant(Const::I32(unit.into()))
}

/// Whether the sigma at a place is the last letter of a word.
fn ends_word(call: &mut Call, text: &[Letter], at: usize) -> Result<Cond, Trap> {
    let mut open = Vec::new();
    for letter in text {
        open.push(match letter {
            Letter::Sigma => Open::Known(known(call, SIGMA)?),
            Letter::Dotted => Open::Known(known(call, DOTTED)?),
            Letter::Low => Open::Low,
            Letter::High(high, low) => match (constant(call, *high), constant(call, *low)) {
                (Some(high), Some(low)) => Open::Known(words(call)?.units(&[high, low])[0]),
                _ => Open::High,
            },
            Letter::Plain(unit) => match constant(call, *unit) {
                Some(unit) => Open::Known(known(call, unit)?),
                None => Open::Plain,
            },
        });
    }
    if open.iter().filter(|one| matches!(one, Open::Plain | Open::High)).count() > MOST_OPEN {
        let what = "the lower case of a sigma among many characters that are inputs";
        return Err(Trap::unsupported(what, "leave such letters out, or explore shorter strings"));
    }
    let groups = words(call)?.groups(&open, at);
    let is_open = |(_, open): &(&Letter, &Open)| matches!(open, Open::Plain | Open::High);
    let places: Vec<&Letter> = text.iter().zip(&open).filter(is_open).map(|(letter, _)| letter).collect();
    let mut anywhere = Cond::FALSE;
    for yes in &groups.yes {
        let mut together = Cond::TRUE;
        for ((letter, of), group) in places.iter().zip(&groups.of).zip(yes) {
            let own = is_of_group(call, letter, of, *group)?;
            together = call.exprs().and(together, own);
        }
        anywhere = call.exprs().or(anywhere, together);
    }
    Ok(anywhere)
}

fn constant(call: &Call, unit: Expr) -> Option<u16> {
    match call.exprs().as_const(unit) {
        Some(Const::I32(unit)) => u16::try_from(unit).ok(),
        _ => None,
    }
}

fn known(call: &mut Call, unit: u16) -> Result<Unit, Trap> {
    let words = words(call)?;
    Ok(Unit::Alone(words.sort(unit.into())))
}

/// Whether a character is of a group of sorts.
fn is_of_group(call: &mut Call, letter: &Letter, of: &[u8], group: u8) -> Result<Cond, Trap> {
    if of.iter().all(|other| *other == group) {
        return Ok(Cond::TRUE);
    }
    match letter {
        Letter::Plain(unit) => {
            let numbers: Vec<bool> =
                words(call)?.plain.iter().map(|sort| of[usize::from(*sort)] == group).collect();
            let mut exprs = call.exprs();
            let (yes, no) = (exprs.constant(Const::I32(1)), exprs.constant(Const::I32(0)));
            let table: Vec<Expr> = numbers.into_iter().map(|is| if is { yes } else { no }).collect();
            let selected = exprs.select(&table, *unit);
            Ok(exprs.relate(Rel::Eq, selected, yes))
        }
        Letter::High(high, low) => {
            let beyond = words(call)?.beyond.clone();
            let ends = beyond.iter().skip(1).map(|(from, _)| from - 1).chain([0x10_ffff]);
            let mut ranges: Vec<(u32, u32)> = Vec::new();
            for ((from, sort), to) in beyond.iter().zip(ends) {
                match ranges.last_mut() {
                    _ if of[usize::from(*sort)] != group => {}
                    Some(last) if last.1 + 1 == *from => last.1 = to,
                    _ => ranges.push((*from, to)),
                }
            }
            let mut within = Cond::FALSE;
            for range in ranges {
                let own = is_between(call, *high, *low, range);
                within = call.exprs().or(within, own);
            }
            Ok(within)
        }
        _ => Ok(Cond::TRUE),
    }
}

/// Whether a pair is a character of a range.
fn is_between(call: &Call, high: Expr, low: Expr, (from, to): (u32, u32)) -> Cond {
    let halves = |character: u32| {
        let rest = character - 0x1_0000;
        (0xd800 + (rest >> 10) as u16, 0xdc00 + (rest & 0x3ff) as u16)
    };
    let (first, last) = (halves(from), halves(to));
    let of_high = |high_half: u16, lows: (u16, u16)| {
        let own = compare(call, Rel::Eq, high, high_half);
        let lows = between(call, low, lows);
        call.exprs().and(own, lows)
    };
    if first.0 == last.0 {
        return of_high(first.0, (first.1, last.1));
    }
    let begin = of_high(first.0, (first.1, 0xdfff));
    let end = of_high(last.0, (0xdc00, last.1));
    let either = call.exprs().or(begin, end);
    if first.0 + 1 == last.0 {
        return either;
    }
    let middle = between(call, high, (first.0 + 1, last.0 - 1));
    call.exprs().or(either, middle)
}
