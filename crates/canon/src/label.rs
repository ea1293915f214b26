//! Canonical numbering of leaves: colour refinement, then individualization with automorphism pruning.
//!
//! Green numbers variables by first occurrence after a lexicographic sort, so mirror images of one query miss
//! each other [Visser FSE'12, 3.2]. Here the numbering depends only on the query up to renaming and order:
//!
//! 1. *Refine.* Each leaf has a colour, at first a hash of its own head. A round hashes every node
//!    from its children (as a multiset where order is irrelevant), then hashes every node's
//!    surroundings from its parents, and mixes a leaf's surroundings into its colour. Rounds repeat
//!    while the number of colours grows.
//! 2. *Twins.* Two leaves are twins if the query stays the same when they change places and nothing else
//!    does. It does not matter in which order twins are numbered: each is given a colour of its own. Nearly
//!    all ties of verification conditions are twins: names of types that only a `distinct` mentions.
//!    Whether two leaves are twins is seen from the nodes above them alone. Refining anew after each of them
//!    and searching behind each took more than half of our own time on Dafny's conditions.
//! 3. *Individualize.* If leaves still share a colour, one of the smallest such group is given a colour of
//!    its own and refinement continues; each member is a branch of a search tree, and the branch whose
//!    finished numbering gives the smallest certificate wins. Two leaves of the search with equal
//!    certificates differ by an automorphism of the query; automorphisms found below a node make whole
//!    branches superfluous there [McKay, Practical Graph Isomorphism, 1981]. So 24 all-different variables
//!    cost about 24 probes, not 24!.
//!
//! The work is bounded: past the budget only first branches are followed, which numbers tied leaves by
//! occurrence. That is a valid numbering, only not a canonical one; keys stay sound because the byte form is
//! complete whatever the numbering. Hashes here order things; a collision can cost a hit, never an answer.

use crate::node::{Shape, mix};
use evergreen_structures::UnionFind;
use rustc_hash::FxHashSet;

/// A query's graph in dense form: leaves first, then inner nodes, children before parents.
#[derive(Default)]
pub(crate) struct Local {
    pub(crate) leaf_count: usize,
    /// Hash of the head, for every node.
    pub(crate) seeds: Vec<u64>,
    /// For signed nodes: the hash with the constant negated; by inner node.
    pub(crate) seeds_negated: Vec<u64>,
    pub(crate) shapes: Vec<Shape>,
    /// Start of each inner node's edges; one more at the end.
    pub(crate) starts: Vec<u32>,
    pub(crate) edges: Vec<(u32, i64)>,
    pub(crate) roots: Vec<u32>,
    pub(crate) up: Vec<u64>,
    /// Hashes of both orientations of signed nodes; by inner node.
    pub(crate) orientations: Vec<(u64, u64)>,
    down: Vec<u64>,
    seen: FxHashSet<u64>,
    spent: u64,
    /// The colours of the leaves after refinement alone; empty where that told all of them apart.
    pub(crate) refined: Vec<u64>,
}

const ROOT: u64 = 0x2545_f491_4f6c_dd1d;
const TWIN: u64 = 0x71d6_7fff_eda6_0001;
/// A tie with more classes of twins is left to the search as a whole. Their number does not depend on names
/// and order, unlike the number of comparisons.
const MOST_CLASSES: usize = 4;
/// The edges that comparisons of twins may visit, beyond which ties are left to the search. It is reached
/// where thousands of leaves are tied.
const TWIN_BUDGET: u64 = 1 << 20;
const INDIVIDUAL: u64 = 0x8c3f_5d1b_6e2a_9047;

/// A finished numbering.
#[derive(Clone)]
struct Numbering {
    certificate: u64,
    /// Leaf of each number.
    leaves: Vec<u32>,
}

/// The outcome: number of each leaf, and whether the search was complete.
pub(crate) struct Labels {
    pub(crate) rank: Vec<u32>,
    pub(crate) complete: bool,
}

impl Local {
    pub(crate) fn clear(&mut self) {
        self.leaf_count = 0;
        self.seeds.clear();
        self.seeds_negated.clear();
        self.shapes.clear();
        self.starts.clear();
        self.edges.clear();
        self.roots.clear();
        self.spent = 0;
    }

    /// Makes room for a query, in one step for each list.
    pub(crate) fn reserve(&mut self, leaves: usize, inner: usize, roots: usize) {
        self.seeds.reserve(leaves + inner);
        self.seeds_negated.reserve(inner);
        self.shapes.reserve(inner);
        self.starts.reserve(inner + 1);
        // Most inner nodes are sums and comparisons of two.
        self.edges.reserve(2 * inner);
        self.roots.reserve(roots);
    }

