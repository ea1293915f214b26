//! The byte form of values: a written value is read back, and other bytes are refused.

use crate::oracle::generate::{Generator, Random};
use evergreen_term::{
    Evaluator, Fun, FunctionValue, Model, Op, Quantifier, Sort, SortId, TermId, Terms, Unencodable, Value,
    decode_function, decode_value, encode_function, encode_value,
};

/// One sort of each kind, datatypes last.
fn sorts(terms: &mut Terms) -> Vec<SortId> {
    let [list, nil, cons, head, tail] = ["L", "nil", "cons", "head", "tail"].map(|n| terms.name(n));
    let [tone, dark, light] = ["Tone", "dark", "light"].map(|n| terms.name(n));
    let (tones, tone) = terms.begin_datatype(tone, &[]);
    terms.add_constructor(tones, dark, &[]);
    terms.add_constructor(tones, light, &[]);
    let shades = terms.array_sort(tone, SortId::BOOL);
    let (lists, list) = terms.begin_datatype(list, &[]);
    terms.add_constructor(lists, nil, &[]);
    terms.add_constructor(lists, cons, &[(head, shades), (tail, list)]);
    let byte = terms.bitvec_sort(8);
    let bytes = terms.array_sort(byte, byte);
    vec![
        SortId::BOOL,
        SortId::INT,
        SortId::REAL,
        SortId::STRING,
        SortId::ROUNDING_MODE,
        terms.bitvec_sort(1),
        terms.bitvec_sort(65),
        terms.bitvec_sort(130),
        terms.sort(Sort::Float(5, 11)),
        bytes,
        terms.array_sort(SortId::INT, bytes),
        terms.array_sort(list, SortId::STRING),
        tone,
        shades,
        list,
    ]
}

fn encoded(terms: &Terms, value: &Value) -> Vec<u8> {
    let mut bytes = Vec::new();
    encode_value(terms, value, &mut bytes).unwrap();
    bytes
}

#[test]
fn values_are_read_back() {
    let mut g = Generator::new(3).with(sorts);
    for i in 0..6000 {
        let sort = g.sorts[i % g.sorts.len()];
        let value = g.value(sort, 6);
        let mut bytes = encoded(&g.terms, &value);
        bytes.push(0xee);
        let mut rest = &bytes[..];
        assert_eq!(decode_value(&mut g.terms, sort, &mut rest), Ok(value));
        assert_eq!(rest, [0xee], "no more is read than was written");
        let short = &bytes[..bytes.len() - 2];
        assert!(decode_value(&mut g.terms, sort, &mut &short[..]).is_err(), "half a value is none");
    }
}

/// Two arenas with different histories write the same bytes for the same value.
#[test]
fn bytes_do_not_depend_on_the_arena() {
    let make = |clutter: &[&str]| {
        let mut terms = Terms::new();
        for name in clutter {
            terms.constant(name, SortId::REAL);
        }
        let name = terms.name("U");
        let u = terms.sort(Sort::Uninterpreted(name, Box::new([])));
        let sort = terms.array_sort(u, SortId::INT);
        // One arena knows "f" before "e".
        let (e, f) = (terms.name("e"), terms.name("f"));
        let entries = [(Value::Element(u, f), 1i64), (Value::Element(u, e), 2)];
        let Some(Value::Array(mut array)) = evergreen_term::default_value(&terms, sort) else { panic!() };
        for (index, element) in entries {
            array.set(index, Value::Int(element.into()));
        }
        encoded(&terms, &Value::Array(array))
    };
    assert_eq!(make(&[]), make(&["f", "g", "e"]));
}

/// Accepted bytes are the only form of the value read: no value has two.
#[test]
fn garbage_is_refused_or_canonical() {
    let mut g = Generator::new(4).with(sorts);
    let u = g.terms.name("U");
    let u = g.terms.sort(Sort::Uninterpreted(u, Box::new([])));
    g.sorts.push(u);
    let mut random = Random::new(11);
    let mut accepted = 0;
    for i in 0..60_000 {
        let sort = g.sorts[i % g.sorts.len()];
        let mut bytes: Vec<u8> = if i % 3 == 0 || sort == u {
            (0..random.below(12)).map(|_| random.next() as u8 >> random.below(8)).collect()
        } else {
            {
                let value = g.value(sort, 4);
                encoded(&g.terms, &value)
            }
        };
        for _ in 0..random.below(3) {
            if let Some(at) = random.next().checked_rem(bytes.len() as u64) {
                bytes[at as usize] ^= 1 << random.below(8);
            }
        }
        let mut rest = &bytes[..];
        if let Ok(value) = decode_value(&mut g.terms, sort, &mut rest) {
            accepted += 1;
            assert!(value.fits(&g.terms, sort));
            assert_eq!(encoded(&g.terms, &value), bytes[..bytes.len() - rest.len()]);
        }
    }
    assert!(accepted > 1000, "only {accepted} were values");
}

