//! Flags of `explore` that say what a finding is, and what the exit code means.

use super::choice::one_of;
use clap::{Args, ValueEnum};
use evergreen_service::{Severities, Severity, Stops};

/// What is looked for.
#[derive(Args, Clone, Copy, PartialEq, Debug)]
pub(crate) struct FailingFlags {
    /// The least severe failure that is a finding; the others are only noted
    #[arg(long, value_name = "SEVERITY", value_parser = one_of::<FailOn>(), default_value = "unexpected")]
    pub fail_on: FailOn,
    /// Look only for violated assertions, or only for exceptions [default: for both]
    #[arg(long, value_name = "PROPERTY", value_parser = one_of::<Property>())]
    pub property: Option<Property>,
    /// Try to prove by induction over recursive methods that nothing fails, before anything is explored
    #[arg(long, requires = "property")]
    #[arg(conflicts_with_all = ["suite", "out", "report", "sarif", "markdown", "probability", "queue"])]
    pub induction: bool,
    /// End with the first finding
    #[arg(long, conflicts_with = "suite")]
    pub stop_at_first: bool,
    /// Exit code 3 if nothing is found and not everything was explored
    #[arg(long)]
    pub require_complete: bool,
}

impl FailingFlags {
    /// The failures that are findings.
    pub(crate) fn looked_for(self) -> Severities {
        let lowest = match self.fail_on {
            FailOn::Assertion => Severity::Assertion,
            FailOn::Unexpected => Severity::Unexpected,
            FailOn::Declared => Severity::Declared,
            FailOn::Null => Severity::Null,
        };
        let all = Severities::from(lowest);
        match self.property {
            None => all,
            Some(Property::Assertions) => Severities::of([Severity::Assertion]),
            Some(Property::Exceptions) => {
                all.and(Severities::of([Severity::Unexpected, Severity::Declared, Severity::Null]))
            }
        }
    }

    /// When the run ends.
    pub(crate) fn stops(self) -> Stops {
        if self.stop_at_first { Stops::AtFirst } else { Stops::AtEnd }
    }
}

/// Severities of failures, the most severe first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum FailOn {
    /// Violated assertions and failed checks
    Assertion,
    /// Also exceptions that the machine or a library throws, and every failure of a C program
    Unexpected,
    /// Also exceptions that the method declares, documents or throws by a statement of the program
    Declared,
    /// Also null pointer exceptions because an argument is null
    Null,
}

/// What a run looks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Property {
    /// Violated assertions and failed checks
    Assertions,
    /// Failures that are no assertions
    Exceptions,
}
