//! Equalities of arrays under Boolean structure, against all assignments of arrays of few cells, and by hand
//! where an array has more cells than can be tried.

use super::columns::Columns;
use super::holds;
use evergreen_bits::{Bits, Decision, Effort};
use evergreen_smtlib::{Context, print_term};
use evergreen_structures::Random;
use evergreen_term::{Fun, SymbolId, TermId, Terms};

/// Two arrays and two indices, of few bits.
struct Ground {
    terms: Terms,
    random: Random,
    symbols: Vec<SymbolId>,
    arrays: Vec<TermId>,
    indices: Vec<TermId>,
    elements: Vec<TermId>,
    widths: (u32, u32),
}

impl Ground {
    fn new(seed: u64, index: u32, element: u32) -> Ground {
        let mut terms = Terms::new();
        let (from, to) = (terms.bitvec_sort(index), terms.bitvec_sort(element));
        let sort = terms.array_sort(from, to);
        let mut symbols = Vec::new();
        let mut declare = |terms: &mut Terms, name: &str, sort| {
            let term = terms.constant(name, sort);
            let evergreen_term::Op::Apply(symbol) = terms.op(term) else { panic!("a constant") };
            symbols.push(symbol);
            term
        };
        let arrays = ["a", "b"].map(|name| declare(&mut terms, name, sort)).to_vec();
        let indices = ["i", "j"].map(|name| declare(&mut terms, name, from)).to_vec();
        let elements = ["v"].map(|name| declare(&mut terms, name, to)).to_vec();
        let widths = (index, element);
        Ground { terms, random: Random::new(seed), symbols, arrays, indices, elements, widths }
    }

    fn app(&mut self, fun: Fun, args: &[TermId]) -> TermId {
        self.terms.app(fun, args).expect("well sorted")
    }

    fn index(&mut self) -> TermId {
        if self.random.one_in(3) {
            let value = self.random.below(1 << self.widths.0);
            return self.terms.bv(self.widths.0, value as u128);
        }
        *self.random.choose(&self.indices)
    }

    fn element(&mut self) -> TermId {
        match self.random.below(3) {
            0 => {
                let value = self.random.below(1 << self.widths.1);
                self.terms.bv(self.widths.1, value as u128)
            }
            1 => {
                let (array, index) = (*self.random.choose(&self.arrays), self.index());
                self.app(Fun::Select, &[array, index])
            }
            _ => self.elements[0],
        }
    }

    fn array(&mut self, depth: u32) -> TermId {
        if depth == 0 || self.random.one_in(3) {
            return *self.random.choose(&self.arrays);
        }
        match self.random.below(4) {
            0 => {
                let (condition, a, b) = (self.truth(depth - 1), self.array(depth - 1), self.array(depth - 1));
                self.app(Fun::Ite, &[condition, a, b])
            }
            1 => {
                let (value, sort) = (self.element(), self.terms.sort_of(self.arrays[0]));
                self.terms.const_array(sort, value).expect("well sorted")
            }
            _ => {
                let (array, index, value) = (self.array(depth - 1), self.index(), self.element());
                self.app(Fun::Store, &[array, index, value])
            }
        }
    }

    fn truth(&mut self, depth: u32) -> TermId {
        if depth > 0 && self.random.one_in(2) {
            let (a, b) = (self.truth(depth - 1), self.truth(depth - 1));
            return match self.random.below(4) {
                0 => self.app(Fun::Not, &[a]),
                1 => self.app(Fun::Or, &[a, b]),
                2 => self.app(Fun::Xor, &[a, b]),
                _ => self.app(Fun::And, &[a, b]),
            };
        }
        match self.random.below(5) {
            0 => {
                let (a, b) = (self.index(), self.index());
                self.app(Fun::Eq, &[a, b])
            }
            1 => {
                let (a, b) = (self.element(), self.element());
                self.app(Fun::Eq, &[a, b])
            }
            2 => {
                let all = [self.array(depth), self.array(depth), self.array(depth)];
                self.app(Fun::Distinct, &all)
            }
            _ => {
                let (a, b) = (self.array(depth), self.array(depth));
                self.app(Fun::Eq, &[a, b])
            }
        }
    }
}

