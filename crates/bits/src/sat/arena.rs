//! All clauses in one vector of words: length, premise, literals.
//!
//! The premise is the clause's name in a proof. It has a word of its own even while no proof is written: the
//! words of short clauses are read in conflicts only (see `propagate.rs`).

use super::Lit;
use crate::lrat::Premise;

/// Where a clause lies in the arena.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Ref(u32);

impl Ref {
    /// No clause: the reason of decisions.
    pub(super) const NONE: Ref = Ref(u32::MAX);

    /// The place as a number: clauses are ordered by it.
    pub(super) fn word(self) -> u32 {
        self.0
    }
}

const HEADER: usize = 2;
/// In place of a length: the clause moved, and its new place is in the second word.
const MOVED: u32 = u32::MAX;

#[derive(Default)]
pub(super) struct Arena {
    words: Vec<u32>,
}

impl Arena {
    pub(super) fn clear(&mut self) {
        self.words.clear();
    }

    pub(super) fn push(&mut self, lits: &[Lit], premise: Premise) -> Ref {
        let at = Ref(self.words.len() as u32);
        let (len, premise) = (lits.len() as u32, premise.code());
        // Arrays are copied by a store or two; nearly all clauses are as short as this.
        match *lits {
            [a, b] => self.words.extend_from_slice(&[len, premise, a.code(), b.code()]),
            [a, b, c] => self.words.extend_from_slice(&[len, premise, a.code(), b.code(), c.code()]),
            _ => {
                self.words.extend_from_slice(&[len, premise]);
                self.words.extend(lits.iter().map(|lit| lit.code()));
            }
        }
        at
    }

    #[inline]
    pub(super) fn len(&self, clause: Ref) -> usize {
        self.words[clause.0 as usize] as usize
    }

    #[inline]
    pub(super) fn premise(&self, clause: Ref) -> Premise {
        Premise::from_code(self.words[clause.0 as usize + 1])
    }

    /// The literals as codes.
    #[inline]
    pub(super) fn codes(&self, clause: Ref) -> &[u32] {
        let start = clause.0 as usize + HEADER;
        &self.words[start..start + self.len(clause)]
    }

    #[inline]
    pub(super) fn codes_mut(&mut self, clause: Ref) -> &mut [u32] {
        let start = clause.0 as usize + HEADER;
        let len = self.words[clause.0 as usize] as usize;
        &mut self.words[start..start + len]
    }

    #[inline]
    pub(super) fn lits(&self, clause: Ref) -> impl Iterator<Item = Lit> + '_ {
        self.codes(clause).iter().map(|&code| Lit::from_code(code))
    }

    #[inline]
    pub(super) fn lit(&self, clause: Ref, at: usize) -> Lit {
        Lit::from_code(self.words[clause.0 as usize + HEADER + at])
    }

    /// The place after the last clause.
    pub(super) fn end(&self) -> Ref {
        Ref(self.words.len() as u32)
    }

    /// The place after a clause: the next clause, or the end.
    pub(super) fn next(&self, clause: Ref) -> Ref {
        Ref(clause.0 + (HEADER + self.len(clause)) as u32)
    }

    /// The first clause, or the end.
    pub(super) fn start(&self) -> Ref {
        Ref(0)
    }

    /// Moves the clauses that `keep` wants to the start. Until [`Arena::settle`] their new places are known
    /// by [`Arena::moved`].
    pub(super) fn compact(&mut self, mut keep: impl FnMut(Ref) -> bool) -> Compacted {
        let mut words = Vec::with_capacity(self.words.len());
        let mut clause = self.start();
        while clause != self.end() {
            let next = self.next(clause);
            if keep(clause) {
                let to = words.len() as u32;
                words.extend_from_slice(&self.words[clause.0 as usize..next.0 as usize]);
                self.words[clause.0 as usize] = MOVED;
                self.words[clause.0 as usize + 1] = to;
            }
            clause = next;
        }
        Compacted { words }
    }

    /// Where a clause went, or nothing if it was dropped.
    pub(super) fn moved(&self, clause: Ref) -> Option<Ref> {
        (self.words[clause.0 as usize] == MOVED).then(|| Ref(self.words[clause.0 as usize + 1]))
    }

    /// The same for a reason, which may be none.
    pub(super) fn moved_or_none(&self, reason: Ref) -> Ref {
        if reason == Ref::NONE { reason } else { self.moved(reason).expect("reasons are kept") }
    }

    /// Ends a compaction.
    pub(super) fn settle(&mut self, compacted: Compacted) {
        self.words = compacted.words;
    }
}

/// The words of the clauses that are kept.
pub(super) struct Compacted {
    words: Vec<u32>,
}
