//! Lazy initialization: which values a reference field can take when it is first
//! read, technique by technique.
//!
//! LI offers null, every object of a fitting class, and a new one [Khurshid TACAS'03]; BLI keeps for each
//! object the set of labels that it can have and drops what the field bounds exclude [Geldenhuys NFM'13];
//! RBLI fixes labels along the breadth-first prefix; BLISS asks whether the prefix can be completed;
//! BLISSDB keeps these verdicts [Rosner TSE'15]. Each includes the ones before. The precondition is checked
//! after each choice by all.

use crate::bounds::Bounds;
use crate::encode::Scope;
use crate::eval::{Guaranteed, Scratch, may_hold};
use crate::feasible::{Feasibility, Verdicts};
use crate::heap::{Heap, MOST_OBJECTS, Object, Value};
use crate::holders::Holders;
use crate::invariant::{ClassId, FieldId, Invariant, Kind};
use std::rc::Rc;

/// A member of the family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Technique {
    /// Lazy initialization.
    Li,
    /// With field bounds.
    Bli,
    /// With labels refined along the breadth-first prefix.
    Rbli,
    /// With feasibility by SAT.
    Bliss,
    /// With stored verdicts.
    BlissDb,
}

impl Technique {
    /// All of them, weakest first.
    pub const ALL: [Technique; 5] =
        [Technique::Li, Technique::Bli, Technique::Rbli, Technique::Bliss, Technique::BlissDb];

    /// The name that flags and reports use.
    pub fn name(self) -> &'static str {
        match self {
            Technique::Li => "li",
            Technique::Bli => "bli",
            Technique::Rbli => "rbli",
            Technique::Bliss => "bliss",
            Technique::BlissDb => "blissdb",
        }
    }

    /// The technique of this name.
    pub fn named(name: &str) -> Option<Technique> {
        Technique::ALL.into_iter().find(|t| t.name() == name)
    }
}

/// A heap whose unread fields are unknown, and the labels that each object may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partial {
    /// The partial heap.
    pub heap: Heap,
    /// For each object a set of labels; all of them where no bounds are used.
    pub labels: Vec<u64>,
}

impl Partial {
    /// The root object, all fields unknown.
    pub fn new(invariant: &Invariant) -> Self {
        Partial { heap: Heap::new(&invariant.shape), labels: vec![1] }
    }
}

/// A value for a field that was unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Choice {
    /// No object.
    Null,
    /// A new object of this class.
    New(ClassId),
    /// An object that is there.
    Existing(Object),
    /// An integer.
    Int(i32),
}

/// The counters of lazy initialization so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Choices offered before any check.
    pub offered: u64,
    /// Dropped by the field bounds.
    pub by_bounds: u64,
    /// Dropped by the precondition.
    pub by_precondition: u64,
    /// Dropped by refined labels.
    pub by_labels: u64,
    /// Dropped as infeasible.
    pub by_feasibility: u64,
    /// Reads that dropped a candidate which a larger scope may allow: a new object, or one that bounds,
    /// labels or feasibility exclude.
    pub scoped: u64,
}

/// A check of partial heaps; false means that no completion is valid.
pub type Precondition<'a> = Box<dyn FnMut(&Heap) -> bool + 'a>;

/// Offers choices.
pub struct Lazy<'a> {
    invariant: Rc<Invariant>,
    scope: Scope,
    technique: Technique,
    bounds: Option<Bounds>,
    feasibility: Option<Feasibility>,
    /// Completes heaps where no feasibility is asked.
    completer: Option<Feasibility>,
    verdicts: Option<Box<dyn Verdicts + 'a>>,
    /// None: the invariant, evaluated on the known fields.
    precondition: Option<Precondition<'a>>,
    scratch: Scratch,
    /// The refusals that need no evaluation; empty if the invariant is not the precondition.
    holders: Holders,
    /// Classes of which the invariant allows one object at most, and that of the root.
    singles: Vec<ClassId>,
    /// The dropped candidates, by reason.
    pub pruned: Pruned,
}

