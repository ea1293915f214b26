//! Slice, canonize and key queries: pure functions of terms.
//!
//! Two queries that differ by the names of their symbols, the order of their constraints, the order of
//! arguments where it is irrelevant, or the direction in which a comparison is written have one key.
//! Equal keys mean equal byte forms (up to a collision of a 256-bit hash), a byte form describes its
//! query completely, and so queries with equal keys have the same answers, with models that translate
//! through [`Canonical::leaves`].
//!
//! Nothing here knows a store, a solver, a clock or a hash order: the same query gives the
//! same bytes on every machine.
//!
//! ```
//! use evergreen_canon::{Canonizer, Mode};
//! use evergreen_term::{Fun, SortId, Terms};
//!
//! let mut terms = Terms::new();
//! let (x, y) = (terms.constant("x", SortId::INT), terms.constant("y", SortId::INT));
//! let ten = terms.int(10);
//! let a = terms.app(Fun::Lt, &[x, ten]).unwrap();
//! let b = terms.app(Fun::Gt, &[ten, y]).unwrap();
//!
//! let mut canonizer = Canonizer::new(Mode::Full);
//! let (first, second) = (canonizer.canonize(&terms, &[a]), canonizer.canonize(&terms, &[b]));
//! assert_eq!(first.key, second.key);
//! // Different variables: a conjunction falls into two independent parts.
//! assert_eq!(canonizer.parts(&terms, &[a, b]).len(), 2);
//! ```

mod atom;
mod build;
mod component;
mod form;
mod green;
mod label;
mod lower;
mod named;
mod nameless;
mod node;
mod propagate;
mod slice;
mod split;
mod strict;
mod table;

pub use atom::{Atom, Compare, Relation, Row, Variable};
pub use component::{Canonize, Form, Slice};
pub use form::FORM_VERSION;
pub use named::{Renumbered, prefix_of_sum};
pub use nameless::{Joint, LeafId, Nameless, Part as JointPart};
pub use node::Leaf;
pub use propagate::{Propagated, Propagator, propagate};
pub use slice::{Path, Slices};
pub use split::{Surface, split, split_into, unit, unit_value};
pub use strict::{StrictForm, StrictLine, strict_form};
pub use table::{FEWEST as FEWEST_CELLS, Table, can_be_table, cell_array};

use evergreen_structures::UnionFind;
use evergreen_term::{SymbolKind, TermId, Terms, Traits};
use label::Local;
use lower::Lowering;
use named::Named;
use node::{NodeId, Shape, put_varint, tag};
use rustc_hash::{FxHashMap, FxHashSet};
use slice::{Dependencies, Fixes, Slicer};
use std::rc::Rc;
use table::Tables;

/// How queries are brought into canonical form.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mode {
    /// Names and order as they are: only the same text hits.
    Off,
    /// Green's own form for conjunctions of linear integer constraints; anything else as in `Full`.
    Green,
    /// Invariant under renaming, reordering and notation.
    #[default]
    Full,
    /// Exactly the form of the paper on Green: linear integer constraints in normal form, others as they are
    /// written, sorted and renamed. Quantifiers, functions and declared sorts: as in `Off`.
    Strict,
}

impl Mode {
    /// Whether what has no form of its own keeps names and order.
    fn keeps_names(self) -> bool {
        matches!(self, Mode::Off | Mode::Strict)
    }
}

/// 256 bits that stand for a canonical form.
pub type KeyBytes = [u8; 32];

/// The hash that keys are made with, for other things that want a key.
pub fn digest(bytes: &[u8]) -> KeyBytes {
    *blake3::hash(bytes).as_bytes()
}

/// A query in canonical form.
#[derive(Clone, Debug)]
pub struct Canonical {
    /// The byte form, complete: docs/key-format.md.
    pub form: Vec<u8>,
    /// The hash of the form.
    pub key: KeyBytes,
    /// The leaf of the query behind each number of the form.
    pub leaves: Vec<Leaf>,
    /// For each constraint of the form, the position of the query's constraint that it came from.
    pub constraints: Vec<u32>,
    /// The verdict, where canonizing alone decides it.
    pub verdict: Option<bool>,
    /// Whether the numbering is canonical, or the search for one was cut short.
    pub complete: bool,
    /// The tables among the constraints.
    pub tables: Vec<Rc<Table>>,
    /// Whether the constraints of the form are known one by one, so that certificates can be about them.
    pub is_traced: bool,
    /// The node of each constraint of the form.
    roots: Vec<NodeId>,
}

