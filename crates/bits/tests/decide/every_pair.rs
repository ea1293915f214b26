//! Every conjunction of two small atoms at width 3, against all assignments.

use super::columns::Columns;
use crate::functions::{BINARY, OVERFLOWS, RELATIONS};
use evergreen_bits::{Bits, Decision, Effort};
use evergreen_smtlib::print_term;
use evergreen_term::{Fun, SymbolId, TermId, Terms, Value};

const WIDTH: u32 = 3;

/// An atom with a bit for each of the 64 assignments.
struct Atom {
    term: TermId,
    truth: u64,
}

struct Pairs {
    terms: Terms,
    symbols: [SymbolId; 2],
    atoms: Vec<Atom>,
}

fn atoms() -> Pairs {
    let mut terms = Terms::new();
    let sort = terms.bitvec_sort(WIDTH);
    let symbols = ["x", "y"].map(|text| {
        let name = terms.name(text);
        terms.declare(name, &[], sort)
    });
    let [x, y] = symbols.map(|symbol| terms.apply(symbol, &[]).expect("a constant"));
    let literal = terms.bv(WIDTH, 3);
    let mut app = |fun: Fun, args: &[TermId]| terms.app(fun, args).expect("well sorted");
    let mut left = vec![x, app(Fun::BvNot, &[x]), app(Fun::BvNeg, &[y])];
    left.extend(BINARY.iter().map(|&fun| app(fun, &[x, y])));
    left.extend(BINARY[6..].iter().map(|&fun| app(fun, &[literal, y])));
    let mut made: Vec<TermId> = Vec::new();
    for &a in &left {
        // Each operator under each relation, with a symbol or a literal beside it.
        for (i, &relation) in RELATIONS.iter().enumerate() {
            made.push(app(relation, &if i % 2 == 0 { [a, y] } else { [literal, a] }));
            made.push(app(relation, &if i % 2 == 0 { [a, literal] } else { [y, a] }));
        }
    }
    made.extend(OVERFLOWS.iter().map(|&fun| app(fun, &[x, y])));
    made.extend(OVERFLOWS.iter().map(|&fun| app(fun, &[x, literal])));
    made.push(app(Fun::BvNego, &[x]));
    made.sort_unstable();
    made.dedup();
    let mut columns = Columns::new(&terms, symbols.into_iter());
    let truth =
        |column: &[u32]| column.iter().enumerate().fold(0, |bits, (at, v)| bits | u64::from(*v) << at);
    let atoms =
        made.into_iter().map(|term| Atom { term, truth: truth(&columns.column(&terms, term)) }).collect();
    Pairs { terms, symbols, atoms }
}

/// What a core says of two atoms; its answer is compared with their 64 assignments.
fn compare(pairs: &Pairs, bits: &mut Bits, one: &Atom, two: &Atom) {
    let conjunction = [one.term, two.term];
    let show = || conjunction.map(|c| print_term(&pairs.terms, c)).join(" and ");
    match bits.decide(&pairs.terms, &conjunction, &[], Effort::default()) {
        Decision::Sat(model) => {
            let values = pairs.symbols.map(|symbol| match model.get(symbol) {
                Some(Value::BitVec(value)) => value.to_u128().expect("narrow") as u64,
                _ => 0,
            });
            let at = values[0] | values[1] << WIDTH;
            assert_eq!(
                (one.truth & two.truth) >> at & 1,
                1,
                "x = {}, y = {} in {}",
                values[0],
                values[1],
                show()
            );
        }
        Decision::Unsat(core) => {
            let truths = [one.truth, two.truth];
            let blamed = core.iter().fold(u64::MAX, |all, &at| all & truths[at as usize]);
            assert_eq!(blamed, 0, "core {core:?} of {}", show());
        }
        Decision::Unknown(why) => panic!("{why}: {}", show()),
    }
}

#[test]
fn every_pair_of_small_atoms_agrees_with_all_assignments() {
    let pairs = atoms();
    let mut bits = Bits::new();
    let mut compared = 0;
    for (i, one) in pairs.atoms.iter().enumerate() {
        for two in &pairs.atoms[..=i] {
            compare(&pairs, &mut bits, one, two);
            compared += 1;
        }
    }
    assert!(pairs.atoms.len() > 500 && compared > 100_000, "{compared}");
}
