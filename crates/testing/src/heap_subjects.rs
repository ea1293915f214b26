//! The subjects of [Rosner TSE'15] without a JVM: their invariants, and their methods as Rust functions that
//! read fields as the Java ones do.
//!
//! Choices that the paper leaves open, settled so that its numbers come out: trees are never empty (the
//! tables count 1,033,411 binary trees of up to 13 nodes, which leaves the empty one out), heaps may be (21
//! binomial heaps of up to 20 nodes); `contains` collects the structures in which the element is found;
//! `repOK` those of which it is true; colours are symbolic except in repOK, which reads them; the scope of
//! a list counts its header.

use evergreen_heap::drive::Stop;
use evergreen_heap::{
    Bounds, ClassId, Diagnostic, FieldId, Fields, Invariant, Lazy, Object, Partial, Scope, Shape, Technique,
    TooLarge, Value, explore, parse,
};

/// The invariants of the subjects in `subjects/heap`, by class.
pub const INVARIANTS: [(&str, &str); 8] = [
    ("AvlTree", include_str!("../../../subjects/heap/AvlTree.inv")),
    ("BinTree", include_str!("../../../subjects/heap/BinTree.inv")),
    ("BinomialHeap", include_str!("../../../subjects/heap/BinomialHeap.inv")),
    ("LinkedList", include_str!("../../../subjects/heap/LinkedList.inv")),
    // This one is an annotation.
    ("SearchTree", text_block(include_str!("../../../subjects/heap/SearchTree.java"))),
    ("SinglyLinkedList", include_str!("../../../subjects/heap/SinglyLinkedList.inv")),
    ("TreeMap", include_str!("../../../subjects/heap/TreeMap.inv")),
    ("TreeSet", include_str!("../../../subjects/heap/TreeSet.inv")),
];

/// The first text block of a Java source.
const fn text_block(source: &str) -> &str {
    let rest = source.split_at(after_quotes(source)).1;
    rest.split_at(after_quotes(rest) - 3).0
}

/// The place behind the first `"""`.
const fn after_quotes(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 3;
    while bytes[at - 1] != b'"' || bytes[at - 2] != b'"' || bytes[at - 3] != b'"' {
        at += 1;
    }
    at
}

/// The invariant of a class of the paper, as text: for tests inside crate `heap`, whose types are not those
/// of the crate that this one links.
///
/// # Panics
/// If the class is not among them.
pub fn text(class: &str) -> &'static str {
    INVARIANTS.iter().find(|(name, _)| *name == class).expect("a class of the paper").1
}

/// The invariant of a class of the paper.
///
/// # Errors
/// Never, as tests show; the text is a part of this crate.
pub fn invariant(class: &str) -> Option<Result<Invariant, Diagnostic>> {
    INVARIANTS.iter().find(|(name, _)| *name == class).map(|(_, text)| parse(text))
}

type Outcome = Result<bool, Stop>;

/// A method: gets the shape and the heap, returns whether to collect the structure.
pub type Method = fn(&Shape, &mut dyn Fields) -> Outcome;

/// A class and a method.
#[derive(Clone, Copy)]
pub struct Subject {
    /// `Class.method`
    pub name: &'static str,
    /// The function.
    pub method: Method,
    /// Whether it starts from a structure that is known not to be empty.
    pub filled: bool,
}

/// All subjects.
pub const SUBJECTS: [Subject; 17] = [
    Subject { name: "BinTree.bfs", method: breadth_first, filled: true },
    Subject { name: "BinTree.dfs", method: depth_first, filled: true },
    Subject { name: "BinTree.repOK", method: is_tree, filled: true },
    Subject { name: "BinTree.count", method: depth_first, filled: true },
    Subject { name: "TreeSet.bfs", method: breadth_first, filled: true },
    Subject { name: "TreeSet.dfs", method: depth_first, filled: true },
    Subject { name: "TreeSet.repOK", method: red_black, filled: true },
    Subject { name: "TreeSet.contains", method: contains, filled: true },
    Subject { name: "AvlTree.bfs", method: breadth_first, filled: true },
    Subject { name: "AvlTree.dfs", method: depth_first, filled: true },
    Subject { name: "AvlTree.repOK", method: avl, filled: true },
    Subject { name: "AvlTree.contains", method: contains, filled: true },
    Subject { name: "BinomialHeap.bfs", method: breadth_first, filled: false },
    Subject { name: "BinomialHeap.dfs", method: depth_first, filled: false },
    Subject { name: "BinomialHeap.repOK", method: binomial, filled: false },
    Subject { name: "LinkedList.repOK", method: circular, filled: true },
    Subject { name: "LinkedList.add", method: append, filled: true },
];

impl Subject {
    /// The subject of this name.
    pub fn find(name: &str) -> Option<Subject> {
        SUBJECTS.iter().find(|s| s.name == name).copied()
    }

    /// The class.
    pub fn class(&self) -> &'static str {
        self.name.split('.').next().unwrap_or(self.name)
    }
}