/// The change of `apply`, to undo it.
#[derive(Debug)]
pub struct Undo {
    object: Object,
    field: FieldId,
    added: bool,
    labels: Labels,
}

/// The labels of all objects before a choice: choices are tried often, so that they are
/// kept without an allocation.
#[derive(Debug)]
struct Labels {
    each: [u64; MOST_OBJECTS],
    len: usize,
}

impl Labels {
    fn of(labels: &[u64]) -> Labels {
        let mut each = [0; MOST_OBJECTS];
        each[..labels.len()].copy_from_slice(labels);
        Labels { each, len: labels.len() }
    }
}

impl<'a> Lazy<'a> {
    /// Prepares a technique: computes bounds and makes the solver as it needs them. The precondition is the
    /// invariant itself, evaluated on the known fields.
    ///
    /// # Errors
    /// If the scope has too many objects.
    pub fn new(
        invariant: impl Into<Rc<Invariant>>,
        scope: &Scope,
        technique: Technique,
    ) -> Result<Self, crate::TooLarge> {
        Self::with_bounds(invariant, scope, technique, None)
    }

    /// The same with bounds that were computed before, for this scope or a smaller one.
    ///
    /// # Errors
    /// If the scope has too many objects.
    pub fn with_bounds(
        invariant: impl Into<Rc<Invariant>>,
        scope: &Scope,
        technique: Technique,
        known: Option<&Bounds>,
    ) -> Result<Self, crate::TooLarge> {
        let invariant = invariant.into();
        let mut feasibility = match technique {
            Technique::Li => None,
            _ => Some(Feasibility::new(invariant.clone(), scope)?),
        };
        let bounds = feasibility.as_mut().map(|f| match known.filter(|b| b.scope() == scope) {
            Some(bounds) => {
                f.assume_bounds(bounds);
                bounds.clone()
            }
            None => f.bounds(known),
        });
        if technique < Technique::Bliss {
            feasibility = None;
        }
        let verdicts: Option<Box<dyn Verdicts>> = match technique {
            Technique::BlissDb => Some(Box::new(std::collections::HashSet::new())),
            _ => None,
        };
        let scope = scope.clone();
        let pruned = Pruned::default();
        let completer = None;
        let holders = Holders::of(&invariant);
        let classes = (0..invariant.shape.classes.len() as u8).map(ClassId);
        let singles = classes.filter(|c| c.0 == 0 || invariant.has_at_most_one(*c)).collect();
        Ok(Lazy {
            invariant,
            scope,
            technique,
            bounds,
            feasibility,
            completer,
            verdicts,
            precondition: None,
            scratch: Scratch::default(),
            holders,
            singles,
            pruned,
        })
    }

    /// Replaces the precondition, for instance by the class's own repOK.
    pub fn set_precondition(&mut self, precondition: Precondition<'a>) {
        self.precondition = Some(precondition);
        self.holders = Holders::default();
    }

    /// Replaces the store of verdicts; keys are unique within one invariant.
    pub fn set_verdicts(&mut self, verdicts: Box<dyn Verdicts + 'a>) {
        self.verdicts = Some(verdicts);
    }

    /// A valid heap that extends a partial one, and the place of each of its objects there. Techniques
    /// without a solver make one for it.
    ///
    /// # Errors
    /// If the scope has too many objects.
    pub fn complete(&mut self, partial: &Partial) -> Result<Option<(Heap, Vec<Object>)>, crate::TooLarge> {
        Ok(self.completer()?.complete(&partial.heap))
    }

    /// The solver that completes heaps: separate, so that clauses about finished heaps do not burden the
    /// solver that decides feasibility.
    ///
    /// # Errors
    /// If the scope has too many objects.
    pub fn completer(&mut self) -> Result<&mut Feasibility, crate::TooLarge> {
        let completer = match self.completer.take() {
            Some(completer) => completer,
            None => {
                let mut completer = Feasibility::new(self.invariant.clone(), &self.scope)?;
                if let Some(bounds) = &self.bounds {
                    completer.assume_bounds(bounds);
                }
                completer
            }
        };
        Ok(self.completer.insert(completer))
    }

