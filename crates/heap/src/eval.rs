//! Evaluates an invariant on a heap, complete or partial.
//!
//! On a partial heap the answer has three values: `False` means that the known fields already exclude every
//! heap that extends this one; `Unknown` is kept. Sets are pairs of words, the objects that *must* and that
//! *may* be members (Kleene's logic over sets), and objects that are not made yet are one more member,
//! `fresh`. So one evaluator serves concrete checking and, without any hand-written version, as the
//! precondition that lazy initialization checks after each choice (the "hybrid invariant" of [Rosner TSE'15,
//! II-A]). A closure costs n² word operations and is computed once per call.

pub mod ground;
mod number;
mod order;
mod unknown;

use crate::heap::{Heap, Object, Value};
use crate::invariant::{ClassId, FieldId, Formula, Invariant, Kind, Many, Rel, RelId, Set, Var};
use number::Number;
use order::Stage;
use std::fmt;
use std::rc::Rc;

/// A truth value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Truth {
    /// False, however the unknown fields are filled in.
    False,
    /// It may depend on unknown fields.
    Unknown,
    /// True, however the unknown fields are filled in.
    True,
}

impl Truth {
    fn of(b: bool) -> Truth {
        if b { Truth::True } else { Truth::False }
    }

    fn not(self) -> Truth {
        match self {
            Truth::False => Truth::True,
            Truth::Unknown => Truth::Unknown,
            Truth::True => Truth::False,
        }
    }
}

/// Why an invariant is false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The name of the part that fails.
    pub part: String,
    /// Objects for which it fails, outermost quantifier first.
    pub objects: Vec<Object>,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\" fails", self.part)?;
        for (i, object) in self.objects.iter().enumerate() {
            write!(f, "{}object {}", if i == 0 { " for " } else { ", " }, object.0)?;
        }
        Ok(())
    }
}

/// Whether an invariant holds of a heap.
pub fn holds(invariant: &Invariant, heap: &Heap) -> Truth {
    let mut scratch = Scratch::default();
    let mut eval = Eval::new(invariant, heap, &mut scratch);
    let mut truth = eval.reached();
    for (at, stage) in order::plan(invariant) {
        if truth == Truth::False {
            break;
        }
        truth = truth.min(match stage {
            Stage::Ends => eval.well_founded(),
            _ => eval.formula(&invariant.parts[at].formula),
        });
    }
    truth
}

/// Facts about a heap before an invariant is evaluated on it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Guaranteed {
    /// Parts that are not false, one bit for each of the first 64.
    pub parts: u64,
    /// Recursion of functions ends.
    pub ends: bool,
    /// Every object is reached along fields that do not lead back.
    pub reached: bool,
}

/// Whether an invariant is not false of a heap, for callers that ask often: the memory of the last evaluation
/// is used again. Only fields among `known` have values.
pub(crate) fn may_hold(
    invariant: &Invariant,
    heap: &Heap,
    known: u64,
    guaranteed: Guaranteed,
    scratch: &mut Scratch,
) -> bool {
    let skipped = guaranteed.parts | scratch.cannot_fail(invariant, known);
    let plan = scratch.plan.get_or_insert_with(|| Rc::new(order::plan(invariant))).clone();
    let left = |at: usize| at >= 64 || skipped >> at & 1 == 0;
    let parts = plan.iter().filter(|(at, stage)| *stage != Stage::Ends && left(*at));
    // A call of a function requires that its recursion ends.
    let ends = guaranteed.ends && parts.clone().all(|(_, stage)| *stage < Stage::Ends);
    if guaranteed.reached && ends && parts.count() == 0 {
        return true;
    }
    let mut eval = Eval::new(invariant, heap, scratch);
    (guaranteed.reached || eval.reached() != Truth::False)
        && plan.iter().all(|(at, stage)| match stage {
            Stage::Ends => ends || eval.well_founded() != Truth::False,
            _ => !left(*at) || eval.formula(&invariant.parts[*at].formula) != Truth::False,
        })
}

