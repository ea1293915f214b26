//! A suite: the tests of one class, by method, in the order of their paths.

use evergreen_replay::{Target, TestCase};
use std::sync::Arc;

/// The tests of a class.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Suite {
    /// The class under test, as `Class.getName` has it.
    pub class: String,
    /// Its methods, in the order of the file.
    pub methods: Vec<MethodTests>,
    /// Lines that people wrote above the class, with their `#`.
    pub comments: Vec<String>,
    /// Those below the last test.
    pub last_comments: Vec<String>,
}

/// The tests of a method.
#[derive(Clone, Debug, PartialEq)]
pub struct MethodTests {
    /// The method. Each test has its own receiver: [`TestCase::receiver`].
    pub target: Arc<Target>,
    /// Its tests.
    pub tests: Vec<Test>,
    /// Lines that people wrote above it.
    pub comments: Vec<String>,
}

/// A test: a case with a name, and the path that it takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Test {
    /// An identifier of Java, unique in the suite.
    pub name: String,
    /// Inputs and outcome. Its title is that of its outcome, and it has no arms.
    pub case: TestCase,
    /// The decisions on its path; `None` if the file has none.
    pub path: Option<Vec<Decision>>,
    /// Lines that people wrote above it or in it.
    pub comments: Vec<String>,
    /// Its lines as they were read.
    pub text: Text,
}

/// One decision on a path, at a place that edits of other methods do not move.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Decision {
    /// The class, as `Class.getName` has it.
    pub class: String,
    /// The method with its descriptor: `mid(III)I`.
    pub method: String,
    /// The kind of the deciding instruction: `None` for a conditional jump or a switch,
    /// a small letter for others.
    pub kind: Option<char>,
    /// Which instruction of this kind in the method, from 0.
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

impl Suite {
    /// The suite of a class without tests.
    pub fn of_class(class: &str) -> Suite {
        Suite { class: class.into(), ..Suite::default() }
    }

    /// All tests, in order.
    pub fn tests(&self) -> impl Iterator<Item = &Test> {
        self.methods.iter().flat_map(|method| &method.tests)
    }

    /// The test of this name.
    pub fn test(&self, name: &str) -> Option<&Test> {
        self.tests().find(|test| test.name == name)
    }

    /// The tests of a method, by its name and descriptor.
    pub fn method(&self, name: &str, descriptor: &str) -> Option<&MethodTests> {
        self.methods.iter().find(|own| own.target.method == name && own.target.descriptor == descriptor)
    }
}

impl Test {
    /// A test of a case. The title of the case becomes that of its outcome.
    pub fn new(name: String, mut case: TestCase, path: Option<Vec<Decision>>) -> Test {
        case.title = case.ending.title();
        case.arms = None;
        Test { name, case, path, comments: Vec::new(), text: Text::default() }
    }
}
