//! From a class file to a class: superclasses first, then fields, methods and the table of virtual methods.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use evergreen_classfile::{ClassFile, Code, MethodDescriptor, Origin, Type};
use rustc_hash::FxHashMap;

use super::{Class, ClassId, Method, MethodBody, MethodId, Pool, Resolved, Shape, Signature, access};
use crate::machine::Jvm;
use crate::native::{NativeFn, Trap};
use crate::value::Kind;
use crate::verify::verify;

impl Jvm {
    /// Links a class that was just read.
    pub(crate) fn link(&mut self, mut file: ClassFile, origin: &Origin) -> Result<ClassId, Trap> {
        let superclass = match &file.super_name {
            Some(name) => Some(self.load(name)?),
            None => None,
        };
        let interfaces =
            file.interfaces.clone().iter().map(|name| self.load(name)).collect::<Result<Vec<_>, _>>()?;
        self.check_parents(&file.name, superclass, &interfaces)?;
        if let Origin::Path(_) = origin {
            verify_all(&file)?;
        }
        let codes: Vec<Option<Rc<Code>>> =
            file.methods.iter_mut().map(|method| method.code.take().map(Rc::new)).collect();
        let file = Rc::new(file);
        let id = self.next_class();
        let resolved = (0..file.pool.len()).map(|_| Cell::new(Resolved::Not)).collect();
        let pool = Rc::new(Pool { file: Some(file.clone()), resolved });
        let (instance_fields, static_fields) = self.lay_out(id, superclass, &file);
        let mut class = Class {
            name: file.name.clone(),
            access: file.access,
            superclass,
            ancestors: self.ancestors(id, superclass, &interfaces),
            interfaces,
            blank: Jvm::blank_fields(&instance_fields),
            instance_fields,
            static_fields,
            shape: Shape::Instance,
            user: matches!(origin, Origin::Path(_)),
            module: match origin {
                Origin::Jdk(module) => Some(module.clone()),
                Origin::Path(_) => None,
            },
            pool,
            ..Class::blank(id)
        };
        if let Some(superclass) = superclass.filter(|_| !class.is_interface()) {
            class.vtable = self.class(superclass).vtable.clone();
            class.vtable_places = self.class(superclass).vtable_places.clone();
        }
        let natives = self.natives.get(&*class.name).cloned();
        let skips_initializer = crate::natives::WITHOUT_INITIALIZER.contains(&&*class.name);
        for (method, code) in file.methods.iter().zip(codes) {
            if skips_initializer && &*method.name == "<clinit>" {
                continue;
            }
            let native = natives.as_ref().and_then(|table| table.find(&method.name, &method.descriptor));
            // An intercepted method's own code stays callable: as a hidden method of the same name
            // that resolution never finds.
            let own = match (&native, &code) {
                (Some(_), Some(code)) => {
                    let body = MethodBody::Code(code.clone());
                    let flags = method.access;
                    Some(self.add_hidden(&class, &method.name, &method.descriptor, flags, body)?)
                }
                _ => None,
            };
            let is_bare = code.is_none() && !class.user;
            let native = native.or_else(|| registration(is_bare, &method.name, &method.descriptor));
            let body = body(method.access, code, native);
            let data = own.map_or(0, |own| own.0 + 1);
            self.add_method(&mut class, &method.name, &method.descriptor, method.access, body, data)?;
        }
        Ok(self.add_class(class))
    }

    fn check_parents(
        &self,
        name: &str,
        superclass: Option<ClassId>,
        interfaces: &[ClassId],
    ) -> Result<(), Trap> {
        let wrong = |text: String| Err(Trap::throw("java/lang/IncompatibleClassChangeError", text));
        match superclass {
            None if name != "java/lang/Object" => {
                return Err(Trap::throw("java/lang/ClassFormatError", format!("{name} has no superclass")));
            }
            Some(superclass) if self.class(superclass).is_interface() => {
                let superclass = self.class(superclass).java_name();
                return wrong(format!(
                    "class {} has interface {superclass} as super class",
                    name.replace('/', ".")
                ));
            }
            _ => {}
        }
        match interfaces.iter().find(|interface| !self.class(**interface).is_interface()) {
            Some(class) => {
                let class = self.class(*class).java_name();
                wrong(format!(
                    "class {} can not implement {class}, because it is not an interface",
                    name.replace('/', ".")
                ))
            }
            None => Ok(()),
        }
    }

