//! What became of the paths of an entry, counted.

use crate::frontend::Sorted;
use crate::run::One;
use crate::{Counts, Language};
use evergreen::Stats;
use std::collections::BTreeMap;

/// Inputs on which two descriptions of valid inputs disagree that are kept, of an entry.
const MOST_DISAGREEMENTS: usize = 3;

/// Reasons of unsupported paths that are kept.
const MOST_REASONS: usize = 64;

/// Adds reasons of unsupported paths, as long as there are not too many.
pub(crate) fn add_missing(all: &mut BTreeMap<String, u64>, more: &BTreeMap<String, u64>) {
    for (why, count) in more {
        if let Some(known) = all.get_mut(why) {
            *known += count;
        } else if all.len() < MOST_REASONS {
            all.insert(why.clone(), *count);
        }
    }
}

/// What became of the paths of an entry so far, beyond what the explorer counts.
#[derive(Clone, Debug)]
pub struct Tally<L: Language> {
    /// Paths that the program ended.
    pub paths: u64,
    /// Of these, random walks that take an arm of the entry's own code which no other path takes.
    pub walks: u64,
    /// Paths on which an assumption of the driver does not hold.
    pub assumed: u64,
    /// Ends at which the program refused to make the input.
    pub refused: u64,
    /// Paths that no valid input takes.
    pub invalid: u64,
    /// Paths of which it is not known whether a valid input takes them; they have no test.
    pub doubtful: u64,
    /// Paths for which the invariant made an input that the program's own check refuses; they have no test.
    /// One of the two is wrong.
    pub disagrees: u64,
    /// Some of these inputs.
    pub disagreements: Vec<String>,
    /// Paths that the machine could not follow.
    pub unsupported: u64,
    /// Why, and how many paths for each reason; the first reasons only.
    pub missing: BTreeMap<String, u64>,
    /// Paths that the program ended, with inputs that were fixed where an arm could not be decided.
    pub sampled: u64,
    /// What they fixed where the machine could not go on with symbols, and why; the first reasons only.
    pub fixed: BTreeMap<String, u64>,
    /// Paths that bounds of the machine cut, by name.
    pub cut: BTreeMap<&'static str, u64>,
    /// Tests that are called with objects.
    pub graphs: u64,
    /// Of these, tests whose objects public calls make.
    pub built: u64,
    /// Questions that served to make the inputs of findings small, not to explore.
    pub shrinking: Stats,
    /// What the machine counts.
    pub machine: L::Counts,
}

impl<L: Language> Default for Tally<L> {
    fn default() -> Tally<L> {
        Tally {
            paths: 0,
            walks: 0,
            assumed: 0,
            refused: 0,
            invalid: 0,
            doubtful: 0,
            disagrees: 0,
            disagreements: Vec::new(),
            unsupported: 0,
            missing: BTreeMap::new(),
            sampled: 0,
            fixed: BTreeMap::new(),
            cut: BTreeMap::new(),
            graphs: 0,
            built: 0,
            shrinking: Stats::default(),
            machine: L::Counts::default(),
        }
    }
}

impl<L: Language> Tally<L> {
    /// Counts a test with objects.
    pub(crate) fn count_objects(&mut self, one: &One<L>) {
        self.graphs += u64::from(one.is_graph);
        self.built += u64::from(one.is_built);
    }

    /// Adds the counts of other paths, except those that the reporting thread counts: paths, and tests with
    /// objects.
    pub(crate) fn add(&mut self, other: &Tally<L>) {
        self.assumed += other.assumed;
        self.refused += other.refused;
        self.invalid += other.invalid;
        self.doubtful += other.doubtful;
        self.disagrees += other.disagrees;
        self.disagreements.extend(other.disagreements.iter().cloned());
        self.disagreements.sort();
        self.disagreements.truncate(MOST_DISAGREEMENTS);
        self.unsupported += other.unsupported;
        add_missing(&mut self.missing, &other.missing);
        self.sampled += other.sampled;
        add_missing(&mut self.fixed, &other.fixed);
        for (name, count) in &other.cut {
            *self.cut.entry(name).or_insert(0) += count;
        }
        self.shrinking.add_all(&other.shrinking);
        self.machine.add(&other.machine);
    }

    /// Counts a path that was sampled, and what was fixed on it.
    pub(crate) fn count_sampled(&mut self, because: Vec<String>) {
        self.sampled += 1;
        add_missing(&mut self.fixed, &because.into_iter().map(|why| (why, 1)).collect());
    }

    pub(crate) fn disagree(&mut self, input: String) {
        self.disagrees += 1;
        if self.disagreements.len() < MOST_DISAGREEMENTS {
            self.disagreements.push(input);
        }
    }

    pub(crate) fn count(&mut self, outcome: &Sorted) {
        match outcome {
            Sorted::Ended | Sorted::Failed(..) => self.paths += 1,
            Sorted::Assumed => self.assumed += 1,
            Sorted::Refused => self.refused += 1,
            Sorted::Invalid => self.invalid += 1,
            Sorted::Unsupported(why) => {
                self.unsupported += 1;
                add_missing(&mut self.missing, &BTreeMap::from([(why.clone(), 1)]));
            }
            Sorted::Cut(bound) => *self.cut.entry(bound).or_insert(0) += 1,
        }
    }
}
