//! The native core on a path: linear constraints kept in an incremental solver, in step with the path that is
//! asked about.
//!
//! On a path nothing is looked up before the native core was asked: deciding one more linear constraint in a
//! solver that has the rest of the path in it takes about as long as hashing the question would. The solver
//! is synced lazily: only when something is asked is it popped to the deepest common frame and extended by
//! the rest.

use evergreen_canon::{Canonizer, Compare, Leaf, Row as CanonRow, Variable};
use evergreen_lia::{Effort, Op, Row, Solver, Verdict};
use evergreen_term::{Model, TermId, Terms, Value};
use std::rc::Rc;

/// How hard the native core tries before a solver process takes over.
pub(crate) const EFFORT: Effort = Effort { pivots: 2_000, splits: 200 };
/// Numbers beyond this make every step of exact arithmetic long, and effort is counted in steps: left to a
/// solver.
const TAME: i64 = 1 << 40;

/// The rows of a constraint that the native core should be asked about; `None` unless that is all of it.
pub(crate) fn rows_of(
    terms: &Terms,
    canonizer: &mut Canonizer,
    constraint: TermId,
) -> Option<Rc<[CanonRow<Variable>]>> {
    canonizer.linear(terms, constraint).filter(|rows| rows.iter().all(is_tame))
}

/// Whether all numbers of a row are small enough.
pub(crate) fn is_tame<V>(row: &CanonRow<V>) -> bool {
    let small = |n: i64| n.unsigned_abs() <= TAME.unsigned_abs();
    small(row.constant) && row.terms.iter().all(|t| small(t.1))
}

/// No number yet.
const NONE: u32 = u32::MAX;

/// A constraint of the path.
struct Frame {
    constraint: TermId,
    /// It is not a linear constraint, and the solver knows nothing of it.
    is_opaque: bool,
}

/// What the native core says about a path and a new constraint.
pub(crate) enum Said {
    /// The linear constraints of the path and the new ones have a common model.
    Sat,
    /// They have none; positions of constraints of the path, and whether a new one is among them.
    Unsat {
        /// Constraints of the path that suffice together with the new ones.
        path: Vec<u32>,
    },
    /// Not decided.
    Unknown,
}

/// A linear solver that follows a path.
pub(crate) struct Native {
    solver: Solver,
    frames: Vec<Frame>,
    opaque: usize,
    /// For each live row, the frame that it came from.
    owners: Vec<u32>,
    /// The solver's number of each variable, by index.
    numbers: Vec<u32>,
    variables: Vec<Variable>,
    /// Kept for its memory.
    row: Option<Row>,
}

pub(crate) fn op(compare: Compare) -> Op {
    match compare {
        Compare::Le => Op::Le,
        Compare::Eq => Op::Eq,
        Compare::Ne => Op::Ne,
    }
}

impl Default for Native {
    fn default() -> Native {
        Native {
            solver: Solver::with_effort(EFFORT),
            frames: Vec::new(),
            opaque: 0,
            owners: Vec::new(),
            numbers: Vec::new(),
            variables: Vec::new(),
            row: None,
        }
    }
}

impl Native {
    /// Brings the solver to a path.
    fn sync(&mut self, terms: &Terms, canonizer: &mut Canonizer, path: &[TermId]) {
        let common = self.frames.iter().zip(path).take_while(|(f, c)| f.constraint == **c).count();
        while self.frames.len() > common {
            self.solver.pop();
            let frame = self.frames.pop().expect("longer than something");
            self.opaque -= usize::from(frame.is_opaque);
            let depth = self.frames.len() as u32;
            while self.owners.last() == Some(&depth) {
                self.owners.pop();
            }
        }
        for &constraint in &path[common..] {
            self.solver.push();
            let is_opaque = !self.assert_all(terms, canonizer, constraint, self.frames.len() as u32);
            self.opaque += usize::from(is_opaque);
            self.frames.push(Frame { constraint, is_opaque });
        }
    }

