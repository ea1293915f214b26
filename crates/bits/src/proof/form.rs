//! The byte form of a query, read into a graph of nodes (docs/key-format.md).
//!
//! Reading is strict: heads, sorts, numbers of edges. What is well formed but outside of bit vectors up to
//! [`WIDEST`] bits, truth values and arrays from such vectors to such vectors is a node of its own kind, and
//! a certificate may not use a constraint above one. What this reader does not know (another version, a tag,
//! a declared sort) makes it refuse the form, and there is no certificate.

use super::varint::Reader;
use evergreen_term::{Fun, Indexed};

/// Version of the byte form that is read.
pub const FORM_VERSION: u8 = 1;

/// The most bits of a vector.
pub const WIDEST: u32 = 64;

/// Arrays of arrays of … are read this deep.
const DEEPEST_SORT: u32 = 8;

/// A node of the form, by its number. Arguments have smaller numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct NodeId(pub(super) u32);

impl NodeId {
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// The sort of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sort {
    /// A truth value.
    Bool,
    /// A vector of that many bits, 1 to [`WIDEST`].
    Bits(u32),
    /// An array from vectors to vectors.
    Array {
        /// Bits of an index.
        index: u32,
        /// Bits of an element.
        element: u32,
    },
    /// Anything else.
    Outside,
}

impl Sort {
    /// The number of bits of a value; none for arrays and what is outside.
    pub(super) fn width(self) -> Option<u32> {
        match self {
            Sort::Bool => Some(1),
            Sort::Bits(width) => Some(width),
            Sort::Array { .. } | Sort::Outside => None,
        }
    }
}

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Node {
    /// A symbol, or a cell of an array that is read at literal indices only: any value.
    Leaf,
    /// A truth value or a vector.
    Literal(u64),
    /// A function of its arguments.
    Fun(Fun),
    /// A function with indices.
    Indexed(Indexed, u32, u32),
    /// An array that has one element everywhere.
    ConstArray,
    /// Whether two arrays are equal.
    SameArrays,
    /// Something outside, or above something outside.
    Outside,
}

#[derive(Clone, Copy)]
struct Entry {
    node: Node,
    sort: Sort,
    /// Range in the pool of arguments.
    args: (u32, u32),
}

/// The cells of a table, by the digest that stands for them in a form: pairs of index and element, with
/// ascending indices. The digest describes the cells as a key describes its form; what it belongs to is known
/// to the caller, who made the form.
pub type Tables<'t> = &'t dyn Fn(&[u8; 32]) -> Option<Vec<(u64, u64)>>;

/// A conjunction of constraints without names.
pub(super) struct Form {
    entries: Vec<Entry>,
    /// The node of each number in the bytes. A table is one there, and several nodes here.
    numbers: Vec<NodeId>,
    args: Vec<NodeId>,
    constraints: Vec<NodeId>,
}

mod tag {
    pub(super) const TRUE: u8 = 1;
    pub(super) const FALSE: u8 = 2;
    pub(super) const INT: u8 = 3;
    pub(super) const BITVEC: u8 = 5;
    pub(super) const FUN: u8 = 8;
    pub(super) const INDEXED: u8 = 9;
    pub(super) const CONST_ARRAY: u8 = 10;
    pub(super) const APPLY: u8 = 15;
    pub(super) const LE_ZERO: u8 = 16;
    pub(super) const EQ_ZERO: u8 = 17;
    pub(super) const SUM: u8 = 18;
    pub(super) const TABLE: u8 = 22;
    pub(super) const LEAF_CONSTANT: u8 = 32;
    pub(super) const LEAF_FUNCTION: u8 = 33;
}

/// The function of each code.
const FUNCTIONS: [Option<Fun>; 256] = {
    let mut functions = [None; 256];
    let mut at = 0;
    while at < Fun::ALL.len() {
        functions[Fun::ALL[at] as usize] = Some(Fun::ALL[at]);
        at += 1;
    }
    functions
};

