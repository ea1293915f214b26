//! Operations that have no symbols: which inputs they depend on, and how a state goes on when these are
//! numbers.
//!
//! A path that ends as unsupported still stands before the instruction that could not be followed. If some of
//! its operands, or objects that they lead to, are symbolic, the explorer may give the inputs behind them the
//! values of the path's model ([`evergreen_explore::Sampling::Everywhere`]). Every value of the state that
//! depends on these inputs alone becomes a number here, and the instruction runs again: the JDK's own code
//! then computes with numbers. A text of open length gets its length first and its characters when the
//! operation is met again.

use rustc_hash::FxHashSet;
use std::rc::Rc;

use evergreen_explore::Arm;
use evergreen_symbolic::{Assignment, Cast, Cond, Const, Expr, Exprs, Input, Rel};

use crate::classes::Shape;
use crate::frame::Role;
use crate::machine::Jvm;
use crate::object::{Body, OpenArray, Written};
use crate::outcome::{Ending, Outcome};
use crate::rope::Part;
use crate::state::State;
use crate::value::{Kind, Ref, Value};

/// Objects that are looked at for symbolic values, at most.
const MOST_OBJECTS: usize = 4096;

/// Texts that become longer are not made.
const MOST_CHARACTERS: i32 = 10_000;

/// Characters of a text of open length that may be tried.
const TRIED_CHARACTERS: u32 = 32;

/// Inputs that a reason names.
const MOST_NAMES: usize = 3;

/// Inputs that have become numbers on a path.
#[derive(Clone, Default)]
pub(crate) struct Fixed {
    values: Assignment,
    inputs: FxHashSet<Input>,
    /// What was fixed, and why.
    because: Vec<Rc<str>>,
}

impl State {
    /// What was fixed on this path where symbols could not go, and why: a sentence for each place.
    pub fn fixed_because(&self) -> &[Rc<str>] {
        &self.fixed.because
    }
}

impl Fixed {
    /// One input.
    pub(crate) fn of(exprs: &Exprs, input: Input, value: Const) -> Fixed {
        let mut fixed = Fixed::default();
        fixed.values.set(exprs, input, value);
        fixed.inputs.insert(input);
        fixed
    }

    fn has_all(&self, exprs: &Exprs, expr: Expr) -> bool {
        exprs.inputs_of_expr(expr).iter().all(|input| self.inputs.contains(input))
    }
}

impl Jvm {
    pub(crate) fn blocked_at(&mut self, state: &State, outcome: &Outcome) -> Option<Arm<Cond>> {
        self.blocked_in(state, &outcome.ending)
    }

    pub(crate) fn blocked_in(&mut self, state: &State, ending: &Ending) -> Option<Arm<Cond>> {
        let Ending::Unsupported { what, place, .. } = ending else { return None };
        if self.hopeless.contains(what) {
            return None;
        }
        let inputs = self.inputs_behind(state);
        if inputs.is_empty() {
            if !state.fixed.inputs.is_empty() {
                self.hopeless.insert(what.clone());
            }
            return None;
        }
        let constraint = self.condition_on(&inputs)?;
        let (method, pc) = self.where_is(state)?;
        let site = self.site(method, pc);
        let why = match place {
            Some(place) => format!("{what} at {place}"),
            None => what.clone(),
        };
        self.blocked_by.insert(site, why);
        Some(Arm { constraint, site, index: u32::MAX })
    }

    /// Inputs on which the operands of the running instruction depend.
    pub(crate) fn inputs_behind(&self, state: &State) -> Vec<Input> {
        let Some(top) = state.top() else { return Vec::new() };
        let operands = match &top.role {
            Role::Native(resume) => resume.saved.to_vec(),
            _ => top.slots[top.base().min(top.sp as usize)..top.sp as usize].to_vec(),
        };
        self.inputs_of_values(state, operands)
    }