/// The first part of an invariant that is false of a heap, with the objects that show it.
pub fn reason(invariant: &Invariant, heap: &Heap) -> Option<Reason> {
    let mut scratch = Scratch::default();
    let mut eval = Eval::new(invariant, heap, &mut scratch);
    if eval.reached() == Truth::False {
        return Some(Reason { part: "reached without back fields".to_string(), objects: Vec::new() });
    }
    if eval.well_founded() == Truth::False {
        let cyclic = invariant.functions.iter().find(|f| f.along.is_some());
        let part = cyclic.map_or_else(String::new, |f| f.name.clone());
        return Some(Reason { part, objects: Vec::new() });
    }
    let part = invariant.parts.iter().find(|p| eval.formula(&p.formula) == Truth::False)?;
    let mut objects = Vec::new();
    eval.witness(&part.formula, &mut objects);
    Some(Reason { part: part.name.clone(), objects })
}

#[derive(Clone, Copy)]
struct Members {
    must: u64,
    may: u64,
}

impl Members {
    const NONE: Members = Members { must: 0, may: 0 };

    fn exactly(set: u64) -> Members {
        Members { must: set, may: set }
    }
}

/// Rows of a relation. Only those of the objects that there are, and the one after them, mean something.
#[derive(Clone, Copy)]
struct Matrix {
    must: [u64; 64],
    may: [u64; 64],
}

/// Memory for evaluations of one invariant.
#[derive(Default)]
pub(crate) struct Scratch {
    relations: Vec<Matrix>,
    ready: Vec<bool>,
    env: Vec<u64>,
    plan: Option<Rc<order::Plan>>,
    /// The parts that cannot be false while no other fields than these have values.
    skipped: Option<(u64, u64)>,
}

impl Scratch {
    /// The parts that cannot be false; mostly the fields with values are those of the last time.
    fn cannot_fail(&mut self, invariant: &Invariant, known: u64) -> u64 {
        match self.skipped {
            Some((last, parts)) if last == known => parts,
            _ => {
                let parts = unknown::cannot_fail(invariant, known);
                self.skipped = Some((known, parts));
                parts
            }
        }
    }
}

struct Eval<'a> {
    invariant: &'a Invariant,
    heap: &'a Heap,
    scratch: &'a mut Scratch,
    /// The objects there are, and `fresh` if there may be more.
    all: u64,
    /// All objects that are not made yet, as one.
    fresh: u64,
    /// The functions whose value for none is being computed.
    of_none: u64,
}

fn members(set: u64) -> impl Iterator<Item = usize> {
    let mut rest = set;
    std::iter::from_fn(move || {
        let next = rest.trailing_zeros() as usize;
        rest &= rest.wrapping_sub(1);
        (next < 64).then_some(next)
    })
}

impl<'a> Eval<'a> {
    fn new(invariant: &'a Invariant, heap: &'a Heap, scratch: &'a mut Scratch) -> Self {
        let shape = &invariant.shape;
        let is_open = |object: Object| {
            let fields = shape.fields_of(heap.class(object)).iter();
            fields.clone().any(|f| heap.get(object, *f) == Value::Unknown && shape.target(*f).is_some())
        };
        let open = heap.objects().any(is_open);
        let fresh = 1u64 << heap.len();
        let all = (fresh - 1) | if open { fresh } else { 0 };
        scratch.relations.resize(invariant.relations.len(), Matrix { must: [0; 64], may: [0; 64] });
        scratch.ready.clear();
        scratch.ready.resize(invariant.relations.len(), false);
        scratch.env.clear();
        Eval { invariant, heap, scratch, all, fresh, of_none: 0 }
    }

    /// Rows of a relation: one for each object, and one for those not made yet.
    fn size(&self) -> usize {
        self.heap.len() + 1
    }