impl Form {
    /// The conjunction that has exactly these bytes.
    pub(super) fn read(bytes: &[u8], tables: Tables<'_>) -> Option<Form> {
        let mut reader = Reader::new(bytes);
        if reader.byte()? != FORM_VERSION {
            return None;
        }
        let mut form =
            Form { entries: Vec::new(), numbers: Vec::new(), args: Vec::new(), constraints: Vec::new() };
        for _ in 0..reader.count()? {
            let sort = leaf(&mut reader)?;
            let node = if sort == Sort::Outside { Node::Outside } else { Node::Leaf };
            form.push(Entry { node, sort, args: (0, 0) });
        }
        let mut sorts = Vec::new();
        for _ in 0..reader.count()? {
            form.read_node(&mut reader, &mut sorts, tables)?;
        }
        for _ in 0..reader.count()? {
            let constraint = form.existing(reader.small()?)?;
            if !matches!(form.sort(constraint), Sort::Bool | Sort::Outside) {
                return None;
            }
            form.constraints.push(constraint);
        }
        // Facts are about declared sorts, datatypes and objectives: none of them is known here.
        let facts = reader.number()?;
        (facts == 0 && reader.is_empty()).then_some(form)
    }

    /// The node of each constraint.
    pub(super) fn constraints(&self) -> &[NodeId] {
        &self.constraints
    }

    /// The number of nodes.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// What a node is.
    pub(super) fn node(&self, id: NodeId) -> Node {
        self.entries[id.index()].node
    }

    /// The sort of a node.
    pub(super) fn sort(&self, id: NodeId) -> Sort {
        self.entries[id.index()].sort
    }

    /// The arguments of a node.
    pub(super) fn args(&self, id: NodeId) -> &[NodeId] {
        let (start, end) = self.entries[id.index()].args;
        &self.args[start as usize..end as usize]
    }

    /// The value of a literal.
    pub(super) fn literal(&self, id: NodeId) -> Option<u64> {
        match self.node(id) {
            Node::Literal(value) => Some(value),
            _ => None,
        }
    }

    fn existing(&self, number: u32) -> Option<NodeId> {
        self.numbers.get(number as usize).copied()
    }

    /// Adds a node that has a number.
    fn push(&mut self, entry: Entry) {
        self.numbers.push(NodeId(self.entries.len() as u32));
        self.entries.push(entry);
    }

    /// Adds a node that has none.
    fn make(&mut self, node: Node, sort: Sort, args: &[NodeId]) -> NodeId {
        let start = self.args.len() as u32;
        self.args.extend_from_slice(args);
        self.entries.push(Entry { node, sort, args: (start, self.args.len() as u32) });
        NodeId(self.entries.len() as u32 - 1)
    }

    /// A table is the conjunction of its cells.
    fn read_table(&mut self, reader: &mut Reader<'_>, tables: Tables<'_>) -> Option<()> {
        let count = reader.number()?;
        let digest: [u8; 32] = reader.take(32)?.try_into().ok()?;
        let (1, array) = (reader.number()?, self.existing(reader.small()?)?) else { return None };
        let cells = tables(&digest).filter(|cells| cells.len() as u64 == count)?;
        let Sort::Array { index, element } = self.sort(array) else {
            self.push(Entry { node: Node::Outside, sort: Sort::Outside, args: (0, 0) });
            return Some(());
        };
        if cells.iter().any(|&(at, value)| at > ones(index) || value > ones(element)) {
            return None;
        }
        let mut all = Vec::with_capacity(cells.len());
        for (at, value) in cells {
            let at = self.make(Node::Literal(at), Sort::Bits(index), &[]);
            let read = self.make(Node::Fun(Fun::Select), Sort::Bits(element), &[array, at]);
            let value = self.make(Node::Literal(value), Sort::Bits(element), &[]);
            all.push(self.make(Node::Fun(Fun::Eq), Sort::Bool, &[read, value]));
        }
        let table = self.make(Node::Fun(Fun::And), Sort::Bool, &all);
        self.numbers.push(table);
        Some(())
    }

