//! Whether a test is the input that a path was told with.
//!
//! A seed that reaches the end of a path has been evaluated at every branch. Still, nothing is believed: the path's input under the
//! seed's model, told as for any test, has to be what the test has, in every place that the path has read.

use super::super::ending::short;
use super::super::graph;
use evergreen_jvm::{InputObject, State, Value};
use evergreen_replay::{GraphBody, JavaValue, TestCase};

/// Where a test differs from the input of a path that ended in `state`: `inputs` are its parameters, then draws, `objects` as the path
/// read them.
pub(super) fn difference(
    case: &TestCase,
    state: &State,
    inputs: &[(String, JavaValue)],
    objects: &[InputObject],
) -> Option<String> {
    let told = graph::objects(objects)?;
    let mut same = Same { case, objects: vec![None; told.len()], open: Vec::new() };
    if let Some(place) = told.iter().position(|object| object.name == "this") {
        let receiver = case.receiver.as_ref().unwrap_or(&JavaValue::Null);
        if let Some(why) = same.differ("this", &JavaValue::Ref(place), receiver) {
            return Some(why);
        }
    }
    for (at, (name, value)) in inputs.iter().enumerate() {
        let given = if at < state.parameters.len() { graph::parameter(state, at) } else { None };
        let said = match case.arguments.get(at) {
            Some(argument) => Some(argument),
            None => case.draws.iter().find(|(drawn, _)| drawn == name).map(|(_, value)| value),
        };
        // What it does not say is as good as any other value.
        if let Some(said) = said
            && let Some(why) = same.differ(name, given.as_ref().unwrap_or(value), said)
        {
            return Some(why);
        }
    }
    while let Some((place, object)) = same.open.pop() {
        let lazy = state.lazy().objects().get(place);
        let was_read = |at: usize| {
            lazy.is_none_or(|lazy| lazy.fields.get(at).is_none_or(|value| *value != Value::Unset))
        };
        let why = match (&told[place].body, &case.objects.get(object)?.body) {
            (GraphBody::Fields(told), GraphBody::Fields(said)) => told.iter().find_map(|field| {
                let said =
                    said.iter().find(|other| other.name == field.name && other.owner == field.owner)?;
                same.differ(&field.name, &field.value, &said.value)
            }),
            (GraphBody::Elements { items, .. }, GraphBody::Elements { items: said, .. }) => {
                if items.len() != said.len() {
                    return Some(format!("an array has {} elements, not {}", items.len(), said.len()));
                }
                let mut both = items.iter().zip(said).enumerate().filter(|(at, _)| was_read(*at));
                both.find_map(|(at, (told, said))| same.differ(&format!("[{at}]"), told, said))
            }
            _ => Some("an array is an object, or the other way round".into()),
        };
        if why.is_some() {
            return why;
        }
    }
    None
}

/// Objects of a path, and which object of a test each of them is.
struct Same<'s> {
    case: &'s TestCase,
    objects: Vec<Option<usize>>,
    /// Pairs that were met, and whose contents are still to be compared.
    open: Vec<(usize, usize)>,
}

impl Same<'_> {
    fn differ(&mut self, name: &str, told: &JavaValue, said: &JavaValue) -> Option<String> {
        let is_same = match (told, said) {
            (JavaValue::Ref(place), JavaValue::Ref(object)) => self.is_same(*place, *object),
            (JavaValue::Ref(_), _) | (_, JavaValue::Ref(_)) => false,
            // A driver may draw a number of another type than it did.
            (told, said) => told.admits(said) || whole(told).is_some() && whole(told) == whole(said),
        };
        (!is_same).then(|| format!("the path has {name} = {}, it has {}", short(told), short(said)))
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