    pub(crate) fn inner_count(&self) -> usize {
        self.shapes.len()
    }

    pub(crate) fn edges_of(&self, inner: usize) -> &[(u32, i64)] {
        &self.edges[self.starts[inner] as usize..self.starts[inner + 1] as usize]
    }

    /// Hashes every node from the colours of the leaves.
    pub(crate) fn hash_up(&mut self, colors: &[u64]) {
        let leaves = self.leaf_count;
        self.up.clear();
        self.up.reserve(leaves + self.shapes.len());
        self.up.extend_from_slice(colors);
        self.orientations.clear();
        self.orientations.reserve(self.shapes.len());
        for inner in 0..self.shapes.len() {
            let (hash, both) = self.hash_node(leaves, inner);
            self.orientations.push(both);
            self.up.push(hash);
        }
        self.spent += self.edges.len() as u64 + self.shapes.len() as u64;
    }

    /// The hash of an inner node from those of its children, and that of both orientations of a signed one.
    fn hash_node(&self, leaves: usize, inner: usize) -> (u64, (u64, u64)) {
        let seed = self.seeds[leaves + inner];
        let edges = self.edges_of(inner);
        match self.shapes[inner] {
            Shape::Ordered | Shape::Leaf => {
                (edges.iter().fold(seed, |h, &(to, _)| mix(h, self.up[to as usize])), (0, 0))
            }
            Shape::Unordered => {
                let sum = edges
                    .iter()
                    .fold(0u64, |s, &(to, label)| s.wrapping_add(mix(self.up[to as usize], label as u64)));
                (mix(seed, sum), (0, 0))
            }
            Shape::Signed => {
                let (mut plus, mut minus) = (0u64, 0u64);
                for &(to, label) in edges {
                    plus = plus.wrapping_add(mix(self.up[to as usize], label as u64));
                    minus = minus.wrapping_add(mix(self.up[to as usize], label.wrapping_neg() as u64));
                }
                let both = (mix(seed, plus), mix(self.seeds_negated[inner], minus));
                (both.0.wrapping_add(both.1), both)
            }
        }
    }

    /// Hashes the surroundings of every node from its parents.
    fn hash_down(&mut self) {
        let leaves = self.leaf_count;
        self.down.clear();
        self.down.resize(self.up.len(), 0);
        for &root in &self.roots {
            self.down[root as usize] = self.down[root as usize].wrapping_add(ROOT);
        }
        for inner in (0..self.shapes.len()).rev() {
            let context = mix(self.up[leaves + inner], self.down[leaves + inner]);
            let range = self.starts[inner] as usize..self.starts[inner + 1] as usize;
            for (position, &(to, label)) in self.edges[range].iter().enumerate() {
                let seen = match self.shapes[inner] {
                    Shape::Ordered | Shape::Leaf => mix(context, position as u64),
                    Shape::Unordered => mix(context, label as u64),
                    Shape::Signed => {
                        let (plus, minus) = self.orientations[inner];
                        mix(context ^ plus, label as u64)
                            .wrapping_add(mix(context ^ minus, label.wrapping_neg() as u64))
                    }
                };
                self.down[to as usize] = self.down[to as usize].wrapping_add(seen);
            }
        }
        self.spent += self.edges.len() as u64 + self.shapes.len() as u64;
    }

    fn count_colors(&mut self, colors: &[u64]) -> usize {
        self.seen.clear();
        self.seen.extend(colors.iter().copied());
        self.seen.len()
    }

    /// Splits colours until they stop splitting; returns their number.
    fn refine(&mut self, colors: &mut [u64]) -> usize {
        let mut count = self.count_colors(colors);
        loop {
            if count == colors.len() {
                return count;
            }
            self.hash_up(colors);
            self.hash_down();
            for (color, down) in colors.iter_mut().zip(&self.down) {
                *color = mix(*color, *down);
            }
            let now = self.count_colors(colors);
            if now <= count {
                return now;
            }
            count = now;
        }
    }

    fn finish(&mut self, colors: &[u64]) -> Numbering {
        let mut leaves: Vec<u32> = (0..colors.len() as u32).collect();
        leaves.sort_by_key(|&l| colors[l as usize]);
        let mut ranked = vec![0u64; colors.len()];
        for (rank, &leaf) in leaves.iter().enumerate() {
            ranked[leaf as usize] = rank_color(rank as u32);
        }
        self.hash_up(&ranked);
        let mut roots: Vec<u64> = self.roots.iter().map(|&r| self.up[r as usize]).collect();
        roots.sort_unstable();
        let certificate = roots.iter().fold(ROOT, |h, &r| mix(h, r));
        Numbering { certificate, leaves }
    }

