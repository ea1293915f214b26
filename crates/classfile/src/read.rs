//! Reads a class file [JVMS 4]: one pass, in the file's order; the bootstrap methods come last
//! and are read by themselves.

use crate::annotation::{Annotation, ElementValue, read_annotations, read_value};
use crate::bytes::{Cursor, ReadError};
use crate::class::*;
use crate::code::{Code, read_code};
use crate::pool::{Constant, ConstantPool, Entry};
use std::sync::Arc;

/// The newest version understood: Java 25.
const NEWEST: u16 = 69;

/// Reads the bytes of a class file.
///
/// # Errors
/// The first error, with its place. Structure is checked (every index, offset and length); whether the
/// code is type-correct is not.
pub fn read(bytes: &[u8]) -> Result<ClassFile, ReadError> {
    read_with(bytes, Bodies::Decoded)
}

/// Like [`read`], but leaves the code of methods where it is: [`Method::code`] stays `None`, [`Method::body`]
/// says where it stands, and [`ClassFile::decode`] reads it when it is wanted.
///
/// A run executes few of the methods of the classes it loads: this takes less than half of the time.
pub fn read_outline(bytes: &[u8]) -> Result<ClassFile, ReadError> {
    read_with(bytes, Bodies::Left)
}

impl ClassFile {
    /// Decodes the code of one method of this class; `bytes` are what the class was read from.
    pub fn decode(&self, bytes: &[u8], body: Body) -> Result<Code, ReadError> {
        let mut from = Cursor::new(bytes);
        from.take(body.offset as usize)?;
        let mut from = from.part(body.size as usize)?;
        let code = read_code(&mut from, &self.pool, is_old(self.version))?;
        from.done("the code")?;
        Ok(code)
    }
}

/// Whether methods are decoded at once.
#[derive(Clone, Copy, PartialEq)]
enum Bodies {
    Decoded,
    Left,
}

/// Whether the `Code` attribute is the narrow one of the first class files.
fn is_old(version: (u16, u16)) -> bool {
    version < (45, 3)
}

fn read_with(bytes: &[u8], bodies: Bodies) -> Result<ClassFile, ReadError> {
    if u32::try_from(bytes.len()).is_err() {
        return Err(ReadError::new("longer than any class file can be"));
    }
    let mut from = Cursor::new(bytes);
    if from.u32()? != 0xCAFE_BABE {
        return Err(ReadError::at(0, "not a class file: it does not begin with CAFEBABE"));
    }
    let minor = from.u16()?;
    let major = from.u16()?;
    if !(45..=NEWEST).contains(&major) {
        let what =
            format!("class file version {major}.{minor} is not supported; 45 to {NEWEST} (Java 25) are");
        return Err(ReadError::at(4, what));
    }
    let pool = ConstantPool::read(&mut from)?;
    let mut reader = Reader { from, pool: &pool, old: is_old((major, minor)), bodies };
    let mut class = reader.class((major, minor))?;
    reader.from.done("the class file")?;
    class.pool = pool;
    Ok(class)
}

struct Reader<'a, 'p> {
    from: Cursor<'a>,
    pool: &'p ConstantPool,
    old: bool,
    bodies: Bodies,
}

/// Attributes that fields, methods, classes and record components share.
#[derive(Default)]
struct Common {
    signature: Option<Arc<str>>,
    annotations: Vec<Annotation>,
}

/// Whether the JVM accepts a name of a field, or a part of a name of a class (JVMS 4.2). With these letters
/// names would be ambiguous in descriptors; and a name with a dot in it could lead out of a folder.
fn is_unqualified(name: &str) -> bool {
    !name.is_empty() && !name.contains(['.', ';', '[', '/'])
}

