//! Strings with symbolic numbers or characters in them, kept as parts until code reads how
//! their objects store them.
//!
//! `"Index " + i + " out of bounds"` has as many shapes as `i` has signs and lengths. Messages and lines of
//! output are mostly never looked at by the program, so such a string is a *rope*: an ordinary `String`
//! object whose `value` and `coder` are unset and whose [`Object::extra`] names its parts. The instruction
//! that first reads one of these fields writes the string out; only then the path branches, once for each
//! shape that is possible. A `StringBuilder` that a symbolic number was appended to is kept in the same way.
//!
//! A shape has a *coder* too: `String` stores one byte a character where all are below 256, and two bytes
//! otherwise. Strings as inputs are ropes of their characters, and the methods that only ask for these
//! (`natives/characters.rs`) never decide the coder.

use std::rc::Rc;

use evergreen_symbolic::{Assignment, Binary, Cast, Cond, Const, Expr, Kind as Bits, Rel};

use crate::describe::print;
use crate::machine::Jvm;
use crate::native::Trap;
use crate::object::Object;
use crate::state::State;
use crate::text::Open;
use crate::value::{Kind, Ref, Value};

/// A part of a rope.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Part {
    /// Text, UTF-16.
    Text(Rc<[u16]>),
    /// A symbolic value, as Java prints its type.
    Symbolic(Kind, Expr),
    /// A string that is an input: its characters are inputs that are made when a path looks at them.
    Input(Open),
}

impl Part {
    /// A part of fixed text.
    pub fn text(text: &str) -> Part {
        Part::Text(text.encode_utf16().collect())
    }

    /// A primitive value as a part.
    pub fn of(kind: Kind, value: Value) -> Part {
        match value {
            Value::Sym(expr) => Part::Symbolic(kind, expr),
            concrete => Part::Text(print(kind, concrete).into()),
        }
    }

    /// The string of open length that this is.
    pub(crate) fn open(&self) -> Option<&Open> {
        match self {
            Part::Input(open) => Some(open),
            _ => None,
        }
    }
}

/// Characters that a builder of a string has room for behind it.
pub(crate) const SPARE: usize = 16;

impl Jvm {
    /// A new string of parts: an ordinary one if all of them are text.
    pub fn new_rope(&mut self, state: &mut State, parts: &[Part]) -> Ref {
        let mut joined: Vec<Part> = Vec::new();
        for part in parts {
            match (joined.last_mut(), part) {
                (Some(Part::Text(before)), Part::Text(more)) => {
                    *before = before.iter().chain(more.iter()).copied().collect();
                }
                _ => joined.push(part.clone()),
            }
        }
        match &joined[..] {
            [] => self.new_string(state, &[]),
            [Part::Text(units)] => self.new_string(state, units),
            _ => self.rope_of(state, joined.into()),
        }
    }

    /// A new string of these units, symbolic ones among them.
    pub(crate) fn new_units(&mut self, state: &mut State, units: &[Value]) -> Ref {
        let parts: Vec<Part> = units.iter().map(|unit| Part::of(Kind::Char, *unit)).collect();
        self.new_rope(state, &parts)
    }

    /// The units of a string whose length is known: a rope of texts and characters, or a concrete string.
    pub(crate) fn units(&self, state: &State, object: Ref) -> Option<Vec<Value>> {
        match self.rope(state, object) {
            Some(parts) => units_of(&parts),
            None => self.string_units(state, object).map(|units| units.iter().map(int).collect()),
        }
    }

    /// The same, also of a string that was written out.
    pub(crate) fn written_units(&self, state: &State, object: Ref) -> Option<Vec<Value>> {
        units_of(&self.parts(state, object)?)
    }

    // The number by which an object names the parts.
    pub(crate) fn rope_number(&mut self, parts: Rc<[Part]>) -> u32 {
        let next = self.ropes.len() as u32;
        let number = *self.rope_numbers.entry(parts.clone()).or_insert(next);
        if number == next {
            self.ropes.push(parts);
        }
        number + 1
    }

