//! Linear forms over terms: how values are kept until they are written.

use evergreen_term::TermId;

/// A linear form over terms of sort Int, sorted by term; no coefficient is zero.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub(super) struct Lin {
    pub(super) terms: Vec<(TermId, i128)>,
    pub(super) constant: i128,
}

impl Lin {
    pub(super) fn constant(constant: i128) -> Lin {
        Lin { terms: Vec::new(), constant }
    }

    pub(super) fn term(term: TermId) -> Lin {
        Lin { terms: vec![(term, 1)], constant: 0 }
    }

    /// `self + factor * other`. Nothing overflows: `form` keeps products below 2^96.
    pub(super) fn plus(&self, factor: i128, other: &Lin) -> Lin {
        let mut terms = self.terms.clone();
        for &(term, coefficient) in &other.terms {
            let more = factor * coefficient;
            match terms.binary_search_by_key(&term, |t| t.0) {
                Ok(at) => {
                    terms[at].1 += more;
                }
                Err(at) => terms.insert(at, (term, more)),
            }
        }
        terms.retain(|t| t.1 != 0);
        Lin { terms, constant: self.constant + factor * other.constant }
    }

    pub(super) fn shifted(&self, by: i128) -> Lin {
        Lin { terms: self.terms.clone(), constant: self.constant + by }
    }

    /// The size of the largest coefficient, or of the constant.
    pub(super) fn magnitude(&self) -> u128 {
        self.terms.iter().fold(self.constant.unsigned_abs(), |most, t| most.max(t.1.unsigned_abs()))
    }
}
