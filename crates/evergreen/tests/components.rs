//! Components of one's own: each is used, what it records is its own, and a wrong one harms nobody else.

#[allow(dead_code)]
#[path = "../examples/components.rs"]
mod example;

use evergreen::components::{Canonize, Counter, Form, Slice};
use evergreen::counters::{Barvinok, Latte};
use evergreen::counting::{Problem, Relation, count};
use evergreen::store::{Memory, Store};
use evergreen::{Budget, Count, Domain, Evergreen, Fun, Question, Reuse, SortId, TermId, Terms, Verdict};
use evergreen_testing::random::Random;
use example::{OneByOne, Renaming, Together};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

fn memory() -> Arc<dyn Store> {
    Arc::new(Memory::new(1 << 24))
}

fn builder(store: &Arc<dyn Store>) -> evergreen::Builder {
    evergreen_testing::tools::put_on_path();
    Evergreen::builder().with_store(store.clone()).solver("z3").reuse(Reuse::Exact).native(false)
}

/// `name < constant`
fn below(e: &mut Evergreen, name: &str, constant: i64) -> TermId {
    let (x, c) = (e.constant(name, SortId::INT), e.terms().int(constant));
    e.app(Fun::Lt, &[x, c]).unwrap()
}

#[test]
fn a_slicer_joins_and_never_cuts() {
    let solved = |slicer: Option<Box<dyn Slice>>| {
        let builder = builder(&memory());
        let mut e = match slicer {
            Some(slicer) => builder.with_slicer(slicer).build().unwrap(),
            None => builder.build().unwrap(),
        };
        // x < 1, then y < 2 beside it, then y < 2 alone, then y < x, y > x.
        let (x, y) = (below(&mut e, "x", 1), below(&mut e, "y", 2));
        let mut slices = Vec::new();
        for query in [&[x, y][..], &[y]] {
            let before = e.stats().slices;
            assert_eq!(e.check(query, Question::Sat).unwrap().verdict, Verdict::Sat);
            slices.push(e.stats().slices - before);
        }
        let [a, b] = ["x", "y"].map(|name| e.constant(name, SortId::INT));
        let (less, more) = (e.app(Fun::Lt, &[a, b]).unwrap(), e.app(Fun::Gt, &[a, b]).unwrap());
        assert_eq!(e.check(&[less, more], Question::Sat).unwrap().verdict, Verdict::Unsat);
        // On a path, too.
        e.push(less).unwrap();
        assert_eq!(e.branch(more, Question::Sat).unwrap().verdict, Verdict::Unsat);
        slices
    };
    struct Apart;
    impl Slice for Apart {
        fn parts(&mut self, _: &Terms, constraints: &[TermId]) -> Vec<usize> {
            (0..constraints.len()).collect()
        }
    }
    assert_eq!(solved(None), [2, 1]);
    assert_eq!(solved(Some(Box::new(Together))), [1, 1]);
    assert_eq!(solved(Some(Box::new(Apart))), [2, 1], "what shares x and y stays together");
}

#[test]
fn a_canonizer_has_keys_of_its_own() {
    let store = memory();
    let ask = |mut e: Evergreen, name: &str| {
        let less = below(&mut e, name, 5);
        assert_eq!(e.check(&[less], Question::Model).unwrap().verdict, Verdict::Sat);
        e.stats().solved
    };
    assert_eq!(ask(builder(&store).build().unwrap(), "x"), 1);
    // Other keys than ours; then its own, under another name.
    let own = || builder(&store).with_canonizer(Box::new(Renaming)).build().unwrap();
    assert_eq!(ask(own(), "x"), 1);
    assert_eq!(ask(own(), "y"), 0);
    let mut e = own();
    e.renew();
    assert_eq!(ask(e, "z"), 0, "it stays with a new arena");
}

/// Says that all questions are one.
struct Wrong;

impl Canonize for Wrong {
    fn name(&self) -> &str {
        "wrong"
    }

    fn form(&mut self, _: &Terms, _: &[TermId]) -> Option<Form> {
        Some(Form { bytes: b"same".to_vec(), symbols: Vec::new() })
    }
}

