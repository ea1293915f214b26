//! Evaluation of nodes for all values of one byte at once.
//!
//! One leaf, or eight bits of a wider one, takes all its values, a lane for each; all other leaves have the
//! value that they have. What does not depend on the leaf is computed once.

use crate::eval::{self, Assignment};
use crate::form::{Form, Leaf, Node, Op, TableId, ones, signed};

/// The most values that a varying part has.
pub(crate) const LANES: usize = 256;

/// The part of a leaf that takes all its values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Varying {
    pub(crate) leaf: Leaf,
    /// Its lowest bit.
    pub(crate) shift: u8,
    /// How many bits, at most eight.
    pub(crate) bits: u8,
}

impl Varying {
    /// All of a narrow leaf.
    pub(crate) fn all_of(leaf: Leaf, width: u8) -> Varying {
        Varying { leaf, shift: 0, bits: width.min(8) }
    }

    /// How many lanes there are.
    pub(crate) fn lanes(self) -> usize {
        1 << self.bits
    }

    /// The value of the leaf in a lane, if its other bits are those of `rest`.
    pub(crate) fn value(self, rest: u64, lane: usize) -> u64 {
        let mask = ones(self.bits) << self.shift;
        (rest & !mask) | ((lane as u64) << self.shift)
    }
}

/// The value of a node: in all lanes the same, or one for each.
#[derive(Clone, Copy)]
enum Value {
    Flat(u64),
    Wide(u32),
}

/// A set of lanes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Set(pub(crate) [u64; 4]);

impl Set {
    /// The first lanes.
    pub(crate) fn first(count: usize) -> Set {
        Set(std::array::from_fn(|i| match count.saturating_sub(64 * i) {
            0 => 0,
            n if n >= 64 => u64::MAX,
            n => (1 << n) - 1,
        }))
    }

    /// The lanes from one to another, both included; none if the first is greater.
    pub(crate) fn between(low: u64, high: u64) -> Set {
        let upto = Set::first(high as usize + 1);
        let below = Set::first(low as usize);
        if low > high { Set([0; 4]) } else { Set(std::array::from_fn(|i| upto.0[i] & !below.0[i])) }
    }

    /// All others of the first lanes.
    pub(crate) fn others(&self, count: usize) -> Set {
        let all = Set::first(count);
        Set(std::array::from_fn(|i| all.0[i] & !self.0[i]))
    }

    pub(crate) fn or(&self, other: &Set) -> Set {
        Set(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0 == [0; 4]
    }

    pub(crate) fn len(&self) -> u32 {
        self.0.iter().map(|w| w.count_ones()).sum()
    }

    pub(crate) fn has(&self, lane: u64) -> bool {
        lane < 256 && self.0[(lane / 64) as usize] >> (lane % 64) & 1 == 1
    }

    pub(crate) fn and(&self, other: &Set) -> Set {
        Set(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    /// The least member.
    pub(crate) fn least(&self) -> Option<u64> {
        self.iter().next()
    }

    /// The greatest member.
    pub(crate) fn greatest(&self) -> Option<u64> {
        (0..4)
            .rev()
            .find(|&i| self.0[i] != 0)
            .map(|i| 64 * i as u64 + 63 - u64::from(self.0[i].leading_zeros()))
    }

    /// The members, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        (0..4).flat_map(|i| {
            let mut word = self.0[i];
            std::iter::from_fn(move || {
                if word == 0 {
                    return None;
                }
                let bit = u64::from(word.trailing_zeros());
                word &= word - 1;
                Some(64 * i as u64 + bit)
            })
        })
    }
}

/// Memory of evaluations, kept between them.
#[derive(Default)]
pub(crate) struct Lanes {
    /// Place among the nodes of the current evaluation, valid where the epoch matches.
    places: Vec<(u32, u32)>,
    epoch: u32,
    values: Vec<Value>,
    wide: Vec<[u64; LANES]>,
}

impl Lanes {
    /// Evaluates nodes in ascending order that contain everything that they are made of. Returns how many
    /// values were computed.
    pub(crate) fn run(&mut self, form: &Form, nodes: &[Node], at: &Assignment, varying: Varying) -> u32 {
        self.epoch = self.epoch.wrapping_add(1);
        if self.places.len() < form.len() {
            self.places.resize(form.len(), (0, 0));
        }
        self.values.clear();
        let mut used = 0;
        for (place, &node) in nodes.iter().enumerate() {
            let value = self.one(form, node, at, varying, &mut used);
            self.places[node.index()] = (self.epoch, place as u32);
            self.values.push(value);
        }
        nodes.len() as u32 + used as u32 * 16
    }

