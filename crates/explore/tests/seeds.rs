//! Seeds and ranges on random programs: whatever the seeds and the cuts are, the paths
//! are those of a plain run.

use crate::toy;

use crate::toy::{BruteForce, Code, State, Toy, Within, picking, start};
use evergreen_explore::{
    Answerer, Arm, Asking, Bound, Bounds, End, Explorer, Feasibility, Limit, ModelOf, NoChoices, Old,
    Options, Oracle, Order, Path, Random, Range, Retired, SeedGuide, Seeds, Shortcuts, Summary, Trail,
};
use std::rc::Rc;

const ORDERS: [Order; 4] = [Order::DepthFirst, Order::BreadthFirst, Order::Random(7), Order::Coverage];

type Route = Vec<(u32, u32)>;

/// A test of the toy: inputs, what it picks, and the route that it took when it was made.
#[derive(Clone, Debug, PartialEq)]
struct Test {
    inputs: [i32; 3],
    picks: Vec<u32>,
    route: Route,
}

struct ToyGuide(Rc<Vec<Test>>);

impl SeedGuide<Toy, [i32; 3]> for ToyGuide {
    fn meet(
        &mut self,
        _: &mut Toy,
        state: &State,
        _: &[Arm<Within>],
        seed: usize,
        model: &mut [i32; 3],
    ) -> Result<(), String> {
        assert_eq!(self.0[seed].inputs, *model);
        if state.picks > 0 && self.0[seed].picks.first() == Some(&UNFIT) {
            return Err("it does not fit".into());
        }
        Ok(())
    }

    fn choose(
        &mut self,
        _: &mut Toy,
        state: &State,
        _: &[Arm<Within>],
        seed: usize,
    ) -> Result<usize, String> {
        let pick = self.0[seed].picks.get(state.picks);
        pick.map(|&at| at as usize % 10).ok_or_else(|| format!("it picks only {} times", state.picks))
    }

    fn followed(&mut self, _: &mut Toy, seed: usize, trail: &Trail, arm: &Arm<Within>) -> bool {
        self.0[seed].route.get(trail.depth()) == Some(&(arm.site.0, arm.index))
    }
}

/// Brute force that sees whether it is asked beside a seed.
struct Watched {
    force: BruteForce,
    seeds: Vec<[i32; 3]>,
    beside: u64,
}

impl Oracle<Within> for Watched {
    type Model = [i32; 3];

    fn start(&mut self) -> [i32; 3] {
        self.force.start()
    }

    fn holds(&mut self, constraint: Within, model: &[i32; 3]) -> bool {
        self.force.holds(constraint, model)
    }

    fn ask(&mut self, path: &Path<Within>, parent: &[i32; 3], arm: Within) -> Feasibility<[i32; 3]> {
        self.force.ask(path, parent, arm)
    }

    fn answer(
        &mut self,
        path: &Path<Within>,
        (model, of): (&[i32; 3], ModelOf),
        arm: Within,
    ) -> (Feasibility<[i32; 3]>, Answerer) {
        if of == ModelOf::Seed {
            assert!(self.seeds.contains(model) && !arm.holds(*model), "a seed that goes another way");
            self.beside += 1;
        }
        (self.ask(path, model, arm), Answerer::default())
    }
}

/// Picks 0, and fits nothing from there on.
const UNFIT: u32 = 10;

#[derive(Clone, Debug, PartialEq)]
struct Told {
    position: Vec<u32>,
    /// With a cut path, the bound.
    cut: Option<Bound>,
    test: Test,
    seeds: Vec<usize>,
}

struct Run {
    paths: Vec<Told>,
    retired: Vec<(usize, Retired)>,
    summary: Summary,
    /// Questions beside a seed.
    beside: u64,
}

impl Run {
    fn positions(&self) -> Vec<Vec<u32>> {
        self.paths.iter().map(|told| told.position.clone()).collect()
    }

    fn sorted(&self) -> Vec<Vec<u32>> {
        let mut all = self.positions();
        all.sort();
        all
    }

