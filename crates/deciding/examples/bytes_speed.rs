//! How long a path takes where nothing but branches on bytes happens: a machine that asks four questions
//! about each byte, as a scanner does, explored to the end.
//!
//!     cargo run --release -p evergreen-smt-deciding --example bytes_speed -- [BYTES] [plain] [sums]
//!
//! `plain` leaves the sets of values out, so that every question goes to the reuse layer. `sums` ends each
//! path with four questions about several bytes: the number that they make in decimal, and a comparison of
//! two bytes.

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
    /// Whether there are questions about several bytes at the end.
    sums: bool,
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
        if state.byte == self.bytes.len() {
            return sum(&mut exprs, &self.bytes, state.test);
        }
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

/// A question about all bytes.
fn sum(exprs: &mut Exprs, bytes: &[Expr], test: usize) -> Cond {
    let mut all = exprs.constant(Const::I32(0));
    let (digit, ten) = (exprs.constant(Const::I32(48)), exprs.constant(Const::I32(10)));
    for &byte in bytes {
        let value = exprs.binary(Binary::Sub, byte, digit);
        let shifted = exprs.binary(Binary::Mul, all, ten);
        all = exprs.binary(Binary::Add, shifted, value);
    }
    let mut constant = |value: i32| exprs.constant(Const::I32(value));
    let [limit, seven, three] = [300, 7, 3].map(&mut constant);
    match test {
        0 => exprs.relate(Rel::Gt, all, limit),
        1 => exprs.relate_unsigned(Rel::Lt, all, limit),
        2 => {
            let rest = exprs.binary(Binary::Urem, all, seven);
            exprs.relate(Rel::Eq, rest, three)
        }
        _ => exprs.relate(Rel::Eq, bytes[0], bytes[bytes.len() - 1]),
    }
}

impl Machine for Scanner {
    type State = State;
    type Constraint = Cond;
    type Outcome = ();

    fn run(&mut self, state: &mut State, _: u64, arms: &mut Vec<Arm<Cond>>) -> Pause<()> {
        state.steps += 1;
        if state.byte == self.bytes.len() && (!self.sums || state.test == 4) {
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
        if state.byte < self.bytes.len() && (arm == 0 || state.test == 4) {
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
    let options: Vec<String> = words.collect();
    let has = |option: &str| options.iter().any(|word| word == option);
    let mut exprs = Exprs::new(Ints::Wrapped);
    let bytes = (0..count).map(|i| exprs.input(&format!("b[{i}]"), InputKind::Octet, None)).collect();
    let cells: Vec<i64> = (0..256).map(|c| i64::from(c < 128 && (c % 7 == 3 || c == 10))).collect();
    let table = exprs.new_table(&cells, Kind::I32);
    let exprs = Rc::new(RefCell::new(exprs));
    let mut machine = Scanner { exprs: exprs.clone(), bytes, table, sums: has("sums") };
    let make = || Evergreen::builder().store("memory:").solver("z3").build();
    let mut oracle = BranchOracle::new(exprs, Box::new(make));
    if has("plain") {
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
