//! The question and the answer: variables with domains, rows, budgets and counts.

use evergreen_term::Int;
use num_bigint::BigUint;

/// A variable, by number: an index into [`Problem::domains`].
pub type Var = u32;

/// The comparison of a sum with zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Relation {
    /// `sum = 0`
    Eq,
    /// `sum != 0`
    Ne,
    /// `sum <= 0`
    Le,
}

/// `sum of coefficient * variable + constant` compared to zero.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Row {
    /// Variables with coefficients, in any order; a variable may occur more than once.
    pub terms: Vec<(Var, Int)>,
    /// The constant summand.
    pub constant: Int,
    /// The comparison with zero.
    pub relation: Relation,
}

impl Row {
    /// A row of machine numbers.
    pub fn new(terms: &[(Var, i64)], constant: i64, relation: Relation) -> Row {
        let terms = terms.iter().map(|&(v, a)| (v, Int::from(a))).collect();
        Row { terms, constant: Int::from(constant), relation }
    }

    /// The row that holds exactly where this one does not.
    pub fn negated(&self) -> Row {
        match self.relation {
            Relation::Eq => Row { relation: Relation::Ne, ..self.clone() },
            Relation::Ne => Row { relation: Relation::Eq, ..self.clone() },
            // not sum <= 0: -sum + 1 <= 0
            Relation::Le => Row {
                terms: self.terms.iter().map(|(v, a)| (*v, a.neg())).collect(),
                constant: Int::ONE.sub(&self.constant),
                relation: Relation::Le,
            },
        }
    }
}

/// The values a variable may take: both ends included, `None` where there is no end.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Domain {
    /// The least value.
    pub lo: Option<Int>,
    /// The greatest value.
    pub hi: Option<Int>,
}

impl Domain {
    /// All integers.
    pub const ALL: Domain = Domain { lo: None, hi: None };

    /// `lo..=hi`; empty if `lo > hi`.
    pub fn new(lo: i64, hi: i64) -> Domain {
        Domain { lo: Some(Int::from(lo)), hi: Some(Int::from(hi)) }
    }

    /// The two's complement range of so many bits.
    pub fn signed(bits: u32) -> Domain {
        let half = num_bigint::BigInt::from(1) << bits.saturating_sub(1);
        Domain { lo: Some(Int::from(-half.clone())), hi: Some(Int::from(half - 1)) }
    }

    /// The range of so many bits without a sign.
    pub fn unsigned(bits: u32) -> Domain {
        let top = (num_bigint::BigInt::from(1) << bits) - 1;
        Domain { lo: Some(Int::ZERO), hi: Some(Int::from(top)) }
    }

    /// The values that both allow.
    pub fn meet(&self, other: &Domain) -> Domain {
        let pick = |a: &Option<Int>, b: &Option<Int>, sign: std::cmp::Ordering| match (a, b) {
            (Some(a), Some(b)) => Some(if a.cmp(b) == sign { a.clone() } else { b.clone() }),
            (a, b) => a.clone().or(b.clone()),
        };
        Domain {
            lo: pick(&self.lo, &other.lo, std::cmp::Ordering::Greater),
            hi: pick(&self.hi, &other.hi, std::cmp::Ordering::Less),
        }
    }
}

/// A conjunction of rows over variables with domains.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Problem {
    /// By variable. All of them are counted, also those that occur in no row.
    pub domains: Vec<Domain>,
    /// All of them must hold.
    pub rows: Vec<Row>,
}

impl Problem {
    /// No variables and no rows: one solution.
    pub fn new() -> Problem {
        Problem::default()
    }

    /// One more variable.
    pub fn variable(&mut self, domain: Domain) -> Var {
        self.domains.push(domain);
        (self.domains.len() - 1) as Var
    }

    /// A domain for a variable that has one already: the values that both allow remain.
    pub fn restrict(&mut self, var: Var, domain: &Domain) {
        if let Some(old) = self.domains.get_mut(var as usize) {
            *old = old.meet(domain);
        }
    }

    /// One more row of machine numbers.
    pub fn row(&mut self, terms: &[(Var, i64)], constant: i64, relation: Relation) {
        self.rows.push(Row::new(terms, constant, relation));
    }
}

/// How much work a count may take, in steps that are the same on every machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// About a microsecond each.
    pub steps: u64,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { steps: 2_000_000 }
    }
}

/// How sure bounds are.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Confidence {
    /// Proved: the number lies between the bounds.
    Certain,
    /// An estimate: the number lies between the bounds with at least this probability.
    AtLeast(f64),
}

/// The number of solutions.
#[derive(Clone, PartialEq, Debug)]
pub enum Count {
    /// Exactly so many.
    Exact(BigUint),
    /// Between `lo` and `hi`, both included.
    Bounds {
        /// Not fewer.
        lo: BigUint,
        /// Not more.
        hi: BigUint,
        /// How sure that is.
        confidence: Confidence,
    },
    /// Infinitely many.
    Unbounded,
    /// Nothing is known, for this reason.
    GaveUp(String),
}
