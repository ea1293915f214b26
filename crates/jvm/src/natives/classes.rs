//! `java.lang.Class`: names, kinds and relations of classes, and as much of reflection as
//! the JDK's own classes use.

use evergreen_classfile::InnerClass;

use super::Row;
use super::objects::{no, nothing};
use crate::classes::{Class, ClassId, Shape, access};
use crate::native::{Call, Done, Trap};
use crate::value::{Kind, Value};

const CLASS: &str = "java/lang/Class";

pub(crate) const TABLE: &[Row] = &[
    (CLASS, "registerNatives", "()V", nothing),
    (CLASS, "desiredAssertionStatus", "()Z", assertions),
    (CLASS, "getPrimitiveClass", "*", primitive),
    (CLASS, "isInstance", "*", is_instance),
    (CLASS, "isAssignableFrom", "*", is_assignable),
    (CLASS, "isInterface", "()Z", |c| test(c, Class::is_interface)),
    (CLASS, "isArray", "()Z", |c| test(c, Class::is_array)),
    (CLASS, "isPrimitive", "()Z", |c| test(c, |class| matches!(class.shape, Shape::Primitive(_)))),
    (CLASS, "isRecord", "()Z", |c| {
        test(c, |class| class.pool.file.as_ref().is_some_and(|f| f.record.is_some()))
    }),
    (CLASS, "isHidden", "()Z", no),
    (CLASS, "isAnonymousClass", "()Z", |c| test(c, |class| inner(class).is_some_and(|i| i.name.is_none()))),
    (CLASS, "isMemberClass", "()Z", |c| test(c, |class| inner(class).is_some_and(|i| i.outer.is_some()))),
    (CLASS, "isLocalClass", "()Z", |c| {
        test(c, |class| inner(class).is_some_and(|i| i.outer.is_none() && i.name.is_some()))
    }),
    (CLASS, "getName", "()Ljava/lang/String;", name),
    (CLASS, "initClassName", "()Ljava/lang/String;", name),
    (CLASS, "getSimpleName", "()Ljava/lang/String;", simple_name),
    (CLASS, "getSuperclass", "()Ljava/lang/Class;", superclass),
    (CLASS, "getComponentType", "()Ljava/lang/Class;", component),
    (CLASS, "componentType", "()Ljava/lang/Class;", component),
    (CLASS, "elementType", "()Ljava/lang/Class;", component),
    (CLASS, "getInterfaces", "()[Ljava/lang/Class;", interfaces),
    (CLASS, "getInterfaces", "(Z)[Ljava/lang/Class;", interfaces),
    (CLASS, "getModifiers", "()I", modifiers),
    (CLASS, "getClassAccessFlagsRaw", "()I", modifiers),
    (CLASS, "getClassLoader", "*", loader),
    (CLASS, "getClassLoader0", "*", loader),
    (CLASS, "getModule", "*", module),
    (CLASS, "getProtectionDomain", "*", |_| unsupported("Class.getProtectionDomain")),
    (CLASS, "getPackage", "*", |_| unsupported("Class.getPackage")),
    (CLASS, "getEnumConstantsShared", "*", enum_constants),
    (CLASS, "forName", "(Ljava/lang/String;)Ljava/lang/Class;", for_name),
    (CLASS, "forName", "(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;", for_name),
    (CLASS, "getCanonicalName", "()Ljava/lang/String;", canonical_name),
    (CLASS, "getDeclaredField", "*", declared_field),
    ("java/util/EnumMap", "getKeyUniverse", "*", enum_constants),
    ("java/util/EnumSet", "getUniverse", "*", enum_constants),
    ("java/lang/reflect/AccessibleObject", "checkCanSetAccessible", "*", accessible),
];

fn unsupported(what: &str) -> Result<Done, Trap> {
    Err(Trap::unsupported(what, "classes are not loaded by loaders of modules here; avoid it"))
}

/// The JDK's own classes have none.
fn loader(call: &mut Call) -> Result<Done, Trap> {
    if call.class(call.mirrored(0)?).user {
        return super::resources::loader(call);
    }
    Ok(Done::Value(Value::Null))
}

