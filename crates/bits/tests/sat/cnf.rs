//! Clauses for the tests: random and structured ones, and the circuits of blasted queries.

use evergreen_bits::lrat::Cnf;
use evergreen_bits::sat::{Lit, Var};
use evergreen_structures::Random;

/// A literal from a number as in DIMACS.
pub(crate) fn lit(number: i32) -> Lit {
    let var = Var(number.unsigned_abs() - 1);
    if number < 0 { var.negative() } else { var.positive() }
}

/// Clauses from numbers as in DIMACS.
pub(crate) fn cnf(clauses: &[&[i32]]) -> Cnf {
    clauses.iter().map(|clause| clause.iter().map(|&number| lit(number)).collect::<Vec<_>>()).collect()
}

/// A random literal.
pub(crate) fn random_lit(random: &mut Random, vars: usize) -> Lit {
    Lit::from_code(random.below(2 * vars) as u32)
}

/// Random clauses: a third of the formulas has any lengths, with repetitions and tautologies, the others have
/// two to four literals; about as many clauses as make half of the formulas satisfiable.
pub(crate) fn random_cnf(random: &mut Random) -> Cnf {
    let is_mixed = random.one_in(3);
    let vars = if is_mixed { 1 + random.below(14) } else { 7 + random.below(8) };
    let clauses =
        if is_mixed { random.below(vars * 7 + 2) } else { vars * 7 / 2 + random.below(vars * 5 / 2) };
    (0..clauses)
        .map(|_| {
            let len = match random.below(8) {
                _ if is_mixed => 1 + random.below(6),
                0 => 2,
                1 | 2 => 4,
                _ => 3,
            };
            let mut clause: Vec<Lit> = Vec::new();
            while clause.len() < len {
                let lit = random_lit(random, vars);
                if is_mixed || clause.iter().all(|other| other.var() != lit.var()) {
                    clause.push(lit);
                }
            }
            clause
        })
        .collect()
}

/// Whether an assignment, a bit for each variable, satisfies a clause.
pub(crate) fn holds(clause: &[Lit], assignment: u32) -> bool {
    clause.iter().any(|lit| (assignment >> lit.var().0 & 1 == 1) != lit.is_negative())
}

/// Whether there is an assignment that satisfies clauses and assumptions.
pub(crate) fn has_model(cnf: &Cnf, assumptions: &[Lit]) -> bool {
    let vars = assumptions.iter().map(|lit| lit.var().index() + 1).max().unwrap_or(0).max(cnf.vars());
    assert!(vars <= 16, "brute force is for few variables");
    (0..1u32 << vars).any(|assignment| {
        cnf.iter().all(|clause| holds(clause, assignment))
            && assumptions.iter().all(|&lit| holds(&[lit], assignment))
    })
}

/// `holes + 1` pigeons in `holes` holes.
pub(crate) fn pigeons(holes: usize) -> Cnf {
    let sits = |pigeon: usize, hole: usize| Var((pigeon * holes + hole) as u32);
    let mut cnf = Cnf::new();
    for pigeon in 0..=holes {
        cnf.push(&(0..holes).map(|hole| sits(pigeon, hole).positive()).collect::<Vec<_>>());
    }
    for hole in 0..holes {
        for one in 0..=holes {
            for other in 0..one {
                cnf.push(&[sits(one, hole).negative(), sits(other, hole).negative()]);
            }
        }
    }
    cnf
}

/// Random clauses of three different variables.
pub(crate) fn random_3cnf(random: &mut Random, vars: usize, clauses: usize) -> Cnf {
    let mut lits: Vec<Lit> = Vec::new();
    (0..clauses)
        .map(|_| {
            lits.clear();
            while lits.len() < 3 {
                let lit = random_lit(random, vars);
                if lits.iter().all(|other| other.var() != lit.var()) {
                    lits.push(lit);
                }
            }
            lits.clone()
        })
        .collect()
}