/// Something that is asked beside the constraints: an objective to optimize or a soft constraint.
#[derive(Clone, Debug)]
pub struct Aside {
    /// Its kind and its place among its kind, as bytes; part of the key.
    pub role: Vec<u8>,
    /// The term.
    pub term: TermId,
}

/// Edge visits after which numbering stops searching; about 10 ms.
const LABEL_BUDGET: u64 = 1_500_000;

/// Forms that are kept before all are forgotten.
const FORMS_KEPT: usize = 1 << 14;
/// Constraints of a form that is kept.
const LARGEST_KEPT: usize = 64;

/// In place of a local number: an inner node that has none yet.
const INNER: u32 = u32::MAX;

struct Piece {
    roots: Vec<NodeId>,
    dependencies: Dependencies,
    table: Option<Rc<Table>>,
}

/// What constraints are made of, by the number of the constraint.
#[derive(Default)]
struct Pieces {
    /// The place, from 1.
    places: Vec<u32>,
    all: Vec<Rc<Piece>>,
}

impl Pieces {
    fn get(&self, constraint: TermId) -> Option<&Rc<Piece>> {
        let place = *self.places.get(constraint.index())?;
        self.all.get((place as usize).checked_sub(1)?)
    }

    fn insert(&mut self, constraint: TermId, piece: Rc<Piece>) {
        self.all.push(piece);
        if self.places.len() <= constraint.index() {
            self.places.resize(constraint.index() + 1 + constraint.index() / 4, 0);
        }
        self.places[constraint.index()] = self.all.len() as u32;
    }
}

/// Canonizes queries over one arena and remembers the lowered terms.
pub struct Canonizer {
    mode: Mode,
    lowering: Lowering,
    pieces: Pieces,
    tables: Tables,
    /// Conjunctions that were canonized lately.
    forms: FxHashMap<Box<[TermId]>, Rc<Canonical>>,
    slicer: Slicer,
    local: Local,
    /// Local number of each graph node, valid where the epoch matches.
    local_of: Vec<(u32, u32)>,
    epoch: u32,
    /// Kept for its memory; empty between uses.
    stack: Vec<NodeId>,
    /// The leaves and the inner nodes of the current query. Kept for their memory; empty between uses.
    met: (Vec<NodeId>, Vec<NodeId>),
    /// Prepended to every form before hashing: mode and namespace.
    prefix: Vec<u8>,
    named: Named,
    nameless: nameless::Memo,
    /// Components of the caller's own.
    slice: Option<Box<dyn Slice>>,
    canonize: Option<Box<dyn Canonize>>,
}

/// First byte of a form of the caller's own: none of ours begins with it.
const FOREIGN: u8 = 0xff;

/// Puts each item into the list of its part.
fn grouped<T>(part_of: &[u32], count: usize, items: impl Iterator<Item = T>) -> Vec<Vec<T>> {
    let mut parts: Vec<Vec<T>> = std::iter::repeat_with(Vec::new).take(count).collect();
    for (item, &part) in items.zip(part_of) {
        parts[part as usize].push(item);
    }
    parts
}

/// The parts that remain when what either of two ways puts together is one: the part of each, and how many.
fn join(ours: &[u32], theirs: &[usize]) -> (Vec<u32>, usize) {
    let mut sets = UnionFind::new(ours.len());
    let (mut first_of_ours, mut first_of_theirs) = (FxHashMap::default(), FxHashMap::default());
    for (place, part) in ours.iter().enumerate() {
        sets.union(*first_of_ours.entry(*part).or_insert(place as u32), place as u32);
    }
    for (place, part) in theirs.iter().take(ours.len()).enumerate() {
        sets.union(*first_of_theirs.entry(*part).or_insert(place as u32), place as u32);
    }
    let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
    let part_of = (0..ours.len() as u32).map(|place| {
        let next = numbers.len() as u32;
        *numbers.entry(sets.find(place)).or_insert(next)
    });
    (part_of.collect(), numbers.len())
}

