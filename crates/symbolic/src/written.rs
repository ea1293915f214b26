//! Reads of an array at a symbolic index, after writes at symbolic indices.
//!
//! A write at an unknown index makes a case distinction of every element that it may have hit: element `i` is
//! `w == i ? new : old`. A read at an unknown index that chooses among these elements would repeat the
//! question `w == i` for each of them. Both indices are known to be within the array, so the read is the new
//! value where the indices are equal, and otherwise a read of the old elements: one question instead of one
//! for each element. That is the rule of read over write of the theory of arrays.
//!
//! The writes are found again in the elements; nothing else remembers them. Elements that were written
//! otherwise since then are exceptions, of which a few are compared first.

use crate::exprs::Exprs;
use crate::linear::Sum;
use crate::node::{Expr, Node};
use crate::op::{Binary, Kind, Rel};

/// Arrays of fewer elements are read one by one.
const FEWEST: usize = 3;

/// An element as the last write at an unknown index left it.
struct Written {
    /// Where this form is zero, the element was written.
    place: Sum,
    kind: Kind,
    new: Expr,
    old: Expr,
}

impl Exprs {
    /// The element at an index that is known to be within `table`, whose first element has the index `first`;
    /// `None` if most of the elements do not come from one write.
    pub(crate) fn read_written(&mut self, table: &[Expr], first: i64, index: Expr) -> Option<Expr> {
        if !self.has_bytes() || table.len() < FEWEST {
            return None;
        }
        let written: Vec<Option<Written>> = table.iter().map(|&element| self.as_written(element)).collect();
        let at = written.iter().position(Option::is_some)?;
        let (like, sign) = self.index_of(&written, at)?;
        let Written { kind, new, .. } = *written[at].as_ref()?;
        if kind != self.kind(index) {
            return None;
        }
        // The index of the write: the form is `sign * (it - i)`.
        let mut place = self.merge(kind, sign, &like, 0, &Sum::default());
        place.constant = place.constant.wrapping_add(first + at as i64);
        let place = self.merge(kind, 1, &place, 0, &Sum::default());
        let (mut exceptions, mut old) = (Vec::new(), Vec::with_capacity(table.len()));
        for (i, (&element, written)) in table.iter().zip(&written).enumerate() {
            let own =
                Sum { terms: place.terms.clone(), constant: place.constant.wrapping_sub(first + i as i64) };
            match written {
                Some(w) if w.new == new && w.kind == kind && self.is_same_place(kind, &w.place, &own) => {
                    old.push(w.old);
                }
                // The write cannot have hit it.
                _ if self.multiples(kind, self.integer_interval(&own)).0 == 0 => old.push(element),
                _ => {
                    exceptions.push(i);
                    old.push(element);
                }
            }
        }
        if exceptions.len() > table.len() / 4 {
            return None;
        }
        let place = self.linear(kind, &place);
        let mut all = old.clone();
        // What is compared first may be anything in the rest: the same as beside it.
        for &i in &exceptions {
            let beside =
                (0..table.len()).filter(|j| !exceptions.contains(j)).min_by_key(|j| j.abs_diff(i))?;
            all[i] = all[beside];
        }
        let zero = self.raw_constant(self.kind(index), first);
        let from_first = self.binary(Binary::Sub, index, zero);
        let rest = self.select(&all, from_first);
        let is_same = self.relate(Rel::Eq, index, place);
        let mut read = self.ite(is_same, new, rest);
        for i in exceptions {
            let own = self.raw_constant(self.kind(index), first + i as i64);
            let is_own = self.relate(Rel::Eq, index, own);
            read = self.ite(is_own, table[i], read);
        }
        Some(read)
    }

    /// The form of the first written element, and the sign with which it has the index of the write: known
    /// from another element.
    fn index_of(&self, written: &[Option<Written>], at: usize) -> Option<(Sum, i64)> {
        let like = written[at].as_ref()?;
        for (distance, other) in written[at + 1..].iter().enumerate() {
            let Some(other) = other else { continue };
            if other.new != like.new || other.kind != like.kind || other.place.terms != like.place.terms {
                continue;
            }
            let distance = distance as i64 + 1;
            return match other.place.constant.wrapping_sub(like.place.constant) {
                step if step == -distance => Some((like.place.clone(), 1)),
                step if step == distance => Some((like.place.clone(), -1)),
                _ => None,
            };
        }
        None
    }

    /// Whether two forms are zero for the same inputs: they are equal but for their sign.
    fn is_same_place(&self, kind: Kind, a: &Sum, b: &Sum) -> bool {
        [1, -1].into_iter().any(|sign| {
            let difference = self.merge(kind, 1, a, sign, b);
            difference.terms.is_empty() && difference.constant == 0
        })
    }

