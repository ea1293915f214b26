//! The unsatisfiable sets: a constraint trie whose edges have no constants, with tables
//! of constants at its ends.
//!
//! The *shape* of a core is its prefixes and operators in the order of paths [Jia ISSTA'15, 5], most specific
//! first; a node of the trie is the beginning of a shape. Constants are in the [`Table`] of the node where
//! the shape ends: the implication graph of the paper orders constants along one prefix, the table along all
//! of them at once. So the number of places that a look-up must try does not grow with the number of
//! constants that a prefix was ever compared with.
//!
//! Ways in. A look-up does not walk down from the root: a query that implies a core has all its prefixes, so
//! a shape is listed under one of them, the one with the shortest list so far. Entries carry a 64-bit mask of
//! what the query must have, a bit for each prefix and side (bounded above, bounded below, there at all), and
//! nearly all entries that do not match are skipped in the list itself.
//!
//! Sums. A core `x + y <= 2, Q` is implied by `x <= 1, y <= 1, Q` too. A set that bounds of variables alone
//! imply is satisfiable, as the bounds are: at least one sum or opaque constraint of a core, here Q, is
//! implied by atoms of the query over that very prefix. So shapes are also listed under each of these, with
//! the mask of the variable bounds without which the rest cannot follow. (Before, the sums of which a query
//! bounds two variables were looked up first, and then the cores that begin with one of them: hundreds with a
//! million sets, all of them without a hit.)
//!
//! Before, paths had constants and began at the root's children, one per atom: a query over frequent
//! prefixes visited all constants that it implies, a hundred with a million sets, and followed
//! pointers for a tenth of them.

use crate::atom::{Atom, Op, PrefixKey};
use crate::definitions::{Definitions, Term};
use crate::index::{Budget, Meter, Payload, Stored};
use crate::labels::{NONE, NUMBER_BITS, join, push, split};
use crate::numbers::Numbers;
use crate::table::{Beginning, Table};
use hashbrown::HashTable;

/// The beginning of all shapes.
pub(crate) const ROOT: u32 = 0;

/// So many nodes below that of a new core are looked at for longer cores.
const MOST_BELOW: usize = 1_024;

/// A prefix and an operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Item(u32);

impl Item {
    fn new(prefix: u32, op: Op) -> Item {
        Item(join(prefix, op))
    }

    #[inline]
    pub(crate) fn prefix(self) -> u32 {
        split(self.0).0
    }

    #[inline]
    pub(crate) fn op(self) -> Op {
        split(self.0).1
    }
}

/// The beginning of a shape: one more item than its parent.
#[derive(Clone, Debug)]
struct Node {
    item: Item,
    parent: u32,
    /// The newest of the nodes below, and the next one beside.
    child: u32,
    sibling: u32,
    /// The table of the cores that end here.
    table: u32,
}

/// A shape under one of its prefixes. (Three words: no padding.)
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    mask: [u32; 2],
    pub node: u32,
}

impl Entry {
    fn new(mask: u64, node: u32) -> Entry {
        Entry { mask: [mask as u32, (mask >> 32) as u32], node }
    }

    /// The requirements on a query (see [`side_bits`]).
    #[inline]
    pub(crate) fn mask(&self) -> u64 {
        u64::from(self.mask[0]) | (u64::from(self.mask[1]) << 32)
    }
}

/// A prefix that occurs in cores.
#[derive(Clone, Debug)]
pub(crate) struct Head {
    pub key: PrefixKey,
    /// Shapes that are found here when all their atoms follow from atoms over the same prefix.
    pub shapes: Vec<Entry>,
    /// Shapes that are found here when something follows from bounds of variables.
    pub derived: Vec<Entry>,
    /// Nodes of shapes that are watched here ([`crate::derive`]).
    pub near: Vec<u32>,
    /// Small ranks come first on paths.
    rank: u8,
}

/// A stored core: the node where its shape ends, and the row of the table there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Core {
    pub node: u32,
    pub row: usize,
}

/// All of them.
#[derive(Clone, Debug)]
pub(crate) struct Cores {
    pub heads: Vec<Head>,
    numbers: Numbers,
    nodes: Vec<Node>,
    free_nodes: Vec<u32>,
    edges: HashTable<u32>,
    tables: Vec<Table>,
    free_tables: Vec<u32>,
    pub set_count: usize,
}

/// The sides of a prefix that a query may know something of.
#[derive(Clone, Copy)]
pub(crate) enum Side {
    Low,
    High,
    Any,
}

