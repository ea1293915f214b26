//! Every rule is an equality: compared under all assignments, at every width from 1 to 8.

use super::*;
use crate::eval::Assignment;
use crate::form::{Base, Leaf, Origin, ones};
use crate::lanes::{Lanes, Varying};
use evergreen_term::SymbolId;
use std::collections::BTreeMap;

/// Assignments that are compared one by one where a rule has more leaves than can be exhausted.
const MOST_BITS: u32 = 17;

/// A form with leaves of a few widths.
struct Bench {
    form: Form,
    lanes: Lanes,
}

impl Bench {
    fn new() -> Bench {
        Bench { form: Form::default(), lanes: Lanes::default() }
    }

    fn leaf(&mut self, number: usize, width: u8) -> Node {
        let symbol = SymbolId::from_index(number * 100 + usize::from(width));
        self.form.leaf_of(Origin::Symbol(symbol), width)
    }

    /// Small nodes of a width: leaves, constants, and one head over them.
    fn pool(&mut self, width: u8) -> Vec<Node> {
        let (x, y, c) = (self.leaf(0, width), self.leaf(1, width), self.leaf(2, 1));
        let constants: Vec<u64> =
            [0, 1, 2, 3, 5, ones(width), ones(width) - 1, ones(width) >> 1, 1 << (width - 1), 0x6c].to_vec();
        let mut pool = vec![x, y];
        let f = &mut self.form;
        let numbers: Vec<Node> = constants.iter().map(|&k| f.constant(k, width)).collect();
        pool.extend(&numbers);
        pool.push(f.not(x));
        pool.push(f.neg(x));
        pool.push(f.make(Op::Ite(c, numbers[0], x), width));
        pool.push(f.make(Op::Ite(c, numbers[1], numbers[5]), width));
        pool.push(f.make(Op::Ite(c, x, y), width));
        for op in [
            Op::And(x, y),
            Op::Xor(x, y),
            Op::Add(x, y),
            Op::Mul(x, y),
            Op::Udiv(x, y),
            Op::Urem(x, y),
            Op::Shl(x, y),
            Op::Lshr(x, y),
            Op::Ashr(x, y),
        ] {
            pool.push(f.make(op, width));
        }
        for k in [numbers[3], numbers[5], numbers[8], numbers[9]] {
            for op in
                [Op::And(x, k), Op::Xor(x, k), Op::Add(x, k), Op::Mul(x, k), Op::Udiv(x, k), Op::Urem(y, k)]
            {
                pool.push(f.make(op, width));
            }
        }
        let quotient = f.make(Op::Udiv(x, y), width);
        pool.push(f.make(Op::Mul(quotient, y), width));
        let (nx, ny) = (f.neg(x), f.not(y));
        pool.push(f.add(nx, y));
        pool.push(f.and(x, ny));
        let both = f.and(x, y);
        pool.push(f.not(both));
        let product = f.mul(x, y);
        pool.push(f.add(product, x));
        let next = f.add(y, numbers[1]);
        pool.push(f.mul(x, next));
        if width > 1 {
            let low = width / 2;
            let (h, l) = (self.leaf(3, width - low), self.leaf(4, low));
            let f = &mut self.form;
            pool.push(f.concat(h, l));
            pool.push(f.zero_extend(l, width));
            pool.push(f.sign_extend(h, width));
            pool.push(f.sign_extend(c, width));
            let zero = f.constant(0, low);
            pool.push(f.concat(h, zero));
            let k = f.constant(1, width - low);
            pool.push(f.concat(k, l));
            let part = f.extract(x, low, width - low);
            pool.push(f.concat(part, l));
            let choice = f.make(Op::Ite(c, k, h), width - low);
            pool.push(f.concat(choice, l));
        }
        let wide = self.leaf(5, (width + 3).min(64));
        pool.push(self.form.extract(wide, 1, width));
        let index = self.leaf(6, 2);
        let cells = (0..3).map(|i| (i, self.form.constant(i * 7 + 1, width))).collect();
        let table = self.form.table_of(cells);
        pool.push(self.form.make(Op::Lookup(table, index, x), width));
        pool.sort_unstable();
        pool.dedup();
        pool
    }

    /// The leaves that nodes mention.
    fn leaves(&self, nodes: &[Node]) -> Vec<Leaf> {
        let mut leaves: Vec<Leaf> = nodes
            .iter()
            .filter_map(|&n| match self.form.op(n) {
                Op::Leaf(leaf) => Some(leaf),
                _ => None,
            })
            .collect();
        leaves.dedup();
        leaves
    }

    /// Compares two nodes under all assignments of their leaves.
    fn assert_equal(&mut self, left: Node, right: Node, name: &str) {
        let nodes = eval::reachable(&self.form, &[left, right]);
        let leaves = self.leaves(&nodes);
        let bits: u32 = leaves.iter().map(|&l| u32::from(self.form.leaf(l).1)).sum();
        assert!(bits <= 24, "{name}: too many bits");
        let Some(&first) = leaves.first() else {
            let at = Assignment::default();
            assert_eq!(eval::value(&self.form, left, &at), eval::value(&self.form, right, &at), "{name}");
            return;
        };
        let varying = Varying::all_of(first, self.form.leaf(first).1);
        let lanes = varying.lanes();
        let rest = bits - u32::from(varying.bits);
        for rest in 0..1u64 << rest {
            let mut at = Assignment::default();
            let mut left_bits = rest;
            for &leaf in &leaves[1..] {
                let width = self.form.leaf(leaf).1;
                at.leaves.insert(leaf, left_bits & ones(width));
                left_bits >>= width;
            }
            // A leaf wider than eight bits takes the rest of its bits from what is left.
            at.leaves.insert(first, left_bits << 8);
            self.lanes.run(&self.form, &nodes, &at, varying);
            for lane in 0..lanes {
                let (a, b) = (self.lanes.value(left, lane), self.lanes.value(right, lane));
                assert_eq!(a, b, "rule {name}: {:?} and {:?}", self.form.op(left), self.form.op(right));
            }
        }
    }

