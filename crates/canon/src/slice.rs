//! Slicing: which constraints depend on each other.
//!
//! Green keeps, of a path condition that is known to be satisfiable, the constraints that reach the new one
//! through shared variables [Visser FSE'12, 3.1]: [`Path::focus`]. In a script nothing is known to be
//! satisfiable, so there *every* independent part is answered: [`Canonizer::parts`](crate::Canonizer::parts).
//!
//! Constraints are coupled not only by shared constants and functions, but also by:
//! - a declared sort, because one part may bound its number of elements;
//! - quantifiers, all with each other (solvers rarely decide them alone, and a recursive function is one);
//! - functions that SMT-LIB leaves open somewhere, such as division by zero: they are
//!   uninterpreted there, and shared;
//! - array cells: reads of an array at literal indices are independent of each other, as in KLEE, unless the
//!   array is also used in another way (a read at a symbolic index, a write, an equality). A table is all of
//!   its cells: it hangs together with whatever reads one of them, or uses the array in another way.

use crate::node::{Leaf, NodeId};
use evergreen_structures::UnionFind;
use evergreen_term::TermId;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::rc::Rc;

/// The cells that a table fixes.
#[derive(Debug)]
pub(crate) struct Fixes {
    /// The leaf of the array.
    pub(crate) array: NodeId,
    /// The nodes of the reads.
    pub(crate) reads: FxHashSet<NodeId>,
}

/// The dependencies of a constraint.
#[derive(Clone, Default, Debug)]
pub(crate) struct Dependencies {
    /// Leaves (and the two virtual ones below), sorted.
    pub(crate) whole: Vec<NodeId>,
    /// Reads at literal indices: (leaf of the array, node of the read), sorted.
    pub(crate) cells: Vec<(NodeId, NodeId)>,
    /// Of a table: its cells, which are not among the others.
    pub(crate) table: Option<Rc<Fixes>>,
}

impl Dependencies {
    /// The leaves that a constraint of a path uses as a whole: of a table the array.
    pub(crate) fn leaves(&self) -> impl Iterator<Item = &NodeId> {
        self.whole.iter().chain(self.table.iter().map(|table| &table.array))
    }
}

/// Stands for "has a quantifier".
pub(crate) const QUANTIFIED: NodeId = NodeId(u32::MAX);
/// Stands for "uses a function that is open somewhere".
pub(crate) const PARTIAL: NodeId = NodeId(u32::MAX - 1);

/// Whether sharing a leaf makes two constraints dependent. Datatypes mean the same everywhere.
pub(crate) fn couples(leaf: Leaf, is_free: bool) -> bool {
    match leaf {
        Leaf::Symbol(_) => is_free,
        Leaf::Sort(_) | Leaf::Cell(_) => true,
        Leaf::Datatype(_) => false,
    }
}

/// Groups constraints into independent parts, one query after another. It keeps its memory: who owns a leaf
/// is noted by its number, with the number of the query.
#[derive(Default)]
pub(crate) struct Slicer {
    owners: Vec<(u32, u32)>,
    cell_owners: Vec<(u32, u32)>,
    query: u32,
}

impl Slicer {
    fn begin(&mut self, nodes: usize) {
        // The two virtual leaves come first.
        if self.owners.len() < nodes + 2 {
            self.owners.resize(nodes + 2 + nodes / 4, (0, 0));
            self.cell_owners.resize(self.owners.len(), (0, 0));
        }
        self.query = self.query.wrapping_add(1);
        if self.query == 0 {
            self.owners.fill((0, 0));
            self.cell_owners.fill((0, 0));
            self.query = 1;
        }
    }

    fn place(node: NodeId) -> usize {
        node.0.wrapping_add(2) as usize
    }

    fn owner(&self, leaf: NodeId) -> Option<u32> {
        let (query, first) = self.owners[Slicer::place(leaf)];
        (query == self.query).then_some(first)
    }

    /// The part of each constraint, numbered in order of their first constraints, and how many there are.
    /// `nodes` is more than every number of a leaf.
    pub(crate) fn parts<'d, D>(&mut self, nodes: usize, dependencies: D) -> (Vec<u32>, usize)
    where
        D: ExactSizeIterator<Item = &'d Dependencies> + Clone,
    {
        let count = dependencies.len();
        self.begin(nodes);
        let mut sets = UnionFind::new(count);
        let all = || dependencies.clone().zip(0u32..);
        let mut tables: FxHashMap<NodeId, Vec<(u32, &Fixes)>> = FxHashMap::default();
        for (d, i) in all() {
            for &leaf in &d.whole {
                let first = first_of(&mut self.owners[Slicer::place(leaf)], self.query, i);
                sets.union(first, i);
            }
        }
        for (d, i) in all() {
            if let Some(table) = &d.table {
                let of_array = tables.entry(table.array).or_default();
                of_array.push((i, table));
                // Two tables of one array may have cells in common.
                sets.union(self.owner(table.array).unwrap_or(of_array[0].0), i);
            }
        }
        for (d, i) in all() {
            for &(array, read) in &d.cells {
                let first = match self.owner(array) {
                    Some(first) => first,
                    None => first_of(&mut self.cell_owners[Slicer::place(read)], self.query, i),
                };
                sets.union(first, i);
                for (table, fixes) in tables.get(&array).into_iter().flatten() {
                    if fixes.reads.contains(&read) {
                        sets.union(*table, i);
                    }
                }
            }
        }
        let mut part_of: Vec<u32> = Vec::with_capacity(count);
        let mut parts = 0;
        for i in 0..count as u32 {
            // A set is known by its first element, which has a part already if it is not this one.
            let first = sets.find(i);
            part_of.push(if first == i { parts } else { part_of[first as usize] });
            parts += u32::from(first == i);
        }
        (part_of, parts as usize)
    }
}

