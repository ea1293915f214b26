//! The class loader of the program, as far as programs use it: to find resources of the class path.
//!
//! There is one object for it, which is compared with itself and asked for resources; all else that a class
//! loader does ends a path. The bytes of a resource are those of the class path at the time of the
//! exploration, as the bytes of its classes are.

use std::rc::Rc;

use super::Row;
use super::classes::token;
use crate::native::{Call, Done, Trap};
use crate::object::Body;
use crate::value::{Ref, Value};

const CLASS: &str = "java/lang/Class";
const LOADER: &str = "java/lang/ClassLoader";

/// Larger resources are not read.
const MOST: usize = 16 << 20;

pub(crate) const TABLE: &[Row] = &[
    (CLASS, "getResource", "*", |_| unsupported("a resource")),
    (CLASS, "getResourceAsStream", "*", of_class),
    (LOADER, "getResourceAsStream", "*", of_loader),
    (LOADER, "getResource", "*", others),
    (LOADER, "getResources", "*", others),
    (LOADER, "resources", "*", others),
    (LOADER, "loadClass", "*", others),
    (LOADER, "getParent", "*", others),
    (LOADER, "getName", "*", others),
    (LOADER, "getUnnamedModule", "*", others),
    (LOADER, "getDefinedPackage", "*", others),
    (LOADER, "getDefinedPackages", "*", others),
    (LOADER, "setDefaultAssertionStatus", "*", others),
    (LOADER, "setPackageAssertionStatus", "*", others),
    (LOADER, "setClassAssertionStatus", "*", others),
    (LOADER, "clearAssertionStatus", "*", others),
];

fn unsupported(what: &str) -> Result<Done, Trap> {
    Err(Trap::unsupported(what, "classes are not loaded by loaders of modules here; avoid it"))
}

/// The class loader of all classes of the program.
pub(super) fn loader(call: &mut Call) -> Result<Done, Trap> {
    token(call, "loader", LOADER)
}

fn is_the_loader(call: &Call) -> bool {
    call.args.first().is_some_and(|loader| call.state.slot("loader") == Some(*loader))
}

/// A class loader that the program makes runs its own code.
fn others(call: &mut Call) -> Result<Done, Trap> {
    match is_the_loader(call) {
        true => unsupported(&format!("ClassLoader.{}", call.method.name)),
        false => call.interpret(),
    }
}

fn of_loader(call: &mut Call) -> Result<Done, Trap> {
    if !is_the_loader(call) {
        return call.interpret();
    }
    call.object(1)?;
    let name = String::from_utf16_lossy(&call.text_argument(1)?);
    stream(call, &name)
}

/// The name is relative to the package of the class, unless it begins with a slash.
fn of_class(call: &mut Call) -> Result<Done, Trap> {
    let class = call.mirrored(0)?;
    call.object(1)?;
    let name = String::from_utf16_lossy(&call.text_argument(1)?);
    let class = call.class(class);
    if !class.user || class.is_array() {
        return unsupported("a resource of the JDK");
    }
    let name = match (name.strip_prefix('/'), class.package()) {
        (Some(name), _) => name.to_string(),
        (None, "") => name,
        (None, package) => format!("{package}/{name}"),
    };
    stream(call, &name)
}

/// A stream of the bytes of a resource, or null.
fn stream(call: &mut Call, name: &str) -> Result<Done, Trap> {
    // The JDK is asked first: it has classes, and resources that programs do not see.
    let is_of_jdk = ["java/", "javax/", "jdk/", "sun/", "META-INF/"].iter().any(|own| name.starts_with(own));
    if is_of_jdk || name.ends_with(".class") || name.is_empty() {
        return unsupported("a resource of the JDK, or a class file");
    }
    let found = call.jvm.class_path.resource(name, MOST);
    let Ok(found) = found else { return unsupported("a resource that cannot be read") };
    let Some(bytes) = found else { return Ok(Done::Value(Value::Null)) };
    let bytes: Rc<[i8]> = bytes.into_iter().map(|byte| byte as i8).collect();
    let of_bytes = call.class_named("[B")?;
    let array = call.state.heap.new_object(of_bytes, Body::Bytes(bytes));
    let class = call.class_named("java/io/ByteArrayInputStream")?;
    call.init(class)?;
    let method = call.method_named(class, "<init>", "([B)V")?;
    let stream: Ref = call.blank(class);
    let args = vec![Value::Ref(stream), Value::Ref(array)];
    let then = |call: &mut Call, _: Option<Value>| Ok(Done::Value(call.args[0]));
    Ok(Done::Call { method, args, then, saved: vec![Value::Ref(stream)] })
}