    /// Applies every rule that fires for a head over rewritten arguments.
    fn try_rules(&mut self, op: Op, width: u8, tally: &mut BTreeMap<(&'static str, u8), u32>, most: u32) {
        let op = match op {
            // As `make` orders them.
            Op::And(a, b) | Op::Xor(a, b) | Op::Add(a, b) | Op::Mul(a, b) | Op::Eq(a, b) => {
                let constant = |n| self.form.value(n).is_some();
                match (constant(a), constant(b)) {
                    (true, false) => op.with_args(&[b, a]),
                    _ => op,
                }
            }
            _ => op,
        };
        if eval::folded(&self.form, op, width).is_some() {
            return;
        }
        for i in rules_of(head_of(op).expect("has a head")) {
            let rule = &RULES[i];
            let count = tally.entry((rule.name, width)).or_default();
            if *count >= most {
                continue;
            }
            let Some(made) = (rule.apply)(&mut self.form, op, width) else { continue };
            assert_eq!(self.form.width(made), width, "{}", rule.name);
            let plain = self.form.raw(op, width);
            let nodes = eval::reachable(&self.form, &[plain, made]);
            let bits: u32 = self.leaves(&nodes).iter().map(|&l| u32::from(self.form.leaf(l).1)).sum();
            if bits > MOST_BITS {
                continue;
            }
            *count += 1;
            self.assert_equal(plain, made, rule.name);
        }
    }
}

#[test]
fn every_rule_is_an_equality() {
    let mut tally: BTreeMap<(&'static str, u8), u32> = BTreeMap::new();
    for width in 1..=8u8 {
        let mut bench = Bench::new();
        let pool = bench.pool(width);
        let most = if width <= 4 { 400 } else { 12 };
        let condition = bench.leaf(2, 1);
        for &a in &pool {
            for op in [Op::Not(a), Op::Neg(a)] {
                bench.try_rules(op, width, &mut tally, most);
            }
            for more in [1, 3] {
                bench.try_rules(Op::Sext(a), width + more, &mut tally, most);
            }
            for (low, part) in [(0, width.div_ceil(2)), (width / 2, width.div_ceil(2)), (0, width)] {
                bench.try_rules(Op::Extract(a, low), part, &mut tally, most);
            }
            for &b in &pool {
                for op in [
                    Op::And(a, b),
                    Op::Xor(a, b),
                    Op::Add(a, b),
                    Op::Mul(a, b),
                    Op::Udiv(a, b),
                    Op::Urem(a, b),
                    Op::Shl(a, b),
                    Op::Lshr(a, b),
                    Op::Ashr(a, b),
                    Op::Ite(condition, a, b),
                ] {
                    bench.try_rules(op, width, &mut tally, most);
                }
                for op in [Op::Eq(a, b), Op::Ult(a, b), Op::Slt(a, b)] {
                    bench.try_rules(op, 1, &mut tally, most * 8);
                }
                bench.try_rules(Op::Concat(a, b), 2 * width, &mut tally, most);
            }
        }
        let wide = bench.leaf(7, 2 * width);
        let (high, low) = (bench.form.extract(wide, width, width), bench.form.extract(wide, 0, width));
        bench.try_rules(Op::Concat(high, low), 2 * width, &mut tally, most);
        let tail = bench.form.concat(low, pool[0]);
        bench.try_rules(Op::Concat(high, tail), 3 * width, &mut tally, most);
        let not = bench.form.not(condition);
        bench.try_rules(Op::Ite(not, pool[0], pool[1]), width, &mut tally, most);
        bench.try_rules(Op::Ite(Node::TRUE, pool[0], pool[1]), width, &mut tally, most);
        reads(&mut bench, width, &mut tally);
    }
    let silent: Vec<&str> = RULES
        .iter()
        .map(|rule| rule.name)
        .filter(|name| !tally.iter().any(|((n, _), count)| n == name && *count > 0))
        .collect();
    assert!(silent.is_empty(), "rules that never fired: {silent:?}");
}

/// Heads that read tables and arrays.
fn reads(bench: &mut Bench, width: u8, tally: &mut BTreeMap<(&'static str, u8), u32>) {
    let (x, c, index) = (bench.leaf(0, width), bench.leaf(2, 1), bench.leaf(6, 2));
    let f = &mut bench.form;
    let zero = f.constant(0, width);
    let cells: Vec<(u64, Node)> = (0..4).map(|i| (i, f.constant(i * 3 + 1, width))).collect();
    let (all, some) = (f.table_of(cells.clone()), f.table_of(cells[..3].to_vec()));
    let same = f.table_of((0..4).map(|i| (i, x)).collect());
    let two = f.constant(2, 2);
    let choice = f.make(Op::Ite(c, two, index), 2);
    let bit = f.zero_extend(c, 2);
    let base: Base = f.base_of(SymbolId::from_index(9_000), 2, width);
    for table in [all, some, same] {
        for at in [two, index, choice, bit] {
            for elsewhere in [zero, x] {
                bench.try_rules(Op::Lookup(table, at, elsewhere), width, tally, 400);
            }
        }
    }
    let inner = bench.form.make(Op::Lookup(some, index, x), width);
    let other = bench.form.table_of(vec![(1, zero), (3, zero)]);
    bench.try_rules(Op::Lookup(other, index, inner), width, tally, 400);
    for at in [two, choice] {
        bench.try_rules(Op::Read(base, at), width, tally, 400);
    }
}
