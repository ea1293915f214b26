//! Linear memory as persistent pages: a copy is one reference count, and what a path writes it has alone.
//!
//! Three levels: a directory of chunks, a chunk is a page of WebAssembly (64 KiB) of 64 pages of 1 KiB. The
//! first write to a page after a fork copies that page and the way to it, some hundred nanoseconds; later
//! writes find it unshared.
//!
//! A page that has nothing but numbers is its bytes. Other pages have *marks*: which bytes are symbolic,
//! which are poisoned (no object of the program has them, so an access is a finding), and for symbolic bytes
//! the value that they came from. A load that finds all bytes of one stored value gives that value back; the
//! machine puts others together.

use evergreen_symbolic::Expr;
use std::rc::Rc;

/// Bytes of a page.
const PAGE: usize = 1024;
const PAGE_BITS: u32 = 10;
/// Pages of a chunk.
const PAGES: usize = 64;
/// Bytes of a chunk: a page of WebAssembly.
pub(crate) const CHUNK: u32 = 1 << 16;
const WORDS: usize = PAGE / 64;

/// What a symbolic byte is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cell {
    /// Byte `part` of the `width` low bytes of a value.
    Part { value: Expr, part: u8, width: u8 },
    /// A byte of an object that the program drew: it becomes an input when it is first read.
    Drawn { draw: u32, offset: u32 },
}

/// A byte of memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Byte {
    Number(u8),
    Symbolic(Cell),
}

#[derive(Clone, Default)]
struct Marks {
    symbolic: [u64; WORDS],
    poisoned: [u64; WORDS],
    /// Symbolic bytes by offset, sorted.
    cells: Vec<(u16, Cell)>,
}

impl Marks {
    fn is_empty(&self) -> bool {
        self.cells.is_empty() && self.poisoned.iter().all(|word| *word == 0)
    }

    fn cell(&self, offset: usize) -> Option<Cell> {
        let at = self.cells.binary_search_by_key(&(offset as u16), |cell| cell.0).ok()?;
        Some(self.cells[at].1)
    }

    fn set(&mut self, offset: usize, cell: Cell) {
        self.symbolic[offset / 64] |= 1 << (offset % 64);
        match self.cells.binary_search_by_key(&(offset as u16), |cell| cell.0) {
            Ok(at) => self.cells[at].1 = cell,
            Err(at) => self.cells.insert(at, (offset as u16, cell)),
        }
    }

    fn clear(&mut self, offset: usize) {
        let bit = 1 << (offset % 64);
        if self.symbolic[offset / 64] & bit != 0 {
            self.symbolic[offset / 64] &= !bit;
            if let Ok(at) = self.cells.binary_search_by_key(&(offset as u16), |cell| cell.0) {
                self.cells.remove(at);
            }
        }
    }
}

#[derive(Clone)]
struct Page {
    bytes: [u8; PAGE],
    marks: Option<Box<Marks>>,
}

impl Page {
    /// Where another page that begins at this address has other bytes; `None` if it has other objects.
    fn different(&self, other: &Page, start: u32, all: &mut Vec<u32>) -> Option<()> {
        const NONE: [u64; WORDS] = [0; WORDS];
        let poisoned = |page: &Page| page.marks.as_ref().map_or(NONE, |marks| marks.poisoned);
        if poisoned(self) != poisoned(other) {
            return None;
        }
        let cell = |page: &Page, at: usize| page.marks.as_ref().and_then(|marks| marks.cell(at));
        let is_plain = self.marks.is_none() && other.marks.is_none();
        let different = |at: &usize| match is_plain {
            true => self.bytes[*at] != other.bytes[*at],
            false => match (cell(self, *at), cell(other, *at)) {
                (None, None) => self.bytes[*at] != other.bytes[*at],
                (a, b) => a != b,
            },
        };
        all.extend((0..PAGE).filter(different).map(|at| start + at as u32));
        Some(())
    }
}

#[derive(Clone)]
struct Chunk {
    pages: [Rc<Page>; PAGES],
}

/// A memory.
#[derive(Clone)]
pub(crate) struct Memory {
    chunks: Rc<Vec<Rc<Chunk>>>,
    most: u32,
}

/// The outcome of a load.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Loaded {
    Number(u64),
    /// One value, stored as it is loaded.
    Value(Expr),
    /// Symbolic bytes that have to be put together.
    Bytes([Byte; 8]),
    /// A byte that no object has: its address.
    Poisoned(u32),
    /// Beyond the end.
    Outside,
}

fn bits(offset: usize, size: usize) -> (usize, u64) {
    let ones = if size == 64 { u64::MAX } else { (1 << size) - 1 };
    (offset / 64, ones << (offset % 64))
}

