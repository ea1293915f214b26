//! Boolean structure over integers, equalities and functions, decided case by case where there is no solver:
//! every verdict is that of z3, every model was evaluated, every core is one.

use evergreen::{Evergreen, Fun, Question, Rung, SortId, TermId, Verdict};
use evergreen_term::{Sort, SymbolId};
use evergreen_testing::random::Random;
use evergreen_testing::tools;

/// Symbols of a query: integers, elements of a declared sort, a function of each.
struct World {
    integers: Vec<TermId>,
    elements: Vec<TermId>,
    truths: Vec<TermId>,
    of_integer: SymbolId,
    of_element: SymbolId,
    is_odd: SymbolId,
}

fn world(e: &mut Evergreen) -> World {
    let terms = e.terms();
    let name = terms.name("U");
    let sort = terms.sort(Sort::Uninterpreted(name, Box::new([])));
    let constants = |terms: &mut evergreen::Terms, names: &[&str], sort| -> Vec<TermId> {
        names.iter().map(|name| terms.constant(name, sort)).collect()
    };
    let integers = constants(terms, &["x", "y", "z"], SortId::INT);
    let elements = constants(terms, &["u", "v", "w"], sort);
    let truths = constants(terms, &["p", "q"], SortId::BOOL);
    let [f, g, odd] = ["f", "g", "odd"].map(|name| terms.name(name));
    let of_integer = terms.declare(f, &[SortId::INT], SortId::INT);
    let of_element = terms.declare(g, &[sort, sort], sort);
    let is_odd = terms.declare(odd, &[sort], SortId::BOOL);
    World { integers, elements, truths, of_integer, of_element, is_odd }
}

fn pick(random: &mut Random, from: &[TermId]) -> TermId {
    from[random.below(from.len())]
}

impl World {
    fn integer(&self, e: &mut Evergreen, random: &mut Random, depth: u32) -> TermId {
        match random.below(if depth == 0 { 2 } else { 5 }) {
            0 => pick(random, &self.integers),
            1 => e.terms().int(random.between(-3, 3)),
            2 => {
                let args = [self.integer(e, random, depth - 1), self.integer(e, random, depth - 1)];
                e.app(Fun::Add, &args).unwrap()
            }
            3 => {
                let arg = self.integer(e, random, depth - 1);
                e.terms().apply(self.of_integer, &[arg]).unwrap()
            }
            _ => {
                let condition = self.truth(e, random, depth - 1);
                let args = [self.integer(e, random, depth - 1), self.integer(e, random, depth - 1)];
                e.app(Fun::Ite, &[condition, args[0], args[1]]).unwrap()
            }
        }
    }

    fn element(&self, e: &mut Evergreen, random: &mut Random, depth: u32) -> TermId {
        if depth == 0 || random.one_in(2) {
            return pick(random, &self.elements);
        }
        let args = [self.element(e, random, depth - 1), self.element(e, random, depth - 1)];
        e.terms().apply(self.of_element, &args).unwrap()
    }

    fn truth(&self, e: &mut Evergreen, random: &mut Random, depth: u32) -> TermId {
        match random.below(if depth == 0 { 4 } else { 7 }) {
            0 => pick(random, &self.truths),
            1 => {
                let fun = [Fun::Le, Fun::Lt, Fun::Eq, Fun::Distinct][random.below(4)];
                let args = [self.integer(e, random, depth), self.integer(e, random, depth)];
                e.app(fun, &args).unwrap()
            }
            2 => {
                let fun = [Fun::Eq, Fun::Distinct][random.below(2)];
                let args = [0, 1, 2].map(|_| self.element(e, random, depth));
                e.app(fun, &args[..2 + random.below(2)]).unwrap()
            }
            3 => {
                let arg = self.element(e, random, depth);
                e.terms().apply(self.is_odd, &[arg]).unwrap()
            }
            4 => {
                let arg = self.truth(e, random, depth - 1);
                e.app(Fun::Not, &[arg]).unwrap()
            }
            _ => {
                let fun = [Fun::And, Fun::Or, Fun::Xor, Fun::Implies][random.below(4)];
                let args = [self.truth(e, random, depth - 1), self.truth(e, random, depth - 1)];
                e.app(fun, &args).unwrap()
            }
        }
    }
}

fn constraints(e: &mut Evergreen, seed: u64) -> Vec<TermId> {
    e.renew();
    let (world, mut random) = (world(e), Random::new(seed));
    (0..3 + random.below(7)).map(|_| world.truth(e, &mut random, 2)).collect()
}

#[test]
fn cases_have_the_verdicts_of_z3() {
    let z3 = tools::find("z3");
    let build =
        |solver: &str| Evergreen::builder().store("memory:").solver(solver).build().expect("a solver");
    let (mut alone, mut aided) = (build("none"), build(&z3.to_string_lossy()));
    let (mut sat, mut unsat, mut open) = (0, 0, 0);
    for seed in 0..400 {
        let own = constraints(&mut alone, seed);
        let same = constraints(&mut aided, seed);
        let answer = alone.check(&own, Question::Core).expect("unknown is no error");
        let expected = aided.check(&same, Question::Sat).expect("z3 answers").verdict;
        match &answer.verdict {
            Verdict::Unknown(_) => open += 1,
            verdict => assert_eq!(*verdict, expected, "seed {seed}"),
        }
        if answer.verdict == Verdict::Sat {
            sat += 1;
            assert!(answer.model.is_some(), "seed {seed}: models are evaluated, so there is one");
        }
        if let Some(core) = &answer.core {
            unsat += 1;
            // Both arenas are filled by the same steps, and splitting adds the same terms to both.
            let same: Vec<TermId> = same.iter().flat_map(|&c| evergreen::split(aided.terms(), c)).collect();
            let split: Vec<TermId> = own.iter().flat_map(|&c| evergreen::split(alone.terms(), c)).collect();
            let places = core.iter().map(|c| split.iter().position(|s| s == c).expect("one of the query's"));
            let core: Vec<TermId> = places.map(|place| same[place]).collect();
            let again = aided.check(&core, Question::Sat).expect("z3 answers").verdict;
            assert_eq!(again, Verdict::Unsat, "seed {seed}: a core");
        }
    }
    assert!(alone.stats().hits(Rung::Cases) > 100, "{} by cases", alone.stats().hits(Rung::Cases));
    assert_eq!((alone.stats().solved, alone.stats().contradicted), (0, 0));
    assert!(sat > 150 && unsat > 100 && open < 10, "{sat} sat, {unsat} unsat, {open} open");
}
