//! Heaps: objects with classes and field values, some of which may not be known yet.
//!
//! Object 0 is the root object (`this`). A heap is *complete* when no field is unknown; lazy initialization
//! makes a partial one of an input, which stands for all heaps that extend it.

use crate::invariant::{ClassId, FieldId, Kind, Shape};
use std::fmt;

/// The most objects that a heap can have: sets of objects are machine words with one bit left over.
pub const MOST_OBJECTS: usize = 63;

/// An object of a heap, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Object(pub u8);

/// The value of a field of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// Not initialized yet: any value.
    Unknown,
    /// No object.
    Null,
    /// An object.
    Object(Object),
    /// An integer; a boolean is 0 or 1, an enumeration the position of the name.
    Int(i32),
}

/// Objects and the values of their fields.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Heap {
    classes: Vec<ClassId>,
    values: Vec<Value>,
    fields: usize,
}

impl Heap {
    /// The heap with only the root object, all its fields unknown.
    pub fn new(shape: &Shape) -> Self {
        let mut heap = Heap { classes: Vec::new(), values: Vec::new(), fields: shape.fields.len() };
        heap.add(ClassId(0));
        heap
    }

    /// Adds an object with unknown fields.
    ///
    /// # Panics
    /// If there are [`MOST_OBJECTS`] objects already.
    pub fn add(&mut self, class: ClassId) -> Object {
        assert!(self.classes.len() < MOST_OBJECTS, "a heap of more than {MOST_OBJECTS} objects");
        self.classes.push(class);
        self.values.resize(self.values.len() + self.fields, Value::Unknown);
        Object(self.classes.len() as u8 - 1)
    }

    /// Takes the object that was added last away.
    pub fn remove_last(&mut self) {
        self.classes.pop();
        self.values.truncate(self.classes.len() * self.fields);
    }

    /// The number of objects, the root object included.
    pub fn len(&self) -> usize {
        self.classes.len()
    }

    /// Never: there is a root object.
    pub fn is_empty(&self) -> bool {
        self.classes.is_empty()
    }

    /// All objects.
    pub fn objects(&self) -> impl Iterator<Item = Object> + use<> {
        (0..self.classes.len() as u8).map(Object)
    }

    /// The class of an object.
    pub fn class(&self, object: Object) -> ClassId {
        self.classes[usize::from(object.0)]
    }

    /// The value of a field.
    pub fn get(&self, object: Object, field: FieldId) -> Value {
        self.values[usize::from(object.0) * self.fields + usize::from(field.0)]
    }

    /// Gives a field a value.
    pub fn set(&mut self, object: Object, field: FieldId, value: Value) {
        self.values[usize::from(object.0) * self.fields + usize::from(field.0)] = value;
    }

    /// Whether all fields that the objects have are known.
    pub fn is_complete(&self, shape: &Shape) -> bool {
        let known =
            |o: Object| shape.fields_of(self.class(o)).iter().all(|f| self.get(o, *f) != Value::Unknown);
        self.objects().all(known)
    }

    /// The fields that some object has a value of, one bit for each.
    pub(crate) fn known(&self) -> u64 {
        let of = |values: &[Value]| {
            values.iter().rev().fold(0, |all, value| all << 1 | u64::from(*value != Value::Unknown))
        };
        self.values.chunks_exact(self.fields.max(1)).fold(0, |all, values| all | of(values))
    }

    /// The objects in breadth-first order from the root, along fields in declared order, up to the first
    /// unknown reference; and whether there was none.
    pub fn breadth_first(&self, shape: &Shape) -> (Vec<Object>, bool) {
        let mut order = [Object(0); MOST_OBJECTS];
        let (found, whole) = self.breadth_first_in(shape, &mut order);
        (order[..found].to_vec(), whole)
    }

    /// The same in memory that is there already: how many objects were found.
    pub(crate) fn breadth_first_in(
        &self,
        shape: &Shape,
        order: &mut [Object; MOST_OBJECTS],
    ) -> (usize, bool) {
        order[0] = Object(0);
        let mut seen = 1u64;
        let (mut at, mut found) = (0, 1);
        while at < found {
            let object = order[at];
            at += 1;
            for field in shape.forward(self.class(object)) {
                match self.get(object, field) {
                    Value::Unknown => return (found, false),
                    Value::Object(next) if seen & (1 << next.0) == 0 => {
                        seen |= 1 << next.0;
                        order[found] = next;
                        found += 1;
                    }
                    _ => {}
                }
            }
        }
        (found, true)
    }

    /// Shows the heap with the names of its shape, one object per line.
    pub fn display<'a>(&'a self, shape: &'a Shape) -> impl fmt::Display + 'a {
        Shown { heap: self, shape }
    }
}

struct Shown<'a> {
    heap: &'a Heap,
    shape: &'a Shape,
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for object in self.heap.objects() {
            let class = self.heap.class(object);
            write!(f, "{}: {} {{", object.0, self.shape.classes[usize::from(class.0)].name)?;
            for field in self.shape.fields_of(class) {
                write!(f, " {}=", self.shape.fields[usize::from(field.0)].name)?;
                match (self.heap.get(object, *field), self.shape.kind(*field)) {
                    (Value::Unknown, _) => write!(f, "?")?,
                    (Value::Null, _) => write!(f, "null")?,
                    (Value::Object(to), _) => write!(f, "@{}", to.0)?,
                    (Value::Int(n), Kind::Enum(names)) => {
                        write!(
                            f,
                            "{}",
                            usize::try_from(n).ok().and_then(|n| names.get(n)).map_or("?", |s| s)
                        )?;
                    }
                    (Value::Int(n), _) => write!(f, "{n}")?,
                }
            }
            writeln!(f, " }}")?;
        }
        Ok(())
    }
}
