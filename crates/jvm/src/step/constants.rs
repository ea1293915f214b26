//! Constants from the pool, and switches.

use std::rc::Rc;

use evergreen_classfile::Constant;

use super::{Step, operand, replace};
use crate::branch::Grouping;
use crate::classes::resolve::{constants, malformed};
use crate::classes::{Method, Resolved};
use crate::log::LoggedWay;
use crate::machine::Jvm;
use crate::native::Call;
use crate::state::State;
use crate::value::Value;

impl Jvm {
    pub(super) fn load_constant(&mut self, state: &mut State, method: &Rc<Method>, index: u16) -> Step {
        if let Resolved::Literal(literal) = method.pool.get(index)
            && let Some(Some(object)) = state.literals.get(literal as usize)
        {
            replace(state, 0, Value::Ref(*object), false);
            return Ok(());
        }
        let value = match constants(&method.pool)?.constant(index).map_err(malformed)? {
            Constant::Int(value) => Value::Int(value),
            Constant::Float(value) => Value::Float(value),
            Constant::Long(value) => Value::Long(value),
            Constant::Double(value) => Value::Double(value),
            Constant::String(text) => {
                let units = text.units();
                method.pool.set(index, Resolved::Literal(self.literal(&units)));
                Value::Ref(self.intern(state, &units))
            }
            Constant::Class(_) => {
                let class = self.resolve_class(&method.pool, index)?;
                Value::Ref(self.mirror(state, class))
            }
            Constant::MethodHandle { .. } | Constant::MethodType(_) | Constant::Dynamic(_) => {
                let call = &mut Call { jvm: self, state, method: method.clone(), args: &[] };
                crate::indy::constant(call, index)?
            }
        };
        let wide = match value {
            Value::Long(_) | Value::Double(_) => true,
            other => self.is_wide(other),
        };
        replace(state, 0, value, wide);
        Ok(())
    }

    /// Whether the switch is a branch of the path; otherwise the frame has jumped.
    pub(super) fn switch(&mut self, state: &mut State, method: &Rc<Method>, index: u32) -> bool {
        let value = operand(state, 0);
        self.log(state, LoggedWay::Switch(value));
        if let (true, Some(code), Some(number)) =
            (method.user && self.near.is_some(), method.code(), value.as_int())
        {
            self.note_switch(state, method, &code.switches[index as usize].cases, number);
        }
        let (Some(code), Some(frame)) = (method.code(), state.top_mut()) else { return false };
        let switch = &code.switches[index as usize];
        frame.sp -= 1;
        let grouping = if method.user { Grouping::Cases } else { Grouping::Targets };
        let target = match value {
            Value::Sym(expr) => match self.branch_switch(state, expr, switch, grouping) {
                Ok(()) => return true,
                Err(only) => only,
            },
            other => switch.target(other.as_int().unwrap_or(0)),
        };
        if let Some(frame) = state.top_mut() {
            frame.pc = target;
        }
        false
    }
}
