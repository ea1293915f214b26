//! Assumptions about inputs, as a user writes them: `0 <= x && x < y`, `a + b == 2 * c || !flag`.
//!
//! Comparisons (also in a row), `+ - *`, `&& || !` and parentheses over inputs and numbers, with Java's
//! meaning: `int` arithmetic wraps around, and is done in `long` or `double` where one side is.

use evergreen_symbolic::{Binary, Cast, Cond, Const, Expr, Exprs, Kind, Rel};
use std::fmt;
use std::ops::Range;

/// What is wrong with an assumption, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AssumeError {
    text: String,
    place: Range<usize>,
    what: String,
}

impl fmt::Display for AssumeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let column = self.text[..self.place.start].chars().count();
        let width = self.text[self.place.clone()].chars().count().max(1);
        writeln!(f, "assumption: {}", self.what)?;
        write!(f, "  {}\n  {}{}", self.text, " ".repeat(column), "^".repeat(width))
    }
}

impl std::error::Error for AssumeError {}

impl AssumeError {
    /// Where it begins in the text.
    pub(crate) fn start(&self) -> usize {
        self.place.start
    }

    /// What is wrong, in a line.
    pub(crate) fn what(&self) -> &str {
        &self.what
    }
}

/// Makes an assumption a condition; `input` gives the expression of an input by its name.
pub fn assume(
    text: &str,
    exprs: &mut Exprs,
    input: &mut dyn FnMut(&mut Exprs, &str) -> Option<Expr>,
) -> Result<Cond, AssumeError> {
    let tokens = scan(text)?;
    let mut parser = Parser { text, tokens, at: 0, exprs, input };
    let whole = parser.any()?;
    let next = parser.peek();
    if next.kind != Token::End {
        return Err(
            parser.error(next.place.clone(), format!("\"{}\" is not expected here", &text[next.place]))
        );
    }
    parser.condition(&whole)
}

#[derive(Clone, PartialEq, Debug)]
enum Token {
    Name,
    Number,
    Sign(&'static str),
    End,
}

#[derive(Clone, Debug)]
struct Spot {
    kind: Token,
    place: Range<usize>,
}

const SIGNS: [&str; 14] = ["&&", "||", "<=", ">=", "==", "!=", "<", ">", "!", "+", "-", "*", "(", ")"];

fn scan(text: &str) -> Result<Vec<Spot>, AssumeError> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = |part: &dyn Fn(char) -> bool| rest.find(|c| !part(c)).unwrap_or(rest.len());
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let (kind, length) = if first.is_ascii_digit() {
            (Token::Number, length(&|c| c.is_ascii_alphanumeric() || c == '.' || c == '_'))
        } else if first.is_alphabetic() || first == '_' || first == '$' {
            // An arrow leads to a field, as in C; the sign before a greater-than sign is nothing else.
            let mut end = 0;
            loop {
                let part = |c: char| c.is_alphanumeric() || "_$.[]".contains(c);
                end += rest[end..].find(|c| !part(c)).unwrap_or(rest.len() - end);
                match rest[end..].starts_with("->") {
                    true => end += 2,
                    false => break,
                }
            }
            (Token::Name, end)
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            (Token::Sign(sign), sign.len())
        } else {
            let place = at..at + first.len_utf8();
            let what = format!("\"{first}\" is not understood");
            return Err(AssumeError { text: text.into(), place, what });
        };
        found.push(Spot { kind, place: at..at + length });
        at += length;
    }
    found.push(Spot { kind: Token::End, place: text.len()..text.len() });
    Ok(found)
}

/// A part of an assumption, and where it is written.
struct Part {
    is: Is,
    place: Range<usize>,
}

enum Is {
    Truth(Cond),
    Number(Expr),
}

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Spot>,
    at: usize,
    exprs: &'a mut Exprs,
    input: &'a mut dyn FnMut(&mut Exprs, &str) -> Option<Expr>,
}

