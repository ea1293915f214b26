//! Values of a test case: arguments and results of calls, without a heap behind them.

use evergreen_classfile::Type;

/// A Java value that a test case can say.
///
/// Class names are those of `Class.getName`: dots between packages, `$` before a nested class.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum JavaValue {
    /// `boolean`
    Boolean(bool),
    /// `byte`
    Byte(i8),
    /// `char`
    Char(u16),
    /// `short`
    Short(i16),
    /// `int`
    Int(i32),
    /// `long`
    Long(i64),
    /// `float`
    Float(f32),
    /// `double`
    Double(f64),
    /// The null reference, of whatever type.
    #[default]
    Null,
    /// A string, as UTF-16 units: Java's strings may hold lone surrogates.
    String(Vec<u16>),
    /// An array.
    Array {
        /// Type of the elements.
        element: Type,
        /// The elements.
        items: Vec<JavaValue>,
    },
    /// An object of `java.lang.Integer` or another class of boxes: the primitive in it.
    Boxed(Box<JavaValue>),
    /// A constant of an enum.
    Enum {
        /// The enum's class, not that of a constant with a body.
        class: String,
        /// The constant.
        name: String,
    },
    /// The value of a static field. It can be passed, not expected.
    Static {
        /// The class that declares it.
        class: String,
        /// The field.
        name: String,
    },
    /// An object of the test case, by its number in [`TestCase::objects`](crate::TestCase::objects). It
    /// can be passed, not expected.
    Ref(usize),
    /// What a call makes. It can be passed, not expected.
    Made(Box<Made>),
    /// A function that has a table of answers. It can be passed, not expected.
    Function(Box<Function>),
    /// Some other object. It can be expected, not passed.
    Object {
        /// Its class; `None` if all that is known is that it is not null (lambdas have
        /// no class of a known name).
        class: Option<String>,
    },
}

/// A call of a constructor or of a static method that makes an object.
#[derive(Clone, Debug)]
pub struct Made {
    /// The class that declares it.
    pub class: String,
    /// Its name; `<init>` is a constructor.
    pub method: String,
    /// Its descriptor: `(II)V`.
    pub descriptor: String,
    /// Whether Java source in the package of the test cannot name it: then source calls it by reflection.
    pub hidden: bool,
    /// Whether it declares exceptions.
    pub throws: bool,
    /// Names of its parameters, for people.
    pub parameters: Vec<String>,
    /// Its arguments.
    pub arguments: Vec<JavaValue>,
}

/// An object of an interface whose abstract methods answer the same for the same arguments: numbers,
/// strings and boxes are the same if they are equal, other objects if they are one object.
#[derive(Clone, Debug)]
pub struct Function {
    /// The interface.
    pub interface: String,
    /// Its method; empty if it has several.
    pub method: String,
    /// The method's descriptor; empty if it has several.
    pub descriptor: String,
    /// Whether no lambda can implement it where the test is.
    pub hidden: bool,
    /// The calls, in order.
    pub calls: Vec<Answer>,
}

/// A call of a function, and its answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The called method with its descriptor, if the interface has several: `find(I)Ljava/lang/String;`.
    pub method: Option<String>,
    /// Its arguments; other objects than strings, boxes and constants of enums are only named.
    pub arguments: Vec<JavaValue>,
    /// Its answer.
    pub answer: JavaValue,
    /// Whether an earlier call had the same arguments, and so the same answer.
    pub again: bool,
}

impl Function {
    /// Whether its interface has several abstract methods.
    pub fn has_several(&self) -> bool {
        self.method.is_empty()
    }

    /// The calls whose arguments no earlier call had.
    pub fn first_calls(&self) -> impl Iterator<Item = &Answer> {
        self.calls.iter().filter(|call| !call.again)
    }

    /// Whether another function gives the same answers.
    fn admits(&self, other: &Function) -> bool {
        let same = |(a, b): (&Answer, &Answer)| {
            a.method == b.method && a.again == b.again && a.answer.admits(&b.answer)
        };
        self.interface == other.interface
            && self.calls.len() == other.calls.len()
            && self.calls.iter().zip(&other.calls).all(same)
    }
}

/// Who may implement it is no part of a value.
impl PartialEq for Function {
    fn eq(&self, other: &Function) -> bool {
        (&self.interface, &self.method, &self.descriptor)
            == (&other.interface, &other.method, &other.descriptor)
            && self.calls == other.calls
    }
}

impl Made {
    /// Whether it is a constructor.
    pub fn is_new(&self) -> bool {
        self.method == "<init>"
    }

    /// The object that it is a call on, and its other arguments: an argument under the name `this`, which no
    /// parameter has.
    pub fn on(&self) -> Option<(&JavaValue, &[JavaValue])> {
        match (self.parameters.first(), self.arguments.split_first()) {
            (Some(name), Some(split)) if name == "this" => Some(split),
            _ => None,
        }
    }

