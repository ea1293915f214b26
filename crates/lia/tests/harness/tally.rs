//! The counters of a duel.

use super::duel::Finding;
use super::moves::Game;
use super::oracle::Said;
use super::queries::FAMILIES;
use evergreen_lia::Verdict;
use std::fmt;

/// Counts of one family, or of all.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Counts {
    /// Checks.
    pub queries: usize,
    /// Answered sat; each model was evaluated.
    pub sat: usize,
    /// Answered unsat.
    pub unsat: usize,
    /// Given up.
    pub unknown: usize,
    /// Given up by the other solver.
    pub other_unknown: usize,
    /// Answered here and given up by the other solver.
    pub only_here: usize,
    /// Certificates accepted by the checker.
    pub certificates: usize,
    /// Their steps.
    pub steps: usize,
    /// Their bytes.
    pub bytes: usize,
    /// Rows of all cores.
    pub core_rows: usize,
}

/// Counts per family and of everything.
#[derive(Default)]
pub(crate) struct Tally {
    families: Vec<Counts>,
    /// Games that were walks.
    pub walks: usize,
    /// Checks that the second solver was asked about too.
    pub second: usize,
    /// Those it gave up.
    pub second_unknown: usize,
    /// Cores that the other solver was asked about.
    pub cores: usize,
}

impl Tally {
    /// Counts a game.
    pub(crate) fn count(&mut self, game: &Game, findings: &[Finding], said: &[Said]) {
        self.families.resize(FAMILIES.len(), Counts::default());
        self.walks += usize::from(game.walk);
        let counts = &mut self.families[game.family];
        for (finding, said) in findings.iter().zip(said) {
            counts.queries += 1;
            match finding.verdict {
                Verdict::Sat => counts.sat += 1,
                Verdict::Unsat => counts.unsat += 1,
                Verdict::Unknown => counts.unknown += 1,
            }
            counts.other_unknown += usize::from(*said == Said::Unknown);
            counts.only_here += usize::from(*said == Said::Unknown && finding.verdict != Verdict::Unknown);
            counts.core_rows += finding.core.len();
            if let Some(certificate) = &finding.certificate {
                counts.certificates += 1;
                counts.steps += certificate.steps.len();
                counts.bytes += certificate.encode().len();
            }
        }
    }

    /// Everything together.
    pub(crate) fn total(&self) -> Counts {
        self.families.iter().fold(Counts::default(), |sum, more| Counts {
            queries: sum.queries + more.queries,
            sat: sum.sat + more.sat,
            unsat: sum.unsat + more.unsat,
            unknown: sum.unknown + more.unknown,
            other_unknown: sum.other_unknown + more.other_unknown,
            only_here: sum.only_here + more.only_here,
            certificates: sum.certificates + more.certificates,
            steps: sum.steps + more.steps,
            bytes: sum.bytes + more.bytes,
            core_rows: sum.core_rows + more.core_rows,
        })
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<11} {:>9} {:>9} {:>9} {:>8} {:>8} {:>12} {:>10} {:>10} {:>9}",
            "family",
            "queries",
            "sat",
            "unsat",
            "unknown",
            "other ?",
            "certificates",
            "steps/cert",
            "bytes/cert",
            "rows/core"
        )?;
        let names = FAMILIES.iter().map(|family| family.name).chain(["all"]);
        let counts = self.families.iter().copied().chain([self.total()]);
        for (name, c) in names.zip(counts) {
            let per = |sum: usize, count: usize| sum as f64 / count.max(1) as f64;
            writeln!(
                f,
                "{name:<11} {:>9} {:>9} {:>9} {:>8} {:>8} {:>12} {:>10.1} {:>10.1} {:>9.1}",
                c.queries,
                c.sat,
                c.unsat,
                c.unknown,
                c.other_unknown,
                c.certificates,
                per(c.steps, c.certificates),
                per(c.bytes, c.certificates),
                per(c.core_rows, c.unsat),
            )?;
        }
        let total = self.total();
        writeln!(
            f,
            "models evaluated {}, cores asked again {}, walks {}",
            total.sat, self.cores, self.walks
        )?;
        write!(f, "second solver asked {}, gave up {}", self.second, self.second_unknown)
    }
}
