//! The JUnit assertions for expectations, and which of them a file imports.

use crate::layout::Doc;
use crate::literal::{expression, string_literal};
use crate::names::Names;
use crate::{JavaValue, Junit, Message};
use evergreen_classfile::Type;
use std::collections::BTreeSet;

/// Writes assertions and remembers which.
pub(super) struct Assertions {
    version: Junit,
    used: BTreeSet<&'static str>,
}

impl Assertions {
    pub(super) fn new(version: Junit) -> Assertions {
        Assertions { version, used: BTreeSet::new() }
    }

    /// The static imports of the file, in order.
    pub(super) fn imports(&self) -> impl Iterator<Item = String> {
        let class = match self.version {
            Junit::Five => "org.junit.jupiter.api.Assertions",
            Junit::Four => "org.junit.Assert",
        };
        self.used.iter().map(move |name| format!("{class}.{name}"))
    }

    fn assert(&mut self, name: &'static str, arguments: Vec<Doc>) -> Doc {
        self.used.insert(name);
        Doc::call(name, arguments)
    }

    /// `assertEquals(expected, actual)`
    pub(super) fn equal(&mut self, expected: Doc, actual: Doc) -> Doc {
        self.assert("assertEquals", vec![expected, actual])
    }

    /// That `actual` has this value.
    pub(super) fn value(&mut self, value: &JavaValue, actual: Doc, names: &mut Names) -> Doc {
        let four = self.version == Junit::Four;
        match value {
            JavaValue::Boolean(true) => self.assert("assertTrue", vec![actual]),
            JavaValue::Boolean(false) => self.assert("assertFalse", vec![actual]),
            JavaValue::Null => self.assert("assertNull", vec![actual]),
            JavaValue::Object { class: None } => self.assert("assertNotNull", vec![actual]),
            JavaValue::Object { class: Some(class) } => {
                let expected = string_literal(&class.encode_utf16().collect::<Vec<u16>>());
                let actual = Doc::seq(vec![actual, Doc::text(".getClass().getName()")]);
                self.equal(Doc::text(expected), actual)
            }
            // JUnit 4 wants a tolerance, and with that takes 0.0 for -0.0.
            JavaValue::Float(value) if four && *value == 0.0 => {
                self.bits("Float.floatToIntBits", *value as f64, actual)
            }
            JavaValue::Double(value) if four && *value == 0.0 => {
                self.bits("Double.doubleToLongBits", *value, actual)
            }
            JavaValue::Float(_) if four => self.near("assertEquals", value, "0.0f", actual, names),
            JavaValue::Double(_) if four => self.near("assertEquals", value, "0.0", actual, names),
            JavaValue::Array { element: Type::Float, .. } if four => {
                self.near("assertArrayEquals", value, "0.0f", actual, names)
            }
            JavaValue::Array { element: Type::Double, .. } if four => {
                self.near("assertArrayEquals", value, "0.0", actual, names)
            }
            JavaValue::Array { .. } => {
                self.assert("assertArrayEquals", vec![expression(value, names), actual])
            }
            value => self.equal(expression(value, names), actual),
        }
    }

    fn near(
        &mut self,
        name: &'static str,
        value: &JavaValue,
        delta: &str,
        actual: Doc,
        names: &mut Names,
    ) -> Doc {
        self.assert(name, vec![expression(value, names), actual, Doc::text(delta)])
    }

    fn bits(&mut self, function: &str, zero: f64, actual: Doc) -> Doc {
        let suffix = if function.starts_with("Float") { "f" } else { "" };
        let expected = Doc::text(format!("{function}({zero:?}{suffix})"));
        self.equal(expected, Doc::call(function, vec![actual]))
    }

    /// `assertThrows(Class.class, () -> ...)`
    pub(super) fn throws(&mut self, class: &str, lambda: Doc) -> Doc {
        self.assert("assertThrows", vec![Doc::text(format!("{class}.class")), lambda])
    }

    /// The remaining checks of the variable `thrown`: a class that source cannot name, the message.
    pub(super) fn thrown(
        &mut self,
        class: Option<&String>,
        message: &Message,
        names: &mut Names,
    ) -> Vec<Doc> {
        let mut checks = Vec::new();
        if let Some(class) = class {
            let class = JavaValue::Object { class: Some(class.clone()) };
            checks.push(self.value(&class, Doc::text("thrown"), names));
        }
        let actual = Doc::text("thrown.getMessage()");
        match message {
            Message::Unknown => {}
            Message::Null => checks.push(self.assert("assertNull", vec![actual])),
            Message::Text(units) => {
                let expected = expression(&JavaValue::String(units.clone()), names);
                checks.push(self.equal(expected, actual));
            }
        }
        checks
    }
}
