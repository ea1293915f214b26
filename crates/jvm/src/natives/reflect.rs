//! Reflection: the members of a class as objects, calls through them.
//!
//! Only the natives are here. `java.lang.Class`, `Method`, `Constructor` and `Field` are the JDK's own code:
//! access checks, copies of members, lookup by name. Members are listed as the class file has them. A JVM
//! lists methods in an order of its own, so a program that depends on the order may behave differently there.

use super::Row;
use super::objects::yes;
use crate::classes::{Method, MethodId, access};
use crate::indy::assemble::{class_of, split};
use crate::native::{Call, Done, Trap};
use crate::value::{Kind, Ref, Value};

const CLASS: &str = "java/lang/Class";
const FACTORY: &str = "jdk/internal/reflect/ReflectionFactory";
const HANDLES: &str = "jdk/internal/reflect/MethodHandleAccessorFactory";

pub(crate) const TABLE: &[Row] = &[
    (CLASS, "getDeclaredConstructors0", "*", constructors),
    (CLASS, "getDeclaredMethods0", "*", methods),
    (CLASS, "getDeclaredFields0", "*", fields),
    (CLASS, "getGenericSignature0", "*", generic_signature),
    ("jdk/internal/reflect/NativeConstructorAccessorImpl", "newInstance0", "*", instantiate),
    ("jdk/internal/reflect/NativeMethodAccessorImpl", "invoke0", "*", invoke),
    ("jdk/internal/reflect/DirectConstructorHandleAccessor$NativeAccessor", "newInstance0", "*", instantiate),
    ("jdk/internal/reflect/DirectMethodHandleAccessor$NativeAccessor", "invoke0", "*", invoke),
    (HANDLES, "useNativeAccessor", "*", yes),
    // Classes are spun for a member that is called often; they could do nothing more.
    (FACTORY, "inflationThreshold", "*", |_| Ok(Done::Value(Value::Int(i32::MAX)))),
    // Every module is open here: classes are not in modules that a program could ask.
    ("jdk/internal/reflect/Reflection", "verifyModuleAccess", "*", yes),
    ("jdk/internal/reflect/Reflection", "getClassAccessFlags", "*", super::classes::modifiers_of_class),
];

/// Whether an exception that leaves this native is the target of an InvocationTargetException.
pub(crate) fn wraps_exceptions(method: &Method) -> bool {
    matches!(&*method.name, "invoke0" | "newInstance0")
        && method.class_name.starts_with("jdk/internal/reflect/")
}

/// The methods of a class that `keep` keeps, made into objects of `class` by `make`.
fn members(
    call: &mut Call,
    class: &str,
    keep: fn(&Method) -> bool,
    make: fn(&mut Call, Ref, &Method) -> Result<(), Trap>,
) -> Result<Done, Trap> {
    let id = call.mirrored(0)?;
    let public_only = call.int(1)? != 0;
    let declared = call.class(id).methods.clone();
    let mut found = Vec::new();
    for method in declared {
        let method = call.jvm.method(method).clone();
        if keep(&method) && (!public_only || method.access & access::PUBLIC != 0) {
            found.push(method);
        }
    }
    let element = call.class_named(class)?;
    let array = call.make_array(element, found.len())?;
    for (at, method) in found.iter().enumerate() {
        let member = call.blank(element);
        call.set_field(member, "clazz", call.args[0]);
        call.set_field(member, "slot", Value::Int(method.id.0 as i32));
        call.set_field(member, "modifiers", Value::Int(i32::from(method.access)));
        let (parameters, _) = split(&method.descriptor);
        let parameters = classes_of(call, &parameters)?;
        call.set_field(member, "parameterTypes", parameters);
        let exceptions = declared_exceptions(call, method)?;
        call.set_field(member, "exceptionTypes", exceptions);
        make(call, member, method)?;
        call.state.heap.store(array, at, Value::Ref(member));
    }
    Ok(Done::Value(Value::Ref(array)))
}

fn constructors(call: &mut Call) -> Result<Done, Trap> {
    let is_constructor = |method: &Method| &*method.name == "<init>";
    members(call, "java/lang/reflect/Constructor", is_constructor, |_, _, _| Ok(()))
}

fn methods(call: &mut Call) -> Result<Done, Trap> {
    let is_method = |method: &Method| !method.name.starts_with('<');
    members(call, "java/lang/reflect/Method", is_method, |call, member, method| {
        let name = interned(call, &method.name);
        call.set_field(member, "name", name);
        let (_, result) = split(&method.descriptor);
        let result = class_of_descriptor(call, result)?;
        call.set_field(member, "returnType", result);
        Ok(())
    })
}