/// The result of exploring a subject.
#[derive(Clone, Debug)]
pub struct Report {
    /// Structures collected.
    pub structures: u64,
    /// The dropped candidates.
    pub pruned: evergreen_heap::lazy::Pruned,
    /// The sources of the feasibility verdicts.
    pub counters: evergreen_heap::feasible::Counters,
}

/// Explores a subject in a scope of `n` nodes.
///
/// # Errors
/// If the scope is too large.
pub fn run(
    subject: Subject,
    invariant: &Invariant,
    technique: Technique,
    n: usize,
    bounds: Option<&Bounds>,
) -> Result<Report, TooLarge> {
    let scope = Scope::each(invariant, n);
    let mut lazy = Lazy::with_bounds(invariant, &scope, technique, bounds)?;
    Ok(run_with(subject, &mut lazy, |_| true))
}

/// The same with a technique that was prepared. Before each path `go_on` gets the number of structures so
/// far, and returns whether to continue.
pub fn run_with(subject: Subject, lazy: &mut Lazy<'_>, mut go_on: impl FnMut(u64) -> bool) -> Report {
    let invariant = lazy.invariant().clone();
    let shape = &invariant.shape;
    let start = Partial::new(&invariant);
    let top = top(shape);
    let collected = std::cell::Cell::new(0);
    let mut stopped = false;
    let structures = explore(
        lazy,
        start,
        |fields| {
            stopped = stopped || !go_on(collected.get());
            if stopped || (subject.filled && fields.follow(Object(0), top)?.is_none()) {
                return Ok(false);
            }
            (subject.method)(shape, fields)
        },
        |_| {
            collected.set(collected.get() + 1);
            true
        },
    );
    Report { structures, pruned: lazy.pruned, counters: lazy.counters() }
}

/// The field of this name; subjects only name fields that their invariants declare.
fn named(shape: &Shape, name: &str) -> FieldId {
    shape.field(name).unwrap_or(FieldId(0))
}

/// The field of the root object that leads to the structure: the first one.
fn top(shape: &Shape) -> FieldId {
    shape.fields_of(ClassId(0)).first().copied().unwrap_or(FieldId(0))
}

/// The reference fields by which a traversal goes down.
fn links(shape: &Shape) -> [FieldId; 2] {
    if shape.field("left").is_some() {
        [named(shape, "left"), named(shape, "right")]
    } else {
        [named(shape, "child"), named(shape, "sibling")]
    }
}

fn breadth_first(shape: &Shape, fields: &mut dyn Fields) -> Outcome {
    let links = links(shape);
    let mut queue: Vec<Object> = fields.follow(Object(0), top(shape))?.into_iter().collect();
    let mut at = 0;
    while let Some(node) = queue.get(at).copied() {
        at += 1;
        for link in links {
            queue.extend(fields.follow(node, link)?);
        }
    }
    Ok(true)
}

fn depth_first(shape: &Shape, fields: &mut dyn Fields) -> Outcome {
    fn visit(node: Option<Object>, links: [FieldId; 2], fields: &mut dyn Fields) -> Result<(), Stop> {
        if let Some(node) = node {
            for link in links {
                let next = fields.follow(node, link)?;
                visit(next, links, fields)?;
            }
        }
        Ok(())
    }
    let root = fields.follow(Object(0), top(shape))?;
    visit(root, links(shape), fields)?;
    Ok(true)
}

fn contains(shape: &Shape, fields: &mut dyn Fields) -> Outcome {
    let [left, right] = links(shape);
    let mut node = fields.follow(Object(0), top(shape))?;
    while let Some(here) = node {
        node = match fields.decide(3)? {
            0 => return Ok(true),
            1 => fields.follow(here, left)?,
            _ => fields.follow(here, right)?,
        };
    }
    Ok(false)
}

/// Whether the structure is a tree; the nodes in breadth-first order if so.
fn tree(shape: &Shape, fields: &mut dyn Fields) -> Result<Option<Vec<Object>>, Stop> {
    let mut nodes: Vec<Object> = fields.follow(Object(0), top(shape))?.into_iter().collect();
    let mut at = 0;
    while let Some(node) = nodes.get(at).copied() {
        at += 1;
        for link in links(shape) {
            if let Some(child) = fields.follow(node, link)? {
                if nodes.contains(&child) {
                    return Ok(None);
                }
                nodes.push(child);
            }
        }
    }
    Ok(Some(nodes))
}

