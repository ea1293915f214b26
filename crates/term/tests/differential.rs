//! Evaluation held against z3: random terms of every theory must have the value that z3 proves them to have.
//!
//! `EVERGREEN_EVAL_ROUNDS` multiplies the number of terms, `EVERGREEN_EVAL_SEED` picks others.

use crate::oracle::generate::Generator;
use crate::oracle::print;
use crate::oracle::z3::{Verdict, judge};
use evergreen_term::{Evaluator, Fun, Name, Sort, SortId, TermId, Terms, Unevaluable};
use std::collections::BTreeMap;

fn setting(name: &str, default: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name} is not a number: \"{text}\"")),
        Err(_) => default,
    }
}

/// Random terms of the sorts and of `Bool`, in turn.
fn any_terms(generator: &mut Generator, i: u64, depth: u32) -> TermId {
    let sorts = generator.sorts.len() as u64;
    let sort = generator.sorts.get((i % (sorts + 1)) as usize).copied().unwrap_or(SortId::BOOL);
    generator.term(sort, 1 + i as u32 % depth)
}

/// Memberships of short strings in large expressions.
fn memberships(generator: &mut Generator, _: u64, depth: u32) -> TermId {
    let (text, regex) = (generator.term(SortId::STRING, 0), generator.term(SortId::REGLAN, depth));
    generator.terms.app(Fun::StrInRe, &[text, regex]).unwrap()
}

struct Check {
    theory: &'static str,
    sorts: fn(&mut Terms) -> Vec<SortId>,
    make: fn(&mut Generator, u64, u32) -> TermId,
    count: u64,
    depth: u32,
    /// How many of the terms must have a value.
    percent: u64,
}

/// Asks z3 about random terms: it must confirm every value that they have.
fn check(theory: &'static str, count: u64, depth: u32, percent: u64, sorts: fn(&mut Terms) -> Vec<SortId>) {
    run(&Check { theory, sorts, make: any_terms, count, depth, percent });
}

fn run(check: &Check) {
    let rounds = setting("EVERGREEN_EVAL_ROUNDS", 1);
    let seed = setting("EVERGREEN_EVAL_SEED", 1);
    for round in 0..rounds {
        run_round(check, (seed << 32) + round);
    }
}

fn run_round(check: &Check, seed: u64) {
    let Check { theory, count, percent, .. } = *check;
    let mut generator = Generator::new(seed).with(check.sorts);
    let terms: Vec<TermId> = (0..count).map(|i| (check.make)(&mut generator, i, check.depth)).collect();
    let mut evaluator = Evaluator::new(&generator.terms, &generator.model);
    let mut claims = Vec::new();
    let mut skipped: BTreeMap<String, usize> = BTreeMap::new();
    for &term in &terms {
        match evaluator.evaluate(term) {
            Ok(value) => {
                assert!(value.fits(&generator.terms, generator.terms.sort_of(term)), "{value:?}");
                let value = print::value(&generator.terms, value);
                claims.push(format!("(= {} {value})", print::term(&generator.terms, term)));
            }
            Err(Unevaluable::Unspecified) => {
                *skipped.entry(print::head(&generator.terms, term)).or_default() += 1;
            }
            Err(why) => panic!("{theory}: {why:?} for {}", print::term(&generator.terms, term)),
        }
    }
    let share = claims.len() as u64 * 100 / count;
    assert!(share >= percent, "{theory}: only {share}% of the terms have values; open: {skipped:?}");
    let verdicts = judge(&preamble(&generator), &claims);
    let mut unknown = 0;
    for (claim, verdict) in claims.iter().zip(&verdicts) {
        match verdict {
            Verdict::True => {}
            Verdict::False(how) => panic!("{theory}, seed {seed}: z3 refutes ({how})\n{claim}"),
            Verdict::Unknown(how) if how == "unknown" => unknown += 1,
            Verdict::Unknown(how) => panic!("{theory}, seed {seed}: z3 says \"{how}\"\n{claim}"),
        }
    }
    println!("{theory}: {} confirmed, {unknown} unknown to z3, {skipped:?} open", claims.len() - unknown);
    assert!(unknown * 100 <= claims.len(), "{theory}: z3 does not know {unknown} of {}", claims.len());
}

