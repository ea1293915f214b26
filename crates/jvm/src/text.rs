//! Strings as inputs, drawn or given as parameters: a path chooses the length when it first needs it.
//!
//! Such a string is a rope of one part ([`Part::Input`]). Concatenating and printing it, asking for its
//! length, comparing it with a known text and reading characters at known places decide nothing about the
//! other characters (`natives/open.rs`), so a string that nobody inspects costs one path. What needs all of
//! its characters has a path for each length up to [`crate::Options::input_length`]; longer ones are excluded
//! there, and the path notes that bound.

use std::rc::Rc;

use evergreen_symbolic::{Assignment, Cond, Const, Expr, Exprs, InputKind, Rel};

use crate::machine::Jvm;
use crate::narrowed::InputBound;
use crate::native::Trap;
use crate::outcome::Ending;
use crate::rope::{Part, SPARE};
use crate::state::State;
use crate::value::{Kind, Ref, Value};

/// A string that is an input, from one of its characters on.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Open {
    /// The name of the input.
    pub name: Rc<str>,
    /// The place of its first character in the input.
    pub from: u32,
    /// How many characters there are from that place on.
    pub length: Expr,
    /// How many of them paths read one by one, or all together; longer strings are left out there.
    pub most: u32,
}

impl Jvm {
    /// A new string that is an input, of any length.
    pub(crate) fn new_input_text(&mut self, state: &mut State, name: &str) -> Ref {
        let range = Some((0, i64::from(i32::MAX)));
        let length = self.exprs.borrow_mut().input(&format!("{name}.length"), InputKind::Int, range);
        self.new_open_text(state, name, length)
    }

    /// The same, with an input that is its length.
    pub(crate) fn new_open_text(&mut self, state: &mut State, name: &str, length: Expr) -> Ref {
        let open = Open { name: name.into(), from: 0, length, most: self.options.input_length };
        let text = self.new_rope(state, &[Part::Input(open)]);
        self.input_strings.insert(text);
        if self.options.chars != (0, u16::MAX) {
            self.note_bound(state, InputBound::Characters);
        }
        text
    }

    /// A character of such a string.
    pub(crate) fn character(&self, exprs: &mut Exprs, open: &Open, at: u32) -> Expr {
        let (low, high) = self.options.chars;
        let at = open.from.saturating_add(at);
        exprs.input(&format!("{}[{at}]", open.name), InputKind::Char, Some((low.into(), high.into())))
    }

    /// The text of such a string under an assignment of the inputs.
    pub(crate) fn text_under(&self, open: &Open, inputs: &Assignment) -> Vec<u16> {
        let exprs = &mut *self.exprs.borrow_mut();
        let number = |exprs: &Exprs, expr: Expr| match exprs.eval(expr, inputs) {
            Const::I32(number) => number,
            _ => 0,
        };
        let length = number(exprs, open.length).max(0) as u32;
        let unit = |at| {
            let unit = self.character(exprs, open, at);
            number(exprs, unit) as u16
        };
        (0..length).map(unit).collect()
    }

    /// The characters of such a string: the path chooses its length.
    pub(crate) fn choose_text(&mut self, state: &mut State, open: &Open) -> Result<Vec<Value>, Trap> {
        let Open { length, most, .. } = *open;
        let mut cases: Vec<Cond> =
            (0..=most).map(|case| self.relate_to(Rel::Eq, length, i64::from(case))).collect();
        cases.push(self.relate_to(Rel::Gt, length, i64::from(most)));
        let chosen = self.choose(state, &cases)? as u32;
        if chosen > most {
            return Err(self.leave_out_longer(state));
        }
        Ok(self.characters(open, 0..chosen))
    }

    /// The characters of such a string at some places.
    pub(crate) fn characters(&self, open: &Open, places: std::ops::Range<u32>) -> Vec<Value> {
        let exprs = &mut *self.exprs.borrow_mut();
        places.map(|at| Value::Sym(self.character(exprs, open, at))).collect()
    }

    /// The end of a path whose inputs are longer than the bound.
    pub(crate) fn leave_out_longer(&mut self, state: &mut State) -> Trap {
        self.note_bound(state, InputBound::Length);
        Trap::End(Box::new(Ending::Assumed))
    }

    /// Chooses the lengths of all inputs in a rope, if there are some; then the instruction or native begins
    /// again and finds characters in their place.
    pub(crate) fn fix_lengths(&mut self, state: &mut State, object: Ref) -> Result<(), Trap> {
        let Some(parts) = self.rope(state, object) else { return Ok(()) };
        if !parts.iter().any(|part| matches!(part, Part::Input(_))) {
            return Ok(());
        }
        let mut fixed: Vec<Part> = Vec::new();
        for part in parts.iter() {
            match part {
                Part::Input(open) => {
                    let units = self.choose_text(state, open)?;
                    fixed.extend(units.into_iter().map(|unit| Part::of(Kind::Char, unit)));
                }
                other => fixed.push(other.clone()),
            }
        }
        self.replace_parts(state, object, fixed.into());
        Err(Trap::Again)
    }

    /// Gives a rope other parts; one of text alone is an ordinary string from then on.
    pub(crate) fn replace_parts(&mut self, state: &mut State, object: Ref, parts: Rc<[Part]>) {
        let is_text = parts.iter().all(|part| matches!(part, Part::Text(_)));
        if !is_text {
            state.heap.get_mut(object).extra = self.rope_number(parts);
            return;
        }
        let mut units = self.parts_under(&parts, &Assignment::new());
        let count = units.len() as i32;
        if Some(state.heap.class_of(object)) != self.known.string {
            units.extend([0; SPARE]);
        }
        let written = self.new_string(state, &units);
        let known = &self.known;
        let value = state.heap.load(written, known.string_value);
        let coder = state.heap.load(written, known.string_coder);
        if Some(state.heap.class_of(object)) != known.string {
            state.heap.store(object, known.builder_value, value);
            state.heap.store(object, known.builder_coder, coder);
            state.heap.store(object, known.builder_count, Value::Int(count));
        } else {
            state.heap.store(object, known.string_value, value);
            state.heap.store(object, known.string_coder, coder);
        }
        state.heap.get_mut(object).extra = 0;
    }
}
