//! The contents of a class file, as values.

use crate::annotation::{Annotation, ElementValue};
use crate::code::Code;
use crate::pool::{Constant, ConstantPool};
use std::sync::Arc;

/// The bits of access flags. Some mean different things on classes, fields and methods.
#[allow(missing_docs)]
pub mod access {
    pub const PUBLIC: u16 = 0x0001;
    pub const PRIVATE: u16 = 0x0002;
    pub const PROTECTED: u16 = 0x0004;
    pub const STATIC: u16 = 0x0008;
    pub const FINAL: u16 = 0x0010;
    /// On classes.
    pub const SUPER: u16 = 0x0020;
    /// On methods.
    pub const SYNCHRONIZED: u16 = 0x0020;
    /// On fields.
    pub const VOLATILE: u16 = 0x0040;
    /// On methods.
    pub const BRIDGE: u16 = 0x0040;
    /// On fields.
    pub const TRANSIENT: u16 = 0x0080;
    /// On methods.
    pub const VARARGS: u16 = 0x0080;
    pub const NATIVE: u16 = 0x0100;
    pub const INTERFACE: u16 = 0x0200;
    pub const ABSTRACT: u16 = 0x0400;
    pub const STRICT: u16 = 0x0800;
    pub const SYNTHETIC: u16 = 0x1000;
    pub const ANNOTATION: u16 = 0x2000;
    pub const ENUM: u16 = 0x4000;
    pub const MODULE: u16 = 0x8000;
}

/// A class or interface as its file describes it. Names are internal: `java/lang/Object`.
#[derive(Clone, Debug)]
pub struct ClassFile {
    /// Major and minor version; 61 is Java 17, 69 is Java 25.
    pub version: (u16, u16),
    /// See [`access`].
    pub access: u16,
    /// Its name.
    pub name: Arc<str>,
    /// The class it extends; `None` for `java/lang/Object` and module descriptions.
    pub super_name: Option<Arc<str>>,
    /// Its interfaces, in order.
    pub interfaces: Vec<Arc<str>>,
    /// Its own fields, in order.
    pub fields: Vec<Field>,
    /// Its own methods, in order.
    pub methods: Vec<Method>,
    /// The constant pool.
    pub pool: ConstantPool,
    /// The bootstrap methods of dynamic constants and call sites.
    pub bootstrap: Vec<Bootstrap>,
    /// Name of the source file, without a folder.
    pub source_file: Option<Arc<str>>,
    /// The class whose nest it belongs to, if that is not itself.
    pub nest_host: Option<Arc<str>>,
    /// The other members of its nest, if it is the host.
    pub nest_members: Vec<Arc<str>>,
    /// All nested classes that it is or mentions.
    pub inner_classes: Vec<InnerClass>,
    /// Where it was declared, if that is inside a method or initializer.
    pub enclosing_method: Option<EnclosingMethod>,
    /// Components, if it is a record.
    pub record: Option<Vec<RecordComponent>>,
    /// The only direct subclasses, if it is sealed.
    pub permitted: Vec<Arc<str>>,
    /// Its generic signature.
    pub signature: Option<Arc<str>>,
    /// Annotations visible at run time.
    pub annotations: Vec<Annotation>,
    /// Annotations that a running program cannot see.
    pub invisible: Vec<Annotation>,
}

impl ClassFile {
    /// The method of this class (not of its superclasses) with that name and descriptor.
    pub fn method(&self, name: &str, descriptor: &str) -> Option<&Method> {
        self.methods.iter().find(|m| &*m.name == name && &*m.descriptor == descriptor)
    }

    /// The field of this class with that name.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|f| &*f.name == name)
    }

    /// Whether it is an interface.
    pub fn is_interface(&self) -> bool {
        self.access & access::INTERFACE != 0
    }

    /// The annotation of that type (a descriptor).
    pub fn annotation(&self, descriptor: &str) -> Option<&Annotation> {
        self.annotations.iter().chain(&self.invisible).find(|a| &*a.descriptor == descriptor)
    }

    /// Its name as `Class.getName` prints it.
    pub fn java_name(&self) -> String {
        self.name.replace('/', ".")
    }
}

