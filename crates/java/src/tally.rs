//! What became of the paths of a method, counted.

use super::ending::How;
use super::run::One;
use evergreen::Stats;
use evergreen_jvm::{Ending, InputBound, Jvm, LazyCounts, Narrowed};
use std::collections::BTreeMap;

/// Inputs on which invariant and check disagree that are told, of a method.
const MOST_DISAGREEMENTS: usize = 3;

/// What became of the paths of a method so far, beyond what the explorer counts.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Paths that returned, threw or left by `System.exit`.
    pub paths: u64,
    /// Paths on which an assumption of the driver does not hold.
    pub assumed: u64,
    /// Paths whose input no valid object has.
    pub invalid: u64,
    /// Paths of which nobody could say whether a valid object takes them; they have no test.
    pub doubtful: u64,
    /// Paths for which the invariant made an input that the class's own check refuses; they have no test. One of the two is wrong.
    pub disagrees: u64,
    /// Some of these inputs.
    pub disagreements: Vec<String>,
    /// What lazy heaps did.
    pub lazy: LazyCounts,
    /// Paths that the machine could not follow.
    pub unsupported: u64,
    /// Paths that bounds of the machine cut, by name.
    pub cut: BTreeMap<&'static str, u64>,
    /// Ends of paths whose inputs have met a bound, by bound.
    narrowed: [u64; InputBound::ALL.len()],
    /// The bounds that instructions have met.
    stepped: Narrowed,
    /// The bounds that checks of objects have met.
    checked: Narrowed,
    /// Tests that are called with objects.
    pub graphs: u64,
    /// Of these, tests whose objects public calls make.
    pub built: u64,
    /// Questions that were asked to make the inputs of findings small, not to explore.
    pub shrinking: Stats,
}

impl Tally {
    /// Counts a test with objects.
    pub(super) fn count_objects(&mut self, told: &One) {
        self.graphs += u64::from(told.is_graph);
        self.built += u64::from(told.is_built);
    }

    /// Adds what became of other paths; but not those that whoever merges counts: paths, and tests with objects.
    pub(super) fn add(&mut self, other: &Tally) {
        self.assumed += other.assumed;
        self.invalid += other.invalid;
        self.doubtful += other.doubtful;
        self.disagrees += other.disagrees;
        self.disagreements.extend(other.disagreements.iter().cloned());
        self.disagreements.sort();
        self.disagreements.truncate(MOST_DISAGREEMENTS);
        self.lazy.add(&other.lazy);
        self.unsupported += other.unsupported;
        for (name, count) in &other.cut {
            *self.cut.entry(name).or_insert(0) += count;
        }
        self.narrowed.iter_mut().zip(other.narrowed).for_each(|(sum, more)| *sum += more);
        self.stepped.add_all(other.stepped);
        self.checked.add_all(other.checked);
        self.shrinking.add_all(&other.shrinking);
    }

    /// How many paths have inputs that a bound keeps from being others. Zero says that the bound has left nothing out.
    pub fn narrowed(&self, bound: InputBound) -> u64 {
        let paths = self.narrowed[bound as usize];
        // What a check found to be invalid within the bound may be valid beyond it.
        let may_hide = self.invalid + self.lazy.pruned > 0 && self.checked.has(bound);
        paths.max(u64::from(may_hide || self.stepped.has(bound)))
    }

    /// The bounds that have left inputs out.
    pub fn narrowings(&self) -> impl Iterator<Item = (InputBound, u64)> {
        InputBound::ALL.into_iter().map(|bound| (bound, self.narrowed(bound))).filter(|(_, paths)| *paths > 0)
    }

    /// At how many places the scope may have left objects out.
    pub fn scoped(&self) -> u64 {
        self.lazy.scoped + self.invalid
    }

    /// Counts the bounds that the inputs of a path have met.
    pub(super) fn narrow(&mut self, path: Narrowed) {
        path.iter().for_each(|bound| self.narrowed[bound as usize] += 1);
    }

    /// Notes the bounds that the machine itself has met so far.
    pub(super) fn note_bounds(&mut self, jvm: &Jvm) {
        self.stepped.add_all(jvm.narrowed_steps);
        self.checked.add_all(jvm.narrowed_checks);
    }

    pub(super) fn disagree(&mut self, input: String) {
        self.disagrees += 1;
        if self.disagreements.len() < MOST_DISAGREEMENTS {
            self.disagreements.push(input);
        }
    }

    pub(super) fn count(&mut self, ending: &Ending) {
        match ending {
            Ending::Returned(_) | Ending::Threw { .. } | Ending::Exited(_) => self.paths += 1,
            Ending::Assumed => self.assumed += 1,
            Ending::Invalid => self.invalid += 1,
            Ending::Unsupported { .. } => self.unsupported += 1,
            Ending::Bound(bound) => *self.cut.entry(How::bound_name(*bound)).or_insert(0) += 1,
        }
    }
}
