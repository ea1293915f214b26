//! The heads of nodes as circuits.

use super::Blaster;
use crate::form::{Node, Op, TableId, ones};
use crate::sat::Lit;

#[derive(Clone, Copy)]
enum Direction {
    Left,
    Right,
}

impl Blaster<'_> {
    pub(super) fn head(&mut self, node: Node, op: Op) -> Vec<Lit> {
        let width = self.form.width(node);
        match op {
            Op::Const(value) => (0..width).map(|i| self.gates.constant(value >> i & 1 == 1)).collect(),
            Op::Leaf(_) | Op::Read(..) => (0..width).map(|_| self.gates.fresh()).collect(),
            Op::Not(a) => self.vector(a).into_iter().map(|l| !l).collect(),
            Op::Neg(a) => {
                let inverted: Vec<Lit> = self.vector(a).into_iter().map(|l| !l).collect();
                let zero = vec![self.gates.no(); usize::from(width)];
                let yes = self.gates.yes();
                self.sum(&inverted, &zero, yes)
            }
            Op::And(a, b) => {
                let (a, b) = (self.vector(a), self.vector(b));
                a.into_iter().zip(b).map(|(x, y)| self.gates.and(x, y)).collect()
            }
            Op::Xor(a, b) => {
                let (a, b) = (self.vector(a), self.vector(b));
                a.into_iter().zip(b).map(|(x, y)| self.gates.xor(x, y)).collect()
            }
            Op::Add(a, b) => self.add(a, b),
            Op::Mul(a, b) => self.product(a, b),
            Op::Udiv(a, b) => self.division(a, b)[0].clone(),
            Op::Urem(a, b) => self.division(a, b)[1].clone(),
            Op::Shl(a, b) => {
                let no = self.gates.no();
                self.shift(a, b, no, Direction::Left)
            }
            Op::Lshr(a, b) => {
                let no = self.gates.no();
                self.shift(a, b, no, Direction::Right)
            }
            Op::Ashr(a, b) => {
                let sign = self.bit(a, u32::from(width) - 1);
                self.shift(a, b, sign, Direction::Right)
            }
            Op::Concat(high, low) => {
                let mut bits = self.vector(low);
                bits.extend(self.vector(high));
                bits
            }
            Op::Extract(a, low) => {
                let bits = self.vector(a);
                bits[usize::from(low)..usize::from(low + width)].to_vec()
            }
            Op::Sext(a) => {
                let mut bits = self.vector(a);
                let sign = *bits.last().expect("has a bit");
                bits.resize(usize::from(width), sign);
                bits
            }
            Op::Ite(c, a, b) => {
                let condition = self.bit(c, 0);
                let (a, b) = (self.vector(a), self.vector(b));
                a.into_iter().zip(b).map(|(x, y)| self.gates.mux(condition, x, y)).collect()
            }
            Op::Eq(a, b) => {
                let (a, b) = (self.vector(a), self.vector(b));
                vec![self.gates.equal(&a, &b)]
            }
            Op::Ult(a, b) => {
                let (a, b) = (self.vector(a), self.vector(b));
                vec![self.less(&a, &b)]
            }
            Op::Slt(a, b) => {
                let (mut a, mut b) = (self.vector(a), self.vector(b));
                // With the signs flipped the order is that of the bits.
                for bits in [&mut a, &mut b] {
                    let sign = bits.last_mut().expect("has a bit");
                    *sign = !*sign;
                }
                vec![self.less(&a, &b)]
            }
            Op::Lookup(table, index, elsewhere) => {
                let (index, elsewhere) = (self.vector(index), self.vector(elsewhere));
                self.lookup(table, &index, &elsewhere)
            }
        }
    }

    fn add(&mut self, a: Node, b: Node) -> Vec<Lit> {
        // A difference is one adder: the carry that goes in is the one of the negation.
        for (x, y) in [(a, b), (b, a)] {
            if let Op::Neg(z) = self.form.op(y) {
                let inverted: Vec<Lit> = self.vector(z).into_iter().map(|l| !l).collect();
                let x = self.vector(x);
                let yes = self.gates.yes();
                return self.sum(&x, &inverted, yes);
            }
        }
        let (a, b) = (self.vector(a), self.vector(b));
        let no = self.gates.no();
        self.sum(&a, &b, no)
    }

    fn sum(&mut self, a: &[Lit], b: &[Lit], carry: Lit) -> Vec<Lit> {
        let mut carry = carry;
        let last = a.len() - 1;
        let mut out = Vec::with_capacity(a.len());
        for (i, (&x, &y)) in a.iter().zip(b).enumerate() {
            let differ = self.gates.xor(x, y);
            out.push(self.gates.xor(differ, carry));
            if i < last {
                carry = self.gates.mux(differ, carry, x);
            }
        }
        out
    }

    /// The last bit at which two vectors differ decides.
    fn less(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let mut less = self.gates.no();
        for (&x, &y) in a.iter().zip(b) {
            let differ = self.gates.xor(x, y);
            less = self.gates.mux(differ, y, less);
        }
        less
    }

    fn product(&mut self, a: Node, b: Node) -> Vec<Lit> {
        let width = self.form.width(a);
        if let Some(k) = self.form.value(b) {
            let x = self.vector(a);
            return self.times(&x, k, width);
        }
        let (a, b) = (self.vector(a), self.vector(b));
        let no = self.gates.no();
        let mut total = vec![no; a.len()];
        for (shift, &bit) in b.iter().enumerate() {
            if bit == no {
                continue;
            }
            let part: Vec<Lit> = (0..a.len())
                .map(|i| if i < shift { no } else { self.gates.and(a[i - shift], bit) })
                .collect();
            total = self.sum(&total, &part, no);
        }
        total
    }

    /// A product with a constant: a sum for each lonely one, a difference for each run of ones.
    fn times(&mut self, x: &[Lit], k: u64, width: u8) -> Vec<Lit> {
        let no = self.gates.no();
        let mut total = vec![no; x.len()];
        let mut rest = u128::from(k);
        let mut shift = 0;
        while rest != 0 && shift < usize::from(width) {
            if rest & 1 == 1 {
                let part: Vec<Lit> =
                    (0..x.len()).map(|i| if i < shift { no } else { x[i - shift] }).collect();
                // Of two neighbouring ones a difference is cheaper: 7 is 8 - 1.
                if rest & 3 == 3 {
                    let inverted: Vec<Lit> = part.iter().map(|&l| !l).collect();
                    let yes = self.gates.yes();
                    total = self.sum(&total, &inverted, yes);
                    rest += 1;
                } else {
                    total = self.sum(&total, &part, no);
                    rest -= 1;
                }
            }
            rest >>= 1;
            shift += 1;
        }
        total
    }

    /// Quotient and remainder, bit by bit from the top.
    fn division(&mut self, a: Node, b: Node) -> [Vec<Lit>; 2] {
        if let Some(&[q, r]) = self.divisions.get(&(a, b)) {
            return [q, r].map(|(start, len)| self.pool[start as usize..(start + len) as usize].to_vec());
        }
        let (x, y) = (self.vector(a), self.vector(b));
        let width = x.len();
        let (no, yes) = (self.gates.no(), self.gates.yes());
        // One bit more than the divisor, so that the shifted remainder fits.
        let mut divisor = y;
        divisor.push(no);
        let inverted: Vec<Lit> = divisor.iter().map(|&l| !l).collect();
        let mut remainder = vec![no; width + 1];
        let mut quotient = vec![no; width];
        for i in (0..width).rev() {
            remainder.rotate_right(1);
            remainder[0] = x[i];
            let below = self.less(&remainder, &divisor);
            let difference = self.sum(&remainder, &inverted, yes);
            quotient[i] = !below;
            for (place, &less) in difference.iter().enumerate() {
                remainder[place] = self.gates.mux(below, remainder[place], less);
            }
        }
        // A divisor of zero is never greater, so the quotient is all ones; its remainder is the dividend,
        // since nothing was taken away.
        remainder.truncate(width);
        let kept = [self.keep(&quotient), self.keep(&remainder)];
        self.divisions.insert((a, b), kept);
        [quotient, remainder]
    }

    fn shift(&mut self, a: Node, by: Node, fill: Lit, direction: Direction) -> Vec<Lit> {
        let mut bits = self.vector(a);
        let by = self.vector(by);
        let width = bits.len();
        let mut beyond = self.gates.no();
        for (stage, &bit) in by.iter().enumerate() {
            let distance = 1usize.checked_shl(stage as u32).filter(|&d| d < width);
            let Some(distance) = distance else {
                beyond = self.gates.or(beyond, bit);
                continue;
            };
            let moved: Vec<Lit> = (0..width)
                .map(|i| match direction {
                    Direction::Left => i.checked_sub(distance).map_or(fill, |j| bits[j]),
                    Direction::Right => bits.get(i + distance).copied().unwrap_or(fill),
                })
                .collect();
            bits = (0..width).map(|i| self.gates.mux(bit, moved[i], bits[i])).collect();
        }
        bits.into_iter().map(|bit| self.gates.mux(beyond, fill, bit)).collect()
    }

    /// A tree of multiplexers over the bits of the index.
    fn lookup(&mut self, table: TableId, index: &[Lit], elsewhere: &[Lit]) -> Vec<Lit> {
        let form = self.form;
        let cells: Vec<(u64, Vec<Lit>)> =
            form.table(table).cells.iter().map(|&(at, cell)| (at, self.cell(cell))).collect();
        self.choose(&cells, index, elsewhere)
    }

    fn cell(&mut self, cell: Node) -> Vec<Lit> {
        match self.form.value(cell) {
            Some(value) => {
                let width = self.form.width(cell);
                (0..width).map(|i| self.gates.constant(value >> i & 1 == 1)).collect()
            }
            None => self.vector(cell),
        }
    }

    fn choose(&mut self, cells: &[(u64, Vec<Lit>)], index: &[Lit], elsewhere: &[Lit]) -> Vec<Lit> {
        if cells.is_empty() {
            return elsewhere.to_vec();
        }
        let Some((&top, rest)) = index.split_last() else { return cells[0].1.clone() };
        let half = 1u64 << rest.len();
        let mask = ones(index.len() as u8);
        let cut = cells.partition_point(|cell| cell.0 & mask < half);
        let (low, high) = cells.split_at(cut);
        if top == self.gates.yes() {
            return self.choose(high, rest, elsewhere);
        }
        if top == self.gates.no() {
            return self.choose(low, rest, elsewhere);
        }
        let (high, low) = (self.choose(high, rest, elsewhere), self.choose(low, rest, elsewhere));
        high.into_iter().zip(low).map(|(x, y)| self.gates.mux(top, x, y)).collect()
    }
}