    fn one(&mut self, form: &Form, node: Node, at: &Assignment, varying: Varying, used: &mut usize) -> Value {
        let op = form.op(node);
        let width = form.width(node);
        let (args, count) = op.args();
        let mut v = [Value::Flat(0); 3];
        let mut is_flat = true;
        for (value, &arg) in v.iter_mut().zip(&args[..count]) {
            *value = self.value_of(arg);
            is_flat &= matches!(value, Value::Flat(_));
        }
        if let Op::Leaf(leaf) = op {
            let own = at.leaf(leaf);
            if leaf != varying.leaf {
                return Value::Flat(own);
            }
            return self.fill(used, varying.lanes(), |lane| varying.value(own, lane));
        }
        if is_flat {
            let flat = v.map(|v| match v {
                Value::Flat(v) => v,
                Value::Wide(_) => unreachable!("all are flat"),
            });
            return match op {
                Op::Read(base, _) => match form.known_cell(base, flat[0]) {
                    Some(leaf) if leaf == varying.leaf => {
                        let own = at.leaf(leaf);
                        self.fill(used, varying.lanes(), |lane| varying.value(own, lane))
                    }
                    _ => Value::Flat(at.cell(form, base, flat[0])),
                },
                Op::Lookup(table, ..) => match form.table(table).get(flat[0]) {
                    Some(cell) => self.value_of_cell(form, cell),
                    None => v[1],
                },
                _ => Value::Flat(eval::apply(form, op, width, flat)),
            };
        }
        self.wide_one(form, op, width, v, at, varying, used)
    }

    #[expect(clippy::too_many_arguments, reason = "one step of a loop, split off for its length")]
    fn wide_one(
        &mut self,
        form: &Form,
        op: Op,
        width: u8,
        v: [Value; 3],
        at: &Assignment,
        varying: Varying,
        used: &mut usize,
    ) -> Value {
        let out = *used;
        *used += 1;
        if self.wide.len() <= out {
            self.wide.push([0; LANES]);
        }
        let (before, rest) = self.wide.split_at_mut(out);
        let target = &mut rest[0];
        let n = varying.lanes();
        let all = ones(width);
        macro_rules! two {
            ($f:expr) => {
                match (v[0], v[1]) {
                    (Value::Wide(a), Value::Wide(b)) => {
                        let (a, b) = (&before[a as usize], &before[b as usize]);
                        for i in 0..n {
                            target[i] = $f(a[i], b[i]);
                        }
                    }
                    (Value::Wide(a), Value::Flat(b)) => {
                        let a = &before[a as usize];
                        for i in 0..n {
                            target[i] = $f(a[i], b);
                        }
                    }
                    (Value::Flat(a), Value::Wide(b)) => {
                        let b = &before[b as usize];
                        for i in 0..n {
                            target[i] = $f(a, b[i]);
                        }
                    }
                    (Value::Flat(a), Value::Flat(b)) => target[..n].fill($f(a, b)),
                }
            };
        }
        macro_rules! one {
            ($f:expr) => {{
                let Value::Wide(a) = v[0] else { unreachable!("some argument is wide") };
                let a = &before[a as usize];
                for i in 0..n {
                    target[i] = $f(a[i]);
                }
            }};
        }
        let get = |value: Value, lane: usize| match value {
            Value::Flat(v) => v,
            Value::Wide(place) => before[place as usize][lane],
        };
        match op {
            Op::Not(_) => one!(|a: u64| !a & all),
            Op::Neg(_) => one!(|a: u64| a.wrapping_neg() & all),
            Op::Extract(_, low) => one!(|a: u64| (a >> low) & all),
            Op::Sext(a) => {
                let own = form.width(a);
                one!(|a: u64| signed(a, own) as u64 & all)
            }
            Op::And(..) => two!(|a: u64, b: u64| a & b),
            Op::Xor(..) => two!(|a: u64, b: u64| a ^ b),
            Op::Add(..) => two!(|a: u64, b: u64| a.wrapping_add(b) & all),
            Op::Mul(..) => two!(|a: u64, b: u64| a.wrapping_mul(b) & all),
            Op::Concat(_, low) => {
                let shift = form.width(low);
                two!(|a: u64, b: u64| a << shift | b)
            }
            Op::Eq(..) => two!(|a: u64, b: u64| u64::from(a == b)),
            Op::Ult(..) => two!(|a: u64, b: u64| u64::from(a < b)),
            Op::Slt(a, _) => {
                let own = form.width(a);
                two!(|a: u64, b: u64| u64::from(signed(a, own) < signed(b, own)))
            }
            Op::Udiv(..) | Op::Urem(..) | Op::Shl(..) | Op::Lshr(..) | Op::Ashr(..) => {
                two!(|a: u64, b: u64| eval::apply(form, op, width, [a, b, 0]))
            }
            Op::Ite(..) => {
                for (i, value) in target[..n].iter_mut().enumerate() {
                    *value = if get(v[0], i) == 1 { get(v[1], i) } else { get(v[2], i) };
                }
            }
            Op::Read(base, _) => {
                for (i, value) in target[..n].iter_mut().enumerate() {
                    let index = get(v[0], i);
                    *value = match form.known_cell(base, index) {
                        Some(leaf) if leaf == varying.leaf => varying.value(at.leaf(leaf), i),
                        _ => at.cell(form, base, index),
                    };
                }
            }
            Op::Lookup(table, ..) => {
                let (places, values, epoch) = (&self.places, &self.values, self.epoch);
                let cell_value = |cell: Node, lane: usize| match form.value(cell) {
                    Some(value) => value,
                    None => {
                        let (of, place) = places[cell.index()];
                        debug_assert_eq!(of, epoch);
                        get(values[place as usize], lane)
                    }
                };
                lookup(form, table, n, |i| get(v[0], i), |i| get(v[1], i), cell_value, target);
            }
            Op::Const(_) | Op::Leaf(_) => unreachable!("is flat, or was filled"),
        }
        Value::Wide(out as u32)
    }

