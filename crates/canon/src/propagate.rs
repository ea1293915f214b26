//! Propagation: a value that one constraint fixes is substituted into the others, before the query is sliced.
//!
//! A unit constraint (`x`, `(= x 3)`, `(= (select a 5) 7)`, see [`unit`]) is kept, and in every other
//! constraint the term that it fixes is replaced by the value. Under the unit both readings are
//! equivalent, so the query as a whole is too. It pays because a fixed byte no longer couples the
//! constraints that mention it, and because most conditions on it along a path (`b = '{'`, so `b != 0`, so
//! `b` is one of these or not) fold away. On 6,694 recorded queries of eight C programs it took the parts
//! that reach a solver from 872 to 678.
//!
//! Folded are: applications of interpreted functions to literals, by evaluation (which has no value where
//! SMT-LIB leaves it open, and then nothing is folded); neutral and absorbing arguments of `and` and `or`;
//! `ite` on a literal. New units that appear are propagated in turn, some rounds over.
//!
//! Unsatisfiable cores are given in constraints of the query, so each constraint that was changed remembers
//! where it came from; the units that it needed are computed on demand ([`Propagated::explain`]).

use crate::split::{split_into, unit};
use crate::table::Table;
use evergreen_term::{Evaluator, Fun, Indexed, Model, Op, TermId, Terms, Traits as TermTraits, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;
use std::rc::Rc;

/// Rounds after which new units are left where they are.
const ROUNDS: usize = 16;

/// The value of a term, and the constraint of the query that it was read from.
#[derive(Clone, Copy, Debug)]
struct Fixed {
    literal: TermId,
    source: TermId,
}

/// A query after propagation.
#[derive(Clone, Debug, Default)]
pub struct Propagated {
    /// The constraints, each once: equivalent to the query's as a whole.
    pub constraints: Vec<TermId>,
    /// The constraints of the query that were changed.
    pub changed: Vec<TermId>,
    /// What became of the query's constraints: a constraint, and the one that it came from.
    became: Vec<(TermId, TermId)>,
    units: Vec<(TermId, Fixed)>,
    /// The units by what they fix. Only cores ask for it.
    fixed: OnceCell<FxHashMap<TermId, Fixed>>,
    /// Tables fix their cells, too.
    tables: Vec<Rc<Table>>,
}

/// A constraint on its way.
struct Piece {
    term: TermId,
    source: TermId,
    is_unit: bool,
    /// Where its traits are; known as soon as units were looked for.
    traits: u32,
}

impl Piece {
    fn new(term: TermId, source: TermId) -> Piece {
        Piece { term, source, is_unit: false, traits: 0 }
    }
}

/// What a constraint became.
struct Became {
    parts: Box<[TermId]>,
    /// It became `true` by the values alone, and was found to be true under a model that has them. It need
    /// not be checked again.
    is_checked: bool,
}

/// Propagates units through a conjunction that was split; `None` when that changes nothing.
///
/// Queries with quantifiers are left alone: there all constraints hang together anyway.
pub fn propagate(terms: &mut Terms, constraints: &[TermId]) -> Option<Propagated> {
    Propagator::default().propagate(terms, constraints, &[])
}

/// Propagates through one query after another, in one arena, and keeps its memory between them: an arena
/// outlives many queries, and nothing here may cost what all of them have left in it.
///
/// Along a path the same constraints meet the same values in most queries. So what a constraint became is
/// kept, under the constraint and the values of those of its terms that were fixed. A rewriting that looked
/// at further values, of a read whose index became known, is not kept.
///
/// The caller checks what was changed under the model of an answer ([`Propagated::changed`]). What became
/// `true` depends on the fixed values only, so it is checked once: the caller says when it was
/// ([`Propagator::note_checked`]).
#[derive(Default)]
pub struct Propagator {
    traits: AllTraits,
    fixed: Stamped<(TermId, TermId)>,
    rewritten: Stamped<TermId>,
    changed: Stamped<()>,
    seen: Stamped<()>,
    results: FxHashMap<Box<[TermId]>, usize>,
    became: Vec<Became>,
    /// The results of the last query that say `true` and were not checked.
    unchecked: Vec<usize>,
    /// A constraint, and what is fixed in it. Kept for its memory.
    key: Vec<TermId>,
    /// Kept for its memory.
    pieces: Vec<Piece>,
    /// Kept for its memory.
    next: Vec<Piece>,
}

/// What propagation needs to know of a constraint, whatever the query.
struct Traits {
    /// The term that it fixes, and the literal.
    unit: Option<(TermId, TermId)>,
    /// What units could fix in it: most of them say nothing about what is fixed.
    targets: Box<[TermId]>,
    is_quantified: bool,
}

/// The traits of constraints, by constraint.
#[derive(Default)]
struct AllTraits {
    /// The place, from 1, by the number of the term.
    places: Vec<u32>,
    all: Vec<Traits>,
}

/// Constraints whose traits, and results that are kept before all are forgotten.
const MOST_KEPT: usize = 1 << 16;

impl AllTraits {
    fn place(&mut self, terms: &mut Terms, constraint: TermId) -> usize {
        match self.places.get(constraint.index()) {
            Some(&place) if place > 0 => place as usize - 1,
            _ => self.look(terms, constraint),
        }
    }

    fn of(&self, place: usize) -> &Traits {
        &self.all[place]
    }

    fn forget_many(&mut self) {
        if self.all.len() >= MOST_KEPT {
            self.all.clear();
            self.places.clear();
        }
    }

    fn look(&mut self, terms: &mut Terms, constraint: TermId) -> usize {
        let mut targets: Vec<TermId> = Vec::new();
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let mut stack = vec![constraint];
        while let Some(term) = stack.pop() {
            if seen.insert(term) {
                targets.extend(is_fixable(terms, term).then_some(term));
                stack.extend(terms.args(term));
            }
        }
        let unit = unit(terms, constraint).and_then(|(target, value)| {
            let literal = terms.literal(value);
            (terms.sort_of(literal) == terms.sort_of(target)).then_some((target, literal))
        });
        let is_quantified = terms.traits(constraint).has(TermTraits::QUANTIFIED);
        self.all.push(Traits { unit, targets: targets.into(), is_quantified });
        if self.places.len() <= constraint.index() {
            self.places.resize(constraint.index() + 1 + constraint.index() / 4, 0);
        }
        self.places[constraint.index()] = self.all.len() as u32;
        self.all.len() - 1
    }
}

/// Whether a unit could fix a term of this kind.
fn is_fixable(terms: &Terms, term: TermId) -> bool {
    matches!(terms.op(term), Op::Apply(_) | Op::Fun(Fun::Select))
}

impl Propagator {
    /// As [`propagate`], beside tables of other constraints of the query. What they fix is substituted; they
    /// themselves stay as they are.
    pub fn propagate(
        &mut self,
        terms: &mut Terms,
        constraints: &[TermId],
        tables: &[Rc<Table>],
    ) -> Option<Propagated> {
        self.traits.forget_many();
        if self.results.len() >= MOST_KEPT {
            self.forget();
        }
        self.unchecked.clear();
        let (mut pieces, mut next) = (std::mem::take(&mut self.pieces), std::mem::take(&mut self.next));
        pieces.clear();
        pieces.extend(constraints.iter().map(|&c| Piece::new(c, c)));
        let mut result = Propagated::default();
        self.fixed.begin();
        self.changed.begin();
        let mut is_changed = false;
        for round in 0..ROUNDS {
            let Some(found) = self.collect_units(terms, &mut pieces, tables, &mut result.units) else {
                break;
            };
            if !found && (round > 0 || tables.is_empty()) {
                break;
            }
            is_changed |= self.rewrite(terms, &mut pieces, &mut next, tables);
            std::mem::swap(&mut pieces, &mut next);
        }
        if is_changed {
            self.finish(constraints, &pieces, &mut result);
            result.tables = tables.to_vec();
        }
        (self.pieces, self.next) = (pieces, next);
        is_changed.then_some(result)
    }

    /// What the last query changed was evaluated under a model of it, and holds.
    pub fn note_checked(&mut self) {
        for place in self.unchecked.drain(..) {
            self.became[place].is_checked = true;
        }
    }

    /// Forgets what constraints became: something of it was wrong, or it is too much.
    pub fn forget(&mut self) {
        self.results.clear();
        self.became.clear();
        self.unchecked.clear();
    }

    /// The term that a constraint fixes by itself, and the literal.
    pub fn unit(&mut self, terms: &mut Terms, constraint: TermId) -> Option<(TermId, TermId)> {
        let place = self.traits.place(terms, constraint);
        self.traits.of(place).unit
    }

    /// Notes what new units fix; whether there were any. A second value for one term is no unit: rewriting
    /// makes it `false`. `None` where there is a quantifier.
    fn collect_units(
        &mut self,
        terms: &mut Terms,
        pieces: &mut [Piece],
        tables: &[Rc<Table>],
        units: &mut Vec<(TermId, Fixed)>,
    ) -> Option<bool> {
        let (mut found, count) = (false, pieces.len());
        for piece in pieces.iter_mut().filter(|p| !p.is_unit) {
            let place = self.traits.place(terms, piece.term);
            piece.traits = place as u32;
            let traits = self.traits.of(place);
            if traits.is_quantified {
                return None;
            }
            let Some((target, literal)) = traits.unit else { continue };
            // What a table fixes is no unit: rewriting makes it `true` or `false`.
            if tables.iter().any(|table| table.value(target).is_some()) {
                continue;
            }
            if self.fixed.get(target).is_none() {
                self.fixed.set(target, (literal, piece.source));
                if units.is_empty() {
                    units.reserve(count);
                }
                units.push((target, Fixed { literal, source: piece.source }));
                piece.is_unit = true;
                found = true;
            }
        }
        Some(found)
    }

    /// Rewrites all constraints but the units; whether one was changed.
    fn rewrite(
        &mut self,
        terms: &mut Terms,
        pieces: &mut Vec<Piece>,
        next: &mut Vec<Piece>,
        tables: &[Rc<Table>],
    ) -> bool {
        let Propagator { traits, fixed, rewritten, changed, results, became, unchecked, key, .. } = self;
        let unit = |term: TermId| fixed.get(term).map(|(literal, _)| literal);
        rewritten.begin();
        let mut rewriter = Rewriter { unit: &unit, tables, rewritten, used: Vec::new(), is_open: false };
        let mut is_changed = false;
        let mut parts = Vec::new();
        next.clear();
        for piece in pieces.drain(..) {
            if piece.is_unit {
                next.push(piece);
                continue;
            }
            key.clear();
            for &target in &*traits.of(piece.traits as usize).targets {
                if let Some(literal) = rewriter.literal(terms, target) {
                    key.extend([target, literal]);
                }
            }
            if key.is_empty() {
                next.push(piece);
                continue;
            }
            key.push(piece.term);
            let known = results.get(&key[..]).copied();
            match known {
                Some(place) => parts.extend_from_slice(&became[place].parts),
                None => {
                    let new = rewriter.rewrite(terms, piece.term);
                    match new == piece.term {
                        true => parts.push(new),
                        false => split_into(terms, new, &mut parts),
                    }
                }
            }
            let known = known.or_else(|| {
                (!rewriter.is_open).then(|| {
                    results.insert(key[..].into(), became.len());
                    became.push(Became { parts: parts[..].into(), is_checked: false });
                    became.len() - 1
                })
            });
            if parts[..] == [piece.term] {
                next.push(piece);
            } else {
                is_changed = true;
                let source = piece.source;
                match known {
                    Some(place) if became[place].is_checked => {}
                    _ => changed.set(source, ()),
                }
                // Only of a constraint of the query itself the values say all.
                unchecked.extend(known.filter(|_| parts.is_empty() && piece.term == source));
                next.extend(parts.iter().map(|&term| Piece::new(term, source)));
            }
            parts.clear();
        }
        is_changed
    }

    fn finish(&mut self, constraints: &[TermId], pieces: &[Piece], result: &mut Propagated) {
        self.seen.begin();
        result.became.reserve(pieces.len());
        result.constraints.reserve(pieces.len());
        for piece in pieces {
            result.became.push((piece.term, piece.source));
            if self.seen.get(piece.term).is_none() {
                self.seen.set(piece.term, ());
                result.constraints.push(piece.term);
            }
        }
        let is_changed = |c: &TermId| self.changed.get(*c).is_some();
        result.changed.extend(constraints.iter().copied().filter(is_changed));
    }
}

impl Propagated {
    fn fixed(&self) -> &FxHashMap<TermId, Fixed> {
        self.fixed.get_or_init(|| self.units.iter().copied().collect())
    }

    /// The constraint of the query that fixes a term.
    fn source_of(&self, target: TermId) -> TermId {
        let of_table = || self.tables.iter().find_map(|table| table.constraint(target));
        match self.fixed().get(&target) {
            Some(fixed) => fixed.source,
            None => of_table().expect("only fixed terms are replaced"),
        }
    }

    /// The constraints of the query that became this one.
    pub fn sources(&self, constraint: TermId) -> impl Iterator<Item = TermId> {
        self.became.iter().filter(move |(term, _)| *term == constraint).map(|&(_, source)| source)
    }

    /// Constraints of the query that imply this one: where it came from, and the units that were put into it.
    pub fn explain(&self, terms: &mut Terms, constraint: TermId) -> Vec<TermId> {
        let first = self.sources(constraint).next().unwrap_or(constraint);
        let unit = |term: TermId| self.fixed().get(&term).map(|fixed| fixed.literal);
        let mut found: FxHashSet<TermId> = FxHashSet::default();
        let mut open = vec![first];
        while let Some(source) = open.pop() {
            if found.insert(source) {
                let (tables, mut rewritten) = (&self.tables, Stamped::default());
                rewritten.begin();
                let mut rewriter = Rewriter {
                    unit: &unit,
                    tables,
                    rewritten: &mut rewritten,
                    used: Vec::new(),
                    is_open: false,
                };
                rewriter.rewrite(terms, source);
                open.extend(rewriter.used.iter().map(|&target| self.source_of(target)));
            }
        }
        let mut found: Vec<TermId> = found.into_iter().collect();
        found.sort_unstable();
        found
    }
}

/// Something about terms. Entries of earlier rounds are recognized by their number: starting anew costs
/// nothing, however large the arena is.
struct Stamped<T> {
    of: Vec<(u32, Option<T>)>,
    round: u32,
}

impl<T> Default for Stamped<T> {
    fn default() -> Stamped<T> {
        Stamped { of: Vec::new(), round: 0 }
    }
}

impl<T: Copy> Stamped<T> {
    fn begin(&mut self) {
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.of.clear();
            self.round = 1;
        }
    }

    fn get(&self, term: TermId) -> Option<T> {
        match self.of.get(term.index()) {
            Some(&(round, value)) if round == self.round => value,
            _ => None,
        }
    }

    fn set(&mut self, term: TermId, value: T) {
        if self.of.len() <= term.index() {
            self.of.resize(term.index() + 1 + term.index() / 4, (0, None));
        }
        self.of[term.index()] = (self.round, Some(value));
    }
}

