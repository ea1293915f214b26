//! The layers, in order: constants, sets, ranges, old models, clauses.

use crate::blast::{self, Blasted};
use crate::form::{Form, Leaf, Node, Op, Origin, Support};
use crate::guess;
use crate::lanes::{Lanes, Set, Varying};
use crate::query::{Contradiction, From, ItemId, Narrow, Query, smallest_conflict};
use crate::ranges::{self, Range};
use crate::replace::Replacer;
use crate::sat::{Logging, Solver};
use crate::translate::{Translator, width_of};
use crate::{Beyond, Decision, Effort, Layer, eval, model};
use evergreen_term::{Fun, Model, Op as TermOp, Sort, TermId, Terms, Value};
use rustc_hash::FxHashMap;

/// Nodes after which a core forgets what it knows of earlier queries.
const MOST_KEPT: usize = 4_000_000;

/// Everything that is kept from query to query.
pub(crate) struct Core {
    pub(crate) form: Form,
    translator: Translator,
    /// The values of its only leaf for which a conjunct holds.
    sets: FxHashMap<Node, Set>,
    pub(crate) lanes: Lanes,
    pub(crate) solver: Solver,
    pub(crate) layer: Option<Layer>,
}

impl Default for Core {
    fn default() -> Core {
        Core {
            form: Form::default(),
            translator: Translator::default(),
            sets: FxHashMap::default(),
            lanes: Lanes::default(),
            solver: Solver::new(Logging::Off),
            layer: None,
        }
    }
}

/// How a query ended before it was decided to have a model.
pub(crate) enum Stop {
    Contradiction(Contradiction),
    Beyond(Beyond),
}

impl std::convert::From<Contradiction> for Stop {
    fn from(contradiction: Contradiction) -> Stop {
        Stop::Contradiction(contradiction)
    }
}

impl std::convert::From<Beyond> for Stop {
    fn from(beyond: Beyond) -> Stop {
        Stop::Beyond(beyond)
    }
}

impl Core {
    pub(crate) fn decide(
        &mut self,
        terms: &Terms,
        constraints: &[TermId],
        old: &[&Model],
        effort: Effort,
    ) -> Decision {
        if self.form.len() > MOST_KEPT {
            *self = Core::default();
        }
        self.layer = None;
        let mut query = Query::default();
        match self.search(&mut query, terms, constraints, old, effort) {
            Ok(model) => Decision::Sat(model),
            Err(Stop::Beyond(beyond)) => {
                self.layer = None;
                Decision::Unknown(beyond)
            }
            Err(Stop::Contradiction(Contradiction(items))) => {
                Decision::Unsat(query.positions(&self.form, &items))
            }
        }
    }

    fn search(
        &mut self,
        query: &mut Query,
        terms: &Terms,
        constraints: &[TermId],
        old: &[&Model],
        effort: Effort,
    ) -> Result<Model, Stop> {
        self.layer = Some(Layer::Constants);
        let mut pending = self.split(query, terms, constraints)?;
        let mut replacer = Replacer::default();
        self.settle(query, &mut replacer, &mut pending)?;
        if !query.open.is_empty() || !query.wide.is_empty() {
            self.layer = Some(Layer::Ranges);
            self.narrow_ranges(query)?;
        }
        if query.open.is_empty() && query.wide.is_empty() {
            return Ok(model::of_sets(&self.form, terms, query, old));
        }
        self.layer = Some(Layer::Guess);
        let start = guess::start(&self.form, terms, query, old);
        let (found, best) = guess::search(self, query, start, effort.guesses);
        if found {
            return Ok(model::of_assignment(&self.form, terms, query, &best));
        }
        self.layer = Some(Layer::Sat);
        match blast::solve(self, query, &best, effort)? {
            Blasted::Sat(assignment) => Ok(model::of_assignment(&self.form, terms, query, &assignment)),
            Blasted::Unsat(items) => Err(Contradiction(items).into()),
        }
    }

