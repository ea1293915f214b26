//! The arena of hash-consed terms.
//!
//! Bound variables are numbered by *level*, the depth of their binder counted from the outside, not by name.
//! So alpha-equivalent terms are the same term, and a term may be put under further binders without shifting
//! anything (macro expansion relies on that).

use crate::sort::{Constructor, DataId, Datatype, Sort, SortId};
use crate::{BitVec, Fun, Indexed, Int, Rational, SortError, Value, infer};
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::BitOr;
use std::sync::atomic::{AtomicU32, Ordering};

/// An interned identifier.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Name(pub(crate) u32);

/// A term, by its place in an arena. Arguments always have smaller ids than the terms that they are arguments
/// of.
///
/// The id has the number of its arena with it, so that a term of another arena, or of one that was given up,
/// is noticed where terms are built and asked about: see [`Terms::owns`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TermId {
    place: u32,
    arena: u32,
}

impl TermId {
    /// The place in the arena.
    pub fn index(self) -> usize {
        self.place as usize
    }
}

impl Hash for TermId {
    /// Tables have terms of one arena: its number would make no difference.
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u32(self.place);
    }
}

impl fmt::Debug for TermId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TermId").field(&self.place).finish()
    }
}

/// The number of the next arena. They come round after 2^32 arenas.
static ARENAS: AtomicU32 = AtomicU32::new(0);

/// A declared symbol, by its place in the arena.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SymbolId(pub(crate) u32);

/// A literal value, by its place in the arena.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LiteralId(pub(crate) u32);

/// A function that only its solver interprets, by its place in the arena.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct OpaqueId(pub(crate) u32);

/// The variables and patterns of a quantifier, by place in the arena.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BinderId(pub(crate) u32);

macro_rules! index {
    ($($id:ident)*) => {$(
        impl $id {
            /// The place in the arena.
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// The id of a place in the arena.
            pub fn from_index(index: usize) -> $id {
                $id(u32::try_from(index).expect("an arena holds at most 2^32 entries"))
            }
        }
    )*};
}
index!(Name SymbolId LiteralId BinderId OpaqueId);

/// The head of a term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Op {
    /// A value written down.
    Literal(LiteralId),
    /// A declared constant (no arguments) or a declared function applied to arguments.
    Apply(SymbolId),
    /// A variable of a quantifier: levels count from the outermost binder.
    Bound(u32),
    /// An interpreted function.
    Fun(Fun),
    /// An interpreted function with indices; unused indices are zero.
    Indexed(Indexed, u32, u32),
    /// `((as const S) v)`: the array of the term's sort with one element everywhere.
    ConstArray,
    /// `(as seq.empty S)`.
    SeqEmpty,
    /// `(_ is C)`.
    Is(SymbolId),
    /// `(_ update-field s)`: a copy with one selector's argument replaced.
    Update(SymbolId),
    /// A quantified body. The first argument is the body, the others are pattern terms.
    Quantifier(Quantifier, BinderId),
    /// A function that only its solver interprets: see [`Opaque`].
    Opaque(OpaqueId),
    /// A declared function as a value, without arguments: higher-order logic.
    Function(SymbolId),
}

/// The solver whose text a term was read from, where its meaning is that solver's.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Dialect {
    /// The standard alone.
    Standard = 0,
    /// z3's extensions.
    Z3 = 1,
    /// cvc5's extensions.
    Cvc5 = 2,
}

/// A function that is read with its sorts and never interpreted here: sets, bags, finite fields, sines. Two
/// of them are the same only when everything is the same that their meaning could depend on. Whatever
/// contains one counts as quantified and as partial: it is neither evaluated nor cut into independent parts.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Opaque {
    /// Whose function it is. One name may mean different things to two solvers.
    pub dialect: Dialect,
    /// The function as it is written, indices included; `%` stands for a sort. Empty: the first argument is
    /// a function, and is applied to the others.
    pub text: Box<str>,
    /// The sorts that the text mentions.
    pub sorts: Box<[SortId]>,
}

/// The kinds of binder.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Quantifier {
    /// For all values.
    Forall,
    /// For some value.
    Exists,
    /// The function from the variables to the body: an array for z3, a function for cvc5.
    Lambda,
}

