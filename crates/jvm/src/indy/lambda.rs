//! `LambdaMetafactory`: a class that implements the functional interface and keeps the
//! captured values as fields.
//!
//! A lambda that captures nothing is one object per site, as on HotSpot: a static of the spun class.

use super::Handle;
use super::adapt::convert;
use super::assemble::{
    Assembler, Call, FINAL, Member, PRIVATE, PUBLIC, STATIC, class_of, descriptor_of, slots, split,
};

/// The request of one lambda site.
pub(crate) struct Lambda<'a> {
    /// Name of the class to spin.
    pub name: &'a str,
    /// Name of the interface method.
    pub method: &'a str,
    /// The site's descriptor: captured types to interface.
    pub site: &'a str,
    /// Erased descriptor of the interface method.
    pub erased: &'a str,
    /// The method that does the work.
    pub target: &'a Handle,
    /// Descriptor of the interface method with its type arguments put in.
    pub instantiated: &'a str,
    /// Further interfaces (markers).
    pub markers: Vec<String>,
    /// Further erased descriptors under which the method must answer.
    pub bridges: Vec<String>,
}

/// Name of the static method that makes the object.
pub(crate) const MAKE: &str = "make";

/// The class file for a lambda site.
#[must_use]
pub(crate) fn spin(lambda: &Lambda) -> Vec<u8> {
    let (captures, result) = split(lambda.site);
    let mut interfaces = vec![class_of(result)];
    interfaces.extend(lambda.markers.iter().map(String::as_str).filter(|m| *m != class_of(result)));
    interfaces.dedup();
    let mut out = Assembler::new(lambda.name, "java/lang/Object", &interfaces);
    write_constructor(&mut out, lambda.name, &captures);
    write_maker(&mut out, lambda, &captures, result);
    write_method(&mut out, lambda, lambda.erased, &captures);
    for bridge in &lambda.bridges {
        if bridge != lambda.erased {
            write_method(&mut out, lambda, bridge, &captures);
        }
    }
    out.finish()
}

fn capture_name(index: usize) -> String {
    format!("arg${}", index + 1)
}

fn write_constructor(out: &mut Assembler, class: &str, captures: &[&str]) {
    for (i, capture) in captures.iter().enumerate() {
        out.field(PRIVATE | FINAL, &capture_name(i), capture);
    }
    out.begin(PRIVATE, "<init>", &format!("({})V", captures.concat()));
    out.load("L", 0);
    out.invoke(Call::Special, Member::new("java/lang/Object", "<init>", "()V"));
    let mut slot = 1;
    for (i, capture) in captures.iter().enumerate() {
        out.load("L", 0);
        out.load(capture, slot);
        out.put_field(Member::new(class, &capture_name(i), capture));
        slot += slots(capture);
    }
    out.give("V");
    out.end(0);
}

fn write_maker(out: &mut Assembler, lambda: &Lambda, captures: &[&str], result: &str) {
    let class = lambda.name;
    let constructor = format!("({})V", captures.concat());
    if captures.is_empty() {
        let one = Member::new(class, "ONE", "Ljava/lang/Object;");
        out.field(STATIC | FINAL, "ONE", "Ljava/lang/Object;");
        out.begin(STATIC, "<clinit>", "()V");
        out.new_object(class);
        out.op(89);
        out.invoke(Call::Special, Member::new(class, "<init>", &constructor));
        out.put_static(one);
        out.give("V");
        out.end(0);
        out.begin(PUBLIC | STATIC, MAKE, lambda.site);
        out.get_static(one);
        out.give(result);
        out.end(0);
        return;
    }
    out.begin(PUBLIC | STATIC, MAKE, lambda.site);
    out.new_object(class);
    out.op(89);
    let mut slot = 0;
    for capture in captures {
        out.load(capture, slot);
        slot += slots(capture);
    }
    out.invoke(Call::Special, Member::new(class, "<init>", &constructor));
    out.give(result);
    out.end(0);
}

fn write_method(out: &mut Assembler, lambda: &Lambda, descriptor: &str, captures: &[&str]) {
    let target = lambda.target;
    let (mut wanted, mut produced) = {
        let (parameters, result) = split(&target.descriptor);
        (parameters.iter().map(|p| (*p).to_string()).collect::<Vec<_>>(), result.to_string())
    };
    let call = match target.kind {
        5 => Call::Virtual,
        6 => Call::Static,
        9 => Call::Interface,
        _ => Call::Special,
    };
    out.begin(PUBLIC, lambda.method, descriptor);
    if target.kind == 8 {
        produced = descriptor_of(&target.class);
        out.new_object(&target.class);
        out.op(89);
    } else if target.kind != 6 {
        wanted.insert(0, descriptor_of(&target.class));
    }
    for (i, capture) in captures.iter().enumerate() {
        out.load("L", 0);
        out.get_field(Member::new(lambda.name, &capture_name(i), capture));
        if let Some(wanted) = wanted.get(i) {
            convert(out, capture, wanted, capture);
        }
    }
    let (parameters, result) = split(descriptor);
    let (through, _) = split(lambda.instantiated);
    let mut slot = 1;
    for (i, parameter) in parameters.iter().enumerate() {
        out.load(parameter, slot);
        slot += slots(parameter);
        if let Some(wanted) = wanted.get(captures.len() + i) {
            convert(out, parameter, wanted, through.get(i).copied().unwrap_or(parameter));
        }
    }
    let member = Member {
        class: &target.class,
        name: &target.name,
        descriptor: &target.descriptor,
        interface: target.interface,
    };
    out.invoke(call, member);
    convert(out, &produced, result, result);
    out.give(result);
    out.end(2);
}
