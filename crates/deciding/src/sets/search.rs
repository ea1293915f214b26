//! A search for values of several octets, with intervals.
//!
//! Octets of an arm get values one after the other. After each, the conditions that it is in are looked at
//! with the intervals that are left ([`Exprs::decided_within`]): a sum of digits that cannot get into its
//! window any more is left at once. A search that comes to its end without finding anything is a proof that
//! the arm is infeasible, unless something failed that depends on inputs which were not moved.
//!
//! The first octet should be the one of most weight, and names do not say which that is: the first of the
//! digits of a number, the last of the bytes of a word. So there are two attempts, forwards and backwards. If
//! neither ends, a third one also moves the octets that conditions of the path connect with those of the arm.
//!
//! The effort is counted in nodes that are looked at. A quick search costs no more than a question to the
//! reuse layer, which comes next: its core of bits learns from failures, where this search only backtracks. A
//! thorough search is for what nothing else has decided, such as products of digits.

use super::set::first;
use super::{Meaning, Sets, put};
use evergreen_explore::Feasibility;
use evergreen_symbolic::{Assignment, Exprs, Input, WITHIN_MOST as LARGEST};

/// How much a search may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Thoroughness {
    /// As much as a question to the reuse layer.
    Quick,
    /// Some tens of milliseconds.
    Thorough,
}

impl Thoroughness {
    /// Nodes that each of the first two attempts looks at, at most, and the third one.
    fn most(self) -> [usize; 3] {
        match self {
            Thoroughness::Quick => [2_000, 2_000, 2_000],
            Thoroughness::Thorough => [400_000, 400_000, 4_000_000],
        }
    }
}

/// What one value costs besides the conditions that it is looked at with.
const VALUE: usize = 10;
/// Arms over more octets are not searched.
pub(super) const MOST_OCTETS: usize = 10;

pub(super) struct Search<'a> {
    sets: &'a Sets,
    exprs: &'a Exprs,
    /// The octets that get values, in order, and how many have one.
    octets: Vec<Input>,
    given: usize,
    model: Assignment,
    left: usize,
    is_proof: bool,
}

impl<'a> Search<'a> {
    /// Decides the arm whose parts the sets have collected, starting with a model that other octets of the
    /// arm have been moved in.
    pub(super) fn decide(
        sets: &'a Sets,
        exprs: &'a Exprs,
        model: &Assignment,
        how: Thoroughness,
    ) -> Option<Feasibility<Assignment>> {
        let mut octets: Vec<Input> = Vec::new();
        for part in &sets.rest {
            let Meaning::Several(own) = &sets.meanings[part] else { continue };
            octets.extend(own.iter().filter(|input| !octets.contains(input)).copied().collect::<Vec<_>>());
        }
        if octets.len() > MOST_OCTETS {
            return None;
        }
        let backwards = octets.iter().rev().copied().collect();
        let connected = sets.connected(&octets);
        for (octets, left) in [octets, backwards, connected].into_iter().zip(how.most()) {
            let mut search =
                Search { sets, exprs, octets, given: 0, model: model.clone(), left, is_proof: true };
            match search.descend() {
                Some(true) => return Some(Feasibility::Feasible(search.model)),
                Some(false) if search.is_proof => return Some(Feasibility::Infeasible),
                _ => {}
            }
        }
        None
    }

    /// Whether values for the rest of the octets were found; `None` if too much was tried.
    fn descend(&mut self) -> Option<bool> {
        let Some(&input) = self.octets.get(self.given) else { return Some(self.is_found()) };
        let old = self.model.integer(self.exprs, input);
        let readable = self.sets.inputs[input.index()].readable;
        let mut open = self.sets.left(input);
        let mut next = open.has(old).then_some(old);
        self.given += 1;
        while !open.is_empty() {
            let value = next.take().unwrap_or_else(|| first(open, readable));
            open = open.without_one(value);
            put(self.exprs, &mut self.model, input, value);
            if !self.is_refuted(input)? && self.descend()? {
                return Some(true);
            }
        }
        self.given -= 1;
        put(self.exprs, &mut self.model, input, old);
        Some(false)
    }

    /// Whether the arm cannot hold any more, or a condition of the path over the octet that was moved last;
    /// `None` if too much was looked at.
    fn is_refuted(&mut self, input: Input) -> Option<bool> {
        let given = &self.octets[..self.given];
        let interval = |input: Input| {
            if !self.sets.inputs.get(input.index())?.is_octet {
                return None;
            }
            if given.contains(&input) {
                let value = self.model.integer(self.exprs, input);
                return Some((value, value));
            }
            let set = self.sets.left(input);
            Some((set.least()?, set.greatest()?))
        };
        let shared = &self.sets.inputs[input.index()].shared;
        let mut left = self.left.checked_sub(VALUE)?;
        let mut is_refuted = false;
        for &condition in self.sets.rest.iter().chain(shared) {
            left = left.checked_sub(self.exprs.size_of(condition).min(LARGEST) as usize)?;
            if self.exprs.decided_within(condition, &interval) == Some(false) {
                is_refuted = true;
                break;
            }
        }
        self.left = left;
        Some(is_refuted)
    }

    /// Whether everything holds that the octets are in.
    fn is_found(&mut self) -> bool {
        let moved = self.sets.moved.iter().map(|moved| &moved.0).chain(&self.octets);
        let shared = moved.flat_map(|input| &self.sets.inputs[input.index()].shared);
        let mut all = self.sets.rest.iter().chain(shared);
        let Some(&failed) = all.find(|condition| !self.exprs.holds(**condition, &self.model)) else {
            return true;
        };
        // What fails fails for these values of the octets, unless it has other inputs.
        self.is_proof &= self.exprs.inputs_of(failed).iter().all(|input| self.octets.contains(input));
        false
    }
}
