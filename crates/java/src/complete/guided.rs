//! A structure with an invariant, made whole under a path condition.
//!
//! The SAT solver finds the shape (classes and references): a complete heap that extends what the path has
//! read. What the invariant then requires of plain fields is a condition on inputs, and the path's oracle
//! decides it together with the path condition, keys and all. So each solver gets the questions that it is
//! good at, and both are exact: if no shape is left, no valid input takes the path.
//!
//! Most paths need one question to each. Conditions that hold for every shape are asked first; they refute
//! most paths without a valid input. The first shape is one that suits the values that this answer gives to
//! what the path has read. Only if that fails are shapes tried one after the other, smaller ones first. After
//! a few, the search computes which values the path has fixed, which excludes most other shapes.

use super::condition::conditions;
use evergreen_deciding::BranchOracle;
use evergreen_explore::{Feasibility, Oracle, Path};
use evergreen_heap::feasible::Completed;
use evergreen_heap::ground::{Ground, ground, ranges};
use evergreen_heap::invariant::Kind;
use evergreen_heap::{FieldId, Heap, Invariant, Object, Value as Held};
use evergreen_jvm::{At, Jvm, State};
use evergreen_symbolic::{Assignment, Cond, Const, Expr, Rel};
use std::collections::HashMap;
use std::rc::Rc;

/// Shapes that are tried before the fields that the path has fixed are computed.
const FIRST_SHAPES: usize = 4;
/// Shapes that are tried before a structure is given up.
const SHAPES: usize = 200;

/// A plain field of an object, and what it held at the start.
type Plain = (Object, FieldId, Expr);

/// What became of a structure.
pub(crate) enum Guided {
    /// It is whole: the input with it, the conditions of path and invariant, a model of them.
    Whole(Box<State>, Path<Cond>, Assignment),
    /// No valid structure has what the path has read.
    Invalid,
    /// The search could not decide.
    Unknown,
}

/// Makes a structure of a path's input whole.
pub(crate) fn complete(
    jvm: &mut Jvm,
    oracle: &mut BranchOracle,
    state: &State,
    path: &Path<Cond>,
    model: &Assignment,
    structure: usize,
) -> Guided {
    let Some(begun) = Begun::new(jvm, state, structure) else { return Guided::Unknown };
    let least = begun.formula(&begun.heap);
    let mut doubt = false;
    let (path, model) = match begun.require(jvm, oracle, &begun.state, path, model, &least) {
        Feasibility::Feasible(found) => found,
        Feasibility::Infeasible => return Guided::Invalid,
        Feasibility::Unknown => {
            doubt = true;
            (path.clone(), model.clone())
        }
    };
    let read = |object, field| jvm.plain_field(state, At { structure, object }, field).is_some();
    let plain = begun.plain(jvm, &begun.state, &begun.heap);
    let read: Vec<Plain> = plain.into_iter().filter(|(object, field, _)| read(*object, *field)).collect();
    let likely = begun.values(jvm, &model, &read);
    if let Tried::Found(found) = begun.shapes(jvm, oracle, &path, &model, &likely, 1) {
        return *found;
    }
    match begun.shapes(jvm, oracle, &path, &model, &begun.heap, FIRST_SHAPES) {
        Tried::Found(found) => return *found,
        Tried::NoneLeft if !doubt => return Guided::Invalid,
        Tried::NoneLeft | Tried::GivenUp => {}
    }
    let is_sure = |(_, field, value): &Plain| {
        *begun.invariant.shape.kind(*field) != Kind::Key && is_fixed(jvm, oracle, &path, &model, *value)
    };
    let sure: Vec<Plain> = read.into_iter().filter(is_sure).collect();
    let sure = begun.values(jvm, &model, &sure);
    match begun.shapes(jvm, oracle, &path, &model, &sure, SHAPES) {
        Tried::Found(found) => *found,
        Tried::NoneLeft if !doubt => Guided::Invalid,
        Tried::NoneLeft | Tried::GivenUp => Guided::Unknown,
    }
}