fn fields(call: &mut Call) -> Result<Done, Trap> {
    let id = call.mirrored(0)?;
    let public_only = call.int(1)? != 0;
    let class = call.class(id);
    let own = class.instance_fields.iter().chain(&class.static_fields);
    let mut own: Vec<_> = own.filter(|field| field.owner == id).cloned().collect();
    own.retain(|field| !public_only || field.access & access::PUBLIC != 0);
    if let Some(file) = class.file() {
        // A JVM lists them as they are declared.
        own.sort_by_key(|field| file.fields.iter().position(|other| other.name == field.name));
    }
    let element = call.class_named("java/lang/reflect/Field")?;
    let array = call.make_array(element, own.len())?;
    for (at, field) in own.iter().enumerate() {
        let member = call.blank(element);
        let (name, class) = (interned(call, &field.name), class_of_descriptor(call, &field.descriptor)?);
        call.set_field(member, "clazz", call.args[0]);
        call.set_field(member, "slot", Value::Int(at as i32));
        call.set_field(member, "name", name);
        call.set_field(member, "type", class);
        call.set_field(member, "modifiers", Value::Int(i32::from(field.access)));
        call.state.heap.store(array, at, Value::Ref(member));
    }
    Ok(Done::Value(Value::Ref(array)))
}

fn generic_signature(call: &mut Call) -> Result<Done, Trap> {
    let signature = call.class(call.mirrored(0)?).file().and_then(|file| file.signature.clone());
    match signature {
        Some(signature) => call.done_text(&signature),
        None => Ok(Done::Value(Value::Null)),
    }
}

fn interned(call: &mut Call, text: &str) -> Value {
    let units: Vec<u16> = text.encode_utf16().collect();
    Value::Ref(call.jvm.intern(call.state, &units))
}

fn class_of_descriptor(call: &mut Call, descriptor: &str) -> Result<Value, Trap> {
    let class = match Kind::of_descriptor(descriptor) {
        None => call.jvm.void(),
        Some(Kind::Reference) => call.class_named(class_of(descriptor))?,
        Some(kind) => call.jvm.primitive(kind),
    };
    call.mirror(class)
}

fn classes_of(call: &mut Call, descriptors: &[&str]) -> Result<Value, Trap> {
    let element = call.class_named(CLASS)?;
    let array = call.make_array(element, descriptors.len())?;
    for (at, descriptor) in descriptors.iter().enumerate() {
        let class = class_of_descriptor(call, descriptor)?;
        call.state.heap.store(array, at, class);
    }
    Ok(Value::Ref(array))
}