impl<'a> Reader<'a, '_> {
    /// Reads an index and the entry that it refers to; zero is `None`.
    fn maybe<T>(
        &mut self,
        get: impl Fn(&ConstantPool, u16) -> Result<T, ReadError>,
    ) -> Result<Option<T>, ReadError> {
        let place = self.from.offset();
        match self.from.u16()? {
            0 => Ok(None),
            index => get(self.pool, index).map(Some).map_err(|e| e.or_at(place)),
        }
    }

    fn maybe_class(&mut self) -> Result<Option<Arc<str>>, ReadError> {
        self.maybe(|pool, index| pool.class(index).cloned())
    }

    fn maybe_text(&mut self) -> Result<Option<Arc<str>>, ReadError> {
        self.maybe(|pool, index| pool.utf8(index).cloned())
    }

    fn class_name(&mut self) -> Result<Arc<str>, ReadError> {
        let place = self.from.offset();
        self.maybe_class()?.ok_or_else(|| ReadError::at(place, "a class is missing"))
    }

    fn text(&mut self) -> Result<Arc<str>, ReadError> {
        let place = self.from.offset();
        self.maybe_text()?.ok_or_else(|| ReadError::at(place, "a text is missing"))
    }

    fn class_names(&mut self) -> Result<Vec<Arc<str>>, ReadError> {
        (0..self.from.u16()?).map(|_| self.class_name()).collect()
    }

    /// Calls `each` with every attribute's name and a reader of its body.
    fn attributes(
        &mut self,
        mut each: impl FnMut(&str, &mut Reader<'a, '_>) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        for _ in 0..self.from.u16()? {
            let name = self.text()?;
            let size = self.from.u32()?;
            let from = self.from.part(size as usize)?;
            each(&name, &mut Reader { from, pool: self.pool, old: self.old, bodies: self.bodies })?;
        }
        Ok(())
    }

    fn common(&mut self, name: &str, common: &mut Common) -> Result<(), ReadError> {
        match name {
            "Signature" => common.signature = Some(self.text()?),
            "RuntimeVisibleAnnotations" => common.annotations = read_annotations(&mut self.from, self.pool)?,
            _ => {}
        }
        Ok(())
    }

    fn class(&mut self, version: (u16, u16)) -> Result<ClassFile, ReadError> {
        let access = self.from.u16()?;
        let place = self.from.offset();
        let name = self.class_name()?;
        if !name.split('/').all(is_unqualified) {
            return Err(ReadError::at(place, format!("{name:?} is no name of a class")));
        }
        let super_name = self.maybe_class()?;
        let interfaces = self.class_names()?;
        let fields = (0..self.from.u16()?).map(|_| self.field()).collect::<Result<_, _>>()?;
        let methods = (0..self.from.u16()?).map(|_| self.method()).collect::<Result<_, _>>()?;
        let mut class = ClassFile {
            version,
            access,
            name,
            super_name,
            interfaces,
            fields,
            methods,
            pool: ConstantPool::default(),
            bootstrap: Vec::new(),
            source_file: None,
            nest_host: None,
            nest_members: Vec::new(),
            inner_classes: Vec::new(),
            enclosing_method: None,
            record: None,
            permitted: Vec::new(),
            signature: None,
            annotations: Vec::new(),
            invisible: Vec::new(),
        };
        self.class_attributes(&mut class)?;
        self.check_dynamic(class.bootstrap.len())?;
        Ok(class)
    }

    fn class_attributes(&mut self, class: &mut ClassFile) -> Result<(), ReadError> {
        let mut common = Common::default();
        self.attributes(|name, body| {
            match name {
                "SourceFile" => class.source_file = Some(body.text()?),
                "NestHost" => class.nest_host = Some(body.class_name()?),
                "NestMembers" => class.nest_members = body.class_names()?,
                "PermittedSubclasses" => class.permitted = body.class_names()?,
                "BootstrapMethods" => class.bootstrap = body.bootstrap_methods()?,
                "InnerClasses" => class.inner_classes = body.inner_classes()?,
                "EnclosingMethod" => class.enclosing_method = Some(body.enclosing_method()?),
                "Record" => class.record = Some(body.record()?),
                // The JVM does not look at these, so nothing in them is an error.
                "RuntimeInvisibleAnnotations" => {
                    class.invisible = read_annotations(&mut body.from, body.pool).unwrap_or_default();
                }
                _ => body.common(name, &mut common)?,
            }
            Ok(())
        })?;
        class.signature = common.signature;
        class.annotations = common.annotations;
        Ok(())
    }

    /// Every dynamic constant and call site has its bootstrap method.
    fn check_dynamic(&self, bootstraps: usize) -> Result<(), ReadError> {
        for (index, entry) in self.pool.entries().iter().enumerate() {
            if let Entry::Dynamic(bootstrap, _) | Entry::InvokeDynamic(bootstrap, _) = entry
                && usize::from(*bootstrap) >= bootstraps
            {
                let what = format!("pool entry {index} wants bootstrap method {bootstrap} of {bootstraps}");
                return Err(ReadError::new(what));
            }
        }
        Ok(())
    }

    fn field(&mut self) -> Result<Field, ReadError> {
        let place = self.from.offset();
        let (access, name, descriptor) = (self.from.u16()?, self.text()?, self.text()?);
        if !is_unqualified(&name) {
            return Err(ReadError::at(place, format!("{name:?} is no name of a field")));
        }
        let mut common = Common::default();
        let mut constant = None;
        self.attributes(|name, body| match name {
            "ConstantValue" => {
                constant = body.maybe(ConstantPool::constant)?;
                Ok(())
            }
            _ => body.common(name, &mut common),
        })?;
        let Common { signature, annotations } = common;
        Ok(Field { access, name, descriptor, constant, signature, annotations })
    }

    fn method(&mut self) -> Result<Method, ReadError> {
        let place = self.from.offset();
        let (access, name, descriptor) = (self.from.u16()?, self.text()?, self.text()?);
        let is_special = matches!(&*name, "<init>" | "<clinit>");
        if !is_special && (!is_unqualified(&name) || name.contains(['<', '>'])) {
            return Err(ReadError::at(place, format!("{name:?} is no name of a method")));
        }
        let mut common = Common::default();
        let mut code: Option<Code> = None;
        let mut place_of_code = None;
        let mut exceptions = Vec::new();
        let mut parameters = Vec::new();
        let mut parameter_annotations = Vec::new();
        let mut annotation_default: Option<ElementValue> = None;
        self.attributes(|name, body| {
            match name {
                "Code" => {
                    let (offset, size) = (body.from.offset() as u32, body.from.left() as u32);
                    place_of_code = Some(Body { offset, size });
                    if body.bodies == Bodies::Decoded {
                        code = Some(read_code(&mut body.from, body.pool, body.old)?);
                        body.from.done("the code")?;
                    }
                }
                "Exceptions" => exceptions = body.class_names()?,
                "MethodParameters" => parameters = body.parameters()?,
                "RuntimeVisibleParameterAnnotations" => {
                    let count = body.from.u8()?;
                    let lists = (0..count).map(|_| read_annotations(&mut body.from, body.pool));
                    parameter_annotations = lists.collect::<Result<_, _>>()?;
                }
                "AnnotationDefault" => annotation_default = Some(read_value(&mut body.from, body.pool, 0)?),
                _ => body.common(name, &mut common)?,
            }
            Ok(())
        })?;
        if place_of_code.is_none() && access & (access::NATIVE | access::ABSTRACT) == 0 {
            return Err(ReadError::at(place, format!("method '{name}{descriptor}' has no code")));
        }
        let Common { signature, annotations } = common;
        Ok(Method {
            access,
            name,
            descriptor,
            code,
            body: place_of_code,
            exceptions,
            parameters,
            signature,
            annotations,
            parameter_annotations,
            annotation_default,
        })
    }

    fn parameters(&mut self) -> Result<Vec<MethodParameter>, ReadError> {
        let count = self.from.u8()?;
        (0..count)
            .map(|_| Ok(MethodParameter { name: self.maybe_text()?, access: self.from.u16()? }))
            .collect()
    }

    fn bootstrap_methods(&mut self) -> Result<Vec<Bootstrap>, ReadError> {
        let count = self.from.u16()?;
        (0..count)
            .map(|_| {
                let place = self.from.offset();
                let method = self.loadable()?;
                if !matches!(method, Constant::MethodHandle { .. }) {
                    return Err(ReadError::at(place, "a bootstrap method is no method handle"));
                }
                let arguments = self.from.u16()?;
                let arguments = (0..arguments).map(|_| self.loadable()).collect::<Result<_, _>>()?;
                Ok(Bootstrap { method, arguments })
            })
            .collect()
    }

    fn loadable(&mut self) -> Result<Constant, ReadError> {
        let place = self.from.offset();
        let index = self.from.u16()?;
        self.pool.constant(index).map_err(|e| e.or_at(place))
    }

    fn inner_classes(&mut self) -> Result<Vec<InnerClass>, ReadError> {
        let count = self.from.u16()?;
        (0..count)
            .map(|_| {
                Ok(InnerClass {
                    inner: self.class_name()?,
                    outer: self.maybe_class()?,
                    name: self.maybe_text()?,
                    access: self.from.u16()?,
                })
            })
            .collect()
    }

    fn enclosing_method(&mut self) -> Result<EnclosingMethod, ReadError> {
        let class = self.class_name()?;
        let method =
            self.maybe(|pool, index| pool.name_and_type(index).map(|(n, d)| (n.clone(), d.clone())))?;
        Ok(EnclosingMethod { class, method })
    }

    fn record(&mut self) -> Result<Vec<RecordComponent>, ReadError> {
        let count = self.from.u16()?;
        (0..count)
            .map(|_| {
                let (name, descriptor) = (self.text()?, self.text()?);
                let mut common = Common::default();
                self.attributes(|name, body| body.common(name, &mut common))?;
                Ok(RecordComponent { name, descriptor, signature: common.signature })
            })
            .collect()
    }
}
