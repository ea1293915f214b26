//! Which values make a model of a path, and reading them from a solver's reply.
//!
//! Constants are asked for by name. Arrays are, too, where the solver prints them as terms (z3); elsewhere
//! the cells are asked for that the path reads at literal indices, which is what KLEE asks for.

use evergreen::smtlib::{Context, print_symbol, print_term};
use evergreen::solver::{Kind, answer};
use evergreen::{
    Completion, Evaluator, Fun, Model, Op, Sort, SymbolId, SymbolKind, TermId, Terms, Traits, Value,
};
use std::collections::HashSet;
use std::rc::Rc;

/// What a constraint is about.
#[derive(Debug, Default)]
pub(crate) struct Mentions {
    /// Its free constants and functions.
    pub symbols: Vec<SymbolId>,
    /// Its reads of declared arrays at literal indices: the array and the read.
    pub cells: Vec<(SymbolId, TermId)>,
    /// What couples it with others besides symbols: quantifiers, declared sorts, functions that are open
    /// somewhere.
    pub coupled: bool,
}

/// What the constraints of an arena are about, each looked at once.
#[derive(Default)]
pub(crate) struct Survey {
    known: Vec<Option<Rc<Mentions>>>,
}

impl Survey {
    /// What a constraint is about.
    pub(crate) fn of(&mut self, terms: &Terms, constraint: TermId) -> Rc<Mentions> {
        let at = constraint.index();
        if at >= self.known.len() {
            self.known.resize(terms.len().max(at + 1), None);
        }
        self.known[at].get_or_insert_with(|| Rc::new(mentions(terms, constraint))).clone()
    }
}

fn mentions(terms: &Terms, constraint: TermId) -> Mentions {
    let traits = terms.traits(constraint);
    let coupled =
        [Traits::QUANTIFIED, Traits::DECLARED_SORTS, Traits::PARTIAL].iter().any(|t| traits.has(*t));
    let mut found = Mentions { coupled, ..Mentions::default() };
    let (mut seen, mut symbols) = (HashSet::new(), HashSet::new());
    let mut stack = vec![constraint];
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        if let Some(symbol) = free_symbol(terms, term)
            && symbols.insert(symbol)
        {
            found.symbols.push(symbol);
        }
        if let (Op::Fun(Fun::Select), &[array, index]) = (terms.op(term), terms.args(term))
            && let Some(symbol) = free_symbol(terms, array)
            && terms.literal_of(index).is_some()
        {
            found.cells.push((symbol, term));
        }
        stack.extend(terms.args(term).iter().rev());
    }
    found
}

/// The declared constant or function at the head of a term.
fn free_symbol(terms: &Terms, term: TermId) -> Option<SymbolId> {
    match terms.op(term) {
        Op::Apply(symbol) if terms.symbol_of(symbol).kind == SymbolKind::Free => Some(symbol),
        _ => None,
    }
}

/// One value that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Target {
    Symbol(SymbolId),
    Cell(SymbolId, TermId),
}

/// The values of a path, kept as the path grows and shrinks.
#[derive(Default)]
pub(crate) struct Wanted {
    targets: Vec<Target>,
    names: String,
    live: HashSet<Target>,
    /// Lengths before each constraint.
    marks: Vec<(usize, usize)>,
}

impl Wanted {
    /// Whether there is nothing to ask for.
    pub(crate) fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// A constraint comes to the path.
    pub(crate) fn extend(&mut self, terms: &Terms, mentions: &Mentions, kind: Kind) {
        self.marks.push((self.targets.len(), self.names.len()));
        for &symbol in &mentions.symbols {
            let of = terms.symbol_of(symbol);
            let by_cells = kind != Kind::Z3 && matches!(terms.sort_kind(of.result), Sort::Array(..));
            if of.params.is_empty() && !terms.is_declared_sort(of.result) && !by_cells {
                self.want(Target::Symbol(symbol), |names| {
                    names.push_str(&print_symbol(terms.symbol_text(symbol)))
                });
            }
        }
        for &(array, read) in mentions.cells.iter().filter(|_| kind != Kind::Z3) {
            self.want(Target::Cell(array, read), |names| names.push_str(&print_term(terms, read)));
        }
    }

    fn want(&mut self, target: Target, write: impl FnOnce(&mut String)) {
        if self.live.insert(target) {
            self.targets.push(target);
            self.names.push(' ');
            write(&mut self.names);
        }
    }

    /// The last constraint leaves the path.
    pub(crate) fn retract(&mut self) {
        let Some((targets, names)) = self.marks.pop() else { return };
        for target in self.targets.drain(targets..) {
            self.live.remove(&target);
        }
        self.names.truncate(names);
    }

    /// Appends the question.
    pub(crate) fn write(&self, text: &mut String) {
        text.push_str("(get-value (");
        text.push_str(&self.names);
        text.push_str("))\n");
    }
}

/// Reads values.
#[derive(Default)]
pub(crate) struct ValueReader {
    /// Reads what is not an integer; knows only the theories' names.
    context: Option<Context>,
}

impl ValueReader {
    /// The model in a reply.
    pub(crate) fn read(&mut self, terms: &mut Terms, wanted: &Wanted, reply: &str) -> Result<Model, String> {
        let values = answer::parse_values(reply).map_err(|e| e.to_string())?;
        if values.len() != wanted.targets.len() {
            return Err(format!("{} values asked for, {} given", wanted.targets.len(), values.len()));
        }
        let mut model = Model::new();
        for (target, (_, text)) in wanted.targets.iter().zip(values) {
            let value = match integer(text) {
                Some(value) => value,
                None => self.value(terms, text).ok_or_else(|| format!("\"{text}\" is no value"))?,
            };
            match *target {
                Target::Symbol(symbol) => {
                    model.set(symbol, value);
                }
                Target::Cell(array, read) => set_cell(terms, &mut model, array, read, value)?,
            }
        }
        Ok(model)
    }

    fn value(&mut self, terms: &mut Terms, text: &str) -> Option<Value> {
        let context = self.context.get_or_insert_with(|| Context::new(terms));
        let term = context.read_term(terms, text.as_bytes()).ok()?;
        let empty = Model::new();
        Evaluator::new(terms, &empty).completing(Completion::None).evaluate(term).ok().cloned()
    }
}

/// `5` or `(- 5)`.
fn integer(text: &str) -> Option<Value> {
    let value: i64 = match text.strip_prefix("(- ") {
        Some(rest) => rest.strip_suffix(')')?.trim().parse::<i64>().ok()?.checked_neg()?,
        None => text.parse().ok()?,
    };
    Some(Value::Int(value.into()))
}

fn set_cell(
    terms: &mut Terms,
    model: &mut Model,
    array: SymbolId,
    read: TermId,
    value: Value,
) -> Result<(), String> {
    let index = terms.literal_of(terms.args(read)[1]).cloned().ok_or("an index that is no literal")?;
    if model.get(array).is_none() {
        let sort = terms.symbol_of(array).result;
        let default = evergreen::default_value(terms, sort).ok_or("an array without a value")?;
        model.set(array, default);
    }
    if let Some(Value::Array(cells)) = model.get_mut(array) {
        cells.set(index, value);
    }
    Ok(())
}
