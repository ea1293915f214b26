//! Constraints without their names, one by one and jointly: for cores that are looked up under any naming.
//!
//! A [named key](crate::Canonizer::named_key) says nothing about the same constraint under other names, and a
//! key of a whole query nothing about its subsets. So a core has a form of its own: its constraints numbered
//! jointly, as a query is. [`Canonizer::joint`] writes it, and two sets of constraints with one joint key are
//! equal up to an injective renaming of symbols, sorts and datatypes. To find the subset of a query that has
//! a given joint key, each constraint has
//! - a *shape*, a hash in which all leaves of a kind look the same: one word for each node, computed once;
//! - a *nameless form*: its own key, its leaves in their canonical order, and which of them are tied, that is
//!   cannot be told apart by refinement alone.
//!
//! Both only guide a search. What is found is believed because of the joint key.
//!
//! **Cuts.** A verifier numbers the functions of a program: `h = 4` says which one is verified, `3 <= h`
//! which ones it may use, and a function more shifts all of the numbers. Where an integer constant `h` is
//! only ever compared with literals, nothing but the order of those literals matters: `h <= c1, …, h <= cn`
//! with ascending `ci` are truth values of which each implies the next, and every such assignment is that of
//! some integer. So `h <= c` becomes a leaf, the *cut* of `h` at `c`, `h = c` becomes the cut at `c` without
//! the one below, and the joint form states the order of the cuts of each constant. If `h` also occurs
//! elsewhere in the core, its cuts are pinned: the form states constant and literal of each. A query needs
//! no such condition: whatever `h` is there, its cuts are truth values in that order. If the core fixes
//! `h`, as a goal does, its cuts have values, and the form has these in their places. So it does not matter
//! how many numbers lie between two literals: `h = 9` and `3 <= h` have four cuts, `h = 4` and `h = 3` three,
//! since the one at 3 belongs to both.
//!
//! **Distinct constants.** A verifier states in one assertion that all of its unique constants are distinct,
//! and a class more is one more of them. The form of a core names those that its other members mention and
//! counts the rest, which is a distinction of that many constants that occur nowhere else. A query that says
//! so of more constants implies it.

