//! Values, models and cores after a reused answer.

use super::check::pieces;
use super::{Given, Last, Next, Session, text_of};
use crate::elements::Elements;
use crate::spelled::{Layout, push_pin};
use evergreen_smtlib::{Spanned, print_symbol};
use evergreen_solver::Kind;
use evergreen_term::{
    Completion, Evaluator, Fun, FunctionValue, Model, Op, SymbolId, TermId, Terms, Traits, Value,
    default_value,
};
use rustc_hash::FxHashSet;
use std::borrow::Cow;

impl Session {
    pub(super) fn get_value(
        &mut self,
        asked: &[Spanned],
        source: &[u8],
        text: &str,
        out: &mut String,
    ) -> Next {
        self.recall_model();
        let Last::Sat { model: Some(model), given, .. } = &mut self.last else {
            return self.relay_values(asked, text, out);
        };
        let layout = Layout::of(&self.options.solver);
        let [before, between, behind] = layout.brackets(asked.len());
        // One byte of an input, as KLEE asks for them one by one.
        if let [read] = asked
            && !self.terms.is_declared_sort(self.terms.sort_of(read.term))
            && let Some(value) = cell(&self.terms, model, read.term)
            && layout.is_plain(value)
        {
            out.push_str(before);
            let source = source_of(source, text, read);
            give(&self.terms, layout, given.get_or_insert_default(), read.term, &source, value.clone(), out);
            out.push_str(behind);
            return Next::Continue;
        }
        let Some(values) = evaluate(&self.terms, model, asked) else {
            return self.get_values_of_tables(asked, source, text, out);
        };
        if !values.iter().all(|value| layout.is_plain(value)) {
            return self.get_values_of_tables(asked, source, text, out);
        }
        let named = self.with_names_of_solver(&values);
        let Last::Sat { given, .. } = &mut self.last else { return Next::Continue };
        let given = given.get_or_insert_default();
        if asked.is_empty() {
            out.push_str("()\n");
            return Next::Continue;
        }
        for (i, (term, (value, named))) in asked.iter().zip(values.into_iter().zip(named)).enumerate() {
            out.push_str(if i == 0 { before } else { between });
            let source = source_of(source, text, term);
            out.push_str(&source);
            out.push(' ');
            layout.push(&self.terms, &named, out);
            out.push(')');
            note(&self.terms, given, term.term, &source, value);
        }
        out.push_str(behind);
        Next::Continue
    }

    /// As [`Session::get_value`], where some are functions by their names, or have values that a solver
    /// writes by the names of tables.
    fn get_values_of_tables(
        &mut self,
        asked: &[Spanned],
        source: &[u8],
        text: &str,
        out: &mut String,
    ) -> Next {
        let Some((all, values)) = self.values_with_tables(asked) else {
            return self.relay_values(asked, text, out);
        };
        let all = self.with_names_in_model(all);
        let named = self.with_names_of_solver(&values);
        let layout = Layout::of(&self.options.solver);
        let [before, between, behind] = layout.brackets(asked.len());
        let mut answer = String::new();
        for (i, (term, named)) in asked.iter().zip(&named).enumerate() {
            answer.push_str(if i == 0 { before } else { between });
            answer.push_str(&source_of(source, text, term));
            answer.push(' ');
            if layout.push_any(&self.terms, named, &all, &mut answer).is_none() {
                return self.relay_values(asked, text, out);
            }
            answer.push(')');
        }
        if let Last::Sat { given, .. } = &mut self.last {
            let given = given.get_or_insert_default();
            for (asked, value) in asked.iter().zip(values) {
                note(&self.terms, given, asked.term, &source_of(source, text, asked), value);
            }
        }
        out.push_str(&answer);
        out.push_str(behind);
        Next::Continue
    }

    /// Has the solver say values that are not put together here: of this model, or of any.
    fn relay_values(&mut self, asked: &[Spanned], text: &str, out: &mut String) -> Next {
        self.told.is_beyond = evaluate(&self.terms, &Model::default(), asked).is_none();
        self.relay_after_check(text, out)
    }

    /// The values of all symbols, and those of terms that may be functions by their names.
    #[expect(clippy::type_complexity)]
    fn values_with_tables(&mut self, asked: &[Spanned]) -> Option<(Vec<(SymbolId, Value)>, Vec<Value>)> {
        let all = self.values_of_symbols()?;
        let Last::Sat { model: Some(model), .. } = &self.last else { return None };
        let mut evaluator = Evaluator::new(&self.terms, model).completing(Completion::Default);
        let values = asked.iter().map(|asked| match self.terms.op(asked.term) {
            Op::Function(symbol) => all.iter().find(|(known, _)| *known == symbol).map(|(_, v)| v.clone()),
            _ => evaluator.evaluate(asked.term).ok().cloned(),
        });
        let values = values.collect::<Option<Vec<Value>>>()?;
        Some((all, values))
    }

