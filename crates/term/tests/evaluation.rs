//! Results of evaluation, and its refusals.

use crate::oracle::generate;

use evergreen_term::{
    ArrayValue, BitVec, Completion, Evaluator, Fun, FunctionValue, Indexed, Int, Model, Op, Quantifier,
    Rational, Sort, SortId, SymbolId, TermId, Terms, Unevaluable, Value, default_value, evaluate,
};
use num_bigint::BigInt;
use proptest::prelude::*;

const B: SortId = SortId::BOOL;
const I: SortId = SortId::INT;

fn symbol(terms: &Terms, term: TermId) -> SymbolId {
    match terms.op(term) {
        Op::Apply(symbol) => symbol,
        op => panic!("not a symbol: {op:?}"),
    }
}

fn app(terms: &mut Terms, fun: Fun, args: &[TermId]) -> TermId {
    terms.app(fun, args).unwrap()
}

fn string(terms: &mut Terms, text: &str) -> TermId {
    terms.literal(Value::String(text.chars().map(u32::from).collect()))
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.iter().map(|c| char::from_u32(*c).unwrap()).collect(),
        other => panic!("not a string: {other:?}"),
    }
}

fn ground(terms: &Terms, term: TermId) -> Result<Value, Unevaluable> {
    evaluate(terms, &Model::new(), term)
}

#[test]
fn what_is_left_open_has_no_value() {
    let mut t = Terms::new();
    let (zero, one) = (t.int(0), t.int(1));
    let (half, nought) =
        (t.real(Rational::new(Int::ONE, Int::from(2i64)).unwrap()), t.real(Rational::from(Int::ZERO)));
    for term in [
        app(&mut t, Fun::IntDiv, &[one, zero]),
        app(&mut t, Fun::Mod, &[one, zero]),
        app(&mut t, Fun::RealDiv, &[half, nought]),
    ] {
        assert_eq!(ground(&t, term), Err(Unevaluable::Unspecified));
    }
}

#[test]
fn a_part_that_does_not_matter_may_be_open() {
    let mut t = Terms::new();
    let (zero, one) = (t.int(0), t.int(1));
    let (yes, no) = (t.bool(true), t.bool(false));
    let quotient = app(&mut t, Fun::IntDiv, &[one, zero]);
    let open = app(&mut t, Fun::Eq, &[quotient, one]);
    let check = |t: &mut Terms, fun, args: &[TermId], expected| {
        let term = app(t, fun, args);
        assert_eq!(ground(t, term), expected, "{fun:?}");
    };
    check(&mut t, Fun::And, &[open, no], Ok(Value::Bool(false)));
    check(&mut t, Fun::And, &[open, yes], Err(Unevaluable::Unspecified));
    check(&mut t, Fun::Or, &[open, yes], Ok(Value::Bool(true)));
    check(&mut t, Fun::Or, &[open, no], Err(Unevaluable::Unspecified));
    check(&mut t, Fun::Implies, &[open, yes], Ok(Value::Bool(true)));
    check(&mut t, Fun::Implies, &[no, open], Ok(Value::Bool(true)));
    check(&mut t, Fun::Implies, &[yes, open, yes], Ok(Value::Bool(true)));
    check(&mut t, Fun::Implies, &[yes, yes, no], Ok(Value::Bool(false)));
    check(&mut t, Fun::Ite, &[no, quotient, one], Ok(Value::Int(Int::ONE)));
    check(&mut t, Fun::Ite, &[yes, quotient, one], Err(Unevaluable::Unspecified));
    check(&mut t, Fun::Eq, &[quotient, quotient], Err(Unevaluable::Unspecified));
}

#[test]
fn missing_symbols_and_values_of_another_sort() {
    let mut t = Terms::new();
    let x = t.constant("x", I);
    let zero = t.int(0);
    let claim = app(&mut t, Fun::Le, &[x, zero]);
    let name = symbol(&t, x);
    let mut model = Model::new();
    assert_eq!(evaluate(&t, &model, claim), Err(Unevaluable::Missing(name)));
    let mut completing = Evaluator::new(&t, &model).completing(Completion::Default);
    assert_eq!(completing.holds(claim), Ok(true));
    model.set(name, Value::Bool(true));
    assert_eq!(evaluate(&t, &model, claim), Err(Unevaluable::IllSorted));
    model.set(name, Value::Int(Int::ONE));
    assert_eq!(evaluate(&t, &model, claim), Ok(Value::Bool(false)));
    assert_eq!(model.iter().count(), model.len());
}

