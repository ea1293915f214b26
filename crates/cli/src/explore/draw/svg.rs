//! A picture as SVG, for light and dark pages, alone or within HTML.
//!
//! A box has the object's links back at its top, its other links at its bottom, each where its line begins:
//! so lines need no names. Null is a bar, as on a circuit diagram. Lines are drawn first and boxes over them:
//! no line runs through text.

use super::layout::{BACKS, HEADING, LINE, LINKS, Layout, layout, letters, link_width, plain, row};
use super::lines::{Line, Stroke, lines};
use super::picture::{Holds, Known, Node, Paint, Picture, Role};
use evergreen_java::report::html::escape;
use std::fmt::Write;

/// The look; once for all pictures of a page.
pub(crate) const STYLE: &str = "\
.heap{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:12px}
.heap text{fill:#111827}
.heap .paper{fill:#ffffff}
.heap .title{font-size:13px;font-weight:bold}
.heap .note{font-size:10px;fill:#64748b}
.heap .box{fill:#ffffff;stroke:#475569}
.heap .head{fill:#e2e8f0}
.heap .name{font-weight:bold}
.heap .cell{fill:none;stroke:#cbd5e1}
.heap .link{font-size:10px;text-anchor:middle}
.heap .back text{fill:#64748b}
.heap .open text{fill:#b45309}
.heap text.open{fill:#b45309}
.heap .open .cell{stroke:#b45309;stroke-dasharray:3 2}
.heap .added{opacity:.45}
.heap .pale .box{stroke:#cbd5e1}
.heap .red .head{fill:#dc2626}
.heap .black .head{fill:#111827}
.heap .red .on-head,.heap .black .on-head{fill:#ffffff}
.heap .line{fill:none;stroke:#334155;stroke-width:1.4}
.heap .tip{fill:#334155}
.heap .line.back{stroke:#94a3b8;stroke-width:1.1;stroke-dasharray:4 3}
.heap .tip.back{fill:#94a3b8}
.heap .line.open{stroke:#b45309;stroke-dasharray:3 2}
.heap .line.null{stroke-dasharray:none}
@media (prefers-color-scheme:dark){
.heap text{fill:#e5e7eb}
.heap .paper{fill:#0f172a}
.heap .note{fill:#94a3b8}
.heap .box{fill:#1e293b;stroke:#94a3b8}
.heap .head{fill:#334155}
.heap .cell,.heap .pale .box{stroke:#475569}
.heap .back text{fill:#94a3b8}
.heap .open text,.heap text.open{fill:#fbbf24}
.heap .open .cell,.heap .line.open{stroke:#fbbf24}
.heap .black .head{fill:#000000}
.heap .line{stroke:#cbd5e1}
.heap .tip{fill:#cbd5e1}
.heap .line.back{stroke:#64748b}
.heap .tip.back{fill:#64748b}
}
";

/// Where a picture is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Frame {
    /// In a file of its own, with its style and title.
    Alone,
    /// In a page that has [`STYLE`].
    Inline,
}

/// Around everything.
const MARGIN: f64 = 14.0;
/// The title and the notes.
const TEXT_LINE: f64 = 20.0;
/// Above a level and below the last one.
const EDGE: f64 = 20.0;

/// The picture.
pub(crate) fn draw(picture: &Picture, frame: Frame) -> String {
    let layout = layout(picture);
    let lines = lines(picture, &layout, EDGE);
    let notes = notes(picture);
    let alone = frame == Frame::Alone;
    let top = MARGIN + if alone { TEXT_LINE } else { 0.0 };
    let below = if notes.is_empty() { 0.0 } else { TEXT_LINE };
    let title = if alone { letters(&picture.title, 7.9) } else { 0.0 };
    let width = layout.width.max(title).max(letters(&notes, 6.05)) + 2.0 * MARGIN + 14.0;
    let height = top + lines.height + below + MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"heap\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\">\n<title>{}</title>\n",
        escape(&picture.title)
    );
    if alone {
        let _ = write!(
            svg,
            "<style>\n{STYLE}</style>\n<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n\
             <text class=\"title\" x=\"{MARGIN}\" y=\"24\">{}</text>\n",
            escape(&picture.title)
        );
    }
    let _ = writeln!(svg, "<g transform=\"translate({MARGIN} {top})\">");
    for line in &lines.all {
        put_line(&mut svg, line);
    }
    for (index, node) in picture.nodes.iter().enumerate() {
        put_box(&mut svg, node, &layout, index, lines.tops[layout.spots[index].level]);
    }
    svg.push_str("</g>\n");
    if !notes.is_empty() {
        let _ = writeln!(
            svg,
            "<text class=\"note\" x=\"{MARGIN}\" y=\"{:.0}\">{}</text>",
            height - MARGIN,
            escape(&notes)
        );
    }
    svg.push_str("</svg>\n");
    svg
}

/// What needs words.
fn notes(picture: &Picture) -> String {
    let fields = || picture.nodes.iter().flat_map(|node| &node.fields);
    let mut notes = Vec::new();
    if fields().any(|field| field.known == Known::Unread) {
        notes.push("dashed, ?: never read".to_string());
    }
    if fields().any(|field| field.known == Known::Added) {
        notes.push("pale: never read, added to make the input valid".to_string());
    }
    if picture.left_out > 0 {
        notes.push(format!("{} more objects are not drawn", picture.left_out));
    }
    notes.join(" · ")
}

/// The classes of something, by how it is known.
fn known(known: Known) -> &'static str {
    match known {
        Known::Read => "",
        Known::Added => " added",
        Known::Unread => " open",
    }
}

fn put_line(svg: &mut String, line: &Line) {
    let back = if line.stroke == Stroke::Back { " back" } else { "" };
    let known = known(line.known);
    let null = if line.tip.is_none() && line.known != Known::Unread { " null" } else { "" };
    let _ = writeln!(svg, "<path class=\"line{back}{known}{null}\" d=\"{}\"/>", line.path);
    if let Some(tip) = &line.tip {
        let _ = writeln!(svg, "<path class=\"tip{back}{known}\" d=\"{tip}\"/>");
    }
}

fn put_box(svg: &mut String, node: &Node, layout: &Layout, index: usize, top: f64) {
    let spot = &layout.spots[index];
    let (x, width, height) = (spot.x, spot.width, layout.heights[spot.level]);
    let paint = match node.paint() {
        Paint::None => "",
        Paint::Red => " red",
        Paint::Black => " black",
    };
    let (pale, added) = if node.added { (" pale", " added") } else { ("", "") };
    let backs = row(node, true);
    let head = top + if backs.is_empty() { 0.0 } else { BACKS };
    let _ = write!(
        svg,
        "<g class=\"object{paint}{pale}\"><title>{}</title>\n\
         <rect class=\"box\" x=\"{x:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" \
         height=\"{height:.1}\" rx=\"3\"/>\n\
         <rect class=\"head{added}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"2\"/>\n\
         <text class=\"name on-head{added}\" x=\"{:.1}\" y=\"{:.1}\">{}</text>\n",
        escape(&node.way),
        x + 1.0,
        head + 1.0,
        width - 2.0,
        HEADING - 2.0,
        x + 8.0,
        head + 15.5,
        escape(&node.heading())
    );
    if let Some(labels) = &node.labels {
        let _ = writeln!(
            svg,
            "<text class=\"on-head\" font-size=\"10\" text-anchor=\"end\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            x + width - 6.0,
            head + 15.0,
            escape(labels)
        );
    }
    let mut y = head + HEADING + 14.0;
    for field in node.fields.iter() {
        let Some(text) = plain(field) else { continue };
        let class = known(field.known).trim();
        let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
        let _ = writeln!(svg, "<text{class} x=\"{:.1}\" y=\"{y:.1}\">{}</text>", x + 8.0, escape(&text));
        y += LINE;
    }
    for (is_back, y, height) in [(true, top, BACKS), (false, top + height - LINKS, LINKS)] {
        put_row(svg, node, is_back, (x, y, width, height));
    }
    svg.push_str("</g>\n");
}

/// Where the links of a row are: left side and width of each.
pub(crate) fn cells(node: &Node, is_back: bool, x: f64, width: f64) -> Vec<(f64, f64)> {
    let row = row(node, is_back);
    let needed: f64 = row.iter().map(|field| link_width(field)).sum();
    let spare = (width - needed) / row.len().max(1) as f64;
    let mut at = x;
    let mut cells = Vec::new();
    for field in row {
        let own = link_width(field) + spare;
        cells.push((at, own));
        at += own;
    }
    cells
}

fn put_row(svg: &mut String, node: &Node, is_back: bool, (x, y, width, height): (f64, f64, f64, f64)) {
    for (field, (left, own)) in row(node, is_back).into_iter().zip(cells(node, is_back, x, width)) {
        let back = if field.role == Role::Back { " back" } else { "" };
        let mark = if matches!(field.holds, Holds::AnyNode) { " ?" } else { "" };
        let _ = writeln!(
            svg,
            "<g class=\"link{back}{}\"><rect class=\"cell\" x=\"{:.1}\" y=\"{:.1}\" \
             width=\"{:.1}\" height=\"{:.1}\"/>\
             <text class=\"link\" x=\"{:.1}\" y=\"{:.1}\">{}{mark}</text></g>",
            known(field.known),
            left + 2.0,
            y + 2.0,
            own - 4.0,
            height - 4.0,
            left + own / 2.0,
            y + height / 2.0 + 3.5,
            escape(&field.name)
        );
    }
}
