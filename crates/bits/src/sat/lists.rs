//! One list for each literal, all in one pool: no allocation per literal.
//!
//! A fresh solver knows all clauses of its query before it looks at the first one. It counts first
//! ([`Lists::plan`]), so each list has its exact room and filling is a sequence of stores. A list that grows
//! later moves to the end of the pool with twice the room; its old place stays unused until `clear`.

use super::Lit;

#[derive(Clone, Copy, Default)]
struct Head {
    start: u32,
    len: u32,
    room: u32,
}

/// Lists of `T` by literal.
pub(super) struct Lists<T> {
    heads: Vec<Head>,
    pool: Vec<T>,
}

impl<T: Copy + Default> Lists<T> {
    pub(super) fn new() -> Self {
        Lists { heads: Vec::new(), pool: Vec::new() }
    }

    /// Forgets all lists and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.heads.clear();
        self.pool.clear();
    }

    /// Makes lists for all literals of `vars` variables.
    pub(super) fn grow(&mut self, vars: usize) {
        self.heads.resize(2 * vars, Head::default());
    }

    pub(super) fn is_empty(&self) -> bool {
        self.pool.is_empty()
    }

    /// Counts an entry that will be pushed. Only while [`Lists::is_empty`].
    #[inline]
    pub(super) fn count(&mut self, lit: Lit) {
        self.heads[lit.index()].room += 1;
    }

    /// Gives each list the room that was counted.
    pub(super) fn plan(&mut self) {
        let mut start = 0;
        for head in &mut self.heads {
            head.start = start;
            start += head.room;
        }
        self.pool.resize(start as usize, T::default());
    }

    #[inline]
    pub(super) fn push(&mut self, lit: Lit, item: T) {
        let mut head = self.heads[lit.index()];
        if head.len == head.room {
            head = self.moved(head);
        }
        self.pool[(head.start + head.len) as usize] = item;
        head.len += 1;
        self.heads[lit.index()] = head;
    }

    /// A list of twice the room at the end of the pool, with the old entries.
    #[cold]
    fn moved(&mut self, old: Head) -> Head {
        let start = self.pool.len();
        let room = (old.room * 2).max(4);
        self.pool.extend_from_within(old.start as usize..(old.start + old.len) as usize);
        self.pool.resize(start + room as usize, T::default());
        Head { start: start as u32, len: old.len, room }
    }

    /// Where the entries of a literal lie in the pool.
    #[inline]
    pub(super) fn range(&self, lit: Lit) -> std::ops::Range<usize> {
        let head = self.heads[lit.index()];
        head.start as usize..(head.start + head.len) as usize
    }

    /// The entries of a literal.
    #[inline]
    pub(super) fn of(&self, lit: Lit) -> &[T] {
        &self.pool[self.range(lit)]
    }

    #[inline]
    pub(super) fn at(&self, place: usize) -> T {
        self.pool[place]
    }

    #[inline]
    pub(super) fn put(&mut self, place: usize, item: T) {
        self.pool[place] = item;
    }

    /// Keeps the first `len` entries of a literal.
    #[inline]
    pub(super) fn truncate(&mut self, lit: Lit, len: usize) {
        self.heads[lit.index()].len = len as u32;
    }

    /// Keeps the entries that `keep` makes anew; the rest is removed.
    pub(super) fn rewrite(&mut self, mut keep: impl FnMut(T) -> Option<T>) {
        for head in &mut self.heads {
            let mut len = 0;
            for at in head.start..head.start + head.len {
                if let Some(item) = keep(self.pool[at as usize]) {
                    self.pool[(head.start + len) as usize] = item;
                    len += 1;
                }
            }
            head.len = len;
        }
    }
}