#[test]
fn depth_does_not_matter() {
    let mut t = Terms::new();
    let x = t.constant("x", I);
    let byte = t.bitvec_sort(8);
    let sort = t.array_sort(I, byte);
    let (mut sum, mut shared, one) = (x, x, t.int(1));
    let (mut array, element) = (t.constant("a", sort), t.bv(8, 7));
    let (mut claim, three) = (t.bool(true), t.int(3));
    for i in 0..100_000 {
        sum = app(&mut t, Fun::Add, &[sum, one]);
        if i < 60 {
            shared = app(&mut t, Fun::Add, &[shared, shared]);
        }
        let index = t.int(i);
        array = app(&mut t, Fun::Store, &[array, index, element]);
        let smaller = app(&mut t, Fun::Lt, &[x, three]);
        claim = app(&mut t, if i % 2 == 0 { Fun::And } else { Fun::Or }, &[claim, smaller]);
    }
    let last = t.int(99_999);
    let read = app(&mut t, Fun::Select, &[array, last]);
    let mut model = Model::new();
    model.set(symbol(&t, x), Value::Int(Int::from(2i64)));
    let array_value = default_value(&t, sort).unwrap();
    let a = t.constant("a", sort);
    model.set(symbol(&t, a), array_value);
    let mut evaluator = Evaluator::new(&t, &model);
    assert_eq!(evaluator.evaluate(sum), Ok(&Value::Int(Int::from(100_002i64))));
    assert_eq!(evaluator.evaluate(shared), Ok(&Value::Int(Int::from(1i128 << 61))));
    assert_eq!(evaluator.evaluate(read), Ok(&Value::BitVec(BitVec::new(8, 7))));
    assert_eq!(evaluator.holds(claim), Ok(true));
}

#[test]
fn values_that_grow_without_bound_are_refused() {
    let mut t = Terms::new();
    let mut number = t.int(3);
    let mut long = string(&mut t, "ab");
    let (data, list) = {
        let name = t.name("Tree");
        t.begin_datatype(name, &[])
    };
    let [leaf, node, left, right] = ["leaf", "node", "left", "right"].map(|n| t.name(n));
    let leaf = t.add_constructor(data, leaf, &[]);
    let node = t.add_constructor(data, node, &[(left, list), (right, list)]);
    let mut bushy = t.apply(leaf, &[]).unwrap();
    let mut deep = bushy;
    let empty = bushy;
    for _ in 0..100 {
        number = app(&mut t, Fun::Mul, &[number, number]);
        long = app(&mut t, Fun::StrConcat, &[long, long]);
        bushy = t.apply(node, &[bushy, bushy]).unwrap();
    }
    for _ in 0..50_000 {
        deep = t.apply(node, &[deep, empty]).unwrap();
    }
    for term in [number, long, bushy, deep] {
        assert_eq!(ground(&t, term), Err(Unevaluable::Exhausted));
    }
}

#[test]
fn functions_and_recursive_definitions() {
    let mut t = Terms::new();
    let name = t.name("f");
    let f = t.declare(name, &[I, I], I);
    let (p, q) = (t.bound(0, I), t.bound(1, I));
    let body = app(&mut t, Fun::Sub, &[p, q]);
    let (x, ten) = (t.constant("x", I), t.int(10));
    let inner = t.apply(f, &[ten, x]).unwrap();
    let outer = t.apply(f, &[inner, ten]).unwrap();
    let mut model = Model::new();
    model.set(f, Value::Function(Box::new(FunctionValue { params: [I, I].into(), body })));
    model.set(symbol(&t, x), Value::Int(Int::from(4i64)));
    // (10 - 4) - 10
    assert_eq!(evaluate(&t, &model, outer), Ok(Value::Int(Int::from(-4i64))));
    let mut other = Model::new();
    other.set(f, Value::Function(Box::new(FunctionValue { params: [I].into(), body: p })));
    other.set(symbol(&t, x), Value::Int(Int::ONE));
    assert_eq!(evaluate(&t, &other, outer), Err(Unevaluable::IllSorted));
    assert_eq!(evaluate(&t, &Model::new(), inner), Err(Unevaluable::Missing(symbol(&t, x))));

    // sum(n) = ite (n <= 0) 0 (n + sum(n - 1))
    let name = t.name("sum");
    let sum = t.declare_recursive(name, &[I], I);
    let (zero, one) = (t.int(0), t.int(1));
    let done = app(&mut t, Fun::Le, &[p, zero]);
    let before = app(&mut t, Fun::Sub, &[p, one]);
    let rest = t.apply(sum, &[before]).unwrap();
    let step = app(&mut t, Fun::Add, &[p, rest]);
    let body = app(&mut t, Fun::Ite, &[done, zero, step]);
    t.define_recursive(sum, body);
    let many = t.int(20_000);
    let call = t.apply(sum, &[many]).unwrap();
    assert_eq!(ground(&t, call), Ok(Value::Int(Int::from(200_010_000i64))));
    let far = t.int(1_000_000_000);
    let call = t.apply(sum, &[far]).unwrap();
    assert_eq!(ground(&t, call), Err(Unevaluable::Exhausted));
}