/// Whether a structure that is whole is valid under a model; by evaluation.
pub(crate) fn hold(
    jvm: &mut Jvm,
    oracle: &mut BranchOracle,
    state: &State,
    model: &Assignment,
    structure: usize,
) -> bool {
    let Some(begun) = Begun::new(jvm, state, structure) else { return false };
    let formula = begun.formula(&begun.heap);
    let conditions = begun.conditions(jvm, &begun.state, &formula);
    conditions.is_some_and(|all| all.iter().all(|condition| oracle.holds(*condition, model)))
}

/// Whether a path leaves a plain field only the value that it has in its model.
fn is_fixed(
    jvm: &Jvm,
    oracle: &mut BranchOracle,
    path: &Path<Cond>,
    model: &Assignment,
    value: Expr,
) -> bool {
    let other = {
        let exprs = &mut *jvm.exprs.borrow_mut();
        let now = exprs.eval(value, model);
        let now = exprs.constant(now);
        exprs.relate(Rel::Ne, value, now)
    };
    other == Cond::FALSE || matches!(oracle.ask(path, model, other), Feasibility::Infeasible)
}

enum Tried {
    Found(Box<Guided>),
    /// No shape is left, and none was in doubt.
    NoneLeft,
    GivenUp,
}

/// A structure that is being completed.
struct Begun {
    structure: usize,
    invariant: Rc<Invariant>,
    /// Objects that the scope allows besides the root.
    others: usize,
    /// The input, with an input in each plain field of the objects that the path has met.
    state: State,
    /// References that the path has read.
    heap: Heap,
}

impl Begun {
    fn new(jvm: &mut Jvm, state: &State, structure: usize) -> Option<Begun> {
        let state = jvm.with_plain_fields(state, structure)?;
        let found = state.lazy().structures().get(structure)?;
        let heap = found.partial.heap.clone();
        let guide = jvm.guide(found.guide);
        let invariant = guide.invariant().clone();
        let others = guide.lazy.scope().total() - 1;
        Some(Begun { structure, invariant, others, state, heap })
    }

    /// What the invariant requires of plain fields.
    fn formula(&self, heap: &Heap) -> Vec<Ground> {
        vec![ground(&self.invariant, heap), ranges(&self.invariant, heap, self.others)]
    }

    /// The plain fields of a heap's objects, and what they held at the start.
    fn plain(&self, jvm: &Jvm, state: &State, heap: &Heap) -> Vec<Plain> {
        let mut all = Vec::new();
        for object in heap.objects() {
            for field in self.invariant.shape.fields_of(heap.class(object)) {
                let at = At { structure: self.structure, object };
                if self.invariant.shape.target(*field).is_none()
                    && let Some(value) = jvm.plain_field(state, at, *field)
                {
                    all.push((object, *field, value));
                }
            }
        }
        all
    }

    /// What is known, with the values that some plain fields have in a model.
    fn values(&self, jvm: &Jvm, model: &Assignment, which: &[Plain]) -> Heap {
        let mut heap = self.heap.clone();
        for (object, field, value) in which {
            let number = match jvm.exprs.borrow().eval(*value, model) {
                Const::I32(n) => Some(n),
                Const::I64(n) => i32::try_from(n).ok(),
                Const::F32(_) | Const::F64(_) => None,
            };
            if let Some(number) = number {
                heap.set(*object, *field, Held::Int(number));
            }
        }
        heap
    }