    /// The members of the first smallest group of leaves that share a colour.
    fn target(&self, colors: &[u64]) -> Vec<u32> {
        ties(colors).into_iter().min_by_key(Vec::len).unwrap_or_default()
    }

    /// Gives twins colours of their own.
    fn part_twins(&mut self, colors: &mut [u64]) {
        let ties = ties(colors);
        if ties.is_empty() {
            return;
        }
        // Leaves are told apart in any way, so that only a change of places can go unnoticed.
        let apart: Vec<u64> = (1..=colors.len() as u64).map(|leaf| mix(TWIN, leaf)).collect();
        let spent = self.spent;
        self.hash_up(&apart);
        let mut above = Above::of(self);
        for tie in ties {
            let mut parted: Vec<(u32, u64)> = Vec::new();
            let mut rest = tie;
            let mut classes = 0;
            while let Some((&first, others)) = rest.split_first() {
                classes += 1;
                if classes > MOST_CLASSES || self.spent - spent > TWIN_BUDGET {
                    parted.clear();
                    break;
                }
                let (twins, others): (Vec<u32>, Vec<u32>) =
                    others.iter().partition(|&&other| above.are_twins(self, first, other));
                parted.extend(twins.into_iter().zip(1..));
                rest = others;
            }
            for (leaf, number) in parted {
                let color = &mut colors[leaf as usize];
                *color = mix(*color ^ TWIN, number);
            }
        }
        // The budget of the search is its own.
        self.spent = spent;
    }

    /// Numbers the leaves. `budget` bounds the edges visited.
    pub(crate) fn label(&mut self, budget: u64) -> Labels {
        let n = self.leaf_count;
        let mut colors: Vec<u64> = self.seeds[..n].to_vec();
        let count = self.refine(&mut colors);
        self.refined.clear();
        if count == n {
            let mut order: Vec<u32> = (0..n as u32).collect();
            order.sort_unstable_by_key(|&l| colors[l as usize]);
            return Labels { rank: invert(&order), complete: true };
        }
        self.refined.extend_from_slice(&colors);
        self.part_twins(&mut colors);
        let mut search = Search { budget, automorphisms: Vec::new() };
        let best = search.explore(self, &colors);
        Labels { rank: invert(&best.leaves), complete: self.spent <= budget }
    }
}

/// The groups of leaves that share a colour, in the order of their colours.
fn ties(colors: &[u64]) -> Vec<Vec<u32>> {
    let mut order: Vec<(u64, u32)> = colors.iter().copied().zip(0..).collect();
    order.sort_unstable();
    let groups = order.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1);
    groups.map(|group| group.iter().map(|&(_, leaf)| leaf).collect()).collect()
}

/// What lies above each node: the way to see what changes when two leaves change places.
struct Above {
    /// Start of each node's parents; one more at the end.
    starts: Vec<u32>,
    /// Inner nodes.
    parents: Vec<u32>,
    /// How often each node is a root.
    roots: Vec<u32>,
    /// The inner nodes of the last comparison, and when a node was last met.
    changed: Vec<u32>,
    met: Vec<u32>,
    now: u32,
}

impl Above {
    fn of(local: &Local) -> Above {
        let nodes = local.leaf_count + local.shapes.len();
        let mut starts = vec![0u32; nodes + 1];
        for &(to, _) in &local.edges {
            starts[to as usize + 1] += 1;
        }
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        let mut next = starts.clone();
        let mut parents = vec![0; local.edges.len()];
        for inner in 0..local.shapes.len() {
            for &(to, _) in local.edges_of(inner) {
                parents[next[to as usize] as usize] = inner as u32;
                next[to as usize] += 1;
            }
        }
        let mut roots = vec![0; nodes];
        for &root in &local.roots {
            roots[root as usize] += 1;
        }
        Above { starts, parents, roots, changed: Vec::new(), met: vec![0; local.shapes.len()], now: 0 }
    }

