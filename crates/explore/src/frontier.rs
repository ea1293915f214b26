//! Open states and their order.
//!
//! Depth first is a stack, breadth first a queue, random a bag. Coverage-guided order takes a state whose
//! last arm was taken least often so far, of those the one that waits longest; the counts change while states
//! wait, so states are kept by arm and the arms in an order that is corrected whenever an arm is taken: O(log
//! arms) each. The most likely first is an ordered map.

use crate::coverage::{Key, Map};
use crate::{Random, Site};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Which open state is explored next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// The newest, and of its arms the first: the order of the papers.
    #[default]
    DepthFirst,
    /// The oldest.
    BreadthFirst,
    /// Any, by a generator with this seed.
    Random(u64),
    /// One whose arm was taken least often.
    Coverage,
    /// The most likely, as the oracle ranks them; of those the newest.
    Likely,
}

/// The open states and their order.
pub(crate) enum Frontier<T> {
    Stack(Vec<T>),
    Queue(VecDeque<T>),
    Bag(Vec<T>, Random),
    Least(Least<T>),
    Likely(BTreeMap<(u64, u64), T>, u64),
}

impl<T> Frontier<T> {
    pub(crate) fn new(order: Order) -> Frontier<T> {
        match order {
            Order::DepthFirst => Frontier::Stack(Vec::new()),
            Order::BreadthFirst => Frontier::Queue(VecDeque::new()),
            Order::Random(seed) => Frontier::Bag(Vec::new(), Random::new(seed)),
            Order::Coverage => Frontier::Least(Least::new()),
            Order::Likely => Frontier::Likely(BTreeMap::new(), 0),
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Frontier::Stack(all) | Frontier::Bag(all, _) => all.len(),
            Frontier::Queue(all) => all.len(),
            Frontier::Least(all) => all.len,
            Frontier::Likely(all, _) => all.len(),
        }
    }

    /// All of them, in no order that matters.
    pub(crate) fn iter(&self) -> Box<dyn Iterator<Item = &T> + '_> {
        match self {
            Frontier::Stack(all) | Frontier::Bag(all, _) => Box::new(all.iter()),
            Frontier::Queue(all) => Box::new(all.iter()),
            Frontier::Least(all) => Box::new(all.shelves.values().flat_map(|shelf| shelf.states.iter())),
            Frontier::Likely(all, _) => Box::new(all.values()),
        }
    }

    /// Adds the arms of one branch, in the machine's order; `arm` names the arm that a state has just taken,
    /// `rank` says how likely it is.
    pub(crate) fn add(
        &mut self,
        children: &mut Vec<T>,
        arm: impl Fn(&T) -> Key,
        mut rank: impl FnMut(&T) -> u64,
    ) {
        match self {
            Frontier::Stack(all) => all.extend(children.drain(..).rev()),
            Frontier::Queue(all) => all.extend(children.drain(..)),
            Frontier::Bag(all, _) => all.append(children),
            Frontier::Least(all) => children.drain(..).for_each(|child| all.add(arm(&child), child)),
            Frontier::Likely(all, added) => {
                // Of equally likely ones the newest is next, and of its arms the first: as depth first.
                for child in children.drain(..).rev() {
                    *added += 1;
                    all.insert((rank(&child), *added), child);
                }
            }
        }
    }

    pub(crate) fn next(&mut self) -> Option<T> {
        match self {
            Frontier::Stack(all) => all.pop(),
            Frontier::Queue(all) => all.pop_front(),
            Frontier::Bag(all, _) if all.is_empty() => None,
            Frontier::Bag(all, random) => {
                let at = random.below(all.len());
                Some(all.swap_remove(at))
            }
            Frontier::Least(all) => all.next(),
            Frontier::Likely(all, _) => all.pop_last().map(|(_, state)| state),
        }
    }

    /// Takes the shallowest state out; of equally shallow ones the last in the order of
    /// paths, where there is one.
    pub(crate) fn take_shallowest(
        &mut self,
        depth: impl Fn(&T) -> usize,
        arm: impl Fn(&T) -> Key,
    ) -> Option<T> {
        let mut all = match self {
            // On a stack, a state is never deeper than the one above it.
            Frontier::Stack(all) if all.is_empty() => return None,
            Frontier::Stack(all) => return Some(all.remove(0)),
            Frontier::Queue(all) => return all.pop_front(),
            Frontier::Bag(all, _) => std::mem::take(all),
            Frontier::Least(all) => std::iter::from_fn(|| all.next()).collect(),
            Frontier::Likely(all, _) => {
                let key = all.iter().min_by_key(|(_, open)| depth(open)).map(|(key, _)| *key)?;
                return all.remove(&key);
            }
        };
        let at = (0..all.len()).min_by_key(|&at| depth(&all[at]))?;
        let taken = all.remove(at);
        self.add(&mut all, arm, |_| 0);
        Some(taken)
    }

    /// An arm was taken.
    pub(crate) fn taken(&mut self, arm: Key) {
        if let Frontier::Least(all) = self {
            all.taken(arm);
        }
    }
}

/// States by the arm that they have taken last, the least taken arm first.
pub(crate) struct Least<T> {
    shelves: Map<Shelf<T>>,
    /// Shelves that are not empty: how often their arm was taken, then which has been there longest.
    order: BTreeSet<(u64, usize, Site, u32)>,
    len: usize,
}

struct Shelf<T> {
    taken: u64,
    since: usize,
    states: VecDeque<T>,
}

impl<T> Least<T> {
    fn new() -> Least<T> {
        Least { shelves: Map::default(), order: BTreeSet::new(), len: 0 }
    }

    fn shelf(&mut self, arm: Key) -> &mut Shelf<T> {
        let since = self.shelves.len();
        self.shelves.entry(arm).or_insert_with(|| Shelf { taken: 0, since, states: VecDeque::new() })
    }

    fn add(&mut self, arm: Key, state: T) {
        self.len += 1;
        let shelf = self.shelf(arm);
        shelf.states.push_back(state);
        let place = (shelf.taken, shelf.since, arm.0, arm.1);
        self.order.insert(place);
    }

    fn next(&mut self) -> Option<T> {
        let &place = self.order.first()?;
        let shelf = self.shelves.get_mut(&(place.2, place.3))?;
        let state = shelf.states.pop_front()?;
        if shelf.states.is_empty() {
            self.order.remove(&place);
        }
        self.len -= 1;
        Some(state)
    }

    fn taken(&mut self, arm: Key) {
        let shelf = self.shelf(arm);
        let old = (shelf.taken, shelf.since, arm.0, arm.1);
        shelf.taken += 1;
        let new = (shelf.taken, shelf.since, arm.0, arm.1);
        if self.order.remove(&old) {
            self.order.insert(new);
        }
    }
}
