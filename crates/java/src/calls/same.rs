//! Whether an object of a state is the one that a test case wants: the same classes, the same values and the
//! same sharing, as far as the test case lists them.

use crate::ending::java_value;
use evergreen_jvm::{Jvm, Ref, State, Value};
use evergreen_replay::{GraphBody, GraphObject, JavaValue};
use evergreen_symbolic::Assignment;
use std::collections::{BTreeMap, BTreeSet};

/// How a field may differ from the test case.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Free {
    /// The path does not read it.
    Unread,
    /// It is a whole number that may be another one.
    Number,
}

/// A field that calls make differently from the test case.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Moved {
    /// The object's number in the test case.
    pub(crate) object: usize,
    /// The field's place among those that are listed.
    pub(crate) field: usize,
    /// What calls make of a number; `None` if the path does not read it.
    pub(crate) value: Option<Value>,
}

/// The fields that may differ, by object and place.
pub(crate) type Freedom = BTreeMap<(usize, usize), Free>;

/// Whether the graph that hangs on `root` is the one that hangs on the object `wanted`. Different objects of
/// the test case have to be different objects of the state. The answer is which of the fields in `free`
/// differ.
pub(crate) fn same(
    jvm: &Jvm,
    state: &State,
    root: Ref,
    objects: &[GraphObject],
    wanted: usize,
    free: &Freedom,
) -> Option<Vec<Moved>> {
    let mut pairing = Pairing {
        jvm,
        state,
        found: vec![None; objects.len()],
        used: BTreeSet::new(),
        open: Vec::new(),
        free,
        moved: Vec::new(),
    };
    let mut same = pairing.pair(wanted, Value::Ref(root));
    while same && let Some((index, object)) = pairing.open.pop() {
        same = match objects.get(index) {
            Some(wanted) => pairing.holds(index, wanted, object),
            None => false,
        };
    }
    same.then_some(pairing.moved)
}

struct Pairing<'a> {
    jvm: &'a Jvm,
    state: &'a State,
    /// Which object of the state each of the test case is.
    found: Vec<Option<Ref>>,
    used: BTreeSet<Ref>,
    /// Pairs whose fields were not compared yet.
    open: Vec<(usize, Ref)>,
    free: &'a Freedom,
    moved: Vec<Moved>,
}

impl Pairing<'_> {
    fn pair(&mut self, wanted: usize, value: Value) -> bool {
        let Value::Ref(object) = value else { return false };
        match self.found.get(wanted) {
            Some(Some(before)) => *before == object,
            Some(None) if self.used.insert(object) => {
                self.found[wanted] = Some(object);
                self.open.push((wanted, object));
                true
            }
            _ => false,
        }
    }

    fn holds(&mut self, index: usize, wanted: &GraphObject, object: Ref) -> bool {
        let class = self.jvm.class(self.state.heap.class_of(object)).clone();
        match &wanted.body {
            GraphBody::Fields(fields) => {
                class.java_name() == wanted.class
                    && fields.iter().enumerate().all(|(at, field)| {
                        let place = class.instance_fields.iter().find(|known| {
                            *known.name == *field.name
                                && self.jvm.class(known.owner).java_name() == field.owner
                        });
                        place.is_some_and(|place| {
                            let value = self.state.heap.load(object, place.slot as usize);
                            self.is_value(&field.value, value, &place.descriptor)
                                || self.is_free(index, at, &field.value, value)
                        })
                    })
            }
            GraphBody::Elements { element, items } => {
                *class.name == *format!("[{element}")
                    && self.state.heap.array_length(object) == Some(items.len())
                    && items.iter().enumerate().all(|(index, item)| {
                        self.is_value(item, self.state.heap.load(object, index), &element.to_string())
                    })
            }
        }
    }

    fn is_free(&mut self, object: usize, field: usize, wanted: &JavaValue, value: Value) -> bool {
        let value = match (self.free.get(&(object, field)), wanted, value) {
            (Some(Free::Unread), ..) => None,
            (Some(Free::Number), JavaValue::Int(_), Value::Int(_)) => Some(value),
            (Some(Free::Number), JavaValue::Long(_), Value::Long(_)) => Some(value),
            _ => return false,
        };
        self.moved.push(Moved { object, field, value });
        true
    }

    fn is_value(&mut self, wanted: &JavaValue, value: Value, descriptor: &str) -> bool {
        match (wanted, value) {
            (JavaValue::Ref(index), value) => self.pair(*index, value),
            (JavaValue::Static { class, name }, value) => {
                let class = self.jvm.loaded(&class.replace('.', "/"));
                let held = class.and_then(|class| self.jvm.class(class).static_field(name));
                held.is_some_and(|held| self.state.get_static(held.slot) == value)
            }
            // All that is known of it is its class.
            (JavaValue::Object { .. }, _) | (_, Value::Unset | Value::Sym(_)) => false,
            (JavaValue::Array { .. }, Value::Ref(array)) if !self.used.insert(array) => false,
            (wanted, value) => {
                let seen = self.jvm.describe(self.state, value, descriptor, &Assignment::new());
                wanted.admits(&java_value(&seen))
            }
        }
    }
}

/// All that hangs on an object, written down so that equal graphs are equal texts; cut where it is large.
pub(crate) fn written(state: &State, root: Ref) -> Vec<(u32, Vec<Written>)> {
    const BOUND: usize = 256;
    let mut order = vec![root];
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(object) = order.get(at).copied().filter(|_| at < BOUND) {
        let found = state.heap.get(object);
        let mut all = Vec::new();
        for value in found.body.values() {
            all.push(match value {
                Value::Ref(to) => {
                    let place = order.iter().position(|known| *known == to).unwrap_or_else(|| {
                        order.push(to);
                        order.len() - 1
                    });
                    Written::Object(place)
                }
                Value::Int(n) => Written::Bits(n as i64 as u64),
                Value::Long(n) => Written::Bits(n as u64),
                Value::Float(n) => Written::Bits(n.to_bits().into()),
                Value::Double(n) => Written::Bits(n.to_bits()),
                _ => Written::Nothing,
            });
        }
        out.push((found.class.0, all));
        at += 1;
    }
    out
}

/// A field, written down.
#[derive(PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Written {
    Nothing,
    Bits(u64),
    Object(usize),
}