    /// Splits constraints into conjuncts; cells of arrays that are equal to literals are kept apart.
    fn split(
        &mut self,
        query: &mut Query,
        terms: &Terms,
        constraints: &[TermId],
    ) -> Result<Vec<ItemId>, Stop> {
        let mut pending = Vec::new();
        let mut stack = Vec::new();
        for (position, &constraint) in constraints.iter().enumerate() {
            stack.push(constraint);
            while let Some(term) = stack.pop() {
                if terms.op(term) == TermOp::Fun(Fun::And) {
                    stack.extend(terms.args(term).iter().rev());
                } else if !self.fix_cell(query, terms, term, position as u32)? {
                    let node = self.translate(terms, term)?;
                    pending.push(query.add(node, From::Given(position as u32)));
                }
            }
        }
        for (base, fixed) in &mut query.fixed {
            fixed.cells.sort_unstable();
            if let Some(pair) = fixed.cells.windows(2).find(|p| p[0].0 == p[1].0 && p[0].1 != p[1].1) {
                let (one, other) = (pair[0].2, pair[1].2);
                let items = [one, other].map(|p| {
                    query.items.push(crate::query::Item { node: Node::FALSE, from: From::Given(p) });
                    ItemId(query.items.len() as u32 - 1)
                });
                return Err(Contradiction(items.to_vec()).into());
            }
            fixed.cells.dedup_by_key(|c| c.0);
            query.marks |= self.form.mark_of_base(*base);
            for &(index, leaf) in self.form.cells(*base) {
                if fixed.get(index).is_some() {
                    query.marks |= self.form.mark_of(leaf);
                }
            }
        }
        pending.reverse();
        Ok(pending)
    }

    fn translate(&mut self, terms: &Terms, term: TermId) -> Result<Node, Beyond> {
        if let Some((a, b)) = different_arrays(terms, term) {
            // Arrays that differ do so at some index.
            let crate::translate::Image::Array(x) = self.translator.image(&mut self.form, terms, a)? else {
                return Err(Beyond::Outside("an array of another kind".to_owned()));
            };
            let crate::translate::Image::Array(y) = self.translator.image(&mut self.form, terms, b)? else {
                return Err(Beyond::Outside("an array of another kind".to_owned()));
            };
            let Sort::Array(index, _) = terms.sort_kind(terms.sort_of(a)) else {
                return Err(Beyond::Outside("an array of another kind".to_owned()));
            };
            let width = width_of(terms, *index)?;
            let witness = self.form.leaf_of(Origin::Witness(term.index() as u32), width);
            let x = self.translator.arrays.read(&mut self.form, x, witness)?;
            let y = self.translator.arrays.read(&mut self.form, y, witness)?;
            let same = self.form.eq(x, y);
            return Ok(self.form.not(same));
        }
        self.translator.node(&mut self.form, terms, term)
    }

    /// Whether a conjunct only says which literal a cell of a declared array is.
    fn fix_cell(
        &mut self,
        query: &mut Query,
        terms: &Terms,
        term: TermId,
        position: u32,
    ) -> Result<bool, Beyond> {
        if terms.op(term) != TermOp::Fun(Fun::Eq) {
            return Ok(false);
        }
        let [a, b] = terms.args(term) else { return Ok(false) };
        let literal = |t: TermId| match terms.literal_of(t) {
            Some(Value::BitVec(v)) => v.to_u128().and_then(|v| u64::try_from(v).ok()),
            _ => None,
        };
        let (read, value) = match (literal(*a), literal(*b)) {
            (None, Some(value)) => (*a, value),
            (Some(value), None) => (*b, value),
            _ => return Ok(false),
        };
        if terms.op(read) != TermOp::Fun(Fun::Select) {
            return Ok(false);
        }
        let &[array, index] = terms.args(read) else { return Ok(false) };
        let (TermOp::Apply(symbol), Some(index)) = (terms.op(array), literal(index)) else {
            return Ok(false);
        };
        if !terms.args(array).is_empty() {
            return Ok(false);
        }
        let Sort::Array(from, to) = terms.sort_kind(terms.sort_of(array)) else { return Ok(false) };
        let (from, to) = (width_of(terms, *from)?, width_of(terms, *to)?);
        let base = self.form.base_of(symbol, from, to);
        query.fixed.entry(base).or_default().cells.push((index, value, position));
        Ok(true)
    }

