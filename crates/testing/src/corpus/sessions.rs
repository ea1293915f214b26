//! Generated scripts that use the solver as clients do: scopes, assumptions, cores, models, macros.

use super::arithmetic::{int_atom, linear_sum};
use super::formula::{Text, formula, int, names};
use super::theories::{bv_atom, bv_term};
use crate::random::Random;

/// A random walk over the assertion stack, with declarations that live in scopes.
pub(super) fn push_pop(random: &mut Random) -> String {
    let mut vars = names(random, 3);
    let mut text = Text::logic("QF_LIA");
    text.declare(random, &vars, "Int");
    // How many of `vars` there were when each open scope began.
    let mut scopes: Vec<usize> = Vec::new();
    for step in 0..random.between(12, 24) {
        match random.below(6) {
            0 | 1 if scopes.len() < 6 => {
                let levels = random.between(1, 2);
                text.line(format!("(push {levels})"));
                scopes.extend((0..levels).map(|_| vars.len()));
                if random.one_in(4) {
                    let local = format!("local{step}");
                    text.line(format!("(declare-const {local} Int)"));
                    vars.push(local);
                }
            }
            2 if !scopes.is_empty() => {
                let levels = random.between(1, scopes.len().min(3) as i64) as usize;
                text.line(format!("(pop {levels})"));
                vars.truncate(scopes[scopes.len() - levels]);
                scopes.truncate(scopes.len() - levels);
            }
            3 | 4 => {
                text.assert(formula(random, 1, &mut |random| int_atom(random, &vars)));
            }
            _ => {
                text.check();
            }
        }
    }
    text.check();
    text.done()
}

/// All paths of a small random program, depth first: an arm is entered by push and left by pop.
pub(super) fn paths(random: &mut Random) -> String {
    let vars = names(random, 3);
    let mut text = Text::logic("QF_LIA");
    text.declare(random, &vars, "Int");
    let conditions: Vec<String> = (0..3).map(|_| int_atom(random, &vars)).collect();
    walk(&mut text, &conditions);
    text.done()
}

fn walk(text: &mut Text, conditions: &[String]) {
    let Some((first, rest)) = conditions.split_first() else {
        return;
    };
    for arm in [first.clone(), format!("(not {first})")] {
        text.line("(push 1)").assert(arm).check();
        walk(text, rest);
        text.line("(pop 1)");
    }
}

/// Guarded constraints switched on by assumptions.
pub(super) fn assumptions(random: &mut Random) -> String {
    let vars = names(random, 2);
    let guards: Vec<String> = (0..4).map(|i| format!("on{i}")).collect();
    let bit_vectors = random.one_in(2);
    let mut text =
        Text::with_option("produce-unsat-assumptions", if bit_vectors { "QF_BV" } else { "QF_LIA" });
    text.declare(random, &vars, if bit_vectors { "(_ BitVec 6)" } else { "Int" });
    text.declare(random, &guards, "Bool");
    for guard in &guards {
        let constraint = if bit_vectors { bv_atom(random, 1, 6, &vars) } else { int_atom(random, &vars) };
        text.assert(format!("(=> {guard} {constraint})"));
    }
    for _ in 0..random.between(3, 6) {
        let mut chosen = guards.clone();
        random.shuffle(&mut chosen);
        chosen.truncate(random.between(1, 4) as usize);
        let literals: Vec<String> = chosen
            .iter()
            .map(|guard| if random.one_in(4) { format!("(not {guard})") } else { guard.clone() })
            .collect();
        text.line(format!("(check-sat-assuming ({}))", literals.join(" ")));
    }
    text.check();
    text.done()
}

/// Named bounds that contradict each other among others that do not; a core is asked for.
///
/// Asking for a core after sat is an error, so the contradiction is planted.
pub(super) fn cores(random: &mut Random) -> String {
    let vars = names(random, 3);
    let mut text = Text::with_option("produce-unsat-cores", "QF_LIA");
    text.declare(random, &vars, "Int");
    let sum = linear_sum(random, &vars, int);
    let limit = random.between(-9, 9);
    let mut constraints: Vec<String> = (0..random.between(1, 4)).map(|_| int_atom(random, &vars)).collect();
    constraints.push(format!("(> {sum} {})", int(limit)));
    constraints.push(format!("(< {sum} {})", int(limit + random.between(-4, 1))));
    random.shuffle(&mut constraints);
    for (i, constraint) in constraints.iter().enumerate() {
        text.assert(format!("(! {constraint} :named c{i})"));
    }
    text.check().line("(get-unsat-core)").line("(push 1)");
    text.assert(format!("(! {} :named extra)", int_atom(random, &vars)));
    text.check().line("(get-unsat-core)").line("(pop 1)");
    text.done()
}

