//! Java's values as they travel: methods, paths, tests, counters.

use crate::case::plain_case;
use crate::counted::counted;
use crate::graph::RECEIVER;
use crate::{Inputs, MethodRef, PathEnd, Totals, java_value, json, source_text};
use evergreen_jvm::{
    CallName, InputBound, InputObject, InputValue, LazyCounts, Narrowed, ObjectShape, SawChoice, TakenArm,
    Way,
};
use evergreen_replay::{JavaValue, Target, TestCase};
use evergreen_service::report::More;
use evergreen_service::{Beyond, Counts, Entry, EntryKey, Language, Packed, Tally};
use rustc_hash::FxHasher;
use serde_json::Value;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// What an arm weighs, in bytes.
const ARM: usize = 64;

/// Java.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Java;

/// What a path of a Java method has beyond what all paths have.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct JavaPath {
    /// The objects of the input, if there are lazy ones: whole and valid where there is a test, as the path
    /// has read them elsewhere.
    pub objects: Vec<InputObject>,
    /// The same as far as the path has read them: the first of `objects`, without the fields that completing
    /// the input has added.
    pub read: Vec<InputObject>,
    /// What `objects` are like beyond what their fields hold; empty where conditions are.
    pub shapes: Vec<ObjectShape>,
    /// All branches of the program's own classes on the way, if the machine records them; the test is to take
    /// them too.
    pub taken: Option<Vec<TakenArm>>,
    /// Where something on the path asked for an identity hash code, or what else differs from run to run.
    pub saw_choice: SawChoice,
}

impl JavaPath {
    /// The objects in a line: `this {root: this.root}, this.root {left: null}`.
    pub fn shown(&self) -> String {
        let all = &self.objects;
        let shown = |object: &InputObject| {
            let field = |(_, name, value): &(Arc<str>, Arc<str>, InputValue)| match value {
                InputValue::Object(place) => {
                    format!("{name}: {}", all.get(*place).map_or("?", |object| &object.name))
                }
                InputValue::Plain(value) => format!("{name}: {}", source_text(&java_value(value))),
            };
            let fields: Vec<String> = object.fields.iter().map(field).collect();
            format!("{} {{{}}}", object.name, fields.join(", "))
        };
        all.iter().map(shown).collect::<Vec<_>>().join(", ")
    }
}

impl Beyond for JavaPath {
    fn is_empty(&self) -> bool {
        self.is_plain() && self.taken.is_none()
    }

    fn is_plain(&self) -> bool {
        self.objects.is_empty() && self.read.is_empty() && self.shapes.is_empty()
    }

    fn weight(&self) -> usize {
        ARM * self.taken.as_ref().map_or(0, Vec::len)
    }

    fn shorten(&mut self) {
        self.shapes = Vec::new();
    }

    fn objects(&self) -> usize {
        self.objects.len()
    }

    fn show(&self) -> String {
        self.shown()
    }

    fn json(&self) -> Vec<Value> {
        json::objects(&self.objects)
    }

    fn branches(&self) -> Vec<u64> {
        let number = |arm: &TakenArm| {
            let mut hasher = FxHasher::default();
            (&arm.class, &arm.method, &arm.descriptor, arm.offset).hash(&mut hasher);
            let way = match arm.way {
                Way::Taken => (0, 0),
                Way::Fallthrough => (1, 0),
                Way::Case(index) => (2, index),
                Way::Default => (3, 0),
            };
            way.hash(&mut hasher);
            hasher.finish()
        };
        self.taken.iter().flatten().map(number).collect()
    }

    fn for_replay(&self) -> JavaPath {
        JavaPath { taken: self.taken.clone(), saw_choice: self.saw_choice, ..JavaPath::default() }
    }
}

/// What the JVM counts: lazy heaps, and bounds that have left inputs out.
#[derive(Clone, Debug, Default)]
pub struct JavaCounts {
    /// What lazy heaps did.
    pub lazy: LazyCounts,
    /// Ends of paths whose inputs have met a bound, by bound.
    narrowed: [u64; InputBound::ALL.len()],
    /// The bounds that instructions have met.
    stepped: Narrowed,
    /// The bounds that checks of objects have met.
    checked: Narrowed,
}

