//! invokedynamic: each site becomes a call of a static method of a class that is spun for it.
//!
//! What javac emits is a closed set of bootstrap methods; each is a file here. A site is *planned* from
//! the class file alone ([`plan`]); the machine defines the spun class once, for all paths, and then runs
//! the site as `invokestatic`.

pub(crate) mod adapt;
pub(crate) mod assemble;
pub(crate) mod concat;
mod constants;
pub(crate) mod lambda;
pub(crate) mod records;
pub(crate) mod switches;

use std::rc::Rc;

use evergreen_classfile::{Bootstrap, ClassFile, Constant, DynamicRef, Member, Origin};

use crate::classes::{ClassId, MethodId};
use crate::machine::Jvm;
use crate::native::{Call, Done, Trap};
use crate::value::{Kind, Value};

/// A method handle constant.
#[derive(Clone, Debug)]
pub(crate) struct Handle {
    /// Its kind, as the class file numbers it.
    pub kind: u8,
    /// Internal name of the class.
    pub class: String,
    /// The member's name.
    pub name: String,
    /// The member's descriptor.
    pub descriptor: String,
    /// Whether the class is an interface.
    pub interface: bool,
}

/// A class made for a site, and the static method to call in it.
#[derive(Clone, Debug)]
pub(crate) struct Spun {
    /// The class file.
    pub bytes: Vec<u8>,
    /// Internal name of the class.
    pub class: String,
    /// The static method's name.
    pub method: String,
    /// Its descriptor: the site's.
    pub descriptor: String,
    /// The concatenated pieces, if the site only concatenates.
    pub pieces: Option<Vec<concat::Piece>>,
}

/// The arguments of a bootstrap method while they are read.
struct Arguments<'a> {
    host: &'a ClassFile,
    what: String,
    values: Vec<Constant>,
}

impl Arguments<'_> {
    fn odd<T>(&self) -> Result<T, Trap> {
        Err(Trap::unsupported(
            format!("{} with unusual bootstrap arguments", self.what),
            "compile the class with javac",
        ))
    }

    fn handle(&self, index: usize) -> Result<Handle, Trap> {
        match self.values.get(index) {
            Some(Constant::MethodHandle { kind, member }) => Ok(handle_of(*kind as u8, member)),
            _ => self.odd(),
        }
    }

    fn method_type(&self, index: usize) -> Result<String, Trap> {
        match self.values.get(index) {
            Some(Constant::MethodType(descriptor)) => Ok(descriptor.to_string()),
            _ => self.odd(),
        }
    }

    fn class(&self, index: usize) -> Result<String, Trap> {
        match self.values.get(index) {
            Some(Constant::Class(name)) => Ok(name.to_string()),
            _ => self.odd(),
        }
    }

    fn text(&self, index: usize) -> Result<Vec<u16>, Trap> {
        match self.values.get(index) {
            Some(Constant::String(text)) => Ok(text.units().to_vec()),
            _ => self.odd(),
        }
    }

    fn int(&self, index: usize) -> Result<i32, Trap> {
        match self.values.get(index) {
            Some(Constant::Int(value)) => Ok(*value),
            _ => self.odd(),
        }
    }
}

fn handle_of(kind: u8, member: &Member) -> Handle {
    Handle {
        kind,
        class: member.class.to_string(),
        name: member.name.to_string(),
        descriptor: member.descriptor.to_string(),
        interface: member.is_interface(),
    }
}

/// The bootstrap method's handle and its arguments.
fn bootstrap(host: &ClassFile, index: u16) -> Result<(Handle, Vec<Constant>), Trap> {
    let Some(Bootstrap { method: Constant::MethodHandle { kind, member }, arguments }) =
        host.bootstrap.get(usize::from(index))
    else {
        return Err(Trap::unsupported(format!("a missing bootstrap method of {}", host.name), ""));
    };
    Ok((handle_of(*kind as u8, member), arguments.clone()))
}

