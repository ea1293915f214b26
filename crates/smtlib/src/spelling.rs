//! How each solver writes the values of a model.
//!
//! The standard leaves room: 240 is `#xf0` or `#b11110000`, two thirds are `(/ 2.0 3.0)` or `(/ 2 3)`. A
//! client was written for one solver, and may compare texts. The forms are those that z3 5.4, cvc5 1.0,
//! Bitwuzla 0.9 and Yices 2.6 print.

use evergreen_term::{BitVec, Float, Int, Rational, RoundingMode};
use std::fmt::Write as _;

/// A way of writing values.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Spelling {
    /// What every solver reads.
    #[default]
    Standard,
    /// z3's.
    Z3,
    /// cvc5's.
    Cvc5,
    /// Bitwuzla's.
    Bitwuzla,
    /// Yices', with `--smt2-model-format` or without.
    Yices {
        /// With the flag: values are terms of the standard.
        standard: bool,
    },
}

impl Spelling {
    /// The names of a function's parameters: the text before the number, and the first number.
    pub(crate) fn parameters(self) -> (&'static str, u32) {
        match self {
            Spelling::Standard => ("?", 0),
            Spelling::Z3 | Spelling::Yices { .. } => ("x!", 0),
            Spelling::Cvc5 => ("_arg_", 1),
            Spelling::Bitwuzla => ("@bzla.var_", 1),
        }
    }

    /// The names of lets: the text before the number, and the first number. None where they follow the names
    /// of parameters.
    pub(crate) fn lets(self) -> Option<(&'static str, u32)> {
        match self {
            Spelling::Standard | Spelling::Yices { .. } => None,
            Spelling::Z3 => Some(("a!", 1)),
            Spelling::Cvc5 => Some(("_let_", 1)),
            Spelling::Bitwuzla => Some(("_let", 0)),
        }
    }

    pub(crate) fn push_bits(self, bits: &BitVec, out: &mut String) {
        let (width, small) = (bits.width(), bits.to_u128().and_then(|bits| u64::try_from(bits).ok()));
        if !matches!(self, Spelling::Standard | Spelling::Z3) {
            out.push_str("#b");
            out.extend((0..width).rev().map(|at| if bits.bit(at) { '1' } else { '0' }));
            return;
        }
        // Values of bytes are most of what clients of path conditions ask for, and formatting one takes
        // longer than finding it.
        let (Some(value), true) = (small, width <= 64 && width.is_multiple_of(4)) else {
            let _ = write!(out, "{bits}");
            return;
        };
        out.push_str("#x");
        for digit in (0..width / 4).rev() {
            let digit = value >> (4 * digit) & 0xf;
            out.push(char::from(b"0123456789abcdef"[digit as usize]));
        }
    }

    pub(crate) fn push_real(self, value: &Rational, out: &mut String) {
        let is_negative = value.num().signum() < 0;
        let _ = match self {
            Spelling::Yices { standard: false } if value.is_integer() => {
                return push_int(value.num(), "", out);
            }
            _ if value.is_integer() => return push_int(value.num(), ".0", out),
            Spelling::Standard => {
                out.push_str("(/ ");
                push_int(value.num(), ".0", out);
                write!(out, " {}.0)", value.den())
            }
            Spelling::Z3 | Spelling::Bitwuzla if is_negative => {
                write!(out, "(- (/ {}.0 {}.0))", value.num().neg(), value.den())
            }
            Spelling::Z3 | Spelling::Bitwuzla => write!(out, "(/ {}.0 {}.0)", value.num(), value.den()),
            Spelling::Cvc5 | Spelling::Yices { .. } => {
                out.push_str("(/ ");
                push_int(value.num(), "", out);
                write!(out, " {})", value.den())
            }
        };
    }

    pub(crate) fn push_float(self, float: &Float, out: &mut String) {
        let (exponent, significand) = (float.exponent_bits(), float.significand_bits());
        let named = match self {
            Spelling::Standard | Spelling::Z3 if float.is_nan() => Some("NaN"),
            Spelling::Z3 if float.is_infinite() => Some(if float.is_negative() { "-oo" } else { "+oo" }),
            Spelling::Z3 if float.is_zero() => Some(if float.is_negative() { "-zero" } else { "+zero" }),
            _ => None,
        };
        if let Some(name) = named {
            let _ = write!(out, "(_ {name} {exponent} {significand})");
            return;
        }
        if float.is_nan() {
            // Not all bits of a NaN are the same everywhere; these are.
            let (ones, zeros) = ("1".repeat(exponent as usize), "0".repeat(significand as usize - 2));
            let _ = write!(out, "(fp #b0 #b{ones} #b1{zeros})");
            return;
        }
        let bits = float.bits();
        let mut field = |name: &str, high: u32, low: u32| {
            out.push_str(name);
            out.extend((low..=high).rev().map(|at| if bits.bit(at) { '1' } else { '0' }));
        };
        field("(fp #b", bits.width() - 1, bits.width() - 1);
        field(" #b", bits.width() - 2, significand - 1);
        field(" #b", significand - 2, 0);
        out.push(')');
    }

