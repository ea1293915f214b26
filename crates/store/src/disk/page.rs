//! A page of an LMDB file, read with every bound checked.
//!
//! LMDB trusts its file: a flipped bit in a page sends it outside the map, and the process dies. We therefore
//! read the file ourselves and let LMDB write only where every page on its way has passed [`Page::check`].
//! The layout is that of data version 1 (`mdb.c`, structures `MDB_page`, `MDB_node`, `MDB_meta`), which has
//! not changed since 2011; numbers are in the machine's byte order, as LMDB writes them.

use std::cmp::Ordering;
use std::ops::Range;

#[cfg(not(target_pointer_width = "64"))]
compile_error!("the disk store reads the 64-bit layout of LMDB files");

pub(super) const PAGE_HEADER_BYTES: usize = 16;
const NODE_HEADER_BYTES: usize = 8;
const MAGIC: u32 = 0xBEEF_C0DE;
const DATA_VERSION: u32 = 1;
const BRANCH: u16 = 0x01;
const LEAF: u16 = 0x02;
const OVERFLOW: u16 = 0x04;
const META: u16 = 0x08;
const INTEGER_KEY: u16 = 0x08;
const BIG_DATA: u16 = 0x01;
/// Our keys are at most this long; LMDB would allow 511.
const MAX_KEY_BYTES: usize = 64;
const MAX_DEPTH: u16 = 32;
const NO_PAGE: u64 = u64::MAX;

/// Bytes of a meta page that matter.
pub(super) const META_BYTES: usize = PAGE_HEADER_BYTES + 24 + 2 * 48 + 16;

/// Why a page or a file is not as LMDB left it.
pub(super) type Fault = String;

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_ne_bytes([bytes[at], bytes[at + 1]])
}

pub(super) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_ne_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

pub(super) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(&bytes[at..at + 8]);
    u64::from_ne_bytes(word)
}

/// One of the two trees of a file: free pages, or entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tree {
    pub order: Order,
    pub depth: u16,
    pub entries: u64,
    /// `None` when the tree is empty.
    pub root: Option<u64>,
}

/// How a tree compares its keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// Native 64-bit numbers (the tree of free pages).
    Numbers,
    /// Bytes, then length.
    Bytes,
}

impl Order {
    fn compare(self, left: &[u8], right: &[u8]) -> Ordering {
        match self {
            Order::Numbers if left.len() == 8 && right.len() == 8 => u64_at(left, 0).cmp(&u64_at(right, 0)),
            _ => left.cmp(right),
        }
    }
}

/// The start of a snapshot: one of the two meta pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Meta {
    pub transaction: u64,
    pub page_bytes: usize,
    /// The first page number that is not in use.
    pub end: u64,
    pub free: Tree,
    pub main: Tree,
}

impl Meta {
    /// Reads meta page `number` from its first [`META_BYTES`] bytes.
    pub(super) fn check(bytes: &[u8], number: u64) -> Result<Meta, Fault> {
        let body = &bytes[PAGE_HEADER_BYTES..META_BYTES];
        if u16_at(bytes, 10) != META || u32_at(body, 0) != MAGIC {
            return Err(format!("meta page {number} has no LMDB stamp"));
        }
        if u32_at(body, 4) != DATA_VERSION || u64_at(bytes, 0) != number {
            return Err(format!("meta page {number} has an unknown layout"));
        }
        let page_bytes = u32_at(body, 24) as usize;
        let end = u64_at(body, 24 + 96).checked_add(1).unwrap_or(0);
        if !page_bytes.is_power_of_two()
            || !(512..=32768).contains(&page_bytes)
            || !(2..1 << 47).contains(&end)
        {
            return Err(format!("meta page {number} has impossible sizes"));
        }
        let tree = |at: usize, flags: u16, order| -> Result<Tree, Fault> {
            let root = u64_at(body, at + 40);
            let depth = u16_at(body, at + 6);
            let empty = root == NO_PAGE;
            let sane = empty == (depth == 0) && depth <= MAX_DEPTH && (empty || (2..end).contains(&root));
            if u16_at(body, at + 4) != flags || !sane {
                return Err(format!("meta page {number} describes an impossible tree"));
            }
            Ok(Tree { order, depth, entries: u64_at(body, at + 32), root: (!empty).then_some(root) })
        };
        Ok(Meta {
            transaction: u64_at(body, 24 + 104),
            page_bytes,
            end,
            free: tree(24, INTEGER_KEY, Order::Numbers)?,
            main: tree(24 + 48, 0, Order::Bytes)?,
        })
    }
}

