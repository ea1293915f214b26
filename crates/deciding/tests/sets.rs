//! Verdicts and models of the oracle on octets agree with brute force, with and without sets of values.

use evergreen::{AnsweredBy, Evergreen, Reuse};
use evergreen_deciding::BranchOracle;
use evergreen_explore::{Feasibility, Oracle, Path};
use evergreen_symbolic::{Assignment, Binary, Cond, Const, Expr, Exprs, Input, InputKind, Ints, Kind, Rel};
use evergreen_testing::random::Random;
use std::cell::RefCell;
use std::rc::Rc;

fn oracle(exprs: &Rc<RefCell<Exprs>>) -> BranchOracle {
    evergreen_testing::tools::put_on_path();
    let make = || {
        let builder = Evergreen::builder().store("memory:").solver("z3");
        builder.reuse(Reuse::Full).native(true).build()
    };
    BranchOracle::new(exprs.clone(), Box::new(make))
}

/// Octets of a few values, and an int.
const RANGES: [(i64, i64); 3] = [(46, 53), (0, 5), (48, 55)];
const INT: (i64, i64) = (-2, 2);

struct Program {
    exprs: Rc<RefCell<Exprs>>,
    inputs: Vec<Expr>,
    conditions: Vec<Cond>,
    /// Every assignment.
    all: Vec<Assignment>,
}

fn condition(exprs: &mut Exprs, inputs: &[Expr], random: &mut Random) -> Cond {
    let relations = [Rel::Eq, Rel::Ne, Rel::Lt, Rel::Ge, Rel::Gt, Rel::Le];
    let rel = *random.choose(&relations);
    let at = random.below(3);
    let x = inputs[at];
    let (lo, hi) = RANGES[at];
    let constant = exprs.constant(Const::I32(random.between(lo, hi) as i32));
    match random.below(9) {
        0..=3 => exprs.relate(rel, x, constant),
        4 => {
            let width = exprs.constant(Const::I32(random.between(1, 4) as i32));
            let offset = exprs.binary(Binary::Sub, x, constant);
            exprs.relate_unsigned(rel, offset, width)
        }
        5 => {
            let table: Vec<i64> = (0..256).map(|_| random.between(0, 3)).collect();
            let element = exprs.table(&table, Kind::I32, x);
            let one = exprs.constant(Const::I32(1));
            exprs.relate(rel, element, one)
        }
        6 => {
            let by = if random.one_in(2) { 0 } else { random.between(-60, 60) };
            let y = *random.choose(inputs);
            let by = exprs.constant(Const::I32(by as i32));
            let y = exprs.binary(Binary::Add, y, by);
            exprs.relate(rel, x, y)
        }
        7 => {
            let (a, b) = (condition(exprs, inputs, random), condition(exprs, inputs, random));
            if random.one_in(2) { exprs.and(a, b) } else { exprs.or(a, b) }
        }
        _ => {
            let word = exprs.concat_bytes(&inputs[..2], Kind::I32);
            let value = random.between(46, 53) + 256 * random.between(0, 5);
            let value = exprs.constant(Const::I32(value as i32));
            exprs.relate(rel, word, value)
        }
    }
}

impl Program {
    fn new(random: &mut Random, length: usize) -> Program {
        let mut exprs = Exprs::new(Ints::Wrapped);
        let mut inputs: Vec<Expr> = (0..)
            .zip(RANGES)
            .map(|(i, range)| exprs.input(&format!("b[{i}]"), InputKind::Octet, Some(range)))
            .collect();
        inputs.push(exprs.input("n", InputKind::Int, Some(INT)));
        let conditions = (0..length).map(|_| condition(&mut exprs, &inputs, random)).collect();
        let mut all = vec![Assignment::new()];
        for (input, (lo, hi)) in inputs.iter().zip(RANGES.into_iter().chain([INT])) {
            let input: Input = exprs.as_input(*input).expect("an input");
            let with = |old: &Assignment, value: i64| {
                let mut new = old.clone();
                new.set(&exprs, input, Const::I32(value as i32));
                new
            };
            all = all.iter().flat_map(|old| (lo..=hi).map(move |value| with(old, value))).collect();
        }
        Program { exprs: Rc::new(RefCell::new(exprs)), inputs, conditions, all }
    }

