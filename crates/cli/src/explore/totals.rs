//! The sums over all methods.

use super::findings::Findings;
use super::suite::Told;
use crate::within::Within;
use evergreen_java::jvm::{InputBound, LazyCounts};
use evergreen_java::replay::Coverage;
use evergreen_java::{Bound, Finished, Team, Trouble, answered};
use evergreen::{Answered, SettlingStats, Stats};
use std::collections::BTreeMap;
use std::time::Duration;

/// Who answered questions, in words: the numbers add up.
pub fn in_words(answered: &Answered) -> String {
    let open = match answered.open() {
        0 => String::new(),
        n => format!(", {n} undecided"),
    };
    format!("{} answered without a solver, {} solved{open}", answered.without_solver(), answered.solved())
}

/// The sums over all methods.
#[derive(Clone, Default)]
pub struct Totals {
    /// Methods explored.
    pub methods: u64,
    /// Methods that could not be explored.
    pub failed: u64,
    /// Methods that were not begun: someone asked to stop, or an error ended the run.
    pub not_begun: u64,
    /// Paths that the program ended.
    pub paths: u64,
    /// Arms considered at symbolic branches, each counted in one of the next six.
    pub queries: u64,
    /// Of these, taken by the model of the path.
    pub by_model: u64,
    /// Of these, taken by old tests.
    pub by_seed: u64,
    /// Of these, left out because an older exploration is believed.
    pub trusted: u64,
    /// Of these, left out because they are outside of the range.
    pub out_of_range: u64,
    /// Of these, feasible because all others of their branch are not.
    pub by_complement: u64,
    /// Of these, asked about: by who answered.
    pub asked: Answered,
    /// Arms that are infeasible.
    pub infeasible: u64,
    /// Arms that nobody could decide.
    pub undecided: u64,
    /// Branches whose arms all were infeasible: bugs of ours.
    pub stuck: u64,
    /// Copied states.
    pub forks: u64,
    /// Instructions.
    pub instructions: u64,
    /// The most branches on a path.
    pub deepest: usize,
    /// Distinct findings.
    pub findings: u64,
    /// Paths whose input no valid object has.
    pub invalid: u64,
    /// Paths of which nobody could say whether a valid object takes them.
    pub doubtful: u64,
    /// Paths for which the invariant made an input that the class's own check refuses.
    pub disagrees: u64,
    /// Tests that are called with objects; and of these, tests whose objects public calls make.
    pub graphs: (u64, u64),
    /// What lazy heaps did.
    pub lazy: LazyCounts,
    /// Paths that the machine could not follow.
    pub unsupported: u64,
    /// What bounds cut, by name.
    pub cut: BTreeMap<&'static str, u64>,
    /// Arms taken, of arms offered.
    pub arms: (usize, usize),
    /// The bounds that inputs have met.
    pub within: Within,
    /// Methods without a path, although nothing was cut: no input fits.
    pub empty: u64,
    /// Tests that were run on the JVM.
    pub replayed: u64,
    /// What they cover.
    pub coverage: Option<Coverage>,
    /// Tests that it took differently.
    pub divergences: u64,
    /// Counters of the reuse layer, both writings together, without shrinking.
    pub stats: Stats,
    /// The same for making inputs of findings small.
    pub shrinking: Stats,
    /// Solver processes.
    pub solver_starts: u64,
    /// Models that did not hold: bugs of ours.
    pub wrong_models: Vec<String>,
    /// Why arms are undecided.
    pub reasons: Vec<String>,
    /// Why everything ended early.
    pub error: Option<String>,
    /// Structures that were drawn, and those that were too many.
    pub drawn: (u64, u64),
    /// What changed in the suite, if one is kept.
    pub suite: Option<Told>,
    /// Wall time.
    pub elapsed: Duration,
}

impl Totals {
    /// Adds a method that was explored.
    pub fn add(&mut self, done: &Finished, within: &Within, trouble: &Trouble, findings: &Findings) {
        let Finished { summary, tally, arms, .. } = done;
        self.methods += 1;
        self.within.add(within);
        self.empty += u64::from(is_empty(done));
        self.paths += tally.paths;
        self.unsupported += tally.unsupported;
        self.invalid += tally.invalid;
        self.doubtful += tally.doubtful;
        self.disagrees += tally.disagrees;
        self.graphs.0 += tally.graphs;
        self.graphs.1 += tally.built;
        self.lazy.add(&tally.lazy);
        self.shrinking.add_all(&tally.shrinking);
        self.queries += summary.queries();
        self.by_model += summary.by_model;
        self.by_seed += summary.by_seed;
        self.trusted += summary.trusted;
        self.out_of_range += summary.out_of_range;
        self.by_complement += summary.by_complement;
        self.asked.add_all(&answered(summary));
        self.infeasible += summary.infeasible;
        self.undecided += summary.undecided;
        self.stuck += summary.stuck;
        self.forks += summary.forks;
        self.instructions += summary.instructions;
        self.deepest = self.deepest.max(summary.deepest);
        self.findings += findings.all().len() as u64;
        let own = summary.cut.iter().map(|(bound, count)| (bound.name(), count));
        for (name, count) in own.chain(tally.cut.iter().map(|(name, count)| (*name, *count))) {
            *self.cut.entry(name).or_insert(0) += count;
        }
        self.arms.0 += arms.0;
        self.arms.1 += arms.1;
        self.error.clone_from(&trouble.error);
    }