    pub(crate) fn push_rounding(self, mode: RoundingMode, out: &mut String) {
        out.push_str(match (self, mode) {
            (Spelling::Z3 | Spelling::Cvc5, RoundingMode::NearestEven) => "roundNearestTiesToEven",
            (Spelling::Z3 | Spelling::Cvc5, RoundingMode::NearestAway) => "roundNearestTiesToAway",
            (Spelling::Z3 | Spelling::Cvc5, RoundingMode::Positive) => "roundTowardPositive",
            (Spelling::Z3 | Spelling::Cvc5, RoundingMode::Negative) => "roundTowardNegative",
            (Spelling::Z3 | Spelling::Cvc5, RoundingMode::Zero) => "roundTowardZero",
            _ => mode.fun().name(),
        });
    }

    /// Whether an element of a declared sort is written with its sort, `(as @U_0 U)`. cvc5 reads its own
    /// elements only so.
    pub(crate) fn qualifies(self, element: &str) -> bool {
        element.starts_with('@') && self != Spelling::Yices { standard: false }
    }
}

/// `5.0` or `(- 5.0)`, with `.0` as the suffix.
fn push_int(value: &Int, suffix: &str, out: &mut String) {
    let _ = match value.signum() < 0 {
        true => write!(out, "(- {}{suffix})", value.neg()),
        false => write!(out, "{value}{suffix}"),
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::push_spelled;
    use evergreen_term::{Terms, Value};

    fn all(value: &Value) -> [String; 5] {
        let terms = Terms::new();
        let spellings = [
            Spelling::Standard,
            Spelling::Z3,
            Spelling::Cvc5,
            Spelling::Bitwuzla,
            Spelling::Yices { standard: false },
        ];
        spellings.map(|spelling| {
            let mut out = String::new();
            push_spelled(&terms, value, spelling, &mut out);
            out
        })
    }

    #[test]
    fn bits_are_in_base_16_or_2() {
        let byte = Value::BitVec(BitVec::new(8, 0xf1));
        assert_eq!(all(&byte), ["#xf1", "#xf1", "#b11110001", "#b11110001", "#b11110001"]);
        let odd = Value::BitVec(BitVec::new(6, 33));
        assert_eq!(all(&odd), ["#b100001"; 5]);
        let wide = Value::BitVec(BitVec::ones(72));
        assert_eq!(all(&wide)[1], format!("#x{}", "f".repeat(18)));
        assert_eq!(all(&wide)[2], format!("#b{}", "1".repeat(72)));
    }

    #[test]
    fn reals_are_quotients() {
        let real = |n: i64, d: i64| Value::Real(Rational::new(Int::from(n), Int::from(d)).unwrap());
        let whole = ["(- 4.0)", "(- 4.0)", "(- 4.0)", "(- 4.0)", "(- 4)"];
        assert_eq!(all(&real(-4, 1)), whole);
        assert_eq!(all(&real(2, 3))[..3], ["(/ 2.0 3.0)", "(/ 2.0 3.0)", "(/ 2 3)"]);
        assert_eq!(all(&real(-7, 2))[..3], ["(/ (- 7.0) 2.0)", "(- (/ 7.0 2.0))", "(/ (- 7) 2)"]);
        assert_eq!(all(&real(-7, 2))[4], "(/ (- 7) 2)");
    }

    #[test]
    fn floats_have_names_or_bits() {
        let float =
            |bits: u128| Value::Float(Box::new(Float::from_bits(3, 4, BitVec::new(7, bits)).unwrap()));
        assert_eq!(all(&float(0b0_111_100))[..2], ["(_ NaN 3 4)", "(_ NaN 3 4)"]);
        assert_eq!(all(&float(0b0_111_100))[2], "(fp #b0 #b111 #b100)");
        assert_eq!(
            all(&float(0b1_111_000))[..3],
            ["(fp #b1 #b111 #b000)", "(_ -oo 3 4)", "(fp #b1 #b111 #b000)"]
        );
        assert_eq!(all(&float(0))[..2], ["(fp #b0 #b000 #b000)", "(_ +zero 3 4)"]);
        assert_eq!(all(&float(0b0_100_001)), ["(fp #b0 #b100 #b001)"; 5]);
    }

    #[test]
    fn rounding_modes_are_long_or_short() {
        let mode = Value::RoundingMode(RoundingMode::Zero);
        assert_eq!(all(&mode)[..4], ["RTZ", "roundTowardZero", "roundTowardZero", "RTZ"]);
    }
}
