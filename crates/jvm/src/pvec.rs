//! A persistent vector: cloning is one reference count, reading and writing cost the depth of a wide tree.
//!
//! A radix tree of 32 children a node, as in Clojure's vectors [Bagwell LAMP'01], with one difference: writes
//! happen in place wherever no other vector holds the node. So a state that never forked pays no copies at
//! all, and one that just forked copies the few nodes on the way to an element (three for 32,768 elements).
//! Elements are only added at the end.

use std::rc::Rc;

const BITS: u32 = 5;
const WIDTH: usize = 1 << BITS;
const MASK: usize = WIDTH - 1;

enum Node<T> {
    Inner(Vec<Rc<Node<T>>>),
    Leaf(Vec<T>),
}

impl<T: Clone> Clone for Node<T> {
    fn clone(&self) -> Node<T> {
        match self {
            Node::Inner(children) => Node::Inner(with_room(children)),
            Node::Leaf(items) => Node::Leaf(with_room(items)),
        }
    }
}

// A copied node is about to be written and may grow: room for all it can hold.
fn with_room<T: Clone>(items: &[T]) -> Vec<T> {
    let mut copy = Vec::with_capacity(WIDTH);
    copy.extend_from_slice(items);
    copy
}

/// A persistent vector. See the head of this file.
pub struct PVec<T> {
    root: Rc<Node<T>>,
    len: usize,
    /// Bits of the index that the levels below the root use.
    shift: u32,
}

impl<T> Clone for PVec<T> {
    fn clone(&self) -> PVec<T> {
        PVec { root: self.root.clone(), len: self.len, shift: self.shift }
    }
}

impl<T: Clone> Default for PVec<T> {
    fn default() -> PVec<T> {
        PVec::new()
    }
}

impl<T: Clone> PVec<T> {
    /// The empty vector.
    pub fn new() -> PVec<T> {
        PVec { root: Rc::new(Node::Leaf(Vec::new())), len: 0, shift: 0 }
    }

    /// How many elements there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The element at `index`, if there is one.
    #[inline]
    pub fn get(&self, index: usize) -> Option<&T> {
        if index >= self.len {
            return None;
        }
        let mut node = &*self.root;
        let mut shift = self.shift;
        loop {
            match node {
                Node::Inner(children) => {
                    node = &children[(index >> shift) & MASK];
                    shift = shift.wrapping_sub(BITS);
                }
                Node::Leaf(items) => return items.get(index & MASK),
            }
        }
    }

