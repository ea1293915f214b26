//! Lines, how they follow from each other, and the tree of cases; written out as a
//! [`Certificate`] at the end.
//!
//! While the thorough solver works it only keeps, for each line, the lines that it was made of. Lines that
//! the final tree does not use are never written, a split whose case is not needed disappears, and the
//! remaining rows are the core.

use crate::certificate::{Certificate, Part, Step};
use evergreen_term::Int;

/// A line by number; the rows of the query come first.
pub(crate) type LineId = u32;

/// Where a line comes from.
#[derive(Clone, Debug)]
pub(crate) enum Origin {
    /// It is a row of the query, or one case of a split.
    Given,
    /// Lines times multipliers, divided, the constant rounded up.
    Cut { parts: Vec<(LineId, Int)>, divisor: Int },
}

/// `terms * x + constant` compared with 0.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub terms: Vec<Int>,
    pub constant: Int,
    /// `= 0`, not `<= 0`.
    pub equal: bool,
    pub origin: Origin,
}

/// All lines that were ever made.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lines {
    lines: Vec<Line>,
    /// The given lines that each line depends on, ascending.
    bases: Vec<Vec<LineId>>,
}

impl Lines {
    pub(crate) fn get(&self, id: LineId) -> &Line {
        &self.lines[id as usize]
    }

    pub(crate) fn add(&mut self, line: Line) -> LineId {
        let id = self.lines.len() as LineId;
        let base = match &line.origin {
            Origin::Given => vec![id],
            Origin::Cut { parts, .. } => self.bases_of(parts),
        };
        self.lines.push(line);
        self.bases.push(base);
        id
    }

    /// The given lines that a combination depends on, ascending.
    pub(crate) fn bases_of(&self, parts: &[(LineId, Int)]) -> Vec<LineId> {
        let mut all: Vec<LineId> =
            parts.iter().flat_map(|(line, _)| self.bases[*line as usize].iter().copied()).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// A tree of cases, each closed.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub node: Node,
    /// The given lines that it depends on, ascending; its own cases not among them.
    pub uses: Vec<LineId>,
}

/// One place in the tree.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    /// A combination that is false.
    Close(Vec<(LineId, Int)>),
    /// Two cases, each with the line it assumes.
    Cases { step: Step, cases: Box<[(LineId, Tree); 2]> },
}

impl Tree {
    pub(crate) fn close(lines: &Lines, parts: Vec<(LineId, Int)>) -> Tree {
        let parts: Vec<_> = parts.into_iter().filter(|(_, times)| !times.is_zero()).collect();
        Tree { uses: lines.bases_of(&parts), node: Node::Close(parts) }
    }

    pub(crate) fn cases(step: Step, row: Option<LineId>, low: (LineId, Tree), high: (LineId, Tree)) -> Tree {
        let mut uses: Vec<LineId> = low.1.uses.iter().filter(|u| **u != low.0).copied().collect();
        uses.extend(high.1.uses.iter().filter(|u| **u != high.0));
        uses.extend(row);
        uses.sort_unstable();
        uses.dedup();
        Tree { node: Node::Cases { step, cases: Box::new([low, high]) }, uses }
    }

    /// The proof in preorder, over the given rows, which are those it uses and maybe others.
    pub(crate) fn certificate(&self, lines: &Lines, rows: &[LineId]) -> Certificate {
        let mut writer = Writer {
            lines,
            number: vec![None; lines.lines.len()],
            named: Vec::new(),
            next: rows.len() as u32,
            steps: Vec::new(),
        };
        for (k, row) in rows.iter().enumerate() {
            writer.number[*row as usize] = Some(k as u32);
        }
        writer.tree(self);
        Certificate { steps: writer.steps }
    }
}

struct Writer<'a> {
    lines: &'a Lines,
    /// The certificate's number of each line that is known in this branch.
    number: Vec<Option<u32>>,
    named: Vec<LineId>,
    next: u32,
    steps: Vec<Step>,
}

impl Writer<'_> {
    fn tree(&mut self, tree: &Tree) {
        match &tree.node {
            Node::Close(parts) => {
                let parts = self.parts(parts);
                self.steps.push(Step::Close(parts));
            }
            Node::Cases { step, cases } => {
                self.steps.push(match step {
                    Step::Apart { line } => {
                        Step::Apart { line: self.number[*line as usize].unwrap_or(*line) }
                    }
                    other => other.clone(),
                });
                let (named, next) = (self.named.len(), self.next);
                for (line, proof) in cases.iter() {
                    self.name(*line);
                    self.tree(proof);
                    for gone in self.named.drain(named..) {
                        self.number[gone as usize] = None;
                    }
                    self.next = next;
                }
            }
        }
    }

    fn name(&mut self, line: LineId) -> u32 {
        let number = self.next;
        self.number[line as usize] = Some(number);
        self.named.push(line);
        self.next += 1;
        number
    }

    /// The combination in the certificate's numbers; cuts that are not known yet are written first.
    fn parts(&mut self, parts: &[(LineId, Int)]) -> Vec<Part> {
        let lines = self.lines;
        let mut out = Vec::with_capacity(parts.len());
        for (line, times) in parts {
            let number = match (self.number[*line as usize], &lines.get(*line).origin) {
                (Some(number), _) => number,
                (None, Origin::Cut { parts, divisor }) => {
                    let sum = self.parts(parts);
                    self.steps.push(Step::Cut { sum, divisor: divisor.clone() });
                    self.name(*line)
                }
                // A case is named where its branch begins, before anything can use it.
                (None, Origin::Given) => unreachable!("a case was used outside of its branch"),
            };
            out.push(Part { line: number, times: times.clone() });
        }
        out
    }
}
