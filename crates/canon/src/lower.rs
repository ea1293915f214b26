//! From terms to nodes: names become leaves, notation becomes normal form.

use crate::build::Linear;
use crate::node::{Graph, Leaf, NodeId, Shape, put_varint, tag};
use crate::propagate::folds;
use crate::split::is_cell;
use crate::table::Table;
use evergreen_term::{
    DataId, Evaluator, Fun, Int, Model, Name, Op, Opaque, Quantifier, Sort, SortId, SymbolId, SymbolKind,
    TermId, Terms, Value,
};
use rustc_hash::FxHashMap;

/// Keeps the nodes of every term it has seen, so that a constraint is lowered once,
/// however many queries contain it.
pub(crate) struct Lowering {
    pub(crate) graph: Graph,
    /// Node of each term plus one; zero where not lowered yet.
    of_term: Vec<u32>,
    symbols: FxHashMap<SymbolId, NodeId>,
    sorts: FxHashMap<Name, NodeId>,
    datatypes: FxHashMap<DataId, NodeId>,
    cells: FxHashMap<TermId, NodeId>,
    /// The term that a node was first made from, for reads of arrays at literal
    /// indices: (array symbol, read).
    reads: FxHashMap<NodeId, (SymbolId, TermId)>,
    facts: FxHashMap<NodeId, NodeId>,
}

impl Lowering {
    pub(crate) fn new() -> Lowering {
        Lowering {
            graph: Graph::new(),
            of_term: Vec::new(),
            symbols: FxHashMap::default(),
            sorts: FxHashMap::default(),
            datatypes: FxHashMap::default(),
            cells: FxHashMap::default(),
            reads: FxHashMap::default(),
            facts: FxHashMap::default(),
        }
    }

    fn known(&self, term: TermId) -> Option<NodeId> {
        match self.of_term.get(term.index()) {
            Some(&n) if n > 0 => Some(NodeId(n - 1)),
            _ => None,
        }
    }

    /// The node of a term. Terms below are lowered first, without recursion: arguments have smaller ids.
    pub(crate) fn lower(&mut self, terms: &Terms, term: TermId) -> NodeId {
        if let Some(node) = self.known(term) {
            return node;
        }
        if self.of_term.len() < terms.len() {
            self.of_term.resize(terms.len(), 0);
        }
        let mut stack: Vec<TermId> = Vec::with_capacity(16);
        stack.push(term);
        while let Some(&top) = stack.last() {
            if self.known(top).is_some() {
                stack.pop();
                continue;
            }
            let before = stack.len();
            // Patterns (arguments after a quantifier's body) steer solvers and do not change the meaning.
            let args = match terms.op(top) {
                Op::Quantifier(..) => &terms.args(top)[..1],
                _ => terms.args(top),
            };
            stack.extend(args.iter().copied().filter(|a| self.known(*a).is_none()));
            if stack.len() == before {
                let node = self.lower_one(terms, top);
                self.of_term[top.index()] = node.0 + 1;
                stack.pop();
            }
        }
        self.known(term).expect("lowered just now")
    }

