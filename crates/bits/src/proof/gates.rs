//! Clauses from gates: conjunctions, exclusive ors and multiplexers over bits.
//!
//! A gate is a new variable with the clauses that say, in both directions, what it is: so whatever the
//! inputs are, the gates' variables have values that satisfy all clauses, and a contradiction among the
//! clauses is one among the constraints. A gate that constants or equal inputs decide has no variable, and
//! two gates of one kind over the same inputs are one.

use crate::lrat::Cnf;
use crate::sat::{Lit, Var};
use rustc_hash::FxHashMap;

/// The most literals, for each clause that is allowed: most clauses have two or three.
const MOST_LITERALS: usize = 8;

/// A truth value or a literal: 0 and 1, then the codes of literals from 2 on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Bit(u32);

impl Bit {
    pub(super) const FALSE: Bit = Bit(0);
    pub(super) const TRUE: Bit = Bit(1);

    pub(super) fn constant(value: bool) -> Bit {
        if value { Bit::TRUE } else { Bit::FALSE }
    }

    fn of(variable: Var) -> Bit {
        Bit(variable.positive().code() + 2)
    }

    pub(super) fn is_constant(self) -> bool {
        self.0 < 2
    }

    fn literal(self) -> Option<Lit> {
        self.0.checked_sub(2).map(Lit::from_code)
    }
}

impl std::ops::Not for Bit {
    type Output = Bit;

    fn not(self) -> Bit {
        Bit(self.0 ^ 1)
    }
}

/// Too many clauses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TooLarge;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Gate {
    And(Bit, Bit),
    Xor(Bit, Bit),
    Mux(Bit, Bit, Bit),
}

/// Clauses, in the order in which they were made.
pub(super) struct Gates {
    /// How many clauses there may be.
    most: usize,
    clauses: Cnf,
    literals: usize,
    variables: u32,
    known: FxHashMap<Gate, Bit>,
    known_wide: FxHashMap<Box<[Bit]>, Bit>,
    is_too_large: bool,
}

impl Gates {
    /// No gates; at most so many clauses.
    pub(super) fn new(most: usize) -> Gates {
        Gates {
            most,
            clauses: Cnf::new(),
            literals: 0,
            variables: 0,
            known: FxHashMap::default(),
            known_wide: FxHashMap::default(),
            is_too_large: false,
        }
    }

    /// The clauses.
    pub(super) fn clauses(&self) -> &Cnf {
        &self.clauses
    }

    /// Whether all clauses were taken.
    pub(super) fn finish(&self) -> Result<(), TooLarge> {
        if self.is_too_large { Err(TooLarge) } else { Ok(()) }
    }

    /// A new input.
    pub(super) fn input(&mut self) -> Bit {
        let variable = Var(self.variables);
        self.variables += 1;
        Bit::of(variable)
    }

    /// Says that one of the bits, which may be the same or opposite ones, is true.
    pub(super) fn assert_any(&mut self, mut bits: Vec<Bit>) -> bool {
        bits.sort_unstable();
        bits.dedup();
        // A bit and its negation are neighbours.
        bits.windows(2).any(|pair| pair[0] == !pair[1]) || self.clause_of(&bits)
    }

    /// Says that one of the bits, over different variables, is true; what holds anyway is no clause. Whether
    /// that is possible at all.
    pub(super) fn clause_of(&mut self, bits: &[Bit]) -> bool {
        if bits.contains(&Bit::TRUE) {
            return true;
        }
        let literals: Vec<Lit> = bits.iter().filter_map(|b| b.literal()).collect();
        if literals.is_empty() {
            return false;
        }
        self.literals += literals.len();
        if self.clauses.len() >= self.most || self.literals > self.most * MOST_LITERALS {
            self.is_too_large = true;
        } else {
            self.clauses.push(&literals);
        }
        true
    }

    pub(super) fn and(&mut self, a: Bit, b: Bit) -> Bit {
        let (a, b) = (a.min(b), a.max(b));
        match (a, b) {
            (Bit::FALSE, _) => return Bit::FALSE,
            (Bit::TRUE, b) => return b,
            _ if a == b => return a,
            _ if a == !b => return Bit::FALSE,
            _ => {}
        }
        if let Some(&known) = self.known.get(&Gate::And(a, b)) {
            return known;
        }
        let gate = self.input();
        self.known.insert(Gate::And(a, b), gate);
        self.clause_of(&[!gate, a]);
        self.clause_of(&[!gate, b]);
        self.clause_of(&[gate, !a, !b]);
        gate
    }