/// The class behind an invokedynamic site of `host`; `number` makes its name unique.
pub(crate) fn plan(host: &ClassFile, site: &DynamicRef, number: usize) -> Result<Spun, Trap> {
    let (method, values) = bootstrap(host, site.bootstrap)?;
    let what = format!("invokedynamic by {}.{}", method.class.replace('/', "."), method.name);
    let arguments = Arguments { host, what, values };
    match (method.class.as_str(), method.name.as_str()) {
        ("java/lang/invoke/LambdaMetafactory", "metafactory" | "altMetafactory") => {
            plan_lambda(&arguments, site, number, method.name == "altMetafactory")
        }
        ("java/lang/invoke/StringConcatFactory", "makeConcatWithConstants" | "makeConcat") => {
            plan_concat(&arguments, site, number, method.name == "makeConcat")
        }
        ("java/lang/runtime/ObjectMethods", "bootstrap") => plan_record(&arguments, site, number),
        ("java/lang/runtime/SwitchBootstraps", "typeSwitch" | "enumSwitch") => {
            plan_switch(&arguments, site, number, method.name == "enumSwitch")
        }
        _ => Err(Trap::unsupported(
            arguments.what,
            "lambdas, method references, string concatenation, records and pattern switches are followed",
        )),
    }
}

fn plan_lambda(from: &Arguments, site: &DynamicRef, number: usize, alt: bool) -> Result<Spun, Trap> {
    let (erased, target, instantiated) = (from.method_type(0)?, from.handle(1)?, from.method_type(2)?);
    let (mut markers, mut bridges) = (Vec::new(), Vec::new());
    if alt {
        // Flags (JDK documentation): 1 serializable, 2 marker interfaces follow, 4 bridges follow.
        let flags = from.int(3)?;
        let mut at = 4;
        if flags & 2 != 0 {
            let count = from.int(at)? as usize;
            for i in 0..count {
                markers.push(from.class(at + 1 + i)?);
            }
            at += 1 + count;
        }
        if flags & 4 != 0 {
            let count = from.int(at)? as usize;
            for i in 0..count {
                bridges.push(from.method_type(at + 1 + i)?);
            }
        }
        if flags & 1 != 0 {
            markers.push("java/io/Serializable".to_string());
        }
    }
    let name = format!("{}$$Lambda${number}", from.host.name);
    let lambda = lambda::Lambda {
        name: &name,
        method: &site.name,
        site: &site.descriptor,
        erased: &erased,
        target: &target,
        instantiated: &instantiated,
        markers,
        bridges,
    };
    let bytes = lambda::spin(&lambda);
    Ok(spun(bytes, name, lambda::MAKE, site))
}

fn spun(bytes: Vec<u8>, class: String, method: &str, site: &DynamicRef) -> Spun {
    Spun { bytes, class, method: method.to_string(), descriptor: site.descriptor.to_string(), pieces: None }
}

fn plan_concat(from: &Arguments, site: &DynamicRef, number: usize, plain: bool) -> Result<Spun, Trap> {
    let pieces = if plain {
        vec![concat::Piece::Argument; assemble::split(&site.descriptor).0.len()]
    } else {
        let recipe = from.text(0)?;
        let mut constants = Vec::new();
        for value in &from.values[1..] {
            match constants::text(value) {
                Some(text) => constants.push(text),
                None => return from.odd(),
            }
        }
        concat::pieces(&recipe, &constants)
    };
    let name = format!("{}$$Concat${number}", from.host.name);
    let bytes = concat::spin(&name, &site.descriptor, &pieces);
    Ok(Spun { pieces: Some(pieces), ..spun(bytes, name, concat::JOIN, site) })
}

fn plan_record(from: &Arguments, site: &DynamicRef, number: usize) -> Result<Spun, Trap> {
    let class = from.class(0)?;
    let mut components = Vec::new();
    for index in 2..from.values.len() {
        let getter = from.handle(index)?;
        components.push((getter.name, getter.descriptor));
    }
    let record = records::Record { class: &class, components };
    let name = format!("{}$$Record${number}", from.host.name);
    match records::spin(&name, &site.name, &site.descriptor, &record) {
        Some(bytes) => Ok(spun(bytes, name, &site.name, site)),
        None => from.odd(),
    }
}

