//! Fields that every constructor sets to an object: a lazy object has no null there.
//!
//! The compiler makes sure that a constructor assigns each `final` field. So it is enough that what its
//! constructors store there is never null: a new object or array, a constant, a lambda, or what a method of
//! the JDK returns that never returns null.

use evergreen_classfile::{Instruction, InvokeKind, Member};

use crate::classes::{ClassId, Method, access};
use crate::machine::Jvm;

impl Jvm {
    /// Whether a field of a class, by its slot, is never null once a constructor is done.
    pub(crate) fn is_always_set(&mut self, class: ClassId, slot: usize) -> bool {
        if let Some(known) = self.always_set.get(&(class, slot)) {
            return *known;
        }
        let is_set = self.find_always_set(class, slot).unwrap_or(false);
        self.always_set.insert((class, slot), is_set);
        is_set
    }

    /// The class of the objects that constructors make for such a field, if it is one for all of them.
    pub(super) fn set_class(&mut self, class: ClassId, slot: usize) -> Option<std::sync::Arc<str>> {
        let field = self.class(class).instance_fields.get(slot)?.clone();
        let owner = self.class(field.owner).clone();
        let mut found: Option<std::sync::Arc<str>> = None;
        for id in &owner.methods {
            let method = self.method(*id).clone();
            if &*method.name != "<init>" {
                continue;
            }
            let code = method.code()?.clone();
            let sources = self.sources_of(&method)?;
            for (pc, instruction) in (0u32..).zip(&code.instructions) {
                let Instruction::PutField(index) = instruction else { continue };
                let stored = member(&method, *index)?;
                if *stored.class != *owner.name || *stored.name != *field.name {
                    continue;
                }
                let Instruction::New(made) = sources.pushed_by(pc, 0)? else { return None };
                let made = method.pool.file.as_ref()?.pool.class(made).ok()?.clone();
                if found.replace(made.clone()).is_some_and(|other| other != made) {
                    return None;
                }
            }
        }
        found
    }

    fn find_always_set(&mut self, class: ClassId, slot: usize) -> Option<bool> {
        let field = self.class(class).instance_fields.get(slot)?.clone();
        if field.access & access::FINAL == 0 {
            return Some(false);
        }
        let owner = self.class(field.owner).clone();
        let is_constructor = |id: &crate::classes::MethodId| &*self.method(*id).name == "<init>";
        let constructors: Vec<_> = owner.methods.iter().copied().filter(is_constructor).collect();
        for id in &constructors {
            let method = self.method(*id).clone();
            let code = method.code()?.clone();
            let sources = self.sources_of(&method)?;
            let is_own = |member: &Member, name: &str| *member.class == *owner.name && *member.name == *name;
            let mut delegates = false;
            let mut stores = 0;
            for (pc, instruction) in (0u32..).zip(&code.instructions) {
                match instruction {
                    Instruction::PutField(index) if is_own(&member(&method, *index)?, &field.name) => {
                        stores += 1;
                        let source = sources.pushed_by(pc, 0)?;
                        if !gives_object(&method, source) {
                            return Some(false);
                        }
                    }
                    Instruction::Invoke(InvokeKind::Special, index) => {
                        delegates |= is_own(&member(&method, *index)?, "<init>")
                            && sources.parameter(pc, receiver_depth(&method, *index)?) == Some(0);
                    }
                    _ => {}
                }
            }
            if stores == 0 && !delegates {
                return Some(false);
            }
        }
        Some(!constructors.is_empty())
    }
}

fn member(method: &Method, index: u16) -> Option<Member> {
    method.pool.file.as_ref()?.pool.member(index).ok()
}

/// How far below the top the receiver of a call is.
fn receiver_depth(method: &Method, index: u16) -> Option<usize> {
    let called = member(method, index)?;
    let parsed = evergreen_classfile::MethodDescriptor::parse(&called.descriptor).ok()?;
    Some(usize::from(parsed.parameter_slots()))
}

/// Whether an instruction pushes an object, never null.
fn gives_object(method: &Method, instruction: Instruction) -> bool {
    match instruction {
        Instruction::New(_)
        | Instruction::NewArray(_)
        | Instruction::ANewArray(_)
        | Instruction::MultiANewArray(..)
        | Instruction::InvokeDynamic(_) => true,
        Instruction::Ldc(index) => {
            use evergreen_classfile::Constant;
            let constant = method.pool.file.as_ref().and_then(|file| file.pool.constant(index).ok());
            matches!(constant, Some(Constant::String(_) | Constant::Class(_)))
        }
        Instruction::Invoke(InvokeKind::Static, index) => {
            member(method, index).is_some_and(|called| returns_object(&called.class, &called.name))
        }
        _ => false,
    }
}

/// Whether a static method of the JDK never returns null.
fn returns_object(class: &str, name: &str) -> bool {
    match class {
        "java/util/Objects" => name.starts_with("requireNonNull"),
        "java/util/List" | "java/util/Set" | "java/util/Map" => matches!(name, "of" | "copyOf" | "ofEntries"),
        "java/util/Optional" => matches!(name, "of" | "empty" | "ofNullable"),
        "java/util/Arrays" => name == "asList",
        _ => name == "valueOf" && crate::describe::box_kind(class).is_some(),
    }
}