    /// Adds a method to a class that is being made.
    pub(crate) fn add_method(
        &mut self,
        class: &mut Class,
        name: &Arc<str>,
        descriptor: &Arc<str>,
        flags: u16,
        body: MethodBody,
        data: u32,
    ) -> Result<MethodId, Trap> {
        let mut method = self.new_method(class, name, descriptor, flags, body)?;
        method.data = data;
        let (id, signature) = (method.id, method.signature);
        let virtual_method = !method.is_static() && flags & access::PRIVATE == 0 && !name.starts_with('<');
        if class.is_interface() {
            class.has_defaults |= !method.is_static() && flags & access::ABSTRACT == 0;
        } else if virtual_method {
            method.vtable_index = Some(self.place_in_vtable(class, &method));
        }
        if &**name == "<clinit>" {
            class.initializer = Some(id);
        }
        class.methods.push(id);
        class.by_signature.insert(signature, id);
        self.methods.push(Rc::new(method));
        Ok(id)
    }

    /// A method of `java.lang.invoke.VarHandle` with the type of one call.
    pub(crate) fn add_polymorphic(
        &mut self,
        class: &Class,
        name: &Arc<str>,
        descriptor: &Arc<str>,
        function: NativeFn,
    ) -> Result<MethodId, Trap> {
        self.add_hidden(
            class,
            name,
            descriptor,
            access::PRIVATE | access::NATIVE,
            MethodBody::Native(function),
        )
    }

    // A method that is in no table: a caller needs its number.
    fn add_hidden(
        &mut self,
        class: &Class,
        name: &Arc<str>,
        descriptor: &Arc<str>,
        flags: u16,
        body: MethodBody,
    ) -> Result<MethodId, Trap> {
        let method = self.new_method(class, name, descriptor, flags, body)?;
        let id = method.id;
        self.methods.push(Rc::new(method));
        Ok(id)
    }

    fn new_method(
        &mut self,
        class: &Class,
        name: &Arc<str>,
        descriptor: &Arc<str>,
        flags: u16,
        body: MethodBody,
    ) -> Result<Method, Trap> {
        let parsed = MethodDescriptor::parse(descriptor)
            .map_err(|_| Trap::throw("java/lang/ClassFormatError", descriptor.to_string()))?;
        let receiver = (flags & access::STATIC == 0).then_some(Kind::Reference);
        let arguments: Box<[Kind]> =
            receiver.into_iter().chain(parsed.parameters.iter().map(kind_of)).collect();
        Ok(Method {
            id: MethodId(self.methods.len() as u32),
            class: class.id,
            class_name: class.name.clone(),
            name: name.clone(),
            descriptor: descriptor.clone(),
            signature: self.signature(name, descriptor),
            access: flags,
            argument_slots: arguments.iter().map(|kind| 1 + u16::from(kind.is_wide())).sum(),
            arguments,
            result: parsed.result.as_ref().map(kind_of),
            body,
            vtable_index: None,
            data: 0,
            pool: class.pool.clone(),
            user: class.user,
        })
    }

    // The place of the method that it overrides, or a new one (JVMS 5.4.5).
    fn place_in_vtable(&self, class: &mut Class, method: &Method) -> u32 {
        if let Some(&place) = class.vtable_places.get(&method.signature) {
            let old = self.method(class.vtable[place as usize]);
            let visible = old.access & (access::PUBLIC | access::PROTECTED) != 0
                || self.class(old.class).package() == class.package();
            if visible {
                class.vtable[place as usize] = method.id;
                return place;
            }
        }
        let place = class.vtable.len() as u32;
        class.vtable.push(method.id);
        class.vtable_places.insert(method.signature, place);
        place
    }

    fn ancestors(&self, id: ClassId, superclass: Option<ClassId>, interfaces: &[ClassId]) -> Box<[ClassId]> {
        let mut all = vec![id];
        for parent in superclass.iter().chain(interfaces) {
            all.extend_from_slice(&self.class(*parent).ancestors);
        }
        all.sort_unstable();
        all.dedup();
        all.into()
    }

    /// The number of a name and descriptor.
    pub fn signature(&mut self, name: &Arc<str>, descriptor: &Arc<str>) -> Signature {
        let next = Signature(self.signatures.len() as u32);
        *self.signatures.entry((name.clone(), descriptor.clone())).or_insert(next)
    }

