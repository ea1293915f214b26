//! The names of the theories: functions, reserved words and sorts.

use crate::context::{Context, Meaning, Word};
use crate::sorts::SortMeaning;
use evergreen_term::{Fun, Indexed, Sort, SortId, Terms};

const WORDS: &[(&str, Word)] = &[
    ("let", Word::Let),
    ("forall", Word::Forall),
    ("exists", Word::Exists),
    ("match", Word::Match),
    ("!", Word::Bang),
    ("_", Word::Underscore),
    ("as", Word::As),
    ("lambda", Word::Lambda),
    ("par", Word::Other),
    ("BINARY", Word::Other),
    ("DECIMAL", Word::Other),
    ("HEXADECIMAL", Word::Other),
    ("NUMERAL", Word::Other),
    ("STRING", Word::Other),
];

/// Second names: of SMT-LIB itself (rounding modes) and of drafts that solvers still read.
const ALIASES: &[(&str, Fun)] = &[
    ("roundNearestTiesToEven", Fun::RoundNearestEven),
    ("roundNearestTiesToAway", Fun::RoundNearestAway),
    ("roundTowardPositive", Fun::RoundPositive),
    ("roundTowardNegative", Fun::RoundNegative),
    ("roundTowardZero", Fun::RoundZero),
    ("bv2nat", Fun::UbvToInt),
    ("str.in.re", Fun::StrInRe),
    ("str.to.re", Fun::StrToRe),
    ("str.to.int", Fun::StrToInt),
    ("int.to.str", Fun::StrFromInt),
    ("re.nostr", Fun::ReNone),
];

/// Gives the names of the theories their meanings.
pub(crate) fn fill(context: &mut Context, terms: &mut Terms) {
    let truth = [("true", true), ("false", false)];
    for (text, value) in truth {
        let meaning = Meaning::Term(terms.bool(value));
        context.replace(terms.name(text), meaning);
    }
    for &fun in Fun::ALL {
        let meaning = if matches!(fun, Fun::Neg | Fun::Sub) { Meaning::Minus } else { Meaning::Fun(fun) };
        context.replace(terms.name(fun.name()), meaning);
    }
    for &(text, fun) in ALIASES {
        context.replace(terms.name(text), Meaning::Fun(fun));
    }
    for &(text, word) in WORDS {
        context.replace(terms.name(text), Meaning::Reserved(word));
    }
    let floats = [("Float16", 5, 11), ("Float32", 8, 24), ("Float64", 11, 53), ("Float128", 15, 113)];
    for (text, exponent, significand) in floats {
        let sort = terms.sort(Sort::Float(exponent, significand));
        context.replace_sort(terms.name(text), SortMeaning::Sort(sort));
    }
    let plain = [
        ("Bool", SortId::BOOL),
        ("Int", SortId::INT),
        ("Real", SortId::REAL),
        ("String", SortId::STRING),
        ("RegLan", SortId::REGLAN),
        ("RoundingMode", SortId::ROUNDING_MODE),
    ];
    for (text, sort) in plain {
        context.replace_sort(terms.name(text), SortMeaning::Sort(sort));
    }
    context.replace_sort(terms.name("Array"), SortMeaning::Array);
    context.replace_sort(terms.name("Seq"), SortMeaning::Seq);
}

/// z3's second names for functions of the core.
const OF_Z3: &[(&str, Fun)] = &[("implies", Fun::Implies), ("iff", Fun::Eq), ("if", Fun::Ite)];

/// Gives the names that only z3 knows their meanings.
pub(crate) fn fill_z3(context: &mut Context, terms: &mut Terms) {
    for &(text, fun) in OF_Z3 {
        let name = terms.name(text);
        context.replace(name, Meaning::Fun(fun));
        context.second_names.push(name);
    }
}

/// True if a symbol must be written between bars although its characters are simple.
pub(crate) fn is_reserved(text: &str) -> bool {
    WORDS.iter().any(|(word, _)| *word == text)
}

/// The function `(_ name …)`.
pub(crate) fn indexed(name: &[u8]) -> Option<Indexed> {
    Some(match name {
        b"extract" => Indexed::Extract,
        b"zero_extend" => Indexed::ZeroExtend,
        b"sign_extend" => Indexed::SignExtend,
        b"repeat" => Indexed::Repeat,
        b"rotate_left" => Indexed::RotateLeft,
        b"rotate_right" => Indexed::RotateRight,
        b"int_to_bv" | b"int2bv" => Indexed::IntToBv,
        b"divisible" => Indexed::Divisible,
        b"to_fp" => Indexed::ToFp,
        b"to_fp_unsigned" => Indexed::ToFpUnsigned,
        b"fp.to_ubv" => Indexed::FpToUbv,
        b"fp.to_sbv" => Indexed::FpToSbv,
        b"+oo" => Indexed::PlusInfinity,
        b"-oo" => Indexed::MinusInfinity,
        b"+zero" => Indexed::PlusZero,
        b"-zero" => Indexed::MinusZero,
        b"NaN" => Indexed::NotANumber,
        b"re.^" => Indexed::RePower,
        b"re.loop" => Indexed::ReLoop,
        _ => return None,
    })
}

/// True if the logic has real numbers and no integers, so that its numerals are reals.
pub(crate) fn numerals_are_real(logic: &str) -> bool {
    logic.ends_with("RDL") || (logic.ends_with("RA") && !logic.ends_with("IRA"))
}