impl Canonizer {
    /// A canonizer for one arena of terms.
    pub fn new(mode: Mode) -> Canonizer {
        Canonizer {
            mode,
            lowering: Lowering::new(),
            pieces: Pieces::default(),
            tables: Tables::default(),
            forms: FxHashMap::default(),
            slicer: Slicer::default(),
            local: Local::default(),
            local_of: Vec::new(),
            epoch: 0,
            stack: Vec::new(),
            met: (Vec::new(), Vec::new()),
            prefix: vec![mode as u8, 0],
            named: Named::default(),
            nameless: nameless::Memo::default(),
            slice: None,
            canonize: None,
        }
    }

    /// Takes components of the caller's own, where there are some.
    pub fn with_components(
        mut self,
        slice: Option<Box<dyn Slice>>,
        canonize: Option<Box<dyn Canonize>>,
    ) -> Canonizer {
        (self.slice, self.canonize) = (slice, canonize);
        self
    }

    /// Gives the components back, for a canonizer of another arena.
    #[allow(clippy::type_complexity)]
    pub fn take_components(&mut self) -> (Option<Box<dyn Slice>>, Option<Box<dyn Canonize>>) {
        (self.slice.take(), self.canonize.take())
    }

    /// Keeps the keys of different namespaces apart.
    pub fn with_namespace(mut self, namespace: &str) -> Canonizer {
        self.prefix.truncate(1);
        put_varint(&mut self.prefix, namespace.len() as u64);
        self.prefix.extend(namespace.as_bytes());
        self
    }

    fn piece(&mut self, terms: &Terms, constraint: TermId) -> Rc<Piece> {
        if let Some(piece) = self.pieces.get(constraint) {
            return piece.clone();
        }
        if let Some(table) = self.table(terms, constraint) {
            let piece = Rc::new(self.piece_of_table(terms, table));
            self.pieces.insert(constraint, piece.clone());
            return piece;
        }
        let node = self.lowering.lower(terms, constraint);
        let roots = if self.lowering.graph.is_fun(node, evergreen_term::Fun::And) {
            self.lowering.graph.edges(node).iter().map(|e| e.to).collect()
        } else {
            vec![node]
        };
        let dependencies = self.dependencies(terms, constraint, &roots);
        let piece = Rc::new(Piece { roots, dependencies, table: None });
        self.pieces.insert(constraint, piece.clone());
        piece
    }

    /// The table that a constraint is: a conjunction of many cells of one array, with ascending indices. Only
    /// in the full form.
    pub fn table(&mut self, terms: &Terms, constraint: TermId) -> Option<Rc<Table>> {
        if self.mode == Mode::Full { self.tables.of(terms, constraint) } else { None }
    }

    /// The table of cells of one array, given as constraints in any order. `None` in other forms than the
    /// full one, when there are too few, or when two give one cell two values.
    pub fn gather(&mut self, terms: &mut Terms, cells: &[TermId]) -> Option<Rc<Table>> {
        if self.mode == Mode::Full { self.tables.gather(terms, cells) } else { None }
    }

    fn piece_of_table(&mut self, terms: &Terms, table: Rc<Table>) -> Piece {
        let root = self.lowering.table(terms, &table);
        let array = self.lowering.symbol_leaf(terms, table.array);
        let reads = table.reads().map(|read| self.lowering.lower(terms, read)).collect();
        let dependencies =
            Dependencies { table: Some(Rc::new(Fixes { array, reads })), ..Dependencies::default() };
        Piece { roots: vec![root], dependencies, table: Some(table) }
    }

