//! The arena: every expression and condition once, with its interval, inputs and size.
//!
//! Nodes are hash-consed and never removed, so a handle is valid on every path and equal handles
//! are equal values. Each node carries its interval, its inputs and its size as a tree; all are
//! computed once, when it is made.

use crate::assignment::Assignment;
use crate::bytes::Bytes;
use crate::concrete;
use crate::node::{BITWISE, CASES, Cond, Data, Expr, Form, HARD, INEXPRESSIBLE, Input, Node, SUBTLE, WRAPS};
use crate::op::{Binary, Compare, Const, InputKind, Ints, Kind, Rel};
use crate::order::Labels;
use crate::tables::Tables;
use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// Bounds are not looked for in larger conditions.
pub(crate) const MAX_BOUNDED: u32 = 2000;

/// The record of an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputInfo {
    /// The name; unique.
    pub name: String,
    /// The name that was asked for, if it could not be had.
    asked: Option<Box<str>>,
    /// The declared type.
    pub kind: InputKind,
    /// The range that was given, within that of the type. Floats have none.
    pub range: Option<(i64, i64)>,
    /// The default value of the input: 0 (`a` for a character within a range), or the value
    /// of the range nearest to it.
    pub(crate) default: i64,
    pub(crate) expr: Expr,
}

impl InputInfo {
    /// The name that was asked for; others may have it too, of other types or ranges.
    pub fn asked_name(&self) -> &str {
        self.asked.as_deref().unwrap_or(&self.name)
    }

    /// The default value of the input, as a whole number; of a float its bits.
    pub fn default(&self) -> i64 {
        self.default
    }
}

/// The expressions and conditions of an exploration.
pub struct Exprs {
    pub(crate) ints: Ints,
    pub(crate) nodes: Vec<Data>,
    table: FxHashMap<(Node, Kind), u32>,
    pub(crate) forms: Vec<Form>,
    form_table: HashTable<u32>,
    pub(crate) inputs: Vec<InputInfo>,
    pub(crate) labels: Labels,
    /// The inputs that were asked for under a name.
    input_names: FxHashMap<String, Vec<Input>>,
    names: FxHashSet<String>,
    pub(crate) sets: Vec<Box<[Input]>>,
    set_table: FxHashMap<Box<[Input]>, u32>,
    unions: FxHashMap<(u32, u32), u32>,
    pub(crate) binary_memo: FxHashMap<(Binary, Expr, Expr), Expr>,
    pub(crate) relate_memo: FxHashMap<(Rel, Expr, Expr), Cond>,
    pub(crate) unsigned_memo: FxHashMap<(Expr, Expr), Cond>,
    pub(crate) tables: Tables,
    /// The bytes that were taken of expressions.
    pub(crate) bytes: Bytes,
    /// Whether values of several paths were merged.
    pub(crate) has_merged: bool,
}

/// The name as a symbol of SMT-LIB can have it, and apart from the names of new symbols (`q!`).
fn symbol_name(name: &str) -> String {
    let plain = name.replace(['|', '\\'], "_");
    let reserved = plain.is_empty() || plain.starts_with(['@', '.']) || plain.starts_with("q!");
    if reserved { format!("_{plain}") } else { plain }
}

fn form_hash(terms: &[(Expr, i64)], constant: i64) -> u64 {
    let mut hasher = FxHasher::default();
    terms.hash(&mut hasher);
    constant.hash(&mut hasher);
    hasher.finish()
}

impl Exprs {
    /// An arena with nothing but the constants of conditions.
    pub fn new(ints: Ints) -> Exprs {
        let mut exprs = Exprs {
            ints,
            nodes: Vec::new(),
            table: FxHashMap::default(),
            forms: Vec::new(),
            form_table: HashTable::new(),
            inputs: Vec::new(),
            labels: Labels::default(),
            input_names: FxHashMap::default(),
            names: FxHashSet::default(),
            sets: vec![Box::default()],
            set_table: FxHashMap::default(),
            unions: FxHashMap::default(),
            binary_memo: FxHashMap::default(),
            relate_memo: FxHashMap::default(),
            unsigned_memo: FxHashMap::default(),
            tables: Tables::default(),
            bytes: Bytes::default(),
            has_merged: false,
        };
        exprs.set_table.insert(Box::default(), 0);
        exprs.intern(Node::True, Kind::I32, (1, 1), 0);
        exprs
    }

