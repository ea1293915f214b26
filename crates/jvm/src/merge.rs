//! Merging: one state of two that differ in values only, where the arms of a branch meet again.
//!
//! A *join* is on the state for each region that it is in: the place of a frame, or the return of one. Locals
//! that nothing reads from there on do not count. Objects that both sides made in the region, and that stand
//! in each other's places, become one object with conditional fields: only one of the sides is real. What
//! cannot be conditional (references, lengths, output) keeps states apart.

use std::rc::Rc;

use evergreen_explore::Merging;
use evergreen_structures::Meeting;
use evergreen_symbolic::{Cond, Const, Expr, Kind as Bits};
use rustc_hash::FxHashMap;

use crate::flow::Flow;
use crate::frame::{Frame, Role};
use crate::machine::Jvm;
use crate::object::{Body, Object};
use crate::pvec::PVec;
use crate::state::{ClassState, Pending, State};
use crate::value::{Ref, Value};

/// A conditional value is not larger than this, as a tree: a path more costs less than questions about it.
const MOST_NODES: u32 = 400;
/// Objects that two states may differ in.
const MOST_OBJECTS: usize = 4096;

/// Stands for no object.
const NOBODY: Ref = Ref(u32::MAX);

/// The end of a region that a state is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Join {
    /// How many frames there are, with the one that the region is in.
    depth: usize,
    /// The instruction; none if the region ends with the return of the frame.
    at: Option<u32>,
    /// How many objects there were when the region was entered.
    objects: usize,
}

impl State {
    /// The instruction at which the running frame has to stop, if there is one.
    pub(crate) fn join_here(&self) -> Option<u32> {
        self.joins.last().filter(|join| join.depth == self.frames.len()).and_then(|join| join.at)
    }

    /// A frame is gone, and with it the ends of regions in it.
    pub(crate) fn leave_joins(&mut self) {
        while self.joins.last().is_some_and(|join| join.depth > self.frames.len()) {
            self.joins.pop();
        }
    }

    /// A frame has returned: whether that is the end of a region, which the state then waits at.
    pub(crate) fn returned(&mut self) -> bool {
        let depth = self.frames.len() + 1;
        while self.joins.last().is_some_and(|join| join.depth >= depth) {
            if self.joins.last().is_some_and(|join| join.depth == depth && join.at.is_none()) {
                return true;
            }
            self.joins.pop();
        }
        false
    }

    /// Whether the state is at the end of its innermost region.
    pub(crate) fn is_met(&self) -> bool {
        self.joins.last().is_some_and(|join| match join.at {
            None => join.depth > self.frames.len(),
            at => join.depth == self.frames.len() && self.top().map(|frame| frame.pc) == at,
        })
    }
}

impl Merging<State, Cond> for Jvm {
    fn open(&mut self, state: &mut State) -> bool {
        match state.pending {
            // Conditional on floats or products, everything that follows would be as hard as these.
            Some(Pending::Jump(_, _, cond)) if !self.exprs.borrow().is_hard(cond) => {}
            Some(Pending::Table(..)) => {}
            _ => return false,
        }
        let depth = state.frames.len();
        let Some(frame) = state.frames.last() else { return false };
        let Some(flow) = self.flow(frame) else { return false };
        let end = flow.borrow_mut().end_of_region(frame.pc);
        let is_call = |frame: &Rc<Frame>| matches!(frame.role, Role::Call);
        let at = match end {
            Some(Meeting::Node(at)) => Some(at),
            // Somebody has to be there to return to.
            Some(Meeting::Exit) if depth > 1 && state.frames[depth - 2..].iter().all(is_call) => None,
            _ => return false,
        };
        state.joins.push(Join { depth, at, objects: state.heap.len() });
        true
    }

    fn regions(&self, state: &State) -> usize {
        state.joins.len()
    }

    fn leave(&mut self, state: &mut State, keep: usize) {
        state.joins.truncate(keep);
    }