impl JavaCounts {
    /// Counts the bounds that the inputs of a path have met.
    pub(crate) fn narrow(&mut self, path: Narrowed) {
        path.iter().for_each(|bound| self.narrowed[bound as usize] += 1);
    }

    /// Notes the bounds that instructions and checks have met.
    pub(crate) fn note(&mut self, stepped: Narrowed, checked: Narrowed) {
        self.stepped.add_all(stepped);
        self.checked.add_all(checked);
    }
}

impl Counts for JavaCounts {
    fn add(&mut self, other: &JavaCounts) {
        self.lazy.add(&other.lazy);
        self.narrowed.iter_mut().zip(other.narrowed).for_each(|(sum, more)| *sum += more);
        self.stepped.add_all(other.stepped);
        self.checked.add_all(other.checked);
    }
}

/// The bounds that have left inputs out, of a tally of Java paths.
pub trait Narrowings {
    /// How many paths have inputs that a bound has narrowed. Zero means that the bound has left nothing out.
    fn narrowed(&self, bound: InputBound) -> u64;

    /// The bounds that have left inputs out.
    fn narrowings(&self) -> impl Iterator<Item = (InputBound, u64)>;

    /// At how many places the scope may have left objects out.
    fn scoped(&self) -> u64;
}

impl Narrowings for Tally<Java> {
    fn narrowed(&self, bound: InputBound) -> u64 {
        let counts = &self.machine;
        let paths = counts.narrowed[bound as usize];
        // What a check found to be invalid within the bound may be valid beyond it.
        let may_hide = self.invalid + counts.lazy.pruned > 0 && counts.checked.has(bound);
        paths.max(u64::from(may_hide || counts.stepped.has(bound)))
    }

    fn narrowings(&self) -> impl Iterator<Item = (InputBound, u64)> {
        InputBound::ALL.into_iter().map(|bound| (bound, self.narrowed(bound))).filter(|(_, paths)| *paths > 0)
    }

    fn scoped(&self) -> u64 {
        self.machine.lazy.scoped + self.invalid
    }
}

impl Entry for MethodRef {
    fn key(&self) -> EntryKey {
        (self.class.to_string(), self.name.to_string(), self.descriptor.to_string())
    }

    fn parameter_names(&self) -> Vec<&str> {
        self.parameters.iter().map(|(name, _)| &**name).collect()
    }
}

/// Kinds of values in few bytes.
mod kind {
    pub(crate) const FALSE: u8 = 0;
    pub(crate) const TRUE: u8 = 1;
    pub(crate) const BYTE: u8 = 2;
    pub(crate) const CHAR: u8 = 3;
    pub(crate) const SHORT: u8 = 4;
    pub(crate) const INT: u8 = 5;
    pub(crate) const LONG: u8 = 6;
    pub(crate) const FLOAT: u8 = 7;
    pub(crate) const DOUBLE: u8 = 8;
    pub(crate) const NULL: u8 = 9;
}

impl Language for Java {
    type Entry = MethodRef;
    type Inputs = Inputs;
    type Value = JavaValue;
    type Beyond = JavaPath;
    type Counts = JavaCounts;
    type Within = crate::Within;

    const REPLAYED: &'static str = "replayed on the JVM";
    const CHOICES: &'static str = "identity hash codes, the clock or the JVM's memory";

    fn show(value: &JavaValue) -> String {
        source_text(value)
    }

    const PLATFORM: &'static str = "the JVM";

    fn json(value: &JavaValue) -> Value {
        json::json(value)
    }

    fn case_of_json(
        method: &MethodRef,
        target: &Arc<Target>,
        inputs: &serde_json::Map<String, Value>,
    ) -> Result<TestCase, String> {
        crate::given::case(method, target, inputs)
    }

    fn is_incomplete_program(why: &str) -> bool {
        crate::severity::is_about_class_path(why)
    }

    fn is_object(value: &JavaValue) -> bool {
        matches!(value, JavaValue::Object { .. } | JavaValue::Ref(_))
    }