#[test]
fn quantifiers_over_a_few_bits() {
    let mut t = Terms::new();
    let four = t.bitvec_sort(4);
    let (x, y) = (t.bound(0, four), t.bound(1, four));
    let c = t.constant("c", four);
    let sum = app(&mut t, Fun::BvAdd, &[x, y]);
    let is_c = app(&mut t, Fun::Eq, &[sum, c]);
    let some = t.quantify(Quantifier::Exists, 1, &[four], is_c, &[]).unwrap();
    let all = t.quantify(Quantifier::Forall, 0, &[four], some, &[]).unwrap();
    let swapped = t.quantify(Quantifier::Forall, 1, &[four], is_c, &[]).unwrap();
    let none = t.quantify(Quantifier::Exists, 0, &[four], swapped, &[]).unwrap();
    let both = t.quantify(Quantifier::Forall, 0, &[four, four], is_c, &[]).unwrap();
    let mut model = Model::new();
    model.set(symbol(&t, c), Value::BitVec(BitVec::new(4, 9)));
    let mut evaluator = Evaluator::new(&t, &model);
    assert_eq!(evaluator.holds(all), Ok(true));
    assert_eq!(evaluator.holds(none), Ok(false));
    assert_eq!(evaluator.holds(both), Ok(false));
    assert_eq!(evaluator.holds(some), Err(Unevaluable::Unsupported), "an open term");
    let (big, zero) = (t.bound(0, I), t.int(0));
    let atom = app(&mut t, Fun::Le, &[big, zero]);
    let unbounded = t.quantify(Quantifier::Forall, 0, &[I], atom, &[]).unwrap();
    assert_eq!(ground(&t, unbounded), Err(Unevaluable::Unsupported));
}

#[test]
fn a_closed_quantifier_under_another_of_the_same_level() {
    let mut t = Terms::new();
    let p = t.bound(0, B);
    let not_p = app(&mut t, Fun::Not, &[p]);
    let inner = t.quantify(Quantifier::Exists, 0, &[B], not_p, &[]).unwrap();
    let body = app(&mut t, Fun::Eq, &[inner, p]);
    let outer = t.quantify(Quantifier::Exists, 0, &[B], body, &[]).unwrap();
    let always = t.quantify(Quantifier::Forall, 0, &[B], body, &[]).unwrap();
    assert_eq!(ground(&t, outer), Ok(Value::Bool(true)));
    assert_eq!(ground(&t, always), Ok(Value::Bool(false)));
}

fn array(sort: SortId, default: Value, entries: &[(Value, Value)]) -> Value {
    let entries = entries.iter().cloned().collect();
    Value::Array(Box::new(ArrayValue { sort, default, entries }))
}

#[test]
fn arrays_are_equal_when_their_elements_are() {
    let mut t = Terms::new();
    let bit = t.bitvec_sort(1);
    let sort = t.array_sort(bit, I);
    let (a, b) = (t.constant("a", sort), t.constant("b", sort));
    let claim = app(&mut t, Fun::Eq, &[a, b]);
    let at = |i| Value::BitVec(BitVec::new(1, i));
    let int = |i: i64| Value::Int(Int::from(i));
    let mut model = Model::new();
    // Neither default is ever read.
    model.set(symbol(&t, a), array(sort, int(7), &[(at(0), int(1)), (at(1), int(2))]));
    model.set(symbol(&t, b), array(sort, int(1), &[(at(1), int(2))]));
    assert_eq!(evaluate(&t, &model, claim), Ok(Value::Bool(true)));
    model.set(symbol(&t, b), array(sort, int(2), &[(at(0), int(3))]));
    assert_eq!(evaluate(&t, &model, claim), Ok(Value::Bool(false)));
    // As an index, too.
    let outer = t.array_sort(sort, I);
    let c = t.constant("c", outer);
    let read = app(&mut t, Fun::Select, &[c, a]);
    model.set(symbol(&t, c), array(outer, int(0), &[(array(sort, int(1), &[(at(1), int(2))]), int(5))]));
    assert_eq!(evaluate(&t, &model, read), Ok(int(5)));
}

