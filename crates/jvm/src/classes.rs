//! Classes, methods and fields as the machine uses them: loaded, linked and laid out
//! once, shared by all paths.
//!
//! Nothing in here belongs to a path. Statics, initialization and mirrors are per state ([`crate::State`]).

pub(crate) mod ahead;
pub mod init;
pub mod layout;
pub mod link;
pub mod load;
pub mod resolve;

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

pub use evergreen_classfile::access;
use evergreen_classfile::{ClassFile, Code};
use rustc_hash::FxHashMap;

use crate::native::NativeFn;
use crate::value::Kind;

/// A class, interface, array class or primitive type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ClassId(pub u32);

/// A method of a class.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct MethodId(pub u32);

/// A method's name and descriptor, interned.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Signature(pub u32);

/// The kind of a class.
#[derive(Clone, PartialEq, Debug)]
pub enum Shape {
    /// A class or interface.
    Instance,
    /// An array class and its element class.
    Array {
        /// The kind of the elements: a primitive type, a class, or another array.
        element: ClassId,
        /// How the elements are stored.
        kind: Kind,
    },
    /// A primitive type or `void` (`None`).
    Primitive(Option<Kind>),
}

/// A field with a place: a slot of the object or of the statics.
#[derive(Clone, Debug)]
pub struct FieldInfo {
    /// The field's name.
    pub name: Arc<str>,
    /// Its descriptor.
    pub descriptor: Arc<str>,
    /// Access flags.
    pub access: u16,
    /// The class that declares it.
    pub owner: ClassId,
    /// Index into the object's body, or into [`crate::State::statics`].
    pub slot: u32,
    /// How its values are stored.
    pub kind: Kind,
}

/// A loaded and linked class.
#[derive(Debug)]
pub struct Class {
    /// Its number.
    pub id: ClassId,
    /// Internal name: `java/lang/Object`, `[I`, `int`.
    pub name: Arc<str>,
    /// Access flags.
    pub access: u16,
    /// Its kind.
    pub shape: Shape,
    /// The superclass; none for Object, interfaces have Object, primitive types none.
    pub superclass: Option<ClassId>,
    /// The direct superinterfaces.
    pub interfaces: Vec<ClassId>,
    /// Every class that this is assignable to, itself included; sorted.
    pub ancestors: Box<[ClassId]>,
    /// The instance fields in slot order, inherited ones first.
    pub instance_fields: Vec<FieldInfo>,
    /// A new object's fields.
    pub blank: Rc<[crate::Value]>,
    /// The static fields that this class declares.
    pub static_fields: Vec<FieldInfo>,
    /// The methods that this class declares, `<clinit>` and constructors included.
    pub methods: Vec<MethodId>,
    /// Declared methods by name and descriptor.
    pub by_signature: FxHashMap<Signature, MethodId>,
    /// Implementations of virtual methods.
    pub vtable: Vec<MethodId>,
    /// Where in the vtable a signature is.
    pub vtable_places: FxHashMap<Signature, u32>,
    /// `<clinit>`; a method of one `return` where the class file has none.
    pub initializer: Option<MethodId>,
    /// Whether an interface declares a method that is neither abstract nor static (JVMS 5.5).
    pub has_defaults: bool,
    /// Whether the class came from the user's part of the class path (then its assertions are on).
    pub user: bool,
    /// The JDK's module that it is in.
    pub module: Option<Arc<str>>,
    /// Its constant pool and class file.
    pub pool: Rc<Pool>,
}

impl Class {
    /// Whether this is an interface.
    pub fn is_interface(&self) -> bool {
        self.access & access::INTERFACE != 0
    }

    /// Whether this is an array class.
    pub fn is_array(&self) -> bool {
        matches!(self.shape, Shape::Array { .. })
    }

    /// Whether values of this class are assignable to `other`.
    #[inline]
    pub fn is_assignable_to(&self, other: ClassId) -> bool {
        self.id == other || self.ancestors.binary_search(&other).is_ok()
    }

    /// The name as Java prints it: `java.lang.Object`, `[Ljava.lang.Object;`, `int`.
    pub fn java_name(&self) -> String {
        self.name.replace('/', ".")
    }

