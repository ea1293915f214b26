//! Constraints as atoms: comparisons of a prefix, a non-constant linear form.
//!
//! [Jia ISSTA'15] compares atoms that have the same *non-constant prefix*. Here a prefix is a linear form
//! over anything of sort Int, divided by its greatest common divisor (canonizing has done that) and with the
//! coefficient of its first variable positive; it is identified by a digest, so that prefixes of different
//! runs can be compared. A constraint that is no linear comparison is opaque: it is implied by itself only.

use crate::node::{Graph, Leaf, NodeId, tag};
use evergreen_term::{Fun, SortId, SymbolKind, Terms};

/// The comparison of a linear form with zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Compare {
    /// At most zero.
    Le,
    /// Zero.
    Eq,
    /// Not zero.
    Ne,
}

/// A linear integer constraint: `sum of coefficient * variable + constant`, compared
/// to zero. Variables ascend.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row<V> {
    /// The comparison with zero.
    pub compare: Compare,
    /// Variables with their coefficients; none is zero.
    pub terms: Vec<(V, i64)>,
    /// The constant summand.
    pub constant: i64,
}

/// A variable of linear constraints: a leaf of sort Int, by its number in one canonizer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Variable(pub(crate) NodeId);

impl Variable {
    /// A small number that no other variable of the canonizer has.
    pub fn index(self) -> usize {
        self.0.index()
    }
}

/// How an atom relates its prefix to its constant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Relation {
    /// The prefix is at most the constant.
    Le,
    /// The prefix is at least the constant.
    Ge,
    /// The prefix is the constant.
    Eq,
    /// The prefix is not the constant.
    Ne,
    /// Not linear: the prefix identifies the constraint itself.
    Holds,
}

/// A constraint, or one of those that it is the conjunction of, as an atom.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Atom {
    /// Identifies the prefix, or the whole constraint if it is not linear.
    pub prefix: u128,
    /// How the prefix relates to the constant.
    pub relation: Relation,
    /// The constant; zero where the relation has none.
    pub constant: i64,
    /// The prefix: its summands, each by its own prefix, with coefficients.
    pub terms: Vec<(u128, i64)>,
}

/// A root as a comparison: its node, operator.
fn comparison(graph: &Graph, root: NodeId) -> Option<(NodeId, Compare)> {
    match graph.tag(root) {
        tag::LE_ZERO => Some((root, Compare::Le)),
        tag::EQ_ZERO => Some((root, Compare::Eq)),
        tag::FUN if graph.is_fun(root, Fun::Not) => {
            let inner = graph.edges(root)[0].to;
            (graph.tag(inner) == tag::EQ_ZERO).then_some((inner, Compare::Ne))
        }
        _ => None,
    }
}

/// A root as a linear comparison over nodes of any kind.
pub(crate) fn row_of_nodes(graph: &Graph, root: NodeId) -> Option<Row<NodeId>> {
    let (node, compare) = comparison(graph, root)?;
    let terms = graph.edges(node).iter().map(|e| (e.to, e.label)).collect();
    Some(Row { compare, terms, constant: graph.node(node).constant })
}

/// Whether a node is an integer that is free to take any value: a declared constant.
pub(crate) fn is_free_integer(terms: &Terms, graph: &Graph, node: NodeId) -> bool {
    match graph.leaves[node.index()] {
        Some(Leaf::Symbol(s)) => {
            let symbol = terms.symbol_of(s);
            matches!(symbol.kind, SymbolKind::Free)
                && symbol.params.is_empty()
                && symbol.result == SortId::INT
        }
        _ => false,
    }
}

/// Turns `sum + constant compared to 0` into a relation of the prefix; `flip` says that the
/// prefix is the negated sum.
pub(crate) fn relate(compare: Compare, constant: i64, flip: bool) -> Option<(Relation, i64)> {
    let negated = constant.checked_neg()?;
    Some(match (compare, flip) {
        (Compare::Le, false) => (Relation::Le, negated),
        (Compare::Le, true) => (Relation::Ge, constant),
        (Compare::Eq, false) => (Relation::Eq, negated),
        (Compare::Eq, true) => (Relation::Eq, constant),
        (Compare::Ne, false) => (Relation::Ne, negated),
        (Compare::Ne, true) => (Relation::Ne, constant),
    })
}
