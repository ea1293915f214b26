//! Identities of terms that keep their names: for constraints that are compared across queries one by one.
//!
//! A key of a whole query has no names, so the keys of two queries say nothing about whether one contains the
//! other. A *named key* identifies one constraint by its structure and by the names and signatures of its
//! symbols, with what those are defined to be. It does not depend on the arena, on what else was canonized,
//! or on the order of arguments where that is irrelevant. Two constraints with one named key are the same
//! formula, so a set of named keys is a set of formulas.
//!
//! The bytes that are hashed list each node below the constraint once, children first. Unordered edges are
//! put in order by a 64-bit hash of what they lead to; when two hashes collide the order may differ between
//! runs, which is a missed match and never a wrong one, because the key is a digest of the bytes.

use crate::atom::{Atom, Compare, Relation, Row, Variable, is_free_integer, relate, row_of_nodes};
use crate::node::{Edge, Graph, Leaf, NodeId, Shape, is_linear, mix, put_signed, put_varint};
use crate::{Canonical, Canonizer, FORM_VERSION};
use evergreen_term::{SymbolKind, TermId, Terms};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The memo of named nodes.
#[derive(Default)]
pub(crate) struct Named {
    /// Hash of each node, for order only; zero where not computed yet.
    order: Vec<u64>,
    /// Identity of nodes that were asked for.
    keys: FxHashMap<NodeId, u128>,
    atoms: FxHashMap<TermId, Rc<[Atom]>>,
    linear: FxHashMap<TermId, Option<Rc<[Row<Variable>]>>>,
    constraints: FxHashMap<TermId, u128>,
    bytes: Vec<u8>,
    stack: Vec<NodeId>,
    number: FxHashMap<NodeId, u64>,
    /// Prefixes of renumbered variables.
    numbered: Vec<u128>,
}

fn digest_16(bytes: &[u8]) -> u128 {
    let digest = blake3::hash(bytes);
    u128::from_le_bytes(digest.as_bytes()[..16].try_into().expect("a digest has 32 bytes"))
}

/// A query's linear part with variables numbered by first occurrence, as Green numbers them.
pub struct Renumbered {
    /// The leaf behind each number.
    pub leaves: Vec<Leaf>,
    /// The constraints as atoms over the numbers, with the position of the constraint that each came from.
    pub atoms: Vec<(Atom, u32)>,
}

impl Canonizer {
    /// Identifies one constraint by structure and names.
    pub fn named_key(&mut self, terms: &Terms, constraint: TermId) -> u128 {
        if let Some(&key) = self.named.constraints.get(&constraint) {
            return key;
        }
        let roots = self.piece(terms, constraint).roots.clone();
        let key = match roots[..] {
            [only] => self.node_key(terms, only),
            _ => {
                let mut keys: Vec<u128> = roots.iter().map(|&r| self.node_key(terms, r)).collect();
                keys.sort_unstable();
                let bytes: Vec<u8> = keys.iter().flat_map(|k| k.to_le_bytes()).collect();
                digest_16(&bytes)
            }
        };
        self.named.constraints.insert(constraint, key);
        key
    }

    /// The constraint as rows over variables; `None` unless all of it is linear over free integers.
    pub fn linear(&mut self, terms: &Terms, constraint: TermId) -> Option<Rc<[Row<Variable>]>> {
        if let Some(rows) = self.named.linear.get(&constraint) {
            return rows.clone();
        }
        let piece = self.piece(terms, constraint);
        let graph = &self.lowering.graph;
        let row = |&root: &NodeId| {
            let row = row_of_nodes(graph, root)?;
            let free = row.terms.iter().all(|&(v, _)| is_free_integer(terms, graph, v));
            let terms = row.terms.into_iter().map(|(v, c)| (Variable(v), c)).collect();
            free.then_some(Row { compare: row.compare, terms, constant: row.constant })
        };
        let rows = piece.roots.iter().filter(|r| **r != NodeId::TRUE).map(row).collect();
        self.named.linear.insert(constraint, rows);
        self.named.linear[&constraint].clone()
    }

    /// The atoms that a constraint is the conjunction of, under its own names.
    pub fn atoms(&mut self, terms: &Terms, constraint: TermId) -> Rc<[Atom]> {
        if let Some(atoms) = self.named.atoms.get(&constraint) {
            return atoms.clone();
        }
        let roots = self.piece(terms, constraint).roots.clone();
        let roots = roots.iter().filter(|r| **r != NodeId::TRUE);
        let atoms: Rc<[Atom]> = roots.map(|&r| self.atom(terms, r)).collect();
        self.named.atoms.insert(constraint, atoms.clone());
        atoms
    }

