//! What is known of the beginnings of paths: the tree of their conditions, with a probability at every node.
//!
//! A node's condition falls into parts that share no inputs; its probability is the product of theirs, and a
//! child has one part that is new: the newest constraint with the parts that it touches. That part is counted
//! at one arm of a branch only: `P(parts and not c) = P(parts) - P(parts and c)`, where the first is known
//! from the node above [Visser FSE'12, 3]. Of `=` and `!=` the equality is counted. A part that was met
//! before, on another path or below another node, is not counted again; nor, through the store, is one that
//! was counted in another run.

use super::mass::Mass;
use super::part::Counter;
use super::profile::Region;
use evergreen::{CountStats, Event, Evergreen};
use evergreen_count::Ratio;
use evergreen_explore::Path;
use evergreen_symbolic::{Cond, Exprs, Input};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// How probabilities were found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MassCounts {
    /// Parts that were counted.
    pub counted: u64,
    /// Parts whose number followed from the other arm of their branch.
    pub by_complement: u64,
    /// Parts that were met before.
    pub known: u64,
    /// Parts of which every value was tried, because they are not linear.
    pub tried: u64,
    /// Parts of which only bounds are known.
    pub bounded: u64,
}

/// Constraints that share inputs with no others of a path.
struct Part {
    conditions: Vec<Cond>,
    inputs: Vec<Input>,
    mass: Mass,
}

struct Node {
    parts: Vec<Rc<Part>>,
    mass: Mass,
}

/// A region of the profile: where its tree begins.
struct Root {
    weight: Ratio,
    condition: Cond,
    node: u32,
}

/// Computes the probabilities of paths.
pub struct Masses {
    counter: Counter,
    nodes: Vec<Node>,
    children: FxHashMap<(u32, Cond), u32>,
    known: FxHashMap<Box<[Cond]>, Mass>,
    roots: Vec<Root>,
    /// The probability of what is assumed.
    given: Mass,
    did: MassCounts,
    time: Duration,
    /// Whether both arms are counted, also where that is known.
    pub every_arm: bool,
}

impl Masses {
    /// Counts through this.
    pub fn new(evergreen: Evergreen) -> Masses {
        Masses {
            counter: Counter::new(evergreen),
            nodes: Vec::new(),
            children: FxHashMap::default(),
            known: FxHashMap::default(),
            roots: Vec::new(),
            given: Mass::one(),
            did: MassCounts::default(),
            time: Duration::ZERO,
            every_arm: false,
        }
    }

    /// Begins with another method: its profile's regions (none: uniform), and what is assumed of its inputs.
    pub fn begin(&mut self, exprs: &Exprs, regions: &[Region], assumed: &[Cond]) {
        self.nodes.clear();
        self.children.clear();
        self.roots.clear();
        self.given = Mass::one();
        if self.every_arm {
            self.known.clear();
        }
        self.counter.refill();
        self.nodes.push(Node { parts: Vec::new(), mass: Mass::one() });
        for region in regions {
            let node = self.child(exprs, 0, region.condition);
            self.roots.push(Root { weight: region.weight.clone(), condition: region.condition, node });
        }
        if regions.is_empty() {
            self.roots.push(Root { weight: Ratio::one(), condition: Cond::TRUE, node: 0 });
        }
        self.given = self.of(exprs, assumed);
    }

    /// How probabilities were found.
    pub fn did(&self) -> MassCounts {
        self.did
    }

    /// The counters of the counts themselves.
    pub fn stats(&self) -> &CountStats {
        &self.counter.evergreen().stats().counts
    }

    /// The time that counting took.
    pub fn time(&self) -> Duration {
        self.time
    }

    /// The events of counts so far, if the instance keeps them.
    pub fn take_events(&mut self) -> Vec<Event> {
        self.counter.take_events()
    }

    /// Makes counts durable.
    pub fn flush(&self) -> Result<(), evergreen::Error> {
        self.counter.evergreen().flush()
    }

