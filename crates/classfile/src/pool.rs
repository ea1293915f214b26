//! The constant pool: every entry checked once, when it is read, so that later uses meet what they expect.

use crate::bytes::{Cursor, ReadError};
use crate::string::{JavaString, read_name};
use std::sync::Arc;

/// A constant that code may load, or hand to a bootstrap method.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    /// `int`, and everything smaller.
    Int(i32),
    /// `float`.
    Float(f32),
    /// `long`.
    Long(i64),
    /// `double`.
    Double(f64),
    /// A string literal.
    String(JavaString),
    /// A class: an internal name, or a descriptor for an array (`[I`).
    Class(Arc<str>),
    /// A handle of a field or method.
    MethodHandle {
        /// Its use of the member.
        kind: HandleKind,
        /// The member.
        member: Member,
    },
    /// A method type: its descriptor.
    MethodType(Arc<str>),
    /// Computed by a bootstrap method when first used.
    Dynamic(DynamicRef),
}

/// The use of a member by a method handle; the numbers are those of the class file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum HandleKind {
    GetField = 1,
    GetStatic = 2,
    PutField = 3,
    PutStatic = 4,
    InvokeVirtual = 5,
    InvokeStatic = 6,
    InvokeSpecial = 7,
    NewInvokeSpecial = 8,
    InvokeInterface = 9,
}

impl HandleKind {
    fn from_byte(byte: u8) -> Option<HandleKind> {
        use HandleKind::*;
        let all = [
            GetField,
            GetStatic,
            PutField,
            PutStatic,
            InvokeVirtual,
            InvokeStatic,
            InvokeSpecial,
            NewInvokeSpecial,
            InvokeInterface,
        ];
        all.get(usize::from(byte).wrapping_sub(1)).copied()
    }
}

/// A symbolic reference to a field or method.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Member {
    /// Field, method, or method of an interface.
    pub kind: MemberKind,
    /// Where the search starts: an internal name, or a descriptor for an array (`[I`).
    pub class: Arc<str>,
    /// Its name.
    pub name: Arc<str>,
    /// Its descriptor.
    pub descriptor: Arc<str>,
}

impl Member {
    /// Whether the class file marks `class` as an interface.
    pub fn is_interface(&self) -> bool {
        self.kind == MemberKind::InterfaceMethod
    }
}

/// The three tags of symbolic references.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum MemberKind {
    Field,
    Method,
    InterfaceMethod,
}

/// A dynamic constant or an `invokedynamic` call site.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DynamicRef {
    /// Index into [`ClassFile::bootstrap`](crate::ClassFile::bootstrap).
    pub bootstrap: u16,
    /// The name given to the bootstrap method.
    pub name: Arc<str>,
    /// A field descriptor for a constant, a method descriptor for a call site.
    pub descriptor: Arc<str>,
}

/// One entry as the class file has it; references are pool indices that were checked
/// to lead to the right tag.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// Index 0, and the slot after each long and double.
    Hole,
    /// A string of modified UTF-8, kept as [`JavaString::name`] is.
    Utf8(Arc<str>),
    /// `CONSTANT_Integer`.
    Int(i32),
    /// `CONSTANT_Float`.
    Float(f32),
    /// `CONSTANT_Long`.
    Long(i64),
    /// `CONSTANT_Double`.
    Double(f64),
    /// `CONSTANT_Class`: its name's index.
    Class(u16),
    /// `CONSTANT_String`: its text's index.
    String(u16),
    /// `CONSTANT_Fieldref`, `CONSTANT_Methodref`, `CONSTANT_InterfaceMethodref`: class, name and type.
    Member(MemberKind, u16, u16),
    /// `CONSTANT_NameAndType`.
    NameAndType(u16, u16),
    /// `CONSTANT_MethodHandle`.
    MethodHandle(HandleKind, u16),
    /// `CONSTANT_MethodType`.
    MethodType(u16),
    /// `CONSTANT_Dynamic`: bootstrap method, name and type.
    Dynamic(u16, u16),
    /// `CONSTANT_InvokeDynamic`: bootstrap method, name and type.
    InvokeDynamic(u16, u16),
    /// `CONSTANT_Module`: its name's index.
    Module(u16),
    /// `CONSTANT_Package`: its name's index.
    Package(u16),
}