/// The variables of a quantifier and the shape of its patterns.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Binder {
    /// The level of the first variable; the others follow.
    pub first_level: u32,
    /// The sorts of the variables.
    pub sorts: Box<[SortId]>,
    /// The number of terms in each pattern; the terms themselves follow the body among the arguments.
    pub patterns: Box<[u32]>,
}

/// What a symbol is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SymbolKind {
    /// It may have any interpretation.
    Free,
    /// Builds a value of a datatype: the constructor's number.
    Constructor(DataId, u32),
    /// Takes a value of a datatype apart: the constructor's and the argument's number.
    Selector(DataId, u32, u32),
    /// Has a definition that may mention itself (`define-fun-rec`), see [`Terms::definition`]. The number
    /// distinguishes redefinitions.
    Defined(u32),
}

/// A declared symbol.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Symbol {
    /// Its name.
    pub name: Name,
    /// The sorts of its arguments.
    pub params: Box<[SortId]>,
    /// The sort of its result.
    pub result: SortId,
    /// What it is.
    pub kind: SymbolKind,
}

/// The body of a recursive function: parameters are the bound variables of levels `0..params`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Definition {
    /// The function's result in terms of its parameters.
    pub body: TermId,
}

/// Properties of a term or of a subterm; kept per term so that no walk is needed.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Traits(u8);

impl Traits {
    /// Has a quantifier.
    pub const QUANTIFIED: Traits = Traits(1);
    /// Has a function that SMT-LIB leaves open somewhere (division by a divisor that may be zero).
    pub const PARTIAL: Traits = Traits(2);
    /// Has a variable of a quantifier.
    pub const BOUND: Traits = Traits(4);
    /// Has a declared function with arguments.
    pub const FUNCTIONS: Traits = Traits(8);
    /// Has an array.
    pub const ARRAYS: Traits = Traits(16);
    /// Has a declared sort or a datatype.
    pub const DECLARED_SORTS: Traits = Traits(32);

    /// Whether all of these hold.
    pub fn has(self, other: Traits) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether one of these holds.
    pub fn has_any(self, other: Traits) -> bool {
        self.0 & other.0 != 0
    }
}

impl BitOr for Traits {
    type Output = Traits;
    fn bitor(self, other: Traits) -> Traits {
        Traits(self.0 | other.0)
    }
}

#[derive(Clone, Copy)]
struct Node {
    op: Op,
    sort: SortId,
    first: u32,
    count: u32,
    traits: Traits,
}

/// The arena: owns names, sorts, symbols, literals and terms.
pub struct Terms {
    /// Which arena this is.
    arena: u32,
    text: Vec<Box<str>>,
    names: HashTable<Name>,
    sorts: Vec<Sort>,
    sort_table: HashTable<SortId>,
    datatypes: Vec<Datatype>,
    symbols: Vec<Symbol>,
    symbol_table: HashTable<SymbolId>,
    definitions: Vec<Option<Definition>>,
    literals: Vec<Value>,
    literal_table: HashTable<LiteralId>,
    binders: Vec<Binder>,
    binder_table: HashTable<BinderId>,
    opaque: Vec<Opaque>,
    nodes: Vec<Node>,
    args: Vec<TermId>,
    node_table: HashTable<TermId>,
    fresh: u32,
}

fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

fn node_hash(op: &Op, sort: SortId, args: &[TermId]) -> u64 {
    let mut hasher = FxHasher::default();
    op.hash(&mut hasher);
    hasher.write_u32(sort.0);
    for arg in args {
        hasher.write_u32(arg.place);
    }
    hasher.finish()
}

impl Default for Terms {
    fn default() -> Terms {
        Terms::new()
    }
}

impl Terms {
    /// An arena that holds only the built-in sorts.
    pub fn new() -> Terms {
        let mut terms = Terms {
            arena: ARENAS.fetch_add(1, Ordering::Relaxed),
            text: Vec::new(),
            names: HashTable::new(),
            sorts: Vec::new(),
            sort_table: HashTable::new(),
            datatypes: Vec::new(),
            symbols: Vec::new(),
            symbol_table: HashTable::new(),
            definitions: Vec::new(),
            literals: Vec::new(),
            literal_table: HashTable::new(),
            binders: Vec::new(),
            binder_table: HashTable::new(),
            opaque: Vec::new(),
            nodes: Vec::new(),
            args: Vec::new(),
            node_table: HashTable::new(),
            fresh: 0,
        };
        for sort in [Sort::Bool, Sort::Int, Sort::Real, Sort::String, Sort::RegLan, Sort::RoundingMode] {
            terms.sort(sort);
        }
        terms
    }

