//! Cells that were printed as JSON: those that take long are run once, on a machine that has time.

use super::{Cell, End, paper};
use evergreen_java::heap::Technique;
use evergreen_java::heap::lazy::Pruned;
use serde_json::Value;
use std::path::PathBuf;

/// The cells in some files, in the order of the paper's tables; of two runs of a cell the one that finished,
/// or the later one.
pub(super) fn cells(files: &[PathBuf]) -> Result<Vec<Cell>, String> {
    let mut cells: Vec<Cell> = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let value = serde_json::from_str(line).ok();
            let cell = value.and_then(|value| read(&value));
            let cell = cell.ok_or_else(|| format!("{}:{}: no cell", file.display(), at + 1))?;
            let same =
                |c: &Cell| (c.subject, c.technique, c.scope) == (cell.subject, cell.technique, cell.scope);
            match cells.iter().position(same) {
                Some(old) if cell.end == End::Done || cells[old].end != End::Done => cells[old] = cell,
                Some(_) => {}
                None => cells.push(cell),
            }
        }
    }
    let order = paper::subjects();
    let place = |subject: &str| order.iter().position(|name| *name == subject);
    cells.sort_by_key(|cell| (place(cell.subject), cell.technique, cell.scope));
    Ok(cells)
}

fn read(value: &Value) -> Option<Cell> {
    let count = |of: &Value, name: &str| of[name].as_u64();
    let by = &value["pruned_by"];
    let name = value["subject"].as_str()?;
    Some(Cell {
        subject: paper::subjects().into_iter().find(|subject| *subject == name)?,
        technique: Technique::named(value["technique"].as_str()?)?,
        scope: usize::try_from(count(value, "scope")?).ok()?,
        structures: count(value, "structures")?,
        paths: count(value, "paths").or_else(|| count(value, "structures"))?,
        bugs: count(value, "bugs")?,
        pruned: Pruned {
            offered: count(value, "offered")?,
            by_bounds: count(by, "bounds")?,
            by_precondition: count(by, "precondition")?,
            by_labels: count(by, "labels")?,
            by_feasibility: count(by, "feasibility")?,
            ..Pruned::default()
        },
        sat_calls: count(value, "sat_calls")?,
        seconds: value["seconds"].as_f64()?,
        cpu_seconds: value["cpu_seconds"].as_f64()?,
        bounds_seconds: value["bounds_seconds"].as_f64()?,
        bounds_calls: count(value, "bounds_calls")?,
        peak_bytes: count(value, "peak_bytes"),
        end: match value["end"].as_str()? {
            "done" => End::Done,
            "time" => End::Time,
            _ => End::Interrupted,
        },
    })
}
