//! A path's partial input made whole by a test that takes the path: as the test has it, if that is valid.
//!
//! No solver is asked. A structure with an invariant gets the shape that the test's objects have, and what
//! the invariant says of plain fields is evaluated; the class's own check is run on the test's values, branch
//! by branch. So a test that was valid on an older version and is not any more is detected, and a kept test
//! costs no solver call.

use super::guided::hold;
use super::{STEPS, is_in_structure};
use crate::frontend::JavaFrontend;
use crate::seeds;
use evergreen_deciding::BranchOracle;
use evergreen_explore::{Found, Machine, Oracle, Pause, SeedGuide};
use evergreen_heap::{Heap, Object, Value as Held};
use evergreen_jvm::{At, Ending, Jvm, Ref, State, Value};
use evergreen_service::TestGuide;
use evergreen_symbolic::Assignment;

/// Completes the input of a path as a test has it; or returns why the test is not valid.
pub(crate) fn follow(
    jvm: &mut Jvm,
    oracle: &mut BranchOracle,
    found: &Found<Jvm, Assignment>,
    guide: &mut TestGuide<JavaFrontend>,
    seed: usize,
) -> Result<(Box<State>, Assignment), String> {
    let (mut state, mut model) = (found.state.clone(), found.model.clone());
    let (mut structures, mut objects) = (0, 0);
    // A check may find more objects and structures.
    loop {
        if structures < state.lazy().structures().len() {
            let (heap, places) = shape(jvm, &state, guide, seed, structures)?;
            let whole = jvm.with_structure(&state, structures, &heap, &places);
            state = whole.ok_or("its objects cannot be made")?;
            guide.meet(jvm, &state, &[], seed, &mut model)?;
            if !hold(jvm, oracle, &state, &model, structures) {
                return Err("the invariant does not hold".into());
            }
            structures += 1;
        } else if let Some(object) = jvm.checked_objects(&state).get(objects).copied() {
            let structured = is_in_structure(&state, object);
            let checked = check(jvm, oracle, &state, object, guide, seed, &mut model)?;
            // An input that an invariant has completed has nothing that a check could add.
            if !structured {
                state = checked;
            }
            objects += 1;
        } else {
            break;
        }
    }
    guide.meet(jvm, &state, &[], seed, &mut model)?;
    Ok((Box::new(state), model))
}

/// The structure that a test has, and which of its objects are those that the path has met.
fn shape(
    jvm: &mut Jvm,
    state: &State,
    guide: &TestGuide<JavaFrontend>,
    seed: usize,
    structure: usize,
) -> Result<(Heap, Vec<Object>), String> {
    let none = || "its objects are not those of the path".to_string();
    let found = state.lazy().structures().get(structure).ok_or_else(none)?.clone();
    let invariant = jvm.guide(found.guide).invariant().clone();
    let met: Vec<_> = found.partial.heap.objects().collect();
    let way = |object: Object| {
        let at = At { structure, object };
        let lazy = state.lazy().objects().iter().find(|lazy| lazy.at == Some(at));
        lazy.map(|lazy| lazy.name.clone()).ok_or_else(none)
    };
    let root = seeds::object(guide, jvm, seed, &way(Object(0))?).ok_or_else(none)?;
    let mut heap = Heap::new(&invariant.shape);
    // The test's object of each label.
    let mut labels = vec![root];
    let mut next = 0;
    while next < labels.len() {
        let label = Object(next as u8);
        let class = heap.class(label);
        for field in invariant.shape.forward(class).collect::<Vec<_>>() {
            let Some(to) = seeds::reference(guide, jvm, (seed, labels[next]), found.guide, class, field)?
            else {
                continue;
            };
            if !labels.contains(&to) {
                let kind = seeds::class(guide, jvm, seed, to).ok_or_else(none)?;
                let classes = jvm.guide(found.guide).classes();
                let kind = classes.iter().position(|class| *class == kind).ok_or_else(none)?;
                if labels.len() >= evergreen_heap::heap::MOST_OBJECTS {
                    return Err("it has too many objects".into());
                }
                heap.add(evergreen_heap::ClassId(kind as u8));
                labels.push(to);
            }
        }
        next += 1;
    }
    for (at, object) in labels.iter().enumerate() {
        let label = Object(at as u8);
        let class = heap.class(label);
        for field in invariant.shape.fields_of(class).iter().filter(|f| invariant.shape.target(**f).is_some())
        {
            let held = match seeds::reference(guide, jvm, (seed, *object), found.guide, class, *field)? {
                None => Held::Null,
                Some(to) => {
                    let label = labels.iter().position(|known| *known == to).ok_or_else(none)?;
                    Held::Object(Object(label as u8))
                }
            };
            heap.set(label, *field, held);
        }
    }
    let place = |object: Object| {
        let object = seeds::object(guide, jvm, seed, &way(object)?).ok_or_else(none)?;
        let label = labels.iter().position(|known| *known == object).ok_or_else(none)?;
        Ok(Object(label as u8))
    };
    let places = met.into_iter().map(place).collect::<Result<Vec<_>, String>>()?;
    Ok((heap, places))
}

/// Runs the check of an object on a test's values; the input with what the check has read.
fn check(
    jvm: &mut Jvm,
    oracle: &mut BranchOracle,
    state: &State,
    object: Ref,
    guide: &mut TestGuide<JavaFrontend>,
    seed: usize,
    model: &mut Assignment,
) -> Result<State, String> {
    let mut check = jvm.start_check(state, object).ok_or("its objects cannot be checked")?;
    let mut arms = Vec::new();
    loop {
        match jvm.run(&mut check, STEPS, &mut arms) {
            Pause::Branch => {
                guide.meet(jvm, &check, &arms, seed, model)?;
                let arm = arms.iter().position(|arm| oracle.holds(arm.constraint, model));
                jvm.take(&mut check, arm.ok_or("its objects cannot be checked")?);
            }
            Pause::Choice => {
                let arm = guide.choose(jvm, &check, &arms, seed)?;
                jvm.take(&mut check, arm);
            }
            Pause::Ended(outcome) => {
                guide.meet(jvm, &check, &[], seed, model)?;
                return match outcome.ending {
                    Ending::Returned(Some(value)) if jvm.evaluate(value, model) != Value::Int(0) => Ok(check),
                    Ending::Returned(_) | Ending::Threw { .. } => {
                        Err("its objects are not valid any more".into())
                    }
                    _ => Err("its objects cannot be checked".into()),
                };
            }
            Pause::OutOfSteps | Pause::Met => return Err("its objects cannot be checked".into()),
        }
    }
}
