//! Constraints: `sum of coefficient * variable + constant op 0`.

/// A variable, by number. The caller chooses the numbers; small ones are best.
pub type Var = u32;

/// What a sum is compared to zero with.
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
    /// What is added.
    pub constant: i64,
}
