//! Frequent functions of the C library, done at once: with the result of their code, without a path for each
//! byte.
//!
//! `strlen` and its relatives choose among the places where they can end, in one branch: the code of
//! wasi-libc looks at words with tricks that no solver likes. Comparisons are one expression, so that
//! `strcmp(s, "abc") == 0` is one branch of two arms. What the code would touch is checked as its accesses
//! would be. `strcpy` and `strncpy` call the functions that are modelled here.

use crate::calc;
use crate::code::To;
use crate::load::Access;
use crate::machine::{Done, WasmMachine};
use crate::natives::Model;
use crate::outcome::OutByte;
use crate::state::{Slot, State};
use evergreen_symbolic::{Binary, Cond, Const, Expr, Rel};

/// Bytes that a comparison or a search looks at, at most: it ends where the text or the memory does.
const MOST: u32 = u32::MAX;

/// Whether a byte can be read.
enum Readable {
    Yes,
    No,
}

impl WasmMachine {
    /// Does what a function of the C library does.
    pub(crate) fn model(&mut self, state: &mut State, model: Model, args: &[Slot]) -> Done<Option<Slot>> {
        match model {
            Model::Memcpy => {
                self.copy(state, args[0], args[1], args[2])?;
                Ok(Some(args[0]))
            }
            Model::Memset => {
                self.fill(state, args[0], args[1], args[2])?;
                Ok(Some(args[0]))
            }
            Model::Strlen => {
                let text = self.pin(state, args[0])? as u32;
                let at = self.search(state, text, MOST, &[OutByte::Number(0)])?;
                Ok(Some(Slot::Number(at.unwrap_or(MOST).into())))
            }
            Model::Memchr => {
                let (text, size) = (self.pin(state, args[0])? as u32, self.pin(state, args[2])? as u32);
                let wanted = self.low_byte(args[1]);
                let at = self.search(state, text, size, &[wanted])?;
                Ok(Some(Slot::Number(at.map_or(0, |at| text + at).into())))
            }
            Model::Strchr => {
                let text = self.pin(state, args[0])? as u32;
                let wanted = self.low_byte(args[1]);
                let at = self.search(state, text, MOST, &[OutByte::Number(0), wanted])?;
                let place = text.wrapping_add(at.unwrap_or(MOST));
                let found = self.text_byte(state, place);
                let found = self.same(found, wanted);
                let found = self.is(state, found)?;
                Ok(Some(Slot::Number(if found { place.into() } else { 0 })))
            }
            Model::Strchrnul => {
                let text = self.pin(state, args[0])? as u32;
                let wanted = [OutByte::Number(0), self.low_byte(args[1])];
                let at = self.search(state, text, MOST, &wanted)?;
                Ok(Some(Slot::Number(text.wrapping_add(at.unwrap_or(MOST)).into())))
            }
            Model::Stpcpy => {
                let (to, from) = (self.pin(state, args[0])? as u32, self.pin(state, args[1])? as u32);
                let length = self.search(state, from, MOST, &[OutByte::Number(0)])?.unwrap_or(MOST);
                let number = |n: u32| Slot::Number(n.into());
                self.copy(state, number(to), number(from), number(length + 1))?;
                Ok(Some(number(to.wrapping_add(length))))
            }
            Model::Stpncpy => {
                let (to, from) = (self.pin(state, args[0])? as u32, self.pin(state, args[1])? as u32);
                let size = self.pin(state, args[2])? as u32;
                let length = self.search(state, from, size, &[OutByte::Number(0)])?.unwrap_or(size);
                let number = |n: u32| Slot::Number(n.into());
                self.check_range(state, Access::Write, to.into(), size.into())?;
                self.copy(state, number(to), number(from), number(length))?;
                self.fill(state, number(to.wrapping_add(length)), number(0), number(size - length))?;
                Ok(Some(number(to.wrapping_add(length))))
            }
            Model::Memcmp => {
                let size = self.pin(state, args[2])? as u32;
                self.compare(state, (args[0], args[1]), size, false)
            }
            Model::Strcmp => self.compare(state, (args[0], args[1]), MOST, true),
            Model::Strncmp => {
                let size = self.pin(state, args[2])? as u32;
                self.compare(state, (args[0], args[1]), size, true)
            }
        }
    }

    fn low_byte(&mut self, value: Slot) -> OutByte {
        match value {
            Slot::Number(n) => OutByte::Number(n as u8),
            Slot::Symbolic(_) => {
                let mut exprs = self.exprs.borrow_mut();
                let e = calc::expr(&mut exprs, value, To::I32);
                OutByte::Symbolic(exprs.byte_of(e, 0))
            }
        }
    }

    fn readable(&self, state: &State, address: u32) -> Readable {
        match state.memory.has(address.into(), 1) && !state.memory.is_poisoned(address) {
            true => Readable::Yes,
            false => Readable::No,
        }
    }

