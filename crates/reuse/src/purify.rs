//! Purify: constraints with any Boolean structure over linear integers, equalities and declared functions
//! become constraints over bits, beside linear atoms that truth values stand for.
//!
//! - A comparison of integers is a fresh truth value, and the comparison an [`Purified::atoms`].
//! - A call of a declared function is a fresh constant, and calls of one function agree where their arguments
//!   do [Ackermann'54].
//! - A declared sort has as many elements as the query has terms of it: a quantifier-free query that has a
//!   model has one in which every element is the value of a term. So bit vectors of a few bits stand for
//!   them.
//! - An `ite` of integers is a fresh integer, with its two cases as definitions.
//!
//! Integers and bits have no sort in common, so nothing has to be exchanged between their cores but the truth
//! values of the atoms.

use crate::native::rows_of;
use evergreen_canon::Canonizer;
use evergreen_term::{Fun, Op, Sort, SortId, SymbolId, SymbolKind, TermId, Terms, Value};
use rustc_hash::FxHashMap;

/// Names of fresh symbols begin so; a query that has such a name itself is left alone.
const FRESH: &str = "evergreen case ";
/// The most pairs of calls that are compared.
const MOST_PAIRS: usize = 2_000;
/// The most terms that are looked at.
const MOST_TERMS: usize = 20_000;

/// A call of a declared function.
pub(crate) struct Call {
    /// Its arguments, pure.
    pub(crate) args: Vec<TermId>,
    /// What stands for its result.
    pub(crate) result: TermId,
}

/// Constraints over bits, and what their fresh symbols stand for.
pub(crate) struct Purified {
    /// One for each constraint of the query, in order, then definitions.
    pub(crate) constraints: Vec<TermId>,
    /// Truth values, and the linear atoms that they stand for.
    pub(crate) atoms: Vec<(TermId, TermId)>,
    /// Constants of declared sorts, and the bit vectors that stand for them.
    pub(crate) constants: Vec<(SymbolId, TermId)>,
    /// Calls by function, in the order in which functions are met.
    pub(crate) calls: Vec<(SymbolId, Vec<Call>)>,
}

/// Purifies constraints; `None` when something in them is beyond that, or nothing had to be done.
pub(crate) fn purify(
    terms: &mut Terms,
    canonizer: &mut Canonizer,
    constraints: &[TermId],
) -> Option<Purified> {
    let widths = widths(terms, constraints)?;
    let purified =
        Purified { constraints: Vec::new(), atoms: Vec::new(), constants: Vec::new(), calls: Vec::new() };
    let mut purifier = Purifier {
        terms,
        canonizer,
        widths,
        pure: FxHashMap::default(),
        of_atom: FxHashMap::default(),
        definitions: Vec::new(),
        fresh: 0,
        purified,
    };
    for &constraint in constraints {
        let pure = purifier.pure(constraint)?;
        purifier.purified.constraints.push(pure);
    }
    purifier.agree()?;
    let Purifier { definitions, mut purified, fresh, .. } = purifier;
    purified.constraints.extend(definitions);
    (fresh > 0).then_some(purified)
}

/// The width that stands for each declared sort; `None` when a name is one of ours or there is too much.
fn widths(terms: &Terms, constraints: &[TermId]) -> Option<FxHashMap<SortId, u32>> {
    let mut counts: FxHashMap<SortId, u32> = FxHashMap::default();
    let mut seen = rustc_hash::FxHashSet::default();
    let mut open = constraints.to_vec();
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        if let Op::Apply(symbol) = terms.op(term) {
            if terms.symbol_text(symbol).starts_with(FRESH) {
                return None;
            }
            let sort = terms.sort_of(term);
            if matches!(terms.sort_kind(sort), Sort::Uninterpreted(..)) {
                *counts.entry(sort).or_default() += 1;
            }
        }
        open.extend(terms.args(term));
    }
    let width = |count: u32| u32::BITS - count.max(2).saturating_sub(1).leading_zeros();
    let widths = counts.into_iter().map(|(sort, count)| (sort, width(count))).collect();
    (seen.len() <= MOST_TERMS).then_some(widths)
}

