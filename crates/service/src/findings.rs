//! What was found, each thing once: failures of one class and severity at one place are one finding, shown by
//! its smallest inputs. Failures that a run does not look for are noted beside.

use crate::{Beyond, How, Language, PathEnd, Severities, Severity, TestId};
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

    /// How much it matters.
    pub fn severity(&self) -> Severity {
        self.end.how.severity().unwrap_or(Severity::Unexpected)
    }

    fn is_same(&self, other: &PathEnd<L>) -> bool {
        match &other.how {
            How::Threw { class, place, severity, .. } => {
                self.class() == class && self.place() == place.as_ref() && self.severity() == *severity
            }
            _ => false,
        }
    }
}

/// The findings of one entry, in the order in which they were met.
#[derive(Debug)]
pub struct Findings<L: Language> {
    looked_for: Severities,
    found: Vec<Finding<L>>,
    noted: Vec<Finding<L>>,
}

impl<L: Language> Default for Findings<L> {
    fn default() -> Findings<L> {
        Findings::of(Severities::default())
    }
}

impl<L: Language> Findings<L> {
    /// None yet; failures of these severities are looked for.
    pub fn of(looked_for: Severities) -> Findings<L> {
        Findings { looked_for, found: Vec::new(), noted: Vec::new() }
    }

    /// Records the end of a path if the program failed on it.
    pub fn add(&mut self, end: &PathEnd<L>, test: Option<TestId>) {
        let Some(severity) = end.how.severity() else { return };
        let all = if self.looked_for.has(severity) { &mut self.found } else { &mut self.noted };
        match all.iter_mut().find(|old| old.is_same(end)) {
            None => all.push(Finding { end: Box::new(end.clone()), test, paths: 1 }),
            Some(old) => {
                old.paths += 1;
                if weight(end) < weight(&old.end) {
                    (old.end, old.test) = (Box::new(end.clone()), test);
                }
            }
        }
    }

    /// Those that were looked for.
    pub fn found(&self) -> &[Finding<L>] {
        &self.found
    }

    /// The others.
    pub fn noted(&self) -> &[Finding<L>] {
        &self.noted
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
