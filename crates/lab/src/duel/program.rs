//! A program: a vocabulary, a pool of constraints about it, and the queries that one asks about it and about
//! its next versions.
//!
//! Programs are few and queries are many. Every job that meets a program asks some of the queries that others
//! asked, some of those with a constraint dropped, added, negated or moved, and unions of two: what a cache
//! of proofs is made for, and where it can be wrong.

use super::atom::{Atom, rename, symbols};
use super::theory::{Theory, Vocabulary};
use evergreen_testing::random::Random;
use std::collections::HashMap;

/// One constraint of a query, negated or not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constraint {
    /// The constraint.
    pub atom: Atom,
    /// Whether its negation is meant.
    pub negated: bool,
}

impl Constraint {
    /// As SMT-LIB.
    pub fn write(&self) -> String {
        let text = self.atom.write();
        if self.negated { format!("(not {text})") } else { text }
    }

    /// The other arm of a branch on it.
    pub fn other(&self) -> Constraint {
        Constraint { negated: !self.negated, ..self.clone() }
    }
}

/// A conjunction.
pub type Query = Vec<Constraint>;

/// Which constraints a solver takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// All of them: z3.
    Whole,
    /// No constant arrays: cvc5 (1.0.3) gives up where stores lead from one to another.
    NoConstantArrays,
    /// No constant arrays and no products of unknowns: yices.
    Plain,
}

impl Language {
    fn has(self, text: &str) -> bool {
        let constant = text.contains("as const");
        match self {
            Language::Whole => true,
            Language::NoConstantArrays => !constant,
            Language::Plain => !constant && !has_product(text),
        }
    }
}

/// Whether integers or reals are multiplied by something that is no number.
fn has_product(text: &str) -> bool {
    text.match_indices("(* ").any(|(at, _)| {
        let factor = text[at + 3..].trim_start_matches("(- ");
        !factor.starts_with(|c: char| c.is_ascii_digit())
    })
}

/// The symbols, the constraints and the queries that all jobs about it know.
#[derive(Clone, Debug)]
pub struct Program {
    /// What it is about.
    pub theory: Theory,
    /// What it declares.
    pub vocabulary: Vocabulary,
    atoms: Vec<Atom>,
    units: Vec<Atom>,
    conflicts: Vec<Vec<Atom>>,
    windows: Vec<Vec<Atom>>,
    /// Cells of arrays, as a program asserts its constant tables.
    tables: Vec<Vec<Atom>>,
    /// Queries so far, oldest first.
    history: Vec<Query>,
    language: Language,
}

/// So many queries are remembered for edits.
const MOST_REMEMBERED: usize = 64;

fn constraints(atoms: &[Atom]) -> Query {
    atoms.iter().map(|atom| Constraint { atom: atom.clone(), negated: false }).collect()
}

impl Program {
    /// The program with that number, as every job sees it first.
    pub fn new(theory: Theory, seed: u64, number: u64, language: Language) -> Program {
        let random = &mut Random::for_index(seed ^ ((theory as u64 + 1) << 40), number);
        let vocabulary = Vocabulary::new(theory, random);
        let mut program = Program {
            theory,
            atoms: Vec::new(),
            units: Vec::new(),
            conflicts: Vec::new(),
            windows: Vec::new(),
            tables: Vec::new(),
            history: Vec::new(),
            language,
            vocabulary,
        };
        for _ in 0..14 {
            let v = &program.vocabulary;
            let atom = v.special(theory, random).filter(|_| random.one_in(2));
            let atom = atom.unwrap_or_else(|| v.comparison(random));
            program.atoms.push(atom);
        }
        // Few constraints inside, so that compounds of the same two meet each other.
        let inner: Vec<String> = (0..3).map(|_| program.vocabulary.comparison(random).write()).collect();
        for _ in 0..8 {
            let (a, b) = (random.choose(&inner).clone(), random.choose(&inner).clone());
            program.atoms.push(Vocabulary::compound(&a, &b, random));
        }
        for _ in 0..4 {
            program.units.push(program.vocabulary.unit(random));
            program.conflicts.push(program.vocabulary.conflict(theory, random));
        }
        for _ in 0..3 {
            program.windows.push(program.vocabulary.window(random));
        }
        if theory == Theory::Bytes {
            program.tables = (0..2).map(|_| program.vocabulary.table(random)).collect();
        }
        let chain = program.vocabulary.chain(random);
        program.conflicts.extend(chain);
        program.retain();
        for _ in 0..10 {
            let query = program.compose(random);
            program.remember(&query);
        }
        program
    }

