//! Values and models as solvers print them, read. [`crate::spelled`] writes them.

use evergreen_smtlib::{Context, Kind, Tape};
use evergreen_term::{
    ArrayValue, Completion, Entries, Evaluator, FunctionValue, Model, Op, Quantifier, Sort, SortId, SymbolId,
    SymbolKind, TermId, Terms, Value,
};
use rustc_hash::FxHashMap;

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
    declare_qualified(terms, context, &tape, &mut elements);
    let tables: Tables<'_> = entries.iter().filter_map(|&entry| table(&tape, entry)).collect();
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
                let is_function = !terms.symbol_of(symbol).params.is_empty();
                let value = match tables.get(tape.source(body)) {
                    Some(table) if is_function => read_function_table(terms, context, &tables, symbol, table),
                    _ => {
                        let sort = terms.symbol_of(symbol).result;
                        let read = read_value(terms, context, &tables, tape.source(body), sort, 0);
                        read.or_else(|| {
                            read_constant(terms, context, &elements, symbol, text(body).as_bytes())
                        })
                    }
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

/// An array or a function as Yices writes it, beside the equation that says which one it is: `(function
/// @fun_1 (type …) (= (@fun_1 INDEX …) ELEMENT) … (default ELEMENT))`.
struct Table<'t> {
    cells: Vec<(Vec<&'t [u8]>, &'t [u8])>,
    default: &'t [u8],
}

type Tables<'t> = FxHashMap<&'t [u8], Table<'t>>;

/// Arrays of arrays nest this deep at most.
const MOST_NESTED: u32 = 16;

fn table<'t>(tape: &Tape<'t>, entry: usize) -> Option<(&'t [u8], Table<'t>)> {
    let parts = list(tape, entry);
    let [head, name, of_type, cells @ .., default] = &parts[..] else { return None };
    let is_typed = matches!(list(tape, *of_type)[..], [word, _] if tape.is_word(word, "type"));
    let [word, default] = list(tape, *default)[..] else { return None };
    if !tape.is_word(*head, "function") || !is_typed || !tape.is_word(word, "default") {
        return None;
    }
    let cell = |&cell: &usize| {
        let [equals, place, element] = list(tape, cell)[..] else { return None };
        let place = list(tape, place);
        let (&of, indices) = place.split_first()?;
        let fits = tape.is_word(equals, "=") && tape.atom(of) == tape.atom(*name) && !indices.is_empty();
        let indices = indices.iter().map(|&index| tape.source(index)).collect();
        fits.then(|| (indices, tape.source(element)))
    };
    let cells = cells.iter().map(cell).collect::<Option<_>>()?;
    Some((tape.atom(*name), Table { cells, default: tape.source(default) }))
}

/// A value as Yices writes it: an array by the name of its table, an element of a declared sort by a name of
/// its own, anything else as a term.
fn read_value(
    terms: &mut Terms,
    context: &mut Context,
    tables: &Tables<'_>,
    text: &[u8],
    sort: SortId,
    nested: u32,
) -> Option<Value> {
    if nested > MOST_NESTED {
        return None;
    }
    if let Some(table) = tables.get(text) {
        let Sort::Array(index, element) = *terms.sort_kind(sort) else { return None };
        let default = read_value(terms, context, tables, table.default, element, nested + 1)?;
        let mut array = ArrayValue { sort, default, entries: Entries::new() };
        for (at, element_text) in &table.cells {
            let [at] = at[..] else { return None };
            let at = read_value(terms, context, tables, at, index, nested + 1)?;
            array.set(at, read_value(terms, context, tables, element_text, element, nested + 1)?);
        }
        return Some(Value::Array(Box::new(array)));
    }
    if matches!(terms.sort_kind(sort), Sort::Uninterpreted(..)) {
        let name = std::str::from_utf8(text).ok().filter(|name| name.starts_with("@const_"))?;
        let name = terms.name(name);
        return Some(Value::Element(sort, name));
    }
    let term = context.read_term(terms, text).ok()?;
    let term = as_sort(terms, term, sort)?;
    terms.literal_of(term).cloned()
}

/// A function as a table: a chain of cases over its parameters.
fn read_function_table(
    terms: &mut Terms,
    context: &mut Context,
    tables: &Tables<'_>,
    symbol: SymbolId,
    table: &Table<'_>,
) -> Option<Value> {
    use evergreen_term::Fun;
    let s = terms.symbol_of(symbol).clone();
    let scalar = |terms: &mut Terms, value: Value| match value {
        Value::Array(_) | Value::Data(..) | Value::Function(_) => None,
        value => Some(terms.literal(value)),
    };
    let default = read_value(terms, context, tables, table.default, s.result, 0)?;
    let mut body = scalar(terms, default)?;
    for (indices, element) in table.cells.iter().rev() {
        if indices.len() != s.params.len() {
            return None;
        }
        let mut conditions = Vec::new();
        for (level, (text, &sort)) in indices.iter().zip(s.params.iter()).enumerate() {
            let value = read_value(terms, context, tables, text, sort, 0)?;
            let value = scalar(terms, value)?;
            let parameter = terms.bound(level as u32, sort);
            conditions.push(terms.app(Fun::Eq, &[parameter, value]).ok()?);
        }
        let condition = match conditions[..] {
            [one] => one,
            _ => terms.app(Fun::And, &conditions).ok()?,
        };
        let element = read_value(terms, context, tables, element, s.result, 0)?;
        let element = scalar(terms, element)?;
        body = terms.app(Fun::Ite, &[condition, element, body]).ok()?;
    }
    Some(Value::Function(Box::new(FunctionValue { params: s.params, body })))
}

/// cvc5 writes elements of declared sorts as `(as @a_0 U)`, in bodies of functions too, and declares none of
/// them.
fn declare_qualified(terms: &mut Terms, context: &mut Context, tape: &Tape<'_>, elements: &mut Model) {
    let mut known: rustc_hash::FxHashSet<&[u8]> = rustc_hash::FxHashSet::default();
    for at in 0..tape.len().saturating_sub(3) {
        let is_qualified = tape.kind(at) == Kind::Open
            && tape.is_word(at + 1, "as")
            && tape.kind(at + 2) == Kind::Symbol
            && tape.atom(at + 2).starts_with(b"@");
        if is_qualified && known.insert(tape.atom(at + 2)) {
            let name = String::from_utf8_lossy(tape.atom(at + 2));
            let sort = String::from_utf8_lossy(tape.source(at + 3));
            declare_element(terms, context, format!("(declare-fun {name} () {sort})").as_bytes(), elements);
        }
    }
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
    rewritten(terms, body, |terms, term| match terms.op(term) {
        Op::Apply(s) => elements.get(s).cloned().map(|element| terms.literal(element)),
        _ => None,
    })
}

/// A term with others in place of some of its subterms, in all places.
pub(crate) fn rewritten(
    terms: &mut Terms,
    body: TermId,
    mut other: impl FnMut(&mut Terms, TermId) -> Option<TermId>,
) -> TermId {
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
        let new = other(terms, term).unwrap_or_else(|| {
            let args: Vec<TermId> = args.iter().map(|a| done[a]).collect();
            terms.with_args(term, &args)
        });
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
        if matches!(terms.op(term), Op::Opaque(_) | Op::Function(_) | Op::Quantifier(Quantifier::Lambda, _)) {
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
