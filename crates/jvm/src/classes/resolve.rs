//! Resolution of constant pool entries (JVMS 5.4.3), and selection of the method of a call (JVMS
//! 5.4.6). Access is not checked.

use std::rc::Rc;

use evergreen_classfile::{ConstantPool, Member};

use super::{ClassId, FieldInfo, Method, MethodBody, MethodId, Pool, Resolved, Signature, access};
use crate::machine::Jvm;
use crate::native::Trap;

type Found<T> = Result<T, Box<Trap>>;

impl Jvm {
    /// The class at a pool index.
    pub fn resolve_class(&mut self, pool: &Pool, index: u16) -> Found<ClassId> {
        if let Resolved::Class(class) = pool.get(index) {
            return Ok(class);
        }
        let name = constants(pool)?.class(index).map_err(malformed)?.clone();
        let class = self.load(&name)?;
        pool.set(index, Resolved::Class(class));
        Ok(class)
    }

    /// The field at a pool index: `Resolved::Field` or `Resolved::Static`.
    pub fn resolve_field(&mut self, pool: &Pool, index: u16) -> Found<Resolved> {
        let known = pool.get(index);
        if known != Resolved::Not {
            return Ok(known);
        }
        let member = constants(pool)?.member(index).map_err(malformed)?;
        let class = self.load(&member.class)?;
        let Some(field) = self.find_field(class, &member.name, &member.descriptor) else {
            return Err(Trap::throw("java/lang/NoSuchFieldError", member.name.to_string()).into());
        };
        let meaning = if field.access & access::STATIC != 0 {
            Resolved::Static { class: field.owner, slot: field.slot, kind: field.kind }
        } else {
            Resolved::Field { slot: field.slot, kind: field.kind }
        };
        pool.set(index, meaning);
        Ok(meaning)
    }

    /// A field by name and descriptor: in the class, its interfaces, its superclass (JVMS 5.4.3.2).
    pub fn find_field(&self, class: ClassId, name: &str, descriptor: &str) -> Option<FieldInfo> {
        let found = |field: &&FieldInfo| &*field.name == name && &*field.descriptor == descriptor;
        let here = self.class(class);
        let declared = here.instance_fields.iter().rev().filter(|field| field.owner == class).find(found);
        if let Some(field) = declared.or_else(|| here.static_fields.iter().find(found)) {
            return Some(field.clone());
        }
        let parents = here.interfaces.iter().chain(here.superclass.as_ref());
        parents.copied().find_map(|parent| self.find_field(parent, name, descriptor))
    }

    /// The method at a pool index, as `Resolved::Method`.
    pub fn resolve_method(&mut self, pool: &Pool, index: u16) -> Found<Resolved> {
        let known = pool.get(index);
        if known != Resolved::Not {
            return Ok(known);
        }
        let member = constants(pool)?.member(index).map_err(malformed)?;
        let method = self.resolve_member(&member)?;
        let method = self.method(method);
        let meaning = Resolved::Method {
            method: method.id,
            slots: method.argument_slots,
            index: method.vtable_index.unwrap_or(u32::MAX),
        };
        pool.set(index, meaning);
        Ok(meaning)
    }

    /// The method that a symbolic reference names.
    pub fn resolve_member(&mut self, member: &Member) -> Found<MethodId> {
        let class = self.load(&member.class)?;
        if self.class(class).is_interface() != member.is_interface() {
            let text = format!(
                "Found {} {}, but {} was expected",
                if member.is_interface() { "class" } else { "interface" },
                member.class.replace('/', "."),
                if member.is_interface() { "interface" } else { "class" }
            );
            return Err(Trap::throw("java/lang/IncompatibleClassChangeError", text).into());
        }
        match self.find_method(class, &member.name, &member.descriptor) {
            Some(method) => Ok(method),
            None => {
                // A method whose type is that of each call: it is made for this one (JVMS 2.9.3).
                if let Some(function) = crate::natives::polymorphic(&member.class, &member.name) {
                    let class = self.class(class).clone();
                    return Ok(self.add_polymorphic(&class, &member.name, &member.descriptor, function)?);
                }
                let text = format!("{}.{}{}", member.class.replace('/', "."), member.name, member.descriptor);
                Err(Trap::throw("java/lang/NoSuchMethodError", text).into())
            }
        }
    }

    /// A method by name and descriptor: in the class, its superclasses, its superinterfaces (JVMS 5.4.3.3).
    pub fn find_method(&mut self, class: ClassId, name: &str, descriptor: &str) -> Option<MethodId> {
        let signature = self.signature(&name.into(), &descriptor.into());
        self.in_superclasses(class, signature).or_else(|| {
            let default = self.most_specific(class, signature);
            default.ok().flatten().or_else(|| self.in_interfaces(class, signature))
        })
    }

