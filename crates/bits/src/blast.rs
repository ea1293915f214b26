//! Bits into clauses: gates with structural hashing, for the propositional solver.
//!
//! A conjunct is an assumption, so that a refutation names the conjuncts that it needs. A part that depends
//! on one byte only becomes the expansion of its truth table where its head is expensive, such as the read
//! of a table. Reads of declared arrays are fresh bits, tied to every other read of the array: equal
//! indices, equal elements.

mod gates;
mod vectors;

use crate::decide::{Core, Stop};
use crate::eval::{self, Assignment};
use crate::form::{Base, Form, Leaf, Node, Op, Origin, Support};
use crate::lanes::Lanes;
use crate::marks::Marks;
use crate::query::{From, ItemId, Query};
use crate::sat::{Budget, Lit, Outcome, Solver};
use crate::{Beyond, Effort};
use gates::Gates;
use rustc_hash::{FxHashMap, FxHashSet};

/// What the solver said.
pub(crate) enum Blasted {
    Sat(Assignment),
    /// Conjuncts that have no model together.
    Unsat(Vec<ItemId>),
}

/// Steps of propagation for each conflict that may be had, so that large queries without conflicts end.
const STEPS: u64 = 20_000_000;

/// A query while it becomes clauses.
pub(crate) struct Blaster<'c> {
    form: &'c Form,
    lanes: &'c mut Lanes,
    gates: Gates<'c>,
    /// The bits of each node, the lowest first: a range in the pool.
    bits: &'c mut Marks<(u32, u32)>,
    pool: Vec<Lit>,
    leaves: FxHashMap<Leaf, (u32, u32)>,
    /// Quotient and remainder of each division.
    divisions: FxHashMap<(Node, Node), [(u32, u32); 2]>,
    /// Elements of declared arrays: the bits of index and element.
    reads: FxHashMap<Base, Vec<Node>>,
    most: usize,
}

/// Solves what is open of a query.
pub(crate) fn solve(
    core: &mut Core,
    query: &mut Query,
    best: &Assignment,
    effort: Effort,
) -> Result<Blasted, Stop> {
    let asked = items_of(&mut core.form, query);
    core.solver.clear();
    core.bits.begin(core.form.len());
    let mut blaster = Blaster {
        form: &core.form,
        lanes: &mut core.lanes,
        gates: Gates::new(&mut core.solver),
        bits: &mut core.bits,
        pool: Vec::new(),
        leaves: FxHashMap::default(),
        divisions: FxHashMap::default(),
        reads: FxHashMap::default(),
        most: effort.clauses as usize,
    };
    let roots: Vec<Node> = asked.iter().map(|&i| query.node(i)).collect();
    let nodes = eval::reachable(blaster.form, &roots);
    // The solver decides variables in the order of their numbers: inputs first, gates follow from them.
    let is_input = |node: &&Node| matches!(blaster.form.op(**node), Op::Leaf(_) | Op::Read(..));
    let (inputs, gates): (Vec<Node>, Vec<Node>) = nodes.iter().partition(is_input);
    for node in inputs.into_iter().chain(gates) {
        blaster.node(node)?;
    }
    blaster.tie_reads()?;
    let mut assumptions = Vec::with_capacity(asked.len());
    let mut asked_by: FxHashMap<Lit, ItemId> = FxHashMap::default();
    for (&item, &root) in asked.iter().zip(&roots) {
        let lit = blaster.bit(root, 0);
        if lit == blaster.gates.no() {
            return Ok(Blasted::Unsat(vec![item]));
        }
        if lit != blaster.gates.yes() {
            asked_by.entry(lit).or_insert(item);
            assumptions.push(lit);
        }
    }
    assumptions.sort_unstable();
    assumptions.dedup();
    // Two conjuncts may be each other's negation.
    if let Some(pair) = assumptions.windows(2).find(|pair| pair[0] == !pair[1]) {
        return Ok(Blasted::Unsat(vec![asked_by[&pair[0]], asked_by[&pair[1]]]));
    }
    let (leaves, pool, reads) = (blaster.leaves, blaster.pool, blaster.reads);
    let solver: &mut Solver = &mut core.solver;
    for (&leaf, &(start, len)) in &leaves {
        let value = best.leaf(leaf);
        for i in 0..len {
            solver.suggest(pool[(start + i) as usize].var(), value >> i & 1 == 1);
        }
    }
    let mut budget = Budget { conflicts: u64::from(effort.conflicts), steps: STEPS };
    match solver.solve(&assumptions, &mut budget) {
        Outcome::Spent => Err(Beyond::Effort.into()),
        Outcome::Unsat => {
            let mut items: Vec<ItemId> =
                solver.core().iter().filter_map(|lit| asked_by.get(lit).copied()).collect();
            items.sort_unstable();
            items.dedup();
            if items.is_empty() {
                // The ties of reads cannot contradict each other: something is wrong, and not with the query.
                return Err(Beyond::Effort.into());
            }
            Ok(Blasted::Unsat(items))
        }
        Outcome::Sat => {
            let lit_value = |lit: Lit| solver.value(lit.var()).unwrap_or(false) != lit.is_negative();
            let number = |(start, len): (u32, u32)| {
                (0..len).fold(0u64, |v, i| v | u64::from(lit_value(pool[(start + i) as usize])) << i)
            };
            let mut found = best.clone();
            for (&leaf, &bits) in &leaves {
                found.leaves.insert(leaf, number(bits));
            }
            place_reads(&core.form, query, &reads, |n| number(core.bits.at(n)), &mut found);
            Ok(Blasted::Sat(found))
        }
    }
}

