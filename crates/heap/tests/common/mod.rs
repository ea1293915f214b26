//! repOK of every class, written independently of the invariants: plain recursion over complete heaps.

use evergreen_heap::{FieldId, Heap, Invariant, Object, Shape, Value};

/// The invariant of a class of the paper.
pub(crate) fn invariant(class: &str) -> Invariant {
    evergreen_testing::heap_subjects::invariant(class)
        .expect("a known class")
        .unwrap_or_else(|e| panic!("{class}: {e}"))
}

struct View<'a> {
    heap: &'a Heap,
    shape: &'a Shape,
}

impl View<'_> {
    fn field(&self, name: &str) -> FieldId {
        self.shape.field(name).expect("a declared field")
    }

    fn go(&self, object: Object, name: &str) -> Option<Object> {
        match self.heap.get(object, self.field(name)) {
            Value::Object(to) => Some(to),
            _ => None,
        }
    }

    fn int(&self, object: Object, name: &str) -> i32 {
        match self.heap.get(object, self.field(name)) {
            Value::Int(n) => n,
            other => panic!("{name} is {other:?}"),
        }
    }

    /// All nodes below and including, or none if one is met twice.
    fn nodes(&self, top: Option<Object>, links: [&str; 2]) -> Option<Vec<Object>> {
        let mut seen: Vec<Object> = Vec::new();
        let mut stack: Vec<Object> = top.into_iter().collect();
        while let Some(node) = stack.pop() {
            if seen.contains(&node) {
                return None;
            }
            seen.push(node);
            stack.extend(links.iter().filter_map(|l| self.go(node, l)));
        }
        Some(seen)
    }

    fn in_order(&self, node: Option<Object>, keys: &mut Vec<i32>) {
        if let Some(node) = node {
            self.in_order(self.go(node, "left"), keys);
            keys.push(self.int(node, "key"));
            self.in_order(self.go(node, "right"), keys);
        }
    }

    fn sorted(&self, top: Option<Object>) -> bool {
        let mut keys = Vec::new();
        self.in_order(top, &mut keys);
        keys.windows(2).all(|w| w[0] < w[1])
    }

    /// Black nodes on every way down, or none if the ways differ or two reds meet.
    fn blacks(&self, node: Option<Object>, red_above: bool) -> Option<u32> {
        let Some(node) = node else { return Some(0) };
        let red = self.int(node, "color") == 0;
        if red && red_above {
            return None;
        }
        let left = self.blacks(self.go(node, "left"), red)?;
        let right = self.blacks(self.go(node, "right"), red)?;
        (left == right).then_some(left + u32::from(!red))
    }

    /// The height, a leaf 0, or none if it is not an AVL tree with right heights.
    fn avl(&self, node: Option<Object>) -> Option<i32> {
        let Some(node) = node else { return Some(-1) };
        let left = self.avl(self.go(node, "left"))?;
        let right = self.avl(self.go(node, "right"))?;
        let height = 1 + left.max(right);
        ((left - right).abs() <= 1 && self.int(node, "height") == height).then_some(height)
    }

    /// Whether the list of trees that starts here has degrees in the given order, each a binomial tree.
    fn binomial(&self, node: Object, parent: Option<Object>) -> bool {
        if self.go(node, "parent") != parent {
            return false;
        }
        if parent.is_some_and(|p| self.int(p, "key") > self.int(node, "key")) {
            return false;
        }
        let mut degrees = Vec::new();
        let mut child = self.go(node, "child");
        while let Some(here) = child {
            if !self.binomial(here, Some(node)) {
                return false;
            }
            degrees.push(self.int(here, "degree"));
            child = self.go(here, "sibling");
        }
        let expected: Vec<i32> = (0..self.int(node, "degree")).rev().collect();
        degrees == expected
    }
}

/// Whether a complete heap is a valid structure of a class.
pub(crate) fn rep_ok(class: &str, shape: &Shape, heap: &Heap) -> bool {
    let v = View { heap, shape };
    let this = Object(0);
    let tree = ["left", "right"];
    match class {
        "BinTree" => v.nodes(v.go(this, "root"), tree).is_some(),
        "SearchTree" => {
            let root = v.go(this, "root");
            let nodes = v.nodes(root, tree);
            nodes.is_some_and(|n| n.len() as i32 == v.int(this, "size")) && v.sorted(root)
        }
        "TreeSet" => {
            let root = v.go(this, "root");
            v.nodes(root, tree).is_some() && v.sorted(root) && v.blacks(root, true).is_some()
        }
        "TreeMap" => {
            let root = v.go(this, "root");
            let Some(nodes) = v.nodes(root, tree) else { return false };
            let hangs = |n: Object| {
                let children = tree.iter().filter_map(|l| v.go(n, l));
                children.into_iter().all(|c| v.go(c, "parent") == Some(n))
            };
            root.is_none_or(|r| v.go(r, "parent").is_none())
                && nodes.iter().all(|n| hangs(*n))
                && v.sorted(root)
                && v.blacks(root, true).is_some()
                && v.int(this, "size") == nodes.len() as i32
        }
        "AvlTree" => {
            let root = v.go(this, "root");
            v.nodes(root, tree).is_some() && v.sorted(root) && v.avl(root).is_some()
        }
        "BinomialHeap" => {
            let Some(nodes) = v.nodes(v.go(this, "nodes"), ["child", "sibling"]) else { return false };
            let mut root = v.go(this, "nodes");
            let mut last = -1;
            while let Some(here) = root {
                if v.int(here, "degree") <= last || !v.binomial(here, None) {
                    return false;
                }
                last = v.int(here, "degree");
                root = v.go(here, "sibling");
            }
            v.int(this, "size") == nodes.len() as i32
        }
        "LinkedList" => {
            let Some(header) = v.go(this, "header") else { return false };
            let (mut here, mut count) = (header, 0);
            loop {
                let Some(next) = v.go(here, "next") else { return false };
                if v.go(next, "previous") != Some(here) {
                    return false;
                }
                if next == header {
                    break;
                }
                here = next;
                count += 1;
                if count > heap.len() {
                    return false;
                }
            }
            v.int(this, "size") == count as i32
        }
        "SinglyLinkedList" => {
            let Some(header) = v.go(this, "header") else { return false };
            let (mut here, mut count) = (header, 0);
            loop {
                let Some(next) = v.go(here, "next") else { return false };
                if next == header {
                    break;
                }
                here = next;
                count += 1;
                if count > heap.len() {
                    return false;
                }
            }
            v.int(this, "size") == count as i32
        }
        other => panic!("no repOK for {other}"),
    }
}
