//! A path's partial input made whole: valid, and such that it takes the path.
//!
//! Structures with an invariant are completed by it (`guided.rs`); if their class also has a check, it is run
//! on the result and has to agree. Other objects are completed by the class's own check. It is explored from
//! the input as the path has read it; what it reads beyond that is chosen as on any path, null first, and its
//! conditions are decided by the same oracle, under those of the path. The first path of it that returns
//! `true` is a valid input; if none does and nothing was cut, no valid input takes the path.

mod condition;
mod guided;
mod seeded;

use crate::graph;
use evergreen_deciding::BranchOracle;
use evergreen_explore::{Bounds, End, Explorer, Feasibility, Found, Machine, Options, Oracle, Path, Pause};
use evergreen_jvm::{Ending, Jvm, Ref, State, Value};
use evergreen_service::Completion;
use evergreen_symbolic::{Assignment, Cond, Rel};
use guided::Guided;

pub(crate) use seeded::follow;

/// Paths through one check before it is given up.
const PATHS: u64 = 10_000;
/// Instructions on one of them.
const STEPS: u64 = 1_000_000;

/// An input on its way to a valid one.
struct Partly {
    state: State,
    path: Path<Cond>,
    model: Assignment,
    /// A choice was made that had alternatives: a failure from here on proves nothing.
    chosen: bool,
}

impl Partly {
    /// What the path has read.
    fn of(found: &Found<Jvm, Assignment>) -> Partly {
        let (state, path, model) = (found.state.clone(), found.path.clone(), found.model.clone());
        Partly { state, path, model, chosen: false }
    }
}

/// Makes the input of a path that has ended whole.
pub(crate) fn complete(
    jvm: &mut Jvm,
    oracle: &mut BranchOracle,
    found: &Found<Jvm, Assignment>,
) -> Completion<State> {
    let mut partly = Partly::of(found);
    let (mut structures, mut objects) = (0, 0);
    // A check may find more objects and structures that have to be made whole.
    loop {
        if structures < partly.state.lazy().structures().len() {
            if let Err(end) = with_structure(jvm, oracle, found, &mut partly, structures) {
                return end;
            }
            structures += 1;
        } else if let Some(object) = jvm.checked_objects(&partly.state).get(objects).copied() {
            let checked = match is_in_structure(&partly.state, object) {
                true => agreed(jvm, oracle, &mut partly, object),
                false => with_check(jvm, oracle, &mut partly, object),
            };
            if let Err(end) = checked {
                return if is_refused_alone(jvm, oracle, found, object) { Completion::Invalid } else { end };
            }
            objects += 1;
        } else {
            break;
        }
    }
    let Partly { state, path, model, .. } = partly;
    Completion::Valid { state: Box::new(state), path, model }
}

fn is_in_structure(state: &State, object: Ref) -> bool {
    let place = state.lazy().place(object);
    place.is_some_and(|place| state.lazy().objects()[place].at.is_some())
}

/// Makes a structure whole.
fn with_structure(
    jvm: &mut Jvm,
    oracle: &mut BranchOracle,
    found: &Found<Jvm, Assignment>,
    partly: &mut Partly,
    structure: usize,
) -> Result<(), Completion<State>> {
    match guided::complete(jvm, oracle, &partly.state, &partly.path, &partly.model, structure) {
        Guided::Whole(state, path, model) => {
            *partly = Partly { state: *state, path, model, chosen: true };
            Ok(())
        }
        Guided::Invalid if !partly.chosen => Err(Completion::Invalid),
        // The choices for other structures may exclude it; taken alone it is what the path has read.
        Guided::Invalid if structure < found.state.lazy().structures().len() => {
            match guided::complete(jvm, oracle, &found.state, &found.path, &found.model, structure) {
                Guided::Invalid => Err(Completion::Invalid),
                _ => Err(Completion::Unknown),
            }
        }
        Guided::Invalid | Guided::Unknown => Err(Completion::Unknown),
    }
}

/// Whether the check of an object that an invariant has made whole accepts it.
fn agreed(
    jvm: &mut Jvm,
    oracle: &mut BranchOracle,
    partly: &mut Partly,
    object: Ref,
) -> Result<(), Completion<State>> {
    let Some(mut check) = jvm.start_check(&partly.state, object) else { return Err(Completion::Unknown) };
    let mut arms = Vec::new();
    loop {
        match jvm.run(&mut check, STEPS, &mut arms) {
            Pause::Branch => {
                let arm = arms.iter().position(|arm| oracle.holds(arm.constraint, &partly.model));
                let Some(arm) = arm else { return Err(Completion::Unknown) };
                jvm.take(&mut check, arm);
            }
            Pause::Ended(outcome) => {
                let said = match outcome.ending {
                    Ending::Returned(Some(value)) => jvm.evaluate(value, &partly.model),
                    Ending::Threw { .. } => Value::Int(0),
                    _ => return Err(Completion::Unknown),
                };
                return match said {
                    Value::Int(0) => {
                        let input = jvm.input_objects(&partly.state, &partly.model);
                        Err(Completion::Disagreement(graph::shown(&input)))
                    }
                    _ => Ok(()),
                };
            }
            // The check reads what the invariant leaves open: values have to be searched for.
            Pause::Choice => return with_check(jvm, oracle, partly, object),
            Pause::OutOfSteps | Pause::Met => return Err(Completion::Unknown),
        }
    }
}

/// Whether the check of an object refuses all that the path has left open, whatever other objects are.
fn is_refused_alone(
    jvm: &mut Jvm,
    oracle: &mut BranchOracle,
    found: &Found<Jvm, Assignment>,
    object: Ref,
) -> bool {
    found.state.lazy().place(object).is_some()
        && !is_in_structure(&found.state, object)
        && matches!(with_check(jvm, oracle, &mut Partly::of(found), object), Err(Completion::Invalid))
}

/// Makes an object whole by its check.
fn with_check(
    jvm: &mut Jvm,
    oracle: &mut BranchOracle,
    partly: &mut Partly,
    object: Ref,
) -> Result<(), Completion<State>> {
    let Some(check) = jvm.start_check(&partly.state, object) else { return Err(Completion::Unknown) };
    let bounds = Bounds { paths: Some(PATHS), steps: Some(STEPS), ..Bounds::default() };
    let options = Options { bounds, ..Options::default() };
    let mut explorer = Explorer::under(check, partly.path.clone(), partly.model.clone(), options);
    let mut doubt = partly.chosen;
    loop {
        let Some(next) = explorer.next(jvm, oracle) else {
            doubt |= explorer.summary().cut.total() > 0;
            return Err(if doubt { Completion::Unknown } else { Completion::Invalid });
        };
        match holds(jvm, oracle, &next) {
            Feasibility::Feasible((path, model)) => {
                *partly = Partly { state: next.state, path, model, chosen: true };
                return Ok(());
            }
            Feasibility::Infeasible => {}
            Feasibility::Unknown => doubt = true,
        }
    }
}

/// Whether a check returned `true`; the conditions under which it did.
fn holds(
    jvm: &mut Jvm,
    oracle: &mut BranchOracle,
    found: &Found<Jvm, Assignment>,
) -> Feasibility<(Path<Cond>, Assignment)> {
    let End::Outcome(outcome) = &found.end else { return Feasibility::Unknown };
    match outcome.ending {
        Ending::Returned(Some(Value::Int(0)))
        | Ending::Threw { .. }
        | Ending::Assumed
        | Ending::Refused
        | Ending::Invalid => Feasibility::Infeasible,
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