    fn rope_of(&mut self, state: &mut State, parts: Rc<[Part]>) -> Ref {
        let extra = self.rope_number(parts);
        let Some(string) = self.known.string else { unreachable!("a machine is made with this class") };
        let mut fields = self.class(string).blank.to_vec();
        fields[self.known.string_value] = Value::Null;
        fields[self.known.string_coder] = Value::Null;
        state.heap.add(Object { class: string, extra, body: crate::Body::Fields(fields.into()) })
    }

    /// Makes a string builder or buffer keep its characters as parts.
    pub fn make_rope(&mut self, state: &mut State, builder: Ref, parts: Vec<Part>) {
        let extra = self.rope_number(parts.into());
        for slot in [self.known.builder_value, self.known.builder_coder, self.known.builder_count] {
            state.heap.store(builder, slot, Value::Null);
        }
        state.heap.get_mut(builder).extra = extra;
    }

    /// The parts of a string or string builder that is a rope.
    pub fn rope(&self, state: &State, object: Ref) -> Option<Rc<[Part]>> {
        let found = state.heap.get(object);
        let known = &self.known;
        let may_be = [known.string, known.builder, known.buffer].contains(&Some(found.class));
        if found.extra == 0 || !may_be {
            return None;
        }
        self.ropes.get(found.extra as usize - 1).cloned()
    }

    /// The parts of any string: a rope's own, one text of a concrete string, the characters of others; `None`
    /// if their bytes were not made of characters.
    pub fn parts(&self, state: &State, object: Ref) -> Option<Rc<[Part]>> {
        if let Some(parts) = self.rope(state, object) {
            return Some(parts);
        }
        if let Some(units) = self.string_units(state, object) {
            return Some(Rc::new([Part::Text(units.into())]));
        }
        let found = state.heap.get(object);
        if Some(found.class) != self.known.string {
            return None;
        }
        let value = found.body.get(self.known.string_value)?.as_ref()?;
        match found.body.get(self.known.string_coder)? {
            Value::Int(0) => Some(self.latin_parts(&state.heap.get(value).body.values()).into()),
            Value::Int(1) => Some(self.wide_parts(&state.heap.get(value).body.values())?.into()),
            _ => None,
        }
    }

    /// Characters of Latin-1, given as bytes, as parts.
    pub(crate) fn latin_parts(&self, bytes: &[Value]) -> Vec<Part> {
        let mut exprs = self.exprs.borrow_mut();
        let mut parts = Vec::new();
        let mut text: Vec<u16> = Vec::new();
        for byte in bytes {
            let Value::Sym(expr) = byte else {
                text.push(byte.as_int().unwrap_or(0) as u16 & 0xff);
                continue;
            };
            if !text.is_empty() {
                parts.push(Part::Text(std::mem::take(&mut text).into()));
            }
            let mask = exprs.constant(Const::I32(0xff));
            parts.push(Part::Symbolic(Kind::Char, exprs.binary(Binary::And, *expr, mask)));
        }
        if !text.is_empty() {
            parts.push(Part::Text(text.into()));
        }
        parts
    }

    /// Characters of two bytes each, as parts.
    pub(crate) fn wide_parts(&self, bytes: &[Value]) -> Option<Vec<Part>> {
        let mut parts: Vec<Part> = Vec::new();
        for pair in bytes.chunks_exact(2) {
            parts.push(Part::of(Kind::Char, self.paired_unit(pair[0], pair[1])?));
        }
        Some(parts)
    }

    /// The character of two bytes, low one first; `None` if it is symbolic and no
    /// instruction has taken it apart.
    pub(crate) fn paired_unit(&self, low: Value, high: Value) -> Option<Value> {
        match (low, high) {
            (Value::Int(low), Value::Int(high)) => {
                Some(Value::Int(i32::from(u16::from_le_bytes([low as u8, high as u8]))))
            }
            _ => {
                let pair = (self.byte_expr(low)?, self.byte_expr(high)?);
                self.paired.get(&pair).map(|unit| Value::Sym(*unit))
            }
        }
    }

    fn byte_expr(&self, byte: Value) -> Option<Expr> {
        match byte {
            Value::Sym(expr) => Some(expr),
            other => Some(self.exprs.borrow_mut().constant(Const::I32(other.as_int()?))),
        }
    }

