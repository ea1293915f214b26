//! The layers, in order: constants, sets, ranges, old models, clauses.

use crate::blast::{self, Blasted};
use crate::form::{Form, Leaf, Node, Op, Origin, Support, ones};
use crate::guess;
use crate::lanes::{Lanes, Set, Varying};
use crate::marks::{Marks, empty};
use crate::query::{Bounded, Contradiction, From, ItemId, Narrow, Query, smallest_conflict};
use crate::ranges::{self, Range};
use crate::replace::Replacer;
use crate::sat::{Logging, Solver};
use crate::translate::{Translator, width_of};
use crate::{Beyond, Decision, Effort, Layer, eval, model};
use evergreen_term::{Completion, Evaluator, Fun, Model, Op as TermOp, Sort, TermId, Terms, Value};
use rustc_hash::FxHashMap;

/// Nodes after which a core forgets what it knows of earlier queries.
const MOST_KEPT: usize = 500_000;

/// Everything that is kept from query to query.
pub(crate) struct Core {
    pub(crate) form: Form,
    pub(crate) translator: Translator,
    /// The values of its only leaf for which a conjunct holds.
    sets: FxHashMap<Node, Set>,
    pub(crate) lanes: Lanes,
    pub(crate) solver: Solver,
    pub(crate) values: Marks<u64>,
    ranges: Marks<Range>,
    replacer: Replacer,
    pub(crate) bits: Marks<(u32, u32)>,
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
            values: Marks::default(),
            ranges: Marks::default(),
            replacer: Replacer::default(),
            bits: Marks::default(),
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
    /// Forgets all terms and keeps the memory.
    pub(crate) fn forget(&mut self) {
        self.form.forget();
        self.translator.forget();
        empty(&mut self.sets);
        self.layer = None;
    }

