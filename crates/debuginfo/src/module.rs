//! The sections of a module that matter here.

use crate::DebugError;
use gimli::{Dwarf, EndianSlice, LittleEndian, SectionId};
use std::collections::BTreeMap;
use wasmparser::{KnownCustom, Name, Parser, Payload, TypeRef};

/// The bytes of a section.
pub(crate) type Slice<'a> = EndianSlice<'a, LittleEndian>;

/// Where the functions' bodies are.
#[derive(Debug, Default)]
pub(crate) struct Bodies {
    /// The index of the first.
    imported: u32,
    /// Code offsets, in order.
    ranges: Vec<(u32, u32)>,
}

impl Bodies {
    pub(crate) fn range(&self, index: u32) -> Option<(u32, u32)> {
        self.ranges.get(index.checked_sub(self.imported)? as usize).copied()
    }

    pub(crate) fn index_at(&self, offset: u32) -> Option<u32> {
        let after = self.ranges.partition_point(|range| range.0 <= offset);
        let range = self.ranges[..after].last().filter(|range| offset < range.1);
        range.map(|_| self.imported + after as u32 - 1)
    }
}

/// What was found.
#[derive(Default)]
pub(crate) struct Module<'a> {
    pub(crate) code_start: u64,
    /// The length of the code section's contents.
    pub(crate) code_bytes: u32,
    pub(crate) bodies: Bodies,
    pub(crate) names: BTreeMap<u32, String>,
    /// Custom sections with debug information.
    sections: Vec<(&'a str, &'a [u8])>,
}

impl<'a> Module<'a> {
    /// The DWARF sections; a missing one is empty.
    pub(crate) fn dwarf(&self) -> Dwarf<Slice<'a>> {
        let load = |id: SectionId| -> Result<Slice<'a>, std::convert::Infallible> {
            let found = self.sections.iter().find(|(name, _)| *name == id.name());
            Ok(EndianSlice::new(found.map_or(&[], |(_, data)| data), LittleEndian))
        };
        match Dwarf::load(load) {
            Ok(dwarf) => dwarf,
            Err(never) => match never {},
        }
    }
}

/// Walks over the sections. The code itself is not looked into.
pub(crate) fn read(bytes: &[u8]) -> Result<Module<'_>, DebugError> {
    let mut module = Module::default();
    for payload in Parser::new(0).parse_all(bytes) {
        match payload? {
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    let is_function = matches!(import?.ty, TypeRef::Func(_) | TypeRef::FuncExact(_));
                    module.bodies.imported += u32::from(is_function);
                }
            }
            Payload::CodeSectionStart { unchecked_range: range, .. } => {
                module.code_start = range.start;
                module.code_bytes = offset(range.start, range.end);
            }
            Payload::CodeSectionEntry(body) => {
                let (range, start) = (body.range(), module.code_start);
                module.bodies.ranges.push((offset(start, range.start), offset(start, range.end)));
            }
            Payload::CustomSection(section) if section.name().starts_with(".debug_") => {
                module.sections.push((section.name(), section.data()));
            }
            Payload::CustomSection(section) => {
                if let KnownCustom::Name(names) = section.as_known() {
                    read_names(names, &mut module.names)?;
                }
            }
            _ => {}
        }
    }
    Ok(module)
}

fn read_names(
    names: wasmparser::NameSectionReader<'_>,
    found: &mut BTreeMap<u32, String>,
) -> Result<(), DebugError> {
    for part in names {
        if let Name::Function(map) = part? {
            for naming in map {
                let naming = naming?;
                found.insert(naming.index, naming.name.to_string());
            }
        }
    }
    Ok(())
}

/// How far `at` is behind `start`. Code offsets have 32 bits, as addresses in DWARF of wasm32 do.
fn offset(start: u64, at: u64) -> u32 {
    u32::try_from(at.saturating_sub(start)).unwrap_or(u32::MAX)
}