/// A key copied out of a page.
#[derive(Clone, Copy)]
pub(super) struct KeyCopy {
    bytes: [u8; MAX_KEY_BYTES],
    length: usize,
}

impl KeyCopy {
    fn new(key: &[u8]) -> KeyCopy {
        let mut bytes = [0; MAX_KEY_BYTES];
        bytes[..key.len()].copy_from_slice(key);
        KeyCopy { bytes, length: key.len() }
    }

    pub(super) fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

/// The keys that a page may hold, as its parents say: from (inclusive), to (exclusive).
#[derive(Clone, Copy, Default)]
pub(super) struct Span {
    pub from: Option<KeyCopy>,
    pub to: Option<KeyCopy>,
}

/// Where a page lies in its file and tree.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub number: u64,
    pub is_leaf: bool,
    pub order: Order,
    /// The first page number beyond the file's pages.
    pub end: u64,
    pub span: Span,
}

/// A value in a leaf: in the page itself, or on pages of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Data {
    Inline(Range<usize>),
    Overflow { page: u64, bytes: usize },
}

/// A branch or leaf page that passed every check.
pub(super) struct Page<'b> {
    bytes: &'b [u8],
    count: usize,
    order: Order,
}

impl<'b> Page<'b> {
    /// Checks a whole page: header, every node, the order of the keys, and that they lie in the page's span.
    pub(super) fn check(bytes: &'b [u8], place: &Place) -> Result<Page<'b>, Fault> {
        let fault = |what: &str| Err(format!("page {}: {what}", place.number));
        let (lower, upper) = (usize::from(u16_at(bytes, 12)), usize::from(u16_at(bytes, 14)));
        if u64_at(bytes, 0) != place.number || u16_at(bytes, 10) != if place.is_leaf { LEAF } else { BRANCH }
        {
            return fault("not the page that was written there");
        }
        if lower < PAGE_HEADER_BYTES || !lower.is_multiple_of(2) || lower > upper || upper > bytes.len() {
            return fault("impossible bounds");
        }
        let page = Page { bytes, count: (lower - PAGE_HEADER_BYTES) / 2, order: place.order };
        if page.count < if place.is_leaf { 1 } else { 2 } {
            return fault("no nodes");
        }
        let mut used = 0;
        for index in 0..page.count {
            let at = page.node_at(index);
            if at < upper || !at.is_multiple_of(2) || at + NODE_HEADER_BYTES > bytes.len() {
                return fault("a node outside the page");
            }
            let size = page.node_bytes(index, place.is_leaf);
            if page.key_bytes(index) > MAX_KEY_BYTES || size > bytes.len() - at {
                return fault("a node too long");
            }
            used += size;
            let points_outside = match (place.is_leaf, page.node_flags(index)) {
                (true, 0) => false,
                (true, BIG_DATA) => match page.data(index) {
                    Data::Overflow { page, bytes: size } => {
                        !(2..place.end).contains(&page)
                            || overflow_pages(size, bytes.len()) > place.end - page
                    }
                    Data::Inline(_) => true,
                },
                (true, _) => true,
                (false, _) => !(2..place.end).contains(&page.child(index)),
            };
            if points_outside {
                return fault("a node that points nowhere");
            }
        }
        if used != bytes.len() - upper {
            return fault("nodes that overlap");
        }
        page.check_order(place).map(|()| page)
    }

    /// A page that passed [`Page::check`] in the same place of the same snapshot.
    pub(super) fn checked_before(bytes: &'b [u8], place: &Place) -> Page<'b> {
        let lower = usize::from(u16_at(bytes, 12));
        Page { bytes, count: (lower - PAGE_HEADER_BYTES) / 2, order: place.order }
    }

    fn check_order(&self, place: &Place) -> Result<(), Fault> {
        // A branch's first key is not used: it stands for everything smaller.
        let first = usize::from(!place.is_leaf);
        let ordered = |left: &[u8], right: &[u8]| self.order.compare(left, right);
        let mut sorted =
            (first + 1..self.count).all(|i| ordered(self.key(i - 1), self.key(i)) == Ordering::Less);
        if let Some(from) = &place.span.from {
            sorted &= ordered(from.as_slice(), self.key(first)) != Ordering::Greater;
        }
        if let Some(to) = &place.span.to {
            sorted &= ordered(self.key(self.count - 1), to.as_slice()) == Ordering::Less;
        }
        if sorted { Ok(()) } else { Err(format!("page {}: keys out of order", place.number)) }
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    fn node_at(&self, index: usize) -> usize {
        usize::from(u16_at(self.bytes, PAGE_HEADER_BYTES + 2 * index))
    }

    fn node_flags(&self, index: usize) -> u16 {
        u16_at(self.bytes, self.node_at(index) + 4)
    }

    fn key_bytes(&self, index: usize) -> usize {
        usize::from(u16_at(self.bytes, self.node_at(index) + 6))
    }

    fn low_word(&self, index: usize) -> u32 {
        // Two 16-bit halves whose order follows the byte order: together a native 32-bit number.
        u32_at(self.bytes, self.node_at(index))
    }

    /// The bytes of a node in the page, header and padding included.
    fn node_bytes(&self, index: usize, is_leaf: bool) -> usize {
        let data = match (is_leaf, self.node_flags(index) & BIG_DATA) {
            (false, _) => 0,
            (true, 0) => self.low_word(index) as usize,
            (true, _) => 8,
        };
        (NODE_HEADER_BYTES + self.key_bytes(index) + data).next_multiple_of(2)
    }

    /// The key of a node.
    pub(super) fn key(&self, index: usize) -> &'b [u8] {
        let at = self.node_at(index) + NODE_HEADER_BYTES;
        &self.bytes[at..at + self.key_bytes(index)]
    }

    /// The child of a branch's node.
    pub(super) fn child(&self, index: usize) -> u64 {
        u64::from(self.low_word(index)) | u64::from(self.node_flags(index)) << 32
    }

    /// The value of a leaf's node.
    pub(super) fn data(&self, index: usize) -> Data {
        let at = self.node_at(index) + NODE_HEADER_BYTES + self.key_bytes(index);
        let bytes = self.low_word(index) as usize;
        match self.node_flags(index) & BIG_DATA {
            0 => Data::Inline(at..at + bytes),
            _ => Data::Overflow { page: u64_at(self.bytes, at), bytes },
        }
    }

    /// The bytes of a range that [`Page::data`] gave.
    pub(super) fn slice(&self, range: Range<usize>) -> &'b [u8] {
        &self.bytes[range]
    }

    /// The node of a leaf with this key, or where it would be.
    pub(super) fn search(&self, key: &[u8]) -> Result<usize, usize> {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = (low + high) / 2;
            match self.order.compare(self.key(middle), key) {
                Ordering::Equal => return Ok(middle),
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
            }
        }
        Err(low)
    }

