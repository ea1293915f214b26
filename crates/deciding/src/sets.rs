//! The values that a path leaves each octet: most branches of a parser are decided by them.
//!
//! A parser compares single bytes with constants and looks them up in tables. Whatever such a condition says,
//! over one octet it is a set of at most 256 values: computed once per condition, by evaluation, its opposite
//! being the complement. The set of an octet on a path is the intersection over the conditions that mention
//! nothing else. An arm over one octet is then decided by one intersection, in less than 100 ns where a
//! question to the reuse layer takes 10 us:
//!
//! * empty: infeasible, whatever else is on the path;
//! * otherwise, if no condition of several inputs mentions the octet: feasible, as all other conditions are
//!   about other inputs, and hold under the model of the path;
//! * otherwise the values are tried, under the conditions that mention the octet. If none fits, the others
//!   would have to move too, and the reuse layer is asked.
//!
//! A conjunction is taken apart. Arms over several inputs are tried with one octet moved at a time; where
//! that fails, a search over all their octets follows (`sets/search.rs`).
//!
//! The value that is chosen is a function of the path alone, as `settle.rs` wants it: the value of the path's
//! model if it is allowed, else the first that is, in a fixed order that people can read; inputs are tried in
//! the order of their names.
//!
//! Only octets have sets. Other inputs of few values could have them, but the numbers of questions that are
//! published for Java count those.

mod search;
mod set;

use evergreen_explore::{Feasibility, Path};
use evergreen_symbolic::{Assignment, Cond, Const, Exprs, Input, InputKind};
use rustc_hash::FxHashMap;
use search::Search;
pub(crate) use search::Thoroughness;
use set::{Set, first};
use std::rc::Rc;

/// Conditions that are evaluated for one arm at most; a question to the reuse layer takes as long.
const MOST_EVALUATIONS: usize = 600;
/// The same for cases and operations on bits, where moving one octet at a time rarely helps, and the core of
/// bits is quick.
const MOST_OF_BITS: usize = 64;
/// Conditions of the path that a part of an arm is compared with.
const MOST_COMPARED: usize = 32;

/// What a condition says about octets.
#[derive(Clone)]
enum Meaning {
    /// Nothing.
    Nothing,
    /// It is about this one alone.
    One(Input, Set),
    /// It is a conjunction.
    All(Rc<[Cond]>),
    /// It is about several inputs; the octets among them, by name.
    Several(Rc<[Input]>),
}

/// What is known of an octet on the path.
#[derive(Clone, Default)]
struct Known {
    set: Set,
    /// The conditions that mention it and others.
    shared: Vec<Cond>,
    is_octet: bool,
    /// Whether it may be a character.
    readable: bool,
}

enum Undo {
    Set(Input, Set),
    Shared(Input),
}

/// The sets of the path that was asked about last.
#[derive(Default)]
pub(crate) struct Sets {
    path: Vec<Path<Cond>>,
    /// How long the trail was before each condition of the path.
    marks: Vec<usize>,
    trail: Vec<Undo>,
    inputs: Vec<Known>,
    meanings: FxHashMap<Cond, Meaning>,
    /// Kept for their memory.
    fresh: Vec<Path<Cond>>,
    moved: Vec<(Input, Set)>,
    rest: Vec<Cond>,
}

impl Sets {
    /// Whether an arm is feasible, if the sets decide that.
    pub(crate) fn decide(
        &mut self,
        exprs: &Exprs,
        path: &Path<Cond>,
        parent: &Assignment,
        arm: Cond,
        how: Thoroughness,
    ) -> Option<Feasibility<Assignment>> {
        self.know(exprs, arm);
        if let Some(Meaning::Nothing) | None = self.meanings.get(&arm) {
            return None;
        }
        self.sync(exprs, path);
        self.moved.clear();
        self.rest.clear();
        if !self.restrict(arm) {
            return Some(Feasibility::Infeasible);
        }
        let is_of_bits = self.rest.iter().any(|part| exprs.is_of_bits(*part));
        let most = if is_of_bits { MOST_OF_BITS } else { MOST_EVALUATIONS };
        let model = match self.find(exprs, parent, most) {
            Some(model) => model,
            None if self.is_refuted(exprs) => return Some(Feasibility::Infeasible),
            None if is_of_bits && how == Thoroughness::Quick => return None,
            None => match self.search(exprs, parent, how)? {
                Feasibility::Feasible(model) => model,
                other => return Some(other),
            },
        };
        debug_assert!(
            path.constraints().into_iter().chain([arm]).all(|condition| exprs.holds(condition, &model)),
            "a model of \"{}\" does not hold",
            exprs.show(arm)
        );
        Some(Feasibility::Feasible(model))
    }

