//! Where fields are: instance fields in the object, superclasses first, static fields in one
//! numbering for all classes.

use std::rc::Rc;

use evergreen_classfile::ClassFile;

use super::{Class, ClassId, FieldInfo, access};
use crate::machine::Jvm;
use crate::value::{Kind, Value};

impl Jvm {
    /// Gives every field of a class file its place: instance fields (inherited ones
    /// included) and declared statics.
    pub(crate) fn lay_out(
        &mut self,
        id: ClassId,
        superclass: Option<ClassId>,
        file: &ClassFile,
    ) -> (Vec<FieldInfo>, Vec<FieldInfo>) {
        let mut instance =
            superclass.map_or_else(Vec::new, |superclass| self.class(superclass).instance_fields.clone());
        let mut statics = Vec::new();
        for field in &file.fields {
            let is_static = field.access & access::STATIC != 0;
            let slot = if is_static { self.next_static() } else { instance.len() as u32 };
            let info = FieldInfo {
                name: field.name.clone(),
                descriptor: field.descriptor.clone(),
                access: field.access,
                owner: id,
                slot,
                kind: Kind::of_descriptor(&field.descriptor).unwrap_or(Kind::Int),
            };
            if is_static { &mut statics } else { &mut instance }.push(info);
        }
        (instance, statics)
    }

    /// A new object's fields.
    pub(crate) fn blank_fields(fields: &[FieldInfo]) -> Rc<[Value]> {
        fields.iter().map(|field| field.kind.default()).collect()
    }

    fn next_static(&mut self) -> u32 {
        self.static_count += 1;
        self.static_count - 1
    }
}

impl Class {
    /// The instance field of this name, the most derived one first.
    pub fn instance_field(&self, name: &str) -> Option<&FieldInfo> {
        self.instance_fields.iter().rev().find(|field| &*field.name == name)
    }

    /// The static field of this name that the class itself declares.
    pub fn static_field(&self, name: &str) -> Option<&FieldInfo> {
        self.static_fields.iter().find(|field| &*field.name == name)
    }
}
