//! Values, models and cores after a reused answer.

use super::check::pieces;
use super::{Given, Last, Next, Session, text_of};
use crate::values::print_definition;
use evergreen_smtlib::{Spanned, print_symbol, print_value, push_value};
use evergreen_term::{
    Completion, Evaluator, Fun, FunctionValue, Model, Op, SortId, SymbolId, TermId, Terms, Value,
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
            return self.relay_after_check(text, out);
        };
        // One byte of an input, as KLEE asks for them one by one.
        if let [read] = asked
            && let Some(value) = cell(&self.terms, model, read.term)
        {
            out.push_str("((");
            let source = source_of(source, text, read);
            give(&self.terms, given.get_or_insert_default(), read.term, &source, value.clone(), out);
            out.push_str(")\n");
            return Next::Continue;
        }
        let Some(values) = evaluate(&self.terms, model, asked) else {
            return self.relay_after_check(text, out);
        };
        let given = given.get_or_insert_default();
        if asked.is_empty() {
            out.push_str("()\n");
            return Next::Continue;
        }
        for (i, (term, value)) in asked.iter().zip(values).enumerate() {
            out.push_str(if i == 0 { "((" } else { "\n (" });
            let source = source_of(source, text, term);
            give(&self.terms, given, term.term, &source, value, out);
        }
        out.push_str(")\n");
        Next::Continue
    }

    pub(super) fn get_model(&mut self, text: &str, out: &mut String) -> Next {
        self.recall_model();
        if self.stack.has_old_models() {
            return self.relay_after_check(text, out);
        }
        let Last::Sat { model: Some(model), given, .. } = &mut self.last else {
            return self.relay_after_check(text, out);
        };
        let mut symbols: Vec<SymbolId> = Vec::new();
        for symbol in self.stack.symbols() {
            if !symbols.contains(&symbol) {
                symbols.push(symbol);
            }
        }
        let mut values: Vec<(SymbolId, Value)> = Vec::new();
        for symbol in symbols {
            match model.get(symbol).cloned().or_else(|| complete(&mut self.terms, symbol)) {
                Some(value) => values.push((symbol, value)),
                None => return self.relay_after_check(text, out),
            }
        }
        given.get_or_insert_default();
        let terms = &self.terms;
        out.push_str("(\n");
        for (sort, name) in elements(terms, &values) {
            // cvc5 writes `(as @a_0 U)` and declares nothing.
            if terms.text(name).starts_with('@') {
                continue;
            }
            let sort = evergreen_smtlib::print_sort(terms, sort);
            out.push_str(&format!("  (declare-fun {} () {sort})\n", print_symbol(terms.text(name))));
        }
        for (symbol, value) in &values {
            out.push_str(&format!("  {}\n", print_definition(terms, *symbol, value)));
        }
        out.push_str(")\n");
        Next::Continue
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
        out.push_str(&format!("({})\n", names.join(" ")));
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
        let mut text = String::new();
        for (source, value) in given.iter() {
            text.push_str(&format!("(assert (= {source} {}))\n", print_value(&self.terms, value)));
        }
        for (symbol, value) in model.iter() {
            let s = self.terms.symbol_of(symbol);
            if s.params.is_empty() && !self.terms.is_declared_sort(s.result) {
                let name = print_symbol(self.terms.text(s.name));
                text.push_str(&format!("(assert (= {name} {}))\n", print_value(&self.terms, value)));
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
fn give(terms: &Terms, given: &mut Given, term: TermId, source: &str, value: Value, out: &mut String) {
    out.push_str(source);
    out.push(' ');
    push_value(terms, &value, out);
    out.push(')');
    // An element of a declared sort has no name that the solver knows.
    if !terms.is_declared_sort(terms.sort_of(term)) {
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

/// The elements of declared sorts that values mention, in arrays, datatypes and bodies of functions too: z3
/// declares them in its models, and so do we.
fn elements(terms: &Terms, values: &[(SymbolId, Value)]) -> Vec<(SortId, evergreen_term::Name)> {
    let mut found: Vec<(SortId, evergreen_term::Name)> = Vec::new();
    let mut open: Vec<&Value> = values.iter().rev().map(|(_, value)| value).collect();
    while let Some(value) = open.pop() {
        match value {
            Value::Element(sort, name) if !found.contains(&(*sort, *name)) => found.push((*sort, *name)),
            Value::Array(array) => {
                open.push(&array.default);
                open.extend(array.entries.iter().flat_map(|(index, element)| [index, element]));
            }
            Value::Data(_, fields) => open.extend(fields.iter()),
            Value::Function(function) => elements_of_body(terms, function.body, &mut open),
            _ => {}
        }
    }
    found
}

/// The literals in a function's body.
fn elements_of_body<'t>(terms: &'t Terms, body: TermId, literals: &mut Vec<&'t Value>) {
    let (mut open, mut seen) = (vec![body], FxHashSet::default());
    while let Some(term) = open.pop() {
        if seen.insert(term) {
            literals.extend(terms.literal_of(term));
            open.extend(terms.args(term));
        }
    }
}
