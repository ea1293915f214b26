//! Values and models as the client's own solver prints them.
//!
//! A client was written for one solver: it may cut a model into lines, or compare a value's text. So an
//! answer from the store has the solver's layout, order and spelling. z3 prints constants in an order of its
//! own, which depends on its tables; here they come in the order of their declarations, and functions behind
//! them, as there. Constants that a script defines are not printed again, as cvc5 and Bitwuzla do; z3 does.

use crate::elements::mentioned;
use evergreen_smtlib::{
    Spelling, print_function_spelled, print_sort, print_symbol, push_spelled, push_value,
};
use evergreen_solver::{Command, Kind};
use evergreen_term::{Fun, FunctionValue, Name, Op, Sort, SortId, SymbolId, TermId, Terms, Value};
use std::fmt::Write as _;

/// The layout of a solver's values and models.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    kind: Kind,
    spelling: Spelling,
}

/// Names of declared symbols with their values, in the order of the declarations.
pub(crate) type Values = [(SymbolId, Value)];

impl Layout {
    /// The layout of the solver that a command starts.
    pub(crate) fn of(solver: &Command) -> Layout {
        let spelling = match solver.kind {
            Kind::Cvc5 => Spelling::Cvc5,
            Kind::Bitwuzla => Spelling::Bitwuzla,
            Kind::Yices => {
                Spelling::Yices { standard: solver.args.iter().any(|arg| arg == "--smt2-model-format") }
            }
            Kind::Z3 | Kind::Other | Kind::None => Spelling::Z3,
        };
        Layout { kind: solver.kind, spelling }
    }

    /// What stands before, between and behind so many pairs of an answer to `get-value`.
    pub(crate) fn brackets(self, pairs: usize) -> [&'static str; 3] {
        match self.kind {
            Kind::Cvc5 => ["((", " (", ")\n"],
            Kind::Bitwuzla if pairs > 1 => ["(\n  (", "\n  (", "\n)\n"],
            _ => ["((", "\n (", ")\n"],
        }
    }

    /// Whether a value can be written without the values of all symbols. Yices gives arrays names, and the
    /// model says what these are.
    pub(crate) fn is_plain(self, value: &Value) -> bool {
        match value {
            Value::Array(_) => self.spelling != Spelling::Yices { standard: false },
            Value::Function(_) => false,
            _ => true,
        }
    }

    /// Whether a model has only the symbols that constraints have.
    pub(crate) fn leaves_out_unused(self) -> bool {
        self.spelling == Spelling::Yices { standard: false }
    }

    /// Appends a plain value.
    pub(crate) fn push(self, terms: &Terms, value: &Value, out: &mut String) {
        push_spelled(terms, value, self.spelling, out);
    }

    /// Appends any value; `None`, and nothing may be kept of the text, if the solver's form of it is not
    /// known. `values` are those of all symbols.
    pub(crate) fn push_any(
        self,
        terms: &Terms,
        value: &Value,
        values: &Values,
        out: &mut String,
    ) -> Option<()> {
        match (self.spelling, value) {
            (Spelling::Yices { standard: false }, Value::Array(_) | Value::Function(_)) => {
                let first = values.iter().find(|(_, known)| known == value)?;
                let _ = write!(out, "{}", table_name(first.0));
            }
            (Spelling::Z3 | Spelling::Yices { .. }, Value::Function(function)) => {
                self.push_as_array(terms, function, out)?;
            }
            (Spelling::Bitwuzla, Value::Function(function)) => {
                // A function of several arguments is one of functions.
                let (params, body) = self.function(terms, function);
                let inside = &params[1..params.len() - 1];
                let apart = inside.replace(") (@", ")) (lambda ((@");
                let _ = write!(out, "(lambda ({apart}) {body})");
                out.extend((1..function.params.len()).map(|_| ')'));
            }
            (_, Value::Function(function)) => {
                let (params, body) = self.function(terms, function);
                let _ = write!(out, "(lambda {params} {body})");
            }
            _ => self.push(terms, value, out),
        }
        Some(())
    }

    fn function(self, terms: &Terms, function: &FunctionValue) -> (String, String) {
        print_function_spelled(terms, &function.params, function.body, self.spelling)
    }

    /// The sort of arrays with so many indices.
    fn array(self, indices: usize) -> String {
        match self.kind {
            Kind::Yices if indices > 1 => format!("FunType{indices}"),
            _ => "Array".to_string(),
        }
    }