/// The bit of one side of a prefix in masks.
#[inline]
pub(crate) fn side_bit(prefix: PrefixKey, side: Side) -> u64 {
    let folded = ((prefix.0 >> 64) as u64).wrapping_add(prefix.0 as u64).wrapping_add(side as u64);
    1 << (folded.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58)
}

/// The sides of `prefix` that a query must have to imply `prefix op c` by atoms over it.
fn side_bits(prefix: PrefixKey, op: Op) -> u64 {
    match op {
        Op::Le => side_bit(prefix, Side::High),
        Op::Ge => side_bit(prefix, Side::Low),
        Op::Eq => side_bit(prefix, Side::Low) | side_bit(prefix, Side::High),
        Op::Ne | Op::Holds => side_bit(prefix, Side::Any),
    }
}

/// For each place the bits of all others. A verification condition has some hundred items.
fn but_one(bits: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut all: Vec<u64> = bits.collect();
    let mut behind = vec![0; all.len() + 1];
    for (place, bits) in all.iter().enumerate().rev() {
        behind[place] = behind[place + 1] | bits;
    }
    let mut before = 0;
    for (bits, behind) in all.iter_mut().zip(&behind[1..]) {
        let own = *bits;
        *bits = before | behind;
        before |= own;
    }
    all
}

/// The sides that it must have to imply `sum op c` by bounds of the variables. `=` and `!=`
/// can come from either side.
fn derived_bits(terms: &[Term], op: Op) -> u64 {
    let upper = match op {
        Op::Le => true,
        Op::Ge => false,
        Op::Eq | Op::Ne | Op::Holds => return 0,
    };
    let side = |a: i64| if (a > 0) == upper { Side::High } else { Side::Low };
    terms.iter().fold(0, |mask, (variable, a)| mask | side_bit(*variable, side(*a)))
}

impl Default for Cores {
    fn default() -> Cores {
        let root = Node { item: Item(0), parent: NONE, child: NONE, sibling: NONE, table: NONE };
        Cores {
            heads: Vec::new(),
            numbers: Numbers::default(),
            nodes: vec![root],
            free_nodes: Vec::new(),
            edges: HashTable::new(),
            tables: Vec::new(),
            free_tables: Vec::new(),
            set_count: 0,
        }
    }
}

impl Cores {
    /// The number of a prefix that occurs.
    #[inline]
    pub(crate) fn number(&self, prefix: PrefixKey) -> Option<u32> {
        self.numbers.find(prefix, |number| self.heads[number as usize].key)
    }

    /// The items of the shape that ends at `node`, the last first.
    pub(crate) fn items(&self, node: u32) -> impl Iterator<Item = Item> {
        let above = move |at: u32| (at != ROOT).then(|| &self.nodes[at as usize]);
        std::iter::successors(above(node), move |node| above(node.parent)).map(|node| node.item)
    }

    /// The table of the shape that ends at `node`.
    pub(crate) fn table(&self, node: u32) -> Option<&Table> {
        self.tables.get(self.nodes[node as usize].table as usize)
    }

    /// The nodes where a shape ends.
    pub(crate) fn shapes(&self) -> impl Iterator<Item = u32> {
        (0..self.nodes.len() as u32).filter(|&node| self.nodes[node as usize].table != NONE)
    }

    /// How many nodes are alive, without the root.
    pub(crate) fn node_count(&self) -> usize {
        self.nodes.len() - 1 - self.free_nodes.len()
    }

    /// The atoms of a core, the last of its shape first.
    pub(crate) fn atoms(&self, core: Core) -> impl Iterator<Item = Atom> {
        let mut constants = self.table(core.node).map_or(&[][..], |table| table.row(core.row)).iter().rev();
        self.items(core.node).map(move |item| {
            let constant = if item.op() == Op::Holds { 0 } else { *constants.next().unwrap_or(&0) };
            Atom { prefix: self.heads[item.prefix() as usize].key, op: item.op(), constant }
        })
    }

    /// The atoms of a core, sorted.
    pub(crate) fn set(&self, core: Core) -> Vec<Atom> {
        let mut set: Vec<Atom> = self.atoms(core).collect();
        set.sort_unstable();
        set
    }

    pub(crate) fn payload(&self, core: Core) -> Option<&Payload> {
        self.table(core.node)?.payload(core.row)
    }

    fn child(&self, parent: u32, item: Item) -> Option<u32> {
        let same = |&node: &u32| {
            let node = &self.nodes[node as usize];
            node.parent == parent && node.item == item
        };
        self.edges.find(edge_hash(parent, item), same).copied()
    }
}

