//! The whole way of a count.
//!
//! Simplify; cut into independent parts and multiply; each part: known already, or without its disequalities
//! minus where they are equalities, or by its number of variables. Every step makes a smaller problem of the
//! same kind, so simplifying and cutting happen again wherever something became simpler.
//!
//! With a memo the problem is cut before it is simplified, and each component is looked up in its original
//! form: the result of simplifying depends on the order of its variables. The smaller problems that a
//! component is counted by are looked up as well, if a look-up costs less than counting.

use crate::barvinok;
use crate::bounds::{bounds, polygon};
use crate::ends::{Ends, ends};
use crate::form::form;
use crate::memo::{Memo, Rank, key};
use crate::parts::{Parts, parts};
use crate::polygon::Points;
use crate::problem::{Budget, Count, Problem, Relation};
use crate::range::Range;
use crate::system::{Band, System};
use crate::tally::Tally;
use evergreen_term::Int;
use num_bigint::{BigInt, BigUint};
use rustc_hash::FxHashMap;

/// So many forms with disequalities are taken out one inside the other: the stack has an end.
const DEPTH: usize = 200;

/// Up to so many disequalities make four parts at most: counting them is quicker than
/// looking for repetitions.
const FEW: usize = 2;

/// The statistics of a count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Parts that were counted, of two and more variables.
    pub parts: u64,
    /// Parts that were known within the call.
    pub repeated: u64,
    /// Components that the memo knew.
    pub reused: u64,
    /// Simpler parts that the memo knew.
    pub sub_reused: u64,
    /// Parts counted as polygons.
    pub polygons: u64,
    /// Parts counted by Barvinok's decomposition.
    pub decomposed: u64,
    /// Parts added up over the values of a variable.
    pub summed: u64,
    /// Parts that were only bounded.
    pub bounded: u64,
    /// Steps of the budget.
    pub steps: u64,
}

impl Statistics {
    /// Adds what another count took.
    pub fn add(&mut self, other: &Statistics) {
        let Statistics { parts, repeated, reused, sub_reused, polygons, decomposed, summed, bounded, steps } =
            other;
        self.parts += parts;
        self.repeated += repeated;
        self.reused += reused;
        self.sub_reused += sub_reused;
        self.polygons += polygons;
        self.decomposed += decomposed;
        self.summed += summed;
        self.bounded += bounded;
        self.steps += steps;
    }
}

/// Counts the solutions.
pub fn count(problem: &Problem, budget: Budget) -> Count {
    count_with(problem, budget, None).0
}

/// Counts the solutions; looks parts up in the memo and records new ones there.
pub fn count_with(problem: &Problem, budget: Budget, memo: Option<&mut dyn Memo>) -> (Count, Statistics) {
    let system = match System::of(problem) {
        Ok(system) => system,
        Err(why) => return (Count::GaveUp(why), Statistics::default()),
    };
    let disequalities = problem.rows.iter().filter(|row| row.relation == Relation::Ne).count();
    let mut counter = Counter {
        left: budget.steps,
        few: disequalities <= FEW,
        depth: 0,
        known: FxHashMap::default(),
        memo,
        component: Vec::new(),
        did: Statistics::default(),
    };
    let tally = if counter.memo.is_some() { counter.components(system) } else { counter.system(system) };
    counter.did.steps = budget.steps - counter.left;
    (tally.into_count(), counter.did)
}

struct Counter<'m> {
    left: u64,
    /// Whether there are so few disequalities that hardly a part comes twice.
    few: bool,
    /// Forms with disequalities that are being taken out.
    depth: usize,
    known: FxHashMap<Vec<u8>, Tally>,
    memo: Option<&'m mut dyn Memo>,
    /// The form of the component that is being counted.
    component: Vec<u8>,
    did: Statistics,
}

