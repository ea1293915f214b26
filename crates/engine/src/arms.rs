//! The decisions of a run, folded into one number.
//!
//! A machine and an engine that went the same way have the same digest and the same count. The digest depends
//! on the order: it rotates before it takes the next decision and multiplies by an odd constant (2^64 divided
//! by the golden ratio), so that no decision is ever shifted out. It is a fingerprint against accidents, not
//! against enemies.

/// Decisions taken so far: a digest of them in their order, and how many they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Arms {
    /// Depends on every decision and on their order; 0 before the first.
    pub digest: u64,
    /// How many decisions were taken.
    pub count: u64,
}

/// What the digest is multiplied by after each decision.
pub(crate) const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;
/// How far the digest rotates before each decision.
pub(crate) const ROTATION: u32 = 23;
/// How far a site is shifted above the arm.
pub(crate) const SITE_SHIFT: u32 = 16;

impl Arms {
    /// Takes the decision for `arm` at `site`.
    ///
    /// Sites number the instructions `if`, `br_if` and `br_table` of a module from 0, in the order of the
    /// code section and of the operators in a body. The arm of `if` and `br_if` is 1 if the condition is not
    /// zero, else 0. That of `br_table` is the number of the distinct target, in the order in which targets
    /// first appear in the labels followed by the default.
    pub fn take(&mut self, site: u32, arm: u32) {
        let decision = (u64::from(site) << SITE_SHIFT) | u64::from(arm);
        self.digest = (self.digest.rotate_left(ROTATION) ^ decision).wrapping_mul(MULTIPLIER);
        self.count += 1;
    }
}
