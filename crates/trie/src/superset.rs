//! The logical superset check: a stored satisfiable set that implies every atom of the
//! query [Jia ISSTA'15, 6.2].
//!
//! Algorithm 1 of the paper begins at the nodes that imply the query's rightmost atom and climbs. Here:
//! - It begins at the atom that the fewest nodes imply ([`crate::labels`]), wherever on the paths that is,
//!   climbs for the atoms before it and then descends for the atoms behind it. An atom that no node implies
//!   ends the look-up at once: the usual miss costs a few bisections, or, where a prefix is new, a word of
//!   a filter for each prefix.
//! - Paths have the prefixes of few variables first, so that shared prefixes stand near the root and rare
//!   ones near the leaves: the descent is short.
//! - A node's 64-bit mask (all prefixes that occur on some path through it) must contain the query's.
//!
//! Sums: a stored set may imply `x + y <= 2` by `x <= 1, y <= 1`. When the first pass has found nothing,
//! atoms that the query's own bounds imply are dropped, and atoms that bounds of variables may imply are made
//! *soft*: they need only hold at the leaf. Whether they may follows from the tightest bounds in the whole
//! store (the least upper bounds of x and y anywhere).
//!
//! Cost: the nodes of the rarest atom times the depth; cut off by the budget.

use crate::arena::{Arena, ROOT, bit};
use crate::atom::{Atom, Op};
use crate::definitions::{Definitions, Term};
use crate::implies::{Interval, Premises, implies, sum_interval};
use crate::index::Meter;
use crate::labels::{NONE, Ranges, fold};

/// The query's atoms over one prefix.
#[derive(Debug)]
struct Group<'a> {
    atoms: &'a [Atom],
    /// The prefix in the trie, if it occurs there.
    prefix: Option<u32>,
    /// Its variables, if bounds of them may imply one of the atoms, and their numbers in the trie.
    soft: Option<&'a [Term]>,
    variables: Vec<Option<u32>>,
}

/// So few places to begin are not worth a search for fewer.
const FEW: usize = 8;

/// A pass: which groups must be on the path, in the order of the path, and the mask of their prefixes.
struct Search<'a> {
    arena: &'a Arena,
    hard: Vec<&'a Group<'a>>,
    soft: Vec<&'a Group<'a>>,
    mask: u64,
    stack: Vec<(u32, usize)>,
}

/// The leaf of a stored set that implies all atoms of `query`, which is sorted.
pub(crate) fn find(
    arena: &Arena,
    definitions: &Definitions,
    query: &[Atom],
    meter: &mut Meter,
) -> Option<u32> {
    if arena.set_count == 0 || !meter.step() {
        return None;
    }
    // The usual miss, before any prefix is looked up.
    for atoms in query.chunk_by(|a, b| a.prefix == b.prefix) {
        if arena.names.lacks(atoms[0].prefix) && !may_follow(arena, definitions, query, atoms) {
            return None;
        }
    }
    let mut groups: Vec<Group> = Vec::with_capacity(query.len());
    let mut direct = true;
    for atoms in query.chunk_by(|a, b| a.prefix == b.prefix) {
        let prefix = arena.names.number(atoms[0].prefix);
        if prefix.is_none() {
            if !may_follow(arena, definitions, query, atoms) {
                return None;
            }
            direct = false;
        }
        groups.push(Group { atoms, prefix, soft: None, variables: Vec::new() });
    }
    if direct && let Some(leaf) = Search::new(arena, &groups).run(meter) {
        return Some(leaf);
    }
    if meter.spent() || !relax(arena, definitions, query, &mut groups) {
        return None;
    }
    meter.tighten();
    Search::new(arena, &groups).run(meter)
}

