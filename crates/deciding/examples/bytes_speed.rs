//! How long a path takes where nothing but branches on bytes happens: a machine that asks four questions
//! about each byte, as a scanner does, explored to the end.
//!
//!     cargo run --release -p evergreen-smt-deciding --example bytes_speed -- [BYTES] [plain]
//!
//! `plain` leaves the sets of values out, so that every question goes to the reuse layer.

use evergreen::{AnsweredBy, Evergreen};
use evergreen_deciding::BranchOracle;
use evergreen_explore::{Arm, Explorer, Machine, Options, Pause, Site};
use evergreen_symbolic::{Binary, Cond, Const, Expr, Exprs, InputKind, Ints, Kind, Rel, Table};
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Instant;

struct Scanner {
    exprs: Rc<RefCell<Exprs>>,
    bytes: Vec<Expr>,
    table: Table,
}

/// The byte and the test that are next, and what the byte was found to be so far.
#[derive(Clone)]
struct State {
    byte: usize,
    test: usize,
    steps: u64,
}

impl Scanner {
    fn test(&self, state: &State) -> Cond {
        let mut exprs = self.exprs.borrow_mut();
        let c = self.bytes[state.byte];
        let mut constant = |value: i32| exprs.constant(Const::I32(value));
        let [zero, digit, ten, case, letter, letters, space] = [0, 48, 10, 32, 97, 26, 32].map(&mut constant);
        match state.test {
            0 => {
                let offset = exprs.binary(Binary::Sub, c, digit);
                exprs.relate_unsigned(Rel::Lt, offset, ten)
            }
            1 => {
                let lower = exprs.binary(Binary::Or, c, case);
                let offset = exprs.binary(Binary::Sub, lower, letter);
                exprs.relate_unsigned(Rel::Lt, offset, letters)
            }
            2 => exprs.relate(Rel::Eq, c, space),
            _ => {
                let class = exprs.read_table(self.table, c);
                exprs.relate(Rel::Ne, class, zero)
            }
        }
    }
}

impl Machine for Scanner {
    type State = State;
    type Constraint = Cond;
    type Outcome = ();

    fn run(&mut self, state: &mut State, _: u64, arms: &mut Vec<Arm<Cond>>) -> Pause<()> {
        state.steps += 1;
        if state.byte == self.bytes.len() {
            return Pause::Ended(());
        }
        let holds = self.test(state);
        let site = Site((state.byte * 4 + state.test) as u32);
        arms.push(Arm { constraint: holds, site, index: 0 });
        arms.push(Arm { constraint: holds.negated(), site, index: 1 });
        Pause::Branch
    }

    fn take(&mut self, state: &mut State, arm: usize) {
        state.test += 1;
        if arm == 0 || state.test == 4 {
            state.byte += 1;
            state.test = 0;
        }
    }

    fn steps(&self, state: &State) -> u64 {
        state.steps
    }
}

fn main() {
    let mut words = std::env::args().skip(1);
    let count: usize = words.next().map_or(6, |word| word.parse().expect("a number of bytes"));
    let is_plain = words.next().is_some_and(|word| word == "plain");
    let mut exprs = Exprs::new(Ints::Wrapped);
    let bytes = (0..count).map(|i| exprs.input(&format!("b[{i}]"), InputKind::Octet, None)).collect();
    let cells: Vec<i64> = (0..256).map(|c| i64::from(c < 128 && (c % 7 == 3 || c == 10))).collect();
    let table = exprs.new_table(&cells, Kind::I32);
    let exprs = Rc::new(RefCell::new(exprs));
    let mut machine = Scanner { exprs: exprs.clone(), bytes, table };
    let make = || Evergreen::builder().store("memory:").solver("z3").build();
    let mut oracle = BranchOracle::new(exprs, Box::new(make));
    if is_plain {
        oracle = oracle.without_sets();
    }
    let begin = Instant::now();
    let start = State { byte: 0, test: 0, steps: 0 };
    let mut explorer: Explorer<Scanner, BranchOracle> = Explorer::new(&mut oracle, start, Options::default());
    let mut ends = 0u64;
    while let Some(found) = explorer.next(&mut machine, &mut oracle) {
        ends += found.trail.depth() as u64;
    }
    let took = begin.elapsed();
    let summary = explorer.summary();
    assert!(summary.is_complete(), "{:?}", oracle.trouble());
    let answered = oracle.stats().answered;
    let each = |n: u64| took.as_secs_f64() * 1e6 / n as f64;
    println!(
        "{} paths, {ends} branches on them, {} questions ({} by sets): {:.2} us a path, {:.3} us a branch",
        summary.paths,
        summary.asked(),
        answered.by(AnsweredBy::Sets),
        each(summary.paths),
        each(summary.branches),
    );
}