/// Random bodies over two parameters: the function that is read back has the same
/// values, in another arena too.
#[test]
fn functions_are_read_back() {
    let mut g = Generator::new(5).with(sorts);
    let mut other = Terms::new();
    other.constant("clutter", SortId::REAL);
    let other_sorts = sorts(&mut other);
    let result_sorts: Vec<(SortId, SortId)> =
        g.sorts.iter().copied().zip(other_sorts.iter().copied()).collect();
    let pick = |i: usize| result_sorts[i % result_sorts.len()];
    let mut written = 0;
    for i in 0..2000 {
        let ((first, second, result), (first2, second2, result2)) = {
            let (a, b, c) = (pick(i), pick(i / 7 + 3), pick(i / 3));
            ((a.0, b.0, c.0), (a.1, b.1, c.1))
        };
        let body = g.term(result, 3);
        let body = abstracted(&mut g, body, &[first, second]);
        let function = FunctionValue { params: [first, second].into(), body };
        let mut bytes = Vec::new();
        // A datatype that neither the parameters nor the result know of cannot be named.
        if encode_function(&g.terms, &function, &mut bytes).is_err() {
            continue;
        }
        written += 1;
        let again = decode_function(&mut g.terms, &[first, second], result, &mut &bytes[..]);
        assert_eq!(again.as_ref(), Ok(&function), "the same arena, the same term");
        let moved = decode_function(&mut other, &[first2, second2], result2, &mut &bytes[..]).unwrap();
        let mut bytes_again = Vec::new();
        encode_function(&other, &moved, &mut bytes_again).unwrap();
        assert_eq!(bytes, bytes_again, "another arena, the same bytes");
        for at in 0..bytes.len() {
            let mut broken = bytes.clone();
            broken[at] ^= 1 << (i % 8);
            // Any outcome but a panic, and never a body of another sort.
            if let Ok(read) = decode_function(&mut other, &[first2, second2], result2, &mut &broken[..]) {
                assert_eq!(other.sort_of(read.body), result2);
            }
        }
    }
    assert!(written > 1000, "only {written} functions were written");
}

/// The term with its constants replaced by the parameters of their sort, or by their values.
fn abstracted(g: &mut Generator, term: TermId, params: &[SortId]) -> TermId {
    if let Op::Apply(symbol) = g.terms.op(term)
        && let Some(value) = g.model.get(symbol).cloned()
    {
        let sort = g.terms.sort_of(term);
        return match params.iter().position(|p| *p == sort) {
            Some(level) => g.terms.bound(level as u32, sort),
            None => g.value_term(&value),
        };
    }
    let args: Vec<TermId> = g.terms.args(term).to_vec();
    let args: Vec<TermId> = args.iter().map(|arg| abstracted(g, *arg, params)).collect();
    g.terms.with_args(term, &args)
}

#[test]
fn functions_of_declared_sorts() {
    let mut terms = Terms::new();
    let name = terms.name("U");
    let u = terms.sort(Sort::Uninterpreted(name, Box::new([])));
    let [e, f] = ["U!val!0", "U!val!1"].map(|n| Value::Element(u, terms.name(n)));
    let (e_term, f_term) = (terms.literal(e.clone()), terms.literal(f.clone()));
    let p = terms.bound(0, u);
    let is_e = terms.app(Fun::Eq, &[p, e_term]).unwrap();
    let body = terms.app(Fun::Ite, &[is_e, f_term, p]).unwrap();
    let function = FunctionValue { params: [u].into(), body };
    let mut bytes = Vec::new();
    encode_function(&terms, &function, &mut bytes).unwrap();
    assert_eq!(decode_function(&mut terms, &[u], u, &mut &bytes[..]), Ok(function.clone()));
    assert!(decode_function(&mut terms, &[u], SortId::INT, &mut &bytes[..]).is_err());

    let name = terms.name("next");
    let next = terms.declare(name, &[u], u);
    let x = terms.constant("x", u);
    let call = terms.apply(next, &[x]).unwrap();
    let Op::Apply(x) = terms.op(x) else { panic!() };
    let model: Model = [(next, Value::Function(Box::new(function))), (x, e)].into_iter().collect();
    assert_eq!(Evaluator::new(&terms, &model).evaluate(call), Ok(&f));
}

#[test]
fn what_has_no_form() {
    let mut terms = Terms::new();
    let x = terms.constant("x", SortId::BOOL);
    let p = terms.bound(1, SortId::BOOL);
    let all = terms.quantify(Quantifier::Forall, 1, &[SortId::BOOL], p, &[]).unwrap();
    for body in [x, all] {
        let function = FunctionValue { params: [SortId::BOOL].into(), body };
        assert_eq!(encode_function(&terms, &function, &mut Vec::new()), Err(Unencodable));
        let value = Value::Function(Box::new(function));
        assert_eq!(encode_value(&terms, &value, &mut Vec::new()), Err(Unencodable));
    }
    assert!(decode_value(&mut terms, SortId::REGLAN, &mut &[0u8][..]).is_err());
    // A list that never ends.
    let mut g = Generator::new(1).with(sorts);
    let list = *g.sorts.last().unwrap();
    let endless: Vec<u8> = [1, 0, 0].repeat(100_000);
    assert!(decode_value(&mut g.terms, list, &mut &endless[..]).is_err());
}
