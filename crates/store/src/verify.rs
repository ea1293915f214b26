//! Verifying: every page, every envelope, and with the caller's help every value.

use crate::{Key, OldEntries, Store, StoreError};

/// The findings of a verification.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verified {
    /// Entries seen.
    pub entries: u64,
    /// Entries whose envelope opened and whose value was accepted.
    pub intact: u64,
    /// Entries whose envelope did not open; they are misses.
    pub damaged: Vec<Key>,
    /// Entries whose value the caller's check refused, and why.
    pub refused: Vec<(Key, String)>,
    /// Entries of earlier formats: not counted above, never used, and no damage.
    pub old: OldEntries,
    /// Damage beyond single entries: pages that cannot be read.
    pub faults: Vec<String>,
}

impl Verified {
    /// Whether there is no finding. Entries of earlier formats are no fault of the store.
    pub fn is_clean(&self) -> bool {
        self.damaged.is_empty() && self.refused.is_empty() && self.faults.is_empty()
    }
}

/// Says whether a value has the format that its readers expect, or why not.
pub type CheckValue<'a> = &'a mut dyn FnMut(&Key, &[u8]) -> Result<(), String>;

/// Walks a whole store. `check` says whether a value has the format that its readers expect.
pub fn verify(store: &dyn Store, check: CheckValue<'_>) -> Result<Verified, StoreError> {
    let mut verified = Verified::default();
    let faults = store.inspect(&mut |key, value| {
        verified.entries += 1;
        match value.map(|value| check(key, value)) {
            None => verified.damaged.push(*key),
            Some(Ok(())) => verified.intact += 1,
            Some(Err(why)) => verified.refused.push((*key, why)),
        }
    })?;
    verified.faults = faults;
    verified.old = store.old_entries()?;
    Ok(verified)
}
