//! A small class-file assembler: the classes behind lambdas, records and switches are
//! written as ordinary class files.
//!
//! The JDK spins bytecode for an invokedynamic site at run time; we do the same instead of teaching the
//! machine about lambdas. The machine then needs nothing beyond `invokestatic`: forks, exceptions and class
//! initialization inside a spun method are those of any other method. No stack maps are written, because
//! the machine does not verify.

use rustc_hash::FxHashMap;

/// `public`.
pub(crate) const PUBLIC: u16 = 0x0001;
/// `private`.
pub(crate) const PRIVATE: u16 = 0x0002;
/// `static`.
pub(crate) const STATIC: u16 = 0x0008;
/// `final`.
pub(crate) const FINAL: u16 = 0x0010;
/// `synthetic`.
pub(crate) const SYNTHETIC: u16 = 0x1000;
/// `native`.
pub(crate) const NATIVE: u16 = 0x0100;

const SUPER: u16 = 0x0020;

/// The parameter types and the result type of a method descriptor, as descriptors.
///
/// A malformed descriptor gives what was understood of it; the class file reader has checked it before.
#[must_use]
pub(crate) fn split(descriptor: &str) -> (Vec<&str>, &str) {
    let mut types = Vec::new();
    let bytes = descriptor.as_bytes();
    let mut at = 1;
    while at < bytes.len() && bytes[at] != b')' {
        let start = at;
        while at < bytes.len() && bytes[at] == b'[' {
            at += 1;
        }
        if bytes.get(at) == Some(&b'L') {
            while at < bytes.len() && bytes[at] != b';' {
                at += 1;
            }
        }
        at = (at + 1).min(bytes.len());
        types.push(&descriptor[start..at]);
    }
    (types, descriptor.get(at + 1..).unwrap_or("V"))
}

/// Local slots of a value of type `descriptor`.
#[must_use]
pub(crate) fn slots(descriptor: &str) -> u16 {
    match descriptor {
        "V" => 0,
        "J" | "D" => 2,
        _ => 1,
    }
}

/// The operand of `checkcast`, `new`, `instanceof`: an internal class name, or an
/// array's descriptor as it is.
#[must_use]
pub(crate) fn class_of(descriptor: &str) -> &str {
    match descriptor.strip_prefix('L') {
        Some(rest) => rest.strip_suffix(';').unwrap_or(rest),
        None => descriptor,
    }
}

/// The descriptor of the class with an internal name (arrays are descriptors already).
#[must_use]
pub(crate) fn descriptor_of(class: &str) -> String {
    if class.starts_with('[') { class.to_string() } else { format!("L{class};") }
}

/// A jump target inside the method being written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Label(usize);

/// Which call instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    /// `invokevirtual`.
    Virtual,
    /// `invokespecial`.
    Special,
    /// `invokestatic`.
    Static,
    /// `invokeinterface`.
    Interface,
}

/// A member of a class as an instruction names it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Member<'a> {
    /// Internal name of the class.
    pub class: &'a str,
    /// Name of the member.
    pub name: &'a str,
    /// Descriptor of the member.
    pub descriptor: &'a str,
    /// Whether `class` is an interface.
    pub interface: bool,
}

impl<'a> Member<'a> {
    /// A member of a class that is not an interface.
    #[must_use]
    pub(crate) fn new(class: &'a str, name: &'a str, descriptor: &'a str) -> Member<'a> {
        Member { class, name, descriptor, interface: false }
    }
}

/// Writes one class file, method by method.
pub(crate) struct Assembler {
    name: String,
    super_name: String,
    interfaces: Vec<String>,
    pool: Vec<u8>,
    entries: u16,
    known: FxHashMap<Vec<u8>, u16>,
    fields: Vec<u8>,
    field_count: u16,
    methods: Vec<u8>,
    method_count: u16,
    code: Vec<u8>,
    labels: Vec<Option<usize>>,
    jumps: Vec<(usize, usize, Label)>,
    loads: u16,
    head: (u16, String, String),
}

impl Assembler {
    /// Begins a final class.
    #[must_use]
    pub(crate) fn new(name: &str, super_name: &str, interfaces: &[&str]) -> Assembler {
        Assembler {
            name: name.to_string(),
            super_name: super_name.to_string(),
            interfaces: interfaces.iter().map(|i| (*i).to_string()).collect(),
            pool: Vec::new(),
            entries: 1,
            known: FxHashMap::default(),
            fields: Vec::new(),
            field_count: 0,
            methods: Vec::new(),
            method_count: 0,
            code: Vec::new(),
            labels: Vec::new(),
            jumps: Vec::new(),
            loads: 0,
            head: (0, String::new(), String::new()),
        }
    }

    fn entry(&mut self, bytes: Vec<u8>) -> u16 {
        if let Some(&index) = self.known.get(&bytes) {
            return index;
        }
        let index = self.entries;
        self.pool.extend_from_slice(&bytes);
        self.entries += if matches!(bytes[0], 5 | 6) { 2 } else { 1 };
        self.known.insert(bytes, index);
        index
    }