/// The datatypes, and the constants with their values.
fn preamble(generator: &Generator) -> String {
    let terms = &generator.terms;
    let mut text = String::new();
    for sort in &generator.sorts {
        let Sort::Datatype(data) = terms.sort_kind(*sort) else { continue };
        let data = terms.datatype(*data);
        text.push_str(&format!("(declare-datatypes (({} 0)) ((", terms.text(data.name)));
        for constructor in &data.constructors {
            text.push_str(&format!("({}", terms.symbol_text(constructor.symbol)));
            for selector in &constructor.selectors {
                let field = print::sort(terms, terms.symbol_of(*selector).result);
                text.push_str(&format!(" ({} {field})", terms.symbol_text(*selector)));
            }
            text.push(')');
        }
        text.push_str(")))\n");
    }
    for (symbol, value) in generator.model.iter() {
        let sort = print::sort(terms, terms.symbol_of(symbol).result);
        let value = print::value(terms, value);
        text.push_str(&format!("(define-fun {} () {sort} {value})\n", terms.symbol_text(symbol)));
    }
    text
}

#[test]
fn integers_and_reals() {
    check("arithmetic", 2000, 4, 60, |_| vec![SortId::INT, SortId::REAL]);
}

#[test]
fn bit_vectors() {
    check("bit vectors", 2500, 4, 100, |terms| {
        [1, 3, 8, 32, 64, 65, 128, 130].map(|width| terms.bitvec_sort(width)).to_vec()
    });
}

#[test]
fn bit_vectors_and_integers() {
    check("bit vectors and integers", 800, 3, 90, |terms| {
        let mut sorts = [1, 8, 64, 127, 129].map(|width| terms.bitvec_sort(width)).to_vec();
        sorts.push(SortId::INT);
        sorts
    });
}

#[test]
fn arrays() {
    check("arrays", 600, 4, 90, |terms| {
        let (bit, two) = (terms.bitvec_sort(1), terms.bitvec_sort(2));
        let flags = terms.array_sort(SortId::BOOL, two);
        vec![
            terms.array_sort(SortId::INT, SortId::INT),
            terms.array_sort(bit, bit),
            terms.array_sort(two, SortId::BOOL),
            flags,
            terms.array_sort(SortId::INT, flags),
            terms.array_sort(flags, SortId::BOOL),
        ]
    });
}

#[test]
fn datatypes() {
    check("datatypes", 1000, 4, 90, |terms| {
        let mut name = |text: &str| -> Name { terms.name(text) };
        let [list, nil, cons, head, tail] = ["Chain", "nil", "cons", "head", "tail"].map(&mut name);
        let [pair, mk, first, second] = ["Duo", "mk", "first", "second"].map(&mut name);
        let [colour, red, green, blue] = ["Colour", "red", "green", "blue"].map(&mut name);
        let (colours, colour) = terms.begin_datatype(colour, &[]);
        for one in [red, green, blue] {
            terms.add_constructor(colours, one, &[]);
        }
        let (lists, list) = terms.begin_datatype(list, &[]);
        terms.add_constructor(lists, nil, &[]);
        terms.add_constructor(lists, cons, &[(head, SortId::INT), (tail, list)]);
        let shades = terms.array_sort(colour, SortId::BOOL);
        let (pairs, pair) = terms.begin_datatype(pair, &[]);
        terms.add_constructor(pairs, mk, &[(first, colour), (second, shades)]);
        vec![colour, list, pair, shades]
    });
}

#[test]
fn strings() {
    check("strings", 2000, 3, 95, |_| vec![SortId::STRING, SortId::INT]);
}

#[test]
fn floats() {
    check("floats", 2500, 3, 85, |terms| {
        [(5, 11), (3, 4), (2, 2), (8, 24), (11, 53), (4, 9)]
            .map(|(exponent, significand)| terms.sort(Sort::Float(exponent, significand)))
            .to_vec()
    });
}

/// Single operations of small formats, where ties, overflow and underflow are common.
#[test]
fn small_floats() {
    check("small floats", 3000, 1, 85, |terms| {
        [(3, 4), (2, 3), (3, 5)]
            .map(|(exponent, significand)| terms.sort(Sort::Float(exponent, significand)))
            .to_vec()
    });
}

#[test]
fn regular_expressions() {
    run(&Check {
        theory: "regular expressions",
        sorts: |_| vec![SortId::STRING],
        make: memberships,
        count: 2000,
        depth: 5,
        percent: 99,
    });
}