    pub(crate) fn decide(
        &mut self,
        terms: &Terms,
        constraints: &[TermId],
        old: &[&Model],
        effort: Effort,
    ) -> Decision {
        if self.form.len() > MOST_KEPT {
            self.forget();
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
        let leaves = self.form.leaf_count();
        if self.tie_arrays(query, &mut pending)? {
            self.mark_cells(query, leaves);
            let model = self.search_layers(query, terms, pending, old, effort)?;
            // The only layer whose models hang on what is read nowhere.
            let mut evaluator = Evaluator::new(terms, &model).completing(Completion::Default);
            let mut holds = |c: &TermId| matches!(evaluator.evaluate(*c), Ok(Value::Bool(true)));
            return if constraints.iter().all(&mut holds) { Ok(model) } else { Err(Beyond::Effort.into()) };
        }
        self.search_layers(query, terms, pending, old, effort)
    }

    fn search_layers(
        &mut self,
        query: &mut Query,
        terms: &Terms,
        mut pending: Vec<ItemId>,
        old: &[&Model],
        effort: Effort,
    ) -> Result<Model, Stop> {
        let mut replacer = std::mem::take(&mut self.replacer);
        replacer.begin();
        let settled = self.settle_all(query, &mut replacer, &mut pending);
        self.replacer = replacer;
        settled?;
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

    /// Settles, puts one leaf for another where they are equal, and settles again.
    fn settle_all(
        &mut self,
        query: &mut Query,
        replacer: &mut Replacer,
        pending: &mut Vec<ItemId>,
    ) -> Result<(), Stop> {
        loop {
            self.settle(query, replacer, pending)?;
            self.merge(query, pending);
            if pending.is_empty() && query.news == 0 {
                return Ok(());
            }
        }
    }

    /// Replaces leaves that open conjuncts make equal to others; what was known of them is to be looked at
    /// again. A cell of an array that is read at an unknown index stays: the read may hit it.
    fn merge(&mut self, query: &mut Query, pending: &mut Vec<ItemId>) {
        let pair = |form: &Form, node: Node| match form.op(node) {
            Op::Eq(a, b) => match (form.op(a), form.op(b)) {
                (Op::Leaf(a), Op::Leaf(b)) => Some((a, b)),
                _ => None,
            },
            _ => None,
        };
        if !query.open.iter().any(|&item| pair(&self.form, query.node(item)).is_some()) {
            return;
        }
        let roots: Vec<Node> = query.open.iter().map(|&i| query.node(i)).collect();
        let mut bases = Vec::new();
        for node in eval::reachable(&self.form, &roots) {
            match self.form.op(node) {
                Op::Read(base, _) if !bases.contains(&base) => bases.push(base),
                _ => {}
            }
        }
        let stays = |form: &Form, leaf: Leaf| match form.leaf(leaf).0 {
            Origin::Cell(base, _) => bases.contains(&base),
            _ => false,
        };
        for item in query.open.clone() {
            let Some((a, b)) = pair(&self.form, query.node(item)) else { continue };
            let is_free = |leaf: Leaf| !query.same.contains_key(&leaf) && !query.values.contains_key(&leaf);
            if !is_free(a) || !is_free(b) {
                continue;
            }
            // The younger one goes: it is more likely to be in few conjuncts.
            let (older, younger) = (a.min(b), a.max(b));
            let (stay, go) = if stays(&self.form, younger) { (younger, older) } else { (older, younger) };
            if stays(&self.form, go) {
                continue;
            }
            query.same.insert(go, (stay, item));
            query.merged.push(go);
            let mark = self.form.mark_of(go);
            query.marks |= mark;
            query.news |= mark;
            if let Some(narrow) = query.narrow.remove(&go) {
                pending.extend(narrow.items.iter().map(|i| i.0));
            }
            if let Some(bounded) = query.bounds.remove(&go) {
                pending.extend(bounded.items);
            }
        }
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
            (_, Support::One(leaf)) => match plain_bounds(&self.form, node) {
                Some(bounds) => self.bound(query, leaf, item, bounds)?,
                None => query.wide.push(item),
            },
            _ => query.open.push(item),
        }
        Ok(())
    }

    /// The values of the only leaf of a conjunct for which it holds.
    fn set_of(&mut self, node: Node, leaf: Leaf) -> Set {
        if let Some(set) = self.sets.get(&node) {
            return *set;
        }
        let width = self.form.leaf(leaf).1;
        if let Some(set) = plain_set(&self.form, node, width) {
            return set;
        }
        let varying = Varying::all_of(leaf, width);
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

    /// A wide leaf is between two values.
    fn bound(
        &mut self,
        query: &mut Query,
        leaf: Leaf,
        item: ItemId,
        (low, high): (u64, u64),
    ) -> Result<(), Stop> {
        let (origin, width) = self.form.leaf(leaf);
        let whole = || Bounded { low: 0, high: ones(width), items: Vec::new(), ends: [None; 2] };
        let bounded = query.bounds.entry(leaf).or_insert_with(whole);
        bounded.items.push(item);
        if low > bounded.low {
            (bounded.low, bounded.ends[0]) = (low, Some(item));
        }
        if high < bounded.high {
            (bounded.high, bounded.ends[1]) = (high, Some(item));
        }
        let ends: Vec<ItemId> = bounded.ends.iter().copied().flatten().collect();
        if bounded.low > bounded.high {
            return Err(Contradiction(ends).into());
        }
        if bounded.low == bounded.high {
            let value = bounded.low;
            let node = self.form.leaf_of(origin, width);
            let node = self.form.eq_const(node, value);
            let item = query.add(node, From::Items(ends.into()));
            return self.assign(query, leaf, value, item);
        }
        Ok(())
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
            None => {
                if let Some(bounded) = query.bounds.get(&leaf) {
                    for (end, beyond) in bounded.ends.iter().zip([value < bounded.low, value > bounded.high])
                    {
                        if let (Some(end), true) = (end, beyond) {
                            return Err(Contradiction(vec![*end, item]).into());
                        }
                    }
                }
                self.value(query, leaf, value, item);
            }
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
        let mut known = std::mem::take(&mut self.ranges);
        known.begin(self.form.len());
        for &node in &nodes {
            let op = self.form.op(node);
            let width = self.form.width(node);
            let range = match op {
                Op::Leaf(leaf) => match query.narrow.get(&leaf) {
                    Some(narrow) => {
                        let (low, high) = (narrow.set.least(), narrow.set.greatest());
                        Range::between(low.unwrap_or(0), high.unwrap_or(0))
                    }
                    None => match query.bounds.get(&leaf) {
                        Some(bounded) => Range::between(bounded.low, bounded.high),
                        None => Range::any(width),
                    },
                },
                _ => ranges::of(&self.form, op, width, |n| known.at(n)),
            };
            known.set(node, range);
        }
        for &item in &items {
            if known.at(query.node(item)).value() == Some(0) {
                let mut reasons = vec![item];
                for node in eval::reachable(&self.form, &[query.node(item)]) {
                    let Op::Leaf(leaf) = self.form.op(node) else { continue };
                    if let Some(narrow) = query.narrow.get(&leaf) {
                        reasons.extend(narrow.items.iter().map(|i| i.0));
                    }
                    if let Some(bounded) = query.bounds.get(&leaf) {
                        reasons.extend(bounded.ends.iter().flatten());
                    }
                }
                self.ranges = known;
                return Err(Contradiction(reasons).into());
            }
        }
        // What is left has no value yet: everything else holds.
        let Query { open, wide, items, .. } = query;
        for list in [open, wide] {
            list.retain(|item| known.at(items[item.0 as usize].node).value().is_none());
        }
        self.ranges = known;
        Ok(())
    }
}

/// The bounds that a comparison of a wide leaf with a constant gives it.
fn plain_bounds(form: &Form, node: Node) -> Option<(u64, u64)> {
    let is_leaf = |n: Node| matches!(form.op(n), Op::Leaf(_));
    let (inner, holds) = match form.op(node) {
        Op::Not(a) => (form.op(a), false),
        op => (op, true),
    };
    let Op::Ult(a, b) = inner else { return None };
    let all = ones(form.width(a));
    match (form.value(a), form.value(b)) {
        // Rewriting has decided comparisons with the least and the greatest value.
        (None, Some(k)) if is_leaf(a) => Some(if holds { (0, k.checked_sub(1)?) } else { (k, all) }),
        (Some(k), None) if is_leaf(b) => Some(if holds { (k.checked_add(1)?, all) } else { (0, k) }),
        _ => None,
    }
}

/// The set of a comparison of a narrow leaf with a constant, or of its negation.
fn plain_set(form: &Form, node: Node, width: u8) -> Option<Set> {
    let lanes = 1usize << width;
    let last = lanes as u64 - 1;
    let is_leaf = |n: Node| matches!(form.op(n), Op::Leaf(_));
    let half = (lanes / 2) as u64;
    match form.op(node) {
        Op::Not(a) => plain_set(form, a, width).map(|set| set.others(lanes)),
        Op::Eq(a, b) if is_leaf(a) => form.value(b).map(|k| Set::between(k, k)),
        Op::Ult(a, b) if is_leaf(a) => {
            let k = form.value(b)?;
            Some(k.checked_sub(1).map_or(Set([0; 4]), |high| Set::between(0, high)))
        }
        Op::Ult(a, b) if is_leaf(b) => form.value(a).map(|k| Set::between(k + 1, last)),
        // Negative numbers are the upper half.
        Op::Slt(a, b) if is_leaf(a) => {
            let k = form.value(b)?;
            Some(match k.checked_sub(1) {
                _ if k > half => Set::between(half, k - 1),
                _ if k == half => Set([0; 4]),
                None => Set::between(half, last),
                Some(high) => Set::between(half, last).or(&Set::between(0, high)),
            })
        }
        Op::Slt(a, b) if is_leaf(b) => {
            let k = form.value(a)?;
            Some(match k >= half {
                true => Set::between(k + 1, last).or(&Set::between(0, half - 1)),
                false => Set::between(k + 1, half - 1),
            })
        }
        _ => None,
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

#[cfg(test)]
mod tests {
    use super::*;
    use evergreen_term::SymbolId;

    #[test]
    fn plain_sets_are_those_of_evaluation() {
        for width in 2..=8u8 {
            let mut core = Core::default();
            let leaf = core.form.leaf_of(Origin::Symbol(SymbolId::from_index(usize::from(width))), width);
            let mut compared = 0;
            for k in 0..=ones(width) {
                let k = core.form.constant(k, width);
                for op in
                    [Op::Eq(leaf, k), Op::Ult(leaf, k), Op::Ult(k, leaf), Op::Slt(leaf, k), Op::Slt(k, leaf)]
                {
                    let node = core.form.raw(op, 1);
                    let Some(set) = plain_set(&core.form, node, width) else { panic!("{op:?}") };
                    let Support::One(own) = core.form.info(node).support else { panic!("{op:?}") };
                    let varying = Varying::all_of(own, width);
                    let nodes = eval::reachable(&core.form, &[node]);
                    core.lanes.run(&core.form, &nodes, &eval::Assignment::default(), varying);
                    assert_eq!(core.lanes.holds(node, varying.lanes()), set, "{op:?} at {width}");
                    compared += 1;
                }
            }
            assert_eq!(compared, 5 << width);
        }
    }
}