    /// The number of terms.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are no terms yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    // Names.

    /// The name with that text.
    pub fn name(&mut self, text: &str) -> Name {
        let hash = hash_of(&text);
        if let Some(&name) = self.names.find(hash, |n| &*self.text[n.index()] == text) {
            return name;
        }
        let name = Name::from_index(self.text.len());
        self.text.push(text.into());
        self.names.insert_unique(hash, name, |n| hash_of(&&*self.text[n.index()]));
        name
    }

    /// The text of a name.
    pub fn text(&self, name: Name) -> &str {
        &self.text[name.index()]
    }

    // Sorts.

    /// The sort of that kind.
    pub fn sort(&mut self, sort: Sort) -> SortId {
        let hash = hash_of(&sort);
        if let Some(&id) = self.sort_table.find(hash, |s| self.sorts[s.index()] == sort) {
            return id;
        }
        let id = SortId(u32::try_from(self.sorts.len()).expect("too many sorts"));
        self.sorts.push(sort);
        self.sort_table.insert_unique(hash, id, |s| hash_of(&self.sorts[s.index()]));
        id
    }

    /// What a sort is.
    pub fn sort_kind(&self, sort: SortId) -> &Sort {
        &self.sorts[sort.index()]
    }

    /// The bit vectors of that width.
    pub fn bitvec_sort(&mut self, width: u32) -> SortId {
        self.sort(Sort::BitVec(width))
    }

    /// The arrays between those sorts.
    pub fn array_sort(&mut self, index: SortId, element: SortId) -> SortId {
        self.sort(Sort::Array(index, element))
    }

    /// Whether a sort is or mentions a declared sort or a datatype.
    pub fn is_declared_sort(&self, sort: SortId) -> bool {
        match self.sort_kind(sort) {
            Sort::Uninterpreted(..) | Sort::Datatype(_) => true,
            Sort::Array(index, element) => self.is_declared_sort(*index) || self.is_declared_sort(*element),
            Sort::Seq(element) => self.is_declared_sort(*element),
            Sort::Opaque(_, args) => args.iter().any(|arg| self.is_declared_sort(*arg)),
            _ => false,
        }
    }

    /// Whether a sort is or mentions one that only its solver interprets.
    pub fn is_opaque_sort(&self, sort: SortId) -> bool {
        self.mentions_opaque(sort, &mut Vec::new())
    }

    fn mentions_opaque(&self, sort: SortId, seen: &mut Vec<SortId>) -> bool {
        match self.sort_kind(sort) {
            Sort::Opaque(..) => true,
            Sort::Array(index, element) => {
                self.mentions_opaque(*index, seen) || self.mentions_opaque(*element, seen)
            }
            Sort::Seq(element) => self.mentions_opaque(*element, seen),
            Sort::Uninterpreted(_, args) => args.iter().any(|arg| self.mentions_opaque(*arg, seen)),
            // Datatypes are few; each is looked into once.
            Sort::Datatype(id) if !seen.contains(&sort) => {
                seen.push(sort);
                self.datatype(*id).constructors.iter().any(|constructor| {
                    let fields = &self.symbol_of(constructor.symbol).params;
                    fields.iter().any(|field| self.mentions_opaque(*field, seen))
                })
            }
            _ => false,
        }
    }

    /// A new datatype without constructors yet, so that recursive fields can mention its sort.
    pub fn begin_datatype(&mut self, name: Name, args: &[SortId]) -> (DataId, SortId) {
        let id = DataId(u32::try_from(self.datatypes.len()).expect("too many datatypes"));
        self.datatypes.push(Datatype { name, args: args.into(), constructors: Vec::new() });
        let sort = self.sort(Sort::Datatype(id));
        (id, sort)
    }

