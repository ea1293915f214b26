//! Splitting a constraint at the conjunctions on its surface, and recognizing the plainest constraints.

use crate::node::{Leaf, put_varint};
use evergreen_term::{Fun, Op, SortId, SymbolKind, TermId, Terms, Value};

/// The constraints that a term is the conjunction of, without those that are literally true.
///
/// Looks through `and`, negated `or`, negated `=>`, double negation and comparison with a
/// truth value, in any nesting.
pub fn split(terms: &mut Terms, constraint: TermId) -> Vec<TermId> {
    let mut parts = Vec::new();
    split_into(terms, constraint, &mut parts);
    parts
}

/// As [`split`], at the end of a list that is there already.
pub fn split_into(terms: &mut Terms, constraint: TermId, parts: &mut Vec<TermId>) {
    // Most constraints are atoms, or negated atoms: those need no stack.
    if is_surface(terms, constraint) {
        parts.push(constraint);
        return;
    }
    // Terms with the sign under which they are asserted.
    let mut stack = vec![(constraint, true)];
    while let Some((term, sign)) = stack.pop() {
        let args = terms.args(term);
        match (terms.op(term), sign) {
            (Op::Fun(Fun::Not), _) => stack.push((args[0], !sign)),
            (Op::Fun(Fun::And), true) | (Op::Fun(Fun::Or), false) => {
                stack.extend(args.iter().rev().map(|&a| (a, sign)));
            }
            (Op::Fun(Fun::Implies), false) => {
                let (last, premises) = args.split_last().expect("has arguments");
                stack.push((*last, false));
                stack.extend(premises.iter().rev().map(|&p| (p, true)));
            }
            (Op::Fun(Fun::Eq), _) if args.len() == 2 && terms.sort_of(args[0]) == SortId::BOOL => {
                match (as_bool(terms, args[0]), as_bool(terms, args[1])) {
                    (Some(b), _) => stack.push((args[1], sign == b)),
                    (_, Some(b)) => stack.push((args[0], sign == b)),
                    _ => parts.push(signed(terms, term, sign)),
                }
            }
            (Op::Literal(id), _) if *terms.literal_value(id) == Value::Bool(sign) => {}
            _ => parts.push(signed(terms, term, sign)),
        }
    }
}

/// Splits constraints of one arena. Along a path most of them were split before: what they became is kept by
/// their number, if it is one constraint.
#[derive(Default)]
pub struct Surface {
    /// The number of that constraint, from 1.
    only: Vec<u32>,
}

impl Surface {
    /// As [`split_into`].
    pub fn split_into(&mut self, terms: &mut Terms, constraint: TermId, parts: &mut Vec<TermId>) {
        if terms.op(constraint) != Op::Fun(Fun::And) {
            return self.split_one(terms, constraint, parts);
        }
        let first = parts.len();
        parts.extend_from_slice(terms.args(constraint));
        // Where all were split before, and each is one constraint, that constraint takes its place.
        for i in first..parts.len() {
            match self.only.get(parts[i].index()) {
                Some(&only) if only > 0 => parts[i] = terms.term_at(only as usize - 1),
                _ => {
                    parts.truncate(i);
                    for i in i - first..terms.args(constraint).len() {
                        self.split_one(terms, terms.args(constraint)[i], parts);
                    }
                    return;
                }
            }
        }
    }

    fn split_one(&mut self, terms: &mut Terms, constraint: TermId, parts: &mut Vec<TermId>) {
        if let Some(&only) = self.only.get(constraint.index()).filter(|only| **only > 0) {
            parts.push(terms.term_at(only as usize - 1));
            return;
        }
        let before = parts.len();
        split_into(terms, constraint, parts);
        if let [only] = parts[before..] {
            if self.only.len() <= constraint.index() {
                self.only.resize(constraint.index() + 1 + constraint.index() / 4, 0);
            }
            self.only[constraint.index()] = only.index() as u32 + 1;
        }
    }
}