/// What arrays have at the indices that were read. Cells that constraints fix are left as they are: where an
/// index hits one, the table was read and not the array.
fn place_reads(
    form: &Form,
    query: &Query,
    reads: &FxHashMap<Base, Vec<Node>>,
    value: impl Fn(Node) -> u64,
    found: &mut Assignment,
) {
    for (&base, nodes) in reads {
        for &node in nodes {
            let Op::Read(_, index) = form.op(node) else { continue };
            let (index, element) = (value(index), value(node));
            if query.fixed.get(&base).is_some_and(|f| f.get(index).is_some()) {
                continue;
            }
            match form.known_cell(base, index) {
                Some(leaf) => {
                    found.leaves.insert(leaf, element);
                }
                None => {
                    found.cells.insert((base, index), element);
                }
            }
        }
    }
}

/// The conjuncts that are asked: all that are open, those over one leaf that an open one mentions, and the
/// values of cells of arrays that are read at unknown indices.
fn items_of(form: &mut Form, query: &mut Query) -> Vec<ItemId> {
    let mut asked: Vec<ItemId> = query.open.iter().chain(&query.wide).copied().collect();
    let roots: Vec<Node> = asked.iter().map(|&i| query.node(i)).collect();
    let mut leaves: FxHashSet<Leaf> = FxHashSet::default();
    let mut bases: Vec<Base> = Vec::new();
    for node in eval::reachable(form, &roots) {
        match form.op(node) {
            Op::Leaf(leaf) => {
                leaves.insert(leaf);
            }
            Op::Read(base, _) if !bases.contains(&base) => bases.push(base),
            _ => {}
        }
    }
    // A cell that is known to have one value was replaced; a read at an unknown index may hit it.
    let mut known: Vec<(Leaf, u64, ItemId)> = Vec::new();
    for (&leaf, &(value, item)) in &query.values {
        if let (Origin::Cell(base, _), _) = form.leaf(leaf)
            && bases.contains(&base)
        {
            known.push((leaf, value, item));
        }
    }
    for &leaf in query.narrow.keys().chain(query.bounds.keys()) {
        if let (Origin::Cell(base, _), _) = form.leaf(leaf)
            && bases.contains(&base)
        {
            leaves.insert(leaf);
        }
    }
    known.sort_unstable();
    for (leaf, value, item) in known {
        let (origin, width) = form.leaf(leaf);
        let node = form.leaf_of(origin, width);
        let equal = form.eq_const(node, value);
        asked.push(query.add(equal, From::Item(item)));
        leaves.remove(&leaf);
    }
    let mut leaves: Vec<Leaf> = leaves.into_iter().collect();
    leaves.sort_unstable();
    for leaf in leaves {
        if let Some(narrow) = query.narrow.get(&leaf) {
            asked.extend(narrow.items.iter().map(|i| i.0));
        }
        if let Some(bounded) = query.bounds.get(&leaf) {
            asked.extend(&bounded.items);
        }
    }
    asked
}

