//! Regular expressions: membership by Brzozowski derivatives [Brzozowski JACM'64].
//!
//! Complement and intersection are as easy as union this way, and no automaton is built: the derivative of an
//! expression by a character matches what may follow it. Expressions are hash-consed; unions and
//! intersections are flat, sorted and without doubles, which keeps the number of different derivatives
//! finite. A bound on the number of nodes keeps hostile expressions from filling the memory.

use super::Unevaluable;
use crate::MAX_CODE_POINT;
use rustc_hash::FxHashMap;

/// How many different expressions one evaluator may make.
const MAX_NODES: usize = 1 << 20;
/// How deeply a derivative may recurse.
const MAX_DEPTH: u32 = 400;

/// An expression, by its place in [`Regexes`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Regex(u32);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Node {
    None,
    Empty,
    Range(u32, u32),
    Concat(Regex, Regex),
    Union(Box<[Regex]>),
    Inter(Box<[Regex]>),
    Star(Regex),
    Complement(Regex),
    /// At least and at most so many times.
    Loop(Regex, u32, u32),
}

/// The expressions of one evaluator.
#[derive(Default)]
pub(super) struct Regexes {
    nodes: Vec<(Node, bool)>,
    ids: FxHashMap<Node, Regex>,
    derivatives: FxHashMap<(Regex, u32), Regex>,
}

type Made = Result<Regex, Unevaluable>;

impl Regexes {
    pub(super) fn by_handle(&self, handle: i64) -> Option<Regex> {
        usize::try_from(handle).ok().filter(|i| *i < self.nodes.len()).map(|i| Regex(i as u32))
    }

    pub(super) fn handle(regex: Regex) -> i64 {
        i64::from(regex.0)
    }

    fn make(&mut self, node: Node) -> Made {
        if let Some(&id) = self.ids.get(&node) {
            return Ok(id);
        }
        if self.nodes.len() >= MAX_NODES {
            return Err(Unevaluable::Exhausted);
        }
        let nullable = match &node {
            Node::None | Node::Range(..) => false,
            Node::Empty | Node::Star(_) => true,
            Node::Concat(a, b) => self.nullable(*a) && self.nullable(*b),
            Node::Union(parts) => parts.iter().any(|r| self.nullable(*r)),
            Node::Inter(parts) => parts.iter().all(|r| self.nullable(*r)),
            Node::Complement(r) => !self.nullable(*r),
            Node::Loop(r, low, _) => *low == 0 || self.nullable(*r),
        };
        let id = Regex(self.nodes.len() as u32);
        self.nodes.push((node.clone(), nullable));
        self.ids.insert(node, id);
        Ok(id)
    }

    fn node(&self, regex: Regex) -> &Node {
        &self.nodes[regex.0 as usize].0
    }

    /// Whether the empty string matches.
    fn nullable(&self, regex: Regex) -> bool {
        self.nodes[regex.0 as usize].1
    }

    pub(super) fn none(&mut self) -> Made {
        self.make(Node::None)
    }

    pub(super) fn all(&mut self) -> Made {
        let none = self.none()?;
        self.make(Node::Complement(none))
    }

    pub(super) fn range(&mut self, low: u32, high: u32) -> Made {
        if low > high { self.none() } else { self.make(Node::Range(low, high)) }
    }

    pub(super) fn any_char(&mut self) -> Made {
        self.range(0, MAX_CODE_POINT)
    }

    pub(super) fn text(&mut self, text: &[u32]) -> Made {
        let mut regex = self.make(Node::Empty)?;
        for c in text.iter().rev() {
            let head = self.range(*c, *c)?;
            regex = self.concat(head, regex)?;
        }
        Ok(regex)
    }

    pub(super) fn concat(&mut self, a: Regex, b: Regex) -> Made {
        match (self.node(a), self.node(b)) {
            (Node::None, _) | (_, Node::Empty) => Ok(a),
            (_, Node::None) | (Node::Empty, _) => Ok(b),
            _ => self.make(Node::Concat(a, b)),
        }
    }

    pub(super) fn union(&mut self, parts: &[Regex]) -> Made {
        let (none, all) = (self.none()?, self.all()?);
        let mut flat = Vec::new();
        for part in parts {
            match self.node(*part) {
                Node::Union(inner) => flat.extend_from_slice(inner),
                _ => flat.push(*part),
            }
        }
        if flat.contains(&all) {
            return Ok(all);
        }
        flat.retain(|r| *r != none);
        flat.sort_unstable();
        flat.dedup();
        match flat[..] {
            [] => Ok(none),
            [one] => Ok(one),
            _ => self.make(Node::Union(flat.into())),
        }
    }