    fn value_of(&self, node: Node) -> Value {
        let (epoch, place) = self.places[node.index()];
        debug_assert_eq!(epoch, self.epoch, "arguments come first");
        self.values[place as usize]
    }

    fn value_of_cell(&self, form: &Form, cell: Node) -> Value {
        form.value(cell).map_or_else(|| self.value_of(cell), Value::Flat)
    }

    fn fill(&mut self, used: &mut usize, lanes: usize, value: impl Fn(usize) -> u64) -> Value {
        let out = *used;
        *used += 1;
        if self.wide.len() <= out {
            self.wide.push([0; LANES]);
        }
        self.wide[out][..lanes].iter_mut().enumerate().for_each(|(lane, v)| *v = value(lane));
        Value::Wide(out as u32)
    }

    /// The lanes in which a truth value of the last evaluation holds.
    pub(crate) fn holds(&self, node: Node, lanes: usize) -> Set {
        match self.value_of(node) {
            Value::Flat(0) => Set([0; 4]),
            Value::Flat(_) => Set::first(lanes),
            Value::Wide(place) => {
                let mut set = Set([0; 4]);
                for (word, chunk) in set.0.iter_mut().zip(self.wide[place as usize][..lanes].chunks(64)) {
                    // Eight lanes to a byte: independent sums, which the compiler may vectorize.
                    for (at, eight) in chunk.chunks(8).enumerate() {
                        let byte = eight.iter().enumerate().map(|(i, v)| v << i).fold(0, |a, b| a | b);
                        *word |= byte << (8 * at);
                    }
                }
                set
            }
        }
    }

    /// The value of a node of the last evaluation in a lane.
    pub(crate) fn value(&self, node: Node, lane: usize) -> u64 {
        match self.value_of(node) {
            Value::Flat(value) => value,
            Value::Wide(place) => self.wide[place as usize][lane],
        }
    }
}

fn lookup(
    form: &Form,
    table: TableId,
    lanes: usize,
    index: impl Fn(usize) -> u64,
    elsewhere: impl Fn(usize) -> u64,
    cell: impl Fn(Node, usize) -> u64,
    target: &mut [u64; LANES],
) {
    let table = form.table(table);
    for (lane, value) in target[..lanes].iter_mut().enumerate() {
        *value = match table.get(index(lane)) {
            Some(node) => cell(node, lane),
            None => elsewhere(lane),
        };
    }
}
