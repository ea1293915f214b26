//! Stores at symbolic places, remembered so that loads can go through them.
//!
//! A store at a symbolic index changes each element where the index is its own: afterwards every element is a
//! case distinction. A load at another symbolic index would choose among all of these. A program that counts
//! characters (`count[c]++`) then doubles its expressions with each character. But the element that is loaded
//! is the stored value if both indices are equal, and otherwise what was there before: one case for each
//! store, whatever the length of the array. This is the chain of writes below a read of the theory of arrays.
//!
//! Elements stay in memory as they are, so everything else sees them there. An overlay only says how they
//! came about, and is compared with them when it is used: elements that were written at known places since
//! are further cases, while they are few.

use crate::address::Elements;
use crate::calc;
use crate::code::{LoadOp, To};
use crate::machine::{Done, WasmMachine};
use crate::state::{Slot, State};
use evergreen_symbolic::{Binary, Const, Expr, Exprs, Kind, Rel};
use std::rc::Rc;

/// Stores that an overlay remembers.
const MOST_UPDATES: usize = 64;
/// Elements of an overlay that may have been written since.
const MOST_CHANGED: usize = 16;
/// Overlays of a path.
const MOST_OVERLAYS: usize = 8;

/// Elements of an array, and the stores that changed them.
#[derive(Debug)]
pub(crate) struct Overlay {
    first: u32,
    stride: u32,
    size: u8,
    /// The elements before the stores.
    base: Vec<Expr>,
    /// The elements after them.
    cells: Vec<Expr>,
    /// Index, counted from the first element, and value of each store; the oldest first.
    updates: Vec<(Expr, Expr)>,
}

impl Overlay {
    /// Whether it has bytes of these elements.
    fn meets(&self, elements: &Elements) -> bool {
        let end = |first: u32, stride: u32, count: usize| u64::from(first) + u64::from(stride) * count as u64;
        u64::from(self.first) < end(elements.first, elements.stride, elements.count as usize)
            && u64::from(elements.first) < end(self.first, self.stride, self.cells.len())
    }

    /// How many elements later others begin, if they are of the same array.
    fn distance(&self, elements: &Elements, size: u8) -> Option<i64> {
        let distance = i64::from(elements.first) - i64::from(self.first);
        let stride = i64::from(self.stride);
        let fits = self.stride == elements.stride && self.size == size && distance % stride == 0;
        fits.then(|| distance / stride)
    }

    /// The element at a place that may be outside.
    fn at(list: &[Expr], place: i64) -> Option<Expr> {
        usize::try_from(place).ok().and_then(|place| list.get(place)).copied()
    }

    /// Those of some elements, from a distance on, that are not what the stores left; `None` if they are many.
    fn changed(&self, distance: i64, now: &[Expr]) -> Option<Vec<usize>> {
        let differs =
            |i: &usize| Overlay::at(&self.cells, *i as i64 + distance).is_some_and(|e| e != now[*i]);
        let changed: Vec<usize> = (0..now.len()).filter(differs).collect();
        (changed.len() <= MOST_CHANGED).then_some(changed)
    }
}

/// Whole numbers of as many bytes as an element has.
fn whole(size: u8) -> To {
    if size == 8 { To::I64 } else { To::I32 }
}

fn moved(exprs: &mut Exprs, index: Expr, by: i64) -> Expr {
    let by = exprs.constant(Const::I32(by as i32));
    exprs.binary(Binary::Add, index, by)
}

/// A value where two indices are equal, another one elsewhere.
fn where_equal(exprs: &mut Exprs, (a, b): (Expr, Expr), value: Expr, other: Expr) -> Expr {
    let same = exprs.relate(Rel::Eq, a, b);
    exprs.ite(same, value, other)
}

impl WasmMachine {
    /// The elements as whole numbers.
    pub(crate) fn elements_now(
        &mut self,
        state: &mut State,
        elements: &Elements,
        size: u8,
    ) -> Done<Vec<Expr>> {
        let op = LoadOp { size, signed: false, to: whole(size) };
        let mut now = Vec::with_capacity(elements.count as usize);
        for i in 0..elements.count {
            let slot = self.load_at(state, op, u64::from(elements.first + i * elements.stride))?;
            now.push(calc::bits(&mut self.exprs.borrow_mut(), slot, op.to));
        }
        Ok(now)
    }

