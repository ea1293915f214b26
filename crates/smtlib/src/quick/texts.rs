//! Texts of terms that were met before, found by their first bytes.

use evergreen_term::{Name, TermId};
use rustc_hash::FxHashMap;

/// Texts are looked up by their first bytes; shorter ones are not worth it.
pub(super) const SHORTEST: usize = 24;
/// Longer ones are not kept.
pub(super) const LONGEST: usize = 1 << 12;
/// Bytes of texts that are kept before all are forgotten.
const MOST_BYTES: usize = 16 << 20;
/// Texts with the same first bytes that are kept.
const MOST_ALIKE: usize = 32;
/// Names that a text may depend on.
pub(super) const MOST_NAMES: usize = 4;

/// The names of constants and variables that a term mentions, if they are few.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Names {
    pub(super) names: [Option<Name>; MOST_NAMES],
    /// One of them is a variable of a `let`.
    pub(super) has_variable: bool,
    /// They are too many, or more than names matters.
    pub(super) is_open: bool,
}

impl Names {
    pub(super) const NONE: Names = Names { names: [None; MOST_NAMES], has_variable: false, is_open: false };
    pub(super) const OPEN: Names = Names { names: [None; MOST_NAMES], has_variable: true, is_open: true };

    pub(super) fn add(&mut self, name: Name) {
        for place in &mut self.names {
            match place {
                Some(other) if *other == name => return,
                Some(_) => {}
                None => {
                    *place = Some(name);
                    return;
                }
            }
        }
        self.is_open = true;
    }

    pub(super) fn join(&mut self, other: &Names) {
        self.is_open |= other.is_open;
        self.has_variable |= other.has_variable;
        if !self.is_open {
            other.names.iter().flatten().for_each(|&name| self.add(name));
        }
    }
}

/// A term and its text.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) text: Box<[u8]>,
    pub(super) term: TermId,
    /// What its names have to mean.
    pub(super) names: [Option<(Name, TermId)>; MOST_NAMES],
}

/// The texts that are kept.
#[derive(Debug, Default)]
pub(super) struct KnownTexts {
    by_head: FxHashMap<u64, Vec<Known>>,
    bytes: usize,
}

impl KnownTexts {
    /// The texts that begin as this one does, which has at least [`SHORTEST`] bytes.
    #[inline]
    pub(super) fn alike(&self, text: &[u8]) -> &[Known] {
        self.by_head.get(&head_of(text)).map_or(&[], |alike| alike)
    }

    pub(super) fn keep(&mut self, known: Known) {
        if self.bytes > MOST_BYTES {
            *self = KnownTexts::default();
        }
        self.bytes += known.text.len();
        let alike = self.by_head.entry(head_of(&known.text)).or_default();
        if alike.len() >= MOST_ALIKE {
            alike.clear();
        }
        alike.push(known);
    }
}

/// A hash of the first bytes of a text that has at least so many.
#[inline]
fn head_of(text: &[u8]) -> u64 {
    text[..SHORTEST].chunks_exact(8).fold(0, |hash: u64, chunk| {
        let word = u64::from_le_bytes(chunk.try_into().expect("eight bytes"));
        (hash.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    })
}
