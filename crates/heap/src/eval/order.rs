//! The order in which the parts of an invariant are evaluated: cheap parts that often fail come first.
//!
//! Nine of ten choices that lazy initialization offers are objects that another field holds
//! already, and the part that refuses them needs no closure. Functions are called only after it is
//! known that their recursion ends.

use crate::invariant::{Formula, Int, Invariant, Rel, RelId, Set};

/// The means that the evaluation of a part needs, by cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stage {
    /// Rows of relations.
    Rows,
    /// Closures.
    Closures,
    /// Not a part: the check that recursion ends.
    Ends,
    /// Calls of functions.
    Calls,
}

/// The parts by position, cheapest first, with their stages.
pub(super) type Plan = Vec<(usize, Stage)>;

/// The plan for an invariant.
pub(super) fn plan(invariant: &Invariant) -> Plan {
    let stages = invariant.parts.iter().map(|part| Cost { invariant }.formula(&part.formula));
    let mut plan: Plan = stages.enumerate().collect();
    plan.push((0, Stage::Ends));
    plan.sort_by_key(|(_, stage)| *stage);
    plan
}

struct Cost<'a> {
    invariant: &'a Invariant,
}

impl Cost<'_> {
    fn formula(&self, formula: &Formula) -> Stage {
        match formula {
            Formula::Constant(_) => Stage::Rows,
            Formula::Not(f) => self.formula(f),
            Formula::And(all) | Formula::Or(all) => {
                all.iter().map(|f| self.formula(f)).max().unwrap_or(Stage::Rows)
            }
            Formula::All(_, domain, body) | Formula::Exists(_, domain, body) => {
                self.set(domain).max(self.formula(body))
            }
            Formula::Many(_, set) | Formula::Flag(set, _) => self.set(set),
            Formula::In(a, b) | Formula::Equal(a, b) => self.set(a).max(self.set(b)),
            Formula::Compare(_, a, b) => self.int(a).max(self.int(b)),
        }
    }

    fn int(&self, int: &Int) -> Stage {
        match int {
            Int::Number(_) => Stage::Rows,
            Int::Field(set, _) | Int::Count(set) => self.set(set),
            Int::Add(a, b) | Int::Sub(a, b) | Int::Mul(a, b) | Int::Max(a, b) | Int::Min(a, b) => {
                self.int(a).max(self.int(b))
            }
            Int::Mod(a, _) => self.int(a),
            Int::If(condition, a, b) => self.formula(condition).max(self.int(a)).max(self.int(b)),
            Int::Sum(_, domain, body) => self.set(domain).max(self.int(body)),
            Int::Call(..) => Stage::Calls,
        }
    }

    fn set(&self, set: &Set) -> Stage {
        match set {
            Set::This | Set::None | Set::Var(_) | Set::Class(_) => Stage::Rows,
            Set::Join(of, rel) => self.set(of).max(self.relation(*rel)),
            Set::Union(a, b) | Set::Both(a, b) | Set::Minus(a, b) => self.set(a).max(self.set(b)),
        }
    }

    fn relation(&self, rel: RelId) -> Stage {
        match self.invariant.relations[usize::from(rel.0)] {
            Rel::Field(_) => Stage::Rows,
            Rel::Transpose(of) => self.relation(of),
            Rel::Closure(_) | Rel::Star(_) => Stage::Closures,
            Rel::Union(a, b) | Rel::Both(a, b) | Rel::Minus(a, b) => self.relation(a).max(self.relation(b)),
        }
    }
}
