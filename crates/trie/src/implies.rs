//! When one constraint follows from others: the rules R1 to R8 [Jia ISSTA'15, 2], and bounds of a sum
//! from bounds of its parts.
//!
//! Constants stand on the right here (`P <= c`), where the paper has them on the left (`P + n <= 0`, so c =
//! -n). Over one prefix that takes every integer value R1 to R8 are complete: no other pair of comparisons
//! implies one another. Implication from several premises is [`Premises`]: still exact arithmetic (128 bits),
//! still cheap (one addition per term).
//!
//! Tried and left out: a variable's bound from a sum and the other variables (`x + y <= 2, y >= 1` gives `x
//! <= 1`): sound and cheap one by one, but it makes every stored prefix a source for every other, so that no
//! look-up has a rare place to begin.

use crate::atom::{Atom, Op, PrefixKey};
use crate::definitions::{Definitions, Term};

/// The name of a rule in the paper.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rule {
    /// `C => C`. Sound because it is trivial.
    R1,
    /// `P = c => P != d` when c != d. Sound because a value is only one number.
    R2,
    /// `P = c => P <= d` when c <= d. Sound because the value c itself is at most d.
    R3,
    /// `P = c => P >= d` when c >= d. Sound because the value c itself is at least d.
    R4,
    /// `P <= c => P != d` when d > c. Sound because d is beyond all allowed values.
    R5,
    /// `P <= c => P <= d` when c < d. Sound because <= is transitive.
    R6,
    /// `P >= c => P != d` when d < c. Sound because d is below all allowed values.
    R7,
    /// `P >= c => P >= d` when c > d. Sound because >= is transitive.
    R8,
}

/// The rule by which `premise` implies `conclusion`, if one does.
pub fn rule(premise: &Atom, conclusion: &Atom) -> Option<Rule> {
    if premise.prefix != conclusion.prefix {
        return None;
    }
    let (c, d) = (premise.constant, conclusion.constant);
    match (premise.op, conclusion.op) {
        (Op::Holds, Op::Holds) => Some(Rule::R1),
        (Op::Holds, _) | (_, Op::Holds) => None,
        (p, q) if p == q && c == d => Some(Rule::R1),
        (Op::Eq, Op::Ne) if c != d => Some(Rule::R2),
        (Op::Eq, Op::Le) if c <= d => Some(Rule::R3),
        (Op::Eq, Op::Ge) if c >= d => Some(Rule::R4),
        (Op::Le, Op::Ne) if d > c => Some(Rule::R5),
        (Op::Le, Op::Le) if c < d => Some(Rule::R6),
        (Op::Ge, Op::Ne) if d < c => Some(Rule::R7),
        (Op::Ge, Op::Ge) if c > d => Some(Rule::R8),
        _ => None,
    }
}

/// Does `premise` alone imply `conclusion`?
#[inline]
pub fn implies(premise: &Atom, conclusion: &Atom) -> bool {
    rule(premise, conclusion).is_some()
}

/// The values that bounds leave to a prefix; a missing end is infinite. Wide enough
/// for sums of 64-bit products.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Interval {
    /// The least value.
    pub low: Option<i128>,
    /// The greatest value.
    pub high: Option<i128>,
}

impl Interval {
    /// Both together. Sound because a value must lie in each.
    pub fn meet(self, other: Interval) -> Interval {
        let low = match (self.low, other.low) {
            (Some(a), Some(b)) => Some(a.max(b)),
            (a, b) => a.or(b),
        };
        let high = match (self.high, other.high) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Interval { low, high }
    }

    /// Narrows by one more atom over the same prefix. `!=` has no interval and narrows nothing.
    pub fn narrow(&mut self, op: Op, constant: i64) {
        let point = Some(i128::from(constant));
        let atom = match op {
            Op::Le => Interval { low: None, high: point },
            Op::Ge => Interval { low: point, high: None },
            Op::Eq => Interval { low: point, high: point },
            Op::Ne | Op::Holds => return,
        };
        *self = self.meet(atom);
    }