    fn tests(&self) -> Vec<Test> {
        self.paths.iter().map(|told| told.test.clone()).collect()
    }
}

fn explore(code: &[Code], tests: &[Test], old: Old, range: Range, options: Options) -> Run {
    let force = BruteForce { reach: 3, dark: None };
    let inputs = tests.iter().map(|test| test.inputs).collect();
    let (mut toy, mut oracle) = (Toy { code: code.to_vec() }, Watched { force, seeds: inputs, beside: 0 });
    let models = tests.iter().map(|test| test.inputs).enumerate().collect();
    let guide = Box::new(ToyGuide(Rc::new(tests.to_vec())));
    let seeds = Seeds { models, guide, old };
    let explorer = Explorer::seeded(&mut oracle, start(), Path::new(), [0; 3], seeds, range, options);
    let mut explorer: Explorer<Toy, Watched> = explorer.expect("seeds of the toy fit");
    let mut paths = Vec::new();
    while let Some(found) = explorer.next(&mut toy, &mut oracle) {
        assert!(found.path.constraints().iter().all(|c: &Within| c.holds(found.model)));
        let steps = found.trail.constraints();
        let grown = steps.iter().filter(|step| step.grew).count();
        assert_eq!(grown, found.path.depth());
        let cut = match found.end {
            End::Outcome(_) => None,
            End::Cut(bound) => Some(bound),
            End::Undecided(_) | End::Stuck => panic!("stuck in {code:?}"),
        };
        let route: Route = steps.iter().map(|step| (step.site.0, step.index)).collect();
        let is_pick = |site: u32| matches!(code[site as usize], Code::Pick(_));
        let picks: Vec<u32> = route.iter().filter(|(site, _)| is_pick(*site)).map(|(_, way)| *way).collect();
        let test = Test { inputs: found.model, picks, route };
        if cut.is_none() {
            let (taken, _) = picking(&mut toy, test.inputs, &test.picks, 1000).expect("it ends");
            assert_eq!(taken, test.route, "the model leads along the path");
        }
        paths.push(Told { position: found.trail.position(), cut, test, seeds: found.seeds });
    }
    let (retired, summary) = (explorer.retired().to_vec(), explorer.summary());
    Run { paths, retired, summary, beside: oracle.beside }
}

fn plain(code: &[Code], options: Options) -> Run {
    explore(code, &[], Old::TrustNothing, Range::default(), options)
}

fn seeded(code: &[Code], tests: &[Test]) -> Run {
    explore(code, tests, Old::TrustNothing, Range::default(), Options::default())
}

fn random_code(random: &mut Random, at: usize, length: usize) -> Code {
    let mut later = || at + 1 + random.below((length - at).min(3));
    let targets = [later(), later(), later(), later(), later()];
    let (r, s) = (random.below(4), random.below(3));
    match random.below(11) {
        0 | 1 => Code::Add(r, random.below(7) as i32 - 3),
        2 => Code::Plus(r, s),
        3 => Code::Switch(r, targets),
        4 => Code::Jump(targets[0]),
        5 => Code::Pick(r),
        _ => Code::Negative(r, targets[0], targets[1]),
    }
}

/// Programs without backward jumps, so that they end.
fn random_program(random: &mut Random) -> Vec<Code> {
    let length = 4 + random.below(12);
    let mut code: Vec<Code> = (0..length).map(|at| random_code(random, at, length)).collect();
    code.push(Code::Return(random.below(4)));
    code
}

/// The same program with one instruction changed.
fn mutated(random: &mut Random, code: &[Code]) -> Vec<Code> {
    let mut code = code.to_vec();
    let length = code.len() - 1;
    let at = random.below(length);
    code[at] = random_code(random, at, length);
    code
}

fn some_of(random: &mut Random, tests: &[Test]) -> Vec<Test> {
    let mut some: Vec<Test> = tests.iter().filter(|_| random.below(3) > 0).cloned().collect();
    // In any order, and some twice.
    for i in (1..some.len()).rev() {
        some.swap(i, random.below(i + 1));
    }
    if !some.is_empty() && random.below(3) == 0 {
        some.push(some[random.below(some.len())].clone());
    }
    some
}