#[test]
fn arrays_over_declared_sorts() {
    let mut t = Terms::new();
    let u = t.name("U");
    let u = t.sort(Sort::Uninterpreted(u, Box::new([])));
    let sort = t.array_sort(u, I);
    let (a, b) = (t.constant("a", sort), t.constant("b", sort));
    let claim = app(&mut t, Fun::Eq, &[a, b]);
    let [e, f] = ["e", "f"].map(|n| Value::Element(u, t.name(n)));
    let int = |i: i64| Value::Int(Int::from(i));
    let (a, b) = (symbol(&t, a), symbol(&t, b));
    let check = |left: Value, right: Value, expected| {
        let model: Model = [(a, left), (b, right)].into_iter().collect();
        assert_eq!(evaluate(&t, &model, claim), expected);
    };
    let known = |value| Ok(Value::Bool(value));
    check(array(sort, int(0), &[]), array(sort, int(1), &[]), known(false));
    check(array(sort, int(0), &[(e.clone(), int(1))]), array(sort, int(0), &[]), known(false));
    check(
        array(sort, int(0), &[(e.clone(), int(1))]),
        array(sort, int(0), &[(f.clone(), int(1))]),
        known(false),
    );
    // If U has no other element than e, these are equal.
    check(
        array(sort, int(0), &[(e.clone(), int(1))]),
        array(sort, int(1), &[]),
        Err(Unevaluable::Unsupported),
    );
    check(array(sort, int(0), &[(e.clone(), int(2))]), array(sort, int(1), &[]), known(false));
    // Inside another array the doubt remains.
    let unsure = [array(sort, int(0), &[(e.clone(), int(1))]), array(sort, int(1), &[])];
    let outer = t.array_sort(I, sort);
    let (c, d) = (t.constant("c", outer), t.constant("d", outer));
    let claim = app(&mut t, Fun::Eq, &[c, d]);
    let [left, right] = unsure.map(|element| array(outer, array(sort, int(9), &[]), &[(int(0), element)]));
    let model: Model = [(symbol(&t, c), left), (symbol(&t, d), right)].into_iter().collect();
    assert_eq!(evaluate(&t, &model, claim), Err(Unevaluable::Unsupported));
}

#[test]
fn elements_are_told_apart_by_name() {
    let mut t = Terms::new();
    let u = t.name("U");
    let u = t.sort(Sort::Uninterpreted(u, Box::new([])));
    let names = ["e", "f"].map(|n| t.name(n));
    let [x, y, z] = ["x", "y", "z"].map(|n| t.constant(n, u));
    let distinct = app(&mut t, Fun::Distinct, &[x, y, z]);
    let same = app(&mut t, Fun::Eq, &[x, z]);
    let mut model = Model::new();
    for (term, name) in [(x, names[0]), (y, names[1]), (z, names[0])] {
        model.set(symbol(&t, term), Value::Element(u, name));
    }
    assert_eq!(evaluate(&t, &model, distinct), Ok(Value::Bool(false)));
    assert_eq!(evaluate(&t, &model, same), Ok(Value::Bool(true)));
    assert!(default_value(&t, u).is_some());
}