/// Constraints that an assignment chosen before satisfies, so that there is a model to ask for.
fn planted(random: &mut Random, text: &mut Text, vars: &[String]) {
    let values: Vec<i64> = vars.iter().map(|_| random.between(-20, 20)).collect();
    for _ in 0..random.between(2, 5) {
        let (i, j) = (random.below(vars.len()), random.below(vars.len()));
        let (p, q) = (random.between(1, 4), random.between(-4, 4));
        let value = p * values[i] + q * values[j];
        let (relation, slack) = match random.below(3) {
            0 => ("=", 0),
            1 => ("<=", random.between(0, 5)),
            _ => (">", -random.between(1, 5)),
        };
        text.assert(format!(
            "({relation} (+ (* {p} {}) (* {} {})) {})",
            vars[i],
            int(q),
            vars[j],
            int(value + slack)
        ));
    }
}

/// A satisfiable system and its whole model, twice, with a scope in between.
pub(super) fn models(random: &mut Random) -> String {
    let vars = names(random, 3);
    let mut text = Text::with_option("produce-models", "QF_UFLIA");
    text.declare(random, &vars, "Int").line("(declare-fun f (Int) Int)");
    planted(random, &mut text, &vars);
    text.check().line("(get-model)").line("(push 1)");
    text.assert(format!("(= (f {}) {})", vars[0], int(random.between(-5, 5))));
    text.check().line("(get-model)").line("(pop 1)").check();
    text.done()
}

/// A satisfiable system and values of terms over it.
pub(super) fn values(random: &mut Random) -> String {
    let vars = names(random, 3);
    let mut text = Text::with_option("produce-models", "QF_LIA");
    text.declare(random, &vars, "Int");
    planted(random, &mut text, &vars);
    text.check().line(format!("(get-value ({}))", vars.join(" ")));
    for _ in 0..random.between(1, 3) {
        let sum = linear_sum(random, &vars, int);
        let atom = int_atom(random, &vars);
        text.line(format!("(get-value ({sum} {atom} (ite {atom} {} {sum})))", vars[0]));
    }
    text.done()
}

/// Defined functions with parameters, one using the other, and a sort by another name.
pub(super) fn macros(random: &mut Random) -> String {
    let vars = names(random, 2);
    let parameters = ["a".to_string(), "b".to_string()];
    let mut text = Text::logic("QF_BV");
    text.line("(define-sort Word () (_ BitVec 5))").declare(random, &vars, "Word");
    let body = bv_term(random, 2, 5, &parameters);
    text.line(format!("(define-fun mix ((a Word) (b Word)) Word {body})"));
    let body = bv_atom(random, 1, 5, &parameters);
    text.line(format!("(define-fun good ((a Word) (b Word)) Bool (or {body} (= (mix a b) (mix b a))))"));
    for _ in 0..random.between(2, 4) {
        text.assert(formula(random, 1, &mut |random| {
            let (x, y) = (bv_term(random, 1, 5, &vars), bv_term(random, 0, 5, &vars));
            match random.below(3) {
                0 => format!("(good {x} {y})"),
                1 => format!("(bvult (mix {x} {y}) {y})"),
                _ => format!("(= (mix {x} {y}) (mix {y} {x}))"),
            }
        }));
        text.check();
    }
    text.done()
}

/// Formulas with names that later formulas use.
pub(super) fn named(random: &mut Random) -> String {
    let vars = names(random, 3);
    let mut text = Text::logic("QF_LIA");
    text.declare(random, &vars, "Int");
    let mut known: Vec<String> = Vec::new();
    for i in 0..random.between(3, 6) {
        let formula = formula(random, 1, &mut |random| {
            if !known.is_empty() && random.one_in(3) {
                known[random.below(known.len())].clone()
            } else {
                int_atom(random, &vars)
            }
        });
        let name = format!("|fact {i}|");
        let rest = int_atom(random, &vars);
        text.assert(if random.one_in(2) {
            format!("(! {formula} :named {name})")
        } else {
            format!("(or {rest} (! {formula} :named {name}))")
        });
        known.push(name);
        text.check();
    }
    text.done()
}