    fn atom(&mut self, terms: &Terms, root: NodeId) -> Atom {
        let row = row_of_nodes(&self.lowering.graph, root);
        let linear = row.and_then(|row| self.linear_atom(terms, row));
        linear.unwrap_or_else(|| Atom {
            prefix: self.node_key(terms, root),
            relation: Relation::Holds,
            constant: 0,
            terms: Vec::new(),
        })
    }

    fn linear_atom(&mut self, terms: &Terms, row: Row<NodeId>) -> Option<Atom> {
        let mut named: Vec<(u128, i64)> = Vec::with_capacity(row.terms.len());
        for &(node, c) in &row.terms {
            named.push((variable_prefix(b"own", self.node_key(terms, node)), c));
        }
        named.sort_unstable();
        let (prefix, relation, constant) = name_prefix(&mut named, row.compare, row.constant)?;
        Some(Atom { prefix, relation, constant, terms: named })
    }

    /// The leaf behind a variable.
    pub fn leaf(&self, variable: Variable) -> Leaf {
        self.lowering.graph.leaves[variable.index()].expect("variables are leaves")
    }

    /// The identity of a leaf under its own name: for values of models that outlive the arena. `None` for
    /// what no model has a value for. That is also for speed: the identity of a constructor has all datatypes
    /// in it that its own refers to, and a script of 14 KB has 200 of these.
    pub fn leaf_key(&mut self, terms: &Terms, leaf: Leaf) -> Option<u128> {
        let node = match leaf {
            Leaf::Symbol(s) if terms.symbol_of(s).kind != SymbolKind::Free => return None,
            Leaf::Symbol(s) => self.lowering.symbol_leaf(terms, s),
            Leaf::Cell(read) => self.lowering.lower(terms, read),
            Leaf::Sort(_) | Leaf::Datatype(_) => return None,
        };
        Some(self.node_key(terms, node))
    }

    /// The constraints of a canonical form as rows over its numbered leaves; `None` unless all of them are
    /// linear comparisons of free integers.
    pub fn rows(&self, terms: &Terms, canonical: &Canonical) -> Option<Vec<Row<u32>>> {
        if !canonical.is_traced {
            return None;
        }
        let graph = &self.lowering.graph;
        let number: FxHashMap<Leaf, u32> =
            canonical.leaves.iter().enumerate().map(|(i, &l)| (l, i as u32)).collect();
        let row = |&root: &NodeId| {
            let row = row_of_nodes(graph, root)?;
            let mut terms: Vec<(u32, i64)> = row
                .terms
                .iter()
                .map(|&(v, c)| {
                    let leaf = graph.leaves[v.index()].filter(|_| is_free_integer(terms, graph, v))?;
                    Some((*number.get(&leaf)?, c))
                })
                .collect::<Option<_>>()?;
            terms.sort_unstable();
            Some(Row { compare: row.compare, terms, constant: row.constant })
        };
        canonical.roots.iter().map(row).collect()
    }

