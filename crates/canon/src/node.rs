//! The graph that keys are made of: nodes with a head (bytes), and labelled edges to smaller nodes.
//!
//! A term's *names* are not in its node. Everything with a name (a declared constant, function, sort,
//! datatype, an array cell) is a *leaf* of the graph, and knowledge of a leaf beyond its own head (a
//! signature over declared sorts, the constructors of a datatype, the body of a recursive function) is a
//! *fact*, a node of its own that points at the leaf. So the graph is acyclic, leaves have no edges, and
//! canonizing a query means numbering leaves.

use evergreen_term::{DataId, Name, SymbolId, TermId};
use hashbrown::HashTable;

/// A node, by its place in the graph. Edges point to smaller ids.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct NodeId(pub(crate) u32);

impl NodeId {
    pub(crate) const TRUE: NodeId = NodeId(0);
    pub(crate) const FALSE: NodeId = NodeId(1);

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// First byte of every head. The numbers are part of the byte form (docs/key-format.md)
/// and never change meaning.
pub(crate) mod tag {
    pub(crate) const TRUE: u8 = 1;
    pub(crate) const FALSE: u8 = 2;
    pub(crate) const INT: u8 = 3;
    pub(crate) const REAL: u8 = 4;
    pub(crate) const BITVEC: u8 = 5;
    pub(crate) const STRING: u8 = 6;
    pub(crate) const BOUND: u8 = 7;
    pub(crate) const FUN: u8 = 8;
    pub(crate) const INDEXED: u8 = 9;
    pub(crate) const CONST_ARRAY: u8 = 10;
    pub(crate) const SEQ_EMPTY: u8 = 11;
    pub(crate) const IS: u8 = 12;
    pub(crate) const UPDATE: u8 = 13;
    pub(crate) const FORALL: u8 = 14;
    pub(crate) const APPLY: u8 = 15;
    /// `sum of label * child + k <= 0`.
    pub(crate) const LE_ZERO: u8 = 16;
    /// `sum of label * child + k = 0`; the sign of the whole is free.
    pub(crate) const EQ_ZERO: u8 = 17;
    /// `sum of label * child + k`, an integer.
    pub(crate) const SUM: u8 = 18;
    /// An integer beyond 64 bits, as decimal digits.
    pub(crate) const BIG_INT: u8 = 19;
    pub(crate) const FLOAT: u8 = 20;
    /// An element of a declared sort, by name: such a query is its own, and reused only
    /// within one arena's names.
    pub(crate) const ELEMENT: u8 = 21;
    /// Many cells of one array, by the digest of their indices and values.
    pub(crate) const TABLE: u8 = 22;

    /// `h = c`, by the cuts of `h` at `c` and at `c - 1`: `crates/canon/src/nameless.rs`.
    pub(crate) const CUT_EQUAL: u8 = 23;
    /// That constants are distinct from each other and from so many others, in forms of cores only.
    pub(crate) const DISTINCT: u8 = 24;
    /// A function that only its solver interprets.
    pub(crate) const OPAQUE: u8 = 25;
    /// A declared function as a value.
    pub(crate) const FUNCTION: u8 = 26;
    pub(crate) const LAMBDA: u8 = 27;
    /// The truth value, in the head, of a cut of a constant that the core fixes.
    pub(crate) const CUT_SETTLED: u8 = 28;

    pub(crate) const LEAF_CONSTANT: u8 = 32;
    pub(crate) const LEAF_FUNCTION: u8 = 33;
    /// A symbol whose signature mentions declared sorts: see its fact.
    pub(crate) const LEAF_TYPED: u8 = 34;
    pub(crate) const LEAF_CONSTRUCTOR: u8 = 35;
    pub(crate) const LEAF_SELECTOR: u8 = 36;
    pub(crate) const LEAF_RECURSIVE: u8 = 37;
    pub(crate) const LEAF_SORT: u8 = 38;
    pub(crate) const LEAF_DATATYPE: u8 = 39;
    /// `h <= c`, in forms of cores only.
    pub(crate) const LEAF_CUT: u8 = 40;

    pub(crate) const FACT_TYPE: u8 = 48;
    pub(crate) const FACT_DATATYPE: u8 = 49;
    pub(crate) const FACT_RECURSIVE: u8 = 50;
    /// An objective or a soft constraint: not asserted, but part of what is asked.
    pub(crate) const ROLE: u8 = 51;
    /// The cuts of one constant that occurs in no other way, ascending.
    pub(crate) const FACT_CUTS: u8 = 52;
    /// A cut of a constant that also occurs in another way: the literal is in the head.
    pub(crate) const FACT_PINNED: u8 = 53;
}

/// Whether a node with that tag carries a constant, and labels on its edges (INT has no edges).
pub(crate) fn is_linear(tag: u8) -> bool {
    matches!(tag, tag::INT | tag::LE_ZERO | tag::EQ_ZERO | tag::SUM)
}

/// How the edges of a node are to be read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Shape {
    /// In order; labels are zero.
    Ordered,
    /// As a multiset of (label, child).
    Unordered,
    /// As a multiset of (label, child), equal to the one with all labels and the constant negated.
    Signed,
    /// No edges: a leaf to be numbered.
    Leaf,
}

/// A labelled edge.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Edge {
    pub(crate) to: NodeId,
    pub(crate) label: i64,
}

/// The object that a leaf stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Leaf {
    /// A declared constant or function, a constructor or a selector.
    Symbol(SymbolId),
    /// An array read at a literal index, where the array is read at literal indices
    /// only: the term of the read.
    Cell(TermId),
    /// A declared sort.
    Sort(Name),
    /// A datatype.
    Datatype(DataId),
}