    fn with_names_in_model(&mut self, values: Vec<(SymbolId, Value)>) -> Vec<(SymbolId, Value)> {
        let (symbols, values): (Vec<_>, Vec<_>) = values.into_iter().unzip();
        symbols.into_iter().zip(self.with_names_of_solver(&values)).collect()
    }

    /// Values of the last check's model with the elements' names that the client's solver would give.
    fn with_names_of_solver(&mut self, values: &[Value]) -> Vec<Value> {
        let is_plain = |value: &Value| match value {
            Value::Element(..) | Value::Data(..) | Value::Function(_) => false,
            Value::Array(array) => !self.terms.is_declared_sort(array.sort),
            _ => true,
        };
        let Last::Sat { model: Some(model), .. } = &self.last else { return values.to_vec() };
        if values.iter().all(is_plain) {
            return values.to_vec();
        }
        let kind = self.options.solver.kind;
        let elements = self.elements.get_or_insert_with(|| Elements::of(&self.terms, kind, model));
        values.iter().map(|value| elements.renamed(&mut self.terms, value)).collect()
    }

    /// The values of all declared symbols after a reused `sat`, in the order of their declarations.
    fn values_of_symbols(&mut self) -> Option<Vec<(SymbolId, Value)>> {
        let Last::Sat { model: Some(model), .. } = &self.last else { return None };
        let mut values: Vec<(SymbolId, Value)> = Vec::new();
        let mut seen = FxHashSet::default();
        for symbol in self.stack.symbols() {
            if seen.insert(symbol) {
                let known = model.get(symbol).cloned();
                values.push((symbol, known.or_else(|| complete(&mut self.terms, symbol))?));
            }
        }
        Some(values)
    }

    pub(super) fn get_model(&mut self, text: &str, out: &mut String) -> Next {
        self.recall_model();
        if self.stack.has_old_models() || self.stack.has_heap() {
            self.told.is_beyond = true;
            return self.relay_after_check(text, out);
        }
        let layout = Layout::of(&self.options.solver);
        let Some(mut values) = self.values_of_symbols() else { return self.relay_after_check(text, out) };
        if layout.leaves_out_unused() {
            let used = self.used_symbols();
            values.retain(|(symbol, _)| used.contains(symbol));
        }
        // A quantifier can need elements that no symbol has.
        let is_quantified = |term: TermId| self.terms.traits(term).has(Traits::QUANTIFIED);
        let is_whole = !self.constraints().into_iter().any(is_quantified);
        let values = self.with_names_in_model(values);
        let mut model = String::new();
        if layout.push_model(&self.terms, &values, is_whole, &mut model).is_none() {
            return self.relay_after_check(text, out);
        }
        if let Last::Sat { given, .. } = &mut self.last {
            given.get_or_insert_default();
        }
        out.push_str(&model);
        Next::Continue
    }

    /// The symbols of the constraints of the last check.
    fn used_symbols(&self) -> FxHashSet<SymbolId> {
        let (mut used, mut seen) = (FxHashSet::default(), FxHashSet::default());
        let mut open = self.constraints();
        while let Some(term) = open.pop() {
            if seen.insert(term) {
                if let Op::Apply(symbol) = self.terms.op(term) {
                    used.insert(symbol);
                }
                open.extend_from_slice(self.terms.args(term));
            }
        }
        used
    }

    pub(super) fn get_unsat_core(&mut self, text: &str, out: &mut String) -> Next {
        if !self.produce_cores {
            return self.relay_after_check(text, out);
        }
        let Some(core) = self.known_core() else { return self.relay_after_check(text, out) };
        let mut names: Vec<String> = Vec::new();
        let assertions: Vec<_> = self.stack.assertions().cloned().collect();
        for a in assertions {
            let Some(label) = a.label else { continue };
            if pieces(&mut self.terms, &[a.term]).iter().any(|p| core.contains(p)) {
                names.push(print_symbol(self.terms.text(label)));
            }
        }
        match self.options.solver.kind {
            Kind::Cvc5 => {
                out.push_str("(\n");
                names.iter().for_each(|name| out.push_str(&format!("{name}\n")));
                out.push_str(")\n");
            }
            _ => out.push_str(&format!("({})\n", names.join(" "))),
        }
        Next::Continue
    }

