//! The terms of a writer are true under an assignment exactly if the condition holds, and its definitions
//! have exactly one solution for every assignment.

use crate::common::{Declared, Generator, Mix, assignment, build_test};
use evergreen_symbolic::{Assignment, Cond, Const, Exprs, InputKind, Ints, Theory, Writer};
use evergreen_term::{Evaluator, Fun, Indexed, Int, Model, Op, SymbolId, TermId, Terms, Value, evaluate};
use evergreen_testing::random::Random;

/// Gives the symbols of the inputs their values.
fn interpret(exprs: &Exprs, terms: &mut Terms, theory: Theory, under: &Assignment) -> Model {
    let mut model = Model::new();
    for (input, info) in exprs.inputs() {
        let value = under.get(exprs, input);
        let (sort, value) = match (theory, value) {
            (Theory::Ints, Const::I32(v)) => (evergreen_term::SortId::INT, Value::Int(i64::from(v).into())),
            (Theory::Ints, Const::I64(v)) => (evergreen_term::SortId::INT, Value::Int(v.into())),
            (Theory::Ints, _) => continue,
            (Theory::Bits, Const::I32(v)) => {
                let width = match info.kind {
                    InputKind::Boolean => 1,
                    InputKind::Byte => 8,
                    InputKind::Char | InputKind::Short => 16,
                    _ => 32,
                };
                let bits = u128::from(v as u32) & ((1 << width) - 1);
                (terms.bitvec_sort(width), Value::BitVec(evergreen_term::BitVec::new(width, bits)))
            }
            (Theory::Bits, Const::I64(v)) => {
                (terms.bitvec_sort(64), Value::BitVec(evergreen_term::BitVec::new(64, u128::from(v as u64))))
            }
            (Theory::Bits, Const::F32(v)) => (float_sort(terms, 8, 24), float(8, 24, u64::from(v))),
            (Theory::Bits, Const::F64(v)) => (float_sort(terms, 11, 53), float(11, 53, v)),
        };
        let term = terms.constant(&info.name, sort);
        model.set(symbol(terms, term), value);
    }
    model
}

fn float_sort(terms: &mut Terms, exponent: u32, significand: u32) -> evergreen_term::SortId {
    terms.sort(evergreen_term::Sort::Float(exponent, significand))
}

fn float(exponent: u32, significand: u32, bits: u64) -> Value {
    let bits = evergreen_term::BitVec::new(exponent + significand, u128::from(bits));
    Value::Float(Box::new(evergreen_term::Float::from_bits(exponent, significand, bits).expect("a float")))
}

fn symbol(terms: &Terms, term: TermId) -> SymbolId {
    match terms.op(term) {
        Op::Apply(symbol) => symbol,
        other => panic!("not a symbol: {other:?}"),
    }
}

/// Computes the new symbols from their definitions, in the order in which they are written.
fn define(terms: &Terms, model: &mut Model, definition: TermId) {
    let is = |term: TermId, fun: Fun| terms.op(term) == Op::Fun(fun);
    let unknown = |model: &Model, term: TermId| match terms.op(term) {
        Op::Apply(symbol) => model.get(symbol).is_none(),
        _ => false,
    };
    let args = terms.args(definition);
    if is(definition, Fun::Le) && is(args[1], Fun::Add) {
        // 0 <= form - m * q
        let product = terms.args(args[1]).iter().copied().find(|part| {
            is(*part, Fun::Mul) && terms.args(*part).len() == 2 && unknown(model, terms.args(*part)[1])
        });
        let Some(product) = product else { return };
        let [factor, quotient] = terms.args(product) else { panic!("a product of two") };
        let Some(Value::Int(factor)) = terms.literal_of(*factor).cloned() else {
            panic!("a constant factor")
        };
        let quotient = symbol(terms, *quotient);
        model.set(quotient, Value::Int(Int::ZERO));
        let Ok(Value::Int(form)) = evaluate(terms, model, args[1]) else { panic!("no value") };
        model.set(quotient, Value::Int(form.div_floor(&factor.neg()).expect("not zero")));
    } else if is(definition, Fun::Eq) && unknown(model, args[0]) {
        let value = evaluate(terms, model, args[1]).expect("a value");
        model.set(symbol(terms, args[0]), value);
    } else if is(definition, Fun::Eq) && matches!(terms.op(args[0]), Op::Indexed(Indexed::ToFp, ..)) {
        let bits = symbol(terms, terms.args(args[0])[0]);
        let Ok(Value::Float(value)) = evaluate(terms, model, args[1]) else { panic!("no value") };
        let value = match value.exponent_bits() {
            _ if !value.is_nan() => value.bits().clone(),
            8 => evergreen_term::BitVec::new(32, 0x7fc0_0000),
            _ => evergreen_term::BitVec::new(64, 0x7ff8_0000_0000_0000),
        };
        model.set(bits, Value::BitVec(value));
    }
}

