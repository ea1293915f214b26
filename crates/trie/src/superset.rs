//! The logical superset check: a stored satisfiable set that implies every atom of the query [Jia ISSTA'15, 6.2].
//!
//! Algorithm 1 of the paper begins at the nodes that imply the query's rightmost atom and climbs. Here:
//! - It begins at the atom that the fewest nodes imply ([`Arena::implying`], counted no further than the best so far), wherever
//!   on the paths that is, climbs for what lies before it and then descends for what lies behind. An atom that no node implies
//!   ends the look-up at once: the usual miss costs a few bisections.
//! - Paths have the prefixes of few variables first, so that what is shared stands near the root and what is rare near the leaves:
//!   the descent is short.
//! - A node's 64-bit mask (all prefixes that occur on some path through it) must contain the query's.
//! - A query atom that follows from bounds of its variables within the query is not searched for at all.
//!
//! Sums: a stored set may imply `x + y <= 2` by `x <= 1, y <= 1`. Such *soft* atoms are told first by what the whole store can
//! offer at best (the least upper bounds of x and y anywhere); the few that stay are searched for in a second pass, in which
//! they only have to hold at the leaf. It is run only when the first pass found nothing.
//!
//! Cost: the nodes of the rarest atom times the depth; cut off by the budget.

use crate::arena::{Arena, NONE, ROOT, Ranges, bit};
use crate::atom::{Atom, Op};
use crate::definitions::{Definitions, Term};
use crate::implies::{Interval, Premises, implies, sum_interval};
use crate::index::Meter;

/// The query's atoms over one prefix.
#[derive(Debug)]
struct Group<'a> {
    atoms: &'a [Atom],
    /// The prefix in the trie, if it occurs there.
    prefix: Option<u32>,
    /// Its variables, if bounds of them may imply one of the atoms.
    soft: Option<&'a [Term]>,
}

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
    let groups = groups(arena, definitions, query);
    if arena.set_count == 0 || !meter.step() {
        return None;
    }
    let mut found = None;
    if groups.iter().all(|group| group.prefix.is_some()) {
        found = Search::new(arena, &groups, false).run(meter);
    }
    let any_soft = groups.iter().any(|group| group.soft.is_some());
    if found.is_none()
        && any_soft
        && groups.iter().all(|group| group.prefix.is_some() || group.soft.is_some())
    {
        found = Search::new(arena, &groups, true).run(meter);
    }
    found
}

/// The query by prefix, without what its own bounds of variables imply.
fn groups<'a>(arena: &Arena, definitions: &'a Definitions, query: &'a [Atom]) -> Vec<Group<'a>> {
    let premises = Premises::new(query);
    let mut groups = Vec::new();
    for atoms in query.chunk_by(|a, b| a.prefix == b.prefix) {
        let mut soft = None;
        if let Some(terms) = definitions.sum(atoms[0].prefix) {
            let own = premises.derived(terms);
            if !own.is_everything() && atoms.iter().all(|atom| own.implies(atom.op, atom.constant)) {
                continue;
            }
            soft = may_be_soft(arena, terms, atoms).then_some(terms);
        }
        groups.push(Group { atoms, prefix: arena.number(atoms[0].prefix), soft });
    }
    groups
}

