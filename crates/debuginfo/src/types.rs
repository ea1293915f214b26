//! Types as a small graph: nodes with ids, references by id.
//!
//! `const`, `volatile`, `restrict` and `_Atomic` are left out. A typedef is a node, so that its name can be
//! shown; [`Types::resolve`] goes through. A reference that leads nowhere, or round in a cycle of typedefs,
//! is [`Type::Unknown`].

/// A type, as an index into [`Types`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(pub(crate) u32);

impl TypeId {
    /// `void`.
    pub const VOID: TypeId = TypeId(0);
    /// What is not known.
    pub const UNKNOWN: TypeId = TypeId(1);
}

/// How the bits of a base type are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// `_Bool`.
    Bool,
    /// `char` and `signed char`.
    SignedChar,
    /// `unsigned char`, and `char` where it has no sign.
    UnsignedChar,
    /// Two's complement.
    Signed,
    /// Without a sign.
    Unsigned,
    /// IEEE 754.
    Float,
    /// Another one: complex, decimal.
    Other,
}

impl Encoding {
    /// Has it a sign?
    pub fn is_signed(self) -> bool {
        matches!(self, Encoding::SignedChar | Encoding::Signed | Encoding::Float)
    }

    /// A character type?
    pub fn is_char(self) -> bool {
        matches!(self, Encoding::SignedChar | Encoding::UnsignedChar)
    }

    /// An integer, characters and `_Bool` included?
    pub fn is_integer(self) -> bool {
        !matches!(self, Encoding::Float | Encoding::Other)
    }
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// Nothing: the result of a procedure, the target of `void *`.
    Void,
    /// Not described, or damaged.
    Unknown,
    /// A number, a character, a truth value.
    Base {
        /// As in C: `unsigned int`.
        name: String,
        /// In bytes.
        size: u64,
        /// How it is read.
        encoding: Encoding,
    },
    /// A pointer, or a reference of C++. 4 bytes.
    Pointer {
        /// To what.
        to: TypeId,
    },
    /// An array; of several dimensions: an array of arrays.
    Array {
        /// Of what.
        of: TypeId,
        /// How many; none for `[]` and variable lengths.
        count: Option<u64>,
    },
    /// A struct, union or class.
    Record(Record),
    /// An enumeration.
    Enum {
        /// Its tag.
        name: Option<String>,
        /// In bytes.
        size: u64,
        /// Its constants, in order.
        enumerators: Vec<Enumerator>,
    },
    /// Another name.
    Typedef {
        /// The name.
        name: String,
        /// For what.
        to: TypeId,
    },
    /// A function, behind a pointer.
    Function {
        /// What it returns.
        result: TypeId,
        /// What it takes.
        parameters: Vec<TypeId>,
        /// Does it take more than these?
        is_variadic: bool,
    },
}

/// Which kind of record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordKind {
    /// Also `class`.
    Struct,
    /// Members share their place.
    Union,
}

/// A struct, union or class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Which kind.
    pub kind: RecordKind,
    /// Its tag.
    pub name: Option<String>,
    /// In bytes; none if it is only declared.
    pub size: Option<u64>,
    /// Its members, in order. Base classes are members without a name.
    pub members: Vec<Member>,
}

/// A member of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// None for an anonymous struct or union.
    pub name: Option<String>,
    /// Its type.
    pub ty: TypeId,
    /// In bytes from the beginning of the record; of a bit field: the byte of its lowest bit.
    pub offset: u64,
    /// Of a bit field: its lowest bit in that byte, and how many bits.
    pub bits: Option<(u8, u8)>,
}

/// A constant of an enumeration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enumerator {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: i64,
}

/// All types of a module.
#[derive(Clone, Debug)]
pub struct Types(pub(crate) Vec<Type>);

impl Default for Types {
    fn default() -> Types {
        Types(vec![Type::Void, Type::Unknown])
    }
}

/// Real programs have chains of a few names. More is a cycle.
const LONGEST_CHAIN: usize = 64;

impl Types {
    /// The type with an id, which may be a typedef.
    pub fn get(&self, id: TypeId) -> &Type {
        self.0.get(id.0 as usize).unwrap_or(&Type::Unknown)
    }

    /// The same without typedefs.
    pub fn resolve(&self, mut id: TypeId) -> &Type {
        for _ in 0..LONGEST_CHAIN {
            match self.get(id) {
                Type::Typedef { to, .. } => id = *to,
                found => return found,
            }
        }
        &Type::Unknown
    }

    /// The id of the same without typedefs.
    pub fn resolved(&self, mut id: TypeId) -> TypeId {
        for _ in 0..LONGEST_CHAIN {
            match self.get(id) {
                Type::Typedef { to, .. } => id = *to,
                _ => return id,
            }
        }
        TypeId::UNKNOWN
    }

    /// All of them with their ids.
    pub fn iter(&self) -> impl Iterator<Item = (TypeId, &Type)> {
        self.0.iter().enumerate().map(|(i, ty)| (TypeId(i as u32), ty))
    }

    /// In bytes, where it is known.
    pub fn size(&self, mut id: TypeId) -> Option<u64> {
        let mut times = 1u64;
        for _ in 0..LONGEST_CHAIN {
            let size = match self.resolve(id) {
                Type::Base { size, .. } | Type::Enum { size, .. } => Some(*size),
                Type::Pointer { .. } => Some(4),
                Type::Record(record) => record.size,
                Type::Array { of, count } => {
                    times = times.checked_mul((*count)?)?;
                    id = *of;
                    continue;
                }
                _ => None,
            };
            return size?.checked_mul(times);
        }
        None
    }

    /// As C writes it, roughly: `unsigned int`, `struct point *`, `char [8]`.
    pub fn shown(&self, id: TypeId) -> String {
        self.show(id, LONGEST_CHAIN)
    }

    fn show(&self, id: TypeId, depth: usize) -> String {
        if depth == 0 {
            return "?".into();
        }
        let tagged = |word: &str, name: &Option<String>| match name {
            Some(name) => format!("{word} {name}"),
            None => word.to_string(),
        };
        match self.get(id) {
            Type::Void => "void".into(),
            Type::Unknown => "?".into(),
            Type::Base { name, .. } | Type::Typedef { name, .. } => name.clone(),
            Type::Pointer { to } => match self.get(*to) {
                Type::Function { .. } => self.show(*to, depth - 1).replacen("()", "(*)", 1),
                _ => {
                    let to = self.show(*to, depth - 1);
                    if to.ends_with('*') { format!("{to}*") } else { format!("{to} *") }
                }
            },
            Type::Array { of, count } => {
                let count = count.map_or(String::new(), |count| count.to_string());
                let of = self.show(*of, depth - 1);
                // The outermost dimension comes first.
                match of.find(" [") {
                    Some(at) => format!("{} [{count}]{}", &of[..at], &of[at + 1..]),
                    None => format!("{of} [{count}]"),
                }
            }
            Type::Record(record) => match record.kind {
                RecordKind::Struct => tagged("struct", &record.name),
                RecordKind::Union => tagged("union", &record.name),
            },
            Type::Enum { name, .. } => tagged("enum", name),
            Type::Function { result, parameters, is_variadic } => {
                // Damaged types could refer to themselves many times over.
                let shown = |id: &TypeId| self.show(*id, depth.min(4) - 1);
                let mut texts: Vec<String> = parameters.iter().take(16).map(shown).collect();
                texts.extend((*is_variadic).then(|| "...".to_string()));
                format!("{} ()({})", self.show(*result, depth.min(4) - 1), texts.join(", "))
            }
        }
    }
}
