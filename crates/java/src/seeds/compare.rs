//! Whether a test is the input with which a path was reported.
//!
//! A seed that reaches the end of a path has been evaluated at every branch. It is still checked: the path's
//! input under the seed's model, described as for any test, has to be what the test has, in every place that
//! the path has read.

use super::super::case::{short, split_receiver};
use super::super::graph;
use evergreen_jvm::{InputObject, State, Value};
use evergreen_replay::{GraphBody, JavaValue, Made, Receiver, TestCase};

/// How much of the input of a path a test has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Said {
    /// Everything that the path has read.
    All,
    /// Some of it is missing, and may have any value.
    Some,
}

/// Compares a test with the input of a path that ended in `state`: `inputs` are its parameters, then draws,
/// `objects` as the path read them. Where they differ, an error.
pub(crate) fn compare(
    case: &TestCase,
    state: &State,
    inputs: &[(String, JavaValue)],
    objects: &[InputObject],
) -> Result<Said, String> {
    let own = graph::objects(objects).ok_or("its path has objects that no test can make")?;
    let mut same = Same { case, objects: vec![None; own.len()], open: Vec::new(), said: Said::All };
    if let Some(place) = own.iter().position(|object| object.name == "this") {
        let receiver = case.receiver.as_ref().unwrap_or(&JavaValue::Null);
        same.value("this", &JavaValue::Ref(place), Some(receiver))?;
    }
    let names = state.parameters.iter().map(|parameter| &*parameter.name);
    let (receiver, inputs) = split_receiver(inputs, case.target.receiver == Receiver::Static, names);
    if let Some(receiver) = receiver
        && !is_default(case, receiver)
    {
        same.value(graph::RECEIVER, receiver, Some(case.receiver.as_ref().unwrap_or(&JavaValue::Null)))?;
    }
    for (at, (name, value)) in inputs.iter().enumerate() {
        let given = if at < state.parameters.len() { graph::parameter(state, at) } else { None };
        let said = match case.arguments.get(at) {
            Some(argument) => Some(argument),
            None => case.draws.iter().find(|(drawn, _)| drawn == name).map(|(_, value)| value),
        };
        same.value(name, given.as_ref().unwrap_or(value), said)?;
    }
    while let Some((place, object)) = same.open.pop() {
        let lazy = state.lazy().objects().get(place);
        let unread = |at: usize| lazy.is_some_and(|lazy| lazy.fields.get(at) == Some(&Value::Unset));
        match (&own[place].body, &case.objects[object].body) {
            (GraphBody::Fields(own), GraphBody::Fields(said)) => {
                for field in own {
                    let said =
                        said.iter().find(|other| other.name == field.name && other.owner == field.owner);
                    same.value(&field.name, &field.value, said.map(|said| &said.value))?;
                }
            }
            (GraphBody::Elements { items, .. }, GraphBody::Elements { items: said, .. }) => {
                if items.len() != said.len() {
                    return Err(format!(
                        "the path has an array of {}, it has one of {}",
                        items.len(),
                        said.len()
                    ));
                }
                for (at, (own, said)) in items.iter().zip(said).enumerate().filter(|(at, _)| !unread(*at)) {
                    same.value(&format!("[{at}]"), own, Some(said))?;
                }
            }
            _ => return Err("the path has an array where it has an object, or the other way round".into()),
        }
    }
    Ok(same.said)
}

/// Whether a test calls the method on a new object, and the path does, too.
fn is_default(case: &TestCase, receiver: &JavaValue) -> bool {
    let is_new = |made: &Made| made.is_new() && made.arguments.is_empty() && made.class == case.target.class;
    case.receiver.is_none() && matches!(receiver, JavaValue::Made(made) if is_new(made))
}

/// Objects of a path, and which object of a test each of them is.
struct Same<'s> {
    case: &'s TestCase,
    objects: Vec<Option<usize>>,
    /// Pairs that were met, and whose contents are still to be compared.
    open: Vec<(usize, usize)>,
    said: Said,
}

impl Same<'_> {
    fn value(&mut self, name: &str, own: &JavaValue, said: Option<&JavaValue>) -> Result<(), String> {
        // What the test leaves open may have any value.
        let Some(said) = said else {
            self.said = Said::Some;
            return Ok(());
        };
        let is_same = match (own, said) {
            (JavaValue::Ref(place), JavaValue::Ref(object)) => self.is_same(*place, *object),
            (JavaValue::Ref(_), _) | (_, JavaValue::Ref(_)) => false,
            // A driver may draw a number of another type than it did.
            (own, said) => own.admits(said) || whole(own).is_some() && whole(own) == whole(said),
        };
        match is_same {
            true => Ok(()),
            false => Err(format!("the path has {name} = {}, it has {}", short(own), short(said))),
        }
    }

    fn is_same(&mut self, place: usize, object: usize) -> bool {
        if let Some(known) = self.objects.get(place).copied().flatten() {
            return known == object;
        }
        if self.objects.contains(&Some(object)) || self.case.objects.get(object).is_none() {
            return false;
        }
        match self.objects.get_mut(place) {
            Some(slot) => *slot = Some(object),
            None => return false,
        }
        self.open.push((place, object));
        true
    }
}

fn whole(value: &JavaValue) -> Option<i64> {
    match value {
        JavaValue::Byte(n) => Some((*n).into()),
        JavaValue::Short(n) => Some((*n).into()),
        JavaValue::Char(n) => Some((*n).into()),
        JavaValue::Int(n) => Some((*n).into()),
        JavaValue::Long(n) => Some(*n),
        _ => None,
    }
}