    fn lower_one(&mut self, terms: &Terms, term: TermId) -> NodeId {
        let children: Vec<NodeId> = match terms.op(term) {
            Op::Quantifier(..) => vec![self.known(terms.args(term)[0]).expect("arguments come first")],
            _ => terms.args(term).iter().map(|a| self.known(*a).expect("arguments come first")).collect(),
        };
        if let Some(folded) = self.fold(terms, term, &children) {
            return folded;
        }
        match terms.op(term) {
            Op::Literal(id) => self.literal(terms.literal_value(id)),
            Op::Apply(symbol) => {
                let leaf = self.symbol_leaf(terms, symbol);
                if children.is_empty() {
                    return leaf;
                }
                let mut edges = vec![leaf];
                edges.extend(children);
                self.graph.ordered(&[tag::APPLY], &edges)
            }
            Op::Bound(level) => {
                let mut head = vec![tag::BOUND];
                put_varint(&mut head, u64::from(level));
                self.graph.ordered(&head, &[])
            }
            Op::Fun(fun) => self.lower_fun(terms, term, fun, &children),
            Op::Indexed(fun, i, j) => self.graph.indexed(fun.code(), i, j, &children),
            Op::ConstArray => {
                self.sorted_head(terms, vec![tag::CONST_ARRAY], &[terms.sort_of(term)], &children)
            }
            Op::SeqEmpty => self.sorted_head(terms, vec![tag::SEQ_EMPTY], &[terms.sort_of(term)], &children),
            Op::Is(constructor) => {
                let leaf = self.symbol_leaf(terms, constructor);
                self.graph.ordered(&[tag::IS], &[leaf, children[0]])
            }
            Op::Update(selector) => {
                let leaf = self.symbol_leaf(terms, selector);
                self.graph.ordered(&[tag::UPDATE], &[leaf, children[0], children[1]])
            }
            Op::Opaque(opaque) => self.opaque(terms, term, terms.opaque_of(opaque), &children),
            Op::Function(symbol) => {
                let leaf = self.symbol_leaf(terms, symbol);
                self.graph.ordered(&[tag::FUNCTION], &[leaf])
            }
            Op::Quantifier(Quantifier::Lambda, binder) => {
                let binder = terms.binder_of(binder).clone();
                let mut head = vec![tag::LAMBDA];
                put_varint(&mut head, u64::from(binder.first_level));
                // The term's own sort last: z3 makes arrays, cvc5 functions.
                let sorts: Vec<SortId> = binder.sorts.iter().copied().chain([terms.sort_of(term)]).collect();
                self.sorted_head(terms, head, &sorts, &children)
            }
            Op::Quantifier(quantifier, binder) => {
                // The level is part of the head: it says which variables the quantifier binds.
                let binder = terms.binder_of(binder).clone();
                let mut head = vec![tag::FORALL];
                put_varint(&mut head, u64::from(binder.first_level));
                let exists = quantifier == Quantifier::Exists;
                let body = if exists { self.graph.not(children[0]) } else { children[0] };
                let forall = self.sorted_head(terms, head, &binder.sorts, &[body]);
                if exists { self.graph.not(forall) } else { forall }
            }
        }
    }

    /// A function that only its solver interprets: whose it is, its text, all its sorts and the arguments in
    /// order. Nothing is known of it that would allow more.
    fn opaque(&mut self, terms: &Terms, term: TermId, opaque: &Opaque, children: &[NodeId]) -> NodeId {
        let mut head = vec![tag::OPAQUE, opaque.dialect as u8];
        put_text(&mut head, &opaque.text);
        put_varint(&mut head, children.len() as u64);
        let args = terms.args(term).iter().map(|&arg| terms.sort_of(arg));
        let sorts: Vec<SortId> =
            opaque.sorts.iter().copied().chain([terms.sort_of(term)]).chain(args).collect();
        self.sorted_head(terms, head, &sorts, children)
    }

    /// The literal that an interpreted function of literals equals. Sound because evaluation is SMT-LIB's
    /// meaning; where SMT-LIB leaves the value open there is none, and nothing is folded.
    fn fold(&mut self, terms: &Terms, term: TermId, children: &[NodeId]) -> Option<NodeId> {
        if !folds(terms.op(term))
            || children.is_empty()
            || !children.iter().all(|&c| self.graph.is_literal(c))
        {
            return None;
        }
        let empty = Model::new();
        match Evaluator::new(terms, &empty).evaluate(term) {
            Ok(value @ (Value::Bool(_) | Value::Int(_) | Value::Real(_) | Value::BitVec(_))) => {
                Some(self.literal(value))
            }
            _ => None,
        }
    }

    fn literal(&mut self, value: &Value) -> NodeId {
        match value {
            Value::Bool(b) => return Graph::boolean(*b),
            Value::Int(Int::Small(v)) => return self.graph.integer(*v),
            Value::RoundingMode(mode) => return self.graph.fun(mode.fun(), &[]),
            _ => {}
        }
        let mut head = Vec::new();
        put_literal(&mut head, value);
        self.graph.inner(&head, Shape::Ordered, 0, &[])
    }

    /// The node of a table: its digest, and the array.
    pub(crate) fn table(&mut self, terms: &Terms, table: &Table) -> NodeId {
        let mut head = vec![tag::TABLE];
        put_varint(&mut head, table.len() as u64);
        head.extend(table.digest);
        let array = self.symbol_leaf(terms, table.array);
        self.graph.ordered(&head, &[array])
    }

