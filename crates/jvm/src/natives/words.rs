//! The words of a text, as the JDK finds them for one question: whether a Greek sigma is the last letter of a
//! word, and so has another lower case.
//!
//! `String.toLowerCase` asks `java.text.BreakIterator` where the word ends that a sigma is in, and whether
//! there are other letters with case in it. The rules are an automaton that the JDK keeps in a resource; this
//! is `sun.text.RuleBasedBreakIterator` over it, step by step, since its way of going back to a safe place is
//! part of the answer. What is interpreted of it would branch at every lookup of a character. Here the
//! automaton runs on *sorts* of characters: all characters of a sort behave alike.

use std::rc::Rc;

use rustc_hash::FxHashMap;

/// Where the JDK has the automaton.
pub(super) const RESOURCE: &str = "/java.base/sun/text/resources/WordBreakIteratorData";

const LABEL: &[u8] = b"BIdata\0\x01";
/// The category of characters that the automaton does not see.
const IGNORED: u8 = 0xff;
const START: usize = 1;
const STOP: usize = 0;

/// What characters have in common that behave alike.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Sort {
    category: u8,
    is_cased: bool,
    /// It is U+FFFF, which iterators of characters return at the end of a text.
    ends: bool,
}

/// A unit of a text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Unit {
    /// A character, or half of a pair whose other half is not there.
    Alone(Sort),
    /// The first half of a pair, with the sort of the whole.
    High(Sort),
    /// The second one.
    Low,
}

/// The automaton, and the sorts of all characters.
pub(crate) struct Words {
    states: Vec<u16>,
    backward: Vec<u16>,
    ends: Vec<bool>,
    looks_ahead: Vec<bool>,
    categories: usize,
    /// The sort of each character of one unit, by number.
    pub(super) plain: Vec<u8>,
    /// The first character of a range beyond those, up to the next one, and its sort.
    pub(super) beyond: Vec<(u32, u8)>,
    pub(super) sorts: Vec<Sort>,
    /// The answers for texts of which some units can be of any sort.
    pub(super) answers: FxHashMap<(Vec<Open>, usize), Rc<Groups>>,
}

/// What is known of a unit of a text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Open {
    /// It is this one.
    Known(Unit),
    /// A character of one unit, of any sort.
    Plain,
    /// The first half of a pair of any sort, and the second one.
    High,
    Low,
}

/// Sorts that make no difference to an answer, for each open place of a text.
pub(super) struct Groups {
    /// The group of each sort, for each open place.
    pub(super) of: Vec<Vec<u8>>,
    /// The groups of all places for which the answer is yes.
    pub(super) yes: Vec<Vec<u8>>,
}

struct Reader<'b>(&'b [u8]);

impl<'b> Reader<'b> {
    fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn int(&mut self) -> Option<usize> {
        let bytes = self.take(4)?;
        Some(u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize)
    }

    fn shorts(&mut self, count: usize) -> Option<Vec<u16>> {
        let bytes = self.take(2 * count)?;
        Some(bytes.chunks_exact(2).map(|two| u16::from_be_bytes([two[0], two[1]])).collect())
    }

    fn flags(&mut self, count: usize) -> Option<Vec<bool>> {
        Some(self.take(count)?.iter().map(|byte| *byte == 1).collect())
    }
}

impl Words {
    /// From the bytes of the resource, and which characters up to U+1FFFF have case.
    pub(super) fn read(bytes: &[u8], cased: &[bool]) -> Option<Words> {
        let mut reader = Reader(bytes.strip_prefix(LABEL)?);
        let _total = reader.int()?;
        let lengths: Vec<usize> = (0..7).map(|_| reader.int()).collect::<Option<_>>()?;
        let _checksum = reader.take(8)?;
        let (states, backward) = (reader.shorts(lengths[0])?, reader.shorts(lengths[1])?);
        let (ends, looks_ahead) = (reader.flags(lengths[2])?, reader.flags(lengths[3])?);
        let indices = reader.shorts(512)?;
        let values = reader.take(lengths[4])?;
        let mut beyond = Vec::new();
        for _ in 0..lengths[5] {
            let entry = reader.int()?;
            beyond.push(((entry >> 8) as u32, (entry & 0xff) as u8));
        }
        let categories = states.len().checked_div(ends.len())?;
        let category = |unit: usize| values.get(usize::from(indices[unit >> 7]) + (unit & 0x7f)).copied();
        let mut words = Words {
            states,
            backward,
            ends,
            looks_ahead,
            categories,
            plain: Vec::new(),
            beyond: Vec::new(),
            sorts: Vec::new(),
            answers: FxHashMap::default(),
        };
        for unit in 0..=usize::from(u16::MAX) {
            let sort = Sort { category: category(unit)?, is_cased: *cased.get(unit)?, ends: unit == 0xffff };
            let number = words.number(sort);
            words.plain.push(number);
        }
        words.read_beyond(&beyond, cased);
        // The halves of pairs are alike: in the middle of a pair the iterator sees one of them.
        let halves = &words.plain[0xd800..0xe000];
        let fits = |table: &[u16], rows: usize| table.iter().all(|state| usize::from(*state) < rows);
        let rows = words.backward.len() / words.categories.max(1);
        (halves.iter().all(|half| *half == halves[0])
            && words.looks_ahead.len() == words.ends.len()
            && fits(&words.states, words.ends.len())
            && fits(&words.backward, rows))
        .then_some(words)
    }