    /// Adds a constructor, given its name and its selectors' names and sorts.
    pub fn add_constructor(&mut self, id: DataId, name: Name, fields: &[(Name, SortId)]) -> SymbolId {
        let sort = self.sort(Sort::Datatype(id));
        let number = self.datatypes[id.index()].constructors.len() as u32;
        let params: Box<[SortId]> = fields.iter().map(|f| f.1).collect();
        let symbol =
            self.symbol(Symbol { name, params, result: sort, kind: SymbolKind::Constructor(id, number) });
        let selectors = fields
            .iter()
            .enumerate()
            .map(|(i, &(name, field))| {
                let kind = SymbolKind::Selector(id, number, i as u32);
                self.symbol(Symbol { name, params: Box::new([sort]), result: field, kind })
            })
            .collect();
        self.datatypes[id.index()].constructors.push(Constructor { symbol, selectors });
        symbol
    }

    /// A datatype.
    pub fn datatype(&self, id: DataId) -> &Datatype {
        &self.datatypes[id.index()]
    }

    // Symbols.

    fn symbol(&mut self, symbol: Symbol) -> SymbolId {
        let hash = hash_of(&symbol);
        if let Some(&id) = self.symbol_table.find(hash, |s| self.symbols[s.index()] == symbol) {
            return id;
        }
        let id = SymbolId::from_index(self.symbols.len());
        self.symbols.push(symbol);
        self.definitions.push(None);
        self.symbol_table.insert_unique(hash, id, |s| hash_of(&self.symbols[s.index()]));
        id
    }

    /// The free symbol of that name and signature. The same name with another signature is another symbol.
    pub fn declare(&mut self, name: Name, params: &[SortId], result: SortId) -> SymbolId {
        self.symbol(Symbol { name, params: params.into(), result, kind: SymbolKind::Free })
    }

    /// A new symbol for a recursive function, whose definition is given later.
    pub fn declare_recursive(&mut self, name: Name, params: &[SortId], result: SortId) -> SymbolId {
        self.fresh += 1;
        self.symbol(Symbol { name, params: params.into(), result, kind: SymbolKind::Defined(self.fresh) })
    }

    /// Gives a recursive function its definition.
    pub fn define_recursive(&mut self, symbol: SymbolId, body: TermId) {
        self.definitions[symbol.index()] = Some(Definition { body });
    }

    /// The definition of a recursive function.
    pub fn definition(&self, symbol: SymbolId) -> Option<Definition> {
        self.definitions[symbol.index()]
    }

