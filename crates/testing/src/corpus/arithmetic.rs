//! Generated scripts over integers and reals.

use super::formula::{Text, formula, int, names, real};
use crate::random::Random;

/// A linear sum of one to three of `vars` with small coefficients.
pub(super) fn linear_sum(random: &mut Random, vars: &[String], number: fn(i64) -> String) -> String {
    let mut parts = Vec::new();
    for _ in 0..random.between(1, 3) {
        let var = &vars[random.below(vars.len())];
        match random.between(-4, 4) {
            0 | 1 => parts.push(var.clone()),
            -1 => parts.push(format!("(- {var})")),
            k => parts.push(format!("(* {} {var})", number(k))),
        }
    }
    if parts.len() == 1 { parts.remove(0) } else { format!("(+ {})", parts.join(" ")) }
}

/// A comparison of a linear sum with a number, or with another sum.
pub(super) fn int_atom(random: &mut Random, vars: &[String]) -> String {
    let relation = random.pick(&["<", "<=", ">", ">=", "=", "distinct"]);
    let left = linear_sum(random, vars, int);
    let right = if random.one_in(3) { linear_sum(random, vars, int) } else { int(random.between(-12, 12)) };
    match random.below(8) {
        0 => format!("(= (mod {left} {}) {})", random.between(2, 5), random.below(2)),
        1 => format!("(not ({relation} {right} {left}))"),
        _ => format!("({relation} {left} {right})"),
    }
}

/// Conjunctions of clauses over linear integer atoms, asked after each addition.
pub(super) fn lia(random: &mut Random) -> String {
    let count = 2 + random.below(3);
    let vars = names(random, count);
    let mut text = Text::logic("QF_LIA");
    text.declare(random, &vars, "Int");
    for _ in 0..random.between(2, 5) {
        for _ in 0..random.between(1, 4) {
            text.assert(formula(random, 2, &mut |random| int_atom(random, &vars)));
        }
        text.check();
    }
    text.done()
}

fn real_atom(random: &mut Random, vars: &[String]) -> String {
    let relation = random.pick(&["<", "<=", ">", ">=", "="]);
    let left = linear_sum(random, vars, |k| real(5 * k));
    let right = if random.one_in(3) { linear_sum(random, vars, real) } else { real(random.between(-60, 60)) };
    format!("({relation} {left} {right})")
}

/// The same over the reals, with decimals as coefficients.
pub(super) fn lra(random: &mut Random) -> String {
    let count = 2 + random.below(3);
    let vars = names(random, count);
    let mut text = Text::logic("QF_LRA");
    text.declare(random, &vars, "Real");
    for _ in 0..random.between(2, 4) {
        text.assert(formula(random, 2, &mut |random| real_atom(random, &vars)));
        text.assert(real_atom(random, &vars));
        text.check();
    }
    text.done()
}

/// Products of two variables in a small box, so that every solver could enumerate.
pub(super) fn nia(random: &mut Random) -> String {
    let vars = names(random, 3);
    let mut text = Text::logic("QF_NIA");
    text.declare(random, &vars, "Int");
    for var in &vars {
        text.assert(format!("(<= {} {var} {})", int(random.between(-3, 0)), random.between(2, 6)));
    }
    for _ in 0..random.between(1, 3) {
        let (a, b) = (&vars[random.below(3)], &vars[random.below(3)]);
        let rest = linear_sum(random, &vars, int);
        let relation = random.pick(&["<", "=", ">="]);
        text.assert(format!("({relation} (+ (* {a} {b}) {rest}) {})", int(random.between(-8, 20))));
        text.check();
    }
    text.done()
}