struct Purifier<'t> {
    terms: &'t mut Terms,
    canonizer: &'t mut Canonizer,
    widths: FxHashMap<SortId, u32>,
    pure: FxHashMap<TermId, TermId>,
    /// The truth value that stands for an atom.
    of_atom: FxHashMap<TermId, TermId>,
    definitions: Vec<TermId>,
    fresh: u32,
    purified: Purified,
}

impl Purifier<'_> {
    /// A term without calls, declared sorts and linear atoms. Deep terms need no deep stack.
    fn pure(&mut self, root: TermId) -> Option<TermId> {
        let mut open = vec![root];
        while let Some(&term) = open.last() {
            if self.pure.contains_key(&term) {
                open.pop();
                continue;
            }
            let before = open.len();
            open.extend(self.terms.args(term).iter().filter(|&a| !self.pure.contains_key(a)));
            if open.len() > before {
                continue;
            }
            let args: Vec<TermId> = self.terms.args(term).iter().map(|a| self.pure[a]).collect();
            let pure = self.build(term, args)?;
            self.pure.insert(term, pure);
            open.pop();
        }
        Some(self.pure[&root])
    }

    fn build(&mut self, term: TermId, args: Vec<TermId>) -> Option<TermId> {
        match self.terms.op(term) {
            Op::Literal(_) => match self.terms.literal_of(term) {
                Some(Value::Element(..)) => None,
                _ => Some(term),
            },
            Op::Apply(symbol) => self.symbol(term, symbol, args),
            Op::Fun(Fun::Ite) if self.terms.sort_of(term) == SortId::INT => self.choice(&args),
            Op::Fun(fun) => {
                let compares = self.terms.sort_of(term) == SortId::BOOL
                    && args.first().is_some_and(|&a| self.terms.sort_of(a) == SortId::INT);
                if compares { self.comparison(fun, &args) } else { self.terms.app(fun, &args).ok() }
            }
            Op::Indexed(fun, i, j) => self.terms.indexed(fun, i, j, &args).ok(),
            _ => None,
        }
    }

    fn fresh(&mut self, sort: SortId) -> TermId {
        let name = format!("{FRESH}{} {}", sort.index(), self.fresh);
        self.fresh += 1;
        self.terms.constant(&name, sort)
    }

    fn sort(&mut self, sort: SortId) -> Option<SortId> {
        match (self.widths.get(&sort), self.terms.sort_kind(sort)) {
            (Some(&width), _) => Some(self.terms.bitvec_sort(width)),
            (None, Sort::Bool | Sort::Int | Sort::BitVec(_)) => Some(sort),
            _ => None,
        }
    }

    fn symbol(&mut self, term: TermId, symbol: SymbolId, args: Vec<TermId>) -> Option<TermId> {
        let declared = self.terms.symbol_of(symbol);
        if declared.kind != SymbolKind::Free {
            return None;
        }
        if !declared.params.is_empty() {
            return self.call(term, symbol, args);
        }
        if !self.widths.contains_key(&self.terms.sort_of(term)) {
            return Some(term);
        }
        let sort = self.sort(self.terms.sort_of(term))?;
        let fresh = self.fresh(sort);
        self.purified.constants.push((symbol, fresh));
        Some(fresh)
    }

    fn call(&mut self, term: TermId, symbol: SymbolId, args: Vec<TermId>) -> Option<TermId> {
        let place = match self.purified.calls.iter().position(|(known, _)| *known == symbol) {
            Some(place) => place,
            None => {
                self.purified.calls.push((symbol, Vec::new()));
                self.purified.calls.len() - 1
            }
        };
        if let Some(known) = self.purified.calls[place].1.iter().find(|call| call.args == args) {
            return Some(known.result);
        }
        let sort = self.sort(self.terms.sort_of(term))?;
        let result = self.fresh(sort);
        self.purified.calls[place].1.push(Call { args, result });
        Some(result)
    }

    /// An integer that is one of two.
    fn choice(&mut self, args: &[TermId]) -> Option<TermId> {
        let &[condition, then, other] = args else { return None };
        let value = self.fresh(SortId::INT);
        let negated = self.terms.app(Fun::Not, &[condition]).ok()?;
        for (unless, result) in [(negated, then), (condition, other)] {
            let equal = self.comparison(Fun::Eq, &[value, result])?;
            let case = self.terms.app(Fun::Or, &[unless, equal]).ok()?;
            self.definitions.push(case);
        }
        Some(value)
    }

    /// A comparison of integers: chains and `distinct` by their pairs.
    fn comparison(&mut self, fun: Fun, args: &[TermId]) -> Option<TermId> {
        if let &[left, right] = args {
            if fun == Fun::Distinct {
                let equal = self.comparison(Fun::Eq, args)?;
                return self.terms.app(Fun::Not, &[equal]).ok();
            }
            let atom = self.terms.app(fun, &[left, right]).ok()?;
            return self.atom(atom);
        }
        let mut pairs: Vec<TermId> = Vec::new();
        for (i, &left) in args.iter().enumerate() {
            let rights = match fun {
                Fun::Distinct => &args[i + 1..],
                _ => args.get(i + 1..i + 2).unwrap_or(&[]),
            };
            for &right in rights {
                let atom = self.comparison(fun, &[left, right])?;
                pairs.push(atom);
            }
        }
        self.terms.app(Fun::And, &pairs).ok()
    }

    /// The truth value that stands for a linear atom.
    fn atom(&mut self, atom: TermId) -> Option<TermId> {
        if let Some(&known) = self.of_atom.get(&atom) {
            return Some(known);
        }
        let negated = self.terms.app(Fun::Not, &[atom]).ok()?;
        // Canonizing decides some: one of the literals has no row then, the other is none.
        let [rows, opposite] = [atom, negated].map(|literal| rows_of(self.terms, self.canonizer, literal));
        let decided = match (rows.as_deref(), opposite.as_deref()) {
            (Some([]), _) => Some(true),
            (_, Some([])) => Some(false),
            (Some(_), Some(_)) => None,
            _ => return None,
        };
        if let Some(value) = decided {
            return Some(self.terms.bool(value));
        }
        let fresh = self.fresh(SortId::BOOL);
        self.of_atom.insert(atom, fresh);
        self.purified.atoms.push((fresh, atom));
        Some(fresh)
    }

    /// Calls of one function agree where their arguments do.
    fn agree(&mut self) -> Option<()> {
        let calls = std::mem::take(&mut self.purified.calls);
        let pairs: usize =
            calls.iter().map(|(_, calls)| calls.len() * calls.len().saturating_sub(1) / 2).sum();
        if pairs > MOST_PAIRS {
            return None;
        }
        for (_, calls) in &calls {
            for (i, one) in calls.iter().enumerate() {
                for other in &calls[i + 1..] {
                    self.congruent(one, other)?;
                }
            }
        }
        self.purified.calls = calls;
        Some(())
    }

    fn congruent(&mut self, one: &Call, other: &Call) -> Option<()> {
        let mut clause: Vec<TermId> = Vec::with_capacity(one.args.len() + 1);
        for (&left, &right) in one.args.iter().zip(&other.args) {
            if left == right {
                continue;
            }
            if self.terms.literal_of(left).is_some() && self.terms.literal_of(right).is_some() {
                return Some(());
            }
            let equal = self.equal(left, right)?;
            clause.push(self.terms.app(Fun::Not, &[equal]).ok()?);
        }
        clause.push(self.equal(one.result, other.result)?);
        let clause = match clause[..] {
            [only] => only,
            _ => self.terms.app(Fun::Or, &clause).ok()?,
        };
        self.definitions.push(clause);
        Some(())
    }

    fn equal(&mut self, left: TermId, right: TermId) -> Option<TermId> {
        match self.terms.sort_of(left) {
            SortId::INT => self.comparison(Fun::Eq, &[left, right]),
            _ => self.terms.app(Fun::Eq, &[left, right]).ok(),
        }
    }
}
