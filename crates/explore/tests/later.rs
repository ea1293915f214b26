//! Dynamic symbolic execution of the toy: runs first, questions afterwards, and the same tree in the end.

use crate::toy::{BruteForce, Code, Toy, Within, concrete, random_program, start};
use evergreen_explore::{
    Asking, Bound, Bounds, Coverage, End, Explorer, Feasibility, Options, Oracle, Order, Path, Random,
    Summary,
};
use std::collections::BTreeSet;

const ORDERS: [Order; 4] = [Order::DepthFirst, Order::BreadthFirst, Order::Random(7), Order::Coverage];

type Route = Vec<(u32, u32)>;

/// What happens, in order.
#[derive(Clone, PartialEq, Debug)]
enum Happens {
    Asked { conditions: usize },
    Ended(Route),
    Undecided(Route),
}

/// Brute force that notes how many conditions each question has.
struct Noting(BruteForce, Vec<Happens>);

impl Oracle<Within> for Noting {
    type Model = [i32; 3];

    fn start(&mut self) -> [i32; 3] {
        self.0.start()
    }

    fn holds(&mut self, constraint: Within, model: &[i32; 3]) -> bool {
        self.0.holds(constraint, model)
    }

    fn ask(&mut self, path: &Path<Within>, parent: &[i32; 3], arm: Within) -> Feasibility<[i32; 3]> {
        assert!(!arm.holds(*parent), "the inputs of the run went another way");
        self.1.push(Happens::Asked { conditions: path.depth() + 1 });
        self.0.ask(path, parent, arm)
    }
}

struct Run {
    events: Vec<Happens>,
    summary: Summary,
    coverage: (usize, usize),
}

impl Run {
    fn routes(&self) -> Vec<Route> {
        let ended = |event: &Happens| match event {
            Happens::Ended(route) => Some(route.clone()),
            _ => None,
        };
        self.events.iter().filter_map(ended).collect()
    }
}

fn explore(code: &[Code], dark: Option<Within>, options: Options) -> Run {
    let mut oracle = Noting(BruteForce { reach: 3, dark }, Vec::new());
    let mut toy = Toy { code: code.to_vec() };
    let mut explorer: Explorer<Toy, Noting> = Explorer::new(&mut oracle, start(), options);
    while let Some(found) = explorer.next(&mut toy, &mut oracle) {
        let route: Route = found.trail.constraints().iter().map(|step| (step.site.0, step.index)).collect();
        oracle.1.push(match found.end {
            End::Outcome(form) => {
                let (taken, result) = concrete(&mut toy, found.model, 1000).expect("it ends");
                assert_eq!((&taken, result), (&route, form.of(found.model)), "the run of its inputs");
                Happens::Ended(route)
            }
            End::Undecided(_) => Happens::Undecided(route),
            End::Cut(_) | End::Stuck => panic!("no bound of a single path"),
        });
    }
    let arms = |coverage: &Coverage| (coverage.taken_arms(), coverage.offered_arms());
    Run { events: oracle.1, summary: explorer.summary(), coverage: arms(explorer.coverage()) }
}

fn later(order: Order) -> Options {
    Options { order, asking: Asking::Later, ..Options::default() }
}

/// Every input's route.
fn all_routes(code: &[Code]) -> BTreeSet<Route> {
    let mut toy = Toy { code: code.to_vec() };
    let force = BruteForce { reach: 3, dark: None };
    force.inputs().map(|i| concrete(&mut toy, i, 1000).expect("it ends").0).collect()
}

#[test]
fn a_closed_tree_has_each_path_once_in_every_order() {
    let mut random = Random::new(1);
    let (mut paths, mut arms) = (0, 0);
    for _ in 0..150 {
        let length = 4 + random.below(14);
        let code = random_program(&mut random, length);
        let routes = all_routes(&code);
        let counts: Vec<(u64, u64)> = ORDERS
            .iter()
            .map(|&order| {
                let run = explore(&code, None, later(order));
                let found = run.routes();
                assert_eq!(found.len(), routes.len(), "each path once");
                assert_eq!(found.into_iter().collect::<BTreeSet<Route>>(), routes, "{order:?} {code:?}");
                assert!(run.summary.is_complete());
                assert_eq!(run.summary.asked() + 1, run.summary.infeasible + run.summary.paths);
                (run.summary.asked(), run.summary.queries())
            })
            .collect();
        assert!(counts.iter().all(|count| *count == counts[0]), "the order changes no count: {counts:?}");
        paths += routes.len() as u64;
        arms += counts[0].1;
    }
    assert_eq!((paths, arms), (1343, 5943));
}