    /// Makes a class that no file has: its fields are given by name and descriptor, its methods are natives.
    pub fn define(&mut self, new: NewClass) -> Result<ClassId, Trap> {
        let superclass = self.class(new.superclass).clone();
        let id = self.next_class();
        let mut fields = superclass.instance_fields.clone();
        for (name, descriptor) in &new.fields {
            fields.push(super::FieldInfo {
                name: name.clone(),
                descriptor: descriptor.clone(),
                access: access::PRIVATE | access::FINAL,
                owner: id,
                slot: fields.len() as u32,
                kind: Kind::of_descriptor(descriptor).unwrap_or(Kind::Int),
            });
        }
        let mut class = Class {
            name: new.name,
            access: access::FINAL | access::SYNTHETIC,
            superclass: Some(new.superclass),
            ancestors: self.ancestors(id, Some(new.superclass), &new.interfaces),
            interfaces: new.interfaces,
            blank: Jvm::blank_fields(&fields),
            instance_fields: fields,
            vtable: superclass.vtable.clone(),
            vtable_places: superclass.vtable_places.clone(),
            user: new.user,
            ..Class::blank(id)
        };
        for (name, descriptor, function, data) in &new.methods {
            let body = MethodBody::Native(*function);
            self.add_method(&mut class, name, descriptor, access::PUBLIC, body, *data)?;
        }
        Ok(self.add_class(class))
    }
}

// The user's code is checked; the JDK's is trusted.
fn verify_all(file: &ClassFile) -> Result<(), Trap> {
    for method in &file.methods {
        if let Some(code) = &method.code {
            verify(file, code, &method.descriptor, method.access & access::STATIC != 0).map_err(|wrong| {
                let text = format!("{}.{}{}: {wrong}", file.name, method.name, method.descriptor);
                Trap::throw("java/lang/VerifyError", text)
            })?;
        }
    }
    Ok(())
}

/// A class that no file has.
#[derive(Clone, Debug)]
pub struct NewClass {
    /// Internal name; must be new.
    pub name: Arc<str>,
    /// The superclass.
    pub superclass: ClassId,
    /// The interfaces.
    pub interfaces: Vec<ClassId>,
    /// Instance fields: name and descriptor. Their slots follow those of the superclass, in this order.
    pub fields: Vec<(Arc<str>, Arc<str>)>,
    /// Public instance methods: name, descriptor, function and [`Method::data`].
    pub methods: Vec<(Arc<str>, Arc<str>, NativeFn, u32)>,
    /// Whether it belongs to the user's program.
    pub user: bool,
}

/// The natives of one class.
#[derive(Clone, Default, Debug)]
pub struct Natives {
    by_signature: FxHashMap<String, NativeFn>,
}

impl Natives {
    /// Adds a method by name and descriptor: `hashCode()I`; without descriptor, all methods of the name.
    pub fn add(&mut self, signature: &str, function: NativeFn) {
        self.by_signature.insert(signature.to_owned(), function);
    }

    fn find(&self, name: &str, descriptor: &str) -> Option<NativeFn> {
        let exact = self.by_signature.get(&format!("{name}{descriptor}"));
        exact.or_else(|| self.by_signature.get(name)).copied()
    }
}

/// Natives of the JDK that only prepare others have nothing to do.
fn registration(is_bare: bool, name: &str, descriptor: &str) -> Option<NativeFn> {
    let prepares = matches!(name, "initIDs" | "registerNatives" | "initNative");
    (is_bare && prepares && descriptor == "()V").then_some(crate::natives::nothing as NativeFn)
}

fn body(flags: u16, code: Option<Rc<Code>>, native: Option<NativeFn>) -> MethodBody {
    match (native, code) {
        (Some(native), _) => MethodBody::Native(native),
        (None, Some(code)) => MethodBody::Code(code),
        (None, None) if flags & access::NATIVE != 0 => MethodBody::Missing,
        (None, None) => MethodBody::Abstract,
    }
}

/// How values of a type are stored.
pub fn kind_of(parsed: &Type) -> Kind {
    match parsed {
        Type::Boolean => Kind::Boolean,
        Type::Byte => Kind::Byte,
        Type::Char => Kind::Char,
        Type::Short => Kind::Short,
        Type::Int => Kind::Int,
        Type::Long => Kind::Long,
        Type::Float => Kind::Float,
        Type::Double => Kind::Double,
        Type::Class(_) | Type::Array(_) => Kind::Reference,
    }
}
