//! Identities that clauses alone do not prove, terms that are deep, tables that are large.

use super::holds;
use evergreen_bits::{Bits, Decision, Effort};
use evergreen_smtlib::{Command, Context};
use evergreen_term::{Fun, Indexed, TermId, Terms};

/// What a core says of a script's assertions; a model holds.
fn decide(text: &str) -> Decision {
    let mut terms = Terms::new();
    let mut context = Context::new(&mut terms);
    let script = context.read_script(&mut terms, text.as_bytes()).expect("a script");
    let constraints: Vec<TermId> = script
        .into_iter()
        .filter_map(|located| match located.command {
            Command::Assert { term, .. } => Some(term),
            _ => None,
        })
        .collect();
    checked(&terms, &constraints)
}

fn checked(terms: &Terms, constraints: &[TermId]) -> Decision {
    let decision = Bits::new().decide(terms, constraints, &[], Effort::default());
    if let Decision::Sat(model) = &decision {
        assert!(holds(terms, model, constraints), "a wrong model");
    }
    decision
}

fn declared(names: &[&str], width: u32) -> String {
    names.iter().map(|name| format!("(declare-const {name} (_ BitVec {width}))\n")).collect()
}

/// An identity over x, y and z has no exception.
fn assert_identity(identity: &str, widths: &[u32]) {
    for &width in widths {
        let ten = format!("(_ bv10 {width})");
        let text =
            format!("{}(assert (not {}))", declared(&["x", "y", "z"], width), identity.replace("TEN", &ten));
        assert_eq!(decide(&text), Decision::Unsat(vec![0]), "{identity} at {width} bits");
    }
}

const ALL: &[u32] = &[8, 16, 32, 64];

#[test]
fn products_distribute_over_sums() {
    assert_identity("(= (bvmul x (bvadd y z)) (bvadd (bvmul x y) (bvmul x z)))", ALL);
    assert_identity("(= (bvmul (bvadd y z) x) (bvadd (bvmul z x) (bvmul x y)))", ALL);
    assert_identity("(= (bvmul x (bvsub y z)) (bvsub (bvmul x y) (bvmul x z)))", ALL);
    let square = "(bvadd (bvmul x x) (bvadd (bvmul x y) (bvmul y x)) (bvmul y y))";
    assert_identity(&format!("(= (bvmul (bvadd x y) (bvadd x y)) {square})"), ALL);
}

#[test]
fn a_dividend_is_quotient_times_divisor_plus_remainder() {
    assert_identity("(= (bvadd (bvmul (bvudiv x y) y) (bvurem x y)) x)", ALL);
    assert_identity("(= (bvadd (bvurem x y) (bvmul y (bvudiv x y))) x)", ALL);
}

#[test]
fn a_number_without_its_last_digit_is_not_larger() {
    assert_identity("(bvule (bvmul (bvudiv x TEN) TEN) x)", ALL);
    assert_identity("(bvult (bvurem x TEN) TEN)", ALL);
}

/// The same identities with one number changed have exceptions, or none is found; never unsat.
#[test]
fn near_identities_are_not_refuted() {
    for &width in ALL {
        let names = declared(&["x", "y", "z"], width);
        for near in [
            "(= (bvmul x (bvadd y z)) (bvadd (bvmul x y) z))",
            "(= (bvadd (bvmul (bvudiv x y) x) (bvurem x y)) x)",
            "(bvult (bvmul (bvudiv x TEN) TEN) x)",
        ] {
            let near = near.replace("TEN", &format!("(_ bv10 {width})"));
            let decision = decide(&format!("{names}(assert (not {near}))"));
            assert!(matches!(decision, Decision::Sat(_)), "{near} at {width} bits: {decision:?}");
        }
    }
}

/// Runs on a stack of the size that threads have.
fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(work).expect("a thread");
    thread.join().expect("no panic");
}

const DEEP: usize = 100_000;

/// A deep vector compared with a literal: decided or given up, never a stack overflow.
fn nested(step: impl Fn(&mut Terms, TermId, TermId, usize) -> TermId + Send + 'static) {
    on_a_small_stack(move || {
        let mut terms = Terms::new();
        let sort = terms.bitvec_sort(32);
        let (x, y) = (terms.constant("x", sort), terms.constant("y", sort));
        let mut deep = x;
        for i in 0..DEEP {
            deep = step(&mut terms, deep, y, i);
        }
        let literal = terms.bv(32, 77);
        let equal = terms.app(Fun::Eq, &[deep, literal]).expect("well sorted");
        let mut bits = Bits::new();
        // Models are not evaluated: that is 100,000 steps of another crate.
        let first = bits.decide(&terms, &[equal], &[], Effort::default());
        assert_eq!(bits.decide(&terms, &[equal], &[], Effort::default()), first);
    });
}

#[test]
fn deep_sums_fit_on_a_small_stack() {
    nested(|terms, deep, y, i| {
        let by = if i % 2 == 0 { y } else { terms.bv(32, i as u128) };
        terms.app(Fun::BvAdd, &[deep, by]).expect("well sorted")
    });
}