    fn dependencies(&mut self, terms: &Terms, constraint: TermId, roots: &[NodeId]) -> Dependencies {
        let mut found = Dependencies::default();
        if self.mode == Mode::Strict
            && let Some(symbols) = strict::symbols(terms, constraint)
        {
            // As it is written: lowering may have decided it, and then has no symbols left.
            found.whole.extend(symbols.into_iter().map(|s| self.lowering.symbol_leaf(terms, s)));
            found.whole.sort_unstable();
            return found;
        }
        let traits = terms.traits(constraint);
        if traits.has(Traits::QUANTIFIED) {
            found.whole.push(slice::QUANTIFIED);
        }
        if traits.has(Traits::PARTIAL) {
            found.whole.push(slice::PARTIAL);
        }
        self.epoch += 1;
        let mut stack = std::mem::take(&mut self.stack);
        stack.extend_from_slice(roots);
        while let Some(node) = stack.pop() {
            if !self.mark(node) {
                continue;
            }
            if let Some((array, _)) = self.lowering.read(node) {
                let array = self.lowering.symbol_leaf(terms, array);
                found.cells.push((array, node));
                continue;
            }
            if let Some(leaf) = self.lowering.graph.leaves[node.index()] {
                let is_free = match leaf {
                    Leaf::Symbol(s) => !matches!(
                        terms.symbol_of(s).kind,
                        SymbolKind::Constructor(..) | SymbolKind::Selector(..)
                    ),
                    _ => false,
                };
                if slice::couples(leaf, is_free) {
                    found.whole.push(node);
                }
                stack.extend(self.lowering.fact(terms, node));
                continue;
            }
            stack.extend(self.lowering.graph.edges(node).iter().map(|e| e.to));
        }
        self.stack = stack;
        found.whole.sort_unstable();
        found.cells.sort_unstable();
        found
    }

    /// Groups constraints into independent parts: positions, in the given order.
    pub fn parts(&mut self, terms: &Terms, constraints: &[TermId]) -> Vec<Vec<u32>> {
        let (part_of, count) = self.part_of_each(terms, constraints);
        grouped(&part_of, count, 0..constraints.len() as u32)
    }

    /// Groups constraints into independent parts, in the given order.
    pub fn slices(&mut self, terms: &Terms, constraints: &[TermId]) -> Slices {
        let (part_of, count) = self.part_of_each(terms, constraints);
        Slices::new(&part_of, count, constraints)
    }

    fn part_of_each(&mut self, terms: &Terms, constraints: &[TermId]) -> (Vec<u32>, usize) {
        let pieces: Vec<Rc<Piece>> = constraints.iter().map(|&c| self.piece(terms, c)).collect();
        let nodes = self.lowering.graph.nodes.len();
        let (part_of, count) = self.slicer.parts(nodes, pieces.iter().map(|p| &p.dependencies));
        match &mut self.slice {
            None => (part_of, count),
            Some(own) => join(&part_of, &own.parts(terms, constraints)),
        }
    }

    /// The positions of the path's constraints that new ones depend on, with those that a slicer of
    /// somebody's own puts beside them.
    pub fn focus_with(
        &mut self,
        terms: &Terms,
        path: &Path,
        constraints: &[TermId],
        new: &[TermId],
    ) -> Vec<u32> {
        if self.slice.is_none() {
            return self.focus_all(terms, path, new);
        }
        let all: Vec<TermId> = constraints.iter().chain(new).copied().collect();
        let (part_of, _) = self.part_of_each(terms, &all);
        let (before, asked) = part_of.split_at(constraints.len());
        (0..before.len() as u32).filter(|&i| asked.contains(&before[i as usize])).collect()
    }

    /// Adds a constraint to a path.
    pub fn extend(&mut self, terms: &Terms, path: &mut Path, constraint: TermId) {
        let piece = self.piece(terms, constraint);
        path.push(piece.dependencies.clone());
    }

    /// The positions of the path's constraints that a new one depends on.
    pub fn focus(&mut self, terms: &Terms, path: &Path, new: TermId) -> Vec<u32> {
        path.focus([&self.piece(terms, new).dependencies].into_iter())
    }

    /// The positions of the path's constraints that several new ones depend on.
    pub fn focus_all(&mut self, terms: &Terms, path: &Path, new: &[TermId]) -> Vec<u32> {
        let pieces: Vec<Rc<Piece>> = new.iter().map(|&n| self.piece(terms, n)).collect();
        path.focus(pieces.iter().map(|piece| &piece.dependencies))
    }

    /// The canonical form of a conjunction.
    pub fn canonize(&mut self, terms: &Terms, constraints: &[TermId]) -> Canonical {
        self.canonize_with(terms, constraints, &[])
    }

    /// The canonical form of a conjunction that may have been canonized before. Along a path most parts of a
    /// query are those of the query before it.
    pub fn canonize_once(&mut self, terms: &Terms, constraints: &[TermId]) -> Rc<Canonical> {
        if let Some(canonical) = self.forms.get(constraints) {
            return canonical.clone();
        }
        let canonical = Rc::new(self.canonize(terms, constraints));
        // Large forms are rare, and each would take the place of many.
        if constraints.len() <= LARGEST_KEPT {
            if self.forms.len() >= FORMS_KEPT {
                self.forms.clear();
            }
            self.forms.insert(constraints.into(), canonical.clone());
        }
        canonical
    }

