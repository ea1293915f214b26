//! Paths that are only counted, for studies of how many structures there are.

use crate::Run;
use evergreen_explore::End;
use evergreen_jvm::{Ending, Jvm, Moment, State, UNREAD, Value};

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
    next_with(run, |_, _| ()).map(|(collected, ())| collected)
}

/// The links of a path's structure, as far as they are known; see [`evergreen_jvm::Jvm::outline`].
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Outlines {
    /// What the path has read of its input.
    pub input: Vec<u8>,
    /// What the path has made of it.
    pub end: Vec<u8>,
}

impl Outlines {
    /// Whether the path has read all links of its input.
    pub fn is_whole(&self) -> bool {
        !self.input.contains(&UNREAD)
    }
}

/// As [`next_collected`], with the outlines of the structure. Fields that `leads` does not name are left out.
pub fn next_outlined(run: &mut Run<'_>, leads: impl Fn(&str) -> bool) -> Option<(Collected, Outlines)> {
    next_with(run, |machine, state| Outlines {
        input: machine.outline(state, Moment::Input, &leads),
        end: machine.outline(state, Moment::End, &leads),
    })
}

fn next_with<T>(run: &mut Run<'_>, look: impl FnOnce(&Jvm, &State) -> T) -> Option<(Collected, T)> {
    let found = run.next_found()?;
    let objects = found.state.lazy().objects().len();
    let seen = look(run.machine(), &found.state);
    let ending = match found.end {
        End::Outcome(outcome) => Some(outcome.ending),
        _ => None,
    };
    Some((Collected { ending, objects }, seen))
}
