//! Merging one store into another.

use std::ops::ControlFlow;

use crate::{Bucket, Key, Store, StoreError};

/// Which of two values for one key to keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// The value that was there.
    Old,
    /// The value that comes.
    New,
}

/// What a merge or import did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Merged {
    /// Entries that were not there.
    pub added: u64,
    /// Entries whose new value was chosen.
    pub replaced: u64,
    /// Entries whose old value was chosen.
    pub kept: u64,
    /// Entries with the same value on both sides.
    pub same: u64,
}

/// Decides between two different values of one key.
pub(crate) type Resolve<'a> = &'a mut dyn FnMut(&Key, &[u8], &[u8]) -> Choice;

/// Puts every entry of `from` into `into`. Where both have a key with different values, `resolve(key, old, new)` decides.
pub fn merge(into: &dyn Store, from: &dyn Store, resolve: Resolve<'_>) -> Result<Merged, StoreError> {
    let mut merged = Merged::default();
    let mut failure = None;
    from.visit(&mut |key, value| match merged.entry(into, key, value, resolve) {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => {
            failure = Some(error);
            ControlFlow::Break(())
        }
    })?;
    match failure {
        Some(error) => Err(error),
        None => into.flush().map(|()| merged),
    }
}

impl Merged {
    pub(crate) fn entry(
        &mut self,
        into: &dyn Store,
        key: &Key,
        new: &[u8],
        resolve: Resolve<'_>,
    ) -> Result<(), StoreError> {
        let counter = match into.get(key)? {
            None => &mut self.added,
            Some(old) if *old == *new => {
                self.same += 1;
                return Ok(());
            }
            // Of a member there is only one right value.
            Some(_) if Bucket::of(key, new).is_some() => &mut self.replaced,
            Some(old) => match resolve(key, &old, new) {
                Choice::New => &mut self.replaced,
                Choice::Old => {
                    self.kept += 1;
                    return Ok(());
                }
            },
        };
        *counter += 1;
        into.put(key, new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Memory;

    #[test]
    fn the_resolver_sees_only_real_conflicts() {
        let (into, from) = (Memory::new(1 << 20), Memory::new(1 << 20));
        from.put(&Key([1; 32]), b"new").unwrap();
        for (byte, old, new) in [(2, "same", "same"), (3, "a", "b")] {
            into.put(&Key([byte; 32]), old.as_bytes()).unwrap();
            from.put(&Key([byte; 32]), new.as_bytes()).unwrap();
        }
        into.put(&Key([4; 32]), b"longer").unwrap();
        from.put(&Key([4; 32]), b"short").unwrap();
        let mut asked = Vec::new();
        let merged = merge(&into, &from, &mut |key, old, new| {
            asked.push((*key, old.to_vec(), new.to_vec()));
            if new.len() >= old.len() { Choice::New } else { Choice::Old }
        })
        .unwrap();
        assert_eq!(merged, Merged { added: 1, replaced: 1, kept: 1, same: 1 });
        asked.sort();
        assert_eq!(asked[0], (Key([3; 32]), b"a".to_vec(), b"b".to_vec()));
        assert_eq!(into.get(&Key([3; 32])).unwrap().as_deref(), Some(&b"b"[..]));
        assert_eq!(into.get(&Key([4; 32])).unwrap().as_deref(), Some(&b"longer"[..]));
        assert_eq!(into.get(&Key([1; 32])).unwrap().as_deref(), Some(&b"new"[..]));
    }
}
