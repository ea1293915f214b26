//! The checker of proofs.

use super::{Flaw, Premise, Proof};
use crate::sat::Lit;

/// The most literals that a check looks at. A proof of [`super::MOST_BYTES`] that a solver wrote takes a
/// fraction of it; one that was made to take long does not get its time.
pub const MOST_WORK: usize = 8_000_000;

/// Clauses in two vectors, numbered by their order.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Cnf {
    lits: Vec<Lit>,
    /// Where the literals of each clause end.
    ends: Vec<u32>,
    vars: usize,
}

impl Cnf {
    /// No clauses.
    pub fn new() -> Self {
        Cnf::default()
    }

    /// Adds a clause: its number is how many were added before it.
    pub fn push(&mut self, lits: &[Lit]) {
        for lit in lits {
            self.vars = self.vars.max(lit.var().index() + 1);
        }
        self.lits.extend_from_slice(lits);
        self.ends.push(self.lits.len() as u32);
    }

    /// Forgets all clauses and keeps the memory.
    pub fn clear(&mut self) {
        self.lits.clear();
        self.ends.clear();
        self.vars = 0;
    }

    /// How many clauses there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no clause.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// One more than the largest variable.
    pub fn vars(&self) -> usize {
        self.vars
    }

    /// The clause with a number.
    pub fn get(&self, number: usize) -> Option<&[Lit]> {
        let end = *self.ends.get(number)? as usize;
        let start = if number == 0 { 0 } else { self.ends[number - 1] as usize };
        Some(&self.lits[start..end])
    }

    /// The clauses in order.
    pub fn iter(&self) -> impl Iterator<Item = &[Lit]> + '_ {
        (0..self.len()).filter_map(|number| self.get(number))
    }
}

impl<C: AsRef<[Lit]>> FromIterator<C> for Cnf {
    fn from_iter<I: IntoIterator<Item = C>>(clauses: I) -> Self {
        let mut cnf = Cnf::new();
        for clause in clauses {
            cnf.push(clause.as_ref());
        }
        cnf
    }
}

/// Follows the hints of a proof, line by line. `Ok` means that the clauses have no model.
pub fn check(clauses: &Cnf, proof: &Proof) -> Result<(), Flaw> {
    check_within(clauses, proof, MOST_WORK)
}

/// The same with another bound than [`MOST_WORK`].
pub fn check_within(clauses: &Cnf, proof: &Proof, most_work: usize) -> Result<(), Flaw> {
    let is_true = vec![0; 2 * clauses.vars()];
    let mut checker = Checker { clauses, proof, is_true, work: 0, most_work };
    for line in 0..proof.len() {
        checker.line(line)?;
    }
    match proof.len().checked_sub(1) {
        Some(last) if proof.lits(last).is_empty() => Ok(()),
        _ => Err(Flaw::NoEmptyClause),
    }
}

struct Checker<'a> {
    clauses: &'a Cnf,
    proof: &'a Proof,
    /// By literal: the last line, counted from 1, in which it was true.
    is_true: Vec<u32>,
    work: usize,
    most_work: usize,
}

/// What a clause says under the values of a line.
enum State {
    False,
    Unit(Lit),
    /// Several literals are open, or one is true.
    Other,
}

impl<'a> Checker<'a> {
    fn line(&mut self, line: usize) -> Result<(), Flaw> {
        let now = line as u32 + 1;
        let proof = self.proof;
        let lits = proof.lits(line);
        self.work += lits.len();
        for &lit in lits {
            let place = self.is_true.get_mut((!lit).index()).ok_or(Flaw::UnknownVariable { line })?;
            *place = now;
        }
        let hints = proof.hints(line);
        for (hint, &premise) in hints.iter().enumerate() {
            let clause = self.clause(premise, line)?;
            self.work += clause.len() + 1;
            if self.work > self.most_work {
                return Err(Flaw::TooMuchWork);
            }
            match self.state(clause, now) {
                State::False if hint + 1 == hints.len() => return Ok(()),
                State::False => return Err(Flaw::Superfluous { line }),
                State::Unit(lit) => self.is_true[lit.index()] = now,
                State::Other => return Err(Flaw::NotUnit { line, hint }),
            }
        }
        Err(Flaw::Unfinished { line })
    }

    fn clause(&self, premise: Premise, line: usize) -> Result<&'a [Lit], Flaw> {
        let number = premise.number() as usize;
        let found = match premise.is_line() {
            true => (number < line).then(|| self.proof.lits(number)),
            false => self.clauses.get(number),
        };
        found.ok_or(Flaw::UnknownPremise { line })
    }

    fn state(&self, clause: &[Lit], now: u32) -> State {
        let mut open = None;
        for &lit in clause {
            if self.is_true[(!lit).index()] == now {
                continue;
            }
            // A clause may say a literal twice.
            if self.is_true[lit.index()] == now || open.is_some_and(|open| open != lit) {
                return State::Other;
            }
            open = Some(lit);
        }
        open.map_or(State::False, State::Unit)
    }
}
