//! Which inputs a result is about: the bounds on inputs that were met, and the only words for them.
//!
//! A bound that nothing met is not reported: `--input-length` means nothing to a method without arrays and
//! strings.

use crate::flags::InputFlags;
use evergreen_java::Tally;
use evergreen_java::jvm::{InputBound, LazyOptions};
use serde_json::{Map, Value, json};

/// The bounds on inputs that explorations have met, and how often.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Within {
    /// Paths whose inputs could have been others, by bound.
    paths: [u64; InputBound::ALL.len()],
    /// Places at which more objects of a class could have been.
    scoped: u64,
    /// None before anything was explored.
    settings: Option<Settings>,
}

/// What the bounds are.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Settings {
    length: u32,
    chars: (u16, u16),
    scope: String,
    /// Flags that the user has narrowed the inputs with.
    given: Vec<&'static str>,
}

impl Within {
    /// What an exploration with these flags has met.
    pub fn new(flags: &InputFlags, tally: &Tally) -> Within {
        let given = [
            ("--concrete", flags.concrete.is_empty()),
            ("--range", flags.range.is_empty()),
            ("--assume", flags.assume.is_empty()),
        ];
        let settings = Settings {
            length: flags.input_length,
            chars: flags.chars,
            scope: scope(flags),
            given: given.iter().filter(|(_, is_empty)| !is_empty).map(|(flag, _)| *flag).collect(),
        };
        let paths = InputBound::ALL.map(|bound| tally.narrowed(bound));
        Within { paths, scoped: tally.scoped(), settings: Some(settings) }
    }

    /// Adds what another exploration with the same flags has met.
    pub fn add(&mut self, other: &Within) {
        self.paths.iter_mut().zip(other.paths).for_each(|(sum, more)| *sum += more);
        self.scoped += other.scoped;
        self.settings = self.settings.take().or_else(|| other.settings.clone());
    }

    /// Paths whose inputs could have been others but for a bound.
    pub fn by(&self, bound: InputBound) -> u64 {
        self.paths[bound as usize]
    }

    /// Whether no bound has left inputs out.
    pub fn is_everything(&self) -> bool {
        self.scoped == 0 && self.paths.iter().all(|paths| *paths == 0)
    }

    /// What the result is about, in words that follow "within": `lengths up to 3 and scope 4 (Node 5)`.
    /// Nothing, if it is about all inputs.
    pub fn words(&self) -> Option<String> {
        let settings = self.settings.as_ref()?;
        let met = |bound: InputBound| self.by(bound) > 0;
        let mut words = Vec::new();
        if met(InputBound::Length) {
            words.push(format!("lengths up to {}", settings.length));
        }
        if met(InputBound::Characters) {
            words.push(format!("characters {}..{}", settings.chars.0, settings.chars.1));
        }
        if self.scoped > 0 {
            words.push(format!("scope {}", settings.scope));
        }
        if met(InputBound::Receiver) {
            words.push("new receivers".into());
        }
        if met(InputBound::Sharing) {
            words.push("unshared inputs".into());
        }
        words.extend(settings.given.iter().map(|flag| (*flag).to_string()));
        let last = words.pop()?;
        Some(if words.is_empty() { last } else { format!("{} and {last}", words.join(", ")) })
    }

    /// The same as the end of a line: `, within lengths up to 3`.
    pub fn tail(&self, before: &str) -> String {
        self.words().map(|words| format!("{before}within {words}")).unwrap_or_default()
    }

