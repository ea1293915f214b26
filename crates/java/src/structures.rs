//! Paths that are only counted, for studies of how many structures there are.

use crate::Run;
use evergreen_explore::End;
use evergreen_jvm::{Ending, Value};

/// A path that was only counted.
#[derive(Clone, Debug)]
pub struct Collected {
    /// How it ended; none if it was cut or could not be decided.
    pub ending: Option<Ending>,
    /// Objects of its input, roots included.
    pub objects: usize,
}

impl Collected {
    /// Whether it returned something other than `false` or 0, or nothing at all: what a study counts.
    pub fn is_structure(&self) -> bool {
        match self.ending {
            Some(Ending::Returned(value)) => value != Some(Value::Int(0)),
            _ => false,
        }
    }
}

/// How the next path of a run ended, and no more: its input is not completed, and nothing is described.
pub fn next_collected(run: &mut Run<'_>) -> Option<Collected> {
    let found = run.next_found()?;
    let objects = found.state.lazy().objects().len();
    let ending = match found.end {
        End::Outcome(outcome) => Some(outcome.ending),
        _ => None,
    };
    Some(Collected { ending, objects })
}
