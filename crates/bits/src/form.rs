//! The compact form: hash-consed nodes of at most 64 bits.
//!
//! A truth value is a vector of one bit, so there is one kind of node, and `and`, `not` and `ite` need no
//! twins. A node knows its width, the bits that are the same under every assignment, its least and its
//! greatest value and which leaves it depends on; rewriting asks for these all the time.
//!
//! Reads of arrays are nodes of two kinds. A [`Op::Lookup`] reads a table, whose cells at literal indices are
//! known nodes; a table is one value, shared by content, never a node for each cell. A [`Op::Read`] reads a
//! declared array at an index that is not known; at a literal index a declared array is a leaf, its *cell*.
//!
//! Nodes are made by [`Form::make`], which rewrites by the rules of [`crate::rules`]. Arguments have smaller
//! numbers than the nodes that they are arguments of, so a walk in the order of numbers needs no recursion.

use crate::marks::{Marks, empty};
use crate::rules;
use evergreen_term::SymbolId;
use rustc_hash::{FxHashMap, FxHasher};
use std::cell::RefCell;
use std::hash::{Hash, Hasher};

/// A node, by its place in the form.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub(crate) struct Node(pub(crate) u32);

impl Node {
    /// The bit 0.
    pub(crate) const FALSE: Node = Node(0);
    /// The bit 1.
    pub(crate) const TRUE: Node = Node(1);

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Something with a value of its own: a declared constant, or the cell of a declared array at a literal
/// index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Leaf(pub(crate) u32);

/// A declared array.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Base(pub(crate) u32);

/// Cells at literal indices, by content.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct TableId(u32);

/// What a leaf stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Origin {
    /// A declared constant.
    Symbol(SymbolId),
    /// A cell of a declared array.
    Cell(Base, u64),
    /// An index at which two arrays differ.
    Witness(u32),
    /// Whether two arrays are equal: a number of [`crate::translate::Equality`].
    Same(u32),
    /// An index at which these two differ if they are not equal.
    Apart(u32),
    /// An index of that width that differs from all others of the query.
    Elsewhere(u8),
}

/// The head of a node with its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Op {
    Const(u64),
    Leaf(Leaf),
    Not(Node),
    Neg(Node),
    And(Node, Node),
    Xor(Node, Node),
    Add(Node, Node),
    Mul(Node, Node),
    /// All ones where the divisor is zero.
    Udiv(Node, Node),
    /// The dividend where the divisor is zero.
    Urem(Node, Node),
    Shl(Node, Node),
    Lshr(Node, Node),
    Ashr(Node, Node),
    /// The high part, the low part.
    Concat(Node, Node),
    /// As many bits as the node is wide, from this one on.
    Extract(Node, u8),
    Sext(Node),
    Ite(Node, Node, Node),
    Eq(Node, Node),
    Ult(Node, Node),
    Slt(Node, Node),
    /// The cell of a table at an index, or, where it has none, the other node.
    Lookup(TableId, Node, Node),
    Read(Base, Node),
}

impl Op {
    /// The arguments.
    pub(crate) fn args(self) -> ([Node; 3], usize) {
        let none = Node::FALSE;
        match self {
            Op::Const(_) | Op::Leaf(_) => ([none; 3], 0),
            Op::Not(a) | Op::Neg(a) | Op::Extract(a, _) | Op::Sext(a) | Op::Read(_, a) => {
                ([a, none, none], 1)
            }
            Op::And(a, b)
            | Op::Xor(a, b)
            | Op::Add(a, b)
            | Op::Mul(a, b)
            | Op::Udiv(a, b)
            | Op::Urem(a, b)
            | Op::Shl(a, b)
            | Op::Lshr(a, b)
            | Op::Ashr(a, b)
            | Op::Concat(a, b)
            | Op::Eq(a, b)
            | Op::Ult(a, b)
            | Op::Slt(a, b)
            | Op::Lookup(_, a, b) => ([a, b, none], 2),
            Op::Ite(a, b, c) => ([a, b, c], 3),
        }
    }

