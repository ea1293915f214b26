//! The library does not lie, however it is used: wrong sorts, terms of other arenas, paths that contradict
//! themselves, solvers that are not there.

use evergreen::solver::SolverError;
use evergreen::{
    Budget, Completion, Domain, Error, Evaluator, Evergreen, Fun, Int, Model, Question, Reuse, SortId,
    TermId, Value, Verdict,
};
use evergreen_testing::random::Random;

const QUESTIONS: [Question; 4] = [Question::Sat, Question::Model, Question::Core, Question::Extension];

/// No solver: the native core decides all that is asked here, and a question that needs more is an error.
fn library() -> Evergreen {
    Evergreen::builder().store("memory:").solver("no-such-solver").build().expect("a store in memory")
}

/// `name fun limit`.
fn bound(e: &mut Evergreen, name: &str, fun: Fun, limit: i64) -> TermId {
    let (x, limit) = (e.constant(name, SortId::INT), e.terms().int(limit));
    e.app(fun, &[x, limit]).expect("integers")
}

/// What every way of asking says about terms.
fn refusals(e: &mut Evergreen, terms: &[TermId]) -> Vec<Error> {
    let mut refused = Vec::new();
    for question in QUESTIONS {
        refused.extend(e.check(terms, question).err());
        refused.extend(e.branch_all(terms, question).err());
        refused.extend(e.branch(terms[0], question).err());
    }
    refused.extend(e.push(terms[0]).err());
    refused.extend(e.push_all(terms).err());
    refused.extend(e.push_feasible(terms).err());
    refused.extend(e.count(terms, &[], Budget::default()).err());
    refused.extend(e.count_branch(terms, &[], Budget::default()).err());
    assert!(e.settle(terms, &|_, _| Some(0)).is_none());
    refused
}

#[test]
fn what_is_not_of_sort_bool_is_no_constraint() {
    let mut e = library();
    let fine = bound(&mut e, "x", Fun::Lt, 3);
    let (n, five) = (e.constant("n", SortId::INT), e.terms().int(5));
    for (wrong, shown) in [(n, "n"), (five, "5")] {
        let refused = refusals(&mut e, &[wrong, fine]);
        assert_eq!(refused.len(), 17);
        for error in refused {
            assert_eq!(error.to_string(), format!("constraint \"{shown}\" has sort Int, not Bool"));
        }
    }
    assert_eq!(
        (e.stats().queries, e.stats().recorded, e.depth()),
        (0, 0, 0),
        "nothing was asked or recorded"
    );
}

#[test]
fn a_term_of_another_arena_is_refused() {
    let (mut e, mut other) = (library(), library());
    // They have the same place in their arenas: without the arena's number one is the other.
    let (own, foreign) = (bound(&mut e, "x", Fun::Lt, 3), bound(&mut other, "x", Fun::Gt, 9));
    assert_eq!(own.index(), foreign.index());
    let refused = refusals(&mut e, &[foreign, own]);
    assert_eq!(refused.len(), 17);
    assert!(refused.iter().all(|error| matches!(error, Error::ForeignTerm)));
    // Not even as an argument, or as a variable that is counted.
    assert!(matches!(e.app(Fun::Not, &[foreign]), Err(why) if why.to_string().contains("another arena")));
    let y = other.constant("y", SortId::INT);
    let counted = e.count(&[own], &[(y, Domain::new(0, 9))], Budget::default());
    assert!(matches!(counted, Err(Error::ForeignTerm)));
    // A new arena has nothing of the old one.
    e.renew();
    assert!(matches!(e.check(&[own], Question::Sat), Err(Error::ForeignTerm)));
    let own = bound(&mut e, "x", Fun::Lt, 3);
    assert_eq!(e.check(&[own], Question::Sat).unwrap().verdict, Verdict::Sat);
}

