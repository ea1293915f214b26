//! Constraints: `sum of coefficient * variable + constant op 0`.

/// A variable, by number. The caller chooses the numbers; small ones are best.
pub type Var = u32;

/// The comparison of a sum with zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Op {
    /// `sum <= 0`
    Le,
    /// `sum = 0`
    Eq,
    /// `sum != 0`
    Ne,
}

/// A linear integer constraint.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Row {
    /// The comparison with zero.
    pub op: Op,
    /// Variables with their coefficients: ascending, no zeros, no repetitions.
    pub terms: Vec<(Var, i64)>,
    /// The constant summand.
    pub constant: i64,
}
