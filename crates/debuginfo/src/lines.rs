//! Line programs: which line the code at an offset comes from.
//!
//! A program gives rows in sequences; a row holds up to the next one. All sequences of all units are put into
//! one table of ranges that is sorted and free of overlaps, so that a look-up is a binary search. Sequences
//! of functions that the linker dropped begin at an address behind the code.

use crate::module::Slice;
use crate::{DebugError, FileId, Line, LineRange};
use gimli::{AttributeValue, ColumnType, Dwarf, LineProgramHeader, Unit};
use std::collections::HashMap;

/// The files of all units.
#[derive(Default)]
pub(crate) struct Files {
    pub(crate) paths: Vec<String>,
    by_path: HashMap<String, u32>,
}

impl Files {
    fn add(&mut self, path: String) -> FileId {
        if let Some(&id) = self.by_path.get(&path) {
            return FileId(id);
        }
        let id = u32::try_from(self.paths.len()).unwrap_or(u32::MAX);
        self.paths.push(path.clone());
        self.by_path.insert(path, id);
        FileId(id)
    }
}

/// The files of one unit, by the numbers of its line program.
#[derive(Default)]
pub(crate) struct UnitFiles(Vec<Option<FileId>>);

impl UnitFiles {
    pub(crate) fn get(&self, number: u64) -> Option<FileId> {
        self.0.get(usize::try_from(number).ok()?).copied().flatten()
    }
}

/// A path longer than this is damage.
const LONGEST_PATH: usize = 4096;

/// Reads the line program of a unit.
pub(crate) fn read<'a>(
    dwarf: &Dwarf<Slice<'a>>,
    unit: &Unit<Slice<'a>>,
    code_bytes: u32,
    files: &mut Files,
    lines: &mut Vec<LineRange>,
) -> Result<UnitFiles, DebugError> {
    let Some(program) = unit.line_program.clone() else { return Ok(UnitFiles::default()) };
    let header = program.header();
    let first = u64::from(header.version() < 5);
    let count = header.file_names().len() as u64 + first;
    let folder = |index| header.directory(index).map(|value| text(dwarf, unit, value)).transpose();
    let mut unit_files = UnitFiles::default();
    let mut folders = HashMap::new();
    for number in 0..count {
        let known = if number < first { None } else { header.file(number) };
        let Some(file) = known else {
            unit_files.0.push(None);
            continue;
        };
        let index = file.directory_index();
        let folder = match folders.entry(index) {
            std::collections::hash_map::Entry::Occupied(found) => found.into_mut(),
            std::collections::hash_map::Entry::Vacant(empty) => {
                empty.insert(whole_folder(folder(index)?, header, dwarf, unit)?)
            }
        };
        let path = join(folder, &text(dwarf, unit, file.path_name())?);
        unit_files.0.push(Some(files.add(path)));
    }
    read_rows(program, code_bytes, &unit_files, lines)?;
    Ok(unit_files)
}

/// A folder of the program below the folder in which the compiler ran.
fn whole_folder<'a>(
    folder: Option<String>,
    header: &LineProgramHeader<Slice<'a>>,
    dwarf: &Dwarf<Slice<'a>>,
    unit: &Unit<Slice<'a>>,
) -> Result<String, DebugError> {
    let base = header.directory(0).map(|value| text(dwarf, unit, value)).transpose()?.unwrap_or_default();
    Ok(match folder {
        Some(folder) if folder != base => join(&base, &folder),
        _ => base,
    })
}

fn text<'a>(
    dwarf: &Dwarf<Slice<'a>>,
    unit: &Unit<Slice<'a>>,
    value: AttributeValue<Slice<'a>>,
) -> Result<String, DebugError> {
    let bytes = dwarf.attr_string(unit, value)?;
    let bytes = bytes.slice();
    Ok(String::from_utf8_lossy(&bytes[..bytes.len().min(LONGEST_PATH)]).into_owned())
}

fn join(folder: &str, name: &str) -> String {
    if name.starts_with('/') || folder.is_empty() { name.to_string() } else { format!("{folder}/{name}") }
}

fn read_rows(
    program: gimli::IncompleteLineProgram<Slice<'_>>,
    code_bytes: u32,
    files: &UnitFiles,
    lines: &mut Vec<LineRange>,
) -> Result<(), DebugError> {
    let mut rows = program.rows();
    let mut open: Option<LineRange> = None;
    while let Some((_, row)) = rows.next_row()? {
        // An address behind the code belongs to a function that the linker dropped.
        let address = u32::try_from(row.address()).ok().filter(|&address| address <= code_bytes);
        if let (Some(range), Some(end)) = (open.take(), address)
            && range.start < end
        {
            lines.push(LineRange { end, ..range });
        }
        if let (false, Some(start), Some(file)) = (row.end_sequence(), address, files.get(row.file_index())) {
            let line = row.line().map_or(0, |line| u32::try_from(line.get()).unwrap_or(0));
            let column = match row.column() {
                ColumnType::LeftEdge => 0,
                ColumnType::Column(column) => u32::try_from(column.get()).unwrap_or(0),
            };
            let line = Line { file, line, column };
            open = Some(LineRange { start, end: start, line, is_statement: row.is_stmt() });
        }
    }
    Ok(())
}

/// Sorts and removes overlaps, which only damaged information has: the later range begins where the earlier
/// ends.
pub(crate) fn sort(lines: &mut Vec<LineRange>) {
    lines.sort_by_key(|range| (range.start, range.end));
    let mut last = 0;
    for range in lines.iter_mut() {
        range.start = range.start.max(last);
        last = last.max(range.end);
    }
    lines.retain(|range| range.start < range.end);
}
