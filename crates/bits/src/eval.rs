//! Values of nodes under values of leaves.

use crate::form::{Base, Form, Leaf, Node, Op, ones, signed};
use crate::marks::Marks;
use rustc_hash::FxHashMap;

/// The value of a head over values of its arguments. Reads of arrays are the caller's.
pub(crate) fn apply(form: &Form, op: Op, width: u8, v: [u64; 3]) -> u64 {
    let all = ones(width);
    match op {
        Op::Const(value) => value,
        Op::Leaf(_) | Op::Read(..) | Op::Lookup(..) => unreachable!("has no value of its own"),
        Op::Not(_) => !v[0] & all,
        Op::Neg(_) => v[0].wrapping_neg() & all,
        Op::And(..) => v[0] & v[1],
        Op::Xor(..) => v[0] ^ v[1],
        Op::Add(..) => v[0].wrapping_add(v[1]) & all,
        Op::Mul(..) => v[0].wrapping_mul(v[1]) & all,
        Op::Udiv(..) => v[0].checked_div(v[1]).unwrap_or(all),
        Op::Urem(..) => v[0].checked_rem(v[1]).unwrap_or(v[0]),
        Op::Shl(..) => {
            if v[1] >= u64::from(width) {
                0
            } else {
                (v[0] << v[1]) & all
            }
        }
        Op::Lshr(..) => {
            if v[1] >= u64::from(width) {
                0
            } else {
                v[0] >> v[1]
            }
        }
        Op::Ashr(..) => {
            let by = v[1].min(u64::from(width) - 1);
            (signed(v[0], width) >> by) as u64 & all
        }
        Op::Concat(_, low) => v[0] << form.width(low) | v[1],
        Op::Extract(_, low) => (v[0] >> low) & all,
        Op::Sext(a) => signed(v[0], form.width(a)) as u64 & all,
        Op::Ite(..) => {
            if v[0] == 1 {
                v[1]
            } else {
                v[2]
            }
        }
        Op::Eq(..) => u64::from(v[0] == v[1]),
        Op::Ult(..) => u64::from(v[0] < v[1]),
        Op::Slt(a, _) => {
            let own = form.width(a);
            u64::from(signed(v[0], own) < signed(v[1], own))
        }
    }
}

/// The value of a head whose arguments are all constants.
pub(crate) fn folded(form: &Form, op: Op, width: u8) -> Option<u64> {
    if matches!(op, Op::Leaf(_) | Op::Read(..) | Op::Lookup(..)) {
        return None;
    }
    let (args, count) = op.args();
    let mut values = [0; 3];
    for (value, &arg) in values.iter_mut().zip(&args[..count]) {
        *value = form.value(arg)?;
    }
    Some(apply(form, op, width, values))
}

/// The nodes that some nodes are made of, and they themselves: in ascending order, so arguments come first.
/// Cells of tables are among them where they are not constants.
pub(crate) fn reachable(form: &Form, roots: &[Node]) -> Vec<Node> {
    let mut seen = form.seen.borrow_mut();
    seen.begin(form.len());
    let mut stack: Vec<Node> = roots.to_vec();
    let mut nodes = Vec::new();
    while let Some(node) = stack.pop() {
        if !seen.set_once(node, ()) {
            continue;
        }
        nodes.push(node);
        let op = form.op(node);
        let (args, count) = op.args();
        stack.extend(&args[..count]);
        if let Op::Lookup(table, ..) = op {
            stack.extend(form.table(table).cells.iter().map(|c| c.1).filter(|&c| form.value(c).is_none()));
        }
    }
    nodes.sort_unstable();
    nodes
}

/// Values of leaves; what has none is zero.
#[derive(Clone, Default, Debug)]
pub(crate) struct Assignment {
    pub(crate) leaves: FxHashMap<Leaf, u64>,
    /// Cells that are no leaves: read at an index that was computed.
    pub(crate) cells: FxHashMap<(Base, u64), u64>,
    /// Arrays that are read at an index that is computed: a model has to say what they are, even if it is
    /// zero everywhere.
    pub(crate) arrays: Vec<Base>,
}

impl Assignment {
    pub(crate) fn leaf(&self, leaf: Leaf) -> u64 {
        self.leaves.get(&leaf).copied().unwrap_or(0)
    }

    pub(crate) fn cell(&self, form: &Form, base: Base, index: u64) -> u64 {
        match form.known_cell(base, index) {
            Some(leaf) => self.leaf(leaf),
            None => self.cells.get(&(base, index)).copied().unwrap_or(0),
        }
    }
}

/// The values of nodes in ascending order that contain everything that they are made of.
pub(crate) fn values(form: &Form, nodes: &[Node], assignment: &Assignment, values: &mut Marks<u64>) {
    values.begin(form.len());
    for &node in nodes {
        let op = form.op(node);
        let (args, count) = op.args();
        let mut v = [0; 3];
        for (value, arg) in v.iter_mut().zip(&args[..count]) {
            *value = values.at(*arg);
        }
        let value = match op {
            Op::Leaf(leaf) => assignment.leaf(leaf),
            Op::Read(base, _) => assignment.cell(form, base, v[0]),
            Op::Lookup(table, ..) => match form.table(table).get(v[0]) {
                Some(cell) => form.value(cell).unwrap_or_else(|| values.at(cell)),
                None => v[1],
            },
            _ => apply(form, op, form.width(node), v),
        };
        values.set(node, value);
    }
}

/// The value of one node.
#[cfg(test)]
pub(crate) fn value(form: &Form, node: Node, assignment: &Assignment) -> u64 {
    let mut all = Marks::default();
    values(form, &reachable(form, &[node]), assignment, &mut all);
    all.at(node)
}
