//! Constraints as they are counted: rows under `and`, `or` and alternatives that exclude each other.

use evergreen_count::{Relation, Row};
use evergreen_term::Int;
use std::rc::Rc;

/// A formula over rows, without negations: rows have opposites.
#[derive(Debug)]
pub(crate) enum Formula {
    Row(Row),
    /// All of them hold.
    All(Vec<Rc<Formula>>),
    /// At least one of them holds.
    Any(Vec<Rc<Formula>>),
    /// At least one of them holds, and no two can.
    OneOf(Vec<Rc<Formula>>),
}

impl Formula {
    pub(super) fn truth(value: bool) -> Formula {
        if value { Formula::All(Vec::new()) } else { Formula::Any(Vec::new()) }
    }

    /// Holds exactly where this one does not.
    pub(super) fn negated(&self) -> Formula {
        let all = |parts: &[Rc<Formula>]| parts.iter().map(|p| Rc::new(p.negated())).collect();
        match self {
            Formula::Row(row) => Formula::Row(row.negated()),
            Formula::All(parts) => Formula::Any(all(parts)),
            Formula::Any(parts) | Formula::OneOf(parts) => Formula::All(all(parts)),
        }
    }

    /// The same over other numbers of the variables.
    pub(super) fn renamed(&self, names: &[u32]) -> Formula {
        let all = |parts: &[Rc<Formula>]| parts.iter().map(|p| Rc::new(p.renamed(names))).collect();
        match self {
            Formula::Row(row) => {
                let terms = row.terms.iter().map(|(v, a)| (names[*v as usize], a.clone())).collect();
                Formula::Row(Row { terms, ..row.clone() })
            }
            Formula::All(parts) => Formula::All(all(parts)),
            Formula::Any(parts) => Formula::Any(all(parts)),
            Formula::OneOf(parts) => Formula::OneOf(all(parts)),
        }
    }

    /// Calls `each` with every variable that occurs, as often as it does.
    pub(super) fn variables(&self, each: &mut dyn FnMut(u32)) {
        match self {
            Formula::Row(row) => row.terms.iter().for_each(|(var, _)| each(*var)),
            Formula::All(parts) | Formula::Any(parts) | Formula::OneOf(parts) => {
                parts.iter().for_each(|p| p.variables(each));
            }
        }
    }
}

/// A sum of variables with coefficients, ascending and none of them zero, and a constant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Sum {
    pub terms: Vec<(u32, Int)>,
    pub constant: Int,
}

impl Sum {
    pub(super) fn constant(value: Int) -> Sum {
        Sum { terms: Vec::new(), constant: value }
    }

    pub(super) fn variable(var: u32) -> Sum {
        Sum { terms: vec![(var, Int::ONE)], constant: Int::ZERO }
    }

    /// This and `times` as much of the other.
    pub(super) fn plus(&self, other: &Sum, times: &Int) -> Sum {
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let mut put = |var: u32, a: Int| {
            if !a.is_zero() {
                terms.push((var, a));
            }
        };
        let mut own = self.terms.iter().peekable();
        for (var, b) in &other.terms {
            while let Some((v, a)) = own.next_if(|(v, _)| v < var) {
                put(*v, a.clone());
            }
            let before = own.next_if(|(v, _)| v == var);
            let scaled = b.mul(times);
            put(*var, before.map_or(scaled.clone(), |(_, a)| a.add(&scaled)));
        }
        own.for_each(|(v, a)| put(*v, a.clone()));
        Sum { terms, constant: self.constant.add(&other.constant.mul(times)) }
    }

    pub(super) fn times(&self, by: &Int) -> Sum {
        Sum::constant(Int::ZERO).plus(self, by)
    }

    /// Compared to zero.
    pub(super) fn compared(self, relation: Relation) -> Formula {
        Formula::Row(Row { terms: self.terms, constant: self.constant, relation })
    }

    /// `this < 0`
    pub(super) fn negative(mut self) -> Formula {
        self.constant = self.constant.add(&Int::ONE);
        self.compared(Relation::Le)
    }
}
