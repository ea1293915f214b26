//! Evaluation for all values of one leaf at once: what shows that no value is left to it.
//!
//! A lane is a value of the leaf. In each lane a node has a value or none: none where it depends on another
//! leaf that has no known value, or on a place of an array that nothing is known about. A constraint removes
//! a lane only where its value there is `false`.

use super::form::{Form, Node, NodeId, Sort};
use super::word;
use evergreen_term::Fun;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The most bits of a leaf whose values are gone through.
pub const WIDEST_LEAF: u32 = 8;

/// What is known before a leaf is looked at.
#[derive(Default)]
pub(super) struct Facts {
    leaves: FxHashMap<NodeId, u64>,
    cells: FxHashMap<(NodeId, u64), u64>,
}

impl Facts {
    /// Takes a constraint that is a fact as known; whether it is one.
    pub(super) fn learn(&mut self, form: &Form, constraint: NodeId) -> bool {
        if is_table(form, constraint) {
            form.args(constraint).iter().for_each(|&cell| _ = self.learn(form, cell));
            return true;
        }
        match fact(form, constraint) {
            Some(Fact::Leaf(leaf, value)) => self.leaves.insert(leaf, value),
            Some(Fact::Cell(array, index, value)) => self.cells.insert((array, index), value),
            None => return false,
        };
        true
    }

    /// The only value that is left to a leaf.
    pub(super) fn fix(&mut self, leaf: NodeId, value: u64) {
        self.leaves.insert(leaf, value);
    }

    /// Takes back the value of a leaf.
    pub(super) fn forget(&mut self, leaf: NodeId) -> Option<u64> {
        self.leaves.remove(&leaf)
    }

    /// Takes over what others know about a leaf.
    pub(super) fn fix_from(&mut self, others: &Facts, leaf: NodeId) {
        if let Some(&value) = others.leaves.get(&leaf) {
            self.leaves.insert(leaf, value);
        }
    }

    pub(super) fn knows(&self, leaf: NodeId) -> bool {
        self.leaves.contains_key(&leaf)
    }
}

/// A constraint that says what one cell of a declared array is, or one leaf that is too wide to be gone
/// through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fact {
    Leaf(NodeId, u64),
    Cell(NodeId, u64, u64),
}

/// Whether a constraint is a conjunction of facts: a table.
pub(super) fn is_table(form: &Form, constraint: NodeId) -> bool {
    form.node(constraint) == Node::Fun(Fun::And)
        && form.args(constraint).iter().all(|&part| matches!(fact(form, part), Some(Fact::Cell(..))))
}

/// What a constraint says, if it is a fact.
pub(super) fn fact(form: &Form, constraint: NodeId) -> Option<Fact> {
    let (Node::Fun(Fun::Eq), &[a, b]) = (form.node(constraint), form.args(constraint)) else { return None };
    let (place, value) = match (form.literal(a), form.literal(b)) {
        (None, Some(value)) => (a, value),
        (Some(value), None) => (b, value),
        _ => return None,
    };
    match (form.node(place), form.args(place)) {
        (Node::Leaf, _) => (!is_narrow(form, place)).then_some(Fact::Leaf(place, value)),
        (Node::Fun(Fun::Select), &[array, index]) if form.node(array) == Node::Leaf => {
            Some(Fact::Cell(array, form.literal(index)?, value))
        }
        _ => None,
    }
}

/// The values of a node.
#[derive(Clone)]
enum Values {
    /// One for all lanes, or none.
    Same(Option<u64>),
    Each(Rc<[Option<u64>]>),
}

impl Values {
    fn at(&self, lane: usize) -> Option<u64> {
        match self {
            Values::Same(value) => *value,
            Values::Each(values) => values[lane],
        }
    }
}

/// The evaluation is more work than allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TooMuch;

/// How many values of nodes may be computed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Work(pub(super) u64);

impl Work {
    pub(super) fn spend(&mut self, units: usize) -> Result<(), TooMuch> {
        self.0 = self.0.checked_sub(units as u64).ok_or(TooMuch)?;
        Ok(())
    }
}

