//! Identifiers: plain, indexed `(_ f i)`, qualified `(as f S)`, and testers `is-C`.

use crate::apply::{Head, constructor_of, function};
use crate::builtin;
use crate::context::Meaning;
use crate::diagnostic::Diagnostic;
use crate::elaborate::Elaborator;
use crate::literal;
use crate::sexp::Kind;
use crate::sorts::{SortReader, decimal_digits, lists, name, numeral, symbol};
use crate::theories;
use evergreen_term::{BitVec, Dialect, Name, SortId, SymbolKind, TermId, Value};

/// A symbol that has no meaning of its own: `is-C`, or an error.
pub(crate) fn unknown(
    elaborator: &mut Elaborator<'_, '_>,
    index: usize,
    symbol: Name,
) -> Result<Meaning, Diagnostic> {
    let text = elaborator.terms.text(symbol).to_owned();
    if elaborator.context.meaning(symbol) == Meaning::Poisoned {
        return Err(
            elaborator.error_at(index, format!("\"{text}\" has a declaration that is not understood"))
        );
    }
    if elaborator.context.is_z3
        && elaborator.tape.kind(index) == Kind::Symbol
        && let Some(value) = signed(elaborator, &text)
    {
        return Ok(Meaning::Term(value));
    }
    if let Some(constructor) = text.strip_prefix("is-") {
        let constructor = elaborator.terms.name(constructor);
        if let Some(symbol) = elaborator.context.constructor(elaborator.terms, constructor) {
            return Ok(Meaning::Tester(symbol));
        }
        if let Meaning::PolyConstructor(template, number) = elaborator.context.meaning(constructor) {
            return Ok(Meaning::PolyTester(template, number));
        }
    }
    if let Some(theory) = theories::plain(elaborator.context.dialect, &text) {
        return Ok(Meaning::Theory(theory));
    }
    if elaborator.context.is_z3
        && let Some(meaning) = of_lists(elaborator, &text)
    {
        return Ok(meaning);
    }
    Err(elaborator
        .error_at(index, format!("unknown symbol \"{text}\""))
        .with_help("declare it with declare-const or declare-fun"))
}

/// The functions of z3's own lists.
fn of_lists(elaborator: &mut Elaborator<'_, '_>, text: &str) -> Option<Meaning> {
    let constructor = text.strip_prefix("is-").unwrap_or(text);
    if !matches!((constructor, text), ("nil" | "insert", _) | (_, "head" | "tail")) {
        return None;
    }
    let lists = lists(elaborator.context, elaborator.terms);
    Some(match text {
        "nil" => Meaning::PolyConstructor(lists, 0),
        "insert" => Meaning::PolyConstructor(lists, 1),
        "head" => Meaning::PolySelector(lists, 1, 0),
        "tail" => Meaning::PolySelector(lists, 1, 1),
        "is-nil" => Meaning::PolyTester(lists, 0),
        _ => Meaning::PolyTester(lists, 1),
    })
}

/// `-1` and `-1.5`, which z3 reads as numbers.
fn signed(elaborator: &mut Elaborator<'_, '_>, text: &str) -> Option<TermId> {
    if let Some(digits) = text.strip_prefix('-').filter(|digits| digits.contains('.')) {
        let is_decimal = digits.split('.').count() == 2
            && digits.split('.').all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()));
        let value = is_decimal.then(|| evergreen_term::Rational::parse_decimal(digits)).flatten()?;
        return Some(elaborator.terms.real(value.neg()));
    }
    let value = decimal_digits(text.strip_prefix('-')?.as_bytes())?;
    let value = evergreen_term::Int::from(i64::try_from(value).ok()?).neg();
    if elaborator.context.numerals_are_real {
        let value = evergreen_term::Rational::new(value, evergreen_term::Int::ONE)?;
        return Some(elaborator.terms.real(value));
    }
    Some(elaborator.terms.literal(Value::Int(value)))
}

/// The head of an application that the symbol at `index` stands for.
#[inline]
pub(crate) fn head(
    elaborator: &mut Elaborator<'_, '_>,
    index: usize,
    meaning: Meaning,
) -> Result<Head, Diagnostic> {
    Ok(match meaning {
        Meaning::Fun(fun) => Head::Fun(fun),
        Meaning::Minus => Head::Minus,
        Meaning::Symbol(symbol) => Head::Symbol(symbol),
        Meaning::Macro(index) => Head::Macro(index),
        Meaning::PolyConstructor(template, number) => Head::PolyConstructor(template, number),
        Meaning::PolySelector(template, number, field) => Head::PolySelector(template, number, field),
        Meaning::Tester(constructor) => Head::Is(constructor),
        Meaning::PolyTester(template, number) => Head::PolyIs(template, number),
        Meaning::Theory(theory) => Head::Theory(theory, name(elaborator.terms, elaborator.tape, index)),
        Meaning::Term(term) if theories::is_function(elaborator.terms, elaborator.terms.sort_of(term)) => {
            let term = if elaborator.level > 0 { elaborator.placed(term)? } else { term };
            Head::Value(term)
        }
        Meaning::Term(_) | Meaning::Reserved(_) | Meaning::Unknown | Meaning::Poisoned => {
            let text = String::from_utf8_lossy(elaborator.tape.atom(index));
            return Err(elaborator.error_at(index, format!("\"{text}\" is not a function")));
        }
    })
}

