//! Tables for documents.

use std::fmt::Write as _;

/// The cells of a row.
pub(crate) type Row = Vec<String>;

/// Rows as a Markdown table, aligned for readers of the text too; the first row is its head, the first column
/// stands left.
pub(crate) fn markdown(rows: &[Row]) -> String {
    let columns = rows[0].len();
    let width = |c: usize| rows.iter().map(|r| r[c].chars().count()).max().unwrap_or(0).max(3);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for (i, row) in rows.iter().enumerate() {
        for (c, cell) in row.iter().enumerate() {
            let pad = " ".repeat(widths[c] - cell.chars().count());
            let _ = if c == 0 { write!(text, "| {cell}{pad} ") } else { write!(text, "| {pad}{cell} ") };
        }
        text.push_str("|\n");
        if i == 0 {
            let rule = |c: usize| match c {
                0 => format!("|{}", "-".repeat(widths[c] + 2)),
                c => format!("|{}:", "-".repeat(widths[c] + 1)),
            };
            let _ = writeln!(text, "{}|", (0..columns).map(rule).collect::<String>());
        }
    }
    text
}

/// Rows in columns for a terminal; the first column stands left.
pub(crate) fn aligned(rows: &[Row]) -> String {
    let columns = rows[0].len();
    let width = |c: usize| rows.iter().map(|r| r[c].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        for (c, cell) in row.iter().enumerate() {
            let pad = " ".repeat(widths[c] - cell.chars().count());
            let _ = if c == 0 { write!(text, "{cell}{pad}") } else { write!(text, "  {pad}{cell}") };
        }
        text.push('\n');
    }
    text
}
