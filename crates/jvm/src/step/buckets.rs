//! The tables of hash maps: which place a symbolic key has in them is left open as long as nobody asks.
//!
//! `HashMap` reads `table[(n - 1) & hash]` and writes its nodes there. A path for each place would be 16
//! paths for a key, and almost all of them do the same. So writes at symbolic places are kept as a list over
//! the array as it was ([`Body::Written`]), as in the theory of arrays [McCarthy IFIP'62]. A read at a place
//! is one of the writes, the last that is at the same place, or what was there before; what was there before
//! is null at all free places, which is one arm. Two keys so are in the same place or not: no more is
//! decided until code goes through the table, as iterators do, and asks place by place. The JDK's own code
//! runs, so that sizes, orders and texts are those of the JVM.
//!
//! Code of other classes has a path for each index: its tables are small, and what is in them differs. Only
//! where a table is longer than that allows, and almost all its places hold the same, as those of a cache do
//! (`cache[year & 1023]`), it is left open, too.

use std::rc::Rc;

use evergreen_symbolic::{Cond, Const, Expr, Rel};

use super::Step;
use crate::machine::Jvm;
use crate::native::Trap;
use crate::object::{Body, Written};
use crate::state::State;
use crate::value::{Ref, Value};

/// With more writes their places are chosen: each read compares with all of them.
const MOST_WRITES: usize = 64;

/// Places of a cache that hold something else than most do.
const MOST_OTHERS: usize = 16;

impl Jvm {
    /// Whether a symbolic index of the running instruction into an array of references stays open.
    pub(super) fn keeps_place(&mut self, state: &State, array: Ref) -> bool {
        let is_table = state.top().is_some_and(|frame| {
            !frame.method.user
                && matches!(&*frame.method.class_name, "java/util/HashMap" | "java/util/LinkedHashMap")
        });
        let is_cache = |items: &[Value]| {
            let usual = usual_of(items);
            let is_other = |item: &&Value| usual.is_none_or(|usual| !usual.same(**item));
            items.len() > self.options.indices && items.iter().filter(is_other).count() <= MOST_OTHERS
        };
        self.options.lazy.is_none()
            && match &state.heap.get(array).body {
                Body::Refs(items) => !items.contains(&Value::Unset) && (is_table || is_cache(items)),
                Body::Written(table) => {
                    table.writes.len() < MOST_WRITES && (is_table || is_cache(&table.base))
                }
                _ => false,
            }
    }

    /// The index of an access to a table that has been written at symbolic places.
    pub(crate) fn place_in(&self, index: usize) -> Expr {
        self.exprs.borrow_mut().constant(Const::I32(index as i32))
    }

    /// The element at a place of a table.
    pub(crate) fn read_table(&mut self, state: &mut State, array: Ref, place: Expr) -> Step<Value> {
        let (base, writes) = table(state, array);
        let mut ways: Vec<(Cond, Value)> = Vec::new();
        let mut others = Cond::TRUE;
        for (written, value) in writes.iter().rev() {
            let mut exprs = self.exprs.borrow_mut();
            let same = exprs.relate(Rel::Eq, place, *written);
            ways.push((exprs.and(others, same), *value));
            others = exprs.and(others, same.negated());
        }
        let (low, high) = self.exprs.borrow().interval(place);
        let (low, high) = (low.max(0) as usize, (high.max(0) as usize).min(base.len().saturating_sub(1)));
        let among = base.get(low..=high).unwrap_or_default();
        let usual = usual_of(among).unwrap_or(Value::Null);
        let mut before: Vec<(Cond, Value)> = Vec::new();
        let mut elsewhere = Cond::TRUE;
        for (at, value) in among.iter().enumerate().filter(|(_, value)| !value.same(usual)) {
            let here = self.relate_to(Rel::Eq, place, (low + at) as i64);
            match before.iter_mut().find(|(_, known)| known.same(*value)) {
                Some((all, _)) => *all = self.exprs.borrow_mut().or(*all, here),
                None => before.push((here, *value)),
            }
            elsewhere = self.exprs.borrow_mut().and(elsewhere, here.negated());
        }
        let first = |value: Value| among.iter().position(|item| item.same(value));
        let at = before.iter().take_while(|(_, value)| first(*value) < first(usual)).count();
        before.insert(at, (elsewhere, usual));
        match &mut before[..] {
            // What is at every place is there wherever it is.
            [(all, _)] => *all = others,
            _ => {
                for (all, _) in &mut before {
                    *all = self.exprs.borrow_mut().and(others, *all);
                }
            }
        }
        ways.append(&mut before);
        if ways.len() > self.options.indices {
            let what = format!("a symbolic index into an array of {}", base.len());
            return Err(Trap::unsupported(what, "bound the index, or use a shorter array").into());
        }
        let cases: Vec<Cond> = ways.iter().map(|(case, _)| *case).collect();
        let chosen = self.choose(state, &cases)?;
        Ok(ways[chosen].1)
    }

    /// Writes an element at a place of a table.
    pub(crate) fn write_table(&mut self, state: &mut State, array: Ref, place: Expr, value: Value) {
        let (base, mut writes) = table(state, array);
        // A later write hides all before it at the same place.
        writes.retain(|(written, _)| *written != place);
        writes.push((place, value));
        self.has_open_arrays = true;
        state.heap.get_mut(array).body = Body::Written(Rc::new(Written { base, writes }));
    }

    /// Chooses the place of the first write, and applies it; the caller begins again.
    pub(super) fn choose_place(&mut self, state: &mut State, array: Ref) -> Step {
        let (mut base, mut writes) = table(state, array);
        if writes.is_empty() {
            return Ok(());
        }
        let (place, value) = writes.remove(0);
        let (low, high) = self.exprs.borrow().interval(place);
        let (low, high) = (low.max(0), high.min(base.len() as i64 - 1));
        let cases: Vec<Cond> = (low..=high).map(|at| self.relate_to(Rel::Eq, place, at)).collect();
        let at = low as usize + self.choose(state, &cases)?;
        Rc::make_mut(&mut base)[at] = value;
        state.heap.get_mut(array).body = match writes.is_empty() {
            true => Body::Refs(base),
            false => Body::Written(Rc::new(Written { base, writes })),
        };
        Ok(())
    }
}

/// What most places hold, if they hold one thing: the most frequent of the first few.
fn usual_of(items: &[Value]) -> Option<Value> {
    let count = |value: &Value| items.iter().filter(|item| item.same(*value)).count();
    items.iter().take(MOST_OTHERS).copied().max_by_key(count)
}

/// A table as it was, and the writes.
fn table(state: &State, array: Ref) -> (Rc<[Value]>, Vec<(Expr, Value)>) {
    match &state.heap.get(array).body {
        Body::Written(table) => (table.base.clone(), table.writes.clone()),
        Body::Refs(items) => (items.clone(), Vec::new()),
        _ => (Rc::from([]), Vec::new()),
    }
}