fn signed(terms: &mut Terms, term: TermId, sign: bool) -> TermId {
    if sign { term } else { terms.app(Fun::Not, &[term]).expect("constraints are of sort Bool") }
}

fn as_bool(terms: &Terms, term: TermId) -> Option<bool> {
    match terms.literal_of(term) {
        Some(Value::Bool(b)) => Some(*b),
        _ => None,
    }
}

/// Whether there is certainly nothing to split.
fn is_surface(terms: &Terms, constraint: TermId) -> bool {
    let inner = match terms.op(constraint) {
        Op::Fun(Fun::Not) => terms.args(constraint)[0],
        _ => constraint,
    };
    match terms.op(inner) {
        Op::Fun(Fun::Not | Fun::And | Fun::Or | Fun::Implies) | Op::Literal(_) => false,
        Op::Fun(Fun::Eq) => terms.sort_of(terms.args(inner)[0]) != SortId::BOOL,
        _ => true,
    }
}

/// For a constraint that alone fixes one symbol (`x`, `(not x)`, `(= x literal)`, `(= (select a literal)
/// literal)`): the term that it fixes and the value.
pub fn unit(terms: &Terms, constraint: TermId) -> Option<(TermId, Value)> {
    unit_value(terms, constraint).map(|(term, value)| (term, value.clone()))
}

/// As [`unit`], without a copy of the value.
pub fn unit_value(terms: &Terms, constraint: TermId) -> Option<(TermId, &Value)> {
    let fixable = |t: TermId| match terms.op(t) {
        Op::Fun(Fun::Select) => is_cell(terms, t),
        _ => is_free_constant(terms, t),
    };
    match (terms.op(constraint), terms.args(constraint)) {
        (Op::Fun(Fun::Not), &[t]) if fixable(t) => Some((t, &Value::Bool(false))),
        (Op::Fun(Fun::Eq), &[a, b]) => {
            let (t, literal) = if fixable(a) { (a, b) } else { (b, a) };
            Some((t, terms.literal_of(literal).filter(|_| fixable(t))?))
        }
        _ if fixable(constraint) => Some((constraint, &Value::Bool(true))),
        _ => None,
    }
}

/// Whether a term is a declared constant that may have any value: not a constructor, not a definition.
pub(crate) fn is_free_constant(terms: &Terms, term: TermId) -> bool {
    match terms.op(term) {
        Op::Apply(s) => terms.args(term).is_empty() && matches!(terms.symbol_of(s).kind, SymbolKind::Free),
        _ => false,
    }
}

/// Whether a term reads a declared array at a literal index.
pub(crate) fn is_cell(terms: &Terms, term: TermId) -> bool {
    match (terms.op(term), terms.args(term)) {
        (Op::Fun(Fun::Select), &[array, index]) => {
            is_free_constant(terms, array) && terms.literal_of(index).is_some()
        }
        _ => false,
    }
}

/// Appends the names of leaves: with canonizing off, names are part of the key.
pub(crate) fn put_names(terms: &Terms, leaves: &[Leaf], bytes: &mut Vec<u8>) {
    for leaf in leaves {
        let text = match leaf {
            Leaf::Symbol(s) => terms.symbol_text(*s).to_string(),
            Leaf::Sort(name) => terms.text(*name).to_string(),
            Leaf::Datatype(id) => terms.text(terms.datatype(*id).name).to_string(),
            Leaf::Cell(read) => {
                let args = terms.args(*read);
                let array = match terms.op(args[0]) {
                    Op::Apply(s) => terms.symbol_text(s),
                    _ => unreachable!("a cell is a read of a declared array"),
                };
                format!("{array}[{:?}]", terms.literal_of(args[1]))
            }
        };
        put_varint(bytes, text.len() as u64);
        bytes.extend(text.as_bytes());
    }
}