    /// The text of parts under an assignment of the inputs.
    pub fn parts_under(&self, parts: &[Part], inputs: &Assignment) -> Vec<u16> {
        let mut all = Vec::new();
        for part in parts {
            match part {
                Part::Text(units) => all.extend_from_slice(units),
                Part::Symbolic(kind, expr) => {
                    all.extend(print(*kind, self.evaluate(Value::Sym(*expr), inputs)))
                }
                Part::Input(open) => all.extend(self.text_under(open, inputs)),
            }
        }
        all
    }

    /// Writes a rope out, so that its characters can be read; the path branches for each shape. Does
    /// nothing to other strings.
    pub fn write_out(&mut self, state: &mut State, object: Ref) -> Result<(), Trap> {
        let Some(parts) = self.rope(state, object) else { return Ok(()) };
        let mut units = Vec::new();
        for part in parts.iter() {
            match part {
                Part::Text(text) => units.extend(text.iter().map(|unit| Value::Int(i32::from(*unit)))),
                Part::Symbolic(kind, expr) => self.write_symbolic(state, *kind, *expr, &mut units)?,
                Part::Input(open) => units.extend(self.choose_text(state, open)?),
            }
        }
        // One question for all characters: an arm for each would multiply the paths for nothing
        // that the program can see.
        let mut small = Cond::TRUE;
        for unit in &units {
            let own = match unit {
                Value::Int(unit) if *unit < 256 => Cond::TRUE,
                Value::Sym(expr) => self.relate_to(Rel::Lt, *expr, 256),
                _ => Cond::FALSE,
            };
            small = self.exprs.borrow_mut().and(small, own);
        }
        let latin = self.choose_whether(state, small)?;
        let count = units.len() as i32;
        if Some(state.heap.class_of(object)) != self.known.string {
            units.extend([Value::Int(0); SPARE]);
        }
        let written = if latin {
            let bytes: Vec<Value> = units.iter().map(|unit| self.one_byte(*unit)).collect();
            self.new_latin_string(state, &bytes)
        } else {
            let bytes: Vec<Value> = units.iter().flat_map(|unit| self.two_bytes(*unit)).collect();
            let string = self.new_latin_string(state, &bytes);
            state.heap.store(string, self.known.string_coder, Value::Int(1));
            string
        };
        let value = state.heap.load(written, self.known.string_value);
        let coder = state.heap.load(written, self.known.string_coder);
        if Some(state.heap.class_of(object)) != self.known.string {
            state.heap.store(object, self.known.builder_value, value);
            state.heap.store(object, self.known.builder_coder, coder);
            state.heap.store(object, self.known.builder_count, Value::Int(count));
        } else {
            state.heap.store(object, self.known.string_value, value);
            state.heap.store(object, self.known.string_coder, coder);
        }
        state.heap.get_mut(object).extra = 0;
        Ok(())
    }

    // Bytes are signed.
    fn one_byte(&mut self, unit: Value) -> Value {
        let Value::Sym(expr) = unit else {
            return unit.as_int().map_or(unit, |unit| Value::Int(i32::from(unit as i8)));
        };
        let (low, high) = self.exprs.borrow().interval(expr);
        if low >= -128 && high < 128 {
            return unit;
        }
        let byte = self.exprs.borrow_mut().cast(Cast::I2B, expr);
        self.value(byte)
    }

    /// A character as UTF-16 has it, the low byte first.
    pub(crate) fn two_bytes(&mut self, unit: Value) -> [Value; 2] {
        match unit {
            Value::Sym(expr) => {
                let low = self.exprs.borrow_mut().cast(Cast::I2B, expr);
                let eight = self.exprs.borrow_mut().constant(Const::I32(8));
                let high = self.binary(Binary::Shr, expr, eight);
                let high = self.exprs.borrow_mut().cast(Cast::I2B, high);
                // Two bytes are one character, but of other numbers they are a part only.
                let (least, greatest) = self.exprs.borrow().interval(expr);
                if least >= 0 && greatest <= i64::from(u16::MAX) {
                    self.paired.insert((low, high), expr);
                }
                [self.value(low), self.value(high)]
            }
            other => {
                let unit = other.as_int().unwrap_or(0);
                [Value::Int(i32::from(unit as i8)), Value::Int(i32::from((unit >> 8) as i8))]
            }
        }
    }

