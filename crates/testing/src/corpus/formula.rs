//! Boolean structure over atoms that the caller makes, and the frame around a script.

use std::fmt::Write;

use crate::random::Random;

/// A formula of at most `depth` connectives above atoms from `atom`.
pub(super) fn formula(
    random: &mut Random,
    depth: usize,
    atom: &mut dyn FnMut(&mut Random) -> String,
) -> String {
    if depth == 0 || random.one_in(3) {
        return atom(random);
    }
    match random.below(7) {
        0 => format!("(not {})", formula(random, depth - 1, atom)),
        1 => {
            let condition = formula(random, depth - 1, atom);
            let then = formula(random, depth - 1, atom);
            format!("(ite {condition} {then} {})", formula(random, depth - 1, atom))
        }
        kind => {
            let connective = ["and", "or", "=>", "xor", "="][kind - 2];
            let mut arguments = formula(random, depth - 1, atom);
            let more = if matches!(connective, "and" | "or") { random.between(1, 2) } else { 1 };
            for _ in 0..more {
                let _ = write!(arguments, " {}", formula(random, depth - 1, atom));
            }
            format!("({connective} {arguments})")
        }
    }
}

/// An SMT-LIB integer: negative numbers are applications of minus.
pub(super) fn int(value: i64) -> String {
    if value < 0 { format!("(- {})", value.unsigned_abs()) } else { value.to_string() }
}

/// An SMT-LIB real of `tenths` / 10.
pub(super) fn real(tenths: i64) -> String {
    let magnitude = tenths.unsigned_abs();
    let digits = format!("{}.{}", magnitude / 10, magnitude % 10);
    if tenths < 0 { format!("(- {digits})") } else { digits }
}

/// A bit-vector constant, in hexadecimal where the width allows it.
pub(super) fn bits(random: &mut Random, width: usize) -> String {
    let value = random.next() & ((1 << width) - 1);
    match random.below(3) {
        0 => format!("(_ bv{value} {width})"),
        1 if width.is_multiple_of(4) => format!("#x{value:0digits$x}", digits = width / 4),
        _ => format!("#b{value:0width$b}"),
    }
}

/// The names that scripts use for their constants: several styles, since names must not matter.
pub(super) fn names(random: &mut Random, count: usize) -> Vec<String> {
    let style = random.below(4);
    (0..count)
        .map(|i| match style {
            0 => format!("x{i}"),
            1 => ["alpha", "beta", "gamma", "delta", "eps", "zeta"][i % 6].to_string() + &"!".repeat(i / 6),
            2 => format!("|v {}|", 9 - i),
            _ => format!("n@{}", i * 7 % 10),
        })
        .collect()
}

/// A script under construction.
pub(super) struct Text(String);

impl Text {
    /// Starts with the logic.
    pub(super) fn logic(logic: &str) -> Self {
        Text(format!("(set-logic {logic})\n"))
    }

    /// Starts with one option set to true, then the logic.
    pub(super) fn with_option(option: &str, logic: &str) -> Self {
        Text(format!("(set-option :{option} true)\n(set-logic {logic})\n"))
    }

    /// One more line.
    pub(super) fn line(&mut self, line: impl AsRef<str>) -> &mut Self {
        self.0.push_str(line.as_ref());
        self.0.push('\n');
        self
    }

    /// Constants of one sort, half of them by `declare-fun`.
    pub(super) fn declare(&mut self, random: &mut Random, names: &[String], sort: &str) -> &mut Self {
        for name in names {
            if random.one_in(2) {
                self.line(format!("(declare-const {name} {sort})"));
            } else {
                self.line(format!("(declare-fun {name} () {sort})"));
            }
        }
        self
    }

    /// An assertion.
    pub(super) fn assert(&mut self, formula: impl AsRef<str>) -> &mut Self {
        self.line(format!("(assert {})", formula.as_ref()))
    }

    /// The question.
    pub(super) fn check(&mut self) -> &mut Self {
        self.line("(check-sat)")
    }

    /// The script.
    pub(super) fn done(self) -> String {
        self.0
    }
}
