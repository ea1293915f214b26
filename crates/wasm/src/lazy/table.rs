//! Types of what pointers lead to, as a harness describes them in memory (`struct evergreen_type`).

use super::{ARENA, Form};
use crate::machine::{Done, WasmMachine};
use crate::state::{Slot, State};
use std::rc::Rc;

/// A type as the table in memory has it.
pub(super) struct Described {
    pub(super) name: u32,
    pub(super) size: u32,
    pub(super) least: u32,
    pub(super) most: u32,
    /// The most objects that pointers share; 0 if each pointer has its own.
    pub(super) scope: u32,
    pub(super) form: Form,
    pub(super) fields: Vec<Field>,
}

pub(super) struct Field {
    pub(super) offset: u32,
    pub(super) size: u32,
    pub(super) count: u32,
    pub(super) ty: u32,
    pub(super) values: Option<Rc<[i64]>>,
    pub(super) name: String,
}

/// The most fields of a type, and values of an enumeration.
const MOST_ENTRIES: u32 = 4096;

impl WasmMachine {
    fn table_words<const N: usize>(&self, state: &State, address: u32) -> Option<[u32; N]> {
        if !state.memory.has(address.into(), 4 * N as u64) {
            return None;
        }
        let bytes = state.memory.read(address, 4 * N as u32);
        let word = |i: usize| u32::from_le_bytes(std::array::from_fn(|k| bytes[4 * i + k]));
        Some(std::array::from_fn(word))
    }

    pub(super) fn described(&mut self, state: &mut State, ty: u32) -> Done<Described> {
        match self.read_type(state, ty)? {
            Some(found) => Ok(found),
            None => self.unsupported(state, "a damaged table of types"),
        }
    }

    fn read_type(&mut self, state: &mut State, ty: u32) -> Done<Option<Described>> {
        let Some([name, size, least, most, scope, form, count, first]) = self.table_words(state, ty) else {
            return Ok(None);
        };
        let form = match form {
            0 => Form::Fields,
            1 => Form::Text,
            2 => Form::Values,
            _ => return Ok(None),
        };
        let room = u64::from(size) * u64::from(most);
        if count > MOST_ENTRIES || size == 0 || least > most || room > ARENA.into() {
            return Ok(None);
        }
        let mut fields = Vec::new();
        for number in 0..count {
            let Some([offset, size, items, ty, values, n, name]) =
                self.table_words(state, first + 28 * number)
            else {
                return Ok(None);
            };
            let values = if n == 0 || n > MOST_ENTRIES || !state.memory.has(values.into(), 4 * u64::from(n)) {
                None
            } else {
                let bytes = state.memory.read(values, 4 * n);
                let all =
                    bytes.chunks_exact(4).map(|w| i64::from(i32::from_le_bytes([w[0], w[1], w[2], w[3]])));
                Some(all.collect())
            };
            let name = self.name(state, Slot::Number(name.into()))?;
            fields.push(Field { offset, size, count: items, ty, values, name });
        }
        Ok(Some(Described { name, size, least, most, scope, form, fields }))
    }

    /// Bytes of a type.
    pub(crate) fn size_of(&mut self, state: &mut State, ty: u32) -> Done<u32> {
        Ok(self.described(state, ty)?.size)
    }
}