    pub(super) fn get_unsat_assumptions(&mut self, text: &str, out: &mut String) -> Next {
        let Some(core) = self.known_core() else { return self.relay_after_check(text, out) };
        let mut used: Vec<String> = Vec::new();
        for (term, source) in self.assumptions.clone() {
            if pieces(&mut self.terms, &[term]).iter().any(|p| core.contains(p)) {
                used.push(source);
            }
        }
        out.push_str(&format!("({})\n", used.join(" ")));
        Next::Continue
    }

    /// The constraints of a core of the last check, split at their surface. Without a solver that could name
    /// a smaller one it is all of them.
    fn known_core(&mut self) -> Option<FxHashSet<TermId>> {
        match &self.last {
            Last::Unsat { core: Some(core), .. } => Some(core.iter().copied().collect()),
            Last::Unsat { core: None, .. } if self.is_unaided() => {
                let all = self.constraints();
                Some(pieces(&mut self.terms, &all).into_iter().collect())
            }
            _ => None,
        }
    }

    /// Equalities that hold a solver to values that were given out already.
    pub(super) fn pinned(&self) -> Option<String> {
        let Last::Sat { model: Some(model), given: Some(given), .. } = &self.last else { return None };
        let (mut text, kind) = (String::new(), self.options.solver.kind);
        for (source, value) in given.iter() {
            push_pin(&self.terms, kind, source, value, &mut text);
        }
        for (symbol, value) in model.iter() {
            let s = self.terms.symbol_of(symbol);
            if s.params.is_empty() && !self.terms.is_declared_sort(s.result) {
                push_pin(&self.terms, kind, &print_symbol(self.terms.text(s.name)), value, &mut text);
            }
        }
        Some(text)
    }
}

/// The values of terms; `None` when the model does not give one.
fn evaluate(terms: &Terms, model: &Model, asked: &[Spanned]) -> Option<Vec<Value>> {
    let mut evaluator = Evaluator::new(terms, model).completing(Completion::Default);
    asked.iter().map(|asked| evaluator.evaluate(asked.term).ok().cloned()).collect()
}

/// The text of a term that a command asks for. The command's own text has it in the same place, unless it has
/// bytes that are no text.
fn source_of<'t>(command: &'t [u8], text: &'t str, asked: &Spanned) -> Cow<'t, str> {
    match text.get(asked.span.clone()).filter(|_| text.len() == command.len()) {
        Some(source) => Cow::Borrowed(source),
        None => text_of(&command[asked.span.clone()]),
    }
}

/// Writes a term, as the client wrote it, and its value, and notes both.
fn give(
    terms: &Terms,
    layout: Layout,
    given: &mut Given,
    term: TermId,
    source: &str,
    value: Value,
    out: &mut String,
) {
    out.push_str(source);
    out.push(' ');
    layout.push(terms, &value, out);
    out.push(')');
    note(terms, given, term, source, value);
}

/// Notes a value that was given out, if a solver can be told it.
fn note(terms: &Terms, given: &mut Given, term: TermId, source: &str, value: Value) {
    // An element of a declared sort has no name that the solver knows, a function no term.
    if !terms.is_declared_sort(terms.sort_of(term)) && !matches!(value, Value::Function(_)) {
        given.push(source, value);
    }
}

/// The value of a cell of a declared array.
fn cell<'m>(terms: &Terms, model: &'m Model, read: TermId) -> Option<&'m Value> {
    let (Op::Fun(Fun::Select), &[array, index]) = (terms.op(read), terms.args(read)) else { return None };
    let Op::Apply(array) = terms.op(array) else { return None };
    match model.get(array)? {
        Value::Array(cells) => terms.literal_of(index).map(|index| cells.get(index)),
        _ => None,
    }
}

/// A value for a symbol that the query does not mention: any will do.
fn complete(terms: &mut Terms, symbol: SymbolId) -> Option<Value> {
    let s = terms.symbol_of(symbol).clone();
    let value = default_value(terms, s.result)?;
    if s.params.is_empty() {
        return Some(value);
    }
    let body = match value {
        Value::Bool(_) | Value::Int(_) | Value::Real(_) | Value::BitVec(_) | Value::String(_) => {
            terms.literal(value)
        }
        _ => return None,
    };
    Some(Value::Function(Box::new(FunctionValue { params: s.params, body })))
}