impl Counter<'_> {
    /// Takes steps from the budget.
    fn charge(&mut self, steps: u64) -> bool {
        let enough = self.left >= steps;
        self.left = self.left.saturating_sub(steps);
        enough
    }

    /// A whole question, with a memo: component by component.
    fn components(&mut self, mut system: System) -> Tally {
        if system.merge().is_err() {
            return Tally::NONE;
        }
        let Parts { free, connected } = parts(system);
        let mut product = sizes(free);
        for component in connected {
            if product.is_none() {
                break;
            }
            product = product.times(&self.component(component));
        }
        product
    }

    fn component(&mut self, component: System) -> Tally {
        let form = form(&component);
        if let Some(count) = self.memo.as_mut().and_then(|memo| memo.get(&form, Rank::Component)) {
            self.did.reused += 1;
            return Tally::Exact(Int::from(BigInt::from(count)));
        }
        self.component.clone_from(&form);
        let tally = self.system(component);
        if let (Some(memo), Some(n)) = (self.memo.as_mut(), tally.exact()) {
            memo.put(&form, Rank::Component, &n.to_big().to_biguint().unwrap_or(BigUint::ZERO));
        }
        tally
    }

    /// Any system.
    fn system(&mut self, mut system: System) -> Tally {
        self.charge(1);
        if system.simplify().is_err() {
            return Tally::NONE;
        }
        let Parts { free, connected } = parts(system);
        let mut product = sizes(free);
        // A part that stands alone at the top of a problem does not recur in it; writing keys for a
        // few parts is not worth it.
        let alone = connected.len() == 1 && (self.depth == 0 || self.few) && self.memo.is_none();
        for part in connected {
            if product.is_none() {
                break;
            }
            product = product.times(&self.part(part, alone));
        }
        product
    }

    /// A connected part of two or more variables.
    fn part(&mut self, part: System, alone: bool) -> Tally {
        let part = if part.ranges.iter().all(|r| r.lo.is_some() && r.hi.is_some()) {
            part
        } else {
            match ends(part) {
                Ends::Finite(part) => part,
                Ends::Infinite => return Tally::Infinite,
                Ends::Endless(within) => {
                    return match self.system(within).exact() {
                        Some(n) if n.signum() > 0 => Tally::Infinite,
                        _ => Tally::Unknown("there may be infinitely many solutions, or none"),
                    };
                }
                Ends::Empty => return Tally::NONE,
                Ends::Unknown => return Tally::Unknown("some variable has no end that could be found"),
            }
        };
        self.did.parts += 1;
        let holes = hole(&part);
        if part.ranges.len() == 2 && holes.is_none() {
            return self.two(&part);
        }
        if let Some(place) = holes
            && self.memo.is_none()
            && (alone && self.few || is_quick(&part))
        {
            return self.without_holes(part, place);
        }
        if alone && holes.is_none() {
            return self.many(part);
        }
        let key = if self.memo.is_some() {
            form(&part)
        } else {
            let Some(key) = key(&part) else { return Tally::NONE };
            key
        };
        if let Some(tally) = self.look_up(&key) {
            return tally;
        }
        let tally = match holes {
            Some(place) => self.without_holes(part, place),
            None => self.many(part),
        };
        self.record(key, &tally);
        tally
    }

    fn look_up(&mut self, key: &[u8]) -> Option<Tally> {
        if let Some(tally) = self.known.get(key) {
            self.did.repeated += 1;
            return Some(tally.clone());
        }
        if key == self.component {
            return None;
        }
        let count = self.memo.as_mut()?.get(key, Rank::SubCount)?;
        self.did.sub_reused += 1;
        Some(Tally::Exact(Int::from(BigInt::from(count))))
    }

    fn record(&mut self, key: Vec<u8>, tally: &Tally) {
        if let (Some(memo), Some(n)) = (self.memo.as_mut(), tally.exact())
            && key != self.component
        {
            memo.put(&key, Rank::SubCount, &n.to_big().to_biguint().unwrap_or(BigUint::ZERO));
        }
        self.known.insert(key, tally.clone());
    }

    /// The disequalities of one form: the solutions without them, minus those at each hole.
    fn without_holes(&mut self, part: System, place: Place) -> Tally {
        if self.depth == DEPTH || !self.charge(1) {
            self.did.bounded += 1;
            return bounds(&part);
        }
        self.depth += 1;
        let tally = self.at_and_without(part, place);
        self.depth -= 1;
        tally
    }

    fn at_and_without(&mut self, mut part: System, place: Place) -> Tally {
        let holes = match place {
            Place::Range(var) => std::mem::take(&mut part.ranges[var].holes),
            Place::Band(at) => std::mem::take(&mut part.bands[at].range.holes),
        };
        let mut excluded = Tally::NONE;
        for hole in holes {
            let mut at_hole = part.clone();
            match place {
                Place::Range(var) => at_hole.ranges[var] = Range::point(hole),
                Place::Band(at) => at_hole.bands[at].range = Range::point(hole),
            }
            excluded = excluded.plus(&self.system(at_hole));
        }
        part.bands.retain(|b: &Band| !b.range.is_all());
        self.system(part).minus(&excluded)
    }

    fn two(&mut self, part: &System) -> Tally {
        self.did.polygons += 1;
        self.charge(1);
        match polygon(part) {
            Points::Exactly(n) => Tally::Exact(n),
            Points::Endless => Tally::Infinite,
            Points::Overflow => Tally::Unknown("a number left its type"),
        }
    }

    /// Three or more variables, no disequalities.
    fn many(&mut self, part: System) -> Tally {
        let before = self.left;
        if let Some(points) = barvinok::points(&part, &mut self.left) {
            self.did.decomposed += 1;
            return Tally::Exact(points);
        }
        // An unfinished attempt must not use up the whole budget.
        self.left = self.left.max(before / 2);
        self.sum(part)
    }

    /// Adds up over the values of the variable with the fewest.
    fn sum(&mut self, part: System) -> Tally {
        let sizes = part.ranges.iter().enumerate().filter_map(|(v, r)| Some((r.size()?.to_i64()?, v)));
        let fewest = sizes.min().filter(|(size, _)| self.charge(u64::try_from(*size).unwrap_or(u64::MAX)));
        let Some((size, var)) = fewest else {
            self.did.bounded += 1;
            return bounds(&part);
        };
        self.did.summed += 1;
        let Some(first) = part.ranges[var].lo.clone() else { return Tally::Infinite };
        let mut sum = Tally::NONE;
        // Slices are many, and no two questions share them.
        let memo = self.memo.take();
        for value in 0..size {
            let mut slice = part.clone();
            slice.ranges[var] = Range::point(first.add(&Int::from(value)));
            sum = sum.plus(&self.system(slice));
        }
        self.memo = memo;
        sum
    }
}

