//! Gates over literals, written as clauses while they are made.
//!
//! Equal gates are one gate, and constants fold: quantifiers are unrolled over fixed objects, so most
//! parts of a formula are constant. Integers are two's complement words, each as wide as its range needs,
//! so that nothing overflows.

use rustc_hash::FxHashMap;
use std::ops::Not;

/// A literal: twice the variable, plus one if negated. Variable 0 is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Lit(pub u32);

impl Lit {
    pub(crate) const TRUE: Lit = Lit(0);
    pub(crate) const FALSE: Lit = Lit(1);

    pub(crate) fn constant(value: bool) -> Lit {
        if value { Lit::TRUE } else { Lit::FALSE }
    }
}

impl Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// An integer as literals, lowest bit first, the sign last; `defined` is false for a field of nothing.
#[derive(Clone, Debug)]
pub(crate) struct Bits {
    pub lits: Vec<Lit>,
    pub low: i64,
    pub high: i64,
    pub defined: Lit,
}

/// How many two's complement bits the range needs.
fn width(low: i64, high: i64) -> usize {
    let bits = |n: i64| 65 - (if n < 0 { !n } else { n }).leading_zeros() as usize;
    bits(low).max(bits(high))
}

impl Bits {
    pub(crate) fn number(n: i64) -> Bits {
        let lits = (0..width(n, n)).map(|i| Lit::constant(n >> i & 1 == 1)).collect();
        Bits { lits, low: n, high: n, defined: Lit::TRUE }
    }

    pub(crate) fn undefined() -> Bits {
        Bits { defined: Lit::FALSE, ..Bits::number(0) }
    }

    fn bit(&self, i: usize) -> Lit {
        self.lits.get(i).or(self.lits.last()).copied().unwrap_or(Lit::FALSE)
    }
}

/// Clauses, with the gates that they define.
#[derive(Default)]
pub(crate) struct Circuit {
    /// Clauses one after the other, each behind its length.
    clauses: Vec<u32>,
    variables: u32,
    /// Which variables are gates: their inputs determine them.
    gates: Vec<bool>,
    ands: FxHashMap<Vec<Lit>, Lit>,
    xors: FxHashMap<(Lit, Lit), Lit>,
}

impl Circuit {
    pub(crate) fn new() -> Self {
        let mut circuit = Circuit { variables: 1, ..Circuit::default() };
        circuit.clauses.extend([1, Lit::TRUE.0]);
        circuit
    }

    pub(crate) fn variables(&self) -> u32 {
        self.variables
    }

    /// Whether a variable is decided by others.
    pub(crate) fn is_gate(&self, variable: u32) -> bool {
        self.gates.get(variable as usize).copied().unwrap_or(false)
    }

    fn gate(&mut self) -> Lit {
        let gate = self.fresh();
        self.gates.resize(self.variables as usize, false);
        self.gates[gate.0 as usize >> 1] = true;
        gate
    }

    pub(crate) fn fresh(&mut self) -> Lit {
        self.variables += 1;
        Lit((self.variables - 1) << 1)
    }

    /// Requires one of the literals.
    pub(crate) fn clause(&mut self, lits: &[Lit]) {
        if lits.contains(&Lit::TRUE) {
            return;
        }
        let start = self.clauses.len();
        self.clauses.push(0);
        self.clauses.extend(lits.iter().filter(|l| **l != Lit::FALSE).map(|l| l.0));
        self.clauses[start] = (self.clauses.len() - start - 1) as u32;
    }

    /// All clauses.
    pub(crate) fn each_clause(&self, mut f: impl FnMut(&[u32])) {
        let mut at = 0;
        while at < self.clauses.len() {
            let end = at + 1 + self.clauses[at] as usize;
            f(&self.clauses[at + 1..end]);
            at = end;
        }
    }

    pub(crate) fn and(&mut self, lits: &[Lit]) -> Lit {
        let mut all: Vec<Lit> = lits.iter().copied().filter(|l| *l != Lit::TRUE).collect();
        all.sort_unstable();
        all.dedup();
        if all.contains(&Lit::FALSE) || all.windows(2).any(|w| w[0] == !w[1]) {
            return Lit::FALSE;
        }
        match all.as_slice() {
            [] => return Lit::TRUE,
            [one] => return *one,
            _ => {}
        }
        if let Some(gate) = self.ands.get(&all) {
            return *gate;
        }
        let gate = self.gate();
        let mut long = vec![gate];
        for lit in &all {
            self.clause(&[!gate, *lit]);
            long.push(!*lit);
        }
        self.clause(&long);
        self.ands.insert(all, gate);
        gate
    }

    pub(crate) fn or(&mut self, lits: &[Lit]) -> Lit {
        let negated: Vec<Lit> = lits.iter().map(|l| !*l).collect();
        !self.and(&negated)
    }

