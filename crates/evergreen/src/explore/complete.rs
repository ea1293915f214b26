//! A path's partial input made whole: the first valid one that the class's own check accepts under the path condition.
//!
//! The check is explored from the input as the path has read it. What it reads beyond that is chosen as on any path, null first, and
//! its conditions are decided by the same oracle, under those of the path. The first path of it that returns `true` is a valid input; if none
//! does and nothing was cut, no valid input takes the path.

use super::BranchOracle;
use evergreen_explore::{Bounds, End, Explorer, Feasibility, Found, Options, Oracle, Path};
use evergreen_jvm::{Ending, Jvm, State, Value};
use evergreen_symbolic::{Assignment, Cond, Rel};

/// Paths through one check before it is given up.
const PATHS: u64 = 10_000;
/// Instructions on one of them.
const STEPS: u64 = 1_000_000;

/// What became of a partial input.
pub(super) enum Completion {
    /// A valid input: the state in which the last check ended, the conditions of all, a model of them.
    Valid { state: Box<State>, path: Path<Cond>, model: Assignment },
    /// No valid input takes the path.
    Invalid,
    /// Nobody could say.
    Unknown,
}

/// Makes the input of a path that has ended whole.
pub(super) fn complete(
    jvm: &mut Jvm,
    oracle: &mut BranchOracle,
    found: &Found<Jvm, Assignment>,
) -> Completion {
    let mut state = found.state.clone();
    let (mut path, mut model) = (found.path.clone(), found.model.clone());
    let mut at = 0;
    // A check may find more objects that have to be checked.
    while let Some(object) = jvm.checked_objects(&state).get(at).copied() {
        let Some(check) = jvm.start_check(&state, object) else { return Completion::Unknown };
        let bounds = Bounds { paths: Some(PATHS), steps: Some(STEPS), ..Bounds::default() };
        let options = Options { bounds, ..Options::default() };
        let mut explorer = Explorer::under(check, path, model, options);
        // What an earlier check chose is not chosen again.
        let mut doubt = at > 0;
        loop {
            let Some(next) = explorer.next(jvm, oracle) else {
                doubt |= explorer.summary().cut.total() > 0;
                return if doubt { Completion::Unknown } else { Completion::Invalid };
            };
            match holds(jvm, oracle, &next) {
                Feasibility::Feasible((with, found)) => {
                    (state, path, model) = (next.state, with, found);
                    break;
                }
                Feasibility::Infeasible => {}
                Feasibility::Unknown => doubt = true,
            }
        }
        at += 1;
    }
    Completion::Valid { state: Box::new(state), path, model }
}

/// Whether a check said `true`; conditions under which it did.
fn holds(
    jvm: &mut Jvm,
    oracle: &mut BranchOracle,
    found: &Found<Jvm, Assignment>,
) -> Feasibility<(Path<Cond>, Assignment)> {
    let End::Outcome(outcome) = &found.end else { return Feasibility::Unknown };
    match outcome.ending {
        Ending::Returned(Some(Value::Int(0))) | Ending::Threw { .. } | Ending::Assumed | Ending::Invalid => {
            Feasibility::Infeasible
        }
        Ending::Returned(Some(Value::Int(_))) => {
            Feasibility::Feasible((found.path.clone(), found.model.clone()))
        }
        Ending::Returned(Some(Value::Sym(said))) => {
            let condition = jvm.relate_to(Rel::Ne, said, 0);
            let path = || found.path.with(condition);
            if oracle.holds(condition, &found.model) {
                return Feasibility::Feasible((path(), found.model.clone()));
            }
            match oracle.ask(&found.path, &found.model, condition) {
                Feasibility::Feasible(model) => Feasibility::Feasible((path(), model)),
                Feasibility::Infeasible => Feasibility::Infeasible,
                Feasibility::Unknown => Feasibility::Unknown,
            }
        }
        _ => Feasibility::Unknown,
    }
}
