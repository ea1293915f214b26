//! The sums over all entries of a run.

use crate::Frontend;
use crate::tally::add_missing;
use crate::{BySeverity, Counts, Findings, Finished, Language, Team, Within};
use evergreen::{Answered, SettlingStats, Stats};
use evergreen_deciding::{Trouble, answered};
use evergreen_explore::Bound;
use std::collections::BTreeMap;
use std::time::Duration;

/// The sums over all entries of a run.
#[derive(Clone, Debug)]
pub struct Totals<L: Language> {
    /// Entries explored.
    pub methods: u64,
    /// Entries that could not be explored.
    pub failed: u64,
    /// Entries that were not begun: an interrupt or an error ended the run.
    pub not_begun: u64,
    /// Whether the run ended with its first finding, since no more was asked for.
    pub stopped: bool,
    /// Paths that the program ended.
    pub paths: u64,
    /// Of these, random walks that take an arm which no other path takes.
    pub walks: u64,
    /// Arms considered at symbolic branches, each counted in one of the next six.
    pub queries: u64,
    /// Of these, taken by the model of the path.
    pub by_model: u64,
    /// Of these, taken by old tests.
    pub by_seed: u64,
    /// Of these, left out because an older exploration is trusted.
    pub trusted: u64,
    /// Of these, left out because they are outside of the range.
    pub out_of_range: u64,
    /// Of these, feasible because all others of their branch are not.
    pub by_complement: u64,
    /// Of these, asked about: by source of the answer.
    pub asked: Answered,
    /// Arms that are infeasible.
    pub infeasible: u64,
    /// Arms that were not decided.
    pub undecided: u64,
    /// Paths with inputs that were fixed where an arm could not be decided.
    pub sampled: u64,
    /// How often inputs were fixed so.
    pub fixings: u64,
    /// Branches whose arms all were infeasible: bugs of ours.
    pub stuck: u64,
    /// Copied states.
    pub forks: u64,
    /// States that were merged into others.
    pub merged: u64,
    /// Instructions.
    pub instructions: u64,
    /// The most branches on a path.
    pub deepest: usize,
    /// Distinct findings.
    pub findings: u64,
    /// The same by severity.
    pub found: BySeverity,
    /// Distinct failures that were not looked for.
    pub noted: BySeverity,
    /// Paths that no valid input takes.
    pub invalid: u64,
    /// Ends at which the program refused to make the input.
    pub refused: u64,
    /// Paths of which it is not known whether a valid input takes them.
    pub doubtful: u64,
    /// Paths for which the invariant made an input that the program's own check refuses.
    pub disagrees: u64,
    /// Tests that are called with objects; and of these, tests whose objects public calls make.
    pub graphs: (u64, u64),
    /// What the machines counted.
    pub machine: L::Counts,
    /// Paths that the machine could not follow.
    pub unsupported: u64,
    /// Why, and how many paths for each reason; the first reasons only.
    pub missing: BTreeMap<String, u64>,
    /// What bounds cut, by name.
    pub cut: BTreeMap<&'static str, u64>,
    /// Arms taken, of arms offered.
    pub arms: (usize, usize),
    /// The bounds that inputs have met.
    pub within: L::Within,
    /// Entries without a path, although nothing was cut: no input fits.
    pub empty: u64,
    /// Tests that were replayed.
    pub replayed: u64,
    /// Tests that took another path or had another outcome than expected.
    pub divergences: u64,
    /// Tests that depend on what a machine chooses anew in each run.
    pub chosen: u64,
    /// Of these, tests whose result or path does: other choices were not explored.
    pub chosen_paths: u64,
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
    /// Why the run ended early.
    pub error: Option<String>,
    /// Wall time.
    pub elapsed: Duration,
}

