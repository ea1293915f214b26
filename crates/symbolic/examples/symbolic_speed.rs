//! The cost of the steps of a branch: `cargo run --release -p evergreen-smt-symbolic --example
//! symbolic_speed`.

use evergreen_symbolic::{Assignment, Binary, Const, Exprs, InputKind, Ints, Rel, Theory, Writer};
use evergreen_term::Terms;
use std::hint::black_box;
use std::time::Instant;

fn measure(what: &str, rounds: u32, mut step: impl FnMut(u32)) {
    let start = Instant::now();
    for round in 0..rounds {
        step(round);
    }
    println!("{what:<44} {:>8.1} ns", start.elapsed().as_nanos() as f64 / f64::from(rounds));
}

fn main() {
    const INPUTS: u32 = 200;
    let mut exprs = Exprs::new(Ints::Wrapped);
    let mut terms = Terms::new();
    let mut writer = Writer::new(Theory::Ints);
    let inputs: Vec<_> = (0..INPUTS).map(|i| exprs.input(&format!("x{i}"), InputKind::Int, None)).collect();
    let pair = |round: u32| (inputs[(round % INPUTS) as usize], inputs[(round / INPUTS % INPUTS) as usize]);
    let all = INPUTS * INPUTS;
    measure("relate x < y, new", all, |round| {
        let (x, y) = pair(round);
        black_box(exprs.relate(Rel::Lt, x, y));
    });
    measure("relate x < y, again", all, |round| {
        let (x, y) = pair(round);
        black_box(exprs.relate(Rel::Lt, x, y));
    });
    measure("relate and write x < y, first time", all, |round| {
        let (x, y) = pair(round);
        let cond = exprs.relate(Rel::Lt, x, y);
        black_box(writer.write(&exprs, &mut terms, cond));
    });
    measure("relate and write x < y, again", all, |round| {
        let (x, y) = pair(round);
        let cond = exprs.relate(Rel::Lt, x, y);
        black_box(writer.write(&exprs, &mut terms, cond));
    });
    let one = exprs.constant(Const::I32(1));
    measure("relate and write x + 1 < y, first time", all, |round| {
        let (x, y) = pair(round);
        let next = exprs.binary(Binary::Add, x, one);
        let cond = exprs.relate(Rel::Lt, next, y);
        black_box(writer.write(&exprs, &mut terms, cond));
    });
    measure("relate and write x + 1 < y, again", all, |round| {
        let (x, y) = pair(round);
        let next = exprs.binary(Binary::Add, x, one);
        let cond = exprs.relate(Rel::Lt, next, y);
        black_box(writer.write(&exprs, &mut terms, cond));
    });
    let mut under = Assignment::new();
    for (i, input) in inputs.iter().enumerate() {
        under.set(&exprs, exprs.as_input(*input).expect("an input"), Const::I32(i as i32));
    }
    let conds: Vec<_> = (0..all)
        .map(|round| {
            let (x, y) = pair(round);
            exprs.relate(Rel::Lt, x, y)
        })
        .collect();
    measure("x < y holds", all, |round| {
        black_box(exprs.holds(conds[round as usize], &under));
    });
    let mut sum = inputs[0];
    measure("a running sum of 200 inputs", INPUTS, |round| {
        sum = exprs.binary(Binary::Add, sum, inputs[round as usize]);
    });
    let cond = exprs.relate(Rel::Lt, sum, one);
    measure("the sum of 200 inputs < 1 holds", 10_000, |_| {
        black_box(exprs.holds(cond, &under));
    });
    println!("{} expressions and conditions", exprs.len());
}