/// Can bounds of the variables, at the tightest that the store has, imply one of `atoms`?
fn may_be_soft(arena: &Arena, terms: &[Term], atoms: &[Atom]) -> bool {
    let best = sum_interval(terms, |variable| {
        let (low, high) = arena.number(variable).map_or((None, None), |number| arena.tightest(number));
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
    fn new(arena: &'a Arena, groups: &'a [Group<'a>], allow_soft: bool) -> Search<'a> {
        let is_soft = |group: &&Group| allow_soft && group.soft.is_some();
        let (soft, mut hard): (Vec<_>, Vec<_>) = groups.iter().partition(is_soft);
        hard.sort_unstable_by_key(|group| group.prefix.map(|prefix| arena.position(prefix)));
        let mask = hard.iter().fold(0, |mask, group| mask | bit(group.atoms[0].prefix));
        Search { arena, hard, soft, mask, stack: Vec::new() }
    }

    fn run(&mut self, meter: &mut Meter) -> Option<u32> {
        if self.hard.is_empty() && self.soft.is_empty() {
            return self.descend(ROOT, 0, meter);
        }
        for ranges in self.start()? {
            let arena = self.arena;
            for place in arena.places(&ranges) {
                let mut node = arena.labels[place.atom as usize].nodes;
                while node != NONE {
                    if !meter.step() {
                        return None;
                    }
                    if let Some(leaf) = self.visit(node, meter) {
                        return Some(leaf);
                    }
                    node = arena.node(node).same;
                }
            }
        }
        None
    }

    /// The rarest place to begin: ranges of atoms, one of which is on every path that is looked for. None: there is no path.
    fn start(&self) -> Option<Vec<Ranges>> {
        let mut best: Option<(usize, Vec<Ranges>)> = None;
        let most =
            |best: &Option<(usize, Vec<Ranges>)>| best.as_ref().map_or(usize::MAX, |(count, _)| *count);
        // From the back: what is specific is rare, which keeps the later counts short.
        for group in self.hard.iter().rev() {
            for atom in group.atoms {
                let ranges = self.arena.implying(group.prefix?, atom.op, atom.constant);
                if ranges.is_empty() {
                    return None;
                }
                let count = self.arena.count(&ranges, most(&best));
                if count < most(&best) {
                    best = Some((count, vec![ranges]));
                }
            }
        }
        for group in &self.soft {
            for atom in group.atoms {
                let (count, ranges) = self.soft_start(group, atom, most(&best));
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

    /// Where an atom can begin that is implied directly or by its variables: its own implying atoms, and the bounds of its
    /// rarest variable, without which there is no bound of the sum.
    fn soft_start(&self, group: &Group, atom: &Atom, most: usize) -> (usize, Vec<Ranges>) {
        let direct = group.prefix.map(|prefix| self.arena.implying(prefix, atom.op, atom.constant));
        let direct_count = direct.as_ref().map_or(0, |ranges| self.arena.count(ranges, most));
        let mut rarest: Option<(usize, Vec<Ranges>)> = None;
        for (variable, coefficient) in group.soft.unwrap_or_default() {
            let mut ranges = Vec::new();
            if let Some(number) = self.arena.number(*variable) {
                let upper = (atom.op == Op::Le) == (*coefficient > 0);
                let both = matches!(atom.op, Op::Eq | Op::Ne);
                // Everything that bounds the variable from the side that matters, equations included.
                if upper || both {
                    ranges.push(self.arena.implying(number, Op::Le, i64::MAX));
                }
                if !upper || both {
                    ranges.push(self.arena.implying(number, Op::Ge, i64::MIN));
                }
            }
            let count = ranges.iter().map(|ranges| self.arena.count(ranges, most)).sum();
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
        if self.arena.node(node).mask & self.mask != self.mask {
            return None;
        }
        let prefix = self.arena.prefix_of(node);
        let position = self.arena.position(prefix);
        let before = self.hard.partition_point(|group| self.group_position(group) < position);
        if !self.climb(node, prefix, before, meter) {
            return None;
        }
        self.descend(node, before, meter)
    }

    fn group_position(&self, group: &Group) -> (u64, u32) {
        group.prefix.map_or((u64::MAX, NONE), |prefix| self.arena.position(prefix))
    }

    /// Are the first `count` hard groups implied by what lies above `node` (whose prefix is `prefix`)?
    fn climb(&self, node: u32, prefix: u32, mut count: usize, meter: &mut Meter) -> bool {
        let mut at = node;
        while at != ROOT && self.arena.prefix_of(at) == prefix {
            at = self.arena.node(at).parent;
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
                    at = self.arena.node(at).parent;
                }
            } else {
                at = self.arena.node(at).parent;
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
                let label = arena.label(at);
                if Some(label.prefix) != group.prefix {
                    return false;
                }
                let premise = Atom { prefix: wanted.prefix, op: label.op, constant: label.constant };
                if implies(&premise, wanted) {
                    return true;
                }
                at = arena.node(at).parent;
            }
            false
        })
    }

    /// Looks below `node` for the hard groups from `next` on, then at the soft ones.
    fn descend(&mut self, node: u32, next: usize, meter: &mut Meter) -> Option<u32> {
        self.stack.clear();
        self.stack.push((node, next));
        while let Some((at, next)) = self.stack.pop() {
            if self.arena.node(at).payload != NONE {
                if self.done(at, next) && self.soft_hold(at) {
                    return Some(at);
                }
                continue;
            }
            let mut child = self.arena.node(at).child;
            while child != NONE {
                if !meter.step() {
                    return None;
                }
                let place = self.arena.node(child);
                if place.mask & self.mask == self.mask
                    && let Some(next) = self.enter(at, child, next)
                {
                    self.stack.push((child, next));
                }
                child = place.sibling;
            }
        }
        None
    }

    /// Going from `at` to `child`: the next hard group to look for, or None if one has been left behind.
    fn enter(&self, at: u32, child: u32, next: usize) -> Option<usize> {
        let Some(group) = self.hard.get(next) else { return Some(next) };
        let there = self.arena.prefix_of(child);
        if Some(there) == group.prefix || self.arena.position(there) < self.group_position(group) {
            return Some(next);
        }
        // The path goes beyond the group's prefix: it must have been met, here.
        let met = at != ROOT && Some(self.arena.prefix_of(at)) == group.prefix && self.covered(at, group);
        let beyond = self
            .hard
            .get(next + 1)
            .is_some_and(|after| self.group_position(after) < self.arena.position(there));
        (met && !beyond).then_some(next + 1)
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

    /// Does the set that ends at `leaf` imply the soft groups?
    fn soft_hold(&self, leaf: u32) -> bool {
        if self.soft.is_empty() {
            return true;
        }
        let path = self.arena.path(leaf);
        let premises = Premises::new(&path);
        self.soft.iter().all(|group| {
            let whole = premises.derived(group.soft.unwrap_or_default());
            let whole = whole.meet(premises.interval(group.atoms[0].prefix));
            let direct = &path[premises.places(group.atoms[0].prefix)];
            group.atoms.iter().all(|wanted| {
                whole.implies(wanted.op, wanted.constant)
                    || direct.iter().any(|premise| implies(premise, wanted))
            })
        })
    }
}