    /// The canonical form of a conjunction with objectives and soft constraints.
    pub fn canonize_with(&mut self, terms: &Terms, constraints: &[TermId], asides: &[Aside]) -> Canonical {
        if asides.is_empty()
            && let Some(own) = &mut self.canonize
            && let Some(form) = own.form(terms, constraints)
        {
            let mut bytes = vec![FOREIGN];
            put_varint(&mut bytes, own.name().len() as u64);
            bytes.extend(own.name().as_bytes());
            bytes.extend(form.bytes);
            let leaves = form.symbols.into_iter().map(Leaf::Symbol).collect();
            return self.untraced(bytes, leaves, (0..constraints.len() as u32).collect(), None);
        }
        if self.mode == Mode::Strict
            && asides.is_empty()
            && let Some(form) = strict_form(terms, constraints)
        {
            return self.finish_strict(form);
        }
        let pieces: Vec<Rc<Piece>> = constraints.iter().map(|&c| self.piece(terms, c)).collect();
        // Roots, each once, with the constraint it came from.
        let most = pieces.iter().map(|piece| piece.roots.len()).sum();
        let mut roots: Vec<(NodeId, u32)> = Vec::with_capacity(most);
        for (i, piece) in pieces.iter().enumerate() {
            roots.extend(piece.roots.iter().filter(|r| **r != NodeId::TRUE).map(|&r| (r, i as u32)));
        }
        // Leaves that are used as a whole: an array among them has no cells of its own.
        let mut arrays: Vec<NodeId> = Vec::new();
        if pieces.iter().any(|p| !p.dependencies.cells.is_empty()) {
            arrays.extend(pieces.iter().flat_map(|p| &p.dependencies.whole));
            arrays.extend(pieces.iter().filter_map(|p| p.dependencies.table.as_ref()).map(|t| t.array));
            arrays.sort_unstable();
        }
        let tables: Vec<Rc<Table>> = pieces.iter().filter_map(|p| p.table.clone()).collect();
        if let Some(&(_, i)) = roots.iter().find(|r| r.0 == NodeId::FALSE) {
            roots = vec![(NodeId::FALSE, i)];
        }
        if self.mode == Mode::Green && asides.is_empty() {
            let order: Vec<NodeId> = roots.iter().map(|r| r.0).collect();
            if let Some(green) = green::canonize(terms, &self.lowering.graph, &order) {
                return self.finish(green.form, green.leaves, green.order, &roots, true);
            }
        }
        if !self.mode.keeps_names() {
            self.epoch += 1;
            roots.retain(|r| self.mark(r.0));
        }
        let mut all: Vec<NodeId> = roots.iter().map(|r| r.0).collect();
        for aside in asides {
            let node = self.lowering.lower(terms, aside.term);
            let mut head = vec![tag::ROLE];
            put_varint(&mut head, aside.role.len() as u64);
            head.extend(&aside.role);
            all.push(self.lowering.graph.ordered(&head, &[node]));
        }
        let nodes = self
            .localize(terms, &mut all, |array| arrays.binary_search(&array).is_ok() || !asides.is_empty());
        let leaf_count = self.local.leaf_count;
        let leaf_at = |&node: &NodeId| self.lowering.graph.leaves[node.index()].expect("a leaf");
        let mut leaves: Vec<Leaf> = nodes[..leaf_count].iter().map(leaf_at).collect();
        if self.mode.keeps_names() {
            let rank: Vec<u32> = (0..leaf_count as u32).collect();
            let mut written = form::write(&self.lowering.graph, &mut self.local, &nodes, &rank, roots.len());
            split::put_names(terms, &leaves, &mut written.bytes);
            written.bytes.extend(written.root_order.iter().flat_map(|r| r.to_le_bytes()));
            return self.finish(written.bytes, leaves, written.root_order, &roots, true);
        }
        let labels = self.local.label(LABEL_BUDGET);
        let written = form::write(&self.lowering.graph, &mut self.local, &nodes, &labels.rank, roots.len());
        for (node, &rank) in nodes.iter().zip(&labels.rank) {
            leaves[rank as usize] = leaf_at(node);
        }
        let canonical = self.finish(written.bytes, leaves, written.root_order, &roots, labels.complete);
        Canonical { tables, ..canonical }
    }

