//! The memory of the program, as WASI's calls read and write it.

use super::Errno;

/// The memory of the program; whatever lies outside of it is FAULT.
pub(super) struct Guest<'a> {
    bytes: &'a mut [u8],
}

impl<'a> Guest<'a> {
    pub(super) fn new(bytes: &'a mut [u8]) -> Guest<'a> {
        Guest { bytes }
    }

    pub(super) fn slice(&mut self, at: u64, length: u64) -> Result<&mut [u8], Errno> {
        let end = at.checked_add(length).ok_or(Errno::FAULT)?;
        self.bytes.get_mut(at as usize..end as usize).ok_or(Errno::FAULT)
    }

    pub(super) fn write(&mut self, at: u64, bytes: &[u8]) -> Result<(), Errno> {
        self.slice(at, bytes.len() as u64)?.copy_from_slice(bytes);
        Ok(())
    }

    pub(super) fn write_u32(&mut self, at: u64, value: u32) -> Result<(), Errno> {
        self.write(at, &value.to_le_bytes())
    }

    pub(super) fn write_u64(&mut self, at: u64, value: u64) -> Result<(), Errno> {
        self.write(at, &value.to_le_bytes())
    }

    /// A little-endian number of up to 8 bytes.
    pub(super) fn number(&mut self, at: u64, size: u64) -> Result<u64, Errno> {
        let mut bytes = [0; 8];
        bytes[..size as usize].copy_from_slice(self.slice(at, size)?);
        Ok(u64::from_le_bytes(bytes))
    }

    /// The buffers of a vector of addresses and lengths, all of them inside of memory.
    pub(super) fn buffers(&mut self, at: u64, count: u64) -> Result<Vec<(u64, u64)>, Errno> {
        self.slice(at, count * 8)?;
        let mut buffers = Vec::new();
        for number in 0..count {
            let start = self.number(at + number * 8, 4)?;
            let length = self.number(at + number * 8 + 4, 4)?;
            self.slice(start, length)?;
            if length > 0 {
                buffers.push((start, length));
            }
        }
        Ok(buffers)
    }

    /// A path.
    pub(super) fn path(&mut self, at: u64, length: u64) -> Result<String, Errno> {
        let bytes = self.slice(at, length)?.to_vec();
        String::from_utf8(bytes).map_err(|_| Errno::ILSEQ)
    }
}
