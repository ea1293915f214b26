//! `ObjectMethods`: `equals`, `hashCode` and `toString` of records.
//!
//! As the JDK defines them: equality of primitives is that of the box's `compare`, the hash is `31 * h +
//! hash(component)` starting from 0, the text is `Name[a=1, b=2]`.

use super::adapt::{box_class, is_primitive};
use super::assemble::{Assembler, Member, PUBLIC, STATIC, descriptor_of};
use super::concat;

/// A record class and its components in order: (name, descriptor).
pub(crate) struct Record<'a> {
    /// Internal name of the record class.
    pub class: &'a str,
    /// Name and descriptor of each component's field.
    pub components: Vec<(String, String)>,
}

/// The class file with a static method `method` of the site's descriptor; `None` for an unknown method.
#[must_use]
pub(crate) fn spin(name: &str, method: &str, site: &str, record: &Record) -> Option<Vec<u8>> {
    let mut out = Assembler::new(name, "java/lang/Object", &[]);
    out.begin(PUBLIC | STATIC, method, site);
    match method {
        "equals" => write_equals(&mut out, record),
        "hashCode" => write_hash(&mut out, record),
        "toString" => write_text(&mut out, record),
        _ => return None,
    }
    out.end(1);
    Some(out.finish())
}

fn write_component(out: &mut Assembler, record: &Record, index: usize, slot: u16) {
    let (name, descriptor) = &record.components[index];
    out.load("L", slot);
    out.get_field(Member::new(record.class, name, descriptor));
}

fn write_equals(out: &mut Assembler, record: &Record) {
    let (yes, no) = (out.label(), out.label());
    out.load("L", 0);
    out.load("L", 1);
    out.jump(165, yes);
    out.load("L", 1);
    out.instance_of(record.class);
    out.jump(153, no);
    out.load("L", 1);
    out.cast(&descriptor_of(record.class));
    out.store("L", 2);
    for (i, (_, descriptor)) in record.components.iter().enumerate() {
        write_component(out, record, i, 0);
        write_component(out, record, i, 2);
        match descriptor.as_str() {
            "I" | "Z" | "B" | "S" | "C" => out.jump(160, no),
            "J" => {
                out.op(148);
                out.jump(154, no);
            }
            "F" | "D" => {
                out.call_static(box_class(descriptor), "compare", &format!("({descriptor}{descriptor})I"));
                out.jump(154, no);
            }
            _ => {
                out.call_static("java/util/Objects", "equals", "(Ljava/lang/Object;Ljava/lang/Object;)Z");
                out.jump(153, no);
            }
        }
    }
    out.place(yes);
    out.int(1);
    out.give("Z");
    out.place(no);
    out.int(0);
    out.give("Z");
}

fn write_hash(out: &mut Assembler, record: &Record) {
    out.int(0);
    for (i, (_, descriptor)) in record.components.iter().enumerate() {
        out.int(31);
        out.op(104);
        write_component(out, record, i, 0);
        if is_primitive(descriptor) {
            out.call_static(box_class(descriptor), "hashCode", &format!("({descriptor})I"));
        } else {
            out.call_static("java/util/Objects", "hashCode", "(Ljava/lang/Object;)I");
        }
        out.op(96);
    }
    out.give("I");
}

fn write_text(out: &mut Assembler, record: &Record) {
    let units = |text: &str| text.encode_utf16().collect::<Vec<u16>>();
    concat::write_builder(out);
    out.class(record.class);
    out.call_virtual("java/lang/Class", "getSimpleName", "()Ljava/lang/String;");
    concat::write_value(out, "Ljava/lang/String;");
    for (i, (name, descriptor)) in record.components.iter().enumerate() {
        let lead = if i == 0 { "[" } else { ", " };
        concat::write_text(out, &units(&format!("{lead}{name}=")));
        write_component(out, record, i, 0);
        concat::write_value(out, descriptor);
    }
    concat::write_text(out, &units(if record.components.is_empty() { "[]" } else { "]" }));
    concat::write_finish(out);
    out.give("Ljava/lang/String;");
}
