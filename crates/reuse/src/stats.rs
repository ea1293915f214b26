//! Counters of a run.

use crate::answered::Answered;
use crate::ladder::Rung;
use std::time::Duration;

/// The stages whose time is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Splitting and slicing.
    Slice,
    /// Canonical form and key.
    Canonize,
    /// Store look-ups and decoding.
    LookUp,
    /// Evaluating constraints under models.
    Check,
    /// Waiting for a solver.
    Solve,
    /// Encoding and putting.
    Record,
}

impl Stage {
    /// Every stage, in the order of the path.
    pub const ALL: [Stage; 6] =
        [Stage::Slice, Stage::Canonize, Stage::LookUp, Stage::Check, Stage::Solve, Stage::Record];

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Slice => "slice",
            Stage::Canonize => "canonize",
            Stage::LookUp => "look_up",
            Stage::Check => "check",
            Stage::Solve => "solve",
            Stage::Record => "record",
        }
    }
}

/// What a rung of the ladder cost and gave.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct RungStats {
    /// Parts that it was tried on.
    pub tried: u64,
    /// Parts that it answered.
    pub hits: u64,
    /// Parts that it was not tried on because it did not pay lately.
    pub passed: u64,
    /// The time it took, hit or not.
    pub time: Duration,
}

/// What counting did and what it was spared.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct CountStats {
    /// Counts asked for by the client.
    pub queries: u64,
    /// Conjunctions that they were taken apart into, because of disjunctions.
    pub cases: u64,
    /// Independent components that were looked up.
    pub components: u64,
    /// Of these, found.
    pub reused: u64,
    /// Simpler parts, by which components are counted, that were looked up.
    pub sub_counts: u64,
    /// Of these, found.
    pub sub_reused: u64,
    /// Steps of budgets that were used.
    pub steps: u64,
}

impl CountStats {
    fn add(&mut self, other: &CountStats) {
        self.queries += other.queries;
        self.cases += other.cases;
        self.components += other.components;
        self.reused += other.reused;
        self.sub_counts += other.sub_counts;
        self.sub_reused += other.sub_reused;
        self.steps += other.steps;
    }

    fn since(&self, earlier: &CountStats) -> CountStats {
        CountStats {
            queries: self.queries.saturating_sub(earlier.queries),
            cases: self.cases.saturating_sub(earlier.cases),
            components: self.components.saturating_sub(earlier.components),
            reused: self.reused.saturating_sub(earlier.reused),
            sub_counts: self.sub_counts.saturating_sub(earlier.sub_counts),
            sub_reused: self.sub_reused.saturating_sub(earlier.sub_reused),
            steps: self.steps.saturating_sub(earlier.steps),
        }
    }
}

/// What audits of reused answers found.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct AuditStats {
    /// Reused answers that were solved again.
    pub asked: u64,
    /// Of these, undecided by the solver.
    pub undecided: u64,
    /// Of these, contradicted by the solver.
    pub contradicted: u64,
}

impl AuditStats {
    fn add(&mut self, other: &AuditStats) {
        self.asked += other.asked;
        self.undecided += other.undecided;
        self.contradicted += other.contradicted;
    }

    fn since(&self, earlier: &AuditStats) -> AuditStats {
        AuditStats {
            asked: self.asked.saturating_sub(earlier.asked),
            undecided: self.undecided.saturating_sub(earlier.undecided),
            contradicted: self.contradicted.saturating_sub(earlier.contradicted),
        }
    }
}

/// How values were settled: made to depend on a path alone, after an arm was found to be feasible. None of
/// this is among the questions.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct SettlingStats {
    /// A few moves from the values of the path did.
    pub moved: u64,
    /// A core that is built in solved the slice afresh.
    pub native: u64,
    /// Values that are often right did.
    pub tried: u64,
    /// A solver's values were in the store.
    pub stored: u64,
    /// Calls of a solver, whether it found values or not.
    pub solver: u64,
}

impl SettlingStats {
    /// Adds the counters of another run.
    pub fn add(&mut self, other: &SettlingStats) {
        self.moved += other.moved;
        self.native += other.native;
        self.tried += other.tried;
        self.stored += other.stored;
        self.solver += other.solver;
    }

    /// What was counted since `earlier`, which this has grown from.
    pub fn since(&self, earlier: &SettlingStats) -> SettlingStats {
        SettlingStats {
            moved: self.moved.saturating_sub(earlier.moved),
            native: self.native.saturating_sub(earlier.native),
            tried: self.tried.saturating_sub(earlier.tried),
            stored: self.stored.saturating_sub(earlier.stored),
            solver: self.solver.saturating_sub(earlier.solver),
        }
    }
}

