//! Field bounds: which values each field of each label can have in any valid structure [Galeotti ISSTA'10, TSE'13].
//!
//! For every pair of a field and a value one question to one incremental solver, under one assumption. A model answers all pairs that
//! it contains, so most sat questions are never asked; a refuted pair is forbidden from then on, which makes the later
//! questions easier. Bounds only grow with the scope (Theorem 4 of [Rosner TSE'15]), so what a smaller scope allowed
//! needs no question. The paper's groups asked a cluster of 64 cores; the answers here are the same tightest bounds.

use crate::circuit::Lit;
use crate::encode::{Encoding, Scope, TooLarge};
use crate::invariant::{FieldId, Invariant};
use crate::solver::Solver;

/// Which objects, or null, each reference field of each label may hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    scope: Scope,
    fields: usize,
    /// For each label and field the labels that it may hold.
    objects: Vec<u64>,
    /// For each label and field whether it may hold null.
    null: Vec<bool>,
    /// How many questions it took.
    pub calls: u64,
    /// Of these, how many were satisfiable.
    pub sat: u64,
}

impl Bounds {
    /// The labels that a field of a label may hold.
    pub fn targets(&self, label: usize, field: FieldId) -> u64 {
        self.objects.get(label * self.fields + usize::from(field.0)).copied().unwrap_or(0)
    }

    /// Whether a field of a label may hold null.
    pub fn null(&self, label: usize, field: FieldId) -> bool {
        self.null.get(label * self.fields + usize::from(field.0)).copied().unwrap_or(false)
    }

    /// The labels that a field may hold of an object which has one of these labels: `label(N, f)` of the paper.
    pub fn join(&self, labels: u64, field: FieldId) -> u64 {
        (0..64).filter(|l| labels & (1 << l) != 0).fold(0, |all, l| all | self.targets(l, field))
    }

    /// The scope that they hold for.
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    /// The number of pairs, nulls included.
    pub fn pairs(&self) -> usize {
        let objects: u32 = self.objects.iter().map(|o| o.count_ones()).sum();
        objects as usize + self.null.iter().filter(|n| **n).count()
    }
}

/// Computes the tightest bounds for a scope; those of a smaller scope help.
///
/// # Errors
/// If the scope has too many objects.
pub fn bounds(invariant: &Invariant, scope: &Scope, previous: Option<&Bounds>) -> Result<Bounds, TooLarge> {
    let encoding = Encoding::new(invariant.into(), scope)?;
    let mut solver = Solver::new(&encoding.circuit);
    Ok(bounds_with(&encoding, &mut solver, previous))
}

/// The same with a solver that is kept: it knows what was refuted afterwards.
pub(crate) fn bounds_with(encoding: &Encoding, solver: &mut Solver, previous: Option<&Bounds>) -> Bounds {
    let fields = encoding.invariant.shape.fields.len();
    let size = encoding.n * fields;
    let scope = encoding.scope.clone();
    let previous = previous.filter(|p| p.scope.within(&scope));
    let mut found =
        Bounds { scope, fields, objects: vec![0; size], null: vec![false; size], calls: 0, sat: 0 };
    let mut open: Vec<(usize, FieldId, Option<usize>, Lit)> = Vec::new();
    for object in 0..encoding.n {
        for field in (0..fields as u8).map(FieldId) {
            if encoding.invariant.shape.target(field).is_none() {
                continue;
            }
            for to in (0..encoding.n).map(Some).chain([None]) {
                let lit = encoding.holds(object, field, to);
                let known = previous.is_some_and(|p| match to {
                    Some(to) => p.targets(object, field) & (1 << to) != 0,
                    None => p.null(object, field),
                });
                if lit == Lit::TRUE || known {
                    found.allow(object, field, to);
                } else if lit != Lit::FALSE {
                    open.push((object, field, to, lit));
                }
            }
        }
    }
    while let Some((object, field, to, lit)) = open.pop() {
        found.calls += 1;
        match solver.solve(&[lit]) {
            Some(false) => solver.clause(&[!lit]),
            // A solver that fails must not make bounds tighter than they are.
            None => found.allow(object, field, to),
            Some(true) => {
                found.sat += 1;
                found.allow(object, field, to);
                open.retain(|(object, field, to, lit)| {
                    let holds = solver.value(*lit);
                    if holds {
                        found.allow(*object, *field, *to);
                    }
                    !holds
                });
            }
        }
    }
    found
}

impl Bounds {
    fn allow(&mut self, object: usize, field: FieldId, to: Option<usize>) {
        let at = object * self.fields + usize::from(field.0);
        match to {
            Some(to) => self.objects[at] |= 1 << to,
            None => self.null[at] = true,
        }
    }
}
