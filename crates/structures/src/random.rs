//! Small seeded generators of pseudo-random numbers: the same seed gives the same numbers on every machine.
//!
//! [`Random`] is SplitMix64 [Steele, Lea, Flood OOPSLA'14]: one addition and three multiply-xor-shift steps
//! per number. Its state is a counter, so nearby seeds give unrelated streams, and seeding by (seed, index)
//! is safe. It is the one to use. [`Xorshift`] is older than it here: published figures and stored fixtures
//! depend on its numbers.

/// A stream of numbers that its seed determines.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The stream of `seed`.
    pub fn new(seed: u64) -> Self {
        Random { state: seed }
    }

    /// A stream of its own for the `index`-th thing made from `seed`.
    pub fn for_index(seed: u64, index: u64) -> Self {
        let mut random = Random::new(seed);
        let base = random.next();
        Random::new(base ^ index.wrapping_mul(0xd134_2543_de82_ef95))
    }

    /// The next number, uniform over all 64-bit values.
    #[inline]
    #[allow(clippy::should_implement_trait)] // an endless stream: `Option` would only be in the way
    pub fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Makes the numbers that follow depend on a value: the generator as a digest.
    pub fn mix(&mut self, value: u64) {
        let next = self.next();
        self.state ^= next ^ value;
    }

    /// A number below `bound`, which must not be 0.
    pub fn below(&mut self, bound: usize) -> usize {
        // The bias of the remainder is below 2^-50 for the small bounds of tests.
        (self.next() % bound as u64) as usize
    }

    /// A number in `low..=high`.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as usize) as i64
    }

    /// One of `choices`, which must not be empty.
    pub fn pick<'a, T: ?Sized>(&mut self, choices: &[&'a T]) -> &'a T {
        choices[self.below(choices.len())]
    }

    /// One of `items`, which must not be empty.
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// Puts `items` into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

/// A stream of numbers by three shifts [Marsaglia JSS'03]. Nearby seeds give similar streams.
#[derive(Clone, Debug)]
pub struct Xorshift {
    state: u64,
}

impl Xorshift {
    /// The stream that follows a state, which must not be 0: that one is followed by itself.
    pub fn new(state: u64) -> Self {
        Xorshift { state }
    }

    /// The next number; never 0.
    #[inline]
    #[allow(clippy::should_implement_trait)] // as above
    pub fn next(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state
    }

    /// A number below `bound`, which must not be 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splitmix_reference_values() {
        // The first outputs for seed 1234567 of the authors' reference implementation.
        let mut random = Random::new(1_234_567);
        assert_eq!(random.next(), 6_457_827_717_110_365_317);
        assert_eq!(random.next(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn xorshift_reference_value() {
        // The first number of the paper's own example, whose state is this one.
        assert_eq!(Xorshift::new(88_172_645_463_325_252).next(), 8_748_534_153_485_358_512);
    }

    #[test]
    fn shuffle_keeps_the_items() {
        let mut items: Vec<usize> = (0..20).collect();
        Random::new(7).shuffle(&mut items);
        assert_ne!(items, (0..20).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..20).collect::<Vec<_>>());
    }
}