/// The constant that the symbol at `index` stands for, where it is not simply a term.
pub(crate) fn constant(
    elaborator: &mut Elaborator<'_, '_>,
    index: usize,
    meaning: Meaning,
) -> Result<TermId, Diagnostic> {
    if let Meaning::Fun(fun) = meaning
        && let Ok(term) = elaborator.terms.app(fun, &[])
    {
        return Ok(term);
    }
    if let Meaning::Theory(theory) = meaning {
        let text = name(elaborator.terms, elaborator.tape, index);
        let constant = theories::apply(elaborator.context, elaborator.terms, theory, text, &[]);
        return constant.map_err(|message| elaborator.error_at(index, message));
    }
    if let Meaning::Symbol(symbol) = meaning
        && let Some(function) = function(elaborator.context, elaborator.terms, symbol)
    {
        return Ok(function);
    }
    let text = String::from_utf8_lossy(elaborator.tape.atom(index));
    let error = elaborator.error_at(index, format!("\"{text}\" is not a constant"));
    Err(match meaning {
        Meaning::PolyConstructor(..) => error.with_help(format!("write (as {text} SORT)")),
        _ => error,
    })
}

/// `(_ …)` or `(as …)` as a whole term; also the index after it.
pub(crate) fn qualified_constant(
    elaborator: &mut Elaborator<'_, '_>,
    open: usize,
) -> Result<(TermId, usize), Diagnostic> {
    let tape = elaborator.tape;
    let next = tape.next(open);
    let term = if tape.is_word(open + 1, "as") {
        as_constant(elaborator, open)?
    } else if next == open + 5 && tape.atom(open + 2).starts_with(b"bv") {
        bit_vector(elaborator, open)?
    } else if tape.atom(open + 2) == b"char" && next == open + 5 {
        literal::character(elaborator.terms, tape, open + 3)?
    } else if tape.atom(open + 2) == b"fmf.card" && elaborator.context.dialect == Dialect::Cvc5 {
        cardinality(elaborator, open)?
    } else {
        match indexed_head(elaborator, open)? {
            Head::Indexed(fun, i, j) => elaborator
                .terms
                .indexed(fun, i, j, &[])
                .map_err(|error| elaborator.error_at(open, error.to_string()))?,
            Head::Theory(name, text) => {
                theories::apply(elaborator.context, elaborator.terms, name, text, &[])
                    .map_err(|message| elaborator.error_at(open, message))?
            }
            _ => return Err(elaborator.error_at(open, "this identifier is not a constant")),
        }
    };
    Ok((term, next))
}

/// `(_ fmf.card S n)`.
fn cardinality(elaborator: &mut Elaborator<'_, '_>, open: usize) -> Result<TermId, Diagnostic> {
    let tape = elaborator.tape;
    let bad = |elaborator: &Elaborator<'_, '_>| elaborator.error_at(open, "a sort and a number expected");
    let parts: Vec<usize> = tape.children(open).collect();
    let &[_, _, sort, count] = parts.as_slice() else { return Err(bad(elaborator)) };
    let mut reader = SortReader { context: elaborator.context, terms: elaborator.terms, tape };
    let sort = reader.sort(sort)?;
    let count = numeral(tape, count).ok_or_else(|| bad(elaborator))?;
    theories::cardinality(elaborator.context, elaborator.terms, sort, count).ok_or_else(|| bad(elaborator))
}

/// `(_ f i …)` of the solver's own theories.
fn theory_head(elaborator: &mut Elaborator<'_, '_>, open: usize) -> Option<Head> {
    let tape = elaborator.tape;
    let dialect = elaborator.context.dialect;
    let parts: Vec<usize> = tape.children(open).skip(1).collect();
    let (&head, indices) = parts.split_first()?;
    let found = theories::indexed(dialect, std::str::from_utf8(tape.atom(head)).ok()?, indices.len())?;
    let is_function = |elaborator: &mut Elaborator<'_, '_>, index: usize| {
        let symbol = name(elaborator.terms, tape, index);
        let is_theory = matches!(elaborator.context.meaning(symbol), Meaning::Fun(_) | Meaning::Minus);
        tape.kind(index) == Kind::Symbol && is_theory
    };
    for &index in indices {
        let fits = match found {
            "map" => is_function(elaborator, index),
            _ => tape.kind(index) == Kind::Numeral,
        };
        if !fits {
            return None;
        }
    }
    let mut text = format!("(_ {found}");
    for &index in indices {
        text.push(' ');
        text.push_str(std::str::from_utf8(tape.atom(index)).ok()?);
    }
    text.push(')');
    Some(Head::Theory(found, elaborator.terms.name(&text)))
}