/// Each seed leads to the path that it takes, or it is retired; the first seed of a path
/// gives the path its inputs.
fn check_seeds(code: &[Code], tests: &[Test], run: &Run) {
    let mut toy = Toy { code: code.to_vec() };
    let mut seen = vec![0; tests.len()];
    for told in &run.paths {
        for &seed in &told.seeds {
            seen[seed] += 1;
            let taken = picking(&mut toy, tests[seed].inputs, &tests[seed].picks, 1000);
            assert_eq!(taken.map(|(route, _)| route), Some(told.test.route.clone()));
        }
        assert!(told.seeds.is_sorted());
        if let Some(&first) = told.seeds.first() {
            assert_eq!(told.test.inputs, tests[first].inputs);
        }
    }
    for (seed, why) in &run.retired {
        seen[*seed] += 1;
        let taken = picking(&mut toy, tests[*seed].inputs, &tests[*seed].picks, 1000);
        assert!(taken.is_none() && matches!(why, Retired::Misfit(_)), "{why:?}");
    }
    assert!(seen.iter().all(|times| *times == 1), "each seed goes somewhere: {seen:?}");
}

#[test]
fn seeds_of_any_version_change_no_path_and_ask_no_more() {
    let mut random = Random::new(31);
    let (mut asked, mut unseeded, mut retired, mut kept) = (0, 0, 0, 0);
    for _ in 0..100 {
        let code = random_program(&mut random);
        let other = mutated(&mut random, &code);
        let whole = plain(&code, Options::default());
        for made_by in [&code, &other] {
            let tests = some_of(&mut random, &plain(made_by, Options::default()).tests());
            for order in ORDERS {
                for shortcuts in [Shortcuts::All, Shortcuts::Complement, Shortcuts::None] {
                    let options = Options { order, shortcuts, ..Options::default() };
                    let without = plain(&code, options.clone());
                    let run = explore(&code, &tests, Old::TrustNothing, Range::default(), options);
                    assert_eq!(run.sorted(), whole.positions(), "each path once");
                    assert!(run.summary.asked() <= without.summary.asked());
                    assert!(run.summary.is_complete());
                    check_seeds(&code, &tests, &run);
                    if order == Order::DepthFirst {
                        assert_eq!(run.positions(), whole.positions(), "in order");
                    }
                }
            }
            let run = seeded(&code, &tests);
            asked += run.summary.asked();
            unseeded += whole.summary.asked();
            retired += run.retired.len();
            kept += run.paths.iter().filter(|told| !told.seeds.is_empty()).count();
            let by_seed = run.summary.by_seed;
            assert_eq!(whole.summary.asked(), run.summary.asked() + by_seed, "what seeds saved");
        }
    }
    assert_eq!((asked, unseeded, kept, retired), (2809, 3718, 1898, 24));
}

#[test]
fn all_tests_of_an_unchanged_program_leave_only_infeasible_arms_to_ask_about() {
    let mut random = Random::new(32);
    let mut infeasible = 0;
    for _ in 0..300 {
        let code = random_program(&mut random);
        let whole = plain(&code, Options::default());
        let run = seeded(&code, &whole.tests());
        assert_eq!(run.summary.asked(), run.summary.infeasible);
        assert_eq!(
            (run.beside, whole.beside),
            (run.summary.asked(), 0),
            "a test goes wherever a question comes up"
        );
        assert_eq!(run.tests(), whole.tests(), "every test is kept as it was");
        let numbers: Vec<Vec<usize>> = (0..whole.paths.len()).map(|number| vec![number]).collect();
        assert_eq!(run.paths.iter().map(|told| told.seeds.clone()).collect::<Vec<_>>(), numbers);
        let trusting =
            explore(&code, &whole.tests(), Old::TrustInfeasible, Range::default(), Options::default());
        assert_eq!((trusting.summary.asked(), trusting.summary.trusted), (0, run.summary.infeasible));
        assert_eq!(trusting.tests(), whole.tests());
        infeasible += run.summary.infeasible;
    }
    assert_eq!(infeasible, 3448);
}