    fn as_written(&self, element: Expr) -> Option<Written> {
        let Node::Ite(cond, new, old) = self.node(element) else { return None };
        let Node::Eq(a, b) = self.nodes[cond.index() as usize].node else { return None };
        let kind = self.kind(a);
        let (new, old) = if cond.is_negated() { (old, new) } else { (new, old) };
        let place = self.merge(kind, 1, &self.as_sum(a), -1, &self.as_sum(b));
        Some(Written { place, kind, new, old })
    }
}

#[cfg(test)]
mod tests {
    use crate::{Assignment, Binary, Const, Expr, Exprs, InputKind, Ints, Rel};

    fn int(exprs: &mut Exprs, value: i32) -> Expr {
        exprs.constant(Const::I32(value))
    }

    /// An array after a write at an index.
    fn write(exprs: &mut Exprs, array: &mut [Expr], index: Expr, new: Expr) {
        for (i, element) in array.iter_mut().enumerate() {
            let own = int(exprs, i as i32);
            let is_own = exprs.relate(Rel::Eq, index, own);
            *element = exprs.ite(is_own, new, *element);
        }
    }

    fn inputs<const N: usize>(exprs: &mut Exprs, most: i64) -> [Expr; N] {
        std::array::from_fn(|i| exprs.input(&format!("x{i}"), InputKind::Octet, Some((0, most))))
    }

    #[test]
    fn a_read_of_what_was_written_compares_the_indices() {
        let mut exprs = Exprs::new(Ints::Wrapped);
        let [w, v, r] = inputs(&mut exprs, 7);
        let (zero, one) = (int(&mut exprs, 0), int(&mut exprs, 1));
        let mut used = [zero; 8];
        write(&mut exprs, &mut used, w, one);
        write(&mut exprs, &mut used, v, one);
        let read = exprs.select(&used, r);
        let is_used = exprs.relate(Rel::Ne, read, zero);
        let (same, again) = (exprs.relate(Rel::Eq, r, w), exprs.relate(Rel::Eq, r, v));
        assert_eq!(is_used, exprs.or(same, again));
    }

    /// Forms as indices, an element written since then, and a write that cannot hit all elements.
    #[test]
    fn reads_are_those_of_the_elements() {
        let (mut compared, mut found) = (0, 0);
        for variant in 0..8 {
            let mut exprs = Exprs::new(Ints::Wrapped);
            let [w, v, r] = inputs(&mut exprs, 5);
            let elements: [i32; 9] = [4, 4, 4, 9, 2, 2, 11, 0, 7];
            let mut array = elements.map(|n| int(&mut exprs, n));
            let (two, nine) = (int(&mut exprs, 2), int(&mut exprs, 9));
            let index = match variant % 4 {
                0 => w,
                1 => exprs.binary(Binary::Add, w, two),
                2 => {
                    let eight = int(&mut exprs, 8);
                    exprs.binary(Binary::Sub, eight, w)
                }
                _ => exprs.binary(Binary::Add, w, v),
            };
            write(&mut exprs, &mut array, index, v);
            if variant >= 4 {
                array[3] = nine;
            }
            write(&mut exprs, &mut array, r, w);
            if variant >= 4 {
                array[4] = nine;
            }
            let at = exprs.binary(Binary::Add, v, two);
            let read = exprs.select(&array, at);
            found += usize::from(exprs.read_written(&array[2..=7], 2, at).is_some());
            for number in 0..216 {
                let mut under = Assignment::new();
                for (input, value) in [w, v, r].into_iter().zip([number % 6, number / 6 % 6, number / 36]) {
                    let input = exprs.as_input(input).unwrap();
                    under.set(&exprs, input, Const::I32(value));
                }
                let Const::I32(place) = exprs.eval(at, &under) else { panic!("an int") };
                let element = exprs.eval(array[place as usize], &under);
                assert_eq!(exprs.eval(read, &under), element, "variant {variant}, {number}");
                compared += 1;
            }
        }
        assert_eq!((compared, found), (8 * 216, 8));
    }

    #[test]
    fn other_front_ends_get_what_they_got() {
        let mut exprs = Exprs::new(Ints::Wrapped);
        let w = exprs.input("w", InputKind::Int, Some((0, 7)));
        let (zero, one) = (int(&mut exprs, 0), int(&mut exprs, 1));
        let mut used = [zero; 8];
        write(&mut exprs, &mut used, w, one);
        assert_eq!(exprs.read_written(&used, 0, w), None);
    }
}
