//! The values of a test, by the names of inputs: `x`, `a.length`, `a[2]`, `this.root.key`, `e.ordinal`, what
//! a driver drew.
//!
//! This is the reverse of describing a path's inputs. A name is the way to a place of the input, so what a
//! test has there depends on no path: it can be looked up when the machine meets the place, and never before.

use evergreen_classfile::{Type, access};
use evergreen_jvm::Jvm;
use evergreen_replay::{GraphBody, GraphObject, JavaValue, Made, TestCase};
use evergreen_symbolic::{Const, InputKind};
use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashMap;

/// The inputs of a test, by names.
pub struct TestInputs {
    /// Parameters, and what the method is called on.
    roots: HashMap<String, JavaValue>,
    draws: HashMap<String, JavaValue>,
    pub(crate) objects: Vec<GraphObject>,
    /// Whether the machine asked for something of an object of which the test says nothing.
    pub(crate) left_open: Cell<bool>,
}

/// What a test has at a place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum At<'t> {
    /// This.
    Value(Cow<'t, JavaValue>),
    /// A number that is part of what is there: a length, an ordinal.
    Number(i64),
    /// The test says nothing of it: the path did not read it.
    Unsaid,
    /// There is no such place in it.
    Nowhere,
}

impl TestInputs {
    /// Those of a test; `names` are the parameters of the method as it is now.
    pub(crate) fn new<'n>(case: &TestCase, names: impl Iterator<Item = &'n str>) -> TestInputs {
        let mut roots: HashMap<String, JavaValue> =
            names.map(String::from).zip(case.arguments.iter().cloned()).collect();
        if let Some(receiver) = &case.receiver {
            roots.insert("this".into(), receiver.clone());
        }
        let draws = case.draws.iter().cloned().collect();
        TestInputs { roots, draws, objects: case.objects.clone(), left_open: Cell::new(false) }
    }

    /// The value of an input; `None` if the test has none, and an error if the test has something else there.
    pub(crate) fn number(&self, jvm: &mut Jvm, name: &str, kind: InputKind) -> Result<Option<Const>, String> {
        let found = match self.at(jvm, name) {
            // What would be in a box that is not there.
            At::Value(value) if *value == JavaValue::Null => return Ok(None),
            At::Value(value) => constant(&value, kind),
            At::Number(n) => whole(n, kind),
            At::Unsaid | At::Nowhere => return Ok(None),
        };
        found.map(Some).ok_or_else(|| format!("what it has for {name} is not of its type any more"))
    }

    /// What the test has at a place.
    pub(crate) fn at(&self, jvm: &mut Jvm, name: &str) -> At<'_> {
        if let Some(drawn) = self.draws.get(name) {
            return At::Value(Cow::Borrowed(drawn));
        }
        let end = name.find(['.', '[']).unwrap_or(name.len());
        let root = self.roots.get(&name[..end]).or_else(|| self.draws.get(&name[..end]));
        let Some(mut here) = root.map(Cow::Borrowed) else { return At::Unsaid };
        let mut rest = &name[end..];
        while !rest.is_empty() {
            let Some((part, after)) = next_part(rest) else { return At::Nowhere };
            if let (Part::Name(word), "") = (part, after)
                && let Some(number) = property(jvm, &self.objects, &here, word)
            {
                return At::Number(number);
            }
            rest = after;
            here = match self.step(jvm, &here, part, &mut rest) {
                At::Value(next) => next,
                other => return other,
            };
        }
        At::Value(here)
    }

    /// What is at a part of a value. A field that another hides has its class before it, which is taken off
    /// `rest` too.
    fn step<'t>(&'t self, jvm: &mut Jvm, here: &JavaValue, part: Part<'_>, rest: &mut &str) -> At<'t> {
        let own = |value: &JavaValue| At::Value(Cow::Owned(value.clone()));
        match (here, part) {
            (JavaValue::Array { items, .. }, Part::Index(at)) => items.get(at).map_or(At::Nowhere, own),
            (JavaValue::String(units), Part::Index(at)) => {
                units.get(at).map_or(At::Nowhere, |unit| At::Value(Cow::Owned(JavaValue::Char(*unit))))
            }
            (JavaValue::Made(made), Part::Name(word @ ("key" | "value"))) if made.entries().is_some() => {
                let from = usize::from(word == "value");
                let entries = made.entries().unwrap_or_default().iter();
                let items = entries.skip(from).step_by(2).cloned().collect();
                own(&JavaValue::Array { element: Type::Class("java/lang/Object".into()), items })
            }
            (JavaValue::Made(made), Part::Index(at)) => made
                .iterated()
                .unwrap_or(made)
                .items()
                .and_then(|items| items.get(at))
                .map_or(At::Nowhere, own),
            (JavaValue::Function(function), Part::Index(at)) => {
                function.calls.get(at).map_or(At::Nowhere, |call| own(&call.answer))
            }
            (JavaValue::Made(made), Part::Name(word)) => argument(jvm, made, word).map_or(At::Nowhere, own),
            (JavaValue::Ref(object), part) => match (self.objects.get(*object).map(|o| &o.body), part) {
                (Some(GraphBody::Elements { items, .. }), Part::Index(at)) => {
                    items.get(at).map_or(At::Nowhere, |item| At::Value(Cow::Borrowed(item)))
                }
                (Some(GraphBody::Fields(fields)), Part::Name(word)) => {
                    // Fields of a class come after those of the class that it extends, and hide them.
                    if let Some(field) = fields.iter().rfind(|field| field.name == word) {
                        return At::Value(Cow::Borrowed(&field.value));
                    }
                    let simple = |owner: &str| owner.rsplit(['.', '$']).next() == Some(word);
                    let hidden = match next_part(rest) {
                        Some((Part::Name(name), after)) => Some((name, after)),
                        _ => None,
                    };
                    let found = hidden.and_then(|(name, after)| {
                        let field = fields.iter().find(|field| field.name == name && simple(&field.owner))?;
                        Some((field, after))
                    });
                    let Some((field, after)) = found else {
                        self.left_open.set(true);
                        return At::Unsaid;
                    };
                    *rest = after;
                    At::Value(Cow::Borrowed(&field.value))
                }
                _ => At::Nowhere,
            },
            _ => At::Nowhere,
        }
    }

    /// The object that a test has at a place, by its number.
    pub(crate) fn object(&self, jvm: &mut Jvm, name: &str) -> Option<usize> {
        match self.at(jvm, name) {
            At::Value(value) => match *value {
                JavaValue::Ref(object) => Some(object),
                _ => None,
            },
            _ => None,
        }
    }
}