    fn inputs_of_values(&self, state: &State, values: Vec<Value>) -> Vec<Input> {
        let exprs = self.exprs.borrow();
        let mut found: Vec<Input> = Vec::new();
        let (mut open, mut seen) = (values, FxHashSet::<Ref>::default());
        let mut texts = Vec::new();
        while let Some(value) = open.pop() {
            match value {
                Value::Sym(expr) => found.extend_from_slice(exprs.inputs_of_expr(expr)),
                Value::Ref(object) if seen.len() < MOST_OBJECTS && seen.insert(object) => {
                    for part in self.rope(state, object).iter().flat_map(|parts| parts.iter()) {
                        match part {
                            Part::Symbolic(_, expr) => found.extend_from_slice(exprs.inputs_of_expr(*expr)),
                            Part::Input(text) => {
                                found.extend_from_slice(exprs.inputs_of_expr(text.length));
                                texts.push(text.clone());
                            }
                            Part::Text(_) => {}
                        }
                    }
                    match &state.heap.get(object).body {
                        Body::Fields(items) | Body::Values(items) | Body::Refs(items) => {
                            open.extend(items.iter().copied());
                        }
                        // An array of the input gets its length first, and then its elements.
                        Body::Open(array) => {
                            found.extend_from_slice(exprs.inputs_of_expr(array.length));
                            open.extend(array.items.iter().copied());
                        }
                        Body::Written(table) => {
                            open.extend(table.writes.iter().map(|(place, _)| Value::Sym(*place)));
                            open.extend(table.values());
                        }
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        drop(exprs);
        // A text that is tried has its characters before the path has chosen its length.
        for text in &texts {
            self.characters(text, 0..TRIED_CHARACTERS);
        }
        found.retain(|input| !state.fixed.inputs.contains(input));
        found.sort_by_key(|input| input.index());
        found.dedup();
        found
    }

    /// A condition that depends on these inputs; what it says does not matter.
    fn condition_on(&self, inputs: &[Input]) -> Option<Cond> {
        let exprs = &mut *self.exprs.borrow_mut();
        let mut all = Cond::TRUE;
        for input in inputs {
            let expr = exprs.expr_of(*input);
            let kind = exprs.kind(expr);
            let (expr, value) = match kind {
                evergreen_symbolic::Kind::F32 => (exprs.cast(Cast::FloatToBits, expr), Const::I32(1)),
                evergreen_symbolic::Kind::F64 => (exprs.cast(Cast::DoubleToBits, expr), Const::I64(1)),
                evergreen_symbolic::Kind::I64 => (expr, Const::I64(exprs.interval(expr).0)),
                _ => (expr, Const::I32(exprs.interval(expr).0 as i32)),
            };
            let value = exprs.constant(value);
            let own = exprs.relate(Rel::Eq, expr, value);
            all = exprs.and(all, own);
        }
        (!exprs.inputs_of(all).is_empty()).then_some(all)
    }

    pub(crate) fn fix_inputs(&mut self, state: &mut State, conditions: &[Cond]) {
        let mut fixed = (*state.fixed).clone();
        let mut names = Vec::new();
        for condition in conditions {
            let exprs = self.exprs.borrow();
            let [input] = *exprs.inputs_of(*condition) else { continue };
            if let Some(value) = value_in(&exprs, *condition, input) {
                fixed.values.set(&exprs, input, value);
                fixed.inputs.insert(input);
                names.push(exprs.input_of(input).asked_name().to_string());
            }
        }
        let others = if names.len() > MOST_NAMES { " and others" } else { "" };
        names.truncate(MOST_NAMES);
        let site = self.where_is(state).map(|(method, pc)| self.site(method, pc));
        let why = site.and_then(|site| self.blocked_by.get(&site)).map_or("", String::as_str);
        fixed.because.push(format!("{}{others} fixed for {why}", names.join(", ")).into());
        let fixed = Rc::new(fixed);
        state.fixed = fixed.clone();
        state.forget_choices();
        self.substitute(state, &fixed);
    }

    /// Every value that depends on fixed inputs alone becomes a number.
    pub(crate) fn substitute(&mut self, state: &mut State, fixed: &Fixed) {
        let aside = Rc::make_mut(&mut state.threads).frames_mut();
        for frame in state.frames.iter_mut().chain(aside) {
            let is_touched = frame.slots.iter().any(|value| self.is_fixed(*value, fixed));
            let saved = match &frame.role {
                Role::Native(resume) if resume.saved.iter().any(|value| self.is_fixed(*value, fixed)) => {
                    Some(resume.saved.iter().map(|value| self.number(*value, fixed)).collect())
                }
                _ => None,
            };
            if !is_touched && saved.is_none() {
                continue;
            }
            let frame = Rc::make_mut(frame);
            frame.slots.iter_mut().for_each(|value| *value = self.number(*value, fixed));
            if let (Some(saved), Role::Native(resume)) = (saved, &mut frame.role) {
                resume.saved = saved;
            }
        }
        for slot in 0..state.statics.len() {
            let value = state.get_static(slot as u32);
            if self.is_fixed(value, fixed) {
                state.set_static(slot as u32, self.number(value, fixed));
            }
        }
        for place in 0..state.heap.len() as u32 {
            self.substitute_in(state, Ref(place), fixed);
        }
    }

    fn substitute_in(&mut self, state: &mut State, object: Ref, fixed: &Fixed) {
        let found = state.heap.get(object);
        let class = found.class;
        let any = |items: &[Value]| items.iter().any(|value| self.is_fixed(*value, fixed));
        let body = match &found.body {
            Body::Fields(items) if any(items) => Some(Body::Fields(self.numbers(items, fixed))),
            Body::Values(items) if any(items) => {
                let items = self.numbers(items, fixed);
                let kind = match self.class(class).shape {
                    Shape::Array { kind, .. } if !items.iter().any(|value| value.is_symbolic()) => Some(kind),
                    _ => None,
                };
                Some(match kind {
                    Some(kind) => {
                        let mut body = Body::array(kind, items.len());
                        items.iter().enumerate().for_each(|(at, value)| {
                            body.set(at, *value);
                        });
                        body
                    }
                    None => Body::Values(items),
                })
            }
            Body::Open(array) if fixed.has_all(&self.exprs.borrow(), array.length) => {
                let length = self.evaluate(Value::Sym(array.length), &fixed.values).as_int().unwrap_or(0);
                let is_made = array.input.is_none() || array.kind != Kind::Reference;
                (0..=self.options.elements as i64).contains(&i64::from(length)).then(|| {
                    if !is_made {
                        let length = self.exprs.borrow_mut().constant(Const::I32(length));
                        return Body::Open(Rc::new(OpenArray { length, ..(**array).clone() }));
                    }
                    if array.input.is_some() && length > 0 {
                        let item = |at| self.number(self.open_item(array, at), fixed);
                        return Body::Values((0..length as usize).map(item).collect());
                    }
                    let mut body = Body::array(array.kind, length as usize);
                    array.items.iter().enumerate().for_each(|(at, value)| {
                        body.set(at, self.number(*value, fixed));
                    });
                    body
                })
            }
            Body::Written(table) => {
                let is_fixed = |(place, _): &(Expr, Value)| self.is_fixed(Value::Sym(*place), fixed);
                table.writes.iter().any(is_fixed).then(|| {
                    let number = |(place, value): &(Expr, Value)| {
                        let place = self.number(Value::Sym(*place), fixed);
                        (self.expr_of(place), *value)
                    };
                    let writes = table.writes.iter().map(number).collect();
                    Body::Written(Rc::new(Written { base: table.base.clone(), writes }))
                })
            }
            _ => None,
        };
        if let Some(body) = body {
            state.heap.get_mut(object).body = body;
        }
        if let Some(parts) = self.rope(state, object)
            && let Some(parts) = self.parts_with_numbers(&parts, fixed)
        {
            self.replace_parts(state, object, parts.into());
        }
    }

    /// The parts of a rope with numbers in place of fixed values; `None` if nothing changes.
    fn parts_with_numbers(&self, parts: &[Part], fixed: &Fixed) -> Option<Vec<Part>> {
        let (mut all, mut changed) = (Vec::new(), false);
        for part in parts {
            match part {
                Part::Symbolic(kind, expr) if self.is_fixed(Value::Sym(*expr), fixed) => {
                    changed = true;
                    all.push(Part::of(*kind, self.number(Value::Sym(*expr), fixed)));
                }
                Part::Input(text) if fixed.has_all(&self.exprs.borrow(), text.length) => {
                    let length = self.evaluate(Value::Sym(text.length), &fixed.values).as_int().unwrap_or(0);
                    if !(0..=MOST_CHARACTERS).contains(&length) {
                        all.push(part.clone());
                        continue;
                    }
                    changed = true;
                    for unit in self.characters(text, 0..length as u32) {
                        let unit = if self.is_fixed(unit, fixed) { self.number(unit, fixed) } else { unit };
                        all.push(Part::of(Kind::Char, unit));
                    }
                }
                other => all.push(other.clone()),
            }
        }
        changed.then_some(all)
    }

    fn expr_of(&self, number: Value) -> Expr {
        match number {
            Value::Sym(expr) => expr,
            other => self.exprs.borrow_mut().constant(Const::I32(other.as_int().unwrap_or(0))),
        }
    }

    fn is_fixed(&self, value: Value, fixed: &Fixed) -> bool {
        match value {
            Value::Sym(expr) => fixed.has_all(&self.exprs.borrow(), expr),
            _ => false,
        }
    }

    fn number(&self, value: Value, fixed: &Fixed) -> Value {
        if self.is_fixed(value, fixed) { self.evaluate(value, &fixed.values) } else { value }
    }

    fn numbers(&self, items: &[Value], fixed: &Fixed) -> Rc<[Value]> {
        items.iter().map(|value| self.number(*value, fixed)).collect()
    }
}

/// The one value of an input for which a condition holds that says nothing else.
fn value_in(exprs: &Exprs, condition: Cond, input: Input) -> Option<Const> {
    let kind = exprs.input_of(input).kind.kind();
    let bound = exprs.plain_bound(condition).map(|(_, (low, _))| low);
    let constants = exprs.constants_of(condition).into_iter().filter_map(|constant| match constant {
        Const::I32(value) => Some(i64::from(value)),
        Const::I64(value) => Some(value),
        Const::F32(_) | Const::F64(_) => None,
    });
    let candidates = bound.into_iter().chain(constants).chain([0, 1]);
    for value in candidates.flat_map(|value| [value, value.wrapping_neg(), value.wrapping_add(1)]) {
        let constant = match kind {
            evergreen_symbolic::Kind::I32 => Const::I32(value as i32),
            evergreen_symbolic::Kind::I64 => Const::I64(value),
            evergreen_symbolic::Kind::F32 => Const::F32(value as u32),
            evergreen_symbolic::Kind::F64 => Const::F64(value as u64),
        };
        let mut values = Assignment::new();
        values.set(exprs, input, constant);
        if exprs.holds(condition, &values) {
            return Some(constant);
        }
    }
    None
}