impl Entry {
    fn tag_name(&self) -> &'static str {
        match self {
            Entry::Hole => "nothing",
            Entry::Utf8(_) => "a text",
            Entry::Int(_) => "an int",
            Entry::Float(_) => "a float",
            Entry::Long(_) => "a long",
            Entry::Double(_) => "a double",
            Entry::Class(_) => "a class",
            Entry::String(_) => "a string",
            Entry::Member(MemberKind::Field, ..) => "a field",
            Entry::Member(..) => "a method",
            Entry::NameAndType(..) => "a name and type",
            Entry::MethodHandle(..) => "a method handle",
            Entry::MethodType(_) => "a method type",
            Entry::Dynamic(..) => "a dynamic constant",
            Entry::InvokeDynamic(..) => "a dynamic call site",
            Entry::Module(_) => "a module",
            Entry::Package(_) => "a package",
        }
    }
}

/// The constant pool of one class.
#[derive(Clone, Debug, Default)]
pub struct ConstantPool {
    entries: Vec<Entry>,
}

impl ConstantPool {
    /// Number of indices, counting the unused index 0.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no entries at all (no class file is like that).
    pub fn is_empty(&self) -> bool {
        self.entries.len() <= 1
    }

    /// All entries, by index.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The entry at `index`; [`Entry::Hole`] where there is none.
    pub fn entry(&self, index: u16) -> &Entry {
        self.entries.get(usize::from(index)).unwrap_or(&Entry::Hole)
    }

    fn wrong<T>(&self, index: u16, wanted: &str) -> Result<T, ReadError> {
        let found = self.entry(index).tag_name();
        Err(ReadError::new(format!("pool entry {index} should be {wanted}, but is {found}")))
    }

    /// The text at `index`.
    pub fn utf8(&self, index: u16) -> Result<&Arc<str>, ReadError> {
        match self.entry(index) {
            Entry::Utf8(text) => Ok(text),
            _ => self.wrong(index, "a text"),
        }
    }

    /// The internal name (or array descriptor) of the class at `index`.
    pub fn class(&self, index: u16) -> Result<&Arc<str>, ReadError> {
        match self.entry(index) {
            Entry::Class(name) => self.utf8(*name),
            _ => self.wrong(index, "a class"),
        }
    }

    /// The name and the descriptor at `index`.
    pub fn name_and_type(&self, index: u16) -> Result<(&Arc<str>, &Arc<str>), ReadError> {
        match self.entry(index) {
            Entry::NameAndType(name, descriptor) => Ok((self.utf8(*name)?, self.utf8(*descriptor)?)),
            _ => self.wrong(index, "a name and type"),
        }
    }

    /// The field or method at `index`.
    pub fn member(&self, index: u16) -> Result<Member, ReadError> {
        let Entry::Member(kind, class, name_and_type) = *self.entry(index) else {
            return self.wrong(index, "a field or method");
        };
        let (name, descriptor) = self.name_and_type(name_and_type)?;
        let class = self.class(class)?.clone();
        Ok(Member { kind, class, name: name.clone(), descriptor: descriptor.clone() })
    }

    /// The call site at `index`.
    pub fn invoke_dynamic(&self, index: u16) -> Result<DynamicRef, ReadError> {
        match *self.entry(index) {
            Entry::InvokeDynamic(bootstrap, name_and_type) => self.dynamic(bootstrap, name_and_type),
            _ => self.wrong(index, "a dynamic call site"),
        }
    }

    fn dynamic(&self, bootstrap: u16, name_and_type: u16) -> Result<DynamicRef, ReadError> {
        let (name, descriptor) = self.name_and_type(name_and_type)?;
        Ok(DynamicRef { bootstrap, name: name.clone(), descriptor: descriptor.clone() })
    }

    /// The constant at `index`, for `ldc` or a bootstrap method.
    pub fn constant(&self, index: u16) -> Result<Constant, ReadError> {
        Ok(match *self.entry(index) {
            Entry::Int(value) => Constant::Int(value),
            Entry::Float(value) => Constant::Float(value),
            Entry::Long(value) => Constant::Long(value),
            Entry::Double(value) => Constant::Double(value),
            Entry::String(text) => Constant::String(JavaString::from_name(self.utf8(text)?.clone())),
            Entry::Class(name) => Constant::Class(self.utf8(name)?.clone()),
            Entry::MethodHandle(kind, member) => {
                Constant::MethodHandle { kind, member: self.member(member)? }
            }
            Entry::MethodType(descriptor) => Constant::MethodType(self.utf8(descriptor)?.clone()),
            Entry::Dynamic(bootstrap, name_and_type) => {
                Constant::Dynamic(self.dynamic(bootstrap, name_and_type)?)
            }
            _ => return self.wrong(index, "a loadable constant"),
        })
    }

