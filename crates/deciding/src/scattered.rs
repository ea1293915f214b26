//! Random values for all inputs of a walk.
//!
//! Programs look at sizes that belong together (the length of a row, the number of columns), and at small
//! numbers more often than at large ones. So each walk has a size of its own, which many lengths and numbers
//! are, and each input one of several laws. The value of an input is a function of the number of the walk and
//! of the input's name: it depends on nothing that other paths have met.

use crate::BranchOracle;
use evergreen_explore::{Path, Random};
use evergreen_symbolic::{Assignment, Cond, Const, InputInfo, InputKind, Kind};

/// Of all walks.
const SEED: u64 = 0x005c_a77e_2ed1;

/// Lengths of most walks are less than this.
const SHORT: usize = 5;

impl BranchOracle {
    /// See [`evergreen_explore::Oracle::scatter`].
    pub(crate) fn scattered(
        &mut self,
        model: &mut Assignment,
        path: &Path<Cond>,
        from: usize,
        number: u32,
    ) -> usize {
        let shared = self.exprs();
        let exprs = shared.borrow();
        let count = exprs.input_count();
        if count == from {
            return from;
        }
        let new = exprs.inputs_from(self.digests.len()).map(|(_, info)| digests(info.asked_name()));
        self.digests.extend(new);
        let walk = Walk::of(number);
        let mut is_kept = vec![false; count];
        let conditions = path.constraints();
        for input in conditions.iter().flat_map(|condition| exprs.inputs_of(*condition)) {
            is_kept[input.index()] = true;
        }
        for (input, info) in exprs.inputs_from(from).filter(|(input, _)| !is_kept[input.index()]) {
            let (low, high) = exprs.interval(exprs.expr_of(input));
            model.set(&exprs, input, walk.value(info, walk.digest(self.digests[input.index()]), (low, high)));
        }
        count
    }
}

/// What the values of a walk have in common.
struct Walk {
    number: u64,
    size: i64,
    /// The greatest length.
    longest: usize,
    /// Whether rows of one array, and answers of one function, have lengths of their own.
    is_ragged: bool,
}

impl Walk {
    fn of(number: u32) -> Walk {
        let mut random = Random::for_index(SEED, u64::from(number));
        let is_long = number % 4 == 3;
        let is_ragged = number % 3 == 2;
        let longest = if is_long { 64 } else { SHORT };
        let size = random.below(longest).min(random.below(longest)) as i64;
        Walk { number: number.into(), size, longest, is_ragged }
    }

    fn digest(&self, (whole, row): (u64, u64)) -> u64 {
        if self.is_ragged { whole } else { row }
    }

    fn value(&self, info: &InputInfo, digest: u64, (low, high): (i64, i64)) -> Const {
        let mut random = Random::for_index(SEED ^ digest, self.number);
        let kind = info.kind.kind();
        if let Kind::F32 | Kind::F64 = kind {
            let real = self.real(&mut random);
            return if kind == Kind::F32 { Const::f32(real as f32) } else { Const::f64(real) };
        }
        let whole = match info.kind {
            _ if info.asked_name().ends_with(".length") => self.length(&mut random),
            InputKind::Char => unit(&mut random),
            InputKind::Byte if random.below(2) == 0 => unit(&mut random) & 0x7f,
            _ => self.whole(&mut random),
        };
        let width = high.wrapping_sub(low) as u64;
        let whole = match whole {
            whole if (low..=high).contains(&whole) => whole,
            _ if width < u64::MAX => low.wrapping_add((random.next() % (width + 1)) as i64),
            whole => whole,
        };
        if kind == Kind::I64 { Const::I64(whole) } else { Const::I32(whole as i32) }
    }

    /// -1 is null.
    fn length(&self, random: &mut Random) -> i64 {
        match random.below(10) {
            0 => -1,
            1..=6 => self.size,
            _ => random.below(self.longest) as i64,
        }
    }

    fn whole(&self, random: &mut Random) -> i64 {
        match random.below(20) {
            0..=4 => random.below(6) as i64,
            5..=9 => self.size,
            10 | 11 => -(random.below(5) as i64),
            12..=14 => random.below(100) as i64,
            15 | 16 => [i64::MAX, i64::MIN, i32::MAX.into(), i32::MIN.into()][random.below(4)],
            17 => 1 << random.below(63),
            _ => random.next() as i64 >> random.below(63),
        }
    }

    fn real(&self, random: &mut Random) -> f64 {
        let fraction = |random: &mut Random| (random.next() >> 11) as f64 / (1u64 << 53) as f64;
        match random.below(20) {
            0..=5 => random.below(6) as f64,
            6..=10 => (random.below(81) as f64 - 40.0) / 4.0,
            11 | 12 => 0.0,
            13..=15 => fraction(random),
            16 | 17 => (fraction(random) - 0.5) * 1e3,
            18 => [-0.0, f64::NAN, f64::INFINITY, f64::MAX][random.below(4)],
            _ => f64::from_bits(random.next()),
        }
    }
}

/// Numbers of a name: one of its own, and one that the lengths of all rows of an array share.
fn digests(name: &str) -> (u64, u64) {
    let digest = |bytes: &mut dyn Iterator<Item = u8>| {
        let mut random = Random::new(SEED);
        bytes.for_each(|byte| random.mix(byte.into()));
        random.next()
    };
    let whole = digest(&mut name.bytes());
    if !name.ends_with(".length") {
        return (whole, whole);
    }
    let mut is_index = false;
    let mut row = name.bytes().filter(|byte| {
        is_index = (is_index || *byte == b'[') && *byte != b']';
        !is_index
    });
    (whole, digest(&mut row))
}

/// A character.
fn unit(random: &mut Random) -> i64 {
    let any = |random: &mut Random, first: u8, count: usize| i64::from(first) + random.below(count) as i64;
    match random.below(20) {
        0..=8 => any(random, b'a', 26),
        9..=11 => any(random, b'A', 26),
        12..=14 => any(random, b'0', 10),
        15..=18 => any(random, b' ', 32),
        _ => random.below(0x10000) as i64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evergreen_symbolic::{Exprs, Ints};
    use std::cell::RefCell;
    use std::rc::Rc;

    #[test]
    fn values_depend_on_the_number_and_the_name_and_lie_in_their_ranges() {
        let values = |names: &[&str], number: u32| {
            let mut exprs = Exprs::new(Ints::Wrapped);
            let all: Vec<_> =
                names.iter().map(|name| exprs.input(name, InputKind::Int, Some((-1, 63)))).collect();
            let inputs: Vec<_> = all.iter().map(|expr| exprs.as_input(*expr).expect("an input")).collect();
            let refuse = || unreachable!("no question is asked");
            let mut oracle = BranchOracle::new(Rc::new(RefCell::new(exprs)), Box::new(refuse));
            let mut model = Assignment::new();
            assert_eq!(oracle.scattered(&mut model, &Path::new(), 0, number), names.len());
            let shared = oracle.exprs();
            let exprs = shared.borrow();
            inputs.iter().map(|input| model.integer(&exprs, *input)).collect::<Vec<i64>>()
        };
        let mut seen = std::collections::HashSet::new();
        for number in 0..200 {
            let all = values(&["x", "a.length", "b.length"], number);
            assert!(all.iter().all(|value| (-1..=63).contains(value)), "{all:?}");
            // What other paths have met before makes no difference.
            assert_eq!(values(&["y", "b.length", "x"], number)[1..], [all[2], all[0]]);
            seen.insert(all);
        }
        assert!(seen.len() > 100, "{}", seen.len());
    }
}
