//! GreenTrie's L-Trie as the paper prints it: its normal form, rules, reduction, storing and algorithms
//! [Jia ISSTA'15]. For the strict technique `greentrie`; [`crate::LTrie`] is our own index.
//!
//! What differs from the paper cannot be seen from outside. The implication partial order graph is a list of
//! labels per prefix: only labels with one prefix are related, so IS and RIS are those labels of the list for
//! which a rule holds. Sub-constraints are sorted by their text, as in the paper.
//!
//! What follows from the paper and surprises: Algorithm 1 walks from the rightmost sub-constraint towards the
//! root and takes the query's sub-constraints in their order, so it misses some logical supersets of
//! Definition 1. With `v0-3>=0, v0-5<=0` in the trie, `v0-20<=0, v0-3>=0` is not found: as texts the upper
//! bounds 20 and 5 stand on different sides of the lower bound. Algorithm 2 finds every logical subset.

use crate::atom::Op;
use crate::index::Payload;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// An atomic sub-constraint: `P + n op 0`, with P the non-constant prefix as text.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Atomic {
    text: String,
    prefix: String,
    /// The constant beside the prefix.
    pub constant: i64,
    /// The comparison with zero; [`Op::Holds`] for a constraint that is none, which the prefix is then.
    pub op: Op,
}

impl Atomic {
    /// A sub-constraint. What is no linear comparison ([`Op::Holds`]) is its text alone: it implies itself,
    /// by R1.
    pub fn new(prefix: &str, constant: i64, op: Op) -> Atomic {
        let operator = match op {
            Op::Le => "<=0",
            Op::Ge => ">=0",
            Op::Eq => "=0",
            Op::Ne => "!=0",
            Op::Holds => "",
        };
        let number = if constant == 0 { String::new() } else { format!("{constant:+}") };
        let text = format!("{prefix}{number}{operator}");
        Atomic { text, prefix: prefix.to_string(), constant, op }
    }

    /// As the paper writes it, such as `v0+v1-3<=0`; sub-constraints are sorted by it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The non-constant prefix.
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// Whether it implies another one by the rules R1 to R8.
    pub fn implies(&self, other: &Atomic) -> bool {
        let (n, m) = (self.constant, other.constant);
        self.prefix == other.prefix
            && match (self.op, other.op) {
                (a, b) if a == b && n == m => true, // R1
                (Op::Eq, Op::Ne) => n != m,         // R2
                (Op::Eq, Op::Le) => n >= m,         // R3
                (Op::Eq, Op::Ge) => n <= m,         // R4
                (Op::Le, Op::Ne) => n > m,          // R5
                (Op::Le, Op::Le) => n > m,          // R6
                (Op::Ge, Op::Ne) => n < m,          // R7
                (Op::Ge, Op::Ge) => n < m,          // R8
                _ => false,
            }
    }
}

/// A sub-constraint that reduction left, with the places of those that it was made of.
pub type Sourced = (Atomic, Vec<u32>);

/// Merges the sub-constraints of each prefix into an interval with exceptional points [section 4]; or the
/// places of those that conflict. The result is sorted by text.
///
/// # Errors
/// The interval of a prefix is empty: these sub-constraints contradict each other.
pub fn reduce_as_printed(set: &[Atomic]) -> Result<Vec<Sourced>, Vec<u32>> {
    let mut groups: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for (place, atomic) in set.iter().enumerate() {
        groups.entry(&atomic.prefix).or_default().push(place as u32);
    }
    let mut reduced: Vec<Sourced> = Vec::new();
    for (prefix, places) in groups {
        if set[places[0] as usize].op == Op::Holds {
            reduced.push((set[places[0] as usize].clone(), places));
            continue;
        }
        let atomics = places.iter().map(|&place| &set[place as usize]);
        let (low, high, points) = interval(atomics).ok_or(places.clone())?;
        // The value v of the prefix is the constant -v beside it.
        let mut put = |value: i128, op: Op| {
            // Tightening may leave the machine's numbers; then the group stays as it is.
            let constant = i64::try_from(-value).ok()?;
            reduced.push((Atomic::new(prefix, constant, op), places.clone()));
            Some(())
        };
        let before = match (low, high) {
            (Some(low), Some(high)) if low == high => put(low, Op::Eq),
            _ => {
                let bounds = [(low, Op::Ge), (high, Op::Le)];
                let bounds = bounds.into_iter().filter_map(|(end, op)| Some((end?, op)));
                bounds.chain(points.into_iter().map(|p| (p, Op::Ne))).try_for_each(|(v, op)| put(v, op))
            }
        };
        if before.is_none() {
            reduced.retain(|(atomic, _)| atomic.prefix != prefix);
            reduced.extend(places.iter().map(|&place| (set[place as usize].clone(), vec![place])));
        }
    }
    reduced.sort_by(|a, b| a.0.text.cmp(&b.0.text));
    Ok(reduced)
}

