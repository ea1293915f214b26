//! Proofs as values: the log of a solver, and what is left of it after trimming.

use crate::sat::Lit;
use std::ops::Range;

/// A clause that a hint names: one of the input, or a line of the proof.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Premise(u32);

impl Premise {
    /// The clause of the input with this number, from 0 on.
    #[inline]
    pub fn original(number: u32) -> Premise {
        Premise(number << 1)
    }

    /// The clause of the line with this number, from 0 on.
    #[inline]
    pub fn line(number: u32) -> Premise {
        Premise(number << 1 | 1)
    }

    /// Whether it is a line of the proof.
    #[inline]
    pub fn is_line(self) -> bool {
        self.0 & 1 == 1
    }

    /// The number of the clause, or of the line.
    #[inline]
    pub fn number(self) -> u32 {
        self.0 >> 1
    }

    pub(crate) fn code(self) -> u32 {
        self.0
    }

    pub(crate) fn from_code(code: u32) -> Premise {
        Premise(code)
    }
}

/// Lines in two pools.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
struct Lines {
    lits: Vec<Lit>,
    hints: Vec<Premise>,
    /// Where the literals and the hints of each line end.
    ends: Vec<(u32, u32)>,
}

impl Lines {
    fn push(&mut self, lits: &[Lit], hints: &[Premise]) -> Premise {
        self.lits.extend_from_slice(lits);
        self.hints.extend_from_slice(hints);
        self.ends.push((self.lits.len() as u32, self.hints.len() as u32));
        Premise::line(self.ends.len() as u32 - 1)
    }

    fn ranges(&self, line: usize) -> (Range<usize>, Range<usize>) {
        let (lits, hints) = if line == 0 { (0, 0) } else { self.ends[line - 1] };
        let (lits_end, hints_end) = self.ends[line];
        (lits as usize..lits_end as usize, hints as usize..hints_end as usize)
    }

    fn lits(&self, line: usize) -> &[Lit] {
        &self.lits[self.ranges(line).0]
    }

    fn hints(&self, line: usize) -> &[Premise] {
        &self.hints[self.ranges(line).1]
    }
}

/// All that a solver derived, in order.
#[derive(Clone, Default, Debug)]
pub struct Log {
    lines: Lines,
}

impl Log {
    /// Adds a line: a clause and its hints.
    pub fn push(&mut self, lits: &[Lit], hints: &[Premise]) -> Premise {
        self.lines.push(lits, hints)
    }

    /// Forgets all lines and keeps the memory.
    pub fn clear(&mut self) {
        self.lines.lits.clear();
        self.lines.hints.clear();
        self.lines.ends.clear();
    }

    /// How many lines there are.
    pub fn len(&self) -> usize {
        self.lines.ends.len()
    }

    /// Whether there is no line.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What leads to the last line, which must be the empty clause: lines that nothing uses are left out, the
    /// others get new numbers, and their literals are sorted.
    pub fn proof(&self) -> Option<Proof> {
        let last = self.len().checked_sub(1)?;
        if !self.lines.lits(last).is_empty() {
            return None;
        }
        let mut is_used = vec![false; self.len()];
        is_used[last] = true;
        for line in (0..=last).rev() {
            if is_used[line] {
                for hint in self.lines.hints(line).iter().filter(|hint| hint.is_line()) {
                    is_used[hint.number() as usize] = true;
                }
            }
        }
        let mut numbers = vec![0; self.len()];
        let mut proof = Lines::default();
        let (mut lits, mut hints) = (Vec::new(), Vec::new());
        for line in (0..=last).filter(|&line| is_used[line]) {
            lits.clear();
            lits.extend_from_slice(self.lines.lits(line));
            lits.sort_unstable();
            hints.clear();
            hints.extend(self.lines.hints(line).iter().map(|hint| match hint.is_line() {
                true => Premise::line(numbers[hint.number() as usize]),
                false => *hint,
            }));
            numbers[line] = proof.push(&lits, &hints).number();
        }
        Some(Proof { lines: proof })
    }
}

/// A refutation: lines of which the last is the empty clause.
///
/// It has the form of a proof and may still be wrong: [`super::check`] decides that. The form: there is a
/// line; literals of a line are sorted, without repetition, and of different variables; only the last line is
/// empty; a line has hints; hints name lines before their own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    lines: Lines,
}

impl Proof {
    /// The proof of these lines, or nothing if they do not have the form of one.
    pub fn from_lines<'a>(lines: impl IntoIterator<Item = (&'a [Lit], &'a [Premise])>) -> Option<Proof> {
        let mut proof = Lines::default();
        let mut is_ended = false;
        for (at, (lits, hints)) in lines.into_iter().enumerate() {
            let is_sorted = lits.windows(2).all(|pair| pair[0].var() < pair[1].var());
            let is_before = |hint: &Premise| !hint.is_line() || (hint.number() as usize) < at;
            if is_ended || !is_sorted || hints.is_empty() || !hints.iter().all(is_before) {
                return None;
            }
            is_ended = lits.is_empty();
            proof.push(lits, hints);
        }
        is_ended.then_some(Proof { lines: proof })
    }

    /// How many lines there are.
    #[allow(clippy::len_without_is_empty)] // there is always the empty clause
    pub fn len(&self) -> usize {
        self.lines.ends.len()
    }

    /// The clause of a line.
    pub fn lits(&self, line: usize) -> &[Lit] {
        self.lines.lits(line)
    }

    /// The hints of a line.
    pub fn hints(&self, line: usize) -> &[Premise] {
        self.lines.hints(line)
    }

    /// The numbers of the clauses of the input that hints name, sorted.
    pub fn originals(&self) -> Vec<u32> {
        let originals = self.lines.hints.iter().filter(|hint| !hint.is_line());
        let mut numbers: Vec<u32> = originals.map(|hint| hint.number()).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }
}
