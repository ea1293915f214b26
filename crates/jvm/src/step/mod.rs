//! Instructions.
use crate::machine::{Flow, Jvm};
use crate::native::Trap;
use crate::state::State;
impl Jvm {
    pub(crate) fn run_frame(&mut self, _state: &mut State, _left: &mut u64) -> Result<Flow, Box<Trap>> {
        Ok(Flow::OutOfSteps)
    }
}
