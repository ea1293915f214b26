//! Terms, values and sorts as SMT-LIB text, for small terms only: sharing is written out.

use evergreen_term::{Float, Fun, Indexed, Int, Op, Rational, Sort, SortId, TermId, Terms, Value};

pub(crate) fn sort(terms: &Terms, id: SortId) -> String {
    match terms.sort_kind(id) {
        Sort::Bool => "Bool".into(),
        Sort::Int => "Int".into(),
        Sort::Real => "Real".into(),
        Sort::String => "String".into(),
        Sort::RegLan => "RegLan".into(),
        Sort::RoundingMode => "RoundingMode".into(),
        Sort::BitVec(width) => format!("(_ BitVec {width})"),
        Sort::Float(exponent, significand) => format!("(_ FloatingPoint {exponent} {significand})"),
        Sort::Array(index, element) => format!("(Array {} {})", sort(terms, *index), sort(terms, *element)),
        Sort::Seq(element) => format!("(Seq {})", sort(terms, *element)),
        Sort::Uninterpreted(name, _) => terms.text(*name).into(),
        Sort::Datatype(data) => terms.text(terms.datatype(*data).name).into(),
        Sort::Opaque(name, _) => terms.text(*name).into(),
    }
}

fn int(value: &Int) -> String {
    if value.signum() < 0 { format!("(- {})", value.neg()) } else { value.to_string() }
}

fn real(value: &Rational) -> String {
    let num = if value.num().signum() < 0 {
        format!("(- {}.0)", value.num().neg())
    } else {
        format!("{}.0", value.num())
    };
    if value.is_integer() { num } else { format!("(/ {num} {}.0)", value.den()) }
}

fn float(value: &Float) -> String {
    let bits: Vec<char> = {
        let v = value.bits();
        (0..v.width()).rev().map(|i| if v.bit(i) { '1' } else { '0' }).collect()
    };
    let exponent = value.exponent_bits() as usize;
    let text = |part: &[char]| part.iter().collect::<String>();
    format!("(fp #b{} #b{} #b{})", bits[0], text(&bits[1..=exponent]), text(&bits[exponent + 1..]))
}

fn string(text: &[u32]) -> String {
    let mut out = String::from("\"");
    for c in text {
        match char::from_u32(*c) {
            Some(c) if c.is_ascii_alphanumeric() => out.push(c),
            _ => out.push_str(&format!("\\u{{{c:x}}}")),
        }
    }
    out.push('"');
    out
}

pub(crate) fn value(terms: &Terms, v: &Value) -> String {
    match v {
        Value::Bool(v) => v.to_string(),
        Value::Int(v) => int(v),
        Value::Real(v) => real(v),
        Value::BitVec(v) => v.to_string(),
        Value::String(v) => string(v),
        Value::Float(v) => float(v),
        Value::RoundingMode(v) => v.fun().name().into(),
        Value::Array(array) => {
            let mut out =
                format!("((as const {}) {})", sort(terms, array.sort), value(terms, &array.default));
            for (index, element) in &array.entries {
                out = format!("(store {out} {} {})", value(terms, index), value(terms, element));
            }
            out
        }
        Value::Data(constructor, fields) if fields.is_empty() => terms.symbol_text(*constructor).into(),
        Value::Data(constructor, fields) => {
            let fields: Vec<String> = fields.iter().map(|field| value(terms, field)).collect();
            format!("({} {})", terms.symbol_text(*constructor), fields.join(" "))
        }
        Value::Element(..) | Value::Function(_) => panic!("not printed: {v:?}"),
    }
}

pub(crate) fn term(terms: &Terms, id: TermId) -> String {
    let args: Vec<String> = terms.args(id).iter().map(|arg| term(terms, *arg)).collect();
    let head = match terms.op(id) {
        Op::Literal(literal) => return value(terms, terms.literal_value(literal)),
        Op::Apply(symbol) => terms.symbol_text(symbol).into(),
        Op::Fun(fun) => fun.name().to_string(),
        // z3 does not know this one.
        Op::Indexed(Indexed::Divisible, by, _) => return format!("(= 0 (mod {} {by}))", args[0]),
        Op::Indexed(fun, i, j) if fun.index_count() == 2 => format!("(_ {} {i} {j})", fun.name()),
        Op::Indexed(fun, i, _) => format!("(_ {} {i})", fun.name()),
        Op::ConstArray => format!("(as const {})", sort(terms, terms.sort_of(id))),
        Op::Is(constructor) => format!("(_ is {})", terms.symbol_text(constructor)),
        Op::Update(selector) => format!("(_ update-field {})", terms.symbol_text(selector)),
        op => panic!("not printed: {op:?}"),
    };
    if args.is_empty() { head } else { format!("({head} {})", args.join(" ")) }
}

/// The operator of a term, for statistics.
pub(crate) fn head(terms: &Terms, id: TermId) -> String {
    match terms.op(id) {
        Op::Fun(Fun::Neg) => "neg".into(),
        Op::Fun(fun) => fun.name().into(),
        Op::Indexed(fun, ..) => fun.name().into(),
        Op::Literal(_) => "literal".into(),
        Op::Apply(symbol) => terms.symbol_text(symbol).into(),
        op => format!("{op:?}").split('(').next().unwrap_or_default().into(),
    }
}