/// Whether the writing holds under the assignment; checks the definitions on the way.
fn written_holds(
    exprs: &Exprs,
    terms: &mut Terms,
    writer: &mut Writer,
    cond: Cond,
    under: &Assignment,
) -> Option<bool> {
    let written = writer.write(exprs, terms, cond)?.to_vec();
    let mut model = interpret(exprs, terms, writer.theory(), under);
    let (condition, definitions) = written.split_last().expect("a condition");
    for &definition in definitions {
        define(terms, &mut model, definition);
        let holds = Evaluator::new(terms, &model).holds(definition);
        assert_eq!(holds, Ok(true), "a definition of {} under {under:?}", exprs.show(cond));
    }
    Some(
        Evaluator::new(terms, &model)
            .holds(*condition)
            .unwrap_or_else(|e| panic!("{e}: {}", exprs.show(cond))),
    )
}

fn compare(mix: Mix, theory: Theory, seed: u64, rounds: u64) {
    use InputKind::*;
    let mut said = 0;
    for round in 0..rounds {
        let mut random = Random::for_index(seed, round);
        let kinds = [Int, Int, Long, Byte, Char, Short, Boolean, Float, Double];
        let most = if mix == Mix::All { 9 } else { 7 };
        let inputs: Vec<Declared> = (0..3)
            .map(|_| {
                let kind = kinds[random.below(most)];
                (kind, if random.one_in(3) && kind.kind().is_int() { Some((0, 1)) } else { None })
            })
            .collect();
        let mut generator = Generator { random, inputs, mix };
        let mut exprs = Exprs::new(Ints::Wrapped);
        let symbols = generator.declare(&mut exprs);
        let test = generator.test(4);
        let cond = build_test(&mut exprs, &symbols, &test);
        let mut terms = Terms::new();
        let mut writer = Writer::new(theory);
        for _ in 0..6 {
            let declared = generator.inputs.clone();
            let values: Vec<Const> = declared.into_iter().map(|d| generator.value(d)).collect();
            let under = assignment(&exprs, &symbols, &values);
            for cond in [cond, cond.negated()] {
                let expected = exprs.holds(cond, &under);
                let written = written_holds(&exprs, &mut terms, &mut writer, cond, &under);
                said += u64::from(written.is_some());
                if let Some(got) = written {
                    assert_eq!(got, expected, "round {round}: {} under {values:?}", exprs.show(cond));
                } else {
                    assert!(!exprs.is_expressible(cond) || theory == Theory::Ints && exprs.is_hard(cond));
                }
            }
        }
    }
    assert!(said > rounds * 4, "only {said} of {} were written", rounds * 12);
}

#[test]
fn integers_say_what_holds() {
    compare(Mix::Linear, Theory::Ints, 11, 4000);
}

#[test]
fn bit_vectors_say_what_holds() {
    compare(Mix::Integers, Theory::Bits, 12, 2000);
}

#[test]
fn floats_say_what_holds() {
    compare(Mix::All, Theory::Bits, 13, 1500);
}