/// Independent parts of a conjunction, one behind the other in one list: most have one constraint.
pub struct Slices {
    constraints: Vec<TermId>,
    /// Where each part ends.
    ends: Vec<u32>,
}

impl Slices {
    /// Constraints by the numbers of their parts.
    pub(crate) fn new(part_of: &[u32], count: usize, constraints: &[TermId]) -> Slices {
        let mut ends: Vec<u32> = vec![0; count];
        part_of.iter().for_each(|&part| ends[part as usize] += 1);
        // First where each part begins; a part ends where it has got to when all are placed.
        let mut at = 0;
        for end in &mut ends {
            at += std::mem::replace(end, at);
        }
        let mut placed: Vec<TermId> = constraints.to_vec();
        for (&constraint, &part) in constraints.iter().zip(part_of) {
            let end = &mut ends[part as usize];
            placed[*end as usize] = constraint;
            *end += 1;
        }
        Slices { constraints: placed, ends }
    }

    /// All constraints as one part; none if there are none.
    pub fn whole(constraints: Vec<TermId>) -> Slices {
        let ends = if constraints.is_empty() { Vec::new() } else { vec![constraints.len() as u32] };
        Slices { constraints, ends }
    }

    /// The number of parts.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no parts.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The parts, each with its constraints in the order of the conjunction.
    pub fn iter(&self) -> impl Iterator<Item = &[TermId]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let part = &self.constraints[start..end as usize];
            start = end as usize;
            part
        })
    }
}

/// The first constraint of a query that a place was noted for.
fn first_of(place: &mut (u32, u32), query: u32, constraint: u32) -> u32 {
    if place.0 != query {
        *place = (query, constraint);
    }
    place.1
}

/// The constraints of a path, indexed by what they depend on, so that a focus costs what its slice costs
/// and not what the path costs.
#[derive(Default)]
pub struct Path {
    users: FxHashMap<NodeId, Vec<u32>>,
    readers: FxHashMap<NodeId, Vec<u32>>,
    constraints: Vec<Dependencies>,
}

/// Room for so many leaves from the start: most slices have no more.
const FEW: usize = 14;

/// The state of a focus.
struct Reached {
    seen: Vec<bool>,
    found: Vec<u32>,
    /// Leaves whose constraints were found: on a path most have the same few.
    whole: FxHashSet<NodeId>,
}

impl Reached {
    fn visit(&mut self, list: Option<&Vec<u32>>) {
        for &i in list.into_iter().flatten() {
            if !std::mem::replace(&mut self.seen[i as usize], true) {
                self.found.push(i);
            }
        }
    }
}

impl Path {
    /// An empty path.
    pub fn new() -> Path {
        Path::default()
    }

    /// The number of constraints.
    pub fn len(&self) -> usize {
        self.constraints.len()
    }

    /// Whether there are no constraints.
    pub fn is_empty(&self) -> bool {
        self.constraints.is_empty()
    }

    pub(crate) fn push(&mut self, dependencies: Dependencies) {
        let i = self.constraints.len() as u32;
        for &leaf in dependencies.leaves() {
            self.users.entry(leaf).or_default().push(i);
        }
        for &(array, read) in &dependencies.cells {
            self.users.entry(read).or_default().push(i);
            self.readers.entry(array).or_default().push(i);
        }
        self.constraints.push(dependencies);
    }

    /// Forgets the last constraint.
    pub fn pop(&mut self) {
        let Some(last) = self.constraints.pop() else { return };
        let drop_last = |map: &mut FxHashMap<NodeId, Vec<u32>>, id: NodeId| {
            if let Some(list) = map.get_mut(&id) {
                list.pop();
            }
        };
        for &leaf in last.leaves() {
            drop_last(&mut self.users, leaf);
        }
        for &(array, read) in &last.cells {
            drop_last(&mut self.users, read);
            drop_last(&mut self.readers, array);
        }
    }

    /// The constraints that new ones depend on, in the order of the path.
    pub(crate) fn focus<'d>(&self, new: impl Iterator<Item = &'d Dependencies>) -> Vec<u32> {
        let mut reached = Reached {
            seen: vec![false; self.constraints.len()],
            found: Vec::with_capacity(self.constraints.len()),
            whole: FxHashSet::with_capacity_and_hasher(FEW, FxBuildHasher),
        };
        new.for_each(|dependencies| self.reach(dependencies, &mut reached));
        let mut next = 0;
        while next < reached.found.len() {
            let at = reached.found[next] as usize;
            next += 1;
            self.reach(&self.constraints[at], &mut reached);
        }
        reached.found.sort_unstable();
        reached.found
    }

    fn reach(&self, from: &Dependencies, reached: &mut Reached) {
        for leaf in from.leaves() {
            if reached.whole.insert(*leaf) {
                reached.visit(self.users.get(leaf));
                reached.visit(self.readers.get(leaf));
            }
        }
        for (array, read) in &from.cells {
            reached.visit(self.users.get(array));
            reached.visit(self.users.get(read));
        }
    }
}