    /// Whether it is a call on an object that returns nothing: it stands for the object after the call.
    pub fn is_change(&self) -> bool {
        self.on().is_some() && self.descriptor.ends_with(")V")
    }

    /// A collection of a class of the JDK that is made of an array.
    pub fn collection(class: &str, items: Vec<JavaValue>) -> Made {
        let call = |class: &str, method: &str, descriptor: &str, parameter: &str, argument| Made {
            class: class.into(),
            method: method.into(),
            descriptor: descriptor.into(),
            hidden: false,
            throws: false,
            parameters: vec![parameter.into()],
            arguments: vec![argument],
        };
        let array = JavaValue::Array { element: Type::Class("java/lang/Object".into()), items };
        let list = call("java.util.Arrays", "asList", "([Ljava/lang/Object;)Ljava/util/List;", "a", array);
        call(class, "<init>", "(Ljava/util/Collection;)V", "c", JavaValue::Made(Box::new(list)))
    }

    /// What is in a collection that is made of an array: `new ArrayList(Arrays.asList(items))`.
    pub fn items(&self) -> Option<&[JavaValue]> {
        let [JavaValue::Made(list)] = &self.arguments[..] else { return None };
        let [JavaValue::Array { items, .. }] = &list.arguments[..] else { return None };
        (list.class == "java.util.Arrays" && self.is_new()).then_some(items)
    }

    /// The keys and values, in turn, of a map: `put` stands for its constructor and a call of `put` for each.
    pub fn entries(&self) -> Option<&[JavaValue]> {
        match &self.arguments[..] {
            [JavaValue::Array { items, .. }] if self.method == "put" => Some(items),
            _ => None,
        }
    }

    /// The list below an iterator.
    pub fn iterated(&self) -> Option<&Made> {
        match &self.arguments[..] {
            [JavaValue::Made(list)] if self.class == "java.util.Iterator" => Some(list),
            _ => None,
        }
    }

    /// Whether another call is of the same method.
    pub fn is_alike(&self, other: &Made) -> bool {
        self.class == other.class && self.method == other.method && self.descriptor == other.descriptor
    }
}

/// The names of parameters, who may call and what is declared are no part of a value.
impl PartialEq for Made {
    fn eq(&self, other: &Made) -> bool {
        self.is_alike(other) && self.arguments == other.arguments
    }
}

impl JavaValue {
    /// Visits this value and all that are parts of it.
    pub fn visit<'v>(&'v self, look: &mut impl FnMut(&'v JavaValue)) {
        look(self);
        match self {
            JavaValue::Array { items, .. } => items.iter().for_each(|item| item.visit(look)),
            JavaValue::Boxed(inner) => inner.visit(look),
            JavaValue::Made(made) => made.arguments.iter().for_each(|argument| argument.visit(look)),
            JavaValue::Function(function) => function.calls.iter().for_each(|call| call.answer.visit(look)),
            _ => {}
        }
    }

    /// A string value.
    pub fn string(text: &str) -> JavaValue {
        JavaValue::String(text.encode_utf16().collect())
    }

    /// Whether `seen`, the JVM's value, agrees with this expectation. NaN is NaN, whatever its
    /// bits; `0.0` is not `-0.0`.
    pub fn admits(&self, seen: &JavaValue) -> bool {
        match (self, seen) {
            (JavaValue::Float(a), JavaValue::Float(b)) => {
                (a.is_nan() && b.is_nan()) || a.to_bits() == b.to_bits()
            }
            (JavaValue::Double(a), JavaValue::Double(b)) => {
                (a.is_nan() && b.is_nan()) || a.to_bits() == b.to_bits()
            }
            (JavaValue::Array { element, items }, JavaValue::Array { element: other, items: others }) => {
                element == other
                    && items.len() == others.len()
                    && items.iter().zip(others).all(|(item, seen)| item.admits(seen))
            }
            (JavaValue::Boxed(a), JavaValue::Boxed(b)) => a.admits(b),
            (JavaValue::Made(a), JavaValue::Made(b)) => {
                let mut both = a.arguments.iter().zip(&b.arguments);
                a.is_alike(b) && a.arguments.len() == b.arguments.len() && both.all(|(a, b)| a.admits(b))
            }
            (JavaValue::Function(a), JavaValue::Function(b)) => a.admits(b),
            (JavaValue::Object { class: None }, seen) => *seen != JavaValue::Null,
            (JavaValue::Object { class: Some(class) }, seen) => seen.class().as_ref() == Some(class),
            (expected, seen) => expected == seen,
        }
    }