    fn lower_fun(&mut self, terms: &Terms, term: TermId, fun: Fun, children: &[NodeId]) -> NodeId {
        use Fun::*;
        let graph = &mut self.graph;
        match fun {
            Not => graph.not(children[0]),
            And => graph.and(children),
            Or => graph.or(children),
            Implies => {
                let (last, premises) = children.split_last().expect("has arguments");
                let mut parts: Vec<NodeId> = premises.iter().map(|&p| graph.not(p)).collect();
                parts.push(*last);
                graph.or(&parts)
            }
            Xor => graph.xor(children),
            Ite => {
                let is_bool = terms.sort_of(term) == SortId::BOOL;
                graph.ite(children[0], children[1], children[2], is_bool)
            }
            Eq => self.equality(terms, term, children),
            Distinct => self.distinct(terms, term, children),
            Select => {
                let node = graph.fun(fun, children);
                if is_cell(terms, term)
                    && !terms.is_declared_sort(terms.sort_of(term))
                    && let Op::Apply(symbol) = terms.op(terms.args(term)[0])
                {
                    self.reads.entry(node).or_insert((symbol, term));
                }
                node
            }
            Neg | Add | Sub | Mul | Le | Lt | Ge | Gt => self.arithmetic(terms, term, fun, children),
            BvUlt | BvUle | BvUgt | BvUge => self.compare(BvUlt, fun, children),
            BvSlt | BvSle | BvSgt | BvSge => self.compare(BvSlt, fun, children),
            BvAnd | BvOr | BvXor | BvAdd | BvMul => graph.flat(fun, children),
            _ => graph.fun(fun, children),
        }
    }

    fn equality(&mut self, terms: &Terms, term: TermId, children: &[NodeId]) -> NodeId {
        let sort = terms.sort_of(terms.args(term)[0]);
        let mut distinct = children.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        match (distinct[..].len(), sort) {
            (1, _) => NodeId::TRUE,
            (2, SortId::BOOL) => self.graph.iff(distinct[0], distinct[1]),
            (2, SortId::INT) => self.graph.equal_integers(distinct[0], distinct[1]),
            (2, _) => self.graph.equal(distinct[0], distinct[1]),
            _ => self.graph.fun(Fun::Eq, &distinct),
        }
    }

    fn distinct(&mut self, terms: &Terms, term: TermId, children: &[NodeId]) -> NodeId {
        let mut sorted = children.to_vec();
        sorted.sort_unstable();
        let len = sorted.len();
        sorted.dedup();
        if sorted.len() < len {
            return NodeId::FALSE;
        }
        if len == 2 {
            let equal = self.equality(terms, term, children);
            return self.graph.not(equal);
        }
        self.graph.fun(Fun::Distinct, &sorted)
    }

    /// Comparisons through "less than" alone; a chain is the conjunction of its neighbours.
    fn compare(&mut self, less: Fun, fun: Fun, children: &[NodeId]) -> NodeId {
        use Fun::*;
        let graph = &mut self.graph;
        let links: Vec<NodeId> = children
            .windows(2)
            .map(|pair| {
                let (a, b) = (pair[0], pair[1]);
                match fun {
                    BvUlt | BvSlt | Lt => graph.less(less, a, b),
                    BvUgt | BvSgt | Gt => graph.less(less, b, a),
                    BvUle | BvSle | Le => {
                        let greater = graph.less(less, b, a);
                        graph.not(greater)
                    }
                    _ => {
                        let smaller = graph.less(less, a, b);
                        graph.not(smaller)
                    }
                }
            })
            .collect();
        graph.and(&links)
    }

    fn arithmetic(&mut self, terms: &Terms, term: TermId, fun: Fun, children: &[NodeId]) -> NodeId {
        use Fun::*;
        let is_int = terms.sort_of(terms.args(term)[0]) == SortId::INT;
        let comparison = matches!(fun, Le | Lt | Ge | Gt);
        if !is_int {
            return match fun {
                Add | Mul => self.graph.flat(fun, children),
                _ if comparison => self.compare(Lt, fun, children),
                _ => self.graph.fun(fun, children),
            };
        }
        let graph = &mut self.graph;
        if comparison {
            let links: Vec<NodeId> = children
                .windows(2)
                .map(|pair| {
                    let (a, b) = (pair[0], pair[1]);
                    match fun {
                        Le => graph.at_most(a, b, 0),
                        Lt => graph.at_most(a, b, 1),
                        Ge => graph.at_most(b, a, 0),
                        _ => graph.at_most(b, a, 1),
                    }
                })
                .collect();
            return graph.and(&links);
        }
        let folded = match fun {
            Neg => graph.linear(children[0]).scaled(-1).map(|l| graph.sum(l)),
            Add | Sub => {
                let first = graph.linear(children[0]);
                let sign = if fun == Add { 1 } else { -1 };
                let sum = children[1..].iter().try_fold(first, |s, &c| s.add_scaled(&graph.linear(c), sign));
                sum.map(|s: Linear| graph.sum(s))
            }
            _ => graph.product(children),
        };
        folded.unwrap_or_else(|| graph.fun(fun, children))
    }