    /// A function as an array with as many indices as it has parameters.
    fn push_as_array(self, terms: &Terms, function: &FunctionValue, out: &mut String) -> Option<()> {
        let table = Table::of(terms, function)?;
        out.extend(table.cells.iter().map(|_| "(store "));
        let _ = write!(out, "((as const ({}", self.array(function.params.len()));
        for &sort in function.params.iter().chain([&terms.sort_of(function.body)]) {
            let _ = write!(out, " {}", print_sort(terms, sort));
        }
        out.push_str(")) ");
        self.push(terms, &table.default, out);
        out.push(')');
        for (place, element) in &table.cells {
            for value in place.iter().chain([element]) {
                out.push(' ');
                self.push(terms, value, out);
            }
            out.push(')');
        }
        Some(())
    }

    /// Appends a model. `is_whole`: the elements that the values mention are all elements of their sorts.
    /// `None`, and nothing may be kept of the text, if the solver's form of a value is not known.
    pub(crate) fn push_model(
        self,
        terms: &Terms,
        values: &Values,
        is_whole: bool,
        out: &mut String,
    ) -> Option<()> {
        match (self.kind, self.spelling) {
            (Kind::Cvc5, _) => {
                out.push_str("(\n");
                self.push_universes(terms, values, is_whole, out);
                for (symbol, value) in values {
                    self.push_definition(terms, *symbol, value, " ", out);
                    out.push('\n');
                }
            }
            (_, Spelling::Yices { standard: true }) => {
                out.push_str("(model");
                for (symbol, value) in values {
                    out.push_str("\n  ");
                    match as_function(terms, *symbol, value) {
                        Some(text) => out.push_str(&text),
                        None => self.push_definition(terms, *symbol, value, " ", out),
                    }
                }
            }
            (_, Spelling::Yices { standard: false }) => return self.push_equations(terms, values, out),
            (Kind::Bitwuzla, _) => {
                out.push_str("(\n");
                for (symbol, value) in values {
                    out.push_str("  ");
                    self.push_definition(terms, *symbol, value, " ", out);
                    out.push('\n');
                }
            }
            _ => {
                out.push_str("(\n");
                self.push_universes(terms, values, is_whole, out);
                let is_function = |value: &Value| matches!(value, Value::Function(_));
                let (functions, constants): (Vec<_>, Vec<_>) =
                    values.iter().partition(|(_, v)| is_function(v));
                for (symbol, value) in constants.into_iter().chain(functions) {
                    out.push_str("  ");
                    self.push_definition(terms, *symbol, value, "\n    ", out);
                    out.push('\n');
                }
            }
        }
        out.push_str(")\n");
        Some(())
    }

    /// `(define-fun …)`, with some white space before the value.
    fn push_definition(self, terms: &Terms, symbol: SymbolId, value: &Value, space: &str, out: &mut String) {
        let s = terms.symbol_of(symbol);
        let _ = write!(out, "(define-fun {} ", print_symbol(terms.text(s.name)));
        let result = print_sort(terms, s.result);
        match value {
            Value::Function(function) => {
                let (params, body) = match self.spelling {
                    Spelling::Z3 => self.laid_out(terms, function),
                    _ => self.function(terms, function),
                };
                let _ = write!(out, "{params} {result}{space}{body})");
            }
            _ => {
                let _ = write!(out, "() {result}{space}");
                self.push(terms, value, out);
                out.push(')');
            }
        }
    }

    /// A function as z3 lays it out: a line for each case.
    fn laid_out(self, terms: &Terms, function: &FunctionValue) -> (String, String) {
        let print = |body| print_function_spelled(terms, &function.params, body, self.spelling);
        let (mut text, mut rest, mut open) = (String::new(), function.body, 0);
        while let (Op::Fun(Fun::Ite), &[condition, then, other]) = (terms.op(rest), terms.args(rest)) {
            let _ = write!(text, "(ite {} {}\n    ", print(condition).1, print(then).1);
            (rest, open) = (other, open + 1);
        }
        let (params, last) = print(rest);
        if open > 0 {
            text.push_str("  ");
        }
        text.push_str(&last);
        text.extend((0..open).map(|_| ')'));
        (params, text)
    }