    /// Tries shapes that extend a heap, at most so many.
    fn shapes(
        &self,
        jvm: &mut Jvm,
        oracle: &mut BranchOracle,
        path: &Path<Cond>,
        model: &Assignment,
        heap: &Heap,
        most: usize,
    ) -> Tried {
        let Some(guide) = self.state.lazy().structures().get(self.structure).map(|s| s.guide) else {
            return Tried::GivenUp;
        };
        let Some(mut completing) = jvm.guide(guide).lazy.completer().ok().and_then(|c| c.begin(heap)) else {
            return Tried::GivenUp;
        };
        let mut doubt = false;
        let mut tried = Tried::GivenUp;
        for _ in 0..most {
            let next = jvm.guide(guide).lazy.completer().map(|c| c.next(&mut completing));
            match next {
                Ok(Completed::Heap(whole, places)) => {
                    match self.shape(jvm, oracle, path, model, &whole, &places) {
                        Guided::Invalid => {}
                        Guided::Unknown => doubt = true,
                        found @ Guided::Whole(..) => {
                            tried = Tried::Found(Box::new(found));
                            break;
                        }
                    }
                }
                Ok(Completed::None) => {
                    tried = if doubt { Tried::GivenUp } else { Tried::NoneLeft };
                    break;
                }
                Ok(Completed::Unknown) | Err(_) => break,
            }
        }
        if let Ok(completer) = jvm.guide(guide).lazy.completer() {
            completer.end(completing);
        }
        tried
    }

    /// Tries one shape.
    fn shape(
        &self,
        jvm: &mut Jvm,
        oracle: &mut BranchOracle,
        path: &Path<Cond>,
        model: &Assignment,
        whole: &Heap,
        places: &[Object],
    ) -> Guided {
        let Some(state) = jvm.with_structure(&self.state, self.structure, whole, places) else {
            return Guided::Unknown;
        };
        let Some(found) = state.lazy().structures().get(self.structure) else { return Guided::Unknown };
        let formula = self.formula(&found.partial.heap);
        match self.require(jvm, oracle, &state, path, model, &formula) {
            Feasibility::Feasible((path, model)) => Guided::Whole(Box::new(state), path, model),
            Feasibility::Infeasible => Guided::Invalid,
            Feasibility::Unknown => Guided::Unknown,
        }
    }

    /// A formula about plain fields as conditions on inputs.
    fn conditions(&self, jvm: &Jvm, state: &State, formula: &[Ground]) -> Option<Vec<Cond>> {
        let found = state.lazy().structures().get(self.structure)?;
        let plain = self.plain(jvm, state, &found.partial.heap);
        let plain: HashMap<(Object, FieldId), Expr> =
            plain.into_iter().map(|(o, f, e)| ((o, f), e)).collect();
        let mut all = Vec::new();
        for part in formula {
            let known = |object, field| plain.get(&(object, field)).copied();
            all.extend(conditions(&mut jvm.exprs.borrow_mut(), part, &known)?);
        }
        Some(all)
    }

    /// A path with a formula about plain fields, if both can hold.
    fn require(
        &self,
        jvm: &Jvm,
        oracle: &mut BranchOracle,
        state: &State,
        path: &Path<Cond>,
        model: &Assignment,
        formula: &[Ground],
    ) -> Feasibility<(Path<Cond>, Assignment)> {
        let Some(all) = self.conditions(jvm, state, formula) else { return Feasibility::Unknown };
        let extended = || all.iter().fold(path.clone(), |path, condition| path.with(*condition));
        if all.contains(&Cond::FALSE) {
            return Feasibility::Infeasible;
        }
        if all.iter().all(|condition| oracle.holds(*condition, model)) {
            return Feasibility::Feasible((extended(), model.clone()));
        }
        let arm = all.iter().fold(Cond::TRUE, |said, c| jvm.exprs.borrow_mut().and(said, *c));
        if arm == Cond::FALSE {
            return Feasibility::Infeasible;
        }
        match oracle.ask(path, model, arm) {
            Feasibility::Feasible(model) => Feasibility::Feasible((extended(), model)),
            Feasibility::Infeasible => Feasibility::Infeasible,
            Feasibility::Unknown => Feasibility::Unknown,
        }
    }
}
