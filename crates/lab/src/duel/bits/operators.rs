//! The operators that random conjunctions are made of; some of them twice, because paths have more of them.

use evergreen::Fun;

/// Those of two vectors that take few clauses.
pub(super) const BINARY: &[Fun] = &[
    Fun::BvAnd,
    Fun::BvOr,
    Fun::BvXor,
    Fun::BvNand,
    Fun::BvNor,
    Fun::BvXnor,
    Fun::BvAdd,
    Fun::BvAdd,
    Fun::BvSub,
    Fun::BvShl,
    Fun::BvLshr,
    Fun::BvAshr,
];

/// Those that take many clauses.
pub(super) const PRODUCTS: &[Fun] =
    &[Fun::BvMul, Fun::BvMul, Fun::BvUdiv, Fun::BvUrem, Fun::BvSdiv, Fun::BvSrem, Fun::BvSmod];

/// Comparisons.
pub(super) const RELATIONS: &[Fun] = &[
    Fun::Eq,
    Fun::Eq,
    Fun::Distinct,
    Fun::BvUlt,
    Fun::BvUle,
    Fun::BvUgt,
    Fun::BvUge,
    Fun::BvSlt,
    Fun::BvSle,
    Fun::BvSgt,
    Fun::BvSge,
];

/// Predicates of overflow.
pub(super) const OVERFLOWS: &[Fun] = &[
    Fun::BvUaddo,
    Fun::BvSaddo,
    Fun::BvUmulo,
    Fun::BvSmulo,
    Fun::BvUsubo,
    Fun::BvSsubo,
    Fun::BvSdivo,
    Fun::BvNego,
];
