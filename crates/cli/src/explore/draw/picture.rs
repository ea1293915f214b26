//! What is drawn: objects, what their fields hold, and how each of it came to be known.
//!
//! The way in which a field is drawn is its [`Role`]: down to a child, on to the next of a list, or back to
//! an earlier object. Java does not declare roles. In most programs names show them; elsewhere, a field that
//! only ever undoes another one points back, and the only field by which a class reaches itself leads on.

use std::collections::{BTreeMap, VecDeque};

/// Objects in one drawing; of more, the rest is left out.
pub(crate) const MOST_OBJECTS: usize = 200;
/// Letters of a value that are shown.
const MOST_LETTERS: usize = 26;

/// A structure to be drawn.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Picture {
    /// What it is.
    pub title: String,
    /// The objects, roots among them.
    pub nodes: Vec<Node>,
    /// Objects that are not drawn.
    pub left_out: usize,
}

/// An object.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Node {
    /// Simple name of its class.
    pub class: String,
    /// The way to it: `this.root.left`.
    pub way: String,
    /// The inputs that hold it: `this`, names of parameters.
    pub roots: Vec<String>,
    /// Its number among those of its class, breadth first.
    pub number: usize,
    /// The labels that it may have, if the heap keeps labels.
    pub labels: Option<String>,
    /// No path read a field of it: it is there to make the input valid.
    pub added: bool,
    /// Its fields, in the order of the class.
    pub fields: Vec<Field>,
}

/// A field.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Field {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub holds: Holds,
    /// How that is known.
    pub known: Known,
    /// Whether it leads back, if this was stated.
    pub leads_back: Option<bool>,
    /// How it is drawn.
    pub role: Role,
}

/// What a field holds.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Holds {
    /// A node.
    Node(usize),
    /// Null.
    Null,
    /// A plain value.
    Text(String),
    /// An unknown reference.
    AnyNode,
    /// An unknown plain value.
    Any,
}

/// How it is known what a field holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Known {
    /// The path has read it.
    Read,
    /// The path has not; it holds what makes the input valid.
    Added,
    /// The path did not read it: it may hold anything.
    Unread,
}

/// How a field is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Role {
    /// A line in the box.
    #[default]
    Plain,
    /// A line down to a child.
    Down,
    /// A line on to the next of a list.
    On,
    /// A thin line back.
    Back,
}

impl Field {
    /// A field that the path has read.
    pub(crate) fn new(name: &str, holds: Holds, known: Known) -> Field {
        Field { name: name.into(), holds: shortened(holds), known, leads_back: None, role: Role::Plain }
    }
}

fn shortened(holds: Holds) -> Holds {
    match holds {
        Holds::Text(text) if text.chars().count() > MOST_LETTERS => {
            Holds::Text(text.chars().take(MOST_LETTERS - 1).chain(['…']).collect())
        }
        other => other,
    }
}

impl Picture {
    /// Of these objects: finds out how fields are drawn, and numbers them.
    pub(crate) fn new(title: String, mut nodes: Vec<Node>) -> Picture {
        let left_out = nodes.len().saturating_sub(MOST_OBJECTS);
        nodes.truncate(MOST_OBJECTS);
        let drawn = nodes.len();
        for field in nodes.iter_mut().flat_map(|node| &mut node.fields) {
            if matches!(field.holds, Holds::Node(to) if to >= drawn) {
                field.holds = Holds::Text("…".into());
            }
        }
        let mut picture = Picture { title, nodes, left_out };
        picture.set_roles();
        picture.set_numbers();
        picture
    }

    /// The links that leave a node, those of one role in the order of the class.
    pub(crate) fn links(&self, node: usize) -> impl Iterator<Item = (&Field, Option<usize>)> {
        self.nodes[node].fields.iter().filter(|field| field.role != Role::Plain).map(|field| {
            let to = if let Holds::Node(to) = field.holds { Some(to) } else { None };
            (field, to)
        })
    }

