//! Structures that are looked at when drawings change.

use super::picture::{Field, Holds, Known, Node, Picture};

/// A node with fields that were read.
fn node(class: &str, way: &str, fields: Vec<(&str, Holds)>) -> Node {
    let fields = fields.into_iter().map(|(name, holds)| {
        let known = if matches!(holds, Holds::Any | Holds::AnyNode) { Known::Unread } else { Known::Read };
        Field::new(name, holds, known)
    });
    let roots = if way.contains('.') { Vec::new() } else { vec![way.into()] };
    Node { class: class.into(), way: way.into(), roots, fields: fields.collect(), ..Node::default() }
}

fn int(n: usize) -> Holds {
    Holds::Text(n.to_string())
}

/// A link to a node, or null.
fn link(to: Option<usize>) -> Holds {
    to.map_or(Holds::Null, Holds::Node)
}

/// A full tree of seven nodes; of one leaf nothing was read, and half of another.
pub(super) fn bin_tree() -> Picture {
    let mut nodes = vec![node("BinTree", "this", vec![("root", Holds::Node(1))])];
    for n in 1..=7_usize {
        let child = |at: usize| if at <= 7 { Holds::Node(at) } else { Holds::Null };
        let (left, right) = match n {
            5 => (Holds::Null, Holds::AnyNode),
            6 => (Holds::AnyNode, Holds::AnyNode),
            _ => (child(2 * n), child(2 * n + 1)),
        };
        nodes.push(node("Node", &format!("this.{n}"), vec![("left", left), ("right", right)]));
    }
    nodes[3].labels = Some("{2}".into());
    nodes[6].labels = Some("{5,6}".into());
    Picture::new("BinTree.dfs(), path 7: returns 7".into(), nodes)
}

/// A red-black tree with parents; its lowest nodes were added.
pub(super) fn red_black() -> Picture {
    let keys = [40, 20, 60, 10, 30, 50, 70, 5, 80];
    let mut nodes = vec![node("TreeSet", "this", vec![("root", Holds::Node(1)), ("size", int(9))])];
    for (n, key) in (1..).zip(keys) {
        let (left, right) = match n {
            4 => (Some(8), None),
            7 => (None, Some(9)),
            n => (Some(2 * n).filter(|c| *c <= 7), Some(2 * n + 1).filter(|c| *c <= 7)),
        };
        let parent = match n {
            1 => None,
            8 => Some(4),
            9 => Some(7),
            n => Some(n / 2),
        };
        let is_red = [2, 8, 9].contains(&n);
        nodes.push(node(
            "Node",
            &format!("this.{n}"),
            vec![
                ("key", int(key)),
                ("color", Holds::Text(if is_red { "red" } else { "black" }.into())),
                ("left", link(left)),
                ("right", link(right)),
                ("parent", link(parent)),
            ],
        ));
    }
    for added in [8, 9] {
        nodes[added].added = true;
        nodes[added].fields.iter_mut().for_each(|field| field.known = Known::Added);
    }
    nodes[4].fields[2].known = Known::Added;
    nodes[7].fields[3].known = Known::Added;
    nodes[6].fields[0] = Field::new("key", Holds::Any, Known::Unread);
    Picture::new("TreeSet.contains(int), path 12: returns true    [key = 70]".into(), nodes)
}

/// A circular list of five, with its header.
pub(super) fn circular_list() -> Picture {
    let mut nodes = vec![node("LinkedList", "this", vec![("header", Holds::Node(1)), ("size", int(4))])];
    for n in 0..5_usize {
        let value = if n == 0 { Holds::Null } else { Holds::Text(format!("\"{}\"", "abcd".split_at(n).0)) };
        nodes.push(node(
            "Entry",
            &format!("this.{n}"),
            vec![
                ("element", value),
                ("next", Holds::Node((n + 1) % 5 + 1)),
                ("previous", Holds::Node((n + 4) % 5 + 1)),
            ],
        ));
    }
    Picture::new("LinkedList.remove(int), path 3: throws IndexOutOfBoundsException".into(), nodes)
}

/// A binomial heap of 13: trees of 1, 4 and 8.
pub(super) fn binomial_heap() -> Picture {
    let mut nodes = vec![node("BinomialHeap", "this", vec![("nodes", Holds::Node(1)), ("size", int(13))])];
    // Degree, child, sibling, parent.
    fn tree(nodes: &mut Vec<Node>, degree: usize, parent: Option<usize>) -> usize {
        let own = nodes.len();
        nodes.push(Node::default());
        let mut first = None;
        let mut children = Vec::new();
        for degree in (0..degree).rev() {
            let child = tree(nodes, degree, Some(own));
            first = first.or(Some(child));
            children.push(child);
        }
        for two in children.windows(2) {
            nodes[two[0]].fields[3].holds = Holds::Node(two[1]);
        }
        nodes[own] = node(
            "Node",
            &format!("this.{own}"),
            vec![
                ("key", int(own)),
                ("degree", int(degree)),
                ("child", link(first)),
                ("sibling", Holds::Null),
                ("parent", link(parent)),
            ],
        );
        own
    }
    let roots: Vec<usize> = [0, 2, 3].map(|degree| tree(&mut nodes, degree, None)).into();
    for two in roots.windows(2) {
        nodes[two[0]].fields[3].holds = Holds::Node(two[1]);
    }
    Picture::new("BinomialHeap.extractMin(), path 1: throws NullPointerException at line 97".into(), nodes)
}

/// Two roots that share a node, a loop, and names that must be escaped.
pub(super) fn two_roots() -> Picture {
    let mut nodes = vec![
        node("Pair<A&B>", "this", vec![("first", Holds::Node(1)), ("second", Holds::Node(2))]),
        node(
            "Node",
            "this.first",
            vec![("next", Holds::Node(1)), ("text", Holds::Text("\"<script>\"".into()))],
        ),
        node("Node", "this.second", vec![("next", Holds::Node(1)), ("text", Holds::Null)]),
        node("Pair<A&B>", "other", vec![("first", Holds::Node(2)), ("second", Holds::AnyNode)]),
        node("Node[]", "nodes", vec![("[0]", Holds::Node(2)), ("[1]", Holds::Null), ("[2]", Holds::Node(5))]),
        node("Node", "nodes.2", vec![("next", Holds::AnyNode), ("text", Holds::Any)]),
    ];
    nodes[3].roots.push("another".into());
    Picture::new("f(Pair) with \"<script>\" & more".into(), nodes)
}

/// A list that was read from its end, and a single object.
pub(super) fn from_the_end() -> Picture {
    let nodes = vec![
        node(
            "Queue",
            "this",
            vec![("first", Holds::AnyNode), ("last", Holds::Node(1)), ("size", Holds::Any)],
        ),
        node("Cell", "this.last", vec![("item", int(1)), ("next", Holds::Null), ("prev", Holds::Node(2))]),
        node(
            "Cell",
            "this.last.prev",
            vec![("item", int(2)), ("next", Holds::Node(1)), ("prev", Holds::AnyNode)],
        ),
    ];
    Picture::new("Queue.peekLast()".into(), nodes)
}
