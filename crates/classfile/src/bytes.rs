//! A cursor over big-endian bytes, and the error for malformed ones.

use std::fmt;

/// Why bytes are not a class file: a diagnostic about outside input, never a panic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// Byte offset in the input, where one is known.
    pub offset: Option<usize>,
    /// The error: lower case, no full stop.
    pub what: String,
}

impl ReadError {
    /// An error about the byte at `offset`.
    pub fn at(offset: usize, what: impl Into<String>) -> ReadError {
        ReadError { offset: Some(offset), what: what.into() }
    }

    /// An error that belongs to no single byte.
    pub fn new(what: impl Into<String>) -> ReadError {
        ReadError { offset: None, what: what.into() }
    }

    /// The same error, at `offset` unless a more exact place is already known.
    pub(crate) fn or_at(mut self, offset: usize) -> ReadError {
        self.offset.get_or_insert(offset);
        self
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.offset {
            Some(offset) => write!(f, "byte {offset}: {}", self.what),
            None => f.write_str(&self.what),
        }
    }
}

impl std::error::Error for ReadError {}

/// Reads forward through `bytes[at..end]`; offsets are those of the whole input.
#[derive(Clone)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    end: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Cursor<'a> {
        Cursor { bytes, at: 0, end: bytes.len() }
    }

    pub(crate) fn offset(&self) -> usize {
        self.at
    }

    pub(crate) fn left(&self) -> usize {
        self.end - self.at
    }

    pub(crate) fn take(&mut self, n: usize) -> Result<&'a [u8], ReadError> {
        if n > self.left() {
            return Err(ReadError::at(
                self.at,
                format!("the input ends: {n} bytes expected, {} left", self.left()),
            ));
        }
        let taken = &self.bytes[self.at..self.at + n];
        self.at += n;
        Ok(taken)
    }

    /// The next `n` bytes as a cursor of their own.
    pub(crate) fn part(&mut self, n: usize) -> Result<Cursor<'a>, ReadError> {
        let at = self.at;
        self.take(n)?;
        Ok(Cursor { bytes: self.bytes, at, end: at + n })
    }

    pub(crate) fn u8(&mut self) -> Result<u8, ReadError> {
        Ok(self.take(1)?[0])
    }

    pub(crate) fn u16(&mut self) -> Result<u16, ReadError> {
        let b = self.take(2)?;
        Ok(u16::from_be_bytes([b[0], b[1]]))
    }

    pub(crate) fn u32(&mut self) -> Result<u32, ReadError> {
        let b = self.take(4)?;
        Ok(u32::from_be_bytes([b[0], b[1], b[2], b[3]]))
    }

    pub(crate) fn u64(&mut self) -> Result<u64, ReadError> {
        Ok(u64::from(self.u32()?) << 32 | u64::from(self.u32()?))
    }

    pub(crate) fn i8(&mut self) -> Result<i8, ReadError> {
        Ok(self.u8()? as i8)
    }

    pub(crate) fn i16(&mut self) -> Result<i16, ReadError> {
        Ok(self.u16()? as i16)
    }

    pub(crate) fn i32(&mut self) -> Result<i32, ReadError> {
        Ok(self.u32()? as i32)
    }

    /// Complains about bytes that nothing has read.
    pub(crate) fn done(&self, what: &str) -> Result<(), ReadError> {
        match self.left() {
            0 => Ok(()),
            n => Err(ReadError::at(self.at, format!("{n} bytes too many at the end of {what}"))),
        }
    }
}
