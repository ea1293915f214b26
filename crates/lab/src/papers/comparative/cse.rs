//! Common sub-expressions of a linearized program in single-assignment form, and definitions that no branch
//! needs [Liu HVC'14, 3.2].
//!
//! Value numbering along the dominator tree [Briggs SPE'97]: an expression that a dominating definition
//! computes already becomes that definition's name. Jumps lead forward only, so one pass finds dominators
//! [Cooper SPE'01]. Assignments where arms meet are not definitions of their own and stay.

use super::linear::{CUT, Linear};
use crate::study::code::{Expr, Instruction};
use std::collections::HashMap;

/// What the pass did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Eliminated {
    /// Expressions that became names.
    pub common: usize,
    /// Definitions that are gone, since they are common or no branch needs them.
    pub definitions: usize,
}

/// Rewrites a program.
pub(super) fn eliminate(linear: Linear) -> (Linear, Eliminated) {
    let (slots, inputs, unrolling) = (linear.slots, linear.inputs, linear.unrolling);
    let blocks = Blocks::of(&linear.body);
    let mut numbering =
        Numbering { body: linear.body, names: (0..slots).collect(), available: HashMap::new(), common: 0 };
    numbering.walk(&blocks);
    let Numbering { mut body, names, common, .. } = numbering;
    let keep = needed(&body, slots, &names);
    let before = body.len();
    compact(&mut body, &keep);
    let definitions = before - body.len();
    (Linear { slots, inputs, body, unrolling }, Eliminated { common, definitions })
}

/// Basic blocks and their dominator tree.
struct Blocks {
    /// The first instruction of each, and the end.
    starts: Vec<usize>,
    children: Vec<Vec<usize>>,
}

impl Blocks {
    fn of(body: &[Instruction]) -> Blocks {
        let mut is_start = vec![false; body.len() + 1];
        is_start[0] = true;
        for (at, instruction) in body.iter().enumerate() {
            for target in targets(instruction) {
                is_start[target] = true;
            }
            if !matches!(instruction, Instruction::Set { .. }) {
                is_start[at + 1] = true;
            }
        }
        let starts: Vec<usize> = (0..=body.len()).filter(|at| is_start[*at]).collect();
        let count = starts.len() - 1;
        let mut block_at = vec![0; body.len() + 1];
        for block in 0..count {
            block_at[starts[block]] = block;
        }
        let mut dominator: Vec<Option<usize>> = vec![None; count];
        let mut children = vec![Vec::new(); count];
        for block in 0..count {
            if let Some(dominator) = dominator[block] {
                children[dominator].push(block);
            } else if block > 0 {
                continue; // No way leads here.
            }
            let last = starts[block + 1] - 1;
            let falls = matches!(body[last], Instruction::Set { .. }).then_some(last + 1);
            for target in targets(&body[last]).chain(falls) {
                let next = block_at[target];
                dominator[next] = Some(match dominator[next] {
                    None => block,
                    Some(other) => meet(&dominator, block, other),
                });
            }
        }
        Blocks { starts, children }
    }
}

/// The nearest block that dominates both.
fn meet(dominator: &[Option<usize>], mut a: usize, mut b: usize) -> usize {
    while a != b {
        let later = if a > b { &mut a } else { &mut b };
        *later = dominator[*later].unwrap_or(0);
    }
    a
}

fn targets(instruction: &Instruction) -> impl Iterator<Item = usize> {
    let (a, b) = match instruction {
        Instruction::Branch { yes, no, .. } => (Some(*yes), Some(*no)),
        Instruction::Jump(target) => (Some(*target), None),
        _ => (None, None),
    };
    a.into_iter().chain(b).filter(|target| *target != CUT)
}

struct Numbering {
    body: Vec<Instruction>,
    /// The name that each slot's value has.
    names: Vec<usize>,
    available: HashMap<Expr, usize>,
    common: usize,
}

impl Numbering {
    /// Visits blocks so that each comes after those that dominate it.
    fn walk(&mut self, blocks: &Blocks) {
        // Twice on the stack: to be entered, and to be left with what it made available.
        let mut stack: Vec<(usize, Option<Vec<Expr>>)> = vec![(0, None)];
        while let Some((block, made)) = stack.pop() {
            if let Some(made) = made {
                for expr in made {
                    self.available.remove(&expr);
                }
                continue;
            }
            let made = self.block(blocks.starts[block]..blocks.starts[block + 1]);
            stack.push((block, Some(made)));
            stack.extend(blocks.children[block].iter().rev().map(|child| (*child, None)));
        }
    }

