//! Sorts and datatypes.

use crate::terms::{Name, SymbolId};

/// A sort, by its place in the arena.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SortId(pub(crate) u32);

/// The sorts that every arena has at the same places.
impl SortId {
    /// `Bool`.
    pub const BOOL: SortId = SortId(0);
    /// `Int`.
    pub const INT: SortId = SortId(1);
    /// `Real`.
    pub const REAL: SortId = SortId(2);
    /// `String`.
    pub const STRING: SortId = SortId(3);
    /// `RegLan`.
    pub const REGLAN: SortId = SortId(4);
    /// `RoundingMode`.
    pub const ROUNDING_MODE: SortId = SortId(5);

    /// The place in the arena.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a sort is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Unbounded integers.
    Int,
    /// Real numbers.
    Real,
    /// Unicode strings.
    String,
    /// Regular languages over strings.
    RegLan,
    /// Rounding modes of floating-point arithmetic.
    RoundingMode,
    /// Bit vectors of that many bits.
    BitVec(u32),
    /// Floating-point numbers: bits of the exponent, bits of the significand (with the hidden one).
    Float(u32, u32),
    /// Arrays from an index sort to an element sort.
    Array(SortId, SortId),
    /// Finite sequences (an extension that z3 and cvc5 share).
    Seq(SortId),
    /// A declared sort, applied to arguments.
    Uninterpreted(Name, Box<[SortId]>),
    /// A datatype.
    Datatype(DataId),
    /// A sort that only cvc5 interprets, as it is written without its arguments: `Set`, `(_ FiniteField 7)`.
    Opaque(Name, Box<[SortId]>),
}

/// A datatype, by its place in the arena. Declaring the same name twice makes two datatypes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct DataId(pub(crate) u32);

impl DataId {
    /// The place in the arena.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A datatype. An instance of a parametric one (`(List Int)`) is a datatype of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Datatype {
    /// The declared name.
    pub name: Name,
    /// The arguments, for an instance of a parametric datatype.
    pub args: Box<[SortId]>,
    /// The constructors in order of declaration; empty until they are known.
    pub constructors: Vec<Constructor>,
}

/// One way to build a value of a datatype.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constructor {
    /// The constructor function.
    pub symbol: SymbolId,
    /// The selector functions, one per argument.
    pub selectors: Vec<SymbolId>,
}