impl Memory {
    /// A memory of zeros with so many pages of 64 KiB.
    pub(crate) fn new(pages: u32, most: u32) -> Memory {
        let page = Rc::new(Page { bytes: [0; PAGE], marks: None });
        let chunk = Rc::new(Chunk { pages: std::array::from_fn(|_| page.clone()) });
        Memory { chunks: Rc::new(vec![chunk; pages as usize]), most }
    }

    /// Pages of 64 KiB.
    pub(crate) fn size(&self) -> u32 {
        self.chunks.len() as u32
    }

    /// Bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.chunks.len() as u64 * u64::from(CHUNK)
    }

    /// Adds pages; `None` if there may not be so many.
    pub(crate) fn grow(&mut self, by: u32) -> Option<u32> {
        let old = self.size();
        if u64::from(old) + u64::from(by) > u64::from(self.most) {
            return None;
        }
        if by > 0 {
            let fresh = Memory::new(1, 1);
            let chunks = Rc::make_mut(&mut self.chunks);
            chunks.resize(chunks.len() + by as usize, fresh.chunks[0].clone());
        }
        Some(old)
    }

    #[inline]
    fn page(&self, address: u32) -> &Page {
        &self.chunks[(address >> 16) as usize].pages[(address >> PAGE_BITS) as usize % PAGES]
    }

    #[inline]
    fn page_mut(&mut self, address: u32) -> &mut Page {
        let chunks = Rc::make_mut(&mut self.chunks);
        let chunk = Rc::make_mut(&mut chunks[(address >> 16) as usize]);
        Rc::make_mut(&mut chunk.pages[(address >> PAGE_BITS) as usize % PAGES])
    }

    /// Whether so many bytes from an address on exist.
    #[inline]
    pub(crate) fn has(&self, address: u64, size: u64) -> bool {
        address + size <= self.bytes()
    }

    /// Reads 1, 2, 4 or 8 bytes.
    #[inline]
    pub(crate) fn load(&self, address: u64, size: usize) -> Loaded {
        if address + size as u64 > self.bytes() {
            return Loaded::Outside;
        }
        let offset = address as usize % PAGE;
        if offset + size <= PAGE {
            let page = self.page(address as u32);
            if page.marks.is_none() {
                return Loaded::Number(number(&page.bytes[offset..], size));
            }
        }
        self.load_marked(address as u32, size)
    }

    fn load_marked(&self, address: u32, size: usize) -> Loaded {
        let offset = address as usize % PAGE;
        if offset + size <= PAGE
            && let page = self.page(address)
            && let Some(marks) = &page.marks
        {
            let (word, mask) = bits(offset, size);
            let crosses = offset % 64 + size > 64;
            if !crosses && (marks.symbolic[word] | marks.poisoned[word]) & mask == 0 {
                return Loaded::Number(number(&page.bytes[offset..], size));
            }
            if !crosses
                && marks.poisoned[word] & mask == 0
                && let Some(Cell::Part { value, part: 0, width }) = marks.cell(offset)
                && width as usize == size
                && (1..size)
                    .all(|i| marks.cell(offset + i) == Some(Cell::Part { value, part: i as u8, width }))
            {
                return Loaded::Value(value);
            }
        }
        let mut bytes = [Byte::Number(0); 8];
        for (i, byte) in bytes.iter_mut().enumerate().take(size) {
            let at = address + i as u32;
            if self.is_poisoned(at) {
                return Loaded::Poisoned(at);
            }
            *byte = self.byte(at);
        }
        let numbers = bytes.map(|byte| match byte {
            Byte::Number(n) => n,
            Byte::Symbolic(_) => 0,
        });
        if bytes.iter().all(|byte| matches!(byte, Byte::Number(_))) {
            return Loaded::Number(u64::from_le_bytes(numbers));
        }
        if let Byte::Symbolic(Cell::Part { value, part: 0, width }) = bytes[0]
            && width as usize == size
            && (1..size).all(|i| bytes[i] == Byte::Symbolic(Cell::Part { value, part: i as u8, width }))
        {
            return Loaded::Value(value);
        }
        Loaded::Bytes(bytes)
    }

    /// One byte, poisoned or not.
    pub(crate) fn byte(&self, address: u32) -> Byte {
        let page = self.page(address);
        let offset = address as usize % PAGE;
        match page.marks.as_ref().and_then(|marks| marks.cell(offset)) {
            Some(cell) => Byte::Symbolic(cell),
            None => Byte::Number(page.bytes[offset]),
        }
    }

    /// Whether no object has this byte.
    pub(crate) fn is_poisoned(&self, address: u32) -> bool {
        let offset = address as usize % PAGE;
        let marks = self.page(address).marks.as_ref();
        marks.is_some_and(|marks| marks.poisoned[offset / 64] & 1 << (offset % 64) != 0)
    }

    /// The first poisoned byte of a range that exists.
    pub(crate) fn first_poisoned(&self, address: u32, size: u32) -> Option<u32> {
        let mut at = address;
        let end = u64::from(address) + u64::from(size);
        while u64::from(at) < end {
            let next = (at | (PAGE as u32 - 1)).checked_add(1);
            if self.page(at).marks.is_some() {
                let last = next.map_or(end, |next| end.min(next.into()));
                if let Some(found) = (u64::from(at)..last).find(|a| self.is_poisoned(*a as u32)) {
                    return Some(found as u32);
                }
            }
            at = next?;
        }
        None
    }

    /// Writes the low bytes of a number. The range exists and is not poisoned: see [`Memory::check`].
    #[inline]
    pub(crate) fn store(&mut self, address: u32, size: usize, value: u64) {
        let offset = address as usize % PAGE;
        if offset + size <= PAGE {
            let page = self.page_mut(address);
            put(&mut page.bytes[offset..], size, value);
            if let Some(marks) = &mut page.marks {
                let (word, mask) = bits(offset, size);
                if offset % 64 + size > 64 || marks.symbolic[word] & mask != 0 {
                    (offset..offset + size).for_each(|at| marks.clear(at));
                    if marks.is_empty() {
                        page.marks = None;
                    }
                }
            }
            return;
        }
        for i in 0..size {
            self.set_byte(address + i as u32, Byte::Number((value >> (8 * i)) as u8));
        }
    }

    /// Whether a range can be written or read: `Number(0)` if it can.
    #[inline]
    pub(crate) fn check(&self, address: u64, size: usize) -> Loaded {
        if address + size as u64 > self.bytes() {
            return Loaded::Outside;
        }
        let offset = address as usize % PAGE;
        if offset + size <= PAGE {
            match &self.page(address as u32).marks {
                None => return Loaded::Number(0),
                Some(marks) => {
                    let (word, mask) = bits(offset, size);
                    if offset % 64 + size <= 64 && marks.poisoned[word] & mask == 0 {
                        return Loaded::Number(0);
                    }
                }
            }
        }
        match self.first_poisoned(address as u32, size as u32) {
            Some(at) => Loaded::Poisoned(at),
            None => Loaded::Number(0),
        }
    }

    /// Writes the low bytes of a symbolic value.
    pub(crate) fn store_value(&mut self, address: u32, size: usize, value: Expr) {
        for part in 0..size {
            let cell = Cell::Part { value, part: part as u8, width: size as u8 };
            self.set_byte(address + part as u32, Byte::Symbolic(cell));
        }
    }

    /// Writes a byte.
    pub(crate) fn set_byte(&mut self, address: u32, byte: Byte) {
        let page = self.page_mut(address);
        let offset = address as usize % PAGE;
        match byte {
            Byte::Number(n) => {
                page.bytes[offset] = n;
                if let Some(marks) = &mut page.marks {
                    marks.clear(offset);
                }
            }
            Byte::Symbolic(cell) => page.marks.get_or_insert_default().set(offset, cell),
        }
    }

    /// Writes numbers.
    pub(crate) fn write(&mut self, address: u32, bytes: &[u8]) {
        let mut address = address;
        let mut left = bytes;
        while !left.is_empty() {
            let offset = address as usize % PAGE;
            let (now, later) = left.split_at(left.len().min(PAGE - offset));
            let page = self.page_mut(address);
            page.bytes[offset..offset + now.len()].copy_from_slice(now);
            if let Some(marks) = &mut page.marks {
                (offset..offset + now.len()).for_each(|at| marks.clear(at));
            }
            address = address.wrapping_add(now.len() as u32);
            left = later;
        }
    }

    /// Fills a range with one number.
    pub(crate) fn fill(&mut self, address: u32, size: u32, value: u8) {
        let run = [value; PAGE];
        let (mut at, mut left) = (address, size as usize);
        while left > 0 {
            let now = left.min(PAGE);
            self.write(at, &run[..now]);
            at = at.wrapping_add(now as u32);
            left -= now;
        }
    }

    /// Copies a range, overlapping or not.
    pub(crate) fn copy(&mut self, to: u32, from: u32, size: u32) {
        if self.is_plain(from, size) {
            let bytes = self.read(from, size);
            self.write(to, &bytes);
            return;
        }
        let bytes: Vec<Byte> = (0..size).map(|i| self.byte(from + i)).collect();
        for (i, byte) in bytes.into_iter().enumerate() {
            self.set_byte(to + i as u32, byte);
        }
    }

    fn is_plain(&self, address: u32, size: u32) -> bool {
        (0..size).step_by(PAGE).chain(size.checked_sub(1)).all(|i| self.page(address + i).marks.is_none())
    }

    /// The numbers of a range; symbolic bytes are read as zero.
    pub(crate) fn read(&self, address: u32, size: u32) -> Vec<u8> {
        let mut all = Vec::with_capacity(size as usize);
        let (mut at, mut left) = (address, size as usize);
        while left > 0 {
            let offset = at as usize % PAGE;
            let now = left.min(PAGE - offset);
            all.extend_from_slice(&self.page(at).bytes[offset..offset + now]);
            at = at.wrapping_add(now as u32);
            left -= now;
        }
        all
    }

    /// Makes a range part of an object, or of none.
    pub(crate) fn poison(&mut self, address: u32, size: u32, poisoned: bool) {
        let end = u64::from(address) + u64::from(size);
        let mut at = u64::from(address);
        while at < end.min(self.bytes()) {
            let page_end = (at | (PAGE as u64 - 1)) + 1;
            let last = end.min(page_end);
            let page = self.page(at as u32);
            if poisoned || page.marks.is_some() {
                let page = self.page_mut(at as u32);
                let marks = page.marks.get_or_insert_default();
                for offset in at as usize % PAGE..=(last - 1) as usize % PAGE {
                    let bit = 1 << (offset % 64);
                    match poisoned {
                        true => marks.poisoned[offset / 64] |= bit,
                        false => marks.poisoned[offset / 64] &= !bit,
                    }
                }
                if marks.is_empty() {
                    page.marks = None;
                }
            }
            at = last;
        }
    }

    /// The addresses at which another memory has other bytes, in order, if there are at most so many and both
    /// have the same objects.
    pub(crate) fn different(&self, other: &Memory, most: usize) -> Option<Vec<u32>> {
        let mut all = Vec::new();
        if self.size() != other.size() {
            return None;
        }
        for (chunk, (a, b)) in (0u32..).zip(self.chunks.iter().zip(other.chunks.iter())) {
            if Rc::ptr_eq(a, b) {
                continue;
            }
            for (page, (a, b)) in (0u32..).zip(a.pages.iter().zip(&b.pages)) {
                if !Rc::ptr_eq(a, b) {
                    a.different(b, chunk * CHUNK + page * PAGE as u32, &mut all)?;
                    if all.len() > most {
                        return None;
                    }
                }
            }
        }
        Some(all)
    }

    /// The first byte of a range that is not poisoned; the range exists.
    pub(crate) fn first_object_byte(&self, first: u32, last: u32) -> Option<u32> {
        let mut at = first;
        while at <= last {
            let offset = at as usize % PAGE;
            let Some(marks) = &self.page(at).marks else { return Some(at) };
            let clean = !marks.poisoned[offset / 64] >> (offset % 64);
            if clean != 0 {
                return Some(at + clean.trailing_zeros()).filter(|at| *at <= last);
            }
            at = (at | 63).checked_add(1)?;
        }
        None
    }

    /// The bytes around an address that are not poisoned, at most so many to each side; empty if it is
    /// poisoned.
    pub(crate) fn around(&self, address: u32, most: u32) -> (u32, u32) {
        if !self.has(address.into(), 1) || self.is_poisoned(address) {
            return (address, address);
        }
        let least = address.saturating_sub(most);
        let mut low = address;
        while low > least {
            let page = (low - 1) & !(PAGE as u32 - 1);
            if self.page(low - 1).marks.is_none() {
                low = page.max(least);
            } else if self.is_poisoned(low - 1) {
                break;
            } else {
                low -= 1;
            }
        }
        let room = (self.bytes() - u64::from(address)).min(most.into()) as u32;
        let high = self.first_poisoned(address, room).unwrap_or(address + room);
        (low, high)
    }
}

#[inline]
fn number(bytes: &[u8], size: usize) -> u64 {
    match size {
        1 => bytes[0].into(),
        2 => u16::from_le_bytes([bytes[0], bytes[1]]).into(),
        4 => u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]).into(),
        _ => u64::from_le_bytes(std::array::from_fn(|i| bytes[i])),
    }
}

#[inline]
fn put(bytes: &mut [u8], size: usize, value: u64) {
    match size {
        1 => bytes[0] = value as u8,
        2 => bytes[..2].copy_from_slice(&(value as u16).to_le_bytes()),
        4 => bytes[..4].copy_from_slice(&(value as u32).to_le_bytes()),
        _ => bytes[..8].copy_from_slice(&value.to_le_bytes()),
    }
}
