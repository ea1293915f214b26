//! Conversions between the erased types of an interface method and the types of the
//! method that implements it.
//!
//! The rules are those of `java.lang.invoke.LambdaMetafactory`: primitive widening, boxing, unboxing
//! followed by widening, and casts; which one applies follows from the two types and the
//! instantiated type between them.

use super::assemble::{Assembler, class_of};

/// (primitive descriptor, box class, unboxing method, rank in the widening order).
const BOXES: [(&str, &str, &str); 8] = [
    ("Z", "java/lang/Boolean", "booleanValue"),
    ("B", "java/lang/Byte", "byteValue"),
    ("S", "java/lang/Short", "shortValue"),
    ("C", "java/lang/Character", "charValue"),
    ("I", "java/lang/Integer", "intValue"),
    ("J", "java/lang/Long", "longValue"),
    ("F", "java/lang/Float", "floatValue"),
    ("D", "java/lang/Double", "doubleValue"),
];

/// Whether a descriptor is a primitive type's.
#[must_use]
pub(crate) fn is_primitive(descriptor: &str) -> bool {
    !descriptor.starts_with(['L', '['])
}

/// The box class of a primitive descriptor.
#[must_use]
pub(crate) fn box_class(primitive: &str) -> &'static str {
    BOXES.iter().find(|b| b.0 == primitive).map_or("java/lang/Object", |b| b.1)
}

fn boxed_primitive(descriptor: &str) -> Option<&'static str> {
    BOXES.iter().find(|b| b.1 == class_of(descriptor)).map(|b| b.0)
}

/// Boxes the primitive on top of the stack.
pub(crate) fn write_box(out: &mut Assembler, primitive: &str) {
    let class = box_class(primitive);
    out.call_static(class, "valueOf", &format!("({primitive})L{class};"));
}

/// Takes a primitive out of `class`, its own box or `java/lang/Number`.
fn write_unbox(out: &mut Assembler, class: &str, primitive: &str) {
    if let Some(entry) = BOXES.iter().find(|b| b.0 == primitive) {
        out.call_virtual(class, entry.2, &format!("(){primitive}"));
    }
}

/// Widens a primitive; the caller knows that the widening exists.
fn write_widen(out: &mut Assembler, from: &str, to: &str) {
    let from = if matches!(from, "B" | "S" | "C" | "Z") { "I" } else { from };
    match (from, to) {
        ("I", "J") => out.op(133),
        ("I", "F") => out.op(134),
        ("I", "D") => out.op(135),
        ("J", "F") => out.op(137),
        ("J", "D") => out.op(138),
        ("F", "D") => out.op(141),
        _ => {}
    }
}

/// Converts the value on top of the stack from `from` to `to`; `through` is the instantiated
/// type it is known to have.
pub(crate) fn convert(out: &mut Assembler, from: &str, to: &str, through: &str) {
    if from == "V" || to == "V" || (from == to && from == through) {
        return;
    }
    if is_primitive(from) {
        if is_primitive(to) {
            write_widen(out, from, to);
        } else if let Some(inner) = boxed_primitive(to) {
            write_widen(out, from, inner);
            write_box(out, inner);
        } else {
            write_box(out, from);
        }
        return;
    }
    let source = if is_primitive(through) { from } else { through };
    if source != from {
        out.cast(source);
    }
    if !is_primitive(to) {
        if to != source {
            out.cast(to);
        }
    } else if let Some(inner) = boxed_primitive(source) {
        write_unbox(out, class_of(source), inner);
        write_widen(out, inner, to);
    } else {
        let class = if matches!(to, "C" | "Z") { box_class(to) } else { "java/lang/Number" };
        out.cast(&format!("L{class};"));
        write_unbox(out, class, to);
    }
}