use crate::named::hash_inner;
use crate::node::{Edge, Leaf, NodeId, Shape, mix, put_signed, put_varint, tag};
use crate::{Canonizer, FORM_VERSION, KeyBytes, LABEL_BUDGET, digest, form};
use evergreen_term::{Fun, Op, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// A named thing of a constraint, as long as the canonizer lives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LeafId(u32);

impl LeafId {
    /// A leaf by its number, for tests of what searches for them.
    pub fn new(number: u32) -> LeafId {
        LeafId(number)
    }
}

/// A constraint without its names.
#[derive(Clone, Debug)]
pub struct Nameless {
    /// The digest of its form.
    pub key: u128,
    /// Its leaves, in the canonical order.
    pub leaves: Vec<LeafId>,
    /// For each leaf the place of the first one that refinement cannot tell from it; its own place, mostly.
    pub ties: Vec<u32>,
    /// Whether it says no more than that its leaves are distinct; then their order means nothing.
    pub is_distinct: bool,
}

/// A constraint of a set that is numbered jointly.
#[derive(Clone, Debug)]
pub enum Part {
    /// All of it.
    Whole(TermId),
    /// That these constants are distinct, and so many others.
    Distinct(Vec<LeafId>, u32),
}

/// Constraints numbered together.
#[derive(Clone, Debug)]
pub struct Joint {
    /// The digest of the joint form.
    pub key: KeyBytes,
    /// For each constraint the number of each leaf, in the order of the constraint's own form, or as given.
    pub members: Vec<Vec<u32>>,
    /// Whether the numbering is canonical, or the search for one was cut short.
    pub complete: bool,
}

impl Joint {
    /// In place of a number: the leaf is a comparison whose value follows from the other constraints. The
    /// form has the value, and nothing needs to be found for the leaf.
    pub const SETTLED: u32 = u32::MAX;
}

/// The memo of nameless nodes.
#[derive(Default)]
pub(crate) struct Memo {
    /// The shape of each node; zero where not computed yet.
    shapes: Vec<u64>,
    /// The node with cuts plus one, by node; zero where not made yet.
    cut: Vec<u32>,
    /// The leaf of each cut.
    cuts: FxHashMap<(NodeId, i64), NodeId>,
    /// The constant and the literal of each such leaf.
    cut_of: FxHashMap<NodeId, (NodeId, i64)>,
    constraints: FxHashMap<TermId, Rc<Nameless>>,
}

/// Hashes of comparisons of a constant with a literal, whichever literal.
const CUT: u64 = 0x6c62_272e_07bb_0142;
const CUT_EQUAL: u64 = 0x27d4_eb2f_1656_67c5;
/// The shape, and the key, of a constraint that constants are distinct.
const DISTINCT: u64 = 0x1b87_3593_cc9e_2d51;
/// Constraints that are kept before all are forgotten.
const KEPT: usize = 1 << 16;

/// A comparison of an integer constant with a literal.
enum Comparison {
    AtMost(i64),
    Above(i64),
    Equal(i64, i64),
}

impl Canonizer {
    /// What is left of a constraint without names, and without the literals that constants are compared with.
    pub fn shape(&mut self, terms: &Terms, constraint: TermId) -> u64 {
        if self.distinct_constants(terms, constraint).is_some() {
            return DISTINCT;
        }
        let piece = self.piece(terms, constraint);
        let shapes = piece.roots.iter().map(|&root| self.node_shape(root));
        shapes.fold(piece.roots.len() as u64, |sum, shape| sum.wrapping_add(mix(shape, 1)))
    }

    fn node_shape(&mut self, node: NodeId) -> u64 {
        let mut shapes = std::mem::take(&mut self.nameless.shapes);
        let mut stack = std::mem::take(&mut self.stack);
        let graph = &self.lowering.graph;
        if shapes.len() < graph.nodes.len() {
            shapes.resize(graph.nodes.len(), 0);
        }
        stack.push(node);
        while let Some(&top) = stack.last() {
            if shapes[top.index()] != 0 {
                stack.pop();
                continue;
            }
            let hash = if graph.leaves[top.index()].is_some() {
                graph.node(top).seed
            } else if let Some((_, comparison)) = self.comparison(top) {
                match comparison {
                    Comparison::AtMost(_) => CUT,
                    Comparison::Above(_) => CUT + 1,
                    Comparison::Equal(..) => CUT_EQUAL,
                }
            } else {
                let before = stack.len();
                stack.extend(graph.edges(top).iter().map(|e| e.to).filter(|c| shapes[c.index()] == 0));
                if stack.len() > before {
                    continue;
                }
                hash_inner(graph, &shapes, top)
            };
            shapes[top.index()] = hash.max(1);
            stack.pop();
        }
        self.stack = stack;
        let shape = shapes[node.index()];
        self.nameless.shapes = shapes;
        shape
    }

    /// The constraint without its names.
    pub fn nameless(&mut self, terms: &Terms, constraint: TermId) -> Rc<Nameless> {
        if let Some(known) = self.nameless.constraints.get(&constraint) {
            return known.clone();
        }
        if let Some(leaves) = self.distinct_constants(terms, constraint) {
            let (key, ties) = (u128::from(DISTINCT), vec![0; leaves.len()]);
            return Rc::new(Nameless { key, leaves, ties, is_distinct: true });
        }
        let mut roots = self.cut_roots(terms, &[constraint]);
        let (form, numbered, _) = self.number(terms, &mut roots);
        let mut leaves = vec![LeafId(0); numbered.len()];
        let mut colors = vec![0; numbered.len()];
        for (local, &(node, rank)) in numbered.iter().enumerate() {
            leaves[rank as usize] = LeafId(node.0);
            colors[rank as usize] = self.local.refined.get(local).copied().unwrap_or(local as u64);
        }
        let mut first: FxHashMap<u64, u32> = FxHashMap::default();
        let ties =
            colors.iter().enumerate().map(|(i, &color)| *first.entry(color).or_insert(i as u32)).collect();
        let key = digest(&form);
        let key = u128::from_le_bytes(key[..16].try_into().expect("a digest has 32 bytes"));
        let nameless = Rc::new(Nameless { key, leaves, ties, is_distinct: false });
        if self.nameless.constraints.len() >= KEPT {
            self.nameless.constraints.clear();
        }
        self.nameless.constraints.insert(constraint, nameless.clone());
        nameless
    }

    /// Constraints numbered together. Two sets of constraints with one key are equal up to an injective
    /// renaming, and up to the literals of cuts where only their order matters.
    pub fn joint(&mut self, terms: &Terms, parts: &[Part]) -> Joint {
        let mut roots = Vec::new();
        let mut leaves: Vec<Vec<LeafId>> = Vec::with_capacity(parts.len());
        for part in parts {
            match part {
                Part::Whole(constraint) => {
                    leaves.push(self.nameless(terms, *constraint).leaves.clone());
                    roots.extend(self.cut_roots(terms, &[*constraint]));
                }
                Part::Distinct(named, others) => {
                    let mut edges: Vec<Edge> =
                        named.iter().map(|leaf| Edge { to: NodeId(leaf.0), label: 0 }).collect();
                    edges.sort_unstable();
                    let mut head = vec![tag::DISTINCT];
                    put_varint(&mut head, u64::from(*others));
                    leaves.push(named.clone());
                    roots.push(self.lowering.graph.inner(&head, Shape::Unordered, 0, &edges));
                }
            }
        }
        let mut seen = FxHashSet::default();
        roots.retain(|&root| seen.insert(root));
        let (facts, settled) = self.cut_facts(terms, &roots);
        if !settled.is_empty() {
            self.settle(&mut roots, &settled);
        }
        roots.extend(facts);
        let (form, numbered, complete) = self.number(terms, &mut roots);
        let mut number: FxHashMap<u32, u32> = numbered.iter().map(|&(node, rank)| (node.0, rank)).collect();
        number.extend(settled.keys().map(|leaf| (leaf.0, Joint::SETTLED)));
        let members =
            leaves.iter().map(|leaves| leaves.iter().map(|leaf| number[&leaf.0]).collect()).collect();
        Joint { key: digest(&form), members, complete }
    }

    /// The constants, of declared sorts, of a constraint that says no more than that they are distinct.
    fn distinct_constants(&mut self, terms: &Terms, constraint: TermId) -> Option<Vec<LeafId>> {
        let piece = self.piece(terms, constraint);
        let &[root] = &piece.roots[..] else { return None };
        let graph = &self.lowering.graph;
        // Two constants are unequal like any other two terms, which is what goals are about: only where the
        // client has written a distinction may it be one of more constants later.
        let is_pair = terms.op(constraint) == Op::Fun(Fun::Distinct) && terms.args(constraint).len() == 2;
        let all = match graph.edges(root) {
            [Edge { to, .. }] if is_pair && graph.is_fun(root, Fun::Not) && graph.is_fun(*to, Fun::Eq) => *to,
            _ if graph.is_fun(root, Fun::Distinct) => root,
            _ => return None,
        };
        let leaf = |edge: &Edge| {
            // Not integers: their cuts would not mention them.
            let is_constant = graph.tag(edge.to) == tag::LEAF_TYPED;
            let is_symbol = matches!(graph.leaves[edge.to.index()], Some(Leaf::Symbol(_)));
            (is_constant && is_symbol).then_some(LeafId(edge.to.0))
        };
        graph.edges(all).iter().map(leaf).collect()
    }

    /// Numbers the leaves below some roots: the form, the leaves with their numbers, and whether the numbers
    /// are canonical.
    fn number(&mut self, terms: &Terms, roots: &mut Vec<NodeId>) -> (Vec<u8>, Vec<(NodeId, u32)>, bool) {
        let constraints = roots.len();
        let nodes = self.localize(terms, roots, |_| true);
        let labels = self.local.label(LABEL_BUDGET);
        let written = form::write(&self.lowering.graph, &mut self.local, &nodes, &labels.rank, constraints);
        let mut form = vec![FORM_VERSION];
        form.extend(written.bytes);
        (form, nodes.iter().copied().zip(labels.rank).collect(), labels.complete)
    }

    /// The roots of constraints, with cuts, each once.
    fn cut_roots(&mut self, terms: &Terms, constraints: &[TermId]) -> Vec<NodeId> {
        let mut roots = Vec::with_capacity(constraints.len());
        for &constraint in constraints {
            let piece = self.piece(terms, constraint);
            roots.extend(piece.roots.iter().filter(|r| **r != NodeId::TRUE));
        }
        let mut cut: Vec<NodeId> = roots.iter().map(|&root| self.cut(root)).collect();
        let mut seen = FxHashSet::default();
        cut.retain(|&root| seen.insert(root));
        cut
    }

    /// What is known of the cuts below some roots: their order, or constant and literal of each; and the
    /// values of those whose constant a root fixes.
    fn cut_facts(&mut self, terms: &Terms, roots: &[NodeId]) -> (Vec<NodeId>, FxHashMap<NodeId, bool>) {
        let (mut facts, mut settled) = (Vec::new(), FxHashMap::default());
        if self.nameless.cut_of.is_empty() {
            return (facts, settled);
        }
        let mut below = roots.to_vec();
        let nodes = self.localize(terms, &mut below, |_| true);
        let leaves = &nodes[..self.local.leaf_count];
        let mut cuts: Vec<(NodeId, i64, NodeId)> = leaves
            .iter()
            .filter_map(|leaf| self.nameless.cut_of.get(leaf).map(|&(of, at)| (of, at, *leaf)))
            .collect();
        cuts.sort_unstable();
        for group in cuts.chunk_by(|a, b| a.0 == b.0) {
            let constant = group[0].0;
            if !leaves.contains(&constant) {
                match roots.iter().find_map(|&root| self.fixed(root, constant)) {
                    Some(fixed) => settled.extend(group.iter().map(|cut| (cut.2, cut.1 >= fixed))),
                    None => {
                        let ascending: Vec<NodeId> = group.iter().map(|cut| cut.2).collect();
                        facts.push(self.lowering.graph.ordered(&[tag::FACT_CUTS], &ascending));
                    }
                }
                continue;
            }
            for &(_, at, cut) in group {
                let mut head = vec![tag::FACT_PINNED];
                put_signed(&mut head, at);
                facts.push(self.lowering.graph.ordered(&head, &[cut, constant]));
            }
        }
        (facts, settled)
    }

    /// The roots with values in place of cuts, each once.
    fn settle(&mut self, roots: &mut Vec<NodeId>, settled: &FxHashMap<NodeId, bool>) {
        let mut made: FxHashMap<NodeId, NodeId> = FxHashMap::default();
        for (&cut, &value) in settled {
            made.insert(cut, self.lowering.graph.ordered(&[tag::CUT_SETTLED, value.into()], &[]));
        }
        let mut stack: Vec<NodeId> = roots.clone();
        while let Some(&top) = stack.last() {
            let before = stack.len();
            if !made.contains_key(&top) {
                let edges = self.lowering.graph.edges(top);
                stack.extend(edges.iter().map(|e| e.to).filter(|child| !made.contains_key(child)));
                if stack.len() > before {
                    continue;
                }
                let settled = self.with_children(top, |child| made[&child]);
                made.insert(top, settled);
            }
            stack.pop();
        }
        let mut seen = FxHashSet::default();
        roots.iter_mut().for_each(|root| *root = made[root]);
        roots.retain(|&root| seen.insert(root));
    }

    /// The literal that a constant equals, if a root with cuts says so.
    fn fixed(&self, root: NodeId, constant: NodeId) -> Option<i64> {
        let graph = &self.lowering.graph;
        if graph.tag(root) != tag::CUT_EQUAL {
            return None;
        }
        let &(of, at) = self.nameless.cut_of.get(&graph.edges(root).first()?.to)?;
        (of == constant).then_some(at)
    }

    /// The constant and how it is compared with a literal, if a node is such a comparison.
    fn comparison(&self, node: NodeId) -> Option<(NodeId, Comparison)> {
        let graph = &self.lowering.graph;
        let tag = graph.tag(node);
        if tag != tag::LE_ZERO && tag != tag::EQ_ZERO {
            return None;
        }
        let &[Edge { to, label }] = graph.edges(node) else { return None };
        // The second byte of the head is the sort.
        let is_constant = graph.head(to) == [tag::LEAF_CONSTANT, INT_SORT];
        if !is_constant || !matches!(graph.leaves[to.index()], Some(Leaf::Symbol(_))) {
            return None;
        }
        let literal = graph.node(node).constant;
        let comparison = match (tag, label) {
            (tag::LE_ZERO, 1) => Comparison::AtMost(literal.checked_neg()?),
            (tag::LE_ZERO, -1) => Comparison::Above(literal.checked_sub(1)?),
            (tag::EQ_ZERO, 1 | -1) => {
                let at = if label == 1 { literal.checked_neg()? } else { literal };
                Comparison::Equal(at, at.checked_sub(1)?)
            }
            _ => return None,
        };
        Some((to, comparison))
    }

    /// The node with cuts in place of comparisons of constants with literals.
    fn cut(&mut self, node: NodeId) -> NodeId {
        let mut stack = std::mem::take(&mut self.stack);
        stack.push(node);
        while let Some(&top) = stack.last() {
            if self.cut_node(top).is_some() {
                stack.pop();
                continue;
            }
            let made = if let Some((constant, comparison)) = self.comparison(top) {
                match comparison {
                    Comparison::AtMost(at) => self.cut_leaf(constant, at),
                    Comparison::Above(at) => {
                        let leaf = self.cut_leaf(constant, at);
                        self.lowering.graph.not(leaf)
                    }
                    Comparison::Equal(at, below) => {
                        let edges = [self.cut_leaf(constant, at), self.cut_leaf(constant, below)];
                        self.lowering.graph.ordered(&[tag::CUT_EQUAL], &edges)
                    }
                }
            } else {
                let before = stack.len();
                let edges = self.lowering.graph.edges(top);
                stack.extend(edges.iter().map(|e| e.to).filter(|&c| self.cut_node(c).is_none()));
                if stack.len() > before {
                    continue;
                }
                self.cut_inner(top)
            };
            let cut = &mut self.nameless.cut;
            if cut.len() <= top.index() {
                cut.resize(top.index() + 1 + top.index() / 4, 0);
            }
            cut[top.index()] = made.0 + 1;
            stack.pop();
        }
        self.stack = stack;
        self.cut_node(node).expect("made just now")
    }

    fn cut_node(&self, node: NodeId) -> Option<NodeId> {
        let made = *self.nameless.cut.get(node.index())?;
        made.checked_sub(1).map(NodeId)
    }

    /// A node whose children have their cuts.
    fn cut_inner(&mut self, node: NodeId) -> NodeId {
        let cut = std::mem::take(&mut self.nameless.cut);
        let made = self.with_children(node, |child| NodeId(cut[child.index()] - 1));
        self.nameless.cut = cut;
        made
    }

    /// A node with other children.
    fn with_children(&mut self, node: NodeId, to: impl Fn(NodeId) -> NodeId) -> NodeId {
        let graph = &self.lowering.graph;
        let old = graph.edges(node);
        if old.iter().all(|e| to(e.to) == e.to) {
            return node;
        }
        let mut edges: Vec<Edge> = old.iter().map(|e| Edge { to: to(e.to), label: e.label }).collect();
        let (shape, constant, head) =
            (graph.node(node).shape, graph.node(node).constant, graph.head(node).to_vec());
        if matches!(shape, Shape::Unordered | Shape::Signed) {
            edges.sort_unstable();
        }
        self.lowering.graph.inner(&head, shape, constant, &edges)
    }

    fn cut_leaf(&mut self, constant: NodeId, at: i64) -> NodeId {
        if let Some(&leaf) = self.nameless.cuts.get(&(constant, at)) {
            return leaf;
        }
        let of = self.lowering.graph.leaves[constant.index()].expect("constants are leaves");
        let leaf = self.lowering.graph.leaf(&[tag::LEAF_CUT], of);
        self.nameless.cuts.insert((constant, at), leaf);
        self.nameless.cut_of.insert(leaf, (constant, at));
        leaf
    }
}

/// How `Int` is written in heads.
const INT_SORT: u8 = 1;
