//! Pointers that depend on inputs: which object they mean is decided before an access looks at it.
//!
//! A cell that was written under a condition holds a case distinction of pointers. Inside one object that is
//! an index like any other. Pointers to different objects, or perhaps to none, are told apart first: each is
//! an arm, as in KLEE, and the access goes on with the one that was chosen. An access through the same cell
//! later on the path finds it decided.

use crate::machine::{Done, WasmMachine, is_value};
use crate::number::Bin;
use crate::state::{Slot, State};
use evergreen_symbolic::{Binary, Cond, Const, Expr, Kind};

/// Pointers that a cell may hold, to be told apart one by one.
const MOST_POINTERS: usize = 64;

/// What a number means as a pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// Nothing is so low.
    Null,
    /// An object, by its first address; also right behind it, and freed.
    Object(u32),
    /// No object.
    Nowhere,
}

/// A part of an address that is one of several pointers.
enum Pointers {
    /// All of them are numbers.
    Numbers(Expr, Vec<i64>),
    /// The first case distinction of those that are not.
    Cases(Expr, Cond, [Expr; 2]),
}

impl WasmMachine {
    /// An address in which no pointers to different objects are left.
    pub(crate) fn with_pointers(&mut self, state: &mut State, address: Slot) -> Done<Slot> {
        let mut address = address;
        while let Slot::Symbolic(e) = address {
            let Some(pointers) = self.pointers(state, e) else { break };
            let (from, to) = match pointers {
                Pointers::Numbers(pointer, numbers) => {
                    let number = self.one_of(state, pointer, &numbers)?;
                    let number = self.exprs.borrow_mut().constant(Const::I32(number as i32));
                    (pointer, number)
                }
                Pointers::Cases(pointer, cond, cases) => {
                    let holds = match self.known(state, &[cond, cond.negated()]) {
                        Some(at) => at == 0,
                        None => self.is(state, cond)?,
                    };
                    (pointer, cases[usize::from(!holds)])
                }
            };
            let mut exprs = self.exprs.borrow_mut();
            let rest = exprs.binary(Binary::Sub, e, from);
            let chosen = exprs.binary(Binary::Add, rest, to);
            address = crate::calc::slot(&exprs, chosen);
            let pointer = crate::calc::slot(&exprs, to);
            drop(exprs);
            self.remember_base(state, Bin::I32Add, (pointer, Slot::Symbolic(rest)), address);
        }
        Ok(address)
    }

    /// The number that an expression is, of all that it can be.
    pub(crate) fn one_of(&mut self, state: &mut State, e: Expr, numbers: &[i64]) -> Done<i64> {
        let all: Vec<Cond> = {
            let mut exprs = self.exprs.borrow_mut();
            numbers.iter().map(|number| is_value(&mut exprs, e, *number)).collect()
        };
        let at = match self.known(state, &all) {
            Some(at) => at,
            None => {
                let site = self.site(state);
                self.decide(state, site, &all)?
            }
        };
        Ok(numbers[at])
    }

    /// Which of these conditions is on the path. What the instruction has decided itself does not count: it
    /// is executed again after each decision, and has to come to the same ones.
    fn known(&self, state: &State, conditions: &[Cond]) -> Option<usize> {
        let mut own = state.made.len();
        let mut path = &state.known;
        while let Some((condition, before)) = path.last() {
            if own > 0 {
                own -= 1;
            } else if let Some(at) = conditions.iter().position(|c| *c == condition) {
                return Some(at);
            }
            path = before;
        }
        None
    }

    /// The first part of an address that is one of several pointers.
    fn pointers(&self, state: &State, address: Expr) -> Option<Pointers> {
        let exprs = self.exprs.borrow();
        if exprs.kind(address) != Kind::I32 {
            return None;
        }
        for atom in exprs.cases_in(address) {
            if let Some(numbers) = exprs.constant_leaves(atom, MOST_POINTERS) {
                if self.are_apart(state, numbers.iter().map(|number| Some(*number as u32))) {
                    return Some(Pointers::Numbers(atom, numbers));
                }
                continue;
            }
            let Some((cond, one, other)) = exprs.as_cases(atom) else { continue };
            let leaves = exprs.leaves_of(atom, MOST_POINTERS)?;
            let constants = leaves.iter().map(|leaf| exprs.constant_part(*leaf).map(|n| n as u32));
            if self.are_apart(state, constants) {
                return Some(Pointers::Cases(atom, cond, [one, other]));
            }
        }
        None
    }

    /// Whether numbers are pointers, and not all to one object.
    fn are_apart(&self, state: &State, numbers: impl Iterator<Item = Option<u32>>) -> bool {
        let mut first = None;
        let (mut apart, mut any) = (false, false);
        for number in numbers {
            let place = number.map_or(Place::Nowhere, |number| self.place_of(state, number));
            if place == Place::Nowhere {
                return false;
            }
            any |= place != Place::Null;
            apart |= first.is_some_and(|first| first != place);
            first = first.or(Some(place));
        }
        apart && any
    }

    fn place_of(&self, state: &State, address: u32) -> Place {
        if address < 1024 {
            return Place::Null;
        }
        if let Some(object) = state.heap.near(address)
            && address - object.start <= object.size
        {
            return Place::Object(object.start);
        }
        let found = self.around(state, address).or_else(|| self.around(state, address - 1));
        found.map_or(Place::Nowhere, |(start, _)| Place::Object(start))
    }
}
