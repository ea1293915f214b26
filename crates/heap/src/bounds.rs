//! Field bounds: which values each field of each label can have in any valid structure
//! [Galeotti ISSTA'10, TSE'13].
//!
//! For every pair of a field and a value one question to one incremental solver, under one assumption. A
//! model answers all pairs that it contains, so most sat questions are never asked; a refuted pair is
//! forbidden from then on, which makes the later questions easier. Bounds only grow with the scope (Theorem 4
//! of [Rosner TSE'15]), so a pair that a smaller scope allowed needs no question. The paper's groups asked a
//! cluster of 64 cores; the answers here are the same tightest bounds.

use crate::circuit::Lit;
use crate::encode::{Encoding, Scope, TooLarge};
use crate::invariant::{ClassId, FieldId, Invariant};
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
    /// Whether every pair was decided. Otherwise some kept pairs may occur in no valid structure.
    pub tightest: bool,
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

    /// The labels that a field may hold of an object which has one of these labels:
    /// `label(N, f)` of the paper.
    pub fn join(&self, labels: u64, field: FieldId) -> u64 {
        let (mut left, mut all) = (labels, 0);
        while left != 0 {
            all |= self.targets(left.trailing_zeros() as usize, field);
            left &= left - 1;
        }
        all
    }

    /// The scope that they hold for.
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    /// Their bytes, for a store: see [`Bounds::from_bytes`].
    pub fn to_bytes(&self) -> Vec<u8> {
        let words = self.objects.iter().zip(&self.null);
        words.flat_map(|(objects, null)| (objects << 1 | u64::from(*null)).to_le_bytes()).collect()
    }

    /// Bounds for a scope from their bytes: a word for each label and field, null's bit lowest. None if the
    /// bytes do not fit the invariant and the scope. Whether they are the right bounds cannot be seen from
    /// them: too tight ones would hide valid structures.
    pub fn from_bytes(invariant: &Invariant, scope: &Scope, bytes: &[u8]) -> Option<Bounds> {
        let fields = invariant.shape.fields.len();
        let n = scope.total();
        if n > crate::heap::MOST_OBJECTS || bytes.len() != n * fields * 8 {
            return None;
        }
        let mut bounds = Bounds {
            scope: scope.clone(),
            fields,
            objects: Vec::new(),
            null: Vec::new(),
            calls: 0,
            sat: 0,
            tightest: true,
        };
        for (at, word) in bytes.chunks_exact(8).enumerate() {
            let word = u64::from_le_bytes(word.try_into().ok()?);
            let plain = invariant.shape.target(FieldId((at % fields) as u8)).is_none();
            if word.checked_shr(n as u32 + 1).is_some_and(|rest| rest != 0) || (plain && word != 0) {
                return None;
            }
            bounds.objects.push(word >> 1);
            bounds.null.push(word & 1 == 1);
        }
        Some(bounds)
    }

    /// For each label whose object can have the field: the label, the labels that the field may hold, and
    /// whether it may hold null.
    pub fn rows(&self, invariant: &Invariant, field: FieldId) -> Vec<(usize, u64, bool)> {
        let owner = invariant.shape.fields[usize::from(field.0)].owner;
        let having = self.labels_of(invariant, owner);
        having.map(|label| (label, self.targets(label, field), self.null(label, field))).collect()
    }

    /// The labels that objects of a class can have.
    fn labels_of(&self, invariant: &Invariant, class: ClassId) -> std::ops::Range<usize> {
        let shape = &invariant.shape;
        let below_root = |c: ClassId| self.scope.of(c) > usize::from(c == ClassId(0));
        let first = usize::from(!shape.is(ClassId(0), class));
        let last = if shape.subclasses(class).any(below_root) { self.scope.total() } else { 1 };
        first..last
    }

    /// The number of pairs of a label and a value that are kept, nulls included, and of
    /// those that types alone allow.
    pub fn pairs(&self, invariant: &Invariant) -> (usize, usize) {
        let (mut kept, mut all) = (0, 0);
        for field in (0..self.fields as u8).map(FieldId) {
            let Some(target) = invariant.shape.target(field) else { continue };
            let rows = self.rows(invariant, field);
            all += rows.len() * (self.labels_of(invariant, target).len() + 1);
            kept +=
                rows.iter().map(|(_, to, null)| to.count_ones() as usize + usize::from(*null)).sum::<usize>();
        }
        (kept, all)
    }
}

/// A callback for progress: questions so far, pairs that are still open. It returns whether to continue.
pub type Watch<'w> = &'w mut dyn FnMut(u64, usize) -> bool;

/// Computes the tightest bounds for a scope; those of a smaller scope help.
///
/// # Errors
/// If the scope has too many objects.
pub fn bounds(invariant: &Invariant, scope: &Scope, previous: Option<&Bounds>) -> Result<Bounds, TooLarge> {
    bounds_watched(invariant, scope, previous, &mut |_, _| true)
}

/// The same with a progress callback. If it stops the computation, every open pair is kept.
///
/// # Errors
/// If the scope has too many objects.
pub fn bounds_watched(
    invariant: &Invariant,
    scope: &Scope,
    previous: Option<&Bounds>,
    watch: Watch<'_>,
) -> Result<Bounds, TooLarge> {
    let encoding = Encoding::new(invariant.into(), scope)?;
    let mut solver = Solver::new(&encoding.circuit);
    Ok(bounds_with(&encoding, &mut solver, previous, watch))
}

/// The same with a solver that lives on: afterwards it knows the refuted pairs.
pub(crate) fn bounds_with(
    encoding: &Encoding,
    solver: &mut Solver,
    previous: Option<&Bounds>,
    watch: Watch<'_>,
) -> Bounds {
    let fields = encoding.invariant.shape.fields.len();
    let size = encoding.n * fields;
    let scope = encoding.scope.clone();
    let previous = previous.filter(|p| p.scope.within(&scope));
    let mut found = Bounds {
        scope,
        fields,
        objects: vec![0; size],
        null: vec![false; size],
        calls: 0,
        sat: 0,
        tightest: true,
    };
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
        // Neither a solver that fails nor the user's impatience may make bounds tighter than they are.
        if !watch(found.calls, open.len()) {
            found.tightest = false;
            open.push((object, field, to, lit));
            open.drain(..).for_each(|(object, field, to, _)| found.allow(object, field, to));
            break;
        }
        found.calls += 1;
        match solver.solve(&[lit]) {
            Some(false) => solver.clause(&[!lit]),
            None => {
                found.tightest = false;
                found.allow(object, field, to);
            }
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