    /// Whether a condition over one octet holds, if its set is known.
    pub(crate) fn holds(&self, exprs: &Exprs, cond: Cond, model: &Assignment) -> Option<bool> {
        match self.meanings.get(&cond)? {
            Meaning::One(input, set) => Some(set.has(model.integer(exprs, *input))),
            _ => None,
        }
    }

    /// Collects what an arm leaves of the sets, and the parts of it that are about several inputs; false if a
    /// set is empty.
    fn restrict(&mut self, arm: Cond) -> bool {
        match &self.meanings[&arm] {
            Meaning::Nothing | Meaning::Several(_) => self.rest.push(arm),
            &Meaning::One(input, set) => {
                let at = match self.moved.iter().position(|moved| moved.0 == input) {
                    Some(at) => at,
                    None => {
                        self.moved.push((input, self.inputs[input.index()].set));
                        self.moved.len() - 1
                    }
                };
                self.moved[at].1 = self.moved[at].1.and(set);
                return !self.moved[at].1.is_empty();
            }
            Meaning::All(parts) => {
                let parts = parts.clone();
                return parts.iter().all(|part| self.restrict(*part));
            }
        }
        true
    }

    /// A model of the path and the arm that differs from the path's in few octets.
    fn find(&self, exprs: &Exprs, parent: &Assignment, most: usize) -> Option<Assignment> {
        let mut left = most;
        let mut model = self.started(exprs, parent);
        let is_alone = |moved: &(Input, Set)| self.inputs[moved.0.index()].shared.is_empty();
        if self.rest.is_empty() && self.moved.iter().all(is_alone) {
            return Some(model);
        }
        let moved: Vec<Input> = self
            .moved
            .iter()
            .map(|moved| moved.0)
            .filter(|&input| parent.integer(exprs, input) != model.integer(exprs, input))
            .collect();
        if self.fits(exprs, &model, &moved, &mut left)? {
            return Some(model);
        }
        for &input in &moved {
            let set = self.moved.iter().find(|moved| moved.0 == input)?.1;
            if let Some(found) = self.turn(exprs, &mut model, (input, set), &moved, &mut left) {
                return found;
            }
        }
        for &part in &self.rest {
            let Meaning::Several(octets) = &self.meanings[&part] else { continue };
            for &input in octets.iter() {
                if moved.contains(&input) {
                    continue;
                }
                let set = self.left(input);
                let mut all = moved.clone();
                all.push(input);
                if let Some(found) = self.turn(exprs, &mut model, (input, set), &all, &mut left) {
                    return found;
                }
            }
        }
        None
    }

    /// The values that the path and the arm leave an octet.
    fn left(&self, input: Input) -> Set {
        let restricted = self.moved.iter().find(|moved| moved.0 == input);
        restricted.map_or(self.inputs[input.index()].set, |moved| moved.1)
    }

    /// What a search decides that may move all octets of the arm. Equal octets need none: they take a value
    /// that both may have.
    fn search(
        &self,
        exprs: &Exprs,
        parent: &Assignment,
        how: Thoroughness,
    ) -> Option<Feasibility<Assignment>> {
        let mut model = self.started(exprs, parent);
        if let [part] = self.rest[..]
            && let Some((a, b)) = self.equal_octets(exprs, part)
        {
            let all: Vec<Input> = self.moved.iter().map(|moved| moved.0).chain([a, b]).collect();
            let (mut open, mut left) = (self.left(a).and(self.left(b)), MOST_EVALUATIONS);
            while !open.is_empty() {
                let value = first(open, self.inputs[a.index()].readable);
                open = open.without_one(value);
                put(exprs, &mut model, a, value);
                put(exprs, &mut model, b, value);
                match self.fits(exprs, &model, &all, &mut left) {
                    Some(true) => return Some(Feasibility::Feasible(model)),
                    Some(false) => {}
                    None => break,
                }
            }
            model = self.started(exprs, parent);
        }
        Search::decide(self, exprs, &model, how)
    }

