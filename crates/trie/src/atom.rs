//! Atoms, the elements of sets: they compare a prefix with a constant, or are opaque.

/// The identity of a prefix (the non-constant part of a linear comparison) or of an opaque constraint.
///
/// The caller normalizes: coefficients with gcd 1 and a fixed sign of the first one, so that one form has one
/// key. Keys are expected to be digests: they mean the same in every process and are spread evenly.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PrefixKey(pub u128);

/// How a prefix `P` is compared with a constant `c`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Op {
    /// `P <= c`.
    Le = 0,
    /// `P >= c`.
    Ge = 1,
    /// `P = c`.
    Eq = 2,
    /// `P != c`.
    Ne = 3,
    /// The key names a constraint that is not a comparison; the constant is 0 and means nothing.
    Holds = 4,
}

impl Op {
    /// The operator with this number, if there is one.
    pub fn from_number(number: u8) -> Option<Op> {
        [Op::Le, Op::Ge, Op::Eq, Op::Ne, Op::Holds].get(usize::from(number)).copied()
    }
}

/// One constraint of a set: `prefix op constant`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Atom {
    /// The compared prefix.
    pub prefix: PrefixKey,
    /// How.
    pub op: Op,
    /// With what.
    pub constant: i64,
}

impl Atom {
    /// `prefix <= constant`.
    pub fn le(prefix: PrefixKey, constant: i64) -> Atom {
        Atom { prefix, op: Op::Le, constant }
    }

    /// `prefix >= constant`.
    pub fn ge(prefix: PrefixKey, constant: i64) -> Atom {
        Atom { prefix, op: Op::Ge, constant }
    }

    /// `prefix = constant`.
    pub fn eq(prefix: PrefixKey, constant: i64) -> Atom {
        Atom { prefix, op: Op::Eq, constant }
    }

    /// `prefix != constant`.
    pub fn ne(prefix: PrefixKey, constant: i64) -> Atom {
        Atom { prefix, op: Op::Ne, constant }
    }

    /// The opaque constraint of this key.
    pub fn holds(prefix: PrefixKey) -> Atom {
        Atom { prefix, op: Op::Holds, constant: 0 }
    }
}