    pub(super) fn or(&mut self, a: Bit, b: Bit) -> Bit {
        !self.and(!a, !b)
    }

    /// Whether all bits are true: one gate for any number of them.
    pub(super) fn all(&mut self, bits: &[Bit]) -> Bit {
        let mut inputs: Vec<Bit> = bits.iter().copied().filter(|b| *b != Bit::TRUE).collect();
        inputs.sort_unstable();
        inputs.dedup();
        // A bit and its negation are neighbours.
        if inputs.first() == Some(&Bit::FALSE) || inputs.windows(2).any(|pair| pair[0] == !pair[1]) {
            return Bit::FALSE;
        }
        match inputs[..] {
            [] => return Bit::TRUE,
            [only] => return only,
            [a, b] => return self.and(a, b),
            _ => {}
        }
        if let Some(&known) = self.known_wide.get(&inputs[..]) {
            return known;
        }
        let gate = self.input();
        for &input in &inputs {
            self.clause_of(&[!gate, input]);
        }
        let mut last: Vec<Bit> = inputs.iter().map(|b| !*b).collect();
        last.push(gate);
        self.clause_of(&last);
        self.known_wide.insert(inputs.into(), gate);
        gate
    }

    /// Whether any bit is true.
    pub(super) fn any(&mut self, bits: &[Bit]) -> Bit {
        let negated: Vec<Bit> = bits.iter().map(|b| !*b).collect();
        !self.all(&negated)
    }

    pub(super) fn xor(&mut self, a: Bit, b: Bit) -> Bit {
        let (a, b) = (a.min(b), a.max(b));
        match (a, b) {
            (Bit::FALSE, b) => return b,
            (Bit::TRUE, b) => return !b,
            _ if a == b => return Bit::FALSE,
            _ if a == !b => return Bit::TRUE,
            _ => {}
        }
        // Negations are pulled out, so that both signs share a gate.
        let (a, flip_a) = unsigned(a);
        let (b, flip_b) = unsigned(b);
        let gate = match self.known.get(&Gate::Xor(a, b)) {
            Some(&known) => known,
            None => {
                let gate = self.input();
                self.known.insert(Gate::Xor(a, b), gate);
                self.clause_of(&[!gate, a, b]);
                self.clause_of(&[!gate, !a, !b]);
                self.clause_of(&[gate, !a, b]);
                self.clause_of(&[gate, a, !b]);
                gate
            }
        };
        if flip_a != flip_b { !gate } else { gate }
    }

    /// `yes` where the condition holds, else `no`.
    pub(super) fn mux(&mut self, condition: Bit, yes: Bit, no: Bit) -> Bit {
        let (condition, flipped) = unsigned(condition);
        let (yes, no) = if flipped { (no, yes) } else { (yes, no) };
        match (condition, yes, no) {
            // The only constant that is left: a condition has no sign.
            (Bit::FALSE, _, no) => return no,
            _ if yes == no => return yes,
            _ if yes == !no => return !self.xor(condition, yes),
            (c, Bit::TRUE, no) => return self.or(c, no),
            (c, Bit::FALSE, no) => return self.and(!c, no),
            (c, yes, Bit::TRUE) => return self.or(!c, yes),
            (c, yes, Bit::FALSE) => return self.and(c, yes),
            (c, yes, no) if yes == c => return self.or(c, no),
            (c, yes, no) if yes == !c => return self.and(!c, no),
            (c, yes, no) if no == c => return self.and(c, yes),
            (c, yes, no) if no == !c => return self.or(!c, yes),
            _ => {}
        }
        if let Some(&known) = self.known.get(&Gate::Mux(condition, yes, no)) {
            return known;
        }
        let gate = self.input();
        self.known.insert(Gate::Mux(condition, yes, no), gate);
        self.clause_of(&[!condition, !yes, gate]);
        self.clause_of(&[!condition, yes, !gate]);
        self.clause_of(&[condition, !no, gate]);
        self.clause_of(&[condition, no, !gate]);
        // Implied by the others; with them equal inputs decide the gate without the condition.
        self.clause_of(&[!yes, !no, gate]);
        self.clause_of(&[yes, no, !gate]);
        gate
    }
}

/// A bit without its negation, and whether it had one.
fn unsigned(bit: Bit) -> (Bit, bool) {
    (Bit(bit.0 & !1), bit.0 & 1 == 1)
}
