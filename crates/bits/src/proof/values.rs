//! The search for a leaf without a value.
//!
//! Of the constraints those that depend on one narrow leaf alone are evaluated for all values of it. A leaf
//! that has one value left is known from then on, and further constraints depend on one leaf alone. It ends
//! when a leaf has no value left or nothing new is known.

use super::certificate::{Certificate, Step};
use super::form::{Form, Node, NodeId};
use super::lanes::{Fact, Facts, Lanes, Left, TooMuch, Work, fact, is_narrow, is_table};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// The leaves without a known value that a node depends on. Arrays do not count: a place about which nothing
/// is known has no value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Support {
    Nothing,
    One(NodeId),
    More,
}

impl Support {
    fn join(self, other: Support) -> Support {
        match (self, other) {
            (Support::Nothing, s) | (s, Support::Nothing) => s,
            (Support::One(a), Support::One(b)) if a == b => self,
            _ => Support::More,
        }
    }
}

struct Search<'f> {
    form: &'f Form,
    facts: Facts,
    /// The position of the constraint that says what a cell or a wide leaf is.
    cells: FxHashMap<(NodeId, u64), u32>,
    wide: FxHashMap<NodeId, u32>,
    /// Constraints that are no facts, and were not found to hold.
    open: Vec<u32>,
    /// How many constraints about a leaf alone were evaluated: with no more of them there is nothing new.
    looked: FxHashMap<NodeId, usize>,
    /// The step that gave a narrow leaf its value, by its place in `steps`.
    fixed: FxHashMap<NodeId, usize>,
    steps: Vec<Step>,
    work: Work,
}

/// A certificate, if some leaf is found to have no value.
pub(super) fn search(form: &Form, positions: &[u32], work: u64) -> Option<Certificate> {
    let mut search = Search {
        form,
        facts: Facts::default(),
        cells: FxHashMap::default(),
        wide: FxHashMap::default(),
        open: Vec::new(),
        looked: FxHashMap::default(),
        fixed: FxHashMap::default(),
        steps: Vec::new(),
        work: Work(work),
    };
    for &position in positions {
        let constraint = form.constraints()[position as usize];
        search.facts.learn(form, constraint);
        if is_table(form, constraint) {
            for &part in form.args(constraint) {
                if let Some(Fact::Cell(array, index, _)) = fact(form, part) {
                    search.cells.insert((array, index), position);
                }
            }
            continue;
        }
        match fact(form, constraint) {
            Some(Fact::Leaf(leaf, _)) => _ = search.wide.insert(leaf, position),
            Some(Fact::Cell(array, index, _)) => _ = search.cells.insert((array, index), position),
            None => search.open.push(position),
        }
    }
    while let Ok(Round::Known) = search.round() {}
    // A search that ran out of work has found nothing all the same.
    search.finish()
}

enum Round {
    /// Another leaf has a value.
    Known,
    /// A leaf has none, or nothing new was found.
    Over,
}

