//! What was found, each thing once: failures of one class at one place are one finding, shown by its smallest
//! inputs.

use crate::{Beyond, How, Language, PathEnd, TestId};
use evergreen_explore::Place;

/// A finding.
#[derive(Clone, Debug)]
pub struct Finding<L: Language> {
    /// The path with the smallest inputs that were found for it.
    pub end: Box<PathEnd<L>>,
    /// The test of that path, if it has one.
    pub test: Option<TestId>,
    /// Paths that end so.
    pub paths: u64,
}

impl<L: Language> Finding<L> {
    /// What was thrown: the class of the exception, the name of the check.
    pub fn class(&self) -> &str {
        match &self.end.how {
            How::Threw { class, .. } => class,
            _ => "",
        }
    }

    /// Its message, with these inputs.
    pub fn message(&self) -> Option<&str> {
        match &self.end.how {
            How::Threw { message, .. } => message.as_deref(),
            _ => None,
        }
    }

    /// Where it was thrown.
    pub fn place(&self) -> Option<&Place> {
        match &self.end.how {
            How::Threw { place, .. } => place.as_ref(),
            _ => None,
        }
    }

    fn is_same(&self, other: &PathEnd<L>) -> bool {
        match &other.how {
            How::Threw { class, place, .. } => self.class() == class && self.place() == place.as_ref(),
            _ => false,
        }
    }
}

/// The findings of one entry, in the order in which they were met.
#[derive(Debug)]
pub struct Findings<L: Language>(Vec<Finding<L>>);

impl<L: Language> Default for Findings<L> {
    fn default() -> Findings<L> {
        Findings(Vec::new())
    }
}

impl<L: Language> Findings<L> {
    /// Records the end of a path if it is a finding.
    pub fn add(&mut self, end: &PathEnd<L>, test: Option<TestId>) {
        if !end.how.is_finding() {
            return;
        }
        match self.0.iter_mut().find(|old| old.is_same(end)) {
            None => self.0.push(Finding { end: Box::new(end.clone()), test, paths: 1 }),
            Some(old) => {
                old.paths += 1;
                if weight(end) < weight(&old.end) {
                    (old.end, old.test) = (Box::new(end.clone()), test);
                }
            }
        }
    }

    /// All of them.
    pub fn all(&self) -> &[Finding<L>] {
        &self.0
    }
}

/// How much there is to read in the inputs of a path: objects, then values, then how far from zero these are.
fn weight<L: Language>(end: &PathEnd<L>) -> (usize, (usize, u128)) {
    (end.beyond.objects(), size::<L>(&end.inputs))
}

/// How much there is to read in inputs: how many values, then how far from zero.
pub fn size<L: Language>(inputs: &[(String, L::Value)]) -> (usize, u128) {
    let add = |(count, sum), (more, further)| (count + more, sum + further);
    inputs.iter().map(|(_, value)| L::size(value)).fold((0, 0), add)
}