#[derive(Clone, Copy)]
pub(crate) struct Node {
    pub(crate) shape: Shape,
    /// Range in the pool of head bytes.
    pub(crate) head: (u32, u32),
    /// Range in the pool of edges.
    pub(crate) edges: (u32, u32),
    /// The constant of a linear node (LE_ZERO, EQ_ZERO, SUM).
    pub(crate) constant: i64,
    /// A hash of head and constant: same on every machine.
    pub(crate) seed: u64,
    /// For EQ_ZERO: the hash with the constant negated.
    pub(crate) seed_negated: u64,
}

/// So many nodes have room from the start: those of a short path. Without that, about a tenth of what a small
/// query costs is the growth of these lists.
const FEW: usize = 64;

/// Hash-consed nodes.
pub(crate) struct Graph {
    pub(crate) nodes: Vec<Node>,
    heads: Vec<u8>,
    edges: Vec<Edge>,
    table: HashTable<NodeId>,
    /// The object behind each leaf node, by node; `None` for inner nodes.
    pub(crate) leaves: Vec<Option<Leaf>>,
}

/// Mixes two words; the same everywhere, so that orders derived from it are too.
#[inline]
pub(crate) fn mix(a: u64, b: u64) -> u64 {
    let wide = u128::from(a ^ 0x9e37_79b9_7f4a_7c15) * u128::from(b ^ 0xd1b5_4a32_d192_ed03);
    ((wide >> 64) as u64 ^ wide as u64).wrapping_add(a.rotate_left(29) ^ b)
}

fn hash_bytes(bytes: &[u8]) -> u64 {
    let mut h = mix(bytes.len() as u64, 0x5851_f42d_4c95_7f2d);
    for chunk in bytes.chunks(8) {
        let mut word = [0u8; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        h = mix(h, u64::from_le_bytes(word));
    }
    h
}

impl Graph {
    pub(crate) fn new() -> Graph {
        let mut graph = Graph {
            nodes: Vec::with_capacity(FEW),
            heads: Vec::with_capacity(2 * FEW),
            edges: Vec::with_capacity(FEW),
            table: HashTable::with_capacity(FEW),
            leaves: Vec::with_capacity(FEW),
        };
        assert_eq!(graph.inner(&[tag::TRUE], Shape::Ordered, 0, &[]), NodeId::TRUE);
        assert_eq!(graph.inner(&[tag::FALSE], Shape::Ordered, 0, &[]), NodeId::FALSE);
        graph
    }

    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    pub(crate) fn head(&self, id: NodeId) -> &[u8] {
        let (start, end) = self.nodes[id.index()].head;
        &self.heads[start as usize..end as usize]
    }

    pub(crate) fn tag(&self, id: NodeId) -> u8 {
        self.heads[self.nodes[id.index()].head.0 as usize]
    }

    pub(crate) fn edges(&self, id: NodeId) -> &[Edge] {
        let (start, end) = self.nodes[id.index()].edges;
        &self.edges[start as usize..end as usize]
    }

    /// The node with that head and those edges. The caller sorts the edges of unordered shapes.
    pub(crate) fn inner(&mut self, head: &[u8], shape: Shape, constant: i64, edges: &[Edge]) -> NodeId {
        let base = hash_bytes(head);
        let seed = mix(base, constant as u64);
        let mut hash = mix(seed, edges.len() as u64);
        for e in edges {
            hash = mix(hash, (u64::from(e.to.0) << 1) ^ (e.label as u64).rotate_left(40));
        }
        let found = self.table.find(hash, |&id| {
            let n = self.node(id);
            n.seed == seed
                && n.constant == constant
                && n.shape == shape
                && self.head(id) == head
                && self.edges(id) == edges
        });
        if let Some(&id) = found {
            return id;
        }
        let id = NodeId(u32::try_from(self.nodes.len()).expect("too many nodes"));
        let seed_negated = mix(base, constant.wrapping_neg() as u64);
        self.push_node(head, shape, constant, edges, seed, seed_negated);
        self.leaves.push(None);
        // Rehashing recomputes from stored parts.
        let (nodes, pool) = (&self.nodes, &self.edges);
        self.table.insert_unique(hash, id, |&id| {
            let n = &nodes[id.index()];
            let edges = &pool[n.edges.0 as usize..n.edges.1 as usize];
            let mut hash = mix(n.seed, edges.len() as u64);
            for e in edges {
                hash = mix(hash, (u64::from(e.to.0) << 1) ^ (e.label as u64).rotate_left(40));
            }
            hash
        });
        id
    }

    /// A new leaf. Leaves are not hash-consed: the caller keeps one per thing.
    pub(crate) fn leaf(&mut self, head: &[u8], leaf: Leaf) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).expect("too many nodes"));
        let seed = mix(hash_bytes(head), 0);
        self.push_node(head, Shape::Leaf, 0, &[], seed, seed);
        self.leaves.push(Some(leaf));
        id
    }

    fn push_node(
        &mut self,
        head: &[u8],
        shape: Shape,
        constant: i64,
        edges: &[Edge],
        seed: u64,
        seed_negated: u64,
    ) {
        let h = self.heads.len() as u32;
        self.heads.extend_from_slice(head);
        let e = self.edges.len() as u32;
        self.edges.extend_from_slice(edges);
        self.nodes.push(Node {
            shape,
            head: (h, h + head.len() as u32),
            edges: (e, e + edges.len() as u32),
            constant,
            seed,
            seed_negated,
        });
    }
}

/// Appends an unsigned number, seven bits a byte, least significant first.
pub(crate) fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Appends a signed number: zigzag, then as unsigned.
pub(crate) fn put_signed(out: &mut Vec<u8>, value: i64) {
    put_varint(out, ((value << 1) ^ (value >> 63)) as u64);
}