    /// Asserts the rows of a constraint; whether it has any.
    fn assert_all(
        &mut self,
        terms: &Terms,
        canonizer: &mut Canonizer,
        constraint: TermId,
        owner: u32,
    ) -> bool {
        let Some(rows) = rows_of(terms, canonizer, constraint) else { return false };
        for row in rows.iter() {
            self.assert(row);
            self.owners.push(owner);
        }
        true
    }

    fn assert(&mut self, row: &CanonRow<Variable>) {
        let mut numbered = self.row.take().unwrap_or(Row { op: Op::Le, terms: Vec::new(), constant: 0 });
        numbered.op = op(row.compare);
        numbered.constant = row.constant;
        numbered.terms.clear();
        for &(variable, coefficient) in &row.terms {
            let number = self.number(variable);
            numbered.terms.push((number, coefficient));
        }
        numbered.terms.sort_unstable_by_key(|t| t.0);
        self.solver.assert(&numbered);
        self.row = Some(numbered);
    }

    fn number(&mut self, variable: Variable) -> u32 {
        let index = variable.index();
        if self.numbers.len() <= index {
            self.numbers.resize(index + 1, NONE);
        }
        if self.numbers[index] == NONE {
            self.numbers[index] = self.variables.len() as u32;
            self.variables.push(variable);
        }
        self.numbers[index]
    }

    /// Can the path go on under new constraints? `None` when one of these is not linear.
    pub(crate) fn branch(
        &mut self,
        terms: &Terms,
        canonizer: &mut Canonizer,
        path: &[TermId],
        new: &[TermId],
    ) -> Option<Said> {
        if !new.iter().all(|&c| rows_of(terms, canonizer, c).is_some()) {
            return None;
        }
        self.sync(terms, canonizer, path);
        self.solver.push();
        for &constraint in new {
            self.assert_all(terms, canonizer, constraint, path.len() as u32);
        }
        let said = match self.solver.check() {
            Verdict::Sat => Said::Sat,
            Verdict::Unknown => Said::Unknown,
            Verdict::Unsat => {
                let owners = self.solver.core().iter().map(|&r| self.owners[r as usize]);
                let mut path: Vec<u32> = owners.filter(|&o| (o as usize) < path.len()).collect();
                path.dedup();
                Said::Unsat { path }
            }
        };
        self.solver.pop();
        while self.owners.last() == Some(&(path.len() as u32)) {
            self.owners.pop();
        }
        Some(said)
    }

    /// Whether all constraints of the path are linear.
    pub(crate) fn knows_all(&self) -> bool {
        self.opaque == 0
    }

    /// Whether a constraint of the path is linear.
    pub(crate) fn knows(&self, position: usize) -> bool {
        self.frames.get(position).is_some_and(|f| !f.is_opaque)
    }

    /// The values of the last `Sat`, of every variable that was ever mentioned.
    pub(crate) fn model(&self, canonizer: &Canonizer) -> Model {
        let value = |(number, &variable): (usize, &Variable)| match canonizer.leaf(variable) {
            Leaf::Symbol(s) => Some((s, Value::Int(self.solver.value(number as u32)))),
            _ => None,
        };
        self.variables.iter().enumerate().filter_map(value).collect()
    }

    /// The values of the last `Sat` for the variables of some constraints.
    pub(crate) fn model_of(
        &self,
        terms: &Terms,
        canonizer: &mut Canonizer,
        constraints: impl Iterator<Item = TermId>,
    ) -> Model {
        let mut seen: Vec<u32> = Vec::new();
        for constraint in constraints {
            for row in rows_of(terms, canonizer, constraint).iter().flat_map(|rows| rows.iter()) {
                seen.extend(row.terms.iter().filter_map(|(v, _)| self.numbers.get(v.index())));
            }
        }
        seen.sort_unstable();
        seen.dedup();
        let value = |number: u32| match canonizer.leaf(*self.variables.get(number as usize)?) {
            Leaf::Symbol(s) => Some((s, Value::Int(self.solver.value(number)))),
            _ => None,
        };
        seen.into_iter().filter_map(value).collect()
    }
}