#[test]
fn questions_after_the_runs_of_seeds_leave_no_path_out() {
    let mut random = Random::new(33);
    let (mut asked, mut by_seed) = (0, 0);
    for _ in 0..100 {
        let code = random_program(&mut random);
        let other = mutated(&mut random, &code);
        let whole = plain(&code, Options::default());
        for made_by in [&code, &other] {
            let tests = some_of(&mut random, &plain(made_by, Options::default()).tests());
            for order in ORDERS {
                let options = Options { order, asking: Asking::Later, ..Options::default() };
                let run = explore(&code, &tests, Old::TrustNothing, Range::default(), options);
                assert_eq!(run.sorted(), whole.positions(), "each path once");
                assert!(run.summary.is_complete());
                check_seeds(&code, &tests, &run);
                let first = run.paths.iter().take_while(|told| !told.seeds.is_empty()).count();
                let seeded = run.paths.iter().filter(|told| !told.seeds.is_empty()).count();
                assert!(first == seeded || !run.retired.is_empty(), "tests run first: {:?}", run.paths);
                asked += run.summary.asked();
                by_seed += run.summary.by_seed;
            }
            let Some(cut) = whole.paths.len().checked_sub(1).map(|last| random.below(last + 1)) else {
                continue;
            };
            let end = || Some(Limit::Position(whole.paths[cut].position.clone()));
            let options = Options { asking: Asking::Later, ..Options::default() };
            let mut both = Vec::new();
            for range in [Range { from: None, to: end() }, Range { from: end(), to: None }] {
                let run = explore(&code, &tests, Old::TrustNothing, range, options.clone());
                both.extend(run.sorted());
            }
            assert_eq!(both, whole.positions(), "two ranges");
        }
    }
    assert_eq!((asked, by_seed), (18676, 5380));
}

/// A place to cut: a position, which may be that of no path, or a test.
fn random_cut(random: &mut Random, whole: &Run) -> Limit {
    let at = random.below(whole.paths.len());
    if random.below(2) == 0 {
        return Limit::Seed(at);
    }
    let mut position = whole.paths[at].position.clone();
    match random.below(4) {
        0 => position.truncate(random.below(position.len() + 1)),
        1 => position.push(random.below(3) as u32),
        2 if !position.is_empty() => {
            let depth = random.below(position.len());
            position[depth] = random.below(6) as u32;
        }
        _ => {}
    }
    Limit::Position(position)
}

fn place(whole: &Run, limit: &Limit) -> Vec<u32> {
    match limit {
        Limit::Position(position) => position.clone(),
        Limit::Seed(number) => whole.paths[*number].position.clone(),
    }
}

fn partition(random: &mut Random, whole: &Run) -> Vec<Range> {
    let mut cuts: Vec<Limit> = (0..random.below(6)).map(|_| random_cut(random, whole)).collect();
    cuts.sort_by_key(|cut| place(whole, cut));
    let ends = || cuts.iter().cloned().map(Some);
    let starts = [None].into_iter().chain(ends());
    starts.zip(ends().chain([None])).map(|(from, to)| Range { from, to }).collect()
}

#[test]
fn any_partition_into_ranges_has_each_path_once() {
    let mut random = Random::new(33);
    let (mut parts, mut outside) = (0, 0);
    for round in 0..150 {
        let code = random_program(&mut random);
        let depth = (round % 3 == 0).then(|| 1 + random.below(4));
        let bounds = Bounds { depth, ..Bounds::default() };
        for order in ORDERS {
            let options = Options { order, bounds: bounds.clone(), ..Options::default() };
            let whole = plain(&code, Options { bounds: bounds.clone(), ..Options::default() });
            let ranges = partition(&mut random, &whole);
            parts += ranges.len();
            let mut all = Vec::new();
            for range in ranges {
                let run = explore(&code, &whole.tests(), Old::TrustNothing, range.clone(), options.clone());
                let mut found: Vec<_> =
                    run.paths.iter().map(|told| (told.position.clone(), told.cut)).collect();
                if order != Order::DepthFirst {
                    found.sort_by(|a, b| a.0.cmp(&b.0));
                }
                let from = range.from.as_ref().map(|limit| place(&whole, limit));
                let to = range.to.as_ref().map(|limit| place(&whole, limit));
                for (position, _) in &found {
                    assert!(from.as_ref().is_none_or(|from| from <= position), "{range:?}");
                    assert!(to.as_ref().is_none_or(|to| position < to), "{range:?}");
                }
                outside += run.summary.out_of_range;
                all.extend(found);
            }
            let expected: Vec<_> = whole.paths.iter().map(|told| (told.position.clone(), told.cut)).collect();
            assert_eq!(all, expected, "{code:?}");
        }
    }
    assert_eq!((parts, outside), (2059, 5465));
}

