//! Which inputs a result is about: the lengths that were set.

use crate::counts::Counts;
use crate::inputs::{Argument, Given, Inputs};

/// The bounds on inputs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Within {
    words: Vec<String>,
}

impl Within {
    /// The bounds that inputs set, and those that the inputs of a harness have met.
    pub fn of(inputs: &Inputs, counts: &Counts) -> Within {
        let mut words = Vec::new();
        if let Some(sizes) = counts.sizes() {
            words.push(format!("buffers of up to {} elements", sizes.elements));
            if counts.is_scoped() {
                let own = sizes.scopes.iter().map(|(name, scope)| format!(" ({name} {scope})"));
                words.push(format!("scope {}{}", sizes.scope, own.collect::<String>()));
            }
        }
        let bytes = |n: u32| if n == 1 { "1 byte".to_string() } else { format!("{n} bytes") };
        for (number, argument) in (1..).zip(&inputs.args) {
            match argument {
                Argument::One(Given::Symbolic(n)) => {
                    words.push(format!("argument {number} up to {}", bytes(*n)))
                }
                Argument::Several { max, length, .. } => {
                    words.push(format!("up to {max} arguments of up to {}", bytes(*length)));
                }
                Argument::One(Given::Fixed(_)) => {}
            }
        }
        let named = inputs.env.iter().map(|(name, given)| (format!("${name}"), given));
        let files = inputs.files.iter().map(|(name, given)| (format!("file {name}"), given));
        let stdin = inputs.stdin.iter().map(|given| ("standard input".to_string(), given));
        for (name, given) in stdin.chain(files).chain(named) {
            if let Given::Symbolic(n) = given {
                words.push(format!("{name} up to {}", bytes(*n)));
            }
        }
        Within { words }
    }
}

impl evergreen_service::Within for Within {
    fn add(&mut self, other: &Within) {
        for word in &other.words {
            if !self.words.contains(word) {
                self.words.push(word.clone());
            }
        }
    }

    fn is_everything(&self) -> bool {
        self.words.is_empty()
    }

    fn is_partial(&self) -> bool {
        false
    }

    fn words(&self) -> Option<String> {
        (!self.words.is_empty()).then(|| self.words.join(", "))
    }

    fn met(&self) -> Vec<(&'static str, u64)> {
        if self.words.is_empty() { Vec::new() } else { vec![("lengths", 1)] }
    }
}
