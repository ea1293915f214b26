//! The search for a model from old values: a conjunct that fails is mended by one byte at a time.
//!
//! For a failing conjunct, each byte of the leaves below it takes all its values at once, and the value under
//! which most conjuncts hold is taken. Most satisfiable path queries differ from their prefix by one byte, so
//! that one such step is all they need. The search gives up early: a solver of clauses follows.

use crate::decide::Core;
use crate::eval::{self, Assignment};
use crate::form::{Form, Leaf, Node, Op};
use crate::lanes::{Set, Varying};
use crate::model;
use crate::query::{ItemId, Query};
use evergreen_term::{Model, Terms};
use rustc_hash::FxHashSet;

/// Steps that a search may take.
const MOST_STEPS: usize = 24;
/// Bytes that are tried for one failing conjunct.
const MOST_BYTES: usize = 12;

/// Values to begin with: of the first old model that has one and where it may be, else the least.
pub(crate) fn start(form: &Form, _terms: &Terms, query: &Query, old: &[&Model]) -> Assignment {
    let roots: Vec<Node> = query.open.iter().chain(&query.wide).map(|&i| query.node(i)).collect();
    let mut assignment = Assignment::default();
    for node in eval::reachable(form, &roots) {
        match form.op(node) {
            Op::Leaf(leaf) => {
                assignment.leaves.insert(leaf, model::choose(form, query, old, leaf));
            }
            Op::Read(base, _) if !assignment.arrays.contains(&base) => assignment.arrays.push(base),
            _ => {}
        }
    }
    // Cells that are no longer mentioned may still be read at an index that is computed.
    for (&leaf, &(value, _)) in &query.values {
        assignment.leaves.insert(leaf, value);
    }
    for (&base, fixed) in &query.fixed {
        for &(index, leaf) in form.cells(base) {
            if let Some((value, _)) = fixed.get(index) {
                assignment.leaves.insert(leaf, value);
            }
        }
    }
    for &leaf in query.narrow.keys().chain(query.bounds.keys()) {
        assignment.leaves.entry(leaf).or_insert_with(|| model::choose(form, query, old, leaf));
    }
    assignment
}

/// A conjunct that is searched for, with what it is made of.
struct Goal {
    node: Node,
    nodes: Vec<Node>,
    leaves: Vec<Leaf>,
}

/// Whether a model was found, and the values that the search ended with.
pub(crate) fn search(core: &mut Core, query: &Query, start: Assignment, budget: u32) -> (bool, Assignment) {
    let mut at = start;
    let mut left = budget;
    let items: Vec<ItemId> = query.open.iter().chain(&query.wide).copied().collect();
    let roots: Vec<Node> = items.iter().map(|&i| query.node(i)).collect();
    let nodes = eval::reachable(&core.form, &roots);
    if nodes.len() as u32 > left {
        return (false, at);
    }
    let mut goals: Option<Vec<Goal>> = None;
    let mut tried: FxHashSet<(Leaf, u64)> = FxHashSet::default();
    for _ in 0..MOST_STEPS {
        eval::values(&core.form, &nodes, &at, &mut core.values);
        left = left.saturating_sub(nodes.len() as u32);
        let Some(failing) = roots.iter().position(|root| core.values.at(*root) == 0) else {
            return (true, at);
        };
        if left == 0 {
            break;
        }
        let goals = goals.get_or_insert_with(|| goals_of(&core.form, &roots));
        let Some((leaf, value)) = mend(core, query, goals, failing, &at, &mut left) else { break };
        if !tried.insert((leaf, value)) {
            break;
        }
        at.leaves.insert(leaf, value);
    }
    (false, at)
}

fn goals_of(form: &Form, roots: &[Node]) -> Vec<Goal> {
    roots
        .iter()
        .map(|&node| {
            let nodes = eval::reachable(form, &[node]);
            let leaves = nodes
                .iter()
                .filter_map(|&n| match form.op(n) {
                    Op::Leaf(leaf) => Some(leaf),
                    _ => None,
                })
                .collect();
            Goal { node, nodes, leaves }
        })
        .collect()
}

/// The value of a leaf under which a failing conjunct holds, and most others, too.
fn mend(
    core: &mut Core,
    query: &Query,
    goals: &[Goal],
    failing: usize,
    at: &Assignment,
    left: &mut u32,
) -> Option<(Leaf, u64)> {
    let goal = &goals[failing];
    let mut best: Option<(u32, Leaf, u64)> = None;
    let free = goal.leaves.iter().filter(|leaf| !query.values.contains_key(leaf));
    let parts = free.flat_map(|&leaf| {
        let width = core.form.leaf(leaf).1;
        (0..width).step_by(8).map(move |shift| Varying { leaf, shift, bits: (width - shift).min(8) })
    });
    let parts: Vec<Varying> = parts.take(MOST_BYTES).collect();
    for varying in parts {
        let cost = core.lanes.run(&core.form, &goal.nodes, at, varying);
        *left = left.saturating_sub(cost);
        let mut may = core.lanes.holds(goal.node, varying.lanes());
        if let Some(narrow) = query.narrow.get(&varying.leaf) {
            may = may.and(&narrow.set);
        }
        let own = at.leaf(varying.leaf);
        if let Some(bounded) = query.bounds.get(&varying.leaf) {
            let mut within = Set([0; 4]);
            for lane in may.iter() {
                let value = varying.value(own, lane as usize);
                if bounded.low <= value && value <= bounded.high {
                    within.0[(lane / 64) as usize] |= 1 << (lane % 64);
                }
            }
            may = within;
        }
        if may.is_empty() {
            continue;
        }
        // How many of the others that mention the leaf hold in each lane.
        let mark = core.form.mark_of(varying.leaf);
        let mut holding: Vec<Set> = Vec::new();
        for (i, other) in goals.iter().enumerate() {
            if i != failing && core.form.info(other.node).mentions & mark != 0 {
                *left = left.saturating_sub(core.lanes.run(&core.form, &other.nodes, at, varying));
                holding.push(core.lanes.holds(other.node, varying.lanes()));
            }
        }
        let lost = |lane: u64| holding.iter().filter(|set| !set.has(lane)).count() as u32;
        let current = (own >> varying.shift) & crate::form::ones(varying.bits);
        let lane = may.iter().filter(|&lane| lane != current).min_by_key(|&lane| lost(lane));
        if let Some(lane) = lane {
            let lost = lost(lane);
            if best.is_none_or(|(least, ..)| lost < least) {
                best = Some((lost, varying.leaf, varying.value(own, lane as usize)));
            }
            if lost == 0 {
                break;
            }
        }
        if *left == 0 {
            break;
        }
    }
    best.map(|(_, leaf, value)| (leaf, value))
}