    /// The same head over other arguments.
    pub(crate) fn with_args(self, n: &[Node]) -> Op {
        match self {
            Op::Const(_) | Op::Leaf(_) => self,
            Op::Not(_) => Op::Not(n[0]),
            Op::Neg(_) => Op::Neg(n[0]),
            Op::Extract(_, low) => Op::Extract(n[0], low),
            Op::Sext(_) => Op::Sext(n[0]),
            Op::Read(base, _) => Op::Read(base, n[0]),
            Op::And(..) => Op::And(n[0], n[1]),
            Op::Xor(..) => Op::Xor(n[0], n[1]),
            Op::Add(..) => Op::Add(n[0], n[1]),
            Op::Mul(..) => Op::Mul(n[0], n[1]),
            Op::Udiv(..) => Op::Udiv(n[0], n[1]),
            Op::Urem(..) => Op::Urem(n[0], n[1]),
            Op::Shl(..) => Op::Shl(n[0], n[1]),
            Op::Lshr(..) => Op::Lshr(n[0], n[1]),
            Op::Ashr(..) => Op::Ashr(n[0], n[1]),
            Op::Concat(..) => Op::Concat(n[0], n[1]),
            Op::Eq(..) => Op::Eq(n[0], n[1]),
            Op::Ult(..) => Op::Ult(n[0], n[1]),
            Op::Slt(..) => Op::Slt(n[0], n[1]),
            Op::Lookup(table, ..) => Op::Lookup(table, n[0], n[1]),
            Op::Ite(..) => Op::Ite(n[0], n[1], n[2]),
        }
    }
}

/// Which leaves a node depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Support {
    /// None: its value is fixed.
    None,
    /// One, and no array at an unknown index.
    One(Leaf),
    /// Several, or an array at an unknown index.
    Many,
}

/// What is known of a node under every assignment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Info {
    pub(crate) width: u8,
    /// Bits that may be one.
    pub(crate) may: u64,
    /// Bits that are one.
    pub(crate) must: u64,
    pub(crate) low: u64,
    pub(crate) high: u64,
    pub(crate) support: Support,
    /// A bit for each leaf and array that it mentions, by a hash of its number.
    pub(crate) mentions: u64,
}

/// A table: cells at ascending indices.
pub(crate) struct Table {
    pub(crate) cells: Box<[(u64, Node)]>,
    /// Whether the indices follow each other without a gap.
    is_dense: bool,
    support: Support,
    mentions: u64,
}

impl Table {
    /// The cell at an index.
    pub(crate) fn get(&self, index: u64) -> Option<Node> {
        if self.is_dense {
            let place = index.checked_sub(self.cells.first()?.0)?;
            return self.cells.get(usize::try_from(place).ok()?).map(|c| c.1);
        }
        self.cells.binary_search_by_key(&index, |c| c.0).ok().map(|place| self.cells[place].1)
    }

    /// The cells at indices of a range.
    pub(crate) fn range(&self, low: u64, high: u64) -> &[(u64, Node)] {
        let begin = self.cells.partition_point(|c| c.0 < low);
        let end = self.cells.partition_point(|c| c.0 <= high);
        &self.cells[begin..end]
    }
}

/// All ones in a width.
pub(crate) fn ones(width: u8) -> u64 {
    u64::MAX >> (64 - u32::from(width))
}

/// A value of a width as a signed number.
pub(crate) fn signed(value: u64, width: u8) -> i64 {
    let shift = 64 - u32::from(width);
    ((value << shift) as i64) >> shift
}

/// The nodes of one core.
pub(crate) struct Form {
    ops: Vec<Op>,
    infos: Vec<Info>,
    /// What each head over its arguments is rewritten to.
    made: FxHashMap<(Op, u8), Node>,
    leaves: Vec<(Origin, u8)>,
    leaf_of: FxHashMap<Origin, Leaf>,
    /// Of each declared array: its symbol, the widths of index and element.
    bases: Vec<(SymbolId, u8, u8)>,
    base_of: FxHashMap<SymbolId, Base>,
    /// The leaves that are cells of each array.
    cells: Vec<Vec<(u64, Leaf)>>,
    tables: Vec<Table>,
    table_of: FxHashMap<u64, Vec<TableId>>,
    /// Nodes that the current walk has seen.
    pub(crate) seen: RefCell<Marks<()>>,
    /// How deep rules are in rules.
    pub(crate) depth: u32,
    /// How often each rule fired.
    pub(crate) fired: Box<[u32]>,
}