/// The values of a leaf that are still possible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Left {
    lanes: Vec<bool>,
}

impl Left {
    pub(super) fn count(&self) -> usize {
        self.lanes.iter().filter(|l| **l).count()
    }

    /// The value, if it is the only one.
    pub(super) fn only(&self) -> Option<u64> {
        let mut left = self.lanes.iter().enumerate().filter(|l| *l.1);
        match (left.next(), left.next()) {
            (Some((value, _)), None) => Some(value as u64),
            _ => None,
        }
    }

    pub(super) fn has(&self, lane: usize) -> bool {
        self.lanes[lane]
    }

    /// Those that both leave.
    pub(super) fn meet(&mut self, other: &Left) {
        self.lanes.iter_mut().zip(&other.lanes).for_each(|(mine, other)| *mine &= other);
    }

    /// How many of its values another one removes.
    pub(super) fn removed_by(&self, other: &Left) -> usize {
        self.lanes.iter().zip(&other.lanes).filter(|(mine, other)| **mine && !**other).count()
    }
}

/// Evaluates over all values of one leaf.
pub(super) struct Lanes<'f> {
    form: &'f Form,
    facts: &'f Facts,
    leaf: NodeId,
    lanes: usize,
    known: FxHashMap<NodeId, Values>,
    /// Cells of declared arrays that were read, if they are asked for.
    pub(super) touched: Option<Vec<Touched>>,
}

/// A cell of a declared array that was read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touched {
    pub(super) array: NodeId,
    pub(super) index: u64,
    /// The lane; none where it is read in all of them.
    pub(super) lane: Option<usize>,
}

