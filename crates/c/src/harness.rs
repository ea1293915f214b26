//! A function as the entry: a `main` that makes its arguments from inputs and calls it.
//!
//! The harness is a C source of its own, made from the debug information of the function. Integers and floats
//! are drawn; a pointer is null or a buffer: of characters a text of up to so many bytes with a zero behind
//! it, of other things up to so many elements. Structs are drawn as bytes, and pointers inside them are made
//! in the same way, up to two deep; deeper ones are null. So a test of a function is a list of draws, as a
//! test of any other harness is.

use evergreen_debuginfo::{DebugInfo, Encoding, Function, Record, Type, TypeId};
use evergreen_service::ProgramError;
use std::fmt::Write;

/// Pointers inside of structs are followed so far.
const DEEPEST: u32 = 2;

/// A harness.
pub(crate) struct Harness {
    pub(crate) source: String,
    /// The names of the function's parameters.
    pub(crate) parameters: Vec<String>,
}

struct Writer<'d> {
    debug: &'d DebugInfo,
    most: u32,
    text: String,
    next: u32,
}

/// The harness of a function.
pub(crate) fn write(debug: &DebugInfo, function: &Function, most: u32) -> Result<Harness, ProgramError> {
    let refused =
        |why: &str| ProgramError(format!("{}: {why}\nhelp: write a main that calls it", function.name));
    if function.is_variadic {
        return Err(refused("a function with `...` cannot be called by itself"));
    }
    let name = |at: usize| match &function.parameters[at].name {
        Some(name) => name.clone(),
        None => format!("p{at}"),
    };
    let mut writer = Writer { debug, most, text: String::new(), next: 0 };
    let (mut arguments, mut types, mut parameters) = (Vec::new(), Vec::new(), Vec::new());
    for (at, parameter) in function.parameters.iter().enumerate() {
        let (own, name) = (format!("p{at}"), name(at));
        let declared = writer.declared(parameter.ty).ok_or_else(|| {
            refused(&format!(
                "the parameter '{name}' of type '{}' cannot be made",
                debug.types().shown(parameter.ty)
            ))
        })?;
        let _ = writeln!(writer.text, "  {declared} {own};");
        writer.draw(&own, &name, parameter.ty);
        arguments.push(own);
        types.push(declared);
        parameters.push(name);
    }
    let result = debug.types().resolve(function.result).clone();
    let returned = match result {
        Type::Void => "void".to_string(),
        _ => writer.declared(function.result).ok_or_else(|| refused("its result cannot be taken"))?,
    };
    let list = if types.is_empty() { "void".to_string() } else { types.join(", ") };
    let call = format!("{}({})", function.name, arguments.join(", "));
    let end = match result {
        Type::Base { encoding, .. } if encoding.is_integer() => format!("  return (int)({call} & 0xff);\n"),
        Type::Enum { .. } => format!("  return (int)({call} & 0xff);\n"),
        _ => format!("  {call};\n  return 0;\n"),
    };
    let body = writer.text;
    let name = &function.name;
    let source = format!(
        "/* A harness for {name}, made from its debug information. */\n\
         #include <evergreen.h>\n#include <stdlib.h>\n\n#undef main\n\
         {returned} {name}({list});\n\nint main(void) {{\n{body}{end}}}\n"
    );
    Ok(Harness { source, parameters })
}