    /// Sorts conjuncts by what they depend on, until nothing new follows.
    fn settle(
        &mut self,
        query: &mut Query,
        replacer: &mut Replacer,
        pending: &mut Vec<ItemId>,
    ) -> Result<(), Stop> {
        loop {
            while let Some(item) = pending.pop() {
                self.place(query, replacer, item, pending)?;
            }
            let news = std::mem::take(&mut query.news);
            if news == 0 {
                return Ok(());
            }
            for list in [std::mem::take(&mut query.open), std::mem::take(&mut query.wide)] {
                for item in list {
                    let is_hit = self.form.info(query.node(item)).mentions & news != 0;
                    let made =
                        if is_hit { replacer.replace(&mut self.form, query, query.node(item)) } else { None };
                    match made {
                        Some((node, replaced)) => {
                            pending.push(query.add(node, From::Replaced(item, Box::new(replaced))));
                        }
                        None if self.form.info(query.node(item)).support == Support::Many => {
                            query.open.push(item);
                        }
                        None => query.wide.push(item),
                    }
                }
            }
        }
    }

    /// Marks cells that were read first after the cells of their array were fixed.
    fn mark_cells(&self, query: &mut Query, first: usize) {
        for leaf in first..self.form.leaf_count() {
            let leaf = Leaf(leaf as u32);
            if let (Origin::Cell(base, index), _) = self.form.leaf(leaf)
                && query.fixed.get(&base).is_some_and(|f| f.get(index).is_some())
            {
                query.marks |= self.form.mark_of(leaf);
            }
        }
    }

    fn place(
        &mut self,
        query: &mut Query,
        replacer: &mut Replacer,
        item: ItemId,
        pending: &mut Vec<ItemId>,
    ) -> Result<(), Stop> {
        let mut item = item;
        loop {
            let leaves = self.form.leaf_count();
            let Some((node, replaced)) = replacer.replace(&mut self.form, query, query.node(item)) else {
                break;
            };
            item = query.add(node, From::Replaced(item, Box::new(replaced)));
            if self.form.leaf_count() == leaves {
                break;
            }
            // An index that became a literal makes a cell of a read, which may be fixed, too.
            self.mark_cells(query, leaves);
        }
        let node = query.node(item);
        match (self.form.op(node), self.form.info(node).support) {
            (Op::Const(1), _) => {}
            (Op::Const(_), _) => return Err(Contradiction(vec![item]).into()),
            (Op::And(a, b), _) => {
                for part in [b, a] {
                    pending.push(query.add(part, From::Item(item)));
                }
            }
            (Op::Leaf(leaf), _) => self.assign(query, leaf, 1, item)?,
            (Op::Not(a), Support::One(leaf)) if matches!(self.form.op(a), Op::Leaf(_)) => {
                self.assign(query, leaf, 0, item)?;
            }
            (Op::Eq(a, b), Support::One(leaf))
                if matches!(self.form.op(a), Op::Leaf(_)) && self.form.value(b).is_some() =>
            {
                let value = self.form.value(b).unwrap_or_default();
                self.assign(query, leaf, value, item)?;
            }
            (_, Support::One(leaf)) if self.form.leaf(leaf).1 <= 8 => {
                self.layer = self.layer.max(Some(Layer::Sets));
                let set = self.set_of(node, leaf);
                self.meet(query, leaf, item, set)?;
            }
            (_, Support::One(_)) => query.wide.push(item),
            _ => query.open.push(item),
        }
        Ok(())
    }

    /// The values of the only leaf of a conjunct for which it holds.
    fn set_of(&mut self, node: Node, leaf: Leaf) -> Set {
        if let Some(set) = self.sets.get(&node) {
            return *set;
        }
        let varying = Varying::all_of(leaf, self.form.leaf(leaf).1);
        let nodes = eval::reachable(&self.form, &[node]);
        self.lanes.run(&self.form, &nodes, &eval::Assignment::default(), varying);
        let set = self.lanes.holds(node, varying.lanes());
        self.sets.insert(node, set);
        set
    }