/// Drops what the query's own bounds of variables imply and marks what such bounds may imply in stored sets.
/// False if that changes nothing, or leaves a prefix that occurs nowhere.
fn relax<'a>(
    arena: &Arena,
    definitions: &'a Definitions,
    query: &'a [Atom],
    groups: &mut Vec<Group<'a>>,
) -> bool {
    let premises = Premises::new(query);
    let mut changed = false;
    let mut hopeless = false;
    // Prefixes that occur nowhere first: most often such a prefix ends the search.
    groups.sort_by_key(|group| group.prefix.is_some());
    groups.retain_mut(|group| {
        if hopeless {
            return true;
        }
        if let Some(terms) = definitions.sum(group.atoms[0].prefix) {
            let own = premises.derived(terms);
            if !own.is_everything() && group.atoms.iter().all(|atom| own.implies(atom.op, atom.constant)) {
                changed = true;
                return false;
            }
            if may_be_soft(arena, terms, group.atoms) {
                changed = true;
                group.soft = Some(terms);
                group.variables = terms.iter().map(|(variable, _)| arena.names.number(*variable)).collect();
            }
        }
        hopeless |= group.prefix.is_none() && group.soft.is_none();
        true
    });
    changed && !hopeless
}

/// Can atoms over a prefix that occurs nowhere follow from bounds of its variables, the
/// query's or those of stored sets?
fn may_follow(arena: &Arena, definitions: &Definitions, query: &[Atom], atoms: &[Atom]) -> bool {
    let Some(terms) = definitions.sum(atoms[0].prefix) else { return false };
    let own = Premises::new(query).derived(terms);
    may_be_soft(arena, terms, atoms) || atoms.iter().all(|atom| own.implies(atom.op, atom.constant))
}

/// Can bounds of the variables, at the tightest that the store has, imply one of `atoms`?
fn may_be_soft(arena: &Arena, terms: &[Term], atoms: &[Atom]) -> bool {
    let best = sum_interval(terms.iter().copied(), |variable| {
        let tightest = arena.names.number(variable).map(|number| arena.names.tightest[number as usize]);
        let (low, high) = tightest.unwrap_or_default();
        Interval { low: low.map(i128::from), high: high.map(i128::from) }
    });
    let reaches = |low: bool, c: i64| {
        let c = i128::from(c);
        if low { best.low.is_some_and(|low| low >= c) } else { best.high.is_some_and(|high| high <= c) }
    };
    atoms.iter().any(|atom| match atom.op {
        Op::Le => reaches(false, atom.constant),
        Op::Ge => reaches(true, atom.constant),
        // One end may come from the variables and the other from the sum itself.
        Op::Eq => reaches(false, atom.constant) || reaches(true, atom.constant),
        Op::Ne => {
            let c = i128::from(atom.constant);
            best.low.is_some_and(|low| low > c) || best.high.is_some_and(|high| high < c)
        }
        Op::Holds => false,
    })
}