    /// A head made of sorts: sorts over built-in ones only are written into the head, declared ones are edges
    /// that come before the children.
    fn sorted_head(
        &mut self,
        terms: &Terms,
        mut head: Vec<u8>,
        sorts: &[SortId],
        children: &[NodeId],
    ) -> NodeId {
        let mut edges = Vec::new();
        put_varint(&mut head, sorts.len() as u64);
        for &sort in sorts {
            self.put_sort(terms, sort, &mut head, &mut edges);
        }
        edges.extend_from_slice(children);
        self.graph.ordered(&head, &edges)
    }

    fn put_sort(&mut self, terms: &Terms, sort: SortId, head: &mut Vec<u8>, holes: &mut Vec<NodeId>) {
        match terms.sort_kind(sort).clone() {
            Sort::Bool => head.push(0),
            Sort::Int => head.push(1),
            Sort::Real => head.push(2),
            Sort::String => head.push(3),
            Sort::RegLan => head.push(4),
            Sort::RoundingMode => head.push(5),
            Sort::BitVec(w) => {
                head.push(6);
                put_varint(head, u64::from(w));
            }
            Sort::Float(e, s) => {
                head.push(7);
                put_varint(head, u64::from(e));
                put_varint(head, u64::from(s));
            }
            Sort::Array(index, element) => {
                head.push(8);
                self.put_sort(terms, index, head, holes);
                self.put_sort(terms, element, head, holes);
            }
            Sort::Seq(element) => {
                head.push(9);
                self.put_sort(terms, element, head, holes);
            }
            Sort::Uninterpreted(name, args) => {
                head.push(10);
                put_varint(head, args.len() as u64);
                holes.push(self.sort_leaf(name));
                for &a in args.iter() {
                    self.put_sort(terms, a, head, holes);
                }
            }
            Sort::Datatype(id) => {
                head.push(11);
                holes.push(self.datatype_leaf(id));
            }
            Sort::Opaque(name, args) => {
                head.push(12);
                put_text(head, terms.text(name));
                put_varint(head, args.len() as u64);
                for &a in args.iter() {
                    self.put_sort(terms, a, head, holes);
                }
            }
        }
    }

    fn sort_leaf(&mut self, name: Name) -> NodeId {
        if let Some(&leaf) = self.sorts.get(&name) {
            return leaf;
        }
        let leaf = self.graph.leaf(&[tag::LEAF_SORT], Leaf::Sort(name));
        self.sorts.insert(name, leaf);
        leaf
    }

    fn datatype_leaf(&mut self, id: DataId) -> NodeId {
        if let Some(&leaf) = self.datatypes.get(&id) {
            return leaf;
        }
        let leaf = self.graph.leaf(&[tag::LEAF_DATATYPE], Leaf::Datatype(id));
        self.datatypes.insert(id, leaf);
        leaf
    }

    pub(crate) fn symbol_leaf(&mut self, terms: &Terms, symbol: SymbolId) -> NodeId {
        if let Some(&leaf) = self.symbols.get(&symbol) {
            return leaf;
        }
        let s = terms.symbol_of(symbol);
        let declared = s.params.iter().chain([&s.result]).any(|&p| terms.is_declared_sort(p));
        let mut head = Vec::new();
        match s.kind {
            SymbolKind::Constructor(..) => head.push(tag::LEAF_CONSTRUCTOR),
            SymbolKind::Selector(..) => head.push(tag::LEAF_SELECTOR),
            SymbolKind::Defined(_) => head.push(tag::LEAF_RECURSIVE),
            SymbolKind::Free if declared => head.push(tag::LEAF_TYPED),
            SymbolKind::Free => {
                head.push(if s.params.is_empty() { tag::LEAF_CONSTANT } else { tag::LEAF_FUNCTION });
                let mut holes = Vec::new();
                if !s.params.is_empty() {
                    put_varint(&mut head, s.params.len() as u64);
                }
                for &sort in s.params.iter().chain([&s.result]) {
                    self.put_sort(terms, sort, &mut head, &mut holes);
                }
                debug_assert!(holes.is_empty());
            }
        }
        let leaf = self.graph.leaf(&head, Leaf::Symbol(symbol));
        self.symbols.insert(symbol, leaf);
        leaf
    }

    /// The leaf that stands for an array read when the array is read at literal indices only.
    pub(crate) fn cell_leaf(&mut self, terms: &Terms, read: TermId) -> NodeId {
        if let Some(&leaf) = self.cells.get(&read) {
            return leaf;
        }
        let mut head = vec![tag::LEAF_CONSTANT];
        self.put_sort(terms, terms.sort_of(read), &mut head, &mut Vec::new());
        let leaf = self.graph.leaf(&head, Leaf::Cell(read));
        self.cells.insert(read, leaf);
        leaf
    }

