//! One state of an LMDB file, read without LMDB: no map, no lock, no crash.
//!
//! A reader takes the newer of the two meta pages and follows its tree with `pread`. LMDB never overwrites a
//! page that the last two snapshots use, so the pages read are consistent if the newest transaction is still
//! at most one further ([`Snapshot::is_intact`]); otherwise the caller reads again. Readers therefore leave
//! no trace in LMDB's reader table, cannot become stale, and work on read-only media.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use super::page::{self, Data, Fault, META_BYTES, Meta, PAGE_HEADER_BYTES, Page, Place, Span, Tree};
use super::pages::Pages;

/// Why a snapshot cannot be read.
#[derive(Debug)]
pub(super) enum Trouble {
    Io(io::Error),
    Damaged(Fault),
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Trouble {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Trouble::Damaged(String::from("the file is too short")),
            _ => Trouble::Io(error),
        }
    }
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Trouble {
        Trouble::Damaged(fault)
    }
}

/// The size of a page on most machines.
const USUAL_PAGE_BYTES: usize = 4096;
/// More than one batch of writes can take.
const MAX_UNWRITTEN_BYTES: u64 = 1 << 30;

pub(super) struct Snapshot<'f> {
    file: &'f File,
    pub(super) meta: Meta,
}

/// An entry met on a walk.
pub(super) struct Entry<'a> {
    pub key: &'a [u8],
    snapshot: &'a Snapshot<'a>,
    page: &'a Page<'a>,
    data: Data,
}

impl Entry<'_> {
    /// The size of the value.
    pub(super) fn bytes(&self) -> usize {
        match &self.data {
            Data::Inline(range) => range.len(),
            Data::Overflow { bytes, .. } => *bytes,
        }
    }

    /// Reads the value.
    pub(super) fn with<R>(&self, read: impl FnOnce(&[u8]) -> R) -> Result<R, Trouble> {
        match &self.data {
            Data::Inline(range) => Ok(read(self.page.slice(range.clone()))),
            Data::Overflow { page, bytes } => Ok(read(&self.snapshot.overflow(*page, *bytes)?)),
        }
    }
}

/// Whether a walk continues after an entry.
pub(super) type Step = std::ops::ControlFlow<()>;