#[test]
fn a_branch_on_a_path_that_contradicts_itself_is_unsat() {
    for reuse in Reuse::ALL {
        for question in QUESTIONS {
            evergreen_testing::tools::put_on_path();
            let mut e = Evergreen::builder().store("memory:").reuse(reuse).build().unwrap();
            let (low, high) = (bound(&mut e, "x", Fun::Lt, 0), bound(&mut e, "x", Fun::Gt, 0));
            let other = bound(&mut e, "y", Fun::Lt, 0);
            e.push(low).unwrap();
            e.push(high).unwrap();
            assert!(!e.is_feasible());
            assert_eq!(e.branch(other, question).unwrap().verdict, Verdict::Unsat, "{reuse:?} {question:?}");
            assert!(matches!(e.model(), Err(Error::NoModel(_))));
            e.pop();
            assert_eq!(e.branch(other, question).unwrap().verdict, Verdict::Sat, "{reuse:?} {question:?}");
            assert!(e.is_feasible(), "a model of more is one of the path");
        }
    }
}

#[test]
fn arms_that_were_asked_about_keep_a_path_feasible() {
    let mut e = library();
    let [low, high] = [Fun::Le, Fun::Gt].map(|fun| bound(&mut e, "x", fun, 0));
    for arm in [low, high] {
        assert_eq!(e.branch(arm, Question::Sat).unwrap().verdict, Verdict::Sat);
    }
    // Along one arm, back, and along the other.
    for arm in [low, high] {
        e.push(arm).unwrap();
        assert!(e.is_feasible());
        let deeper = bound(&mut e, "y", Fun::Lt, 5);
        assert_eq!(e.branch(deeper, Question::Sat).unwrap().verdict, Verdict::Sat);
        e.push(deeper).unwrap();
        e.pop();
        e.pop();
    }
    // What was found of another place says nothing here.
    let deeper = bound(&mut e, "y", Fun::Lt, 5);
    e.push(deeper).unwrap();
    assert!(!e.is_feasible());
    e.pop();
    // The caller may know better.
    e.push_feasible(&[deeper]).unwrap();
    assert!(e.is_feasible());
    // What is infeasible was asked about, too, and is no arm.
    let never = bound(&mut e, "y", Fun::Gt, 7);
    assert_eq!(e.branch(never, Question::Sat).unwrap().verdict, Verdict::Unsat);
    e.push(never).unwrap();
    assert!(!e.is_feasible());
    assert_eq!(e.stats().queries, 5);
}

/// Constraints over three integers, and which points of a box satisfy them.
fn pool(e: &mut Evergreen) -> Vec<(TermId, u128)> {
    let names = ["x", "y", "z"];
    let mut pool = Vec::new();
    for (at, name) in names.iter().enumerate() {
        for limit in -1..=1 {
            pool.push(bound(e, name, Fun::Lt, limit));
            pool.push(bound(e, name, Fun::Gt, limit));
        }
        let (a, b) = (e.constant(name, SortId::INT), e.constant(names[(at + 1) % 3], SortId::INT));
        pool.push(e.app(Fun::Lt, &[a, b]).expect("integers"));
        pool.push(e.app(Fun::Eq, &[a, b]).expect("integers"));
    }
    // Five values each, bounds included that keep everything in the box.
    let points = (0..125).map(|point| [point % 5, point / 5 % 5, point / 25].map(|v: i64| v - 2));
    let holds = |e: &mut Evergreen, term: TermId, values: [i64; 3]| {
        let symbols = names.map(|name| {
            let term = e.constant(name, SortId::INT);
            match e.terms().op(term) {
                evergreen::Op::Apply(symbol) => symbol,
                _ => unreachable!("a constant"),
            }
        });
        let model: Model =
            symbols.into_iter().zip(values).map(|(s, v)| (s, Value::Int(Int::from(v)))).collect();
        Evaluator::new(e.terms(), &model).completing(Completion::None).holds(term).expect("a value")
    };
    let bits = |e: &mut Evergreen, term: TermId| {
        let points = points.clone().enumerate();
        points.fold(0, |bits, (at, values)| bits | u128::from(holds(e, term, values)) << at)
    };
    pool.into_iter().map(|term| (term, bits(e, term))).collect()
}