    pub(crate) fn read(from: &mut Cursor<'_>) -> Result<ConstantPool, ReadError> {
        let count = from.u16()?;
        if count == 0 {
            return Err(ReadError::at(from.offset() - 2, "the constant pool has no entry 0"));
        }
        // The shortest entry has three bytes.
        let mut entries = Vec::with_capacity(usize::from(count).min(from.left() / 3 + 1));
        let mut offsets = Vec::with_capacity(entries.capacity());
        entries.push(Entry::Hole);
        offsets.push(from.offset());
        while entries.len() < usize::from(count) {
            let offset = from.offset();
            let entry = read_entry(from).map_err(|e| e.or_at(offset))?;
            let wide = matches!(entry, Entry::Long(_) | Entry::Double(_));
            entries.push(entry);
            offsets.push(offset);
            if wide {
                entries.push(Entry::Hole);
                offsets.push(offset);
            }
        }
        if entries.len() > usize::from(count) {
            return Err(ReadError::at(from.offset(), "the last pool entry needs two slots and has one"));
        }
        let pool = ConstantPool { entries };
        for (entry, offset) in pool.entries.iter().zip(offsets) {
            pool.check(entry).map_err(|e| e.or_at(offset))?;
        }
        Ok(pool)
    }

    /// Follows every reference of `entry` once.
    fn check(&self, entry: &Entry) -> Result<(), ReadError> {
        match *entry {
            Entry::Class(i) | Entry::String(i) | Entry::MethodType(i) => self.utf8(i).map(drop),
            Entry::Module(i) | Entry::Package(i) => self.utf8(i).map(drop),
            Entry::NameAndType(name, descriptor) => {
                self.utf8(name)?;
                self.utf8(descriptor).map(drop)
            }
            Entry::Member(_, class, name_and_type) => {
                self.class(class)?;
                self.name_and_type(name_and_type).map(drop)
            }
            Entry::Dynamic(_, i) | Entry::InvokeDynamic(_, i) => self.name_and_type(i).map(drop),
            Entry::MethodHandle(kind, member) => {
                let wants_field = kind as u8 <= HandleKind::PutStatic as u8;
                match self.entry(member) {
                    Entry::Member(found, ..) if (*found == MemberKind::Field) == wants_field => Ok(()),
                    _ => self.wrong(member, if wants_field { "a field" } else { "a method" }),
                }
            }
            _ => Ok(()),
        }
    }
}

fn read_entry(from: &mut Cursor<'_>) -> Result<Entry, ReadError> {
    let offset = from.offset();
    Ok(match from.u8()? {
        1 => {
            let size = from.u16()?;
            Entry::Utf8(read_name(from.take(usize::from(size))?)?)
        }
        3 => Entry::Int(from.i32()?),
        4 => Entry::Float(f32::from_bits(from.u32()?)),
        5 => Entry::Long(from.u64()? as i64),
        6 => Entry::Double(f64::from_bits(from.u64()?)),
        7 => Entry::Class(from.u16()?),
        8 => Entry::String(from.u16()?),
        9 => Entry::Member(MemberKind::Field, from.u16()?, from.u16()?),
        10 => Entry::Member(MemberKind::Method, from.u16()?, from.u16()?),
        11 => Entry::Member(MemberKind::InterfaceMethod, from.u16()?, from.u16()?),
        12 => Entry::NameAndType(from.u16()?, from.u16()?),
        15 => {
            let kind = from.u8()?;
            let kind = HandleKind::from_byte(kind)
                .ok_or_else(|| ReadError::at(offset + 1, format!("'{kind}' is no kind of method handle")))?;
            Entry::MethodHandle(kind, from.u16()?)
        }
        16 => Entry::MethodType(from.u16()?),
        17 => Entry::Dynamic(from.u16()?, from.u16()?),
        18 => Entry::InvokeDynamic(from.u16()?, from.u16()?),
        19 => Entry::Module(from.u16()?),
        20 => Entry::Package(from.u16()?),
        tag => return Err(ReadError::at(offset, format!("'{tag}' is no tag of a pool entry"))),
    })
}