#[test]
fn a_wrong_canonizer_gives_no_wrong_model_and_harms_nobody_else() {
    let store = memory();
    let mut wrong = builder(&store).with_canonizer(Box::new(Wrong)).build().unwrap();
    let (low, high) = (below(&mut wrong, "x", -5), below(&mut wrong, "x", -90));
    for constraint in [low, high] {
        assert_eq!(wrong.check(&[constraint], Question::Model).unwrap().verdict, Verdict::Sat);
    }
    let not = wrong.app(Fun::Not, &[low]).unwrap();
    // Its own unsat it believes, as is said.
    assert_eq!(wrong.check(&[high, not], Question::Sat).unwrap().verdict, Verdict::Unsat);
    let mut ours = builder(&store).build().unwrap();
    let low = below(&mut ours, "x", -5);
    assert_eq!(ours.check(&[low], Question::Sat).unwrap().verdict, Verdict::Sat);
    assert_eq!(ours.stats().solved, 1);
}

/// Notes what it is asked.
struct Noting<C>(C, Rc<RefCell<usize>>);

impl<C: Counter> Counter for Noting<C> {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn count(&mut self, problem: &Problem, budget: Budget) -> Count {
        *self.1.borrow_mut() += 1;
        self.0.count(problem, budget)
    }
}

#[test]
fn a_count_by_latte_is_recorded_and_reused() {
    evergreen_testing::tools::put_on_path();
    let store = memory();
    let ask = |counter: Box<dyn Counter>, names: [&str; 2]| {
        let mut e = builder(&store).with_counter(counter).build().unwrap();
        let [x, y] = names.map(|name| e.constant(name, SortId::INT));
        let less = e.app(Fun::Lt, &[x, y]).unwrap();
        let different = e.app(Fun::Distinct, &[x, y]).unwrap();
        let either = e.app(Fun::Or, &[less, different]).unwrap();
        let digit = Domain::new(0, 9);
        let counted = e.count(&[either], &[(x, digit.clone()), (y, digit)], Budget::default()).unwrap();
        assert_eq!(counted.count, Count::Exact(90u32.into()));
        e.stats().counts.reused
    };
    let asked = Rc::new(RefCell::new(0));
    let latte = || Box::new(Noting(Latte::find().expect("latte-count"), asked.clone()));
    ask(latte(), ["x", "y"]);
    // x < y and x > y are one component.
    assert_eq!(asked.replace(0), 1);
    // Other names, another run: from the store.
    assert!(ask(latte(), ["p", "q"]) > 0);
    assert_eq!(*asked.borrow(), 0);
    // Another counter does not read it.
    ask(Box::new(Noting(OneByOne, asked.clone())), ["x", "y"]);
    assert_eq!(*asked.borrow(), 1);
}

#[test]
fn all_counters_agree() {
    evergreen_testing::tools::put_on_path();
    let (mut latte, mut barvinok) =
        (Latte::find().expect("latte-count"), Barvinok::find().expect("barvinok"));
    let mut empty = 0;
    for number in 0..40 {
        let mut random = Random::for_index(21, number);
        let mut problem = Problem::new();
        let variables = 2 + random.below(2);
        (0..variables)
            .for_each(|_| _ = problem.variable(Domain::new(random.between(-6, 0), random.between(1, 9))));
        for _ in 0..1 + random.below(3) {
            let terms: Vec<(u32, i64)> =
                (0..variables as u32).map(|v| (v, random.between(-3, 3))).filter(|t| t.1 != 0).collect();
            let relation = [Relation::Le, Relation::Le, Relation::Eq, Relation::Ne][random.below(4)];
            problem.row(&terms, random.between(-7, 7), relation);
        }
        let ours = count(&problem, Budget::default());
        empty += usize::from(ours == Count::Exact(0u32.into()));
        assert_eq!(OneByOne.count(&problem, Budget::default()), ours, "{problem:?}");
        assert_eq!(latte.count(&problem, Budget::default()), ours, "LattE: {problem:?}");
        // Starting Python takes as long as all the rest.
        if number % 4 == 0 {
            assert_eq!(barvinok.count(&problem, Budget::default()), ours, "barvinok: {problem:?}");
        }
    }
    assert!((1..20).contains(&empty), "{empty}");
}

#[test]
fn a_program_that_fails_has_given_up() {
    let mut problem = Problem::new();
    let x = problem.variable(Domain::new(0, 3));
    problem.row(&[(x, 1)], 0, Relation::Ne);
    for program in ["false", "true", "cat"] {
        let path = evergreen::solver::find_program(program).expect("a program of every system");
        let said = Latte::new(&path).count(&problem, Budget::default());
        assert!(matches!(said, Count::GaveUp(_)), "{program}: {said:?}");
        let said = Barvinok::new(&path).count(&problem, Budget::default());
        assert!(matches!(said, Count::GaveUp(_)), "{program}: {said:?}");
    }
}