impl<'f> Snapshot<'f> {
    /// The newest snapshot of a file; `None` if the file is still empty.
    pub(super) fn newest(file: &'f File) -> Result<Option<Snapshot<'f>>, Trouble> {
        // Both at once where pages have the usual size.
        let mut both = [0; USUAL_PAGE_BYTES + META_BYTES];
        if file.read_exact_at(&mut both, 0).is_err() {
            both.fill(0);
            if let Err(error) = file.read_exact_at(&mut both[..META_BYTES], 0) {
                let empty = file.metadata().is_ok_and(|data| data.len() == 0);
                return if empty { Ok(None) } else { Err(error.into()) };
            }
        }
        let (first, second) = both.split_at_mut(USUAL_PAGE_BYTES);
        let first = Meta::check(first, 0)?;
        if first.page_bytes != USUAL_PAGE_BYTES {
            file.read_exact_at(second, first.page_bytes as u64)?;
        }
        let second = Meta::check(second, 1)?;
        if first.page_bytes != second.page_bytes {
            return Err(Trouble::Damaged(String::from("the meta pages contradict each other")));
        }
        let meta = if first.transaction < second.transaction { second } else { first };
        Ok(Some(Snapshot { file, meta }))
    }

    /// Checks that the file is about as long as its meta page says. It may be shorter by pages that were
    /// taken and freed in one transaction; without this check, a flipped bit makes LMDB map terabytes.
    pub(super) fn check_length(&self) -> Result<(), Trouble> {
        let claimed = self.meta.end * self.meta.page_bytes as u64;
        if claimed > self.file.metadata()?.len() + MAX_UNWRITTEN_BYTES {
            return Err(Trouble::Damaged(String::from("the file is much shorter than it says")));
        }
        Ok(())
    }

    /// Whether no page of this snapshot can have been overwritten yet.
    pub(super) fn is_intact(&self) -> bool {
        match Snapshot::newest(self.file) {
            // The same number with other contents means that the meta page was read while it was written.
            Ok(Some(now)) if now.meta.transaction == self.meta.transaction => now.meta == self.meta,
            Ok(Some(now)) => now.meta.transaction == self.meta.transaction + 1,
            _ => true,
        }
    }

    /// Whether this is still the newest snapshot.
    pub(super) fn is_newest(&self) -> bool {
        !matches!(Snapshot::newest(self.file), Ok(Some(now)) if now.meta != self.meta)
    }

    fn read(&self, number: u64, buffer: &mut Vec<u8>) -> Result<(), Trouble> {
        buffer.resize(self.meta.page_bytes, 0);
        self.file.read_exact_at(buffer, number * self.meta.page_bytes as u64).map_err(|error| {
            match error.kind() {
                io::ErrorKind::UnexpectedEof => {
                    Trouble::Damaged(format!("page {number} is beyond the end of the file"))
                }
                _ => Trouble::Io(error),
            }
        })
    }

    fn overflow(&self, number: u64, bytes: usize) -> Result<Vec<u8>, Trouble> {
        self.check_overflow(number, bytes)?;
        let at = number * self.meta.page_bytes as u64 + PAGE_HEADER_BYTES as u64;
        // Memory is allocated only if the file really holds so many bytes.
        if self.file.metadata()?.len() < at + bytes as u64 {
            return Err(Trouble::Damaged(format!("page {number} is beyond the end of the file")));
        }
        let mut value = vec![0; bytes];
        self.file.read_exact_at(&mut value, at)?;
        Ok(value)
    }

    fn check_overflow(&self, number: u64, bytes: usize) -> Result<(), Trouble> {
        let mut header = [0; PAGE_HEADER_BYTES];
        self.file.read_exact_at(&mut header, number * self.meta.page_bytes as u64)?;
        let pages = page::overflow_pages(bytes, self.meta.page_bytes);
        Ok(page::check_overflow(&header, number, pages)?)
    }

    /// Reads the value of a key, checking every page on the way that `pages` does not know.
    pub(super) fn find<R>(
        &self,
        key: &[u8],
        pages: &Pages,
        read: impl FnOnce(&[u8]) -> R,
    ) -> Result<Option<R>, Trouble> {
        let tree = &self.meta.main;
        let Some(root) = tree.root else { return Ok(None) };
        let mut place = self.root_place(tree, root);
        let mut buffer = Vec::new();
        for level in 1..=tree.depth {
            place.is_leaf = level == tree.depth;
            let known = pages.get(&self.meta, place.number);
            let page = match &known {
                Some(bytes) => Page::checked_before(bytes, &place),
                None => self.check_and_keep(&place, pages, &mut buffer)?,
            };
            if place.is_leaf {
                let Ok(index) = page.search(key) else { return Ok(None) };
                let entry = Entry { key, snapshot: self, page: &page, data: page.data(index) };
                return entry.with(read).map(Some);
            }
            let index = page.descend(key);
            place.span = page.child_span(index, &place.span);
            place.number = page.child(index);
        }
        Ok(None)
    }

    /// Reads and checks a page, and keeps it in `pages`.
    fn check_and_keep<'b>(
        &self,
        place: &Place,
        pages: &Pages,
        buffer: &'b mut Vec<u8>,
    ) -> Result<Page<'b>, Trouble> {
        self.read(place.number, buffer)?;
        let page = Page::check(buffer, place)?;
        // Only what cannot have been overwritten while it was read.
        if pages.keeps(place.is_leaf) && self.is_newest() {
            pages.insert(&self.meta, place.number, Arc::from(&**buffer));
        }
        Ok(page)
    }

    fn root_place(&self, tree: &Tree, root: u64) -> Place {
        Place {
            number: root,
            is_leaf: tree.depth == 1,
            order: tree.order,
            end: self.meta.end,
            span: Span::default(),
        }
    }

    /// Walks all entries behind `after`, in the order of their keys. Damaged pages go to `damage`, and the
    /// walk continues with the next page.
    pub(super) fn walk(
        &self,
        tree: &Tree,
        after: Option<&[u8]>,
        each: &mut dyn FnMut(Entry<'_>) -> Step,
        damage: &mut dyn FnMut(Trouble),
    ) {
        if let Some(root) = tree.root {
            let mut walk = Walk { snapshot: self, pages: None, after, each, damage };
            let _ = walk.page(self.root_place(tree, root), tree.depth);
        }
    }

    /// As [`Snapshot::walk`], over the tree of entries and by way of the pages known from lookups: for short
    /// walks that `each` breaks off, of which there are many.
    pub(super) fn walk_from(
        &self,
        after: &[u8],
        pages: &Pages,
        each: &mut dyn FnMut(Entry<'_>) -> Step,
        damage: &mut dyn FnMut(Trouble),
    ) {
        let tree = &self.meta.main;
        if let Some(root) = tree.root {
            let mut walk = Walk { snapshot: self, pages: Some(pages), after: Some(after), each, damage };
            let _ = walk.page(self.root_place(tree, root), tree.depth);
        }
    }

    /// Checks the tree of free pages: its pages, and that the lists in it name pages of the file. LMDB takes
    /// pages from these lists before it writes.
    pub(super) fn check_free(&self) -> Result<(), Trouble> {
        let mut result = Ok(());
        let (mut wrong, mut damaged) = (None, None);
        let end = self.meta.end;
        self.walk(
            &self.meta.free,
            None,
            &mut |entry| {
                match entry.with(|list| is_page_list(list, end) && entry.key.len() == 8) {
                    Ok(true) => return Step::Continue(()),
                    Ok(false) => {
                        wrong = Some(Trouble::Damaged(String::from("a list of free pages is damaged")))
                    }
                    Err(trouble) => wrong = Some(trouble),
                }
                Step::Break(())
            },
            &mut |trouble| damaged = Some(trouble),
        );
        if let Some(trouble) = damaged.or(wrong) {
            result = Err(trouble);
        }
        result
    }

    /// Checks every page of both trees.
    pub(super) fn check_all(&self) -> Result<(), Trouble> {
        self.check_free()?;
        let mut found = None;
        let mut damaged = None;
        let mut entries = 0;
        self.walk(
            &self.meta.main,
            None,
            &mut |entry| {
                entries += 1;
                match entry.check() {
                    Ok(()) => Step::Continue(()),
                    Err(trouble) => {
                        found = Some(trouble);
                        Step::Break(())
                    }
                }
            },
            &mut |trouble| damaged = Some(trouble),
        );
        if let Some(trouble) = damaged.or(found) {
            return Err(trouble);
        }
        if entries != self.meta.main.entries {
            let fault = format!("{entries} entries where {} were written", self.meta.main.entries);
            return Err(Trouble::Damaged(fault));
        }
        Ok(())
    }
}

impl Entry<'_> {
    /// Checks where the value lies, without reading it.
    fn check(&self) -> Result<(), Trouble> {
        match &self.data {
            Data::Inline(_) => Ok(()),
            Data::Overflow { page, bytes } => self.snapshot.check_overflow(*page, *bytes),
        }
    }
}