    /// The scope.
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    /// The bounds in use.
    pub fn bounds(&self) -> Option<&Bounds> {
        self.bounds.as_ref()
    }

    /// The sources of the feasibility verdicts.
    pub fn counters(&self) -> crate::feasible::Counters {
        self.feasibility.as_ref().map(|f| f.counters).unwrap_or_default()
    }

    /// The invariant.
    pub fn invariant(&self) -> &Rc<Invariant> {
        &self.invariant
    }

    /// The values that an unknown field can take and that no check excludes. The heap is as before
    /// afterwards; it must be one that choices have made: parts about references that they could not make
    /// false are not evaluated again.
    pub fn candidates(&mut self, partial: &mut Partial, object: Object, field: FieldId) -> Vec<Choice> {
        let offered = self.offer(partial, object, field);
        self.pruned.offered += offered.len() as u64;
        let excluded = |pruned: &Pruned| pruned.by_bounds + pruned.by_labels + pruned.by_feasibility;
        let before = excluded(&self.pruned);
        let known = partial.heap.known() | 1u64.checked_shl(u32::from(field.0)).unwrap_or(0);
        let guaranteed = self.holders.guaranteed(known);
        let labels = self.bounds.as_ref().map(|b| b.join(partial.labels[usize::from(object.0)], field));
        let unholdable = self.holders.refused(&self.invariant, &partial.heap, object, field);
        let mut kept = Vec::with_capacity(offered.len());
        for choice in offered {
            if !labels.is_none_or(|labels| within_bounds(partial, labels, choice)) {
                self.pruned.by_bounds += 1;
                continue;
            }
            let refused = matches!(choice, Choice::Existing(to) if unholdable >> to.0 & 1 == 1);
            // Labels come first where there are some, since the counters attribute each refusal.
            if refused && self.technique < Technique::Rbli {
                self.pruned.by_precondition += 1;
                continue;
            }
            let (undo, consistent) = self.apply(partial, object, field, choice);
            if !consistent {
                self.pruned.by_labels += 1;
            } else if refused || !self.may_be_valid(&partial.heap, known, guaranteed) {
                self.pruned.by_precondition += 1;
            } else if !self.feasible(&partial.heap) {
                self.pruned.by_feasibility += 1;
            } else {
                kept.push(choice);
            }
            self.undo(partial, undo);
        }
        let scoped = excluded(&self.pruned) > before || self.is_scoped(&partial.heap, field);
        self.pruned.scoped += u64::from(scoped);
        kept
    }

    /// Whether no check excludes the known fields, as after a choice: for plain
    /// fields that a machine has set.
    pub fn is_possible(&mut self, partial: &Partial) -> bool {
        self.pruned.offered += 1;
        if !self.may_be_valid(&partial.heap, partial.heap.known(), Guaranteed::default()) {
            self.pruned.by_precondition += 1;
            return false;
        }
        let feasible = self.feasible(&partial.heap);
        self.pruned.by_feasibility += u64::from(!feasible);
        self.pruned.scoped += u64::from(!feasible);
        feasible
    }

    /// The precondition.
    fn may_be_valid(&mut self, heap: &Heap, known: u64, guaranteed: Guaranteed) -> bool {
        match &mut self.precondition {
            Some(precondition) => precondition(heap),
            None => may_hold(&self.invariant, heap, known, guaranteed, &mut self.scratch),
        }
    }

    fn feasible(&mut self, heap: &Heap) -> bool {
        let Some(feasibility) = &mut self.feasibility else { return true };
        match &mut self.verdicts {
            Some(verdicts) => feasibility.feasible(heap, Some(verdicts.as_mut())),
            None => feasibility.feasible(heap, None),
        }
    }