/// `(_ bv123 8)`.
fn bit_vector(elaborator: &mut Elaborator<'_, '_>, open: usize) -> Result<TermId, Diagnostic> {
    let tape = elaborator.tape;
    let bad = |elaborator: &Elaborator<'_, '_>| {
        elaborator.error_at(open, "a bit vector (_ bvVALUE WIDTH) that fits into its width expected")
    };
    let digits = &tape.atom(open + 2)[2..];
    let plain = tape.kind(open + 2) == Kind::Symbol;
    let Some(width) = numeral(tape, open + 3).filter(|&w| plain && w > 0 && w <= 1 << 24) else {
        return Err(bad(elaborator));
    };
    if let Some(value) = decimal_digits(digits)
        && (width >= 64 || value >> width == 0)
    {
        return Ok(elaborator.context.bit_vector(elaborator.terms, width, value));
    }
    // Solvers disagree on values that do not fit (wrap or reject), so these are rejected. Compare
    // in a width that certainly holds the digits.
    let wide = width.max(4 * digits.len() as u32);
    let text = String::from_utf8_lossy(digits);
    let value = BitVec::parse_decimal(wide, &text).ok_or_else(|| bad(elaborator))?;
    let value = value.to_biguint();
    if value.bits() > u64::from(width) {
        return Err(bad(elaborator));
    }
    Ok(elaborator.terms.literal(Value::BitVec(BitVec::from_biguint(width, value))))
}

/// `(_ …)` or `(as …)` at the head of an application; also the index after it.
pub(crate) fn qualified_head(
    elaborator: &mut Elaborator<'_, '_>,
    open: usize,
) -> Result<(Head, usize), Diagnostic> {
    let tape = elaborator.tape;
    let head = if tape.is_word(open + 1, "_") {
        indexed_head(elaborator, open)?
    } else if tape.is_word(open + 1, "as") {
        as_head(elaborator, open)?
    } else if elaborator.context.dialect == Dialect::Cvc5 {
        // A term that is a function: it is read as the first argument.
        return Ok((Head::First, open));
    } else {
        return Err(elaborator.error_at(open, "a function expected"));
    };
    Ok((head, tape.next(open)))
}

/// `(_ f i j)`.
fn indexed_head(elaborator: &mut Elaborator<'_, '_>, open: usize) -> Result<Head, Diagnostic> {
    let tape = elaborator.tape;
    let count = tape.children(open).count();
    let head = open + 2;
    if count < 3 || tape.kind(head) != Kind::Symbol {
        return Err(elaborator.error_at(open, "an identifier (_ SYMBOL INDEX …) expected"));
    }
    let first = head + 1;
    match tape.atom(head) {
        b"is" if count == 3 => return tester(elaborator, first),
        b"update-field" | b"update" if count == 3 => return updater(elaborator, first),
        _ => {}
    }
    let unknown = || {
        let text = String::from_utf8_lossy(tape.source(open));
        Diagnostic::new(tape.offset(open), format!("unknown identifier \"{text}\""))
    };
    let Some(fun) = builtin::indexed(tape.atom(head)) else {
        return theory_head(elaborator, open).ok_or_else(unknown);
    };
    let indices = fun.index_count();
    let i = numeral(tape, first).ok_or_else(unknown)?;
    let j = if indices == 2 { numeral(tape, first + 1).ok_or_else(unknown)? } else { 0 };
    // `((_ re.loop n) r)` has one index in z3's draft; it is not the standard's function.
    if count != 2 + indices {
        return Err(unknown());
    }
    // Rotation by more than the width, loops with crossed bounds: as the theories define them.
    Ok(Head::Indexed(fun, i, j))
}

fn tester(elaborator: &mut Elaborator<'_, '_>, index: usize) -> Result<Head, Diagnostic> {
    let constructor = symbol(elaborator.terms, elaborator.tape, index)?;
    if let Some(symbol) = elaborator.context.constructor(elaborator.terms, constructor) {
        return Ok(Head::Is(symbol));
    }
    match elaborator.context.meaning(constructor) {
        Meaning::PolyConstructor(template, number) => Ok(Head::PolyIs(template, number)),
        _ => Err(elaborator.error_at(index, "a constructor expected")),
    }
}

