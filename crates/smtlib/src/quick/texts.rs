//! Texts of terms that were met before.
//!
//! What follows a parenthesis is not known to end anywhere, so a text is found in two steps: its first bytes
//! say how long the texts were that began like that, few lengths as a rule, and each of these many bytes are
//! looked up as a whole.

use evergreen_term::{Name, TermId};
use rustc_hash::FxHashMap;

/// Texts are looked up by their first bytes; shorter ones are not worth it.
pub(super) const SHORTEST: usize = 16;
/// Longer ones are not kept.
pub(super) const LONGEST: usize = 1 << 12;
/// Bytes of texts that are kept before all are forgotten.
const MOST_BYTES: usize = 16 << 20;
/// Lengths of texts with the same first bytes that are looked at.
const MOST_LENGTHS: usize = 12;
/// Meanings of one text that are kept: under other declarations, or other values of a `let`.
const MOST_MEANINGS: usize = 8;
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
    /// The lengths of the texts that begin alike, by a hash of their first bytes.
    lengths: FxHashMap<u64, Vec<u32>>,
    /// The texts by their hash; each is compared as a whole.
    texts: FxHashMap<u64, Vec<Known>>,
    bytes: usize,
}

impl KnownTexts {
    /// The text that this one, of at least [`SHORTEST`] bytes, begins with and that is as wanted.
    #[inline]
    pub(super) fn find(&self, text: &[u8], is_wanted: impl Fn(&Known) -> bool) -> Option<&Known> {
        self.lengths.get(&hash(&text[..SHORTEST]))?.iter().find_map(|&length| {
            let text = text.get(..length as usize)?;
            self.texts.get(&hash(text))?.iter().find(|known| *known.text == *text && is_wanted(known))
        })
    }

    pub(super) fn keep(&mut self, known: Known) {
        if self.bytes > MOST_BYTES {
            *self = KnownTexts::default();
        }
        let lengths = self.lengths.entry(hash(&known.text[..SHORTEST])).or_default();
        let length = known.text.len() as u32;
        if !lengths.contains(&length) {
            if lengths.len() == MOST_LENGTHS {
                lengths.pop();
            }
            lengths.insert(0, length);
        }
        self.bytes += known.text.len();
        let alike = self.texts.entry(hash(&known.text)).or_default();
        if alike.len() >= MOST_MEANINGS {
            alike.remove(0);
        }
        alike.push(known);
    }
}

/// A hash of a text of at least eight bytes. Bytes that are no whole word are hashed with those before them.
#[inline]
fn hash(text: &[u8]) -> u64 {
    let mix = |hash: u64, chunk: &[u8]| {
        let word = u64::from_le_bytes(chunk.try_into().expect("eight bytes"));
        (hash.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    };
    let whole = text.chunks_exact(8).fold(text.len() as u64, mix);
    mix(whole, &text[text.len() - 8..])
}
