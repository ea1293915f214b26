//! Values and models as SMT-LIB text: written for clients, read from solvers.

use evergreen_smtlib::{Context, Kind, Tape, print_function, print_sort, print_symbol, print_value};
use evergreen_term::{
    ArrayValue, Completion, Entries, Evaluator, FunctionValue, Model, Op, Sort, SortId, SymbolId, SymbolKind,
    TermId, Terms, Value,
};
use rustc_hash::FxHashMap;

/// `(define-fun …)` for a symbol's value.
pub(crate) fn print_definition(terms: &Terms, symbol: SymbolId, value: &Value) -> String {
    let s = terms.symbol_of(symbol);
    let name = print_symbol(terms.text(s.name));
    let sort = print_sort(terms, s.result);
    match value {
        Value::Function(f) => {
            let (params, body) = print_function(terms, &f.params, f.body);
            format!("(define-fun {name} {params} {sort}\n    {body})")
        }
        _ => format!("(define-fun {name} () {sort}\n    {})", print_value(terms, value)),
    }
}

/// The items of a list; none for an atom.
fn list(tape: &Tape<'_>, index: usize) -> Vec<usize> {
    if tape.kind(index) == Kind::Open { tape.children(index).collect() } else { Vec::new() }
}

/// A solver's model, as far as it could be read.
pub(crate) struct ReadModel {
    pub(crate) model: Model,
    /// Whether everything that the solver said about declared symbols was understood.
    pub(crate) complete: bool,
}

/// The entries of a reply to `(get-model)`: definitions in one list, or equations one after the other, as
/// Yices writes them.
fn entries(tape: &Tape<'_>) -> Option<Vec<usize>> {
    let roots: Vec<usize> = tape.roots().collect();
    match roots[..] {
        [root] if !is_equation(tape, root) => {
            (tape.kind(root) == Kind::Open).then(|| tape.children(root).collect())
        }
        _ => roots.iter().all(|&r| tape.kind(r) == Kind::Open).then_some(roots),
    }
}

fn is_equation(tape: &Tape<'_>, entry: usize) -> bool {
    matches!(list(tape, entry)[..], [head, ..] if tape.is_word(head, "="))
}

/// Reads the reply to `(get-model)`.
///
/// Definitions are read in a scope of their own under a neutral name, because the symbols that they define
/// are already declared. Constants that the model declares itself are the elements of declared sorts.
pub(crate) fn read_model(
    terms: &mut Terms,
    context: &mut Context,
    symbols: &FxHashMap<Vec<u8>, SymbolId>,
    reply: &str,
) -> Option<ReadModel> {
    let tape = Tape::read(reply.as_bytes()).ok()?;
    let entries = entries(&tape)?;
    context.push(1);
    let mut read = ReadModel { model: Model::new(), complete: true };
    let mut elements = Model::new();
    for &entry in &entries {
        let parts = list(&tape, entry);
        if parts.len() == 4 && tape.is_word(parts[0], "declare-fun") {
            declare_element(terms, context, tape.source(entry), &mut elements);
        }
    }
    let tables: FxHashMap<&[u8], ArrayText> =
        entries.iter().filter_map(|&entry| array_text(&tape, entry)).collect();
    for &entry in &entries {
        let text = |i: usize| String::from_utf8_lossy(tape.source(i)).into_owned();
        let (symbol, value) = match list(&tape, entry)[..] {
            [head, name, params, sort, body] if tape.is_word(head, "define-fun") => {
                let Some(&symbol) = symbols.get(tape.atom(name)) else { continue };
                let value = if tape.children(params).next().is_none() {
                    read_constant(terms, context, &elements, symbol, text(body).as_bytes())
                } else {
                    let definition = format!(
                        "(define-fun evergreen!value {} {} {})",
                        text(params),
                        text(sort),
                        text(body)
                    );
                    read_function(terms, context, &elements, symbol, definition.as_bytes())
                };
                (symbol, value)
            }
            [head, name, body] if tape.is_word(head, "=") => {
                let Some(&symbol) = symbols.get(tape.atom(name)) else { continue };
                let value = match tables.get(tape.atom(body)) {
                    Some(table) => read_array(terms, context, symbol, table),
                    None => read_constant(terms, context, &elements, symbol, text(body).as_bytes()),
                };
                (symbol, value)
            }
            // Read where an array is said to be this one.
            [head, ..] if tape.is_word(head, "function") => continue,
            // Elements were read above; what a model says of a sort's elements as a whole is not needed.
            [head, ..] if tape.is_word(head, "declare-fun") || tape.is_word(head, "forall") => continue,
            // The word `model` of old versions.
            [] => continue,
            _ => {
                read.complete = false;
                continue;
            }
        };
        match value {
            Some(value) => drop(read.model.set(symbol, value)),
            None => read.complete = false,
        }
    }
    let _ = context.pop(1);
    Some(read)
}

/// An array as Yices writes it, beside the equation that says which one it is: `(function @fun_1 (type …) (=
/// (@fun_1 INDEX) ELEMENT) … (default ELEMENT))`.
struct ArrayText<'t> {
    cells: Vec<(&'t [u8], &'t [u8])>,
    default: &'t [u8],
}