    /// Octets, and after them those that conditions of the path connect with them, while they are few.
    fn connected(&self, octets: &[Input]) -> Vec<Input> {
        let mut all = octets.to_vec();
        for condition in octets.iter().flat_map(|input| &self.inputs[input.index()].shared) {
            let Some(Meaning::Several(more)) = self.meanings.get(condition) else { continue };
            for &input in more.iter() {
                if all.len() < search::MOST_OCTETS && !all.contains(&input) {
                    all.push(input);
                }
            }
        }
        all
    }

    /// The two octets that a condition says are equal.
    fn equal_octets(&self, exprs: &Exprs, condition: Cond) -> Option<(Input, Input)> {
        let octet = |input: Input| self.inputs[input.index()].is_octet;
        exprs.as_equal_inputs(condition).filter(|&(a, b)| octet(a) && octet(b))
    }

    /// The model of the path with values that the arm leaves those octets of which it has parts of their own.
    fn started(&self, exprs: &Exprs, parent: &Assignment) -> Assignment {
        let mut model = parent.clone();
        for &(input, set) in &self.moved {
            if !set.has(parent.integer(exprs, input)) {
                put(exprs, &mut model, input, first(set, self.inputs[input.index()].readable));
            }
        }
        model
    }

    /// Whether the intervals of the octets refute the arm, whatever else is on the path; of equal octets,
    /// their sets.
    fn is_refuted(&self, exprs: &Exprs) -> bool {
        let interval = |input: Input| {
            let set = if self.inputs.get(input.index())?.is_octet { self.left(input) } else { return None };
            Some((set.least()?, set.greatest()?))
        };
        self.rest.iter().any(|&part| match self.equal_octets(exprs, part) {
            Some((a, b)) => self.left(a).and(self.left(b)).is_empty(),
            None => exprs.decided_within(part, &interval) == Some(false) || self.is_excluded(exprs, part),
        })
    }

    /// Whether a condition of the path over the same sum excludes a part of the arm.
    fn is_excluded(&self, exprs: &Exprs, part: Cond) -> bool {
        let Some(Meaning::Several(octets)) = self.meanings.get(&part) else { return false };
        let shared = octets.first().map_or(&[][..], |input| &self.inputs[input.index()].shared);
        shared.iter().rev().take(MOST_COMPARED).any(|&other| exprs.exclude(part, other))
    }

    /// Tries all values of an octet. `None`: none fits, and it has its old value again; `Some(None)`: too
    /// much was tried.
    fn turn(
        &self,
        exprs: &Exprs,
        model: &mut Assignment,
        (input, set): (Input, Set),
        moved: &[Input],
        left: &mut usize,
    ) -> Option<Option<Assignment>> {
        let old = model.integer(exprs, input);
        let mut open = set;
        while !open.is_empty() {
            let value = first(open, self.inputs[input.index()].readable);
            open = open.without_one(value);
            put(exprs, model, input, value);
            match self.fits(exprs, model, moved, left) {
                None => return Some(None),
                Some(true) => return Some(Some(model.clone())),
                Some(false) => {}
            }
        }
        put(exprs, model, input, old);
        None
    }

    /// Whether the arm, and the conditions of the path that some octets share with other inputs, hold; `None`
    /// if too much was tried.
    fn fits(&self, exprs: &Exprs, model: &Assignment, moved: &[Input], left: &mut usize) -> Option<bool> {
        let shared = moved.iter().flat_map(|input| self.inputs[input.index()].shared.iter());
        for &condition in self.rest.iter().chain(shared) {
            *left = left.checked_sub(1)?;
            if !exprs.holds(condition, model) {
                return Some(false);
            }
        }
        Some(true)
    }

    fn sync(&mut self, exprs: &Exprs, path: &Path<Cond>) {
        let mut here = path;
        while let Some((_, before)) = here.last() {
            if self.path.get(here.depth() - 1).is_some_and(|known| known.is(here)) {
                break;
            }
            self.fresh.push(here.clone());
            here = before;
        }
        self.pop_to(here.depth());
        while let Some(beginning) = self.fresh.pop() {
            self.marks.push(self.trail.len());
            if let Some((condition, _)) = beginning.last() {
                self.know(exprs, condition);
                self.learn(condition);
            }
            self.path.push(beginning);
        }
    }

