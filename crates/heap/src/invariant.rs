//! An invariant: the shape it declares (classes, fields, the root) and the relational
//! formulas that must hold.
//!
//! The trees are typed: sets of objects, relations between objects, integers, formulas. Null is the empty
//! set, so a reference field is a partial function. Relations are built from fields alone and have no
//! variables; they live in a table of their own, so that a closure is computed once per heap however
//! often a formula names it.

use std::collections::HashMap;
use std::rc::Rc;

/// A class of the shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClassId(pub u8);

/// A field of the shape, numbered over all classes in the order of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FieldId(pub u8);

/// A class.
#[derive(Clone, Debug)]
pub struct Class {
    /// Its name.
    pub name: String,
    /// The class that it extends.
    pub parent: Option<ClassId>,
    /// Its fields, inherited ones first.
    pub fields: Vec<FieldId>,
    /// Its name in the program, where the text gives it: `java.util.TreeMap$Entry`.
    pub program_name: Option<String>,
    /// Fields that are always null, which no formula speaks of, with their places in the text.
    pub nulls: Vec<(String, usize)>,
    /// Fields that always hold what a static field does, which no formula speaks of.
    pub statics: Vec<StaticField>,
    /// Where in the text its name is.
    pub at: usize,
}

/// A field whose value is that of a static field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaticField {
    /// The field.
    pub name: String,
    /// The class that has the static field, by its full name.
    pub class: String,
    /// The static field.
    pub constant: String,
    /// Where in the text the field's name is.
    pub at: usize,
}

/// The upper end of an integer range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// A number.
    Number(i64),
    /// The number of objects in the scope, the root object not counted.
    Scope,
}

impl Limit {
    /// The limit as a number, under a scope of so many objects besides the root.
    pub fn value(self, objects: usize) -> i64 {
        match self {
            Limit::Number(n) => n,
            Limit::Scope => objects as i64,
        }
    }
}

/// The type of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A reference to an object of this class (or of one that extends it) or null.
    Reference {
        /// The class.
        target: ClassId,
        /// A field such as `parent`, which leads back: it is no part of the breadth-first order.
        back: bool,
    },
    /// Any integer; formulas can only compare it with the same field of another object.
    Key,
    /// An integer in a range, ends included.
    Int(i64, Limit),
    /// One of some names; its value is the name's position.
    Enum(Vec<String>),
    /// True or false, as 1 or 0.
    Bool,
}

/// A field.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// The class that declares it.
    pub owner: ClassId,
    /// Its type.
    pub kind: Kind,
    /// Where in the text its name is.
    pub at: usize,
}

/// A relation in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RelId(pub(crate) u16);

/// A variable of a quantifier, by its depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Var(pub(crate) u8);

/// A function defined in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FunId(pub(crate) u8);

/// A binary relation between objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Rel {
    Field(FieldId),
    Transpose(RelId),
    Closure(RelId),
    Star(RelId),
    Union(RelId, RelId),
    Both(RelId, RelId),
    Minus(RelId, RelId),
}

/// A set of objects.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Set {
    This,
    None,
    Var(Var),
    Class(ClassId),
    Join(Box<Set>, RelId),
    Union(Box<Set>, Box<Set>),
    Both(Box<Set>, Box<Set>),
    Minus(Box<Set>, Box<Set>),
}

/// An integer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Int {
    Number(i64),
    Field(Set, FieldId),
    Count(Set),
    Add(Box<Int>, Box<Int>),
    Sub(Box<Int>, Box<Int>),
    Mul(Box<Int>, Box<Int>),
    /// The remainder by a power of two, never negative.
    Mod(Box<Int>, i64),
    Max(Box<Int>, Box<Int>),
    Min(Box<Int>, Box<Int>),
    If(Box<Formula>, Box<Int>, Box<Int>),
    Sum(Var, Set, Box<Int>),
    Call(FunId, Set),
}

/// How many members a set must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Many {
    No,
    Some,
    Lone,
    One,
}

/// A comparison of integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `=`
    Equal,
    /// `!=`
    Unequal,
}

impl Order {
    pub(crate) fn holds(self, a: i64, b: i64) -> bool {
        match self {
            Order::Less => a < b,
            Order::AtMost => a <= b,
            Order::Equal => a == b,
            Order::Unequal => a != b,
        }
    }

    /// Whether it holds of all numbers of two ranges.
    pub(crate) fn certain(self, a: (i64, i64), b: (i64, i64)) -> bool {
        match self {
            Order::Less => a.1 < b.0,
            Order::AtMost => a.1 <= b.0,
            Order::Equal => a.0 == a.1 && a == b,
            Order::Unequal => a.1 < b.0 || b.1 < a.0,
        }
    }

    /// Whether it holds of no numbers of two ranges, each given by its least and its greatest.
    pub(crate) fn excluded(self, a: (i64, i64), b: (i64, i64)) -> bool {
        match self {
            Order::Less => a.0 >= b.1,
            Order::AtMost => a.0 > b.1,
            Order::Equal => a.0 > b.1 || b.0 > a.1,
            Order::Unequal => a.0 == a.1 && a == b,
        }
    }
}

/// A formula.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Formula {
    Constant(bool),
    Not(Box<Formula>),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    All(Var, Set, Box<Formula>),
    Exists(Var, Set, Box<Formula>),
    Many(Many, Set),
    In(Set, Set),
    Equal(Set, Set),
    Compare(Order, Int, Int),
    Flag(Set, FieldId),
}

/// A function from an object, or none, to an integer in a range; it may call itself
/// along the relation `along`.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub name: String,
    pub class: ClassId,
    pub low: i64,
    pub high: Limit,
    pub body: Int,
    pub along: Option<RelId>,
}