impl<'a> Search<'a> {
    fn new(arena: &'a Arena, groups: &'a [Group<'a>]) -> Search<'a> {
        let (soft, mut hard): (Vec<_>, Vec<_>) = groups.iter().partition(|group| group.soft.is_some());
        hard.sort_unstable_by_key(|group| group.prefix.map(|prefix| arena.names.position(prefix)));
        let mut mask = hard.iter().fold(0, |mask, group| mask | bit(group.atoms[0].prefix));
        // A sum that occurs nowhere can only follow from all its variables.
        for group in soft.iter().filter(|group| group.prefix.is_none()) {
            let variables = group.soft.unwrap_or_default();
            mask = variables.iter().fold(mask, |mask, (variable, _)| mask | bit(*variable));
        }
        Search { arena, hard, soft, mask, stack: Vec::new() }
    }

    fn run(&mut self, meter: &mut Meter) -> Option<u32> {
        if self.hard.is_empty() && self.soft.is_empty() {
            return self.descend(self.newest(), 0, meter);
        }
        for ranges in self.start()? {
            let arena = self.arena;
            let mask = fold(self.mask);
            for place in arena.names.places(&ranges).filter(|place| place.mask & mask == mask) {
                let mut node = arena.names.labels[place.atom() as usize].nodes;
                while node != NONE {
                    if !meter.step() {
                        return None;
                    }
                    if let Some(leaf) = self.visit(node, meter) {
                        return Some(leaf);
                    }
                    node = arena.same(node);
                }
            }
        }
        None
    }

    /// Some leaf: the answer to a query that asks for nothing.
    fn newest(&self) -> u32 {
        let mut at = ROOT;
        while let Some(child) = self.arena.children(at).next() {
            at = child;
        }
        at
    }

    /// The rarest place to begin: ranges of atoms, one of which is on every path that is looked
    /// for. None: there is no path.
    fn start(&self) -> Option<Vec<Ranges>> {
        let mut best: Option<(usize, Vec<Ranges>)> = None;
        let most =
            |best: &Option<(usize, Vec<Ranges>)>| best.as_ref().map_or(usize::MAX, |(count, _)| *count);
        // Rare groups first: most often the first is rare enough, or no atom implies it.
        let mut order: Vec<(u32, &Group)> = Vec::with_capacity(self.hard.len());
        for group in &self.hard {
            order.push((self.arena.names.prefix(group.prefix?).nodes, group));
        }
        order.sort_unstable_by_key(|(nodes, _)| *nodes);
        for (_, group) in order {
            for atom in group.atoms {
                let ranges = self.arena.names.implying(group.prefix?, atom.op, atom.constant);
                if ranges.is_empty() {
                    return None;
                }
                let count = self.arena.names.estimate(&ranges);
                if count < most(&best) {
                    best = Some((count, vec![ranges]));
                }
                if count <= FEW {
                    return best.map(|(_, ranges)| ranges);
                }
            }
        }
        for group in &self.soft {
            for atom in group.atoms {
                let (count, ranges) = self.soft_start(group, atom);
                if count == 0 {
                    return None;
                }
                if count < most(&best) {
                    best = Some((count, ranges));
                }
            }
        }
        best.map(|(_, ranges)| ranges)
    }

    /// Where an atom can begin that is implied directly or by its variables: its own implying atoms, and the
    /// bounds of its rarest variable, without which there is no bound of the sum.
    fn soft_start(&self, group: &Group, atom: &Atom) -> (usize, Vec<Ranges>) {
        let direct = group.prefix.map(|prefix| self.arena.names.implying(prefix, atom.op, atom.constant));
        let direct_count = direct.as_ref().map_or(0, |ranges| self.arena.names.estimate(ranges));
        let mut rarest: Option<(usize, Vec<Ranges>)> = None;
        for ((_, coefficient), number) in group.soft.unwrap_or_default().iter().zip(&group.variables) {
            let mut ranges = Vec::new();
            if let Some(number) = *number {
                let upper = (atom.op == Op::Le) == (*coefficient > 0);
                let both = matches!(atom.op, Op::Eq | Op::Ne);
                // Everything that bounds the variable from the side that matters, equations included.
                if upper || both {
                    ranges.push(self.arena.names.implying(number, Op::Le, i64::MAX));
                }
                if !upper || both {
                    ranges.push(self.arena.names.implying(number, Op::Ge, i64::MIN));
                }
            }
            let count = ranges.iter().map(|ranges| self.arena.names.estimate(ranges)).sum();
            if rarest.as_ref().is_none_or(|(least, _)| count < *least) {
                rarest = Some((count, ranges));
            }
        }
        let (count, mut ranges) = rarest.unwrap_or_default();
        ranges.extend(direct);
        (count + direct_count, ranges)
    }

    /// Is there a path through `node` that has all hard groups and implies the soft ones? Its leaf.
    fn visit(&mut self, node: u32, meter: &mut Meter) -> Option<u32> {
        if self.arena.mask(node) & self.mask != self.mask {
            return None;
        }
        let prefix = self.arena.prefix_of(node);
        let position = self.arena.names.position(prefix);
        let before = self.hard.partition_point(|group| self.group_position(group) < position);
        if !self.climb(node, prefix, before, meter) {
            return None;
        }
        self.descend(node, before, meter)
    }

    fn group_position(&self, group: &Group) -> (u8, u128) {
        group.prefix.map_or((u8::MAX, u128::MAX), |prefix| self.arena.names.position(prefix))
    }

    /// Are the first `count` hard groups implied by what lies above `node` (whose prefix is `prefix`)?
    fn climb(&self, node: u32, prefix: u32, mut count: usize, meter: &mut Meter) -> bool {
        let mut at = node;
        while at != ROOT && self.arena.prefix_of(at) == prefix {
            at = self.arena.parent(at);
        }
        while count > 0 {
            if at == ROOT || !meter.step() {
                return false;
            }
            let group = self.hard[count - 1];
            let here = self.arena.prefix_of(at);
            if Some(here) == group.prefix {
                if !self.covered(at, group) {
                    return false;
                }
                count -= 1;
                while at != ROOT && self.arena.prefix_of(at) == here {
                    at = self.arena.parent(at);
                }
            } else {
                at = self.arena.parent(at);
            }
        }
        true
    }

    /// Does each atom of `group` follow from one of the atoms of its prefix on the path up from `node`?
    fn covered(&self, node: u32, group: &Group) -> bool {
        let arena = self.arena;
        group.atoms.iter().all(|wanted| {
            let mut at = node;
            while at != ROOT {
                let (prefix, op, constant) = arena.atom_of(at);
                if Some(prefix) != group.prefix {
                    return false;
                }
                let premise = Atom { prefix: wanted.prefix, op, constant };
                if implies(&premise, wanted) {
                    return true;
                }
                at = arena.parent(at);
            }
            false
        })
    }

    /// Looks below `node` for the hard groups from `next` on, then at the soft ones.
    fn descend(&mut self, node: u32, next: usize, meter: &mut Meter) -> Option<u32> {
        self.stack.clear();
        self.stack.push((node, next));
        while let Some((at, next)) = self.stack.pop() {
            if self.arena.is_leaf(at) {
                if self.done(at, next) && (self.soft.is_empty() || (meter.step() && self.soft_hold(at))) {
                    return Some(at);
                }
                continue;
            }
            for child in self.arena.children(at) {
                if !meter.step() {
                    return None;
                }
                if self.arena.mask(child) & self.mask == self.mask
                    && let Some(next) = self.enter(at, child, next)
                {
                    self.stack.push((child, next));
                }
            }
        }
        None
    }

    /// Going from `at` to `child`: the next hard group to look for, or None if one has been left behind.
    fn enter(&self, at: u32, child: u32, next: usize) -> Option<usize> {
        let Some(group) = self.hard.get(next) else { return Some(next) };
        let there = self.arena.prefix_of(child);
        if Some(there) == group.prefix || self.arena.names.position(there) < self.group_position(group) {
            return Some(next);
        }
        // The path goes beyond the group's prefix: it must have been met, here.
        let met = at != ROOT && Some(self.arena.prefix_of(at)) == group.prefix && self.covered(at, group);
        met.then_some(next + 1)
    }

    /// At a leaf: is no hard group open?
    fn done(&self, leaf: u32, next: usize) -> bool {
        match self.hard.get(next) {
            None => true,
            Some(group) => {
                next + 1 == self.hard.len()
                    && leaf != ROOT
                    && Some(self.arena.prefix_of(leaf)) == group.prefix
                    && self.covered(leaf, group)
            }
        }
    }

    /// Does the set that ends at `leaf` imply the soft groups? Only their prefixes and
    /// variables are read from the path.
    fn soft_hold(&self, leaf: u32) -> bool {
        self.soft.iter().all(|group| {
            let terms = group.soft.unwrap_or_default();
            let numbers = || group.variables.iter().copied().chain([group.prefix]);
            let mut met: Vec<(u32, Op, i64)> = Vec::with_capacity(2 * terms.len() + 2);
            let mut at = leaf;
            while at != ROOT {
                let atom = self.arena.atom_of(at);
                met.extend(numbers().any(|number| number == Some(atom.0)).then_some(atom));
                at = self.arena.parent(at);
            }
            let interval = |prefix: Option<u32>| {
                let mut interval = Interval::default();
                for (_, op, constant) in met.iter().filter(|(number, ..)| Some(*number) == prefix) {
                    interval.narrow(*op, *constant);
                }
                interval
            };
            let coefficients = terms.iter().map(|(_, coefficient)| *coefficient);
            let whole = sum_interval(group.variables.iter().copied().zip(coefficients), interval);
            let whole = whole.meet(interval(group.prefix));
            group.atoms.iter().all(|wanted| {
                let direct = |&(number, op, constant): &(u32, Op, i64)| {
                    let premise = Atom { prefix: wanted.prefix, op, constant };
                    Some(number) == group.prefix && implies(&premise, wanted)
                };
                whole.implies(wanted.op, wanted.constant) || met.iter().any(direct)
            })
        })
    }
}
