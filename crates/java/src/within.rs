//! Which inputs a result is about: the bounds on inputs that were met, and the only words for them.
//!
//! A bound that the exploration never met is not reported: `--input-length` means nothing to a method without
//! arrays and strings.

use crate::{Narrowings, Tally};
use evergreen_jvm::{InputBound, LazyOptions, Options};

/// The bounds on inputs that explorations have met, and how often.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Within {
    /// Paths whose inputs could have been others, by bound.
    paths: [u64; InputBound::ALL.len()],
    /// Places at which more objects of a class could have been.
    scoped: u64,
    /// None before anything was explored.
    limits: Option<InputLimits>,
}

/// What the bounds on inputs are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputLimits {
    /// The longest arrays and strings.
    pub length: u32,
    /// The characters of strings.
    pub chars: (u16, u16),
    /// How deep the calls that make objects are nested.
    pub nesting: u32,
    /// The most answers of a function.
    pub answers: u32,
    /// The most objects: of a class, or of all others where there is no name.
    pub scopes: Vec<(String, u32)>,
    /// The settings with which the user has narrowed the inputs, by name: they are worded, but left nothing
    /// out.
    pub given: Vec<&'static str>,
}

impl InputLimits {
    /// Those of a machine with these options.
    pub fn of(options: &Options) -> InputLimits {
        let lazy = options.lazy.as_ref();
        let general = lazy.map(|lazy| (String::new(), lazy.scope));
        let own =
            lazy.into_iter().flat_map(|lazy| &lazy.scopes).map(|(class, scope)| (class.clone(), *scope));
        let scopes = general.into_iter().chain(own).collect();
        InputLimits {
            length: options.input_length,
            chars: options.chars,
            nesting: options.nesting,
            answers: options.answers,
            scopes,
            given: Vec::new(),
        }
    }

    /// The scopes in words: `4 (Node 5)`.
    pub fn scope(&self) -> String {
        let own = self.scopes.iter().filter(|(class, _)| !class.is_empty());
        own.fold(self.general_scope().to_string(), |all, (class, scope)| format!("{all} ({class} {scope})"))
    }

    /// The scope of classes that have none of their own.
    pub fn general_scope(&self) -> u32 {
        let general = self.scopes.iter().rfind(|(class, _)| class.is_empty());
        general.map_or(LazyOptions::default().scope, |(_, scope)| *scope)
    }
}

impl evergreen_service::Within for Within {
    fn add(&mut self, other: &Within) {
        Within::add(self, other);
    }

    fn is_everything(&self) -> bool {
        Within::is_everything(self)
    }

    fn is_partial(&self) -> bool {
        Within::is_partial(self)
    }

    fn words(&self) -> Option<String> {
        Within::words(self)
    }

    fn left_out(&self) -> Vec<String> {
        Within::left_out(self)
    }

    fn missing(&self) -> Option<String> {
        self.is_partial().then(|| "some references of inputs only null".into())
    }

    fn missing_in_short(&self) -> Option<String> {
        self.is_partial().then(|| "some references only null".into())
    }

    fn met(&self) -> Vec<(&'static str, u64)> {
        Within::met(self)
    }

    fn nothing_fits(&self) -> String {
        Within::nothing_fits(self)
    }
}

impl Within {
    /// Adds what another exploration with the same bounds has met.
    pub fn add(&mut self, other: &Within) {
        self.paths.iter_mut().zip(other.paths).for_each(|(sum, more)| *sum += more);
        self.scoped += other.scoped;
        self.limits = self.limits.take().or_else(|| other.limits.clone());
    }

    /// Whether no bound has left inputs out.
    pub fn is_everything(&self) -> bool {
        self.scoped == 0 && self.paths.iter().all(|paths| *paths == 0)
    }

    /// Whether some references were only null.
    pub fn is_partial(&self) -> bool {
        self.by(InputBound::References) > 0
    }

    /// What the result is about, in words that follow "within": `lengths up to 3 and scope 4 (Node 5)`.
    /// `None` if it is about all inputs.
    pub fn words(&self) -> Option<String> {
        let limits = self.limits.as_ref()?;
        let met = |bound: InputBound| self.by(bound) > 0;
        let mut words = Vec::new();
        if met(InputBound::Length) {
            words.push(format!("lengths up to {}", limits.length));
        }
        if met(InputBound::Characters) {
            words.push(format!("characters {}..{}", limits.chars.0, limits.chars.1));
        }
        if self.scoped > 0 {
            words.push(format!("scope {}", limits.scope()));
        }
        if met(InputBound::Receiver) {
            words.push("new objects".into());
        }
        if met(InputBound::Nesting) {
            words.push(format!("nesting {}", limits.nesting));
        }
        if met(InputBound::Classes) {
            words.push("usual classes".into());
        }
        if met(InputBound::Functions) {
            words.push("functions that only answer".into());
        }
        if met(InputBound::Answers) {
            words.push(format!("{} answers of a function", limits.answers));
        }
        if met(InputBound::Sharing) {
            words.push("unshared inputs".into());
        }
        if met(InputBound::Environment) {
            words.push("this environment".into());
        }
        if met(InputBound::Schedule) {
            words.push("one schedule of threads".into());
        }
        words.extend(limits.given.iter().map(|flag| (*flag).to_string()));
        let last = words.pop()?;
        Some(if words.is_empty() { last } else { format!("{} and {last}", words.join(", ")) })
    }

    /// What an exploration within these limits has met.
    pub fn new(limits: InputLimits, tally: &Tally) -> Within {
        let paths = InputBound::ALL.map(|bound| tally.narrowed(bound));
        Within { paths, scoped: tally.scoped(), limits: Some(limits) }
    }

