//! Strings and regular languages, as the SMT-LIB theory of Unicode strings defines them.
//!
//! Regular languages are no values: between operators they are passed on as the integer that names the
//! expression in [`Regexes`], and a term of sort `RegLan` has no value of its own.

use super::regex::{Regex, Regexes};
use super::{Args, Outcome, Unevaluable};
use crate::{Fun, Indexed, Int, MAX_CODE_POINT, Value};
use num_bigint::BigInt;

/// Longer strings are not built: a few concatenations of shared terms would fill the memory.
const MAX_LENGTH: usize = 1 << 20;
/// Longer numbers are not read or written.
const MAX_DIGITS: usize = 100_000;

pub(super) fn apply(regexes: &mut Regexes, fun: Fun, args: &Args<'_, '_>) -> Outcome {
    match fun {
        Fun::ReNone
        | Fun::ReAll
        | Fun::ReAllChar
        | Fun::ReConcat
        | Fun::ReUnion
        | Fun::ReInter
        | Fun::ReStar
        | Fun::ReComp
        | Fun::ReDiff
        | Fun::RePlus
        | Fun::ReOpt
        | Fun::ReRange
        | Fun::StrToRe => regular(regexes, fun, args).map(language),
        Fun::StrInRe => {
            let regex = expression(regexes, args.get(1))?;
            Ok(Value::Bool(regexes.matches(regex, text(args.get(0))?)?))
        }
        Fun::StrReplaceRe | Fun::StrReplaceReAll => replace_re(regexes, fun, args),
        Fun::StrFromInt | Fun::StrFromCode => from_int(fun, int(args.get(0))?),
        Fun::StrConcat => {
            let mut all = Vec::new();
            for arg in args.iter() {
                all.extend_from_slice(text(arg)?);
                bounded(&all)?;
            }
            Ok(string(&all))
        }
        Fun::StrLt | Fun::StrLe => {
            let mut sorted = true;
            for i in 1..args.len() {
                let order = text(args.get(i - 1))?.cmp(text(args.get(i))?);
                sorted &= order.is_lt() || (fun == Fun::StrLe && order.is_eq());
            }
            Ok(Value::Bool(sorted))
        }
        _ => plain(fun, text(args.get(0))?, args),
    }
}

pub(super) fn indexed(regexes: &mut Regexes, fun: Indexed, i: u32, j: u32, args: &Args<'_, '_>) -> Outcome {
    let regex = expression(regexes, args.get(0))?;
    match fun {
        Indexed::RePower => regexes.repeat(regex, i, i).map(language),
        Indexed::ReLoop => regexes.repeat(regex, i, j).map(language),
        _ => Err(Unevaluable::Unsupported),
    }
}

fn plain(fun: Fun, s: &[u32], args: &Args<'_, '_>) -> Outcome {
    let digit = |c: &u32| (0x30..=0x39).contains(c);
    Ok(match fun {
        Fun::StrLen => number(Some(s.len())),
        Fun::StrIsDigit => Value::Bool(matches!(s, [c] if digit(c))),
        Fun::StrToCode => number(if let [c] = s { Some(*c as usize) } else { None }),
        Fun::StrToInt if s.is_empty() || !s.iter().all(digit) => number(None),
        Fun::StrToInt if s.len() > MAX_DIGITS => return Err(Unevaluable::Exhausted),
        Fun::StrToInt => {
            let digits: Vec<u8> = s.iter().map(|c| *c as u8).collect();
            Value::Int(Int::from(BigInt::parse_bytes(&digits, 10).ok_or(Unevaluable::IllSorted)?))
        }
        Fun::StrAt => string(substring(s, int(args.get(1))?, &Int::ONE)),
        Fun::StrSubstr => string(substring(s, int(args.get(1))?, int(args.get(2))?)),
        Fun::StrPrefixOf => Value::Bool(text(args.get(1))?.starts_with(s)),
        Fun::StrSuffixOf => Value::Bool(text(args.get(1))?.ends_with(s)),
        Fun::StrContains => Value::Bool(find(s, text(args.get(1))?, 0).is_some()),
        Fun::StrIndexOf => {
            let from = int(args.get(2))?.to_i64().and_then(|i| usize::try_from(i).ok());
            let from = from.filter(|i| *i <= s.len());
            number(match from {
                Some(from) => find(s, text(args.get(1))?, from),
                None => None,
            })
        }
        Fun::StrReplace | Fun::StrReplaceAll => {
            replace(fun == Fun::StrReplaceAll, s, text(args.get(1))?, text(args.get(2))?)?
        }
        _ => return Err(Unevaluable::Unsupported),
    })
}

/// The empty string when there is nothing at `start`.
fn substring<'s>(s: &'s [u32], start: &Int, length: &Int) -> &'s [u32] {
    let start = start.to_i64().and_then(|i| usize::try_from(i).ok()).filter(|i| *i < s.len());
    let Some(start) = start else { return &[] };
    if length.signum() <= 0 {
        return &[];
    }
    let length = length.to_i64().and_then(|i| usize::try_from(i).ok()).unwrap_or(usize::MAX);
    &s[start..start.saturating_add(length).min(s.len())]
}

