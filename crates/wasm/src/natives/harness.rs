//! What harnesses call: inputs are drawn, assumed and asserted, errors are reported.

use super::{Native, NativeKind};
use crate::calc;
use crate::code::To;
use crate::load::Access;
use crate::machine::{Done, Stop, WasmMachine};
use crate::outcome::{FailureKind, OutByte, Outcome};
use crate::state::{Scalar, Slot, State};
use evergreen_symbolic::{Cond, Rel};
use std::rc::Rc;

impl WasmMachine {
    /// What harnesses call.
    pub(super) fn harness(
        &mut self,
        state: &mut State,
        native: &Native,
        args: &[Slot],
    ) -> Done<Option<Slot>> {
        match native.kind {
            NativeKind::MakeSymbolic => {
                let (address, size) = (self.pin(state, args[0])? as u32, self.pin_size(state, args[1])?);
                let name = self.name(state, args[2])?;
                self.check_range(state, Access::Write, address.into(), size.into())?;
                self.make_symbolic(state, address, size, &name);
                Ok(None)
            }
            NativeKind::MakePointer | NativeKind::MakeStruct => {
                if !self.has_arena() {
                    return self.unsupported(state, "pointers as inputs without checks of memory");
                }
                let (address, ty) = (self.pin(state, args[0])? as u32, self.pin(state, args[1])? as u32);
                let name = self.name(state, args[2])?;
                let is_pointer = native.kind == NativeKind::MakePointer;
                let size = if is_pointer { 4 } else { self.size_of(state, ty)? };
                self.check_range(state, Access::Write, address.into(), size.into())?;
                match is_pointer {
                    true => self.make_pointer(state, address, ty, &name, None)?,
                    false => self.make_struct(state, address, ty, &name)?,
                }
                Ok(None)
            }
            NativeKind::Draw(scalar, is_bool) => {
                let name = match args.first() {
                    Some(name) => self.name(state, *name)?,
                    None => native.name.trim_start_matches("__VERIFIER_nondet_").to_string(),
                };
                let value = self.draw_scalar(state, &name, scalar);
                if !is_bool {
                    return Ok(Some(value));
                }
                let holds = self.not_zero(value);
                Ok(Some(calc::truth(&mut self.exprs.borrow_mut(), holds)))
            }
            NativeKind::Range { closed } => self.draw_range(state, args, closed),
            NativeKind::Choose => {
                // The draw is made again when the instruction is: nothing else has changed by then.
                let draws = state.draws.clone();
                let scalar = Scalar { width: 4, signed: false, float: false };
                let value = self.draw_scalar(state, "choose", scalar);
                let fits = {
                    let mut exprs = self.exprs.borrow_mut();
                    let (value, limit) =
                        (calc::expr(&mut exprs, value, To::I32), calc::expr(&mut exprs, args[0], To::I32));
                    exprs.relate_unsigned(Rel::Lt, value, limit)
                };
                self.assumed(state, fits, draws)?;
                Ok(Some(value))
            }
            NativeKind::Assume => {
                let holds = self.truth_of(args[0]);
                let draws = state.draws.clone();
                self.assumed(state, holds, draws)?;
                Ok(None)
            }
            NativeKind::Assert => {
                let holds = self.truth_of(args[0]);
                if !self.is(state, holds)? {
                    return self.fail(state, FailureKind::Assertion, native.name.clone());
                }
                Ok(None)
            }
            NativeKind::SilentExit => Err(Stop::end(Outcome::Assumed)),
            NativeKind::Abort | NativeKind::ReachError => {
                self.fail(state, FailureKind::Abort, native.name.clone())
            }
            NativeKind::Report => {
                let message = self.name(state, args[2])?;
                self.fail(state, FailureKind::Abort, message)
            }
            NativeKind::AssertFail | NativeKind::Fail => {
                let condition = self.name(state, args[0])?;
                self.fail(state, FailureKind::Assertion, condition)
            }
            NativeKind::Sanitizer => {
                let name = native.name.trim_start_matches("__ubsan_handle_");
                let name = name.trim_end_matches("_abort").trim_end_matches("_minimal").replace('_', " ");
                self.fail(state, FailureKind::Undefined, name)
            }
            _ => self.unsupported(state, format!("the import '{}' is not known", native.name)),
        }
    }

    fn truth_of(&mut self, value: Slot) -> Cond {
        match value {
            Slot::Number(0) => Cond::FALSE,
            Slot::Number(_) => Cond::TRUE,
            Slot::Symbolic(_) => self.not_zero(value),
        }
    }

    /// Ends the path where a condition does not hold; until that is decided, `draws` are what was drawn.
    fn assumed(&mut self, state: &mut State, holds: Cond, draws: Rc<Vec<crate::Draw>>) -> Done<()> {
        let now = std::mem::replace(&mut state.draws, draws);
        let holds = self.is(state, holds)?;
        state.draws = now;
        if holds { Ok(()) } else { Err(Stop::end(Outcome::Assumed)) }
    }

    fn draw_range(&mut self, state: &mut State, args: &[Slot], closed: bool) -> Done<Option<Slot>> {
        let name = self.name(state, args[2])?;
        let scalar = Scalar { width: 4, signed: true, float: false };
        // Between two numbers the input itself has the range: nothing is refused, and shares of inputs are
        // those of the range.
        if let [Slot::Number(low), Slot::Number(high), _] = args[..] {
            let (low, high) = (i64::from(low as i32), i64::from(high as i32) - i64::from(!closed));
            if low > high {
                return Err(Stop::end(Outcome::Assumed));
            }
            return Ok(Some(self.draw_within(state, &name, scalar, Some((low, high)))));
        }
        let draws = state.draws.clone();
        let value = self.draw_scalar(state, &name, scalar);
        let fits = {
            let mut exprs = self.exprs.borrow_mut();
            let [value, low, high] =
                [value, args[0], args[1]].map(|slot| calc::expr(&mut exprs, slot, To::I32));
            let above = exprs.relate(Rel::Ge, value, low);
            let below = exprs.relate(if closed { Rel::Le } else { Rel::Lt }, value, high);
            exprs.and(above, below)
        };
        self.assumed(state, fits, draws)?;
        Ok(Some(value))
    }

    /// A text that ends with a zero, as far as it is known.
    pub(crate) fn name(&mut self, state: &mut State, address: Slot) -> Done<String> {
        let address = self.pin(state, address)? as u32;
        let mut bytes = Vec::new();
        for at in (address..).take(4096) {
            if address == 0 || !state.memory.has(at.into(), 1) {
                break;
            }
            match self.text_byte(state, at) {
                OutByte::Number(0) => break,
                OutByte::Number(n) => bytes.push(n),
                OutByte::Symbolic(_) => bytes.push(b'?'),
            }
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}