fn updater(elaborator: &mut Elaborator<'_, '_>, index: usize) -> Result<Head, Diagnostic> {
    let selector = symbol(elaborator.terms, elaborator.tape, index)?;
    match elaborator.context.meaning(selector) {
        Meaning::Symbol(symbol)
            if matches!(elaborator.terms.symbol_of(symbol).kind, SymbolKind::Selector(..)) =>
        {
            Ok(Head::Update(symbol))
        }
        Meaning::PolySelector(template, number, field) => Ok(Head::PolyUpdate(template, number, field)),
        _ => Err(elaborator.error_at(index, "a selector expected")),
    }
}

/// The symbol and the sort of `(as f S)`.
fn as_parts(elaborator: &mut Elaborator<'_, '_>, open: usize) -> Result<(usize, SortId), Diagnostic> {
    let tape = elaborator.tape;
    let parts: Vec<usize> = tape.children(open).collect();
    let &[_, identifier, sort] = parts.as_slice() else {
        return Err(elaborator.error_at(open, "(as IDENTIFIER SORT) expected"));
    };
    if !matches!(tape.kind(identifier), Kind::Symbol | Kind::Quoted) {
        return Err(elaborator.error_at(identifier, "this identifier is not understood"));
    }
    let mut reader = SortReader { context: elaborator.context, terms: elaborator.terms, tape };
    Ok((identifier, reader.sort(sort)?))
}

/// `(as c S)`, as a constant.
fn as_constant(elaborator: &mut Elaborator<'_, '_>, open: usize) -> Result<TermId, Diagnostic> {
    let (identifier, sort) = as_parts(elaborator, open)?;
    let text = elaborator.tape.atom(identifier);
    let symbol = name(elaborator.terms, elaborator.tape, identifier);
    let meaning = elaborator.context.meaning(symbol);
    if text == b"seq.empty" && meaning == Meaning::Unknown {
        let empty = elaborator.terms.seq_empty(sort);
        return empty.map_err(|error| elaborator.error_at(open, error.to_string()));
    }
    if meaning == Meaning::Unknown
        && let Ok(text) = std::str::from_utf8(text)
        && let Some(constant) = theories::qualified(elaborator.context, elaborator.terms, text, sort)
    {
        return Ok(constant);
    }
    let meaning = match (meaning, text) {
        (Meaning::Unknown, b"nil") if elaborator.context.is_z3 => {
            Meaning::PolyConstructor(lists(elaborator.context, elaborator.terms), 0)
        }
        _ => meaning,
    };
    let term = match meaning {
        Meaning::Term(term) => term,
        Meaning::PolyConstructor(template, number) => {
            let constructor = poly_constructor(elaborator, template, number, sort, open)?;
            let constant = elaborator.terms.apply(constructor, &[]);
            constant.map_err(|error| elaborator.error_at(open, error.to_string()))?
        }
        _ => return Err(elaborator.error_at(identifier, "a constant expected")),
    };
    if elaborator.terms.sort_of(term) != sort {
        return Err(elaborator.error_at(open, "the constant is of another sort"));
    }
    Ok(term)
}

/// `(as f S)`, at the head of an application.
fn as_head(elaborator: &mut Elaborator<'_, '_>, open: usize) -> Result<Head, Diagnostic> {
    let (identifier, sort) = as_parts(elaborator, open)?;
    let text = elaborator.tape.atom(identifier);
    let symbol = name(elaborator.terms, elaborator.tape, identifier);
    let lists_own = elaborator.context.is_z3 && text == b"insert";
    match elaborator.context.meaning(symbol) {
        Meaning::Unknown if text == b"const" => Ok(Head::ConstArray(sort)),
        Meaning::Unknown if lists_own => {
            let template = lists(elaborator.context, elaborator.terms);
            poly_constructor(elaborator, template, 1, sort, open).map(Head::Symbol)
        }
        Meaning::Symbol(symbol) if elaborator.terms.symbol_of(symbol).result == sort => {
            Ok(Head::Symbol(symbol))
        }
        Meaning::PolyConstructor(template, number) => {
            poly_constructor(elaborator, template, number, sort, open).map(Head::Symbol)
        }
        _ => Err(elaborator.error_at(open, "this qualified identifier is not understood")),
    }
}

/// The constructor of the instance `sort` of a parametric datatype.
fn poly_constructor(
    elaborator: &Elaborator<'_, '_>,
    template: u32,
    number: u32,
    sort: SortId,
    open: usize,
) -> Result<evergreen_term::SymbolId, Diagnostic> {
    let terms = &elaborator.terms;
    let error = || elaborator.error_at(open, "the sort is not an instance of the constructor's datatype");
    let evergreen_term::Sort::Datatype(id) = *terms.sort_kind(sort) else { return Err(error()) };
    let key = (template, terms.datatype(id).args.to_vec());
    if elaborator.context.instances.get(&key) != Some(&sort) {
        return Err(error());
    }
    constructor_of(terms, sort, number).ok_or_else(error)
}
