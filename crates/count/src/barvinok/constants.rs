//! Numbers that depend on the prime and the dimension only, kept from one count to the next.

use super::field::Field;
use super::small::{MOST, Roots};
use rustc_hash::FxHashMap;
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

/// The constants of the series.
pub(crate) struct Constants {
    pub field: Field,
    /// `1 / i`
    pub inverses: Vec<u64>,
    /// `i` times the coefficient of `x^i` in the logarithm of `x / (exp(x) - 1)`.
    pub logarithm: Vec<u64>,
    /// Roots of unity by order, made when needed.
    roots: [OnceCell<Roots>; MOST + 1],
}

thread_local! {
    /// Those of the first primes, which every count begins with, by prime and dimension.
    static KNOWN: RefCell<FxHashMap<(u64, usize), Rc<Constants>>> = RefCell::default();
}

/// So many are kept.
const KEPT: usize = 256;

impl Constants {
    /// Those of a prime and a dimension.
    pub(super) fn of(field: Field, d: usize) -> Rc<Constants> {
        KNOWN.with_borrow_mut(|known| {
            if known.len() >= KEPT {
                known.clear();
            }
            known.entry((field.prime, d)).or_insert_with(|| Rc::new(Constants::compute(field, d))).clone()
        })
    }

    /// Roots of unity of an order up to [`MOST`] that the prime has.
    pub(super) fn roots(&self, order: u8) -> &Roots {
        let order = usize::from(order);
        self.roots[order].get_or_init(|| Roots::new(self, order))
    }

    fn compute(field: Field, d: usize) -> Constants {
        // From p = (p / i) i + p mod i, without a power.
        let mut inverses: Vec<u64> = vec![1; d + 2];
        for i in 2..d + 2 {
            let (quotient, rest) = (field.prime / i as u64, field.prime % i as u64);
            inverses[i] = field.neg(field.mul(quotient, inverses[rest as usize]));
        }
        let mut factorials = vec![1; d + 2];
        for i in 1..d + 2 {
            factorials[i] = field.mul(factorials[i - 1], inverses[i]);
        }
        // b_n = B_n / n! from sum over j <= n of b_j / (n + 1 - j)! = [n = 0]
        let mut bernoulli = vec![0; d + 1];
        bernoulli[0] = 1;
        for n in 1..=d {
            let sum = (0..n).fold(0, |s, j| field.add(s, field.mul(bernoulli[j], factorials[n + 1 - j])));
            bernoulli[n] = field.neg(sum);
        }
        let mut logarithm: Vec<u64> = bernoulli.iter().map(|b| field.neg(*b)).collect();
        if d >= 1 {
            logarithm[1] = bernoulli[1]; // -1/2
        }
        Constants { field, inverses, logarithm, roots: [const { OnceCell::new() }; MOST + 1] }
    }
}
