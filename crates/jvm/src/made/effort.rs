//! What a call that makes objects does: how often it branches on its arguments.
//!
//! The parameters of a constructor say little of its paths. `Period(int years, ..., int millis)` stores
//! what it is given; `Period(long start, long end)` is calendar arithmetic, and all of its paths are paths of
//! a method that only returns a field. So calls whose arguments are numbers and texts are followed once for
//! each of some samples, with symbols for arguments, and their symbolic branches are counted. One that is
//! laborious is taken only where a class has no other, as one with many parameters is; results say so (the
//! bound `classes`).
//!
//! The number of a call depends on nothing but the program: samples begin with no input, and instructions of
//! initializers do not count.

use std::rc::Rc;

use evergreen_classfile::{MethodDescriptor, Type};
use evergreen_explore::{Machine, Pause};
use evergreen_symbolic::{Assignment, Const};

use crate::classes::{ClassId, Method, MethodId};
use crate::machine::Jvm;
use crate::outcome::Ending;
use crate::state::State;
use crate::value::{Kind, Value};

/// Samples of each call, and what texts are in them.
const SAMPLES: i64 = 4;
const TEXTS: [&str; SAMPLES as usize] = ["", "a", "12", "x-y"];
const TEXT: &str = "Ljava/lang/String;";

/// Instructions of a sample, without initializers of classes, and of all that is done before.
const STEPS: u64 = 200_000;
const FIRST_STEPS: u64 = 4_000_000;

/// A call of more branches than this is laborious.
const MANY: u32 = 12;

/// A branch on products or floats takes a solver, and counts as so many.
const HARD: u32 = 4;

/// What is known of calls that make objects.
#[derive(Default)]
pub(crate) struct Efforts {
    /// A state in which nothing of the program has run.
    base: Option<Rc<State>>,
    /// The same with a class initialized, where that can be done.
    ready: Vec<(ClassId, Option<Rc<State>>)>,
    known: rustc_hash::FxHashMap<MethodId, bool>,
}

impl Jvm {
    /// Has calls that make objects judged by what they do, from a state in which nothing of the program has
    /// run.
    pub fn judge_calls_from(&mut self, base: &State) {
        self.efforts.base = Some(Rc::new(base.clone()));
        self.efforts.ready.clear();
    }

    /// Finds out whether a call has many branches; of calls that take objects nothing is known.
    pub(super) fn judge(&mut self, callee: MethodId) {
        if self.efforts.known.contains_key(&callee) || self.efforts.base.is_none() {
            return;
        }
        let method = self.method(callee).clone();
        let Ok(descriptor) = MethodDescriptor::parse(&method.descriptor) else { return };
        let kind = |of: &Type| match &*of.to_string() {
            TEXT => Some(Kind::Reference),
            of => Kind::of_descriptor(of).filter(|kind| *kind != Kind::Reference),
        };
        let kinds: Option<Vec<Kind>> = descriptor.parameters.iter().map(kind).collect();
        let is_made = &*method.name == "<init>" || method.is_static();
        let Some(kinds) = kinds.filter(|kinds| !kinds.is_empty() && is_made) else { return };
        let kept = (self.options.record, self.narrowed_steps, self.narrowed_checks);
        let (near, arms) = (self.near.take(), std::mem::take(&mut self.arms));
        let strings = self.input_strings.clone();
        self.options.record = 0;
        let is_laborious = (0..SAMPLES).any(|sample| self.branches(&method, &kinds, sample) > MANY);
        (self.options.record, self.narrowed_steps, self.narrowed_checks) = kept;
        (self.near, self.arms, self.input_strings) = (near, arms, strings);
        self.efforts.known.insert(callee, is_laborious);
    }

    /// Whether a call was found to have many branches; a random walk takes one way through them.
    pub(super) fn is_laborious(&self, callee: MethodId) -> bool {
        !self.is_walking() && self.efforts.known.get(&callee) == Some(&true)
    }

    /// Whether inputs go beyond bounds: no claim depends on them.
    pub(super) fn is_walking(&self) -> bool {
        self.options.calls_before > 0
    }

    /// A state in which a class is initialized.
    fn ready_state(&mut self, class: ClassId) -> Option<Rc<State>> {
        if let Some((_, known)) = self.efforts.ready.iter().find(|(of, _)| *of == class) {
            return known.clone();
        }
        let base = self.efforts.base.clone()?;
        let mut state = self.start_init(&base, class);
        let is_ready = matches!(self.run_concrete(&mut state, FIRST_STEPS), Some(Ending::Returned(_)));
        (state.steps, state.init_steps) = (0, 0);
        let ready = is_ready.then(|| Rc::new(state));
        self.efforts.ready.push((class, ready.clone()));
        ready
    }

