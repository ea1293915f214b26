//! Classes and fields that the machine itself touches: found once, by name.

use std::rc::Rc;

use evergreen_classfile::{Code, Instruction};

use crate::classes::{ClassId, Method, MethodBody, MethodId, Pool, Resolved, access};
use crate::machine::Jvm;
use crate::native::Trap;
use crate::object::{Body, Object};
use crate::state::State;
use crate::value::{Ref, Value};

/// Classes and fields that the machine itself touches.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub(crate) struct Known {
    pub string: Option<ClassId>,
    pub class: Option<ClassId>,
    pub error: Option<ClassId>,
    pub bytes: Option<ClassId>,
    /// `String.value`
    pub string_value: usize,
    /// `String.coder`
    pub string_coder: usize,
    pub builder: Option<ClassId>,
    pub buffer: Option<ClassId>,
    /// `AbstractStringBuilder.value`
    pub builder_value: usize,
    /// `AbstractStringBuilder.coder`
    pub builder_coder: usize,
    /// `AbstractStringBuilder.count`
    pub builder_count: usize,
    /// `Throwable.detailMessage`
    pub throwable_message: usize,
    /// A method that only returns, for classes without `<clinit>`.
    pub no_initializer: Option<Rc<Method>>,
}

impl Jvm {
    pub(crate) fn find_known(&mut self) -> Result<(), Trap> {
        let object = self.load("java/lang/Object")?;
        let string = self.load("java/lang/String")?;
        let class = self.load("java/lang/Class")?;
        let throwable = self.load("java/lang/Throwable")?;
        let builder = self.load("java/lang/StringBuilder")?;
        let buffer = self.load("java/lang/StringBuffer")?;
        self.known = Known {
            string: Some(string),
            class: Some(class),
            error: Some(self.load("java/lang/Error")?),
            bytes: Some(self.load("[B")?),
            string_value: self.known_field(string, "value")?,
            string_coder: self.known_field(string, "coder")?,
            builder: Some(builder),
            buffer: Some(buffer),
            builder_value: self.known_field(builder, "value")?,
            builder_coder: self.known_field(builder, "coder")?,
            builder_count: self.known_field(builder, "count")?,
            throwable_message: self.known_field(throwable, "detailMessage")?,
            no_initializer: Some(Rc::new(self.empty_initializer(object))),
        };
        Ok(())
    }

    fn empty_initializer(&mut self, object: ClassId) -> Method {
        let code = Code {
            max_stack: 0,
            max_locals: 0,
            instructions: vec![Instruction::Return(None)],
            switches: Vec::new(),
            handlers: Vec::new(),
            lines: Vec::new(),
            variables: Vec::new(),
            offsets: vec![0],
        };
        Method {
            id: MethodId(0),
            class: object,
            class_name: self.class(object).name.clone(),
            name: "<clinit>".into(),
            descriptor: "()V".into(),
            signature: self.signature(&"<clinit>".into(), &"()V".into()),
            access: access::STATIC,
            arguments: Box::new([]),
            argument_slots: 0,
            result: None,
            body: MethodBody::Code(Rc::new(code)),
            vtable_index: None,
            data: 0,
            pool: Rc::new(Pool::default()),
            user: false,
        }
    }

    /// The slot of an instance field by name.
    pub fn known_field(&self, class: ClassId, name: &str) -> Result<usize, Trap> {
        match self.class(class).instance_field(name) {
            Some(field) => Ok(field.slot as usize),
            None => Err(Trap::unsupported(
                format!("a JDK whose {} has no field {name}", self.class(class).java_name()),
                "use a JDK from 9 to 25",
            )),
        }
    }

    /// A new object of a class, its fields at their defaults. No constructor runs.
    pub fn new_instance(&mut self, state: &mut State, class: ClassId) -> Ref {
        let blank = self.class(class).blank.clone();
        state.heap.new_object(class, Body::Fields(blank))
    }

    /// A new Java string.
    pub fn new_string(&mut self, state: &mut State, units: &[u16]) -> Ref {
        let latin = units.iter().all(|unit| *unit < 256);
        let bytes: Vec<i8> = if latin {
            units.iter().map(|unit| *unit as i8).collect()
        } else {
            units.iter().flat_map(|unit| unit.to_le_bytes()).map(|byte| byte as i8).collect()
        };
        let (Some(string), Some(byte_array)) = (self.known.string, self.known.bytes) else {
            unreachable!("a machine is made with these classes")
        };
        let array = state.heap.new_object(byte_array, Body::Bytes(bytes.into()));
        self.string_of(state, string, array, latin)
    }