    /// Whether the roots stay the same, as a multiset, when two leaves change places. `local.up` has hashes
    /// for leaves that are all different, and has them again afterwards.
    fn are_twins(&mut self, local: &mut Local, a: u32, b: u32) -> bool {
        self.now += 1;
        self.changed.clear();
        let leaves = local.leaf_count;
        let mut open = vec![a, b];
        while let Some(node) = open.pop() {
            let range = self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize;
            for &inner in &self.parents[range] {
                if self.met[inner as usize] != self.now {
                    self.met[inner as usize] = self.now;
                    self.changed.push(inner);
                    open.push(leaves as u32 + inner);
                }
            }
        }
        // Children stand before parents.
        self.changed.sort_unstable();
        let sum = |above: &Above, local: &Local| {
            let nodes = above.changed.iter().map(|inner| leaves as u32 + inner).chain([a, b]);
            nodes.fold(0u64, |sum, node| {
                let times = u64::from(above.roots[node as usize]);
                sum.wrapping_add(mix(ROOT, local.up[node as usize]).wrapping_mul(times))
            })
        };
        let before = sum(self, local);
        let old: Vec<u64> = self.changed.iter().map(|&inner| local.up[leaves + inner as usize]).collect();
        local.up.swap(a as usize, b as usize);
        for &inner in &self.changed {
            local.up[leaves + inner as usize] = local.hash_node(leaves, inner as usize).0;
            local.spent += local.edges_of(inner as usize).len() as u64 + 1;
        }
        let after = sum(self, local);
        local.up.swap(a as usize, b as usize);
        for (&inner, old) in self.changed.iter().zip(old) {
            local.up[leaves + inner as usize] = old;
        }
        before == after
    }
}

fn invert(leaves: &[u32]) -> Vec<u32> {
    let mut rank = vec![0; leaves.len()];
    for (r, &leaf) in leaves.iter().enumerate() {
        rank[leaf as usize] = r as u32;
    }
    rank
}

/// The colour of a leaf once its number is known.
pub(crate) fn rank_color(rank: u32) -> u64 {
    mix(INDIVIDUAL, u64::from(rank) + 1)
}

struct Search {
    budget: u64,
    /// Automorphisms found so far, as the image of each leaf, in the order of discovery.
    automorphisms: Vec<Vec<u32>>,
}

impl Search {
    /// The best numbering below a node of the search tree.
    ///
    /// Automorphisms recorded while this call runs fix every leaf individualized above it, because both
    /// numberings that they relate agree on those; so they may prune here, and at every node above.
    fn explore(&mut self, local: &mut Local, colors: &[u64]) -> Numbering {
        let group = local.target(colors);
        if group.is_empty() {
            return local.finish(colors);
        }
        let known = self.automorphisms.len();
        let mut best = self.child(local, colors, group[0]);
        let mut tried = vec![group[0]];
        for &leaf in &group[1..] {
            if local.spent > self.budget {
                break;
            }
            if self.same_orbit(known, colors.len(), leaf, &tried) {
                continue;
            }
            tried.push(leaf);
            let probe = self.probe(local, colors, leaf);
            if probe.certificate == best.certificate {
                self.record(&best, &probe);
                continue;
            }
            let other = self.child(local, colors, leaf);
            if other.certificate == best.certificate {
                self.record(&best, &other);
            } else if other.certificate < best.certificate {
                best = other;
            }
        }
        best
    }

    fn child(&mut self, local: &mut Local, colors: &[u64], leaf: u32) -> Numbering {
        let mut colors = colors.to_vec();
        colors[leaf as usize] = mix(colors[leaf as usize], INDIVIDUAL);
        local.refine(&mut colors);
        self.explore(local, &colors)
    }

    /// One numbering below a branch: always the first choice.
    fn probe(&self, local: &mut Local, colors: &[u64], leaf: u32) -> Numbering {
        let mut colors = colors.to_vec();
        let mut next = leaf;
        loop {
            colors[next as usize] = mix(colors[next as usize], INDIVIDUAL);
            local.refine(&mut colors);
            match local.target(&colors).first() {
                Some(&first) => next = first,
                None => return local.finish(&colors),
            }
        }
    }

    fn record(&mut self, from: &Numbering, to: &Numbering) {
        let mut image = vec![0; from.leaves.len()];
        for (a, b) in from.leaves.iter().zip(&to.leaves) {
            image[*a as usize] = *b;
        }
        self.automorphisms.push(image);
    }

    /// Whether an automorphism found below this node moves `leaf` to one that was tried.
    fn same_orbit(&self, known: usize, n: usize, leaf: u32, tried: &[u32]) -> bool {
        let mut orbits = UnionFind::new(n);
        for image in &self.automorphisms[known..] {
            for (a, &b) in image.iter().enumerate() {
                orbits.union(a as u32, b);
            }
        }
        let own = orbits.find(leaf);
        tried.iter().any(|&other| orbits.find(other) == own)
    }
}
