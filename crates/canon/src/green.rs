//! Green's own canonical form, kept so that the paper's numbers can be reproduced and compared.
//!
//! [Visser FSE'12, 3.2]: every constraint becomes `ax + by + ... + k op 0` with op one of =, !=, <=; within a
//! constraint variables stand in lexicographic order; constraints are sorted as strings; variables are
//! renamed `v0, v1, ...` in the order in which they then appear. Only conjunctions of linear integer
//! constraints have this form.

use crate::build::Linear;
use crate::node::{Graph, Leaf, NodeId, tag};
use evergreen_term::{Fun, SymbolKind, Terms};

pub(crate) struct Green {
    pub(crate) form: Vec<u8>,
    pub(crate) leaves: Vec<Leaf>,
    /// For each constraint in the form, which root it is.
    pub(crate) order: Vec<u32>,
}

struct Line {
    text: String,
    terms: Vec<(i64, Leaf)>,
    constant: i64,
    op: &'static str,
    root: u32,
}

/// The form of a conjunction of linear integer constraints; `None` for anything else.
pub(crate) fn canonize(terms: &Terms, graph: &Graph, roots: &[NodeId]) -> Option<Green> {
    let mut lines: Vec<Line> = Vec::new();
    for (i, &root) in roots.iter().enumerate() {
        let (node, op) = match graph.tag(root) {
            tag::LE_ZERO => (root, "<="),
            tag::EQ_ZERO => (root, "="),
            tag::FUN if graph.is_fun(root, Fun::Not) => (graph.edges(root)[0].to, "!="),
            _ => return None,
        };
        if op == "!=" && graph.tag(node) != tag::EQ_ZERO {
            return None;
        }
        let linear = Linear { terms: graph.edges(node).to_vec(), constant: graph.node(node).constant };
        let mut named: Vec<(&str, i64, Leaf)> = Vec::new();
        for e in &linear.terms {
            match graph.leaves[e.to.index()]? {
                // A recursive definition without parameters is a symbol with a meaning,
                // which Green does not cover.
                Leaf::Symbol(s) if matches!(terms.symbol_of(s).kind, SymbolKind::Free) => {
                    named.push((terms.symbol_text(s), e.label, Leaf::Symbol(s)))
                }
                _ => return None,
            }
        }
        named.sort_by_key(|n| n.0);
        // Equations have no direction: the first variable's coefficient is made positive.
        let sign = if op == "<=" { 1 } else { named[0].1.signum() };
        let constant = linear.constant * sign;
        let text: String = named.iter().map(|(name, c, _)| format!("{}*{name}+", c * sign)).collect();
        let text = format!("{text}{constant}{op}0");
        let terms = named.iter().map(|n| (n.1 * sign, n.2)).collect();
        lines.push(Line { text, terms, constant, op, root: i as u32 });
    }
    lines.sort_by(|a, b| a.text.cmp(&b.text));
    let mut leaves: Vec<Leaf> = Vec::new();
    let mut form = String::from("green:");
    for Line { terms, constant, op, .. } in &lines {
        for (c, leaf) in terms {
            let number = leaves.iter().position(|l| l == leaf).unwrap_or_else(|| {
                leaves.push(*leaf);
                leaves.len() - 1
            });
            form += &format!("{c}*v{number}+");
        }
        form += &format!("{constant}{op}0&");
    }
    Some(Green { form: form.into_bytes(), leaves, order: lines.iter().map(|l| l.root).collect() })
}