    /// The conditions of the profile's regions.
    pub(crate) fn regions(&self) -> impl Iterator<Item = Cond> {
        self.roots.iter().map(|root| root.condition)
    }

    /// The probability of what is assumed.
    pub fn assumed(&self) -> &Mass {
        &self.given
    }

    /// The probability of conditions, under the uniform distribution.
    pub fn uniform(&mut self, exprs: &Exprs, conditions: &[Cond]) -> Mass {
        let node = self.walk(exprs, 0, conditions);
        self.nodes[node as usize].mass.clone()
    }

    /// The probability of the inputs that take a path, given what is assumed; the path has what is assumed in
    /// it.
    pub fn of(&mut self, exprs: &Exprs, conditions: &[Cond]) -> Mass {
        let roots: Vec<u32> = self.roots.iter().map(|root| root.node).collect();
        let nodes: Vec<u32> = roots.into_iter().map(|root| self.walk(exprs, root, conditions)).collect();
        self.mixed(&nodes)
    }

    /// The same, of a path and all its beginnings, the shortest first: after no condition, after the first,
    /// and so on.
    pub fn along(&mut self, exprs: &Exprs, conditions: &[Cond]) -> Vec<Mass> {
        let mut nodes: Vec<u32> = self.roots.iter().map(|root| root.node).collect();
        let mut all = vec![self.mixed(&nodes)];
        for &condition in conditions {
            nodes.iter_mut().for_each(|node| *node = self.child(exprs, *node, condition));
            all.push(self.mixed(&nodes));
        }
        all
    }

    /// The probability of what has a node in the tree of each region.
    fn mixed(&self, nodes: &[u32]) -> Mass {
        let mass = |node: u32| &self.nodes[node as usize].mass;
        let mut sum = Mass::zero();
        for (root, &node) in self.roots.iter().zip(nodes) {
            let weight = Mass::exact(root.weight.clone());
            sum = sum.plus(&weight.times(&mass(node).given(mass(root.node))));
        }
        if self.given == Mass::one() { sum } else { sum.given(&self.given) }
    }

    /// A number that is larger for a more likely path.
    pub fn rank(&mut self, exprs: &Exprs, path: &Path<Cond>) -> u64 {
        self.of(exprs, &path.constraints()).most.rank()
    }

    /// Of the inputs that take a path, how many values one input has, region by region with the share of
    /// each; `None` unless it is independent of all others there.
    pub(crate) fn alone(
        &mut self,
        exprs: &Exprs,
        conditions: &[Cond],
        input: Input,
    ) -> Option<Vec<(Ratio, Ratio)>> {
        let size = super::part::size(exprs, &[input]);
        let mut all = Vec::new();
        for at in 0..self.roots.len() {
            let (root, weight) = (self.roots[at].node, self.roots[at].weight.clone());
            let node = self.walk(exprs, root, conditions);
            let share = self.nodes[node as usize].mass.given(&self.nodes[root as usize].mass);
            let whole = weight.times(share.as_exact()?).over(self.given.as_exact()?)?;
            if whole.is_zero() {
                continue;
            }
            let part = self.nodes[node as usize].parts.iter().find(|part| part.inputs.contains(&input));
            let values = match part {
                None => Ratio::new(size.clone(), 1u32.into())?,
                Some(part) if part.inputs == [input] => {
                    part.mass.as_exact()?.times(&Ratio::new(size.clone(), 1u32.into())?)
                }
                Some(_) => return None,
            };
            all.push((whole, values));
        }
        Some(all)
    }

    fn walk(&mut self, exprs: &Exprs, from: u32, conditions: &[Cond]) -> u32 {
        conditions.iter().fold(from, |node, &condition| self.child(exprs, node, condition))
    }