/// The values of variables in no band, multiplied.
fn sizes(free: Vec<Range>) -> Tally {
    let sizes = free.iter().map(|range| range.size().map_or(Tally::Infinite, Tally::Exact));
    sizes.fold(Tally::ONE, |product, size| product.times(&size))
}

/// Where a disequality is.
#[derive(Clone, Copy)]
enum Place {
    Range(usize),
    Band(usize),
}

/// Whether counting takes less time than writing a key: two variables, disequalities of one or two forms.
fn is_quick(part: &System) -> bool {
    let ranges = part.ranges.iter().chain(part.bands.iter().map(|b| &b.range));
    part.ranges.len() == 2 && ranges.filter(|r| !r.holes.is_empty()).count() <= 2
}

/// A disequality to take out next. First those of variables; then a form whose variables are in the
/// fewest others, so that a variable soon is free (on all-different this walks the cliques down and
/// meets few different parts).
fn hole(part: &System) -> Option<Place> {
    if let Some(var) = part.ranges.iter().position(|r| !r.holes.is_empty()) {
        return Some(Place::Range(var));
    }
    let with_holes = |b: &&Band| !b.range.holes.is_empty();
    let mut uses = vec![0usize; part.ranges.len()];
    for band in part.bands.iter().filter(with_holes) {
        band.form.iter().for_each(|t| uses[t.0 as usize] += 1);
    }
    let rank = |b: &Band| b.form.iter().map(|t| uses[t.0 as usize]).min();
    let candidates = part.bands.iter().enumerate().filter(|(_, b)| with_holes(b));
    candidates.min_by_key(|(_, b)| rank(b)).map(|(at, _)| Place::Band(at))
}
