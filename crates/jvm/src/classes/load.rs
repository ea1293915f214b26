//! Finding classes by name, and making the ones that no file has: arrays and primitive types.

use std::rc::Rc;

use super::{Class, ClassId, Pool, Shape, access};
use crate::machine::Jvm;
use crate::native::Trap;
use crate::value::Kind;

impl Jvm {
    /// The class of an internal name (`java/lang/Object`) or array descriptor (`[I`), loaded and
    /// linked if it was not yet.
    pub fn load(&mut self, name: &str) -> Result<ClassId, Trap> {
        if let Some(class) = self.by_name.get(name) {
            return Ok(*class);
        }
        if let Some(element) = name.strip_prefix('[') {
            return self.load_array(name, element);
        }
        if self.loading.iter().any(|loading| **loading == *name) {
            return Err(Trap::throw("java/lang/ClassCircularityError", name.to_owned()));
        }
        let found = match self.class_path.find(name) {
            Ok(Some(found)) => found,
            Ok(None) => return Err(Trap::throw("java/lang/NoClassDefFoundError", name.to_owned())),
            Err(error) => return Err(self.unreadable(name, &error.to_string())),
        };
        let file = match evergreen_classfile::read(&found.bytes) {
            Ok(file) => file,
            Err(error) => return Err(self.unreadable(name, &error.to_string())),
        };
        if *file.name != *name {
            let text = format!("{name} (wrong name: {})", file.name);
            return Err(Trap::throw("java/lang/NoClassDefFoundError", text));
        }
        self.loading.push(name.into());
        let linked = self.link(file, &found.origin);
        self.loading.pop();
        linked
    }

    /// A class that is there already, by internal name.
    pub fn loaded(&self, name: &str) -> Option<ClassId> {
        self.by_name.get(name).copied()
    }

    /// The class that a field descriptor names.
    pub fn load_descriptor(&mut self, descriptor: &str) -> Result<ClassId, Trap> {
        match descriptor.strip_prefix('L').and_then(|rest| rest.strip_suffix(';')) {
            Some(name) => self.load(name),
            None if descriptor.starts_with('[') => self.load(descriptor),
            None if descriptor == "V" => Ok(self.void()),
            None => match Kind::of_descriptor(descriptor) {
                Some(kind) => Ok(self.primitive(kind)),
                None => Err(Trap::throw("java/lang/ClassFormatError", descriptor.to_owned())),
            },
        }
    }

    /// The array class whose elements are of `element`.
    pub fn array_of(&mut self, element: ClassId) -> Result<ClassId, Trap> {
        let class = self.class(element);
        let name = match &class.shape {
            Shape::Array { .. } => format!("[{}", class.name),
            Shape::Instance => format!("[L{};", class.name),
            Shape::Primitive(Some(kind)) => format!("[{}", kind.letter()),
            Shape::Primitive(None) => return Err(Trap::throw_plain("java/lang/IllegalArgumentException")),
        };
        self.load(&name)
    }

    /// The class object of a primitive type.
    pub fn primitive(&mut self, kind: Kind) -> ClassId {
        self.primitive_named(kind.java(), Some(kind))
    }

    /// The class object of `void`.
    pub fn void(&mut self) -> ClassId {
        self.primitive_named("void", None)
    }

    fn unreadable(&self, name: &str, error: &str) -> Trap {
        Trap::throw("java/lang/ClassFormatError", format!("{name}: {error}"))
    }

    // Primitive types share the table of names; no class file can have one of theirs, all being keywords.
    fn primitive_named(&mut self, name: &str, kind: Option<Kind>) -> ClassId {
        if let Some(class) = self.by_name.get(name) {
            return *class;
        }
        let id = self.next_class();
        self.add_class(Class {
            name: name.into(),
            access: access::PUBLIC | access::FINAL | access::ABSTRACT,
            shape: Shape::Primitive(kind),
            ..Class::blank(id)
        })
    }

    fn load_array(&mut self, name: &str, element: &str) -> Result<ClassId, Trap> {
        let element_id = self.load_descriptor(element)?;
        let kind = Kind::of_descriptor(element).unwrap_or(Kind::Reference);
        let object = self.load("java/lang/Object")?;
        let cloneable = self.load("java/lang/Cloneable")?;
        let serializable = self.load("java/io/Serializable")?;
        if let Some(class) = self.by_name.get(name) {
            return Ok(*class);
        }
        let mut ancestors = vec![object, cloneable, serializable];
        if kind == Kind::Reference {
            // An array of T is an array of everything that T is.
            let element_class = self.class(element_id).clone();
            for ancestor in element_class.ancestors.iter().copied() {
                if ancestor != element_id {
                    ancestors.push(self.array_of(ancestor)?);
                }
            }
        }
        let id = self.next_class();
        ancestors.push(id);
        ancestors.sort_unstable();
        ancestors.dedup();
        let object_class = self.class(object).clone();
        let element_access =
            self.class(element_id).access & (access::PUBLIC | access::PRIVATE | access::PROTECTED);
        Ok(self.add_class(Class {
            name: name.into(),
            access: element_access | access::FINAL | access::ABSTRACT,
            shape: Shape::Array { element: element_id, kind },
            superclass: Some(object),
            interfaces: vec![cloneable, serializable],
            ancestors: ancestors.into(),
            vtable: object_class.vtable.clone(),
            vtable_places: object_class.vtable_places.clone(),
            user: self.class(element_id).user,
            ..Class::blank(id)
        }))
    }

    pub(crate) fn next_class(&self) -> ClassId {
        ClassId(self.classes.len() as u32)
    }

    pub(crate) fn add_class(&mut self, class: Class) -> ClassId {
        let id = class.id;
        debug_assert_eq!(id, self.next_class());
        self.by_name.insert(class.name.clone(), id);
        self.classes.push(Rc::new(class));
        id
    }
}

impl Class {
    /// A class without members.
    pub(crate) fn blank(id: ClassId) -> Class {
        Class {
            id,
            name: "".into(),
            access: access::PUBLIC,
            shape: Shape::Instance,
            superclass: None,
            interfaces: Vec::new(),
            ancestors: Box::new([id]),
            instance_fields: Vec::new(),
            blank: Rc::new([]),
            static_fields: Vec::new(),
            methods: Vec::new(),
            by_signature: Default::default(),
            vtable: Vec::new(),
            vtable_places: Default::default(),
            initializer: None,
            has_defaults: false,
            user: false,
            module: None,
            pool: Rc::new(Pool::default()),
        }
    }
}