    fn number(&mut self, sort: Sort) -> u8 {
        let known = self.sorts.iter().position(|known| *known == sort);
        known.unwrap_or_else(|| {
            self.sorts.push(sort);
            self.sorts.len() - 1
        }) as u8
    }

    // Ranges of one category are divided where case begins and ends; beyond `cased` there is none.
    fn read_beyond(&mut self, ranges: &[(u32, u8)], cased: &[bool]) {
        for pair in ranges.windows(2) {
            let (from, to) = (pair[0].0.max(0x1_0000), pair[1].0);
            let mut before = None;
            for character in from..to.min(cased.len() as u32).max(from) {
                let is_cased = cased[character as usize];
                if before != Some(is_cased) {
                    let number = self.number(Sort { category: pair[0].1, is_cased, ends: false });
                    self.beyond.push((character, number));
                    before = Some(is_cased);
                }
            }
            let rest = from.max(cased.len() as u32);
            if rest < to {
                let number = self.number(Sort { category: pair[0].1, is_cased: false, ends: false });
                self.beyond.push((rest, number));
            }
        }
    }

    /// The sort of a character.
    pub(super) fn sort(&self, character: u32) -> Sort {
        let number = match self.plain.get(character as usize) {
            Some(number) => *number,
            None => {
                let at = self.beyond.partition_point(|(from, _)| *from <= character);
                at.checked_sub(1).map_or(0, |at| self.beyond[at].1)
            }
        };
        self.sorts[usize::from(number)]
    }

    /// A text that is known.
    pub(super) fn units(&self, text: &[u16]) -> Vec<Unit> {
        let mut units = Vec::new();
        for decoded in char::decode_utf16(text.iter().copied()) {
            match decoded {
                Ok(whole) if whole.len_utf16() == 2 => {
                    units.extend([Unit::High(self.sort(whole.into())), Unit::Low]);
                }
                Ok(one) => units.push(Unit::Alone(self.sort(one.into()))),
                Err(half) => units.push(Unit::Alone(self.sort(half.unpaired_surrogate().into()))),
            }
        }
        units
    }

    /// Whether the character of one unit at a place has a letter with case before it in its word, and none
    /// after it: `ConditionalSpecialCasing.isFinalCased`.
    pub(super) fn is_final(&self, text: &[Unit], index: usize) -> bool {
        let mut scan = Scan { words: self, text, at: 0, last_break: None };
        let mut at = index;
        while !scan.is_boundary(at) {
            let (sort, width) = match text[at - 1] {
                Unit::Low => (scan.sort(at - 2), 2),
                _ => (scan.sort(at - 1), 1),
            };
            if sort.is_some_and(|sort| sort.is_cased) {
                let mut after = index + 1;
                while after < text.len() && !scan.is_boundary(after) {
                    if scan.sort(after).is_some_and(|sort| sort.is_cased) {
                        return false;
                    }
                    after += scan.width(after);
                }
                return true;
            }
            at -= width;
        }
        false
    }

    /// The same for a text with open places: which sorts make a difference there.
    pub(super) fn groups(&mut self, text: &[Open], index: usize) -> Rc<Groups> {
        let key = (text.to_vec(), index);
        if let Some(known) = self.answers.get(&key) {
            return known.clone();
        }
        let places: Vec<usize> =
            (0..text.len()).filter(|at| matches!(text[*at], Open::Plain | Open::High)).collect();
        let count = self.sorts.len();
        let of_place = |answer: usize, place: usize| answer / count.pow(place as u32) % count;
        let mut units: Vec<Unit> = text
            .iter()
            .map(|unit| match unit {
                Open::Known(unit) => *unit,
                Open::Plain => Unit::Alone(self.sorts[0]),
                Open::High => Unit::High(self.sorts[0]),
                Open::Low => Unit::Low,
            })
            .collect();
        let answers: Vec<bool> = (0..count.pow(places.len() as u32))
            .map(|answer| {
                for (place, at) in places.iter().enumerate() {
                    let sort = self.sorts[of_place(answer, place)];
                    units[*at] = if text[*at] == Open::High { Unit::High(sort) } else { Unit::Alone(sort) };
                }
                self.is_final(&units, index)
            })
            .collect();
        let mut groups = Groups { of: Vec::new(), yes: Vec::new() };
        for place in 0..places.len() {
            let mut seen: Vec<Vec<bool>> = Vec::new();
            let of = (0..count).map(|sort| {
                let own = answers.iter().enumerate().filter(|(at, _)| of_place(*at, place) == sort);
                let own: Vec<bool> = own.map(|(_, answer)| *answer).collect();
                let known = seen.iter().position(|known| *known == own);
                known.unwrap_or_else(|| {
                    seen.push(own);
                    seen.len() - 1
                }) as u8
            });
            groups.of.push(of.collect());
        }
        for (at, _) in answers.iter().enumerate().filter(|(_, answer)| **answer) {
            let all = groups.of.iter().enumerate().map(|(place, of)| of[of_place(at, place)]);
            let all: Vec<u8> = all.collect();
            if !groups.yes.contains(&all) {
                groups.yes.push(all);
            }
        }
        let groups = Rc::new(groups);
        self.answers.insert(key, groups.clone());
        groups
    }
}

