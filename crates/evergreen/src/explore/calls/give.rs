//! A test is given the calls that make its objects. Where these make other numbers than the model of its path says, which is so for counters of
//! changes (`modCount`), the model is moved to what the calls make, if the path lets it.

use super::{Calls, Freedom, Moved};
use crate::explore::ending::PathEnd;
use evergreen_explore::Path;
use evergreen_jvm::classes::FieldInfo;
use evergreen_jvm::{Jvm, State, Value};
use evergreen_replay::{GraphBody, GraphObject, JavaValue};
use evergreen_symbolic::{Assignment, Cond, Const};

/// A path with a whole input.
pub(in crate::explore) struct Whole<'p> {
    /// The state that has the input.
    pub(in crate::explore) input: &'p State,
    /// All that has to hold of it.
    pub(in crate::explore) path: &'p Path<Cond>,
    /// A model of that.
    pub(in crate::explore) model: &'p Assignment,
}

/// Gives the test of a path the calls that make its objects; whether there are such. `tell` tells the path with another model.
pub(in crate::explore) fn give(
    calls: &mut Calls,
    jvm: &mut Jvm,
    base: &State,
    told: &mut PathEnd,
    whole: &Whole<'_>,
    tell: impl FnOnce(&Jvm, Assignment) -> PathEnd,
) -> bool {
    let Some(case) = &mut told.case else { return false };
    let Some(found) = calls.find(jvm, base, case, Freedom::Counters) else { return false };
    if found.moved.is_empty() {
        case.build = Some(found.build);
        return true;
    }
    let wanted = with_moved(&case.objects, &found.moved);
    if let Some(model) = moved_model(jvm, whole, &case.objects, &found.moved) {
        let mut next = tell(jvm, model);
        if let Some(other) = next.case.as_mut().filter(|next| next.objects == wanted) {
            other.build = Some(found.build);
            *told = next;
            return true;
        }
    }
    case.build = calls.find(jvm, base, case, Freedom::None).map(|found| found.build);
    case.build.is_some()
}

/// The objects as the calls make them.
fn with_moved(objects: &[GraphObject], moved: &[Moved]) -> Vec<GraphObject> {
    let mut objects = objects.to_vec();
    for Moved { object, field, value } in moved {
        if let GraphBody::Fields(fields) = &mut objects[*object].body {
            fields[*field].value = match value {
                Value::Long(n) => JavaValue::Long(*n),
                Value::Int(n) => JavaValue::Int(*n),
                _ => continue,
            };
        }
    }
    objects
}

/// A model in which the inputs behind these fields have these values; `None` if they are no inputs, or the path does not let them.
fn moved_model(jvm: &Jvm, whole: &Whole<'_>, objects: &[GraphObject], moved: &[Moved]) -> Option<Assignment> {
    let exprs = jvm.exprs.borrow();
    let mut model = whole.model.clone();
    for Moved { object, field, value } in moved {
        let GraphBody::Fields(fields) = &objects[*object].body else { return None };
        let (field, lazy) = (&fields[*field], whole.input.lazy().objects().get(*object)?);
        let class = jvm.class(whole.input.heap.class_of(lazy.object));
        let is_it = |known: &&FieldInfo| {
            *known.name == *field.name && jvm.class(known.owner).java_name() == field.owner
        };
        let slot = class.instance_fields.iter().find(is_it)?.slot as usize;
        let Value::Sym(expr) = *lazy.fields.get(slot)? else { return None };
        let input = exprs.as_input(expr)?;
        let value = match value {
            Value::Int(n) => Const::I32(*n),
            Value::Long(n) => Const::I64(*n),
            _ => return None,
        };
        model.set(&exprs, input, value);
        if !exprs.in_range(&[input], &model) {
            return None;
        }
    }
    let holds = whole.path.constraints().iter().all(|condition| exprs.holds(*condition, &model));
    holds.then_some(model)
}
