//! A class file put together by hand, byte by byte, and nothing that the reader or the rewriter shares.

/// Collects the parts of a class; [`Assembler::finish`] writes them.
pub(crate) struct Assembler {
    pub version: (u16, u16),
    pool: Vec<u8>,
    pub count: u32,
    methods: Vec<Vec<u8>>,
    attributes: Vec<Vec<u8>>,
}

impl Assembler {
    pub(crate) fn new(version: (u16, u16)) -> Assembler {
        Assembler { version, pool: Vec::new(), count: 1, methods: Vec::new(), attributes: Vec::new() }
    }

    /// Adds a pool entry of these bytes; its index.
    pub(crate) fn entry(&mut self, bytes: &[u8]) -> u16 {
        self.pool.extend(bytes);
        self.count += 1;
        (self.count - 1) as u16
    }

    /// Adds a long or double, which takes two indices.
    pub(crate) fn wide_entry(&mut self, tag: u8, bits: u64) -> u16 {
        let index = self.entry(&[&[tag][..], &bits.to_be_bytes()].concat());
        self.count += 1;
        index
    }

    pub(crate) fn utf8(&mut self, text: &str) -> u16 {
        self.utf8_bytes(text.as_bytes())
    }

    pub(crate) fn utf8_bytes(&mut self, text: &[u8]) -> u16 {
        self.entry(&[&[1][..], &(text.len() as u16).to_be_bytes(), text].concat())
    }

    pub(crate) fn refer(&mut self, tag: u8, to: u16) -> u16 {
        self.entry(&[&[tag][..], &to.to_be_bytes()].concat())
    }

    pub(crate) fn refer2(&mut self, tag: u8, a: u16, b: u16) -> u16 {
        self.entry(&[&[tag][..], &a.to_be_bytes(), &b.to_be_bytes()].concat())
    }

    pub(crate) fn class(&mut self, name: &str) -> u16 {
        let name = self.utf8(name);
        self.refer(7, name)
    }

    pub(crate) fn name_and_type(&mut self, name: &str, descriptor: &str) -> u16 {
        let (name, descriptor) = (self.utf8(name), self.utf8(descriptor));
        self.refer2(12, name, descriptor)
    }

    pub(crate) fn member(&mut self, tag: u8, class: &str, name: &str, descriptor: &str) -> u16 {
        let (class, name) = (self.class(class), self.name_and_type(name, descriptor));
        self.refer2(tag, class, name)
    }

    /// Adds a static method with this code and these handlers (from, to, target, class).
    pub(crate) fn method(&mut self, name: &str, descriptor: &str, code: &[u8], handlers: &[[u16; 4]]) {
        self.method_with(name, descriptor, code, handlers, &[]);
    }

    /// The same, with attributes of the code (already written).
    pub(crate) fn method_with(
        &mut self,
        name: &str,
        descriptor: &str,
        code: &[u8],
        handlers: &[[u16; 4]],
        attributes: &[Vec<u8>],
    ) {
        let (name, descriptor, attribute) = (self.utf8(name), self.utf8(descriptor), self.utf8("Code"));
        let mut body = Vec::new();
        if self.version < (45, 3) {
            body.extend([9, 9]);
            body.extend((code.len() as u16).to_be_bytes());
        } else {
            body.extend([0, 9, 0, 9]);
            body.extend((code.len() as u32).to_be_bytes());
        }
        body.extend(code);
        body.extend((handlers.len() as u16).to_be_bytes());
        body.extend(handlers.iter().flatten().flat_map(|n| n.to_be_bytes()));
        body.extend((attributes.len() as u16).to_be_bytes());
        body.extend(attributes.iter().flatten());
        let mut method = [9, name, descriptor, 1, attribute].map(u16::to_be_bytes).concat();
        method.extend((body.len() as u32).to_be_bytes());
        method.extend(body);
        self.methods.push(method);
    }

    /// An attribute as bytes, for a method's code.
    pub(crate) fn attribute(&mut self, name: &str, body: &[u8]) -> Vec<u8> {
        let name = self.utf8(name);
        [&name.to_be_bytes()[..], &(body.len() as u32).to_be_bytes(), body].concat()
    }

    /// Adds an attribute of the class.
    pub(crate) fn class_attribute(&mut self, name: &str, body: &[u8]) {
        let bytes = self.attribute(name, body);
        self.attributes.push(bytes);
    }

    /// The class file of the public class `name`.
    pub(crate) fn finish(mut self, name: &str) -> Vec<u8> {
        let (this, parent) = (self.class(name), self.class("java/lang/Object"));
        let mut bytes = vec![0xCA, 0xFE, 0xBA, 0xBE];
        for n in [self.version.1, self.version.0, self.count as u16] {
            bytes.extend(n.to_be_bytes());
        }
        bytes.extend(&self.pool);
        for n in [0x21, this, parent, 0, 0, self.methods.len() as u16] {
            bytes.extend(n.to_be_bytes());
        }
        bytes.extend(self.methods.iter().flatten());
        bytes.extend((self.attributes.len() as u16).to_be_bytes());
        bytes.extend(self.attributes.iter().flatten());
        bytes
    }
}
