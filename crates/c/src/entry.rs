//! What a module with a harness says of its entry: a custom section, so that a worker that gets nothing but
//! the module knows the function and its parameters.

use crate::harness::{Parameter, Sizes};
use serde::{Deserialize, Serialize};

/// The name of the section.
const NAME: &str = "evergreen.entry";

/// The function that a harness calls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct EntrySection {
    /// Its name.
    pub(crate) function: String,
    /// Its parameters.
    pub(crate) parameters: Vec<Parameter>,
    /// How large its inputs are, if there are pointers.
    pub(crate) sizes: Option<Sizes>,
}

fn number(mut n: usize, into: &mut Vec<u8>) {
    while n >= 0x80 {
        into.push(n as u8 | 0x80);
        n >>= 7;
    }
    into.push(n as u8);
}

fn read_number(bytes: &[u8], at: &mut usize) -> Option<usize> {
    let (mut n, mut shift) = (0usize, 0);
    loop {
        let byte = *bytes.get(*at)?;
        *at += 1;
        n |= usize::from(byte & 0x7f) << shift;
        shift += 7;
        if byte < 0x80 {
            return Some(n);
        }
        if shift > 28 {
            return None;
        }
    }
}

impl EntrySection {
    /// A module with this section behind all others.
    pub(crate) fn added_to(&self, mut module: Vec<u8>) -> Vec<u8> {
        let mut content = Vec::new();
        number(NAME.len(), &mut content);
        content.extend_from_slice(NAME.as_bytes());
        content.extend(serde_json::to_vec(self).unwrap_or_default());
        module.push(0);
        number(content.len(), &mut module);
        module.extend(content);
        module
    }

    /// The section of a module, if it has one.
    pub(crate) fn of(module: &[u8]) -> Option<EntrySection> {
        let mut at = 8;
        while at < module.len() {
            let id = module[at];
            at += 1;
            let size = read_number(module, &mut at)?;
            let content = module.get(at..at.checked_add(size)?)?;
            at += size;
            let mut from = 0;
            if id == 0
                && let Some(length) = read_number(content, &mut from)
                && content.get(from..from + length) == Some(NAME.as_bytes())
            {
                return serde_json::from_slice(&content[from + length..]).ok();
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_section_is_found_again() {
        let entry = EntrySection { function: "f".repeat(300), parameters: Vec::new(), sizes: None };
        let module = entry.added_to(b"\0asm\x01\0\0\0\x00\x02\x01x".to_vec());
        assert_eq!(EntrySection::of(&module), Some(entry));
        assert_eq!(EntrySection::of(b"\0asm\x01\0\0\0"), None);
        assert_eq!(EntrySection::of(&module[..module.len() - 1]), None);
    }
}