/// Replaces fixed terms and folds.
struct Rewriter<'a> {
    /// The literal that a unit says a term is.
    unit: &'a dyn Fn(TermId) -> Option<TermId>,
    tables: &'a [Rc<Table>],
    rewritten: &'a mut Stamped<TermId>,
    /// The fixed terms that were met.
    used: Vec<TermId>,
    /// Whether a value was looked for that no term of a constraint shows.
    is_open: bool,
}

impl Rewriter<'_> {
    fn known(&self, term: TermId) -> Option<TermId> {
        self.rewritten.get(term)
    }

    fn set(&mut self, term: TermId, new: TermId) {
        self.rewritten.set(term, new);
    }

    /// The value of a term that a unit fixes.
    fn fixed(&mut self, terms: &Terms, term: TermId) -> Option<TermId> {
        let literal = is_fixable(terms, term).then(|| self.literal(terms, term))??;
        self.used.push(term);
        Some(literal)
    }

    fn literal(&self, terms: &Terms, term: TermId) -> Option<TermId> {
        let of_tables = || {
            let is_read = !self.tables.is_empty() && terms.op(term) == Op::Fun(Fun::Select);
            self.tables.iter().filter(|_| is_read).find_map(|table| table.value(term))
        };
        (self.unit)(term).or_else(of_tables)
    }

    /// Bottom up, without recursion. A fixed term is replaced as a whole.
    fn rewrite(&mut self, terms: &mut Terms, root: TermId) -> TermId {
        let mut stack = vec![root];
        while let Some(&top) = stack.last() {
            if self.known(top).is_some() {
                stack.pop();
                continue;
            }
            if let Some(literal) = self.fixed(terms, top) {
                self.set(top, literal);
                continue;
            }
            let before = stack.len();
            stack.extend(terms.args(top).iter().copied().filter(|a| self.known(*a).is_none()));
            if stack.len() == before {
                let new = self.rebuild(terms, top);
                self.set(top, new);
            }
        }
        self.known(root).unwrap_or(root)
    }

    fn rebuild(&mut self, terms: &mut Terms, term: TermId) -> TermId {
        let old = terms.args(term);
        let mut args: Vec<TermId> = old.iter().map(|a| self.known(*a).unwrap_or(*a)).collect();
        if args == old {
            return term;
        }
        match terms.op(term) {
            Op::Fun(fun @ (Fun::And | Fun::Or)) => {
                let (neutral, absorbing) = (terms.bool(fun == Fun::And), terms.bool(fun == Fun::Or));
                if args.contains(&absorbing) {
                    return absorbing;
                }
                args.retain(|a| *a != neutral);
                return match args[..] {
                    [] => neutral,
                    [only] => only,
                    _ => terms.app(fun, &args).expect("truth values stay truth values"),
                };
            }
            Op::Fun(Fun::Ite) => match terms.literal_of(args[0]) {
                Some(Value::Bool(true)) => return args[1],
                Some(Value::Bool(false)) => return args[2],
                _ => {}
            },
            _ => {}
        }
        let new = terms.with_args(term, &args);
        if args.iter().all(|a| terms.literal_of(*a).is_some()) {
            return fold(terms, new);
        }
        // A table read at an index that has just become known.
        self.is_open |= is_fixable(terms, new);
        self.fixed(terms, new).unwrap_or(new)
    }
}

/// Whether applications to literals are replaced by their value. Not so `divisible`, which z3 refuses: the
/// client must get that error from the solver.
pub(crate) fn folds(op: Op) -> bool {
    matches!(op, Op::Fun(_) | Op::Indexed(..)) && !matches!(op, Op::Indexed(Indexed::Divisible, ..))
}

/// The literal that a function of literals equals, if it has a value and the value is written as a literal.
fn fold(terms: &mut Terms, term: TermId) -> TermId {
    if !folds(terms.op(term)) {
        return term;
    }
    let empty = Model::new();
    let value = match Evaluator::new(terms, &empty).evaluate(term) {
        Ok(v @ (Value::Bool(_) | Value::Int(_) | Value::Real(_) | Value::BitVec(_))) => v.clone(),
        _ => return term,
    };
    let literal = terms.literal(value);
    if terms.sort_of(literal) == terms.sort_of(term) { literal } else { term }
}
