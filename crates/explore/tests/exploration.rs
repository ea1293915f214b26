//! Exploration of a toy machine against enumeration of all inputs: every order, every bound, every counter.

use crate::toy;

use crate::toy::{BruteForce, Code, State, Toy, Within, concrete, random_program, start};
use evergreen_explore::{
    Bound, Bounds, End, Explorer, Options, Oracle, Order, Path, Random, Sampling, Shortcuts, Site, Summary,
    Trail, Way, follow,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const ORDERS: [Order; 4] = [Order::DepthFirst, Order::BreadthFirst, Order::Random(7), Order::Coverage];

type Route = Vec<(u32, u32)>;

fn route(trail: &Trail) -> Route {
    trail.constraints().iter().map(|step| (step.site.0, step.index)).collect()
}

struct Run {
    /// Routes of the paths that ended, in order, with what their model returns.
    paths: Vec<(Route, i32)>,
    cut: Vec<(Route, Bound)>,
    undecided: Vec<Route>,
    summary: Summary,
    arms: (usize, usize),
}

fn explore(code: &[Code], oracle: &mut BruteForce, options: Options) -> Run {
    let mut toy = Toy { code: code.to_vec() };
    let mut explorer: Explorer<Toy, BruteForce> = Explorer::new(oracle, start(), options);
    let mut run =
        Run { paths: vec![], cut: vec![], undecided: vec![], summary: Summary::default(), arms: (0, 0) };
    while let Some(found) = explorer.next(&mut toy, oracle) {
        let route = route(&found.trail);
        assert!(found.path.constraints().iter().all(|c: &Within| c.holds(found.model)));
        match found.end {
            End::Outcome(form) => run.paths.push((route, form.of(found.model))),
            End::Cut(bound) => run.cut.push((route, bound)),
            End::Undecided(_) => run.undecided.push(route),
            End::Stuck => panic!("stuck at {route:?}"),
        }
    }
    run.arms = (explorer.coverage().taken_arms(), explorer.coverage().offered_arms());
    run.summary = explorer.summary();
    run
}

fn brute_force() -> BruteForce {
    BruteForce { reach: 3, dark: None }
}

/// `while (x < 0) x = x + 1`, then return.
const LOOP: [Code; 4] = [Code::Negative(0, 1, 3), Code::Add(0, 1), Code::Jump(0), Code::Return(0)];

/// A walk is one of the paths, takes what its inputs take, and leaves the exploration as it was.
#[test]
fn random_walks_are_paths() {
    let mut random = Random::new(11);
    let mut walked = 0;
    for _ in 0..100 {
        let code = random_program(&mut random, 12);
        let (mut toy, mut oracle) = (Toy { code: code.clone() }, brute_force());
        let mut explorer: Explorer<Toy, BruteForce> = Explorer::new(&mut oracle, start(), Options::default());
        assert!(explorer.is_free());
        for number in 0..20 {
            let Some(found) = explorer.walk(&mut toy, &mut oracle, number, 1000) else { continue };
            let End::Outcome(form) = found.end else { panic!("a walk has an outcome") };
            assert!(found.path.constraints().iter().all(|c: &Within| c.holds(found.model)));
            let expected = concrete(&mut toy, found.model, 1000).expect("it ends");
            assert_eq!((route(&found.trail), form.of(found.model)), expected, "{code:?}");
            let again = explorer.walk(&mut toy, &mut oracle, number, 1000).map(|found| found.model);
            assert_eq!(again, Some(found.model), "a function of its number");
            walked += 1;
        }
        let without = explore(&code, &mut brute_force(), Options::default());
        let mut paths = Vec::new();
        while let Some(found) = explorer.next(&mut toy, &mut oracle) {
            paths.push(route(&found.trail));
        }
        assert_eq!(paths, without.paths.into_iter().map(|(route, _)| route).collect::<Vec<_>>());
        let summary = Summary { elapsed: Duration::ZERO, ..explorer.summary() };
        assert_eq!(summary, Summary { elapsed: Duration::ZERO, ..without.summary });
    }
    assert!(walked > 1_000, "{walked}");
}

#[test]
fn all_orders_find_the_paths_that_enumeration_finds() {
    let mut random = Random::new(1);
    let mut total = 0;
    for _ in 0..150 {
        let length = 4 + random.below(14);
        let code = random_program(&mut random, length);
        let mut toy = Toy { code: code.clone() };
        let routes: BTreeSet<Route> =
            brute_force().inputs().map(|i| concrete(&mut toy, i, 1000).expect("it ends").0).collect();
        total += routes.len();
        for order in ORDERS {
            for shortcuts in [Shortcuts::All, Shortcuts::Complement, Shortcuts::None] {
                let options = Options { order, shortcuts, ..Options::default() };
                let run = explore(&code, &mut brute_force(), options);
                let found: BTreeSet<Route> = run.paths.iter().map(|(route, _)| route.clone()).collect();
                assert_eq!(found, routes, "{order:?} {code:?}");
                assert_eq!(found.len() as u64, run.summary.paths, "each path once");
                assert!(run.summary.is_complete());
            }
        }
    }
    assert_eq!(total, 1343);
}

#[test]
fn a_path_s_model_leads_along_it() {
    let mut random = Random::new(2);
    for _ in 0..50 {
        let code = random_program(&mut random, 12);
        let mut toy = Toy { code: code.clone() };
        let mut oracle = brute_force();
        let mut explorer: Explorer<Toy, BruteForce> = Explorer::new(&mut oracle, start(), Options::default());
        while let Some(found) = explorer.next(&mut toy, &mut oracle) {
            let End::Outcome(form) = found.end else { panic!("no bounds") };
            let (taken, result) = concrete(&mut toy, found.model, 1000).expect("it ends");
            assert_eq!((taken, result), (route(&found.trail), form.of(found.model)));
        }
    }
}

#[test]
fn depth_first_goes_in_the_order_of_positions() {
    let mut random = Random::new(3);
    for _ in 0..50 {
        let code = random_program(&mut random, 12);
        let (mut toy, mut oracle) = (Toy { code }, brute_force());
        let mut explorer: Explorer<Toy, BruteForce> = Explorer::new(&mut oracle, start(), Options::default());
        let mut positions = Vec::new();
        while let Some(found) = explorer.next(&mut toy, &mut oracle) {
            positions.push(found.trail.position());
            let grown = found.trail.constraints().iter().filter(|step| step.grew).count();
            assert_eq!(grown, found.path.depth());
        }
        assert!(positions.is_sorted_by(|a, b| a < b), "{positions:?}");
    }
}

#[test]
fn depth_first_takes_the_first_arm_first() {
    let run = explore(&LOOP, &mut brute_force(), Options::default());
    let lengths: Vec<usize> = run.paths.iter().map(|(route, _)| route.len()).collect();
    assert_eq!(lengths, [4, 3, 2, 1], "x = -3 first");
    let run =
        explore(&LOOP, &mut brute_force(), Options { order: Order::BreadthFirst, ..Options::default() });
    let lengths: Vec<usize> = run.paths.iter().map(|(route, _)| route.len()).collect();
    assert_eq!(lengths, [1, 2, 3, 4]);
}

#[test]
fn the_same_input_gives_the_same_order() {
    let code = random_program(&mut Random::new(11), 18);
    for order in ORDERS {
        let once = explore(&code, &mut brute_force(), Options { order, ..Options::default() });
        let twice = explore(&code, &mut brute_force(), Options { order, ..Options::default() });
        assert_eq!(once.paths, twice.paths);
        let elapsed = Duration::ZERO;
        assert_eq!(Summary { elapsed, ..once.summary }, Summary { elapsed, ..twice.summary });
    }
    let order = |seed| Options { order: Order::Random(seed), ..Options::default() };
    let orders: BTreeSet<Vec<(Route, i32)>> =
        (0..5).map(|seed| explore(&code, &mut brute_force(), order(seed)).paths).collect();
    assert!(orders.len() > 1, "seeds make a difference");
}

/// `x < 0`, `y < 0`, `x + y < 0`: six paths, 2 of 14 arms are infeasible.
const SIGNS: [Code; 7] = [
    Code::Negative(0, 1, 1),
    Code::Negative(1, 2, 2),
    Code::Plus(3, 0),
    Code::Plus(3, 1),
    Code::Negative(3, 5, 6),
    Code::Return(0),
    Code::Return(1),
];

#[test]
fn counters_say_what_was_asked() {
    let run =
        |shortcuts| explore(&SIGNS, &mut brute_force(), Options { shortcuts, ..Options::default() }).summary;
    let all = run(Shortcuts::All);
    assert_eq!((all.paths, all.branches, all.queries(), all.infeasible), (6, 7, 14, 2));
    assert_eq!((all.by_model, all.by_complement, all.asked()), (7, 0, 7), "one question for each branch");
    assert_eq!((all.forks, all.deepest, all.undecided), (5, 3, 0));
    let complement = run(Shortcuts::Complement);
    assert_eq!((complement.by_model, complement.by_complement, complement.asked()), (0, 1, 13));
    let none = run(Shortcuts::None);
    assert_eq!((none.by_model, none.by_complement, none.asked()), (0, 0, 14));
    assert_eq!((none.paths, none.infeasible, none.instructions), (6, 2, all.instructions));
}

#[test]
fn an_implied_arm_does_not_make_the_path_longer() {
    let mut toy = Toy { code: SIGNS.to_vec() };
    let lengths = |toy: &mut Toy, shortcuts| {
        let mut oracle = brute_force();
        let options = Options { shortcuts, ..Options::default() };
        let mut explorer: Explorer<Toy, BruteForce> = Explorer::new(&mut oracle, start(), options);
        let mut lengths = BTreeMap::new();
        while let Some(found) = explorer.next(toy, &mut oracle) {
            *lengths.entry(found.path.depth()).or_insert(0) += 1;
        }
        lengths
    };
    assert_eq!(lengths(&mut toy, Shortcuts::All), BTreeMap::from([(2, 2), (3, 4)]));
    assert_eq!(lengths(&mut toy, Shortcuts::None), BTreeMap::from([(3, 6)]));
}

#[test]
fn bounds_of_a_path_cut_and_say_so() {
    let with = |bounds| explore(&LOOP, &mut brute_force(), Options { bounds, ..Options::default() });
    let run = with(Bounds { depth: Some(2), ..Bounds::default() });
    assert_eq!(run.paths.len(), 2);
    assert_eq!(run.cut, [(vec![(0, 0), (0, 0)], Bound::Depth)]);
    assert_eq!(
        (run.summary.cut.by(Bound::Depth), run.summary.deepest, run.summary.is_complete()),
        (1, 2, false)
    );
    let run = with(Bounds { loops: Some(3), ..Bounds::default() });
    assert_eq!(run.cut, [(vec![(0, 0), (0, 0), (0, 0)], Bound::Loops)]);
    let run = with(Bounds { steps: Some(5), ..Bounds::default() });
    assert_eq!(run.cut.len(), 1);
    assert_eq!(run.summary.cut.iter().collect::<Vec<_>>(), [(Bound::Steps, 1)]);
    let endless = [Code::Jump(0)];
    let bounds = Bounds { steps: Some(1_000_000), ..Bounds::default() };
    let run = explore(&endless, &mut brute_force(), Options { bounds, ..Options::default() });
    assert_eq!((run.summary.instructions, run.summary.cut.by(Bound::Steps)), (1_000_000, 1));
}

#[test]
fn bounds_of_the_whole_cut_what_is_open() {
    let with = |bounds| explore(&SIGNS, &mut brute_force(), Options { bounds, ..Options::default() });
    let run = with(Bounds { paths: Some(2), ..Bounds::default() });
    assert_eq!((run.paths.len(), run.summary.cut.by(Bound::Paths)), (2, 2));
    let run = with(Bounds { paths: Some(6), ..Bounds::default() });
    assert!(run.summary.is_complete(), "nothing was open");
    let flag = Arc::new(AtomicBool::new(false));
    flag.store(true, Ordering::Relaxed);
    let run = with(Bounds { interrupt: Some(flag), ..Bounds::default() });
    assert_eq!((run.paths.len(), run.summary.cut.by(Bound::Interrupt)), (0, 1));
    let endless = [Code::Jump(0)];
    let stopped =
        |bounds| explore(&endless, &mut brute_force(), Options { bounds, ..Options::default() }).summary;
    let summary = stopped(Bounds { time: Some(Duration::from_millis(20)), ..Bounds::default() });
    assert_eq!(summary.cut.iter().collect::<Vec<_>>(), [(Bound::Time, 1)]);
    let summary = stopped(Bounds { memory: Some((1000, || 1001)), ..Bounds::default() });
    assert_eq!(summary.cut.iter().collect::<Vec<_>>(), [(Bound::Memory, 1)]);
}

#[test]
fn an_arm_that_nobody_can_decide_is_reported() {
    let form = toy::Linear([1, 1, 0], 0);
    let dark = Some(Within { form, low: 0, high: i32::MAX });
    let mut oracle = BruteForce { reach: 3, dark };
    let run = explore(&SIGNS, &mut oracle, Options { shortcuts: Shortcuts::None, ..Options::default() });
    // After x < 0 and y < 0 the brute-force oracle would know better, but it is not asked to.
    assert_eq!((run.summary.undecided, run.undecided.len(), run.paths.len()), (4, 4, 3));
    assert!(!run.summary.is_complete());
    assert_eq!(run.undecided[0], [(0, 0), (1, 0)], "the path up to the branch");
}

#[test]
fn inputs_are_fixed_where_an_arm_cannot_be_decided() {
    // x + y < 0, then x < 0, then y < 0.
    let code = [
        Code::Plus(0, 1),
        Code::Negative(0, 2, 2),
        Code::Negative(1, 3, 3),
        Code::Negative(2, 4, 4),
        Code::Return(0),
    ];
    let dark = Some(Within { form: toy::Linear([1, 1, 0], 0), low: i32::MIN, high: -1 });
    let explored = |sampling| {
        let mut oracle = BruteForce { reach: 3, dark };
        let (mut machine, options) =
            (Toy { code: code.to_vec() }, Options { sampling, ..Options::default() });
        let mut explorer = Explorer::new(&mut oracle, start(), options);
        let mut all = Vec::new();
        while let Some(found) = explorer.next(&mut machine, &mut oracle) {
            if let End::Outcome(_) = found.end {
                all.push((found.trail.is_sampled(), found.path.constraints(), found.model));
            }
        }
        (all, explorer.summary())
    };
    let (free, summary) = explored(Sampling::Never);
    assert_eq!((free.len(), summary.undecided, summary.sampled), (4, 1, 0));
    assert!(free.iter().all(|(is_sampled, _, _)| !is_sampled));
    // x and y are 0 from the first branch on; z stays free.
    let (fixed, summary) = explored(Sampling::Undecided);
    assert_eq!((fixed.len(), summary.undecided, summary.sampled), (2, 1, 1));
    assert!(!summary.is_complete());
    for (is_sampled, path, model) in fixed {
        assert!(is_sampled && path.iter().all(|condition| condition.holds(model)));
        assert_eq!((model[0], model[1]), (0, 0));
        let is_fixed = |input: usize| {
            path.iter().any(|c| c.form.0[input] == 1 && (c.low, c.high) == (0, 0) && c.form.1 == 0)
        };
        assert!(is_fixed(0) && is_fixed(1) && !is_fixed(2), "{path:?}");
    }
}

/// A path that the machine cannot follow with symbols goes on with the numbers of its model, and other inputs
/// stay symbols; its way can be retraced.
#[test]
fn blocked_paths_go_on_with_numbers() {
    // y < 0, then x squared, then z < 0.
    let code = [
        Code::Negative(1, 1, 1),
        Code::Square(0),
        Code::Negative(0, 4, 3),
        Code::Negative(2, 4, 4),
        Code::Return(0),
    ];
    let explored = |sampling| {
        let mut oracle = BruteForce { reach: 3, dark: None };
        let (mut machine, options) =
            (Toy { code: code.to_vec() }, Options { sampling, ..Options::default() });
        let mut explorer = Explorer::new(&mut oracle, start(), options);
        let mut all = Vec::new();
        while let Some(found) = explorer.next(&mut machine, &mut oracle) {
            all.push(found);
        }
        (all, explorer.summary())
    };
    let (stopped, summary) = explored(Sampling::Undecided);
    assert_eq!((stopped.len(), summary.sampled), (2, 0));
    let (gone_on, summary) = explored(Sampling::Everywhere);
    assert_eq!((gone_on.len(), summary.sampled), (4, 2));
    assert!(!summary.is_complete());
    for found in gone_on {
        let End::Outcome(outcome) = found.end else { panic!("not ended") };
        let conditions = found.path.constraints();
        assert!(found.trail.is_sampled() && conditions.iter().all(|c| c.holds(found.model)));
        assert_eq!((outcome.0, outcome.1), ([0; 3], found.model[0] * found.model[0]));
        let fixed = |input: usize| conditions.iter().any(|c| c.form.0[input] == 1 && c.low == c.high);
        assert!(fixed(0) && !fixed(1) && !fixed(2), "{conditions:?}");
        let mut oracle = BruteForce { reach: 3, dark: None };
        let way = Way::from(&found.trail);
        let mut machine = Toy { code: code.to_vec() };
        let retraced =
            follow(&mut machine, start(), Path::new(), &way, None, |all| oracle.fix(all, &found.model));
        let retraced = retraced.unwrap_or_else(|astray| panic!("{way}: {astray}"));
        assert_eq!(retraced.path.constraints(), conditions);
    }
}

#[test]
fn coverage_counts_arms_and_guides() {
    let run = explore(&SIGNS, &mut brute_force(), Options::default());
    assert_eq!(run.arms, (6, 6));
    // An endless loop, then one more branch: the coverage-guided order reaches the second at once.
    let code =
        [Code::Negative(0, 1, 3), Code::Add(0, 1), Code::Jump(0), Code::Negative(1, 4, 4), Code::Return(0)];
    let first = |order, paths| {
        let bounds = Bounds { paths: Some(paths), ..Bounds::default() };
        let mut oracle = BruteForce { reach: 30, dark: None };
        explore(&code, &mut oracle, Options { order, bounds, ..Options::default() }).paths
    };
    let guided = first(Order::Coverage, 2);
    let newest = first(Order::DepthFirst, 2);
    let places = |paths: &[(Route, i32)]| paths.iter().map(|(route, _)| route.len()).max();
    assert_eq!(places(&newest), Some(32));
    assert!(places(&guided) <= Some(4), "{guided:?}");
}

#[test]
fn trails_count_visits() {
    let mut oracle = brute_force();
    let mut toy = Toy { code: LOOP.to_vec() };
    let mut explorer: Explorer<Toy, BruteForce> = Explorer::new(&mut oracle, start(), Options::default());
    let found = explorer.next(&mut toy, &mut oracle).expect("a path");
    assert_eq!((found.trail.times(Site(0)), found.trail.times(Site(3))), (4, 0));
    let _: State = found.state;
}