    /// What was left out, and by which flag it would not be: a sentence for each bound.
    pub fn left_out(&self) -> Vec<String> {
        let Some(Settings { length, chars: (low, high), scope, .. }) = &self.settings else {
            return Vec::new();
        };
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
                    format!("receivers other than new ones left out {on} (--heap makes them)")
                }
                InputBound::Sharing => format!("inputs that share an array or a string left out {on}"),
            });
        }
        if self.scoped > 0 {
            let places = if self.scoped == 1 { "1 place" } else { &format!("{} places", self.scoped) };
            lines.push(format!("more objects left out at {places} (--scope {scope})"));
        }
        lines
    }

    /// Why a method has no path although nothing was cut, and what may help.
    pub fn nothing_fits(&self, flags: &InputFlags) -> String {
        let of_objects = self.scoped > 0;
        let why = match of_objects {
            true => format!("no valid object fits scope {}, so nothing was explored", scope(flags)),
            false => "no input fulfils the assumptions, so nothing was explored".to_string(),
        };
        let mut help = Vec::new();
        if of_objects {
            help.push(format!("a larger scope, such as --scope {}", general_scope(flags) + 1));
        }
        if self.by(InputBound::Length) > 0 {
            help.push(format!(
                "longer arrays and strings, such as --input-length {}",
                flags.input_length + 1
            ));
        }
        if help.is_empty() { why } else { format!("{why}\nhelp: {}", help.join("; ")) }
    }

    /// For programs: each bound that was met and how often; an empty object says that all inputs were
    /// explored.
    pub fn json(&self) -> Value {
        let mut met = Map::new();
        for bound in InputBound::ALL.into_iter().filter(|bound| self.by(*bound) > 0) {
            met.insert(bound.name().into(), json!(self.by(bound)));
        }
        if self.scoped > 0 {
            met.insert("scope".into(), json!(self.scoped));
        }
        Value::Object(met)
    }
}

/// The scopes in words: `4 (Node 5)`.
pub fn scope(flags: &InputFlags) -> String {
    let own = flags.scope.iter().filter(|(class, _)| !class.is_empty());
    own.fold(general_scope(flags).to_string(), |all, (class, scope)| format!("{all} ({class} {scope})"))
}

/// The scope of classes that have none of their own.
pub fn general_scope(flags: &InputFlags) -> u32 {
    let general = flags.scope.iter().rfind(|(class, _)| class.is_empty());
    general.map_or(LazyOptions::default().scope, |(_, scope)| *scope)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flags::{Cli, Task};
    use clap::Parser;

    fn within(arguments: &[&str], paths: [u64; 5], scoped: u64) -> Within {
        let all = ["evergreen", "explore", "X.java"].iter().chain(arguments);
        let Task::Explore(flags) = Cli::try_parse_from(all).unwrap().task else { unreachable!() };
        Within { paths, scoped, ..Within::new(&flags.exploring.inputs, &Tally::default()) }
    }

    #[test]
    fn only_bounds_that_were_met_are_told() {
        let nothing = within(&["--input-length", "7", "--chars", "32..126"], [0; 5], 0);
        assert!(nothing.is_everything());
        assert_eq!((nothing.words(), nothing.left_out(), nothing.json()), (None, vec![], json!({})));
        let lengths = within(&["--input-length", "7"], [2, 0, 0, 0, 0], 0);
        assert_eq!(lengths.words().as_deref(), Some("lengths up to 7"));
        assert_eq!(lengths.left_out(), ["longer arrays and strings left out on 2 paths (--input-length 7)"]);
        assert_eq!(lengths.json(), json!({ "input_length": 2 }));
        let mut all = within(
            &["--chars", "32..126", "--heap", "li", "--scope", "4", "--scope", "Node=5", "--assume", "x > 1"],
            [1; 5],
            9,
        );
        assert_eq!(
            all.words().as_deref(),
            Some(
                "lengths up to 3, characters 32..126, scope 4 (Node 5), new receivers, unshared inputs and --assume"
            )
        );
        assert_eq!((all.left_out().len(), all.json()["scope"].clone()), (6, json!(9)));
        all.add(&all.clone());
        // A method that could not be explored has met nothing, and does not know what the bounds are.
        all.add(&Within::default());
        assert!(all.words().is_some_and(|words| words.starts_with("lengths up to 3, ")));
        assert_eq!((all.by(InputBound::Sharing), all.json()["scope"].clone()), (2, json!(18)));
    }

    /// What the user gave is worded, but it is what was asked for: nothing was left out.
    #[test]
    fn what_was_asked_for_is_not_left_out() {
        let given = within(&["--range", "x=0..3", "--concrete", "y=1"], [0; 5], 0);
        assert_eq!(given.words().as_deref(), Some("--concrete and --range"));
        assert!(given.is_everything());
    }
}