    /// The constraints as atoms whose variables are renamed in the order of first occurrence, after sorting
    /// by name [Visser FSE'12, 3.2]; `None` unless all of them are linear over free integers.
    pub fn renumbered(&mut self, terms: &Terms, constraints: &[TermId]) -> Option<Renumbered> {
        let mut rows: Vec<(Row<NodeId>, u32)> = Vec::with_capacity(constraints.len());
        for (i, &constraint) in constraints.iter().enumerate() {
            for &root in self.piece(terms, constraint).roots.iter().filter(|r| **r != NodeId::TRUE) {
                let row = row_of_nodes(&self.lowering.graph, root)?;
                let graph = &self.lowering.graph;
                if !row.terms.iter().all(|&(v, _)| is_free_integer(terms, graph, v)) {
                    return None;
                }
                rows.push((row, i as u32));
            }
        }
        let graph = &self.lowering.graph;
        let name = |v: &NodeId| match graph.leaves[v.index()] {
            Some(Leaf::Symbol(s)) => terms.symbol_text(s),
            _ => "",
        };
        let mut variables: Vec<NodeId> = rows.iter().flat_map(|r| r.0.terms.iter().map(|t| t.0)).collect();
        variables.sort_unstable();
        variables.dedup();
        variables.sort_by(|a, b| name(a).cmp(name(b)));
        let rank: FxHashMap<NodeId, u32> =
            variables.iter().enumerate().map(|(i, &v)| (v, i as u32)).collect();
        let mut ranked: Vec<(Row<u32>, u32)> = rows
            .into_iter()
            .map(|(row, from)| {
                let mut by_name: Vec<(u32, i64)> = row.terms.iter().map(|&(v, c)| (rank[&v], c)).collect();
                by_name.sort_unstable();
                (Row { compare: row.compare, terms: by_name, constant: row.constant }, from)
            })
            .collect();
        ranked.sort_by(|(a, _), (b, _)| {
            (&a.terms, a.compare, a.constant).cmp(&(&b.terms, b.compare, b.constant))
        });
        let mut number: Vec<Option<u32>> = vec![None; variables.len()];
        let mut leaves: Vec<Leaf> = Vec::new();
        let mut atoms = Vec::with_capacity(ranked.len());
        for (row, from) in ranked {
            let mut named: Vec<(u128, i64)> = Vec::with_capacity(row.terms.len());
            for (r, c) in row.terms {
                let n = *number[r as usize].get_or_insert_with(|| {
                    let leaf = self.lowering.graph.leaves[variables[r as usize].index()];
                    leaves.push(leaf.expect("variables are leaves"));
                    leaves.len() as u32 - 1
                });
                if self.named.numbered.len() <= n as usize {
                    self.named.numbered.push(variable_prefix(b"v", u128::from(n)));
                }
                named.push((self.named.numbered[n as usize], c));
            }
            named.sort_unstable();
            let (prefix, relation, constant) = name_prefix(&mut named, row.compare, row.constant)?;
            atoms.push((Atom { prefix, relation, constant, terms: named }, from));
        }
        Some(Renumbered { leaves, atoms })
    }

    /// Identifies a node by structure and names, and what its symbols are defined to be.
    fn node_key(&mut self, terms: &Terms, node: NodeId) -> u128 {
        if let Some(&key) = self.named.keys.get(&node) {
            return key;
        }
        self.hash_order(terms, node);
        let mut bytes = std::mem::take(&mut self.named.bytes);
        bytes.clear();
        // The version of the form fixes the meaning of the bytes, as for keys.
        bytes.push(FORM_VERSION);
        self.write_named(terms, node, &mut bytes);
        let key = digest_16(&bytes);
        self.named.bytes = bytes;
        self.named.keys.insert(node, key);
        key
    }

