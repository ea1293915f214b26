//! The question Count: how many solutions a query has.
//!
//! [`count`] is the whole of it: read the constraints as formulas over rows (`read.rs`), cut them where they
//! share no variables, and count each part; a part with disjunctions is counted case by case, cases that
//! exclude each other (`cases.rs`). What becomes of a conjunction, and its canonical form, is
//! `evergreen-count`'s business, which asks the store through a memo (`stored.rs`).

mod cases;
mod formula;
mod read;
mod stored;

pub(crate) use stored::Stored;

use cases::Cases;
use evergreen_count::{Budget, Count, Counter, Domain, Memo, Problem, Statistics, Var, count_by, count_with};
use evergreen_structures::UnionFind;
use evergreen_term::{TermId, Terms};
use formula::Formula;
use num_bigint::BigUint;
use read::Reader;
use std::rc::Rc;

/// Why a query cannot be counted: the term that is not linear integer arithmetic.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Uncountable {
    /// The term.
    pub term: TermId,
    /// What is wrong with it.
    pub why: &'static str,
}

/// The number of solutions of a query, and what it took.
#[derive(Clone, PartialEq, Debug)]
pub struct Counted {
    /// The number.
    pub count: Count,
    /// What the counter did.
    pub did: Statistics,
    /// Conjunctions that were counted: more than one where constraints have disjunctions.
    pub cases: u64,
}

/// How a conjunction of rows is counted.
pub(crate) struct Way<'w> {
    /// Known counts.
    pub memo: Option<&'w mut dyn Memo>,
    /// A counter of the caller's own; without one, ours.
    pub counter: Option<&'w mut dyn Counter>,
}

impl Way<'_> {
    fn count(&mut self, problem: &Problem, budget: Budget) -> (Count, Statistics) {
        let memo = self.memo.as_mut().map(|m| &mut **m as &mut dyn Memo);
        match &mut self.counter {
            None => count_with(problem, budget, memo),
            // Its work is not in steps: only that a question was asked is.
            Some(counter) => {
                let did = Statistics { parts: 1, steps: 1, ..Statistics::default() };
                (count_by(&mut **counter, problem, budget, memo), did)
            }
        }
    }
}

/// Counts the solutions of a conjunction over the variables that occur in it or have a domain.
pub(crate) fn count(
    terms: &Terms,
    constraints: &[TermId],
    domains: &[(TermId, Domain)],
    budget: Budget,
    mut way: Way<'_>,
) -> Result<Counted, Uncountable> {
    let mut reader = Reader::new(terms);
    for (term, domain) in domains {
        let var = reader.variable(*term)?;
        let slot = &mut reader.domains[var as usize];
        *slot = slot.meet(domain);
    }
    let mut formulas: Vec<Rc<Formula>> = Vec::with_capacity(constraints.len());
    for &constraint in constraints {
        flatten(Rc::new(reader.formula(constraint, true)?), &mut formulas);
    }
    formulas.append(&mut reader.definitions);
    let mut counted =
        Counted { count: Count::Exact(BigUint::from(1u32)), did: Statistics::default(), cases: 0 };
    let mut left = budget.steps;
    for part in parts(formulas, &reader.domains) {
        let found = match conjunction(&part) {
            Some(problem) => {
                let (found, did) = way.count(&problem, Budget { steps: left });
                counted.cases += 1;
                counted.did.add(&did);
                left = left.saturating_sub(did.steps);
                found
            }
            None => {
                let mut cases = Cases::new(&part.domains, left, &mut way);
                let found = cases.count(part.formulas);
                counted.cases += cases.counted;
                counted.did.add(&cases.did);
                left = cases.left;
                found
            }
        };
        counted.count = counted.count.times(&found);
        if counted.count == Count::Exact(BigUint::ZERO) {
            break;
        }
    }
    Ok(counted)
}

/// Constraints that share variables, and the domains of those, numbered from 0.
struct Part {
    formulas: Vec<Rc<Formula>>,
    domains: Vec<Domain>,
}

/// What has no disjunctions is one problem: the counter itself cuts it further.
fn conjunction(part: &Part) -> Option<Problem> {
    let mut rows = Vec::with_capacity(part.formulas.len());
    for formula in &part.formulas {
        match &**formula {
            Formula::Row(row) => rows.push(row.clone()),
            _ => return None,
        }
    }
    Some(Problem { domains: part.domains.clone(), rows })
}

fn flatten(formula: Rc<Formula>, out: &mut Vec<Rc<Formula>>) {
    match &*formula {
        Formula::All(parts) => parts.iter().for_each(|p| flatten(p.clone(), out)),
        _ => out.push(formula),
    }
}

/// Cuts formulas where they share no variables. Everything that needs no cases is one part, the first.
fn parts(formulas: Vec<Rc<Formula>>, domains: &[Domain]) -> Vec<Part> {
    let n = domains.len();
    let mut sets = UnionFind::new(n);
    for formula in &formulas {
        let mut first = None;
        formula.variables(&mut |var| {
            sets.union(*first.get_or_insert(var), var);
        });
    }
    let root_of = |formula: &Formula, sets: &mut UnionFind| {
        let mut any = None;
        formula.variables(&mut |var| any = Some(var));
        any.map(|var| sets.find(var))
    };
    // The parts that need cases; a formula without variables is true or false, and belongs to the first part.
    let mut number: Vec<Option<usize>> = vec![None; n];
    let mut count = 1;
    for formula in formulas.iter().filter(|f| !matches!(***f, Formula::Row(_))) {
        if let Some(root) = root_of(formula, &mut sets)
            && number[root as usize].is_none()
        {
            number[root as usize] = Some(count);
            count += 1;
        }
    }
    let mut parts: Vec<Part> =
        (0..count).map(|_| Part { formulas: Vec::new(), domains: Vec::new() }).collect();
    let mut renamed: Vec<Var> = Vec::with_capacity(n);
    for (var, domain) in domains.iter().enumerate() {
        let part = &mut parts[number[sets.find(var as Var) as usize].unwrap_or(0)];
        renamed.push(part.domains.len() as Var);
        part.domains.push(domain.clone());
    }
    for formula in formulas {
        let part = root_of(&formula, &mut sets).and_then(|root| number[root as usize]).unwrap_or(0);
        parts[part].formulas.push(Rc::new(formula.renamed(&renamed)));
    }
    parts
}
