//! The tables beside the code, moved along: handlers, lines, variables. An unknown table might hold offsets
//! and is dropped; so are the stack maps.

use super::layout::Layout;
use crate::bytes::{Cursor, ReadError};
use crate::code::Code;
use crate::pool::ConstantPool;

/// Writes a `Code` attribute: the new code of `layout`, the tables of the `old` attribute
/// moved to where things are now.
pub(super) fn write(
    old: &[u8],
    code: &Code,
    layout: &Layout<'_>,
    max_stack: u16,
    pool: &ConstantPool,
) -> Result<Vec<u8>, ReadError> {
    let new = layout.write();
    let mut to = Vec::with_capacity(new.len() + 64);
    to.extend(max_stack.to_be_bytes());
    to.extend(code.max_locals.to_be_bytes());
    to.extend((new.len() as u32).to_be_bytes());
    to.extend(new);
    let mut from = Cursor::new(old);
    from.take(4)?;
    let size = from.u32()?;
    from.take(size as usize)?;
    let handlers = from.u16()?;
    to.extend(handlers.to_be_bytes());
    for handler in &code.handlers {
        from.take(6)?;
        for place in [handler.from, handler.to, handler.target] {
            to.extend((layout.label(place) as u16).to_be_bytes());
        }
        to.extend(from.u16()?.to_be_bytes());
    }
    let moved = Moved { code, layout };
    let mut kept = Vec::new();
    for _ in 0..from.u16()? {
        let name = from.u16()?;
        let size = from.u32()?;
        let mut body = from.part(size as usize)?;
        let table = match &**pool.utf8(name)? {
            "LineNumberTable" => moved.lines(&mut body),
            "LocalVariableTable" | "LocalVariableTypeTable" => moved.variables(&mut body),
            _ => continue,
        };
        // A table for debuggers that cannot be read is no reason to go without probes.
        if let Ok(table) = table {
            kept.push((name, table));
        }
    }
    to.extend((kept.len() as u16).to_be_bytes());
    for (name, table) in kept {
        to.extend(name.to_be_bytes());
        to.extend((table.len() as u32).to_be_bytes());
        to.extend(table);
    }
    Ok(to)
}

struct Moved<'a> {
    code: &'a Code,
    layout: &'a Layout<'a>,
}

impl Moved<'_> {
    /// Where the first instruction at `offset` or later is now.
    fn offset(&self, offset: u32) -> u32 {
        self.layout.label(self.code.offsets.partition_point(|&o| o < offset) as u32)
    }

    fn lines(&self, from: &mut Cursor<'_>) -> Result<Vec<u8>, ReadError> {
        let count = from.u16()?;
        let mut to = count.to_be_bytes().to_vec();
        for _ in 0..count {
            let start = self.offset(u32::from(from.u16()?));
            to.extend((start as u16).to_be_bytes());
            to.extend(from.take(2)?);
        }
        Ok(to)
    }

    fn variables(&self, from: &mut Cursor<'_>) -> Result<Vec<u8>, ReadError> {
        let count = from.u16()?;
        let mut to = count.to_be_bytes().to_vec();
        for _ in 0..count {
            let (start, length) = (u32::from(from.u16()?), u32::from(from.u16()?));
            let (from_now, to_now) = (self.offset(start), self.offset(start + length));
            to.extend((from_now as u16).to_be_bytes());
            to.extend((to_now.saturating_sub(from_now) as u16).to_be_bytes());
            to.extend(from.take(6)?);
        }
        Ok(to)
    }
}