    /// The symbolic branches of a call along the path of one sample.
    fn branches(&mut self, method: &Method, kinds: &[Kind], sample: i64) -> u32 {
        let Some(ready) = self.ready_state(method.class) else { return 0 };
        let mut state = (*ready).clone();
        let mut model = Assignment::new();
        let mut arguments = Vec::new();
        if &*method.name == "<init>" {
            arguments.push(Value::Ref(self.new_instance(&mut state, method.class)));
        }
        for (at, kind) in kinds.iter().enumerate() {
            if *kind == Kind::Reference {
                let text = self.sample_text(&mut state, &format!("text {at}"), sample, &mut model);
                arguments.push(text);
                continue;
            }
            let Ok(input) = self.number_input(&format!("{kind:?} argument {at}"), *kind, None) else {
                return 0;
            };
            if let Value::Sym(expr) = input {
                let exprs = self.exprs.borrow();
                if let Some(input) = exprs.as_input(expr) {
                    model.set(&exprs, input, value(*kind, at as i64, sample));
                }
            }
            arguments.push(input);
        }
        if self.push_call(&mut state, method.id, &arguments).is_err() {
            return 0;
        }
        self.follow(&mut state, &model)
    }

    /// A text that is an input, and in the model that of a sample.
    fn sample_text(&mut self, state: &mut State, name: &str, sample: i64, model: &mut Assignment) -> Value {
        let text = self.new_input_text(state, name);
        let units: Vec<u16> = TEXTS[sample as usize].encode_utf16().collect();
        let Some(open) =
            self.rope(state, text).and_then(|parts| parts.iter().find_map(|part| part.open().cloned()))
        else {
            return Value::Ref(text);
        };
        let own = self.characters(&open, 0..units.len() as u32);
        let exprs = self.exprs.borrow();
        if let Some(length) = exprs.as_input(open.length) {
            model.set(&exprs, length, Const::I32(units.len() as i32));
        }
        for (own, unit) in own.iter().zip(units) {
            if let Value::Sym(own) = own
                && let Some(input) = exprs.as_input(*own)
            {
                model.set(&exprs, input, Const::I32(i32::from(unit)));
            }
        }
        Value::Ref(text)
    }

    fn follow(&mut self, state: &mut State, model: &Assignment) -> u32 {
        let (mut branches, mut arms) = (0, Vec::new());
        while branches <= MANY {
            let own = state.steps.saturating_sub(state.init_steps);
            if own > STEPS || state.steps > FIRST_STEPS {
                return u32::MAX;
            }
            let at = match self.run(state, STEPS, &mut arms) {
                Pause::Branch => {
                    let exprs = self.exprs.borrow();
                    let at = arms.iter().position(|arm| exprs.holds(arm.constraint, model));
                    let is_hard = arms.iter().any(|arm| exprs.is_hard(arm.constraint));
                    branches += if is_hard { HARD } else { 1 };
                    at
                }
                Pause::Ended(outcome) => match outcome.ending {
                    Ending::Unsupported { .. } => return u32::MAX,
                    _ => None,
                },
                Pause::OutOfSteps => continue,
                Pause::Choice | Pause::Met => None,
            };
            let Some(at) = at else { break };
            self.take(state, at);
        }
        branches
    }
}

/// A value of a sample: nothing, small numbers as those of dates, large ones, negative ones.
fn value(kind: Kind, at: i64, sample: i64) -> Const {
    let whole = match sample {
        0 => 0,
        1 => 7 + at,
        2 => 98_765_432 * (at + 1),
        _ => -1_234 * (at + 1),
    };
    match kind {
        Kind::Boolean => Const::I32((whole & 1) as i32),
        Kind::Byte => Const::I32(i32::from(whole as i8)),
        Kind::Short => Const::I32(i32::from(whole as i16)),
        Kind::Char => Const::I32(i32::from(whole as u16)),
        Kind::Int | Kind::Reference => Const::I32(whole as i32),
        Kind::Long => Const::I64(whole * 98_765),
        Kind::Float => Const::f32(whole as f32 * 0.375),
        Kind::Double => Const::f64(whole as f64 * 0.375),
    }
}