    /// Where some fields lead back, every object must be reached without them.
    fn reached(&self) -> Truth {
        let shape = &self.invariant.shape;
        if !shape.fields.iter().any(|f| matches!(f.kind, Kind::Reference { back: true, .. })) {
            return Truth::True;
        }
        let (mut seen, mut rest, mut open) = (1u64, 1u64, false);
        while rest != 0 {
            let object = Object(rest.trailing_zeros() as u8);
            rest &= rest - 1;
            for field in shape.forward(self.heap.class(object)) {
                match self.heap.get(object, field) {
                    Value::Object(to) if seen & (1 << to.0) == 0 => {
                        seen |= 1 << to.0;
                        rest |= 1 << to.0;
                    }
                    Value::Unknown => open = true,
                    _ => {}
                }
            }
        }
        if seen == self.fresh - 1 { Truth::True } else { Truth::of(open).min(Truth::Unknown) }
    }

    /// Recursive functions must end: the relations along which they go have no cycle.
    fn well_founded(&mut self) -> Truth {
        let mut truth = Truth::True;
        for function in &self.invariant.functions {
            let Some(along) = function.along else { continue };
            let size = self.size();
            let mut must = [0; 64];
            must[..size].copy_from_slice(&self.matrix(along).must[..size]);
            close(&mut must[..size]);
            if (0..self.heap.len()).any(|i| must[i] & (1 << i) != 0) {
                return Truth::False;
            }
            if self.all & self.fresh != 0 {
                truth = Truth::Unknown;
            }
        }
        truth
    }

    /// A relation, computed unless it is there.
    fn matrix(&mut self, rel: RelId) -> &Matrix {
        let at = usize::from(rel.0);
        if !self.scratch.ready[at] {
            self.compute(rel);
            self.scratch.ready[at] = true;
        }
        &self.scratch.relations[at]
    }

    /// Computes a relation where it is kept. Those that it is made of come before it in the table.
    fn compute(&mut self, rel: RelId) {
        let size = self.size();
        let definition = self.invariant.relations[usize::from(rel.0)];
        match definition {
            Rel::Field(field) => return self.field(rel, field),
            Rel::Transpose(of) | Rel::Closure(of) | Rel::Star(of) => {
                self.matrix(of);
            }
            Rel::Union(a, b) | Rel::Both(a, b) | Rel::Minus(a, b) => {
                self.matrix(a);
                self.matrix(b);
            }
        }
        let (parts, rest) = self.scratch.relations.split_at_mut(usize::from(rel.0));
        let part = |of: RelId| &parts[usize::from(of.0)];
        let to = &mut rest[0];
        match definition {
            Rel::Field(_) => {}
            Rel::Transpose(of) => {
                transpose(&part(of).must[..size], &mut to.must[..size]);
                transpose(&part(of).may[..size], &mut to.may[..size]);
            }
            Rel::Closure(of) | Rel::Star(of) => {
                to.must[..size].copy_from_slice(&part(of).must[..size]);
                to.may[..size].copy_from_slice(&part(of).may[..size]);
                close(&mut to.must[..size]);
                close(&mut to.may[..size]);
                if matches!(definition, Rel::Star(_)) {
                    for i in 0..size {
                        to.must[i] |= 1 << i;
                        to.may[i] |= 1 << i;
                    }
                }
            }
            Rel::Union(a, b) => {
                zip(to, part(a), part(b), size, |a, b| Members { must: a.must | b.must, may: a.may | b.may });
            }
            Rel::Both(a, b) => {
                zip(to, part(a), part(b), size, |a, b| Members { must: a.must & b.must, may: a.may & b.may });
            }
            Rel::Minus(a, b) => zip(to, part(a), part(b), size, |a, b| Members {
                must: a.must & !b.may,
                may: a.may & !b.must,
            }),
        }
    }

    fn field(&mut self, rel: RelId, field: FieldId) {
        let shape = &self.invariant.shape;
        let owner = shape.fields[usize::from(field.0)].owner;
        let fitting = shape.target(field).map_or(0, |target| self.of_class(target).may);
        let rows = &mut self.scratch.relations[usize::from(rel.0)];
        for object in self.heap.objects() {
            let at = usize::from(object.0);
            (rows.must[at], rows.may[at]) = match self.heap.get(object, field) {
                Value::Object(to) => (1 << to.0, 1 << to.0),
                Value::Unknown if shape.is(self.heap.class(object), owner) => (0, fitting),
                _ => (0, 0),
            };
        }
        let last = self.heap.len();
        rows.must[last] = 0;
        rows.may[last] = if self.all & self.fresh != 0 { fitting } else { 0 };
    }

