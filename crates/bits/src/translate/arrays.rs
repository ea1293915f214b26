//! Arrays: writes over something, and reads that go down to it.

use super::{Image, Translator, outside};
use crate::Beyond;
use crate::form::{Base, Form, Node, Op, TableId};
use crate::marks::empty;
use evergreen_term::{Fun, Op as TermOp, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// An array, by its place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct ArrayId(u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Array {
    Base(Base),
    /// The same element everywhere.
    Constant(Node),
    /// Cells at literal indices over another array.
    Cells(TableId, ArrayId),
    /// One write over another array.
    Write(ArrayId, Node, Node),
    Ite(Node, ArrayId, ArrayId),
}

/// Choices that a read may go through: each level is a step of recursion.
const DEEPEST: u32 = 500;

/// All arrays of a core, by content.
#[derive(Default)]
pub(crate) struct Arrays {
    arrays: Vec<(Array, u8)>,
    made: FxHashMap<Array, ArrayId>,
    reads: FxHashMap<(ArrayId, Node), Node>,
}

impl Arrays {
    pub(super) fn forget(&mut self) {
        self.arrays.clear();
        empty(&mut self.made);
        empty(&mut self.reads);
    }

    fn make(&mut self, array: Array, element: u8) -> ArrayId {
        let next = ArrayId(self.arrays.len() as u32);
        let id = *self.made.entry(array).or_insert(next);
        if id == next {
            self.arrays.push((array, element));
        }
        id
    }

    pub(super) fn base(&mut self, base: Base, element: u8) -> ArrayId {
        self.make(Array::Base(base), element)
    }

    pub(super) fn constant(&mut self, value: Node, element: u8) -> ArrayId {
        self.make(Array::Constant(value), element)
    }

    pub(super) fn ite(&mut self, condition: Node, a: ArrayId, b: ArrayId) -> ArrayId {
        if condition == Node::TRUE || a == b {
            return a;
        }
        if condition == Node::FALSE {
            return b;
        }
        let element = self.arrays[a.0 as usize].1;
        self.make(Array::Ite(condition, a, b), element)
    }

    /// The indices at which an array is written, as nodes of that width. Conditions and elements are not
    /// looked into: they show in reads.
    pub(crate) fn written(&self, form: &mut Form, array: ArrayId, width: u8, found: &mut Vec<Node>) {
        let mut stack = vec![array];
        let mut seen: FxHashSet<ArrayId> = FxHashSet::default();
        while let Some(at) = stack.pop() {
            if !seen.insert(at) {
                continue;
            }
            match self.arrays[at.0 as usize].0 {
                Array::Base(_) | Array::Constant(_) => {}
                Array::Cells(table, below) => {
                    let indices: Vec<u64> = form.table(table).cells.iter().map(|cell| cell.0).collect();
                    found.extend(indices.into_iter().map(|index| form.constant(index, width)));
                    stack.push(below);
                }
                Array::Write(below, index, _) => {
                    found.push(index);
                    stack.push(below);
                }
                Array::Ite(_, a, b) => stack.extend([a, b]),
            }
        }
    }

    /// The element at an index.
    pub(crate) fn read(&mut self, form: &mut Form, array: ArrayId, index: Node) -> Result<Node, Beyond> {
        self.read_under(form, array, index, 0)
    }

    fn read_under(
        &mut self,
        form: &mut Form,
        array: ArrayId,
        index: Node,
        depth: u32,
    ) -> Result<Node, Beyond> {
        if depth > DEEPEST {
            return Err(Beyond::Effort);
        }
        // Writes on the way down that may be at the index, the last one first.
        let mut writes: Vec<(ArrayId, Node, Node)> = Vec::new();
        let mut at = array;
        let mut result = loop {
            if let Some(&known) = self.reads.get(&(at, index)) {
                break known;
            }
            let (here, width) = self.arrays[at.0 as usize];
            match here {
                Array::Base(base) => break form.make(Op::Read(base, index), width),
                Array::Constant(value) => break value,
                Array::Cells(table, below) => {
                    if let Some(i) = form.value(index) {
                        match form.table(table).get(i) {
                            Some(cell) => break cell,
                            None => at = below,
                        }
                        continue;
                    }
                    let elsewhere = self.read_under(form, below, index, depth + 1)?;
                    break form.make(Op::Lookup(table, index, elsewhere), width);
                }
                Array::Write(below, i, value) => {
                    let same = form.eq(i, index);
                    if same == Node::TRUE {
                        break value;
                    }
                    if same != Node::FALSE {
                        writes.push((at, same, value));
                    }
                    at = below;
                }
                Array::Ite(c, a, b) => {
                    let a = self.read_under(form, a, index, depth + 1)?;
                    let b = self.read_under(form, b, index, depth + 1)?;
                    break form.ite(c, a, b);
                }
            }
        };
        self.reads.insert((at, index), result);
        for (id, same, value) in writes.into_iter().rev() {
            result = form.ite(same, value, result);
            self.reads.insert((id, index), result);
        }
        self.reads.insert((array, index), result);
        Ok(result)
    }
}

/// The writes of a chain, the last one first, and what they are written over.
pub(super) fn chain(terms: &Terms, term: TermId) -> Option<(Vec<(TermId, TermId)>, TermId)> {
    let mut writes = Vec::new();
    let mut at = term;
    while terms.op(at) == TermOp::Fun(Fun::Store) {
        let args = terms.args(at);
        writes.push((args[1], args[2]));
        at = args[0];
    }
    (!writes.is_empty()).then_some((writes, at))
}

impl Translator {
    /// An array with writes, the last one first, over another one.
    pub(super) fn write(
        &mut self,
        form: &mut Form,
        writes: &[(TermId, TermId)],
        below: TermId,
    ) -> Result<Image, Beyond> {
        let mut array = self.array(below)?;
        let element = self.arrays.arrays[array.0 as usize].1;
        let mut run: Vec<(u64, Node)> = Vec::new();
        for &(index, value) in writes.iter().rev() {
            let (index, value) = (self.bits(index)?, self.bits(value)?);
            if form.width(value) != element {
                return Err(outside("an element of another width"));
            }
            match form.value(index) {
                Some(i) => run.push((i, value)),
                None => {
                    array = self.cells(form, array, std::mem::take(&mut run), element);
                    array = self.arrays.make(Array::Write(array, index, value), element);
                }
            }
        }
        Ok(Image::Array(self.cells(form, array, run, element)))
    }

    /// Cells over an array, later ones over earlier ones.
    fn cells(&mut self, form: &mut Form, below: ArrayId, run: Vec<(u64, Node)>, element: u8) -> ArrayId {
        if run.is_empty() {
            return below;
        }
        let (cells, below) = match self.arrays.arrays[below.0 as usize].0 {
            Array::Cells(table, rest) => {
                let old = form.table(table).cells.iter().copied();
                (old.chain(run).collect::<Vec<_>>(), rest)
            }
            _ => (run, below),
        };
        let mut last: Vec<(u64, Node)> = cells;
        // Of several writes at one index the last one counts; sorting keeps their order.
        last.reverse();
        last.sort_by_key(|c| c.0);
        last.dedup_by_key(|c| c.0);
        let table = form.table_of(last);
        self.arrays.make(Array::Cells(table, below), element)
    }
}