impl Default for Form {
    fn default() -> Form {
        let mut form = Form {
            ops: Vec::new(),
            infos: Vec::new(),
            made: FxHashMap::default(),
            leaves: Vec::new(),
            leaf_of: FxHashMap::default(),
            bases: Vec::new(),
            base_of: FxHashMap::default(),
            cells: Vec::new(),
            tables: Vec::new(),
            table_of: FxHashMap::default(),
            seen: RefCell::default(),
            depth: 0,
            fired: vec![0; rules::RULES.len()].into(),
        };
        form.begin();
        form
    }
}

fn mention(number: u32, salt: u64) -> u64 {
    1 << ((u64::from(number).wrapping_add(salt)).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58)
}

impl Form {
    fn begin(&mut self) {
        let (no, yes) = (self.constant(0, 1), self.constant(1, 1));
        assert_eq!((no, yes), (Node::FALSE, Node::TRUE));
    }

    /// Forgets all nodes and keeps the memory.
    pub(crate) fn forget(&mut self) {
        self.ops.clear();
        self.infos.clear();
        empty(&mut self.made);
        self.leaves.clear();
        empty(&mut self.leaf_of);
        self.bases.clear();
        empty(&mut self.base_of);
        self.cells.clear();
        self.tables.clear();
        empty(&mut self.table_of);
        self.begin();
    }

