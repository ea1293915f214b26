//! The tree of path conditions with a probability at every condition, as nested lists.

use super::super::chances::decimal;
use super::{clipped, escape, outcome};
use crate::{Language, PathEnd};
use evergreen_deciding::probability::Mass;
use std::fmt::Write;

/// Paths in a tree.
const PATHS: usize = 300;
/// Branches that are shown one inside the other.
const DEPTH: usize = 40;

/// Conditions that paths share, and how likely they are.
#[derive(Default)]
pub(super) struct Tree {
    root: Node,
    paths: usize,
    left_out: u64,
}

#[derive(Default)]
struct Node {
    condition: String,
    mass: Option<Mass>,
    children: Vec<Node>,
    /// Outcomes of paths that end here.
    ends: Vec<(u64, String, Mass)>,
}

impl Tree {
    /// The end of a path.
    pub(super) fn path<L: Language>(&mut self, end: &PathEnd<L>) {
        let Some(likelihood) = &end.likelihood else { return };
        if self.paths >= PATHS {
            self.left_out += 1;
            return;
        }
        self.paths += 1;
        let mut here = &mut self.root;
        here.mass = likelihood.along.first().cloned();
        for (condition, mass) in end.conditions.iter().zip(likelihood.along.iter().skip(1)) {
            let at = match here.children.iter().position(|child| child.condition == *condition) {
                Some(at) => at,
                None => {
                    let (condition, mass) = (condition.clone(), Some(mass.clone()));
                    here.children.push(Node { condition, mass, ..Node::default() });
                    here.children.len() - 1
                }
            };
            here = &mut here.children[at];
        }
        here.ends.push((end.number, outcome(&end.how), likelihood.mass.clone()));
    }

    /// The tree, if there are probabilities.
    pub(super) fn render(&self) -> String {
        if self.paths == 0 {
            return String::new();
        }
        let mut out = String::from("<h4>Probabilities</h4>\n<div class=\"chances\">\n");
        self.root.render(&mut out, 0);
        if self.left_out > 0 {
            let _ = writeln!(out, "<p class=\"note\">{} more paths are not in this tree.</p>", self.left_out);
        }
        out += "</div>\n";
        out
    }
}

fn bar(mass: &Mass) -> String {
    let percent = mass.most.to_f64() * 100.0;
    format!(
        "<span class=\"bar\"><i style=\"width:{percent:.1}%\"></i></span> <b>{}</b>",
        escape(&decimal(mass))
    )
}

impl Node {
    fn render(&self, out: &mut String, depth: usize) {
        // A condition that decides nothing further is shown with the next.
        let mut here = self;
        let mut words = Vec::new();
        loop {
            if !here.condition.is_empty() {
                words.push(format!("<code>{}</code>", escape(&clipped(&here.condition))));
            }
            match &here.children[..] {
                [only] if here.ends.is_empty() && only.mass == here.mass => here = only,
                _ => break,
            }
        }
        let label = if words.is_empty() { "all inputs".to_string() } else { words.join(" and ") };
        let mass = here.mass.as_ref().map(bar).unwrap_or_default();
        if depth >= DEPTH {
            let _ = writeln!(out, "<p>{mass} {label} …</p>");
            return;
        }
        let open = if depth < 6 { " open" } else { "" };
        let _ = writeln!(out, "<details{open}><summary>{mass} {label}</summary><ul>");
        for (number, ending, mass) in &here.ends {
            let _ = writeln!(out, "<li>{} path {number}: {}</li>", bar(mass), escape(&clipped(ending)));
        }
        for child in &here.children {
            out.push_str("<li>");
            child.render(out, depth + 1);
            out.push_str("</li>\n");
        }
        out.push_str("</ul></details>\n");
    }
}