    /// `sorts` is kept for its memory.
    fn read_node(
        &mut self,
        reader: &mut Reader<'_>,
        sorts: &mut Vec<Sort>,
        tables: Tables<'_>,
    ) -> Option<()> {
        let tag = reader.byte()?;
        if tag == tag::TABLE {
            return self.read_table(reader, tables);
        }
        let (node, sort) = match tag {
            tag::TRUE => (Node::Literal(1), Some(Sort::Bool)),
            tag::FALSE => (Node::Literal(0), Some(Sort::Bool)),
            tag::BITVEC => vector(reader)?,
            tag::FUN => (FUNCTIONS[usize::from(reader.byte()?)].map(Node::Fun)?, None),
            tag::INDEXED => {
                let fun = Indexed::from_code(reader.byte()?)?;
                (Node::Indexed(fun, reader.small()?, reader.small()?), None)
            }
            tag::CONST_ARRAY => {
                let sorts = reader.number()?;
                let sort = (sorts == 1).then(|| read_sort(reader, DEEPEST_SORT))??;
                (Node::ConstArray, Some(sort))
            }
            tag::APPLY => (Node::Outside, Some(Sort::Outside)),
            tag::INT | tag::LE_ZERO | tag::EQ_ZERO | tag::SUM => {
                reader.number()?;
                (Node::Outside, Some(Sort::Outside))
            }
            _ => return None,
        };
        let is_labelled = matches!(tag, tag::LE_ZERO | tag::EQ_ZERO | tag::SUM);
        let args = self.read_args(reader, is_labelled)?;
        let inputs = &self.args[args.0 as usize..args.1 as usize];
        sorts.clear();
        sorts.extend(inputs.iter().map(|a| self.sort(*a)));
        let is_outside =
            node == Node::Outside || sort == Some(Sort::Outside) || sorts.contains(&Sort::Outside);
        let entry = match (is_outside, sort) {
            (true, _) => Entry { node: Node::Outside, sort: Sort::Outside, args },
            (false, Some(sort)) => {
                let fits = match (sort, &sorts[..]) {
                    (Sort::Array { element, .. }, [only]) => *only == Sort::Bits(element),
                    (Sort::Bool | Sort::Bits(_), []) => true,
                    _ => false,
                };
                fits.then_some(Entry { node, sort, args })?
            }
            (false, None) if is_same_arrays(node, sorts) => {
                Entry { node: Node::SameArrays, sort: Sort::Bool, args }
            }
            (false, None) => match result(node, sorts)? {
                Sort::Outside => Entry { node: Node::Outside, sort: Sort::Outside, args },
                sort => Entry { node, sort, args },
            },
        };
        self.push(entry);
        Some(())
    }

    fn read_args(&mut self, reader: &mut Reader<'_>, is_labelled: bool) -> Option<(u32, u32)> {
        let start = self.args.len() as u32;
        for _ in 0..reader.count()? {
            if is_labelled {
                reader.number()?;
            }
            let arg = self.existing(reader.small()?)?;
            self.args.push(arg);
        }
        Some((start, self.args.len() as u32))
    }
}

/// Whether a node compares two arrays from vectors to vectors.
fn is_same_arrays(node: Node, args: &[Sort]) -> bool {
    match (node, args) {
        (Node::Fun(Fun::Eq), [a @ Sort::Array { .. }, b]) => a == b,
        _ => false,
    }
}

/// The sort of a function's value: `None` where the arguments do not fit. None of them is outside.
fn result(node: Node, args: &[Sort]) -> Option<Sort> {
    match (node, args) {
        (Node::Indexed(fun, i, j), &[Sort::Bits(width)]) => indexed(fun, width, i, j),
        (Node::Indexed(fun, ..), _) => is_foreign(fun).then_some(Sort::Outside),
        (Node::Fun(fun), args) => function(fun, args),
        _ => None,
    }
}

fn leaf(reader: &mut Reader<'_>) -> Option<Sort> {
    match reader.byte()? {
        tag::LEAF_CONSTANT => read_sort(reader, DEEPEST_SORT),
        tag::LEAF_FUNCTION => {
            // The sorts of its arguments, and of its value.
            for _ in 0..=reader.count()? {
                read_sort(reader, DEEPEST_SORT)?;
            }
            Some(Sort::Outside)
        }
        _ => None,
    }
}

fn vector(reader: &mut Reader<'_>) -> Option<(Node, Option<Sort>)> {
    let width = reader.small()?;
    if width > WIDEST {
        // A value beyond 64 bits has a form of its own, behind what is no number.
        match reader.skip(&[0xff; 10]) {
            true => {
                let bytes = reader.count()?;
                reader.drop(bytes)?;
            }
            false => {
                reader.number()?;
            }
        }
        return Some((Node::Outside, Some(Sort::Outside)));
    }
    let value = reader.number()?;
    (width > 0 && value <= ones(width)).then_some((Node::Literal(value), Some(Sort::Bits(width))))
}

/// All bits of a width.
pub(super) fn ones(width: u32) -> u64 {
    u64::MAX >> (WIDEST - width)
}