#[test]
fn ranges_hold_without_other_seeds_than_their_ends() {
    let mut random = Random::new(34);
    for _ in 0..300 {
        let code = random_program(&mut random);
        let whole = plain(&code, Options::default());
        let (low, high) = (random.below(whole.paths.len()), random.below(whole.paths.len()));
        let ends = [whole.paths[low].test.clone(), whole.paths[high].test.clone()];
        let range = Range { from: Some(Limit::Seed(0)), to: Some(Limit::Seed(1)) };
        let run = explore(&code, &ends, Old::TrustNothing, range, Options::default());
        let expected: Vec<_> = whole.positions().into_iter().take(high).skip(low).collect();
        assert_eq!(run.positions(), expected);
        assert!(run.retired.contains(&(1, Retired::OutOfRange)), "the end is not in the range");
        assert!(run.summary.asked() <= whole.summary.asked());
    }
}

/// `x < 0` or not, twice: the second time to no avail.
const TWICE: [Code; 5] =
    [Code::Negative(0, 1, 1), Code::Add(0, 0), Code::Negative(0, 3, 4), Code::Return(0), Code::Return(1)];

#[test]
fn the_rule_of_the_paper_misses_a_path_that_a_changed_condition_opens() {
    let old = plain(&TWICE, Options::default());
    assert_eq!(old.positions(), [vec![0, 0], vec![1, 1]], "the second branch is decided by the first");
    let tests = old.tests();
    assert_eq!((tests[0].inputs[0], tests[1].inputs[0]), (-3, 0));
    // The second branch is on x + 1 now, and -1 takes a new way there. No test of the old version is -1, so
    // every test takes its old path, and nothing at the node shows that the program has changed.
    let mut new = TWICE.to_vec();
    new[1] = Code::Add(0, 1);
    let trusting = explore(&new, &tests, Old::TrustInfeasible, Range::default(), Options::default());
    assert_eq!(trusting.positions(), [vec![0, 0], vec![1, 1]]);
    assert_eq!((trusting.summary.asked(), trusting.summary.trusted), (0, 2));
    assert!(!trusting.summary.is_complete(), "an exploration that left arms out on trust is not complete");
    let asking = seeded(&new, &tests);
    assert_eq!(asking.positions(), [vec![0, 0], vec![0, 1], vec![1, 1]], "x = -1 goes there");
    assert_eq!(asking.paths[1].test.inputs[0], -1);
}

#[test]
fn the_rule_of_the_paper_finds_some_of_the_paths() {
    let mut random = Random::new(35);
    let (mut found, mut all, mut trusted) = (0, 0, 0);
    for _ in 0..300 {
        let code = random_program(&mut random);
        let new = mutated(&mut random, &code);
        let tests = plain(&code, Options::default()).tests();
        let whole = plain(&new, Options::default());
        let run = explore(&new, &tests, Old::TrustInfeasible, Range::default(), Options::default());
        let mut rest = whole.positions().into_iter();
        assert!(run.positions().iter().all(|position| rest.any(|other| other == *position)), "in order");
        assert!(run.summary.asked() <= whole.summary.asked());
        assert!(run.summary.trusted > 0 || run.paths.len() == whole.paths.len());
        found += run.paths.len();
        all += whole.paths.len();
        trusted += run.summary.trusted;
    }
    assert_eq!((found, all, trusted), (6973, 7033, 3067), "it misses some");
}

