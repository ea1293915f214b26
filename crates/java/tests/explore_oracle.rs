//! The oracle against brute force: random conditions over few inputs, every combination of their signs; and
//! the counts of keys put into a search tree.

use evergreen::store::{Memory, Store};
use evergreen::{Evergreen, Reuse, Rung};
use evergreen_java::symbolic::{Assignment, Binary, Cond, Const, Expr, Exprs, InputKind, Ints, Rel};
use evergreen_java::{
    Arm, BranchOracle, End, Explorer, Machine, Options, Path, Pause, Shortcuts, Site, shrink,
};
use evergreen_testing::random::Random;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

type Shared = Rc<RefCell<Exprs>>;

fn oracle(exprs: &Shared, store: &Arc<dyn Store>, reuse: Reuse) -> BranchOracle {
    let _ = evergreen_testing::tools::find("z3");
    let store = store.clone();
    let make = move || Evergreen::builder().with_store(store.clone()).solver("z3").reuse(reuse).build();
    BranchOracle::new(exprs.clone(), Box::new(make))
}

fn memory() -> Arc<dyn Store> {
    Arc::new(Memory::new(1 << 26))
}

/// Asks a list of conditions one after the other, each way.
struct Signs {
    conditions: Vec<Cond>,
    exprs: Shared,
}

impl Machine for Signs {
    type State = usize;
    type Constraint = Cond;
    type Outcome = ();

    fn run(&mut self, state: &mut usize, _: u64, arms: &mut Vec<Arm<Cond>>) -> Pause<()> {
        // Constants are decided by the machine.
        while self.conditions.get(*state).is_some_and(|&c| c == Cond::TRUE || c == Cond::FALSE) {
            *state += 1;
        }
        let Some(&yes) = self.conditions.get(*state) else { return Pause::Ended(()) };
        let no = self.exprs.borrow().not(yes);
        for (index, constraint) in [yes, no].into_iter().enumerate() {
            arms.push(Arm { constraint, site: Site(*state as u32), index: index as u32 });
        }
        Pause::Branch
    }
    fn take(&mut self, state: &mut usize, _: usize) {
        *state += 1;
    }
    fn steps(&self, state: &usize) -> u64 {
        *state as u64
    }
}

const RANGE: (i64, i64) = (-4, 4);

fn random_expr(exprs: &mut Exprs, random: &mut Random, inputs: &[Expr], depth: u32, hard: bool) -> Expr {
    if depth == 0 || random.below(4) == 0 {
        if random.below(4) == 0 {
            let pool = [0, 1, 2, 3, -1, -2, 7, i32::MAX, i32::MIN];
            return exprs.constant(Const::I32(pool[random.below(pool.len())]));
        }
        return inputs[random.below(inputs.len())];
    }
    let a = random_expr(exprs, random, inputs, depth - 1, hard);
    let b = random_expr(exprs, random, inputs, depth - 1, hard);
    let plain = [Binary::Add, Binary::Sub];
    let odd = [Binary::Add, Binary::Mul, Binary::And, Binary::Or, Binary::Xor, Binary::Shl, Binary::Ushr];
    let op = if hard { odd[random.below(odd.len())] } else { plain[random.below(plain.len())] };
    exprs.binary(op, a, b)
}

/// Random conditions; about every third one is hard if `mixed`.
fn random_conditions(exprs: &mut Exprs, random: &mut Random, inputs: &[Expr], mixed: bool) -> Vec<Cond> {
    let relations = [Rel::Eq, Rel::Ne, Rel::Lt, Rel::Ge, Rel::Gt, Rel::Le];
    (0..5)
        .map(|_| {
            let hard = mixed && random.below(3) == 0;
            let a = random_expr(exprs, random, inputs, 2, hard);
            let b = random_expr(exprs, random, inputs, 1, false);
            exprs.relate(relations[random.below(6)], a, b)
        })
        .collect()
}