    /// `Class.getName` of a reference; `None` for null, primitives and unknown classes.
    fn class(&self) -> Option<String> {
        Some(match self {
            JavaValue::String(_) => "java.lang.String".into(),
            JavaValue::Array { element, .. } => format!("[{element}").replace('/', "."),
            JavaValue::Boxed(value) => box_of(value)?.into(),
            JavaValue::Enum { class, .. } => class.clone(),
            JavaValue::Object { class } => class.clone()?,
            _ => return None,
        })
    }

    /// The value in a few letters, for titles.
    pub fn short(&self) -> String {
        match self {
            JavaValue::Boolean(b) => b.to_string(),
            JavaValue::Byte(n) => n.to_string(),
            JavaValue::Short(n) => n.to_string(),
            JavaValue::Int(n) => n.to_string(),
            JavaValue::Long(n) => n.to_string(),
            JavaValue::Float(n) => n.to_string(),
            JavaValue::Double(n) => n.to_string(),
            JavaValue::Char(unit) => {
                char::from_u32((*unit).into()).map_or_else(|| unit.to_string(), String::from)
            }
            JavaValue::Null => "null".into(),
            JavaValue::String(units) => String::from_utf16_lossy(units),
            JavaValue::Array { items, .. } => format!("an array of {}", items.len()),
            JavaValue::Boxed(inner) => inner.short(),
            JavaValue::Enum { name, .. } | JavaValue::Static { name, .. } => name.clone(),
            JavaValue::Object { class: Some(class) } => {
                class.rsplit(['.', '$']).next().unwrap_or(class).into()
            }
            JavaValue::Object { class: None } | JavaValue::Ref(_) => "an object".into(),
            JavaValue::Function(_) => "a function".into(),
            JavaValue::Made(made) => {
                format!("a new {}", made.class.rsplit(['.', '$']).next().unwrap_or(&made.class))
            }
        }
    }

    /// Whether it is the default value of a variable: zero, false or null.
    pub fn is_default(&self) -> bool {
        match self {
            JavaValue::Boolean(value) => !value,
            JavaValue::Byte(value) => *value == 0,
            JavaValue::Char(value) => *value == 0,
            JavaValue::Short(value) => *value == 0,
            JavaValue::Int(value) => *value == 0,
            JavaValue::Long(value) => *value == 0,
            JavaValue::Float(value) => value.to_bits() == 0,
            JavaValue::Double(value) => value.to_bits() == 0,
            JavaValue::Null => true,
            _ => false,
        }
    }
}

/// The class of boxes of a primitive value.
pub(crate) fn box_of(value: &JavaValue) -> Option<&'static str> {
    Some(match value {
        JavaValue::Boolean(_) => "java.lang.Boolean",
        JavaValue::Byte(_) => "java.lang.Byte",
        JavaValue::Char(_) => "java.lang.Character",
        JavaValue::Short(_) => "java.lang.Short",
        JavaValue::Int(_) => "java.lang.Integer",
        JavaValue::Long(_) => "java.lang.Long",
        JavaValue::Float(_) => "java.lang.Float",
        JavaValue::Double(_) => "java.lang.Double",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_expected_admits_what_the_jvm_cannot_tell_apart() {
        let other_nan = f64::from_bits(0x7ff8_0000_0000_0001);
        assert!(JavaValue::Double(f64::NAN).admits(&JavaValue::Double(other_nan)));
        assert!(!JavaValue::Double(0.0).admits(&JavaValue::Double(-0.0)));
        assert!(!JavaValue::Float(0.0).admits(&JavaValue::Float(-0.0)));
        let array = |values: &[f32]| JavaValue::Array {
            element: Type::Float,
            items: values.iter().map(|v| JavaValue::Float(*v)).collect(),
        };
        assert!(array(&[f32::NAN, 1.0]).admits(&array(&[f32::NAN, 1.0])));
        assert!(!array(&[f32::NAN, 1.0]).admits(&array(&[f32::NAN])));
    }

    #[test]
    fn an_object_is_known_by_its_class_only() {
        let known = |class: &str| JavaValue::Object { class: Some(class.into()) };
        let any = JavaValue::Object { class: None };
        assert!(known("a.B").admits(&known("a.B")));
        assert!(!known("a.B").admits(&known("a.C")));
        assert!(known("java.lang.String").admits(&JavaValue::string("x")));
        assert!(known("java.lang.Integer").admits(&JavaValue::Boxed(Box::new(JavaValue::Int(3)))));
        assert!(known("[I").admits(&JavaValue::Array { element: Type::Int, items: vec![] }));
        assert!(any.admits(&known("a.B")) && !any.admits(&JavaValue::Null));
        assert!(!known("a.B").admits(&JavaValue::Null));
    }
}