    /// What z3 and cvc5 say of the elements of declared sorts.
    fn push_universes(self, terms: &Terms, values: &Values, is_whole: bool, out: &mut String) {
        let all = mentioned(terms, values.iter().map(|(_, value)| value));
        let mut sorts: Vec<SortId> = Vec::new();
        for (sort, _) in &all {
            if !sorts.contains(sort) {
                sorts.push(*sort);
            }
        }
        for sort in sorts {
            let element = |name: &Name| {
                let mut text = String::new();
                self.push(terms, &Value::Element(sort, *name), &mut text);
                text
            };
            let mut names: Vec<String> = all.iter().filter(|e| e.0 == sort).map(|e| element(&e.1)).collect();
            if self.kind != Kind::Cvc5 {
                names.reverse();
            }
            let sort = print_sort(terms, sort);
            if self.kind == Kind::Cvc5 {
                if is_whole {
                    let _ = writeln!(out, "; cardinality of {sort} is {}", names.len());
                }
                out.extend(names.iter().map(|name| format!("; rep: {name}\n")));
                continue;
            }
            let declared: String =
                names.iter().map(|name| format!("  (declare-fun {name} () {sort})\n")).collect();
            if !is_whole {
                out.push_str(&declared);
                continue;
            }
            let _ = write!(
                out,
                "  ;; universe for {sort}:\n  ;;   {} \n  ;; -----------\n  ;; definitions for universe \
                 elements:\n{declared}  ;; cardinality constraint:\n",
                names.join(" ")
            );
            let equal: Vec<String> = names.iter().map(|name| format!("(= x {name})")).collect();
            let among = match &equal[..] {
                [one] => one.clone(),
                _ => format!("(or {})", equal.join(" ")),
            };
            let _ = writeln!(out, "  (forall ((x {sort})) {among})\n  ;; -----------");
        }
    }

    /// Yices' own form: equations, and arrays and functions as tables behind them.
    fn push_equations(self, terms: &Terms, values: &Values, out: &mut String) -> Option<()> {
        let is_table = |value: &Value| matches!(value, Value::Array(_) | Value::Function(_));
        let rank = |value: &Value| match value {
            Value::Bool(_) => 0,
            Value::Int(_) | Value::Real(_) => 1,
            Value::BitVec(_) => 2,
            _ if !is_table(value) => 3,
            _ => 4,
        };
        let mut ordered: Vec<&(SymbolId, Value)> = values.iter().collect();
        ordered.sort_by_key(|(_, value)| rank(value));
        for (symbol, value) in &ordered {
            let _ = write!(out, "(= {} ", print_symbol(terms.symbol_text(*symbol)));
            self.push_any(terms, value, values, out)?;
            out.push_str(")\n");
        }
        let mut told: Vec<&Value> = Vec::new();
        for (_, value) in ordered.into_iter().filter(|(_, value)| is_table(value)) {
            if told.contains(&value) {
                continue;
            }
            told.push(value);
            let (table, sorts) = table_of(terms, value)?;
            let name = table_name(values.iter().find(|(_, known)| known == value)?.0);
            let head = self.array(sorts.len() - 1);
            let sorts: String = sorts.iter().map(|&sort| format!(" {}", print_sort(terms, sort))).collect();
            let _ = writeln!(out, "(function {name}\n (type ({head}{sorts}))");
            for (place, element) in &table.cells {
                let _ = write!(out, " (= ({name}");
                for value in place {
                    out.push(' ');
                    self.push_any(terms, value, values, out)?;
                }
                out.push_str(") ");
                self.push_any(terms, element, values, out)?;
                out.push_str(")\n");
            }
            out.push_str(" (default ");
            self.push_any(terms, &table.default, values, out)?;
            out.push_str("))\n");
        }
        Some(())
    }
}

/// The name that a table has in Yices' models here: by the first symbol with this value.
fn table_name(symbol: SymbolId) -> String {
    format!("@fun_{}", symbol.index())
}

/// An array as the function that Yices prints with `--smt2-model-format`.
fn as_function(terms: &Terms, symbol: SymbolId, value: &Value) -> Option<String> {
    let Value::Array(array) = value else { return None };
    let Sort::Array(index, element) = *terms.sort_kind(array.sort) else { return None };
    let spelling = Spelling::Yices { standard: true };
    let spelled = |value: &Value| {
        let mut text = String::new();
        push_spelled(terms, value, spelling, &mut text);
        text
    };
    let mut body = spelled(&array.default);
    for (place, value) in array.entries.iter().collect::<Vec<_>>().into_iter().rev() {
        body = format!("(ite (= x!0 {}) {} {body})", spelled(place), spelled(value));
    }
    let (index, element) = (print_sort(terms, index), print_sort(terms, element));
    Some(format!("(define-fun {} ((x!0 {index})) {element} {body})", print_symbol(terms.symbol_text(symbol))))
}