    fn of_class(&self, class: ClassId) -> Members {
        let fitting = self.heap.objects().filter(|o| self.invariant.shape.is(self.heap.class(*o), class));
        let must = fitting.fold(0, |set, o| set | 1 << o.0);
        Members { must, may: must | (self.all & self.fresh) }
    }

    fn set(&mut self, set: &Set) -> Members {
        match set {
            Set::This => Members::exactly(1),
            Set::None => Members::NONE,
            Set::Var(var) => Members::exactly(self.scratch.env[usize::from(var.0)]),
            Set::Class(class) => self.of_class(*class),
            Set::Join(of, rel) => {
                let of = self.set(of);
                let matrix = self.matrix(*rel);
                let must = members(of.must).fold(0, |set, i| set | matrix.must[i]);
                let may = members(of.may).fold(0, |set, i| set | matrix.may[i]);
                Members { must, may }
            }
            Set::Union(a, b) => {
                let (a, b) = (self.set(a), self.set(b));
                Members { must: a.must | b.must, may: a.may | b.may }
            }
            Set::Both(a, b) => {
                let (a, b) = (self.set(a), self.set(b));
                Members { must: a.must & b.must & !self.fresh, may: a.may & b.may }
            }
            Set::Minus(a, b) => {
                let (a, b) = (self.set(a), self.set(b));
                Members { must: a.must & !b.may, may: a.may & !(b.must & !self.fresh) }
            }
        }
    }

    fn bind(&mut self, var: Var, object: usize) {
        self.scratch.env.truncate(usize::from(var.0));
        self.scratch.env.resize(usize::from(var.0), 0);
        self.scratch.env.push(1 << object);
    }

    /// Whether all members of `domain` satisfy `body` (`want` true), or some member does not (`want`
    /// false), as truth of "all".
    fn all(&mut self, var: Var, domain: &Set, body: &Formula, want: bool) -> Truth {
        let domain = self.set(domain);
        let mut truth = if domain.may & self.fresh != 0 { Truth::Unknown } else { Truth::True };
        // An object that only may be a member can make it unknown, not false, and is skipped
        // if it is unknown already.
        for object in members(domain.must) {
            truth = truth.min(self.each(var, object, body, want));
            if truth == Truth::False {
                return truth;
            }
        }
        for object in members(domain.may & !domain.must & !self.fresh) {
            if truth == Truth::Unknown {
                break;
            }
            truth = truth.min(self.each(var, object, body, want).max(Truth::Unknown));
        }
        truth
    }

    fn each(&mut self, var: Var, object: usize, body: &Formula, want: bool) -> Truth {
        self.bind(var, object);
        let truth = self.formula(body);
        if want { truth } else { truth.not() }
    }