    /// Whether integers wrap around.
    pub fn ints(&self) -> Ints {
        self.ints
    }

    /// How many expressions and conditions there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether nothing has been made yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() == 1
    }

    /// The input of that name, made when first asked for.
    ///
    /// A range is cut to that of the type; one that is then empty is ignored, and floats have none. The same
    /// name with another type or range is another input, under another name.
    pub fn input(&mut self, name: &str, kind: InputKind, range: Option<(i64, i64)>) -> Expr {
        let (least, greatest) = kind.range();
        let range = range
            .map(|(lo, hi)| (lo.max(least), hi.min(greatest)))
            .filter(|(lo, hi)| lo <= hi && kind.kind().is_int());
        let (asked, name) = (name, &symbol_name(name));
        let same_name = self.input_names.get(name).map_or(&[][..], Vec::as_slice);
        for &input in same_name {
            let info = &self.inputs[input.index()];
            if info.kind == kind && info.range == range {
                return info.expr;
            }
        }
        let mut unique = name.to_string();
        let mut copies = same_name.len();
        while !self.names.insert(unique.clone()) {
            copies += 1;
            unique = format!("{name}!{copies}");
        }
        self.bytes.are_inputs |= kind == InputKind::Octet;
        let input = Input(self.inputs.len() as u32);
        let bounds = match (range, self.ints, kind) {
            (Some(range), _, _) => range,
            (None, Ints::Math, InputKind::Int | InputKind::Long) => (i64::MIN, i64::MAX),
            (None, _, _) => (least, greatest),
        };
        // Characters of strings have a range, and are read by people.
        let nearest = if kind == InputKind::Char && range.is_some() { i64::from(b'a') } else { 0 };
        let default = if kind.kind().is_int() { nearest.clamp(bounds.0, bounds.1) } else { 0 };
        let expr = Expr(self.nodes.len() as u32);
        let asked = (asked != unique).then(|| asked.into());
        self.inputs.push(InputInfo { name: unique, asked, kind, range, default, expr });
        self.input_names.entry(name.to_string()).or_default().push(input);
        let traits = if kind.kind().is_int() { 0 } else { HARD };
        // Never folded, even if its range is one value: it is an input, and the writing gives the range.
        self.push(Node::Input(input), kind.kind(), bounds, traits);
        let label = self.label(input, name, kind, range);
        self.nodes[expr.0 as usize].rank = label;
        expr
    }

    /// The record of an input.
    pub fn input_of(&self, input: Input) -> &InputInfo {
        &self.inputs[input.index()]
    }

    /// The inputs that were asked for under a name.
    pub fn named(&self, name: &str) -> &[Input] {
        self.input_names.get(&symbol_name(name)).map_or(&[], Vec::as_slice)
    }

    /// All inputs, in the order in which they were made.
    pub fn inputs(&self) -> impl Iterator<Item = (Input, &InputInfo)> {
        self.inputs.iter().enumerate().map(|(i, info)| (Input(i as u32), info))
    }

    /// The same from a place on.
    pub fn inputs_from(&self, from: usize) -> impl Iterator<Item = (Input, &InputInfo)> {
        let all = self.inputs.get(from..).unwrap_or_default();
        all.iter().zip(from..).map(|(info, at)| (Input(at as u32), info))
    }

    /// How many there are.
    pub fn input_count(&self) -> usize {
        self.inputs.len()
    }

    /// The input that an expression is.
    pub fn as_input(&self, expr: Expr) -> Option<Input> {
        match self.node(expr) {
            Node::Input(input) => Some(input),
            _ => None,
        }
    }

    /// The expression that an input is.
    pub fn expr_of(&self, input: Input) -> Expr {
        self.inputs[input.index()].expr
    }

    /// A constant.
    pub fn constant(&mut self, value: Const) -> Expr {
        self.raw_constant(value.kind(), value.raw())
    }

    /// The constant that an expression is.
    pub fn as_const(&self, expr: Expr) -> Option<Const> {
        self.as_raw(expr).map(|raw| Const::from_raw(self.kind(expr), raw))
    }

    /// The kind of an expression.
    pub fn kind(&self, expr: Expr) -> Kind {
        self.nodes[expr.0 as usize].kind
    }

    /// The least and the greatest value that an integer expression can have; it may not have all between. Of
    /// a float: the whole range of its bits.
    pub fn interval(&self, expr: Expr) -> (i64, i64) {
        let data = &self.nodes[expr.0 as usize];
        (data.lo, data.hi)
    }

    /// The inputs that a condition depends on, sorted.
    pub fn inputs_of(&self, cond: Cond) -> &[Input] {
        &self.sets[self.nodes[cond.index() as usize].inputs as usize]
    }

    /// The inputs that an expression depends on, sorted.
    pub fn inputs_of_expr(&self, expr: Expr) -> &[Input] {
        &self.sets[self.nodes[expr.0 as usize].inputs as usize]
    }

    /// Whether integers cannot say a condition well: it has general bit operations, products, or floats.
    pub fn is_hard(&self, cond: Cond) -> bool {
        self.nodes[cond.index() as usize].traits & HARD != 0
    }

    /// Whether some theory can say a condition. Java's `%` on floats and functions such as the sine are the
    /// exceptions: no theory can.
    pub fn is_expressible(&self, cond: Cond) -> bool {
        self.nodes[cond.index() as usize].traits & INEXPRESSIBLE == 0
    }

    /// Whether an assignment gives every one of these inputs a value in its range.
    pub fn in_range(&self, inputs: &[Input], values: &Assignment) -> bool {
        inputs.iter().all(|&input| {
            let info = &self.inputs[input.index()];
            let (lo, hi) = self.interval(info.expr);
            !info.kind.kind().is_int() || (lo..=hi).contains(&values.raw(self, input))
        })
    }

    /// Whether the bounds of a path can make a condition simpler: it may need new
    /// symbols, and is of moderate size.
    pub(crate) fn is_subtle(&self, cond: Cond) -> bool {
        let data = &self.nodes[cond.index() as usize];
        data.traits & (HARD | SUBTLE) == SUBTLE && data.size <= MAX_BOUNDED
    }

    /// The opposite of a condition.
    pub fn not(&self, cond: Cond) -> Cond {
        cond.negated()
    }

    pub(crate) fn node(&self, expr: Expr) -> Node {
        self.nodes[expr.0 as usize].node
    }

    pub(crate) fn data(&self, expr: Expr) -> &Data {
        &self.nodes[expr.0 as usize]
    }

    pub(crate) fn as_raw(&self, expr: Expr) -> Option<i64> {
        match self.node(expr) {
            Node::Const(raw) => Some(raw),
            _ => None,
        }
    }

    pub(crate) fn raw_constant(&mut self, kind: Kind, raw: i64) -> Expr {
        let raw = concrete::wrap(self.ints, kind, raw);
        Expr(self.intern(Node::Const(raw), kind, (raw, raw), 0))
    }

    /// The node as an expression; one value in its interval makes it a constant.
    pub(crate) fn expr(&mut self, node: Node, kind: Kind, interval: (i64, i64), traits: u8) -> Expr {
        if kind.is_int() && interval.0 == interval.1 {
            return self.raw_constant(kind, interval.0);
        }
        Expr(self.intern(node, kind, interval, traits))
    }

    pub(crate) fn cond(&mut self, node: Node, traits: u8) -> Cond {
        Cond::positive(self.intern(node, Kind::I32, (0, 1), traits))
    }

    fn intern(&mut self, node: Node, kind: Kind, interval: (i64, i64), traits: u8) -> u32 {
        if let Some(&index) = self.table.get(&(node, kind)) {
            return index;
        }
        let index = self.push(node, kind, interval, traits);
        self.table.insert((node, kind), index);
        index
    }

    fn push(&mut self, node: Node, kind: Kind, (lo, hi): (i64, i64), traits: u8) -> u32 {
        let mut traits = traits;
        if traits & WRAPS != 0 || matches!(node, Node::Binary(..) | Node::Cast(..) | Node::Below(..)) {
            traits |= SUBTLE;
        }
        traits |= match node {
            Node::Ite(..) => CASES,
            Node::Binary(op, ..) if op.is_bitwise() => BITWISE,
            _ => 0,
        };
        let mut size = 1u32;
        let mut inputs = match node {
            Node::Input(input) => self.set(&[input]),
            _ => 0,
        };
        let mut children = Vec::new();
        self.children(node, |child| children.push(child));
        for child in children {
            let data = &self.nodes[child as usize];
            traits |= data.traits & (HARD | INEXPRESSIBLE | SUBTLE | CASES | BITWISE);
            size = size.saturating_add(data.size);
            let more = data.inputs;
            inputs = self.union(inputs, more);
        }
        let leaves = self.leaves(node);
        let index = self.nodes.len() as u32;
        let digest = self.digest_of(node, kind);
        let rank = Exprs::rank_of_digest(digest);
        self.nodes.push(Data { node, kind, traits, leaves, inputs, size, lo, hi, digest, rank });
        index
    }

    fn leaves(&self, node: Node) -> u16 {
        match node {
            Node::Const(_) => 1,
            Node::Ite(_, a, b) => match (self.data(a).leaves, self.data(b).leaves) {
                (0, _) | (_, 0) => 0,
                (a, b) => a.checked_add(b).unwrap_or(0),
            },
            _ => 0,
        }
    }

    /// Calls `visit` with the index of every child.
    pub(crate) fn children(&self, node: Node, mut visit: impl FnMut(u32)) {
        match node {
            Node::True | Node::Const(_) | Node::Input(_) => {}
            Node::Linear(form) => {
                for (atom, _) in &self.forms[form as usize].terms {
                    visit(atom.0);
                }
            }
            Node::Unary(_, a) | Node::Cast(_, a) | Node::Table(_, a) => visit(a.0),
            Node::Binary(_, a, b)
            | Node::Function(_, a, b)
            | Node::Compare(_, a, b)
            | Node::Eq(a, b)
            | Node::Lt(a, b)
            | Node::Below(a, b)
            | Node::FloatEq(a, b)
            | Node::FloatLt(a, b)
            | Node::FloatLe(a, b) => {
                visit(a.0);
                visit(b.0);
            }
            Node::Ite(c, a, b) => {
                visit(c.index());
                visit(a.0);
                visit(b.0);
            }
            Node::And(a, b) => {
                visit(a.index());
                visit(b.index());
            }
        }
    }

    fn set(&mut self, inputs: &[Input]) -> u32 {
        if let Some(&id) = self.set_table.get(inputs) {
            return id;
        }
        let id = self.sets.len() as u32;
        self.sets.push(inputs.into());
        self.set_table.insert(inputs.into(), id);
        id
    }

    fn union(&mut self, a: u32, b: u32) -> u32 {
        if a == b || b == 0 {
            return a;
        }
        if a == 0 {
            return b;
        }
        let key = (a.min(b), a.max(b));
        if let Some(&id) = self.unions.get(&key) {
            return id;
        }
        let mut all: Vec<Input> = self.sets[a as usize].to_vec();
        all.extend_from_slice(&self.sets[b as usize]);
        all.sort_unstable();
        all.dedup();
        let id = self.set(&all);
        self.unions.insert(key, id);
        id
    }

    /// The number of a form.
    pub(crate) fn form(&mut self, terms: &[(Expr, i64)], constant: i64) -> u32 {
        let hash = form_hash(terms, constant);
        let forms = &self.forms;
        let found = self.form_table.find(hash, |&f| {
            let form = &forms[f as usize];
            form.constant == constant && *form.terms == *terms
        });
        if let Some(&id) = found {
            return id;
        }
        let id = self.forms.len() as u32;
        self.forms.push(Form { terms: terms.into(), constant });
        let forms = &self.forms;
        self.form_table.insert_unique(hash, id, |&f| {
            let form = &forms[f as usize];
            form_hash(&form.terms, form.constant)
        });
        id
    }

    /// The three-way comparison of two values: -1, 0 or 1.
    pub fn compare(&mut self, op: Compare, a: Expr, b: Expr) -> Expr {
        if let (Some(a), Some(b)) = (self.as_raw(a), self.as_raw(b)) {
            return self.raw_constant(Kind::I32, concrete::compare(op, a, b));
        }
        let (mut lo, mut hi) = (-1, 1);
        if op == Compare::Lcmp {
            if a == b {
                return self.raw_constant(Kind::I32, 0);
            }
            let ((a_lo, a_hi), (b_lo, b_hi)) = (self.interval(a), self.interval(b));
            lo = concrete::compare(op, a_lo, b_hi);
            hi = concrete::compare(op, a_hi, b_lo);
        }
        self.expr(Node::Compare(op, a, b), Kind::I32, (lo, hi), 0)
    }
}
