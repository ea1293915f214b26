//! Random numbers that are the same on every machine: SplitMix64 [Steele OOPSLA'14],
//! enough for shuffling work.

/// A generator.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// Any number.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `end`, which is not zero.
    pub fn below(&mut self, end: usize) -> usize {
        // The bias of 2^64 modulo a small number does not matter for an order of work.
        (self.next_u64() % end.max(1) as u64) as usize
    }
}