/// A function that has single values in some places and one everywhere else.
struct Table {
    /// No place is there twice.
    cells: Vec<(Vec<Value>, Value)>,
    default: Value,
}

impl Table {
    /// A body that is a chain of cases, each about single values of all parameters.
    fn of(terms: &Terms, function: &FunctionValue) -> Option<Table> {
        let params = function.params.len();
        let mut cells: Vec<(Vec<Value>, Value)> = Vec::new();
        let mut add = |place: Vec<Value>, value: Value| {
            // The first case that fits counts.
            if !cells.iter().any(|(known, _)| *known == place) {
                cells.push((place, value));
            }
        };
        let mut rest = function.body;
        let default = loop {
            if let Some(value) = terms.literal_of(rest) {
                break value.clone();
            }
            match (terms.op(rest), terms.args(rest)) {
                (Op::Fun(Fun::Ite), &[condition, then, other]) => {
                    add(place(terms, condition, params)?, terms.literal_of(then)?.clone());
                    rest = other;
                }
                (Op::Fun(Fun::Not), &[condition]) => {
                    add(place(terms, condition, params)?, Value::Bool(false));
                    break Value::Bool(true);
                }
                // A truth value that is the condition itself.
                _ => {
                    add(place(terms, rest, params)?, Value::Bool(true));
                    break Value::Bool(false);
                }
            }
        };
        Some(Table { cells, default })
    }
}

/// The one place of which a condition is true.
fn place(terms: &Terms, condition: TermId, params: usize) -> Option<Vec<Value>> {
    let mut found: Vec<Option<Value>> = vec![None; params];
    let mut open = vec![condition];
    while let Some(term) = open.pop() {
        let (level, value) = match (terms.op(term), terms.args(term)) {
            (Op::Fun(Fun::And), args) => {
                open.extend_from_slice(args);
                continue;
            }
            (Op::Fun(Fun::Eq), &[a, b]) => match (terms.op(a), terms.op(b)) {
                (Op::Bound(level), _) => (level, terms.literal_of(b)?.clone()),
                (_, Op::Bound(level)) => (level, terms.literal_of(a)?.clone()),
                _ => return None,
            },
            (Op::Bound(level), _) => (level, Value::Bool(true)),
            (Op::Fun(Fun::Not), &[inner]) => match terms.op(inner) {
                Op::Bound(level) => (level, Value::Bool(false)),
                _ => return None,
            },
            _ => return None,
        };
        let known = found.get_mut(level as usize)?;
        if known.as_ref().is_some_and(|known| *known != value) {
            return None;
        }
        *known = Some(value);
    }
    found.into_iter().collect()
}

/// An array or a function as a table, and the sorts of its indices and of its elements.
fn table_of(terms: &Terms, value: &Value) -> Option<(Table, Vec<SortId>)> {
    match value {
        Value::Array(array) => {
            let Sort::Array(index, element) = *terms.sort_kind(array.sort) else { return None };
            let cells = array.entries.iter().map(|(at, value)| (vec![at.clone()], value.clone()));
            let table = Table { cells: cells.collect(), default: array.default.clone() };
            Some((table, vec![index, element]))
        }
        Value::Function(function) => {
            let sorts = function.params.iter().copied().chain([terms.sort_of(function.body)]);
            Some((Table::of(terms, function)?, sorts.collect()))
        }
        _ => None,
    }
}

/// Appends an equality that holds a solver to a value, if the solver can be told it. Yices has no arrays that
/// are the same everywhere: their cells are told.
pub(crate) fn push_pin(terms: &Terms, kind: Kind, source: &str, value: &Value, out: &mut String) {
    let mut pin = |source: &str, value: &Value| {
        let _ = write!(out, "(assert (= {source} ");
        push_value(terms, value, out);
        out.push_str("))\n");
    };
    match value {
        Value::Array(array) if kind == Kind::Yices => {
            for (place, element) in &array.entries {
                let mut cell = format!("(select {source} ");
                push_value(terms, place, &mut cell);
                cell.push(')');
                pin(&cell, element);
            }
        }
        _ => pin(source, value),
    }
}
