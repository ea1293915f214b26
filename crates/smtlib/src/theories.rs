//! Theories of one solver: functions that are read with their sorts and that nobody here interprets.
//!
//! What the reader does not understand is never reused. Most of what solvers add to the standard needs no
//! understanding to be reused, though: the same set constraint, asked again under other names, has the same
//! answer. So a function of these tables becomes an [`Opaque`] term. Its identity is the solver, the text
//! with
//! its indices, and all sorts; its arguments keep their order. A name that a script declares itself is the
//! script's, since the tables are only asked about names without a meaning.
//!
//! One file per theory holds its functions with their signatures ([`signature`]). What a signature cannot say
//! (tuples, relations, functions as values) is a rule in [`rules`].

mod arithmetic;
mod bags;
mod bits;
mod fields;
mod functions;
mod rules;
mod separation;
mod sets;
mod signature;
mod texts;
mod z3;

pub(crate) use rules::{applied, function_sort, is_function};

use crate::context::{Context, coerce};
use evergreen_term::{Dialect, Name, Opaque, Sort, SortId, TermId, Terms};

/// A function: its name, how many numerals it is indexed by, and its signature, or `!` and a rule's name.
pub(crate) type Entry = (&'static str, u8, &'static str);

/// In place of a number of indices: any.
pub(crate) const ANY: u8 = u8::MAX;

const OF_CVC5: &[&[Entry]] = &[
    sets::FUNCTIONS,
    bags::FUNCTIONS,
    fields::FUNCTIONS,
    arithmetic::OF_CVC5,
    bits::OF_CVC5,
    texts::OF_CVC5,
    separation::FUNCTIONS,
    functions::FUNCTIONS,
];
const OF_Z3: &[&[Entry]] = &[z3::FUNCTIONS, arithmetic::OF_Z3, bits::OF_Z3, texts::OF_Z3];

fn tables(dialect: Dialect) -> &'static [&'static [Entry]] {
    match dialect {
        Dialect::Standard => &[],
        Dialect::Z3 => OF_Z3,
        Dialect::Cvc5 => OF_CVC5,
    }
}

fn entries(dialect: Dialect, name: &str) -> impl Iterator<Item = &'static Entry> {
    tables(dialect).iter().flat_map(|table| table.iter()).filter(move |entry| entry.0 == name)
}

/// The table's own text of a name, if the dialect has a function of that name without indices.
pub(crate) fn plain(dialect: Dialect, name: &str) -> Option<&'static str> {
    entries(dialect, name).find(|entry| entry.1 == 0).map(|entry| entry.0)
}

/// The same for a function with so many indices.
pub(crate) fn indexed(dialect: Dialect, name: &str, indices: usize) -> Option<&'static str> {
    let fits = |wanted: u8| indices > 0 && (wanted == ANY || usize::from(wanted) == indices);
    entries(dialect, name).find(|entry| fits(entry.1)).map(|entry| entry.0)
}

/// The function `name`, written as `text`, applied to arguments.
pub(crate) fn apply(
    context: &Context,
    terms: &mut Terms,
    name: &'static str,
    text: Name,
    args: &[TermId],
) -> Result<TermId, String> {
    let dialect = context.dialect;
    for &(_, _, rule) in entries(dialect, name) {
        let found = match rule.strip_prefix('!') {
            Some(rule) => {
                let text = terms.text(text).to_owned();
                rules::result(terms, rule, &text, args).map(|sort| (sort, args.to_vec()))
            }
            None => signature::result(terms, rule, args),
        };
        let Some((sort, args)) = found else { continue };
        if rule == "!apply" {
            return applied(terms, dialect, args[0], &args[1..]);
        }
        let sorts: Box<[SortId]> = match separation::depends_on_heap(name) {
            // What a formula says of the heap depends on what the heap holds.
            true => context.heap.ok_or("no heap is declared")?.into(),
            false => Box::new([]),
        };
        let opaque = Opaque { dialect, text: terms.text(text).into(), sorts };
        return terms.opaque(opaque, sort, &args).map_err(|error| error.to_string());
    }
    Err(format!("\"{name}\" wants other sorts of arguments"))
}

