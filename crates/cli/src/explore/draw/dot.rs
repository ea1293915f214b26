//! A picture for graphviz.

use super::layout::{plain, row};
use super::picture::{Field, Holds, Known, Node, Paint, Picture, Role};
use crate::say::is_active;
use evergreen_java::report::html::escape;
use std::fmt::Write;

/// The picture, in the language DOT.
pub(crate) fn dot(picture: &Picture) -> String {
    let mut out = format!(
        "digraph {{\n  label={};\n  labelloc=t;\n  fontname=\"monospace\";\n  fontsize=12;\n  \
         node [shape=plain, fontname=\"monospace\", fontsize=10];\n  \
         edge [fontname=\"monospace\", fontsize=9, arrowsize=0.7];\n",
        quoted(&picture.title)
    );
    for (index, node) in picture.nodes.iter().enumerate() {
        let _ = writeln!(out, "  n{index} [tooltip={}, label=<{}>];", quoted(&node.way), table(node));
    }
    for (from, node) in picture.nodes.iter().enumerate() {
        for (at, field) in node.fields.iter().enumerate() {
            if let (Holds::Node(to), true) = (&field.holds, field.role != Role::Plain) {
                let _ =
                    writeln!(out, "  n{from}:f{at} -> n{to} [label={}{}];", quoted(&field.name), look(field));
            }
        }
    }
    if picture.left_out > 0 {
        let _ = writeln!(out, "  // {} more objects are not drawn", picture.left_out);
    }
    out.push_str("}\n");
    out
}

fn look(field: &Field) -> &'static str {
    match (field.role, field.known) {
        (Role::Back, Known::Added) => {
            ", style=dashed, color=\"#cbd5e1\", fontcolor=\"#cbd5e1\", constraint=false"
        }
        (Role::Back, _) => ", style=dashed, color=\"#94a3b8\", fontcolor=\"#94a3b8\", constraint=false",
        (_, Known::Added) => ", color=\"#b8c0cc\", fontcolor=\"#b8c0cc\"",
        _ => "",
    }
}

fn table(node: &Node) -> String {
    let (fill, ink) = match node.paint() {
        Paint::Red => ("#dc2626", "#ffffff"),
        Paint::Black => ("#111827", "#ffffff"),
        Paint::None => ("#e2e8f0", "#111827"),
    };
    let links = row(node, false).len() + row(node, true).len();
    let span = links.max(1);
    let mut out = String::from("<table border=\"1\" cellborder=\"0\" cellspacing=\"0\" cellpadding=\"3\">");
    let labels = node.labels.as_ref().map(|labels| format!(" {labels}")).unwrap_or_default();
    let _ = write!(
        out,
        "<tr><td colspan=\"{span}\" bgcolor=\"{fill}\"><font color=\"{ink}\"><b>{}</b>{}</font></td></tr>",
        escape(&node.heading()),
        escape(&labels)
    );
    for field in &node.fields {
        if let Some(text) = plain(field) {
            let _ = write!(
                out,
                "<tr><td colspan=\"{span}\" align=\"left\">{}</td></tr>",
                inked(field.known, &escape(&text))
            );
        }
    }
    if links > 0 {
        out.push_str("<tr>");
        for (at, field) in node.fields.iter().enumerate().filter(|(_, field)| field.role != Role::Plain) {
            let (style, mark) = match field.holds {
                Holds::AnyNode => (" style=\"dashed\"", " ?"),
                Holds::Null => ("", " ∅"),
                _ => ("", ""),
            };
            let _ = write!(
                out,
                "<td port=\"f{at}\" border=\"1\"{style}>{}</td>",
                inked(field.known, &format!("{}{mark}", escape(&field.name)))
            );
        }
        out.push_str("</tr>");
    }
    out.push_str("</table>");
    out
}

fn inked(known: Known, text: &str) -> String {
    match known {
        Known::Read => text.into(),
        Known::Added => format!("<font color=\"#94a3b8\">{text}</font>"),
        Known::Unread => format!("<font color=\"#b45309\">{text}</font>"),
    }
}

/// A string of DOT; it has no line in it.
fn quoted(text: &str) -> String {
    let shown = |c| if matches!(c, '\n' | '\t') { ' ' } else { '\u{fffd}' };
    let text: String = text.chars().map(|c| if is_active(c) { shown(c) } else { c }).collect();
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
