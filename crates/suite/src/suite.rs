//! A suite: the tests of one unit (a class of Java), by function, in the order of their paths.

use crate::Format;
use std::sync::Arc;

/// The tests of a unit.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Suite<L: Format> {
    /// The unit under test: in Java a class, as `Class.getName` has it.
    pub class: String,
    /// Its functions, in the order of the file.
    pub methods: Vec<MethodTests<L>>,
    /// Lines that people wrote above the unit, with their `#`.
    pub comments: Vec<String>,
    /// Those below the last test.
    pub last_comments: Vec<String>,
}

/// The tests of a function.
#[derive(Clone, Debug, PartialEq)]
pub struct MethodTests<L: Format> {
    /// The function, as its heading has it: see [`Format::section`].
    pub target: Arc<L::Target>,
    /// Its tests.
    pub tests: Vec<Test<L>>,
    /// Lines that people wrote above it.
    pub comments: Vec<String>,
}

/// A test: a case with a name, and the path that it takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Test<L: Format> {
    /// Unique in the suite, and a name that the language takes: see [`Format::name_flaw`].
    pub name: String,
    /// Inputs and outcome, as a suite keeps them: see [`Format::kept`].
    pub case: L::Case,
    /// The decisions on its path; `None` if the text has none.
    pub path: Option<Vec<Decision>>,
    /// Whether inputs of its path were fixed where an arm could not be decided: other inputs may take further
    /// paths.
    pub sampled: bool,
    /// Lines that people wrote above it or in it.
    pub comments: Vec<String>,
    /// Its lines as they were read.
    pub text: Text,
}

/// One decision on a path, at a place that edits of other functions do not move.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Decision {
    /// The unit: a class of Java as `Class.getName` has it, a file or module of other languages.
    pub unit: Arc<str>,
    /// The function: a method of Java with its descriptor, `mid(III)I`.
    pub function: Arc<str>,
    /// What kind of instruction decides: none is a conditional jump or a switch, others have a small letter.
    pub kind: Option<char>,
    /// Which instruction of this kind in the function, from 0.
    pub ordinal: u32,
    /// Which way: 0 is that on which the condition of the source holds, 1 the other; of a
    /// switch the number of the case.
    pub arm: u32,
}

/// The lines of a test as they were read: a test that stays as it was keeps them, however they were written.
/// Says nothing of what the test is, so all are equal.
#[derive(Clone, Debug, Default)]
pub struct Text(pub(crate) Option<String>);

impl PartialEq for Text {
    fn eq(&self, _: &Text) -> bool {
        true
    }
}

impl<L: Format> Suite<L> {
    /// The suite of a unit without tests.
    pub fn of_class(class: &str) -> Suite<L> {
        Suite { class: class.into(), ..Suite::default() }
    }

    /// All tests, in order.
    pub fn tests(&self) -> impl Iterator<Item = &Test<L>> {
        self.methods.iter().flat_map(|method| &method.tests)
    }

    /// The test of this name.
    pub fn test(&self, name: &str) -> Option<&Test<L>> {
        self.tests().find(|test| test.name == name)
    }

    /// The tests of a function, by its name and signature.
    pub fn method(&self, name: &str, signature: &str) -> Option<&MethodTests<L>> {
        let is_it = |own: &L::Target| L::name(own) == name && L::signature(own) == signature;
        self.methods.iter().find(|own| is_it(&own.target))
    }
}

impl<L: Format> Test<L> {
    /// A test of a case.
    pub fn new(name: String, case: L::Case, path: Option<Vec<Decision>>) -> Test<L> {
        Test { name, case: L::kept(case), path, sampled: false, comments: Vec::new(), text: Text::default() }
    }

    /// Whether the path and the outcome that were found with its inputs are those that it says.
    pub fn still_holds(&self, case: &L::Case, path: &[Decision]) -> bool {
        self.takes(path, L::target(case)) && L::outcome(&self.case) == L::outcome(case)
    }

    /// Whether its path is this one of a function, which may have had another name.
    pub(crate) fn takes(&self, path: &[Decision], target: &L::Target) -> bool {
        let old = L::target(&self.case);
        let (was, is) = (L::function(old), L::function(target));
        let is_renamed = L::signature(old) == L::signature(target);
        let same = |a: &Decision, b: &Decision| {
            let is_in_it = *a.unit == *L::unit(old)
                && *a.function == *was
                && *b.unit == *L::unit(target)
                && *b.function == *is;
            (a.kind, a.ordinal, a.arm) == (b.kind, b.ordinal, b.arm)
                && ((is_renamed && is_in_it) || (&a.unit, &a.function) == (&b.unit, &b.function))
        };
        let known = self.path.as_deref();
        known
            .is_some_and(|known| known.len() == path.len() && known.iter().zip(path).all(|(a, b)| same(a, b)))
    }
}
