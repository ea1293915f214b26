//! Whether a partial structure can be a valid input, decided by the class's own method (`repOK`) as it is.
//!
//! The method runs on the input as it was found, whatever the path has written since. If it reads a field
//! that was not read yet, then either it ends there and the answer is that the structure may be valid, or it
//! continues with each value in turn, the last field first [Boyapati ISSTA'02]. At a symbolic branch it
//! follows both arms, without a solver. So `false` is exact: no completion is valid; `true` may be wrong, and
//! the path's end is checked again with a solver (`Jvm::start_check`).

mod key;

use std::rc::Rc;

use evergreen_symbolic::Cond;

use crate::classes::MethodId;
use crate::lazy::{LazyHeap, Purpose, Unread};
use crate::machine::{Flow, Jvm};
use crate::object::Body;
use crate::outcome::Ending;
use crate::state::State;
use crate::value::{Ref, Value};

/// Ways through one check before it is given up.
const WAYS: usize = 4_096;
/// Instructions of one check before it is given up.
const STEPS: u64 = 4_000_000;

/// Verdicts that are remembered; past this all are forgotten at once.
const MOST_KNOWN: usize = 1 << 20;

/// An open path through a check, with its assumptions.
struct OpenWay {
    state: State,
    assumed: Vec<Cond>,
}

impl Jvm {
    /// The objects of a path's input that have a method to check them, in the order in which they were found.
    pub fn checked_objects(&mut self, state: &State) -> Vec<Ref> {
        let all = state.lazy().objects().iter().map(|lazy| lazy.object);
        all.filter(|object| self.check_of(state, *object).is_some()).collect()
    }

    fn check_of(&mut self, state: &State, object: Ref) -> Option<MethodId> {
        let name =
            self.options.lazy.as_ref().map(|lazy| lazy.rep_ok.clone()).filter(|name| !name.is_empty())?;
        let method = self.find_method(state.heap.class_of(object), &name, "()Z")?;
        let found = self.method(method);
        (!found.is_static() && found.code().is_some()).then_some(method)
    }

    /// A state that will check an object of a path's input, making the values of unread fields on the way.
    /// Its result is whether the input that it has then is valid for this object.
    pub fn start_check(&mut self, state: &State, object: Ref) -> Option<State> {
        self.check_state(state, object, Purpose::Complete)
    }

    fn check_state(&mut self, state: &State, object: Ref, purpose: Purpose) -> Option<State> {
        let method = self.check_of(state, object)?;
        let mut check = state.clone();
        check.frames.clear();
        check.pending = None;
        check.choices.clear();
        check.used = 0;
        check.entry = None;
        check.receiver = None;
        (check.steps, check.init_steps) = (0, 0);
        let lazy = LazyHeap { purpose, ..LazyHeap::clone(&check.lazy) };
        for (array, body) in &lazy.arrays {
            check.heap.get_mut(*array).body = body.clone();
        }
        for found in &lazy.objects {
            let object = check.heap.get_mut(found.object);
            object.body = match object.body {
                Body::Refs(_) => Body::Refs(found.fields.clone()),
                _ => Body::Fields(found.fields.clone()),
            };
        }
        check.lazy = Rc::new(lazy);
        self.push_call(&mut check, method, &[Value::Ref(object)]).ok()?;
        Some(check)
    }

    /// Whether the input that a path has read so far can be a part of a valid one; `false` is exact.
    pub(crate) fn may_be_valid(&mut self, state: &State) -> bool {
        let purpose = match self.options.lazy.as_ref().map(|lazy| lazy.unread) {
            Some(Unread::Search) => Purpose::Complete,
            _ => Purpose::Check,
        };
        for object in self.checked_objects(state) {
            // Invariants say the same of structures, and more.
            let place = state.lazy.place(object);
            if place.is_some_and(|place| state.lazy.objects[place].at.is_some()) {
                continue;
            }
            if !self.may_hold(state, object, purpose) {
                return false;
            }
        }
        true
    }

    /// Whether the check of an object can say `true`; a verdict on the same structure is reused.
    fn may_hold(&mut self, state: &State, object: Ref, purpose: Purpose) -> bool {
        let key = self.check_key(state, object, purpose);
        if let Some(known) = key.as_ref().and_then(|key| self.verdicts.get(key)) {
            self.lazy_counts.known += 1;
            return *known;
        }
        let Some(check) = self.check_state(state, object, purpose) else { return true };
        let holds = self.some_way_holds(check);
        if let Some(key) = key {
            if self.verdicts.len() >= MOST_KNOWN {
                self.verdicts.clear();
            }
            self.verdicts.insert(key, holds);
        }
        holds
    }

    fn some_way_holds(&mut self, check: State) -> bool {
        self.lazy_counts.checks += 1;
        let mut left = STEPS;
        let mut ways = 0;
        let mut open = vec![OpenWay { state: check, assumed: Vec::new() }];
        while let Some(mut way) = open.pop() {
            match self.run_flow(&mut way.state, &mut left) {
                Flow::Ended(
                    Ending::Returned(Some(Value::Int(0))) | Ending::Threw { .. } | Ending::Invalid,
                ) => {}
                Flow::Ended(_) => return true,
                Flow::Branch | Flow::Choice => {
                    ways += self.arms.len();
                    if ways > WAYS {
                        self.lazy_counts.given_up += 1;
                        return true;
                    }
                    self.open_ways(way, &mut open);
                }
                Flow::OutOfSteps | Flow::Frames | Flow::Met => {
                    self.lazy_counts.given_up += 1;
                    return true;
                }
            }
        }
        false
    }

    // The arms that the assumptions do not exclude, the first on top.
    fn open_ways(&mut self, way: OpenWay, open: &mut Vec<OpenWay>) {
        let arms = std::mem::take(&mut self.arms);
        let known = arms.iter().position(|arm| way.assumed.contains(&arm.constraint));
        for (at, arm) in arms.iter().enumerate().rev() {
            let excluded =
                known.is_some_and(|known| known != at) || way.assumed.contains(&arm.constraint.negated());
            if excluded {
                continue;
            }
            let mut next = OpenWay { state: way.state.clone(), assumed: way.assumed.clone() };
            self.take_arm(&mut next.state, at);
            if arm.constraint != Cond::TRUE {
                next.assumed.push(arm.constraint);
            }
            open.push(next);
        }
    }
}
