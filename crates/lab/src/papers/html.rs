//! One page in HTML that needs no other file: pictures inside, no scripts, readable in the dark.

use super::page::{Kept, LEGEND, capital, summary};
use super::show::{Block, Mark, Shown};
use super::work::Work;
use super::{Exhibit, Paper};
use crate::study::file;
use std::fmt::Write as _;
use std::path::Path;

const STYLE: &str = "
:root { color-scheme: light dark; --line: #8884; --soft: #8881; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.7rem; } h2 { margin-top: 3rem; border-bottom: 1px solid var(--line); }
h3 { margin-top: 2.2rem; }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; margin: .6rem 0; }
th, td { padding: .15rem .6rem; border-bottom: 1px solid var(--line); text-align: right; }
th:first-child, td:first-child { text-align: left; }
.wide { overflow-x: auto; } .wide td, .wide th { white-space: nowrap; }
figure { margin: .8rem 0; } figure svg { max-width: 100%; height: auto; background: #fff; }
figcaption, .how { font-size: 13px; opacity: .8; }
code { background: var(--soft); padding: .1rem .3rem; border-radius: 3px; }
.mark { display: inline-block; padding: 0 .5rem; border-radius: 3px; color: #fff; font-size: 13px; }
.equal { background: #00734f; } .shape { background: #0062a0; } .differs { background: #9c4400; }
.none { background: #777; }
";

/// Writes the page.
///
/// # Errors
/// The file cannot be written.
pub(super) fn write(out: &Path, all: &[Kept], work: &Work) -> Result<(), String> {
    let full = if work.full { " --full" } else { "" };
    let mut text = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>The papers' tables and figures</title>\n<style>{STYLE}</style></head><body>\n\
         <h1>The papers' tables and figures</h1>\n\
         <p>Made by <code>evergreen-lab papers{full}</code>. {}</p>\n<p>{}</p>\n",
        inline(&summary(all)),
        inline(LEGEND)
    );
    text.push_str(
        "<table><tr><th>exhibit</th><th style=\"text-align:left\">about</th><th>compared</th>\
         <th>seconds</th></tr>\n",
    );
    for (exhibit, kept) in all {
        let name = format!("{} {}", exhibit.paper.name(), exhibit.label());
        let seconds = kept.as_ref().map_or(String::new(), |(_, s)| format!("{s:.0}"));
        let _ = writeln!(
            text,
            "<tr><td><a href=\"#{}\">{}</a></td><td style=\"text-align:left\">{}</td><td>{}</td><td>{seconds}\
             </td></tr>",
            exhibit.slug(),
            escaped(&name),
            inline(exhibit.title),
            badge(kept.as_ref().map(|(shown, _)| shown.mark))
        );
    }
    text.push_str("</table>\n");
    let mut paper: Option<Paper> = None;
    for (exhibit, kept) in all {
        if paper != Some(exhibit.paper) {
            paper = Some(exhibit.paper);
            let _ = writeln!(text, "<h2>{}</h2>", escaped(exhibit.paper.title()));
        }
        if let Some((shown, _)) = kept {
            section(&mut text, exhibit, shown);
        }
    }
    text.push_str("</body></html>\n");
    file::write(out, text.as_bytes())
}

fn section(text: &mut String, exhibit: &Exhibit, shown: &Shown) {
    let _ = writeln!(
        text,
        "<h3 id=\"{}\">{}: {} {}</h3>\n<p><code>{}</code></p>\n<p class=\"how\"><b>Technique.</b> {}<br>\
         <b>Subjects.</b> {}</p>",
        exhibit.slug(),
        capital(&exhibit.label()),
        inline(exhibit.title),
        badge(Some(shown.mark)),
        escaped(&exhibit.command()),
        inline(&shown.technique),
        inline(&shown.subjects)
    );
    for block in &shown.blocks {
        match block {
            Block::Table { caption, rows } => grid(text, caption, rows),
            Block::Picture { caption, svg } => {
                let caption = inline(caption);
                let _ = writeln!(text, "<figure>{svg}<figcaption>{caption}</figcaption></figure>");
            }
            Block::Text(words) => {
                let _ = writeln!(text, "<p>{}</p>", inline(words));
            }
        }
    }
    let _ = writeln!(text, "<p><b>{}.</b> {}</p>", capital(shown.mark.words()), inline(&shown.because));
}

fn grid(text: &mut String, caption: &str, rows: &[Vec<String>]) {
    if !caption.is_empty() {
        let _ = writeln!(text, "<p>{}</p>", inline(caption));
    }
    text.push_str("<div class=\"wide\"><table>\n");
    for (at, row) in rows.iter().enumerate() {
        let tag = if at == 0 { "th" } else { "td" };
        let cells: String = row.iter().map(|cell| format!("<{tag}>{}</{tag}>", inline(cell))).collect();
        let _ = writeln!(text, "<tr>{cells}</tr>");
    }
    text.push_str("</table></div>\n");
}

fn badge(mark: Option<Mark>) -> String {
    let class = match mark {
        Some(Mark::Equal) => "equal",
        Some(Mark::SameShape) => "shape",
        Some(Mark::Differs) => "differs",
        None => "none",
    };
    format!("<span class=\"mark {class}\">{}</span>", mark.map_or("not run", Mark::words))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Text with Markdown's code, emphasis and strong emphasis.
fn inline(text: &str) -> String {
    let mut out = escaped(text);
    for (mark, tag) in [("`", "code"), ("**", "b"), ("*", "i")] {
        let parts: Vec<&str> = out.split(mark).collect();
        // A mark without a partner stays what it is.
        if parts.len() < 3 || parts.len().is_multiple_of(2) {
            continue;
        }
        let mut made = String::new();
        for (at, part) in parts.iter().enumerate() {
            made.push_str(match at % 2 {
                _ if at == 0 => "",
                1 => "<",
                _ => "</",
            });
            if at > 0 {
                let _ = write!(made, "{tag}>");
            }
            made.push_str(part);
        }
        out = made;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_marked_and_signs_escaped() {
        assert_eq!(inline("`x < y` is **not** *it*"), "<code>x &lt; y</code> is <b>not</b> <i>it</i>");
        assert_eq!(inline("2 * 3"), "2 * 3");
    }
}