    /// Whether there would be more objects that the field could hold in a larger scope.
    fn is_scoped(&self, heap: &Heap, field: FieldId) -> bool {
        let shape = &self.invariant.shape;
        let Some(target) = shape.target(field) else { return false };
        shape.subclasses(target).any(|class| {
            let most = self.scope.of(class);
            let there = heap.objects().filter(|o| heap.class(*o) == class).count();
            there >= most && most > 0 && !(most == 1 && self.singles.contains(&class))
        })
    }

    /// The candidates by the field's type and the scope: null, existing objects in their order, new ones.
    fn offer(&self, partial: &Partial, object: Object, field: FieldId) -> Vec<Choice> {
        let shape = &self.invariant.shape;
        let heap = &partial.heap;
        let Some(target) = shape.target(field) else {
            let others = self.scope.total() - 1;
            return match shape.kind(field) {
                Kind::Key => Vec::new(),
                _ => {
                    let (low, high) = shape.range(field, others).unwrap_or((0, 0));
                    (low..=high).map(|n| Choice::Int(n as i32)).collect()
                }
            };
        };
        debug_assert!(shape.fields_of(heap.class(object)).contains(&field));
        let mut offered = vec![Choice::Null];
        let fitting = heap.objects().filter(|o| shape.is(heap.class(*o), target));
        offered.extend(fitting.map(Choice::Existing));
        for class in shape.subclasses(target) {
            let there = heap.objects().filter(|o| heap.class(*o) == class).count();
            if there < self.scope.of(class) {
                offered.push(Choice::New(class));
            }
        }
        offered
    }

    /// Gives an unknown field a value; false if the labels then contradict each other.
    pub fn apply(
        &self,
        partial: &mut Partial,
        object: Object,
        field: FieldId,
        choice: Choice,
    ) -> (Undo, bool) {
        let labels = Labels::of(&partial.labels);
        let mut added = false;
        let value = match choice {
            Choice::Null => Value::Null,
            Choice::Existing(to) => Value::Object(to),
            Choice::Int(n) => Value::Int(n),
            Choice::New(class) => {
                added = true;
                let of = partial.labels[usize::from(object.0)];
                partial.labels.push(self.bounds.as_ref().map_or(u64::MAX, |b| b.join(of, field)));
                Value::Object(partial.heap.add(class))
            }
        };
        partial.heap.set(object, field, value);
        let consistent = self.technique < Technique::Rbli || self.refine(partial);
        (Undo { object, field, added, labels }, consistent)
    }

    /// Takes a choice back.
    pub fn undo(&self, partial: &mut Partial, undo: Undo) {
        if undo.added {
            partial.heap.remove_last();
        }
        partial.heap.set(undo.object, undo.field, Value::Unknown);
        partial.labels.truncate(undo.labels.len);
        partial.labels.copy_from_slice(&undo.labels.each[..undo.labels.len]);
    }

    /// Algorithm 3: an object that is found before the first unknown field in breadth-first order has its
    /// position there as its only label.
    fn refine(&self, partial: &mut Partial) -> bool {
        let mut order = [Object(0); MOST_OBJECTS];
        let (found, _) = partial.heap.breadth_first_in(&self.invariant.shape, &mut order);
        for (position, object) in order[..found].iter().enumerate() {
            let labels = &mut partial.labels[usize::from(object.0)];
            if *labels & (1 << position) == 0 {
                return false;
            }
            *labels = 1 << position;
        }
        true
    }
}

/// Algorithm 2: a new object needs a label, an existing one must be able to have one of
/// those that the bounds allow.
fn within_bounds(partial: &Partial, labels: u64, choice: Choice) -> bool {
    match choice {
        Choice::Null | Choice::Int(_) => true,
        Choice::New(_) => labels != 0,
        Choice::Existing(to) => labels & partial.labels[usize::from(to.0)] != 0,
    }
}