impl Parser<'_> {
    fn error(&self, place: Range<usize>, what: impl Into<String>) -> AssumeError {
        AssumeError { text: self.text.into(), place, what: what.into() }
    }

    fn peek(&self) -> Spot {
        self.tokens[self.at.min(self.tokens.len() - 1)].clone()
    }

    fn eat(&mut self, signs: &[&'static str]) -> Option<&'static str> {
        let Token::Sign(found) = self.peek().kind else { return None };
        signs.contains(&found).then(|| {
            self.at += 1;
            found
        })
    }

    fn any(&mut self) -> Result<Part, AssumeError> {
        let mut left = self.all()?;
        while self.eat(&["||"]).is_some() {
            let right = self.all()?;
            let (a, b) = (self.condition(&left)?, self.condition(&right)?);
            left = Part { is: Is::Truth(self.exprs.or(a, b)), place: left.place.start..right.place.end };
        }
        Ok(left)
    }

    fn all(&mut self) -> Result<Part, AssumeError> {
        let mut left = self.comparison()?;
        while self.eat(&["&&"]).is_some() {
            let right = self.comparison()?;
            let (a, b) = (self.condition(&left)?, self.condition(&right)?);
            left = Part { is: Is::Truth(self.exprs.and(a, b)), place: left.place.start..right.place.end };
        }
        Ok(left)
    }

    /// One comparison or several in a row: `0 <= x < y` is `0 <= x && x < y`.
    fn comparison(&mut self) -> Result<Part, AssumeError> {
        let first = self.sum()?;
        let start = first.place.start;
        let mut left = first;
        let mut whole: Option<Cond> = None;
        while let Some(sign) = self.eat(&["<=", ">=", "==", "!=", "<", ">"]) {
            let right = self.sum()?;
            let (a, b) = self.alike(&left, &right)?;
            let relation = match sign {
                "<=" => Rel::Le,
                ">=" => Rel::Ge,
                "==" => Rel::Eq,
                "!=" => Rel::Ne,
                "<" => Rel::Lt,
                _ => Rel::Gt,
            };
            let here = self.relate(relation, a, b);
            whole = Some(whole.map_or(here, |before| self.exprs.and(before, here)));
            left = right;
        }
        Ok(match whole {
            Some(condition) => Part { is: Is::Truth(condition), place: start..left.place.end },
            None => left,
        })
    }

    fn relate(&mut self, relation: Rel, a: Expr, b: Expr) -> Cond {
        use evergreen_symbolic::Compare;
        // Floats are compared as Java's instructions do it, so that NaN is unequal to everything.
        let less_is_false = matches!(relation, Rel::Lt | Rel::Le);
        let compare = match (self.exprs.kind(a), less_is_false) {
            (Kind::F32, true) => Compare::Fcmpg,
            (Kind::F32, false) => Compare::Fcmpl,
            (Kind::F64, true) => Compare::Dcmpg,
            (Kind::F64, false) => Compare::Dcmpl,
            _ => return self.exprs.relate(relation, a, b),
        };
        let order = self.exprs.compare(compare, a, b);
        let zero = self.exprs.constant(Const::I32(0));
        self.exprs.relate(relation, order, zero)
    }

    fn sum(&mut self) -> Result<Part, AssumeError> {
        let mut left = self.product()?;
        while let Some(sign) = self.eat(&["+", "-"]) {
            let right = self.product()?;
            left = self.combine(if sign == "+" { Binary::Add } else { Binary::Sub }, &left, &right)?;
        }
        Ok(left)
    }

    fn product(&mut self) -> Result<Part, AssumeError> {
        let mut left = self.unary()?;
        while self.eat(&["*"]).is_some() {
            let right = self.unary()?;
            left = self.combine(Binary::Mul, &left, &right)?;
        }
        Ok(left)
    }

    fn combine(&mut self, op: Binary, left: &Part, right: &Part) -> Result<Part, AssumeError> {
        let (a, b) = self.alike(left, right)?;
        Ok(Part { is: Is::Number(self.exprs.binary(op, a, b)), place: left.place.start..right.place.end })
    }

    fn unary(&mut self) -> Result<Part, AssumeError> {
        let start = self.peek().place.start;
        if self.eat(&["!"]).is_some() {
            let inner = self.unary()?;
            let condition = self.condition(&inner)?;
            return Ok(Part { is: Is::Truth(self.exprs.not(condition)), place: start..inner.place.end });
        }
        if self.eat(&["-"]).is_some() {
            if self.peek().kind == Token::Number {
                return self.number(start);
            }
            let inner = self.unary()?;
            let value = self.value(&inner)?;
            return Ok(Part { is: Is::Number(self.exprs.neg(value)), place: start..inner.place.end });
        }
        self.primary()
    }

    fn primary(&mut self) -> Result<Part, AssumeError> {
        let spot = self.peek();
        let text = &self.text[spot.place.clone()];
        match spot.kind {
            Token::Number => self.number(spot.place.start),
            Token::Name => {
                self.at += 1;
                if text == "len" && self.peek().kind == Token::Sign("(") {
                    return self.length(spot.place.start);
                }
                let is = match text {
                    "true" => Is::Truth(Cond::TRUE),
                    "false" => Is::Truth(Cond::FALSE),
                    name => match (self.input)(self.exprs, name) {
                        Some(expr) => Is::Number(expr),
                        None => return Err(self.error(spot.place, format!("no input is called \"{name}\""))),
                    },
                };
                Ok(Part { is, place: spot.place })
            }
            Token::Sign("(") => {
                self.at += 1;
                let inner = self.any()?;
                if self.eat(&[")"]).is_none() {
                    return Err(self.error(spot.place, "this parenthesis is not closed"));
                }
                Ok(Part { is: inner.is, place: spot.place.start..self.tokens[self.at - 1].place.end })
            }
            Token::Sign(sign) => Err(self.error(spot.place, format!("a value is missing before \"{sign}\""))),
            Token::End => Err(self.error(spot.place, "a value is missing here")),
        }
    }

    /// `len(a)`, which is the input `len(a)` or `a.length`.
    fn length(&mut self, start: usize) -> Result<Part, AssumeError> {
        self.at += 1;
        let name = self.peek();
        if name.kind != Token::Name {
            return Err(self.error(name.place, "len takes the name of an input"));
        }
        self.at += 1;
        if self.eat(&[")"]).is_none() {
            return Err(self.error(name.place, "this parenthesis is not closed"));
        }
        let whole = &self.text[name.place.clone()];
        let found = (self.input)(self.exprs, &format!("len({whole})"));
        let found = found.or_else(|| (self.input)(self.exprs, &format!("{whole}.length")));
        match found {
            Some(expr) => Ok(Part { is: Is::Number(expr), place: start..self.tokens[self.at - 1].place.end }),
            None => Err(self.error(name.place, format!("\"{whole}\" has no length"))),
        }
    }

    /// A number, whose sign (if any) is at `start`.
    fn number(&mut self, start: usize) -> Result<Part, AssumeError> {
        let spot = self.peek();
        self.at += 1;
        let minus = if start < spot.place.start { "-" } else { "" };
        let digits = self.text[spot.place.clone()].replace('_', "");
        let place = start..spot.place.end;
        let whole = digits.trim_end_matches(['l', 'L']);
        let value = match format!("{minus}{whole}").parse::<i64>() {
            Ok(n) if whole == digits && i32::try_from(n).is_ok() => Const::I32(n as i32),
            Ok(n) => Const::I64(n),
            Err(_) => match format!("{minus}{}", digits.trim_end_matches(['d', 'D'])).parse::<f64>() {
                Ok(n) if digits.contains('.') => Const::F64(n.to_bits()),
                _ => return Err(self.error(place, format!("\"{digits}\" is no number that fits"))),
            },
        };
        Ok(Part { is: Is::Number(self.exprs.constant(value)), place })
    }

    fn condition(&mut self, part: &Part) -> Result<Cond, AssumeError> {
        match part.is {
            Is::Truth(condition) => Ok(condition),
            // A boolean input: 0 or 1.
            Is::Number(expr) if self.exprs.interval(expr) == (0, 1) => {
                let zero = self.exprs.constant(Const::I32(0));
                Ok(self.exprs.relate(Rel::Ne, expr, zero))
            }
            Is::Number(_) => {
                Err(self.error(part.place.clone(), "a condition is needed here, this is a number"))
            }
        }
    }

    fn value(&mut self, part: &Part) -> Result<Expr, AssumeError> {
        match part.is {
            Is::Number(expr) => Ok(expr),
            Is::Truth(condition) => {
                let (one, zero) = (self.exprs.constant(Const::I32(1)), self.exprs.constant(Const::I32(0)));
                if condition == Cond::TRUE {
                    return Ok(one);
                }
                if condition == Cond::FALSE {
                    return Ok(zero);
                }
                Err(self.error(part.place.clone(), "a number is needed here, this is a condition"))
            }
        }
    }

    /// Both sides in the wider of their types, as Java's binary numeric promotion has it.
    fn alike(&mut self, left: &Part, right: &Part) -> Result<(Expr, Expr), AssumeError> {
        let (a, b) = (self.value(left)?, self.value(right)?);
        let rank = |kind| match kind {
            Kind::I32 => 0,
            Kind::I64 => 1,
            Kind::F32 => 2,
            Kind::F64 => 3,
        };
        let (from_a, from_b) = (self.exprs.kind(a), self.exprs.kind(b));
        let wide = if rank(from_a) < rank(from_b) { from_b } else { from_a };
        Ok((self.widen(a, wide), self.widen(b, wide)))
    }

    fn widen(&mut self, expr: Expr, to: Kind) -> Expr {
        let cast = match (self.exprs.kind(expr), to) {
            (Kind::I32, Kind::I64) => Cast::I2L,
            (Kind::I32, Kind::F32) => Cast::I2F,
            (Kind::I32, Kind::F64) => Cast::I2D,
            (Kind::I64, Kind::F32) => Cast::L2F,
            (Kind::I64, Kind::F64) => Cast::L2D,
            (Kind::F32, Kind::F64) => Cast::F2D,
            _ => return expr,
        };
        self.exprs.cast(cast, expr)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evergreen_symbolic::{Assignment, InputKind, Ints};

    fn parse(text: &str) -> (Exprs, Result<Cond, AssumeError>) {
        let mut exprs = Exprs::new(Ints::Wrapped);
        let mut input = |exprs: &mut Exprs, name: &str| {
            let kind = match name {
                "x" | "y" | "a[0]" => InputKind::Int,
                "n" => InputKind::Long,
                "flag" => InputKind::Boolean,
                "d" => InputKind::Double,
                _ => return None,
            };
            Some(exprs.input(name, kind, None))
        };
        let condition = assume(text, &mut exprs, &mut input);
        (exprs, condition)
    }

    fn holds(text: &str, values: &[(&str, InputKind, Const)]) -> bool {
        let (mut exprs, condition) = parse(text);
        let condition = condition.unwrap_or_else(|e| panic!("{e}"));
        let mut inputs = Assignment::new();
        for &(name, kind, value) in values {
            let expr = exprs.input(name, kind, None);
            let input = exprs.as_input(expr).expect("an input");
            inputs.set(&exprs, input, value);
        }
        exprs.holds(condition, &inputs)
    }

    fn ints(x: i32, y: i32) -> [(&'static str, InputKind, Const); 2] {
        [("x", InputKind::Int, Const::I32(x)), ("y", InputKind::Int, Const::I32(y))]
    }

    #[test]
    fn means_what_java_means() {
        assert!(holds("0 <= x < y", &ints(0, 1)) && !holds("0 <= x < y", &ints(1, 1)));
        assert!(
            holds("x < y || x > y && y == 7", &ints(9, 7)) && !holds("x < y || x > y && y == 7", &ints(9, 8))
        );
        assert!(holds("!(x == y) && 2 * (x - 1) + 1 == y", &ints(4, 7)));
        assert!(holds("x + 1 < x", &ints(i32::MAX, 0)), "int wraps around");
        assert!(!holds("x + 1L < x", &ints(i32::MAX, 0)), "long is wide enough");
        assert!(holds("x == -2147483648 && -x == x", &ints(i32::MIN, 0)));
        assert!(holds("!flag && a[0] == 0 && n < 3000000000 && d <= 0.5 && x != 1", &ints(0, 0)));
        let nan = [("d", InputKind::Double, Const::F64(f64::NAN.to_bits()))];
        assert!(!holds("d <= 0.5", &nan) && !holds("d >= 0.5", &nan) && holds("d != d", &nan));
    }

    #[test]
    fn errors_point_at_the_place() {
        let error = |text: &str| parse(text).1.expect_err(text).to_string();
        assert_eq!(error("x < z"), "assumption: no input is called \"z\"\n  x < z\n      ^");
        assert_eq!(error("x <"), "assumption: a value is missing here\n  x <\n     ^");
        assert_eq!(
            error("x + 1"),
            "assumption: a condition is needed here, this is a number\n  x + 1\n  ^^^^^"
        );
        assert_eq!(error("(x < y"), "assumption: this parenthesis is not closed\n  (x < y\n  ^");
        assert_eq!(error("x < y)"), "assumption: \")\" is not expected here\n  x < y)\n       ^");
        assert_eq!(error("x = y"), "assumption: \"=\" is not understood\n  x = y\n    ^");
        assert_eq!(error("ü < 1"), "assumption: no input is called \"ü\"\n  ü < 1\n  ^");
        assert_eq!(
            error("(x < y) + 1 == 2"),
            "assumption: a number is needed here, this is a condition\n  (x < y) + 1 == 2\n  ^^^^^^^"
        );
        assert!(error("x < 99999999999999999999").contains("is no number that fits"));
    }
}