#[test]
fn whatever_is_pushed_every_branch_has_the_verdict_of_brute_force() {
    let (mut unsat_paths, mut asked) = (0, 0);
    for seed in 0..40 {
        let random = &mut Random::new(seed);
        let mut e = library();
        let pool = pool(&mut e);
        // The box is on the path, so that integers outside of it do not matter.
        let mut frame = Vec::new();
        for name in ["x", "y", "z"] {
            frame.push(bound(&mut e, name, Fun::Ge, -2));
            frame.push(bound(&mut e, name, Fun::Le, 2));
        }
        e.push_all(&frame).unwrap();
        let mut path: Vec<u128> = vec![(1 << 125) - 1];
        for _ in 0..60 {
            let here = *path.last().expect("the box");
            let (new, bits) = *random.choose(&pool);
            match random.below(5) {
                // Pushes whatever comes, asked about or not.
                0 => {
                    e.push(new).unwrap();
                    path.push(here & bits);
                }
                1 if path.len() > 1 => {
                    e.pop();
                    path.pop();
                }
                _ => {
                    let question = *random.choose(&QUESTIONS);
                    let verdict = e.branch(new, question).unwrap().verdict;
                    let expected = if here & bits != 0 { Verdict::Sat } else { Verdict::Unsat };
                    assert_eq!(verdict, expected, "seed {seed}, {question:?}");
                    (unsat_paths, asked) = (unsat_paths + u32::from(here == 0), asked + 1);
                }
            }
            assert!(here != 0 || !e.is_feasible() || path.last() != Some(&here), "seed {seed}");
        }
    }
    assert!(unsat_paths > 100 && asked > 1000, "{unsat_paths} of {asked}");
}

#[test]
fn a_solver_is_missed_only_when_one_is_needed() {
    let mut e = library();
    let (x, y) = (e.constant("x", SortId::INT), e.constant("y", SortId::INT));
    let less = e.app(Fun::Lt, &[x, y]).unwrap();
    assert_eq!(e.check(&[less], Question::Model).unwrap().verdict, Verdict::Sat);
    let product = e.app(Fun::Mul, &[x, y]).unwrap();
    let same = e.app(Fun::Eq, &[product, x]).unwrap();
    for _ in 0..2 {
        match e.check(&[less, same], Question::Sat) {
            Err(Error::Solver(SolverError::NotFound { program })) => assert_eq!(program, "no-such-solver"),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(e.solver_starts(), 0);
    // The next question is answered all the same.
    assert_eq!(e.check(&[less], Question::Sat).unwrap().verdict, Verdict::Sat);
    // What is no command line is found out at once.
    let bad = Evergreen::builder().store("memory:").solver("'z3").build();
    assert!(matches!(bad, Err(Error::Solver(SolverError::BadCommandLine { .. }))));
}

#[test]
fn the_model_of_a_path_is_by_name_and_satisfies_it() {
    let mut e = library();
    assert!(e.model().unwrap().is_empty());
    let constraints =
        [bound(&mut e, "b", Fun::Gt, 4), bound(&mut e, "a", Fun::Lt, -3), bound(&mut e, "a", Fun::Gt, -5)];
    for constraint in constraints {
        e.push(constraint).unwrap();
    }
    let model = e.model().unwrap();
    let names: Vec<&str> = model.iter().map(|(name, _)| name).collect();
    assert_eq!((names, model.len()), (vec!["a", "b"], 2));
    assert_eq!(model.value("a"), Some(&Value::Int(Int::from(-4))));
    assert!(matches!(model.value("b"), Some(Value::Int(b)) if *b > Int::from(4)));
    assert_eq!(model.value("c"), None);
    assert!(model.to_string().starts_with("a = (- 4)\nb = "), "{model}");
    assert!(e.is_feasible(), "a path with a model is satisfiable");
    // The values outlive the arena.
    e.renew();
    assert_eq!(model.value("a").map(ToString::to_string).as_deref(), Some("(- 4)"));
}