    /// The element that an index means, if stores at symbolic places have changed them: through the stores.
    pub(crate) fn load_overlaid(
        &mut self,
        state: &mut State,
        elements: &Elements,
        op: LoadOp,
    ) -> Done<Option<Slot>> {
        let Some(overlay) = state.overlays.iter().rfind(|overlay| overlay.meets(elements)).cloned() else {
            return Ok(None);
        };
        let Some(distance) = overlay.distance(elements, op.size) else { return Ok(None) };
        let now = self.elements_now(state, elements, op.size)?;
        let Some(changed) = overlay.changed(distance, &now) else { return Ok(None) };
        let mut exprs = self.exprs.borrow_mut();
        let before =
            |(i, now): (usize, &Expr)| Overlay::at(&overlay.base, i as i64 + distance).unwrap_or(*now);
        let base: Vec<Expr> = now.iter().enumerate().map(before).collect();
        let mut element = chosen(&mut exprs, &base, op.size, elements.index);
        for &(index, value) in &overlay.updates {
            let index = moved(&mut exprs, index, -distance);
            element = where_equal(&mut exprs, (elements.index, index), value, element);
        }
        for i in changed {
            let index = exprs.constant(Const::I32(i as i32));
            element = where_equal(&mut exprs, (elements.index, index), now[i], element);
        }
        Ok(Some(calc::loaded(&mut exprs, element, op.size, op.signed, op.to)))
    }

    /// Stores a value where an index is an element's own, and remembers that.
    pub(crate) fn store_overlaid(
        &mut self,
        state: &mut State,
        elements: &Elements,
        (size, value): (u8, Expr),
    ) -> Done<()> {
        let to = whole(size);
        let old = self.elements_now(state, elements, size)?;
        for (i, old) in old.iter().enumerate() {
            let slot = {
                let mut exprs = self.exprs.borrow_mut();
                let own = exprs.constant(Const::I32(i as i32));
                let element = where_equal(&mut exprs, (elements.index, own), value, *old);
                calc::slot(&exprs, element)
            };
            self.store_at(state, (size, to), slot, u64::from(elements.first + i as u32 * elements.stride))?;
        }
        let new = self.elements_now(state, elements, size)?;
        let overlay = self.extended(state, elements, (size, value), &old, &new);
        let overlays = Rc::make_mut(&mut state.overlays);
        if overlays.len() == MOST_OVERLAYS {
            overlays.remove(0);
        }
        overlays.push(Rc::new(overlay));
        Ok(())
    }

    /// The overlay of some elements after another store; the one that it continues is taken out.
    fn extended(
        &self,
        state: &mut State,
        elements: &Elements,
        (size, value): (u8, Expr),
        old: &[Expr],
        new: &[Expr],
    ) -> Overlay {
        let Elements { first, stride, index, .. } = *elements;
        let fresh = || {
            let (base, cells) = (old.to_vec(), new.to_vec());
            Overlay { first, stride, size, base, cells, updates: vec![(index, value)] }
        };
        let Some(at) = state.overlays.iter().rposition(|overlay| overlay.meets(elements)) else {
            return fresh();
        };
        let before = state.overlays[at].clone();
        let Some(distance) = before.distance(elements, size) else { return fresh() };
        Rc::make_mut(&mut state.overlays).remove(at);
        let Some(changed) = before.changed(distance, old) else { return fresh() };
        if before.updates.len() + changed.len() >= MOST_UPDATES {
            return fresh();
        }
        // Both together, without a gap: they have elements in common.
        let from = distance.min(0);
        let to = (distance + old.len() as i64).max(before.cells.len() as i64);
        let of = |list: &[Expr], place: i64| Overlay::at(list, place - distance);
        let base = |place: i64| Overlay::at(&before.base, place).or_else(|| of(old, place));
        let cells = |place: i64| of(new, place).or_else(|| Overlay::at(&before.cells, place));
        let mut exprs = self.exprs.borrow_mut();
        let mut updates: Vec<(Expr, Expr)> =
            before.updates.iter().map(|(index, value)| (moved(&mut exprs, *index, -from), *value)).collect();
        for i in changed {
            let index = exprs.constant(Const::I32((i as i64 + distance - from) as i32));
            updates.push((index, old[i]));
        }
        updates.push((moved(&mut exprs, index, distance - from), value));
        Overlay {
            first: (i64::from(before.first) + from * i64::from(stride)) as u32,
            stride,
            size,
            base: (from..to).filter_map(base).collect(),
            cells: (from..to).filter_map(cells).collect(),
            updates,
        }
    }
}

/// One of some elements.
fn chosen(exprs: &mut Exprs, elements: &[Expr], size: u8, index: Expr) -> Expr {
    let number = |e: &Expr| match exprs.as_const(*e)? {
        Const::I32(n) => Some(i64::from(n)),
        Const::I64(n) => Some(n),
        _ => None,
    };
    let numbers: Option<Vec<i64>> = elements.iter().map(number).collect();
    match numbers {
        Some(numbers) => exprs.table(&numbers, if size == 8 { Kind::I64 } else { Kind::I32 }, index),
        None => exprs.select(elements, index),
    }
}