    /// Arms that were decided without a question.
    pub fn unasked(&self) -> u64 {
        self.by_model + self.by_seed + self.by_complement
    }

    /// Arms that were left out without a question.
    pub fn left_out(&self) -> u64 {
        self.trusted + self.out_of_range
    }

    /// Where the arms at branches went, in words: the numbers add up.
    pub fn arms_in_words(&self) -> String {
        let left_out = match self.left_out() {
            0 => String::new(),
            n => format!(", {n} left out"),
        };
        format!(
            "{} arms at branches: {} needed no question{left_out}, {} asked: {}",
            self.queries,
            self.unasked(),
            self.asked.total(),
            in_words(&self.asked)
        )
    }

    /// How values were settled, with those of small inputs.
    pub fn settling(&self) -> SettlingStats {
        let mut sum = self.stats.settling;
        sum.add(&self.shrinking.settling);
        sum
    }

    /// Takes over what the oracles counted.
    pub fn end(&mut self, team: &Team<'_>, elapsed: Duration) {
        let ((stats, starts), trouble) = (team.stats(), team.trouble());
        self.stats = stats.since(&self.shrinking);
        self.solver_starts = starts;
        self.wrong_models = trouble.wrong_models;
        self.reasons = trouble.unknown;
        if self.error.is_none() {
            self.error = trouble.error;
        }
        self.elapsed = elapsed;
    }

    /// Whether time, memory or somebody ended the exploration: with workers, it is they who may be the reason.
    pub fn was_ended(&self) -> bool {
        [Bound::Time, Bound::Memory, Bound::Interrupt].iter().any(|bound| self.cut.contains_key(bound.name()))
    }

    /// How much of what there is was explored.
    pub fn explored(&self) -> Explored {
        let doubts = self.doubtful + self.disagrees;
        let nothing_lost = self.undecided + self.stuck + self.unsupported + self.failed + doubts == 0;
        let nothing_left_out = self.left_out() + self.empty + self.not_begun == 0 && !self.is_partial();
        if !(nothing_lost && nothing_left_out && self.cut.is_empty() && self.error.is_none()) {
            Explored::Part
        } else if self.within.is_everything() {
            Explored::All
        } else {
            Explored::Within
        }
    }

    /// Whether some references were only null.
    pub fn is_partial(&self) -> bool {
        self.within.by(InputBound::References) > 0
    }

    /// The same in words.
    pub fn whole(&self) -> String {
        match (self.explored(), self.within.words()) {
            (Explored::Part, _) if self.methods > 0 && self.empty == self.methods => {
                "nothing to explore".into()
            }
            (Explored::Part, _) => "not all paths explored".into(),
            (_, Some(words)) => format!("all paths within {words} explored"),
            (_, None) => "all paths explored".into(),
        }
    }
}

/// How much of what there is was explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Explored {
    /// Every feasible path.
    All,
    /// Every feasible path of the inputs within some bounds.
    Within,
    /// Not every one: something was cut, undecided, unsupported or left out.
    Part,
}

impl Explored {
    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Explored::All => "all",
            Explored::Within => "within bounds",
            Explored::Part => "in part",
        }
    }
}

/// Whether a method has no path although nothing was cut, left out or lost: then no input fits.
pub fn is_empty(done: &Finished) -> bool {
    let Finished { summary, tally, .. } = done;
    let nothing_lost = tally.unsupported + tally.doubtful + tally.disagrees + summary.out_of_range == 0;
    tally.paths == 0 && nothing_lost && tally.cut.is_empty() && summary.is_complete()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every way in which something is missing keeps a run from saying that all paths were explored.
    #[test]
    fn all_is_said_only_when_nothing_is_missing() {
        assert_eq!(
            (Totals::default().explored(), Totals::default().whole()),
            (Explored::All, "all paths explored".into())
        );
        let missing: [fn(&mut Totals); 12] = [
            |t| t.failed = 1,
            |t| t.not_begun = 1,
            |t| t.empty = 1,
            |t| t.undecided = 1,
            |t| t.stuck = 1,
            |t| t.unsupported = 1,
            |t| t.doubtful = 1,
            |t| t.disagrees = 1,
            |t| t.trusted = 1,
            |t| t.out_of_range = 1,
            |t| t.cut = BTreeMap::from([("depth", 1)]),
            |t| t.error = Some("why".into()),
        ];
        for (at, spoil) in missing.iter().enumerate() {
            let mut totals = Totals { methods: 2, ..Totals::default() };
            spoil(&mut totals);
            assert_eq!(totals.explored(), Explored::Part, "{at}");
            assert_eq!(totals.whole(), "not all paths explored", "{at}");
        }
        let empty = Totals { methods: 2, empty: 2, ..Totals::default() };
        assert_eq!(empty.whole(), "nothing to explore");
    }
}