    fn merge(&mut self, state: &mut State, other: &State, is_other: Cond) -> bool {
        let Some(join) = state.joins.last().copied() else { return false };
        let flow = state.frames.last().and_then(|frame| self.flow(frame));
        let mut both = Both {
            jvm: self,
            a: state,
            b: other,
            is_b: is_other,
            fresh: join.objects,
            same: FxHashMap::default(),
            taken: FxHashMap::default(),
            open: Vec::new(),
            objects: Vec::new(),
        };
        let Some((slots, statics)) = both.all(flow.as_ref().map(|flow| flow.borrow()).as_deref()) else {
            return false;
        };
        let objects = both.objects;
        let narrowed = other.narrowed;
        for (object, body) in objects {
            state.heap.get_mut(object).body = body;
        }
        for (slot, value) in statics {
            state.statics.set(slot, value);
        }
        if let Some(frame) = state.top_mut() {
            frame.slots[..slots.len()].copy_from_slice(&slots);
        }
        state.narrowed.add_all(narrowed);
        state.steps = state.steps.max(other.steps);
        state.init_steps = state.init_steps.min(state.steps);
        true
    }

    fn all_of(&mut self, constraints: &[Cond]) -> Cond {
        self.exprs.borrow_mut().all_of(constraints)
    }

    fn any_of(&mut self, constraints: &[Cond]) -> Cond {
        self.exprs.borrow_mut().any_of(constraints)
    }
}

impl Jvm {
    fn flow(&mut self, frame: &Frame) -> Option<Rc<std::cell::RefCell<Flow>>> {
        let code = frame.method.code()?;
        let flow = self.flows.entry(frame.method.id);
        flow.or_insert_with(|| Flow::of(code).map(|flow| Rc::new(flow.into()))).clone()
    }
}

/// Two states that are compared, and what would be the values of the merged one.
struct Both<'a> {
    jvm: &'a mut Jvm,
    a: &'a State,
    b: &'a State,
    is_b: Cond,
    /// Objects from this place on were made in the region.
    fresh: usize,
    /// For objects that the second state made, those of the first in whose place they stand.
    same: FxHashMap<Ref, Ref>,
    taken: FxHashMap<Ref, Ref>,
    /// Pairs of objects whose fields are still to be compared.
    open: Vec<(Ref, Ref)>,
    /// The bodies of objects that get other fields.
    objects: Vec<(Ref, Body)>,
}

type Merged = (Vec<Value>, Vec<(usize, Value)>);