    /// What a conjunction is about: the symbols and sorts that it mentions, and the cells of arrays that it
    /// uses in no other way.
    pub fn leaves(&mut self, terms: &Terms, constraints: &[TermId]) -> Vec<Leaf> {
        let pieces: Vec<Rc<Piece>> = constraints.iter().map(|&c| self.piece(terms, c)).collect();
        let whole: FxHashSet<NodeId> = pieces.iter().flat_map(|p| p.dependencies.leaves()).copied().collect();
        let cells = pieces.iter().flat_map(|p| &p.dependencies.cells);
        let loose = cells.filter(|(array, _)| !whole.contains(array));
        let mut leaves: Vec<Leaf> = loose
            .filter_map(|&(_, read)| self.lowering.read(read).map(|(_, read)| Leaf::Cell(read)))
            .collect();
        // The two virtual leaves are none of the graph.
        leaves.extend(whole.iter().filter_map(|node| *self.lowering.graph.leaves.get(node.index())?));
        leaves
    }

    /// The places, ascending, that constraints have in a form which they are part of; `None` when
    /// the form lacks a part of one of them. A constraint can be several roots (`(<= x y z)`),
    /// and share some with others.
    pub fn places(
        &mut self,
        terms: &Terms,
        canonical: &Canonical,
        constraints: &[TermId],
    ) -> Option<Vec<u32>> {
        if !canonical.is_traced {
            return None;
        }
        let mut wanted: FxHashSet<NodeId> = FxHashSet::default();
        for &c in constraints {
            wanted.extend(self.piece(terms, c).roots.iter().filter(|r| **r != NodeId::TRUE));
        }
        let inside = canonical.roots.iter().enumerate().filter(|(_, root)| wanted.contains(*root));
        let places: Vec<u32> = inside.map(|(i, _)| i as u32).collect();
        let found: FxHashSet<NodeId> = places.iter().map(|&i| canonical.roots[i as usize]).collect();
        (found.len() == wanted.len()).then_some(places)
    }

    /// The paper's form as one of ours. It has no roots in the graph, so no certificates are about it.
    fn finish_strict(&self, form: StrictForm) -> Canonical {
        let StrictForm { leaves, lines, is_false } = form;
        let (text, constraints) = match is_false {
            Some(from) => (vec!["false".to_string()], vec![from]),
            None => (lines.iter().map(StrictLine::text).collect(), lines.iter().map(|l| l.from).collect()),
        };
        let verdict = if is_false.is_some() { Some(false) } else { lines.is_empty().then_some(true) };
        self.untraced(format!("strict:{}", text.join("&")).into_bytes(), leaves, constraints, verdict)
    }