#[test]
fn selectors_testers_and_updates() {
    let mut t = Terms::new();
    let [list, nil, cons, head, tail] = ["L", "nil", "cons", "head", "tail"].map(|n| t.name(n));
    let (data, list) = t.begin_datatype(list, &[]);
    let cons = t.add_constructor(data, cons, &[(head, I), (tail, list)]);
    let nil = t.add_constructor(data, nil, &[]);
    let head = t.datatype(data).constructors[0].selectors[0];
    let empty = t.apply(nil, &[]).unwrap();
    let (one, two) = (t.int(1), t.int(2));
    let short = t.apply(cons, &[one, empty]).unwrap();
    let wrong = t.apply(head, &[empty]).unwrap();
    assert_eq!(ground(&t, wrong), Err(Unevaluable::Unspecified));
    let kept = t.update(head, empty, two).unwrap();
    assert_eq!(ground(&t, kept), Ok(Value::Data(nil, Box::new([]))));
    let changed = t.update(head, short, two).unwrap();
    let changed = t.apply(head, &[changed]).unwrap();
    assert_eq!(ground(&t, changed), Ok(Value::Int(Int::from(2i64))));
    let is = t.is(cons, short).unwrap();
    assert_eq!(ground(&t, is), Ok(Value::Bool(true)));
    // The first constructor needs a list, so the default is the second.
    assert_eq!(default_value(&t, list), Some(Value::Data(nil, Box::new([]))));
}

#[test]
fn chains_of_comparisons() {
    let mut t = Terms::new();
    let [a, b, c] = ["a", "b", "c"].map(|s| string(&mut t, s));
    let sorted = app(&mut t, Fun::StrLt, &[a, b, c]);
    let unsorted = app(&mut t, Fun::StrLe, &[a, c, b]);
    assert_eq!(ground(&t, sorted), Ok(Value::Bool(true)));
    assert_eq!(ground(&t, unsorted), Ok(Value::Bool(false)));
}

#[test]
fn a_regular_language_is_no_value() {
    let mut t = Terms::new();
    let all = app(&mut t, Fun::ReAll, &[]);
    let same = app(&mut t, Fun::Eq, &[all, all]);
    assert_eq!(ground(&t, all), Err(Unevaluable::Unsupported));
    assert_eq!(ground(&t, same), Err(Unevaluable::Unsupported));
    let sort = t.array_sort(I, SortId::REGLAN);
    let array = t.const_array(sort, all).unwrap();
    let same = app(&mut t, Fun::Eq, &[array, array]);
    assert_eq!(ground(&t, same), Err(Unevaluable::Unsupported));
}

#[test]
fn replacing_matches() {
    let mut t = Terms::new();
    let [a, b, x] = ["a", "b", "x"].map(|s| string(&mut t, s));
    let a = app(&mut t, Fun::StrToRe, &[a]);
    let b = app(&mut t, Fun::StrToRe, &[b]);
    let many = app(&mut t, Fun::ReStar, &[a]);
    let some = app(&mut t, Fun::RePlus, &[a]);
    let long = app(&mut t, Fun::ReConcat, &[some, b]);
    let twice = t.indexed(Indexed::RePower, 2, 0, &[a]).unwrap();
    let mut check = |fun, subject: &str, regex, expected: &str| {
        let subject = string(&mut t, subject);
        let term = app(&mut t, fun, &[subject, regex, x]);
        assert_eq!(text(&ground(&t, term).unwrap()), expected);
    };
    // The shortest match of the leftmost ones.
    check(Fun::StrReplaceRe, "baab", some, "bxab");
    check(Fun::StrReplaceRe, "baab", many, "xbaab");
    check(Fun::StrReplaceRe, "baabab", long, "bxab");
    check(Fun::StrReplaceRe, "bbb", some, "bbb");
    check(Fun::StrReplaceReAll, "baab", some, "bxxb");
    check(Fun::StrReplaceReAll, "baab", many, "bxxb");
    check(Fun::StrReplaceReAll, "aaaaab", twice, "xxab");
    check(Fun::StrReplaceReAll, "", many, "");
}

/// Small comparisons of bit vectors take a shortcut; their arguments by themselves do not.
#[test]
fn comparisons_of_terms_and_comparisons_of_their_values() {
    let mut g = generate::Generator::new(1).with(|terms| {
        let mut sorts = [1, 3, 8, 32, 64].map(|width| terms.bitvec_sort(width)).to_vec();
        sorts.push(terms.array_sort(sorts[2], sorts[2]));
        sorts.push(terms.array_sort(sorts[3], sorts[2]));
        sorts
    });
    let comparisons: Vec<Fun> =
        Fun::ALL.iter().copied().filter(|f| matches!(f.code(), 7 | 8 | 60..=67)).collect();
    for i in 0..20_000 {
        let sort = g.sorts[i % 5];
        let (a, b) = (g.term(sort, 1 + i as u32 % 3), g.term(sort, 2));
        let fun = comparisons[i / 5 % comparisons.len()];
        let of_terms = app(&mut g.terms, fun, &[a, b]);
        let values = [a, b].map(|term| evaluate(&g.terms, &g.model, term).unwrap());
        let values = values.map(|value| g.terms.literal(value));
        let of_values = app(&mut g.terms, fun, &values);
        assert_eq!(evaluate(&g.terms, &g.model, of_terms), ground(&g.terms, of_values), "{fun:?}");
    }
}

