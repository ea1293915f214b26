//! What was found, each thing once: exceptions of one class at one place are one finding, told by its smallest inputs.

use super::draw::picture;
use super::draw::picture::Picture;
use super::tests_run::Kept;
use evergreen_java::Place;
use evergreen_java::jvm::InputObject;
use evergreen_java::replay::JavaValue;
use evergreen_java::{How, MethodRef, PathEnd, Stop};

/// A finding.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Class of the exception.
    pub class: String,
    /// Its message, with these inputs.
    pub message: Option<String>,
    /// Where it was thrown.
    pub place: Option<Place>,
    /// The smallest inputs that were found for it.
    pub inputs: Vec<(String, JavaValue)>,
    /// The objects among them.
    pub objects: Vec<InputObject>,
    /// A picture of these.
    pub picture: Option<Picture>,
    /// Their path.
    pub stops: Vec<Stop>,
    /// The conditions of that path.
    pub conditions: Vec<String>,
    /// The number of that path.
    pub path: u64,
    /// Its test, if there is a suite.
    pub test: Option<Kept>,
    /// Paths that end so.
    pub paths: u64,
}

impl Finding {
    /// What is wrong, in a few words.
    pub fn what(&self) -> &'static str {
        match self.class.as_str() {
            "java.lang.AssertionError" => "assertion",
            "evergreen.CheckFailed" => "check",
            _ => "exception",
        }
    }
}

/// The findings of one method, in the order in which they were met.
#[derive(Default)]
pub struct Findings(Vec<Finding>);

impl Findings {
    /// Looks at the end of a path.
    pub fn add(&mut self, method: &MethodRef, end: &PathEnd, test: Option<&Kept>) {
        let How::Threw { class, message, place } = &end.how else { return };
        let new = Finding {
            class: class.clone(),
            message: message.clone(),
            place: place.clone(),
            inputs: end.inputs.clone(),
            objects: end.beyond.objects.clone(),
            picture: None,
            stops: end.stops.clone(),
            conditions: end.conditions.clone(),
            path: end.number,
            test: test.cloned(),
            paths: 1,
        };
        let picture = || (!end.beyond.objects.is_empty()).then(|| picture(method, end));
        let same = |old: &&mut Finding| old.class == new.class && old.place == new.place;
        match self.0.iter_mut().find(same) {
            None => self.0.push(Finding { picture: picture(), ..new }),
            Some(old) => {
                let paths = old.paths + 1;
                if (new.objects.len(), size(&new.inputs)) < (old.objects.len(), size(&old.inputs)) {
                    *old = Finding { picture: picture(), ..new };
                }
                old.paths = paths;
            }
        }
    }

    /// All of them.
    pub fn all(&self) -> &[Finding] {
        &self.0
    }
}

/// How much there is to read in inputs: how many values, then how far from zero.
pub fn size(inputs: &[(String, JavaValue)]) -> (usize, u128) {
    fn of(value: &JavaValue) -> (usize, u128) {
        match value {
            JavaValue::Boolean(b) => (1, u128::from(*b)),
            JavaValue::Byte(n) => (1, n.unsigned_abs().into()),
            JavaValue::Short(n) => (1, n.unsigned_abs().into()),
            JavaValue::Int(n) => (1, n.unsigned_abs().into()),
            JavaValue::Long(n) => (1, n.unsigned_abs().into()),
            JavaValue::Char(unit) => (1, (*unit).into()),
            JavaValue::String(units) => (1 + units.len(), 0),
            JavaValue::Array { items, .. } => {
                items.iter().map(of).fold((1, 0), |(a, b), (c, d)| (a + c, b + d))
            }
            _ => (1, 0),
        }
    }
    inputs.iter().map(|(_, value)| of(value)).fold((0, 0), |(a, b), (c, d)| (a + c, b + d))
}