    fn utf8(&mut self, units: &[u16]) -> u16 {
        let mut text = Vec::new();
        for &unit in units {
            let low = |shift: u16| (0x80 | ((unit >> shift) & 0x3f)) as u8;
            match unit {
                1..=0x7f => text.push(unit as u8),
                0 | 0x80..=0x7ff => text.extend([0xc0 | (unit >> 6) as u8, low(0)]),
                _ => text.extend([0xe0 | (unit >> 12) as u8, low(6), low(0)]),
            }
        }
        let mut bytes = vec![1];
        bytes.extend((text.len() as u16).to_be_bytes());
        bytes.extend(text);
        self.entry(bytes)
    }

    fn text(&mut self, text: &str) -> u16 {
        let units: Vec<u16> = text.encode_utf16().collect();
        self.utf8(&units)
    }

    fn pair(&mut self, tag: u8, first: u16, second: u16) -> u16 {
        let mut bytes = vec![tag];
        bytes.extend(first.to_be_bytes());
        bytes.extend(second.to_be_bytes());
        self.entry(bytes)
    }

    fn single(&mut self, tag: u8, index: u16) -> u16 {
        let mut bytes = vec![tag];
        bytes.extend(index.to_be_bytes());
        self.entry(bytes)
    }

    fn class_entry(&mut self, class: &str) -> u16 {
        let name = self.text(class);
        self.single(7, name)
    }

    fn member_entry(&mut self, tag: u8, member: Member) -> u16 {
        let class = self.class_entry(member.class);
        let name = self.text(member.name);
        let descriptor = self.text(member.descriptor);
        let both = self.pair(12, name, descriptor);
        self.pair(tag, class, both)
    }

    /// Declares a field.
    pub(crate) fn field(&mut self, access: u16, name: &str, descriptor: &str) {
        let name = self.text(name);
        let descriptor = self.text(descriptor);
        for part in [access, name, descriptor, 0] {
            self.fields.extend(part.to_be_bytes());
        }
        self.field_count += 1;
    }

    /// Begins a method; its instructions follow, then [`Assembler::end`].
    pub(crate) fn begin(&mut self, access: u16, name: &str, descriptor: &str) {
        self.code.clear();
        self.labels.clear();
        self.jumps.clear();
        self.loads = 0;
        self.head = (access, name.to_string(), descriptor.to_string());
    }

    /// Ends the method begun last; `extra` slots beyond the parameters may be used as locals.
    pub(crate) fn end(&mut self, extra: u16) {
        for &(start, at, label) in &self.jumps {
            let target = self.labels[label.0].unwrap_or(start);
            let offset = (target as i64 - start as i64) as i16;
            self.code[at..at + 2].copy_from_slice(&offset.to_be_bytes());
        }
        let (access, name, descriptor) = std::mem::take(&mut self.head);
        let (parameters, _) = split(&descriptor);
        let arguments: u16 = parameters.iter().map(|p| slots(p)).sum();
        let attribute = self.text("Code");
        let name = self.text(&name);
        let descriptor = self.text(&descriptor);
        let mut out = Vec::new();
        let instance = u16::from(access & STATIC == 0);
        for part in [access, name, descriptor, 1, attribute] {
            out.extend(part.to_be_bytes());
        }
        out.extend((12 + self.code.len() as u32).to_be_bytes());
        // The machine only needs enough room: for the loaded values and a few words.
        for part in [2 * self.loads + 16, arguments + instance + extra] {
            out.extend(part.to_be_bytes());
        }
        out.extend((self.code.len() as u32).to_be_bytes());
        out.extend_from_slice(&self.code);
        out.extend([0, 0, 0, 0]);
        self.methods.extend(out);
        self.method_count += 1;
    }

    /// Declares a native method.
    pub(crate) fn native(&mut self, access: u16, name: &str, descriptor: &str) {
        let name = self.text(name);
        let descriptor = self.text(descriptor);
        for part in [access | NATIVE, name, descriptor, 0] {
            self.methods.extend(part.to_be_bytes());
        }
        self.method_count += 1;
    }

    /// The class file.
    #[must_use]
    pub(crate) fn finish(mut self) -> Vec<u8> {
        let (name, super_name) = (self.name.clone(), self.super_name.clone());
        let this = self.class_entry(&name);
        let parent = self.class_entry(&super_name);
        let interfaces: Vec<u16> =
            std::mem::take(&mut self.interfaces).iter().map(|i| self.class_entry(i)).collect();
        let mut out = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 52];
        out.extend(self.entries.to_be_bytes());
        out.extend(self.pool);
        for part in [PUBLIC | FINAL | SUPER | SYNTHETIC, this, parent, interfaces.len() as u16] {
            out.extend(part.to_be_bytes());
        }
        for interface in interfaces {
            out.extend(interface.to_be_bytes());
        }
        out.extend(self.field_count.to_be_bytes());
        out.extend(self.fields);
        out.extend(self.method_count.to_be_bytes());
        out.extend(self.methods);
        out.extend([0, 0]);
        out
    }

