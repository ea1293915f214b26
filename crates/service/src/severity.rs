//! How much a failure matters: a violated assertion is a bug, an exception that a method declares is its
//! contract. A front end gives each failure its severity; a run says which of them it looks for.

use std::fmt;

/// How much a failure matters, the least first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// The caller passed null, and the program dereferenced it.
    Null,
    /// The program failed on purpose: as its signature or its documentation says, or by a statement of its
    /// own.
    Declared,
    /// The program failed otherwise: the machine, or code that it called, refused to go on.
    Unexpected,
    /// An assertion or a check of the program does not hold.
    Assertion,
}

impl Severity {
    /// All of them, the most severe first.
    pub const ALL: [Severity; 4] =
        [Severity::Assertion, Severity::Unexpected, Severity::Declared, Severity::Null];

    /// Its name, in JSON and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Null => "null",
            Severity::Declared => "declared",
            Severity::Unexpected => "unexpected",
            Severity::Assertion => "assertion",
        }
    }

    /// What follows the name of a failure that is not looked for.
    pub(crate) fn remark(self) -> &'static str {
        match self {
            Severity::Null => " for a null argument",
            Severity::Declared => ", as intended,",
            Severity::Unexpected | Severity::Assertion => "",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The severities that a run looks for: such failures are findings, the others are only noted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Severities(u8);

impl Severities {
    /// These.
    pub fn of(all: impl IntoIterator<Item = Severity>) -> Severities {
        Severities(all.into_iter().fold(0, |set, one| set | 1 << one as u8))
    }

    /// This one and all that are more severe.
    pub fn from(lowest: Severity) -> Severities {
        Severities::of(Severity::ALL.into_iter().filter(|one| *one >= lowest))
    }

    /// Whether it is one of these.
    pub fn has(self, severity: Severity) -> bool {
        self.0 & 1 << severity as u8 != 0
    }

    /// Those that are among others, too.
    #[must_use]
    pub fn and(self, other: Severities) -> Severities {
        Severities(self.0 & other.0)
    }
}

/// Violated assertions and unexpected failures.
impl Default for Severities {
    fn default() -> Severities {
        Severities::from(Severity::Unexpected)
    }
}

/// How many failures of each severity there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BySeverity([u64; Severity::ALL.len()]);

impl BySeverity {
    /// One more.
    pub fn add(&mut self, severity: Severity) {
        self.0[severity as usize] += 1;
    }

    /// So many.
    pub fn of(&self, severity: Severity) -> u64 {
        self.0[severity as usize]
    }

    /// All together.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Each with its number, the most severe first.
    pub fn iter(&self) -> impl Iterator<Item = (Severity, u64)> {
        Severity::ALL.into_iter().map(|severity| (severity, self.of(severity)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_severity_brings_all_above() {
        let names = |set: Severities| {
            Severity::ALL.into_iter().filter(|one| set.has(*one)).map(Severity::name).collect::<Vec<_>>()
        };
        assert_eq!(names(Severities::default()), ["assertion", "unexpected"]);
        assert_eq!(names(Severities::from(Severity::Null)), ["assertion", "unexpected", "declared", "null"]);
        assert_eq!(names(Severities::from(Severity::Assertion)), ["assertion"]);
        let others = Severities::of([Severity::Unexpected, Severity::Declared]);
        assert_eq!(names(others.and(Severities::default())), ["unexpected"]);
    }
}