    /// The condition that two bytes are equal.
    fn same(&mut self, a: OutByte, b: OutByte) -> Cond {
        if let (OutByte::Number(a), OutByte::Number(b)) = (a, b) {
            return if a == b { Cond::TRUE } else { Cond::FALSE };
        }
        let (a, b) = (self.byte_expr(a), self.byte_expr(b));
        self.exprs.borrow_mut().relate(Rel::Eq, a, b)
    }

    pub(crate) fn byte_expr(&mut self, byte: OutByte) -> Expr {
        match byte {
            OutByte::Symbolic(e) => e,
            OutByte::Number(n) => self.exprs.borrow_mut().constant(Const::I32(n.into())),
        }
    }

    /// Where one of some bytes is first found; `None` if none is among the first `most`.
    fn search(&mut self, state: &mut State, text: u32, most: u32, wanted: &[OutByte]) -> Done<Option<u32>> {
        // Each way to end, and the condition that no earlier one was met.
        let (mut places, mut arms) = (Vec::new(), Vec::new());
        let mut not_yet = Cond::TRUE;
        let mut bad = None;
        for at in 0..most {
            if let Readable::No = self.readable(state, text.wrapping_add(at)) {
                bad = Some(at);
                break;
            }
            self.settle(state, text + at, 1)?;
            let byte = self.text_byte(state, text + at);
            let mut found = Cond::FALSE;
            for wanted in wanted {
                let same = self.same(byte, *wanted);
                found = self.exprs.borrow_mut().or(found, same);
            }
            if found != Cond::FALSE {
                places.push(at);
                let mut exprs = self.exprs.borrow_mut();
                arms.push(exprs.and(not_yet, found));
                not_yet = exprs.and(not_yet, found.negated());
            }
            if not_yet == Cond::FALSE {
                break;
            }
        }
        arms.push(not_yet);
        let site = self.site(state);
        let arm = self.decide(state, site, &arms)?;
        match (places.get(arm), bad) {
            (Some(at), _) => Ok(Some(*at)),
            (None, Some(at)) => {
                self.check_range(state, Access::Read, u64::from(text) + u64::from(at), 1)?;
                Ok(None)
            }
            (None, None) => Ok(None),
        }
    }

    /// The difference of the first bytes that differ; zero if none do. A text ends at its first zero.
    fn compare(
        &mut self,
        state: &mut State,
        (a, b): (Slot, Slot),
        most: u32,
        text: bool,
    ) -> Done<Option<Slot>> {
        let (a, b) = (self.pin(state, a)? as u32, self.pin(state, b)? as u32);
        // Pairs that can be reached, and the condition under which the pair behind them is.
        let mut pairs: Vec<(Expr, Expr, Cond)> = Vec::new();
        let mut on = Cond::TRUE;
        let mut result = None;
        for at in 0..most {
            let (left, right) = (a.wrapping_add(at), b.wrapping_add(at));
            for address in [left, right] {
                if let Readable::No = self.readable(state, address) {
                    // The code would go on to here unless the bytes before differ.
                    if self.is(state, on)? {
                        self.check_range(state, Access::Read, address.into(), 1)?;
                    }
                    return Ok(Some(self.first_difference(&pairs, None)));
                }
            }
            self.settle(state, left, 1)?;
            self.settle(state, right, 1)?;
            let (x, y) = (self.text_byte(state, left), self.text_byte(state, right));
            let (same, ends) =
                (self.same(x, y), if text { self.same(x, OutByte::Number(0)) } else { Cond::FALSE });
            let (x, y) = (self.byte_expr(x), self.byte_expr(y));
            let goes_on = self.exprs.borrow_mut().and(same, ends.negated());
            if goes_on == Cond::FALSE {
                result = Some((x, y));
                break;
            }
            if goes_on != Cond::TRUE {
                pairs.push((x, y, goes_on));
            }
            on = self.exprs.borrow_mut().and(on, goes_on);
        }
        Ok(Some(self.first_difference(&pairs, result)))
    }

    /// Case by case from the first pair on; `last` is where the comparison ends at the latest, zero if it
    /// just ends.
    fn first_difference(&mut self, pairs: &[(Expr, Expr, Cond)], last: Option<(Expr, Expr)>) -> Slot {
        let mut exprs = self.exprs.borrow_mut();
        let mut result = match last {
            Some((x, y)) => exprs.binary(Binary::Sub, x, y),
            None => exprs.constant(Const::I32(0)),
        };
        for (x, y, goes_on) in pairs.iter().rev() {
            let difference = exprs.binary(Binary::Sub, *x, *y);
            result = exprs.ite(*goes_on, result, difference);
        }
        calc::slot(&exprs, result)
    }
}
