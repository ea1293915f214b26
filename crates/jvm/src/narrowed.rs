//! Which inputs are on no path: the bounds that a path met where its inputs were made.
//!
//! A bound that no path met excludes no input: a method without arrays is explored in full whatever
//! [`crate::Options::input_length`] is.

/// Why some inputs are on no path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum InputBound {
    /// Arrays and strings are not longer than [`crate::Options::input_length`].
    Length,
    /// Strings have no characters outside of [`crate::Options::chars`].
    Characters,
    /// References are only null, or a lazy object has objects of some classes only.
    References,
    /// Objects are what constructors and factories make, and nothing was done to them yet.
    Receiver,
    /// No two inputs are the same array or object, and a string that is an input is no other string.
    Sharing,
    /// Calls that make objects are not nested deeper than [`crate::Options::nesting`].
    Nesting,
    /// Objects and collections are of some of their classes, made by some of the calls that make them.
    Classes,
    /// Files, environment variables and the time zone are those of this machine, and so is what else it
    /// answers that a branch depends on.
    Environment,
    /// Threads run one after the other, in one of their orders.
    Schedule,
    /// Functions answer, the same for the same arguments, and do nothing else.
    Functions,
    /// Functions give no more answers than [`crate::Options::answers`].
    Answers,
}

impl InputBound {
    /// Every bound, in the order in which reports list them.
    pub const ALL: [InputBound; 11] = [
        InputBound::Length,
        InputBound::Characters,
        InputBound::References,
        InputBound::Receiver,
        InputBound::Sharing,
        InputBound::Nesting,
        InputBound::Classes,
        InputBound::Environment,
        InputBound::Schedule,
        InputBound::Functions,
        InputBound::Answers,
    ];

    /// Its name, as reports have it.
    pub fn name(self) -> &'static str {
        match self {
            InputBound::Length => "input_length",
            InputBound::Characters => "chars",
            InputBound::References => "references",
            InputBound::Receiver => "new_objects",
            InputBound::Sharing => "sharing",
            InputBound::Nesting => "nesting",
            InputBound::Classes => "classes",
            InputBound::Environment => "environment",
            InputBound::Schedule => "schedules",
            InputBound::Functions => "functions",
            InputBound::Answers => "answers",
        }
    }
}

/// A set of such bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Narrowed(u16);

impl Narrowed {
    /// Adds a bound.
    pub fn add(&mut self, bound: InputBound) {
        self.0 |= 1 << bound as u16;
    }

    /// Adds all of another set.
    pub fn add_all(&mut self, other: Narrowed) {
        self.0 |= other.0;
    }

    /// Whether a bound is among them.
    pub fn has(self, bound: InputBound) -> bool {
        self.0 & (1 << bound as u16) != 0
    }

    /// Whether there is none: every input is on some path.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// All of them, in order.
    pub fn iter(self) -> impl Iterator<Item = InputBound> {
        InputBound::ALL.into_iter().filter(move |bound| self.has(*bound))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_what_was_added() {
        let mut set = Narrowed::default();
        assert!(set.is_empty());
        set.add(InputBound::Sharing);
        set.add(InputBound::Length);
        set.add(InputBound::Length);
        assert_eq!(set.iter().collect::<Vec<_>>(), [InputBound::Length, InputBound::Sharing]);
        let mut other = Narrowed::default();
        other.add(InputBound::Receiver);
        other.add_all(set);
        assert_eq!(
            InputBound::ALL.map(|bound| other.has(bound)),
            [true, false, false, true, true, false, false, false, false, false, false]
        );
    }
}