    fn child(&mut self, exprs: &Exprs, node: u32, condition: Cond) -> u32 {
        if condition == Cond::TRUE {
            return node;
        }
        if let Some(&child) = self.children.get(&(node, condition)) {
            return child;
        }
        let above = &self.nodes[node as usize];
        let own = exprs.inputs_of(condition);
        let touches = |part: &&Rc<Part>| part.inputs.iter().any(|input| own.contains(input));
        let (touched, others): (Vec<_>, Vec<_>) = above.parts.iter().cloned().partition(|p| touches(&p));
        let made = if above.mass.is_zero() || condition == Cond::FALSE {
            Node { parts: Vec::new(), mass: Mass::zero() }
        } else {
            let new = self.part(exprs, &touched, condition);
            let mass = others.iter().fold(new.mass.clone(), |product, part| product.times(&part.mass));
            Node { parts: others.into_iter().chain([Rc::new(new)]).collect(), mass }
        };
        let child = self.nodes.len() as u32;
        self.nodes.push(made);
        self.children.insert((node, condition), child);
        child
    }

    /// The parts that a constraint touches, and the constraint.
    fn part(&mut self, exprs: &Exprs, touched: &[Rc<Part>], condition: Cond) -> Part {
        let whole = touched.iter().fold(Mass::one(), |product, part| product.times(&part.mass));
        let mut inputs: Vec<Input> = exprs.inputs_of(condition).to_vec();
        inputs.extend(touched.iter().flat_map(|part| &part.inputs));
        inputs.sort_unstable();
        inputs.dedup();
        let mut conditions: Vec<Cond> =
            touched.iter().flat_map(|part| part.conditions.iter().copied()).collect();
        let opposite = condition.negated();
        if self.every_arm {
            // Both arms are counted when the first is met.
            let mass = match self.known.remove(&key(&conditions, condition)) {
                Some(mass) => mass,
                None => {
                    let mass = self.counted(exprs, &conditions, condition, &inputs, &whole);
                    let other = self.counted(exprs, &conditions, opposite, &inputs, &whole);
                    self.known.insert(key(&conditions, opposite), other);
                    mass
                }
            };
            conditions.push(condition);
            return Part { conditions, inputs, mass };
        }
        let known = self.known.get(&key(&conditions, condition)).cloned();
        let sibling = self.known.get(&key(&conditions, opposite)).cloned();
        let mass = match (known, sibling) {
            (Some(known), _) => {
                self.did.known += 1;
                known
            }
            (None, Some(sibling)) if sibling.is_exact() && whole.is_exact() => {
                self.did.by_complement += 1;
                whole.minus(&sibling)
            }
            (None, None) if exprs.is_disequality(condition) && whole.is_exact() => {
                let equal = self.counted(exprs, &conditions, opposite, &inputs, &whole);
                self.known.insert(key(&conditions, opposite), equal.clone());
                match equal.is_exact() {
                    true => {
                        self.did.by_complement += 1;
                        whole.minus(&equal)
                    }
                    false => self.counted(exprs, &conditions, condition, &inputs, &whole),
                }
            }
            (None, sibling) => {
                let own = self.counted(exprs, &conditions, condition, &inputs, &whole);
                // Bounds of one arm bound the other.
                sibling.map_or(own.clone(), |sibling| own.meet(&whole.minus(&sibling)))
            }
        };
        self.known.insert(key(&conditions, condition), mass.clone());
        conditions.push(condition);
        Part { conditions, inputs, mass }
    }

    fn counted(
        &mut self,
        exprs: &Exprs,
        path: &[Cond],
        condition: Cond,
        inputs: &[Input],
        whole: &Mass,
    ) -> Mass {
        let all: Vec<Cond> = path.iter().copied().chain([condition]).collect();
        let start = Instant::now();
        let mass = self.counter.mass(exprs, &all, inputs, whole, &mut self.did);
        self.time += start.elapsed();
        mass
    }
}

/// The constraints of a part, whatever their order.
fn key(path: &[Cond], condition: Cond) -> Box<[Cond]> {
    let mut all: Vec<Cond> = path.iter().copied().chain([condition]).collect();
    all.sort_unstable();
    all.dedup();
    all.into()
}