fn plan_switch(from: &Arguments, site: &DynamicRef, number: usize, of_enum: bool) -> Result<Spun, Trap> {
    let selector =
        assemble::split(&site.descriptor).0.first().map_or("", |d| assemble::class_of(d)).to_string();
    let mut labels = Vec::new();
    for value in &from.values {
        labels.push(match value {
            Constant::Class(class) => switches::CaseLabel::Class(class.to_string()),
            Constant::String(text) if of_enum => {
                switches::CaseLabel::Enum(selector.clone(), text.to_string_lossy())
            }
            Constant::String(text) => switches::CaseLabel::Text(text.units().to_vec()),
            Constant::Int(value) => switches::CaseLabel::Int(*value),
            // A primitive type as a label names itself; it fits a selector of that type.
            Constant::Dynamic(dynamic) if *dynamic.name == selector => switches::CaseLabel::Any,
            Constant::Dynamic(dynamic) => match constants::enum_label(from.host, dynamic) {
                Some((class, name)) => switches::CaseLabel::Enum(class, name),
                None => return from.odd(),
            },
            _ => return from.odd(),
        });
    }
    let name = format!("{}$$Switch${number}", from.host.name);
    let bytes = switches::spin(&name, &site.descriptor, &labels);
    Ok(spun(bytes, name, switches::SELECT, site))
}

/// The target of a linked call site.
#[derive(Clone)]
pub(crate) enum Site {
    /// A static method.
    Method(MethodId),
    /// A concatenation of these pieces, and the static method for arguments that need a call of `toString`.
    Concat(Rc<[concat::Piece]>, Rc<[Kind]>, MethodId),
}

/// Runs the call site at pool index `index` of `call.method`'s class; `call.args` are the operands.
///
/// The site is linked once for all paths; then it is a call of a static method.
pub(crate) fn invoke(call: &mut Call<'_>, index: u16) -> Result<Done, Trap> {
    let key = (call.method.class, index);
    let site = match call.jvm.natives_data.sites.get(&key) {
        Some(site) => site.clone(),
        None => {
            let site = link(call, index)?;
            call.jvm.natives_data.sites.insert(key, site.clone());
            site
        }
    };
    let method = match site {
        Site::Method(method) => method,
        Site::Concat(pieces, kinds, method) => match concat::parts(call, &pieces, &kinds) {
            Some(parts) => {
                // The recipe is a constant, so it is interned; without arguments it is the result's own text.
                if let [concat::Piece::Text(text)] = &*pieces {
                    call.jvm.intern(call.state, text);
                }
                return Ok(Done::Value(Value::Ref(call.jvm.new_rope(call.state, &parts))));
            }
            None => method,
        },
    };
    let class = call.jvm.method(method).class;
    call.init(class)?;
    Ok(Done::Tail { method, args: call.args.to_vec() })
}

fn link(call: &mut Call<'_>, index: u16) -> Result<Site, Trap> {
    let broken = || Trap::unsupported(format!("a broken call site in {}", call.method.full_name()), "");
    let host = call.method.pool.file.clone().ok_or_else(broken)?;
    let site = host.pool.invoke_dynamic(index).map_err(|_| broken())?;
    let spun = plan(&host, &site, call.jvm.natives_data.sites.len())?;
    let class = define(call.jvm, &spun.bytes)?;
    let method = call.jvm.find_method(class, &spun.method, &spun.descriptor);
    let method =
        method.ok_or_else(|| Trap::unsupported(format!("{} was spun without its method", spun.class), ""))?;
    Ok(match spun.pieces {
        Some(pieces) => {
            Site::Concat(pieces.into(), call.jvm.method(method).arguments.iter().copied().collect(), method)
        }
        None => Site::Method(method),
    })
}

/// Makes a class of spun bytes.
pub(crate) fn define(jvm: &mut Jvm, bytes: &[u8]) -> Result<ClassId, Trap> {
    match evergreen_classfile::read(bytes) {
        Ok(file) => jvm.link(file, &Origin::Jdk("evergreen".into())),
        Err(error) => Err(Trap::unsupported(format!("a spun class: {error}"), "this is a bug of evergreen")),
    }
}

/// The value of a method handle, method type or dynamic constant at pool index `index`
/// of `call.method`'s class.
pub(crate) fn constant(call: &mut Call<'_>, index: u16) -> Result<Value, Trap> {
    Err(Trap::unsupported(
        format!(
            "constant {index} of {}: a method handle, method type or dynamic constant",
            call.method.class_name
        ),
        "javac does not emit these for plain Java; avoid java.lang.invoke",
    ))
}