#[test]
fn seeds_retire_at_choices_at_bounds_and_outside_of_assumptions() {
    let code = [Code::Pick(3), Code::Negative(0, 2, 2), Code::Pick(3), Code::Return(3)];
    let test = |x, picks: &[u32]| Test { inputs: [x, 0, 0], picks: picks.to_vec(), route: vec![] };
    let tests = [
        test(1, &[2, 0]),
        test(1, &[1]),
        test(-1, &[]),
        test(2, &[9, 9]),
        test(2, &[2, 0]),
        test(3, &[UNFIT, 0]),
    ];
    let run = seeded(&code, &tests);
    assert_eq!(run.paths.len(), 18);
    let led: Vec<&Told> = run.paths.iter().filter(|told| !told.seeds.is_empty()).collect();
    assert_eq!(led.len(), 1);
    assert_eq!((&led[0].position, &led[0].seeds), (&vec![2, 1, 0], &vec![0, 4]));
    let few = |n| Retired::Misfit(format!("it picks only {n} times"));
    let mut retired = run.retired.clone();
    retired.sort_by_key(|(number, _)| *number);
    let unfit = Retired::Misfit("it does not fit".into());
    assert_eq!(retired, [(1, few(1)), (2, few(0)), (3, Retired::Nowhere), (5, unfit)]);

    let bounds = Bounds { depth: Some(1), ..Bounds::default() };
    let options = Options { bounds, ..Options::default() };
    let run = explore(&code, &tests[..1], Old::TrustNothing, Range::default(), options);
    assert_eq!(run.retired, [(0, Retired::Cut(Bound::Depth))]);
    assert_eq!(run.paths.iter().map(|told| told.seeds.len()).sum::<usize>(), 1, "its path has the seed");
    assert_eq!(run.retired[0].1.to_string(), "cut by --depth");

    // The seeds must satisfy the initial conditions.
    let (mut toy, mut oracle) = (Toy { code: code.to_vec() }, BruteForce { reach: 3, dark: None });
    let positive = Within { form: toy::Linear([1, 0, 0], 0), low: 1, high: i32::MAX };
    let begin = |oracle: &mut BruteForce, range| {
        let seeds = Seeds {
            models: vec![(0, [0; 3]), (1, [1; 3])],
            guide: Box::new(NoChoices),
            old: Old::TrustNothing,
        };
        let path = Path::new().with(positive);
        Explorer::<Toy, BruteForce>::seeded(oracle, start(), path, [2; 3], seeds, range, Options::default())
    };
    let mut explorer = begin(&mut oracle, Range::default()).expect("no range");
    assert_eq!(explorer.retired(), [(0, Retired::Unfit)]);
    assert!(explorer.next(&mut toy, &mut oracle).is_some());
    assert_eq!(explorer.retired().len(), 2, "nothing is known of what it picks");
    let unfit = begin(&mut oracle, Range { from: None, to: Some(Limit::Seed(0)) }).err();
    assert_eq!(
        unfit.map(|e| e.to_string()).as_deref(),
        Some("seed 0 bounds the range, and it takes no path")
    );
}

#[test]
fn a_range_whose_end_goes_nowhere_still_parts_the_paths() {
    let code = [Code::Negative(0, 1, 1), Code::Pick(3), Code::Return(3)];
    let lost = [Test { inputs: [1, 0, 0], picks: vec![], route: vec![] }];
    let part = |from, to| {
        explore(&code, &lost, Old::TrustNothing, Range { from, to }, Options::default()).positions()
    };
    let seed = || Some(Limit::Seed(0));
    assert_eq!(part(None, seed()), [vec![0, 0], vec![0, 1], vec![0, 2]]);
    assert_eq!(part(seed(), None), [vec![1, 0], vec![1, 1], vec![1, 2]]);
    assert!(part(None, Some(Limit::Position(vec![]))).is_empty());
    assert_eq!(part(Some(Limit::Position(vec![])), Some(Limit::Position(vec![0, 1]))), [vec![0, 0]]);
}
