//! Variables without ends: infinitely many solutions, none, or ends that only several bands together give.
//!
//! A set of rational points that is unbounded in a direction has infinitely many integer points or none: from
//! one of them on, the direction meets each disequality at most once. The linear core (`evergreen-lia`) finds
//! the direction and the point; without a direction it finds ends, by doubling. Where numbers are too large
//! for it, `large.rs` does the same over the rationals.

mod large;

use crate::range::Range;
use crate::system::System;
use evergreen_lia::{Op, Row, Solver, Verdict};
use evergreen_term::Int;

/// The outcome for missing ends.
pub(crate) enum Ends {
    /// All ranges have ends now.
    Finite(System),
    Infinite,
    /// Infinitely many solutions or none; the search for one stays within these ends.
    Endless(System),
    Empty,
    Unknown,
}

/// The rows of a system, or `None` when a number is too large for the core.
pub(crate) struct Rows {
    pub sides: Vec<Row>,
    pub holes: Vec<Row>,
}

/// Writes each side of each band as a row; with `only_directions` all sides are zero.
fn rows(system: &System, only_directions: bool) -> Option<Rows> {
    let units = system.ranges.iter().enumerate().map(|(v, r)| (vec![(v as u32, Int::ONE)], r));
    let bands = system.bands.iter().map(|b| (b.form.clone(), &b.range));
    let mut all = Rows { sides: Vec::new(), holes: Vec::new() };
    for (form, range) in units.chain(bands) {
        let term = |sign: i64| {
            let terms = form.iter().map(|(v, a)| Some((*v, a.to_i64()?.checked_mul(sign)?)));
            terms.collect::<Option<Vec<_>>>()
        };
        let side = |value: &Int, sign: i64| {
            if only_directions { Some(0) } else { value.to_i64()?.checked_mul(sign) }
        };
        if let Some(lo) = &range.lo {
            all.sides.push(Row { op: Op::Le, terms: term(-1)?, constant: side(lo, 1)? });
        }
        if let Some(hi) = &range.hi {
            all.sides.push(Row { op: Op::Le, terms: term(1)?, constant: side(hi, -1)? });
        }
        for hole in &range.holes {
            all.holes.push(Row { op: Op::Ne, terms: term(1)?, constant: side(hole, -1)? });
        }
    }
    Some(all)
}

/// Whether there is a solution, if the core can decide it.
pub(crate) fn any_solution(system: &System) -> Option<bool> {
    let rows = rows(system, false)?;
    let mut solver = Solver::new();
    rows.sides.iter().chain(&rows.holes).for_each(|row| solver.assert(row));
    match solver.check() {
        Verdict::Sat => Some(true),
        Verdict::Unsat => Some(false),
        Verdict::Unknown => None,
    }
}

/// Whether the set is unbounded in some direction.
fn endless(system: &System) -> Option<bool> {
    let rows = rows(system, true)?;
    let mut solver = Solver::new();
    rows.sides.iter().for_each(|row| solver.assert(row));
    for var in 0..system.ranges.len() as u32 {
        for sign in [1, -1] {
            solver.push();
            solver.assert_terms(Op::Le, &[(var, sign)], 1);
            let verdict = solver.check();
            solver.pop();
            match verdict {
                Verdict::Sat => return Some(true),
                Verdict::Unsat => {}
                Verdict::Unknown => return None,
            }
        }
    }
    Some(false)
}

/// The least power of two that no solution's variable reaches in a direction.
fn end(solver: &mut Solver, var: u32, sign: i64) -> Option<Int> {
    for bits in 0..62 {
        // sign * x >= 2^bits
        solver.push();
        solver.assert_terms(Op::Le, &[(var, -sign)], 1 << bits);
        let verdict = solver.check();
        solver.pop();
        match verdict {
            Verdict::Unsat => return Some(Int::from(sign * (1 << bits))),
            Verdict::Sat => {}
            Verdict::Unknown => return None,
        }
    }
    None
}

/// Finds ends for the ranges that have none.
pub(crate) fn ends(mut system: System) -> Ends {
    match endless(&system) {
        None => return large::ends(system),
        Some(true) => {
            return match any_solution(&system) {
                Some(true) => Ends::Infinite,
                Some(false) => Ends::Empty,
                None => large::ends(system),
            };
        }
        Some(false) => {}
    }
    let Some(rows) = rows(&system, false) else { return large::ends(system) };
    let mut solver = Solver::new();
    rows.sides.iter().for_each(|row| solver.assert(row));
    let before = system.clone();
    for (var, range) in system.ranges.iter_mut().enumerate() {
        let Range { lo, hi, .. } = range;
        for (side, sign) in [(lo, -1), (hi, 1)] {
            if side.is_none() {
                match end(&mut solver, var as u32, sign) {
                    Some(value) => *side = Some(value),
                    None => return large::ends(before),
                }
            }
        }
    }
    Ends::Finite(system)
}
