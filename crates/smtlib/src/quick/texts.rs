//! Texts of terms that were met before.
//!
//! What follows a parenthesis is not known to end anywhere, so a text is found in two steps: its first bytes
//! say how long the texts were that began like that, few lengths as a rule, and each of these many bytes are
//! looked up as a whole. The more first bytes, the fewer lengths: long texts have longer beginnings.
//!
//! Before that the text is tried that followed the last one the last time: queries of a path repeat their
//! constraints mostly in one order, and so do the questions for the values of an input's bytes.

use evergreen_term::{Name, TermId};
use rustc_hash::FxHashMap;

/// Texts are looked up by so many of their first bytes; shorter ones are not worth it.
pub(super) const SHORTEST: usize = 16;
/// Those that are at least as long as this are looked up by so many.
const LONG: usize = 24;
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
    /// The place of the text that was found after it the last time.
    pub(super) next: usize,
}

/// In place of a text that is not known.
pub(super) const NONE: usize = usize::MAX;

/// The texts that are kept.
#[derive(Debug)]
pub(super) struct KnownTexts {
    all: Vec<Known>,
    /// The lengths of the texts that begin alike, by a hash of their first bytes.
    lengths: FxHashMap<u64, Vec<u32>>,
    /// The places of texts by their hash; each is compared as a whole.
    places: FxHashMap<u64, Vec<usize>>,
    bytes: usize,
    /// The place of the text that was found last.
    last: usize,
}

impl Default for KnownTexts {
    fn default() -> KnownTexts {
        let (lengths, places) = (FxHashMap::default(), FxHashMap::default());
        KnownTexts { all: Vec::new(), lengths, places, bytes: 0, last: NONE }
    }
}

impl KnownTexts {
    /// The text that this one, of at least [`SHORTEST`] bytes, begins with and that is as wanted.
    #[inline]
    pub(super) fn find(&mut self, text: &[u8], is_wanted: impl Fn(&Known) -> bool) -> Option<&Known> {
        let expected = self.all.get(self.last).map_or(NONE, |last| last.next);
        let is_expected = |known: &Known| text.starts_with(&known.text) && is_wanted(known);
        if self.all.get(expected).is_some_and(is_expected) {
            self.last = expected;
            return self.all.get(expected);
        }
        let found = self.look_up(text, is_wanted)?;
        if let Some(last) = self.all.get_mut(self.last) {
            last.next = found;
        }
        self.last = found;
        self.all.get(found)
    }

    fn look_up(&self, text: &[u8], is_wanted: impl Fn(&Known) -> bool) -> Option<usize> {
        let find = |beginning: &[u8]| {
            self.lengths.get(&hash(beginning))?.iter().find_map(|&length| {
                let text = text.get(..length as usize)?;
                let is_it = |place: &&usize| {
                    let known = &self.all[**place];
                    *known.text == *text && is_wanted(known)
                };
                self.places.get(&hash(text))?.iter().find(is_it).copied()
            })
        };
        text.get(..LONG).and_then(find).or_else(|| find(&text[..SHORTEST]))
    }

    pub(super) fn keep(&mut self, known: Known) {
        if self.bytes > MOST_BYTES {
            *self = KnownTexts::default();
        }
        let beginning = if known.text.len() < LONG { SHORTEST } else { LONG };
        let lengths = self.lengths.entry(hash(&known.text[..beginning])).or_default();
        let length = known.text.len() as u32;
        if !lengths.contains(&length) {
            if lengths.len() == MOST_LENGTHS {
                lengths.pop();
            }
            lengths.insert(0, length);
        }
        self.bytes += known.text.len();
        let alike = self.places.entry(hash(&known.text)).or_default();
        if alike.len() >= MOST_MEANINGS {
            alike.remove(0);
        }
        alike.push(self.all.len());
        self.all.push(known);
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
