//! Annotated terms `(! t …)`: names, patterns, and hints that change no answer.

use crate::diagnostic::Diagnostic;
use crate::elaborate::{Elaborator, Frame};
use crate::script::Labelled;
use crate::sexp::Kind;
use crate::sorts::{fresh_symbol, name};
use evergreen_term::{Dialect, Name};

impl Elaborator<'_, '_> {
    pub(crate) fn close_bang(&mut self, base: u32, open: u32, label: Option<Name>) -> Result<(), Diagnostic> {
        self.one_value(base, open)?;
        if self.tape.next(open as usize + 2) == self.at - 1 {
            return Err(self.error_at(open as usize, "an annotation without attributes"));
        }
        let Some(name) = label else { return Ok(()) };
        if self.level > 0 {
            return Err(self.error_at(open as usize, "a named term under a binder"));
        }
        self.names.push((name, self.values[base as usize]));
        if self.frames.is_empty() {
            self.label = Some(name);
        }
        Ok(())
    }

    pub(crate) fn close_pattern(&mut self, base: u32, open: u32) -> Result<(), Diagnostic> {
        let pattern = self.values.split_off(base as usize);
        if pattern.is_empty() {
            return Err(self.error_at(open as usize, "an empty pattern"));
        }
        // `(forall (…) (! body :pattern …))`: elsewhere a pattern is a hint about nothing.
        let depth = self.frames.len();
        if let [.., Frame::Quantified(quantified), Frame::Bang { .. }] = &mut self.frames[..depth] {
            quantified.patterns.push(pattern);
        }
        Ok(())
    }

    /// At a keyword: an attribute of the innermost `!`.
    pub(crate) fn attribute(&mut self) -> Result<(), Diagnostic> {
        let (tape, at) = (self.tape, self.at);
        let value = at + 1;
        let Some(Frame::Bang { base, open, .. }) = self.frames.last() else {
            return Err(self.error_at(at, "a keyword where a term is expected"));
        };
        let base = *base;
        self.one_value(base, *open)?;
        match tape.atom(at) {
            b":named" => {
                let name = fresh_symbol(self.context, self.terms, tape, value)?;
                self.context.check_free(self.terms, name, tape.offset(value))?;
                if self.names.iter().any(|n| n.0 == name) {
                    return Err(self.error_at(value, "this name is given twice"));
                }
                if let Some(Frame::Bang { label, .. }) = self.frames.last_mut() {
                    *label = Some(name);
                }
                self.at = value + 1;
            }
            b":pattern" => {
                if tape.kind(value) != Kind::Open {
                    return Err(self.error_at(value, "a list of terms expected"));
                }
                self.frames.push(Frame::Pattern { base: self.base(), open: value as u32 });
                self.at = value + 1;
            }
            b":no-pattern" => {
                self.frames.push(Frame::Dropped);
                self.at = value;
                if matches!(tape.kind(value), Kind::Close | Kind::Keyword) {
                    return Err(self.error_at(value, "a term expected"));
                }
            }
            keyword @ (b":lblpos" | b":lblneg")
                if self.context.dialect == Dialect::Z3 && self.is_symbol(value) =>
            {
                let (term, is_positive) = (self.values[base as usize], keyword == b":lblpos");
                let name = name(self.terms, tape, value);
                self.labelled.push(Labelled { term, name, is_positive });
                self.at = value + 1;
            }
            // Weights and identifiers: hints that change no answer.
            _ => {
                let valueless = matches!(tape.kind(value), Kind::Close | Kind::Keyword);
                self.at = if valueless { value } else { tape.next(value) };
            }
        }
        Ok(())
    }

    fn is_symbol(&self, index: usize) -> bool {
        matches!(self.tape.kind(index), Kind::Symbol | Kind::Quoted)
    }

    /// After the term of a `:no-pattern`, if it is complete.
    pub(crate) fn drop_value(&mut self) {
        // The frame below is the `!` whose one value must stay.
        let depth = self.frames.len();
        if let [.., Frame::Bang { base, .. }, Frame::Dropped] = &self.frames[..depth] {
            let kept = *base as usize + 1;
            if self.values.len() > kept {
                self.values.truncate(kept);
                self.frames.pop();
            }
        }
    }
}
