//! One constraint as text with a bound that can be moved, and the ways of dressing text without changing what
//! it says.

use evergreen_testing::random::Random;
use std::collections::HashMap;

/// How a bound is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Literal {
    /// As an integer.
    Int,
    /// As a real: halves of the bound.
    Real,
    /// As a bit vector of that width.
    Bits(u32),
}

impl Literal {
    /// A number as text.
    pub fn write(self, number: i64) -> String {
        let signed = |positive: String| if number < 0 { format!("(- {positive})") } else { positive };
        match self {
            Literal::Int => signed(number.unsigned_abs().to_string()),
            Literal::Real => {
                let halves = number.unsigned_abs();
                signed(format!("{}.{}", halves / 2, if halves % 2 == 1 { 5 } else { 0 }))
            }
            Literal::Bits(width) => {
                let digits = width as usize / 4;
                let mask = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
                format!("#x{:0digits$x}", number as u64 & mask)
            }
        }
    }
}

/// A constraint whose bound, where it has one, is written `@`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Atom {
    /// The text.
    pub text: String,
    /// The bound.
    pub bound: i64,
    /// How it is written.
    pub literal: Literal,
}

impl Atom {
    /// A constraint without a bound.
    pub fn plain(text: &str) -> Atom {
        Atom { text: text.into(), bound: 0, literal: Literal::Int }
    }

    /// As SMT-LIB.
    pub fn write(&self) -> String {
        self.text.replace('@', &self.literal.write(self.bound))
    }

    /// The same with another bound nearby.
    pub fn moved(&self, random: &mut Random) -> Atom {
        let by = *random.choose(&[-3, -2, -1, 1, 2, 3]);
        Atom { bound: self.bound + by, ..self.clone() }
    }
}

fn is_symbol(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_!.-+*/<>=".contains(c)
}

/// The words of a text.
pub fn symbols(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c| !is_symbol(c)).filter(|word| !word.is_empty())
}

/// Replaces symbols by others. Text in quotes stays as it is.
pub fn rename(text: &str, names: &HashMap<String, String>) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if first == '"' {
            let end = rest[1..].find('"').map_or(rest.len(), |at| at + 2);
            out.push_str(&rest[..end]);
            rest = &rest[end..];
        } else if is_symbol(first) {
            let end = rest.find(|c| !is_symbol(c)).unwrap_or(rest.len());
            out.push_str(names.get(&rest[..end]).map_or(&rest[..end], |n| n));
            rest = &rest[end..];
        } else {
            out.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    out
}

/// The end of the expression that starts at a parenthesis.
fn end_of(text: &str, start: usize) -> usize {
    let (mut depth, mut quoted) = (0, false);
    for (at, c) in text[start..].char_indices() {
        match c {
            '"' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => {
                depth -= 1;
                if depth == 0 {
                    return start + at + 1;
                }
            }
            _ => {}
        }
    }
    text.len()
}

/// The same constraint with one of its terms bound by a `let`, where it has one that can be.
pub fn with_let(text: &str, random: &mut Random) -> String {
    if text.contains("forall") || text.contains("exists") {
        return text.to_string();
    }
    let starts: Vec<usize> = text
        .char_indices()
        .filter(|&(at, c)| {
            let plain = text[at + 1..].starts_with(|c: char| c.is_ascii_lowercase() || "<>=+*-".contains(c));
            // After a second parenthesis there is a function's name, and `as` has a sort.
            c == '(' && at > 0 && plain && !text[..at].ends_with('(') && !text[at + 1..].starts_with("as ")
        })
        .map(|(at, _)| at)
        .collect();
    if starts.is_empty() {
        return text.to_string();
    }
    let start = *random.choose(&starts);
    let bound = &text[start..end_of(text, start)];
    format!("(let ((bound!0 {bound})) {})", text.replace(bound, "bound!0"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_written_in_their_sort() {
        let atom = |literal, bound| Atom { text: "(= x @)".into(), bound, literal }.write();
        assert_eq!(atom(Literal::Int, -3), "(= x (- 3))");
        assert_eq!(atom(Literal::Real, 3), "(= x 1.5)");
        assert_eq!(atom(Literal::Bits(8), -1), "(= x #xff)");
    }

    #[test]
    fn names_are_replaced_as_wholes() {
        let names = HashMap::from([("x".to_string(), "y".to_string()), ("y".to_string(), "x".to_string())]);
        assert_eq!(rename("(= (f x xx) (+ y \"x\"))", &names), "(= (f y xx) (+ x \"x\"))");
    }

    #[test]
    fn a_let_says_the_same() {
        let got = with_let("(< (f x) (+ 1 (f x)))", &mut Random::new(1));
        assert!(got.starts_with("(let ((bound!0 ("), "{got}");
        assert_eq!(with_let("(< x 1)", &mut Random::new(1)), "(< x 1)");
    }
}