/// Coefficients with their variables, a bound, a relation.
type Claim = (Vec<(i64, usize)>, i64, usize);

/// A conjunction of comparisons of sums, as path conditions are; some numbers overflow a machine word.
fn sum_claims() -> impl Strategy<Value = Vec<Claim>> {
    let coefficient = prop_oneof![-5i64..5, Just(i64::MAX), Just(i64::MIN)];
    let atom = (
        proptest::collection::vec((coefficient, 0usize..4), 1..12),
        prop_oneof![-20i64..20, any::<i64>()],
        0usize..6,
    );
    proptest::collection::vec(atom, 1..6)
}

proptest! {
    /// The shortcut for small comparisons agrees with big integers.
    #[test]
    fn sums_in_words_and_sums_in_big_integers(
        claims in sum_claims(),
        values in proptest::collection::vec(prop_oneof![-20i64..20, any::<i64>()], 4),
    ) {
        let mut t = Terms::new();
        let names: Vec<TermId> = (0..4).map(|i| t.constant(&format!("x{i}"), I)).collect();
        let model: Model =
            names.iter().zip(&values).map(|(n, v)| (symbol(&t, *n), Value::Int(Int::from(*v)))).collect();
        for (parts, bound, relation) in claims {
            let mut exact = BigInt::from(0);
            let mut sum = Vec::new();
            for (coefficient, variable) in parts {
                let factor = t.int(coefficient);
                sum.push(app(&mut t, Fun::Mul, &[factor, names[variable]]));
                exact += BigInt::from(coefficient) * BigInt::from(values[variable]);
            }
            let sum = app(&mut t, Fun::Add, &sum);
            let right = t.int(bound);
            let relations = [Fun::Le, Fun::Lt, Fun::Ge, Fun::Gt, Fun::Eq, Fun::Distinct];
            let claim = app(&mut t, relations[relation], &[sum, right]);
            let bound = BigInt::from(bound);
            let (below, same) = (exact < bound, exact == bound);
            let expected = [below || same, below, !below, !below && !same, same, !same];
            prop_assert_eq!(Evaluator::new(&t, &model).holds(claim), Ok(expected[relation]));
        }
    }

    /// `str.replace_re` against the definition, by looking at every substring.
    #[test]
    fn replacing_by_definition(subject in "[ab]{0,6}", low in 0u32..3, more in 0u32..3, tail in "[ab]{0,2}") {
        let mut t = Terms::new();
        let (a, end) = (string(&mut t, "a"), string(&mut t, &tail));
        let a = app(&mut t, Fun::StrToRe, &[a]);
        let end = app(&mut t, Fun::StrToRe, &[end]);
        let loops = t.indexed(Indexed::ReLoop, low, low + more, &[a]).unwrap();
        let regex = app(&mut t, Fun::ReConcat, &[loops, end]);
        let matches = |s: &str| (low..=low + more).any(|n| s == "a".repeat(n as usize) + &tail);
        let find = |s: &str, least: usize| {
            (0..=s.len())
                .flat_map(|i| (i + least..=s.len()).map(move |j| (i, j)))
                .find(|(i, j)| matches(&s[*i..*j]))
        };
        let replace_all = |s: &str| {
            let (mut rest, mut out) = (s, String::new());
            while let Some((i, j)) = find(rest, 1) {
                out += &rest[..i];
                out += "xy";
                rest = &rest[j..];
            }
            out + rest
        };
        let once = find(&subject, 0)
            .map_or(subject.clone(), |(i, j)| format!("{}xy{}", &subject[..i], &subject[j..]));
        let (s, new) = (string(&mut t, &subject), string(&mut t, "xy"));
        let term = app(&mut t, Fun::StrReplaceRe, &[s, regex, new]);
        prop_assert_eq!(text(&ground(&t, term).unwrap()), once);
        let term = app(&mut t, Fun::StrReplaceReAll, &[s, regex, new]);
        prop_assert_eq!(text(&ground(&t, term).unwrap()), replace_all(&subject));
    }
}