impl<'f> Lanes<'f> {
    /// `None` where the leaf is none, is too wide, or has a value already.
    pub(super) fn new(form: &'f Form, facts: &'f Facts, leaf: NodeId) -> Option<Lanes<'f>> {
        let width = form.sort(leaf).width()?;
        let fits = is_narrow(form, leaf) && !facts.knows(leaf);
        fits.then(|| Lanes {
            form,
            facts,
            leaf,
            lanes: 1 << width,
            known: FxHashMap::default(),
            touched: None,
        })
    }

    /// Every value.
    pub(super) fn all(&self) -> Left {
        Left { lanes: vec![true; self.lanes] }
    }

    /// The values that a constraint leaves.
    pub(super) fn left(&mut self, constraint: NodeId, work: &mut Work) -> Result<Left, TooMuch> {
        self.evaluate(constraint, work)?;
        let values = &self.known[&constraint];
        // Above something outside a constraint has no value, and removes nothing.
        Ok(Left { lanes: (0..self.lanes).map(|lane| values.at(lane) != Some(0)).collect() })
    }

    /// Evaluates everything below a node, then the node, each once.
    fn evaluate(&mut self, node: NodeId, work: &mut Work) -> Result<(), TooMuch> {
        let mut stack = vec![node];
        while let Some(&top) = stack.last() {
            if self.known.contains_key(&top) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(self.form.args(top).iter().filter(|a| !self.known.contains_key(a)));
            if stack.len() == before {
                let values = self.values(top, work)?;
                self.known.insert(top, values);
                stack.pop();
            }
        }
        Ok(())
    }

    fn values(&mut self, node: NodeId, work: &mut Work) -> Result<Values, TooMuch> {
        let form = self.form;
        work.spend(1)?;
        if node == self.leaf {
            return Ok(Values::Each((0..self.lanes as u64).map(Some).collect()));
        }
        let args = form.args(node);
        match form.node(node) {
            Node::Leaf => Ok(Values::Same(self.facts.leaves.get(&node).copied())),
            Node::Literal(value) => Ok(Values::Same(Some(value))),
            // An array has no value; its reads have. So it is not known whether two are equal.
            Node::Outside | Node::ConstArray | Node::SameArrays => Ok(Values::Same(None)),
            Node::Fun(Fun::Select) => self.select(args[0], args[1], work),
            Node::Fun(_) | Node::Indexed(..) => {
                let Some(result) = form.sort(node).width() else { return Ok(Values::Same(None)) };
                let inputs: Vec<Values> = args.iter().map(|a| self.known[a].clone()).collect();
                let widths: Vec<u32> = args.iter().map(|a| form.sort(*a).width().unwrap_or(1)).collect();
                let kind = form.node(node);
                let mut words = Vec::with_capacity(inputs.len());
                let mut at = |lane: usize| apply(kind, &inputs, &widths, result, lane, &mut words);
                if inputs.iter().all(|values| matches!(values, Values::Same(_))) {
                    return Ok(Values::Same(at(0)));
                }
                work.spend(self.lanes)?;
                Ok(Values::Each((0..self.lanes).map(at).collect()))
            }
        }
    }

    fn select(&mut self, array: NodeId, index: NodeId, work: &mut Work) -> Result<Values, TooMuch> {
        let indices = self.known[&index].clone();
        let is_plain = self.form.node(array) == Node::Leaf;
        if let (Values::Same(index), true) = (&indices, is_plain) {
            return Ok(Values::Same(match index {
                Some(index) => self.read(array, None, *index, work)?,
                None => None,
            }));
        }
        let mut values = Vec::with_capacity(self.lanes);
        for lane in 0..self.lanes {
            values.push(match indices.at(lane) {
                Some(index) => self.read(array, Some(lane), index, work)?,
                None => None,
            });
        }
        Ok(Values::Each(values.into()))
    }

    /// What an array has at an index, in one lane or in all of them; none where that is not known.
    fn read(
        &mut self,
        mut array: NodeId,
        lane: Option<usize>,
        index: u64,
        work: &mut Work,
    ) -> Result<Option<u64>, TooMuch> {
        loop {
            work.spend(1)?;
            let args = self.form.args(array);
            let value = |node: NodeId| self.known.get(&node).and_then(|values| values.at(lane.unwrap_or(0)));
            array = match self.form.node(array) {
                Node::Leaf => {
                    if let Some(touched) = &mut self.touched {
                        touched.push(Touched { array, index, lane });
                    }
                    return Ok(self.facts.cells.get(&(array, index)).copied());
                }
                Node::ConstArray => return Ok(value(args[0])),
                Node::Fun(Fun::Store) => match value(args[1]) {
                    Some(at) if at == index => return Ok(value(args[2])),
                    Some(_) => args[0],
                    None => return Ok(None),
                },
                Node::Fun(Fun::Ite) => match value(args[0]) {
                    Some(1) => args[1],
                    Some(_) => args[2],
                    None => return Ok(None),
                },
                _ => return Ok(None),
            };
        }
    }
}

/// The value of a function in a lane, if its arguments have enough of theirs.
fn apply(
    kind: Node,
    inputs: &[Values],
    widths: &[u32],
    result: u32,
    lane: usize,
    words: &mut Vec<u64>,
) -> Option<u64> {
    let fun = match kind {
        Node::Indexed(fun, i, j) => return word::indexed(fun, i, j, widths[0], result, inputs[0].at(lane)?),
        Node::Fun(fun) => fun,
        _ => return None,
    };
    match fun {
        // One argument can decide these, whatever the others are.
        Fun::And if inputs.iter().any(|v| v.at(lane) == Some(0)) => return Some(0),
        Fun::Or if inputs.iter().any(|v| v.at(lane) == Some(1)) => return Some(1),
        Fun::Ite => {
            let arm = if inputs[0].at(lane)? == 1 { 1 } else { 2 };
            return inputs[arm].at(lane);
        }
        _ => {}
    }
    // Most functions have two arguments.
    if let [a, b] = inputs {
        return word::function(fun, widths, result, &[a.at(lane)?, b.at(lane)?]);
    }
    words.clear();
    for values in inputs {
        words.push(values.at(lane)?);
    }
    word::function(fun, widths, result, words)
}

/// Whether a leaf is one whose values can be gone through.
pub(super) fn is_narrow(form: &Form, leaf: NodeId) -> bool {
    form.node(leaf) == Node::Leaf && matches!(form.sort(leaf), Sort::Bool | Sort::Bits(1..=WIDEST_LEAF))
}