    fn pop_to(&mut self, depth: usize) {
        let Some(&mark) = self.marks.get(depth) else { return };
        self.path.truncate(depth);
        self.marks.truncate(depth);
        while self.trail.len() > mark {
            match self.trail.pop() {
                Some(Undo::Set(input, set)) => self.inputs[input.index()].set = set,
                Some(Undo::Shared(input)) => {
                    self.inputs[input.index()].shared.pop();
                }
                None => {}
            }
        }
    }

    /// Adds a condition to the path.
    fn learn(&mut self, condition: Cond) {
        match &self.meanings[&condition] {
            Meaning::Nothing => {}
            &Meaning::One(input, set) => {
                let known = &mut self.inputs[input.index()];
                let less = known.set.and(set);
                if less != known.set {
                    self.trail.push(Undo::Set(input, known.set));
                    known.set = less;
                }
            }
            Meaning::All(parts) => {
                let parts = parts.clone();
                parts.iter().for_each(|part| self.learn(*part));
            }
            Meaning::Several(octets) => {
                for &input in octets.iter() {
                    self.inputs[input.index()].shared.push(condition);
                    self.trail.push(Undo::Shared(input));
                }
            }
        }
    }

    /// Finds out what a condition says, once.
    fn know(&mut self, exprs: &Exprs, condition: Cond) {
        if self.meanings.contains_key(&condition) {
            return;
        }
        for (_, info) in exprs.inputs().skip(self.inputs.len()) {
            let (lo, hi) = info.range.unwrap_or(info.kind.range());
            let is_octet = info.kind == InputKind::Octet;
            let set = if is_octet { Set::range(lo as u8, hi as u8) } else { Set::default() };
            let readable = set.has(i64::from(b'a'));
            self.inputs.push(Known { set, shared: Vec::new(), is_octet, readable });
        }
        let octet = |input: &Input| self.inputs[input.index()].is_octet;
        let inputs = exprs.inputs_of(condition);
        let meaning = match inputs {
            [only] if octet(only) => match self.meanings.get(&condition.negated()) {
                Some(Meaning::One(_, set)) => Meaning::One(*only, every(exprs, *only).without(*set)),
                _ => Meaning::One(*only, values(exprs, condition, *only)),
            },
            _ if !inputs.iter().any(octet) => Meaning::Nothing,
            _ => match parts(exprs, condition) {
                Some(parts) => {
                    parts.iter().for_each(|part| self.know(exprs, *part));
                    Meaning::All(parts)
                }
                None => {
                    let mut octets: Vec<Input> = inputs.iter().copied().filter(octet).collect();
                    exprs.sort_by_name(&mut octets);
                    Meaning::Several(octets.into())
                }
            },
        };
        self.meanings.insert(condition, meaning);
    }
}

fn put(exprs: &Exprs, model: &mut Assignment, input: Input, value: i64) {
    model.set(exprs, input, Const::I32(value as i32));
}

/// The parts of a conjunction, none of which is one.
fn parts(exprs: &Exprs, condition: Cond) -> Option<Rc<[Cond]>> {
    exprs.as_and(condition)?;
    let (mut parts, mut open) = (Vec::new(), vec![condition]);
    while let Some(next) = open.pop() {
        match exprs.as_and(next) {
            Some((a, b)) => open.extend([b, a]),
            None => parts.push(next),
        }
    }
    Some(parts.into())
}

/// All values of an octet.
fn every(exprs: &Exprs, input: Input) -> Set {
    let info = exprs.input_of(input);
    let (lo, hi) = info.range.unwrap_or(info.kind.range());
    Set::range(lo as u8, hi as u8)
}

/// The values under which a condition over one octet holds.
fn values(exprs: &Exprs, condition: Cond, input: Input) -> Set {
    let (lo, hi) = exprs.interval(exprs.expr_of(input));
    let (mut set, mut model) = (Set::default(), Assignment::new());
    for value in lo..=hi {
        put(exprs, &mut model, input, value);
        if exprs.holds(condition, &model) {
            set.add(value);
        }
    }
    set
}