    /// The element at `index`, to be written; copies what other vectors share of the way to it.
    #[inline]
    pub fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        if index >= self.len {
            return None;
        }
        let mut node = Rc::make_mut(&mut self.root);
        let mut shift = self.shift;
        loop {
            match node {
                Node::Inner(children) => {
                    node = Rc::make_mut(&mut children[(index >> shift) & MASK]);
                    shift = shift.wrapping_sub(BITS);
                }
                Node::Leaf(items) => return items.get_mut(index & MASK),
            }
        }
    }

    /// Writes the element at `index`; an index out of range is ignored and answered with `false`.
    pub fn set(&mut self, index: usize, value: T) -> bool {
        match self.get_mut(index) {
            Some(place) => {
                *place = value;
                true
            }
            None => false,
        }
    }

    /// Adds an element at the end; its index.
    pub fn push(&mut self, value: T) -> usize {
        let index = self.len;
        if index == WIDTH << self.shift {
            let old = std::mem::replace(&mut self.root, Rc::new(Node::Leaf(Vec::new())));
            let mut children = Vec::with_capacity(WIDTH);
            children.push(old);
            self.root = Rc::new(Node::Inner(children));
            self.shift += BITS;
        }
        let mut node = Rc::make_mut(&mut self.root);
        let mut shift = self.shift;
        while let Node::Inner(children) = node {
            let child = (index >> shift) & MASK;
            shift -= BITS;
            if child == children.len() {
                let fresh = if shift == 0 {
                    Node::Leaf(Vec::with_capacity(WIDTH))
                } else {
                    Node::Inner(Vec::with_capacity(WIDTH))
                };
                children.push(Rc::new(fresh));
            }
            node = Rc::make_mut(&mut children[child]);
        }
        if let Node::Leaf(items) = node {
            items.push(value);
        }
        self.len += 1;
        index
    }

    /// Adds elements at the end.
    pub fn extend(&mut self, values: impl IntoIterator<Item = T>) {
        for value in values {
            self.push(value);
        }
    }

    /// Grows to at least `len` elements, the new ones being `value`.
    pub fn grow(&mut self, len: usize, value: T) {
        while self.len < len {
            self.push(value.clone());
        }
    }

    /// Where another vector may have other elements: everywhere but in the parts that both share in memory,
    /// and where only one of them has elements.
    pub fn different(&self, other: &PVec<T>) -> Vec<usize> {
        let (shorter, longer) = (self.len.min(other.len), self.len.max(other.len));
        let mut all = Vec::new();
        if self.shift == other.shift {
            different_below(&self.root, &other.root, self.shift, 0, &mut all);
            all.retain(|index| *index < shorter);
        } else {
            all.extend(0..shorter);
        }
        all.extend(shorter..longer);
        all
    }

    /// The elements in order.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        (0..self.len).filter_map(|index| self.get(index))
    }
}

fn different_below<T>(a: &Rc<Node<T>>, b: &Rc<Node<T>>, shift: u32, first: usize, all: &mut Vec<usize>) {
    if Rc::ptr_eq(a, b) {
        return;
    }
    match (&**a, &**b) {
        (Node::Inner(a), Node::Inner(b)) => {
            for (at, (a, b)) in a.iter().zip(b).enumerate() {
                different_below(a, b, shift.saturating_sub(BITS), first + (at << shift), all);
            }
        }
        _ => all.extend(first..first + WIDTH),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evergreen_structures::Random;

    // A vector of vectors is the reference: every clone must keep its elements.
    #[test]
    fn clones_keep_their_elements() {
        let mut numbers = Random::new(7);
        let mut random = |bound: usize| numbers.below(bound.max(1));
        let mut vectors: Vec<(PVec<u32>, Vec<u32>)> = vec![(PVec::new(), Vec::new())];
        for round in 0..20_000u32 {
            let which = random(vectors.len());
            match random(40) {
                0 if vectors.len() < 12 => {
                    let copy = (vectors[which].0.clone(), vectors[which].1.clone());
                    vectors.push(copy);
                }
                1 => {
                    let (vector, reference) = &mut vectors[which];
                    let len = reference.len() + random(50);
                    vector.grow(len, round);
                    reference.resize(len, round);
                }
                2..15 => {
                    let (vector, reference) = &mut vectors[which];
                    assert_eq!(vector.push(round), reference.len());
                    reference.push(round);
                }
                _ => {
                    let (vector, reference) = &mut vectors[which];
                    let index = random(reference.len() + 2);
                    assert_eq!(vector.set(index, round), index < reference.len());
                    if let Some(place) = reference.get_mut(index) {
                        *place = round;
                    }
                }
            }
        }
        for (vector, reference) in &vectors {
            for (other, elements) in &vectors {
                let found = vector.different(other);
                let differ = (0..reference.len().max(elements.len()))
                    .filter(|at| reference.get(*at) != elements.get(*at));
                differ.for_each(|at| assert!(found.contains(&at), "{at} differs"));
            }
            assert!(vector.different(&vector.clone()).is_empty());
            assert_eq!(vector.len(), reference.len());
            assert!(vector.iter().eq(reference.iter()));
            assert_eq!(vector.get(reference.len()), None);
        }
        assert!(vectors.iter().any(|(vector, _)| vector.len() > 1100), "three levels were used");
    }
}