/// Compares all sign combinations that some input has with those that exploration finds: how many, and how
/// many answers a solver and the core of bit vectors gave.
fn compare(seed: u64, mixed: bool, shortcuts: Shortcuts) -> (usize, u64, u64) {
    let mut random = Random::new(seed);
    let exprs: Shared = Rc::new(RefCell::new(Exprs::new(Ints::Wrapped)));
    let inputs: Vec<Expr> = ["x", "y", "z"]
        .iter()
        .map(|name| exprs.borrow_mut().input(name, InputKind::Int, Some(RANGE)))
        .collect();
    let conditions = random_conditions(&mut exprs.borrow_mut(), &mut random, &inputs, mixed);
    let signs = |model: &Assignment| -> Vec<bool> {
        conditions.iter().map(|&c| exprs.borrow().holds(c, model)).collect()
    };
    let mut expected = BTreeSet::new();
    let all = || RANGE.0..=RANGE.1;
    for (x, y, z) in all().flat_map(|x| all().flat_map(move |y| all().map(move |z| (x, y, z)))) {
        let mut model = Assignment::new();
        for (expr, value) in inputs.iter().zip([x, y, z]) {
            let exprs = exprs.borrow();
            model.set(&exprs, exprs.as_input(*expr).expect("an input"), Const::I32(value as i32));
        }
        expected.insert(signs(&model));
    }
    let mut oracle = oracle(&exprs, &memory(), Reuse::Full);
    let mut machine = Signs { conditions: conditions.clone(), exprs: exprs.clone() };
    let options = Options { shortcuts, ..Options::default() };
    let mut explorer: Explorer<Signs, BranchOracle> = Explorer::new(&mut oracle, 0, options);
    let mut found = BTreeSet::new();
    while let Some(path) = explorer.next(&mut machine, &mut oracle) {
        assert_eq!(path.end, End::Outcome(()), "seed {seed}: {:?}", oracle.trouble());
        let inside = inputs.iter().all(|&i| {
            let Const::I32(n) = exprs.borrow().eval(i, &path.model) else { return false };
            (RANGE.0..=RANGE.1).contains(&n.into())
        });
        assert!(inside, "seed {seed}: a model is outside of the ranges");
        let holds = path.path.constraints().iter().all(|&c| exprs.borrow().holds(c, &path.model));
        assert!(holds && found.insert(signs(&path.model)), "seed {seed}: each path once");
    }
    let shown: Vec<String> = conditions.iter().map(|&c| exprs.borrow().show(c)).collect();
    assert_eq!(found, expected, "seed {seed}: {shown:?}");
    assert!(oracle.trouble().wrong_models.is_empty() && oracle.trouble().error.is_none());
    (found.len(), oracle.stats().solved, oracle.stats().hits(Rung::Bits))
}

#[test]
fn linear_conditions_as_brute_force_says_without_a_solver() {
    let mut total = (0, 0);
    for seed in 0..60 {
        let (paths, solved, bits) = compare(seed, false, Shortcuts::All);
        total = (total.0 + paths, total.1 + solved + bits);
    }
    assert_eq!(total.1, 0, "the native core decides what is linear");
    assert!(total.0 > 300, "{total:?}");
}

#[test]
fn hard_and_linear_conditions_mixed_as_brute_force_says() {
    let (mut solved, mut bits) = (0, 0);
    for seed in 100..130 {
        let found = compare(seed, true, Shortcuts::All);
        (solved, bits) = (solved + found.1, bits + found.2);
    }
    assert!(bits > 20, "some are hard: {bits}");
    assert_eq!(solved, 0, "none is too hard");
    for seed in 200..206 {
        compare(seed, true, Shortcuts::None);
    }
}

/// Puts keys into a binary search tree, comparing by `<`, then `>`.
struct Tree {
    keys: Vec<Expr>,
    exprs: Shared,
}

/// Nodes are keys; children by key.
#[derive(Clone, Default)]
struct Growing {
    key: usize,
    at: Option<usize>,
    second: bool,
    children: Vec<[Option<usize>; 2]>,
    steps: u64,
}

impl Machine for Tree {
    type State = Growing;
    type Constraint = Cond;
    type Outcome = usize;

    fn run(&mut self, state: &mut Growing, _: u64, arms: &mut Vec<Arm<Cond>>) -> Pause<usize> {
        if state.key == 0 {
            state.children = vec![[None; 2]; self.keys.len()];
            state.key = 1;
            state.at = Some(0);
        }
        let Some(at) = state.at.filter(|_| state.key < self.keys.len()) else {
            return Pause::Ended(state.key);
        };
        let relation = if state.second { Rel::Gt } else { Rel::Lt };
        let mut exprs = self.exprs.borrow_mut();
        let yes = exprs.relate(relation, self.keys[state.key], self.keys[at]);
        let no = exprs.not(yes);
        for (index, constraint) in [yes, no].into_iter().enumerate() {
            arms.push(Arm { constraint, site: Site(u32::from(state.second)), index: index as u32 });
        }
        Pause::Branch
    }