    /// Computes the order hash of a node and of everything below it.
    fn hash_order(&mut self, terms: &Terms, node: NodeId) {
        let graph = &self.lowering.graph;
        let order = &mut self.named.order;
        if order.len() < graph.nodes.len() {
            order.resize(graph.nodes.len(), 0);
        }
        let stack = &mut self.named.stack;
        stack.push(node);
        while let Some(&top) = stack.last() {
            if order[top.index()] != 0 {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(graph.edges(top).iter().map(|e| e.to).filter(|c| order[c.index()] == 0));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let hash = match graph.leaves[top.index()] {
                Some(leaf) => {
                    name_of(terms, leaf).bytes().fold(graph.node(top).seed, |h, b| mix(h, b.into()))
                }
                None => hash_inner(graph, order, top),
            };
            order[top.index()] = hash.max(1);
        }
    }

    /// Writes a node, everything below it, and the facts about the leaves there.
    fn write_named(&mut self, terms: &Terms, node: NodeId, bytes: &mut Vec<u8>) {
        let mut number = std::mem::take(&mut self.named.number);
        number.clear();
        let mut roots = vec![node];
        let mut next = 0;
        while next < roots.len() {
            let root = roots[next];
            next += 1;
            self.hash_order(terms, root);
            let mut stack = vec![root];
            while let Some(&top) = stack.last() {
                if number.contains_key(&top) {
                    stack.pop();
                    continue;
                }
                let edges = self.edges_in_order(top);
                let before = stack.len();
                stack.extend(edges.iter().rev().map(|e| e.to).filter(|c| !number.contains_key(c)));
                if stack.len() > before {
                    continue;
                }
                stack.pop();
                self.write_node(terms, top, &edges, &number, bytes);
                number.insert(top, number.len() as u64);
                if self.lowering.graph.leaves[top.index()].is_some()
                    && let Some(fact) = self.lowering.fact(terms, top)
                    && !roots.contains(&fact)
                {
                    roots.push(fact);
                }
            }
        }
        if roots.len() > 1 {
            // The bytes of facts may continue where the node ends, so the number of the node is written too.
            put_varint(bytes, number[&node]);
        }
        self.named.number = number;
    }

    fn write_node(
        &self,
        terms: &Terms,
        node: NodeId,
        edges: &[Edge],
        number: &FxHashMap<NodeId, u64>,
        bytes: &mut Vec<u8>,
    ) {
        let graph = &self.lowering.graph;
        let head = graph.head(node);
        put_varint(bytes, head.len() as u64);
        bytes.extend_from_slice(head);
        if let Some(leaf) = graph.leaves[node.index()] {
            let name = name_of(terms, leaf);
            put_varint(bytes, name.len() as u64);
            bytes.extend_from_slice(name.as_bytes());
            return;
        }
        if is_linear(graph.tag(node)) {
            let constant = graph.node(node).constant;
            put_signed(bytes, if flipped(graph, &self.named.order, node) { -constant } else { constant });
        }
        put_varint(bytes, edges.len() as u64);
        for e in edges {
            put_signed(bytes, e.label);
            put_varint(bytes, number[&e.to]);
        }
    }

    fn edges_in_order(&self, node: NodeId) -> Vec<Edge> {
        let graph = &self.lowering.graph;
        let mut edges = graph.edges(node).to_vec();
        let shape = graph.node(node).shape;
        if matches!(shape, Shape::Unordered | Shape::Signed) {
            if flipped(graph, &self.named.order, node) {
                edges.iter_mut().for_each(|e| e.label = -e.label);
            }
            edges.sort_by_key(|e| (self.named.order[e.to.index()], e.label));
        }
        edges
    }
}

/// The name of what a leaf stands for. Cells are written as the reads that they are, and do not come here.
fn name_of(terms: &Terms, leaf: Leaf) -> String {
    match leaf {
        Leaf::Symbol(s) => terms.symbol_text(s).to_string(),
        Leaf::Sort(name) => terms.text(name).to_string(),
        Leaf::Datatype(id) => terms.text(terms.datatype(id).name).to_string(),
        Leaf::Cell(_) => String::new(),
    }
}

fn signed_sum(graph: &Graph, order: &[u64], node: NodeId, sign: i64) -> u64 {
    let edges = graph.edges(node).iter();
    edges.fold(0u64, |sum, e| sum.wrapping_add(mix(order[e.to.index()], e.label.wrapping_mul(sign) as u64)))
}

/// Whether the other one of both orientations of a signed node is the one that is written.
fn flipped(graph: &Graph, order: &[u64], node: NodeId) -> bool {
    let n = graph.node(node);
    n.shape == Shape::Signed
        && (signed_sum(graph, order, node, -1), n.seed_negated) < (signed_sum(graph, order, node, 1), n.seed)
}

pub(crate) fn hash_inner(graph: &Graph, order: &[u64], node: NodeId) -> u64 {
    let n = graph.node(node);
    match n.shape {
        Shape::Ordered | Shape::Leaf => {
            graph.edges(node).iter().fold(n.seed, |h, e| mix(h, order[e.to.index()]))
        }
        Shape::Unordered => mix(n.seed, signed_sum(graph, order, node, 1)),
        Shape::Signed => {
            let plus = mix(n.seed, signed_sum(graph, order, node, 1));
            let minus = mix(n.seed_negated, signed_sum(graph, order, node, -1));
            plus.min(minus)
        }
    }
}

/// The identity of one variable as a prefix: `space` keeps different ways of naming apart.
fn variable_prefix(space: &[u8], key: u128) -> u128 {
    let mut bytes = b"variable ".to_vec();
    bytes.extend_from_slice(space);
    bytes.extend_from_slice(&key.to_le_bytes());
    digest_16(&bytes)
}

/// The identity of a linear form over prefixes of variables, which ascend. A variable
/// alone is its own prefix.
pub fn prefix_of_sum(terms: &[(u128, i64)]) -> u128 {
    if let [(variable, 1)] = terms {
        return *variable;
    }
    let mut bytes = Vec::with_capacity(8 + terms.len() * 24);
    bytes.extend_from_slice(b"sum ");
    for (v, c) in terms {
        bytes.extend_from_slice(&v.to_le_bytes());
        bytes.extend_from_slice(&c.to_le_bytes());
    }
    digest_16(&bytes)
}

/// Gives a linear form its sign and identity. `None` when a number cannot be negated.
fn name_prefix(named: &mut [(u128, i64)], compare: Compare, constant: i64) -> Option<(u128, Relation, i64)> {
    let flip = named.first()?.1 < 0;
    if flip {
        for term in named.iter_mut() {
            term.1 = term.1.checked_neg()?;
        }
    }
    let (relation, constant) = relate(compare, constant, flip)?;
    Some((prefix_of_sum(named), relation, constant))
}