fn read_sort(reader: &mut Reader<'_>, depth: u32) -> Option<Sort> {
    match reader.byte()? {
        0 => Some(Sort::Bool),
        1..=5 => Some(Sort::Outside),
        6 => {
            let width = reader.small()?;
            (width > 0).then_some(if width > WIDEST { Sort::Outside } else { Sort::Bits(width) })
        }
        7 => {
            reader.number()?;
            reader.number()?;
            Some(Sort::Outside)
        }
        8 if depth > 0 => match (read_sort(reader, depth - 1)?, read_sort(reader, depth - 1)?) {
            (Sort::Bits(index), Sort::Bits(element)) => Some(Sort::Array { index, element }),
            _ => Some(Sort::Outside),
        },
        9 if depth > 0 => read_sort(reader, depth - 1).map(|_| Sort::Outside),
        _ => None,
    }
}

/// Whether a function with indices is of another theory.
fn is_foreign(fun: Indexed) -> bool {
    use Indexed::*;
    !matches!(fun, Extract | Repeat | ZeroExtend | SignExtend | RotateLeft | RotateRight)
}

/// The sort of a function with indices over a vector.
fn indexed(fun: Indexed, width: u32, i: u32, j: u32) -> Option<Sort> {
    let new = match fun {
        Indexed::Extract if j <= i && i < width => u64::from(i - j) + 1,
        Indexed::ZeroExtend | Indexed::SignExtend => u64::from(width) + u64::from(i),
        Indexed::Repeat if i > 0 => u64::from(width) * u64::from(i),
        Indexed::RotateLeft | Indexed::RotateRight => u64::from(width),
        _ if is_foreign(fun) => return Some(Sort::Outside),
        _ => return None,
    };
    Some(if new > u64::from(WIDEST) { Sort::Outside } else { Sort::Bits(new as u32) })
}

/// The sort of a value of a function without indices.
fn function(fun: Fun, args: &[Sort]) -> Option<Sort> {
    use Fun::*;
    let all = |sort: Sort| args.iter().all(|a| *a == sort);
    let first = args.first().copied();
    let vectors = |count: std::ops::RangeInclusive<usize>| match first? {
        Sort::Bits(width) if count.contains(&args.len()) && all(Sort::Bits(width)) => Some(width),
        _ => None,
    };
    const ANY: std::ops::RangeInclusive<usize> = 1..=usize::MAX;
    match fun {
        Not => (args == [Sort::Bool]).then_some(Sort::Bool),
        And | Or | Xor | Implies => (!args.is_empty() && all(Sort::Bool)).then_some(Sort::Bool),
        Ite => match args {
            [Sort::Bool, a, b] if a == b => Some(*a),
            _ => None,
        },
        Eq | Distinct => match first? {
            Sort::Array { .. } if all(first?) => Some(Sort::Outside),
            sort => (args.len() >= 2 && all(sort)).then_some(Sort::Bool),
        },
        Concat => {
            let widths = args.iter().map(|a| if let Sort::Bits(w) = a { Some(u64::from(*w)) } else { None });
            let width: u64 = widths.sum::<Option<u64>>()?;
            Some(if width > u64::from(WIDEST) { Sort::Outside } else { Sort::Bits(width as u32) })
        }
        BvNot | BvNeg => vectors(1..=1).map(Sort::Bits),
        BvAnd | BvOr | BvXor | BvAdd | BvMul => vectors(ANY).map(Sort::Bits),
        BvNand | BvNor | BvXnor | BvSub | BvUdiv | BvUrem | BvSdiv | BvSrem | BvSmod | BvShl | BvLshr
        | BvAshr => vectors(2..=2).map(Sort::Bits),
        BvUlt | BvUle | BvUgt | BvUge | BvSlt | BvSle | BvSgt | BvSge => vectors(2..=2).map(|_| Sort::Bool),
        BvUaddo | BvSaddo | BvUmulo | BvSmulo | BvUsubo | BvSsubo | BvSdivo => {
            vectors(2..=2).map(|_| Sort::Bool)
        }
        BvNego => vectors(1..=1).map(|_| Sort::Bool),
        BvComp => vectors(2..=2).map(|_| Sort::Bits(1)),
        Select => match args {
            [Sort::Array { index, element }, Sort::Bits(at)] if at == index => Some(Sort::Bits(*element)),
            _ => None,
        },
        Store => match args {
            [Sort::Array { index, element }, Sort::Bits(at), Sort::Bits(new)]
                if at == index && new == element =>
            {
                Some(args[0])
            }
            _ => None,
        },
        _ => Some(Sort::Outside),
    }
}
