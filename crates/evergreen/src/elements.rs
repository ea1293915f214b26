//! Elements of declared sorts under the names that the client's own solver gives them.
//!
//! A model may come from another solver, from a core that is built in, or from a query in which the sort had
//! another name. A client of cvc5 reads `(as @U_0 U)` and nothing else. Names are given for one check, in the
//! order in which the elements are asked for; elements that have such a name already keep it.

use crate::values::rewritten;
use evergreen_solver::Kind;
use evergreen_term::{ArrayValue, Model, Name, Sort, SortId, Terms, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// The names of one check.
#[derive(Default)]
pub(crate) struct Elements {
    /// The client's solver.
    kind: Option<Kind>,
    given: FxHashMap<(SortId, Name), Name>,
    taken: FxHashSet<(SortId, Name)>,
}

impl Elements {
    /// The names for a model.
    pub(crate) fn of(terms: &Terms, kind: Kind, model: &Model) -> Elements {
        let mut elements = Elements { kind: Some(kind), ..Elements::default() };
        for (sort, name) in mentioned(terms, model.iter().map(|(_, value)| value)) {
            if elements.is_own(terms, sort, name) {
                elements.keep(sort, name);
            }
        }
        elements
    }

    fn keep(&mut self, sort: SortId, name: Name) {
        self.given.insert((sort, name), name);
        self.taken.insert((self.range(sort), name));
    }

    /// Yices counts the elements of all sorts together.
    fn range(&self, sort: SortId) -> SortId {
        if self.kind == Some(Kind::Yices) { SortId::BOOL } else { sort }
    }

    /// Whether the solver could have given that name.
    fn is_own(&self, terms: &Terms, sort: SortId, name: Name) -> bool {
        let Sort::Uninterpreted(sort, _) = terms.sort_kind(sort) else { return true };
        let (sort, name) = (terms.text(*sort), terms.text(name));
        match self.kind {
            Some(Kind::Cvc5) => name.starts_with('@') && !name.starts_with("@const_"),
            Some(Kind::Yices | Kind::Bitwuzla) => name.starts_with("@const_"),
            _ => name.strip_prefix(sort).is_some_and(|rest| rest.starts_with("!val!")),
        }
    }

    fn name(&mut self, terms: &mut Terms, sort: SortId, element: Name) -> Name {
        if let Some(&name) = self.given.get(&(sort, element)) {
            return name;
        }
        if self.kind.is_none() {
            return element;
        }
        let Sort::Uninterpreted(of, _) = *terms.sort_kind(sort) else { return element };
        let of = terms.text(of).to_string();
        // What has to be quoted is no part of a name of cvc5's.
        let is_simple = of.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        for number in 0.. {
            let text = match self.kind {
                Some(Kind::Cvc5) if is_simple => format!("@{of}_{number}"),
                Some(Kind::Cvc5) => format!("@a_{number}"),
                Some(Kind::Yices | Kind::Bitwuzla) => format!("@const_{number}"),
                _ => format!("{of}!val!{number}"),
            };
            let name = terms.name(&text);
            if self.taken.insert((self.range(sort), name)) {
                self.given.insert((sort, element), name);
                return name;
            }
        }
        unreachable!("there are more numbers than elements")
    }

    /// A value with the elements' names.
    pub(crate) fn renamed(&mut self, terms: &mut Terms, value: &Value) -> Value {
        match value {
            Value::Element(sort, name) => Value::Element(*sort, self.name(terms, *sort, *name)),
            Value::Array(array) if terms.is_declared_sort(array.sort) => {
                let entries = array.entries.iter();
                let entries: Vec<(Value, Value)> =
                    entries.map(|(at, v)| (self.renamed(terms, at), self.renamed(terms, v))).collect();
                let default = self.renamed(terms, &array.default);
                let mut renamed = ArrayValue { sort: array.sort, default, entries: Default::default() };
                for (at, value) in entries {
                    renamed.set(at, value);
                }
                Value::Array(Box::new(renamed))
            }
            Value::Data(constructor, fields) => {
                Value::Data(*constructor, fields.iter().map(|field| self.renamed(terms, field)).collect())
            }
            Value::Function(function) => {
                let mut function = function.clone();
                function.body = rewritten(terms, function.body, |terms, term| {
                    let literal = terms.literal_of(term)?.clone();
                    let renamed = self.renamed(terms, &literal);
                    (renamed != literal).then(|| terms.literal(renamed))
                });
                Value::Function(function)
            }
            _ => value.clone(),
        }
    }
}

/// The elements of declared sorts that values mention, in arrays, datatypes and bodies of functions too.
pub(crate) fn mentioned<'v>(
    terms: &'v Terms,
    values: impl Iterator<Item = &'v Value>,
) -> Vec<(SortId, Name)> {
    let (mut found, mut known) = (Vec::new(), FxHashSet::default());
    let mut open: Vec<&Value> = values.collect();
    open.reverse();
    while let Some(value) = open.pop() {
        match value {
            Value::Element(sort, name) if known.insert((*sort, *name)) => found.push((*sort, *name)),
            Value::Array(array) => {
                open.push(&array.default);
                open.extend(array.entries.iter().flat_map(|(index, element)| [index, element]));
            }
            Value::Data(_, fields) => open.extend(fields.iter()),
            Value::Function(function) => literals(terms, function.body, &mut open),
            _ => {}
        }
    }
    found
}

/// The literals in a function's body.
fn literals<'t>(terms: &'t Terms, body: evergreen_term::TermId, literals: &mut Vec<&'t Value>) {
    let (mut open, mut seen) = (vec![body], FxHashSet::default());
    while let Some(term) = open.pop() {
        if seen.insert(term) {
            literals.extend(terms.literal_of(term));
            open.extend(terms.args(term));
        }
    }
}