/// A red-black tree; keys are symbolic, and the paths on which they are in order are always feasible.
fn red_black(shape: &Shape, fields: &mut dyn Fields) -> Outcome {
    let Some(nodes) = tree(shape, fields)? else { return Ok(false) };
    let color = named(shape, "color");
    let [left, right] = links(shape);
    let black = |node: Object, fields: &mut dyn Fields| Ok(fields.read(node, color)? == Value::Int(1));
    if let Some(root) = nodes.first()
        && !black(*root, fields)?
    {
        return Ok(false);
    }
    let mut height = vec![0u32; 64];
    for node in nodes.iter().rev() {
        let is_black = black(*node, fields)?;
        let mut heights = [0; 2];
        for (side, link) in [left, right].into_iter().enumerate() {
            if let Some(child) = fields.follow(*node, link)? {
                if !is_black && !black(child, fields)? {
                    return Ok(false);
                }
                heights[side] = height[usize::from(child.0)];
            }
        }
        if heights[0] != heights[1] {
            return Ok(false);
        }
        height[usize::from(node.0)] = heights[0] + u32::from(is_black);
    }
    Ok(true)
}

fn is_tree(shape: &Shape, fields: &mut dyn Fields) -> Outcome {
    Ok(tree(shape, fields)?.is_some())
}

/// An AVL tree; heights are read, keys are as in [`red_black`].
fn avl(shape: &Shape, fields: &mut dyn Fields) -> Outcome {
    let Some(nodes) = tree(shape, fields)? else { return Ok(false) };
    let height = named(shape, "height");
    for node in nodes.iter().rev() {
        let mut heights = [-1; 2];
        for (side, link) in links(shape).into_iter().enumerate() {
            if let Some(child) = fields.follow(*node, link)?
                && let Value::Int(n) = fields.read(child, height)?
            {
                heights[side] = n;
            }
        }
        let expected = 1 + heights[0].max(heights[1]);
        if (heights[0] - heights[1]).abs() > 1 || fields.read(*node, height)? != Value::Int(expected) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A binomial heap; keys are as in [`red_black`]. Degrees are counted and then compared with the degree
/// fields of the nodes, as in Java.
fn binomial(shape: &Shape, fields: &mut dyn Fields) -> Outcome {
    let (degree, sibling) = (named(shape, "degree"), named(shape, "sibling"));
    let mut seen = Vec::new();
    let mut root = fields.follow(Object(0), top(shape))?;
    let mut last = -1;
    while let Some(node) = root {
        if seen.contains(&node) || fields.follow(node, named(shape, "parent"))?.is_some() {
            return Ok(false);
        }
        seen.push(node);
        let Some(rank) = rank(shape, fields, node, &mut seen)? else { return Ok(false) };
        if rank <= last || fields.read(node, degree)? != Value::Int(rank) {
            return Ok(false);
        }
        last = rank;
        root = fields.follow(node, sibling)?;
    }
    let size = fields.read(Object(0), named(shape, "size"))?;
    Ok(size == Value::Int(seen.len() as i32))
}

/// The degree of a node by its children; none if they are not those of a binomial tree.
fn rank(
    shape: &Shape,
    fields: &mut dyn Fields,
    node: Object,
    seen: &mut Vec<Object>,
) -> Result<Option<i32>, Stop> {
    match fields.follow(node, named(shape, "child"))? {
        None => Ok(Some(0)),
        Some(child) => Ok(child_degree(shape, fields, child, node, seen)?.map(|degree| degree + 1)),
    }
}

/// The degree of a child, whose siblings have all degrees below it; none if that is not so.
fn child_degree(
    shape: &Shape,
    fields: &mut dyn Fields,
    child: Object,
    parent: Object,
    seen: &mut Vec<Object>,
) -> Result<Option<i32>, Stop> {
    if seen.contains(&child) || fields.follow(child, named(shape, "parent"))? != Some(parent) {
        return Ok(None);
    }
    seen.push(child);
    let Some(degree) = rank(shape, fields, child, seen)? else { return Ok(None) };
    let after = match fields.follow(child, named(shape, "sibling"))? {
        None => Some(-1),
        Some(next) => child_degree(shape, fields, next, parent, seen)?,
    };
    let fits = after == Some(degree - 1) && fields.read(child, named(shape, "degree"))? == Value::Int(degree);
    Ok(fits.then_some(degree))
}

/// A circular doubly linked list.
fn circular(shape: &Shape, fields: &mut dyn Fields) -> Outcome {
    let Some(header) = fields.follow(Object(0), top(shape))? else { return Ok(false) };
    let (next, previous) = (named(shape, "next"), named(shape, "previous"));
    let mut seen = vec![header];
    let mut here = header;
    loop {
        let Some(after) = fields.follow(here, next)? else { return Ok(false) };
        if fields.follow(after, previous)? != Some(here) {
            return Ok(false);
        }
        if after == header {
            break;
        }
        if seen.contains(&after) {
            return Ok(false);
        }
        seen.push(after);
        here = after;
    }
    let size = fields.read(Object(0), named(shape, "size"))?;
    Ok(size == Value::Int(seen.len() as i32 - 1))
}

/// Appending reads only the header's predecessor; it writes to that one's `next`.
fn append(shape: &Shape, fields: &mut dyn Fields) -> Outcome {
    let Some(header) = fields.follow(Object(0), top(shape))? else { return Ok(false) };
    let last = fields.follow(header, named(shape, "previous"))?;
    Ok(last.is_some())
}