    fn formula(&mut self, formula: &Formula) -> Truth {
        match formula {
            Formula::Constant(b) => Truth::of(*b),
            Formula::Not(f) => self.formula(f).not(),
            Formula::And(all) => {
                let mut truth = Truth::True;
                for f in all {
                    truth = truth.min(self.formula(f));
                    if truth == Truth::False {
                        break;
                    }
                }
                truth
            }
            Formula::Or(any) => {
                let mut truth = Truth::False;
                for f in any {
                    truth = truth.max(self.formula(f));
                    if truth == Truth::True {
                        break;
                    }
                }
                truth
            }
            Formula::All(var, domain, body) => self.all(*var, domain, body, true),
            Formula::Exists(var, domain, body) => self.all(*var, domain, body, false).not(),
            Formula::Many(many, set) => many_of(*many, self.set(set), self.fresh),
            Formula::In(a, b) => {
                let (a, b) = (self.set(a), self.set(b));
                if a.may & !(b.must & !self.fresh) == 0 {
                    Truth::True
                } else {
                    Truth::of(a.must & !b.may == 0).min(Truth::Unknown)
                }
            }
            Formula::Equal(a, b) => {
                let (a, b) = (self.set(a), self.set(b));
                if a.must & !b.may != 0 || b.must & !a.may != 0 {
                    Truth::False
                } else if a.must == a.may && b.must == b.may && a.may & self.fresh == 0 {
                    Truth::of(a.must == b.must)
                } else {
                    Truth::Unknown
                }
            }
            Formula::Compare(order, a, b) => match (self.int(a), self.int(b)) {
                (Number::Known(a), Number::Known(b)) => Truth::of(order.holds(a, b)),
                (Number::Undefined, _) | (_, Number::Undefined) => Truth::False,
                (a, b) if order.excluded(a.range(), b.range()) => Truth::False,
                _ => Truth::Unknown,
            },
            Formula::Flag(set, field) => match self.read(set, *field) {
                Number::Known(n) => Truth::of(n != 0),
                Number::Undefined => Truth::False,
                Number::Unknown | Number::Between(..) => Truth::Unknown,
            },
        }
    }

    /// Objects for which a formula that is false fails.
    fn witness(&mut self, formula: &Formula, objects: &mut Vec<Object>) {
        match formula {
            Formula::And(all) => {
                if let Some(f) = all.iter().find(|f| self.formula(f) == Truth::False) {
                    self.witness(f, objects);
                }
            }
            Formula::All(var, domain, body) => {
                let domain = self.set(domain);
                for object in members(domain.must & !self.fresh) {
                    self.bind(*var, object);
                    if self.formula(body) == Truth::False {
                        self.bind(*var, object);
                        objects.push(Object(object as u8));
                        self.witness(body, objects);
                        return;
                    }
                }
            }
            _ => {}
        }
    }
}

fn many_of(many: Many, set: Members, fresh: u64) -> Truth {
    let least = set.must.count_ones();
    let most = if set.may & fresh != 0 { u32::MAX } else { set.may.count_ones() };
    let between = |low: u32, high: u32| {
        if least >= low && most <= high {
            Truth::True
        } else if most < low || least > high {
            Truth::False
        } else {
            Truth::Unknown
        }
    };
    match many {
        Many::No => between(0, 0),
        Many::Some => between(1, u32::MAX),
        Many::Lone => between(0, 1),
        Many::One => between(1, 1),
    }
}

/// Makes a relation of two, row by row.
fn zip(to: &mut Matrix, a: &Matrix, b: &Matrix, size: usize, f: impl Fn(Members, Members) -> Members) {
    for i in 0..size {
        let row = f(Members { must: a.must[i], may: a.may[i] }, Members { must: b.must[i], may: b.may[i] });
        (to.must[i], to.may[i]) = (row.must, row.may);
    }
}

fn transpose(rows: &[u64], to: &mut [u64]) {
    to.fill(0);
    for (i, row) in rows.iter().enumerate() {
        members(*row).for_each(|j| to[j] |= 1 << i);
    }
}

/// The transitive closure: Warshall's algorithm with words for rows.
fn close(rows: &mut [u64]) {
    for k in 0..rows.len() {
        let through = rows[k];
        if through != 0 {
            rows.iter_mut().filter(|row| **row & (1 << k) != 0).for_each(|row| *row |= through);
        }
    }
}

/// Whether every plain field of a complete heap is within its range under a scope of so many objects.
pub fn in_range(invariant: &Invariant, heap: &Heap, objects: usize) -> bool {
    let shape = &invariant.shape;
    heap.objects().all(|o| {
        shape.fields_of(heap.class(o)).iter().all(|f| match (heap.get(o, *f), shape.kind(*f)) {
            (Value::Int(_), Kind::Key) => true,
            (Value::Int(n), _) => {
                shape.range(*f, objects).is_some_and(|(low, high)| (low..=high).contains(&i64::from(n)))
            }
            _ => true,
        })
    })
}