    /// For a read of a declared array at a literal index: the array and the read.
    pub(crate) fn read(&self, node: NodeId) -> Option<(SymbolId, TermId)> {
        // The head rules out most nodes without a look into the map.
        if self.graph.is_fun(node, Fun::Select) { self.reads.get(&node).copied() } else { None }
    }

    /// The fact about a leaf beyond its head, as a node that points at it.
    pub(crate) fn fact(&mut self, terms: &Terms, leaf: NodeId) -> Option<NodeId> {
        if matches!(self.graph.tag(leaf), tag::LEAF_CONSTANT | tag::LEAF_FUNCTION | tag::LEAF_SORT) {
            return None;
        }
        if let Some(&fact) = self.facts.get(&leaf) {
            return Some(fact);
        }
        let fact = match self.graph.leaves[leaf.index()]? {
            Leaf::Cell(_) | Leaf::Sort(_) => return None,
            Leaf::Datatype(id) => self.datatype_fact(terms, id, leaf),
            Leaf::Symbol(symbol) => {
                let s = terms.symbol_of(symbol).clone();
                match s.kind {
                    SymbolKind::Constructor(id, _) | SymbolKind::Selector(id, ..) => {
                        let data = self.datatype_leaf(id);
                        self.fact(terms, data)?
                    }
                    SymbolKind::Defined(_) => {
                        let body = terms.definition(symbol)?.body;
                        let body = self.lower(terms, body);
                        let sorts: Vec<SortId> = s.params.iter().copied().chain([s.result]).collect();
                        self.sorted_head(terms, vec![tag::FACT_RECURSIVE], &sorts, &[leaf, body])
                    }
                    SymbolKind::Free if self.graph.tag(leaf) == tag::LEAF_TYPED => {
                        let sorts: Vec<SortId> = s.params.iter().copied().chain([s.result]).collect();
                        self.sorted_head(terms, vec![tag::FACT_TYPE], &sorts, &[leaf])
                    }
                    SymbolKind::Free => return None,
                }
            }
        };
        self.facts.insert(leaf, fact);
        Some(fact)
    }

    fn datatype_fact(&mut self, terms: &Terms, id: DataId, leaf: NodeId) -> NodeId {
        let constructors = terms.datatype(id).constructors.clone();
        let mut head = vec![tag::FACT_DATATYPE];
        let mut edges = vec![leaf];
        put_varint(&mut head, constructors.len() as u64);
        for c in &constructors {
            edges.push(self.symbol_leaf(terms, c.symbol));
            put_varint(&mut head, c.selectors.len() as u64);
            for &selector in &c.selectors {
                edges.push(self.symbol_leaf(terms, selector));
                self.put_sort(terms, terms.symbol_of(selector).result, &mut head, &mut edges);
            }
        }
        self.graph.ordered(&head, &edges)
    }
}

fn put_text(head: &mut Vec<u8>, text: &str) {
    put_varint(head, text.len() as u64);
    head.extend_from_slice(text.as_bytes());
}

/// Appends the head of a literal; truth values, small integers and rounding modes have nodes of their own.
pub(crate) fn put_literal(head: &mut Vec<u8>, value: &Value) {
    match value {
        Value::Int(big) => {
            head.push(tag::BIG_INT);
            put_text(head, &big.to_string());
        }
        Value::Real(q) => {
            head.push(tag::REAL);
            put_text(head, &q.to_string());
        }
        Value::BitVec(v) => {
            head.push(tag::BITVEC);
            put_varint(head, u64::from(v.width()));
            match v.to_u128().map(u64::try_from) {
                Some(Ok(small)) => put_varint(head, small),
                _ => {
                    // A varint longer than ten bytes cannot be a 64-bit number, so
                    // the two encodings differ.
                    head.extend([0xff; 10]);
                    let bytes = v.to_biguint().to_bytes_le();
                    put_varint(head, bytes.len() as u64);
                    head.extend(bytes);
                }
            }
        }
        Value::String(points) => {
            head.push(tag::STRING);
            put_varint(head, points.len() as u64);
            for &p in points.iter() {
                put_varint(head, u64::from(p));
            }
        }
        Value::Float(float) => {
            head.push(tag::FLOAT);
            put_varint(head, u64::from(float.exponent_bits()));
            put_varint(head, u64::from(float.significand_bits()));
            put_text(head, &float.bits().to_string());
        }
        // Elements of declared sorts are known by name only; arrays, data and
        // functions are not literals at all.
        other => {
            head.push(tag::ELEMENT);
            put_text(head, &format!("{other:?}"));
        }
    }
}