    /// A form that was not made from the graph.
    fn untraced(
        &self,
        form: Vec<u8>,
        leaves: Vec<Leaf>,
        constraints: Vec<u32>,
        verdict: Option<bool>,
    ) -> Canonical {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.prefix);
        hasher.update(&form);
        let key = *hasher.finalize().as_bytes();
        let (tables, roots) = (Vec::new(), Vec::new());
        Canonical { form, key, leaves, constraints, verdict, complete: true, tables, is_traced: false, roots }
    }

    fn finish(
        &self,
        form: Vec<u8>,
        leaves: Vec<Leaf>,
        order: Vec<u32>,
        roots: &[(NodeId, u32)],
        complete: bool,
    ) -> Canonical {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.prefix);
        hasher.update(&form);
        let verdict = match roots {
            [] => Some(true),
            [(NodeId::FALSE, _)] => Some(false),
            _ => None,
        };
        Canonical {
            key: *hasher.finalize().as_bytes(),
            form,
            leaves,
            constraints: order.iter().map(|&r| roots[r as usize].1).collect(),
            verdict,
            complete,
            tables: Vec::new(),
            is_traced: true,
            roots: order.iter().map(|&r| roots[r as usize].0).collect(),
        }
    }

    /// Fills `self.local` with everything reachable from the roots, adds facts to the roots, and returns the
    /// graph node of each local node. Reads of arrays for which `whole` is false become leaves of their own.
    fn localize(
        &mut self,
        terms: &Terms,
        roots: &mut Vec<NodeId>,
        whole: impl Fn(NodeId) -> bool,
    ) -> Vec<NodeId> {
        self.epoch += 1;
        let (mut leaves, mut inner) = std::mem::take(&mut self.met);
        let mut cells: FxHashMap<NodeId, NodeId> = FxHashMap::default();
        let mut facts: FxHashSet<NodeId> = FxHashSet::default();
        let mut next_root = 0;
        let mut stack = std::mem::take(&mut self.stack);
        while next_root < roots.len() {
            stack.push(roots[next_root]);
            next_root += 1;
            while let Some(node) = stack.pop() {
                if !self.mark(node) {
                    continue;
                }
                if let Some((array, read)) = self.lowering.read(node) {
                    let array = self.lowering.symbol_leaf(terms, array);
                    if !whole(array) {
                        let cell = self.lowering.cell_leaf(terms, read);
                        cells.insert(node, cell);
                        leaves.push(node);
                        continue;
                    }
                }
                if self.lowering.graph.leaves[node.index()].is_some() {
                    leaves.push(node);
                    if let Some(fact) = self.lowering.fact(terms, node)
                        && facts.insert(fact)
                    {
                        roots.push(fact);
                    }
                    continue;
                }
                inner.push(node);
                self.local_of[node.index()].1 = INNER;
                stack.extend(self.lowering.graph.edges(node).iter().rev().map(|e| e.to));
            }
        }
        self.stack = stack;
        self.sort_inner(&mut inner);
        self.fill_local(&leaves, &inner, &cells, roots);
        let mut nodes: Vec<NodeId> = Vec::with_capacity(leaves.len() + inner.len());
        nodes.extend(leaves.drain(..).map(|n| cells.get(&n).copied().unwrap_or(n)));
        nodes.append(&mut inner);
        self.met = (leaves, inner);
        nodes
    }

    /// Sorts the inner nodes of the current query. A large query has most nodes of the graph, and then
    /// looking through all of them is cheaper than sorting.
    fn sort_inner(&self, nodes: &mut Vec<NodeId>) {
        let (Some(&low), Some(&high)) = (nodes.iter().min(), nodes.iter().max()) else { return };
        if nodes.len() < 64 || (high.index() - low.index()) / 8 > nodes.len() {
            nodes.sort_unstable();
            return;
        }
        nodes.clear();
        let all = (low.0..=high.0).map(NodeId);
        nodes.extend(all.filter(|n| self.local_of[n.index()] == (self.epoch, INNER)));
    }

    fn mark(&mut self, node: NodeId) -> bool {
        if self.local_of.len() < self.lowering.graph.nodes.len() {
            self.local_of.resize(self.lowering.graph.nodes.len() + 64, (0, 0));
        }
        let slot = &mut self.local_of[node.index()];
        let new = slot.0 != self.epoch;
        if new {
            *slot = (self.epoch, 0);
        }
        new
    }

    fn fill_local(
        &mut self,
        leaves: &[NodeId],
        inner: &[NodeId],
        cells: &FxHashMap<NodeId, NodeId>,
        roots: &[NodeId],
    ) {
        let graph = &self.lowering.graph;
        let local = &mut self.local;
        local.clear();
        local.leaf_count = leaves.len();
        local.reserve(leaves.len(), inner.len(), roots.len());
        for (i, &n) in leaves.iter().enumerate() {
            self.local_of[n.index()].1 = i as u32;
            let shown = cells.get(&n).copied().unwrap_or(n);
            local.seeds.push(graph.node(shown).seed);
        }
        for (i, &n) in inner.iter().enumerate() {
            self.local_of[n.index()].1 = (leaves.len() + i) as u32;
        }
        for &n in inner {
            let node = graph.node(n);
            local.seeds.push(node.seed);
            local.seeds_negated.push(node.seed_negated);
            local.shapes.push(if self.mode.keeps_names() { Shape::Ordered } else { node.shape });
            local.starts.push(local.edges.len() as u32);
            let to_local = &self.local_of;
            local.edges.extend(graph.edges(n).iter().map(|e| (to_local[e.to.index()].1, e.label)));
        }
        local.starts.push(local.edges.len() as u32);
        local.roots.extend(roots.iter().map(|r| self.local_of[r.index()].1));
    }
}