    /// The node of a branch below which a key lies.
    pub(super) fn descend(&self, key: &[u8]) -> usize {
        let (mut low, mut high) = (1, self.count);
        while low < high {
            let middle = (low + high) / 2;
            match self.order.compare(self.key(middle), key) {
                Ordering::Greater => high = middle,
                _ => low = middle + 1,
            }
        }
        low - 1
    }

    /// The keys that a branch's child may hold.
    pub(super) fn child_span(&self, index: usize, span: &Span) -> Span {
        Span {
            from: if index == 0 { span.from } else { Some(KeyCopy::new(self.key(index))) },
            to: if index + 1 == self.count { span.to } else { Some(KeyCopy::new(self.key(index + 1))) },
        }
    }
}

/// How many pages a value on pages of its own takes.
pub(super) fn overflow_pages(bytes: usize, page_bytes: usize) -> u64 {
    ((PAGE_HEADER_BYTES - 1 + bytes) / page_bytes + 1) as u64
}

/// Checks the header of a value's first own page.
pub(super) fn check_overflow(header: &[u8], number: u64, pages: u64) -> Result<(), Fault> {
    let right = u64_at(header, 0) == number
        && u16_at(header, 10) == OVERFLOW
        && u64::from(u32_at(header, 12)) == pages;
    if right { Ok(()) } else { Err(format!("page {number}: not the value that was written there")) }
}