/// `(as c S)`, for the constants that need their sort.
pub(crate) fn qualified(context: &Context, terms: &mut Terms, name: &str, sort: SortId) -> Option<TermId> {
    let dialect = context.dialect;
    let is = |wanted: &str| matches!(terms.sort_kind(sort), Sort::Opaque(n, _) if terms.text(*n) == wanted);
    let fits = match (dialect, name) {
        (Dialect::Cvc5, "set.empty" | "set.universe") => is("Set"),
        (Dialect::Cvc5, "bag.empty") => is("Bag"),
        (Dialect::Cvc5, "nullable.null") => is("Nullable"),
        (Dialect::Cvc5, "sep.nil") => true,
        (Dialect::Cvc5, field) => fields::is_element(field) && fields::is_field(terms, sort),
        (Dialect::Z3, "re.empty" | "re.full" | "re.all") => sort == SortId::REGLAN,
        _ => false,
    };
    let text = format!("(as {name} %)").into();
    let opaque = Opaque { dialect, text, sorts: Box::new([sort]) };
    if fits { terms.opaque(opaque, sort, &[]).ok() } else { None }
}

/// `(_ fmf.card S n)`: that a sort has at most so many elements.
pub(crate) fn cardinality(context: &Context, terms: &mut Terms, sort: SortId, count: u32) -> Option<TermId> {
    let text = format!("(_ fmf.card % {count})").into();
    let opaque = Opaque { dialect: context.dialect, text, sorts: Box::new([sort]) };
    terms.opaque(opaque, SortId::BOOL, &[]).ok()
}

/// `#f3m7`: an element of a finite field.
pub(crate) fn field_literal(context: &Context, terms: &mut Terms, text: &str) -> Option<TermId> {
    let (_, order) = text.strip_prefix("#f")?.split_once('m')?;
    if context.dialect != Dialect::Cvc5 {
        return None;
    }
    let sort = fields::sort(terms, order)?;
    let opaque = Opaque { dialect: Dialect::Cvc5, text: text.into(), sorts: Box::new([]) };
    terms.opaque(opaque, sort, &[]).ok()
}

/// The sort that a name applied to sorts is in the dialect, where the script has not declared the name.
pub(crate) fn sort(dialect: Dialect, terms: &mut Terms, name: &str, args: &[SortId]) -> Option<SortId> {
    let mut opaque = |name: &str, args: &[SortId]| {
        let name = terms.name(name);
        terms.sort(Sort::Opaque(name, args.into()))
    };
    Some(match (dialect, name, args) {
        (Dialect::Cvc5, "Set" | "Bag" | "Nullable", [_]) => opaque(name, args),
        (Dialect::Cvc5, "Tuple", _) => opaque(name, args),
        (Dialect::Cvc5, "UnitTuple", []) => opaque("Tuple", &[]),
        (Dialect::Cvc5, "Relation", _) => {
            let row = opaque("Tuple", args);
            opaque("Set", &[row])
        }
        (Dialect::Cvc5, "Table", _) => {
            let row = opaque("Tuple", args);
            opaque("Bag", &[row])
        }
        (Dialect::Cvc5, "->", [params @ .., result]) if !params.is_empty() => {
            function_sort(terms, params, *result)
        }
        (Dialect::Z3, "Set", &[element]) => terms.array_sort(element, SortId::BOOL),
        (Dialect::Z3, "RegEx", [SortId::STRING]) => SortId::REGLAN,
        _ => return None,
    })
}

/// Whether the dialect has a sort of that name.
pub(crate) fn is_sort(dialect: Dialect, name: &str) -> bool {
    match dialect {
        Dialect::Standard => false,
        Dialect::Z3 => matches!(name, "Set" | "RegEx"),
        Dialect::Cvc5 => {
            matches!(name, "Set" | "Bag" | "Nullable" | "Tuple" | "UnitTuple" | "Relation" | "Table" | "->")
        }
    }
}

/// `(_ FiniteField p)`, the indices as they are written.
pub(crate) fn indexed_sort(dialect: Dialect, terms: &mut Terms, name: &str, index: &str) -> Option<SortId> {
    if (dialect, name) == (Dialect::Cvc5, "FiniteField") { fields::sort(terms, index) } else { None }
}

/// The argument as one of that sort, if it is or can be made one.
pub(crate) fn fitting(terms: &mut Terms, arg: TermId, sort: SortId) -> Option<TermId> {
    coerce(terms, arg, sort)
}
