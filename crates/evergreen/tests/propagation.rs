//! Propagation changes what is looked up and solved, and nothing that a caller can see: verdicts and models
//! are about the query as it was asked, and cores are made of its own constraints.

use evergreen::{
    Answer, Completion, Evaluator, Evergreen, Fun, Question, Rung, SortId, TermId, Verdict, split,
};
use evergreen_testing::queries::{self, Query, Sort, Writing};
use evergreen_testing::random::Random;
use evergreen_testing::tools;

fn evergreen(propagate: bool, native: bool) -> Evergreen {
    let z3 = tools::find("z3");
    let builder = Evergreen::builder().store("memory:").solver(&z3.to_string_lossy()).propagate(propagate);
    builder.native(native).build().expect("z3 is there")
}

/// The constraints of a query, and equations that fix some of its variables.
fn constraints(evergreen: &mut Evergreen, random: &mut Random, query: &Query) -> Vec<TermId> {
    let terms = evergreen.terms();
    let mut all = query.build(terms, &mut Writing { random: None, prefix: "x".into() });
    for (i, sort) in query.variables.iter().enumerate() {
        if random.one_in(2) || *sort == Sort::Memory {
            continue;
        }
        let (sort, literal) = match sort {
            Sort::Int => (SortId::INT, terms.int(random.between(-4, 4))),
            _ => (terms.bitvec_sort(8), terms.bv(8, random.below(6) as u128)),
        };
        let variable = terms.constant(&format!("x{i}"), sort);
        all.push(terms.app(Fun::Eq, &[variable, literal]).unwrap());
    }
    all
}

fn check_answer(with: &mut Evergreen, without: &mut Evergreen, all: &[TermId], answer: &Answer) {
    match &answer.verdict {
        Verdict::Sat => {
            let model = answer.model.as_ref().expect("these queries have models");
            let mut evaluator = Evaluator::new(with.terms(), model).completing(Completion::Default);
            all.iter().for_each(|&c| assert_eq!(evaluator.holds(c), Ok(true)));
        }
        Verdict::Unsat => {
            let core = answer.core.as_ref().expect("z3 gives cores");
            let pieces: Vec<TermId> = all.iter().flat_map(|&c| split(with.terms(), c)).collect();
            assert!(core.iter().all(|c| pieces.contains(c)), "a core of the query's own constraints");
            // Both arenas were filled by the same steps, so the same term has the same place.
            let core: Vec<TermId> = core.iter().map(|c| without.terms().term_at(c.index())).collect();
            let alone = without.check(&core, Question::Sat).expect("no miss is an error here");
            assert_eq!(alone.verdict, Verdict::Unsat, "the core is one");
        }
        Verdict::Unknown(why) => panic!("unknown: {why}"),
    }
}

fn compare(seed: u64, native: bool, make: fn(&mut Random) -> Query) {
    let (mut with, mut without) = (evergreen(true, native), evergreen(false, native));
    let mut unsat = 0;
    for n in 0..150 {
        let query = make(&mut Random::new(seed + n));
        let mut verdicts = Vec::new();
        // The second round finds what the first one recorded.
        for round in 0..2 {
            with.renew();
            without.renew();
            let all = constraints(&mut with, &mut Random::new(n), &query);
            let same = constraints(&mut without, &mut Random::new(n), &query);
            let solved = with.stats().solved;
            let answer = with.check(&all, Question::Core).expect("no miss is an error here");
            let plain = without.check(&same, Question::Core).expect("no miss is an error here");
            assert_eq!(answer.verdict, plain.verdict, "{query:?}");
            if round == 1 {
                assert_eq!(with.stats().solved, solved, "solved again: {query:?}");
            }
            // Cores are checked in arenas that hold nothing else, so that their terms have the same numbers.
            with.renew();
            without.renew();
            let all = constraints(&mut with, &mut Random::new(n), &query);
            constraints(&mut without, &mut Random::new(n), &query);
            let answer = with.check(&all, Question::Core).expect("no miss is an error here");
            if answer.verdict == Verdict::Sat {
                check_answer(&mut with, &mut without, &all, &answer);
            } else {
                let mut fresh = evergreen(false, native);
                let same = constraints(&mut fresh, &mut Random::new(n), &query);
                same.iter().for_each(|&c| {
                    split(fresh.terms(), c);
                });
                check_answer(&mut with, &mut fresh, &all, &answer);
                unsat += 1;
            }
            verdicts.push(answer.verdict);
        }
        assert_eq!(verdicts[0], verdicts[1]);
    }
    assert!(unsat > 30, "the test tests something: {unsat}");
    let calls = |e: &Evergreen| e.stats().solved + e.stats().rung(Rung::Bits).tried;
    assert!(calls(&with) < calls(&without), "it pays");
    assert_eq!(with.stats().rejected + with.stats().contradicted, 0);
}

#[test]
fn integers() {
    compare(100, true, queries::linear);
}

#[test]
fn bytes_and_arrays() {
    compare(500, false, queries::bits);
    compare(900, true, queries::bits);
}
