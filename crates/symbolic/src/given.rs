//! Assignments as data: values by the names of inputs, for an arena that another thread or machine has.
//!
//! Inputs are numbered as an arena meets them, so an assignment means nothing elsewhere. By name, type
//! and range an input is the same in every arena of the same program. The text of a value is a line:
//! `int * -5 x`, `long 0..10 3 n`: type, range, the value (of floats the bits), and the name, in which
//! `\` and ends of lines are escaped.

use crate::assignment::Assignment;
use crate::exprs::Exprs;
use crate::node::Input;
use crate::op::InputKind;
use std::fmt;
use std::str::FromStr;

/// The value of an input.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Given {
    /// The name that was asked for.
    pub name: String,
    /// The declared type.
    pub kind: InputKind,
    /// The range that was given.
    pub range: Option<(i64, i64)>,
    /// The value; of a float its bits.
    pub raw: i64,
}

impl Exprs {
    /// The values that are not the defaults of their inputs, sorted by name.
    pub fn given(&self, values: &Assignment) -> Vec<Given> {
        let mut all = Vec::new();
        for (input, info) in self.inputs().take(values.0.len()) {
            let raw = values.raw(self, input);
            if raw != info.default {
                all.push(Given { name: info.asked_name().into(), kind: info.kind, range: info.range, raw });
            }
        }
        all.sort_unstable();
        all
    }

    /// The assignment that has these values; inputs that are new are made. The values are not checked: the
    /// caller must evaluate whether they are in range, and which conditions hold.
    pub fn assigned(&mut self, all: &[Given]) -> Assignment {
        let mut values = Assignment::new();
        for given in all {
            let expr = self.input(&given.name, given.kind, given.range);
            if let Some(input) = self.as_input(expr) {
                values.set_raw(self, input, given.raw);
            }
        }
        values
    }
}

impl Given {
    /// Gives an input of this type and range its value.
    pub fn give(&self, exprs: &Exprs, input: Input, values: &mut Assignment) {
        values.set_raw(exprs, input, self.raw);
    }
}

impl InputKind {
    const ALL: [(InputKind, &'static str); 9] = [
        (InputKind::Boolean, "boolean"),
        (InputKind::Byte, "byte"),
        (InputKind::Char, "char"),
        (InputKind::Short, "short"),
        (InputKind::Int, "int"),
        (InputKind::Long, "long"),
        (InputKind::Float, "float"),
        (InputKind::Double, "double"),
        (InputKind::Octet, "octet"),
    ];

    /// Its name in Java; an octet, which Java does not have, is called so.
    pub fn name(self) -> &'static str {
        InputKind::ALL[self as usize].1
    }
}

impl fmt::Display for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let range = self.range.map_or_else(|| "*".into(), |(low, high)| format!("{low}..{high}"));
        let name = self.name.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r");
        write!(f, "{} {range} {} {name}", self.kind.name(), self.raw)
    }
}

impl FromStr for Given {
    type Err = String;

    fn from_str(text: &str) -> Result<Given, String> {
        let wrong = || format!("\"{text}\" is no value of an input");
        let mut words = text.splitn(4, ' ');
        let mut word = || words.next().ok_or_else(wrong);
        let (kind, range, raw, name) = (word()?, word()?, word()?, word()?);
        let kind = InputKind::ALL.iter().find(|(_, known)| *known == kind).ok_or_else(wrong)?.0;
        let number = |text: &str| text.parse::<i64>().map_err(|_| wrong());
        let range = match range.split_once("..") {
            Some((low, high)) => Some((number(low)?, number(high)?)),
            None if range == "*" => None,
            None => return Err(wrong()),
        };
        let raw = number(raw)?;
        let mut unescaped = String::with_capacity(name.len());
        let mut letters = name.chars();
        while let Some(letter) = letters.next() {
            unescaped.push(match letter {
                '\\' => match letters.next() {
                    Some('\\') => '\\',
                    Some('n') => '\n',
                    Some('r') => '\r',
                    _ => return Err(wrong()),
                },
                '\n' | '\r' => return Err(wrong()),
                plain => plain,
            });
        }
        Ok(Given { name: unescaped, kind, range, raw })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::op::{Const, Ints};

    #[test]
    fn values_move_to_an_arena_with_other_numbers() {
        let mut one = Exprs::new(Ints::Wrapped);
        let x = one.input("x", InputKind::Int, None);
        let wide = one.input("x", InputKind::Long, Some((3, 9)));
        let text = one.input("a\\b\nc d", InputKind::Double, None);
        let mut values = Assignment::new();
        for (expr, value) in
            [(x, Const::I32(-5)), (wide, Const::I64(7)), (text, Const::F64(1.5f64.to_bits()))]
        {
            let input = one.as_input(expr).unwrap();
            values.set(&one, input, value);
        }
        let given = one.given(&values);
        let texts: Vec<String> = given.iter().map(Given::to_string).collect();
        assert_eq!(texts, ["double * 4609434218613702656 a\\\\b\\nc d", "int * -5 x", "long 3..9 7 x"]);
        let again: Vec<Given> = texts.iter().map(|text| text.parse().unwrap()).collect();
        assert_eq!(again, given);
        let mut two = Exprs::new(Ints::Wrapped);
        two.input("y", InputKind::Int, None);
        let wide = two.input("x", InputKind::Long, Some((3, 9)));
        let moved = two.assigned(&given);
        assert_eq!(moved.get(&two, two.as_input(wide).unwrap()), Const::I64(7));
        assert_eq!(two.given(&moved), given);
        assert!(two.given(&Assignment::new()).is_empty());
    }

    #[test]
    fn what_is_no_value_is_refused() {
        for wrong in ["", "int * 1", "int 1 1 x", "int * x x", "word * 1 x", "int 1.. 1 x", "int * 1 a\\qb"] {
            assert!(wrong.parse::<Given>().is_err(), "{wrong}");
        }
    }
}
