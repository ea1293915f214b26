//! The attributes of one entry, as far as they matter here.

use crate::lines::UnitFiles;
use crate::module::Slice;
use crate::{DebugError, FileId};
use gimli::{AttributeValue, DebuggingInformationEntry, DwAt, Dwarf, Operation, Unit};

/// The place of an entry in `.debug_info`.
pub(crate) type Place = usize;

/// A name longer than this is damage.
const LONGEST_NAME: usize = 4096;

/// The view of one entry.
pub(crate) struct Entry<'e, 'a> {
    pub(crate) dwarf: &'e Dwarf<Slice<'a>>,
    pub(crate) unit: &'e Unit<Slice<'a>>,
    pub(crate) entry: &'e DebuggingInformationEntry<Slice<'a>>,
    pub(crate) files: &'e UnitFiles,
}

impl Entry<'_, '_> {
    fn place_of(&self, offset: usize) -> Option<Place> {
        self.unit.header.debug_info_offset().map(|start| start.0.saturating_add(offset))
    }

    pub(crate) fn place(&self) -> Option<Place> {
        self.place_of(self.entry.offset().0)
    }

    pub(crate) fn text(&self, name: DwAt) -> Result<Option<String>, DebugError> {
        let Some(value) = self.entry.attr_value(name) else { return Ok(None) };
        let bytes = self.dwarf.attr_string(self.unit, value)?;
        let bytes = bytes.slice();
        Ok(Some(String::from_utf8_lossy(&bytes[..bytes.len().min(LONGEST_NAME)]).into_owned()))
    }

    pub(crate) fn number(&self, name: DwAt) -> Option<u64> {
        self.entry.attr_value(name)?.udata_value()
    }

    pub(crate) fn is_set(&self, name: DwAt) -> bool {
        matches!(self.entry.attr_value(name), Some(AttributeValue::Flag(true)))
    }

    pub(crate) fn reference(&self, name: DwAt) -> Option<Place> {
        match self.entry.attr_value(name)? {
            AttributeValue::UnitRef(offset) => self.place_of(offset.0),
            AttributeValue::DebugInfoRef(offset) => Some(offset.0),
            _ => None,
        }
    }

    pub(crate) fn ty(&self) -> Option<Place> {
        self.reference(gimli::DW_AT_type)
    }

    pub(crate) fn origin(&self) -> Option<Place> {
        self.reference(gimli::DW_AT_specification).or_else(|| self.reference(gimli::DW_AT_abstract_origin))
    }

    pub(crate) fn declared(&self) -> Option<(FileId, u32)> {
        let file = match self.entry.attr_value(gimli::DW_AT_decl_file)? {
            AttributeValue::FileIndex(index) => index,
            other => other.udata_value()?,
        };
        Some((self.files.get(file)?, u32::try_from(self.number(gimli::DW_AT_decl_line)?).ok()?))
    }

    /// The code offsets of a function, where it has one range of code.
    pub(crate) fn range(&self) -> Result<Option<(u32, u32)>, DebugError> {
        let mut ranges = self.dwarf.die_ranges(self.unit, self.entry)?;
        let Some(range) = ranges.next()? else { return Ok(None) };
        Ok(u32::try_from(range.begin).ok().zip(u32::try_from(range.end).ok()))
    }

    /// The address of a variable, where it is fixed.
    pub(crate) fn address(&self) -> Result<Option<u32>, DebugError> {
        let Some(value) = self.entry.attr_value(gimli::DW_AT_location) else { return Ok(None) };
        let Some(expression) = value.exprloc_value() else { return Ok(None) };
        let mut operations = expression.operations(self.unit.encoding());
        let address = match operations.next()? {
            Some(Operation::Address { address }) => address,
            Some(Operation::AddressIndex { index }) => self.dwarf.address(self.unit, index)?,
            _ => return Ok(None),
        };
        let more = match operations.next()? {
            None => 0,
            Some(Operation::PlusConstant { value }) => value,
            Some(_) => return Ok(None),
        };
        Ok(address.checked_add(more).and_then(|address| u32::try_from(address).ok()))
    }
}