    pub(super) fn inter(&mut self, parts: &[Regex]) -> Made {
        let (none, all) = (self.none()?, self.all()?);
        let mut flat = Vec::new();
        for part in parts {
            match self.node(*part) {
                Node::Inter(inner) => flat.extend_from_slice(inner),
                _ => flat.push(*part),
            }
        }
        if flat.contains(&none) {
            return Ok(none);
        }
        flat.retain(|r| *r != all);
        flat.sort_unstable();
        flat.dedup();
        match flat[..] {
            [] => Ok(all),
            [one] => Ok(one),
            _ => self.make(Node::Inter(flat.into())),
        }
    }

    pub(super) fn complement(&mut self, regex: Regex) -> Made {
        match self.node(regex) {
            Node::Complement(inner) => Ok(*inner),
            _ => self.make(Node::Complement(regex)),
        }
    }

    pub(super) fn star(&mut self, regex: Regex) -> Made {
        match self.node(regex) {
            Node::None | Node::Empty => self.make(Node::Empty),
            Node::Star(_) => Ok(regex),
            _ => self.make(Node::Star(regex)),
        }
    }

    pub(super) fn repeat(&mut self, regex: Regex, low: u32, high: u32) -> Made {
        match (low, high) {
            _ if low > high => self.none(),
            (_, 0) => self.make(Node::Empty),
            (1, 1) => Ok(regex),
            _ if *self.node(regex) == Node::None && low > 0 => Ok(regex),
            _ if *self.node(regex) == Node::None => self.make(Node::Empty),
            _ => self.make(Node::Loop(regex, low, high)),
        }
    }

    /// The derivative by a character.
    fn derivative(&mut self, regex: Regex, c: u32, depth: u32) -> Made {
        if let Some(&known) = self.derivatives.get(&(regex, c)) {
            return Ok(known);
        }
        if depth > MAX_DEPTH || self.derivatives.len() >= MAX_NODES {
            return Err(Unevaluable::Exhausted);
        }
        let depth = depth + 1;
        let derivative = match self.node(regex).clone() {
            Node::None | Node::Empty => self.none()?,
            Node::Range(low, high) if low <= c && c <= high => self.make(Node::Empty)?,
            Node::Range(..) => self.none()?,
            Node::Concat(a, b) => {
                let head = self.derivative(a, c, depth)?;
                let head = self.concat(head, b)?;
                if self.nullable(a) {
                    let tail = self.derivative(b, c, depth)?;
                    self.union(&[head, tail])?
                } else {
                    head
                }
            }
            Node::Union(parts) => {
                let parts = self.derivatives(&parts, c, depth)?;
                self.union(&parts)?
            }
            Node::Inter(parts) => {
                let parts = self.derivatives(&parts, c, depth)?;
                self.inter(&parts)?
            }
            Node::Star(inner) => {
                let head = self.derivative(inner, c, depth)?;
                self.concat(head, regex)?
            }
            Node::Complement(inner) => {
                let inner = self.derivative(inner, c, depth)?;
                self.complement(inner)?
            }
            // Also right when the inner one matches the empty string: fewer rounds
            // are among more rounds then.
            Node::Loop(inner, low, high) => {
                let head = self.derivative(inner, c, depth)?;
                let rest = self.repeat(inner, low.saturating_sub(1), high - 1)?;
                self.concat(head, rest)?
            }
        };
        self.derivatives.insert((regex, c), derivative);
        Ok(derivative)
    }

    fn derivatives(&mut self, parts: &[Regex], c: u32, depth: u32) -> Result<Vec<Regex>, Unevaluable> {
        parts.iter().map(|part| self.derivative(*part, c, depth)).collect()
    }

    /// Whether the whole text matches.
    pub(super) fn matches(&mut self, regex: Regex, text: &[u32]) -> Result<bool, Unevaluable> {
        let mut regex = regex;
        for c in text {
            regex = self.derivative(regex, *c, 0)?;
        }
        Ok(self.nullable(regex))
    }

    /// The end of the shortest match of at least `least` characters at the beginning of the text.
    fn shortest(&mut self, regex: Regex, text: &[u32], least: usize) -> Result<Option<usize>, Unevaluable> {
        let mut regex = regex;
        for (i, c) in text.iter().enumerate() {
            if self.nullable(regex) && i >= least {
                return Ok(Some(i));
            }
            if *self.node(regex) == Node::None {
                return Ok(None);
            }
            regex = self.derivative(regex, *c, 0)?;
        }
        Ok((self.nullable(regex) && text.len() >= least).then_some(text.len()))
    }

    /// The shortest of the leftmost matches of at least `least` characters: where it starts and ends.
    pub(super) fn find(
        &mut self,
        regex: Regex,
        text: &[u32],
        least: usize,
    ) -> Result<Option<(usize, usize)>, Unevaluable> {
        for start in 0..=text.len() {
            if let Some(end) = self.shortest(regex, &text[start..], least)? {
                return Ok(Some((start, start + end)));
            }
        }
        Ok(None)
    }
}
