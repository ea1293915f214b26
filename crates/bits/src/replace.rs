//! Replaces leaves by their values, and reads of arrays by what is known of their cells.

use crate::eval;
use crate::form::{Base, Form, Leaf, Node, Op, Origin, TableId};
use crate::marks::Marks;
use crate::query::{Query, Replaced};
use rustc_hash::FxHashMap;

/// What replaced nodes are within one query.
#[derive(Default)]
pub(crate) struct Replacer {
    /// The table of each array with fixed cells.
    tables: FxHashMap<Base, TableId>,
    images: Marks<Node>,
}

impl Replacer {
    /// Forgets the tables of the last query.
    pub(crate) fn begin(&mut self) {
        self.tables.clear();
    }

    /// The table of the fixed cells of an array.
    fn table(&mut self, form: &mut Form, query: &Query, base: Base) -> Option<TableId> {
        if let Some(&table) = self.tables.get(&base) {
            return Some(table);
        }
        let width = form.base(base).2;
        let fixed = query.fixed.get(&base)?;
        let cells =
            fixed.cells.iter().map(|&(index, value, _)| (index, form.constant(value, width))).collect();
        let table = form.table_of(cells);
        self.tables.insert(base, table);
        Some(table)
    }

    /// A node with everything replaced that is known, and what that was. `None` where nothing is.
    pub(crate) fn replace(&mut self, form: &mut Form, query: &Query, root: Node) -> Option<(Node, Replaced)> {
        if form.info(root).mentions & query.marks == 0 {
            return None;
        }
        let mut replaced = Replaced::default();
        let mut images = std::mem::take(&mut self.images);
        images.begin(form.len());
        for node in eval::reachable(form, &[root]) {
            if form.info(node).mentions & query.marks == 0 {
                continue;
            }
            let image = self.one(form, query, node, &images, &mut replaced);
            images.set(node, image);
        }
        let image = images.get(root).unwrap_or(root);
        self.images = images;
        if image == root {
            return None;
        }
        replaced.leaves.sort_unstable();
        replaced.leaves.dedup();
        replaced.cells.sort_unstable();
        replaced.cells.dedup();
        Some((image, replaced))
    }

    fn one(
        &mut self,
        form: &mut Form,
        query: &Query,
        node: Node,
        images: &Marks<Node>,
        replaced: &mut Replaced,
    ) -> Node {
        let op = form.op(node);
        let width = form.width(node);
        let image = |n: Node| images.get(n).unwrap_or(n);
        if let Op::Leaf(leaf) = op {
            return known(form, query, leaf, replaced).unwrap_or(node);
        }
        let (args, count) = op.args();
        let args = args.map(image);
        let made = match op {
            Op::Lookup(table, ..) => {
                let cells: Vec<(u64, Node)> =
                    form.table(table).cells.iter().map(|&(at, cell)| (at, image(cell))).collect();
                let table = if *cells == *form.table(table).cells { table } else { form.table_of(cells) };
                form.make(Op::Lookup(table, args[0], args[1]), width)
            }
            Op::Read(base, _) => {
                let read = form.make(Op::Read(base, args[0]), width);
                // A table over the read, unless the read became something else.
                match (form.op(read), self.table(form, query, base)) {
                    (Op::Read(_, index), Some(table)) => {
                        let info = form.info(index);
                        replaced.cells.push((base, info.low, info.high));
                        form.make(Op::Lookup(table, index, read), width)
                    }
                    _ => read,
                }
            }
            _ => form.make(op.with_args(&args[..count]), width),
        };
        // Rewriting may have made a cell of what was a read.
        self.cells_of(form, query, made, replaced)
    }

    /// A node that became a leaf or a choice between leaves, with those replaced.
    fn cells_of(&mut self, form: &mut Form, query: &Query, node: Node, replaced: &mut Replaced) -> Node {
        match form.op(node) {
            Op::Leaf(leaf) => known(form, query, leaf, replaced).unwrap_or(node),
            _ => node,
        }
    }
}

/// What stands for a leaf: its only value, or another leaf that is equal to it.
fn known(form: &mut Form, query: &Query, leaf: Leaf, replaced: &mut Replaced) -> Option<Node> {
    let (origin, width) = form.leaf(leaf);
    if let Some(&(other, _)) = query.same.get(&leaf) {
        replaced.leaves.push(leaf);
        if let Some(node) = known(form, query, other, replaced) {
            return Some(node);
        }
        let (origin, width) = form.leaf(other);
        return Some(form.leaf_of(origin, width));
    }
    let value = match query.values.get(&leaf) {
        Some((value, _)) => *value,
        None => match origin {
            Origin::Cell(base, index) => query.fixed.get(&base)?.get(index)?.0,
            _ => return None,
        },
    };
    replaced.leaves.push(leaf);
    Some(form.constant(value, width))
}