    fn in_superclasses(&self, class: ClassId, signature: Signature) -> Option<MethodId> {
        let mut here = Some(class);
        while let Some(class) = here {
            let class = self.class(class);
            if let Some(method) = class.by_signature.get(&signature) {
                return Some(*method);
            }
            here = class.superclass;
        }
        None
    }

    // Any method of a superinterface that is neither private nor static.
    fn in_interfaces(&self, class: ClassId, signature: Signature) -> Option<MethodId> {
        let all = self.class(class).ancestors.iter();
        all.filter_map(|ancestor| self.class(*ancestor).by_signature.get(&signature).copied())
            .find(|method| self.method(*method).access & (access::PRIVATE | access::STATIC) == 0)
    }

    // The one default method that no other default overrides; an error if there are several.
    fn most_specific(&self, class: ClassId, signature: Signature) -> Result<Option<MethodId>, ()> {
        let mut found: Vec<&Rc<Method>> = Vec::new();
        for ancestor in self.class(class).ancestors.iter() {
            let ancestor = self.class(*ancestor);
            if let Some(method) = ancestor.by_signature.get(&signature).filter(|_| ancestor.is_interface()) {
                let method = self.method(*method);
                if method.access & (access::PRIVATE | access::STATIC) == 0 {
                    found.push(method);
                }
            }
        }
        let overridden = |method: &Rc<Method>| {
            found.iter().any(|other| {
                other.class != method.class && self.class(other.class).is_assignable_to(method.class)
            })
        };
        let specific: Vec<_> = found.iter().filter(|method| !overridden(method)).collect();
        let mut concrete = specific.iter().filter(|method| !matches!(method.body, MethodBody::Abstract));
        match (concrete.next(), concrete.next()) {
            (Some(_), Some(_)) => Err(()),
            (one, _) => Ok(one.map(|method| method.id)),
        }
    }

    /// The method that runs when `method` is called on an object of `class` (JVMS 5.4.6).
    pub fn select(&mut self, class: ClassId, method: MethodId) -> Found<MethodId> {
        if let Some(selected) = self.selected.get(&(class, method)) {
            return Ok(*selected);
        }
        let declared = self.method(method).clone();
        let selected = if declared.access & access::PRIVATE != 0 {
            method
        } else if let Some(place) = declared.vtable_index {
            match self.class(class).vtable.get(place as usize) {
                Some(found) => *found,
                None => return Err(self.incompatible(class, &declared)),
            }
        } else {
            self.select_from_interface(class, &declared)?
        };
        if matches!(self.method(selected).body, MethodBody::Abstract) {
            return Err(self.abstract_method(class, &declared));
        }
        self.selected.insert((class, method), selected);
        Ok(selected)
    }

    fn select_from_interface(&self, class: ClassId, declared: &Rc<Method>) -> Found<MethodId> {
        if !self.class(class).is_assignable_to(declared.class) && !self.class(declared.class).is_interface() {
            return Err(self.incompatible(class, declared));
        }
        let place = self.class(class).vtable_places.get(&declared.signature);
        if let Some(place) = place {
            let found = self.class(class).vtable[*place as usize];
            if !matches!(self.method(found).body, MethodBody::Abstract) {
                return Ok(found);
            }
            return Err(self.abstract_method(class, declared));
        }
        match self.most_specific(class, declared.signature) {
            Ok(Some(method)) => Ok(method),
            Ok(None) => Err(self.abstract_method(class, declared)),
            Err(()) => Err(self.incompatible(class, declared)),
        }
    }

    fn abstract_method(&self, class: ClassId, declared: &Method) -> Box<Trap> {
        let text = format!(
            "Receiver class {} does not define or inherit an implementation of the resolved method '{}'.",
            self.class(class).java_name(),
            declared.full_name()
        );
        Trap::throw("java/lang/AbstractMethodError", text).into()
    }

    fn incompatible(&self, class: ClassId, declared: &Method) -> Box<Trap> {
        let text = format!(
            "Class {} does not implement the requested interface {}",
            self.class(class).java_name(),
            declared.class_name.replace('/', ".")
        );
        Trap::throw("java/lang/IncompatibleClassChangeError", text).into()
    }
}

/// The entries of a pool; synthetic classes have none.
pub(crate) fn constants(pool: &Pool) -> Found<&ConstantPool> {
    match &pool.file {
        Some(file) => Ok(&file.pool),
        None => Err(Trap::unsupported("a constant of a synthetic class", "").into()),
    }
}

/// The trap for a malformed class file.
pub(crate) fn malformed(error: evergreen_classfile::ReadError) -> Box<Trap> {
    Trap::throw("java/lang/ClassFormatError", error.to_string()).into()
}