/// A list of free pages: a count, then that many page numbers, falling.
fn is_page_list(list: &[u8], end: u64) -> bool {
    if list.len() < 8 || !list.len().is_multiple_of(8) || page::u64_at(list, 0) > (list.len() / 8 - 1) as u64
    {
        return false;
    }
    let mut above = end;
    list[8..].chunks_exact(8).take(page::u64_at(list, 0) as usize).all(|word| {
        let number = page::u64_at(word, 0);
        let falls = (2..above).contains(&number);
        above = number;
        falls
    })
}

struct Walk<'w> {
    snapshot: &'w Snapshot<'w>,
    pages: Option<&'w Pages>,
    after: Option<&'w [u8]>,
    each: &'w mut dyn FnMut(Entry<'_>) -> Step,
    damage: &'w mut dyn FnMut(Trouble),
}

impl Walk<'_> {
    fn page(&mut self, mut place: Place, levels: u16) -> Step {
        place.is_leaf = levels == 1;
        let mut buffer = Vec::new();
        let known = self.pages.and_then(|pages| pages.get(&self.snapshot.meta, place.number));
        let page = match (&known, self.pages) {
            (Some(bytes), _) => Ok(Page::checked_before(bytes, &place)),
            (None, Some(pages)) => self.snapshot.check_and_keep(&place, pages, &mut buffer),
            (None, None) => {
                let read = self.snapshot.read(place.number, &mut buffer);
                read.and_then(|()| Ok(Page::check(&buffer, &place)?))
            }
        };
        let page = match page {
            Ok(page) => page,
            Err(trouble) => {
                (self.damage)(trouble);
                return Step::Continue(());
            }
        };
        if place.is_leaf {
            return self.leaf(&page);
        }
        let start = self.after.map_or(0, |after| page.descend(after));
        for index in start..page.count() {
            let span = page.child_span(index, &place.span);
            self.page(Place { number: page.child(index), span, ..place }, levels - 1)?;
        }
        Step::Continue(())
    }

    fn leaf(&mut self, page: &Page<'_>) -> Step {
        let start = match self.after.map(|after| page.search(after)) {
            None => 0,
            Some(Ok(index)) => index + 1,
            Some(Err(index)) => index,
        };
        for index in start..page.count() {
            let (key, data) = (page.key(index), page.data(index));
            (self.each)(Entry { key, snapshot: self.snapshot, page, data })?;
        }
        Step::Continue(())
    }
}