/// The JDK's reflection compares the modules of classes before it looks at their packages.
fn module(call: &mut Call) -> Result<Done, Trap> {
    match asks_for_reflection(call) {
        true => token(call, "module", "java/lang/Module"),
        false => unsupported("Class.getModule"),
    }
}

fn asks_for_reflection(call: &Call) -> bool {
    let asks =
        |name: &str| name.starts_with("java/lang/reflect/") || name.starts_with("jdk/internal/reflect/");
    call.state.top().is_some_and(|frame| asks(&frame.method.class_name))
}

/// An object that is only compared with itself.
pub(super) fn token(call: &mut Call, slot: &'static str, class: &str) -> Result<Done, Trap> {
    if let Some(token) = call.state.slot(slot) {
        return Ok(Done::Value(token));
    }
    let token = Value::Ref(call.blank_named(class)?);
    call.state.set_slot(slot, token);
    Ok(Done::Value(token))
}

/// The program may reach into its own classes; which of the JDK's are open depends on flags of the JVM.
fn accessible(call: &mut Call) -> Result<Done, Trap> {
    let declaring = call.field(call.object(0)?, "clazz");
    let class = declaring.as_ref().and_then(|mirror| call.jvm.class_of_mirror(call.state, mirror));
    let caller = call.state.frames.iter().rev().find(|frame| frame.method.code().is_some());
    let from_program = caller.is_some_and(|_| call.state.frames.iter().rev().take(3).any(|f| f.method.user));
    // Some packages are open to all programs: the module jdk.unsupported says so.
    let is_closed = |class: &Class| !class.user && !matches!(class.package(), "sun/misc" | "sun/reflect");
    if from_program && class.is_some_and(|class| is_closed(&call.class(class))) {
        return Err(Trap::unsupported("reflection into a class of the JDK", "use its public methods"));
    }
    Ok(if call.method.result.is_some() { Done::Value(Value::Int(1)) } else { Done::Void })
}

fn test(call: &mut Call, property: fn(&Class) -> bool) -> Result<Done, Trap> {
    let class = call.class(call.mirrored(0)?);
    Ok(Done::Value(Value::boolean(property(&class))))
}

fn assertions(call: &mut Call) -> Result<Done, Trap> {
    test(call, |class| class.user)
}

fn primitive(call: &mut Call) -> Result<Done, Trap> {
    let name = String::from_utf16_lossy(&call.text_argument(0)?);
    let class = match Kind::PRIMITIVES.iter().find(|kind| kind.java() == name) {
        Some(kind) => call.jvm.primitive(*kind),
        None => call.jvm.void(),
    };
    Ok(Done::Value(call.mirror(class)?))
}

fn is_instance(call: &mut Call) -> Result<Done, Trap> {
    let class = call.mirrored(0)?;
    let is = match call.args[1] {
        Value::Ref(object) => call.class(call.state.heap.class_of(object)).is_assignable_to(class),
        _ => false,
    };
    Ok(Done::Value(Value::boolean(is)))
}

fn is_assignable(call: &mut Call) -> Result<Done, Trap> {
    let (class, other) = (call.mirrored(0)?, call.mirrored(1)?);
    Ok(Done::Value(Value::boolean(call.class(other).is_assignable_to(class))))
}

fn name(call: &mut Call) -> Result<Done, Trap> {
    let name = call.class(call.mirrored(0)?).java_name();
    call.done_text(&name)
}

/// The class's own entry in its `InnerClasses`.
fn inner(class: &Class) -> Option<InnerClass> {
    let file = class.pool.file.as_ref()?;
    file.inner_classes.iter().find(|entry| entry.inner == class.name).cloned()
}

fn simple_name(call: &mut Call) -> Result<Done, Trap> {
    let name = simple(call, call.mirrored(0)?);
    call.done_text(&name)
}

fn simple(call: &Call, id: ClassId) -> String {
    let class = call.class(id);
    if let Shape::Array { element, .. } = class.shape {
        return simple(call, element) + "[]";
    }
    match inner(&class) {
        Some(entry) => entry.name.map(|name| name.to_string()).unwrap_or_default(),
        None => class.name.rsplit('/').next().unwrap_or_default().to_string(),
    }
}

