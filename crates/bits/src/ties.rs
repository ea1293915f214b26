//! What equalities of arrays mean for a query that mentions them.
//!
//! An equality is a leaf. If it is false, the arrays differ at an index of its own. If it is true, they are
//! equal at every index that matters: where a declared array is read or has a known cell, where one of the
//! compared arrays is written, and where other arrays differ. All other indices are alike, so one stands for
//! them, which differs from each of these; what a declared array has there is its value everywhere else.
//! Where there are no other indices, because vectors of that width are few, all of them are taken.
//!
//! Each of these constraints follows from what the leaves mean, so a query that has no model with them has
//! none, and none of them is part of a core. Models are evaluated before they are given out.

use crate::Beyond;
use crate::decide::Core;
use crate::eval;
use crate::form::{Node, Op, Origin, ones};
use crate::query::{From, ItemId, Query};
use crate::translate::Equality;
use rustc_hash::FxHashSet;

/// Constraints that are added to one query, and indices of one width.
const MOST_TIES: usize = 2_000;
const MOST_INDICES: usize = 64;

/// The equalities of a query, and what was said about them.
#[derive(Default)]
struct Ties {
    equalities: Vec<u32>,
    /// An equality, and an index at which it was looked at.
    done: FxHashSet<(u32, Node)>,
    nodes: Vec<Node>,
}

impl Core {
    /// Adds to a query what its equalities of arrays mean. Whether it has any.
    pub(crate) fn tie_arrays(
        &mut self,
        query: &mut Query,
        pending: &mut Vec<ItemId>,
    ) -> Result<bool, Beyond> {
        if self.translator.equalities.is_empty() {
            return Ok(false);
        }
        let mut ties =
            Ties { nodes: pending.iter().map(|&item| query.node(item)).collect(), ..Ties::default() };
        let given = ties.nodes.len();
        loop {
            let before = ties.nodes.len();
            self.find_equalities(&mut ties);
            if ties.equalities.is_empty() {
                return Ok(false);
            }
            for width in self.widths(&ties) {
                let indices = self.indices(query, &ties, width)?;
                for &number in &ties.equalities.clone() {
                    if self.translator.equalities.get(number).index == width {
                        self.tie(&mut ties, number, &indices)?;
                    }
                }
            }
            if ties.nodes.len() == before {
                break;
            }
        }
        let count = ties.equalities.len();
        for width in self.widths(&ties) {
            self.tie_elsewhere(query, &mut ties, width)?;
        }
        self.find_equalities(&mut ties);
        if ties.equalities.len() > count {
            return Err(Beyond::Effort);
        }
        let added = ties.nodes[given..].iter().map(|&node| query.add(node, From::Items(Box::new([]))));
        // What was asked is looked at first.
        pending.splice(0..0, added);
        Ok(true)
    }

    /// Notes the equalities that the nodes mention.
    fn find_equalities(&self, ties: &mut Ties) {
        for node in eval::reachable(&self.form, &ties.nodes) {
            if let Op::Leaf(leaf) = self.form.op(node)
                && let (Origin::Same(number), _) = self.form.leaf(leaf)
                && !ties.equalities.contains(&number)
            {
                ties.equalities.push(number);
            }
        }
    }

    fn widths(&self, ties: &Ties) -> Vec<u8> {
        let mut widths: Vec<u8> =
            ties.equalities.iter().map(|&number| self.translator.equalities.get(number).index).collect();
        widths.sort_unstable();
        widths.dedup();
        widths
    }

    /// The indices of a width that matter.
    fn indices(&mut self, query: &Query, ties: &Ties, width: u8) -> Result<Vec<Node>, Beyond> {
        let mut found: Vec<Node> = Vec::new();
        for node in eval::reachable(&self.form, &ties.nodes) {
            match self.form.op(node) {
                Op::Read(base, index) if self.form.base(base).1 == width => found.push(index),
                Op::Leaf(leaf) => match self.form.leaf(leaf) {
                    (Origin::Cell(base, index), _) if self.form.base(base).1 == width => {
                        found.push(self.form.constant(index, width));
                    }
                    _ => {}
                },
                _ => {}
            }
        }
        for (base, fixed) in &query.fixed {
            if self.form.base(*base).1 == width {
                found.extend(fixed.cells.iter().map(|cell| self.form.constant(cell.0, width)));
            }
        }
        for &number in &ties.equalities {
            let equality = self.translator.equalities.get(number);
            if equality.index == width {
                found.push(self.form.leaf_of(Origin::Apart(number), width));
                for array in equality.arrays {
                    self.translator.arrays.written(&mut self.form, array, width, &mut found);
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        if found.len() > MOST_INDICES {
            return Err(Beyond::Effort);
        }
        if width < 7 && found.len() >= 1 << width {
            found = (0..=ones(width)).map(|index| self.form.constant(index, width)).collect();
            let apart = ties.equalities.iter().filter(|&&n| self.translator.equalities.get(n).index == width);
            found.extend(apart.map(|&number| self.form.leaf_of(Origin::Apart(number), width)));
        }
        Ok(found)
    }

    /// Says what an equality means at indices that it was not looked at yet.
    fn tie(&mut self, ties: &mut Ties, number: u32, indices: &[Node]) -> Result<(), Beyond> {
        let Equality { arrays: [a, b], index: width } = self.translator.equalities.get(number);
        let same = self.form.leaf_of(Origin::Same(number), 1);
        let apart = self.form.leaf_of(Origin::Apart(number), width);
        for &index in indices {
            if !ties.done.insert((number, index)) {
                continue;
            }
            let x = self.translator.arrays.read(&mut self.form, a, index)?;
            let y = self.translator.arrays.read(&mut self.form, b, index)?;
            let equal = self.form.eq(x, y);
            let not_same = self.form.not(same);
            let if_same = self.form.or(not_same, equal);
            ties.nodes.push(if_same);
            if index == apart {
                let differ = self.form.not(equal);
                let if_not = self.form.or(same, differ);
                ties.nodes.push(if_not);
            }
            if ties.nodes.len() > MOST_TIES {
                return Err(Beyond::Effort);
            }
        }
        Ok(())
    }

    /// An index that stands for all that do not matter, if there are any.
    fn tie_elsewhere(&mut self, query: &mut Query, ties: &mut Ties, width: u8) -> Result<(), Beyond> {
        let indices = self.indices(query, ties, width)?;
        if width < 7 && indices.len() >= 1 << width {
            return Ok(());
        }
        let elsewhere = self.form.leaf_of(Origin::Elsewhere(width), width);
        for &number in &ties.equalities.clone() {
            if self.translator.equalities.get(number).index == width {
                self.tie(ties, number, &[elsewhere])?;
            }
        }
        for index in indices {
            let equal = self.form.eq(elsewhere, index);
            ties.nodes.push(self.form.not(equal));
        }
        if let Op::Leaf(leaf) = self.form.op(elsewhere) {
            query.elsewhere.push((width, leaf));
        }
        Ok(())
    }
}