/// What a run did and what it was spared.
#[derive(Clone, Default, Debug)]
pub struct Stats {
    /// Questions asked by the client: as many as [`Stats::answered`] has.
    pub queries: u64,
    /// The same, by who answered.
    pub answered: Answered,
    /// Parts that queries were cut into.
    pub slices: u64,
    /// What each rung of the ladder cost and gave, in the order of [`Rung::ALL`].
    pub rungs: [RungStats; Rung::ALL.len()],
    /// Calls of a solver: none, one or several for a question.
    pub solved: u64,
    /// Of these, undecided.
    pub unknown: u64,
    /// Answers recorded.
    pub recorded: u64,
    /// Cores recorded for look-up by their members.
    pub cores: u64,
    /// Records that did not hold for the query they were found for.
    pub rejected: u64,
    /// Records and sets from an origin that is not trusted that were not used: they proved nothing, or were
    /// rejected.
    pub distrusted: u64,
    /// Places of the index of answered sets that were looked at: what look-ups by logic cost on every
    /// machine.
    pub steps: u64,
    /// Shares of cores that a solver was asked about before they were recorded.
    pub looks: u64,
    /// Answers that a second opinion contradicts: fresh models that evaluation finds false, fresh unsat
    /// answers and cores that turn out to be satisfiable, reused answers that an audit finds wrong.
    pub contradicted: u64,
    /// What audits of reused answers found.
    pub audits: AuditStats,
    /// What counting did.
    pub counts: CountStats,
    /// How values were settled.
    pub settling: SettlingStats,
    /// What the reused answers took to solve when they were solved.
    pub saved: Duration,
    /// Time per stage, in the order of [`Stage::ALL`].
    pub stages: [Duration; 6],
}

impl Stats {
    pub(crate) fn add(&mut self, stage: Stage, time: Duration) {
        self.stages[stage as usize] += time;
    }

    /// Adds the counters of another run.
    pub fn add_all(&mut self, other: &Stats) {
        let Stats { queries, slices, rungs, solved, unknown, recorded, cores, rejected, distrusted, .. } =
            other;
        self.queries += queries;
        self.answered.add_all(&other.answered);
        self.slices += slices;
        self.solved += solved;
        self.unknown += unknown;
        self.recorded += recorded;
        self.cores += cores;
        self.rejected += rejected;
        self.distrusted += distrusted;
        self.steps += other.steps;
        self.looks += other.looks;
        self.contradicted += other.contradicted;
        self.audits.add(&other.audits);
        self.counts.add(&other.counts);
        self.settling.add(&other.settling);
        self.saved += other.saved;
        for (sum, more) in self.rungs.iter_mut().zip(rungs) {
            sum.tried += more.tried;
            sum.hits += more.hits;
            sum.passed += more.passed;
            sum.time += more.time;
        }
        for (sum, more) in self.stages.iter_mut().zip(other.stages) {
            *sum += more;
        }
    }

    /// What was counted since `earlier`, which this has grown from.
    pub fn since(&self, earlier: &Stats) -> Stats {
        let mut rungs = self.rungs;
        for (rung, old) in rungs.iter_mut().zip(&earlier.rungs) {
            rung.tried -= old.tried.min(rung.tried);
            rung.hits -= old.hits.min(rung.hits);
            rung.passed -= old.passed.min(rung.passed);
            rung.time = rung.time.saturating_sub(old.time);
        }
        let mut stages = self.stages;
        for (stage, old) in stages.iter_mut().zip(earlier.stages) {
            *stage = stage.saturating_sub(old);
        }
        Stats {
            queries: self.queries.saturating_sub(earlier.queries),
            answered: self.answered.since(&earlier.answered),
            slices: self.slices.saturating_sub(earlier.slices),
            rungs,
            solved: self.solved.saturating_sub(earlier.solved),
            unknown: self.unknown.saturating_sub(earlier.unknown),
            recorded: self.recorded.saturating_sub(earlier.recorded),
            cores: self.cores.saturating_sub(earlier.cores),
            rejected: self.rejected.saturating_sub(earlier.rejected),
            distrusted: self.distrusted.saturating_sub(earlier.distrusted),
            steps: self.steps.saturating_sub(earlier.steps),
            looks: self.looks.saturating_sub(earlier.looks),
            contradicted: self.contradicted.saturating_sub(earlier.contradicted),
            audits: self.audits.since(&earlier.audits),
            counts: self.counts.since(&earlier.counts),
            settling: self.settling.since(&earlier.settling),
            saved: self.saved.saturating_sub(earlier.saved),
            stages,
        }
    }

    /// What a rung cost and gave.
    pub fn rung(&self, rung: Rung) -> &RungStats {
        &self.rungs[rung as usize]
    }

    /// Parts that a rung answered.
    pub fn hits(&self, rung: Rung) -> u64 {
        self.rung(rung).hits
    }

    /// Parts that were answered without a solver process.
    pub fn reused(&self) -> u64 {
        self.rungs.iter().map(|r| r.hits).sum()
    }

    pub(crate) fn tried(&mut self, rung: Rung, parts: u64, time: Duration) {
        let stats = &mut self.rungs[rung as usize];
        stats.tried += parts;
        stats.time += time;
    }

    pub(crate) fn hit(&mut self, rung: Rung) {
        self.rungs[rung as usize].hits += 1;
    }

    /// The time of a stage.
    pub fn stage(&self, stage: Stage) -> Duration {
        self.stages[stage as usize]
    }
}