    fn given_in_parts(name: &str, value: &JavaValue) -> Option<Vec<(String, String)>> {
        let has_parts = match value {
            JavaValue::Made(_) | JavaValue::Function(_) => true,
            JavaValue::Array { element, .. } => element.is_reference(),
            _ => false,
        };
        if !has_parts {
            return None;
        }
        let mut parts = Vec::new();
        put_parts(name, value, &mut parts);
        Some(parts)
    }

    fn kind(class: &str) -> &'static str {
        match class {
            "java.lang.AssertionError" => "assertion",
            "evergreen.CheckFailed" => "check",
            _ => "exception",
        }
    }

    fn about(class: &str) -> String {
        match Java::kind(class) {
            "assertion" => "An assertion of the program fails for some input".into(),
            "check" => "A check of a driver fails for some input".into(),
            _ => format!("{class} leaves a method for some input"),
        }
    }

    fn called(case: &TestCase) -> String {
        let Target { class, method, descriptor, .. } = &*case.target;
        format!("{class}.{method}{descriptor}")
    }

    fn called_with(case: &TestCase) -> Vec<(String, JavaValue)> {
        let arguments = case.target.parameters.iter().cloned().zip(case.arguments.iter().cloned());
        let is_shown = |of: &&JavaValue| matches!(of, JavaValue::Made(_) | JavaValue::Enum { .. });
        let made = case.receiver.iter().filter(is_shown);
        let receiver = made.map(|receiver| (RECEIVER.to_string(), receiver.clone()));
        receiver.chain(arguments).chain(case.draws.iter().cloned()).collect()
    }

    fn counted(totals: &Totals) -> More {
        counted(totals)
    }

    fn size(value: &JavaValue) -> (usize, u128) {
        match value {
            JavaValue::Boolean(b) => (1, u128::from(*b)),
            JavaValue::Byte(n) => (1, n.unsigned_abs().into()),
            JavaValue::Short(n) => (1, n.unsigned_abs().into()),
            JavaValue::Int(n) => (1, n.unsigned_abs().into()),
            JavaValue::Long(n) => (1, n.unsigned_abs().into()),
            JavaValue::Char(unit) => (1, (*unit).into()),
            JavaValue::String(units) => (1 + units.len(), 0),
            JavaValue::Array { items, .. } => {
                items.iter().map(Java::size).fold((1, 0), |(a, b), (c, d)| (a + c, b + d))
            }
            _ => (1, 0),
        }
    }

    fn replayed(old: &TestCase, new: &TestCase) -> TestCase {
        TestCase { target: new.target.clone(), arms: new.arms.clone(), ..old.clone() }
    }

    const MAKES_CASES_LATER: bool = true;

    fn pack(value: &JavaValue) -> Option<Packed> {
        let (tag, number) = match value {
            JavaValue::Boolean(is) => (if *is { kind::TRUE } else { kind::FALSE }, None),
            JavaValue::Byte(n) => (kind::BYTE, Some(i64::from(*n))),
            JavaValue::Char(n) => (kind::CHAR, Some(i64::from(*n))),
            JavaValue::Short(n) => (kind::SHORT, Some(i64::from(*n))),
            JavaValue::Int(n) => (kind::INT, Some(i64::from(*n))),
            JavaValue::Long(n) => (kind::LONG, Some(*n)),
            JavaValue::Float(n) => (kind::FLOAT, Some(i64::from(n.to_bits()))),
            JavaValue::Double(n) => (kind::DOUBLE, Some(n.to_bits().cast_signed())),
            JavaValue::Null => (kind::NULL, None),
            _ => return None,
        };
        Some(Packed { tag, number })
    }

    fn unpack(Packed { tag, number }: Packed) -> JavaValue {
        let number = number.unwrap_or_default();
        match tag {
            kind::FALSE => JavaValue::Boolean(false),
            kind::TRUE => JavaValue::Boolean(true),
            kind::BYTE => JavaValue::Byte(number as i8),
            kind::CHAR => JavaValue::Char(number as u16),
            kind::SHORT => JavaValue::Short(number as i16),
            kind::INT => JavaValue::Int(number as i32),
            kind::LONG => JavaValue::Long(number),
            kind::FLOAT => JavaValue::Float(f32::from_bits(number as u32)),
            kind::DOUBLE => JavaValue::Double(f64::from_bits(number.cast_unsigned())),
            _ => JavaValue::Null,
        }
    }

    fn plain_case(
        path: &PathEnd,
        target: &Arc<Target>,
        parameters: usize,
        memory: Option<TestCase>,
    ) -> Option<TestCase> {
        plain_case(path, target, parameters, memory)
    }

    fn is_plain_case(case: &TestCase, target: &Arc<Target>) -> bool {
        Arc::ptr_eq(&case.target, target) && case.build.is_none()
    }

    fn reclaim(case: TestCase) -> Vec<(String, JavaValue)> {
        case.draws
    }
}