    /// Leaves out what the solver does not take.
    fn retain(&mut self) {
        let language = self.language;
        self.atoms.retain(|a| language.has(&a.text));
        self.units.retain(|a| language.has(&a.text));
        for conflict in self.conflicts.iter_mut().chain(&mut self.windows) {
            conflict.retain(|a| language.has(&a.text));
        }
        self.conflicts.retain(|c| !c.is_empty());
        self.windows.retain(|c| c.len() == 3);
        while self.atoms.len() < 6 {
            let atom = self.vocabulary.comparison(&mut Random::new(self.atoms.len() as u64));
            if language.has(&atom.text) {
                self.atoms.push(atom);
            } else {
                self.atoms.push(Atom::plain("(or p0 p1)"));
            }
        }
        if self.units.is_empty() {
            self.units.push(Atom::plain("(= p0 true)"));
        }
    }

    /// Some of the pool, some of them negated.
    pub fn some(&self, random: &mut Random, count: usize) -> Query {
        let one = |random: &mut Random| {
            let atom = random.choose(&self.atoms).clone();
            Constraint { atom, negated: random.one_in(4) }
        };
        (0..count).map(|_| one(random)).collect()
    }

    /// A constraint with a bound that has hardly been seen before.
    pub fn fresh(&self, random: &mut Random) -> Constraint {
        let far = self.vocabulary.far(random);
        let atom = match random.below(4) {
            0 => random.choose(&self.units),
            1 => random.choose(&self.atoms),
            _ => &far,
        };
        Constraint {
            atom: Atom { bound: random.between(-500, 500), ..atom.clone() },
            negated: random.one_in(4),
        }
    }

    fn remember(&mut self, query: &Query) {
        if self.history.len() == MOST_REMEMBERED {
            self.history.remove(0);
        }
        self.history.push(query.clone());
    }

    /// The next query; it is remembered.
    pub fn next_query(&mut self, random: &mut Random) -> Query {
        let query = self.compose(random);
        self.remember(&query);
        query
    }

    fn compose(&self, random: &mut Random) -> Query {
        let mut query = match random.below(20) {
            0..=4 => self.conflicting(random),
            5..=7 => constraints(&self.conflicts[self.conflicts.len().saturating_sub(1 + random.below(3))]),
            8..=13 if !self.history.is_empty() => self.edited(random),
            14 if !self.history.is_empty() => {
                let mut both = random.choose(&self.history).clone();
                both.extend(random.choose(&self.history).iter().cloned());
                both
            }
            15 | 16 if !self.windows.is_empty() => self.windowed(random),
            _ => {
                let count = 2 + random.below(4);
                self.some(random, count)
            }
        };
        if random.below(5) < 2 {
            let units = 1 + random.below(2);
            let units = (0..units).map(|_| random.choose(&self.units).clone()).collect::<Vec<_>>();
            query.extend(constraints(&units));
        }
        if random.one_in(12) {
            query.push(self.fresh(random));
        }
        random.shuffle(&mut query);
        query.truncate(9);
        if !self.tables.is_empty() && random.one_in(4) {
            query.splice(0..0, self.table(random));
        }
        query
    }

