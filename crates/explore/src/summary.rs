//! The counters of an exploration.

use crate::{Answerer, Bound};
use std::time::Duration;

/// How often each bound cut.
///
/// Bounds of one path count paths; those of the whole exploration count the states that were still open.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cut([u64; Bound::ALL.len()]);

impl Cut {
    /// How often a bound cut.
    pub fn by(&self, bound: Bound) -> u64 {
        self.0[bound as usize]
    }

    /// Counts what a bound cut.
    pub fn add(&mut self, bound: Bound, count: u64) {
        self.0[bound as usize] += count;
    }

    /// Adds those of another part of the exploration.
    pub fn add_all(&mut self, other: &Cut) {
        self.0.iter_mut().zip(other.0).for_each(|(sum, more)| *sum += more);
    }

    /// All cuts together: zero means that every feasible path was found, if no arm was undecided.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The bounds that cut, and how often.
    pub fn iter(&self) -> impl Iterator<Item = (Bound, u64)> {
        Bound::ALL.into_iter().map(|bound| (bound, self.by(bound))).filter(|(_, count)| *count > 0)
    }
}

/// Answered questions about arms, by the source of the answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Answers([u64; Answerer::MOST]);

impl Answers {
    /// Questions that one source answered.
    pub fn by(&self, answerer: Answerer) -> u64 {
        self.0[answerer.number()]
    }

    /// Counts questions. Sums stop at the largest number: some come from a network.
    pub fn add(&mut self, answerer: Answerer, count: u64) {
        let sum = &mut self.0[answerer.number()];
        *sum = sum.saturating_add(count);
    }

    /// Adds those of another part of the exploration.
    pub fn add_all(&mut self, other: &Answers) {
        self.iter_mut().zip(other.0).for_each(|(sum, more)| *sum = sum.saturating_add(more));
    }

    /// All of them.
    pub fn total(&self) -> u64 {
        self.0.iter().fold(0, |sum, more| sum.saturating_add(*more))
    }

    fn iter_mut(&mut self) -> impl Iterator<Item = &mut u64> {
        self.0.iter_mut()
    }
}

/// Why an arm was taken or not. Each arm at a branch is counted under exactly one reason: [`Summary::count`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decided {
    /// It is outside the range.
    OutOfRange,
    /// The model of the path takes it.
    ByModel,
    /// A seed takes it.
    BySeed,
    /// The older exploration is trusted that the arm is infeasible.
    Trusted,
    /// All others of its branch are infeasible.
    ByComplement,
    /// The oracle was asked: it is feasible.
    Feasible(Answerer),
    /// The oracle was asked: it is not.
    Infeasible(Answerer),
    /// The oracle was asked and could not say.
    Undecided,
}

/// The counters of an exploration. All but `elapsed` and `answers` are the same in every run.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Summary {
    /// Paths that ended.
    pub paths: u64,
    /// Free choices: branches of the machine's own, see [`crate::Pause::Choice`].
    pub choices: u64,
    /// Arms that the model of the path takes: feasible without a question.
    pub by_model: u64,
    /// Arms that seeds take, and the model of the path does not: feasible without a question.
    pub by_seed: u64,
    /// Arms left out because the older exploration is trusted, see [`crate::Old::TrustInfeasible`].
    pub trusted: u64,
    /// Arms that were left out because they are outside the range.
    pub out_of_range: u64,
    /// Arms that are feasible because all others of their branch are not.
    pub by_complement: u64,
    /// Arms that the oracle decided, by the source of the answer: depends on what is stored.
    pub answers: Answers,
    /// Arms that are infeasible.
    pub infeasible: u64,
    /// Arms that the oracle could not decide; not explored.
    pub undecided: u64,
    /// Times that inputs were fixed, where an arm could not be decided: see [`crate::Sampling`].
    pub sampled: u64,
    /// Branches at which the oracle called every arm infeasible, and merged states whose path ends otherwise:
    /// faults of the machine or of the oracle.
    pub stuck: u64,
    /// Branches.
    pub branches: u64,
    /// States that were copied.
    pub forks: u64,
    /// States that were merged into others.
    pub merged: u64,
    /// Instructions.
    pub instructions: u64,
    /// The most branches on a path.
    pub deepest: usize,
    /// States and paths that bounds cut.
    pub cut: Cut,
    /// States that are open, in a report of progress.
    pub open: u64,
    /// Wall time.
    pub elapsed: Duration,
}

impl Summary {
    /// Counts an arm at a branch.
    pub fn count(&mut self, decided: Decided) {
        match decided {
            Decided::OutOfRange => self.out_of_range += 1,
            Decided::ByModel => self.by_model += 1,
            Decided::BySeed => self.by_seed += 1,
            Decided::Trusted => self.trusted += 1,
            Decided::ByComplement => self.by_complement += 1,
            Decided::Feasible(by) => self.answers.add(by, 1),
            Decided::Infeasible(by) => {
                self.answers.add(by, 1);
                self.infeasible += 1;
            }
            Decided::Undecided => self.undecided += 1,
        }
    }

    /// Arms that the oracle was asked about.
    pub fn asked(&self) -> u64 {
        self.answers.total().saturating_add(self.undecided)
    }

    /// Arms that were decided or left out without a question: a name in reports and a number for each reason.
    pub fn unasked(&self) -> [(&'static str, u64); 5] {
        [
            ("out of range", self.out_of_range),
            ("by model", self.by_model),
            ("by old test", self.by_seed),
            ("trusted", self.trusted),
            ("by complement", self.by_complement),
        ]
    }

    /// Arms that were considered at branches, each counted once.
    pub fn queries(&self) -> u64 {
        self.unasked().into_iter().fold(self.asked(), |sum, (_, more)| sum.saturating_add(more))
    }

    /// Adds the counters of another part of the same exploration; of the times the longer one.
    pub fn add(&mut self, other: &Summary) {
        self.paths += other.paths;
        self.choices += other.choices;
        self.by_model += other.by_model;
        self.by_complement += other.by_complement;
        self.by_seed += other.by_seed;
        self.out_of_range += other.out_of_range;
        self.trusted += other.trusted;
        self.answers.add_all(&other.answers);
        self.infeasible += other.infeasible;
        self.undecided += other.undecided;
        self.sampled += other.sampled;
        self.stuck += other.stuck;
        self.branches += other.branches;
        self.forks += other.forks;
        self.merged += other.merged;
        self.instructions += other.instructions;
        self.deepest = self.deepest.max(other.deepest);
        self.cut.add_all(&other.cut);
        self.open += other.open;
        self.elapsed = self.elapsed.max(other.elapsed);
    }

    /// Whether every feasible path of the range was found: nothing was cut, undecided, sampled,
    /// stuck or left out on trust.
    pub fn is_complete(&self) -> bool {
        let lost = self.cut.total() + self.undecided + self.sampled + self.stuck + self.trusted;
        lost == 0
    }
}
