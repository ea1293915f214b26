//! What a test can call of a class to build an object: the constructor without parameters, and public methods
//! that take plain values.

use crate::inputs::boxed;
use evergreen_classfile::{MethodDescriptor, Type, access};
use evergreen_jvm::{Class, ClassId, Jvm, MethodId};
use evergreen_replay::JavaValue;
use std::sync::Arc;

/// Parameters of a method that is tried.
const PARAMETERS: usize = 2;

/// Names that methods often have that put something in, and that take something out.
const PUTTING: [&str; 8] = ["add", "insert", "put", "push", "offer", "append", "enqueue", "set"];
const TAKING: [&str; 6] = ["remove", "delete", "poll", "pop", "extract", "clear"];

/// What can be called.
pub(crate) struct Api {
    pub(crate) class: ClassId,
    pub(crate) constructor: MethodId,
    /// Methods with one or two parameters, those first that are likely to put something in.
    pub(crate) methods: Vec<Callee>,
}

/// A method that can be called.
#[derive(Clone)]
pub(crate) struct Callee {
    pub(crate) method: MethodId,
    pub(crate) name: Arc<str>,
    pub(crate) descriptor: Arc<str>,
    pub(crate) parameters: Vec<Type>,
}

impl Callee {
    /// How late it is tried as a method that takes something out.
    pub(crate) fn taking(&self) -> usize {
        rank(&self.name, &TAKING)
    }
}

fn rank(name: &str, known: &[&str]) -> usize {
    known.iter().position(|known| name.starts_with(known)).unwrap_or(known.len())
}

impl Api {
    /// What a test may call of a class, by its name in Java; `None` if it cannot even make an object.
    pub(crate) fn of(jvm: &mut Jvm, name: &str) -> Option<Api> {
        let class = jvm.load(&name.replace('.', "/")).ok()?;
        let linked = jvm.class(class).clone();
        let is_library = name.starts_with("java.");
        if linked.access & (access::ABSTRACT | access::INTERFACE) != 0 || !is_visible(&linked, is_library) {
            return None;
        }
        let constructor = jvm.find_method(class, "<init>", "()V")?;
        let made = jvm.method(constructor).clone();
        let is_own = made.class == class && throws_nothing(&linked, &made.name, &made.descriptor);
        if !is_own || made.access & access::PRIVATE != 0 || (is_library && made.access & access::PUBLIC == 0)
        {
            return None;
        }
        let mut methods: Vec<Callee> = Vec::new();
        let mut at = Some(class);
        while let Some(id) = at {
            let owner = jvm.class(id).clone();
            for method in &owner.methods {
                if let Some(callee) = callee(jvm, &owner, *method)
                    && !methods.iter().any(|m| m.name == callee.name && m.descriptor == callee.descriptor)
                {
                    methods.push(callee);
                }
            }
            at = owner.superclass.filter(|above| &*jvm.class(*above).name != "java/lang/Object");
        }
        methods
            .sort_by_key(|method| (rank(&method.name, &PUTTING), method.parameters.len(), method.name.len()));
        Some(Api { class, constructor, methods })
    }
}

/// Whether a test in the package of the class (for the JDK's: in any package) can name it and make objects of
/// it by itself.
fn is_visible(class: &Class, is_library: bool) -> bool {
    let Some(file) = class.file() else { return false };
    let nested = file.inner_classes.iter().find(|inner| inner.inner == class.name);
    let is_nested_well = nested.is_none_or(|inner| {
        inner.outer.is_some() && inner.access & access::PRIVATE == 0 && inner.access & access::STATIC != 0
    });
    let flags = nested.map_or(class.access, |inner| inner.access);
    is_nested_well && file.enclosing_method.is_none() && (!is_library || flags & access::PUBLIC != 0)
}

fn throws_nothing(class: &Class, name: &str, descriptor: &str) -> bool {
    let declared =
        class.file().and_then(|file| file.method(name, descriptor).map(|m| m.exceptions.is_empty()));
    declared.unwrap_or(false)
}

fn callee(jvm: &Jvm, owner: &Class, method: MethodId) -> Option<Callee> {
    let found = jvm.method(method);
    let unwanted = access::STATIC | access::ABSTRACT | access::SYNTHETIC | access::BRIDGE;
    if found.access & access::PUBLIC == 0 || found.access & unwanted != 0 || found.name.starts_with('<') {
        return None;
    }
    let parameters = MethodDescriptor::parse(&found.descriptor).ok()?.parameters;
    let is_plain = |of: &Type| !matches!(of, Type::Array(_)) && takes_plain(of);
    let fits = (1..=PARAMETERS).contains(&parameters.len()) && parameters.iter().all(is_plain);
    let is_quiet = throws_nothing(owner, &found.name, &found.descriptor);
    (fits && is_quiet).then(|| Callee {
        method,
        name: found.name.clone(),
        descriptor: found.descriptor.clone(),
        parameters,
    })
}

/// Whether a parameter may take a number, a truth value, a character or a text.
fn takes_plain(of: &Type) -> bool {
    let Type::Class(class) = of else { return true };
    let plain = ["Object", "Comparable", "Number", "String", "CharSequence"];
    class.strip_prefix("java/lang/").is_some_and(|name| plain.contains(&name) || boxed(of).is_some())
}

/// The primitive type of a value, of what is in it if it is a box.
pub(crate) fn primitive(value: &JavaValue) -> Option<Type> {
    Some(match value {
        JavaValue::Boolean(_) => Type::Boolean,
        JavaValue::Byte(_) => Type::Byte,
        JavaValue::Char(_) => Type::Char,
        JavaValue::Short(_) => Type::Short,
        JavaValue::Int(_) => Type::Int,
        JavaValue::Long(_) => Type::Long,
        JavaValue::Float(_) => Type::Float,
        JavaValue::Double(_) => Type::Double,
        JavaValue::Boxed(inner) => return primitive(inner),
        _ => return None,
    })
}

/// A value as an argument of this type: in a box or out of it. `None` if it does not fit.
pub(crate) fn argument(value: &JavaValue, of: &Type) -> Option<JavaValue> {
    let Type::Class(class) = of else {
        let inner = if let JavaValue::Boxed(inner) = value { inner } else { value };
        return (primitive(inner).as_ref() == Some(of)).then(|| inner.clone());
    };
    let name = class.strip_prefix("java/lang/")?;
    match value {
        JavaValue::Null => Some(JavaValue::Null),
        JavaValue::String(_) => {
            ["Object", "Comparable", "String", "CharSequence"].contains(&name).then(|| value.clone())
        }
        value => {
            let kind = primitive(value)?;
            let is_number = !matches!(kind, Type::Boolean | Type::Char);
            let fits = matches!(name, "Object" | "Comparable")
                || (name == "Number" && is_number)
                || boxed(of).as_ref() == Some(&kind);
            let boxed = match value {
                JavaValue::Boxed(_) => value.clone(),
                value => JavaValue::Boxed(Box::new(value.clone())),
            };
            fits.then_some(boxed)
        }
    }
}

/// The argument for a parameter of which nothing is known.
pub(crate) fn nothing(of: &Type) -> JavaValue {
    match of {
        Type::Boolean => JavaValue::Boolean(false),
        Type::Byte => JavaValue::Byte(0),
        Type::Char => JavaValue::Char(0),
        Type::Short => JavaValue::Short(0),
        Type::Int => JavaValue::Int(0),
        Type::Long => JavaValue::Long(0),
        Type::Float => JavaValue::Float(0.0),
        Type::Double => JavaValue::Double(0.0),
        _ => JavaValue::Null,
    }
}