#[test]
fn deep_negations_fit_on_a_small_stack() {
    nested(|terms, deep, y, i| match i % 3 {
        0 => terms.app(Fun::BvNot, &[deep]).expect("well sorted"),
        1 => terms.app(Fun::BvNeg, &[deep]).expect("well sorted"),
        _ => terms.app(Fun::BvXor, &[deep, y]).expect("well sorted"),
    });
}

#[test]
fn deep_products_and_shifts_fit_on_a_small_stack() {
    nested(|terms, deep, y, i| {
        let fun = [Fun::BvMul, Fun::BvLshr, Fun::BvUdiv, Fun::BvOr][i % 4];
        terms.app(fun, &[deep, y]).expect("well sorted")
    });
}

#[test]
fn deep_choices_fit_on_a_small_stack() {
    nested(|terms, deep, y, i| {
        let literal = terms.bv(32, i as u128);
        let condition = terms.app(Fun::BvUlt, &[y, literal]).expect("well sorted");
        let other = terms.bv(32, 3 * i as u128);
        terms.app(Fun::Ite, &[condition, other, deep]).expect("well sorted")
    });
}

#[test]
fn deep_concatenations_fit_on_a_small_stack() {
    nested(|terms, deep, y, _| {
        let high = terms.indexed(Indexed::Extract, 30, 0, &[deep]).expect("well sorted");
        let low = terms.indexed(Indexed::Extract, 31, 31, &[y]).expect("well sorted");
        terms.app(Fun::Concat, &[high, low]).expect("well sorted")
    });
}

#[test]
fn deep_truth_values_fit_on_a_small_stack() {
    on_a_small_stack(|| {
        for fun in [Fun::And, Fun::Or, Fun::Xor, Fun::Implies, Fun::Eq] {
            let mut terms = Terms::new();
            let sort = terms.bitvec_sort(16);
            let x = terms.constant("x", sort);
            let mut deep = terms.bool(true);
            for i in 0..DEEP {
                let literal = terms.bv(16, i as u128 & 0xffff);
                let atom = terms.app(Fun::Distinct, &[x, literal]).expect("well sorted");
                deep = terms.app(fun, &[deep, atom]).expect("well sorted");
                if i % 2 == 0 && fun != Fun::And {
                    deep = terms.app(Fun::Not, &[deep]).expect("well sorted");
                }
            }
            let _ = Bits::new().decide(&terms, &[deep], &[], Effort::default());
        }
    });
}

/// A chain of writes, read at an unknown index.
fn written(is_literal: bool) {
    on_a_small_stack(move || {
        let mut terms = Terms::new();
        let (index, element) = (terms.bitvec_sort(32), terms.bitvec_sort(8));
        let sort = terms.array_sort(index, element);
        let (mut array, i) = (terms.constant("a", sort), terms.constant("i", index));
        for n in 0..DEEP {
            let at = terms.bv(32, n as u128);
            let at = if is_literal { at } else { terms.app(Fun::BvAdd, &[i, at]).expect("well sorted") };
            let value = terms.bv(8, n as u128 & 0xff);
            array = terms.app(Fun::Store, &[array, at, value]).expect("well sorted");
        }
        let read = terms.app(Fun::Select, &[array, i]).expect("well sorted");
        let literal = terms.bv(8, 5);
        let equal = terms.app(Fun::Eq, &[read, literal]).expect("well sorted");
        let decision = Bits::new().decide(&terms, &[equal], &[], Effort::default());
        let expected = if is_literal { "Sat" } else { "Unsat" };
        assert!(format!("{decision:?}").starts_with(expected), "{decision:?}");
    });
}

#[test]
fn many_writes_at_literals_are_one_table() {
    written(true);
}

/// All are at other indices than the read, but the first, whose value is another one.
#[test]
fn many_writes_at_sums_fit_on_a_small_stack() {
    written(false);
}

#[test]
fn a_table_of_65536_cells_is_read_at_an_unknown_index() {
    let mut terms = Terms::new();
    let (index, element) = (terms.bitvec_sort(32), terms.bitvec_sort(8));
    let sort = terms.array_sort(index, element);
    let (array, byte) = (terms.constant("table", sort), terms.bitvec_sort(16));
    let i = terms.constant("i", byte);
    let at = terms.indexed(Indexed::ZeroExtend, 16, 0, &[i]).expect("well sorted");
    let read = terms.app(Fun::Select, &[array, at]).expect("well sorted");
    let mut constraints = Vec::new();
    for n in 0..1u128 << 16 {
        let cell = terms.bv(32, n);
        let cell = terms.app(Fun::Select, &[array, cell]).expect("well sorted");
        let value = terms.bv(8, (n * 7) % 251);
        constraints.push(terms.app(Fun::Eq, &[cell, value]).expect("well sorted"));
    }
    // No cell is 251 or more.
    let literal = terms.bv(8, 250);
    for (fun, is_unsat) in [(Fun::BvUgt, true), (Fun::Eq, false)] {
        let mut query = constraints.clone();
        query.push(terms.app(fun, &[read, literal]).expect("well sorted"));
        match checked(&terms, &query) {
            Decision::Unsat(core) => assert!(is_unsat && core.contains(&(1 << 16)), "{}", core.len()),
            Decision::Sat(_) => assert!(!is_unsat),
            Decision::Unknown(why) => panic!("{why}"),
        }
    }
}
