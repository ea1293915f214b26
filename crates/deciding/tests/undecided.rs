//! Arms that no solver decides: few values are enumerated, others are tried, and fixed inputs are evaluated.

use evergreen::{AnsweredBy, Evergreen};
use evergreen_deciding::BranchOracle;
use evergreen_explore::{Feasibility, ModelOf, Oracle, Path};
use evergreen_symbolic::{Assignment, Binary, Cast, Cond, Const, Expr, Exprs, InputKind, Ints, Rel, Unary};
use evergreen_testing::random::Random;
use std::cell::RefCell;
use std::rc::Rc;

type Shared = Rc<RefCell<Exprs>>;

fn begin() -> (Shared, BranchOracle) {
    let exprs = Rc::new(RefCell::new(Exprs::new(Ints::Wrapped)));
    exprs.borrow_mut().expect_bytes();
    let make = || Evergreen::builder().store("memory:").solver("none").build();
    let oracle = BranchOracle::new(exprs.clone(), Box::new(make));
    (exprs, oracle)
}

const LOW: i64 = -3;
const HIGH: i64 = 4;

/// A comparison of floats that are made of ints.
fn condition(exprs: &mut Exprs, inputs: &[Expr], random: &mut Random) -> Cond {
    let mut value = |exprs: &mut Exprs| {
        let x = *random.choose(inputs);
        exprs.cast(Cast::I2D, x)
    };
    let (a, b) = (value(exprs), value(exprs));
    let op = *random.choose(&[Binary::Add, Binary::Sub, Binary::Mul, Binary::Div]);
    let mut made = exprs.binary(op, a, b);
    if random.one_in(3) {
        made = exprs.unary(Unary::Sqrt, made);
    }
    let limit = exprs.constant(Const::F64((random.between(-6, 6) as f64 / 2.0).to_bits()));
    exprs.relate(*random.choose(&[Rel::Lt, Rel::Le, Rel::Eq, Rel::Ne, Rel::Gt]), made, limit)
}

#[test]
fn few_values_are_enumerated_as_brute_force_does() {
    let mut random = Random::new(5);
    let (mut feasible, mut infeasible) = (0, 0);
    for _ in 0..150 {
        let (exprs, mut oracle) = begin();
        let names = ["x", "y", "z"];
        let inputs = names.map(|name| exprs.borrow_mut().input(name, InputKind::Int, Some((LOW, HIGH))));
        let mut all = vec![Assignment::new()];
        for input in inputs {
            let exprs = exprs.borrow();
            let input = exprs.as_input(input).unwrap();
            let with = |model: &Assignment, value: i64| {
                let mut model = model.clone();
                model.set(&exprs, input, Const::I32(value as i32));
                model
            };
            all = all
                .iter()
                .flat_map(|model| (LOW..=HIGH).map(move |v| (model, v)))
                .map(|(m, v)| with(m, v))
                .collect();
        }
        let (mut path, mut model) = (Path::new(), Assignment::new());
        for _ in 0..4 {
            let arm = condition(&mut exprs.borrow_mut(), &inputs, &mut random);
            let holds = |model: &Assignment| {
                path.constraints().into_iter().chain([arm]).all(|c| exprs.borrow().holds(c, model))
            };
            let expected = all.iter().any(holds);
            match oracle.answer(&path, (&model, ModelOf::Path), arm).0 {
                Feasibility::Feasible(found) => {
                    assert!(expected && holds(&found));
                    feasible += 1;
                    (path, model) = (path.with(arm), found);
                }
                Feasibility::Infeasible => {
                    assert!(!expected, "{}", exprs.borrow().show(arm));
                    infeasible += 1;
                }
                Feasibility::Unknown => panic!("{}: {:?}", exprs.borrow().show(arm), oracle.trouble()),
            }
        }
        assert_eq!(oracle.stats().answered.by(AnsweredBy::Solver), 0);
    }
    assert!(feasible > 200 && infeasible > 40, "{feasible} and {infeasible}");
}

/// An int and a double, and the condition that the double is above a number.
fn double(exprs: &Shared, above: f64) -> (Expr, Cond) {
    let mut exprs = exprs.borrow_mut();
    let bits = exprs.input("d", InputKind::Long, None);
    let value = exprs.cast(Cast::BitsToDouble, bits);
    let limit = exprs.constant(Const::F64(above.to_bits()));
    (bits, exprs.relate(Rel::Gt, value, limit))
}

#[test]
fn values_near_the_constants_of_an_arm_are_tried() {
    let (exprs, mut oracle) = begin();
    let (bits, arm) = double(&exprs, 1234.5);
    let model = Assignment::new();
    let (said, by) = oracle.answer(&Path::new(), (&model, ModelOf::Path), arm);
    let Feasibility::Feasible(found) = said else { panic!("{said:?}") };
    assert_eq!(by, evergreen_deciding::answerer(AnsweredBy::Tried));
    let Const::I64(found) = exprs.borrow().eval(bits, &found) else { panic!() };
    assert!(f64::from_bits(found as u64) > 1234.5);
    // A question that is not an exploration's is not answered by trying.
    assert!(matches!(oracle.ask(&Path::new(), &model, arm), Feasibility::Unknown));
}

#[test]
fn conditions_on_fixed_inputs_are_evaluated() {
    let (exprs, mut oracle) = begin();
    let (bits, above) = double(&exprs, 2.0);
    let x = exprs.borrow_mut().input("x", InputKind::Int, None);
    let mut model = Assignment::new();
    {
        let exprs = exprs.borrow();
        model.set(&exprs, exprs.as_input(bits).unwrap(), Const::I64(3.0f64.to_bits() as i64));
        model.set(&exprs, exprs.as_input(x).unwrap(), Const::I32(7));
    }
    let product = {
        let mut exprs = exprs.borrow_mut();
        let (d, n) = (exprs.cast(Cast::BitsToDouble, bits), exprs.cast(Cast::I2D, x));
        let product = exprs.binary(Binary::Mul, d, n);
        let limit = exprs.constant(Const::F64(20.0f64.to_bits()));
        exprs.relate(Rel::Gt, product, limit)
    };
    let fixed = oracle.fix(&[above], &model).expect("it can be fixed");
    assert_eq!(fixed.len(), 1, "x is not in it");
    let path = fixed.iter().fold(Path::new(), |path, condition| path.with(*condition));
    assert!(fixed.iter().all(|&condition| oracle.holds(condition, &model)));
    assert!(matches!(oracle.ask(&path, &model, above), Feasibility::Feasible(_)));
    assert!(matches!(oracle.ask(&path, &model, above.negated()), Feasibility::Infeasible));
    // x is free: nothing can be said of the product.
    assert!(matches!(oracle.ask(&path, &model, product.negated()), Feasibility::Unknown));
    let both = oracle.fix(&[product], &model).expect("both can be fixed");
    let path = both.iter().fold(path, |path, condition| path.with(*condition));
    assert!(matches!(oracle.ask(&path, &model, product.negated()), Feasibility::Infeasible));
    // Another path, on which the double is free again, and x is decided by numbers.
    let low = {
        let mut exprs = exprs.borrow_mut();
        let ten = exprs.constant(Const::I32(10));
        exprs.relate(Rel::Gt, x, ten)
    };
    assert!(matches!(oracle.ask(&Path::new().with(above), &model, low), Feasibility::Feasible(_)));
    let (_, higher) = double(&exprs, 50.0);
    assert!(matches!(oracle.ask(&Path::new().with(above), &model, higher), Feasibility::Unknown));
}