/// The first occurrence from a place on, in linear time [Knuth, Morris, Pratt SICOMP'77].
fn find(s: &[u32], t: &[u32], from: usize) -> Option<usize> {
    // How much of `t` still matches when the next character does not.
    let mut fallback = vec![0usize; t.len()];
    let mut matched = 0;
    for i in 1..t.len() {
        while matched > 0 && t[i] != t[matched] {
            matched = fallback[matched - 1];
        }
        matched += usize::from(t[i] == t[matched]);
        fallback[i] = matched;
    }
    matched = 0;
    for (i, c) in s.iter().enumerate().skip(from) {
        if matched == t.len() {
            return Some(i - matched);
        }
        while matched > 0 && *c != t[matched] {
            matched = fallback[matched - 1];
        }
        matched += usize::from(*c == t[matched]);
    }
    (matched == t.len() && from <= s.len()).then(|| s.len() - matched)
}

/// The empty string occurs at the beginning for `str.replace`, and nowhere for `str.replace_all`.
fn replace(all: bool, s: &[u32], old: &[u32], new: &[u32]) -> Outcome {
    if all && old.is_empty() {
        return Ok(string(s));
    }
    let mut result = Vec::new();
    let mut rest = s;
    while let Some(at) = find(rest, old, 0) {
        result.extend_from_slice(&rest[..at]);
        result.extend_from_slice(new);
        bounded(&result)?;
        rest = &rest[at + old.len()..];
        if !all {
            break;
        }
    }
    result.extend_from_slice(rest);
    bounded(&result)?;
    Ok(string(&result))
}

/// The shortest leftmost match; when all are replaced, only those that are not empty.
fn replace_re(regexes: &mut Regexes, fun: Fun, args: &Args<'_, '_>) -> Outcome {
    let (mut rest, new) = (text(args.get(0))?, text(args.get(2))?);
    let regex = expression(regexes, args.get(1))?;
    let all = fun == Fun::StrReplaceReAll;
    let mut result = Vec::new();
    while let Some((start, end)) = regexes.find(regex, rest, usize::from(all))? {
        result.extend_from_slice(&rest[..start]);
        result.extend_from_slice(new);
        bounded(&result)?;
        rest = &rest[end..];
        if !all {
            break;
        }
    }
    result.extend_from_slice(rest);
    bounded(&result)?;
    Ok(string(&result))
}

fn from_int(fun: Fun, value: &Int) -> Outcome {
    if fun == Fun::StrFromCode {
        let code = value.to_i64().and_then(|c| u32::try_from(c).ok()).filter(|c| *c <= MAX_CODE_POINT);
        return Ok(string(code.as_slice()));
    }
    if value.signum() < 0 {
        return Ok(string(&[]));
    }
    if super::arith::bits(value) > 3 * MAX_DIGITS as u64 {
        return Err(Unevaluable::Exhausted);
    }
    Ok(Value::String(value.to_string().bytes().map(u32::from).collect()))
}

fn regular(regexes: &mut Regexes, fun: Fun, args: &Args<'_, '_>) -> Result<Regex, Unevaluable> {
    match fun {
        Fun::ReNone => return regexes.none(),
        Fun::ReAll => return regexes.all(),
        Fun::ReAllChar => return regexes.any_char(),
        Fun::StrToRe => return regexes.text(text(args.get(0))?),
        Fun::ReRange => {
            return match (text(args.get(0))?, text(args.get(1))?) {
                ([low], [high]) => regexes.range(*low, *high),
                _ => regexes.none(),
            };
        }
        _ => {}
    }
    let parts: Vec<Regex> =
        args.iter().map(|arg| expression(regexes, arg)).collect::<Result<_, Unevaluable>>()?;
    let first = parts[0];
    match fun {
        Fun::ReConcat => {
            let last = parts.len() - 1;
            parts[..last].iter().rev().try_fold(parts[last], |tail, head| regexes.concat(*head, tail))
        }
        Fun::ReUnion => regexes.union(&parts),
        Fun::ReInter => regexes.inter(&parts),
        Fun::ReStar => regexes.star(first),
        Fun::ReComp => regexes.complement(first),
        Fun::RePlus => {
            let star = regexes.star(first)?;
            regexes.concat(first, star)
        }
        Fun::ReOpt => regexes.repeat(first, 0, 1),
        Fun::ReDiff => parts[1..].iter().try_fold(first, |left, right| {
            let right = regexes.complement(*right)?;
            regexes.inter(&[left, right])
        }),
        _ => Err(Unevaluable::Unsupported),
    }
}

fn bounded(s: &[u32]) -> Result<(), Unevaluable> {
    if s.len() <= MAX_LENGTH { Ok(()) } else { Err(Unevaluable::Exhausted) }
}

fn string(s: &[u32]) -> Value {
    Value::String(s.into())
}

/// A place or length; none is -1.
fn number(value: Option<usize>) -> Value {
    Value::Int(Int::Small(value.map_or(-1, |v| v as i64)))
}

fn text(value: &Value) -> Result<&[u32], Unevaluable> {
    match value {
        Value::String(text) => Ok(text),
        _ => Err(Unevaluable::IllSorted),
    }
}

fn int(value: &Value) -> Result<&Int, Unevaluable> {
    match value {
        Value::Int(value) => Ok(value),
        _ => Err(Unevaluable::IllSorted),
    }
}

fn expression(regexes: &Regexes, value: &Value) -> Result<Regex, Unevaluable> {
    int(value)?.to_i64().and_then(|handle| regexes.by_handle(handle)).ok_or(Unevaluable::IllSorted)
}

fn language(regex: Regex) -> Value {
    Value::Int(Int::Small(Regexes::handle(regex)))
}