impl<L: Language> Default for Totals<L> {
    fn default() -> Totals<L> {
        Totals {
            methods: 0,
            failed: 0,
            not_begun: 0,
            stopped: false,
            paths: 0,
            walks: 0,
            queries: 0,
            by_model: 0,
            by_seed: 0,
            trusted: 0,
            out_of_range: 0,
            by_complement: 0,
            asked: Answered::default(),
            infeasible: 0,
            undecided: 0,
            sampled: 0,
            fixings: 0,
            stuck: 0,
            forks: 0,
            merged: 0,
            instructions: 0,
            deepest: 0,
            findings: 0,
            found: BySeverity::default(),
            noted: BySeverity::default(),
            invalid: 0,
            refused: 0,
            doubtful: 0,
            disagrees: 0,
            graphs: (0, 0),
            machine: L::Counts::default(),
            unsupported: 0,
            missing: BTreeMap::new(),
            cut: BTreeMap::new(),
            arms: (0, 0),
            within: L::Within::default(),
            empty: 0,
            replayed: 0,
            divergences: 0,
            chosen: 0,
            chosen_paths: 0,
            stats: Stats::default(),
            shrinking: Stats::default(),
            solver_starts: 0,
            wrong_models: Vec::new(),
            reasons: Vec::new(),
            error: None,
            elapsed: Duration::ZERO,
        }
    }
}

impl<L: Language> Totals<L> {
    /// Adds an entry that was explored.
    pub fn add(&mut self, done: &Finished<L>, within: &L::Within, trouble: &Trouble, findings: &Findings<L>) {
        let Finished { summary, tally, arms, .. } = done;
        self.methods += 1;
        self.within.add(within);
        self.empty += u64::from(done.is_empty());
        self.paths += tally.paths;
        self.walks += tally.walks;
        self.unsupported += tally.unsupported;
        add_missing(&mut self.missing, &tally.missing);
        self.invalid += tally.invalid;
        self.refused += tally.refused;
        self.doubtful += tally.doubtful;
        self.disagrees += tally.disagrees;
        self.graphs.0 += tally.graphs;
        self.graphs.1 += tally.built;
        self.machine.add(&tally.machine);
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
        self.sampled += tally.sampled;
        self.fixings += summary.sampled;
        self.stuck += summary.stuck;
        self.forks += summary.forks;
        self.merged += summary.merged;
        self.instructions += summary.instructions;
        self.deepest = self.deepest.max(summary.deepest);
        self.findings += findings.found().len() as u64;
        findings.found().iter().for_each(|finding| self.found.add(finding.severity()));
        findings.noted().iter().for_each(|finding| self.noted.add(finding.severity()));
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

    /// How values were settled, with those of small inputs.
    pub fn settling(&self) -> SettlingStats {
        let mut sum = self.stats.settling;
        sum.add(&self.shrinking.settling);
        sum
    }

    /// Takes over what the oracles counted.
    pub fn end<F: Frontend<Language = L>>(&mut self, team: &Team<'_, F>, elapsed: Duration) {
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

    /// Whether time, memory or an interrupt ended the exploration: with workers, it is theirs that may be the
    /// reason.
    pub fn was_ended(&self) -> bool {
        [Bound::Time, Bound::Memory, Bound::Interrupt].iter().any(|bound| self.cut.contains_key(bound.name()))
    }

    /// How much of what there is was explored.
    pub fn explored(&self) -> Explored {
        let doubts = self.doubtful + self.disagrees;
        let sampled = self.sampled + self.fixings;
        let nothing_lost = self.undecided + sampled + self.stuck + self.unsupported + self.failed + doubts
            == 0
            && self.chosen_paths == 0;
        let nothing_left_out =
            self.left_out() + self.empty + self.not_begun == 0 && !self.stopped && !self.within.is_partial();
        if !(nothing_lost && nothing_left_out && self.cut.is_empty() && self.error.is_none()) {
            Explored::Part
        } else if self.within.is_everything() {
            Explored::All
        } else {
            Explored::Within
        }
    }

    /// The same in words.
    pub fn whole(&self) -> String {
        match (self.explored(), self.within.words()) {
            (Explored::Part, _) if self.methods > 0 && self.empty == self.methods => {
                "nothing to explore".into()
            }
            (Explored::Part, _) if self.stopped => "stopped at the first finding".into(),
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
