//! The functions of the theory, for everything that makes terms here.

use evergreen_term::Fun;

/// From two vectors of one width to one of that width.
pub(crate) const BINARY: [Fun; 17] = [
    Fun::BvAnd,
    Fun::BvOr,
    Fun::BvXor,
    Fun::BvNand,
    Fun::BvNor,
    Fun::BvXnor,
    Fun::BvAdd,
    Fun::BvSub,
    Fun::BvMul,
    Fun::BvUdiv,
    Fun::BvUrem,
    Fun::BvSdiv,
    Fun::BvSrem,
    Fun::BvSmod,
    Fun::BvShl,
    Fun::BvLshr,
    Fun::BvAshr,
];

/// Comparisons of two vectors.
pub(crate) const RELATIONS: [Fun; 10] = [
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

/// Whether an operation on two vectors overflows.
pub(crate) const OVERFLOWS: [Fun; 7] =
    [Fun::BvUaddo, Fun::BvSaddo, Fun::BvUmulo, Fun::BvSmulo, Fun::BvUsubo, Fun::BvSsubo, Fun::BvSdivo];