impl Blaster<'_> {
    fn range(&self, node: Node) -> (u32, u32) {
        self.bits.at(node)
    }

    /// A bit of a node.
    fn bit(&self, node: Node, place: u32) -> Lit {
        let (start, _) = self.bits.at(node);
        self.pool[(start + place) as usize]
    }

    /// The bits of a node, the lowest first.
    fn vector(&self, node: Node) -> Vec<Lit> {
        let (start, len) = self.range(node);
        self.pool[start as usize..(start + len) as usize].to_vec()
    }

    fn keep(&mut self, bits: &[Lit]) -> (u32, u32) {
        let start = self.pool.len() as u32;
        self.pool.extend_from_slice(bits);
        (start, bits.len() as u32)
    }

    fn node(&mut self, node: Node) -> Result<(), Beyond> {
        let op = self.form.op(node);
        let bits = match self.by_table(node) {
            Some(bits) => bits,
            None => self.head(node, op),
        };
        let range = self.keep(&bits);
        self.bits.set(node, range);
        match op {
            Op::Leaf(leaf) => {
                self.leaves.insert(leaf, range);
                if let (Origin::Cell(base, _), _) = self.form.leaf(leaf) {
                    self.reads.entry(base).or_default().push(node);
                }
            }
            Op::Read(base, _) => self.reads.entry(base).or_default().push(node),
            _ => {}
        }
        if self.gates.clauses() > self.most { Err(Beyond::Effort) } else { Ok(()) }
    }

    /// The bits of a node over one byte, from its truth table, where gates would be many.
    fn by_table(&mut self, node: Node) -> Option<Vec<Lit>> {
        let op = self.form.op(node);
        let Support::One(leaf) = self.form.info(node).support else { return None };
        let own = self.form.leaf(leaf).1;
        let is_large = matches!(
            op,
            Op::Lookup(..)
                | Op::Mul(..)
                | Op::Udiv(..)
                | Op::Urem(..)
                | Op::Shl(..)
                | Op::Lshr(..)
                | Op::Ashr(..)
        );
        if own > 8 || !is_large {
            return None;
        }
        let leaf_bits = *self.leaves.get(&leaf)?;
        let inputs: Vec<Lit> = self.pool[leaf_bits.0 as usize..(leaf_bits.0 + leaf_bits.1) as usize].to_vec();
        let varying = crate::lanes::Varying::all_of(leaf, own);
        let nodes = eval::reachable(self.form, &[node]);
        self.lanes.run(self.form, &nodes, &Assignment::default(), varying);
        let width = self.form.width(node);
        let lanes = varying.lanes();
        let tables: Vec<Vec<bool>> = (0..width)
            .map(|bit| (0..lanes).map(|lane| self.lanes.value(node, lane) >> bit & 1 == 1).collect())
            .collect();
        Some(tables.iter().map(|table| self.gates.truth_table(&inputs, table)).collect())
    }

    /// Equal indices of one array have equal elements.
    fn tie_reads(&mut self) -> Result<(), Beyond> {
        let reads = self.reads.clone();
        let mut all: Vec<(&Base, &Vec<Node>)> = reads.iter().collect();
        all.sort_unstable();
        for (_, nodes) in all {
            for (i, &a) in nodes.iter().enumerate() {
                for &b in &nodes[..i] {
                    self.tie(a, b);
                    if self.gates.clauses() > self.most {
                        return Err(Beyond::Effort);
                    }
                }
            }
        }
        Ok(())
    }

    fn tie(&mut self, a: Node, b: Node) {
        let (Some(i), Some(j)) = (self.index(a), self.index(b)) else { return };
        let equal = self.gates.equal(&i, &j);
        if equal == self.gates.no() {
            return;
        }
        for (&x, &y) in self.vector(a).iter().zip(&self.vector(b)) {
            self.gates.clause(&[!equal, !x, y]);
            self.gates.clause(&[!equal, x, !y]);
        }
    }

    /// The bits of the index at which an element is read. `None` for two cells: those are apart.
    fn index(&self, read: Node) -> Option<Vec<Lit>> {
        match self.form.op(read) {
            Op::Read(_, index) => Some(self.vector(index)),
            Op::Leaf(leaf) => {
                let (Origin::Cell(base, index), _) = self.form.leaf(leaf) else { return None };
                let width = self.form.base(base).1;
                Some((0..width).map(|i| self.gates.constant(index >> i & 1 == 1)).collect())
            }
            _ => None,
        }
    }
}