/// What `--concrete` is given for a value that calls make: which call, and its arguments.
fn put_parts(name: &str, value: &JavaValue, into: &mut Vec<(String, String)>) {
    if let JavaValue::Made(made) = value
        && let Some(entries) = made.entries()
    {
        into.push((format!("{name}.length"), (entries.len() / 2).to_string()));
        for (at, part) in entries.iter().enumerate() {
            let kind = if at % 2 == 0 { "key" } else { "value" };
            put_parts(&format!("{name}.{kind}[{}]", at / 2), part, into);
        }
        return;
    }
    let items = match value {
        JavaValue::Made(made) => made.iterated().unwrap_or(made).items(),
        JavaValue::Array { element, items } if element.is_reference() => Some(&items[..]),
        _ => None,
    };
    if let Some(items) = items {
        into.push((format!("{name}.length"), items.len().to_string()));
        items.iter().enumerate().for_each(|(at, item)| put_parts(&format!("{name}[{at}]"), item, into));
        return;
    }
    if let JavaValue::Function(function) = value {
        into.push((format!("{name}.new"), function.interface.clone()));
        for (at, call) in function.calls.iter().enumerate() {
            put_parts(&format!("{name}[{at}]"), &call.answer, into);
        }
        return;
    }
    let JavaValue::Made(made) = value else {
        into.push((name.to_string(), source_text(value)));
        return;
    };
    let call = CallName {
        class: made.class.as_str().into(),
        method: made.method.as_str().into(),
        descriptor: made.descriptor.as_str().into(),
    };
    into.push((format!("{name}.new"), call.key()));
    for (parameter, argument) in made.parameters.iter().zip(&made.arguments) {
        put_parts(&format!("{name}.{parameter}"), argument, into);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of all kinds, those at the edges too: bits of NaN survive, and values with parts are moved.
    #[test]
    fn what_is_unpacked_is_what_was_packed() {
        let mut all = vec![JavaValue::Null];
        all.extend([true, false].map(JavaValue::Boolean));
        all.extend([i8::MIN, 0, i8::MAX].map(JavaValue::Byte));
        all.extend([0, u16::MAX].map(JavaValue::Char));
        all.extend([i16::MIN, i16::MAX].map(JavaValue::Short));
        all.extend([i32::MIN, -65, -1, 0, 63, 64, i32::MAX].map(JavaValue::Int));
        all.extend([i64::MIN, -1, 0, i64::MAX].map(JavaValue::Long));
        all.extend([-0.0, 0.0, f32::NEG_INFINITY].map(JavaValue::Float));
        all.extend([-0.0, 0.0, f64::MIN].map(JavaValue::Double));
        for value in all {
            let packed = Java::pack(&value).expect("few bytes");
            assert!(packed.tag < 64);
            let back = Java::unpack(packed);
            assert_eq!(format!("{back:?}"), format!("{value:?}"));
        }
        let nan = f64::from_bits(0xfff8_0000_0000_0123);
        let back = Java::pack(&JavaValue::Double(nan)).map(Java::unpack);
        assert!(matches!(back, Some(JavaValue::Double(n)) if n.to_bits() == nan.to_bits()));
        assert_eq!(Java::pack(&JavaValue::String(vec![0xd800, 7])), None);
        assert_eq!(Java::pack(&JavaValue::Ref(3)), None);
    }
}