    /// Asks about both arms of every branch of the tree; the verdicts, in order, and the models.
    fn walk(&self, oracle: &mut BranchOracle) -> Vec<Option<Vec<i64>>> {
        let mut said = Vec::new();
        let start = oracle.start();
        self.branch(oracle, (&Path::new(), &start), 0, &mut said);
        said
    }

    fn branch(
        &self,
        oracle: &mut BranchOracle,
        (path, model): (&Path<Cond>, &Assignment),
        depth: usize,
        said: &mut Vec<Option<Vec<i64>>>,
    ) {
        let Some(&condition) = self.conditions.get(depth) else { return };
        for arm in [condition, condition.negated()] {
            let feasibility = oracle.ask(path, model, arm);
            let longer = path.with(arm);
            let exprs = self.exprs.borrow();
            let holds = |model: &Assignment| longer.constraints().iter().all(|c| exprs.holds(*c, model));
            let possible = self.all.iter().any(holds);
            let text = || longer.constraints().iter().map(|c| exprs.show(*c)).collect::<Vec<_>>().join(", ");
            match feasibility {
                Feasibility::Feasible(model) => {
                    assert!(possible && holds(&model), "{}", text());
                    let inputs: Vec<Input> = exprs.inputs().map(|(input, _)| input).collect();
                    assert!(exprs.in_range(&inputs, &model), "{}", text());
                    said.push(Some(inputs.iter().map(|input| model.integer(&exprs, *input)).collect()));
                    drop(exprs);
                    self.branch(oracle, (&longer, &model), depth + 1, said);
                }
                Feasibility::Infeasible => {
                    assert!(!possible, "{}", text());
                    said.push(None);
                }
                Feasibility::Unknown => panic!("unknown: {}", text()),
            }
        }
    }
}

#[test]
fn verdicts_agree_with_brute_force() {
    let (mut by_sets, mut others, mut infeasible) = (0, 0, 0);
    for round in 0..60 {
        let mut random = Random::for_index(91, round);
        let program = Program::new(&mut random, 5);
        assert_eq!(program.inputs.len(), 4);
        let mut with = oracle(&program.exprs);
        let said = program.walk(&mut with);
        // The same values in a second walk, in which everything is known already, and by another oracle.
        assert_eq!(program.walk(&mut with), said, "round {round}");
        assert_eq!(program.walk(&mut oracle(&program.exprs)), said, "round {round}");
        let plain = program.walk(&mut oracle(&program.exprs).without_sets());
        let verdicts = |all: &[Option<Vec<i64>>]| all.iter().map(Option::is_some).collect::<Vec<_>>();
        assert_eq!(verdicts(&plain), verdicts(&said), "round {round}");
        infeasible += said.iter().filter(|said| said.is_none()).count();
        let answered = with.stats().answered;
        by_sets += answered.by(AnsweredBy::Sets);
        others += answered.total() - answered.by(AnsweredBy::Sets);
        assert!(with.trouble().wrong_models.is_empty() && with.trouble().error.is_none());
    }
    assert!(by_sets > 2 * others, "{by_sets} by sets, {others} by others");
    assert!(others > 50 && infeasible > 500, "{others} by others, {infeasible} infeasible");
}

#[test]
fn the_value_is_one_that_people_can_read() {
    let mut exprs = Exprs::new(Ints::Wrapped);
    let x = exprs.input("x", InputKind::Octet, None);
    let n = exprs.input("n", InputKind::Octet, Some((0, 64)));
    let conditions = [(x, Rel::Gt, 10), (x, Rel::Gt, 122), (x, Rel::Gt, 126), (n, Rel::Gt, 3)];
    let arms = conditions.map(|(input, rel, bound)| {
        let bound = exprs.constant(Const::I32(bound));
        exprs.relate(rel, input, bound)
    });
    let exprs = Rc::new(RefCell::new(exprs));
    let mut oracle = oracle(&exprs);
    let chosen = arms.map(|arm| {
        let start = oracle.start();
        let Feasibility::Feasible(model) = oracle.ask(&Path::new(), &start, arm) else {
            panic!("{}", exprs.borrow().show(arm))
        };
        let exprs = exprs.borrow();
        [x, n].map(|input| model.integer(&exprs, exprs.as_input(input).expect("an input")))
    });
    assert_eq!(chosen, [[97, 0], [123, 0], [127, 0], [0, 4]]);
    assert_eq!(oracle.stats().answered.by(AnsweredBy::Sets), 4);
}