/// The values that sub-constraints leave to their prefix: the ends, and the exceptional points between them.
/// `None` if there are none.
#[allow(clippy::type_complexity)]
fn interval<'a>(
    set: impl Iterator<Item = &'a Atomic>,
) -> Option<(Option<i128>, Option<i128>, BTreeSet<i128>)> {
    let (mut low, mut high, mut points) = (None::<i128>, None::<i128>, BTreeSet::new());
    for atomic in set {
        let value = -i128::from(atomic.constant);
        if matches!(atomic.op, Op::Ge | Op::Eq) {
            low = Some(low.map_or(value, |low| low.max(value)));
        }
        if matches!(atomic.op, Op::Le | Op::Eq) {
            high = Some(high.map_or(value, |high| high.min(value)));
        }
        if atomic.op == Op::Ne {
            points.insert(value);
        }
    }
    points.retain(|p| low.is_none_or(|low| *p >= low) && high.is_none_or(|high| *p <= high));
    while let Some(end) = low.filter(|low| points.remove(low)) {
        low = Some(end + 1);
    }
    while let Some(end) = high.filter(|high| points.remove(high)) {
        high = Some(end - 1);
    }
    let is_empty = matches!((low, high), (Some(low), Some(high)) if low > high);
    (!is_empty).then_some((low, high, points))
}

const ROOT: usize = 0;

#[derive(Default)]
struct Node {
    /// The label of the edge that leads here, and the node before it; of the root neither means anything.
    label: usize,
    parent: usize,
    children: BTreeMap<usize, usize>,
    solution: Option<Payload>,
}

/// One constraint store of the paper: a trie and the logical index of its labels.
struct Trie {
    nodes: Vec<Node>,
    labels: Vec<Atomic>,
    numbers: HashMap<String, usize>,
    /// The labels of each prefix.
    by_prefix: HashMap<String, Vec<usize>>,
    /// The nodes that each label leads to.
    places: Vec<Vec<usize>>,
}

impl Default for Trie {
    fn default() -> Trie {
        Trie {
            nodes: vec![Node::default()],
            labels: Vec::new(),
            numbers: HashMap::new(),
            by_prefix: HashMap::new(),
            places: Vec::new(),
        }
    }
}

impl Trie {
    fn intern(&mut self, atomic: &Atomic) -> usize {
        if let Some(&number) = self.numbers.get(&atomic.text) {
            return number;
        }
        let number = self.labels.len();
        self.labels.push(atomic.clone());
        self.places.push(Vec::new());
        self.numbers.insert(atomic.text.clone(), number);
        self.by_prefix.entry(atomic.prefix.clone()).or_default().push(number);
        number
    }

    /// The labels that occur in the trie and have a prefix.
    fn labels_of(&self, prefix: &str) -> impl Iterator<Item = usize> {
        let all = self.by_prefix.get(prefix).map_or(&[][..], Vec::as_slice);
        all.iter().copied().filter(|&label| !self.places[label].is_empty())
    }

    fn is_leaf(&self, node: usize) -> bool {
        self.nodes[node].children.is_empty()
    }

    /// The node of the longest path that a sorted set begins with, and how many it has in common.
    fn walk(&self, labels: &[usize]) -> (usize, usize) {
        let mut at = ROOT;
        for (met, label) in labels.iter().enumerate() {
            match self.nodes[at].children.get(label) {
                Some(&next) => at = next,
                None => return (at, met),
            }
        }
        (at, labels.len())
    }

    fn append(&mut self, mut at: usize, labels: &[usize], solution: Payload) {
        for &label in labels {
            let new = self.nodes.len();
            self.nodes.push(Node { label, parent: at, ..Node::default() });
            self.nodes[at].children.insert(label, new);
            self.places[label].push(new);
            at = new;
        }
        self.nodes[at].solution = Some(solution);
    }

    /// Stores a satisfiable set: of two of which one begins with the other the longer one is kept.
    fn store_sat(&mut self, labels: &[usize], solution: Payload) {
        let (at, met) = self.walk(labels);
        if met < labels.len() {
            self.nodes[at].solution = None;
            self.append(at, &labels[met..], solution);
        }
    }

    /// Stores an unsatisfiable set: of two of which one begins with the other the shorter one is kept.
    fn store_unsat(&mut self, labels: &[usize]) {
        let (at, met) = self.walk(labels);
        if met == labels.len() {
            let mut below: Vec<usize> = std::mem::take(&mut self.nodes[at].children).into_values().collect();
            while let Some(node) = below.pop() {
                self.places[self.nodes[node].label].retain(|&place| place != node);
                below.extend(std::mem::take(&mut self.nodes[node].children).into_values());
            }
        } else if at == ROOT || !self.is_leaf(at) {
            self.append(at, &labels[met..], Payload::from(&[][..]));
        }
    }

