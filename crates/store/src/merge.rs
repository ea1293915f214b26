//! Merging one store into another.

use std::ops::ControlFlow;

use crate::{Bucket, Key, Origin, Store, StoreError};

/// Which of two values for one key to keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// The value that was there.
    Old,
    /// The value that comes.
    New,
}

/// Which origin entries of a pack or of another store get.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Accept {
    /// Imported, whatever the source says: they are used only with evidence, until this machine
    /// has checked or solved them.
    #[default]
    WithEvidence,
    /// The origin that the source records: entries found there count as found here. Entries that the source
    /// itself had imported stay imported, since trust in the source is not trust in third parties.
    AsTheSourceSays,
}

/// How entries are taken over.
#[derive(Clone, Copy)]
pub struct Taking<'a> {
    /// Which origin they get.
    pub accept: Accept,
    /// Whether a value carries evidence that can be checked; only for the counts.
    pub has_evidence: &'a dyn Fn(&Key, &[u8]) -> bool,
}

/// The counts of a merge or import.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Merged {
    /// Entries that were not there.
    pub added: u64,
    /// Entries whose new value was chosen.
    pub replaced: u64,
    /// Entries whose old value was chosen, because it was found here or is the more informative one.
    pub kept: u64,
    /// Entries with the same value on both sides.
    pub same: u64,
    /// Entries of an earlier format, which were not taken.
    pub old: u64,
    /// Entries that were put as imported and carry evidence.
    pub with_evidence: u64,
    /// Entries that were put as imported and carry none: their queries are solved again.
    pub without_evidence: u64,
}

/// Decides between two different values of one key.
pub(crate) type Resolve<'a> = &'a mut dyn FnMut(&Key, &[u8], &[u8]) -> Choice;

/// Puts every entry of `from` into `into`. Where both have a key with different values, `resolve(key, old,
/// new)` decides, unless only one of them was found here: then that one stays.
pub fn merge(
    into: &dyn Store,
    from: &dyn Store,
    taking: Taking<'_>,
    resolve: Resolve<'_>,
) -> Result<Merged, StoreError> {
    let mut merged = Merged { old: from.old_entries()?.entries, ..Merged::default() };
    let mut failure = None;
    from.visit_from(
        &mut |key, value, origin| match merged.entry(into, (key, value, origin), taking, resolve) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failure = Some(error);
                ControlFlow::Break(())
            }
        },
    )?;
    match failure {
        Some(error) => Err(error),
        None => into.flush().map(|()| merged),
    }
}

impl Merged {
    pub(crate) fn entry(
        &mut self,
        into: &dyn Store,
        (key, new, origin): (&Key, &[u8], Origin),
        taking: Taking<'_>,
        resolve: Resolve<'_>,
    ) -> Result<(), StoreError> {
        let origin = match (taking.accept, origin) {
            (Accept::WithEvidence, _) | (Accept::AsTheSourceSays, Origin::Imported) => Origin::Imported,
            (Accept::AsTheSourceSays, Origin::Local | Origin::Network) => Origin::Local,
        };
        let counter = match into.get_from(key)? {
            None => &mut self.added,
            Some((old, was)) if *old == *new => {
                self.same += 1;
                // Confirmed by a source that is trusted.
                return if origin == Origin::Local && was != origin { into.put(key, new) } else { Ok(()) };
            }
            Some((_, was)) if !origin.may_replace(was) => {
                self.kept += 1;
                return Ok(());
            }
            // Of a member there is only one right value.
            Some(_) if Bucket::of(key, new).is_some() => &mut self.replaced,
            Some((_, was)) if origin == Origin::Local && was != origin => &mut self.replaced,
            Some((old, _)) => match resolve(key, &old, new) {
                Choice::New => &mut self.replaced,
                Choice::Old => {
                    self.kept += 1;
                    return Ok(());
                }
            },
        };
        *counter += 1;
        if origin == Origin::Imported {
            match (taking.has_evidence)(key, new) {
                true => self.with_evidence += 1,
                false => self.without_evidence += 1,
            }
        }
        into.put_from(key, new, origin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Memory;

    const NONE: Taking<'static> = Taking { accept: Accept::WithEvidence, has_evidence: &|_, _| false };

    fn key(byte: u8) -> Key {
        Key([byte; 32])
    }

    #[test]
    fn the_resolver_sees_only_real_conflicts() {
        let (into, from) = (Memory::new(1 << 20), Memory::new(1 << 20));
        from.put(&key(1), b"new").unwrap();
        for (byte, old, new) in [(2, "same", "same"), (3, "a", "b"), (4, "longer", "short")] {
            into.put_from(&key(byte), old.as_bytes(), Origin::Imported).unwrap();
            from.put(&key(byte), new.as_bytes()).unwrap();
        }
        into.put(&key(5), b"mine").unwrap();
        from.put(&key(5), b"theirs is longer").unwrap();
        let mut asked = Vec::new();
        let merged = merge(&into, &from, NONE, &mut |key, old, new| {
            asked.push((*key, old.to_vec(), new.to_vec()));
            if new.len() >= old.len() { Choice::New } else { Choice::Old }
        })
        .unwrap();
        let expected =
            Merged { added: 1, replaced: 1, kept: 2, same: 1, without_evidence: 2, ..Merged::default() };
        assert_eq!(merged, expected);
        asked.sort();
        assert_eq!(asked.len(), 2, "what was found here is not up for a decision");
        assert_eq!(asked[0], (key(3), b"a".to_vec(), b"b".to_vec()));
        let value = |byte| into.get(&key(byte)).unwrap().unwrap().to_vec();
        assert_eq!([value(1), value(3), value(4), value(5)].map(|v| v.len()), [3, 1, 6, 4]);
    }

    #[test]
    fn an_origin_is_lifted_only_by_what_was_found_here() {
        let (into, from) = (Memory::new(1 << 20), Memory::new(1 << 20));
        let origin = |byte| into.get_from(&key(byte)).unwrap().map(|(_, origin)| origin);
        from.put(&key(1), b"found there").unwrap();
        from.put_from(&key(2), b"imported there", Origin::Network).unwrap();
        let mut resolve = |_: &Key, _: &[u8], _: &[u8]| Choice::Old;
        merge(&into, &from, NONE, &mut resolve).unwrap();
        assert_eq!([origin(1), origin(2)], [Some(Origin::Imported); 2]);
        let trusting = Taking { accept: Accept::AsTheSourceSays, ..NONE };
        merge(&into, &from, trusting, &mut resolve).unwrap();
        assert_eq!([origin(1), origin(2)], [Some(Origin::Local), Some(Origin::Imported)]);
        // Nothing that comes later from elsewhere takes it back.
        into.put_from(&key(1), b"forged", Origin::Imported).unwrap();
        assert_eq!(
            (origin(1), &*into.get(&key(1)).unwrap().unwrap()),
            (Some(Origin::Local), &b"found there"[..])
        );
        into.put(&key(2), b"solved here").unwrap();
        assert_eq!(origin(2), Some(Origin::Local));
    }
}