impl Writer<'_> {
    /// The type of a variable that is passed: scalars as they are, pointers as `void *`.
    fn declared(&self, ty: TypeId) -> Option<String> {
        match self.debug.types().resolve(ty) {
            Type::Base { name, .. } => Some(name.clone()),
            Type::Pointer { .. } => Some("void *".into()),
            Type::Enum { .. } => Some("int".into()),
            _ => None,
        }
    }

    fn line(&mut self, depth: u32, text: &str) {
        let indent = "  ".repeat(depth as usize + 1);
        let _ = writeln!(self.text, "{indent}{text}");
    }

    /// Draws a value into an lvalue.
    fn draw(&mut self, to: &str, name: &str, ty: TypeId) {
        let depth = 0;
        match self.debug.types().resolve(ty).clone() {
            Type::Base { name: of, encoding, .. } => {
                self.line(depth, &format!("evergreen_bytes(&{to}, sizeof({of}), \"{name}\");"));
                if encoding == Encoding::Bool {
                    self.line(depth, &format!("evergreen_assume(*(unsigned char *)&{to} < 2);"));
                }
            }
            Type::Enum { enumerators, .. } => {
                self.line(depth, &format!("evergreen_bytes(&{to}, sizeof(int), \"{name}\");"));
                let any: Vec<String> = enumerators.iter().map(|e| format!("{to} == {}", e.value)).collect();
                if !any.is_empty() {
                    self.line(depth, &format!("evergreen_assume({});", any.join(" || ")));
                }
            }
            Type::Pointer { to: target } => self.pointer(to, name, target, (depth, 0)),
            _ => {}
        }
    }

    /// A pointer: null, or to a buffer of so many elements.
    fn pointer(&mut self, to: &str, name: &str, target: TypeId, (depth, nested): (u32, u32)) {
        let types = self.debug.types();
        let resolved = types.resolve(target).clone();
        let size = types.size(target).unwrap_or(1);
        let number = self.next;
        self.next += 1;
        let (count, most) = (format!("n{number}"), self.most);
        if nested > DEEPEST || matches!(resolved, Type::Function { .. }) {
            self.line(depth, &format!("{to} = 0;"));
            return;
        }
        self.line(depth, &format!("int {count} = evergreen_range(-1, {most}, \"{name}.length\");"));
        self.line(depth, &format!("if ({count} < 0) {{"));
        self.line(depth + 1, &format!("{to} = 0;"));
        self.line(depth, "} else {");
        let is_text = matches!(&resolved, Type::Base { size: 1, encoding, .. } if encoding.is_char());
        let bytes = if is_text { format!("{count} + 1") } else { format!("{count} * {size}") };
        self.line(depth + 1, &format!("char *o{number} = malloc({bytes});"));
        self.line(
            depth + 1,
            &format!("if ({count}) evergreen_bytes(o{number}, {count} * {size}, \"{name}\");"),
        );
        if is_text {
            self.line(
                depth + 1,
                &format!("for (int i = 0; i < {count}; i++) evergreen_assume(o{number}[i] != 0);"),
            );
            self.line(depth + 1, &format!("o{number}[{count}] = 0;"));
        }
        if let Type::Record(record) = &resolved {
            let buffer = (format!("o{number}"), count.clone(), size);
            self.members(&buffer, name, record, (depth + 1, nested + 1));
        }
        self.line(depth + 1, &format!("{to} = (void *)o{number};"));
        self.line(depth, "}");
    }

    /// Pointers inside the structs of a buffer.
    fn members(
        &mut self,
        (object, count, size): &(String, String, u64),
        name: &str,
        record: &Record,
        (depth, nested): (u32, u32),
    ) {
        let types = self.debug.types();
        let pointers: Vec<_> = (record.members.iter())
            .filter_map(|member| match types.resolve(member.ty) {
                Type::Pointer { to } => Some((member.offset, *to, member.name.clone().unwrap_or_default())),
                _ => None,
            })
            .collect();
        if pointers.is_empty() {
            return;
        }
        self.line(depth, &format!("for (int i = 0; i < {count}; i++) {{"));
        for (offset, target, member) in pointers {
            let number = self.next;
            self.line(depth + 1, &format!("void *m{number};"));
            let inner = format!("{name}->{member}");
            self.pointer(&format!("m{number}"), &inner, target, (depth + 1, nested));
            self.line(depth + 1, &format!("*(void **)({object} + i * {size} + {offset}) = m{number};"));
        }
        self.line(depth, "}");
    }
}
