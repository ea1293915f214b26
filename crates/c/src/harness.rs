//! A function as the entry: a `main` that makes its arguments inputs and calls it.
//!
//! The harness is a C source of its own, made from the debug information of the function. Integers and floats
//! are drawn. A pointer is null, or points to a text, a buffer or an object; which of them is decided when it
//! is first read (`evergreen_pointer` in evergreen.h). What it points to is described by a table, which the
//! machine and the native runtime read. The machine takes offsets from it; a native program has other sizes,
//! so its objects are filled by functions over structs that are declared again here.

mod declare;
mod table;

use crate::clang::shown_path;
use declare::Declared;
use evergreen_debuginfo::{DebugInfo, Encoding, Function, Type, TypeId};
use evergreen_service::ProgramError;
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use std::path::Path;
use table::Tables;

/// How large the inputs of a harness are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sizes {
    /// The most elements of a buffer, and bytes of a text.
    pub elements: u32,
    /// The most objects of a struct that has no number of its own.
    pub scope: u32,
    /// The most objects of some structs, by name.
    pub scopes: Vec<(String, u32)>,
}

impl Sizes {
    /// The most objects of a struct.
    fn scope_of(&self, name: Option<&str>) -> u32 {
        let own = self.scopes.iter().rfind(|(struct_name, _)| Some(struct_name.as_str()) == name);
        own.map_or(self.scope, |(_, scope)| *scope).min(200)
    }
}

/// A parameter, as conditions name it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: ParameterKind,
    /// Of a pointer to a struct: its integers, with their bytes and whether they have a sign.
    pub fields: Vec<(String, u8, bool)>,
}

/// What a parameter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ParameterKind {
    /// An integer of so many bytes, and whether it has a sign.
    Integer(u8, bool),
    /// A float of so many bytes.
    Float(u8),
    /// A pointer to something that is made.
    Pointer {
        /// The most objects that pointers share, 0 if each has its own.
        scope: u32,
        /// The least elements.
        least: u32,
        /// The most elements.
        most: u32,
        /// The bytes of an element that is an integer, and whether it has a sign.
        element: Option<(u8, bool)>,
        /// Whether it is a text.
        text: bool,
    },
    /// A struct, or a pointer that is always null.
    Other,
}

/// A harness.
pub(crate) struct Harness {
    pub(crate) source: String,
    /// The function's parameters.
    pub(crate) parameters: Vec<Parameter>,
    /// Whether it makes buffers, and whether it makes objects.
    pub(crate) makes: (bool, bool),
}

/// The harness of a function. `includes` is the source that the function is private to.
pub(crate) fn write(
    debug: &DebugInfo,
    function: &Function,
    sizes: &Sizes,
    includes: Option<&Path>,
) -> Result<Harness, ProgramError> {
    let refused =
        |why: &str| ProgramError(format!("{}: {why}\nhelp: write a main that calls it", function.name));
    if function.is_variadic {
        return Err(refused("a function with `...` cannot be called by itself"));
    }
    let mut declared = Declared::new(debug.types());
    let mut tables = Tables::new(debug.types(), sizes);
    let (mut body, mut parameters) = (String::new(), Vec::new());
    let (mut arguments, mut types) = (Vec::new(), Vec::new());
    for (at, parameter) in function.parameters.iter().enumerate() {
        let own = format!("p{at}");
        let name = parameter.name.clone().unwrap_or_else(|| own.clone());
        let shown = debug.types().shown(parameter.ty);
        let ty = declared
            .passed(parameter.ty)
            .ok_or_else(|| refused(&format!("the parameter '{name}' of type '{shown}' cannot be made")))?;
        let _ = writeln!(body, "  {ty} {own};");
        let kind = draw(&mut body, (&own, &name), parameter.ty, &mut tables, &mut declared);
        arguments.push(own);
        types.push(ty);
        let fields = match declared.types.resolve(parameter.ty) {
            Type::Pointer { to } => tables.integers(*to),
            _ => Vec::new(),
        };
        parameters.push(Parameter { name, kind, fields });
    }
    let result = debug.types().resolve(function.result);
    let returned = match result {
        Type::Void => "void".to_string(),
        _ => declared.passed(function.result).ok_or_else(|| refused("its result cannot be taken"))?,
    };
    let list = if types.is_empty() { "void".to_string() } else { types.join(", ") };
    let name = &function.name;
    // A function that is private to a source has its own prototype there.
    let (prototype, called) = match includes {
        None => (format!("{returned} {name}({list});\n"), name.clone()),
        Some(_) => (String::new(), format!("(({returned} (*)({list})){name})")),
    };
    let call = format!("{called}({})", arguments.join(", "));
    let is_number = match result {
        Type::Base { encoding, .. } => encoding.is_integer(),
        Type::Enum { .. } => true,
        _ => false,
    };
    let end = match is_number {
        true => format!("  return (int)({call} & 0xff);\n"),
        false => format!("  {call};\n  return 0;\n"),
    };
    let makes = tables.makes();
    let (tables, records) = (tables.finish(&mut declared), declared.finish());
    let included = includes.map_or(String::new(), |path| format!("#include \"{}\"\n", shown_path(path)));
    let source = format!(
        "/* A harness for {name}, made from its debug information. */\n{included}\
         #include <evergreen.h>\n#undef main\n\n{records}{tables}{prototype}\n\
         int main(void) {{\n{body}{end}}}\n"
    );
    Ok(Harness { source, parameters, makes })
}

/// Draws a value into a variable.
fn draw(
    body: &mut String,
    (to, name): (&str, &str),
    ty: TypeId,
    tables: &mut Tables<'_>,
    declared: &mut Declared<'_>,
) -> ParameterKind {
    match declared.types.resolve(ty) {
        Type::Base { size, encoding, .. } => {
            let signed = encoding.is_signed();
            let _ = writeln!(body, "  EVERGREEN_VALUE({to}, {size}, {}, \"{name}\");", u8::from(signed));
            if *encoding == Encoding::Bool {
                let _ = writeln!(body, "  evergreen_assume(*(unsigned char *)&{to} < 2);");
            }
            match encoding {
                Encoding::Float => ParameterKind::Float(*size as u8),
                Encoding::Other => ParameterKind::Other,
                _ => ParameterKind::Integer(*size as u8, signed),
            }
        }
        Type::Enum { enumerators, .. } => {
            let _ = writeln!(body, "  EVERGREEN_VALUE({to}, 4, 1, \"{name}\");");
            let any: Vec<String> = enumerators.iter().map(|e| format!("{to} == {}", e.value)).collect();
            if !any.is_empty() {
                let _ = writeln!(body, "  evergreen_assume({});", any.join(" || "));
            }
            ParameterKind::Integer(4, true)
        }
        Type::Pointer { to: target } => match tables.reached(*target) {
            Some(number) => {
                let _ = writeln!(body, "  evergreen_pointer(&{to}, &evergreen_type_{number}, \"{name}\");");
                tables.kind(number)
            }
            None => {
                let _ = writeln!(body, "  {to} = 0;");
                ParameterKind::Other
            }
        },
        Type::Record(_) => {
            if let Some(number) = tables.pointed(ty) {
                let _ = writeln!(body, "  evergreen_struct(&{to}, &evergreen_type_{number}, \"{name}\");");
            }
            ParameterKind::Other
        }
        _ => ParameterKind::Other,
    }
}