fn canonical_name(call: &mut Call) -> Result<Done, Trap> {
    match canonical(call, call.mirrored(0)?) {
        Some(name) => call.done_text(&name),
        None => Ok(Done::Value(Value::Null)),
    }
}

/// The name by which source can refer to a class; local and anonymous ones have none.
fn canonical(call: &mut Call, id: ClassId) -> Option<String> {
    let class = call.class(id);
    if let Shape::Array { element, .. } = class.shape {
        return canonical(call, element).map(|name| name + "[]");
    }
    match inner(&class) {
        None => Some(class.java_name()),
        Some(entry) => {
            let outer = call.class_named(&entry.outer?).ok()?;
            Some(format!("{}.{}", canonical(call, outer)?, entry.name?))
        }
    }
}

fn superclass(call: &mut Call) -> Result<Done, Trap> {
    let class = call.class(call.mirrored(0)?);
    match class.superclass.filter(|_| !class.is_interface()) {
        Some(superclass) => Ok(Done::Value(call.mirror(superclass)?)),
        None => Ok(Done::Value(Value::Null)),
    }
}

fn component(call: &mut Call) -> Result<Done, Trap> {
    match call.class(call.mirrored(0)?).shape {
        Shape::Array { element, .. } => Ok(Done::Value(call.mirror(element)?)),
        _ => Ok(Done::Value(Value::Null)),
    }
}

fn interfaces(call: &mut Call) -> Result<Done, Trap> {
    let class = call.class(call.mirrored(0)?);
    let element = call.class_named(CLASS)?;
    let array = call.make_array(element, class.interfaces.len())?;
    for (i, interface) in class.interfaces.iter().enumerate() {
        let mirror = call.mirror(*interface)?;
        call.state.heap.store(array, i, mirror);
    }
    Ok(Done::Value(Value::Ref(array)))
}

pub(super) fn modifiers_of_class(call: &mut Call) -> Result<Done, Trap> {
    modifiers(call)
}

fn modifiers(call: &mut Call) -> Result<Done, Trap> {
    let class = call.class(call.mirrored(0)?);
    let flags = inner(&class).map_or(class.access, |entry| entry.access);
    Ok(Done::Value(Value::Int(i32::from(flags & !access::SYNCHRONIZED))))
}

/// `values()` of an enum; null for other classes.
fn enum_constants(call: &mut Call) -> Result<Done, Trap> {
    let id = call.mirrored(0)?;
    let class = call.class(id);
    let parent = class.superclass.map(|id| call.class(id).name.clone());
    if class.access & access::ENUM == 0 || parent.as_deref() != Some("java/lang/Enum") {
        return Ok(Done::Value(Value::Null));
    }
    call.init(id)?;
    let method = call.method_named(id, "values", &format!("()[L{};", class.name))?;
    Ok(Done::Tail { method, args: Vec::new() })
}

fn for_name(call: &mut Call) -> Result<Done, Trap> {
    let name = String::from_utf16_lossy(&call.text_argument(0)?);
    let internal = name.replace('.', "/");
    match call.class_named(&internal) {
        Ok(class) if !matches!(call.class(class).shape, Shape::Primitive(_)) && !name.contains('/') => {
            if call.args.get(1) != Some(&Value::Int(0)) {
                call.init(class)?;
            }
            Ok(Done::Value(call.mirror(class)?))
        }
        _ => Err(Trap::throw("java/lang/ClassNotFoundException", name)),
    }
}

/// A field object with its class and name only: enough for `Unsafe.objectFieldOffset`, which the JDK calls.
fn declared_field(call: &mut Call) -> Result<Done, Trap> {
    if call.state.top().is_none_or(|frame| frame.method.user) {
        return call.interpret();
    }
    let class = call.class(call.mirrored(0)?);
    let name = String::from_utf16_lossy(&call.text_argument(1)?);
    let known = class.instance_field(&name).filter(|field| field.owner == class.id).is_some()
        || class.static_field(&name).is_some();
    if !known {
        return Err(Trap::throw("java/lang/NoSuchFieldException", name));
    }
    let field = call.blank_named("java/lang/reflect/Field")?;
    call.set_field(field, "clazz", call.args[0]);
    call.set_field(field, "name", call.args[1]);
    Ok(Done::Value(Value::Ref(field)))
}
