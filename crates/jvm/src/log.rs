//! Every branch of the user's classes along a path, concrete ones included: probes on the real JVM
//! must see the same branches.
//!
//! Off unless [`crate::Options::record`] says otherwise: the explorer needs symbolic branches only, and has
//! them in [`crate::State::trace`]. A switch is logged with the value it switched on, because which of
//! several cases with one target it was depends on the inputs.

use std::sync::Arc;

use evergreen_symbolic::Assignment;

use crate::classes::MethodId;
use crate::machine::Jvm;
use crate::state::State;
use crate::value::Value;

/// One branch as it is logged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Logged {
    pub(crate) method: MethodId,
    pub(crate) pc: u32,
    pub(crate) way: LoggedWay,
}

/// Which way, as far as it is known before the inputs are.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LoggedWay {
    Taken,
    Fallthrough,
    Switch(Value),
}

/// Which way a branch went.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Way {
    /// A conditional jump jumped.
    Taken,
    /// A conditional jump did not jump.
    Fallthrough,
    /// A switch found the value at this index of its cases, which are sorted by value.
    Case(u32),
    /// A switch found none of its values, or one with the target of the default.
    Default,
}

/// A branch and the way it went.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TakenArm {
    /// Internal name of the class.
    pub class: Arc<str>,
    /// The method's name.
    pub method: Arc<str>,
    /// Its descriptor.
    pub descriptor: Arc<str>,
    /// Byte offset of the branch.
    pub offset: u32,
    /// The way it went.
    pub way: Way,
}

impl Jvm {
    /// Notes a branch, if the user's branches are recorded.
    #[inline]
    pub(crate) fn log(&self, state: &mut State, way: LoggedWay) {
        if self.options.record == 0 {
            return;
        }
        let Some(frame) = state.top().filter(|frame| frame.method.user) else { return };
        let logged = Logged { method: frame.method.id, pc: frame.pc, way };
        // One entry more than the bound marks a cut log.
        if state.log.len() <= self.options.record {
            state.log.push(logged);
        }
    }

    /// All branches of the user's classes along a path, in order, under an assignment of the inputs. `None`
    /// if they were not recorded, or more than [`crate::Options::record`].
    pub fn arms_under(&self, state: &State, inputs: &Assignment) -> Option<Vec<TakenArm>> {
        if self.options.record == 0 || state.log.len() > self.options.record {
            return None;
        }
        state.log.iter().map(|logged| self.taken_arm(logged, inputs)).collect()
    }

    fn taken_arm(&self, logged: &Logged, inputs: &Assignment) -> Option<TakenArm> {
        let method = self.method(logged.method);
        let code = method.code()?;
        let way = match logged.way {
            LoggedWay::Taken => Way::Taken,
            LoggedWay::Fallthrough => Way::Fallthrough,
            LoggedWay::Switch(value) => {
                let value = self.evaluate(value, inputs).as_int()?;
                let evergreen_classfile::Instruction::Switch(index) = code.instructions[logged.pc as usize]
                else {
                    return None;
                };
                let switch = code.switches.get(index as usize)?;
                let case = switch.iter().position(|(case, target)| case == value && target != switch.default);
                case.map_or(Way::Default, |case| Way::Case(case as u32))
            }
        };
        Some(TakenArm {
            class: method.class_name.clone(),
            method: method.name.clone(),
            descriptor: method.descriptor.clone(),
            offset: *code.offsets.get(logged.pc as usize)?,
            way,
        })
    }
}