    fn take(&mut self, state: &mut Growing, arm: usize) {
        state.steps += 1;
        let at = state.at.unwrap_or(0);
        match (arm, state.second) {
            (0, second) => {
                state.second = false;
                let child = &mut state.children[at][usize::from(second)];
                match *child {
                    Some(next) => state.at = Some(next),
                    None => {
                        *child = Some(state.key);
                        state.key += 1;
                        state.at = Some(0);
                    }
                }
            }
            (_, false) => state.second = true,
            (_, true) => {
                state.second = false;
                state.key += 1;
                state.at = Some(0);
            }
        }
    }

    fn steps(&self, state: &Growing) -> u64 {
        state.steps
    }
}

fn grow(keys: usize, store: &Arc<dyn Store>, reuse: Reuse, shortcuts: Shortcuts) -> (u64, u64, BranchOracle) {
    let exprs: Shared = Rc::new(RefCell::new(Exprs::new(Ints::Wrapped)));
    let keys = (0..keys).map(|i| exprs.borrow_mut().input(&format!("k{i}"), InputKind::Int, None)).collect();
    let mut oracle = oracle(&exprs, store, reuse);
    let mut machine = Tree { keys, exprs };
    let options = Options { shortcuts, ..Options::default() };
    let mut explorer: Explorer<Tree, BranchOracle> = Explorer::new(&mut oracle, Growing::default(), options);
    while explorer.next(&mut machine, &mut oracle).is_some() {}
    let summary = explorer.summary();
    assert!(summary.is_complete());
    (summary.paths, summary.asked(), oracle)
}

#[test]
fn keys_in_a_tree_give_the_ordered_bell_numbers() {
    for (keys, paths) in [(1, 1), (2, 3), (3, 13), (4, 75), (5, 541)] {
        let (found, _, oracle) = grow(keys, &memory(), Reuse::Full, Shortcuts::All);
        assert_eq!((found, oracle.stats().solved), (paths, 0), "{keys} keys");
    }
}

#[test]
fn a_second_run_over_the_same_store_solves_nothing() {
    let store = memory();
    let (paths, asked, first) = grow(3, &store, Reuse::Exact, Shortcuts::None);
    // Native is off below the full level, so each new form is solved once.
    assert_eq!((paths, asked), (13, 24));
    assert!(first.stats().hits(Rung::Exact) + first.stats().hits(Rung::Native) > 0);
    let (_, again, second) = grow(3, &store, Reuse::Exact, Shortcuts::None);
    assert_eq!((again, second.stats().solved, second.solver_starts()), (asked, 0, 0));
}

#[test]
fn inputs_of_a_path_are_brought_near_to_zero() {
    let exprs: Shared = Rc::new(RefCell::new(Exprs::new(Ints::Wrapped)));
    let (x, y, conditions) = {
        let e = &mut *exprs.borrow_mut();
        let x = e.input("x", InputKind::Int, None);
        let y = e.input("y", InputKind::Int, None);
        let (hundred, minus) = (e.constant(Const::I32(100)), e.constant(Const::I32(-7)));
        let sum = e.binary(Binary::Add, x, y);
        let above = e.relate(Rel::Gt, sum, hundred);
        let below = e.relate(Rel::Lt, x, minus);
        (x, y, [above, below])
    };
    let mut oracle = oracle(&exprs, &memory(), Reuse::Full);
    let mut path = Path::new();
    let mut model = Assignment::new();
    for condition in conditions {
        use evergreen_java::{Feasibility, Oracle};
        let Feasibility::Feasible(next) = oracle.ask(&path, &model, condition) else { panic!("feasible") };
        model = next;
        path = path.with(condition);
    }
    let small = shrink(&mut oracle, &exprs, &path, &model, 200);
    let value = |e| exprs.borrow().eval(e, &small);
    // x is the first input: -8 is as near as it gets; then y is 109, since x + y must exceed 100.
    assert_eq!((value(x), value(y)), (Const::I32(-8), Const::I32(109)));
}
