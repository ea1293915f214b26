//! The byte form of a numbered query, and its key. The format is described in docs/key-format.md.

use crate::label::{Local, rank_color};
use crate::node::{Graph, NodeId, Shape, is_linear, put_signed, put_varint};

/// Version of the byte form. A change of meaning anywhere below or in the tables it
/// refers to needs a new number.
pub const FORM_VERSION: u8 = 1;

/// A query's nodes as canonizing sees them: `nodes[i]` is the graph node of local node `i`.
pub(crate) struct Written {
    pub(crate) bytes: Vec<u8>,
    /// For each constraint in the form, which of the given roots it is.
    pub(crate) root_order: Vec<u32>,
}

/// Writes the form. `constraints` is how many of the roots (the first ones) are
/// constraints; the others are facts.
pub(crate) fn write(
    graph: &Graph,
    local: &mut Local,
    nodes: &[NodeId],
    rank: &[u32],
    constraints: usize,
) -> Written {
    let leaves = local.leaf_count;
    let colors: Vec<u64> = rank.iter().map(|&r| rank_color(r)).collect();
    local.hash_up(&colors);
    order_edges(local);
    let local = &*local;

    let mut bytes = Vec::with_capacity(16 + nodes.len() * 8);
    bytes.push(FORM_VERSION);
    put_varint(&mut bytes, leaves as u64);
    let mut by_rank = vec![0u32; leaves];
    for (leaf, &r) in rank.iter().enumerate() {
        by_rank[r as usize] = leaf as u32;
    }
    for &leaf in &by_rank {
        bytes.extend_from_slice(graph.head(nodes[leaf as usize]));
    }

    let mut root_order: Vec<u32> = (0..constraints as u32).collect();
    root_order.sort_by_key(|&r| local.up[local.roots[r as usize] as usize]);
    let mut fact_order: Vec<u32> = (constraints as u32..local.roots.len() as u32).collect();
    fact_order.sort_by_key(|&r| local.up[local.roots[r as usize] as usize]);

    put_varint(&mut bytes, local.inner_count() as u64);
    let mut number: Vec<u32> = Vec::with_capacity(leaves + local.inner_count());
    number.extend(rank.iter().map(|&r| r + 1));
    number.resize(leaves + local.inner_count(), 0);
    let mut writer = Writer { graph, local, nodes, bytes, number, written: 0, stack: Vec::new() };
    for &r in root_order.iter().chain(&fact_order) {
        writer.emit(local.roots[r as usize]);
    }
    debug_assert_eq!(writer.written as usize, local.inner_count());
    for order in [&root_order, &fact_order] {
        put_varint(&mut writer.bytes, order.len() as u64);
        for &r in order {
            let number = writer.number[local.roots[r as usize] as usize] - 1;
            put_varint(&mut writer.bytes, u64::from(number));
        }
    }
    Written { bytes: writer.bytes, root_order }
}

struct Writer<'a> {
    graph: &'a Graph,
    local: &'a Local,
    nodes: &'a [NodeId],
    bytes: Vec<u8>,
    /// Number of each local node plus one; zero where not written yet.
    number: Vec<u32>,
    written: u32,
    stack: Vec<(u32, bool)>,
}

/// Whether the other one of both orientations of a signed node is the canonical one.
fn is_flipped(local: &Local, inner: usize) -> bool {
    let (plus, minus) = local.orientations[inner];
    local.shapes[inner] == Shape::Signed && minus < plus
}

/// Brings edges into canonical order, and into the canonical one of both orientations.
fn order_edges(local: &mut Local) {
    for inner in 0..local.inner_count() {
        if local.shapes[inner] == Shape::Ordered {
            continue;
        }
        let flipped = is_flipped(local, inner);
        let range = local.starts[inner] as usize..local.starts[inner + 1] as usize;
        let edges = &mut local.edges[range];
        if flipped {
            edges.iter_mut().for_each(|e| e.1 = -e.1);
        }
        if edges.len() > 1 {
            let up = &local.up;
            edges.sort_by_key(|&(to, label)| (up[to as usize], label));
        }
    }
}

impl Writer<'_> {
    /// Writes everything below a node, then the node; each node once.
    fn emit(&mut self, root: u32) {
        self.stack.push((root, false));
        while let Some((node, children_done)) = self.stack.pop() {
            if self.number[node as usize] != 0 {
                continue;
            }
            if children_done {
                self.emit_one(node);
                continue;
            }
            let edges = self.local.edges_of(node as usize - self.local.leaf_count);
            let number = &self.number;
            let mut open = edges.iter().rev().filter(|e| number[e.0 as usize] == 0).peekable();
            if open.peek().is_none() {
                drop(open);
                self.emit_one(node);
                continue;
            }
            self.stack.push((node, true));
            self.stack.extend(open.map(|e| (e.0, false)));
        }
    }

    fn emit_one(&mut self, node: u32) {
        let inner = node as usize - self.local.leaf_count;
        let id = self.nodes[node as usize];
        let tag = self.graph.tag(id);
        self.bytes.extend_from_slice(self.graph.head(id));
        if is_linear(tag) {
            let constant = self.graph.node(id).constant;
            let constant = if is_flipped(self.local, inner) { -constant } else { constant };
            put_signed(&mut self.bytes, constant);
        }
        let edges = self.local.edges_of(inner);
        put_varint(&mut self.bytes, edges.len() as u64);
        for &(to, label) in edges {
            if is_linear(tag) {
                put_signed(&mut self.bytes, label);
            }
            put_varint(&mut self.bytes, u64::from(self.number[to as usize] - 1));
        }
        self.written += 1;
        self.number[node as usize] = self.local.leaf_count as u32 + self.written;
    }
}