fn array_text<'t>(tape: &Tape<'t>, entry: usize) -> Option<(&'t [u8], ArrayText<'t>)> {
    let parts = list(tape, entry);
    let [head, name, of_type, cells @ .., default] = &parts[..] else { return None };
    let of_type = list(tape, *of_type);
    let is_array = match of_type[..] {
        [word, sort] => tape.is_word(word, "type") && tape.source(sort).starts_with(b"(Array "),
        _ => false,
    };
    let [word, default] = list(tape, *default)[..] else { return None };
    if !tape.is_word(*head, "function") || !is_array || !tape.is_word(word, "default") {
        return None;
    }
    let cell = |&cell: &usize| {
        let [equals, place, element] = list(tape, cell)[..] else { return None };
        let [of, index] = list(tape, place)[..] else { return None };
        let fits = tape.is_word(equals, "=") && tape.atom(of) == tape.atom(*name);
        fits.then(|| (tape.source(index), tape.source(element)))
    };
    let cells = cells.iter().map(cell).collect::<Option<_>>()?;
    Some((tape.atom(*name), ArrayText { cells, default: tape.source(default) }))
}

fn read_array(
    terms: &mut Terms,
    context: &mut Context,
    symbol: SymbolId,
    text: &ArrayText<'_>,
) -> Option<Value> {
    let sort = terms.symbol_of(symbol).result;
    let Sort::Array(index, element) = *terms.sort_kind(sort) else { return None };
    let mut value = |terms: &mut Terms, text: &[u8], sort: SortId| {
        let term = context.read_term(terms, text).ok()?;
        let term = as_sort(terms, term, sort)?;
        terms.literal_of(term).cloned()
    };
    let default = value(terms, text.default, element)?;
    let mut array = ArrayValue { sort, default, entries: Entries::new() };
    for (at, element_text) in &text.cells {
        let at = value(terms, at, index)?;
        array.set(at, value(terms, element_text, element)?);
    }
    Some(Value::Array(Box::new(array)))
}

fn declare_element(terms: &mut Terms, context: &mut Context, text: &[u8], elements: &mut Model) {
    if let Ok(evergreen_smtlib::Command::DeclareFun(symbol)) = context.read(terms, text) {
        let s = terms.symbol_of(symbol);
        if s.params.is_empty() && matches!(terms.sort_kind(s.result), Sort::Uninterpreted(..)) {
            let element = Value::Element(s.result, s.name);
            elements.set(symbol, element);
        }
    }
}

fn read_constant(
    terms: &mut Terms,
    context: &mut Context,
    elements: &Model,
    symbol: SymbolId,
    text: &[u8],
) -> Option<Value> {
    let sort = terms.symbol_of(symbol).result;
    if let Some(element) = read_element(terms, sort, text) {
        return Some(element);
    }
    let term = context.read_term(terms, text).ok()?;
    let term = as_sort(terms, term, sort)?;
    Evaluator::new(terms, elements).completing(Completion::None).evaluate(term).ok().cloned()
}

/// cvc5 writes elements of declared sorts as `(as @a_0 U)`.
fn read_element(terms: &mut Terms, sort: SortId, text: &[u8]) -> Option<Value> {
    if !matches!(terms.sort_kind(sort), Sort::Uninterpreted(..)) {
        return None;
    }
    let tape = Tape::read(text).ok()?;
    let root = tape.roots().next()?;
    let parts = list(&tape, root);
    let &[head, name, _] = &parts[..] else { return None };
    let name = std::str::from_utf8(tape.atom(name)).ok()?;
    if !tape.is_word(head, "as") || !name.starts_with('@') {
        return None;
    }
    let name = terms.name(name);
    Some(Value::Element(sort, name))
}

fn read_function(
    terms: &mut Terms,
    context: &mut Context,
    elements: &Model,
    symbol: SymbolId,
    text: &[u8],
) -> Option<Value> {
    context.push(1);
    let read = context.read(terms, text);
    let _ = context.pop(1);
    let Ok(evergreen_smtlib::Command::DefineFun { params, body, .. }) = read else { return None };
    let body = with_elements(terms, elements, body);
    let s = terms.symbol_of(symbol);
    let fits = *s.params == *params && s.result == terms.sort_of(body);
    (fits && is_closed(terms, body))
        .then(|| Value::Function(Box::new(FunctionValue { params: params.into_boxed_slice(), body })))
}

/// A body with the elements of declared sorts as literals, in place of the constants that a model declares
/// for them.
fn with_elements(terms: &mut Terms, elements: &Model, body: TermId) -> TermId {
    if elements.is_empty() {
        return body;
    }
    let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
    let mut stack = vec![body];
    while let Some(&term) = stack.last() {
        if done.contains_key(&term) {
            stack.pop();
            continue;
        }
        let args = terms.args(term).to_vec();
        let before = stack.len();
        stack.extend(args.iter().filter(|a| !done.contains_key(a)));
        if stack.len() > before {
            continue;
        }
        let element = match terms.op(term) {
            Op::Apply(s) => elements.get(s).cloned(),
            _ => None,
        };
        let new = match element {
            Some(element) => terms.literal(element),
            None => {
                let args: Vec<TermId> = args.iter().map(|a| done[a]).collect();
                terms.with_args(term, &args)
            }
        };
        done.insert(term, new);
        stack.pop();
    }
    done[&body]
}

/// Whether a body uses nothing declared, constructors and selectors aside.
fn is_closed(terms: &Terms, body: TermId) -> bool {
    let mut stack = vec![body];
    let mut seen = rustc_hash::FxHashSet::default();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        if let Op::Apply(s) = terms.op(term)
            && matches!(terms.symbol_of(s).kind, SymbolKind::Free | SymbolKind::Defined(_))
        {
            return false;
        }
        stack.extend(terms.args(term));
    }
    true
}

/// Solvers write whole reals as integers in some places.
fn as_sort(terms: &mut Terms, term: TermId, sort: SortId) -> Option<TermId> {
    let found = terms.sort_of(term);
    if found == sort {
        return Some(term);
    }
    if found == SortId::INT && sort == SortId::REAL {
        return terms.app(evergreen_term::Fun::ToReal, &[term]).ok();
    }
    None
}