    /// Do all values satisfy `op constant`? Sound because each case compares with the
    /// worst value of the interval.
    pub fn implies(&self, op: Op, constant: i64) -> bool {
        let c = i128::from(constant);
        let below = self.high.is_some_and(|high| high < c);
        let above = self.low.is_some_and(|low| low > c);
        match op {
            Op::Le => below || self.high == Some(c),
            Op::Ge => above || self.low == Some(c),
            Op::Eq => self.low == Some(c) && self.high == Some(c),
            Op::Ne => below || above,
            Op::Holds => false,
        }
    }

    /// True if neither end is known.
    pub fn is_everything(&self) -> bool {
        self.low.is_none() && self.high.is_none()
    }

    /// True if no value is left.
    pub fn is_empty(&self) -> bool {
        matches!((self.low, self.high), (Some(low), Some(high)) if low > high)
    }
}

/// The interval of `sum a*v` when each variable v lies in `bounds(v)`.
///
/// Sound because a sum is monotone in each term: it is least where every `a*v` is least, that is at v's low
/// end when a > 0 and at its high end when a < 0; one missing end leaves the sum's end open. A sum that
/// leaves 128 bits is left open too.
pub fn sum_interval<V>(
    terms: impl IntoIterator<Item = (V, i64)>,
    mut bounds: impl FnMut(V) -> Interval,
) -> Interval {
    let mut sum = Interval { low: Some(0), high: Some(0) };
    for (variable, coefficient) in terms {
        let a = i128::from(coefficient);
        let part = bounds(variable);
        let (least, greatest) = if a > 0 { (part.low, part.high) } else { (part.high, part.low) };
        let add = |end: Option<i128>, value: Option<i128>| end?.checked_add(value?.checked_mul(a)?);
        sum = Interval { low: add(sum.low, least), high: add(sum.high, greatest) };
        if sum.is_everything() {
            break;
        }
    }
    sum
}

/// A set of atoms, sorted, as the premises of implications.
#[derive(Clone, Copy, Debug)]
pub struct Premises<'a> {
    atoms: &'a [Atom],
}

impl<'a> Premises<'a> {
    /// These atoms, which must be sorted (as [`crate::reduce()`] leaves them).
    pub fn new(atoms: &'a [Atom]) -> Premises<'a> {
        debug_assert!(atoms.is_sorted());
        Premises { atoms }
    }

    /// The different prefixes.
    pub fn prefixes(&self) -> impl Iterator<Item = PrefixKey> + 'a {
        self.atoms.chunk_by(|a, b| a.prefix == b.prefix).map(|atoms| atoms[0].prefix)
    }

    /// Where the atoms over `prefix` are.
    pub fn places(&self, prefix: PrefixKey) -> std::ops::Range<usize> {
        let start = self.atoms.partition_point(|atom| atom.prefix < prefix);
        let count = self.atoms[start..].iter().take_while(|atom| atom.prefix == prefix).count();
        start..start + count
    }

    /// The interval that the atoms over `prefix` leave to it.
    pub fn interval(&self, prefix: PrefixKey) -> Interval {
        let mut interval = Interval::default();
        for atom in &self.atoms[self.places(prefix)] {
            interval.narrow(atom.op, atom.constant);
        }
        interval
    }

    /// The interval that the bounds of its variables leave to a sum.
    pub fn derived(&self, terms: &[Term]) -> Interval {
        sum_interval(terms.iter().copied(), |variable| self.interval(variable))
    }

    /// Does the set imply `conclusion`, by one of R1 to R8 or by bounds of a sum from
    /// bounds of its variables?
    pub fn imply(&self, conclusion: &Atom, definitions: &Definitions) -> bool {
        if self.atoms[self.places(conclusion.prefix)].iter().any(|premise| implies(premise, conclusion)) {
            return true;
        }
        let Some(terms) = definitions.sum(conclusion.prefix) else { return false };
        let derived = self.derived(terms);
        !derived.is_everything()
            && derived.meet(self.interval(conclusion.prefix)).implies(conclusion.op, conclusion.constant)
    }
}