    /// Nodes from which all others are looked for: inputs first, then what no link reaches.
    pub(crate) fn starts(&self) -> impl Iterator<Item = usize> {
        let is_root = |node: &usize| !self.nodes[*node].roots.is_empty();
        let all = 0..self.nodes.len();
        all.clone().filter(is_root).chain(all)
    }

    fn set_numbers(&mut self) {
        let mut seen: Vec<bool> = self.nodes.iter().map(|node| !node.roots.is_empty()).collect();
        let mut waiting: VecDeque<usize> = (0..seen.len()).filter(|node| seen[*node]).collect();
        let mut order = Vec::new();
        loop {
            // What only links back reach comes after the rest.
            let next = waiting.pop_front().or_else(|| seen.iter().position(|seen| !seen));
            let Some(node) = next else { break };
            seen[node] = true;
            order.push(node);
            for (field, to) in self.links(node) {
                if let Some(to) = to.filter(|to| !seen[*to] && field.role != Role::Back) {
                    seen[to] = true;
                    waiting.push_back(to);
                }
            }
        }
        let mut of_class: Vec<(String, usize)> = Vec::new();
        for node in order {
            let class = self.nodes[node].class.clone();
            let place = of_class.iter().position(|(name, _)| *name == class);
            let place = place.unwrap_or_else(|| {
                of_class.push((class, 0));
                of_class.len() - 1
            });
            self.nodes[node].number = of_class[place].1;
            of_class[place].1 += 1;
        }
    }

    /// Runs twice: which fields lead on follows from which fields point back.
    fn set_roles(&mut self) {
        for find in [Picture::first_role, Picture::second_role] {
            let mut roles: BTreeMap<(String, String), Role> = BTreeMap::new();
            for node in &self.nodes {
                for field in &node.fields {
                    let of = (node.class.clone(), field.name.clone());
                    roles.entry(of).or_insert_with(|| find(self, &node.class, field));
                }
            }
            for node in &mut self.nodes {
                for field in &mut node.fields {
                    let of = (node.class.clone(), field.name.clone());
                    field.role = roles.get(&of).copied().unwrap_or_default();
                }
            }
        }
    }

    /// By its name, or by what it undoes.
    fn first_role(&self, class: &str, field: &Field) -> Role {
        let mut all = self.nodes.iter().filter(|node| node.class == class).flat_map(|node| &node.fields);
        if all.any(|f| f.name == field.name && matches!(f.holds, Holds::Text(_) | Holds::Any)) {
            return Role::Plain;
        }
        match field.leads_back {
            Some(true) => return Role::Back,
            Some(false) => return Picture::forward_role(field),
            None => {}
        }
        let name = field.name.to_lowercase();
        if BACK.contains(&name.as_str()) || name.starts_with("this$") || self.undoes(class, &field.name) {
            Role::Back
        } else {
            Picture::forward_role(field)
        }
    }

    fn forward_role(field: &Field) -> Role {
        if ON.contains(&field.name.to_lowercase().as_str()) { Role::On } else { Role::Down }
    }

    /// The only way from a class to itself leads on, and so does the way into such a list.
    fn second_role(&self, class: &str, field: &Field) -> Role {
        if field.role != Role::Down || field.name.starts_with('[') {
            return field.role;
        }
        let mut classes: Vec<&str> =
            self.edges(class, &field.name).map(|(_, to)| self.nodes[to].class.as_str()).collect();
        classes.sort_unstable();
        classes.dedup();
        let is_entry = classes.first().is_some_and(|first| *first != class);
        let leads_on = !classes.is_empty()
            && classes.iter().all(|class| self.is_list(class))
            && (!is_entry || self.entries(class) == 1);
        if leads_on { Role::On } else { Role::Down }
    }

    /// How many fields of a class begin something: the end of a list does not.
    fn entries(&self, class: &str) -> usize {
        let node = self.nodes.iter().find(|node| node.class == class);
        let begins =
            |field: &&Field| field.role == Role::Down && !ENDS.contains(&field.name.to_lowercase().as_str());
        node.map_or(0, |node| node.fields.iter().filter(begins).count())
    }