    /// Paths whose inputs a bound has narrowed.
    pub fn by(&self, bound: InputBound) -> u64 {
        self.paths[bound as usize]
    }

    /// What the result is about, as the end of a line: `, within lengths up to 3`.
    pub fn tail(&self, before: &str) -> String {
        self.words().map(|words| format!("{before}within {words}")).unwrap_or_default()
    }

    /// What was left out, and by which flag it would not be: a sentence for each bound.
    pub fn left_out(&self) -> Vec<String> {
        let Some(limits) = &self.limits else { return Vec::new() };
        let InputLimits { length, chars: (low, high), .. } = limits;
        let mut lines = Vec::new();
        for bound in InputBound::ALL.into_iter().filter(|bound| self.by(*bound) > 0) {
            let on = match self.by(bound) {
                1 => "on 1 path".to_string(),
                n => format!("on {n} paths"),
            };
            lines.push(match bound {
                InputBound::Length => {
                    format!("longer arrays and strings left out {on} (--input-length {length})")
                }
                InputBound::Characters => {
                    format!("other characters left out {on} (--chars {low}..{high})")
                }
                InputBound::References => format!("other objects than null left out {on} (see --heap)"),
                InputBound::Receiver => {
                    format!("objects other than new ones left out {on} (--heap makes them)")
                }
                InputBound::Nesting => {
                    format!("objects made of more objects left out {on} (--nesting {})", limits.nesting)
                }
                InputBound::Classes => format!("objects of other classes or calls left out {on}"),
                InputBound::Functions => {
                    format!("functions that throw, change something or vary their answers left out {on}")
                }
                InputBound::Answers => {
                    format!("functions with more answers left out {on} (--answers {})", limits.answers)
                }
                InputBound::Sharing => {
                    format!("inputs that share an array, a string or an object left out {on}")
                }
                InputBound::Environment => {
                    format!("other machines, settings, files and times left out {on}")
                }
                InputBound::Schedule => format!("other orders of threads left out {on}"),
            });
        }
        if self.scoped > 0 {
            let places = if self.scoped == 1 { "1 place" } else { &format!("{} places", self.scoped) };
            lines.push(format!("more objects left out at {places} (--scope {})", limits.scope()));
        }
        lines
    }

    /// Why a method has no path although nothing was cut, and what may help.
    pub fn nothing_fits(&self) -> String {
        let Some(limits) = &self.limits else { return "nothing was explored".into() };
        let of_objects = self.scoped > 0;
        let why = match of_objects {
            true => format!("no valid object fits scope {}, so nothing was explored", limits.scope()),
            false => "no input fulfils the assumptions, so nothing was explored".to_string(),
        };
        let mut help = Vec::new();
        if of_objects {
            help.push(format!("a larger scope, such as --scope {}", limits.general_scope() + 1));
        }
        if self.by(InputBound::Length) > 0 {
            help.push(format!("longer arrays and strings, such as --input-length {}", limits.length + 1));
        }
        if help.is_empty() { why } else { format!("{why}\nhelp: {}", help.join("; ")) }
    }

    /// Each bound that was met and how often, by name; an empty list means that all inputs were explored.
    pub fn met(&self) -> Vec<(&'static str, u64)> {
        let bounds = InputBound::ALL.into_iter().map(|bound| (bound.name(), self.by(bound)));
        bounds.chain([("scope", self.scoped)]).filter(|(_, paths)| *paths > 0).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits() -> InputLimits {
        InputLimits {
            length: 3,
            chars: (0, u16::MAX),
            nesting: 2,
            answers: 8,
            scopes: Vec::new(),
            given: Vec::new(),
        }
    }

    fn within(limits: InputLimits, paths: [u64; 11], scoped: u64) -> Within {
        Within { paths, scoped, limits: Some(limits) }
    }

    #[test]
    fn only_bounds_that_were_met_are_named() {
        let nothing = within(InputLimits { length: 7, chars: (32, 126), ..limits() }, [0; 11], 0);
        assert!(nothing.is_everything());
        assert_eq!((nothing.words(), nothing.left_out(), nothing.met()), (None, vec![], vec![]));
        let lengths = within(InputLimits { length: 7, ..limits() }, [2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 0);
        assert_eq!(lengths.words().as_deref(), Some("lengths up to 7"));
        assert_eq!(lengths.left_out(), ["longer arrays and strings left out on 2 paths (--input-length 7)"]);
        assert_eq!(lengths.met(), [("input_length", 2)]);
        let scopes = vec![(String::new(), 4), ("Node".into(), 5)];
        let given = InputLimits { chars: (32, 126), scopes, given: vec!["--assume"], ..limits() };
        let mut all = within(given, [1; 11], 9);
        assert_eq!(
            all.words().as_deref(),
            Some(
                "lengths up to 3, characters 32..126, scope 4 (Node 5), new objects, nesting 2, \
                 usual classes, functions that only answer, 8 answers of a function, unshared inputs, this \
                 environment, one schedule of threads and --assume"
            )
        );
        assert_eq!((all.left_out().len(), all.met().last().copied()), (12, Some(("scope", 9))));
        all.add(&all.clone());
        // A method that could not be explored has met no bound, and does not know the bounds.
        all.add(&Within::default());
        assert!(all.words().is_some_and(|words| words.starts_with("lengths up to 3, ")));
        assert_eq!((all.by(InputBound::Sharing), all.met().last().copied()), (2, Some(("scope", 18))));
    }

    /// What the user gave is worded, but the user asked for it: nothing was left out.
    #[test]
    fn what_was_asked_for_is_not_left_out() {
        let given = within(InputLimits { given: vec!["--concrete", "--range"], ..limits() }, [0; 11], 0);
        assert_eq!(given.words().as_deref(), Some("--concrete and --range"));
        assert!(given.is_everything());
    }
}
