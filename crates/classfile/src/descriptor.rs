//! Descriptors: the types of fields and methods, parsed and printed in the class
//! file's and in Java's spelling.

use crate::bytes::ReadError;
use std::fmt;
use std::sync::Arc;

/// A type as descriptors can name it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Type {
    Boolean,
    Byte,
    Char,
    Short,
    Int,
    Long,
    Float,
    Double,
    /// Internal name: `java/lang/Object`.
    Class(Arc<str>),
    /// The type of the elements.
    Array(Box<Type>),
}

impl Type {
    /// Reads a field descriptor: `I`, `[[Ljava/lang/String;`.
    pub fn parse(descriptor: &str) -> Result<Type, ReadError> {
        match parse_type(descriptor) {
            Some((found, "")) => Ok(found),
            _ => Err(ReadError::new(format!("'{descriptor}' is no field descriptor"))),
        }
    }

    /// The type that a class constant names: an internal name, or a descriptor for an array.
    pub fn of_class(name: &str) -> Result<Type, ReadError> {
        if name.starts_with('[') { Type::parse(name) } else { Ok(Type::Class(name.into())) }
    }

    /// Slots in a frame: two for `long` and `double`, else one.
    pub fn slots(&self) -> u16 {
        if matches!(self, Type::Long | Type::Double) { 2 } else { 1 }
    }

    /// Whether values of this type are references.
    pub fn is_reference(&self) -> bool {
        matches!(self, Type::Class(_) | Type::Array(_))
    }

    /// As Java source has it: `int`, `java.util.Map.Entry` is `java.util.Map$Entry` (which `$` was
    /// a dot is not known here).
    pub fn to_java(&self) -> String {
        match self {
            Type::Boolean => "boolean".into(),
            Type::Byte => "byte".into(),
            Type::Char => "char".into(),
            Type::Short => "short".into(),
            Type::Int => "int".into(),
            Type::Long => "long".into(),
            Type::Float => "float".into(),
            Type::Double => "double".into(),
            Type::Class(name) => name.replace('/', "."),
            Type::Array(element) => element.to_java() + "[]",
        }
    }
}

impl fmt::Display for Type {
    /// As the class file has it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Boolean => f.write_str("Z"),
            Type::Byte => f.write_str("B"),
            Type::Char => f.write_str("C"),
            Type::Short => f.write_str("S"),
            Type::Int => f.write_str("I"),
            Type::Long => f.write_str("J"),
            Type::Float => f.write_str("F"),
            Type::Double => f.write_str("D"),
            Type::Class(name) => write!(f, "L{name};"),
            Type::Array(element) => write!(f, "[{element}"),
        }
    }
}

/// The type of a method.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MethodDescriptor {
    /// Types of the parameters, without the receiver.
    pub parameters: Vec<Type>,
    /// The type of the result; `None` is `void`.
    pub result: Option<Type>,
}

impl MethodDescriptor {
    /// Reads a method descriptor: `(IJ[D)Ljava/lang/Object;`.
    pub fn parse(descriptor: &str) -> Result<MethodDescriptor, ReadError> {
        let wrong = || ReadError::new(format!("'{descriptor}' is no method descriptor"));
        let mut rest = descriptor.strip_prefix('(').ok_or_else(wrong)?;
        let mut parameters = Vec::new();
        while !rest.starts_with(')') {
            let (parameter, after) = parse_type(rest).ok_or_else(wrong)?;
            parameters.push(parameter);
            rest = after;
        }
        let result = match &rest[1..] {
            "V" => None,
            result => Some(Type::parse(result).map_err(|_| wrong())?),
        };
        Ok(MethodDescriptor { parameters, result })
    }

    /// Slots that the parameters take, without the receiver.
    pub fn parameter_slots(&self) -> u16 {
        self.parameters.iter().fold(0, |sum: u16, p| sum.saturating_add(p.slots()))
    }

    /// As Java source has it: `boolean (int, long[])` is printed `(int, long[])` here, without the result.
    pub fn to_java_parameters(&self) -> String {
        let parameters: Vec<String> = self.parameters.iter().map(Type::to_java).collect();
        format!("({})", parameters.join(", "))
    }
}

impl fmt::Display for MethodDescriptor {
    /// As the class file has it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        for parameter in &self.parameters {
            write!(f, "{parameter}")?;
        }
        match &self.result {
            Some(result) => write!(f, "){result}"),
            None => f.write_str(")V"),
        }
    }
}

/// The type at the start of `text`, and what follows it.
fn parse_type(text: &str) -> Option<(Type, &str)> {
    let dimensions = text.len() - text.trim_start_matches('[').len();
    // The JVM's own limit; it also bounds the recursion of code that walks the type.
    if dimensions > 255 {
        return None;
    }
    let (mut found, rest) = parse_element(&text[dimensions..])?;
    for _ in 0..dimensions {
        found = Type::Array(Box::new(found));
    }
    Some((found, rest))
}

fn parse_element(text: &str) -> Option<(Type, &str)> {
    let rest = text.get(1..)?;
    let found = match text.as_bytes()[0] {
        b'Z' => Type::Boolean,
        b'B' => Type::Byte,
        b'C' => Type::Char,
        b'S' => Type::Short,
        b'I' => Type::Int,
        b'J' => Type::Long,
        b'F' => Type::Float,
        b'D' => Type::Double,
        b'L' => {
            let (name, rest) = rest.split_once(';')?;
            let valid = !name.is_empty() && !name.contains(['.', '[']);
            return valid.then(|| (Type::Class(name.into()), rest));
        }
        _ => return None,
    };
    Some((found, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse_and_print_are_inverse() {
        for text in ["()V", "(IJ[D)Ljava/lang/Object;", "([[Lä/b;ZBCSF)[[J", "(Ljava/util/Map$Entry;)Z"] {
            assert_eq!(MethodDescriptor::parse(text).unwrap().to_string(), text);
        }
        let method = MethodDescriptor::parse("(IJ[[DLjava/util/Map$Entry;)V").unwrap();
        assert_eq!(method.to_java_parameters(), "(int, long, double[][], java.util.Map$Entry)");
        assert_eq!(method.parameter_slots(), 5);
    }

    #[test]
    fn what_is_no_descriptor_is_refused() {
        for text in ["", "(", "()", "I", "(V)V", "()VV", "(L;)V", "(Lx)V", "([)V", "()[", "(é)V", "()Lé"] {
            assert!(MethodDescriptor::parse(text).is_err(), "{text}");
        }
        for text in ["", "V", "II", "[", "L;", "La.b;", "Lx", "é"] {
            assert!(Type::parse(text).is_err(), "{text}");
        }
        assert!(Type::parse(&("[".repeat(256) + "I")).is_err());
        assert!(Type::parse(&("[".repeat(255) + "I")).is_ok());
    }
}