/// Counts of sat, unsat and unknown.
fn run(seeds: std::ops::Range<u64>, index: u32, element: u32) -> [u32; 3] {
    let mut tally = [0; 3];
    for seed in seeds {
        let mut ground = Ground::new(seed, index, element);
        let mut bits = Bits::new();
        let mut columns = Columns::new(&ground.terms, ground.symbols.iter().copied());
        for _ in 0..6 {
            let count = 1 + ground.random.below(3);
            let constraints: Vec<TermId> = (0..count).map(|_| ground.truth(2)).collect();
            let terms = &ground.terms;
            let show = || constraints.iter().map(|&c| print_term(terms, c)).collect::<Vec<_>>().join("\n");
            match bits.decide(terms, &constraints, &[], Effort::default()) {
                Decision::Sat(model) => {
                    assert!(holds(terms, &model, &constraints), "seed {seed}: {model:?}\n{}", show());
                    tally[0] += 1;
                }
                Decision::Unsat(core) => {
                    let core: Vec<TermId> = core.iter().map(|&i| constraints[i as usize]).collect();
                    assert_eq!(columns.find(terms, &core), None, "seed {seed}: wrong core\n{}", show());
                    tally[1] += 1;
                }
                Decision::Unknown(beyond) => {
                    println!("{beyond}\n{}", show());
                    tally[2] += 1;
                }
            }
        }
    }
    tally
}

#[test]
fn arrays_of_two_cells() {
    let [sat, unsat, unknown] = run(0..600, 1, 1);
    assert!(sat > 1000 && unsat > 150 && unknown == 0, "{sat} {unsat} {unknown}");
}

#[test]
fn arrays_of_four_cells() {
    let [sat, unsat, unknown] = run(1000..1300, 2, 1);
    assert!(sat > 500 && unsat > 50 && unknown == 0, "{sat} {unsat} {unknown}");
}

/// Verdicts by hand over arrays of 2^32 bytes.
#[test]
fn arrays_of_many_cells() {
    let declarations = "(declare-fun a () (Array (_ BitVec 32) (_ BitVec 8)))
        (declare-fun b () (Array (_ BitVec 32) (_ BitVec 8)))
        (declare-fun c () (Array (_ BitVec 32) (_ BitVec 8)))
        (declare-fun i () (_ BitVec 32)) (declare-fun j () (_ BitVec 32)) (declare-fun p () Bool)";
    let zeros = "((as const (Array (_ BitVec 32) (_ BitVec 8))) #x00)";
    let cases = [
        ("(= a b)", "(not (= (select a i) (select b i)))".to_owned(), false),
        ("(or (= a b) p)", "(and (not p) (= (select a i) #x01) (= (select b i) #x02))".to_owned(), false),
        ("(or (= a b) (= a c))", "(not (= (select a i) (select b i)))".to_owned(), true),
        (
            "(= (store a i #x01) b)",
            "(and (not (= i j)) (not (= (select a j) (select b j))))".to_owned(),
            false,
        ),
        ("(= (store a i #x01) (store b j #x02))", "(= i j)".to_owned(), false),
        ("(= (store a i #x01) (store b j #x02))", "(not (= a b))".to_owned(), true),
        ("(= a b c)", "(not (= a c))".to_owned(), false),
        ("(distinct a b c)", "(= (select a i) (select b i) (select c i))".to_owned(), true),
        ("(= a (store b i #x07))", format!("(and (= b {zeros}) (= (select a j) #x01))"), false),
        ("(= a (store b i #x07))", format!("(and (= b {zeros}) (= (select a j) #x07))"), true),
        ("(= p (= a b))", format!("(and (= a {zeros}) (= b (store {zeros} i #x01)) p)"), false),
        ("(ite (= a b) (= b c) (= a c))", "(and (not (= b c)) (= (select a i) #x09))".to_owned(), true),
    ];
    for (one, other, is_sat) in cases {
        let mut terms = Terms::new();
        let mut context = Context::new(&mut terms);
        context.read_script(&mut terms, declarations.as_bytes()).expect("declarations");
        let constraints =
            [one, &other].map(|text| context.read_term(&mut terms, text.as_bytes()).expect("a term"));
        match Bits::new().decide(&terms, &constraints, &[], Effort::default()) {
            Decision::Sat(model) => {
                assert!(is_sat, "{one} {other}");
                assert!(holds(&terms, &model, &constraints), "{one} {other}: {model:?}");
            }
            Decision::Unsat(core) => {
                assert!(!is_sat, "{one} {other}");
                assert_eq!(core, [0, 1], "{one} {other}");
            }
            Decision::Unknown(beyond) => panic!("{one} {other}: {beyond}"),
        }
    }
}