    pub(crate) fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        // The sign is pulled out, so that a xor b and its negation are one gate.
        let flip = (a.0 ^ b.0) & 1;
        let (a, b) = (Lit(a.0 & !1), Lit(b.0 & !1));
        let (a, b) = (a.min(b), a.max(b));
        let gate = if a == b {
            Lit::FALSE
        } else if a == Lit::TRUE {
            !b
        } else if let Some(gate) = self.xors.get(&(a, b)) {
            *gate
        } else {
            let gate = self.gate();
            self.clause(&[!gate, a, b]);
            self.clause(&[!gate, !a, !b]);
            self.clause(&[gate, !a, b]);
            self.clause(&[gate, a, !b]);
            self.xors.insert((a, b), gate);
            gate
        };
        Lit(gate.0 ^ flip)
    }

    pub(crate) fn choose(&mut self, condition: Lit, a: Lit, b: Lit) -> Lit {
        if condition == Lit::TRUE || a == b {
            return a;
        }
        if condition == Lit::FALSE {
            return b;
        }
        let yes = self.and(&[condition, a]);
        let no = self.and(&[!condition, b]);
        self.or(&[yes, no])
    }

    /// A new literal that holds at least when one of the pairs holds; it may hold otherwise, too.
    pub(crate) fn at_least(&mut self, pairs: &[(Lit, Lit)]) -> Lit {
        let mut open: Vec<Vec<Lit>> = Vec::new();
        for (a, b) in pairs {
            if *a == Lit::FALSE || *b == Lit::FALSE {
                continue;
            }
            let pair: Vec<Lit> = [*a, *b].into_iter().filter(|l| *l != Lit::TRUE).collect();
            if pair.is_empty() {
                return Lit::TRUE;
            }
            open.push(pair);
        }
        match open.as_slice() {
            [] => return Lit::FALSE,
            [one] if one.len() == 1 => return one[0],
            _ => {}
        }
        // Not decided by its inputs: where no pair holds it may be anything.
        let gate = self.fresh();
        for pair in open {
            let mut clause = vec![gate];
            clause.extend(pair.iter().map(|l| !*l));
            self.clause(&clause);
        }
        gate
    }

    /// An integer in a range, its bits free.
    pub(crate) fn number(&mut self, low: i64, high: i64) -> Bits {
        let mut lits: Vec<Lit> = (0..width(low, high)).map(|_| self.fresh()).collect();
        if low >= 0
            && let Some(sign) = lits.last_mut()
        {
            *sign = Lit::FALSE;
        }
        // The range is a part of the declaration, so it holds for objects that do not live, too.
        // It is required of the bits as they are, since comparing numbers whose range is known
        // would take it for granted.
        let far = 1i64 << (lits.len() - 1);
        let raw = Bits { lits: lits.clone(), low: -far, high: far - 1, defined: Lit::TRUE };
        let below = self.less(&raw, &Bits::number(low));
        let above = self.less(&Bits::number(high), &raw);
        self.clause(&[!below]);
        self.clause(&[!above]);
        Bits { lits, low, high, defined: Lit::TRUE }
    }

    fn carry(&mut self, a: Lit, b: Lit, c: Lit) -> (Lit, Lit) {
        let ab = self.xor(a, b);
        let sum = self.xor(ab, c);
        let both = self.and(&[a, b]);
        let through = self.and(&[ab, c]);
        (sum, self.or(&[both, through]))
    }

    pub(crate) fn add(&mut self, a: &Bits, b: &Bits) -> Bits {
        self.add_carry(a, b, Lit::FALSE, a.low + b.low, a.high + b.high)
    }

    pub(crate) fn sub(&mut self, a: &Bits, b: &Bits) -> Bits {
        let negated = Bits { lits: b.lits.iter().map(|l| !*l).collect(), ..b.clone() };
        self.add_carry(a, &negated, Lit::TRUE, a.low - b.high, a.high - b.low)
    }

    fn add_carry(&mut self, a: &Bits, b: &Bits, mut carry: Lit, low: i64, high: i64) -> Bits {
        let mut lits = Vec::new();
        for i in 0..width(low, high) {
            let (sum, next) = self.carry(a.bit(i), b.bit(i), carry);
            lits.push(sum);
            carry = next;
        }
        Bits { lits, low, high, defined: self.and(&[a.defined, b.defined]) }
    }

    pub(crate) fn mul(&mut self, a: &Bits, b: &Bits) -> Bits {
        let ends = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high];
        let low = ends.iter().copied().min().unwrap_or(0);
        let high = ends.iter().copied().max().unwrap_or(0);
        let size = width(low, high);
        // Modulo 2^size a two's complement product is the plain one of the sign-extended words.
        let mut sum = vec![Lit::FALSE; size];
        for i in 0..size {
            let mut carry = Lit::FALSE;
            for (j, bit) in sum.iter_mut().enumerate().skip(i) {
                let term = self.and(&[b.bit(i), a.bit(j - i)]);
                (*bit, carry) = self.carry(*bit, term, carry);
            }
        }
        Bits { lits: sum, low, high, defined: self.and(&[a.defined, b.defined]) }
    }

    /// The remainder by a power of two.
    pub(crate) fn low_bits(&mut self, a: &Bits, n: i64) -> Bits {
        let count = n.trailing_zeros() as usize;
        let mut lits: Vec<Lit> = (0..count).map(|i| a.bit(i)).collect();
        lits.push(Lit::FALSE);
        Bits { lits, low: 0, high: n - 1, defined: a.defined }
    }

    /// a < b, whether defined or not.
    pub(crate) fn less(&mut self, a: &Bits, b: &Bits) -> Lit {
        if a.high < b.low {
            return Lit::TRUE;
        }
        if a.low >= b.high {
            return Lit::FALSE;
        }
        let size = a.lits.len().max(b.lits.len());
        let mut less = Lit::FALSE;
        for i in 0..size {
            // Signed: in the highest place a one is the smaller digit.
            let (x, y) = if i + 1 == size { (b.bit(i), a.bit(i)) } else { (a.bit(i), b.bit(i)) };
            let here = self.and(&[!x, y]);
            let differ = self.xor(x, y);
            let below = self.and(&[!differ, less]);
            less = self.or(&[here, below]);
        }
        less
    }

    /// a = b, whether defined or not.
    pub(crate) fn equal(&mut self, a: &Bits, b: &Bits) -> Lit {
        let size = a.lits.len().max(b.lits.len());
        let same: Vec<Lit> = (0..size).map(|i| !self.xor(a.bit(i), b.bit(i))).collect();
        self.and(&same)
    }

    pub(crate) fn choose_bits(&mut self, condition: Lit, a: &Bits, b: &Bits) -> Bits {
        let (low, high) = (a.low.min(b.low), a.high.max(b.high));
        let lits = (0..width(low, high)).map(|i| self.choose(condition, a.bit(i), b.bit(i))).collect();
        Bits { lits, low, high, defined: self.choose(condition, a.defined, b.defined) }
    }

    /// The value whose selector holds, exactly one of which does.
    pub(crate) fn select(&mut self, choices: &[(Lit, &Bits)]) -> Bits {
        let open: Vec<&(Lit, &Bits)> = choices.iter().filter(|c| c.0 != Lit::FALSE).collect();
        if let Some(sure) =
            open.iter().find(|c| c.0 == Lit::TRUE).or(open.first().filter(|_| open.len() == 1))
        {
            return sure.1.clone();
        }
        let low = open.iter().map(|c| c.1.low).min().unwrap_or(0);
        let high = open.iter().map(|c| c.1.high).max().unwrap_or(0);
        let lits: Vec<Lit> = (0..width(low, high)).map(|_| self.fresh()).collect();
        let defined = if open.iter().all(|c| c.1.defined == Lit::TRUE) { Lit::TRUE } else { self.fresh() };
        for (selector, value) in open {
            let pairs = lits.iter().enumerate().map(|(i, l)| (*l, value.bit(i)));
            for (out, input) in pairs.chain([(defined, value.defined)]) {
                self.clause(&[!*selector, !out, input]);
                self.clause(&[!*selector, out, !input]);
            }
        }
        Bits { lits, low, high, defined }
    }

    /// How many of the literals hold.
    pub(crate) fn count(&mut self, lits: &[Lit]) -> Bits {
        match lits {
            [] => Bits::number(0),
            [one] => Bits { lits: vec![*one, Lit::FALSE], low: 0, high: 1, defined: Lit::TRUE },
            _ => {
                let (a, b) = lits.split_at(lits.len() / 2);
                let (a, b) = (self.count(a), self.count(b));
                self.add(&a, &b)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Constants fold, so arithmetic on constants is checked against the machine's.
    #[test]
    fn arithmetic_of_constants_is_exact() {
        let value = |bits: &Bits| {
            let sign = bits.lits.len() - 1;
            let bit = |i: usize| i64::from(bits.lits[i] == Lit::TRUE);
            (0..sign).map(|i| bit(i) << i).sum::<i64>() - (bit(sign) << sign)
        };
        let mut c = Circuit::new();
        for a in -9..=9 {
            for b in -9..=9 {
                let (x, y) = (Bits::number(a), Bits::number(b));
                assert_eq!(value(&c.add(&x, &y)), a + b);
                assert_eq!(value(&c.sub(&x, &y)), a - b);
                assert_eq!(value(&c.mul(&x, &y)), a * b);
                assert_eq!(value(&c.low_bits(&x, 4)), a.rem_euclid(4));
                assert_eq!(c.less(&x, &y), Lit::constant(a < b));
                assert_eq!(c.equal(&x, &y), Lit::constant(a == b));
            }
        }
        assert_eq!(c.variables(), 1);
    }
}
