//! Variables and literals: the only code that the solver and the checker of its proofs share.

use std::fmt;
use std::ops::Not;

/// A propositional variable: a number from 0 on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Var(pub u32);

impl Var {
    /// The largest variable: its literals are still literals, with a number to spare.
    pub const MAX: Var = Var((u32::MAX >> 1) - 1);

    /// The literal that says that the variable is true.
    #[inline]
    pub fn positive(self) -> Lit {
        Lit(self.0 << 1)
    }

    /// The literal that says that the variable is false.
    #[inline]
    pub fn negative(self) -> Lit {
        Lit(self.0 << 1 | 1)
    }

    /// The number as an index.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A variable or its negation: twice the variable's number, and one more if negated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(u32);

impl Lit {
    /// The literal of a code: twice the variable's number, and one more if negated.
    #[inline]
    pub fn from_code(code: u32) -> Lit {
        Lit(code)
    }

    /// Twice the variable's number, and one more if negated.
    #[inline]
    pub fn code(self) -> u32 {
        self.0
    }

    /// The code as an index.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The variable.
    #[inline]
    pub fn var(self) -> Var {
        Var(self.0 >> 1)
    }

    /// Whether the literal says that its variable is false.
    #[inline]
    pub fn is_negative(self) -> bool {
        self.0 & 1 == 1
    }
}

impl Not for Lit {
    type Output = Lit;

    #[inline]
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// As in DIMACS: variables count from 1, a minus negates.
impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_negative() { "-" } else { "" };
        write!(f, "{sign}{}", u64::from(self.var().0) + 1)
    }
}
