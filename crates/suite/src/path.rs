//! The line of a test's path: `path 0+ 1- 2+*3 Other.less(II)Z 0+`.
//!
//! Decisions are in the function under test until another one is named, that of another unit with the unit
//! before it. So an edit of a function changes the paths through that function only.

use crate::line::{Line, PATH, text};
use crate::{Decision, Flaw, Format};
use std::fmt::Write;
use std::sync::Arc;

/// Decisions on one path: no exploration makes a longer one.
const LONGEST: usize = 1_000_000;

/// The line of a path through a function.
pub(crate) fn write<L: Format>(path: &[Decision], target: &L::Target) -> String {
    let mut out = String::from(PATH);
    let (unit, own) = (L::unit(target), L::function(target));
    let mut here = (unit, own.as_str());
    let mut rest = path;
    while let Some(first) = rest.first() {
        if (&*first.unit, &*first.function) != here {
            here = (&first.unit, &first.function);
            let whole = match *first.unit == *unit {
                true => first.function.to_string(),
                false => format!("{}.{}", first.unit, first.function),
            };
            let _ = write!(out, " {}", place(&whole));
        }
        let times = rest.iter().take_while(|other| *other == first).count();
        let way = match first.arm {
            0 => "+".into(),
            1 => "-".into(),
            arm => format!("={arm}"),
        };
        let again = if times == 1 { String::new() } else { format!("*{times}") };
        let kind = first.kind.map(String::from).unwrap_or_default();
        let _ = write!(out, " {}{kind}{way}{again}", first.ordinal);
        rest = &rest[times..];
    }
    out
}

/// A function in a path. What begins with a digit would be a decision.
fn place(whole: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_$.<>-/;[()".contains(c);
    match whole.chars().all(is_plain) && !whole.starts_with(|c: char| c.is_ascii_digit()) {
        true => whole.to_string(),
        false => text(whole),
    }
}

/// Reads the decisions of a path through a function.
pub(crate) fn read<L: Format>(line: &mut Line<'_>, target: &L::Target) -> Result<Vec<Decision>, Flaw> {
    let mut path = Vec::new();
    let own: Arc<str> = L::unit(target).into();
    let (mut unit, mut function): (Arc<str>, Arc<str>) = (own.clone(), L::function(target).into());
    while !line.rest().is_empty() {
        if !line.rest().starts_with(|c: char| c.is_ascii_digit()) {
            let whole = match line.rest().starts_with('"') {
                true => line.text()?,
                false => line.until(char::is_whitespace).to_string(),
            };
            // Types of parameters may have points in their names.
            let name = &whole[..whole.find('(').unwrap_or(whole.len())];
            let dot = name.rfind('.');
            let called = &whole[dot.map_or(0, |dot| dot + 1)..];
            if !L::is_function(called) {
                let what = format!("\"{whole}\" is neither a decision as in 0+ nor {}", L::PLACE);
                return Err(line.flaw(what));
            }
            unit = dot.map_or_else(|| own.clone(), |dot| whole[..dot].into());
            function = called.into();
            continue;
        }
        let (kind, ordinal, arm, times) = decision(line)?;
        if times > LONGEST - path.len() {
            return Err(line.flaw(format!("a path of more than {LONGEST} decisions")));
        }
        let decision = Decision { unit: unit.clone(), function: function.clone(), kind, ordinal, arm };
        path.extend(std::iter::repeat_n(decision, times));
    }
    Ok(path)
}

/// `2f+*3`: which branch of which kind, which way, how many times.
fn decision(line: &mut Line<'_>) -> Result<(Option<char>, u32, u32, usize), Flaw> {
    let ordinal = line.count("the number of a branch")? as u32;
    let kind = line.rest().chars().next().filter(char::is_ascii_lowercase);
    kind.map(|kind| line.takes(kind.encode_utf8(&mut [0; 4])));
    let arm = if line.takes("+") {
        0
    } else if line.takes("-") {
        1
    } else if line.takes("=") {
        line.count("the number of an arm")? as u32
    } else {
        return Err(line.expected("\"+\", \"-\" or \"=N\" behind the number of a branch"));
    };
    let times = if line.takes("*") { line.count("a number of times")? } else { 1 };
    if times == 0 {
        return Err(line.flaw("a decision that is taken 0 times"));
    }
    Ok((kind, ordinal, arm, times))
}