    /// An instruction without operands.
    pub(crate) fn op(&mut self, opcode: u8) {
        self.code.push(opcode);
    }

    fn op2(&mut self, opcode: u8, operand: u16) {
        self.code.push(opcode);
        self.code.extend(operand.to_be_bytes());
    }

    /// Loads a local of a type.
    pub(crate) fn load(&mut self, descriptor: &str, slot: u16) {
        self.loads += 1;
        let opcode = 21 + kind_offset(descriptor);
        self.code.extend([0xc4, opcode]);
        self.code.extend(slot.to_be_bytes());
    }

    /// Stores into a local of a type.
    pub(crate) fn store(&mut self, descriptor: &str, slot: u16) {
        let opcode = 54 + kind_offset(descriptor);
        self.code.extend([0xc4, opcode]);
        self.code.extend(slot.to_be_bytes());
    }

    /// Returns a value of a type (or nothing, for `V`).
    pub(crate) fn give(&mut self, descriptor: &str) {
        self.op(if descriptor == "V" { 177 } else { 172 + kind_offset(descriptor) });
    }

    /// Pushes an int.
    pub(crate) fn int(&mut self, value: i32) {
        if let Ok(short) = i16::try_from(value) {
            self.op2(17, short as u16);
        } else {
            let mut bytes = vec![3];
            bytes.extend(value.to_be_bytes());
            let index = self.entry(bytes);
            self.op2(19, index);
        }
    }

    /// Pushes a string literal.
    pub(crate) fn string(&mut self, units: &[u16]) {
        let text = self.utf8(units);
        let index = self.single(8, text);
        self.op2(19, index);
    }

    /// Pushes a class mirror.
    pub(crate) fn class(&mut self, class: &str) {
        let index = self.class_entry(class);
        self.op2(19, index);
    }

    /// `new`.
    pub(crate) fn new_object(&mut self, class: &str) {
        let index = self.class_entry(class);
        self.op2(187, index);
    }

    /// `checkcast`; nothing is written for `Object`.
    pub(crate) fn cast(&mut self, descriptor: &str) {
        if descriptor != "Ljava/lang/Object;" {
            let index = self.class_entry(class_of(descriptor));
            self.op2(192, index);
        }
    }

    /// `instanceof`.
    pub(crate) fn instance_of(&mut self, class: &str) {
        let index = self.class_entry(class);
        self.op2(193, index);
    }

    /// `getfield`.
    pub(crate) fn get_field(&mut self, member: Member) {
        let index = self.member_entry(9, member);
        self.op2(180, index);
    }

    /// `putfield`.
    pub(crate) fn put_field(&mut self, member: Member) {
        let index = self.member_entry(9, member);
        self.op2(181, index);
    }

    /// `getstatic`.
    pub(crate) fn get_static(&mut self, member: Member) {
        let index = self.member_entry(9, member);
        self.op2(178, index);
    }

    /// `putstatic`.
    pub(crate) fn put_static(&mut self, member: Member) {
        let index = self.member_entry(9, member);
        self.op2(179, index);
    }

    /// A call.
    pub(crate) fn invoke(&mut self, call: Call, member: Member) {
        let index = self.member_entry(if member.interface { 11 } else { 10 }, member);
        match call {
            Call::Virtual => self.op2(182, index),
            Call::Special => self.op2(183, index),
            Call::Static => self.op2(184, index),
            Call::Interface => {
                self.op2(185, index);
                let count: u16 = split(member.descriptor).0.iter().map(|p| slots(p)).sum();
                self.code.extend([(count + 1) as u8, 0]);
            }
        }
    }

    /// `invokestatic` of a class's method.
    pub(crate) fn call_static(&mut self, class: &str, name: &str, descriptor: &str) {
        self.invoke(Call::Static, Member::new(class, name, descriptor));
    }

    /// `invokevirtual`.
    pub(crate) fn call_virtual(&mut self, class: &str, name: &str, descriptor: &str) {
        self.invoke(Call::Virtual, Member::new(class, name, descriptor));
    }

    /// A label to be placed later.
    pub(crate) fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() - 1)
    }

    /// Places a label here.
    pub(crate) fn place(&mut self, label: Label) {
        self.labels[label.0] = Some(self.code.len());
    }

    /// A jump instruction to a label.
    pub(crate) fn jump(&mut self, opcode: u8, label: Label) {
        let start = self.code.len();
        self.op2(opcode, 0);
        self.jumps.push((start, start + 1, label));
    }
}

/// Offset of the typed variant of load, store and return instructions.
fn kind_offset(descriptor: &str) -> u8 {
    match descriptor.as_bytes().first() {
        Some(b'J') => 1,
        Some(b'F') => 2,
        Some(b'D') => 3,
        Some(b'L' | b'[') => 4,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptors_split() {
        assert_eq!(split("(I[[JLa/B;D)V"), (vec!["I", "[[J", "La/B;", "D"], "V"));
        assert_eq!(split("()La/B;"), (vec![], "La/B;"));
        assert_eq!(class_of("[La/B;"), "[La/B;");
        assert_eq!(class_of("La/B;"), "a/B");
    }
}
