//! Random scripts that attack the reuse path: every theory, everything that couples
//! constraints, in any dress.
//!
//! An [`Attack`] is a script without names and without an order where order is irrelevant. [`Attack::dress`]
//! writes it out: with other names, constraints and declarations in another order, arguments swapped where
//! that means nothing, comparisons written the other way round. All dresses of one attack have the same
//! verdicts, so an answer recorded for one must be right for all others.
//!
//! Choices come from a seed, or from bytes when a fuzzer makes them ([`Choices`]).

mod dress;
mod formula;

use crate::random::Random;
pub use formula::Sort;
pub(crate) use formula::Term;

/// Decisions, one after the other.
pub enum Choices<'a> {
    /// Pseudo-random ones.
    Seeded(Random),
    /// Those that a fuzzer made; when they are used up, the first choice is taken every time.
    Bytes(&'a [u8]),
}

impl Choices<'_> {
    /// The choices of a seed.
    pub fn seeded(seed: u64) -> Choices<'static> {
        Choices::Seeded(Random::new(seed))
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        match self {
            Choices::Seeded(random) => random.below(bound),
            Choices::Bytes(bytes) => match bytes.split_first() {
                Some((&first, rest)) => {
                    *bytes = rest;
                    usize::from(first) % bound
                }
                None => 0,
            },
        }
    }

    /// Once in `n` times; never when a fuzzer's bytes are used up.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == n - 1
    }

    /// Whether everything that a fuzzer chose is used up.
    pub fn is_over(&self) -> bool {
        matches!(self, Choices::Bytes([]))
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// A step of a script.
pub(crate) enum Step {
    Assert(Term),
    Push,
    Pop,
    Check,
    CheckAssuming(Vec<Term>),
}

/// A script of one push-pop nest with its checks.
pub struct Attack {
    pub(crate) theories: u16,
    /// Sorts of the declared constants, by number.
    pub(crate) constants: Vec<Sort>,
    pub(crate) steps: Vec<Step>,
}

impl Attack {
    /// Makes one.
    pub fn new(choices: &mut Choices<'_>) -> Attack {
        let theories = formula::theories(choices);
        let constants = formula::constants(theories, choices);
        let mut attack = Attack { theories, constants, steps: Vec::new() };
        let mut depth = 0;
        let mut pool: Vec<Term> = Vec::new();
        for _ in 0..4 + choices.below(10) {
            match choices.below(10) {
                0 if depth < 4 => {
                    depth += 1;
                    attack.steps.push(Step::Push);
                }
                1 if depth > 0 => {
                    depth -= 1;
                    attack.steps.push(Step::Pop);
                    attack.steps.push(Step::Check);
                }
                2 => attack.steps.push(Step::Check),
                3 => {
                    let count = choices.below(3);
                    let literals = (0..count).map(|_| attack.literal(choices)).collect();
                    attack.steps.push(Step::CheckAssuming(literals));
                }
                // The same constraint again, or its negation: contradictions come from repetition.
                4 if !pool.is_empty() => {
                    let old = pool[choices.below(pool.len())].clone();
                    let again = if choices.one_in(2) { old } else { Term::app("not", vec![old]) };
                    attack.steps.push(Step::Assert(again));
                }
                _ => {
                    let constraint = attack.constraint(choices);
                    pool.push(constraint.clone());
                    attack.steps.push(Step::Assert(constraint));
                }
            }
        }
        attack.steps.push(Step::Check);
        attack.steps.extend((0..depth).map(|_| Step::Pop));
        attack
    }

    /// The numbers and sorts of the declared constants whose values can be compared with `=` in any solver.
    pub fn scalars(&self) -> Vec<usize> {
        let scalar = |s: &Sort| !matches!(s, Sort::Element | Sort::IntArray | Sort::ByteArray);
        (0..self.constants.len()).filter(|&i| scalar(&self.constants[i])).collect()
    }
}