    fn string_of(&mut self, state: &mut State, string: ClassId, array: Ref, latin: bool) -> Ref {
        let object = self.new_instance(state, string);
        state.heap.store(object, self.known.string_value, Value::Ref(array));
        state.heap.store(object, self.known.string_coder, Value::Int(i32::from(!latin)));
        object
    }

    /// A new Java string with these units, symbolic ones among them: all below 256.
    pub fn new_latin_string(&mut self, state: &mut State, units: &[Value]) -> Ref {
        let (Some(string), Some(byte_array)) = (self.known.string, self.known.bytes) else {
            unreachable!("a machine is made with these classes")
        };
        let mut body = Body::array(crate::value::Kind::Byte, units.len());
        for (index, unit) in units.iter().enumerate() {
            body.set(index, *unit);
        }
        let array = state.heap.new_object(byte_array, body);
        self.string_of(state, string, array, true)
    }

    /// A new Java string.
    pub fn new_text(&mut self, state: &mut State, text: &str) -> Ref {
        let units: Vec<u16> = text.encode_utf16().collect();
        self.new_string(state, &units)
    }

    /// The units of a Java string, if `object` is one and they are concrete.
    pub fn string_units(&self, state: &State, object: Ref) -> Option<Vec<u16>> {
        let found = state.heap.get(object);
        if Some(found.class) != self.known.string {
            return None;
        }
        let coder = found.body.get(self.known.string_coder)?.as_int()?;
        let Body::Bytes(bytes) = &state.heap.get(found.body.get(self.known.string_value)?.as_ref()?).body
        else {
            return None;
        };
        Some(if coder == 0 {
            bytes.iter().map(|byte| u16::from(*byte as u8)).collect()
        } else {
            bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0] as u8, pair[1] as u8])).collect()
        })
    }

    /// The text of a Java string, if it is concrete; lone surrogates are replaced.
    pub fn string_text(&self, state: &State, object: Ref) -> Option<String> {
        self.string_units(state, object).map(|units| String::from_utf16_lossy(&units))
    }

    /// The interned string with these units.
    pub fn intern(&mut self, state: &mut State, units: &[u16]) -> Ref {
        let literal = self.literal(units);
        self.literal_ref(state, literal, units)
    }

    /// The number of a literal.
    pub(crate) fn literal(&mut self, units: &[u16]) -> u32 {
        if let Some(literal) = self.literals.get(units) {
            return *literal;
        }
        let next = self.literals.len() as u32;
        self.literals.insert(units.into(), next);
        next
    }

    fn literal_ref(&mut self, state: &mut State, literal: u32, units: &[u16]) -> Ref {
        if let Some(Some(object)) = state.literals.get(literal as usize) {
            return *object;
        }
        let object = self.new_string(state, units);
        self.set_literal(state, literal, object);
        object
    }

    fn set_literal(&mut self, state: &mut State, literal: u32, object: Ref) {
        state.literals.grow(literal as usize + 1, None);
        state.literals.set(literal as usize, Some(object));
    }

    /// `String.intern`: the canonical object with the units of `object`, which is `object`
    /// itself if there was none.
    pub fn intern_object(&mut self, state: &mut State, object: Ref) -> Option<Ref> {
        let units = self.string_units(state, object)?;
        let literal = self.literal(&units);
        if let Some(Some(known)) = state.literals.get(literal as usize) {
            return Some(*known);
        }
        self.set_literal(state, literal, object);
        Some(object)
    }

    /// The `java.lang.Class` object of a class.
    pub fn mirror(&mut self, state: &mut State, class: ClassId) -> Ref {
        if let Some(Some(mirror)) = state.mirrors.get(class.0 as usize) {
            return *mirror;
        }
        let Some(class_class) = self.known.class else { unreachable!("a machine is made with this class") };
        let blank = self.class(class_class).blank.clone();
        let mirror = state.heap.add(Object { class: class_class, extra: class.0, body: Body::Fields(blank) });
        state.mirrors.grow(class.0 as usize + 1, None);
        state.mirrors.set(class.0 as usize, Some(mirror));
        if let crate::classes::Shape::Array { element, .. } = self.class(class).shape
            && let Ok(slot) = self.known_field(class_class, "componentType")
        {
            let component = self.mirror(state, element);
            state.heap.store(mirror, slot, Value::Ref(component));
        }
        mirror
    }

    /// The class that a `java.lang.Class` object stands for.
    pub fn class_of_mirror(&self, state: &State, mirror: Ref) -> Option<ClassId> {
        let object = state.heap.get(mirror);
        (Some(object.class) == self.known.class).then_some(ClassId(object.extra))
    }

    /// A static field by class and name: its class and slot.
    pub fn known_static(&self, class: ClassId, name: &str) -> Option<Resolved> {
        let field = self.class(class).static_field(name)?;
        Some(Resolved::Static { class, slot: field.slot, kind: field.kind })
    }
}
