//! A conjunction while it is decided: its conjuncts, where each came from, and what is known of the leaves.
//!
//! What is derived remembers what it was derived from, so that a contradiction leads back to the constraints
//! that it needs: that is the core.

use crate::form::{Base, Form, Leaf, Node};
use crate::lanes::Set;
use rustc_hash::{FxHashMap, FxHashSet};

/// A conjunct, by its place in the query.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct ItemId(pub(crate) u32);

/// A conjunct.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) node: Node,
    pub(crate) from: From,
}

/// What a conjunct follows from.
#[derive(Clone, Debug)]
pub(crate) enum From {
    /// A constraint, by its position.
    Given(u32),
    /// Another conjunct.
    Item(ItemId),
    /// Several together.
    Items(Box<[ItemId]>),
    /// Another one, with leaves replaced by their values and arrays by what is known of their cells.
    Replaced(ItemId, Box<Replaced>),
}

/// What was replaced.
#[derive(Clone, Default, Debug)]
pub(crate) struct Replaced {
    pub(crate) leaves: Vec<Leaf>,
    /// Cells of an array at indices of a range.
    pub(crate) cells: Vec<(Base, u64, u64)>,
}

/// The cells of an array that constraints fix.
#[derive(Default, Debug)]
pub(crate) struct Fixed {
    /// Index, value, position of the constraint. Ascending, each index once.
    pub(crate) cells: Vec<(u64, u64, u32)>,
}

impl Fixed {
    /// The value of a cell, and the constraint that says so.
    pub(crate) fn get(&self, index: u64) -> Option<(u64, u32)> {
        let place = self.cells.binary_search_by_key(&index, |c| c.0).ok()?;
        Some((self.cells[place].1, self.cells[place].2))
    }
}

/// What is known of a narrow leaf.
#[derive(Clone, Debug)]
pub(crate) struct Narrow {
    pub(crate) set: Set,
    /// The conjuncts that mention only this leaf, with their sets.
    pub(crate) items: Vec<(ItemId, Set)>,
}

/// Bounds of a leaf of more than eight bits.
#[derive(Clone, Debug)]
pub(crate) struct Bounded {
    pub(crate) low: u64,
    pub(crate) high: u64,
    /// The conjuncts that are bounds.
    pub(crate) items: Vec<ItemId>,
    /// The conjuncts of the two bounds, where they are not those of the width.
    pub(crate) ends: [Option<ItemId>; 2],
}

/// A conjunction that has no model: the conjuncts that show it.
pub(crate) struct Contradiction(pub(crate) Vec<ItemId>);

/// The state of a query.
#[derive(Default)]
pub(crate) struct Query {
    pub(crate) items: Vec<Item>,
    /// Conjuncts over several leaves that are still open.
    pub(crate) open: Vec<ItemId>,
    /// Conjuncts over one leaf of more than eight bits.
    pub(crate) wide: Vec<ItemId>,
    pub(crate) narrow: FxHashMap<Leaf, Narrow>,
    pub(crate) bounds: FxHashMap<Leaf, Bounded>,
    /// Leaves with one value, and the conjunct that says so.
    pub(crate) values: FxHashMap<Leaf, (u64, ItemId)>,
    /// Leaves that are equal to another one in place of which they were put, and the conjunct that says so.
    pub(crate) same: FxHashMap<Leaf, (Leaf, ItemId)>,
    /// Those leaves, in the order in which they were replaced.
    pub(crate) merged: Vec<Leaf>,
    pub(crate) fixed: FxHashMap<Base, Fixed>,
    /// For a width of indices the leaf that stands for those that do not matter.
    pub(crate) elsewhere: Vec<(u8, Leaf)>,
    /// Marks of all leaves and arrays of which something is to be replaced.
    pub(crate) marks: u64,
    /// Those of them that open conjuncts were not yet looked at for.
    pub(crate) news: u64,
}

impl Query {
    pub(crate) fn add(&mut self, node: Node, from: From) -> ItemId {
        self.items.push(Item { node, from });
        ItemId(self.items.len() as u32 - 1)
    }

    pub(crate) fn node(&self, item: ItemId) -> Node {
        self.items[item.0 as usize].node
    }

    /// The positions of the constraints that conjuncts follow from, ascending, each once.
    pub(crate) fn positions(&self, form: &Form, items: &[ItemId]) -> Vec<u32> {
        let mut positions = Vec::new();
        let mut seen: FxHashSet<ItemId> = FxHashSet::default();
        let mut stack = items.to_vec();
        while let Some(item) = stack.pop() {
            if !seen.insert(item) {
                continue;
            }
            match &self.items[item.0 as usize].from {
                From::Given(position) => positions.push(*position),
                From::Item(parent) => stack.push(*parent),
                From::Items(parents) => stack.extend(parents),
                From::Replaced(parent, replaced) => {
                    stack.push(*parent);
                    for leaf in &replaced.leaves {
                        self.reasons(form, *leaf, &mut stack, &mut positions);
                    }
                    for &(base, low, high) in &replaced.cells {
                        if let Some(fixed) = self.fixed.get(&base) {
                            let cells = fixed.cells.iter().filter(|c| low <= c.0 && c.0 <= high);
                            positions.extend(cells.map(|c| c.2));
                        }
                    }
                }
            }
        }
        positions.sort_unstable();
        positions.dedup();
        positions
    }

    /// Why a leaf was replaced: by its only value, or by another leaf.
    fn reasons(&self, form: &Form, leaf: Leaf, stack: &mut Vec<ItemId>, positions: &mut Vec<u32>) {
        if let Some((_, item)) = self.same.get(&leaf) {
            stack.push(*item);
        } else if let Some((_, item)) = self.values.get(&leaf) {
            stack.push(*item);
        } else if let (crate::form::Origin::Cell(base, index), _) = form.leaf(leaf)
            && let Some((_, position)) = self.fixed.get(&base).and_then(|f| f.get(index))
        {
            positions.push(position);
        }
    }
}

/// A few conjuncts over one leaf whose sets have nothing in common.
pub(crate) fn smallest_conflict(items: &[(ItemId, Set)]) -> Vec<ItemId> {
    // From the last one back, only those that take something away; then again from the other end.
    let mut kept: Vec<(ItemId, Set)> = items.to_vec();
    for _ in 0..2 {
        let mut set = Set([u64::MAX; 4]);
        let mut used = Vec::new();
        for &(item, own) in kept.iter().rev() {
            let less = set.and(&own);
            if less != set {
                used.push((item, own));
                set = less;
            }
            if set.is_empty() {
                break;
            }
        }
        kept = used;
    }
    kept.into_iter().map(|(item, _)| item).collect()
}