    /// A table, as it is or with a cell that is missing, moved or asserted once more.
    fn table(&self, random: &mut Random) -> Query {
        let mut cells = constraints(random.choose::<Vec<Atom>>(&self.tables));
        let at = random.below(cells.len());
        match random.below(8) {
            0 => drop(cells.remove(at)),
            1 => random.shuffle(&mut cells),
            2 => cells[at].atom.bound += 1,
            3 => cells.push(cells[at].clone()),
            _ => {}
        }
        cells
    }

    /// A conflict with something beside it: whole, without one of its constraints, or with a bound moved.
    fn conflicting(&self, random: &mut Random) -> Query {
        let mut query = constraints(random.choose::<Vec<Atom>>(&self.conflicts));
        match random.below(8) {
            0 | 1 if query.len() > 1 => {
                query.remove(random.below(query.len()));
            }
            2 => {
                let at = random.below(query.len());
                query[at].atom = query[at].atom.moved(random);
            }
            3..=5 => {
                let at = random.below(query.len());
                query[at].atom = self.about_another(&query[at].atom, random);
            }
            _ => {}
        }
        let beside = if random.one_in(2) { 0 } else { random.below(4) };
        query.extend(self.some(random, beside));
        query
    }

    /// An interval that is empty, or open at one end.
    fn windowed(&self, random: &mut Random) -> Query {
        let mut query = constraints(random.choose::<Vec<Atom>>(&self.windows));
        if random.one_in(2) {
            query.remove(random.below(2));
        }
        let beside = random.below(2);
        query.extend(self.some(random, beside));
        query
    }

    /// An old query as a new version asks it.
    fn edited(&self, random: &mut Random) -> Query {
        let mut query = random.choose(&self.history).clone();
        for _ in 0..1 + random.below(2) {
            let at = random.below(query.len().max(1));
            match random.below(11) {
                // A constraint about another symbol: keys that take two symbols for one would be the same.
                8..=10 if !query.is_empty() => query[at].atom = self.about_another(&query[at].atom, random),
                0 | 1 if query.len() > 1 => {
                    query.remove(at);
                }
                2 => query.extend(self.some(random, 1)),
                3 if !query.is_empty() => query[at].atom = query[at].atom.moved(random),
                4 if !query.is_empty() => query[at] = query[at].other(),
                5 if !query.is_empty() => {
                    let another = self.some(random, 1).remove(0);
                    query[at] = another;
                }
                // What is left of it when half of the program is gone.
                6 if query.len() > 2 => query.retain(|_| random.one_in(2)),
                _ => {}
            }
        }
        if query.is_empty() {
            query = self.some(random, 1);
        }
        query
    }

    /// The same constraint with one of its symbols in place of another one, or two that have changed places.
    fn about_another(&self, atom: &Atom, random: &mut Random) -> Atom {
        let all = &self.vocabulary.symbols;
        let inside: Vec<_> = all.iter().filter(|s| symbols(&atom.text).any(|word| word == s.0)).collect();
        if inside.is_empty() {
            return atom.clone();
        }
        let old = *random.choose(&inside);
        let same: Vec<_> = all.iter().filter(|s| (&s.1, &s.2) == (&old.1, &old.2)).collect();
        let new = *random.choose(&same);
        let mut names = HashMap::from([(old.0.clone(), new.0.clone())]);
        if random.one_in(2) {
            names.insert(new.0.clone(), old.0.clone());
        }
        Atom { text: rename(&atom.text, &names), ..atom.clone() }
    }

    /// A term whose value can be asked for.
    pub fn value(&self, random: &mut Random) -> String {
        let v = &self.vocabulary;
        let text = match random.below(4) {
            0 => random.choose(&self.atoms).write(),
            1 if !v.others.is_empty() => random.choose(&v.others).clone(),
            _ => random.choose(&v.terms).clone(),
        };
        // Solvers do not give values of quantified formulas.
        if text.contains("forall") || text.contains("exists") || !self.language.has(&text) {
            return v.terms[0].clone();
        }
        text
    }
}
