//! z3's `(labels)` after a reused answer: which labelled terms explain that the assertions hold.
//!
//! Boogie labels every block (`:lblpos`) and every assertion of a procedure (`:lblneg`). After `sat` it reads
//! from the labels which path fails. z3 collects the labels of the literals that its search found relevant.
//! Here a model is at hand, so the assertions are walked from the top: of a disjunction that holds one member
//! is followed, of a conjunction every member. The labels on that walk explain the model. z3 may follow other
//! members, and gives the innermost label first, as is done here.

use super::{Last, Next, Session};
use crate::stack::Said;
use evergreen_smtlib::Labelled;
use evergreen_term::{Completion, Evaluator, Fun, Model, Name, Op, SortId, TermId, Terms, Traits};
use rustc_hash::{FxHashMap, FxHashSet};

/// A term and whether it is true.
type Fact = (TermId, bool);

impl Session {
    pub(super) fn labels(&mut self, text: &str, out: &mut String) -> Next {
        self.recall_model();
        // Without a `push` z3 may preprocess the labels away.
        let is_pushed = self.stack.frames.len() > 1;
        let has_model = matches!(self.last, Last::Sat { model: Some(_), .. });
        if !is_pushed || !has_model || self.has_hidden_labels() {
            return self.relay_after_check(text, out);
        }
        let constraints = self.constraints();
        let labelled: Vec<Labelled> = self.stack.frames.iter().flat_map(|f| f.labelled.clone()).collect();
        let Last::Sat { model: Some(model), given, .. } = &mut self.last else { return Next::Continue };
        let found =
            named(&self.terms, &labelled).and_then(|named| explain(&self.terms, model, &constraints, &named));
        let Some(found) = found else { return self.relay_after_check(text, out) };
        given.get_or_insert_default();
        out.push_str("(labels");
        for name in found.into_iter().rev() {
            out.push(' ');
            out.push_str(self.terms.text(name));
        }
        out.push_str(")\n");
        Next::Continue
    }

    /// Whether there are labels in definitions, objectives or assumptions, which are not kept here.
    fn has_hidden_labels(&self) -> bool {
        let has = |text: &str| text.contains(":lbl");
        let hides = |said: &Said| match said {
            Said::Command(text) => has(text) && !text.starts_with("(assert"),
            Said::Cells(_) => false,
        };
        has(&self.check_text)
            || self.stack.unscoped.iter().any(|unscoped| unscoped.declares && has(&unscoped.command))
            || self.stack.frames.iter().flat_map(|frame| &frame.commands).any(hides)
    }
}

/// The label of each fact. `None` if a fact has two, of which only the place in the text tells which is
/// meant, and for a label below a binder, which speaks of an instance.
fn named(terms: &Terms, labelled: &[Labelled]) -> Option<FxHashMap<Fact, Name>> {
    let mut named = FxHashMap::default();
    for label in labelled {
        let before = named.insert((label.term, label.is_positive), label.name);
        let is_ambiguous = before.is_some_and(|before| before != label.name);
        if is_ambiguous || terms.traits(label.term).has(Traits::BOUND) {
            return None;
        }
    }
    Some(named)
}

/// The labels that explain why constraints hold in a model, the outermost first.
fn explain(
    terms: &Terms,
    model: &Model,
    constraints: &[TermId],
    named: &FxHashMap<Fact, Name>,
) -> Option<Vec<Name>> {
    let mut evaluator = Evaluator::new(terms, model).completing(Completion::Default);
    let mut open: Vec<Fact> = constraints.iter().rev().map(|&c| (c, true)).collect();
    let (mut seen, mut found) = (FxHashSet::default(), Vec::new());
    while let Some(fact) = open.pop() {
        if !seen.insert(fact) {
            continue;
        }
        found.extend(named.get(&fact));
        let reasons = reasons(terms, fact, |term| evaluator.holds(term).ok())?;
        open.extend(reasons.into_iter().rev());
    }
    Some(found)
}

/// Facts about the members of a term that make the fact hold; none for an atom. `None` if a member has no
/// value.
fn reasons(
    terms: &Terms,
    (term, is_true): Fact,
    mut holds: impl FnMut(TermId) -> Option<bool>,
) -> Option<Vec<Fact>> {
    let Op::Fun(fun) = terms.op(term) else { return Some(Vec::new()) };
    let args = terms.args(term);
    let all = |value: bool| args.iter().map(|&a| (a, value)).collect();
    Some(match (fun, is_true, args) {
        (Fun::Not, _, &[inner]) => vec![(inner, !is_true)],
        (Fun::And, true, _) => all(true),
        (Fun::Or, false, _) => all(false),
        (Fun::And, false, _) | (Fun::Or, true, _) => {
            let one = args.iter().find(|&&a| holds(a) == Some(is_true))?;
            vec![(*one, is_true)]
        }
        (Fun::Implies, _, &[ref premises @ .., conclusion]) => match is_true {
            false => premises.iter().map(|&p| (p, true)).chain([(conclusion, false)]).collect(),
            true => match premises.iter().find(|&&p| holds(p) == Some(false)) {
                Some(&premise) => vec![(premise, false)],
                None => vec![(conclusion, true)],
            },
        },
        (Fun::Ite, _, &[condition, then, otherwise]) if terms.sort_of(term) == SortId::BOOL => {
            let is_then = holds(condition)?;
            vec![(condition, is_then), (if is_then { then } else { otherwise }, is_true)]
        }
        (Fun::Eq | Fun::Xor | Fun::Distinct, _, &[first, ..]) if terms.sort_of(first) == SortId::BOOL => {
            args.iter().map(|&a| Some((a, holds(a)?))).collect::<Option<_>>()?
        }
        _ => Vec::new(),
    })
}
