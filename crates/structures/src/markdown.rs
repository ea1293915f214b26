//! Markdown for people: what comes from a program is quoted so that it is shown and not understood.

use crate::text::{Foreign, shown};
use std::fmt::Write as _;

/// Code in a line: in as many backticks as it needs, on one line, and whole in a cell of a table.
pub fn code(text: &str) -> String {
    let text = Foreign(text.replace(['\n', '\t'], " ")).to_string();
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let space = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{space}{}{space}{fence}", text.replace('|', "\\|"))
}

/// Words in which a program may have some of its own: on one line, with nothing that Markdown or HTML
/// understands.
pub fn plain(text: &str) -> String {
    let text = Foreign(text.replace(['\n', '\t'], " ")).to_string();
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        if "\\`*_[]<>|&~#!".contains(letter) {
            out.push('\\');
        }
        out.push(letter);
    }
    out
}

/// Code in lines of its own.
pub fn block(text: &str) -> String {
    let text = shown(text);
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat((longest + 1).max(3));
    format!("{fence}\n{}\n{fence}\n", text.trim_end())
}

/// A table; cells are Markdown.
pub fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let mut text = format!("| {} |\n|{}\n", head.join(" | "), "---|".repeat(head.len()));
    for row in rows {
        let _ = writeln!(text, "| {} |", row.join(" | "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_cannot_leave_its_quotes() {
        assert_eq!(code("a | b"), "`a \\| b`");
        assert_eq!(code("`x`\n<b>"), "`` `x` <b> ``");
        assert_eq!(code("a\u{1b}\u{202e}"), "`a\\u{1b}\\u{202e}`");
        assert_eq!(plain("[a](b) <i> `x`\n|"), "\\[a\\](b) \\<i\\> \\`x\\` \\|");
        assert!(block("```\nx").starts_with("````\n"));
        assert_eq!(table(&["a", "b"], &[vec!["1".into(), "2".into()]]), "| a | b |\n|---|---|\n| 1 | 2 |\n");
    }
}