    /// A narrow leaf is in a set.
    fn meet(&mut self, query: &mut Query, leaf: Leaf, item: ItemId, set: Set) -> Result<(), Stop> {
        let lanes = 1 << self.form.leaf(leaf).1;
        let narrow =
            query.narrow.entry(leaf).or_insert_with(|| Narrow { set: Set::first(lanes), items: Vec::new() });
        narrow.items.push((item, set));
        let less = narrow.set.and(&set);
        if less == narrow.set {
            return Ok(());
        }
        narrow.set = less;
        match less.len() {
            0 => Err(Contradiction(smallest_conflict(&narrow.items)).into()),
            1 => {
                let value = less.least().expect("has one");
                let from: Box<[ItemId]> = narrow.items.iter().map(|i| i.0).collect();
                let node = self.form.leaf_of(self.form.leaf(leaf).0, self.form.leaf(leaf).1);
                let node = self.form.eq_const(node, value);
                let item = query.add(node, From::Items(from));
                self.value(query, leaf, value, item);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// A leaf has one value.
    fn assign(&mut self, query: &mut Query, leaf: Leaf, value: u64, item: ItemId) -> Result<(), Stop> {
        if self.form.leaf(leaf).1 <= 8 {
            let mut set = Set([0; 4]);
            set.0[(value / 64) as usize] = 1 << (value % 64);
            return self.meet(query, leaf, item, set);
        }
        match query.values.get(&leaf) {
            Some((other, _)) if *other == value => {}
            Some((_, reason)) => return Err(Contradiction(vec![*reason, item]).into()),
            None => self.value(query, leaf, value, item),
        }
        Ok(())
    }

    fn value(&mut self, query: &mut Query, leaf: Leaf, value: u64, item: ItemId) {
        query.values.entry(leaf).or_insert((value, item));
        query.marks |= self.form.mark_of(leaf);
        query.news |= self.form.mark_of(leaf);
    }

    /// Drops conjuncts that hold for all values that their leaves still have, and finds those that hold for
    /// none.
    fn narrow_ranges(&mut self, query: &mut Query) -> Result<(), Stop> {
        let items: Vec<ItemId> = query.open.iter().chain(&query.wide).copied().collect();
        let roots: Vec<Node> = items.iter().map(|&i| query.node(i)).collect();
        let nodes = eval::reachable(&self.form, &roots);
        let mut known: FxHashMap<Node, Range> = FxHashMap::default();
        known.reserve(nodes.len());
        for &node in &nodes {
            let op = self.form.op(node);
            let width = self.form.width(node);
            let range = match op {
                Op::Leaf(leaf) => match query.narrow.get(&leaf) {
                    Some(narrow) => {
                        let (low, high) = (narrow.set.least(), narrow.set.greatest());
                        Range::between(low.unwrap_or(0), high.unwrap_or(0))
                    }
                    None => Range::any(width),
                },
                _ => ranges::of(&self.form, op, width, |n| known[&n]),
            };
            known.insert(node, range);
        }
        for &item in &items {
            match known[&query.node(item)].value() {
                Some(0) => {
                    let mut reasons = vec![item];
                    for node in eval::reachable(&self.form, &[query.node(item)]) {
                        if let Op::Leaf(leaf) = self.form.op(node)
                            && let Some(narrow) = query.narrow.get(&leaf)
                        {
                            reasons.extend(narrow.items.iter().map(|i| i.0));
                        }
                    }
                    return Err(Contradiction(reasons).into());
                }
                Some(_) => {
                    query.open.retain(|i| *i != item);
                    query.wide.retain(|i| *i != item);
                }
                None => {}
            }
        }
        Ok(())
    }
}

/// The two arrays of a conjunct that says that they differ.
fn different_arrays(terms: &Terms, term: TermId) -> Option<(TermId, TermId)> {
    let is_array = |t: TermId| matches!(terms.sort_kind(terms.sort_of(t)), Sort::Array(..));
    let pair = |t: TermId| match terms.args(t) {
        &[a, b] if is_array(a) => Some((a, b)),
        _ => None,
    };
    match terms.op(term) {
        TermOp::Fun(Fun::Distinct) => pair(term),
        TermOp::Fun(Fun::Not) => {
            let inner = terms.args(term)[0];
            (terms.op(inner) == TermOp::Fun(Fun::Eq)).then(|| pair(inner)).flatten()
        }
        _ => None,
    }
}