fn edge_hash(parent: u32, item: Item) -> u64 {
    let edge = (u64::from(parent) << 32) | u64::from(item.0);
    let mixed = edge.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ (mixed >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

/// Changes.
impl Cores {
    /// Stores a core by the rules (a), (b), (c).
    pub(crate) fn insert(&mut self, core: &[Atom], payload: Payload, definitions: &Definitions) -> Stored {
        let room = (1 << NUMBER_BITS) - core.len().min(1 << NUMBER_BITS);
        if core.is_empty() || self.nodes.len().max(self.heads.len()) >= room {
            return Stored::Ignored;
        }
        let path = self.path(core, definitions);
        let mut constants = Vec::with_capacity(path.len());
        let (mut at, mut met) = (ROOT, 0);
        while let Some((item, constant)) = path.get(met)
            && let Some(child) = self.child(at, *item)
        {
            at = child;
            met += 1;
            constants.extend((item.op() != Op::Holds).then_some(*constant));
            let mut meter = Meter::new(Budget::UNLIMITED);
            if self.table(at).is_some_and(|table| table.find(&Beginning(&constants), &mut meter).is_some()) {
                return Stored::Ignored;
            }
        }
        let mut stored = Stored::Added;
        if met == path.len() && self.shorten(at, &constants) {
            stored = Stored::Shortened;
        }
        for (item, constant) in &path[met..] {
            at = self.append(at, *item);
            constants.extend((item.op() != Op::Holds).then_some(*constant));
        }
        if self.nodes[at as usize].table == NONE {
            self.nodes[at as usize].table = self.take_table(constants.len());
            self.list(at);
            self.list_near(at);
            self.list_derived(at, definitions);
        }
        let table = self.nodes[at as usize].table as usize;
        self.tables[table].push(&constants, payload);
        self.set_count += 1;
        stored
    }

    /// The items of a core with their constants, in the order of paths.
    fn path(&mut self, core: &[Atom], definitions: &Definitions) -> Vec<(Item, i64)> {
        let mut path: Vec<(u8, Atom)> = Vec::with_capacity(core.len());
        for atom in core {
            let number = self.intern(atom, definitions);
            path.push((self.heads[number as usize].rank, *atom));
        }
        path.sort_unstable();
        path.dedup();
        let item = |(_, atom): &(u8, Atom)| {
            let prefix = self.number(atom.prefix).unwrap_or(0);
            (Item::new(prefix, atom.op), atom.constant)
        };
        path.iter().map(item).collect()
    }

    fn intern(&mut self, atom: &Atom, definitions: &Definitions) -> u32 {
        if let Some(number) = self.number(atom.prefix) {
            return number;
        }
        let rank = crate::definitions::OPAQUE - definitions.specificity(atom);
        push(
            &mut self.heads,
            Head { key: atom.prefix, shapes: Vec::new(), derived: Vec::new(), near: Vec::new(), rank },
        );
        let heads = &self.heads;
        self.numbers.insert(heads.len() as u32 - 1, |number| heads[number as usize].key)
    }

    fn append(&mut self, parent: u32, item: Item) -> u32 {
        let sibling = self.nodes[parent as usize].child;
        let node = Node { item, parent, child: NONE, sibling, table: NONE };
        let number = match self.free_nodes.pop() {
            Some(number) => {
                self.nodes[number as usize] = node;
                number
            }
            None => {
                push(&mut self.nodes, node);
                self.nodes.len() as u32 - 1
            }
        };
        self.nodes[parent as usize].child = number;
        let nodes = &self.nodes;
        let hash = |&node: &u32| edge_hash(nodes[node as usize].parent, nodes[node as usize].item);
        self.edges.insert_unique(edge_hash(parent, item), number, hash);
        number
    }

    fn take_table(&mut self, width: usize) -> u32 {
        if let Some(number) = self.free_tables.pop() {
            self.tables[number as usize] = Table::new(width);
            return number;
        }
        push(&mut self.tables, Table::new(width));
        self.tables.len() as u32 - 1
    }

    /// Lists the shape that ends at `node` under the prefix with the shortest list.
    fn list(&mut self, node: u32) {
        let mut mask = 0;
        let mut shortest: Option<(usize, u32)> = None;
        for item in self.items(node) {
            let head = &self.heads[item.prefix() as usize];
            mask |= side_bits(head.key, item.op());
            // The last of equals: the most specific one.
            if shortest.is_none_or(|(length, _)| head.shapes.len() <= length) {
                shortest = Some((head.shapes.len(), item.prefix()));
            }
        }
        if let Some((_, prefix)) = shortest {
            self.heads[prefix as usize].shapes.push(Entry::new(mask, node));
        }
    }

    /// Lists the shape that ends at `node` for the case that bounds of variables imply a part of it.
    fn list_derived(&mut self, node: u32, definitions: &Definitions) {
        let items: Vec<(Item, PrefixKey, Option<&[Term]>)> = self
            .items(node)
            .map(|item| {
                let key = self.heads[item.prefix() as usize].key;
                (item, key, definitions.sum(key).filter(|_| item.op() != Op::Holds))
            })
            .collect();
        let sums = items.iter().filter(|(_, _, terms)| terms.is_some()).count();
        let sides = but_one(items.iter().map(|(item, key, terms)| match terms {
            None => side_bits(*key, item.op()),
            Some(_) => 0,
        }));
        let derived = but_one(items.iter().map(|(item, _, terms)| match terms {
            None => 0,
            Some(terms) => derived_bits(terms, item.op()),
        }));
        for (place, (item, key, terms)) in items.iter().enumerate() {
            // One end of an equation may come from the variables and the other from the sum itself.
            let mixed = terms.is_some() && item.op() == Op::Eq;
            let others = sums - usize::from(terms.is_some());
            if (terms.is_none() && item.op() != Op::Holds) || (others == 0 && !mixed) {
                continue;
            }
            let mut mask = if mixed { 0 } else { side_bits(*key, item.op()) };
            mask |= sides[place];
            if others == 1 && !mixed {
                mask |= derived[place];
            }
            self.heads[item.prefix() as usize].derived.push(Entry::new(mask, node));
        }
    }

    /// Lists anew what depends on definitions: `prefix` got one only now.
    pub(crate) fn redefined(&mut self, prefix: PrefixKey, definitions: &Definitions) {
        let Some(number) = self.number(prefix) else { return };
        let has = |node: &u32| self.items(*node).any(|item| item.prefix() == number);
        let shapes: Vec<u32> = self.shapes().filter(has).collect();
        for node in shapes {
            self.unlist(node, |head| &mut head.derived);
            self.list_derived(node, definitions);
        }
    }

    fn unlist(&mut self, node: u32, list: impl Fn(&mut Head) -> &mut Vec<Entry>) {
        let prefixes: Vec<u32> = self.items(node).map(Item::prefix).collect();
        for prefix in prefixes {
            list(&mut self.heads[prefix as usize]).retain(|entry| entry.node != node);
        }
    }

    /// Removes the cores below `node` that begin with `constants`; were there any? Where very many shapes
    /// begin alike, only some are looked at: a core that stays is redundant, and still true.
    fn shorten(&mut self, node: u32, constants: &[i64]) -> bool {
        let mut below = Vec::new();
        let mut open = vec![node];
        while let Some(at) = open.pop().filter(|_| below.len() < MOST_BELOW) {
            let mut child = self.nodes[at as usize].child;
            while child != NONE {
                open.push(child);
                below.push(child);
                child = self.nodes[child as usize].sibling;
            }
        }
        let mut gone = 0;
        // From the ends up, so that a node is free when all below it are.
        for &at in below.iter().rev() {
            let number = self.nodes[at as usize].table;
            let mut meter = Meter::new(Budget::UNLIMITED);
            if let Some(table) = self.tables.get_mut(number as usize)
                && table.find(&Beginning(constants), &mut meter).is_some()
            {
                gone += table.remove(&Beginning(constants));
                if table.len() == 0 {
                    self.unlist(at, |head| &mut head.shapes);
                    self.unlist(at, |head| &mut head.derived);
                    self.unwatch(at);
                    self.nodes[at as usize].table = NONE;
                    self.free_tables.push(number);
                }
            }
            self.free_if_empty(at);
        }
        self.set_count -= gone;
        gone > 0
    }

    fn free_if_empty(&mut self, node: u32) {
        let Node { item, parent, child, sibling, table } = self.nodes[node as usize];
        if child != NONE || table != NONE {
            return;
        }
        let mut before = self.nodes[parent as usize].child;
        if before == node {
            self.nodes[parent as usize].child = sibling;
        } else {
            while self.nodes[before as usize].sibling != node {
                before = self.nodes[before as usize].sibling;
            }
            self.nodes[before as usize].sibling = sibling;
        }
        if let Ok(edge) = self.edges.find_entry(edge_hash(parent, item), |&other| other == node) {
            edge.remove();
        }
        self.free_nodes.push(node);
    }
}