/// The iterator over a text: `sun.text.RuleBasedBreakIterator`.
struct Scan<'w> {
    words: &'w Words,
    text: &'w [Unit],
    at: usize,
    last_break: Option<usize>,
}

impl Scan<'_> {
    /// The character at a place; `None` at the end, and for the character that stands for the end.
    fn sort(&self, at: usize) -> Option<Sort> {
        let sort = match self.text.get(at)? {
            Unit::Alone(sort) | Unit::High(sort) => *sort,
            // The iterator is in the middle of a pair.
            Unit::Low => self.half(),
        };
        (!sort.ends).then_some(sort)
    }

    fn half(&self) -> Sort {
        self.words.sorts[usize::from(self.words.plain[0xdc00])]
    }

    fn width(&self, at: usize) -> usize {
        if matches!(self.text.get(at), Some(Unit::High(_))) { 2 } else { 1 }
    }

    fn next_index(&self) -> usize {
        (self.at + self.width(self.at)).min(self.text.len())
    }

    fn next(&mut self) -> Option<Sort> {
        let next = self.at + self.width(self.at);
        if self.at == self.text.len() || next >= self.text.len() {
            return None;
        }
        self.at = next;
        self.sort(next)
    }

    fn previous(&mut self) -> Option<Sort> {
        self.at = self.at.checked_sub(1)?;
        if self.text[self.at] == Unit::Low {
            self.at -= 1;
            return self.sort(self.at);
        }
        // From the middle of a pair its first half is seen alone.
        match self.text[self.at] {
            Unit::High(_) => Some(self.half()),
            _ => self.sort(self.at),
        }
    }

    fn step(&self, table: &[u16], state: usize, sort: Sort) -> usize {
        match sort.category {
            IGNORED => state,
            category => usize::from(table[state * self.words.categories + usize::from(category)]),
        }
    }

    fn handle_next(&mut self) -> Option<usize> {
        if self.at == self.text.len() {
            return None;
        }
        let words = self.words;
        let (mut result, mut ahead) = (self.next_index(), 0);
        let mut state = START;
        let mut sort = self.sort(self.at);
        while let Some(here) = sort
            && state != STOP
        {
            state = self.step(&words.states, state, here);
            match (words.looks_ahead[state], words.ends[state]) {
                (true, true) => result = ahead,
                (true, false) => ahead = self.next_index(),
                (false, true) => result = self.next_index(),
                (false, false) => {}
            }
            sort = self.next();
        }
        if sort.is_none() && ahead == self.text.len() {
            result = ahead;
        }
        self.at = result;
        Some(result)
    }

    fn handle_previous(&mut self) -> usize {
        let words = self.words;
        let mut state = START;
        let (mut category, mut last) = (0, 0);
        let mut sort = self.sort(self.at);
        while let Some(here) = sort
            && state != STOP
        {
            last = category;
            category = here.category;
            state = self.step(&words.backward, state, here);
            sort = self.previous();
        }
        if sort.is_some() {
            if last != IGNORED {
                self.next();
            }
            self.next();
        }
        self.at
    }

    fn following(&mut self, offset: usize) -> Option<usize> {
        self.at = offset;
        if offset == 0 {
            self.last_break = self.handle_next();
            return self.last_break;
        }
        let mut result = match self.last_break.filter(|known| *known < offset) {
            Some(known) => {
                self.at = known;
                Some(known)
            }
            None => Some(self.handle_previous()),
        };
        while result.is_some_and(|at| at <= offset) {
            result = self.handle_next();
        }
        self.last_break = result;
        result
    }

    fn is_boundary(&mut self, offset: usize) -> bool {
        offset == 0 || self.following(offset - 1) == Some(offset)
    }
}