/// A field.
#[derive(Clone, Debug)]
pub struct Field {
    /// See [`access`].
    pub access: u16,
    /// Its name.
    pub name: Arc<str>,
    /// Its type's descriptor.
    pub descriptor: Arc<str>,
    /// The value of a static field before the class is initialized.
    pub constant: Option<Constant>,
    /// Its generic signature.
    pub signature: Option<Arc<str>>,
    /// Annotations visible at run time.
    pub annotations: Vec<Annotation>,
}

impl Field {
    /// Whether it belongs to the class and not to its objects.
    pub fn is_static(&self) -> bool {
        self.access & access::STATIC != 0
    }
}

/// A method, constructor (`<init>`) or class initializer (`<clinit>`).
#[derive(Clone, Debug)]
pub struct Method {
    /// See [`access`].
    pub access: u16,
    /// Its name.
    pub name: Arc<str>,
    /// Its descriptor.
    pub descriptor: Arc<str>,
    /// Its body, decoded; abstract and native methods have none.
    pub code: Option<Code>,
    /// Where its body stands in the class file, decoded or not.
    pub body: Option<Body>,
    /// The exceptions it declares.
    pub exceptions: Vec<Arc<str>>,
    /// Names and flags of parameters (`javac -parameters`).
    pub parameters: Vec<MethodParameter>,
    /// Its generic signature.
    pub signature: Option<Arc<str>>,
    /// Annotations visible at run time.
    pub annotations: Vec<Annotation>,
    /// Annotations of the parameters visible at run time, one list per parameter; empty if there are none.
    pub parameter_annotations: Vec<Vec<Annotation>>,
    /// The default, if it is an annotation's element and has one.
    pub annotation_default: Option<ElementValue>,
}

impl Method {
    /// Whether it has no receiver.
    pub fn is_static(&self) -> bool {
        self.access & access::STATIC != 0
    }

    /// Whether it is implemented outside Java.
    pub fn is_native(&self) -> bool {
        self.access & access::NATIVE != 0
    }

    /// Whether it has no implementation.
    pub fn is_abstract(&self) -> bool {
        self.access & access::ABSTRACT != 0
    }

    /// The annotation of that type (a descriptor).
    pub fn annotation(&self, descriptor: &str) -> Option<&Annotation> {
        self.annotations.iter().find(|a| &*a.descriptor == descriptor)
    }
}

/// Where the `Code` attribute of a method is, for [`ClassFile::decode`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Body {
    /// Byte offset in the class file.
    pub offset: u32,
    /// Bytes.
    pub size: u32,
}

/// An entry of `MethodParameters`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodParameter {
    /// Its name, if it has one.
    pub name: Option<Arc<str>>,
    /// Final, synthetic or mandated.
    pub access: u16,
}

/// A bootstrap method and its static arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct Bootstrap {
    /// Always a [`Constant::MethodHandle`].
    pub method: Constant,
    /// The arguments, any loadable constants.
    pub arguments: Vec<Constant>,
}

/// An entry of `InnerClasses`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InnerClass {
    /// The nested class.
    pub inner: Arc<str>,
    /// The class it is a member of; local and anonymous ones are not.
    pub outer: Option<Arc<str>>,
    /// Its simple name; anonymous ones have none.
    pub name: Option<Arc<str>>,
    /// Its flags as the source has them (`private`, `static` ...).
    pub access: u16,
}

/// Where a local or anonymous class was declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnclosingMethod {
    /// The class around it.
    pub class: Arc<str>,
    /// Name and descriptor of the method around it; `None` in an initializer.
    pub method: Option<(Arc<str>, Arc<str>)>,
}

/// A component of a record.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordComponent {
    /// Its name.
    pub name: Arc<str>,
    /// Its type's descriptor.
    pub descriptor: Arc<str>,
    /// Its generic signature.
    pub signature: Option<Arc<str>>,
}