impl Both<'_> {
    /// Everything: the slots of the running frame, and static fields that get other values.
    fn all(&mut self, flow: Option<&Flow>) -> Option<Merged> {
        self.rest()?;
        self.interned(&self.a.mirrors, &self.b.mirrors)?;
        self.interned(&self.a.literals, &self.b.literals)?;
        let slots = self.frames(flow)?;
        let (a, b) = (self.a, self.b);
        let mut statics = Vec::new();
        for index in a.statics.different(&b.statics) {
            let (one, other) = (a.statics.get(index)?, b.statics.get(index)?);
            let value = self.value(*one, *other)?;
            if !value.same(*one) {
                statics.push((index, value));
            }
        }
        self.heap()?;
        Some((slots, statics))
    }

    /// What is never conditional.
    fn rest(&self) -> Option<()> {
        let (a, b) = (self.a, self.b);
        let class =
            |state: &State, at: usize| state.class_states.get(at).copied().unwrap_or(ClassState::Untouched);
        let same_classes = || {
            let mut different = a.class_states.different(&b.class_states).into_iter();
            different.all(|at| class(a, at) == class(b, at))
        };
        let same_draws = || {
            let draw = |at: usize| match (a.draws.get(at), b.draws.get(at)) {
                (Some(a), Some(b)) => a.name == b.name && a.kind == b.kind && a.value.same(b.value),
                _ => false,
            };
            a.draws.different(&b.draws).into_iter().all(draw)
        };
        let same_slots = || {
            a.slots.len() == b.slots.len()
                && a.slots.iter().zip(b.slots.iter()).all(|(a, b)| a.0 == b.0 && a.1.same(*b.1))
        };
        let all = same_classes()
            && equal(&a.output, &b.output)
            && same_draws()
            && same_slots()
            && a.monitors == b.monitors
            && Rc::ptr_eq(&a.parameters, &b.parameters)
            && Rc::ptr_eq(&a.made, &b.made)
            && Rc::ptr_eq(&a.lazy, &b.lazy)
            && Rc::ptr_eq(&a.thrown, &b.thrown)
            && Rc::ptr_eq(&a.fixed, &b.fixed)
            && a.lengths == b.lengths
            && a.threads.is_empty()
            && b.threads.is_empty()
            && a.receiver == b.receiver
            && a.delivered == b.delivered
            && a.entry.is_none() == b.entry.is_none()
            && a.heap.is_whole()
            && b.heap.is_whole();
        all.then_some(())
    }

    /// Objects that are there once for each name, and are made when they are first needed.
    fn interned(&mut self, a: &PVec<Option<Ref>>, b: &PVec<Option<Ref>>) -> Option<()> {
        let at = |all: &PVec<Option<Ref>>, index: usize| all.get(index).copied().flatten();
        for index in a.different(b) {
            match (at(a, index), at(b, index)) {
                (None, None) => {}
                (Some(one), Some(other)) => self.reference(one, other).then_some(())?,
                // One side has it, and nothing else may stand in its place.
                (Some(one), None) => self.keep_apart(one, true)?,
                (None, Some(other)) => self.keep_apart(other, false)?,
            }
        }
        Some(())
    }

    fn keep_apart(&mut self, object: Ref, is_first: bool) -> Option<()> {
        let place = if is_first { &mut self.taken } else { &mut self.same };
        place.insert(object, NOBODY).is_none().then_some(())
    }

    /// The frames; those below the running one are the same.
    fn frames(&mut self, flow: Option<&Flow>) -> Option<Vec<Value>> {
        let (a, b) = (self.a, self.b);
        let ([below_a @ .., top_a], [below_b @ .., top_b]) = (&a.frames[..], &b.frames[..]) else {
            return None;
        };
        let same = |(a, b): (&Rc<Frame>, &Rc<Frame>)| Rc::ptr_eq(a, b) || is_same_frame(a, b);
        if below_a.len() != below_b.len() || !below_a.iter().zip(below_b).all(same) {
            return None;
        }
        let is_same_place = Rc::ptr_eq(&top_a.method, &top_b.method)
            && (top_a.pc, top_a.sp) == (top_b.pc, top_b.sp)
            && top_a.monitor == top_b.monitor
            && top_a.choices == top_b.choices;
        if !is_same_place {
            return None;
        }
        let locals = top_a.base();
        let mut slots = Vec::with_capacity(top_a.sp as usize);
        for at in 0..top_a.sp as usize {
            let (one, other) = (top_a.slots[at], top_b.slots[at]);
            let is_local = at < locals;
            if is_local && flow.is_some_and(|flow| !flow.is_live(top_a.pc, at)) {
                slots.push(if one.same(other) { one } else { Value::Pad });
                continue;
            }
            let is_index = is_local && flow.is_some_and(|flow| flow.is_index(at));
            if is_index && !one.same(other) && !one.is_symbolic() && !other.is_symbolic() {
                return None;
            }
            slots.push(self.value(one, other)?);
        }
        Some(slots)
    }

    /// The objects that both states reach and that may differ.
    fn heap(&mut self) -> Option<()> {
        let (a, b) = (self.a, self.b);
        let different = a.heap.different(&b.heap);
        // Objects that were there before are compared in any case, others where they are reached.
        for place in different.into_iter().filter(|place| *place < self.fresh) {
            self.open.push((Ref(place as u32), Ref(place as u32)));
        }
        while let Some((one, other)) = self.open.pop() {
            if self.objects.len() > MOST_OBJECTS {
                return None;
            }
            let (x, y) = (a.heap.get(one), b.heap.get(other));
            if let Some(body) = self.object(x, y)? {
                self.objects.push((one, body));
            }
        }
        Some(())
    }

    /// The body of the merged object, if it is another one.
    fn object(&mut self, a: &Object, b: &Object) -> Option<Option<Body>> {
        if a.class != b.class || a.extra != b.extra {
            return None;
        }
        if shared(&a.body, &b.body) {
            return Some(None);
        }
        let is_open = |body: &Body| matches!(body, Body::Open(_) | Body::Written(_));
        if is_open(&a.body) || is_open(&b.body) {
            return None;
        }
        let (x, y) = (a.body.values(), b.body.values());
        if x.len() != y.len() {
            return None;
        }
        let mut body = None;
        for (at, (one, other)) in x.iter().zip(&y).enumerate() {
            let value = self.value(*one, *other)?;
            if !value.same(*one) {
                body.get_or_insert_with(|| a.body.clone()).set(at, value);
            }
        }
        Some(body)
    }

    /// The value of the merged state.
    fn value(&mut self, a: Value, b: Value) -> Option<Value> {
        if let (Value::Ref(one), Value::Ref(other)) = (a, b) {
            return self.reference(one, other).then_some(a);
        }
        if a.same(b) {
            return Some(a);
        }
        let (one, other) = (self.expr(a)?, self.expr(b)?);
        let mut exprs = self.jvm.exprs.borrow_mut();
        let kind = exprs.kind(one);
        if kind != exprs.kind(other) || !matches!(kind, Bits::I32 | Bits::I64) {
            return None;
        }
        let value = exprs.merged(self.is_b, other, one);
        if exprs.size_of_expr(value) > MOST_NODES {
            return None;
        }
        Some(match exprs.as_const(value) {
            Some(Const::I32(value)) => Value::Int(value),
            Some(Const::I64(value)) => Value::Long(value),
            _ => Value::Sym(value),
        })
    }

    fn expr(&mut self, value: Value) -> Option<Expr> {
        Some(match value {
            Value::Sym(expr) => expr,
            Value::Int(value) => self.jvm.exprs.borrow_mut().constant(Const::I32(value)),
            Value::Long(value) => self.jvm.exprs.borrow_mut().constant(Const::I64(value)),
            _ => return None,
        })
    }

    /// Whether two references may be one: to the same object, or to two of the region in each other's place.
    fn reference(&mut self, a: Ref, b: Ref) -> bool {
        let is_fresh = |object: Ref| object.0 as usize >= self.fresh;
        match (is_fresh(a), is_fresh(b)) {
            (false, false) => a == b,
            (true, true) => match (self.same.get(&b), self.taken.get(&a)) {
                (Some(one), _) => *one == a,
                (None, Some(_)) => false,
                (None, None) => {
                    self.same.insert(b, a);
                    self.taken.insert(a, b);
                    self.open.push((a, b));
                    true
                }
            },
            _ => false,
        }
    }
}