/// An argument of a call, by the name that its parameter has now.
fn argument<'m>(jvm: &mut Jvm, made: &'m Made, name: &str) -> Option<&'m JavaValue> {
    let class = made.class.replace('.', "/");
    let callee = jvm.find(&class, &made.method, &made.descriptor).ok()??;
    let at = jvm.parameters(callee).iter().position(|(own, _)| **own == *name)?;
    made.arguments.get(at)
}

#[derive(Clone, Copy)]
enum Part<'n> {
    Name(&'n str),
    Index(usize),
}

/// The first part of the rest of a way, and what comes after it.
fn next_part(rest: &str) -> Option<(Part<'_>, &str)> {
    if let Some(inner) = rest.strip_prefix('[') {
        let (index, after) = inner.split_once(']')?;
        return Some((Part::Index(index.parse().ok()?), after));
    }
    let inner = rest.strip_prefix('.')?;
    let end = inner.find(['.', '[']).unwrap_or(inner.len());
    Some((Part::Name(&inner[..end]), &inner[end..]))
}

/// A number that is part of a value, by the name that the machine's input for it has.
fn property(jvm: &mut Jvm, objects: &[GraphObject], value: &JavaValue, word: &str) -> Option<i64> {
    let elements = |object: &usize| match objects.get(*object).map(|object| &object.body) {
        Some(GraphBody::Elements { items, .. }) => Some(items.len() as i64),
        _ => None,
    };
    match (word, value) {
        ("length", JavaValue::Array { items, .. }) => Some(items.len() as i64),
        ("length", JavaValue::Made(made)) => match made.entries() {
            Some(entries) => Some(entries.len() as i64 / 2),
            None => made.iterated().unwrap_or(made).items().map(|items| items.len() as i64),
        },
        ("length", JavaValue::String(units)) => Some(units.len() as i64),
        ("length", JavaValue::Ref(object)) => elements(object),
        ("length" | "ordinal", JavaValue::Null) => Some(-1),
        ("isNull", JavaValue::Null) => Some(1),
        ("isNull", JavaValue::Boxed(_)) => Some(0),
        ("ordinal", JavaValue::Enum { class, name }) => {
            let class = jvm.find_class(&class.replace('.', "/")).ok()?;
            let class = jvm.class(class);
            let mut constants = class.static_fields.iter().filter(|field| field.access & access::ENUM != 0);
            constants.position(|field| *field.name == **name).map(|at| at as i64)
        }
        _ => None,
    }
}

fn constant(value: &JavaValue, kind: InputKind) -> Option<Const> {
    match (value, kind) {
        (JavaValue::Boxed(inner), kind) => constant(inner, kind),
        (JavaValue::Boolean(b), InputKind::Boolean) => Some(Const::I32((*b).into())),
        (JavaValue::Boolean(_), _) | (_, InputKind::Boolean) => None,
        (JavaValue::Byte(n), kind) => whole((*n).into(), kind),
        (JavaValue::Short(n), kind) => whole((*n).into(), kind),
        (JavaValue::Char(n), kind) => whole((*n).into(), kind),
        (JavaValue::Int(n), kind) => whole((*n).into(), kind),
        (JavaValue::Long(n), kind) => whole(*n, kind),
        (JavaValue::Float(n), InputKind::Float) => Some(Const::F32(n.to_bits())),
        (JavaValue::Double(n), InputKind::Double) => Some(Const::F64(n.to_bits())),
        _ => None,
    }
}

fn whole(n: i64, kind: InputKind) -> Option<Const> {
    let (least, greatest) = kind.range();
    match kind {
        InputKind::Float | InputKind::Double => None,
        InputKind::Long => Some(Const::I64(n)),
        _ if (least..=greatest).contains(&n) => Some(Const::I32(n as i32)),
        _ => None,
    }
}