    /// The number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.ops.len()
    }

    pub(crate) fn op(&self, node: Node) -> Op {
        self.ops[node.index()]
    }

    pub(crate) fn info(&self, node: Node) -> &Info {
        &self.infos[node.index()]
    }

    pub(crate) fn width(&self, node: Node) -> u8 {
        self.infos[node.index()].width
    }

    /// The value of a constant.
    pub(crate) fn value(&self, node: Node) -> Option<u64> {
        match self.op(node) {
            Op::Const(value) => Some(value),
            _ => None,
        }
    }

    pub(crate) fn table(&self, id: TableId) -> &Table {
        &self.tables[id.0 as usize]
    }

    /// What a leaf stands for, and its width.
    pub(crate) fn leaf(&self, leaf: Leaf) -> (Origin, u8) {
        self.leaves[leaf.0 as usize]
    }

    /// The number of leaves.
    pub(crate) fn leaf_count(&self) -> usize {
        self.leaves.len()
    }

    /// The symbol of a declared array, the widths of its indices and elements.
    pub(crate) fn base(&self, base: Base) -> (SymbolId, u8, u8) {
        self.bases[base.0 as usize]
    }

    /// The cell of an array, where some node has mentioned it.
    pub(crate) fn known_cell(&self, base: Base, index: u64) -> Option<Leaf> {
        self.leaf_of.get(&Origin::Cell(base, index)).copied()
    }

    /// The leaves that are cells of an array.
    pub(crate) fn cells(&self, base: Base) -> &[(u64, Leaf)] {
        &self.cells[base.0 as usize]
    }

    /// The array of a symbol.
    pub(crate) fn base_of(&mut self, symbol: SymbolId, index: u8, element: u8) -> Base {
        let next = Base(self.bases.len() as u32);
        let base = *self.base_of.entry(symbol).or_insert(next);
        if base == next {
            self.bases.push((symbol, index, element));
            self.cells.push(Vec::new());
        }
        base
    }

    /// The node of a leaf.
    pub(crate) fn leaf_of(&mut self, origin: Origin, width: u8) -> Node {
        let next = Leaf(self.leaves.len() as u32);
        let leaf = *self.leaf_of.entry(origin).or_insert(next);
        if leaf == next {
            self.leaves.push((origin, width));
            if let Origin::Cell(base, index) = origin {
                self.cells[base.0 as usize].push((index, leaf));
            }
        }
        self.make(Op::Leaf(leaf), width)
    }

    /// The bit that stands for a leaf among those that a node mentions.
    pub(crate) fn mark_of(&self, leaf: Leaf) -> u64 {
        mention(leaf.0, 0)
    }

    /// The bit that stands for an array.
    pub(crate) fn mark_of_base(&self, base: Base) -> u64 {
        mention(base.0, 1 << 40)
    }

    /// The table with these cells, at ascending indices.
    pub(crate) fn table_of(&mut self, cells: Vec<(u64, Node)>) -> TableId {
        let mut hasher = FxHasher::default();
        cells.hash(&mut hasher);
        let ids = self.table_of.entry(hasher.finish()).or_default();
        if let Some(&id) = ids.iter().find(|id| *self.tables[id.0 as usize].cells == cells[..]) {
            return id;
        }
        let id = TableId(self.tables.len() as u32);
        ids.push(id);
        let mut support = Support::None;
        let mut mentions = 0;
        for &(_, cell) in &cells {
            let info = &self.infos[cell.index()];
            support = join(support, info.support);
            mentions |= info.mentions;
        }
        let is_dense = cells.windows(2).all(|pair| pair[1].0 == pair[0].0 + 1);
        self.tables.push(Table { cells: cells.into(), is_dense, support, mentions });
        id
    }

    /// A constant.
    pub(crate) fn constant(&mut self, value: u64, width: u8) -> Node {
        self.intern(Op::Const(value & ones(width)), width)
    }

    /// A truth value.
    pub(crate) fn bit(value: bool) -> Node {
        if value { Node::TRUE } else { Node::FALSE }
    }

    /// The node of a head over arguments, rewritten.
    pub(crate) fn make(&mut self, op: Op, width: u8) -> Node {
        let op = self.ordered(op);
        if let Some(&node) = self.made.get(&(op, width)) {
            return node;
        }
        let node = match rules::rewrite(self, op, width) {
            Some(node) => node,
            None => return self.intern(op, width),
        };
        debug_assert_eq!(self.width(node), width, "{op:?}");
        self.made.insert((op, width), node);
        node
    }

    /// The node as it is, not rewritten: for tests of the rules.
    #[cfg(test)]
    pub(crate) fn raw(&mut self, op: Op, width: u8) -> Node {
        let info = self.info_of(op, width);
        self.ops.push(op);
        self.infos.push(info);
        Node(self.ops.len() as u32 - 1)
    }

    /// Arguments that commute in one order: constants last.
    fn ordered(&self, op: Op) -> Op {
        let swap = |a: Node, b: Node| match (self.value(a).is_some(), self.value(b).is_some()) {
            (true, false) => true,
            (false, true) => false,
            _ => a > b,
        };
        match op {
            Op::And(a, b) if swap(a, b) => Op::And(b, a),
            Op::Xor(a, b) if swap(a, b) => Op::Xor(b, a),
            Op::Add(a, b) if swap(a, b) => Op::Add(b, a),
            Op::Mul(a, b) if swap(a, b) => Op::Mul(b, a),
            Op::Eq(a, b) if swap(a, b) => Op::Eq(b, a),
            _ => op,
        }
    }

    fn intern(&mut self, op: Op, width: u8) -> Node {
        if let Some(&node) = self.made.get(&(op, width)) {
            return node;
        }
        let info = self.info_of(op, width);
        let node = Node(u32::try_from(self.ops.len()).expect("fewer than 2^32 nodes"));
        self.ops.push(op);
        self.infos.push(info);
        self.made.insert((op, width), node);
        node
    }

    fn info_of(&self, op: Op, width: u8) -> Info {
        let (args, count) = op.args();
        let mut support = Support::None;
        let mut mentions = 0;
        for &arg in &args[..count] {
            let info = self.info(arg);
            support = join(support, info.support);
            mentions |= info.mentions;
        }
        match op {
            Op::Leaf(leaf) => {
                support = Support::One(leaf);
                mentions = self.mark_of(leaf);
            }
            Op::Lookup(table, ..) => {
                let table = self.table(table);
                support = join(support, table.support);
                mentions |= table.mentions;
            }
            Op::Read(base, _) => {
                support = Support::Many;
                mentions |= self.mark_of_base(base);
            }
            _ => {}
        }
        let bounds = crate::ranges::of(self, op, width, |n| {
            let info = self.info(n);
            crate::ranges::Range { may: info.may, must: info.must, low: info.low, high: info.high }
        });
        Info {
            width,
            may: bounds.may,
            must: bounds.must,
            low: bounds.low,
            high: bounds.high,
            support,
            mentions,
        }
    }

    // Heads that are written with others.

    pub(crate) fn not(&mut self, a: Node) -> Node {
        let width = self.width(a);
        self.make(Op::Not(a), width)
    }

    pub(crate) fn and(&mut self, a: Node, b: Node) -> Node {
        let width = self.width(a);
        self.make(Op::And(a, b), width)
    }

    pub(crate) fn or(&mut self, a: Node, b: Node) -> Node {
        let (a, b) = (self.not(a), self.not(b));
        let both = self.and(a, b);
        self.not(both)
    }

    pub(crate) fn xor(&mut self, a: Node, b: Node) -> Node {
        let width = self.width(a);
        self.make(Op::Xor(a, b), width)
    }

    pub(crate) fn neg(&mut self, a: Node) -> Node {
        let width = self.width(a);
        self.make(Op::Neg(a), width)
    }

    pub(crate) fn add(&mut self, a: Node, b: Node) -> Node {
        let width = self.width(a);
        self.make(Op::Add(a, b), width)
    }

    pub(crate) fn mul(&mut self, a: Node, b: Node) -> Node {
        let width = self.width(a);
        self.make(Op::Mul(a, b), width)
    }

    pub(crate) fn ite(&mut self, condition: Node, a: Node, b: Node) -> Node {
        let width = self.width(a);
        self.make(Op::Ite(condition, a, b), width)
    }

    pub(crate) fn eq(&mut self, a: Node, b: Node) -> Node {
        self.make(Op::Eq(a, b), 1)
    }

    pub(crate) fn eq_const(&mut self, a: Node, value: u64) -> Node {
        let width = self.width(a);
        let value = self.constant(value, width);
        self.eq(a, value)
    }

    pub(crate) fn ult(&mut self, a: Node, b: Node) -> Node {
        self.make(Op::Ult(a, b), 1)
    }

    pub(crate) fn slt(&mut self, a: Node, b: Node) -> Node {
        self.make(Op::Slt(a, b), 1)
    }

    pub(crate) fn concat(&mut self, high: Node, low: Node) -> Node {
        let width = self.width(high) + self.width(low);
        self.make(Op::Concat(high, low), width)
    }

    /// `width` bits of a node, from bit `low` on.
    pub(crate) fn extract(&mut self, a: Node, low: u8, width: u8) -> Node {
        self.make(Op::Extract(a, low), width)
    }

    pub(crate) fn zero_extend(&mut self, a: Node, width: u8) -> Node {
        let own = self.width(a);
        if own == width {
            return a;
        }
        let zero = self.constant(0, width - own);
        self.concat(zero, a)
    }

    pub(crate) fn sign_extend(&mut self, a: Node, width: u8) -> Node {
        if self.width(a) == width { a } else { self.make(Op::Sext(a), width) }
    }

    /// The highest bit.
    pub(crate) fn sign(&mut self, a: Node) -> Node {
        let width = self.width(a);
        self.extract(a, width - 1, 1)
    }
}

/// Both supports together.
pub(crate) fn join(a: Support, b: Support) -> Support {
    match (a, b) {
        (Support::None, other) | (other, Support::None) => other,
        (Support::One(x), Support::One(y)) if x == y => a,
        _ => Support::Many,
    }
}
