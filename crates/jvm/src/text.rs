//! Strings that a program draws: an input whose length a path chooses when it first needs it.
//!
//! Such a string is a rope of one part ([`Part::Input`]). Concatenating and printing it, asking for its
//! length and comparing it with a known text decide nothing about its characters, so a string that nobody
//! inspects costs one path. What needs its characters has a path for each length up to
//! [`crate::Options::input_length`]; longer ones are excluded there, and the path notes that bound.

use std::rc::Rc;

use evergreen_symbolic::{Assignment, Cond, Const, Expr, Exprs, InputKind, Rel};

use crate::machine::Jvm;
use crate::narrowed::InputBound;
use crate::native::Trap;
use crate::outcome::Ending;
use crate::rope::Part;
use crate::state::State;
use crate::value::{Kind, Ref, Value};

impl Jvm {
    /// A new string that is an input, of any length.
    pub(crate) fn new_input_text(&mut self, state: &mut State, name: &str) -> Ref {
        let range = Some((0, i64::from(i32::MAX)));
        let length = self.exprs.borrow_mut().input(&format!("{name}.length"), InputKind::Int, range);
        let text = self.new_rope(state, &[Part::Input(name.into(), length)]);
        self.input_strings.insert(text);
        if self.options.chars != (0, u16::MAX) {
            self.note_bound(state, InputBound::Characters);
        }
        text
    }

    /// A character of such a string.
    pub(crate) fn character(&self, exprs: &mut Exprs, name: &str, at: u32) -> Expr {
        let (low, high) = self.options.chars;
        exprs.input(&format!("{name}[{at}]"), InputKind::Char, Some((low.into(), high.into())))
    }

    /// The text of such a string under an assignment of the inputs.
    pub(crate) fn text_under(&self, name: &str, length: Expr, inputs: &Assignment) -> Vec<u16> {
        let exprs = &mut *self.exprs.borrow_mut();
        let number = |exprs: &Exprs, expr: Expr| match exprs.eval(expr, inputs) {
            Const::I32(number) => number,
            _ => 0,
        };
        let length = number(exprs, length).max(0) as u32;
        let unit = |at| {
            let unit = self.character(exprs, name, at);
            number(exprs, unit) as u16
        };
        (0..length).map(unit).collect()
    }

    /// The characters of such a string: the path chooses its length.
    pub(crate) fn choose_text(
        &mut self,
        state: &mut State,
        name: &str,
        length: Expr,
    ) -> Result<Vec<Value>, Trap> {
        let most = self.options.input_length;
        let mut cases: Vec<Cond> =
            (0..=most).map(|case| self.relate_to(Rel::Eq, length, i64::from(case))).collect();
        cases.push(self.relate_to(Rel::Gt, length, i64::from(most)));
        let chosen = self.choose(state, &cases)? as u32;
        if chosen > most {
            self.note_bound(state, InputBound::Length);
            return Err(Trap::End(Box::new(Ending::Assumed)));
        }
        let exprs = &mut *self.exprs.borrow_mut();
        Ok((0..chosen).map(|at| Value::Sym(self.character(exprs, name, at))).collect())
    }

    /// Chooses the lengths of all inputs in a rope, if there are some; then the instruction or native begins
    /// again and finds characters in their place.
    pub(crate) fn fix_lengths(&mut self, state: &mut State, object: Ref) -> Result<(), Trap> {
        let Some(parts) = self.rope(state, object) else { return Ok(()) };
        if !parts.iter().any(|part| matches!(part, Part::Input(..))) {
            return Ok(());
        }
        let mut fixed: Vec<Part> = Vec::new();
        for part in parts.iter() {
            match part {
                Part::Input(name, length) => {
                    let units = self.choose_text(state, name, *length)?;
                    fixed.extend(units.into_iter().map(|unit| Part::of(Kind::Char, unit)));
                }
                other => fixed.push(other.clone()),
            }
        }
        self.replace_parts(state, object, fixed.into());
        Err(Trap::Again)
    }

    /// Gives a rope other parts; one of text alone is an ordinary string from then on.
    fn replace_parts(&mut self, state: &mut State, object: Ref, parts: Rc<[Part]>) {
        let is_text = parts.iter().all(|part| matches!(part, Part::Text(_)));
        if !is_text {
            state.heap.get_mut(object).extra = self.rope_number(parts);
            return;
        }
        let units = self.parts_under(&parts, &Assignment::new());
        let written = self.new_string(state, &units);
        let known = &self.known;
        let value = state.heap.load(written, known.string_value);
        let coder = state.heap.load(written, known.string_coder);
        if Some(state.heap.class_of(object)) == known.builder {
            state.heap.store(object, known.builder_value, value);
            state.heap.store(object, known.builder_coder, coder);
            state.heap.store(object, known.builder_count, Value::Int(units.len() as i32));
        } else {
            state.heap.store(object, known.string_value, value);
            state.heap.store(object, known.string_coder, coder);
        }
        state.heap.get_mut(object).extra = 0;
    }
}
