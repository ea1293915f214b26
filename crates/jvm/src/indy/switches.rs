//! `SwitchBootstraps`: `typeSwitch` and `enumSwitch` (Java 21+) as a chain of tests.
//!
//! The static method takes the selector and the first label to try; it gives the first label from there on
//! that fits, the number of labels if none does, and -1 for null.

use super::adapt::is_primitive;
use super::assemble::{Assembler, Member, PUBLIC, STATIC, descriptor_of, slots, split};

/// Name of the static method that selects.
pub(crate) const SELECT: &str = "select";

/// One case label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CaseLabel {
    /// Any instance of a class (internal name).
    Class(String),
    /// An equal string.
    Text(Vec<u16>),
    /// An `Integer` or `Character` of this value.
    Int(i32),
    /// An enum constant (class, name).
    Enum(String, String),
    /// It fits every selector: the primitive type is the selector's own.
    Any,
}

/// The class file for a switch site.
#[must_use]
pub(crate) fn spin(name: &str, site: &str, labels: &[CaseLabel]) -> Vec<u8> {
    let mut out = Assembler::new(name, "java/lang/Object", &[]);
    let selector = split(site).0.first().copied().unwrap_or("Ljava/lang/Object;").to_string();
    out.begin(PUBLIC | STATIC, SELECT, site);
    if !is_primitive(&selector) {
        let present = out.label();
        out.load(&selector, 0);
        out.jump(199, present);
        out.int(-1);
        out.give("I");
        out.place(present);
    }
    for (i, label) in labels.iter().enumerate() {
        let next = out.label();
        out.load("I", slots(&selector));
        out.int(i as i32);
        out.jump(163, next);
        write_test(&mut out, &selector, label, next);
        out.int(i as i32);
        out.give("I");
        out.place(next);
    }
    out.int(labels.len() as i32);
    out.give("I");
    out.end(0);
    out.finish()
}

/// Falls through if the selector fits the label, else jumps to `next`.
fn write_test(out: &mut Assembler, selector: &str, label: &CaseLabel, next: super::assemble::Label) {
    match label {
        CaseLabel::Any => {}
        CaseLabel::Int(value) if is_primitive(selector) => {
            out.load("I", 0);
            out.int(*value);
            out.jump(160, next);
        }
        CaseLabel::Class(class) => {
            out.load("L", 0);
            out.instance_of(class);
            out.jump(153, next);
        }
        CaseLabel::Text(text) => {
            out.string(text);
            out.load("L", 0);
            out.call_virtual("java/lang/String", "equals", "(Ljava/lang/Object;)Z");
            out.jump(153, next);
        }
        CaseLabel::Int(value) => write_int_test(out, *value, next),
        CaseLabel::Enum(class, constant) => {
            out.get_static(Member::new(class, constant, &descriptor_of(class)));
            out.load("L", 0);
            out.jump(166, next);
        }
    }
}

fn write_int_test(out: &mut Assembler, value: i32, next: super::assemble::Label) {
    let (character, fits) = (out.label(), out.label());
    out.load("L", 0);
    out.instance_of("java/lang/Integer");
    out.jump(153, character);
    out.load("L", 0);
    out.call_virtual("java/lang/Integer", "intValue", "()I");
    out.int(value);
    out.jump(160, next);
    out.jump(167, fits);
    out.place(character);
    out.load("L", 0);
    out.instance_of("java/lang/Character");
    out.jump(153, next);
    out.load("L", 0);
    out.call_virtual("java/lang/Character", "charValue", "()C");
    out.int(value);
    out.jump(160, next);
    out.place(fits);
}
