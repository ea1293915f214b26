//! The subjects of [Rosner TSE'15] without a JVM: their invariants, and their methods as Rust functions that read fields as the Java ones do.
//!
//! What the paper leaves open, and what gives its numbers: trees are never empty (the tables count 1,033,411 binary trees
//! of up to 13 nodes, which leaves the empty one out), heaps may be (21 binomial heaps of up to 20 nodes); `contains` collects the
//! structures in which the element is found; `repOK` those of which it is true; colours are symbolic except in repOK, which
//! reads them; the scope of a list counts its header.

use crate::drive::{Fields, Stop};
use crate::heap::{Object, Value};
use crate::invariant::{FieldId, Invariant, Shape};
use crate::lazy::{Lazy, Partial, Technique};
use crate::{Bounds, Diagnostic, Scope, TooLarge, explore, parse};

/// The invariants in this crate, by name.
pub const INVARIANTS: [(&str, &str); 2] = [
    ("BinTree", include_str!("../invariants/bin_tree.inv")),
    ("TreeSet", include_str!("../invariants/tree_set.inv")),
];

/// The invariant of a class of the paper.
///
/// # Errors
/// Never, as tests show; the text is a part of this crate.
pub fn invariant(class: &str) -> Option<Result<Invariant, Diagnostic>> {
    INVARIANTS.iter().find(|(name, _)| *name == class).map(|(_, text)| parse(text))
}

type Outcome = Result<bool, Stop>;

/// A method: gets the shape and the heap, says whether to collect the structure.
pub type Method = fn(&Shape, &mut dyn Fields) -> Outcome;

/// A class and a method.
#[derive(Clone, Copy)]
pub struct Subject {
    /// `Class.method`
    pub name: &'static str,
    /// What it does.
    pub method: Method,
    /// Whether it starts from a structure that is known not to be empty.
    pub filled: bool,
}

/// All subjects.
pub const SUBJECTS: [Subject; 6] = [
    Subject { name: "BinTree.bfs", method: breadth_first, filled: true },
    Subject { name: "BinTree.dfs", method: depth_first, filled: true },
    Subject { name: "TreeSet.bfs", method: breadth_first, filled: true },
    Subject { name: "TreeSet.dfs", method: depth_first, filled: true },
    Subject { name: "TreeSet.repOK", method: red_black, filled: true },
    Subject { name: "TreeSet.contains", method: contains, filled: true },
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

/// What exploring a subject gave.
#[derive(Clone, Debug)]
pub struct Report {
    /// Structures collected.
    pub structures: u64,
    /// What was dropped.
    pub pruned: crate::lazy::Pruned,
    /// Who decided feasibility.
    pub counters: crate::feasible::Counters,
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
    let shape = &invariant.shape;
    let start = Partial::new(invariant);
    let top = named(shape, if shape.field("root").is_some() { "root" } else { "header" });
    let structures = explore(
        &mut lazy,
        start,
        |fields| {
            if subject.filled && fields.follow(Object(0), top)?.is_none() {
                return Ok(false);
            }
            (subject.method)(shape, fields)
        },
        |_| true,
    );
    Ok(Report { structures, pruned: lazy.pruned, counters: lazy.counters() })
}

/// The field of this name; subjects only name fields that their invariants declare.
fn named(shape: &Shape, name: &str) -> FieldId {
    shape.field(name).unwrap_or(FieldId(0))
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
    let mut queue: Vec<Object> = fields.follow(Object(0), named(shape, "root"))?.into_iter().collect();
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
    let root = fields.follow(Object(0), named(shape, "root"))?;
    visit(root, links(shape), fields)?;
    Ok(true)
}

fn contains(shape: &Shape, fields: &mut dyn Fields) -> Outcome {
    let [left, right] = links(shape);
    let mut node = fields.follow(Object(0), named(shape, "root"))?;
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
    let mut nodes: Vec<Object> = fields.follow(Object(0), named(shape, "root"))?.into_iter().collect();
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
