//! What a method does, as text: equal texts are equal code, however the class file numbers its constants and
//! lines.
//!
//! Left out is what no run can see: the order of the constant pool, line numbers, names of variables, the
//! sizes of frames (the instructions fix them). Jump targets and ranges of handlers are counted in
//! instructions. javac numbers the bodies of lambdas through a class, so that a new one renames those after
//! it; therefore a body stands in the text where its name would be. Texts are compared as they are: a hash of
//! them would be shorter, and might be equal where they are not.

use evergreen_classfile::{
    ClassFile, Code, Constant, DynamicRef, HandleKind, Instruction, Member, Method, access,
};
use std::fmt::Write;

/// The code of a method and what else decides what it does.
pub(super) fn text(class: &ClassFile, method: &Method) -> String {
    let mut writer = Writer { class, open: Vec::new(), out: String::new() };
    writer.method(method);
    writer.out
}

/// Whether javac made the method as the body of a lambda: it is a part of the method around it.
pub(super) fn is_lambda(method: &Method) -> bool {
    method.access & access::SYNTHETIC != 0 && method.name.starts_with("lambda$")
}

struct Writer<'c> {
    class: &'c ClassFile,
    /// Bodies that are being written: a lambda may lead to itself.
    open: Vec<&'c str>,
    out: String,
}

impl<'c> Writer<'c> {
    fn method(&mut self, method: &'c Method) {
        // Since Java 17 all arithmetic is strict, and compilers have stopped saying so.
        let _ = writeln!(self.out, "access {:#x}", method.access & !access::STRICT);
        // Abstract and native ones have none.
        if let Some(code) = &method.code {
            self.code(code);
        }
    }

    fn code(&mut self, code: &Code) {
        for instruction in &code.instructions {
            self.instruction(code, *instruction);
            self.out.push('\n');
        }
        for handler in &code.handlers {
            let _ = writeln!(self.out, "{handler:?}");
        }
    }

    fn instruction(&mut self, code: &Code, instruction: Instruction) {
        use Instruction::*;
        let pool = &self.class.pool;
        match instruction {
            // As bits: there are many NaNs, and two zeros.
            Float(value) => drop(write!(self.out, "Float({:#x})", value.to_bits())),
            Double(value) => drop(write!(self.out, "Double({:#x})", value.to_bits())),
            Ldc(index) => match pool.constant(index) {
                Ok(constant) => self.constant(&constant),
                Err(e) => drop(write!(self.out, "{e}")),
            },
            GetStatic(index) | PutStatic(index) | GetField(index) | PutField(index) => {
                let verb = match instruction {
                    GetStatic(_) => "GetStatic",
                    PutStatic(_) => "PutStatic",
                    GetField(_) => "GetField",
                    _ => "PutField",
                };
                self.out.push_str(verb);
                self.member(pool.member(index).ok().as_ref());
            }
            Invoke(kind, index) => {
                let _ = write!(self.out, "Invoke {kind:?}");
                self.member(pool.member(index).ok().as_ref());
            }
            InvokeDynamic(index) => {
                self.out.push_str("InvokeDynamic ");
                match pool.invoke_dynamic(index) {
                    Ok(site) => self.dynamic(&site),
                    Err(e) => drop(write!(self.out, "{e}")),
                }
            }
            New(index) | ANewArray(index) | CheckCast(index) | InstanceOf(index) => {
                let verb = match instruction {
                    New(_) => "New",
                    ANewArray(_) => "ANewArray",
                    CheckCast(_) => "CheckCast",
                    _ => "InstanceOf",
                };
                let _ = write!(self.out, "{verb} {:?}", pool.class(index).ok());
            }
            MultiANewArray(index, lengths) => {
                let _ = write!(self.out, "MultiANewArray {:?} {lengths}", pool.class(index).ok());
            }
            Switch(index) => {
                let _ = write!(self.out, "{:?}", code.switches.get(index as usize));
            }
            other => drop(write!(self.out, "{other:?}")),
        }
    }

    fn member(&mut self, member: Option<&Member>) {
        let _ = write!(self.out, " {member:?}");
    }

    fn dynamic(&mut self, site: &DynamicRef) {
        let _ = write!(self.out, "{}{} by ", site.name, site.descriptor);
        let Some(bootstrap) = self.class.bootstrap.get(usize::from(site.bootstrap)) else {
            self.out.push_str("nobody");
            return;
        };
        self.constant(&bootstrap.method);
        for argument in &bootstrap.arguments {
            self.out.push_str(", ");
            self.constant(argument);
        }
    }

    fn constant(&mut self, constant: &Constant) {
        match constant {
            Constant::Float(value) => drop(write!(self.out, "Float({:#x})", value.to_bits())),
            Constant::Double(value) => drop(write!(self.out, "Double({:#x})", value.to_bits())),
            Constant::MethodHandle { kind, member } => self.handle(*kind, member),
            Constant::Dynamic(constant) => self.dynamic(constant),
            other => drop(write!(self.out, "{other:?}")),
        }
    }

    fn handle(&mut self, kind: HandleKind, member: &Member) {
        let class = self.class;
        let body = (*member.class == *class.name)
            .then(|| class.method(&member.name, &member.descriptor))
            .flatten()
            .filter(|method| is_lambda(method));
        match body {
            None => drop(write!(self.out, "{kind:?} {member:?}")),
            Some(method) if self.open.contains(&&*method.name) => self.out.push_str("itself"),
            Some(method) => {
                let _ = writeln!(self.out, "{kind:?} lambda {} {{", method.descriptor);
                self.open.push(&method.name);
                self.method(method);
                self.open.pop();
                self.out.push('}');
            }
        }
    }
}