/// `while (x < 0) x = x + 1`, then return.
const LOOP: [Code; 4] = [Code::Negative(0, 1, 3), Code::Add(0, 1), Code::Jump(0), Code::Return(0)];

#[test]
fn a_run_ends_before_its_arms_are_asked_about() {
    let run = explore(&LOOP, None, later(Order::BreadthFirst));
    let (stay, leave) = ((0, 0), (0, 1));
    let route = |rounds: usize| [vec![stay; rounds], vec![leave]].concat();
    let asked = |conditions| Happens::Asked { conditions };
    let expected = [
        // The inputs are zeros; then the question whether x < 0, and so on.
        Happens::Ended(route(0)),
        asked(1),
        Happens::Ended(route(3)),
        asked(2),
        Happens::Ended(route(1)),
        asked(3),
        Happens::Ended(route(2)),
        asked(4),
    ];
    assert_eq!(run.events, expected);
}

#[test]
fn generations_bound_how_often_inputs_are_made_from_others() {
    let bounded = |generations| {
        let bounds = Bounds { generations: Some(generations), ..Bounds::default() };
        explore(&LOOP, None, Options { bounds, ..later(Order::BreadthFirst) })
    };
    let told = |run: &Run| (run.routes().len(), run.summary.asked(), run.summary.cut.by(Bound::Generations));
    assert_eq!(told(&bounded(0)), (1, 0, 1), "only the first run");
    assert_eq!(told(&bounded(1)), (2, 1, 3), "one more, with three arms that are not asked about");
    assert!(!bounded(1).summary.is_complete());
    assert_eq!(told(&bounded(3)), (4, 4, 0));
    assert!(bounded(3).summary.is_complete(), "the tree is closed");
}

#[test]
fn arms_that_wait_are_cut_by_bounds_and_undecided_ones_are_reported() {
    let bounds = Bounds { paths: Some(2), ..Bounds::default() };
    let run = explore(&LOOP, None, Options { bounds, ..later(Order::BreadthFirst) });
    assert_eq!((run.summary.paths, run.summary.cut.by(Bound::Paths)), (2, 3));
    assert!(!run.summary.is_complete());
    let mut random = Random::new(9);
    let mut undecided = 0;
    for _ in 0..100 {
        let code = random_program(&mut random, 12);
        let routes = all_routes(&code);
        let form = crate::toy::Linear([1, 0, 0], 0);
        let dark = Some(Within { form, low: 0, high: i32::MAX });
        let run = explore(&code, dark, later(Order::Coverage));
        let lost = run.events.iter().filter(|event| matches!(event, Happens::Undecided(_))).count();
        assert_eq!(lost as u64, run.summary.undecided);
        assert_eq!(run.summary.is_complete(), lost == 0);
        assert!(run.routes().iter().all(|route| routes.contains(route)));
        assert!(lost > 0 || run.routes().len() == routes.len());
        undecided += lost;
    }
    assert!(undecided > 0);
}

#[test]
fn new_arms_come_first_in_the_order_of_coverage() {
    // A loop over x, then a switch on y: its arms are new, the loop's are not.
    let code = [
        Code::Negative(0, 1, 3),
        Code::Add(0, 1),
        Code::Jump(0),
        Code::Switch(1, [4, 5, 6, 7, 8]),
        Code::Return(0),
        Code::Return(1),
        Code::Return(2),
        Code::Return(3),
        Code::Return(0),
    ];
    let until_covered = |order| {
        let arms = explore(&code, None, later(order)).coverage.1;
        let covered = |paths: u64| {
            let bounds = Bounds { paths: Some(paths), ..Bounds::default() };
            explore(&code, None, Options { bounds, ..later(order) }).coverage.0
        };
        (1..).find(|&paths| covered(paths) == arms).expect("all arms are taken in the end")
    };
    assert_eq!((until_covered(Order::Coverage), until_covered(Order::DepthFirst)), (5, 6));
}
