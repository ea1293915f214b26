//! Objects that a test case is called with: a graph, given by fields, and the public calls that make the same
//! graph where such were found.
//!
//! Fields say everything and work for every class, but only by reflection; calls are how a person would write
//! the test. The replay always sets fields, so that it runs on the very object that the path was found with;
//! the JUnit source makes calls where it can.

use crate::{JavaValue, TestCase};
use evergreen_classfile::Type;

/// An object of a test case. [`JavaValue::Ref`] points to it by its number in
/// [`TestCase::objects`](crate::TestCase::objects); objects may point to each other in cycles, and several
/// may point to the same one.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphObject {
    /// Its class, as `Class.getName` has it: dots between packages, `$` before a nested class. Of
    /// an array: `[Lshop.Item;`.
    pub class: String,
    /// The way to it, for people: `this.root.left`.
    pub name: String,
    /// Its contents.
    pub body: GraphBody,
}

/// The contents of an object.
#[derive(Clone, Debug, PartialEq)]
pub enum GraphBody {
    /// Fields. Unnamed fields keep the value that the constructor gave them, or are zero where none was
    /// called; the path does not read them.
    Fields(Vec<GraphField>),
    /// Elements of an array, all of them.
    Elements {
        /// Type of the elements.
        element: Type,
        /// The elements.
        items: Vec<JavaValue>,
    },
}

/// A field of an object and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphField {
    /// The class that declares it, as `Class.getName` has it: a class and its superclass may
    /// have fields of the same name.
    pub owner: String,
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: JavaValue,
}

/// A sequence of public calls that makes the objects of a test case: every one that its receiver, its
/// arguments and its draws point to.
#[derive(Clone, Debug, PartialEq)]
pub struct Build {
    /// In the order in which they are made.
    pub objects: Vec<Built>,
}

/// An object that is made by public calls, and all that hangs on it.
#[derive(Clone, Debug, PartialEq)]
pub struct Built {
    /// Its number in [`TestCase::objects`](crate::TestCase::objects).
    pub object: usize,
    /// Descriptor of the constructor: `()V`.
    pub constructor: String,
    /// The arguments of the constructor.
    pub arguments: Vec<JavaValue>,
    /// The calls on it then, in order.
    pub calls: Vec<BuildCall>,
}

/// A call of a public method on an object that is being built. Its result is not used.
#[derive(Clone, Debug, PartialEq)]
pub struct BuildCall {
    /// Name of the method.
    pub method: String,
    /// Its descriptor: `(I)Z`.
    pub descriptor: String,
    /// Its arguments; a [`JavaValue::Ref`] points to an object that was built before.
    pub arguments: Vec<JavaValue>,
}

/// The calls of a test case, if they make every object that it uses.
pub(crate) fn build(case: &TestCase) -> Option<&Build> {
    let build = case.build.as_ref()?;
    let mut is_whole = true;
    let draws = case.draws.iter().map(|(_, value)| value);
    for value in case.receiver.iter().chain(&case.arguments).chain(draws) {
        references(value, &mut |object| {
            is_whole &= build.objects.iter().any(|built| built.object == object);
        });
    }
    is_whole.then_some(build)
}

/// The objects that a value points to.
fn references(value: &JavaValue, into: &mut impl FnMut(usize)) {
    value.visit(&mut |part| {
        if let JavaValue::Ref(object) = part {
            into(*object);
        }
    });
}