    fn write_symbolic(
        &mut self,
        state: &mut State,
        kind: Kind,
        expr: Expr,
        units: &mut Vec<Value>,
    ) -> Result<(), Trap> {
        match kind {
            Kind::Char => units.push(Value::Sym(expr)),
            Kind::Boolean => {
                let holds = self.relate_to(Rel::Ne, expr, 0);
                let text = if self.choose_whether(state, holds)? { "true" } else { "false" };
                units.extend(text.bytes().map(|byte| Value::Int(i32::from(byte))));
            }
            Kind::Float | Kind::Double | Kind::Reference => {
                return Err(Trap::unsupported(
                    format!("the characters of a symbolic {}", kind.java()),
                    "compare numbers instead of their texts",
                ));
            }
            _ => self.write_digits(state, expr, units)?,
        }
        Ok(())
    }

    // One arm for each sign and number of digits.
    fn write_digits(&mut self, state: &mut State, expr: Expr, units: &mut Vec<Value>) -> Result<(), Trap> {
        let wide = self.exprs.borrow().kind(expr) == Bits::I64;
        let most: u32 = if wide { 19 } else { 10 };
        let limit = if wide { i64::MAX } else { i64::from(i32::MAX) };
        let mut cases: Vec<Cond> = Vec::new();
        let mut shapes: Vec<(bool, u32)> = Vec::new();
        for digits in 1..=most {
            let low = if digits == 1 { 0 } else { 10i64.pow(digits - 1) };
            let high = 10i64.checked_pow(digits).map_or(limit, |next| (next - 1).min(limit));
            let least = if digits == most { -limit - 1 } else { -high };
            let from = self.relate_to(Rel::Ge, expr, low);
            let to = self.relate_to(Rel::Le, expr, high);
            let both = self.exprs.borrow_mut().and(from, to);
            cases.push(both);
            shapes.push((false, digits));
            let from = self.relate_to(Rel::Ge, expr, least);
            let to = self.relate_to(Rel::Le, expr, -low.max(1));
            let both = self.exprs.borrow_mut().and(from, to);
            cases.push(both);
            shapes.push((true, digits));
        }
        let (negative, digits) = shapes[self.choose(state, &cases)?];
        if negative {
            units.push(Value::Int(i32::from(b'-')));
        }
        for place in (0..digits).rev() {
            let digit = self.digit(expr, wide, place);
            let zero = self.exprs.borrow_mut().constant(Const::I32(i32::from(b'0')));
            // Remainders of a negative number are negative, and so need no absolute value, which
            // the least number has not.
            let unit = self.binary(if negative { Binary::Sub } else { Binary::Add }, zero, digit);
            units.push(self.value(unit));
        }
        Ok(())
    }

    // The remainder is taken of the first digit too, for its interval: no digit needs more than a byte.
    fn digit(&mut self, expr: Expr, wide: bool, place: u32) -> Expr {
        let mut exprs = self.exprs.borrow_mut();
        let constant = |value: i64| if wide { Const::I64(value) } else { Const::I32(value as i32) };
        let divisor = exprs.constant(constant(10i64.pow(place)));
        let above = if place == 0 { expr } else { exprs.binary(Binary::Div, expr, divisor) };
        let ten = exprs.constant(constant(10));
        let digit = exprs.binary(Binary::Rem, above, ten);
        if wide { exprs.cast(Cast::L2I, digit) } else { digit }
    }
}

fn int(unit: &u16) -> Value {
    Value::Int(i32::from(*unit))
}

/// Characters of parts; `None` if not all of them are.
fn units_of(parts: &[Part]) -> Option<Vec<Value>> {
    let mut units = Vec::new();
    for part in parts {
        match part {
            Part::Text(text) => units.extend(text.iter().map(int)),
            Part::Symbolic(Kind::Char, expr) => units.push(Value::Sym(*expr)),
            Part::Symbolic(..) | Part::Input(_) => return None,
        }
    }
    Some(units)
}
