//! A test is given the calls that make its objects.
//!
//! Only the path counts. A field that the path has not read may hold anything: where calls make it differ
//! from the completed input, the test leaves the field out. Where they make another number of a field that
//! the path has read, as in counters of changes (`modCount`), the model is moved to the number that the calls
//! make, if the path allows it.

use super::{Calls, Free, Freedom, Moved, rows};
use crate::PathEnd;
use evergreen_explore::Path;
use evergreen_jvm::classes::FieldInfo;
use evergreen_jvm::{InputObject, Jvm, State, Value};
use evergreen_replay::{GraphBody, GraphObject, JavaValue};
use evergreen_symbolic::{Assignment, Cond, Const};

/// A path with a whole input.
pub(crate) struct Whole<'p> {
    /// The state that has the input.
    pub(crate) input: &'p State,
    /// All that has to hold of it.
    pub(crate) path: &'p Path<Cond>,
    /// A model of that.
    pub(crate) model: &'p Assignment,
}

/// Gives the test of a path the calls that make its objects; returns whether there are such. `describe` gives
/// the path under another model.
pub(crate) fn give(
    calls: &mut Calls,
    jvm: &mut Jvm,
    base: &State,
    path: &mut PathEnd,
    whole: &Whole<'_>,
    describe: impl FnOnce(&Jvm, Assignment) -> PathEnd,
) -> bool {
    let Some(case) = &mut path.case else { return false };
    let mut free = freedom(&case.objects, &path.beyond.read);
    let Some(found) = calls.find(jvm, base, case, &free) else { return false };
    let (moved, unread): (Vec<Moved>, Vec<Moved>) =
        found.moved.into_iter().partition(|moved| moved.value.is_some());
    if moved.is_empty() {
        case.objects = without(&case.objects, &unread);
        case.build = Some(found.build);
        return true;
    }
    let wanted = with_moved(&case.objects, &moved);
    if let Some(model) = moved_model(jvm, whole, &case.objects, &moved) {
        let mut next = describe(jvm, model);
        if let Some(other) = next.case.as_mut().filter(|next| next.objects == wanted) {
            other.objects = without(&wanted, &unread);
            other.build = Some(found.build);
            *path = next;
            return true;
        }
    }
    free.retain(|_, free| *free == Free::Unread);
    let Some(found) = calls.find(jvm, base, case, &free) else { return false };
    case.objects = without(&case.objects, &found.moved);
    case.build = Some(found.build);
    true
}

/// Which fields calls may make differently: plain ones that the path has not read, and whole numbers in
/// objects that are the only ones of their class.
fn freedom(objects: &[GraphObject], read: &[InputObject]) -> Freedom {
    let all: Vec<usize> = (0..objects.len()).collect();
    let alone = rows::alone(objects, &all);
    let mut free = Freedom::new();
    for (index, object) in objects.iter().enumerate() {
        let GraphBody::Fields(fields) = &object.body else { continue };
        let read =
            read.get(index).filter(|read| *read.name == *object.name).map_or(&[][..], |read| &read.fields);
        for (at, field) in fields.iter().enumerate() {
            if matches!(field.value, JavaValue::Ref(_) | JavaValue::Array { .. }) {
                continue;
            }
            let is_read = read
                .iter()
                .any(|(owner, name, _)| **name == *field.name && owner.replace('/', ".") == field.owner);
            if !is_read {
                free.insert((index, at), Free::Unread);
            } else if alone.contains(&index) {
                free.insert((index, at), Free::Number);
            }
        }
    }
    free
}

/// The objects without these fields.
fn without(objects: &[GraphObject], unread: &[Moved]) -> Vec<GraphObject> {
    let mut objects = objects.to_vec();
    for (index, object) in objects.iter_mut().enumerate() {
        if let GraphBody::Fields(fields) = &mut object.body {
            let mut at = 0;
            fields.retain(|_| {
                at += 1;
                !unread.iter().any(|moved| moved.object == index && moved.field == at - 1)
            });
        }
    }
    objects
}

/// The objects as the calls make them.
fn with_moved(objects: &[GraphObject], moved: &[Moved]) -> Vec<GraphObject> {
    let mut objects = objects.to_vec();
    for Moved { object, field, value } in moved {
        if let GraphBody::Fields(fields) = &mut objects[*object].body {
            fields[*field].value = match value {
                Some(Value::Long(n)) => JavaValue::Long(*n),
                Some(Value::Int(n)) => JavaValue::Int(*n),
                _ => continue,
            };
        }
    }
    objects
}

/// A model in which the inputs behind these fields have these values; `None` if they are no inputs, or the
/// path does not let them.
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
            Some(Value::Int(n)) => Const::I32(*n),
            Some(Value::Long(n)) => Const::I64(*n),
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