    /// The class file, without code; none for arrays, primitive and synthetic classes.
    pub fn file(&self) -> Option<&Rc<ClassFile>> {
        self.pool.file.as_ref()
    }

    /// The package part of the internal name, without the last slash.
    pub fn package(&self) -> &str {
        self.name.rfind('/').map_or("", |at| &self.name[..at])
    }
}

/// A method.
#[derive(Debug)]
pub struct Method {
    /// Its number.
    pub id: MethodId,
    /// The class that declares it.
    pub class: ClassId,
    /// That class's name.
    pub class_name: Arc<str>,
    /// The method's name.
    pub name: Arc<str>,
    /// Its descriptor.
    pub descriptor: Arc<str>,
    /// Both, interned.
    pub signature: Signature,
    /// Access flags.
    pub access: u16,
    /// The kinds of the arguments, the receiver of an instance method first.
    pub arguments: Box<[Kind]>,
    /// Slots of all arguments, the receiver included.
    pub argument_slots: u16,
    /// The kind of the result; none for `void`.
    pub result: Option<Kind>,
    /// How to run it.
    pub body: MethodBody,
    /// Place in the vtables of its class and subclasses.
    pub vtable_index: Option<u32>,
    /// A number for the creator of a synthetic method.
    pub data: u32,
    /// The constant pool of its class.
    pub pool: Rc<Pool>,
    /// Whether the class came from the user's part of the class path.
    pub user: bool,
}

impl Method {
    /// Whether it has no receiver.
    pub fn is_static(&self) -> bool {
        self.access & access::STATIC != 0
    }

    /// `java.util.List.add(Ljava/lang/Object;)Z`, for messages.
    pub fn full_name(&self) -> String {
        format!("{}.{}{}", self.class_name.replace('/', "."), self.name, self.descriptor)
    }

    /// The code, if it has any.
    pub fn code(&self) -> Option<&Rc<Code>> {
        match &self.body {
            MethodBody::Code(code) => Some(code),
            _ => None,
        }
    }

    /// The source line of an instruction, if known.
    pub fn line(&self, pc: u32) -> Option<u16> {
        self.code()?.line(pc)
    }
}

/// How a method is run.
#[derive(Clone, Debug)]
pub enum MethodBody {
    /// By its instructions.
    Code(Rc<Code>),
    /// A function of the machine runs it: a native, or a method that is not interpreted.
    Native(NativeFn),
    /// A native without an implementation: calling it ends the path.
    Missing,
    /// Not at all.
    Abstract,
}

/// A constant pool with its resolved entries. Resolution is the same for every path, so it is kept here.
#[derive(Debug, Default)]
pub struct Pool {
    /// The class file, its code taken out.
    pub file: Option<Rc<ClassFile>>,
    /// The entries resolved so far, by pool index.
    pub resolved: Box<[Cell<Resolved>]>,
}

impl Pool {
    /// The resolved entry, if it was resolved before.
    #[inline]
    pub fn get(&self, index: u16) -> Resolved {
        self.resolved.get(usize::from(index)).map_or(Resolved::Not, Cell::get)
    }

    /// Remembers what the entry means.
    pub fn set(&self, index: u16, meaning: Resolved) {
        if let Some(place) = self.resolved.get(usize::from(index)) {
            place.set(meaning);
        }
    }
}

/// A resolved constant pool entry.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Resolved {
    /// Not resolved yet.
    Not,
    /// An instance field.
    Field {
        /// Index into the object's body.
        slot: u32,
        /// How its values are stored.
        kind: Kind,
    },
    /// A static field.
    Static {
        /// The class that must be initialized.
        class: ClassId,
        /// Index into the statics.
        slot: u32,
        /// How its values are stored.
        kind: Kind,
    },
    /// A method, independent of the caller.
    Method {
        /// The resolved (not yet selected) method.
        method: MethodId,
        /// Slots of all arguments, the receiver included.
        slots: u16,
        /// Place in vtables, or `u32::MAX` for a method that is found without.
        index: u32,
    },
    /// A class.
    Class(ClassId),
    /// A string literal, by its number among all literals.
    Literal(u32),
}
