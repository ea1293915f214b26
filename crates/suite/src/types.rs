//! Types as the format has them: as in Java, with `$` before nested classes.

use crate::Flaw;
use crate::line::{Line, name};
use evergreen_classfile::{MethodDescriptor, Type};

/// The most dimensions that the JVM gives an array.
const DIMENSIONS: usize = 255;

/// A type.
pub(crate) fn write(of: &Type) -> String {
    match of {
        Type::Class(class) => name(&class.replace('/', ".")),
        Type::Array(element) => write(element) + "[]",
        primitive => primitive.to_java(),
    }
}

/// The result type of a method, as text.
pub(crate) fn write_result(of: Option<&Type>) -> String {
    of.map_or("void".into(), write)
}

/// Types of parameters, without brackets.
pub(crate) fn write_all(all: &[Type]) -> String {
    all.iter().map(write).collect::<Vec<String>>().join(", ")
}

/// A type.
pub(crate) fn read(line: &mut Line<'_>, what: &str) -> Result<Type, Flaw> {
    let primitive = match line.peek() {
        "boolean" => Some(Type::Boolean),
        "byte" => Some(Type::Byte),
        "char" => Some(Type::Char),
        "short" => Some(Type::Short),
        "int" => Some(Type::Int),
        "long" => Some(Type::Long),
        "float" => Some(Type::Float),
        "double" => Some(Type::Double),
        _ => None,
    };
    let of = match primitive {
        Some(of) => {
            let word = line.peek();
            line.takes_word(word);
            of
        }
        None => Type::Class(line.name(what)?.replace('.', "/").into()),
    };
    dimensions(line, of)
}

/// The brackets behind a type.
fn dimensions(line: &mut Line<'_>, mut of: Type) -> Result<Type, Flaw> {
    for _ in 0..DIMENSIONS {
        if !line.takes("[]") {
            return Ok(of);
        }
        of = Type::Array(Box::new(of));
    }
    match line.rest().starts_with("[]") {
        true => Err(line.flaw("an array of more than 255 dimensions")),
        false => Ok(of),
    }
}

/// The result type of a method; `None` is `void`.
pub(crate) fn read_result(line: &mut Line<'_>) -> Result<Option<Type>, Flaw> {
    match line.takes_word("void") {
        true => Ok(None),
        false => read(line, "a type").map(Some),
    }
}

/// Types between brackets.
pub(crate) fn read_all(line: &mut Line<'_>) -> Result<Vec<Type>, Flaw> {
    line.need("(")?;
    let mut all = Vec::new();
    if line.takes(")") {
        return Ok(all);
    }
    loop {
        all.push(read(line, "a type")?);
        if line.takes(")") {
            return Ok(all);
        }
        if !line.takes(",") {
            return Err(line.expected("\",\" or \")\""));
        }
    }
}

/// The descriptor of a method.
pub(crate) fn descriptor(parameters: &[Type], result: Option<&Type>) -> String {
    let parameters: String = parameters.iter().map(Type::to_string).collect();
    format!("({parameters}){}", result.map_or("V".into(), Type::to_string))
}

/// Its parts; a descriptor that is none has no parameters and returns nothing.
pub(crate) fn parts(descriptor: &str) -> (Vec<Type>, Option<Type>) {
    MethodDescriptor::parse(descriptor)
        .map_or((Vec::new(), None), |parsed| (parsed.parameters, parsed.result))
}