fn equal<T: Clone + PartialEq>(a: &PVec<T>, b: &PVec<T>) -> bool {
    a.different(b).into_iter().all(|at| a.get(at) == b.get(at))
}

fn is_same_frame(a: &Frame, b: &Frame) -> bool {
    let slots = |frame: &Frame| frame.slots[..frame.sp as usize].to_vec();
    Rc::ptr_eq(&a.method, &b.method)
        && (a.pc, a.sp) == (b.pc, b.sp)
        && a.monitor == b.monitor
        && a.choices == b.choices
        && matches!((&a.role, &b.role), (Role::Call, Role::Call))
        && slots(a).iter().zip(slots(b)).all(|(a, b)| a.same(b))
}

/// Whether two bodies are the same in memory.
fn shared(a: &Body, b: &Body) -> bool {
    match (a, b) {
        (Body::Fields(a), Body::Fields(b))
        | (Body::Values(a), Body::Values(b))
        | (Body::Refs(a), Body::Refs(b)) => Rc::ptr_eq(a, b),
        (Body::Bytes(a), Body::Bytes(b)) => Rc::ptr_eq(a, b),
        (Body::Chars(a), Body::Chars(b)) => Rc::ptr_eq(a, b),
        (Body::Shorts(a), Body::Shorts(b)) => Rc::ptr_eq(a, b),
        (Body::Ints(a), Body::Ints(b)) => Rc::ptr_eq(a, b),
        (Body::Longs(a), Body::Longs(b)) => Rc::ptr_eq(a, b),
        (Body::Floats(a), Body::Floats(b)) => Rc::ptr_eq(a, b),
        (Body::Doubles(a), Body::Doubles(b)) => Rc::ptr_eq(a, b),
        (Body::Open(a), Body::Open(b)) => Rc::ptr_eq(a, b) || a == b,
        (Body::Written(a), Body::Written(b)) => Rc::ptr_eq(a, b),
        _ => false,
    }
}