    /// Algorithm 1: the solution of a stored logical superset of a sorted set.
    fn superset(&self, set: &[&Atomic]) -> Option<&Payload> {
        let mut sets: Vec<HashSet<usize>> = Vec::with_capacity(set.len());
        for c in set {
            let reverse = self.labels_of(&c.prefix).filter(|&label| self.labels[label].implies(c));
            sets.push(reverse.collect());
            if sets.last().is_some_and(HashSet::is_empty) {
                return None;
            }
        }
        // In the order of the texts, so that the same solution is found in every run.
        let mut rightmost: Vec<usize> = sets.last()?.iter().copied().collect();
        rightmost.sort_by(|&a, &b| self.labels[a].text.cmp(&self.labels[b].text));
        let nodes = rightmost.iter().flat_map(|&label| self.places[label].iter().copied());
        let mut found = nodes.filter(|&node| self.is_superset(node, &sets));
        found.next().map(|node| self.solution_below(node))
    }

    fn is_superset(&self, node: usize, sets: &[HashSet<usize>]) -> bool {
        let (mut at, mut open) = (node, sets.len());
        while at != ROOT {
            while sets[open - 1].contains(&self.nodes[at].label) {
                open -= 1;
                if open == 0 {
                    return true;
                }
            }
            at = self.nodes[at].parent;
        }
        false
    }

    /// A solution of any set that goes through a node satisfies what leads to it.
    fn solution_below(&self, mut node: usize) -> &Payload {
        while let Some(&next) = self.nodes[node].children.values().next() {
            node = next;
        }
        self.nodes[node].solution.as_ref().expect("a set ends at every leaf")
    }

    /// Algorithm 2: the labels of a stored logical subset of a set.
    fn subset(&self, set: &[&Atomic]) -> Option<Vec<usize>> {
        let mut implied: HashSet<usize> = HashSet::new();
        for c in set {
            implied.extend(self.labels_of(&c.prefix).filter(|&label| c.implies(&self.labels[label])));
        }
        if implied.is_empty() {
            return None;
        }
        let mut path = Vec::new();
        self.has_subset(ROOT, &implied, &mut path).then_some(path)
    }

    fn has_subset(&self, node: usize, implied: &HashSet<usize>, path: &mut Vec<usize>) -> bool {
        if self.is_leaf(node) {
            return true;
        }
        for (&label, &next) in &self.nodes[node].children {
            if implied.contains(&label) {
                path.push(label);
                if self.has_subset(next, implied, path) {
                    return true;
                }
                path.pop();
            }
        }
        false
    }
}

/// The L-Trie of the paper: one store for satisfiable sets (SCS), one for unsatisfiable ones (UCS).
#[derive(Default)]
pub struct PaperTrie {
    sat: Trie,
    unsat: Trie,
}

/// The texts of a set in their order.
fn sorted(set: &[Atomic]) -> Vec<&Atomic> {
    let mut sorted: Vec<&Atomic> = set.iter().collect();
    sorted.sort_by(|a, b| a.text.cmp(&b.text));
    sorted.dedup();
    sorted
}

impl PaperTrie {
    /// Stores a satisfiable set with its solution.
    pub fn insert_sat(&mut self, set: &[Atomic], solution: Payload) {
        let labels: Vec<usize> = sorted(set).into_iter().map(|a| self.sat.intern(a)).collect();
        self.sat.store_sat(&labels, solution);
    }

    /// Stores an unsatisfiable set.
    pub fn insert_unsat(&mut self, set: &[Atomic]) {
        let labels: Vec<usize> = sorted(set).into_iter().map(|a| self.unsat.intern(a)).collect();
        if !labels.is_empty() {
            self.unsat.store_unsat(&labels);
        }
    }

    /// The solution of a stored set that Algorithm 1 finds to be a logical superset.
    pub fn find_sat(&self, set: &[Atomic]) -> Option<Payload> {
        self.sat.superset(&sorted(set)).cloned()
    }

    /// The places of the sub-constraints that imply a stored unsatisfiable set, which Algorithm 2 finds to be
    /// a logical subset.
    pub fn find_unsat(&self, set: &[Atomic]) -> Option<Vec<u32>> {
        let path = self.unsat.subset(&sorted(set))?;
        let place = |label: &usize| set.iter().position(|c| c.implies(&self.unsat.labels[*label]));
        let mut places: Vec<u32> = path.iter().filter_map(place).map(|place| place as u32).collect();
        places.sort_unstable();
        places.dedup();
        Some(places)
    }

    /// How many sets each store holds: satisfiable ones, unsatisfiable ones.
    pub fn sets(&self) -> (usize, usize) {
        let count = |trie: &Trie| {
            let is_set = |node: &usize| *node != ROOT && trie.is_leaf(*node);
            trie.places.iter().flatten().filter(|node| is_set(node)).count()
        };
        (count(&self.sat), count(&self.unsat))
    }
}