    fn block(&mut self, range: std::ops::Range<usize>) -> Vec<Expr> {
        let mut made = Vec::new();
        for at in range {
            let mut instruction = std::mem::replace(&mut self.body[at], Instruction::Jump(0));
            match &mut instruction {
                // Where arms meet.
                Instruction::Set { value: value @ (Expr::Slot(_) | Expr::Number(_)), .. } => {
                    *value = self.rewritten(value);
                }
                Instruction::Set { slot, value } => {
                    *value = self.rewritten(value);
                    if let Expr::Slot(name) = *value {
                        self.names[*slot] = name;
                    } else {
                        self.available.insert(value.clone(), *slot);
                        made.push(value.clone());
                    }
                }
                Instruction::Branch { left, right, .. } => {
                    *left = self.rewritten(left);
                    *right = self.rewritten(right);
                }
                _ => {}
            }
            self.body[at] = instruction;
        }
        made
    }

    fn rewritten(&mut self, expr: &Expr) -> Expr {
        let mut both = |a: &Expr, b: &Expr| (Box::new(self.rewritten(a)), Box::new(self.rewritten(b)));
        let expr = match expr {
            Expr::Slot(slot) => return Expr::Slot(self.names[*slot]),
            Expr::Add(a, b) => {
                let (a, b) = both(a, b);
                if rank(&a) > rank(&b) { Expr::Add(b, a) } else { Expr::Add(a, b) }
            }
            Expr::Sub(a, b) => {
                let (a, b) = both(a, b);
                Expr::Sub(a, b)
            }
            Expr::Mul(a, b) => {
                let (a, b) = both(a, b);
                Expr::Mul(a, b)
            }
            other => return other.clone(),
        };
        match self.available.get(&expr) {
            Some(name) => {
                self.common += 1;
                Expr::Slot(*name)
            }
            None => expr,
        }
    }
}

/// Sums are commutative: names come in their order, numbers last.
fn rank(expr: &Expr) -> usize {
    match expr {
        Expr::Slot(slot) => *slot,
        Expr::Number(_) => usize::MAX,
        _ => usize::MAX - 1,
    }
}

fn slots_of(expr: &Expr, found: &mut Vec<usize>) {
    match expr {
        Expr::Slot(slot) => found.push(*slot),
        Expr::Add(a, b) | Expr::Sub(a, b) | Expr::Mul(a, b) => {
            slots_of(a, found);
            slots_of(b, found);
        }
        Expr::Number(_) | Expr::Cell(..) => {}
    }
}

/// Which instructions stay: all but definitions that have another name or that no branch needs.
fn needed(body: &[Instruction], slots: usize, names: &[usize]) -> Vec<bool> {
    let mut is_used = vec![false; slots];
    let mut keep = vec![true; body.len()];
    let mut found = Vec::new();
    // Uses come after definitions, since jumps lead forward.
    for (at, instruction) in body.iter().enumerate().rev() {
        match instruction {
            Instruction::Set { slot, value } if is_used[*slot] && names[*slot] == *slot => {
                slots_of(value, &mut found);
            }
            Instruction::Set { .. } => keep[at] = false,
            Instruction::Branch { left, right, .. } => {
                slots_of(left, &mut found);
                slots_of(right, &mut found);
            }
            _ => {}
        }
        for slot in found.drain(..) {
            is_used[slot] = true;
        }
    }
    keep
}

fn compact(body: &mut Vec<Instruction>, keep: &[bool]) {
    let mut place = Vec::with_capacity(body.len() + 1);
    let mut next = 0;
    for kept in keep {
        place.push(next);
        next += usize::from(*kept);
    }
    place.push(next);
    let moved = |target: &mut usize| {
        if *target != CUT {
            *target = place[*target];
        }
    };
    for instruction in body.iter_mut() {
        match instruction {
            Instruction::Branch { yes, no, .. } => {
                moved(yes);
                moved(no);
            }
            Instruction::Jump(target) => moved(target),
            _ => {}
        }
    }
    let mut at = 0;
    body.retain(|_| {
        at += 1;
        keep[at - 1]
    });
}