impl Search<'_> {
    fn constraint(&self, position: u32) -> NodeId {
        self.form.constraints()[position as usize]
    }

    /// The support of every node: arguments come first.
    fn supports(&self) -> Vec<Support> {
        let mut supports: Vec<Support> = Vec::with_capacity(self.form.len());
        for number in 0..self.form.len() as u32 {
            let node = NodeId(number);
            let is_value = self.form.sort(node).width().is_some();
            supports.push(match self.form.node(node) {
                Node::Leaf if !is_value || self.facts.knows(node) => Support::Nothing,
                Node::Leaf if is_narrow(self.form, node) => Support::One(node),
                Node::Leaf | Node::Outside | Node::SameArrays => Support::More,
                _ => {
                    let args = self.form.args(node).iter().map(|a| supports[a.0 as usize]);
                    args.fold(Support::Nothing, Support::join)
                }
            });
        }
        supports
    }

    /// Evaluates what depends on one leaf, leaf by leaf.
    fn round(&mut self) -> Result<Round, TooMuch> {
        self.work.spend(self.form.len())?;
        let supports = self.supports();
        if self.refuted_by_known(&supports)? {
            return Ok(Round::Over);
        }
        let mut about: BTreeMap<NodeId, Vec<u32>> = BTreeMap::new();
        for &position in &self.open {
            if let Support::One(leaf) = supports[self.constraint(position).0 as usize] {
                about.entry(leaf).or_default().push(position);
            }
        }
        let mut round = Round::Over;
        for (leaf, positions) in about {
            if self.looked.insert(leaf, positions.len()) == Some(positions.len()) {
                continue;
            }
            let Some(mut lanes) = Lanes::new(self.form, &self.facts, leaf) else { continue };
            let mut all = lanes.all();
            let mut lefts = Vec::with_capacity(positions.len());
            for &position in &positions {
                let constraint = self.form.constraints()[position as usize];
                let left = lanes.left(constraint, &mut self.work)?;
                all.meet(&left);
                lefts.push((position, left));
                if all.count() == 0 {
                    break;
                }
            }
            let only = all.only();
            if all.count() > 1 {
                continue;
            }
            let chosen = choose(lanes.all(), &lefts, all.count());
            self.steps.push(Step { leaf, positions: chosen });
            let Some(value) = only else { return Ok(Round::Over) };
            self.facts.fix(leaf, value);
            self.fixed.insert(leaf, self.steps.len() - 1);
            round = Round::Known;
        }
        Ok(round)
    }

    /// Looks for a constraint that is false by what is known. Then the leaf that it
    /// depends on and that became known last has no value: all but one were removed, and the constraint
    /// removes that one.
    fn refuted_by_known(&mut self, supports: &[Support]) -> Result<bool, TooMuch> {
        let (known, open): (Vec<u32>, Vec<u32>) = std::mem::take(&mut self.open)
            .into_iter()
            .partition(|p| supports[self.constraint(*p).0 as usize] == Support::Nothing);
        self.open = open;
        for position in known {
            let leaves = self.leaves_below(&[position]);
            let fixed = leaves.iter().filter_map(|leaf| self.fixed.get(leaf).copied());
            let Some(last) = fixed.max() else { continue };
            let leaf = self.steps[last].leaf;
            let Some(value) = self.facts.forget(leaf) else { continue };
            let mut lanes = Lanes::new(self.form, &self.facts, leaf).ok_or(TooMuch)?;
            let left = lanes.left(self.constraint(position), &mut self.work)?;
            if !left.has(value as usize) {
                self.fixed.remove(&leaf);
                let mut positions = self.steps[last].positions.clone();
                positions.push(position);
                self.steps.push(Step { leaf, positions });
                return Ok(true);
            }
            self.facts.fix(leaf, value);
        }
        Ok(false)
    }

    /// The steps that the last one needs, with the facts that they need.
    fn finish(mut self) -> Option<Certificate> {
        let last = self.steps.len().checked_sub(1)?;
        if self.fixed.contains_key(&self.steps[last].leaf) {
            return None;
        }
        let mut needed = vec![false; self.steps.len()];
        needed[last] = true;
        for number in (0..=last).rev() {
            if !needed[number] {
                continue;
            }
            let leaves = self.leaves_below(&self.steps[number].positions);
            for leaf in &leaves {
                if let Some(&step) = self.fixed.get(leaf).filter(|step| **step < number) {
                    needed[step] = true;
                }
            }
            let facts: Vec<u32> = leaves.iter().filter_map(|leaf| self.wide.get(leaf).copied()).collect();
            self.steps[number].positions.extend(facts);
        }
        let mut steps: Vec<Step> = Vec::new();
        for (number, mut step) in self.steps.clone().into_iter().enumerate().filter(|s| needed[s.0]) {
            let cells = self.cells_read(&step, number)?;
            step.positions.extend(cells);
            step.positions.sort_unstable();
            step.positions.dedup();
            // A fact is named once.
            step.positions.retain(|p| {
                let is_new = !steps.iter().any(|s| s.positions.binary_search(p).is_ok());
                is_new || fact(self.form, self.constraint(*p)).is_none()
            });
            steps.push(step);
        }
        Some(Certificate::Values(steps))
    }

    /// The leaves below constraints.
    fn leaves_below(&self, positions: &[u32]) -> Vec<NodeId> {
        let mut seen = FxHashSet::default();
        let mut stack: Vec<NodeId> = positions.iter().map(|p| self.constraint(*p)).collect();
        let mut leaves = Vec::new();
        while let Some(node) = stack.pop() {
            if seen.insert(node) {
                match self.form.node(node) {
                    Node::Leaf => leaves.push(node),
                    _ => stack.extend(self.form.args(node)),
                }
            }
        }
        leaves
    }

    /// The positions of the cells that the constraints of a step read.
    fn cells_read(&mut self, step: &Step, number: usize) -> Option<Vec<u32>> {
        if self.cells.is_empty() {
            return Some(Vec::new());
        }
        // With what was known at the step: values that came later could lead elsewhere.
        let mut facts = Facts::default();
        let constraints = self.form.constraints();
        let all = self.wide.values().chain(self.cells.values());
        all.for_each(|p| _ = facts.learn(self.form, constraints[*p as usize]));
        for earlier in &self.steps[..number] {
            facts.fix_from(&self.facts, earlier.leaf);
        }
        let mut readers = Vec::with_capacity(step.positions.len());
        for &position in &step.positions {
            let mut lanes = Lanes::new(self.form, &facts, step.leaf)?;
            lanes.touched = Some(Vec::new());
            let left = lanes.left(constraints[position as usize], &mut self.work).ok()?;
            readers.push((lanes.touched.take().unwrap_or_default(), left));
        }
        // A cell matters only in a lane that no constraint with fewer cells removes.
        readers.sort_by_key(|(touched, _)| touched.len());
        let mut cells = Vec::new();
        let mut all = Lanes::new(self.form, &facts, step.leaf)?.all();
        for (touched, left) in readers {
            let matters = |lane: Option<usize>| lane.is_none_or(|lane| all.has(lane) && !left.has(lane));
            let read = touched.iter().filter(|t| matters(t.lane));
            cells.extend(read.filter_map(|t| self.cells.get(&(t.array, t.index)).copied()));
            all.meet(&left);
        }
        Some(cells)
    }
}

/// Few of the constraints that leave no more than `count` values: always the one that removes most, then
/// those that turn out to be needless are dropped.
fn choose(all: Left, lefts: &[(u32, Left)], count: usize) -> Vec<u32> {
    let mut chosen: Vec<&(u32, Left)> = Vec::new();
    let mut left = all.clone();
    while left.count() > count {
        let Some(best) = lefts.iter().max_by_key(|(_, other)| left.removed_by(other)) else { break };
        left.meet(&best.1);
        chosen.push(best);
    }
    for at in (0..chosen.len()).rev() {
        let mut without = all.clone();
        for (i, other) in chosen.iter().enumerate() {
            if i != at {
                without.meet(&other.1);
            }
        }
        if without.count() == count {
            chosen.remove(at);
        }
    }
    let mut positions: Vec<u32> = chosen.iter().map(|c| c.0).collect();
    positions.sort_unstable();
    positions
}
