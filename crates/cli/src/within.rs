//! Which inputs a result is about, from the flags; the words are those of [`Within`].

use crate::flags::InputFlags;
use evergreen_java::{InputLimits, Tally};

pub(crate) use evergreen_java::Within;

/// What an exploration with these flags has met.
pub(crate) fn of(flags: &InputFlags, tally: &Tally) -> Within {
    Within::new(limits(flags), tally)
}

/// The bounds on inputs that flags give.
pub(crate) fn limits(flags: &InputFlags) -> InputLimits {
    let given = [
        ("--concrete", flags.concrete.is_empty()),
        ("--range", flags.range.is_empty()),
        ("--assume", flags.assume.is_empty()),
    ];
    InputLimits {
        length: flags.input_length,
        chars: flags.chars,
        scopes: flags.scope.clone(),
        given: given.iter().filter(|(_, is_empty)| !is_empty).map(|(flag, _)| *flag).collect(),
    }
}
