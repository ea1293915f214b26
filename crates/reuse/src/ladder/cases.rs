//! Cases: constraints with Boolean structure over linear integers, equalities and declared functions, where
//! no solver can be asked.
//!
//! The core of bits chooses the truth values of all linear atoms ([`crate::purify`]), the native core says
//! whether the integers can follow, and what it refutes is a clause for the next choice. With a solver
//! program the solver does that better; without one small queries are worth more than `unknown`.

use super::native::Decided;
use crate::engine::{Engine, Found, Part, Refutation};
use crate::ladder::{Index, New};
use crate::purify::{Call, Purified, purify};
use evergreen_bits::{Decision, Effort};
use evergreen_term::{
    Completion, Evaluator, Fun, FunctionValue, Model, Op, SymbolId, TermId, Terms, Value, default_value,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// The most choices of truth values that are tried.
const ROUNDS: usize = 200;

impl Engine {
    /// Decides a part case by case.
    pub(super) fn decide_cases(&mut self, terms: &mut Terms, part: &Part) -> Option<New> {
        let purified = purify(terms, &mut self.canonizer, &part.constraints)?;
        let found = match self.search_cases(terms, &purified)? {
            Cases::Refuted(places) => {
                let own = places.into_iter().filter(|&i| (i as usize) < part.constraints.len()).collect();
                Found::Unsat(Refutation::by_bits(part, own).unwrap_or_else(|| Refutation::whole(part)))
            }
            Cases::Model(pure) => {
                let model = impure(terms, &purified, &pure, &part.constraints)?;
                match self.evaluate(terms, &model, &part.constraints) {
                    Some(true) => Found::Sat(model),
                    Some(false) => {
                        self.stats.contradicted += 1;
                        return None;
                    }
                    None => return None,
                }
            }
        };
        Some(New { found, index: Index::All })
    }

    fn search_cases(&mut self, terms: &mut Terms, purified: &Purified) -> Option<Cases> {
        let mut constraints = purified.constraints.clone();
        let mut stands_for: FxHashMap<TermId, TermId> = FxHashMap::default();
        for &(truth, atom) in &purified.atoms {
            let (not_atom, not_truth) = (negated(terms, atom)?, negated(terms, truth)?);
            stands_for.insert(atom, not_truth);
            stands_for.insert(not_atom, truth);
        }
        for _ in 0..ROUNDS {
            let chosen = match self.bits.decide(terms, &constraints, &[], Effort::default()) {
                Decision::Unknown(_) => return None,
                Decision::Unsat(places) => return Some(Cases::Refuted(places)),
                Decision::Sat(chosen) => chosen,
            };
            let literals = literals(terms, purified, &chosen)?;
            let core = match self.decide_rows(terms, &literals)? {
                Decided::Sat(integers) => {
                    let mut model = chosen;
                    integers.iter().for_each(|(symbol, value)| drop(model.set(symbol, value.clone())));
                    return Some(Cases::Model(model));
                }
                Decided::Unsat(core) => core.map_or(literals, |core| core.into_constraints()),
            };
            let clause: Vec<TermId> = core.iter().map(|literal| stands_for[literal]).collect();
            constraints.push(match clause[..] {
                [only] => only,
                _ => terms.app(Fun::Or, &clause).ok()?,
            });
        }
        None
    }
}

/// What the search found.
enum Cases {
    /// Values of the pure symbols.
    Model(Model),
    /// Positions of pure constraints that have no model together, whatever the cases.
    Refuted(Vec<u32>),
}

fn negated(terms: &mut Terms, term: TermId) -> Option<TermId> {
    terms.app(Fun::Not, &[term]).ok()
}

/// The linear atoms, each as the chosen truth value wants it.
fn literals(terms: &mut Terms, purified: &Purified, chosen: &Model) -> Option<Vec<TermId>> {
    let mut literals = Vec::with_capacity(purified.atoms.len());
    for &(truth, atom) in &purified.atoms {
        let Op::Apply(symbol) = terms.op(truth) else { return None };
        match chosen.get(symbol) {
            Some(Value::Bool(true)) => literals.push(atom),
            Some(Value::Bool(false)) => literals.push(negated(terms, atom)?),
            // Whatever it is, the constraints hold.
            _ => {}
        }
    }
    Some(literals)
}

/// The values of the query's own symbols.
fn impure(terms: &mut Terms, purified: &Purified, pure: &Model, constraints: &[TermId]) -> Option<Model> {
    let own = symbols(terms, constraints);
    let mut model: Model =
        pure.iter().filter(|(s, _)| own.contains(s)).map(|(s, v)| (s, v.clone())).collect();
    for &(symbol, fresh) in &purified.constants {
        let sort = terms.symbol_of(symbol).result;
        let value = value_of(terms, pure, fresh, sort)?;
        model.set(symbol, value);
    }
    for (symbol, calls) in &purified.calls {
        let function = function(terms, pure, *symbol, calls)?;
        model.set(*symbol, Value::Function(Box::new(function)));
    }
    Some(model)
}

/// The value of a pure term, as one of a sort that it may stand for.
fn value_of(terms: &mut Terms, pure: &Model, term: TermId, sort: evergreen_term::SortId) -> Option<Value> {
    let value = Evaluator::new(terms, pure).completing(Completion::Default).evaluate(term).ok()?.clone();
    if !terms.is_declared_sort(sort) {
        return Some(value);
    }
    let Value::BitVec(bits) = value else { return None };
    let evergreen_term::Sort::Uninterpreted(name, _) = terms.sort_kind(sort) else { return None };
    let text = format!("{}!val!{}", terms.text(*name), bits.to_u128()?);
    Some(Value::Element(sort, terms.name(&text)))
}

/// A function by its calls: the value of the first call everywhere else.
fn function(terms: &mut Terms, pure: &Model, symbol: SymbolId, calls: &[Call]) -> Option<FunctionValue> {
    let declared = terms.symbol_of(symbol).clone();
    let mut body = match calls.first() {
        Some(call) => value_of(terms, pure, call.result, declared.result)?,
        None => default_value(terms, declared.result)?,
    };
    let mut term = terms.literal(body.clone());
    for call in calls.iter().skip(1) {
        body = value_of(terms, pure, call.result, declared.result)?;
        let mut same: Vec<TermId> = Vec::with_capacity(call.args.len());
        for (level, (&arg, &sort)) in call.args.iter().zip(declared.params.iter()).enumerate() {
            let value = value_of(terms, pure, arg, sort)?;
            let (bound, value) = (terms.bound(level as u32, sort), terms.literal(value));
            same.push(terms.app(Fun::Eq, &[bound, value]).ok()?);
        }
        let condition = match same[..] {
            [only] => only,
            _ => terms.app(Fun::And, &same).ok()?,
        };
        let result = terms.literal(body.clone());
        term = terms.app(Fun::Ite, &[condition, result, term]).ok()?;
    }
    Some(FunctionValue { params: declared.params, body: term })
}

/// The declared symbols of constraints.
fn symbols(terms: &Terms, constraints: &[TermId]) -> FxHashSet<SymbolId> {
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let mut found = FxHashSet::default();
    let mut open = constraints.to_vec();
    while let Some(term) = open.pop() {
        if seen.insert(term) {
            if let Op::Apply(symbol) = terms.op(term) {
                found.insert(symbol);
            }
            open.extend(terms.args(term));
        }
    }
    found
}
