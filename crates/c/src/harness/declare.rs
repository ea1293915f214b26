//! Types in C again: structs under names of our own, so that a harness needs no header of the program.
//!
//! Members have the types of the debug information by name, so that a native compiler gives them its own
//! sizes. What pointers point to does not matter: they are `void *`.

use evergreen_debuginfo::{Member, Record, RecordKind, Type, TypeId, Types};
use std::collections::BTreeMap;

/// Structs that are declared.
pub(super) struct Declared<'d> {
    pub(super) types: &'d Types,
    text: String,
    tags: BTreeMap<TypeId, String>,
}

impl<'d> Declared<'d> {
    pub(super) fn new(types: &'d Types) -> Declared<'d> {
        Declared { types, text: String::new(), tags: BTreeMap::new() }
    }

    pub(super) fn finish(self) -> String {
        self.text
    }

    /// The type of a parameter or a result; none if there is no such value.
    pub(super) fn passed(&mut self, ty: TypeId) -> Option<String> {
        match self.types.resolve(ty) {
            Type::Base { name, .. } => Some(name.clone()),
            Type::Pointer { .. } => Some("void *".into()),
            Type::Enum { .. } => Some("int".into()),
            Type::Record(record) if record.size.is_some_and(|size| size > 0) => self.tag(ty),
            _ => None,
        }
    }

    /// The tag under which a struct is declared here.
    pub(super) fn tag(&mut self, ty: TypeId) -> Option<String> {
        let ty = self.types.resolved(ty);
        if let Some(tag) = self.tags.get(&ty) {
            return Some(tag.clone());
        }
        let Type::Record(record) = self.types.get(ty) else { return None };
        let members = self.members(record);
        let tag = format!("{} evergreen_{}", word(record.kind), self.tags.len());
        let packed = if self.is_natural(record) { "" } else { " __attribute__((packed))" };
        let note = record.name.as_ref().map_or(String::new(), |name| format!(" /* {name} */"));
        self.text.push_str(&format!("{tag} {{{note}\n{members}}}{packed};\n"));
        self.tags.insert(ty, tag.clone());
        Some(tag)
    }

    fn members(&mut self, record: &Record) -> String {
        let mut text = String::new();
        for (at, member) in record.members.iter().enumerate() {
            let declared = self.member(at, member);
            text.push_str(&format!("  {declared};\n"));
        }
        text
    }

    fn member(&mut self, at: usize, member: &Member) -> String {
        let Some(name) = &member.name else {
            return match self.types.resolve(member.ty).clone() {
                // Its members are those of the struct around it.
                Type::Record(record) => {
                    format!("{} {{\n{}  }}", word(record.kind), self.members(&record))
                }
                _ => self.variable(member.ty, &format!("evergreen_{at}")),
            };
        };
        match member.bits {
            Some((_, bits)) => format!("{} : {bits}", self.variable(member.ty, name)),
            None => self.variable(member.ty, name),
        }
    }

    /// A variable of a type.
    fn variable(&mut self, ty: TypeId, name: &str) -> String {
        match self.types.resolve(ty) {
            Type::Base { name: of, .. } => format!("{of} {name}"),
            Type::Enum { size, .. } => format!("{} {name}", integer(*size)),
            Type::Pointer { .. } => format!("void *{name}"),
            Type::Array { of, count } => {
                let count = count.map_or(String::new(), |count| count.to_string());
                self.variable(*of, &format!("{name}[{count}]"))
            }
            Type::Record(_) => match self.tag(ty) {
                Some(tag) => format!("{tag} {name}"),
                None => format!("char {name}"),
            },
            _ => format!("char {name}"),
        }
    }

    /// Whether members lie where they lie without attributes.
    fn is_natural(&self, record: &Record) -> bool {
        let mut end = 0u64;
        record.members.iter().filter(|member| member.bits.is_none()).all(|member| {
            let align = self.alignment(member.ty, 0);
            let fits = member.offset.is_multiple_of(align);
            let follows = record.kind == RecordKind::Union || member.offset >= end;
            end = member.offset + self.types.size(member.ty).unwrap_or(0);
            fits && follows
        })
    }

    fn alignment(&self, ty: TypeId, depth: u32) -> u64 {
        if depth > 16 {
            return 1;
        }
        match self.types.resolve(ty) {
            Type::Base { size, .. } | Type::Enum { size, .. } => (*size).clamp(1, 16),
            Type::Pointer { .. } => 4,
            Type::Array { of, .. } => self.alignment(*of, depth + 1),
            Type::Record(record) => {
                let all = record.members.iter().map(|member| self.alignment(member.ty, depth + 1));
                all.max().unwrap_or(1)
            }
            _ => 1,
        }
    }
}

fn word(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Struct => "struct",
        RecordKind::Union => "union",
    }
}

/// An integer type of a size.
fn integer(size: u64) -> &'static str {
    match size {
        1 => "signed char",
        2 => "short",
        8 => "long long",
        _ => "int",
    }
}
