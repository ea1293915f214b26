//! Conditions over integers: everything is linear, and every bit operation is a floor division by a constant.
//!
//! A value is a linear form over Int symbols. Where machine arithmetic leaves the integers, one new
//! symbol is the quotient `q = floor(form / m)`, defined by `0 <= form - m * q <= m - 1`, and the
//! value stays linear in `q`:
//!
//! | expression | value |
//! |---|---|
//! | `f` wrapped to w bits | `f - 2^w * floor((f + 2^(w-1)) / 2^w)` |
//! | `x & (2^k - 1)`, `(char) x` | `x - 2^k * floor(x / 2^k)` |
//! | `x >> k` | `floor(x / 2^k)` |
//! | `x >>> k` | `floor(x / 2^k) - 2^(w-k) * s` with `s = floor(x / 2^(w-1))`, which is -1 or 0: the sign |
//! | `x / c` towards zero | `floor((x - (c - 1) * s) / c)` |
//! | `x % c` | `x - c * (x / c)` |
//! | `x` as an unsigned integer | `x - 2^w * floor(x / 2^w)` |
//!
//! The definition of a quotient has exactly one solution for every value of the form, so it can be asserted
//! with anything. Only the 64-bit range of a long is not asserted: unsat is unsat all the same, and
//! [`crate::Writer::read`] reports whether a model fits.
//!
//! All of it stays a conjunction of linear comparisons, which the native core decides.

mod lin;
mod literal;
mod value;

use crate::bounds::{Bounds, View};
use crate::exprs::Exprs;
use crate::node::{Cond, Expr, Input, Node};
use crate::writer::Written;
use evergreen_term::{Fun, TermId, Terms};
use lin::Lin;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};
use value::Write;

/// Nodes as they have been written.
#[derive(Default)]
struct Cache {
    values: FxHashMap<u32, Lin>,
    conds: FxHashMap<u32, TermId>,
    /// The definitions that a node itself needs, beyond those of its children.
    definitions: FxHashMap<u32, Vec<TermId>>,
}

/// The terms written over integers so far.
#[derive(Default)]
pub(crate) struct Integers {
    /// The symbols of the inputs.
    pub(crate) inputs: Vec<(Input, TermId)>,
    known_inputs: FxHashSet<Input>,
    /// The terms that hold on every path.
    cache: Cache,
    /// Symbols that stand for long values.
    named: FxHashMap<Lin, (TermId, TermId)>,
    quotients: FxHashMap<(Lin, i128), (TermId, [TermId; 2])>,
    names: FxHashSet<String>,
    /// A number for each term that depends on its structure and names only: new symbols are named after what
    /// they mean, and so are the same in the next run and the next version.
    digests: FxHashMap<TermId, u64>,
}

/// The range of a long, which conditions are written without.
pub(crate) fn range_of_long(terms: &mut Terms, long: TermId) -> Vec<TermId> {
    let [least, greatest] = [i64::MIN, i64::MAX].map(|end| terms.int(i128::from(end)));
    [[least, long], [long, greatest]].iter().filter_map(|sides| terms.app(Fun::Le, sides).ok()).collect()
}

fn digest(of: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    of.hash(&mut hasher);
    hasher.finish()
}

impl Integers {
    /// The condition with its definitions.
    pub(crate) fn write(&mut self, exprs: &Exprs, terms: &mut Terms, cond: Cond) -> Written {
        let mut cache = std::mem::take(&mut self.cache);
        let written = self.write_in(View::of(exprs), terms, cond, &mut cache);
        self.cache = cache;
        written
    }

    /// The condition with its definitions, where bounds hold.
    pub(crate) fn write_under(
        &mut self,
        exprs: &Exprs,
        terms: &mut Terms,
        cond: Cond,
        bounds: &Bounds,
    ) -> Written {
        let view = View::under(exprs, bounds, &exprs.reachable(cond.index()));
        self.write_in(view, terms, cond, &mut Cache::default())
    }

    fn write_in(&mut self, view: View<'_>, terms: &mut Terms, cond: Cond, cache: &mut Cache) -> Written {
        let exprs = view.exprs;
        let order = order(&view, cond.index());
        let mut write = Write { to: self, view, cache, terms };
        for &node in &order {
            write.node(node);
        }
        let condition = write.literal(cond);
        Written::collect(exprs, &order, &cache.definitions, condition)
    }
}

/// The nodes whose values a condition needs, children first.
fn order(view: &View<'_>, root: u32) -> Vec<u32> {
    let exprs = view.exprs;
    let mut seen: FxHashSet<u32> = [root].into_iter().collect();
    let mut open = vec![root];
    while let Some(index) = open.pop() {
        let mut visit = |child: u32| {
            if seen.insert(child) {
                open.push(child);
            }
        };
        match exprs.nodes[index as usize].node {
            // Used without wrapping: only the atoms are needed.
            Node::Eq(a, b) if view.unwrapped_zero(a, b).is_some() => {
                exprs.children(exprs.node(a), visit);
            }
            Node::Binary(_, a, _) | Node::Cast(_, a) if view.is_unwrapped(Expr(index)) => {
                exprs.children(exprs.node(a), visit);
            }
            node => exprs.children(node, &mut visit),
        }
    }
    let mut order: Vec<u32> = seen.into_iter().collect();
    order.sort_unstable();
    order
}