    /// Whether the objects of a class are a list: they have one way on, to another of them.
    fn is_list(&self, class: &str) -> bool {
        let Some(node) = self.nodes.iter().find(|node| node.class == class) else { return false };
        let mut forward = node.fields.iter().filter(|f| matches!(f.role, Role::Down | Role::On));
        let (Some(only), None) = (forward.next(), forward.next()) else { return false };
        only.role == Role::On || self.edges(class, &only.name).any(|(_, to)| self.nodes[to].class == class)
    }

    /// Whether every edge of a field undoes one of another field, of the same or another class, that is
    /// declared before it or shared less.
    fn undoes(&self, class: &str, field: &str) -> bool {
        if DOWN.contains(&field.to_lowercase().as_str()) {
            return false;
        }
        let position = |of: usize, name: &str| self.nodes[of].fields.iter().position(|f| f.name == name);
        let mut targets: Vec<usize> = self.edges(class, field).map(|(_, to)| to).collect();
        targets.sort_unstable();
        let shared = targets.windows(2).any(|two| two[0] == two[1]);
        let undone = |(from, to): (usize, usize)| {
            let other = |f: &&Field| f.holds == Holds::Node(from) && f.name != field;
            let earlier = |f: &Field| shared || position(to, &f.name) < position(to, field);
            from != to
                && self.nodes[to].class == class
                && self.nodes[to].fields.iter().filter(other).any(earlier)
        };
        !targets.is_empty() && self.edges(class, field).all(undone)
    }

    /// What a field of a class links.
    fn edges(&self, class: &str, field: &str) -> impl Iterator<Item = (usize, usize)> {
        self.nodes.iter().enumerate().filter(move |(_, node)| node.class == class).flat_map(
            move |(from, node)| {
                node.fields.iter().filter(move |f| f.name == field).filter_map(move |f| match f.holds {
                    Holds::Node(to) => Some((from, to)),
                    _ => None,
                })
            },
        )
    }
}

/// Names of fields that point back.
const BACK: [&str; 12] = [
    "parent",
    "previous",
    "prev",
    "pred",
    "predecessor",
    "before",
    "up",
    "owner",
    "outer",
    "back",
    "father",
    "container",
];
/// Names of fields that lead on.
const ON: [&str; 8] = ["next", "sibling", "succ", "successor", "after", "brother", "tail", "rest"];
/// Names of fields that hold the end of a list.
const ENDS: [&str; 4] = ["last", "end", "rear", "tail"];
/// Names of fields that lead down, whatever else they do.
const DOWN: [&str; 5] = ["left", "right", "child", "root", "children"];

/// How a node of a red-black tree is painted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Paint {
    /// Not at all.
    None,
    /// Red.
    Red,
    /// Black.
    Black,
}

impl Node {
    /// By a field that shows a color. For a `boolean color`, false is red, as in the JDK's `TreeMap`.
    pub(crate) fn paint(&self) -> Paint {
        let paint = |field: &Field| {
            let Holds::Text(value) = &field.holds else { return None };
            let value = value.rsplit('.').next().unwrap_or(value).to_lowercase();
            let name = field.name.to_lowercase();
            Some(match (name.as_str(), value.as_str()) {
                ("color" | "colour", "red" | "false") | ("red" | "isred", "true") => Paint::Red,
                ("black" | "isblack", "false") => Paint::Red,
                ("color" | "colour", "black" | "true") | ("red" | "isred", "false") => Paint::Black,
                ("black" | "isblack", "true") => Paint::Black,
                _ => return None,
            })
        };
        self.fields.iter().find_map(paint).unwrap_or(Paint::None)
    }

    /// What its box is headed by.
    pub(crate) fn heading(&self) -> String {
        if self.roots.is_empty() {
            format!("{} {}", self.class, self.number)
        } else {
            format!("{}: {}", self.roots.join(" = "), self.class)
        }
    }
}