fn declared_exceptions(call: &mut Call, method: &Method) -> Result<Value, Trap> {
    let file = call.class(method.class).file().cloned();
    let names = file.iter().flat_map(|file| &file.methods);
    let found = names.filter(|other| other.name == method.name && other.descriptor == method.descriptor);
    let names: Vec<String> = found.flat_map(|found| &found.exceptions).map(|n| format!("L{n};")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    classes_of(call, &names)
}

/// `newInstance0(Constructor, Object[])`.
fn instantiate(call: &mut Call) -> Result<Done, Trap> {
    let constructor = called(call, 0)?;
    let class = call.jvm.method(constructor).class;
    if call.class(class).access & access::ABSTRACT != 0 {
        return Err(Trap::throw_plain("java/lang/InstantiationException"));
    }
    call.init(class)?;
    let mut args = vec![Value::Null];
    args.extend(arguments(call, constructor, call.args[1])?);
    let object = Value::Ref(call.blank(class));
    args[0] = object;
    Ok(Done::Call { method: constructor, args, then: made, saved: vec![object] })
}

fn made(call: &mut Call, _: Option<Value>) -> Result<Done, Trap> {
    Ok(Done::Value(call.args[0]))
}

/// `invoke0(Method, Object, Object[])`.
fn invoke(call: &mut Call) -> Result<Done, Trap> {
    let declared = called(call, 0)?;
    let method = call.jvm.method(declared).clone();
    let (mut selected, mut args) = (declared, Vec::new());
    if method.is_static() {
        call.init(method.class)?;
    } else {
        let receiver = call.object(1)?;
        let class = call.state.heap.class_of(receiver);
        if !call.class(class).is_assignable_to(method.class) {
            let text = "object is not an instance of declaring class";
            return Err(Trap::throw("java/lang/IllegalArgumentException", text));
        }
        selected = call.jvm.select(class, declared).map_err(|trap| *trap)?;
        args.push(Value::Ref(receiver));
    }
    args.extend(arguments(call, declared, call.args[2])?);
    let saved = vec![Value::Int(declared.0 as i32)];
    Ok(Done::Call { method: selected, args, then: boxed, saved })
}

/// The result of a reflective call, in a box if it is primitive.
fn boxed(call: &mut Call, result: Option<Value>) -> Result<Done, Trap> {
    let Value::Int(number) = call.args[0] else { return Ok(Done::Value(Value::Null)) };
    let kind = call.jvm.method(MethodId(number as u32)).result;
    let (Some(kind), Some(result)) = (kind, result) else { return Ok(Done::Value(Value::Null)) };
    let Some((class, letter)) = box_of(kind) else { return Ok(Done::Value(result)) };
    let id = call.class_named(class)?;
    call.init(id)?;
    let method = call.method_named(id, "valueOf", &format!("({letter})L{class};"))?;
    Ok(Done::Tail { method, args: vec![result] })
}

/// The method that argument `index`, a member, stands for.
fn called(call: &Call, index: usize) -> Result<MethodId, Trap> {
    let member = call.object(index)?;
    match call.field(member, "slot") {
        Value::Int(number) => Ok(MethodId(number as u32)),
        _ => Err(Trap::unsupported("a member of a class that reflection did not list", "")),
    }
}

/// The arguments of a reflective call, out of their boxes.
fn arguments(call: &mut Call, method: MethodId, array: Value) -> Result<Vec<Value>, Trap> {
    let descriptor = call.jvm.method(method).descriptor.clone();
    let (wanted, _) = split(&descriptor);
    let given = match array {
        Value::Ref(array) => call.state.heap.get(array).body.values(),
        _ => Vec::new(),
    };
    if given.len() != wanted.len() {
        return Err(Trap::throw("java/lang/IllegalArgumentException", "wrong number of arguments"));
    }
    let pairs = wanted.iter().zip(given);
    pairs.map(|(wanted, given)| argument(call, wanted, given)).collect()
}

fn argument(call: &mut Call, wanted: &str, given: Value) -> Result<Value, Trap> {
    let mismatch = || Trap::throw("java/lang/IllegalArgumentException", "argument type mismatch");
    let kind = Kind::of_descriptor(wanted).unwrap_or(Kind::Reference);
    let Value::Ref(object) = given else {
        return if kind == Kind::Reference { Ok(given) } else { Err(mismatch()) };
    };
    let class = call.class(call.state.heap.class_of(object));
    if kind == Kind::Reference {
        let wanted = call.class_named(class_of(wanted))?;
        return if class.is_assignable_to(wanted) { Ok(given) } else { Err(mismatch()) };
    }
    let own = Kind::PRIMITIVES.into_iter().find(|kind| box_of(*kind).is_some_and(|(n, _)| n == &*class.name));
    let value = call.field(object, "value");
    match own {
        Some(own) if own == kind => Ok(value),
        Some(own) => widened(own, kind, value).ok_or_else(mismatch)?,
        None => Err(mismatch()),
    }
}

/// A widening conversion (JLS 5.1.2); `None` if there is none.
fn widened(own: Kind, wanted: Kind, value: Value) -> Option<Result<Value, Trap>> {
    let rank = |kind| {
        [Kind::Byte, Kind::Short, Kind::Int, Kind::Long, Kind::Float, Kind::Double]
            .iter()
            .position(|other| *other == kind)
    };
    let allowed = match own {
        Kind::Char => rank(wanted)? >= 2,
        _ => rank(own)? < rank(wanted)?,
    };
    if !allowed {
        return None;
    }
    Some(Ok(match (value, wanted) {
        (Value::Int(_), Kind::Byte | Kind::Short | Kind::Int) => value,
        (Value::Int(n), Kind::Long) => Value::Long(n.into()),
        (Value::Int(n), Kind::Float) => Value::Float(n as f32),
        (Value::Int(n), Kind::Double) => Value::Double(n.into()),
        (Value::Long(n), Kind::Float) => Value::Float(n as f32),
        (Value::Long(n), Kind::Double) => Value::Double(n as f64),
        (Value::Float(n), Kind::Double) => Value::Double(n.into()),
        (Value::Sym(_), Kind::Short | Kind::Int) if rank(own) < Some(3) => value,
        _ => return Some(Err(Trap::unsupported("a reflective call that widens a symbolic argument", ""))),
    }))
}

/// The class of the boxes of a primitive kind, and its descriptor.
fn box_of(kind: Kind) -> Option<(&'static str, char)> {
    Some(match kind {
        Kind::Boolean => ("java/lang/Boolean", 'Z'),
        Kind::Byte => ("java/lang/Byte", 'B'),
        Kind::Char => ("java/lang/Character", 'C'),
        Kind::Short => ("java/lang/Short", 'S'),
        Kind::Int => ("java/lang/Integer", 'I'),
        Kind::Long => ("java/lang/Long", 'J'),
        Kind::Float => ("java/lang/Float", 'F'),
        Kind::Double => ("java/lang/Double", 'D'),
        Kind::Reference => return None,
    })
}