/// A named part of an invariant.
#[derive(Clone, Debug)]
pub struct Part {
    /// The name that messages use.
    pub name: String,
    /// Whether the other parts imply it: it adds no restriction, but it refuses partial heaps earlier. It is
    /// evaluated on heaps, and is no clause.
    pub implied: bool,
    /// Where in the text its name is.
    pub at: usize,
    pub(crate) formula: Formula,
}

/// The classes and fields that heaps are made of.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    /// All classes; the first is that of the root object.
    pub classes: Vec<Class>,
    /// All fields.
    pub fields: Vec<Field>,
}

/// A class invariant: a shape and what must hold of its heaps.
#[derive(Clone, Debug, Default)]
pub struct Invariant {
    /// The shape of heaps.
    pub shape: Shape,
    /// The formulas that must hold, part by part.
    pub parts: Vec<Part>,
    pub(crate) relations: Vec<Rel>,
    pub(crate) functions: Vec<Function>,
    pub(crate) interned: HashMap<Rel, RelId>,
}

impl From<&Invariant> for Rc<Invariant> {
    fn from(invariant: &Invariant) -> Rc<Invariant> {
        Rc::new(invariant.clone())
    }
}

impl Invariant {
    /// No more than a shape: every heap is valid. For machines that have only repOK.
    pub fn of_shape(shape: Shape) -> Self {
        Invariant { shape, ..Invariant::default() }
    }

    pub(crate) fn relation(&mut self, rel: Rel) -> RelId {
        let next = RelId(self.relations.len() as u16);
        *self.interned.entry(rel).or_insert_with(|| {
            self.relations.push(rel);
            next
        })
    }
}

/// The most objects of any scope, for ranges that end with it.
const OBJECTS: usize = crate::heap::MOST_OBJECTS;

impl Invariant {
    /// Whether a part of the invariant states that there is exactly one object of a class, or at most one.
    pub fn has_at_most_one(&self, class: ClassId) -> bool {
        fn says(formula: &Formula, class: ClassId) -> bool {
            match formula {
                Formula::And(all) => all.iter().any(|f| says(f, class)),
                Formula::Many(Many::One | Many::Lone | Many::No, Set::Class(of)) => *of == class,
                _ => false,
            }
        }
        self.parts.iter().any(|part| says(&part.formula, class))
    }

    /// A number that a term's absolute value cannot exceed in any scope; saturates.
    pub(crate) fn magnitude(&self, int: &Int) -> i64 {
        let widest = |low: i64, high: Limit| low.abs().max(high.value(OBJECTS).abs());
        match int {
            Int::Number(n) => n.abs(),
            Int::Field(_, field) => match self.shape.kind(*field) {
                Kind::Int(low, high) => widest(*low, *high),
                Kind::Enum(names) => names.len() as i64,
                Kind::Bool | Kind::Key | Kind::Reference { .. } => 1,
            },
            Int::Count(_) => OBJECTS as i64,
            Int::Add(a, b) | Int::Sub(a, b) => self.magnitude(a).saturating_add(self.magnitude(b)),
            Int::Mul(a, b) => self.magnitude(a).saturating_mul(self.magnitude(b)),
            Int::Max(a, b) | Int::Min(a, b) | Int::If(_, a, b) => self.magnitude(a).max(self.magnitude(b)),
            Int::Mod(_, n) => *n,
            Int::Sum(_, _, body) => self.magnitude(body).saturating_mul(OBJECTS as i64),
            Int::Call(fun, _) => {
                let function = &self.functions[usize::from(fun.0)];
                widest(function.low, function.high)
            }
        }
    }
}

impl Shape {
    /// The class of this name.
    pub fn class(&self, name: &str) -> Option<ClassId> {
        self.classes.iter().position(|c| c.name == name).map(|c| ClassId(c as u8))
    }

    /// The field of this name, the first if several classes have one.
    pub fn field(&self, name: &str) -> Option<FieldId> {
        self.fields.iter().position(|f| f.name == name).map(|f| FieldId(f as u8))
    }

    /// The type of a field.
    pub fn kind(&self, field: FieldId) -> &Kind {
        &self.fields[usize::from(field.0)].kind
    }

    /// The fields of a class, inherited ones first.
    pub fn fields_of(&self, class: ClassId) -> &[FieldId] {
        &self.classes[usize::from(class.0)].fields
    }

    /// Whether `class` is `of` or extends it.
    pub fn is(&self, class: ClassId, of: ClassId) -> bool {
        class == of || self.classes[usize::from(class.0)].parent.is_some_and(|p| self.is(p, of))
    }

    /// `class` and the classes that extend it.
    pub fn subclasses(&self, class: ClassId) -> impl Iterator<Item = ClassId> + '_ {
        (0..self.classes.len() as u8).map(ClassId).filter(move |c| self.is(*c, class))
    }

    /// The target class if the field is a reference.
    pub fn target(&self, field: FieldId) -> Option<ClassId> {
        match self.kind(field) {
            Kind::Reference { target, .. } => Some(*target),
            _ => None,
        }
    }

    /// The reference fields of a class that the breadth-first order follows.
    pub fn forward(&self, class: ClassId) -> impl Iterator<Item = FieldId> + '_ {
        let fields = self.fields_of(class).iter().copied();
        fields.filter(|f| matches!(self.kind(*f), Kind::Reference { back: false, .. }))
    }

    /// The least and greatest value of an integer field under a scope; none for references and keys.
    pub fn range(&self, field: FieldId, objects: usize) -> Option<(i64, i64)> {
        match self.kind(field) {
            Kind::Int(low, high) => Some((*low, high.value(objects))),
            Kind::Enum(names) => Some((0, names.len() as i64 - 1)),
            Kind::Bool => Some((0, 1)),
            Kind::Reference { .. } | Kind::Key => None,
        }
    }
}