    /// A symbol.
    pub fn symbol_of(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id.index()]
    }

    /// The text of a symbol's name.
    pub fn symbol_text(&self, id: SymbolId) -> &str {
        self.text(self.symbols[id.index()].name)
    }

    /// The number of symbols.
    pub fn symbol_count(&self) -> usize {
        self.symbols.len()
    }

    // Terms.

    fn node(&mut self, op: Op, sort: SortId, args: &[TermId]) -> TermId {
        let hash = node_hash(&op, sort, args);
        let found = self.node_table.find(hash, |t| {
            let n = &self.nodes[t.index()];
            n.op == op && n.sort == sort && self.args[n.first as usize..(n.first + n.count) as usize] == *args
        });
        if let Some(&id) = found {
            return id;
        }
        let traits = self.traits_for(op, sort, args);
        let id = self.term_at(self.nodes.len());
        let first = u32::try_from(self.args.len()).expect("too many arguments");
        self.args.extend_from_slice(args);
        self.nodes.push(Node { op, sort, first, count: args.len() as u32, traits });
        self.node_table.insert_unique(hash, id, |t| {
            let n = &self.nodes[t.index()];
            node_hash(&n.op, n.sort, &self.args[n.first as usize..(n.first + n.count) as usize])
        });
        id
    }

    fn traits_for(&self, op: Op, sort: SortId, args: &[TermId]) -> Traits {
        let mut traits = args.iter().fold(Traits::default(), |t, a| t | self.traits(*a));
        match op {
            Op::Apply(symbol) => {
                let s = self.symbol_of(symbol);
                if !s.params.is_empty() && matches!(s.kind, SymbolKind::Free) {
                    traits = traits | Traits::FUNCTIONS;
                }
                if matches!(s.kind, SymbolKind::Defined(_)) {
                    // A recursive definition is a universally quantified axiom. Its body, which is not known
                    // yet when the function is first applied, may reach a term that SMT-LIB leaves open.
                    traits = traits | Traits::FUNCTIONS | Traits::QUANTIFIED | Traits::PARTIAL;
                }
                if matches!(s.kind, SymbolKind::Selector(..)) {
                    traits = traits | Traits::PARTIAL;
                }
            }
            Op::Bound(_) => traits = traits | Traits::BOUND,
            Op::Fun(Fun::IntDiv | Fun::Mod | Fun::RealDiv) => {
                let safe = args[1..].iter().all(|a| match self.literal_of(*a) {
                    Some(Value::Int(v)) => !v.is_zero(),
                    Some(Value::Real(v)) => !v.num().is_zero(),
                    _ => false,
                });
                if !safe {
                    traits = traits | Traits::PARTIAL;
                }
            }
            Op::Fun(f) if f.is_partial() => traits = traits | Traits::PARTIAL,
            Op::Indexed(f, ..) if f.is_partial() => traits = traits | Traits::PARTIAL,
            Op::Quantifier(Quantifier::Lambda, _) | Op::Opaque(_) | Op::Function(_) => {
                traits = traits | Traits::QUANTIFIED | Traits::PARTIAL;
            }
            Op::Quantifier(..) => traits = traits | Traits::QUANTIFIED,
            _ => {}
        }
        if self.is_opaque_sort(sort) {
            traits = traits | Traits::QUANTIFIED | Traits::PARTIAL;
        }
        if matches!(self.sort_kind(sort), Sort::Array(..)) {
            traits = traits | Traits::ARRAYS;
        }
        if self.is_declared_sort(sort) {
            traits = traits | Traits::DECLARED_SORTS;
        }
        traits
    }

    /// Whether a term is one of this arena. What the other functions say of a foreign term means nothing.
    pub fn owns(&self, term: TermId) -> bool {
        term.arena == self.arena
    }

    /// The term at a place, see [`TermId::index`].
    pub fn term_at(&self, index: usize) -> TermId {
        let place = u32::try_from(index).expect("an arena holds at most 2^32 entries");
        TermId { place, arena: self.arena }
    }

    /// Arguments of another arena do not fit anything here.
    fn check_owned(&self, args: &[TermId]) -> Result<(), SortError> {
        match args.iter().all(|&arg| self.owns(arg)) {
            true => Ok(()),
            false => Err(SortError::new("an argument is a term of another arena")),
        }
    }

    /// The head of a term.
    pub fn op(&self, term: TermId) -> Op {
        self.nodes[term.index()].op
    }

    /// The arguments of a term.
    pub fn args(&self, term: TermId) -> &[TermId] {
        let n = &self.nodes[term.index()];
        &self.args[n.first as usize..(n.first + n.count) as usize]
    }

    /// The sort of a term.
    pub fn sort_of(&self, term: TermId) -> SortId {
        self.nodes[term.index()].sort
    }

    /// The properties of the term and its subterms.
    pub fn traits(&self, term: TermId) -> Traits {
        self.nodes[term.index()].traits
    }

    /// An interpreted function applied to arguments, if their sorts fit.
    pub fn app(&mut self, fun: Fun, args: &[TermId]) -> Result<TermId, SortError> {
        self.check_owned(args)?;
        let sort = infer::fun(self, fun, args)?;
        Ok(self.node(Op::Fun(fun), sort, args))
    }

    /// An interpreted function with indices, if the argument sorts fit. Unused indices are zero.
    pub fn indexed(&mut self, fun: Indexed, i: u32, j: u32, args: &[TermId]) -> Result<TermId, SortError> {
        self.check_owned(args)?;
        let sort = infer::indexed(self, fun, i, j, args)?;
        Ok(self.node(Op::Indexed(fun, i, j), sort, args))
    }

    /// A declared symbol applied to arguments, if their sorts fit.
    pub fn apply(&mut self, symbol: SymbolId, args: &[TermId]) -> Result<TermId, SortError> {
        self.check_owned(args)?;
        let sort = infer::apply(self, symbol, args)?;
        Ok(self.node(Op::Apply(symbol), sort, args))
    }

    /// The declared constant of that name and sort.
    pub fn constant(&mut self, name: &str, sort: SortId) -> TermId {
        let name = self.name(name);
        let symbol = self.declare(name, &[], sort);
        self.node(Op::Apply(symbol), sort, &[])
    }

    /// The variable of a quantifier at a level.
    pub fn bound(&mut self, level: u32, sort: SortId) -> TermId {
        self.node(Op::Bound(level), sort, &[])
    }

    /// `((as const sort) element)`.
    pub fn const_array(&mut self, sort: SortId, element: TermId) -> Result<TermId, SortError> {
        self.check_owned(&[element])?;
        match self.sort_kind(sort) {
            Sort::Array(_, e) if *e == self.sort_of(element) => {
                Ok(self.node(Op::ConstArray, sort, &[element]))
            }
            _ => {
                Err(SortError::new("a constant array needs an array sort and an element of its element sort"))
            }
        }
    }

    /// `(as seq.empty sort)`.
    pub fn seq_empty(&mut self, sort: SortId) -> Result<TermId, SortError> {
        match self.sort_kind(sort) {
            Sort::Seq(_) => Ok(self.node(Op::SeqEmpty, sort, &[])),
            _ => Err(SortError::new("the empty sequence needs a sequence sort")),
        }
    }

    /// Whether a value of a datatype was made by a constructor.
    pub fn is(&mut self, constructor: SymbolId, value: TermId) -> Result<TermId, SortError> {
        self.check_owned(&[value])?;
        let s = self.symbol_of(constructor);
        if !matches!(s.kind, SymbolKind::Constructor(..)) || s.result != self.sort_of(value) {
            return Err(SortError::new("a tester needs a constructor and a value of its datatype"));
        }
        Ok(self.node(Op::Is(constructor), SortId::BOOL, &[value]))
    }

    /// A copy of a datatype value with one selector's argument replaced.
    pub fn update(&mut self, selector: SymbolId, value: TermId, field: TermId) -> Result<TermId, SortError> {
        self.check_owned(&[value, field])?;
        let s = self.symbol_of(selector);
        let fits = matches!(s.kind, SymbolKind::Selector(..))
            && *s.params == [self.sort_of(value)]
            && s.result == self.sort_of(field);
        if !fits {
            return Err(SortError::new("update-field needs a selector, a value of its datatype and a field"));
        }
        let sort = self.sort_of(value);
        Ok(self.node(Op::Update(selector), sort, &[value, field]))
    }

    /// A function that only its solver interprets, applied to arguments. The caller knows the sort.
    pub fn opaque(&mut self, opaque: Opaque, sort: SortId, args: &[TermId]) -> Result<TermId, SortError> {
        self.check_owned(args)?;
        // A script has a handful of them.
        let id = match self.opaque.iter().position(|known| *known == opaque) {
            Some(place) => OpaqueId::from_index(place),
            None => {
                self.opaque.push(opaque);
                OpaqueId::from_index(self.opaque.len() - 1)
            }
        };
        Ok(self.node(Op::Opaque(id), sort, args))
    }

    /// A function that only its solver interprets.
    pub fn opaque_of(&self, id: OpaqueId) -> &Opaque {
        &self.opaque[id.index()]
    }

    /// A declared function as a value of the given sort.
    pub fn function(&mut self, symbol: SymbolId, sort: SortId) -> TermId {
        self.node(Op::Function(symbol), sort, &[])
    }

    /// The function from variables of the given sorts, at levels from `first_level` on, to a body. The caller
    /// knows its sort, which the solver decides: an array or a function.
    pub fn lambda(
        &mut self,
        first_level: u32,
        sorts: &[SortId],
        body: TermId,
        sort: SortId,
    ) -> Result<TermId, SortError> {
        self.check_owned(&[body])?;
        let binder = self.binder(Binder { first_level, sorts: sorts.into(), patterns: Box::new([]) });
        Ok(self.node(Op::Quantifier(Quantifier::Lambda, binder), sort, &[body]))
    }

    /// A quantified body over variables of the given sorts at levels from `first_level` on.
    pub fn quantify(
        &mut self,
        quantifier: Quantifier,
        first_level: u32,
        sorts: &[SortId],
        body: TermId,
        patterns: &[Vec<TermId>],
    ) -> Result<TermId, SortError> {
        self.check_owned(&[body])?;
        patterns.iter().try_for_each(|pattern| self.check_owned(pattern))?;
        if self.sort_of(body) != SortId::BOOL || sorts.is_empty() || quantifier == Quantifier::Lambda {
            return Err(SortError::new("a quantifier needs variables and a body of sort Bool"));
        }
        let shape = patterns.iter().map(|p| p.len() as u32).collect();
        let binder = self.binder(Binder { first_level, sorts: sorts.into(), patterns: shape });
        let mut args = vec![body];
        args.extend(patterns.iter().flatten());
        Ok(self.node(Op::Quantifier(quantifier, binder), SortId::BOOL, &args))
    }

    fn binder(&mut self, binder: Binder) -> BinderId {
        let hash = hash_of(&binder);
        if let Some(&id) = self.binder_table.find(hash, |b| self.binders[b.index()] == binder) {
            return id;
        }
        let id = BinderId::from_index(self.binders.len());
        self.binders.push(binder);
        self.binder_table.insert_unique(hash, id, |b| hash_of(&self.binders[b.index()]));
        id
    }

    /// The variables and patterns of a quantifier.
    pub fn binder_of(&self, id: BinderId) -> &Binder {
        &self.binders[id.index()]
    }

    /// A term with the same head as `term` and other arguments of the same sorts.
    ///
    /// # Panics
    /// When the number of arguments or one of their sorts differs.
    pub fn with_args(&mut self, term: TermId, args: &[TermId]) -> TermId {
        let old = self.args(term);
        assert_eq!(old.len(), args.len(), "the number of arguments stays");
        assert!(old.iter().zip(args).all(|(a, b)| self.sort_of(*a) == self.sort_of(*b)), "the sorts stay");
        let (op, sort) = (self.op(term), self.sort_of(term));
        self.node(op, sort, args)
    }

    // Literals.

    /// A literal of a scalar value: Bool, Int, Real, bit vector, string, float, rounding mode or an element
    /// of a declared sort. Floats and rounding modes that are read from text are applications (`fp`, `RNE`);
    /// as literals they occur where values are put into terms, in the bodies of functions in models.
    ///
    /// # Panics
    /// When the value is an array, a datatype value or a function.
    pub fn literal(&mut self, value: Value) -> TermId {
        let sort = match &value {
            Value::Bool(_) => SortId::BOOL,
            Value::Int(_) => SortId::INT,
            Value::Real(_) => SortId::REAL,
            Value::String(_) => SortId::STRING,
            Value::BitVec(v) => self.bitvec_sort(v.width()),
            Value::Float(v) => self.sort(Sort::Float(v.exponent_bits(), v.significand_bits())),
            Value::RoundingMode(_) => SortId::ROUNDING_MODE,
            Value::Element(sort, _) => *sort,
            other => panic!("not a scalar value: {other:?}"),
        };
        let hash = hash_of(&value);
        let id = match self.literal_table.find(hash, |l| self.literals[l.index()] == value) {
            Some(&id) => id,
            None => {
                let id = LiteralId::from_index(self.literals.len());
                self.literals.push(value);
                self.literal_table.insert_unique(hash, id, |l| hash_of(&self.literals[l.index()]));
                id
            }
        };
        self.node(Op::Literal(id), sort, &[])
    }

    /// The value of a literal.
    pub fn literal_value(&self, id: LiteralId) -> &Value {
        &self.literals[id.index()]
    }

    /// The value of a term that is a literal.
    pub fn literal_of(&self, term: TermId) -> Option<&Value> {
        match self.op(term) {
            Op::Literal(id) => Some(self.literal_value(id)),
            _ => None,
        }
    }

    /// `true` or `false`.
    pub fn bool(&mut self, value: bool) -> TermId {
        self.literal(Value::Bool(value))
    }

    /// An integer literal.
    pub fn int(&mut self, value: impl Into<Int>) -> TermId {
        self.literal(Value::Int(value.into()))
    }

    /// A real literal.
    pub fn real(&mut self, value: Rational) -> TermId {
        self.literal(Value::Real(value))
    }

    /// A bit-vector literal.
    pub fn bv(&mut self, width: u32, value: u128) -> TermId {
        self.literal(Value::BitVec(BitVec::new(width, value)))
    }
}
