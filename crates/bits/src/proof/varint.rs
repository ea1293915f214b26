//! Reading bytes that somebody else has written: strict, and without a panic.

/// Appends a number, seven bits a byte, the lowest first; the highest bit says that more follow.
pub(super) fn put(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// The bytes that are left to read.
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { bytes }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Everything that is left.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.bytes
    }

    pub(super) fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(first)
    }

    /// Takes bytes off the front if these are what is there.
    pub(super) fn skip(&mut self, prefix: &[u8]) -> bool {
        match self.bytes.strip_prefix(prefix) {
            Some(rest) => {
                self.bytes = rest;
                true
            }
            None => false,
        }
    }

    /// A number of 64 bits in the one form that it has.
    pub(super) fn number(&mut self) -> Option<u64> {
        let mut value = 0u64;
        for at in 0..10 {
            let byte = self.byte()?;
            let digit = u64::from(byte & 0x7f);
            if at == 9 && digit > 1 {
                return None;
            }
            value |= digit << (7 * at);
            if byte & 0x80 == 0 {
                return (at == 0 || byte != 0).then_some(value);
            }
        }
        None
    }

    pub(super) fn small(&mut self) -> Option<u32> {
        u32::try_from(self.number()?).ok()
    }

    /// How many things follow, of which each takes at least one byte: so no number that was read decides
    /// how much memory is taken before the bytes for it are there.
    pub(super) fn count(&mut self) -> Option<usize> {
        let count = usize::try_from(self.number()?).ok()?;
        (count <= self.bytes.len()).then_some(count)
    }

    /// That many bytes.
    pub(super) fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(count)?;
        self.bytes = rest;
        Some(taken)
    }

    /// Takes that many bytes off the front.
    pub(super) fn drop(&mut self, count: usize) -> Option<()> {
        self.bytes = self.bytes.get(count..)?;
        Some(())
    }
}
